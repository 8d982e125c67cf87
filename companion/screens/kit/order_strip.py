"""The running order beside the board: a row per car, or only position and plate."""

from __future__ import annotations

from typing import Any, Final

from companion.drawing.paints import paint_of
from companion.screens.kit import plate
from companion.screens.kit.motion import ROWS, eased, movements
from companion.screens.kit.pen import BOLD, SEMIBOLD, Pen
from companion.screens.kit.theme import BODY, CAPTION, SMALL, theme
from companion.screens.kit.touch import Target
from companion.view.shown import Plate, Row

ROW: Final = 27.2
ODDS_WIDTH: Final = 52.0
"""Width of the bar of a favourite's odds, in dp."""
FOOT_HEIGHT: Final = 30.0
"""Height of the sign that there is more to the order than the rows, if they leave room for it, in dp."""
SLIM: Final = 100.0
"""Width below which only place and plate are shown, in dp."""


class OrderStrip(Target):
    """The running order; one target (`on_tap`) that opens the full order.

    If not all cars fit, it shows those around the playing car, which comes third.
    """

    joined = True

    def __init__(self, **properties: Any) -> None:
        self._from: dict[Plate, float] = {}
        """Offset of each row that is still moving, in dp below its place."""
        self._shifts: list[tuple[Any, Plate]] = []
        super().__init__(**properties)

    def show(self, rows: tuple[Row, ...]) -> None:
        """Show the rows; animate those that change position."""
        before = {row.plate: place for place, row in enumerate(self.visible())}
        super().show(rows)
        moved = {row.plate: before.get(row.plate, place) - place for place, row in enumerate(self.visible())}
        if any(moved.values()):
            way = {plate: by * ROW for plate, by in moved.items() if by}
            movements.begin((self, "rows"), ROWS, lambda part: self._move(way, 1.0 - eased(part)))

    def _move(self, way: dict[Plate, float], left: float) -> None:
        self._from = {plate: by * left for plate, by in way.items() if left}
        for shift, moved in self._shifts:
            shift.y = -round(theme.dp(self._from.get(moved, 0.0)))

    def visible(self) -> tuple[Row, ...]:
        """Return the rows that fit."""
        rows: tuple[Row, ...] = self.shown or ()
        room = max(1, int((self.h + 1) // ROW))
        playing = next((place for place, row in enumerate(rows) if row.playing), 0)
        first = max(0, min(playing - 2, len(rows) - room))
        return rows[first : first + room]

    def paint(self, pen: Pen) -> None:
        pen.fill(0, 0, pen.w, pen.h, "bg3" if self.pressed else "bg1")
        self._shifts = []
        for place, row in enumerate(self.visible()):
            if row.plate in self._from:
                with pen.shifted() as shift:
                    self._row(pen, row, place * ROW)
                self._shifts.append((shift, row.plate))
            else:
                self._row(pen, row, place * ROW)
        self._move(self._from, 1.0)
        foot = len(self.visible()) * ROW
        if self.on_tap is not None and foot + FOOT_HEIGHT <= pen.h:
            said = "" if pen.w < SLIM else theme.words.screen("race.whole_order")
            wide = pen.text(said, 12, foot + FOOT_HEIGHT / 2 + 2, CAPTION, "mid", room=pen.w - 34) + 4 if said else 0
            pen.icon("forward", 19 + wide, foot + FOOT_HEIGHT / 2 + 2, 14, "mid")
        pen.fill(pen.w - 1, 0, 1, pen.h, "line")

    def _row(self, pen: Pen, row: Row, top: float) -> None:
        middle = top + ROW / 2
        if row.playing:
            pen.fill(0, top, pen.w, ROW, "bg3")
            pen.fill(0, top, 4, ROW, paint_of(row.plate.place).colour)
        else:
            pen.fill(0, top + ROW - 1, pen.w, 1, "line", alpha=0.5)
        faint = row.out
        slim = pen.w < SLIM
        pen.text(str(row.position), 21 if slim else 27, middle, BODY, "low" if faint else "mid", BOLD, "right")
        plate.draw(pen, row.plate, 38 if slim else 47, middle, 24)
        if slim:
            return
        quiet = "low" if faint else "mid" if row.played else "hi"
        code = pen.text(row.code, 66, middle, 17, quiet, room=46, cut=True)  # three signs of any script
        end = pen.w - 9
        if row.odds:
            pen.text(row.odds, end, middle, SMALL, quiet, SEMIBOLD, "right")
            pen.fill(100, middle - 3, ODDS_WIDTH, 6, "bg4", 2)
            pen.fill(100, middle - 3, ODDS_WIDTH * row.share, 6, quiet, 2)
            return
        if row.chip:
            token = theme.toned(row.chip_tone, "low")
            end -= chip(pen, row.chip, end, middle, token) + 4
        elif row.gap:
            end -= pen.text(row.gap, end, middle, SMALL if len(row.gap) > 4 else 17, quiet, align="right") + 4
        x = 66 + max(33.0, code + 4)
        for word in (row.gear, row.lap):
            if word and x + pen.width(word, CAPTION) <= end:
                letter = pen.text(word[:1], x, middle, CAPTION, "low")
                pen.text(word[1:], x + letter, middle, CAPTION, "low" if faint else "mid", SEMIBOLD)
                x += max(22.5, pen.width(word, CAPTION) + 4)


def chip(pen: Pen, word: str, right: float, middle: float, token: str) -> float:
    """Draw a status chip that ends at `right`; return its width in dp."""
    wide = pen.width(word, CAPTION) + 13
    pen.rim(right - wide, middle - 10.5, wide, 21, token, 1, 3)
    pen.text(word, right - wide / 2, middle, CAPTION, token, SEMIBOLD, "centre")
    return wide
