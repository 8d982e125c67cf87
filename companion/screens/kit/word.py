"""A text prompt over a screen: a note, a name, or the subject of a dispute."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from kivy.clock import Clock
from kivy.uix.widget import Widget

from companion.screens.kit.compose import Composed, Ui
from companion.screens.kit.key import Face
from companion.screens.kit.pen import BOLD
from companion.screens.kit.theme import NAME, QUESTION, theme
from companion.screens.kit.writing import Writing
from companion.view.shown import Field

MOST: Final = 120
"""Maximum length of a note, in letters."""


class WordPrompt(Composed):
    """Text prompt over a screen: shows (title, key label); `on_done(text)`, `on_cancel()`.

    At most `most` letters.
    """

    most = MOST
    confines_focus = True

    def __init__(self, on_done: Callable[[str], object], *, on_cancel: Callable[[], object], **properties: Any) -> None:
        super().__init__(**properties)
        self.line = Writing(on_change=self._wrote, on_done=self._done, needed=True)
        self.on_done, self.on_cancel = on_done, on_cancel

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

    def compose(self, ui: Ui) -> None:
        ui.pen.fill(*ui.area.box, "bg0", alpha=0.72)
        area = ui.area.cut_top(128)
        ui.fill(area, "bg2")
        ui.fill(area.cut_bottom(1), "line")
        if self.shown is None:
            return
        title, label = self.shown
        area.cut_left(20)
        area.cut_right(12)
        head = area.cut_top(64)
        keys = head.cut_right(280).inset(0, 6)
        head.cut_right(18)
        ui.text(head, title, QUESTION - 6, weight=BOLD)
        ui.button(keys.cut_left(132), "cancel", Face(label=theme.say("cancel"), look="quiet"), self.on_cancel)
        empty = not self.line.value.strip()
        why = theme.words.screen("keyboard.empty") if empty else ""
        face = Face(label=label, note=why, look="barred" if empty else "answer", size=NAME)
        ui.button(keys.cut_right(140), "keep", face, lambda: self._done(self.line.value))
        self.line.show(Field(name="words", label="", kind="text", high=self.most))
        ui.place(area.cut_top(52), self.line)

    def on_touch_down(self, touch: Any) -> bool:
        super().on_touch_down(touch)
        return True
