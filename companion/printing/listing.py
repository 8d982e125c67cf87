"""Tables of a tournament or a season on paper: each on sheets of its own, with the code by which it can be checked."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import UTC, datetime
from typing import Final, Literal

import segno

from companion.drawing.typefaces import BOLD, SEMIBOLD
from companion.printing.paper import EDGE, POINT, QUIET, RULE, Paper
from companion.view.commissioner.listings import RIGHT, Listing, sheet_code
from companion.wording import Words

TITLE: Final = 15.0
BODY: Final = 10.0
SMALL: Final = 7.5
LEAST: Final = 6.0
"""The smallest type, where a table is wide."""
LINE: Final = (5.2, 6.4)
"""How high a row is, in mm: as low as that where it saves a sheet."""
LEAST_LINE: Final = 4.6
"""How high it is at least where the type is small."""
WRITTEN: Final = 10.0
"""How high a row of a table sheet is, which is written on."""
QR: Final = 26.0
"""How wide the code is, in mm."""
GAP: Final = 4.0
BROKEN: Final = 0.35
"""How much of the sheet a cell of several words has; what has more is broken into lines."""
NAMES: Final = frozenset(
    ("driver", "team", "track", "home", "winner", "where", "about", "why", "cause", "state", "act")
)  # fmt: skip
"""Columns of names and words, which get the room that is left over."""
SHEETS: Final[Mapping[str, Collection[str]]] = {
    "table": ("finish", "cause", "round"),
    "trialsheet": ("throws", "overshot", "misplaced", "clock", "time"),
    "blanktrials": ("number", "driver", "team", "throws", "overshot", "misplaced", "clock", "time"),
    "blank": ("number", "driver", "team", "finish", "cause", "round"),
}
"""Sheets that are written on, with the columns to write into."""


def as_pdf(listings: Sequence[Listing], lang: str, *, letter: bool = False, at: str = "") -> bytes:
    """Tables as a PDF, one after the other, in a language. The same tables `at` the same time give the same file."""
    moment = datetime.fromisoformat(at) if at else datetime(2000, 1, 1, tzinfo=UTC)
    paper = Paper(listings[0].heading, moment, "letter" if letter else "A4")
    for place, listing in enumerate(listings):
        if place:
            paper.turn()
        _Printed(paper, listing, lang).draw()
    return paper.whole()


class _Printed:
    """One table on its way to paper; `y` is how far down its sheet it has come, in mm."""

    def __init__(self, paper: Paper, listing: Listing, lang: str) -> None:
        self.paper, self.listing, self.words, self.lang = paper, listing, Words(lang), lang
        self.right, self.bottom = paper.wide - EDGE, paper.high - EDGE - 8
        self.y = EDGE + 4
        self.size = BODY
        self.shown = self._shown()
        self.columns = self._wide()
        self.line = WRITTEN

    def draw(self) -> None:
        """The table, its notes, and the foot of every sheet."""
        self._top()
        if self.listing.kind not in SHEETS:
            room, rows = self.bottom - self.y - 0.1, len(self.listing.rows) + 1
            with_notes = (room - 5 * len(self.listing.notes) - 2) / rows
            low, high = max(LEAST_LINE, LINE[0] * min(1.0, self.size / BODY)), LINE[1]
            self.line = next((min(line, high) for line in (with_notes, room / rows) if line >= low), high)
        self._heads()
        odd, before = True, ""
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
        """The code at the top right, with the light margin that a phone needs."""
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

    def _shown(self) -> list[int]:
        """The columns that say anything, or are there to be written into."""
        written = SHEETS.get(self.listing.kind, ())
        columns, rows = self.listing.columns, self.listing.rows
        return [at for at, name in enumerate(columns) if name in written or not rows or any(row[at] for row in rows)]

    def _wide(self) -> list[float]:
        """How wide each column is; long cells of words are broken into lines, and the type is smaller where they still
        have no room. What is left over goes to those that are written into, else to those of words."""
        room, listing = self.right - EDGE, self.listing
        while True:
            rows = (listing.heads, *listing.rows)
            wide = [
                max(min(self.paper.width(row[at], self.size, SEMIBOLD), room * (BROKEN if " " in row[at] else 1.0))
                    for row in rows) + GAP
                for at in self.shown
            ]  # fmt: skip
            if sum(wide) <= room or self.size <= LEAST:
                break
            self.size -= 0.5
        if sum(wide) > room:
            return [one * room / sum(wide) for one in wide]
        names = [listing.columns[at] for at in self.shown]
        wider = [at for at, name in enumerate(names) if name in SHEETS.get(listing.kind, ())]
        wider = wider or [at for at, name in enumerate(names) if name in NAMES]
        shares = {at: 2 if names[at] in NAMES else 1 for at in wider}
        share = (room - sum(wide)) / (sum(shares.values()) or 1)
        return [one + share * shares.get(at, 0) for at, one in enumerate(wide)]

    def _heads(self) -> None:
        self._cells([[self.listing.heads[at]] for at in self.shown], SEMIBOLD, QUIET)
        self.paper.line([(EDGE, self.y), (self.right, self.y)], RULE, 0.4)

    def _broken(self, row: Sequence[str]) -> list[list[str]]:
        """The cells of a row that are seen, each in its lines."""
        return [
            self.paper.broken(row[at], self.size, wide - 1) if " " in row[at] else [row[at]]
            for at, wide in zip(self.shown, self.columns, strict=True)
        ]

    def _high(self, cells: Sequence[Sequence[str]]) -> float:
        """How high a row is: that of its cell with the most lines."""
        return self.line + (max(map(len, cells)) - 1) * self.pitch

    @property
    def pitch(self) -> float:
        """From one line of a cell to the next."""
        return self.size * POINT + 1

    def _row(self, cells: Sequence[Sequence[str]], *, odd: bool) -> None:
        high = self._high(cells)
        if odd:
            self.paper.fill(EDGE, self.y, self.right - EDGE, high, "#F1F4F6")
        self._cells(cells)
        if self.listing.kind in SHEETS:
            self.paper.line([(EDGE, self.y), (self.right, self.y)])
            x = EDGE
            for wide in self.columns[:-1]:
                x += wide
                self.paper.line([(x - 2, self.y - high), (x - 2, self.y)])

    def _cells(self, cells: Sequence[Sequence[str]], weight: int = 500, ink: str = "#0B0E11") -> None:
        x = EDGE
        for at, wide, lines in zip(self.shown, self.columns, cells, strict=True):
            figures = _figures(self.listing.columns[at]) and self.listing.kind not in SHEETS
            left, room = (x + wide - GAP, wide) if figures else (x, wide - 1)
            align: Literal["left", "right"] = "right" if figures else "left"
            for down, said in enumerate(lines):
                middle = self.y + self.line / 2 + down * self.pitch
                self.paper.text(said, left, middle, self.size, weight=weight, ink=ink, align=align, room=room)
            x += wide
        self.y += self._high(cells)

    def _room(self, height: float) -> bool:
        """Goes on on another sheet where this one has no room of a height; whether it did."""
        if self.y + height <= self.bottom:
            return False
        self._foot()
        self.paper.turn()
        self.y = EDGE + 4
        return True

    def _foot(self) -> None:
        """Which record it is of, after which entry, and which sheet of paper."""
        paper, y, listing = self.paper, self.paper.high - EDGE, self.listing
        paper.line([(EDGE, y - 4), (self.right, y - 4)])
        wide = paper.text(str(paper.sheets), self.right, y, SMALL, ink=QUIET, align="right")
        if listing.digest:
            log = self.words.screen("paper.log", count=listing.entries, hash=listing.digest[:16])
            paper.text(log, self.right - wide - 6, y, SMALL, ink=QUIET, align="right")
        paper.text(listing.heading, EDGE, y, SMALL, ink=QUIET, room=(self.right - EDGE) / 2)


def _figures(column: str) -> bool:
    """Whether a column holds figures, which stand to the right."""
    return column in RIGHT or column[1:].isdecimal()
