"""The grid as it stands on the board: two rows, each place half a slot behind the one before it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from companion.screens.widgets.pen import BOLD, SEMIBOLD, Pen
from companion.screens.widgets.plate import draw as draw_plate
from companion.screens.widgets.theme import CAPTION
from companion.sheets.entrants import Entrant
from companion.view.draft import plate

HIGH: Final = 196.0
WIDEST: Final = 132.0
"""The most that a slot is wide: a grid of few cars stands at the left."""


def draw(pen: Pen, grid: Sequence[Entrant], x: float, top: float, room: float) -> None:
    """Draws the grid from pole on, from the left; places, plates, and names as far as they have room."""
    columns = (len(grid) + 1) // 2
    pitch = min(WIDEST, room / (columns + 0.5))
    side = min(pitch, 64.0) - 6
    for place, entrant in enumerate(grid):
        middle = x + (place // 2 + 0.5 + 0.5 * (place % 2)) * pitch
        y = top + (place % 2) * HIGH / 2
        pen.fill(middle - side / 2, y + 4, side, 2, "rim")
        for edge in (middle - side / 2, middle + side / 2 - 2):
            pen.fill(edge, y + 4, 2, 12, "rim")
        draw_plate(pen, plate(entrant), middle, y + 32, 36)
        ink, weight = ("hi", BOLD) if place == 0 else ("mid", SEMIBOLD)
        pen.text(entrant.name, middle, y + 64, CAPTION, ink, weight, "centre", room=pitch - 6, cut=True)
