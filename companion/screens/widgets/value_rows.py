"""What a car or a race has, to be set: choices with their keys, rows of figures, and places of the circuit."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final

import msgspec

from companion.rules.conversation.asking import Json
from companion.screens.widgets.field_rows import FieldRows
from companion.screens.widgets.form import Choice
from companion.screens.widgets.pane import Pane
from companion.screens.widgets.place_steps import Places
from companion.view.shown import Field

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
    """Shows `Field`s: those of kind "choice" or "many" first, then the figures, then those of kind "places".
    `on_change(name, value)` is called. `wanted` is the height that it needs in dp."""

    def __init__(self, on_change: Callable[[str, Json], object], **properties: Any) -> None:
        super().__init__(**properties)
        self.on_change = on_change
        self.choices: dict[str, list[Choice]] = {}
        """The lines of keys of each choice."""
        self.figures = FieldRows(on_change)
        self.places: dict[str, Places] = {}

    @property
    def keys(self) -> dict[str, tuple[Any, Any]]:
        """− and + of each figure."""
        return self.figures.keys

    @property
    def wanted(self) -> float:
        fields: tuple[Field, ...] = self.shown or ()
        return sum(self._high(field) for field in fields)

    def arrange(self) -> None:
        fields: tuple[Field, ...] = self.shown or ()
        listed = [field for field in fields if field.kind in ("choice", "many")]
        for name in [name for name in self.choices if name not in {field.name for field in listed}]:
            for choice in self.choices.pop(name):
                self.remove_widget(choice)
        y = 0.0
        for field in listed:
            parts = lines(field)
            made = self.choices.setdefault(field.name, [])
            self.as_many(made, len(parts), partial(Choice, partial(self.on_change, field.name)))
            for at, (choice, part) in enumerate(zip(made, parts, strict=True)):
                high = MORE if at else CHOICE
                choice.show(part)
                self.put(choice, 12, y, self.w - 24, high - 8)
                y += high
        figures = tuple(field for field in fields if field.kind == "stepper")
        self.figures.show(figures)
        self.put(self.figures, 0, y, self.w, ROW * len(figures))
        y += ROW * len(figures)
        wanted = {field.name: field for field in fields if field.kind == "places"}
        for name in [name for name in self.places if name not in wanted]:
            self.remove_widget(self.places.pop(name))
        for name, field in wanted.items():
            places = self.places.setdefault(name, Places(partial(self.on_change, name)))
            places.show(field)
            self.put(places, 12, y + 4, self.w - 24, self._high(field) - 8)
            y += self._high(field)

    @staticmethod
    def _high(field: Field) -> float:
        if field.kind == "places":
            return Places.room(len(field.value) if isinstance(field.value, list) else 0) + 8
        return ROW if field.kind == "stepper" else CHOICE + MORE * (len(lines(field)) - 1)
