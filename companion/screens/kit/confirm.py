"""A confirmation, only for acts that cannot be undone; the key names the act."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from companion.screens.kit.compose import Area, Composed, Ui
from companion.screens.kit.key import Face
from companion.screens.kit.pen import BOLD
from companion.screens.kit.theme import NAME, SMALL, TITLE, theme
from companion.view.shown import ViewModel

WIDE: Final = 388.0
HIGH: Final = 196.0


class Confirmation(ViewModel, frozen=True, kw_only=True):
    """A question to confirm: the act as a question, its consequences, and the key's label."""

    title: str
    note: str = ""
    act: str


class Confirm(Composed):
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
        self.on_act, self.on_cancel = on_act, on_cancel

    def on_touch_down(self, touch: Any) -> bool:
        super().on_touch_down(touch)
        return True

    def compose(self, ui: Ui) -> None:
        if self.shown is None:
            return
        if self.w > WIDE + 8:
            ui.pen.fill(*ui.area.box, "bg0", alpha=0.72)
        area = Area((self.w - WIDE) / 2, (self.h - HIGH) / 2, WIDE, HIGH)
        ui.fill(area, "bg2", 10)
        ui.pen.rim(*area.box, "line", 1, 10)
        area = area.inset(15)
        ui.pen.text(self.shown.title, area.x, area.y + 32, TITLE, "hi", BOLD, room=area.w, floor=NAME, cut=True)
        ui.pen.text(self.shown.note, area.x, area.y + 62, SMALL, "mid", room=area.w)
        area.cut_top(84)
        keys = area.cut_top(96)
        ui.button(keys.cut_left(120), "cancel", Face(label=theme.say("cancel"), look="quiet"), self.on_cancel)
        keys.cut_left(8)
        ui.button(keys, "act", Face(label=self.shown.act, size=22), self.on_act)
