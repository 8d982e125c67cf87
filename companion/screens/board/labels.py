"""Flags, names and prices beside the road: what is written there, and lines from prices to the spaces they
are the price of, each clear of everything else that is pointed at."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final

from kivy.graphics import InstructionGroup, Line, Triangle

from companion.drawing.circuit import Drawing
from companion.drawing.closing import Point
from companion.drawing.coverage import Coverage
from companion.drawing.notes import LETTERED, MARKED, ROAD, Box, Patch, Room, patch_of
from companion.drawing.spaces import Cell, inside
from companion.screens.board.car import LENGTH as CAR_LONG
from companion.screens.board.car import SPUN, length_at
from companion.screens.board.car import WIDTH as CAR_WIDE
from companion.screens.board.marked import CHOICES
from companion.screens.widgets import plate
from companion.screens.widgets.pen import BOLD, SEMIBOLD, Mark, Pen
from companion.screens.widgets.shapes import texture
from companion.screens.widgets.theme import BODY, CAPTION, TONES, theme
from companion.view.framing import NEAR, Frame
from companion.view.shown import Price
from companion.view.shown_board import BoardScene, CarMark, CornerNote, SpaceMark

Outline = Sequence[Point]

LONGEST: Final = 90.0
"""How far from its space a price may stand, in dp."""
CORNER: Final = 10.0
"""How near to a corner of its space a line may leave it, in dp: nearer it could be any space's that meets there."""
ALSO: Final = 0.4
"""How near where the space is small, as a share of the way from its middle."""
CLEAR: Final = 2.5
"""How far a line keeps from other spaces, from cars and from notes, in dp."""
APART: Final = 6.0
"""How far it keeps from another line."""
WITHIN: Final = 0.28, 7.0
"""How far within its space a line begins: as a share of the way from its edge to its middle, and at most in dp. So it
begins between the letter and the edge."""


@dataclass(frozen=True, slots=True)
class Shape:
    """A space in the view, in dp from its top left: its outline, the four corners of that, and its middle."""

    outline: Outline
    corners: tuple[Point, ...]
    middle: Point


@dataclass(frozen=True, slots=True)
class Leader:
    """A line: the space it begins in, where, the note it leads to, and where it ends there."""

    space: int
    start: Point
    end: Point
    box: Box


class Leaders:
    """The lines of a view; `spaces` are all that is pointed at, `kept` the outlines of cars and of notes."""

    def __init__(self, spaces: Mapping[int, Shape], kept: Iterable[Outline]) -> None:
        self._spaces = spaces
        self._rings = {space: Ring(shape.outline) for space, shape in spaces.items()}
        self._kept = [Ring(outline) for outline in kept]
        self._drawn: list[Row] = []

    def lead(self, spaces: Iterable[int], boxes: Iterable[Box]) -> Leader | None:
        """The line to the first of some places for a note that has one, from the nearest of its spaces; from now on
        others keep clear of both."""
        middles = {space: self._spaces[space].middle for space in spaces}
        for box in boxes:
            if self._free(box):
                space = min(middles, key=lambda space: math.dist(middles[space], box.nearest(*middles[space])))
                line = self._line(space, box)
                if line is not None:
                    self._drawn.append(Row((line.start, line.end)))
                    self._kept.append(Ring(box.corners))
                    return line
        return None

    def _free(self, box: Box) -> bool:
        """Whether a note in a rectangle would cover nothing of all that."""
        left, top = box.x - CLEAR, box.y - CLEAR
        right, bottom = left + (box.w + 2 * CLEAR), top + (box.h + 2 * CLEAR)
        beside = [
            other
            for some in (self._rings.values(), self._kept, self._drawn)
            for other in some
            if left <= other.right and other.left <= right and top <= other.bottom and other.top <= bottom
        ]
        if not beside:
            return True
        around = Ring(((left, top), (right, top), (right, bottom), (left, bottom)))
        return not any(around.near(other, 0.0) for other in beside)

    def _line(self, space: int, box: Box) -> Leader | None:
        """The line from a space to a note in a rectangle; none if it would mean something else, or cross it."""
        shape = self._spaces[space]
        (x, y), end = shape.middle, box.nearest(*shape.middle)
        crossed = [at for edge in self._rings[space].edges if (at := _crossing((shape.middle, end), edge)) is not None]
        if not crossed:
            return None
        out = min(crossed, key=lambda at: math.dist(shape.middle, at))
        far = math.dist(shape.middle, out)
        if math.dist(out, end) > LONGEST or min(math.dist(out, at) for at in shape.corners) < min(CORNER, ALSO * far):
            return None
        share, most = WITHIN
        within = 1 - min(most, share * far) / far
        start = x + (out[0] - x) * within, y + (out[1] - y) * within
        line = Row((start, end))
        others = [ring for at, ring in self._rings.items() if at != space]
        if any(other.near(line, CLEAR) for other in (*others, *self._kept)):
            return None
        return None if any(other.near(line, APART) for other in self._drawn) else Leader(space, start, end, box)


class Row:
    """A row of points, joined."""

    def __init__(self, points: Outline) -> None:
        self.points = points
        self.edges = list(pairwise(points))
        xs, ys = [x for x, _ in points], [y for _, y in points]
        self.left, self.right, self.top, self.bottom = min(xs), max(xs), min(ys), max(ys)

    def near(self, other: Row, far: float) -> bool:
        """Whether the two come so near to one another."""
        if self.left - far > other.right or other.left - far > self.right:
            return False
        if self.top - far > other.bottom or other.top - far > self.bottom:
            return False
        if self.holds(other.points[0]) or other.holds(self.points[0]):
            return True
        ones, twos = self._by(other, far), other._by(self, far)
        return any(
            _crossing(one, two) is not None or (far > 0 and _apart(one, two) < far) for one in ones for two in twos
        )

    def _by(self, other: Row, far: float) -> list[tuple[Point, Point]]:
        """Its edges that may come so near to another row: the others lie all to one side of that."""
        left, right, top, bottom = other.left - far, other.right + far, other.top - far, other.bottom + far
        return [
            edge
            for edge in self.edges
            if (edge[0][0] >= left or edge[1][0] >= left)
            and (edge[0][0] <= right or edge[1][0] <= right)
            and (edge[0][1] >= top or edge[1][1] >= top)
            and (edge[0][1] <= bottom or edge[1][1] <= bottom)
        ]

    def holds(self, point: Point) -> bool:
        """Whether a point lies within."""
        return False


class Ring(Row):
    """A closed row."""

    def __init__(self, outline: Outline) -> None:
        super().__init__((*outline, outline[0]))

    def holds(self, point: Point) -> bool:
        return inside(self.points, *point)


def _apart(one: tuple[Point, Point], other: tuple[Point, Point]) -> float:
    """How far two pieces of lines that do not cross are from one another."""
    ends = [(point, other) for point in one] + [(point, one) for point in other]
    return min(_beside(point, piece) for point, piece in ends)


def _beside(point: Point, piece: tuple[Point, Point]) -> float:
    (x, y), ((x1, y1), (x2, y2)) = point, piece
    dx, dy = x2 - x1, y2 - y1
    share = ((x - x1) * dx + (y - y1) * dy) / (dx * dx + dy * dy or 1.0)
    share = min(1.0, max(0.0, share))
    return math.hypot(x - x1 - share * dx, y - y1 - share * dy)


def _crossing(one: tuple[Point, Point], other: tuple[Point, Point]) -> Point | None:
    """Where two pieces of lines cross."""
    ((x1, y1), (x2, y2)), ((x3, y3), (x4, y4)) = one, other
    dx, dy, ex, ey = x2 - x1, y2 - y1, x4 - x3, y4 - y3
    turn = dx * ey - dy * ex
    if abs(turn) < 1e-9:
        return None
    along, across = ((x3 - x1) * ey - (y3 - y1) * ex) / turn, ((x3 - x1) * dy - (y3 - y1) * dx) / turn
    return (x1 + dx * along, y1 + dy * along) if 0 <= along <= 1 and 0 <= across <= 1 else None


CHIP: Final = 26
AWAY: Final = 32.0
"""How much room the plate of a car takes that is out of the picture, in dp."""
PAD: Final = 8
ASTRAY: Final = 48.0
"""How far from its spaces a price without a line may stand, in dp."""
REACH: Final = LONGEST + NEAR["landing"] / 2
"""How far from the middle of its space a price with a line is looked for a place, in dp."""
KERB: Final = 5.0
"""How far from its line a kerb is kept clear of notes, in dp."""
FLAG: Final = (30.0, 21.0)
STRAY: Final = 200.0
"""How far from its corner a flag may stand, in dp."""
CLEARLY: Final = 8.0
"""How much nearer to its own corner than to any other a flag stands, in dp."""

Wish = tuple[tuple[Price, ...], list[int], Callable[[], Iterator[Box]]]
"""What wants a line: prices, their spaces in view, and what gives the places for them, the best first."""


@functools.lru_cache(maxsize=4)
def flag_picture(wide: int, high: int) -> Any:
    """The flag of a corner, in pixels."""
    drawn = Coverage(wide, high)
    drawn.polygon([[(0, 0), (wide, 0), (wide * 0.82, high / 2), (wide, high), (0, high)]])
    return texture(drawn)


class Notes:
    """Flags, names and prices beside the road, laid out for one frame."""

    def __init__(self, group: InstructionGroup, drawing: Drawing, frame: Frame, width: float, height: float) -> None:
        self.pen = Pen(group, width * theme.scale, height * theme.scale)
        self.drawing, self.frame = drawing, frame
        self.w, self.h = width, height
        self.boxes: list[Box] = []
        self.leaders: list[Leader] = []
        """The lines from prices to their spaces."""
        self.flags: dict[int, Box] = {}
        """The flag of each corner that has one, by the corner's index."""
        self._outlines: dict[int, list[Point]] = {}

    @property
    def marks(self) -> list[Mark]:
        """What was written, for whoever checks it."""
        return self.pen.marks

    def lay(self, scene: BoardScene) -> None:
        """Finds a place for every note and draws it."""
        ids = self.drawing.track.ids
        room = self._room(scene)
        self._away(scene, room)
        for note in sorted(scene.corners, key=lambda note: not note.made):
            self._corner(note, room)
        groups: dict[tuple[tuple[Price, ...], str], list[SpaceMark]] = {}
        for mark in scene.spaces:
            if mark.prices and mark.space in ids and mark.state not in CHOICES:  # they bear their own
                groups.setdefault((mark.prices, mark.state), []).append(mark)
        led = [marks for marks in groups.values() if _worst(marks[0].prices) == "ok"]
        for marks in groups.values():
            if marks not in led:
                self._price(marks, room)
        self._led(led, scene, room)

    def view(self, x: float, y: float) -> Point:
        """A point of the board in dp from the top left of the view."""
        right, up = self.frame.to_view(x, y)
        return self.w / 2 + right, self.h / 2 - up

    def _views(self, points: Iterable[Point]) -> list[Point]:
        """Many points of the board in dp from the top left of the view."""
        return self.frame.all_from_corner(points, self.w, self.h)

    def _outline(self, cell: Cell) -> list[Point]:
        """The outline of a space in the view."""
        outline = self._outlines.get(cell.space)
        if outline is None:
            outline = self._outlines[cell.space] = self._views(cell.outline)
        return outline

    @functools.cached_property
    def _near(self) -> list[Cell]:
        """The spaces of which something may be in view."""
        beyond = self.drawing.reach * self.frame.zoom
        middles = self._views((cell.middle.x, cell.middle.y) for cell in self.drawing.cells)
        right, bottom = self.w + beyond, self.h + beyond
        return [
            cell
            for cell, (x, y) in zip(self.drawing.cells, middles, strict=True)
            if -beyond < x < right and -beyond < y < bottom
        ]

    def _seen(self, point: Point) -> bool:
        return 0 <= point[0] <= self.w and 0 <= point[1] <= self.h

    def _room(self, scene: BoardScene) -> Room:
        ids = self.drawing.track.ids
        room = Room(self.w, self.h)
        costs = {
            ids[mark.space]: LETTERED if mark.state in CHOICES else MARKED for mark in scene.spaces if mark.space in ids
        }
        for cell in self._near:
            room.block(self._outline(cell), costs.get(cell.space, ROAD))
        for kerb in self.drawing.lines.kerbs:
            room.border(self._views(kerb), KERB, ROAD)
        half = length_at(self.frame.zoom) / 2
        for car in scene.cars:
            if car.space in ids:  # a car is larger than its space
                at = self.drawing.cells[ids[car.space]].middle
                x, y = self.view(at.x, at.y)
                room.take(Box(x - half, y - half, 2 * half, 2 * half), 3.0 if car.state == "playing" else -half / 4)
        return room

    def _away(self, scene: BoardScene, room: Room) -> None:
        """The plate of the car that plays, and which way it stands, if it is out of the picture."""
        ids = self.drawing.track.ids
        car = next((car for car in scene.cars if car.state == "playing" and car.space in ids), None)
        if car is None:
            return
        there = self.drawing.cells[ids[car.space]].middle
        x, y = self.view(there.x, there.y)
        if self._seen((x, y)):
            return
        box = room.place(AWAY, AWAY, [(min(max(x, 0.0), self.w), min(max(y, 0.0), self.h))])
        if box is None:
            return
        room.take(box)
        self.boxes.append(box)
        middle = box.middle
        far = math.dist(middle, (x, y))
        dx, dy = (x - middle[0]) / far, (y - middle[1]) / far
        tip, foot = AWAY / 2 + 8, AWAY / 2 - 2
        points = (
            (middle[0] + dx * along - dy * beside, middle[1] + dy * along + dx * beside)
            for along, beside in ((tip, 0.0), (foot, 8.0), (foot, -8.0))
        )
        scale, high = float(theme.scale), self.pen.height
        self.pen.tint("hi")
        self.pen.group.add(Triangle(points=[part for px, py in points for part in (px * scale, high - py * scale)]))
        plate.draw(self.pen, car.plate, *middle, 24)

    def _corner(self, note: CornerNote, room: Room) -> None:
        bend = self.drawing.bends[note.corner]
        anchors = []
        for k in range(5):
            pose = self.drawing.line.at(bend.begin + (bend.end - bend.begin) * k / 4)
            if self._seen(self.view(pose.x, pose.y)):
                anchors += [self.view(*pose.beside(bend.inside * (self.drawing.half + far))) for far in (1.0, 2.0)]
        if not anchors or note.corner not in self._bends:
            return
        pen = self.pen
        words = max(pen.width(note.name, BODY), pen.width(note.made, CAPTION))
        high = 44.0 if note.made else 32.0
        places = room.places(FLAG[0] + 12 + words, high, anchors, 0.02, STRAY)
        by_it = (box for box in places if self._by_its_corner(note.corner, box))
        box = next((box for box in by_it if not room.covers(box, LETTERED)), None)
        if box is None:
            return  # there is room at another corner only, or on cars and the letters to choose from
        room.take(box)
        self.boxes.append(box)
        self.flags[note.corner] = box
        self._ground(box)
        pen.fill(box.x, box.y, 2.4, high, "mid")
        wide, tall = (pen.pixels(side) for side in FLAG)
        pen.picture(flag_picture(wide, tall), box.x + 2 + FLAG[0] / 2, box.y + 1 + FLAG[1] / 2, "flag")
        pen.marks.append(Mark("fill", box.x + 2, box.y + 1, FLAG[0] * 0.8, FLAG[1], theme.hex("flag")))
        pen.text(str(note.stops), box.x + 2 + FLAG[0] * 0.44, box.y + 1 + FLAG[1] / 2, 18, "onflag", BOLD, "centre")
        pen.text(note.name, box.x + FLAG[0] + 10, box.y + 12, BODY, "hi", SEMIBOLD)
        pen.text(note.made, box.x + FLAG[0] + 10, box.y + 33, CAPTION, "mid", SEMIBOLD)

    def _by_its_corner(self, corner: int, box: Box) -> bool:
        """Whether a place is clearly nearer to a corner than to any other that is seen."""
        clear = box.apart(self._bends[corner]) + CLEARLY
        return all(clear <= box.apart(patches) for one, patches in self._bends.items() if one != corner)

    @functools.cached_property
    def _bends(self) -> dict[int, list[Patch]]:
        """Of each corner in view the outlines of its spaces there, by its index."""
        found: dict[int, list[Patch]] = {}
        for cell in self._near:
            corner = self.drawing.track.corner[cell.space]
            if corner >= 0 and (seen := [at for at in self._outline(cell) if self._seen(at)]):
                found.setdefault(corner, []).append(patch_of(seen))
        return found

    def _ground(self, box: Box) -> None:
        """A quiet ground where a note has to lie on the road."""
        self.pen.fill(box.x - 3, box.y - 3, box.w + 6, box.h + 6, "ground", 4, 0.72)

    def _price(self, marks: list[SpaceMark], room: Room) -> None:
        """A price that stands by its spaces, without a line."""
        ids = self.drawing.track.ids
        middles = [self.drawing.cells[ids[mark.space]].middle for mark in marks]
        anchors = [point for point in (self.view(at.x, at.y) for at in middles) if self._seen(point)]
        if not anchors:
            return
        box = room.place(self._long(marks[0].prices) + 6, 20, anchors, 0.06)
        if box is None or all(math.dist(at, box.nearest(*at)) > ASTRAY for at in anchors):
            return  # nobody would know what it is the price of; the keys have it too
        room.take(box)
        self.boxes.append(box)
        self._ground(box)
        self._write(marks[0].prices, box, 3, plain=False)

    def _led(self, groups: list[list[SpaceMark]], scene: BoardScene, room: Room) -> None:
        """Prices with a line to their spaces. In whichever order more of them find room; one that finds none is left
        out, for the keys have it too."""
        ids, wishes = self.drawing.track.ids, list[Wish]()
        for marks in groups:
            spaces = [space for mark in marks if self._seen(self._shape(space := ids[mark.space]).middle)]
            size = self._long(marks[0].prices) + 2 * PAD, CHIP
            anchors = [self._shape(space).middle for space in spaces]
            places = functools.partial(room.places, *size, anchors, 0.06, REACH)
            wishes.append((marks[0].prices, spaces, places))
        found = self._lines(wishes, scene)
        if len(found) < len(wishes):
            found = max(found, self._lines(wishes[::-1], scene), key=len)
        for prices, line in found:
            room.take(line.box)
            self.boxes.append(line.box)
            self.leaders.append(line)
            self._line(line)
            self.pen.fill(line.box.x, line.box.y, line.box.w, line.box.h, "bg2", 6)
            self.pen.rim(line.box.x, line.box.y, line.box.w, line.box.h, "hi", 1.6, 6)
            self._write(prices, line.box, PAD, plain=True)

    def _lines(self, wishes: list[Wish], scene: BoardScene) -> list[tuple[tuple[Price, ...], Leader]]:
        """The prices that find room, one after the other, with their lines."""
        ids = self.drawing.track.ids
        pointed = {ids[at.space] for at in scene.spaces if at.space in ids and at.state not in ("range", "ahead")}
        cars = [self._car(car) for car in scene.cars if car.space in ids]
        kept = [*cars, *(box.corners for box in self.boxes)]
        leaders = Leaders({space: self._shape(space) for space in pointed}, kept)
        lines = ((prices, leaders.lead(spaces, places())) for prices, spaces, places in wishes)
        return [(prices, line) for prices, line in lines if line is not None]

    def _shape(self, space: int) -> Shape:
        cell = self.drawing.cells[space]
        corners = (side[end] for side in (cell.left_side, cell.right_side) for end in (0, -1))
        return Shape(self._outline(cell), tuple(self._views(corners)), self.view(cell.middle.x, cell.middle.y))

    def _car(self, car: CarMark) -> list[Point]:
        """What a car covers; the one that plays has its ring."""
        at = self.drawing.cells[self.drawing.track.ids[car.space]].middle
        long = length_at(self.frame.zoom) / self.frame.zoom / 2
        wide = long * CAR_WIDE / CAR_LONG
        angle = at.angle + (math.radians(SPUN) if car.state == "spun" else 0.0)
        if car.state == "playing":
            long = wide = 1.1 * long
        cos, sin = math.cos(angle), math.sin(angle)
        around = ((long, wide), (long, -wide), (-long, -wide), (-long, wide))
        return [self.view(at.x + x * cos - y * sin, at.y + x * sin + y * cos) for x, y in around]

    def _write(self, prices: tuple[Price, ...], box: Box, pad: float, plain: bool) -> None:
        """Prices in their place; `plain` ones are not in the colour of what they cost."""
        x = box.x + pad
        for price in prices:
            token = "hi" if plain else TONES[price.tone]
            if price.icon:
                self.pen.icon(price.icon, x + 8, box.middle[1], 16, token)
                x += 19
            x += self.pen.text(price.text, x, box.middle[1], CAPTION, token, BOLD) + 8

    def _long(self, prices: tuple[Price, ...]) -> float:
        """How long prices are in a row."""
        wide = (19 * bool(price.icon) + self.pen.width(price.text, CAPTION, BOLD) for price in prices)
        return sum(wide) + 8 * (len(prices) - 1)

    def _line(self, line: Leader) -> None:
        self.pen.tint("hi")
        scale, high = float(theme.scale), self.pen.height
        (x1, y1), (x2, y2) = line.start, line.end
        points = [x1 * scale, high - y1 * scale, x2 * scale, high - y2 * scale]
        self.pen.group.add(Line(points=points, width=max(1.0, 0.8 * scale)))


def _worst(prices: tuple[Price, ...]) -> str:
    tones = [price.tone for price in prices]
    return next((tone for tone in ("bad", "warn", "info", "ok") if tone in tones), "plain")
