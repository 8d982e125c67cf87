"""The code for a phone: what is read in it, and that it is small enough to be read."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion import circuits
from companion.desk import RaceDesk
from companion.drivers.sensible import HeuristicDriver
from companion.printing.code import MOST, as_code
from companion.rules.rulebooks import begin
from companion.sheets.entry import Entry
from companion.wording import LANGUAGES, Words
from tests.printing.test_race import RACES, kept, last, sheet_of


def test_of_a_finished_race_it_has_the_classification_and_the_last_entry(tmp_path: Path) -> None:
    log = kept("competition", cars=3)
    lines = as_code(log, "en").text.splitlines()
    rows = sheet_of(log).result or []
    assert lines[0] == "Evening of competition"
    assert lines[1].startswith("Competition · Monaco · begun ")
    assert lines[1].count("Competition") == 1
    assert len(lines) == 2 + len(rows) + 1
    for line, row in zip(lines[2:], rows, strict=False):
        place = "–" if row["place"] is None else f"{row['place']}."
        assert line.startswith(f"{place}  {row['car']}  ")
        assert f"{row['points']} pt" in line or not row["points"]
    assert lines[-1].endswith(log[-1].hash.hex()[:16])


def test_of_a_race_that_goes_on_it_has_the_order_and_how_far_it_is(tmp_path: Path) -> None:
    log = kept("competition", answers=60, cars=3)
    now = sheet_of(log).rounds[-1]
    lines = as_code(log, "fr").text.splitlines()
    assert lines[2] == Words("fr").screen("sheet.round", round=now.round)
    assert [int(line.split("  ")[1]) for line in lines[3:-1]] == now.order


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("book", RACES)
@pytest.mark.parametrize("answers", [0, 10_000])
def test_every_rulebook_has_one(tmp_path: Path, book: str, lang: str, answers: int) -> None:
    made = as_code(kept(book, answers), lang)
    assert len(made.rows) == len(made.rows[0]) <= 109
    assert len(made.text.encode()) <= MOST


@pytest.mark.parametrize("letter", ["W", "ß", "山", "🏁"])
def test_with_twenty_long_names_it_is_small_enough(tmp_path: Path, letter: str) -> None:
    made = as_code(twenty(tmp_path, letter), "fr")
    assert len(made.rows) <= 109
    assert made.text.count("\n") == 2 + 20
    assert f"20  {letter * 3}" in made.text


def twenty(folder: Path, letter: str) -> list[Entry]:
    """The log of a race of twenty cars whose names are one letter thirty times."""
    board = circuits.load("spa")
    setup = {"track": board.key, "laps": 1, "cars": [{"car": n, "driver": letter * 30} for n in range(1, 21)]}
    text = circuits.find(board.key).read_text(encoding="utf-8")
    driver = HeuristicDriver(board, 3)
    with RaceDesk.begin(begin(setup, board), setup=setup, track=text, folder=folder, name=letter * 60) as desk:
        while desk.asked is not None:
            desk.answer(driver.answer(desk.asked, desk.rulebook.race))
    return last(folder)
