"""The foot of a screen: what is asked there, with what there is to know, and the keys that act."""

from __future__ import annotations

from typing import Final

from companion.screens.widgets.key import Face
from companion.screens.widgets.pen import BOLD, SEMIBOLD, Pen
from companion.screens.widgets.theme import QUESTION, SMALL, VALUE
from companion.view.shown import Price

BAND: Final = 104.0
KEYS: Final = 84.0
MAIN: Final = 228.0
"""How wide the key that acts is."""


def ground(pen: Pen, high: float = BAND) -> None:
    """Draws the ground of the foot."""
    pen.fill(0, pen.h - high, pen.w, high, "bg2")
    pen.fill(0, pen.h - high, pen.w, 1, "line")


def ask(pen: Pen, asked: str, note: str, left: float, room: float) -> None:
    """Writes what is asked, and beneath it what there is to know."""
    pen.text(asked, left, pen.h - BAND + 31, QUESTION, "hi", BOLD, room=room)
    pen.text(note, left, pen.h - BAND + 67, SMALL, "mid", SEMIBOLD, room=room, cut=True)


def deed(label: str, price: str) -> Face:
    """What is on the key that acts: what it does, and what that brings."""
    return Face(label=label, size=VALUE, prices=(Price(text=price, tone="ok"),))
