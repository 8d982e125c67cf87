"""The race sheet in pages."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import msgspec
import pytest

from companion import circuits
from companion.desk import RaceDesk
from companion.drivers.sensible import HeuristicDriver
from companion.rules.rulebooks import begin
from companion.sheets.build_sheet import race_sheet
from companion.sheets.history import History
from companion.sheets.reading import entries, find, reading
from companion.sheets.wall_clock import moment
from companion.view.pages.after import Curves
from companion.view.pages.sheet import (
    LogRow,
    car_page,
    classification,
    lap_chart,
    log_rows,
    order_chart,
    page,
    shortened,
    word_rows,
)
from companion.wording import LANGUAGES, Words

PLATES = {1: 4, 2: 0, 3: 7, 4: 11}


@cache
def whole(track: str = "monaco") -> RaceDesk:
    """A race from grid to flag, for looking at only."""
    return raced(track)


def raced(track: str = "monaco", cars: int = 4, seed: int = 1, answers: int = 100_000) -> RaceDesk:
    names = ("Ada", "", "Ньютон", "山田太郎")
    listed = [{"car": n, "driver": names[(n - 1) % 4], "team": "T"} for n in range(1, cars + 1)]
    setup = {"track": track, "laps": 2, "cars": listed}
    board = circuits.load(track)
    desk, driver = RaceDesk(begin(setup, board), setup=setup), HeuristicDriver(board, seed)
    while desk.asked is not None and desk.n < answers:
        desk.answer(driver.answer(desk.asked, desk.rulebook.race))
    return desk


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("track", ["monaco", "spa"])
def test_a_cars_boxes_are_what_is_left_and_what_was_crossed_off(lang: str, track: str) -> None:
    desk = whole(track)
    sheet = desk.sheet()
    for car in sheet.cars:
        page = car_page(sheet, car.car, PLATES, Words(lang))
        assert page.plate.place == PLATES[car.car]
        assert [line.pool for line in page.pools] == list(car.built)
        for line in page.pools:
            spent = [box for box in line.boxes if box.state == "spent"]
            assert len(line.boxes) == max(line.built, line.left)
            assert len(line.boxes) - len(spent) == line.left == car.wear[line.pool]
            assert all(box.word for box in spent)
        assert len([line for line in page.why if line.pool]) == len(car.crossings)
        assert all(line.text and line.article and line.round for line in page.why)
        assert (car.retired is None) == all(line.pool for line in page.why)
        assert not any(line.text.startswith(f"{car.car} ") for line in page.why)


def test_the_last_point_and_a_repaired_one_stand_out() -> None:
    desk = raced(cars=1, answers=12)
    desk.override({"car": 1, "wear": {"engine": 1}}, by="table", why="a test")
    desk.override({"car": 1, "wear": {"brakes": 0}}, by="table", why="a test")
    desk.override({"car": 1, "wear": {"brakes": 2}}, by="table", why="a test")
    page = car_page(desk.sheet(), 1, {}, Words())
    boxes = {line.pool: [box.state for box in line.boxes] for line in page.pools}
    assert boxes["engine"][0] == "last"
    assert set(boxes["engine"][1:]) == {"spent"}
    assert boxes["brakes"][:2] == ["repaired", "repaired"]
    assert page.why[0].points == "+2"
    assert page.why[0].text == "Referee: a test"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_charts_follow_the_order_of_the_race(lang: str) -> None:
    desk, words = whole(), Words(lang)
    sheet = desk.sheet()
    chart = order_chart(sheet, PLATES, words)
    assert len(chart.columns) == len(sheet.rounds)
    for column, line in enumerate(sheet.rounds):
        here = {each.plate.number: dict(each.points)[column] for each in chart.lines}
        for place, number in enumerate(line.order, 1):
            assert here[number] in (place, 0)
    laps = lap_chart(sheet, desk.history, PLATES, words)
    assert len(laps.columns) == 3
    assert laps.columns[0] == words.screen("sheet.grid")
    assert sheet.result is not None
    finished = [row["car"] for row in sheet.result if row["place"]]
    ends = {line.plate.number: line.end for line in laps.lines}
    assert [ends[number] for number in finished] == list(range(1, len(finished) + 1))


def test_a_car_that_went_out_leaves_the_chart_and_the_order() -> None:
    desk = raced(cars=2, answers=60)
    desk.override({"car": 1, "status": "out"}, by="table", why="went home")
    while desk.asked is not None and desk.n < 120:
        desk.answer(HeuristicDriver(circuits.load("monaco"), 3).answer(desk.asked, desk.rulebook.race))
    sheet = desk.sheet()
    chart = order_chart(sheet, {}, Words())
    line = next(line for line in chart.lines if line.plate.number == 1)
    assert line.end == 0
    page = car_page(sheet, 1, {}, Words())
    assert page.chips[0].tone == "bad"
    assert "P" in car_page(sheet, 2, {}, Words()).facts


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_log_is_filtered(lang: str) -> None:
    desk, words = whole(), Words(lang)
    sheet = desk.sheet()

    def rows(show: str, car: int | None = None) -> list[LogRow]:
        return log_rows(sheet, desk.history, PLATES, words, show=show, car=car)

    every = rows("all")
    assert len(every) == sum(len(item.rulings) for item in desk.history.items)
    assert [row.seq for row in every] == sorted((row.seq for row in every), reverse=True)
    costs = rows("cost")
    assert 0 < len(costs) < len(every)
    assert all(row.tone in ("warn", "bad") for row in costs)
    mine = rows("car", 3)
    assert mine
    assert all(row.plate is not None and row.plate.number == 3 for row in mine)
    assert rows("people") == []


@pytest.mark.parametrize("lang", LANGUAGES)
def test_peoples_words_are_told_the_latest_first(lang: str) -> None:
    desk, words = raced(seed=5, answers=40), Words(lang)
    desk.override({"car": 2, "gear": 2}, by="Ada", why="a slip")
    desk.note("Pizza at eight", by="Bob")
    seq = desk.dispute(3, by="Cleo", why="the die was cocked")
    n = next(done.n for done in desk.answers() if done.ask == "roll")
    desk.correct(n, desk.history.items[n].event.answer, by="Ada", why="looked again")
    told = word_rows(desk.sheet(), words)
    assert [row.by for row in told] == ["Ada", "Cleo", "Bob", "Ada"]
    assert told[1].seq == seq
    assert all(row.title and row.text for row in told)
    desk.uphold(3, by="Cleo")
    dispute = next(row for row in word_rows(desk.sheet(), words) if row.by == "Cleo")
    ruled = {"en": "Box of 1 Ada: box 5 (upheld)", "fr": "Stand de 1 Ada\u00a0: stand 5 (décision maintenue)"}[lang]
    assert dispute.title == ruled
    assert (told[1].tone, dispute.tone) == ("info", "plain")
    shown = log_rows(desk.sheet(), desk.history, {}, words, show="people")
    assert shown[0].text == ruled
    assert {row.by for row in shown} == {"Ada", "Bob", "Cleo"}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_classification_has_every_car_once(lang: str) -> None:
    desk, words = whole(), Words(lang)
    sheet = desk.sheet()
    (cars,) = classification(sheet, PLATES, words)
    rows = [*cars.by_key()]
    assert {row["number"].text for row in rows} == {"1", "2", "3", "4"}
    assert (rows[0]["place"].text, rows[0]["points"].text) == ("1", "10")
    assert all(row["cause"].text for row in rows if "out" in row["place"].marks)
    shown = page(sheet, desk.history, words)
    assert shown.page == "result"
    assert "result" in dict(shown.head.pages)


def test_a_race_that_has_not_begun_has_a_sheet_too() -> None:
    desk = raced(cars=3, answers=0)
    words = Words()
    sheet = desk.sheet()
    shown = page(sheet, desk.history, words)
    head = shown.head
    assert shown.page == "car"
    assert [plate.number for plate in head.cars] == [1, 2, 3]
    assert not head.over
    assert "result" not in dict(head.pages)
    assert [*classification(sheet, {}, words)] == []
    assert order_chart(sheet, {}, words).columns == ()
    assert lap_chart(sheet, desk.history, {}, words).places == len(sheet.cars)
    assert log_rows(sheet, desk.history, {}, words) == []
    with pytest.raises(KeyError):
        car_page(sheet, 99, {}, words)


@pytest.mark.parametrize(("track", "name"), [("quarry-hill", "Quarry Hill"), ("monaco", "Monaco")])
def test_a_circuit_is_told_by_its_name_in_the_log_whatever_became_of_its_file(
    tmp_path: Path, track: str, name: str
) -> None:
    own = tmp_path / "boards" / f"{track}.toml"
    own.parent.mkdir()
    text = circuits.find(track).read_text(encoding="utf-8").replace(f'"{name}"', '"Our Own Hill"', 1)
    own.write_text(text, encoding="utf-8")
    setup = {"rulebook": "ninety", "deck": 3} if track == "quarry-hill" else {}
    setup |= {"track": str(own), "cars": [{"car": 1}]}
    with RaceDesk.begin(begin(setup, circuits.board(str(own))), setup=setup, track=text, folder=tmp_path) as desk:
        own.unlink()
        shown = page(desk.sheet(), desk.history, Words("en", desk.rulebook.name))
    assert shown.head.subtitle.split(" · ")[1] == "Our Own Hill"


@pytest.mark.parametrize(("name", "subtitle"), [("", "Competition"), ("Thursday", "Competition · Monaco · begun {at}")])
def test_a_sheet_says_below_its_title_only_what_the_title_does_not(tmp_path: Path, name: str, subtitle: str) -> None:
    """The usual name of a race is its circuit and when it began."""
    setup = {"track": "monaco", "cars": [{"car": 1}]}
    track = circuits.board("monaco")
    text = circuits.find("monaco").read_text(encoding="utf-8")
    with RaceDesk.begin(begin(setup, track), setup=setup, track=text, folder=tmp_path, name=name) as desk:
        sheet = desk.sheet()
        usual = f"Monaco {moment(sheet.begun)}"
        head = page(msgspec.structs.replace(sheet, name=name or usual), desk.history, Words("en"), name="log").head
    assert (head.title, head.subtitle) == (name or usual, subtitle.format(at=moment(sheet.begun)))


def test_a_circuit_that_no_log_holds_is_told_by_its_key() -> None:
    desk = whole()
    head = page(desk.sheet(), desk.history, Words()).head
    assert (head.title, head.subtitle) == ("monaco", "Competition")


@pytest.mark.parametrize(
    ("said", "who", "kept"),
    [
        ("3 Ada brakes 2 spaces.", "3 Ada", "Brakes 2 spaces"),
        ("3 Ada, engine test: 2.", "3 Ada", "Engine test: 2"),
        ("33 Bob brakes.", "3", "33 Bob brakes"),
    ],
)
def test_a_sentence_is_shortened_by_its_car(said: str, who: str, kept: str) -> None:
    assert shortened(said, who) == kept


def test_the_cars_of_a_kept_race_stand_in_grid_order_and_in_their_colours(tmp_path: Path) -> None:
    board = circuits.load("spa")
    setup = {"track": "spa", "sky": "sun", "cars": [{"car": 12}, {"car": 3}, {"car": 7}], "plates": [5, 9, 2]}
    text = circuits.find("spa").read_text(encoding="utf-8")
    with RaceDesk.begin(begin(setup, board), setup=setup, track=text, folder=tmp_path) as desk:
        driver = HeuristicDriver(board, 1)
        for _ in range(30):
            assert desk.asked is not None
            desk.answer(driver.answer(desk.asked, desk.rulebook.race))
    with reading(tmp_path) as db:
        history = History.of(entries(db, find(db, "last").log_id))
    shown = page(race_sheet(history), history, Words())
    assert [(plate.number, plate.place) for plate in shown.head.cars] == [(12, 5), (3, 9), (7, 2)]
    assert shown.head.subtitle.startswith("Competition · Spa-Francorchamps · ")
    assert shown.car is not None
    assert shown.car.plate.number == 12
    assert [line.pool for line in shown.car.pools][:2] == ["tyres", "brakes"]


@pytest.mark.parametrize(
    ("lang", "said"), [("en", ("KERS 1", "raced on hard and soft")), ("fr", ("KERS 1", "a couru en durs et tendres"))]
)
def test_a_cup_car_s_page_tells_its_kers_and_what_it_has_raced_on(lang: str, said: tuple[str, ...]) -> None:
    car = {"car": 1, "at": "2:left:5", "gear": 3, "lap": 2, "status": "racing", "tyres": "hard", "kers": 1}
    setup = {"rulebook": "cup", "track": "monaco", "cars": [{**car, "raced": ["hard", "soft"]}], "to_play": [1]}
    desk = RaceDesk(begin(setup, circuits.load("monaco")))
    desk.answer(3)
    facts = car_page(desk.sheet(), 1, {}, Words(lang)).facts
    assert all(part in facts for part in said)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_reason_says_no_points_twice(lang: str) -> None:
    words, sheet = Words(lang), whole().sheet()
    for car in sheet.cars:
        lines = [line for line in car_page(sheet, car.car, PLATES, words).why if line.pool]
        for line, crossing in zip(lines, reversed(car.crossings), strict=True):
            assert not line.text.endswith(words.cost({crossing.pool: crossing.points})), line.text


def test_a_cars_page_says_of_how_many_laps() -> None:
    desk = raced(answers=60)
    assert "lap 1/2" in page(desk.sheet(), desk.history, Words(), name="car").car.facts  # type: ignore[union-attr]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_log_says_points_once_and_in_their_own_place(lang: str) -> None:
    words, desk = Words(lang), whole()
    rows = log_rows(desk.sheet(), desk.history, PLATES, words, show="cost")
    priced = [row for row in rows if row.price]
    assert priced
    for row in priced:
        assert row.price not in row.text
        assert row.text.endswith(".")
        assert row.text[:-1].rstrip("\u00a0 :") == row.text[:-1]


@pytest.mark.parametrize(("top", "bottom", "marks"), [(0, 10, (0, 3, 6, 9)), (22, 0, (0, 6, 12, 18)),
                                                      (100, 0, (0, 25, 50, 75, 100)), (1, 0, (0, 1))])  # fmt: skip
def test_marks_of_a_curve_are_whole_and_have_heights_of_their_own(
    top: int, bottom: int, marks: tuple[int, ...]
) -> None:
    curves = Curves(topic="gaps", title="", columns=("R1", "R2"), top=top, bottom=bottom, lines=())
    assert curves.marks == marks
    assert [curves.height(mark) for mark in marks] == [abs(top - mark) / abs(top - bottom) for mark in marks]
