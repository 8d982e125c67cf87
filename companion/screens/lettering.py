"""Lettering: pictures of words in white, kept, so that a colour is only a tint and nothing is written twice.

The words are set in Barlow Semi Condensed. A text with a letter that it lacks is set in a wider font as a whole, and a
letter that no font here has is left out, because an empty box says nothing.
"""

from __future__ import annotations

import functools
import struct
from pathlib import Path
from typing import Any, Final

import kivy
from kivy.core.text import Label as CoreLabel

FONTS: Final = Path(__file__).parent / "fonts"
KIVY_FONTS: Final = Path(kivy.kivy_data_dir) / "fonts"

MEDIUM, SEMIBOLD, BOLD = 500, 600, 700

HINTING: Final = "normal"
"""Any other mixes widths: what was measured before the first drawing keeps the usual hinting."""

ELLIPSIS: Final = "…"


def _files(weight: int) -> tuple[Path, ...]:
    roboto = "Roboto-Regular.ttf" if weight == MEDIUM else "Roboto-Bold.ttf"
    return FONTS / f"BarlowSemiCondensed-{weight}.ttf", KIVY_FONTS / roboto, KIVY_FONTS / "DejaVuSans.ttf"


@functools.cache
def letters(font: Path) -> frozenset[int]:
    """The characters that a TrueType font can draw, from the table of its characters."""
    data = font.read_bytes()
    (tables,) = struct.unpack_from(">H", data, 4)
    records = (struct.unpack_from(">4sIII", data, 12 + 16 * table) for table in range(tables))
    cmap = next(offset for tag, _, offset, _ in records if tag == b"cmap")
    (parts,) = struct.unpack_from(">H", data, cmap + 2)
    found: set[int] = set()
    for part in range(parts):
        at = cmap + struct.unpack_from(">HHI", data, cmap + 4 + 8 * part)[2]
        if struct.unpack_from(">H", data, at)[0] != 4:  # format 4 is the one that every font has
            continue
        (double,) = struct.unpack_from(">H", data, at + 6)
        ends = struct.unpack_from(f">{double // 2}H", data, at + 14)
        starts = struct.unpack_from(f">{double // 2}H", data, at + 16 + double)
        for start, end in zip(starts, ends, strict=True):
            found.update(range(start, end + 1))
    return frozenset(found)


@functools.lru_cache(maxsize=4096)
def set_in(text: str, weight: int) -> tuple[str, Path]:
    """A text as it can be written, and the font for it: the first that has every letter, or nearly every one."""
    wanted = {ord(letter) for letter in text}
    fonts = _files(weight)
    best = max(fonts, key=lambda font: (len(wanted & letters(font)), -fonts.index(font)))
    return "".join(letter for letter in text if ord(letter) in letters(best)).strip(), best


@functools.lru_cache(maxsize=1024)
def written(text: str, pixels: int, weight: int) -> tuple[Any, int]:
    """The picture of a text in white as a texture, and how far below its top the baseline lies, in pixels."""
    said, font = set_in(text, weight)
    label = CoreLabel(text=said, font_size=pixels, font_name=str(font), font_hinting=HINTING, color=(1, 1, 1, 1))
    label.refresh()
    return label.texture, round(label.get_ascent())


@functools.lru_cache(maxsize=8192)
def width(text: str, pixels: int, weight: int) -> int:
    """How wide a text is written, in pixels."""
    said, font = set_in(text, weight)
    if not said:
        return 0
    return int(CoreLabel(font_size=pixels, font_name=str(font), font_hinting=HINTING).get_extents(said)[0])


def cut(text: str, pixels: int, weight: int, room: float) -> str:
    """The text, or as much of its beginning as the room in pixels holds, with … for the rest."""
    if width(text, pixels, weight) <= room:
        return text
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if width(text[:middle].rstrip() + ELLIPSIS, pixels, weight) <= room:
            low = middle
        else:
            high = middle - 1
    return text[:low].rstrip() + ELLIPSIS if low else ""


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
