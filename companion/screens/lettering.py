"""Lettering: pictures of words in white, kept, so that a colour is only a tint and nothing is written twice.

The words are set in Barlow Semi Condensed, which Kivy writes. A word with a letter that it lacks is set in a wider font
as a whole, or in several if it must be, and written by Pillow, which joins and orders letters as their script wants: in
Arabic, in Devanagari, in Thai. A letter that no font has is left out, because an empty box says nothing. What is read
from the right stands from the right.
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
from kivy.graphics.texture import Texture

from companion.screens.typefaces import FONTS, elsewhere, letters, shipped

HINTING: Final = "normal"
"""Any other mixes widths: what was measured before the first drawing keeps the usual hinting."""

ELLIPSIS: Final = "…"
KINDS: Final = {"L": "L", "R": "R", "AL": "R", "NSM": "M", "WS": "W", "B": "W", "S": "W"}
"""Letters from the left and from the right, marks on them, what is between words."""

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


def _words(text: str) -> Iterator[str]:
    """The words of a text and what is between them. All that is read from the right, with what is within it, is one;
    figures after it belong to the sentence that it stands in."""
    kinds = "".join(KINDS.get(unicodedata.bidirectional(sign), "-") for sign in text)
    yield from (text[slice(*found.span())] for found in re.finditer(r"R(?:[^L]*[RM])?|W+|[^RW]+", kinds))


def _has(font: Path, letter: str) -> bool:
    """Whether a font has a letter; one that only directs others needs none."""
    return ord(letter) in letters(font) or unicodedata.category(letter) == "Cf"


@functools.lru_cache(maxsize=4096)
def set_in(text: str, weight: int) -> tuple[tuple[str, Path], ...]:
    """A text as it can be written, in stretches, each with its font: for every word the first font that has all of it,
    else for every letter the first that has it."""
    barlow = shipped(weight)[0]
    if all(ord(letter) in letters(barlow) for letter in text):
        return ((text.strip(), barlow),) if text.strip() else ()
    set_letters: list[tuple[str, Path]] = []
    for word in _words(text.strip()):
        fonts = list(shipped(weight))
        missing = (letter for letter in word if not any(_has(font, letter) for font in fonts))
        fonts += [font for letter in missing if (font := elsewhere(letter, weight)) is not None]
        whole = max(fonts, key=lambda font: sum(_has(font, letter) for letter in word))
        for letter in word:
            if set_letters and (letter.isspace() or unicodedata.combining(letter)):
                tried = [set_letters[-1][1], *fonts]
            else:
                tried = [whole, *fonts]
            font = next((font for font in tried if _has(font, letter)), None)
            if font is not None and (set_letters or not letter.isspace()):
                set_letters.append((letter, font))
    while set_letters and set_letters[-1][0].isspace():
        set_letters.pop()
    alike = itertools.groupby(set_letters, lambda each: each[1])
    return tuple(("".join(letter for letter, _ in each), font) for font, each in alike)


def font_for(text: str, weight: int) -> Path:
    """The one font that has the most of a text."""
    return max(set_in(text, weight), key=lambda stretch: len(stretch[0]), default=("", shipped(weight)[0]))[1]


@functools.lru_cache(maxsize=1024)
def written(text: str, pixels: int, weight: int) -> tuple[Piece, ...]:
    """The pictures of a text in white; none of a text that cannot be written."""
    pieces: list[Piece] = []
    x = 0
    for said, font in set_in(text, weight):
        if _plain(said, font):
            label = CoreLabel(text=said, **_kivys(pixels, font), color=(1, 1, 1, 1))
            label.refresh()
            pieces.append(Piece(label.texture, x, round(label.get_ascent())))
        else:
            picture, baseline = _shaped(said, pixels, font)
            pieces.append(Piece(picture, x, baseline))
        x += pieces[-1].picture.width
    return tuple(pieces)


@functools.lru_cache(maxsize=8192)
def width(text: str, pixels: int, weight: int) -> int:
    """How wide a text is written, in pixels."""
    wide = 0
    for said, font in set_in(text, weight):
        if _plain(said, font):
            wide += int(CoreLabel(**_kivys(pixels, font)).get_extents(said)[0])
        else:
            left, _, right, _ = _box(said, pixels, font)
            wide += right - left
    return wide


def _plain(said: str, font: Path) -> bool:
    """Whether a stretch is written letter by letter."""
    return font.parent == FONTS and all(ord(letter) in letters(font) for letter in said)


def _kivys(pixels: int, font: Path) -> dict[str, Any]:
    return {"font_size": pixels, "font_name": str(font), "font_hinting": HINTING}


@functools.lru_cache(maxsize=64)
def _shaping(pixels: int, font: Path) -> tuple[Any, dict[str, Any]]:
    """A font, and what has its letters joined and ordered, where the system has fribidi."""
    from PIL import ImageFont  # most tables never need it

    made = ImageFont.truetype(str(font), pixels, layout_engine=ImageFont.Layout.RAQM)
    return made, {"direction": "ltr"} if made.layout_engine == ImageFont.Layout.RAQM else {}


def _box(said: str, pixels: int, font: Path) -> tuple[int, int, int, int]:
    """What a stretch covers, from its beginning on the baseline: left, top, right and bottom, in pixels."""
    made, order = _shaping(pixels, font)
    left, top, right, bottom = made.getbbox(said, anchor="ls", **order)
    return min(0, int(left)), int(top), max(1, int(right)), max(1, int(bottom))


def _shaped(said: str, pixels: int, font: Path) -> tuple[Any, int]:
    """The picture of a stretch whose letters are joined and ordered, and how far below its top the baseline lies."""
    from PIL import Image, ImageDraw

    left, top, right, bottom = _box(said, pixels, font)
    made, order = _shaping(pixels, font)
    ink = Image.new("L", (right - left, bottom - top))
    ImageDraw.Draw(ink).text((-left, -top), said, 255, made, "ls", **order)
    white = Image.new("L", ink.size, 255)
    picture = Texture.create(size=ink.size, colorfmt="rgba")
    picture.blit_buffer(Image.merge("RGBA", (white, white, white, ink)).tobytes(), colorfmt="rgba", bufferfmt="ubyte")
    picture.flip_vertical()
    return picture, -top


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
