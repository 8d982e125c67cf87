"""Markers on the road, the clutch, spins at zero, slipstreams."""

from __future__ import annotations

from typing import Any

import pytest

from companion.rules.conversation.errors import BadOverride
from tests.rules.death.arenas import armed, attacking, driving, points
from tests.rules.death.test_defences import ending

STOP = {"moved": 1, "corner": 2, "stops": 1, "of": 1}
"""What the clutch tells of the space that it drops onto: the one stop of the corner there."""


@pytest.mark.article("death", "wreckage.marker")
def test_damage_leaves_a_marker_where_it_happened_and_several_may_lie_there() -> None:
    table = attacking(armed(1, "L6", "flamer"), armed(2, "L8"), dangers=["2:left:7"])
    table.say({"fire": "flamer", "at": 2}, 16)
    assert (table.race.dangers, table.race.piles) == (["2:left:7"], {"2:left:7": 1})


@pytest.mark.article("death", "wreckage.marker", "basic.gears", "basic.blocked")
def test_costs_leave_none() -> None:
    table = driving(armed(1, "L0", gear=4))
    table.say(2, 3)
    table.land("2:left:5", brakes=1)
    assert (points(table, 1), table.race.dangers) == (16, [])


@pytest.mark.article("death", "wreckage.marker", "basic.gears", "basic.blocked", "basic.overshoot", "spin.zero")
def test_by_a_switch_every_cost_leaves_one_where_the_car_has_paid_it() -> None:
    wide: dict[str, Any] = {"options": {"costs_leave_markers": True}}
    braking = driving(armed(1, "L0", gear=4), **wide)
    braking.say(2)
    assert braking.race.dangers == ["2:left:3"]  # where it changed down
    braking.say(3)
    braking.land("2:left:5", brakes=1)
    assert (points(braking, 1), braking.race.dangers) == (16, ["2:left:3", "2:left:5"])
    assert [(one.article, one.facts) for one in braking.rulings if one.kind == "danger"] == [
        ("wreckage.marker", {"at": "2:left:3"}), ("wreckage.marker", {"at": "2:left:5"})
    ]  # fmt: skip
    wall = [armed(2, "L6"), armed(3, "M5"), armed(4, "R6"), armed(5, "R4"), armed(6, "M3"), armed(7, "L4")]
    blocked = driving(armed(1, "L0"), *wall, **wide)
    blocked.say(3, 6)
    blocked.say(next(option.answer for option in blocked.options if option.facts.get("blocked")))
    assert (blocked.race.dangers, blocked.race.piles) == ([blocked.car(1).at], {})
    over = driving(armed(1, "L22", points=2, gear=3), **wide)
    over.say(3, 5)
    over.say(next(option.answer for option in over.options if "overshot" in option.facts))
    assert over.race.dangers == [over.car(1).at]


@pytest.mark.article("death", "wreckage.roll")
@pytest.mark.parametrize(("face", "left", "lying"), [(4, 17, []), (5, 18, ["2:left:4"])])
def test_driving_over_a_marker_is_a_roll_that_may_take_it_off(face: int, left: int, lying: list[str]) -> None:
    table = driving(armed(1, "L0"), dangers=["2:left:4"])
    table.say(2, 2)
    table.land("2:left:5")
    assert (table.open, table.fields) == (("test", 1, "wreckage"), {"loses_to": 4})
    table.say(face)
    assert (points(table, 1), table.race.dangers, table.car(1).at) == (left, lying, "2:left:5")
    assert table.told("wreckage", "en").endswith("no damage." if lying else "hit, and the marker is removed.")
    assert table.told("wreckage", "fr").endswith("la voiture tient." if lying else "touchée, et le marqueur est ôté.")


@pytest.mark.article("death", "wreckage.roll")
def test_of_several_markers_one_is_rolled_for_and_one_goes() -> None:
    table = driving(armed(1, "L0"), dangers=["2:left:4"], piles={"2:left:4": 2})
    table.say(2, 2)
    table.land("2:left:5")
    assert table.tested("wreckage", {1: 1}) == [(1, 4)]
    assert (table.race.dangers, table.race.piles) == (["2:left:4"], {"2:left:4": 1})
    table.rulebook.wear.unmark("2:left:4")
    assert (table.race.dangers, table.race.piles) == (["2:left:4"], {})
    table.rulebook.wear.unmark("2:left:4")
    assert table.race.dangers == []


@pytest.mark.article("death", "wreckage.roll")
def test_markers_stay_by_a_switch_and_one_that_a_car_stands_on_is_not_rolled() -> None:
    table = driving(armed(1, "L0"), dangers=["2:left:3", "2:left:5"], options={"markers_stay": True})
    table.say(2, 2)
    table.land("2:left:5")
    assert table.tested("wreckage", {1: 1}) == [(1, 4)]
    assert table.race.dangers == ["2:left:3", "2:left:5"]
    assert table.told("wreckage", "en").endswith("hit.")


@pytest.mark.article("death", "wreckage.roll", "spin.zero", "basic.overshoot")
def test_a_car_that_wreckage_spins_stays_on_that_space_unbraked() -> None:
    table = driving(armed(1, "L0", points=1), dangers=["2:left:4"])
    table.say(2, 3)
    table.land("2:left:5", brakes=1)
    table.say(1)
    assert (table.car(1).at, table.car(1).status, points(table, 1)) == ("2:left:4", "spun", 0)
    assert "brake" not in table.kinds()
    beyond = driving(armed(1, "L22", points=1, gear=3), dangers=["4:left:1"])
    beyond.say(3, 5)
    over = next(o for o in beyond.options if o.facts.get("tests") == ["4:left:1"] and o.answer["space"] == "4:left:2")
    beyond.say(over.answer, 1)
    assert (beyond.car(1).at, beyond.car(1).status) == ("4:left:1", "spun")


@pytest.mark.article("death", "wreckage.marker")
def test_the_referees_markers_are_one_a_space_and_never_in_the_pits() -> None:
    table = driving(armed(1, "2:left:3"), track="monaco", dangers=["2:left:9"], piles={"2:left:9": 1})
    table.talk.override({"dangers": ["2:left:8", "2:left:9"]})
    assert (table.race.dangers, table.race.piles) == (["2:left:8", "2:left:9"], {})
    with pytest.raises(BadOverride, match="not in the pits"):
        table.talk.override({"dangers": ["pit:3"]})
    table.rulebook.wear.mark("pit:3", "wreckage.marker", table.car(1))
    assert "pit:3" not in table.race.dangers


# -- spins


@pytest.mark.article("death", "spin.zero", "basic.pool")
def test_at_zero_or_fewer_the_car_spins_and_only_the_next_point_destroys_it() -> None:
    table = attacking(armed(1, "L6", "megaton-missiles"), armed(2, "L8", points=2), order=[1, 2])
    table.say({"fire": "megaton-missiles", "at": 2}, 10)
    assert (table.car(2).status, points(table, 2)) == ("spun", 0)
    again = attacking(armed(1, "L6", "flamer"), armed(2, "L8", points=0, status="spun"), order=[1, 2])
    again.say({"fire": "flamer", "at": 2}, 16)
    assert (again.car(2).status, again.car(2).cause) == ("out", "destroyed")
    assert again.ruling("out").article == "spin.zero"


@pytest.mark.article("death", "spin.zero")
def test_by_a_switch_a_car_is_out_at_zero() -> None:
    table = attacking(
        armed(1, "L6", "flamer"), armed(2, "L8", points=1), armed(3, "R0"), order=[1, 3], options={"out_at_zero": True}
    )
    assert table.rulebook.wear.fatal(table.car(2), "body")
    table.say({"fire": "flamer", "at": 2}, 16)
    assert table.car(2).status == "out"
    paying = driving(armed(1, "L0", points=1, gear=4), armed(3, "R0"), options={"out_at_zero": True})
    assert paying.option(2).facts == {"out": "destroyed"}
    paying.say(2)
    assert paying.car(1).status == "out"


@pytest.mark.article("death", "spin.zero", "clutch.drop", "utility.pneumatic-ramp", "basic.blocked")
def test_by_that_switch_answers_say_that_they_destroy() -> None:
    options = {"out_at_zero": True}
    braking = driving(armed(1, "L0", points=2, gear=2), armed(3, "R0"), options=options)
    braking.say(2, 3)
    assert braking.option(space="2:left:4", brakes=2).facts["out"] == "destroyed"
    assert "out" not in braking.option(space="2:left:5", brakes=1).facts
    clutch = driving(armed(1, "L18", points=2, gear=2), armed(3, "R0"), options=options)
    clutch.say(2, 2)
    clutch.land("2:left:14")
    assert clutch.option(space="3:left:1").facts == {**STOP, "out": "destroyed"}
    ramp = driving(armed(1, "L0", points=2, gear=2, utility="pneumatic-ramp"), armed(2, "L4"), options=options)
    ramp.say(2, True, 2)
    assert ramp.option(space="2:left:5").facts["out"] == "destroyed"


@pytest.mark.article("death", "spin.zero", "basic.gears")
def test_a_spun_car_drives_off_in_first_without_another_die() -> None:
    table = driving(armed(1, "L0", points=0, status="spun", gear=4))
    assert table.open == ("roll", 1, "gear_1")
    assert (table.car(1).status, table.car(1).gear, table.car(1).turned) == ("racing", 1, False)
    table.say(2)
    assert all(option.answer["brakes"] == 0 for option in table.options)
    table.land("2:left:5")
    assert (table.car(1).status, points(table, 1)) == ("racing", 0)


@pytest.mark.article("death", "spin.zero", "basic.gears", "basic.blocked")
def test_the_last_point_paid_spins_too() -> None:
    skipped = driving(armed(1, "L0", points=1, gear=4))
    assert skipped.option(2).facts == {"spin": True}
    skipped.say(2)
    assert (skipped.car(1).status, skipped.car(1).at, skipped.ask) == ("spun", "2:left:3", "attack")
    braked = driving(armed(1, "L0", points=1, gear=2))
    braked.say(2, 2)
    assert braked.option(space="2:left:4", brakes=1).facts["spin"]
    braked.land("2:left:4", brakes=1)
    assert braked.car(1).status == "spun"


@pytest.mark.article("death", "spin.zero", "basic.overshoot")
def test_a_car_without_points_is_destroyed_by_one_space_overshot() -> None:
    table = driving(armed(1, "L22", points=0, gear=3))
    table.say(3, 5)
    over = next(o for o in table.options if o.facts.get("overshot") == 1)
    assert over.facts["out"] == "destroyed"
    table.say(over.answer)
    assert (table.car(1).status, table.car(1).cause) == ("out", "destroyed")


@pytest.mark.article("death", "spin.zero", "basic.engine")
def test_an_engine_test_is_made_without_points_too() -> None:
    table = driving(armed(1, "4:left:2", gear=5), armed(2, "L0", gear=5, points=0))
    table.say(5, 20)
    table.land("4:left:22")
    assert table.tested("engine", {2: 4}) == [(1, 4), (2, 4)]
    assert table.car(2).cause == "destroyed"


# -- slipstream


@pytest.mark.article("death", "slipstream.any-gear")
def test_a_slipstream_is_taken_in_any_gear_as_often_as_it_comes() -> None:
    table = driving(armed(1, "L0", gear=1), armed(2, "L4", gear=6), armed(3, "R8", gear=2))
    table.say(1, 1)
    table.land("2:left:4")
    assert table.open == ("slipstream", 1, "tow_1")
    spaces = {o.answer["space"] for o in table.options if o.answer and not o.answer["brakes"]}
    assert spaces == {"2:left:6", "2:middle:6", "2:right:5"}
    table.land("2:right:5")
    assert table.open == ("slipstream", 1, "tow_2")
    assert table.ruling("slipstream").facts == {"spaces": 3}
    table.say(None)
    assert points(table, 1) == 18


@pytest.mark.article("death", "slipstream.any-gear", "wreckage.roll")
def test_a_slipstream_meets_what_lies_on_its_way() -> None:
    table = driving(armed(1, "L0", gear=1), armed(2, "L4"), dangers=["2:right:5"])
    table.say(1, 1)
    table.land("2:left:4")
    table.land("2:right:5")
    assert table.tested("wreckage", {1: 4}) == [(1, 4)]
    assert (points(table, 1), table.car(1).at) == (17, "2:right:5")


@pytest.mark.article("death", "slipstream.any-gear")
@pytest.mark.parametrize("status", ["spun", "stalled"])
def test_there_is_none_behind_a_car_that_stands_or_after_braking(status: str) -> None:
    table = driving(armed(1, "L0", gear=2), armed(2, "L6", status=status))
    table.say(2, 2)
    table.land("2:left:5")
    assert table.ask == "test"
    braked = driving(armed(1, "L0", gear=2), armed(2, "L6"))
    braked.say(2, 3)
    braked.land("2:left:5", brakes=1)
    assert braked.ask == "test"


@pytest.mark.article("death", "slipstream.any-gear", "basic.corner")
def test_it_costs_nothing_into_a_corner_and_may_be_braked() -> None:
    table = driving(armed(1, "L16", gear=2), armed(2, "L22"))
    table.say(2, 2)
    table.land("2:left:13")
    into = [o for o in table.options if o.answer and o.answer["space"].startswith("3:") and not o.answer["brakes"]]
    assert into
    assert all(o.wear == {} for o in into if "overshot" not in o.facts)
    assert any(o.answer["brakes"] == 1 and o.wear == {"points": -1} for o in table.options if o.answer)


# -- the clutch


@pytest.mark.article("death", "clutch.drop")
def test_the_clutch_is_only_dropped_next_to_a_corner_by_a_car_with_points() -> None:
    two = driving(armed(1, "L16", gear=2))
    two.say(2, 2)
    two.land("2:left:13")
    assert two.ask == "attack"
    empty = driving(armed(1, "L18", gear=2, points=0))
    empty.say(2, 2)
    empty.land("2:left:14")
    assert empty.ask == "attack"
    taken = driving(armed(1, "L18", gear=2), armed(2, "3:left:1"), armed(3, "3:middle:1"))
    taken.say(2, 2)
    taken.land("2:left:14")
    assert taken.ask != "clutch"


@pytest.mark.article("death", "clutch.drop", "spin.zero", "wreckage.roll")
def test_a_car_that_spends_its_last_points_on_the_clutch_spins_in_the_corner() -> None:
    table = driving(armed(1, "L18", gear=2, points=2), dangers=["3:left:1"])
    table.say(2, 2)
    table.land("2:left:14")
    assert table.option(space="3:left:1").facts == {**STOP, "spin": True}
    table.land("3:left:1")
    assert (table.car(1).status, table.car(1).at) == ("spun", "3:left:1")
    assert table.tested("wreckage") == [(1, 4)]
    left = driving(armed(1, "L18", gear=2))
    left.say(2, 2)
    left.land("2:left:14")
    left.say(None)
    assert (left.car(1).at, points(left, 1)) == ("2:left:14", 18)


@pytest.mark.article("death", "clutch.drop", "basic.corner")
def test_no_clutch_out_of_a_corner_that_still_wants_a_stop() -> None:
    """Corner 15 of Monaco wants two stops: one made by this turn is not enough, with one made before it is."""
    table = driving(armed(1, "15:left:8", gear=1, stops=0), track="monaco")
    table.say(1, 1)
    rules, space = table.rulebook, table.rulebook.track.ids["15:left:9"]
    assert rules.gadgets.leaves_too_early(table.car(1), space)
    rules.race.move.made = 1
    assert not rules.gadgets.leaves_too_early(table.car(1), space)
    assert not rules.gadgets.leaves_too_early(table.car(1), rules.track.ids["14:left:1"])


@pytest.mark.article("death", "basic.collision", "wreckage.marker")
def test_two_cars_that_meet_leave_a_marker_each() -> None:
    table = ending({}, armed(2, "M5"))
    table.say(1, 1)
    assert table.race.dangers == ["2:left:5", "2:middle:5"]
