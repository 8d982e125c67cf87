"""Typefaces: the fonts that words are set in, which of them can draw a letter, and a text in stretches of one font.

Barlow Semi Condensed comes first, then the wider fonts that Kivy brings; a letter that none of them has is looked for
among the fonts of the system, once and only when a name wants it.
"""

from __future__ import annotations

import functools
import itertools
import os
import re
import unicodedata
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Final

_KIVY = find_spec("kivy")  # looked for, not imported
assert _KIVY is not None

FONTS: Final = Path(__file__).parent / "fonts"
KIVY_FONTS: Final = Path(_KIVY.origin or "").parent / "data" / "fonts"
SYSTEM_FONTS: Final = (
    Path("/usr/share/fonts"),
    Path("/usr/local/share/fonts"),
    Path(os.path.expanduser("~/.local/share/fonts")),
)  # no error without a home

MEDIUM, SEMIBOLD, BOLD = 500, 600, 700

PLAIN: Final = frozenset(map(chr, (*range(0x20, 0x7F), *range(0xA0, 0x100)))) | frozenset("Œœ–—‘’“”…−")
"""Characters of English and French: Barlow has all of them, so it need not be read first."""

_UNLIKE_BARLOW: Final = re.compile(
    "mono|serif|italic|oblique|condensed|extra|light|thin|black|kufi|nastaliq|looped", re.I
)
"""Words in a font's file name that mean it looks unlike Barlow."""


@functools.cache
def shipped(weight: int) -> tuple[Path, ...]:
    """Return the fonts of a weight that come with the program and with Kivy, the best first."""
    roboto = "Roboto-Regular.ttf" if weight == MEDIUM else "Roboto-Bold.ttf"
    return FONTS / f"BarlowSemiCondensed-{weight}.ttf", KIVY_FONTS / roboto, KIVY_FONTS / "DejaVuSans.ttf"


@functools.lru_cache(maxsize=1024)
def elsewhere(letter: str, weight: int) -> Path | None:
    """Return a font of the system that can draw a letter, as like Barlow as there is.

    None if no font can.
    """
    return next((font for font in _of_the_system(weight) if ord(letter) in letters(font)), None)


@functools.cache
def _of_the_system(weight: int) -> list[Path]:
    found = (font for folder in SYSTEM_FONTS for font in folder.rglob("*.[to]t[fc]"))

    def unlike(font: Path) -> tuple[bool, bool, str]:
        return bool(_UNLIKE_BARLOW.search(font.stem)), ("bold" in font.stem.lower()) != (weight > MEDIUM), font.name

    return sorted(found, key=unlike)


@functools.cache
def letters(font: Path) -> frozenset[int]:
    """Return the characters that a font can draw.

    Of a collection they are its first font's; none if the file makes no sense.
    """
    import uharfbuzz

    try:
        return frozenset(uharfbuzz.Face(uharfbuzz.Blob.from_file_path(str(font))).unicodes)
    except uharfbuzz.HarfBuzzError:
        return frozenset()


def draws(font: Path, text: str) -> bool:
    """Return True if a font can draw every letter of a text."""
    return (font.parent == FONTS and PLAIN.issuperset(text)) or letters(font).issuperset(map(ord, text))


# -- a text in its fonts

KINDS: Final = {"L": "L", "R": "R", "AL": "R", "NSM": "M", "WS": "W", "B": "W", "S": "W"}
"""Letters from the left and from the right, marks on them, what is between words."""


def from_the_right(letter: str) -> bool:
    return unicodedata.bidirectional(letter) in ("R", "AL")


def _words(text: str) -> Iterator[str]:
    """Return the words of a text and what is between them.

    All that is read from the right, with what is within it, is one; figures after it belong to the sentence that it
    stands in.
    """
    kinds = "".join(KINDS.get(unicodedata.bidirectional(sign), "-") for sign in text)
    yield from (text[slice(*found.span())] for found in re.finditer(r"R(?:[^L]*[RM])?|W+|[^RW]+", kinds))


@functools.lru_cache(maxsize=4096)
def _has(font: Path, letter: str) -> bool:
    """Return True if a font has a letter; format characters need no glyph."""
    return draws(font, letter) or unicodedata.category(letter) == "Cf"


@functools.lru_cache(maxsize=4096)
def _fonts_for(word: str, weight: int) -> tuple[Path, ...]:
    """Return the font that has most of a word, then all that may have one of its letters, the best first."""
    fonts = shipped(weight)
    missing = (letter for letter in word if not any(_has(font, letter) for font in fonts))
    fonts += tuple(font for letter in missing if (font := elsewhere(letter, weight)) is not None)
    return max(fonts, key=lambda font: sum(_has(font, letter) for letter in word)), *fonts


@functools.lru_cache(maxsize=4096)
def set_in(text: str, weight: int) -> tuple[tuple[str, Path], ...]:
    """Return a text in stretches, each with its font.

    A word has the first font that has all of it; else each letter has the first that has it.
    """
    barlow = shipped(weight)[0]
    if draws(barlow, text):
        return ((text.strip(), barlow),) if text.strip() else ()
    set_letters: list[tuple[str, Path]] = []
    for word in _words(text.strip()):
        whole, *fonts = _fonts_for(word, weight)
        for letter in word:
            follows = set_letters and (letter.isspace() or unicodedata.combining(letter))
            tried = [set_letters[-1][1] if follows else whole, *fonts]
            font = next((font for font in tried if _has(font, letter)), None)
            if font is not None and (set_letters or not letter.isspace()):
                set_letters.append((letter, font))
    while set_letters and set_letters[-1][0].isspace():
        set_letters.pop()
    alike = itertools.groupby(set_letters, lambda each: each[1])
    return tuple(("".join(letter for letter, _ in each), font) for font, each in alike)
