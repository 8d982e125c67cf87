"""What else can be done in a race: the keys behind More."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final, Literal

from companion.screens.widgets.key import Face, Key
from companion.screens.widgets.pane import Pane
from companion.screens.widgets.pen import Pen
from companion.screens.widgets.theme import NAME, theme
from companion.view.shown import Shown

ACROSS: Final = 3
KEY: Final = 76.0
Entry = Literal[
    "redo", "history", "override", "note", "dispute", "overview", "sheet", "rules", "settings", "leave",
]  # fmt: skip
ENTRIES: Final[tuple[tuple[Entry, str], ...]] = (
    ("redo", "redo"), ("history", "history"), ("override", "star"), ("note", "edit"), ("dispute", "triangle"),
    ("overview", "flag"), ("sheet", "sheet"), ("rules", "book"), ("settings", "settings"),
    ("leave", "home"),
)  # fmt: skip
"""Every key by its name, with its pictogram; the last one has a row of its own."""


class Offer(Shown, frozen=True, kw_only=True):
    """What is on the menu: second lines by name, and what is not possible now."""

    notes: tuple[tuple[str, str], ...] = ()
    barred: tuple[str, ...] = ()


class Menu(Pane):
    """Shows an `Offer` over the race; `on_choose(name)` for a key, `on_close()` for a tap beside the keys."""

    def __init__(self, on_choose: Callable[[Entry], object], on_close: Callable[[], object], **properties: Any) -> None:
        self.on_choose, self.on_close = on_choose, on_close
        super().__init__(**properties)
        self.keys = {name: Key() for name, _ in ENTRIES}

    def _panel(self) -> tuple[float, float, float, float]:
        high = -(-len(ENTRIES) // ACROSS) * (KEY + 8) + 16
        return 20.0, self.h - high - 12, self.w - 32, high

    def arrange(self) -> None:
        if self.shown is None:
            return
        x, y, w, _ = self._panel()
        notes = dict(self.shown.notes)
        for name, icon in ENTRIES:
            key, barred = self.keys[name], name in self.shown.barred
            key.on_tap = None if barred else partial(self.on_choose, name)
            label = theme.words.screen(f"more.{name}")
            look = Face(
                label=label, note=notes.get(name, ""), icon=icon, look="barred" if barred else "option", size=NAME
            )
            key.show(look)
        *keys, leave = self.keys.values()
        self.put_rows(keys, x + 12, y + 12, w - 24, KEY, across=ACROSS)
        self.put(leave, x + 12, y + 12 + len(keys) // ACROSS * (KEY + 8), w - 24, KEY)

    def paint(self, pen: Pen) -> None:
        pen.fill(0, 0, pen.w, pen.h, "bg0", alpha=0.72)
        x, y, w, h = self._panel()
        pen.fill(x, y, w, h, "bg2", 10)
        pen.rim(x, y, w, h, "line", 1, 10)

    def on_touch_down(self, touch: Any) -> bool:
        if not super().on_touch_down(touch):
            self.on_close()
        return True
