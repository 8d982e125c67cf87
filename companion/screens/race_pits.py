"""The pits as columns of cars: a strip over the board, the column nearest the track at the left."""

from __future__ import annotations

from typing import Final

from companion.screens.pane import Pane
from companion.screens.pen import BOLD, SEMIBOLD, Pen
from companion.screens.theme import BODY, CAPTION
from companion.screens.view.shown import PitColumn
from companion.screens.widgets import plate

HIGH: Final = 92.0
CAR: Final = 92.0
SLIM: Final = 50.0
"""How wide a car is in its column, with its code and its stop, and with its plate alone where they are many."""


class PitStrip(Pane):
    """Shows a tuple of `PitColumn`."""

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
        room = CAR if len(column.cars) * CAR <= wide - 20 else SLIM
        for row, car in enumerate(column.cars):
            if x + room > left + wide:
                pen.text(f"+{len(column.cars) - row}", left + wide - 10, 60, BODY, "mid", align="right")
                return
            if car.now:
                pen.fill(x - 4, 34, room - 4, 50, "bg3", 8)
            pen.text(str(row + 1), x, 60, CAPTION, "mid")
            plate.draw(pen, car.plate, x + 26, 60, 28)
            if room == CAR:
                low = 12 if car.service else 0
                pen.text(car.code, x + 46, 60 - low, CAPTION, "hi", BOLD, room=CAR - 54, cut=True)
                pen.text(car.service, x + 46, 60 + low, CAPTION, "info", room=CAR - 54, cut=True)
            x += room
