"""Start numbers of three digits at the touchscreen: each kind of question, the sheet, and a tournament of 300."""

from __future__ import annotations

import json
from typing import Any

import pytest

from companion.rules.rulebooks import RULEBOOKS
from tests.screens.panels import PANELS
from tests.screens.rig import Rig
from tests.screens.table import NAMES, driver_on, skip
from tests.screens.ui import Ui
from tests.tournament.commanding import Commander

NUMBERS = (888, 999, 100, 977, 404, 696)


@pytest.mark.parametrize("book", RULEBOOKS)
def test_each_kind_of_question_has_room_for_numbers_of_three_digits(book: str, at_race: Any) -> None:
    at = "quarry-hill" if book == "ninety" else "monaco"
    cars = [{"car": number, "driver": name, "team": "Nord"} for number, name in zip(NUMBERS, NAMES, strict=False)]
    if book == "league":
        cars = [{**car, "team": f"Team {place // 2}"} for place, car in enumerate(cars)]
    laps = 6 if book == "ninety" else 1
    made = at_race(at, rulebook=book, laps=laps, cars=cars)
    by, seen = driver_on(at, 5), set[str]()
    for _ in range(25):
        skip(made, by, lambda asked: asked.ask not in seen)
        asked = made.see(lambda desk: desk.asked)
        if asked is None:
            break
        seen.add(asked.ask)
        if made.app.visits[-1].name == "race":
            made.ui.audit()
    made.app.go("sheet")
    made.calm()
    made.ui.audit()
    assert len(seen) > 4


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Commander:
    """A tournament of 300 entrants of 37 clubs, dealt to 30 tables, of which one has raced."""
    run = Commander(tmp_path_factory.mktemp("many"), "tournament")
    run("new", "Grand Open", "--sessions", "1", "--laps", "1")
    listed = run.folder / "drivers.csv"
    rows = [f"{number}, Driver {number}, Club {number % 37}" for number in range(700, 1000)]
    listed.write_text("\n".join(rows), "utf-8")
    run("import", str(listed))
    run("checkin", "all")
    run("seed", "--tables", "30", "--from", "number")
    run("publish", "--why", "so be it")
    order = [str(row["number"]) for row in run.rows("table", "1.1")]
    run("result", "1.1", "--paper", " ".join(order[::-1]), by="Ada")
    run("confirm", "1.1", by="Eve")
    return run


def test_a_tournament_of_300_is_dealt_raced_and_printed(many: Commander) -> None:
    seats = many.rows("tables")
    assert sorted(int(str(row["number"])) for row in seats) == list(range(700, 1000))
    assert {row["table"] for row in seats} == {f"1.{at}" for at in range(1, 31)}
    last = [row["number"] for row in many.rows("table", "1.1")][-1]
    assert (many.rows("standings")[0]["number"], many.rows("standings")[0]["points"]) == (last, 10)
    many("weather", "12", "--round", "1")
    assert json.loads(many("setup", "1.30"))["cars"][0]["car"] == seats[-10]["number"]
    for sheet in (["tables"], ["table", "1.30"], ["standings"], ["entries"]):
        out = many.folder / "sheet.pdf"
        many(*sheet, "--form", "pdf", "--out", str(out))
        assert out.read_bytes().startswith(b"%PDF")


@pytest.mark.parametrize("panel", [0, 1])
@pytest.mark.parametrize(
    ("name", "given"),
    [("entrants", {}), ("seeding", {}), ("table_result", {"table": "1.1"}), ("table_result", {"table": "1.30"}),
     ("standings", {}), ("driver", {"number": 801})],
)  # fmt: skip
def test_its_screens_pass_the_audit(rig: Rig, many: Commander, name: str, given: dict[str, object], panel: int) -> None:
    rig.window(*PANELS[panel])
    ui = Ui(rig, many.folder)
    try:
        ui.app.go(name, kind="tournament", **given)
        ui.calm()
        ui.audit()
    finally:
        ui.close()
