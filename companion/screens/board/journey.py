"""Animations of the board: cars drive along their lanes, then the view changes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from companion.drawing.circuit import CircuitDrawing
from companion.drawing.closing import Pose
from companion.rules.circuit.track import Track
from companion.view.framing import Frame
from companion.view.shown import Plate
from companion.view.shown_board import BoardScene

REFRAME: Final = 0.35
"""Duration of a change of frame, in seconds."""
A_SPACE: Final = 0.035
"""Seconds that a car takes for a space."""
A_MOVE: Final = 0.6
"""Maximum seconds that a car takes for a move."""
FURTHEST: Final = 45
"""Spaces beyond which a car is put down rather than driven: after an undo, or a position set by hand."""


@dataclass(frozen=True, slots=True)
class Drive:
    """The drive of one car: poses at even intervals, and its duration in seconds."""

    plate: Plate
    poses: tuple[Pose, ...]
    seconds: float

    def at(self, gone: float) -> Pose:
        """Return the pose of the car after `gone` seconds."""
        place = min(1.0, gone / self.seconds) * (len(self.poses) - 1)
        k = min(int(place), len(self.poses) - 2)
        a, b, share = self.poses[k], self.poses[k + 1], place - k
        turn = (b.angle - a.angle + math.pi) % (2 * math.pi) - math.pi
        return Pose(a.x + (b.x - a.x) * share, a.y + (b.y - a.y) * share, a.angle + turn * share)


@dataclass(frozen=True, slots=True)
class Journey:
    """The drives of some cars, then a change of frame; `begin` is in seconds."""

    begin: float
    drives: tuple[Drive, ...]
    start: Frame
    end: Frame

    @property
    def driving(self) -> float:
        """The seconds until the last car has arrived."""
        return max((drive.seconds for drive in self.drives), default=0.0)

    def frame(self, now: float) -> Frame:
        """Return the frame of the view at a time in seconds."""
        share = (now - self.begin - self.driving) / REFRAME
        return self.start.toward(self.end, min(1.0, max(0.0, share)))

    def over(self, now: float) -> bool:
        """Return True once the cars and the view have arrived."""
        return now - self.begin >= self.driving + (REFRAME if self.start != self.end else 0.0)


def drives(drawing: CircuitDrawing, before: BoardScene, after: BoardScene) -> tuple[Drive, ...]:
    """Return the drives of the cars that have moved between two scenes."""
    track = drawing.track
    old = {car.plate: car.space for car in before.cars}
    found: list[Drive] = []
    for car in after.cars:
        begin, end = old.get(car.plate, ""), car.space
        if begin != end and begin in track.ids and end in track.ids:
            way = _way(track, track.ids[begin], track.ids[end], (before.path, after.path))
            if len(way) > 1:
                seconds = min(A_MOVE, A_SPACE * (len(way) - 1))
                found.append(Drive(car.plate, tuple(drawing.way(way)), seconds))
    return tuple(found)


def _way(track: Track, begin: int, end: int, paths: Sequence[Sequence[str]]) -> list[int]:
    """Return the spaces that a car drove over, empty if no way is found.

    A known path is used, or else the shortest way by the printed moves.
    """
    for path in paths:
        known = [track.ids.get(name, -1) for name in path]
        if known and known[0] == begin and known[-1] == end and -1 not in known:
            return known
    entries = dict(track.pit.entries) if track.pit else {}
    boxes = dict(zip(track.pit.fronts, track.pit.boxes, strict=True)) if track.pit else {}
    reached = {begin: -1}
    row = [begin]
    for _ in range(FURTHEST):
        following: list[int] = []
        for space in row:
            for to in (*track.moves[space], entries.get(space, -1), boxes.get(space, -1)):
                if to >= 0 and to not in reached:
                    reached[to] = space
                    following.append(to)
        if end in reached:
            way = [end]
            while reached[way[-1]] >= 0:
                way.append(reached[way[-1]])
            return way[::-1]
        row = following
    return []
