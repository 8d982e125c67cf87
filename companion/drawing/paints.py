"""The paints of the cars: colour and shape of their number plates, as corners in a box, for screen and paper."""

from __future__ import annotations

import math
from typing import Final, NamedTuple

from companion.drawing.coverage import Point


class Paint(NamedTuple):
    """The colours and the shape of a plate."""

    name: str
    colour: str
    digit: str
    shape: str
    line: str


BLACK, WHITE, KEYLINE = "#0B0E11", "#FFFFFF", "#F3F6F9"

PAINTS: Final = (
    Paint("red", "#D4101C", WHITE, "circle", KEYLINE),
    Paint("sky", "#3FD0FF", BLACK, "circle", BLACK),
    Paint("orange", "#F2791A", BLACK, "square", BLACK),
    Paint("blue", "#4F62F2", WHITE, "square", KEYLINE),
    Paint("yellow", "#F7EC52", BLACK, "hexagon", BLACK),
    Paint("purple", "#77448A", WHITE, "hexagon", KEYLINE),
    Paint("green", "#45A673", BLACK, "shield", BLACK),
    Paint("white", "#F3F6F9", BLACK, "shield", BLACK),
    Paint("pink", "#CF97BB", BLACK, "slant", BLACK),
    Paint("graphite", "#363C42", WHITE, "slant", KEYLINE),
)
"""Paints in the order of the entrants; the eleventh to twentieth repeat them, with a second line around them."""

BOX: Final = 30.0
DIGIT: Final = 17.5
LINE: Final = 1.6
DIGITS_WIDTH: Final = {"circle": 21.0, "square": 21.0, "hexagon": 23.0, "shield": 21.5, "slant": 23.0}
"""Width for the digits of a plate, by its shape, in units of the box (30 wide)."""
EXTRA_WIDTH: Final = 4.0
"""Extra width on each side of the plate of a number of three digits, in units of the box."""

SHAPES: Final[dict[str, tuple[Point, ...]]] = {
    "square": tuple(
        (sx * (9.2 + 3 * math.cos(math.pi / 8 * step)), sy * (9.2 + 3 * math.sin(math.pi / 8 * step)))
        for sx, sy, steps in (
            (1, -1, (4, 3, 2, 1, 0)),
            (1, 1, (0, 1, 2, 3, 4)),
            (-1, 1, (4, 3, 2, 1, 0)),
            (-1, -1, (0, 1, 2, 3, 4)),
        )
        for step in steps
    ),
    "hexagon": ((-8, -12.2), (8, -12.2), (15.4, 0), (8, 12.2), (-8, 12.2), (-15.4, 0)),
    "shield": ((-12.6, -12.4), (12.6, -12.4), (12.6, 3.2), (0, 15), (-12.6, 3.2)),
    "slant": ((-9.5, -12), (17, -12), (9.5, 12), (-17, 12)),
}
"""Corners from the middle of a box of 30 units, y downwards."""

RADIUS: Final = 13.2


def paint_of(place: int) -> Paint:
    """Return the paint of the car at a place among the entrants (0 is the first)."""
    return PAINTS[place % len(PAINTS)]


def widened(number: int) -> float:
    """Return the extra width on each side of the plate of a number."""
    return EXTRA_WIDTH if number > 99 else 0.0


def room(shape: str, number: int) -> float:
    """Return the width for the digits of a number on a plate of a shape."""
    return DIGITS_WIDTH[shape] + 2 * widened(number)


def outline(shape: str, grown: float = 0.0, wider: float = 0.0) -> list[Point]:
    """Return the corners of a shape in its box of 30 units, moved outwards by `grown`.

    Each side is moved by `wider`.
    """
    return [(x + math.copysign(wider, x) if abs(x) > 0.1 else x, y) for x, y in _outline(shape, grown)]


def _outline(shape: str, grown: float) -> list[Point]:
    if shape == "circle":
        angles = (math.tau * step / 48 for step in range(48))
        return [((RADIUS + grown) * math.cos(angle), (RADIUS + grown) * math.sin(angle)) for angle in angles]
    corners = SHAPES[shape]
    moved = []
    for before, here, after in zip((corners[-1], *corners[:-1]), corners, (*corners[1:], corners[0]), strict=True):
        first, second = _normal(before, here), _normal(here, after)
        scale = grown / (1 + first[0] * second[0] + first[1] * second[1])
        moved.append((here[0] + scale * (first[0] + second[0]), here[1] + scale * (first[1] + second[1])))
    return moved


def _normal(start: Point, end: Point) -> Point:
    length = math.dist(start, end)
    return (end[1] - start[1]) / length, -(end[0] - start[0]) / length
