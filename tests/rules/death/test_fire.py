"""A shot to the letter: what is asked, what is told, what is laid, and what a hit does besides its points."""

from __future__ import annotations

from typing import Any

import pytest

from tests.rules.competition.boards import BARRED, TOW, at, in_a_row
from tests.rules.death.arenas import armed, attacking, driving, points
from tests.table import Table

# -- what is told


@pytest.mark.article("death", "attack.hit", "attack.range", "attack.front", "attack.rear")
@pytest.mark.parametrize(
    ("weapon", "place", "face", "to", "hits", "side"),
    [
        ("forward-laser", "L8", 10, 10, True, "front"),
        ("forward-laser", "L8", 11, 10, False, "front"),
        ("rear-mg", "L4", 8, 8, True, "rear"),
    ],
)
def test_a_shot_at_a_car_is_asked_and_told(weapon: str, place: str, face: int, to: int, hits: bool, side: str) -> None:
    table = attacking(armed(1, "L6", weapon), armed(2, place), order=[1, 2])
    table.say({"fire": weapon, "at": 2})
    assert table.fields == {"hits_to": to, "card": weapon, "target": 2}
    table.say(face)
    assert table.ruling("shot").facts == {
        "card": weapon, "face": face, "to": to, "hits": hits, "other": 2, "range": 1, "side": side,
    }  # fmt: skip


@pytest.mark.article("death", "weapon.frag-missiles", "attack.hit", "attack.sight", "phase.one-action")
def test_a_shot_at_a_bare_space_is_asked_and_told_and_is_the_only_one() -> None:
    cars = armed(1, "L0", "frag-missiles"), armed(2, "L8"), armed(3, "R8")
    table = attacking(*cars, order=[1, 2], options={"cars_block_fire": True})
    table.say({"fire": "frag-missiles", "space": "2:middle:7"})
    assert table.fields["between"] == []
    table.say(True)
    assert "refused" not in table.kinds()
    assert table.fields == {"hits_to": 6, "card": "frag-missiles", "space": "2:middle:7"}
    table.say(7)
    assert table.ruling("shot").facts == {
        "card": "frag-missiles", "face": 7, "to": 6, "hits": False, "at": "2:middle:7",
    }  # fmt: skip
    assert table.open == ("attack", 2, "")


@pytest.mark.article("death", "attack.sight")
def test_a_shot_that_is_not_in_sight_is_told() -> None:
    table = attacking(armed(1, "L0", "forward-laser"), armed(2, "L8"))
    table.say({"fire": "forward-laser", "at": 2}, False)
    assert table.ruling("refused").facts == {"card": "forward-laser", "by": "sight", "other": 2}
    seen = attacking(armed(1, "L0", "forward-laser"), armed(2, "L8"))
    seen.say({"fire": "forward-laser", "at": 2}, True)
    assert "refused" not in seen.kinds()


@pytest.mark.article("death", "weapon.frag-missiles")
def test_at_a_bare_space_no_face_hits_below_one() -> None:
    table = attacking(armed(1, "L0", "frag-missiles"), armed(2, "M3"), options={"bare_space": 20})
    assert table.option({"fire": "frag-missiles", "space": at("M1")}).facts == {"hits_to": 0}


@pytest.mark.article("death", "weapon.frag-missiles", "weapon.flamer")
def test_nothing_but_frag_missiles_hits_those_around_a_target() -> None:
    table = attacking(armed(1, "L6", "flamer"), armed(2, "L8"), armed(3, "M9"), order=[1, 2])
    table.say({"fire": "flamer", "at": 2}, 16)
    assert points(table, 2) < 18
    assert (points(table, 1), points(table, 3)) == (18, 18)


# -- what is laid


@pytest.mark.article("death", "attack.hit", "defence.bravado")
def test_by_the_switch_a_hit_lays_tokens_and_a_shot_that_bravado_spends_lays_none() -> None:
    options = {"tokens_on_hits_only": True, "bravado_spends_shot": True}
    hit = attacking(armed(1, "L6", "forward-laser"), armed(2, "L8"), options=options)
    hit.say({"fire": "forward-laser", "at": 2}, 10)
    assert hit.car(1).weapons == {"forward-laser": 1}
    assert hit.ruling("lays").facts == {"card": "forward-laser", "tokens": 1}
    assert (hit.ruling("lays").counts, hit.ruling("lays").left) == ({"tokens:forward-laser": 1},) * 2
    cars = armed(1, "L6", "forward-laser"), armed(2, "L8", defence="bravado")
    spent = attacking(*cars, order=[1, 2], options=options)
    spent.say({"fire": "forward-laser", "at": 2}, 16)
    assert (spent.open, spent.car(1).weapons) == (("attack", 2, ""), {"forward-laser": 0})
    assert "lays" not in spent.kinds()


@pytest.mark.article("death", "utility.jammer", "defence.bravado")
def test_the_switch_of_bravado_is_none_of_the_jammer_which_a_roll_that_passes_leaves_fresh() -> None:
    cars = armed(1, "L6", "missile-turret"), armed(2, "L8", utility="jammer"), armed(3, "L4")
    table = attacking(*cars, options={"bravado_spends_shot": True})
    table.say({"fire": "missile-turret", "at": 2}, 11)
    assert (table.open, table.fields["only"]) == (("attack", 1, ""), "missile-turret")
    assert table.car(1).weapons == {"missile-turret": 0}
    passed = attacking(*cars)
    passed.say({"fire": "missile-turret", "at": 2}, 10)
    assert (passed.open, passed.car(2).busy) == (("test", 1, "attack"), False)
    over = passed.ruling("overcome")
    assert (over.article, over.car) == ("utility.jammer", 1)
    assert over.facts == {"other": 2, "card": "missile-turret", "by": "jammer", "face": 10, "to": 10}


@pytest.mark.article("death", "weapon.slip-mines", "weapon.remote-mines")
def test_the_last_slip_mine_is_laid_and_no_remote_mine_where_there_is_no_space_ahead() -> None:
    last = attacking(armed(1, "L6", "slip-mines", stock={"slip-mines": 1}), armed(2, "L0"))
    last.say({"fire": "slip-mines"})
    assert last.car(1).stock == {"slip-mines": 0}
    assert (last.ruling("mine").counts, last.ruling("mine").left) == (
        {"stock:slip-mines": -1}, {"stock:slip-mines": 0}
    )  # fmt: skip
    mines = {"remote-mines": 0, "flamer": 1}
    wall = attacking(armed(1, "2:left:5", weapons=mines), armed(2, "2:middle:1"), track=BARRED)
    assert [option.answer for option in wall.options] == [{"reload": "flamer"}, None]
    wall.refuses({"fire": "remote-mines"}, "cannot be laid")


# -- several targets


@pytest.mark.article("death", "weapon.haywire-charge", "weapon.forward-turbolaser", "phase.one-action")
def test_a_target_that_the_referee_takes_off_meanwhile_is_passed_over() -> None:
    cars = armed(1, "L6", "haywire-charge"), armed(2, "L8"), armed(3, "M5"), armed(4, "M7")
    table = attacking(*cars, order=[1, 2])
    table.say({"fire": "haywire-charge"})
    assert table.fields["target"] == 2
    table.talk.override({"car": 3, "status": "out"})
    table.say(20)
    assert table.fields["target"] == 4
    struck = attacking(*cars, order=[1, 2])
    struck.say({"fire": "haywire-charge"}, 6)
    struck.talk.override({"car": 2, "status": "out"})
    struck.say(20, 6)
    assert [ruling.car for ruling in struck.rulings if ruling.kind == "gears_lost"] == [4]
    laser = attacking(armed(1, "L6", "forward-turbolaser"), armed(2, "L8"), armed(3, "L10"), order=[1, 3])
    laser.say({"fire": "forward-turbolaser"}, 8)
    laser.talk.override({"car": 2, "status": "out"})
    laser.say(8)
    assert [(ruling.car, ruling.kind) for ruling in laser.rulings if ruling.kind in ("hit", "danger", "out")] == [
        (3, "hit"), (3, "danger"),
    ]  # fmt: skip


@pytest.mark.article("death", "weapon.haywire-charge", "defence.bravado", "attack.hit")
@pytest.mark.parametrize(("defence", "what"), [("", "attack"), ("bravado", "bravado")])
def test_a_target_taken_off_while_its_die_is_open_leaves_the_shots_at_the_others(defence: str, what: str) -> None:
    """The hit on car 2 stands, car 4 is rolled for, and the tokens follow."""
    cars = armed(1, "L6", "haywire-charge"), armed(2, "L8"), armed(3, "M5", defence=defence), armed(4, "M7")
    table = attacking(*cars, order=[1, 2])
    table.say({"fire": "haywire-charge"}, 6)
    assert (table.open, table.fields["target"]) == (("test", 1, what), 3)
    table.talk.override({"car": 3, "status": "out"})
    assert (table.open, table.fields["target"]) == (("test", 1, "attack"), 4)
    table.say(20)
    assert [ruling.car for ruling in table.rulings if ruling.kind == "gears_lost"] == [2]
    assert (table.car(1).weapons, table.open) == ({"haywire-charge": 4}, ("attack", 2, ""))


@pytest.mark.article("death", "weapon.haywire-charge", "attack.hit")
def test_with_its_only_target_taken_off_a_weapon_that_hits_several_lays_no_token() -> None:
    table = attacking(armed(1, "L6", "haywire-charge"), armed(2, "L8"), armed(3, "R20"), order=[1, 3])
    table.say({"fire": "haywire-charge"})
    table.talk.override({"car": 2, "status": "out"})
    assert (table.car(1).weapons, table.open) == ({"haywire-charge": 0}, ("attack", 3, ""))


# -- what a hit does besides


@pytest.mark.article("death", "weapon.frag-missiles", "defence.armour")
def test_an_attackers_own_armour_holds_none_of_his_splash_and_a_car_that_is_off_takes_none() -> None:
    cars = armed(1, "L6", "frag-missiles", defence="heavy-armour"), armed(2, "L8"), armed(3, "M9", status="out")
    table = attacking(*cars)
    table.say({"fire": "frag-missiles", "at": 2}, 10)
    assert (points(table, 1), points(table, 2), table.kinds(3)) == (17, 17, [])


@pytest.mark.article("death", "defence.armour", "weapon.haywire-missiles", "weapon.wrecker-ball", "spin.zero")
def test_armour_is_told_where_it_holds_a_point_and_no_effect_on_a_car_that_is_destroyed() -> None:
    table = attacking(armed(1, "L6", "haywire-missiles"), armed(2, "L8", defence="heavy-armour"))
    table.say({"fire": "haywire-missiles", "at": 2}, 10)
    assert "shielded" not in table.kinds()
    gone = attacking(armed(1, "L6", "wrecker-ball"), armed(2, "L4", points=0), armed(3, "R20"))
    gone.say({"fire": "wrecker-ball", "at": 2}, 8)
    assert (gone.car(2).status, "maximum" in gone.kinds()) == ("out", False)


@pytest.mark.article("death", "weapon.blobber")
@pytest.mark.parametrize(
    ("weapons", "tokens", "asked", "then"),
    [
        (["flamer", "rear-mg"], 3, True, {"flamer": 2, "rear-mg": 1}),
        (["flamer", "rear-mg"], 4, False, {"flamer": 2, "rear-mg": 2}),
        (["flamer"], 3, False, {"flamer": 3}),
    ],
)
def test_the_tokens_of_a_blobber_are_told(weapons: list[str], tokens: int, asked: bool, then: dict[str, int]) -> None:
    cars = armed(1, "L6", "blobber"), armed(2, "L8", *weapons)
    table = attacking(*cars, order=[1, 2], options={"blob_tokens": tokens})
    table.say({"fire": "blobber", "at": 2}, 10)
    assert (table.ask == "extra") == asked
    if asked:
        table.say("flamer")
    assert (table.open, table.car(2).weapons) == (("attack", 2, ""), then)
    assert table.ruling("blobbed").facts == {"weapons": then, "other": 1}


@pytest.mark.article("death", "weapon.chain-blades")
@pytest.mark.parametrize(("face", "more"), [(4, {"card": "turbo"}), (5, {})])
def test_what_chain_blades_do_is_told(face: int, more: dict[str, str]) -> None:
    table = attacking(armed(1, "L6", "chain-blades"), armed(2, "L4", utility="turbo"), order=[1, 2])
    table.say({"fire": "chain-blades", "at": 2}, 8, face, *more.values())
    assert table.ruling("stripped").facts == {"face": face, "to": 4, **more}
    assert (table.open, table.car(2).stripped) == (("attack", 2, ""), list(more.values()))


@pytest.mark.article("death", "weapon.wrecker-ball")
@pytest.mark.parametrize(
    ("left", "built", "most", "lost"), [(18, 18, 17, 0), (10, 18, 17, 0), (7, 7, 6, 0), (4, 18, 17, 0)],
)  # fmt: skip
def test_a_maximum_falls_by_one_and_never_to_nothing(left: int, built: int, most: int, lost: int) -> None:
    target = armed(2, "L4", points=left, built={"points": built})
    table = attacking(armed(1, "L6", "wrecker-ball"), target)
    table.say({"fire": "wrecker-ball", "at": 2}, 8)
    ruling = table.ruling("maximum")
    assert (ruling.facts, ruling.wear) == ({"most": most}, {"points": -lost} if lost else {})
    assert (points(table, 2), table.car(2).built) == (left - 3 - lost, {"points": most})
    assert table.talk.question is not None  # and the race goes on


# -- the mag gun's way


@pytest.mark.article("death", "weapon.mag-gun")
@pytest.mark.parametrize(
    ("mine", "target", "end", "track"),
    [
        ("2:left:2", "2:middle:6", "2:middle:6", BARRED),  # a space on which nobody can stand lies beside it
        ("2:left:2", "2:left:7", "2:left:7", BARRED),  # and one behind it
        ("2:left:2", "2:left:8", "2:left:7", BARRED),
        ("4:left:20", "0:left:3", "0:left:1", TOW),
        ("1:right:3", "2:left:1", "1:right:5", TOW),  # level with it in the right lane is the corner's last space
        ("0:left:1", "0:right:5", "0:left:3", "monaco"),  # and here the next section's first one
        ("2:right:10", "2:left:18", "2:right:17", "monaco"),
        ("0:left:1", "1:middle:1", "0:left:6", TOW),  # half a space back where none is level, over the border too
    ],
)
def test_where_a_mag_gun_draws_a_car(mine: str, target: str, end: str, track: str) -> None:
    lap = 2 if target.startswith("0:") else 1
    table = attacking(armed(1, mine, "mag-gun"), armed(2, target, lap=lap), order=[1, 2], track=track)
    table.say({"fire": "mag-gun", "at": 2})
    if table.ask == "sight":
        table.say(True)
    table.say(12)
    assert table.car(2).at == end


@pytest.mark.article("death", "weapon.mag-gun", "wreckage.roll")
def test_what_lies_beside_the_target_in_the_attackers_lane_is_rolled_for() -> None:
    table = attacking(armed(1, "L6", "mag-gun"), armed(2, "R14"), dangers=[at("L14")])
    table.say({"fire": "mag-gun", "at": 2}, True, 12)
    assert table.tested("wreckage") == [(2, 4)]
    assert table.car(2).at == at("L10")


@pytest.mark.article("death", "weapon.mag-gun", "basic.collision", "spin.zero")
def test_whoever_is_destroyed_by_the_pull_or_after_it_is_told_and_rolled_against_no_more() -> None:
    way = attacking(
        armed(1, "L6", "mag-gun"), armed(2, "L16", points=0), armed(3, "L12"), order=[1, 3], dangers=[at("L14")]
    )
    way.say({"fire": "mag-gun", "at": 2}, True, 12, 4)
    assert (way.car(2).status, "pulled" in way.kinds(), way.open) == ("out", False, ("attack", 3, ""))
    after = attacking(armed(1, "L6", "mag-gun"), armed(2, "L16", points=0), armed(3, "L10"), order=[1, 3])
    after.say({"fire": "mag-gun", "at": 2}, True, 12)
    assert after.tested("collision", {2: 4}) == [(2, 4)]
    assert (after.car(2).status, after.open) == ("out", ("attack", 3, ""))


# -- mines


@pytest.mark.article("death", "weapon.slip-mines", "weapon.remote-mines")
@pytest.mark.parametrize(("card", "place"), [("slip-mines", "L6"), ("remote-mines", "L8")])
def test_a_mine_that_is_laid_is_told(card: str, place: str) -> None:
    table = attacking(armed(1, "L6", card), armed(2, "R0"))
    table.say({"fire": card})
    assert table.ruling("mine").facts == {"action": "dropped", "at": at(place), "owner": 1, "card": card}


@pytest.mark.article("death", "weapon.remote-mines", "phase.attack")
@pytest.mark.parametrize(
    ("others", "end", "meets"),
    [
        ([armed(2, "L10")], "L10", 2),  # the very next space
        ([armed(2, "L8")], "L14", None),  # it does not enter the space that it leaves
        ([armed(2, "L10", status="out"), armed(3, "L12")], "L12", 3),
        ([armed(2, "L16")], "L14", None),
    ],
)
def test_a_remote_mine_rolls_to_the_first_car_in_its_way(
    others: list[dict[str, Any]], end: str, meets: int | None
) -> None:
    mines = [{"car": 1, "card": "remote-mines", "at": at("L8")}]
    table = attacking(armed(1, "L0"), *others, mines=mines, options={"remote_gear": 2})
    table.say(3 if end == "L14" else 2)
    ruling = next(one for one in table.rulings if one.kind == "mine")
    assert (ruling.car, ruling.facts) == (
        1, {"action": "rolls", "begin": at("L8"), "at": at(end), "owner": 1, "card": "remote-mines"},
    )  # fmt: skip
    assert table.open == (("test", meets, "mine") if meets else ("attack", 1, ""))


# -- what the basic game pays for


def turn(car: dict[str, Any], gear: int, face: int, end: str, brakes: int = 0, **setup: Any) -> Table:
    """Car 1 has landed."""
    table = driving(armed(1, **{"gear": gear, **car}), armed(2, "R0"), **setup)
    table.say(gear, face)
    table.land(end, brakes)
    return table


@pytest.mark.article("death", "basic.blocked", "basic.drive")
def test_a_plain_move_is_told_as_a_move_alone() -> None:
    assert turn({"place": "L0"}, 2, 2, "2:left:5").kinds() == ["gear", "move", "attack_phase"]
    assert turn({"place": "L0", "points": 0}, 2, 2, "2:left:5").kinds() == ["gear", "move", "attack_phase"]


@pytest.mark.article("death", "basic.overshoot", "basic.blocked", "spin.zero")
def test_a_car_that_brakes_its_last_point_away_before_it_overshoots_spins() -> None:
    """What a move costs is one loss: two points where it has one."""
    table = turn({"place": "L22", "points": 1}, 3, 5, "4:left:1", 1)
    assert (table.car(1).status, points(table, 1)) == ("spun", 0)


@pytest.mark.article("death", "basic.overshoot", "basic.blocked", "spin.zero")
@pytest.mark.parametrize(("left", "switch"), [(0, False), (3, True)])
def test_answers_that_end_a_race_are_listed_by_what_they_cost_whatever_ends_it(left: int, switch: bool) -> None:
    car = armed(1, "0:left:4", gear=4, points=left)
    table = driving(car, armed(2, "4:left:20"), track=in_a_row(1, 2, 1), options={"out_at_zero": switch})
    table.say(4, 12)
    ends = [option for option in table.options if "out" in option.facts and "over" not in option.answer]
    assert {option.facts["out"] for option in ends} == {"destroyed", "overshoot"}
    costs = [option.answer["brakes"] + option.facts.get("overshot", 0) for option in ends]
    assert costs == sorted(costs)


@pytest.mark.article("death", "basic.overshoot")
def test_of_two_corners_overshot_the_one_that_wanted_more_stops_decides() -> None:
    for row, status in (((1, 2, 1), "out"), ((2, 1, 1), "out"), ((1, 1, 1), "racing")):
        table = driving(armed(1, "0:left:4", gear=4), armed(2, "4:left:20"), track=in_a_row(*row))
        table.say(4, 12)
        table.land("3:left:2" if row == (1, 1, 1) else "3:left:1")
        assert (table.car(1).status, table.ruling("overshoot").facts["corners"]) == (status, [1, 2])


@pytest.mark.article("death", "basic.finish", "pit.refill")
@pytest.mark.parametrize(
    ("place", "end", "lap", "fresh", "come"),
    [
        ("4:left:22", "0:left:2", 2, False, False),
        ("L0", "2:left:6", 1, True, False),
        ("4:left:15", "4:left:18", 1, True, True),
    ],
)
def test_a_lap_is_told_and_the_second_half_of_it_opens_the_pits(
    place: str, end: str, lap: int, fresh: bool, come: bool
) -> None:
    face = 4 if place == "4:left:22" else 3
    table = turn({"place": place, "fresh": True, "round_set": False}, 2, face, end)
    car = table.car(1)
    assert (car.lap, car.fresh, car.round_set) == (lap, fresh, come)
    if lap == 2:
        assert table.ruling("lap").facts == {"lap": 2, "tyre_laps": 0}


def stop(**more: Any) -> Table:
    """Car 1 has reached its box on Monaco."""
    car = armed(1, "pit:1", **{"points": 7, "status": "pit", "box": 1, **more})
    table = driving(car, armed(2, "2:left:1"), track="monaco")
    table.say(3, 4)
    table.land("box:1")
    return table


@pytest.mark.article("death", "pit.refill")
def test_a_stop_is_told_with_what_it_gives_back_and_the_pits_are_shut_till_the_next_lap() -> None:
    for left, won in ((7, {"points": 11}), (18, {})):
        table = stop(points=left, round_set=True)
        box = table.ruling("box")
        assert (box.wear, box.facts, table.car(1).round_set) == (won, {"box": 1}, False)


@pytest.mark.article("death", "pit.refill", "weapon.chain-blades")
@pytest.mark.parametrize(("built", "asked"), [(5, True), (4, False), (3, False)])
def test_a_card_is_refitted_where_a_point_remains_and_told(built: int, asked: bool) -> None:
    table = stop(points=2, built={"points": built}, stripped=["turbo"])
    assert (table.ask == "use") == asked
    if asked:
        table.say(True)
        assert (table.ruling("refit").facts, points(table, 1)) == ({"card": "turbo"}, 1)
