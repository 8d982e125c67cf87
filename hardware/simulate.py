"""Parts that are not there: a die-roller, which is the firmware's own program on a pseudo-terminal with a finger that
presses; and a box of buttons and lamps on gpiozero's mock pins."""

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

from hardware.box import Box
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
    """A roller whose port is `path`, a link to the pseudo-terminal, as udev would make it.

    `seed` makes it roll the same again; with `faults` it does one thing in `rarely` wrong. With `by_hand` nobody
    presses the button but `press`. `show` is told what stands on its digits.
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
        """Switches it off."""
        super().close()
        self._unplug()

    def press(self) -> None:
        """A finger on its button; from any thread."""
        self._finger.set()

    def unplug(self) -> None:
        """Pulls its plug, from any thread; it is put in again after a moment."""
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
            self._turn(milliseconds())

    def _turn(self, now: int) -> None:
        """Five milliseconds of its life."""
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
    """The box of a wiring without a Raspberry Pi. `finger` presses a button, `heard` gives what was pressed since."""

    def __init__(self, wired: Wiring) -> None:
        self._wired = wired
        self.pins = MockFactory(pin_class=MockPWMPin)
        self._heard: queue.SimpleQueue[Press] = queue.SimpleQueue()
        self.box = Box(wired, self.pins, self._heard.put)

    def finger(self, name: str, *, held: bool = False) -> None:
        """Presses a button, and lets it go after a moment, later than a hold if it is `held`."""
        number = getattr(self._wired.buttons, name)
        if number is not None:
            pin = self.pins.pin(number)
            pin.drive_low()
            timer = threading.Timer(HELD / 1000 + TAPPED if held else TAPPED, pin.drive_high)
            timer.daemon = True
            timer.start()

    def heard(self) -> list[Press]:
        """What was pressed since this was asked the last time."""
        found = []
        while not self._heard.empty():
            found.append(self._heard.get())
        return found

    @property
    def lit(self) -> Lit:
        """What is lit and heard now."""
        return self.box.lit

    def close(self) -> None:
        """Lets go of everything."""
        self.box.close()
        self.pins.reset()
