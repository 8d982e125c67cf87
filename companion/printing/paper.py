"""Sheets of A4, or of letter, to write and draw on: words in any script, lines, boxes and number plates.

Places are in mm from the top left of the sheet, sizes of type in points. A text is written with its middle at a height,
as on the screens.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Final, Literal

from fontTools.ttLib import TTLibError
from fpdf import FPDF
from fpdf.errors import FPDFException

from companion.drawing import fitting
from companion.drawing.coverage import Point
from companion.drawing.paints import BOX, DIGIT, LINE, PAINTS, outline, paint_of, room, widened
from companion.drawing.typefaces import BOLD, FONTS, MEDIUM, set_in
from companion.view.shown import Plate

WIDE, HIGH = 210.0, 297.0
SIZES: Final = {"A4": (WIDE, HIGH), "letter": (215.9, 279.4)}
"""Width and height of each size of paper, in mm."""
EDGE: Final = 14.0
"""Margin that a printer needs, in mm."""
POINT: Final = 25.4 / 72
BASELINE_DEPTH: Final = 0.36
"""Depth of the baseline below the middle of a line, in sizes of type."""
INK, QUIET, RULE = "#0B0E11", "#4C5864", "#B3BDC7"

for _library in ("fontTools", "fpdf"):
    logging.getLogger(_library).setLevel(logging.WARNING)  # they tell of every table of every font


class Paper:
    """A document of sheets, of which the first is there from the beginning.

    The same drawn at the same moment (`at`) is the same document, byte by byte.
    """

    def __init__(self, title: str, at: datetime, size: Literal["A4", "letter"] = "A4") -> None:
        self._pdf = FPDF(unit="mm", format=size)
        self.wide, self.high = SIZES[size]
        self._pdf.set_auto_page_break(False)
        self._pdf.c_margin = 0
        self._pdf.set_title(title)
        self._pdf.set_creator("companion")
        self._pdf.set_creation_date(at)
        self._fonts: dict[Path, str] = {}
        """Fonts in use and their names here; empty for a font that cannot be printed."""
        self._pdf.add_page()

    @property
    def sheets(self) -> int:
        """The number of sheets."""
        return self._pdf.pages_count

    def turn(self) -> None:
        """Begin another sheet."""
        self._pdf.add_page()

    def whole(self) -> bytes:
        """Return the document."""
        return bytes(self._pdf.output())

    # -- words

    def width(self, text: str, size: float, weight: int = MEDIUM) -> float:
        """Return the width of a text."""
        return sum(wide for _, _, wide in self._stretches(text, size, weight))

    def text(self, text: str, x: float, y: float, size: float, *, weight: int = MEDIUM, ink: str = INK,
             align: Literal["left", "centre", "right"] = "left", room: float = WIDE) -> float:  # fmt: skip
        """Write a text in one line, with … for what has no room; return its width."""
        text = fitting.cut(text, lambda said: self.width(said, size, weight) <= room)
        stretches = self._stretches(text, size, weight)
        wide = sum(own for _, _, own in stretches)
        x -= {"left": 0.0, "centre": wide / 2, "right": wide}[align]
        base = y + BASELINE_DEPTH * size * POINT
        self._pdf.set_text_color(ink)
        for said, font, own in stretches:
            self._pdf.set_font(font, size=size)
            if self._shaped(font):
                self._pdf.set_text_shaping(True)
                self._pdf.set_xy(x, base - 0.8 * size * POINT)
                self._pdf.cell(own, size * POINT, said)
                self._pdf.set_text_shaping(False)
            else:
                self._pdf.text(x, base, said)
            x += own
        return wide

    def fitted(self, text: str, size: float, room: float, least: float, weight: int = MEDIUM) -> float:
        """Return the size at which a text fits one line, not below `least`."""
        wide = self.width(text, size, weight)
        return max(least, size * room / wide) if wide > room else size

    def broken(self, text: str, size: float, room: float, weight: int = MEDIUM) -> list[str]:
        """Return a text in the lines that a room holds."""
        return fitting.wrapped(text, lambda said: self.width(said, size, weight) <= room)

    def _stretches(self, text: str, size: float, weight: int) -> list[tuple[str, str, float]]:
        """Return a text in stretches of one font, each with its width.

        What no font can print is left out.
        """
        found = []
        for said, file in set_in(text, weight):
            if font := self._font(file):
                self._pdf.set_font(font, size=size)
                self._pdf.set_text_shaping(self._shaped(font))
                found.append((said, font, self._pdf.get_string_width(said)))
        self._pdf.set_text_shaping(False)
        return found

    def _font(self, file: Path) -> str:
        """Register a font's file; return its name here."""
        if file not in self._fonts:
            name = f"{'' if file.parent == FONTS else 'other'}{len(self._fonts)}"
            try:
                self._pdf.add_font(name, fname=file)
            except (FPDFException, TTLibError, OSError, ValueError, KeyError):
                # a kind of font that cannot be put into a PDF
                name = ""
            self._fonts[file] = name
        return self._fonts[file]

    @staticmethod
    def _shaped(font: str) -> bool:
        """Return True if letters of this font may have to be joined and ordered."""
        return font.startswith("other")

    # -- drawing

    def fill(self, x: float, y: float, w: float, h: float, colour: str) -> None:
        """Fill a rectangle."""
        self._pdf.set_fill_color(colour)
        self._pdf.rect(x, y, w, h, "F")

    def rim(self, x: float, y: float, w: float, h: float, colour: str = INK, thick: float = 0.25) -> None:
        """Draw the rim of a rectangle."""
        self._pdf.set_draw_color(colour)
        self._pdf.set_line_width(thick)
        self._pdf.rect(x, y, w, h, "D")

    def line(self, points: Sequence[Point], colour: str = RULE, thick: float = 0.2) -> None:
        """Draw a line through places."""
        self._pdf.set_draw_color(colour)
        self._pdf.set_line_width(thick)
        self._pdf.polyline(points)

    def plate(self, plate: Plate, x: float, y: float, height: float) -> None:
        """Draw a number plate with its middle at a place."""
        paint, scale = paint_of(plate.place), height / BOX
        self._pdf.set_fill_color(paint.colour)
        self._pdf.set_draw_color(INK)
        self._pdf.set_line_width(LINE * scale * 0.7)
        wider = widened(plate.number)
        for grown in (1.0, -2.2) if plate.place % 20 >= len(PAINTS) else (0.0,):
            corners = [(x + dx * scale, y + dy * scale) for dx, dy in outline(paint.shape, grown, wider)]
            self._pdf.polygon(corners, style="DF")
        digits, size = str(plate.number), DIGIT * scale / POINT
        size *= min(1.0, room(paint.shape, plate.number) * scale / self.width(digits, size, BOLD))
        lift = 0.6 * scale if paint.shape == "shield" else 0.0
        self.text(digits, x, y - lift, size, weight=BOLD, ink=paint.digit, align="centre")
