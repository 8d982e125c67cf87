"""The result of a table: the order, whose log it comes from, and who makes it official."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from companion.rules.conversation.asking import Json
from companion.sheets.wall import hour
from companion.tournament.record import same
from companion.tournament.results import Line
from companion.tournament.season import Season
from companion.tournament.standings import points_of
from companion.tournament.tournament import Tournament
from companion.view.acts import TakeBack, take_back
from companion.view.shown import Plate, Shown
from companion.view.standings import at_table, circuit_name, plates
from companion.wording import Words

State = Literal["to_come", "entered", "official"]


class TableLine(Shown, frozen=True, kw_only=True):
    """A driver's line."""

    number: int
    place: str
    plate: Plate
    name: str
    note: str
    article: str
    grid: str
    points: str
    out: bool


class Person(Shown, frozen=True, kw_only=True):
    """Somebody who may confirm."""

    name: str
    note: str


class TableShown(Shown, frozen=True, kw_only=True):
    """All that the screen of a table shows."""

    key: str
    at: str
    """The number of the table, or of the race."""
    title: str
    subtitle: str
    state: State
    rows: tuple[TableLine, ...]
    lines: tuple[Line, ...]
    digest: str
    entries: str
    first: str
    first_at: str
    people: tuple[Person, ...]
    official_by: str
    steward: str | None
    """Who stands between this table and the organiser, "" as long as nobody is named; a season's races have none."""
    undo: TakeBack


def table_result(record: Tournament | Season, words: Words, key: str) -> TableShown:
    """A table of a round, such as 1.3, or a race of a season."""

    def say(where: str, **facts: Json) -> str:
        return words.screen(f"table.{where}", **facts)

    number, _, at = key.partition(".")
    if isinstance(record, Tournament):
        round_ = record.round(int(number))
        seated: Sequence[int] = record.seated(key)
        coloured, title = at_table(record, seated), say("title", table=at)
        subtitle = say("subtitle", name=record.name, final=round_.final, round=int(number),
                       circuit=circuit_name(round_.track))  # fmt: skip
        steward, scale = record.stewards.get(key, ""), record.begun.points
    else:
        race = record.race(int(number))
        seated = record.grid(race.number) or record.drivers(race.number)
        coloured, title, at = plates(record), say("title_race", race=race.number), ""
        subtitle = f"{record.name}, {circuit_name(race.stage.track)}"
        steward, scale = None, record.begun.points
    names = record.names
    filed = record.results.filed.get(key)
    state: State = "to_come" if filed is None else "official" if filed.official else "entered"
    places: dict[int, int] = {driver: place for place, driver in enumerate(seated, 1)}
    lines = filed.lines if filed is not None else tuple(Line(driver) for driver in seated)
    rows = []
    for line in lines:
        out = filed is not None and line.place is None
        cause = words.word("cause", line.cause) if line.cause in words.table["cause"] else line.cause
        note = say("round", round=line.round, cause=cause) if out and (line.round or cause) else ""
        note = note or (say("lap", lap=line.laps) if line.laps else "")
        rows.append(
            TableLine(
                number=line.driver,
                place=str(line.place) if line.place is not None else "" if filed is None else "–",
                plate=coloured[line.driver],
                name=names[line.driver],
                note=note,
                article=line.article if out else "",
                grid=str(line.grid or places.get(line.driver) or ""),
                points=str(points_of(line.place, scale)) if filed is not None else "",
                out=out,
            )
        )
    version = filed.versions[-1].signed if filed is not None else None
    first = version.by if version is not None else ""
    people = []
    for row in rows:
        if first and same(row.name, first):
            continue
        placed = row.place.isdecimal()
        note = say("at_place", place=int(row.place), table=at) if placed else say("out_place", table=at)
        people.append(Person(name=row.name, note=note))
    if steward and not same(steward, first):
        people.insert(0, Person(name=steward, note=say("title", table=at)))
    digest = filed.log.digest[:16] if filed is not None and filed.log is not None else ""
    return TableShown(
        key=key,
        title=title,
        subtitle=subtitle,
        at=at or number,
        state=state,
        rows=tuple(rows),
        lines=tuple(lines),
        digest=" ".join(digest[at : at + 4] for at in range(0, len(digest), 4)),
        entries=say("entries", count=filed.log.entries) if filed is not None and filed.log is not None else "",
        first=first,
        first_at=hour(version.at) if version is not None else "",
        people=tuple(people[:3]),
        steward=steward,
        official_by=filed.confirmed.by if filed is not None and filed.confirmed is not None else "",
        undo=take_back(record, words),
    )
