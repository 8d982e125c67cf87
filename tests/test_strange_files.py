"""What a power cut, a person or a joke may leave in the place of a file of the program's: one sentence, and no waiting
for what never comes."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner, Result

from companion import whole_file
from companion.circuits import find as find_circuit
from companion.circuits import load
from companion.commands.main import companion as commands
from companion.desk import RaceDesk
from companion.drivers.chance import RandomDriver
from companion.rules.conversation.errors import CompanionError, LogError
from companion.rules.rulebooks import begin
from companion.screens.app.launch import keep_log
from companion.screens.app.settings import SettingsFile
from companion.sheets.backup import backup
from companion.sheets.entrants import remembered
from companion.sheets.export import as_csv, plain
from companion.sheets.place import DATABASE
from companion.sheets.reading import entries, find, reading
from companion.sheets.storage import look
from hardware.wiring import BadWiring, wiring
from tests.french import told_in_french
from tests.test_bad_input import companion, complaint, sentence
from tests.toy import SETUP, pick, toy

DEEP = "a = " + "[" * 3000 + "]" * 3000


def pipe(path: Path) -> None:
    os.mkfifo(path)


def device(path: Path) -> None:
    path.symlink_to("/dev/zero")


def folder(path: Path) -> None:
    path.mkdir()


STRANGE = (pipe, device, folder)


@pytest.mark.parametrize("put", STRANGE)
def test_what_is_no_file_in_the_place_of_the_races_is_one_sentence(tmp_path: Path, put: Callable[[Path], None]) -> None:
    put(tmp_path / DATABASE)
    ends = (
        ["races", "list"],
        ["races", "show"],
        ["races", "verify"],
        ["races", "export", "--csv"],
        ["race"],
        ["races", "backup", str(tmp_path / "c")],
    )
    for command in ends:
        said = complaint(companion("--lang", "en", *command, "--data", tmp_path))
        assert f"{tmp_path / DATABASE} is no database" in said, (command, said)
    found = look(tmp_path)
    assert "damaged" in found.faults


@pytest.mark.parametrize("put", STRANGE)
def test_what_is_no_file_in_the_place_of_what_people_edit_is_one_sentence(
    tmp_path: Path, put: Callable[[Path], None]
) -> None:
    for name in ("settings.toml", "drivers.toml", "wiring.toml", "companion.log"):
        put(tmp_path / name)
    kept = SettingsFile(tmp_path)
    assert kept.complaint is not None
    sentence(str(kept.complaint))
    told_in_french(kept.complaint)
    with pytest.raises(CompanionError) as refused:
        remembered(tmp_path)
    sentence(str(refused.value))
    told_in_french(refused.value)
    with pytest.raises(BadWiring) as wrong:
        wiring(tmp_path)
    sentence(str(wrong.value))
    told_in_french(wrong.value)
    keep_log(tmp_path)


def test_files_nested_three_thousand_deep_are_one_sentence(tmp_path: Path) -> None:
    for name in ("settings.toml", "drivers.toml", "wiring.toml"):
        (tmp_path / name).write_text(DEEP, encoding="utf-8")
    assert "nested too deeply" in told_in_english(SettingsFile(tmp_path).complaint)
    assert SettingsFile(tmp_path).complaint is None, "it is put aside"
    with pytest.raises(CompanionError) as refused:
        remembered(tmp_path)
    assert "nested too deeply" in told_in_english(refused.value)
    with pytest.raises(BadWiring) as wrong:
        wiring(tmp_path)
    assert "nested too deeply" in told_in_english(wrong.value)
    (tmp_path / "settings.toml").write_text(DEEP, encoding="utf-8")
    kept = SettingsFile(tmp_path)
    (tmp_path / "settings.toml").write_text(DEEP, encoding="utf-8")
    kept.change(theme="daylight")
    assert SettingsFile(tmp_path).now.theme == "daylight"


def told_in_english(wrong: CompanionError | None) -> str:
    assert wrong is not None
    told_in_french(wrong)
    return sentence(str(wrong))


def test_a_file_far_too_long_is_not_read(tmp_path: Path) -> None:
    with (tmp_path / "settings.toml").open("wb") as file:
        file.truncate(whole_file.MOST + 1)
    assert "longer than" in told_in_english(SettingsFile(tmp_path).complaint)


@pytest.mark.parametrize("begun", [False, True])
def test_an_empty_database_holds_no_races_yet(tmp_path: Path, begun: bool) -> None:
    """As the power cut leaves it that goes while the first race begins."""
    if begun:
        with sqlite3.connect(tmp_path / DATABASE) as db:
            db.execute(f"PRAGMA application_id={int.from_bytes(b'RefC', 'big')}")
    else:
        (tmp_path / DATABASE).touch()
    for command in (["races", "show"], ["races", "verify"], ["races", "export", "--json"]):
        assert "There are no races" in complaint(companion("--lang", "en", *command, "--data", tmp_path))
    listed = companion("--lang", "en", "races", "list", "--data", tmp_path)
    assert "There are no races" in listed.stdout + listed.stderr
    if not begun:
        assert (listed.stdout, listed.returncode) == ("There are no races yet.\n", 0)
        with pytest.raises(LogError, match="no races"):
            backup(tmp_path, tmp_path / "copies")
    assert look(tmp_path).why is None
    with RaceDesk.begin(toy(), setup=SETUP, track="a toy", folder=tmp_path, name="first") as desk:
        desk.answer(pick(desk.asked, Random(1)))
    assert "first" in companion("--lang", "en", "races", "list", "--data", tmp_path).stdout


@pytest.mark.parametrize("cell", ["=1+1", "+cmd", "-2+3", "@SUM(A1)", "\t=1", "\r=1", "-", "=", "-1 apple"])
def test_no_cell_is_a_formula(cell: str) -> None:
    assert plain(cell) == f"'{cell}"


@pytest.mark.parametrize("cell", ["-1", "+2", "-1.5", 3, -4, None, "Ada", "a=1", ""])
def test_numbers_and_words_stay_as_they_are(cell: object) -> None:
    assert plain(cell) == cell


def test_what_people_wrote_is_no_formula_in_the_csv_of_a_race(tmp_path: Path) -> None:
    evil = '=HYPERLINK("http://x","y")'
    setup = {"track": "monaco", "laps": 1, "cars": [{"car": 1}, {"car": 2}]}
    text, track = find_circuit("monaco").read_text(encoding="utf-8"), load("monaco")
    with RaceDesk.begin(begin(setup, track), setup=setup, track=text, folder=tmp_path) as desk:
        driver = RandomDriver(track, 3)
        for _ in range(6):
            assert desk.asked is not None
            desk.answer(driver.answer(desk.asked, desk.rulebook.race), by="@" + evil)
        desk.override({"surface": "wet"}, by="+Ada", why=evil)
    with reading(tmp_path) as db:
        log = list(entries(db, find(db, "last").log_id))
    table = list(csv.reader(io.StringIO(as_csv(log))))
    cells = [cell for row in table[1:] for cell in row]
    assert f"'{evil}" in cells
    assert "'+Ada" in cells
    for cell in cells:
        if cell.startswith(("=", "+", "-", "@", "\t", "\r")):
            float(cell)


HOMELESS = """
import os, pwd, sys
def nobody(uid): raise KeyError(uid)
pwd.getpwuid = nobody
from companion.commands.main import main
main(sys.argv[1:])
"""


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_a_user_without_a_home_is_told_to_name_the_folder(tmp_path: Path, lang: str) -> None:
    """No $HOME, and the system knows no such user, as in a container: nothing is written anywhere unasked."""
    environment = {name: value for name, value in os.environ.items() if name != "HOME" and not name.startswith("XDG_")}

    def run(*words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-c", HOMELESS, *words, "--lang", lang], env=environment, cwd=tmp_path,
            input="", capture_output=True, text=True, check=False,
        )  # fmt: skip

    for words in (
        ["races", "list"],
        ["race"],
        ["referee"],
        ["races", "list", "--data", "~/races"],
        ["race", "--data", "~nobody-here/x"],
    ):
        done = run(*words)
        assert done.returncode == 1, done
        assert done.stderr.count("\n") == 1, done.stderr
        assert "--data" in done.stderr
    assert run("races", "list", "--data", "races").returncode == 0
    assert run("screenshots", "pictures", "--screen", "home", "--data", "races").returncode == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["pictures"]


TURNED = "Ad\u202ea\u2066 \u200fB"


def test_a_name_holds_no_mark_that_turns_letters_round(tmp_path: Path) -> None:
    """Of what is typed for a race and of a list of entrants they go; what else is entered is refused, in a sentence."""
    (tmp_path / "setup.json").write_text(json.dumps({
        "track": "monza", "laps": 1, "cars": [{"car": 1, "driver": TURNED, "team": TURNED}, {"car": 2}],
    }))  # fmt: skip
    (tmp_path / "list.csv").write_text(f"1,{TURNED},{TURNED}\n2,Bo\n")
    data = ["--data", str(tmp_path), "--lang", "en"]

    def run(*words: str, typed: str = "") -> Result:
        return CliRunner().invoke(commands, [*data, *words], input=typed)

    done = run("race", "--track", "monza", "--laps", "1", "--cars", f"{TURNED}, Bo", typed="cup\n4\nquit\n")
    assert "Ada B" in done.output
    setup = {"track": "monza", "cars": [{"car": 1, "driver": TURNED}]}
    said = run("referee", typed=json.dumps({"setup": setup}, ensure_ascii=False))
    assert "no line break and no other control character" in said.output
    assert isinstance(run("race", "--setup", str(tmp_path / "setup.json")).exception, CompanionError)
    (tmp_path / "boards").mkdir()
    board = re.sub(
        '(?m)^(name *= *)".*"$', rf'\1"{TURNED}"', find_circuit("monza").read_text(encoding="utf-8"), count=1
    )
    (tmp_path / "boards" / "turned.toml").write_text(board, encoding="utf-8")
    assert "another control character" in run("tracks", "check", str(tmp_path / "boards" / "turned.toml")).output
    for words in (
        ["tournament", "new", "Cup", "--track", "monza"],
        ["tournament", "--by", TURNED, "import", str(tmp_path / "list.csv")],
        ["tournament", "enter", f"{TURNED} II", "--team", TURNED],
        ["season", "new", "Cup", "monza", "--rulebook", "cup"],
        ["hall", "open", "Day"],
    ):
        done = run(*words)
        assert done.exit_code == 0, (words, done.output, done.exception)
    for words in (
        ["tournament", "new", TURNED, "--track", "monza"],
        ["tournament", "note", TURNED],
        ["season", "new", TURNED, "monza", "--rulebook", "cup"],
        ["hall", "open", TURNED],
        ["hall", "message", TURNED],
        ["hall", "code", TURNED],
        ["hall", "official", TURNED],
    ):
        wrong = run(*words).exception
        assert isinstance(wrong, CompanionError), words
        told_in_french(wrong)
    db = b"".join(path.read_bytes() for path in tmp_path.glob("races.db*"))
    assert not any(mark.encode() in db for mark in "\u202e\u2066\u200f")
