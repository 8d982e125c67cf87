"""The board as SVG: the whole circuit for spectators, the relevant part for the driver."""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Sequence
from typing import Final, NamedTuple

import msgspec

from companion.drawing.circuit import CircuitDrawing, drawing_of
from companion.drawing.closing import Point
from companion.drawing.notes import spread
from companion.drawing.paints import BOX, widened
from companion.rules.circuit.track import Track
from companion.rules.public import Board
from companion.view.framing import Frame, frame_of
from companion.view.markup import Html, el
from companion.view.shown import Price
from companion.view.shown_board import BoardScene, CarMark, CornerNote, SectionTile, SpaceMark
from companion.web.art import icon, plate, plate_at

LEADER_DIVISOR: Final = 2.0
"""Plates moved by more than their size divided by this get a line to their space."""
NAME_OFFSETS: Final = (1.2, 2.2, 3.4, 5.0, 7.0)
"""Offsets of a corner's name from the edge of the road, nearest first, in spaces."""
LARGE: Final = 20
"""Letter size above which a board is a wall's."""
NAME_LETTERS: Final = 40
"""Letters of a corner's name that would fill the width of a board."""
COVERED_PER_PIXEL: Final = 0.015
"""Cost of each pixel that a name is further from its corner, in covered spaces of the road."""
OVERLAP_COST: Final = 50
"""Cost of covering a plate, another name or the card over the board, in covered spaces of the road."""
CARD: Final = 0.38, 0.58
"""Left and top of the last ruling's card over a wall's board, as shares of its width and height."""
PRICE_SHIFT: Final = 16.0
"""Shift of a letter to make room for the prices of its space, in pixels."""
ROW: Final = 15.0
"""Height of a line of prices, in pixels."""
BEHIND, AHEAD = 2, 6
"""Number of sections shown behind and ahead of the driver who is asked."""


class Projection:
    """The projection of a frame of the board onto a picture."""

    def __init__(self, drawing: CircuitDrawing, frame: Frame, width: float, height: float) -> None:
        self.drawing, self.frame, self.width, self.height = drawing, frame, width, height

    def __call__(self, points: Sequence[Point]) -> list[Point]:
        return self.frame.all_from_corner(points, self.width, self.height)

    def sees(self, points: Sequence[Point]) -> bool:
        """Return True if any of these points lies in the picture, or near it."""
        return any(-80 < x < self.width + 80 and -80 < y < self.height + 80 for x, y in self(points))

    def line(self, points: Sequence[Point], closed: bool = False) -> str:
        """Return the SVG path through points of the board."""
        return _line(self(points), closed)


def _line(points: Sequence[Point], closed: bool = False) -> str:
    """Return the SVG path through points of the picture, with short relative coordinates."""
    drawn: list[str] = []
    at = 0, 0
    for x, y in points:
        to = round(x * 10), round(y * 10)
        if to != at or not drawn:
            drawn.append(f"{(to[0] - at[0]) / 10:g} {(to[1] - at[1]) / 10:g}")
            at = to
    return f"M{drawn[0]}l{' '.join(drawn[1:])}{'z' if closed else ''}".replace(" -", "-") if drawn else ""


def board(track: Board, scene: BoardScene, width: int, height: int, *, named: bool = False, near: bool = False) -> Html:
    """Draw the board of a scene, in pixels.

    `named` adds the names of corners. Of a list of sections or corners, `near` shows only those that matter to the car
    to play.
    """
    if not isinstance(track, Track):
        return _sections(scene, near=near)
    if track.known == "corner":
        return _corner_sheet(track, scene, near=near)
    drawing = drawing_of(track)
    frame = frame_of(drawing, scene, None, width, height)
    view = Projection(drawing, frame, width, height)
    parts = [_ground(track, frame, width, height, near=scene.close != "overview")]
    parts += [_mark(view, mark) for mark in scene.spaces if mark.space in track.ids]
    if scene.close != "overview":
        there = [corner for corner in scene.corners if corner.done >= 0]
        car = next((car for car in scene.cars if car.space == scene.around), None)
        if car is not None and car.space in track.ids:
            out = drawing.next_exit(drawing.cells[track.ids[car.space]].along)
            parts.append(el("path", d=view.line(out), cls="exit") if out else Html(""))
        parts += _flags(view, scene, tuple((one, f"{one.name} · {one.made}") for one in there), 15)
    elif named:
        parts += _flags(view, scene, tuple((one, one.name) for one in scene.corners), width / NAME_LETTERS)
    parts.append(_cars(view, scene))
    return el("svg", parts, cls="board", viewBox=f"0 0 {width} {height}", role="img", aria_label=track.name)


@functools.lru_cache(maxsize=32)
def _ground(track: Track, frame: Frame, width: int, height: int, *, near: bool) -> Html:
    """Draw the constant part: road, corners, kerbs and line, and the spaces if `near`."""
    drawing = drawing_of(track)
    view = Projection(drawing, frame, width, height)
    edges = drawing.lines.edges
    bends = [[drawing.strip(b.begin, b.end, side * drawing.half) for side in (-1, 1)] for b in drawing.bends]
    corners = "".join(view.line((*left, *right[::-1]), True) for left, right in bends)
    pits = "".join(view.line((*left, *right[::-1]), True) for left, right in (*drawing.pit_ground, *drawing.pit_road))
    parts = [
        el("path", d=pits, cls="asphalt") if pits else None,
        el("path", d="".join(view.line(edge, True) for edge in edges), cls="asphalt", fill_rule="evenodd"),
        el("path", d=corners, cls="corner"),
    ]
    kerbs = "".join(view.line(kerb) for kerb in drawing.lines.kerbs if not near or view.sees(kerb))
    if near:
        lanes = [*drawing.lines.ends, *drawing.pit_edges]
        parts.append(el("path", d="".join(view.line(line) for line in lanes if view.sees(line)), cls="cell"))
    parts.append(el("path", d="".join(view.line(lane) for lane in drawing.lines.lanes), cls="lane"))
    if near and kerbs:
        parts += [el("path", d=kerbs, cls="kerb"), el("path", d=kerbs, cls="kerb2")]
    parts.append(el("path", d="".join(view.line(edge) for edge in edges), cls="edge"))
    parts.append(el("path", d="".join(view.line(line) for line in drawing.lines.finish), cls="finish"))
    return el("g", parts)


def _mark(view: Projection, mark: SpaceMark) -> Html:
    """Draw a space that the board highlights."""
    cell = view.drawing.cells[view.drawing.track.ids[mark.space]]
    if not view.sees(cell.outline):
        return Html("")
    (x, y), *_ = view([(cell.middle.x, cell.middle.y)])
    small = mark.state in ("ahead", "danger", "range")
    shown = [] if mark.state == "ahead" else [el("path", d=view.line(cell.outline, True), cls=f"s-{mark.state}")]
    if mark.text:
        aside = PRICE_SHIFT if mark.prices and mark.state in ("choice", "chosen") else 0
        shown.append(el("text", mark.text, x=x - aside, y=y + (5 if small else 8), cls=f"n-{mark.state}"))
        if aside:
            shown += [_price(one, x, y + ROW * (at - (len(mark.prices) - 1) / 2)) for at, one in enumerate(mark.prices)]
    return el("g", shown, data_space=mark.space if mark.state in ("choice", "chosen") else None)


def _price(one: Price, x: float, y: float) -> Html:
    """Draw a price in a space next to its letter; of a roll only the pictogram, for lack of room."""
    if one.icon and "/" in one.text:
        one = msgspec.structs.replace(one, text="")
    drawn = el("svg", icon(one.icon), x=x - 6, y=y - 7, width=14, height=14, viewBox="0 0 24 24") if one.icon else None
    return el("g", drawn, el("text", one.text, x=x + 10 if drawn else x - 4, y=y + 5, cls="price"), cls=f"t-{one.tone}")


class _Spot(NamedTuple):
    """A possible place for a corner's flag and name.

    `x` is its left edge, `wide` its width and `y` its height in the picture; `covers` is how much of the road it hides,
    plus a little for its distance.
    """

    x: float
    y: float
    wide: float
    covers: float

    def meets(self, x: float, y: float, half: float, size: float) -> bool:
        """Return True if a plate of that half width would overlap it."""
        return self.x - half < x < self.x + self.wide + half and abs(y - self.y) < half + size * 0.6


def _places(
    view: Projection, names: tuple[tuple[int, str], ...], size: float, plates: Sequence[Point], wide: float
) -> list[Point]:
    """Place each corner's flag and name next to the road, in letters of `size`.

    The spot that hides least of the road, the plates and earlier flags is chosen, so flags stay in place until a plate
    gets there.
    """
    card = view.width * CARD[0], view.height * CARD[1]
    taken: list[_Spot] = []
    for spots in _spots(view.drawing.track, view.frame, view.width, view.height, names, size):

        def worth(spot: _Spot) -> float:
            hidden = spot.covers + sum(OVERLAP_COST for x, y in plates if spot.meets(x, y, wide / 2, size))
            hidden += OVERLAP_COST * (size > LARGE and spot.x + spot.wide > card[0] and spot.y + size > card[1])
            return hidden + sum(
                OVERLAP_COST for x, y, long, _ in taken
                if spot.x < x + long + size / 2 and x < spot.x + spot.wide and abs(y - spot.y) < 1.6 * size
            )  # fmt: skip

        taken.append(min(spots, key=worth))
    return [(spot.x, spot.y) for spot in taken]


@functools.lru_cache(maxsize=8)
def _spots(
    track: Track, frame: Frame, width: float, height: float, names: tuple[tuple[int, str], ...], size: float
) -> list[list[_Spot]]:
    """Return the possible spots of each corner, the nearest first."""
    drawing = drawing_of(track)
    view = Projection(drawing, frame, width, height)
    road = [(x, y) for x, y in view([(cell.middle.x, cell.middle.y) for cell in drawing.cells])
            if -size < x < width + size and -size < y < height + size]  # fmt: skip
    (ax, ay), (bx, by) = view([(0.0, 0.0), (0.0, 0.5)])
    beside = max(size * 1.3, size / 2 + math.hypot(ax - bx, ay - by))
    found = []
    for corner, name in names:
        bend, wide = drawing.bends[corner], size * (1.6 + 0.5 * len(name))
        pose = drawing.pose((bend.begin + bend.end) / 2, 0)
        (at_x, at_y), *_ = view([(pose.x, pose.y)])
        spots = []
        for away, side, rows in itertools.product(NAME_OFFSETS, (bend.inside, -bend.inside), (0, -1, 1, -2, 2)):
            (x, middle), *_ = view([pose.beside(side * (drawing.half + away))])
            y = min(max(size, middle + 1.7 * size * rows), height - size)
            for left in (min(max(4.0, at), width - wide - 4) for at in (x - wide / 2, x - wide, x)):
                hidden = sum(left - size < a < left + wide + size and abs(b - y) < beside for a, b in road)
                far = math.hypot(max(left - at_x, at_x - left - wide, 0.0), y - at_y)
                spots.append(_Spot(left, y, wide, hidden + COVERED_PER_PIXEL * far))
        found.append(spots)
    return found


def _flags(view: Projection, scene: BoardScene, corners: Sequence[tuple[CornerNote, str]], size: float) -> list[Html]:
    """Draw the flags of corners with their words, clear of the road and the plates."""
    plates = [at for _, _, at in _standing(view, scene)]
    names = tuple((one.corner, said) for one, said in corners)
    places = _places(view, names, size, plates, _plate_size(view, scene))
    return [_flag(one.stops, said, size, at) for (one, said), at in zip(corners, places, strict=True)]


def _flag(stops: int, text: str, size: float, at: Point) -> Html:
    """Draw a corner's flag with its stops and a word, in letters of `size`."""
    left, y = at
    half = size * 0.6
    right = left + 2 * half
    cloth = [(left, y - half), (right, y - half), (right - half / 2, y), (right, y + half), (left, y + half)]
    return el(
        "g", el("path", d=_line(cloth, True), cls="flag"), el("text", stops, x=left + 0.8 * half, y=y + size * 0.33,
        cls="stops"), el("text", text, x=right + size * 0.3, y=y + size * 0.33, cls="name"), font_size=size,
    )  # fmt: skip


def _plate_size(view: Projection, scene: BoardScene) -> float:
    """Return the size of a plate in pixels."""
    return max(20.0, view.width / 19) if scene.close == "overview" else 26.0


def _standing(view: Projection, scene: BoardScene) -> list[tuple[CarMark, Point, Point]]:
    """Return the visible cars with their positions and those of their plates.

    In the overview, plates that would overlap are moved apart.
    """
    ids = view.drawing.track.ids
    there = [car for car in scene.cars if car.space in ids and view.sees(view.drawing.cells[ids[car.space]].outline)]
    cells = [view.drawing.cells[ids[car.space]] for car in there]
    places = view([(cell.middle.x, cell.middle.y) for cell in cells])
    if scene.close != "overview":
        return list(zip(there, places, places, strict=True))
    middle = [(x - view.width / 2, y - view.height / 2) for x, y in places]
    wide = 1 + 2 * max((widened(car.plate.number) for car in there), default=0.0) / BOX
    moved = spread(middle, _plate_size(view, scene) * wide + 2, view.width, view.height)
    plates = [(x + view.width / 2, y + view.height / 2) for x, y in moved]
    return list(zip(there, places, plates, strict=True))


def _cars(view: Projection, scene: BoardScene) -> Html:
    """Draw the cars as plates, with a line to the space where a plate was moved aside."""
    size, drawn = _plate_size(view, scene), list[Html]()
    for car, (x, y), (at_x, at_y) in _standing(view, scene):
        if abs(at_x - x) + abs(at_y - y) > size / LEADER_DIVISOR:
            drawn.append(el("path", d=_line([(x, y), (at_x, at_y)]), cls="leader"))
        if car.state == "playing":
            drawn.append(el("circle", cx=at_x, cy=at_y, r=size * 0.82, cls="ring"))
        drawn.append(_car(car, at_x, at_y, size))
    return el("g", drawn)


def _car(car: CarMark, x: float, y: float, size: float) -> Html:
    return el("g", plate_at(car.plate, x, y, size), cls="car-out" if car.state in ("out", "spun") else None)


def _corner_sheet(track: Track, scene: BoardScene, *, near: bool) -> Html:
    """Draw a board known by its corners, as a list in driving order with the cars in or past each."""
    rows = []
    around = {scene.corner - 1, scene.corner, scene.corner + 1}
    for number in range(len(track.corners) + 1):
        corner = track.corners[number - 1] if number else None
        here = [car for car in scene.cars if car.space == f"corner:{number}"]
        past = [car for car in scene.cars if car.space == f"after:{number}"]
        if near and not (here or past or number in around):
            continue
        name = f"{number} {scene.corners[number - 1].name}" if corner is not None else "–"
        rows.append(
            el("li", el("i", corner.stops if corner is not None else ""), el("span", name),
               el("span", [plate(car.plate) for car in here]), el("span", "→", [plate(car.plate) for car in past],
                                                                  cls="past") if past else None)
        )  # fmt: skip
    return el("ol", rows, cls="corners")


def _sections(scene: BoardScene, *, near: bool) -> Html:
    """Draw a board of sections as tiles with their lines of cars."""
    here = next((at for at, tile in enumerate(scene.sections) if tile.here), -1)
    shown = scene.sections
    if near and here >= 0:
        shown = tuple(shown[(here + step) % len(shown)] for step in range(-BEHIND, AHEAD))
    return el("ol", [_tile(tile) for tile in shown], cls="tiles")


def _tile(tile: SectionTile) -> Html:
    about = " ".join(
        part for part in (tile.name, tile.bonus and f"+{tile.bonus}".replace("+−", "−"), tile.late) if part
    )
    return el("li", el("b", tile.number), el("small", about), el("span", [plate(car.plate) for car in tile.cars]),
              cls=f"k-{tile.kind}{' here' if tile.here else ''}")  # fmt: skip
