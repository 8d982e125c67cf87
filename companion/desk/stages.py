"""The circuits that the acts of a record name: each is there, under one name, and the rulebook is driven on it."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from companion import circuits
from companion.rules.conversation.asking import Json
from companion.rules.conversation.errors import BadTrack
from companion.rules.rulebooks import begin, check_circuit, named
from companion.tournament import season, tournament
from companion.tournament.entrants import Changed, Entered, Entrant
from companion.tournament.organised import otherwise
from companion.tournament.record import Act, Record
from companion.tournament.season import Season
from companion.tournament.seeding import Tables
from companion.tournament.tournament import Tournament
from companion.tournament.trials import Opened


def on_stages(record: Record, act: Act) -> Act:
    """An act with each circuit called as it is found here, so that one circuit has one name in a record. Raises
    BadSetup or BadTrack unless every one that it names is there, and the rulebook is driven on it."""
    match act:
        case tournament.Begun():
            return replace(act, track=_driven(act.rulebook, act.track))
        case tournament.Seeded() if isinstance(record, Tournament):
            act = replace(act, track=_driven(record.begun.rulebook, act.track) if act.track else "")
            _check_tables(record, act, act.tables)
        case tournament.Seated() if isinstance(record, Tournament):
            seats = record.seated(act.table)
            round_ = record.round(int(act.table.partition(".")[0]))
            _check_tables(record, round_, ((*seats, act.driver),))
        case season.Begun():
            calendar = (replace(one, track=_driven(one.rulebook or act.rulebook, one.track)) for one in act.calendar)
            return replace(act, calendar=tuple(calendar))
        case season.Postponed() if act.track and isinstance(record, Season):
            return replace(act, track=_driven(record.rulebook(act.race), act.track))
        case Opened():
            return replace(act, track=circuits.known_as(circuits.find(act.track)))
        case Entered():
            _check_homes(act.entrants)
        case Changed():
            _check_homes((act.entrant,))
    return act


def _driven(rulebook: str, track: str) -> str:
    """The name of a circuit on which that rulebook is driven."""
    check_circuit(named(rulebook), circuits.board(track))
    return circuits.known_as(circuits.find(track))


def _check_tables(record: Tournament, round_: tournament.Seeded | tournament.Round, tables: Tables) -> None:
    """Every table can race there: once it is published nobody is dealt another one."""
    begun, track = record.begun, round_.track or record.begun.track
    board = circuits.board(track)
    options = {**otherwise(begun.rulebook, tournament.ANY_SIZE), **begun.options}
    said: dict[str, Json] = {"rulebook": begun.rulebook, "track": track, "options": options}
    if laps := round_.laps or begun.laps:
        said["laps"] = laps
    for seats in tables:
        begin({**said, "cars": [{"car": driver} for driver in seats]}, board)


def _check_homes(entrants: Iterable[Entrant]) -> None:
    """A home track is known by its key, by which calendars have it."""
    for home in {home for entrant in entrants for home in entrant.home}:
        if (key := circuits.known_as(circuits.find(home))) != home:
            raise BadTrack(f"The circuit {home} is called {key} here; write that.")
