"""Pins over a socket, for the touchscreen and `companion hardware buttons simulate`.

Both sides send lines of numbers: the simulator a pin and its level; the touchscreen a lamp's pin, its level and, for
the buzzer, the frequency in hertz. They reconnect whenever either side was away.
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
    """Yield the numbers of each line received, until the connection or the thread ends."""
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
    """A pin that reports its changes to the other side."""

    def _change_state(self, value: float) -> bool:
        changed = bool(super()._change_state(value))
        if changed and self.function == "output":
            self.factory.show(self)
        return changed


class DistantPins(MockFactory):  # type: ignore[misc]
    """Pins for gpiozero, driven by the program that listens at the socket `path`."""

    def __init__(self, path: str) -> None:
        super().__init__(pin_class=DistantPin)
        self._path, self._over = path, threading.Event()
        self._wire: socket.socket | None = None
        threading.Thread(target=self._run, name="distant pins", daemon=True).start()

    def let_go(self) -> None:
        """Stop; the pins keep their state."""
        self._over.set()

    def show(self, pin: Any) -> None:
        """Send the state of a lamp or the buzzer."""
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
    """The simulator's side: the buttons and lamps of a wiring at the socket `path`.

    `finger` presses a button, `lit` is what the touchscreen shows on the lamps.
    """

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
        """Press a button and release it after a moment, or after a hold if `held`."""
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
        """True if a touchscreen is connected."""
        return self._wire is not None

    @property
    def lit(self) -> Lit:
        """The state of the lamps and the buzzer as the touchscreen sets them."""
        on: Callable[[int | None], bool] = lambda pin: pin is not None and bool(self._lit.get(pin))  # noqa: E731
        lamps, buzzer = self._wired.lamps, self._wired.buzzer.pin
        return Lit(
            status=(on(lamps.red), on(lamps.green), on(lamps.blue)),
            tone=self._lit.get(buzzer, 0) if buzzer is not None else 0,
            start=tuple(on(pin) for pin in lamps.start) or OUT,
            wet=on(lamps.wet),
        )

    def close(self) -> None:
        """Stop, and remove the socket."""
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
