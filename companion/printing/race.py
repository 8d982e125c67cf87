"""The race sheet on paper: the classification, the order round by round, each car's wear, and what people said."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Final

from companion.drawing.paints import paint_of
from companion.drawing.typefaces import BOLD, SEMIBOLD
from companion.printing.paper import EDGE, HIGH, INK, POINT, QUIET, RULE, WIDE, Paper
from companion.rules.conversation.asking import Json
from companion.sheets.build_sheet import race_sheet
from companion.sheets.entry import Entry
from companion.sheets.history import History
from companion.view.listing import Cell, Listing
from companion.view.pages.after import Curves, Grid
from companion.view.pages.analysis import analysis
from companion.view.pages.analysis import topics as analysed
from companion.view.pages.sheet import CarPage, Chart, ChartLine, PoolLine, WearBox, WhyLine, page
from companion.view.worded import corners_of
from companion.wording import Words, capital

if TYPE_CHECKING:
    from companion.analysis.findings import Analysis

RIGHT: Final = WIDE - EDGE
BOTTOM: Final = HIGH - EDGE - 6
"""Lower end of a sheet's contents, above its foot, in mm."""
TITLE, HEAD, BODY, SMALL, LEAST = 20.0, 12.0, 9.5, 7.5, 6.5
ROW: Final = 7.4
REASONS_LEFT: Final = WIDE / 2 + 2
"""Left edge of the reasons, beside a car's boxes, in mm."""
NAMES: Final = 28.0
"""Width of the names of the pools, in mm."""
SIDE: Final = 5.7
ACROSS: Final = 9
"""Width of a box with its gap, in mm, and the number of boxes side by side."""
LINE: Final = 4.3
WET, SPENT = "#DCE8F8", "#E3E7EB"


def as_pdf(entries: Sequence[Entry], lang: str, found: Analysis | None = None) -> bytes:
    """Return a race's sheet as a PDF in a language, with its analysis if there is one.

    The same log gives the same file, byte by byte, on the same device: times are in its time zone, and letters
    that no font of the program has come from its fonts.
    """
    return _Printed(entries, lang, found).whole()


class _Printed:
    """A race being drawn; `y` is how far down its sheet it has come, in mm."""

    def __init__(self, entries: Sequence[Entry], lang: str, found: Analysis | None) -> None:
        self.found = found
        self.last, self.history = entries[-1], History.of(entries)
        self.race = race_sheet(self.history)
        self.words = Words(lang, self.race.rulebook)
        self.words.corner_names = corners_of(self.history, self.race)
        self.result = page(self.race, self.history, self.words, name="result")
        self.head = self.result.head
        self.paper = Paper(self.head.title, datetime.fromisoformat(self.last.at_wall))
        self.y = EDGE + 4

    def whole(self) -> bytes:
        """Return the document."""
        cars = [page(self.race, self.history, self.words, name="car", car=one.number) for one in self.head.cars]
        self._top()
        for listing in self.result.result:
            self._classification(listing)
        chart = cars[0].chart
        if chart is not None and len(chart.columns) > 1:
            self._chart(chart)
        for shown in cars:
            assert shown.car is not None
            self._car(shown.car)
        topics = list(page(self.race, self.history, self.words, name="after").after)
        if self.found is not None:
            topics += analysed(analysis(self.found, self.history, self.words), self.words)
        for topic in topics:
            self._curves(topic) if isinstance(topic, Curves) else self._grid(topic)
        self._draw_remarks()
        self._foot()
        return self.paper.whole()

    def say(self, key: str, **facts: Json) -> str:
        return self.words.screen(key, **facts)

    # -- the sheets

    def _room(self, height: float) -> None:
        """Go on on another sheet where this one has no room."""
        if self.y + height > BOTTOM:
            self._foot()
            self.paper.turn()
            self.y = EDGE + 4

    def _top(self) -> None:
        paper, right = self.paper, self.say("sheet.title")
        wide = paper.text(right, RIGHT, self.y, HEAD, weight=SEMIBOLD, ink=QUIET, align="right")
        paper.text(self.head.title, EDGE, self.y, TITLE, weight=BOLD, room=RIGHT - EDGE - wide - 6)
        paper.text(self.head.subtitle, EDGE, self.y + 8, BODY, ink=QUIET, room=RIGHT - EDGE)
        self.y += 17

    def _foot(self) -> None:
        """Draw which race it is, the number of the sheet, and the entry by which it can be checked."""
        paper, y = self.paper, HIGH - EDGE
        paper.line([(EDGE, y - 4), (RIGHT, y - 4)])
        wide = paper.text(str(paper.sheets), RIGHT, y, SMALL, ink=QUIET, align="right")
        log = self.say("paper.log", count=self.last.seq, hash=self.last.hash.hex()[:16])
        room = RIGHT - EDGE - wide - 6
        wide = paper.text(log, RIGHT - wide - 6, y, SMALL, ink=QUIET, align="right", room=room)
        paper.text(self.head.title, EDGE, y, SMALL, ink=QUIET, room=room - wide - 6)

    def _heading(self, text: str) -> None:
        self.paper.text(text, EDGE, self.y, HEAD, weight=BOLD, room=RIGHT - EDGE)
        self.y += 7

    # -- the race

    def _classification(self, listing: Listing) -> None:
        paper = self.paper
        paper.text(capital(listing.columns[-1].title), RIGHT, self.y, SMALL, ink=QUIET, align="right")
        self._heading(listing.title)
        for place, cars, name, note, *driven, points in listing.rows:
            self._room(ROW)
            ink = QUIET if "out" in place.marks else INK
            paper.text(place.text, EDGE + 6, self.y, BODY + 1, weight=BOLD, ink=ink, align="right")
            for at, (plate, _) in enumerate(cars.cars):
                paper.plate(plate, EDGE + 14 + 8 * at, self.y, 6)
            left = EDGE + 12 + 8 * len(cars.cars)
            paper.text(name.text, left, self.y, BODY + 1, weight=SEMIBOLD, ink=ink, room=EDGE + 82 - left)
            paper.text(note.text, EDGE + 84, self.y, BODY, ink=QUIET, room=30 if driven else 80)
            laps, cause = driven or (Cell(), Cell())
            paper.text(laps.text, EDGE + 116, self.y, BODY, ink=ink, room=18)
            wide = paper.text(points.text, RIGHT, self.y, BODY + 1, weight=BOLD, align="right")
            paper.text(cause.text, EDGE + 134, self.y, SMALL + 1, ink=QUIET, room=RIGHT - EDGE - 136 - wide)
            paper.line([(EDGE, self.y + ROW / 2), (RIGHT, self.y + ROW / 2)])
            self.y += ROW
        self.y += 5

    def _chart(self, chart: Chart) -> None:
        """Draw the order round by round, a line and a plate for each car."""
        paper, pitch = self.paper, min(8.0, 100 / chart.places)
        self._room(7 + pitch * (chart.places - 1) + 14)
        self._heading(chart.title)
        top, left, right = self.y + 4, EDGE + 8, RIGHT - 9
        bottom = top + pitch * (chart.places - 1)

        def across(column: int) -> float:
            return left + (right - left) * column / (len(chart.columns) - 1)

        for band in chart.bands:
            wide = max(1.0, across(band.last) - across(band.first))
            paper.fill(across(band.first), top - 3, wide, bottom - top + 6, WET)
            room = RIGHT - across(band.first)
            paper.text(band.word, across(band.first), top - 5.5, SMALL, ink=QUIET, room=room)
        for place in range(chart.places):
            paper.line([(left, top + place * pitch), (right, top + place * pitch)], RULE, 0.1)
            paper.text(str(place + 1), left - 3, top + place * pitch, SMALL, ink=QUIET, align="right")
        every = -(-len(chart.columns) // 14)
        for column in range(0, len(chart.columns), every):
            paper.text(chart.columns[column], across(column), bottom + 6, SMALL, ink=QUIET, align="centre")
        for line in chart.lines:
            for run in _runs(line):
                points = [(across(column), top + (place - 1) * pitch) for column, place in run]
                paper.line(points, INK, 1.1)
                paper.line(points, paint_of(line.plate.place).colour, 0.7)
        for line in chart.lines:
            if line.end:
                paper.plate(line.plate, RIGHT - 3, top + (line.end - 1) * pitch, min(6.5, pitch * 1.1))
        self.y = bottom + 15

    # -- what it was, looked at afterwards

    def _curves(self, shown: Curves) -> None:
        """Draw a line over the rounds for each car."""
        paper, high = self.paper, 58.0
        self._room(high + 22)
        self._heading(shown.title)
        top, left, right = self.y, EDGE + 10, RIGHT - 9
        last, every = max(1, len(shown.columns) - 1), -(-len(shown.columns) // 14)
        for mark in shown.marks:
            y = top + high * shown.height(mark)
            paper.line([(left, y), (right, y)], RULE, 0.1)
            paper.text(f"{mark}", left - 3, y, SMALL, ink=QUIET, align="right")
        for at in range(0, len(shown.columns), every):
            x = left + (right - left) * at / last
            paper.text(shown.columns[at], x, top + high + 5, SMALL, ink=QUIET, align="centre")
        for line in shown.lines:
            points = [
                (left + (right - left) * at / last, top + high * shown.height(value)) for at, value in line.points
            ]
            if len(points) > 1:
                paper.line(points, INK, 0.9)
                paper.line(points, paint_of(line.plate.place).colour, 0.6)
        for which, at, down in shown.ends(5.4 / high):
            paper.plate(which, min(left + (right - left) * at / last + 4, RIGHT - 3), top + high * down, 5)
        self.y = top + high + 14

    def _grid(self, shown: Grid) -> None:
        """Draw a line for each car, its cells under their headings."""
        paper, begin = self.paper, EDGE + 52
        self._room(7 + ROW * 3)
        self._heading(shown.title)
        wide = (RIGHT - begin) / max(1, len(shown.head))
        for at, word in enumerate(shown.head):
            paper.text(word, begin + (at + 1) * wide, self.y, SMALL, ink=QUIET, align="right", room=wide - 2)
        self.y += 6
        for which, name, cells in shown.rows:
            self._room(ROW)
            paper.plate(which, EDGE + 4, self.y, 5)
            paper.text(name, EDGE + 9, self.y, BODY, weight=SEMIBOLD, room=begin - EDGE - 11)
            for at, cell in enumerate(cells):
                paper.text(cell, begin + (at + 1) * wide, self.y, BODY, align="right", room=wide - 2)
            paper.line([(EDGE, self.y + ROW / 2), (RIGHT, self.y + ROW / 2)])
            self.y += ROW
        self.y += 5

    # -- a car

    def _car(self, car: CarPage) -> None:
        """Draw a car's boxes, and beside them why they were crossed off."""
        names: dict[str, str] = {pool.pool: pool.name for pool in car.pools}
        lines = [(why, self._reason(why, names)) for why in reversed(car.why)]
        boxes = sum(_high(pool) for pool in car.pools)
        self._room(10 + max(boxes, min(40.0, sum(_deep(said) for _, said in lines))))
        self._named(car, car.facts)
        start = self.y
        for pool in car.pools:
            self._pool(pool)
        end, self.y, sheet = self.y, start, self.paper.sheets
        for why, said in lines:
            if self.y + _deep(said) > BOTTOM:
                self._room(BOTTOM)
                self._named(car, self.say("paper.continued"))
            self._why(why, said)
        self.y = (self.y if self.paper.sheets > sheet else max(end, self.y)) + 5

    def _named(self, car: CarPage, facts: str) -> None:
        paper = self.paper
        paper.line([(EDGE, self.y - 4.5), (RIGHT, self.y - 4.5)], INK, 0.3)
        paper.plate(car.plate, EDGE + 4, self.y, 7)
        wide = paper.text(car.name, EDGE + 10, self.y, HEAD, weight=BOLD, room=70)
        chips = " · ".join(chip.text for chip in car.chips)
        chip = paper.text(chips, RIGHT, self.y, BODY, weight=SEMIBOLD, align="right")
        room = RIGHT - EDGE - wide - chip - 18
        paper.text(facts, EDGE + 14 + wide, self.y, paper.fitted(facts, BODY, room, LEAST), ink=QUIET, room=room)
        self.y += 8

    def _pool(self, pool: PoolLine) -> None:
        paper, y = self.paper, self.y
        paper.text(pool.name, EDGE, y, paper.fitted(pool.name, BODY, NAMES - 2, LEAST), room=NAMES - 2)
        for at, box in enumerate(pool.boxes):
            self._box(box, EDGE + NAMES + at % ACROSS * SIDE, y + at // ACROSS * 5.4 - 2.2)
        paper.text(f"{pool.left}/{pool.built}", REASONS_LEFT - 4, y, BODY, weight=BOLD, align="right")
        self.y += _high(pool)

    def _box(self, box: WearBox, x: float, y: float) -> None:
        """Draw a box as pens leave it: empty, crossed off in a round, or given back with two rims."""
        paper, wide, high = self.paper, SIDE - 0.9, 4.4
        if box.state == "spent":
            paper.fill(x, y, wide, high, SPENT)
            paper.line([(x, y + high), (x + wide, y)], RULE)
            paper.text(box.word, x + wide / 2, y + high / 2, SMALL - 0.5, align="centre", room=wide)
            return
        paper.rim(x, y, wide, high, thick=0.4)
        if box.state == "repaired":
            paper.rim(x + 0.8, y + 0.8, wide - 1.6, high - 1.6, thick=0.2)

    def _reason(self, why: WhyLine, names: dict[str, str]) -> list[str]:
        """Return a reason as it is broken into lines: the points, then the words."""
        points = f"{names[why.pool]} {why.points}. " if why.pool in names else ""
        cited = self.paper.width(why.cited or why.article, SMALL)
        return self.paper.broken(f"{points}{why.text}", SMALL, RIGHT - REASONS_LEFT - 10 - cited - 2)

    def _why(self, why: WhyLine, said: list[str]) -> None:
        paper = self.paper
        paper.text(why.round, REASONS_LEFT, self.y, SMALL, weight=SEMIBOLD)
        wide = paper.text(why.cited or why.article, RIGHT, self.y, SMALL, ink=QUIET, align="right")
        room = RIGHT - REASONS_LEFT - 10 - wide - 2
        for at, line in enumerate(said):
            paper.text(line, REASONS_LEFT + 10, self.y + at * SMALL * 1.25 * POINT, SMALL, room=room)
        self.y += _deep(said)

    # -- what people said

    def _draw_remarks(self) -> None:
        """Draw what the referee set, corrections, disputes and notes, in their order."""
        rows = page(self.race, self.history, self.words, name="words").words[::-1]
        if not rows:
            return
        self._room(20)
        self._heading(self.say("sheet.page.words"))
        for row in rows:
            lines = self.paper.broken(row.text, BODY, RIGHT - EDGE - 52)
            self._room((len(lines) + bool(row.by)) * 5)
            self.paper.text(row.title, EDGE, self.y, BODY, weight=SEMIBOLD, room=48)
            for line in lines:
                self.paper.text(line, EDGE + 50, self.y, BODY, room=RIGHT - EDGE - 52)
                self.y += 5
            if row.by:
                self.paper.text(row.by, EDGE + 50, self.y, SMALL, ink=QUIET, room=RIGHT - EDGE - 52)
                self.y += 5


def _high(pool: PoolLine) -> float:
    """Return the height of the boxes of a pool."""
    return max(1, -(-len(pool.boxes) // ACROSS)) * 5.4 + 0.6


def _deep(said: Sequence[str]) -> float:
    """Return the height of a reason."""
    return LINE + (len(said) - 1) * SMALL * 1.25 * POINT


def _runs(line: ChartLine) -> list[list[tuple[int, int]]]:
    """Return the stretches of a car's line, broken where it was out of the order."""
    runs: list[list[tuple[int, int]]] = [[]]
    for column, place in line.points:
        if place:
            runs[-1].append((column, place))
        elif runs[-1]:
            runs.append([])
    return [run for run in runs if len(run) > 1]
