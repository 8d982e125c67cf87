"""A race deleted from the list and restored from the settings, by touch."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from companion.screens.pages.sheets import SheetsScreen
from companion.screens.widgets.theme import theme
from companion.screens.widgets.touch import ears
from tests.screens.audit import in_both_looks
from tests.screens.rig import Rig
from tests.screens.table import Table, a_race
from tests.screens.ui import Ui
from tests.sheets.many import many_races


def pressed(table: Table, target: Any, seconds: float = 0.0) -> None:
    """A row is tapped, or held."""
    left, top = target.to_window(target.x, target.top)
    x, y = (left + target.width / 2) / 1.0, top - 30
    from kivy.core.window import Window

    ears.listen()
    table.rig.settle(8)
    if seconds:
        table.rig.hold(x, Window.height - y, seconds)
    else:
        table.rig.tap(x, Window.height - y)
    table.rig.settle(4)


@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_race_is_deleted_by_a_hold_and_restored_from_the_settings(rig: Rig, folder: Path, language: str) -> None:
    a_race(folder).close()
    table = Table(rig, folder, language=language)
    app = table.app

    def screen() -> SheetsScreen:
        assert isinstance(app.screen, SheetsScreen)
        return app.screen

    app.go("sheets")
    rig.settle(4)
    assert in_both_looks(screen()) == []
    pressed(table, screen().rows, 1.2)
    assert app.over is not None
    assert in_both_looks(app.over) == []
    table.tap(app.over.cancel)
    assert len(screen().listed) == 1
    pressed(table, screen().rows, 1.2)
    assert app.over is not None
    table.tap(app.over.act)
    table.until(lambda: not screen().listed)
    assert in_both_looks(screen()) == []
    app.home()
    app.go("settings")
    rig.settle(4)
    assert in_both_looks(app.screen) == []
    Ui.over(rig, app).tap(theme.words.screen("settings.deleted"))
    assert len(screen().listed) == 1
    assert in_both_looks(screen()) == []
    pressed(table, screen().rows)
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
    assert isinstance(table.app.screen, SheetsScreen)
    pressed(table, table.app.screen.rows, 1.2)
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
    assert len(screen.rows.shown) == 4
    ears.listen()
    table.rig.settle(8)
    table.rig.tap(400, 48 + 3.5 * 62)
    table.rig.settle(4)
    assert [race.name for race in screen.listed] == [f"race {number}" for number in (4, 3, 2, 1, 0)]
    table.close()
