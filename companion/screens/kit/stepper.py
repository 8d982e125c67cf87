"""A stepper: a number between − and +."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from companion.screens.kit.compose import Composed, Ui
from companion.screens.kit.pen import BOLD
from companion.screens.kit.theme import BODY, CAPTION, CLOCK
from companion.view.shown import Field

KEY = 52.0


class Stepper(Composed):
    """Stepper of a `Field`, with its name above; `on_change(value)` for each new value.

    `value` is the current number; it keeps changing while − or + is held. A field with keys shows these instead of
    its numbers. Needs 150 by 76 dp, or 52 dp of height without a name.
    """

    def __init__(self, on_change: Callable[[int], object] | None = None, **properties: Any) -> None:
        self.on_change = on_change
        self.value = 0
        super().__init__(**properties)

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

    def compose(self, ui: Ui) -> None:
        if self.shown is None:
            return
        label, keys = ui.area, self.shown.keys
        figure = label.cut_bottom(KEY)
        if label.h >= 18:
            label.cut_left(2)
            if self.shown.icon:
                ui.pen.icon(self.shown.icon, 9, label.bottom - 13, 18, "mid")
                label.cut_left(22)
            ui.pen.text(self.shown.label, label.x, label.bottom - 13, CAPTION, "mid", room=label.w)
        ui.steps(figure, "value", KEY, self._step, self._can)
        said = keys[self.value - self.shown.low].label if keys else str(self.value)
        size = CLOCK if said.isdecimal() else BODY
        ui.text(figure.inset(4), said, size, weight=BOLD, align="centre", cut=bool(keys))
