"""What the referee's word changes while a question is open: one that no longer applies falls away."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.rules.competition.boards import at
from tests.rules.death.arenas import armed, attacking, driving
from tests.table import Table

LOST = {"car": 1, "status": "out"}


def healing(**more: Any) -> Table:
    """Car 1 comes into a corner with nanobots."""
    table = driving(armed(1, "L20", **{"points": 10, "defence": "nanobot-repair-systems", **more}), armed(2, "R0"))
    table.say(3, 4)
    table.land("3:left:2")
    return table


def spraying() -> Table:
    """Car 2 may spray its oil under car 1."""
    table = driving(armed(1, "L0", gear=3), armed(2, "L6", utility="oil-spray"), armed(3, "R20"))
    table.say(3, 5)
    over = (o.answer for o in table.options if o.facts.get("tests") == ["2:left:5"] and o.facts["moved"] == 5)
    table.say(next(answer for answer in over if answer["space"] != "2:left:5"))
    return table


def clinging() -> Table:
    """Car 2 may follow car 1 with its mag plates."""
    table = driving(armed(1, "L0", gear=2), armed(2, "M-1", utility="mag-plates"), armed(3, "R20"))
    table.say(2, 3)
    table.land("2:left:6")
    return table


def crashing() -> Table:
    """Car 2 rolls for the collision with car 1, then car 1."""
    table = driving(armed(1, "L0"), armed(2, "M5"), armed(3, "R20"))
    table.say(2, 2)
    table.land("2:left:5")
    return table


def shooting(weapon: str, place: str, **target: Any) -> Callable[[], Table]:
    """Car 1 fires at car 2; car 3 acts next."""

    def begin() -> Table:
        table = attacking(armed(1, "L6", weapon), armed(2, place, **target), armed(3, "R20"), order=[1, 3])
        table.say({"fire": weapon, "at": 2})
        return table

    return begin


def struck() -> Table:
    """Car 2 may lose a card."""
    table = shooting("chain-blades", "L4", defence="bravado", utility="turbo")()
    table.say(15, 8)
    return table


def stripping() -> Table:
    """Car 2 loses a card of its choice."""
    table = struck()
    table.say(4)
    return table


def restarting() -> Table:
    """Car 1 has spun and has a turn table."""
    return driving(armed(1, "L0", status="spun", points=0, utility="turn-table"), armed(2, "R0"))


def dropping() -> Table:
    """Car 1 stands before a corner."""
    table = driving(armed(1, "L18"), armed(2, "R0"))
    table.say(2, 2)
    table.land("2:left:14")
    return table


def ramming() -> Table:
    """Car 1 may strike car 2 ahead of it."""
    table = driving(armed(1, "L0", utility="ram-spike"), armed(2, "L6"), armed(3, "R20"))
    table.say(2, 2)
    table.land("2:left:5")
    return table


def coming(*mines: str, **more: Any) -> Callable[[], Table]:
    """Car 1 comes over a marker and these mines, that may take its last points."""

    def begin() -> Table:
        table = driving(
            armed(1, "L0", points=3), armed(3, "R20"), dangers=[at("L2")],
            mines=[{"car": 3, "card": card, "at": at("L2")} for card in mines], **more,
        )  # fmt: skip
        table.say(2, 3)
        table.say(next(option.answer for option in table.options if option.facts.get("tests") == [at("L2")]))
        return table

    return begin


def exploding() -> Table:
    """Car 1 comes over a mine that may take its last points."""
    table = coming("remote-mines")()
    table.say(20)
    return table


def pulling() -> Table:
    """Car 1 draws car 2 back over a marker and a space beyond it."""
    cars = armed(1, "L0", "mag-gun"), armed(2, "L12"), armed(3, "R20")
    table = attacking(*cars, order=[1, 3], dangers=[at("L10")])
    table.say({"fire": "mag-gun", "at": 2}, True, 1)
    return table


def laying() -> Table:
    """Car 1 lays a remote mine under car 2."""
    table = attacking(armed(1, "L6", "remote-mines"), armed(2, "L8", points=3), armed(3, "R20"), order=[1, 3])
    table.say({"fire": "remote-mines"})
    return table


TAKEN = {"car": 2, "status": "out"}
AGAIN, NEXT = ("attack", 1, ""), ("attack", 3, "")


@pytest.mark.article("competition", "0-0-5")
@pytest.mark.article(
    "death", "defence.nanobot-repair-systems", "utility.oil-spray", "utility.mag-plates", "basic.collision",
    "attack.sight", "attack.hit", "defence.bravado", "utility.jammer", "weapon.chain-blades", "utility.turn-table",
    "clutch.drop", "utility.ram-spike",
)  # fmt: skip
@pytest.mark.parametrize(
    ("begin", "asked", "change", "then"),
    [
        (healing, ("test", 1, "heal"), LOST, ("attack", 2, "")),
        (spraying, ("use", 2, "oil-spray"), {"car": 2, "status": "out"}, ("attack", 1, "")),
        (spraying, ("use", 2, "oil-spray"), {"car": 2, "used": True}, ("attack", 2, "")),
        (clinging, ("use", 2, "mag-plates"), {"car": 2, "status": "out"}, ("attack", 1, "")),
        (clinging, ("use", 2, "mag-plates"), {"car": 2, "stock": {"mag-plates": 0}}, ("attack", 2, "")),
        (clinging, ("use", 2, "mag-plates"), {"car": 3, "at": at("L0")}, ("attack", 2, "")),
        (crashing, ("test", 2, "collision"), {"car": 2, "status": "out"}, ("test", 1, "collision")),
        (crashing, ("test", 2, "collision"), {"car": 2, "at": at("L0")}, ("attack", 2, "")),
        (shooting("forward-laser", "L16"), ("sight", 1, "forward-laser"), TAKEN, AGAIN),
        (shooting("forward-laser", "L16"), ("sight", 1, "forward-laser"), LOST, NEXT),
        (shooting("forward-laser", "L8"), ("test", 1, "attack"), TAKEN, AGAIN),
        (shooting("forward-laser", "L8"), ("test", 1, "attack"), LOST, NEXT),
        (shooting("flamer", "L8", defence="bravado"), ("test", 1, "bravado"), TAKEN, NEXT),
        (shooting("flamer", "L8", defence="bravado"), ("test", 1, "bravado"), LOST, NEXT),
        (struck, ("test", 2, "strip"), TAKEN, NEXT),
        (stripping, ("strip", 2, ""), TAKEN, NEXT),
        (stripping, ("strip", 2, ""), {"car": 2, "defence": "", "utility": ""}, NEXT),
        (restarting, ("gear", 1, "restart"), LOST, ("attack", 2, "")),
        (dropping, ("clutch", 1, ""), LOST, ("attack", 2, "")),
        (ramming, ("use", 1, "ram-spike"), TAKEN, ("attack", 1, "")),
    ],
)
def test_a_question_that_no_longer_applies_falls_away(
    begin: Callable[[], Table], asked: tuple[str, int, str], change: dict[str, Any], then: tuple[str, int, str]
) -> None:
    table = begin()
    assert table.open == asked
    table.talk.override(change)
    assert table.open == then
    assert [car.status for car in table.race.cars if change == {"car": car.number, "status": "out"}] in ([], ["out"])


BEHIND = {"car": 2, "at": at("R0")}


@pytest.mark.article("death", "phase.one-action", "attack.hit", "attack.sight", "defence.bravado", "utility.jammer")
@pytest.mark.parametrize("change", [TAKEN, BEHIND])
@pytest.mark.parametrize(
    ("weapon", "place", "target", "what"),
    [
        ("forward-laser", "L16", {}, "forward-laser"),
        ("forward-laser", "L8", {}, "attack"),
        ("flamer", "L8", {"defence": "bravado"}, "bravado"),
        ("haywire-missiles", "L8", {"utility": "jammer"}, "jammer"),
    ],
)
def test_a_shot_whose_target_the_referee_takes_away_was_not_fired_and_the_action_is_still_there(
    weapon: str, place: str, target: dict[str, Any], what: str, change: dict[str, Any]
) -> None:
    gun = armed(1, "L6", weapons={weapon: 0, "blobber": 1})
    table = attacking(gun, armed(2, place, **target), armed(3, "R20"), order=[1, 3])
    table.say({"fire": weapon, "at": 2})
    assert table.open[2] == what
    table.rulings += table.talk.override(change)
    assert table.told("refused", "en").endswith(" of 1 is not fired: 2 is no longer a target.")
    assert table.told("refused", "fr").endswith("2 n’est plus une cible.")
    assert (table.open, table.car(1).weapons) == (AGAIN, {weapon: 0, "blobber": 1})
    table.say({"reload": "blobber"})
    assert table.open == NEXT


@pytest.mark.article("death", "phase.one-action", "attack.hit")
def test_with_nothing_else_to_do_the_car_passes_and_that_is_told() -> None:
    table = attacking(armed(1, "L6", "flamer"), armed(2, "L8"), armed(3, "R20"), order=[1, 3])
    table.say({"fire": "flamer", "at": 2})
    table.rulings += table.talk.override(TAKEN)
    assert [one.kind for one in table.rulings[-2:]] == ["refused", "passes"]
    assert table.told("passes", "en") == "1 does nothing: nobody is left to fire at."
    assert (table.open, table.car(1).weapons) == (NEXT, {"flamer": 0})


@pytest.mark.article("death", "phase.one-action", "weapon.haywire-charge", "weapon.forward-turbolaser")
def test_a_weapon_that_hits_several_was_not_fired_if_the_referee_takes_all_of_them_away() -> None:
    for weapon in ("haywire-charge", "forward-turbolaser"):
        table = attacking(armed(1, "L6", weapon), armed(2, "L8"), armed(3, "R20"), order=[1, 3])
        table.say({"fire": weapon})
        table.rulings += table.talk.override({"car": 2, "at": at("R12")})
        assert table.told("refused", "en").endswith("2 is no longer a target.")
        assert (table.open, table.car(1).weapons) == (NEXT, {weapon: 0})


@pytest.mark.article("death", "phase.one-action", "weapon.frag-missiles")
def test_neither_was_a_missile_at_a_space_on_which_the_referee_has_put_a_car() -> None:
    table = attacking(armed(1, "L0", "frag-missiles"), armed(2, "M3"), armed(3, "R20"), order=[1, 3])
    table.say({"fire": "frag-missiles", "space": at("L4")}, True)
    assert table.open == ("test", 1, "attack")
    table.rulings += table.talk.override({"car": 3, "at": at("L4")})
    assert table.told("refused", "en").endswith(f"{at('L4')} is no longer a target.")
    assert (table.open, table.car(1).weapons) == (AGAIN, {"frag-missiles": 0})


@pytest.mark.article("death", "phase.one-action", "utility.targeting-computer")
def test_a_miss_stays_one_though_the_target_goes_before_it_is_rolled_again() -> None:
    gun = armed(1, "L6", "forward-laser", utility="targeting-computer")
    table = attacking(gun, armed(2, "L8"), armed(3, "R20"), order=[1, 3])
    table.say({"fire": "forward-laser", "at": 2}, 20, True)
    assert table.open == ("test", 1, "attack")
    table.talk.override(TAKEN)
    assert (table.open, table.car(1).weapons) == (NEXT, {"forward-laser": 1})


@pytest.mark.article("death", "slipstream.any-gear", "clutch.drop")
def test_a_car_that_the_referee_spins_before_the_slipstream_takes_neither_it_nor_the_clutch() -> None:
    table = driving(armed(1, "L18"), armed(2, "3:left:1"), armed(3, "R0"))
    table.say(2, 2)
    table.land("2:left:14")
    assert table.open == ("slipstream", 1, "tow_1")
    table.talk.override({"car": 1, "status": "spun"})
    assert table.ask not in ("slipstream", "clutch")


@pytest.mark.article("death", "phase.attack", "basic.engine")
@pytest.mark.article("competition", "16-0-1")
def test_engines_are_tested_before_the_attacks_though_the_last_car_to_move_is_taken_out() -> None:
    table = driving(armed(1, "L0", gear=4), armed(2, "R20", gear=5))
    table.say(5, 20)
    table.talk.override(LOST)
    assert table.open == ("test", 2, "engine")
    table.say(4)
    assert table.open == ("attack", 2, "")
    assert (table.car(2).wear, table.race.move) == ({"points": 17}, None)


@pytest.mark.article(
    "death", "wreckage.roll", "weapon.remote-mines", "weapon.slip-mines", "weapon.mag-gun", "utility.oil-spray",
)  # fmt: skip
@pytest.mark.parametrize(
    ("begin", "asked", "car", "lying"),
    [
        (coming(), ("test", 1, "wreckage"), 1, ["2:left:4"]),
        (coming("slip-mines"), ("test", 1, "wreckage"), 1, ["2:left:4", "2:left:4"]),
        (exploding, ("test", 1, "mine"), 1, ["2:left:4", "2:left:4"]),
        (spraying, ("use", 2, "oil-spray"), 1, []),
        (spraying, ("use", 2, "oil-spray"), 2, []),
        (pulling, ("test", 2, "wreckage"), 2, ["2:left:8"]),
        (laying, ("test", 2, "mine"), 2, ["2:left:7"]),
    ],
)
def test_a_car_that_the_referee_puts_elsewhere_on_its_way_stays_there_and_meets_nothing(
    begin: Callable[[], Table], asked: tuple[str, int, str], car: int, lying: list[str]
) -> None:
    table = begin()
    assert table.open == asked
    left, gear = dict(table.car(car).wear), table.car(car).gear
    table.talk.override({"car": car, "at": at("R12")})
    assert table.ask == "attack"
    assert (table.car(car).at, table.car(car).wear, table.car(car).gear) == (at("R12"), left, gear)
    assert [*table.race.dangers, *(mine.at for mine in table.race.mines)] == lying


@pytest.mark.article("death", "utility.ram-spike")
def test_a_ram_strikes_nobody_who_has_come_ahead_meanwhile_by_the_referees_word() -> None:
    table = ramming()
    assert table.open == ("use", 1, "ram-spike")
    table.talk.override({"cars": [{"car": 2, "at": at("R12")}, {"car": 3, "at": at("L6")}]})
    assert table.open == ("slipstream", 1, "tow_1")
    assert "hit" not in table.kinds()


@pytest.mark.article("death", "weapon.mag-gun", "utility.pneumatic-ramp", "basic.collision")
def test_a_car_that_the_referee_takes_from_beside_one_rolls_for_no_collision_with_it() -> None:
    cars = armed(1, "L0", "mag-gun"), armed(2, "L12"), armed(3, "M7"), armed(4, "R20")
    pulled = attacking(*cars, order=[1, 4])
    pulled.say({"fire": "mag-gun", "at": 2}, True, 1)
    ramp = driving(armed(1, "L-2", gear=2, utility="pneumatic-ramp"), armed(2, "L4"), armed(3, "R20"))
    ramp.say(2, True, 3)
    ramp.say(ramp.option(space="2:left:5").answer)
    for table, away, then in ((pulled, 3, ("attack", 4, "")), (ramp, 2, ("test", 1, "wreckage"))):
        assert table.open == ("test", 2, "collision")
        table.talk.override({"car": away, "at": at("R12")})
        assert table.open == then
    assert ramp.car(1).at == "2:left:5"  # where its own damage has left a marker
