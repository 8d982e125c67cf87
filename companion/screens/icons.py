"""The pictograms, by name: strokes and fills in a box of 24 units, in the small language of SVG paths."""

from __future__ import annotations

import functools
import math
import re
from collections.abc import Iterator
from typing import Any, Final

from kivy.graphics.texture import Texture

from companion.screens.coverage import Coverage, Point

BOX: Final = 24.0
STROKE: Final = 2.0

ICONS: Final[dict[str, tuple[str, ...]]] = {
    # the six pools
    "tyres": ("# M12 2.4 a9.6 9.6 0 1 0 .01 0 Z M12 7.2 a4.8 4.8 0 1 0 .01 0 Z", "# M12 9.6 a2.4 2.4 0 1 0 .01 0 Z"),
    "brakes": (
        "M12 6.9 a5.1 5.1 0 1 0 .01 0 Z",
        "# M12 10 a2 2 0 1 0 .01 0 Z",
        "M5.2 4.4 a10.2 10.2 0 0 0 0 15.2",
        "M18.8 4.4 a10.2 10.2 0 0 1 0 15.2",
    ),
    "gearbox": (
        "M5 5 V19",
        "M12 5 V19",
        "M19 5 V12 H5",
        "# M5 2 a2.4 2.4 0 1 0 .01 0 Z",
        "# M12 2 a2.4 2.4 0 1 0 .01 0 Z",
        "# M19 2 a2.4 2.4 0 1 0 .01 0 Z",
        "# M5 17.2 a2.4 2.4 0 1 0 .01 0 Z",
        "# M12 17.2 a2.4 2.4 0 1 0 .01 0 Z",
    ),
    "body": ("M3 3.5 H21 V8 H3 Z", "M8.5 8 L10 13", "M15.5 8 L14 13", "M7 20.5 L8.5 13 H15.5 L17 20.5 Z"),
    "engine": (
        "M7.5 9 H10 L11.5 7.5 H15 L17.5 10 H18.5 V13 H20.5 V10.5 H22 V18 H20.5 V15.5 H18.5 V17 L17 19 H9.5 L7 16 "
        "H5 V11 H7.5 Z",
        "M9.5 4.5 H15.5",
        "M12.5 4.5 V7.5",
        "M2 11 V16",
        "M2 13.5 H5",
    ),
    "handling": ("M8 2.5 H16", "M8 21.5 H16", "M12 2.5 V5 L7.5 7 L16.5 10.3 L7.5 13.6 L16.5 17 L12 19 V21.5"),
    "points": (
        "M12 20.8 C5 15 2.6 12 2.6 8.6 C2.6 5.7 4.8 3.6 7.4 3.6 C9.4 3.6 11 4.7 12 6.4 C13 4.7 14.6 3.6 16.6 3.6 "
        "C19.2 3.6 21.4 5.7 21.4 8.6 C21.4 12 19 15 12 20.8 Z",
    ),
    "shield": ("M12 2.6 L20.2 5.4 V12 C20.2 16.4 17 19.8 12 21.6 C7 19.8 3.8 16.4 3.8 12 V5.4 Z",),
    "cards": ("M8.5 6.5 V3 H20 V16.5 H16", "M4 7 H15.5 V21 H4 Z"),
    "damage": (
        "M17.8 3.6 C15.6 2.8 13.2 3.6 12.2 5.6 C11.5 7 11.6 8.4 12.2 9.7 L3.8 18 C3 18.9 3 20 3.8 20.6 "
        "C4.5 21.3 5.5 21.2 6.2 20.5 L14.6 12 C16 12.7 17.4 12.7 18.7 11.9 C20.5 10.8 21.2 8.4 20.4 6.4 L17.2 9.5 "
        "L14.7 7 Z",
    ),
    "ring": ("# M12 2.4 a9.6 9.6 0 1 0 .01 0 Z M12 6.4 a5.6 5.6 0 1 0 .01 0 Z",),
    # what a ruling says
    "check": ("M4.5 13 L9.5 18 L19.5 6.5",),
    "cross": ("M5.5 5.5 L18.5 18.5", "M18.5 5.5 L5.5 18.5"),
    "triangle": ("M12 3.5 L22 20.5 H2 Z", "M12 9.8 V14", "# M12 15.9 a1.25 1.25 0 1 0 .01 0 Z"),
    "flag": ("M5 22 V3 H19.5 L16.5 8 L19.5 13 H5",),
    "finish": ("M5 22 V3 H20 V13 H5", "# M5 3 H10 V8 H5 Z", "# M15 3 H20 V8 H15 Z", "# M10 8 H15 V13 H10 Z"),
    "target": ("M12 4 a8 8 0 1 0 .01 0 Z", "M12 1.5 V7", "M12 17 V22.5", "M1.5 12 H7", "M17 12 H22.5"),
    "star": ("M12 2.8 L14.9 8.9 L21.5 9.8 L16.7 14.4 L17.9 21 L12 17.8 L6.1 21 L7.3 14.4 L2.5 9.8 L9.1 8.9 Z",),
    "bolt": ("M13.5 2.5 L5 13.5 H11 L10 21.5 L19 10 H12.8 Z",),
    "crash": (
        "M12 2 L14 8 L19.5 4.5 L17.5 10 L22 12 L17.5 14 L19.5 19.5 L14 16 L12 22 L10 16 L4.5 19.5 L6.5 14 L2 12 "
        "L6.5 10 L4.5 4.5 L10 8 Z",
    ),
    # arms
    "missile": ("M6 12 H16", "# M15 7.8 L22 12 L15 16.2 Z", "M2.5 7.5 L6 12 L2.5 16.5"),
    "gun": ("M2.5 7 H21.5 V11.5 H13.5 L12 15 H9.2 L7.6 20 H4 L5.5 11.5 H2.5 Z",),
    "laser": ("# M2 8 H9.5 V16 H2 Z", "M12.5 12 H22", "M13 8.2 L16 5.2", "M13 15.8 L16 18.8"),
    "mine": (
        "# M12 7 a5 5 0 1 0 .01 0 Z",
        "M12 2.5 V6",
        "M12 18 V21.5",
        "M2.5 12 H6",
        "M18 12 H21.5",
        "M5.3 5.3 L8 8",
        "M16 16 L18.7 18.7",
        "M18.7 5.3 L16 8",
        "M8 16 L5.3 18.7",
    ),
    "flame": (
        "M12 2.5 C13 6.5 18.5 9 18.5 14.8 C18.5 18.6 15.6 21.5 12 21.5 C8.4 21.5 5.5 18.6 5.5 14.8 "
        "C5.5 11.6 7.6 10 8.4 7.6 C10 8.6 11 9.8 11 11.4 C12.6 9.4 12.7 5.6 12 2.5 Z",
    ),
    "saw": (
        "M12 6 a6 6 0 1 0 .01 0 Z",
        "# M12 10.2 a1.8 1.8 0 1 0 .01 0 Z",
        "M12 6 L15.5 2.5",
        "M18 12 L21.5 15.5",
        "M12 18 L8.5 21.5",
        "M6 12 L2.5 8.5",
    ),
    "bomb": ("# M10 7.5 a7 7 0 1 0 .01 0 Z", "M14.5 9 L17 6.5", "M17 6.5 C18 4 20 4 21.5 5.5"),
    "lock": ("M5 11 H19 V21 H5 Z", "M8 11 V7.5 a4 4 0 0 1 8 0 V11"),
    "slipstream": ("M2 8 H14 a3 3 0 1 0 -3 -3", "M2 12.5 H19 a3 3 0 1 1 -3 3", "M2 17 H9.5 a2.5 2.5 0 1 1 -2.5 2.5"),
    "kers": ("M3 7.5 H19 V16.5 H3 Z", "M22 10.5 V13.5", "# M12 8.6 L7 12.8 H10.6 L10 15.6 L15 11.4 H11.4 Z"),
    "pit": (
        "M14.5 6.2 a5 5 0 0 1 6.4 -1.9 L17.5 7.7 L18.5 9.5 L21.8 8 a5 5 0 0 1 -6.8 5.4 L8.2 20.2 "
        "a2.6 2.6 0 0 1 -3.7 -3.7 L11.3 9.7 a5 5 0 0 1 3.2 -3.5",
    ),
    # hands on the app
    "logo": ("# M2 21 L7.5 3 H12 L6.5 21 Z", "# M12.5 21 L18 3 H22.5 L17 21 Z"),
    "undo": ("M8.5 4 L3.5 9 L8.5 14", "M3.5 9 H15 a5.5 5.5 0 0 1 0 11 H9"),
    "redo": ("M15.5 4 L20.5 9 L15.5 14", "M20.5 9 H9 a5.5 5.5 0 0 0 0 11 H15"),
    "more": (
        "# M4.5 9.6 a2.4 2.4 0 1 0 .01 0 Z",
        "# M12 9.6 a2.4 2.4 0 1 0 .01 0 Z",
        "# M19.5 9.6 a2.4 2.4 0 1 0 .01 0 Z",
    ),
    "erase": ("M8 5 H21.5 V19 H8 L2.5 12 Z", "M11 9 L17 15", "M17 9 L11 15"),
    "menu": ("M3 6 H21", "M3 12 H21", "M3 18 H21"),
    "back": ("M14.5 4.5 L7 12 L14.5 19.5",),
    "forward": ("M9.5 4.5 L17 12 L9.5 19.5",),
    "up": ("M4.5 15.5 L12 8 L19.5 15.5",),
    "down": ("M4.5 8.5 L12 16 L19.5 8.5",),
    "arrow-right": ("M3 12 H20.5", "M14.5 6 L20.5 12 L14.5 18"),
    "arrow-left": ("M21 12 H3.5", "M9.5 6 L3.5 12 L9.5 18"),
    "plus": ("M12 4 V20", "M4 12 H20"),
    "minus": ("M4 12 H20",),
    "search": ("M10.5 3.5 a7 7 0 1 0 .01 0 Z", "M15.7 15.7 L21 21"),
    "home": ("M3 11.5 L12 3.5 L21 11.5", "M5.5 9.8 V20.5 H18.5 V9.8", "M10 20.5 V14.5 H14 V20.5"),
    "trash": ("M4 6.5 H20", "M9 6.5 V3.5 H15 V6.5", "M6 6.5 L7 21 H17 L18 6.5", "M10 10.5 V17", "M14 10.5 V17"),
    "export": ("M12 15 V3.5", "M7.5 8 L12 3.5 L16.5 8", "M4 14.5 V20.5 H20 V14.5"),
    "edit": ("M4 20 L5 15.5 L16.5 4 L20 7.5 L8.5 19 Z", "M14 6.5 L17.5 10"),
    "filter": ("M3 4.5 H21 L14 12.5 V19.5 L10 17.5 V12.5 Z",),
    # time
    "clock": ("M12 5 a8.3 8.3 0 1 0 .01 0 Z", "M12 8.8 V13.5 L15 15", "M9.5 1.8 H14.5", "M12 1.8 V5"),
    "play": ("M7 4 L19.5 12 L7 20 Z", "# M7 4 L19.5 12 L7 20 Z"),
    "pause": ("M8 4.5 V19.5", "M16 4.5 V19.5"),
    "history": ("M4.2 8 a8.8 8.8 0 1 1 -.9 5.5", "M3.5 3.5 V8.2 H8.2", "M12 7.5 V12.5 L15.5 14.5"),
    # things
    "trophy": (
        "M7 3.5 H17 V9 a5 5 0 0 1 -10 0 Z",
        "M7 5.5 H3.5 a4 4 0 0 0 4 5",
        "M17 5.5 H20.5 a4 4 0 0 1 -4 5",
        "M12 14 V18",
        "M7.5 20.5 H16.5",
    ),
    "table": ("M3 4.5 H21 V19.5 H3 Z", "M3 9.5 H21", "M3 14.5 H21", "M9 9.5 V19.5"),
    "sheet": ("M5 2.5 H15 L19.5 7 V21.5 H5 Z", "M8.5 11 H16", "M8.5 15.5 H16"),
    "book": (
        "M12 6 C9.5 4 6 3.7 2.8 4.5 V19 C6 18.2 9.5 18.5 12 20.3 C14.5 18.5 18 18.2 21.2 19 V4.5 C18 3.7 14.5 4 12 6 Z",
        "M12 6 V20",
    ),
    "settings": (
        "M12 8.6 a3.4 3.4 0 1 0 .01 0 Z",
        "M10.3 2.5 H13.7 L14.3 5.2 L16.7 6.6 L19.3 5.8 L21 8.7 L19 10.6 V13.4 L21 15.3 L19.3 18.2 L16.7 17.4 "
        "L14.3 18.8 L13.7 21.5 H10.3 L9.7 18.8 L7.3 17.4 L4.7 18.2 L3 15.3 L5 13.4 V10.6 L3 8.7 "
        "L4.7 5.8 L7.3 6.6 L9.7 5.2 Z",
    ),
    "die": ("M12 2.2 L20.8 7.1 V16.9 L12 21.8 L3.2 16.9 V7.1 Z", "M12 7.3 L16.7 15.5 H7.3 Z"),
    "usb": (
        "M12 21 V3.5",
        "M9 6.5 L12 3 L15 6.5",
        "M12 17.5 L6.5 14 V10.5",
        "M12 14.5 L17.5 11.5 V8.5",
        "# M6.5 8 a2.2 2.2 0 1 0 .01 0 Z",
        "# M15.5 5.5 H19.5 V9 H15.5 Z",
    ),
    "buttons": ("M6.5 7.5 a4.5 4.5 0 1 0 .01 0 Z", "M17.5 7.5 a4.5 4.5 0 1 0 .01 0 Z"),
    "car": (
        "M2.5 9 V15",
        "M2.5 12 H6 L9 9.5 H14 L16 11 H21.5 V13 H16 L14 14.5 H9 L6 12",
        "M21.5 8.5 V15.5",
        "M5.5 6.5 H9",
        "M5.5 17.5 H9",
        "M15 6.5 H18.5",
        "M15 17.5 H18.5",
    ),
    "person": ("M12 3 a4.2 4.2 0 1 0 .01 0 Z", "M4 21 a8 7 0 0 1 16 0"),
    "language": (
        "M12 2.8 a9.2 9.2 0 1 0 .01 0 Z",
        "M2.8 12 H21.2",
        "M12 2.8 C6.5 8 6.5 16 12 21.2",
        "M12 2.8 C17.5 8 17.5 16 12 21.2",
    ),
    "sound": ("M3.5 9 H7.5 L12.5 4.5 V19.5 L7.5 15 H3.5 Z", "M16 8.5 a5 5 0 0 1 0 7", "M18.7 5.5 a9 9 0 0 1 0 13"),
    "storage": ("M6 2.5 H15.5 L19 6 V21.5 H5 V2.5 Z", "M9 2.8 V7", "M12 2.8 V7", "M15 4 V7"),
    "info": ("M12 2.8 a9.2 9.2 0 1 0 .01 0 Z", "M12 11 V17", "# M12 6 a1.4 1.4 0 1 0 .01 0 Z"),
    # sky
    "sun": (
        "M12 7.5 a4.5 4.5 0 1 0 .01 0 Z",
        "M12 1.8 V4",
        "M12 20 V22.2",
        "M1.8 12 H4",
        "M20 12 H22.2",
        "M4.8 4.8 L6.3 6.3",
        "M17.7 17.7 L19.2 19.2",
        "M19.2 4.8 L17.7 6.3",
        "M6.3 17.7 L4.8 19.2",
    ),
    "changeable": (
        "M8.2 12.2 a4 4 0 1 1 5.6 -5.2",
        "M9 1.2 V2.6",
        "M2.4 8 H3.8",
        "M4.4 3.4 L5.4 4.4",
        "M13.6 3.4 L12.7 4.3",
        "M8 21 H17.5 a4 4 0 0 0 .6 -7.9 a5.8 5.8 0 0 0 -11.2 1.2 a3.4 3.4 0 0 0 1.1 6.7 Z",
    ),
    "rain": (
        "M6.8 15.5 H17 a4.2 4.2 0 0 0 .8 -8.3 a6 6 0 0 0 -11.6 1.2 a3.6 3.6 0 0 0 .6 7.1 Z",
        "M8.5 18.5 L7.5 21.5",
        "M12.5 18.5 L11.5 21.5",
        "M16.5 18.5 L15.5 21.5",
    ),
}
"""Every pictogram. A path that begins with # is filled, any other is drawn as a line."""

NAMES: Final = frozenset(ICONS)
OTHER: Final = "ring"

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


@functools.cache
def _shape(name: str) -> tuple[tuple[bool, list[list[Point]]], ...]:
    drawn = ICONS.get(name, ICONS[OTHER])
    return tuple((path.startswith("#"), outlines(path.lstrip("# "))) for path in drawn)


@functools.lru_cache(maxsize=512)
def picture(name: str, pixels: int) -> Any:
    """The texture of a pictogram in white, `pixels` wide and high; that of OTHER for a name that there is none of,
    such as a pool that only one rulebook has."""
    scale = pixels / BOX
    drawn = Coverage(pixels, pixels)
    thickness = max(STROKE * scale, 1.5)
    for filled, lines in _shape(name):
        scaled = [[(x * scale, y * scale) for x, y in line] for line in lines]
        if filled:
            drawn.polygon(scaled)
        else:
            for line in scaled:
                drawn.stroke(line, thickness)
    return texture(drawn)


def texture(drawn: Coverage) -> Any:
    """A drawing as a texture, its first row on top."""
    made = Texture.create(size=(drawn.width, drawn.height), colorfmt="rgba")
    made.blit_buffer(drawn.white(), colorfmt="rgba", bufferfmt="ubyte")
    made.flip_vertical()
    return made
