"""Every screen by its name, and what each may be opened with."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, TypedDict

if TYPE_CHECKING:  # home is there before them
    from companion.screens.app.screen import Screen
    from companion.tournament.record import Act
    from companion.tournament.season import Begun as Season
    from companion.tournament.tournament import Begun as Tournament
    from companion.tournament.trials import Opened
    from companion.view.pages.after import Topic
    from companion.view.pages.sheet import Filter
    from companion.view.setup.draft import Draft
    from companion.view.setup.new_race import StepName

Bare = Literal[
    "build", "hall", "home", "language", "phones", "race", "settings", "status", "touch", "trouble", "version",
]  # fmt: skip
"""Screens that are opened with nothing."""
OfEvents = Literal[
    "acts", "arranging", "calendar", "driver", "entrants", "import", "seeding", "standings", "table_result", "taking",
    "timing", "weather",
]  # fmt: skip
"""Screens of a tournament or a season."""
OfRaces = Literal["analysis", "history", "new_race", "override", "rules", "sheet", "sheets", "trial"]
"""Screens of races, and of what they go by."""
ScreenName = Bare | OfEvents | OfRaces | Literal["new_event"]
SheetPage = Literal["result", "car", "after", "log", "words", "export"]
"""The pages of a race's sheet, and how it leaves the device."""

SCREENS: Final[Mapping[ScreenName, str]] = {
    "acts": "companion.screens.commissioner.acts:ActsScreen",
    "analysis": "companion.screens.pages.analysis:AnalysisScreen",
    "arranging": "companion.screens.commissioner.arranging:ArrangingScreen",
    "build": "companion.screens.setup.build:BuildScreen",
    "calendar": "companion.screens.commissioner.calendar:CalendarScreen",
    "driver": "companion.screens.commissioner.driver:DriverScreen",
    "standings": "companion.screens.commissioner.standings:StandingsScreen",
    "entrants": "companion.screens.commissioner.entrants:EntrantsScreen",
    "seeding": "companion.screens.commissioner.seeding:SeedingScreen",
    "table_result": "companion.screens.commissioner.table_result:TableResultScreen",
    "import": "companion.screens.commissioner.importing:ImportScreen",
    "weather": "companion.screens.commissioner.weather:WeatherScreen",
    "hall": "companion.screens.pages.hall:HallScreen",
    "history": "companion.screens.pages.history:HistoryScreen",
    "home": "companion.screens.pages.home:HomeScreen",
    "language": "companion.screens.pages.language:LanguageScreen",
    "new_event": "companion.screens.commissioner.new_event:NewEventScreen",
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
    "taking": "companion.screens.commissioner.taking:TakingScreen",
    "timing": "companion.screens.commissioner.timing:TimingScreen",
    "trial": "companion.screens.commissioner.trial:TrialScreen",
}
"""Where each screen is; it is imported when it is first opened."""


class OfAnalysis(TypedDict, total=False):
    """The analysis of a race: of the one with that id, else of the one that is open; the driver whose decisions are on
    the keys, which of these is chosen, and whether it is opened."""

    race: str
    driver: int
    point: int
    opened: bool


class OfHistory(TypedDict, total=False):
    """The answers so far, with answer `n` chosen."""

    n: int | None


class OfNewEvent(TypedDict, total=False):
    """What a tournament or a season begins with, as far as it is chosen, and which of its lines is."""

    kind: Literal["tournament", "season"]
    begun: Tournament | Season
    line: str


class OfNewRace(TypedDict, total=False):
    """What a race begins with, as far as it is chosen, on its first page or at a step, which is opened for one thing
    (`aside`)."""

    draft: Draft
    step: StepName
    aside: bool


class OfOverride(TypedDict, total=False):
    """Values of a car, or of the race, or with `ending` how to end or stop that; with `seat` it is asked at once who
    drives the car from here on."""

    car: int | None
    ending: bool
    seat: bool


class OfRace(TypedDict, total=False):
    """The race that is open; `shot` is whose turn the shot clock was counting, and the seconds that it had left;
    `filled` what was filled in of a form, or typed of cards, and not answered yet: for which question, and what, as the
    race screen takes it up again."""

    shot: tuple[object, int]
    filled: tuple[str, Any]


class OfRecord(TypedDict, total=False):
    """The tournament or season (`kind`) with that id, else the last one; a race or a driver of it, a round's tables, a
    table or what is taken along, whether its moves are seen, and whether its result is to be put right."""

    record: str
    kind: Literal["tournament", "season", "trials"]
    race: int
    number: int
    round: int
    table: str
    moves: bool
    correct: bool


class OfRules(TypedDict, total=False):
    """An article of a rulebook, and the words that were searched; with a rulebook that is `known` how the other differs
    from it, else that is asked."""

    rulebook: str
    known: str
    article: str
    search: str


class OfSheet(TypedDict, total=False):
    """A page of the sheet of a race: of the one with that id in its folder, else of the one that is open; afterwards a
    `topic` of it, of `two` cars or of all."""

    race: str
    page: SheetPage
    car: int
    show: Filter
    laps: bool
    topic: Topic
    two: tuple[int, ...]


class OfSheets(TypedDict, total=False):
    """The list of races, or with `deleted` of those that were taken from it."""

    deleted: bool


class OfTrial(TypedDict, total=False):
    """The trials with that id, or new ones that begin as they were opened; who drives next, and what tyres he has
    chosen. `event` is the tournament that is to have their times, `acts` what new ones have already: skies
    that were drawn, times that were driven."""

    trials: str
    opened: Opened
    wanted: int
    tyres: str
    event: str
    acts: tuple[Act, ...]


class Visit(NamedTuple):
    """A screen that was opened, one's own by its class, and what with: what it is to remember is written there."""

    name: ScreenName | type[Screen]
    given: Mapping[str, object]
