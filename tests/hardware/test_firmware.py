"""The die-roller's own program against the conformance checks, in memory and under MicroPython."""

from __future__ import annotations

import os
import random
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from select import select

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.conformance import CHECKS, Bench, Check
from hardware.firmware.device import READABLE, TUMBLES, Roller
from hardware.firmware.dice import SIDES, throw
from hardware.firmware.lines import AGAIN, LONGEST, PATIENCE, SELDOM, WAITING, Wire, number, pack, unpack

FIRMWARE = Path(__file__).parent.parent.parent / "hardware" / "firmware"
README = FIRMWARE.parent / "README.md"


class InMemory:
    """A wire with a roller at its other end, and a clock of its own. `spoil` changes what the roller says."""

    def __init__(self, spoil: Callable[[bytes], bytes] = lambda line: line) -> None:
        self.now, self.said = 0, b""
        self.spoil = spoil
        self.shown: list[tuple[int, str]] = []
        """What the digits have shown, with the milliseconds at which it came."""
        drawn = random.Random(4)
        self.roller = Roller(self._write, lambda die: drawn.choice(SIDES[die]), self._show, ("4", "20"))

    def _write(self, data: bytes) -> None:
        self.said += self.spoil(data)

    def _show(self, text: str) -> None:
        self.shown.append((self.now, text))

    def send(self, data: bytes) -> None:
        self.roller.hear(data, self.now)

    def read(self, ms: int) -> tuple[bytes, int]:
        since = self.now
        while not self.said and self.now < since + ms:
            self.now += 10
            self.roller.tick(self.now)
        said, self.said = self.said, b""
        return said, self.now - since

    def pass_by(self, ms: int) -> list[list[str]]:
        """Let time pass, and return the fields of the faces that are told meanwhile; the referee acknowledges all."""
        faces = []
        until = self.now + ms
        while self.now < until:
            for line in self.read(10)[0].splitlines(keepends=True):
                if (read := unpack(line)) is not None and read[0]:
                    self.send(pack(0, "ACK", read[0]))
                    faces += [read[2]] if read[1] == "FACE" else []
        return faces

    def checks(self) -> list[Check]:
        return list(Bench(self, patience=5000, press=self._press).run())

    def _press(self, _: str) -> None:
        """A finger presses once the face before has been read."""
        until = self.now + READABLE
        while self.now < until:
            self.now += 10
            self.roller.tick(self.now)
        self.roller.press(self.now)


def test_the_roller_passes_every_check() -> None:
    checks = InMemory().checks()
    assert [check for check in checks if not check.passed] == []
    assert [check.name for check in checks] == [*CHECKS[:-2], "face", "same", *CHECKS[-2:]]
    assert [check.die for check in checks if check.name == "face"] == ["4", "20"]


def replaced(old: bytes, new: bytes) -> Callable[[bytes], bytes]:
    """Says one thing for another, with the right checksum."""

    def spoil(line: bytes) -> bytes:
        read = unpack(line)
        if read is None:
            return line
        body = ",".join([read[1], *read[2]]).encode().replace(old, new).decode().split(",")
        return pack(read[0], *body)

    return spoil


def said_once() -> Callable[[bytes], bytes]:
    before: list[bytes] = []

    def spoil(line: bytes) -> bytes:
        if line in before and b"ACK" not in line:
            return b""
        before.append(line)
        return line

    return spoil


@pytest.mark.parametrize(
    ("spoil", "failed"),
    [
        (lambda line: b"", "hello"),
        (lambda line: b"hello!\n", "hello"),
        (replaced(b"HELLO,1", b"HELLO,2"), "version"),
        (replaced(b"4 20", b"4 21"), "dice"),
        (said_once(), "repeats"),
        (lambda line: line if b"ACK" not in line else b"", "acknowledges"),
        (replaced(b"PONG,57", b"PONG,75"), "ping"),
        (replaced(b"nodie", b"what"), "nodie"),
        (replaced(b"FACE,102,4", b"FACE,102,5"), "face"),
        (replaced(b"FACE,103,20,", b"FACE,103,20,9"), "face"),
        (replaced(b"FACE,104,4", b"FACE,104,20"), "frozen"),
        (replaced(b"FACE,104,4", b"FACE,105,4"), "frozen"),
        (replaced(b"FACE,104,4", b"FACE,0,20"), "frozen"),
        (replaced(b"FACE,105,20", b"FACE,0,20"), "open"),
    ],
)
def test_a_roller_that_does_one_thing_otherwise_fails_that_check(spoil: Callable[[bytes], bytes], failed: str) -> None:
    assert next(check.name for check in InMemory(spoil).checks() if not check.passed) == failed


def test_a_roller_that_acknowledges_anything_fails_the_check_of_checksums() -> None:
    device = InMemory()
    heard = device.send

    def send(data: bytes) -> None:
        heard(data)
        if (read := re.match(rb"\$(\d+),", data)) is not None and unpack(data) is None:
            device.said += pack(0, "ACK", read[1].decode())

    device.send = send  # type: ignore[method-assign]
    assert "checksum" in [check.name for check in device.checks() if not check.passed]


# -- lines


def test_the_lines_of_the_readme_are_whole() -> None:
    lines = [line for line in README.read_text(encoding="utf-8").split("\n") if re.match(r" +\$\d", line)]
    assert len(lines) == 11
    for line in lines:
        assert unpack(line.encode()) is not None, line


@given(st.integers(0, 9999), st.sampled_from(["FACE", "HELLO"]), st.lists(st.text(max_size=9), max_size=4))
def test_a_line_comes_as_it_was_sent(seq: int, word: str, fields: list[str]) -> None:
    line = pack(seq, word, *fields)
    assert len(line) <= LONGEST
    assert line.count(b"\n") == 1
    kept = ["".join(sign for sign in field if " " <= sign <= "~" and sign not in "$*,") for field in fields]
    assert unpack(line) == (seq, word, kept)


@given(st.integers(0, 30), st.integers(0, 7))
def test_a_flipped_bit_is_seen(at: int, bit: int) -> None:
    line = pack(12, "FACE", 7, "4", 11)
    at %= len(line) - 1
    broken = line[:at] + bytes([line[at] ^ 1 << bit]) + line[at + 1 :]
    assert unpack(broken) is None


@pytest.mark.parametrize("text", ["", "+4", "4.0", " 4", "-1", "10000", "x", "٤", "1e3"])
def test_a_number_is_digits(text: str) -> None:
    assert number(text, 9999) is None


@given(st.lists(st.binary(max_size=200), max_size=30))
def test_garbage_is_survived_and_kept_nowhere(garbage: list[bytes]) -> None:
    wire = Wire(lambda data: None)
    for data in garbage:
        wire.take(data, 0)
        assert len(wire._begun) < LONGEST
    wire.take(b"\n", 0)
    assert wire.take(pack(4000, "PONG", 1), 0) == [("PONG", ["1"])]


def test_a_line_is_sent_until_it_is_acknowledged_and_the_next_one_waits() -> None:
    sent: list[bytes] = []
    wire = Wire(sent.append)
    wire.send(0, "FACE", 1)
    wire.send(0, "BAT", 9)
    for now in range(0, PATIENCE * AGAIN + 2 * SELDOM + 1, 50):
        wire.tick(now)
    assert sent == [pack(1, "FACE", 1)] * (PATIENCE + 2)
    wire.take(pack(0, "ACK", 2), 10000)
    assert wire.take(pack(0, "ACK", 1), 10000) == []
    assert sent[-1] == pack(2, "BAT", 9)
    wire.take(pack(0, "ACK", 2), 10000)
    assert wire.idle
    for left in range(20):
        wire.send(20000, "BAT", left)
    assert len(wire._queue) == WAITING


def test_a_line_that_comes_again_is_acknowledged_and_does_nothing() -> None:
    sent: list[bytes] = []
    wire = Wire(sent.append)
    line = pack(5, "ROLL", 1, "4")
    assert wire.take(line[:9], 0) == []
    assert wire.take(line[9:] + line, 0) == [("ROLL", ["1", "4"])]
    assert sent == [pack(0, "ACK", 5)] * 2


# -- the roller


def test_a_roller_that_is_greeted_again_waits_to_be_asked_again() -> None:
    """A finger may have been first while the plug was out: its next face is one that nobody asked for."""
    wire = InMemory()
    wire.send(pack(1, "HELLO", 1))
    wire.send(pack(2, "ROLL", 7, "4"))
    wire.send(pack(1, "HELLO", 1))
    wire.pass_by(100)
    wire.roller.press(wire.now)
    assert [face[:2] for face in wire.pass_by(TUMBLES + 100)] == [["0", "4"]]


@pytest.mark.parametrize(("begins", "frozen"), [(7, ["7", "4"]), (0, ["0", "4"])])
def test_a_die_that_tumbles_stays_the_one_that_was_thrown(begins: int, frozen: list[str]) -> None:
    """A finger answers while the die of 4th gear tumbles, and the next question wants the black one."""
    wire = InMemory()
    wire.send(pack(1, "HELLO", 1))
    if begins:
        wire.send(pack(2, "ROLL", begins, "4"))
    wire.pass_by(100)
    wire.roller.press(wire.now)
    wire.pass_by(100)
    wire.send(pack(3, "ROLL", 8, "20"))
    faces = wire.pass_by(TUMBLES + READABLE + 100)
    assert [face[:2] for face in faces] == [frozen]
    assert int(faces[0][2]) in SIDES["4"]
    (at, shown), (later, asks) = wire.shown[-2:]
    assert (shown.strip(), asks) == (faces[0][2], "d 20")
    assert later - at == READABLE, "the face can be read before the open question comes back"
    wire.roller.press(wire.now)
    assert [face[:2] for face in wire.pass_by(TUMBLES + 100)] == [["8", "20"]]


def test_a_face_is_read_before_the_digits_ask_for_the_next_roll() -> None:
    """The referee asks for the next one within a hundredth of a second."""
    wire = InMemory()
    wire.send(pack(1, "ROLL", 7, "20"))
    wire.pass_by(100)
    wire.roller.press(wire.now)
    (face,) = wire.pass_by(TUMBLES + 20)
    wire.send(pack(2, "ROLL", 8, "4"))
    wire.pass_by(READABLE + 20)
    (at, shown), (later, asks) = wire.shown[-2:]
    assert (shown.strip(), asks, later - at) == (face[2], "d  4", READABLE)
    wire.send(pack(3, "CANCEL", 8))
    wire.pass_by(20)
    assert wire.shown[-1][1] == "----"


@pytest.mark.parametrize("asked", [True, False])
def test_a_second_press_while_a_face_is_read_rolls_nothing(asked: bool) -> None:
    """The next question is there long before the digits show it."""
    wire = InMemory()
    wire.send(pack(1, "ROLL", 7, "20"))
    wire.pass_by(100)
    wire.roller.press(wire.now)
    (face,) = wire.pass_by(TUMBLES + 20)
    if asked:
        wire.send(pack(2, "ROLL", 8, "20"))
    for _ in range(9):
        wire.roller.press(wire.now)
        assert wire.pass_by(READABLE // 10) == []
        assert wire.shown[-1][1].strip() == face[2]
    wire.pass_by(READABLE // 10)
    wire.roller.press(wire.now)
    assert [face[:2] for face in wire.pass_by(TUMBLES + 100)] == [["8" if asked else "0", "20"]]


def test_a_roll_that_was_told_is_told_again_and_not_rolled_anew() -> None:
    device = InMemory()
    thrown: list[str] = []
    device.roller.throw = lambda die: thrown.append(die) or 9  # type: ignore[func-returns-value]
    device.send(pack(1, "ROLL", 7, "4"))
    device.roller.press(0)
    device.roller.press(1)
    device.pass_by(TUMBLES + READABLE + 100)
    device.send(pack(2, "ROLL", 7, "4"))
    device.roller.press(device.now)
    device.pass_by(TUMBLES + 100)
    assert thrown == ["4", "4"]
    assert device.roller.told == (7, "4", 9), "the second was not asked for"


def test_bytes_that_would_favour_some_sides_are_thrown_away() -> None:
    noise = iter([b"\xff", b"\xfe", b"\x00"])
    assert throw("20", lambda count: next(noise)) == 1
    assert {throw(die, os.urandom) for die in SIDES for _ in range(400)} == set(range(1, 31))


# -- MicroPython

UNIX = """
import sys, time, select
sys.path.insert(0, sys.argv[1])
from firmware.device import Roller
from firmware.dice import SIDES, throw
from os import urandom
def write(data):
    sys.stdout.buffer.write(data)
roller = Roller(write, lambda die: throw(die, urandom), lambda text: None, ("1", "6", "20"))
wire = select.poll()
wire.register(sys.stdin, select.POLLIN)
now = lambda: time.ticks_ms()
roller.begin(now())
while True:
    while wire.poll(0):
        data = sys.stdin.buffer.read(1)
        if not data:
            sys.exit()
        roller.hear(data, now())
    if roller.ask and not roller.rolling_until:
        roller.press(now())
    roller.tick(now())
    time.sleep_ms(2)
"""
MICROPYTHON = shutil.which("micropython", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}")


class Process:
    """A wire to a program's standard input and output."""

    def __init__(self, run: subprocess.Popen[bytes]) -> None:
        assert run.stdin is not None
        assert run.stdout is not None
        self.run, self.into, self.out = run, run.stdin, run.stdout

    def send(self, data: bytes) -> None:
        self.into.write(data)
        self.into.flush()

    def read(self, ms: int) -> tuple[bytes, int]:
        since = time.monotonic()
        ready = select([self.out], [], [], ms / 1000)[0]
        return os.read(self.out.fileno(), 1024) if ready else b"", round((time.monotonic() - since) * 1000)


@pytest.mark.skipif(MICROPYTHON is None, reason="MicroPython for Linux is not installed")
def test_the_roller_passes_every_check_under_micropython(tmp_path: Path) -> None:
    program = tmp_path / "unix_roller.py"
    program.write_text(UNIX)
    command = [str(MICROPYTHON), str(program), str(FIRMWARE.parent)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as run:
        try:
            checks = list(Bench(Process(run), patience=5000).run())
        finally:
            run.kill()
    assert [check for check in checks if not check.passed] == []
    assert [check.die for check in checks if check.name == "same"] == ["1", "6", "20"]
    assert [(check.name, check.die) for check in checks[-2:]] == [("frozen", "1"), ("open", "20")]


MACHINE = """
import sys
class Line:
    levels = {16: 1, 17: 1}
    bits, asks = [], False
class Pin:
    IN, PULL_UP, OPEN_DRAIN = 0, 1, 2
    asked = 0
    def __init__(self, number, mode, pull=None, value=None):
        self.number = number
    def __call__(self, level=None):
        if level is None:
            return self.finger()
        before = dict(Line.levels)
        Line.levels[self.number] = level
        clock, data = Line.levels[16], Line.levels[17]
        if self.number == 17 and clock and before[17] != data:
            if data:
                self.ended()
            Line.bits = []
        elif self.number == 16 and clock and not before[16]:
            Line.bits.append(data)
    def ended(self):
        whole = [Line.bits[at:at + 8] for at in range(0, len(Line.bits) - 8, 9)]
        found = [sum(bit << place for place, bit in enumerate(byte)) for byte in whole]
        if found[0] == 0xC0:
            Line.asks = found[1] == 0x5E
            sys.stderr.write(" ".join(["%02X" % one for one in found[1:]]) + "\\n")
    def finger(self):
        Pin.asked = Pin.asked + 1 if Line.asks else 0
        return 0 if Pin.asked > 5 else 1
"""
PICO = """
import sys
sys.path[:0] = sys.argv[1:]
from firmware import device
from firmware.pico import run
device.READABLE = 150
run()
"""
DIGITS = {
    0x3F: "0", 0x06: "1", 0x5B: "2", 0x4F: "3", 0x66: "4", 0x6D: "5", 0x7D: "6", 0x07: "7", 0x7F: "8", 0x6F: "9",
    0: " ", 0x40: "-", 0x5E: "d",
}  # fmt: skip
"""Seven segments as people read them."""


@pytest.mark.skipif(MICROPYTHON is None, reason="MicroPython for Linux is not installed")
def test_the_program_of_the_pico_on_parts_that_are_made_up(tmp_path: Path) -> None:
    """Its pins are made up: a button that is pressed when the digits ask for a die, and a TM1637 that is read bit by
    bit. So a question that the digits do not show again is never answered."""
    (tmp_path / "machine.py").write_text(MACHINE)
    (tmp_path / "main.py").write_text(PICO)
    command = [str(MICROPYTHON), str(tmp_path / "main.py"), str(tmp_path), str(FIRMWARE.parent)]
    shown = (tmp_path / "shown").open("w+", encoding="ascii")
    with shown, subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=shown) as run:
        try:
            checks = list(Bench(Process(run), patience=8000).run())
        finally:
            run.kill()
            run.wait()
        shown.seek(0)
        read = ["".join(DIGITS[int(one, 16)] for one in line.split()) for line in shown]
    assert [check for check in checks if not check.passed] == []
    assert read[0] == "----"
    faces = {line.strip() for line in read if line.strip().isdigit()}
    assert faces <= {str(face) for face in range(1, 31)}
    assert len(faces) > 4
    assert {"d  4", "d 20", "-   ", " -  "} <= set(read)


@pytest.mark.skipif(MICROPYTHON is None, reason="MicroPython for Linux is not installed")
def test_a_pico_that_is_plugged_in_with_its_button_down_leaves_the_wire_to_its_maker(tmp_path: Path) -> None:
    """Its program hears no Control-C: without this nobody could change it again."""
    (tmp_path / "machine.py").write_text(MACHINE.replace("Pin.asked > 5", "True"))
    (tmp_path / "main.py").write_text(PICO)
    command = [str(MICROPYTHON), str(tmp_path / "main.py"), str(tmp_path), str(FIRMWARE.parent)]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=60, check=True)
    assert done.stdout == b""
