"""A rulebook of one pool: the sheet, the columns of its export, and what a terminal shows and takes of its cards."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest

from companion.circuits import find as circuit
from companion.circuits import load
from companion.desk import RaceDesk
from companion.drivers.sensible import HeuristicDriver
from companion.rules.conversation.asking import Asked, Option
from companion.rules.rulebooks import begin
from companion.sheets.build_sheet import race_sheet
from companion.sheets.export import as_csv, as_json
from companion.sheets.history import History
from companion.sheets.reading import entries, find, reading
from companion.sheets.replay import rulebook_of
from companion.sheets.verify import verify
from companion.terminal.answers import typed
from companion.terminal.screen import RacePrinter
from companion.terminal.sheet import show_sheet
from companion.wording import Words


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A whole death race on disk."""
    track, text = load("kestrel-moor"), circuit("kestrel-moor").read_text("utf-8")
    cars = [{"car": number, "driver": f"D{number}"} for number in range(1, 5)]
    setup = {"rulebook": "death", "track": track.key, "laps": 1, "cars": cars}
    driver = HeuristicDriver(track, 5)
    with RaceDesk.begin(begin(setup, track), setup=setup, track=text, folder=tmp_path, name="arms") as desk:
        while (asked := desk.asked) is not None:
            desk.answer(driver.answer(asked, desk.rulebook.race))
    return tmp_path


def test_a_whole_death_race_is_written_down_and_found_as_it_was_ruled(folder: Path) -> None:
    with reading(folder) as db:
        log = list(entries(db, find(db, "last").log_id))
    assert verify(folder, "last", rulebook_of).problems == []
    rows = list(csv.DictReader(io.StringIO(as_csv(log))))
    assert "points" in rows[0]
    assert "tyres" not in rows[0]
    assert any(row["ruling"] == "shot" for row in rows)
    assert sum(int(row["points"] or 0) for row in rows) < 0
    assert '"weapons"' in as_json(log)
    sheet = race_sheet(History.of(log))
    assert all(set(car.wear) == {"points"} and car.more["weapons"] for car in sheet.cars)
    assert any(crossing.kind == "hit" for car in sheet.cars for crossing in car.crossings)


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_the_terminal_shows_the_one_pool_and_the_cards(
    folder: Path, lang: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with reading(folder) as db:
        sheet = race_sheet(History.of(list(entries(db, find(db, "last").log_id))))
    words = Words(lang, "death")
    show_sheet(RacePrinter(words), sheet)
    show_sheet(RacePrinter(words), sheet, 1)
    shown = capsys.readouterr().out
    car = sheet.car(1)
    assert car is not None
    assert f"{car.wear['points']}/{car.built['points']}" in shown
    assert words.card(next(iter(car.more["weapons"]))) in shown


@pytest.mark.parametrize(
    ("said", "answer"),
    [("1", {"fire": "flamer", "at": 3}), ("flamer", {"fire": "flamer", "at": 3}), ("reload", {"reload": "rear-mg"}),
     ("no action", None), ('{"fire": "flamer", "at": 9}', {"fire": "flamer", "at": 9})],
)  # fmt: skip
def test_an_attack_is_typed_by_number_by_name_or_as_it_is_written(said: str, answer: object) -> None:
    options = [Option({"fire": "flamer", "at": 3}), Option({"reload": "rear-mg"}), Option(None)]
    asked = Asked(0, "attack", "phase.one-action", 1, 1, options=options)
    assert typed(said, asked, Words("en", "death")) == answer


def test_a_clutch_is_typed_by_its_space() -> None:
    there = {"space": "3:left:1", "brakes": 0, "soft": 0}
    asked = Asked(0, "clutch", "clutch.drop", 1, 1, options=[Option(None), Option(there)])
    assert typed("3 l 1", asked, Words("en", "death")) == there
    assert typed("no", asked, Words("en", "death")) is None
