"""The weather that is drawn once for all tables: of a session of trials, and of a race (articles 1-0-3, 2-0-1, 3)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from companion.rules.circuit.track import Sky, Track
from companion.rules.conversation.errors import BadEntry
from companion.tournament.record import Act

if TYPE_CHECKING:
    from companion.rules.ninety.circuit import SectionTrack

Surface = Literal["dry", "wet"]


class Drawn(Act, frozen=True, tag="weather"):
    """The black die for a session of trials or for a round of races: its face (0 if only the sky was told), and the
    sky that the circuit's chart makes of it. `session` or `round` is 0."""

    sky: Sky
    face: int = 0
    session: int = 0
    round: int = 0


def check(act: Drawn) -> None:
    """Raises BadEntry for a face that the black die does not have, or weather for nothing in particular."""
    check_face(act.face)
    if bool(act.session) is bool(act.round):
        raise BadEntry("Weather is drawn for a session of trials or for a round, one at a time.", "which_weather")


def check_face(face: int) -> None:
    """Raises BadEntry for a face that the black die does not have; 0 stands for none [1-0-3, 2-0-1]."""
    if not 0 <= face <= 20:
        raise BadEntry(f"The black die shows 1 to 20; {face} is not on it.")


def sky_of(board: Track | SectionTrack, face: int) -> Sky:
    """The sky that a face of the black die brings on the circuit's chart, the same for every table [1-0-3, 2-0-1].
    Raises BadEntry for a face that it does not have, and where there is no chart."""
    if not 1 <= face <= 20:
        raise BadEntry(f"The black die shows 1 to 20; {face} is not on it.")
    if not isinstance(board, Track):
        raise BadEntry(f"There is no chart of weather for {board.name}; say which sky it is.")
    return board.weather.sky(face)


def of_trials(sky: Sky) -> Surface:
    """The track in the trials: wet in the rain, else dry, at every table [1-0-3]."""
    return "wet" if sky == "rain" else "dry"


def of_race(sky: Sky, last_trials: Sky | None) -> Surface:
    """The track at the start of every table's race: sun or rain hold for all; under a changeable sky it is as the last
    trials left it, and goes its own way at each table from there [2-0-1]."""
    if sky == "changeable":
        return of_trials(last_trials) if last_trials is not None else "dry"
    return of_trials(sky)
