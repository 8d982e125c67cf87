"""The layout canvas and its fit in a window: 480 dp high, 800 to 853 dp wide.

Both panels and every window show the same layout; only the pixels per dp differ.
"""

from __future__ import annotations

from typing import Final, NamedTuple

WIDE: Final = 800
WIDEST: Final = 853 + 1 / 3
HIGH: Final = 480


class Canvas(NamedTuple):
    """A canvas in a window: pixels per dp, and its box in pixels from the bottom left."""

    density: float
    x: float
    y: float
    width: float
    height: float


def fit(width: float, height: float, most: float = 0.0) -> Canvas:
    """Return the largest canvas that fits a window, centred.

    The size of the window is in pixels. `most` limits the pixels per dp; 0 means no limit.
    """
    density = max(min(width / WIDE, height / HIGH), 0.1)
    if most:
        density = min(density, most)
    across, up = min(width, WIDEST * density), HIGH * density
    return Canvas(density, (width - across) / 2, (height - up) / 2, across, up)
