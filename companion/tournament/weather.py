"""The weather of trials and races, drawn once for all tables (articles 1-0-3, 2-0-1, 3)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from companion.rules.circuit.track import Sky, Track
from companion.rules.conversation.errors import BadEntry
from companion.tournament.record import Act

if TYPE_CHECKING:
    from companion.rules.ninety.circuit import SectionTrack

Surface = Literal["dry", "wet"]


class Drawn(Act, frozen=True, tag="weather"):
    """The weather drawn for a session of trials or a round of races.

    `face` is that of the black die (0 if only the sky is known), `sky` what the circuit's chart makes of it. Either
    `session` or `round` is 0.
    """

    sky: Sky
    face: int = 0
    session: int = 0
    round: int = 0


def check(act: Drawn) -> None:
    """Check a draw.

    Raises BadEntry for a face that the black die does not have, or unless exactly one of session and round is set.
    """
    check_face(act.face)
    if bool(act.session) is bool(act.round):
        raise BadEntry("which_weather")


def check_face(face: int) -> None:
    """Check a face of the black die, 0 for none [1-0-3, 2-0-1].

    Raises BadEntry.
    """
    if not 0 <= face <= 20:
        raise BadEntry("black", face=face)


def sky_of(board: Track | SectionTrack, face: int) -> Sky:
    """Return the sky of a black die's face on the circuit's chart [1-0-3, 2-0-1].

    Raises BadEntry for a face that the die does not have, or a circuit without a chart.
    """
    if not 1 <= face <= 20:
        raise BadEntry("black", face=face)
    if not isinstance(board, Track):
        raise BadEntry("no_weather_chart", name=board.name)
    return board.weather.sky(face)


def of_trials(sky: Sky) -> Surface:
    """Return the surface in the trials: wet in rain, else dry, at every table [1-0-3]."""
    return "wet" if sky == "rain" else "dry"


def of_race(sky: Sky, last_trials: Sky | None) -> Surface:
    """Return the surface at the start of every table's race.

    Sun is dry and rain is wet. Under a changeable sky it is as the last trials left it, and develops separately at each
    table from there [2-0-1].
    """
    if sky == "changeable":
        return of_trials(last_trials) if last_trials is not None else "dry"
    return of_trials(sky)
