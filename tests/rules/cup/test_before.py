"""Before the race: qualifying, cars of a team, tyres, the start."""

from __future__ import annotations

from typing import Any

import pytest

from companion.rules.conversation.errors import BadSetup
from companion.rules.rulebooks import RULEBOOKS
from tests.rules.cup.boards import CUP, grid, race
from tests.table import WEAR, Table

TEAM = ({"car": 1, "team": "A"}, {"car": 2, "team": "A"}, {"car": 3, "team": "B"})


def rolls(table: Table, *faces: int) -> None:
    for face in faces:
        assert table.open is not None
        assert table.open[::2] == ("test", "grid")
        table.say(face)


@pytest.mark.article("cup", "quali.die", "quali.ties")
def test_the_highest_die_has_pole_and_level_ones_roll_again() -> None:
    table = grid(*TEAM, options={"grid_by_die": True})
    assert table.talk.question.article == "quali.die"  # type: ignore[union-attr]
    rolls(table, 7, 15, 7)
    assert table.open == ("test", 1, "grid")
    rolls(table, 3, 9)
    assert table.race.grid == [2, 3, 1]
    assert table.ruling("grid_rolled").facts == {"order": [2, 3, 1]}
    assert table.ruling("grid_rolled").article == "quali.die"
    table.say(20)
    assert table.open == ("setup", 1, "")


@pytest.mark.article("cup", "quali.die")
def test_the_grid_stands_as_it_has_qualified() -> None:
    cars = [{"car": number, "wear": WEAR, "tyres": "hard"} for number in (1, 2)]
    table = grid(*cars, sky="sun", options={"grid_by_die": True})
    rolls(table, 2, 19)
    assert [table.car(2).at, table.car(1).at] == ["4:left:23", "4:right:22"]
    assert grid(*cars, sky="sun").car(1).at == "4:left:23"  # else as the setup lists them


@pytest.mark.article("cup", "quali.phases", "quali.ties")
def test_in_phases_the_lowest_third_goes_to_the_back_and_the_rest_rolls_again() -> None:
    table = grid(*({"car": number} for number in range(1, 7)), options={"grid_in_phases": True})
    assert table.talk.question.article == "quali.phases"  # type: ignore[union-attr]
    rolls(table, 10, 2, 2, 12, 13, 14, 8, 9)
    assert table.race.settled == [3, 2]
    assert table.ruling("grid_rolled").facts == {"order": [3, 2], "heat": 1}
    assert table.fields == {"heat": 2}
    rolls(table, 1, 20, 5, 19)
    assert table.race.settled == [5, 1, 3, 2]
    rolls(table, 4, 6)
    assert table.race.grid == [6, 4, 5, 1, 3, 2]
    assert [one.article for one in table.rulings if one.kind == "grid_rolled"] == ["quali.phases"] * 3
    assert table.open == ("test", 6, "weather")


@pytest.mark.article("cup", "quali.phases")
def test_two_cars_need_one_phase() -> None:
    table = grid({"car": 1}, {"car": 2}, options={"grid_in_phases": True})
    rolls(table, 4, 6)
    assert table.race.grid == [2, 1]
    assert table.ruling("grid_rolled").facts == {"order": [2, 1]}


def build(table: Table, **more: int) -> list[Any]:
    return table.say({pool: points + more.get(pool, 0) for pool, points in WEAR.items()})


@pytest.mark.article("cup", "wear.pools", "wear.construction")
def test_the_base_column_and_four_points_a_team_split_at_will() -> None:
    table = grid(*TEAM, sky="sun")
    assert (table.fields["tyres"], table.fields["handling"], table.fields["team"]) == ([6, 10], [2, 6], 4)
    assert table.options[0].answer == WEAR
    build(table, tyres=2, engine=1)
    assert table.ruling("build").facts["left"] == 1
    assert table.fields["team"] == 1
    refused = {**WEAR, "brakes": 5}
    table.refuses(refused, "The team of car 2 has 1 of its 4 points left; this car would take 2")
    build(table, brakes=1)
    assert table.fields["team"] == 2  # a car alone has half of them
    assert table.car(2).built["brakes"] == 4


@pytest.mark.article("cup", "wear.construction", "wear.pools")
def test_the_cost_column_is_paid_and_the_base_is_the_least() -> None:
    table = grid(*TEAM, sky="sun", options={"cost": [1, 2, 1, 1, 3, 1]})
    assert (table.fields["engine"], table.fields["cost"]["brakes"]) == ([3, 4], 2)
    table.refuses({**WEAR, "engine": 4, "brakes": 4}, "would take 5")
    table.refuses({**WEAR, "tyres": 5}, "tyres begins at 6, not at 5")
    table.refuses({"tyres": 6}, "by pool")
    table.refuses(list(WEAR), "by pool")
    table.refuses({**WEAR, "stand": 1}, "by pool")


@pytest.mark.article("cup", "wear.construction")
def test_each_car_without_a_team_is_a_team_alone() -> None:
    table = grid({"car": 1}, {"car": 2}, {"car": 3, "team": "A"}, sky="sun")
    assert table.fields["team"] == 2
    table.refuses({**WEAR, "tyres": 9}, "The team of car 1 has 2 of its 2 points left; this car would take 3")


@pytest.mark.article("cup", "wear.construction")
def test_what_is_offered_takes_none_half_or_all_of_the_points_in_one_pool() -> None:
    table = grid(*TEAM, sky="sun", options={"cost": [2, 1, 1, 1, 1, 1]})
    offered = [{pool: n - WEAR[pool] for pool, n in car.answer.items() if n > WEAR[pool]} for car in table.options]
    assert offered == [{}, {"tyres": 1}, {"brakes": 2}, {"body": 2}, {"tyres": 2}, {"brakes": 4}, {"body": 4}]


@pytest.mark.article("cup", "wear.construction")
def test_cars_that_the_setup_brings_are_checked_like_others() -> None:
    cars = [{**car, "wear": {**WEAR, "tyres": 9}, "tyres": "hard"} for car in TEAM[:2]]
    with pytest.raises(BadSetup, match=r"Car 2: The team of car 2 has 1 of its 4 points left; this car would take 3\."):
        grid(*cars)
    assert grid({**cars[0], "wear": {**WEAR, "tyres": 8}}, sky="sun").ask == "start"


@pytest.mark.article("cup", "wear.pools")
def test_a_position_fills_in_the_base_column() -> None:
    from companion.rules.circuit.file import load_track
    from companion.rules.rulebooks import begin

    setup = {"rulebook": "cup", "track": "board", "cars": [{"car": 1, "at": "2:left:1", "lap": 1}], "to_play": [1]}
    assert begin(setup, load_track(CUP, "a board in a test", "board")).car(1).wear == WEAR


@pytest.mark.article("cup", "wear.pools", "pit.entry")
def test_a_car_of_a_position_was_built_with_its_base_column_at_least() -> None:
    table = race(
        {"car": 1, "at": "4:left:10", "gear": 3, "wear": {"tyres": 2, "brakes": 4}},
        {"car": 2, "at": "2:left:1", "wear": {"tyres": 2}, "built": {"tyres": 8}},
    )
    assert [table.car(1).built[pool] for pool in ("tyres", "brakes", "body")] == [6, 4, 3]
    assert [table.car(2).built[pool] for pool in ("tyres", "brakes", "body")] == [8, 3, 3]
    table.say(3, 8)
    table.land("box:4")
    assert table.car(1).wear["tyres"] == 6


@pytest.mark.article("cup", "prep.sheet")
def test_what_each_driver_needs_is_said_once() -> None:
    table = grid(*TEAM)
    assert [ruling.article for ruling in table.talk.opening if ruling.kind == "reminder"] == ["prep.sheet"]


def ready(**setup: Any) -> Table:
    return grid(*({"car": number, "wear": WEAR, "tyres": "hard"} for number in (1, 2)), sky="sun", **setup)


@pytest.mark.article("cup", "start.roll", "start.first-gear")
def test_away_in_first_unless_the_die_says_otherwise() -> None:
    table = ready()
    assert (table.open, table.talk.question.article) == (("start", 1, "start"), "start.roll")  # type: ignore[union-attr]
    table.say(2)
    assert (table.car(1).gear, table.open) == (1, ("roll", 1, "gear_1"))


@pytest.mark.article("cup", "start.roll")
def test_a_1_stalls_and_the_next_turn_is_first_gear_without_a_die() -> None:
    table = ready()
    table.say(1)
    assert (table.car(1).status, table.open) == ("stalled", ("start", 2, "start"))
    table.say(5, 2)
    table.land("0:right:1")
    assert table.open == ("gear", 2, "")  # it leads the next round
    table.say(1, 1)
    table.land("0:right:2")
    assert table.open == ("roll", 1, "gear_1")


@pytest.mark.article("cup", "start.roll")
def test_a_20_is_four_spaces_at_once() -> None:
    table = ready()
    table.say(20)
    assert table.open == ("landing", 1, "spaces_4")


@pytest.mark.article("cup", "race.laps")
def test_three_laps() -> None:
    assert RULEBOOKS["cup"].laps == 3
    assert grid(*TEAM, laps=2).race.laps == 2


@pytest.mark.article("cup", "tyres.two-compounds", "pit.rows")
def test_nobody_chooses_a_box_the_grid_takes_every_car() -> None:
    table = grid({"car": 1}, sky="sun")
    build(table)
    assert table.ask == "tyres"
    table.say("hard")
    assert (table.ask, table.car(1).box) == ("start", 0)
