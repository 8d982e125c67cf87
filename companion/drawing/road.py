"""The road's centre line: sections with a direction and a bend become a closed curve.

A circuit file gives each section a bend in degrees, which is a sketch. Here the sections become arcs. A corner that
ends much as it began becomes a bend and its counterpart if the spaces of its lanes indicate it. What is missing to
close the lap is spread over all sections: a little bend everywhere and a little length on the straights.

Lengths are in spaces of a straight, x to the right, y up, angles in radians counterclockwise from x.
"""

from __future__ import annotations

import functools
import math
from bisect import bisect_right
from collections.abc import Callable
from typing import Final

from companion.drawing.closing import Arc, Pose, Width, close, run
from companion.rules.circuit.track import Section, Track

WIDTH: Final = 0.72
"""Width of a lane, in spaces."""
BENDS: Final = 20.0
"""Bend to each side, in degrees, from which a corner is drawn as two bends."""
SHARPEST: Final = 150.0
"""Maximum angle that the first of two bends turns, in degrees."""
PIT_GAP: Final = 0.3
"""Room between the road and the pit lane, in spaces."""
PIT_WIDTH: Final = PIT_GAP + 2 * WIDTH
"""Extra width of the road beside the pits, in spaces: the gap, the lane, the boxes."""


class CentreLine:
    """A closed curve, by half spaces from where section 0 begins."""

    def __init__(self, track: Track) -> None:
        self.lap = float(track.length)
        self.lanes = len(track.lanes)
        self.half = WIDTH * self.lanes / 2
        self.drawn = any(section.bend for section in track.sections)
        """True if the circuit gives its shape and it can be drawn; otherwise it is an oval of the right length."""
        if self.drawn:
            self._arcs = _arcs(track)
            start = math.radians(90 - track.sections[0].direction)
        else:
            self._arcs = _oval(self.lap)
            start = 0.0
        widths = _widths(track, self.half)
        if not close(self._arcs, start, widths) and self.drawn:
            self.drawn = False
            self._arcs = _oval(self.lap)
            close(self._arcs, start, widths)
        self._poses = run(self._arcs, start)
        self._begins = [arc.begin for arc in self._arcs]
        self.at: Callable[[float], Pose] = functools.lru_cache(maxsize=4096)(self._at)
        """Pose of the centre line at a distance in half spaces; spaces side by side begin and end at the same
        distances."""

    @property
    def begin(self) -> float:
        """The distance of the first arc's begin, at which the lap closes, in half spaces."""
        return self._begins[0]

    def _at(self, along: float) -> Pose:
        along = (along - self.begin) % self.lap + self.begin
        i = max(0, bisect_right(self._begins, along) - 1)
        arc, pose = self._arcs[i], self._poses[i]
        return arc.on(pose, (along - arc.begin) / arc.halves)

    def curve(self, along: float) -> float:
        """Return the curvature at a place, in radians a space, positive to the left."""
        along = (along - self.begin) % self.lap + self.begin
        arc = self._arcs[max(0, bisect_right(self._begins, along) - 1)]
        return arc.turn / arc.length if arc.length else 0.0

    def stops(self, rear: float, front: float, step: float = 0.5) -> list[float]:
        """Return the ends of a stretch and the places at which a curve needs a point.

        They are in half spaces.
        """
        bends = abs(self.curve((rear + front) / 2)) + abs(self.curve(rear)) + abs(self.curve(front))
        parts = max(1, math.ceil((front - rear) / step)) if bends > 0.01 else 1
        return [rear + (front - rear) * k / parts for k in range(parts + 1)]

    def bends(self, least: float) -> list[tuple[float, float, float]]:
        """Return the bends of `least` radians or more: begin and end in half spaces, turn."""
        return [
            (arc.begin, arc.begin + arc.halves, arc.turn)
            for arc in self._arcs
            if not arc.straight and abs(arc.turn) >= least
        ]


def _begin(track: Track, section: Section) -> float:
    rears = [track.stretch[lane[0]][0] for lane in section.lanes]
    return sum(rears) / len(rears)


def _arcs(track: Track) -> list[Arc]:
    begins = [_begin(track, section) for section in track.sections]
    begins.append(begins[0] + track.length)
    arcs: list[Arc] = []
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
            arcs.append(Arc(begin, size, size / 2, math.radians(part), section.corner is None))
            begin += size
    return arcs


def _turned(degrees: float) -> float:
    """Return the same turn between -180 and 180."""
    return (degrees + 180) % 360 - 180


def _two_bends(track: Track, section: Section, begin: float, halves: float, turn: float) -> list[tuple[float, float]]:
    """Return a corner's bends as (half spaces, degrees to the left).

    The lane on the outside of a bend has more spaces, so that where the one lane stops gaining on the other, the road
    turns the other way.
    """
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
    """Return the number of spaces of a lane before a place, with fractions."""
    return sum(
        min(1.0, max(0.0, (at - track.stretch[s][0]) / (track.stretch[s][1] - track.stretch[s][0]))) for s in lane
    )


def pit_side(track: Track) -> int:
    """On which side of the road the pit lane lies: 1 right, -1 left, 0 without one."""
    if track.pit is None:
        return 0
    lane = track.spaces[track.pit.entries[0][0]].lane
    return 1 if 2 * lane >= len(track.lanes) else -1


def _widths(track: Track, half: float) -> list[Width]:
    """Return the width of the road, and where the pits are beside it."""
    lap = float(track.length)
    widths = [Width(0.0, lap, lap, half, 0.0)]
    if track.pit is not None:
        begin = track.stretch[track.pit.entries[0][0]][0]
        end = track.stretch[track.pit.exits[-1][1]][1]
        more = PIT_WIDTH / 2
        widths.append(Width(begin, (end - begin) % lap, lap, half + more, more * pit_side(track)))
    return widths


def _oval(lap: float) -> list[Arc]:
    """Two straights and two half circles of a quarter of the lap each, counted from the middle of a straight."""
    straight, bend = lap / 4, lap / 4
    sizes = [(straight / 2, 0.0), (bend, math.pi), (straight, 0.0), (bend, math.pi), (straight / 2, 0.0)]
    arcs, begin = [], 0.0
    for size, turn in sizes:
        arcs.append(Arc(begin, size, size / 2, turn, not turn))
        begin += size
    return arcs
