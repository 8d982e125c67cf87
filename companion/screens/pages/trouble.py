"""The fallback screen, for when no other can be created."""

from __future__ import annotations

from companion.screens.app.screen import Screen
from companion.screens.kit.compose import Area, Composed, Ui
from companion.screens.kit.key import Face
from companion.screens.kit.pen import BOLD, SEMIBOLD
from companion.screens.kit.theme import BODY, QUESTION
from companion.screens.kit.unsaved import unsaved


class TroubleScreen(Composed, Screen):
    """One sentence, and a key to try again."""

    def compose(self, ui: Ui) -> None:
        pen, (middle, _) = ui.pen, ui.area.middle
        unsaved.paint(pen, pen.w - 12, 24)
        pen.icon("triangle", middle, 110, 64, "bad")
        pen.text(self.say("trouble.title"), middle, 190, QUESTION, "hi", BOLD, "centre")
        what = self.say("trouble.what", folder=str(self.app.folder))
        pen.paragraph(what, middle, 240, BODY, pen.w - 160, "mid", SEMIBOLD, 3, "centre")
        again = Face(label=self.say("trouble.again"), size=QUESTION)
        ui.button(Area(middle - 194, 340, 388, 88), "again", again, lambda: self.app.instead("home"))
