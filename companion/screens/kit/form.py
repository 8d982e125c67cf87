"""A form: an answer of several fields, steppers or choices, and its key."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from companion.rules.conversation.asking import Json
from companion.screens.kit.key import Face, Key
from companion.screens.kit.pane import Pane
from companion.screens.kit.pen import SEMIBOLD, Pen
from companion.screens.kit.stepper import Stepper
from companion.screens.kit.theme import CAPTION, NAME, theme
from companion.view.shown import Field

if TYPE_CHECKING:
    from companion.screens.kit.writing import Writing

ROW = 88.0
GAP = 12.0
ACROSS = 3
"""Number of fields in a row."""


class ChoiceKeys(Pane):
    """Keys of a `Field` of kind "choice" or "many", one for each option."""

    def __init__(self, on_change: Callable[[Json], object] | None = None, **properties: Any) -> None:
        self.on_change = on_change
        self.value: Json = None
        super().__init__(**properties)
        self.keys: list[Key] = []

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

    def arrange(self) -> None:
        if self.shown is None:
            return
        options = self.shown.keys
        self.as_many(self.keys, len(options), Key)
        for key, option in zip(self.keys, options, strict=True):
            key.means = self.shown
            key.on_tap = None if option.why else lambda answer=option.answer: self._choose(answer)
            look = "barred" if option.why else "option"
            key.show(Face(label=option.label, look=look, chosen=self._is_chosen(option.answer)))  # type: ignore[arg-type]
        self._lay()

    def _lay(self) -> None:
        self.put_rows(self.keys, 0, self.h - 52, self.w, 52)

    def paint(self, pen: Pen) -> None:
        if self.shown is not None:
            pen.text(self.shown.label, 2, pen.h - 65, CAPTION, "mid", SEMIBOLD, room=pen.w - 2)


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
