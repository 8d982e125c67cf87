"""The top bar of the race: lap, turn, weather, reminders, call, clock and menu."""

from __future__ import annotations

from functools import partial
from typing import Any, Final

from companion.drawing.icons import NAMES
from companion.screens.kit.compose import Composed, Ui
from companion.screens.kit.menu import WIDE as MENU
from companion.screens.kit.menu import MenuKey
from companion.screens.kit.pane import Pane
from companion.screens.kit.pen import BOLD, SEMIBOLD, Pen
from companion.screens.kit.shot_clock import ShotClock, ShotLine, ShotTime
from companion.screens.kit.theme import BODY, CAPTION, SMALL, TITLE, TONES, theme
from companion.screens.kit.touch import Target
from companion.view.race import intents
from companion.view.race.intents import Emit
from companion.view.shown import TopBar as Shown

HIGH: Final = 48.0
LINE: Final = 3.0
CLOCK: Final = 114.0
CALL: Final = 56.0
SKY: Final = {"sun": "warn", "rain": "info"}
CALLS: Final = {"ready": "mid", "called": "warn", "coming": "ok"}


class CallKey(Target):
    """Key that calls race control to the table or cancels the call, and shows its state."""

    joined, means = True, "call"

    def paint(self, pen: Pen) -> None:
        pen.fill(0, 0, pen.w, pen.h, "bg4" if self.pressed else "bg1")
        pen.fill(0, 0, 1, pen.h, "line")
        pen.icon("whistle", pen.w / 2, (pen.h - LINE) / 2 + 1, 24, CALLS.get(self.shown, "mid"))


class TopBarView(Target, Composed):
    """The bar at the top of the race; `tell(time)` shows the shot clock, or none.

    The owner of the bar places `clock` and `line` on it, at `times()`.
    """

    joined = True

    def __init__(self, emit: Emit, **properties: Any) -> None:
        super().__init__(on_hold=partial(emit, intents.Explain(intents.RaceSubject())), **properties)
        self.emit = emit
        self.clock, self.line = ShotClock(on_tap=partial(emit, intents.ToggleClock())), ShotLine()
        self.time: ShotTime | None = None

    @property
    def _end(self) -> float:
        """The left edge of the keys at the right, without the call key."""
        return self.w - MENU - (CLOCK if self.time else 0)

    def tell(self, time: ShotTime | None) -> bool:
        """Show the shot clock's time without redrawing the bar.

        Returns True if the clock has appeared or disappeared.
        """
        appeared = (time is None) != (self.time is None)
        self.time = time
        self.clock.show(time)
        self.line.show(time)
        if appeared:
            self.look_again()
        return appeared

    def times(self) -> list[tuple[Pane, tuple[float, float, float, float]]]:
        """Return the widgets of the shot clock and their boxes on the bar, in dp."""
        if self.time is None:
            return []
        return [
            (self.clock, (self._end, 0, CLOCK, HIGH)),
            (self.line, (0, HIGH - LINE, self.w, LINE)),
        ]

    def show(self, shown: Shown) -> None:
        """Show the bar; while a ruling is disputed a tap on it decides what becomes of that."""
        disputed = any(mark.icon == "flag" for mark in shown.marks)
        self.on_tap = partial(self.emit, intents.Choose("dispute")) if disputed else None
        super().show(shown)

    def compose(self, ui: Ui) -> None:
        pen, bar = ui.pen, ui.area
        shown: Shown | None = self.shown
        ui.fill(bar, "bg1")
        pen.fill(0, bar.h - LINE, bar.w, LINE, "line")
        ui.target(bar.cut_right(MENU), "menu", MenuKey, None, partial(self.emit, intents.OpenMenu()))
        if self.time:
            bar.cut_right(CLOCK)
            pen.fill(bar.right, 0, 1, bar.h - LINE, "line")
        if shown is None:
            return
        if shown.call:
            ui.target(bar.cut_right(CALL), "call", CallKey, shown.call, partial(self.emit, intents.CallControl()))
        self._draw(pen, shown, bar.right)

    def _draw(self, pen: Pen, shown: Shown, end: float) -> None:
        """Draw lap, turn and weather, and the reminders that fit beside them."""
        middle, x = (pen.h - LINE) / 2 + 1, 14.0
        counted = shown.counted or theme.say("round")
        for word, figure, of in ((theme.say("lap"), shown.lap, shown.laps), (counted, shown.round, shown.rounds)):
            if figure:
                x = self._figure(pen, word, figure, f"/{of}" if of else "", x, middle)
        x = self._weather(pen, shown, x, middle, end)
        for mark in shown.marks:
            wide = pen.width(mark.text, CAPTION) + (20 if mark.icon else 0) + 16
            text = wide <= end - x - 8
            wide = wide if text else 36.0
            if wide > end - x - 8:
                break
            token = TONES[mark.tone]
            pen.rim(end - wide - 8, middle - 14, wide, 28, token, 1.5, 3)
            left = end - wide
            if mark.icon:
                pen.icon(mark.icon, left + (8 if text else 10), middle, 16, token)
                left += 20
            if text:
                pen.text(mark.text, left, middle, CAPTION, token)
            end -= wide + 8

    def _figure(self, pen: Pen, word: str, figure: str, of: str, x: float, middle: float) -> float:
        x += pen.text(word, x, middle + 1, SMALL, "low") + 9
        x += pen.text(figure, x, middle, TITLE - 2, "hi", BOLD)
        if of:
            x += 1 + pen.text(of, x + 1, middle + 1, BODY, "mid", SEMIBOLD)
        x += 14
        pen.fill(x, 0, 1, pen.h - LINE, "line")
        return x + 15

    def _weather(self, pen: Pen, shown: Shown, x: float, middle: float, end: float) -> float:
        if not shown.sky:
            return x
        if shown.sky_icon in NAMES:
            pen.icon(shown.sky_icon, x + 12, middle, 24, SKY.get(shown.sky_icon, "info"))
            x += 34
        room = end - x - 12
        x += pen.text(shown.sky, x, middle, BODY, "hi", BOLD, room=room, cut=True) + 9
        if shown.surface and pen.width(shown.surface, SMALL) <= end - x - 12:
            x += pen.text(shown.surface, x, middle, SMALL, "mid") + 14
        pen.fill(x, 0, 1, pen.h - LINE, "line")
        return x + 15
