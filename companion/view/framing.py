"""The visible part of the board: position, zoom and rotation."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from companion.drawing.circuit import CircuitDrawing
from companion.drawing.closing import Point
from companion.view.shown_board import BoardScene

Close = Literal["roll", "landing", "overview"]

NEAR: Final[dict[Close, float]] = {"roll": 37.0, "landing": 70.0, "overview": 40.0}
"""Maximum length of a space of a straight, in dp."""
SHOT: Final = 52.0
"""Maximum length of a space while one car fires at another, in dp."""
LEAST: Final[dict[Close, tuple[float, float, float]]] = {
    "roll": (0.0, 17.0, 24.0),
    "landing": (0.0, 60.0, 70.0),
    "overview": (0.0, 0.0, 0.0),
}
"""Minimum length of such a space, in dp, at which more is shown: for the spaces in reach, for the car as well (figures
are just legible), and for pits, other targets, the way ahead and the exit of its corner as well."""
TURN_STEP: Final = 15
"""Step of the board's rotation, in degrees."""
MAX_DOWNWARD: Final = 15
"""Maximum angle by which a car may drive down, or to the left, if the turn is not a quarter, in degrees."""
LOOK_AHEAD: Final = 16.0
"""Distance ahead at which the direction of the road is taken, in half spaces."""
QUARTER_TURN_BONUS: Final = 0.05
"""Bonus of a quarter turn, as a share of the zoom: any other turn must bring the board nearer by as much."""
AHEAD_AT_A_TIME: Final = 2
"""Number of spaces straight ahead added to the picture at a time."""
MAX_LANDINGS: Final = 4
"""Number of landings shown besides the chosen one, if no page selects them."""
RING_RADIUS: Final = 0.75
"""Half the side of the box around the playing car and its ring, in spaces."""
EDGE: Final[dict[Close, float]] = {"roll": 14.0, "landing": 10.0, "overview": 22.0}
"""Margin around everything that must be visible, in dp."""


@dataclass(frozen=True, slots=True)
class Frame:
    """A view of the board: its centre, zoom and rotation.

    `zoom` is the length of a space in dp; `turn` is in degrees, counterclockwise.
    """

    x: float
    y: float
    zoom: float
    turn: float = 0.0

    def to_view(self, x: float, y: float) -> Point:
        """Convert a point of the board to dp from the centre of the view, y up."""
        cos, sin = _turned(self.turn)
        dx, dy = (x - self.x) * self.zoom, (y - self.y) * self.zoom
        return dx * cos - dy * sin, dx * sin + dy * cos

    def all_to_view(self, points: Iterable[Point]) -> list[Point]:
        """Convert points of the board to dp from the centre of the view, y up."""
        cos, sin = _turned(self.turn)
        here, there, right, up = self.x, self.y, self.zoom * cos, self.zoom * sin
        return [((x - here) * right - (y - there) * up, (x - here) * up + (y - there) * right) for x, y in points]

    def all_from_corner(self, points: Iterable[Point], width: float, height: float) -> list[Point]:
        """Convert points of the board to dp from the top left of a view, y down."""
        cos, sin = _turned(self.turn)
        here, there, right, up, middle, half = self.x, self.y, self.zoom * cos, self.zoom * sin, width / 2, height / 2
        return [
            (middle + ((x - here) * right - (y - there) * up), half - ((x - here) * up + (y - there) * right))
            for x, y in points
        ]

    def to_board(self, x: float, y: float) -> Point:
        """Convert dp from the centre of the view, y up, to a point of the board."""
        cos, sin = _turned(self.turn)
        dx, dy = x / self.zoom, y / self.zoom
        return self.x + dx * cos + dy * sin, self.y - dx * sin + dy * cos

    def drag(self, x: float, y: float) -> Frame:
        """Return the frame after dragging the board by some dp."""
        to_x, to_y = self.to_board(-x, -y)
        return Frame(to_x, to_y, self.zoom, self.turn)

    def nearer(self, times: float, x: float, y: float, least: float, most: float) -> Frame:
        """Return the frame after a pinch; the point (x, y) of the view stays in place."""
        zoom = min(most, max(least, self.zoom * times))
        fixed = self.to_board(x, y)
        there = Frame(self.x, self.y, zoom, self.turn).to_board(x, y)
        return Frame(self.x + fixed[0] - there[0], self.y + fixed[1] - there[1], zoom, self.turn)

    def toward(self, other: Frame, share: float) -> Frame:
        """Interpolate towards another frame.

        Position and rotation are eased, the zoom changes geometrically; `share` is 0 to 1.
        """
        ease = share * share * (3 - 2 * share)
        round_ = (other.turn - self.turn + 180) % 360 - 180
        return Frame(
            self.x + (other.x - self.x) * ease,
            self.y + (other.y - self.y) * ease,
            self.zoom * (other.zoom / self.zoom) ** ease,
            self.turn + round_ * ease if share < 1 else other.turn,
        )


def _turned(degrees: float) -> Point:
    if degrees % 90 == 0:
        return ((1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0))[round(degrees / 90) % 4]
    return math.cos(math.radians(degrees)), math.sin(math.radians(degrees))


def around(points: Sequence[Point], turn: float, width: float, height: float, edge: float, most: float) -> Frame:
    """Return the closest frame, up to zoom `most`, that holds all points inside the edge."""
    cos, sin = _turned(turn)
    xs = [x * cos - y * sin for x, y in points]
    ys = [x * sin + y * cos for x, y in points]
    wide, high = max(xs) - min(xs), max(ys) - min(ys)
    zoom = min(most, max(1.0, width - 2 * edge) / max(wide, 1e-6), max(1.0, height - 2 * edge) / max(high, 1e-6))
    middle = (max(xs) + min(xs)) / 2, (max(ys) + min(ys)) / 2
    return Frame(middle[0] * cos + middle[1] * sin, -middle[0] * sin + middle[1] * cos, zoom, turn)


def turns(angle: float, further: float) -> list[float]:
    """Return the board rotations (degrees) at which a car heads right or up.

    `angle` and `further` are in radians. Quarter turns come first, as on the printed board; then others at which the
    road further on also heads right or up.
    """
    found = [float(turn) for turn in range(0, 360, 90) if (math.degrees(angle) + turn + 45) % 360 < 180]
    for turn in range(0, 360, TURN_STEP):
        headings = [(math.degrees(way) + turn + MAX_DOWNWARD) % 360 for way in (angle, further)]
        if turn % 90 and max(headings) <= 90 + 2 * MAX_DOWNWARD:
            found.append(float(turn))
    return found


def frame_of(drawing: CircuitDrawing, scene: BoardScene, kept: float | None, width: float, height: float) -> Frame:
    """Return the frame for a scene in a view of a size in dp.

    `kept` is a rotation to keep, or None to choose one.
    """
    if scene.close == "overview":
        left, bottom, right, top = drawing.box
        return around([(left, bottom), (right, top)], 0.0, width, height, EDGE["overview"], NEAR["overview"])
    ids = drawing.track.ids
    here = next((ids[name] for name in (scene.around, *(car.space for car in scene.cars)) if name in ids), 0)
    cell = drawing.cells[here]
    least_marked, least_car, least_more = LEAST[scene.close]
    marks = [m for m in scene.spaces if m.space in ids and m.state not in ("danger", "ahead", "range")]
    if scene.close == "landing":
        seen = scene.focus or tuple(mark.space for mark in marks[:MAX_LANDINGS])
        marks = [mark for mark in marks if mark.space in seen or mark.state == "chosen"]
    reached = [ids[name] for name in (*scene.shot, *(mark.space for mark in marks)) if name in ids]
    straight_on = [ids[m.space] for m in scene.spaces if m.space in ids and m.state == "ahead"]
    road = reached
    if scene.shot:
        road = [space for space in reached if drawing.track.name_of(space) in scene.shot]
    elif scene.close == "roll":
        road = [space for space in reached if space < len(drawing.track.stretch)]
    aside = [space for space in reached if space not in road]
    wanted: list[tuple[float, list[Point]]] = []

    def want(least: float, spaces: Sequence[int]) -> None:
        wanted.append((least, [point for space in spaces for point in drawing.cells[space].outline]))

    want(least_marked, road)
    x, y = cell.middle.x, cell.middle.y
    wanted.append((least_car, [(x - RING_RADIUS, y), (x + RING_RADIUS, y), (x, y - RING_RADIUS), (x, y + RING_RADIUS)]))
    want(least_more, aside)  # the pits, and other targets, may lie far away
    for first in range(0, len(straight_on), AHEAD_AT_A_TIME):
        want(least_more, straight_on[first : first + AHEAD_AT_A_TIME])
    if not reached and not straight_on:
        further = drawing.pose(cell.along + 9, 0)
        wanted.append((least_more, [(further.x, further.y)]))
    if not scene.shot:
        wanted.append((least_more, list(drawing.next_exit(cell.along))))
    nearest = SHOT if scene.shot else NEAR[scene.close]
    beyond = drawing.pose(cell.along + LOOK_AHEAD, cell.right)
    way_on = math.atan2(beyond.y - y, beyond.x - x)
    choices = turns(cell.middle.angle, way_on) if kept is None else [kept]
    edge = min(EDGE[scene.close], width / 6, height / 6)
    points: list[Point] = []
    best = around([(x, y)], choices[0], width, height, edge, nearest)
    for least, more in wanted:
        frames = [around([*points, *more], turn, width, height, edge, nearest) for turn in choices] if more else []
        nearer = max(frames, key=_readily, default=best)
        if frames and (nearer.zoom >= least or not points):
            points, best = [*points, *more], nearer
    return best


def _readily(frame: Frame) -> float:
    """Return a frame's score: its zoom, with a bonus for quarter turns."""
    return round(frame.zoom, 1) * (1 + (QUARTER_TURN_BONUS if frame.turn % 90 == 0 else 0.0))
