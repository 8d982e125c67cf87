"""What the terminal tells of a race is said as a person at the table would say it."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from companion.commands.main import companion
from companion.desk import RaceDesk

ADA = {"car": 1, "driver": "Ada", "at": "2:left:5", "gear": 4, "lap": 1, "status": "racing"}
BOB = {"car": 2, "driver": "Bob", "at": "2:middle:2", "gear": 3, "lap": 1, "status": "racing"}


def told(
    folder: Path, typed: list[str], *cars: dict[str, Any], lang: str = "en", rulebook: str = "formula-d", **setup: Any
) -> str:
    """All that the terminal says while these lines are typed, as one line; the cars play in their order."""
    file = folder / "position.json"
    begun = {"track": "monaco", "rulebook": rulebook, "cars": cars, "to_play": [car["car"] for car in cars], **setup}
    file.write_text(json.dumps(begun))
    arguments = ["--data", str(folder), "--lang", lang, "race", "--setup", str(file)]
    done = CliRunner().invoke(companion, arguments, input="\n".join(typed))
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return " ".join(done.output.split())


@pytest.mark.parametrize("rulebook", ["formula-d", "death"])
def test_a_car_that_ends_behind_another_is_close_to_it(tmp_path: Path, rulebook: str) -> None:
    """It is behind that one, not next to it."""
    behind, ahead = {**ADA, "at": "2:left:5", "gear": 1}, {**BOB, "at": "2:left:7"}
    slipstream = {"death": ["no"]}.get(rulebook, [])
    said = told(tmp_path, ["1", "1", "1", *slipstream, "9", "9"], behind, ahead, rulebook=rulebook)
    assert "1 Ada close to 2 Bob: rolls 9" in said


WORN = {"tyres": "super_soft", "tyre_laps": 2, "lap": 3}
SIGNED = ["Ada", "wrong"]


@pytest.mark.parametrize(
    ("lang", "typed", "form", "said", "place"),
    [
        ("en", "override car 1 at {}", "a place is corner 3, after corner 3 or past", "corner 4", "corner:4"),
        (
            "fr",
            "forcer voiture 1 place {}",
            "un lieu est virage 3, après le virage 3 ou",
            "virage 4",
            "corner:4",
        ),
        ("fr", "forcer voiture 1 place {}", "un lieu est virage 3,", "après le virage 4", "after:4"),
    ],
)
def test_the_referee_says_a_place_of_a_corner_sheet_as_the_screens_do(
    tmp_path: Path, lang: str, typed: str, form: str, said: str, place: str
) -> None:
    cars = [{**car, "at": "after:2", "tyres": "hard"} for car in (ADA, BOB)]
    far = said.replace("4", "77")
    lines = [typed.format(said.split()[-2]), typed.format(far), typed.format(said), *SIGNED]
    shown = told(tmp_path, lines, *cars, track="monza", rulebook="competition", sky="sun", lang=lang)
    assert shown.count(form) == 2
    assert re.search(rf"(On Monza there is no|Sur Monza, il n’y a pas de) {far} ?;", shown)
    with RaceDesk.resume(tmp_path) as desk:
        assert desk.rulebook.race.cars[0].at == place


@pytest.mark.parametrize(("lang", "typed"), [("en", "override car 1 at {}"), ("fr", "forcer voiture 1 place {}")])
def test_the_referee_says_a_section_as_the_screens_do(tmp_path: Path, lang: str, typed: str) -> None:
    cars = [{**car, "at": "section:3", "gear": None, "fuel": 30} for car in (ADA, BOB)]
    cars = [{key: value for key, value in car.items() if value is not None} for car in cars]
    lines = [typed.format("section 77"), typed.format("section 5"), *SIGNED]
    said = told(tmp_path, lines, *cars, track="saltmarsh", rulebook="ninety", lang=lang)
    assert "section 77" in said.split("section 5")[0]
    with RaceDesk.resume(tmp_path) as desk:
        assert desk.rulebook.race.cars[0].at == "section:5"


@pytest.mark.parametrize(
    ("lang", "typed", "said", "undone"),
    [
        (
            "en",
            ["override car 1 tyres 1 gear 2 laps 2 status spun", "override sky rain", "undo 2"],
            ["The referee sets 1 Ada: tyres 1, gear 2, lap 2, spun.", "The referee sets sky rain."],
            "Taken back: 2 answers, as far as “The referee sets 1 Ada: tyres 1, gear 2, lap 2, spun”",
        ),
        (
            "fr",
            ["forcer voiture 1 pneus tendres tours 2 arrêts 0", "forcer ciel pluie", "annuler 2"],
            [
                "Décision du commissaire : 1 Ada : pneus tendres, tour 2, 0 arrêt fait.",
                "Décision du commissaire : ciel pluie.",
            ],
            "Annulé : 2 réponses, jusqu’à « Décision du commissaire : 1 Ada : pneus tendres, tour 2, 0 arrêt fait »",
        ),
    ],
)
def test_the_referees_word_is_said_and_taken_back_in_a_sentence(
    tmp_path: Path, lang: str, typed: list[str], said: list[str], undone: str
) -> None:
    cars = [{**car, "tyres": "hard"} for car in (ADA, BOB)]
    lines = [typed[0], *SIGNED, typed[1], "changed", typed[2]]
    shown = told(tmp_path, lines, *cars, lang=lang, rulebook="competition", sky="sun")
    assert [one for one in said if one not in shown] == [], shown
    assert shown.count(undone) == shown.count(undone.split()[0]) == 1


def test_several_answers_are_taken_back_and_given_again_in_one_sentence_each(tmp_path: Path) -> None:
    shown = told(tmp_path, ["4", "8", "1", "undo 3", "redo 2", "undo"], ADA, BOB)
    assert "Taken back: 3 answers, as far as “gear of 1 Ada: 4th”" in shown
    assert "Given again: 2 answers, as far as “gear die of 1 Ada: 8”" in shown
    assert "Taken back: gear die of 1 Ada: 8 " in shown
    assert shown.count("Taken back") == 2


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_how_to_go_on_is_a_line_that_can_be_copied(tmp_path: Path, lang: str) -> None:
    """However long the folder is called, and typed as it stands it goes on with the race."""
    folder, file = tmp_path / ("a-folder-with-a-long-name-" * 4), tmp_path / "race.json"
    file.write_text(json.dumps({"track": "monaco", "rulebook": "beginner", "cars": [ADA], "to_play": [1]}))
    begun = ["--data", str(folder), "--lang", lang, "race", "--setup", str(file)]
    line = CliRunner().invoke(companion, begun, input="4\n").output.splitlines()[-1]
    program, *words = line.split()
    assert program == "companion"
    assert "1 Ada" in CliRunner().invoke(companion, ["--lang", lang, *words], input="").output


@pytest.mark.parametrize("rulebook", ["formula-d", "competition"])
@pytest.mark.parametrize(
    ("lang", "yes", "typed", "some", "none"),
    [
        ("en", "yes", "after corner 2 blocked", "3 brakes and 2 tyres to pay: −2 tyres, −1 brake", "to pay: none left"),
        ("fr", "oui", "après le virage 2 blocage", "3 freins et 2 pneus à payer : −2 pneus, −1 frein", "payer : plus"),
    ],
)
def test_a_blocked_car_that_cannot_pay_is_told_what_it_owed(
    tmp_path: Path, rulebook: str, lang: str, yes: str, typed: str, some: str, none: str
) -> None:
    sheet: dict[str, Any] = {"track": "monza", "rulebook": rulebook, "lang": lang}
    sheet |= {"competition": {"sky": "sun"}}.get(rulebook, {})
    set_of_tyres = {"competition": {"tyres": "hard"}}.get(rulebook, {})
    wear = {"tyres": 2, "brakes": 1, "gearbox": 3, "body": 3, "engine": 3, "handling": 2}
    ada, bob = ({**car, "at": "after:2", **set_of_tyres} for car in (ADA, BOB))
    few = told(tmp_path, ["4", "12", f"{typed} 5", yes], {**ada, "wear": wear}, bob, **sheet)
    assert some in few
    assert none in told(tmp_path, ["4", "12", f"{typed} 3", yes], {**ada, "wear": {**wear, "brakes": 0}}, bob, **sheet)


@pytest.mark.parametrize(
    ("rulebook", "options", "car", "said"),
    [
        ("formula-d", {"tyres": True}, {"tyres": "soft"}, "3 × 2 (Soft tyres) = 6 to pay"),
        ("formula-d", {"tyres": True}, {"tyres": "hard"}, "by 3 spaces, 3 to pay"),
        ("formula-d", {"wings": True}, {"wings": "low"}, "3 × 2 (Wings) = 6 to pay"),
        (
            "formula-d",
            {"tyres": True, "wings": True},
            {"tyres": "soft", "wings": "low"},
            "3 × 3 (Soft tyres and Wings) = 9 to pay",
        ),
        ("cup", {}, {"tyres": "soft"}, "3 × 2 (Tyres on a dry track) = 6 to pay"),
        ("competition", {"super_soft": True}, {"tyres": "super_soft"}, "3 × 2 (Super-soft tyres) = 6 to pay"),
        *(
            (rulebook, {"super_soft": True, **box}, WORN, "1 space, more than any car can pay (Super-soft tyres): −6")
            for rulebook, box in (("formula-d", {"tyres": True}), ("competition", {}), ("cup", {}), ("league", {}))
        ),
        ("beginner", {"wings": True}, {"wings": "low"}, "by 3 spaces (Wings): −6 points"),
        ("beginner", {}, {}, "by 3 spaces: −3 points"),
    ],
)
def test_an_overshoot_names_what_makes_its_price(
    tmp_path: Path, rulebook: str, options: dict[str, bool], car: dict[str, str], said: str
) -> None:
    sky = {"sky": "sun"} if rulebook in ("competition", "cup") else {}
    car = {"tyres": "hard", **car} if sky else car
    cars = [{**one, "at": "after:2", **car} for one in (ADA, BOB)]
    lines = ["4", "12", f"after corner 3 overshot {1 if car.get('tyre_laps') else 3}", "yes", "yes"]
    shown = told(tmp_path, lines, *cars, track="monza", rulebook=rulebook, options=options, laps=3, **sky)
    assert said in shown, shown
