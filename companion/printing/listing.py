"""Tables of a tournament or a season on paper: each on sheets of its own, with the code by which it can be checked."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Final, Literal

import segno

from companion.drawing.typefaces import BOLD, SEMIBOLD
from companion.printing.paper import EDGE, POINT, QUIET, RULE, Paper
from companion.view.events.listings import sheet_code
from companion.view.listing import Cell, Listing, Row
from companion.wording import Words

TITLE: Final = 15.0
BODY: Final = 10.0
SMALL: Final = 7.5
LEAST: Final = 6.0
"""Smallest type, for wide tables, in points."""
ROW_HEIGHTS: Final = (5.2, 6.4)
"""Lowest and usual height of a row, in mm; it is lowered where that saves a sheet."""
MIN_ROW_HEIGHT: Final = 4.6
"""Minimum height of a row in small type, in mm."""
WRITTEN: Final = 10.0
"""Height of a row on a table sheet, in mm, with room to write."""
QR: Final = 26.0
"""Width of the code, in mm."""
GAP: Final = 4.0
MAX_SHARE: Final = 0.35
"""Maximum width of a cell of several words, as a share of the sheet; longer ones are broken into lines."""


def as_pdf(listings: Sequence[Listing], lang: str, *, letter: bool = False, at: str = "") -> bytes:
    """Return tables as a PDF in a language; the same tables `at` the same time give the same file."""
    moment = datetime.fromisoformat(at) if at else datetime(2000, 1, 1, tzinfo=UTC)
    paper = Paper(listings[0].heading, moment, "letter" if letter else "A4")
    for place, listing in enumerate(listings):
        if place:
            paper.turn()
        _Printed(paper, listing, lang).draw()
    return paper.whole()


class _Printed:
    """A table being drawn; `y` is how far down its sheet it has come, in mm."""

    def __init__(self, paper: Paper, listing: Listing, lang: str) -> None:
        self.paper, self.listing, self.words, self.lang = paper, listing, Words(lang), lang
        self.right, self.bottom = paper.wide - EDGE, paper.high - EDGE - 8
        self.y = EDGE + 4
        self.size = BODY
        self.shown = self._visible_columns()
        self.columns = self._wide()
        self.line = WRITTEN

    def draw(self) -> None:
        """Draw the table, its notes, and the foot of every sheet."""
        self._top()
        if not self.listing.is_form:
            room, rows = self.bottom - self.y - 0.1, len(self.listing.rows) + 1
            with_notes = (room - 5 * len(self.listing.notes) - 2) / rows
            low, high = max(MIN_ROW_HEIGHT, ROW_HEIGHTS[0] * min(1.0, self.size / BODY)), ROW_HEIGHTS[1]
            self.line = next((min(line, high) for line in (with_notes, room / rows) if line >= low), high)
        self._heads()
        odd, before = True, Cell()
        for row in self.listing.rows:
            cells = self._broken(row)
            if self._room(self._high(cells)):
                self._heads()
            odd = not odd if self.listing.kind != "tables" or row[0] != before else odd
            before = row[0]
            self._row(cells, odd=odd)
        self.y += 2
        for note in self.listing.notes:
            for said in self.paper.broken(note, BODY, self.right - EDGE):
                self._room(5)
                self.paper.text(said, EDGE, self.y + 2.5, BODY)
                self.y += 5
        self._foot()

    def _top(self) -> None:
        listing, code = self.listing, sheet_code(self.listing, self.lang)
        room = self.right - EDGE - (QR + 4 if code else 0)
        self.paper.text(listing.name or listing.title, EDGE, self.y, TITLE, weight=BOLD, room=room)
        under = " · ".join(filter(None, (listing.title if listing.name else "", listing.under)))
        self.paper.text(under, EDGE, self.y + 8, BODY + 2, weight=SEMIBOLD, ink=QUIET, room=room)
        self.y += 16
        if code:
            self._code(code)
            self.y = max(self.y, EDGE + QR + 3)

    def _code(self, text: str) -> None:
        """Draw the code at the top right, with the light margin that a phone needs."""
        squares = [list(row) for row in segno.make(text, error="m", micro=False).matrix]
        side = QR / (len(squares) + 4)
        x0, y0 = self.right - QR + 2 * side, EDGE + 2 * side
        for down, row in enumerate(squares):
            at = 0
            while at < len(row):
                run = at
                while run < len(row) and row[run]:
                    run += 1
                if run > at:
                    self.paper.fill(x0 + at * side, y0 + down * side, (run - at) * side + 0.01, side + 0.01, "#000000")
                at = run + 1

    def _visible_columns(self) -> list[int]:
        """Return the columns that say anything, or are there to be written into."""
        rows = self.listing.texts
        return [
            at
            for at, column in enumerate(self.listing.columns)
            if column.to_write or not rows or any(row[at] for row in rows)
        ]

    def _wide(self) -> list[float]:
        """Return the width of each column.

        Long cells of words are broken into lines, and the type is smaller where they still have no room. What is left
        over goes to columns that are written into, else to those of words.
        """
        room, listing = self.right - EDGE, self.listing
        while True:
            rows = (tuple(column.title for column in listing.columns), *listing.texts)
            wide = [
                max(min(self.paper.width(row[at], self.size, SEMIBOLD), room * (MAX_SHARE if " " in row[at] else 1.0))
                    for row in rows) + GAP
                for at in self.shown
            ]  # fmt: skip
            if sum(wide) <= room or self.size <= LEAST:
                break
            self.size -= 0.5
        if sum(wide) > room:
            return [one * room / sum(wide) for one in wide]
        columns = [listing.columns[at] for at in self.shown]
        wider = [at for at, column in enumerate(columns) if column.to_write]
        wider = wider or [at for at, column in enumerate(columns) if column.kind == "name"]
        shares = {at: 2 if columns[at].kind == "name" else 1 for at in wider}
        share = (room - sum(wide)) / (sum(shares.values()) or 1)
        return [one + share * shares.get(at, 0) for at, one in enumerate(wide)]

    def _heads(self) -> None:
        self._cells([[self.listing.columns[at].title] for at in self.shown], SEMIBOLD, QUIET)
        self.paper.line([(EDGE, self.y), (self.right, self.y)], RULE, 0.4)

    def _broken(self, row: Row) -> list[list[str]]:
        """Return the visible cells of a row, each in its lines."""
        return [
            self.paper.broken(row[at].text, self.size, wide - 1) if " " in row[at].text else [row[at].text]
            for at, wide in zip(self.shown, self.columns, strict=True)
        ]

    def _high(self, cells: Sequence[Sequence[str]]) -> float:
        """Return the height of a row: that of its cell with the most lines."""
        return self.line + (max(map(len, cells)) - 1) * self.pitch

    @property
    def pitch(self) -> float:
        """The distance of two lines in a cell."""
        return self.size * POINT + 1

    def _row(self, cells: Sequence[Sequence[str]], *, odd: bool) -> None:
        high = self._high(cells)
        if odd:
            self.paper.fill(EDGE, self.y, self.right - EDGE, high, "#F1F4F6")
        self._cells(cells)
        if self.listing.is_form:
            self.paper.line([(EDGE, self.y), (self.right, self.y)])
            x = EDGE
            for wide in self.columns[:-1]:
                x += wide
                self.paper.line([(x - 2, self.y - high), (x - 2, self.y)])

    def _cells(self, cells: Sequence[Sequence[str]], weight: int = 500, ink: str = "#0B0E11") -> None:
        x = EDGE
        for at, wide, lines in zip(self.shown, self.columns, cells, strict=True):
            figures = self.listing.columns[at].is_figures and not self.listing.is_form
            left, room = (x + wide - GAP, wide) if figures else (x, wide - 1)
            align: Literal["left", "right"] = "right" if figures else "left"
            for down, said in enumerate(lines):
                middle = self.y + self.line / 2 + down * self.pitch
                self.paper.text(said, left, middle, self.size, weight=weight, ink=ink, align=align, room=room)
            x += wide
        self.y += self._high(cells)

    def _room(self, height: float) -> bool:
        """Go on on another sheet where this one has no room; return True if it did."""
        if self.y + height <= self.bottom:
            return False
        self._foot()
        self.paper.turn()
        self.y = EDGE + 4
        return True

    def _foot(self) -> None:
        """Draw which record it is of, after which entry, and the number of the sheet."""
        paper, y, listing = self.paper, self.paper.high - EDGE, self.listing
        paper.line([(EDGE, y - 4), (self.right, y - 4)])
        wide = paper.text(str(paper.sheets), self.right, y, SMALL, ink=QUIET, align="right")
        if listing.digest:
            log = self.words.screen("paper.log", count=listing.entries, hash=listing.digest[:16])
            paper.text(log, self.right - wide - 6, y, SMALL, ink=QUIET, align="right")
        paper.text(listing.heading, EDGE, y, SMALL, ink=QUIET, room=(self.right - EDGE) / 2)
