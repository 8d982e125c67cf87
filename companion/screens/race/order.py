"""The full running order, and the classification when the race is over: a row of 52 dp for each car."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from companion.drawing.paints import paint_of
from companion.screens.widgets import plate
from companion.screens.widgets.key import Face, Key, prices, wide_of
from companion.screens.widgets.order_strip import chip
from companion.screens.widgets.pane import Pane
from companion.screens.widgets.pen import BOLD, SEMIBOLD, Pen
from companion.screens.widgets.rows import Rows, RowView
from companion.screens.widgets.theme import BODY, NAME, SMALL, TITLE, VALUE, theme
from companion.view.shown import Price, Row

HEAD: Final = 60.0
CLOSE: Final = 52.0
ENDING: Final = 178.0
"""Room for gear, lap and gap at the end of a row, so that what cars have left stands in columns, in dp."""
ODDS: Final = 72.0
"""How wide the bar of a favourite's odds is, in dp."""
PITCH: Final = 44.0
"""From one figure of what a car has left to the next, in dp: two digits and a pictogram."""


class OrderRow(RowView):
    """A car with its whole name, team, gear, lap and gap; in a classification with its points. A team with the plates
    of its cars and its drivers, on a ground of its own."""

    def draw(self, pen: Pen, row: Row) -> None:
        middle = pen.h / 2
        if row.playing:
            pen.fill(0, 0, pen.w, pen.h - 1, "bg3")
            pen.fill(0, 0, 4, pen.h - 1, paint_of(row.plate.place).colour)
        if row.of_team:
            pen.fill(0, 0, pen.w, pen.h - 1, "bg3")
        ink = "low" if row.out else "hi"
        pen.text(str(row.position or "–"), 44, middle, VALUE, "low" if row.out else "mid", BOLD, "right")
        left = 112.0
        plate.draw(pen, row.plate, 80, middle, 32)
        for mate in row.mates:
            plate.draw(pen, mate, left + 2, middle, 32)
            left += 34
        end = pen.w - 16
        if row.odds:
            pen.text(row.odds, end, middle, NAME, ink, align="right")
            end -= pen.width("100 %", NAME) + 12
            pen.fill(end - ODDS, middle - 4, ODDS, 8, "bg4", 2)
            pen.fill(end - ODDS, middle - 4, ODDS * row.share, 8, ink, 2)
            end -= ODDS + 16
        elif row.chip:
            end -= chip(pen, row.chip, end, middle, theme.toned(row.chip_tone, "low")) + 16
        elif row.gap:
            end -= pen.text(row.gap, end, middle, NAME, ink, align="right") + 16
        for word in (row.points, row.lap, row.gear):
            if word:
                end -= pen.text(word, end, middle, BODY, "low" if row.out else "mid", align="right") + 16
        if row.note:
            end -= pen.text(row.note, end, middle, BODY, "low", SEMIBOLD, "right", room=end - 300, cut=True) + 16
        if row.left:
            end = min(end, pen.w - ENDING)
            end -= _columns(pen, row.left, end, middle) + 16
        x = left + pen.text(row.name or row.code, left, middle, NAME, ink, room=end - left, cut=True) + 14
        if row.team and end - x > 40:
            pen.text(row.team, x, middle, BODY, "low" if row.out else "mid", SEMIBOLD, room=end - x, cut=True)


def _columns(pen: Pen, left: tuple[Price, ...], right: float, middle: float) -> float:
    """Writes what a car has left in columns that stand below each other in all rows; how wide they are comes back."""
    each = max(PITCH, max(wide_of(pen, (price,), SMALL) for price in left) + 8)
    for place, price in enumerate(left):
        prices(pen, (price,), right - each * (len(left) - place), middle, each, "left", SMALL)
    return each * len(left)


class FullOrder(Pane):
    """Shows (title, rows), without a title the rows alone. `on_row(row)` and `on_row_hold(row)` tell which car was
    touched; `on_close()`, if it is given, has a key."""

    def __init__(
        self,
        on_row: Callable[[Row], object],
        on_row_hold: Callable[[Row], object] | None = None,
        on_close: Callable[[], object] | None = None,
        **properties: Any,
    ) -> None:
        super().__init__(**properties)
        hold = (lambda at: on_row_hold(self.shown[1][at])) if on_row_hold is not None else None
        self.rows = Rows(OrderRow, on_row=lambda at: on_row(self.shown[1][at]), on_row_hold=hold)
        self.close = Key(on_tap=on_close, means="close")

    def arrange(self) -> None:
        if self.shown is None:
            return
        rows: tuple[Row, ...] = self.shown[1]
        head = HEAD if self.shown[0] else 0
        self.put(self.rows, 0, head, self.w, self.h - head)
        self.rows.show(rows)
        if self.close.heard:
            self.close.show(Face(label=theme.say("close"), look="quiet"))
            self.put(self.close, self.w - 124, 4, 112, CLOSE)

    def reveal(self) -> None:
        """Scrolls to the car that plays."""
        self.draw_now()
        playing = next((at for at, row in enumerate(self.shown[1]) if row.playing), None)
        if playing is not None:
            self.rows.reveal(playing)

    def on_touch_down(self, touch: Any) -> bool:
        return bool(super().on_touch_down(touch)) or bool(self.collide_point(*touch.pos))

    def paint(self, pen: Pen) -> None:
        pen.fill(0, 0, pen.w, pen.h, "bg1")
        if self.shown is not None and self.shown[0]:
            pen.fill(0, HEAD - 1, pen.w, 1, "line")
            pen.text(self.shown[0], 20, HEAD / 2, TITLE, "hi", BOLD, room=pen.w - 160)
