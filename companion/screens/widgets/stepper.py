"""A stepper: a figure between − and +."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from companion.screens.widgets.key import Face, Key
from companion.screens.widgets.pane import Pane
from companion.screens.widgets.pen import BOLD, SEMIBOLD, Pen
from companion.screens.widgets.theme import CAPTION, CLOCK
from companion.view.shown import Field

KEY = 52.0


class Stepper(Pane):
    """Shows a `Field` of kind "stepper", its name above; `on_change(value)` is called with each new value. `value` is
    the figure now; it goes on while − or + is held. It needs 150 by 76 dp, or 52 high without a name."""

    def __init__(self, on_change: Callable[[int], object] | None = None, **properties: Any) -> None:
        self.on_change = on_change
        self.value = 0
        super().__init__(**properties)
        self.less = Key(on_tap=lambda: self._step(-1), repeats=True)
        self.more = Key(on_tap=lambda: self._step(1), repeats=True)

    def show(self, field: Field) -> None:
        """Shows a field; its value becomes the figure, whatever was stepped to before."""
        value = field.value if isinstance(field.value, int) else field.low
        if value != self.value:
            self.value = value
            self.look_again()
        super().show(field)

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
        top = self.h - KEY
        for key, icon, left, still in (
            (self.less, "minus", 0.0, self.value > self.shown.low),
            (self.more, "plus", self.w - KEY, self.value < self.shown.high),
        ):
            key.show(Face(look="option" if still else "barred", icon=icon))
            self.put(key, left, top, KEY, KEY)

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
        pen.text(str(self.value), pen.w / 2, top + KEY / 2, CLOCK, "hi", BOLD, "centre", room=room)
