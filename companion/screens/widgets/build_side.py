"""What stands beside the parts of a car that is built: keys to choose among, and steppers of what is kept beside it."""

from __future__ import annotations

from functools import partial
from typing import Any, Final

from companion.screens.widgets.key import Face, Key
from companion.screens.widgets.pane import Pane
from companion.screens.widgets.pen import BOLD, SEMIBOLD, Pen
from companion.screens.widgets.stepper import figure_steps
from companion.screens.widgets.theme import CAPTION, NAME, QUESTION, TONES
from companion.view.building import BuildShown
from companion.view.extras import TYRES

WIDE: Final = 185
STEP: Final = 126.0
"""From one stepper to the next: between them stand what the one is for and the name of the other."""


class Choice(Key):
    """A key among others beneath one another: the mark of a compound, its word, and a check on the chosen one."""

    answer: Any = None

    def _stacked(self, pen: Pen, face: Face, foot: float, ink: str, quieter: str) -> None:
        middle, left, right = foot / 2, 16.0, pen.w - 14
        if self.answer in TYRES:
            pen.rim(13, middle - 15, 30, 30, TONES[TYRES[self.answer]], 4, 15)
            pen.text(face.label[:1], 28, middle, CAPTION, ink, BOLD, "centre")
            left = 52.0
        if face.chosen:
            pen.icon("check", right - 10, middle, 22, ink)
            right -= 28
        pen.text(face.label, left, middle, face.size, ink, BOLD, room=right - left)


class Side(Pane):
    """Shows a `BuildShown`; `on_choose(place)` is called for a key, `on_change(name, value)` for a stepper."""

    def __init__(self, on_choose: Any, on_change: Any, **properties: Any) -> None:
        super().__init__(**properties)
        self.on_choose, self.on_change = on_choose, on_change
        self.keys: list[Choice] = []
        self.steps: list[Key] = []

    def arrange(self) -> None:
        shown: BuildShown | None = self.shown
        if shown is None:
            return
        self.as_many(self.keys, len(shown.keys), Choice)
        for place, (key, option) in enumerate(zip(self.keys, shown.keys, strict=True)):
            key.on_tap, key.answer = partial(self.on_choose, place), option.answer
            key.show(Face(label=option.label, look="option", size=NAME, chosen=place == shown.chosen))
        self.put_rows(self.keys, 12, 36, self.w - 24, 52, across=1)
        top = 36.0 + 60 * len(self.keys)
        self.as_many(self.steps, 2 * len(shown.others), Key)
        for at, field in enumerate(shown.others):
            row = 12.0, top + STEP * at, self.w - 24, 52.0
            figure_steps(self, self.steps[2 * at : 2 * at + 2], row, 56, field, self.on_change)

    def paint(self, pen: Pen) -> None:
        shown: BuildShown | None = self.shown
        pen.fill(0, 0, pen.w, pen.h, "bg1")
        pen.fill(0, 0, 1, pen.h, "line")
        if shown is None:
            return
        top = 36.0
        if shown.keys:
            pen.text(shown.keys_title, 12, 22, CAPTION, "mid", SEMIBOLD, room=pen.w - 20)
            top += 60 * len(shown.keys)
        for field in shown.others:
            pen.text(field.label, 12, top - 14, CAPTION, "mid", SEMIBOLD, room=pen.w - 20)
            pen.text(str(field.value), pen.w / 2, top + 26, QUESTION - 2, "hi", BOLD, "centre")
            pen.paragraph(field.note, 12, top + 68, CAPTION, pen.w - 24, "mid")
            top += STEP
