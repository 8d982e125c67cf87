"""Where the tiles of a board of sections are: pure geometry, in dp from the top left."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final, NamedTuple

from companion.screens.view.shown_board import SectionTile

EDGE: Final = 8.0
GAP: Final = 7.0
GOOD: Final = (78.0, 84.0)
"""The size that a tile has at least where there is room for it, in dp."""
LEAST: Final = 60.0
BARE: Final = 42.0
"""How narrow a tile gets beside a crowded one, and one of which there is nothing to tell."""
PAD: Final = 6.0
HEAD: Final = 19.0
"""The line of a tile with its number, from its top."""
NAMED: Final = 19.0
"""What a second line takes, for the name."""
CAR: Final = 28.0
"""The pitch of plates, and of rows with a code, in dp."""
PACKED: Final = 25.0
"""The pitch of rows of plates alone."""
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


def places(tiles: Sequence[SectionTile], width: float, height: float) -> list[Place]:
    """The tiles' places: as many rows as make them largest; where one is crowded the others in its row make room."""
    count = len(tiles)

    def size(rows: int) -> tuple[float, float]:
        across = math.ceil(count / rows)
        return (width - 2 * EDGE + GAP) / across - GAP, (height - 2 * EDGE + GAP) / rows - GAP

    rows = max(range(1, count + 1), key=lambda rows: min(size(rows)[0] / GOOD[0], size(rows)[1] / GOOD[1]))
    across, (usual, high) = math.ceil(count / rows), size(rows)
    found: list[Place] = []
    for row in range(rows):
        listed = list(tiles[row * across : (row + 1) * across])
        free = (across - len(listed)) * (usual + GAP)
        widths = _widths([wanted(tile, usual, high) for tile in listed], usual, free)
        ordered = widths if row % 2 == 0 else widths[::-1]
        x = EDGE if row % 2 == 0 else width - EDGE - sum(widths) - GAP * (len(widths) - 1)
        lefts = []
        for wide in ordered:
            lefts.append(x)
            x += wide + GAP
        for left, wide in zip(lefts if row % 2 == 0 else lefts[::-1], widths, strict=True):
            found.append(Place(left, EDGE + row * (high + GAP), wide, high))
    return found


def wanted(tile: SectionTile, wide: float, high: float) -> float:
    """How wide a tile has to be at least to tell all that is usually told in its width, and to show all its cars."""
    if high < LOW:
        return BARE + BADGE * (tile.kind != "straight") + CAR * len(tile.cars)
    rows = max(1, int((high - top_of(tile, wide, high) + 1) // PACKED))
    least = LEAST if tile.kind != "straight" or tile.name or tile.points or tile.late else BARE
    if high >= TALL and not second_line(tile, wide, high):
        least = max(least, line_of(tile) if tile.name or tile.points else 0.0)
    elif high >= TALL:
        least = max(least, 2 * PAD + POINT * len(tile.points) + LETTER * len(tile.name))
    return max(least, math.ceil(len(tile.cars) / rows) * CAR + 9)


def _widths(wishes: list[float], usual: float, free: float) -> list[float]:
    """What each tile of a row gets: what the crowded ones lack comes from the free end of the row, then from those that
    need less than usual; where that is too little, those that lack least get all of it first."""
    widths = [max(usual, wish) for wish in wishes]
    lack = sum(widths) - usual * len(wishes)
    spare = sum(max(0.0, usual - wish) for wish in wishes)
    taken = min(max(0.0, lack - free), spare)
    left = free + taken
    crowded = sorted((at for at, wish in enumerate(wishes) if wish > usual), key=lambda at: wishes[at])
    for place, at in enumerate(crowded):
        more = min(wishes[at] - usual, left / (len(crowded) - place))
        widths[at] = usual + more
        left -= more
    for at, wish in enumerate(wishes):
        if wish < usual:
            widths[at] = usual - (usual - wish) * taken / spare
    return widths


def top_of(tile: SectionTile, wide: float, high: float) -> float:
    """Where the cars of a tile begin."""
    if high < LOW:
        return 8.0
    return HEAD + (10 + NAMED if second_line(tile, wide, high) else 8 if high >= TALL else 10)


def second_line(tile: SectionTile, wide: float, high: float) -> bool:
    """Whether name and points of a tile stand in a line of their own."""
    return high >= TALL and bool(tile.name or tile.points) and line_of(tile) > wide


def line_of(tile: SectionTile) -> float:
    """About how wide a tile is whose number, name, points and sign stand in one line."""
    head = (49 if tile.points else 43) + 8 * len(str(tile.number))
    return head + LETTER * len(tile.name) + POINT * len(tile.points) + 32 * bool(tile.late)
