"""The race sheet in pages: the result, the log, each car, the charts, and people's words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, Literal

import msgspec

from companion.rules.circuit.track import Track
from companion.rules.conversation.asking import Json, Ruling
from companion.rules.conversation.errors import CompanionError
from companion.rules.conversation.kinds import Pool, in_order
from companion.rules.dice.order import teams_of
from companion.rules.ninety.ninety import Ninety
from companion.rules.rulebooks import RULEBOOKS
from companion.sheets import entrants
from companion.sheets.acts import Item, Statement, person
from companion.sheets.car_extras import of_car
from companion.sheets.history import History
from companion.sheets.replay import circuit
from companion.sheets.sheet import Amended, CarSheet, Crossing, Place, RaceSheet, Word
from companion.sheets.wall_clock import moment
from companion.view.brought import apart, shortened, tone_of
from companion.view.citing import cited, figure_name, listed
from companion.view.pages.after import Curves, Grid, topics
from companion.view.seats.programs import handed_over
from companion.view.shown import Plate, Price, Shown, Tone
from companion.wording import Words, capital
from companion.wording.filling import Names

PageName = Literal["result", "car", "after", "log", "words"]
PAGES: Final[tuple[PageName, ...]] = ("result", "car", "after", "log", "words")


class ResultRow(Shown, frozen=True, kw_only=True):
    """A row of the classification; the one `of_team` has the plates of its other cars as `mates`, and its drivers in
    place of the `team`."""

    place: str
    plate: Plate
    name: str
    team: str
    laps: str
    points: str
    note: str = ""
    out: bool = False
    of_team: bool = False
    mates: tuple[Plate, ...] = ()


class SheetHead(Shown, frozen=True, kw_only=True):
    """What stands above every page."""

    title: str
    subtitle: str
    over: bool
    cars: tuple[Plate, ...]
    pages: tuple[tuple[str, str], ...]


class SheetShown(Shown, frozen=True, kw_only=True):
    """One page of a race's sheet; what belongs to another page is empty."""

    head: SheetHead
    page: PageName
    rulebook: str
    car: CarPage | None = None
    chart: Chart | None = None
    log: tuple[LogRow, ...] = ()
    words: tuple[WordRow, ...] = ()
    teams: tuple[ResultRow, ...] = ()
    result: tuple[ResultRow, ...] = ()
    after: tuple[Curves | Grid, ...] = ()


def page(
    sheet: RaceSheet,
    history: History,
    words: Words,
    *,
    name: PageName | None = None,
    car: int | None = None,
    show: Filter = "all",
    laps: bool = False,
    two: Sequence[int] = (),
) -> SheetShown:
    """A page of a race's sheet: of PAGES, the result or else a car if none is named. `car` is the car that is looked
    at, `show` one of FILTERS for the log, `laps` asks for the chart by laps instead of rounds, and
    `two` for what is seen afterwards of some cars alone."""
    name = name or ("result" if sheet.result is not None else "car")
    setup = history.beginning.setup if history.beginning is not None else {}
    grid = [one["car"] for one in setup.get("cars", []) if sheet.car(one["car"]) is not None]
    grid += [one.car for one in sheet.cars if one.car not in grid]  # whoever joined of itself
    plates = {number: place for place, number in enumerate(grid)} | entrants.plates(setup)
    if car is None or sheet.car(car) is None:
        car = grid[0]
    track = _track(sheet, history)
    shown = SheetShown(head=head(sheet, history, plates, words, name), page=name, rulebook=sheet.rulebook)
    replace = msgspec.structs.replace
    if name == "car":
        chart = lap_chart(sheet, history, plates, words) if laps else order_chart(sheet, plates, words)
        distance = setup.get("laps")
        whole = distance if isinstance(distance, int) and not by_turns(sheet.rulebook) else 0
        return replace(shown, car=car_page(sheet, car, plates, words, whole), chart=chart)
    if name == "after":
        return replace(shown, after=tuple(topics(sheet, history, plates, track, words, two)))
    if name == "log":
        return replace(shown, log=tuple(log_rows(sheet, history, plates, words, show=show, car=car)))
    if name == "words":
        return replace(shown, words=tuple(word_rows(sheet, words)))
    teams = tuple(team_rows(sheet, plates, words))
    return replace(shown, teams=teams, result=tuple(result_rows(sheet, plates, words)))


def head(sheet: RaceSheet, history: History, plates: Mapping[int, int], words: Words, page: str = "") -> SheetHead:
    """The title of a race's sheet, its cars, and its pages by name and word."""
    shown = [name for name in PAGES if name != "result" or sheet.result is not None]
    facts = [_circuit(sheet.track, history)]
    if sheet.begun:
        facts.append(words.screen("sheet.begun", at=moment(sheet.begun)))
    facts += [figure_name(switch, words) for switch in sheet.variants]
    return SheetHead(
        title=words.screen("sheet.title") if page == "car" else sheet.name or sheet.track,
        subtitle=" · ".join(facts),
        over=sheet.result is not None,
        cars=tuple(plate_of(number, plates) for number in plates),
        pages=tuple((name, words.screen(f"sheet.page.{name}")) for name in shown),
    )


def _track(sheet: RaceSheet, history: History) -> Track | None:
    """The circuit as it was when the race began, where it is one of spaces or corners and can be read."""
    try:
        found = circuit(history.beginning.track if history.beginning is not None else "", sheet.track)
    except CompanionError:
        return None
    return found if isinstance(found, Track) else None


def _circuit(key: str, history: History) -> str:
    """The circuit by the name that it had when the race began; by its key where the log has no circuit."""
    try:
        return circuit(history.beginning.track if history.beginning is not None else "", key).name
    except CompanionError:
        return key.rpartition("/")[2].removesuffix(".toml")


def result_rows(sheet: RaceSheet, plates: Mapping[int, int], words: Words) -> list[ResultRow]:
    """The classification; none while the race goes on."""
    rows = []
    for row in sheet.result or []:
        number: Json = row["car"]
        car = sheet.car(number)
        cause = words.word("cause", row["cause"]) if row.get("cause") else ""
        gone = car.retired if car is not None else None
        note = f"{cause}, {words.say('round', round=gone.round)}" if cause and gone is not None else cause
        rows.append(
            ResultRow(
                place="–" if row["place"] is None else str(row["place"]),
                plate=plate_of(number, plates),
                name=car.driver if car is not None else "",
                team=car.team if car is not None else "",
                laps=words.say("laps", count=row["laps"]),
                points=str(row["points"]) if row["points"] else "",
                note=note,
                out=row["place"] is None,
            )
        )
    return rows


def team_rows(sheet: RaceSheet, plates: Mapping[int, int], words: Words) -> Iterator[ResultRow]:
    """The classification of the teams, where the race was for teams."""
    names = names_of(sheet)
    for one in teams_of(sheet.result or ()):
        first, *mates = (plate_of(car, plates) for car in one.cars)
        drivers = " · ".join(words.number(car, names) for car in one.cars)
        yield ResultRow(
            place=str(one.place), plate=first, of_team=True, mates=tuple(mates), name=one.team, team=drivers, laps="",
            points=str(one.points) if one.points else "",
        )  # fmt: skip


# -- the log of the race sheet: what was ruled and said, as one of its filters shows it

Filter = Literal["all", "cost", "car", "people"]
FILTERS: Final[tuple[Filter, ...]] = ("all", "cost", "car", "people")
"""What the log shows: everything, what cost points, one car's, people's words."""
_REMARK_ICONS: Final = {
    "dispute": "flag",
    "uphold": "check",
    "handover": "person",
    "delete": "trash",
    "restore": "undo",
    "rename": "edit",
}
_BARE: Final = frozenset({"box", "build", "grid", "reminder", "round"})
"""Rulings that the log passes over, because the rows around them say it."""


class LogRow(Shown, frozen=True, kw_only=True):
    """One line of the log: a ruling, a value set, a note. `seq` is the entry, `n` the answer (for a correction);
    `price` is what it cost, where the sentence does not say it in its midst."""

    n: int
    seq: int
    round: str
    text: str
    article: str
    cited: str = ""
    plate: Plate | None = None
    tone: Tone = "plain"
    icon: str = ""
    by: str = ""
    price: str = ""


def log_rows(
    sheet: RaceSheet,
    history: History,
    plates: Mapping[int, int],
    words: Words,
    *,
    show: Filter = "all",
    car: int | None = None,
) -> list[LogRow]:
    """What was ruled and said, the latest first, as one of FILTERS has it; `car` is the car of the filter "car"."""
    names = names_of(sheet)
    rows: list[LogRow] = []
    round_ = 0
    remarks = {said.n: [one for one in history.said if one.n == said.n] for said in history.said}
    for n, item in enumerate(history.items):
        rows += _remarks(remarks.pop(n, []), show, round_, names, words)
        round_ = item.event.key[2] if item.event.key is not None else round_
        rows += _rulings(n, item, round_, plates, names, words, show=show, car=car)
    for left in remarks.values():
        rows += _remarks(left, show, round_, names, words)
    return rows[::-1]


def _rulings(
    n: int, item: Item, round_: int, plates: Mapping[int, int], names: Names, words: Words, *, show: Filter,
    car: int | None,
) -> Iterator[LogRow]:  # fmt: skip
    word = item.event.change is not None or item.event.forced
    why = f" ({item.why})" if word and item.why else ""
    for ruling in item.rulings:
        if ruling.kind in _BARE and show != "all" and not word:
            continue
        if show == "cost" and not any(points < 0 for points in ruling.wear.values()) and ruling.kind != "out":
            continue
        if show == "car" and ruling.car != car:
            continue
        if show == "people" and not word:
            continue
        text, price = apart(ruling, words, names)
        yield LogRow(
            n=n,
            seq=item.seq,
            round=round_of(round_, words) if round_ else "–",
            text=text + why,
            price=price,
            article=ruling.article,
            cited=cited(ruling.article, words),
            plate=plate_of(ruling.car, plates) if ruling.car is not None else None,
            tone=tone_of(ruling),
            icon="star" if word else "",
            by=item.by if word and person(item.by) else "",
        )


def _remarks(said: Sequence[Statement], show: Filter, round_: int, names: Names, words: Words) -> Iterator[LogRow]:
    if show not in ("all", "people"):
        return
    for one in said:
        yield LogRow(
            n=one.n, seq=one.seq, round=round_of(round_, words) if round_ else "–", text=_remark(one, names, words),
            article="", tone="info", icon=_REMARK_ICONS.get(one.kind, "edit"), by=one.by,
        )  # fmt: skip


def _remark(said: Statement, names: Names, words: Words) -> str:
    """What a person said; a dispute, and the word that its ruling stands, with the entry that it is about; who drives
    from there on."""
    if (seat := said.handover) is not None:
        told = handed_over(words, seat.car, seat.program, seat.rolls, names)
        return f"{told} ({said.text})" if said.text else told
    if said.kind in ("delete", "restore"):
        return words.screen(f"sheet.{said.kind}d")
    if said.kind == "rename":
        return words.screen("sheet.renamed", name=said.text)
    if said.kind == "uphold":
        return words.screen("sheet.dispute", entry=said.about, outcome="upheld")
    if said.about is None:
        return said.text
    about = words.screen("sheet.dispute", entry=said.about, outcome="")
    return f"{about}{words.say('colon')}{said.text}"


# -- one car's page of the race sheet: every wear point, and why points were crossed off


class Box(Shown, frozen=True, kw_only=True):
    """One wear point on the sheet: left, the last one left, crossed off in a round, or given back at the pits."""

    state: Literal["left", "last", "spent", "repaired"]
    word: str = ""


class PoolLine(Shown, frozen=True, kw_only=True):
    """One pool of a car: its boxes and the count."""

    pool: Pool
    name: str
    boxes: tuple[Box, ...]
    left: int
    built: int


class WhyLine(Shown, frozen=True, kw_only=True):
    """Why points were crossed off or given back: the round, the pool and points, the reason, the article."""

    round: str
    pool: Pool | Literal[""]
    points: str
    text: str
    article: str
    cited: str = ""
    tone: Tone = "warn"
    seq: int = 0


class CarPage(Shown, frozen=True, kw_only=True):
    """One car's sheet."""

    plate: Plate
    name: str
    facts: str
    pools: tuple[PoolLine, ...]
    why: tuple[WhyLine, ...]
    chips: tuple[Price, ...] = ()


def car_page(sheet: RaceSheet, number: int, plates: Mapping[int, int], words: Words, laps: int = 0) -> CarPage:
    """The sheet of one car, in a race of so many laps if that is not 0; raises KeyError if it is not in the race."""
    car = sheet.car(number)
    if car is None:
        raise KeyError(number)
    names = names_of(sheet)
    last = next(iter(running(car)[::-1]), None)
    facts = []
    if last is not None and last.place is not None:
        facts.append(words.screen("sheet.position", place=last.place))
    if last is not None:
        facts.append(words.screen("sheet.lap", lap=min(max(last.lap, 0), laps or last.lap), laps=laps))
        facts.append(words.screen("sheet.round", round=last.round))
    if car.tyres:
        facts.append(words.say("tyres_are", tyres=car.tyres))
    facts += of_car(words, car.more, {}, car.car)
    facts += [card for line in sheet.rounds[-1:] if (card := line.more.get("street", {}).get(str(number)))]
    chips = []
    if car.status not in ("", "racing", "grid"):
        tone: Tone = "bad" if car.status in ("out", "wreck", "spun") else "info"
        chips.append(Price(text=words.word("status", car.status), tone="ok" if car.status == "finished" else tone))
    why = [_why(car, crossing, names, words) for crossing in reversed(car.crossings)]
    if car.retired is not None:
        gone = car.retired
        why.insert(0, WhyLine(
            round=round_of(gone.round, words), pool="", points="", text=capital(words.word("cause", gone.cause)),
            article=gone.article, cited=listed(gone.article, words), tone="bad", seq=gone.seq,
        ))  # fmt: skip
    return CarPage(
        plate=plate_of(number, plates),
        name=car.driver,
        facts=" · ".join(facts),
        pools=tuple(_pool(car, pool, words) for pool in in_order(car.built)),
        why=tuple(why),
        chips=tuple(chips),
    )


def _pool(car: CarSheet, pool: Pool, words: Words) -> PoolLine:
    built, left = car.built.get(pool, 0), car.wear.get(pool, 0)
    return PoolLine(
        pool=pool,
        name=words.word("pool", pool).capitalize(),
        boxes=tuple(_boxes(car, pool, words)),
        left=left,
        built=built,
    )


def _boxes(car: CarSheet, pool: Pool, words: Words) -> Iterator[Box]:
    """The boxes of a pool as the sheet has them: those left first, then those crossed off, each with its round.

    A point given back at the pits is left again; it stands out from those that were never lost.
    """
    built, left = car.built.get(pool, 0), car.wear.get(pool, 0)
    spent: list[int] = []
    repaired = 0
    for crossing in car.crossings:
        if crossing.pool != pool:
            continue
        if crossing.points < 0:
            spent += [crossing.round] * -crossing.points
            repaired = min(repaired, crossing.left)
        else:
            del spent[max(0, len(spent) - crossing.points) :]
            repaired += crossing.points
    for place in range(left):
        if left == 1 and built > 1:
            yield Box(state="last")
        else:
            yield Box(state="repaired" if place >= left - repaired else "left")
    gone = max(0, built - left)
    for round_ in sorted(spent)[-gone:] if gone else []:
        yield Box(state="spent", word=round_of(round_, words))
    for _ in range(gone - len(spent)):
        yield Box(state="spent")


def _why(car: CarSheet, crossing: Crossing, names: Names, words: Words) -> WhyLine:
    lost = crossing.points < 0
    return WhyLine(
        round=round_of(crossing.round, words),
        pool=crossing.pool,
        points=f"{'−' if lost else '+'}{abs(crossing.points)}",
        text=_reason(car, crossing, names, words),
        article=crossing.article,
        cited=listed(crossing.article, words),
        tone="warn" if lost else "ok",
        seq=crossing.seq,
    )


def _reason(car: CarSheet, crossing: Crossing, names: Names, words: Words) -> str:
    """The sentence of the ruling, without the car's name, which stands above, and the points, which stand beside."""
    if crossing.kind == "override" or crossing.kind == "correction":
        kind = words.screen(f"sheet.{crossing.kind}")
        why = str(crossing.facts.get("why", ""))
        return f"{kind}{words.say('colon')}{why}" if why else kind
    ruling = Ruling(crossing.kind, crossing.article, car.car, {crossing.pool: crossing.points}, crossing.facts)
    return shortened(apart(ruling, words, names)[0], words.number(car.car, names))


# -- the charts of the race sheet: the order round by round, and lap by lap


class ChartLine(Shown, frozen=True, kw_only=True):
    """One car on a chart: (column, place) from the left; a place of 0 breaks the line, because it was out of the order.

    `end` is the place at which its plate stands beside the chart, 0 if it has none.
    """

    plate: Plate
    points: tuple[tuple[int, int], ...]
    end: int = 0


class Band(Shown, frozen=True, kw_only=True):
    """Columns of a chart in which the track was wet, with the word for it."""

    first: int
    last: int
    word: str
    icon: str


class Chart(Shown, frozen=True, kw_only=True):
    """Places down, rounds or laps across; `other` is what a tap shows in their stead."""

    title: str
    other: str
    columns: tuple[str, ...]
    places: int
    lines: tuple[ChartLine, ...]
    bands: tuple[Band, ...] = ()


def order_chart(sheet: RaceSheet, plates: Mapping[int, int], words: Words) -> Chart:
    """The place of each car when each round began, and how it stands now."""
    rounds = sheet.rounds
    lines = []
    for car in sheet.cars:
        places = {place.round: place.place or 0 for place in running(car)}
        points = tuple((column, places.get(line.round, 0)) for column, line in enumerate(rounds))
        end = points[-1][1] if points else 0
        lines.append(ChartLine(plate=plate_of(car.car, plates), points=points, end=end))
    return Chart(
        title=words.screen("sheet.order"),
        other=words.screen("sheet.to_laps"),
        columns=tuple(round_of(line.round, words) for line in rounds),
        places=len(sheet.cars),
        lines=tuple(lines),
        bands=tuple(_bands(sheet, words)),
    )


def _bands(sheet: RaceSheet, words: Words) -> Iterator[Band]:
    """The stretches of rounds on a wet track."""
    first: int | None = None
    rounds = sheet.rounds
    for column, line in enumerate([*rounds, None]):
        wet = line is not None and line.surface == "wet"
        if wet and first is None:
            first = column
        elif not wet and first is not None:
            word = words.screen("sheet.wet_from", round=rounds[first].round)
            yield Band(first=first, last=column - 1, word=word, icon="rain")
            first = None


def lap_chart(sheet: RaceSheet, history: History, plates: Mapping[int, int], words: Words) -> Chart:
    """The order in which the cars crossed the line at the end of each lap; the first column is the grid."""
    grid = sheet.rounds[0].order if sheet.rounds else [car.car for car in sheet.cars]
    crossed: dict[int, list[int]] = {0: grid}
    for item in history.items:
        for ruling in item.rulings:
            lap = _lap_ended(ruling, crossed)
            if lap and ruling.car is not None and ruling.car not in crossed.setdefault(lap, []):
                crossed[lap].append(ruling.car)
    laps = [lap for lap in sorted(crossed) if crossed[lap]]
    lines = []
    for car in sheet.cars:
        points = tuple(
            (column, crossed[lap].index(car.car) + 1 if car.car in crossed[lap] else 0)
            for column, lap in enumerate(laps)
        )
        lines.append(ChartLine(plate=plate_of(car.car, plates), points=points, end=points[-1][1] if points else 0))
    columns = tuple(
        words.screen("sheet.grid") if lap == 0 else words.screen("sheet.lap_short", lap=lap) for lap in laps
    )
    title, other = words.screen("sheet.laps"), words.screen("sheet.to_rounds")
    return Chart(title=title, other=other, columns=columns, places=len(sheet.cars), lines=tuple(lines))


def _lap_ended(ruling: Ruling, crossed: Mapping[int, Sequence[int]]) -> int:
    """The lap that a car has ended by a ruling; 0 if none: the first crossing from the grid begins the first lap, and
    a move that says its lap says how many are behind it."""
    if ruling.kind == "lap":
        return int(ruling.facts["lap"]) - 1
    if ruling.kind == "move" and "lap" in ruling.facts:
        return max(0, int(ruling.facts["lap"]))
    if ruling.kind == "finish" and "points" not in ruling.facts:
        done = [lap for lap, cars in crossed.items() if ruling.car in cars]
        return max(done, default=0) + 1
    return 0


# -- the page of people's words: overrides, corrections, notes and disputes


class WordRow(Shown, frozen=True, kw_only=True):
    """What a person said: an override, a correction, a note, a dispute, or who drives from there on."""

    seq: int
    n: int
    icon: str
    title: str
    text: str
    by: str
    tone: Tone = "plain"


def word_rows(sheet: RaceSheet, words: Words) -> list[WordRow]:
    """Overrides, corrections, notes, disputes and seats that went to another driver, the latest first."""
    names = names_of(sheet)
    rows = [_override(word, names, words) for word in sheet.overrides]
    rows += [_correction(one, names, words) for one in sheet.corrections]
    for remark in (*sheet.notes, *sheet.disputes):
        dispute = remark.about is not None
        facts: dict[str, Json] = {"entry": remark.about, "outcome": remark.outcome}
        title = words.screen("sheet.dispute", **facts) if dispute else words.screen("sheet.note")
        icon = "flag" if dispute else "edit"
        tone: Tone = "info" if dispute and not remark.outcome else "plain"
        rows.append(
            WordRow(seq=remark.seq, n=remark.n, icon=icon, title=title, text=remark.text, by=remark.by, tone=tone)
        )
    for one in sheet.handovers:
        title = handed_over(words, one.car, one.program, one.rolls, names)
        rows.append(WordRow(seq=one.seq, n=one.n, icon="person", title=title, text=one.why, by=one.by))
    return sorted(rows, key=lambda row: -row.seq)


def _override(word: Word, names: Names, words: Words) -> WordRow:
    if word.change is not None:
        said = words.change(word.change, names)
    else:
        said = words.undo_label(word.ask, word.car, word.answer, names)
    return WordRow(seq=word.seq, n=word.n, icon="star", title=said, text=word.why, by=word.by, tone="warn")


def _correction(one: Amended, names: Names, words: Words) -> WordRow:
    was = words.undo_label(one.ask, one.car, one.was, names)
    now = words.undo_label(one.ask, one.car, one.answer, names).partition(words.say("colon"))[2]
    fell = len(one.fell)
    stood = words.say("sheet_stood", fell=fell) if one.keep == "board" else ""
    then = stood or words.say("sheet_replayed", kept=one.kept, fell=fell)
    return WordRow(
        seq=one.seq, n=one.n, icon="undo", title=words.screen("sheet.corrected", was=was, now=now),
        text=f"{one.why}{words.say('colon')}{then}" if one.why else then, by=one.by, tone="warn",
    )  # fmt: skip


# -- what every page of a race sheet has: drivers, plates, rounds, and the rounds in which a car was running


def names_of(sheet: RaceSheet) -> dict[int, str]:
    """The drivers by car."""
    return {car.car: car.driver for car in sheet.cars}


def plate_of(car: int, plates: Mapping[int, int]) -> Plate:
    """A car's number plate."""
    return Plate(number=car, place=plates.get(car, 0))


def round_of(round_: int, words: Words) -> str:
    """A round in a letter and a number."""
    return words.screen("sheet.round_short", round=round_)


def by_turns(rulebook: str) -> bool:
    """Whether a race goes over so many turns, and not laps."""
    return rulebook in RULEBOOKS and issubclass(RULEBOOKS[rulebook], Ninety)


def running(car: CarSheet) -> list[Place]:
    """Where a car stood, round by round, as long as it was in the race."""
    return [place for place in car.places if place.status != "out"]
