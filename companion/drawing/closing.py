"""A row of arcs becomes a closed road that keeps clear of itself, changed as little as will do.

Unknown are a little turn for every arc and a little length for every straight. What is to be met (the end where the
beginning is, once round, pieces of road that come too near moved apart) says how each of them moves it; of all the
changes that meet it the smallest is taken, and again, until the road is closed.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

TIGHT: Final = 1.25
"""Minimum radius of the centre line in a corner, in half widths of the road."""
CLEAR: Final = 0.8
"""Room kept between two pieces of road, in spaces."""
TRIES: Final = 60
MAX_LENGTH_CHANGE: Final = 0.18
"""Maximum change of a straight's drawn length, as a share of its real one."""
LENGTH_WEIGHT: Final = 8.0
"""Weight of changing a straight's length, against changing its bend."""
NEIGHBOURS: Final = 5.0
"""Distance along the road, in half widths, below which two points belong to the same piece of it."""
MAX_CROSSING_OVERLAP: Final = 12.0
"""Maximum length of road that may lie on itself at a crossing, in half widths."""

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Pose:
    """A place on the board and a direction there."""

    x: float
    y: float
    angle: float

    def beside(self, right: float) -> Point:
        """Return the point so far to the right of the direction."""
        return self.x + right * math.sin(self.angle), self.y - right * math.cos(self.angle)


@dataclass(slots=True)
class Arc:
    """A piece of the centre line.

    `begin` and `halves` are its start and length along the lap in half spaces; `length` and `turn` are as drawn.
    """

    begin: float
    halves: float
    length: float
    turn: float
    straight: bool

    def on(self, pose: Pose, share: float) -> Pose:
        """Return the pose after a `share` of the arc that begins at `pose`."""
        turn, length = self.turn * share, self.length * share
        middle = pose.angle + turn / 2
        chord = length * (math.sin(turn / 2) / (turn / 2) if abs(turn) > 1e-9 else 1.0)
        return Pose(pose.x + chord * math.cos(middle), pose.y + chord * math.sin(middle), pose.angle + turn)


@dataclass(frozen=True, slots=True)
class Width:
    """The width of the road over a stretch, in half spaces, pits included.

    It is half the width, and how far the middle lies to the right of the centre line.
    """

    begin: float
    halves: float
    lap: float
    half: float
    shift: float

    def holds(self, along: float) -> bool:
        """Return True if a place is within the stretch."""
        return (along - self.begin) % self.lap < self.halves


@dataclass(frozen=True, slots=True)
class _Place:
    """A point of the middle of the road: in which arc, how far along the road, and half the road's width there."""

    x: float
    y: float
    half: float
    driven: float
    arc: int


@dataclass(frozen=True, slots=True)
class _Near:
    """Two places that are `short` of the distance to be kept."""

    one: _Place
    two: _Place
    short: float


def run(arcs: Sequence[Arc], start: float) -> list[Pose]:
    """Return the pose at the start of each arc, and at the end of the last.

    The first arc begins at the origin, in the direction `start`.
    """
    poses = [Pose(0.0, 0.0, start)]
    for arc in arcs:
        poses.append(arc.on(poses[-1], 1.0))
    return poses


def close(arcs: list[Arc], start: float, widths: Sequence[Width]) -> bool:
    """Close the road; return True if it lies clear of itself.

    `widths` are first the whole lap's and then those of stretches where it is wider. A lap that turns by nothing on the
    whole may cross itself once.
    """
    once = 2 * math.pi * round(sum(arc.turn for arc in arcs) / (2 * math.pi))
    closed = False
    near: list[_Near] = []
    for _ in range(TRIES):
        for arc in arcs:
            if not arc.straight:
                arc.length = max(arc.halves / 2, abs(arc.turn) * TIGHT * widths[0].half)
        poses = run(arcs, start)
        end = poses[-1]
        missing = [-end.x, -end.y, once - (end.angle - start)]
        closed = closed or max(map(abs, missing)) < 0.01
        near = _near(arcs, poses, widths) if closed and once else []
        if max(map(abs, missing)) < 1e-9 and not near:
            break
        last = len(arcs)
        rows = [
            _displacement(poses, 0, last, end, 1.0, 0.0),
            _displacement(poses, 0, last, end, 0.0, 1.0),
            [1.0] * last + [0.0] * last,
        ]
        for pair in near:
            far = math.hypot(pair.two.x - pair.one.x, pair.two.y - pair.one.y) or 1.0
            across = (pair.two.x - pair.one.x) / far, (pair.two.y - pair.one.y) / far
            rows.append(_displacement(poses, pair.one.arc, pair.two.arc, pair.two, *across))
            missing.append(min(0.4, pair.short + 0.1))
        _change(arcs, rows, missing)
    return _laid_on_itself(arcs, run(arcs, start), widths) <= (0.0 if once else MAX_CROSSING_OVERLAP * widths[0].half)


def _displacement(
    poses: Sequence[Pose], first: int, last: int, place: Pose | _Place, nx: float, ny: float
) -> list[float]:
    """Return how far a place beyond arc `last` moves, seen from arc `first`.

    It moves in a direction by a turn of each arc, then by a lengthening of each.
    """
    turned, longer = [], []
    for n, (a, b) in enumerate(pairwise(poses)):
        between = first <= n < last
        turned.append(ny * (place.x - (a.x + b.x) / 2) - nx * (place.y - (a.y + b.y) / 2) if between else 0.0)
        longer.append(nx * (b.x - a.x) + ny * (b.y - a.y) if between else 0.0)
    return turned + longer


def _change(arcs: Sequence[Arc], rows: Sequence[Sequence[float]], missing: Sequence[float]) -> None:
    """Turn and lengthen the arcs by the least that brings every row what it misses, or a good part of it."""
    shares = [arc.length / (arc.halves / 2) for arc in arcs]
    ready = [arc.length for arc in arcs]
    for arc, share in zip(arcs, shares, strict=True):
        ready.append(
            LENGTH_WEIGHT / arc.halves * max(0.02, 1 - ((share - 1) / MAX_LENGTH_CHANGE) ** 2) if arc.straight else 0.0
        )
    matrix = [[sum(w * p * q for w, p, q in zip(ready, one, two, strict=True)) for two in rows] for one in rows]
    for i in range(3, len(rows)):
        matrix[i][i] *= 1.05  # two pairs of the same pieces of road ask for the same
    step = min(1.0, 4 / max(4.0, *map(abs, missing)))
    pull = _solve(matrix, [step * m for m in missing])
    changes = [w * sum(p * row[k] for p, row in zip(pull, rows, strict=True)) for k, w in enumerate(ready)]
    for arc, share, turn, longer in zip(arcs, shares, changes[: len(arcs)], changes[len(arcs) :], strict=True):
        arc.turn += turn
        if arc.straight:
            arc.length = min(1 + MAX_LENGTH_CHANGE, max(1 - MAX_LENGTH_CHANGE, share * (1 + longer))) * arc.halves / 2


def _places(arcs: Sequence[Arc], poses: Sequence[Pose], widths: Sequence[Width]) -> list[_Place]:
    places: list[_Place] = []
    driven = 0.0
    for n, arc in enumerate(arcs):
        count = max(1, round(arc.length))
        for k in range(count):
            share = (k + 0.5) / count
            wide = [width for width in widths if width.holds(arc.begin + share * arc.halves)][-1]
            x, y = arc.on(poses[n], share).beside(wide.shift)
            places.append(_Place(x, y, wide.half, driven + share * arc.length, n))
        driven += arc.length
    return places


def _pairs(places: Sequence[_Place], clear: float) -> list[_Near]:
    """Return places of two pieces of road that are nearer than their widths and so much more."""
    pairs: list[_Near] = []
    whole = places[-1].driven + places[0].driven
    widest = 2 * max(place.half for place in places) + clear
    row = sorted((place.x, k) for k, place in enumerate(places))
    for i, one in enumerate(places):
        apart = NEIGHBOURS * one.half
        first, last = bisect_left(row, (one.x - widest, 0)), bisect_left(row, (one.x + widest, 0))
        # further along the road, and no further off across the picture than would matter
        for two in [places[k] for k in sorted(k for _, k in row[first:last] if k > i)]:
            keep = one.half + two.half + clear
            if (
                abs(two.y - one.y) < keep
                and apart < two.driven - one.driven < whole - apart
                and (short := keep - math.hypot(two.x - one.x, two.y - one.y)) > 0
            ):
                pairs.append(_Near(one, two, short))
    return pairs


def _near(arcs: Sequence[Arc], poses: Sequence[Pose], widths: Sequence[Width]) -> list[_Near]:
    """Return the worst pair of every two arcs that come too near, the worst first."""
    worst: dict[tuple[int, int], _Near] = {}
    for pair in _pairs(_places(arcs, poses, widths), CLEAR):
        between = pair.one.arc, pair.two.arc
        if between not in worst or worst[between].short < pair.short:
            worst[between] = pair
    return sorted(worst.values(), key=lambda pair: -pair.short)[:12]


def _laid_on_itself(arcs: Sequence[Arc], poses: Sequence[Pose], widths: Sequence[Width]) -> float:
    """Return how many places of the road overlap another part of it."""
    return float(len({place for pair in _pairs(_places(arcs, poses, widths), -0.1) for place in (pair.one, pair.two)}))


def _solve(matrix: list[list[float]], right: list[float]) -> list[float]:
    """Linear equations, by elimination with the largest pivot; what is undetermined is 0."""
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    size = len(rows)
    for i in range(size):
        best = max(range(i, size), key=lambda k: abs(rows[k][i]))
        rows[i], rows[best] = rows[best], rows[i]
        if abs(rows[i][i]) < 1e-12:
            continue
        for k in range(size):
            if k != i and rows[k][i]:
                factor = rows[k][i] / rows[i][i]
                rows[k] = [a - factor * b for a, b in zip(rows[k], rows[i], strict=True)]
    return [row[-1] / row[i] if abs(row[i]) > 1e-12 else 0.0 for i, row in enumerate(rows)]
