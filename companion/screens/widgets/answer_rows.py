"""Many answers, one below the other, in a list that scrolls."""

from __future__ import annotations

from typing import Any

from companion.screens.pen import BOLD, Pen
from companion.screens.theme import BODY, CAPTION, SMALL
from companion.screens.view.shown import Key
from companion.screens.widgets.key import prices, wide_of
from companion.screens.widgets.rows import RowView


class AnswerRow(RowView):
    """Shows (answer, whether it is selected): its label, its second line (beside it, or a long one beneath it), and
    its prices at the right."""

    def draw(self, pen: Pen, shown: Any) -> None:
        answer: Key = shown[0]
        middle, end = pen.h / 2, pen.w - 18
        if shown[1]:
            pen.rim(0, 1, pen.w - 6, pen.h - 3, "pri", 3, 8)
        wide = wide_of(pen, answer.prices)
        if wide:
            prices(pen, answer.prices, end - wide, middle, wide + 2, align="left")
            end -= wide + 12
        token = "low" if answer.why else "hi"
        note = pen.width(answer.note, SMALL) if answer.note else 0.0
        if note > (end - 12) / 2:
            pen.text(answer.label, 12, middle - 11, BODY, token, BOLD, room=end - 12, cut=True)
            pen.text(answer.note, 12, middle + 11, CAPTION, "mid" if token == "hi" else "low", room=end - 12, cut=True)
            return
        room = end - 12 - (note + 10 if note < (end - 12) / 2 else 0)
        left = 12 + pen.text(answer.label, 12, middle, BODY, token, BOLD, room=room, cut=True) + 10
        if answer.note and note <= end - left:
            pen.text(answer.note, left, middle, SMALL, "mid" if not answer.why else "low")
