"""The full running order, and the classification after the race, in rows of 52 dp."""

from __future__ import annotations

from functools import partial
from typing import Any, Final

from companion.drawing.paints import paint_of
from companion.screens.kit import plate
from companion.screens.kit.compose import Area, Composed, Ui
from companion.screens.kit.key import Face, prices, wide_of
from companion.screens.kit.order_strip import chip
from companion.screens.kit.pen import BOLD, SEMIBOLD, Pen
from companion.screens.kit.rows import Rows, RowView
from companion.screens.kit.theme import BODY, NAME, SMALL, TITLE, VALUE, theme
from companion.view.race import intents
from companion.view.race.intents import Emit
from companion.view.shown import Price, Row

HEAD: Final = 60.0
CLOSE: Final = 52.0
ENDING: Final = 178.0
"""Width of gear, lap and gap at the end of a row, in dp, so that what cars have left stands in columns."""
ODDS_WIDTH: Final = 72.0
"""Width of the bar of a favourite's odds, in dp."""
PITCH: Final = 44.0
"""Pitch of the figures of what a car has left, in dp: two digits and a pictogram."""


class OrderRow(RowView):
    """A row of the order.

    A car has its full name, team, gear, lap and gap, and in a classification its points; a team has its cars' plates
    and its drivers, on a shaded background.
    """

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
            end -= pen.width(theme.words.percent(100), NAME) + 12
            pen.fill(end - ODDS_WIDTH, middle - 4, ODDS_WIDTH, 8, "bg4", 2)
            pen.fill(end - ODDS_WIDTH, middle - 4, ODDS_WIDTH * row.share, 8, ink, 2)
            end -= ODDS_WIDTH + 16
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
    """Draw what a car has left, in aligned columns; return their total width."""
    each = max(PITCH, max(wide_of(pen, (price,), SMALL) for price in left) + 8)
    for place, price in enumerate(left):
        prices(pen, (price,), right - each * (len(left) - place), middle, each, "left", SMALL)
    return each * len(left)


class FullOrder(Composed):
    """An order that shows (title, rows); an empty title leaves the rows alone.

    A tap on a car opens its sheet. Over the race (`over`) a hold explains the car, and there is a close key.
    """

    def __init__(self, emit: Emit, over: bool = False, **properties: Any) -> None:
        self.emit, self.over = emit, over
        super().__init__(**properties)

        def number(at: int) -> int:
            row: Row = self.shown[1][at]
            return row.plate.number

        self.rows = Rows(
            OrderRow,
            on_row=lambda at: emit(intents.OpenSheet(number(at))),
            on_row_hold=(lambda at: emit(intents.Explain(intents.CarSubject(number(at))))) if over else None,
        )

    def compose(self, ui: Ui) -> None:
        ui.fill(ui.area, "bg1")
        if self.shown is None:
            return
        title, rows = self.shown
        head = ui.area.cut_top(HEAD if title else 0)
        ui.place(ui.area, self.rows).show(rows)
        if self.over:
            close = partial(self.emit, intents.CloseCover())
            key = Area(ui.area.right - 124, 4, 112, CLOSE)
            ui.button(key, "close", Face(label=theme.say("close"), look="quiet"), close, means="close")
        if title:
            ui.fill(head.cut_bottom(1), "line")
            ui.pen.text(title, 20, HEAD / 2, TITLE, "hi", BOLD, room=head.w - 160)

    def reveal(self) -> None:
        """Scroll to the car to play."""
        self.draw_now()
        playing = next((at for at, row in enumerate(self.shown[1]) if row.playing), None)
        if playing is not None:
            self.rows.reveal(playing)

    def on_touch_down(self, touch: Any) -> bool:
        return bool(super().on_touch_down(touch)) or bool(self.collide_point(*touch.pos))
