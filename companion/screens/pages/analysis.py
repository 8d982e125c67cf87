"""The analysis of a race: the odds and turning points, luck and mistakes.

A decision can be opened on the board, with the better answer.
"""

from __future__ import annotations

import threading
from functools import partial
from typing import TYPE_CHECKING, Any, Final, Literal

import msgspec
from kivy.clock import Clock
from kivy.graphics import Line

from companion.drawing.paints import paint_of
from companion.rules.circuit.track import Track
from companion.rules.conversation.errors import CompanionError
from companion.screens.app.screen import Screen
from companion.screens.app.visits import OfAnalysis
from companion.screens.board.view import BoardView
from companion.screens.kit import plate
from companion.screens.kit.chart import legible
from companion.screens.kit.compose import Area, Composed, Ui
from companion.screens.kit.empty import Empty, EmptyState
from companion.screens.kit.foot import BAND, KEYS, ground
from companion.screens.kit.key import Face, prices
from companion.screens.kit.pane import Pane
from companion.screens.kit.pen import BOLD, SEMIBOLD, Pen
from companion.screens.kit.rows import Rows, RowView
from companion.screens.kit.theme import BODY, CAPTION, CLOCK, NAME, QUESTION, SMALL, TITLE, TONES, VALUE, theme
from companion.screens.kit.touch import Target
from companion.screens.pages.sheet import stored_entries
from companion.sheets.history import History
from companion.sheets.replay import circuit
from companion.view.pages.analysis import (
    GRAVE,
    AnalysisShown,
    Decision,
    DecisionAnswer,
    DriverLine,
    Point,
    analysis,
    decision,
)
from companion.view.worded import BoardWords

if TYPE_CHECKING:
    from companion.analysis.findings import Moment
    from companion.screens.app.app import CompanionApp

TABLE: Final = 324.0
"""Width of the table of the drivers, in dp."""
HEAD: Final = 34.0
ROW: Final = 52.0
CARD: Final = 252.0
"""Width of the verdict on a decision, in dp."""
WAYS: Final = 160.0
"""Height of the question and answers of a decision, in dp."""


class OddsView(Pane):
    """The odds of a race as curves: shows (an `AnalysisShown`, the `Point`s to mark with their letters).

    The drivers that mattered have thick lines.
    """

    def paint(self, pen: Pen) -> None:
        if self.shown is None:
            return
        shown: AnalysisShown = self.shown[0]
        points: tuple[Point, ...] = self.shown[1]
        curves = shown.curves
        pen.text(curves.title, 14, 18, SMALL, "mid", SEMIBOLD)
        left, top, right, bottom = 46.0, 40.0, pen.w - 40, pen.h - 30
        last = max(1, len(curves.columns) - 1)

        def x(column: float) -> float:
            return left + (right - left) * column / last

        def y(value: float) -> float:
            return top + (bottom - top) * curves.height(value)

        for mark in curves.marks:
            pen.fill(left, y(mark), right - left, 1, "line")
            pen.text(f"{mark}", left - 8, y(mark), CAPTION, "mid", SEMIBOLD, "right")
        every = max(1, -(-len(curves.columns) // 7))
        for at in range(0, len(curves.columns), every):
            pen.text(curves.columns[at], x(at), pen.h - 13, CAPTION, "mid", SEMIBOLD, "centre")
        for line in sorted(curves.lines, key=lambda line: line.plate.number in shown.thick):
            thick = line.plate.number in shown.thick
            flat = [one for at, value in line.points for one in (x(at) * pen.scale, pen.height - y(value) * pen.scale)]
            if len(flat) > 2:
                pen.tint(legible(paint_of(line.plate.place).colour), 1.0 if thick else 0.5)
                pen.group.add(Line(points=flat, width=(2.0 if thick else 1.01) * pen.scale, joint="round", cap="round"))
        for which, column, down in curves.ends(26 / (bottom - top), shown.thick):
            plate.draw(pen, which, min(x(column) + 20, pen.w - 16), top + (bottom - top) * down, 24)
        for at, point in enumerate(points):
            line = next(line for line in curves.lines if line.plate == point.plate)
            value = dict(line.points).get(point.column, 0.0)
            across, down = x(point.column), y(value)
            sign = max(top + 6, down - 34 - 22 * (at % 2))
            pen.fill(across - 0.75, sign, 1.5, down - sign, "hi")
            pen.fill(across - 11, sign - 11, 22, 22, "pri", 4)
            pen.text(point.letter, across, sign, BODY, "onpri", BOLD, "centre")
            for radius, token in ((5.0, "hi"), (3.0, "bg1")):
                pen.fill(across - radius, down - radius, 2 * radius, 2 * radius, token, radius)


class DriverLineView(RowView):
    """A row that shows a `DriverLine`.

    Shown is (line, the most luck and mistakes or None if unknown, whether it is chosen).
    """

    def draw(self, pen: Pen, shown: Any) -> None:
        row: DriverLine = shown[0]
        most, chosen = shown[1], shown[2]
        middle, ink = pen.h / 2, "mid" if row.out else "hi"
        if chosen:
            self.choose(pen, paint_of(row.plate.place).colour)
        pen.text(row.place, 28, middle, BODY, "mid", BOLD, "right")
        plate.draw(pen, row.plate, 50, middle, 26)
        pen.text(row.code, 70, middle, BODY, ink, BOLD, room=42, cut=True)
        if most is None:
            pen.text(row.luck_said, 214, middle, SMALL, ink, BOLD, "right")
            pen.text(row.mistakes_said, pen.w - 10, middle, SMALL, ink, BOLD, "right")
            return
        luck, mistakes = most
        half = 27.0
        zero = 116 + half
        pen.fill(zero - half, middle - 4, 2 * half, 8, "bg4", 2)
        wide = half * min(1.0, abs(row.luck) / max(luck, 0.1))
        pen.fill(zero - (wide if row.luck < 0 else 0), middle - 4, wide, 8, "ok" if row.luck > 0 else "warn", 2)
        pen.fill(zero - 0.5, middle - 7, 1, 14, "mid")
        pen.text(row.luck_said, 214, middle, SMALL, ink, BOLD, "right")
        pen.fill(228, middle - 4, 48, 8, "bg4", 2)
        token = "bad" if row.mistakes >= GRAVE else "warn"
        pen.fill(228, middle - 4, 48 * min(1.0, max(row.mistakes, 0.0) / max(mistakes, 0.1)), 8, token, 2)
        pen.text(row.mistakes_said, pen.w - 10, middle, SMALL, token if row.mistakes >= GRAVE else ink, BOLD, "right")


class PointKey(Target):
    """A key that shows (a `Point`, whether it is chosen).

    It has the odds before and after, what was done, and what that won or lost.
    """

    def paint(self, pen: Pen) -> None:
        if self.shown is None:
            return
        point: Point = self.shown[0]
        pen.fill(0, 0, pen.w, pen.h, "bg4" if self.pressed else "bg3", 8)
        if self.shown[1]:
            pen.rim(0, 0, pen.w, pen.h, "pri", 3, 8)
        pen.fill(10, 9, 22, 22, "pri", 4)
        pen.text(point.letter, 21, 20, BODY, "onpri", BOLD, "centre")
        plate.draw(pen, point.plate, 52, 20, 24)
        right = pen.w - 10
        right -= pen.text(theme.words.percent(point.after), right, 20, BODY, "hi", BOLD, "right") + 4
        pen.icon("arrow-right", right - 8, 20, 14, "low")
        pen.text(str(point.before), right - 20, 20, BODY, "mid", BOLD, "right")
        pen.text(point.what, 10, 46, SMALL, "hi", SEMIBOLD, room=pen.w - 18, cut=True)
        wide = pen.text(point.round, pen.w - 10, 69, CAPTION, "mid", SEMIBOLD, "right")
        pen.text(point.turns, 10, 69, SMALL, TONES[point.tone], BOLD, room=pen.w - 26 - wide, cut=True)


class WaysView(Pane):
    """The question and answers of a `Decision`, below the board."""

    def paint(self, pen: Pen) -> None:
        shown: Decision | None = self.shown
        if shown is None:
            return
        pen.band()
        plate.at_head(pen, shown.plate, 44, 32, 36)
        unit = pen.text(shown.unit, pen.w - 14, 34, SMALL, "mid", SEMIBOLD, "right", room=140, cut=True)
        pen.text(shown.asked, 78, 32, QUESTION, "hi", BOLD, room=pen.w - 104 - unit, floor=NAME, cut=True)
        if not shown.ways:
            return
        wide = (pen.w - 20 - 14 - 8 * (len(shown.ways) - 1)) / len(shown.ways)
        for at, way in enumerate(shown.ways):
            self._way(pen, way, 20 + at * (wide + 8), wide)

    @staticmethod
    def _way(pen: Pen, way: DecisionAnswer, x: float, wide: float) -> None:
        top, high = 62.0, 84.0
        pen.fill(x, top, wide, high, "bg3", 8)
        if way.best or way.taken:
            pen.rim(x, top, wide, high, "pri" if way.taken else "ok", 3, 8)
        letter = pen.text(
            way.letter, x + 10, top + high / 2, VALUE, "ok" if way.best else "hi", BOLD, room=48, cut=True
        )
        left = x + 10 + letter + 9
        room = x + wide - left - 6
        lines = [(way.brings, "mid"), (way.lost or theme.words.screen("analysis.best"), "warn" if way.lost else "ok")]
        for row, (text, token) in enumerate(lines):
            pen.text(text, left, top + 18 + 24 * row, CAPTION, token, SEMIBOLD, room=room, cut=True)
        if way.prices:
            prices(pen, way.prices, left, top + 66, room, align="left")


class VerdictView(Pane):
    """The verdict on a `Decision`: what was better, what it cost, why, and the odds."""

    def paint(self, pen: Pen) -> None:
        shown: Decision | None = self.shown
        if shown is None:
            return
        pen.fill(0, 0, pen.w, pen.h, "bg2")
        pen.fill(0, 0, 3, pen.h, TONES[shown.tone])
        room = pen.w - 26
        pen.icon("curve", 24, 22, 20, TONES[shown.tone])
        pen.text(shown.head, 42, 22, BODY, "hi", BOLD, room=room - 30, cut=True)
        pen.fill(3, 44, pen.w - 3, 1, "line")
        pen.text(shown.verdict, 14, 70, TITLE, "hi", BOLD, room=room, floor=BODY, cut=True)
        wide = pen.text(shown.turns, 14, 112, QUESTION, TONES[shown.tone], BOLD)
        pen.text(theme.words.screen("analysis.turns"), 22 + wide, 116, SMALL, "mid", SEMIBOLD)
        pen.fill(3, 138, pen.w - 3, 1, "line")
        foot = pen.h - 44.0
        pen.paragraph(shown.why, 14, 158, SMALL, room, "mid", SEMIBOLD, max(1, int((foot - 160) // 20)))
        pen.fill(3, foot, pen.w - 3, 1, "line")
        pen.text(theme.words.screen("analysis.odds_to_win"), 14, foot + 22, SMALL, "mid", SEMIBOLD)
        right = pen.w - 14
        right -= pen.text(shown.after, right, foot + 22, NAME, "hi", BOLD, "right") + 6
        pen.icon("arrow-right", right - 8, foot + 22, 16, "low")
        pen.text(shown.before, right - 24, foot + 22, BODY, "mid", BOLD, "right")


class AnalysisScreen(Composed, Screen):
    """The analysis of the race with the id `given["race"]`, else of the open one.

    A tap on a driver's row puts that driver's costliest decisions on the keys, in place of the turning points; a second
    tap on a key opens it.
    """

    given: OfAnalysis

    def __init__(self, app: CompanionApp, given: OfAnalysis) -> None:
        super().__init__(app, given)
        self.rows, self.board = Rows(DriverLineView, self._driver, high=ROW), BoardView()
        self.race_id = given.get("race") or app.playing.log_id
        self.wrong: CompanionError | None = None
        self.decision: Decision | None = None
        self.history = History()
        self.entry_count = 0
        try:
            unsaved = app.playing.unsaved if self.race_id == app.playing.log_id else ()
            _, log = stored_entries(app.folder, self.race_id, unsaved)
            self.history, self.entry_count = History.of(log), len(log)
            app.analysing.begin(app.folder, self.race_id, self.entry_count)
        except CompanionError as wrong:
            self.wrong = wrong
        app.analysing.on_news = self._on_news
        self._opened: tuple[Moment, str] | None = None

    @property
    def whole(self) -> AnalysisShown | None:
        """The finished analysis, None until then."""
        found = self.app.analysing.result(self.race_id, self.entry_count)
        return analysis(found, self.history, self._words) if found is not None else None

    @property
    def _growing(self) -> AnalysisShown | None:
        """The analysis so far, with curves that still grow; None if not started."""
        found = self.app.analysing.so_far(self.race_id, self.entry_count)
        if found is None:
            return None
        share = round(100 * self.app.analysing.share(self.race_id, self.entry_count))
        shown = analysis(found, self.history, self._words)
        return msgspec.structs.replace(shown, note=self.say("analysis.counting", share=share), points=())

    @property
    def _words(self) -> BoardWords:
        beginning = self.history.beginning
        assert beginning is not None
        return BoardWords(theme.language, beginning.rulebook, circuit(beginning.track, beginning.track_key))

    @property
    def track(self) -> Track | None:
        """The circuit of the race, None for a board of sections."""
        beginning = self.history.beginning
        board = circuit(beginning.track, beginning.track_key) if beginning is not None else None
        return board if isinstance(board, Track) else None

    def _on_news(self) -> None:
        if self.app.screen is self:
            self.look_again()

    # -- what is touched

    def points(self, shown: AnalysisShown) -> tuple[Point, ...]:
        """Return the points on the keys."""
        driver = self.given.get("driver", 0)
        return next((row.dearest for row in shown.rows if row.plate.number == driver), shown.points)

    def _driver(self, place: int) -> None:
        shown = self.whole
        if shown is not None:
            number = shown.rows[place].plate.number
            self.given["driver"] = 0 if self.given.get("driver") == number else number
            self.given["point"] = -1
            self.look_again()

    def _point(self, at: int) -> None:
        if self.given.get("point", -1) == at:
            self._open(at)
        else:
            self.given["point"] = at
            self.look_again()

    def _open(self, at: int) -> None:
        """Open the decision of a key; a whole round has none."""
        if (shown := self.whole) is None or not shown.weighed:
            return
        self.given["point"], self.given["opened"] = at, True
        self.look_again()

    def _step(self, by: int) -> None:
        shown = self.whole
        if shown is not None:
            self._open((self.given.get("point", 0) + by) % len(self.points(shown)))

    def back(self) -> bool:
        if self.given.get("opened"):
            self.given["opened"], self.decision = False, None
            self.look_again()
            return True
        return False

    def _decide(self, point: Point) -> None:
        """Replay the race to a decision, in a thread."""
        wanted = point.moment, theme.language
        if self._opened == wanted:
            return
        self._opened, self.decision = wanted, None
        history, words = self.history, self._words

        def work() -> None:
            found = decision(point.moment, history, words)
            Clock.schedule_once(lambda _: self._decided(wanted, found))

        threading.Thread(target=work, name="decision", daemon=True).start()

    def _decided(self, wanted: tuple[Moment, str], found: Decision) -> None:
        if self._opened == wanted:
            self.decision = found
            self.look_again()

    @property
    def is_loaded(self) -> bool:
        return not self.given.get("opened") or self.decision is not None

    # -- what is shown

    def compose(self, ui: Ui) -> None:
        ui.fill(ui.area, "bg1")
        found = self.whole if self.wrong is None else None
        points = self.points(found) if found is not None else ()
        at = self.given.get("point", 0)
        if found is not None and self.given.get("opened") and 0 <= at < len(points):
            self._compose_decision(ui, points, at)
        elif (shown := found or (self._growing if self.wrong is None else None)) is not None:
            self._compose_whole(ui, shown)
        else:
            self._compose_waiting(ui)

    def _compose_waiting(self, ui: Ui) -> None:
        """Compose how far the analysis is, or why there is none."""
        ui.title(self.say("analysis.title"), self.app.back)
        failed = self.wrong is not None or self.app.analysing.failed(self.race_id, self.entry_count)
        share = round(100 * self.app.analysing.share(self.race_id, self.entry_count))
        title = self.say("analysis.none") if failed else self.say("analysis.counting", share=share)
        note = theme.words.error(self.wrong) if self.wrong is not None else ""
        note = note or self.say("analysis.none_note" if failed else "analysis.counting_note")
        empty = ui.place(ui.area.inset(60, 40), ui.named("empty", Empty))
        empty.show(EmptyState(icon="curve", title=title, note=note))

    def _compose_whole(self, ui: Ui, shown: AnalysisShown) -> None:
        """Compose the odds, a row for each driver, and a key for each point."""
        ui.title(shown.title, self.app.back, shown.note)
        points = self.points(shown) if shown.points else ()
        chosen = self.given.get("point", -1)
        ground(ui.pen)
        keys = ui.area.cut_bottom(BAND).inset(12, 10).cut_top(KEYS)
        for at, (cell, point) in enumerate(zip(keys.columns(len(points)), points, strict=True)):
            ui.target(cell, at, PointKey, (point, at == chosen), partial(self._point, at))
        table = ui.area.cut_right(TABLE)
        ui.place(ui.area, ui.named("odds", OddsView)).show((shown, points))
        self._compose_table(ui, table, shown)

    def _compose_table(self, ui: Ui, area: Area, shown: AnalysisShown) -> None:
        """Compose the drivers' finish, luck and mistakes."""
        ui.fill(Area(area.x, area.y, 1, area.h), "line")
        head = area.cut_top(HEAD)
        ui.fill(Area(head.x, head.bottom - 1, head.w, 1), "line")
        luck, mistakes = shown.heads
        heads: tuple[tuple[str, float, Literal["left", "right"]], ...] = (
            (self.say("analysis.finish"), head.x + 14, "left"),
            (luck, head.x + 214, "right"),
            (mistakes, head.right - 10, "right"),
        )
        for text, x, align in heads:
            ui.pen.text(text, x, head.middle[1], CAPTION, "mid", SEMIBOLD, align)
        area.cut_left(1)
        most = shown.most if shown.weighed else None
        driver = self.given.get("driver", 0)
        ui.place(area, self.rows).show([(row, most, row.plate.number == driver) for row in shown.rows])

    def _compose_decision(self, ui: Ui, points: tuple[Point, ...], at: int) -> None:
        """Compose the decision of a point on the board, and the ways to those before and after it."""
        self._decide(points[at])
        found = self.decision
        ui.title(self.say("analysis.point", letter=points[at].letter), self.app.back, found.title if found else "")
        card = ui.area.cut_right(CARD)
        ui.fill(card, "bg2")
        if found is None:
            return
        ui.place(ui.area.cut_bottom(WAYS), ui.named("ways", WaysView)).show(found)
        ui.place(ui.area, self.board).show(self.track, found.board)
        keys = card.cut_bottom(BAND).inset(0, 8).cut_top(KEYS)
        ui.place(card, ui.named("verdict", VerdictView)).show(found)
        if len(points) > 1:
            keys.cut_left(14)
            before, after = points[at - 1], points[(at + 1) % len(points)]
            face = Face(label=self.say("analysis.point_key", letter=before.letter), note=before.round, look="quiet")
            ui.button(keys.cut_left(100), "before", face, partial(self._step, -1))
            keys.cut_left(8)
            keys.cut_right(12)
            face = Face(label=self.say("analysis.point_key", letter=after.letter), note=after.round, size=CLOCK)
            ui.button(keys, "after", face, partial(self._step, 1))
