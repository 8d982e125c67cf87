"""Cuts of the power, replayed: a recorded disk as any cut leaves it, mended as a boot mends it, and read. No machine is
booted, and the file system is read without being mounted."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import tempfile
import time
from pathlib import Path
from random import Random
from typing import NamedTuple, get_args

from companion.desk import RaceDesk
from companion.rules.conversation.errors import CompanionError
from companion.sheets.chain import chained
from companion.sheets.reading import entries, reading
from tests.machine.writes import Disk, Loss


class Act(NamedTuple):
    """What the table was told is kept, and how many writes were on its disk by then."""

    log: str
    seq: int
    state: str
    writes: int


class Cut(NamedTuple):
    """After how many writes, and what became of those that were not flushed."""

    at: int
    loss: Loss


class Tried(NamedTuple):
    """What came of many cuts."""

    cuts: int
    lost: list[str]
    """A sentence for each cut after which something was missing or unsound."""
    mended: int
    """How often the file system's journal had something to mend."""
    loose: int
    """How many of them had writes that were not flushed."""
    seconds: float


def acknowledged(place: Path) -> list[Act]:
    return [Act(**json.loads(line)) for line in (place / "acknowledged.jsonl").read_text().splitlines()]


def drawn(many: int, last: int, rng: Random) -> list[Cut]:
    """So many cuts, at any moment of a recording, in their order."""
    return sorted(Cut(rng.randint(0, last), rng.choice(get_args(Loss))) for _ in range(many))


def replayed(place: Path, cuts: list[Cut], acts: list[Act] | None = None) -> Tried:
    """Tries each of the cuts, which stand in their order; after each, what was acknowledged by then must be there."""
    rng, began = Random(len(cuts)), time.monotonic()
    told = acknowledged(place) if acts is None else acts
    lost, mended, loose = [], 0, 0
    with tempfile.TemporaryDirectory(dir="/dev/shm") as room:
        disk = Disk(place / "beginning.img", place / "writes.log", Path(room) / "disk.img")
        for cut in cuts:
            disk.forward(cut.at)
            loose += bool(disk.loose)
            found = Path(room) / "found.img"
            disk.cut(cut.loss, rng, found)
            boot = subprocess.run(["e2fsck", "-p", found], capture_output=True, text=True)
            mended += "recovering journal" in boot.stdout
            wrong = (
                unsound(found) if boot.returncode <= 1 else f"the file system cannot be mended: {boot.stdout[-300:]}"
            )
            wrong = wrong or missing(found, [act for act in told if act.writes <= cut.at])
            if wrong:
                lost.append(f"after {cut.at} writes, unflushed ones lost: {cut.loss}: {wrong}")
    return Tried(len(cuts), lost, mended, loose, time.monotonic() - began)


def unsound(image: Path) -> str:
    """What a full look at a mended file system finds, "" if it is sound."""
    done = subprocess.run(["e2fsck", "-f", "-n", image], capture_output=True, text=True)
    return "" if done.returncode == 0 else f"the file system is unsound: {done.stdout.strip()[-300:]}"


def missing(image: Path, acts: list[Act]) -> str:
    """What of the acts is not in the races of a disk, "" if each is there as it was."""
    if not acts:
        return ""
    with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
        subprocess.run(["debugfs", "-R", f"rdump / {folder}", image], check=True, capture_output=True)
        states: dict[tuple[str, int], str] = {}
        try:
            with reading(Path(folder)) as db:
                for log in {act.log for act in acts}:
                    states |= {(log, entry.seq): entry.state for entry in chained(entries(db, log))}
            with RaceDesk.resume(Path(folder), acts[-1].log) as desk:
                stands = desk.conversation.digest
        except (CompanionError, sqlite3.Error) as wrong:
            return f"the races cannot be read: {wrong!r}"
    gone = [act for act in acts if states.get((act.log, act.seq)) != act.state]
    if gone:
        return f"{len(gone)} acknowledged acts are gone, the first is {gone[0]}"
    last = max(seq for log, seq in states if log == acts[-1].log)
    return "" if stands == states[acts[-1].log, last] else "the race goes on from somewhere else than its last act"
