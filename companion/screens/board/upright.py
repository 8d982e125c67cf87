"""What stands upright on a map, whichever way the board is turned: the cars, and the texts on spaces."""

from __future__ import annotations

from typing import Final

from kivy.graphics import InstructionGroup

from companion.screens.board.car import Sprite, length_at
from companion.screens.board.fingers import Pixels
from companion.screens.board.framing import Frame
from companion.screens.board.marked import REACHED, Sign, ahead, lettered
from companion.screens.board.notes import spread
from companion.screens.board.stage import Stage
from companion.screens.widgets.theme import theme
from companion.view.shown_board import BoardScene

SHORTEST: Final = 10.0
"""How long and wide a space has to be drawn to bear its text, in dp."""
OVERVIEW_PLATE: Final = 24
PLATES: Final = (24.0, 32.0)
"""Height of a plate where a space is 37 dp long, and where it is 70, in dp."""


class Upright:
    """The cars and texts of a scene, drawn in a group of pixels of the window."""

    def __init__(self, group: InstructionGroup) -> None:
        self._group = group
        self.sprites: list[Sprite] = []
        self._signs: list[Sign] = []
        self.zoom = 0.0
        """The zoom that they are drawn for."""

    def draw(self, stage: Stage, scene: BoardScene, zoom: float) -> None:
        """Draws cars and the texts on spaces, at the size that a frame of that zoom gives them."""
        self.zoom = zoom
        whole, ids = scene.close == "overview", stage.track.ids
        self._group.clear()
        self.sprites, self._signs = [], []
        colours = ahead(stage.track, scene)
        if not whole:
            for mark in lettered(stage.drawing, scene, zoom):
                at, room = stage.drawing.cells[ids[mark.space]].middle, stage.drawing.room(ids[mark.space]) * zoom
                bears = zoom if mark.state in REACHED else room
                if (mark.text or mark.state == "danger") and bears >= SHORTEST:
                    self._signs.append(Sign(mark, (at.x, at.y), room, colours.get(mark.space, "")))
                    self._group.add(self._signs[-1].group)
        share = min(1.0, max(0.0, (zoom - 37) / 33))
        high = OVERVIEW_PLATE if whole else PLATES[0] + share * (PLATES[1] - PLATES[0])
        for car in sorted(scene.cars, key=lambda car: ("out", "spun", "plain", "playing").index(car.state)):
            if car.space in ids:
                sprite = Sprite(car, 0.0 if whole else length_at(zoom), high)
                self.sprites.append(sprite)
                self._group.add(sprite.canvas)

    def look(self, frame: Frame, middle: Pixels, size: Pixels, whole: bool) -> None:
        """Puts everything where the frame has it, around a place of the window; on a `whole` circuit no plate covers
        another."""
        scale = float(theme.scale)
        places = [frame.to_view(sprite.pose.x, sprite.pose.y) for sprite in self.sprites]
        if whole:
            places = spread(places, OVERVIEW_PLATE + 1, size[0] / scale, size[1] / scale)
        cx, cy = middle
        length = length_at(frame.zoom)
        for sprite, (x, y) in zip(self.sprites, places, strict=True):
            sprite.stand(cx + x * scale, cy + y * scale, frame.turn, length)
        for sign in self._signs:
            x, y = frame.to_view(*sign.at)
            sign.stand(cx + x * scale, cy + y * scale)
