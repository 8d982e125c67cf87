"""The touchscreen beside bare Kivy windows, in turn: `pytest tests/bench/test_bench_screens.py -s`.

There are two of them: one as Kivy comes, which looks for events sixty times a second and more, and one that is settled
as the app is and looks half as often. All are started as processes of their own, off screen, with everything compiled
beforehand as an installed package has it, and with the shader cache that a second start finds.
"""

from __future__ import annotations

import contextlib
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.screens.app.pictures import CARS, demo_race
from tests.bench.smoke import SMOKE, size

ROUNDS = size(5, 0)
"""Rounds that are measured, after one that is not."""
IDLE = size(6.0, 0.1)
"""Seconds of idling that are measured."""
AT_ONCE = 1.2
"""How many times as long as a bare window the first picture may take."""
KEY, HOME, FIRST, MEMORY, CPU = 2.6, 3.0, 1.6, 1.7, 1.5
"""How many times as much as a bare window the app may take: to the key that goes on, to home with its race drawn."""
TICKING = 2.5
"""The same for the processor while the shot clock ticks, beside the window that looks for events as seldom as the app:
each second the window is filled with the kept picture once, which takes 2 ms of a processor that has no graphics card.
"""
FRAME = 1 / 30
TOUCHES, MOVES = size((20, 360), (2, 20))

DRIVERS = (*CARS, (11, "Wanda"), (66, "Yves"))

BEGIN = """
import os, sys, threading, time
from pathlib import Path
folder = Path(sys.argv[1])
ends = threading.Timer(90, lambda: os._exit(3))
ends.daemon = True
ends.start()

def say(*what):
    print(*what, flush=True)

def when_drawn(told):
    from kivy.core.window import Window
    from kivy.graphics.opengl import glFinish
    flip = Window.flip
    def flipped():
        flip()
        glFinish()
        told()
    Window.flip = flipped
"""

AS_IT_COMES = """
os.environ.update(SDL_VIDEODRIVER="offscreen", KIVY_HOME=str(folder / "kivy"), KIVY_NO_ARGS="1",
                  KIVY_NO_CONSOLELOG="1", MESA_SHADER_CACHE_DIR=str(folder / "shaders"))
"""

SETTLED = """
from companion.screens.app.launch import SHADERS, prepare
prepare("offscreen", shaders=folder / SHADERS)
"""

BARE = """
from kivy.base import runTouchApp
from kivy.core.window import Window
from kivy.uix.label import Label

drawn = []
def told():
    if not drawn:
        drawn.append(True)
        say("first", time.perf_counter())
        say("still")
when_drawn(told)
runTouchApp(Label(text="nothing"))
"""

APP = """
import companion.commands.main
from companion.screens.app.launch import SHADERS, first_picture, must_have_window, prepare
from companion.screens.app.settings import SettingsFile
kept = SettingsFile(folder)
prepare("offscreen", shaders=folder / SHADERS)
must_have_window()
from kivy.clock import Clock
seen = set()

def told():
    if "first" not in seen:
        seen.add("first")
        say("first", time.perf_counter())
    elif "key" not in seen and getattr(app.screen, "found", None) is not None:
        seen.add("key")
        say("key", time.perf_counter())
    elif "home" not in seen and getattr(app.screen, "_overview", None) is not None:
        seen.add("home")
        say("home", time.perf_counter())
        if RACE == "none":
            say("still")
        else:
            Clock.schedule_once(resume, 0.5)
    elif "race" not in seen and getattr(app.screen, "now", None) is not None:
        seen.add("race")
        say("race", time.perf_counter())
        Clock.schedule_once(settled, 2.0)

def resume(_):
    say("tap", time.perf_counter())
    app.screen.press("confirm")

def settled(_):
    say("still")
    if RACE == "touched":
        when_drawn(counted)
        threading.Thread(target=touches, daemon=True).start()

when_drawn(told)
first_picture()
from companion.screens.app.app import CompanionApp
app = CompanionApp(folder, kept)
"""

RUN = "app.run()\n"

FINGER = """
from kivy.base import EventLoop
from kivy.core.window import Window
from kivy.input.motionevent import MotionEvent
from kivy.input.provider import MotionEventProvider

class Finger(MotionEvent):
    def __init__(self, x, y):
        super().__init__("finger", 1, self.at(x, y), is_touch=True, type_id="touch")
    @staticmethod
    def at(x, y):
        return {"x": x / (Window.width - 1.0), "y": y / (Window.height - 1.0)}
    def depack(self, args):
        self.sx, self.sy = args["x"], args["y"]
        self.profile = ["pos"]
        super().depack(args)

class Panel(MotionEventProvider):
    # what a touchscreen has read in its thread, given to the loop when it asks
    queue = []
    def update(self, dispatch_fn):
        while self.queue:
            dispatch_fn(*self.queue.pop(0))

EventLoop.add_input_provider(Panel("panel", ""))

frames, waiting, spent = [], [], [0.0]

def counted():
    now, cpu = time.perf_counter(), time.process_time()
    frames.append((Clock.time() - Clock.get_time(), cpu - spent[0]))
    spent[0] = cpu
    for begun, tick, drawn in waiting[:]:
        if drawn():
            say("response", now - begun, Clock.frames - tick)
            waiting.clear()

def touches():
    screen = app.screen
    key = next(key for key in screen.band.keys if key.on_tap is not None)
    for count in range(TOUCHES):  # a press that slides off its key answers nothing
        time.sleep(0.3 + 0.007 * count)
        finger = Finger(*key.center)
        waiting.append((time.perf_counter(), Clock.frames, lambda: key.pressed))
        Panel.queue.append(("begin", finger))
        while waiting:
            time.sleep(0.01)
        finger.move(finger.at(key.center_x, key.top + 150))
        Panel.queue.append(("update", finger))
        time.sleep(0.05)
        Panel.queue.append(("end", finger))
    time.sleep(0.5)
    x, y = screen.board.center
    finger = Finger(x, y)
    Panel.queue.append(("begin", finger))
    frames.clear()
    for count in range(MOVES):
        time.sleep(1 / 90)  # panels tell of a finger more often than they are drawn
        way = abs(count % 120 - 60) * 2
        finger.move(finger.at(x - way, y - way / 2))
        Panel.queue.append(("update", finger))
    for each in frames[1:]:
        say("frame", *each)
    say("end")

"""


class Cost(dict[str, float]):
    """Seconds to each picture, megabytes in memory, and processor seconds a second of idling."""


def processor(pid: int) -> float:
    """The processor seconds that a process has taken, by its own clock; what /proc tells is counted in hundredths."""
    return time.clock_gettime(~pid << 3 | 2)


@pytest.fixture(scope="module")
def env(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """What the processes are started with: as in a shell, but compiled code goes to a folder of the bench."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("KIVY_", "KCFG_", "SDL_"))}
    kept.pop("PYTHONDONTWRITEBYTECODE", None)
    return {**kept, "PYTHONPYCACHEPREFIX": str(tmp_path_factory.mktemp("compiled"))}


@contextlib.contextmanager
def started(code: str, folder: Path, env: dict[str, str]) -> Iterator[subprocess.Popen[str]]:
    """A process that is ended afterwards."""
    running = subprocess.Popen(
        [sys.executable, "-c", BEGIN + code, str(folder)], env=env, stdout=subprocess.PIPE, text=True
    )
    try:
        yield running
    finally:
        running.kill()
        running.communicate()


def said(running: subprocess.Popen[str], last: str) -> Iterator[list[str]]:
    """What a process says, line by line, until its last word."""
    assert running.stdout is not None
    while (line := running.stdout.readline().split()) != [last]:
        assert line, "it ended too soon"
        yield line


def cost(code: str, folder: Path, env: dict[str, str], idle: float = 0.0) -> Cost:
    """What it costs to start, and to do nothing for some seconds."""
    begun = time.perf_counter()
    with started(code, folder, env) as running:
        found = Cost({name: float(at) - begun for name, at in said(running, "still")})
        if idle:
            before, since = processor(running.pid), time.perf_counter()
            time.sleep(idle)
            found["cpu"] = (processor(running.pid) - before) / (time.perf_counter() - since)
        status = Path(f"/proc/{running.pid}/status").read_text()
        found["memory"] = int(status.split("VmRSS:")[1].split()[0]) / 1024
    return found


def load() -> str:
    return "load " + " ".join(f"{each:.1f}" for each in os.getloadavg())


def compared(name: str, bare: list[Cost], app: list[Cost], what: str, since: str = "") -> float:
    """Prints medians of both; how many times as much the app takes comes back."""
    one = statistics.median(each[what if what in each else "first"] for each in bare)
    other = statistics.median(each[what] - (each[since] if since else 0) for each in app)
    print(f"{name}: bare {one:.3f}, app {other:.3f}: {other / one:.2f} times; {load()}")
    return other / one


def app_as(race: str) -> str:
    """The app at home ("none"), or with its race "resumed" or "touched"."""
    touched = f"TOUCHES, MOVES = {TOUCHES}, {MOVES}\n{FINGER}" if race == "touched" else ""
    return APP.replace("RACE", repr(race)) + touched + RUN


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("race")
    with demo_race(made, 300, DRIVERS, "copper-basin") as desk:
        assert desk.n == 300
        assert len([car for car in desk.public().cars if car.at]) == len(DRIVERS), "not all of them are on the board"
    return made


def in_turn(folder: Path, env: dict[str, str], race: str, rounds: int, idle: float) -> tuple[list[Cost], ...]:
    """A window as Kivy comes, a settled one, and the app, in turn, so that whatever else the machine does is shared;
    what the first of each has compiled is there for the others."""
    programs = (AS_IT_COMES + BARE, SETTLED + BARE, app_as(race))
    turns = [[cost(code, folder, env, idle) for code in programs] for _ in range(rounds + 1)]
    print()
    return tuple(map(list, zip(*turns[1 if rounds else 0 :], strict=True)))


def test_a_picture_is_there_as_soon_as_a_bare_window_and_home_not_much_later(folder: Path, env: dict[str, str]) -> None:
    kivy, bare, app = in_turn(folder, env, "none", 2 * ROUNDS, 0)
    compared("first picture, Kivy as it comes", kivy, app, "first")
    first = compared("first picture", bare, app, "first")
    key = compared("home with its key", bare, app, "key")
    home = compared("home with its race drawn", bare, app, "home")
    assert SMOKE or first <= AT_ONCE
    assert SMOKE or key <= KEY
    assert SMOKE or home <= HOME


@pytest.mark.parametrize("seconds", [0, 30])
def test_a_resumed_race_costs_little_more_than_a_bare_window(folder: Path, env: dict[str, str], seconds: int) -> None:
    """Without a shot clock nothing at all happens; the one that is set at first ticks once a second."""
    (folder / "settings.toml").write_text(f"shot_clock = {seconds}\n", encoding="utf-8")
    kivy, bare, app = in_turn(folder, env, "resumed", ROUNDS, IDLE)
    compared("home with its race drawn, in s", bare, app, "home")
    race = compared("race since its key was tapped, in s", bare, app, "race", "tap")
    memory = compared("memory, in MB", bare, app, "memory")
    cpu = compared(f"cpu with a shot clock of {seconds} s, Kivy as it comes", kivy, app, "cpu")
    settled = compared(f"cpu with a shot clock of {seconds} s", bare, app, "cpu")
    assert SMOKE or race <= FIRST
    assert SMOKE or memory <= MEMORY
    assert SMOKE or cpu <= CPU
    assert SMOKE or settled <= (TICKING if seconds else CPU)


def test_a_touch_is_answered_and_the_board_follows_the_finger(folder: Path, env: dict[str, str]) -> None:
    with started(app_as("touched"), folder, env) as running:
        for _ in said(running, "still"):
            pass
        told = list(said(running, "end"))
    responses = [(float(line[1]), int(line[2])) for line in told if line[0] == "response"]
    waits, frames = sorted(wait for wait, _ in responses), max(count for _, count in responses)
    print(f"\n{len(responses)} touches: drawn after {1000 * statistics.median(waits):.0f} ms, the slowest after "
          f"{1000 * waits[-1]:.0f} ms, {frames} frames at most; {load()}")  # fmt: skip
    work = sorted(float(line[1]) for line in told if line[0] == "frame")
    cpu = statistics.median(float(line[2]) for line in told if line[0] == "frame")
    print(f"{len(work)} frames while panning with {len(DRIVERS)} cars: {1000 * statistics.median(work):.1f} ms each, "
          f"one in twenty {1000 * work[len(work) * 19 // 20]:.1f} ms or more; {1000 * cpu:.1f} ms of processor time, "
          "the drawing itself included, which has no graphics card here")  # fmt: skip
    assert len(responses) == TOUCHES
    assert SMOKE or frames <= 2
    assert SMOKE or cpu <= FRAME
