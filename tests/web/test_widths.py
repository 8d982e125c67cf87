"""Every kind of question, and every other page, in a real Chromium on phones from 320 to 430 pixels wide, in both
languages: nothing scrolls sideways, and every key is on the screen with its words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, NamedTuple, get_args

import pytest

from companion import circuits
from companion.desk import RaceDesk
from companion.desk.record_desk import RecordDesk
from companion.drivers.cards import HeuristicCardDriver, RandomCardDriver
from companion.drivers.chance import RandomDriver
from companion.drivers.sensible import HeuristicDriver
from companion.rules.conversation.asking import Asked
from companion.rules.conversation.kinds import DiceAsk, SectionAsk
from companion.tournament.entrants import Entered, Entrant
from companion.tournament.results import Result
from companion.tournament.season import Season, SeasonBegun, Stage
from companion.view.race.prompt import layout_of
from tests.rules.competition.boards import TOW, at
from tests.rules.competition.test_blocking import FORK
from tests.rules.ninety.stage import car as section_car
from tests.rules.ninety.test_overtaking import EXTREME
from tests.rules.ninety.test_random_races import Watched as WatchedSections
from tests.rules.random_races import Watched
from tests.table import WEAR
from tests.tournament.acting import on_paper
from tests.web.browser import CHROMIUM, DRIVER, MISSING, Browsers, Page, too_high, too_wide
from tests.web.pages import opened

pytestmark = pytest.mark.skipif(CHROMIUM is None or DRIVER is None, reason=MISSING)

NAMES: Final = ("Élodie de la Fontaine-Dubois X", "Ada", "Wolfeschlegelsteinhausenberger")


class Asks(NamedTuple):
    """A race that asks kinds of question which none before it has asked, within its first answers; with `options` in
    place of its random ones, if any are given."""

    rulebook: str
    track: str
    seed: int
    driver: type[Any]
    answers: int
    options: Mapping[str, Any] = MappingProxyType({})


RACES: Final = (
    Asks("ninety", "saltmarsh", 6, HeuristicCardDriver, 125),
    Asks("ninety", "saltmarsh", 40, RandomCardDriver, 40),
    Asks("ninety", "quarry-hill", 18, HeuristicCardDriver, 40),
    Asks("death", "porto-sereno", 52, RandomDriver, 480),
    Asks("death", "copper-basin", 41, HeuristicDriver, 20),
    Asks("competition", "monza", 3, RandomDriver, 150),
    Asks("competition", "copper-basin", 37, HeuristicDriver, 145),
    Asks("cup", "copper-basin", 45, HeuristicDriver, 2, {"table_names_zones": True}),
    Asks("formula-d", "copper-basin", 1, HeuristicDriver, 40, {"wings": True}),
    Asks("cup", "indianapolis-oval", 9, RandomDriver, 8),
    Asks("cup", "monaco", 50, HeuristicDriver, 155),
    Asks("cup", "copper-basin", 7, HeuristicDriver, 18),
)


class Told:
    """Answers as it was told, a landing by its space."""

    def __init__(self, *answers: Any) -> None:
        self.answers = answers

    def answer(self, asked: Asked, race: Any) -> Any:
        answer = self.answers[asked.n]
        if asked.ask != "landing":
            return answer
        return next(option.answer for option in asked.options or () if option.answer["space"] == answer)


def standing(car: int, at: str, **more: Any) -> dict[str, Any]:
    return {"car": car, "at": at, "gear": 3, "lap": 1, "status": "racing", **more}


def armed(car: int, place: str, *weapons: str, **more: Any) -> dict[str, Any]:
    held = dict.fromkeys(weapons or ("flamer",), 0)
    return standing(car, at(place), wear={"points": 18}, weapons=held, **more)


WHOLE: Final = {"wear": WEAR, "tyres": "hard"}
FIGHT: Final = {"rulebook": "death", "laps": 3}
ATTACK: Final = {**FIGHT, "attacking": True, "attackers": [1], "to_play": []}
POSITIONS: Final = (
    (FORK, {"sky": "sun", "surface": "dry", "laps": 3, "to_play": [1], "cars": [
        standing(1, "0:middle:3", **WHOLE), standing(2, "0:left:3", **WHOLE), standing(3, "0:right:3", **WHOLE)
    ]}, Told(4, 7, "0:middle:3")),
    (FORK, {"sky": "sun", "surface": "dry", "laps": 3, "to_play": [1], "cars": [
        {**standing(1, "0:middle:3", **WHOLE), "gear": 4, "bought": 2, "wear": {**WEAR, "tyres": 4}}
    ], "options": {"top": True, "super_top": True, "boosters": True}}, Told(5, None, 11, None)),
    (TOW, {**ATTACK, "cars": [
        armed(1, "L6", "chain-blades"), armed(2, "L4", defence="chaff-release", utility="turbo")
    ]}, Told({"fire": "chain-blades", "at": 2}, 8, 4)),
    (TOW, {**ATTACK, "cars": [armed(1, "L6", "blobber"), armed(2, "L8", "flamer", "rear-mg", defence="heavy-armour")]},
     Told({"fire": "blobber", "at": 2}, 10)),
    (TOW, {**FIGHT, "to_play": [1], "cars": [
        armed(1, "L0", "rear-mg", utility="pneumatic-ramp"), armed(2, "L4"), armed(3, "M3", "mag-gun")
    ]}, Told(2, True, 2, "2:left:5", 4)),
    (EXTREME, {"rulebook": "ninety", "round": 5, "to_play": [1], "cars": [
        section_car(2, 9), section_car(1, 3, point=1, strategy="lucky")
    ]}, Told("go")),
)  # fmt: skip
"""Positions with what is asked so rarely that no race need ask it: circuit, setup, and the answers that lead there."""


@pytest.fixture(scope="module")
def browsers() -> Iterator[Browsers]:
    made = Browsers()
    yield made
    made.close()


@pytest.fixture(scope="module")
def pages(browsers: Browsers) -> dict[str, Page]:
    return {lang: browsers.page(lang=lang) for lang in ("en", "fr")}


def setup_of(race: Asks) -> dict[str, Any]:
    """How a random race begins, with drivers of long names."""
    board: Any = circuits.board(race.track)
    watched = WatchedSections(board, race.seed, set()) if race.rulebook == "ninety" else None
    setup = (watched or Watched(board, race.seed, set(), race.rulebook)).setup
    setup = {**setup, "options": dict(race.options)} if race.options else setup
    return {**setup, "cars": [{**car, "driver": NAMES[at % 3]} for at, car in enumerate(setup["cars"])]}


class Questions:
    """What kinds of question were asked so far, and what of their pages is too wide."""

    def __init__(self, folder: Path, pages: dict[str, Page]) -> None:
        self.folder, self.pages = folder, pages
        self.known: set[tuple[str, str, str]] = set()
        self.wrong: dict[Any, Any] = {}

    def look(self, setup: dict[str, Any], track: str, driver: Any, answers: int) -> None:
        """Looks at each kind that is new, from the table's seat, which has every question."""

        def go_on(desk: RaceDesk) -> Asked | None:
            while (asked := desk.asked) is not None:
                what = asked.what.rstrip("0123456789") if asked.ask not in ("sight", "use") else ""
                kind = asked.ask, what, layout_of(asked)
                if kind not in self.known:
                    self.known.add(kind)
                    return asked
                if asked.n >= answers:
                    break
                desk.answer(driver.answer(asked, desk.rulebook.race))
            return None

        with opened(self.folder / str(len(self.known)), setup, track) as (phones, table):
            asked = table.see(go_on).result()
            for lang, page in self.pages.items():
                page.open("about:blank")
                page.open(f"{phones.drive('referee').replace('drive', f'drive?lang={lang}')}")
            while asked is not None:
                n = str(asked.n)
                for lang, page in self.pages.items():
                    page.wait(lambda page=page, n=n: page.run("return document.getElementById('page').dataset.n") == n)
                    if wrong := too_wide(page):
                        self.wrong[asked.ask, asked.what, lang] = wrong
                asked = table.see(go_on).result()


def test_every_kind_of_question_fits_every_phone(tmp_path: Path, pages: dict[str, Page]) -> None:
    questions = Questions(tmp_path, pages)
    for race in RACES:
        questions.look(setup_of(race), race.track, race.driver(circuits.board(race.track), race.seed), race.answers)
    for place, (text, setup, driver) in enumerate(POSITIONS):
        board = tmp_path / f"{place}.toml"
        board.write_text(text, encoding="utf-8")
        questions.look({**setup, "track": str(board)}, str(board), driver, len(driver.answers))
    assert questions.wrong == {}
    assert {ask for ask, _, _ in questions.known} == {*get_args(DiceAsk), *get_args(SectionAsk)}


def test_every_other_page_of_a_race_fits_every_phone(tmp_path: Path, pages: dict[str, Page]) -> None:
    """Of a spectator, of drivers who wait, are lost, have joined with no code, or are home; and what lies beside it."""
    board = circuits.load("porto-sereno")
    driver = HeuristicDriver(board, 3)
    cars = [
        {"car": car, "driver": f"{NAMES[car % 3][:26]} {car}"} for car in (7, 9, 912, 831, 999, 404, 188, 721, 555, 600)
    ]
    begun = SeasonBegun(
        name="The Grand Prix of the whole Riviera and its hills", calendar=(Stage("porto-sereno", "1 May"),) * 8
    )
    with RecordDesk.begin(tmp_path, Season, begun, by="Ada") as season:
        season.act(
            Entered(
                tuple(Entrant(car["car"], car["driver"], f"Team {at // 2} of the hills") for at, car in enumerate(cars))
            ),
            by="Ada",
        )
        season.act(Result("1", on_paper([car["car"] for car in cars])), by="Ada")
        event = {"log": season.log_id, "race": "2"}
    setup = {"track": "porto-sereno", "laps": 1, "cars": cars, "event": event}
    found: dict[tuple[str, str], Any] = {}

    def go_on(desk: RaceDesk, answers: int = 5000) -> None:
        while desk.asked is not None and desk.n < answers:
            desk.answer(driver.answer(desk.asked, desk.rulebook.race))

    with opened(tmp_path, setup, "porto-sereno") as (phones, table):
        phones.clock(24, 60, paused=False)

        def look(name: str, path: str, token: str = "", then: str = "") -> None:
            for lang, page in pages.items():
                page.open("about:blank")
                page.open(f"{phones.address}{path}?lang={lang}{token and '#'}{token}")
                page.wait(lambda page=page: not token or page.state() not in ("", "joining"))
                if then:
                    page.run(then)
                if wrong := too_wide(page):
                    found[name, lang] = wrong
                page.run("try { localStorage.clear() } catch { }")

        def token(seat: int) -> str:
            return phones.drive(seat).partition("#")[2]

        table.see(lambda desk: go_on(desk, 250)).result()
        everything = "for (const one of document.querySelectorAll('details')) one.open = true"
        look("watched", "", then=everything)
        for seat in (7, 9):
            look(f"car {seat}", "drive", token(seat), everything)
        look("lost", "drive", token(9), "document.getElementById('page').classList.add('lost')")
        look("no code", "drive")
        look("tables", "tables")
        look("standings", "standings")
        table.see(go_on).result()
        look("over", "", then=everything)
        look("home", "drive", token(7))
        look("replay", "replay")
    assert found == {}


@pytest.mark.parametrize("name", ["Table 4", "The Grand Prix of the whole Riviera, of its hills and islands"])
def test_the_head_of_a_wall_has_room_for_a_long_title(tmp_path: Path, pages: dict[str, Page], name: str) -> None:
    cars = [{"car": car, "driver": f"{NAMES[0][:26]} {car}"} for car in (7, 9)]
    with opened(tmp_path, {"track": "monaco", "laps": 10, "cars": cars}, name=name) as (phones, _):
        phones.clock(24, 60, paused=True)
        for lang, page in pages.items():
            page.screen(1920, 1080)
            page.open(f"{phones.address}wall?lang={lang}")
            page.wait(lambda page=page: page.text("#shot"))
            assert too_high(page) == []
