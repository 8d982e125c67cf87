"""Defences: by facing against weapons, by fewer losing faces against collisions and wreckage."""

from __future__ import annotations

from typing import Any

import pytest

from companion.rules.death.cards import CARDS
from tests.rules.competition.boards import RUN_IN, TOW, TWIN, with_pits
from tests.rules.death.arenas import armed, attacking, driving, points
from tests.table import Table


def shot(defence: str, weapon: str, place: str, **setup: Any) -> int:
    """The points that car 2 loses with that defence to a hit by car 1, which stands on L6."""
    table = attacking(armed(1, "L6", weapon), armed(2, place, defence=defence), **setup)
    table.say({"fire": weapon, "at": 2}, CARDS[weapon].accuracy)
    return 18 - points(table, 2)


@pytest.mark.article(
    "death", "defence.armour", "defence.light-armour", "defence.heavy-armour-front", "defence.heavy-armour-rear",
    "defence.heavy-armour", "defence.mine-sweepers", "defence.bravado", "defence.chaff-release",
    "defence.nanobot-repair-systems",
)  # fmt: skip
@pytest.mark.parametrize(
    ("defence", "front", "rear", "copies", "powerful"),
    [("bravado", 0, 0, 3, False), ("chaff-release", 0, 0, 2, False), ("light-armour", 1, 1, 4, False),
     ("heavy-armour-front", 2, 0, 2, False), ("heavy-armour-rear", 0, 2, 2, False), ("mine-sweepers", 1, 0, 2, False),
     ("heavy-armour", 2, 2, 4, True), ("nanobot-repair-systems", 0, 0, 2, False)],
)  # fmt: skip
def test_what_a_defence_holds_by_facing(defence: str, front: int, rear: int, copies: int, powerful: bool) -> None:
    card = CARDS[defence]
    assert (card.front, card.rear, card.copies, card.powerful) == (front, rear, copies, powerful)
    if defence not in ("bravado", "chaff-release"):
        assert shot(defence, "megaton-missiles", "L8") == 4 - rear  # struck from behind
        assert shot(defence, "wrecker-ball", "L4") == 3 - front  # struck from ahead


@pytest.mark.article("death", "defence.armour", "weapon.anti-tank-missiles")
def test_never_below_nothing_and_not_against_anti_tank_missiles() -> None:
    assert shot("heavy-armour", "forward-mg", "L8") == 0
    assert shot("heavy-armour", "anti-tank-missiles", "L8") == 2
    table = attacking(armed(1, "L6", "forward-mg"), armed(2, "L8", defence="heavy-armour"))
    assert table.option({"fire": "forward-mg", "at": 2}).facts["damage"] == 0
    table.say({"fire": "forward-mg", "at": 2}, 8)
    assert (table.ruling("shielded").facts, table.race.dangers) == ({"card": "forward-mg", "armour": 2}, [])


@pytest.mark.article("death", "defence.chaff-release", "attack.hit", "weapon.laser-guided-missiles")
@pytest.mark.parametrize(
    ("weapon", "hits"),
    [("laser-guided-missiles", 7), ("megaton-missiles", 5), ("forward-laser", 5), ("flamer", 16), ("forward-mg", 8),
     ("grenade-launcher", 8)],
)  # fmt: skip
def test_chaff_halves_missiles_and_lasers(weapon: str, hits: int) -> None:
    table = attacking(armed(1, "L6", weapon), armed(2, "L8", defence="chaff-release"))
    assert table.option({"fire": weapon, "at": 2}).facts["hits_to"] == hits
    table.say({"fire": weapon, "at": 2})
    assert table.fields["hits_to"] == hits


@pytest.mark.article("death", "defence.chaff-release", "weapon.forward-turbolaser")
def test_chaff_halves_a_turbolaser_too() -> None:
    table = attacking(armed(1, "L6", "forward-turbolaser"), armed(2, "L8", defence="chaff-release"))
    table.say({"fire": "forward-turbolaser"})
    assert table.fields["hits_to"] == 4


@pytest.mark.article("death", "defence.mine-sweepers", "weapon.remote-mines")
def test_mine_sweepers_halve_a_remote_mine() -> None:
    mines = [{"car": 2, "card": "remote-mines", "at": "2:left:4"}]
    table = driving(armed(1, "L0", defence="mine-sweepers"), armed(2, "R20"), mines=mines)
    table.say(2, 2)
    table.land("2:left:5")
    assert table.tested("mine", {1: 7}) == [(1, 7)]
    assert points(table, 1) == 15


@pytest.mark.article(
    "death", "wreckage.roll", "defence.light-armour", "defence.heavy-armour-front", "defence.heavy-armour-rear",
    "defence.heavy-armour", "defence.mine-sweepers",
)  # fmt: skip
@pytest.mark.parametrize(
    ("defence", "to"),
    [("", 4), ("bravado", 4), ("light-armour", 2), ("heavy-armour-front", 1), ("heavy-armour-rear", 4),
     ("heavy-armour", 1), ("mine-sweepers", 1), ("chaff-release", 4)],
)  # fmt: skip
def test_wreckage_by_defence(defence: str, to: int) -> None:
    table = driving(armed(1, "L0", defence=defence), dangers=["2:left:4"])
    table.say(2, 2)
    table.land("2:left:5")
    assert table.tested("wreckage", {1: to + 1}) == [(1, to)]
    assert (points(table, 1), table.race.dangers) == (18, ["2:left:4"])


def ending(mover: dict[str, Any], *others: dict[str, Any], **setup: Any) -> Table:
    """Car 1 moves from L0 to L4 without slipstream and without ram."""
    table = driving(armed(1, "L0", **mover), *others, **setup)
    table.say(2, 2)
    table.land("2:left:5")
    while table.ask in ("slipstream", "use"):
        table.say(None if table.ask == "slipstream" else False)
    return table


@pytest.mark.article(
    "death", "basic.collision", "defence.light-armour", "defence.heavy-armour-front", "defence.heavy-armour-rear",
    "defence.heavy-armour",
)  # fmt: skip
@pytest.mark.parametrize(
    ("defence", "mover", "struck", "beside"),
    [("", 4, 4, 4), ("light-armour", 2, 2, 2), ("heavy-armour-front", 1, 4, 4), ("heavy-armour-rear", 4, 1, 4),
     ("heavy-armour", 1, 1, 1), ("mine-sweepers", 4, 4, 4)],
)  # fmt: skip
def test_collisions_by_defence(defence: str, mover: int, struck: int, beside: int) -> None:
    """A car straight ahead on L6 and the mover on L4; then one beside on M5."""
    assert ending({"defence": defence}, armed(2, "L6")).tested("collision") == [(2, 4), (1, mover)]
    assert ending({}, armed(2, "L6", defence=defence)).tested("collision") == [(2, struck), (1, 4)]
    assert ending({}, armed(2, "M5", defence=defence)).tested("collision") == [(2, beside), (1, 4)]


@pytest.mark.article("death", "basic.collision", "wreckage.marker")
def test_a_collision_costs_a_point_and_leaves_wreckage() -> None:
    table = ending({}, armed(2, "M5"))
    table.say(4, 5)
    assert (points(table, 2), points(table, 1), table.race.dangers) == (17, 18, ["2:middle:5"])


@pytest.mark.article("death", "basic.collision", "defence.armour")
def test_by_a_switch_armour_holds_collisions_and_wreckage_as_well() -> None:
    options = {"armour_everywhere": True}
    table = ending({}, armed(2, "L6", defence="mine-sweepers"), options=options)
    table.say(4, 4)
    assert (points(table, 2), points(table, 1)) == (17, 17)
    table = ending({"defence": "mine-sweepers"}, armed(2, "L6"), options=options)
    table.say(20, 4)
    assert points(table, 1) == 18
    table = driving(armed(1, "L0", defence="light-armour"), dangers=["2:left:4"], options=options)
    table.say(2, 2)
    table.land("2:left:5")
    table.say(1)
    assert points(table, 1) == 18


@pytest.mark.article("death", "defence.nanobot-repair-systems")
@pytest.mark.parametrize(("face", "left"), [(8, 11), (9, 10)])
def test_nanobots_heal_on_coming_into_a_corner(face: int, left: int) -> None:
    table = driving(armed(1, "L20", points=10, defence="nanobot-repair-systems"))
    table.say(3, 4)
    table.land("3:left:2")
    assert (table.open, table.fields) == (("test", 1, "heal"), {"succeeds_to": 8})
    table.say(face)
    assert points(table, 1) == left


@pytest.mark.article("death", "defence.nanobot-repair-systems")
def test_nanobots_do_nothing_on_a_straight_inside_a_corner_at_the_maximum_or_in_a_spin_at_0() -> None:
    table = driving(armed(1, "L0", points=10, defence="nanobot-repair-systems"))
    table.say(2, 2)
    table.land("2:left:5")
    assert "heal" not in table.kinds()
    assert table.ask == "attack"
    full = driving(armed(1, "L20", defence="nanobot-repair-systems"))
    full.say(3, 4)
    full.land("3:left:2")
    assert full.ask == "attack"
    spun = driving(armed(1, "L18", gear=2, points=2, defence="nanobot-repair-systems"))
    spun.say(2, 2)
    spun.land("2:left:14")
    spun.land("3:left:1")  # by the clutch, with its last points
    assert (spun.car(1).status, spun.ask) == ("spun", "attack")
    inside = driving(armed(1, "3:left:1", points=10, gear=1, defence="nanobot-repair-systems"))
    inside.say(1, 1)
    inside.land("3:left:2")
    assert inside.ask == "attack"


@pytest.mark.article("death", "defence.nanobot-repair-systems", "clutch.drop")
def test_nanobots_mend_no_car_that_dropping_its_clutch_has_destroyed() -> None:
    car = armed(1, "L18", gear=2, points=2, defence="nanobot-repair-systems")
    table = driving(car, armed(2, "R0"), options={"out_at_zero": True})
    table.say(2, 2)
    table.land("2:left:14")
    table.say(table.option(space="3:left:1").answer)
    assert (table.car(1).status, table.open) == ("out", ("attack", 2, ""))


@pytest.mark.article("death", "defence.nanobot-repair-systems", "spin.zero")
def test_the_nanobots_say_what_they_have_mended_and_mend_a_car_that_drives_at_0() -> None:
    for face, gain in ((8, {"points": 1}), (9, {})):
        table = driving(armed(1, "L20", points=0, defence="nanobot-repair-systems"))
        table.say(3, 4)
        table.land("3:left:2")
        table.say(face)
        ruling = table.ruling("heal")
        assert (ruling.wear, ruling.facts, points(table, 1)) == (gain, {"face": face, "to": 8}, len(gain))
    spun = driving(armed(1, "L20", points=5, defence="nanobot-repair-systems"))
    spun.say(3, 4)
    spun.land("3:left:2")
    spun.talk.override({"car": 1, "status": "spun"})
    assert spun.open == ("test", 1, "heal")


@pytest.mark.article("death", "basic.collision", "defence.armour")
@pytest.mark.parametrize(
    ("defence", "mover", "place", "everywhere", "lost", "told"),
    [
        ("heavy-armour", 1, "L6", True, 0, {"armour": 2}),  # ran into the car ahead
        ("mine-sweepers", 1, "L6", True, 0, {"armour": 1}),
        ("heavy-armour-rear", 1, "L6", True, 1, None),
        ("heavy-armour-rear", 2, "L6", True, 0, {"armour": 2}),  # was run into from behind
        ("heavy-armour-front", 2, "L6", True, 1, None),
        ("heavy-armour", 2, "M5", True, 1, None),  # beside each other nothing holds
        ("heavy-armour", 1, "M5", True, 1, None),
        ("heavy-armour", 1, "L6", False, 1, None),
        ("heavy-armour-rear", 2, "L6", False, 1, None),
    ],
)
def test_armour_holds_a_collision_where_it_faces_the_other_car(
    defence: str, mover: int, place: str, everywhere: bool, lost: int, told: dict[str, int] | None
) -> None:
    own, other = ({"defence": defence}, {}) if mover == 1 else ({}, {"defence": defence})
    table = ending(own, armed(2, place, **other), options={"armour_everywhere": everywhere})
    table.tested("collision", {mover: 1})
    assert points(table, mover) == 18 - lost
    if told is not None:
        facts = table.ruling("collision", mover).facts
        assert (facts["face"], facts["armour"], facts["other"]) == (1, told["armour"], 3 - mover)


@pytest.mark.article("death", "basic.collision")
def test_a_collision_that_costs_nothing_is_told() -> None:
    table = ending({}, armed(2, "M5"))
    table.tested("collision", {2: 5, 1: 20})
    assert table.ruling("collision", 2).facts == {"face": 5, "to": 4, "other": 1}
    assert table.ruling("collision", 1).facts == {"face": 20, "to": 4, "other": 2}


@pytest.mark.article("death", "defence.nanobot-repair-systems", "weapon.remote-mines")
def test_a_car_that_a_corner_has_destroyed_is_not_mended() -> None:
    mines = [{"car": 2, "card": "remote-mines", "at": "3:left:1", "rolled": True}]
    car = armed(1, "L20", points=0, gear=2, defence="nanobot-repair-systems")
    table = driving(car, armed(2, "R0"), mines=mines)
    table.say(2, 3)
    table.say(next(option.answer for option in table.options if option.facts.get("tests") == ["3:left:1"]))
    assert table.open == ("test", 1, "heal")  # it comes into the corner before it is on its first space
    table.say(9)
    assert table.open == ("test", 1, "mine")
    table.say(14)
    assert (table.car(1).status, table.open) == ("out", ("attack", 2, ""))


def nanobots(place: str, left: int, gear: int, face: int, track: str = TOW, **setup: Any) -> Table:
    """Car 1 with nanobots before its landing."""
    own = ("status", "stop", "box", "round_set", "utility")
    more = {key: setup.pop(key) for key in own if key in setup}
    others = setup.pop("others", [armed(2, "0:left:1", lap=2)])
    car = armed(1, place, points=left, gear=gear, defence="nanobot-repair-systems", built={"points": 18}, **more)
    table = driving(car, *others, track=track, **setup)
    table.say(gear, face)
    return table


@pytest.mark.article("death", "defence.nanobot-repair-systems", "wreckage.roll", "spin.zero")
@pytest.mark.parametrize(
    ("left", "faces", "then"),
    [
        (1, [8, 1], ("racing", 1)),  # mended to 2 as it came into the corner, and then struck
        (1, [9, 1], ("spun", 0)),
        (18, [1], ("racing", 17)),  # nothing to mend as it came there
    ],
)
def test_nanobots_mend_as_a_corner_is_entered_before_what_lies_further_on(
    left: int, faces: list[int], then: tuple[str, int]
) -> None:
    table = nanobots("2:left:14", left, 2, 3, dangers=["3:left:2"])
    table.say(next(option.answer for option in table.options if option.facts.get("tests") == ["3:left:2"]), *faces)
    assert (table.car(1).status, points(table, 1)) == then
    assert table.ask == "attack"  # and the corner mends once


@pytest.mark.article("death", "defence.nanobot-repair-systems", "wreckage.roll")
def test_nanobots_mend_in_each_corner_before_what_lies_in_it() -> None:
    table = nanobots("0:left:3", 5, 4, 12, track=TWIN, dangers=["1:left:2", "2:left:2"])
    both = ["1:left:2", "2:left:2"]
    table.say(next(option.answer for option in table.options if option.facts.get("tests") == both))
    asked = []
    while table.ask == "test":
        asked.append(table.open)
        table.say(20)
    assert [one[2] for one in asked if one] == ["heal", "wreckage", "heal", "wreckage"]


@pytest.mark.article("death", "defence.nanobot-repair-systems", "pit.refill")
@pytest.mark.parametrize(("face", "end", "what"), [(12, "1:left:1", "heal"), (11, "0:right:5", "")])
def test_nanobots_mend_in_a_corner_that_is_entered_out_of_the_pits(face: int, end: str, what: str) -> None:
    out = {"status": "box", "stop": "long", "box": 10, "others": [armed(2, "5:left:1")]}
    table = nanobots("box:10", 14, 4, face, track="monaco", **out)
    table.land(end)
    assert table.open is not None
    assert table.open[2] == what


@pytest.mark.article("death", "defence.nanobot-repair-systems")
def test_nanobots_mend_in_a_corner_that_is_a_single_space_away() -> None:
    table = nanobots("2:left:14", 5, 1, 1)
    table.land("3:left:1")
    assert table.open == ("test", 1, "heal")


@pytest.mark.article("death", "defence.nanobot-repair-systems")
@pytest.mark.parametrize(("end", "healed"), [("4:left:1", 0), ("5:left:1", 0), ("7:left:1", 1), ("9:left:1", 2)])
def test_nanobots_mend_where_the_referee_sends_a_car_on_not_where_he_sends_it_back(end: str, healed: int) -> None:
    table = nanobots("6:left:3", 5, 2, 3, track="monaco", others=[armed(2, "15:left:1")])
    table.talk.answer({"space": end, "brakes": 0, "soft": 0}, forced=True)
    rolled = 0
    while table.open == ("test", 1, "heal"):
        table.say(20)
        rolled += 1
    assert rolled == healed


@pytest.mark.article("death", "defence.nanobot-repair-systems", "utility.pneumatic-ramp", "spin.zero")
def test_nanobots_mend_before_a_car_comes_down_on_another_in_the_corner() -> None:
    table = driving(
        armed(1, "L20", points=2, gear=2, defence="nanobot-repair-systems", utility="pneumatic-ramp"),
        armed(2, "3:left:1"),
    )
    table.say(2, True, 2)
    table.say(table.option(space="3:left:1", brakes=0).answer)
    assert table.open == ("test", 1, "heal")
    table.say(8, 20)
    table.say(table.options[0].answer)
    assert (points(table, 1), table.kinds().count("heal"), "spin" in table.kinds(1)) == (1, 1, False)


@pytest.mark.article("death", "defence.nanobot-repair-systems", "utility.oil-spray", "weapon.slip-mines")
@pytest.mark.parametrize("change", [{"status": "out"}, {"at": "2:left:3"}])
def test_a_car_that_the_referee_takes_away_as_it_comes_into_a_corner_meets_nothing_there(
    change: dict[str, Any],
) -> None:
    """A mine lies on its way, or a car with oil stands before a space of it."""
    mines = [{"car": 2, "card": "slip-mines", "at": "3:middle:1"}]
    oily = [armed(2, "3:middle:2", utility="oil-spray")]
    for table in (nanobots("2:middle:12", 9, 2, 4, mines=mines), nanobots("2:middle:12", 9, 2, 4, others=oily)):
        lying = len(table.race.mines)
        way = (option.answer for option in table.options if option.facts.get("tests") == ["3:middle:1"])
        table.say(next(answer for answer in way if answer["space"] != "3:middle:1"))
        assert table.open == ("test", 1, "heal")
        table.talk.override({"car": 1, **change})
        if table.open == ("test", 1, "heal"):
            table.say(20)
        assert (len(table.race.mines), "use" in [table.ask, *table.kinds()]) == (lying, False)
        assert table.car(1).at == change.get("at", "2:middle:12")


PAST_BEND = with_pits(TOW, '[["2:right:10", 1]]', '[[10, "4:right:5"], [12, "4:right:7"]]')
INTO_BEND = with_pits(TOW, '[["0:right:6", 1]]', '[[10, "3:right:2"], [12, "3:right:3"]]')
"""Boards whose pits lie elsewhere than along the line: past a corner, and past another into it."""


@pytest.mark.article("death", "defence.nanobot-repair-systems", "pit.refill", "basic.overshoot")
@pytest.mark.parametrize(
    ("place", "gear", "face", "track", "end", "times", "more"),
    [
        ("2:right:9", 3, 5, PAST_BEND, "pit:4", 0, {"box": 1, "round_set": True}),
        ("box:1", 4, 11, PAST_BEND, "4:right:8", 0, {"status": "box", "stop": "long", "box": 1}),
        ("box:1", 3, 8, INTO_BEND, "3:right:2", 1, {"status": "box", "stop": "long", "box": 1}),
        ("0:left:7", 2, 3, PAST_BEND, "1:left:1", 1, {}),
        ("2:left:13", 5, 11, RUN_IN, "0:left:1", 1, {}),  # out of the last corner and over the line
    ],
)
def test_nanobots_mend_in_the_corners_that_lie_on_the_way_alone(
    place: str, gear: int, face: int, track: str, end: str, times: int, more: dict[str, Any]
) -> None:
    table = nanobots(place, 10, gear, face, track=track, others=[armed(2, "1:right:2")], **more)
    table.land(end)
    asked = []
    while table.open is not None and table.open[:2] == ("test", 1):
        asked.append(table.open[2])
        table.say(20)
    assert asked.count("heal") == times
