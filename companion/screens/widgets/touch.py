"""Touches: pressed, let go, held, and when nobody listens."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import inf
from typing import Any, Final, Protocol, TypeAlias, runtime_checkable

from kivy.clock import Clock

from companion.screens.widgets.pane import Pane, laid
from companion.screens.widgets.theme import DEAF, HOLD, theme
from companion.view import shown

Means: TypeAlias = "str | shown.Field | shown.Key | shown.SeenGroup"
"""What can be explained: a part of every screen by its name (its words lie in [screen.control] of the locale), a field
of a form, an answer, or more that can be said of a move."""

STEP: Final = 1 / 30
"""Seconds between two pictures of a hold under way."""

SHOWN_FROM: Final = 0.15
"""Seconds after which a touch looks like a hold."""

AGAIN_FROM: Final = 0.4
AGAIN: Final = 0.1
SOON: Final = 0.02
SLOW: Final = 10
"""Seconds after which a touch that repeats is a tap, and after which it is one again; after ten of these much sooner,
for a figure may be hundreds away."""


class Ears:
    """Whether touches are heard. After a question has changed they are not, until its first picture is there and for
    a moment more, however long it took to draw: the second tap of a double tap must not answer the next question."""

    def __init__(self) -> None:
        self._from = 0.0
        self._picture: Any = Clock.create_trigger(self._drawn)

    def close(self) -> None:
        """Hears nothing until the next picture is there, and a moment more."""
        self._from = inf
        self._picture()

    def listen(self) -> None:
        """Hears at once."""
        self._picture.cancel()
        self._from = 0.0

    @property
    def open(self) -> bool:
        """Whether a touch is heard now."""
        return bool(Clock.get_time() >= self._from)

    def _drawn(self, _: float) -> None:
        self._from = Clock.get_time() + DEAF


ears = Ears()


class Held:
    """What was held last: its place in the window, in pixels from the bottom left, with its width and height."""

    place: tuple[float, float, float, float] = 0.0, 0.0, 0.0, 0.0


lately = Held()


@runtime_checkable
class Explains(Protocol):
    """A screen that says what a part of it means."""

    def explain(self, means: Means) -> None:
        """A part is held."""


class Target(Pane):
    """A pane that a finger can tap, or hold for 0.6 s if `on_hold` is set.

    A touch that ends elsewhere does nothing. `on_tap` and `on_hold` are called without anything. What `repeats` is
    tapped again and again while the finger stays.
    """

    joined = False
    """Whether it may touch its neighbours: an area of the screen, not a key."""
    means: Means = ""
    """What it is: the screen explains it where a hold is for nothing else."""

    def __init__(
        self,
        on_tap: Callable[[], object] | None = None,
        on_hold: Callable[[], object] | None = None,
        repeats: bool = False,
        means: Means = "",
        **properties: Any,
    ) -> None:
        self.on_tap, self.on_hold, self.repeats = on_tap, on_hold, repeats
        if means:
            self.means = means
        self.pressed = False
        self._repeated, self._due = 0, False
        self.held = 0.0
        """How much of a hold is over, from 0 to 1."""
        self._clock: Any = None
        self._began = 0.0
        super().__init__(**properties)

    @property
    def heard(self) -> bool:
        """Whether a tap or a hold means anything."""
        return self.on_tap is not None or self.on_hold is not None

    @property
    def ready(self) -> bool:
        """Whether a finger could tap it now, so that a button beside the screen may stand for that."""
        return self.on_tap is not None and not self.disabled and self._there

    @property
    def held_for(self) -> Callable[[], object] | None:
        """What a hold is for: `on_hold`, or the explanation of the screen that it is on, if that has any."""
        if self.on_hold is not None or not self.means:
            return self.on_hold
        pane = self.parent
        while pane is not None and not isinstance(pane, Explains):
            pane = pane.parent if pane.parent is not pane else None  # a window is its own
        return partial(pane.explain, self.means) if pane is not None else None

    @property
    def explains(self) -> bool:
        """Whether it does no more than explain itself to a finger that holds it."""
        return self.on_tap is None and self.held_for is not None

    def _moved(self, *_: object) -> None:
        super()._moved()
        laid.dispatch("on_laid")

    def _again(self, *_: object) -> None:
        super()._again()
        laid.dispatch("on_laid")

    def on_touch_down(self, touch: Any) -> bool:
        if not self.collide_point(*touch.pos) or self.disabled or not self.heard or touch.is_mouse_scrolling:
            return bool(super().on_touch_down(touch))
        if super().on_touch_down(touch):
            return True
        if not ears.open or self.pressed:
            return True
        touch.grab(self)
        self.pressed, self._repeated, self._due = True, 0, False
        if self.repeats:
            self._clock = Clock.schedule_once(self._once_more, AGAIN_FROM)
        elif self.held_for is not None:
            self._began = Clock.get_time()
            self._clock = Clock.schedule_interval(self._holding, STEP)
        self.draw_now()
        return True

    def on_touch_move(self, touch: Any) -> bool:
        if touch.grab_current is self:
            if self.pressed and not self.collide_point(*touch.pos):
                self._let_go()
            return True
        return bool(super().on_touch_move(touch))

    def on_touch_up(self, touch: Any) -> bool:
        if touch.grab_current is not self:
            return bool(super().on_touch_up(touch))
        touch.ungrab(self)
        meant = self.pressed and not self._repeated and self._there
        self._let_go()
        if meant and self.collide_point(*touch.pos) and ears.open and self.on_tap is not None:
            self.on_tap()
        return True

    @property
    def _there(self) -> bool:
        """Whether it is in the window still; what was taken away under a finger is not meant any more."""
        return self.get_root_window() is not None

    def forget(self) -> None:
        """Forgets a touch under way: what it was meant for is no longer here."""
        if self.pressed:
            self._let_go()

    def _holding(self, _: float) -> None:
        over = Clock.get_time() - self._began
        held = min(1.0, over / HOLD)
        if held >= 1.0 and not self._due:
            self._due = True  # after a frame that took long, the finger may be gone already: that is heard first
        elif held >= 1.0:
            self._let_go()
            if (held_for := self.held_for) is not None and self._there:
                lately.place = (*self.to_window(*self.pos), self.width, self.height)
                held_for()
        elif over >= SHOWN_FROM and not theme.still:
            self.held = held
            self.look_again()

    def _once_more(self, _: float) -> None:
        if not self._there:
            self._let_go()
            return
        self._clock = Clock.schedule_once(self._once_more, AGAIN if self._repeated < SLOW else SOON)
        if ears.open and self.on_tap is not None:
            self._repeated += 1
            self.on_tap()

    def _let_go(self) -> None:
        if self._clock is not None:
            self._clock.cancel()
            self._clock = None
        self.pressed, self.held = False, 0.0
        self.let_go()

    def let_go(self) -> None:
        """Draws that the finger is gone."""
        self.draw_now()


class Explained(Target):
    """A place that is no key: it does no more than explain itself, where a screen explains anything."""

    joined = True

    @property
    def heard(self) -> bool:
        return self.held_for is not None
