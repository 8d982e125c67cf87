"""KERS: two points a lap, none in the first, never more than two, a space each by all the rules."""

from __future__ import annotations

from typing import Any

import pytest

from tests.rules.cup.boards import CUP, drives, grid, race
from tests.table import WEAR, Table

OTHER = {"car": 9, "at": "0:right:1", "lap": 2}


def crosses(**car: Any) -> Table:
    """Car 1 crosses the line in 3rd."""
    table = race({"car": 1, "gear": 3, "at": "4:middle:22", **car}, {"car": 2, "at": "2:left:1"})
    table.say(3, 4)
    table.land("0:middle:3")
    return table


@pytest.mark.article("cup", "kers.points")
@pytest.mark.parametrize("kers", [0, 1, 2])
def test_a_completed_lap_gives_two_and_nobody_has_more(kers: int) -> None:
    table = crosses(kers=kers)
    assert table.car(1).kers == 2  # type: ignore[attr-defined]
    assert ("kers" in table.kinds()) is (kers < 2)


@pytest.mark.article("cup", "kers.points", "kers.spend")
def test_the_points_may_be_spent_in_the_move_that_earned_them() -> None:
    table = crosses()
    assert table.open == ("kers", 1, "kers_1")
    assert table.fields == {"kers": 2}
    assert table.spaces() == {"0:left:3", "0:middle:4", "0:right:3"}
    table.land("0:middle:4")
    table.land("0:middle:5")
    assert (table.car(1).at, table.car(1).kers) == ("0:middle:5", 0)  # type: ignore[attr-defined]
    assert table.ask == "gear"
    counted = [(one.before["kers"], one.counts, one.left) for one in table.rulings if one.kind == "kers"]
    assert counted == [(0, {"kers": 2}, {"kers": 2}), (2, {"kers": -1}, {"kers": 1}), (1, {"kers": -1}, {"kers": 0})]


@pytest.mark.article("cup", "kers.points", "race.laps")
def test_off_the_grid_there_are_none() -> None:
    table = grid({"car": 1, "wear": WEAR, "tyres": "hard"}, {"car": 2, "wear": WEAR, "tyres": "hard"}, sky="sun")
    table.say(5, 2)
    table.land("0:left:1")
    assert (table.car(1).lap, table.car(1).kers, table.ask) == (1, 0, "start")  # type: ignore[attr-defined]


def with_kers(face: int, space: str, *others: dict[str, Any], brakes: int = 0, **car: Any) -> Table:
    one = {"car": 1, "gear": 3, "at": "2:left:1", "kers": 2, **car}
    return drives(3, face, space, one, *others, OTHER, brakes=brakes)


@pytest.mark.article("cup", "kers.spend", "overshoot.limit")
@pytest.mark.parametrize(("stops", "switch", "asked"), [(1, False, True), (0, True, True), (0, False, False)])
def test_a_car_that_a_corner_has_put_out_is_asked_for_no_point(stops: int, switch: bool, asked: bool) -> None:
    car = {"car": 1, "gear": 4, "at": "3:left:2", "stops": stops, "kers": 2, "wear": {**WEAR, "tyres": 9}}
    table = race(car, OTHER, options={"missed_stops_spin": switch})
    table.say(4, 7)
    table.land("4:left:6")
    assert (table.ask == "kers", table.car(1).status == "out") == (asked, not asked)


@pytest.mark.article("cup", "kers.spend")
def test_a_point_may_be_kept() -> None:
    table = with_kers(4, "2:left:5")
    table.say(None)
    assert (table.car(1).kers, table.open) == (2, ("gear", 9, ""))  # type: ignore[attr-defined]


@pytest.mark.article("cup", "kers.spend", "straight.zigzag-pass")
def test_a_point_goes_on_with_the_same_way_and_back_in_only_ahead_of_a_car_that_was_passed() -> None:
    """Ruling 21: the way as a whole is the shortest round the cars."""
    table = with_kers(4, "2:middle:4", {"car": 2, "at": "2:left:4"})
    assert table.spaces() == {"2:left:5", "2:middle:5", "2:right:4"}
    table.land("2:left:5")
    assert table.spaces() == {"2:left:6"}  # not out again


@pytest.mark.article("competition", "7-2-3", "7-2-4", "7-2-5")
@pytest.mark.article("cup", "kers.spend", "straight.zigzag-no", "straight.two-lanes")
def test_no_lane_is_left_and_taken_again_in_one_movement_for_a_point() -> None:
    """Ruling 21: in one and the same straight, whether the way began on it or in the corner before."""
    assert with_kers(4, "2:middle:4").spaces() == {"2:middle:5", "2:right:4"}
    out = with_kers(4, "2:middle:3", at="1:left:3", stops=1)
    assert out.spaces() == {"2:middle:4", "2:right:3"}
    out.land("2:right:3")
    assert out.spaces() == {"2:right:4"}


@pytest.mark.article("cup", "kers.spend", "straight.two-lanes")
def test_a_point_leads_into_no_third_lane() -> None:
    """Ruling 21: two lanes a move, on the four of an oval as well."""
    car = {"car": 1, "gear": 3, "at": "4:left:5", "kers": 2}
    table = drives(3, 4, "4:inner-right:7", car, {"car": 9, "at": "0:right:1", "lap": 2}, track="copper-basin")
    assert table.ask == "kers"
    assert not any(space.startswith("4:right") for space in table.spaces())
    assert any(space.startswith("4:inner-right") for space in table.spaces())


@pytest.mark.article("cup", "kers.spend", "drs.move", "drs.chain", "straight.two-lanes", "straight.zigzag-pass")
def test_after_drs_a_point_goes_on_with_the_way_of_drs() -> None:
    """Ruling 21: DRS is a way of its own, and what came before it does not count."""
    cars = [{"car": 1, "gear": 4, "at": "2:left:1", "kers": 2}, {"car": 2, "gear": 4, "at": "2:middle:8"}, OTHER]
    table = drives(4, 7, "2:middle:7", *cars)
    assert table.open == ("slipstream", 1, "tow_1")
    table.land("2:left:10")
    assert table.spaces() == {"2:left:11", "2:middle:10"}
    table.land("2:left:11")
    assert table.spaces() == {"2:left:12", "2:middle:11"}
    free = drives(4, 7, "2:middle:7", *cars)
    free.say(None)
    assert free.open == ("kers", 1, "kers_1")
    assert "2:left:8" not in free.spaces()  # it came out of the left lane


@pytest.mark.article("cup", "kers.spend", "drs.move", "straight.two-lanes", "straight.zigzag-pass")
def test_the_way_of_drs_across_two_lanes_does_not_turn_back() -> None:
    """However the die's way went, here out of the middle."""
    cars = [{"car": 1, "gear": 4, "at": "2:middle:1", "kers": 1}, {"car": 2, "gear": 4, "at": "2:left:9"}, OTHER]
    table = drives(4, 7, "2:left:8", *cars)
    table.land("2:right:9")
    assert (table.open, table.spaces()) == (("kers", 1, "kers_1"), {"2:right:10"})


@pytest.mark.article("cup", "kers.spend")
def test_not_after_braking_and_not_when_blocked() -> None:
    assert with_kers(4, "2:left:4", brakes=1).ask == "gear"
    blocked = with_kers(6, "3:left:2", {"car": 2, "at": "3:left:3"}, at="3:left:1", stops=2)
    assert blocked.ask != "kers"
    stuck = with_kers(4, "3:left:2", {"car": 2, "at": "3:left:3"}, at="2:left:12", stops=0)
    assert stuck.ask != "kers"  # the only space ahead is taken: nobody is blocked by KERS


@pytest.mark.article("cup", "kers.spend")
def test_dangers_are_tested_and_stops_are_made_where_the_move_ends() -> None:
    table = race({"car": 1, "gear": 3, "at": "2:left:10", "kers": 2}, OTHER, dangers=["3:left:1"])
    table.say(3, 4)
    table.land("2:left:14")
    table.land("3:left:1")
    table.land("3:left:2")
    assert table.fields["loses_to"] == 4
    table.say(20)
    assert (table.car(1).stops, table.car(1).at) == (1, "3:left:2")


@pytest.mark.article("cup", "kers.spend", "overshoot.lane", "overshoot.loss")
def test_out_of_an_overshot_corner_a_point_overshoots_one_space_more() -> None:
    table = with_kers(4, "4:left:3", at="3:left:2", stops=1)
    assert table.spaces() == {"4:left:4"}
    assert table.option(space="4:left:4").wear == {"tyres": -4}
    table.land("4:left:4")
    table.say(None)
    assert table.car(1).wear["tyres"] == WEAR["tyres"] - 4


FULL: dict[str, Any] = {"team": "A", "wear": {**WEAR, "tyres": 40}}
MATE: dict[str, Any] = {**OTHER, "team": "A"}


@pytest.mark.article("cup", "kers.spend", "overshoot.lane")
@pytest.mark.parametrize(
    ("face", "at", "point", "spaces", "corners"),
    [
        (15, "2:left:14", "3:left:1", 15, [1]),
        (16, "3:left:1", "3:left:2", 16, [1]),
        (18, "3:left:3", "4:left:1", 19, [1, 2]),
    ],
)
def test_the_next_corner_is_overshot_as_well_once_a_point_leads_out_of_it(
    face: int, at: str, point: str, spaces: int, corners: list[int]
) -> None:
    car = {"car": 1, "gear": 6, "at": "1:left:2", "kers": 1, **FULL}
    table = drives(5, face, at, car, MATE, dangers=[point], options={"missed_stops_spin": True})
    assert table.option(space=point).facts == {"moved": 1, "tests": [point], "overshot": spaces}
    table.land(point)
    assert len(table.tested("handling")) == 1
    told = table.ruling("overshoot", 1).facts
    assert (told["spaces"], told["corners"]) == (spaces, corners)


@pytest.mark.article("cup", "kers.spend", "overshoot.lane")
def test_turn_one_is_overshot_as_well_beyond_the_line() -> None:
    short = CUP.replace("left    = 8\nmiddle  = 8\nright   = 7", "left    = 2\nmiddle  = 2\nright   = 1")
    car = {"car": 1, "gear": 6, "at": "3:left:3", "stops": 1, "kers": 1, **FULL}
    table = drives(6, 29, "1:left:3", car, MATE, track=short, options={"missed_stops_spin": True})
    table.land("2:left:1")
    assert table.ruling("overshoot", 1).facts["corners"] == [2, 1]


@pytest.mark.article("cup", "kers.spend", "overshoot.lane")
def test_where_the_lane_ends_no_point_is_spent() -> None:
    first, bend = CUP.split('corner = "Bend"')
    ends = bend.replace('"^ ^ ^"', '"^ ^ x"').replace('"< < ^ < <"', '"< < ^ ^ ^"')
    car = {"car": 1, "gear": 6, "at": "1:left:2", "kers": 1, **FULL}
    assert drives(5, 16, "3:left:1", car, MATE, track=f'{first}corner = "Bend"{ends}').spaces() == {"3:left:2"}
    assert drives(5, 17, "3:left:2", car, MATE, track=f'{first}corner = "Bend"{ends}').ask == "gear"


@pytest.mark.article("cup", "kers.spend", "overshoot.lane")
def test_a_car_straight_ahead_keeps_the_point_of_one_that_has_overshot() -> None:
    """It keeps its lane, and another car on the board is in nobody's way."""
    assert with_kers(4, "4:left:3", {"car": 2, "at": "4:left:4"}, at="3:left:2", stops=1).ask != "kers"


@pytest.mark.article("cup", "kers.spend", "overshoot.lane")
def test_out_of_an_overshot_corner_a_point_leads_over_the_line() -> None:
    car = {"car": 1, "gear": 5, "at": "3:left:3", "stops": 1, "kers": 1, **FULL}
    table = drives(6, 24, "4:left:24", car, MATE)
    assert table.spaces() == {"0:left:1"}


@pytest.mark.article("cup", "kers.spend")
def test_a_point_is_no_soft_space_and_cannot_be_braked_away() -> None:
    table = with_kers(4, "3:left:1", at="2:left:11", tyres="soft")
    assert [option.answer for option in table.options] == [None, {"space": "3:left:2", "brakes": 0, "soft": 0}]


@pytest.mark.article("cup", "kers.spend")
def test_whoever_has_driven_into_the_pits_spends_none_there() -> None:
    table = race({"car": 1, "gear": 3, "at": "4:left:10", "kers": 2}, OTHER)
    table.say(3, 8)
    table.land("box:4")
    assert table.ask == "tyres"


@pytest.mark.article("cup", "kers.spend")
def test_a_spin_leaves_nothing_to_spend() -> None:
    table = with_kers(4, "4:left:3", at="3:left:2", stops=1, wear={**WEAR, "tyres": 1})
    assert table.ask != "kers"
    assert table.car(1).status == "spun"
    assert with_kers(4, "4:left:3", at="3:left:2", stops=1, tyres="soft", wear={**WEAR, "tyres": 4}).ask != "kers"


@pytest.mark.article("cup", "kers.spend")
def test_whoever_has_paid_with_the_last_tyre_point_may_still_spend_one_and_spin() -> None:
    table = with_kers(4, "4:left:3", at="3:left:2", stops=1, wear={**WEAR, "tyres": 3})
    assert table.option(space="4:left:4").facts["spins_at"] == "4:left:4"


@pytest.mark.article("cup", "kers.spend", "drs.chain", "drs.conditions")
def test_a_point_may_bring_up_behind_a_car_for_drs() -> None:
    car = {"car": 1, "gear": 4, "at": "2:left:1", "kers": 1}
    table = drives(4, 7, "2:left:8", car, {"car": 2, "gear": 4, "at": "2:left:10"}, OTHER)
    table.land("2:left:9")
    assert table.open == ("slipstream", 1, "tow_1")


@pytest.mark.article("cup", "kers.spend")
def test_a_forced_answer_names_any_free_space() -> None:
    table = with_kers(4, "2:left:5")
    table.talk.answer({"space": "2:right:9", "brakes": 0, "soft": 0}, forced=True)
    assert table.car(1).at == "2:right:9"


@pytest.mark.article("cup", "kers.spend")
def test_a_way_that_the_referee_has_made_goes_on_as_it_likes() -> None:
    table = race({"car": 1, "gear": 3, "at": "2:left:1", "kers": 2}, OTHER)
    table.say(3, 4)
    table.talk.answer({"space": "2:right:9", "brakes": 0, "soft": 0}, forced=True)
    assert table.spaces() == {"2:middle:10", "2:right:10"}


@pytest.mark.article("cup", "kers.spend", "straight.two-lanes", "tyres.wet")
def test_into_a_wet_corner_the_space_slides_on_and_the_slide_may_be_braked() -> None:
    """All the rules of the move: hard tyres slide three spaces on; brakes save those, but not the one gained."""
    one = {"car": 1, "gear": 2, "at": "2:left:12", "kers": 2, "tyres": "hard"}
    table = drives(2, 2, "2:right:12", one, OTHER, sky="rain", surface="wet")
    assert table.spaces() == {"3:left:2", "3:middle:3", "3:right:4"}
    assert table.spaces(brakes=3) == {"3:right:1"}
    assert not table.spaces(brakes=4)
