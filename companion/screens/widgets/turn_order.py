"""The order in which the cars play a turn, as plates beside the question."""

from __future__ import annotations

from typing import Final

from companion.screens.widgets import plate
from companion.screens.widgets.pen import Pen
from companion.screens.widgets.theme import CAPTION, theme
from companion.screens.widgets.touch import Target
from companion.screens.widgets.trail import MIDDLE
from companion.view.shown import InTurn

PITCH: Final = 31.0
HEIGHT: Final = 24.0


class TurnOrder(Target):
    """Shows a tuple of `InTurn`, at the right: the last that has played, the one that plays, and those to come."""

    def paint(self, pen: Pen) -> None:
        listed: list[InTurn] = list(self.shown or ())
        word = theme.say("order")
        beside = pen.width(word, CAPTION) + 14
        room = int((pen.w - beside) // PITCH)
        if room < 2 or not listed:
            return
        while len(listed) > room and listed[0].state == "done":
            listed.pop(0)
        more = len(listed) - room
        if more > 0:
            del listed[room - 1 :]
            more += 1
        x = pen.w - PITCH * (len(listed) + (more > 0))
        pen.text(word, x - 10, MIDDLE, CAPTION, "mid", align="right")
        for one in listed:
            middle = x + PITCH / 2
            plate.draw(pen, one.plate, middle, MIDDLE, HEIGHT)
            if one.state == "done":
                pen.fill(x, MIDDLE - 14, PITCH, 28, "bg2", alpha=0.55)
            elif one.state == "now":
                pen.fill(x + 1, MIDDLE + 16, PITCH - 2, 3, "hi")
            x += PITCH
        if more > 0:
            pen.text(f"+{more}", x + PITCH / 2, MIDDLE, CAPTION, "mid", align="centre")
