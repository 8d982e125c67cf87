"""Tests on the black die at their edges: who is near, who is in the pits, who is out by then, where the way ends."""

from __future__ import annotations

from typing import Any

import pytest

from tests.rules.competition.boards import TOW
from tests.rules.competition.test_blocking import FORK
from tests.table import WEAR, Table

OVAL = "indianapolis-oval"


def sheet(*seen: Any, track: str = "monza", **setup: Any) -> Table:
    """Car 1 on the straight before the pits, beside car 2 in the lane and car 3; what the table saw of its 7 spaces."""
    cars = [
        {"car": 1, "at": "after:6" if track == "monza" else "after:4", "gear": 3, "round_set": True},
        {"car": 2, "at": "pit:2", "gear": 2, "box": 2},
        {"car": 3, "at": "after:0", "gear": 2},
    ]
    table = Table(cars, track, to_play=[1, 3], **setup)
    table.say(3, 7, *seen)
    return table


@pytest.mark.article("competition", "14-1", "19-1-3", "19-5-3")
def test_on_a_corner_sheet_a_car_in_the_lane_is_no_neighbour() -> None:
    table = sheet()
    assert table.fields["beside"] == table.fields["ahead"] == [3]
    for name, seen in (("beside", [2]), ("ahead", 2)):
        table.refuses({"in": "after corner 6", name: seen}, "in the pits or too far")
    assert sheet({"in": "after corner 6", "beside": [3]}).open == ("test", 3, "collision")


@pytest.mark.article("competition", "15-0-2", "15-1", "6-3.10")
def test_the_wall_is_tested_on_the_way_into_the_pits_too() -> None:
    """There it cannot wait for the other cars, which are none: the lane is neutral ground."""
    table = sheet({"in": "pit", "walls": 1}, track=OVAL)
    assert table.open == ("test", 1, "wall")
    table.say(1)
    assert (table.car(1).wear["body"], table.car(1).at) == (2, "pit:1")
    assert table.open == ("gear", 3, "")


@pytest.mark.article("competition", "14-1")
def test_a_neighbour_on_the_first_space_of_the_board() -> None:
    """It stands on 0:left:1, straight ahead of 4:left:24."""
    cars = [{"car": 1, "at": "4:left:21", "gear": 2}, {"car": 2, "at": "0:left:1", "gear": 4}]
    table = Table(cars, track=TOW, to_play=[1])
    table.say(2, 4)
    table.land("4:left:24", brakes=1)
    assert table.open == ("test", 2, "collision")


@pytest.mark.article("competition", "18-0-2", "18-0-1", "12-1-1")
def test_the_car_ahead_may_stand_on_the_first_space_of_the_board() -> None:
    cars = [{"car": 1, "at": "4:left:17", "gear": 4}, {"car": 2, "at": "0:left:1", "gear": 4}]
    table = Table(cars, track=TOW, to_play=[1])
    table.say(4, 7)
    table.land("4:left:24")
    assert table.open == ("slipstream", 1, "tow_1")


@pytest.mark.article("competition", "12-1-1", "14-1")
def test_where_no_space_is_ahead_nobody_stands_there() -> None:
    """Car 4 stands on the last space of the board, far from where car 1 is blocked."""
    cars = [
        {"car": 1, "at": "0:middle:3", "gear": 4},
        {"car": 2, "at": "0:left:3", "gear": 1},
        {"car": 3, "at": "0:right:3", "gear": 1},
        {"car": 4, "at": "2:right:25", "gear": 1},
    ]
    table = Table(cars, track=FORK, to_play=[1])
    table.say(4, 7)
    table.land("0:middle:3")
    assert [option.answer for option in table.options] == [2, 3]
    table.say(2)
    assert table.tested("collision") == [(3, 2)]


@pytest.mark.article("competition", "16-0-1", "16-0-2", "0-0-5")
@pytest.mark.parametrize("status", ["out", "wreck"])
def test_whoever_is_taken_out_before_its_engine_test_makes_none(status: str) -> None:
    cars = [{"car": number, "at": f"10:left:{13 - 4 * number}", "gear": 5} for number in (1, 2, 3)]
    table = Table([{**cars[0], "at": "10:right:1"}, *cars[1:]], to_play=[1])
    table.say(5, 20)
    table.say(table.options[0].answer)
    table.until(lambda: table.open == ("test", 2, "engine"))
    table.talk.override({"car": 2, "status": status})
    assert table.open == ("test", 3, "engine")


@pytest.mark.article("competition", "16-0-1", "10-4-5", "19-1-4")
def test_whose_stick_is_in_4th_by_then_makes_no_engine_test() -> None:
    """By the referee's word, while another's test is open; a car of which nobody knows where it stood makes none."""
    cars = [{"car": number, "at": f"10:left:{13 - 4 * number}", "gear": 5} for number in (1, 2, 3)]
    gone = {"car": 4, "status": "out", "gear": 6}
    table = Table([{**cars[0], "at": "10:right:1"}, *cars[1:], gone], to_play=[1])
    table.say(5, 20)
    table.say(table.options[0].answer)
    table.until(lambda: table.open == ("test", 2, "engine"))
    table.talk.override({"car": 3, "gear": 4})
    table.say(20)
    assert table.ask != "test"


@pytest.mark.article("competition", "15-0-2", "15-1", "15-0-4")
def test_the_wall_where_the_move_ends_comes_after_a_danger_on_the_way() -> None:
    """Copper Basin's back straight: over a danger space, then into the outside lane and no further."""
    table = Table(
        [{"car": 1, "at": "4:inner-right:5", "gear": 2}], "copper-basin", to_play=[1], dangers=["4:inner-right:6"]
    )
    table.say(2, 2)
    (way,) = [option.answer for option in table.options if len(option.facts.get("tests", [])) == 2][:1]
    assert way["over"][0] == "4:inner-right:6"
    table.say(way)
    assert table.open == ("test", 1, "handling")
    table.say(20)
    assert table.open == ("test", 1, "wall")
    table.say(20)
    assert table.ruling("wall").facts["at"] == way["space"] == table.car(1).at
    along = Table([{"car": 1, "at": "4:right:5", "gear": 2}], "copper-basin", to_play=[1])
    along.say(2, 2)
    along.land("4:right:7")
    assert "wall" not in along.kinds()  # whoever stays in the lane tests nothing


@pytest.mark.article("competition", "15-0-2", "15-0-3", "21-1-1", "0-0-1")
@pytest.mark.parametrize(("lap", "status"), [(1, "racing"), (3, "finished")])
def test_hit_by_the_wall_before_the_line_a_car_has_crossed_it_all_the_same(lap: int, status: str) -> None:
    cars = [{"car": 1, "at": "8:inner-right:20", "gear": 3, "lap": lap, "tyre_laps": min(lap - 1, 1)}]
    table = Table(cars, "copper-basin", to_play=[1])
    table.say(3, 7)
    ends = [
        option.answer
        for option in table.options
        if not option.answer["brakes"]
        and option.answer["space"].startswith("0:right")
        and option.facts.get("tests", [""])[0].startswith("wall:8:")
        and len(option.facts["tests"]) == 1
    ]
    table.say(ends[0])
    assert table.open == ("test", 1, "wall")
    table.say(1)
    car = table.car(1)
    assert (car.status, car.lap, car.at, car.wear["body"]) == (status, lap + 1, ends[0]["space"], 2)
    assert car.tyre_laps == 1


# -- who comes round


@pytest.mark.article("competition", "19-2-4", "8-0-2", "19-1-1")
@pytest.mark.parametrize(
    ("track", "at", "round_set"),
    [
        ("monza", "after:0", False),
        ("monza", "corner:3", False),
        ("monza", "after:3", False),  # six corners: half of them and no more
        ("monza", "corner:4", True),
        ("monza", "after:6", True),
        ("monza", "pit:3", False),
        ("monaco", "0:left:3", False),
        ("monaco", "20:left:3", True),
        ("monaco", "pit:3", False),
    ],
)
def test_a_set_of_a_position_has_come_round_in_the_second_half_of_the_lap(track: str, at: str, round_set: bool) -> None:
    cars = [{"car": 1, "at": at, "gear": 2}, {"car": 2, "status": "out"}]
    assert Table(cars, track, to_play=[1]).car(1).round_set == round_set


@pytest.mark.article("competition", "19-2-4", "8-0-2")
@pytest.mark.parametrize(
    ("begin", "seen", "round_set"), [("after:2", "corner 3", False), ("after:3", "corner 4", True)]
)
def test_a_set_comes_round_where_a_move_ends(begin: str, seen: str, round_set: bool) -> None:
    table = Table([{"car": 1, "at": begin, "gear": 2, "round_set": False}], "monza", to_play=[1])
    table.say(2, 3, {"in": seen})
    assert table.car(1).round_set == round_set


@pytest.mark.article("competition", "8-2-1", "8-1-1", "10-0-1")
@pytest.mark.parametrize(("age", "loss"), [(0, 1), (1, 4), (2, 6), (5, 6)])
def test_a_new_set_has_a_factor_of_its_own(age: int, loss: int) -> None:
    """By a table's own figures; the oldest one holds for all that follow."""
    one = {"car": 1, "at": "1:right:3", "gear": 3, "tyre_laps": age, "wear": {**WEAR, "tyres": 9}}
    table = Table([one], to_play=[1], options={"factor_hard_dry": [1, 4, 6]})
    table.say(3, 4)
    assert table.option(space="2:right:1", brakes=3).wear == {"brakes": -3, "tyres": -loss}


@pytest.mark.article("competition", "8-2-1", "8-2-3", "18-0-3")
@pytest.mark.parametrize(("fresh", "soft"), [(True, True), (False, False)])
def test_on_the_way_out_of_the_box_the_soft_space_is_there_beyond_the_line(fresh: bool, soft: bool) -> None:
    """The first crossing on the way out ends nothing: a slipstream beyond the line may add the space."""
    cars = [
        {"car": 1, "at": "4:middle:17", "gear": 4, "tyres": "soft", "fresh": fresh},
        {"car": 2, "at": "0:middle:2", "gear": 4, "lap": 2},
    ]
    table = Table(cars, track=TOW, to_play=[1])
    table.say(4, 7)
    table.land("0:middle:1")
    assert table.ask == "slipstream"
    assert bool(table.spaces(soft=1)) == soft


# -- gears


@pytest.mark.article("competition", "13-1", "13-4", "6-1-1")
def test_a_skip_that_a_table_lets_for_nothing_is_a_gear_like_any_other() -> None:
    table = Table(
        [{"car": 1, "at": "10:left:1", "gear": 4}],
        to_play=[1],
        options={"gear_down": [[0, 0, 0], [1, 1, 0], [1, 1, 1]]},
    )
    assert table.option(2).wear == {}
    table.say(2)
    assert (table.ruling("gear").facts, table.race.move.gear) == ({"before": 4, "gear": 2}, 2)
    assert "gear_down" not in table.kinds()


@pytest.mark.article("competition", "6-1-1", "6-3.1")
@pytest.mark.parametrize("nonsense", [True, 2.0, "2", None, [2]])
def test_a_gear_is_a_whole_number(nonsense: object) -> None:
    Table([{"car": 1, "at": "10:left:1", "gear": 2}], to_play=[1]).refuses(nonsense)


# -- what enters a corner


@pytest.mark.article("competition", "18-1-4", "18-2-3", "18-3-2", "11-0-3")
def test_a_slipstream_into_the_first_corner_or_out_of_it_costs_its_brake() -> None:
    """Six spaces by a table's own figure, from the last but one of the straight: five brakes save the sixth."""
    cars = [
        {"car": 1, "at": "4:left:24", "gear": 4, "wear": {**WEAR, "brakes": 6}},
        {"car": 2, "at": "0:left:8", "gear": 4},
    ]
    table = Table(cars, track=TOW, to_play=[1], options={"slipstream_spaces": 6})
    table.say(4, 7)
    table.land("0:left:7")
    assert table.option(space="1:left:3", brakes=0).wear == {"brakes": -1}
    assert table.option(space="2:left:1", brakes=0).wear == {"brakes": -1, "tyres": -1}
    assert table.option(space="1:middle:1", brakes=4).wear == {"brakes": -5}
    assert table.option(space="0:middle:8", brakes=5).wear == {"brakes": -5}
    table.land("2:left:1")
    assert (table.car(1).wear["brakes"], table.car(1).wear["tyres"]) == (5, 5)


# -- where a coasting car must go


@pytest.mark.article("competition", "16-0-3", "16-0-8", "20-4-2", "6-3.5")
def test_a_coasting_car_that_can_be_home_goes_home() -> None:
    """Seven spaces end on the line in the middle lane, before it in the others."""
    one = {
        "car": 1,
        "at": "4:middle:17",
        "lap": 3,
        "gear": 5,
        "wear": {**WEAR, "engine": 0},
        "status": "coasting",
        "coast": 4,
    }
    table = Table([one, {"car": 2, "at": "2:left:1", "gear": 1}], track=TOW, to_play=[1])
    table.say(4, 7)
    assert [option.answer["space"] for option in table.options] == ["0:middle:1"]


@pytest.mark.article("competition", "16-0-3", "16-0-8", "20-4-2", "12-1-3")
def test_a_coasting_car_goes_out_where_fewest_spaces_block_it() -> None:
    """Blocked by seven or by six it is out, without a brake to shorten that: as far as it can all the same."""
    cars = [
        {
            "car": 1,
            "at": "2:middle:2",
            "gear": 5,
            "wear": {**WEAR, "engine": 0, "brakes": 2},
            "status": "coasting",
            "coast": 4,
        },
        *({"car": n, "at": at, "gear": 1} for n, at in ((2, "2:middle:4"), (3, "2:left:4"), (4, "2:right:3"))),
    ]
    table = Table(cars, track=TOW, to_play=[1])
    table.say(4, 12)
    blocked = {(option.answer["brakes"], option.facts["blocked"]) for option in table.options}
    assert all(option.facts["out"] == "blocked" for option in table.options)
    assert len(blocked) == 1
    assert blocked == {(2, 9)}


@pytest.mark.article("competition", "16-0-3", "16-0-8", "20-4-2", "12-0-3")
def test_a_blocked_coasting_car_brakes_or_is_blocked_as_it_likes() -> None:
    """Ruling 69: two spaces short of what it rolled, it comes as far whatever of them it brakes."""
    cars = [
        {"car": 1, "at": "2:middle:2", "gear": 5, "wear": {**WEAR, "engine": 0}, "status": "coasting", "coast": 4},
        *({"car": n, "at": at, "gear": 1} for n, at in ((2, "2:middle:8"), (3, "2:left:8"), (4, "2:right:7"))),
    ]
    table = Table(cars, track=TOW, to_play=[1])
    table.say(4, 7)
    assert {(option.answer["brakes"], option.facts.get("blocked", 0)) for option in table.options} == {
        (0, 2),
        (1, 1),
        (2, 0),
    }


@pytest.mark.article("competition", "16-0-1", "10-4-5", "19-1-4")
def test_a_spun_car_whose_engine_is_broken_already_makes_no_engine_test() -> None:
    spun = {"car": 2, "at": "6:left:1", "gear": 5, "status": "spun", "coast": -1, "wear": {**WEAR, "engine": 0}}
    table = Table([{"car": 1, "at": "10:middle:3", "gear": 5}, spun], to_play=[1])
    table.say(5, 20)
    table.say(table.options[0].answer)
    assert [car for car, _ in table.tested("engine")] == [1]
