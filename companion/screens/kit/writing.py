"""A text field: a name, a note."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

from kivy.uix.textinput import TextInput

from companion.drawing import lettering
from companion.screens.kit.compose import Composed, Ui
from companion.screens.kit.dock import being_written, dock
from companion.screens.kit.pen import SEMIBOLD
from companion.screens.kit.theme import CAPTION, NAME, theme
from companion.view.shown import Field

HIGH = 52.0
Capitals = Literal["none", "first", "each"]
"""Capital letters that the keyboard makes by itself."""


class SafeTextInput(TextInput):
    """Kivy's text input, safe against a touch before its letters are laid out.

    `owner` is the widget that shows it.
    """

    owner: Writing

    def on_touch_down(self, touch: Any) -> bool:
        return bool(self._lines) and super().on_touch_down(touch)

    def keyboard_on_key_down(self, window: Any, keycode: tuple[int, str], text: str, modifiers: Any) -> bool:
        """Leave Tab to the focus of the app; Enter, like Done, waits for a text that is needed."""
        if keycode[1] in ("enter", "numpadenter") and self.owner.waits:
            return True
        return keycode[1] != "tab" and bool(super().keyboard_on_key_down(window, keycode, text, modifiers))


class Writing(Composed):
    """Text field of a `Field` of kind "text", with its name above.

    `on_change(text)` is called while typing, `on_done(text)` when the line is ended; an empty one cannot be if it is
    `needed`. At most `high` characters, 0 for no limit. The keyboard starts the line with a capital, or `each` word
    of a name.
    """

    target = True

    def __init__(
        self,
        on_change: Callable[[str], object] | None = None,
        *,
        on_done: Callable[[str], object] | None = None,
        needed: bool = False,
        capitals: Capitals = "first",
        **properties: Any,
    ) -> None:
        self.on_change, self.on_done = on_change, on_done
        self.needed, self.capitals = needed, capitals
        super().__init__(**properties)
        self.line = SafeTextInput(multiline=False, write_tab=False, background_normal="", background_active="")
        self.line.owner = self
        self.line.background_color = self.line.hint_text_color = (0, 0, 0, 0)
        self.line.fbind("text", self._on_text)
        self.line.fbind("focus", self._read_or_written)
        self.line.fbind("cursor", self._read_or_written)
        self.line.bind(focus=dock().follow)
        self.line.bind(on_text_validate=lambda line: self.on_done(line.text) if self.on_done else None)

    @property
    def value(self) -> str:
        """The text."""
        return str(self.line.text)

    @property
    def waits(self) -> bool:
        """True while the line cannot be ended, because a text is needed."""
        return self.needed and not self.value.strip()

    def show(self, field: Field) -> None:
        """Show a field; a new field resets the text."""
        if field != self.shown:
            super().show(field)
            self.line.text = field.value if isinstance(field.value, str) else ""
            self.line.hint_text = field.label  # shown by the dock, where its keyboard hides the name above

    def _on_text(self, _: Any, text: str) -> None:
        most = self.shown.high if self.shown is not None else 0
        if most and len(text) > most:
            self.line.text = text[:most]
        elif self.on_change is not None:
            self.on_change(text)
        self.look_again()

    def _read_or_written(self, line: Any, now: Any) -> None:
        """Put the cursor at the end for writing, and at the start for reading."""
        if now is True:
            line.cursor = (len(line.text), 0)
        elif not line.focus:
            line.cursor = (0, 0)
            line.scroll_x = 0
        self.look_again()

    def compose(self, ui: Ui) -> None:
        line, focus, plain, label = self.line, self.line.focus, self._plain, ui.area
        box = label.cut_bottom(HIGH)
        ui.fill(box, "bg3", 8)
        ui.pen.rim(*box.box, "pri" if focus else "rim", 3 if focus else 1.5, 8)
        if not plain and focus:
            being_written(ui.pen, self.value, 12, box.middle[1], NAME, box.w - 28)
        elif not plain:
            ui.text(box.inset(12), self.value, NAME, cut=True)
        if label.h >= 18 and self.shown is not None:
            ui.pen.text(self.shown.label, 2, label.bottom - 13, CAPTION, "mid", SEMIBOLD, room=label.w - 2)
        line.font_name, line.font_size = str(lettering.font_for(line.text, SEMIBOLD)), round(theme.dp(NAME))
        line.foreground_color = line.cursor_color = theme.rgba("hi") if plain else (0, 0, 0, 0)
        line.selection_color = theme.rgba("info", 0.4)
        line.padding = (theme.dp(12), theme.dp(14), theme.dp(12), 0)
        ui.place(box, line)

    @property
    def _plain(self) -> bool:
        """True if Kivy can draw the text itself.

        It neither joins nor orders letters, and uses one font at a time.
        """
        return lettering.is_plain(self.value, SEMIBOLD)
