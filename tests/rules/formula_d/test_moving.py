"""Gears, ways, corners and what a move costs by the rules of the box.

The straights and corners are Monaco's: Sainte-Dévote is section 1 (one stop), Loews section 9 (three), Piscine section
15 (two)."""

from __future__ import annotations

from typing import Any

import pytest

from companion.rules.circuit.leg import Over
from companion.rules.conversation.faces import FACES
from tests.rules.competition.boards import at
from tests.rules.formula_d.tables import WALL, position, tow, worn
from tests.rules.missing import STOPS, leave
from tests.table import WEAR, Table

# -- gears


@pytest.mark.article("formula-d", "gears.six", "gears.announce")
@pytest.mark.parametrize("gear", range(1, 7))
def test_the_gear_is_said_and_set_before_its_own_die(gear: int) -> None:
    table = position({"at": "2:left:1", "gear": gear})
    assert table.open == ("gear", 1, "")
    table.say(gear)
    assert (table.car(1).gear, table.open) == (gear, ("roll", 1, f"gear_{gear}"))
    assert list(table.talk.question.faces or ()) == list(FACES[gear])  # type: ignore[union-attr]
    assert table.talk.question.article == "gears.six"  # type: ignore[union-attr]
    table.refuses(FACES[gear][-1] + 1, "gear shows")


@pytest.mark.article("formula-d", "gears.up", "gears.down", "gears.price")
def test_one_gear_up_one_down_for_nothing_three_skipped_at_a_price_never_four() -> None:
    table = position({"at": "2:left:1", "gear": 6})
    assert {option.answer: option.wear for option in table.options} == {
        6: {},
        5: {},
        4: {"gearbox": -1},
        3: {"gearbox": -1, "brakes": -1},
        2: {"gearbox": -1, "brakes": -1, "engine": -1},
    }
    table.say(3)
    assert table.ruling("gear_down").article == "gears.price"
    assert table.car(1).wear == {**WEAR, "gearbox": 2, "brakes": 2}
    assert sorted(option.answer for option in position({"at": "2:left:1", "gear": 2}).options) == [1, 2, 3]


@pytest.mark.article("formula-d", "gears.empty")
def test_without_gearbox_points_one_gear_at_a_time() -> None:
    table = position({"at": "2:left:1", "gear": 5, **worn(gearbox=0)})
    assert sorted(option.answer for option in table.options) == [4, 5, 6]
    table.refuses(3, "This question allows")


@pytest.mark.article("formula-d", "gears.price", "debris.laid", "engine.out")
def test_the_engine_of_a_hard_gear_down_leaves_debris_where_the_move_ends() -> None:
    """Ruling 10; the last point ends the race before the die."""
    table = position({"at": "2:left:1", "gear": 6})
    table.say(2, 2)
    assert table.race.dangers == []
    table.land("2:left:3")
    assert table.race.dangers == ["2:left:3"]
    assert table.ruling("danger").article == "debris.laid"
    last = position({"at": "2:left:1", "gear": 6, **worn(engine=1)}, {"at": "2:left:9"})
    assert last.option(2).facts == {"out": "engine"}
    last.say(2)
    assert (last.car(1).status, last.car(1).cause) == ("out", "engine")
    assert last.race.dangers == ["2:left:1"]


# -- ways


@pytest.mark.article("formula-d", "drive.around", "drive.shortest")
def test_the_die_is_driven_round_other_cars_by_the_shortest_way() -> None:
    """From M7 two spaces: a lane aside, not onto or over the car on M9; alone, no way is longer than it must be."""
    table = tow({"at": "M7", "gear": 2}, {"at": "M9"})
    table.say(2, 2)
    assert table.spaces() == {at("L10"), at("R10")}
    alone = tow({"at": "M-3", "gear": 3})
    alone.say(3, 6)
    assert alone.spaces() == {at("M9"), at("L8"), at("R8")}
    assert all("blocked" not in option.facts for option in alone.options)


@pytest.mark.article("formula-d", "drive.shortest")
def test_debris_may_be_driven_around() -> None:
    """A lane aside; straight on it is tested."""
    table = tow({"at": "M1", "gear": 3}, dangers=[at("M5")])
    table.say(3, 4)
    clear = {option.answer["space"] for option in table.options if not option.facts.get("tests")}
    assert {at("L8"), at("R8")} <= clear
    assert at("M9") not in clear


@pytest.mark.article("formula-d", "drive.corner-arrows", "corner.stops")
def test_in_a_corner_the_arrows_lead_and_a_turn_that_ends_there_is_a_stop() -> None:
    table = position({"at": "1:right:2", "gear": 1})
    table.say(1, 1)
    assert table.spaces() == {"1:right:3"}  # Sainte-Dévote's right lane leads straight on
    table.land("1:right:3")
    assert table.ruling("stop").facts == {"corner": 1, "stops": 1, "of": 1}
    assert table.ruling("stop").article == "corner.stops"
    free = position({"at": "1:right:3", "gear": 1, "stops": 1})
    free.say(1, 1)
    assert all(option.wear == {} for option in free.options if not option.answer["brakes"])


# -- corners left too early


@pytest.mark.article("formula-d", "overshoot.price", "overshoot.lane")
def test_each_space_beyond_a_corner_is_a_tyre_point_in_the_lane_it_was_left_by() -> None:
    table = position({"at": "1:right:3", "gear": 3})
    table.say(3, 5)
    assert table.spaces() == {"2:right:5"}
    assert table.option(space="2:right:5", brakes=0).wear == {"tyres": -5}
    table.land("2:right:5")
    assert table.ruling("overshoot").article == "overshoot.price"
    assert table.car(1).wear == {**WEAR, "tyres": 1}


@pytest.mark.article("formula-d", "overshoot.lane")
def test_ending_in_the_next_corner_that_way_is_no_stop() -> None:
    """From Sainte-Dévote, no stop made, up the whole hill into Casino."""
    table = position({"at": "1:right:3", "gear": 5, **worn(tyres=20)}, options={"wear_setup": [20, 3, 3, 3, 3, 2]})
    table.say(5, 19)
    table.land("3:right:1")
    assert table.car(1).stops == 0
    assert "stop" not in table.kinds()


@pytest.mark.article("formula-d", "overshoot.blocked", "brakes.blocked")
def test_a_car_in_the_way_of_an_overshoot_is_braked_for_and_never_passed() -> None:
    table = position({"at": "1:right:3", "gear": 3}, {"at": "2:right:4"})
    table.say(3, 5)
    assert {option.answer["space"] for option in table.options} <= {f"2:right:{n}" for n in (1, 2, 3)} | {"1:right:3"}
    assert table.option(space="2:right:3", brakes=2).wear == {"tyres": -3, "brakes": -2}
    blocked = table.option(space="2:right:3", brakes=0)
    assert (blocked.facts["blocked"], blocked.wear) == (2, {"tyres": -3, "brakes": -2})


@pytest.mark.article("formula-d", "overshoot.missed")
@STOPS
def test_two_stops_missing_are_the_end(place: str, stops: int, out: bool) -> None:
    table = position({"at": place, "gear": 1, "stops": stops}, {"at": "2:left:1"})
    leave(table, out)
    if out:
        assert table.ruling("out").article == "overshoot.missed"
        assert table.race.dangers == [table.car(1).at]


@pytest.mark.article("formula-d", "overshoot.spin", "overshoot.unpaid", "debris.laid")
@pytest.mark.parametrize(("points", "status"), [(6, "racing"), (5, "spun"), (4, "out")])
def test_the_last_tyre_point_spins_and_more_is_the_end(points: int, status: str) -> None:
    table = position({"at": "1:right:3", "gear": 3, **worn(tyres=points)}, {"at": "0:left:1"}, to_play=[1, 2])
    table.say(3, 5)
    table.land("2:right:5")
    assert (table.car(1).status, table.car(1).at) == (status, "2:right:5")
    assert table.race.dangers == (["2:right:5"] if status == "out" else [])
    if status == "out":
        assert table.ruling("out").article == "overshoot.unpaid"
    if status == "spun":
        assert table.ruling("spin").article == "overshoot.spin"


@pytest.mark.article("formula-d", "overshoot.spin")
def test_a_spun_car_leaves_in_1st_without_the_black_die() -> None:
    """Ruling 7."""
    table = position({"at": "2:right:5", "gear": 4, "status": "spun", **worn(tyres=0)})
    assert table.open == ("roll", 1, "gear_1")
    assert table.ruling("restart").facts == {"gear": 1}
    assert (table.kinds()[-2:], table.race.move.gear) == (["turned", "restart"], 1)
    table.say(2)
    table.land("2:right:7")
    assert (table.car(1).status, table.car(1).turned, table.car(1).gear) == ("racing", False, 1)


@pytest.mark.article("formula-d", "overshoot.again", "overshoot.unpaid")
@pytest.mark.parametrize(("face", "status"), [(1, "spun"), (2, "out")])
def test_without_tyres_one_space_beyond_is_another_spin_and_two_are_the_end(face: int, status: str) -> None:
    table = position({"at": "1:right:3", "gear": 1, "status": "spun", **worn(tyres=0, brakes=0)}, {"at": "10:left:1"})
    table.say(face)
    (option,) = table.options
    assert (option.facts.get("spin", False), option.facts.get("out")) == (
        status == "spun",
        None if status == "spun" else "overshoot",
    )
    table.say(option.answer)
    assert table.car(1).status == status
    if status == "spun":
        assert table.kinds().count("spin") == 1


@pytest.mark.article("formula-d", "overshoot.again", "overshoot.unpaid")
def test_without_tyres_any_overshoot_of_a_later_turn_is_the_end() -> None:
    """Only the turn that leaves the spin forgives one space."""
    table = position({"at": "1:right:3", "gear": 1, **worn(tyres=0, brakes=0)}, {"at": "10:left:1"})
    table.say(1, 1)
    (option,) = table.options
    assert (option.facts.get("spin", False), option.facts.get("out")) == (False, "overshoot")
    table.say(option.answer)
    assert table.car(1).status == "out"
    assert table.ruling("out").article == "overshoot.unpaid"


@pytest.mark.article("formula-d", "overshoot.again", "overshoot.unpaid", "overshoot.missed")
@pytest.mark.parametrize(
    ("over", "out", "article"),
    [(Over(0, 1, 1), "overshoot", "10-3"), (Over(0, 0, 1), "", ""), (Over(8, 1, 2), "overshoot", "10-1")],
)
def test_what_a_corner_costs_a_car_without_tyres_before_its_turn(over: Over, out: str, article: str) -> None:
    """No space beyond is no cost, and two stops missed are told as such."""
    book = position({"at": "1:right:3", "gear": 3, **worn(tyres=0)}).rulebook
    book.race.move = None
    cost = book.corners.overshoot_cost(book.car(1), [over], book.wear.purse(book.car(1)))
    assert (cost.out, cost.article, cost.spin) == (out, article, False)


@pytest.mark.article("formula-d", "debris.laid", "finish.winner")
def test_a_car_that_a_corner_puts_out_on_its_way_home_is_out_before_the_line() -> None:
    """Anthony Noghès is the last corner; the debris lies on this side of the line [ruling 9]."""
    table = position({"at": "19:left:6", "gear": 5, "lap": 2, **worn(tyres=1, brakes=0)}, {"at": "2:left:1"})
    table.say(5, 20)
    option = table.options[0]
    assert option.facts["out"] == "overshoot"
    table.say(option.answer)
    assert (table.car(1).status, table.car(1).lap) == ("out", 2)
    assert table.race.dangers == [table.car(1).at]
    assert str(table.car(1).at).startswith("20:")


# -- brakes and blocking


@pytest.mark.article("formula-d", "brakes.voluntary")
def test_a_brake_point_is_a_space_and_without_any_nobody_brakes() -> None:
    table = position({"at": "2:right:2", "gear": 3, **worn(brakes=2)})
    table.say(3, 6)
    assert {option.answer["brakes"] for option in table.options} == {0, 1, 2}
    table.land("2:right:6", brakes=2)
    assert table.car(1).wear["brakes"] == 0
    assert table.ruling("brake").article == "brakes.voluntary"
    dry = position({"at": "2:right:2", "gear": 3, **worn(brakes=0)})
    dry.say(3, 6)
    assert {option.answer["brakes"] for option in dry.options} == {0}


@pytest.mark.article("formula-d", "brakes.blocked")
@pytest.mark.parametrize(
    ("blocked", "brakes", "tyres"), [(1, 1, 0), (2, 2, 0), (3, 3, 0), (4, 3, 1), (5, 3, 2), (6, 3, 3)]
)
def test_the_table_of_blocking(blocked: int, brakes: int, tyres: int) -> None:
    gear = 3 if blocked <= 4 else 4
    table = tow({"at": "M-1", "gear": gear}, *WALL)
    table.say(gear, 4 + blocked)
    assert table.spaces() == {at("M7")}  # as far as it can
    table.land(at("M7"))
    assert table.ruling("blocked").article == "brakes.blocked"
    assert table.car(1).wear == {**WEAR, "brakes": 3 - brakes, "tyres": 6 - tyres}


@pytest.mark.article("formula-d", "brakes.unpaid", "brakes.blocked", "debris.laid")
@pytest.mark.parametrize(
    ("face", "points"), [(11, {}), (10, {"tyres": 2}), (9, {"brakes": 2}), (8, {"tyres": 0}), (10, {"tyres": 0})]
)
def test_seven_or_what_cannot_be_paid_is_the_end_and_touches_nobody(face: int, points: dict[str, int]) -> None:
    """One tyre point that is not there is no spin [ruling 6]; the car ahead keeps its points [ruling 5]."""
    table = tow({"at": "M-1", "gear": 3 if face < 9 else 4, **worn(**points)}, *WALL)
    table.say(table.car(1).gear, face)
    assert table.option(space=at("M7"), brakes=0).facts["out"] == "blocked"
    table.land(at("M7"))
    assert (table.car(1).status, table.car(1).cause) == ("out", "blocked")
    assert table.ruling("out").article == "brakes.unpaid"
    assert [table.car(n).wear["body"] for n in (2, 3, 4)] == [3, 3, 3]
    assert table.race.dangers == [at("M7")]
    assert table.ask == "gear"  # nobody rolls


@pytest.mark.article("formula-d", "brakes.blocked", "brakes.unpaid")
def test_who_has_too_few_tyres_for_his_row_of_the_table_pays_what_he_has() -> None:
    """A row of the table's own, in which tyres cost more than brakes."""
    table = tow({"at": "M-1", "gear": 3, **worn(tyres=3)}, *WALL, options={"blocking": [[1, 4]]})
    table.say(3, 5)
    assert table.option(space=at("M7"), brakes=0).wear == {"brakes": -1, "tyres": -4}
    table.land(at("M7"))
    assert table.ruling("blocked").wear == {"brakes": -1, "tyres": -3}
    assert (table.car(1).status, table.car(1).wear) == ("out", {**WEAR, "brakes": 2, "tyres": 0})


@pytest.mark.article("formula-d", "overshoot.spin")
def test_exactly_the_last_tyre_point_spins_a_blocked_car() -> None:
    """Ruling 6."""
    table = tow({"at": "M-1", "gear": 3, **worn(tyres=1)}, *WALL)
    table.say(3, 8)
    table.land(at("M7"))
    assert (table.car(1).status, table.car(1).wear["tyres"]) == ("spun", 0)


# -- slipstream


def behind(gear: int, ahead: int, **car: Any) -> Table:
    """Car 1 rolls up straight behind car 2 on the long straight."""
    face, start = {3: (4, "M7"), 4: (7, "M1"), 5: (11, "M-7"), 6: (21, "M-15")}[gear]
    if gear > 4:
        table = tow({"at": "M1", "gear": gear}, {"at": "M17", "gear": ahead})
        table.say(gear)
        table.talk.answer(7, forced=True)
    else:
        table = tow({"at": start, "gear": gear, **car}, {"at": "M17", "gear": ahead})
        table.say(gear, face)
    table.land(at("M15"))
    return table


@pytest.mark.article("formula-d", "slipstream.gears", "slipstream.behind")
@pytest.mark.parametrize(
    ("gear", "ahead", "offered"),
    [(3, 3, False), (3, 4, False), (4, 3, False), (4, 4, True), (4, 5, False), (5, 4, True), (5, 5, True)],
)
def test_slipstream_goes_by_the_gears_of_both(gear: int, ahead: int, offered: bool) -> None:
    assert (behind(gear, ahead).ask == "slipstream") == offered


@pytest.mark.article("formula-d", "slipstream.behind")
def test_who_ends_anywhere_else_has_none() -> None:
    table = tow({"at": "M1", "gear": 4}, {"at": "M17", "gear": 4})
    table.say(4, 7)
    table.land(at("L14"))
    assert table.ask != "slipstream"


@pytest.mark.article("formula-d", "slipstream.three", "slipstream.whole")
def test_three_spaces_out_and_back_or_aside_by_one_lane_or_two() -> None:
    """Brakes shorten it; without any of them all three are driven, and never fewer."""
    table = behind(4, 4)
    assert {option.facts["moved"] + option.answer["brakes"] for option in table.options if option.answer} == {3}
    assert table.spaces() == {at("M19"), at("L20"), at("R20")}
    table.land(at("L20"))
    assert table.ruling("slipstream").facts["spaces"] == 3
    two = tow({"at": "L2", "gear": 4}, {"at": "L18", "gear": 4})
    two.say(4, 7)
    two.land(at("L16"))
    assert {at("L20"), at("M21"), at("R20")} <= two.spaces()  # two lanes aside and one ahead


@pytest.mark.article("formula-d", "slipstream.chain", "slipstream.no-brakes")
def test_behind_another_car_again_it_may_be_taken_again_and_left_at_any_time() -> None:
    table = tow({"at": "M1", "gear": 4}, {"at": "M17", "gear": 4}, {"at": "L22", "gear": 4})
    table.say(4, 7)
    table.land(at("M15"))
    table.land(at("L20"))
    assert table.open == ("slipstream", 1, "tow_2")
    table.say(None)
    assert table.car(1).at == at("L20")


@pytest.mark.article("formula-d", "slipstream.no-brakes")
def test_nobody_who_braked_has_one() -> None:
    table = tow({"at": "M1", "gear": 4}, {"at": "M17", "gear": 4})
    table.say(4, 8)
    table.land(at("M15"), brakes=1)
    assert table.ask != "slipstream"


@pytest.mark.article("formula-d", "slipstream.corner", "drive.corner-arrows")
@pytest.mark.parametrize(("brakes", "offered"), [(1, True), (0, False)])
def test_entering_a_corner_by_it_costs_a_brake_point(brakes: int, offered: bool) -> None:
    """Into Sainte-Dévote, behind a car two spaces before it."""
    table = position({"at": "20:right:14", "gear": 4, **worn(brakes=brakes)}, {"at": "0:right:5", "gear": 4})
    table.say(4, 8)
    table.land("0:right:4")
    assert (table.ask == "slipstream") == offered
    if offered:
        into = [option for option in table.options if option.answer and option.answer["space"].startswith("1:")]
        assert into
        assert all(option.wear == {"brakes": -1 - option.answer["brakes"]} for option in into)
