"""What is drawn over the board for the moment: spaces in reach, choices, the way driven, flags and prices."""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from typing import Any, Final

from kivy.graphics import InstructionGroup, Line, PopMatrix, PushMatrix, Translate, Triangle

from companion.rules.track import Track
from companion.screens import icons
from companion.screens.board.closing import Point
from companion.screens.board.drawing import Drawing, inside
from companion.screens.board.framing import Frame
from companion.screens.board.notes import MARKED, ROAD, TAKEN, Box, Room
from companion.screens.board.scenery import Painted, inset
from companion.screens.board.strokes import fills, strokes
from companion.screens.coverage import Coverage
from companion.screens.pen import BOLD, SEMIBOLD, Mark, Pen
from companion.screens.theme import BODY, CAPTION, SMALL, TONES, theme
from companion.screens.view.shown import BoardScene, CornerNote, Price, SpaceMark
from companion.screens.widgets import plate

OUTLINE: Final = {
    "free": "hi",
    "cost": "warn",
    "bad": "bad",
    "choice": "hi",
    "chosen": "pri",
    "danger": "bad",
    "ahead": "mid",
}
TINT: Final = {"free": 0.15, "cost": 0.18, "bad": 0.18, "danger": 0.1}
WHITE: Final = 0.82
"""How much of the daylight's white a space in reach has."""
FREE: Final = 0.75
"""How far from the middle of a car the line of a shot begins and ends, in spaces."""
AROUND: Final = (0.78, 0.52)
HOOK: Final = 0.24
"""How far ahead and beside a target the corners around it are, and how long their arms, in spaces."""
CHIP: Final = 26
REACHED: Final = ("free", "cost", "bad")
NARROW: Final = 17.0
"""How narrow a space in reach may be drawn for a figure of its own in every lane, in dp."""
AWAY: Final = 32.0
"""How much room the plate of a car takes that is out of the picture, in dp."""
PAD: Final = 8
FLAG: Final = (30.0, 21.0)


def over(drawing: Drawing, scene: BoardScene, zoom: float) -> Painted:
    """The marked spaces; narrow ones have thin outlines, that their figures may be read."""
    painted, ids = Painted(), drawing.track.ids
    daylight = theme.look == "daylight"
    by_state: dict[str, list[tuple[Sequence[Point], Sequence[Point]]]] = {}
    for mark in scene.spaces:
        if mark.space in ids and mark.state != "ahead":
            cell = drawing.cells[ids[mark.space]]
            by_state.setdefault(mark.state, []).append(inset(cell.left_side, cell.right_side, 0.05))
    for state, sides in by_state.items():
        if state == "choice":
            painted.fill("bg3", fills(sides))
        elif state == "chosen":
            painted.fill("pri", fills(sides))
        elif daylight:
            painted.fill("#FFFFFF", fills(sides), WHITE)
        else:
            painted.fill(OUTLINE[state], fills(sides), TINT[state])
    for state, sides in by_state.items():
        around = [[*left, *right[::-1], left[0]] for left, right in sides]
        thick = 2.5 if state in ("choice", "chosen") else 0.6 if narrow(drawing, scene, zoom) else 1.8
        painted.line(OUTLINE[state], strokes(around, thick, 4.0 if state == "danger" else 0.0))
    return painted


def driven(drawing: Drawing, scene: BoardScene) -> Painted:
    """The way driven, as a dotted line; it lies under the choices, so that their letters stay clear."""
    painted, ids = Painted(), drawing.track.ids
    way = [ids[name] for name in scene.path if name in ids]
    if len(way) > 1:
        painted.line("hi", strokes([[(pose.x, pose.y) for pose in drawing.way(way)]], 3.4, 4.0))
    return painted


def shot(drawing: Drawing, scene: BoardScene) -> Painted:
    """The line of a shot, from car to car, and corners around the one that is fired at."""
    painted, ids = Painted(), drawing.track.ids
    ends = [drawing.cells[ids[name]].middle for name in scene.shot if name in ids]
    if len(ends) == 2:
        start, at = ends
        length = math.dist((start.x, start.y), (at.x, at.y))
        cos, sin = math.cos(at.angle), math.sin(at.angle)
        if length > 2 * FREE:
            dx, dy = (at.x - start.x) * FREE / length, (at.y - start.y) * FREE / length
            painted.line("warn", strokes([[(start.x + dx, start.y + dy), (at.x - dx, at.y - dy)]], 2.5, 5.0))
        (along, across), arm = AROUND, HOOK
        corner = [(along - arm, across), (along, across), (along, across - arm)]
        around = [[(x * far, y * side) for x, y in corner] for far in (1, -1) for side in (1, -1)]
        hooks = [[(at.x + x * cos - y * sin, at.y + x * sin + y * cos) for x, y in hook] for hook in around]
        painted.line("warn", strokes(hooks, 3.0))
    return painted


def ahead(track: Track, scene: BoardScene) -> dict[str, str]:
    """The colours of the distances straight on: bright at the last space of a corner, low beyond it."""
    colours: dict[str, str] = {}
    token = "mid"
    for mark in scene.spaces:
        space = track.ids.get(mark.space, -1)
        if mark.state == "ahead" and space >= 0:
            following = track.ahead[space]
            leaves = track.corner[space] >= 0 and following >= 0 and track.corner[following] != track.corner[space]
            colours[mark.space] = "hi" if leaves and token == "mid" else token
            token = "low" if leaves else token
    return colours


def narrow(drawing: Drawing, scene: BoardScene, zoom: float) -> bool:
    """Whether the spaces in reach are drawn too narrow for a figure in every lane."""
    ids = drawing.track.ids
    reached = [ids[mark.space] for mark in scene.spaces if mark.space in ids and mark.state in REACHED]
    return min((drawing.room(space) for space in reached), default=math.inf) * zoom < NARROW


def lettered(drawing: Drawing, scene: BoardScene, zoom: float) -> list[SpaceMark]:
    """The marks whose text is written: one for each space; where they are narrow each figure stands once for each
    colour, in the middle of the spaces that it is for."""
    spaces = sorted(scene.spaces, key=lambda mark: bool(mark.text))
    marks = [mark for mark in {mark.space: mark for mark in spaces}.values() if mark.space in drawing.track.ids]
    if not narrow(drawing, scene, zoom):
        return marks
    groups: dict[tuple[str, str], list[SpaceMark]] = {}
    for mark in marks:
        if mark.state in REACHED:
            groups.setdefault((mark.text, mark.state), []).append(mark)
    return [mark for mark in marks if mark.state not in REACHED] + [_middle(drawing, one) for one in groups.values()]


def _middle(drawing: Drawing, marks: list[SpaceMark]) -> SpaceMark:
    """The one of some spaces that is nearest to the middle of all."""
    places = [drawing.cells[drawing.track.ids[mark.space]].middle for mark in marks]
    x, y = sum(at.x for at in places) / len(places), sum(at.y for at in places) / len(places)
    return min(zip(marks, places, strict=True), key=lambda one: math.dist((x, y), (one[1].x, one[1].y)))[0]


class Sign:
    """A text that stands upright on a space; `room` is how wide or long the space is drawn, in dp, the less of
    both, `token` its colour if the state does not give it."""

    def __init__(self, mark: SpaceMark, at: Point, room: float, token: str = "") -> None:
        self.at = at
        self.group = InstructionGroup()
        self._place = Translate()
        self.group.add(PushMatrix())
        self.group.add(self._place)
        letter = mark.state in ("choice", "chosen")
        token = token or {"choice": "hi", "chosen": "onpri"}.get(mark.state) or OUTLINE[mark.state]
        size = (28 if room > 44 else 22 if room > 26 else 18) if letter else min(SMALL, max(14, room * 0.6))
        pen = Pen(self.group, 0, 0)
        if mark.state in REACHED and room < NARROW:
            size = CAPTION
            wide = pen.width(mark.text, size, BOLD) + 2
            pen.fill(-wide / 2, -size / 2, wide, size, "ground", 3, 0.8)
        if mark.state == "danger" and not mark.text:
            pen.icon("triangle", 0, 0, 16, token)
        pen.text(mark.text, 0, 0, size, token, BOLD, "centre")
        self.group.add(PopMatrix())

    def stand(self, x: float, y: float) -> None:
        """Puts it at a place in pixels."""
        self._place.xy = (round(x), round(y))


@functools.lru_cache(maxsize=4)
def flag_picture(wide: int, high: int) -> Any:
    """The flag of a corner, in pixels."""
    drawn = Coverage(wide, high)
    drawn.polygon([[(0, 0), (wide, 0), (wide * 0.82, high / 2), (wide, high), (0, high)]])
    return icons.texture(drawn)


class Notes:
    """Flags, names and prices beside the road, laid out for one frame."""

    def __init__(self, group: InstructionGroup, drawing: Drawing, frame: Frame, width: float, height: float) -> None:
        self.pen = Pen(group, width * theme.scale, height * theme.scale)
        self.drawing, self.frame = drawing, frame
        self.w, self.h = width, height
        self.boxes: list[Box] = []

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
        groups: dict[tuple[object, ...], list[SpaceMark]] = {}
        for mark in scene.spaces:
            if mark.prices and mark.space in ids:
                key: tuple[object, ...] = (mark.prices, mark.state)
                if scene.close == "landing":
                    key = (mark.space,)
                groups.setdefault(key, []).append(mark)
        for marks in groups.values():
            self._price(marks, scene.close == "landing", room)

    def view(self, x: float, y: float) -> Point:
        """A point of the board in dp from the top left of the view."""
        right, up = self.frame.to_view(x, y)
        return self.w / 2 + right, self.h / 2 - up

    def _seen(self, point: Point) -> bool:
        return 0 <= point[0] <= self.w and 0 <= point[1] <= self.h

    def _room(self, scene: BoardScene) -> Room:
        ids = self.drawing.track.ids
        room = Room(self.w, self.h)
        reach = max(self.w, self.h) / self.frame.zoom
        marked = {ids[mark.space] for mark in scene.spaces if mark.space in ids}
        taken = {ids[car.space] for car in scene.cars if car.space in ids}
        for cell in self.drawing.cells:
            if abs(cell.middle.x - self.frame.x) < reach and abs(cell.middle.y - self.frame.y) < reach:
                cost = TAKEN if cell.space in taken else MARKED if cell.space in marked else ROAD
                room.block([self.view(x, y) for x, y in cell.outline], cost)
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
        tip, foot = AWAY / 2 + 4, AWAY / 2 - 4
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
        if not anchors:
            return
        pen = self.pen
        words = max(pen.width(note.name, BODY), pen.width(note.made, CAPTION))
        high = 44.0 if note.made else 32.0
        box = room.place(FLAG[0] + 12 + words, high, anchors)
        if box is None:
            return
        room.take(box)
        self.boxes.append(box)
        self._ground(box)
        pen.fill(box.x, box.y, 2.4, high, "mid")
        wide, tall = (pen.pixels(side) for side in FLAG)
        pen.picture(flag_picture(wide, tall), box.x + 2 + FLAG[0] / 2, box.y + 1 + FLAG[1] / 2, "flag")
        pen.marks.append(Mark("fill", box.x + 2, box.y + 1, FLAG[0] * 0.8, FLAG[1], theme.hex("flag")))
        pen.text(str(note.stops), box.x + 2 + FLAG[0] * 0.44, box.y + 1 + FLAG[1] / 2, 18, "onflag", BOLD, "centre")
        pen.text(note.name, box.x + FLAG[0] + 10, box.y + 12, BODY, "hi", SEMIBOLD)
        pen.text(note.made, box.x + FLAG[0] + 10, box.y + 33, CAPTION, "mid", SEMIBOLD)

    def _ground(self, box: Box) -> None:
        """A quiet ground where a note has to lie on the road."""
        self.pen.fill(box.x - 3, box.y - 3, box.w + 6, box.h + 6, "ground", 4, 0.72)

    def _price(self, marks: list[SpaceMark], landing: bool, room: Room) -> None:
        ids = self.drawing.track.ids
        middles = [self.drawing.cells[ids[mark.space]].middle for mark in marks]
        anchors = [point for point in (self.view(at.x, at.y) for at in middles) if self._seen(point)]
        if not anchors:
            return
        pen, prices = self.pen, marks[0].prices
        tone = TONES[_worst(prices)]
        words = sum(self._wide(price) for price in prices) + 8 * (len(prices) - 1)
        framed = landing or tone == "ok"
        pad = PAD if framed else 3
        box = room.place(words + 2 * pad, CHIP if framed else 20, anchors, 0.06, framed)
        if box is None:
            return
        room.take(box)
        self.boxes.append(box)
        if framed:
            self._leader([ids[mark.space] for mark in marks], box, tone if landing else "hi")
            pen.fill(box.x, box.y, box.w, box.h, "bg2", 6)
            pen.rim(box.x, box.y, box.w, box.h, tone if landing else "hi", 1.6, 6)
        else:
            self._ground(box)
        x = box.x + pad
        for price in prices:
            token = TONES[price.tone] if not framed or landing else "hi"
            if price.icon:
                pen.icon(price.icon, x + 8, box.middle[1], 16, token)
                x += 19
            x += pen.text(price.text, x, box.middle[1], CAPTION, token, BOLD) + 8

    def _wide(self, price: Price) -> float:
        return (19 if price.icon else 0) + self.pen.width(price.text, CAPTION, BOLD)

    def _leader(self, spaces: list[int], box: Box, token: str) -> None:
        """A line from the nearest of the spaces, from its edge, to a note."""
        cells = [self.drawing.cells[space] for space in spaces]
        ways = [(self.view(cell.middle.x, cell.middle.y), cell) for cell in cells]
        start, cell = min(ways, key=lambda way: math.dist(way[0], box.nearest(*way[0])))
        end = box.nearest(*start)
        outline = [self.view(x, y) for x, y in cell.outline]
        at = start
        for k in range(1, 25):
            at = start[0] + (end[0] - start[0]) * k / 24, start[1] + (end[1] - start[1]) * k / 24
            if not inside(outline, *at):
                break
        start = at
        self.pen.tint(token)
        scale, high = float(theme.scale), self.pen.height
        points = [start[0] * scale, high - start[1] * scale, end[0] * scale, high - end[1] * scale]
        self.pen.group.add(Line(points=points, width=max(1.0, 0.8 * scale)))


def _worst(prices: tuple[Price, ...]) -> str:
    tones = [price.tone for price in prices]
    return next((tone for tone in ("bad", "warn", "info", "ok") if tone in tones), "plain")
