"""The panel that tells the table where to move the program's car."""

from __future__ import annotations

from functools import partial
from typing import Any, Final

from companion.screens.kit import plate
from companion.screens.kit.key import Face, Key
from companion.screens.kit.pane import Pane
from companion.screens.kit.pen import BOLD, SEMIBOLD, Pen
from companion.screens.kit.theme import BODY, CAPTION, NAME
from companion.view.race import intents
from companion.view.race.intents import Emit
from companion.view.shown_race import Push

HIGH: Final = 72.0
DONE: Final = 104.0


class PushPanel(Pane):
    """A panel at the foot of the board that shows a `Push`, with a key for when the car has been moved."""

    def __init__(self, emit: Emit, **properties: Any) -> None:
        super().__init__(**properties)
        self.done = Key(on_tap=partial(emit, intents.ConfirmMove()), means="done")

    def arrange(self) -> None:
        push: Push | None = self.shown
        if push is not None and push.key:
            self.done.show(Face(label=push.key, icon="check", look="quiet", size=BODY))
            self.put(self.done, self.w - DONE - 8, 6, DONE, HIGH - 12)
        else:
            self.remove_widget(self.done)

    def paint(self, pen: Pen) -> None:
        push: Push | None = self.shown
        if push is None:
            return
        pen.band()
        pen.fill(0, 0, 5, pen.h, "info")
        left, room = 46.0, pen.w - 46 - (DONE + 18 if push.key else 10)
        if push.plate is not None:
            plate.draw(pen, push.plate, 26, 22, 28)
        else:
            pen.icon("clock", 26, pen.h / 2, 24, "info")
        if not push.title:
            pen.paragraph(push.text, left, pen.h / 2 - 9, BODY, room, "hi", SEMIBOLD, 2)
            return
        pen.text(push.title, left, 20, NAME, "hi", BOLD, room=room, floor=CAPTION, cut=True)
        pen.paragraph(push.text, left, 44, CAPTION, room, "mid", SEMIBOLD, 2)
