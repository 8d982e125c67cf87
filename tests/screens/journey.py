"""A table that is gone through by touch from the first key of home: drivers typed, a position set up, cars built, a
race refereed; every screen on the way is looked at, on both panels and in both languages."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Final

from kivy.core.window import Window
from kivy.uix.widget import Widget

from companion import circuits
from companion.drivers import Driver
from companion.drivers.cards import HeuristicCardDriver
from companion.drivers.sensible import HeuristicDriver
from companion.rules.conversation.asking import Asked
from companion.rules.ninety.circuit import SectionTrack
from companion.rules.rulebooks import RULEBOOKS
from companion.screens.kit.theme import theme
from companion.screens.race.form import FEW
from companion.view.race.intents import OpenOrder, Override
from companion.wording import capital
from tests.screens.audit import audit
from tests.screens.panels import PANELS
from tests.screens.rig import Rig, row_of
from tests.screens.table import Table, race_open, skip
from tests.screens.test_new_race import go_back, go_on

DRIVERS: Final = ("Ada", "Bo", "Élodie de la Fontaine-Dubois", "Александр Кузнецов", "山田太郎", "אלכסנדרה הוהנלוהה")
"""Six drivers: short, long, with accents, and in letters that the keyboard on the screen has not."""
COORDINATE: Final = re.compile(r"\d+:\w+:\d+")
"""A space as files and lines write it; people at a board call it by its corner."""
PARTS: Final = (180, 410)
"""Where the list of a circuit's parts begins and ends, in dp."""
STEPS: Final = 90
"""The most answers by touch on the way to the first round."""


def _question(asked: Asked) -> str:
    return f"{asked.ask} {asked.what.rstrip('0123456789_')}"


class Journey(Table):
    """Goes from screen to screen of a race by a rulebook at a circuit. `seen` is what the audit found, by the name
    under which a screen was looked at; `names` are the app's own names of screens."""

    def __init__(self, rig: Rig, folder: Path, book: str, at: str, language: str) -> None:
        super().__init__(rig, folder, language=language)
        self.book, self.at = book, at
        board = circuits.board(at)
        self.by: Driver = (
            HeuristicCardDriver(board, 5) if isinstance(board, SectionTrack) else HeuristicDriver(board, 5)
        )
        self.seen: dict[str, list[str]] = {}
        self.names: set[str] = set()
        self.ui.wait_for(self.say("home.a_race"))

    @property
    def wrong(self) -> dict[str, list[str]]:
        return {name: said for name, said in self.seen.items() if said}

    def say(self, key: str) -> str:
        """Return a text of the locale, in the language of the moment: looking at a screen changes it."""
        return theme.words.screen(key)

    # -- looking

    def looked(self, name: str, over: Widget | None = None) -> None:
        """The screen is audited, or what lies over it, once under each name, as it is and on the other panel in the
        other language."""
        if name in self.seen:
            return
        self.names.add(self.app.visits[-1].name)
        if self.app.visits[-1].name != "race":
            self.app.hush()  # what the race told a moment ago goes by itself
        self.rig.settle(2)
        found = self._audited(over)
        sizes = [size for size, _ in PANELS]
        Window.size = sizes[tuple(Window.size) == sizes[0]]
        self.app.choose(language="fr" if theme.language == "en" else "en")
        self.calm()
        self.seen[name] = found + self._audited(over)

    def _audited(self, over: Widget | None) -> list[str]:
        found = self.ui.wrong() if over is None else audit(over)
        found += [f"{word.text!r} is a coordinate." for word in self.ui.words() if COORDINATE.search(word.text)]
        return [f"{Window.width} {theme.language}: {said}" for said in found]

    def tap_row(self, rows: Any, place: int) -> None:
        """Tap a row of a list; it is scrolled to first."""
        rows.reveal(place)
        self.rig.settle(6)
        self.tap(row_of(rows, place))
        self.rig.wait(0.3)

    # -- the way to a race

    def new_race(self) -> None:
        """From home to the drivers of a race."""
        self.looked("home")
        ui = self.ui
        ui.tap(self.say("home.a_race"))
        self.tap(*ui.places(below=self.say("new_race.title"))[list(RULEBOOKS).index(self.book)])
        ui.tap(self.say("new_race.other"), beside=self.say("new_race.other_note"))
        ui.tap(circuits.board(self.at).name)
        self.looked("new race, circuit")
        go_on(ui)
        for at, name in enumerate(DRIVERS):
            ui.tap(self.say("new_race.add"))
            if at > 2:  # the keyboard has not these letters: they come from one beside
                Window.dispatch("on_textinput", name)
                self.calm()
            ui.type(name if at < 3 else "")
        ui.tap(DRIVERS[0])
        self.looked("new race, drivers")
        go_on(ui)
        if ui.offers(self.say("new_race.each")):
            ui.tap(self.say("new_race.each"))
        self.looked("new race")
        ui.tap(self.say("new_race.rest"))
        for step in range(STEPS):
            self.looked(f"new race, {step}")
            if ui.offers(self.say("new_race.position_start")):
                return
            go_on(ui)

    def position(self) -> None:
        """Every car is put on the board, and all that can be said of the first and of the race is seen; the race begins
        from the grid for all that."""
        ui = self.ui
        ui.tap(self.say("new_race.position_start"))
        if ui.offers(self.say("new_race.of_race")):
            ui.tap(self.say("new_race.of_race"))
            self._values("position, race")
            go_back(ui)
        for place, name in enumerate(DRIVERS):
            ui.tap(name, below=self.say("new_race.grid_start"))
            if place > 3:
                ui.scroll()
            parts = [(x, y) for x, y in ui.places(below=name) if PARTS[0] < x < PARTS[1]]
            if not place:
                self.looked("position, nowhere")
            self.tap(*parts[place % 4])
            if not place:
                self.looked("position, board")
                ui.tap(self.say("new_race.of_car"))
                self._values("position, car")
            go_back(ui)
        self.looked("position")
        assert ui.offers(self.say("new_race.begin"))
        ui.tap(self.say("new_race.grid_start"))

    def _values(self, name: str) -> None:
        """A list of values, from its beginning to its end."""
        self.ui.scroll(start=True)
        self.looked(f"{name}, its beginning")
        while self.ui.scroll():
            pass
        self.looked(f"{name}, its end")

    def begin(self) -> None:
        """From the start to the first round: every car is built, dealt and shod by touch."""
        go_on(self.ui)
        self.until(lambda: race_open(self.app))
        for _ in range(STEPS):
            self.calm()
            asked: Asked | None = self.see(lambda desk: desk.asked)
            if asked is None or asked.round:
                return
            if self.app.visits[-1].name == "build":
                preset = self.say("build.preset")
                if self.ui.offers(preset):
                    self.looked("build, points")
                    self.ui.tap(self.say("build.preset"))
                self.looked(f"build, {preset}")
                self.ui.go_on()
                continue
            self.looked(_question(asked))
            if self.prompt.typed != (0, 0):
                self.given(self.wanted(self.by))  # typed cards have tests of their own
            else:
                self.one(self.by)
        raise AssertionError("the race never began")

    # -- the race

    def race(self) -> None:
        """Each kind of question once, what else can be said of a move, and the card of an answer that costs something;
        then the end."""
        before: set[str] = set()
        while True:
            skip(self, self.by, lambda asked: _question(asked) not in before)
            asked: Asked | None = self.see(lambda desk: desk.asked)
            if asked is None:
                break
            question = _question(asked)
            before.add(question)
            self.looked(question)
            if self.prompt.seen is not None:
                self.parts(question)
            costly = next((key for key in self.prompt.keys if key.accept), None)
            if costly is not None and self.app.playing.seat is not None:
                self.app.playing.seat.select(costly.answer)
                self.calm()
                self.looked(f"card, {question}")
        self.app.hush()
        self.looked("over")

    def parts(self, question: str) -> None:
        """What the table saw of a move: the cars that it touched, and each part of the rest with something said."""
        seen = self.prompt.seen
        assert seen is not None
        for car in seen.cars[:2]:
            self.touch(car.code, below=self.prompt.title)
        self.looked(f"touched, {question}")
        self.touch(theme.say("nobody", "seen"))
        for at in range(len(seen.groups)):
            group = self.prompt.seen.groups[at]  # type: ignore[union-attr]  # in the language of the moment
            self.touch(group.label)
            field = next(one for one in self.prompt.fields if not group.fields or one.name in group.fields)
            if field.kind == "choice" and len(field.keys) <= FEW:
                self.touch(field.keys[-1].label, beside=field.label)
            else:
                self.touch(icon="plus", beside=field.label)
            self.looked(f"part {at}, {question}")
            self.touch(theme.say("done"))
        self.looked(f"said, {question}")

    def around(self) -> None:
        """Everything behind the menu of a race, and what is said beside its answers."""
        skip(self, self.by, lambda asked: asked.round >= 4 and asked.ask in ("gear", "declare"))
        forced = next(one for one in reversed(self.prompt.keys) if not one.why)
        for name, intent in (("order", OpenOrder()), ("why", Override(forced))):
            self.emit(intent)
            self.calm()
            self.looked(name)
            self.app.back()
        for entry in ("overview", "note", "dispute", "override", "history", "sheet"):
            self.menu(entry)
            self.looked(entry)
            if entry == "override":
                self.override()
            elif entry == "history":
                self.tap(*self.ui.places(below=self.say("history.title_note"))[1])
                self.looked("history, an answer")
            elif entry == "sheet":
                for page in ("car", "after", "log", "words", "export"):
                    self.touch(self.say(f"sheet.page.{page}"))
                    self.looked(f"sheet, {page}")
            if entry in ("note", "dispute"):
                self.app.back()  # the keyboard goes first
            self.app.back()
            self.calm()

    def menu(self, entry: str) -> None:
        """Open the menu, look at it, and tap an entry."""
        self.touch(icon="menu")
        self.looked("menu")
        self.touch(self.say(f"more.{entry}"))

    def override(self) -> None:
        """What may be set on the race, its end and the first car, with three places where there may be several."""
        for place in range(3):
            self.tap(*self.ui.places(below=self.say("override.word"))[place])
            for name in ("dangers", "at"):
                self._places(name)
            self._values(f"override, {place}")

    def _places(self, name: str) -> None:
        """Add three places, or step to another, where there is such a value."""
        label, ui = f"{capital(theme.words.word('value', name))} ·", self.ui
        for _ in range(3 if name == "dangers" else 1):
            ui.scroll(start=True)
            while not ui.sees(label) or not (
                steps := [one for one in ("plus", "minus") if ui.offers(icon=one, below=label)]
            ):
                if not ui.scroll():
                    return
            ui.tap(icon=steps[0], beside=label)
            if name == "dangers":
                ui.tap(icon="check")
        self.looked(f"override, {name}")

    def beside(self) -> None:
        """Rules and settings with what lies behind them, from the race, and the question about a stick."""
        article = self.prompt.article
        for entry in ("rules", "phones", "settings"):
            self.menu(entry)
            assert not article or entry != "rules" or self.app.visits[-1].given["article"] == article
            self.looked(entry)
            if entry != "settings":
                self.app.back()
        for way in ("touch", "status", "hall"):
            self.ui.tap(self.say(f"settings.{way}"))
            self.looked(way)
            if way == "status":
                self.ui.tap(self.say("version.title"))
                self.looked("version")
                self.app.back()
            self.app.back()
        self.app.back()
        self.calm()
        self.stick()

    def stick(self) -> None:
        """Something is mounted where sticks are, which is nobody's yet, and is not the table's."""
        before, self.app.stick.place = self.app.stick.place, Path("/")
        self.app.stick.look()
        self.until(lambda: self.app.over is not None)
        self.looked("stick", self.app.over)
        self.ui.tap(theme.say("cancel"))
        assert self.app.over is None
        self.app.stick.place = before

    def home(self) -> None:
        """Back home from the race that is over, and to the races that are kept."""
        self.app.playing.leave()
        self.calm()
        self.ui.wait_for(self.say("home.sheets"))
        self.looked("home, after")
        self.ui.tap(self.say("home.sheets"))
        self.looked("sheets")
