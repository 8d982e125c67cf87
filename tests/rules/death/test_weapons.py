"""Every weapon, by its figures and by its special text."""

from __future__ import annotations

from typing import Any

import pytest

from companion.rules.conversation.conversation import Conversation
from companion.rules.death.cards import CARDS
from companion.rules.rulebooks import begin
from tests.rules.competition.boards import BARRED, CHICANE, TOW, at
from tests.rules.death.arenas import armed, attacking, driving, points
from tests.table import Table

PLAIN = {  # accuracy, damage, range, reload, and where a neighbour that it can hit stands
    "acid-jets": (8, 4, 2, 1, "L8"),
    "anti-tank-missiles": (10, 2, 20, 2, "L8"),
    "flamer": (16, 1, 2, 0, "L8"),
    "forward-laser": (10, 2, 10, 1, "L8"),
    "forward-mg": (8, 1, 12, 0, "L8"),
    "grenade-launcher": (8, 2, 20, 2, "L8"),
    "heat-seeking-missiles": (10, 2, 20, 2, "L8"),
    "laser-guided-missiles": (15, 2, 20, 2, "L8"),
    "long-range-missiles": (10, 2, 100, 2, "L8"),
    "megaton-missiles": (10, 4, 20, 2, "L8"),
    "missile-turret": (10, 2, 10, 2, "L4"),
    "rear-laser": (10, 2, 5, 1, "L4"),
    "rear-mg": (8, 1, 6, 0, "L4"),
    "turret-laser": (10, 2, 5, 1, "L4"),
    "turret-mg": (8, 1, 6, 0, "L4"),
    "blobber": (10, 0, 10, 1, "L8"),
    "chain-blades": (8, 3, 1, 0, "L4"),
    "frag-missiles": (10, 1, 20, 2, "L8"),
    "haywire-missiles": (10, 0, 20, 4, "L8"),
    "mag-gun": (12, 0, 10, 1, "L8"),
    "wrecker-ball": (8, 3, 2, 0, "L4"),
}


@pytest.mark.article(
    "death", "weapon.acid-jets", "weapon.anti-tank-missiles", "weapon.flamer", "weapon.forward-laser",
    "weapon.forward-mg", "weapon.grenade-launcher", "weapon.heat-seeking-missiles", "weapon.laser-guided-missiles",
    "weapon.long-range-missiles", "weapon.megaton-missiles", "weapon.missile-turret", "weapon.rear-laser",
    "weapon.rear-mg", "weapon.turret-laser", "weapon.turret-mg", "weapon.blobber", "weapon.chain-blades",
    "weapon.frag-missiles", "weapon.haywire-missiles", "weapon.mag-gun", "weapon.wrecker-ball", "attack.hit",
)  # fmt: skip
@pytest.mark.parametrize("weapon", PLAIN)
def test_a_weapon_hits_up_to_its_accuracy_for_its_damage_and_lays_its_tokens(weapon: str) -> None:
    accuracy, damage, reach, reload, place = PLAIN[weapon]
    card = CARDS[weapon]
    assert (card.accuracy, card.damage, card.range, card.reload, card.tokens) == (accuracy, damage, reach, reload, 1)
    for face, lost in ((accuracy, damage), (accuracy + 1, 0)):
        table = attacking(armed(1, "L6", weapon), armed(2, place))
        assert table.option({"fire": weapon, "at": 2}).facts["hits_to"] == accuracy
        table.say({"fire": weapon, "at": 2}, face)
        assert (points(table, 2), table.car(1).weapons[weapon]) == (18 - lost, reload)
        assert (("2:left:7" if place == "L8" else "2:left:5") in table.race.dangers) == bool(lost)


@pytest.mark.article("death", "weapon.turret-laser", "weapon.turret-mg", "weapon.wrecker-ball", "upgrades.powerful")
def test_three_weapons_are_powerful() -> None:
    assert {key for key, card in CARDS.items() if card.powerful and card.kind == "weapon"} == {
        "turret-laser", "turret-mg", "wrecker-ball",
    }  # fmt: skip


# -- weapons that take no target


@pytest.mark.article("death", "weapon.forward-turbolaser", "weapon.rear-turbolaser", "weapons.start")
@pytest.mark.parametrize(
    ("weapon", "mine", "hit", "reach"),
    [("forward-turbolaser", "L0", ["L2", "L10"], 6), ("rear-turbolaser", "L10", ["L4", "L8"], 3)],
)
def test_a_turbolaser_rolls_for_every_car_of_its_lane(weapon: str, mine: str, hit: list[str], reach: int) -> None:
    card = CARDS[weapon]
    assert (card.accuracy, card.damage, card.range, card.reload, card.tokens) == (8, 2, reach, 2, 2)
    cars = [
        armed(1, mine, weapon),
        *(armed(2 + i, place) for i, place in enumerate(hit)),
        armed(4, "M5"),
        armed(5, "L22"),
    ]
    table = attacking(*cars)
    found = table.option({"fire": weapon}).facts
    assert (sorted(found["cars"]), found["hits_to"]) == ([2, 3], 8)
    table.refuses({"fire": weapon, "at": 2}, f"The {weapon} takes no target")
    table.say({"fire": weapon}, 8, 9)
    assert sorted(points(table, number) for number in range(1, 6)) == [16, 18, 18, 18, 18]
    assert table.car(1).weapons[weapon] == 2
    alone = attacking(armed(1, mine, weapons={weapon: 0, "flamer": 1}), armed(2, "M5"))
    alone.refuses({"fire": weapon}, "There is no car that the")


@pytest.mark.article("death", "weapon.forward-turbolaser")
def test_a_turbolaser_asks_nobody_about_sight_and_goes_through_bends() -> None:
    table = attacking(armed(1, "L20", "forward-turbolaser"), armed(2, "3:left:2"), armed(3, "4:left:1"))
    table.say({"fire": "forward-turbolaser"}, 8, 8)
    assert (points(table, 2), points(table, 3)) == (16, 16)


@pytest.mark.article("death", "weapon.haywire-charge")
def test_a_haywire_charge_goes_for_every_neighbour() -> None:
    cars = [armed(1, "L6", "haywire-charge"), armed(2, "L8", gear=4), armed(3, "M5", gear=2), armed(4, "L10")]
    table = attacking(*cars)
    assert sorted(table.option({"fire": "haywire-charge"}).facts["cars"]) == [2, 3]
    table.say({"fire": "haywire-charge"}, 6, 6)
    assert (table.car(2).gear, table.car(2).status) == (2, "racing")
    assert (table.car(3).gear, table.car(3).status, points(table, 3)) == (0, "spun", 18)
    assert table.car(1).weapons["haywire-charge"] == 4
    missed = attacking(*cars)
    missed.say({"fire": "haywire-charge"}, 7, 7)
    assert (missed.car(2).gear, missed.car(3).status) == (4, "racing")


@pytest.mark.article("death", "weapon.haywire-missiles")
def test_haywire_missiles_take_two_gears_at_no_cost() -> None:
    for gear, left, status in ((5, 3, "racing"), (2, 0, "spun"), (1, 0, "spun")):
        target = armed(2, "L8", gear=gear, defence="heavy-armour")
        table = attacking(armed(1, "L6", "haywire-missiles"), target, order=[1, 2])
        table.say({"fire": "haywire-missiles", "at": 2}, 10)
        assert (table.car(2).gear, table.car(2).status, points(table, 2)) == (left, status, 18)
        assert table.ruling("gears_lost").facts == {"before": gear, "gear": left}


# -- weapons that do more than damage


@pytest.mark.article("death", "weapon.blobber")
def test_a_blobber_lays_three_tokens_the_attacker_placing_the_odd_one() -> None:
    table = attacking(armed(1, "L6", "blobber"), armed(2, "L8", "flamer", "rear-mg", defence="heavy-armour"))
    table.say({"fire": "blobber", "at": 2}, 10)
    assert (table.open, [option.answer for option in table.options]) == (("extra", 1, ""), ["flamer", "rear-mg"])
    table.say("rear-mg")
    assert table.car(2).weapons == {"flamer": 1, "rear-mg": 2}
    assert table.ruling("blobbed").counts == {"tokens:flamer": 1, "tokens:rear-mg": 2}
    one = attacking(armed(1, "L6", "blobber"), armed(2, "L8", "wrecker-ball"))
    one.say({"fire": "blobber", "at": 2}, 10)
    assert one.car(2).weapons == {"wrecker-ball": 3}
    none = attacking(armed(1, "L6", "blobber"), armed(2, "L8"))
    none.say({"fire": "blobber", "at": 2}, 10)
    assert none.kinds()[-1] != "blobbed"


@pytest.mark.article("death", "weapon.chain-blades")
def test_chain_blades_tear_off_a_card_of_the_targets_choice() -> None:
    cars = armed(1, "L6", "chain-blades"), armed(2, "L4", defence="chaff-release", utility="turbo")
    table = attacking(*cars)
    table.say({"fire": "chain-blades", "at": 2}, 8)
    assert (table.open, table.fields) == (("test", 2, "strip"), {"loses_to": 4})
    table.say(4)
    assert (table.open, [option.answer for option in table.options]) == (("strip", 2, ""), ["turbo", "chaff-release"])
    table.say("chaff-release")
    car = table.car(2)
    assert (car.defence, car.utility, car.stripped) == ("", "turbo", ["chaff-release"])
    kept = attacking(*cars)
    kept.say({"fire": "chain-blades", "at": 2}, 8, 5)
    assert (kept.car(2).defence, kept.car(2).utility) == ("chaff-release", "turbo")


@pytest.mark.article("death", "weapon.chain-blades")
def test_chain_blades_take_the_utility_too_and_no_powerful_card() -> None:
    table = attacking(armed(1, "L6", "chain-blades"), armed(2, "L4", defence="heavy-armour", utility="turbo"))
    table.say({"fire": "chain-blades", "at": 2}, 8, 1, "turbo")
    assert (table.car(2).defence, table.car(2).utility) == ("heavy-armour", "")
    assert points(table, 2) == 17
    bare = attacking(armed(1, "L6", "chain-blades"), armed(2, "L4", defence="heavy-armour"), order=[1, 2])
    bare.say({"fire": "chain-blades", "at": 2}, 8)
    assert bare.open == ("attack", 2, "")


@pytest.mark.article("death", "weapon.wrecker-ball")
def test_a_wrecker_ball_lowers_the_maximum() -> None:
    table = attacking(armed(1, "L6", "wrecker-ball"), armed(2, "L4", points=18))
    table.say({"fire": "wrecker-ball", "at": 2}, 8)
    assert (points(table, 2), table.car(2).built) == (15, {"points": 17})
    assert table.ruling("maximum").facts == {"most": 17}


@pytest.mark.article("death", "weapon.wrecker-ball")
def test_a_car_that_the_ball_misses_keeps_its_maximum() -> None:
    armoured = attacking(armed(1, "L6", "wrecker-ball"), armed(2, "L4", points=10))
    armoured.say({"fire": "wrecker-ball", "at": 2}, 9)
    assert armoured.car(2).built == {"points": 18}


@pytest.mark.article("death", "weapon.frag-missiles")
def test_a_frag_missile_also_takes_the_cars_around_its_target() -> None:
    """The target is on L8; around it are the attacker on L6, M7, M9 and L10."""
    cars = [armed(1, "L6", "frag-missiles"), armed(2, "L8"), armed(3, "M9"), armed(4, "L12"), armed(5, "M7")]
    table = attacking(*cars)
    table.say({"fire": "frag-missiles", "at": 2}, 10)
    assert [points(table, number) for number in range(1, 6)] == [17, 17, 17, 18, 17]


@pytest.mark.article("death", "weapon.frag-missiles", "defence.armour")
def test_armour_holds_the_splash_too() -> None:
    table = attacking(armed(1, "L6", "frag-missiles"), armed(2, "L8"), armed(3, "M9", defence="light-armour"))
    table.say({"fire": "frag-missiles", "at": 2}, 10)
    assert (points(table, 2), points(table, 3)) == (17, 18)


@pytest.mark.article("death", "weapon.frag-missiles")
def test_a_frag_missile_may_go_for_an_empty_space_at_four_less() -> None:
    cars = armed(1, "L0", "frag-missiles"), armed(2, "L8"), armed(3, "R8")
    for face, lost in ((6, 1), (7, 0)):
        table = attacking(*cars)
        shot = {"fire": "frag-missiles", "space": "2:middle:7"}
        assert table.option(shot).facts == {"hits_to": 6, "sight": True}
        table.say(shot, True, face)
        assert [points(table, number) for number in (1, 2, 3)] == [18, 18 - lost, 18 - lost]
        assert table.car(1).weapons["frag-missiles"] == 2
    table = attacking(*cars)
    table.refuses({"fire": "frag-missiles", "space": "2:left:7"}, "an empty one in front and in range")
    table.refuses({"fire": "frag-missiles", "space": "2:left:12"}, "with a car beside it")
    laser = attacking(armed(1, "L0", "forward-laser"), armed(2, "L8"))
    laser.refuses({"fire": "forward-laser", "space": "2:middle:7"}, "Only frag missiles are fired at a space")


@pytest.mark.article("death", "weapon.frag-missiles", "attack.front")
def test_a_bare_space_is_fired_at_only_in_front() -> None:
    """Around car 2 on L4 lie L2, M3, M5 and L6; the attacker on M5 has L4 half a space behind it."""
    table = attacking(armed(1, "M5", "frag-missiles"), armed(2, "L4"), armed(3, "R6"))
    spaces = {option.answer["space"] for option in table.options if option.answer and "space" in option.answer}
    assert spaces == {at(code) for code in ("L6", "M7", "R8")}
    for code in ("L2", "M3", "R4"):
        table.refuses({"fire": "frag-missiles", "space": at(code)}, "an empty one in front and in range")


@pytest.mark.article("death", "weapon.frag-missiles", "attack.sight", "utility.jammer")
def test_a_bare_space_beside_it_needs_no_sight_and_a_jammed_missile_goes_for_a_car() -> None:
    cars = armed(1, "L0", "frag-missiles"), armed(2, "M3", utility="jammer"), armed(3, "L8")
    table = attacking(*cars)
    assert table.option({"fire": "frag-missiles", "space": at("M1")}).facts == {"hits_to": 6}
    assert table.option({"fire": "frag-missiles", "space": at("M5")}).facts == {"hits_to": 6, "sight": True}
    table.say({"fire": "frag-missiles", "at": 2}, True, 11)
    assert [option.answer for option in table.options] == [{"fire": "frag-missiles", "at": 3}]


@pytest.mark.article("death", "weapon.remote-mines", "weapon.limpet-mines")
def test_a_remote_mine_counts_no_stock_and_limpet_mines_are_no_shot() -> None:
    table = attacking(armed(1, "L0", "remote-mines", "limpet-mines"), armed(2, "L2"))
    assert [(option.answer, option.facts) for option in table.options] == [({"fire": "remote-mines"}, {}), (None, {})]


@pytest.mark.article("death", "weapon.remote-mines", "weapon.slip-mines")
def test_only_its_own_remote_mine_keeps_a_car_from_laying_another_and_it_may_lie_on_the_line() -> None:
    others = [
        {"car": 2, "card": "remote-mines", "at": "2:right:4", "rolled": True},
        {"car": 1, "card": "slip-mines", "at": "2:right:5"},
    ]
    for place, mines, free in (
        ("4:left:24", [], True),
        ("4:left:24", others, True),
        ("4:left:24", [*others, {"car": 1, "card": "remote-mines", "at": "2:right:6", "rolled": True}], False),
    ):
        table = attacking(armed(1, place, "remote-mines"), armed(2, "L2"), mines=mines)
        assert ({"fire": "remote-mines"} in [option.answer for option in table.options]) == free
    table = attacking(armed(1, "4:left:24", "remote-mines"), armed(2, "L2"), order=[1, 2])
    table.say({"fire": "remote-mines"})
    assert [mine.at for mine in table.race.mines] == ["0:left:1"]


# -- the mag gun


def pulled(*others: dict[str, Any], target: str = "R14", **setup: Any) -> Table:
    table = attacking(armed(1, "L6", "mag-gun"), armed(2, target), *others, **setup)
    table.say({"fire": "mag-gun", "at": 2}, True, 12)
    return table


@pytest.mark.article("death", "weapon.mag-gun")
def test_a_mag_gun_draws_its_target_over_and_two_spaces_back() -> None:
    table = pulled()
    assert table.car(2).at == "2:left:8"  # L14 is level with R14, two back is L10
    assert (points(table, 2), table.car(1).weapons["mag-gun"]) == (18, 1)
    assert table.ruling("pulled").facts["begin"] == "2:right:9"


@pytest.mark.article("death", "weapon.mag-gun")
def test_in_the_same_lane_it_comes_straight_back() -> None:
    assert pulled(target="L16").car(2).at == "2:left:9"


@pytest.mark.article("death", "weapon.mag-gun")
def test_it_stops_before_a_car_and_new_neighbours_roll() -> None:
    table = pulled(armed(3, "L10"))
    assert table.car(2).at == "2:left:9"
    assert table.tested("collision", {2: 4}) == [(2, 4), (3, 4)]
    assert (points(table, 2), points(table, 3)) == (17, 18)


@pytest.mark.article("death", "weapon.mag-gun", "basic.collision")
def test_every_car_beside_it_after_the_pull_rolls_an_old_neighbour_too() -> None:
    """M11 is beside L12 and beside L10, where it stops before car 4 on L8."""
    table = pulled(armed(3, "M11"), armed(4, "L8"), target="L12")
    assert table.car(2).at == at("L10")
    assert table.tested("collision", {3: 4}) == [(2, 4), (3, 4), (2, 4), (4, 4)]
    assert [points(table, number) for number in (2, 3, 4)] == [18, 17, 18]


@pytest.mark.article("death", "weapon.mag-gun", "basic.collision")
def test_a_car_that_could_not_be_moved_rolls_with_all_around_it() -> None:
    table = attacking(armed(1, "L6", "mag-gun"), armed(2, "L8"), armed(3, "M9"), order=[1, 2])
    table.say({"fire": "mag-gun", "at": 2}, 12)
    assert "pulled" not in table.kinds()
    assert table.tested("collision") == [(2, 4), (1, 4), (2, 4), (3, 4)]
    assert table.open == ("attack", 2, "")


@pytest.mark.article("death", "weapon.mag-gun")
def test_with_nobody_beside_it_nobody_rolls() -> None:
    table = pulled(armed(3, "M15"), target="L16")  # beside M15 before, not beside it on L12
    assert table.car(2).at == "2:left:9"
    assert table.open is None or table.ask != "test"


@pytest.mark.article("death", "weapon.mag-gun", "wreckage.roll")
def test_what_lies_on_the_way_back_is_rolled_for() -> None:
    table = pulled(target="L16", dangers=["2:left:10"])
    assert table.open == ("test", 2, "wreckage")
    table.say(4)
    assert (points(table, 2), table.car(2).at, table.race.dangers) == (17, "2:left:9", [])


@pytest.mark.article("death", "weapon.mag-gun", "weapon.slip-mines")
@pytest.mark.parametrize(("gear", "after", "status"), [(4, 2, "racing"), (1, 1, "racing"), (0, 0, "stalled")])
def test_a_car_that_is_drawn_onto_a_slip_mine_stops_there_and_does_not_spin(gear: int, after: int, status: str) -> None:
    mines = [{"car": 3, "card": "slip-mines", "at": "2:left:6"}]
    target = armed(2, "L8", gear=gear, status=status)
    table = attacking(armed(1, "L0", "mag-gun"), target, armed(3, "R20"), order=[1, 2], mines=mines)
    table.say({"fire": "mag-gun", "at": 2}, True, 12)
    car = table.car(2)
    assert (car.at, car.gear, car.status, table.race.mines) == ("2:left:6", after, status, [])
    assert table.ruling("pulled").facts["at"] == "2:left:6"
    assert ("gears_lost" in table.kinds()) == (after < gear)  # in 1st there is none to lose


@pytest.mark.article("death", "weapon.mag-gun", "wreckage.roll", "spin.zero")
def test_a_car_that_wreckage_spins_on_the_way_back_is_drawn_no_further() -> None:
    cars = armed(1, "L6", "mag-gun"), armed(2, "L16", points=1)
    table = attacking(*cars, order=[1, 2], dangers=["2:left:10", "2:left:9"])
    table.say({"fire": "mag-gun", "at": 2}, True, 12, 4)
    assert (table.car(2).at, table.car(2).status, table.race.dangers) == ("2:left:10", "spun", ["2:left:9"])


@pytest.mark.article("death", "weapon.mag-gun", "basic.corner")
@pytest.mark.parametrize(("place", "at", "stops"), [("3:left:3", "3:left:1", 1), ("3:left:2", "2:left:14", 0)])
def test_stops_made_count_while_the_car_is_in_their_corner_and_not_before_it(place: str, at: str, stops: int) -> None:
    table = attacking(armed(1, "L16", "mag-gun"), armed(2, place, stops=1))
    table.say({"fire": "mag-gun", "at": 2}, True, 12)
    assert (table.car(2).at, table.car(2).stops) == (at, stops)


@pytest.mark.article("death", "weapon.mag-gun")
def test_pulled_back_into_a_corner_it_owes_no_stop_and_over_the_line_the_lap_again() -> None:
    table = attacking(armed(1, "L22", "mag-gun"), armed(2, "4:left:1"))
    table.say({"fire": "mag-gun", "at": 2}, True, 12)
    assert (table.car(2).at, table.car(2).stops) == ("3:left:2", 1)
    line = attacking(armed(1, "4:left:22", "mag-gun"), armed(2, "0:left:1", lap=2))
    line.say({"fire": "mag-gun", "at": 2}, True, 12)
    assert (line.car(2).at, line.car(2).lap) == ("4:left:23", 1)


# -- mines


@pytest.mark.article("death", "weapon.limpet-mines")
def test_a_limpet_mine_is_dropped_at_the_end_of_a_move() -> None:
    table = driving(armed(1, "L0", weapons={"limpet-mines": 0, "flamer": 1}))
    table.say(2, 2)
    table.land("2:left:5")
    assert (table.open, table.fields) == (("use", 1, "limpet-mines"), {"card": "limpet-mines", "left": 10})
    table.say(True)
    assert (table.race.dangers, table.car(1).stock) == (["2:left:5"], {"limpet-mines": 9})
    assert table.ruling("mine").counts == {"stock:limpet-mines": -1}
    table.refuses({"fire": "limpet-mines"}, "Limpet mines are not fired")


@pytest.mark.article("death", "weapon.limpet-mines")
def test_a_limpet_mine_is_dropped_from_the_first_move_on_whatever_tokens_lie_on_the_card() -> None:
    table = driving(armed(1, "L0", weapons={"limpet-mines": 1}))
    table.say(2, 2)
    table.land("2:left:5")
    table.say(True)
    assert (table.race.dangers, table.car(1).weapons) == (["2:left:5"], {"limpet-mines": 1})


@pytest.mark.article("death", "weapon.limpet-mines")
def test_none_is_dropped_when_all_are_gone() -> None:
    table = driving(armed(1, "L0", weapons={"limpet-mines": 0, "flamer": 1}, stock={"limpet-mines": 0}))
    table.say(2, 2)
    table.land("2:left:5")
    assert table.ask == "attack"
    assert table.race.dangers == []


@pytest.mark.article("death", "weapon.limpet-mines", "wreckage.roll")
def test_a_limpet_mine_is_wreckage_to_all() -> None:
    table = driving(armed(1, "L0"), dangers=["2:left:4"])
    table.say(2, 2)
    table.land("2:left:5")
    assert table.tested("wreckage") == [(1, 4)]


@pytest.mark.article("death", "weapon.slip-mines")
def test_a_slip_mine_is_laid_as_the_attack_and_stops_whoever_comes() -> None:
    table = attacking(armed(1, "L6", "slip-mines"), armed(2, "L0", gear=3), order=[1])
    assert table.option({"fire": "slip-mines"}).facts == {"left": 5}
    table.say({"fire": "slip-mines"})
    assert [(mine.card, mine.owner, mine.at) for mine in table.race.mines] == [("slip-mines", 1, "2:left:6")]
    assert table.car(1).stock == {"slip-mines": 4}
    assert (table.race.dangers, table.race.marked) == ([], ["2:left:6"])


@pytest.mark.article("death", "weapon.slip-mines")
def test_a_car_on_a_slip_mine_ends_its_move_and_drops_two_gears() -> None:
    mines = [{"car": 2, "card": "slip-mines", "at": "2:left:6"}]
    for gear, left in ((3, 1), (2, 1)):
        table = driving(armed(1, "L0", gear=gear), armed(2, "R20"), mines=mines)
        table.say(gear, 4)
        over = next(
            o for o in table.options if o.answer["space"] == "2:left:7" and "2:left:6" in o.facts.get("tests", [])
        )
        table.say(over.answer)
        assert (table.car(1).at, table.car(1).gear, table.car(1).status) == ("2:left:6", left, "racing")
        assert (table.race.mines, points(table, 1)) == ([], 18)
        assert table.told("mine", "en") == "1 slips on a mine on 2:left:6 and stops there; the mine is removed."


@pytest.mark.article("death", "weapon.slip-mines")
def test_a_driver_may_brake_before_a_slip_mine_at_the_usual_cost() -> None:
    mines = [{"car": 2, "card": "slip-mines", "at": "2:left:6"}]
    table = driving(armed(1, "L0"), armed(2, "R20"), mines=mines)
    table.say(3, 4)
    table.land("2:left:5", brakes=2)
    assert (table.car(1).at, points(table, 1), len(table.race.mines)) == ("2:left:5", 16, 1)


@pytest.mark.article("death", "weapon.slip-mines")
def test_there_are_five_slip_mines() -> None:
    car = armed(1, "L6", weapons={"slip-mines": 0, "flamer": 1}, stock={"slip-mines": 0})
    table = attacking(car, armed(2, "L0"))
    assert [option.answer for option in table.options] == [{"reload": "flamer"}, None]
    table.refuses({"fire": "slip-mines"}, "cannot be laid")


@pytest.mark.article("death", "weapon.remote-mines", "phase.one-action")
def test_a_remote_mine_is_laid_ahead_and_rolls_in_each_later_attack_phase() -> None:
    table = attacking(armed(1, "L0", "remote-mines"), armed(2, "R0"))
    table.say({"fire": "remote-mines"})
    mine = table.race.mines[0]
    assert (mine.card, mine.at, table.car(1).weapons) == ("remote-mines", "2:left:4", {"remote-mines": 4})
    for _ in range(2):
        table.say(1, 1)
        space = next(o.answer["space"] for o in table.options if o.answer["space"].startswith("2:"))
        table.land(space)
        table.until(lambda: table.ask not in ("test", "slipstream"))
    assert table.open == ("roll", 1, "mine_5")
    table.say(11)
    assert table.race.mines[0].at == "3:left:1"


@pytest.mark.article("death", "weapon.remote-mines", "phase.one-action")
def test_it_rolls_in_its_owner_s_place_and_besides_his_action() -> None:
    mines = [{"car": 2, "card": "remote-mines", "at": "4:left:4"}]
    cars = armed(1, "L0"), armed(2, "R0", "flamer"), armed(3, "R20")
    table = driving(*cars, mines=mines)
    table.say(1, 1)
    table.land("2:left:4")
    assert table.open == ("roll", 2, "mine_5")
    table.say(11)
    assert table.open == ("attack", 2, "")
    table.talk.override({"order": [1, 2, 3]})  # and no second time when its owner's place comes again
    assert [table.open, table.say(None), table.open] == [("attack", 1, ""), table.rulings[-1:], ("attack", 2, "")]


@pytest.mark.article("death", "weapon.remote-mines")
def test_a_mine_whose_owner_acts_later_waits_for_him_and_one_whose_owner_is_out_does_not() -> None:
    mines = [
        {"car": 2, "card": "remote-mines", "at": "4:left:4"},
        {"car": 3, "card": "remote-mines", "at": "4:right:4"},
    ]
    table = attacking(armed(1, "L0"), armed(2, "R4"), armed(3, "R20", status="out"), order=[1, 2], mines=mines)
    assert [table.open, table.fields["at"]] == [("roll", None, "mine_5"), "4:right:4"]
    assert table.asks("en") == "Mine of 3 on 4:right:4: roll 5th gear"
    assert table.asks("fr") == "Mine de 3 en 4:droite:4\u00a0: lancez le dé de 5e"
    table.say(11)
    assert table.open == ("attack", 1, "")
    table.say(None)
    assert [table.open, table.fields["at"]] == [("roll", 2, "mine_5"), "4:left:4"]
    table.say(11)
    again = begin(table.rulebook.state(), table.rulebook.track)
    assert again.state() == table.rulebook.state()
    assert Conversation(again).key == table.talk.key


@pytest.mark.article("death", "weapon.remote-mines")
@pytest.mark.parametrize(("face", "left"), [(14, 15), (15, 18)])
def test_it_explodes_under_the_car_that_it_meets(face: int, left: int) -> None:
    mines = [{"car": 1, "card": "remote-mines", "at": "2:left:4"}]
    cars = armed(1, "L0"), armed(2, "L10"), armed(3, "R0")
    table = driving(*cars, to_play=[3], mines=mines)
    table.say(2, 2)
    table.land("2:right:4")
    table.say(12)
    assert table.open == ("test", 2, "mine")
    table.say(face)
    assert (points(table, 2), table.race.mines) == (left, [])
    assert table.race.dangers == (["2:left:8"] if left < 18 else [])
    assert table.told("mine", "en").endswith("; the mine is removed.")
    assert table.told("mine", "fr").endswith("\u00a0; la mine est ôtée.")


@pytest.mark.article("death", "weapon.remote-mines")
def test_a_car_that_drives_onto_it_sets_it_off() -> None:
    mines = [{"car": 2, "card": "remote-mines", "at": "2:left:4"}]
    table = driving(armed(1, "L0"), armed(2, "R20"), mines=mines)
    table.say(2, 2)
    table.land("2:left:5")
    assert table.tested("mine", {1: 14}) == [(1, 14)]
    assert (points(table, 1), table.car(1).at, table.race.dangers) == (15, "2:left:5", ["2:left:4"])


@pytest.mark.article("death", "weapon.remote-mines", "spin.zero")
def test_a_car_that_it_spins_stays_on_its_space() -> None:
    mines = [{"car": 2, "card": "remote-mines", "at": "2:left:4"}]
    table = driving(armed(1, "L0", points=3), armed(2, "R20"), mines=mines)
    table.say(2, 2)
    table.land("2:left:5")
    table.say(14)
    assert (table.car(1).status, table.car(1).at) == ("spun", "2:left:4")


@pytest.mark.article("death", "weapon.remote-mines")
def test_one_remote_mine_at_a_time() -> None:
    mines = [{"car": 1, "card": "remote-mines", "at": "4:left:4", "rolled": True}]
    out = attacking(armed(1, "L0", weapons={"remote-mines": 0, "flamer": 1}), armed(2, "R0"), mines=mines)
    out.refuses({"fire": "remote-mines"}, "cannot be laid: none is left, or one is out already")


@pytest.mark.article("death", "weapon.remote-mines")
@pytest.mark.parametrize(("face", "left"), [(14, 15), (15, 18)])
def test_laid_under_a_car_it_explodes_at_once(face: int, left: int) -> None:
    table = attacking(armed(1, "L0", "remote-mines"), armed(2, "L2"), order=[1, 2])
    table.say({"fire": "remote-mines"})
    assert table.open == ("test", 2, "mine")
    table.say(face)
    assert (points(table, 2), table.race.mines, table.car(1).weapons) == (left, [], {"remote-mines": 4})
    assert table.open == ("attack", 2, "")


@pytest.mark.article("death", "weapon.limpet-mines")
@pytest.mark.parametrize(("stock", "asked"), [(1, True), (0, False)])
def test_the_last_limpet_mine_is_dropped_too_and_told(stock: int, asked: bool) -> None:
    table = driving(armed(1, "L0", "limpet-mines", stock={"limpet-mines": stock}))
    table.say(2, 2)
    table.land("2:left:5")
    assert (table.open == ("use", 1, "limpet-mines")) == asked
    if asked:
        table.say(True)
        assert table.ruling("mine").facts == {
            "action": "dropped", "at": "2:left:5", "owner": 1, "card": "limpet-mines",
        }  # fmt: skip


@pytest.mark.article("death", "weapon.limpet-mines", "spin.zero")
def test_a_limpet_mine_is_dropped_by_a_car_that_has_spun_in_its_move_but_not_before_its_die() -> None:
    driven = driving(armed(1, "L0", "limpet-mines", points=1, gear=2), armed(2, "R20"), dangers=["2:left:5"])
    driven.say(2, 2)
    driven.land("2:left:5")
    driven.say(4)
    assert (driven.car(1).status, driven.open) == ("spun", ("use", 1, "limpet-mines"))
    started = driving(armed(1, "4:left:21", "limpet-mines", points=1, gear=0, status="grid", lap=0),
                      armed(2, "R20"), dangers=["0:left:1"])  # fmt: skip
    started.say(20)
    started.land("0:left:1")
    started.say(4)
    assert (started.car(1).status, started.open) == ("spun", ("use", 1, "limpet-mines"))
    shifted = driving(armed(1, "L0", "limpet-mines", points=1, gear=4), armed(2, "R20"))
    shifted.say(2)
    assert (shifted.car(1).status, shifted.ask) == ("spun", "attack")
    stalled = driving(armed(1, "L0", "limpet-mines", gear=0, status="grid", lap=0), armed(2, "R20"))
    stalled.say(1)
    assert (stalled.car(1).status, stalled.ask) == ("stalled", "attack")


@pytest.mark.article("death", "weapon.limpet-mines")
def test_no_limpet_mine_in_the_pits_nor_without_the_card() -> None:
    car = armed(1, "pit:1", "limpet-mines", status="pit", box=1)
    table = driving(car, armed(2, "2:left:1"), track="monaco")
    table.say(3, 4)
    table.land("box:1")
    assert table.ask == "attack"
    without = driving(armed(1, "L0", stock={"limpet-mines": 3}))
    without.say(2, 2)
    without.land("2:left:5")
    assert without.ask == "attack"


@pytest.mark.article("death", "weapon.mag-gun", "utility.jet-wash")
def test_a_jet_wash_that_is_drawn_up_ahead_of_a_car_has_not_been_driven_up_to() -> None:
    """Car 2 is drawn onto L8, straight ahead of the attacker, whose move this is not."""
    table = attacking(armed(1, "L6", "mag-gun"), armed(2, "L12", utility="jet-wash"))
    table.say({"fire": "mag-gun", "at": 2}, True, 12)
    assert table.car(2).at == at("L8")
    assert table.tested("collision") == [(2, 4), (1, 4)]


@pytest.mark.article("death", "weapon.mag-gun", "basic.corner", "basic.order")
@pytest.mark.parametrize(
    ("mine", "place", "stops", "end", "left", "track"),
    [
        ("1:left:1", "2:left:1", 0, "1:left:2", 1, TOW),  # back into the first corner
        ("2:left:5", "3:left:4", 1, "3:left:2", 1, CHICANE),  # back in a corner of two stops
    ],
)
def test_a_car_drawn_back_keeps_its_lap_and_the_stops_of_its_corner(
    mine: str, place: str, stops: int, end: str, left: int, track: str
) -> None:
    table = attacking(armed(1, mine, "mag-gun"), armed(2, place, stops=stops), track=track)
    turn = table.race.turn
    table.say({"fire": "mag-gun", "at": 2}, *([True] if table.ask == "attack" else []), 12)
    car = table.car(2)
    assert (car.at, car.stops, car.lap) == (end, left, 1)
    assert (table.race.turn, car.arrived) == (turn + 2, turn + 2)


@pytest.mark.article("death", "attack.range", "weapon.haywire-charge")
@pytest.mark.parametrize(
    ("mine", "others", "track", "near"),
    [
        ("2:left:5", ["4:right:23", "2:middle:5"], BARRED, [3]),  # a blocked space ahead of it
        ("2:left:7", ["4:right:23", "2:middle:7"], BARRED, [3]),  # and one behind it
        ("4:left:24", ["0:left:1"], TOW, [2]),
        ("0:left:2", ["0:left:1"], TOW, [2]),
    ],
)
def test_around_a_car_are_the_spaces_beside_it_and_those_straight_before_and_behind_it(
    mine: str, others: list[str], track: str, near: list[int]
) -> None:
    cars = [armed(number, place) for number, place in enumerate(others, 2)]
    table = attacking(armed(1, mine, "haywire-charge"), *cars, track=track)
    assert table.option({"fire": "haywire-charge"}).facts["cars"] == near


@pytest.mark.article("death", "weapon.frag-missiles", "attack.range")
def test_before_a_space_on_which_nobody_can_stand_there_is_nothing_to_hit() -> None:
    """The last space of the board is none of the spaces around it."""
    cars = armed(1, "2:left:2", "frag-missiles"), armed(2, "2:left:5"), armed(3, "4:right:23")
    table = attacking(*cars, track=BARRED)
    table.say({"fire": "frag-missiles", "at": 2}, True, 10)
    assert [points(table, number) for number in (1, 2, 3)] == [18, 17, 18]
