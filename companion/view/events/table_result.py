"""A table's result: the order, the log it comes from, and its signatures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, Literal

import msgspec

from companion.rules.conversation.asking import Json
from companion.sheets.wall_clock import hour
from companion.tournament.record import RACE_CONTROL, same
from companion.tournament.results import ResultCorrected, ResultLine, place_changes, points_changes
from companion.tournament.season import Season
from companion.tournament.standings import climbed
from companion.tournament.tournament import Tournament
from companion.view.citing import listed
from companion.view.events.acts import TakeBack, take_back
from companion.view.events.standings import (
    at_table,
    cause_text,
    circuit_name,
    driver_cells,
    driver_name,
    plates,
    result_cause,
)
from companion.view.listing import Cell, CellValue, Listing, make_listing
from companion.view.shown import AnswerKey, Plate, ViewModel
from companion.wording import Words

MAX_MOVES: Final = 3
"""Number of moves told one by one."""
NOBODY: Final = Plate(number=0, place=0)
"""Plate of a bot."""
State = Literal["to_come", "entered", "official"]


class TableLine(ViewModel, frozen=True, kw_only=True):
    """A driver's line."""

    number: int
    plate: Plate
    name: str
    grid: str
    place: str = ""
    note: str = ""
    article: str = ""
    points: str = ""
    out: bool = False


class Person(ViewModel, frozen=True, kw_only=True):
    """A person who may confirm the result."""

    name: str
    note: str


class TableShown(ViewModel, frozen=True, kw_only=True):
    """The result screen of a table or race."""

    key: str
    at: str
    """Number of the table, or of the race."""
    title: str
    subtitle: str
    state: State
    rows: tuple[TableLine, ...]
    lines: tuple[ResultLine, ...]
    scale: tuple[int, ...]
    """Points of each place."""
    causes: tuple[AnswerKey, ...]
    """Causes of a retirement to choose from; none comes first."""
    digest: str
    entries: str
    first: str
    first_at: str
    people: tuple[Person, ...]
    by_control: bool
    """True if race control entered the result, and so cannot confirm it."""
    official_by: str
    overtaken: str
    """Person who made an earlier result official, if it was corrected since and is not official again."""
    steward: str | None
    """Steward between this table and the organiser, "" if nobody is named; None for a season's race."""
    undo: TakeBack
    places_retired: bool = False
    """True if the rulebook of the race gives a retired driver a place, with its points."""
    away: tuple[int, ...] = ()
    """Drivers with a seat at a future table who have left."""
    late: tuple[tuple[int, str], ...] = ()
    """Drivers who are present without a seat in the round, by number and name: they can sit down at this table."""


def classification_listing(record: Tournament | Season, words: Words, key: str) -> Listing:
    """Return the current result of a table or race. Raises BadEntry without one."""
    coloured = plates(record)
    rows: list[list[CellValue]] = []
    for line in record.results[key].lines:
        number = line.driver
        driver = driver_cells(record, number, coloured[number], key) if number else ["", line.bot, ""]
        place, cause, points = result_cells(line, record.scale(key), words)
        rows.append([place, *driver, line.grid or "", cause, line.round or "", points])
    if isinstance(record, Season):
        under = words.say("org_race", race=key, track=circuit_name(record.stages[int(key)].track))
    else:
        under = words.say("org_table", table=key)
    columns = ("place", "number", "driver", "team", "grid", "cause", "round", "points")
    return make_listing("classification", words, columns, rows, name=record.name, under=under)


def result_cells(line: ResultLine, scale: Sequence[int], words: Words) -> tuple[Cell, Cell, Cell]:
    """Return place, cause (with its article as a note) and points; a bot's place scores for nobody."""
    place, out = str(line.place), Cell(text=words.word("listing", "out"), brief="–", marks=("out",))
    said = cause_text(line.cause, words) if line.cause else ""
    points = line.scored(scale)
    return (
        Cell(text=place, value=line.place, brief=place) if line.place is not None else out,
        Cell(text=result_cause(line, words), brief=said, note=listed(line.article, words) if said else ""),
        Cell(text=str(points), value=points) if line.driver else Cell(),
    )


def table_result(record: Tournament | Season, words: Words, key: str) -> TableShown:
    """Return the result of a tournament table, such as "1.3", or of a season's race."""

    def say(where: str, **facts: Json) -> str:
        return words.screen(f"table.{where}", **facts)

    number, _, at = key.partition(".")
    if isinstance(record, Tournament):
        round_ = record.round(int(number))
        grid = seated = record.seated(key)
        coloured, title = at_table(record, seated), say("title", table=at)
        subtitle = say("subtitle", name=record.name, final=round_.final, round=int(number),
                       circuit=circuit_name(round_.track))  # fmt: skip
        steward: str | None = record.stewards.get(key, "")
        late, away = record.late(int(number)), record.withdrawn_from(key)
    else:
        race = record.race(int(number))
        grid = tuple(record.grid(race.number) or ())
        seated = grid or tuple(record.drivers(race.number))
        coloured, title, at = plates(record), say("title_race", race=race.number), ""
        subtitle = f"{record.name}, {circuit_name(race.stage.track)}"
        steward, late, away = None, [], []
    names, scale = record.names, record.scale(key)
    filed = record.results.filed.get(key)
    state: State = "to_come" if filed is None else "official" if filed.official else "entered"
    racing = [driver for driver in seated if driver not in away]
    places = {driver: place for place, driver in enumerate(racing, 1)} if grid and filed is None else {}
    waiting = (*(ResultLine(driver, place) for place, driver in enumerate(racing, 1)), *map(ResultLine, away))
    lines = filed.lines if filed is not None else waiting
    rows = []
    for line in lines:
        name = driver_name(record, line.driver, key) if line.driver in names else ""
        row = TableLine(number=line.driver, plate=coloured.get(line.driver, NOBODY), name=name,
                        grid=str(line.grid or places.get(line.driver) or ""))  # fmt: skip
        if filed is not None:
            row = with_result(row, line, scale, words, filed.by_hand(line.driver))
        elif line.driver in away:
            row = msgspec.structs.replace(row, note=words.screen("arranging.missing"), out=True)
        rows.append(row)
    version = filed.versions[-1].signed if filed is not None else None
    first = version.by if version is not None else ""
    by_control = same(first, RACE_CONTROL)
    people = []
    for row in rows:
        if not row.number:
            continue
        name = record.driver(int(key), row.number) if isinstance(record, Season) else row.name
        if first and same(name, first):
            continue
        placed = row.place.isdecimal()
        note = say("at_place", place=int(row.place), table=at) if placed else say("out_place", table=at)
        people.append(Person(name=name, note=note))
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
        scale=tuple(scale),
        causes=causes(lines, words),
        digest=" ".join(digest[at : at + 4] for at in range(0, len(digest), 4)),
        entries=say("entries", count=filed.log.entries, table=filed.log.table) if filed and filed.log else "",
        first=say("control") if by_control else words.signer(first),
        first_at=hour(version.at) if version is not None else "",
        people=tuple(people[:3]),
        by_control=by_control,
        steward=steward,
        places_retired=record.places_retired(key),
        away=tuple(away) if filed is None else (),
        official_by=words.signer(filed.confirmed.by) if filed is not None and filed.confirmed is not None else "",
        overtaken=words.signer(filed.overtaken.by) if filed is not None and filed.overtaken is not None else "",
        undo=take_back(record, words),
        late=tuple((driver, names[driver]) for driver in late),
    )


def with_result(row: TableLine, line: ResultLine, scale: Sequence[int], words: Words, by: str = "") -> TableLine:
    """Add a driver's result to a line.

    `by` is who set points by hand.
    """
    place, cause, points = result_cells(line, scale, words)
    said = []
    if cause.brief:
        said.append(words.screen("table.round", round=line.round, cause=cause.brief) if line.round else cause.brief)
    elif line.place is None and line.round:
        said.append(words.screen("table.round", round=line.round))
    elif line.laps:
        said.append(words.screen("table.lap", lap=line.laps))
    if line.points is not None:
        said.append(words.screen("table.by_hand", by=words.signer(by)))
    return msgspec.structs.replace(
        row,
        name=line.bot or row.name,
        place=place.brief,
        note=", ".join(said),
        article=cause.note,
        points=points.text,
        out="out" in place.marks,
    )


def causes(lines: Sequence[ResultLine], words: Words) -> tuple[AnswerKey, ...]:
    """Return the causes to choose from, starting with none.

    Causes typed in `lines` are included.
    """
    found = dict.fromkeys([*filter(None, words.table["cause"]), *(line.cause for line in lines if line.cause)])
    return (
        AnswerKey(answer="", label="–"),
        *(AnswerKey(answer=cause, label=cause_text(cause, words)) for cause in found),
    )


def consequences(record: Tournament | Season, act: ResultCorrected, words: Words) -> str:
    """Return what a correction changes.

    Places and hand-set points in this result, places in the standings, and the next grid. Raises BadEntry if the
    correction is invalid.
    """
    after = record.after(act)
    was, names = record.results[act.race].lines, record.names
    said = differences(was, act.lines, record.scale(act.race), names, words)
    climbs = [
        words.screen("table.moves", who=_name(one.who, names), was=one.was, now=one.now)
        for one in climbed(record.standings(), after.standings())
    ]
    if climbs:
        said.append(
            words.screen("table.climbs", moves=", ".join(climbs[:MAX_MOVES]), more=max(0, len(climbs) - MAX_MOVES))
        )
    if isinstance(record, Season) and record.turns_grid(act):
        said.append(words.screen("table.turns"))
    if isinstance(record, Season) and record.leaves_grid(act):
        said.append(words.screen("table.leaves"))
    if isinstance(record, Tournament) and (dealt := record.dealt_otherwise(act)) is not None:
        said.append(words.screen("table.dealt", round=dealt.number, published=dealt.published is not None))
    return " ".join(said)


def _name(who: int | str, names: Mapping[int, str]) -> str:
    """Return the name of a driver or a team."""
    return names[who] if isinstance(who, int) else who


def differences(
    was: Sequence[ResultLine], now: Sequence[ResultLine], scale: Sequence[int], names: Mapping[int, str], words: Words
) -> list[str]:
    """Return the changed places and hand-set points, one sentence for each kind."""
    found = []
    if moves := place_changes(was, now):
        said = [
            words.screen("table.moves", who=names[move.driver], was=move.was or 0, now=move.now or 0) for move in moves
        ]
        found.append(
            words.screen("table.places", moves=", ".join(said[:MAX_MOVES]), more=max(0, len(said) - MAX_MOVES))
        )
    points = [{line.driver: line.scored(scale) for line in lines} for lines in (was, now)]
    if said := [
        words.screen("table.gives", who=names[one.driver], was=points[0][one.driver], now=points[1][one.driver])
        for one in points_changes(was, now)
    ]:
        found.append(words.screen("table.given", moves=", ".join(said)))
    return found
