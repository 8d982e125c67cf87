"""A race deleted from the list and restored from the settings, by touch."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.screens.kit.theme import theme
from companion.screens.pages.sheets import SheetsScreen
from tests.screens.audit import in_both_looks
from tests.screens.rig import Rig
from tests.screens.table import Table, a_race
from tests.sheets.many import many_races

NAME = "At the table"
"""Name of the race."""


@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_race_is_deleted_by_a_hold_and_restored_from_the_settings(rig: Rig, folder: Path, language: str) -> None:
    a_race(folder).close()
    table = Table(rig, folder, language=language)
    app, ui = table.app, table.ui

    def screen() -> SheetsScreen:
        assert isinstance(app.screen, SheetsScreen)
        return app.screen

    app.go("sheets")
    rig.settle(4)
    assert in_both_looks(screen()) == []
    ui.hold(NAME)
    assert app.over is not None
    assert in_both_looks(app.over) == []
    table.tap(app.over.cancel)
    assert len(screen().listed) == 1
    ui.hold(NAME)
    assert app.over is not None
    table.tap(app.over.act)
    table.until(lambda: not screen().listed)
    assert in_both_looks(screen()) == []
    app.home()
    app.go("settings")
    rig.settle(4)
    assert in_both_looks(app.screen) == []
    ui.tap(theme.words.screen("settings.deleted"))
    assert len(screen().listed) == 1
    assert in_both_looks(screen()) == []
    ui.tap(NAME)
    assert app.over is not None
    table.tap(app.over.act)
    table.until(lambda: not screen().listed)
    assert in_both_looks(screen()) == []
    app.home()
    app.go("sheets")
    assert len(screen().listed) == 1
    table.close()


def test_the_race_that_is_open_is_not_deleted(rig: Rig, folder: Path) -> None:
    table = Table.at_race(rig, folder, lambda: a_race(folder))
    table.app.go("sheets")
    rig.settle(4)
    table.ui.hold(NAME)
    assert table.app.over is None
    assert "This race is open; leave it first." in getattr(table.app.toast.shown, "text", "")
    table.close()


@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_long_list_shows_older_races_by_a_touch_of_its_last_row(
    rig: Rig, folder: Path, language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.screens.pages.sheets.PAGE", 3)
    many_races(folder, 5)
    table = Table(rig, folder, language=language)
    table.app.go("sheets")
    table.rig.settle(4)
    screen = table.app.screen
    assert isinstance(screen, SheetsScreen)
    assert in_both_looks(screen) == []
    table.ui.tap(theme.words.screen("sheet.older", count=2))
    assert all(table.ui.sees(f"race {number}") for number in range(5))
    table.close()
