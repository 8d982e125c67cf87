"""What commands say where something is missing, doubled or far off: one sentence that holds."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from companion import circuits
from companion.commands.main import companion
from companion.desk.beginning import begin_race
from companion.drivers.sensible import HeuristicDriver
from companion.rules.conversation.errors import CompanionError
from companion.wording import LANGUAGES, Words

CARS = {"cars": [{"car": 1, "driver": "Ada"}, {"car": 2, "driver": "Bob"}]}


def run(folder: Path, *words: str, lang: str = "en", typed: str = "") -> Result:
    return CliRunner().invoke(companion, ["--lang", lang, "--data", str(folder), *words], input=typed)


def told(done: Result, lang: str = "en") -> str:
    said = Words(lang).error(done.exception) if isinstance(done.exception, CompanionError) else ""
    return " ".join((done.output + said).split())


@pytest.mark.parametrize("forms", [("--json", "--csv"), ("--csv", "--json"), ("--pdf", "--svg"), ()])
def test_an_export_has_one_form(tmp_path: Path, forms: tuple[str, ...]) -> None:
    begin_race(CARS, "monaco", tmp_path).close()
    done = run(tmp_path, "races", "export", *forms)
    assert done.exit_code == 2
    assert "Choose one of --pdf, --svg, --csv and --json." in told(done)
    assert run(tmp_path, "races", "export", "--csv", "--csv").exit_code == 0


@pytest.mark.parametrize(
    "options", [("--data", "{}", "race"), ("race", "--data={}"), ("--lang", "en", "race", "--data", "{}")]
)
def test_who_holds_a_race_is_named_by_its_command(tmp_path: Path, options: tuple[str, ...]) -> None:
    begin_race(CARS, "monaco", tmp_path).close()
    line = [
        sys.executable,
        "-c",
        "import sys; from companion.commands.main import main; sys.argv[0] = 'companion'; main()",
    ]
    line += [word.format(tmp_path) for word in options]
    with subprocess.Popen(
        [*line, "--resume", "last"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as held:
        assert held.stdin is not None
        assert held.stdout is not None
        while "roll the black" not in held.stdout.readline():
            pass
        assert "is being written by companion race (process" in told(run(tmp_path, "race", "--resume", "last"))
        held.stdin.close()
        held.stdout.read()


@pytest.mark.parametrize(
    ("lang", "here", "instead"),
    [
        ("en", "a new race begins here.", "or begin a new one with companion race."),
        ("fr", "une nouvelle course commence ici.", "ou commencez-en une autre avec companion race."),
    ],
)
def test_a_race_that_is_open_elsewhere_leaves_the_table_a_new_one(
    tmp_path: Path, lang: str, here: str, instead: str
) -> None:
    with begin_race(CARS, "monaco", tmp_path) as desk:
        again = run(tmp_path, "race", "--resume", "last", lang=lang)
        assert instead in told(again, lang)
        assert f"companion races show {desk.history.log_id[:8]}" in told(again, lang)
        anew = run(tmp_path, "race", lang=lang, typed="beginner\nmonza\n\n\nAda, Bob\n")
        assert here in told(anew, lang)
        assert "Monza" in told(anew, lang).split(here)[1]


def test_a_race_on_phones_says_why_it_is_not_renamed(tmp_path: Path) -> None:
    begin_race(CARS, "monaco", tmp_path).close()
    words = ["phones", "--data", str(tmp_path), "--on", "127.0.0.1", "--port", "0"]
    with subprocess.Popen([sys.executable, "-m", "companion", *words], stdout=subprocess.PIPE, text=True) as held:
        assert held.stdout is not None
        assert held.stdout.readline()
        for act in ("rename", "note"):
            for lang, said in (("en", "no other may change it"), ("fr", "seul à pouvoir la changer")):
                refused = told(run(tmp_path, "races", act, "last", "Final", lang=lang), lang)
                assert "companion phones (proces" in refused
                assert said in refused
        held.terminate()
    assert "Final" in run(tmp_path, "races", "rename", "last", "Final").stdout


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_name_of_nothing_is_no_name_in_a_sentence(tmp_path: Path, lang: str) -> None:
    begin_race(CARS, "monaco", tmp_path).close()
    for words in (["race", "--track", " "], ["tracks", "show", ""], ["races", "show", ""]):
        said = told(run(tmp_path, *words, lang=lang), lang)
        assert ("called by its name" if lang == "en" else "par son nom") in said, said


def test_a_round_in_which_nothing_happened_has_no_turning_points(tmp_path: Path) -> None:
    with begin_race({"laps": 1, **CARS}, "monaco", tmp_path) as desk:
        driver = HeuristicDriver(circuits.load("monaco"), 1)
        while desk.asked is not None and desk.asked.ask != "gear":
            desk.answer(driver.answer(desk.asked, desk.rulebook.race))
    done = run(tmp_path, "races", "analyse", "last")
    assert done.exit_code == 0, told(done)
    assert "Where the race turned" not in done.output


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_race_of_a_season_needs_two_cars_as_a_table_does(tmp_path: Path, lang: str) -> None:
    (tmp_path / "one.csv").write_text("7,Ada\n", "utf-8")
    run(tmp_path, "season", "new", "S", "monaco", "--rulebook", "competition")
    run(tmp_path, "season", "import", str(tmp_path / "one.csv"))
    run(tmp_path, "season", "grid", "1")
    for command in ("start", "setup"):
        said = told(run(tmp_path, "season", command, "1", lang=lang), lang)
        assert ("too few drivers" if lang == "en" else "pas assez de pilotes") in said, said
    (tmp_path / "two.csv").write_text("8,Bob\n", "utf-8")
    run(tmp_path, "season", "import", str(tmp_path / "two.csv"))
    run(tmp_path, "season", "grid", "1")
    assert len(json.loads(run(tmp_path, "season", "setup", "1").stdout)["cars"]) == 2
