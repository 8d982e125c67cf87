"""The faults of a bad die-roller, made on purpose for the simulator and for tests."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Final, Literal, get_args

from hardware.firmware.lines import pack, unpack

Fault = Literal[
    "lost", "late", "half", "flipped", "twice", "garbage", "flood", "die", "face", "version", "cocked", "mute", "unplug"
]
FAULTS: Final[tuple[Fault, ...]] = get_args(Fault)

MUTE: Final = 3500
"""Milliseconds of silence: longer than the referee waits."""
LATE: Final = 700
"""Milliseconds by which a line is late; by then it has been sent again."""


class Faulty:
    """A layer of faults between a roller and its wire.

    One line in `rarely` goes wrong; the faults take turns in shuffled order. `write` is the wire; `unplug` pulls the
    plug.
    """

    def __init__(
        self,
        write: Callable[[bytes], object],
        unplug: Callable[[], object],
        *,
        seed: int = 0,
        rarely: int = 4,
        faults: tuple[Fault, ...] = FAULTS,
    ) -> None:
        self._write, self._unplug = write, unplug
        self._random = random.Random(seed)
        self._rarely, self._faults = rarely, faults
        self._bag: list[Fault] = []
        self._late: list[tuple[int, bytes]] = []
        self._mute = 0
        self.now = 0
        """Time in milliseconds, kept by whoever runs the roller."""
        self.done: dict[Fault, int] = dict.fromkeys(faults, 0)
        """Number of times that each fault was done."""

    def tick(self, now: int) -> None:
        """Send the delayed lines that are due."""
        self.now = now
        due, self._late = [line for at, line in self._late if at <= now], [one for one in self._late if one[0] > now]
        for line in due:
            self._write(line)

    def write(self, line: bytes) -> None:
        """Send a line, or commit a fault instead."""
        if self.now < self._mute:
            return
        if not self._faults or self._random.randrange(self._rarely):
            self._write(line)
            return
        if not self._bag:
            self._bag = self._random.sample(self._faults, len(self._faults))
        for fault in reversed(self._bag):
            if self._does(fault, line):
                self._bag.remove(fault)
                self.done[fault] += 1
                return
        self._write(line)

    def _does(self, fault: Fault, line: bytes) -> bool:
        """Commit a fault on a line; False if it does not apply to this line."""
        draw = self._random
        read = unpack(line)
        if fault == "lost":
            pass
        elif fault == "late":
            self._late.append((self.now + LATE, line))
        elif fault == "half":
            self._write(line[: draw.randrange(1, len(line) - 1)])
        elif fault == "flipped":
            at = draw.randrange(len(line) - 1)
            self._write(line[:at] + bytes([line[at] ^ 1 << draw.randrange(7)]) + line[at + 1 :])
        elif fault == "twice":
            self._write(line * 2)
        elif fault == "garbage":
            self._write(draw.randbytes(60) + b"\n" + line)
        elif fault == "flood":
            self._write(line * (12000 // len(line)))
        elif fault == "mute":
            self._mute = self.now + MUTE
        elif fault == "unplug":
            self._unplug()
        else:
            return read is not None and self._lies(fault, *read)
        return True

    def _lies(self, fault: Fault, seq: int, word: str, fields: list[str]) -> bool:
        """Send a valid line with wrong content; False if the fault does not apply."""
        if fault == "version" and word == "HELLO":
            self._write(pack(seq, word, "9", *fields[1:]))
        elif fault == "die" and word == "FACE":
            self._write(pack(seq, word, fields[0], "1" if fields[1] != "1" else "2", 2))
        elif fault == "face" and word == "FACE":
            self._write(pack(seq, word, fields[0], fields[1], self._random.choice((0, 31, 99))))
        elif fault == "cocked" and word == "FACE":
            self._write(pack(0, "COCKED", *fields[:2]))
        else:
            return False
        return True
