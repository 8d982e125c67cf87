"""A car seen from above, drawn in white parts to be tinted.

The plate is drawn over it and stays upright.
"""

from __future__ import annotations

import functools
import math
from typing import Any, Final

from kivy.graphics import Canvas, PopMatrix, PushMatrix, Rotate, Scale, Translate

from companion.drawing.closing import Pose
from companion.drawing.coverage import Coverage, Point
from companion.drawing.paints import Paint, paint_of
from companion.screens.kit import plate
from companion.screens.kit.pen import Pen
from companion.screens.kit.shapes import texture
from companion.screens.kit.theme import theme
from companion.view.shown_board import CarMark

LENGTH: Final = 47.0
WIDTH: Final = 25.0
"""Size of a car in the close-up of a roll, in dp; everything below is in these units, nose to the right."""

SPUN: Final = 130.0
"""Rotation of a car that has spun, in degrees."""

_BODY: Final[tuple[tuple[Point, ...], ...]] = (
    ((-23.5, -10.0), (-19.6, -10.0), (-19.6, 10.0), (-23.5, 10.0)),
    ((19.4, -12.2), (22.8, -10.4), (22.8, 10.4), (19.4, 12.2)),
    (
        (22.0, -1.5),
        (12.0, -2.6),
        (6.0, -4.2),
        (2.5, -7.2),
        (-9.0, -7.6),
        (-15.0, -3.6),
        (-20.0, -2.6),
        (-20.0, 2.6),
        (-15.0, 3.6),
        (-9.0, 7.6),
        (2.5, 7.2),
        (6.0, 4.2),
        (12.0, 2.6),
        (22.0, 1.5),
    ),
)
_WHEELS: Final[tuple[tuple[float, float, float, float], ...]] = (
    (-17.0, -12.5, 9.5, 5.6),
    (-17.0, 6.9, 9.5, 5.6),
    (8.0, -12.2, 8.5, 5.0),
    (8.0, 7.2, 8.5, 5.0),
)
_AXLES: Final[tuple[tuple[Point, Point], ...]] = (
    ((-12.2, -9.0), (-12.2, 9.0)),
    ((12.2, -9.0), (12.2, 9.0)),
)


@functools.lru_cache(maxsize=64)
def pictures(length: int) -> tuple[Any, ...]:
    """Return the four parts of a car `length` pixels long, as white textures.

    They are wheel outlines, wheels, body outline and body, all of the same size.
    """
    scale = length / LENGTH
    wide, high = math.ceil((LENGTH + 4) * scale) + 2, math.ceil((WIDTH + 4) * scale) + 2

    def at(x: float, y: float) -> Point:
        return wide / 2 + x * scale, high / 2 + y * scale

    around, wheels, rims, body = (Coverage(wide, high) for _ in range(4))
    for begin, end in _AXLES:
        around.stroke([at(*begin), at(*end)], max(1.0, 1.4 * scale))
    for x, y, w, h in _WHEELS:
        corners = [at(x, y), at(x + w, y), at(x + w, y + h), at(x, y + h)]
        wheels.polygon([corners])
        around.stroke([*corners, corners[0]], max(1.0, 1.2 * scale))
    for outline in _BODY:
        shape = [at(x, y) for x, y in outline]
        body.polygon([shape])
        rims.stroke([*shape, shape[0]], max(1.0, 2.0 * scale))
    return tuple(texture(drawn) for drawn in (around, wheels, rims, body))


def draw(pen: Pen, paint: Paint, x: float, y: float, length: int) -> None:
    """Draw a car without its plate, nose to the right.

    `x` and `y` are its middle in dp, `length` is in pixels.
    """
    for picture, token in zip(pictures(length), ("#66727E", "#0B0E11", paint.line, paint.colour), strict=True):
        pen.picture(picture, x, y, token)


@functools.lru_cache(maxsize=64)
def ring(radius: int, thickness: int) -> Any:
    """Return the ring around the car to play; radius and thickness are in pixels."""
    side = 2 * radius + thickness + 4
    drawn = Coverage(side, side)
    points = [
        (side / 2 + radius * math.cos(math.tau * k / 72), side / 2 + radius * math.sin(math.tau * k / 72))
        for k in range(73)
    ]
    drawn.stroke(points, thickness)
    return texture(drawn)


class Sprite:
    """A car on the canvas, with a place and angle on the board and an upright plate."""

    def __init__(self, mark: CarMark, length: float, plate_high: float) -> None:
        self.mark = mark
        self.pose = Pose(0.0, 0.0, 0.0)
        self.canvas = Canvas(opacity=0.45 if mark.state == "out" else 1.0)
        self.place, self._angle, self._size = Translate(), Rotate(angle=0, axis=(0, 0, 1)), Scale(1, 1, 1)
        self._length = length
        pixels = max(8, round(length * float(theme.scale)))
        paint = paint_of(mark.plate.place)
        with self.canvas:
            PushMatrix()
        self.canvas.add(self.place)
        pen = Pen(self.canvas, 0, 0)
        with self.canvas:
            PushMatrix()
        self.canvas.add(self._size)
        if mark.state == "playing" and length:
            pen.picture(ring(round(pixels * 0.53), max(2, round(2.5 * float(theme.scale)))), 0, 0, "hi")
        if length:
            with self.canvas:
                PushMatrix()
            self.canvas.add(self._angle)
            draw(pen, paint, 0, 0, pixels)
            with self.canvas:
                PopMatrix()
        with self.canvas:
            PopMatrix()
        if mark.state == "playing" and not length:
            pen.picture(ring(round(plate_high * 0.66 * theme.scale), round(2.5 * theme.scale)), 0, 0, "hi")
        plate.draw(pen, mark.plate, 0, 0, plate_high)
        with self.canvas:
            PopMatrix()

    def stand(self, x: float, y: float, turn: float, length: float) -> None:
        """Move the car to a place in pixels.

        `turn` is the rotation of the board in degrees, `length` the car's length in dp.
        """
        self.place.xy = (round(x), round(y))
        spun = SPUN if self.mark.state == "spun" else 0.0
        self._angle.angle = math.degrees(self.pose.angle) + turn + spun
        if self._length:
            share = length / self._length
            self._size.xyz = (share, share, 1.0)


def length_at(zoom: float) -> float:
    """Return the length of a car in dp, at `zoom` dp to a space."""
    return LENGTH * zoom / 37 if zoom <= 37 else LENGTH + (zoom - 37) * (69 - LENGTH) / (70 - 37)
