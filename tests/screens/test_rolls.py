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
from tests.screens.test_beside import OVAL

ELSEWHERE = ("home", "rules", "override", "history", "sheet", "status", "settings")
SOON = "it came within a second after the last roll"


class Device(Simulated):
    """A roller that is plugged in at a table and says what it is told to; `signals` are those that people then hear and
    see."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.signals: list[str] = []
        self._lines: queue.SimpleQueue[tuple[object, ...]] = queue.SimpleQueue()
        super().__init__(table.roller, by_hand=True)
        self.begin()
        table.until(lambda: table.app.beside.roller)
        table.app.playing.signals.listen(self.signals.append)

    def says(self, *line: object) -> None:
        self._lines.put(line)

    def turn(self, now: int) -> None:
        while not self._lines.empty():
            word, *fields = self._lines.get()
            self.roller.wire.send(now, str(word), *fields)
        super().turn(now)

    def asked(self) -> int:
        """Return the number of the roll that it is asked for, once it is."""
        die = self.table.prompt.die
        self.table.until(lambda: self.roller.ask and self.roller.die == die)
        return self.roller.ask


def to(table: Table, wanted: Callable[[Asked], bool]) -> None:
    skip(table, HeuristicDriver(circuits.load(OVAL), 2), wanted)


def good(table: Table) -> tuple[str, int]:
    """Return the die that is asked for, and a face of it."""
    die = table.prompt.die
    return die, (BLACK_DIE if die == "20" else FACES[int(die)])[0]


def a_second_later(table: Table) -> None:
    then = time.monotonic() + 1.1
    table.until(lambda: time.monotonic() > then)


def told(table: Table, words: str) -> None:
    """Wait until something is told, in a line that the screen shows whole, and put it away."""
    table.until(lambda: table.ui.sees(words))
    table.calm()
    assert table.ui.cut() == set()
    table.app.hush()


@pytest.fixture
def table(rig: Rig, folder: Path) -> Iterator[Table]:
    made = Table.at_race(rig, folder, lambda: a_race(folder, OVAL, 2), hardware=True)
    yield made
    made.close()


@pytest.fixture
def device(table: Table) -> Iterator[Device]:
    """The roller of that race, at a roll of a round after the first."""
    made = Device(table)
    to(table, lambda asked: asked.ask == "roll" and asked.round > 1)
    table.app.hush()
    yield made
    made.close()


def open_screen(table: Table, name: str) -> None:
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
def test_a_roll_that_is_refused_is_told_each_time_with_lamp_and_sound(table: Table, device: Device, name: str) -> None:
    ask, n = device.asked(), table.prompt.n
    die, _ = good(table)
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
        device.signals.clear()
        device.says("FACE", number, of, face)
        told(table, words)
        assert device.signals == ["refused"]
        assert table.prompt.n == n


@pytest.mark.parametrize("name", ["order", *ELSEWHERE])
def test_a_roll_that_is_taken_behind_another_screen_says_so(table: Table, device: Device, name: str) -> None:
    ask, n = device.asked(), table.prompt.n
    die, face = good(table)
    open_screen(table, name)
    device.signals.clear()
    device.says("FACE", ask, die, face)
    told(table, f"gear: {face} is taken")
    assert device.signals.count("accepted") == 1
    assert table.prompt.n > n


def test_a_roll_that_is_taken_where_the_question_is_seen_needs_no_word(table: Table, device: Device) -> None:
    ask, n = device.asked(), table.prompt.n
    die, face = good(table)
    device.signals.clear()
    device.says("FACE", ask, die, face)
    table.until(lambda: table.prompt.n > n)
    table.calm()
    assert not table.ui.sees("taken")
    assert device.signals.count("accepted") == 1


@pytest.mark.parametrize("name", ["race", *ELSEWHERE])
def test_an_early_roll_is_shown_as_kept_and_offered(table: Table, device: Device, name: str) -> None:
    to(table, lambda asked: asked.ask == "gear" and asked.round > 2)
    a_second_later(table)
    open_screen(table, name)
    device.says("FACE", 0, "2", 3)
    told(table, "2nd gear: 3 is kept for 10 s")
    device.says("FACE", 0, "2", 99)
    told(table, "99 is not on that die.")
    table.given(2)
    table.calm()
    assert table.prompt.keys[table.prompt.chosen].answer == 3


def test_two_faces_in_one_breath_answer_one_question(table: Table, device: Device) -> None:
    """Nobody asked for the second: it is the same throw told twice, or a finger that pressed twice."""
    ask = device.asked()
    die, face = good(table)
    answers = len(table.see(lambda desk: desk.history.items))
    device.says("FACE", ask, die, face)
    device.says("FACE", 0, die, face)
    told(table, SOON)
    done = table.see(lambda desk: desk.history.items[answers:])
    assert [item.by for item in done].count("roller") == 1


def test_a_second_press_does_not_answer_the_next_question(table: Table, device: Device) -> None:
    """However late the desk is: what counts is when the first roll was taken, and the question it was for seen."""
    ask = device.asked()
    die, face = good(table)
    seat = table.app.playing.seat
    assert seat is not None
    answers = len(table.see(lambda desk: desk.history.items))
    go = Event()
    seat.see(lambda *_: go.wait(30))
    device.says("FACE", ask, die, face)
    table.rig.until(lambda: seat.is_busy(table.shown))
    a_second_later(table)
    device.says("FACE", 0, die, face)
    a_second_later(table)
    go.set()
    told(table, SOON)
    done = table.see(lambda desk: desk.history.items[answers:])
    assert [item.by for item in done].count("roller") == 1


def test_a_second_press_answers_nothing_that_the_digits_do_not_ask_yet(rig: Rig, folder: Path) -> None:
    """The next question of the same die is on the wire before a finger has read the first face."""
    made = Table.at_race(rig, folder, lambda: a_race(folder, OVAL, 3, rulebook="league"), hardware=True)
    device = Device(made)
    ask, n = device.asked(), made.prompt.n
    device.press()
    made.until(lambda: device.roller.ask not in (0, ask))
    device.press()
    a_second_later(made)
    assert (made.prompt.n, made.prompt.die) == (n + 1, "20")
    device.press()
    made.until(lambda: made.prompt.n == n + 2)
    device.close()
    made.close()


def test_an_unasked_roll_is_for_the_question_that_was_on_the_screen(rig: Rig, folder: Path) -> None:
    """A phone is first: the same die is asked for once more, but by another question."""
    made = Table.at_race(rig, folder, lambda: a_race(folder, OVAL, 3, rulebook="league"), hardware=True)
    device = Device(made)
    n, seat, go = made.prompt.n, made.app.playing.seat, Event()
    assert made.prompt.die == "20"
    assert seat is not None
    seat.see(lambda *_: go.wait(30))
    seat.act(lambda desk: desk.answer(7, n=n))
    device.says("FACE", 0, "20", 12)
    made.until(lambda: seat.is_busy(made.shown))
    go.set()
    told(made, "Black die: 12 set aside; the question was answered before it lay still")
    assert (made.prompt.n, made.prompt.die) == (n + 1, "20")
    device.close()
    made.close()


def test_after_a_second_an_unasked_roll_answers_again(table: Table, device: Device) -> None:
    ask, n = device.asked(), table.prompt.n
    die, face = good(table)
    device.says("FACE", ask, die, face)
    table.until(lambda: table.prompt.n > n)
    to(table, lambda asked: asked.ask == "roll" and asked.round > 2)
    a_second_later(table)
    n = table.prompt.n
    die, face = good(table)
    device.says("FACE", 0, die, face)
    table.until(lambda: table.prompt.n > n)


def test_a_roll_to_which_a_finger_was_first_is_told(table: Table, device: Device) -> None:
    device.asked()
    device.press()
    table.until(lambda: device.roller.rolling_until)
    table.answer(next(key for key in table.prompt.keys if not key.why))
    n = table.prompt.n
    told(table, "set aside; the question was answered before it lay still")
    assert table.prompt.n == n


def test_without_a_race_a_roll_is_told(rig: Rig, folder: Path) -> None:
    made = Table(rig, folder, hardware=True)
    device = Device(made)
    device.says("FACE", 0, "4", 9)
    told(made, "4th gear: 9 set aside; no race is open")
    assert device.signals == ["refused"]
    device.close()
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
