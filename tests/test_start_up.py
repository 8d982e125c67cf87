"""What a short command does not import, so that it is there at once; how a locale is read quickly wherever it lies."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from importlib.metadata import version
from pathlib import Path

import pytest

from companion.version import VERSION
from companion.wording import locales
from tests.sheets.many import many_races
from tests.test_bad_input import companion

RUN = """
import json, sys
from companion.commands.main import main
try:
    main(sys.argv[1:])
except SystemExit as end:
    assert not end.code, end.code
print(json.dumps(sorted(sys.modules)), file=sys.stderr)
"""
HEAVY = (
    "PIL", "asyncio", "companion.drivers", "companion.rules.rulebooks", "companion.screens", "companion.view.sight",
    "fontTools", "fpdf", "importlib.metadata", "kivy", "nats", "numpy", "rich", "segno", "sqlite_utils", "starlette",
    "tomllib",
)  # fmt: skip
"""What takes longer to import than one of these commands may take in all."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("data")
    many_races(folder, 2)
    assert companion("tournament", "--data", folder, "new", "Cup").returncode == 0
    return folder


@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize(
    "words", ["--version", "races list", "tournament standings", "tournament standings --form csv"]
)
def test_what_a_short_command_does_not_import(folder: Path, words: str, lang: str) -> None:
    said = [sys.executable, "-c", RUN, "--data", str(folder), "--lang", lang, *words.split()]
    env = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    for _ in range(2):  # the first one may make the locale's JSON
        done = subprocess.run(said, capture_output=True, text=True, check=True, env=env)
        assert done.stdout.strip()
    modules = set(json.loads(done.stderr))
    assert "companion.wording" in modules
    spared = {"companion.rules.rulebooks", "tomllib"} if "csv" in words else set()
    assert modules & {*HEAVY, *(("msgspec",) if words == "--version" else ())} <= spared


def test_the_number_of_the_program_is_that_of_its_package() -> None:
    assert version("companion") == VERSION


# -- locales

TEXT = '[text]\nover = "terminé"\n'


@pytest.fixture
def written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    (tmp_path / "fr.toml").write_text(TEXT, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("name", ["en", "fr"])
def test_a_locale_says_the_same_from_its_json(name: str) -> None:
    wanted = tomllib.loads((locales.FOLDER / f"{name}.toml").read_text(encoding="utf-8"))
    assert locales.read(name) == wanted
    assert locales.read(name) == wanted, "the second time from the JSON"


def test_a_changed_locale_is_made_again(written: Path) -> None:
    assert locales.read("fr", written) == {"text": {"over": "terminé"}}
    assert locales.made_for(written, "fr").exists()
    (written / "fr.toml").write_text(TEXT.replace("terminé", "finie"), encoding="utf-8")
    assert locales.read("fr", written) == {"text": {"over": "finie"}}


@pytest.mark.parametrize("torn", [b"", b"00000000 1\n{}", b"half"])
def test_a_torn_json_is_made_again(written: Path, torn: bytes) -> None:
    locales.read("fr", written)
    made = locales.made_for(written, "fr").read_bytes()
    locales.made_for(written, "fr").write_bytes(torn if torn != b"half" else made[: len(made) // 2])
    assert locales.read("fr", written) == {"text": {"over": "terminé"}}
    assert locales.made_for(written, "fr").read_bytes() == made


def test_where_nothing_can_be_written_a_locale_is_read_all_the_same(written: Path) -> None:
    (written / "__pycache__").write_bytes(b"no folder")
    assert locales.read("fr", written) == {"text": {"over": "terminé"}}
    assert sorted(path.name for path in written.iterdir()) == ["__pycache__", "fr.toml"]
