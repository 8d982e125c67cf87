"""Work for moments in which nobody waits for the screen: garbage collection and imports."""

from __future__ import annotations

import gc
import importlib
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
RACE_MODULES: Final = (
    "companion.screens.pages.history",
    "companion.view.pages.sheet",
    "companion.screens.pages.after",
    "companion.screens.pages.exporting",
    "companion.screens.pages.sheet",
    "companion.screens.pages.override",
    "companion.screens.pages.rules",
    "kivy.core.clipboard",  # imported by the first text field
)
"""Modules that the keys of a race open, the likeliest first; each takes a few hundredths of a second to import."""


class Pauses:
    """Work for pauses, from `begin` on; the apps of tests leave it out, and garbage is collected as Python does.

    The oldest generation takes a tenth of a second, on a Raspberry Pi several, and the middle one a tenth of that: they
    are collected while the table thinks, and what an open race is made of is not looked through at all. In the pauses
    of a race one module after the other is imported, so that the first look at its history or its log waits for none.
    `idle` returns the seconds since the last touch.
    """

    def __init__(self, idle: Callable[[], float]) -> None:
        self._idle = idle
        self._usual: tuple[int, int, int] | None = None
        self._look: Any = None
        self._to_import: list[str] = []

    def begin(self) -> None:
        """Work in pauses from now on."""
        self._usual = gc.get_threshold()
        gc.set_threshold(YOUNG_OBJECTS, YOUNG_COLLECTIONS, OVERDUE)
        self._look = Clock.schedule_interval(self._work, PAUSE)

    def end(self) -> None:
        """Collect as Python does again."""
        if self._usual is not None:
            self._look.cancel()
            gc.set_threshold(*self._usual)
            self._usual = None

    def race_opened(self) -> None:
        """Import what a race opens in pauses to come; collect nothing of what is there by now, as most of it stays."""
        self._to_import = list(RACE_MODULES)
        if self._usual is not None:
            gc.freeze()

    def race_closed(self) -> None:
        """Look through everything again."""
        if self._usual is not None:
            gc.unfreeze()

    def _work(self, _: float) -> None:
        if self._idle() < PAUSE:
            return
        young, _, middle = gc.get_count()
        if middle >= DUE:
            gc.collect()
        elif young >= YOUNG_DUE:
            gc.collect(1)
        elif self._to_import:
            importlib.import_module(self._to_import.pop(0))
