"""A board of sections: a tile for each, with its cars in line.

The rows of tiles run in alternating directions.
"""

from __future__ import annotations

import math
from typing import Final, NamedTuple

from companion.screens.board.whole import Whole
from companion.screens.kit import plate
from companion.screens.kit.pen import BOLD, SEMIBOLD, Pen
from companion.screens.kit.theme import BODY, CAPTION, SMALL
from companion.view.shown_board import InSection, SectionTile

EDGE: Final = 8.0
GAP: Final = 7.0
TILE: Final = (78.0, 84.0)
"""Size of a tile if there is room for it, in dp."""
PAD: Final = 6.0
HEAD: Final = 19.0
"""Height of a tile's line with its number, in dp."""
NAME_LINE: Final = 19.0
"""Height of a second line, for the name, in dp."""
CAR: Final = 28.0
"""Pitch of plates, and of rows with a code, in dp."""
PACKED: Final = 24.5
"""Minimum pitch of plates beside each other and of their rows, in dp."""
RINGED: Final = 16.5
"""Distance of the middles of plates from the sides of a tile, for the ring of the playing car, in dp."""
FOOT: Final = 3.0
"""Space below the cars of a tile, in dp."""
POINT: Final = 26.0
"""Pitch of the points of the ideal line, in dp."""
BADGE: Final = 21.0
"""Side of the badge that tells the kind of section, in dp."""
CODES_WIDTH: Final = 95.0
"""Minimum width of a tile in which every car has a row with its code, in dp."""
LETTER_WIDTH: Final = 7.0
"""Approximate width of a letter of a name, in dp."""
LOW: Final = 56.0
"""Height below which a tile has everything in one line, in dp."""
TALL: Final = 72.0
"""Height below which a tile has no second line, in dp."""


class TileRect(NamedTuple):
    """The rectangle of a tile, in dp from the top left."""

    x: float
    y: float
    w: float
    h: float


def places(count: int, width: float, height: float) -> list[TileRect]:
    """Return the rectangles of `count` tiles of equal size, as large as possible.

    They do not depend on the cars.
    """

    def size(rows: int) -> tuple[float, float]:
        across = math.ceil(count / rows)
        return (width - 2 * EDGE + GAP) / across - GAP, (height - 2 * EDGE + GAP) / rows - GAP

    rows = max(range(1, count + 1), key=lambda rows: min(size(rows)[0] / TILE[0], size(rows)[1] / TILE[1]))
    across, (wide, high) = math.ceil(count / rows), size(rows)
    found: list[TileRect] = []
    for at in range(count):
        row, column = divmod(at, across)
        column = column if row % 2 == 0 else across - 1 - column
        found.append(TileRect(EDGE + column * (wide + GAP), EDGE + row * (high + GAP), wide, high))
    return found


def plates(wide: float) -> tuple[int, float]:
    """Return the number of plates in a row of a tile, and their pitch in dp.

    The pitch is reduced if one more plate fits then.
    """
    room = wide - 2 * RINGED
    count = 1 + max(0, int(room // PACKED))
    return count, min(CAR, room / (count - 1)) if count > 1 else CAR


def rows_of(room: float) -> int:
    """Return the number of rows of plates that fit into a height."""
    return max(1, int((room + 1.5) // PACKED))


def top_of(tile: SectionTile, wide: float, high: float) -> float:
    """Return the top of the cars in a tile, in dp."""
    if high < LOW:
        return 8.0
    return HEAD + (10 + NAME_LINE if second_line(tile, wide, high) else 8 if high >= TALL else 10)


def second_line(tile: SectionTile, wide: float, high: float) -> bool:
    """Return True if a tile's name and points get their own line.

    They do not if the cars need that room.
    """
    if high < TALL or not (tile.name or tile.points) or line_of(tile) <= wide:
        return False
    return len(tile.cars) <= plates(wide)[0] * rows_of(high - HEAD - 10 - NAME_LINE - FOOT)


def line_of(tile: SectionTile) -> float:
    """Return the approximate width of a tile with all its texts in one line."""
    head = (49 if tile.points else 43) + 8 * len(str(tile.number))
    return head + LETTER_WIDTH * len(tile.name) + POINT * len(tile.points) + 32 * bool(tile.late)


KERB: Final = 6.0
DASH: Final = 10.0
PLATE: Final = 24.0
SIGN: Final = 19.0
"""Height of the sign of late braking, in dp."""
CODE_WIDTH: Final = 66.0
"""Minimum width for a car by itself with its code beside its plate, in dp."""


class SectionBoard(Whole):
    """A board that shows a tuple of `SectionTile`."""

    def paint(self, pen: Pen) -> None:
        pen.fill(0, 0, pen.w, pen.h, "bg0")
        tiles: tuple[SectionTile, ...] = self.shown or ()
        if not tiles:
            return
        found = places(len(tiles), pen.w, pen.h)
        across = sum(place.y == found[0].y for place in found)
        for at, (tile, place) in enumerate(zip(tiles, found, strict=True)):
            _draw(pen, tile, place, "arrow-right" if at // across % 2 == 0 else "arrow-left")

    def space_at(self, x: float, y: float) -> str:
        """Return the section at a point in dp from the top left, or an empty string."""
        tiles: tuple[SectionTile, ...] = self.shown or ()
        for tile, place in zip(tiles, places(len(tiles), self.w, self.h) if tiles else (), strict=True):
            if 0 <= x - place.x <= place.w and 0 <= y - place.y <= place.h:
                return tile.space
        return ""


def _draw(pen: Pen, tile: SectionTile, place: TileRect, arrow: str) -> None:
    """Draw a tile: the kerb of a corner, its head and its cars."""
    x, y, w, h = place
    pen.fill(x, y, w, h, "bg3" if tile.here else "bg1", 4)
    if tile.kind == "corner":
        _kerb(pen, x + 1, y + 1, w - 2)
    pen.rim(x, y, w, h, "hi" if tile.here else "line", 2.5 if tile.here else 1, 4)
    middle = y + (HEAD if h >= LOW else h / 2 + 2)
    left = x + PAD + pen.text(str(tile.number), x + PAD, middle, SMALL, "hi", BOLD) + 5
    right = _badge(pen, tile, left, x + w - PAD + 2, middle, arrow)
    if h < LOW:
        _cars(pen, tile, TileRect(left, y + h / 2 - PLATE / 2, right - left, PLATE))
        return
    top = top_of(tile, w, h)
    if second_line(tile, w, h):
        points = _points(pen, tile, x + w - PAD + 2, middle + NAME_LINE) if tile.points else x + w - 2
        pen.text(tile.name, x + PAD, middle + NAME_LINE, CAPTION, "mid", SEMIBOLD, room=points - x - PAD, cut=True)
    else:
        points = _points(pen, tile, right, middle) if line_of(tile) <= w else right
        pen.text(tile.name, left, middle, CAPTION, "mid", SEMIBOLD, room=points - left, cut=True)
    _cars(pen, tile, TileRect(x + 5, y + top, w - 9, h - top - FOOT))


def _kerb(pen: Pen, x: float, y: float, w: float) -> None:
    pen.fill(x, y, w, KERB, "kerb2", 2)
    for at in range(0, math.ceil(w / DASH), 2):
        pen.fill(x + at * DASH, y, min(DASH, w - at * DASH), KERB, "kerb", 2 if not at else 0)


def _badge(pen: Pen, tile: SectionTile, left: float, right: float, middle: float, arrow: str) -> float:
    """Draw the kind of a section; return its left edge.

    It is the bonus of a corner on its flag, a sign for late braking, or an arrow onwards.
    """
    if tile.late:
        wide = pen.width(tile.late, CAPTION, BOLD) + 10
        right -= wide
        pen.rim(right, middle - SIGN / 2, wide, SIGN, "mid", 1.5, 9)
        pen.text(tile.late, right + wide / 2, middle, CAPTION, "hi", BOLD, "centre")
        right -= 4
    if tile.bonus:
        pen.fill(right - BADGE, middle - 10.5, BADGE, BADGE, "flag", 3)
        pen.text(tile.bonus, right - BADGE / 2, middle, SMALL, "onflag", BOLD, "centre")
    elif right - 18 > left and tile.kind != "corner":
        pen.icon("brakes" if tile.kind == "braking" else arrow, right - 9, middle, 17, "low")
    return right - BADGE - 4


def _points(pen: Pen, tile: SectionTile, right: float, middle: float) -> float:
    """Draw the points of the ideal line, filled if taken; return their left edge."""
    for point in reversed(tile.points):
        wide = pen.width(point.text, CAPTION, BOLD) + 7
        right -= wide
        if point.car:
            pen.fill(right, middle - 8, wide, 16, "bg4", 3)
        else:
            pen.rim(right, middle - 8, wide, 16, "low", 1, 3)
        pen.text(point.text, right + wide / 2, middle, CAPTION, "mid" if point.car else "hi", BOLD, "centre")
        right -= 3
    return right - 1


def _cars(pen: Pen, tile: SectionTile, room: TileRect) -> None:
    """Draw the cars from the head of the line, in rows with codes or as plates alone.

    Rows are used if all fit. A single car needs less room for its code.
    """
    x, y, w, h = room
    rows = max(1, int((h + 4) // CAR))
    if len(tile.cars) <= rows and (w >= CODES_WIDTH - 9 or (len(tile.cars) == 1 and w >= CODE_WIDTH)) and h > PLATE:
        for at, car in enumerate(tile.cars):
            _row(pen, car, x, y + at * CAR, w)
        return
    rows, (across, pitch) = rows_of(h), plates(w + 9)
    shown = len(tile.cars) if len(tile.cars) <= rows * across else rows * across - 1
    left, top = x - 5 + RINGED, y + PLATE / 2 + 1
    stand = [(left + at % across * pitch, top + at // across * PACKED) for at in range(shown)]
    for draw in (_around, _plate):  # plates stand close: none is to lie under the ring of the next
        for car, middle in zip(tile.cars, stand, strict=False):
            draw(pen, car, *middle)
    if shown < len(tile.cars):
        last = left + shown % across * pitch, top + shown // across * PACKED
        pen.text(f"+{len(tile.cars) - shown}", *last, CAPTION, "hi", BOLD, "centre")


def _row(pen: Pen, car: InSection, x: float, y: float, w: float) -> None:
    """Draw a car with its code and, if there is room, its place in the line."""
    middle = y + PLATE / 2 + 1
    if car.playing:
        pen.fill(x, y - 1, w - 1, CAR - 1, "bg4", 3)
    if w >= CODES_WIDTH - 9:
        pen.text(str(car.place) if car.place else "–", x + 5, middle, CAPTION, "mid")
    else:
        x -= 20
    _around(pen, car, x + 34, middle)
    _plate(pen, car, x + 34, middle)
    end = x + w - 4 + (20 if w < CODES_WIDTH - 9 else 0)
    if car.still:
        pen.icon("pause", end - 8, middle, 15, "mid")
        end -= 18
    pen.text(car.code, x + 53, middle, BODY - 1, "hi", room=end - x - 53, cut=True)


def _around(pen: Pen, car: InSection, x: float, y: float) -> None:
    """Draw the ring of the car to play, or the mark of one off the track."""
    if car.playing:
        pen.ring(x, y, 30)
    if not car.place:
        pen.rim(x - 14, y - 14, 28, 28, "warn", 2, 14, dashes=True)


def _plate(pen: Pen, car: InSection, x: float, y: float) -> None:
    plate.draw(pen, car.plate, x, y, PLATE)
