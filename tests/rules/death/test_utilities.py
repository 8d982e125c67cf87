"""Every utility: what it does while cars move."""

from __future__ import annotations

from typing import Any

import pytest

from companion.rules.death.cards import CARDS, of_kind
from tests.rules.competition.boards import BARRED, CHICANE, TOW, TWIN, at
from tests.rules.death.arenas import armed, attacking, driving, points
from tests.rules.death.test_defences import ending
from tests.table import Table


@pytest.mark.article("death", "utility.no-weapon")
def test_a_utility_is_never_fired() -> None:
    table = attacking(armed(1, "L6", utility="ram-spike"), armed(2, "L8"))
    table.refuses({"fire": "ram-spike", "at": 2}, "no such weapon")
    assert [list(option.answer) for option in table.options if option.answer] == [["reload"]]
    assert not any(card.powerful for card in of_kind("utility"))


@pytest.mark.article("death", "utility.no-weapon", "basic.finish")
def test_what_works_once_a_lap_is_fresh_over_the_line() -> None:
    table = driving(armed(1, "4:left:22", gear=4, utility="nitros", used=True), armed(2, "L0"))
    table.say(4, 7)
    assert table.ask == "landing"
    table.land("0:left:5")
    assert (table.car(1).lap, table.car(1).used) == (2, False)
    assert {card.key for card in CARDS.values() if card.lap} == {
        "nitros", "oil-spray", "pneumatic-ramp", "targeting-computer", "turbo",
    }  # fmt: skip


# -- gears and the die


@pytest.mark.article("death", "utility.turbo", "basic.gears")
def test_a_turbo_goes_up_two_gears_once_a_lap() -> None:
    table = driving(armed(1, "L0", gear=2, utility="turbo"))
    assert [option.answer for option in table.options] == [1, 2, 3, 4]
    assert table.option(4).facts == {"card": "turbo"}
    table.say(4)
    assert (table.car(1).used, table.ruling("used").facts["card"]) == (True, "turbo")
    again = driving(armed(1, "L0", gear=2, utility="turbo", used=True))
    assert [option.answer for option in again.options] == [1, 2, 3]
    forced = driving(armed(1, "L0", gear=2))
    forced.talk.answer(4, forced=True)
    assert (forced.car(1).gear, forced.car(1).used) == (4, False)
    one = driving(armed(1, "L0", gear=2, utility="turbo"))
    one.say(3)
    assert not one.car(1).used


@pytest.mark.article("death", "utility.nitros")
def test_nitros_add_as_many_spaces_as_the_gear_has() -> None:
    table = driving(armed(1, "L0", gear=2, utility="nitros"))
    table.say(2, 3)
    assert (table.open, table.fields) == (("use", 1, "nitros"), {"card": "nitros", "spaces": 2})
    table.say(True)
    table.land("2:left:8")
    assert table.car(1).used
    without = driving(armed(1, "L0", gear=2, utility="nitros"))
    without.say(2, 3, False)
    assert without.spaces() == {"2:left:6", "2:middle:5", "2:right:4"}
    assert not without.car(1).used
    spent = driving(armed(1, "L0", gear=2, utility="nitros", used=True))
    spent.say(2, 3)
    assert spent.ask == "landing"


@pytest.mark.article("death", "utility.turn-table", "spin.zero")
def test_a_turn_table_drives_out_of_a_spin_in_second() -> None:
    table = driving(armed(1, "L0", status="spun", points=0, utility="turn-table"))
    assert (table.open, [option.answer for option in table.options]) == (("gear", 1, "restart"), [1, 2])
    table.say(2)
    assert table.open == ("roll", 1, "gear_2")
    assert table.car(1).status == "racing"


# -- behind another car


@pytest.mark.article("death", "utility.ram-spike")
def test_a_ram_spike_costs_the_car_ahead_a_point_instead_of_a_slipstream() -> None:
    table = driving(armed(1, "L0", utility="ram-spike"), armed(2, "L6"))
    table.say(2, 2)
    table.land("2:left:5")
    assert (table.open, table.fields) == (("use", 1, "ram-spike"), {"card": "ram-spike", "other": 2})
    table.say(True)
    assert (points(table, 2), table.race.dangers) == (17, ["2:left:6"])
    assert table.tested("collision") == [(2, 4), (1, 4)]
    assert "slipstream" not in table.kinds()
    towed = driving(armed(1, "L0", utility="ram-spike"), armed(2, "L6"))
    towed.say(2, 2)
    towed.land("2:left:5")
    towed.say(False)
    assert towed.open == ("slipstream", 1, "tow_1")
    without = driving(armed(1, "L0"), armed(2, "L6"))
    without.say(2, 2)
    without.land("2:left:5")
    assert without.open == ("slipstream", 1, "tow_1")


@pytest.mark.article("death", "utility.jet-wash", "slipstream.any-gear")
def test_nobody_is_drawn_behind_a_jet_wash_and_collisions_are_twice_as_likely() -> None:
    table = driving(armed(1, "L0"), armed(2, "L6", utility="jet-wash"))
    table.say(2, 2)
    table.land("2:left:5")
    assert table.tested("collision") == [(2, 4), (1, 8)]
    beside = ending({}, armed(2, "M5", utility="jet-wash"))
    assert beside.tested("collision") == [(2, 4), (1, 4)]


@pytest.mark.article("death", "utility.electrified-body")
def test_an_electrified_body_doubles_the_chance_of_whoever_moves_beside_it() -> None:
    for place in ("L6", "M5"):
        assert ending({}, armed(2, place, utility="electrified-body")).tested("collision") == [(2, 4), (1, 8)]
    assert ending({"utility": "electrified-body"}, armed(2, "M5")).tested("collision") == [(2, 4), (1, 4)]


@pytest.mark.article("death", "utility.wheel-spikes")
def test_wheel_spikes_double_the_chance_of_every_car_beside_it() -> None:
    assert ending({}, armed(2, "M5", utility="wheel-spikes")).tested("collision") == [(2, 4), (1, 8)]
    assert ending({"utility": "wheel-spikes"}, armed(2, "M5")).tested("collision") == [(2, 8), (1, 4)]
    assert ending({}, armed(2, "L6", utility="wheel-spikes")).tested("collision") == [(2, 4), (1, 4)]
    assert ending({"utility": "wheel-spikes"}, armed(2, "L6")).tested("collision") == [(2, 4), (1, 4)]


@pytest.mark.article("death", "utility.wheel-spikes", "basic.collision")
def test_counted_once_a_doubling_is_one_and_without_it_there_is_none() -> None:
    options = {"doublers_count_once": True}
    assert ending({}, armed(2, "M5", utility="wheel-spikes"), options=options).tested("collision") == [(2, 4), (1, 8)]
    assert ending({}, armed(2, "M5"), options=options).tested("collision") == [(2, 4), (1, 4)]


@pytest.mark.article("death", "utility.wheel-spikes", "defence.light-armour")
def test_armour_comes_before_the_doubling_which_ends_at_twenty() -> None:
    mover = {"defence": "light-armour"}
    assert ending(mover, armed(2, "M5", utility="wheel-spikes")).tested("collision") == [(2, 4), (1, 4)]
    most = ending({}, armed(2, "M5", utility="wheel-spikes"), options={"collision_dry": 15})
    assert most.tested("collision") == [(2, 15), (1, 20)]


# -- on the way


@pytest.mark.article("death", "utility.oil-spray", "basic.collision")
def test_oil_stops_a_car_behind_and_makes_it_roll_for_each_space_that_it_lost() -> None:
    table = driving(armed(1, "L0", gear=3), armed(2, "L6", utility="oil-spray"))
    table.say(3, 5)
    way = [option for option in table.options if option.answer["space"] == "2:middle:7"]
    over = next(option for option in way if option.facts.get("tests") == ["2:left:5"])
    table.say(over.answer)
    assert (table.open, table.fields["card"], table.fields["other"]) == (("use", 2, "oil-spray"), "oil-spray", 1)
    table.say(True)
    rest = over.facts["moved"] - 2
    assert table.car(1).at == "2:left:5"
    found = table.tested("collision")
    assert found == [(1, 4)] * rest + [(2, 4), (1, 4)]
    assert (table.car(2).used, table.ask) == (True, "attack")


@pytest.mark.article("death", "utility.oil-spray", "basic.drive")
def test_what_was_still_to_drive_leads_around_the_car_that_sprays() -> None:
    """From L0 by L2 over to M3 and past L4: four spaces, of which three were left on L2. Through L4 they were two."""
    table = driving(armed(1, "L0", gear=2), armed(2, "L4", utility="oil-spray"))
    table.say(2, 4)
    answer = next(
        option.answer
        for option in table.options
        if option.answer["space"] == at("L6") and option.facts.get("tests") == [at("L2")]
    )
    table.say(answer, True)
    assert (table.car(1).at, table.ruling("used").facts["spaces"]) == (at("L2"), 3)
    assert table.ruling("move").facts["moved"] == 1
    assert table.tested("collision")[:3] == [(1, 4)] * 3


@pytest.mark.article("death", "utility.oil-spray")
def test_without_oil_or_ending_there_the_move_goes_on() -> None:
    table = driving(armed(1, "L0", gear=2), armed(2, "L6", utility="oil-spray"))
    table.say(2, 2)
    table.land("2:left:5")
    assert table.ask == "slipstream"
    dry = driving(armed(1, "L0", gear=3), armed(2, "L6", utility="oil-spray", used=True))
    dry.say(3, 5)
    assert not any("tests" in option.facts for option in dry.options)


@pytest.mark.article("death", "utility.pneumatic-ramp")
def test_a_ramp_goes_through_other_cars_for_a_whole_move() -> None:
    table = driving(armed(1, "L0", gear=2, utility="pneumatic-ramp"), armed(2, "L4"))
    table.say(2)
    assert table.open == ("use", 1, "pneumatic-ramp")  # before the die
    table.say(True, 4)
    table.land("2:left:7")
    assert (table.car(1).at, table.car(1).used, points(table, 1)) == ("2:left:7", True, 18)


@pytest.mark.article("death", "utility.pneumatic-ramp", "basic.collision")
def test_coming_down_on_a_car_costs_two_points_and_a_space_beside_it() -> None:
    table = driving(armed(1, "L0", gear=2, utility="pneumatic-ramp"), armed(2, "L4"), armed(3, "M3"))
    table.say(2, True, 2)
    table.say(table.option(space="2:left:5").answer)
    assert points(table, 1) == 16
    assert (table.open, table.fields["loses_to"]) == (("test", 2, "collision"), 4)
    table.say(4)
    assert points(table, 2) == 17
    assert table.open == ("place", 1, "")
    assert {option.answer["space"] for option in table.options} == {"2:left:6", "2:middle:5", "2:left:4"}
    table.land("2:left:6")
    assert table.car(1).at == "2:left:6"
    assert table.car(2).at == "2:left:5"


@pytest.mark.article("death", "utility.pneumatic-ramp", "spin.zero")
@pytest.mark.parametrize(("left", "more"), [(3, {}), (2, {"spin": True}), (0, {"out": "destroyed"})])
def test_what_coming_down_on_a_car_costs_is_said_before(left: int, more: dict[str, Any]) -> None:
    table = driving(armed(1, "L0", gear=2, utility="pneumatic-ramp", points=left), armed(2, "L4"))
    table.say(2, True, 2)
    option = table.option(space="2:left:5")
    assert (option.wear, option.facts) == ({"points": -2}, {"moved": 2, "onto": 2, **more})
    table.say(option.answer, 20)
    if left:
        table.land("2:left:6")
    assert table.car(1).status == {3: "racing", 2: "spun", 0: "out"}[left]


@pytest.mark.article("death", "utility.pneumatic-ramp", "spin.zero")
@pytest.mark.parametrize(("damage", "left", "spins"), [(2, 2, ["2:left:6"]), (2, 3, []), (0, 0, [])])
def test_a_car_that_spins_on_coming_down_spins_where_it_is_put(damage: int, left: int, spins: list[str]) -> None:
    ramp = armed(1, "L0", gear=2, utility="pneumatic-ramp", points=left)
    table = driving(ramp, armed(2, "L4"), armed(3, "R20"), options={"ramp_damage": damage})
    table.say(2, True, 2)
    table.say(table.option(space="2:left:5").answer, 20)
    table.land("2:left:6")
    assert [ruling.facts["at"] for ruling in table.rulings if ruling.kind == "spin"] == spins
    assert table.kinds(1)[-1] == ("spin" if spins else "move")
    assert table.car(1).status == ("spun" if spins else "racing")


@pytest.mark.article("death", "utility.pneumatic-ramp", "wreckage.roll", "weapon.slip-mines")
def test_what_lies_where_the_ramp_puts_a_car_down_is_met() -> None:
    mine = {"car": 2, "card": "slip-mines", "at": "2:left:6"}
    cars = armed(1, "L0", gear=2, utility="pneumatic-ramp"), armed(2, "L4"), armed(3, "L8", gear=1)
    table = driving(*cars, dangers=["2:left:6"], mines=[mine])
    table.say(2, True, 2)
    table.say(table.option(space="2:left:5").answer, 20)
    table.land("2:left:6")
    assert table.tested("wreckage", {1: 4}) == [(1, 4)]
    assert (table.car(1).at, table.car(1).gear, points(table, 1)) == ("2:left:6", 1, 15)
    assert table.ask != "slipstream"  # what stops a car ends its move


@pytest.mark.article("death", "utility.pneumatic-ramp")
def test_with_no_free_space_beside_it_the_same_again_with_the_next_car() -> None:
    around = [armed(3, "L6"), armed(4, "M5"), armed(5, "M3"), armed(6, "L2")]
    table = driving(armed(1, "L0", gear=2, utility="pneumatic-ramp"), armed(2, "L4"), *around)
    table.say(2, True, 2)
    table.say(table.option(space="2:left:5").answer, 20)
    assert points(table, 1) == 16
    assert table.open == ("place", 1, "")
    table.land("2:left:6")
    assert points(table, 1) == 14
    assert table.open == ("test", 3, "collision")
    table.say(20)
    table.land("2:left:7")
    assert table.car(1).at == "2:left:7"


def comes_down(left: int, other: int, *around: str, **more: Any) -> Table:
    """Car 1 comes down on car 2, which stands on L4; the others stand around it."""
    cars = [armed(number, place) for number, place in enumerate(around, 3)]
    ramp = armed(1, "L-2", gear=2, utility="pneumatic-ramp", points=left)
    table = driving(ramp, armed(2, "L4", points=other), *cars, **more)
    table.say(2, True, 3)
    table.say(table.option(space="2:left:5").answer)
    return table


@pytest.mark.article("death", "utility.pneumatic-ramp", "spin.zero")
def test_a_car_that_the_ramp_destroys_makes_way_for_it() -> None:
    table = comes_down(18, 0, "M5", "M3")
    table.say(1)
    assert (table.car(2).status, table.car(1).at, points(table, 1)) == ("out", "2:left:5", 16)
    assert "place" not in [table.ask, *table.kinds()]
    assert table.ruling("move").facts["moved"] == 3


@pytest.mark.article("death", "utility.pneumatic-ramp", "wreckage.roll", "weapon.slip-mines")
def test_a_ramp_meets_what_lies_in_the_place_of_a_car_that_it_destroys() -> None:
    """One roll for the markers that were there and that the two have left, then the mine."""
    mines = [{"car": 3, "card": "slip-mines", "at": at("L4")}]
    table = comes_down(18, 0, "M15", dangers=[at("L4")], mines=mines)
    table.say(1)
    assert table.car(2).status == "out"
    assert table.tested("wreckage", {1: 4}) == [(1, 4)]
    assert (table.car(1).at, table.car(1).gear, points(table, 1)) == (at("L4"), 1, 15)
    assert (table.race.lying, table.race.mines, table.ask) == ([at("L4")] * 2, [], "attack")


@pytest.mark.article("death", "utility.pneumatic-ramp", "wreckage.roll")
def test_what_lies_under_a_car_is_no_test_of_a_ramp_that_jumps_it() -> None:
    table = driving(armed(1, "L0", gear=2, utility="pneumatic-ramp"), armed(2, "L4"), dangers=[at("L4"), at("L6")])
    table.say(2, True, 4)
    assert {tuple(option.facts.get("tests", ())) for option in table.options} == {(), (at("L6"),)}


@pytest.mark.article("death", "utility.pneumatic-ramp", "spin.zero")
def test_a_car_that_its_own_ramp_destroys_goes_nowhere_and_the_other_rolls_all_the_same() -> None:
    table = comes_down(0, 18)
    assert (table.car(1).status, table.open) == ("out", ("test", 2, "collision"))
    table.say(20)
    assert table.kinds().count("hit") == 1
    assert (table.ask, table.car(2).at) == ("attack", "2:left:5")
    both = comes_down(0, 0, "R20")
    both.say(1)
    assert [both.car(number).status for number in (1, 2)] == ["out", "out"]
    for one in (table, both):
        assert (one.car(1).at, one.kinds(1).count("move")) == (at("L-2"), 0)


@pytest.mark.article("death", "utility.pneumatic-ramp")
@pytest.mark.parametrize("asked", ["collision", "place"])
def test_a_car_that_the_referee_puts_elsewhere_as_it_comes_down_stays_there(asked: str) -> None:
    table = comes_down(18, 18)
    if asked == "place":
        table.say(20)
    table.talk.override({"car": 1, "at": at("R12")})
    if asked == "collision":
        table.say(20)
    assert (table.car(1).at, table.ask) == (at("R12"), "attack")
    assert "move" not in table.kinds(1)


@pytest.mark.article("death", "utility.pneumatic-ramp")
def test_a_ramp_does_not_come_down_on_the_same_car_twice() -> None:
    """All around L4 and L6 is taken, so that L6 leads on to L8, M7 and M5, not back to L4."""
    table = comes_down(18, 18, "L2", "M3", "M5", "L6", "M7", "L8")
    table.say(20)
    table.land("2:left:6")
    table.say(20)
    assert {option.answer["space"] for option in table.options} == {"2:left:7", "2:middle:6", "2:middle:5"}


@pytest.mark.article("death", "utility.pneumatic-ramp", "wreckage.roll")
def test_a_car_that_finds_no_space_on_its_ramp_stays_where_it_was() -> None:
    """From L6 it is put on M5, M3, L2 and L4, around which it has struck every car; the marker under it is not rolled
    for."""
    around = ["L6", "M5", "M3", "L2", "L4", "L8", "M7", "R4", "R6", "M1", "R2", "L0"]
    cars = [armed(number, place) for number, place in enumerate(around, 2)]
    table = driving(armed(1, "L-2", gear=2, utility="pneumatic-ramp"), *cars, dangers=[at("L-2")])
    table.say(2, True, 4)
    for place in ("L6", "M5", "M3", "L2", "L4"):
        table.land(at(place))
        table.say(20)
    assert (points(table, 1), table.car(1).at, table.ask) == (8, at("L-2"), "slipstream")
    assert table.ruling("move").facts == {"begin": at("L-2"), "at": at("L-2"), "moved": 0, "rolled": 4}


@pytest.mark.article("death", "utility.pneumatic-ramp", "weapon.slip-mines")
def test_a_ramp_that_a_slip_mine_ends_comes_down_on_nobody() -> None:
    mines = [{"car": 2, "card": "slip-mines", "at": at("L2")}]
    table = driving(armed(1, "L0", gear=2, utility="pneumatic-ramp"), armed(2, "L4"), mines=mines)
    table.say(2, True, 2)
    option = table.option(space=at("L4"), brakes=0)
    assert (option.wear, option.facts["slips_at"], "onto" in option.facts) == ({}, at("L2"), False)
    table.say(option.answer)
    assert (table.car(1).at, points(table, 1), "hit" in table.kinds()) == (at("L2"), 18, False)


@pytest.mark.article("death", "utility.pneumatic-ramp", "slipstream.any-gear")
@pytest.mark.parametrize(
    ("place", "asked"),
    [
        ("L8", "use"),  # as far as the most spaces of the gear lead
        ("L10", "use"),  # the car behind which they end, and which draws on
        ("L12", "roll"),
        ("L-2", "roll"),
    ],
)
def test_a_ramp_is_offered_for_cars_in_reach(place: str, asked: str) -> None:
    table = driving(armed(1, "L0", gear=2, utility="pneumatic-ramp"), armed(2, place))
    table.say(2)
    assert table.ask == asked


@pytest.mark.article("death", "utility.pneumatic-ramp")
def test_a_ramp_is_not_offered_twice_a_lap() -> None:
    used = driving(armed(1, "L0", gear=2, utility="pneumatic-ramp", used=True), armed(2, "L4"))
    used.say(2)
    assert used.ask == "roll"


@pytest.mark.article("death", "utility.pneumatic-ramp", "basic.start")
def test_a_ramp_may_be_raised_for_a_great_start() -> None:
    grid = {"status": "grid", "lap": 0}
    table = driving(armed(1, "4:left:21", gear=0, utility="pneumatic-ramp", **grid), armed(2, "4:left:23", gear=1))
    table.say(20)
    assert table.open == ("use", 1, "pneumatic-ramp")
    table.say(True)
    assert "0:left:1" in table.spaces()


# -- tokens


@pytest.mark.article("death", "utility.grip-tyres")
def test_grip_tyres_weave_a_space_for_each_token() -> None:
    """L0 to L8 is four spaces; by M it is five."""
    bare = driving(armed(1, "L0", gear=2))
    bare.say(2, 4)
    assert bare.spaces() == {"2:left:7", "2:middle:6", "2:right:5"}
    table = driving(armed(1, "L0", gear=2, utility="grip-tyres"))
    table.say(2, 4)
    assert table.spaces() - bare.spaces() == {"2:left:6", "2:middle:5", "2:right:4", "2:left:5"}
    one, two = table.option(space="2:left:6", brakes=0), table.option(space="2:left:5", brakes=0)
    assert (one.facts["card"], one.facts["tokens"], two.facts["tokens"]) == ("grip-tyres", 1, 2)
    table.say(one.answer)
    assert (table.car(1).at, table.car(1).stock, points(table, 1)) == ("2:left:6", {"grip-tyres": 2}, 18)
    assert (table.ruling("used").counts, table.ruling("used").left) == (
        {"stock:grip-tyres": -1}, {"stock:grip-tyres": 2}
    )  # fmt: skip


def tokens(table: Table) -> dict[tuple[str, int], int]:
    """What the landings that cost tokens cost, by space and brakes."""
    found = {(o.answer["space"], o.answer["brakes"]): o.facts.get("tokens", 0) for o in table.options}
    return {landing: count for landing, count in found.items() if count}


ONE = {("2:left:6", 0), ("2:middle:5", 0), ("2:right:4", 0), ("2:left:5", 1), ("2:middle:4", 1), ("2:left:4", 2)}
"""What a token opens to a move of four spaces from L0, by space and brakes."""


@pytest.mark.article("death", "utility.grip-tyres")
@pytest.mark.parametrize(
    ("face", "left", "found"),
    [
        (2, 3, {("2:left:4", 0): 1}),
        (3, 3, {("2:left:5", 0): 1, ("2:middle:4", 0): 1, ("2:left:4", 1): 1}),
        (4, 3, {**dict.fromkeys(ONE, 1), ("2:left:5", 0): 2}),
        (4, 1, dict.fromkeys(ONE, 1)),
    ],
)
def test_a_way_that_weaves_costs_the_fewest_tokens_that_reach_it(
    face: int, left: int, found: dict[tuple[str, int], int]
) -> None:
    table = driving(armed(1, "L0", gear=2, utility="grip-tyres", stock={"grip-tyres": left}))
    table.say(2, face)
    assert tokens(table) == found
    landings = [(o.answer["space"], o.answer["brakes"]) for o in table.options]
    assert len(landings) == len(set(landings))


@pytest.mark.article("death", "utility.grip-tyres", "utility.swerve-tyres", "basic.drive")
@pytest.mark.parametrize(
    ("utility", "place", "gear", "face", "track", "dangers"),
    [
        ("grip-tyres", "L0", 2, 4, TOW, []),
        ("grip-tyres", "L0", 3, 6, TOW, [at("L4"), at("M5")]),
        ("swerve-tyres", "3:right:1", 3, 6, CHICANE, []),
        ("swerve-tyres", "3:right:1", 3, 6, CHICANE, ["3:right:2", "3:middle:2"]),
    ],
)
def test_no_landing_is_reached_twice_nor_with_tokens_where_it_is_reached_without(
    utility: str, place: str, gear: int, face: int, track: str, dangers: list[str]
) -> None:
    table = driving(armed(1, place, gear=gear, utility=utility), track=track, dangers=dangers)
    table.say(gear, face)
    rulebook = table.rulebook
    found = rulebook.landings.landings(table.car(1), rulebook.landings.leg(table.car(1), face))
    keys = [(landing.space, landing.brakes, landing.tests) for landing in found]
    assert len(keys) == len(set(keys)) == len(table.options)
    spent = {key: getattr(landing, "tokens", 0) for key, landing in zip(keys, found, strict=True)}
    assert any(spent.values())
    for (space, brakes, tests), count in spent.items():
        for (there, braked, others), fewer in spent.items():
            assert fewer >= count or (there, braked) != (space, brakes) or not set(others) <= set(tests)


@pytest.mark.article("death", "utility.swerve-tyres", "weapon.slip-mines")
def test_a_swerve_that_spares_a_car_what_lies_on_its_way_is_offered_too() -> None:
    table = swerves("1:middle:1", 2, 3, stops=1, mines=[{"car": 1, "card": "slip-mines", "at": "1:middle:2"}])
    ways = [
        option for option in table.options if option.answer["space"] == "1:middle:4" and not option.answer["brakes"]
    ]
    assert [(o.answer["over"], o.facts.get("tokens")) for o in ways] == [([], 1), (["1:middle:2"], None)]
    table.say(ways[0].answer)
    assert (table.car(1).at, table.car(1).stock, len(table.race.mines)) == ("1:middle:4", {"swerve-tyres": 1}, 1)
    either = swerves("3:right:1", 2, 3, track=CHICANE, stops=1, dangers=["3:middle:3"])
    ways = [option for option in either.options if option.answer["space"] == "3:left:4" and not option.answer["brakes"]]
    assert [(o.answer["over"], o.facts["tokens"]) for o in ways] == [([], 1), (["3:middle:3"], 1)]


def over(table: Table, space: str, brakes: int = 0) -> dict[tuple[str, ...], int]:
    """What the ways to a landing drive over, and what tokens each takes."""
    ways = [option for option in table.options if (option.answer["space"], option.answer["brakes"]) == (space, brakes)]
    return {tuple(way.facts.get("tests", ())): way.facts.get("tokens", 0) for way in ways}


@pytest.mark.article("death", "utility.grip-tyres", "wreckage.roll")
@pytest.mark.parametrize(
    ("face", "dangers", "end", "found"),
    [
        (2, ["M1"], "L2", {("M1",): 1}),  # straight on it is a space, and none drives over that
        (3, ["M1"], "L4", {(): 1}),  # a space later it need not be driven over either
        (3, ["M1", "M3"], "L4", {("M1",): 1, ("M3",): 1}),
        (4, ["M1", "M3"], "L4", {("M1", "M3"): 2}),
    ],
)
def test_a_way_weaves_over_what_lies_aside_of_every_legal_one(
    face: int, dangers: list[str], end: str, found: dict[tuple[str, ...], int]
) -> None:
    car = armed(1, "L0", gear=2, utility="grip-tyres")
    table = driving(car, armed(2, "R20"), dangers=[at(danger) for danger in dangers])
    table.say(2, face)
    assert over(table, at(end)) == {tuple(at(space) for space in way): tokens for way, tokens in found.items()}


@pytest.mark.article("death", "utility.grip-tyres", "wreckage.roll")
def test_what_a_way_weaves_over_is_rolled_for_and_its_token_paid() -> None:
    table = driving(armed(1, "L0", gear=2, utility="grip-tyres"), armed(2, "R20"), dangers=[at("M1")])
    table.say(2, 2)
    table.land(at("L2"))
    assert table.tested("wreckage", {1: 4}) == [(1, 4)]
    assert (table.car(1).at, table.car(1).stock, points(table, 1)) == (at("L2"), {"grip-tyres": 2}, 17)
    last = driving(armed(1, "L0", gear=2, utility="grip-tyres", points=1), armed(2, "R20"), dangers=[at("M1")])
    last.say(2, 2)
    last.land(at("L2"))
    last.say(1)
    assert (last.car(1).at, last.car(1).status, last.car(1).stock) == (at("M1"), "spun", {"grip-tyres": 3})


@pytest.mark.article("death", "utility.grip-tyres", "wreckage.roll")
def test_tokens_count_from_the_shortest_way_over_as_much() -> None:
    """Three spaces lead to it over the wreckage before it, four around that: six are three more, and not two."""
    cars = armed(1, "6:inner-left:1", gear=3, utility="grip-tyres"), armed(2, "6:inner-right:6"), armed(3, "6:right:2")
    table = driving(*cars, track="copper-basin", dangers=["6:inner-left:3", "6:inner-right:2"])
    table.say(3, 7)
    assert over(table, "6:inner-left:4", 1)["6:inner-left:3",] == 3


@pytest.mark.article("death", "utility.grip-tyres", "wreckage.roll", "basic.drive")
@pytest.mark.parametrize(
    ("cars", "face", "dangers", "landing", "way", "tokens"),
    [
        # two ways of six and seven spaces drive over none of it; the eighth is one more than the longer
        (
            [("0:right:10", 4), ("0:right:11", 2), ("0:inner-left:13", 2)],
            8,
            ["0:inner-left:11", "0:inner-right:10", "0:left:10"],
            ("1:inner-left:2", 0),
            ("0:inner-right:10", "0:inner-left:11"),
            1,
        ),
        # eight spaces would lead there as well; braked, it is six that count
        (
            [("6:left:8", 3), ("7:inner-right:2", 2), ("8:right:1", 2), ("7:inner-right:1", 2)],
            8,
            ["7:inner-left:3"],
            ("7:inner-left:3", 1),
            ("7:inner-left:3",),
            1,
        ),
    ],
)
def test_tokens_count_from_the_longest_of_the_ways_that_are_shorter(
    cars: list[tuple[str, int]], face: int, dangers: list[str], landing: tuple[str, int], way: tuple[str, ...],
    tokens: int,
) -> None:  # fmt: skip
    armed_cars = [armed(number, place, gear=gear) for number, (place, gear) in enumerate(cars, 1)]
    table = driving({**armed_cars[0], "utility": "grip-tyres"}, *armed_cars[1:], track="copper-basin", dangers=dangers)
    table.say(cars[0][1], face)
    assert over(table, *landing)[way] == tokens


@pytest.mark.article("death", "utility.grip-tyres", "wreckage.roll", "basic.blocked")
@pytest.mark.parametrize(
    ("car", "face", "dangers", "found"),
    [
        ({"stock": {"grip-tyres": 1}}, 4, ["M1", "M3"], {("L4", 0): {}}),
        ({"stock": {"grip-tyres": 2}}, 4, ["M1", "M3"], {("L4", 0): {("M1", "M3"): 2}}),
        # its last point pays the brake
        ({"points": 1}, 4, ["M1", "M3"], {("L4", 1): {("M1",): 1, ("M3",): 1}, ("L2", 2): {}}),
        ({}, 2, ["M1", "M-1"], {("L2", 0): {("M1",): 1}}),
    ],
)
def test_a_way_over_what_lies_aside_is_paid_with_what_there_is(
    car: dict[str, Any], face: int, dangers: list[str], found: dict[tuple[str, int], dict[tuple[str, ...], int]]
) -> None:
    cars = armed(1, "L0", gear=2, utility="grip-tyres", **car), armed(2, "R20")
    table = driving(*cars, dangers=[at(danger) for danger in dangers])
    table.say(2, face)
    for (end, brakes), ways in found.items():
        assert over(table, at(end), brakes) == {tuple(map(at, way)): tokens for way, tokens in ways.items()}


@pytest.mark.article("death", "utility.grip-tyres", "wreckage.roll", "basic.finish")
def test_no_way_weaves_through_a_car_nor_over_the_line_for_good() -> None:
    shut = driving(armed(1, "L0", gear=2, utility="grip-tyres"), armed(2, "M1"), dangers=[at("M1")])
    shut.say(2, 2)
    assert over(shut, at("L2")) == {}
    home = driving(
        armed(1, "8:right:21", lap=2, utility="grip-tyres"), track="copper-basin", laps=2, dangers=["0:right:3"]
    )
    home.say(3, 7)
    ends = [option for option in home.options if option.answer["space"].startswith("0:")]
    assert {option.facts["finish"] for option in ends} == {True}
    assert not any("tokens" in option.facts for option in ends)


@pytest.mark.article("death", "utility.mag-plates", "utility.swerve-tyres")
def test_tokens_of_mag_plates_open_no_way() -> None:
    table = driving(armed(1, "1:right:1", gear=2, utility="mag-plates"))
    table.say(2, 2)
    assert tokens(table) == {}


@pytest.mark.article("death", "utility.grip-tyres", "basic.blocked")
def test_a_car_that_is_blocked_weaves_around_what_keeps_it() -> None:
    table = driving(armed(1, "L0", gear=2, utility="grip-tyres"), armed(2, "L6"), armed(3, "M5"), armed(4, "R4"))
    table.say(2, 4)
    assert tokens(table) == {("2:middle:4", 1): 1, ("2:left:4", 2): 1}
    shut = driving(armed(1, "L0", gear=2, utility="grip-tyres"), armed(2, "L2"), armed(3, "M1"))
    shut.say(2, 2)
    assert tokens(shut) == {}


@pytest.mark.article("death", "utility.grip-tyres", "basic.overshoot")
def test_nobody_weaves_beyond_a_corner_left_too_early() -> None:
    """All four spaces of its roll lie beyond the corner, in which a stop of three is missing."""
    table = driving(armed(1, "9:left:12", gear=2, stops=2, utility="grip-tyres"), track="monaco")
    table.say(2, 4)
    assert tokens(table) == {}
    assert {option.wear["points"] for option in table.options} == {-4}


@pytest.mark.article("death", "utility.grip-tyres", "basic.overshoot")
@pytest.mark.parametrize(
    ("place", "gear", "face", "track", "found"),
    [
        # ten spaces from L18, by the longest ways through the corner, would be one beyond it
        ("L18", 4, 11, TOW, {"4:left:1": 1, "4:middle:1": 1, "4:right:1": 1}),
        # two tokens would be one of them beyond the corner
        ("L18", 4, 12, TOW, {"4:left:2": 1, "4:middle:2": 1, "4:right:2": 1}),
        # straight on through the second of two corners: with three tokens one would be in that
        ("0:left:2", 5, 17, TWIN, {"3:left:2": 2, "3:left:3": 1, "3:middle:1": 1}),
    ],
)
def test_before_a_corner_that_it_overshoots_a_car_may_weave(
    place: str, gear: int, face: int, track: str, found: dict[str, int]
) -> None:
    table = driving(armed(1, place, gear=gear, utility="grip-tyres"), track=track)
    table.say(gear, face)
    woven = [option for option in table.options if "tokens" in option.facts and not option.answer["brakes"]]
    beyond = {option.answer["space"]: option for option in woven if option.answer["space"][:2] in ("3:", "4:")}
    assert {space: option.facts["tokens"] for space, option in beyond.items()} == found
    assert all(option.facts["overshot"] == -option.wear["points"] for option in beyond.values())


@pytest.mark.article("death", "utility.grip-tyres")
def test_without_tokens_grip_tyres_drive_like_all_others() -> None:
    table = driving(armed(1, "L0", gear=2, utility="grip-tyres", stock={"grip-tyres": 0}))
    table.say(2, 4)
    assert table.spaces() == {"2:left:7", "2:middle:6", "2:right:5"}


@pytest.mark.article("death", "utility.swerve-tyres", "basic.corner")
def test_swerve_tyres_ignore_an_arrow_for_each_token() -> None:
    """In the chicane the right lane's first space leads left only: straight on in its lane is barred."""
    bare = driving(armed(1, "2:right:10", gear=2), track=CHICANE)
    bare.say(2, 2)
    table = driving(armed(1, "2:right:10", gear=2, utility="swerve-tyres"), track=CHICANE)
    table.say(2, 2)
    new = table.spaces() - bare.spaces()
    assert new
    space = sorted(new)[0]
    option = table.option(space=space, brakes=0)
    assert (option.facts["card"], option.facts["tokens"]) == ("swerve-tyres", 1)
    table.say(option.answer)
    assert (table.car(1).at, table.car(1).stock) == (space, {"swerve-tyres": 1})


@pytest.mark.article("death", "utility.swerve-tyres")
def test_two_arrows_cost_two_tokens() -> None:
    table = driving(armed(1, "2:right:9", gear=2, utility="swerve-tyres"), track=CHICANE)
    table.say(2, 4)
    assert table.option(space="3:left:2", brakes=0).facts["tokens"] == 2
    spent = {option.facts["tokens"] for option in table.options if "tokens" in option.facts}
    assert spent == {1, 2}
    one = driving(armed(1, "2:right:9", gear=2, utility="swerve-tyres", stock={"swerve-tyres": 1}), track=CHICANE)
    one.say(2, 4)
    assert {option.facts["tokens"] for option in one.options if "tokens" in option.facts} == {1}


def swerves(place: str, gear: int, face: int, *others: dict[str, Any], track: str = TOW, **setup: Any) -> Table:
    """A car with swerve tyres before its landing."""
    mine = {key: setup.pop(key) for key in ("stops", "stock") if key in setup}
    table = driving(armed(1, place, gear=gear, utility="swerve-tyres", **mine), *others, track=track, **setup)
    table.say(gear, face)
    return table


@pytest.mark.article("death", "utility.swerve-tyres", "basic.blocked")
def test_nobody_swerves_more_often_than_he_has_tokens_or_to_where_he_is_blocked() -> None:
    table = swerves("11:left:9", 3, 8, track="kestrel-moor", stops=2)
    assert {option.facts["tokens"] for option in table.options if "tokens" in option.facts} == {1, 2}
    shut = swerves("3:middle:5", 2, 4, armed(2, "3:left:5"), track="monaco")
    assert ("3:left:4", 0) not in tokens(shut)
    assert ("3:left:4", 2) in tokens(shut)


@pytest.mark.article("death", "utility.swerve-tyres", "basic.drive")
def test_a_swerve_is_a_space_of_the_move_and_goes_around_cars_over_what_lies_there() -> None:
    free = swerves("1:right:1", 2, 2)
    assert tokens(free) == {("1:right:2", 0): 1}
    assert free.option(space="1:right:2", brakes=0).facts["moved"] == 2
    assert tokens(swerves("1:right:1", 2, 2, armed(2, "1:right:2"))) == {}
    assert "tests" not in swerves("2:right:10", 2, 2, track=CHICANE).option(space="3:left:2").facts
    table = swerves("2:right:10", 2, 2, track=CHICANE, dangers=["3:left:2"])
    assert table.option(space="3:left:2").facts["tests"] == ["3:left:2"]


@pytest.mark.article("death", "utility.swerve-tyres", "basic.corner", "basic.overshoot")
@pytest.mark.parametrize(
    ("place", "stops", "gear", "face", "track", "end", "cost"),
    [
        ("1:left:5", 0, 2, 4, TWIN, "2:right:1", {"overshot": 1, "points": -1}),  # the stop is still owed
        ("1:left:5", 1, 2, 4, TWIN, "2:right:1", {"points": 0}),  # the stop was made before
        ("1:left:5", 1, 3, 7, TWIN, "3:middle:1", {"overshot": 1, "points": -1}),  # made in the corner before this one
        ("0:right:5", 0, 3, 5, TWIN, "2:middle:1", {"overshot": 1, "points": -1}),  # one stop short, so not out
    ],
)
def test_after_a_swerve_a_car_owes_the_stops_that_it_owed(
    place: str, stops: int, gear: int, face: int, track: str, end: str, cost: dict[str, int]
) -> None:
    table = swerves(place, gear, face, track=track, stops=stops, stock={"swerve-tyres": 1})
    option = table.option(space=end, brakes=0)
    assert (option.facts.get("overshot"), option.wear.get("points", 0)) == (cost.get("overshot"), cost["points"])
    assert (option.facts["tokens"], option.facts.get("out")) == (1, None)


@pytest.mark.article("death", "utility.swerve-tyres", "basic.overshoot")
def test_whoever_has_overshot_a_corner_does_not_swerve_in_the_next() -> None:
    found = tokens(swerves("1:left:5", 3, 5, track=TWIN))
    assert found
    assert ("2:middle:4", 0) not in found


@pytest.mark.article("death", "utility.swerve-tyres", "basic.drive")
def test_on_a_straight_nobody_swerves_not_even_around_what_lies_there() -> None:
    assert tokens(swerves("0:middle:1", 2, 3, dangers=["0:middle:2"])) == {}
    near = swerves("2:right:9", 2, 4, track=CHICANE)
    again = swerves("2:right:9", 2, 4, track=CHICANE, dangers=["2:middle:10"])
    assert tokens(near) == tokens(again) != {}


@pytest.mark.article("death", "utility.swerve-tyres", "basic.drive")
def test_no_corner_is_left_by_a_swerve() -> None:
    """No arrow leads from the end of this corner's left lane over to the middle of the straight."""
    table = swerves("5:left:5", 1, 1, track="porto-sereno")
    assert ("6:middle:1", 0) not in tokens(table)


@pytest.mark.article("death", "utility.swerve-tyres", "utility.grip-tyres", "weapon.slip-mines")
@pytest.mark.parametrize(
    ("utility", "place", "gear", "face", "mine", "end", "track", "told", "paid", "moved"),
    [
        ("swerve-tyres", "2:middle:9", 2, 4, "2:right:10", "3:left:2", CHICANE, 1, 0, 2),  # still on the straight
        ("swerve-tyres", "2:right:9", 2, 4, "3:left:1", "3:left:2", CHICANE, 2, 0, 2),
        ("swerve-tyres", "2:right:9", 2, 4, "3:middle:1", "3:left:2", CHICANE, 2, 1, 3),  # after the first of two
        ("swerve-tyres", "3:right:1", 2, 4, "3:left:4", "3:left:5", CHICANE, 1, 1, 3),
        ("grip-tyres", "L0", 2, 4, "2:middle:3", "2:right:4", TOW, 1, 0, 1),
        ("grip-tyres", "L0", 2, 4, "2:middle:4", "2:right:4", TOW, 1, 1, 3),  # woven before it
        ("grip-tyres", "L0", 2, 4, "2:right:4", "2:right:4", TOW, 1, 1, 4),  # the whole move
    ],
)
def test_tokens_are_paid_for_what_is_driven_before_a_mine_stops_the_car(
    utility: str, place: str, gear: int, face: int, mine: str, end: str, track: str, told: int, paid: int, moved: int
) -> None:
    mines = [{"car": 2, "card": "slip-mines", "at": mine}]
    table = driving(armed(1, place, gear=gear, utility=utility), armed(2, "0:left:1", lap=2), track=track, mines=mines)
    table.say(gear, face)
    option = next(
        option
        for option in table.options
        if (option.answer["space"], option.answer["brakes"], option.facts.get("tests")) == (end, 0, [mine])
    )
    assert option.facts["tokens"] == told
    table.say(option.answer)
    assert (table.car(1).at, table.ruling("move").facts["moved"]) == (mine, moved)
    assert table.car(1).stock == {utility: CARDS[utility].stock - paid}
    assert ("used" in table.kinds()) == (paid > 0)


@pytest.mark.article("death", "utility.grip-tyres", "wreckage.roll")
def test_tokens_that_the_referee_takes_off_on_the_way_are_not_owed() -> None:
    table = driving(armed(1, "L0", gear=2, utility="grip-tyres"), armed(2, "R20"), dangers=["2:right:4"])
    table.say(2, 4)
    option = next(option for option in table.options if option.facts.get("tokens") and "tests" in option.facts)
    table.say(option.answer)
    table.talk.override({"car": 1, "stock": {"grip-tyres": 0}})
    table.say(20)
    assert (table.car(1).at, table.car(1).stock) == (option.answer["space"], {"grip-tyres": 0})
    assert "used" not in table.kinds()


@pytest.mark.article("death", "utility.mag-plates")
def test_mag_plates_follow_onto_a_space_that_was_left() -> None:
    table = driving(armed(1, "L0", gear=2), armed(2, "M-1", utility="mag-plates"))
    table.say(2, 3)
    table.land("2:left:6")
    assert (table.open, table.fields) == (
        ("use", 2, "mag-plates"), {"card": "mag-plates", "at": "2:left:3", "other": 1, "left": 4},
    )  # fmt: skip
    table.say(True)
    car = table.car(2)
    assert (car.at, car.stock, car.busy) == ("2:left:3", {"mag-plates": 3}, False)  # the next phase has begun
    assert table.ruling("used").facts == {"card": "mag-plates", "left": 3, "at": "2:left:3"}


@pytest.mark.article("death", "utility.mag-plates", "slipstream.any-gear", "clutch.drop")
def test_mag_plates_follow_a_car_that_its_slipstream_or_its_clutch_takes_on() -> None:
    """Neither began its turn beside them: they stand beside the space where the move before has ended."""
    towed = driving(armed(1, "L0", gear=2), armed(2, "L6", gear=1), armed(3, "M3", utility="mag-plates"))
    towed.say(2, 2)
    towed.land(at("L4"))
    assert towed.ask == "slipstream"
    towed.land(at("L8"))
    assert (towed.open, towed.fields["at"]) == (("use", 3, "mag-plates"), at("L4"))
    towed.say(True)
    assert (towed.car(3).at, towed.car(3).stock) == (at("L4"), {"mag-plates": 3})
    clutch = driving(armed(1, "L18", gear=2), armed(2, "M21", utility="mag-plates"))
    clutch.say(2, 2)
    clutch.land("2:left:14")
    clutch.land("3:left:1")
    assert (clutch.open, clutch.fields["at"]) == (("use", 2, "mag-plates"), "2:left:14")
    clutch.say(True)
    assert clutch.car(2).at == "2:left:14"


@pytest.mark.article("death", "utility.mag-plates", "slipstream.any-gear")
def test_mag_plates_follow_once_of_a_move_and_its_slipstream() -> None:
    """They stand beside both spaces; the one that drew the car on has them too, and lets it pass."""
    both = driving(armed(1, "L0", gear=2), armed(2, "L6", gear=1, utility="mag-plates"), armed(3, "R20"))
    both.say(2, 2)
    both.land(at("L4"))
    both.land(at("M9"))
    assert (both.open, both.fields["at"]) == (("use", 2, "mag-plates"), at("L4"))
    both.say(False)
    assert (both.car(2).at, both.ask) == (at("L6"), "attack")
    once = driving(armed(1, "L0", gear=2), armed(2, "L6", gear=1), armed(3, "M1", utility="mag-plates"))
    once.say(2, 2)
    once.land(at("L4"))
    assert (once.open, once.fields["at"]) == (("use", 3, "mag-plates"), at("L0"))
    once.say(True)
    once.land(at("L8"))
    assert (once.car(3).at, once.ask) == (at("L0"), "attack")


@pytest.mark.article("death", "utility.mag-plates", "wreckage.roll")
def test_mag_plates_meet_the_wreckage_there_and_work_once_a_phase() -> None:
    cars = [armed(1, "L0", gear=2), armed(2, "M-1", utility="mag-plates"), armed(3, "R0", gear=2)]
    table = driving(*cars, to_play=[1, 3], dangers=["2:left:3"])
    table.say(2, 3)
    table.land("2:left:6")
    table.say(True)
    assert table.tested("wreckage", {2: 4}) == [(2, 4)]
    assert points(table, 2) == 17
    table.say(2, 3)
    table.land("2:right:5")
    assert table.ask == "attack"


@pytest.mark.article("death", "utility.mag-plates")
@pytest.mark.parametrize(
    "holder",
    [armed(2, "R4", utility="mag-plates"), armed(2, "M-1", utility="mag-plates", stock={"mag-plates": 0}),
     armed(2, "M-1", utility="mag-plates", status="spun")],
)  # fmt: skip
def test_mag_plates_do_not_follow_from_afar_without_tokens_or_spun(holder: dict[str, Any]) -> None:
    table = driving(armed(1, "L0", gear=2), holder)
    table.say(2, 3)
    table.land("2:left:6")
    assert table.ask == "attack"


@pytest.mark.article("death", "utility.mag-plates", "basic.corner")
@pytest.mark.parametrize(
    ("left", "end", "asked"), [("3:left:1", "3:left:2", "use"), ("3:right:2", "3:right:3", "attack")]
)
def test_mag_plates_follow_in_a_corner_only_as_its_arrows_lead(left: str, end: str, asked: str) -> None:
    table = driving(armed(1, left, gear=1), armed(2, "3:middle:1", utility="mag-plates"))
    table.say(1, 1)
    table.land(end)
    assert table.ask == asked


@pytest.mark.article("death", "utility.mag-plates", "basic.corner")
@pytest.mark.parametrize(
    ("mover", "end", "holder", "more", "asked"),
    [
        (at("L0"), at("L6"), at("L-2"), {}, "use"),
        (at("L0"), at("L6"), at("M1"), {}, "use"),  # back and over, on a straight
        (at("L0"), at("L6"), at("M1"), {"busy": True}, "attack"),  # once a phase
        ("4:left:18", "4:left:21", "4:middle:17", {"lap": 0}, "use"),  # before the first line as after it
        ("4:left:18", "4:left:21", "4:middle:17", {"lap": 0, "status": "stalled", "gear": 0}, "use"),
        ("4:left:18", "4:left:21", "4:middle:17", {"lap": 0, "status": "grid", "gear": 0}, "attack"),  # not started yet
        (at("L0"), at("L6"), at("M1"), {"status": "stalled", "gear": 0}, "use"),
        ("0:middle:1", "0:middle:4", "0:left:1", {}, "use"),
        ("0:left:1", "0:left:4", "4:left:24", {}, "attack"),  # over the line
        ("1:right:2", "1:right:5", "1:middle:1", {}, "attack"),  # against the arrows of the first corner
    ],
)
def test_where_mag_plates_follow(mover: str, end: str, holder: str, more: dict[str, Any], asked: str) -> None:
    table = driving(armed(1, mover, gear=2), armed(2, holder, utility="mag-plates", **more))
    table.say(2, 3)
    table.land(end)
    assert table.ask == asked


# -- the attack phase


@pytest.mark.article("death", "utility.targeting-computer")
def test_a_targeting_computer_rolls_a_miss_again_once_a_lap() -> None:
    table = attacking(armed(1, "L6", "forward-laser", utility="targeting-computer"), armed(2, "L8"), order=[1, 2])
    table.say({"fire": "forward-laser", "at": 2}, 11)
    assert table.open == ("use", 1, "targeting-computer")
    table.say(True, 10)
    assert (points(table, 2), table.car(1).used, table.car(1).weapons) == (16, True, {"forward-laser": 1})
    used = armed(1, "L6", "forward-laser", utility="targeting-computer", used=True)
    table = attacking(used, armed(2, "L8"), order=[1, 2])
    table.say({"fire": "forward-laser", "at": 2}, 11)
    assert table.open == ("attack", 2, "")


# -- the clutch


@pytest.mark.article("death", "utility.drop-clutch", "clutch.drop")
@pytest.mark.parametrize(("utility", "cost"), [("", 2), ("drop-clutch", 1)])
def test_dropping_the_clutch_costs_two_points_or_one_with_the_card(utility: str, cost: int) -> None:
    table = driving(armed(1, "L18", gear=2, utility=utility))
    table.say(2, 2)
    table.land("2:left:14")
    assert (table.open, table.options[0].answer) == (("clutch", 1, ""), None)
    assert table.option(space="3:left:1").wear == {"points": -cost}
    table.say(table.option(space="3:left:1").answer)
    assert (points(table, 1), table.car(1).at, table.car(1).stops) == (18 - cost, "3:left:1", 1)
    assert table.race.dangers == ["2:left:14"]


# -- to the letter


@pytest.mark.article("death", "utility.nitros", "utility.grip-tyres", "utility.no-weapon")
def test_a_card_that_is_spent_says_so_and_leaves_the_other_rest_as_it_was() -> None:
    table = driving(armed(1, "L0", gear=2, utility="nitros", busy=True))
    table.say(2, 3, True)
    assert table.ruling("used").facts == {"card": "nitros", "left": 0, "spaces": 2}
    assert (table.car(1).used, table.car(1).busy) == (True, True)
    woven = driving(armed(1, "L0", gear=2, utility="grip-tyres", used=True))
    woven.say(2, 4)
    woven.land("2:left:6")
    assert (woven.ruling("used").facts["left"], woven.car(1).used) == (2, True)


@pytest.mark.article("death", "utility.oil-spray", "wreckage.roll")
def test_only_the_car_that_is_driven_past_from_behind_may_spray() -> None:
    """Wreckage lies on L2; the car with the oil stands far ahead, or nobody but it is far ahead."""
    far = driving(armed(1, "L0", gear=2), armed(2, "L20", utility="oil-spray"), dangers=[at("L2")])
    far.say(2, 4)
    far.land(at("L8"))
    assert far.tested("wreckage") == [(1, 4)]
    assert (far.car(1).at, far.ask) == (at("L8"), "attack")
    behind = driving(armed(1, "L0", gear=3), armed(2, "R20"), armed(3, "L6", utility="oil-spray"))
    behind.say(3, 5)
    behind.say(next(o.answer for o in behind.options if o.facts.get("tests") == ["2:left:5"] and o.facts["moved"] == 5
                    and o.answer["space"] != "2:left:5"))  # fmt: skip
    assert behind.open == ("use", 3, "oil-spray")


@pytest.mark.article("death", "utility.oil-spray")
def test_oil_lies_on_the_line_too_but_not_behind_a_car_that_has_no_space_there_or_is_in_the_pits() -> None:
    line = driving(armed(1, "4:left:23", gear=3), armed(2, "0:left:2", lap=2, utility="oil-spray"))
    line.say(3, 4)
    assert any(option.facts.get("tests") == ["0:left:1"] for option in line.options)
    wall = driving(
        armed(1, "4:right:21", gear=3), armed(2, "2:left:7", utility="oil-spray"), track=BARRED, dangers=["4:right:22"]
    )
    wall.say(3, 5)
    assert {tuple(option.facts.get("tests", ())) for option in wall.options} <= {(), ("4:right:22",)}
    pits = driving(
        armed(1, "pit:1", status="pit", box=1),
        armed(2, "pit:5", status="pit", box=7, utility="oil-spray"),
        track="monaco",
    )
    pits.say(3, 8)
    pits.land("box:1")
    assert (pits.car(1).at, "use" in [pits.ask, *pits.kinds()]) == ("box:1", False)


@pytest.mark.article("death", "utility.mag-plates", "utility.no-weapon")
def test_mag_plates_need_not_follow_and_not_once_they_are_torn_off() -> None:
    """A car without any stands on the board before the one that has them."""
    cars = armed(1, "L0", gear=2), armed(2, "R20"), armed(3, "M-1", utility="mag-plates")
    table = driving(*cars)
    table.say(2, 3)
    table.land("2:left:6")
    assert table.open == ("use", 3, "mag-plates")
    table.say(False)
    assert (table.car(3).at, table.car(3).stock, table.ask) == (at("M-1"), {"mag-plates": 4}, "attack")
    torn = driving(armed(1, "L0", gear=2), armed(2, "M-1", stock={"mag-plates": 4}, stripped=["mag-plates"]))
    torn.say(2, 3)
    torn.land("2:left:6")
    assert torn.ask == "attack"


@pytest.mark.article("death", "utility.mag-plates", "utility.pneumatic-ramp")
def test_nobody_follows_a_car_that_has_not_driven_off() -> None:
    """Its own ramp destroys it before it has left its space."""
    ramp = armed(1, "L-2", gear=2, utility="pneumatic-ramp", points=0)
    table = driving(ramp, armed(2, "L4"), armed(3, "M-1", utility="mag-plates"))
    table.say(2, True, 3)
    table.say(table.option(space="2:left:5").answer, 20)
    assert (table.car(1).status, table.ask) == ("out", "attack")


@pytest.mark.article("death", "utility.mag-plates", "basic.corner", "basic.order")
@pytest.mark.parametrize(
    ("left", "end", "holder"), [("3:left:1", "3:left:2", "2:left:14"), ("1:left:1", "1:left:2", "0:left:8")]
)
def test_a_car_that_follows_into_a_corner_has_it_all_before_it_and_has_come_there_now(
    left: str, end: str, holder: str
) -> None:
    table = driving(armed(1, left, gear=1), armed(2, holder, utility="mag-plates"))
    turn = table.race.turn
    table.say(1, 1)
    table.land(end)
    assert table.open == ("use", 2, "mag-plates")
    table.say(True)
    car = table.car(2)
    assert (car.at, car.stops, car.lap) == (left, 0, 1)
    assert (table.race.turn, car.arrived) == (turn + 2, turn + 2)


@pytest.mark.article("death", "utility.grip-tyres", "utility.swerve-tyres", "basic.corner")
def test_grip_tyres_obey_the_arrows_of_a_corner() -> None:
    table = driving(armed(1, "3:middle:2", gear=2, utility="grip-tyres"), track=CHICANE)
    table.say(2, 3)
    assert not any(space == "3:right:3" for space, _ in tokens(table))


@pytest.mark.article("death", "utility.swerve-tyres")
def test_one_arrow_is_enough_where_two_would_do_as_well() -> None:
    found = tokens(swerves("2:middle:10", 3, 5, track=CHICANE))
    assert {found[landing] for landing in (("3:left:3", 0), ("3:left:4", 0), ("3:left:3", 1))} == {1}


@pytest.mark.article("death", "utility.swerve-tyres", "basic.blocked")
def test_where_a_car_is_held_up_anyway_it_takes_no_token() -> None:
    """Two spaces braked of six; three lead to the end of its lane, where a car stands, four by a swerve."""
    for left in (2, 0):
        table = swerves("3:left:5", 3, 6, armed(2, "4:left:4"), track=CHICANE, stops=1, stock={"swerve-tyres": left})
        option = table.option(space="4:left:3", brakes=2)
        assert option.answer == {"space": "4:left:3", "brakes": 2, "soft": 0, **({"over": []} if left else {})}
        assert option.facts == {"moved": 3, "overshot": 3, "blocked": 1}


@pytest.mark.article("death", "utility.grip-tyres", "utility.swerve-tyres", "basic.drive")
@pytest.mark.parametrize("utility", ["grip-tyres", "swerve-tyres"])
def test_no_tokens_are_taken_out_of_the_pit_lane(utility: str) -> None:
    car = armed(1, "pit:17", gear=3, utility=utility, status="pit", stop="long", box=1)
    table = driving(car, armed(2, "2:left:1"), track="monaco")
    table.say(3, 7)
    assert tokens(table) == {}
