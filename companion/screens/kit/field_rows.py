"""Rows of numeric fields, each with its name, its points, and − and +."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from companion.screens.kit.key import Key
from companion.screens.kit.pane import Pane
from companion.screens.kit.pen import BOLD, SEMIBOLD, Pen
from companion.screens.kit.stepper import figure_steps
from companion.screens.kit.theme import CAPTION, NAME, QUESTION
from companion.screens.kit.touch import Explained
from companion.view.shown import Field


class FieldRows(Pane):
    """Table of stepper `Field`s, with `on_change(name, value)`.

    Each row has a pictogram, name and note, a segment for each point of a pool, and − and + (which repeat while held)
    if it can change, else a note on its price. The rows share the height, as if there were at least `rows` of them.
    """

    def __init__(self, on_change: Callable[[str, int], object], rows: int = 1, **properties: Any) -> None:
        super().__init__(**properties)
        self.on_change, self.rows = on_change, rows
        self.keys: dict[str, tuple[Key, Key]] = {}
        self.named: list[Explained] = []

    @property
    def high(self) -> float:
        """The height of a row, in dp."""
        return self.h / max(self.rows, len(self.shown or ()))

    def arrange(self) -> None:
        fields: tuple[Field, ...] = self.shown or ()
        wanted = {field.name for field in fields if field.note or field.low != field.high or field.value != field.low}
        for name in [name for name in self.keys if name not in wanted]:
            for key in self.keys.pop(name):
                self.remove_widget(key)
        self.as_many(self.named, len(fields), Explained)
        for row, field in enumerate(fields):
            self.named[row].means = field
            self.put(self.named[row], 0, row * self.high, max(1.0, self.w - 179), self.high)
            if field.name not in wanted:
                continue
            pair = self.keys.setdefault(field.name, (Key(), Key()))
            pair[0].joined = pair[1].joined = True
            place = self.w - 171, row * self.high + (self.high - 50) / 2, 160, 50
            figure_steps(self, pair, place, 58, field, self.on_change)

    def paint(self, pen: Pen) -> None:
        fields: tuple[Field, ...] = self.shown or ()
        high = self.high
        wide = max((pen.width(field.label, NAME, SEMIBOLD) for field in fields), default=0.0)
        wide = max((wide, *(pen.width(field.note, CAPTION, SEMIBOLD) for field in fields)))
        segments = max(126.0, 48 + wide + 12)
        for row, field in enumerate(fields):
            middle = (row + 0.5) * high
            if row:
                pen.fill(0, row * high, pen.w, 1, "line")
            if field.icon:
                pen.icon(field.icon, 27, middle, 26, "mid")
            left = 48.0 if field.icon else 14.0
            lift = 9 if field.note else 0
            pen.text(field.label, left, middle - lift, NAME, "hi", SEMIBOLD, room=pen.w - 180 - left)
            pen.text(field.note, left, middle + 13, CAPTION, "mid", SEMIBOLD, room=pen.w - 180 - left)
            if field.icon and pen.w - 183 - segments > 40:
                self._segments(pen, field, segments, middle, pen.w - 183 - segments)
            pen.text(str(field.value), pen.w - 92, middle, QUESTION - 2, "hi", BOLD, "centre", room=42)

    def _segments(self, pen: Pen, field: Field, left: float, middle: float, room: float) -> None:
        """Draw a segment for each point, then an empty one for each that could be added."""
        count = max(field.value, min(field.high, field.value + 3, int(room // 13)))
        pitch = min(13.0, room / max(1, count))
        wide = max(2.0, pitch - 3)
        for place in range(count):
            x = left + place * pitch
            if place < field.value:
                pen.fill(x, middle - 11, wide, 22, "hi", 2)
            else:
                pen.rim(x, middle - 11, wide, 22, "rim", 1.5, 2)
