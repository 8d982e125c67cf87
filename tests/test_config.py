"""`companion config`: what is set, where that comes from, and how it is changed; at the terminal, as people type it."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
import pytest

from companion.screens.app.settings import Kept, Settings
from hardware.wiring import wiring
from tests.test_bad_input import companion as entered


def config(folder: Path, *args: str, lang: str = "en") -> subprocess.CompletedProcess[str]:
    return entered("--data", folder, "--lang", lang, "config", *args)


def listed(folder: Path, *args: str) -> Mapping[str, Mapping[str, Any]]:
    return {one["name"]: one for one in json.loads(config(folder, *args, "--json").stdout)}


def test_every_setting_is_listed_with_its_file_and_source(tmp_path: Path) -> None:
    found = listed(tmp_path)
    assert set(found) >= {*Settings.__struct_fields__, "data", "roller.port", "buttons.up", "lamps.start"}
    assert (found["data"]["value"], found["data"]["source"]) == (str(tmp_path), "option")
    assert found["theme"] | {"allowed": ""} == {
        "name": "theme", "value": "dark", "source": "default", "file": str(tmp_path / "settings.toml"), "allowed": "",
    }  # fmt: skip
    (tmp_path / "settings.toml").write_text('theme = "auto"\n')
    assert (listed(tmp_path, "theme")["theme"]["value"], listed(tmp_path)["theme"]["source"]) == ("auto", "file")
    for lang, heading in (("en", "What the environment says"), ("fr", "Ce que dit l’environnement")):
        said = config(tmp_path, lang=lang).stdout
        assert heading in said
        assert all(name in said for name in found)


def test_the_language_is_the_locales_until_the_table_chooses_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LC_ALL", "fr_FR.UTF-8")
    language = listed(tmp_path)["language"]
    assert (language["value"], language["source"]) == ("fr", "environment")
    config(tmp_path, "language", "en")
    language = listed(tmp_path)["language"]
    assert (language["value"], language["source"]) == ("en", "file")


@pytest.mark.parametrize(
    ("name", "typed", "value"),
    [
        ("theme", "daylight", "daylight"),
        ("rotation", "180", 180),
        ("reduced_motion", "on", True),
        ("left_handed", "true", True),
        ("shot_clock", "45", 45),
        ("connector", "HDMI-A-1", "HDMI-A-1"),
        ("density", "2.5", 2.5),
    ],
)
def test_what_is_set_is_what_the_touchscreen_reads(tmp_path: Path, name: str, typed: str, value: object) -> None:
    file = tmp_path / "settings.toml"
    file.write_text("# ours\nvolume = 40\n")
    assert config(tmp_path, name, typed).returncode == 0
    kept = Kept(tmp_path)
    assert kept.complaint is None
    assert kept.now == msgspec.structs.replace(Settings(volume=40), **{name: value})
    assert config(tmp_path, name, "--default").returncode == 0
    assert Kept(tmp_path).now == Settings(volume=40)
    assert file.read_text().startswith("# ours\n")


def test_what_is_set_of_the_box_is_what_the_box_reads(tmp_path: Path) -> None:
    for name, typed in (
        ("roller.port", "/dev/ttyUSB0"), ("buttons.clock", "none"), ("lamps.start", "7,8,9,10,11"), ("chip", "4"),
    ):  # fmt: skip
        assert config(tmp_path, name, typed).returncode == 0
    wired, usual = wiring(tmp_path), wiring()
    assert (wired.roller.port, wired.buttons.clock, wired.chip) == ("/dev/ttyUSB0", None, 4)
    assert wired.lamps.start == (7, 8, 9, 10, 11)
    assert (wired.buttons.up, wired.lamps.red) == (usual.buttons.up, usual.lamps.red)
    for name in ("roller.port", "buttons.clock", "lamps.start", "chip"):
        config(tmp_path, name, "--default")
    assert wiring(tmp_path) == usual


@pytest.mark.parametrize(
    ("args", "lang", "said"),
    [
        (("shot_clock", "999"), "en", "shot_clock is one of 0–300; 999 is not."),
        (("shot_clock", "999"), "fr", "choisissez parmi 0–300"),
        (("theme", "purple"), "en", "theme is one of dark, daylight, auto; purple is not."),
        (("them", "dark"), "en", "There is no setting them; there is theme."),
        (("them",), "fr", "Il n’y a pas de réglage them"),
        (("nothing.like", "it"), "en", "companion config lists them"),
        (("data", "/tmp"), "en", "data is not kept in a file"),
        (("buttons.up", "2"), "en", "has a resistor of its own"),
        (("theme", "dark", "--default"), "en", "not both"),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(tmp_path: Path, args: tuple[str, ...], lang: str, said: str) -> None:
    done = config(tmp_path, *args, lang=lang)
    assert done.returncode != 0
    assert said in done.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("lang", "said"), [("en", "mend it or delete it"), ("fr", "corrigez-le ou supprimez-le")])
def test_a_file_that_makes_no_sense_is_told_and_stays(tmp_path: Path, lang: str, said: str) -> None:
    file = tmp_path / "settings.toml"
    file.write_text("theme = \n")
    for args in ((), ("theme", "dark")):
        done = config(tmp_path, *args, lang=lang)
        assert (done.returncode, said in done.stderr) == (1, True)
    assert file.read_text() == "theme = \n"


@pytest.mark.parametrize("written", ['left_handed = "on"', "rotation = 45", 'nope = "1"'])
def test_what_the_touchscreen_could_not_read_is_told_and_not_built_upon(tmp_path: Path, written: str) -> None:
    file = tmp_path / "settings.toml"
    file.write_text(f"volume = 40\n{written}\n")
    for args in ((), ("theme", "dark")):
        done = config(tmp_path, *args)
        assert (done.returncode, "mend it or delete it" in done.stderr) == (1, True)
    assert file.read_text() == f"volume = 40\n{written}\n"
