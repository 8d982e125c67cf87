"""Flags, names and prices beside the road: what is written there, and the lines to what they mean."""

from __future__ import annotations

import functools
import math
from typing import Any, Final

from kivy.graphics import InstructionGroup, Line, Triangle

from companion.screens.board.car import length_at
from companion.screens.board.closing import Point
from companion.screens.board.drawing import Drawing
from companion.screens.board.framing import Frame
from companion.screens.board.notes import MARKED, ROAD, Box, Room
from companion.screens.board.spaces import inside
from companion.screens.coverage import Coverage
from companion.screens.pen import BOLD, SEMIBOLD, Mark, Pen
from companion.screens.shapes import texture
from companion.screens.theme import BODY, CAPTION, TONES, theme
from companion.screens.view.shown import Price
from companion.screens.view.shown_board import BoardScene, CornerNote, SpaceMark
from companion.screens.widgets import plate

CHIP: Final = 26
AWAY: Final = 32.0
"""How much room the plate of a car takes that is out of the picture, in dp."""
PAD: Final = 8
DOT: Final = 7.0
"""Width of the dot that says which space a line belongs to, in dp."""
ASTRAY: Final = 48.0
"""How far from its spaces a price without a line may stand, in dp."""
KERB: Final = 5.0
"""How far from its line a kerb is kept clear of notes, in dp."""
FLAG: Final = (30.0, 21.0)


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
        for cell in self.drawing.cells:
            if abs(cell.middle.x - self.frame.x) < reach and abs(cell.middle.y - self.frame.y) < reach:
                outline = [self.view(x, y) for x, y in cell.outline]
                room.block(outline, MARKED if cell.space in marked else ROAD)
        for kerb in self.drawing.lines.kerbs:
            room.border([self.view(x, y) for x, y in kerb], KERB, ROAD)
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
        if box is None or (not framed and all(math.dist(at, box.nearest(*at)) > ASTRAY for at in anchors)):
            return  # without a line nobody would know what it is the price of; the keys have it too
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
        if token != "hi":
            self.pen.fill(start[0] - DOT / 2, start[1] - DOT / 2, DOT, DOT, token, DOT / 2)


def _worst(prices: tuple[Price, ...]) -> str:
    tones = [price.tone for price in prices]
    return next((tone for tone in ("bad", "warn", "info", "ok") if tone in tones), "plain")
