"""The map's third recipe: a screen of one's own, opened by the app, touched, left."""

from __future__ import annotations

import importlib.util
from pathlib import Path

from tests.recipes import write_recipes
from tests.screens.rig import Rig
from tests.screens.table import Table


def test_a_screen_of_ones_own_is_opened_touched_and_left(rig: Rig, tmp_path: Path) -> None:
    spec = importlib.util.spec_from_file_location("tea", write_recipes(tmp_path)[3])
    assert spec is not None
    assert spec.loader is not None
    tea = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tea)
    folder = tmp_path / "data"
    folder.mkdir()
    table = Table(rig, folder)
    try:
        tea.open_tea(table.app)
        rig.settle()
        assert type(table.app.screen).__name__ == "TeaScreen"
        for cups in (1, 2):
            table.tap(table.app.screen.pour)  # type: ignore[union-attr]
            assert f"{cups} cups" in table.texts()
        table.tap(28, 24)  # the arrow at the top left
        assert [visit.name for visit in table.app.visits] == ["home"]
    finally:
        table.close()
