"""Where the tiles of a board of sections are: pure geometry, in dp from the top left."""

from __future__ import annotations

import math
from typing import Final, NamedTuple

from companion.view.shown_board import SectionTile

EDGE: Final = 8.0
GAP: Final = 7.0
GOOD: Final = (78.0, 84.0)
"""The size that a tile has where there is room for it, in dp."""
PAD: Final = 6.0
HEAD: Final = 19.0
"""The line of a tile with its number, from its top."""
NAMED: Final = 19.0
"""What a second line takes, for the name."""
CAR: Final = 28.0
"""The pitch of plates, and of rows with a code, in dp."""
PACKED: Final = 24.5
"""The least pitch of plates beside each other, and that of their rows."""
RINGED: Final = 16.5
"""How far from the sides of a tile the middles of plates stay, for the ring of the car that plays."""
FOOT: Final = 3.0
"""What is kept free below the cars of a tile."""
POINT: Final = 26.0
"""The pitch of the points of the ideal line."""
BADGE: Final = 21.0
"""The side of the badge that says what kind of section it is."""
CODE: Final = 95.0
"""How wide a tile is at least in which every car has its row with its code."""
LETTER: Final = 7.0
"""About how wide a letter of a name is."""
LOW: Final = 56.0
"""A lower tile has everything in one line."""
TALL: Final = 72.0
"""A lower one has no second line."""


class Place(NamedTuple):
    """Where a tile is, in dp from the top left."""

    x: float
    y: float
    w: float
    h: float


def places(count: int, width: float, height: float) -> list[Place]:
    """The places of so many tiles, all of one size whoever stands where: as many rows as make them largest."""

    def size(rows: int) -> tuple[float, float]:
        across = math.ceil(count / rows)
        return (width - 2 * EDGE + GAP) / across - GAP, (height - 2 * EDGE + GAP) / rows - GAP

    rows = max(range(1, count + 1), key=lambda rows: min(size(rows)[0] / GOOD[0], size(rows)[1] / GOOD[1]))
    across, (wide, high) = math.ceil(count / rows), size(rows)
    found: list[Place] = []
    for at in range(count):
        row, column = divmod(at, across)
        column = column if row % 2 == 0 else across - 1 - column
        found.append(Place(EDGE + column * (wide + GAP), EDGE + row * (high + GAP), wide, high))
    return found


def plates(wide: float) -> tuple[int, float]:
    """How many plates stand in a row of a tile, and their pitch: closer than usual if one more has room then."""
    room = wide - 2 * RINGED
    count = 1 + max(0, int(room // PACKED))
    return count, min(CAR, room / (count - 1)) if count > 1 else CAR


def rows_of(room: float) -> int:
    """How many rows of plates a height has room for."""
    return max(1, int((room + 1.5) // PACKED))


def top_of(tile: SectionTile, wide: float, high: float) -> float:
    """Where the cars of a tile begin."""
    if high < LOW:
        return 8.0
    return HEAD + (10 + NAMED if second_line(tile, wide, high) else 8 if high >= TALL else 10)


def second_line(tile: SectionTile, wide: float, high: float) -> bool:
    """Whether name and points of a tile stand in a line of their own; they leave it to cars that need it."""
    if high < TALL or not (tile.name or tile.points) or line_of(tile) <= wide:
        return False
    return len(tile.cars) <= plates(wide)[0] * rows_of(high - HEAD - 10 - NAMED - FOOT)


def line_of(tile: SectionTile) -> float:
    """About how wide a tile is whose number, name, points and sign stand in one line."""
    head = (49 if tile.points else 43) + 8 * len(str(tile.number))
    return head + LETTER * len(tile.name) + POINT * len(tile.points) + 32 * bool(tile.late)
