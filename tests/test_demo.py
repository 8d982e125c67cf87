"""The demo: a whole race, told the same way for the same seed, that fits eighty columns."""

from __future__ import annotations

import re

import pytest
from click.testing import CliRunner, Result

from companion.commands.main import companion


def demo(*arguments: str) -> Result:
    done = CliRunner().invoke(companion, ["demo", *arguments], env={"COLUMNS": "80"})
    assert done.exit_code == 0, done.output
    return done


def test_the_same_seed_tells_the_same_race() -> None:
    said = ("--laps", "1", "--cars", "4")
    one, two, other = (demo(*said, "--seed", seed).output for seed in ("7", "7", "8"))
    assert one == two
    assert one != other


@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize("track", ["monaco", "copper-basin", "spa"])
def test_a_whole_race_is_told_from_the_weather_to_the_sheet(track: str, lang: str) -> None:
    shown = demo("--track", track, "--laps", "1", "--cars", "6", "--lang", lang).output
    assert all(len(line) <= 80 for line in shown.splitlines())
    assert not re.search(r"[{}]|\bNone\b|Traceback", shown)
    words = {
        "en": ("Round 1: ", "The grid: ", "6 of 6 cars", "Classification", "10 points"),
        "fr": ("La grille", "6 voitures en course sur 6", "Classement"),
    }
    for said in words[lang]:
        if said == "10 points" and "wins" not in shown:
            continue
        assert said in shown, said
    assert re.search(r"^  drive\.around +\d+ \w+ ", shown, re.M)


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_a_death_race_is_told_with_its_attacks(lang: str) -> None:
    said = ("--rulebook", "death", "--laps", "1", "--cars", "6", "--seed", "3", "--lang", lang)
    shown = demo(*said).output
    assert all(len(line) <= 80 for line in shown.splitlines())
    assert not re.search(r"[{}]|\bNone\b|Traceback", shown)
    assert shown == demo(*said).output
    for words in {"en": ("fires", "needs 8 or less", "points"), "fr": ("tire,", "il faut 8 ou moins", "points")}[lang]:
        assert words in shown, words
    assert re.search(r"^  attack\.hit ", shown, re.M)
    assert re.search(r"^  wreckage\.marker ", shown, re.M)


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_a_race_of_the_league_is_told_with_its_stops_and_the_figures_that_it_used(lang: str) -> None:
    said = ("--rulebook", "league", "--track", "porto-sereno", "--cars", "6", "--seed", "6", "--lang", lang)
    shown = demo(*said).output
    assert all(len(line) <= 80 for line in shown.splitlines())
    assert not re.search(r"[{}]|\bNone\b|Traceback", shown)
    assert shown == demo(*said).output
    words = {
        "en": ("The grid: ", "makes a technical stop", "makes a quick stop", "waits in its box", "free of charge",
               "6 cars", "10 points", "Proposed figures, as used", "Points of every car 6 3 3 3 3 2"),
        "fr": ("La grille : ", "fait un arrêt technique", "fait un arrêt rapide", "attend au stand", "sans frais",
               "10 points", "Points de chaque voiture 6 3 3 3 3 2"),
    }  # fmt: skip
    flat = re.sub(r"\s+", " ", shown)
    for one in words[lang]:
        assert one in flat, one
    assert re.search(r"^  pit\.technical ", shown, re.M)


@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize("track", ["porto-sereno", "monaco", "spa"])
def test_a_cup_race_is_told_with_its_stops_and_its_kers(track: str, lang: str) -> None:
    said = ("--rulebook", "cup", "--track", track, "--laps", "2", "--cars", "4", "--seed", "3", "--lang", lang)
    shown = demo(*said).output
    assert all(len(line) <= 80 for line in shown.splitlines())
    assert not re.search(r"[{}]|\bNone\b|Traceback", shown)
    assert shown == demo(*said).output
    flat = re.sub(r"\s+", " ", shown)
    words = {
        "en": (
            "spends a KERS point",
            "crosses the line 1st; the first corner is still to come",
            "Base column",
            "→ dry, no change, clouds",
        ),
        "fr": ("dépense un point de KERS", "franchit la ligne 1re", "Colonne de base", "→ sec, inchangé, nuages"),
    }
    for one in words[lang]:
        assert one in flat, one
    if track != "spa":
        assert re.search(r"^  pit\.entry ", shown, re.M)


def test_progress_goes_from_nothing_to_the_end() -> None:
    shown = demo("--laps", "1", "--cars", "5", "--seed", "2").output
    bars = [line.count("█") for line in re.findall(r"^[█░]{20}", shown, re.M)]
    assert bars[0] == 0
    assert bars == sorted(bars) or max(bars) - bars[-1] <= 4  # a leader who goes out hands on to one behind
    assert max(bars) >= 15


def test_what_is_of_no_consequence_is_passed_over() -> None:
    shown = demo("--laps", "1", "--cars", "5", "--seed", "2").output
    assert "no contact" in shown, "every test is told, well as it goes"
    assert re.search(r"\(\d(?:st|nd|rd|th): \d+", shown)


def test_a_circuit_that_is_not_there_is_one_sentence() -> None:
    done = CliRunner().invoke(companion, ["demo", "--track", "nowhere"])
    assert done.exit_code == 1
    assert "There is no circuit nowhere" in str(done.exception)


def test_laps_are_refused_by_the_range_of_the_rulebook_and_the_help_names_no_other() -> None:
    runner = CliRunner()
    for rulebook, laps, told in (("ninety", "1", "2 to 60 turns"), ("competition", "0", "1 to 99 laps")):
        done = runner.invoke(companion, ["demo", "--rulebook", rulebook, "--laps", laps])
        assert told in str(done.exception)
    for command in (["demo"], ["race"], ["tournament", "new"], ["season", "new"]):
        assert "99" not in runner.invoke(companion, [*command, "--help"]).output


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_the_age_of_tyres_is_told_only_where_there_are_kinds_of_them(lang: str) -> None:
    told = {"en": "; its tyres have done 1 lap", "fr": "; ses pneus ont 1 tour"}[lang]
    for rulebook, known in (("beginner", False), ("formula-d", False), ("competition", True)):
        shown = " ".join(demo("--rulebook", rulebook, "--laps", "2", "--lang", lang).output.split())
        assert (told in shown) == known
