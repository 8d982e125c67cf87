"""The pages of the race sheet: result, log, cars, charts and remarks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, Literal

import msgspec

from companion.desk import Done
from companion.rules.circuit.track import Track
from companion.rules.conversation.asking import Ruling
from companion.rules.conversation.errors import CompanionError
from companion.rules.conversation.kinds import Pool, in_order
from companion.rules.dice.order import teams_of
from companion.rules.ninety.ninety import Ninety
from companion.rules.rulebooks import RULEBOOKS
from companion.sheets import entrants
from companion.sheets.acts import Item, Statement, person
from companion.sheets.build_sheet import item_rounds
from companion.sheets.car_extras import of_car
from companion.sheets.history import History
from companion.sheets.replay import circuit
from companion.sheets.sheet import Amended, CarSheet, Crossing, Place, RaceSheet, Remark, Word
from companion.sheets.wall_clock import moment
from companion.view.citing import cited, figure_name, listed
from companion.view.consequences import BARE, apart, shortened, tone_of
from companion.view.listing import Cell, Listing, make_listing
from companion.view.pages.after import Curves, Grid, topics
from companion.view.seats.programs import handed_over
from companion.view.setup.new_race import rulebook_name
from companion.view.shown import Plate, Price, Tone, ViewModel
from companion.view.worded import BoardWords
from companion.wording import Words, capital
from companion.wording.filling import Names

PageName = Literal["result", "car", "after", "log", "words"]
PAGES: Final[tuple[PageName, ...]] = ("result", "car", "after", "log", "words")


class SheetHead(ViewModel, frozen=True, kw_only=True):
    """The header of every page."""

    title: str
    subtitle: str
    over: bool
    cars: tuple[Plate, ...]
    pages: tuple[tuple[str, str], ...]


class SheetShown(ViewModel, frozen=True, kw_only=True):
    """A page of a race sheet; fields of other pages are empty."""

    head: SheetHead
    page: PageName
    rulebook: str
    car: CarPage | None = None
    chart: Chart | None = None
    log: tuple[LogRow, ...] = ()
    words: tuple[WordRow, ...] = ()
    result: tuple[Listing, ...] = ()
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
    """Return a page of a race sheet.

    `name` is one of PAGES; the default is the result, or a car if the race is not over. `car` is the selected car,
    `show` one of FILTERS for the log. `laps` selects the chart by laps instead of rounds, `two` limits the statistics
    to some cars.
    """
    name = name or ("result" if sheet.result is not None else "car")
    setup = history.beginning.setup if history.beginning is not None else {}
    grid = [one["car"] for one in setup.get("cars", []) if sheet.car(one["car"]) is not None]
    grid += [one.car for one in sheet.cars if one.car not in grid]  # whoever joined of itself
    plates = {number: place for place, number in enumerate(grid)} | entrants.plates(setup)
    if car is None or sheet.car(car) is None:
        car = grid[0]
    shown = SheetShown(head=head(sheet, history, plates, words, name), page=name, rulebook=sheet.rulebook)
    replace = msgspec.structs.replace
    if name == "car":
        chart = lap_chart(sheet, history, plates, words) if laps else order_chart(sheet, plates, words)
        distance = setup.get("laps")
        whole = distance if isinstance(distance, int) and not by_turns(sheet.rulebook) else 0
        return replace(shown, car=car_page(sheet, car, plates, words, whole), chart=chart)
    if name == "after":
        return replace(shown, after=tuple(topics(sheet, history, plates, _track(sheet, history), words, two)))
    if name == "log":
        return replace(shown, log=tuple(log_rows(sheet, history, plates, words, show=show, car=car)))
    if name == "words":
        return replace(shown, words=tuple(word_rows(sheet, words)))
    return replace(shown, result=tuple(classification(sheet, plates, words)))


def head(sheet: RaceSheet, history: History, plates: Mapping[int, int], words: Words, page: str = "") -> SheetHead:
    """Return the title of a race sheet, its cars, and its pages by name and label."""
    shown = [name for name in PAGES if name != "result" or sheet.result is not None]
    title = words.screen("sheet.title") if page == "car" else sheet.name or sheet.track
    facts = [rulebook_name(sheet.rulebook, words)]
    circuit_name = words.track.name if isinstance(words, BoardWords) else _circuit(sheet.track, history)
    if circuit_name not in title:  # the usual name of a race says where and when
        facts.append(circuit_name)
    if sheet.begun and moment(sheet.begun) not in title:
        facts.append(words.screen("sheet.begun", at=moment(sheet.begun)))
    facts += [figure_name(switch, words) for switch in sheet.variants]
    return SheetHead(
        title=title,
        subtitle=" · ".join(facts),
        over=sheet.result is not None,
        cars=tuple(plate_of(number, plates) for number in plates),
        pages=tuple((name, words.screen(f"sheet.page.{name}")) for name in shown),
    )


def _track(sheet: RaceSheet, history: History) -> Track | None:
    """Return the circuit as it was at the start of the race.

    None for a circuit of sections, or one that cannot be read.
    """
    try:
        found = circuit(history.beginning.track if history.beginning is not None else "", sheet.track)
    except CompanionError:
        return None
    return found if isinstance(found, Track) else None


def _circuit(key: str, history: History) -> str:
    """Return the circuit's name at the start of the race, or its key if the log has no circuit."""
    try:
        return circuit(history.beginning.track if history.beginning is not None else "", key).name
    except CompanionError:
        return key.rpartition("/")[2].removesuffix(".toml")


def classification(sheet: RaceSheet, plates: Mapping[int, int], words: Words) -> Iterator[Listing]:
    """Yield the classification of the teams, in a race for teams, and that of the cars; nothing before the end.

    A row has a place, cars captioned with number and driver, a name, a note to it, for a car its laps and the cause of
    a retirement, and points.
    """
    names = names_of(sheet)

    def cars(*numbers: int) -> Cell:
        shown = tuple((plate_of(number, plates), words.number(number, names)) for number in numbers)
        return Cell(text=" ".join(map(str, numbers)), cars=shown)

    teams = [
        (team.place, cars(*team.cars), team.team, " · ".join(words.number(car, names) for car in team.cars),
         _points(team.points))
        for team in teams_of(sheet.result or ())
    ]  # fmt: skip
    if teams:
        yield make_listing("teams", words, ("place", "number", "team", "driver", "points"), teams)
    rows = []
    for row in sheet.result or ():
        car = sheet.car(row["car"])
        place = Cell(text="–", marks=("out",)) if row["place"] is None else row["place"]
        cause, gone = words.word("cause", row["cause"]) if row.get("cause") else "", car.retired if car else None
        when = f", {words.say('round', round=gone.round)}" if cause and gone is not None else ""
        rows.append((
            place, cars(row["car"]), car.driver if car else "", car.team if car else "",
            words.say("laps", count=row["laps"]), Cell(text=cause + when, brief=cause), _points(row["points"]),
        ))  # fmt: skip
    if rows:
        columns = ("place", "number", "driver", "team", "laps", "cause", "points")
        yield make_listing("classification", words, columns, rows, title=words.screen("sheet.page.result"))


def _points(points: int) -> Cell:
    """Return the points of a race, which are not written where there are none."""
    return Cell(text=str(points or ""), value=points)


# -- the log of the race sheet: what was ruled and said, as one of its filters shows it

Filter = Literal["all", "cost", "car", "people"]
FILTERS: Final[tuple[Filter, ...]] = ("all", "cost", "car", "people")
"""Filters of the log: everything, costs, one car, people's words."""
_REMARK_ICONS: Final = {
    "dispute": "flag",
    "uphold": "check",
    "handover": "person",
    "delete": "trash",
    "restore": "undo",
    "rename": "edit",
}


class LogRow(ViewModel, frozen=True, kw_only=True):
    """A line of the log: a ruling, an override or a note.

    `seq` is the entry, `n` the answer (for a correction); `price` is the cost, unless the sentence contains it.
    """

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
    """Return the log, latest first, under one of FILTERS.

    `car` is the car of the filter "car".
    """
    names = names_of(sheet)
    rows: list[LogRow] = []
    rounds = list(item_rounds(history))
    remarks = {said.n: [one for one in history.said if one.n == said.n] for said in history.said}
    for n, item in enumerate(history.items):
        rows += _remarks(remarks.pop(n, []), sheet, show, rounds[n], words)
        rows += _rulings(n, item, rounds[n], plates, names, words, show=show, car=car)
    for left in remarks.values():
        rows += _remarks(left, sheet, show, rounds[-1], words)
    return rows[::-1]


def _rulings(
    n: int, item: Item, round_: int, plates: Mapping[int, int], names: Names, words: Words, *, show: Filter,
    car: int | None,
) -> Iterator[LogRow]:  # fmt: skip
    word = item.event.change is not None or item.event.forced
    why = f" ({item.why})" if word and item.why else ""
    for ruling in item.rulings:
        if ruling.kind in BARE and show != "all" and not word:
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


def _remarks(said: Sequence[Statement], sheet: RaceSheet, show: Filter, round_: int, words: Words) -> Iterator[LogRow]:
    if show not in ("all", "people"):
        return
    for one in said:
        yield LogRow(
            n=one.n, seq=one.seq, round=round_of(round_, words) if round_ else "–", text=_remark(one, sheet, words),
            article="", tone="info", icon=_REMARK_ICONS.get(one.kind, "edit"), by=one.by,
        )  # fmt: skip


def _remark(said: Statement, sheet: RaceSheet, words: Words) -> str:
    """Return a remark in words: a note, a dispute and its outcome, or a new driver."""
    names = names_of(sheet)
    if (seat := said.handover) is not None:
        told = handed_over(words, seat.car, seat.program, seat.rolls, names)
        return f"{told} ({said.text})" if said.text else told
    if said.kind in ("delete", "restore"):
        return words.screen(f"sheet.{said.kind}d")
    if said.kind == "rename":
        return words.screen("sheet.renamed", name=said.text)
    if said.about is None:
        return said.text
    dispute = next(one for one in sheet.disputes if one.about == said.about)
    if said.kind == "uphold":
        return _dispute(dispute, "upheld", sheet, words)
    return f"{_dispute(dispute, '', sheet, words)}{words.say('colon')}{said.text}"


# -- one car's page of the race sheet: every wear point, and why points were crossed off


class WearBox(ViewModel, frozen=True, kw_only=True):
    """A wear point on the sheet: left, the last one, crossed off in a round, or repaired."""

    state: Literal["left", "last", "spent", "repaired"]
    word: str = ""


class PoolLine(ViewModel, frozen=True, kw_only=True):
    """A pool of a car: its boxes and its count."""

    pool: Pool
    name: str
    boxes: tuple[WearBox, ...]
    left: int
    built: int


class WhyLine(ViewModel, frozen=True, kw_only=True):
    """A change of a pool: round, points, reason and article."""

    round: str
    pool: Pool | Literal[""]
    points: str
    text: str
    article: str
    cited: str = ""
    tone: Tone = "warn"
    seq: int = 0


class CarPage(ViewModel, frozen=True, kw_only=True):
    """The sheet of a car."""

    plate: Plate
    name: str
    facts: str
    pools: tuple[PoolLine, ...]
    why: tuple[WhyLine, ...]
    chips: tuple[Price, ...] = ()


def car_page(sheet: RaceSheet, number: int, plates: Mapping[int, int], words: Words, laps: int = 0) -> CarPage:
    """Return the sheet of a car; `laps` is the length of the race, 0 if unknown.

    Raises KeyError if the car is not in the race.
    """
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


def _boxes(car: CarSheet, pool: Pool, words: Words) -> Iterator[WearBox]:
    """Yield the boxes of a pool: those left, then those crossed off with their rounds.

    A point given back at the pits is left again, but marked as repaired.
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
            yield WearBox(state="last")
        else:
            yield WearBox(state="repaired" if place >= left - repaired else "left")
    gone = max(0, built - left)
    for round_ in sorted(spent)[-gone:] if gone else []:
        yield WearBox(state="spent", word=round_of(round_, words))
    for _ in range(gone - len(spent)):
        yield WearBox(state="spent")


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
    """Return the ruling's sentence without the car and the points, which stand beside it."""
    if crossing.kind == "override" or crossing.kind == "correction":
        kind = words.screen(f"sheet.{crossing.kind}")
        why = str(crossing.facts.get("why", ""))
        return f"{kind}{words.say('colon')}{why}" if why else kind
    ruling = Ruling(crossing.kind, crossing.article, car.car, {crossing.pool: crossing.points}, crossing.facts)
    return shortened(apart(ruling, words, names)[0], words.number(car.car, names))


# -- the charts of the race sheet: the order round by round, and lap by lap


class ChartLine(ViewModel, frozen=True, kw_only=True):
    """A car on a chart, as (column, place); a place of 0 breaks the line.

    `end` is the place of its plate beside the chart, 0 for none.
    """

    plate: Plate
    points: tuple[tuple[int, int], ...]
    end: int = 0


class WetPeriod(ViewModel, frozen=True, kw_only=True):
    """The columns of a chart with a wet track, and their label."""

    first: int
    last: int
    word: str
    icon: str


class Chart(ViewModel, frozen=True, kw_only=True):
    """A chart of places over rounds or laps; `other` is the label of the switch between the two."""

    title: str
    other: str
    columns: tuple[str, ...]
    places: int
    lines: tuple[ChartLine, ...]
    bands: tuple[WetPeriod, ...] = ()


def order_chart(sheet: RaceSheet, plates: Mapping[int, int], words: Words) -> Chart:
    """Return the place of each car at the start of each round."""
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


def _bands(sheet: RaceSheet, words: Words) -> Iterator[WetPeriod]:
    """Yield the runs of rounds on a wet track."""
    first: int | None = None
    rounds = sheet.rounds
    for column, line in enumerate([*rounds, None]):
        wet = line is not None and line.surface == "wet"
        if wet and first is None:
            first = column
        elif not wet and first is not None:
            word = words.screen("sheet.wet_from", round=rounds[first].round)
            yield WetPeriod(first=first, last=column - 1, word=word, icon="rain")
            first = None


def lap_chart(sheet: RaceSheet, history: History, plates: Mapping[int, int], words: Words) -> Chart:
    """Return the order at the end of each lap; the first column is the grid."""
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
    """Return the lap that a car has completed by a ruling, 0 if none.

    The first crossing from the grid starts lap 1. A move with a lap has the number of completed laps.
    """
    if ruling.kind == "lap":
        return int(ruling.facts["lap"]) - 1
    if ruling.kind == "move" and "lap" in ruling.facts:
        return max(0, int(ruling.facts["lap"]))
    if ruling.kind == "finish" and "points" not in ruling.facts:
        done = [lap for lap, cars in crossed.items() if ruling.car in cars]
        return max(done, default=0) + 1
    return 0


# -- the page of people's words: overrides, corrections, notes and disputes


class WordRow(ViewModel, frozen=True, kw_only=True):
    """A remark: an override, a correction, a note, a dispute or a new driver."""

    seq: int
    n: int
    icon: str
    title: str
    text: str
    by: str
    tone: Tone = "plain"


def word_rows(sheet: RaceSheet, words: Words) -> list[WordRow]:
    """Return the remarks, latest first.

    These are overrides, corrections, notes, disputes and seats handed over.
    """
    names = names_of(sheet)
    rows = [_override(word, names, words) for word in sheet.overrides]
    rows += [_correction(one, names, words) for one in sheet.corrections]
    for remark in (*sheet.notes, *sheet.disputes):
        dispute = remark.about is not None
        title = _dispute(remark, remark.outcome, sheet, words) if dispute else words.screen("sheet.note")
        icon = "flag" if dispute else "edit"
        tone: Tone = "info" if dispute and not remark.outcome else "plain"
        rows.append(
            WordRow(seq=remark.seq, n=remark.n, icon=icon, title=title, text=remark.text, by=remark.by, tone=tone)
        )
    for one in sheet.handovers:
        title = handed_over(words, one.car, one.program, one.rolls, names)
        rows.append(WordRow(seq=one.seq, n=one.n, icon="person", title=title, text=one.why, by=one.by))
    return sorted(rows, key=lambda row: -row.seq)


def _dispute(dispute: Remark, outcome: str, sheet: RaceSheet, words: Words) -> str:
    """Return which ruling is disputed, and the outcome."""
    return capital(words.screen("sheet.dispute", what=disputed_ruling(dispute, sheet, words), outcome=outcome))


def disputed_ruling(dispute: Remark, sheet: RaceSheet, words: Words) -> str:
    """Return a disputed ruling, named by what brought it: an answer, an override, or the beginning of the race."""
    if dispute.ask or dispute.change is not None:
        return overridden(dispute, names_of(sheet), words)
    return words.screen("sheet.beginning")


def _override(word: Word, names: Names, words: Words) -> WordRow:
    said = overridden(word, names, words)
    return WordRow(seq=word.seq, n=word.n, icon="star", title=capital(said), text=word.why, by=word.by, tone="warn")


def overridden(word: Word | Remark | Done, names: Names, words: Words) -> str:
    """Return what was set or answered."""
    if word.change is not None:
        return words.change(word.change, names)
    return words.undo_label(word.ask, word.car, word.answer, names)


def _correction(one: Amended, names: Names, words: Words) -> WordRow:
    said, then = corrected(one, names, words)
    return WordRow(
        seq=one.seq, n=one.n, icon="undo", title=capital(said), by=one.by, tone="warn",
        text=f"{one.why}{words.say('colon')}{then}" if one.why else then,
    )  # fmt: skip


def corrected(one: Amended, names: Names, words: Words) -> tuple[str, str]:
    """Return the old and the new answer, and what became of the answers after it."""
    was = words.undo_label(one.ask, one.car, one.was, names)
    now = words.undo_label(one.ask, one.car, one.answer, names).partition(words.say("colon"))[2]
    fell = len(one.fell)
    stood = words.say("sheet_stood", fell=fell) if one.keep == "board" else ""
    return f"{was} → {now}", stood or words.say("sheet_replayed", kept=one.kept, fell=fell)


# -- what every page of a race sheet has: drivers, plates, rounds, and the rounds in which a car was running


def names_of(sheet: RaceSheet) -> dict[int, str]:
    """Return the drivers by car number."""
    return {car.car: car.driver for car in sheet.cars}


def plate_of(car: int, plates: Mapping[int, int]) -> Plate:
    """Return a car's number plate."""
    return Plate(number=car, place=plates.get(car, 0))


def round_of(round_: int, words: Words) -> str:
    """Return a round in short, such as "R 3"."""
    return words.screen("sheet.round_short", round=round_)


def by_turns(rulebook: str) -> bool:
    """Return True if the rulebook counts turns instead of laps."""
    return rulebook in RULEBOOKS and issubclass(RULEBOOKS[rulebook], Ninety)


def running(car: CarSheet) -> list[Place]:
    """Return a car's places round by round, while it was in the race."""
    return [place for place in car.places if place.status != "out"]
