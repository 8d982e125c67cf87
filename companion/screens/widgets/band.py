"""The band at the bottom of a race: how high it is for a question, and where its keys are in it, in dp."""

from __future__ import annotations

from typing import Final

from companion.screens.widgets.form import Form
from companion.view.shown import Prompt

LEFT: Final = 20.0
RIGHT: Final = 12.0
UNDO: Final = 92.0
KEYS_TOP: Final = 60.0
KEYS_HIGH: Final = 88.0

BAND: Final = 160.0
BAND_BLACK: Final = 192.0
BAND_LIST: Final = 288.0
BAND_GRID: Final = 216.0
ROWS_FROM: Final = 7
"""So many answers of a list stand in two rows, if there is room."""
GRID: Final = 10
"""The most keys in two rows."""
GRID_HIGH: Final = 68.0
SHORT: Final = 26
"""An answer of no more signs has room on a key of two rows."""
NOTED: Final = 12
"""The same of its second line."""


def height(prompt: Prompt) -> float:
    """How high the band of a question is, in dp: it grows upward for the black die, for many answers, and
    for a form of many fields."""
    if prompt.layout == "black":
        return BAND_BLACK
    if gridded(prompt):
        return BAND_GRID
    if listed(prompt):
        return BAND_LIST
    if prompt.layout == "form":
        return KEYS_TOP + Form.high(len(prompt.fields)) + 12
    return BAND


def listed(prompt: Prompt) -> bool:
    """Whether the answers stand below each other."""
    return prompt.layout == "list" and not gridded(prompt)


def gridded(prompt: Prompt) -> bool:
    """Whether the answers stand in two rows: many of them, each short enough for a key."""
    brief = all(len(key.label) <= SHORT and len(key.note) <= NOTED and not key.prices for key in prompt.keys)
    return prompt.layout == "list" and len(prompt.keys) >= ROWS_FROM and brief
