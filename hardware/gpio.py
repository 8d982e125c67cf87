"""The pins, by gpiozero: buttons in, lamps and buzzer out. No other module opens GPIO.

Edges arrive in a thread of the pin library, which does as little as possible: it passes on name, level and time. The
time is the kernel's, as the thread may run long after the edge.
"""

from __future__ import annotations

import atexit
import glob
import logging
import os
import shutil
import tempfile
import time
from collections.abc import Callable
from typing import Any, Final

from companion.rules.conversation.errors import CompanionError
from hardware.debounce import MEANS, Name
from hardware.lights import Lit
from hardware.wiring import Wiring

LOWEST, HIGHEST = 220, 3500
"""Range of the buzzer's tones, in hertz."""
HEADER_CHIPS: Final = ("pinctrl-rp1", "pinctrl-bcm2711", "pinctrl-bcm2835")
"""Labels of the chip with the pins of the header on a Pi 5, on a Pi 4 and on older ones."""

Edge = Callable[[Name, bool, int], object]
"""Callback for an edge: the button, True if it is down now, and the time in microseconds."""


class NoGpio(CompanionError):
    """Raised if there are no pins here, or if they cannot be used."""


def factory(chip: int | str = -1) -> Any:
    """Return the pins of this Raspberry Pi, or simulated ones at a path; raises NoGpio."""
    if isinstance(chip, str):
        from hardware.distant_pins import DistantPins

        return DistantPins(chip)
    if not glob.glob("/dev/gpiochip*"):
        raise NoGpio("no_gpio")
    if "LG_WD" not in os.environ:
        # lgpio keeps its pipes there, else where we were started; those of another user would keep ours from being made
        os.environ["LG_WD"] = tempfile.mkdtemp(prefix="companion-pins-")
        atexit.register(shutil.rmtree, os.environ["LG_WD"], ignore_errors=True)
    try:
        import lgpio
        from gpiozero.pins.lgpio import LGPIOFactory

        return LGPIOFactory(chip=numbered(lgpio) if chip < 0 else chip)
    except ImportError:
        raise NoGpio("no_lgpio") from None
    except Exception as wrong:
        raise NoGpio("gpio_group", why=wrong) from wrong


def numbered(lgpio: Any) -> int:
    """Return the number of the chip with the header's pins, which varies between kernels."""
    for number in sorted(int(path.removeprefix("/dev/gpiochip")) for path in glob.glob("/dev/gpiochip*")):
        try:
            handle = lgpio.gpiochip_open(number)
        except lgpio.error:
            continue
        label = lgpio.gpio_get_chip_info(handle)[3]
        lgpio.gpiochip_close(handle)
        if label in HEADER_CHIPS:
            return number
    return 0


class Pins:
    """The devices of a wiring on the pins of `factory`, which may be gpiozero's MockFactory.

    Raises NoGpio.
    """

    def __init__(self, wiring: Wiring, factory: Any, edge: Edge) -> None:
        from gpiozero import LED, InputDevice, TonalBuzzer
        from gpiozero.tones import Tone

        self._edge = edge
        self._let_go: Callable[[], object] = getattr(factory, "let_go", lambda: None)
        self._devices: list[Any] = []
        self._buttons: dict[Name, Any] = {}
        self._ears: list[Callable[[float, bool], None]] = []
        self.shown = Lit()

        def make(kind: Any, pin: int | None, **how: Any) -> Any:
            if pin is None:
                return None
            device = kind(pin, pin_factory=factory, **how)
            self._devices.append(device)
            return device

        try:
            lamps = wiring.lamps
            self._status = tuple(make(LED, pin) for pin in (lamps.red, lamps.green, lamps.blue))
            self._start = tuple(make(LED, pin) for pin in lamps.start)
            self._wet = make(LED, lamps.wet)
            self._buzzer = make(TonalBuzzer, wiring.buzzer.pin, mid_tone=Tone(880), octaves=2)
            for name in MEANS:
                button = make(InputDevice, getattr(wiring.buttons, name), pull_up=True)
                if button is not None:
                    self._buttons[name] = button
                    self._hear(name, button.pin, factory)
        except Exception as wrong:  # that a pin is busy lgpio says by a class that is nothing else
            self.close()
            raise NoGpio("gpio_failed", why=str(wrong) or type(wrong).__name__) from wrong

    def _hear(self, name: Name, pin: Any, factory: Any) -> None:
        def changed(ticks: float, high: bool) -> None:
            ago = factory.ticks_diff(factory.ticks(), ticks)
            self._edge(name, not high, time.monotonic_ns() // 1000 - round(ago * 1_000_000))

        self._ears.append(changed)  # the pin lets go of what nobody else has
        pin.when_changed = changed

    def down(self, name: Name) -> bool:
        """Return True if a button is down at this moment, independent of its edges."""
        return bool(self._buttons[name].value)

    def show(self, lit: Lit) -> None:
        """Set the lamps and the buzzer; lamps that are not wired are skipped."""
        before, self.shown = self.shown, lit
        pairs = [(self._wet, before.wet, lit.wet)]
        pairs += zip(self._status, before.status, lit.status, strict=True)
        pairs += zip(self._start, before.start, lit.start, strict=False)
        for lamp, was, now in pairs:
            if lamp is not None and was != now:
                lamp.value = now
        if self._buzzer is not None and before.tone != lit.tone:
            self._sound(lit.tone)

    def _sound(self, tone: int) -> None:
        from gpiozero.tones import Tone

        if tone:
            self._buzzer.play(Tone(min(max(tone, LOWEST), HIGHEST)))
        else:
            self._buzzer.stop()

    def close(self) -> None:
        """Turn everything off and release the pins."""
        for button in self._buttons.values():
            button.pin.when_changed = None
        self._buttons = {}
        for device in self._devices:
            try:
                device.close()
            except Exception:
                logging.getLogger(__name__).exception("a pin could not be let go")
        self._devices = []
        self._let_go()
