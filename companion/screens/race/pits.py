"""The pits as a strip over the board: boxes along their lane, or columns of cars.

In a column the car nearest the track is at the left.
"""

from __future__ import annotations

from typing import Final

from companion.drawing.paints import paint_of
from companion.screens.board.car import draw as draw_car
from companion.screens.kit import plate
from companion.screens.kit.pane import Pane
from companion.screens.kit.pen import BOLD, SEMIBOLD, Pen
from companion.screens.kit.theme import BODY, CAPTION
from companion.view.shown_race import PitBox, PitColumn, PitLane

HIGH: Final = 92.0
LANE_HEIGHT: Final = 32.0
"""Height of the lane below its boxes, in dp."""
PLATE_HEIGHT: Final = 24.0
"""Height of a plate in a box, in dp; boxes too narrow for their plates show numbers."""
NUMBER_PITCH: Final = 17.0
"""Pitch of these numbers, one beneath another, in dp."""
MIN_CAR_WIDTH: Final = 92.0
MAX_CAR_WIDTH: Final = 112.0
PLATE_WIDTH: Final = 50.0
"""Width of a car in its column, in dp: minimum and maximum with code and stop, and width with the plate alone if they
are many. A box no wider than that shows the plate alone, too."""


class BoxStrip(Pane):
    """A strip that shows a `PitLane`."""

    def paint(self, pen: Pen) -> None:
        shown: PitLane | None = self.shown
        if shown is None:
            return
        pen.fill(0, 0, pen.w, pen.h, "bg0")
        wide = (pen.w - 8) / len(shown.boxes)
        for at, box in enumerate(shown.boxes):
            self._box(pen, box, 4 + at * wide, wide, pen.h - LANE_HEIGHT)
        top = pen.h - LANE_HEIGHT
        pen.fill(0, top, pen.w, LANE_HEIGHT, "asphalt")
        pen.fill(0, top, pen.w, 1, "edge")
        for space in range(1, shown.spaces):
            pen.fill(space * pen.w / shown.spaces, top + 6, 1, LANE_HEIGHT - 12, "cell")
        for along, one in shown.cars:
            plate.draw(pen, one, along * pen.w, top + LANE_HEIGHT / 2, 26)
        pen.icon("arrow-right", pen.w - 18, top + LANE_HEIGHT / 2, 22, "mid")
        pen.fill(0, pen.h - 1, pen.w, 1, "line")

    @staticmethod
    def _box(pen: Pen, box: PitBox, left: float, wide: float, high: float) -> None:
        """Draw one box: its number, its service and the car in it.

        An empty box has its owners' plates, without their colours.
        """
        there = box.car
        now = there is not None and there.now
        pen.fill(left + 2, 4, wide - 4, high - 4, "bg3" if now else "bg1", 6)
        pen.rim(left + 2, 4, wide - 4, high - 4, "hi" if now else "line", 2 if now else 1, 6)
        pen.text(str(box.number), left + 10, 16, CAPTION, "mid", BOLD)
        middle, line = left + wide / 2, 4 + (high + 20) / 2
        if there is None:
            each = min(28.0, (wide - 4) / max(1, len(box.owners)))
            for row, owner in enumerate(box.owners):
                aside = row - (len(box.owners) - 1) / 2
                if each >= PLATE_HEIGHT:
                    plate.outlined(pen, owner, middle + aside * each, line, PLATE_HEIGHT)
                else:
                    pen.text(str(owner.number), middle, line + aside * NUMBER_PITCH, CAPTION, "mid", BOLD, "centre")
            return
        if pen.width(there.service, CAPTION) <= wide - 34:
            pen.text(there.service, left + wide - 10, 16, CAPTION, "info", align="right")
        if wide > PLATE_WIDTH:
            draw_car(pen, paint_of(there.plate.place), middle, line, pen.pixels(min(62.0, wide - 14)))
        plate.draw(pen, there.plate, middle, line, PLATE_HEIGHT)


class PitStrip(Pane):
    """A strip that shows a tuple of `PitColumn`."""

    def paint(self, pen: Pen) -> None:
        pen.fill(0, 0, pen.w, pen.h, "bg1")
        columns: tuple[PitColumn, ...] = self.shown or ()
        wide = pen.w / max(1, len(columns))
        for at, column in enumerate(columns):
            self._column(pen, column, at * wide, wide)
        pen.fill(0, pen.h - 1, pen.w, 1, "line")

    @staticmethod
    def _column(pen: Pen, column: PitColumn, left: float, wide: float) -> None:
        if left:
            pen.fill(left, 8, 1, pen.h - 16, "line")
        pen.text(column.name, left + 12, 19, CAPTION, "mid", SEMIBOLD, room=wide - 24)
        x = left + 12
        each = min(MAX_CAR_WIDTH, (wide - 20) / max(1, len(column.cars)))
        room = each if each >= MIN_CAR_WIDTH else PLATE_WIDTH
        for row, car in enumerate(column.cars):
            if x + room > left + wide:
                pen.text(f"+{len(column.cars) - row}", left + wide - 10, 60, BODY, "mid", align="right")
                return
            if car.now:
                pen.fill(x - 4, 34, room - 4, 50, "bg3", 8)
            pen.text(str(row + 1), x, 60, CAPTION, "mid")
            plate.draw(pen, car.plate, x + 26, 60, 28)
            if room >= MIN_CAR_WIDTH:
                low = 12 if car.service else 0
                pen.text(car.code, x + 46, 60 - low, CAPTION, "hi", BOLD, room=room - 54, cut=True)
                pen.text(car.service, x + 46, 60 + low, CAPTION, "info", room=room - 54, cut=True)
            x += room
