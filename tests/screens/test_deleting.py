"""A race deleted from the list and restored from the settings, by touch."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from companion.screens.kit.theme import theme
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

    app.go("sheets")
    rig.settle(4)
    act, undelete = (theme.words.screen(f"sheet.{one}") for one in ("delete", "restore"))
    cancel = {"en": "Cancel", "fr": "Retour"}[language]
    ui.audit_both()
    for answer in (cancel, act):
        ui.hold(NAME)
        ui.audit_both()
        ui.tap(answer)
        assert ui.offers(NAME) == (answer == cancel)
    ui.audit_both()
    app.home()
    app.go("settings")
    ui.calm()
    ui.audit_both()
    ui.tap(theme.words.screen("settings.deleted"))
    ui.audit_both()
    ui.tap(NAME)
    ui.tap(undelete)
    assert not ui.offers(NAME)
    ui.audit_both()
    app.home()
    app.go("sheets")
    ui.calm()
    assert ui.offers(NAME)
    table.close()


def test_the_race_that_is_open_is_not_deleted(rig: Rig, at_race: Any) -> None:
    table = at_race()
    table.app.go("sheets")
    rig.settle(4)
    table.ui.hold(NAME)
    assert table.app.over is None
    assert table.ui.sees("This race is open; leave it first.")


@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_long_list_shows_older_races_by_a_touch_of_its_last_row(
    rig: Rig, folder: Path, language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.screens.pages.sheets.PAGE", 3)
    many_races(folder, 5)
    table = Table(rig, folder, language=language)
    table.app.go("sheets")
    table.rig.settle(4)
    table.ui.audit_both()
    table.ui.tap(theme.words.screen("sheet.older", count=2))
    assert all(table.ui.sees(f"race {number}") for number in range(5))
    table.close()
