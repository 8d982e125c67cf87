"""The title bar of a screen: back arrow, title, and a note."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from companion.screens.kit.pane import Pane
from companion.screens.kit.pen import BOLD, SEMIBOLD, Pen
from companion.screens.kit.theme import CAPTION
from companion.screens.kit.touch import Target
from companion.screens.kit.unsaved import unsaved
from companion.view.shown import ViewModel

HIGH: Final = 48
BACK: Final = 56
TITLE: Final = 24


class Title(ViewModel, frozen=True, kw_only=True):
    """The title of a screen, and the note beside it."""

    text: str
    note: str = ""


class TitleBar(Pane):
    """The title bar; `on_back` for the arrow. `keep` dp at the right stay free."""

    def __init__(self, on_back: Callable[[], object], keep: float = 0, **properties: Any) -> None:
        super().__init__(**properties)
        unsaved.bind(count=self.look_again)
        self.keep = keep
        self._back = Arrow(on_tap=on_back)

    def arrange(self) -> None:
        self.put(self._back, 0, 0, BACK, HIGH)

    def paint(self, pen: Pen) -> None:
        pen.fill(0, 0, pen.w, pen.h, "bg1")
        pen.fill(0, pen.h - 1, pen.w, 1, "line")
        if not isinstance(self.shown, Title):
            return
        left, right = BACK + 14.0, pen.w - 12 - self.keep
        unsaved.paint(pen, right, pen.h / 2)
        right -= unsaved.room
        left += pen.text(self.shown.text, left, pen.h / 2, TITLE, "hi", BOLD, room=right - left) + 14
        if self.shown.note and right - left > 40:
            pen.text(self.shown.note, left, pen.h / 2 + 1, CAPTION, "mid", SEMIBOLD, room=right - left, cut=True)


class Arrow(Target):
    """The back arrow."""

    means = "back"

    def paint(self, pen: Pen) -> None:
        if self.pressed:
            pen.fill(0, 0, pen.w - 1, pen.h - 1, "bg4")
        pen.icon("arrow-left", pen.w / 2, pen.h / 2, 24, "mid")
        pen.fill(pen.w - 1, 0, 1, pen.h - 1, "line")
