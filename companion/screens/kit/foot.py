"""The foot of a screen: a question with a note, and the action keys."""

from __future__ import annotations

from typing import Final

from companion.screens.kit.key import Face
from companion.screens.kit.pen import BOLD, SEMIBOLD, Pen
from companion.screens.kit.theme import QUESTION, SMALL, VALUE
from companion.view.shown import Price

BAND: Final = 104.0
KEYS: Final = 84.0
MAIN: Final = 228.0
"""Width of the main key, in dp."""


def ground(pen: Pen, high: float = BAND) -> None:
    """Draw the ground of the foot."""
    pen.fill(0, pen.h - high, pen.w, high, "bg2")
    pen.fill(0, pen.h - high, pen.w, 1, "line")


def ask(pen: Pen, asked: str, note: str, left: float, room: float) -> None:
    """Write a question and the note below it."""
    pen.text(asked, left, pen.h - BAND + 31, QUESTION, "hi", BOLD, room=room)
    pen.text(note, left, pen.h - BAND + 67, SMALL, "mid", SEMIBOLD, room=room, cut=True)


def deed(label: str, price: str) -> Face:
    """Return the face of an action key: its label and its result."""
    return Face(label=label, size=VALUE, prices=(Price(text=price, tone="ok"),))
