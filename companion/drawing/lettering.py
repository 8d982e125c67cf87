"""Lettering: pictures of words in white, kept, so that a colour is only a tint and nothing is written twice.

The words are set in Barlow Semi Condensed, which Kivy writes. A word with a letter that it lacks is set in a wider font
as a whole, or in several if it must be, and written by Pillow, which joins and orders letters as their script wants: in
Arabic, in Devanagari, in Thai. A letter that no font has is left out, because an empty box says nothing. What is read
from the right stands from the right.
"""

from __future__ import annotations

import functools
import unicodedata
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from kivy.core.text import Label as CoreLabel
from kivy.graphics.texture import Texture

from companion.drawing import fitting
from companion.drawing.typefaces import FONTS, draws, set_in, shipped

if TYPE_CHECKING:
    from PIL.ImageFont import FreeTypeFont

HINTING: Final = "normal"
"""Only hinting that keeps widths consistent: what was measured before the first drawing keeps the usual one."""


class Piece(NamedTuple):
    """A stretch of a text in one font.

    It has its picture in white, how far right of the text's beginning it stands and how far below its top the baseline
    lies, in pixels.
    """

    picture: Texture
    x: int
    baseline: int


def is_plain(text: str, weight: int) -> bool:
    """Return True if a text is written letter by letter in Barlow.

    Nothing in it is joined, reordered or in another script.
    """
    return all(_plain(said, font) for said, font in set_in(text, weight))


def ends_at_the_left(text: str) -> bool:
    """Return True if the next letter of a text goes to its left.

    That is so if the last letter is read from right to left.
    """
    kinds = (unicodedata.bidirectional(letter) for letter in reversed(text))
    return next((kind != "L" for kind in kinds if kind in ("L", "R", "AL")), False)


def font_for(text: str, weight: int) -> Path:
    """Return the one font that has the most of a text."""
    return max(set_in(text, weight), key=lambda stretch: len(stretch[0]), default=("", shipped(weight)[0]))[1]


@functools.lru_cache(maxsize=1024)
def text_pieces(text: str, pixels: int, weight: int) -> tuple[Piece, ...]:
    """Return the pictures of a text in white; none of a text that cannot be written."""
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
    """Return the width of a text in pixels."""
    wide = 0
    for said, font in set_in(text, weight):
        if _plain(said, font):
            wide += int(CoreLabel(**_kivys(pixels, font)).get_extents(said)[0])
        else:
            left, _, right, _ = _box(said, pixels, font)
            wide += right - left
    return wide


def _plain(said: str, font: Path) -> bool:
    """Return True if a stretch is written letter by letter."""
    return font.parent == FONTS and draws(font, said)


def _kivys(pixels: int, font: Path) -> dict[str, object]:
    return {"font_size": pixels, "font_name": str(font), "font_hinting": HINTING}


@functools.lru_cache(maxsize=64)
def _shaping(pixels: int, font: Path) -> tuple[FreeTypeFont, str | None]:
    """Return a font, and the direction for shaping its text if fribidi is available."""
    from PIL import ImageFont  # most tables never need it

    made = ImageFont.truetype(str(font), pixels, layout_engine=ImageFont.Layout.RAQM)
    return made, "ltr" if made.layout_engine == ImageFont.Layout.RAQM else None


def _box(said: str, pixels: int, font: Path) -> tuple[int, int, int, int]:
    """Return what a stretch covers from its beginning on the baseline, in pixels."""
    made, way = _shaping(pixels, font)
    left, top, right, bottom = made.getbbox(said, anchor="ls", direction=way)
    return min(0, int(left)), int(top), max(1, int(right)), max(1, int(bottom))


def _shaped(said: str, pixels: int, font: Path) -> tuple[Texture, int]:
    """Return the picture of a stretch of joined letters, and where its baseline lies."""
    from PIL import Image, ImageDraw

    left, top, right, bottom = _box(said, pixels, font)
    made, way = _shaping(pixels, font)
    ink = Image.new("L", (right - left, bottom - top))
    ImageDraw.Draw(ink).text((-left, -top), said, 255, made, "ls", direction=way)
    white = Image.new("L", ink.size, 255)
    picture = Texture.create(size=ink.size, colorfmt="rgba")
    picture.blit_buffer(Image.merge("RGBA", (white, white, white, ink)).tobytes(), colorfmt="rgba", bufferfmt="ubyte")
    picture.flip_vertical()
    return picture, -top


def cut(text: str, pixels: int, weight: int, room: float) -> str:
    """Return a text, or as much of its beginning as a room in pixels holds, with …."""
    return fitting.cut(text, lambda said: width(said, pixels, weight) <= room)


def wrapped(text: str, pixels: int, weight: int, room: float) -> list[str]:
    """Return a text in the lines that a room in pixels holds."""
    return fitting.wrapped(text, lambda said: width(said, pixels, weight) <= room)
