"""The first start of an appliance whose system names no language: the table is asked for one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from companion.commands.main import companion
from companion.screens.app import launch
from companion.screens.app.app import CompanionApp
from companion.screens.app.settings import SettingsFile
from companion.screens.kit.theme import theme
from tests.screens.rig import Rig
from tests.screens.test_app import names
from tests.screens.ui import Ui


@pytest.fixture
def fresh(panel: Rig, tmp_path: Path) -> Iterator[CompanionApp]:
    """An appliance at its first page, where nobody has named a language."""
    made = opened(tmp_path)
    panel.settle()
    yield made
    made.close()


def opened(folder: Path) -> CompanionApp:
    made = CompanionApp(folder, SettingsFile(folder), "en", asks_language=True)
    made.open()
    return made


def test_one_tap_is_the_language_from_then_on(fresh: CompanionApp, panel: Rig, tmp_path: Path) -> None:
    assert names(fresh) == ["home", "language"]
    ui = Ui.over(panel, fresh)
    assert ui.sees("Which language? · Quelle langue\u00a0?", "English", "Français")
    ui.audit_both()
    ui.tap("Français")
    panel.until(lambda: names(fresh) == ["home"])
    assert theme.language == "fr"
    assert ui.sees("Réglages")
    fresh.close()
    again = opened(tmp_path)
    assert names(again) == ["home"], "it is asked once"
    again.close()
    fresh.open()


def test_the_box_of_buttons_answers_it_too(fresh: CompanionApp, panel: Rig) -> None:
    for name in ("next", "confirm"):
        fresh.press(name)
        panel.settle()
    assert (names(fresh), theme.language) == (["home"], "fr")


def test_who_leaves_it_is_asked_at_the_next_start(fresh: CompanionApp, panel: Rig, tmp_path: Path) -> None:
    fresh.back()
    assert names(fresh) == ["home"]
    ui = Ui.over(panel, fresh)
    ui.tap("Settings")
    assert ui.is_chosen("English"), "the language of the system"
    assert not SettingsFile(tmp_path).now.language


@pytest.mark.parametrize(
    ("words", "env", "asks"),
    [
        ([], {"LANG": "en_GB.UTF-8"}, True),  # as every Raspberry Pi OS comes
        ([], {"LANG": "C.UTF-8"}, True),
        ([], {}, True),
        ([], {"LANG": "fr_FR.UTF-8"}, False),
        ([], {"LANG": "en_US.UTF-8"}, False),
        ([], {"LANG": "en"}, False),  # as table.toml has it written
        ([], {"LANG": "en_GB.UTF-8", "LC_ALL": "fr_FR.UTF-8"}, False),
        (["--lang", "en"], {"LANG": "C.UTF-8"}, False),
        (["--data", "elsewhere"], {"LANG": "C.UTF-8"}, False),
    ],
)
def test_an_appliance_asks_unless_its_language_was_chosen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str], env: dict[str, str], asks: bool
) -> None:
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in {**env, "STATE_DIRECTORY": str(tmp_path)}.items():
        monkeypatch.setenv(name, value)
    said: dict[str, Any] = {}
    monkeypatch.setattr(launch, "run", lambda *_, **given: said.update(given))
    done = CliRunner().invoke(companion, words)
    assert done.exit_code == 0, done.output
    assert said["asks_language"] is asks
