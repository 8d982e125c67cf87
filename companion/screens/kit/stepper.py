"""A stepper: a number between − and +."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from companion.screens.kit.key import Face, Key
from companion.screens.kit.pane import Pane
from companion.screens.kit.pen import BOLD, SEMIBOLD, Pen
from companion.screens.kit.theme import BODY, CAPTION, CLOCK
from companion.view.shown import Field

KEY = 52.0


def steps(
    pane: Pane,
    keys: Sequence[Key],
    place: tuple[float, float, float, float],
    wide: float,
    step: Callable[[int], object],
    can: Callable[[int], bool],
) -> None:
    """Place − and + at the two ends of a box, each `wide` dp wide.

    `step(by)` is called, repeatedly while a key is held, as long as `can(by)` holds.
    """
    x, y, w, h = place
    for key, by, icon, left in zip(keys, (-1, 1), ("minus", "plus"), (x, x + w - wide), strict=True):
        key.on_tap, key.repeats = partial(step, by) if can(by) else None, True
        key.show(Face(icon=icon, look="option" if can(by) else "barred"))
        pane.put(key, left, y, wide, h)


class Stepper(Pane):
    """Stepper of a `Field`, with its name above; `on_change(value)` for each new value.

    `value` is the current number; it keeps changing while − or + is held. A field with keys shows these instead of
    its numbers. Needs 150 by 76 dp, or 52 dp of height without a name.
    """

    def __init__(self, on_change: Callable[[int], object] | None = None, **properties: Any) -> None:
        self.on_change = on_change
        self.value = 0
        super().__init__(**properties)
        self.less, self.more = Key(), Key()

    def show(self, field: Field) -> None:
        """Show a field; its value replaces the current one."""
        value = field.value if isinstance(field.value, int) else field.low
        if value != self.value:
            self.value = value
            self.look_again()
        super().show(field)

    def _can(self, by: int) -> bool:
        return bool(self.shown.low <= self.value + by <= self.shown.high)

    def _step(self, by: int) -> None:
        field: Field = self.shown
        value = min(field.high, max(field.low, self.value + by))
        if value != self.value:
            self.value = value
            self.look_again()
            if self.on_change is not None:
                self.on_change(value)

    def arrange(self) -> None:
        if self.shown is None:
            return
        place = 0.0, self.h - KEY, self.w, KEY
        steps(self, (self.less, self.more), place, KEY, self._step, self._can)

    def paint(self, pen: Pen) -> None:
        if self.shown is None:
            return
        top = pen.h - KEY
        if top >= 18:
            left = 2.0
            if self.shown.icon:
                pen.icon(self.shown.icon, 9, top - 13, 18, "mid")
                left = 24.0
            pen.text(self.shown.label, left, top - 13, CAPTION, "mid", SEMIBOLD, room=pen.w - left)
        room = pen.w - 2 * KEY - 8
        keys = self.shown.keys
        said, size = (keys[self.value - self.shown.low].label, BODY) if keys else (str(self.value), CLOCK)
        pen.text(said, pen.w / 2, top + KEY / 2, size, "hi", BOLD, "centre", room=room, cut=bool(keys))
