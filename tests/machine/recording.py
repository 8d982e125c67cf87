"""The disk of a table recorded while a race is refereed on it: every write, and what had been acknowledged by then.

No machine is booted for it: qemu's storage daemon shows a disk image as a file (FUSE) and notes what goes through, this
machine's own ext4 lies on it by a loop device, and a desk of ours answers there.
"""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

from companion import circuits
from companion.desk import RaceDesk
from companion.drivers.sensible import HeuristicDriver
from companion.rules.rulebooks import begin
from tests.machine import writes
from tests.machine.host import Hindered, has, run

SIZE = "16M"


def hindrance() -> str:
    """Why no disk can be recorded here, "" if it can."""
    if os.geteuid():
        return "only root may mount a disk"
    if not os.access("/dev/fuse", os.W_OK) or not Path("/dev/loop-control").exists():
        return "this machine has no FUSE or no loop devices"
    lacking = [tool for tool in ("qemu-storage-daemon", "mke2fs", "debugfs") if not has(tool)]
    return f"{' and '.join(lacking)} is not installed here" if lacking else ""


@contextlib.contextmanager
def recorded(place: Path) -> Iterator[Path]:
    """A mounted ext4 as the appliance has it, whose writes go into `place`: `beginning.img` and `writes.log`."""
    disk, log, shown, folder = (place / name for name in ("disk.img", "writes.log", "shown", "mounted"))
    run("mke2fs", "-q", "-F", "-t", "ext4", "-L", "races", "-E", "lazy_itable_init=0,lazy_journal_init=0", disk, SIZE)
    (place / "beginning.img").write_bytes(disk.read_bytes())
    for each in (log, shown):
        each.touch()
    os.truncate(log, 4 << 30)  # it is as long as it gets, and has holes
    folder.mkdir()
    noted = "driver=blklogwrites,node-name=noted,file=disk,log=log,log-super-update-interval=1"
    daemon = subprocess.Popen(
        ["qemu-storage-daemon", "--blockdev", f"driver=file,node-name=disk,filename={disk}",
         "--blockdev", f"driver=file,node-name=log,filename={log}", "--blockdev", noted,
         "--export", f"type=fuse,id=shown,node-name=noted,mountpoint={shown},writable=on"],
    )  # fmt: skip
    try:
        end = time.monotonic() + 20
        while not shown.stat().st_size:
            if daemon.poll() is not None or time.monotonic() > end:
                raise Hindered("qemu's storage daemon shows no disk here.")
            time.sleep(0.05)
        run("mount", "-o", "loop,noatime,commit=5", shown, folder)
        try:
            yield folder
        finally:
            run("umount", folder)
    finally:
        daemon.terminate()
        daemon.wait()
        folder.rmdir()
        shown.unlink()
        disk.unlink()


def record(place: Path, answers: int) -> Path:
    """A race of so many acts of its table on a disk that is recorded; `acknowledged.jsonl` names each with its
    digest and how many writes were on the disk by then."""
    if why := hindrance():
        raise Hindered(f"No disk can be recorded: {why}.")
    with recorded(place) as folder:
        subprocess.run([sys.executable, "-m", "tests.machine.recording", folder, place, str(answers)], check=True)
    return place


def referee(folder: Path, place: Path, answers: int) -> None:
    """Answers as people at a table do, with undos and the referee's word between; writes down each act that was
    acknowledged."""
    track: Any = circuits.load("monaco")
    rng, driver, acts = Random(7), HeuristicDriver(track, 7), 0
    text = circuits.find("monaco").read_text(encoding="utf-8")
    cars = [{"car": n, "driver": f"Driver {n}"} for n in (1, 2, 3)]
    setup: dict[str, Any] = {"track": "monaco", "laps": 3, "cars": cars}
    with open(place / "acknowledged.jsonl", "w", encoding="utf-8") as told:
        while acts < answers:
            book: Any = begin(setup, track)
            with RaceDesk.begin(book, setup=setup, track=text, folder=folder, name="At the table") as desk:
                assert desk.log is not None
                while desk.asked is not None and acts < answers:
                    chance = rng.random()
                    if chance < 0.03 and desk.n > 8:
                        desk.undo(5)
                    elif chance < 0.06 and desk.n > 8:
                        wear = {"brakes": rng.randrange(1, 4)}
                        desk.override({"car": 1, "wear": wear}, by="Referee", why="at random")
                    else:
                        desk.answer(driver.answer(desk.asked, desk.rulebook.race), n=desk.n)  # type: ignore[arg-type]
                    acts += 1
                    seen = {"log": desk.log.log_id, "seq": desk.seq, "state": desk.conversation.digest}
                    told.write(json.dumps({**seen, "writes": writes.many(place / "writes.log")}) + "\n")
                    time.sleep(rng.choice((0, 0, 0, 0.02)))  # a table also waits, and its file system writes meanwhile


if __name__ == "__main__":
    referee(Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]))
