"""The map's third recipe: a screen of one's own, opened by the app, touched, left."""

from __future__ import annotations

import importlib.util
from pathlib import Path

from tests.recipes import write_recipes
from tests.screens.rig import Rig
from tests.screens.ui import Ui


def test_a_screen_of_ones_own_is_opened_touched_and_left(rig: Rig, tmp_path: Path) -> None:
    spec = importlib.util.spec_from_file_location("tea", write_recipes(tmp_path)[3])
    assert spec is not None
    assert spec.loader is not None
    tea = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tea)
    folder = tmp_path / "data"
    folder.mkdir()
    ui = Ui(rig, folder)
    try:
        tea.open_tea(ui.app)
        ui.calm()
        assert ui.sees("Tea")
        for cups in (0, 1):
            ui.tap(f"{cups} cups")
        assert ui.sees("2 cups")
        ui.back()
        assert ui.sees("New race")
    finally:
        ui.close()
