"""Many long answers, one below the other, in a list that scrolls."""

from __future__ import annotations

from typing import Any, Final

from companion.screens.widgets.key import LEGEND, prices, wide_of
from companion.screens.widgets.pen import BOLD, Pen
from companion.screens.widgets.rows import RowView
from companion.screens.widgets.theme import BODY, CAPTION, SMALL
from companion.view.shown import Key

EDGE: Final = 3.0
"""From the edge of a row to that of its key."""
INNER: Final = 7.0
"""The same where the outline of a selection is around the key."""


class AnswerRow(RowView):
    """Shows (answer, whether it is selected) as a key as wide as the list: its label, its second line (beside it, or a
    long one beneath it), and its prices at the right."""

    def draw(self, pen: Pen, shown: Any) -> None:
        answer: Key = shown[0]
        middle, end, edge = pen.h / 2, pen.w - 22, INNER if shown[1] else EDGE
        if self.pressed:
            pen.fill(0, 0, pen.w, pen.h, "bg2")
        if shown[1]:
            pen.rim(0, 1, pen.w - 6, pen.h - 3, "pri", 3, 10)
        if answer.why:
            pen.rim(edge, edge, pen.w - 6 - 2 * edge, pen.h - 2 * edge, "rim", 2, 8, dashes=True)
        else:
            pen.fill(edge, edge, pen.w - 6 - 2 * edge, pen.h - 2 * edge, "mid" if self.pressed else "pri", 8)
        token = "low" if answer.why else "onpri"
        wide = wide_of(pen, answer.prices)
        if wide:
            end -= wide + 4
            if not answer.why:
                pen.fill(end - 8, middle - LEGEND / 2, wide + 18, LEGEND, "bg2", 5)
            prices(pen, answer.prices, end, middle, wide + 2, align="left")
            end -= 16
        note = pen.width(answer.note, SMALL) if answer.note else 0.0
        if note > (end - 18) / 2:
            pen.text(answer.label, 18, middle - 11, BODY, token, BOLD, room=end - 18, cut=True)
            pen.text(answer.note, 18, middle + 11, CAPTION, token, room=end - 18, cut=True)
            return
        room = end - 18 - (note + 10 if note else 0)
        left = 18 + pen.text(answer.label, 18, middle, BODY, token, BOLD, room=room, cut=True) + 10
        if answer.note:
            pen.text(answer.note, left, middle, SMALL, token)
