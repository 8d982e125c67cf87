"""Colour vision and contrast: simulated eyes, colour difference, legibility."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Final

from companion.screens.kit.theme import rgba

Triple = tuple[float, float, float]

EYES: Final[Mapping[str, tuple[Triple, Triple, Triple]]] = {
    "full": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": (
        (0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900),
    ),
    "grey": ((0.2126, 0.7152, 0.0722),) * 3,
}  # fmt: skip
"""Matrices for linear red, green and blue from Machado, Oliveira and Fernandes (2009), at full strength: nothing is
left of the missing kind of cone."""


def linear(colour: str) -> Triple:
    """Return the linear RGB parts of a hex colour, each from 0 to 1."""
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in rgba(colour)[:3]
    )
    return red, green, blue


def simulate(colour: str, eyes: str) -> str:
    """Return a hex colour as seen by other eyes."""
    parts = linear(colour)
    found = []
    for row in EYES[eyes]:
        part = min(1.0, max(0.0, sum(share * each for share, each in zip(row, parts, strict=True))))
        found.append(round(255 * (12.92 * part if part <= 0.0031308 else 1.055 * part ** (1 / 2.4) - 0.055)))
    return "#" + "".join(f"{part:02X}" for part in found)


def contrast(one: str, other: str) -> float:
    """Return the WCAG contrast ratio of two hex colours, from 1 to 21."""
    darker, lighter = sorted(
        sum(share * part for share, part in zip(EYES["grey"][0], linear(colour), strict=True))
        for colour in (one, other)
    )
    return (lighter + 0.05) / (darker + 0.05)


def closest(colours: Sequence[str], eyes: str = "full") -> float:
    """Return the smallest colour difference among some colours, as seen by `eyes`."""
    return min(distance(simulate(one, eyes), simulate(other, eyes)) for one, other in combinations(colours, 2))


def lab(colour: str) -> Triple:
    """Return a hex colour in CIELAB, under daylight D65."""
    red, green, blue = linear(colour)
    x = (0.4124564 * red + 0.3575761 * green + 0.1804375 * blue) / 0.95047
    y = 0.2126729 * red + 0.7151522 * green + 0.0721750 * blue
    z = (0.0193339 * red + 0.1191920 * green + 0.9503041 * blue) / 1.08883
    fx, fy, fz = (part ** (1 / 3) if part > 216 / 24389 else (24389 / 27 * part + 16) / 116 for part in (x, y, z))
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)


def distance(one: str, other: str) -> float:
    """Return the CIEDE2000 difference of two hex colours; 1 is just noticeable."""
    return ciede(lab(one), lab(other))


def ciede(one: Triple, other: Triple) -> float:
    """Return the CIEDE2000 difference of two colours in CIELAB."""
    (l1, a1, b1), (l2, a2, b2) = one, other
    chroma = (math.hypot(a1, b1) + math.hypot(a2, b2)) / 2
    g = 0.5 * (1 - math.sqrt(chroma**7 / (chroma**7 + 25**7)))
    c1, c2 = math.hypot(a1 * (1 + g), b1), math.hypot(a2 * (1 + g), b2)
    h1, h2 = (math.degrees(math.atan2(b, a * (1 + g))) % 360 for a, b in ((a1, b1), (a2, b2)))
    turn = (h2 - h1 + 180) % 360 - 180 if c1 * c2 else 0.0
    light, colour = l2 - l1, c2 - c1
    hue = 2 * math.sqrt(c1 * c2) * math.sin(math.radians(turn / 2))
    lm, cm = (l1 + l2) / 2, (c1 + c2) / 2
    hm = (h1 + turn / 2) % 360 if c1 * c2 else h1 + h2
    waves = ((1, 30, 0.17), (2, 0, -0.24), (3, -6, -0.32), (4, 63, 0.20))
    t = 1 - sum(share * math.cos(math.radians(times * hm - by)) for times, by, share in waves)
    sl = 1 + 0.015 * (lm - 50) ** 2 / math.sqrt(20 + (lm - 50) ** 2)
    sc, sh = 1 + 0.045 * cm, 1 + 0.015 * cm * t
    around = 30 * math.exp(-(((hm - 275) / 25) ** 2))
    rotation = -math.sin(math.radians(2 * around)) * 2 * math.sqrt(cm**7 / (cm**7 + 25**7))
    return math.sqrt((light / sl) ** 2 + (colour / sc) ** 2 + (hue / sh) ** 2 + rotation * (colour / sc) * (hue / sh))
