"""The touchscreen of a race in a process of its own, touched as it is told, so that it can be killed.

As a program (`python -m tests.web.touched FOLDER PORT`) it opens the app without a display; a line of JSON on its
standard input is done by touches, and answered by one. `Touchscreen` starts it.
"""

from __future__ import annotations

import contextlib
import json
import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any


class Touchscreen:
    """The app over a data folder; its pages are at that port."""

    def __init__(self, folder: Path, port: int) -> None:
        command = [sys.executable, "-m", "tests.web.touched", str(folder), str(port)]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def tell(self, what: str, **given: Any) -> None:
        """Has one thing done; `heard` is what came of it."""
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps({"do": what, **given}).encode() + b"\n")
        self.process.stdin.flush()

    def heard(self) -> Any:
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line, "the app is gone"
        return json.loads(line)

    def do(self, what: str, **given: Any) -> Any:
        self.tell(what, **given)
        return self.heard()

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()


@contextlib.contextmanager
def touchscreen(folder: Path, port: int) -> Iterator[Touchscreen]:
    """It, and its end."""
    made = Touchscreen(folder, port)
    try:
        yield made
    finally:
        made.kill()


# -- in the app's own process


class Said:
    """A driver who has said what he wants."""

    def __init__(self, answer: Any) -> None:
        self._answer = answer

    def answer(self, asked: Any, race: Any) -> Any:
        return self._answer


class Hands:
    """What can be done at the screen, each by touches; what comes of it is told as JSON."""

    def __init__(self, folder: Path, port: int) -> None:
        import tests.screens.conftest  # noqa: F401 - the environment of a window without a display
        from companion.screens.pages import phones
        from tests.screens.panels import PANELS
        from tests.screens.rig import Rig
        from tests.screens.table import Table

        phones.addresses, phones.PORT = (lambda: ["127.0.0.1"]), port  # type: ignore[assignment, misc]
        self.rig = Rig()
        self.rig.window(*PANELS[0])
        self.table, self.folder = Table(self.rig, folder), folder
        self.driver: Any = None

    def begin(self, setup: dict[str, Any], track: str) -> None:
        """A new race."""
        from companion.desk.beginning import begin_race

        self.table.app.playing.open(lambda: begin_race(setup, track, self.folder, name="Table 4"))
        self._open()

    def resume(self) -> None:
        """Home's great key."""
        self.table.until(lambda: self.table.ui.offers("Resume"))
        self.table.ui.tap("Resume")
        self._open()

    def _open(self) -> None:
        from companion.drivers.cards import HeuristicCardDriver
        from companion.drivers.sensible import HeuristicDriver
        from tests.screens.table import race_open

        self.table.until(lambda: race_open(self.table.app))
        self.table.calm()
        book: Any = self.table.see(lambda desk: desk.rulebook)
        self.driver = (HeuristicCardDriver if book.name == "ninety" else HeuristicDriver)(book.track, 3)

    def phones(self) -> dict[str, str]:
        """Opens the race to phones; each driver's address, and the spectators' by no name."""
        self._on_page("phones.open")
        pages: Any = self.table.app.playing.phones.pages
        drivers = {str(car): pages.drive(car) for car in self.table.see(lambda desk: desk.driver_cars)}
        return {"": pages.address, **drivers}

    def feed(self) -> None:
        """Offers the live feed to other programs, which the page of the phones does."""
        self._on_page("phones.feed")

    def _on_page(self, key: str) -> None:
        """Taps a key on the page of the phones, and goes back to the race."""
        from companion.screens.kit.theme import theme
        from tests.screens.ui import Ui

        ui = Ui.over(self.rig, self.table.app)
        ui.tap(theme.say("more"))
        ui.tap(theme.words.screen("phones.title"))
        ui.tap(theme.words.screen(key))
        ui.wait_for(theme.words.screen("phones.feed"))
        ui.back()

    def stands(self) -> tuple[int, list[int]]:
        """The round, and the running order."""
        found: tuple[int, list[int]] = self.table.see(lambda desk: (desk.public().round, list(desk.public().order)))
        return found

    def asked(self) -> dict[str, Any] | None:
        """The open question, and what a driver would answer."""
        asked: Any = self.table.see(lambda desk: desk.asked)
        if asked is None:
            return None
        answer = self.table.wanted(self.driver)
        return {"n": asked.n, "ask": asked.ask, "car": asked.car, "what": asked.what, "answer": answer}

    def answer(self, answer: Any) -> bool:
        """An answer by touch, whatever that takes; how a car is built has a screen and tests of its own, and is not
        touched here. Whether it was."""
        self.table.calm()
        if touched := self.at_race():
            self.table.one(Said(answer))
        else:
            self.table.given(answer)
        self.table.calm()
        return touched

    def at_race(self) -> bool:
        """Whether the race's own screen is there."""
        from companion.screens.race.race import RaceScreen

        return isinstance(self.table.app.screen, RaceScreen)

    def finger(self, answer: Any, late: float) -> bool:
        """A finger on the key of an answer that applies at once, after so many seconds, where the key was then: what it
        meets there is not looked at, nor waited for. Whether there was such a key."""
        self.table.calm()
        if not self.at_race() or self.table.prompt.layout not in ("keys", "die"):
            return False
        keys = self.table.prompt.keys
        title = self.table.prompt.title
        key = next((one for one in keys if one.answer == answer and not one.accept and not one.why), None)
        if key is None or not self.table.ui.offers(key.label, below=title):
            return False
        self.rig.wait(0.3)  # the screen has ears for the question
        place = self.table.ui.where(key.label, below=title)
        time.sleep(late)
        self.rig.tap(*place)
        self.table.calm()
        return True

    def given(self) -> bool:
        """Whether home asks if the race that race control has given to this table is to begin."""
        home: Any = self.table.app.screen
        return self.table.app.visits[-1].name == "home" and home.found is not None and home.found.given is not None

    def rest(self) -> None:
        """The race goes on to its end by itself, so many answers at a time: the desk is asked for none for long."""
        from tests.screens.table import skip

        while self.table.see(lambda desk: desk.asked) is not None:
            skip(self.table, self.driver, lambda _: False, 20)

    def home(self) -> None:
        """Back home, whatever is open."""
        for _ in range(4):
            if self.table.app.visits[-1].name != "home":
                self.table.app.back()
                self.table.calm()

    def told(self) -> list[str]:
        """Whose answers stand, in their order."""
        found: list[str] = self.table.see(lambda desk: [item.by for item in desk.history.items])
        return found


def main(folder: Path, port: int) -> None:
    wanted = queue.SimpleQueue[str]()

    def listen() -> None:
        for line in sys.stdin:
            wanted.put(line)
        wanted.put("")

    threading.Thread(target=listen, daemon=True).start()
    hands = Hands(folder, port)  # after the thread: nobody waits until that rests
    while True:
        try:
            line = wanted.get(timeout=1 / 60)
        except queue.Empty:
            hands.rig.settle(1)
            continue
        if not line:
            return
        told = json.loads(line)
        print(json.dumps(getattr(hands, told.pop("do"))(**told)), flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
