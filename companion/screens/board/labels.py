"""Notes beside the road: flags, names and prices.

Lines lead from prices to their spaces; all are kept clear of each other and of everything else that matters.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import compress, pairwise
from typing import Any, Final

from kivy.graphics import InstructionGroup, Line, Triangle

from companion.drawing.circuit import CircuitDrawing, Disc
from companion.drawing.closing import Point
from companion.drawing.coverage import Coverage
from companion.drawing.notes import LETTERED, MARKED, ROAD, Box, Patch, Room, patch_of
from companion.drawing.spaces import Cell, inside
from companion.screens.board.car import LENGTH as CAR_LONG
from companion.screens.board.car import SPUN, length_at
from companion.screens.board.car import WIDTH as CAR_WIDE
from companion.screens.board.marked import CHOICES
from companion.screens.kit import plate
from companion.screens.kit.pen import BOLD, SEMIBOLD, Mark, Pen
from companion.screens.kit.shapes import texture
from companion.screens.kit.theme import BODY, CAPTION, TONES, theme
from companion.view.framing import NEAR, Frame
from companion.view.shown import Price
from companion.view.shown_board import BoardScene, CarMark, CornerNote, SpaceMark

Outline = Sequence[Point]

MAX_LEADER: Final = 90.0
"""Maximum length of a line from a space to its price, in dp."""
CORNER_GAP: Final = 10.0
"""Minimum distance from a corner of the space at which a line may leave it, in dp: nearer, it could belong to any space
that meets there."""
CORNER_GAP_SHARE: Final = 0.4
"""Minimum distance from a corner of a small space, as a share of the way from its middle."""
CLEARANCE: Final = 2.5
"""Minimum distance of a line from other spaces, cars and notes, in dp."""
LEADER_GAP: Final = 6.0
"""Minimum distance of a line from another line, in dp."""
START_INSET: Final = 0.28, 7.0
"""Inset of the start of a line from the edge of its space, as a share of the way to its middle, and its maximum in dp.
So a line begins between the letter and the edge."""


@dataclass(frozen=True, slots=True)
class Shape:
    """A space in the view: its outline, the four corners and the middle.

    Coordinates are in dp from the top left.
    """

    outline: Outline
    corners: tuple[Point, ...]
    middle: Point


@dataclass(frozen=True, slots=True)
class Leader:
    """A line from a space to its note: the space, both ends and the note's box."""

    space: int
    start: Point
    end: Point
    box: Box


class Leaders:
    """The lines of a view.

    `spaces` are all the marked spaces, `kept` the outlines of cars and notes.
    """

    def __init__(self, spaces: Mapping[int, Shape], kept: Iterable[Outline]) -> None:
        self._spaces = spaces
        self._rings = {space: Ring(shape.outline) for space, shape in spaces.items()}
        self._kept = [Ring(outline) for outline in kept]
        self._drawn: list[Polyline] = []

    def lead(self, spaces: Iterable[int], boxes: Iterable[Box]) -> Leader | None:
        """Return a line to the first box that allows one, None if none does.

        It starts in the nearest of the spaces. Later lines keep clear of the line and of its box.
        """
        middles = {space: self._spaces[space].middle for space in spaces}
        for box in boxes:
            if self._free(box):
                space = min(middles, key=lambda space: math.dist(middles[space], box.nearest(*middles[space])))
                line = self._line(space, box)
                if line is not None:
                    self._drawn.append(Polyline((line.start, line.end)))
                    self._kept.append(Ring(box.corners))
                    return line
        return None

    def _free(self, box: Box) -> bool:
        """Return True if a note in this box covers no space, note, car or line."""
        left, top = box.x - CLEARANCE, box.y - CLEARANCE
        right, bottom = left + (box.w + 2 * CLEARANCE), top + (box.h + 2 * CLEARANCE)
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
        """Return the line from a space to a box.

        None if it is too long, ambiguous, or too near to anything else.
        """
        shape = self._spaces[space]
        (x, y), end = shape.middle, box.nearest(*shape.middle)
        crossed = [at for edge in self._rings[space].edges if (at := _crossing((shape.middle, end), edge)) is not None]
        if not crossed:
            return None
        out = min(crossed, key=lambda at: math.dist(shape.middle, at))
        far = math.dist(shape.middle, out)
        gap = min(CORNER_GAP, CORNER_GAP_SHARE * far)
        if math.dist(out, end) > MAX_LEADER or min(math.dist(out, at) for at in shape.corners) < gap:
            return None
        share, most = START_INSET
        within = 1 - min(most, share * far) / far
        start = x + (out[0] - x) * within, y + (out[1] - y) * within
        line = Polyline((start, end))
        others = [ring for at, ring in self._rings.items() if at != space]
        if any(other.near(line, CLEARANCE) for other in (*others, *self._kept)):
            return None
        return None if any(other.near(line, LEADER_GAP) for other in self._drawn) else Leader(space, start, end, box)


class Polyline:
    """A polyline."""

    def __init__(self, points: Outline) -> None:
        self.points = points
        self.edges = list(pairwise(points))
        xs, ys = [x for x, _ in points], [y for _, y in points]
        self.left, self.right, self.top, self.bottom = min(xs), max(xs), min(ys), max(ys)

    def near(self, other: Polyline, far: float) -> bool:
        """Return True if the two lines come nearer than `far`."""
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

    def _by(self, other: Polyline, far: float) -> list[tuple[Point, Point]]:
        """Return the edges that may come within `far` of the other line's bounding box."""
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
        """Return True if a point is inside; never for an open line."""
        return False


class Ring(Polyline):
    """A closed polyline."""

    def __init__(self, outline: Outline) -> None:
        super().__init__((*outline, outline[0]))

    def holds(self, point: Point) -> bool:
        return inside(self.points, *point)


def _apart(one: tuple[Point, Point], other: tuple[Point, Point]) -> float:
    """Return the distance between two segments that do not cross."""
    ends = [(point, other) for point in one] + [(point, one) for point in other]
    return min(_beside(point, piece) for point, piece in ends)


def _beside(point: Point, piece: tuple[Point, Point]) -> float:
    (x, y), ((x1, y1), (x2, y2)) = point, piece
    dx, dy = x2 - x1, y2 - y1
    share = ((x - x1) * dx + (y - y1) * dy) / (dx * dx + dy * dy or 1.0)
    share = min(1.0, max(0.0, share))
    return math.hypot(x - x1 - share * dx, y - y1 - share * dy)


def _crossing(one: tuple[Point, Point], other: tuple[Point, Point]) -> Point | None:
    """Return the point where two segments cross, None if they do not."""
    ((x1, y1), (x2, y2)), ((x3, y3), (x4, y4)) = one, other
    dx, dy, ex, ey = x2 - x1, y2 - y1, x4 - x3, y4 - y3
    turn = dx * ey - dy * ex
    if abs(turn) < 1e-9:
        return None
    along, across = ((x3 - x1) * ey - (y3 - y1) * ex) / turn, ((x3 - x1) * dy - (y3 - y1) * dx) / turn
    return (x1 + dx * along, y1 + dy * along) if 0 <= along <= 1 and 0 <= across <= 1 else None


CHIP: Final = 26
AWAY_SIZE: Final = 32.0
"""Size of the plate of a car outside the picture with its arrow, in dp."""
PAD: Final = 8
MAX_PRICE_DISTANCE: Final = 48.0
"""Maximum distance of a price without a line from its spaces, in dp."""
SEARCH_RADIUS: Final = MAX_LEADER + NEAR["landing"] / 2
"""Radius around the middle of a space in which a price with a line is placed, in dp."""
KERB_MARGIN: Final = 5.0
"""Margin of a kerb's line that notes keep clear of, in dp."""
FLAG: Final = (30.0, 21.0)
MAX_FLAG_DISTANCE: Final = 200.0
"""Maximum distance of a flag from its corner, in dp."""
FLAG_MARGIN: Final = 8.0
"""Minimum by which a flag is nearer to its own corner than to any other, in dp."""

Wish = tuple[tuple[Price, ...], list[int], Callable[[], Iterator[Box]]]
"""Group of prices that wants a line: the prices, their spaces in view, and the possible places, best first."""


@functools.lru_cache(maxsize=4)
def flag_picture(wide: int, high: int) -> Any:
    """Return the flag of a corner as a texture, with its size in pixels."""
    drawn = Coverage(wide, high)
    drawn.polygon([[(0, 0), (wide, 0), (wide * 0.82, high / 2), (wide, high), (0, high)]])
    return texture(drawn)


class Notes:
    """The flags, names and prices beside the road, laid out for one frame."""

    def __init__(
        self, group: InstructionGroup, drawing: CircuitDrawing, frame: Frame, width: float, height: float
    ) -> None:
        self.pen = Pen(group, width * theme.scale, height * theme.scale)
        self.drawing, self.frame = drawing, frame
        self.w, self.h = width, height
        self.boxes: list[Box] = []
        self.leaders: list[Leader] = []
        """Lines from prices to their spaces."""
        self.flags: dict[int, Box] = {}
        """Flag of each corner that has one, by the corner's index."""
        self._outlines: dict[int, list[Point]] = {}

    @property
    def marks(self) -> list[Mark]:
        """The marks drawn so far, for checks of the layout."""
        return self.pen.marks

    def lay(self, scene: BoardScene) -> None:
        """Place and draw every note of a scene."""
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
        """Convert a point of the board to dp from the top left of the view."""
        right, up = self.frame.to_view(x, y)
        return self.w / 2 + right, self.h / 2 - up

    def _views(self, points: Iterable[Point]) -> list[Point]:
        """Convert points of the board to dp from the top left of the view."""
        return self.frame.all_from_corner(points, self.w, self.h)

    def _outline(self, cell: Cell) -> list[Point]:
        """Return the outline of a space in the view."""
        outline = self._outlines.get(cell.space)
        if outline is None:
            outline = self._outlines[cell.space] = self._views(cell.outline)
        return outline

    @functools.cached_property
    def _near(self) -> list[Cell]:
        """The spaces that may be partly in view."""
        return list(compress(self.drawing.cells, self._in_view(self.drawing.cell_discs)))

    def _in_view(self, discs: Sequence[Disc], margin: float = 0.0) -> Iterator[bool]:
        """Yield for each disc whether it may come within `margin` dp of the view."""
        zoom, right, bottom = self.frame.zoom, self.w + margin, self.h + margin
        for (x, y), (_, far) in zip(self._views(middle for middle, _ in discs), discs, strict=True):
            far *= zoom
            yield -far - margin < x < right + far and -far - margin < y < bottom + far

    def _is_inside(self, point: Point) -> bool:
        return 0 <= point[0] <= self.w and 0 <= point[1] <= self.h

    def _room(self, scene: BoardScene) -> Room:
        ids = self.drawing.track.ids
        room = Room(self.w, self.h)
        costs = {
            ids[mark.space]: LETTERED if mark.state in CHOICES else MARKED for mark in scene.spaces if mark.space in ids
        }
        for cell in self._near:
            room.block(self._outline(cell), costs.get(cell.space, ROAD))
        for kerb in compress(self.drawing.lines.kerbs, self._in_view(self.drawing.kerb_discs, KERB_MARGIN)):
            room.border(self._views(kerb), KERB_MARGIN, ROAD)
        half = length_at(self.frame.zoom) / 2
        for car in scene.cars:
            if car.space in ids:  # a car is larger than its space
                at = self.drawing.cells[ids[car.space]].middle
                x, y = self.view(at.x, at.y)
                room.take(Box(x - half, y - half, 2 * half, 2 * half), 3.0 if car.state == "playing" else -half / 4)
        return room

    def _away(self, scene: BoardScene, room: Room) -> None:
        """Draw the plate of the car to play at the edge if it is out of view.

        An arrow points to it.
        """
        ids = self.drawing.track.ids
        car = next((car for car in scene.cars if car.state == "playing" and car.space in ids), None)
        if car is None:
            return
        there = self.drawing.cells[ids[car.space]].middle
        x, y = self.view(there.x, there.y)
        if self._is_inside((x, y)):
            return
        box = room.place(AWAY_SIZE, AWAY_SIZE, [(min(max(x, 0.0), self.w), min(max(y, 0.0), self.h))])
        if box is None:
            return
        room.take(box)
        self.boxes.append(box)
        middle = box.middle
        far = math.dist(middle, (x, y))
        dx, dy = (x - middle[0]) / far, (y - middle[1]) / far
        tip, foot = AWAY_SIZE / 2 + 8, AWAY_SIZE / 2 - 2
        points = (
            (middle[0] + dx * along - dy * beside, middle[1] + dy * along + dx * beside)
            for along, beside in ((tip, 0.0), (foot, 8.0), (foot, -8.0))
        )
        scale, high = float(theme.scale), self.pen.height
        self.pen.tint("hi")
        self.pen.group.add(Triangle(points=[part for px, py in points for part in (px * scale, high - py * scale)]))
        plate.draw(self.pen, car.plate, *middle, 24)

    def _corner(self, note: CornerNote, room: Room) -> None:
        if note.corner not in self._bends:
            return
        bend = self.drawing.bends[note.corner]
        anchors = []
        for k in range(5):
            pose = self.drawing.line.at(bend.begin + (bend.end - bend.begin) * k / 4)
            if self._is_inside(self.view(pose.x, pose.y)):
                anchors += [self.view(*pose.beside(bend.inside * (self.drawing.half + far))) for far in (1.0, 2.0)]
        if not anchors:
            return
        pen = self.pen
        words = max(pen.width(note.name, BODY), pen.width(note.made, CAPTION))
        high = 44.0 if note.made else 32.0
        places = room.places(FLAG[0] + 12 + words, high, anchors, 0.02, MAX_FLAG_DISTANCE)
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
        """Return True if a box is clearly nearer to this corner than to any other in view."""
        clear = box.apart(self._bends[corner]) + FLAG_MARGIN
        return all(clear <= box.apart(patches) for one, patches in self._bends.items() if one != corner)

    @functools.cached_property
    def _bends(self) -> dict[int, list[Patch]]:
        """The outlines of the spaces in view, by the index of their corner."""
        found: dict[int, list[Patch]] = {}
        for cell in self._near:
            corner = self.drawing.track.corner[cell.space]
            if corner >= 0 and (seen := [at for at in self._outline(cell) if self._is_inside(at)]):
                found.setdefault(corner, []).append(patch_of(seen))
        return found

    def _ground(self, box: Box) -> None:
        """Draw a translucent background for a note that lies on the road."""
        self.pen.fill(box.x - 3, box.y - 3, box.w + 6, box.h + 6, "ground", 4, 0.72)

    def _price(self, marks: list[SpaceMark], room: Room) -> None:
        """Draw a price next to its spaces, without a line.

        It is left out if it would stand too far away; the keys have it too.
        """
        ids = self.drawing.track.ids
        middles = [self.drawing.cells[ids[mark.space]].middle for mark in marks]
        anchors = [point for point in (self.view(at.x, at.y) for at in middles) if self._is_inside(point)]
        if not anchors:
            return
        box = room.place(self._long(marks[0].prices) + 6, 20, anchors, 0.06)
        if box is None or all(math.dist(at, box.nearest(*at)) > MAX_PRICE_DISTANCE for at in anchors):
            return  # nobody would know what it is the price of; the keys have it too
        room.take(box)
        self.boxes.append(box)
        self._ground(box)
        self._write(marks[0].prices, box, 3, plain=False)

    def _led(self, groups: list[list[SpaceMark]], scene: BoardScene, room: Room) -> None:
        """Draw prices with lines to their spaces.

        Both orders of placing are tried and the one that fits more is used. A price that does not fit is left out; the
        keys have it too.
        """
        ids, wishes = self.drawing.track.ids, list[Wish]()
        for marks in groups:
            spaces = [space for mark in marks if self._is_inside(self._shape(space := ids[mark.space]).middle)]
            size = self._long(marks[0].prices) + 2 * PAD, CHIP
            anchors = [self._shape(space).middle for space in spaces]
            places = functools.partial(room.places, *size, anchors, 0.06, SEARCH_RADIUS)
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
        """Return the prices that fit, placed in this order, with their lines."""
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
        """Return the outline of a car; for the one to play it includes the ring."""
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
        """Draw prices in their box; `plain` ones ignore the tone of the cost."""
        x = box.x + pad
        for price in prices:
            token = "hi" if plain else TONES[price.tone]
            if price.icon:
                self.pen.icon(price.icon, x + 8, box.middle[1], 16, token)
                x += 19
            x += self.pen.text(price.text, x, box.middle[1], CAPTION, token, BOLD) + 8

    def _long(self, prices: tuple[Price, ...]) -> float:
        """Return the width of some prices in a row, in dp."""
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
