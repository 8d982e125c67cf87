"""Where the tiles of a board of sections are: pure geometry, in dp from the top left."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final, NamedTuple

from companion.screens.view.shown import SectionTile

EDGE: Final = 8.0
GAP: Final = 7.0
GOOD: Final = (84.0, 80.0)
"""The size that a tile has at least where there is room for it, in dp."""
LEAST: Final = 60.0
BARE: Final = 42.0
"""How narrow a tile gets beside a crowded one, and one of which there is nothing to tell."""
PAD: Final = 6.0
HEAD: Final = 19.0
"""The line of a tile with its number, from its top."""
NAMED: Final = 18.0
"""What a second line takes, for the name."""
CAR: Final = 28.0
"""The pitch of plates, and of rows with a code, in dp."""
PACKED: Final = 25.0
"""The pitch of rows of plates alone."""
POINT: Final = 26.0
"""The pitch of the points of the ideal line."""
BADGE: Final = 21.0
"""The side of the badge that says what kind of section it is."""
CODE: Final = 88.0
"""How wide a tile is at least in which every car has its row with its code."""
LOW: Final = 46.0
"""A lower tile has everything in one line."""


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
        widths = _widths([wanted(tile, usual, high) for tile in listed], usual)
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
    if not _second(tile, wide):
        least = max(least, _line(tile) if tile.name or tile.points else 0.0)
    else:
        least = max(least, 2 * PAD + POINT * len(tile.points) + BADGE * bool(tile.name and tile.points))
    return max(least, math.ceil(len(tile.cars) / rows) * CAR + 5)


def _widths(wishes: list[float], usual: float) -> list[float]:
    """What each tile of a row gets: those that need less than usual give up what the crowded ones lack."""
    lack = sum(max(0.0, wish - usual) for wish in wishes)
    spare = sum(max(0.0, usual - wish) for wish in wishes)
    if not lack:
        return [usual] * len(wishes)
    taken, given = min(1.0, lack / spare) if spare else 0.0, min(1.0, spare / lack)
    return [usual - (usual - wish) * taken if wish < usual else usual + (wish - usual) * given for wish in wishes]


def top_of(tile: SectionTile, wide: float, high: float) -> float:
    """Where the cars of a tile begin."""
    if high < LOW:
        return 8.0
    return HEAD + 10 + (NAMED if _second(tile, wide) else 2)


def _second(tile: SectionTile, wide: float) -> bool:
    """Whether name and points of a tile stand in a line of their own."""
    return bool(tile.name or tile.points) and _line(tile) > wide


def _line(tile: SectionTile) -> float:
    """About how wide a tile is whose number, name, points and sign stand in one line."""
    return 54 + 8 * len(tile.name) + POINT * len(tile.points) + 32 * bool(tile.late)
