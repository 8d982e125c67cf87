"""Figures kept under a name, as files, and offered where a race begins."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from companion.commands.main import companion
from companion.desk import RaceDesk
from companion.desk.record_desk import RecordDesk
from companion.rules.rulebooks import RULEBOOKS
from companion.tournament.season import Season
from companion.tournament.tournament import Tournament
from tests.test_terminal import Seat


def run(folder: Path, *words: str, lang: str = "en") -> Result:
    return CliRunner().invoke(companion, ["--data", str(folder), "--lang", lang, *words])


def kept(folder: Path, name: str = "Thursday rules", *, rulebook: str = "competition", **figures: object) -> None:
    sets = [word for figure, value in figures.items() for word in ("--set", f"{figure}={json.dumps(value)}")]
    done = run(folder, "rules", "--save", name, "--rulebook", rulebook, *sets)
    assert (done.exit_code, name in done.output) == (0, True), done.output


def test_house_rules_are_kept_listed_written_read_and_deleted(tmp_path: Path) -> None:
    assert "No house rules are kept" in run(tmp_path, "rules", "--saved").output
    unnamed = run(tmp_path, "rules", "--save", "")
    assert (unnamed.exit_code, "House rules have a name" in unnamed.output) == (1, True)
    kept(tmp_path, engine_dry=5, one_slipstream=True, points=[10, 5])
    kept(tmp_path, "Été à 2 laps / no. 1", rulebook="cup", kers_most=1)
    assert run(tmp_path, "rules", "--saved").output.splitlines() == [
        "Thursday rules: competition, 3 figures changed", "Été à 2 laps / no. 1: cup, 1 figure changed"
    ]  # fmt: skip
    out = tmp_path / "thursday.toml"
    assert run(tmp_path, "rules", "--export", "thursday RULES", "--out", str(out)).exit_code == 0
    assert out.read_text() == run(tmp_path, "rules", "--export", "Thursday rules").output
    elsewhere = tmp_path / "elsewhere"
    assert run(elsewhere, "rules", "--import", str(out)).output == "Thursday rules: competition, 3 figures changed\n"
    assert "No house rules are kept" in run(elsewhere, "rules", "--delete", "Thursday rules").output


def test_what_is_wrong_with_house_rules_begins_with_their_name(tmp_path: Path) -> None:
    for figure in ("engine_dry=99", "flying_cars=1"):
        assert run(tmp_path, "rules", "--save", "T", "--set", figure).output.startswith("T: "), figure


@pytest.mark.parametrize(
    "option", [["--export", "T"], ["--saved"], ["--delete", "T"], ["--import", "x"], ["--save", "T"]]
)
def test_a_word_too_many_beside_house_rules_is_refused(tmp_path: Path, option: list[str]) -> None:
    done = run(tmp_path, "rules", *option, "x.toml")
    assert (done.exit_code, "--out" in done.output, "x.toml" in done.output) == (2, True, True)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize(
    ("text", "named"),
    [
        ('name = "A"\nrulebook = "competition"\n[options]\nflying_cars = true\n', "flying_cars"),
        ('name = "A"\nrulebook = "ludo"\n', "ludo"),
        ('name = "A"\nrulebook = "competition"\n[options]\nengine_dry = 99\n', "engine_dry"),
        ('name = ""\nrulebook = "competition"\n', "30"),
        ('name = "A"\nrulebook = "competition"\nlaps = 3\n', "laps"),
        ("what\n", "TOML"),
    ],
)
def test_what_this_program_does_not_have_is_refused_by_its_name(
    tmp_path: Path, text: str, named: str, lang: str
) -> None:
    file = tmp_path / "club.toml"
    file.write_text(text)
    done = run(tmp_path, "rules", "--import", str(file), lang=lang)
    assert done.exit_code == 1
    assert named in done.output
    assert len(done.output.splitlines()) == 1
    assert not list(tmp_path.glob("rules/*"))


def test_a_race_by_house_rules_says_so_in_its_setup(tmp_path: Path) -> None:
    kept(tmp_path, engine_dry=5)
    seat = Seat(tmp_path, "--rules", "Thursday rules", "--track", "monaco", "--cars", "Ada, Bob")
    seat.until(r" > ")
    seat.say("quit", "companion race --resume")
    assert seat.end() == 0
    with RaceDesk.resume(tmp_path) as desk:
        assert desk.rulebook.figures.engine_dry == 5
        assert desk.history.beginning is not None
        assert desk.history.beginning.setup["options"] == {"engine_dry": 5}
    assert run(tmp_path, "race", "--rules", "Friday rules").exit_code == 1
    refused = run(tmp_path, "race", "--rules", "Thursday rules", "--rulebook", "cup")
    assert str(refused.exception) == "Thursday rules changes the rulebook competition, not cup."


def test_the_terminal_offers_house_rules_among_the_rulebooks(tmp_path: Path) -> None:
    kept(tmp_path, rulebook="cup", kers_most=1)
    seat = Seat(tmp_path)
    shown = seat.until(r"rulebook.* > ")
    assert f"{len(RULEBOOKS) + 1:>3} Thursday rules (" in shown
    seat.say("thursday rules", r"> ")
    seat.say("monza", r"> ")
    seat.say("2", r"> ")
    seat.say("Ada, Bob", r"> ")
    seat.say("quit", "companion race --resume")
    assert seat.end() == 0
    with RaceDesk.resume(tmp_path) as desk:
        assert (desk.rulebook.name, desk.rulebook.figures.kers_most) == ("cup", 1)


def test_the_terminal_goes_by_the_house_rules_of_the_last_race_on_enter(tmp_path: Path) -> None:
    kept(tmp_path, rulebook="cup", kers_most=1)
    seat = Seat(tmp_path, "--rules", "Thursday rules", "--track", "monaco", "--cars", "Ada, Bob")
    seat.until(r" > ")
    seat.say("quit", "companion race --resume")
    assert seat.end() == 0
    seat = Seat(tmp_path)
    seat.until(r" > ")
    assert "Thursday rules" in seat.say("no", r"rulebook.* > ")
    for word in ("", "monza", "2", "Ada, Bob"):
        seat.say(word, r"> ")
    seat.say("quit", "companion race --resume")
    assert seat.end() == 0
    with RaceDesk.resume(tmp_path) as desk:
        assert (desk.rulebook.name, desk.rulebook.figures.kers_most) == ("cup", 1)


def test_a_tournament_and_a_season_are_raced_by_house_rules(tmp_path: Path) -> None:
    kept(tmp_path, engine_dry=5, points=[9, 4])
    kept(tmp_path, "Club league", rulebook="league", engine_dry=3, racers=12)
    assert run(tmp_path, "tournament", "new", "Cup of Thursday", "--rules", "Thursday rules").exit_code == 0
    assert run(tmp_path, "season", "new", "Winter", "monaco", "monza", "--rules", "Club league").exit_code == 0
    with RecordDesk.resume(tmp_path, Tournament) as cup:
        assert (cup.record.begun.options, cup.record.begun.points) == ({"engine_dry": 5}, (9, 4))
    with RecordDesk.resume(tmp_path, Season) as league:
        begun = league.record.begun
        assert (begun.rulebook, begun.options, begun.drivers) == ("league", {"engine_dry": 3}, 12)
    refused = run(tmp_path, "season", "new", "Spring", "monaco", "--rules", "Thursday rules", "--rulebook", "league")
    assert str(refused.exception) == "Thursday rules changes the rulebook competition, not league."
