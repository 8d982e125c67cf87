"""The board as geometry: its spaces and the lines between them, the pits beside it, flags' corners."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterable
from dataclasses import dataclass

from companion.drawing.closing import Point
from companion.drawing.lines import lines_of
from companion.drawing.road import PIT_GAP, WIDTH, pit_side
from companion.drawing.spaces import Spaces
from companion.rules.circuit.track import Section, Track

RAMP = 4.0
"""Length of the ways into and out of the pit lane, in half spaces."""
FAR_EXIT = 50.0
"""Distance, in half spaces, beyond which a corner's exit does not concern a car."""


@dataclass(frozen=True, slots=True)
class Bend:
    """A corner as a place for its flag: from where to where, and on which side its inside is (1 right, -1 left)."""

    begin: float
    end: float
    inside: int


Disc = tuple[Point, float]
"""A point with the distance to which something reaches around it."""


def _disc(middle: Point, points: Iterable[Point]) -> Disc:
    return middle, max(math.dist(middle, point) for point in points)


class CircuitDrawing(Spaces):
    """A circuit known to the space, drawn."""

    def __init__(self, track: Track) -> None:
        super().__init__(track)
        self.apron = tuple(self.round(side * (self.half + 0.42)) for side in (-1, 1))
        self.middle = self.round(0.0)
        """The centre line, closed."""
        finish = [track.stretch[space][0] for space in track.line]
        at = finish[0] + sum((f - finish[0] + self.lap / 2) % self.lap - self.lap / 2 for f in finish) / len(finish)
        self.finish = at
        """Position of the finish line, in half spaces."""
        self.start_bar = (self.line.at(at - 0.5).beside(0.0), self.line.at(at + 0.5).beside(0.0))
        self._pits()
        self.lines = lines_of(self)
        self._exits = tuple(
            sum(track.stretch[lane[-1]][1] for lane in track.sections[corner.section].lanes) / len(track.lanes)
            for corner in track.corners
        )
        """End of each corner, in half spaces."""
        self.bends = tuple(self._bend(track.sections[corner.section]) for corner in track.corners)

    def next_exit(self, along: float) -> tuple[Point, ...]:
        """Return the exit line of the corner that a car is in or comes to next, if it is near."""
        ways = [((exit_ - along) % self.lap, k) for k, exit_ in enumerate(self._exits)]
        far, nearest = min(ways, default=(FAR_EXIT, 0))
        return self.lines.exits[nearest] if far < FAR_EXIT else ()

    @functools.cached_property
    def cell_discs(self) -> tuple[Disc, ...]:
        """A disc around each space, to tell which are in view."""
        return tuple(_disc((cell.middle.x, cell.middle.y), cell.outline) for cell in self.cells)

    @functools.cached_property
    def kerb_discs(self) -> tuple[Disc, ...]:
        """A disc around each kerb."""
        return tuple(_disc(kerb[len(kerb) // 2], kerb) for kerb in self.lines.kerbs)

    @functools.cached_property
    def box(self) -> tuple[float, float, float, float]:
        """The smallest box around the road, kerbs and pits: left, bottom, right, top."""
        points = [p for side in self.apron for p in side] + [
            p for c in self.cells[len(self.track.stretch) :] for p in c.outline
        ]
        xs, ys = [x for x, _ in points], [y for _, y in points]
        return min(xs), min(ys), max(xs), max(ys)

    def _pits(self) -> None:
        """Draw the ground under the pits, the ways in and out, and the lines of lane and boxes."""
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
            self.pit_ground.append((self.strip(begin, end, side * self.half), self.strip(begin, end, side * far)))
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

    def _bend(self, section: Section) -> Bend:
        rear = sum(self.track.stretch[lane[0]][0] for lane in section.lanes) / len(section.lanes)
        front = sum(self.track.stretch[lane[-1]][1] for lane in section.lanes) / len(section.lanes)
        corner = section.corner
        return Bend(rear, front, -1 if corner is not None and corner.inside == 0 else 1)


@functools.lru_cache(maxsize=8)
def drawing_of(track: Track) -> CircuitDrawing:
    """Return the drawing of a circuit known to the space, made once."""
    return CircuitDrawing(track)
