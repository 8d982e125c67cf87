"""Control characters: no door stores them in a text, and what an old log holds opens and is printed harmlessly."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from companion.api import Race
from companion.commands.main import companion
from companion.desk import RaceDesk
from companion.rules.conversation.errors import CompanionError
from companion.sheets.entry import Spoken
from companion.sheets.log import Log, now
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


def test_a_name_that_another_race_has_is_refused(folder: Path) -> None:
    with pytest.raises(CompanionError, match="Another race is called club night"):
        Race.begin("beginner", "monaco", ["Ada", "Bob"], folder=folder, name="club night")


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


def test_what_an_old_log_holds_opens_and_is_printed_harmlessly(folder: Path) -> None:
    log = Log.resume(folder, "last")
    entries, _ = log.read()
    for kind in ("note", "rename"):
        log.append(kind, BROKEN, 1, Spoken(BROKEN), (), entries[-1].state, now())  # as version 0.2 did
    log.close()
    for words in (["races", "list"], ["races", "show", "last"], ["races", "verify", "last"], ["tournament", "list"]):
        done = run(folder, *words)
        assert "\x1b" not in done.output, words
    assert "a\\nb\\x1b[31mred" in run(folder, "races", "list").output
    assert "a\\nb\\x1b[31mred" in run(folder, "races", "show", "last").output
    assert "\x1b" not in run(folder, "race", "--resume", "last", typed="log\nquit\n").output
    with Race.resume(folder) as race:
        race.push(4)
