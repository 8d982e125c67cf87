"""The start: stalls, great starts and the others. Article 9.

On Monaco pole is 20:left:16; straight ahead of it lie 20:left:17 (past the line), 0:left:1, 0:left:2, 0:left:3."""

from __future__ import annotations

from typing import Any

import pytest

from tests.table import WEAR, Table


def grid(count: int = 2, *, tyres: str = "hard", sky: str = "sun", **setup: Any) -> Table:
    cars = [{"car": n, "wear": dict(WEAR), "tyres": tyres, "box": n} for n in range(1, count + 1)]
    return Table(cars, sky=sky, **setup)


@pytest.mark.article("competition", "9-0-1", "0-0-5")
def test_each_driver_rolls_the_black_die_in_his_own_first_turn_in_grid_order() -> None:
    table = grid(3)
    assert table.open == ("start", 1, "start")
    question = table.talk.question
    assert question is not None
    assert list(question.faces or ()) == list(range(1, 21))
    for face in (0, 21, True, "10"):
        table.refuses(face, "black die|whole number")
    table.say(10, 1)
    table.land("20:left:17")
    assert table.open == ("start", 2, "start")  # ruling 92: the second rolls only now
    table.say(10, 1)
    table.land("20:right:17")
    table.until("start")
    assert table.open == ("start", 3, "start")


@pytest.mark.article("competition", "9-0-1")
def test_the_die_of_a_start_is_a_stall_a_start_or_a_great_start() -> None:
    table = grid()
    asked = table.talk.asked
    assert asked is not None
    assert asked.bands == [[1, 1], [2, 19], [20, 20]]


@pytest.mark.article("competition", "9-3", "9-0-1")
@pytest.mark.parametrize("face", [2, 10, 19])
def test_anything_but_1_and_20_is_a_start_in_1st(face: int) -> None:
    table = grid()
    table.say(face)
    assert table.open == ("roll", 1, "gear_1")
    assert table.ruling("start").article == "9-3"
    table.say(2)
    table.land("0:left:1")
    car = table.car(1)
    assert (car.gear, car.lap, car.status) == (1, 1, "racing")


@pytest.mark.article("competition", "9-3")
def test_a_soft_space_at_the_start() -> None:
    table = grid(tyres="soft")
    table.say(10, 1)
    assert table.spaces() == {"20:left:17", "20:middle:17"}
    assert "0:left:1" in table.spaces(soft=1)


@pytest.mark.article("competition", "9-1-1", "9-0-1")
def test_a_stall_costs_the_turn_and_the_next_is_1st_without_a_roll() -> None:
    table = grid()
    table.say(1)
    car = table.car(1)
    assert (car.status, car.at, car.stops) == ("stalled", "20:left:16", 0)
    assert table.ruling("stall").article == "9-1-1"
    assert table.open == ("start", 2, "start")
    table.say(10, 2)
    table.land("20:right:18")  # past the line, ahead of car 1
    table.until("gear")
    assert (table.open, table.race.round) == (("gear", 2, ""), 2)
    table.say(1, 1)
    table.land("0:right:1")
    table.until("roll")
    assert table.open == ("roll", 1, "gear_1")  # no start die, no gear to choose
    table.say(2)
    table.land("0:left:1")
    assert (table.car(1).status, table.car(1).gear) == ("racing", 1)


@pytest.mark.article("competition", "9-1-1")
@pytest.mark.parametrize(("stall_to", "stalls"), [(1, False), (3, True), (0, False)])
def test_the_figure_of_a_stall(stall_to: int, stalls: bool) -> None:
    table = grid(options={"stall_to": stall_to})
    table.say(3)
    assert (table.car(1).status == "stalled") is stalls


def beside_a_stalled_car(
    sky: str = "sun", status: str = "stalled", options: dict[str, Any] | None = None, **car: Any
) -> Table:
    """Car 2 in 1st will stop beside car 1, which stands on left 13 (beside middle 13 and 14)."""
    cars = [
        {"car": 1, "at": "20:left:13", "lap": 0, "status": status, **car},
        {"car": 2, "at": "20:middle:11", "lap": 0, "gear": 1},
    ]
    table = Table(cars, to_play=[2, 1], sky=sky, options=options or {})
    table.say(1, 2)
    table.land("20:middle:13")
    return table


@pytest.mark.article("competition", "9-1-2")
@pytest.mark.parametrize(("sky", "to"), [("sun", 2), ("rain", 3)])
def test_tests_with_a_stalled_car_are_aggravated(sky: str, to: int) -> None:
    table = beside_a_stalled_car(sky)
    question = table.talk.question
    assert question is not None
    assert (table.open, question.fields) == (("test", 1, "collision"), {"loses_to": to})
    table.say(to)
    assert table.car(1).wear["body"] == 2
    table.say(to + 1)
    assert table.car(2).wear["body"] == 3
    assert table.ruling("collision", 2).article == "14-3"


@pytest.mark.article("competition", "9-1-2", "9-1-1")
def test_a_car_that_stalls_now_is_tested_so_in_the_same_round() -> None:
    cars = [
        {"car": 1, "at": "20:left:13", "lap": 0, "status": "grid"},
        {"car": 2, "at": "20:middle:11", "lap": 0, "status": "grid"},
    ]
    table = Table(cars, to_play=[1, 2])
    table.say(1, 10, 2)
    table.land("20:middle:13")
    assert table.open == ("test", 1, "collision")
    assert table.talk.question is not None
    assert table.talk.question.fields == {"loses_to": 2}


@pytest.mark.article("competition", "9-1-2")
def test_tests_with_a_car_that_has_not_stalled_are_not() -> None:
    question = beside_a_stalled_car(status="racing", gear=1).talk.question
    assert question is not None
    assert question.fields == {"loses_to": 1}


@pytest.mark.article("competition", "9-1-2")
def test_a_stall_at_a_restart_is_not_aggravated_unless_the_table_wants_it() -> None:
    """Ruling 43 and its switch; `turned` is a stall after a spin."""
    for aggravated, to in ((False, 1), (True, 2)):
        table = beside_a_stalled_car(turned=True, options={"restart_stall_aggravated": aggravated})
        question = table.talk.question
        assert question is not None
        assert question.fields == {"loses_to": to}


@pytest.mark.article("competition", "9-1-1")
def test_a_stalled_car_tests_no_collision_of_its_own() -> None:
    """It had no move (ruling 56): pole stalls with car 2 beside it, and nobody rolls."""
    cars = [
        {"car": 1, "at": "20:left:13", "lap": 0, "status": "grid"},
        {"car": 2, "at": "20:middle:13", "lap": 0, "gear": 1},
    ]
    table = Table(cars, to_play=[1, 2])
    table.say(1)
    assert table.ask == "gear"


@pytest.mark.article("competition", "9-1-3")
def test_a_stalled_car_on_the_grid_plays_after_a_car_level_with_it() -> None:
    """Left 13 and right 14 are level; the stalled car was there first and its stick still in 2nd."""
    cars = [
        {"car": 1, "at": "20:left:13", "lap": 0, "status": "stalled", "gear": 2},
        {"car": 2, "at": "20:right:14", "lap": 0, "gear": 1},
    ]
    assert Table(cars, to_play=[]).open == ("gear", 2, "")
    cars[0]["status"] = "racing"
    assert Table(cars, to_play=[]).open == ("gear", 1, "")


@pytest.mark.article("competition", "9-2-1", "9-0-1")
def test_a_great_start_is_four_spaces_at_once() -> None:
    """From pole straight on to 0:left:3, out one lane (20:middle:17, then 0:middle 1, 2, 3), or out two."""
    table = grid()
    table.say(20)
    assert table.open == ("landing", 1, "spaces_4")
    assert table.ruling("great_start").article == "9-2-1"
    assert table.spaces() == {"0:left:3", "0:middle:3", "0:right:2"}
    assert table.spaces(1) == {"0:left:2", "0:middle:2", "0:right:1"}  # by the driving code: brakes as ever
    table.land("0:middle:3")
    car = table.car(1)
    assert (car.gear, car.at, car.lap, car.wear) == (1, "0:middle:3", 1, WEAR)
    assert table.open == ("start", 2, "start")
    table.say(10, 1)
    table.land("20:right:17")
    table.until("gear")
    assert [option.answer for option in table.options] == [1, 2]


@pytest.mark.article("competition", "9-2-2", "9-2-1")
def test_a_great_start_on_soft_tyres() -> None:
    table = grid(tyres="soft")
    table.say(20)
    assert "0:left:4" in table.spaces(soft=1)
    assert "0:left:3" in table.spaces()
    wet = grid(tyres="soft", sky="rain")
    wet.say(20)
    assert wet.spaces(soft=1) == set()
    hard = grid()
    hard.say(20)
    assert hard.spaces(soft=1) == set()


@pytest.mark.article("competition", "9-2-1")
def test_a_great_start_can_be_blocked_and_ends_beside_others() -> None:
    """Ruling 93: the driving code and the tests after it hold as ever."""
    cars = [
        {"car": 1, "at": "20:left:10", "lap": 0, "status": "grid"},
        {"car": 2, "at": "20:left:15", "lap": 0, "status": "grid"},
    ]
    table = Table(cars, to_play=[1, 2])
    table.say(20)
    table.land("20:left:14")
    assert table.open == ("test", 2, "collision")


@pytest.mark.article("competition", "9-2-1")
@pytest.mark.parametrize(("options", "face", "spaces"), [({"great_from": 17}, 17, 4), ({"great_spaces": 6}, 20, 6)])
def test_the_figures_of_a_great_start(options: dict[str, int], face: int, spaces: int) -> None:
    table = grid(options=options)
    table.say(face)
    assert table.open == ("landing", 1, f"spaces_{spaces}")


@pytest.mark.article("competition", "9-0-1", "9-3", "9-1-1", "10-4-6")
@pytest.mark.parametrize("status", ["grid", "spun", "stalled"])
def test_whoever_has_his_die_before_him_has_begun_his_turn(status: str) -> None:
    """The referee's order sends nobody back who has started, put himself straight or got going again."""
    if status == "grid":
        table = grid()
    else:
        cars = [{"car": 1, "at": "2:left:5", "status": status, "gear": 3}, {"car": 2, "at": "2:left:1", "gear": 1}]
        table = Table(cars, to_play=[1, 2])
    if table.ask == "start":
        table.say(10)
    assert table.open == ("roll", 1, "gear_1")
    table.talk.override({"order": [2, 1]})
    assert table.open == ("roll", 1, "gear_1")


@pytest.mark.article("competition", "9-1-1", "10-4-6", "6-3.4")
@pytest.mark.parametrize("stalled", [{"status": "stalled"}, {"status": "stalled", "turned": True}])
def test_a_car_that_has_moved_after_a_stall_is_neither_stalled_nor_turned(stalled: dict[str, Any]) -> None:
    table = Table([{"car": 1, "at": "10:left:1", **stalled}], to_play=[1])
    table.say(2)
    assert (table.car(1).status, table.car(1).turned, table.race.move.face) == ("racing", False, 2)


@pytest.mark.article("competition", "10-4-1", "10-4-6")
def test_a_car_that_drives_on_after_a_spin_is_not_turned_any_more() -> None:
    for face, ask in ((2, "roll"), (20, "landing")):
        table = Table([{"car": 1, "at": "10:left:1", "gear": 1, "status": "spun", "turned": True}], to_play=[1])
        table.say(face)
        assert (table.ask, table.car(1).status, table.car(1).turned) == (ask, "racing", False)
