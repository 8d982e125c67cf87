"""How long a finger waits: `pytest tests/bench/test_bench_taps.py -s`.

Races of eight cars at Monaco by every rulebook, answered by real touches; between them parts of the race are answered
without. From each touch to the finished picture, by the processor's clock and in both threads: what the screen draws is
handed over to Kivy, and no graphics card is waited for. Beside it a bare Kivy window that writes as many words anew.
"""

from __future__ import annotations

import gc
import os
import statistics
import threading
from collections import defaultdict
from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from time import process_time
from typing import Any

from tests.screens import conftest  # isort: skip  (the window without a display, before Kivy is there)

from kivy.core.window import Window
from kivy.uix.label import Label
from kivy.uix.widget import Widget

from companion import circuits
from companion.drivers import Driver
from companion.drivers.cards import HeuristicCardDriver
from companion.drivers.sensible import HeuristicDriver
from companion.rules.circuit.track import Track
from companion.rules.rulebooks import RULEBOOKS
from companion.screens.app.pauses import DUE, PAUSE, YOUNG_DUE
from companion.screens.kit.touch import ears
from companion.screens.pages.history import HistoryScreen
from companion.view.race.intents import UndoAnswer
from tests.bench.smoke import size
from tests.screens.rig import Rig
from tests.screens.table import Table, a_race, gone, quick_folder, skip

window = conftest.rig
TAPS = int(os.environ.get("TAPS", size("300", "6")))
"""How many touches are measured of each rulebook."""
STRETCH = size(40, 4)
"""After so many touches as many questions are answered without."""
MANY = 20
"""From so many landings on a list is long."""
FIRST = ("start", "gear", "declare")
"""The questions with which a race begins once its cars are built and on their grid."""


class Timed(Table):
    """A table that measures its touches. `took` has the seconds of each, by what was touched."""

    took: defaultdict[str, list[float]]
    kind = ""
    """What the next touches are called; empty for the question that is open."""

    def tap(self, target: Any, y: float | None = None) -> None:
        """Tap, and go on until what is asked of the desk meanwhile is there and drawn."""
        young, _, middle = gc.get_count()
        if young >= YOUNG_DUE or middle >= DUE:
            self.rig.wait(2 * PAUSE)  # as long as people think; then garbage is collected
        before, asked, screen = self._named(), self.prompt.key, self.app.screen
        ears.listen()
        self.taps += 1
        seconds = self.until_drawn(lambda: self.rig.press(target, y).up())
        self.took[self.kind or self._touched(before, asked, screen)].append(seconds)
        self.calm()

    def until_drawn(self, act: Callable[[], object]) -> float:
        """Do something, and return the seconds of the processor until all that came of it was drawn."""
        assert self.app.playing.seat is not None
        thread: Any = self.app.playing.seat._thread
        handed: list[Future[Any]] = []
        call, here = thread.call, threading.current_thread()

        def noted(work: Callable[[Any], Any]) -> Future[Any]:
            done: Future[Any] = call(work)
            if threading.current_thread() is here:
                handed.append(done)
            return done

        thread.call = noted
        began = process_time()
        try:
            act()
            waited = -1
            while waited < len(handed):
                waited = len(handed)
                for done in handed:
                    done.exception(60)
                self.rig.settle(2)
            return process_time() - began
        finally:
            thread.call = call

    def _named(self) -> str:
        asks = self.prompt
        if asks.layout == "landing":
            return f"landing of {'under 20' if len(asks.keys) < MANY else '20 and more'}"
        return asks.ask

    def _touched(self, before: str, asked: str, screen: Any) -> str:
        if self.app.screen is not screen:
            return f"{before}, leaves the screen"
        if self.prompt.key == asked:
            return f"{before}, selected"
        return f"{before} -> {self._named()}" if self.prompt.layout == "landing" else before


def played(rig: Rig, book: str, took: defaultdict[str, list[float]]) -> int:
    """Play races of a rulebook by touch; return the most widgets that were seen."""
    key = "quarry-hill" if book == "ninety" else "monaco"
    board, widgets, touched, seed = circuits.board(key), 0, 0, 7
    many, laps = (8, 2) if isinstance(board, Track) else (6, 6)
    while touched < TAPS:
        by: Driver = HeuristicDriver(board, seed) if isinstance(board, Track) else HeuristicCardDriver(board, seed)
        folder, seed = quick_folder(), seed + 1
        made = partial(a_race, folder, key, many, rulebook=book, laps=laps)
        table = Timed.at_race(rig, folder, made)
        assert isinstance(table, Timed)
        try:
            table.took = took
            skip(table, by, lambda asked: asked.ask in FIRST)
            table.app.pauses.begin()
            table.app.pauses.race_opened()
            while touched + table.taps < TAPS and table.see(lambda desk: desk.asked) is not None:
                before = table.taps
                while table.taps < before + STRETCH and table.see(lambda desk: desk.asked) is not None:
                    touched_on(table, by)
                    widgets = max(widgets, sum(1 for _ in table.app.stage.walk(restrict=True)))
                looked_back(table)
                left = iter([False] * STRETCH)
                skip(table, by, lambda _, left=left: next(left, True))
            touched += table.taps
        finally:
            table.close()
            gone(folder)
    return widgets


def touched_on(table: Timed, by: Driver) -> None:
    """Answer by touch; without, where the driver wants what no key on the screen is."""
    try:
        table.one(by)
    except (AssertionError, IndexError):
        table.given(table.wanted(by))
        table.calm()


def looked_back(table: Timed) -> None:
    """Open the history, see what another face of the last roll would have brought, mend it and take that back; read
    the log."""
    rolls = [done.n for done in table.see(lambda desk: desk.answers()) if done.ask == "roll"]
    if rolls and table.see(lambda desk: desk.asked) is not None:
        go = table.app.go
        table.took["history: opened"].append(table.until_drawn(lambda: go("history", n=rolls[-1])))
        table.calm()
        screen: Any = table.app.screen
        assert isinstance(screen, HistoryScreen)
        table.kind = "history: what else"
        table.touch(screen.say("history.correct_key"))
        table.kind = "history: tried"
        table.touch(next(face.label for face in screen.picks.faces if not face.chosen))
        if screen.trial is not None and not screen.trial.ways[0].why:
            table.kind = "correction"
            table.touch(screen.trial.ways[0].label)
            table.kind = "correction, undone"
            table.took[table.kind].append(table.until_drawn(lambda: table.emit(UndoAnswer())))
            table.calm()
        else:
            table.app.home()
            go("race")
        table.kind = ""
    if table.app.visits[-1].name == "race":
        table.took["log: opened"].append(table.until_drawn(lambda: table.app.go("sheet", page="log")))
        table.calm()
        table.took["race: come back to"].append(table.until_drawn(table.app.back))
        table.calm()


def bare(rig: Rig, many: int) -> list[float]:
    """Write so many labels of a bare window anew, as often as a median needs."""
    root = Widget()
    labels = [Label(text=str(at), font_size=16, pos=(at % 20 * 40, at // 20 * 20)) for at in range(many)]
    for label in labels:
        root.add_widget(label)
    Window.add_widget(root)
    rig.settle()
    found = []
    for turn in range(20):
        began = process_time()
        for at, label in enumerate(labels):
            label.text = f"{at + turn}"
        rig.settle(2)
        found.append(process_time() - began)
    Window.remove_widget(root)
    return found


def said(name: str, taken: list[float]) -> str:
    """One line of figures, in milliseconds."""
    found = sorted(1000 * seconds for seconds in taken)
    figures = statistics.median(found), found[len(found) * 19 // 20], found[-1]
    return f"{name:<44}{len(found):>5}" + "".join(f"{figure:>9.1f}" for figure in figures)


def test_every_tap_is_answered_at_once(window: Rig) -> None:
    took: defaultdict[str, list[float]] = defaultdict(list)
    widgets, all_of_them = 0, list[float]()
    print(f"\n{'milliseconds':<44}{'taps':>5}{'median':>9}{'95th':>9}{'worst':>9}")
    for book in os.environ.get("BOOKS", size(" ".join(RULEBOOKS), "formula-d ninety")).split():
        by_kind: defaultdict[str, list[float]] = defaultdict(list)
        widgets = max(widgets, played(window, book, by_kind))
        print(said(book, [seconds for taken in by_kind.values() for seconds in taken]))
        for kind, taken in by_kind.items():
            took[kind] += taken
            all_of_them += taken
    for kind in sorted(took, key=lambda kind: -len(took[kind])):
        print(said(f"  {kind}", took[kind]))
    print(said("all", all_of_them))
    print(said(f"a bare window that writes {widgets} labels anew", bare(window, widgets)))
    print(said("two frames in which nothing happens", [nothing(window) for _ in range(20)]))


def nothing(rig: Rig) -> float:
    """Return the seconds of two frames in which nothing happens."""
    began = process_time()
    rig.settle(2)
    return process_time() - began
