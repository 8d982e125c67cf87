"""A form: an answer of several fields, steppers or choices, and its key."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from companion.rules.conversation.asking import Json
from companion.screens.kit.compose import Composed, Ui
from companion.screens.kit.key import Face, Key, Look
from companion.screens.kit.pane import Pane
from companion.screens.kit.stepper import Stepper
from companion.screens.kit.theme import CAPTION, NAME, theme
from companion.view.shown import Field

if TYPE_CHECKING:
    from companion.screens.kit.writing import Writing

ROW = 88.0
GAP = 12.0
ACROSS = 3
"""Number of fields in a row."""


class ChoiceKeys(Composed):
    """Keys of a `Field` of kind "choice" or "many", one for each option."""

    def __init__(self, on_change: Callable[[Json], object] | None = None, **properties: Any) -> None:
        self.on_change = on_change
        self.value: Json = None
        super().__init__(**properties)

    def show(self, field: Field) -> None:
        """Show a field; its value replaces the selection."""
        if field.value != self.value:
            self.value = field.value
            self.look_again()
        super().show(field)

    def _is_chosen(self, answer: Json) -> bool:
        if self.shown.kind == "many":
            return isinstance(self.value, list) and answer in self.value
        return bool(answer == self.value)

    def _choose(self, answer: Json) -> None:
        if self.shown.kind == "many":
            chosen = self.value if isinstance(self.value, list) else []
            self.value = [one for one in chosen if one != answer] if answer in chosen else [*chosen, answer]
        else:
            self.value = answer
        self.look_again()
        if self.on_change is not None:
            self.on_change(self.value)

    def compose(self, ui: Ui) -> None:
        if self.shown is None:
            return
        row = ui.area.cut_bottom(52)
        ui.pen.text(self.shown.label, 2, row.y - 13, CAPTION, "mid", room=row.w - 2)
        options = self.shown.keys
        for cell, (place, option) in zip(row.columns(len(options)), enumerate(options), strict=True):
            look: Look = "barred" if option.why else "option"
            face = Face(label=option.label, look=look, chosen=self._is_chosen(option.answer))
            choose = None if option.why else partial(self._choose, option.answer)
            ui.button(cell, place, face, choose, means=self.shown)


class FormView(Pane):
    """Form of several `Field`s; `on_done(values)` gets each field's value by name."""

    def __init__(self, on_done: Callable[[dict[str, Json]], object], **properties: Any) -> None:
        self.on_done = on_done
        super().__init__(**properties)
        self.fields: list[Stepper | ChoiceKeys | Writing] = []
        self.done = Key(on_tap=lambda: self.on_done(self.values()), means="done")

    @staticmethod
    def high(fields: int) -> float:
        """Return the height of a form, in dp."""
        rows = max(1, (fields + ACROSS - 1) // ACROSS)
        return rows * ROW + (rows - 1) * 8

    def show(self, fields: tuple[Field, ...]) -> None:
        """Show fields; keep the values entered as long as the fields are the same."""
        if fields == self.shown:
            return
        for widget in self.fields:
            self.remove_widget(widget)
        self.fields = [_widget(field) for field in fields]
        super().show(fields)

    def values(self) -> dict[str, Json]:
        """Return the current values by field name."""
        return {widget.shown.name: widget.value for widget in self.fields}

    def arrange(self) -> None:
        if not self.fields:
            return
        rows = (len(self.fields) + ACROSS - 1) // ACROSS
        across = -(-len(self.fields) // rows)
        done = 120.0
        self.put_rows(self.fields, 0, ROW - 80, self.w - done - GAP, 80, across, GAP, ROW + 8 - 80)
        self.done.show(Face(label=theme.say("done"), size=NAME))
        self.put(self.done, self.w - done, self.h - ROW, done, ROW)


def _widget(field: Field) -> Stepper | ChoiceKeys | Writing:
    widget: Stepper | ChoiceKeys | Writing
    if field.kind == "text":
        from companion.screens.kit.writing import Writing  # only here: most races are refereed without writing

        widget = Writing()
    else:
        widget = Stepper() if field.kind == "stepper" else ChoiceKeys()
    widget.show(field)
    return widget
