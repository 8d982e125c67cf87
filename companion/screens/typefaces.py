"""Typefaces: the fonts that words are set in, and which of them can draw a letter.

Barlow Semi Condensed comes first, then the wider fonts that Kivy brings; a letter that none of them has is looked for
among the fonts of the system, once and only when a name wants it.
"""

from __future__ import annotations

import functools
import re
import struct
from pathlib import Path
from typing import BinaryIO, Final

import kivy

FONTS: Final = Path(__file__).parent / "fonts"
KIVY_FONTS: Final = Path(kivy.kivy_data_dir) / "fonts"
SYSTEM_FONTS: Final = (Path("/usr/share/fonts"), Path("/usr/local/share/fonts"), Path.home() / ".local/share/fonts")

MEDIUM, SEMIBOLD, BOLD = 500, 600, 700

_ODD: Final = re.compile("mono|serif|italic|oblique|condensed|extra|light|thin|black|kufi|nastaliq|looped", re.I)
"""What a font's file is called that looks unlike Barlow."""


def shipped(weight: int) -> tuple[Path, ...]:
    """The fonts of a weight that come with the program and with Kivy, the one to be preferred first."""
    roboto = "Roboto-Regular.ttf" if weight == MEDIUM else "Roboto-Bold.ttf"
    return FONTS / f"BarlowSemiCondensed-{weight}.ttf", KIVY_FONTS / roboto, KIVY_FONTS / "DejaVuSans.ttf"


@functools.lru_cache(maxsize=1024)
def elsewhere(letter: str, weight: int) -> Path | None:
    """A font of the system that can draw a letter, as much like Barlow as there is; None if no font can."""
    return next((font for font in _of_the_system(weight) if ord(letter) in letters(font)), None)


@functools.cache
def _of_the_system(weight: int) -> list[Path]:
    found = (font for folder in SYSTEM_FONTS for font in folder.rglob("*.[to]t[fc]"))

    def unlike(font: Path) -> tuple[bool, bool, str]:
        return bool(_ODD.search(font.stem)), ("bold" in font.stem.lower()) != (weight > MEDIUM), font.name

    return sorted(found, key=unlike)


@functools.cache
def letters(font: Path) -> frozenset[int]:
    """The characters that a font can draw, from the table of its characters; none if the file makes no sense."""
    try:
        with font.open("rb") as file:
            table = _characters(file)
        return frozenset(_drawn(table))
    except (OSError, struct.error, StopIteration):
        return frozenset()


def _characters(file: BinaryIO) -> bytes:
    """The table "cmap" of a font's file; of a collection its first font's."""
    start = 0
    head = file.read(16)
    if head[:4] == b"ttcf":
        (start,) = struct.unpack_from(">I", head, 12)
        file.seek(start)
        head = file.read(16)
    (tables,) = struct.unpack_from(">H", head, 4)
    file.seek(start + 12)
    records = struct.iter_unpack(">4sIII", file.read(16 * tables))
    at, length = next((at, length) for tag, _, at, length in records if tag == b"cmap")
    file.seek(at)
    return file.read(length)


def _drawn(table: bytes) -> set[int]:
    (parts,) = struct.unpack_from(">H", table, 2)
    found: set[int] = set()
    for part in range(parts):
        (at,) = struct.unpack_from(">I", table, 8 + 8 * part)
        (kind,) = struct.unpack_from(">H", table, at)
        if kind == 4:
            found |= _of_two_bytes(table, at)
        elif kind == 12:
            (groups,) = struct.unpack_from(">I", table, at + 12)
            for first, last, _ in struct.iter_unpack(">III", table[at + 16 : at + 16 + 12 * groups]):
                found.update(range(first, last + 1))
    return found


def _of_two_bytes(table: bytes, at: int) -> set[int]:
    """What a part of format 4 draws: stretches of characters, in which single ones may be left out."""
    (double,) = struct.unpack_from(">H", table, at + 6)
    many = f">{double // 2}H"
    ends = struct.unpack_from(many, table, at + 14)
    starts = struct.unpack_from(many, table, at + 16 + double)
    shifts = struct.unpack_from(many, table, at + 16 + 3 * double)
    found: set[int] = set()
    for place, (first, last, shift) in enumerate(zip(starts, ends, shifts, strict=True)):
        if first == 0xFFFF:  # the stretch that ends the list
            continue
        if not shift:
            found.update(range(first, last + 1))
            continue
        glyphs = struct.unpack_from(f">{last - first + 1}H", table, at + 16 + 3 * double + 2 * place + shift)
        found.update(first + behind for behind, glyph in enumerate(glyphs) if glyph)
    return found
