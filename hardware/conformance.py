"""Check that a die-roller keeps to the protocol, on the device itself."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count
from typing import Final, NamedTuple, Protocol

from hardware.firmware.lines import LAST, VERSION, number, pack, unpack
from hardware.roller import DICE

HELLO: Final = 2000
"""Milliseconds in which a device says hello."""
SOON: Final = 1000
"""Milliseconds in which a line is acknowledged, sent again or answered."""
STILL: Final = 5000
"""Milliseconds in which a die that tumbles comes to rest."""

Line = tuple[int, str, list[str]]


class DeviceLink(Protocol):
    """A connection to the device under test."""

    def send(self, data: bytes) -> object: ...

    def read(self, ms: int) -> tuple[bytes, int]:
        """Return the bytes received, and the milliseconds waited.

        Returns as soon as anything arrives, and after about `ms` at the latest.
        """
        ...


class Check(NamedTuple):
    """The result of a check: its name, True if passed, the die rolled, and what came instead."""

    name: str
    passed: bool
    die: str = ""
    came: str = ""


CHECKS: Final = (
    "hello", "version", "dice", "repeats", "rests", "acknowledges", "again", "ping", "checksum", "half", "long",
    "nodie", "face", "same", "frozen", "open",
)  # fmt: skip
"""The names of all checks, in their order; "face" and "same" come once for each die of the game that it has, "frozen"
and "open" only if it says when a die tumbles."""


class Bench:
    """A run of all checks on a device.

    `patience` is how many milliseconds a person may take to find the button; `press(die)` is called when it must be
    pressed.
    """

    def __init__(
        self, wire: DeviceLink, *, patience: int = 30_000, press: Callable[[str], object] = lambda die: None
    ) -> None:
        self._wire, self._patience, self._press = wire, patience, press
        self._begun = b""
        self._came: list[Line] = []
        self._acknowledges = False
        self._seq = 0
        self._ask = 100
        self.name = ""
        self.dice: tuple[str, ...] = ()

    def run(self) -> Iterator[Check]:
        """Yield every check; stops after the first if the device sends no hello."""
        hello = self._hello()
        yield Check("hello", hello is not None, came=self._what_came())
        if hello is None:
            return
        version, self.name, dice = hello[2]
        self.dice = tuple(dice.split())
        yield Check("version", version == str(VERSION), came=version)
        yield Check("dice", bool(self.dice) and all(die in DICE for die in self.dice), came=dice)
        said = [hello]

        def before(line: Line) -> bool:
            said.append(line)
            return line in said[:-1]

        again = self._until(before, 2 * SOON)
        yield Check("repeats", again is not None, came=self._what_came())
        self._acknowledges = True
        self._acknowledge(said[-1])
        self._until(lambda line: False, SOON // 2)
        yield Check("rests", self._until(lambda line: line[1] == "HELLO", SOON) is None)
        yield from self._wires()
        missing = next(die for die in map(str, count(9)) if die not in self.dice)
        self._send("ROLL", self._next(), missing)
        told = self._until(lambda line: line[1:] == ("ERR", [str(self._ask), "nodie"]), SOON)
        yield Check("nodie", told is not None, came=self._what_came())
        known = [die for die in self.dice if die in DICE]  # of any other it was said already that there is none
        for die in known:
            yield from self._roll(die)
        if known:
            yield from self._overtake(known[0], known[-1])

    def _hello(self) -> Line | None:
        for _ in range(3):
            self._send("HELLO", VERSION)
            said = self._until(lambda line: line[1] == "HELLO" and len(line[2]) == 3, HELLO)
            if said is not None:
                return said
        return None

    def _wires(self) -> Iterator[Check]:
        """Check the wire itself."""
        yield Check("acknowledges", self._acknowledged(self._send("CANCEL", 1)), came=self._what_came())
        self._wire.send(pack(self._seq, "CANCEL", 1))
        yield Check("again", self._acknowledged(self._seq), came=self._what_came())
        self._wire.send(pack(0, "PING", 57))
        pong = self._until(lambda line: line[1:] == ("PONG", ["57"]), SOON)
        yield Check("ping", pong is not None, came=self._what_came())
        self._seq += 1
        wrong = pack(self._seq, "CANCEL", 1).replace(b"*", b"*0").replace(b"\n", b"")[:-1] + b"\n"
        self._wire.send(wrong)
        yield Check("checksum", not self._acknowledged(self._seq))
        self._wire.send(b"$7,CAN\n$$,\xff\x00*\n")
        yield Check("half", self._acknowledged(self._send("CANCEL", 1)), came=self._what_came())
        self._wire.send(b"$" + b"9" * 300 + b"\n")
        yield Check("long", self._acknowledged(self._send("CANCEL", 1)), came=self._what_came())

    def _roll(self, die: str) -> Iterator[Check]:
        """Check a roll of a die, and the answer when the same roll is requested again."""
        ask = self._ask_for(die)
        self._press(die)
        face = self._until(lambda line: line[1] == "FACE" and line[2][:1] == [ask], self._patience)
        yield Check("face", _shows(face, ask, die), die, self._what_came())
        if face is None or not _shows(face, ask, die):
            return
        self._send("ROLL", ask, die)
        told = self._until(lambda line: line[1] == "FACE" and line[2] == face[2], SOON)
        yield Check("same", told is not None, die, self._what_came())

    def _overtake(self, first: str, second: str) -> Iterator[Check]:
        """Check a second roll requested while the first die tumbles.

        The first die must end as itself or not at all, and the second roll must stay open.
        """
        before = self._ask_for(first)
        self._press(first)
        said = self._until(lambda line: line[1] in ("ROLLING", "FACE") and line[2][:1] == [before], self._patience)
        if said is None or said[1] == "FACE":
            return
        now = self._ask_for(second)

        def ends(line: Line) -> bool:
            if line[1] == "FACE":
                return line[2][:1] in ([before], [now], ["0"])
            return line[1:] == ("ROLLING", [now, second])

        ended = self._until(ends, STILL)
        throws = ended is not None and ended[1] == "ROLLING"  # by itself, and the first no more
        yield Check("frozen", throws or ended is None or _shows(ended, before, first), first, self._what_came())
        if not throws:
            self._press(second)
        face = self._until(lambda line: line[1] == "FACE" and line[2][:1] == [now], self._patience)
        yield Check("open", _shows(face, now, second), second, self._what_came())

    # -- the wire

    def _next(self) -> int:
        self._ask += 1
        return self._ask

    def _ask_for(self, die: str) -> str:
        """Request a roll, and return its number."""
        ask = str(self._next())
        self._send("ROLL", ask, die)
        return ask

    def _send(self, word: str, *fields: object) -> int:
        """Send a line with the next number, and return the number."""
        self._seq += 1
        self._wire.send(pack(self._seq, word, *fields))
        return self._seq

    def _acknowledged(self, seq: int) -> bool:
        return self._until(lambda line: line[1:] == ("ACK", [str(seq)]), SOON) is not None

    def _acknowledge(self, line: Line) -> None:
        if line[0] and self._acknowledges:
            self._wire.send(pack(0, "ACK", line[0]))

    def _until(self, wanted: Callable[[Line], bool], ms: int) -> Line | None:
        """Return the next line that is `wanted`, or None after `ms` milliseconds.

        Other lines are acknowledged and skipped.
        """
        self._came = []
        left = ms
        while True:
            while b"\n" in self._begun:
                one, self._begun = self._begun.split(b"\n", 1)
                line = unpack(one)
                if line is not None:
                    self._came.append(line)
                    self._acknowledge(line)
                    if wanted(line):
                        return line
            if left <= 0:
                return None
            data, took = self._wire.read(left)
            self._begun += data
            left -= max(took, 1)

    def _what_came(self) -> str:
        """Return the last line received during a check."""
        return ",".join([self._came[-1][1], *self._came[-1][2]]) if self._came else ""


def _shows(line: Line | None, ask: str, die: str) -> bool:
    """Return True if a line reports a face that is on `die`, for the roll `ask`."""
    return (
        line is not None and line[2][:2] == [ask, die] and len(line[2]) == 3 and number(line[2][2], LAST) in DICE[die]
    )
