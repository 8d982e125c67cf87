"""What a service manager such as systemd is told of the app, over the socket that it names in $NOTIFY_SOCKET: that the
app is there, how it stands, that it still lives, and that it ends. Where there is no such socket nothing is told.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Mapping
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any, Final

from kivy.clock import Clock
from kivy.core.window import Window

from companion.screens.widgets.theme import theme

if TYPE_CHECKING:
    from companion.screens.app.app import CompanionApp
    from companion.screens.app.seat import Seat

BEATS: Final = 4
"""How often the app says that it lives in the time after which it is taken for dead."""
SLOW: Final = 10.0
"""Seconds between two looks at how the app stands, where nobody waits for a sign of life."""


class Manager:
    """The service manager, by the environment that it gave the program."""

    def __init__(self, environ: Mapping[str, str] = os.environ) -> None:
        self.address = environ.get("NOTIFY_SOCKET", "")
        meant = environ.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
        waits = environ.get("WATCHDOG_USEC", "") if meant else ""
        self.waits = int(waits) / 1_000_000 if waits.isdecimal() else 0.0
        """Seconds without a sign of life after which it ends the program, 0 for never."""

    def tell(self, *lines: str) -> None:
        """Tells it something, such as "READY=1". It is no reason to fail if it does not listen."""
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
    """Tells the manager of the app, from the app's own loop and from nowhere else: when that hangs, or when the desk of
    the open race does, the signs of life stop."""

    def __init__(self, app: CompanionApp, manager: Manager) -> None:
        self.app, self.manager = app, manager
        self._said = ""
        self._seat: Seat | None = None
        self._heard: Future[Any] | None = None
        self._beats: Any = None

    def begin(self) -> None:
        """From here on the app is looked at; the manager is told that it is there once its first picture is. No sign of
        life goes before that word: from the first one on the manager waits for the next no longer than ever, and
        would end an app whose first picture takes its time."""
        if self.manager.address:
            Window.bind(on_flip=self._drawn)

    def end(self) -> None:
        """The app ends."""
        Window.unbind(on_flip=self._drawn)
        if self._beats is not None:
            self._beats.cancel()
        self.manager.tell("STOPPING=1")

    def _drawn(self, *_: object) -> None:
        """A picture goes to the display: the first that shows what was read of the log is the one waited for."""
        if self.app.screen is not None and self.app.screen.filled:
            Window.unbind(on_flip=self._drawn)
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
        """Whether the desk of the open race has come to what it was last handed for this; then it is handed more."""
        seat = self.app.playing.seat
        if seat is self._seat and self._heard is not None and not self._heard.done():
            return False
        self._seat = seat
        self._heard = None if seat is None else seat.see(lambda *_: None)
        return True

    def _status(self) -> str:
        """How the app stands, in one sentence."""
        shown, unsaved = self.app.playing.shown, len(self.app.playing.unsaved)
        if shown is None:
            said = theme.words.screen("service.waiting")
        else:
            said = theme.words.screen("service.racing", round=shown.top.round or "0", unsaved=unsaved)
        return f"STATUS={said}"
