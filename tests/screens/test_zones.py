"""The DRS zones of the cup at the touchscreen: where a board has none the table names them, and proposals say so."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from companion import circuits
from companion.circuits import BOARDS
from companion.screens.setup.new_race import NewRaceScreen
from companion.view.setup.draft import Draft
from tests.screens.rig import Rig
from tests.screens.table import Table


def own_board(folder: Path) -> Path:
    """Monaco as somebody typed it in, without zones."""
    path = folder / BOARDS / "mine.toml"
    path.parent.mkdir(exist_ok=True)
    text = circuits.find("monaco").read_text(encoding="utf-8").replace('name    = "Monaco"', 'name    = "Mine"')
    path.write_text(re.sub(r"(?ms)^\[\[drs\]\].*?\n\n", "", text), encoding="utf-8")
    return path


@pytest.mark.article("cup", "drs.zones")
def test_zones_that_a_board_does_not_have_are_named_by_touch(panel: Rig, folder: Path, at_race: Any) -> None:
    made = at_race(str(own_board(folder)), 2, rulebook="cup")
    for number in (1, 2):
        assert (made.prompt.ask, made.prompt.title) == ("zone", f"DRS zone {number} is")
        for look, lang in (("dark", "en"), ("daylight", "fr")):
            made.app.choose(theme=look, language=lang)
            made.calm()
            made.audited()
        made.app.choose(theme="dark", language="en")
        made.calm()
        made.answer(made.prompt.keys[1])
    assert made.see(lambda desk: desk.rulebook.race.zones) == [[20, 0], [2]]
    assert made.prompt.ask == "test"


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_the_choice_of_a_circuit_says_whose_zones_they_are(panel: Rig, tmp_path: Path, lang: str) -> None:
    table = Table(panel, tmp_path, language=lang)
    own = own_board(circuits.look_in(tmp_path)).stem
    said = {
        "en": ("proposed", "The table names", "those of your board"),
        "fr": ("proposées", "La table nomme", "votre"),
    }
    for track, words in zip(("monaco", own, "spa"), said[lang], strict=True):
        table.show(NewRaceScreen, draft=Draft(rulebook="cup", track=track), step="circuit")
        assert table.ui.sees(words), table.ui.screen()
        table.ui.audit_both()
    table.close()
