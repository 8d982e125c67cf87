"""Figures kept under a name, as files, and offered where a race begins."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from companion.commands.main import companion
from companion.desk import RaceDesk
from companion.desk.record_desk import RecordDesk
from companion.house_rules import find, read_file
from companion.rules.conversation.errors import BadAnswer, BadSetup, CompanionError
from companion.rules.dice.formula_de import FormulaDe
from companion.rules.rulebooks import RULEBOOKS, variants_of
from companion.tournament.season import Season
from companion.tournament.tournament import Tournament
from companion.wording import Words
from tests.test_terminal import Seat


def run(folder: Path, *words: str, lang: str = "en") -> Result:
    return CliRunner().invoke(companion, ["--data", str(folder), "--lang", lang, *words])


def kept(folder: Path, name: str = "Thursday rules", *, rulebook: str = "competition", **figures: object) -> None:
    sets = [word for figure, value in figures.items() for word in ("--set", f"{figure}={json.dumps(value)}")]
    done = run(folder, "rules", "save", name, rulebook, *sets)
    assert (done.exit_code, name in done.output) == (0, True), done.output


def test_house_rules_are_kept_listed_written_read_and_deleted(tmp_path: Path) -> None:
    assert "No house rules are kept" in run(tmp_path, "rules", "list").output
    unnamed = run(tmp_path, "rules", "save", "")
    assert (unnamed.exit_code, "House rules have a name" in unnamed.output) == (1, True)
    kept(tmp_path, engine_dry=5, one_slipstream=True, points=[10, 5])
    kept(tmp_path, "Été à 2 laps / no. 1", rulebook="cup", kers_most=1)
    assert run(tmp_path, "rules", "list").output.splitlines() == [
        "Thursday rules: competition, 3 figures changed", "Été à 2 laps / no. 1: cup, 1 figure changed"
    ]  # fmt: skip
    out = tmp_path / "thursday.toml"
    assert run(tmp_path, "rules", "export", "thursday RULES", "--out", str(out)).exit_code == 0
    assert out.read_text() == run(tmp_path, "rules", "export", "Thursday rules").output
    elsewhere = tmp_path / "elsewhere"
    assert run(elsewhere, "rules", "import", str(out)).output == "Thursday rules: competition, 3 figures changed\n"
    assert "No house rules are kept" in run(elsewhere, "rules", "delete", "Thursday rules").output


@pytest.mark.parametrize(
    ("lang", "told"), [("en", "Thursday would change nothing"), ("fr", "Thursday ne changerait rien")]
)
def test_house_rules_that_change_nothing_are_not_kept(tmp_path: Path, lang: str, told: str) -> None:
    refused = run(tmp_path, "rules", "save", "Thursday", "formula-d", lang=lang)
    assert (refused.exit_code, told in refused.output) == (1, True)
    assert "No house rules are kept" in run(tmp_path, "rules", "list").output


def test_what_is_wrong_with_house_rules_begins_with_their_name(tmp_path: Path) -> None:
    assert run(tmp_path, "rules", "save", "T", "--set", "engine_dry=99").output.startswith("T: ")


@pytest.mark.parametrize("rulebook", [name for name, kind in RULEBOOKS.items() if issubclass(kind, FormulaDe)])
def test_a_switch_is_known_by_the_id_of_its_article(tmp_path: Path, rulebook: str) -> None:
    """At the command line, and in a file of house rules."""
    articles = {one.article: one.switch for one in variants_of(rulebook) if not one.needs}
    for article, switch in articles.items():
        done = run(tmp_path, "rules", "save", switch, rulebook, "--set", f"{article}=on")
        assert done.exit_code == 0, done.output
        assert find(tmp_path, switch).options == {switch: True}
        file = tmp_path / "club.toml"
        file.write_text(f'name = "Club"\nrulebook = "{rulebook}"\n[options]\n"{article}" = true\n')
        assert read_file(file).options == {switch: True}


@pytest.mark.parametrize(
    ("lang", "change", "told"),
    [
        ("en", "wheather=on", "called wheather; near it: weather."),
        ("fr", "wheather=oui", "ne s’appelle wheather\u00a0; noms voisins\u00a0: weather."),
        ("en", "weather=maybe", "weather is a switch, on or off; maybe is neither."),
        (
            "fr",
            "option.weather=peut-être",
            "weather est une option, oui ou non\u00a0; peut-être n’est ni l’un ni l’autre.",
        ),
        ("en", "car_points=many", 'car_points wants a whole number from 6 to 60, not "many".'),
        ("en", "option.construction", "A figure is changed by FIGURE=VALUE"),
    ],
)
def test_what_is_wrong_with_a_change_is_said_of_its_name_or_its_value(
    tmp_path: Path, lang: str, change: str, told: str
) -> None:
    for words in (["save", "T", "formula-d"], ["print", "formula-d", "--out", str(tmp_path / "out.pdf")]):
        done = run(tmp_path, "rules", *words, "--set", change, lang=lang)
        assert (done.exit_code, told in done.output) == (1, True), done.output


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        (BadSetup("no_house_rules", name="Rien", known=""), "ne s’appelle Rien ; aucune n’est gardée ici."),
        (BadSetup("no_house_rules", name="Rien", known="Club"), "ne s’appelle Rien ; gardées ici : Club."),
        (BadAnswer("no_weapon", car=2, weapons=""), "La voiture 2 n’a pas cette arme ; elle n’en a aucune."),
        (BadAnswer("target_car", cars=""), "Une cible est une autre voiture en piste ; il n’y en a pas."),
        (BadSetup("use_form", car=1, use="top:01", listed=""), "top:01 ; il n’y a rien à utiliser ici."),
    ],
)
def test_an_empty_list_in_an_error_is_french_too(wrong: CompanionError, told: str) -> None:
    assert Words("fr").error(wrong).replace("\u00a0", " ").endswith(told)


@pytest.mark.parametrize(("lang", "told"), [("en", "--replace puts these"), ("fr", "--replace les remplace")])
def test_house_rules_of_a_name_are_replaced_only_on_purpose(tmp_path: Path, lang: str, told: str) -> None:
    kept(tmp_path, "Club", engine_dry=5)
    file = tmp_path / "club.toml"
    file.write_text('name = "club"\nrulebook = "competition"\n[options]\nengine_dry = 7\n')
    for words in (["save", "CLUB", "--set", "engine_dry=6"], ["import", str(file)]):
        done = run(tmp_path, "rules", *words, lang=lang)
        assert (done.exit_code, told in done.output) == (1, True), done.output
        assert find(tmp_path, "Club").options == {"engine_dry": 5}
    assert run(tmp_path, "rules", "import", str(file), "--replace").exit_code == 0
    assert find(tmp_path, "Club").options == {"engine_dry": 7}


@pytest.mark.parametrize("words", [["export", "T"], ["list"], ["delete", "T"], ["import", "x"], ["save", "T", "cup"]])
def test_a_word_too_many_beside_house_rules_is_refused(tmp_path: Path, words: list[str]) -> None:
    done = run(tmp_path, "rules", *words, "x.toml")
    assert (done.exit_code, "x.toml" in done.output) == (2, True)
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
    done = run(tmp_path, "rules", "import", str(file), lang=lang)
    assert done.exit_code == 1
    assert named in done.output
    assert len(done.output.splitlines()) == 1
    assert not list(tmp_path.glob("rules/*"))


def test_a_race_by_house_rules_says_so_in_its_setup(tmp_path: Path) -> None:
    kept(tmp_path, engine_dry=5)
    seat = Seat(tmp_path, "--rules", "Thursday rules", "--track", "monaco", "--cars", "Ada, Bob")
    seat.until(r" > ")
    seat.say("quit", r"race(?:\s|\x1b\[\d*m)+--resume")
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
    seat.say("quit", r"race(?:\s|\x1b\[\d*m)+--resume")
    assert seat.end() == 0
    with RaceDesk.resume(tmp_path) as desk:
        assert (desk.rulebook.name, desk.rulebook.figures.kers_most) == ("cup", 1)


def test_the_terminal_goes_by_the_house_rules_of_the_last_race_on_enter(tmp_path: Path) -> None:
    kept(tmp_path, rulebook="cup", kers_most=1)
    seat = Seat(tmp_path, "--rules", "Thursday rules", "--track", "monaco", "--cars", "Ada, Bob")
    seat.until(r" > ")
    seat.say("quit", r"race(?:\s|\x1b\[\d*m)+--resume")
    assert seat.end() == 0
    seat = Seat(tmp_path)
    seat.until(r" > ")
    assert "Thursday rules" in seat.say("no", r"rulebook.* > ")
    for word in ("", "monza", "2", "Ada, Bob"):
        seat.say(word, r"> ")
    seat.say("quit", r"race(?:\s|\x1b\[\d*m)+--resume")
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
