"""A tournament and a season gone through by touch from the first key of home, every screen of them looked at."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from kivy.uix.widget import Widget

from companion.screens.events.record_screen import RecordScreen
from companion.screens.events.trial import TrialScreen
from companion.screens.kit.theme import theme
from companion.screens.kit.touch import ears
from companion.wording import capital
from tests.screens.journey import DRIVERS, Journey
from tests.screens.recorded import recorded
from tests.screens.rig import Rig

LIST: Final = "\n".join(f"{n},{name},Écurie {n % 4}" for n, name in enumerate((*DRIVERS, "Cy", "Dee"), 3))
"""The drivers of a race's journey and two more, in four teams."""


class Events(Journey):
    """Goes from screen to screen of a tournament or a season."""

    def __init__(self, rig: Rig, folder: Path, language: str) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "entrants.csv").write_text(LIST, encoding="utf-8")
        self.spoken = language
        super().__init__(rig, folder, "competition", "monaco", language)

    @property
    def here(self) -> Any:
        """The screen, whatever it is."""
        return self.app.screen

    def tap(self, target: Any, y: float | None = None) -> None:
        """Taps what is there, and may be tapped."""
        assert not isinstance(target, Widget) or (target.parent is not None and not target.disabled), target
        super().tap(target, y)

    def press(self, text: str, **facts: Any) -> None:
        """Taps what has a text of the locale."""
        self.ui.tap(theme.words.screen(text, **facts))
        self.calm()

    def calm(self) -> None:
        """Until the record's desk has done all that was meant, and it is seen, in the language that is spoken now."""
        super().calm()
        if self.spoken != theme.language:
            self.spoken = theme.language
            if isinstance(self.here, RecordScreen | TrialScreen):
                self.here.again()
        recorded(self.rig, self.app)
        self.until(lambda: self.here.is_loaded)

    def looked_at(self, name: str) -> None:
        """Audited under its own name and what is special about it."""
        self.calm()
        self.looked(f"{self.app.visits[-1].name} {name}".strip())

    def menu(self, name: str) -> None:
        self.tap(self.here.menu_key)
        self.looked_at("menu")
        self.tap(self.here.menu.made[name])

    def went(self, name: str) -> None:
        self.until(lambda: self.app.visits[-1].name == name)
        self.calm()

    def asked(self, key: Any, name: str, reason: str) -> None:
        """A key after which a reason is wanted; both are looked at."""
        self.tap(key)
        self.looked_at(f"{name}, why")
        self.press(reason)

    def begin(self, kind: str) -> None:  # type: ignore[override]  # an event begins from its tile
        """From home to the entrants, read from a list."""
        self.looked_at(f"before {kind}")
        self.ui.tap(theme.words.screen(f"home.a_{kind}"))
        for place in range(len(self.here.lines.shown)):
            if place < 8 or (kind == "season" and place == 8):
                self.tap_row(self.here.lines, place)
                self.looked_at(f"{kind} line {place}")
        self.ui.tap(theme.words.screen("new_event.begin"))
        self.went("entrants")
        self.looked_at(f"{kind} empty")
        self.menu("import")
        self.looked_at("")
        self.tap_row(self.here.files, 0)
        self.went("entrants")
        self.looked_at(f"{kind}")
        self.press("entrants.add")
        self.looked_at(f"{kind} somebody new")
        self.app.back()
        self.calm()

    def entered(self, name: str) -> None:
        """A result typed from paper, one of whose drivers is out, confirmed, and looked at put right."""
        here = self.here
        self.looked_at(f"{name} to come")
        self.press("table.from_paper")
        self.press("table.is_out")
        self.looked_at(f"{name} from paper")
        self.press("table.enter")
        self.looked_at(f"{name} entered")
        self.ui.tap(here.now.people[1].name)
        self.looked_at(f"{name}, who confirms")
        self.tap(here.main)
        self.looked_at(f"{name} official")
        self.press("table.differs")
        self.tap(here.steppers["place"].made["value", "plus"])
        self.tap(here.steppers["points"].made["value", "minus"])
        self.looked_at(f"{name} differs")
        self.press("table.enter")
        self.looked_at(f"{name} differs, why")
        self.app.back()
        self.calm()
        self.app.back()
        self.calm()

    def tournament(self) -> None:
        self.begin("tournament")
        for key in self.here.rows.shown:
            if not key.here:
                self.tap_row(self.here.rows, self.here.rows.shown.index(key))
        self.trials()
        self.press("entrants.tables")
        self.looked_at("to deal")
        self.press("seeding.deals.turn")
        self.looked_at("ways to deal")
        self.app.back()
        self.calm()
        self.tap(self.here.main)
        self.looked_at("dealt")
        leader = self.here.now.tables[0].seats[0].number
        self.ui.tap(car=leader, below=theme.words.screen("seeding.table_mean"))
        self.looked_at("somebody chosen")
        self.app.back()
        self.calm()
        self.press("seeding.moves")
        self.looked_at("moves")
        self.ui.tap(icon="table")
        if self.here.main.on_tap is None:
            self.ui.hold(self.here.main.face.label)
            self.looked_at("published why")
            self.press("seeding.reason.club")
        else:
            self.tap(self.here.main)
        self.looked_at("published")
        self.tap(self.here.main)
        self.looked_at("")
        self.tap(self.here.face.made["value", "plus"])
        self.looked_at("a face")
        self.tap(self.here.main)
        self.app.back()
        self.calm()
        self.tap(self.here.main)
        self.press("table.no_steward")
        ears.listen()
        self.rig.settle(3)
        self.looked("steward of a table", self.here)
        while self.here.asking.shown is not None:  # the keyboard goes first
            self.app.back()
            self.calm()
        self.entered("table")
        self.app.home()
        self.went("home")
        self.looked_at("with a tournament")

    def trials(self) -> None:
        """One trial is driven, another one typed."""
        self.press("entrants.trials")
        self.looked_at("sky")
        ui = self.ui

        def say(where: str) -> str:
            return theme.words.screen(where)  # looking at a screen changes the language

        ui.tap(capital(theme.words.word("sky", "sun")))
        self.looked_at("ready")
        ui.tap(say("trial.key_paper"))
        self.looked_at("")
        self.app.back()
        self.went("trial")
        for said in (capital(theme.words.word("tyres", "soft")), say("trial.key_start"), say("trial.key_throw"),
                     say("trial.key_over")):  # fmt: skip
            ui.tap(said)
        self.looked_at("running")
        ui.tap(say("trial.key_stop"))
        self.looked_at("over")
        self.app.press("confirm")
        self.calm()
        self.app.back()
        self.went("entrants")

    def season(self) -> None:
        self.begin("season")
        self.menu("calendar")
        self.looked_at("to draw")
        self.tap(self.here.main)
        self.looked_at("drawn")
        self.press("season.other")
        self.looked_at("other grid")
        self.press("season.way.hand")
        self.looked_at("")
        self.press("arranging.way.down")
        self.looked_at("grid")
        self.asked(self.here.main, "grid", "arranging.grid_reason.paper")
        self.press("arranging.way.circuit")
        self.looked_at("circuits")
        self.app.back()
        self.calm()
        self.app.back()
        self.went("calendar")
        self.menu("result")
        self.entered("race")
        self.app.back()
        self.went("calendar")
        self.ui.tap("1")
        self.calm()
        self.looked_at("run")
        self.menu("standings")
        self.looked_at("")
        leader = next(self.here.now.drivers.by_key())["number"].text
        self.ui.tap(leader, below=theme.words.screen("season.win"))
        self.looked_at("")
        self.menu("take")
        self.looked_at("")
        self.app.back()
        self.calm()
        self.menu("history")
        self.looked_at("")
        self.tap_row(self.here.rows, 1)
        self.looked_at("an entry")
        self.app.home()
        self.went("home")
        self.looked_at("with both")
