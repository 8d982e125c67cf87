"""The pen's shapes as cached white textures: pictograms, corners, rims, hatching."""

from __future__ import annotations

import functools
import itertools
import math
from typing import Any

from kivy.graphics.texture import Texture

from companion.drawing.coverage import Coverage, Point, outlines
from companion.drawing.icons import BOX, ICONS, OTHER, STROKE


def texture(drawn: Coverage) -> Any:
    """Return a drawing as a texture, its first row on top."""
    made = Texture.create(size=(drawn.width, drawn.height), colorfmt="rgba")
    made.blit_buffer(drawn.white(), colorfmt="rgba", bufferfmt="ubyte")
    made.flip_vertical()
    return made


@functools.cache
def _outlined(name: str) -> tuple[tuple[bool, list[list[Point]]], ...]:
    drawn = ICONS.get(name, ICONS[OTHER])
    return tuple((path.startswith("#"), outlines(path.lstrip("# "))) for path in drawn)


@functools.lru_cache(maxsize=512)
def pictogram(name: str, pixels: int) -> Any:
    """Return the texture of a pictogram in white, `pixels` wide and high.

    An unknown name, such as a pool of one rulebook only, gets the pictogram OTHER.
    """
    scale = pixels / BOX
    drawn = Coverage(pixels, pixels)
    thickness = max(STROKE * scale, 1.5)
    for filled, lines in _outlined(name):
        scaled = [[(x * scale, y * scale) for x, y in line] for line in lines]
        if filled:
            drawn.polygon(scaled)
        else:
            for line in scaled:
                drawn.stroke(line, thickness)
    return texture(drawn)


@functools.lru_cache(maxsize=128)
def corner(radius: int, thickness: int | None) -> Any:
    """Return a minimal rectangle with round corners, to be stretched, or only its rim."""
    side = 2 * max(radius, thickness or 0) + 2
    drawn = Coverage(side, side)
    drawn.rounded(radius, thickness)
    made = texture(drawn)
    made.mag_filter = made.min_filter = "nearest"  # its middle is stretched, and must not fade into its edges
    return made


@functools.lru_cache(maxsize=64)
def dashed(width: int, height: int, radius: int, thickness: int, dash: int) -> Any:
    """Return the dashed rim of a rectangle with round corners."""
    drawn = Coverage(width, height)
    inset = thickness / 2
    left, top, right, bottom = inset, inset, width - inset, height - inset
    round_ = max(0.0, radius - inset)
    path = []
    for x, y, first in (
        (right - round_, top + round_, -90),
        (right - round_, bottom - round_, 0),
        (left + round_, bottom - round_, 90),
        (left + round_, top + round_, 180),
    ):
        steps = max(1, round(round_ / 2))
        for step in range(steps + 1):
            angle = math.radians(first + 90 * step / steps)
            path.append((x + round_ * math.cos(angle), y + round_ * math.sin(angle)))
    path.append(path[0])
    whole = sum(math.dist(start, end) for start, end in itertools.pairwise(path))
    count = max(4, round(whole / (2 * dash)))
    length = whole / count / 2
    gone, drawing, piece = 0.0, True, [path[0]]
    for start, end in itertools.pairwise(path):
        span, at = math.dist(start, end), 0.0
        while span and at + length - gone <= span:
            at += length - gone
            gone = 0.0
            point = (start[0] + (end[0] - start[0]) * at / span, start[1] + (end[1] - start[1]) * at / span)
            if drawing:
                drawn.stroke([*piece, point], thickness)
            drawing, piece = not drawing, [point]
        gone += span - at
        piece.append(end)
    return texture(drawn)


@functools.lru_cache(maxsize=32)
def hatching(width: int, height: int, pitch: int) -> Any:
    """Return stripes that rise to the right, as wide as the gaps between them."""
    drawn = Coverage(width, height)
    for middle in range(pitch // 2, width + height + pitch, pitch):  # their ends lie outside
        drawn.stroke([(middle + pitch, -pitch), (middle - height - pitch, height + pitch)], pitch / 2 / math.sqrt(2))
    return texture(drawn)
