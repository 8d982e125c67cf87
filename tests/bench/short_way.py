"""How long the way of an answer is: `python -m tests.bench.short_way`.

A real race screen, offscreen, is touched: a gear, a die that was rolled, and in the history a roll that was misread.
For each the distinct modules and functions of companion are counted that run from the finger on the glass to the last
picture, the modules on the way there until the desk has the answer, those of `view` among them, and how often the
picture is made and laid out. `-v` names them all.
"""

from __future__ import annotations

import sys
import threading
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import tests.screens.conftest  # noqa: F401  (the window without a display, before Kivy is there)
from companion import circuits
from companion.drivers.sensible import HeuristicDriver
from companion.screens.pages.history import HistoryScreen
from tests.screens.panels import PANELS
from tests.screens.rig import Rig
from tests.screens.table import Table, a_race, gone, quick_folder, skip

HOME = str(Path(sys.modules["companion"].__file__ or "").parent)
PICTURE, LAID = "view/race/race.race", "screens/race/race.arrange"
GIVEN = ("screens/app/seat.answer", "screens/app/seat.correct", "desk/race_desk.answer", "desk/correcting.correct")
"""Where the answer is handed over: from the screen's thread, and in the desk's to the desk."""


class Way:
    """What ran, in the screen's thread and in the desk's."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.calls: Counter[CodeType] = Counter()
        self.before: set[CodeType] = set()
        """What ran until the answer was handed over."""
        self._over: set[int] = set()
        """The threads that have handed it over."""

    def _ran(self, frame: FrameType, event: str, _: Any) -> None:
        code = frame.f_code
        if event != "call" or not code.co_filename.startswith(HOME):
            return
        self.calls[code] += 1
        thread = threading.get_ident()
        if thread not in self._over:
            self.before.add(code)
        if name_of(code) in GIVEN:
            self._over.add(thread)

    def of(self, act: Callable[[], object]) -> Way:
        """Counts what runs while something is done."""
        self.table.see(lambda _: sys.setprofile(self._ran))
        sys.setprofile(self._ran)
        try:
            act()
        finally:
            sys.setprofile(None)
            self.table.see(lambda _: sys.setprofile(None))
        return self

    def count(self, name: str) -> int:
        return sum(times for code, times in self.calls.items() if name_of(code) == name)

    @property
    def modules(self) -> set[str]:
        return {module_of(code) for code in self.calls}

    def asked_before(self) -> set[str]:
        """The modules of `view` that ran before the desk had the answer."""
        return {module_of(code) for code in self.before if module_of(code).startswith("view/")}

    def said(self, of: str) -> str:
        return (
            f"{of:<11}{len(self.modules):>8}{len(self.calls):>10}{self.calls.total():>9}"
            f"{len({module_of(code) for code in self.before}):>8}{len(self.asked_before()):>10}"
            f"{self.count(PICTURE):>10}{self.count(LAID):>6}"
        )


def module_of(code: CodeType) -> str:
    return code.co_filename.removeprefix(HOME + "/").removesuffix(".py")


def name_of(code: CodeType) -> str:
    return f"{module_of(code)}.{code.co_name}"


def ways() -> dict[str, Way]:
    """The ways of the three answers."""
    rig, folder = Rig(), quick_folder()
    rig.window(*PANELS[0])
    table = Table.at_race(rig, folder, lambda: a_race(folder))
    driver = HeuristicDriver(circuits.load("monaco"), 2)
    found = {}
    try:
        skip(table, driver, lambda asked: asked.ask == "gear" and asked.n > 30)
        start = table.see(lambda desk: desk.n)
        table.play(driver, lambda asked: asked.ask == "gear" and asked.n > start + 6)  # what is drawn once is there
        for name in ("tap", "roll"):
            band = table.screen.band
            at = next(place for place, key in enumerate(table.prompt.keys) if not key.accept and not key.why)
            key = band.made[at]
            found[name] = Way(table).of(lambda key=key: table.tap(key))  # type: ignore[misc]
        table.app.go("history", n=table.see(lambda desk: [done.n for done in desk.answers() if done.ask == "roll"][-1]))
        table.calm()
        screen: Any = table.app.screen
        assert isinstance(screen, HistoryScreen)
        table.touch(screen.say("history.correct_key"))
        other = next(face.label for face in screen.picks.faces if not face.chosen)
        table.touch(other)
        replay = screen.trial.ways[0].label
        found["correction"] = Way(table).of(lambda: table.touch(replay))
    finally:
        table.close()
        gone(folder)
    return found


def main() -> None:
    found = ways()
    print("             modules functions    calls   there  of view  pictures  laid")
    for name, way in found.items():
        print(way.said(name))
    for name, way in found.items() if "-v" in sys.argv else ():
        print(f"\n{name}")
        rooms = Counter(module.rpartition("/")[0] for module in way.modules)
        print(", ".join(f"{room} {count}" for room, count in sorted(rooms.items())))
        for module in sorted(way.modules):
            ran = {code.co_qualname if sys.version_info >= (3, 11) else code.co_name: times
                   for code, times in way.calls.items() if module_of(code) == module}  # fmt: skip
            print(f"  {module}: " + ", ".join(f"{each} {times}" for each, times in sorted(ran.items())))


if __name__ == "__main__":
    main()
