"""What a car has, to be set: choices with their keys, and beneath them rows of figures."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final

import msgspec

from companion.rules.asking import Json
from companion.screens.pane import Pane
from companion.screens.view.shown import Field
from companion.screens.widgets.field_rows import FieldRows
from companion.screens.widgets.form import Choice

CHOICE: Final = 84.0
MORE: Final = 60.0
"""The pitch of further lines of keys."""
ROW: Final = 54.0
SHORT: Final = 5
"""Labels of so many letters have room beside one another, longer ones three in a line."""


def lines(field: Field) -> list[Field]:
    """A choice as lines of keys, the first with its name."""
    keys = field.keys
    across = len(keys) if max(len(key.label) for key in keys) <= SHORT else 3
    return [
        msgspec.structs.replace(field, label="" if at else field.label, keys=keys[at : at + across])
        for at in range(0, len(keys), across)
    ]


class ValueRows(Pane):
    """Shows `Field`s, those of kind "choice" first. `on_change(name, value)` is called. `wanted` is the height that it
    needs in dp."""

    def __init__(self, on_change: Callable[[str, Json], object], **properties: Any) -> None:
        super().__init__(**properties)
        self.on_change = on_change
        self.choices: dict[str, list[Choice]] = {}
        """The lines of keys of each choice."""
        self.figures = FieldRows(on_change)

    @property
    def keys(self) -> dict[str, tuple[Any, Any]]:
        """− and + of each figure."""
        return self.figures.keys

    @property
    def wanted(self) -> float:
        fields: tuple[Field, ...] = self.shown or ()
        return sum(_high(field) for field in fields)

    def arrange(self) -> None:
        fields: tuple[Field, ...] = self.shown or ()
        listed = [field for field in fields if field.kind == "choice"]
        for name in [name for name in self.choices if name not in {field.name for field in listed}]:
            for choice in self.choices.pop(name):
                self.remove_widget(choice)
        y = 0.0
        for field in listed:
            parts = lines(field)
            made = self.choices.setdefault(field.name, [Choice(partial(self.on_change, field.name)) for _ in parts])
            for at, (choice, part) in enumerate(zip(made, parts, strict=True)):
                high = MORE if at else CHOICE
                choice.show(part)
                self.put(choice, 12, y, self.w - 24, high - 8)
                y += high
        figures = fields[len(listed) :]
        self.figures.show(figures)
        self.put(self.figures, 0, y, self.w, ROW * len(figures))


def _high(field: Field) -> float:
    return CHOICE + MORE * (len(lines(field)) - 1) if field.kind == "choice" else ROW
