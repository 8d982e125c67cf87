"""A menu of keys over the screen, and the key in the bar that opens it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final

from companion.screens.kit.compose import Composed, Ui
from companion.screens.kit.key import Face, Look
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


class Menu(Composed):
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

    def compose(self, ui: Ui) -> None:
        entries: tuple[MenuEntry, ...] = self.shown or ()
        ui.pen.fill(*ui.area.box, "bg0", alpha=0.72)
        rows = -(-len(entries) // ACROSS)
        row = min(KEY + 8, MAX_ROWS_HEIGHT / max(1, rows))
        ui.area.cut_left(20)
        ui.area.cut_right(12)
        ui.area.cut_bottom(12)
        panel = ui.area.cut_bottom(rows * row + 16)
        ui.fill(panel, "bg2", 10)
        ui.pen.rim(*panel.box, "line", 1, 10)
        cells = panel.inset(12, 12).cells(len(entries), ACROSS, row - 8)
        if len(entries) % ACROSS == 1:
            cells[-1].w = panel.w - 24
        for cell, entry in zip(cells, entries, strict=True):
            look: Look = "barred" if entry.barred else "option"
            face = Face(label=entry.label, note=entry.note, icon=entry.icon, look=look, size=NAME)
            ui.button(cell, entry.name, face, None if entry.barred else partial(self.on_choose, entry.name))

    def on_touch_down(self, touch: Any) -> bool:
        if not super().on_touch_down(touch):
            self.on_close()
        return True
