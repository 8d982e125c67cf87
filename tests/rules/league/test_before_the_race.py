"""Who races in which car, from which place, under which sky."""

from __future__ import annotations

import pytest

from companion.rules.conversation.errors import BadSetup
from tests.rules.league.tables import grid, league
from tests.table import WEAR

HOME = {**WEAR, "tyres": 8}


def unlike(**points: int) -> dict[str, int]:
    return {**WEAR, **points}


# -- the grid


@pytest.mark.article("league", "start.grid")
def test_in_the_first_race_everybody_rolls_and_the_highest_has_pole() -> None:
    """Cars 1 and 3 are level and roll again, between themselves [ruling 20]."""
    table = league(*({"car": n} for n in (1, 2, 3)), sky="sun")
    assert table.open == ("test", 1, "grid")
    table.refuses(21, "black die")
    table.say(7, 12, 7)
    assert table.open == ("test", 1, "grid")
    table.say(4)
    assert table.open == ("test", 3, "grid")
    table.say(9)
    assert table.race.grid == [2, 3, 1]
    assert table.ruling("grid_rolled").facts == {"order": [2, 3, 1]}
    assert table.open == ("box", 2, "")  # what follows goes by the grid


@pytest.mark.article("league", "start.grid")
def test_after_that_the_last_race_is_turned_upside_down() -> None:
    """Car 3 was last and has pole; 8 has left the league, 4 and 5 were not in that race [ruling 20]."""
    table = league(*({"car": n} for n in (1, 2, 3, 4, 5)), sky="sun", last=[1, 8, 2, 3])
    assert table.open == ("test", 4, "grid")
    table.say(3, 18)
    assert table.race.grid == [3, 2, 1, 5, 4]


@pytest.mark.article("league", "start.grid")
def test_nobody_rolls_who_was_in_the_last_race() -> None:
    table = grid({}, {}, {}, grid=[], last=[2, 3, 1])
    places = [ruling for ruling in table.rulings if ruling.kind == "grid"]
    assert [ruling.car for ruling in places] == [1, 3, 2]
    assert {car.number: car.at for car in table.race.cars} == {1: "20:left:16", 3: "20:right:16", 2: "20:left:13"}
    assert table.open == ("start", 1, "start")


@pytest.mark.article("league", "season.drivers", "season.teams")
def test_there_are_ten_racers_in_pairs() -> None:
    cars = [{"car": n, "team": f"T{n // 2}"} for n in range(10)]
    assert len(league(*({**car, "car": car["car"] + 1} for car in cars)).race.cars) == 10
    with pytest.raises(BadSetup, match="10 racers; 11 are too many"):
        league(*({"car": n} for n in range(1, 12)), track="monza")
    with pytest.raises(BadSetup, match="has 2 racers; Nord has 3"):
        league(*({"car": n, "team": "Nord"} for n in (1, 2, 3)))


# -- cars, tyres, boxes


@pytest.mark.article("league", "setup.wear", "tyres.home")
def test_all_cars_are_alike_but_for_the_bonus_at_home() -> None:
    table = grid({}, {"home": True})
    assert table.car(1).wear == table.car(1).built == WEAR
    assert table.car(2).wear == table.car(2).built == HOME
    assert (table.ruling("build", 1).article, table.ruling("build", 2).article) == ("setup.wear", "tyres.home")
    assert table.ruling("build", 2).facts == {"built": HOME, "home": True}


@pytest.mark.article("league", "setup.wear", "tyres.home")
def test_the_table_may_change_the_set_up_for_all() -> None:
    table = grid({}, {"home": True}, options={"wear_setup": [5, 4, 3, 2, 2, 4], "home_tyres": 3})
    assert list(table.car(1).wear.values()) == [5, 4, 3, 2, 2, 4]
    assert table.car(2).wear["tyres"] == 8
    assert table.rulebook.state()["options"] == {"wear_setup": (5, 4, 3, 2, 2, 4), "home_tyres": 3}
    proposed = {figure.name for figure in table.rulebook.listed() if figure.proposed}
    assert {"wear_setup", "points", "collision_wet", "handling_wet", "engine_wet", "soft_laps"} <= proposed
    assert "corner_brake" in proposed
    assert not {"home_tyres", "engine_dry", "blocking", "gear_down", "quick_to"} & proposed


@pytest.mark.article("league", "setup.wear")
def test_nobody_brings_a_car_of_his_own() -> None:
    assert grid({"wear": dict(WEAR)}, {"wear": dict(HOME), "home": True}).car(2).built == HOME
    for wear, home in ((unlike(tyres=7, body=2), False), (dict(WEAR), True), ({"tyres": 6}, False)):
        with pytest.raises(BadSetup, match="every car has the same points, this one tyres"):
            grid({"wear": wear, "home": home})


@pytest.mark.article("league", "setup.wear", "tyres.home")
def test_in_a_position_cars_were_built_with_the_set_up() -> None:
    cars = [{"car": 1, "at": "2:left:1", "wear": {"tyres": 2}, "home": True}, {"car": 2, "at": "2:left:5"}]
    table = league(*cars, to_play=[1])
    assert table.car(1).built == HOME
    assert table.car(1).wear == {**WEAR, "tyres": 2}


@pytest.mark.article("league", "pit.lane", "tyres.choice")
def test_boxes_are_allotted_and_tyres_chosen_before_the_race_from_pole_on() -> None:
    table = league({"car": 1}, {"car": 2}, sky="sun", grid=[2, 1])
    assert table.open == ("box", 2, "")
    table.say(4)
    table.refuses(4, "This question allows")
    table.say(1)
    assert (table.ask, {option.answer for option in table.options}) == ("tyres", {"hard", "soft", "rain"})
    table.say("soft", "rain")
    assert (table.car(1).tyres, table.car(2).tyres) == ("soft", "rain")


# -- the weather


@pytest.mark.article("league", "weather.table")
@pytest.mark.parametrize(
    ("face", "sky", "surface", "fixed"),
    [(7, "rain", "wet", True), (8, "changeable", "dry", False), (12, "changeable", "dry", False),
     (13, "sun", "dry", True)],
)  # fmt: skip
def test_the_weather_is_drawn_on_the_circuit_s_table(face: int, sky: str, surface: str, fixed: bool) -> None:
    """Pole draws; a changeable sky is dry at first [ruling 22]."""
    table = league({"car": 1}, {"car": 2}, grid=[2, 1])
    assert table.open == ("test", 2, "weather")
    table.say(face)
    race = table.race
    assert (race.sky, race.surface, race.fixed) == (sky, surface, fixed)
    assert table.ruling("weather").article == "weather.table"
    assert table.ask == "box"


# -- the start


@pytest.mark.article("league", "weather.table")
@pytest.mark.parametrize(("sky", "surface"), [("sun", "dry"), ("changeable", "dry"), ("rain", "wet")])
def test_the_weather_that_the_referee_says_is_the_race_s(sky: str, surface: str) -> None:
    table = league({"car": 1}, {"car": 2}, grid=[2, 1])
    table.talk.override({"sky": sky})
    race = table.race
    assert (race.sky, race.surface, race.fixed) == (sky, surface, sky != "changeable")
    assert table.ask == "box"


@pytest.mark.article("league", "start.roll", "base.gears")
def test_each_racer_rolls_before_he_starts() -> None:
    """1 stalls and misses the turn, then 1st without a roll [ruling 23]; 20 is four spaces; the rest is 1st."""
    table = grid({}, {}, {})
    table.say(1)
    assert table.ruling("stall").article == "start.roll"
    table.say(20)
    assert table.open == ("landing", 2, "spaces_4")
    table.land("0:right:2")
    table.until("start")
    table.say(2)
    assert table.open == ("roll", 3, "gear_1")
    table.say(1)
    table.land("20:left:14")
    table.until(lambda: table.race.round == 2)
    assert table.open == ("gear", 2, "")
    assert [option.answer for option in table.options] == [1, 2]  # from 1st one gear up
    table.say(1, 1)
    table.land("0:right:3")
    table.until("roll")
    assert table.open == ("roll", 1, "gear_1")
    assert table.ruling("start", 1).facts == {}
