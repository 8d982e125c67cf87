"""Control characters: no door stores them in a text, and what an old log holds opens and is printed harmlessly."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from companion.api import Race
from companion.circuits import board, find
from companion.commands.main import companion
from companion.desk import RaceDesk
from companion.rules.conversation.errors import CompanionError
from companion.rules.rulebooks import begin
from tests.test_bad_input import COMMAND
from tests.toy import SETUP, toy

BROKEN = "a\nb\x1b[31mred"
REFUSED = "A text holds no line break and no other control character."


def run(folder: Path, *words: str, typed: str = "") -> Result:
    return CliRunner().invoke(companion, ["--data", str(folder), "--lang", "en", *words], input=typed)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    with Race.begin("beginner", "monaco", ["Ada", "Bob"], folder=tmp_path, name="club night") as race:
        race.push(17)
    return tmp_path


@pytest.mark.parametrize(
    "words",
    [
        ["races", "note", "last", BROKEN],
        ["races", "note", "last", "slow", "--by", BROKEN],
        ["races", "rename", "last", BROKEN],
        ["race", "--rulebook", "beginner", "--track", "monaco", "--cars", f"{BROKEN}, Bob"],
        ["tournament", "--by", "Ref", "new", BROKEN, "--track", "monza"],
    ],
)
def test_no_command_takes_control_characters(folder: Path, words: list[str]) -> None:
    before = (folder / "races.db").read_bytes()
    done = run(folder, *words)
    assert REFUSED in (str(done.exception) + done.output)
    assert done.exit_code
    assert (folder / "races.db").read_bytes() == before


def test_a_text_that_is_no_utf_8_is_refused_in_a_sentence(folder: Path) -> None:
    done = run(folder, "races", "note", "last", "\udcff")
    assert str(done.exception) == "A text holds half a character (a lone surrogate)."


def test_a_setup_in_a_file_has_none(folder: Path) -> None:
    setup = {"track": "monaco", "rulebook": "beginner", "cars": [{"car": 1, "driver": BROKEN}, {"car": 2}]}
    (folder / "setup.json").write_text(json.dumps(setup))
    done = run(folder, "race", "--setup", str(folder / "setup.json"))
    assert REFUSED in (str(done.exception) + done.output)


@pytest.mark.parametrize("stored", [True, False])
def test_programs_are_refused_too(tmp_path: Path, stored: bool) -> None:
    folder = tmp_path if stored else None
    with pytest.raises(CompanionError, match="control character"):
        Race.begin("beginner", "monaco", [BROKEN, "Bob"], folder=folder)
    with pytest.raises(CompanionError, match="control character"):
        Race.begin("beginner", "monaco", ["Ada", "Bob"], folder=folder, name=BROKEN)
    for name, why in (("last", "is no name of a race"), ("  ", "1 to 60 letters"), ("x" * 61, "1 to 60 letters")):
        with pytest.raises(CompanionError, match=why):
            Race.begin("beginner", "monaco", ["Ada", "Bob"], folder=folder, name=name)


def test_a_race_may_begin_under_the_name_of_another_and_the_ids_tell_them_apart(folder: Path) -> None:
    with Race.begin("beginner", "monaco", ["Ada", "Bob"], folder=folder, name="club night"):
        pass
    assert "2 are called club night" in str(run(folder, "races", "show", "club night").exception)


def test_at_the_table_the_referee_s_word_has_none(folder: Path) -> None:
    with RaceDesk.begin(toy(), setup=SETUP, track="a toy", folder=folder, name="toy") as desk:
        for say in (
            lambda: desk.note(BROKEN), lambda: desk.note("slow", by=BROKEN), lambda: desk.rename(BROKEN),
            lambda: desk.answer(2, by=BROKEN), lambda: desk.dispute_last(by="Ada", why=BROKEN),
        ):  # fmt: skip
            with pytest.raises(CompanionError):
                say()
        assert desk.seq == 1
        desk.answer(2)


@pytest.fixture
def old(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A race as version 0.1 stored it: its name, a driver, a note and who wrote it have control characters."""
    cars = [{"car": 1, "driver": "A\x1b[31mda"}, {"car": 2, "driver": "Bob"}]
    setup = {"rulebook": "beginner", "track": "monaco", "cars": cars}
    text = find("monaco").read_text(encoding="utf-8")
    with monkeypatch.context() as before:
        before.setattr("companion.desk.open_race.check_words", lambda *_: None)
        with RaceDesk.begin(
            begin(setup, board("monaco")), setup=setup, track=text, folder=tmp_path, name=BROKEN
        ) as desk:
            desk.answer(17, by=BROKEN)
            desk.note(BROKEN, by=BROKEN)
    return tmp_path


def test_what_an_old_log_holds_opens_and_is_printed_harmlessly(old: Path) -> None:
    shown = "a\\nb\\x1b[31mred"
    for words in (["races", "list"], ["races", "show", "last"], ["races", "verify", "last"]):
        done = run(old, *words)
        assert done.exit_code == 0
        assert "\x1b" not in done.output, words
        assert shown in done.output, words
    done = run(old, "race", "--resume", "last", typed="log\nsheet\nquit\n")
    assert "\x1b" not in done.output
    assert "1 A\\x1b[31mda" in run(old, "races", "show", "last").output
    with Race.resume(old) as race:
        race.push(4)
    assert run(old, "races", "verify", "last").exit_code == 0


def test_an_export_to_a_terminal_is_harmless_and_to_a_file_as_it_was_written(old: Path) -> None:
    words = [*COMMAND, "--data", str(old), "races", "export", "last", "--csv"]
    assert b"\x1b[31m" in subprocess.run(words, capture_output=True, check=True).stdout
    ours, terminal = os.openpty()
    subprocess.run(words, stdout=terminal, check=True)
    told = os.read(ours, 100000)
    assert b"\x1b" not in told
    assert b"\\x1b[31m" in told
