"""Where flags, names and prices stand beside the road: in view, off the spaces in reach, near what they mean."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from operator import add

Point = tuple[float, float]

CELL = 8.0
"""Size of a square of the map, in dp."""
ANCHORS = 8
"""How many of the places that a note belongs to are looked at."""
ROAD, MARKED, LETTERED, TAKEN = 1.0, 12.0, 13.0, 60.0
"""What it costs to cover a square of road, of a space in reach, of one to choose, of another note or a car."""


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle of the view, in dp from its top left."""

    x: float
    y: float
    w: float
    h: float

    @property
    def middle(self) -> Point:
        return self.x + self.w / 2, self.y + self.h / 2

    @property
    def corners(self) -> tuple[Point, ...]:
        return (
            (self.x, self.y),
            (self.x + self.w, self.y),
            (self.x + self.w, self.y + self.h),
            (self.x, self.y + self.h),
        )

    def nearest(self, x: float, y: float) -> Point:
        """The point of the rectangle that is nearest to a point."""
        return min(max(x, self.x), self.x + self.w), min(max(y, self.y), self.y + self.h)

    def apart(self, points: Iterable[Point]) -> float:
        """How far the nearest of some points is from the rectangle, 0 within it."""
        left, top, right, bottom = self.x, self.y, self.x + self.w, self.y + self.h
        return min(
            math.hypot(
                left - x if x < left else x - right if x > right else 0.0,
                top - y if y < top else y - bottom if y > bottom else 0.0,
            )
            for x, y in points
        )


class Room:
    """The view as a map of squares, each with what it costs to cover it."""

    def __init__(self, width: float, height: float) -> None:
        self.width, self.height = width, height
        self.columns, self.rows = max(1, int(width / CELL)), max(1, int(height / CELL))
        self.cost = [[0.0] * self.columns for _ in range(self.rows)]
        self._sums: list[list[float]] | None = None

    def block(self, outline: Sequence[Point], cost: float) -> None:
        """A polygon that costs so much to cover: every square whose middle lies in it."""
        ys = [y for _, y in outline]
        edges = list(pairwise([*outline, outline[0]]))
        for row in self._across(min(ys), max(ys)):
            y = (row + 0.5) * CELL
            met = sorted((x2 - x1) * (y - y1) / (y2 - y1) + x1 for (x1, y1), (x2, y2) in edges if (y1 > y) != (y2 > y))
            for left, right in zip(met[::2], met[1::2], strict=True):
                self._raise(row, self._along(left, right), cost)
        self._sums = None

    def border(self, points: Sequence[Point], beside: float, cost: float) -> None:
        """A line that costs so much to cover, and so much beside it."""
        for (x1, y1), (x2, y2) in pairwise(points):
            left, right = min(x1, x2) - beside, max(x1, x2) + beside
            self._fill(left, min(y1, y2) - beside, right, max(y1, y2) + beside, cost)

    def take(self, box: Box, grown: float = 4.0) -> None:
        """A rectangle that another note has now."""
        self._fill(box.x - grown, box.y - grown, box.x + box.w + grown, box.y + box.h + grown, TAKEN)

    def covers(self, box: Box, cost: float) -> bool:
        """Whether a rectangle covers anything that costs so much or more."""
        rows = self.cost[int(box.y / CELL) : math.ceil((box.y + box.h) / CELL)]
        return any(max(row[int(box.x / CELL) : math.ceil((box.x + box.w) / CELL)]) >= cost for row in rows)

    def _fill(self, left: float, top: float, right: float, bottom: float, cost: float) -> None:
        """A rectangle that costs so much to cover: every square whose middle lies in it."""
        columns = self._along(left, right)
        for row in self._across(top, bottom):
            self._raise(row, columns, cost)
        self._sums = None

    def _along(self, left: float, right: float) -> range:
        """The columns whose middles lie between."""
        return range(max(math.ceil(left / CELL - 0.5), 0), min(math.ceil(right / CELL - 0.5), self.columns))

    def _across(self, top: float, bottom: float) -> range:
        """The rows whose middles lie between."""
        return range(max(math.ceil(top / CELL - 0.5), 0), min(math.ceil(bottom / CELL - 0.5), self.rows))

    def _raise(self, row: int, columns: range, cost: float) -> None:
        line = self.cost[row]
        for column in columns:
            if line[column] < cost:
                line[column] = cost

    def place(self, wide: float, high: float, anchors: Iterable[Point], pull: float = 0.02) -> Box | None:
        """The cheapest place for a rectangle, near one of the anchors; none if it does not fit into the view at all.
        `pull` is the cost of a dp of distance."""
        found = min(self._costs(wide, high, anchors, pull), default=None)
        return Box(found[2] * CELL, found[1] * CELL, wide, high) if found is not None else None

    def places(self, wide: float, high: float, anchors: Iterable[Point], pull: float, reach: float) -> Iterator[Box]:
        """All places for a rectangle that are no further than `reach` from one of the anchors, the cheapest first."""
        for _, row, column in sorted(self._costs(wide, high, anchors, pull, reach)):
            yield Box(column * CELL, row * CELL, wide, high)

    def _costs(
        self, wide: float, high: float, anchors: Iterable[Point], pull: float, reach: float = math.inf
    ) -> list[tuple[float, int, int]]:
        """What every place for a rectangle costs inside the view, with the row and the column of its first square. How
        far it is from an anchor is across, and up or down, and a little for being aside of it."""
        points, sums = _some(anchors), self._summed()
        columns, rows = int(-(-wide // CELL)), int(-(-high // CELL))
        lefts = [column * CELL for column in range(1, self.columns - columns)]
        asides = [
            [max(left - x, x - left - wide, 0.0) + 0.3 * abs(x - left - wide / 2) for left in lefts] for x, _ in points
        ]
        found: list[tuple[float, int, int]] = []
        for row in range(1, self.rows - rows):
            top, upper, lower = row * CELL, sums[row], sums[row + rows]
            downs = [max(top - y, y - top - high, 0.0) for _, y in points]
            near = [[down + one for one in aside] for down, aside in zip(downs, asides, strict=True) if down <= reach]
            for column, far in enumerate(map(min, zip(*near, strict=True)), 1):
                if far <= reach:
                    right = column + columns
                    covered = lower[right] - upper[right] - lower[column] + upper[column]
                    found.append((covered + pull * far, row, column))
        return found

    def _summed(self) -> list[list[float]]:
        """The cost of every rectangle that begins top left, so that any other is four of them."""
        if self._sums is None:
            sums = [[0.0] * (self.columns + 1)]
            for row in self.cost:
                sums.append(list(map(add, accumulate(row, initial=0.0), sums[-1])))
            self._sums = sums
        return self._sums


def _some(anchors: Iterable[Point]) -> list[Point]:
    """The anchors, or as many of them as are looked at."""
    points = list(anchors)
    return points[:: -(-len(points) // ANCHORS) or 1]


def spread(places: Sequence[Point], size: float, width: float, height: float) -> list[Point]:
    """Places of plates, each moved as little as keeps it from lying on another, all inside the view; places
    are from the middle of the view."""
    moved = [list(place) for place in places]
    aslant = 0.01 if len(places) * size > width else 0.0  # too many for one row make two
    for _ in range(60):
        still = True
        for i, one in enumerate(moved):
            for k in range(i):
                other = moved[k]
                dx, dy = one[0] - other[0], one[1] - other[1]
                far = (dx * dx + dy * dy) ** 0.5
                if far < size - 0.5:
                    still = False
                    if far < 0.01:
                        dx, dy, far = 0.01, aslant if i % 2 else -aslant, 0.01
                    push = (size - far) / 2 / far
                    one[0] += dx * push
                    one[1] += dy * push
                    other[0] -= dx * push
                    other[1] -= dy * push
        for one in moved:
            one[0] = min(max(one[0], (size - width) / 2), max(0.0, (width - size) / 2))
            one[1] = min(max(one[1], (size - height) / 2), max(0.0, (height - size) / 2))
        if still:
            break
    return [(x, y) for x, y in moved]


def filed(wanted: Sequence[float], apart: float, end: float) -> list[float]:
    """Places along a line from 0 to `end`, in the order given, at least so far apart, and as near to the wanted ones,
    which do not fall, as that allows; they stand closer where the line is too short for them."""
    apart = min(apart, end / max(1, len(wanted) - 1))
    heaps: list[tuple[float, int]] = []
    for rank, far in enumerate(wanted):
        middle, count = far - rank * apart, 1
        while heaps and heaps[-1][0] >= middle:
            before, more = heaps.pop()
            middle, count = (before * more + middle * count) / (more + count), more + count
        heaps.append((middle, count))
    starts = [start for start, count in heaps for _ in range(count)]
    most = end - (len(wanted) - 1) * apart
    return [min(max(start, 0.0), most) + rank * apart for rank, start in enumerate(starts)]
