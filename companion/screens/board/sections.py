"""A board of sections: a tile for each, in rows that run to and fro, with the cars in line as they stand there."""

from __future__ import annotations

import math
from typing import Final, NamedTuple

from companion.screens.board.whole import Whole
from companion.screens.widgets import plate
from companion.screens.widgets.pen import BOLD, SEMIBOLD, Pen
from companion.screens.widgets.theme import BODY, CAPTION, SMALL
from companion.view.shown_board import InSection, SectionTile

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


KERB: Final = 6.0
DASH: Final = 10.0
PLATE: Final = 24.0
SIGN: Final = 19.0
"""How high the sign of late braking is."""
ALONE: Final = 66.0
"""How much room a car by itself needs for its code beside its plate."""


class SectionBoard(Whole):
    """Shows a tuple of `SectionTile`."""

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
        """The section at a place in dp from the top left; empty beside them all."""
        tiles: tuple[SectionTile, ...] = self.shown or ()
        for tile, place in zip(tiles, places(len(tiles), self.w, self.h) if tiles else (), strict=True):
            if 0 <= x - place.x <= place.w and 0 <= y - place.y <= place.h:
                return tile.space
        return ""


def _draw(pen: Pen, tile: SectionTile, place: Place, arrow: str) -> None:
    """A tile: the kerb of a corner, its head, and the cars."""
    x, y, w, h = place
    pen.fill(x, y, w, h, "bg3" if tile.here else "bg1", 4)
    if tile.kind == "corner":
        _kerb(pen, x + 1, y + 1, w - 2)
    pen.rim(x, y, w, h, "hi" if tile.here else "line", 2.5 if tile.here else 1, 4)
    middle = y + (HEAD if h >= LOW else h / 2 + 2)
    left = x + PAD + pen.text(str(tile.number), x + PAD, middle, SMALL, "hi", BOLD) + 5
    right = _badge(pen, tile, left, x + w - PAD + 2, middle, arrow)
    if h < LOW:
        _cars(pen, tile, Place(left, y + h / 2 - PLATE / 2, right - left, PLATE))
        return
    top = top_of(tile, w, h)
    if second_line(tile, w, h):
        points = _points(pen, tile, x + w - PAD + 2, middle + NAMED) if tile.points else x + w - 2
        pen.text(tile.name, x + PAD, middle + NAMED, CAPTION, "mid", SEMIBOLD, room=points - x - PAD, cut=True)
    else:
        points = _points(pen, tile, right, middle) if line_of(tile) <= w else right
        pen.text(tile.name, left, middle, CAPTION, "mid", SEMIBOLD, room=points - left, cut=True)
    _cars(pen, tile, Place(x + 5, y + top, w - 9, h - top - FOOT))


def _kerb(pen: Pen, x: float, y: float, w: float) -> None:
    pen.fill(x, y, w, KERB, "kerb2", 2)
    for at in range(0, math.ceil(w / DASH), 2):
        pen.fill(x + at * DASH, y, min(DASH, w - at * DASH), KERB, "kerb", 2 if not at else 0)


def _badge(pen: Pen, tile: SectionTile, left: float, right: float, middle: float, arrow: str) -> float:
    """What kind of section it is: the bonus of a corner on its flag, a sign of late braking, or the way on."""
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
    """The points of the ideal line, those on which somebody stands filled; where they begin comes back."""
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


def _cars(pen: Pen, tile: SectionTile, room: Place) -> None:
    """The cars from the head of the line: each in a row with its code, or, where there is no room, plates alone; a car
    by itself needs less room for its code."""
    x, y, w, h = room
    rows = max(1, int((h + 4) // CAR))
    if len(tile.cars) <= rows and (w >= CODE - 9 or (len(tile.cars) == 1 and w >= ALONE)) and h > PLATE:
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
    """A car with its place in the line, where there is room for it, and its code."""
    middle = y + PLATE / 2 + 1
    if car.playing:
        pen.fill(x, y - 1, w - 1, CAR - 1, "bg4", 3)
    if w >= CODE - 9:
        pen.text(str(car.place) if car.place else "–", x + 5, middle, CAPTION, "mid")
    else:
        x -= 20
    _around(pen, car, x + 34, middle)
    _plate(pen, car, x + 34, middle)
    end = x + w - 4 + (20 if w < CODE - 9 else 0)
    if car.still:
        pen.icon("pause", end - 8, middle, 15, "mid")
        end -= 18
    pen.text(car.code, x + 53, middle, BODY - 1, "hi", room=end - x - 53, cut=True)


def _around(pen: Pen, car: InSection, x: float, y: float) -> None:
    """What is around a plate: the ring of the car that plays, the mark of one that is off the track."""
    if car.playing:
        pen.ring(x, y, 30)
    if not car.place:
        pen.rim(x - 14, y - 14, 28, 28, "warn", 2, 14, dashes=True)


def _plate(pen: Pen, car: InSection, x: float, y: float) -> None:
    plate.draw(pen, car.plate, x, y, PLATE)
