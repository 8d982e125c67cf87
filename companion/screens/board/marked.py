"""The temporary marks on a map: spaces in reach, choices, paths and shots."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import Final

from kivy.graphics import InstructionGroup, PopMatrix, PushMatrix, Translate

from companion.drawing.circuit import CircuitDrawing
from companion.drawing.closing import Point
from companion.drawing.lines import beside_section
from companion.drawing.spaces import Cell
from companion.rules.circuit.track import Track
from companion.screens.board.scenery import Painted, fills, inset, strokes
from companion.screens.kit.pen import BOLD, Pen
from companion.screens.kit.theme import CAPTION, SMALL, TONES, theme
from companion.view.framing import Frame
from companion.view.shown_board import BoardScene, SpaceMark

OUTLINE: Final = {
    "free": "hi",
    "cost": "warn",
    "bad": "bad",
    "choice": "hi",
    "chosen": "pri",
    "danger": "bad",
    "ahead": "mid",
    "range": "mid",
}
TINT: Final = {"free": 0.15, "cost": 0.18, "bad": 0.18, "danger": 0.1, "range": 0.12}
WHITE: Final = 0.82
RANGE_WHITE: Final = 0.45
"""Opacity of the daylight theme's white on a space in reach, and in a weapon's range."""
SHOT_GAPS: Final = 0.7, 0.55
"""Gaps between the line of a shot and the middles of the car that fires, outside its ring, and of its target, in
spaces."""
DASHED_FROM: Final = 3.0
"""Length from which the line is dashed, in spaces."""
CROSSING: Final = 0.3
"""Distance from that line within which the figure of a space is left out, measured from its middle, in spaces."""
HOOK_AT: Final = (0.78, 0.52)
HOOK_ARM: Final = 0.24
"""Distance of the hooks ahead of a target and beside it, and length of their arms, in spaces."""
REACHED: Final = ("free", "cost", "bad")
CHOICES: Final = ("choice", "chosen")
MIN_FIGURE_WIDTH: Final = 17.0
"""Minimum width of a drawn space in reach for a figure of its own in every lane, in dp."""
FIGURE_SIZE: Final = 17.0, 12.0
"""Width and height of a figure on a narrow space, in dp."""
LEGIBLE_GAP: Final = 0.8
"""Minimum distance of two such figures that can both be read, as a share of their size."""


def over(drawing: CircuitDrawing, scene: BoardScene, zoom: float) -> Painted:
    """Return the marked spaces.

    Narrow spaces have thin outlines, so that their figures can be read.
    """
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
            painted.fill("#FFFFFF", fills(sides), RANGE_WHITE if state == "range" else WHITE)
        else:
            painted.fill(OUTLINE[state], fills(sides), TINT[state])
    by_state.pop("range", None)  # the road there is only brighter
    for state, sides in by_state.items():
        around = [[*left, *right[::-1], left[0]] for left, right in sides]
        thick = 2.5 if state in CHOICES else 0.6 if narrow(drawing, scene, zoom) else 1.8
        painted.line(OUTLINE[state], strokes(around, thick, 4.0 if state == "danger" else 0.0))
    return painted


def zones(drawing: CircuitDrawing, scene: BoardScene) -> Painted:
    """Return the DRS zones as lines along the left edge of the road.

    The whole circuit, drawn as a ribbon, has none.
    """
    painted = Painted()
    if scene.close != "overview":
        painted.line("info", strokes([beside_section(drawing, section) for section in scene.zones], 5), 0.75)
    return painted


def driven_path(drawing: CircuitDrawing, scene: BoardScene) -> Painted:
    """Return the path driven, as a dotted line.

    It belongs under the choices, so that their letters stay clear.
    """
    painted, ids = Painted(), drawing.track.ids
    way = [ids[name] for name in scene.path if name in ids]
    if len(way) > 1:
        painted.line("hi", strokes([[(pose.x, pose.y) for pose in drawing.way(way)]], 3.4, 4.0))
    return painted


def shot(drawing: CircuitDrawing, scene: BoardScene) -> Painted:
    """Return the line of a shot from car to car, and the corners around the target."""
    painted, ids = Painted(), drawing.track.ids
    ends = [drawing.cells[ids[name]].middle for name in scene.shot if name in ids]
    if len(ends) == 2:
        start, at = ends
        length = math.dist((start.x, start.y), (at.x, at.y))
        cos, sin = math.cos(at.angle), math.sin(at.angle)
        if length > SHOT_GAPS[0] + SHOT_GAPS[1]:
            (x1, y1), (x2, y2) = (start.x, start.y), (at.x, at.y)
            first, last = (far / length for far in (SHOT_GAPS[0], length - SHOT_GAPS[1]))
            line = [(x1 + (x2 - x1) * far, y1 + (y2 - y1) * far) for far in (first, last)]
            near = length < DASHED_FROM  # two dashes would be no line
            painted.line("warn", strokes([line], 3.5 if near else 2.5, 0.0 if near else 5.0))
        (along, across), arm = HOOK_AT, HOOK_ARM
        corner = [(along - arm, across), (along, across), (along, across - arm)]
        around = [[(x * far, y * side) for x, y in corner] for far in (1, -1) for side in (1, -1)]
        hooks = [[(at.x + x * cos - y * sin, at.y + x * sin + y * cos) for x, y in hook] for hook in around]
        painted.line("warn", strokes(hooks, 3.0))
    return painted


def _fired_over(drawing: CircuitDrawing, scene: BoardScene, space: str) -> bool:
    """Return True if the line of a shot crosses the middle of a space."""
    ids = drawing.track.ids
    middles = [drawing.cells[ids[name]].middle for name in (*scene.shot, space) if name in ids]
    if len(middles) < 3:
        return False
    (x1, y1), (x2, y2), (x, y) = ((at.x, at.y) for at in middles)
    far = math.dist((x1, y1), (x2, y2))
    along = ((x - x1) * (x2 - x1) + (y - y1) * (y2 - y1)) / far
    beside = abs((x - x1) * (y2 - y1) - (y - y1) * (x2 - x1)) / far
    return 0 < along < far and beside < CROSSING


def ahead(track: Track, scene: BoardScene) -> dict[str, str]:
    """Return the colours of the distances straight ahead, by space.

    The last space of a corner is bright, those beyond it are dim.
    """
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


def narrow(drawing: CircuitDrawing, scene: BoardScene, zoom: float) -> bool:
    """Return True if the spaces in reach are too narrow for a figure in every lane."""
    ids = drawing.track.ids
    reached = [ids[mark.space] for mark in scene.spaces if mark.space in ids and mark.state in REACHED]
    return min((drawing.room(space) for space in reached), default=math.inf) * zoom < MIN_FIGURE_WIDTH


def lettered(drawing: CircuitDrawing, scene: BoardScene, frame: Frame) -> list[SpaceMark]:
    """Return the marks whose text is drawn, at most one for each space.

    On narrow spaces each figure is drawn once for each colour, those with the fewest possible spaces first; a figure
    that cannot be read is left out if it remains in another colour.
    """
    ids = drawing.track.ids
    spaces = sorted(scene.spaces, key=lambda mark: bool(mark.text))
    marks = [mark for mark in {mark.space: mark for mark in spaces}.values() if mark.space in ids]
    marks = [mark for mark in marks if mark.state != "range" or not _fired_over(drawing, scene, mark.space)]
    if not narrow(drawing, scene, frame.zoom):
        return marks
    groups: dict[tuple[str, str], list[SpaceMark]] = {}
    for mark in marks:
        if mark.state in REACHED:
            groups.setdefault((mark.text, mark.state), []).append(mark)
    figures = [mark for mark in marks if mark.state not in REACHED]
    colours, taken = Counter(text for text, _ in groups), list[Point]()
    for (text, _), group in sorted(groups.items(), key=lambda one: len(one[1])):
        clear, mark = _clearest(drawing, group, frame, taken)
        if clear < LEGIBLE_GAP and colours[text] > 1:
            colours[text] -= 1
            continue
        figures.append(mark)
        at = drawing.cells[ids[mark.space]].middle
        taken.append(frame.to_view(at.x, at.y))
    return figures


def _clearest(
    drawing: CircuitDrawing, marks: list[SpaceMark], frame: Frame, taken: Sequence[Point]
) -> tuple[float, SpaceMark]:
    """Return the mark that best carries a figure, and its clearance from those drawn.

    `marks` have the same figure. The clearance is at most 1. Among equals the sides of the road alternate, so that
    successive figures keep apart.
    """
    ids = drawing.track.ids
    on_road = [mark for mark in marks if ids[mark.space] < len(drawing.track.stretch)] or marks
    side = 1 if marks[0].text[-1:] in tuple("13579") else -1
    wide, high = FIGURE_SIZE

    def clear(mark: SpaceMark) -> float:
        at = drawing.cells[ids[mark.space]].middle
        x, y = frame.to_view(at.x, at.y)
        return min([1.0, *(max(abs(x - to_x) / wide, abs(y - to_y) / high) for to_x, to_y in taken)])

    best = max(on_road, key=lambda mark: (clear(mark), side * drawing.cells[ids[mark.space]].right))
    return clear(best), best


MIN_PRICED_SIZE: Final = 40.0
"""Minimum width and length of a drawn choice for a price beneath its letter, in dp."""
LETTER: Final = 24
ABOVE: Final = 8.0
BELOW: Final = 12.0
"""Distance of the letter above the middle of its space, and of the price beneath it, in dp."""
HALF: Final = 6.0
"""Half the height of a price, in dp."""
ICON: Final = 17.0
TAG: Final = 24.0
TAG_AT: Final = (24.0, 20.0)
"""Size of the letter's tag on a car, and its offset from the middle of the car, in dp."""


def beneath(cell: Cell, frame: Frame) -> float:
    """Return the room for a price below the letter of a space, in dp.

    The price stays on the space at any rotation of the board.
    """
    outline = Frame(cell.middle.x, cell.middle.y, frame.zoom, frame.turn).all_to_view(cell.outline)
    half = math.inf
    for y in (HALF - BELOW, -HALF - BELOW):
        cuts = [
            x + (to_x - x) * (y - up) / (to_up - up)
            for (x, up), (to_x, to_up) in zip(outline, (*outline[1:], outline[0]), strict=True)
            if (up > y) != (to_up > y)
        ]
        half = min(half, -min(cuts), max(cuts)) if cuts else 0.0
    return 2 * (half - 2)


class UprightText:
    """An upright text on a space.

    `room` is the lesser of the space's width and length as drawn, in dp; `below` is the part of it for a price. `token`
    is the colour if the state does not give one. A `tag` is only the letter, beside the plate of a car on the space.
    """

    def __init__(
        self, mark: SpaceMark, at: Point, room: float, token: str = "", *, below: float = 0.0, tag: bool = False
    ) -> None:
        self.at = at
        self.group = InstructionGroup()
        self._place = Translate()
        self.group.add(PushMatrix())
        self.group.add(self._place)
        letter = mark.state in CHOICES
        token = token or {"choice": "hi", "chosen": "onpri"}.get(mark.state) or OUTLINE[mark.state]
        size = (28 if room > 44 else 22 if room > 26 else 18) if letter else min(SMALL, max(14, room * 0.6))
        pen = Pen(self.group, 0, 0)
        if tag:
            x, y = TAG_AT
            pen.fill(x - TAG / 2, y - TAG / 2, TAG, TAG, "pri" if mark.state == "chosen" else "bg3", 4)
            pen.rim(x - TAG / 2, y - TAG / 2, TAG, TAG, "hi", 1.5, 4)
            pen.text(mark.text, x, y, SMALL, token, BOLD, "centre")
            self.group.add(PopMatrix())
            return
        priced = letter and room >= MIN_PRICED_SIZE and self._price(pen, mark, below)
        if mark.state in REACHED and room < MIN_FIGURE_WIDTH:
            size = CAPTION
            wide = pen.width(mark.text, size, BOLD) + 2
            pen.fill(-wide / 2, -size / 2, wide, size, "ground", 3, 0.8)
        if mark.state == "danger" and not mark.text:
            pen.icon("triangle", 0, 0, 16, token)
        pen.text(mark.text, 0, -ABOVE if priced else 0, LETTER if priced else size, token, BOLD, "centre")
        self.group.add(PopMatrix())

    @staticmethod
    def _price(pen: Pen, mark: SpaceMark, room: float) -> bool:
        """Draw the cost of a choice below its letter; return False if nothing fits.

        The first price has a figure, further ones only a pictogram.
        """
        said = [(price.icon, "" if at else price.text, price.tone) for at, price in enumerate(mark.prices)]

        def wide() -> float:
            return sum(ICON * bool(icon) + pen.width(text, CAPTION, BOLD) for icon, text, _ in said) + 3 * (
                len(said) - 1
            )

        while len(said) > 1 and wide() > room:
            said.pop()
        if said and wide() > room:
            said = [(said[0][0], "", said[0][2])] if said[0][0] and room >= ICON else []
        x = -wide() / 2
        for icon, text, tone in said:
            token = "onpri" if mark.state == "chosen" else TONES[tone]
            if icon:
                pen.icon(icon, x + ICON / 2 - 1, BELOW, ICON - 2, token)
                x += ICON
            x += pen.text(text, x, BELOW, CAPTION, token, BOLD) + 3
        return bool(said)

    def stand(self, x: float, y: float) -> None:
        """Move the text to a place in pixels."""
        self._place.xy = (round(x), round(y))
