"""`companion races`: list, show, export and verify at the terminal."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
import time
from datetime import datetime, timedelta
from pathlib import Path

import pexpect
import pytest

from companion.circuits import find, load
from companion.desk import RaceDesk
from companion.desk.beginning import begin_race
from companion.drivers.chance import RandomDriver
from companion.hall.floor import _summarise
from companion.rules.conversation.asking import Json
from companion.rules.rulebooks import begin
from companion.sheets.history import History
from companion.sheets.place import DATABASE
from companion.sheets.reading import find as find_race
from companion.sheets.reading import reading
from tests.sheets.bare import bare
from tests.test_bad_input import WEAR
from tests.test_bad_input import companion as entered


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with one race on Monaco, 150 answers old, and everything that people can do on it."""
    folder = tmp_path_factory.mktemp("races")
    track = load("monaco")
    cars = [{"car": 14, "driver": "Vidal", "team": "Rouge"}, {"car": 3, "driver": "Ada [x]"}, {"car": 7}]
    setup = {"rulebook": "competition", "track": "monaco", "laps": 1, "cars": cars}
    text = find("monaco").read_text(encoding="utf-8")
    driver = RandomDriver(track, 2)
    with RaceDesk.begin(begin(setup, track), setup=setup, track=text, folder=folder, name="Sunday") as desk:
        for _ in range(150):
            assert desk.asked is not None
            desk.answer(driver.answer(desk.asked, desk.rulebook.race))  # type: ignore[arg-type]
        desk.override({"car": 3, "wear": {"tyres": 1}}, by="Zoë", why="counted again")
        n = next(done.n for done in desk.answers() if done.ask == "roll")
        desk.correct(n, desk.answers()[n].answer, keep="board", by="Ada", why="looked again")
        desk.note("the cat sat on corner 3", by="Ben")
        desk.dispute(30, by="Ben", why="I was elsewhere")
    return folder


def companion(folder: Path, *args: str, lang: str = "en") -> subprocess.CompletedProcess[str]:
    return entered("--data", folder, "--lang", lang, *args)


@pytest.mark.parametrize(
    ("words", "lang"),
    [
        ("races export Sunday --pdf", "en"),
        ("races form", "fr"),
        ("races form table", "en"),
        ("rules print beginner", "fr"),
        ("tournament entries --form pdf", "en"),
    ],
)
def test_a_pdf_goes_to_a_pipe_and_not_to_a_terminal(folder: Path, words: str, lang: str) -> None:
    if words.startswith("tournament"):
        companion(folder, "tournament", "new", "Cup")
    command = [sys.executable, "-m", "companion", "--data", str(folder), "--lang", lang, *words.split()]
    shown, status = pexpect.run(shlex.join(command), withexitstatus=True, timeout=60)
    assert (shown.count(b"\n"), b"--out" in shown, status) == (1, True, 1)
    piped = subprocess.run(command, capture_output=True, check=False)
    assert (piped.stdout[:4], piped.stderr) == (b"%PDF", b"")


def test_the_list_of_races(folder: Path, tmp_path: Path) -> None:
    done = companion(folder, "races", "list")
    assert done.returncode == 0
    assert "Sunday" in done.stdout
    assert max(map(len, companion(folder, "races", "list", lang="fr").stdout.splitlines())) <= 80
    assert companion(tmp_path, "races", "list").stdout == "There are no races yet.\n"
    assert companion(tmp_path, "races", "list", lang="fr").stdout == "Il n’y a encore aucune course.\n"


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_times_are_told_as_they_are_here_and_called_nothing_else(
    folder: Path, lang: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A table in Tokyo reads its own hours, and they are not said to be Greenwich's."""
    with reading(folder) as db:
        begun = datetime.fromisoformat(find_race(db, "Sunday").begun) + timedelta(hours=9)
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    time.tzset()
    try:
        told = [companion(folder, *args, lang=lang).stdout for args in (("races", "list"), ("races", "show", "Sunday"))]
    finally:
        monkeypatch.undo()
        time.tzset()
    assert all(f"{begun:%Y-%m-%d %H:%M}" in one and "UTC" not in one for one in told), told


@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize("args", [("show", "Sunday"), ("show", "last", "--car", "14"), ("show", "--car", "3")])
def test_the_sheets_fit_a_terminal_of_80_columns(folder: Path, args: tuple[str, ...], lang: str) -> None:
    done = companion(folder, "races", *args, lang=lang)
    assert done.returncode == 0, done.stderr
    assert max(map(len, done.stdout.splitlines())) <= 80


def test_what_a_race_sheet_says(folder: Path) -> None:
    text = " ".join(companion(folder, "races", "show", "sunday").stdout.split())
    for words in (
        "Ada [x]", "Vidal", "competition 8", "Zoë", "counted again", "looked again", "the board stood as it was",
        "Ben: the cat sat on corner 3", "Ben: disputes “", "”, I was elsewhere",
            "3 Ada [x]: tyres 1 (Zoë: counted again)", "gear die of",
    ):  # fmt: skip
        assert words in text
    assert "{" not in text  # nothing as it lies in the log


def test_boxes_stand_below_each_other_in_both_languages(folder: Path) -> None:
    for lang in ("en", "fr"):
        lines = companion(folder, "races", "show", "--car", "3", lang=lang).stdout.splitlines()
        rows = [line for line in lines if re.search(r"[□■] +\d+/\d+$", line)]
        assert len(rows) == 6
        assert len({re.search("[□■]", line).start() for line in rows}) == 1  # type: ignore[union-attr]
        assert len({re.search(r"\d+/\d+$", line).start() for line in rows}) == 1  # type: ignore[union-attr]


def test_a_car_that_is_out_is_said_to_be_so_once(folder: Path) -> None:
    lines = companion(folder, "races", "show", "--car", "3").stdout.splitlines()
    assert sum(line.endswith(" out") for line in lines) == 1
    assert lines[-1].endswith(" out")


def test_what_a_car_sheet_says(folder: Path) -> None:
    text = " ".join(companion(folder, "races", "show", "--car", "3").stdout.split())
    assert "3 Ada [x]" in text
    assert "set by the referee: counted again" in text
    assert "1/" in text
    done = companion(folder, "races", "show", "--car", "5")
    assert (done.returncode, done.stderr) == (1, "There is no car 5 in this race; it has 3, 7 and 14.\n")


@pytest.mark.parametrize(
    ("rulebook", "track", "options"),
    [
        *((rulebook, "monaco", {}) for rulebook in ("beginner", "formula-d", "competition", "cup", "league", "death")),
        ("formula-d", "monaco", {"three_laps": True}), ("ninety", "saltmarsh", {}),
    ],
)  # fmt: skip
def test_a_list_says_the_laps_of_a_race_whose_setup_does_not(
    tmp_path: Path, rulebook: str, track: str, options: dict[str, bool]
) -> None:
    setup = {"rulebook": rulebook, "track": track, "options": options, "cars": [{"car": 1}, {"car": 2}]}
    with begin_race(setup, track, tmp_path) as desk:
        laps, log = desk.rulebook.race.laps, list(desk.log.entries) if desk.log is not None else []
    assert [race["laps"] for race in json.loads(companion(tmp_path, "sheets", "--json").stdout)] == [laps]
    assert _summarise(History.of(log), "", "", second=False).laps == laps
    assert companion(tmp_path, "verify").returncode == 0


def test_exports(folder: Path, tmp_path: Path) -> None:
    done = companion(folder, "races", "export", "Sunday", "--json")
    assert json.loads(done.stdout)["sheet"]["name"] == "Sunday"
    again = companion(folder, "races", "export", "Sunday", "--csv", "--out", str(tmp_path / "race.csv"))
    assert (again.returncode, again.stdout) == (0, "")
    assert (tmp_path / "race.csv").read_text(encoding="utf-8").startswith("n,seq,at,by,")
    printed = companion(folder, "races", "export", "Sunday", "--pdf", "--out", str(tmp_path / "race.pdf"))
    assert (printed.returncode, printed.stdout) == (0, "")
    assert (tmp_path / "race.pdf").read_bytes().startswith(b"%PDF-")
    assert "Choose one of --pdf, --svg, --csv and --json" in companion(folder, "races", "export", "Sunday").stderr


def test_verify_says_sound_or_what_is_wrong_and_where(folder: Path, tmp_path: Path) -> None:
    done = companion(folder, "races", "verify", "last")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith("The log is sound.\n")
    assert companion(folder, "races", "verify", "last", lang="fr").stdout.endswith("Le journal est intact.\n")
    (tmp_path / DATABASE).write_bytes((folder / DATABASE).read_bytes())
    with bare(tmp_path) as connection:
        connection.execute("DROP TRIGGER entry_stays")
        connection.execute("UPDATE entry SET body = replace(body, 'cat', 'dog')")
    done = companion(tmp_path, "races", "verify", "Sunday")
    assert done.returncode == 1
    assert "of the log is not as it was written" in done.stderr
    done = companion(tmp_path, "races", "verify", "Sunday", lang="fr")
    assert re.search(r"L’entrée \d+ du journal n’est plus telle qu’écrite", done.stderr)
    assert "arbitrées de nouveau à l’identique" in done.stdout
    done = companion(tmp_path, "races", "show", "Sunday")
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1


def test_what_is_wrong_is_told_in_the_language_that_was_asked_for(folder: Path) -> None:
    done = companion(folder, "races", "show", "Monday", lang="fr")
    assert (done.returncode, done.stderr.startswith("Il n’y a pas de course Monday")) == (1, True)


def test_what_cannot_be_read_is_one_sentence(tmp_path: Path) -> None:
    done = companion(tmp_path, "races", "verify", "last")
    assert done.returncode == 1
    assert done.stderr.startswith("There are no races in ")
    (tmp_path / DATABASE).write_text("no database" * 500)
    for command in (("races", "list"), ("races", "show"), ("races", "export", "--csv"), ("races", "verify")):
        done = companion(tmp_path, *command)
        assert (done.returncode, done.stderr.count("\n")) == (1, 1)
        assert "damaged or no database" in done.stderr


@pytest.mark.parametrize(
    ("setup", "answers", "told"),
    [
        ({"rulebook": "formula-d"}, (), "–     –     –     –     –     –"),
        ({"rulebook": "formula-d", "options": {"tyres": True}}, (7, 3), "6/6   3/3   3/3   3/3   3/3   2/2"),
        ({"rulebook": "competition", "sky": "sun"}, (3, 4), "–     –     –     –     –     –"),
        ({"rulebook": "competition", "sky": "sun"}, (3, 4, {**WEAR, "stand": 2}), "6/6   3/3   3/3   3/3   3/3   2/2"),
        ({"rulebook": "beginner"}, (7, 3), "18/18"),
    ],
)
def test_before_the_first_round_a_sheet_shows_the_points_of_cars_that_have_some(
    tmp_path: Path, setup: dict[str, Json], answers: tuple[Json, ...], told: str
) -> None:
    cars = [{"car": 1, "driver": "Ada"}, {"car": 2, "driver": "Bob"}]
    with begin_race({**setup, "track": "monaco", "cars": cars}, "monaco", tmp_path) as desk:
        for answer in answers:
            desk.answer(answer)
    shown = companion(tmp_path, "races", "show", "last").stdout
    row = next(line for line in shown.splitlines() if line.startswith("  1 Ada "))
    assert told in row
    alone = companion(tmp_path, "races", "show", "last", "--car", "1").stdout
    assert ("Its points are not known yet." in alone) == ("–" in told)
    assert "0/0" not in shown + alone
    assert ("Soft tyres, laps of the slide" in shown) == ("tyres" in setup.get("options", {}))
