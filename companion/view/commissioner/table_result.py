"""The result of a table: the order, whose log it comes from, and who makes it official."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal

import msgspec

from companion.rules.conversation.asking import Json
from companion.sheets.wall_clock import hour
from companion.tournament.record import same
from companion.tournament.results import Corrected, Line, given, moved
from companion.tournament.season import Season
from companion.tournament.standings import climbed
from companion.tournament.tournament import Tournament
from companion.view.commissioner.acts import TakeBack, take_back
from companion.view.commissioner.standings import at_table, cause_text, circuit_name, plates
from companion.view.shown import Key, Plate, Shown
from companion.wording import Words

MANY: Final = 3
"""How many moves are told one by one."""
NOBODY: Final = Plate(number=0, place=0)
"""The plate of a bot."""
State = Literal["to_come", "entered", "official"]


class TableLine(Shown, frozen=True, kw_only=True):
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
    scale: tuple[int, ...]
    """The points of each place."""
    causes: tuple[Key, ...]
    """What somebody may be out by; none comes first."""
    digest: str
    entries: str
    first: str
    first_at: str
    people: tuple[Person, ...]
    official_by: str
    overtaken: str
    """Who had made official what was corrected since and is not official again."""
    steward: str | None
    """Who stands between this table and the organiser, "" as long as nobody is named; a season's races have none."""
    undo: TakeBack
    places_retired: bool = False
    """Whether the rulebook of the race gives a retired driver a place, and its points."""
    away: tuple[int, ...] = ()
    """Who has a seat at a table that is to come, and has gone since."""
    late: tuple[tuple[int, str], ...] = ()
    """Who is here and has no seat in the round, by number and name: he can sit down at this table."""


def table_result(record: Tournament | Season, words: Words, key: str) -> TableShown:
    """A table of a round, such as 1.3, or a race of a season."""

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
        late, away = record.late(int(number)), record.left(key)
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
    waiting = (*(Line(driver, place) for place, driver in enumerate(racing, 1)), *map(Line, away))
    lines = filed.lines if filed is not None else waiting
    rows = []
    for line in lines:
        row = TableLine(number=line.driver, plate=coloured.get(line.driver, NOBODY), name=names.get(line.driver, ""),
                        grid=str(line.grid or places.get(line.driver) or ""))  # fmt: skip
        if filed is not None:
            row = told(row, line, scale, words, filed.by_hand(line.driver))
        elif line.driver in away:
            row = msgspec.structs.replace(row, note=words.screen("arranging.missing"), out=True)
        rows.append(row)
    version = filed.versions[-1].signed if filed is not None else None
    first = version.by if version is not None else ""
    people = []
    for row in rows:
        if not row.number or (first and same(row.name, first)):
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
        scale=tuple(scale),
        causes=causes(lines, words),
        digest=" ".join(digest[at : at + 4] for at in range(0, len(digest), 4)),
        entries=say("entries", count=filed.log.entries, table=filed.log.table) if filed and filed.log else "",
        first=words.signer(first),
        first_at=hour(version.at) if version is not None else "",
        people=tuple(people[:3]),
        steward=steward,
        places_retired=record.places_retired(key),
        away=tuple(away) if filed is None else (),
        official_by=words.signer(filed.confirmed.by) if filed is not None and filed.confirmed is not None else "",
        overtaken=words.signer(filed.overtaken.by) if filed is not None and filed.overtaken is not None else "",
        undo=take_back(record, words),
        late=tuple((driver, names[driver]) for driver in late),
    )


def told(row: TableLine, line: Line, scale: Sequence[int], words: Words, by: str = "") -> TableLine:
    """A driver's line with what a result says of him; points by hand say so, and `by` whom."""
    out = line.place is None
    said = []
    if cause := cause_text(line.cause, words) if line.cause else "":
        said.append(words.screen("table.round", round=line.round, cause=cause) if line.round else cause)
    elif out and line.round:
        said.append(words.screen("table.round", round=line.round))
    elif line.laps:
        said.append(words.screen("table.lap", lap=line.laps))
    if line.points is not None:
        said.append(words.screen("table.by_hand", by=by))
    return msgspec.structs.replace(
        row,
        name=line.bot or row.name,
        place="–" if out else str(line.place),
        note=", ".join(said),
        article=line.article if line.cause else "",
        points=str(line.scored(scale)),
        out=out,
    )


def causes(lines: Sequence[Line], words: Words) -> tuple[Key, ...]:
    """What somebody may be out by, and what those lines say besides; nothing at all comes first."""
    found = dict.fromkeys([*filter(None, words.table["cause"]), *(line.cause for line in lines if line.cause)])
    return (Key(answer="", label="–"), *(Key(answer=cause, label=cause_text(cause, words)) for cause in found))


def consequences(record: Tournament | Season, act: Corrected, words: Words) -> str:
    """What a correction changes: places and points by hand in this result, places in the standings, and the grid of
    the next race. Raises BadEntry if it cannot be."""
    after = record.after(act)
    said = differences(record.results[act.race].lines, act.lines, record.scale(act.race), words)
    climbs = [
        words.screen("table.moves", car=one.who, was=one.was, now=one.now)
        for one in climbed(record.standings(), after.standings())
    ]
    if climbs:
        said.append(words.screen("table.climbs", moves=", ".join(climbs[:MANY]), more=max(0, len(climbs) - MANY)))
    if isinstance(record, Season) and record.turns_grid(act):
        said.append(words.screen("table.turns"))
    if isinstance(record, Season) and record.leaves_grid(act):
        said.append(words.screen("table.leaves"))
    if isinstance(record, Tournament) and (dealt := record.dealt_otherwise(act)) is not None:
        said.append(words.screen("table.dealt", round=dealt.number, published=dealt.published is not None))
    return " ".join(said)


def differences(was: Sequence[Line], now: Sequence[Line], scale: Sequence[int], words: Words) -> list[str]:
    """Whose place and whose points by hand are other ones than they were, each kind a sentence."""
    found = []
    if moves := moved(was, now):
        said = [words.screen("table.moves", car=move.driver, was=move.was or 0, now=move.now or 0) for move in moves]
        found.append(words.screen("table.places", moves=", ".join(said[:MANY]), more=max(0, len(said) - MANY)))
    points = [{line.driver: line.scored(scale) for line in lines} for lines in (was, now)]
    if said := [
        words.screen("table.gives", car=one.driver, was=points[0][one.driver], now=points[1][one.driver])
        for one in given(was, now)
    ]:
        found.append(words.screen("table.given", moves=", ".join(said)))
    return found
