"""Pixel coverage: strokes and shapes as antialiased white pictures.

A graphics card of a small computer draws jagged edges unless it is paid for smooth ones at every frame. Here an edge is
smoothed once, and the picture is kept as a texture: Pillow draws it several times as large and makes it small. Lengths
are in pixels, with y downwards.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from fontTools.pens.recordingPen import RecordingPen
from fontTools.svgLib.path.parser import parse_path
from PIL import Image, ImageChops, ImageDraw

Point = tuple[float, float]

OVERSAMPLING: Final = 8
"""Oversampling factor: a picture is drawn this many times as large."""
LINES_PER_CURVE: Final = 10
"""Number of short lines that make a curve."""
WHOLE, HALF = 255, 128
"""Values of a covered pixel and of a half covered one."""


def outlines(path: str) -> list[list[Point]]:
    """Return the lines of an SVG path as points; curves become short lines."""
    drawn = RecordingPen()
    parse_path(path, drawn)
    found: list[list[Point]] = []
    for act, points in drawn.value:
        if act == "moveTo":
            found.append([points[0]])
        elif act == "lineTo":
            found[-1].append(points[0])
        elif act == "curveTo":
            found[-1] += _curve(found[-1][-1], *points)
    return found


def _curve(begin: Point, out: Point, into: Point, end: Point) -> list[Point]:
    """Return the points after the first of a cubic curve."""
    found = []
    for step in range(1, LINES_PER_CURVE + 1):
        t = step / LINES_PER_CURVE
        a, b, c, d = (1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3
        x, y = (a * p + b * q + c * r + d * s for p, q, r, s in zip(begin, out, into, end, strict=True))
        found.append((x, y))
    return found


class Coverage:
    """A picture of `width` by `height` pixels, each covered from 0 to WHOLE."""

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        self._fine = Image.new("L", (width * OVERSAMPLING, height * OVERSAMPLING))

    def stroke(self, points: Sequence[Point], thickness: float) -> None:
        """Draw a line through points, round at its ends and bends."""
        draw, wide = ImageDraw.Draw(self._fine), round(thickness * OVERSAMPLING)
        draw.line(_fine(points), WHOLE, wide)
        for x, y in points:
            left, top = (round(at * OVERSAMPLING - wide / 2) for at in (x, y))
            draw.ellipse((left, top, left + wide - 1, top + wide - 1), WHOLE)

    def polygon(self, outlines: Iterable[Sequence[Point]]) -> None:
        """Fill what lies inside an odd number of the closed outlines."""
        drawn = Image.new("L", self._fine.size)
        for outline in outlines:
            ring = Image.new("L", drawn.size)
            ImageDraw.Draw(ring).polygon(_fine(outline), WHOLE, HALF)  # half of what its edge goes through
            drawn = ImageChops.difference(drawn, ring)
        self._fine = ImageChops.lighter(self._fine, drawn)

    def rounded(self, radius: float, thickness: float | None = None) -> None:
        """Fill the picture as a rectangle with round corners; only its rim if it is thick."""
        draw, rim = ImageDraw.Draw(self._fine), (thickness or 0) * OVERSAMPLING
        right, bottom = (side - 1 for side in self._fine.size)
        draw.rounded_rectangle((0, 0, right, bottom), radius * OVERSAMPLING, WHOLE)
        if rim:
            draw.rounded_rectangle((rim, rim, right - rim, bottom - rim), max(0, radius * OVERSAMPLING - rim), 0)

    def covered(self) -> Image.Image:
        """Return the picture as it is seen, a number for each pixel."""
        return self._fine.reduce(OVERSAMPLING)

    def white(self) -> bytes:
        """Return the picture in white, four bytes a pixel, with the coverage as opacity."""
        picture = Image.new("RGBA", (self.width, self.height), "white")
        picture.putalpha(self.covered())
        return picture.tobytes()


def _fine(points: Iterable[Point]) -> list[tuple[int, int]]:
    """Return points where they lie in the enlarged drawing."""
    return [(round(x * OVERSAMPLING), round(y * OVERSAMPLING)) for x, y in points]
