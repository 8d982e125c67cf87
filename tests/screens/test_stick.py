"""A stick is plugged into the appliance: the table is asked once whether it is theirs, by touch."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from companion.screens.app.app import CompanionApp
from companion.screens.app.pictures import demo_race
from companion.screens.app.settings import SettingsFile
from companion.sheets.backup import copies
from companion.sheets.place import COPIES
from companion.sheets.sticks import ours
from companion.wording import LANGUAGES
from tests.screens.audit import in_both_looks
from tests.screens.rig import Rig
from tests.screens.test_app import read
from tests.screens.ui import Ui


class Plug:
    """A stick that is in or out."""

    def __init__(self, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.path, self.there = path, True
        path.mkdir()
        monkeypatch.setattr(Path, "is_mount", lambda place: self.there and place == path)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_stick_is_asked_about_once(rig: Rig, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, language: str) -> None:
    folder = tmp_path / "data"
    demo_race(folder, 20).close()
    plug = Plug(tmp_path / "stick", monkeypatch)
    asked = {"en": "Is this USB stick yours?", "fr": "Cette clé USB est à vous\u00a0?"}[language]
    made = CompanionApp(folder, SettingsFile(folder), language)
    made.stick.place = plug.path
    made.open()

    def looked() -> bool:
        made.stick.look()
        rig.until(lambda: not rig.at_work())
        rig.wait(0.4)
        return Ui.over(rig, made).sees(asked)

    try:
        read(made, rig)
        assert looked()
        if shown := os.environ.get("PICTURES"):
            rig.screenshot(Path(shown) / f"stick-{language}.png")
        assert made.over is not None
        assert in_both_looks(made.over) == []
        rig.tap(made.over.made["cancel"])
        assert not looked(), "asked once: no is no, until it is plugged in anew"
        assert list(plug.path.iterdir()) == []
        plug.there = False
        assert not looked()
        plug.there = True
        assert looked()
        plug.there = False
        assert not looked(), "nobody is asked about a stick that is gone"
        plug.there = True
        assert looked()
        rig.tap(made.over.made["act"])
        rig.until(lambda: (plug.path / COPIES).is_dir() and copies(plug.path / COPIES))
        rig.until(lambda: ours(folder, plug.path))
        rig.wait(0.5)
        assert len(copies(plug.path / COPIES)) == 1, "the first copy at once"
        plug.there = False
        looked()
        plug.there = True
        assert not looked(), "it is known for ever"
    finally:
        made.close()
