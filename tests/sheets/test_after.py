"""A race looked at afterwards: time, dice, wear, tyres, gaps and overtakes, from its log alone."""

from __future__ import annotations

import xml.dom.minidom
from collections.abc import Iterator
from fractions import Fraction
from io import BytesIO
from pathlib import Path

import pytest
from pypdf import PdfReader

from companion import circuits
from companion.desk import RaceDesk
from companion.desk.beginning import begin_race
from companion.drivers import Driver
from companion.drivers.cards import HeuristicCardDriver
from companion.drivers.sensible import HeuristicDriver
from companion.printing.forms import in_form
from companion.rules.ninety.circuit import SectionTrack
from companion.rules.rulebooks import RULEBOOKS
from companion.sheets import race_stats
from companion.sheets.history import History
from companion.sheets.sheet import CarSheet, Place, RaceSheet, RoundLine
from companion.view.pages.after import Curve, Curves, Grid, topics
from companion.view.pages.sheet import page
from companion.view.shown import Plate
from companion.wording import LANGUAGES, Words, capital

MONACO = circuits.load("monaco")


def driven(folder: Path, book: str = "competition", laps: int = 1, seed: int = 3) -> RaceDesk:
    """A whole race of three by a rulebook."""
    key = "saltmarsh" if book == "ninety" else "monaco"
    board = circuits.board(key)
    driver: Driver = (
        HeuristicCardDriver(board, seed) if isinstance(board, SectionTrack) else HeuristicDriver(board, seed)
    )
    cars = [{"car": number, "driver": name} for number, name in enumerate(("Ada", "Bo", "Élodie"), 1)]
    deck = {"deck": 5} if book in ("ninety", "death") else {}
    desk = begin_race({"rulebook": book, "track": key, "laps": 12 if deck and book == "ninety" else laps, "cars": cars,
                       **deck}, key, folder)  # fmt: skip
    while (asked := desk.asked) is not None:
        desk.answer(driver.answer(asked, desk.rulebook.race), n=asked.n, by="table")
    return desk


@pytest.fixture(scope="module")
def race(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RaceDesk]:
    with driven(tmp_path_factory.mktemp("race")) as desk:
        yield desk


def timed(history: History, seconds: list[float], by: str = "table") -> None:
    """Sets when each answer was given: so many seconds after the one before."""
    from datetime import datetime, timedelta

    now = datetime.fromisoformat(history.begun)
    for item, took in zip(history.items, seconds, strict=True):
        now += timedelta(seconds=took)
        item.at, item.by = now.isoformat(), by


def test_a_turn_takes_the_time_from_each_question_to_its_answer(race: RaceDesk) -> None:
    """Ten seconds for every answer: so many for a turn as it had questions; a break counts for nobody, and no time is
    a driver's that the program took."""
    history = race.history
    timed(history, [10.0] * len(history.items))
    asked: dict[tuple[int, int], int] = {}
    for item in history.items:
        assert item.event.key is not None
        _, car, round_, _ = item.event.key
        if car is not None and round_:
            asked[round_, car] = asked.get((round_, car), 0) + 1
    found = race_stats.turns(history)
    assert {(turn.round, turn.car): turn.seconds for turn in found} == {key: 10.0 * n for key, n in asked.items()}
    mine = race_stats.times(found)[1]
    alone = [turn for turn in found if turn.car == 1]
    assert mine.total == sum(turn.seconds for turn in alone)
    assert mine.average == mine.total / len(alone)
    assert mine.slowest == max(turn.seconds for turn in alone)
    assert mine.round in [turn.round for turn in alone if turn.seconds == mine.slowest]
    timed(history, [10.0] * (len(history.items) - 1) + [race_stats.BREAK])
    assert sum(turn.seconds for turn in race_stats.turns(history)) == sum(turn.seconds for turn in found) - 10
    timed(history, [10.0] * len(history.items), by="driver:sensible")
    assert race_stats.turns(history) == []
    timed(history, [1.0] * len(history.items))


def test_a_band_counts_as_all_of_its_faces(race: RaceDesk) -> None:
    """A test that was answered "2 to 20" is no roll of a 2, nor of a 20."""
    history = race.history
    before = race_stats.rolled(history)[1, "20"]
    tests = [
        item for item in history.items
        if item.event.key is not None and item.event.key[0] == "test" and item.event.key[1] == 1
    ]  # fmt: skip
    if not tests:
        pytest.skip("the race had no test of that car")
    old = tests[0].event
    face = old.answer if isinstance(old.answer, int) else Fraction(sum(old.answer), 2)
    tests[0].event = type(old)(key=old.key, answer=[2, 20])
    now = race_stats.rolled(history)[1, "20"]
    tests[0].event = old
    assert (now.rolls, now.total) == (before.rolls, before.total - face + 11)
    assert now.expected == Fraction(21, 2)


def test_every_roll_of_a_gear_is_counted_once(race: RaceDesk) -> None:
    fell = race_stats.rolled(race.history)
    rolls = [item.event for item in race.history.items if item.event.key is not None and item.event.key[0] == "roll"]
    assert sum(one.rolls for (_, die), one in fell.items() if die != "20") == len(rolls)
    assert sum(one.total for (_, die), one in fell.items() if die != "20") == sum(int(roll.answer) for roll in rolls)
    assert fell[1, "3"].expected == Fraction(4 + 5 + 6 + 6 + 7 + 7 + 8 + 8, 8)


def test_wear_ends_at_what_the_sheet_has_left(race: RaceDesk) -> None:
    sheet = race.sheet()
    for number, line in race_stats.wear(sheet).items():
        car = sheet.car(number)
        assert car is not None
        assert line[0][1] == sum(car.built.values())
        assert line[-1][1] == sum(car.wear.values())


def test_gaps_are_counted_in_spaces_from_the_leader(race: RaceDesk) -> None:
    found = race_stats.gaps(race.sheet(), MONACO)
    rounds = {round_ for line in found.values() for round_, _ in line}
    assert all(min(gap for line in found.values() for at, gap in line if at == round_) == 0 for round_ in rounds)
    assert race_stats.gaps(race.sheet(), circuits.load("spa")) == {}


def test_gaps_end_with_the_round_in_which_the_winner_is_home(tmp_path: Path) -> None:
    """Whoever was second would lead after that, and every gap be counted anew."""
    with driven(tmp_path, seed=2) as desk:
        sheet = desk.sheet()
    home = {car.car: min(one.round for one in car.places if one.status == "finished") for car in sheet.cars[1:]}
    assert home == {2: 21, 3: 22}
    found = race_stats.gaps(sheet, MONACO)
    assert {car: line[-1] for car, line in found.items()} == {1: (21, 18.0), 2: (21, 0.0), 3: (21, 11.0)}


def placed(*orders: list[int], gone: int = 0) -> RaceSheet:
    rounds = [RoundLine(at, order, "sun", "dry") for at, order in enumerate(orders, 1)]
    cars = [CarSheet(number) for number in orders[0]]
    return RaceSheet("", "", "competition", "", "monaco", "", 0, {}, rounds, cars, [], [], [], [], [], [], None)


def test_who_has_changed_places_from_round_to_round_has_overtaken() -> None:
    found = race_stats.overtakes(placed([1, 2, 3], [3, 1, 2], [3, 2]))
    assert found == {
        1: race_stats.OvertakeCount(0, 1),
        2: race_stats.OvertakeCount(0, 1),
        3: race_stats.OvertakeCount(2, 0),
    }


def test_stints_follow_the_sets_of_tyres() -> None:
    car = CarSheet(1)
    for round_, lap, tyres in ((1, 0, "soft"), (2, 1, "soft"), (3, 2, "soft"), (4, 2, "rain"), (5, 3, "rain")):
        car.places = [*car.places, Place(round_, 1, lap, "x", 1, tyres, "racing")]
    assert race_stats.stints(car) == [race_stats.Stint("soft", 1, 2), race_stats.Stint("rain", 2, 3)]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_all_of_it_is_on_paper_and_in_the_picture(race: RaceDesk, tmp_path: Path, lang: str) -> None:
    sheet, words = race.sheet(), Words(lang, "competition")
    found = topics(sheet, race.history, {}, MONACO, words)
    assert [one.topic for one in found] == ["wear", "gaps", "dice", "tyres", "time", "passed"]
    two = topics(sheet, race.history, {}, MONACO, words, (1, 3))
    for one in two:
        plates = [line.plate for line in one.lines] if isinstance(one, Curves) else [row[0] for row in one.rows]
        assert {plate.number for plate in plates} <= {1, 3}
    from companion.screens.pages.sheet import stored_entries

    assert race.log is not None
    entries = stored_entries(race.log.folder, race.log.log_id)[1]
    text = "\n".join(leaf.extract_text() for leaf in PdfReader(BytesIO(in_form("pdf", entries, lang))).pages)
    drawn = in_form("svg", entries, lang).decode()
    for one in found:
        assert one.title in text.replace("\n", " ")
        assert one.title in drawn.replace("&amp;", "&")
    assert capital(words.word("listing", "points")) in text
    picture = xml.dom.minidom.parseString(drawn)
    curves = [one for one in found if isinstance(one, Curves)]
    rows = sum(len(one.rows) for one in found if isinstance(one, Grid))
    plates = len(picture.getElementsByTagName("ellipse"))
    assert plates == sum(len(one.lines) for one in curves) + rows


@pytest.mark.parametrize("book", [book for book in RULEBOOKS if book != "competition"])
def test_every_rulebook_has_something_to_look_back_on(tmp_path: Path, book: str) -> None:
    with driven(tmp_path, book) as desk:
        shown = page(desk.sheet(), desk.history, Words("fr", book), name="after")
    names = {one.topic for one in shown.after}
    assert {"time", "passed"} <= names
    assert ("dice" in names) == (book != "ninety")
    assert ("gaps" in names) == (book != "ninety")


def test_plates_at_the_end_of_curves_lie_beside_each_other_and_in_the_chart() -> None:
    ends = {1: 100.0, 2: 0.0, 4: 0.0, 5: 0.0, 7: 40.0}
    lines = tuple(Curve(plate=Plate(number=car, place=car), points=((9, value),)) for car, value in ends.items())
    curves = Curves(topic="odds", title="", columns=("",) * 10, top=100.0, bottom=0.0, lines=lines)
    found = {plate.number: round(down, 3) for plate, _, down in curves.ends(0.1)}
    assert found == {1: 0.0, 7: 0.6, 2: 0.8, 4: 0.9, 5: 1.0}
    assert [plate.number for plate, _, _ in curves.ends(0.1, (5, 1))] == [1, 5]
    assert [round(down, 2) for _, _, down in curves.ends(0.4)] == [0.0, 0.25, 0.5, 0.75, 1.0]
