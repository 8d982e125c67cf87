"""The list of values that an override can set.

It has steppers, choices, an order of cars, places and words.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final

from companion.rules.conversation.asking import Json
from companion.screens.kit.compose import Area, Composed, Ui, even_rows
from companion.screens.kit.field_rows import FieldRows
from companion.screens.kit.key import Face
from companion.screens.kit.place_steps import HIGH as PLACE
from companion.screens.kit.place_steps import Places, PlaceSteps
from companion.screens.kit.theme import CAPTION, theme
from companion.screens.kit.writing import Writing
from companion.view.shown import Field
from companion.wording import capital

ROW: Final = 54.0
BLOCK: Final = 88.0
ACROSS: Final = 3
"""Maximum number of keys of a choice in a row."""
CAR: Final = 56.0
"""Side of the key of a car in an order, in dp."""
GAP: Final = 8.0


class ValueList(Composed):
    """A list that shows `Field`s of every kind, one below another.

    `values` are the current values by name; `on_change()` is called when one changes.
    """

    def __init__(self, on_change: Callable[[], object], **properties: Any) -> None:
        super().__init__(**properties)
        self.on_change = on_change
        self.values: dict[str, Json] = {}
        self.steps = FieldRows(self._set)

    def show(self, fields: tuple[Field, ...]) -> None:
        """Show fields with their own values."""
        if fields != self.shown:
            self.values = {field.name: field.value for field in fields}
            self.made.clear()  # a field of the same name would keep what was entered in the previous one
            super().show(fields)

    def _set(self, name: str, value: Json) -> None:
        self.values = {**self.values, name: value}
        self.look_again()
        self.on_change()

    def _on_text(self, field: Field, text: str) -> None:
        listed = [part.strip() for part in text.split(",") if part.strip()]
        self._set(field.name, listed if isinstance(field.value, list) else text.strip() or None)

    def _toggle(self, name: str, car: Json) -> None:
        """Take a car out of an order, or put it last."""
        order = self._listed(name)
        self._set(name, [one for one in order if one != car] if car in order else [*order, car])

    def _listed(self, name: str) -> list[Json]:
        value = self.values[name]
        return value if isinstance(value, list) else []

    # -- what is shown

    @property
    def high(self) -> float:
        """The height of all fields in dp."""
        fields: tuple[Field, ...] = self.shown or ()
        return sum(self._room(field) for field in fields) + 12

    def _room(self, field: Field) -> float:
        """Return the height of a field in dp."""
        if field.kind == "many":
            return 30 + (CAR + GAP) * -(-len(field.keys) // self._cars_across)
        if field.kind == "choice":
            return 32 + 60.0 * -(-len(field.keys) // ACROSS)
        if field.kind == "place":
            return PLACE + 8
        if field.kind == "places":
            return Places.room(len(self._listed(field.name))) + 8
        return ROW if field.kind == "stepper" else BLOCK

    @property
    def _cars_across(self) -> int:
        return max(1, int((self.w - 34 + GAP) // (CAR + GAP)))

    def compose(self, ui: Ui) -> None:
        fields: tuple[Field, ...] = self.shown or ()
        steppers = tuple(
            Field(name=one.name, label=capital(one.label), icon=one.icon,
                  value=self.values[one.name], low=one.low, high=one.high)
            for one in fields
            if one.kind == "stepper"
        )  # fmt: skip
        ui.place(ui.area.cut_top(ROW * len(steppers)), self.steps).show(steppers)
        for field in fields:
            if field.kind != "stepper":
                area = ui.area.cut_top(self._room(field)).inset(0, 4)
                area.cut_left(14)
                area.cut_right(20)
                self._compose_field(ui, area, field)

    def _compose_field(self, ui: Ui, area: Area, field: Field) -> None:
        key, on_change = (field.kind, field.name), partial(self._set, field.name)
        if field.kind == "choice":
            self._compose_choice(ui, area, field)
        elif field.kind == "many":
            self._compose_order(ui, area, field)
        elif field.kind == "place":
            ui.place(area, ui.named(key, partial(PlaceSteps, on_change))).show(field)
        elif field.kind == "places":
            ui.place(area, ui.named(key, partial(Places, on_change))).show(field)
        else:
            line = ui.place(area, ui.named(key, partial(Writing, partial(self._on_text, field))))
            written = ", ".join(field.value) if isinstance(field.value, list) else field.value or ""
            line.show(Field(name=field.name, label=field.label, kind="text", value=written))

    def _compose_choice(self, ui: Ui, area: Area, field: Field) -> None:
        ui.text(area.cut_top(26).inset(2), field.label, CAPTION, "mid")
        cells = area.cells(len(field.keys), even_rows(len(field.keys), ACROSS), 52)
        for at, (cell, option) in enumerate(zip(cells, field.keys, strict=True)):
            chosen = option.answer == self.values[field.name]
            face = Face(label=option.label, look="barred" if option.why else "option", chosen=chosen)
            act = None if option.why else partial(self._set, field.name, option.answer)
            ui.button(cell, (field.name, at), face, act, means=field)

    def _compose_order(self, ui: Ui, area: Area, field: Field) -> None:
        """Compose a key for each car, with its position."""
        ui.text(area.cut_top(28).inset(2), field.label, CAPTION, "mid")
        across, order = self._cars_across, self._listed(field.name)
        keys = area.cut_left(across * (CAR + GAP) - GAP)
        for cell, option in zip(keys.cells(len(field.keys), across, CAR), field.keys, strict=True):
            car = option.answer
            note = theme.words.screen("trial.ordinal", place=order.index(car) + 1) if car in order else "–"
            face = Face(label=str(car), note=note, look="option", chosen=car in order)
            ui.button(cell, (field.name, car), face, partial(self._toggle, field.name, car))
