"""The layers of a map on its canvas: ground, board, what is marked on it, what stands upright, and notes."""

from __future__ import annotations

from typing import Any

from kivy.graphics import (
    Canvas,
    Color,
    InstructionGroup,
    PopMatrix,
    PushMatrix,
    Rectangle,
    Rotate,
    Scale,
    StencilPop,
    StencilPush,
    StencilUnUse,
    StencilUse,
    Translate,
)

from companion.screens.board.framing import Frame
from companion.screens.widgets.theme import theme


class Layers:
    """Nothing of them is drawn outside the rectangle that `fit` gives. `under` and `marked` are in units of the board
    and follow `look`; `upright` is in pixels of the window; `notes` in pixels from the corner that `notes_at` gives."""

    def __init__(self, canvas: Canvas) -> None:
        self.under, self.marked = InstructionGroup(), InstructionGroup()
        self.upright, self.notes = InstructionGroup(), InstructionGroup()
        self._rectangles = (Rectangle(), Rectangle(), Rectangle())
        self._ground = Color(*theme.rgba("ground"))
        self._middle, self._zoom = Translate(), Scale(1, 1, 1)
        self._turn, self._origin = Rotate(angle=0, axis=(0, 0, 1)), Translate()
        self._notes_at = Translate()
        begin, ground, end = self._rectangles
        board = (self._middle, self._zoom, self._turn, self._origin, self.under, self.marked)
        for instruction in (
            *(StencilPush(), begin, StencilUse(), self._ground, ground),
            *(PushMatrix(), *board, PopMatrix()),
            self.upright,
            *(PushMatrix(), self._notes_at, self.notes, PopMatrix()),
            *(StencilUnUse(), end, StencilPop()),
        ):
            canvas.add(instruction)

    def fit(self, pos: Any, size: Any) -> None:
        """Where in the window the map is, in pixels."""
        for rectangle in self._rectangles:
            rectangle.pos, rectangle.size = pos, size

    def recolour(self) -> None:
        """Takes the colours of the theme anew."""
        self._ground.rgba = theme.rgba("ground")

    def look(self, frame: Frame, middle: Any, pixels: float) -> None:
        """Looks at a frame, its middle at a place of the window; a space is so many pixels long."""
        self._middle.xy = middle
        self._zoom.xyz = (pixels, pixels, 1.0)
        self._turn.angle = frame.turn
        self._origin.xy = (-frame.x, -frame.y)

    def notes_at(self, x: float, y: float) -> None:
        """Puts the bottom left corner of the notes at a place of the window, in whole pixels."""
        self._notes_at.xy = (round(x), round(y))
