"""A data folder with many races that are over, copied from one that was driven."""

from __future__ import annotations

import contextlib
import functools
import hashlib
import tempfile
from pathlib import Path

import msgspec

from companion.circuits import load
from companion.desk.beginning import begin_race
from companion.drivers.sensible import HeuristicDriver
from companion.sheets.chain import GENESIS, line
from companion.sheets.entry import Entry
from companion.sheets.log import Write, insert
from companion.sheets.place import DATABASE
from companion.sheets.reading import about, entries, races, reading, snapshots
from companion.sheets.whole_check import open_to_write

SETUP = {"track": "monza", "laps": 1, "cars": [{"car": 1, "driver": "Ada"}, {"car": 2, "driver": "Bob"}]}


@functools.cache
def driven() -> tuple[tuple[Entry, ...], tuple[tuple[int, bytes], ...], tuple[int, bool]]:
    """The log of a race that is over, the states kept with it, and how it stands."""
    with tempfile.TemporaryDirectory() as place:
        with begin_race(SETUP, "monza", Path(place), name="race") as desk:
            driver = HeuristicDriver(load("monza"))
            while desk.asked is not None:
                desk.answer(driver.answer(desk.asked, desk.rulebook.race))
        with reading(Path(place)) as db:
            (race,) = races(db)
            return tuple(entries(db, race.log_id)), tuple(snapshots(db, race.log_id)), (race.round, race.over)


def many_races(folder: Path, many: int) -> None:
    """Write so many races, each with an id and a name of its own, into a folder as a writer leaves it."""
    log, states, stands = driven()
    folder.mkdir(parents=True, exist_ok=True)
    db, writer = open_to_write(folder / DATABASE)
    db.execute("BEGIN")
    for number in range(many):
        prev = GENESIS
        for entry in log:
            body = entry.body.replace('"name":"race"', f'"name":"race {number}"') if entry.seq == 1 else entry.body
            log_id = hashlib.md5(str(number).encode()).hexdigest()
            made = msgspec.structs.replace(entry, log_id=log_id, body=body, prev=prev)
            made = msgspec.structs.replace(made, hash=hashlib.sha256(line(made)).digest())
            prev, last = made.hash, entry is log[-1]
            row = (*about(made), stands[0], int(stands[1])) if entry.seq == 1 else None
            insert(db.execute, Write(made, None, states if last else (), stands if last else None, row))
    db.execute("COMMIT")
    with contextlib.closing(db):
        pass
    writer.close(clean=True)


def open_race(folder: Path) -> None:
    """Add a race that is under way."""
    with begin_race(SETUP, "monza", folder, name="open") as desk:
        driver = HeuristicDriver(load("monza"))
        for _ in range(20):
            assert desk.asked is not None
            desk.answer(driver.answer(desk.asked, desk.rulebook.race))
