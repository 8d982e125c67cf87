"""A car's number plate: colour, shape and number; the number decides."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any

from companion.drawing.coverage import Coverage, Point
from companion.drawing.paints import BOX, DIGIT, LINE, PAINTS, outline, paint_of, room, widened
from companion.screens.kit.pen import BOLD, Mark, Pen
from companion.screens.kit.shapes import texture
from companion.view.shown import Plate


@functools.lru_cache(maxsize=256)
def pictures(shape: str, height: int, second: bool, aside: float = 0.0) -> tuple[Any, Any]:
    """Return a plate's body and its lines, as white textures.

    `height` is that of the box, in pixels.
    """
    scale = height / BOX
    side = math.ceil(height * 1.35) // 2 * 2 + height % 2
    wide = side + 2 * math.ceil(aside * scale)

    def outline_points(grown: float) -> list[Point]:
        return [(wide / 2 + x * scale, side / 2 + y * scale) for x, y in outline(shape, grown, aside)]

    body, lines = Coverage(wide, side), Coverage(wide, side)
    rings = (outline_points(-2.2), outline_points(1.0)) if second else (outline_points(0),)
    body.polygon([rings[-1]])
    for ring in rings:
        lines.stroke([*ring, ring[0]], max(LINE * scale, 1.0))
    return texture(body), texture(lines)


def draw(
    pen: Pen, plate: Plate, x: float, y: float, height: float, seen: Callable[[str], str] = lambda colour: colour
) -> None:
    """Draw a plate centred at a point in dp; `seen` maps its colours for other eyes."""
    paint = paint_of(plate.place)
    colour = seen(paint.colour)
    side = widened(plate.number)
    body, lines = pictures(paint.shape, pen.pixels(height), plate.place % 20 >= len(PAINTS), side)
    pen.picture(body, x, y, colour)
    wide = height * (0.8 + 2 * side / BOX)
    pen.marks.append(Mark("fill", x - wide / 2, y - height * 0.4, wide, height * 0.8, colour))
    pen.picture(lines, x, y, paint.line)
    _number(pen, plate, x, y, height, paint.digit)


def wider(plate: Plate, height: float) -> float:
    """Return a plate's extra width per side, in dp, which only three-digit numbers need."""
    return widened(plate.number) * height / BOX


def outlined(pen: Pen, plate: Plate, x: float, y: float, height: float) -> None:
    """Draw a plate in outline, without its colour: a car that is meant but not there."""
    shape = paint_of(plate.place).shape
    second, side = plate.place % 20 >= len(PAINTS), widened(plate.number)
    pen.picture(pictures(shape, pen.pixels(height), second, side)[1], x, y, "rim")
    _number(pen, plate, x, y, height, "mid")


def _number(pen: Pen, plate: Plate, x: float, y: float, height: float, token: str) -> None:
    shape, digits, scale = paint_of(plate.place).shape, str(plate.number), height / BOX
    size = pen.fitted(digits, DIGIT * scale, BOLD, room(shape, plate.number) * scale, 8 * scale)
    pen.text(digits, x, y - (0.6 * scale if shape == "shield" else 0.0), size, token, BOLD, "centre")


def at_head(pen: Pen, plate: Plate | None, x: float, y: float, height: float = 40) -> None:
    """Draw the plate and the coloured left edge of the car being asked, if any."""
    if plate is not None:
        pen.fill(0, 0, 8, pen.h, paint_of(plate.place).colour)
        draw(pen, plate, x, y, height)
