"""The entrants of a tournament: who is here, with his trial and his seat."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection

from companion.rules.conversation.asking import Json
from companion.tournament.record import Act
from companion.tournament.times import clock_text
from companion.tournament.tournament import Tournament
from companion.view.shown import Plate, Shown, Undo
from companion.view.standings import plates
from companion.view.undoing import of_kind, undoing
from companion.wording import Words


class EntrantRow(Shown, frozen=True, kw_only=True):
    """An entrant: whether he is here, his time and clock, his table and grid place."""

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


class EntrantsShown(Shown, frozen=True, kw_only=True):
    """The entrants who are looked for."""

    subtitle: str
    found: str
    rows: tuple[EntrantRow, ...]
    here: int
    of: int
    missing: int
    free: tuple[int, ...]
    undo: Undo


def entrants(record: Tournament, words: Words, typed: str = "", missing: bool = False) -> EntrantsShown:
    """Everybody whose number, or name or club, begins with what was `typed`; only who is `missing`, if that is
    wanted."""

    def say(key: str, **facts: Json) -> str:
        return words.screen(f"entrants.{key}", **facts)

    field, coloured = record.field, plates(record)
    last = max(record.rounds, default=0)
    seats: dict[int, tuple[int, int]] = {}
    if last:
        for one_table, drivers in enumerate(record.rounds[last].tables, 1):
            seats |= {driver: (one_table, place) for place, driver in enumerate(drivers, 1)}
    rows = []
    for number in sorted(field.entrants):
        one = field[number]
        away = number not in field.here and number not in field.gone
        if not _begins(typed, number, one.name, one.team) or (missing and not away):
            continue
        best = record.best(number)
        at, place = seats.get(number, (0, 0))
        rows.append(
            EntrantRow(
                number=number,
                plate=coloured[number],
                name=one.name,
                team=one.team,
                here=number in field.here and number not in field.gone,
                gone=field.gone.get(number, ""),
                time=("–" if best.last else str(best.total)) if best is not None else "",
                clock="" if best is None or best.last else clock_text(best.clock),
                table=str(at or ""),
                grid=say("grid", place=place) if place else "",
            )
        )
    standing = len(field.standing)
    return EntrantsShown(
        subtitle=say("subtitle", name=record.name, count=standing, clubs=len(field.teams())),
        found=say("begin", count=len(rows), of=standing, typed=typed) if typed else say("all", count=len(rows)),
        rows=tuple(rows),
        here=len(field.racing),
        of=standing,
        missing=standing - len(field.racing),
        free=_free(typed, field.entrants),
        undo=undoing(record, words, lambda act: _undone(act, words)),
    )


def _begins(typed: str, number: int, name: str, team: str) -> bool:
    if typed.isdecimal() or not typed:
        return str(number).startswith(typed)
    return any(_plain(word).startswith(_plain(typed)) for word in (*name.split(), *team.split()))


def _plain(word: str) -> str:
    return "".join(one for one in unicodedata.normalize("NFKD", word.casefold()) if not unicodedata.combining(one))


def _free(typed: str, taken: Collection[int]) -> tuple[int, ...]:
    """The first numbers that are free and begin so."""
    start = typed if typed.isdecimal() else ""
    return tuple(n for n in range(1, 1000) if n not in taken and str(n).startswith(start))[:3]


def _undone(act: Act, words: Words) -> str:
    """An act of one entrant has his number before it."""
    numbers: tuple[int, ...] = getattr(act, "numbers", ())
    return f"{numbers[0]} · {of_kind(act, words)}" if len(numbers) == 1 else ""
