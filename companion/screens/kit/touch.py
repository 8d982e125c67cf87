"""Touches: tap, hold, release, and the pause in which they are ignored."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import inf
from typing import Any, Final, Protocol, TypeAlias, runtime_checkable

from kivy.clock import Clock

from companion.screens.kit.pane import Pane, laid
from companion.screens.kit.theme import DEAF, HOLD, theme
from companion.view import shown

Means: TypeAlias = "str | shown.Field | shown.AnswerKey | shown.SeenGroup"
"""Subjects of an explanation: a part of every screen by its name (with its words in [screen.control] of the locale), a
field of a form, an answer, or further details of a move."""

STEP: Final = 1 / 30
"""Seconds between two pictures of a hold in progress."""

SHOWN_FROM: Final = 0.15
"""Seconds after which a touch looks like a hold."""

AGAIN_FROM: Final = 0.4
AGAIN: Final = 0.1
SOON: Final = 0.02
SLOW: Final = 10
"""Delay of the first repeated tap and interval of the next ones, in seconds; after ten of these the interval is much
shorter, since a figure may be hundreds away."""


class Ears:
    """The guard that ignores touches after a change of question.

    It lasts until the first frame of the new question is there and a moment more, however long that took to draw: the
    second tap of a double tap must not answer the next question.
    """

    def __init__(self) -> None:
        self._from = 0.0
        self._picture: Any = Clock.create_trigger(self._on_frame)

    def close(self) -> None:
        """Ignore touches until a moment after the next frame."""
        self._from = inf
        self._picture()

    def listen(self) -> None:
        """Accept touches at once."""
        self._picture.cancel()
        self._from = 0.0

    @property
    def open(self) -> bool:
        """True if touches are accepted now."""
        return bool(Clock.get_time() >= self._from)

    def _on_frame(self, _: float) -> None:
        self._from = Clock.get_time() + DEAF


ears = Ears()


class HeldPart:
    """The part last held: its box in the window, in pixels from the bottom left."""

    place: tuple[float, float, float, float] = 0.0, 0.0, 0.0, 0.0


lately = HeldPart()


@runtime_checkable
class Explains(Protocol):
    """A screen that explains its parts."""

    def explain(self, means: Means) -> None:
        """Explain the part that was held."""


class Target(Pane):
    """A pane that can be tapped, or held for 0.6 s if `on_hold` is set.

    A touch that ends elsewhere does nothing. `on_tap` and `on_hold` are called without arguments. A target that
    `repeats` is tapped repeatedly while held.
    """

    joined = False
    """True if it may touch its neighbours: an area of the screen, not a key."""
    means: Means = ""
    """Subject that the screen explains when it is held, unless a hold has another purpose."""

    def __init__(
        self,
        on_tap: Callable[[], object] | None = None,
        *,
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
        """Progress of a hold, from 0 to 1."""
        self._clock: Any = None
        self._began = 0.0
        super().__init__(**properties)

    @property
    def heard(self) -> bool:
        """True if a tap or a hold has an effect."""
        return self.on_tap is not None or self.on_hold is not None

    @property
    def ready(self) -> bool:
        """True if a finger could tap it now, and so a hardware button may."""
        return self.on_tap is not None and not self.disabled and self._there

    @property
    def held_for(self) -> Callable[[], object] | None:
        """The callback of a hold: `on_hold`, or the screen's explanation if it has one."""
        if self.on_hold is not None or not self.means:
            return self.on_hold
        pane = self.parent
        while pane is not None and not isinstance(pane, Explains):
            pane = pane.parent if pane.parent is not pane else None  # a window is its own
        return partial(pane.explain, self.means) if pane is not None else None

    @property
    def explains(self) -> bool:
        """True if it only explains itself when held."""
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
        """True if it is still in the window; a target removed under a finger is void."""
        return self.get_root_window() is not None

    def forget(self) -> None:
        """Drop the touch under way: its target is no longer here."""
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
        """Redraw without the finger."""
        self.draw_now()


class Explained(Target):
    """A place that is no key and only explains itself, on screens that explain."""

    joined = True

    @property
    def heard(self) -> bool:
        return self.held_for is not None
