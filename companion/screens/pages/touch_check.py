"""The touch check: four corners to hit and a sheet to draw on.

It shows where the panel reports the finger.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from kivy.graphics import Color, InstructionGroup, Line

from companion.screens.app.screen import Screen
from companion.screens.kit.compose import Area, Composed, Ui
from companion.screens.kit.key import Face
from companion.screens.kit.pen import BOLD, SEMIBOLD, Pen
from companion.screens.kit.theme import BODY, SMALL, TITLE, theme
from companion.screens.kit.touch import Target
from companion.screens.kit.unsaved import unsaved

if TYPE_CHECKING:
    from companion.screens.app.app import CompanionApp

CORNER: Final = 96
"""Side of the square in a corner, in dp."""
EDGE: Final = 4
"""Distance of that square from the edges of the panel, in dp."""
POINTS: Final = 4000
"""Maximum number of points of a drawing; after that it starts again."""


class CornerTarget(Target):
    """A square in a corner, with a target in its middle.

    Once touched, it shows how far off that was, in dp.
    """

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


class TouchCheckScreen(Composed, Screen):
    """The screen of the touch check."""

    def __init__(self, app: CompanionApp, given: Mapping[str, object]) -> None:
        super().__init__(app, given)
        self._sheet = InstructionGroup()
        self.canvas.add(self._sheet)
        self.points = 0

    def compose(self, ui: Ui) -> None:
        pen, middle = ui.pen, ui.area.middle[0]
        ui.fill(ui.area, "bg1")
        grid = ui.area.inset(EDGE, EDGE)
        across, down = grid.w - 2 * CORNER, grid.h - 2 * CORNER
        corners = []
        for place, cell in enumerate(grid.cells(4, 2, CORNER, across, down)):
            corner = ui.named(place, CornerTarget)
            corner.on_tap = self.look_again
            corners.append(ui.place(cell, corner))
        done = all(corner.off is not None for corner in corners)
        said, room = self.say("touch.done" if done else "touch.corners"), pen.w - 2 * CORNER - 24
        pen.text(said, middle, 44, TITLE, "ok" if done else "hi", BOLD, "centre", room)
        unsaved.paint(pen, middle + unsaved.room / 2, 114)
        pen.text(self.say("touch.draw"), middle, 78, BODY, "mid", SEMIBOLD, "centre", room)
        back = Face(label=self.say("keys.back"), look="option", size=BODY, icon="arrow-left")
        ui.button(Area(middle - 70, pen.h - 84, 140, 72), "back", back, self.app.back)

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
