"""A line that is written over the race: a note, or what is disputed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from companion.screens.widgets.key import Face, Key
from companion.screens.widgets.pane import Pane
from companion.screens.widgets.pen import BOLD, Pen
from companion.screens.widgets.theme import NAME, QUESTION, theme
from companion.screens.widgets.writing import Writing
from companion.view.shown import Field

MOST: Final = 120
"""Letters of a note."""


class Words(Pane):
    """A line to write in over the race: shows (title, what the key says); `on_done(text)` or `on_cancel()`."""

    def __init__(self, on_done: Callable[[str], object], on_cancel: Callable[[], object], **properties: Any) -> None:
        super().__init__(**properties)
        self.line = Writing(on_change=self._wrote, on_done=self._done, needed=True)
        self.on_done = on_done
        self.keep, self.cancel = Key(on_tap=lambda: self._done(self.line.value)), Key(on_tap=on_cancel)

    def show(self, shown: tuple[str, str]) -> None:
        """Shows what is to be written; what was begun for something else is forgotten."""
        if shown != self.shown:
            self.line.line.text = ""
        super().show(shown)

    def _done(self, text: str) -> None:
        if text.strip():
            self.on_done(text.strip())
            self.line.line.text = ""

    def _wrote(self, _: str) -> None:
        self.look_again()

    def arrange(self) -> None:
        if self.shown is None:
            return
        self.line.show(Field(name="words", label="", kind="text", high=MOST))
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
