"""Gestures on the board: one finger taps, holds or drags, two pinch."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final, Protocol

from kivy.clock import Clock
from kivy.uix.widget import Widget

from companion.screens.kit.theme import HOLD, theme
from companion.screens.kit.touch import ears, lately

DRAG: Final = 10
"""Distance from which a finger drags the board rather than taps it, in dp."""

RING: Final = 56
"""Diameter of the place of a long press, in dp."""

Pixels = tuple[float, float]
OnSpace = Callable[[str], object] | None
"""Callback with the name of the space (on a corner sheet, of the place) that was touched."""


class GestureTarget(Protocol):
    """The protocol of a widget that gestures act on; places are window pixels."""

    def handle_tap(self, at: Pixels) -> None:
        """Handle a tap."""

    def handle_hold(self, at: Pixels) -> None:
        """Handle a long press."""

    def dragged(self, by: Pixels) -> None:
        """Handle the movement of one finger."""

    def pinched(self, times: float, around: Pixels, by: Pixels) -> None:
        """Handle the movement of two fingers.

        They scale by `times`, above 1 when moving apart, around a place which itself moves by `by`.
        """

    def let_go(self) -> None:
        """Handle the end of a drag or pinch."""


class Fingers:
    """The fingers that are down and their gesture, in pixels of the window."""

    def __init__(self, board: GestureTarget) -> None:
        self._board = board
        self._down: list[Any] = []
        self._meaning = ""
        self._hold: Any = None

    def down(self, touch: Any) -> None:
        """Add a finger."""
        self._down.append(touch)
        self._no_hold()
        if len(self._down) == 1:
            self._meaning = "tap"
            self._hold = Clock.schedule_once(self._due, HOLD)
        else:
            self._meaning = "pinch"

    def move(self, touch: Any) -> None:
        """Follow the movement of a finger."""
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
        """Remove a finger; the last one ends the gesture."""
        self._no_hold()
        if touch in self._down:
            self._down.remove(touch)
        if self._down:
            return
        meaning, self._meaning = self._meaning, ""
        if meaning == "tap":
            self._board.handle_tap(touch.pos)
        elif meaning in ("drag", "pinch"):
            self._board.let_go()

    def _due(self, _: float) -> None:
        """Wait one more frame before a long press.

        After a slow frame the finger may have been lifted already; that event comes first.
        """
        self._hold = Clock.schedule_once(self._stayed)

    def _stayed(self, _: float) -> None:
        self._hold = None
        if self._meaning == "tap":
            self._meaning = "held"
            (x, y), wide = self._down[0].pos, theme.dp(RING)
            lately.place = x - wide / 2, y - wide / 2, wide, wide
            self._board.handle_hold((x, y))

    def _no_hold(self) -> None:
        if self._hold is not None:
            self._hold.cancel()
            self._hold = None


class Fingered(Widget):
    """A widget that keeps every finger that comes down on it until it is lifted.

    `on_space` is called with the name of a tapped space, `on_held` with that of a long-pressed one.
    """

    def __init__(self, *, on_space: OnSpace = None, on_held: OnSpace = None, **properties: Any) -> None:
        self.on_space, self.on_held = on_space, on_held
        self._fingers = Fingers(self)
        super().__init__(**properties)

    def named(self, at: Pixels) -> str:
        """Return the name of the space at a point, empty if it is outside all."""
        raise NotImplementedError

    def handle_tap(self, at: Pixels) -> None:
        """Report the space that was tapped."""
        self._tell(self.on_space, at)

    def handle_hold(self, at: Pixels) -> None:
        """Report the space that was long-pressed."""
        self._tell(self.on_held, at)

    def _tell(self, whom: OnSpace, at: Pixels) -> None:
        name = self.named(at)
        if name and whom is not None and ears.open:
            whom(name)

    def comes(self) -> bool:
        """Return True if a finger that comes down now is accepted."""
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
