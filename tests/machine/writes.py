"""A recording of what went to a disk, write by write and flush by flush, as qemu's blklogwrites keeps it; and the disk
as a cut of the power leaves it after any of them.

What was written before the last flush is there. Of what was written since, a drive may have kept all, none, or any
part, and of one write the first sectors alone.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Final, Literal, NamedTuple

MAGIC: Final = 0x6A736677736872
HEAD: Final = struct.Struct("<QQQI")
"""Magic, version, how many entries, bytes of a sector."""
ENTRY: Final = struct.Struct("<QQQQ")
"""First sector, how many, flags, bytes of a mark."""
FLUSH: Final = 1
FUA: Final = 2
DISCARD: Final = 4

Loss = Literal["none", "whole", "half"]
"""What becomes of what was not flushed."""


class Write(NamedTuple):
    """One entry of the recording: `data` lies at byte `at` of the disk."""

    at: int
    data: bytes
    flags: int

    @property
    def settles(self) -> bool:
        """Whether all before it is on the disk for good."""
        return bool(self.flags & FLUSH)


def many(log: Path) -> int:
    """How many entries are in a recording that may still be going on."""
    with open(log, "rb") as file:
        magic, _, entries, _ = HEAD.unpack(file.read(HEAD.size))
    return int(entries) if magic == MAGIC else 0


def entries(log: Path) -> Iterator[Write]:
    """All of a recording."""
    with open(log, "rb") as file:
        magic, version, count, sector = HEAD.unpack(file.read(HEAD.size))
        if magic != MAGIC or version != 1:
            raise ValueError(f"{log} is no recording of a disk's writes.")
        file.seek(sector)
        for _ in range(count):
            first, sectors, flags, marked = ENTRY.unpack(file.read(sector)[: ENTRY.size])
            size = marked or (0 if flags & DISCARD else sectors * sector)
            data = bytes(sectors * sector) if flags & DISCARD else file.read(size)
            yield Write(first * sector, data, flags)


class Disk:
    """The disk that a recording began with, brought forward write by write. `at` writes are on it for good, or may be:
    those since the last flush wait in `loose`."""

    def __init__(self, beginning: Path, log: Path, place: Path) -> None:
        self.place = place
        place.write_bytes(beginning.read_bytes())
        self.at = 0
        self.loose: list[Write] = []
        self._entries = entries(log)

    def forward(self, to: int) -> None:
        """To the moment after so many writes."""
        settled: list[Write] = []
        while self.at < to:
            write = next(self._entries)
            self.at += 1
            if write.settles:
                settled += self.loose
                self.loose = []
            if write.data:
                (settled if write.flags & FUA else self.loose).append(write)
        self._put(self.place, settled)

    def cut(self, loss: Loss, rng: Random, place: Path) -> None:
        """The disk as it is found when the power has gone at this moment."""
        place.write_bytes(self.place.read_bytes())
        kept = {"none": self.loose, "whole": []}.get(loss)
        self._put(place, kept if kept is not None else list(halves(self.loose, rng)))

    @staticmethod
    def _put(place: Path, written: list[Write]) -> None:
        file = os.open(place, os.O_WRONLY)
        for write in written:
            os.pwrite(file, write.data, write.at)
        os.close(file)


def halves(loose: list[Write], rng: Random) -> Iterator[Write]:
    """Some of them, in any order, one torn between two sectors."""
    kept = [write for write in loose if rng.random() < 0.5]
    rng.shuffle(kept)
    torn = rng.randrange(len(kept)) if kept else 0
    for at, write in enumerate(kept):
        sectors = len(write.data) // 512
        yield write._replace(data=write.data[: 512 * rng.randrange(sectors)]) if at == torn and sectors else write
