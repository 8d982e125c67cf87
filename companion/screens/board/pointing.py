"""Which space of a map a finger means."""

from __future__ import annotations

import math
from typing import Final

from companion.screens.board.closing import Point
from companion.screens.board.framing import Frame
from companion.screens.board.stage import Stage
from companion.view.shown_board import BoardScene

CHOICES: Final = ("choice", "chosen")
TARGET: Final = (52.0, 48.0)
"""The least that a choice gives the finger, in dp."""


def pointed(stage: Stage, scene: BoardScene, frame: Frame, at: Point) -> str:
    """The name of the space at a place of the view, in dp from its middle; empty if there is none. A choice is as large
    to the finger as a target has to be, even where it is drawn smaller."""
    track, drawing = stage.track, stage.drawing
    point = frame.to_board(*at)
    choices = [track.ids[m.space] for m in scene.spaces if m.space in track.ids and m.state in CHOICES]
    found = drawing.at(*point, choices)
    if found is None:
        near: list[tuple[float, int]] = []
        for space in choices:
            middle = drawing.cells[space].middle
            vx, vy = frame.to_view(middle.x, middle.y)
            dx, dy = abs(vx - at[0]), abs(vy - at[1])
            if dx <= TARGET[0] / 2 and dy <= TARGET[1] / 2:
                near.append((math.hypot(dx, dy), space))
        found = min(near)[1] if near else drawing.at(*point)
    return track.name_of(found) if found is not None else ""
