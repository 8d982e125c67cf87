"""Lines from prices to the spaces they are the price of: each leaves its own space, clear of its corners, and comes
near nothing else that is pointed at."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from companion.screens.board.notes import Box, Point
from companion.screens.board.spaces import inside

Outline = Sequence[Point]

LONGEST: Final = 90.0
"""How far from its space a price may stand, in dp."""
CORNER: Final = 10.0
"""How near to a corner of its space a line may leave it, in dp: nearer it could be any space's that meets there."""
ALSO: Final = 0.4
"""How near where the space is small, as a share of the way from its middle."""
CLEAR: Final = 2.5
"""How far a line keeps from other spaces, from cars and from notes, in dp."""
APART: Final = 6.0
"""How far it keeps from another line."""
WITHIN: Final = 0.28, 7.0
"""How far within its space a line begins: as a share of the way from its edge to its middle, and at most in dp. So it
begins between the letter and the edge."""


@dataclass(frozen=True, slots=True)
class Shape:
    """A space in the view, in dp from its top left: its outline, the four corners of that, and its middle."""

    outline: Outline
    corners: tuple[Point, ...]
    middle: Point


@dataclass(frozen=True, slots=True)
class Leader:
    """A line: the space it begins in, where, the note it leads to, and where it ends there."""

    space: int
    start: Point
    end: Point
    box: Box


class Leaders:
    """The lines of a view; `spaces` are all that is pointed at, `kept` the outlines of cars and of notes."""

    def __init__(self, spaces: Mapping[int, Shape], kept: Iterable[Outline]) -> None:
        self._spaces = spaces
        self._rings = {space: Ring(shape.outline) for space, shape in spaces.items()}
        self._kept = [Ring(outline) for outline in kept]
        self._drawn: list[Row] = []

    def lead(self, spaces: Iterable[int], boxes: Iterable[Box]) -> Leader | None:
        """The line to the first of some places for a note that has one, from the nearest of its spaces; from now on
        others keep clear of both."""
        middles = {space: self._spaces[space].middle for space in spaces}
        for box in boxes:
            if self._free(box):
                space = min(middles, key=lambda space: math.dist(middles[space], box.nearest(*middles[space])))
                line = self._line(space, box)
                if line is not None:
                    self._drawn.append(Row((line.start, line.end)))
                    self._kept.append(Ring(box.corners))
                    return line
        return None

    def _free(self, box: Box) -> bool:
        """Whether a note in a rectangle would cover nothing of all that."""
        left, top = box.x - CLEAR, box.y - CLEAR
        right, bottom = left + (box.w + 2 * CLEAR), top + (box.h + 2 * CLEAR)
        beside = [
            other
            for some in (self._rings.values(), self._kept, self._drawn)
            for other in some
            if left <= other.right and other.left <= right and top <= other.bottom and other.top <= bottom
        ]
        if not beside:
            return True
        around = Ring(((left, top), (right, top), (right, bottom), (left, bottom)))
        return not any(around.near(other, 0.0) for other in beside)

    def _line(self, space: int, box: Box) -> Leader | None:
        """The line from a space to a note in a rectangle; none if it would mean something else, or cross it."""
        shape = self._spaces[space]
        (x, y), end = shape.middle, box.nearest(*shape.middle)
        crossed = [at for edge in self._rings[space].edges if (at := _crossing((shape.middle, end), edge)) is not None]
        if not crossed:
            return None
        out = min(crossed, key=lambda at: math.dist(shape.middle, at))
        far = math.dist(shape.middle, out)
        if math.dist(out, end) > LONGEST or min(math.dist(out, at) for at in shape.corners) < min(CORNER, ALSO * far):
            return None
        share, most = WITHIN
        within = 1 - min(most, share * far) / far
        start = x + (out[0] - x) * within, y + (out[1] - y) * within
        line = Row((start, end))
        others = [ring for at, ring in self._rings.items() if at != space]
        if any(other.near(line, CLEAR) for other in (*others, *self._kept)):
            return None
        return None if any(other.near(line, APART) for other in self._drawn) else Leader(space, start, end, box)


class Row:
    """A row of points, joined."""

    def __init__(self, points: Outline) -> None:
        self.points = points
        self.edges = list(pairwise(points))
        xs, ys = [x for x, _ in points], [y for _, y in points]
        self.left, self.right, self.top, self.bottom = min(xs), max(xs), min(ys), max(ys)

    def near(self, other: Row, far: float) -> bool:
        """Whether the two come so near to one another."""
        if self.left - far > other.right or other.left - far > self.right:
            return False
        if self.top - far > other.bottom or other.top - far > self.bottom:
            return False
        if self.holds(other.points[0]) or other.holds(self.points[0]):
            return True
        ones, twos = self._by(other, far), other._by(self, far)
        return any(
            _crossing(one, two) is not None or (far > 0 and _apart(one, two) < far) for one in ones for two in twos
        )

    def _by(self, other: Row, far: float) -> list[tuple[Point, Point]]:
        """Its edges that may come so near to another row: the others lie all to one side of that."""
        left, right, top, bottom = other.left - far, other.right + far, other.top - far, other.bottom + far
        return [
            edge
            for edge in self.edges
            if (edge[0][0] >= left or edge[1][0] >= left)
            and (edge[0][0] <= right or edge[1][0] <= right)
            and (edge[0][1] >= top or edge[1][1] >= top)
            and (edge[0][1] <= bottom or edge[1][1] <= bottom)
        ]

    def holds(self, point: Point) -> bool:
        """Whether a point lies within."""
        return False


class Ring(Row):
    """A closed row."""

    def __init__(self, outline: Outline) -> None:
        super().__init__((*outline, outline[0]))

    def holds(self, point: Point) -> bool:
        return inside(self.points, *point)


def _apart(one: tuple[Point, Point], other: tuple[Point, Point]) -> float:
    """How far two pieces of lines that do not cross are from one another."""
    ends = [(point, other) for point in one] + [(point, one) for point in other]
    return min(_beside(point, piece) for point, piece in ends)


def _beside(point: Point, piece: tuple[Point, Point]) -> float:
    (x, y), ((x1, y1), (x2, y2)) = point, piece
    dx, dy = x2 - x1, y2 - y1
    share = ((x - x1) * dx + (y - y1) * dy) / (dx * dx + dy * dy or 1.0)
    share = min(1.0, max(0.0, share))
    return math.hypot(x - x1 - share * dx, y - y1 - share * dy)


def _crossing(one: tuple[Point, Point], other: tuple[Point, Point]) -> Point | None:
    """Where two pieces of lines cross."""
    ((x1, y1), (x2, y2)), ((x3, y3), (x4, y4)) = one, other
    dx, dy, ex, ey = x2 - x1, y2 - y1, x4 - x3, y4 - y3
    turn = dx * ey - dy * ex
    if abs(turn) < 1e-9:
        return None
    along, across = ((x3 - x1) * ey - (y3 - y1) * ex) / turn, ((x3 - x1) * dy - (y3 - y1) * dx) / turn
    return (x1 + dx * along, y1 + dy * along) if 0 <= along <= 1 and 0 <= across <= 1 else None
