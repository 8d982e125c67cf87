"""The on-screen keyboard's dock, at the foot of the window while a text is typed.

If it covers the text field, it repeats the text above the keys.
"""

from __future__ import annotations

import functools
from typing import Any, Final

from kivy.core.window import Window
from kivy.uix.behaviors import FocusBehavior

from companion.drawing import lettering
from companion.screens.kit.canvas import HIGH as CANVAS_HIGH
from companion.screens.kit.canvas import WIDEST
from companion.screens.kit.compose import Composed, Ui
from companion.screens.kit.key import Key
from companion.screens.kit.keyboard import HIGH, Keyboard
from companion.screens.kit.pen import SEMIBOLD, Pen
from companion.screens.kit.theme import NAME, VALUE, theme

STRIP: Final = 52
"""Height of the line above the keys, in dp."""


class Dock(Composed):
    """Keyboard dock of the focused line: `line.bind(focus=dock().follow)`."""

    confines_focus = True

    def __init__(self, **properties: Any) -> None:
        super().__init__(**properties)
        self.line: Any = None

    @functools.cached_property
    def keyboard(self) -> Keyboard:
        """The keyboard, created on first use."""
        return Keyboard(on_text=self._type, on_erase=self._erase, on_done=self._done)

    @property
    def wheel(self) -> list[Key]:
        """The keys in the order in which the focus moves over them."""
        return self.keyboard.wheel

    @property
    def returns_to(self) -> Any:
        """The line, to which the focus returns."""
        return self.line

    def press(self, name: str) -> bool:
        """Handle a hardware button: Undo deletes a letter or closes an empty line, Next finishes it.

        Returns True if it used the button.
        """
        if name == "undo" and self.line is not None and self.line.text:
            self._erase()
        elif name == "undo" or (name == "next" and not self.keyboard.why):
            self.close()
        return name in ("undo", "next")

    def follow(self, line: Any, focused: bool) -> None:
        """Open when a line gets the focus, close when it loses it."""
        if focused:
            self._leave()
            self.line = line
            line.bind(text=self._on_text)
            self.keyboard.layer = "letters"  # whatever the line before ended with
            self.keyboard.begins(self._at_a_capital)
            self._on_text()
            Window.bind(size=self._lay_out)
            self._lay_out()
            Window.add_widget(self)
        elif line is self.line:
            self._leave()

    def close(self) -> None:
        """Take the focus from the line, if there is one."""
        if self.line is not None:
            self.line.focus = False

    def _leave(self) -> None:
        if self.line is not None:
            self.line.unbind(text=self._on_text)
            Window.unbind(size=self._lay_out)
            Window.remove_widget(self)
            self.line = None

    def _on_text(self, *_: object) -> None:
        """Update the keyboard after a change of the text, and check that it is not empty."""
        self.keyboard.wants(theme.words.screen("keyboard.empty") if self.line.owner.waits else "")
        self.look_again()

    @property
    def _at_a_capital(self) -> bool:
        """True if the next letter is capitalised automatically.

        This is the first letter of a line, or of each word of a name.
        """
        before, begins = str(self.line.text), self.line.owner.capitals
        return begins != "none" and (not before or (begins == "each" and before[-1] in " -"))

    def _lay_out(self, *_: object) -> None:
        dp = theme.dp
        bottom = (Window.height - dp(CANVAS_HIGH)) / 2
        self.width = min(Window.width, dp(WIDEST))
        self.covers = bool(self.line.to_window(*self.line.pos)[1] < bottom + dp(HIGH))
        self.height = dp(HIGH + (STRIP if self.covers else 0))
        self.pos = ((Window.width - self.width) / 2, bottom)
        self.look_again()

    def compose(self, ui: Ui) -> None:
        if self.line is None:
            return
        ui.place(ui.area.cut_bottom(HIGH), self.keyboard)
        if not self.covers:
            return
        strip, text = ui.area, str(self.line.text)
        ui.fill(strip, "bg1")
        ui.pen.fill(0, 0, strip.w, 1, "line")
        being_written(ui.pen, text, 16, strip.middle[1], VALUE, strip.w - 40)
        if not text:
            ui.pen.text(str(self.line.hint_text), 26, strip.middle[1], NAME, "low", SEMIBOLD, room=strip.w - 42)

    def on_touch_down(self, touch: Any) -> bool:
        if not self.collide_point(*touch.pos):
            return False
        FocusBehavior.ignored_touch.append(touch)  # a tap on its keys does not take the focus from the line
        super().on_touch_down(touch)
        return True

    def _type(self, text: str) -> None:
        if self.line is not None:
            self.line.insert_text(text)
            if self._at_a_capital:
                self.keyboard.begins(True)

    def _erase(self) -> None:
        if self.line is not None:
            self.line.do_backspace()
            self.keyboard.begins(self._at_a_capital)

    def _done(self) -> None:
        line = self.line
        self.close()
        if line is not None:
            line.dispatch("on_text_validate")


def being_written(pen: Pen, text: str, x: float, y: float, size: float, room: float) -> None:
    """Draw the end of a text as far as it fits, with a cursor."""
    while lettering.width(text, pen.pixels(size), SEMIBOLD) > theme.dp(room):
        text = text[1:]
    left = lettering.ends_at_the_left(text)
    end = pen.text(text, x + (4 if left else 0), y, size, "hi", SEMIBOLD)
    pen.fill(x if left else x + end + 2, y - 12, 2, 24, "hi")


@functools.cache
def dock() -> Dock:
    """Return the only dock, created on first use: creating a widget opens the window."""
    return Dock()
