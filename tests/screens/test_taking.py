"""The tables of a tournament or a season leave the device from the screens that show them."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from companion.sheets.place import EXPORTS
from tests.screens.test_new_event import menu
from tests.screens.test_season import begun
from tests.screens.test_tournament import begun as begun_tournament


@pytest.mark.parametrize(
    ("screen", "given", "wanted"),
    [("driver", {"number": 27}, "Driver · 27 Keller"),
     ("table_result", {"kind": "season", "table": "2"}, "Classification · race 2, Imola"),
     ("table_result", {"kind": "season", "table": "6"}, "Table sheet · race 6, Porto")],
)  # fmt: skip
def test_each_screen_opens_at_the_table_that_it_shows(
    open_at: Any, folder: Path, screen: str, given: dict[str, object], wanted: str
) -> None:
    begun(folder).close()
    ui = open_at(screen, **given)
    menu(ui, "take")
    assert ui.places(also=wanted) == [ui.where(icon="check")]


def test_every_form_is_written_and_one_that_is_there_is_asked_about(open_at: Any, folder: Path) -> None:
    begun(folder).close()
    ui = open_at("standings")
    menu(ui, "take")
    for form in ("PDF A4", "HTML", "CSV", "JSON"):
        ui.tap(form)
    made = {path.suffix: path for path in (folder / EXPORTS).iterdir()}
    assert {path.stem for path in made.values()} == {"Thursday-League-Drivers"}
    rows = list(csv.reader(made[".csv"].read_text(encoding="utf-8").splitlines()))
    assert any("Brun" in row and "82" in row for row in rows)
    assert json.loads(made[".json"].read_text(encoding="utf-8"))["rows"][0]["driver"] == "Brun"
    assert "Brun" in made[".html"].read_text(encoding="utf-8")
    a4 = made[".pdf"].read_bytes()
    assert a4[:5] == b"%PDF-"
    ui.tap("PDF Letter")
    assert made[".pdf"].read_bytes() == a4, "not before it is meant"
    ui.tap("Replace")
    assert made[".pdf"].read_bytes() != a4


def test_a_disk_that_takes_nothing_is_one_sentence(open_at: Any, folder: Path) -> None:
    begun(folder).close()
    (folder / EXPORTS).write_text("a file where the folder would be")
    ui = open_at("taking")
    ui.tap("CSV")
    assert ui.sees("Not written")


def test_a_tournament_has_its_sheets_in_the_list(open_at: Any, folder: Path) -> None:
    """Those of tables whose result is in are classifications; the others are sheets to be filled in."""
    begun_tournament(folder, seeded=True, published=True, raced=True)
    ui = open_at("seeding")
    menu(ui, "take")
    assert ui.places("Tables · round 1") == [ui.where(icon="check")]
    assert "Table sheet · table 1.1" not in ui.lines()
    ui.scroll(start=True)
    assert ui.sees("Entry list", "Trials", "Trial sheet · session 1", "Classification · table 1.1")
    ui.tap("Table sheet · table 1.2")
    ui.tap("PDF A4")
    assert [path.name for path in (folder / EXPORTS).iterdir()] == ["Rhône-Masters-Table-sheet-table-1-2.pdf"]
