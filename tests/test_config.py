"""`companion config`: what is set, where that comes from, and how it is changed; at the terminal, as people type it."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
import pytest

from companion.screens.app.settings import Settings, SettingsFile
from companion.wording import Words
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
        "wrong": False,
    }  # fmt: skip
    (tmp_path / "settings.toml").write_text('theme = "auto"\n')
    assert (listed(tmp_path, "theme")["theme"]["value"], listed(tmp_path)["theme"]["source"]) == ("auto", "file")
    for lang, heading in (("en", "Environment variables"), ("fr", "Variables d’environnement")):
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
    kept = SettingsFile(tmp_path)
    assert kept.complaint is None
    assert kept.now == msgspec.structs.replace(Settings(volume=40), **{name: value})
    assert config(tmp_path, name, "--default").returncode == 0
    assert SettingsFile(tmp_path).now == Settings(volume=40)
    assert file.read_text().startswith("# ours\n")


def test_the_referees_name_is_one_line_of_letters_and_no_longer_than_any_name(tmp_path: Path) -> None:
    typed = "Ada\x07\t of " + "x" * 60
    assert config(tmp_path, "referee", typed).returncode == 0
    assert SettingsFile(tmp_path).now.referee == "Ada of " + "x" * 23
    (tmp_path / "settings.toml").write_text('referee = "Eve\\u0007 ' + "y" * 60 + '"\n')
    assert SettingsFile(tmp_path).now.referee == "Eve " + "y" * 26, "by hand, too"


def test_what_is_set_of_the_box_is_what_the_box_reads(tmp_path: Path) -> None:
    for name, typed in (
        ("roller.port", "socket://10.0.0.2:9"), ("roller.port", "/dev/ttyUSB0"),
        ("buttons.clock", "none"), ("lamps.start", "7,8,9,10,11"), ("chip", "4"),
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
        (("theme", ""), "en", 'theme is one of dark, daylight, auto; "" is not.'),
        (("theme", ""), "fr", '"" n’en est pas'),
        (("theme", "purple"), "en", "theme is one of dark, daylight, auto; purple is not."),
        (("them", "dark"), "en", "There is no setting them; there is theme."),
        (("them",), "fr", "Il n’y a pas de réglage them"),
        (("nothing.like", "it"), "en", " config lists them"),
        (("data", "/tmp"), "en", "data is not kept in a file"),
        (("buttons.up", "2"), "en", "buttons.up cannot be on GPIO2 (pin 3 of the header), which has a resistor"),
        (("buttons.up", "6"), "en", "parts (buttons.up, buttons.down)"),
        (("lamps.red", "foo"), "en", 'lamps.red is the number of a GPIO, 0 to 27, such as 5; "foo" is none.'),
        (("lamps.start", "7,8"), "en", "lamps.start has five start lights or none, not 2."),
        (("lamps.start", "7"), "fr", "lamps.start donne cinq numéros"),
        (("buzzer.pin", "99"), "en", "buzzer.pin is the number of a GPIO, 0 to 27, such as 5; 99 is none."),
        (("buzzer.pin", "32"), "fr", "buzzer.pin est un numéro de GPIO, de 0 à 27"),
        (("roller.port", "foo"), "en", 'roller.port is a device, such as "/dev/companion-roller", or a URL'),
        (("roller.port", "5"), "fr", "roller.port est un périphérique"),
        (("chip", "foo"), "en", "chip is the number of a GPIO chip"),
        (("theme", "dark", "--default"), "en", "not both"),
        (("--default",), "en", "Which setting? --default needs its NAME."),
        (("--default",), "fr", "--default demande son nom."),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(tmp_path: Path, args: tuple[str, ...], lang: str, said: str) -> None:
    done = config(tmp_path, *args, lang=lang)
    assert done.returncode != 0
    assert said in done.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("lang", "said"), [("en", "correct it or delete it"), ("fr", "corrigez-le ou supprimez-le")])
def test_a_file_that_makes_no_sense_is_told_and_stays(tmp_path: Path, lang: str, said: str) -> None:
    file = tmp_path / "settings.toml"
    file.write_text("theme = \n")
    for args in ((), ("theme", "dark")):
        done = config(tmp_path, *args, lang=lang)
        assert (done.returncode, said in done.stderr) == (1, True)
    assert file.read_text() == "theme = \n"


def test_a_wiring_that_cannot_be_read_keeps_back_no_other_setting(tmp_path: Path) -> None:
    (tmp_path / "wiring.toml").write_text("[roller\n")
    changed = config(tmp_path, "theme", "daylight")
    assert (changed.returncode, changed.stderr, "daylight" in changed.stdout) == (0, "", True)
    for args in ((), ("--json",)):
        listed = config(tmp_path, *args)
        assert (listed.returncode, "wiring.toml" in listed.stderr, "daylight" in listed.stdout) == (1, True, True)


WRONG = [
    ('left_handed = "on"', "left_handed", "true, false"),
    ("rotation = 45", "rotation", "0, 90, 180, 270"),
    ("shot_clock = 999", "shot_clock", "0–300"),
    ('nope = "1"', "nope", ""),
]


@pytest.mark.parametrize(
    ("lang", "wrong", "unknown"),
    [
        ("en", "wrong: allowed are ", "wrong: no such setting"),
        ("fr", "faux\u00a0: valeurs admises\u00a0: ", "faux\u00a0: réglage inconnu"),
    ],
)
@pytest.mark.parametrize(("written", "name", "allowed"), WRONG)
def test_a_wrong_value_is_shown_with_what_is_allowed_and_all_the_others_too(
    tmp_path: Path, written: str, name: str, allowed: str, lang: str, wrong: str, unknown: str
) -> None:
    file = tmp_path / "settings.toml"
    file.write_text(f"# ours\nvolume = 40\n{written}\n")
    done = config(tmp_path, lang=lang)
    assert (done.returncode, done.stderr) == (0, "")
    line = next(line for line in done.stdout.splitlines() if line.split()[:1] == [name])
    assert line.endswith(f"{wrong}{allowed}" if allowed else unknown)
    assert line.split()[1] == written.partition(" = ")[2], "the raw value"
    assert all(one in done.stdout for one in (*Settings.__struct_fields__, "roller.port"))
    assert [one for one, said in listed(tmp_path).items() if said["wrong"]] == [name]
    kept = SettingsFile(tmp_path)
    assert (kept.now, file.exists()) == (Settings(volume=40), True), "the touchscreen takes the others, and says this"
    assert kept.complaint is not None
    assert name in Words(lang).error(kept.complaint)
    assert allowed in Words(lang).error(kept.complaint)
    assert config(tmp_path, "theme", "daylight").returncode == 0
    assert config(tmp_path, name, "--default").returncode == 0
    assert SettingsFile(tmp_path).complaint is None
    assert file.read_text() == '# ours\nvolume = 40\ntheme = "daylight"\n'


def test_wrong_values_are_mended_one_after_the_other(tmp_path: Path) -> None:
    (tmp_path / "settings.toml").write_text('rotation = 45\ntheme = "purple"\n')
    (tmp_path / "wiring.toml").write_text('[buttons]\nup = 99\n[lamps]\nred = 2\n[roller]\nport = "x"\n')
    mended = {
        "rotation": "90", "theme": "auto", "buttons.up": "5", "lamps.red": "6", "roller.port": "/dev/ttyUSB0",
    }  # fmt: skip
    assert {one for one, said in listed(tmp_path).items() if said["wrong"]} == mended.keys()
    for name, value in mended.items():
        assert config(tmp_path, name, "99x").returncode == 1
        assert config(tmp_path, name, value).returncode == 0
    assert not any(one["wrong"] for one in listed(tmp_path).values())
    assert SettingsFile(tmp_path).now == Settings(rotation=90, theme="auto")
    assert (wiring(tmp_path).buttons.up, wiring(tmp_path).lamps.red) == (5, 6)


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("config shot_clock -5", "shot_clock is one of 0–300; -5 is not."),
        ("config shot_clock -45 --json", "shot_clock is one of 0–300; -45 is not."),
        ("config buttons.up -3", "0 to 27, such as 5; -3 is none"),
        ("races form race -3", "A race has 1 to 20 cars; -3 is not"),
        ("config theme --defualt", "--default"),
    ],
)
def test_a_negative_number_is_a_value_and_no_option(tmp_path: Path, typed: str, said: str) -> None:
    done = entered("--data", tmp_path, "--lang", "en", *typed.split())
    assert done.returncode != 0
    assert said in done.stderr
