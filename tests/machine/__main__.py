"""`python -m tests.machine cuts`: a table's disk recorded, and thousands of cuts of it replayed."""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path
from random import Random

from tests.machine import cuts
from tests.machine.host import Hindered, equip
from tests.machine.recording import record


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
    added = commands.add_parser("cuts", help="records a race, and replays so many cuts of the power in it")
    added.add_argument("many", type=int, nargs="?", default=200)
    added.add_argument("--answers", type=int, default=400, help="how long a race is recorded")
    said = asked.parse_args()
    try:
        sys.exit(not replay(said.many, said.answers))
    except Hindered as wrong:
        sys.exit(str(wrong))


if __name__ == "__main__":
    main()
