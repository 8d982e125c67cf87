"""A season whose cars begin each race as worn as they ended the last one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from companion import circuits
from companion.desk import RaceDesk
from companion.desk.beginning import begin_race
from companion.desk.organising import kept_log
from companion.drivers.registry import driver_named
from companion.hall.starting import start as hall_start
from companion.house_rules import HouseRules, keep
from companion.rules.conversation.conversation import Conversation
from companion.rules.conversation.errors import BadSetup
from companion.rules.rulebooks import begin
from companion.sheets.build_sheet import race_sheet
from companion.sheets.history import History
from companion.sheets.records import kept_record
from companion.sheets.replay import rulebook_of
from companion.sheets.verify import verify
from companion.tournament.results import Reference, Result, ResultLine
from companion.tournament.season import Season
from companion.view.events.calendar import calendar
from companion.view.events.standings import standings
from companion.wording import Words
from tests.table import WEAR
from tests.tournament.acting import act, on_paper, season
from tests.tournament.commanding import Commander, play, refused

DICE = ("beginner", "formula-d", "competition", "cup", "death", "league")


def lined_up(setup: dict[str, Any], folder: Path) -> RaceDesk:
    """A race that has been prepared by a driver, up to its first turn."""
    desk = begin_race(setup, str(setup["track"]), folder, name="again")
    driver = driver_named("sensible", desk.rulebook, 1)
    while (asked := desk.asked) is not None and desk.rulebook.race.phase == "setup":
        desk.answer(driver.answer(asked, desk.rulebook.race), n=asked.n, by="driver:sensible")
    return desk


@pytest.mark.article("beginner formula-d competition cup death league", "season.wear")
@pytest.mark.parametrize("rulebook", DICE)
def test_a_race_begins_with_the_wear_at_the_end_of_the_last_one(tmp_path: Path, rulebook: str) -> None:
    run = Commander(tmp_path, "season")
    run("new", "League", "monaco", "monaco", "--rulebook", rulebook, "--carry-wear", "--repair", "1", "--laps", "2")
    for number in (1, 2, 3, 4):
        run("enter", f"D{number}", "--number", str(number))
    run("grid", "1", "1", "2", "3", "4", "--why", "by number")
    setup = json.loads(run("setup", "1"))
    assert all("worn" not in car for car in setup["cars"])
    log = play(setup, tmp_path, 5)
    began = {car.car: car.built for car in race_sheet(History.of(kept_log(tmp_path, log))).cars}  # a card may lower it
    with RaceDesk.resume(tmp_path, log) as desk:
        ended = {
            car.number: {pool: built - car.wear[pool] - 1 for pool, built in began[car.number].items()}
            for car in desk.rulebook.race.cars
        }
    lacking = {number: {p: n for p, n in pools.items() if n > 0} for number, pools in ended.items()}
    assert any(lacking.values()), "nobody has worn anything off"
    run("collect")
    run("grid", "2", "1", "2", "3", "4", "--why", "by number")
    again = json.loads(run("setup", "2"))
    assert {car["car"]: car.get("worn", {}) for car in again["cars"]} == lacking
    with lined_up(again, tmp_path) as desk:
        for car in desk.rulebook.race.cars:
            worn = lacking[car.number]
            assert car.wear == {pool: max(1, built - worn.get(pool, 0)) for pool, built in car.built.items()}
            assert not car.worn
        assert desk.log is not None
        second = desk.log.log_id
    assert verify(tmp_path, second, rulebook_of).problems == []


def raced(race: str, *lacks: dict[str, int] | None) -> Result:
    """A result from a log, of cars that ended without these points."""
    lines = tuple(ResultLine(number, number, lacks=points) for number, points in enumerate(lacks, 1))
    return Result(race=race, lines=lines, log=Reference(f"log {race}", f"race {race}", 9, "00"))


def test_points_come_back_after_every_race_that_was_run() -> None:
    record = season("AB", carried=True, repair=1)
    assert record.worn("league") == {}
    act(record, raced("1", {"tyres": 4, "engine": 1}, {}))
    assert record.worn("league") == {1: {"tyres": 3}}, "what came back is no more than was lost"
    act(record, Result(race="2", lines=on_paper([2, 1])))
    assert record.worn("league") == {1: {"tyres": 2}}, "paper tells nothing of wear"
    act(record, raced("3", {"tyres": 3, "body": 2}, {"brakes": 2}))
    assert record.worn("league") == {1: {"tyres": 2, "body": 1}, 2: {"brakes": 1}}
    assert record.worn("beginner") == {}, "a race with other pools knows nothing of these"
    assert record.worn("ninety") == {}


def test_a_season_carries_no_wear_unless_it_says_so() -> None:
    record = season("AB")
    act(record, raced("1", {"tyres": 4}, {}))
    assert record.worn("league") == {}


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_the_tables_tell_that_wear_is_carried(tmp_path: Path, lang: str) -> None:
    run = Commander(tmp_path, "season", lang)
    run("new", "League", "monaco", "monza", "--carry-wear", "--repair", "2")
    run("enter", "Ada")
    said = {"en": "2 points back to each pool", "fr": "2 points rendus à chaque réserve"}[lang]
    for kind in ("standings", "calendar"):
        assert said in " ".join(run(kind).split()), kind
    record = kept_record(tmp_path, "last", "season").record
    assert isinstance(record, Season)
    assert calendar(record, Words(lang)).panel.laps.endswith({"en": "carries wear, 2 back", "fr": "2 rendus"}[lang])
    assert standings(record, Words(lang)).subtitle.endswith({"en": "carries wear, 2 back", "fr": "2 rendus"}[lang])
    keep(tmp_path, HouseRules("Long", "formula-d", {"three_laps": True}))
    run("new", "Long", "monaco", "--rules", "Long")
    record = kept_record(tmp_path, "last", "season").record
    assert isinstance(record, Season)
    assert calendar(record, Words("en")).panel.laps.startswith("3 laps")
    run("new", "Other", "monaco")
    assert said not in " ".join(run("standings").split())


def test_what_cannot_be_carried_is_refused(tmp_path: Path) -> None:
    run = Commander(tmp_path, "season")
    refused(lambda: run("new", "Cards", "saltmarsh", "--rulebook", "ninety", "--carry-wear"), "have no wear")
    refused(lambda: run("new", "League", "monaco", "--carry-wear", "--repair", "21"), "not 21")
    refused(lambda: run("new", "League", "monaco", "--repair", "1"), "only in a season that carries wear")


@pytest.fixture
def worn(tmp_path: Path) -> Commander:
    """A season that carries wear, in which the grids of three races are set."""
    run = Commander(tmp_path, "season")
    run("new", "League", "monaco", "monaco", "monza", "--carry-wear", "--grid", "hand", "--rulebook", "formula-d")
    for name in ("Ada", "Ben"):
        run("enter", name)
    for race in "123":
        run("grid", race, "1", "2")
    return run


def test_a_race_waits_for_the_wear_of_those_before_it(worn: Commander, tmp_path: Path) -> None:
    said = "Cars begin race 2 as worn as they end race 1; finish that one"
    refused(lambda: worn("start", "2"), said)
    refused(lambda: worn("setup", "2"), said)
    refused(lambda: hall_start(tmp_path, "North", "2"), said)
    first = play(json.loads(worn("setup", "1")), tmp_path, 1, answers=40)
    refused(lambda: worn("start", "2"), said)
    with RaceDesk.resume(tmp_path, first) as desk:
        driver = driver_named("sensible", desk.rulebook, 1)
        while (asked := desk.asked) is not None:
            desk.answer(driver.answer(asked, desk.rulebook.race), n=asked.n)
    refused(lambda: worn("setup", "2"), said)
    worn("collect")
    worn("grid", "2", "1", "2")
    assert any("worn" in car for car in json.loads(worn("setup", "2"))["cars"])
    assert hall_start(tmp_path, "North", "2").setup
    refused(lambda: worn("setup", "3"), "as they end race 2")


@pytest.mark.parametrize("settle", [("result", "1", "--paper", "1 2"), ("abandon", "1", "--why", "rain")])
def test_a_result_from_paper_or_an_abandoned_race_lets_the_next_begin(worn: Commander, settle: tuple[str, ...]) -> None:
    worn(*settle)
    worn("grid", "2", "1", "2")
    assert json.loads(worn("setup", "2"))["event"]["race"] == "2"


def test_a_race_that_is_moved_is_not_waited_for_until_it_has_begun(worn: Commander, tmp_path: Path) -> None:
    worn("move", "1", "--track", "monza", "--why", "the board is lent")
    refused(lambda: worn("setup", "2"), "as they end race 1")
    worn("move", "1", "--date", "June", "--why", "rain")
    assert json.loads(worn("setup", "2"))["event"]["race"] == "2"
    play(json.loads(worn("setup", "1")), tmp_path, 1, answers=9)
    refused(lambda: worn("setup", "2"), "as they end race 1")
    refused(lambda: hall_start(tmp_path, "North", "2"), "as they end race 1")


def test_a_season_that_carries_no_wear_waits_for_nothing(tmp_path: Path) -> None:
    run = Commander(tmp_path, "season")
    run("new", "League", "monaco", "monaco", "--grid", "hand")
    for name in ("Ada", "Ben"):
        run("enter", name)
    for race in "12":
        run("grid", race, "1", "2")
    play(json.loads(run("setup", "1")), tmp_path, 1, answers=9)
    assert json.loads(run("setup", "2"))["event"]["race"] == "2"


def test_a_setup_says_what_a_car_lacks_at_the_start() -> None:
    track, built = circuits.board("monaco"), {"car": 2, "wear": WEAR, "stand": 2, "tyres": "hard", "box": 2}
    cars = [{**built, "car": 1, "box": 1, "worn": {"tyres": 2, "engine": 9}}, built]
    setup = {"rulebook": "competition", "track": "monaco", "sky": "sun", "surface": "dry", "cars": cars}
    book = begin(setup, track)
    opening = Conversation(book).opening
    assert book.race.cars[0].wear == {**WEAR, "tyres": 4, "engine": 1}
    assert book.race.cars[0].built == book.race.cars[1].wear == WEAR
    first = next(ruling for ruling in opening if ruling.kind == "grid")
    assert first.wear == {"tyres": -2, "engine": -2}
    assert "worn from the race before" in Words("en", "competition").ruling(first)
    for worn, wrong in (({"cards": 1}, "no pool called cards"), ({"tyres": -1}, "0 to 60 points")):
        with pytest.raises(BadSetup, match=wrong):
            begin({**setup, "cars": [{**built, "worn": worn}, cars[0]]}, track)
    standing = {**built, "at": "20:left:16", "gear": 2, "worn": {"tyres": 1}}
    with pytest.raises(BadSetup, match="to the start"):
        begin({**setup, "cars": [standing], "to_play": [2]}, track)
