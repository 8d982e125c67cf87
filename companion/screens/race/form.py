"""A form in two columns: steppers, choices stepped through in place, and pickers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final

from kivy.uix.scrollview import ScrollView

from companion.rules.conversation.asking import Json
from companion.screens.kit import plate
from companion.screens.kit.key import Face, Key
from companion.screens.kit.pane import Pane
from companion.screens.kit.pen import BOLD, SEMIBOLD, Pen
from companion.screens.kit.prompt_band import QuestionHeading
from companion.screens.kit.stepper import steps
from companion.screens.kit.theme import BODY, CAPTION, CLOCK, NAME, QUESTION, theme
from companion.screens.kit.touch import Explained
from companion.view.race import intents
from companion.view.race.intents import Emit
from companion.view.shown import Field, Prompt

ROW: Final = 56.0
NOTED: Final = 76.0
"""Height of a row whose fields explain themselves beneath, in dp."""
KEY: Final = 56.0
KEY_HIGH: Final = 48.0
LABEL: Final = 118.0
HEAD: Final = 52.0
FOOT: Final = 100.0
FEW: Final = 3
"""Maximum number of choices with a key each."""


class FieldRow(Pane):
    """A row that shows one `Field`.

    `on_pick(row)` is called when several values have to be picked in a separate pane.
    """

    def __init__(self, on_pick: Callable[[FieldRow], object], **properties: Any) -> None:
        self.on_pick = on_pick
        self.value: Json = None
        super().__init__(**properties)
        self.keys: list[Key] = []
        self.named = Explained()

    def show(self, field: Field) -> None:
        """Show a field; take its value only if the field has changed."""
        if field != self.shown:
            self.value = field.value
        super().show(field)

    def take(self, value: Json) -> None:
        """Set the value."""
        self.value = value
        self.look_again()

    def said(self) -> str:
        """Return the value in words."""
        field: Field = self.shown
        if field.kind == "stepper":
            return str(self.value)
        chosen = self.value if isinstance(self.value, list) else [self.value]
        labels = [key.label for key in field.keys if key.answer in chosen]
        if isinstance(self.value, list):
            labels = [key.label for value in self.value for key in field.keys if key.answer == value]
        return ", ".join(labels) or "–"

    @property
    def _at(self) -> int:
        """The number of a stepper, or the index of the choice (-1 if nothing is chosen)."""
        field: Field = self.shown
        if field.kind == "stepper":
            return self.value if isinstance(self.value, int) else field.low
        return next((at for at, key in enumerate(field.keys) if key.answer == self.value), -1)

    def _step(self, by: int) -> None:
        field, at = self.shown, self._at + by
        if field.kind == "stepper":
            self.take(min(field.high, max(field.low, at)))
        else:
            self.take(field.keys[at].answer if at >= 0 else None)

    def _can(self, by: int) -> bool:
        field, at = self.shown, self._at + by
        if field.kind == "stepper":
            return bool(field.low <= at <= field.high)
        return (0 if field.value is not None else -1) <= at < len(field.keys)

    def arrange(self) -> None:
        field: Field | None = self.shown
        if field is None:
            return
        room, top = self.w - LABEL, (ROW - KEY_HIGH) / 2
        self.named.means = field
        self.put(self.named, 0, top, LABEL - 8, KEY_HIGH)
        if field.kind == "many":
            self.as_many(self.keys, 1, Key)
            self.keys[0].on_tap, self.keys[0].repeats = partial(self.on_pick, self), False
            self.keys[0].means = field
            self.keys[0].show(Face(label=self.said(), look="option"))
            self.put(self.keys[0], LABEL, top, room, KEY_HIGH)
        elif field.kind == "choice" and len(field.keys) <= FEW:
            self.as_many(self.keys, len(field.keys), Key)
            for key, option in zip(self.keys, field.keys, strict=True):
                chosen = option.answer == self.value and type(option.answer) is type(self.value)
                key.on_tap, key.repeats, key.means = partial(self.take, option.answer), False, field
                key.show(Face(label=option.label, look="option", chosen=chosen))
            self.put_rows(self.keys, LABEL, top, room, KEY_HIGH)
        else:
            self.as_many(self.keys, 2, Key)
            steps(self, self.keys, (LABEL, top, room, KEY_HIGH), KEY, self._step, self._can)

    def paint(self, pen: Pen) -> None:
        field: Field | None = self.shown
        if field is None:
            return
        middle, left = ROW / 2, 0.0
        if field.note:
            pen.text(field.note, 0, ROW + 6, CAPTION, "low", room=pen.w)
        if field.icon:
            pen.icon(field.icon, 10, middle, 20, "mid")
            left = 26.0
        pen.text(field.label, left, middle, BODY, "mid", SEMIBOLD, room=LABEL - left - 6)
        if len(self.keys) == 2 and (field.kind == "stepper" or len(field.keys) > FEW):
            room = pen.w - LABEL - 2 * KEY - 12
            size = CLOCK if field.kind == "stepper" else BODY
            pen.text(self.said(), LABEL + (pen.w - LABEL) / 2, middle, size, "hi", BOLD, "centre", room)


class Picker(Pane):
    """A pane of keys to pick several from, in the order tapped; `on_done()` closes it."""

    def __init__(self, on_done: Callable[[], object], **properties: Any) -> None:
        super().__init__(**properties)
        self.row: FieldRow | None = None
        self.keys: list[Key] = []
        self.done = Key(on_tap=on_done, means="done")

    def _tapped(self, answer: Json) -> None:
        if self.row is not None:
            chosen = self.row.value if isinstance(self.row.value, list) else []
            self.row.take([one for one in chosen if one != answer] if answer in chosen else [*chosen, answer])
            self.look_again()

    def arrange(self) -> None:
        if self.row is None:
            return
        options = self.row.shown.keys
        self.as_many(self.keys, len(options), Key)
        chosen = self.row.value if isinstance(self.row.value, list) else []
        for key, option in zip(self.keys, options, strict=True):
            place = f"{chosen.index(option.answer) + 1}" if option.answer in chosen else ""
            key.on_tap, key.means = partial(self._tapped, option.answer), self.row.shown
            key.show(Face(label=option.label, note=place, look="option", size=NAME, chosen=bool(place)))
        self.put_rows(self.keys, 16, HEAD, self.w - 32, 62, across=5)
        self.done.show(Face(label=theme.say("done"), size=NAME))
        self.put(self.done, self.w - 172, self.h - 72, 160, 60)

    def on_touch_down(self, touch: Any) -> bool:
        super().on_touch_down(touch)
        return True

    def paint(self, pen: Pen) -> None:
        pen.band()
        if self.row is not None:
            pen.text(self.row.shown.label, 20, 30, QUESTION - 6, "hi", BOLD, room=pen.w - 40)


class FormSheet(Pane):
    """A sheet below the top bar that shows a `Prompt` with fields; with `looks_up` the question opens its article."""

    def __init__(self, emit: Emit, looks_up: bool = True, **properties: Any) -> None:
        self.emit, self.looks_up = emit, looks_up
        super().__init__(**properties)
        self.asked = QuestionHeading()
        self.rows: list[FieldRow] = []
        self.scroll = ScrollView(do_scroll_x=False, size_hint=(None, None))
        self.sheet = Pane()
        self.scroll.add_widget(self.sheet)
        self.back = Key(on_tap=partial(emit, intents.FoldForm()), means="back")
        self.done = Key(on_tap=lambda: emit(intents.Fill(self.values())), means="done")
        self.picker = Picker(self._picked)

    def show(self, prompt: Prompt) -> None:
        """Show a form; keep the values filled in while the question is the same."""
        if self.shown is None or self.shown.fields != prompt.fields or self.shown.key != prompt.key:
            self.sheet.clear_widgets()
            self.rows = [FieldRow(self._pick) for _ in prompt.fields]
            for row, field in zip(self.rows, prompt.fields, strict=True):
                row.show(field)
            self._picked()
        super().show(prompt)

    def values(self) -> dict[str, Json]:
        """Return the values by field name, without choices that have not been made."""
        return {
            row.shown.name: row.value for row in self.rows if row.value is not None and row.value != []
        }  # fmt: skip

    def fill(self, values: Mapping[str, Json]) -> None:
        """Fill in values entered earlier."""
        for row in self.rows:
            if row.shown.name in values:
                row.take(values[row.shown.name])

    def _pick(self, row: FieldRow) -> None:
        self.picker.row = row
        self.picker.look_again()
        self.look_again()

    def _picked(self) -> None:
        self.picker.row = None
        self.remove_widget(self.picker)
        self.look_again()

    def arrange(self) -> None:
        if self.shown is None:
            return
        row_high = NOTED if any(row.shown.note for row in self.rows) else ROW
        high = -(-len(self.rows) // 2) * row_high
        room = (self.h - HEAD - FOOT) // row_high * row_high  # whole rows: none that is half beneath the keys
        self.put(self.scroll, 20, HEAD, self.w - 32, room)
        self.sheet.size = (self.scroll.width, theme.dp(max(high, room)))
        self.sheet.put_rows(self.rows, 0, 0, self.w - 32, row_high, across=2, gap=24, down=0)
        left = 81.0 if self.shown.plate is not None else 20.0
        self.asked.lead(self, self.shown, self.emit if self.looks_up else None, (left, 0.0, 16.0))
        self.back.show(self.face)
        self.put(self.back, 20, self.h - 100, 92, 88)
        self.done.show(Face(label=theme.say("done"), size=QUESTION - 6))
        self.put(self.done, self.w - 212, self.h - 100, 200, 88)
        for beneath in (self.asked, self.scroll, self.back, self.done):
            beneath.disabled = self.picker.row is not None
        if self.picker.row is not None:
            self.put(self.picker, 0, 0, self.w, self.h)

    face = Face(look="quiet")
    """Face of the key at the left."""

    def paint(self, pen: Pen) -> None:
        prompt: Prompt | None = self.shown
        pen.band()
        if prompt is not None:
            plate.at_head(pen, prompt.plate, 45, 30)
