"""The tables of a tournament or a season leave the device from the screens that show them."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from companion.screens.kit.theme import theme
from companion.sheets.place import EXPORTS
from tests.screens.recorded import Table
from tests.screens.test_new_event import menu, touch
from tests.screens.test_season import begun
from tests.screens.test_tournament import begun as begun_tournament

if TYPE_CHECKING:
    from tests.screens.rig import Rig


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "data"


def taken(table: Table, form: str, paper: str = "") -> None:
    """A key of this device's own folder."""
    words = f"{form.upper()} {theme.words.screen(f'taking.{paper}')}" if paper else form.upper()
    table.ui.tap(words, beside=theme.words.screen("sheet.here"))
    table.wait()


@pytest.mark.parametrize(
    ("screen", "given", "wanted"),
    [("driver", {"number": 27}, "driver 27"),
     ("table_result", {"kind": "season", "table": "2"}, "classification 2"),
     ("table_result", {"kind": "season", "table": "6"}, "table 6")],
)  # fmt: skip
def test_each_screen_opens_at_the_table_that_it_shows(
    rig: Rig, folder: Path, screen: str, given: dict[str, object], wanted: str
) -> None:
    begun(folder).close()
    table = Table(rig, folder, screen, **given)
    try:
        menu(table, "take")
        here = table.screen
        assert f"{here.now.lists[here.selected_index][0]} {here.now.lists[here.selected_index][1]}".strip() == wanted
    finally:
        table.app.close()


def test_every_form_is_written_and_one_that_is_there_is_asked_about(rig: Rig, folder: Path) -> None:
    begun(folder).close()
    table = Table(rig, folder, "standings")
    try:
        menu(table, "take")
        for form, paper in (("pdf", "A4"), ("html", ""), ("csv", ""), ("json", "")):
            taken(table, form, paper)
        made = {path.suffix: path for path in (folder / EXPORTS).iterdir()}
        assert {path.stem for path in made.values()} == {"Thursday-League-Drivers"}
        assert made[".pdf"].read_bytes()[:5] == b"%PDF-"
        rows = list(csv.reader(made[".csv"].read_text(encoding="utf-8").splitlines()))
        assert any("Brun" in row and "82" in row for row in rows)
        assert json.loads(made[".json"].read_text(encoding="utf-8"))["rows"][0]["driver"] == "Brun"
        assert "Brun" in made[".html"].read_text(encoding="utf-8")
        a4 = made[".pdf"].read_bytes()
        taken(table, "pdf", "letter")
        assert made[".pdf"].read_bytes() == a4, "not before it is meant"
        assert table.app.over is not None
        table.tap(table.app.over.made["act"])
        assert made[".pdf"].read_bytes() != a4
    finally:
        table.app.close()


def test_a_disk_that_takes_nothing_is_one_sentence(rig: Rig, folder: Path) -> None:
    begun(folder).close()
    (folder / EXPORTS).write_text("a file where the folder would be")
    table = Table(rig, folder, "taking")
    try:
        taken(table, "csv")
        assert "Not written" in str(table.app.toast.shown.text)
    finally:
        table.app.close()


def test_a_tournament_has_its_sheets_in_the_list(rig: Rig, folder: Path) -> None:
    """Those of tables whose result is in are classifications; the others are sheets to be filled in."""
    begun_tournament(folder, seeded=True, published=True, raced=True)
    table = Table(rig, folder, "seeding")
    try:
        menu(table, "take")
        lists = [f"{kind} {of}".strip() for kind, of, _ in table.screen.now.lists]
        for one in ("tables 1", "table 1.2", "classification 1.1", "trials", "trialsheet 1", "entries", "blank 8"):
            assert one in lists
        assert "table 1.1" not in lists
        assert table.screen.selected_index == lists.index("tables 1")
        touch(table, table.screen.rows, lists.index("table 1.2"))
        taken(table, "pdf", "A4")
        assert [path.name for path in (folder / EXPORTS).iterdir()] == ["Rhône-Masters-Table-sheet-table-1-2.pdf"]
    finally:
        table.app.close()
