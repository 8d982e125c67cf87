"""The sleep of the screen: dim after a time without a touch, then black.

A touch wakes it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from kivy.clock import Clock
from kivy.core.window import Window

from companion.screens.app import backlight
from companion.screens.app.settings import SettingsFile
from companion.screens.kit.pane import Pane
from companion.screens.kit.pen import Pen
from companion.screens.kit.touch import ears

DIMMED: Final = 30
"""Brightness of a dimmed panel, in per cent of the setting."""
VEIL_SHARE: Final = 0.7
"""Share of its light that the picture loses if the panel cannot be dimmed."""
MINUTE: Final = 60.0


class Curtain(Pane):
    """The cover of a dim or black screen; a touch lifts it and does nothing else."""

    def __init__(self, darkness: float, on_touch: Callable[[], object]) -> None:
        super().__init__()
        self._darkness, self._on_touch = darkness, on_touch

    def paint(self, pen: Pen) -> None:
        if self._darkness:
            pen.fill(0, 0, pen.w, pen.h, "#000000", alpha=self._darkness)

    def on_touch_down(self, _touch: Any) -> bool:
        self._on_touch()
        return True


class Sleep:
    """Dimming and blanking of the screen as the settings say.

    A panel that was off could not be woken by touch: a black one shines at its least brightness. While `clock_runs` the
    screen stays awake.
    """

    def __init__(self, settings: SettingsFile, clock_runs: Callable[[], bool]) -> None:
        self._settings, self._clock_runs = settings, clock_runs
        self._since = 0.0
        """Time of the last activity, on the monotonic clock."""
        self._curtain: Curtain | None = None
        self._look: Any = None

    def begin(self) -> None:
        """Watch for touches."""
        Window.bind(on_touch_down=self._touched, size=self._fitted)
        self.wake()

    def end(self) -> None:
        """Wake the screen, and stop watching."""
        self.wake()
        Window.unbind(on_touch_down=self._touched, size=self._fitted)
        if self._look is not None:
            self._look.cancel()

    def wake(self) -> bool:
        """Wake the screen or restart its timer; return True if it was dim or black."""
        self._since = Clock.get_time()
        slept = self._curtain is not None
        if slept:
            self._lift()
            backlight.shine(self._settings.now.brightness)
            ears.close()  # what can be tapped is seen first
        self._wait()
        return slept

    # -- when

    def idle(self) -> float:
        """Return the seconds since the last activity."""
        return float(Clock.get_time() - self._since)

    def _touched(self, *_: object) -> None:
        if self._curtain is None:
            self._since = Clock.get_time()

    def _wait(self) -> None:
        """Schedule the next step."""
        if self._look is not None:
            self._look.cancel()
        dim, black = self._times()
        idle = self.idle()
        due = [at - idle for at in (dim, black) if at and at > idle]
        self._look = Clock.schedule_once(self._due, max(0.05, min(due))) if due else None

    def _times(self) -> tuple[float, float]:
        """Return the seconds until the screen dims and until it is black, 0 for never."""
        chosen = self._settings.now
        return chosen.dim_minutes * MINUTE, chosen.sleep_minutes * MINUTE

    def _due(self, _: float) -> None:
        if self._clock_runs():
            self._since = Clock.get_time()
        dim, black = self._times()
        idle = self.idle()
        if black and idle >= black:
            self._draw(1.0, 0)
        elif dim and idle >= dim:
            self._draw(VEIL_SHARE, DIMMED)
        self._wait()

    # -- how

    def _draw(self, darkness: float, share: int) -> None:
        """Dim the panel to a share of its brightness, in per cent.

        Where no panel can be dimmed, the picture is darkened.
        """
        self._lift()
        shone = backlight.shine(round(self._settings.now.brightness * share / 100))
        self._curtain = Curtain(0.0 if shone and share else darkness, self.wake)
        self._fitted()
        Window.add_widget(self._curtain)  # over the keyboard too

    def _lift(self) -> None:
        if self._curtain is not None:
            Window.remove_widget(self._curtain)
            self._curtain = None

    def _fitted(self, *_: object) -> None:
        if self._curtain is not None:
            self._curtain.size = Window.size
