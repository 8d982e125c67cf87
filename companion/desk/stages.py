"""The circuits that the acts of a record name: each is there, and the rulebook is driven on it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

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


def check_stages(folder: Path, record: Record, act: Act) -> None:
    """Raises BadSetup or BadTrack unless every circuit that an act names is there."""
    boards = circuits.own(folder)
    match act:
        case tournament.Begun():
            _check(act.rulebook, act.track, boards)
        case tournament.Seeded() if isinstance(record, Tournament):
            _check_tables(record, act, act.tables, boards)
        case tournament.Seated() if isinstance(record, Tournament):
            seats = record.seated(act.table)
            round_ = record.round(int(act.table.partition(".")[0]))
            _check_tables(record, round_, ((*seats, act.driver),), boards)
        case season.Begun():
            for stage in act.calendar:
                _check(stage.rulebook or act.rulebook, stage.track, boards)
        case season.Postponed() if act.track and isinstance(record, Season):
            _check(record.race(act.race).stage.rulebook or record.begun.rulebook, act.track, boards)
        case Opened():
            circuits.board(act.track, boards)
        case Entered():
            _check_homes(act.entrants, boards)
        case Changed():
            _check_homes((act.entrant,), boards)


def _check(rulebook: str, track: str, boards: Sequence[Path]) -> None:
    check_circuit(named(rulebook), circuits.board(track, boards))


def _check_tables(
    record: Tournament, round_: tournament.Seeded | tournament.Round, tables: Tables, boards: Sequence[Path]
) -> None:
    """Every table can race there: once it is published nobody is dealt another one."""
    begun, track = record.begun, round_.track or record.begun.track
    board = circuits.board(track, boards)
    check_circuit(named(begun.rulebook), board)
    options = {**otherwise(begun.rulebook, tournament.ANY_SIZE), **begun.options}
    said: dict[str, Json] = {"rulebook": begun.rulebook, "track": track, "options": options}
    if laps := round_.laps or begun.laps:
        said["laps"] = laps
    for seats in tables:
        begin({**said, "cars": [{"car": driver} for driver in seats]}, board)


def _check_homes(entrants: Iterable[Entrant], boards: Sequence[Path]) -> None:
    """A home track is known by its key, by which calendars have it."""
    for home in {home for entrant in entrants for home in entrant.home}:
        if (key := circuits.find(home, boards).stem) != home:
            raise BadTrack(f"The circuit {home} is called {key} here; write that.")
