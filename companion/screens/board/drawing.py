"""The board as geometry: a polygon for each space, the lines between them, kerbs, flags' corners, cars' places.

Pure data in the units of `road`: a space of a straight is one long. Every space has a place on the road, `along` in
half spaces and `right` of the centre line in spaces; everything else follows from it, so that a car that moves from one
space to another moves along its lanes.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from companion.rules.track import Section, Track
from companion.screens.board.closing import Point, Pose
from companion.screens.board.road import PIT_GAP, WIDTH, CentreLine, pit_side

Kind = Literal["straight", "corner", "blocked", "pit", "box"]

KERB_STRAIGHT = 5.0
"""How far an outer kerb runs along the straight before and after a corner, in half spaces."""
RAMP = 4.0
"""How long the ways into and out of the pit lane are, in half spaces."""
FAR_EXIT = 50.0
"""From how far a corner's exit is no concern of a car, in half spaces."""
KERB_FROM = 12.0
"""Degrees of a bend from which it has kerbs."""


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


@dataclass(frozen=True, slots=True)
class Lines:
    """The lines of the board, each a row of points."""

    ends: tuple[tuple[Point, ...], ...]
    lanes: tuple[tuple[Point, ...], ...]
    edges: tuple[tuple[Point, ...], ...]
    entries: tuple[tuple[Point, ...], ...]
    exits: tuple[tuple[Point, ...], ...]
    kerbs: tuple[tuple[Point, ...], ...]
    finish: tuple[tuple[Point, ...], ...]
    slots: tuple[tuple[Point, ...], ...]
    zones: tuple[tuple[Point, ...], ...]
    wall: tuple[tuple[Point, ...], ...]


@dataclass(frozen=True, slots=True)
class Bend:
    """A corner as a place for its flag: from where to where, and on which side its inside is (1 right, -1 left)."""

    begin: float
    end: float
    inside: int


class Drawing:
    """A circuit known to the space, drawn."""

    def __init__(self, track: Track) -> None:
        self.track = track
        self.line = CentreLine(track)
        self.half = self.line.half
        self.lap = self.line.lap
        self.shaped = self.line.drawn
        """Whether the circuit says its shape; if not, this is an oval of the right length."""
        count = len(track.lanes)
        self.offsets = tuple((lane - (count - 1) / 2) * WIDTH for lane in range(count))
        self.cells = self._cells()
        self.apron = tuple(self._round(side * (self.half + 0.42)) for side in (-1, 1))
        self.middle = self._round(0.0)
        """The centre line, closed."""
        finish = [track.stretch[space][0] for space in track.line]
        at = finish[0] + sum((f - finish[0] + self.lap / 2) % self.lap - self.lap / 2 for f in finish) / len(finish)
        self.finish = at
        """Where the line is, in half spaces."""
        self.start_bar = (self.line.at(at - 0.5).beside(0.0), self.line.at(at + 0.5).beside(0.0))
        self._pits()
        self.lines = self._lines()
        self._exits = tuple(
            sum(track.stretch[lane[-1]][1] for lane in track.sections[corner.section].lanes) / count
            for corner in track.corners
        )
        """Where each corner ends, in half spaces."""
        self.bends = tuple(self._bend(track.sections[corner.section]) for corner in track.corners)

    # Places

    def pose(self, along: float, right: float) -> Pose:
        """Where a car stands that is so far along the lap and right of the centre line."""
        at = self.line.at(along)
        x, y = at.beside(right)
        return Pose(x, y, at.angle)

    def room(self, space: int) -> float:
        """How long or how wide a space is, the less of both."""
        cell = self.cells[space]
        middle = [((a[0] + b[0]) / 2, (a[1] + b[1]) / 2) for a, b in zip(cell.left_side, cell.right_side, strict=True)]
        return min(WIDTH, sum(math.dist(a, b) for a, b in pairwise(middle)))

    def next_exit(self, along: float) -> tuple[Point, ...]:
        """The exit line of the corner that a car is in or comes to next; nothing if it is far."""
        ways = [((exit_ - along) % self.lap, k) for k, exit_ in enumerate(self._exits)]
        far, nearest = min(ways, default=(FAR_EXIT, 0))
        return self.lines.exits[nearest] if far < FAR_EXIT else ()

    def way(self, spaces: Sequence[int], step: float = 0.25) -> list[Pose]:
        """The way over spaces, driven in that order, as poses about `step` spaces apart."""
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
        """The space that a point lies in, if any."""
        for cell in self.cells if spaces is None else [self.cells[s] for s in spaces]:
            near = cell.middle
            if abs(near.x - x) < 4 and abs(near.y - y) < 4 and inside(cell.outline, x, y):
                return cell.space
        return None

    @functools.cached_property
    def box(self) -> tuple[float, float, float, float]:
        """The smallest box around the road, kerbs and pits: left, bottom, right, top."""
        points = [p for side in self.apron for p in side] + [
            p for c in self.cells[len(self.track.stretch) :] for p in c.outline
        ]
        xs, ys = [x for x, _ in points], [y for _, y in points]
        return min(xs), min(ys), max(xs), max(ys)

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
                cells.append(
                    self._cell(box, "box", begin + 0.1, begin + each - 0.1, out + pit_side(track) * WIDTH * 1.0)
                )
        return tuple(cells)

    def _cell(self, space: int, kind: Kind, rear: float, front: float, right: float) -> Cell:
        sides = [self._strip(rear, front, right + side * WIDTH / 2) for side in (-1, 1)]
        return Cell(space, kind, rear, front, right, sides[0], sides[1], self.pose((rear + front) / 2, right))

    def _strip(self, rear: float, front: float, right: float) -> tuple[Point, ...]:
        return tuple(self.line.at(u).beside(right) for u in self.line.stops(rear, front))

    def _pits(self) -> None:
        """The ground under the pits, the ways in and out, and the lines beside the lane and the boxes."""
        self.pit_ground: list[tuple[tuple[Point, ...], tuple[Point, ...]]] = []
        self.pit_road: list[tuple[tuple[Point, ...], tuple[Point, ...]]] = []
        self.pit_edges: list[tuple[Point, ...]] = []
        pit = self.track.pit
        if pit is None:
            return
        side, out = pit_side(self.track), self.half + PIT_GAP + WIDTH
        boxes = [self.cells[box] for box in pit.boxes]
        for begin, end, far in (
            (self.pit_from, self.pit_to, out + 0.25),
            (min(b.rear for b in boxes) - 0.4, max(b.front for b in boxes) + 0.4, out + WIDTH + 0.25),
        ):
            self.pit_ground.append((self._strip(begin, end, side * self.half), self._strip(begin, end, side * far)))
        for tip, at in ((self.pit_from - RAMP, self.pit_from), (self.pit_to + RAMP, self.pit_to)):
            beyond = at + (1.5 if at > tip else -1.5)
            near, far_side = [], []
            for k in range(13):
                u = tip + (beyond - tip) * k / 12
                share = min(1.0, (u - tip) / (at - tip))
                pose = self.line.at(u)
                near.append(pose.beside(side * self.half))
                far_side.append(pose.beside(side * (self.half + (out - self.half) * share * share * (3 - 2 * share))))
            self.pit_road.append((tuple(near), tuple(far_side)))
            self.pit_edges.append(tuple(far_side))
        for cell in self.cells[len(self.track.stretch) :]:
            self.pit_edges += [cell.left_side, cell.right_side]

    # Lines

    def _lines(self) -> Lines:
        track = self.track
        edges = [(*side, side[0]) for side in (self._round(side * self.half)[:-1] for side in (-1, 1))]
        lanes = [self._round((a + b) / 2) for a, b in zip(self.offsets, self.offsets[1:], strict=False)]
        ends = [(cell.left_side[0], cell.right_side[0]) for cell in self.cells if cell.kind != "box"]
        for cell in self.cells[len(track.stretch) :]:
            if cell.kind == "box" or cell.space == (track.pit.spaces[-1] if track.pit else -1):
                ends.append((cell.left_side[-1], cell.right_side[-1]))
            if cell.kind == "box":
                ends.append((cell.left_side[0], cell.right_side[0]))
        corners = [section for section in track.sections if section.corner]
        return Lines(
            ends=tuple(ends),
            lanes=tuple(lanes),
            edges=tuple(edges),
            entries=tuple(self._across([track.stretch[lane[0]][0] for lane in s.lanes]) for s in corners),
            exits=tuple(self._across([track.stretch[lane[-1]][1] for lane in s.lanes]) for s in corners),
            kerbs=tuple(kerb for kerb in self._kerbs() if len(kerb) > 1),
            finish=tuple(
                (cell.left_side[0], cell.right_side[0]) for cell in map(self.cells.__getitem__, sorted(track.line))
            ),
            slots=tuple(self._slot(self.cells[space]) for space in track.grid),
            zones=tuple(self._zone(zone.spaces) for zone in track.zones),
            wall=() if track.wall < 0 else (self._round((self.half + 0.16) * (-1 if track.wall == 0 else 1)),),
        )

    def _round(self, right: float) -> tuple[Point, ...]:
        points: list[Point] = []
        for section in self.track.sections:
            rears = [self.track.stretch[lane[0]][0] for lane in section.lanes]
            fronts = [self.track.stretch[lane[-1]][1] for lane in section.lanes]
            points += self._strip(sum(rears) / len(rears), sum(fronts) / len(fronts), right)[:-1]
        return (*points, points[0])

    def _across(self, places: Sequence[float]) -> tuple[Point, ...]:
        """A line over all lanes that is at its own place in each."""
        points: list[Point] = []
        for lane, (place, right) in enumerate(zip(places, self.offsets, strict=True)):
            if lane and abs(places[lane - 1] - place) > 0.05:
                points += self._strip_between(places[lane - 1], place, right - WIDTH / 2)[1:-1]
            if not lane or abs(places[lane - 1] - place) > 0.05:
                points.append(self.line.at(place).beside(right - WIDTH / 2))
            points.append(self.line.at(place).beside(right + WIDTH / 2))
        return tuple(points)

    def _strip_between(self, begin: float, end: float, right: float) -> tuple[Point, ...]:
        strip = self._strip(min(begin, end), max(begin, end), right)
        return strip if begin <= end else strip[::-1]

    def _kerbs(self) -> list[tuple[Point, ...]]:
        kerbs: list[tuple[Point, ...]] = []
        for begin, end, turn in self.line.bends(math.radians(KERB_FROM)):
            size, inner = end - begin, (-1 if turn > 0 else 1)
            kerbs.append(self._kerb(begin + size * 0.18, end + min(1.0, size * 0.1), inner))
            kerbs.append(self._kerb(begin - KERB_STRAIGHT, begin + size * 0.12, -inner))
            kerbs.append(self._kerb(end - size * 0.3, end + KERB_STRAIGHT * 0.8, -inner))
        return kerbs

    def _kerb(self, begin: float, end: float, side: int) -> tuple[Point, ...]:
        """A kerb along one edge of the road, shorter where the way to the pits or a wall is."""
        track = self.track
        if track.wall >= 0 and side == (-1 if track.wall == 0 else 1):
            return ()
        if track.pit is not None and side == pit_side(track):
            pit = self.pit_to - self.pit_from + 6
            into, out = (begin - self.pit_from + 3) % self.lap, (end - self.pit_from + 3) % self.lap
            if into < pit:
                begin += pit - into
            if out < pit:
                end -= out
            if end - begin < 1:
                return ()
        return self._strip(begin, end, side * (self.half + 0.02))

    def _slot(self, cell: Cell) -> tuple[Point, ...]:
        """A bracket around the front of a grid slot."""
        out = WIDTH / 2 - 0.09
        front, back = self.line.at(cell.front - 0.16), self.line.at(cell.front - 0.66)
        return tuple(
            pose.beside(cell.right + right) for pose, right in ((back, -out), (front, -out), (front, out), (back, out))
        )

    def _zone(self, spaces: frozenset[int]) -> tuple[Point, ...]:
        """The left edge of the road along a DRS zone."""
        stretches = [self.track.stretch[s] for s in spaces if self.track.spaces[s].lane == 0]
        return self._strip(min(r for r, _ in stretches), max(f for _, f in stretches), -self.half + 0.07)

    def _bend(self, section: Section) -> Bend:
        rear = sum(self.track.stretch[lane[0]][0] for lane in section.lanes) / len(section.lanes)
        front = sum(self.track.stretch[lane[-1]][1] for lane in section.lanes) / len(section.lanes)
        corner = section.corner
        return Bend(rear, front, -1 if corner is not None and corner.inside == 0 else 1)


def inside(outline: Sequence[Point], x: float, y: float) -> bool:
    """Whether a point lies in a polygon."""
    odd = False
    (x1, y1) = outline[-1]
    for x2, y2 in outline:
        if (y1 > y) != (y2 > y) and x < (x2 - x1) * (y - y1) / (y2 - y1) + x1:
            odd = not odd
        x1, y1 = x2, y2
    return odd


@functools.lru_cache(maxsize=8)
def drawing_of(track: Track) -> Drawing:
    """The drawing of a circuit known to the space, made once."""
    return Drawing(track)
