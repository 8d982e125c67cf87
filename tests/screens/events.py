"""A tournament and a season gone through by touch from the first key of home, every screen of them looked at."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from companion.screens.events.record_screen import RecordScreen
from companion.screens.events.trial import TrialScreen
from companion.screens.kit.compose import TITLE_BAR
from companion.screens.kit.theme import theme
from companion.wording import capital
from tests.screens.journey import DRIVERS, Journey
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

    def press(self, text: str, **facts: Any) -> None:
        """Tap what has a text of the locale, in the language that is spoken now."""
        self.ui.tap(theme.words.screen(text, **facts))
        self.calm()

    def step(self, text: str, by: int = 1) -> None:
        """Tap the + or − of a figure."""
        self.ui.step(theme.words.screen(text), by)
        self.calm()

    def back(self) -> None:
        self.ui.back()
        self.calm()

    def calm(self) -> None:
        """Until the record's desk has done all that was meant, and it is seen, in the language that is spoken now."""
        super().calm()
        if self.spoken != theme.language:
            self.spoken = theme.language
            here = self.app.screen
            if isinstance(here, RecordScreen | TrialScreen):
                here.again()
        self.ui.calm()

    def looked_at(self, name: str) -> None:
        """Audited under its own name and what is special about it."""
        self.calm()
        self.looked(f"{self.app.visits[-1].name} {name}".strip())

    def menu(self, name: str) -> None:
        self.ui.tap(icon="menu")
        self.looked_at("menu")
        self.press(f"season.menu.{name}")

    def begin(self, kind: str, *lines: str) -> None:  # type: ignore[override]  # an event begins from its tile
        """From home to the entrants, read from a list, over the lines of what begins."""
        self.looked_at(f"before {kind}")
        self.press(f"home.a_{kind}")
        for line in lines:
            self.press(f"new_event.line.{line}")
            self.looked_at(f"{kind} {line}")
        self.press("new_event.begin")
        self.looked_at(f"{kind} empty")
        self.menu("import")
        self.looked_at("")
        self.ui.tap("entrants.csv")
        self.looked_at(f"{kind}")
        self.press("entrants.add")
        self.looked_at(f"{kind} somebody new")
        self.back()

    def entered(self, name: str) -> None:
        """A result typed from paper, one of whose drivers is out, confirmed, and looked at put right."""
        self.looked_at(f"{name} to come")
        self.press("table.from_paper")
        self.press("table.is_out")
        self.looked_at(f"{name} from paper")
        self.press("table.enter")
        self.looked_at(f"{name} entered")
        self.press("table.control")
        self.looked_at(f"{name}, who confirms")
        self.press("table.confirm")
        self.looked_at(f"{name} official")
        self.press("table.differs")
        self.step("table.step_place")
        self.step("table.step_points", -1)
        self.looked_at(f"{name} differs")
        self.press("table.enter")
        self.looked_at(f"{name} differs, why")
        self.back()
        self.back()

    def tournament(self) -> None:
        self.begin("tournament", "name", "rulebook", "track", "laps", "sessions", "counts", "points", "final")
        self.press("entrants.not_here")
        for _ in LIST.splitlines():
            self.tap(*self.ui.places(also=theme.words.screen("entrants.here"))[0])
        self.press("entrants.everybody")
        self.trials()
        self.press("entrants.tables")
        self.looked_at("to deal")
        self.press("seeding.deals.turn")
        self.looked_at("ways to deal")
        self.back()
        self.press("seeding.deal")
        self.looked_at("dealt")
        self.ui.tap(car=3, below=theme.words.screen("seeding.table_mean"))
        self.looked_at("somebody chosen")
        self.back()
        self.press("seeding.moves")
        self.looked_at("moves")
        self.ui.tap(icon="table")
        self.ui.hold(theme.words.screen("seeding.publish"))
        self.looked_at("published why")
        self.press("seeding.reason.club")
        self.looked_at("published")
        self.press("seeding.due.weather")
        self.looked_at("")
        self.ui.tap(icon="plus")  # its label is in the language in which the screen was opened
        self.looked_at("a face")
        self.press("weather.draw")
        self.back()
        self.press("seeding.due.start")
        self.press("table.no_steward")
        self.looked("steward of a table")
        self.back()
        self.entered("table")
        self.app.home()
        self.looked_at("with a tournament")

    def trials(self) -> None:
        """One trial is driven, another one typed."""
        self.press("entrants.trials")
        self.looked_at("sky")
        self.ui.tap(capital(theme.words.word("sky", "sun")))
        self.looked_at("ready")
        self.press("trial.key_paper")
        self.looked_at("")
        self.back()
        self.ui.tap(capital(theme.words.word("tyres", "soft")))
        for key in ("start", "throw", "over"):
            self.press(f"trial.key_{key}")
        self.looked_at("running")
        self.press("trial.key_stop")
        self.looked_at("over")
        self.app.press("confirm")
        self.calm()
        self.back()

    def season(self) -> None:
        self.begin("season", "name", "rulebook", "laps", "points", "best", "grid", "drivers", "team", "carried")
        self.menu("calendar")
        self.looked_at("to draw")
        self.press("season.draw", rule="random")
        self.looked_at("drawn")
        self.press("season.other")
        self.looked_at("other grid")
        self.press("season.way.hand")
        self.looked_at("")
        self.press("arranging.way.down")
        self.looked_at("grid")
        self.press("arranging.grid")
        self.looked_at("grid, why")
        self.press("arranging.grid_reason.paper")
        self.press("arranging.way.circuit")
        self.looked_at("circuits")
        self.back()
        self.back()
        self.menu("result")
        self.entered("race")
        self.back()
        self.ui.tap("1")
        self.looked_at("run")
        self.menu("standings")
        self.looked_at("")
        self.ui.tap("3", below=theme.words.screen("season.win"))
        self.looked_at("")
        self.menu("take")
        self.looked_at("")
        self.back()
        self.menu("history")
        self.looked_at("")
        self.tap(*[place for place in self.ui.places() if place[1] > TITLE_BAR][1])
        self.looked_at("an entry")
        self.app.home()
        self.looked_at("with both")
