"""The canvas on which everything is laid out, and how it lies in a window: 480 dp high, 800 to 853 dp wide.

Both panels and every window show the same layout; only how many pixels a dp takes differs.
"""

from __future__ import annotations

from typing import Final, NamedTuple

WIDE: Final = 800
WIDEST: Final = 853 + 1 / 3
HIGH: Final = 480


class Canvas(NamedTuple):
    """A canvas in a window: pixels a dp, and where it lies in pixels, from the bottom left as Kivy counts."""

    density: float
    x: float
    y: float
    width: float
    height: float


def fit(width: float, height: float, most: float = 0.0) -> Canvas:
    """The biggest canvas that a window of so many pixels holds, in its middle; `most` pixels a dp, 0 for no limit."""
    density = max(min(width / WIDE, height / HIGH), 0.1)
    if most:
        density = min(density, most)
    across, up = min(width, WIDEST * density), HIGH * density
    return Canvas(density, (width - across) / 2, (height - up) / 2, across, up)
