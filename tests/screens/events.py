"""A tournament and a season gone through by touch from the first key of home, every screen of them looked at."""

from __future__ import annotations

from typing import Any, Final

from companion.screens.kit.compose import TITLE_BAR
from companion.screens.kit.theme import theme
from companion.wording import capital
from tests.screens.journey import DRIVERS
from tests.screens.table import Table

LIST: Final = "\n".join(f"{n},{name},Écurie {n % 4}" for n, name in enumerate((*DRIVERS, "Cy", "Dee"), 3))
"""The drivers of a race's journey and two more, in four teams."""


def press(table: Table, text: str, **facts: Any) -> None:
    """Tap what has a text of the locale, in the language that is spoken now."""
    table.ui.tap(theme.words.screen(text, **facts))


def step(table: Table, text: str, by: int = 1) -> None:
    """Tap the + or − of a figure."""
    table.ui.step(theme.words.screen(text), by)


def back(table: Table) -> None:
    table.ui.back()


def looked_at(table: Table, name: str) -> None:
    """Audit the screen under its own name and what is special about it."""
    table.looked(f"{table.app.visits[-1].name} {name}".strip())


def menu(table: Table, name: str) -> None:
    table.ui.tap(icon="menu")
    looked_at(table, "menu")
    press(table, f"season.menu.{name}")


def begin(table: Table, kind: str, *lines: str) -> None:
    """From home to the entrants, read from a list, over the lines of what begins."""
    looked_at(table, f"before {kind}")
    press(table, f"home.a_{kind}")
    for line in lines:
        press(table, f"new_event.line.{line}")
        looked_at(table, f"{kind} {line}")
    press(table, "new_event.begin")
    looked_at(table, f"{kind} empty")
    menu(table, "import")
    looked_at(table, "")
    table.ui.tap("entrants.csv")
    looked_at(table, f"{kind}")
    press(table, "entrants.add")
    looked_at(table, f"{kind} somebody new")
    back(table)


def entered(table: Table, name: str) -> None:
    """A result typed from paper, one of whose drivers is out, confirmed, and looked at put right."""
    looked_at(table, f"{name} to come")
    press(table, "table.from_paper")
    press(table, "table.is_out")
    looked_at(table, f"{name} from paper")
    press(table, "table.enter")
    looked_at(table, f"{name} entered")
    second = theme.words.screen("table.second")
    assert not table.ui.offers(theme.words.screen("table.control"), below=second), table.ui.screen()
    table.tap(*table.ui.places(below=second)[0])
    looked_at(table, f"{name}, who confirms")
    press(table, "table.confirm")
    looked_at(table, f"{name} official")
    press(table, "table.differs")
    step(table, "table.step_place")
    step(table, "table.step_points", -1)
    looked_at(table, f"{name} differs")
    press(table, "table.enter")
    looked_at(table, f"{name} differs, why")
    back(table)
    back(table)


def tournament(table: Table) -> None:
    begin(table, "tournament", "name", "rulebook", "track", "laps", "sessions", "counts", "points", "final")
    press(table, "entrants.not_here")
    for _ in LIST.splitlines():
        table.ui.tap_first(also=theme.words.screen("entrants.here"))
    press(table, "entrants.everybody")
    trials(table)
    press(table, "entrants.tables")
    looked_at(table, "to deal")
    press(table, "seeding.deals.turn")
    looked_at(table, "ways to deal")
    back(table)
    press(table, "seeding.deal")
    looked_at(table, "dealt")
    table.ui.tap(car=3, below=theme.words.screen("seeding.table_mean"))
    looked_at(table, "somebody chosen")
    back(table)
    press(table, "seeding.moves")
    looked_at(table, "moves")
    table.ui.tap(icon="table")
    table.ui.hold(theme.words.screen("seeding.publish"))
    looked_at(table, "published why")
    press(table, "seeding.reason.club")
    looked_at(table, "published")
    press(table, "seeding.due.weather")
    looked_at(table, "")
    table.ui.tap(icon="plus")  # its label is in the language in which the screen was opened
    looked_at(table, "a face")
    press(table, "weather.draw")
    back(table)
    press(table, "seeding.due.start")
    press(table, "table.no_steward")
    table.looked("steward of a table")
    back(table)
    entered(table, "table")
    table.app.home()
    looked_at(table, "with a tournament")


def trials(table: Table) -> None:
    """One trial is driven, another one typed."""
    press(table, "entrants.trials")
    looked_at(table, "sky")
    table.ui.tap(capital(theme.words.word("sky", "sun")))
    looked_at(table, "ready")
    press(table, "trial.key_paper")
    looked_at(table, "")
    back(table)
    table.ui.tap(capital(theme.words.word("tyres", "soft")))
    for key in ("start", "throw", "over"):
        press(table, f"trial.key_{key}")
    looked_at(table, "running")
    press(table, "trial.key_stop")
    looked_at(table, "over")
    table.app.press("confirm")
    table.calm()
    back(table)


def season(table: Table) -> None:
    begin(table, "season", "name", "rulebook", "laps", "points", "best", "grid", "drivers", "team", "carried")
    menu(table, "calendar")
    looked_at(table, "to draw")
    press(table, "season.draw", rule="random")
    looked_at(table, "drawn")
    press(table, "season.other")
    looked_at(table, "other grid")
    press(table, "season.way.hand")
    looked_at(table, "")
    press(table, "arranging.way.down")
    looked_at(table, "grid")
    press(table, "arranging.grid")
    looked_at(table, "grid, why")
    press(table, "arranging.grid_reason.paper")
    press(table, "arranging.way.circuit")
    looked_at(table, "circuits")
    back(table)
    back(table)
    menu(table, "result")
    entered(table, "race")
    back(table)
    table.ui.tap("1")
    looked_at(table, "run")
    menu(table, "standings")
    looked_at(table, "")
    table.ui.tap("3", below=theme.words.screen("season.win"))
    looked_at(table, "")
    menu(table, "take")
    looked_at(table, "")
    back(table)
    menu(table, "history")
    looked_at(table, "")
    table.tap(*[place for place in table.ui.places() if place[1] > TITLE_BAR][1])
    table.ui.calm()
    looked_at(table, "an entry")
    table.app.home()
    looked_at(table, "with both")
