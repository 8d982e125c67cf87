"""Rows of numeric fields, each with its name, its points, and − and +."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from companion.screens.kit.compose import Area, Composed, Ui
from companion.screens.kit.pen import BOLD, SEMIBOLD, Pen
from companion.screens.kit.theme import CAPTION, NAME, QUESTION
from companion.screens.kit.touch import Explained
from companion.view.shown import Field


class FieldRows(Composed):
    """Table of stepper `Field`s, with `on_change(name, value)`.

    Each row has a pictogram, name and note, a segment for each point of a pool, and − and + (which repeat while held)
    if it can change, else a note on its price. The rows share the height, as if there were at least `rows` of them.
    """

    def __init__(self, on_change: Callable[[str, int], object], rows: int = 1, **properties: Any) -> None:
        super().__init__(**properties)
        self.on_change, self.rows = on_change, rows

    def compose(self, ui: Ui) -> None:
        fields: tuple[Field, ...] = self.shown or ()
        widths = [ui.pen.width(*text) for field in fields for text in ((field.label, NAME), (field.note, CAPTION))]
        segments = max(126.0, 48 + max(widths, default=0.0) + 12)
        rows = ui.area.rows(max(self.rows, len(fields)), gap=0)
        for row, field in zip(rows, fields, strict=False):
            if field is not fields[0]:
                ui.fill(Area(row.x, row.y, row.w, 1), "line")
            self._compose_row(ui, row, field, segments)

    def _compose_row(self, ui: Ui, row: Area, field: Field, segments: float) -> None:
        """Compose a field, its segments from `segments` on."""
        pen, middle = ui.pen, row.middle[1]
        row.cut_right(11)
        keys = row.cut_right(160).inset(0, (row.h - 50) / 2)
        row.cut_right(8)
        ui.target(row, field.name, Explained, None).means = field
        left = 48.0 if field.icon else 14.0
        room = row.right - 1 - left
        if field.icon:
            pen.icon(field.icon, 27, middle, 26, "mid")
            if row.right - 4 - segments > 40:
                self._segments(pen, field, segments, middle, row.right - 4 - segments)
        pen.text(field.label, left, middle - (9 if field.note else 0), NAME, "hi", SEMIBOLD, room=room)
        pen.text(field.note, left, middle + 13, CAPTION, "mid", SEMIBOLD, room=room)
        pen.text(str(field.value), keys.middle[0] - 1, middle, QUESTION - 2, "hi", BOLD, "centre", room=42)
        if field.note or field.low != field.high or field.value != field.low:
            for key in ui.steps(keys, field.name, 58, partial(self._step, field), partial(self._can, field)):
                key.joined = True

    def _step(self, field: Field, by: int) -> None:
        self.on_change(field.name, field.value + by)

    @staticmethod
    def _can(field: Field, by: int) -> bool:
        return bool(field.low <= field.value + by <= field.high)

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
