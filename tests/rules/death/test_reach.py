"""Front and rear, range, line of sight, and what refuses a shot."""

from __future__ import annotations

from typing import Any

import pytest

from companion.rules.death.cards import CARDS
from tests.rules.competition.boards import CHICANE, at
from tests.rules.death.arenas import armed, attacking, driving, points


@pytest.mark.article("death", "attack.front", "attack.rear")
def test_front_weapons_fire_ahead_rear_ones_behind_turrets_either_way() -> None:
    weapons = {"forward-mg": {2}, "rear-mg": {3}, "turret-mg": {2, 3}}
    for weapon, found in weapons.items():
        table = attacking(armed(1, "L6", weapon), armed(2, "L10"), armed(3, "L2"))
        assert {option.answer["at"] for option in table.options if option.answer} == found
    table = attacking(armed(1, "L6", "forward-mg", "rear-mg"), armed(2, "L10"), armed(3, "L2"))
    table.refuses({"fire": "forward-mg", "at": 3}, "Car 3 is behind car 1; the forward-mg fires at cars in front only")
    table.refuses({"fire": "rear-mg", "at": 2}, "Car 2 is in front of car 1; the rear-mg fires at cars behind only")
    table.refuses({"fire": "rear-mg", "at": 1}, "A target is another car on the track, one of 2, 3")
    table.refuses({"fire": "rear-mg", "at": True}, "A target is another car")
    table.refuses({"fire": "rear-mg"}, "The rear-mg needs a target")


@pytest.mark.article("death", "attack.front", "attack.rear")
def test_a_level_car_in_a_higher_gear_is_in_front() -> None:
    table = attacking(armed(1, "L6", "forward-mg"), armed(2, "R6", gear=4))
    assert table.option({"fire": "forward-mg", "at": 2}).facts["side"] == "front"
    table = attacking(armed(1, "L6", weapons={"forward-mg": 0, "flamer": 1}), armed(2, "R6", gear=2))
    table.refuses({"fire": "forward-mg", "at": 2}, "behind car 1")


@pytest.mark.article("death", "attack.range")
def test_range_is_counted_from_the_spaces_around_a_neighbour_is_at_one() -> None:
    """From L6 the neighbours are L8, L4, M7 and M5; M7 leads to L8, M9 and R8."""
    for place, away in {"L8": 1, "M7": 1, "L4": 1, "M5": 1, "L10": 2, "M9": 2, "R8": 2, "R10": 3, "L16": 5}.items():
        table = attacking(armed(1, "L6"), armed(2, place))
        assert table.fields["targets"][0]["range"] == away, place
        table = attacking(armed(1, "L6"), armed(2, place), options={"neighbours_at_zero": True})
        assert table.fields["targets"][0]["range"] == away - 1, place


@pytest.mark.article("death", "attack.range", "attack.rear")
def test_backwards_it_is_counted_from_the_target_forward() -> None:
    table = attacking(armed(1, "L10", "rear-laser"), armed(2, "L2"))
    assert table.fields["targets"][0]["range"] == 4


@pytest.mark.article("death", "attack.range", "attack.front", "attack.rear", "attack.sight")
def test_a_car_about_to_be_lapped_is_as_near_as_it_stands_on_the_road_and_may_shoot_back() -> None:
    """Car 1 leads and stands three spaces behind car 2, which is a lap down; car 3 is level with car 2 in laps."""
    cars = armed(1, "L4", "turret-mg", lap=3), armed(2, "L10", "forward-mg", lap=2), armed(3, "L0", "rear-mg", lap=2)
    table = attacking(*cars, order=[1, 2, 3])
    assert table.option({"fire": "turret-mg", "at": 2}).facts["range"] == 3
    assert table.option({"fire": "turret-mg", "at": 2}).facts["side"] == "rear"
    assert {one["car"]: one["range"] for one in table.fields["targets"]} == {3: 2, 2: 3}
    table.say({"fire": "turret-mg", "at": 2}, True, 20)
    assert table.open == ("attack", 2, "")
    assert table.option({"fire": "forward-mg", "at": 1}).facts["range"] == 3
    assert table.option({"fire": "forward-mg", "at": 1}).facts["side"] == "front"
    table.refuses({"fire": "forward-mg", "at": 3}, "Car 3 is behind car 2")
    across = attacking(armed(1, "4:left:23", "turret-mg"), armed(2, "0:left:1"))  # the line between them
    assert across.option({"fire": "turret-mg", "at": 2}).facts["side"] == "rear"
    assert across.option({"fire": "turret-mg", "at": 2}).facts["range"] <= 3


@pytest.mark.article("death", "attack.range", "attack.front", "attack.rear")
@pytest.mark.parametrize("track", ["monaco", "copper-basin"])
def test_the_laps_of_two_cars_change_nothing_in_their_distance(track: str) -> None:
    table = attacking(armed(1, "0:left:1", "turret-mg"), armed(2, "0:left:4"), track=track)
    one, two = table.car(1), table.car(2)
    spaces = [space.name for space in table.rulebook.track.spaces if space.section >= 0]
    for here, there in zip(spaces, spaces[7:] + spaces[:7], strict=True):
        one.at, two.at = here, there
        found = set()
        for laps in ((1, 1), (1, 2), (2, 1)):
            one.lap, two.lap = laps
            found.add(table.rulebook.reach.range_to(one, two))
        assert len(found) == 1, (here, there)


@pytest.mark.article("death", "attack.range")
@pytest.mark.parametrize("track", ["monaco", "copper-basin", "kestrel-moor", "porto-sereno"])
def test_no_two_cars_are_further_apart_than_half_a_lap_whatever_the_arrows(track: str) -> None:
    """The arrows of a corner may lead from neither of two cars beside one another to the other."""
    table = attacking(armed(1, "0:left:1", "turret-mg"), armed(2, "0:left:4"), track=track)
    board, reach = table.rulebook.track, table.rulebook.reach
    spaces = [space.id for space in board.spaces if space.section >= 0]
    for here in spaces[::5]:
        for there in spaces:
            gap = (board.place[there] - board.place[here]) % board.length
            assert here == there or reach.range_between(here, there) <= min(gap, board.length - gap) / 2 + 9


@pytest.mark.article("death", "attack.sight", "attack.range")
def test_between_a_car_and_one_that_it_laps_stand_those_on_the_road_between_them() -> None:
    cars = armed(1, "L10", "forward-laser"), armed(2, "L0", lap=2), armed(3, "L6", lap=2), armed(4, "L14", lap=2)
    table = attacking(*cars, armed(5, "L4"), options={"cars_block_fire": True})
    table.say({"fire": "forward-laser", "at": 2})
    assert table.fields["between"] == [3, 5]


@pytest.mark.article("death", "attack.range", "attack.front", "attack.rear", "weapon.forward-turbolaser")
@pytest.mark.parametrize(
    "weapon", ["flamer", "rear-laser", "turret-mg", "forward-turbolaser", "rear-turbolaser", "chain-blades"]
)
def test_a_weapon_covers_the_spaces_on_which_a_car_could_be_hit(weapon: str) -> None:
    lanes = (("L", 0), ("M", 1), ("R", 0))
    for zeroed in (False, True):
        options = {"neighbours_at_zero": zeroed}
        loaded = {weapon: 0, "blobber": 1}
        alone = attacking(armed(1, "L10", weapons=loaded), options=options)
        track = alone.rulebook.track
        names = {
            track.spaces[x].name: far for x, far in alone.rulebook.reach.covered(CARDS[weapon], alone.car(1)).items()
        }
        assert at("L10") not in names
        for place in (f"{lane}{number}" for lane, first in lanes for number in range(first, 24, 2)):
            if track.place[track.ids[at(place)]] == track.place[track.ids[at("L10")]]:
                continue  # of two that are level the gears say who is in front
            table = attacking(armed(1, "L10", weapons=loaded), armed(2, place), options=options)
            shots = [option for option in table.options if option.answer]
            hit = any(option.answer.get("at") == 2 or 2 in option.facts.get("cars", ()) for option in shots)
            assert hit == (at(place) in names), place
            assert not hit or names[at(place)] == table.fields["targets"][0]["range"], place


@pytest.mark.article("death", "attack.sight")
def test_what_is_laid_covers_nothing_and_in_the_pits_nobody_fires() -> None:
    table = attacking(armed(1, "L10", "slip-mines", "flamer"))
    assert table.rulebook.reach.covered(CARDS["slip-mines"], table.car(1)) == {}
    assert len(table.rulebook.reach.covered(CARDS["flamer"], table.car(1))) > 3
    table.car(1).status = "pit"
    assert table.rulebook.reach.covered(CARDS["flamer"], table.car(1)) == {}


@pytest.mark.article("death", "attack.range")
def test_a_car_out_of_range_is_refused() -> None:
    table = attacking(armed(1, "L0", weapons={"flamer": 0, "blobber": 1}), armed(2, "L6"))
    table.refuses({"fire": "flamer", "at": 2}, "Car 2 is 3 spaces away; the flamer reaches 2")
    assert [option.answer for option in table.options] == [{"reload": "blobber"}, None]


@pytest.mark.article("death", "attack.sight")
def test_line_of_sight_is_the_referees_word_and_without_it_another_action_is_chosen() -> None:
    table = attacking(armed(1, "L0", "forward-laser"), armed(2, "L8"), armed(3, "M9"))
    table.say({"fire": "forward-laser", "at": 2})
    assert table.open == ("sight", 1, "forward-laser")
    assert table.fields == {
        "card": "forward-laser", "target": 2, "range": 4, "side": "front", "facing": "front", "reach": 10,
        "between": [],
    }  # fmt: skip
    table.say(False)
    assert table.ruling("refused").facts["by"] == "sight"
    table.refuses({"fire": "forward-laser", "at": 2}, "was refused; choose another target or another weapon")
    table.say({"fire": "forward-laser", "at": 3}, True, 10)
    assert (points(table, 2), points(table, 3)) == (18, 16)


@pytest.mark.article("death", "attack.sight", "weapon.frag-missiles")
def test_a_bare_space_must_be_in_sight_too() -> None:
    cars = armed(1, "L0", "frag-missiles"), armed(2, "L8"), armed(3, "R8")
    table, shot = attacking(*cars), {"fire": "frag-missiles", "space": "2:middle:7"}
    table.say(shot)
    assert table.open == ("sight", 1, "frag-missiles")
    assert table.fields == {
        "card": "frag-missiles", "space": "2:middle:7", "range": 5, "side": "front", "facing": "front", "reach": 20,
        "between": [],
    }  # fmt: skip
    table.say(False)
    assert (table.ruling("refused").facts["at"], table.car(1).weapons) == ("2:middle:7", {"frag-missiles": 0})
    table.refuses(shot, "That shot at 2:middle:7 was refused; choose another target or another weapon")
    assert shot not in [option.answer for option in table.options]
    beside = attacking(armed(1, "L0", "frag-missiles"), armed(2, "M3"))
    beside.say({"fire": "frag-missiles", "space": "2:left:4"})
    assert beside.open == ("test", 1, "attack")


@pytest.mark.article("death", "attack.sight")
def test_a_neighbour_is_seen_and_so_is_everybody_if_the_table_says_so() -> None:
    table = attacking(armed(1, "L6", "forward-laser"), armed(2, "L8"))
    table.say({"fire": "forward-laser", "at": 2})
    assert table.open == ("test", 1, "attack")
    table = attacking(armed(1, "L0", "forward-laser"), armed(2, "L8"), options={"sight_is_given": True})
    table.say({"fire": "forward-laser", "at": 2})
    assert table.open == ("test", 1, "attack")


@pytest.mark.article("death", "attack.sight", "weapon.grenade-launcher")
def test_cars_in_between_may_stop_a_shot_but_no_grenade() -> None:
    for weapon, switch, between in (
        ("forward-laser", False, []), ("forward-laser", True, [3]), ("grenade-launcher", True, []),
    ):  # fmt: skip
        cars = armed(1, "L0", weapon), armed(2, "L8"), armed(3, "L4"), armed(4, "L-2")
        table = attacking(*cars, options={"cars_block_fire": switch})
        table.say({"fire": weapon, "at": 2})
        assert table.fields["between"] == between


@pytest.mark.article("death", "attack.sight", "attack.front")
def test_the_pits_are_off_the_track() -> None:
    cars = armed(1, "19:right:1", "long-range-missiles"), armed(2, "box:1", status="box", stop="long")
    table = attacking(*cars, track="monaco", order=[1, 2])
    assert (table.ruling("passes").car, table.open) == (1, ("attack", 2, ""))


@pytest.mark.article("death", "attack.sight", "attack.range")
def test_a_car_that_is_home_is_no_target_and_stands_before_none() -> None:
    cars = armed(1, "L0", "forward-laser"), armed(2, "L8"), armed(3, "L4", status="finished", lap=4)
    table = attacking(*cars, home=[3], options={"cars_block_fire": True})
    assert [option.answer["at"] for option in table.options if option.answer] == [2]
    table.say({"fire": "forward-laser", "at": 2})
    assert table.fields["between"] == []


@pytest.mark.article("death", "defence.bravado", "attack.hit")
def test_bravado_must_be_overcome_before_the_shot() -> None:
    cars = armed(1, "L6", "flamer", "forward-mg"), armed(2, "L8", defence="bravado"), armed(3, "M7")
    table = attacking(*cars)
    table.say({"fire": "flamer", "at": 2})
    assert (table.open, table.fields) == (("test", 1, "bravado"), {"succeeds_to": 15, "target": 2})
    table.say(16)
    assert table.car(1).weapons["flamer"] == 0
    table.refuses({"fire": "flamer", "at": 2}, "was refused")
    assert {"fire": "flamer", "at": 3} in [option.answer for option in table.options]
    table.say({"fire": "forward-mg", "at": 2}, 15, 8)
    assert points(table, 2) == 17


@pytest.mark.article("death", "defence.bravado")
def test_by_a_switch_a_shot_that_bravado_refuses_is_spent() -> None:
    cars = armed(1, "L6", "forward-laser"), armed(2, "L8", defence="bravado")
    table = attacking(*cars, order=[1, 2], options={"bravado_spends_shot": True})
    table.say({"fire": "forward-laser", "at": 2}, 16)
    assert (table.open, table.car(1).weapons) == (("attack", 2, ""), {"forward-laser": 1})


@pytest.mark.article("death", "defence.bravado", "weapon.haywire-charge")
def test_the_other_cars_of_a_weapon_that_hits_several_are_hit_all_the_same() -> None:
    cars = armed(1, "L6", "haywire-charge"), armed(2, "L8"), armed(3, "M7", defence="bravado")
    table = attacking(*cars, order=[1, 2], options={"bravado_spends_shot": True})
    table.say({"fire": "haywire-charge"}, 6, 16)
    assert (table.car(2).gear, table.car(3).gear, table.car(1).weapons) == (1, 3, {"haywire-charge": 4})
    assert table.open == ("attack", 2, "")


@pytest.mark.article("death", "defence.bravado", "attack.hit", "phase.one-action")
@pytest.mark.parametrize(
    ("weapon", "mine", "theirs"),
    [("haywire-charge", "L6", "L8"), ("forward-turbolaser", "L6", "L8"), ("rear-turbolaser", "L8", "L6")],
)
def test_a_weapon_that_hits_several_refused_by_its_only_target_was_not_fired(
    weapon: str, mine: str, theirs: str
) -> None:
    cars = armed(1, mine, weapon, "missile-turret"), armed(2, theirs, defence="bravado")
    table = attacking(*cars, order=[1, 2])
    table.say({"fire": weapon}, 16)
    assert table.ruling("refused").facts["by"] == "bravado"
    assert (table.open, table.car(1).weapons) == (("attack", 1, ""), {weapon: 0, "missile-turret": 0})
    table.refuses({"fire": weapon}, "was refused by every car that it reaches")
    answers = [option.answer for option in table.options]
    assert {"fire": weapon} not in answers
    assert {"fire": "missile-turret", "at": 2} in answers
    table.say({"fire": "missile-turret", "at": 2}, 15, 20)
    assert (table.open, table.car(1).weapons) == (("attack", 2, ""), {weapon: 0, "missile-turret": 2})


@pytest.mark.article("death", "defence.bravado", "weapon.haywire-charge", "phase.one-action")
def test_refused_by_all_around_it_the_action_is_still_there_and_with_nothing_left_to_do_it_is_over() -> None:
    cars = armed(1, "L6", "haywire-charge"), armed(2, "L8", defence="bravado"), armed(3, "M7", defence="bravado")
    table = attacking(*cars, order=[1, 2])
    table.say({"fire": "haywire-charge"}, 16, 17)
    assert (table.open, table.car(1).weapons) == (("attack", 2, ""), {"haywire-charge": 0})
    one = attacking(*cars, order=[1, 2])
    one.say({"fire": "haywire-charge"}, 16, 15, 7)  # the second is rolled for, and missed: it was fired
    assert (one.open, one.car(1).weapons) == (("attack", 2, ""), {"haywire-charge": 4})


@pytest.mark.article("death", "defence.bravado", "weapon.haywire-charge")
def test_by_the_switch_such_a_shot_is_spent_as_well() -> None:
    cars = armed(1, "L6", "haywire-charge"), armed(2, "L8", defence="bravado")
    table = attacking(*cars, order=[1, 2], options={"bravado_spends_shot": True})
    table.say({"fire": "haywire-charge"}, 16)
    assert (table.open, table.car(1).weapons) == (("attack", 2, ""), {"haywire-charge": 4})


@pytest.mark.article("death", "utility.jammer", "attack.sight")
def test_a_jammed_missile_stays_the_only_choice_when_its_next_target_is_not_in_sight() -> None:
    others = armed(2, "L2", utility="jammer"), armed(3, "L10"), armed(4, "L20")
    table = attacking(armed(1, "L0", "megaton-missiles", "flamer"), *others)
    table.say({"fire": "megaton-missiles", "at": 2}, 11)
    table.say({"fire": "megaton-missiles", "at": 3}, False)
    assert [option.answer for option in table.options] == [{"fire": "megaton-missiles", "at": 4}]
    table.refuses(None, "An attack is written")
    table.say({"fire": "megaton-missiles", "at": 4}, False)
    assert table.ruling("passes").facts == {"refused": "sight"}


@pytest.mark.article("death", "utility.jammer", "attack.hit")
def test_a_jammer_turns_a_missile_to_another_target_once_a_phase() -> None:
    cars = (
        armed(1, "L6", "missile-turret", "flamer"), armed(2, "L8", utility="jammer"), armed(3, "M7"),
        armed(4, "L4", "forward-mg", "haywire-missiles"),
    )  # fmt: skip
    table = attacking(*cars, order=[1, 4])
    table.say({"fire": "missile-turret", "at": 2})
    assert (table.open, table.fields["succeeds_to"]) == (("test", 1, "jammer"), 10)
    table.say(11)
    assert table.fields["only"] == "missile-turret"
    assert [option.answer["at"] for option in table.options] == [3, 4]
    table.refuses(None, "An attack is written")
    table.refuses({"fire": "flamer", "at": 2}, "The jammed missile-turret has to be fired at another car")
    table.say({"fire": "missile-turret", "at": 3}, 10)
    assert (points(table, 2), points(table, 3)) == (18, 16)
    assert table.car(2).busy
    table.say({"fire": "haywire-missiles", "at": 2}, True)
    assert table.open == ("test", 4, "attack")


@pytest.mark.article("death", "utility.jammer")
def test_a_jammed_shot_without_another_target_is_spent_and_lays_no_token() -> None:
    cars = armed(1, "L6", "megaton-missiles"), armed(2, "L8", utility="jammer")
    table = attacking(*cars, order=[1, 2])
    table.say({"fire": "megaton-missiles", "at": 2}, 11)
    assert (table.open, table.car(1).weapons) == (("attack", 2, ""), {"megaton-missiles": 0})
    assert table.ruling("passes").facts == {"refused": "jammer"}


@pytest.mark.article("death", "utility.jammer")
def test_the_jammer_is_fresh_in_the_next_phase_and_knows_only_missiles() -> None:
    table = attacking(armed(1, "L6", "megaton-missiles"), armed(2, "L8", utility="jammer", busy=True))
    table.say({"fire": "megaton-missiles", "at": 2})
    assert table.open == ("test", 1, "attack")
    table = driving(armed(1, "L6", "megaton-missiles"), armed(2, "L12", utility="jammer", busy=True))
    table.say(1, 1)
    table.land("2:left:7")
    assert (table.ask, table.car(2).busy) == ("attack", False)
    table = attacking(armed(1, "L6", "grenade-launcher"), armed(2, "L8", utility="jammer"))
    table.say({"fire": "grenade-launcher", "at": 2})
    assert table.open == ("test", 1, "attack")


@pytest.mark.article("death", "defence.bravado", "utility.jammer")
def test_bravado_comes_before_the_jammer_or_after_it() -> None:
    for switch, first in ((False, "bravado"), (True, "jammer")):
        cars = armed(1, "L6", "megaton-missiles"), armed(2, "L8", defence="bravado", utility="jammer")
        table = attacking(*cars, options={"jammer_before_bravado": switch})
        table.say({"fire": "megaton-missiles", "at": 2})
        assert table.open == ("test", 1, first)


@pytest.mark.article("death", "weapon.heat-seeking-missiles")
def test_heat_seekers_need_no_sight_and_pass_corners_of_one_stop_only() -> None:
    one = attacking(armed(1, "4:left:20", "heat-seeking-missiles"), armed(2, "0:left:1", lap=2))
    one.say({"fire": "heat-seeking-missiles", "at": 2})
    assert one.open == ("test", 1, "attack")
    cars = armed(1, "L20", "heat-seeking-missiles", "long-range-missiles"), armed(2, "4:left:1")
    assert attacking(*cars).option({"fire": "heat-seeking-missiles", "at": 2})
    loaded = {"heat-seeking-missiles": 0, "flamer": 1}
    two = attacking(armed(1, "8:left:1", weapons=loaded), armed(2, "10:left:1"), track="monaco")
    assert two.rulebook.track.sections[9].corner.stops == 3
    two.refuses({"fire": "heat-seeking-missiles", "at": 2}, "A corner of more than one stop lies on the way to car 2")


@pytest.mark.article("death", "attack.range", "weapon.long-range-missiles", "attack.front")
def test_every_range_is_its_cards_to_the_space() -> None:
    table = attacking(armed(1, "0:left:1"), armed(2, "10:left:20"), track="monaco")
    rules = table.rulebook
    one, two = table.car(1), table.car(2)
    track = rules.track
    for card in CARDS.values():
        if card.aim == "car" and card.kind == "weapon" and card.range < 83:  # Monaco has 166 spaces a lap
            ahead = card.facing != "rear"
            near, far = (one, two) if ahead else (two, one)
            far.at = two.at = next(
                space.name for space in track.spaces
                if space.section >= 0 and rules.reach.range_between(track.ids["0:left:1"], space.id) == card.range
            )  # fmt: skip
            one.at = "0:left:1"
            assert rules.reach.range_to(near, far) == card.range
            assert rules.reach.reaches(card, near, far)
            two.at = next(
                space.name for space in track.spaces
                if space.section >= 0 and rules.reach.range_between(track.ids["0:left:1"], space.id) == card.range + 1
            )  # fmt: skip
            assert not rules.reach.reaches(card, near, far)


@pytest.mark.article("death", "weapon.haywire-charge", "attack.range")
def test_a_haywire_charge_reaches_the_cars_around_wherever_the_count_begins() -> None:
    cars = armed(1, "L6", "haywire-charge"), armed(2, "L8"), armed(3, "L10"), armed(4, "L2")
    for switch in (False, True):
        table = attacking(*cars, options={"neighbours_at_zero": switch})
        assert table.option({"fire": "haywire-charge"}).facts["cars"] == [2]


@pytest.mark.article("death", "weapon.heat-seeking-missiles", "weapon.long-range-missiles", "attack.range")
@pytest.mark.parametrize(
    ("weapon", "mine", "theirs", "track", "hits"),
    [
        ("heat-seeking-missiles", "2:left:8", "4:left:1", CHICANE, False),  # a corner of two stops
        ("long-range-missiles", "2:left:8", "4:left:1", CHICANE, True),
        ("heat-seeking-missiles", "9:left:1", "10:left:1", "monaco", True),  # out of a corner of three, not through it
        ("heat-seeking-missiles", "8:left:1", "9:left:1", "monaco", True),  # and into it
        ("heat-seeking-missiles", "6:left:1", "8:left:1", "monaco", True),
        ("heat-seeking-missiles", "5:left:1", "7:left:1", "monaco", True),  # over a straight
        ("heat-seeking-missiles", "8:left:1", "10:left:1", "monaco", False),
        ("heat-seeking-missiles", "10:left:1", "8:left:1", "monaco", False),  # before a car that it laps as well
        ("long-range-missiles", "10:left:1", "8:left:1", "monaco", True),
        ("heat-seeking-missiles", "8:left:1", "6:left:1", "monaco", True),
        ("heat-seeking-missiles", "8:left:1", "7:right:7", "copper-basin", True),  # its neighbour over the border
    ],
)
def test_what_lies_between_matters_to_heat_seekers_alone(
    weapon: str, mine: str, theirs: str, track: str, hits: bool
) -> None:
    gun = armed(1, mine, weapons={weapon: 0, "flamer": 1})
    lap = 2 if int(theirs.partition(":")[0]) < int(mine.partition(":")[0]) else 1  # else ahead of it on the road
    table = attacking(gun, armed(2, theirs, lap=lap), track=track)
    assert ({"fire": weapon, "at": 2} in [option.answer for option in table.options]) == hits


@pytest.mark.article("death", "weapon.heat-seeking-missiles", "attack.front")
@pytest.mark.parametrize(
    ("mine", "theirs", "ahead", "track"),
    [
        ("1:right:1", "0:left:8", {"gear": 4}, CHICANE),  # level with it, where the corner begins later
        ("1:left:1", "0:middle:5", {"lap": 2}, "monaco"),  # beside it, a lap ahead
    ],
)
def test_no_corner_lies_before_a_car_that_is_not_further_on(
    mine: str, theirs: str, ahead: dict[str, Any], track: str
) -> None:
    table = attacking(armed(1, mine, "heat-seeking-missiles"), armed(2, theirs, **ahead), track=track)
    assert table.option({"fire": "heat-seeking-missiles", "at": 2})


@pytest.mark.article("death", "weapon.frag-missiles", "attack.front")
def test_a_level_space_is_not_in_front() -> None:
    """Around car 2 on M5 lie M3, M7, L4, L6, R4 and R6; the attacker on L4 has R4 beside it on the far side."""
    table = attacking(armed(1, "L4", "frag-missiles"), armed(2, "M5"))
    spaces = {option.answer["space"] for option in table.options if option.answer and "space" in option.answer}
    assert spaces == {at(code) for code in ("L6", "M7", "R6")}


@pytest.mark.article("death", "attack.range", "attack.front", "weapon.long-range-missiles")
def test_half_a_lap_away_is_in_front_and_behind() -> None:
    table = attacking(armed(1, "L10", "long-range-missiles", "turret-laser"), armed(2, "L12"))
    track = table.rulebook.track
    here, half = track.place[track.ids[at("L10")]], track.length // 2
    covered = table.rulebook.reach.covered(CARDS["long-range-missiles"], table.car(1))
    opposite = [space.id for space in track.spaces if (track.place[space.id] - here) % track.length == half]
    beyond = [space.id for space in track.spaces if half < (track.place[space.id] - here) % track.length]
    assert track.length % 2 == 0
    assert opposite
    assert set(opposite) <= set(covered)
    assert not set(beyond) & set(covered)


@pytest.mark.article("death", "attack.range", "attack.sight", "weapon.slip-mines", "weapon.haywire-charge")
def test_where_a_neighbour_is_at_nothing_mines_cover_nothing_all_the_same_and_a_charge_its_neighbours() -> None:
    table = attacking(armed(1, "L10", "slip-mines", "haywire-charge"), options={"neighbours_at_zero": True})
    assert table.rulebook.reach.covered(CARDS["slip-mines"], table.car(1)) == {}
    names = {
        table.rulebook.track.spaces[x].name for x in table.rulebook.reach.covered(CARDS["haywire-charge"], table.car(1))
    }
    assert names == {at(code) for code in ("L8", "L12", "M9", "M11")}


@pytest.mark.article("death", "attack.sight", "attack.rear", "attack.front", "weapon.frag-missiles", "attack.range")
def test_a_car_in_the_pits_is_no_target_from_ahead_nor_in_between_and_no_space_beside_it_is_one() -> None:
    pits = armed(2, "pit:18", status="pit", stop="long")
    for car in (armed(1, "0:right:3", "rear-laser", lap=2), armed(1, "20:right:16", "frag-missiles")):
        assert attacking(car, pits, track="monaco", order=[1, 2]).ruling("passes").car == 1
    gun, target = armed(1, "0:right:3", "missile-turret", lap=2), armed(3, "20:right:14")
    near = attacking(gun, pits, target, track="monaco", options={"cars_block_fire": True})
    assert near.fields["targets"][0]["range"] > 4
    near.say({"fire": "missile-turret", "at": 3})
    assert near.fields["between"] == []


@pytest.mark.article("death", "attack.sight")
def test_only_a_nearer_car_stands_in_between() -> None:
    """From L6, M9 and R8 are as far as L10, L16 is further, L8 is nearer."""
    others = armed(3, "M9"), armed(4, "L16"), armed(5, "L4"), armed(6, "L8")
    for cars, between in ((others[:3], []), (others, [6])):
        table = attacking(armed(1, "L6", "forward-laser"), armed(2, "L10"), *cars, options={"cars_block_fire": True})
        table.say({"fire": "forward-laser", "at": 2})
        assert table.fields["between"] == between


@pytest.mark.article("death", "weapon.frag-missiles", "attack.range")
def test_a_bare_space_is_empty_and_in_range() -> None:
    pair = attacking(armed(1, "L0", "frag-missiles"), armed(2, "L8"), armed(3, "M9"))
    spaces = {option.answer["space"] for option in pair.options if option.answer and "space" in option.answer}
    assert spaces == {at(code) for code in ("L6", "L10", "M7", "M11", "R8", "R10")}
    far = attacking(armed(1, "0:left:1", "frag-missiles"), armed(2, "L16"))
    rules, track = far.rulebook, far.rulebook.track
    around = {track.spaces[x].name for x in rules.reach.adjacent(track.ids[at("L16")])}
    reach = {name: rules.reach.range_between(track.ids["0:left:1"], track.ids[name]) for name in around}
    assert min(reach.values()) <= 20 < max(reach.values())
    assert 20 in reach.values()
    spaces = {option.answer["space"] for option in far.options if option.answer and "space" in option.answer}
    assert spaces == {name for name, count in reach.items() if count <= 20}
