"""A confirmation, only for acts that cannot be undone; the key names the act."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from companion.screens.kit.key import Face, Key
from companion.screens.kit.pane import Pane
from companion.screens.kit.pen import BOLD, SEMIBOLD, Pen
from companion.screens.kit.theme import NAME, SMALL, TITLE, theme
from companion.view.shown import ViewModel

WIDE: Final = 388.0
HIGH: Final = 196.0


class Confirmation(ViewModel, frozen=True, kw_only=True):
    """A question to confirm: the act as a question, its consequences, and the key's label."""

    title: str
    note: str = ""
    act: str


class Confirm(Pane):
    """A modal dialog with a `Confirmation`; `on_act()` and `on_cancel()`.

    It blocks every touch on what it covers.
    """

    confines_focus = True

    def __init__(
        self,
        on_act: Callable[[], object] | None = None,
        *,
        on_cancel: Callable[[], object] | None = None,
        **properties: Any,
    ) -> None:
        super().__init__(**properties)
        self.act, self.cancel = Key(on_tap=on_act), Key(on_tap=on_cancel)

    def on_touch_down(self, touch: Any) -> bool:
        super().on_touch_down(touch)
        return True

    def _corner(self) -> tuple[float, float]:
        return (self.w - WIDE) / 2, (self.h - HIGH) / 2

    def arrange(self) -> None:
        if self.shown is None:
            return
        x, y = self._corner()
        self.cancel.show(Face(label=theme.say("cancel"), look="quiet"))
        self.act.show(Face(label=self.shown.act, size=22))
        self.put(self.cancel, x + 15, y + 84, 120, 76 + 20)
        self.put(self.act, x + 143, y + 84, WIDE - 158, 76 + 20)

    def paint(self, pen: Pen) -> None:
        if self.shown is None:
            return
        if pen.w > WIDE + 8:
            pen.fill(0, 0, pen.w, pen.h, "bg0", alpha=0.72)
        x, y = self._corner()
        pen.fill(x, y, WIDE, HIGH, "bg2", 10)
        pen.rim(x, y, WIDE, HIGH, "line", 1, 10)
        pen.text(self.shown.title, x + 15, y + 32, TITLE, "hi", BOLD, room=WIDE - 30, floor=NAME, cut=True)
        pen.text(self.shown.note, x + 15, y + 62, SMALL, "mid", SEMIBOLD, room=WIDE - 30)
