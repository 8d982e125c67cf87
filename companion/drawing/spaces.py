"""The spaces as polygons, each where it lies on the road, and the way of a car over them.

Pure data in the units of `road`: a space of a straight is one long. Every space has a place on the road, `along` in
half spaces and `right` of the centre line in spaces; everything else follows from it, so that a car that moves from one
space to another moves along its lanes.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from companion.drawing.closing import Point, Pose
from companion.drawing.road import PIT_GAP, WIDTH, CentreLine, pit_side
from companion.rules.circuit.track import Track

Kind = Literal["straight", "corner", "blocked", "pit", "box"]


@dataclass(frozen=True, slots=True)
class Cell:
    """A space as drawn: its left and its right side from the rear to the front, and its place on the road."""

    space: int
    kind: Kind
    rear: float
    front: float
    right: float
    left_side: tuple[Point, ...]
    right_side: tuple[Point, ...]
    middle: Pose

    @property
    def outline(self) -> tuple[Point, ...]:
        """The polygon, without the first point again at its end."""
        return self.left_side + self.right_side[::-1]

    @property
    def along(self) -> float:
        """The middle of the space along the lap, in half spaces."""
        return (self.rear + self.front) / 2


class Spaces:
    """The spaces of a circuit known to the space, on its road."""

    def __init__(self, track: Track) -> None:
        self.track = track
        self.line = CentreLine(track)
        self.half = self.line.half
        self.lap = self.line.lap
        count = len(track.lanes)
        self.offsets = tuple((lane - (count - 1) / 2) * WIDTH for lane in range(count))
        self.cells = self._cells()

    # Places

    def pose(self, along: float, right: float) -> Pose:
        """Return the pose of a car `along` the lap and `right` of the centre line."""
        at = self.line.at(along)
        x, y = at.beside(right)
        return Pose(x, y, at.angle)

    def room(self, space: int) -> float:
        """Return the length or the width of a space, whichever is less."""
        cell = self.cells[space]
        middle = [((a[0] + b[0]) / 2, (a[1] + b[1]) / 2) for a, b in zip(cell.left_side, cell.right_side, strict=True)]
        return min(WIDTH, sum(math.dist(a, b) for a, b in pairwise(middle)))

    def way(self, spaces: Sequence[int], step: float = 0.25) -> list[Pose]:
        """Return the way over spaces, driven in that order, as poses about `step` spaces apart."""
        poses: list[Pose] = []
        for i, space in enumerate(spaces):
            here = self.cells[space]
            if not i:
                poses.append(here.middle)
                continue
            before = self.cells[spaces[i - 1]]
            gone = (here.along - before.along + self.lap / 2) % self.lap - self.lap / 2
            parts = max(1, math.ceil(abs(gone) / 2 / step))
            for k in range(1, parts + 1):
                share = k / parts
                ease = share * share * (3 - 2 * share)
                pose = self.pose(before.along + gone * share, before.right + (here.right - before.right) * ease)
                if gone and before.right != here.right:
                    slope = 6 * share * (1 - share) * (here.right - before.right) / (abs(gone) / 2)
                    pose = Pose(pose.x, pose.y, pose.angle - math.atan(slope))
                poses.append(pose)
        return poses

    def at(self, x: float, y: float, spaces: Sequence[int] | None = None) -> int | None:
        """Return the space that a point lies in, if any."""
        for cell in self.cells if spaces is None else [self.cells[s] for s in spaces]:
            near = cell.middle
            if abs(near.x - x) < 4 and abs(near.y - y) < 4 and inside(cell.outline, x, y):
                return cell.space
        return None

    # Lines along the road

    def strip(self, rear: float, front: float, right: float) -> tuple[Point, ...]:
        """Return a line along a part of the lap, so far right of the centre line."""
        return tuple(self.line.at(u).beside(right) for u in self.line.stops(rear, front))

    def round(self, right: float) -> tuple[Point, ...]:
        """Return a closed line all round the lap, so far right of the centre line."""
        points: list[Point] = []
        for section in self.track.sections:
            rears = [self.track.stretch[lane[0]][0] for lane in section.lanes]
            fronts = [self.track.stretch[lane[-1]][1] for lane in section.lanes]
            points += self.strip(sum(rears) / len(rears), sum(fronts) / len(fronts), right)[:-1]
        return (*points, points[0])

    # Spaces

    def _cells(self) -> tuple[Cell, ...]:
        track = self.track
        cells: list[Cell] = []
        for space, (rear, front) in enumerate(track.stretch):
            kind: Kind = "straight" if track.corner[space] < 0 else "corner"
            if space in track.blocked:
                kind = "blocked"
            cells.append(self._cell(space, kind, rear, front, self.offsets[track.spaces[space].lane]))
        if track.pit is not None:
            self.pit_from = max(track.stretch[s][1] for s, to in track.pit.entries if to == track.pit.spaces[0])
            last = min(track.stretch[s][0] for at, s in track.pit.exits if at == track.pit.spaces[-1])
            each = ((last - self.pit_from) % self.lap) / len(track.pit.spaces)
            self.pit_to = self.pit_from + each * len(track.pit.spaces)
            out = pit_side(track) * (self.half + PIT_GAP + WIDTH / 2)
            fronts = []
            for number, space in enumerate(track.pit.spaces):
                fronts.append(self.pit_from + each * number)
                cells.append(self._cell(space, "pit", fronts[-1], fronts[-1] + each, out))
            for box, front in zip(track.pit.boxes, track.pit.fronts, strict=True):
                begin = fronts[front - track.pit.spaces[0]]
                cells.append(self._cell(box, "box", begin + 0.1, begin + each - 0.1, out + pit_side(track) * WIDTH))
        return tuple(cells)

    def _cell(self, space: int, kind: Kind, rear: float, front: float, right: float) -> Cell:
        sides = [self.strip(rear, front, right + side * WIDTH / 2) for side in (-1, 1)]
        return Cell(space, kind, rear, front, right, sides[0], sides[1], self.pose((rear + front) / 2, right))


def inside(outline: Sequence[Point], x: float, y: float) -> bool:
    """Return True if a point is inside a polygon."""
    odd = False
    (x1, y1) = outline[-1]
    for x2, y2 in outline:
        if (y1 > y) != (y2 > y) and x < (x2 - x1) * (y - y1) / (y2 - y1) + x1:
            odd = not odd
        x1, y1 = x2, y2
    return odd
