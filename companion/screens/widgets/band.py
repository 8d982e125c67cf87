"""The band at the bottom of a race: how high it is for a question, and where its keys are in it, in dp."""

from __future__ import annotations

from typing import Final

from companion.screens.view.shown import Prompt
from companion.screens.widgets.form import Form

LEFT: Final = 20.0
RIGHT: Final = 12.0
UNDO: Final = 92.0
KEYS_TOP: Final = 60.0
KEYS_HIGH: Final = 88.0

BAND: Final = 160.0
BAND_BLACK: Final = 192.0
BAND_LIST: Final = 288.0
ROWS_FROM: Final = 7
"""So many answers of a list stand below each other; fewer are keys."""


def height(prompt: Prompt) -> float:
    """How high the band of a question is, in dp: it grows upward for the black die, for many answers, and
    for a form of many fields."""
    if prompt.layout == "black":
        return BAND_BLACK
    if listed(prompt):
        return BAND_LIST
    if prompt.layout == "form":
        return KEYS_TOP + Form.high(len(prompt.fields)) + 12
    return BAND


def listed(prompt: Prompt) -> bool:
    """Whether the answers stand below each other."""
    return prompt.layout == "list" and len(prompt.keys) >= ROWS_FROM
