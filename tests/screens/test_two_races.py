"""Two races in one data folder."""

from __future__ import annotations

import gc
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from companion.screens.app import pauses
from companion.screens.app.pauses import YOUNG_DUE
from companion.screens.kit.theme import theme
from tests.screens.rig import Rig
from tests.screens.table import Table, a_race, race_open


def test_a_race_that_another_one_was_begun_after_is_gone_on_with(panel: Rig, folder: Path, language: str) -> None:
    """By its sheet; then it is the last one, and the other one is gone on with in the same way."""
    ids = []
    for key in ("monaco", "spa"):
        with a_race(folder, key) as desk:
            assert desk.log is not None
            ids.append(desk.log.log_id)
    table = Table(panel, folder, language=language)
    try:
        for log_id in ids:
            table.app.home()
            table.app.go("sheets")
            table.calm()
            table.tap(400, 48 + 62 * (1.5 - ids.index(log_id)))  # the latest is the first
            for name in ("car", "log", "words", "export"):
                table.ui.tap(theme.words.screen(f"sheet.page.{name}"))
                table.ui.audit_both()
            table.ui.tap(theme.words.screen("home.resume"))
            table.until(lambda: race_open(table.app))
            table.calm()
            assert (table.app.visits[-1].name, table.app.playing.log_id) == ("race", log_id)
            table.app.go("sheet")
            table.ui.wait_for(theme.words.screen("sheet.page.export"))
            assert not table.ui.sees(theme.words.screen("home.resume"))
    finally:
        table.close()


def test_a_race_that_is_open_is_kept_from_the_garbage_collector(rig: Rig, folder: Path) -> None:
    """Looking through all that it is made of takes longer than a finger waits; once it is left it is looked through."""
    made = Table(rig, folder)
    gc.unfreeze()
    made.app.pauses.begin()
    try:
        made.app.playing.open(lambda: a_race(folder))
        made.until(lambda: race_open(made.app))
        assert gc.get_freeze_count() > 10_000
        made.app.playing.close()
        assert gc.get_freeze_count() == 0
    finally:
        made.close()
        gc.freeze()  # as it was: what the suite has collected


def test_garbage_waits_for_a_pause(rig: Rig, folder: Path) -> None:
    """Where somebody has just touched something it is not looked through, and soon after it is: the oldest once it is
    due, else what is new."""
    usual = gc.get_threshold()
    table = Table(rig, folder)
    table.app.pauses.begin()
    try:
        for _ in range(10):
            gc.collect(1)
        rig.tap(5, 5)
        rig.wait(1.5)
        assert gc.get_count()[2] >= 10
        rig.wait(4.5)
        assert gc.get_count()[2] < 10
        new = [[count] for count in range(YOUNG_DUE)]
        rig.tap(5, 5)
        rig.wait(1.5)
        assert gc.get_count()[0] >= len(new)
        rig.wait(4.5)
        assert gc.get_count()[0] < len(new)
    finally:
        table.close()
    assert gc.get_threshold() == usual


def test_what_keys_of_a_race_open_is_imported_in_its_pauses(
    rig: Rig, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not before a race is open, and not while somebody touches something."""
    assert all(map(find_spec, pauses.RACE_MODULES))
    (tmp_path / "seldom_opened.py").touch()
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(pauses, "RACE_MODULES", ("seldom_opened",))
    table = Table(rig, folder)
    table.app.pauses.begin()
    try:
        rig.wait(5)
        table.sit(lambda: a_race(folder))
        rig.tap(5, 5)
        rig.wait(1.5)
        assert "seldom_opened" not in sys.modules
        rig.wait(8.5)
        assert "seldom_opened" in sys.modules
    finally:
        table.close()
        gc.unfreeze()
        gc.freeze()  # as it was: what the suite has collected
