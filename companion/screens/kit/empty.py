"""An empty state: a pictogram, one sentence, and the key that fills it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from companion.screens.kit.compose import Area, Composed, Ui
from companion.screens.kit.key import Face
from companion.screens.kit.pen import BOLD, SEMIBOLD
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


class Empty(Composed):
    """The empty state on a screen; `on_act()` for its key."""

    def __init__(self, on_act: Callable[[], object] | None = None, **properties: Any) -> None:
        super().__init__(**properties)
        self.on_act = on_act

    def compose(self, ui: Ui) -> None:
        if self.shown is None:
            return
        pen, middle, acts = ui.pen, ui.area.middle[0], self.shown.act and self.on_act is not None
        pen.rim(*ui.area.box, "rim", 1.5, 10, dashes=True)
        top = max(12.0, (self.h - (172 if acts else 112)) / 2)
        pen.icon(self.shown.icon, middle, top + 24, 32, theme.toned(self.shown.tone, "low"))
        pen.text(self.shown.title, middle, top + 64, NAME, "hi", BOLD, "centre", room=self.w - 24)
        pen.paragraph(self.shown.note, middle, top + 92, SMALL, self.w - 32, "mid", SEMIBOLD, 2, "centre")
        if acts:
            key = Area(middle - 95, top + 112, 190, 56)
            ui.button(key, "act", Face(label=self.shown.act, size=NAME), self.on_act)
