"""The circuits that the acts of a record name.

Each is there, under one name, and the rulebook is driven on it, so far and with those figures.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from msgspec.structs import replace

from companion import circuits
from companion.rules.conversation.asking import Json
from companion.rules.conversation.errors import BadTrack
from companion.rules.rulebooks import begin
from companion.tournament import season, tournament
from companion.tournament.entrants import Changed, Entered, Entrant
from companion.tournament.organised import otherwise
from companion.tournament.record import Act, Record
from companion.tournament.season import Season
from companion.tournament.seeding import Tables
from companion.tournament.tournament import Tournament
from companion.tournament.trials import TrialsOpened

_FEW: Final = (1, 2)
"""Smallest numbers of cars that race, for checks before anybody is entered."""
_NO_OPTIONS: Final[dict[str, Json]] = {}


def on_stages(record: Record, act: Act) -> Act:
    """Return an act with each circuit under its name here, so that one circuit has one name in a record.

    Raises BadSetup or BadTrack unless every one that it names is there, and the rulebook is driven on it, so far and
    with those figures.
    """
    match act:
        case tournament.TournamentBegun():
            return replace(act, track=_checked_circuit(act.rulebook, act.track, act.laps, act.options))
        case tournament.Seeded() if isinstance(record, Tournament):
            act = replace(act, track=_checked_circuit(record.begun.rulebook, act.track) if act.track else "")
            _check_tables(record, act, act.tables)
        case tournament.Seated() if isinstance(record, Tournament):
            seats = record.seated(act.table)
            round_ = record.round(int(act.table.partition(".")[0]))
            _check_tables(record, round_, ((*seats, act.driver),))
        case season.SeasonBegun():
            return replace(act, calendar=tuple(replace(one, track=_stage(act, one)) for one in act.calendar))
        case season.Postponed() if act.track and isinstance(record, Season):
            return replace(act, track=_checked_circuit(record.rulebook(act.race), act.track))
        case TrialsOpened():
            return replace(act, track=circuits.known_as(circuits.find(act.track)))
        case Entered():
            _check_homes(act.entrants)
        case Changed():
            _check_homes((act.entrant,))
    return act


def _stage(begun: season.SeasonBegun, stage: season.Stage) -> str:
    """Return the name of the circuit of a race of the calendar."""
    return _checked_circuit(
        stage.rulebook or begun.rulebook, stage.track, stage.laps, {**begun.options, **stage.options}
    )


def _checked_circuit(rulebook: str, track: str, laps: int = 0, options: Mapping[str, Json] = _NO_OPTIONS) -> str:
    """Return the name of a circuit on which that rulebook is driven, so far and with those figures."""
    _check_race(rulebook, track, laps, options, _FEW)
    return circuits.known_as(circuits.find(track))


def _check_race(rulebook: str, track: str, laps: int, options: Mapping[str, Json], drivers: Sequence[int]) -> None:
    """Check that a race of these drivers can begin there."""
    said: dict[str, Json] = {"rulebook": rulebook, "track": track, "cars": [{"car": driver} for driver in drivers]}
    said["options"] = {**otherwise(rulebook, tournament.ANY_SIZE), **options}
    if laps:
        said["laps"] = laps
    begin(said, circuits.board(track))


def _check_tables(record: Tournament, round_: tournament.Seeded | tournament.Round, tables: Tables) -> None:
    """Every table can race there: once it is published nobody is dealt another one."""
    begun = record.begun
    for seats in tables:
        _check_race(begun.rulebook, round_.track or begun.track, round_.laps or begun.laps, begun.options, seats)


def _check_homes(entrants: Iterable[Entrant]) -> None:
    """Check that home tracks are named by their keys, by which calendars name them."""
    for home, driver in {home: one.name for one in entrants for home in one.home}.items():
        try:
            key = circuits.known_as(circuits.find(home))
        except BadTrack as wrong:
            raise BadTrack("home_circuit", driver=driver, complaint=wrong) from None
        if key != home:
            raise BadTrack("called_here", track=home, key=key)
