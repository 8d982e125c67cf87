"""Into the pits, to the box, and out again.

Monaco's lane has 18 spaces; box n lies beside its space n + 3; it is entered from 20:right:1 and 20:right:2."""

from __future__ import annotations

from typing import Any

import pytest

from companion.wording import Words
from tests.rules.league.tables import position, worn
from tests.table import WEAR, Table

WORN = worn(tyres=2, brakes=1, body=1, engine=2)


def at_box(kind: str, *others: dict[str, Any], **setup: Any) -> Table:
    """Car 1 has reached box 1 and made that stop; others play before it."""
    car = {"at": "pit:2", "gear": 2, "box": 1, "status": "pit", **WORN}
    table = position(car, *others, **setup)
    table.say(2, 4)
    table.land("box:1")
    table.say("hard", kind)
    return table


# -- in


@pytest.mark.article("league", "pit.entry")
@pytest.mark.parametrize(("lap", "laps", "came_round", "opened"), [
    (1, 2, True, True), (2, 2, True, False), (1, 2, False, False), (1, 1, True, False), (2, 3, True, False),
])  # fmt: skip
def test_the_pits_are_open_at_the_end_of_the_first_lap(lap: int, laps: int, came_round: bool, opened: bool) -> None:
    """Once [ruling 11]: not in a second lap, be it the last or not."""
    table = position({"at": "20:right:1", "gear": 3, "box": 1, "lap": lap}, laps=laps)
    table.car(1).round_set = came_round
    table.say(3, 5)
    assert any(space.startswith(("pit", "box")) for space in table.spaces()) == opened


@pytest.mark.article("league", "pit.entry")
def test_the_pits_are_open_to_a_car_that_the_referee_has_put_before_them() -> None:
    table = position({"at": "2:left:1", "gear": 3, "box": 1})
    table.talk.override({"car": 1, "at": "20:right:1"})
    table.say(3, 5)
    assert {"pit:4", "box:1"} <= table.spaces()


@pytest.mark.article("league", "pit.lane", "start.grid")
@pytest.mark.parametrize(
    ("numbers", "said", "boxes"), [((2, 1), {}, [1, 2]), ((2, 1), {"grid": [1, 2]}, [2, 1]), ((1, 2, 3), {}, [1, 7, 2])]
)
def test_in_a_position_too_every_car_has_a_box(
    numbers: tuple[int, ...], said: dict[str, Any], boxes: list[int]
) -> None:
    """Whether or not it says who had pole, and the box that it names for a car is that car's."""
    places = ("20:right:1", "2:left:1", "2:left:2")
    cars = [{"car": one, "at": at, "gear": 3} for one, at in zip(numbers, places, strict=False)]
    if len(cars) > 2:
        cars[1]["box"] = 7
    table = position(*cars, to_play=[numbers[0]], **said)
    assert [car.box for car in table.race.cars] == boxes
    table.say(3, 8)
    assert f"box:{boxes[0]}" in table.spaces()


@pytest.mark.article("league", "pit.lane")
@pytest.mark.parametrize(("gear", "face", "after"), [(5, 11, 4), (4, 7, 4), (3, 4, 3)])
def test_the_lane_cuts_the_gear_to_4th_at_no_cost(gear: int, face: int, after: int) -> None:
    table = position({"at": "20:right:2", "gear": gear, "box": 10, "round_set": True})
    table.say(gear, face)
    table.land(next(space for space in sorted(table.spaces()) if space.startswith("pit")))
    car = table.car(1)
    assert (car.status, car.gear, car.wear) == ("pit", after, WEAR)
    cut = [ruling for ruling in table.rulings if ruling.kind == "gear_cut"]
    assert [ruling.facts for ruling in cut] == ([{"before": gear, "gear": after}] if after != gear else [])
    assert all(ruling.article == "pit.lane" for ruling in cut)


@pytest.mark.article("league", "pit.lane")
@pytest.mark.parametrize("points", [{}, {"gearbox": 0, "brakes": 0, "engine": 1}])
@pytest.mark.parametrize("stop", ["", "left"])
def test_in_the_lane_nothing_is_paid_for_changing_down(points: dict[str, int], stop: str) -> None:
    """On the track the skip from 4th to 1st costs a gearbox and a brake point [ruling 13]."""
    table = position({"at": "pit:6", "gear": 4, "box": 10, "status": "pit", "stop": stop, **worn(**points)})
    assert [(option.answer, option.wear) for option in table.options] == [(gear, {}) for gear in (1, 2, 3, 4)]
    table.say(1)
    assert (table.ruling("gear").facts, table.car(1).wear) == ({"before": 4, "gear": 1}, {**WEAR, **points})
    assert "gear_down" not in table.kinds()


@pytest.mark.article("league", "pit.lane", "brakes.use")
def test_in_the_lane_nobody_brakes() -> None:
    """On the way out what lies beyond it may be braked away, and on the way in what lies before it."""
    table = position({"at": "20:right:2", "gear": 3, "box": 10})
    table.say(3, 6)
    assert table.spaces(brakes=1) >= {"pit:5"}
    table = position({"at": "pit:2", "gear": 4, "box": 10, "status": "pit"})
    table.say(4, 7)
    assert [option.answer for option in table.options] == [{"space": "pit:9", "brakes": 0, "soft": 0}]
    table = position({"at": "pit:15", "gear": 4, "box": 1, "status": "pit", "stop": "left"})
    table.say(4, 8)
    assert {option.answer["brakes"] for option in table.options} == {0, 1, 2, 3}
    assert not any(option.answer["space"].startswith("pit") for option in table.options)
    sheet = position({"at": "pit:2", "gear": 4, "box": 2, "status": "pit"}, track="monza")
    sheet.say(4, 7)
    assert sheet.fields["brakes"] == [0, 0]
    out = position({"at": "box:2", "gear": 4, "box": 2, "status": "box", "stop": "missed"}, track="monza")
    out.say(8)
    out.refuses({"in": "pit", "brakes": 3}, "In the pit lane nobody brakes; only spaces beyond it")
    out.say({"in": "after corner 1", "brakes": 3, "overshot": 1})
    assert out.car(1).wear == {**WEAR, "brakes": 0, "tyres": 5}


@pytest.mark.article("league", "pit.lane")
@pytest.mark.parametrize("stop", ["", "left"])
def test_a_gear_above_the_limit_says_that_it_is_barred_in_the_lane(stop: str) -> None:
    """Whether it would reach the box is no matter."""
    table = position({"at": "pit:6", "gear": 4, "box": 10, "status": "pit", "stop": stop})
    barred = table.rulebook.gears.barred(table.car(1), 5)
    assert barred is not None
    assert barred[:3] == ("limit", "pit.lane", 4)
    assert table.rulebook.gears.barred(table.car(1), 4) is None
    words = Words("en", "league")
    assert words.screen("why_barred.limit", **barred._asdict()) == "in the pit lane 4 at most"
    assert table.rulebook.gears.barred(table.car(1), 6)[:3] == ("up", "gears.free", 1)  # type: ignore[index]


@pytest.mark.article("league", "pit.lane")
def test_in_the_lane_nobody_shifts_above_4th_and_any_gear_below_will_do() -> None:
    """No gear must be able to reach the box, which is eight spaces away."""
    table = position({"at": "pit:6", "gear": 4, "box": 10, "status": "pit"})
    assert sorted(option.answer for option in table.options) == [1, 2, 3, 4]
    table.say(3, 5)
    table.land("pit:11")
    assert table.car(1).gear == 3


@pytest.mark.article("league", "pit.lane")
def test_nobody_waits_for_another() -> None:
    """Cars 2 and 3 stand on lane spaces and car 4 in the box that car 1 shares with it: no hindrance, no test, and
    the spaces beyond the box are lost."""
    lane = {"gear": 2, "status": "pit"}
    others = [{**lane, "at": "pit:3", "box": 5}, {**lane, "at": "pit:4", "box": 6}, {"at": "box:1", "box": 1}]
    table = position({"at": "pit:2", "gear": 3, "box": 1, "status": "pit"}, *others)
    table.say(3, 8)
    assert table.spaces() == {"box:1"}
    table.land("box:1")
    assert table.ask == "tyres"
    assert table.car(1).wear == WEAR


@pytest.mark.article("league", "pit.lane")
def test_two_cars_may_stand_on_a_space_of_the_lane() -> None:
    lane = {"gear": 2, "status": "pit"}
    table = position({**lane, "at": "pit:2", "box": 9}, {**lane, "at": "pit:4", "box": 8})
    table.say(2, 2)
    table.land("pit:4")
    assert table.car(1).at == table.car(2).at == "pit:4"
    assert table.ask == "gear"  # no test, no slipstream
    table.talk.override({"car": 1, "at": "pit:6"})
    table.talk.override({"car": 2, "at": "pit:6"})
    again = position({**lane, "at": "pit:6", "box": 9}, {**lane, "at": "pit:6", "box": 8})
    assert again.talk.question is not None


@pytest.mark.article("league", "pit.lane", "slipstream.three")
def test_there_is_no_slipstream_in_the_lane() -> None:
    lane = {"gear": 4, "status": "pit"}
    table = position({**lane, "at": "pit:1", "box": 10}, {**lane, "at": "pit:9", "box": 9})
    table.say(4, 7)
    table.land("pit:8")
    assert table.ask == "gear"


# -- the stop


@pytest.mark.article("league", "tyres.pit", "tyres.choice", "pit.quick", "tyres.home")
def test_a_stop_gives_all_tyres_back_those_of_home_too() -> None:
    car = {"at": "pit:2", "gear": 2, "box": 1, "status": "pit", "home": True, **WORN}
    table = position(car)
    table.say(2, 4)
    table.land("box:1")
    assert table.open == ("tyres", 1, "")  # on reaching the box, before anything else [ruling 17]
    table.say("soft")
    assert (table.car(1).wear["tyres"], table.car(1).tyres, table.car(1).tyre_laps) == (8, "soft", 0)
    assert table.ruling("tyres").article == "tyres.pit"
    assert table.ruling("tyres").wear == {"tyres": 6}
    assert table.open == ("stop", 1, "")


@pytest.mark.article("league", "pit.quick")
def test_the_die_of_a_quick_stop_is_rolled_in_the_next_turn() -> None:
    table = at_box("quick", {"at": "2:left:1", "lap": 2}, to_play=[1])
    assert table.ruling("stops").facts == {"stop": "quick"}
    assert table.open == ("gear", 2, "")  # the round is over, car 2 leads the next one
    table.say(1, 1)
    table.land("2:left:2")
    assert table.open == ("test", 1, "quick_stop")
    assert table.fields == {"succeeds_to": 10}
    table.refuses(0, "black die")


@pytest.mark.article("league", "pit.quick")
@pytest.mark.parametrize(("face", "spaces"), [(1, 1), (2, 1), (9, 5), (10, 5)])
def test_1_to_10_leaves_in_4th_by_half_of_it_rounded_up(face: int, spaces: int) -> None:
    table = at_box("quick")
    table.say(face)
    assert table.ruling("quick_stop").facts == {"face": face, "spaces": spaces, "won": True}
    assert table.open == ("landing", 1, f"spaces_{spaces}")
    car = table.car(1)
    assert (car.gear, car.stop) == (4, "left")
    table.land(f"pit:{spaces + 3}")
    assert (car.at, car.status) == (f"pit:{spaces + 3}", "pit")
    assert sorted(option.answer for option in table.options) == [1, 2, 3, 4]


@pytest.mark.article("league", "pit.missed")
@pytest.mark.parametrize("face", [11, 20])
def test_11_to_20_stays_and_leaves_a_turn_later_with_the_die_of_4th(face: int) -> None:
    table = at_box("quick")
    table.say(face)
    assert table.ruling("quick_stop").article == "pit.missed"
    assert (table.car(1).at, table.race.round) == ("box:1", 3)
    assert table.open == ("roll", 1, "gear_4")
    table.say(9)
    assert "pit:12" in table.spaces()


@pytest.mark.article("league", "pit.technical")
def test_a_technical_stop_gives_two_points_back_and_leaves_a_turn_after_a_good_quick_one() -> None:
    """Box reached in turn T, nothing in T + 1, out in 4th in T + 2 [ruling 12]."""
    table = at_box("long", {"at": "2:left:1", "lap": 2}, to_play=[1])
    assert table.ask == "repair"
    assert table.fields["stand"] == 2
    table.refuses({"brakes": 2, "body": 1}, "at most 2 points; 3 are too many")
    table.refuses({"engine": 2}, "has lost 1 of engine, not 2")
    table.refuses({"tyres": 1}, "cannot be repaired")
    table.say({"brakes": 1, "body": 1})
    assert table.car(1).wear == {**WEAR, "brakes": 2, "body": 2, "engine": 2}
    assert table.ruling("repair").article == "pit.technical"
    table.say(1, 1)
    table.land("2:left:2")  # round T + 1: car 2, then car 1 waits
    assert table.ruling("waits", 1).article == "pit.technical"
    assert table.open == ("gear", 2, "")
    table.say(1, 1)
    table.land("2:left:3")
    assert table.open == ("roll", 1, "gear_4")
    assert table.race.round == 3
    table.say(8)
    assert table.car(1).gear == 4


@pytest.mark.article("league", "pit.technical")
def test_both_points_may_go_to_one_kind_and_none_is_forced() -> None:
    assert at_box("long").option({"body": 2}).wear == {"body": 2}
    table = at_box("long")
    table.say({})
    assert table.ruling("repair").wear == {}


@pytest.mark.article("league", "pit.quick", "base.corner")
def test_the_way_out_is_a_move_like_any_other() -> None:
    """From the last box five spaces lead out onto the track, where other cars are tested."""
    car = {"at": "box:10", "box": 10, "status": "box", "stop": "quick"}
    table = position(car, {"at": "0:right:3", "gear": 1}, {"at": "0:middle:2", "gear": 1})
    table.say(10)
    assert all(space.startswith(("pit", "0")) for space in table.spaces())
    out = sorted(space for space in table.spaces() if space.startswith("0"))
    if out:
        table.land(out[0])
        assert table.car(1).status == "racing"


# -- order


@pytest.mark.article("league", "base.order")
def test_cars_beside_the_lane_play_before_those_in_it() -> None:
    """Car 1 is further along in the lane than car 2 beside it [ruling 14]; car 3 has not come to it."""
    cars = [
        {"at": "pit:9", "gear": 2, "box": 10, "status": "pit"},
        {"at": "20:left:6", "gear": 2},
        {"at": "19:left:1", "gear": 2},
    ]
    assert position(*cars).rulebook.running_order() == [2, 1, 3]


@pytest.mark.article("league", "base.order")
@pytest.mark.parametrize(("track", "behind", "before"), [
    ("copper-basin", "8:right:1", "8:left:3"), ("monaco", "20:left:1", "20:right:2"),
])  # fmt: skip
@pytest.mark.parametrize("lap", [0, 1, 2])
def test_whoever_may_still_turn_in_plays_by_his_place_on_the_track(
    track: str, behind: str, before: str, lap: int
) -> None:
    """Car 2 is half a space further on, or level in a higher gear [ruling 2]; so too with a car in the lane."""
    pair = [{"at": behind, "gear": 2, "lap": lap}, {"at": before, "gear": 4, "lap": lap}]
    table = position(*pair, track=track, to_play=[])
    assert table.rulebook.running_order() == [2, 1]
    assert table.open == ("gear", 2, "")
    if lap == 1:
        lane = {"at": "pit:3", "gear": 4, "box": 10, "status": "pit", "lap": lap}
        assert position(*pair, lane, track=track, to_play=[]).rulebook.running_order() == [2, 1, 3]


@pytest.mark.article("league", "base.order")
def test_a_round_goes_by_position_then_gear_then_the_inside() -> None:
    """Sainte-Dévote turns right: of level cars in one gear the right lane plays first; a lapped car by its race."""
    cars = [
        {"at": "2:left:4", "gear": 2},
        {"at": "0:left:2", "gear": 3},
        {"at": "0:right:2", "gear": 3},
        {"at": "10:left:2", "gear": 3, "lap": 0},
    ]
    table = position(*cars, to_play=[])
    assert table.rulebook.running_order() == [1, 3, 2, 4]
    faster = position(*cars[:1], {**cars[1], "gear": 4}, *cars[2:], to_play=[])
    assert faster.rulebook.running_order() == [1, 2, 3, 4]
