"""The guide for a first lap.

A panel at the foot of the board explains the situation and what to do, and points to the advised key. Every key can
still be tapped.
"""

from __future__ import annotations

from functools import partial
from typing import Any, Final

from kivy.uix.widget import Widget

from companion.screens.kit.compose import Area, Composed, Ui
from companion.screens.kit.key import OUTSIDE, RADIUS, Face
from companion.screens.kit.pen import SEMIBOLD, Pen
from companion.screens.kit.theme import BODY, CAPTION, theme
from companion.screens.kit.touch import Target
from companion.view.race import intents
from companion.view.race.intents import Emit
from companion.view.shown_race import Guide

HIGH: Final = 84.0
"""Height of the panel with one line of facts, in dp."""
LINE: Final = 22.0
EDGE: Final = 5.0
LEAVE: Final = 118.0
STEP: Final = (18.0, 6.0)


def height(guide: Guide) -> float:
    """Return the height of a guide's panel in dp, which grows with its lines."""
    return HIGH + LINE * guide.what.count("\n")


class Coach(Composed):
    """An overlay of the whole screen that shows a `Guide`.

    Its panel starts at `panel_top` and is `wide`, both in dp. `doubt` is the question put to a player who takes another
    key; it replaces the advice.
    """

    is_advice = True

    def __init__(self, emit: Emit, **properties: Any) -> None:
        self.emit = emit
        super().__init__(**properties)
        self.panel_top = self.wide = self.clear = 0.0
        self.doubt = ""
        self.key: Widget | None = None
        """Key that it points to."""

    def show_at(self, guide: Guide, top: float, wide: float, doubt: str) -> None:
        """Show a guide with its panel at the given height."""
        if (top, wide, doubt) != (self.panel_top, self.wide, self.doubt) or guide != self.shown:
            self.panel_top, self.wide, self.doubt, self.key = top, wide, doubt, None
            self.shown = guide
            self.look_again()

    def point(self, root: Widget, clear: float) -> None:
        """Point to the advised key, wherever it is on the screen.

        A line leads to it only if it lies further right than `clear`, in dp, where the text ends.
        """
        self.clear = clear
        guide: Guide | None = self.shown
        found = None
        if guide is not None and guide.advised and guide.fresh:
            found = next(
                (
                    one for one in root.walk(restrict=True)
                    if isinstance(one, Target) and one.heard and isinstance(one.shown, Face)
                    and one.shown.label == guide.advised and one.parent is not self
                ),
                None,
            )  # fmt: skip
        if found is not self.key or found is not None:
            self.key = found
            self.look_again()

    def compose(self, ui: Ui) -> None:
        guide: Guide | None = self.shown
        if guide is None:
            return
        say, pen = theme.words.screen, ui.pen
        leave = Area(self.wide - LEAVE - 10, self.panel_top + 10, LEAVE, HIGH - 20)
        face = Face(label=say("guide.leave"), note=say("guide.leave_note"), look="quiet", size=BODY)
        ui.button(leave, "leave", face, partial(self.emit, intents.LeaveGuide()), means="guide")
        top, left = self.panel_top, EDGE + 47
        pen.fill(0, top, self.wide, height(guide), "bg2")
        pen.fill(0, top, self.wide, 1, "line")
        pen.fill(0, top, EDGE, height(guide), "warn" if self.doubt else "info")
        pen.icon("info", EDGE + 23, top + 26, 24, "info")
        room = self.wide - LEAVE - 22 - left
        first, *lines = guide.what.split("\n")
        pen.text(first, left, top + 20, BODY, "hi", SEMIBOLD, room=room)
        for line in lines:
            top += LINE
            pen.text(line, left, top + 20, BODY, "hi", SEMIBOLD, room=room)
        pen.text(self.doubt or guide.todo, left, top + 43, BODY, "warn" if self.doubt else "info", SEMIBOLD, room=room)
        wide, high = STEP
        for at, done in enumerate(guide.done):
            token = "hi" if at + 1 == guide.step else "ok" if done else "bg4"
            pen.fill(left + at * (wide + 4), top + 62, wide, high, token, 2)
        x = left + len(guide.done) * (wide + 4) + 8
        step = say("guide.counted", step=guide.step, of=len(guide.done), name=guide.name) if guide.step else guide.name
        pen.text(step, x, top + 65, CAPTION, "mid", SEMIBOLD, room=self.wide - LEAVE - 22 - x)
        self._pointer(pen, top + HIGH)

    def _pointer(self, pen: Pen, foot: float) -> None:
        """Draw a line from the foot of the panel to the key, and a frame around it."""
        key = self.key
        if key is None or key.get_root_window() is None:
            return
        scale = float(theme.scale)
        x, y = key.to_window(key.x, key.top)
        mine = self.to_window(self.x, self.top)
        x, y = (x - mine[0]) / scale, (mine[1] - y) / scale
        w, h = key.width / scale, key.height / scale
        pen.rim(x - OUTSIDE, y - OUTSIDE, w + 2 * OUTSIDE, h + 2 * OUTSIDE, "info", 3, RADIUS + OUTSIDE)
        begin, end, middle = foot, y - OUTSIDE, x + w / 2
        if end - begin > 20 and self.clear < middle < self.wide:
            pen.fill(middle - 1.5, begin, 3, end - begin - 16, "info")
            pen.icon("down", middle, end - 8, 16, "info")
