"""The touch check: four corners to hit, and a sheet to draw on, to see where a panel thinks the finger is."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from kivy.graphics import Color, InstructionGroup, Line

from companion.screens.app.screen import Screen
from companion.screens.widgets.key import Face, Key
from companion.screens.widgets.pen import BOLD, SEMIBOLD, Pen
from companion.screens.widgets.theme import BODY, SMALL, TITLE, theme
from companion.screens.widgets.touch import Target
from companion.screens.widgets.unsaved import unsaved

if TYPE_CHECKING:
    from companion.screens.app.app import CompanionApp

CORNER: Final = 96
"""The side of the square in a corner."""
EDGE: Final = 4
"""How far it is from the edges of the panel."""
POINTS: Final = 4000
"""The most points of a drawing; then it begins anew."""


class Corner(Target):
    """A square in a corner with a cross in its middle. It hears where it was touched, and shows how far off that was,
    in dp."""

    def __init__(self, **properties: Any) -> None:
        super().__init__(**properties)
        self.off: int | None = None

    def on_touch_up(self, touch: Any) -> bool:
        if touch.grab_current is self and self.pressed:
            self.off = round(math.dist(touch.pos, self.center) / theme.scale)
        return super().on_touch_up(touch)

    def paint(self, pen: Pen) -> None:
        pen.fill(0, 0, pen.w, pen.h, "bg4" if self.pressed else "bg1", 8)
        pen.rim(0, 0, pen.w, pen.h, "rim", 2, 8)
        if self.off is None:
            pen.icon("target", pen.w / 2, pen.h / 2, 40, "hi")
        else:
            pen.icon("check", pen.w / 2, pen.h / 2 - 12, 32, "ok")
            pen.text(f"± {self.off} dp", pen.w / 2, pen.h / 2 + 24, SMALL, "hi", SEMIBOLD, "centre")


class TouchCheckScreen(Screen):
    """Touch the corners, draw, go back."""

    def __init__(self, app: CompanionApp, given: Mapping[str, object]) -> None:
        super().__init__(app, given)
        self.corners = [Corner(on_tap=self.look_again) for _ in range(4)]
        self._back = Key(on_tap=app.back)
        self._sheet = InstructionGroup()
        self.canvas.add(self._sheet)
        self.points = 0

    def arrange(self) -> None:
        for place, corner in enumerate(self.corners):
            x, y = place % 2 * (self.w - CORNER - 2 * EDGE), place // 2 * (self.h - CORNER - 2 * EDGE)
            self.put(corner, EDGE + x, EDGE + y, CORNER, CORNER)
        self._back.show(Face(label=self.say("keys.back"), look="option", size=BODY, icon="arrow-left"))
        self.put(self._back, self.w / 2 - 70, self.h - 84, 140, 72)

    def paint(self, pen: Pen) -> None:
        pen.fill(0, 0, pen.w, pen.h, "bg1")
        done = all(corner.off is not None for corner in self.corners)
        said = self.say("touch.done" if done else "touch.corners")
        pen.text(said, pen.w / 2, 44, TITLE, "ok" if done else "hi", BOLD, "centre", pen.w - 2 * CORNER - 24)
        unsaved.paint(pen, (pen.w + unsaved.room) / 2, 114)
        pen.text(self.say("touch.draw"), pen.w / 2, 78, BODY, "mid", SEMIBOLD, "centre", pen.w - 2 * CORNER - 24)

    # -- drawing

    def on_touch_down(self, touch: Any) -> bool:
        if super().on_touch_down(touch):
            return True
        if self.points > POINTS:
            self._sheet.clear()
            self.points = 0
        line = Line(points=[*touch.pos, *touch.pos], width=theme.dp(1.5))
        self._sheet.add(Color(*theme.rgba("info")))
        self._sheet.add(line)
        touch.ud[self] = line
        return True

    def on_touch_move(self, touch: Any) -> bool:
        line = touch.ud.get(self)
        if line is None:
            return bool(super().on_touch_move(touch))
        line.points += touch.pos
        self.points += 1
        return True
