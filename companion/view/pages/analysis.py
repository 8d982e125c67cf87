"""The analysis of a race for display.

Odds by round with the turning points, each driver's luck and mistakes, their dearest decisions, and one decision on the
board.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import msgspec

from companion.analysis.findings import Analysis, CarAnalysis, Moment
from companion.desk import RaceDesk
from companion.rules.conversation.asking import Asked, Json
from companion.sheets.entrants import plates
from companion.sheets.history import History
from companion.view.pages.after import Curve, Curves, Grid
from companion.view.price import signed
from companion.view.race.board import board
from companion.view.race.landings import letter
from companion.view.race.prompt import prompt
from companion.view.shown import AnswerKey, Plate, Price, Tone, ViewModel
from companion.view.shown_board import BoardScene, SpaceMark
from companion.view.sight import Sight, codes
from companion.wording import Words, capital

THICK: Final = 4
"""Number of cars whose curve is thick: those that mattered."""
GRAVE: Final = 2.0
"""Loss from which a mistake is bad, in turns."""
SLIGHT: Final = 0.1
"""Loss below which nothing is called a mistake, in turns."""
WAYS: Final = 4
"""Number of answers shown with a decision."""


class Point(ViewModel, frozen=True, kw_only=True):
    """A turning point or decision: its letter, car, effect and round.

    `before` and `after` are odds in per cent.
    """

    letter: str
    plate: Plate
    column: int
    before: int
    after: int
    what: str
    turns: str
    tone: Tone
    round: str
    moment: Moment


class DriverLine(ViewModel, frozen=True, kw_only=True):
    """A driver in finishing order, with luck and mistakes in turns.

    In an analysis without weights, the words give the first and the highest odds instead.
    """

    place: str
    plate: Plate
    code: str
    name: str
    luck: float
    mistakes: float
    luck_said: str
    mistakes_said: str
    out: bool
    dearest: tuple[Point, ...]


class AnalysisShown(ViewModel, frozen=True, kw_only=True):
    """The analysis page.

    `thick` are the cars whose curves are emphasised, `heads` the headings of the drivers' two columns. If not
    `weighed`, its points are rounds and cannot be opened.
    """

    title: str
    note: str
    curves: Curves
    thick: tuple[int, ...]
    points: tuple[Point, ...]
    rows: tuple[DriverLine, ...]
    most: tuple[float, float]
    heads: tuple[str, str]
    weighed: bool


def analysis(found: Analysis, history: History, words: Words) -> AnalysisShown:
    """Return an analysis in the reader's language."""
    setup = history.beginning.setup if history.beginning is not None else {}
    names = {one.car: one.driver for one in found.drivers}
    colours = {number: place for place, number in enumerate(sorted(names))} | plates(setup)
    said = _MomentWording(words, names, colours)
    chances = found.chances
    last = {one.car: float(one.place == 1) for one in found.drivers}
    rounds = [*chances, last] if any(last.values()) else list(chances)
    peaks = {number: max((of.get(number, 0.0) for of in rounds), default=0.0) for number in names}
    mattered = [moment.car for moment in found.turning]
    thick = sorted(names, key=lambda number: (-mattered.count(number), -peaks[number]))[:THICK]
    word = words.screen
    curves = Curves(
        topic="odds", title=word("analysis.odds"), top=100.0, bottom=0.0,
        columns=tuple(word("sheet.round_short", round=at + 1) for at in range(len(rounds))),
        lines=tuple(Curve(plate=said.plate(number), points=_line(rounds, number)) for number in names),
    )  # fmt: skip
    marks = codes(names)
    first = words.chances(next(filter(None, chances), {}))

    def columns(one: CarAnalysis) -> tuple[str, str]:
        if found.weighed:
            return signed_turns(words, one.luck), signed_turns(words, -one.mistakes)
        best = max((of.get(one.car, 0.0) for of in chances), default=0.0)
        return first.get(one.car, words.chance(0)), words.chance(best)

    rows = tuple(
        DriverLine(
            place=str(one.place) if one.place else "–", plate=said.plate(one.car), code=marks[one.car], name=one.driver,
            luck=one.luck, mistakes=one.mistakes, luck_said=luck, mistakes_said=mistakes,
            out=one.place is None, dearest=tuple(said.point(at, moment) for at, moment in enumerate(one.dearest)),
        )
        for one in found.drivers
        for luck, mistakes in [columns(one)]
    )  # fmt: skip
    luck_head, mistakes_head = ("luck", "mistakes") if found.weighed else ("first", "highest")
    return AnalysisShown(
        title=word("analysis.title"), note=word("analysis.note", name=found.name, rounds=found.rounds), curves=curves,
        thick=tuple(thick), points=tuple(said.point(at, moment) for at, moment in enumerate(found.turning)), rows=rows,
        most=(max((abs(row.luck) for row in rows), default=1.0), max((row.mistakes for row in rows), default=1.0)),
        heads=(word(f"analysis.{luck_head}_head"), word(f"analysis.{mistakes_head}_head")), weighed=found.weighed,
    )  # fmt: skip


def _line(rounds: Sequence[Mapping[int, float]], number: int) -> tuple[tuple[int, float], ...]:
    """Return a car's odds in per cent, for the rounds where they are known."""
    return tuple((at, 100 * of.get(number, 0.0)) for at, of in enumerate(rounds) if of)


def signed_turns(words: Words, turns: float) -> str:
    """Return turns with their sign; zero has none."""
    said = words.decimal(abs(turns), 1)
    return said if round(turns, 1) == 0 else f"{'−' if turns < 0 else '+'}{said}"


def span(words: Words, moment: Moment) -> str:
    """Return the round of a moment, or its range of rounds."""
    first, last = (words.screen("sheet.round_short", round=number) for number in (moment.round, moment.until))
    return words.screen("analysis.rounds", first=first, last=last, several=first != last)


class _MomentWording:
    """Wording of the moments of an analysis."""

    def __init__(self, words: Words, names: Mapping[int, str], colours: Mapping[int, int]) -> None:
        self.words, self.names, self.colours = words, names, colours

    def plate(self, number: int) -> Plate:
        return Plate(number=number, place=self.colours.get(number, 0))

    def point(self, at: int, moment: Moment) -> Point:
        if moment.until:
            return self.rounds(at, moment)
        lost = bool(moment.mistake)
        turns = moment.luck or -moment.mistake
        kind = "mistake" if lost else "luck"
        figure = self.words.decimal(abs(turns)) if lost else signed_turns(self.words, turns)
        return Point(
            letter=letter(at), plate=self.plate(moment.car), column=max(moment.round - 1, 0),
            before=round(100 * moment.before), after=round(100 * moment.after), what=self.done(moment),
            turns=self.words.screen(f"analysis.{kind}", turns=figure),
            tone="ok" if turns > 0 else "bad" if -turns >= GRAVE else "warn",
            round=self.words.screen("sheet.round_short", round=moment.round), moment=moment,
        )  # fmt: skip

    def rounds(self, at: int, moment: Moment) -> Point:
        """Return the total swing of a moment that spans whole rounds."""
        by = round(100 * moment.after) - round(100 * moment.before)
        return Point(
            letter=letter(at), plate=self.plate(moment.car), column=moment.until,
            before=round(100 * moment.before), after=round(100 * moment.after), what=span(self.words, moment),
            turns=self.words.screen("analysis.swing", by=signed(by)),
            tone="ok" if by > 0 else "bad",
            round="", moment=moment,
        )  # fmt: skip

    def done(self, moment: Moment) -> str:
        """Return what was rolled or answered; other luck is the position of the other cars."""
        if moment.ask == "roll":
            return self.words.screen("analysis.rolled", rolled=moment.answer, gear=int(moment.what[-1]))
        if moment.luck:
            return capital(self.words.screen("analysis.stood"))
        return capital(self.words.option(moment.ask, moment.answer, self.names))


def topics(shown: AnalysisShown, words: Words) -> list[Curves | Grid]:
    """Return the analysis as curves and tables, for paper."""
    say = words.screen
    table = Grid(
        topic="luck", title=say("analysis.table" if shown.weighed else "analysis.odds"), head=shown.heads,
        rows=tuple((row.plate, row.name, (row.luck_said, row.mistakes_said)) for row in shown.rows),
    )  # fmt: skip
    told = [(row, point) for row in shown.rows for point in row.dearest if shown.weighed]
    heads = say("analysis.dearest_head").split(" | ")
    dearest = Grid(
        topic="dearest", title=say("analysis.dearest"), head=tuple(heads),
        rows=tuple(
            (row.plate, row.name, (point.round, point.what, point.turns, _odds(point, words)))
            for row, point in told
        ),
    )  # fmt: skip
    turned = Grid(
        topic="turned", title=say("analysis.turning"), head=tuple(heads if shown.weighed else heads[::3]),
        rows=tuple(
            (point.plate, point.letter, (*_what(point), _odds(point, words))) for point in shown.points
        ),
    )  # fmt: skip
    return [shown.curves, table, turned, *([dearest] if told else [])]


def _odds(point: Point, words: Words) -> str:
    return f"{point.before} → {words.percent(point.after)}"


def _what(point: Point) -> tuple[str, ...]:
    """Return the cells of a printed row before the odds."""
    return (point.what,) if point.moment.until else (point.round, point.what, point.turns)


# -- one decision, on the board as it was


class DecisionAnswer(ViewModel, frozen=True, kw_only=True):
    """An answer to a decision: its letter, effect, cost and loss.

    `best` marks the best answer, `taken` the one chosen.
    """

    letter: str
    brings: str
    prices: tuple[Price, ...]
    lost: str
    best: bool
    taken: bool


class Decision(ViewModel, frozen=True, kw_only=True):
    """A moment in detail: the question, the board with letters, the answers, the verdict.

    For a decision the verdict is what the answer cost, for a roll what it won or lost.
    """

    plate: Plate
    title: str
    asked: str
    unit: str
    board: BoardScene
    ways: tuple[DecisionAnswer, ...]
    head: str
    verdict: str
    turns: str
    tone: Tone
    why: str
    before: str
    after: str


def decision(moment: Moment, history: History, words: Words) -> Decision:
    """Return a moment on the board, by replaying the log up to it."""
    desk = RaceDesk.from_log(history, moment.n)
    sight = Sight(desk, words)
    asked = desk.asked
    assert asked is not None
    asks = prompt(sight)
    ways, marks = _ways(moment, asked, asks.keys, sight)
    scene = board(sight, asks)
    if marks:
        kept = tuple(mark for mark in scene.spaces if mark.state == "danger")
        scene = msgspec.structs.replace(
            scene, spaces=(*kept, *marks), focus=tuple(mark.space for mark in marks), close="landing", path=()
        )
    lost = bool(moment.mistake)
    taken = next((way for way in ways if way.taken), None)
    best = next((way for way in ways if way.best), None)
    said = _MomentWording(words, sight.names, {})
    facts: dict[str, Json] = {
        "turns": words.decimal(abs(moment.luck or moment.mistake)),
        "taken": _answer_text(taken),
        "best": _answer_text(best),
        "lucky": moment.luck > 0,
    }
    return Decision(
        plate=sight.plate(moment.car),
        title=sight.say("analysis.of_round", round=moment.round),
        asked=asks.title,
        unit=asks.unit,
        board=scene,
        ways=ways,
        head=sight.say("analysis.took", car=moment.car, what=taken.letter if taken is not None else said.done(moment)),
        verdict=sight.say("analysis.better", best=best.letter) if lost and best is not None else said.done(moment),
        turns=signed_turns(words, moment.luck or -moment.mistake),
        tone="ok" if moment.luck > 0 else "bad" if moment.mistake >= GRAVE else "warn",
        why=sight.say("analysis.why" if lost else "analysis.rolled_why", **facts),
        before=words.chance(moment.before),
        after=words.chance(moment.after),
    )


def _answer_text(way: DecisionAnswer | None) -> str:
    if way is None:
        return ""
    told = ", ".join(filter(None, (way.brings, *(price.text for price in way.prices))))
    return f"{way.letter} ({told})" if told else way.letter


def _ways(
    moment: Moment, asked: Asked, keys: Sequence[AnswerKey], sight: Sight
) -> tuple[tuple[DecisionAnswer, ...], tuple[SpaceMark, ...]]:
    """Return the best answers and the one taken, cheapest first, and their board marks."""
    if not moment.weighed:
        return (), ()
    ranked = sorted(moment.weighed, key=lambda one: one[1])
    shown = ranked[:WAYS]
    given = next((one for one in ranked if one[0] == moment.answer), None)
    if given is not None and given not in shown:
        shown = [*shown[:-1], given]
    ways, marks = [], []
    for at, (answer, lost) in enumerate(shown):
        key = next((key for key in keys if key.answer == answer), None)
        place = isinstance(answer, dict) and "space" in answer
        label = letter(at) if place or key is None else key.label
        taken, best = answer == moment.answer, not at
        ways.append(
            DecisionAnswer(
                letter=label,
                brings=key.note if key is not None else "",
                prices=key.prices if key is not None else (),
                lost=sight.say("analysis.lost", turns=signed_turns(sight.words, -lost)) if lost >= SLIGHT else "",
                best=best,
                taken=taken,
            )
        )
        if place:
            state = "chosen" if taken else "free" if best else "choice"
            marks.append(SpaceMark(space=answer["space"], state=state, text=label))  # type: ignore[arg-type]
    return tuple(ways), tuple(marks)
