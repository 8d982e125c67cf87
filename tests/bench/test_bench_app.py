"""The app at home with a race to resume, beside a bare Kivy window: `pytest tests/bench/test_bench_app.py -s`."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

import pytest

from companion.screens.pictures import demo_race

ROUNDS = 3
IDLE = 3.0
"""Seconds of idling that are measured."""
FIRST, MEMORY, CPU = 1.6, 1.7, 1.5
"""How many times as much as a bare window the app may take."""

BARE = """
from companion.screens.launch import prepare
prepare("offscreen")
from kivy.base import runTouchApp
from kivy.clock import Clock
from kivy.core.window import Window
from kivy.uix.label import Label

Clock.schedule_once(lambda _: Clock.schedule_once(lambda _: print("drawn", flush=True), 0), 0)
runTouchApp(Label(text="nothing"))
"""

APP = """
import sys
from pathlib import Path
from companion.screens.launch import must_have_window, prepare
from companion.screens.settings import Kept
folder = Path(sys.argv[1])
kept = Kept(folder)
prepare("offscreen")
must_have_window()
from kivy.clock import Clock
from companion.screens.app import CompanionApp

Clock.schedule_once(lambda _: Clock.schedule_once(lambda _: print("drawn", flush=True), 0), 0)
CompanionApp(folder, kept).run()
"""


class Cost(NamedTuple):
    """Seconds to the first picture, megabytes in memory, and processor seconds a second of idling."""

    first: float
    memory: float
    cpu: float


def cost(code: str, folder: Path) -> Cost:
    env = {name: value for name, value in os.environ.items() if not name.startswith(("KIVY_", "KCFG_", "SDL_"))}
    begun = time.perf_counter()
    with subprocess.Popen([sys.executable, "-c", code, str(folder)], env=env, stdout=subprocess.PIPE) as running:
        assert running.stdout is not None
        assert running.stdout.readline() == b"drawn\n"
        first = time.perf_counter() - begun
        time.sleep(2)  # what is read in threads is there by then
        before = processor(running.pid)
        time.sleep(IDLE)
        cpu = (processor(running.pid) - before) / IDLE
        status = Path(f"/proc/{running.pid}/status").read_text()
        memory = int(status.split("VmRSS:")[1].split()[0]) / 1024
        running.kill()
    return Cost(first, memory, cpu)


def processor(pid: int) -> float:
    """The processor seconds that a process has taken."""
    told = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(told[11]) + int(told[12])) / os.sysconf("SC_CLK_TCK")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("race")
    demo_race(made, 200).close()
    return made


def test_the_app_costs_little_more_than_a_bare_window(folder: Path) -> None:
    cost(APP, folder)  # once for the files' sake
    bare, app = [], []
    for _ in range(ROUNDS):  # in turn, so that whatever else the machine does is shared
        bare.append(cost(BARE, folder))
        app.append(cost(APP, folder))
    print()
    for name, most in (("first", FIRST), ("memory", MEMORY), ("cpu", CPU)):
        one, other = (statistics.median(getattr(each, name) for each in every) for every in (bare, app))
        print(f"{name}: bare {one:.3f}, app {other:.3f}, {other / one:.2f} times (at most {most})")
        assert other <= most * one + (0.002 if name == "cpu" else 0)
