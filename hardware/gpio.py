"""The one place where GPIO is opened: buttons in, lamps and buzzer out, by gpiozero.

What happens on a pin comes in a thread of the pin library, which is told as little as possible: a name, an edge and its
time go to whoever listens. The time is the kernel's own: a thread may come to an edge long after it.
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
"""The tones of the buzzer in hertz."""
OURS: Final = ("pinctrl-rp1", "pinctrl-bcm2711", "pinctrl-bcm2835")
"""How the chip with the pins of the header calls itself on a Pi 5, on a Pi 4, on those before."""

Edge = Callable[[Name, bool, int], object]
"""Told of an edge: which button, whether it is down now, and when in microseconds."""


class NoGpio(CompanionError):
    """There are no pins here, or they may not be used."""


def factory(chip: int | str = -1) -> Any:
    """The pins of this Raspberry Pi, or those that are simulated at a path; raises NoGpio where there are none."""
    if isinstance(chip, str):
        from hardware.distant_pins import DistantPins

        return DistantPins(chip)
    if not glob.glob("/dev/gpiochip*"):
        raise NoGpio("This computer has no GPIO pins; try companion buttons simulate.")
    if "LG_WD" not in os.environ:
        # lgpio keeps its pipes there, else where we were started; those of another user would keep ours from being made
        os.environ["LG_WD"] = tempfile.mkdtemp(prefix="companion-pins-")
        atexit.register(shutil.rmtree, os.environ["LG_WD"], ignore_errors=True)
    try:
        import lgpio
        from gpiozero.pins.lgpio import LGPIOFactory

        return LGPIOFactory(chip=numbered(lgpio) if chip < 0 else chip)
    except ImportError:
        raise NoGpio("The library lgpio is missing; pip install lgpio, or the package python3-lgpio, has it.") from None
    except Exception as wrong:
        raise NoGpio(f"The GPIO pins cannot be opened ({wrong}); add the user to the group gpio.") from wrong


def numbered(lgpio: Any) -> int:
    """The number of the chip that has the pins of the header: kernels number it in more than one way."""
    for number in sorted(int(path.removeprefix("/dev/gpiochip")) for path in glob.glob("/dev/gpiochip*")):
        try:
            handle = lgpio.gpiochip_open(number)
        except lgpio.error:
            continue
        label = lgpio.gpio_get_chip_info(handle)[3]
        lgpio.gpiochip_close(handle)
        if label in OURS:
            return number
    return 0


class Pins:
    """The devices of a wiring on the pins of `factory`; gpiozero's MockFactory does as well. Raises NoGpio."""

    def __init__(self, wiring: Wiring, factory: Any, edge: Edge) -> None:
        from gpiozero import LED, InputDevice, TonalBuzzer
        from gpiozero.tones import Tone

        self._edge = edge
        self._let_go: Callable[[], object] = getattr(factory, "let_go", lambda: None)
        self._devices: list[Any] = []
        self._buttons: dict[Name, Any] = {}
        self._ears: list[Callable[[float, bool], None]] = []
        self.shown = Lit()

        def made(kind: Any, pin: int | None, **how: Any) -> Any:
            if pin is None:
                return None
            device = kind(pin, pin_factory=factory, **how)
            self._devices.append(device)
            return device

        try:
            lamps = wiring.lamps
            self._status = tuple(made(LED, pin) for pin in (lamps.red, lamps.green, lamps.blue))
            self._start = tuple(made(LED, pin) for pin in lamps.start)
            self._wet = made(LED, lamps.wet)
            self._buzzer = made(TonalBuzzer, wiring.buzzer.pin, mid_tone=Tone(880), octaves=2)
            for name in MEANS:
                button = made(InputDevice, getattr(wiring.buttons, name), pull_up=True)
                if button is not None:
                    self._buttons[name] = button
                    self._hear(name, button.pin, factory)
        except Exception as wrong:  # that a pin is busy lgpio says by a class that is nothing else
            self.close()
            raise NoGpio(f"The GPIO pins cannot be used: {str(wrong) or type(wrong).__name__}.") from wrong

    def _hear(self, name: Name, pin: Any, factory: Any) -> None:
        def changed(ticks: float, high: bool) -> None:
            ago = factory.ticks_diff(factory.ticks(), ticks)
            self._edge(name, not high, time.monotonic_ns() // 1000 - round(ago * 1_000_000))

        self._ears.append(changed)  # the pin lets go of what nobody else has
        pin.when_changed = changed

    def down(self, name: Name) -> bool:
        """Whether a button is down now, whatever edges have been heard."""
        return bool(self._buttons[name].value)

    def show(self, lit: Lit) -> None:
        """Lights what is lit and sounds what is heard; a lamp that is not wired is passed over."""
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
        """Puts everything out and lets the pins go."""
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
