"""A car's number plate: colour, shape and number; the number decides."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any, Final, NamedTuple

from companion.screens import icons
from companion.screens.coverage import Coverage, Point
from companion.screens.pane import Pane
from companion.screens.pen import BOLD, Mark, Pen
from companion.screens.view.shown import Plate


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
"""In the order of the entrants; the eleventh to twentieth have them again, with a second line around them."""

BOX: Final = 30.0
DIGIT: Final = 17.5
LINE: Final = 1.6

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
    """The paint of the car at a place among the entrants (0 is the first)."""
    return PAINTS[place % len(PAINTS)]


def outline(shape: str, grown: float = 0.0) -> list[Point]:
    """The corners of a shape in its box of 30 units, moved outwards by `grown`."""
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


@functools.lru_cache(maxsize=256)
def pictures(shape: str, height: int, second: bool) -> tuple[Any, Any]:
    """The body of a plate and its lines, as white textures; `height` in pixels is that of the box."""
    scale = height / BOX
    side = math.ceil(height * 1.35) // 2 * 2 + height % 2

    def placed(grown: float) -> list[Point]:
        return [(side / 2 + x * scale, side / 2 + y * scale) for x, y in outline(shape, grown)]

    body, lines = Coverage(side, side), Coverage(side, side)
    rings = (placed(-2.2), placed(1.0)) if second else (placed(0),)
    body.polygon([rings[-1]])
    for ring in rings:
        lines.stroke([*ring, ring[0]], max(LINE * scale, 1.0))
    return icons.texture(body), icons.texture(lines)


def draw(
    pen: Pen, plate: Plate, x: float, y: float, height: float, seen: Callable[[str], str] = lambda colour: colour
) -> None:
    """Draws a plate, its middle at a place in dp; `seen` turns its colours into those that other eyes see."""
    paint = paint_of(plate.place)
    colour = seen(paint.colour)
    body, lines = pictures(paint.shape, pen.pixels(height), plate.place % 20 >= len(PAINTS))
    pen.picture(body, x, y, colour)
    pen.marks.append(Mark("fill", x - height * 0.4, y - height * 0.4, height * 0.8, height * 0.8, colour))
    pen.picture(lines, x, y, paint.line)
    digits = str(plate.number)
    room = {"circle": 21.0, "square": 21.0, "hexagon": 23.0, "shield": 21.5, "slant": 23.0}[paint.shape]
    size = pen.fitted(digits, DIGIT * height / BOX, BOLD, room * height / BOX, 8 * height / BOX)
    lift = 0.6 * height / BOX if paint.shape == "shield" else 0.0
    pen.text(digits, x, y - lift, size, paint.digit, BOLD, "centre")


class PlateView(Pane):
    """A number plate by itself, as large as the pane is high."""

    def paint(self, pen: Pen) -> None:
        if self.shown is not None:
            draw(pen, self.shown, pen.w / 2, pen.h / 2, pen.h)
