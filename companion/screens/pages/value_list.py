"""The list of values that an override can set.

It has steppers, choices, an order of cars, places and words.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final

from companion.rules.conversation.asking import Json
from companion.screens.kit.field_rows import FieldRows
from companion.screens.kit.form import ChoiceKeys
from companion.screens.kit.key import Face, Key
from companion.screens.kit.pane import Pane
from companion.screens.kit.pen import SEMIBOLD, Pen
from companion.screens.kit.place_steps import HIGH as PLACE
from companion.screens.kit.place_steps import Places, PlaceSteps
from companion.screens.kit.theme import CAPTION
from companion.screens.kit.writing import Writing
from companion.view.shown import Field
from companion.wording import capital

ROW: Final = 54.0
BLOCK: Final = 88.0
ACROSS: Final = 3
"""Number of keys of a choice in a row."""


class Wrapped(ChoiceKeys):
    """A choice whose keys are in rows of ACROSS."""

    @staticmethod
    def high(field: Field) -> float:
        """Return the height of a field in dp."""
        return 32 + 60.0 * -(-len(field.keys) // ACROSS)

    def _lay(self) -> None:
        self.put_rows(self.keys, 0, 26, self.w, 52, across=ACROSS)

    def paint(self, pen: Pen) -> None:
        if self.shown is not None:
            pen.text(self.shown.label, 2, 13, CAPTION, "mid", SEMIBOLD, room=pen.w - 2)


class Ordering(Pane):
    """An order of cars for a `Field` of kind "many".

    A touch takes a car out of the order, another puts it last.
    """

    def __init__(self, on_change: Callable[[list[int]], object], **properties: Any) -> None:
        super().__init__(**properties)
        self.on_change = on_change
        self.value: list[int] = []
        self.keys: dict[int, Key] = {}

    def show(self, field: Field) -> None:
        """Show a field; take its value as the order only if the field has changed."""
        if field != self.shown:
            self.value = list(field.value)
        super().show(field)

    def _toggle(self, car: int) -> None:
        self.value = [one for one in self.value if one != car] if car in self.value else [*self.value, car]
        self.look_again()
        self.on_change(self.value)

    @staticmethod
    def high(field: Field, wide: float) -> float:
        """Return the height in dp of a field of the given width."""
        return 30 + 64.0 * -(-len(field.keys) // max(1, int((wide + 8) // 64)))

    def arrange(self) -> None:
        if self.shown is None:
            return
        across = max(1, int((self.w + 8) // 64))
        for option in self.shown.keys:
            car = option.answer
            key = self.keys.setdefault(car, Key(on_tap=partial(self._toggle, car)))
            at = f"{self.value.index(car) + 1}." if car in self.value else "–"
            key.show(Face(label=str(car), note=at, look="option", chosen=car in self.value))
        self.put_rows([self.keys[option.answer] for option in self.shown.keys], 0, 28, across * 64 - 8, 56, across)

    def paint(self, pen: Pen) -> None:
        if self.shown is not None:
            pen.text(self.shown.label, 2, 14, CAPTION, "mid", SEMIBOLD, room=pen.w - 2)


Other = ChoiceKeys | Writing | Ordering | PlaceSteps | Places


class ValueList(Pane):
    """A list that shows `Field`s of every kind, one below another.

    `values` are the current values by name; `on_change()` is called when one changes.
    """

    def __init__(self, on_change: Any, **properties: Any) -> None:
        super().__init__(**properties)
        self.on_change = on_change
        self.values: dict[str, Json] = {}
        self.steps = FieldRows(self._set)
        self.others: dict[str, Other] = {}

    def show(self, fields: tuple[Field, ...]) -> None:
        """Show fields with their own values."""
        if fields == self.shown:
            return
        for widget in self.others.values():
            self.remove_widget(widget)
        self.values = {field.name: field.value for field in fields}
        self.others = {field.name: self._other(field) for field in fields if field.kind != "stepper"}
        super().show(fields)

    def _other(self, field: Field) -> Other:
        if field.kind in ("place", "places"):
            place: PlaceSteps | Places
            place = (PlaceSteps if field.kind == "place" else Places)(partial(self._set, field.name))
            place.show(field)
            return place
        if field.kind == "many":
            order = Ordering(partial(self._set, field.name))
            order.show(field)
            return order
        if field.kind == "text":
            line = Writing(partial(self._on_text, field))
            written = ", ".join(field.value) if isinstance(field.value, list) else field.value or ""
            line.show(Field(name=field.name, label=field.label, kind="text", value=written))
            return line
        choice = Wrapped(partial(self._set, field.name))
        choice.show(field)
        return choice

    def _on_text(self, field: Field, text: str) -> None:
        listed = [part.strip() for part in text.split(",") if part.strip()]
        self._set(field.name, listed if isinstance(field.value, list) else text.strip() or None)

    def _set(self, name: str, value: Json) -> None:
        self.values = {**self.values, name: value}
        self.look_again()
        self.on_change()

    @property
    def high(self) -> float:
        """The height of all fields in dp."""
        fields: tuple[Field, ...] = self.shown or ()
        return sum(self._room(field) for field in fields) + 12

    def _room(self, field: Field) -> float:
        """Return the height of a field in dp."""
        if field.kind == "many":
            return Ordering.high(field, self.w - 34)
        if field.kind == "choice":
            return Wrapped.high(field)
        if field.kind == "place":
            return PLACE + 8
        other = self.others.get(field.name)
        if isinstance(other, Places):
            return other.high() + 8
        return ROW if field.kind == "stepper" else BLOCK

    def arrange(self) -> None:
        fields: tuple[Field, ...] = self.shown or ()
        steppers = [
            Field(name=one.name, label=capital(one.label), icon=one.icon,
                  value=self.values[one.name], low=one.low, high=one.high)
            for one in fields
            if one.kind == "stepper"
        ]  # fmt: skip
        self.steps.show(tuple(steppers))
        self.put(self.steps, 0, 0, self.w, ROW * len(steppers))
        top = ROW * len(steppers)
        for field in fields:
            if field.kind != "stepper":
                high = self._room(field)
                self.put(self.others[field.name], 14, top + 4, self.w - 34, high - 8)
                top += high
