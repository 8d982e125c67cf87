"""The app's notifications to a service manager such as systemd.

They go to the socket in $NOTIFY_SOCKET: that the app is ready, its status, its watchdog signals, and its end. Without
such a socket nothing is sent.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any, Final

from kivy.clock import Clock
from kivy.core.window import Window

from companion.screens.kit.theme import theme

if TYPE_CHECKING:
    from companion.screens.app.playing import Playing
    from companion.screens.app.seat import RaceSession

BEATS: Final = 4
"""Number of signs of life in the time after which the app is taken for dead."""
SLOW: Final = 10.0
"""Seconds between two checks of the app if nobody waits for a sign of life."""


class Manager:
    """The service manager, from the environment that it gave the program."""

    def __init__(self, environ: Mapping[str, str] = os.environ) -> None:
        self.address = environ.get("NOTIFY_SOCKET", "")
        meant = environ.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
        waits = environ.get("WATCHDOG_USEC", "") if meant else ""
        self.waits = int(waits) / 1_000_000 if waits.isdecimal() else 0.0
        """Seconds without a sign of life after which it ends the program, 0 for never."""

    def tell(self, *lines: str) -> None:
        """Send lines such as "READY=1"; a manager that does not listen is ignored."""
        if not self.address:
            return
        place = "\0" + self.address[1:] if self.address.startswith("@") else self.address
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as out:
                out.settimeout(1.0)
                out.sendto("\n".join(lines).encode(), place)
        except OSError:
            pass


class Watch:
    """Watchdog of the app, run only from the app's own loop.

    If that hangs, or the desk of the open race does, the signals stop. `is_loaded` says that the open screen has its
    content.
    """

    def __init__(self, manager: Manager, playing: Playing, is_loaded: Callable[[], bool]) -> None:
        self.manager, self.playing, self.is_loaded = manager, playing, is_loaded
        self._said = ""
        self._seat: RaceSession | None = None
        self._heard: Future[Any] | None = None
        self._beats: Any = None

    def begin(self) -> None:
        """Start watching; report ready after the first frame.

        No watchdog signal precedes that: from the first one the manager allows only the normal interval, and would
        kill an app whose first frame takes long.
        """
        if self.manager.address:
            Window.bind(on_flip=self._on_frame)

    def end(self) -> None:
        """Report the end of the app."""
        Window.unbind(on_flip=self._on_frame)
        if self._beats is not None:
            self._beats.cancel()
        self.manager.tell("STOPPING=1")

    def _on_frame(self, *_: object) -> None:
        """Handle a frame on the display; the first with content read from the log counts."""
        if self.is_loaded():
            Window.unbind(on_flip=self._on_frame)
            Clock.schedule_once(self._ready)

    def _ready(self, _: float) -> None:
        self._said = self._status()
        self.manager.tell("READY=1", self._said)
        self._beats = Clock.schedule_interval(self._beat, self.manager.waits / BEATS or SLOW)

    def _beat(self, _: float) -> None:
        status = self._status()
        lines = [status] if status != self._said else []
        self._said = status
        if self.manager.waits and self._desk_lives():
            lines.append("WATCHDOG=1")
        if lines:
            self.manager.tell(*lines)

    def _desk_lives(self) -> bool:
        """Return True if the desk has done its last ping; then send it another."""
        seat = self.playing.seat
        if seat is self._seat and self._heard is not None and not self._heard.done():
            return False
        self._seat = seat
        self._heard = None if seat is None else seat.see(lambda *_: None)
        return True

    def _status(self) -> str:
        """Return the app's status in one sentence."""
        shown, unsaved = self.playing.shown, len(self.playing.unsaved)
        if shown is None:
            said = theme.words.screen("service.waiting")
        else:
            said = theme.words.screen("service.racing", round=shown.top.round or "0", unsaved=unsaved)
        return f"STATUS={said}"
