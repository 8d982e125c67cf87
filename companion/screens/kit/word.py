"""A text prompt over a screen: a note, a name, or the subject of a dispute."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from kivy.clock import Clock
from kivy.uix.widget import Widget

from companion.screens.kit.key import Face, Key
from companion.screens.kit.pane import Pane
from companion.screens.kit.pen import BOLD, Pen
from companion.screens.kit.theme import NAME, QUESTION, theme
from companion.screens.kit.writing import Writing
from companion.view.shown import Field

MOST: Final = 120
"""Maximum length of a note, in letters."""


class WordPrompt(Pane):
    """Text prompt over a screen: shows (title, key label); `on_done(text)`, `on_cancel()`.

    At most `most` letters.
    """

    most = MOST
    confines_focus = True

    def __init__(self, on_done: Callable[[str], object], *, on_cancel: Callable[[], object], **properties: Any) -> None:
        super().__init__(**properties)
        self.line = Writing(on_change=self._wrote, on_done=self._done, needed=True)
        self.on_done = on_done
        self.keep, self.cancel = Key(on_tap=lambda: self._done(self.line.value)), Key(on_tap=on_cancel)

    def show(self, shown: tuple[str, str]) -> None:
        """Show a prompt; a new one clears the text."""
        if shown != self.shown:
            self.line.line.text = ""
        super().show(shown)

    def on_parent(self, _: Widget, parent: Widget | None) -> None:
        """Open the keyboard at once; close it when removed."""
        if parent is not None:
            Clock.schedule_once(lambda _: self._write(), 0)
        else:
            self.line.line.focus = False

    def _write(self) -> None:
        if self.parent is not None:
            self.line.line.focus = True

    def _done(self, text: str) -> None:
        if text.strip():
            self.on_done(text.strip())
            self.line.line.text = ""

    def _wrote(self, _: str) -> None:
        self.look_again()

    def arrange(self) -> None:
        if self.shown is None:
            return
        self.line.show(Field(name="words", label="", kind="text", high=self.most))
        self.put(self.line, 20, 64, self.w - 32, 52)
        self.cancel.show(Face(label=theme.say("cancel"), look="quiet"))
        self.put(self.cancel, self.w - 292, 6, 132, 52)
        empty = not self.line.value.strip()
        why = theme.words.screen("keyboard.empty") if empty else ""
        self.keep.show(Face(label=self.shown[1], note=why, look="barred" if empty else "answer", size=NAME))
        self.put(self.keep, self.w - 152, 6, 140, 52)

    def on_touch_down(self, touch: Any) -> bool:
        super().on_touch_down(touch)
        return True

    def paint(self, pen: Pen) -> None:
        pen.fill(0, 0, pen.w, pen.h, "bg0", alpha=0.72)
        pen.fill(0, 0, pen.w, 128, "bg2")
        pen.fill(0, 127, pen.w, 1, "line")
        if self.shown is not None:
            pen.text(self.shown[0], 20, 32, QUESTION - 6, "hi", BOLD, room=pen.w - 330)
