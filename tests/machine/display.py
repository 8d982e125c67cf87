"""What is on a machine's display, and how far it is from what it should be."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from PIL import Image, ImageChops


class Apart(NamedTuple):
    """How far two pictures are from each other: in parts of all pixels, those that differ by more than a renderer's
    rounding, and the widest difference of a colour."""

    pixels: float
    most: int

    def __str__(self) -> str:
        return f"{self.pixels:.2%} of the pixels differ, by up to {self.most} of 255"


ROUNDING = 24
"""Of 255: so much two drivers of OpenGL may differ at an edge."""


def apart(one: Path, other: Path) -> Apart:
    """Compares two pictures of one size."""
    with Image.open(one) as first, Image.open(other) as second:
        if first.size != second.size:
            return Apart(1.0, 255)
        between = ImageChops.difference(first.convert("RGB"), second.convert("RGB"))
    red, green, blue = between.split()
    widest = ImageChops.lighter(ImageChops.lighter(red, green), blue).histogram()
    return Apart(sum(widest[ROUNDING + 1 :]) / sum(widest), max(at for at, many in enumerate(widest) if many))


def png(raw: Path, place: Path) -> Path:
    """What a display showed, as a picture to keep."""
    place.parent.mkdir(parents=True, exist_ok=True)
    with Image.open(raw) as shown:
        shown.save(place)
    return place


def turn(place: Path, degrees: int) -> Path:
    """Turns a picture back that a display shows turned by so many degrees against the clock."""
    if degrees:
        with Image.open(place) as shown:
            back = shown.rotate(-degrees, expand=True)
        back.save(place)
    return place


def beside(one: Path, other: Path, place: Path) -> None:
    """Both pictures in one, side by side."""
    with Image.open(one) as first, Image.open(other) as second:
        both = Image.new("RGB", (first.width + second.width + 8, max(first.height, second.height)), "white")
        both.paste(first, (0, 0))
        both.paste(second, (first.width + 8, 0))
    both.save(place)
