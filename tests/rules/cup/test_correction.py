"""A correction that leaves the board as it stands carries KERS and the wet marker over."""

from __future__ import annotations

from typing import Any

import pytest

from companion.circuits import load
from companion.desk import RaceDesk
from companion.rules.rulebooks import begin

AWAY = {"car": 2, "at": "6:left:1", "gear": 2, "lap": 2}


def a_desk(*cars: dict[str, Any], **setup: Any) -> RaceDesk:
    whole = {"rulebook": "cup", "track": "porto-sereno", "laps": 3, "cars": list(cars), **setup}
    return RaceDesk(begin(whole, load("porto-sereno")), setup=whole)


@pytest.mark.article("cup", "kers.points", "kers.spend")
def test_a_point_that_was_not_spent_after_all() -> None:
    car = {"car": 1, "gear": 3, "at": "6:left:5", "lap": 1, "kers": 2}
    desk = a_desk(car, AWAY, to_play=[1])
    for answer in (
        3,
        4,
        {"space": "6:left:9", "brakes": 0, "soft": 0},
        {"space": "6:left:10", "brakes": 0, "soft": 0},
        None,
    ):
        desk.answer(answer, by="table")
    kers: Any = desk.rulebook.race.cars[0]
    assert kers.kers == 1
    desk.correct(3, None, by="Ada", why="it kept the point", keep="board")
    assert desk.rulebook.race.cars[0].kers == 2  # type: ignore[attr-defined]
    assert desk.rulebook.race.cars[0].at == "6:left:10"


@pytest.mark.article("cup", "weather.wet-conditions")
def test_a_check_that_wets_the_track_after_all() -> None:
    car = {"car": 1, "gear": 4, "at": "6:left:1", "lap": 1}
    desk = a_desk(car, {**AWAY, "at": "0:left:2"}, to_play=[1], sky="changeable")
    for answer in (5, 20):
        desk.answer(answer, by="table")
    while (asked := desk.asked) is not None and asked.what != "weather":
        desk.answer(asked.options[0].answer if asked.options else 20, by="table")
    n = desk.n
    desk.answer(20, by="table")
    race: Any = desk.rulebook.race
    assert (race.wet_conditions, race.surface) == (False, "dry")
    desk.answer(desk.asked.options[0].answer, by="table")  # type: ignore[union-attr, index]
    desk.correct(n, 1, by="Ada", why="it was a 1", keep="board")
    race = desk.rulebook.race
    assert (race.wet_conditions, race.surface) == (True, "wet")
