"""Fingers on the board: one taps, holds or drags, two pinch."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final, Protocol

from kivy.clock import Clock
from kivy.uix.widget import Widget

from companion.screens.widgets.theme import HOLD, theme
from companion.screens.widgets.touch import ears, lately

DRAG: Final = 10
"""How far a finger goes, in dp, before it drags the board rather than taps it."""

RING: Final = 56
"""How wide the place of a finger that stays is taken to be, in dp."""

Pixels = tuple[float, float]
OnSpace = Callable[[str], object] | None
"""What is called with the name of a space (of a place, on a corner sheet) that was touched."""


class Touched(Protocol):
    """What the fingers move."""

    def tapped(self, at: Pixels) -> None:
        """A finger came and went."""

    def held(self, at: Pixels) -> None:
        """A finger has stayed."""

    def dragged(self, by: Pixels) -> None:
        """One finger has moved on."""

    def pinched(self, times: float, around: Pixels, by: Pixels) -> None:
        """Two fingers have moved apart (`times` above 1) or together, around a place, and that place by so much."""

    def let_go(self) -> None:
        """The last finger is gone after it has dragged or pinched."""


class Fingers:
    """What the fingers that are down mean; places in pixels of the window."""

    def __init__(self, board: Touched) -> None:
        self._board = board
        self._down: list[Any] = []
        self._meaning = ""
        self._hold: Any = None

    def down(self, touch: Any) -> None:
        """A finger comes."""
        self._down.append(touch)
        self._no_hold()
        if len(self._down) == 1:
            self._meaning = "tap"
            self._hold = Clock.schedule_once(self._due, HOLD)
        else:
            self._meaning = "pinch"

    def move(self, touch: Any) -> None:
        """A finger moves."""
        if touch not in self._down:
            return
        if self._meaning == "tap" and math.dist(touch.pos, touch.opos) > theme.dp(DRAG):
            self._no_hold()
            self._meaning = "drag"
            self._board.dragged((touch.x - touch.ox, touch.y - touch.oy))
        elif self._meaning == "drag":
            self._board.dragged((touch.dx, touch.dy))
        elif self._meaning == "pinch" and len(self._down) > 1 and touch in self._down[:2]:
            one, two = self._down[:2]
            other = two if touch is one else one
            was, now = math.dist(touch.ppos, other.pos), math.dist(touch.pos, other.pos)
            middle = (one.x + two.x) / 2, (one.y + two.y) / 2
            self._board.pinched(now / was if was > 1 else 1.0, middle, (touch.dx / 2, touch.dy / 2))

    def up(self, touch: Any) -> None:
        """A finger goes."""
        self._no_hold()
        if touch in self._down:
            self._down.remove(touch)
        if self._down:
            return
        meaning, self._meaning = self._meaning, ""
        if meaning == "tap":
            self._board.tapped(touch.pos)
        elif meaning in ("drag", "pinch"):
            self._board.let_go()

    def _due(self, _: float) -> None:
        """After a frame that took long, the finger may be gone already: that is heard first."""
        self._hold = Clock.schedule_once(self._stayed)

    def _stayed(self, _: float) -> None:
        self._hold = None
        if self._meaning == "tap":
            self._meaning = "held"
            (x, y), wide = self._down[0].pos, theme.dp(RING)
            lately.place = x - wide / 2, y - wide / 2, wide, wide
            self._board.held((x, y))

    def _no_hold(self) -> None:
        if self._hold is not None:
            self._hold.cancel()
            self._hold = None


class Fingered(Widget):
    """A widget under fingers: it keeps every finger that comes down on it until that finger goes. `on_space` is called
    with the name of the space that was tapped, `on_held` with that of one that was held."""

    def __init__(self, on_space: OnSpace = None, on_held: OnSpace = None, **properties: Any) -> None:
        self.on_space, self.on_held = on_space, on_held
        self._fingers = Fingers(self)
        super().__init__(**properties)

    def named(self, at: Pixels) -> str:
        """The name of the space at a point; empty where there is none."""
        raise NotImplementedError

    def tapped(self, at: Pixels) -> None:
        """A finger tapped: the space there is told."""
        self._tell(self.on_space, at)

    def held(self, at: Pixels) -> None:
        """A finger was held: the space there is told."""
        self._tell(self.on_held, at)

    def _tell(self, whom: OnSpace, at: Pixels) -> None:
        name = self.named(at)
        if name and whom is not None and ears.open:
            whom(name)

    def comes(self) -> bool:
        """A finger comes; whether it is heard."""
        return True

    def on_touch_down(self, touch: Any) -> bool:
        if not self.collide_point(*touch.pos) or touch.is_mouse_scrolling or not self.comes():
            return bool(super().on_touch_down(touch))
        touch.grab(self)
        self._fingers.down(touch)
        return True

    def on_touch_move(self, touch: Any) -> bool:
        if touch.grab_current is not self:
            return bool(super().on_touch_move(touch))
        self._fingers.move(touch)
        return True

    def on_touch_up(self, touch: Any) -> bool:
        if touch.grab_current is not self:
            return bool(super().on_touch_up(touch))
        touch.ungrab(self)
        self._fingers.up(touch)
        return True
