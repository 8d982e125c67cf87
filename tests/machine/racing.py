"""Races for the machines: begun on this one, and read again from a machine's disk."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

from companion import circuits
from companion.desk import RaceDesk
from companion.drivers.sensible import HeuristicDriver
from companion.rules.conversation.asking import Asked
from companion.rules.rulebooks import begin
from companion.sheets.chain import chained
from companion.sheets.reading import entries, find, reading
from tests.machine.host import Hindered, run


def begun(folder: Path, until: Callable[[Asked, RaceDesk], bool], **setup: object) -> Path:
    """A folder with a race that stands at a question."""
    track: Any = circuits.load("monaco")
    driver = HeuristicDriver(track, 2)
    cars = [{"car": 1, "driver": "Ada Vidal"}, {"car": 2, "driver": "Bruno"}]
    given = {"track": "monaco", "laps": 1, "cars": cars, **setup}
    text = circuits.find("monaco").read_text(encoding="utf-8")
    with RaceDesk.begin(begin(given, track), setup=given, track=text, folder=folder, name="At the table") as desk:
        while desk.asked is not None and not until(desk.asked, desk):
            desk.answer(driver.answer(desk.asked, desk.rulebook.race), n=desk.n)  # type: ignore[arg-type]
    (folder / "settings.toml").write_text('language = "en"\nreduced_motion = true\n')
    return folder


def at_a_gear(asked: Asked, desk: RaceDesk) -> bool:
    """The first question of a turn, in the second round."""
    return asked.ask == "gear" and desk.rulebook.round >= 2


def nearly_over(asked: Asked, desk: RaceDesk) -> bool:
    """Some fifteen answers before the flag."""
    return asked.ask == "gear" and desk.rulebook.round >= 19


def at_the_start(asked: Asked, desk: RaceDesk) -> bool:
    """The first start, which the five lights are for."""
    return asked.ask == "start"


def carried_out(disk: Path, into: Path) -> Path:
    """The files of a races' disk after its machine is gone, mended as a boot mends it, without mounting it; the disk
    itself stays as it is."""
    into.mkdir()
    run("cp", "--sparse=always", disk, copy := into.with_suffix(".img"))
    disk = copy
    if subprocess.run(["e2fsck", "-p", disk], capture_output=True).returncode > 1:
        raise Hindered(f"The file system of {disk} cannot be mended.")
    run("debugfs", "-R", f"rdump / {into}", disk)
    return into


def kept(folder: Path) -> dict[int, str]:
    """The state after each entry of the last race, the chain checked."""
    with reading(folder) as db:
        race = find(db, "last")
        return {entry.seq: entry.state for entry in chained(entries(db, race.log_id), race.head)}
