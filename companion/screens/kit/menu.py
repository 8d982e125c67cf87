"""A menu of keys over the screen, and the key in the bar that opens it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final

from companion.screens.kit.key import Face, Key
from companion.screens.kit.pane import Pane
from companion.screens.kit.pen import Pen
from companion.screens.kit.theme import NAME
from companion.screens.kit.touch import Target
from companion.view.shown import MenuEntry

ACROSS: Final = 3
KEY: Final = 76.0
MAX_ROWS_HEIGHT: Final = 4 * (KEY + 8)
"""Maximum height of all rows together, in dp; a toast has its place above them, so that rows are lower if there are
more than four."""
WIDE: Final = 56.0
"""Width of the key that opens it, in dp."""


class MenuKey(Target):
    """The menu key at the right end of the bar."""

    joined, means = True, "menu"

    def paint(self, pen: Pen) -> None:
        pen.fill(0, 0, pen.w, pen.h, "bg4" if self.pressed else "bg1")
        pen.fill(0, 0, 1, pen.h, "line")
        pen.icon("menu", pen.w / 2 + 0.5, pen.h / 2, 24, "mid")


class Menu(Pane):
    """Menu of `MenuEntry`s over a screen.

    `on_choose(name)` for a key, `on_close()` for a tap beside the keys. An entry alone in its row takes the whole
    row.
    """

    confines_focus = True

    def __init__(
        self, on_choose: Callable[[Any], object], *, on_close: Callable[[], object], **properties: Any
    ) -> None:
        self.on_choose, self.on_close = on_choose, on_close
        super().__init__(**properties)
        self.keys: dict[str, Key] = {}

    @property
    def _row(self) -> float:
        """The height of a row with the gap below it, in dp."""
        return min(KEY + 8, MAX_ROWS_HEIGHT / max(1, self._rows))

    @property
    def _rows(self) -> int:
        return -(-len(self.shown or ()) // ACROSS)

    def _panel(self) -> tuple[float, float, float, float]:
        high = self._rows * self._row + 16
        return 20.0, self.h - high - 12, self.w - 32, high

    def arrange(self) -> None:
        entries: tuple[MenuEntry, ...] = self.shown or ()
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
