"""The road's centre line: sections with a direction and a bend become a closed curve.

A circuit file gives each section a bend in degrees; that is a sketch. Here the sections become arcs, a corner that
ends much as it began becomes a bend and its counterpart where its lanes' spaces say so, and what is missing to close
the lap is spread over all sections: a little bend everywhere and a little length on the straights.

Lengths are in spaces of a straight, x to the right, y up, angles in radians counterclockwise from x.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from companion.rules.track import Section, Track

WIDTH = 0.72
"""Width of a lane, in spaces."""
BENDS = 20.0
"""Degrees to each side from which a corner is drawn as two bends."""
SHARPEST = 150.0
"""Most degrees that the first of two bends turns."""
TIGHT = 1.25
"""Least radius of the centre line, in half widths of the road."""
CLEAR = 0.8
"""Room kept between two pieces of road, in spaces."""
PIT_GAP = 0.3
"""Room between the road and the pit lane, in spaces."""
PIT_WIDTH = PIT_GAP + 2 * WIDTH
"""How much wider the pits make the road: the gap, the lane, the boxes."""
_GIVE = 0.18
"""How far a straight may be drawn longer or shorter than it is, as a share."""
_TRIES = 60
_STRETCH = 8.0
"""How readily a straight changes its length rather than its bend, when the lap is closed."""


@dataclass(frozen=True, slots=True)
class Pose:
    """A place on the board and a direction there."""

    x: float
    y: float
    angle: float

    def beside(self, right: float) -> tuple[float, float]:
        """The point so far to the right of the direction."""
        return self.x + right * math.sin(self.angle), self.y - right * math.cos(self.angle)


@dataclass(slots=True)
class _Arc:
    """A piece of the centre line: from `begin` half spaces, so many of them, its length and turn as drawn."""

    begin: float
    halves: float
    length: float
    turn: float
    straight: bool


@dataclass(frozen=True, slots=True)
class _Beside:
    """How wide the road is over a stretch, pit lane included: half its width, and how far its middle lies to the
    right of the centre line."""

    begin: float
    halves: float
    lap: float
    half: float
    shift: float

    def holds(self, along: float) -> bool:
        return (along - self.begin) % self.lap < self.halves


class CentreLine:
    """A closed curve, by half spaces from where section 0 begins."""

    def __init__(self, track: Track) -> None:
        self.lap = float(track.length)
        self.lanes = len(track.lanes)
        self.half = WIDTH * self.lanes / 2
        self.drawn = any(section.bend for section in track.sections)
        """Whether the circuit has a shape; without one it is drawn as an oval."""
        if self.drawn:
            self._arcs = _arcs(track)
            start = math.radians(90 - track.sections[0].direction)
        else:
            self._arcs = _oval(self.lap)
            start = 0.0
        self._begins = [arc.begin for arc in self._arcs]
        self._poses = _close(self._arcs, start, _widths(track, self.half))

    def at(self, along: float) -> Pose:
        """Where the centre line is after so many half spaces."""
        along = (along - self._begins[0]) % self.lap + self._begins[0]
        i = max(0, bisect_right(self._begins, along) - 1)
        arc, pose = self._arcs[i], self._poses[i]
        return _along(pose, arc, (along - arc.begin) / arc.halves if arc.halves else 0.0)

    def curve(self, along: float) -> float:
        """The curvature there, in radians a space, to the left positive."""
        along = (along - self._begins[0]) % self.lap + self._begins[0]
        arc = self._arcs[max(0, bisect_right(self._begins, along) - 1)]
        return arc.turn / arc.length if arc.length else 0.0

    def stops(self, rear: float, front: float, step: float = 0.5) -> list[float]:
        """The ends of a stretch and the places between them at which a curve needs a point, in half spaces."""
        bends = abs(self.curve((rear + front) / 2)) + abs(self.curve(rear)) + abs(self.curve(front))
        parts = max(1, math.ceil((front - rear) / step)) if bends > 0.01 else 1
        return [rear + (front - rear) * k / parts for k in range(parts + 1)]

    def bends(self, least: float) -> list[tuple[float, float, float]]:
        """The bends that turn at least so many radians: where each begins and ends, in half spaces, and its turn."""
        return [
            (arc.begin, arc.begin + arc.halves, arc.turn)
            for arc in self._arcs
            if not arc.straight and abs(arc.turn) >= least
        ]

    def ends_at(self) -> tuple[Pose, Pose]:
        """Where the lap begins and where it ends as drawn: the same, if it closes."""
        return self._poses[0], self._poses[-1]


def _begin(track: Track, section: Section) -> float:
    rears = [track.stretch[lane[0]][0] for lane in section.lanes]
    return sum(rears) / len(rears)


def _arcs(track: Track) -> list[_Arc]:
    begins = [_begin(track, section) for section in track.sections]
    begins.append(begins[0] + track.length)
    arcs: list[_Arc] = []
    for i, section in enumerate(track.sections):
        following = track.sections[(i + 1) % len(track.sections)]
        turn = -float(section.bend + _turned(following.direction - section.direction - section.bend))
        halves = begins[i + 1] - begins[i]
        if section.corner is not None:
            parts = _two_bends(track, section, begins[i], halves, turn)
        else:
            count = max(1, round(halves / 8))
            parts = [(halves / count, turn / count)] * count
        begin = begins[i]
        for size, part in parts:
            arcs.append(_Arc(begin, size, size / 2, math.radians(part), section.corner is None))
            begin += size
    return arcs


def _turned(degrees: float) -> float:
    """The same turn between -180 and 180."""
    return (degrees + 180) % 360 - 180


def _two_bends(track: Track, section: Section, begin: float, halves: float, turn: float) -> list[tuple[float, float]]:
    """A corner's bends as (half spaces, degrees to the left). The lane on the outside of a bend has more spaces, so
    that where the one lane stops gaining on the other, the road turns the other way."""
    places = [begin + halves * k / 24 for k in range(25)]
    gain = [_spaces(track, section.lanes[-1], at) - _spaces(track, section.lanes[0], at) for at in places]
    across = WIDTH * (len(section.lanes) - 1)
    swing = [math.degrees((g - gain[0]) / across) for g in gain]
    even = [abs(s - swing[-1] * k / 24) for k, s in enumerate(swing)]
    k = max(range(6, 19), key=lambda k: even[k])
    first = max(-SHARPEST, min(SHARPEST, swing[k]))
    other = turn - first
    if first * other >= 0 or min(abs(first), abs(other)) < BENDS:
        return [(halves, turn)]
    return [(halves * k / 24, first), (halves * (24 - k) / 24, other)]


def _spaces(track: Track, lane: tuple[int, ...], at: float) -> float:
    """How many spaces of a lane lie before a place."""
    return sum(
        min(1.0, max(0.0, (at - track.stretch[s][0]) / (track.stretch[s][1] - track.stretch[s][0]))) for s in lane
    )


def pit_side(track: Track) -> int:
    """On which side of the road the pit lane lies: 1 right, -1 left, 0 without one."""
    if track.pit is None:
        return 0
    lane = track.spaces[track.pit.entries[0][0]].lane
    return 1 if 2 * lane >= len(track.lanes) else -1


def _widths(track: Track, half: float) -> list[_Beside]:
    lap = float(track.length)
    widths = [_Beside(0.0, lap, lap, half, 0.0)]
    if track.pit is not None:
        begin = track.stretch[track.pit.entries[0][0]][0]
        end = track.stretch[track.pit.exits[-1][1]][1]
        more = PIT_WIDTH / 2
        widths.append(_Beside(begin, (end - begin) % lap, lap, half + more, more * pit_side(track)))
    return widths


def _oval(lap: float) -> list[_Arc]:
    """Two straights of a third of the lap each and two half circles, counted from the middle of a straight."""
    straight, bend = lap / 3, lap / 6
    sizes = [(straight / 2, 0.0), (bend, math.pi), (straight, 0.0), (bend, math.pi), (straight / 2, 0.0)]
    arcs, begin = [], 0.0
    for size, turn in sizes:
        arcs.append(_Arc(begin, size, size / 2, turn, not turn))
        begin += size
    return arcs


def _along(pose: Pose, arc: _Arc, share: float) -> Pose:
    """Where an arc that begins at a pose is after a share of its length."""
    turn, length = arc.turn * share, arc.length * share
    middle = pose.angle + turn / 2
    chord = length * (math.sin(turn / 2) / (turn / 2) if abs(turn) > 1e-9 else 1.0)
    return Pose(pose.x + chord * math.cos(middle), pose.y + chord * math.sin(middle), pose.angle + turn)


def _run(arcs: list[_Arc], start: float) -> list[Pose]:
    poses = [Pose(0.0, 0.0, start)]
    for arc in arcs:
        poses.append(_along(poses[-1], arc, 1.0))
    return poses


def _close(arcs: list[_Arc], start: float, beside: Sequence[_Beside]) -> list[Pose]:
    """Change bends and the lengths of straights as little as will close the lap and keep pieces of road that come
    near one another apart; returns where each arc begins."""
    once = 2 * math.pi if sum(arc.turn for arc in arcs) > 0 else -2 * math.pi
    closed = False
    for _ in range(_TRIES):
        for arc in arcs:
            if not arc.straight:
                arc.length = max(arc.halves / 2, abs(arc.turn) * TIGHT * beside[0].half)
        poses = _run(arcs, start)
        end = poses[-1]
        missing = [-end.x, -end.y, once - (end.angle - start)]
        closed = closed or max(abs(m) for m in missing) < 0.01
        near = _near(arcs, poses, beside) if closed else []
        if max(abs(m) for m in missing) < 1e-9 and not near:
            break
        middles = [((a.x + b.x) / 2, (a.y + b.y) / 2) for a, b in pairwise(poses)]
        rows = [
            [end.y - y for _, y in middles],
            [end.x - x for x, _ in middles],
            [1.0] * len(arcs),
        ]
        rows[0] = [-value for value in rows[0]]
        ways = [arc.length for arc in arcs]
        longer = [
            _STRETCH / arc.halves * max(0.02, 1 - ((arc.length / (arc.halves / 2) - 1) / _GIVE) ** 2)
            if arc.straight
            else 0.0
            for arc in arcs
        ]
        along = [
            [b.x - a.x for a, b in pairwise(poses)],
            [b.y - a.y for a, b in pairwise(poses)],
            [0.0] * len(arcs),
        ]
        for (i, p), (k, q), short in near:
            far = math.hypot(q[0] - p[0], q[1] - p[1]) or 1.0
            nx, ny = (q[0] - p[0]) / far, (q[1] - p[1]) / far
            rows.append([ny * (q[0] - x) - nx * (q[1] - y) if i <= n < k else 0.0 for n, (x, y) in enumerate(middles)])
            along.append(
                [nx * (b.x - a.x) + ny * (b.y - a.y) if i < n < k else 0.0 for n, (a, b) in enumerate(pairwise(poses))]
            )
            missing.append(min(0.4, short + 0.1))
        matrix = [
            [
                sum(w * p * q for w, p, q in zip(ways, one, two, strict=True))
                + sum(w * p * q for w, p, q in zip(longer, far_one, far_two, strict=True))
                for two, far_two in zip(rows, along, strict=True)
            ]
            for one, far_one in zip(rows, along, strict=True)
        ]
        for i in range(3, len(rows)):
            matrix[i][i] *= 1.05
        step = min(1.0, 4 / max(4.0, *map(abs, missing)))
        pull = _solve(matrix, [step * m for m in missing])
        for n, arc in enumerate(arcs):
            arc.turn += ways[n] * sum(p * row[n] for p, row in zip(pull, rows, strict=True))
            if arc.straight:
                share = arc.length / (arc.halves / 2)
                share *= 1 + longer[n] * sum(p * row[n] for p, row in zip(pull, along, strict=True))
                arc.length = min(1 + _GIVE, max(1 - _GIVE, share)) * arc.halves / 2
    return _run(arcs, start)


def _near(
    arcs: list[_Arc], poses: list[Pose], beside: Sequence[_Beside]
) -> list[tuple[tuple[int, tuple[float, float]], tuple[int, tuple[float, float]], float]]:
    """For every two pieces of road that come too near to one another: the worst two points, each with its arc, and
    how much they are short of the distance to be kept."""
    points: list[tuple[float, float, float, float, int]] = []
    driven = 0.0
    for n, arc in enumerate(arcs):
        count = max(1, round(arc.length))
        for k in range(count):
            share = (k + 0.5) / count
            pose = _along(poses[n], arc, share)
            half, shift = 0.0, 0.0
            for stretch in beside:
                if stretch.holds(arc.begin + share * arc.halves):
                    half, shift = stretch.half, stretch.shift
            x, y = pose.beside(shift)
            points.append((x, y, half, driven + share * arc.length, n))
        driven += arc.length
    worst: dict[tuple[int, int], tuple[float, tuple[float, float], tuple[float, float]]] = {}
    for i, (x, y, half, at, n) in enumerate(points):
        apart = 5 * half
        for x2, y2, half2, at2, n2 in points[i + 1 :]:
            keep = half + half2 + CLEAR
            if abs(x2 - x) < keep and abs(y2 - y) < keep and apart < at2 - at < driven - apart:
                short = keep - math.hypot(x2 - x, y2 - y)
                if short > 0 and short > worst.get((n, n2), (0.0,))[0]:
                    worst[n, n2] = (short, (x, y), (x2, y2))
    ranked = sorted(worst.items(), key=lambda item: -item[1][0])[:12]
    return [((n, p), (n2, q), short) for (n, n2), (short, p, q) in ranked]


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
