"""Buttons and lamps on gpiozero's mock pins: presses come out, lights go on, and nothing is left open."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin

from hardware import gpio
from hardware.box import ButtonBox
from hardware.debounce import Press
from hardware.gpio import NoGpio, Pins
from hardware.lights import AMBER, WHITE, Lit
from hardware.wiring import Wiring, read, wiring
from tests.hardware.waiting import until


class Remembering(MockPWMPin):  # type: ignore[misc]
    """A pin that remembers the tones it has sounded."""

    def __init__(self, factory: Any, info: Any) -> None:
        super().__init__(factory, info)
        self.tones: list[float] = []

    def _set_frequency(self, value: float | None) -> None:
        if value is not None and value not in self.tones:
            self.tones.append(value)
        super()._set_frequency(value)


@pytest.fixture
def pins() -> Iterator[Any]:
    made = MockFactory(pin_class=Remembering)
    yield made
    made.reset()


class Fingers:
    """A box on mock pins, and fingers for its buttons."""

    def __init__(self, factory: Any, wired: Wiring) -> None:
        self.heard: list[str] = []
        self.factory, self.wired = factory, wired
        self.box = ButtonBox(wired, factory, self._heard)

    def _heard(self, press: Press) -> None:
        self.heard.append(press.means)

    def pin(self, number: int | None) -> Any:
        return self.factory.pin(number)

    def press(self, name: str, seconds: float = 0.06, bounces: int = 3) -> None:
        """Presses a button whose contact bounces."""
        pin = self.pin(getattr(self.wired.buttons, name))
        for _ in range(bounces):
            pin.drive_low()
            pin.drive_high()
        pin.drive_low()
        time.sleep(seconds)
        for _ in range(bounces):
            pin.drive_high()
            pin.drive_low()
        pin.drive_high()
        time.sleep(0.04)
        until(lambda: self.box._todo.empty() and self.box._presses.due is None)
        time.sleep(0.01)

    def status(self) -> tuple[bool, ...]:
        lamps = self.wired.lamps
        return tuple(bool(self.pin(pin).state) for pin in (lamps.red, lamps.green, lamps.blue))

    def was_on(self, number: int | None) -> bool:
        """Whether a lamp or the buzzer was ever on; by what its pin remembers, as a flash may be missed."""
        return any(state.state for state in self.pin(number).states)

    def rest(self) -> None:
        """Waits until all has flashed that is to flash."""
        until(lambda: self.box._todo.empty() and self.box.lights.due is None)

    def five(self) -> int:
        return sum(bool(self.pin(pin).state) for pin in self.wired.lamps.start)


@pytest.fixture
def fingers(pins: Any) -> Iterator[Fingers]:
    made = Fingers(pins, wiring())
    yield made
    made.box.close()


def test_every_button_is_heard_pressed_and_held(fingers: Fingers) -> None:
    for name in ("up", "down", "confirm", "undo", "next", "clock"):
        fingers.press(name)
    assert fingers.heard == ["up", "down", "confirm", "undo", "next", "pause"]
    for name in ("up", "down", "confirm", "undo", "next"):
        fingers.press(name, 0.65)
    assert fingers.heard[6:] == ["last", "first", "override", "history", "pause"]


def test_a_spark_is_not_heard_and_a_double_tap_does_not_answer_twice(fingers: Fingers) -> None:
    fingers.press("confirm", 0)
    assert fingers.heard == []
    fingers.press("confirm")
    asked = time.monotonic()
    fingers.box.question()
    until(lambda: time.monotonic() > asked + 0.1)
    since = time.monotonic() - asked
    starved(fingers.pin(fingers.wired.buttons.confirm), (since - 0.02, False), (since - 0.08, True))
    fingers.press("up")
    assert fingers.heard == ["confirm", "up"]


def starved(pin: Any, *edges: tuple[float, bool]) -> None:
    """What a contact did so many seconds ago, up or down, of which this program hears only now."""
    pin._state = edges[-1][1]
    for ago, high in edges:
        pin._when_changed()(time.monotonic() - ago, high)


def test_a_press_is_as_long_as_the_kernel_saw_it_however_late_it_is_heard(fingers: Fingers) -> None:
    pin = fingers.pin(fingers.wired.buttons.confirm)
    starved(pin, (0.5, False), (0.3, True))
    until(lambda: fingers.heard == ["confirm"])
    starved(pin, (2.0, False), (1.99, True))
    starved(pin, (1.5, False), (0.8, True))
    until(lambda: fingers.heard == ["confirm", "override"])


def test_a_press_that_is_over_is_no_hold_though_only_its_beginning_was_heard(fingers: Fingers) -> None:
    pin = fingers.pin(fingers.wired.buttons.confirm)
    began = time.monotonic()
    pin._state = True
    pin._when_changed()(began - 0.8, False)
    time.sleep(0.1)
    assert fingers.heard == []
    pin._when_changed()(began - 0.5, True)
    until(lambda: fingers.heard == ["confirm"])


def test_a_question_is_as_old_as_it_was_told_however_late_the_box_comes_to_it(fingers: Fingers) -> None:
    busy = threading.Event()

    def wait(now: int) -> None:
        busy.wait()

    fingers.box._todo.put(wait)
    fingers.box.question()
    time.sleep(0.35)
    starved(fingers.pin(fingers.wired.buttons.confirm), (0.06, False), (0.0, True))
    busy.set()
    until(lambda: fingers.heard == ["confirm"])


def test_lamps_follow_the_race(fingers: Fingers) -> None:
    fingers.box.happen("accepted")
    fingers.box.happen("waiting")
    until(lambda: fingers.status() == WHITE)
    lamps = fingers.wired.lamps
    since = [fingers.pin(pin)._last_change for pin in (lamps.green, lamps.red, lamps.blue)]
    assert since[0] < min(since[1:]), "it was green before"
    fingers.box.happen("cost")
    until(lambda: fingers.status() == AMBER)
    fingers.box.wet(True)
    until(lambda: fingers.pin(fingers.wired.lamps.wet).state)
    fingers.box.start(True)
    until(lambda: fingers.was_on(lamps.start[1]))
    fingers.box.start(False)
    until(lambda: not fingers.five())


def test_the_buzzer_sounds_if_it_may(fingers: Fingers) -> None:
    buzzer = fingers.pin(fingers.wired.buzzer.pin)
    fingers.box.happen("out", heard=False)
    until(lambda: fingers.was_on(fingers.wired.lamps.red))
    fingers.rest()
    assert not fingers.was_on(fingers.wired.buzzer.pin)
    fingers.box.happen("out")
    until(lambda: fingers.was_on(fingers.wired.buzzer.pin))
    assert round(buzzer.tones[-1]) == 400
    until(lambda: not buzzer.state)


def test_what_the_box_is_told_wrongly_does_not_end_it(fingers: Fingers) -> None:
    fingers.box.happen("earthquake")
    fingers.press("up")
    assert fingers.heard == ["up"]


def test_lamps_that_fail_leave_the_buttons(fingers: Fingers, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(lit: Lit) -> None:
        raise OSError("a wire is off")

    monkeypatch.setattr(fingers.box._pins, "show", broken)
    fingers.box.happen("accepted")
    fingers.press("up")
    assert fingers.heard == ["up"]


def test_when_it_is_closed_all_is_dark_and_the_pins_are_free(pins: Any) -> None:
    for _ in range(2):
        made = Fingers(pins, wiring())
        made.box.happen("waiting")
        until(lambda made=made: made.status() == WHITE)
        made.box.close()
        assert made.status() == (False, False, False)


def test_parts_that_are_not_wired_are_passed_over(pins: Any) -> None:
    made = Fingers(pins, read("[buttons]\nconfirm = 13\n[lamps]\ngreen = 27"))
    made.box.happen("weather")
    made.box.start(True)
    made.box.happen("waiting")
    until(lambda: made.pin(27).state)
    made.press("confirm")
    assert made.heard == ["confirm"]
    made.box.close()


def test_a_pin_that_somebody_else_has_is_told(pins: Any) -> None:
    first = Pins(read("[lamps]\nwet = 16"), pins, lambda *_: None)
    with pytest.raises(NoGpio, match="GPIO16"):
        Pins(read("[buttons]\nup = 5\n[lamps]\nwet = 16"), pins, lambda *_: None)
    first.show(Lit(wet=True))
    assert pins.pin(16).state
    first.close()
    first.close()


@pytest.mark.parametrize(("tone", "heard"), [(1, gpio.LOWEST), (440, 440), (99999, gpio.HIGHEST)])
def test_a_tone_that_the_buzzer_cannot_make_is_the_nearest_that_it_can(pins: Any, tone: int, heard: int) -> None:
    made = Pins(read("[buzzer]\npin = 12"), pins, lambda *_: None)
    made.show(Lit(tone=tone))
    assert (pins.pin(12).frequency, bool(pins.pin(12).state)) == (heard, True)
    made.show(Lit())
    assert not pins.pin(12).state
    made.close()


def test_a_pin_that_cannot_do_what_it_should_is_told() -> None:
    with pytest.raises(NoGpio, match="cannot be used: PinPWMUnsupported"):
        Pins(read("[buzzer]\npin = 12"), MockFactory(), lambda *_: None)


def test_a_pin_that_the_kernel_has_is_told(pins: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """As lgpio says it: by an error of its own, which neither gpiozero nor Python knows."""

    class Busy(Exception):
        pass

    def pin(number: Any) -> Any:
        if number == 16:
            raise Busy("'GPIO busy'")
        return was(number)

    was = pins.pin
    monkeypatch.setattr(pins, "pin", pin)
    with pytest.raises(NoGpio, match="cannot be used: 'GPIO busy'"):
        Pins(read("[lamps]\nred = 17\nwet = 16"), pins, lambda *_: None)
    monkeypatch.undo()
    Pins(read("[lamps]\nred = 17\nwet = 16"), pins, lambda *_: None).close()


def test_a_computer_without_pins_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("glob.glob", lambda pattern: [])
    with pytest.raises(NoGpio, match="no GPIO pins"):
        gpio.factory()
    monkeypatch.setattr("glob.glob", lambda pattern: ["/dev/gpiochip0"])
    monkeypatch.setitem(__import__("sys").modules, "lgpio", None)
    with pytest.raises(NoGpio, match="pip install lgpio"):
        gpio.factory()


def test_the_pipes_of_the_library_of_pins_lie_where_no_other_user_has_any(tmp_path: Path) -> None:
    """A folder of this program's own, which goes with it."""
    code = (
        "import glob, os, sys; sys.modules['lgpio'] = None; glob.glob = lambda _: ['/dev/gpiochip0']\n"
        "from hardware.gpio import NoGpio, factory\n"
        "for _ in range(2):\n"
        "    try: factory()\n"
        "    except NoGpio: print(os.environ['LG_WD'], oct(os.stat(os.environ['LG_WD']).st_mode & 0o777))\n"
    )
    env = {name: value for name, value in os.environ.items() if name != "LG_WD"} | {"TMPDIR": str(tmp_path)}
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=env)
    first, second = (line.split() for line in said.stdout.splitlines())
    assert first == second
    assert (Path(first[0]).parent, first[1]) == (tmp_path, "0o700")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("labels", "chip"),
    [
        ({0: "pinctrl-bcm2711", 1: "raspberrypi-exp-gpio"}, 0),
        ({0: "gpio-brcmstb@107d508500", 4: "pinctrl-rp1", 10: "gpio-brcmstb@107d517c00"}, 4),
        ({0: "pinctrl-rp1", 11: "gpio-brcmstb@107d508500"}, 0),
        ({10: "other", 15: "pinctrl-rp1"}, 15),
        ({3: "unknown"}, 0),
    ],
)
def test_the_chip_of_the_header_is_found_by_its_name(
    labels: dict[int, str], chip: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def opened(number: int) -> int:
        if number == 10:
            raise PermissionError
        return number

    lgpio = SimpleNamespace(
        error=OSError,
        gpiochip_open=opened,
        gpiochip_close=lambda handle: 0,
        gpio_get_chip_info=lambda handle: (0, 54, f"gpiochip{handle}", labels[handle]),
    )
    monkeypatch.setattr("glob.glob", lambda pattern: [f"/dev/gpiochip{number}" for number in labels])
    assert gpio.numbered(lgpio) == chip
