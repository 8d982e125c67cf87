"""The entrants of a tournament: who is here, with his trial and his seat."""

from __future__ import annotations

from collections.abc import Callable, Collection

import msgspec

from companion.rules.conversation.asking import Json
from companion.rules.conversation.text import folded
from companion.tournament.entrants import free_numbers
from companion.tournament.season import Season
from companion.tournament.times import clock_text
from companion.tournament.tournament import Tournament
from companion.view.commissioner.acts import TakeBack, take_back
from companion.view.commissioner.standings import circuit_name, plates
from companion.view.shown import Plate, Shown
from companion.wording import Words


class EntrantRow(Shown, frozen=True, kw_only=True):
    """An entrant: whether he is here, his time and clock, his table and grid place; in a season his home circuits."""

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


class EntrantsShown(Shown, frozen=True, kw_only=True):
    """The entrants who are looked for. In a `season` nobody has to come: they are entered, changed and withdrawn, and
    have home circuits among its `circuits` (key and name)."""

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


def entrants(record: Tournament | Season, words: Words, typed: str = "", missing: bool = False) -> EntrantsShown:
    """Everybody whose number, or name or club, begins with what was `typed`; only who is `missing`, if that is
    wanted."""

    def say(key: str, **facts: Json) -> str:
        return words.screen(f"entrants.{key}", **facts)

    field, coloured = record.field, plates(record)
    season = isinstance(record, Season)
    rows = []
    for number in sorted(field.entrants):
        one = field[number]
        away = number not in field.here and number not in field.gone
        if not _begins(typed, number, one.name, one.team) or (missing and not away):
            continue
        row = EntrantRow(
            number=number,
            plate=coloured[number],
            name=one.name,
            team=one.team,
            here=number in field.here and number not in field.gone,
            gone=field.gone.get(number, ""),
            home=", ".join(map(circuit_name, one.home)),
            season=season,
        )
        rows.append(row if isinstance(record, Season) else _driven(record, row, say))
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


def _driven(record: Tournament, row: EntrantRow, say: Callable[..., str]) -> EntrantRow:
    """With the trial and the seat of the last round."""
    best, at, place = record.best(row.number), 0, 0
    for table, drivers in enumerate(record.rounds[max(record.rounds)].tables if record.rounds else (), 1):
        if row.number in drivers:
            at, place = table, drivers.index(row.number) + 1
    return msgspec.structs.replace(
        row,
        time=("–" if best.last else str(best.total)) if best is not None else "",
        clock="" if best is None or best.last else clock_text(best.clock),
        table=str(at or ""),
        grid=say("grid", place=place) if place else "",
    )


def _begins(typed: str, number: int, name: str, team: str) -> bool:
    if typed.isdecimal() or not typed:
        return str(number).startswith(typed)
    return any(folded(word).startswith(folded(typed)) for word in (*name.split(), *team.split()))


def _free(typed: str, taken: Collection[int]) -> tuple[int, ...]:
    """The first numbers that are free and begin so; where none does, the first that are free."""
    free, start = free_numbers(taken), typed if typed.isdecimal() else ""
    return tuple([number for number in free if str(number).startswith(start)] or free)[:3]
