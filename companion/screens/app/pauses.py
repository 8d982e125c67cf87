"""Python's garbage collector, kept from the moments in which somebody waits for the screen."""

from __future__ import annotations

import gc
from collections.abc import Callable
from typing import Any, Final

from kivy.clock import Clock

YOUNG_OBJECTS: Final = 50_000
"""New objects after which the youngest generation is collected in any case; a picture makes some thousands."""
YOUNG_DUE: Final = 5_000
"""New objects after which it is collected, with the middle one, once nobody has touched anything for `PAUSE`."""
YOUNG_COLLECTIONS: Final = 3
"""Collections of the youngest generation after which the middle one is collected."""
DUE, OVERDUE = 10, 100
"""Collections of the middle generation after which the oldest is collected: once nobody has touched anything for
`PAUSE`, and in any case."""
PAUSE: Final = 2.0
"""Seconds without a touch after which nobody is taken to wait."""


class Collector:
    """When garbage is collected; as Python has it until `begin`, which the apps of tests leave out.

    The oldest generation takes a tenth of a second, on a Raspberry Pi several, and the middle one a tenth of that: they
    are collected while the table thinks, and what an open race is made of is not looked through at all. `idle` returns
    the seconds since the last touch.
    """

    def __init__(self, idle: Callable[[], float]) -> None:
        self._idle = idle
        self._usual: tuple[int, int, int] | None = None
        self._look: Any = None

    def begin(self) -> None:
        """Collect in pauses from now on."""
        self._usual = gc.get_threshold()
        gc.set_threshold(YOUNG_OBJECTS, YOUNG_COLLECTIONS, OVERDUE)
        self._look = Clock.schedule_interval(self._collect, PAUSE)

    def end(self) -> None:
        """Collect as Python does again."""
        if self._usual is not None:
            self._look.cancel()
            gc.set_threshold(*self._usual)
            self._usual = None

    def race_opened(self) -> None:
        """Leave out all that is there by now: most of it stays as long as the race."""
        if self._usual is not None:
            gc.freeze()

    def race_closed(self) -> None:
        """Look through everything again."""
        if self._usual is not None:
            gc.unfreeze()

    def _collect(self, _: float) -> None:
        if self._idle() < PAUSE:
            return
        young, _, middle = gc.get_count()
        if middle >= DUE:
            gc.collect()
        elif young >= YOUNG_DUE:
            gc.collect(1)
