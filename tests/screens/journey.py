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
from companion.screens.kit.dock import dock
from companion.screens.kit.key import Key
from companion.screens.kit.place_steps import Places, PlaceSteps
from companion.screens.kit.theme import theme
from companion.screens.kit.touch import ears
from companion.screens.pages.history import HistoryScreen
from companion.screens.pages.override import OverrideScreen
from companion.screens.race.form import FEW
from companion.screens.race.race import RaceScreen
from companion.screens.setup.build import BuildScreen
from companion.screens.setup.new_race import NewRaceScreen
from companion.view.race.intents import CloseCover, OpenOrder, Override
from companion.view.setup.first_page import first_page
from tests.screens.audit import audit, marks
from tests.screens.panels import PANELS
from tests.screens.rig import Rig
from tests.screens.table import Table, race_open, skip
from tests.screens.test_new_race import go_back, go_on

DRIVERS: Final = ("Ada", "Bo", "Élodie de la Fontaine-Dubois", "Александр Кузнецов", "山田太郎", "אלכסנדרה הוהנלוהה")
"""Six drivers: short, long, with accents, and in letters that the keyboard on the screen has not."""
COORDINATE: Final = re.compile(r"\d+:\w+:\d+")
"""A space as files and lines write it; people at a board call it by its corner."""
STEPS: Final = 90
"""The most answers by touch on the way to the first round."""


def steps_of(place: PlaceSteps) -> list[Key]:
    """The keys − and + of each part of a place."""
    return [key for key in reversed(place.children) if isinstance(key, Key)]


class Journey(Table):
    """Goes from screen to screen of a race by a rulebook at a circuit. `seen` is what the audit found, by the name
    under which a screen was looked at; `names` are the app's own names of screens, `layouts` the divisions of the
    race's."""

    def __init__(self, rig: Rig, folder: Path, book: str, at: str, language: str) -> None:
        super().__init__(rig, folder, language=language)
        self.book, self.at = book, at
        board = circuits.board(at)
        self.by: Driver = (
            HeuristicCardDriver(board, 5) if isinstance(board, SectionTrack) else HeuristicDriver(board, 5)
        )
        self.seen: dict[str, list[str]] = {}
        self.names: set[str] = set()
        self.layouts: set[str] = set()
        self.until(lambda: self.app.screen is not None and self.app.screen.is_loaded)

    @property
    def wrong(self) -> dict[str, list[str]]:
        return {name: said for name, said in self.seen.items() if said}

    # -- looking

    def looked(self, name: str, over: Widget | None = None) -> None:
        """The screen is audited, or what lies over it, once under each name, as it is and on the other panel in the
        other language."""
        if name in self.seen:
            return
        self.names.add(self.app.visits[-1].name)
        if not isinstance(self.app.screen, RaceScreen):
            self.app.hush()  # what the race told a moment ago goes by itself
        self.rig.settle(2)
        found = self._audited(over)
        sizes = [size for size, _ in PANELS]
        Window.size = sizes[tuple(Window.size) == sizes[0]]
        self.app.choose(language="fr" if theme.language == "en" else "en")
        self.calm()
        self.seen[name] = found + self._audited(over)

    def _audited(self, over: Widget | None) -> list[str]:
        root = over or self.app.stage
        named = [f"{one.mark.text!r} is a coordinate." for one in marks(root) if COORDINATE.search(one.mark.text)]
        return [f"{Window.width} {theme.language}: {said}" for said in (*audit(root), *named)]

    def tap_row(self, rows: Any, place: int) -> None:
        """Tap a row of a list; it is scrolled to first."""
        rows.reveal(place)
        self.rig.settle(6)
        high, scale = rows.high, float(theme.scale)
        beyond = max(0.0, high * len(rows.shown) - rows.height / scale)
        left, top = rows.to_window(rows.x, rows.top)
        x = (left + rows.width / 2) / scale
        self.tap(x, (Window.height - top) / scale + high * (place + 0.5) - (1 - rows.scroll_y) * beyond)
        self.rig.wait(0.3)

    def quick(self, target: Any) -> None:
        """Taps what asks nothing of the race."""
        ears.listen()
        self.rig.tap(target)

    # -- the way to a race

    def typed(self, line: Any, text: str) -> None:
        """A line is touched and written in, letter by letter; what the keyboard has not comes from one beside."""
        self.quick(line)
        keyboard, said = dock().keyboard, theme.words.screen
        for letter in text:
            keys = [key for key in keyboard.walk(restrict=True) if isinstance(key, Key)]
            shown = {key.face.label.lower() or key.face.icon: key for key in keys}
            if letter == " ":
                self.quick(shown[said("keyboard.space").lower()])
            elif letter.lower() in shown:
                if letter.isalpha() and letter.isupper() != keyboard.capitals:
                    self.quick(shown["up"])
                self.quick(shown[letter.lower()])
            else:
                keyboard.on_text(letter)
                self.rig.settle(1)
        self.quick(shown[said("keyboard.done").lower()])

    def new_race(self) -> NewRaceScreen:
        """From home to the drivers of a race."""
        self.looked("home")
        self.ui.tap(theme.words.screen("home.a_race"))
        screen = self.app.screen
        assert isinstance(screen, NewRaceScreen)

        def say(key: str) -> str:  # in the language of the moment
            return theme.words.screen(key)

        self.ui.tap(first_page(screen.draft, theme.words).books[list(RULEBOOKS).index(self.book)].label)
        self.ui.tap(say("new_race.other"), beside=say("new_race.other_note"))
        self.tap_row(screen.body.circuits, [row.key for row, _ in screen.body.circuits.shown].index(self.at))
        self.looked("new race, circuit")
        go_on(self.ui)
        for name in DRIVERS:
            self.ui.tap(say("new_race.add"))
            self.typed(screen.body.name, name)
        self.ui.tap(DRIVERS[0])
        self.looked("new race, drivers")
        go_on(self.ui)
        if screen.draft.choice_of_car == "build":
            self.ui.tap(say("new_race.each"))
        self.looked("new race")
        self.ui.tap(say("new_race.rest"))
        for step in screen.steps:
            assert screen.step == step
            self.looked(f"new race, {step}")
            if step != "start":
                go_on(self.ui)
        return screen

    def position(self, screen: NewRaceScreen) -> None:
        """Every car is put on the board, and all that can be said of the first and of the race is seen; the race begins
        from the grid for all that."""
        body = screen.body
        self.ui.tap(theme.words.screen("new_race.position_start"))
        if self.ui.offers(theme.words.screen("new_race.of_race")):
            self.ui.tap(theme.words.screen("new_race.of_race"))
            self._values("position, race", body)
            go_back(self.ui)
        for place in range(len(body.cars.shown)):
            self.tap_row(body.cars, place)
            if not place:
                self.looked("position, nowhere")
            self.tap_row(body.parts, 2 * place % len(body.parts.shown))
            if not place:
                self.looked("position, board")
                self.ui.tap(theme.words.screen("new_race.of_car"))
                self._values("position, car", body)
            go_back(self.ui)
        self.looked("position")
        assert screen.frame is not None
        assert screen.frame.why == ""
        self.ui.tap(theme.words.screen("new_race.grid_start"))

    def _values(self, name: str, body: Any) -> None:
        """A list of values, from its beginning to its end."""
        for part in (1.0, 0.0):
            body.scroll.scroll_y = part
            self.rig.settle(3)
            self.looked(f"{name} {part}")

    def begin(self, screen: NewRaceScreen) -> None:
        """From the start to the first round: every car is built, dealt and shod by touch."""
        go_on(self.ui)
        self.until(lambda: race_open(self.app))
        for _ in range(STEPS):
            self.calm()
            asked: Asked | None = self.see(lambda desk: desk.asked)
            if asked is None or asked.round:
                return
            here = self.app.screen
            if isinstance(here, BuildScreen):
                assert here.built is not None
                self.looked("build, points" if here.built.preset else "build, tyres")
                if here.built.preset:
                    self.ui.tap(theme.words.screen("build.preset"))
                    self.looked("build, preset")
                self.ui.tap(here.built.next)
            else:
                self.looked(self._question(asked))
                if self.controller.layout == "typing":
                    self.given(self.wanted(self.by))  # typed cards have tests of their own
                else:
                    self.one(self.by)
        raise AssertionError("the race never began")

    # -- the race

    def _question(self, asked: Asked) -> str:
        layout = self.controller.layout
        self.layouts.add(layout)
        return f"{layout}: {asked.ask} {asked.what.rstrip('0123456789_')}"

    def race(self) -> None:
        """Each kind of question once, what else can be said of a move, and the card of an answer that costs something;
        then the end."""
        asked_before: set[tuple[str, str]] = set()

        def new(asked: Asked) -> bool:
            return (asked.ask, asked.what.rstrip("0123456789_")) not in asked_before

        while True:
            skip(self, self.by, new)
            asked: Asked | None = self.see(lambda desk: desk.asked)
            if asked is None:
                break
            asked_before.add((asked.ask, asked.what.rstrip("0123456789_")))
            question = self._question(asked)
            self.looked(question)
            layout = self.controller.layout
            if layout == "seen":
                self.parts(question)
            costly = next((key for key in self.prompt.keys if key.accept), None)
            if costly is not None and layout in ("race", "seen") and self.app.playing.seat is not None:
                self.app.playing.seat.select(costly.answer)
                self.calm()
                self.looked(f"card, {question}")
        self.layouts.add(self.controller.layout)
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
            self.layouts.add(self.controller.layout)
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
        self.menu("overview")
        self.layouts.add(self.controller.layout)
        self.looked("overview")
        self.app.back()
        self.emit(OpenOrder())
        self.calm()
        self.looked("order")
        self.emit(CloseCover())
        for what in ("note", "dispute"):
            self.menu(what)
            self.looked(f"words, {what}")
            self.emit(CloseCover())
        self.emit(Override([key for key in self.prompt.keys if not key.why][-1]))
        self.calm()
        self.looked("why")
        self.screen.back()
        self.menu("override")
        self.override()
        self.menu("history")
        history = self.app.screen
        assert isinstance(history, HistoryScreen)
        self.looked("history")
        self.tap_row(history.answers, 1)
        self.looked("history, an answer")
        self.app.back()
        self.menu("sheet")
        sheet: Any = self.app.screen
        for page in (*dict(sheet.sheet.head.pages), "export"):
            self.touch(sheet.say(f"sheet.page.{page}"))
            self.looked(f"sheet, {page}")
        self.app.back()

    def menu(self, entry: str) -> None:
        """Open the menu, look at it, and tap an entry."""
        self.touch(icon="menu")
        self.looked("menu")
        self.touch(theme.words.screen(f"more.{entry}"))

    def override(self) -> None:
        """What may be set on the race, its end and the first car, with three places where there may be several."""
        screen: Any = self.app.screen
        assert isinstance(screen, OverrideScreen)
        for place in range(3):
            self.tap_row(screen.whom, place)
            self.looked(f"override, {place}")
            for other in [one for one in screen.list.children if isinstance(one, Places)]:
                self._to(screen.scroll, other)
                for _ in range(3):
                    for step in steps_of(other.place)[1::2]:
                        self.tap(step)
                    self.tap(other.add)
                self._to(screen.scroll, other)
                self.looked("override, places")
            for other in [one for one in screen.list.children if isinstance(one, PlaceSteps)]:
                steps = steps_of(other)
                for step in [*steps[1::2], *steps[::2]]:  # at the end of a lane only back
                    if "at" not in screen.change:
                        self._to(screen.scroll, other)  # what is read meanwhile moves it
                        self.tap(step)
                        self.calm()
                assert "at" in screen.change
                self.looked("override, another place")
            screen.scroll.scroll_y = 0
            self.rig.settle(4)
            self.looked(f"override, {place}, its end")
        self.app.back()
        self.calm()

    def _to(self, scroll: Any, widget: Any) -> None:
        scroll.effect_y.velocity = 0  # a finger that scrolled a moment ago
        scroll.scroll_to(widget, padding=8, animate=False)
        self.rig.settle(4)

    def beside(self) -> None:
        """Rules and settings with what lies behind them, from the race, and the question about a stick."""
        article = self.prompt.article
        self.menu("rules")
        assert not article or self.app.visits[-1].given["article"] == article
        self.looked("rules")
        self.app.back()
        self.menu("phones")
        self.looked("phones")
        self.app.back()
        self.menu("settings")
        self.looked("settings")
        ui = self.ui
        for way in ("touch", "status", "hall"):
            ui.tap(theme.words.screen(f"settings.{way}"))
            self.looked(way)
            if way == "status":
                ui.tap(theme.words.screen("version.title"))
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
        question = self.app.over
        assert question is not None
        self.looked("stick", question)
        self.ui.tap(theme.say("cancel"))
        assert self.app.over is None
        self.app.stick.place = before

    def home(self) -> None:
        """Back home from the race that is over, and to the races that are kept."""
        self.app.playing.leave()
        self.calm()
        self.until(lambda: self.app.visits[-1].name == "home" and self.app.screen.is_loaded)  # type: ignore[union-attr]
        self.looked("home, after")
        self.ui.tap(theme.words.screen("home.sheets"))
        self.looked("sheets")
