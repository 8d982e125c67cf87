"""`companion screenshots`: every screen as a picture, anywhere."""

from __future__ import annotations

import importlib.util
import os
import struct
import subprocess
import sys
import tomllib
import zlib
from pathlib import Path

import pytest
from PIL import Image

from companion.screens.app import pictures
from companion.screens.app.pictures import CARS, SHEETS, demo_race
from tests.screens.test_launch import BARE


def drawn(out: Path, *arguments: str) -> list[Path]:
    done = subprocess.run(
        [sys.executable, "-m", "companion.commands.main", "screenshots", str(out), *arguments],
        env={**BARE, "HOME": str(out.parent)}, capture_output=True, text=True, timeout=240, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    return [Path(line) for line in done.stdout.splitlines()]


def header(path: Path) -> tuple[int, int]:
    """The size of a picture, whose first part is whole."""
    data = path.read_bytes()
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = struct.unpack_from(">II", data, 16)
    assert struct.unpack_from(">I", data, 29)[0] == zlib.crc32(data[12:29])
    return width, height


def colours(path: Path) -> int:
    """How many different bytes a picture's lines hold: a blank one has a handful."""
    data = path.read_bytes()
    at, packed = 8, b""
    while at < len(data):
        (length,) = struct.unpack_from(">I", data, at)
        if data[at + 4 : at + 8] == b"IDAT":
            packed += data[at + 8 : at + 8 + length]
        at += 12 + length
    return len(set(zlib.decompress(packed)))


def test_screens_races_and_sheets_are_drawn_without_a_display(tmp_path: Path) -> None:
    sizes = {"home": (800, 480), "race-override": (800, 480), "components": (1280, 1600), "colour": (1280, 1010)}
    written = drawn(tmp_path / "out", *(word for scene in sizes for word in ("--screen", scene)))
    assert {path.stem: header(path) for path in written} == sizes
    for path in written:
        assert colours(path) > 30, path.name
    assert len({path.read_bytes() for path in written}) == len(written)
    assert os.listdir(tmp_path) == ["out"]


SLOW = """
import sys, threading, time
from companion.commands.main import main
run = threading.Thread.run
threading.Thread.run = lambda self: (time.sleep(self.name in ("home", "disk")), run(self))
main(["screenshots", sys.argv[1], "--screen", "home", "--screen", "status"])
"""


def test_a_picture_waits_for_what_its_screen_reads(tmp_path: Path) -> None:
    ran = subprocess.run(
        [sys.executable, "-c", SLOW, str(tmp_path)], env={**BARE, "HOME": str(tmp_path)}, capture_output=True,
        text=True, timeout=240, check=False,
    )  # fmt: skip
    assert (ran.returncode, ran.stderr) == (0, "")
    with Image.open(tmp_path / "home.png") as home:
        assert min(home.convert("RGB").getpixel((50, 200))) > 230, "the key that goes on with the race is white"
    with Image.open(tmp_path / "status.png") as status:
        ticked = status.convert("RGB").crop((20, 164, 44, 184)).getcolors(24 * 20) or []
    assert any(green > red + 60 for _, (red, green, _) in ticked), "the file with the races is sound"


def test_panels_lights_and_languages_are_chosen(tmp_path: Path) -> None:
    written = drawn(tmp_path / "out", "--screen", "settings", "--panel", "all", "--theme", "all", "--lang", "all")
    assert sorted(path.name for path in written) == sorted(
        "-".join(["settings", *(part for part in (panel, theme, lang) if part)]) + ".png"
        for panel in ("", "1280x720")
        for theme in ("", "daylight")
        for lang in ("", "fr")
    )
    assert {header(path) for path in written if "1280x720" in path.name} == {(1280, 720)}
    assert len({path.read_bytes() for path in written}) == 8


def test_an_installed_program_has_no_developers_sheets(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are not in the wheel, and where they are not there is no picture of them to be asked for."""
    root = Path(__file__).parent.parent.parent
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    (left_out,) = project["tool"]["hatch"]["build"]["targets"]["wheel"]["exclude"]
    assert (root / left_out / "gallery.py").exists()
    there, spec = importlib.util.find_spec, importlib.util.find_spec(pictures.__name__)
    assert spec is not None
    assert spec.loader is not None
    gone = left_out.replace("/", ".")
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == gone else there(name))
    installed = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(installed)
    assert installed.SHEETS == {}
    assert set(SHEETS) == {"components", "colour"}


def test_a_screen_that_there_is_not_is_refused(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "companion.commands.main", "screenshots", str(tmp_path), "--screen", "nothing"],
        env=BARE, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode == 2


def test_the_race_of_the_pictures_is_always_the_same(tmp_path: Path) -> None:
    digests = []
    for name in ("one", "two"):
        with demo_race(tmp_path / name, 40) as desk:
            digests.append(desk.conversation.digest)
            assert len(desk.rulebook.race.cars) == len(CARS)
    assert digests[0] == digests[1]
