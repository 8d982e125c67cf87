"""The version page: what is installed, and whether that is what the appliance's lock names; reached by touch."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from companion.screens.app.app import CompanionApp
from companion.screens.app.settings import SettingsFile
from companion.screens.pages import version
from companion.screens.pages.version import LOCK, PackageRow, lock_of, name_of, parts
from companion.wording import LANGUAGES
from tests.screens.rig import Rig
from tests.screens.test_app import names, read
from tests.screens.ui import Ui

OURS = Path(__file__).parent.parent.parent / "systemd/requirements.txt"


def test_the_lock_beside_the_program_is_read(tmp_path: Path) -> None:
    assert lock_of(tmp_path) == {}
    (tmp_path / LOCK).parent.mkdir()
    (tmp_path / LOCK).write_bytes(OURS.read_bytes())
    lock = lock_of(tmp_path)
    assert lock["kivy"] == "2.3.1"
    assert len(lock) == len(re.findall("^[a-z].*==", OURS.read_text(encoding="utf-8"), re.MULTILINE))
    assert name_of(Path("/opt/companion/versions/0.1.0-1a2b3c4d")) == "0.1.0-1a2b3c4d"
    assert name_of(Path("/home/ada/companion/.venv")) == ""
    found = {part.name: part for part in parts(lock)}
    assert found["kivy"].version == found["kivy"].locked == "2.3.1"
    assert "companion" not in found


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", ["none", "same", "other"])
def test_what_is_installed_is_shown(
    rig: Rig, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, language: str, kind: str
) -> None:
    few = [part for part in parts({}) if f"\n{part.name}==" in OURS.read_text(encoding="utf-8")]
    locked = [
        PackageRow(name=one.name, version=one.version, locked=one.version if kind == "same" else "0") for one in few
    ]
    monkeypatch.setattr(version, "parts", lambda _: locked)
    monkeypatch.setattr(version, "lock_of", lambda: {} if kind == "none" else {"kivy": "1"})
    made = CompanionApp(tmp_path, SettingsFile(tmp_path), language)
    made.open()
    try:
        read(made, rig)
        made.go("status")
        read(made, rig)
        ui = Ui.over(rig, made)
        ui.tap("Version")
        assert names(made) == ["home", "status", "version"]
        assert "2.3.1" in ui.row("kivy"), ui.screen()
        told = {
            "none": {"en": "installed without a lock", "fr": "installés sans verrou"},
            "same": {"en": "each as the lock names it", "fr": "chacun tel que le verrou le nomme"},
            "other": {"en": "not as the lock names it", "fr": "ne sont pas ceux du verrou"},
        }[kind][language]
        assert ui.sees(told), ui.screen()
        ui.audit_both()
    finally:
        made.close()
