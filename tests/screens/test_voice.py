"""What is spoken, how loud, and how bright the panel is."""

from __future__ import annotations

import stat
import threading
from pathlib import Path

import pytest

from companion.screens.app import sound
from companion.screens.app.app import CompanionApp
from companion.screens.app.backlight import shine
from companion.screens.app.settings import SettingsFile
from companion.screens.app.sound import Speaker
from companion.screens.app.voice import Voice, spoken
from companion.screens.kit.theme import theme
from companion.view.shown_race import RaceShown
from tests.screens.rig import Rig
from tests.screens.table import Table, driver_on
from tests.screens.test_around import opened
from tests.screens.test_sound import Heard
from tests.screens.ui import Ui


def program(folder: Path) -> Path:
    """A program that writes down what it was asked to say."""
    path = folder / "espeak-ng"
    path.write_text(f'#!/bin/sh\nprintf "%s|" "$@" >> {folder}/said\n', encoding="utf-8")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


def test_it_speaks_in_the_language_of_the_table_as_loud_as_it_is_set(rig: Rig, tmp_path: Path) -> None:
    voice = Voice("spoken", volume=40)
    voice.program = str(program(tmp_path))
    voice.say("Au tour d’Élodie", "fr")
    rig.until(lambda: (tmp_path / "said").exists() and "tour" in (tmp_path / "said").read_text(encoding="utf-8"))
    assert (tmp_path / "said").read_text(encoding="utf-8") == "-v|fr|-a|80|--|Au tour d’Élodie|"


@pytest.mark.parametrize("level", ["off", "clock", "all"])
def test_nothing_is_spoken_that_is_not_wanted(tmp_path: Path, level: str) -> None:
    voice = Voice(level)
    voice.program = str(program(tmp_path))
    before = threading.enumerate()
    voice.say("Ada plays", "en")
    assert set(threading.enumerate()) <= set(before)  # no thread begins that could speak


def test_without_the_program_the_table_is_silent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    voice = Voice("spoken")
    before = threading.enumerate()
    voice.say("Ada plays", "en")
    assert voice.program is None
    assert set(threading.enumerate()) <= set(before)


def test_rulings_whose_turn_it_is_and_the_result_are_spoken(table: Table, language: str) -> None:
    table.app.choose(language=language)
    table.calm()
    said: list[str] = []
    pictures: list[RaceShown] = [table.shown]
    driver = driver_on()
    for _ in range(600):
        if table.see(lambda desk: desk.asked) is None:
            break
        table.given(table.wanted(driver))
        table.app.playing.seat.price("always")  # type: ignore[union-attr]
        table.calm()
        said.append(spoken(pictures[-1], table.shown))
        pictures.append(table.shown)
    names = [row.name for row in table.shown.order if row.position]
    turn = theme.words.screen("voice.turn", name=names[0])
    assert any(turn in one for one in said)
    assert said[-1].endswith(". ".join(f"{at}{theme.words.say('colon')}{name}" for at, name in enumerate(names[:3], 1)))
    assert spoken(pictures[-1], pictures[-1]) == ""


def test_sounds_are_as_loud_as_they_are_set(monkeypatch: pytest.MonkeyPatch) -> None:
    from kivy.core.audio import SoundLoader

    played: list[str] = []
    monkeypatch.setattr(sound, "best_card", lambda: "")
    monkeypatch.setattr(SoundLoader, "load", staticmethod(lambda path: Heard(path, played)))
    speaker = Speaker("spoken")
    speaker.volume = 30
    speaker.play("over")
    assert played == ["stop over", "over 30%"]


def test_every_panel_shines_as_bright_as_it_is_set_and_never_not_at_all(tmp_path: Path) -> None:
    for name, most in (("dsi", "255"), ("other", "31"), ("broken", "?")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "max_brightness").write_text(most, encoding="ascii")
        (tmp_path / name / "brightness").write_text(most, encoding="ascii")
    assert shine(40, tmp_path)
    assert [(tmp_path / name / "brightness").read_text() for name in ("dsi", "other", "broken")] == ["102", "12", "?"]
    assert shine(1, tmp_path)
    assert (tmp_path / "other" / "brightness").read_text() == "1"
    assert not shine(40, tmp_path / "none")


def test_brightness_and_volume_are_set_by_touch(
    app: CompanionApp, rig: Rig, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shone: list[int] = []
    monkeypatch.setattr("companion.screens.app.app.shine", shone.append)
    opened(app, rig, "settings")
    ui = Ui.over(rig, app)
    for _ in range(12):
        ui.tap(icon="minus", beside="Brightness")
    ui.tap(icon="minus", beside="Volume")
    ui.tap("Spoken")
    kept = SettingsFile(tmp_path / "data").now
    assert (kept.brightness, kept.volume, kept.sound, kept.shot_clock) == (10, 90, "spoken", 0)
    assert shone == [90, 80, 70, 60, 50, 40, 30, 20, 10]
    assert (app.speaker.volume, app.voice.volume, app.voice.level) == (90, 90, "spoken")
    for lang in ("en", "fr"):
        app.choose(language=lang)
        ui.audit_both()
