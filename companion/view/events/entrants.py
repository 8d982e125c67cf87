"""The entrants of an event, with their trial times and seats."""

from __future__ import annotations

from collections.abc import Callable, Collection

import msgspec

from companion.rules.conversation.asking import Json
from companion.rules.conversation.text import folded
from companion.tournament.entrants import free_numbers
from companion.tournament.season import Season
from companion.tournament.times import AbsoluteTime, clock_text
from companion.tournament.tournament import Tournament
from companion.view.events.acts import TakeBack, take_back
from companion.view.events.standings import circuit_name, driver_cells, plates
from companion.view.listing import Cell, CellValue, Listing, make_listing
from companion.view.shown import Plate, ViewModel
from companion.wording import Words


class EntrantRow(ViewModel, frozen=True, kw_only=True):
    """An entrant: presence, time and clock, table and grid place.

    In a season, the home circuits instead.
    """

    number: int
    plate: Plate
    name: str
    team: str
    here: bool
    gone: str = ""
    time: str = ""
    clock: str = ""
    table: str = ""
    grid: str = ""
    home: str = ""
    season: bool = False


class EntrantsShown(ViewModel, frozen=True, kw_only=True):
    """The entrants that match the search.

    In a `season` there is no check-in: drivers are entered, edited and withdrawn, and have home circuits among its
    `circuits` (key and name).
    """

    subtitle: str
    found: str
    rows: tuple[EntrantRow, ...]
    here: int
    of: int
    missing: int
    free: tuple[int, ...]
    undo: TakeBack
    season: bool = False
    circuits: tuple[tuple[str, str], ...] = ()


def entry_listing(record: Tournament | Season, words: Words) -> Listing:
    """Return the entry list: who is here, with the best trial; in a season, the home circuits."""
    coloured = plates(record)
    rows: list[list[CellValue]] = []
    for number in sorted(record.field.entrants):
        row = driver_cells(record, number, coloured[number])
        if isinstance(record, Tournament):
            here = words.word("listing", "yes" if number in record.field.racing else "no")
            row += [here, time_cell(record.best(number), words)]
        else:
            row.append(", ".join(map(circuit_name, record.field[number].home)))
        rows.append(row)
    columns = ("number", "driver", "team", *(("here", "time") if isinstance(record, Tournament) else ("home",)))
    return make_listing("entries", words, columns, rows, name=record.name)


def time_cell(time: AbsoluteTime | None, words: Words) -> Cell:
    """Return a trial's absolute time, with its clock as a note; a driver who is last has none."""
    if time is None:
        return Cell()
    if time.last:
        return Cell(text=words.word("listing", "last"), brief="–")
    return Cell(text=str(time.total), value=time.total, brief=str(time.total), note=clock_text(time.clock))


def entrants(record: Tournament | Season, words: Words, typed: str = "", missing: bool = False) -> EntrantsShown:
    """Return the entrants whose number, name or club begins with `typed`.

    With `missing`, only those who have not checked in.
    """

    def say(key: str, **facts: Json) -> str:
        return words.screen(f"entrants.{key}", **facts)

    field, coloured = record.field, plates(record)
    season = isinstance(record, Season)
    rows = []
    for cells in entry_listing(record, words).by_key():
        number = int(cells["number"].text)
        one = field[number]
        away = number not in field.here and number not in field.gone
        if not _begins(typed, number, one.name, one.team) or (missing and not away):
            continue
        row = EntrantRow(
            number=number,
            plate=coloured[number],
            name=cells["driver"].text,
            team=cells["team"].text,
            here=number in field.here and number not in field.gone,
            gone=field.gone.get(number, ""),
            time=cells["time"].brief if "time" in cells else "",
            clock=cells["time"].note if "time" in cells else "",
            home=cells["home"].text if "home" in cells else "",
            season=season,
        )
        rows.append(row if isinstance(record, Season) else _with_seat(record, row, say))
    standing = len(field.standing)
    calendar = {race.stage.track: None for race in record.calendar()} if isinstance(record, Season) else {}
    return EntrantsShown(
        subtitle=say("subtitle", name=record.name, count=standing, clubs=len(field.teams()), season=season),
        found=say("begin", count=len(rows), of=standing, typed=typed) if typed else say("all", count=len(rows)),
        rows=tuple(rows),
        here=standing if season else len(field.racing),
        of=standing,
        missing=0 if season else standing - len(field.racing),
        free=_free(typed, field.entrants),
        undo=take_back(record, words),
        season=season,
        circuits=tuple((key, circuit_name(key)) for key in calendar),
    )


def _with_seat(record: Tournament, row: EntrantRow, say: Callable[..., str]) -> EntrantRow:
    """Add the seat in the last round."""
    at, place = 0, 0
    for table, drivers in enumerate(record.rounds[max(record.rounds)].tables if record.rounds else (), 1):
        if row.number in drivers:
            at, place = table, drivers.index(row.number) + 1
    return msgspec.structs.replace(row, table=str(at or ""), grid=say("grid", place=place) if place else "")


def _begins(typed: str, number: int, name: str, team: str) -> bool:
    if typed.isdecimal() or not typed:
        return str(number).startswith(typed)
    return any(folded(word).startswith(folded(typed)) for word in (*name.split(), *team.split()))


def _free(typed: str, taken: Collection[int]) -> tuple[int, ...]:
    """Return three free numbers that begin as typed, otherwise the first three free."""
    free, start = free_numbers(taken), typed if typed.isdecimal() else ""
    return tuple([number for number in free if str(number).startswith(start)] or free)[:3]
