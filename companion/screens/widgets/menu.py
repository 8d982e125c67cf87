"""A menu: what else can be done here, as keys over the screen; and the key at the right end of a bar that opens it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final

from companion.screens.widgets.key import Face, Key
from companion.screens.widgets.pane import Pane
from companion.screens.widgets.pen import Pen
from companion.screens.widgets.theme import NAME
from companion.screens.widgets.touch import Target
from companion.view.shown import Shown

ACROSS: Final = 3
KEY: Final = 76.0
ROOM: Final = 4 * (KEY + 8)
"""How high all rows may be together: above them a toast has its place, so that more than four rows are lower."""
WIDE: Final = 56.0
"""How wide the key is that opens it."""


class Entry(Shown, frozen=True, kw_only=True):
    """A key of a menu: what it is called for the program and for people, a second line, whether it can be pressed."""

    name: str
    label: str
    icon: str
    note: str = ""
    barred: bool = False


class MenuKey(Target):
    """The key at the right end of the bar."""

    joined, means = True, "menu"

    def paint(self, pen: Pen) -> None:
        pen.fill(0, 0, pen.w, pen.h, "bg4" if self.pressed else "bg1")
        pen.fill(0, 0, 1, pen.h, "line")
        pen.icon("menu", pen.w / 2 + 0.5, pen.h / 2, 24, "mid")


class Menu(Pane):
    """Shows a tuple of `Entry` over a screen; `on_choose(name)` for a key, `on_close()` for a tap beside the keys. One
    that would be alone in its row has all of it."""

    def __init__(self, on_choose: Callable[[Any], object], on_close: Callable[[], object], **properties: Any) -> None:
        self.on_choose, self.on_close = on_choose, on_close
        super().__init__(**properties)
        self.keys: dict[str, Key] = {}

    @property
    def _row(self) -> float:
        """How high a row is, with the gap below it."""
        return min(KEY + 8, ROOM / max(1, self._rows))

    @property
    def _rows(self) -> int:
        return -(-len(self.shown or ()) // ACROSS)

    def _panel(self) -> tuple[float, float, float, float]:
        high = self._rows * self._row + 16
        return 20.0, self.h - high - 12, self.w - 32, high

    def arrange(self) -> None:
        entries: tuple[Entry, ...] = self.shown or ()
        x, y, w, _ = self._panel()
        wide = (w - 24 - 8 * (ACROSS - 1)) / ACROSS
        for at, entry in enumerate(entries):
            key = self.keys.setdefault(entry.name, Key())
            key.on_tap = None if entry.barred else partial(self.on_choose, entry.name)
            look = "barred" if entry.barred else "option"
            key.show(Face(label=entry.label, note=entry.note, icon=entry.icon, look=look, size=NAME))  # type: ignore[arg-type]
            left, top = x + 12 + at % ACROSS * (wide + 8), y + 12 + at // ACROSS * self._row
            alone = at % ACROSS == 0 and at == len(entries) - 1
            self.put(key, left, top, w - 24 if alone else wide, self._row - 8)
        there = {entry.name for entry in entries}
        self.only([self.keys[name] for name in there], of=self.keys.values())

    def paint(self, pen: Pen) -> None:
        pen.fill(0, 0, pen.w, pen.h, "bg0", alpha=0.72)
        x, y, w, h = self._panel()
        pen.fill(x, y, w, h, "bg2", 10)
        pen.rim(x, y, w, h, "line", 1, 10)

    def on_touch_down(self, touch: Any) -> bool:
        if not super().on_touch_down(touch):
            self.on_close()
        return True
