"""An empty state: a pictogram, one sentence, and the key that fills it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from companion.screens.kit.key import Face, Key
from companion.screens.kit.pane import Pane
from companion.screens.kit.pen import BOLD, SEMIBOLD, Pen
from companion.screens.kit.theme import NAME, SMALL, theme
from companion.view.shown import Tone, ViewModel


class EmptyState(ViewModel, frozen=True, kw_only=True):
    """Content of an empty state: title, note and the key's label, empty for no key.

    `tone` is "bad" if something should be there.
    """

    icon: str
    title: str
    note: str = ""
    act: str = ""
    tone: Tone = "plain"


class Empty(Pane):
    """The empty state on a screen; `on_act()` for its key."""

    def __init__(self, on_act: Callable[[], object] | None = None, **properties: Any) -> None:
        super().__init__(**properties)
        self.key = Key(on_tap=on_act)

    def _top(self) -> float:
        return max(12.0, (self.h - (172 if self._act else 112)) / 2)

    @property
    def _act(self) -> bool:
        return bool(self.shown is not None and self.shown.act and self.key.heard)

    def arrange(self) -> None:
        if self._act:
            self.key.show(Face(label=self.shown.act, size=NAME))
            self.put(self.key, (self.w - 190) / 2, self._top() + 112, 190, 56)
        else:
            self.remove_widget(self.key)

    def paint(self, pen: Pen) -> None:
        if self.shown is None:
            return
        pen.rim(0, 0, pen.w, pen.h, "rim", 1.5, 10, dashes=True)
        top, middle = self._top(), pen.w / 2
        ink = theme.toned(self.shown.tone, "low")
        pen.icon(self.shown.icon, middle, top + 24, 32, ink)
        pen.text(self.shown.title, middle, top + 64, NAME, "hi", BOLD, "centre", room=pen.w - 24)
        pen.paragraph(self.shown.note, middle, top + 92, SMALL, pen.w - 32, "mid", SEMIBOLD, 2, "centre")
