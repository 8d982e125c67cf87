"""The panel that tells the table where to move the program's car."""

from __future__ import annotations

from functools import partial
from typing import Any, Final

from companion.screens.kit import plate
from companion.screens.kit.compose import Composed, Ui
from companion.screens.kit.key import Face
from companion.screens.kit.pen import BOLD, SEMIBOLD
from companion.screens.kit.theme import BODY, CAPTION, NAME
from companion.view.race import intents
from companion.view.race.intents import Emit
from companion.view.shown_race import Push

HIGH: Final = 72.0
DONE: Final = 104.0


class PushPanel(Composed):
    """A panel at the foot of the board that shows a `Push`, with a key for when the car has been moved."""

    def __init__(self, emit: Emit, **properties: Any) -> None:
        self.emit = emit
        super().__init__(**properties)

    def compose(self, ui: Ui) -> None:
        push: Push | None = self.shown
        if push is None:
            return
        area, pen = ui.area, ui.pen
        pen.band()
        pen.fill(0, 0, 5, pen.h, "info")
        area.cut_left(46)
        area.cut_right(8)
        if push.key:
            face = Face(label=push.key, icon="check", look="quiet", size=BODY)
            done = partial(self.emit, intents.ConfirmMove())
            ui.button(area.cut_right(DONE).inset(0, 6), "done", face, done, means="done")
            area.cut_right(8)
        area.cut_right(2)
        if push.plate is not None:
            plate.draw(pen, push.plate, 26, 22, 28)
        else:
            pen.icon("clock", 26, pen.h / 2, 24, "info")
        if not push.title:
            pen.paragraph(push.text, area.x, pen.h / 2 - 9, BODY, area.w, "hi", SEMIBOLD, 2)
            return
        pen.text(push.title, area.x, 20, NAME, "hi", BOLD, room=area.w, floor=CAPTION, cut=True)
        pen.paragraph(push.text, area.x, 44, CAPTION, area.w, "mid", SEMIBOLD, 2)
