"""Lettering: pictures of words in white, kept, so that a colour is only a tint and nothing is written twice.

The words are set in Barlow Semi Condensed. A word with a letter that it lacks is set in a wider font as a whole, or in
several if it must be; a letter that no font has is left out, because an empty box says nothing. What is read from the
right stands from the right.
"""

from __future__ import annotations

import functools
import itertools
import re
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

from kivy.core.text import Label as CoreLabel

from companion.screens.typefaces import elsewhere, letters, shipped

HINTING: Final = "normal"
"""Any other mixes widths: what was measured before the first drawing keeps the usual hinting."""

ELLIPSIS: Final = "…"
STILL_FROM_THE_RIGHT: Final = "\u200f"
"""A letter that nobody sees: the sign before it belongs to what is read from the right."""


class Piece(NamedTuple):
    """A stretch of a text in one font: its picture in white, how far right of the text's beginning it stands and how
    far below its top the baseline lies, in pixels."""

    picture: Any
    x: int
    baseline: int


def _from_the_right(letter: str) -> bool:
    return unicodedata.bidirectional(letter) in ("R", "AL")


def in_sight(text: str) -> str:
    """A text's letters as they stand from left to right, those of Arabic joined, what only directs them left out."""
    if not any(map(_from_the_right, text)):
        return text
    from arabic_reshaper import reshape  # most tables never need these two
    from bidi import get_display

    seen: str = get_display(reshape(text), base_dir="L")
    return "".join(letter for letter in seen if unicodedata.category(letter) != "Cf")


def _words(text: str) -> Iterator[str]:
    """The words of a text and what is between them; a word that changes its direction is several."""
    for word in re.findall(r"\s+|\S+", text):
        yield from ("".join(part) for _, part in itertools.groupby(word, _from_the_right))


@functools.lru_cache(maxsize=4096)
def set_in(text: str, weight: int) -> tuple[tuple[str, Path], ...]:
    """A text as it can be written, in stretches from left to right, each with its font: for every word the first font
    that has all of it, else for every letter the first that has it."""
    barlow = shipped(weight)[0]
    if all(ord(letter) in letters(barlow) for letter in text):
        return ((text.strip(), barlow),) if text.strip() else ()
    set_letters: list[tuple[str, Path, bool]] = []
    for word in _words(in_sight(text).strip()):
        fonts = list(shipped(weight))
        missing = (letter for letter in word if not any(ord(letter) in letters(font) for font in fonts))
        fonts += [font for letter in missing if (font := elsewhere(letter, weight)) is not None]
        whole = next((font for font in fonts if all(ord(letter) in letters(font) for letter in word)), None)
        for letter in word:
            if set_letters and (letter.isspace() or unicodedata.combining(letter)):
                _, before, right = set_letters[-1]
                tried = [before, *fonts]
            else:
                tried, right = [whole] if whole else fonts, _from_the_right(letter)
            font = next((font for font in tried if ord(letter) in letters(font)), None)
            if font is not None and (set_letters or not letter.isspace()):
                set_letters.append((letter, font, right))
    while set_letters and set_letters[-1][0].isspace():
        set_letters.pop()
    alike = itertools.groupby(set_letters, lambda each: each[1:])
    return tuple(("".join(letter for letter, _, _ in each), font) for (font, _), each in alike)


def font_for(text: str, weight: int) -> Path:
    """The one font that has the most of a text."""
    return max(set_in(text, weight), key=lambda stretch: len(stretch[0]), default=("", shipped(weight)[0]))[1]


@functools.lru_cache(maxsize=1024)
def written(text: str, pixels: int, weight: int) -> tuple[Piece, ...]:
    """The pictures of a text in white; none of a text that cannot be written."""
    pieces: list[Piece] = []
    x = 0
    for said, font in set_in(text, weight):
        label = CoreLabel(text=said, font_size=pixels, font_name=str(font), font_hinting=HINTING, color=(1, 1, 1, 1))
        label.refresh()
        pieces.append(Piece(label.texture, x, round(label.get_ascent())))
        x += label.texture.width
    return tuple(pieces)


@functools.lru_cache(maxsize=8192)
def width(text: str, pixels: int, weight: int) -> int:
    """How wide a text is written, in pixels."""
    return sum(
        int(CoreLabel(font_size=pixels, font_name=str(font), font_hinting=HINTING).get_extents(said)[0])
        for said, font in set_in(text, weight)
    )


def cut(text: str, pixels: int, weight: int, room: float) -> str:
    """The text, or as much of its beginning as the room in pixels holds, with … for the rest."""
    if width(text, pixels, weight) <= room:
        return text
    rest = ELLIPSIS + STILL_FROM_THE_RIGHT if any(map(_from_the_right, text)) else ELLIPSIS
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if width(text[:middle].rstrip() + rest, pixels, weight) <= room:
            low = middle
        else:
            high = middle - 1
    return text[:low].rstrip() + rest if low else ""


def wrapped(text: str, pixels: int, weight: int, room: float) -> list[str]:
    """The text in lines that the room in pixels holds, broken at spaces; a word that is longer, such as the path of a
    file, is broken wherever it has to be."""
    lines: list[str] = []
    for word in text.split(" "):
        if lines and width(f"{lines[-1]} {word}", pixels, weight) <= room:
            lines[-1] += f" {word}"
        else:
            lines += _pieces(word, pixels, weight, room)
    return lines


def _pieces(word: str, pixels: int, weight: int, room: float) -> list[str]:
    pieces = [""]
    for letter in word:
        if pieces[-1] and width(pieces[-1] + letter, pixels, weight) > room:
            pieces.append("")
        pieces[-1] += letter
    return pieces
