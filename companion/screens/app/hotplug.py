"""Hot-plugging of touchscreens, mice and keyboards.

A touchscreen that comes late is read from then on, a mouse has its pointer while it is there, and a loss is reported.
Only on a panel: a desktop does this itself. SDL follows mice and keyboards; touchscreens are read by Kivy, which
looks for none by itself.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable
from typing import Any, Final

from kivy.base import EventLoop
from kivy.clock import Clock
from kivy.core.window import Window
from kivy.input.factory import MotionEventFactory

from companion.screens.app import devices
from companion.screens.app.devices import Hand
from companion.screens.kit.theme import theme
from companion.view.shown import Toast

log = logging.getLogger(__name__)

EVERY: Final = 2.0
"""Seconds between two polls, which take a millisecond each."""


class Hotplug:
    """Watcher of input devices that has each touchscreen read once; `tell` shows what came and what is gone."""

    def __init__(self, tell: Callable[[Toast], object]) -> None:
        self._show = tell
        self.there: dict[str, Hand] | None = None
        """Devices found at the last poll; None before the first."""
        self._readers: dict[str, Any] = {}
        self._clocks: list[Any] = []

    def begin(self) -> None:
        """Start watching, once Kivy has begun to read."""
        if os.environ.get("SDL_VIDEODRIVER") == "kmsdrm":
            self._clocks = [Clock.schedule_once(self.look), Clock.schedule_interval(self.look, EVERY)]

    def end(self) -> None:
        """Stop watching."""
        for clock in self._clocks:
            clock.cancel()
        for reader in self._readers.values():
            EventLoop.remove_input_provider(reader)

    def look(self, _: float = 0) -> None:
        """Check the devices once."""
        now, before = devices.plugged(), self.there
        if now != before:
            Window.show_cursor = "mouse" in now.values()
        read = [self._read(path) for path, hand in now.items() if hand == "touchscreen"]
        if before is None or now != before:
            devices.mouse_of_fingers(not any(read))
        self.there = now
        if before is not None:
            self._tell("came", sorted(now.items() - before.items()))
            self._tell("gone", sorted(before.items() - now.items()))

    def _read(self, path: str) -> bool:
        """Start reading a touchscreen, unless it is being read; return False if impossible.

        A reader ends if its device went away and came back as root's own for a moment.
        """
        reader = self._readers.get(path)
        if reader is not None and reader.thread.is_alive():
            return True
        if reader is not None:
            EventLoop.remove_input_provider(reader)
        kind = MotionEventFactory.get("mtdev")
        if kind is None:
            return False
        reader = self._readers[path] = kind(f"touch{len(self._readers)}", path)
        reader.start()
        EventLoop.add_input_provider(reader)
        return True

    def _tell(self, what: str, which: list[tuple[str, Hand]]) -> None:
        if not which:
            return
        log.log(logging.INFO if what == "came" else logging.WARNING, "%s: %s", what, which)
        say = theme.words.screen
        hands = ", ".join(dict.fromkeys(say(f"plugged.{hand}") for _, hand in which))
        said = say(f"plugged.{what}", hands=hands)
        self._show(
            Toast(text=said, tone="plain", icon="info")
            if what == "came"
            else Toast(text=said, tone="warn", icon="triangle")
        )
