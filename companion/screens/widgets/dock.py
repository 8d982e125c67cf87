"""The dock: the keyboard that comes up from the bottom of the window while a line is written in, and goes with it.

If it covers that line, what is written is shown above the keys as well.
"""

from __future__ import annotations

import functools
from typing import Any, Final

from kivy.core.window import Window
from kivy.uix.behaviors import FocusBehavior

from companion.drawing import lettering
from companion.screens.widgets.canvas import HIGH as CANVAS_HIGH
from companion.screens.widgets.canvas import WIDEST
from companion.screens.widgets.keyboard import HIGH, Keyboard
from companion.screens.widgets.pane import Pane
from companion.screens.widgets.pen import SEMIBOLD, Pen
from companion.screens.widgets.theme import NAME, VALUE, theme

STRIP: Final = 52
"""The height of the line above the keys."""


class Dock(Pane):
    """Follows the line that has the focus: `line.bind(focus=dock().follow)`."""

    def __init__(self, **properties: Any) -> None:
        super().__init__(**properties)
        self.line: Any = None

    @functools.cached_property
    def keyboard(self) -> Keyboard:
        """Its keys, made when something is first written: most evenings nothing is."""
        return Keyboard(self._type, self._erase, self._done)

    def follow(self, line: Any, focused: bool) -> None:
        """Comes when a line gets the focus, goes when it loses it."""
        if focused:
            self._leave()
            self.line = line
            line.bind(text=self._written)
            self.keyboard.layer = "letters"  # whatever the line before ended with
            self.keyboard.begins(self._at_a_capital)
            self._written()
            Window.bind(size=self._placed)
            self._placed()
            Window.add_widget(self)
        elif line is self.line:
            self._leave()

    def close(self) -> None:
        """Ends the writing, if anything is written."""
        if self.line is not None:
            self.line.focus = False

    def _leave(self) -> None:
        if self.line is not None:
            self.line.unbind(text=self._written)
            Window.unbind(size=self._placed)
            Window.remove_widget(self)
            self.line = None

    def _written(self, *_: object) -> None:
        """Something was written: whether that is enough."""
        empty = not str(self.line.text).strip() and self.line.owner.needed
        self.keyboard.wants(theme.words.screen("keyboard.empty") if empty else "")
        self.look_again()

    @property
    def _at_a_capital(self) -> bool:
        """Whether the next letter is a capital of itself: the first of a line, and of a name each after a gap."""
        before, begins = str(self.line.text), self.line.owner.capitals
        return begins != "none" and (not before or (begins == "each" and before[-1] in " -"))

    def _placed(self, *_: object) -> None:
        dp = theme.dp
        bottom = (Window.height - dp(CANVAS_HIGH)) / 2
        self.width = min(Window.width, dp(WIDEST))
        self.covers = bool(self.line.to_window(*self.line.pos)[1] < bottom + dp(HIGH))
        self.height = dp(HIGH + (STRIP if self.covers else 0))
        self.pos = ((Window.width - self.width) / 2, bottom)
        self.look_again()

    def arrange(self) -> None:
        if self.line is not None:
            self.put(self.keyboard, 0, self.h - HIGH, self.w, HIGH)

    def paint(self, pen: Pen) -> None:
        if self.line is None or not self.covers:
            return
        pen.fill(0, 0, pen.w, STRIP, "bg1")
        pen.fill(0, 0, pen.w, 1, "line")
        text = str(self.line.text)
        being_written(pen, text, 16, STRIP / 2, VALUE, pen.w - 40)
        if not text:
            pen.text(str(self.line.hint_text), 26, STRIP / 2, NAME, "low", SEMIBOLD, room=pen.w - 42)

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
    """Draws as much of the end of a text as has room, and a bar where the next letter comes."""
    while lettering.width(text, pen.pixels(size), SEMIBOLD) > theme.dp(room):
        text = text[1:]
    left = lettering.ends_at_the_left(text)
    end = pen.text(text, x + (4 if left else 0), y, size, "hi", SEMIBOLD)
    pen.fill(x if left else x + end + 2, y - 12, 2, 24, "hi")


@functools.cache
def dock() -> Dock:
    """The one dock there is, made when it is first asked for: a widget opens the window."""
    return Dock()
