"""Every roll of the die-roller is answered for on every screen: lines of a device on a real pseudo-terminal."""

from __future__ import annotations

import queue
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from companion import circuits
from companion.drivers.sensible import HeuristicDriver
from companion.rules.conversation.asking import Asked
from companion.rules.conversation.faces import BLACK_DIE, FACES
from companion.view.race.intents import OpenOrder
from hardware.simulate import Simulated
from tests.screens.rig import Rig
from tests.screens.table import Table, a_race, skip
from tests.screens.test_beside import OVAL, AtTheTable

ELSEWHERE = ("home", "rules", "override", "history", "sheet", "status", "settings")
SOON = "it came within a second after the last roll"


class Device(Simulated):
    """A roller that says what it is told to."""

    def __init__(self, path: Path) -> None:
        self._lines: queue.SimpleQueue[tuple[object, ...]] = queue.SimpleQueue()
        super().__init__(path, by_hand=True)

    def says(self, *line: object) -> None:
        self._lines.put(line)

    def turn(self, now: int) -> None:
        while not self._lines.empty():
            word, *fields = self._lines.get()
            self.roller.wire.send(now, str(word), *fields)
        super().turn(now)


class WithRoller(AtTheTable):
    """A table with a device that is plugged in, and somebody who hears and sees its signals."""

    device: Device

    def plug_in(self) -> None:
        self.device = Device(self.path)
        self.device.begin()
        self.until(lambda: self.app.beside.roller)
        self.signals: list[str] = []
        self.app.playing.signals.listen(self.signals.append)

    def to(self, wanted: Callable[[Asked], object]) -> None:
        skip(self, HeuristicDriver(circuits.load(OVAL), 2), wanted)

    def asked(self) -> int:
        """The number of the roll that the device is asked for, once it is."""
        die = self.prompt.die
        self.until(lambda: self.device.roller.ask and self.device.roller.die == die)
        return self.device.roller.ask

    def good(self) -> tuple[str, int]:
        """The die that is asked for, and a face of it."""
        die = self.prompt.die
        return die, (BLACK_DIE if die == "20" else FACES[int(die)])[0]

    def a_second_later(self) -> None:
        then = time.monotonic() + 1.1
        self.until(lambda: time.monotonic() > then)

    def told(self, words: str) -> None:
        """Waits until something is told, in a line that the screen shows whole, and puts it away."""
        self.until(lambda: self.ui.sees(words))
        self.calm()
        assert self.ui.cut() == set()
        self.app.hush()


@pytest.fixture
def table(rig: Rig, folder: Path) -> Iterator[WithRoller]:
    made = WithRoller.at_race(rig, folder, lambda: a_race(folder, OVAL, 2))
    assert isinstance(made, WithRoller)
    made.plug_in()
    made.to(lambda asked: asked.ask == "roll" and asked.round > 1)
    made.app.hush()
    yield made
    made.device.close()
    made.close()


def open_screen(table: WithRoller, name: str) -> None:
    app: Any = table.app
    if name == "home":
        app.home()
    elif name == "order":
        table.emit(OpenOrder())
    elif name != "race":
        app.go(name)
    table.calm()
    app.hush()


@pytest.mark.parametrize("name", ["race", "order", *ELSEWHERE])
def test_a_roll_that_is_refused_is_told_each_time_with_lamp_and_sound(table: WithRoller, name: str) -> None:
    ask, n = table.asked(), table.prompt.n
    die, _ = table.good()
    other = "5" if die != "5" else "4"
    open_screen(table, name)
    for face, of, number, words in (
        (99, die, ask, "99 is not on that die."),
        (99, die, 0, "99 is not on that die."),
        (99, die, 0, "99 is not on that die."),
        (99, other, 0, "99 is not on that die."),
        (21, "20", 0, "The black die shows 1 to 20; 21 is not on it."),
        (12, other, 0, "another die than the one that is asked for; roll again."),
        (12, other, 0, "another die than the one that is asked for; roll again."),
    ):
        table.signals.clear()
        table.device.says("FACE", number, of, face)
        table.told(words)
        assert table.signals == ["refused"]
        assert table.prompt.n == n


@pytest.mark.parametrize("name", ["order", *ELSEWHERE])
def test_a_roll_that_is_taken_behind_another_screen_says_so(table: WithRoller, name: str) -> None:
    ask, n = table.asked(), table.prompt.n
    die, face = table.good()
    open_screen(table, name)
    table.signals.clear()
    table.device.says("FACE", ask, die, face)
    table.told(f"gear: {face} is taken")
    assert table.signals.count("accepted") == 1
    assert table.prompt.n > n


def test_a_roll_that_is_taken_where_the_question_is_seen_needs_no_word(table: WithRoller) -> None:
    ask, n = table.asked(), table.prompt.n
    die, face = table.good()
    table.signals.clear()
    table.device.says("FACE", ask, die, face)
    table.until(lambda: table.prompt.n > n)
    table.calm()
    assert not table.ui.sees("taken")
    assert table.signals.count("accepted") == 1


@pytest.mark.parametrize("name", ["race", *ELSEWHERE])
def test_an_early_roll_is_shown_as_kept_and_offered(table: WithRoller, name: str) -> None:
    table.to(lambda asked: asked.ask == "gear" and asked.round > 2)
    table.a_second_later()
    open_screen(table, name)
    table.device.says("FACE", 0, "2", 3)
    table.told("2nd gear: 3 is kept for 10 s")
    table.device.says("FACE", 0, "2", 99)
    table.told("99 is not on that die.")
    table.given(2)
    table.calm()
    assert table.prompt.keys[table.prompt.chosen].answer == 3


def test_two_faces_in_one_breath_answer_one_question(table: WithRoller) -> None:
    """Nobody asked for the second: it is the same throw told twice, or a finger that pressed twice."""
    ask = table.asked()
    die, face = table.good()
    answers = len(table.see(lambda desk: desk.history.items))
    table.device.says("FACE", ask, die, face)
    table.device.says("FACE", 0, die, face)
    table.told(SOON)
    done = table.see(lambda desk: desk.history.items[answers:])
    assert [item.by for item in done].count("roller") == 1


def test_a_second_press_does_not_answer_the_next_question(table: WithRoller) -> None:
    """However late the desk is: what counts is when the first roll was taken, and the question it was for seen."""
    ask = table.asked()
    die, face = table.good()
    seat = table.app.playing.seat
    assert seat is not None
    answers = len(table.see(lambda desk: desk.history.items))
    go = Event()
    seat.see(lambda *_: go.wait(30))
    table.device.says("FACE", ask, die, face)
    table.rig.until(lambda: seat.is_busy(table.shown))
    table.a_second_later()
    table.device.says("FACE", 0, die, face)
    table.a_second_later()
    go.set()
    table.told(SOON)
    done = table.see(lambda desk: desk.history.items[answers:])
    assert [item.by for item in done].count("roller") == 1


def test_a_second_press_answers_nothing_that_the_digits_do_not_ask_yet(rig: Rig, folder: Path) -> None:
    """The next question of the same die is on the wire before a finger has read the first face."""
    made = WithRoller.at_race(rig, folder, lambda: a_race(folder, OVAL, 3, rulebook="league"))
    assert isinstance(made, WithRoller)
    made.plug_in()
    ask, n = made.asked(), made.prompt.n
    made.device.press()
    made.until(lambda: made.device.roller.ask not in (0, ask))
    made.device.press()
    made.a_second_later()
    assert (made.prompt.n, made.prompt.die) == (n + 1, "20")
    made.device.press()
    made.until(lambda: made.prompt.n == n + 2)
    made.device.close()
    made.close()


def test_an_unasked_roll_is_for_the_question_that_was_on_the_screen(rig: Rig, folder: Path) -> None:
    """A phone is first: the same die is asked for once more, but by another question."""
    made = WithRoller.at_race(rig, folder, lambda: a_race(folder, OVAL, 3, rulebook="league"))
    assert isinstance(made, WithRoller)
    made.plug_in()
    n, seat, go = made.prompt.n, made.app.playing.seat, Event()
    assert made.prompt.die == "20"
    assert seat is not None
    seat.see(lambda *_: go.wait(30))
    seat.act(lambda desk: desk.answer(7, n=n))
    made.device.says("FACE", 0, "20", 12)
    made.until(lambda: seat.is_busy(made.shown))
    go.set()
    made.told("Black die: 12 set aside; the question was answered before it lay still")
    assert (made.prompt.n, made.prompt.die) == (n + 1, "20")
    made.device.close()
    made.close()


def test_after_a_second_an_unasked_roll_answers_again(table: WithRoller) -> None:
    ask, n = table.asked(), table.prompt.n
    die, face = table.good()
    table.device.says("FACE", ask, die, face)
    table.until(lambda: table.prompt.n > n)
    table.to(lambda asked: asked.ask == "roll" and asked.round > 2)
    table.a_second_later()
    n = table.prompt.n
    die, face = table.good()
    table.device.says("FACE", 0, die, face)
    table.until(lambda: table.prompt.n > n)


def test_a_roll_to_which_a_finger_was_first_is_told(table: WithRoller) -> None:
    table.asked()
    table.device.press()
    table.until(lambda: table.device.roller.rolling_until)
    table.answer(next(key for key in table.prompt.keys if not key.why))
    n = table.prompt.n
    table.told("set aside; the question was answered before it lay still")
    assert table.prompt.n == n


def test_without_a_race_a_roll_is_told(rig: Rig, folder: Path) -> None:
    made = WithRoller(rig, folder)
    made.plug_in()
    made.device.says("FACE", 0, "4", 9)
    made.told("4th gear: 9 set aside; no race is open")
    assert made.signals == ["refused"]
    made.device.close()
    made.close()


def test_each_band_of_the_weather_die_is_told_beside_its_keys(rig: Rig, folder: Path) -> None:
    """The sky of now is in the bar at the top; where there is no room for all, it is not said twice."""
    driver = HeuristicDriver(circuits.load("monaco"), 2)
    options = {"weather": True, "tyres": True}
    made = Table.at_race(rig, folder, lambda: a_race(folder, rulebook="formula-d", options=options, laps=3))
    skip(made, driver, lambda asked: asked.what == "weather")
    made.given(10)
    skip(made, driver, lambda asked: asked.what == "weather")
    assert made.ui.in_order("1–7", "Hard, soft", "8–12", "stays dry", "13–20", "dry to the end")
    made.audited()
    made.close()
