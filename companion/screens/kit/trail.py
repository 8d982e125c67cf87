"""The trail of a turn: steps done, the current one, and those to come."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from companion.screens.kit.pen import Pen
from companion.screens.kit.theme import CAPTION
from companion.screens.kit.touch import Target
from companion.view.shown import Step

GAP = 22.0
"""Space between two steps, with the arrow in its middle, in dp."""
CHECK = 18.0
HIGH = 48.0
MIDDLE = 30.0
"""Middle of the words, in dp; it is below that of the trail, since a touch reaches further up and must keep clear of
the keys."""


class Trail(Target):
    """The trail, a tuple of `Step`s; a tap on a done step calls `on_step(step)`.

    If not all fit, steps to come are dropped first, then the oldest ones done.
    """

    means = "trail"

    def __init__(self, on_step: Callable[[Step], object] | None = None, **properties: Any) -> None:
        self.on_step = on_step
        self._ends: list[tuple[Step, float, float]] = []
        self._at = 0.0
        super().__init__(self._on_trail_tap, **properties)

    @property
    def heard(self) -> bool:
        """True if there is a done step to go back to."""
        return self.on_step is not None and any(step.state == "done" for step in self.shown or ())

    def on_touch_down(self, touch: Any) -> bool:
        self._at = (self.to_local(*touch.pos)[0] - self.x) / max(1.0, self.width) * self.w
        return super().on_touch_down(touch)

    def _on_trail_tap(self) -> None:
        done = [(step, start, end) for step, start, end in self._ends if step.state == "done"]
        if done and self.on_step is not None:
            nearest = min(done, key=lambda known: max(known[1] - self._at, self._at - known[2], 0.0))
            self.on_step(nearest[0])

    def paint(self, pen: Pen) -> None:
        steps: list[Step] = list(self.shown or ())
        while steps and _width(pen, steps) > pen.w:
            steps.pop(-1 if steps[-1].state == "to_come" else 0)
        self._ends = []
        left, y = pen.w - _width(pen, steps), MIDDLE
        for place, step in enumerate(steps):
            if place:
                pen.icon("forward", left + GAP / 2 - 1, y, 10, "low")
                left += GAP
            start = left
            token = {"done": "mid", "now": "hi", "to_come": "low"}[step.state]
            if step.state == "done":
                pen.icon("check", left + 7, y, 15, token)
                left += CHECK
            wide = pen.text(step.label, left, y, CAPTION, token)
            if step.state == "now":
                pen.fill(left, y + 9, wide, 3, "hi")
            left += wide
            self._ends.append((step, start, left))


def _width(pen: Pen, steps: list[Step]) -> float:
    words = sum(pen.width(step.label, CAPTION) + (CHECK if step.state == "done" else 0) for step in steps)
    return words + GAP * max(0, len(steps) - 1)
