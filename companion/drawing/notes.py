"""Place flags, names and prices beside the road.

They stay in view, near what they mark and off the spaces in reach.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import accumulate, pairwise
from operator import add

Point = tuple[float, float]
Patch = tuple[tuple[float, float, float, float], Sequence[Point]]
"""Points with their bounds, across and from top to bottom."""

CELL = 8.0
"""Side of a square of the map, in dp."""
MAX_ANCHORS = 8
"""Maximum number of a note's own places that are tried."""
ROAD, MARKED, LETTERED, TAKEN = 1.0, 12.0, 13.0, 60.0
"""Costs of covering a square of road, of a space in reach, of one to choose, and of another note or a car."""


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
        """Return the point of the rectangle that is nearest to a point."""
        return min(max(x, self.x), self.x + self.w), min(max(y, self.y), self.y + self.h)

    def apart(self, patches: Iterable[Patch]) -> float:
        """Return the distance of the rectangle to the nearest point of patches, 0 inside."""
        left, top, right, bottom = self.x, self.y, self.x + self.w, self.y + self.h
        found = math.inf
        for (low, high, up, down), points in patches:
            if math.hypot(max(low - right, left - high, 0.0), max(up - bottom, top - down, 0.0)) < found:
                for x, y in points:
                    across = left - x if x < left else x - right if x > right else 0.0
                    along = top - y if y < top else y - bottom if y > bottom else 0.0
                    if across < found and along < found:
                        found = min(found, math.hypot(across, along))
        return found


def patch_of(points: Sequence[Point]) -> Patch:
    """Return points with how far they reach."""
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return (min(xs), max(xs), min(ys), max(ys)), points


class Room:
    """The view as a map of squares, each with what it costs to cover it."""

    def __init__(self, width: float, height: float) -> None:
        self.width, self.height = width, height
        self.columns, self.rows = max(1, int(width / CELL)), max(1, int(height / CELL))
        self.cost = [[0.0] * self.columns for _ in range(self.rows)]
        self._sums: list[list[float]] | None = None

    def block(self, outline: Sequence[Point], cost: float) -> None:
        """Make a polygon cost so much to cover: every square whose middle lies in it."""
        first = [min(max(math.ceil(y / CELL - 0.5), 0), self.rows) for _, y in outline]
        met: dict[int, list[float]] = {}
        for at, (x1, y1) in enumerate(outline, -len(outline)):
            here, there = first[at], first[at + 1]
            if here != there:
                x2, y2 = outline[at + 1]
                for row in range(here, there) if here < there else range(there, here):
                    met.setdefault(row, []).append((x2 - x1) * ((row + 0.5) * CELL - y1) / (y2 - y1) + x1)
        for row, across in met.items():
            line = self.cost[row]
            across.sort()
            for left, right in zip(across[::2], across[1::2], strict=True):
                for column in self._along(left, right):
                    if line[column] < cost:
                        line[column] = cost
        self._sums = None

    def border(self, points: Sequence[Point], beside: float, cost: float) -> None:
        """Make a line cost so much to cover, and so much beside it."""
        (low, high, up, down), _ = patch_of(points)
        if low - beside > self.width or high + beside < 0 or up - beside > self.height or down + beside < 0:
            return
        for (x1, y1), (x2, y2) in pairwise(points):
            left, right = min(x1, x2) - beside, max(x1, x2) + beside
            self._fill(left, min(y1, y2) - beside, right, max(y1, y2) + beside, cost)

    def take(self, box: Box, grown: float = 4.0) -> None:
        """Take a rectangle for another note."""
        self._fill(box.x - grown, box.y - grown, box.x + box.w + grown, box.y + box.h + grown, TAKEN)

    def covers(self, box: Box, cost: float) -> bool:
        """Return True if a rectangle covers anything that costs at least `cost`."""
        rows = self.cost[int(box.y / CELL) : math.ceil((box.y + box.h) / CELL)]
        return any(max(row[int(box.x / CELL) : math.ceil((box.x + box.w) / CELL)]) >= cost for row in rows)

    def _fill(self, left: float, top: float, right: float, bottom: float, cost: float) -> None:
        """Make a rectangle cost so much to cover: every square whose middle lies in it."""
        columns = self._along(left, right)
        for row in self._across(top, bottom) if columns else ():
            line = self.cost[row]
            for column in columns:
                if line[column] < cost:
                    line[column] = cost
        self._sums = None

    def _along(self, left: float, right: float) -> range:
        """Return the columns whose middles lie between."""
        return range(max(math.ceil(left / CELL - 0.5), 0), min(math.ceil(right / CELL - 0.5), self.columns))

    def _across(self, top: float, bottom: float) -> range:
        """Return the rows whose middles lie between."""
        return range(max(math.ceil(top / CELL - 0.5), 0), min(math.ceil(bottom / CELL - 0.5), self.rows))

    def place(self, wide: float, high: float, anchors: Iterable[Point], pull: float = 0.02) -> Box | None:
        """Return the cheapest place for a rectangle near one of the anchors.

        None if it does not fit into the view at all. `pull` is the cost of a dp of distance.
        """
        return next(self.places(wide, high, anchors, pull, math.inf), None)

    def places(self, wide: float, high: float, anchors: Iterable[Point], pull: float, reach: float) -> Iterator[Box]:
        """Return the places for a rectangle within `reach` of an anchor, the cheapest first.

        They lie inside the view. How far one is from an anchor is across, and up or down, and a little for being aside
        of it.

        Rows are looked at only once no place in those before them can be cheaper: mostly the first few places do.
        """
        points, sums = _some(anchors), self._summed()
        columns, rows = int(-(-wide // CELL)), int(-(-high // CELL))
        begin, end = 1, self.columns - columns
        if points and reach < math.inf:
            begin = max(begin, int((min(x for x, _ in points) - reach - wide) / CELL))
            end = min(end, int((max(x for x, _ in points) + reach) / CELL) + 2)
        lefts = [column * CELL for column in range(begin, end)]
        asides = [
            [max(left - x, x - left - wide, 0.0) + 0.3 * abs(x - left - wide / 2) for left in lefts] for x, _ in points
        ]
        downs = [[max(row * CELL - y, y - row * CELL - high, 0.0) for _, y in points] for row in range(self.rows)]
        found: list[tuple[tuple[float, int, int], Iterator[tuple[float, int, int]]]] = []
        """The cheapest place that is left of each row that has been looked at, with the others of that row."""

        def cheapest() -> Box:
            (_, at, column), rest = heappop(found)
            if following := next(rest, None):
                heappush(found, (following, rest))
            return Box(column * CELL, at * CELL, wide, high)

        for least, row in sorted((min(downs[row], default=math.inf), row) for row in range(1, self.rows - rows)):
            while found and found[0][0][0] < pull * least:
                yield cheapest()
            upper, lower = sums[row], sums[row + rows]
            near = [
                [down + one for one in aside] for down, aside in zip(downs[row], asides, strict=True) if down <= reach
            ]
            places = sorted(
                (
                    lower[column + columns] - upper[column + columns] - lower[column] + upper[column] + pull * far,
                    row,
                    column,
                )
                for column, far in enumerate(map(min, zip(*near, strict=True)), begin)
                if far <= reach
            )
            if places:
                heappush(found, (places[0], iter(places[1:])))
        while found:
            yield cheapest()

    def _summed(self) -> list[list[float]]:
        """Return the cost of every rectangle that begins top left; any other is four of them."""
        if self._sums is None:
            sums = [[0.0] * (self.columns + 1)]
            for row in self.cost:
                sums.append(list(map(add, accumulate(row, initial=0.0), sums[-1])))
            self._sums = sums
        return self._sums


def _some(anchors: Iterable[Point]) -> list[Point]:
    """Return the anchors, or as many of them as are looked at."""
    points = list(anchors)
    return points[:: -(-len(points) // MAX_ANCHORS) or 1]


def spread(places: Sequence[Point], size: float, width: float, height: float) -> list[Point]:
    """Move plates as little as keeps them apart and inside the view.

    Places are from the middle of the view.
    """
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
    """Place plates along a line from 0 to `end`, in their order and at least so far apart.

    Each is as near to the wanted place as that allows; the wanted places do not fall. They stand closer where the line
    is too short for them.
    """
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
