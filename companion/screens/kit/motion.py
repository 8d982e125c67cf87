"""Animations; none run while the theme is still.

An animation only draws: touch targets are at their final places from the start, and a touch anywhere ends every
animation. Nothing is scheduled while nothing moves.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, Final

from kivy.base import EventLoop
from kivy.clock import Clock
from kivy.graphics import PopMatrix, PushMatrix, Translate
from kivy.uix.widget import Widget

from companion.screens.kit.theme import theme

QUESTION: Final = 0.12
PRESS: Final = 0.12
"""Duration of the fade of a released key's colour, in seconds; it appears at once."""
CARD: Final = 0.16
SLIDE: Final = 24.0
"""Distance that a card or a sheet slides, in dp."""
SEGMENT: Final = 0.08
"""Duration of each point that is spent, in seconds."""
ROWS: Final = 0.25

INITIAL_OPACITY: Final = 0.25
"""Opacity at the start of a fade-in."""

Step = Callable[[float], object]
"""Callback that draws the progress of a movement: from 0, at its start, to 1, at its end."""


class Movement:
    """A running animation; its time starts with the first frame that can show it."""

    def __init__(self, seconds: float, step: Step) -> None:
        self.seconds, self.step = seconds, step
        self._begun: float | None = None

    def part(self, now: float) -> float:
        """Return the elapsed share, 0 to 1."""
        self._begun = now if self._begun is None else self._begun
        return min(1.0, (now - self._begun) / self.seconds)


class Movements:
    """All running animations, by the thing animated."""

    def __init__(self) -> None:
        self._all: dict[Hashable, Movement] = {}
        self._clock: Any = None

    def __len__(self) -> int:
        return len(self._all)

    def begin(self, what: Hashable, seconds: float, step: Step) -> None:
        """Animate something for some seconds, after finishing its previous animation."""
        self.finish(what)
        taken = theme.time(seconds)
        if not taken:
            step(1.0)
            return
        self._all[what] = Movement(taken, step)
        step(0.0)
        if self._clock is None:
            self._clock = Clock.schedule_interval(self._tick, 0)
            if EventLoop.window is not None:
                EventLoop.window.bind(on_touch_down=self._touched)

    def finish(self, what: Hashable) -> None:
        """Finish the animation of something, if it has one."""
        movement = self._all.pop(what, None)
        if movement is not None:
            movement.step(1.0)

    def finish_all(self) -> None:
        """Finish all animations."""
        for what in list(self._all):
            self.finish(what)

    def _tick(self, _: float) -> None:
        now = Clock.get_time()
        for what, movement in list(self._all.items()):
            part = 1.0 if theme.still else movement.part(now)
            if part >= 1.0:
                self.finish(what)
            else:
                movement.step(part)
        if not self._all:
            self._clock.cancel()
            self._clock = None
            if EventLoop.window is not None:
                EventLoop.window.unbind(on_touch_down=self._touched)

    def _touched(self, *_: object) -> None:
        self.finish_all()


movements = Movements()


def eased(part: float) -> float:
    """Ease out: fast at first, slower towards the end."""
    return 1.0 - (1.0 - part) ** 2


def appear(widget: Widget, seconds: float = CARD) -> None:
    """Fade in a widget that has new content."""

    def step(part: float) -> None:
        widget.opacity = INITIAL_OPACITY + (1.0 - INITIAL_OPACITY) * eased(part)

    movements.begin((widget, "appear"), seconds, step)


def arrive(widget: Widget, right: float = 0.0, below: float = 0.0) -> None:
    """Slide in a widget that was just placed, and fade it in.

    The offsets are in dp, from the right and from below.
    """
    movements.finish((widget, "arrive"))
    if theme.still:
        return
    begin, shift, end = PushMatrix(), Translate(), PopMatrix()
    widget.canvas.before.insert(0, begin)
    widget.canvas.before.insert(1, shift)
    widget.canvas.after.add(end)

    def step(part: float) -> None:
        left = 1.0 - eased(part)
        shift.xy = (round(theme.dp(right * left)), round(-theme.dp(below * left)))
        if part >= 1.0:
            for instruction in (begin, shift):
                widget.canvas.before.remove(instruction)
            widget.canvas.after.remove(end)

    movements.begin((widget, "arrive"), CARD, step)
    appear(widget)
