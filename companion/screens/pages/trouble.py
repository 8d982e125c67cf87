"""The last resort: no screen could be made, and this one says so."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from companion.screens.app.screen import Screen
from companion.screens.widgets.key import Face, Key
from companion.screens.widgets.pen import BOLD, SEMIBOLD, Pen
from companion.screens.widgets.theme import BODY, QUESTION
from companion.screens.widgets.unsaved import unsaved

if TYPE_CHECKING:
    from companion.screens.app.app import CompanionApp


class TroubleScreen(Screen):
    """One sentence, and one key to try again."""

    def __init__(self, app: CompanionApp, given: Mapping[str, object]) -> None:
        super().__init__(app, given)
        self.key = Key(on_tap=lambda: app.instead("home"))

    def arrange(self) -> None:
        self.key.show(Face(label=self.say("trouble.again"), size=QUESTION))
        self.put(self.key, self.w / 2 - 194, 340, 388, 88)

    def paint(self, pen: Pen) -> None:
        unsaved.paint(pen, pen.w - 12, 24)
        pen.icon("triangle", pen.w / 2, 110, 64, "bad")
        pen.text(self.say("trouble.title"), pen.w / 2, 190, QUESTION, "hi", BOLD, "centre")
        folder = str(self.app.folder)
        pen.paragraph(
            self.say("trouble.what", folder=folder), pen.w / 2, 240, BODY, pen.w - 160, "mid", SEMIBOLD, 3, "centre"
        )
