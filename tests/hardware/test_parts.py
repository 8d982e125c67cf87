"""All parts together, as the screens know them: what they tell, and when they are not there."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin

from companion.rules.conversation.errors import CompanionError
from hardware.gpio import NoGpio
from hardware.parts import Parts
from hardware.roller import News
from hardware.simulate import Simulated
from hardware.wiring import FILE, BadWiring
from tests.hardware.waiting import until


class Heard:
    """Hands that write down what they were asked to do."""

    def __init__(self) -> None:
        self.done: list[tuple[Any, ...]] = []

    def press(self, name: str) -> None:
        self.done.append(("press", name))

    def rolled(self, face: int, die: str, n: int) -> None:
        self.done.append(("rolled", face, die, n))

    def too_late(self, face: int, die: str) -> None:
        self.done.append(("late", face, die))

    def tell(self, what: str, text: str = "") -> None:
        self.done.append(("tell", what, text))

    def tell_shut(self, wrong: CompanionError) -> None:
        self.done.append(("complain", str(wrong)))

    def changed(self) -> None:
        self.done.append(("changed",))


@pytest.fixture
def pins() -> Iterator[Any]:
    made = MockFactory(pin_class=MockPWMPin)
    yield made
    made.reset()


def begun(folder: Path, pins: Callable[[int], Any]) -> tuple[Parts, Heard]:
    parts, hands = Parts(folder, pins), Heard()
    parts.begin(hands)
    until(lambda: ("changed",) in hands.done)
    return parts, hands


def test_what_was_asked_before_the_parts_were_open_is_asked_then(tmp_path: Path, pins: Any) -> None:
    (tmp_path / FILE).write_text(f'[lamps]\nwet = 16\n[roller]\nport = "{tmp_path / "port"}"\n')
    roller = Simulated(tmp_path / "port", seed=1, after=10)
    roller.begin()
    parts, hands = Parts(tmp_path, lambda chip: pins), Heard()
    parts.set_question(4, "6", starting=False, wet=True)
    parts.begin(hands)
    until(lambda: any(one[0] == "rolled" for one in hands.done))
    face, die, n = next(one[1:] for one in hands.done if one[0] == "rolled")
    assert (die, n, 21 <= face <= 30) == ("6", 4, True)
    until(lambda: pins.pin(16).state)
    assert parts.roller == "simulated 1"
    parts.set_question(5, "", starting=False, wet=False)
    until(lambda: not pins.pin(16).state)
    parts.end()
    parts.end()
    roller.close()
    assert (parts.buttons, parts.roller) == (False, "")


def test_a_question_that_comes_while_the_parts_are_opened_is_the_one_that_is_asked(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text("")
    wanted: list[int] = []
    threads: list[threading.Thread] = []
    parts = Parts(tmp_path, lambda chip: None)

    class Slow:
        """A port that is told of the next question while it is told of the first."""

        def want(self, n: int, die: str) -> None:
            if not threads:
                threads.append(threading.Thread(target=lambda: parts.set_question(5, "6", starting=False, wet=False)))
                threads[0].start()
                threads[0].join(0.3)
            wanted.append(n)

        def close(self) -> None: ...

    parts.set_question(4, "6", starting=False, wet=False)
    parts._port = Slow()  # type: ignore[assignment]
    parts.begin(Heard())
    until(lambda: len(wanted) == 2)
    assert wanted == [4, 5]
    parts.end()


@pytest.mark.parametrize(
    ("text", "kind"), [("[buttons]\nup = 5\n", NoGpio), ("[buttons]\nup = 2\n", BadWiring), ("", type(None))]
)
def test_parts_that_are_not_there_are_no_error(tmp_path: Path, text: str, kind: type) -> None:
    (tmp_path / FILE).write_text(text)

    def none(chip: int) -> Any:
        raise NoGpio("There are no pins here.")

    parts, hands = begun(tmp_path, none)
    parts.set_question(1, "4", starting=True, wet=True)
    parts.happen("out", True)
    assert isinstance(parts.complaint, kind)
    assert (parts.buttons, parts.roller) == (False, "")
    assert hands.done == [("changed",)]
    parts.end()


def test_parts_that_fail_leave_the_others(tmp_path: Path) -> None:
    """Whatever a library of pins comes up with, the roller is asked."""
    (tmp_path / FILE).write_text(f'[buttons]\nup = 5\n[roller]\nport = "{tmp_path / "port"}"\n')
    roller = Simulated(tmp_path / "port", seed=1, after=10)
    roller.begin()

    def broken(chip: int) -> Any:
        raise RuntimeError("nobody saw this coming")

    parts, hands = Parts(tmp_path, broken), Heard()
    parts.set_question(4, "6", starting=False, wet=False)
    parts.begin(hands)
    until(lambda: any(one[0] == "rolled" for one in hands.done))
    assert ("changed",) in hands.done
    parts.end()
    roller.close()


@pytest.mark.parametrize(
    "box",
    [
        "[buttons]\nup = 5\ndown = 5\n",
        "[buttons]\nup = 29\n",
        "[button]\nup = 5\n",
        "[lamps]\nstart = 7\n",
        'chip = "4"\n',
    ],
)
def test_a_box_that_is_wrong_does_not_keep_the_roller_shut(tmp_path: Path, pins: Any, box: str) -> None:
    (tmp_path / FILE).write_text(f'{box}[roller]\nport = "{tmp_path / "port"}"\n')
    roller = Simulated(tmp_path / "port", seed=1, after=10)
    roller.begin()
    parts, hands = Parts(tmp_path, lambda chip: pins), Heard()
    parts.set_question(4, "6", starting=False, wet=False)
    parts.begin(hands)
    until(lambda: any(one[0] == "rolled" for one in hands.done))
    assert isinstance(parts.complaint, BadWiring)
    assert (parts.buttons, parts.roller, parts.roller_complaint) == (False, "simulated 1", None)
    parts.end()
    roller.close()


@pytest.mark.parametrize("roller", ["[roller]\nport = 7\n", "[roller]\nspeed = 9\n", "roller = 5\n"])
def test_a_port_that_is_wrong_does_not_take_the_buttons_away(tmp_path: Path, pins: Any, roller: str) -> None:
    (tmp_path / FILE).write_text(roller + "[buttons]\nup = 5\n")
    parts, _ = begun(tmp_path, lambda chip: pins)
    assert parts.buttons
    assert isinstance(parts.roller_complaint, BadWiring)
    parts.end()


@pytest.mark.parametrize(("text", "there"), [("[lamps]\nwet = 16\n", False), ("[buttons]\nup = 5\n", True)])
def test_lamps_alone_are_no_buttons(tmp_path: Path, pins: Any, text: str, there: bool) -> None:
    (tmp_path / FILE).write_text(text)
    parts, _ = begun(tmp_path, lambda chip: pins)
    assert parts.buttons is there
    parts.end()
    assert not parts.buttons


def test_a_wiring_that_may_not_be_read_is_no_error(tmp_path: Path) -> None:
    (tmp_path / FILE).mkdir()
    parts, _ = begun(tmp_path, lambda chip: None)
    assert not parts.buttons
    parts.end()


def test_what_is_told_of_a_roller_and_how_often(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text("")
    parts, hands = begun(tmp_path, lambda chip: None)
    hands.done.clear()
    for news in (
        News("found", text="pico 1"), News("rolling", "4"), News("battery", face=80), News("battery", face=15),
        News("battery", face=14), News("battery", face=60), News("battery", face=9), News("cocked", "4"),
        News("fault", text="jam"), News("lost"), News("found", text="pico 1"), News("unfit", text="2"),
        News("rolled", "4", 9, 3), News("late", "4", 8),
    ):  # fmt: skip
        parts._news(news)
    assert [one for one in hands.done if one != ("changed",)] == [
        ("tell", "battery", "15"), ("tell", "battery", "9"), ("tell", "cocked", ""), ("tell", "fault", "jam"),
        ("tell", "lost", ""), ("tell", "found", "pico 1"), ("tell", "unfit", "2"), ("rolled", 9, "4", 3),
        ("late", 8, "4"),
    ]  # fmt: skip
    parts.end()
