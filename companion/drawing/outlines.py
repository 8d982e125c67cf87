"""The small language of SVG paths in which pictograms are written, read as lines through points."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator

from companion.drawing.coverage import Point

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
