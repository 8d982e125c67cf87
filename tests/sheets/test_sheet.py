"""The race sheet and the car sheets, made of the log alone, and what is exported."""

from __future__ import annotations

import csv
import hashlib
import io
import json
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from companion.circuits import find, load
from companion.desk import RaceDesk
from companion.drivers.chance import RandomDriver
from companion.rules.conversation.errors import CompanionError
from companion.rules.rulebooks import begin
from companion.sheets.build_sheet import race_sheet
from companion.sheets.export import as_csv, as_json
from companion.sheets.history import History
from companion.sheets.reading import entries, reading
from companion.sheets.reading import find as find_race
from companion.sheets.sheet import RaceSheet
from companion.sheets.verify import verify
from tests.toy import SETUP, toy


def log_of(folder: Path) -> list[Any]:
    with reading(folder) as db:
        return list(entries(db, find_race(db, "last").log_id))


def from_log(folder: Path) -> RaceSheet:
    return race_sheet(History.of(log_of(folder)))


@pytest.fixture
def desk(tmp_path: Path) -> Any:
    with RaceDesk.begin(toy(), setup=SETUP, track="a toy", folder=tmp_path, name="toy") as desk:
        yield desk


def say(desk: RaceDesk, *answers: int) -> None:
    for answer in answers:
        desk.answer(answer)


def test_points_are_crossed_off_with_round_reason_and_article(desk: RaceDesk, tmp_path: Path) -> None:
    say(desk, 2, 6, 5, 1, 3, 3, 1, 2, 2)
    say(desk, 1, 3, 2, 4)  # stops short on 7 and loses an engine point
    sheet = from_log(tmp_path)
    car = sheet.car(1)
    assert car is not None
    assert (car.driver, car.wear["brakes"], car.wear["engine"], car.built["brakes"]) == ("Ada", 1, 2, 3)
    assert [(c.round, c.n, c.pool, c.points, c.left, c.kind, c.article) for c in car.crossings] == [
        (1, 2, "brakes", -1, 2, "move", "7-1"),
        (2, 11, "brakes", -1, 1, "move", "7-1"),
        (2, 12, "engine", -1, 2, "engine", "16-1"),
    ]
    assert sheet.car(9) is None
    assert [(line.round, line.order) for line in sheet.rounds] == [(1, [1, 2, 3]), (2, [1, 2, 3])]
    assert [(place.round, place.place, place.lap) for place in car.places] == [(1, 1, 0), (2, 1, 5)]


def test_undone_answers_leave_no_trace_on_the_car_sheet(desk: RaceDesk, tmp_path: Path) -> None:
    say(desk, 2, 6, 5)
    desk.undo()
    say(desk, 6)
    car = from_log(tmp_path).car(1)
    assert car is not None
    assert (car.crossings, car.wear["brakes"]) == ([], 3)


def test_the_referees_word_corrections_notes_and_disputes_are_on_it(desk: RaceDesk, tmp_path: Path) -> None:
    say(desk, 2, 6, 5, 1, 3, 3)
    desk.override({"car": 2, "wear": {"brakes": 1}}, by="Ref", why="counted again")
    desk.answer(4, force=True, by="Ref", why="agreed")
    desk.correct(2, 6, keep="board", by="Ada", why="he did not brake")
    desk.correct(2, 5, by="Ada", why="he did after all")
    desk.note("windy", by="Ben")
    desk.dispute(5, by="Ben", why="it was a 5")
    sheet = from_log(tmp_path)
    assert [(w.n, w.by, w.why, w.change, w.answer) for w in sheet.overrides] == [
        (6, "Ref", "counted again", {"car": 2, "wear": {"brakes": 1}}, None),
        (7, "Ref", "agreed", None, 4),
    ]
    assert [(c.n, c.keep, c.was, c.answer, c.kept, c.why) for c in sheet.corrections] == [
        (2, "board", 5, 6, 0, "he did not brake"),
        (2, "replay", 5, 5, 5, "he did after all"),
    ]
    assert [(note.by, note.text) for note in sheet.notes] == [("Ben", "windy")]
    assert [(one.by, one.about, one.text) for one in sheet.disputes] == [("Ben", 5, "it was a 5")]
    car = sheet.car(2)
    assert car is not None
    (crossing,) = car.crossings
    assert (crossing.kind, crossing.points, crossing.left, crossing.facts) == (
        "override", -2, 1, {"why": "counted again"},
    )  # fmt: skip
    assert all(len(one.at) > 20 for one in [*sheet.overrides, *sheet.corrections, *sheet.notes])


def test_cars_stand_on_a_sheet_by_their_numbers(tmp_path: Path) -> None:
    setup = {"rulebook": "competition", "track": "monaco", "cars": [{"car": n} for n in (10, 2, 1)]}
    text = find("monaco").read_text(encoding="utf-8")
    with RaceDesk.begin(begin(setup, load("monaco")), setup=setup, track=text, folder=tmp_path) as desk:
        assert [car.car for car in desk.sheet().cars] == [1, 2, 10]
    assert [car.car for car in from_log(tmp_path).cars] == [1, 2, 10]


def test_tyres_and_status_are_as_they_stand_within_a_round(tmp_path: Path) -> None:
    track, text = load("monaco"), find("monaco").read_text(encoding="utf-8")
    setup = {"rulebook": "competition", "track": "monaco", "laps": 2, "cars": [{"car": n} for n in range(1, 5)]}
    driver = RandomDriver(track, 2)
    with RaceDesk.begin(begin(setup, track), setup=setup, track=text, folder=tmp_path) as desk:
        race: Any = desk.rulebook.race
        gone = False
        while not gone:
            assert desk.asked is not None
            desk.answer(driver.answer(desk.asked, race))
            sheet = race_sheet(desk.history)
            for car in race.cars:
                told = sheet.car(car.number)
                assert told is not None
                assert told.tyres == car.tyres
                assert (told.status in ("out", "wreck", "finished")) == (not car.alive or car.status == "finished")
                assert (told.status in ("grid", "stalled")) == (car.status in ("grid", "stalled"))
                gone = gone or not car.alive
        alive = next(car for car in race.cars if car.alive)
        other = "soft" if alive.tyres != "soft" else "rain"
        desk.override({"car": alive.number, "tyres": other, "status": "spun"}, by="Eve", why="changed")
        told = from_log(tmp_path).car(alive.number)
        assert told is not None
        assert (told.tyres, told.status) == (other, "spun")


def test_the_referees_word_is_of_the_round_that_has_begun(tmp_path: Path) -> None:
    """It answers no question: what is set before the first answer of round 2 is of round 2, as the table sees it."""
    track, text = load("monaco"), find("monaco").read_text(encoding="utf-8")
    setup = {"rulebook": "beginner", "track": "monaco", "cars": [{"car": n} for n in (1, 2, 3)]}
    driver = RandomDriver(track, 2)
    with RaceDesk.begin(begin(setup, track), setup=setup, track=text, folder=tmp_path) as desk:
        race: Any = desk.rulebook.race
        while race.round < 2:
            assert desk.asked is not None
            desk.answer(driver.answer(desk.asked, race))
        desk.override({"car": 1, "wear": {"points": 10}}, by="Eve", why="miscounted")
        desk.override({"car": 2, "status": "out"}, by="Eve", why="went home")
    sheet = from_log(tmp_path)
    worn = next(car for car in sheet.cars if car.car == 1)
    assert worn.crossings[-1].round == 2
    assert [gone.round for gone in sheet.retirements] == [2]


def test_a_correction_with_the_board_as_it_stands_is_on_the_car_sheet(desk: RaceDesk, tmp_path: Path) -> None:
    say(desk, 2, 6, 5, 1, 3, 3)
    desk.correct(2, 6, keep="board", by="Ada", why="he did not brake")
    car = from_log(tmp_path).car(1)
    assert car is not None
    assert [(c.kind, c.points, c.left) for c in car.crossings] == [("move", -1, 2), ("correction", 1, 3)]


def test_retirements_with_their_cause_and_the_result(desk: RaceDesk, tmp_path: Path) -> None:
    desk.override({"car": 1, "wear": {"engine": 1}}, by="Ref", why="for the test")
    say(desk, 2, 6, 6, 1, 3, 3, 1, 2, 2, 1, 1, 1, 3)
    sheet = from_log(tmp_path)
    assert [(r.car, r.round, r.cause, r.article) for r in sheet.retirements] == [(1, 2, "engine", "5-1")]
    assert sheet.result is None
    while desk.asked is not None:
        asked = desk.asked
        desk.answer(20 if asked.ask == "test" else asked.faces[-1] if asked.faces else asked.options[0].answer)  # type: ignore[index]
    sheet = from_log(tmp_path)
    assert sheet.result == desk.rulebook.result()
    assert sheet == desk.sheet()
    car = sheet.car(1)
    assert car is not None
    assert car.retired is not None
    assert (car.status, car.retired.cause) == ("out", "engine")


def test_a_whole_race_of_the_real_rulebook_and_its_sheet_agree(tmp_path: Path) -> None:
    """Built wear, every point lost and set, the order of each round and the result: the sheet against the state."""
    track, text = load("monaco"), find("monaco").read_text(encoding="utf-8")
    setup = {"rulebook": "competition", "track": "monaco", "laps": 1, "cars": [{"car": n} for n in range(1, 6)]}
    rng = Random(11)
    driver = RandomDriver(track, 11)
    with RaceDesk.begin(begin(setup, track), setup=setup, track=text, folder=tmp_path) as desk:
        orders: dict[int, list[int]] = {}
        steps = 0
        while desk.asked is not None and steps < 1500:
            desk.answer(driver.answer(desk.asked, desk.rulebook.race))  # type: ignore[arg-type]
            steps += 1
            if rng.random() < 0.05 and desk.n > 20:
                desk.undo(rng.randrange(1, 5))
            if rng.random() < 0.01 and desk.n > 40:
                change = {"car": rng.randrange(1, 6), "wear": {"tyres": rng.randrange(1, 6)}}
                desk.override(change, by="Ref", why="at random")
            if rng.random() < 0.01 and desk.n > 40:
                n = next(done.n for done in desk.answers()[-15:] if done.ask)
                item = desk.history.items[n].event
                try:
                    desk.correct(n, item.answer, keep=rng.choice(["board", "replay"]))
                except CompanionError:
                    continue
            round_ = desk.rulebook.round
            if round_ and round_ not in orders:
                orders[round_] = desk.rulebook.running_order()
        sheet = from_log(tmp_path)
        for car in desk.rulebook.race.cars:
            one = sheet.car(car.number)
            assert one is not None
            assert (one.wear, one.built) == (dict(car.wear), dict(car.built))
            lost = dict(one.built)
            for crossing in one.crossings:
                lost[crossing.pool] += crossing.points
                assert lost[crossing.pool] == crossing.left
                assert crossing.article or crossing.kind in ("override", "correction")
            assert (one.retired is not None) == (car.status in ("out", "wreck"))
        assert sheet.result == (desk.rulebook.result() if desk.over else None)
        assert desk.sheet().cars == sheet.cars or not desk.over
    from companion.sheets.replay import rulebook_of

    assert verify(tmp_path, "last", rulebook_of).problems == []


def test_the_sheet_of_a_race_in_memory(tmp_path: Path) -> None:
    with RaceDesk(toy(), setup=SETUP) as desk:
        say(desk, 2, 6, 5)
        car = desk.sheet().car(1)
        assert car is not None
        assert (car.wear["brakes"], car.driver) == (2, "Ada")


# -- exports


def test_json_holds_the_sheet_and_a_log_that_anybody_can_check(desk: RaceDesk, tmp_path: Path) -> None:
    say(desk, 2, 6, 5)
    desk.note("Überholt à l’extérieur", by="Zoë")
    told = json.loads(as_json(log_of(tmp_path)))
    assert told["sheet"] == json.loads(msgspec.json.encode(from_log(tmp_path)))
    prev = "00" * 32
    for entry in told["log"]:
        digest = entry.pop("hash")
        text = json.dumps(entry, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        assert hashlib.sha256(text.encode()).hexdigest() == digest
        assert entry["prev"] == prev
        prev = digest
    assert [entry["kind"] for entry in told["log"]] == ["setup", "answer", "answer", "answer", "note"]


def test_csv_holds_a_row_for_every_ruling_in_force(desk: RaceDesk, tmp_path: Path) -> None:
    say(desk, 2, 6, 5)
    desk.override({"surface": "wet"}, by='The "Ref", herself', why="it rains")
    say(desk, 1)
    desk.undo()
    rows = list(csv.DictReader(io.StringIO(as_csv(log_of(tmp_path)))))
    assert [(row["n"], row["ask"], row["answer"], row["ruling"], row["brakes"]) for row in rows] == [
        ("0", "gear", "2", "", ""),
        ("1", "roll", "6", "", ""),
        ("2", "landing", "5", "move", "-1"),
        ("3", "override", '{"surface":"wet"}', "override", ""),
    ]
    assert (rows[3]["by"], rows[3]["why"]) == ('The "Ref", herself', "it rains")


def test_a_race_on_a_circuit_of_ones_own_goes_on_when_its_file_is_gone(tmp_path: Path) -> None:
    path = tmp_path / "home.toml"
    path.write_text(find("monaco").read_text(encoding="utf-8"), encoding="utf-8")
    setup = {"track": str(path), "laps": 1, "cars": [{"car": 1}, {"car": 2}]}
    text = path.read_text(encoding="utf-8")
    with RaceDesk.begin(begin(setup, load(str(path))), setup=setup, track=text, folder=tmp_path) as desk:
        desk.answer(5)
        digest = desk.conversation.digest
    path.unlink()
    with RaceDesk.resume(tmp_path) as desk:
        assert desk.conversation.digest == digest
        assert desk.sheet().track == "home"
        assert desk.sheet().name.startswith("Monaco 20")
