"""A form in two columns: steppers, choices stepped through in place, and pickers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final

from kivy.effects.scroll import ScrollEffect
from kivy.uix.scrollview import ScrollView

from companion.rules.conversation.asking import Json
from companion.screens.kit import plate
from companion.screens.kit.compose import Area, Composed, Ui
from companion.screens.kit.key import Face
from companion.screens.kit.pane import Pane
from companion.screens.kit.pen import BOLD
from companion.screens.kit.prompt_band import SHEET_HEADING, QuestionHeading
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


class FieldRow(Composed):
    """A row that shows one `Field`.

    `on_pick(row)` is called when several values have to be picked in a separate pane.
    """

    def __init__(self, on_pick: Callable[[FieldRow], object], **properties: Any) -> None:
        self.on_pick = on_pick
        self.value: Json = None
        super().__init__(**properties)

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

    def compose(self, ui: Ui) -> None:
        field: Field | None = self.shown
        if field is None:
            return
        if field.note:
            ui.pen.text(field.note, 0, ROW + 6, CAPTION, "low", room=ui.area.w)
        row = ui.area.cut_top(ROW)
        name = row.cut_left(LABEL)
        keys = row.inset(0, (ROW - KEY_HIGH) / 2)
        ui.place(Area(name.x, keys.y, LABEL - 8, KEY_HIGH), ui.named("name", Explained)).means = field
        if field.icon:
            ui.icon(name.cut_left(20), field.icon, 20, "mid")
            name.cut_left(6)
        name.cut_right(6)
        ui.text(name, field.label, BODY, "mid")
        if field.kind == "many":
            ui.button(keys, "pick", self.said(), partial(self.on_pick, self), means=field)
        elif field.kind == "choice" and len(field.keys) <= FEW:
            for at, (place, option) in enumerate(zip(keys.columns(len(field.keys)), field.keys, strict=True)):
                chosen = option.answer == self.value and type(option.answer) is type(self.value)
                face = Face(label=option.label, look="option", chosen=chosen)
                ui.button(place, at, face, partial(self.take, option.answer), means=field)
        else:
            for icon, by, place in (("minus", -1, keys.cut_left(KEY)), ("plus", 1, keys.cut_right(KEY))):
                can = self._can(by)
                face = Face(icon=icon, look="option" if can else "barred")
                ui.button(place, icon, face, partial(self._step, by) if can else None, repeats=True)
            size = CLOCK if field.kind == "stepper" else BODY
            ui.text(keys.inset(6), self.said(), size, weight=BOLD, align="centre")


class Picker(Composed):
    """A pane of keys to pick several values of a `FieldRow` from, in the order tapped; `on_done()` closes it."""

    def __init__(self, on_done: Callable[[], object], **properties: Any) -> None:
        self.on_done = on_done
        super().__init__(**properties)

    def _tapped(self, answer: Json) -> None:
        chosen = self._chosen
        self.shown.take([one for one in chosen if one != answer] if answer in chosen else [*chosen, answer])
        self.look_again()

    @property
    def _chosen(self) -> list[Json]:
        return self.shown.value if isinstance(self.shown.value, list) else []

    def compose(self, ui: Ui) -> None:
        ui.pen.band()
        if self.shown is None:
            return
        field: Field = self.shown.shown
        area, chosen = ui.area, self._chosen
        ui.pen.text(field.label, 20, 30, QUESTION - 6, "hi", BOLD, room=area.w - 40)
        area.cut_top(HEAD)
        for at, (place, option) in enumerate(
            zip(area.inset(16).cells(len(field.keys), 5, 62), field.keys, strict=True)
        ):
            order = str(chosen.index(option.answer) + 1) if option.answer in chosen else ""
            face = Face(label=option.label, note=order, look="option", size=NAME, chosen=bool(order))
            ui.button(place, at, face, partial(self._tapped, option.answer), means=field)
        area.cut_bottom(12)
        area.cut_right(12)
        done = area.cut_bottom(60).cut_right(160)
        ui.button(done, "done", Face(label=theme.say("done"), size=NAME), self.on_done, means="done")

    def on_touch_down(self, touch: Any) -> bool:
        super().on_touch_down(touch)
        return True


def heading(ui: Ui, prompt: Prompt, emit: Emit | None, top: float = 0) -> None:
    """Place the question at the head of a sheet, right of the plate; with `emit` a tap on it opens its article."""
    left = 81.0 if prompt.plate is not None else 20.0
    room = ui.area.w - left - 16
    asked = ui.named("asked", QuestionHeading)
    asked.joined = True
    article = partial(emit, intents.OpenArticle("question")) if emit is not None else None
    asked.on_tap = article if prompt.article else None
    asked.show((prompt.title, prompt.unit, room))
    ui.place(Area(left, top, asked.wide(room), SHEET_HEADING), asked)


class FormSheet(Composed):
    """A sheet below the top bar that shows a `Prompt` with fields; with `looks_up` the question opens its article."""

    face = Face(look="quiet")
    """Face of the key at the left."""

    def __init__(self, emit: Emit, looks_up: bool = True, **properties: Any) -> None:
        self.emit, self.looks_up = emit, looks_up
        super().__init__(**properties)
        self.rows: list[FieldRow] = []
        self.picking: FieldRow | None = None
        """The row whose values are picked in a pane of their own."""
        self.sheet = Pane()
        self.scroll = ScrollView(do_scroll_x=False, size_hint=(None, None), effect_cls=ScrollEffect)
        self.scroll.add_widget(self.sheet)

    def show(self, prompt: Prompt) -> None:
        """Show a form; keep the values filled in while the question is the same."""
        if self.shown is None or self.shown.fields != prompt.fields or self.shown.key != prompt.key:
            self.sheet.clear_widgets()
            self.rows = [FieldRow(self._pick) for _ in prompt.fields]
            for row, field in zip(self.rows, prompt.fields, strict=True):
                row.show(field)
            self._pick(None)
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

    def _pick(self, row: FieldRow | None) -> None:
        self.picking = row
        self.look_again()

    def compose(self, ui: Ui) -> None:
        prompt: Prompt | None = self.shown
        ui.pen.band()
        if prompt is None:
            return
        plate.at_head(ui.pen, prompt.plate, 45, 30)
        heading(ui, prompt, self.emit if self.looks_up else None)
        sheet = Area(*ui.area.box)
        sheet.cut_top(HEAD)
        keys = sheet.cut_bottom(FOOT).cut_top(88)
        keys.cut_left(20)
        keys.cut_right(12)
        sheet.cut_left(20)
        sheet.cut_right(12)
        row_high = NOTED if any(field.note for field in prompt.fields) else ROW
        room = sheet.cut_top(sheet.h // row_high * row_high)  # whole rows: none that is half beneath the keys
        ui.place(room, self.scroll)
        self.sheet.size = self.scroll.width, theme.dp(max(-(-len(self.rows) // 2) * row_high, room.h))
        self.sheet.put_rows(self.rows, 0, 0, room.w, row_high, across=2, gap=24, down=0)
        ui.button(keys.cut_left(92), "back", self.face, partial(self.emit, intents.FoldForm()), means="back")
        done = Face(label=theme.say("done"), size=QUESTION - 6)
        ui.button(keys.cut_right(200), "done", done, lambda: self.emit(intents.Fill(self.values())), means="done")
        for beneath in ui.placed:
            beneath.disabled = self.picking is not None
        if self.picking is not None:
            ui.place(ui.area, ui.named("picker", partial(Picker, partial(self._pick, None)))).show(self.picking)
