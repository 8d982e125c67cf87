"""A text made to fit, on a screen or on paper: cut with …, or broken into lines. `fits` says what has room in one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from companion.drawing.typefaces import from_the_right

Fits = Callable[[str], bool]

ELLIPSIS: Final = "…"
STILL_FROM_THE_RIGHT: Final = "\u200f"
"""Right-to-left mark, which nobody sees: the sign before it belongs to what is read from the right."""


def cut(text: str, fits: Fits) -> str:
    """Return a text, or as much of its beginning as fits, with … for the rest."""
    if fits(text):
        return text
    rest = ELLIPSIS + STILL_FROM_THE_RIGHT if any(map(from_the_right, text)) else ELLIPSIS
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if fits(text[:middle].rstrip() + rest):
            low = middle
        else:
            high = middle - 1
    return text[:low].rstrip() + rest if low else ""


def wrapped(text: str, fits: Fits) -> list[str]:
    """Break a text into lines that fit, at spaces.

    A word that is longer than a line, such as the path of a file, begins on the line that is begun and is broken
    after a hyphen, or wherever it has to be.
    """
    lines: list[str] = []
    for word in text.split(" "):
        begun = f"{lines[-1]} {word}" if lines else word
        if fits(begun):
            lines[-1:] = [begun]
        elif fits(word):
            lines.append(word)
        else:
            lines[-1:] = _pieces(begun, fits)
    return lines


def _pieces(word: str, fits: Fits) -> list[str]:
    pieces = [""]
    for letter in word:
        if pieces[-1] and not fits(pieces[-1] + letter):
            head, hyphen, tail = pieces[-1].rpartition("-")
            pieces[-1:] = [head + hyphen, tail] if head else [pieces[-1], ""]
        pieces[-1] += letter
    return pieces
