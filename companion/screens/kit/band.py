"""Layout of the band at the bottom of a race: its height and its keys, in dp."""

from __future__ import annotations

from typing import Final

from companion.screens.kit.form import FormView
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
TWO_ROWS_FROM: Final = 7
"""Number of answers from which a list stands in two rows, if there is room."""
GRID: Final = 10
"""Maximum number of keys in two rows."""
GRID_HIGH: Final = 68.0
LABEL_LENGTH: Final = 26
"""Maximum length of a label on a key of two rows, in characters."""
NOTE_LENGTH: Final = 12
"""Maximum length of its second line, in characters."""


def height(prompt: Prompt) -> float:
    """Return the height of a question's band, in dp.

    The band grows upward for the black die, for many answers and for a form of many fields.
    """
    if prompt.layout == "black":
        return BAND_BLACK
    if gridded(prompt):
        return BAND_GRID
    if listed(prompt):
        return BAND_LIST
    if prompt.layout == "form":
        return KEYS_TOP + FormView.high(len(prompt.fields)) + 12
    return BAND


def listed(prompt: Prompt) -> bool:
    """Return True if the answers form a list, one per line."""
    return prompt.layout == "list" and not gridded(prompt)


def gridded(prompt: Prompt) -> bool:
    """Return True if the answers form two rows of short keys."""
    brief = all(
        len(key.label) <= LABEL_LENGTH and len(key.note) <= NOTE_LENGTH and not key.prices for key in prompt.keys
    )
    return prompt.layout == "list" and len(prompt.keys) >= TWO_ROWS_FROM and brief
