"""2,000 races are opened, listed and looked up as quickly as 20: `pytest tests/bench/test_bench_many_races.py -s`.

Processor time of whole commands, so that other programs disturb little; both folders in turn, in one run.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from statistics import median

import pytest

from tests.bench.smoke import SMOKE, size
from tests.sheets.many import many_races, open_race

FEW, MANY = size((20, 2000), (10, 20))
ROUNDS = size(5, 1)
HOME = (
    "import sys; from pathlib import Path; from companion.view.pages.home import kept_races, open_race; "
    "from companion.view.events.next_up import events; folder = Path(sys.argv[1]); "
    "assert kept_races(folder) and open_race(folder) and not events(folder)"
)
RESUME = (
    "import sys; from companion.desk import RaceDesk; from pathlib import Path; RaceDesk.resume(Path(sys.argv[1]), "
)
COMMANDS = {
    "home": (["-c", HOME, "{}"], 1.25),
    "sheets": (["-m", "companion", "races", "list", "--data", "{}"], 1.25),
    "resume last": (["-c", f"{RESUME}'last').close()", "{}"], 1.25),
    "resume by name": (["-c", f"{RESUME}'open').close()", "{}"], 1.25),
    "show by name": (["-m", "companion", "races", "show", "race 7", "--data", "{}"], 1.25),
    "dice": (["-m", "companion", "hardware", "roller", "fairness", "--data", "{}"], 2.5),
}
"""What is run, and how many times as long it may take with a hundred times as many races. The rolls themselves are
judged one by one, a hundred times as many."""


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    made = []
    for many in (FEW, MANY):
        folder = tmp_path_factory.mktemp(f"races{many}")
        many_races(folder, many)
        open_race(folder)
        made.append(folder)
    return made[0], made[1]


def took(arguments: list[str], folder: Path) -> float:
    """Seconds of the processor that a program takes on a folder."""
    before = os.times()
    said = [part.format(folder) if part == "{}" else part for part in arguments]
    subprocess.run([sys.executable, *said], check=True, stdout=subprocess.DEVNULL)
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system


@pytest.mark.parametrize("what", COMMANDS)
def test_many_races_take_as_long_as_few(folders: tuple[Path, Path], what: str) -> None:
    arguments, most = COMMANDS[what]
    few, many = [], []
    if not SMOKE:
        took(arguments, folders[0]), took(arguments, folders[1])  # what is kept of each race is kept from here on
    for _ in range(ROUNDS):
        few.append(took(arguments, folders[0]))
        many.append(took(arguments, folders[1]))
    ratio = median(many) / median(few)
    print(f"\n{what}: {FEW} races {median(few):.3f} s, {MANY} races {median(many):.3f} s, {ratio:.2f} times", end="")
    assert SMOKE or ratio < most
