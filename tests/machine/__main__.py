"""`python -m tests.machine`: builds the guest and runs scenarios in it, records a table's disk, replays cuts of it."""

from __future__ import annotations

import argparse
import os
import signal
import sys
import tempfile
import time
import traceback
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random

from tests.machine import card, cuts, host, image, shelf
from tests.machine.bench import Bench
from tests.machine.guest import accelerator
from tests.machine.host import Hindered, equip
from tests.machine.recording import record
from tests.machine.scenarios import ARM64, BRIEF, SCENARIOS


def build(suite: str) -> None:
    """All that scenarios need, or where it lies already."""
    began = time.monotonic()
    equip()
    image.ready(suite)
    print(f"Built in {time.monotonic() - began:.0f} s.")


def run(suite: str, names: list[str], pictures: Path, hours: float = 0.25, at_once: int = 1) -> bool:
    """Whether all of these scenarios end well, so many at once."""
    asked = names or [name for name in SCENARIOS if name not in ARM64]
    equip()
    if not ARM64.issuperset(asked):
        image.ready(suite)
        accelerator(image.base(suite), True)  # tried before two would try it at once
    began = time.monotonic()
    with ThreadPoolExecutor(at_once) as rows:
        failed = len(asked) - sum(rows.map(lambda name: played(suite, name, pictures, hours), asked))
    print(f"{failed} of {len(asked)} failed, in {time.monotonic() - began:.0f} s; pictures are in {pictures}")
    return not failed


def played(suite: str, name: str, pictures: Path, hours: float) -> bool:
    """Whether a scenario ends well."""
    with tempfile.TemporaryDirectory(dir=shelf.SHELF, prefix="bench-") as room:
        bench = Bench(suite, Path(room), pictures, hours, name)
        bench.say((SCENARIOS[name].__doc__ or "").splitlines()[0])
        since = time.monotonic()
        try:
            SCENARIOS[name](bench)
        except Exception as wrong:
            bench.say(f"FAILED in {time.monotonic() - since:.0f} s: {type(wrong).__name__}: {wrong}")
            traceback.print_exc()
            return False
        bench.say(f"well, in {time.monotonic() - since:.0f} s")
        return True


def brief(suite: str) -> bool:
    """What fits ten minutes, where a Debian is bootstrapped already; else it says that it is left out."""
    if os.geteuid() or not image.at_hand(suite):
        print(
            "The machine is left out: `python -m tests.machine build`, as root, would first take a quarter of an hour."
        )
        return True
    return run(suite, BRIEF, shelf.SHELF / "pictures")


def flash(out: Path) -> None:
    """Builds the image of a Pi's card, and writes it to a file."""
    began = time.monotonic()
    host.run("cp", "--sparse=always", card.card() / "card.img", out)
    print(f"{out}, to be written to a card: {out.stat().st_size >> 20} MB, in {time.monotonic() - began:.0f} s.")


def replay(many: int, answers: int) -> bool:
    """Whether no cut of a recording that is made for it loses anything."""
    equip()
    with tempfile.TemporaryDirectory() as folder:
        place = record(Path(folder), answers)
        acts = cuts.acknowledged(place)
        print(f"Recorded: {len(acts)} acts, {acts[-1].writes} writes.", flush=True)
        tried = cuts.replayed(place, cuts.drawn(many, acts[-1].writes, Random()))
    for lost in tried.lost:
        print(lost)
    print(
        f"{tried.cuts} cuts in {tried.seconds:.0f} s: {len(tried.lost)} lost something; {tried.loose} in the middle of "
        f"writing, {tried.mended} file systems mended."
    )
    return not tried.lost


def main() -> None:
    asked = argparse.ArgumentParser(prog="python -m tests.machine", description=__doc__)
    commands = asked.add_subparsers(dest="command", required=True)
    lines = {
        "build": build.__doc__,
        "run": "runs scenarios, all if none is named",
        "brief": brief.__doc__,
        "cuts": replay.__doc__,
        "card": flash.__doc__,
    }
    for command, line in lines.items():
        added = commands.add_parser(command, help=line)
        if command == "cuts":
            added.add_argument("many", type=int, nargs="?", default=200)
            added.add_argument("--answers", type=int, default=400, help="how long a race is recorded")
        elif command == "card":
            added.add_argument("out", type=Path)
        else:
            added.add_argument("--debian", choices=sorted(image.PYTHON), default="trixie")
        if command == "run":
            added.add_argument("scenario", nargs="*", choices=[*SCENARIOS, []])
            added.add_argument("--pictures", type=Path, default=shelf.SHELF / "pictures")
            added.add_argument("--hours", type=float, default=0.25, help="how long `idle` leaves a race alone")
            added.add_argument("--at-once", type=int, default=1, help="so many machines beside one another")
    said = asked.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("Ended from outside."))
    try:
        if said.command == "build":
            build(said.debian)
        elif said.command == "brief":
            sys.exit(not brief(said.debian))
        elif said.command == "card":
            flash(said.out)
        elif said.command == "run":
            sys.exit(not run(said.debian, said.scenario, said.pictures, said.hours, said.at_once))
        else:
            sys.exit(not replay(said.many, said.answers))
    except Hindered as wrong:
        sys.exit(str(wrong))


if __name__ == "__main__":
    main()
