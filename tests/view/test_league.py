"""A race of the league on the touchscreen: whole from the grid to the end, with its own words where it has some."""

from __future__ import annotations

from typing import Any

import pytest

from companion import circuits
from companion.desk import RaceDesk
from companion.drawing import lettering
from companion.rules.rulebooks import begin
from companion.screens.kit.pen import BOLD
from companion.view.pages import override
from companion.view.race.extras import extras
from companion.view.race.prompt import prompt
from companion.view.race.steps import step_done
from companion.view.sight import Sight
from companion.wording import LANGUAGES, Words
from tests.rules.league.tables import worn
from tests.view.watched import every_question_shown


def a_desk(*cars: dict[str, Any], track: str = "porto-sereno", **setup: Any) -> RaceDesk:
    whole = {"rulebook": "league", "track": track, "laps": 2, "cars": list(cars), **setup}
    return RaceDesk(begin(whole, circuits.load(track)), setup=whole)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_question_of_a_race_is_shown(lang: str) -> None:
    desk = a_desk(*({"car": n, "team": f"T{n % 3}", "home": n == 2} for n in range(1, 7)))
    assert {"grid", "weather", "quick_stop", "spaces_4"} <= every_question_shown(desk, lang)


@pytest.mark.parametrize(("lang", "labels"), [("en", ["Quick", "Technical"]), ("fr", ["Rapide", "Technique"])])
def test_the_stops_are_called_as_the_league_calls_them(lang: str, labels: list[str]) -> None:
    car = {"car": 1, "at": "pit:2", "box": 1, "status": "pit", "gear": 2, "lap": 1, "tyres": "hard", **worn(tyres=1)}
    desk = a_desk(car, track="monaco", to_play=[1])
    for answer in (2, 4, {"space": "box:1", "brakes": 0, "soft": 0}, "hard"):
        desk.answer(answer, by="table")
    sight = Sight(desk, Words(lang, "league"))
    keys = prompt(sight).keys
    assert [key.label for key in keys] == labels
    assert all(lettering.width(key.note, 20, BOLD) <= 190 for key in keys)
    assert labels[1] in step_done(sight, "stop", "long")


def test_the_race_can_be_cut_short_by_touch() -> None:
    desk = a_desk({"car": 1, "at": "2:left:1", "gear": 1, "lap": 1, "status": "racing"}, to_play=[1])
    values = override.ending_values(Sight(desk, Words("en", "league")))
    field = next(field for field in values.fields if field.name == "cut_short")
    assert (field.kind, field.label, [key.answer for key in field.keys]) == (
        "choice", "End of the race as it stands", ["now", "half", "none"]
    )  # fmt: skip
    desk.override(override.changed(values, {"cut_short": "now"}, None), by="table", why="rain")
    assert desk.asked is None


@pytest.mark.parametrize("lang", LANGUAGES)
def test_who_is_at_home_says_so_and_nobody_else(lang: str) -> None:
    cars = ({"car": n, "home": n == 2, "at": f"2:left:{n}", "gear": 1, "lap": 1} for n in (1, 2))
    desk, words = a_desk(*cars, to_play=[1, 2]), Words(lang, "league")
    sight = Sight(desk, words)
    said = [[extra.label for extra in extras(sight, car)] for car in sight.race.cars]
    assert [words.screen("extra.home") in labels for labels in said] == [False, True]


@pytest.mark.parametrize(("lang", "behind"), [("en", "behind"), ("fr", "derrière")])
def test_on_a_corner_sheet_the_car_straight_behind_is_named_too(lang: str, behind: str) -> None:
    """It rolls as those beside do, and in no other rulebook [ruling 5]."""
    cars = [{"car": n, "at": "after:1", "gear": 2, "lap": 1, "status": "racing", "tyres": "hard"} for n in (1, 2)]
    desk = a_desk(*cars, track="spa", to_play=[1])
    desk.answer(2, by="table")
    desk.answer(3, by="table")
    shown = prompt(Sight(desk, Words(lang, "league")))
    assert shown.seen is not None
    assert behind in shown.seen.company
    desk.answer({"in": "after corner 1", "beside": [2]}, by="table")
    assert desk.asked is not None
    assert (desk.asked.what, desk.asked.car) == ("collision", 2)
