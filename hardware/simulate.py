"""Simulated parts: a die-roller and a box of buttons and lamps.

The die-roller is the firmware on a pseudo-terminal, with a simulated finger; the box uses gpiozero's mock pins.
"""

from __future__ import annotations

import contextlib
import os
import pty
import queue
import random
import select
import threading
import tty
from collections.abc import Callable
from pathlib import Path
from typing import Final

from gpiozero.pins.mock import MockFactory, MockPWMPin

from hardware.box import ButtonBox
from hardware.debounce import HELD, Press
from hardware.faults import FAULTS, Faulty
from hardware.firmware.device import Roller
from hardware.firmware.dice import SIDES
from hardware.lights import Lit
from hardware.port import milliseconds
from hardware.running import Running
from hardware.wiring import Wiring

PRESSED: Final = 300
"""Milliseconds after which somebody presses the button of a roller that is asked."""
UNPLUGGED: Final = 700
"""Milliseconds for which the plug is out."""


class Simulated(Running):
    """A simulated roller at `path`, a link to its pseudo-terminal, as udev would make it.

    `seed` makes its rolls reproducible; with `faults` one line in `rarely` goes wrong. With `by_hand` only `press`
    presses the button. `show` is called with the text on the digits.
    """

    def __init__(
        self,
        path: Path,
        *,
        seed: int | None = None,
        faults: bool = False,
        rarely: int = 4,
        by_hand: bool = False,
        show: Callable[[str], object] = lambda text: None,
        dice: tuple[str, ...] = tuple(SIDES),
        after: int = PRESSED,
    ) -> None:
        self.path = path
        drawn: random.Random = random.Random(seed) if seed is not None else random.SystemRandom()
        self.faulty = Faulty(
            self._write, self.unplug, seed=seed or 0, rarely=rarely, faults=FAULTS if faults else ()
        )  # fmt: skip
        self.roller = Roller(self.faulty.write, lambda die: drawn.choice(SIDES[die]), show, dice, "simulated 1")
        self._by_hand, self._after = by_hand, after
        self._fds: tuple[int, int] | None = None
        self._plugged_at = self._asked_at = 0
        self._finger, self._pulled = threading.Event(), threading.Event()
        super().__init__("simulated roller")
        self._plug()

    def close(self) -> None:
        """Switch the roller off."""
        super().close()
        self._unplug()

    def press(self) -> None:
        """Press the button; from any thread."""
        self._finger.set()

    def unplug(self) -> None:
        """Pull the plug for a moment; from any thread."""
        self._pulled.set()

    def _unplug(self) -> None:
        self._pulled.clear()
        if self._fds is not None:
            with contextlib.suppress(OSError):
                if os.readlink(self.path) == os.ttyname(self._fds[1]):  # another one may be simulated there since
                    self.path.unlink()
            for fd in self._fds:
                os.close(fd)
            self._fds = None
            self._plugged_at = milliseconds() + UNPLUGGED

    def _plug(self) -> None:
        outer, inner = pty.openpty()
        tty.setraw(inner)
        os.set_blocking(outer, False)
        self._fds = outer, inner  # the inner end stays open, else the outer one fails as soon as nobody listens
        beside = self.path.with_name(f".{self.path.name}.new")
        beside.unlink(missing_ok=True)
        beside.symlink_to(os.ttyname(inner))
        beside.replace(self.path)

    def _write(self, data: bytes) -> None:
        with contextlib.suppress(OSError):  # what nobody reads is lost, as on a wire
            if self._fds is not None:
                os.write(self._fds[0], data)

    def _run(self) -> None:
        self.roller.begin(milliseconds())
        while not self._over.is_set():
            self.turn(milliseconds())

    def turn(self, now: int) -> None:
        """Run the roller for five milliseconds."""
        if self._pulled.is_set():
            self._unplug()
        if self._fds is None:
            self._over.wait(0.005)
            if now >= self._plugged_at:
                self._plug()
                self.roller.begin(now)
            return
        self.faulty.tick(now)
        if select.select([self._fds[0]], [], [], 0.005)[0]:
            with contextlib.suppress(OSError):
                self.roller.hear(os.read(self._fds[0], 1024), now)
        if not self.roller.ask:
            self._asked_at = now
        elif not self._by_hand and now - self._asked_at >= self._after:
            self.press()
        if self._finger.is_set():
            self._finger.clear()
            self._asked_at = now
            self.roller.press(now)
        self.roller.tick(now)


TAPPED: Final = 0.08
"""Seconds for which a finger stays on a button."""


class SimulatedBox:
    """The box of a wiring without a Raspberry Pi.

    `finger` presses a button, `heard` returns the presses since the last call.
    """

    def __init__(self, wired: Wiring) -> None:
        self._wired = wired
        self.pins = MockFactory(pin_class=MockPWMPin)
        self._heard: queue.SimpleQueue[Press] = queue.SimpleQueue()
        self.box = ButtonBox(wired, self.pins, self._heard.put)

    def finger(self, name: str, *, held: bool = False) -> None:
        """Press a button and release it after a moment, or after a hold if `held`."""
        number = getattr(self._wired.buttons, name)
        if number is not None:
            pin = self.pins.pin(number)
            pin.drive_low()
            timer = threading.Timer(HELD / 1000 + TAPPED if held else TAPPED, pin.drive_high)
            timer.daemon = True
            timer.start()

    def take_presses(self) -> list[Press]:
        """Return the presses since the last call."""
        found = []
        while not self._heard.empty():
            found.append(self._heard.get())
        return found

    @property
    def lit(self) -> Lit:
        """The present state of the lamps and the buzzer."""
        return self.box.lit

    def close(self) -> None:
        """Close the box and release the pins."""
        self.box.close()
        self.pins.reset()
