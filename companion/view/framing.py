"""What part of the board is looked at: where, how near, and from which side."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from companion.drawing.circuit import Drawing
from companion.drawing.closing import Point
from companion.view.shown_board import BoardScene

Close = Literal["roll", "landing", "overview"]

NEAR: Final[dict[Close, float]] = {"roll": 37.0, "landing": 70.0, "overview": 40.0}
"""How long a space of a straight is at most, in dp."""
SHOT: Final = 52.0
"""How long it is where one car fires at another."""
LEAST: Final[dict[Close, tuple[float, float, float]]] = {
    "roll": (0.0, 17.0, 24.0),
    "landing": (0.0, 60.0, 70.0),
    "overview": (0.0, 0.0, 0.0),
}
"""How long it has to stay, in dp, if besides the spaces in reach the car is shown too: figures can just be read; if
pits, other targets, the way ahead and the exit of its corner are."""
STEP: Final = 15
"""By how many degrees one turn of the board differs from the next."""
DOWN: Final = 15
"""By how many degrees a car may then drive down, or to the left."""
FURTHER: Final = 16.0
"""How far ahead the way further on is, in half spaces."""
ASLANT: Final = 0.05
"""How much nearer the board must be for a turn that is not a quarter, as a share."""
FEW: Final = 2
"""How many spaces straight on are taken into the picture at a time."""
FIRST: Final = 4
"""How many landings have to be seen beside the chosen one, where no page of them says which."""
RING: Final = 0.75
"""How far around its middle a car that plays is seen with its ring, in spaces."""
EDGE: Final[dict[Close, float]] = {"roll": 14.0, "landing": 10.0, "overview": 22.0}
"""Room around what has to be seen, in dp."""


@dataclass(frozen=True, slots=True)
class Frame:
    """The point of the board in the middle of the view, how long a space is there in dp, and by how many degrees the
    board is turned, counterclockwise."""

    x: float
    y: float
    zoom: float
    turn: float = 0.0

    def to_view(self, x: float, y: float) -> Point:
        """A point of the board in dp from the middle of the view, y up."""
        cos, sin = _turned(self.turn)
        dx, dy = (x - self.x) * self.zoom, (y - self.y) * self.zoom
        return dx * cos - dy * sin, dx * sin + dy * cos

    def all_to_view(self, points: Iterable[Point]) -> list[Point]:
        """Many points of the board in dp from the middle of the view, y up."""
        cos, sin = _turned(self.turn)
        here, there, right, up = self.x, self.y, self.zoom * cos, self.zoom * sin
        return [((x - here) * right - (y - there) * up, (x - here) * up + (y - there) * right) for x, y in points]

    def all_from_corner(self, points: Iterable[Point], width: float, height: float) -> list[Point]:
        """Many points of the board in dp from the top left of a view of a size, y down."""
        cos, sin = _turned(self.turn)
        here, there, right, up, middle, half = self.x, self.y, self.zoom * cos, self.zoom * sin, width / 2, height / 2
        return [
            (middle + ((x - here) * right - (y - there) * up), half - ((x - here) * up + (y - there) * right))
            for x, y in points
        ]

    def to_board(self, x: float, y: float) -> Point:
        """The point of the board that lies so many dp from the middle of the view, y up."""
        cos, sin = _turned(self.turn)
        dx, dy = x / self.zoom, y / self.zoom
        return self.x + dx * cos + dy * sin, self.y - dx * sin + dy * cos

    def moved(self, x: float, y: float) -> Frame:
        """The frame after the board was dragged by so many dp."""
        to_x, to_y = self.to_board(-x, -y)
        return Frame(to_x, to_y, self.zoom, self.turn)

    def nearer(self, times: float, x: float, y: float, least: float, most: float) -> Frame:
        """The frame after a pinch around a point of the view, which stays where it is."""
        zoom = min(most, max(least, self.zoom * times))
        fixed = self.to_board(x, y)
        there = Frame(self.x, self.y, zoom, self.turn).to_board(x, y)
        return Frame(self.x + fixed[0] - there[0], self.y + fixed[1] - there[1], zoom, self.turn)

    def toward(self, other: Frame, share: float) -> Frame:
        """A frame on the way to another, with the zoom growing evenly in looks."""
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
    """The nearest frame, up to a zoom, in which all points lie inside the view with room at its edges."""
    cos, sin = _turned(turn)
    xs = [x * cos - y * sin for x, y in points]
    ys = [x * sin + y * cos for x, y in points]
    wide, high = max(xs) - min(xs), max(ys) - min(ys)
    zoom = min(most, max(1.0, width - 2 * edge) / max(wide, 1e-6), max(1.0, height - 2 * edge) / max(high, 1e-6))
    middle = (max(xs) + min(xs)) / 2, (max(ys) + min(ys)) / 2
    return Frame(middle[0] * cos + middle[1] * sin, -middle[0] * sin + middle[1] * cos, zoom, turn)


def turns(angle: float, further: float) -> list[float]:
    """The turns of the board after which a car that drives at an angle (radians) drives to the right or up: quarter
    turns first, for then the circuit stands as on its own sheet; then others, if the way further on leads there too."""
    found = [float(turn) for turn in range(0, 360, 90) if (math.degrees(angle) + turn + 45) % 360 < 180]
    for turn in range(0, 360, STEP):
        headings = [(math.degrees(way) + turn + DOWN) % 360 for way in (angle, further)]
        if turn % 90 and max(headings) <= 90 + 2 * DOWN:
            found.append(float(turn))
    return found


def frame_of(drawing: Drawing, scene: BoardScene, kept: float | None, width: float, height: float) -> Frame:
    """The frame that a scene asks for, in a view of a size in dp; `kept` is a turn of the board that is not to
    change."""
    if scene.close == "overview":
        left, bottom, right, top = drawing.box
        return around([(left, bottom), (right, top)], 0.0, width, height, EDGE["overview"], NEAR["overview"])
    ids = drawing.track.ids
    here = next((ids[name] for name in (scene.around, *(car.space for car in scene.cars)) if name in ids), 0)
    cell = drawing.cells[here]
    least_marked, least_car, least_more = LEAST[scene.close]
    marks = [m for m in scene.spaces if m.space in ids and m.state not in ("danger", "ahead", "range")]
    if scene.close == "landing":
        seen = scene.focus or tuple(mark.space for mark in marks[:FIRST])
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
    wanted.append((least_car, [(x - RING, y), (x + RING, y), (x, y - RING), (x, y + RING)]))
    want(least_more, aside)  # the pits, and other targets, may lie far away
    for first in range(0, len(straight_on), FEW):
        want(least_more, straight_on[first : first + FEW])
    if not reached and not straight_on:
        further = drawing.pose(cell.along + 9, 0)
        wanted.append((least_more, [(further.x, further.y)]))
    if not scene.shot:
        wanted.append((least_more, list(drawing.next_exit(cell.along))))
    nearest = SHOT if scene.shot else NEAR[scene.close]
    beyond = drawing.pose(cell.along + FURTHER, cell.right)
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
    """How readily a frame is taken: by how near it is, a quarter turn also where another would be a little nearer."""
    return round(frame.zoom, 1) * (1 + (ASLANT if frame.turn % 90 == 0 else 0.0))
