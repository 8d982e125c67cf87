"""How much of each pixel a drawing covers: strokes, discs and polygons as smooth white pictures, without a library.

A graphics card of a small computer draws jagged edges unless it is paid for smooth ones at every frame. Here an edge is
smoothed once, and the picture is kept as a texture. Lengths are in pixels, with y downwards.
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Iterable, Iterator, Sequence

_TOKEN = re.compile(r"[A-Za-z]|-?(?:\d+\.?\d*|\.\d+)")


def outlines(path: str) -> list[list[Point]]:
    """The lines of a path as points; M, L, H, V, C, Z and a circular a are understood, curves become short lines."""
    found: list[list[Point]] = []
    tokens: Iterator[str] = iter(_TOKEN.findall(path))
    command = ""
    x = y = 0.0
    pending: list[str] = []

    def number() -> float:
        return float(pending.pop() if pending else next(tokens))

    for token in tokens:
        if token.isalpha():
            command = token
            if command == "Z":
                found[-1].append(found[-1][0])
                x, y = found[-1][0]
                continue
        else:
            pending.append(token)
        if command == "M":
            x, y = number(), number()
            found.append([(x, y)])
        elif command == "L":
            x, y = number(), number()
            found[-1].append((x, y))
        elif command == "H":
            x = number()
            found[-1].append((x, y))
        elif command == "V":
            y = number()
            found[-1].append((x, y))
        elif command == "C":
            x1, y1, x2, y2, x3, y3 = (number() for _ in range(6))
            for step in range(1, 11):
                t = step / 10
                a, b, c, d = (1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3
                found[-1].append((a * x + b * x1 + c * x2 + d * x3, a * y + b * y1 + c * y2 + d * y3))
            x, y = x3, y3
        elif command == "a":
            radius, _, _, large, sweep, dx, dy = (number() for _ in range(7))
            found[-1].extend(_arc((x, y), radius, bool(large), bool(sweep), (x + dx, y + dy)))
            x, y = x + dx, y + dy
    return found


def _arc(start: Point, radius: float, large: bool, sweep: bool, end: Point) -> list[Point]:
    """The points after the start of an arc of a circle, as SVG draws it."""
    (x0, y0), (x1, y1) = start, end
    half = math.hypot(x1 - x0, y1 - y0) / 2
    radius = max(radius, half)
    height = math.sqrt(max(0.0, radius * radius - half * half))
    if large == sweep:
        height = -height
    middle_x = (x0 + x1) / 2 - height * (y1 - y0) / (2 * half)
    middle_y = (y0 + y1) / 2 + height * (x1 - x0) / (2 * half)
    first, last = math.atan2(y0 - middle_y, x0 - middle_x), math.atan2(y1 - middle_y, x1 - middle_x)
    if sweep and last < first:
        last += 2 * math.pi
    if not sweep and last > first:
        last -= 2 * math.pi
    steps = max(2, round(abs(last - first) / 0.2))
    angles = (first + (last - first) * step / steps for step in range(1, steps + 1))
    return [(middle_x + radius * math.cos(angle), middle_y + radius * math.sin(angle)) for angle in angles]


Point = tuple[float, float]

SUBLINES = 5
"""Scan lines a pixel for a filled polygon."""


class Coverage:
    """A picture of `width` by `height` pixels, each covered from 0 to 1."""

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        self.cells = [0.0] * (width * height)

    def stroke(self, points: Sequence[Point], thickness: float) -> None:
        """A line through the points, round at its ends and bends."""
        if len(points) == 1:
            points = [points[0], points[0]]
        for start, end in itertools.pairwise(points):
            self._segment(start, end, thickness / 2)

    def _segment(self, start: Point, end: Point, half: float) -> None:
        (x0, y0), (x1, y1) = start, end
        reach = half + 0.5
        dx, dy = x1 - x0, y1 - y0
        length2 = dx * dx + dy * dy or 1e-9
        left, right = max(0, int(min(x0, x1) - reach)), min(self.width, int(max(x0, x1) + reach) + 1)
        cells, width = self.cells, self.width
        for row in range(max(0, int(min(y0, y1) - reach)), min(self.height, int(max(y0, y1) + reach) + 1)):
            y = row + 0.5
            for column in range(left, right):
                x = column + 0.5
                along = ((x - x0) * dx + (y - y0) * dy) / length2
                along = 0.0 if along < 0 else 1.0 if along > 1 else along
                covered = reach - math.hypot(x - x0 - along * dx, y - y0 - along * dy)
                if covered > 0:
                    at = row * width + column
                    covered = min(covered, 1.0, 2 * half)
                    if covered > cells[at]:
                        cells[at] = covered

    def polygon(self, outlines: Iterable[Sequence[Point]]) -> None:
        """What lies inside an odd number of the closed outlines is filled."""
        edges = []
        for outline in outlines:
            for (x0, y0), (x1, y1) in zip(outline, [*outline[1:], outline[0]], strict=True):
                if y0 != y1:
                    edges.append((x0, y0, x1, y1) if y0 < y1 else (x1, y1, x0, y0))
        top, bottom = min(edge[1] for edge in edges), max(edge[3] for edge in edges)
        for row in range(max(0, int(top)), min(self.height, math.ceil(bottom))):
            line = [0.0] * self.width
            for sub in range(SUBLINES):
                y = row + (sub + 0.5) / SUBLINES
                crossings = sorted(x0 + (y - y0) * (x1 - x0) / (y1 - y0) for x0, y0, x1, y1 in edges if y0 <= y < y1)
                for start, end in zip(crossings[::2], crossings[1::2], strict=False):
                    for column in range(max(0, int(start)), min(self.width, math.ceil(end))):
                        if start <= column <= end - 1:  # nearly all of them
                            line[column] += 1 / SUBLINES
                        else:
                            line[column] += max(0.0, min(end, column + 1) - max(start, column)) / SUBLINES
            for at, covered in enumerate(line, row * self.width):
                if covered > self.cells[at]:
                    self.cells[at] = min(1.0, covered)

    def rounded(self, radius: float, thickness: float | None = None) -> None:
        """The whole picture as a rectangle with round corners; only its rim if there is a thickness."""
        middle_x, middle_y = self.width / 2, self.height / 2
        for row in range(self.height):
            for column in range(self.width):
                x = max(0.0, abs(column + 0.5 - middle_x) - middle_x + radius)
                y = max(0.0, abs(row + 0.5 - middle_y) - middle_y + radius)
                inside = radius - math.hypot(x, y)
                if x == 0 or y == 0:
                    edge_x = middle_x - abs(column + 0.5 - middle_x)
                    edge_y = middle_y - abs(row + 0.5 - middle_y)
                    inside = min(edge_x, edge_y)
                covered = min(1.0, max(0.0, inside + 0.5))
                if thickness is not None:
                    covered -= min(1.0, max(0.0, inside - thickness + 0.5))
                self.cells[row * self.width + column] = covered

    def white(self) -> bytes:
        """The picture in white, four bytes a pixel, the coverage as opacity."""
        picture = bytearray(b"\xff" * (4 * len(self.cells)))
        picture[3::4] = bytes([round(255 * covered) if covered else 0 for covered in self.cells])
        return bytes(picture)
