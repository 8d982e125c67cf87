"""All screens by name, with their parameters."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, TypedDict

if TYPE_CHECKING:  # home is there before them
    from companion.screens.app.screen import Screen
    from companion.tournament.record import Act
    from companion.tournament.season import SeasonBegun
    from companion.tournament.tournament import TournamentBegun
    from companion.tournament.trials import TrialsOpened
    from companion.view.pages.after import Topic
    from companion.view.pages.sheet import Filter
    from companion.view.setup.draft import Draft
    from companion.view.setup.new_race import StepName

Bare = Literal[
    "build", "hall", "home", "language", "phones", "race", "settings", "status", "touch", "trouble", "version",
]  # fmt: skip
"""Screens that take no parameters."""
OfEvents = Literal[
    "acts", "arranging", "calendar", "driver", "entrants", "import", "seeding", "standings", "table_result", "taking",
    "timing", "weather",
]  # fmt: skip
"""Screens of a tournament or a season."""
OfRaces = Literal["analysis", "history", "new_race", "override", "rules", "sheet", "sheets", "trial"]
"""Screens of races, and of their rules."""
ScreenName = Bare | OfEvents | OfRaces | Literal["new_event"]
SheetPage = Literal["result", "car", "after", "log", "words", "export"]
"""Pages of a race's sheet, and of its export."""

SCREENS: Final[Mapping[ScreenName, str]] = {
    "acts": "companion.screens.events.acts:ActsScreen",
    "analysis": "companion.screens.pages.analysis:AnalysisScreen",
    "arranging": "companion.screens.events.arranging:ArrangingScreen",
    "build": "companion.screens.setup.build:BuildScreen",
    "calendar": "companion.screens.events.calendar:CalendarScreen",
    "driver": "companion.screens.events.driver:DriverScreen",
    "standings": "companion.screens.events.standings:StandingsScreen",
    "entrants": "companion.screens.events.entrants:EntrantsScreen",
    "seeding": "companion.screens.events.seeding:SeedingScreen",
    "table_result": "companion.screens.events.table_result:TableResultScreen",
    "import": "companion.screens.events.importing:ImportScreen",
    "weather": "companion.screens.events.weather:WeatherScreen",
    "hall": "companion.screens.pages.hall:HallScreen",
    "history": "companion.screens.pages.history:HistoryScreen",
    "home": "companion.screens.pages.home:HomeScreen",
    "language": "companion.screens.pages.language:LanguageScreen",
    "new_event": "companion.screens.events.new_event:NewEventScreen",
    "new_race": "companion.screens.setup.new_race:NewRaceScreen",
    "override": "companion.screens.pages.override:OverrideScreen",
    "phones": "companion.screens.pages.phones:PhonesScreen",
    "race": "companion.screens.race.race:RaceScreen",
    "rules": "companion.screens.pages.rules:RulesScreen",
    "settings": "companion.screens.pages.settings:SettingsScreen",
    "sheet": "companion.screens.pages.sheet:SheetScreen",
    "sheets": "companion.screens.pages.sheets:SheetsScreen",
    "status": "companion.screens.pages.status:StatusScreen",
    "trouble": "companion.screens.pages.trouble:TroubleScreen",
    "version": "companion.screens.pages.version:VersionScreen",
    "touch": "companion.screens.pages.touch_check:TouchCheckScreen",
    "taking": "companion.screens.events.taking:TakingScreen",
    "timing": "companion.screens.events.timing:TimingScreen",
    "trial": "companion.screens.events.trial:TrialScreen",
}
"""Class of each screen, imported when it is first opened."""


class OfAnalysis(TypedDict, total=False):
    """Parameters of a race's analysis.

    `race` is its id, by default that of the open one. `driver` is whose decisions are on the keys, `point` the
    selected one, `opened` whether it is open.
    """

    race: str
    driver: int
    point: int
    opened: bool


class OfHistory(TypedDict, total=False):
    """Parameters of the history, with answer `n` selected."""

    n: int | None


class OfNewEvent(TypedDict, total=False):
    """Parameters of a new tournament or season: its draft, and the selected line."""

    kind: Literal["tournament", "season"]
    begun: TournamentBegun | SeasonBegun
    line: str


class OfNewRace(TypedDict, total=False):
    """Parameters of a new race: its draft and the step.

    `aside` is True if the step was opened for one thing only.
    """

    draft: Draft
    step: StepName
    aside: bool


class OfOverride(TypedDict, total=False):
    """Parameters of an override of a car, or of the race.

    `ending` asks how to end or stop the race; `seat` asks at once who drives the car from now on.
    """

    car: int | None
    ending: bool
    seat: bool


class OfRecord(TypedDict, total=False):
    """Parameters of a record: a tournament or season (`kind`) by id, else the last one.

    Within it: a race, a driver's number, a round's tables, a table or an export, whether its moves are shown, and
    whether its result is to be corrected.
    """

    record: str
    kind: Literal["tournament", "season", "trials"]
    race: int
    number: int
    round: int
    table: str
    moves: bool
    correct: bool


class OfRules(TypedDict, total=False):
    """Parameters of the rules: a rulebook's article, and the search text.

    With `known` the differences from that rulebook; otherwise the reader is asked which one he knows.
    """

    rulebook: str
    known: str
    article: str
    search: str


class OfSheet(TypedDict, total=False):
    """Parameters of a race sheet: the race by id in its folder, else the open one.

    `topic` selects the statistics of a finished race, for `two` cars or for all.
    """

    race: str
    page: SheetPage
    car: int
    show: Filter
    laps: bool
    topic: Topic
    two: tuple[int, ...]


class OfSheets(TypedDict, total=False):
    """Parameters of the list of races, or of the deleted ones."""

    deleted: bool


class OfTrial(TypedDict, total=False):
    """Parameters of trials: existing ones by id, or new ones as set up.

    `wanted` is the next driver, `tyres` his choice. `event` is the tournament that gets their times; `acts` are the
    acts that new ones start with: skies drawn, times driven.
    """

    trials: str
    opened: TrialsOpened
    wanted: int
    tyres: str
    event: str
    acts: tuple[Act, ...]


class Visit(NamedTuple):
    """An opened screen, by name or class, and its parameters, which it may update."""

    name: ScreenName | type[Screen]
    given: Mapping[str, object]
