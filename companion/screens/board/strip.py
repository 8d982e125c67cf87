"""A circuit known to the corner: its corners on a strip of road, with the cars.

A place is `corner:3`, in corner 3, or `after:3`, on the road after it (`after:0`, past the line); `pit:2` and `box:2`
are in the pits, beside the line.
"""

from __future__ import annotations

import math
from typing import Final

from companion.drawing.closing import Point
from companion.drawing.notes import filed, spread
from companion.rules.circuit.track import Track
from companion.screens.board.marked import OUTLINE
from companion.screens.board.whole import Whole
from companion.screens.kit import plate
from companion.screens.kit.pen import BOLD, SEMIBOLD, Pen
from companion.screens.kit.theme import CAPTION, SMALL, theme
from companion.view.shown_board import BoardScene, CarMark
from companion.wording import capital

ROAD: Final = 15
"""Width of the road, in dp."""
SLOT: Final = 86
"""Minimum room for a corner along the road while more rows are possible, in dp."""
ROW, NAMED_ROW, LEAST_ROW = 80, 66, 46
"""Maximum height of a row, minimum with the corners' names, and absolute minimum, in dp."""
PLATE: Final = 24
PITCH: Final = PLATE + 1.0
"""Pitch of plates in one file along the road, in dp."""
PAIRED_PITCH: Final = 14.0
SECOND_FILE: Final = 20.0
"""Pitch of plates in two files, and height of the second file above the road, in dp."""
MAX_STRAY: Final = 0.5
"""Maximum shift of plates in one file from their places, as a share of a corner's room; beyond it they form two
files."""
FLAG: Final = 20
"""Width of a flag, in dp."""
LOW: Final = 110.0
"""Height below which a strip has one row of boxes with the corners' numbers and stops, in dp."""
BOX: Final = (48.0, 52.0)
"""Maximum size of a corner's box in that row, in dp."""
NARROW: Final = 32.0
"""Width below which a box has its corner's stops beneath the number, in dp."""
NUMBERED: Final = 13.0
"""Width from which a box has its corner's number, in dp."""
PILE: Final = 3
"""Number of plates above one another in that row, between two corners."""
EDGE: Final = 26
"""Room for the turns between the rows, in dp."""
BARE_END: Final = 8
"""Room at the end of one row without cars, in dp."""


class Layout:
    """The places of corners and roads, in dp from the top left.

    The rows run in alternating directions. `end` is free at the right of each.
    """

    def __init__(self, corners: int, width: float, height: float, end: int = EDGE) -> None:
        self.corners = corners
        most = max(1, int((width - 2 * EDGE) // SLOT))
        self.rows = max(1, min(math.ceil(corners / most), int(height // LEAST_ROW))) if height >= LOW else 1
        self.each = math.ceil(corners / self.rows)
        self.high = min(ROW, height / self.rows)
        self.named = self.high >= NAMED_ROW
        """True if there is room for the corners' names, and for two files of plates."""
        self.first = (height - self.high * self.rows) / 2 + min(22.0, self.high * 0.3)
        short = SECOND_FILE + PLATE / 2 - self.first
        if self.named and self.rows > 1 and short > 0:  # the second file of the first row would be cut
            self.first, self.high = self.first + short, self.high - short / (self.rows - 1)
        self.left, self.right = float(EDGE), width - end

    def y(self, row: int) -> float:
        """Return the middle of the road in a row."""
        return self.first + self.high * row

    def corner(self, number: int) -> Point:
        """Return the place of a corner, numbered from 1."""
        row, k = divmod(number - 1, self.each)
        return self._x(row, (k + 0.5) / self.each), self.y(row)

    def after(self, number: int) -> Point:
        """Return the place of the road after a corner.

        0 is the road from the line to the first corner.
        """
        if number == 0:
            return self._x(0, 0.0), self.y(0)
        row, k = divmod(number - 1, self.each)
        return self._x(row, (k + 1) / self.each), self.y(row)

    def _x(self, row: int, share: float) -> float:
        wide = self.right - self.left
        return self.left + wide * share if row % 2 == 0 else self.right - wide * share

    def place(self, name: str) -> Point | None:
        """Return the place of a car, None for an unknown name."""
        where, _, digits = name.partition(":")
        if not digits.isdecimal():
            return None
        number = int(digits)
        if where == "corner" and 1 <= number <= self.corners:
            return self.corner(number)
        if where == "after" and 0 <= number <= self.corners:
            return self.after(number)
        if where in ("pit", "box"):
            x, y = self.after(self.corners)
            return x, y + PLATE
        return None

    def distance(self, name: str) -> float | None:
        """Return the distance along the road over all rows, in dp.

        None for a place in the pits.
        """
        where, _, digits = name.partition(":")
        if where not in ("corner", "after") or self.place(name) is None:
            return None
        return (int(digits) - (0.5 if where == "corner" else 0.0)) / self.each * (self.right - self.left)

    def along(self, driven: float) -> Point:
        """Return the place at a distance along the road."""
        wide = self.right - self.left
        row = min(self.rows - 1, int(driven // wide))
        return self._x(row, driven / wide - row), self.y(row)


class CornerStrip(Whole):
    """The corners of a circuit on a strip; it shows (track, scene)."""

    def paint(self, pen: Pen) -> None:
        if self.shown is None:
            return
        track, scene = self.shown
        layout = self._layout
        pen.fill(0, 0, pen.w, pen.h, "ground")
        if pen.h < LOW:
            self._low(pen, layout, track, scene)
            return
        self._road(pen, layout)
        marked = {mark.space: mark for mark in scene.spaces}
        notes = {note.corner: note for note in scene.corners}
        cars = self._spread(layout, scene)

        def write_word(text: str, middle: float, y: float, ink: str, room: float) -> None:
            """Draw a word below the road, unless a plate would cover part of it."""
            half = min(room, pen.width(text, CAPTION, SEMIBOLD)) / 2 + PLATE / 2 + 2
            if not any(abs(at[0] - middle) < half and abs(at[1] - y) < PLATE / 2 + 7 for _, at in cars):
                pen.text(text, middle, y, CAPTION, ink, SEMIBOLD, "centre", room, cut=True)

        for index, corner in enumerate(track.corners):
            x, y = layout.corner(corner.number)
            note = notes.get(index)
            wide = (layout.right - layout.left) / layout.each
            mark = marked.get(f"corner:{corner.number}")
            pen.fill(x - wide * 0.24, y - ROAD / 2, wide * 0.48, ROAD, "corner")
            here = note is not None and note.done >= 0
            if mark is not None or here:
                token = "hi" if mark is None else OUTLINE.get(mark.state, "hi")
                pen.rim(x - wide / 2 + 2, y - 18, wide - 4, min(68.0, layout.high), token, 2, 6)
            text = f"{note.done}/{note.stops}" if note is not None and here else f"{corner.shortest}–{corner.longest}"
            left = x - (FLAG + 6 + (18 if here else 0) + pen.width(text, CAPTION, SEMIBOLD)) / 2
            pen.fill(left, y + 14, FLAG, 18, "flag", 3)
            pen.text(str(corner.stops), left + FLAG / 2, y + 23, SMALL, "onflag", BOLD, "centre")
            if here:
                pen.icon("check", left + FLAG + 14, y + 23, 15, "hi")
                left += 18
            long = pen.width(text, CAPTION, SEMIBOLD)
            write_word(text, left + FLAG + 6 + long / 2, y + 23, "hi" if here else "mid", long + 1)
            if layout.named:
                write_word(capital(theme.words.corner(corner.name)), x, y + 39, "hi", wide - 8)
        self._cars(pen, cars)

    @property
    def _layout(self) -> Layout:
        """The places of what is shown."""
        track, scene = self.shown
        end = BARE_END if self.h < LOW and not scene.cars else EDGE
        return Layout(len(track.corners), self.w, self.h, end)

    def _low(self, pen: Pen, layout: Layout, track: Track, scene: BoardScene) -> None:
        """Draw all corners in one row, as boxes with number and stops.

        The corner in question is outlined.
        """
        middle, (wide, high) = pen.h / 2, BOX
        wide = min(wide, (layout.right - layout.left) / layout.corners * (0.6 if scene.cars else 0.85))
        pen.fill(0, middle - 1.5, pen.w, 3, "lane")
        pen.fill(layout.left - 14, middle - 13, 4, 26, "hi")
        for corner in track.corners:
            x, _ = layout.corner(corner.number)
            left, top = x - wide / 2, middle - high / 2
            pen.fill(left, top, wide, high, "corner", 5)
            asked = corner.number == scene.corner
            pen.rim(left, top, wide, high, "hi" if asked else "mid", 3 if asked else 1.5, 5)
            number, room, flag = x, wide - 3, (left + 2, top + 28, wide - 4)
            if wide >= NARROW:
                number, room, flag = x - wide / 4, wide / 2, (x + 2, top + 5, min(float(FLAG), wide / 2 - 3))
            if wide >= NUMBERED:
                pen.text(str(corner.number), number, top + 14, CAPTION, "hi", BOLD, "centre", room)
            else:
                flag = left, top + 17, wide
            pen.fill(*flag, 18, "flag", 3)
            pen.text(str(corner.stops), flag[0] + flag[2] / 2, flag[1] + 9, CAPTION, "onflag", BOLD, "centre")
        self._cars(pen, self._piled(layout, scene, wide))

    def _piled(self, layout: Layout, scene: BoardScene, box: float) -> list[tuple[CarMark, Point]]:
        """Return the cars of the low strip with the places of their plates.

        At a corner they are side by side at its foot, between corners stacked; the first car is furthest on.
        """
        each = (layout.right - layout.left) / layout.corners
        held: dict[str, list[CarMark]] = {}
        for car in scene.cars:
            if layout.place(car.space) is not None:
                held.setdefault("pit" if car.space.startswith(("pit", "box")) else car.space, []).append(car)
        stood: list[tuple[CarMark, Point]] = []
        for where, cars in held.items():
            at_corner = where.startswith("corner")
            high = 1 if at_corner or where == "pit" else PILE
            columns = -(-len(cars) // high)
            apart = min(PITCH - 2, (each if at_corner else each - box) / columns)
            x = (layout.place(cars[0].space) or (0.0, 0.0))[0] + (columns - 1) * apart / 2
            x = min(max(x, PLATE / 2 + (columns - 1) * apart), self.w - PLATE / 2 - 2)
            for place, car in enumerate(cars):
                column, row = divmod(place, high)
                rows = min(high, len(cars) - column * high)
                y = self.h - PLATE / 2 - 8 if high == 1 else self.h / 2 + (row - (rows - 1) / 2) * PITCH
                stood.append((car, (x - column * apart, y)))
        return stood

    def _road(self, pen: Pen, layout: Layout) -> None:
        for grown, token in ((1.5, "lane"), (0.0, "asphalt")):
            high = ROAD + 2 * grown
            for row in range(layout.rows):
                y = layout.y(row)
                first, last = row == 0, row == layout.rows - 1
                begin, end = layout.left - grown, layout.right + grown
                if last and layout.corners % layout.each:
                    edge = layout.after(layout.corners)[0]
                    begin, end = (begin, edge + grown) if row % 2 == 0 else (edge - grown, end)
                if first:
                    begin -= 16
                pen.fill(begin, y - high / 2, end - begin, high, token)
                if not last:
                    x = layout.right if row % 2 == 0 else layout.left - ROAD
                    pen.fill(x - grown, y - high / 2, high, layout.high + high, token)
        pen.fill(layout.left - 12, layout.y(0) - 13, 5, 26, "hi")

    def _spread(self, layout: Layout, scene: BoardScene) -> list[tuple[CarMark, Point]]:
        """Return the cars with the places of their plates, without overlaps.

        Cars on the road are in one file, or in two if one would shift them too far.
        """
        road = [(far, car) for car in reversed(scene.cars) if (far := layout.distance(car.space)) is not None]
        road.sort(key=lambda one: one[0])
        wanted = [far for far, _ in road]
        end = layout.distance(f"after:{layout.corners}") or 0.0
        places = filed(wanted, PITCH, end)
        strayed = max((abs(at - to) for at, to in zip(places, wanted, strict=True)), default=0.0)
        paired = strayed > MAX_STRAY * (layout.right - layout.left) / layout.each and layout.named
        if paired:
            places = filed(wanted, PAIRED_PITCH, end)
        stood: list[tuple[CarMark, Point]] = []
        for rank, ((_, car), far) in enumerate(zip(road, places, strict=True)):
            x, y = layout.along(far)
            stood.append((car, (x, y - (SECOND_FILE if paired and rank % 2 else 0.0))))
        return stood + self._pitted(layout, scene)

    def _pitted(self, layout: Layout, scene: BoardScene) -> list[tuple[CarMark, Point]]:
        """Return the cars in the pits with the places of their plates."""
        held = [car for car in scene.cars if layout.distance(car.space) is None]
        cars = [(car, place) for car in held if (place := layout.place(car.space)) is not None]
        middle = self.w / 2, self.h / 2
        spread_out = spread([(x - middle[0], y - middle[1]) for _, (x, y) in cars], PITCH, self.w, self.h)
        return [(car, (x + middle[0], y + middle[1])) for (car, _), (x, y) in zip(cars, spread_out, strict=True)]

    @staticmethod
    def _cars(pen: Pen, cars: list[tuple[CarMark, Point]]) -> None:
        for car, (x, y) in cars:
            if car.state == "playing":
                pen.fill(x - 19, y - 19, 38, 38, "ground", 19)
                pen.ring(x, y, 34)
        for car, (x, y) in cars:
            plate.draw(pen, car.plate, x, y, PLATE)

    def space_at(self, x: float, y: float) -> str:
        """Return the place nearest to a point, empty if all are too far.

        The point is in dp from the top left.
        """
        if self.shown is None:
            return ""
        track = self.shown[0]
        layout = self._layout
        names = [f"corner:{n}" for n in range(1, len(track.corners) + 1)]
        names += [f"after:{n}" for n in range(len(track.corners) + 1)]
        best = min(names, key=lambda name: math.dist(layout.place(name) or (1e9, 1e9), (x, y)))
        return best if math.dist(layout.place(best) or (1e9, 1e9), (x, y)) < SLOT / 2 else ""
