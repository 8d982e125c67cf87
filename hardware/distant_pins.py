"""Pins that another program presses and looks at: `companion buttons simulate` at a socket, the touchscreen on these.

Both sides send lines of two or three numbers: the pin and its level to here, from here a lamp's pin, its level and, of
the buzzer, the hertz. They meet again whenever either of them was away.
"""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

from gpiozero.pins.mock import MockFactory, MockPWMPin

from hardware.debounce import HELD, Name
from hardware.lights import OUT, Lit
from hardware.running import Running
from hardware.wiring import Wiring

AGAIN: Final = 0.3
"""Seconds after which the other program is looked for again."""
TAPPED: Final = 0.08
"""Seconds for which a finger stays on a button."""


def lines(wire: socket.socket, over: threading.Event) -> Iterator[list[int]]:
    """The numbers of each line that comes, until the other side goes or it is over."""
    wire.settimeout(AGAIN)
    waiting = b""
    while not over.is_set():
        try:
            came = wire.recv(1024)
        except TimeoutError:
            continue
        except OSError:
            return
        if not came:
            return
        *whole, waiting = (waiting + came).split(b"\n")
        for line in whole:
            with contextlib.suppress(ValueError):  # what is none
                yield [int(number) for number in line.split()]


class DistantPin(MockPWMPin):  # type: ignore[misc]
    """A pin whose changes are told to the other side."""

    def _change_state(self, value: float) -> bool:
        changed = bool(super()._change_state(value))
        if changed and self.function == "output":
            self.factory.show(self)
        return changed


class DistantPins(MockFactory):  # type: ignore[misc]
    """Pins for gpiozero that are pressed by whoever listens at the socket `path`."""

    def __init__(self, path: str) -> None:
        super().__init__(pin_class=DistantPin)
        self._path, self._over = path, threading.Event()
        self._wire: socket.socket | None = None
        threading.Thread(target=self._run, name="distant pins", daemon=True).start()

    def let_go(self) -> None:
        """Ends; the pins stay as they are."""
        self._over.set()

    def show(self, pin: Any) -> None:
        """Tells of a lamp or the buzzer."""
        line = f"{pin.info.name.removeprefix('GPIO')} {int(bool(pin.state))} {int(pin.frequency or 0)}\n"
        wire = self._wire
        if wire is not None:
            with contextlib.suppress(OSError):  # it is gone, and is told all when it comes again
                wire.sendall(line.encode())

    def _run(self) -> None:
        while not self._over.wait(AGAIN):
            with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as wire, contextlib.suppress(OSError):
                wire.connect(self._path)
                self._wire = wire
                for pin in list(self.pins.values()):
                    if pin.function == "output":
                        self.show(pin)
                for number, level in (line for line in lines(wire, self._over) if len(line) == 2):
                    self._press(number, level)
            self._wire = None

    def _press(self, number: int, level: int) -> None:
        pin = next((pin for info, pin in list(self.pins.items()) if info.name == f"GPIO{number}"), None)
        if pin is not None and pin.function == "input":
            pin.drive_high() if level else pin.drive_low()


class DistantBox(Running):
    """The buttons and lamps of a wiring for a touchscreen that looks for them at the socket `path`: `finger` presses a
    button, `lit` is what the touchscreen lights."""

    def __init__(self, wired: Wiring, path: Path) -> None:
        super().__init__("distant box")
        self._wired, self._path = wired, path
        self._wire: socket.socket | None = None
        self._lit: dict[int, int] = {}
        path.unlink(missing_ok=True)
        self._server = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._server.bind(str(path))
        self._server.listen(1)
        self._server.settimeout(AGAIN)
        self.begin()

    def finger(self, name: Name, *, held: bool = False) -> None:
        """Presses a button, and lets it go after a moment, later than a hold if it is `held`."""
        number = getattr(self._wired.buttons, name)
        if number is not None:
            self._send(number, 0)
            timer = threading.Timer(HELD / 1000 + TAPPED if held else TAPPED, self._send, (number, 1))
            timer.daemon = True
            timer.start()

    def _send(self, pin: int, level: int) -> None:
        wire = self._wire
        if wire is not None:
            with contextlib.suppress(OSError):  # nobody is there
                wire.sendall(f"{pin} {level}\n".encode())

    @property
    def is_heard(self) -> bool:
        """Whether a touchscreen is there."""
        return self._wire is not None

    @property
    def lit(self) -> Lit:
        """What the touchscreen lights and sounds."""
        on: Callable[[int | None], bool] = lambda pin: pin is not None and bool(self._lit.get(pin))  # noqa: E731
        lamps, buzzer = self._wired.lamps, self._wired.buzzer.pin
        return Lit(
            status=(on(lamps.red), on(lamps.green), on(lamps.blue)),
            tone=self._lit.get(buzzer, 0) if buzzer is not None else 0,
            start=tuple(on(pin) for pin in lamps.start) or OUT,
            wet=on(lamps.wet),
        )

    def close(self) -> None:
        """Ends, and leaves nothing at the path."""
        super().close()
        self._server.close()
        self._path.unlink(missing_ok=True)

    def _run(self) -> None:
        while not self._over.is_set():
            try:
                wire, _ = self._server.accept()
            except OSError:  # nobody comes, for the moment
                continue
            with wire:
                self._wire = wire
                for pin, level, hertz in (line for line in lines(wire, self._over) if len(line) == 3):
                    self._lit[pin] = (hertz or 1) if level else 0
                self._wire, self._lit = None, {}
