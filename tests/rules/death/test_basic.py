"""The basic game underneath: one pool, a point a space, its ranges, its start, its pits."""

from __future__ import annotations

from typing import Any

import pytest

from companion.rules.death.state import DeathFigures
from companion.rules.rulebooks import RULEBOOKS
from tests.rules.competition.boards import CHICANE, in_a_row
from tests.rules.death.arenas import armed, attacking, driving, grid, points, rules


@pytest.mark.article("death", "basic.pool", "basic.blocked")
def test_one_pool_pays_a_point_for_each_space_braked() -> None:
    table = driving(armed(1, "L0", gear=3))
    table.say(3, 8)
    assert table.option(space="2:left:8", brakes=3).wear == {"points": -3}
    table.land("2:left:8", brakes=3)
    assert table.car(1).wear == {"points": 15}
    assert table.ruling("brake").wear == {"points": -3}


@pytest.mark.article("death", "basic.blocked", "basic.drive")
def test_a_point_a_space_that_cannot_be_driven() -> None:
    wall = [armed(2, "L6"), armed(3, "M5"), armed(4, "R6"), armed(5, "R4"), armed(6, "M3"), armed(7, "L4")]
    table = driving(armed(1, "L0", gear=3), *wall)
    table.say(3, 6)
    option = next(option for option in table.options if option.facts.get("blocked"))
    assert option.wear == {"points": -option.facts["blocked"]}
    table.say(option.answer)
    assert points(table, 1) == 18 - option.facts["blocked"]
    table.until("attack")
    poor = driving(armed(1, "L0", gear=3, points=2), *wall)
    poor.say(3, 6)
    option = next(option for option in poor.options if option.facts.get("blocked") and not option.answer["brakes"])
    assert option.facts["spin"]
    poor.say(option.answer)
    assert (points(poor, 1), poor.car(1).status) == (0, "spun")


@pytest.mark.article("death", "basic.gears", "spin.zero")
def test_a_point_a_gear_skipped_three_at_most() -> None:
    table = driving(armed(1, "L0", gear=6))
    assert {option.answer: option.wear for option in table.options} == {
        6: {}, 5: {}, 4: {"points": -1}, 3: {"points": -2}, 2: {"points": -3},
    }  # fmt: skip
    table.say(3)
    assert (points(table, 1), table.car(1).gear, table.car(1).status) == (16, 3, "racing")
    poor = driving(armed(1, "L0", gear=6, points=0))
    assert [option.answer for option in poor.options] == [5, 6]
    assert poor.rulebook.gears.barred(poor.car(1), 4) == ("points", "basic.gears", 0, "points", 1, 0)
    poor.say(5)
    assert poor.car(1).status == "racing"  # it has paid nothing
    other = driving(armed(1, "L0", gear=6, points=1), options={"gear_down": [[1, 0, 0], [1, 1, 0]]})
    assert [option.answer for option in other.options] == [4, 5, 6]
    assert other.rulebook.gears.barred(other.car(1), 3) == ("points", "basic.gears", 0, "points", 2, 1)
    low = driving(armed(1, "L0", gear=2))
    assert [option.answer for option in low.options] == [1, 2, 3]


@pytest.mark.article("death", "basic.gears", "wreckage.marker", "spin.zero")
@pytest.mark.parametrize("columns", [[3, 0, 0], [1, 1, 1], [0, 0, 3]])
def test_a_gear_down_is_a_cost_whatever_part_a_table_has_it_paid_by(columns: list[int]) -> None:
    for switch, left, status in ((False, 15, "racing"), (False, 0, "spun"), (True, 0, "out")):
        car = armed(1, "L0", gear=3, points=3 + left)
        table = driving(car, armed(2, "R20"), options={"gear_down": [columns], "out_at_zero": switch})
        facts = {"spun": {"spin": True}, "out": {"out": "destroyed"}}.get(status, {})
        assert (table.option(1).wear, table.option(1).facts) == ({"points": -3}, facts)
        table.say(1)
        assert (points(table, 1), table.car(1).status, table.race.dangers) == (left, status, [])
        assert table.car(1).cause == ("destroyed" if switch else "")


@pytest.mark.article("death", "basic.overshoot", "basic.corner")
def test_a_point_a_space_overshot_and_out_with_two_stops_missed() -> None:
    table = driving(armed(1, "L22", gear=3))
    table.say(3, 6)
    option = next(option for option in table.options if option.facts.get("overshot") == 2)
    assert option.wear == {"points": -2}
    table.say(option.answer)
    assert (points(table, 1), table.car(1).stops, table.ruling("overshoot").facts["corners"]) == (16, 0, [2])
    spun = driving(armed(1, "L22", gear=3, points=2))
    spun.say(3, 6)
    option = next(option for option in spun.options if option.facts.get("overshot") == 2)
    assert option.facts["spin"]
    spun.say(option.answer)
    assert spun.car(1).status == "spun"
    out = driving(armed(1, "8:left:3", gear=4), track="monaco")
    out.say(5, 20)
    option = next(option for option in out.options if option.facts.get("out"))
    assert option.facts["out"] == "overshoot"
    out.say(option.answer)
    assert (out.car(1).status, out.car(1).cause) == ("out", "overshoot")


@pytest.mark.article("death", "basic.corner", "basic.drive")
def test_a_stop_is_made_by_ending_a_turn_in_the_corner() -> None:
    table = driving(armed(1, "L22", gear=2))
    table.say(2, 2)
    table.land("3:left:2")
    assert (table.car(1).stops, table.ruling("stop").article) == (1, "basic.corner")


@pytest.mark.article("death", "basic.drive")
def test_cars_are_driven_around_and_the_wall_of_an_oval_is_scenery() -> None:
    table = driving(armed(1, "L0", gear=2), armed(2, "L4"))
    table.say(2, 2)
    assert table.spaces() == {"2:middle:4", "2:right:3"}
    oval = driving(armed(1, "0:right:3", gear=2), track="copper-basin")
    assert oval.rulebook.track.wall == -1


@pytest.mark.article("death", "basic.collision")
def test_each_car_threatened_rolls_and_the_mover_once_for_each() -> None:
    table = driving(armed(1, "L0", gear=2), armed(2, "M5"), armed(3, "L6"), armed(4, "L2", gear=1))
    table.say(2, 3)
    table.say(next(o.answer for o in table.options if o.answer["space"] == "2:left:5"))
    assert table.tested("collision") == [(3, 4), (2, 4), (1, 4), (1, 4)]


@pytest.mark.article("death", "basic.engine")
@pytest.mark.parametrize(("gear", "face"), [(5, 20), (6, 30)])
def test_engines_roll_to_four_after_the_highest_roll(gear: int, face: int) -> None:
    table = driving(armed(1, "4:left:2", gear=gear), armed(2, "L0", gear=5), armed(3, "R0", gear=4))
    table.say(gear, face)
    table.say(table.options[0].answer)
    if table.ask in ("clutch", "slipstream"):
        table.say(None)
    assert (1, 4) in table.tested("engine", {1: 4, 2: 5})
    assert points(table, 2) == 18
    assert "engine" in [ruling.facts.get("why") for ruling in table.rulings if ruling.kind == "hit"]


@pytest.mark.article("death", "basic.start")
@pytest.mark.parametrize(("face", "status"), [(1, "stalled"), (2, "racing"), (16, "racing"), (17, "racing")])
def test_the_start_by_the_black_die(face: int, status: str) -> None:
    table = grid({"car": 1, "weapons": {"flamer": 1, "rear-mg": 1}, "defence": "bravado", "utility": "turbo"})
    assert table.open == ("start", 1, "start")
    table.say(face)
    assert table.car(1).status == status
    if face == 17:
        assert table.ruling("great_start").facts["spaces"] == 4
    elif face > 1:
        assert table.open == ("roll", 1, "gear_1")
    else:
        table.say(None)
        assert table.open == ("roll", 1, "gear_1")


@pytest.mark.article("death", "basic.order", "phase.movement")
def test_level_cars_play_by_gear_then_from_the_inside_and_lapped_cars_in_race_order() -> None:
    cars = [armed(1, "L6", gear=3), armed(2, "R6", gear=3), armed(3, "L-4", gear=1, lap=2), armed(4, "M3", gear=5)]
    table = attacking(*cars, order=[])
    assert table.rulebook.running_order()[:2] == [3, 1]
    assert table.rulebook.running_order() == [3, 1, 2, 4]
    assert table.open == ("gear", 3, "")


@pytest.mark.article("death", "basic.order")
def test_whoever_may_still_turn_into_the_pits_plays_by_his_place_on_the_track() -> None:
    """The competition's pit limit is none of this rulebook's: of level cars the higher gear plays first."""
    cars = [armed(1, "20:left:1", gear=2), armed(2, "20:right:2", gear=4), armed(3, "20:middle:1", gear=6)]
    cars.append(armed(4, "pit:3", box=10, status="pit"))
    assert driving(*cars, track="monaco", laps=3).rulebook.running_order() == [2, 1, 4, 3]


@pytest.mark.article("death", "basic.finish")
def test_a_race_of_two_laps_is_over_when_all_are_home_or_out() -> None:
    assert RULEBOOKS["death"].laps == 2
    assert rules({"cars": [{"car": 1}]}).race.laps == 2
    table = driving(armed(1, "4:left:22", gear=4, lap=2), armed(2, "L0", lap=1), laps=2)
    table.say(4, 8)
    table.say(next(option.answer for option in table.options if "finish" in option.facts))
    assert (table.car(1).status, table.race.home) == ("finished", [1])
    table.talk.override({"car": 2, "status": "out"})
    assert table.race.phase == "over"
    assert [row["car"] for row in table.rulebook.result()] == [1, 2]
    assert table.rulebook.result()[0]["points"] == DeathFigures().points[0]


@pytest.mark.article("death", "basic.finish", "basic.overshoot")
def test_who_is_destroyed_in_the_move_that_crosses_the_line_came_further_than_who_did_not() -> None:
    cars = [armed(1, "17:middle:8", gear=5, lap=2), armed(2, "20:right:17", lap=2)]
    table = driving(*cars, track="monaco", laps=2)
    table.say(6, 30)
    table.land("20:middle:17")
    table.talk.override({"car": 2, "status": "out"})
    assert (table.car(1).status, table.race.home) == ("out", [])
    assert [row["car"] for row in table.rulebook.result()] == [1, 2]


@pytest.mark.article("death", "basic.finish", "utility.no-weapon")
def test_over_the_line_a_new_lap_begins() -> None:
    table = driving(armed(1, "4:left:22", gear=4, utility="turbo", used=True), armed(2, "L0"))
    table.say(4, 7)
    table.say(table.options[0].answer)
    assert (table.ruling("lap").article, table.car(1).used) == ("basic.finish", False)


# -- the pits


@pytest.mark.article("death", "pit.refill", "basic.pool")
@pytest.mark.parametrize(
    ("one", "two", "boxes"),
    [
        ({}, {}, [2, 1]),
        ({"wear": {"points": 18}}, {"wear": {"points": 18}}, [2, 1]),
        ({}, {"box": 2}, [1, 2]),
        ({"box": 1}, {}, [1, 2]),
    ],
)
def test_before_the_race_every_car_has_a_box_of_its_own(one: object, two: object, boxes: list[int]) -> None:
    """Pole first, whether or not the setup has given them their points."""
    table = grid({"car": 1, **one}, {"car": 2, **two}, grid=[2, 1])  # type: ignore[dict-item]
    assert [car.box for car in table.race.cars] == boxes


def stopping(**more: object) -> object:
    """Car 1 reaches its box on Monaco."""
    car = armed(1, "pit:1", "slip-mines", "rear-mg", points=7, status="pit", box=1, **more)  # type: ignore[arg-type]
    table = driving(car, armed(2, "2:left:1"), track="monaco")
    table.say(3, 4)
    table.land("box:1")
    return table


@pytest.mark.article("death", "pit.refill", "utility.grip-tyres", "utility.mag-plates", "utility.swerve-tyres",
                     "weapon.slip-mines")  # fmt: skip
@pytest.mark.parametrize(("utility", "tokens"), [("grip-tyres", 3), ("mag-plates", 4), ("swerve-tyres", 2)])
def test_a_stop_gives_points_tokens_and_slip_mines_back(utility: str, tokens: int) -> None:
    stock = {utility: 0, "slip-mines": 1}
    table = stopping(utility=utility, stock=stock, weapons={"slip-mines": 1, "rear-mg": 2}, round_set=True)
    car = table.car(1)  # type: ignore[attr-defined]
    assert (car.wear, car.stock) == ({"points": 18}, {utility: tokens, "slip-mines": 5})
    box = table.ruling("box")  # type: ignore[attr-defined]
    assert box.counts == {f"stock:{utility}": tokens, "stock:slip-mines": 4}
    assert car.weapons == {"slip-mines": 1, "rear-mg": 2}
    assert (car.status, car.stop) == ("box", "long")


@pytest.mark.article("death", "pit.refill", "weapon.wrecker-ball", "weapon.limpet-mines")
def test_only_up_to_the_maximum_and_limpets_are_not_filled_up() -> None:
    table = stopping(built={"points": 15}, weapons={"limpet-mines": 0, "rear-mg": 0}, stock={"limpet-mines": 2})
    car = table.car(1)  # type: ignore[attr-defined]
    assert (car.wear, car.stock) == ({"points": 15}, {"limpet-mines": 2})
    assert table.ruling("box").counts == {}  # type: ignore[attr-defined]


@pytest.mark.article("death", "pit.refill", "weapon.chain-blades")
@pytest.mark.parametrize(("fits", "left", "defence"), [(True, 14, "chaff-release"), (False, 18, "")])
def test_a_card_that_was_torn_off_comes_back_for_four_points(fits: bool, left: int, defence: str) -> None:
    table = stopping(stripped=["chaff-release"])
    assert table.open == ("use", 1, "chaff-release")  # type: ignore[attr-defined]
    assert table.fields["refit"]  # type: ignore[attr-defined]
    table.say(fits)  # type: ignore[attr-defined]
    car = table.car(1)  # type: ignore[attr-defined]
    assert (car.wear["points"], car.defence, car.stripped) == (left, defence, [] if fits else ["chaff-release"])


@pytest.mark.article("death", "pit.refill", "weapon.chain-blades", "utility.grip-tyres")
@pytest.mark.parametrize(
    ("stock", "fits", "after", "counts"),
    [
        ({}, True, {"grip-tyres": 3}, {"stock:grip-tyres": 3}),
        ({"grip-tyres": 1}, True, {"grip-tyres": 3}, {"stock:grip-tyres": 2}),
        ({"grip-tyres": 1}, False, {"grip-tyres": 1}, {}),
    ],
)
def test_a_card_that_was_torn_off_gets_its_tokens_with_it_and_none_without(
    stock: dict[str, int], fits: bool, after: dict[str, int], counts: dict[str, int]
) -> None:
    table = stopping(stripped=["grip-tyres"], stock={"slip-mines": 5, **stock})
    table.say(fits)  # type: ignore[attr-defined]
    assert table.car(1).stock == {"slip-mines": 5, **after}  # type: ignore[attr-defined]
    assert table.ruling("box").counts == counts  # type: ignore[attr-defined]


@pytest.mark.article("death", "pit.refill", "weapon.chain-blades")
def test_a_car_that_the_referee_puts_elsewhere_gets_nothing_of_its_stop() -> None:
    table = stopping(stripped=["chaff-release", "grip-tyres"])
    table.talk.override({"car": 1, "at": "0:left:3"})  # type: ignore[attr-defined]
    assert table.ask == "attack"  # type: ignore[attr-defined]
    car = table.car(1)  # type: ignore[attr-defined]
    assert (car.wear["points"], car.stop, car.stripped) == (7, "", ["chaff-release", "grip-tyres"])
    assert {"box", "refit"}.isdisjoint(table.kinds())  # type: ignore[attr-defined]


@pytest.mark.article("death", "pit.refill")
def test_the_box_is_left_on_the_next_turn_in_fourth_or_lower() -> None:
    car = armed(1, "box:1", status="box", stop="long", box=1)
    table = driving(car, armed(2, "2:left:1"), track="monaco")
    assert (table.open, [option.answer for option in table.options]) == (("gear", 1, "leave"), [1, 2, 3, 4])
    table.say(4)
    assert table.open == ("roll", 1, "gear_4")


@pytest.mark.article("death", "pit.refill", "basic.gears")
@pytest.mark.parametrize(
    ("place", "stop", "gear", "gears"), [("pit:1", "", 3, [1, 2, 3, 4]), ("pit:9", "left", 1, [1, 2])]
)
def test_in_the_lane_gears_are_free_before_the_stop_and_after_it(
    place: str, stop: str, gear: int, gears: list[int]
) -> None:
    """Box 8 is more than four spaces away; 1st, in which the box may be left, may be kept."""
    car = armed(1, place, status="pit", stop=stop, box=8, gear=gear)
    table = driving(car, armed(2, "2:left:1"), track="monaco")
    assert [option.answer for option in table.options] == gears


@pytest.mark.article("death", "basic.overshoot", "basic.blocked")
@pytest.mark.parametrize(
    ("place", "gear", "face", "car", "options", "landing", "wear", "facts"),
    [
        ("L0", 2, 2, {"points": 0}, {}, ("2:left:5", 0), {}, {}),
        ("L0", 2, 2, {"points": 2}, {}, ("2:left:4", 1), {"points": -1}, {}),
        ("L0", 2, 2, {"points": 1}, {}, ("2:left:4", 1), {"points": -1}, {"spin": True}),
        ("0:left:2", 2, 2, {"points": 1}, {}, ("0:left:3", 1), {"points": -1}, {"spin": True}),
        ("L0", 2, 2, {"points": 1}, {"out_at_zero": True}, ("2:left:4", 1), {"points": -1}, {"out": "destroyed"}),
    ],
)
def test_a_landing_says_what_it_costs_and_what_the_last_point_does(
    place: str, gear: int, face: int, car: dict[str, Any], options: dict[str, Any], landing: tuple[str, int],
    wear: dict[str, int], facts: dict[str, Any],
) -> None:  # fmt: skip
    table = driving(armed(1, place, gear=gear, **car), options=options)
    table.say(gear, face)
    option = table.option(space=landing[0], brakes=landing[1])
    del option.facts["moved"]
    assert (option.wear, option.facts) == (wear, facts)


@pytest.mark.article("death", "basic.overshoot", "basic.corner")
@pytest.mark.parametrize(
    ("left", "stops", "more"),
    [
        (18, 0, {"out": "overshoot"}),  # both stops missed
        (18, 1, {}),
        (1, 1, {"spin": True}),
        (0, 1, {"out": "destroyed"}),
        (0, 0, {"out": "overshoot"}),
    ],
)
def test_two_stops_missed_are_the_end_and_one_costs_its_spaces(left: int, stops: int, more: dict[str, Any]) -> None:
    table = driving(armed(1, "3:right:1", gear=3, points=left, stops=stops), track=CHICANE)
    table.say(3, 8)
    option = table.option(space="4:left:3", brakes=0)
    assert option.facts == {"moved": 8, "overshot": 3, **more}
    table.say(option.answer)
    assert (table.car(1).cause if table.car(1).status == "out" else None) == more.get("out")


@pytest.mark.article("death", "basic.overshoot", "basic.corner")
def test_the_most_stops_missed_in_a_corner_are_told() -> None:
    """The first of two corners wants a stop, the second two."""
    table = driving(armed(1, "0:left:4", gear=4), armed(2, "0:right:1"), track=in_a_row(1, 2, 1))
    table.say(5, 16)
    out = next(option for option in table.options if option.facts.get("out") == "overshoot")
    table.say(out.answer)
    assert (table.ruling("overshoot").facts["corners"], table.ruling("overshoot").facts["missing"]) == ([1, 2], 2)


@pytest.mark.article("death", "clutch.drop", "utility.drop-clutch", "spin.zero")
@pytest.mark.parametrize(("left", "facts"), [(3, {}), (2, {"spin": True}), (1, {"spin": True})])
def test_dropping_the_clutch_says_that_it_takes_the_last_point(left: int, facts: dict[str, Any]) -> None:
    table = driving(armed(1, "L18", gear=2, points=left))
    table.say(2, 2)
    table.land("2:left:14")
    stop = {"moved": 1, "corner": 2, "stops": 1, "of": 1, **facts}
    assert [(option.answer is None, option.facts) for option in table.options] == [
        (True, {}), (False, stop), (False, stop),
    ]  # fmt: skip
    table.say(None)
    assert (table.car(1).at, points(table, 1)) == ("2:left:14", left)
