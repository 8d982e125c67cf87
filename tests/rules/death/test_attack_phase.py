"""The attack phase: who acts when, and what one action is."""

from __future__ import annotations

import pytest

from companion.rules.conversation.errors import BadOverride
from tests.rules.competition.boards import at
from tests.rules.death.arenas import armed, attacking, driving, points


@pytest.mark.article("death", "phase.attack", "phase.movement", "basic.order")
def test_after_the_movement_phase_the_cars_attack_from_the_last_to_the_first() -> None:
    table = driving(armed(1, "L0"), armed(2, "L8"), armed(3, "R4"), to_play=[1])
    table.say(2, 2)
    table.land("2:left:5")
    assert table.ruling("attack_phase").facts["order"] == [1, 3, 2]
    assert [table.open, table.say(None), table.open] == [("attack", 1, ""), table.rulings[-1:], ("attack", 3, "")]
    assert table.race.attacking
    table.say(None, None)
    assert not table.race.attacking
    assert table.race.round == 2
    assert table.open == ("gear", 2, "")


@pytest.mark.article("death", "phase.attack")
def test_the_order_of_attack_is_the_order_after_the_moves() -> None:
    table = driving(armed(1, "L0"), armed(2, "R2"), to_play=[1])
    table.say(3, 8)
    table.land("2:left:11")
    assert table.ruling("attack_phase").facts["order"] == [2, 1]


@pytest.mark.article("death", "phase.attack")
def test_or_if_the_table_wants_it_the_order_in_which_they_moved() -> None:
    options = {"attacks_as_played": True}
    table = driving(armed(1, "L0"), armed(2, "R2"), to_play=[2, 1], options=options)
    assert table.open == ("gear", 2, "")
    table.say(1, 1)
    table.land("2:right:4")
    table.say(3, 8)
    table.land("2:left:11")
    assert table.ruling("attack_phase").facts["order"] == [1, 2]


@pytest.mark.article("death", "utility.hair-trigger", "phase.attack")
def test_a_hair_trigger_acts_first() -> None:
    table = driving(armed(1, "L0"), armed(2, "L8", utility="hair-trigger"), armed(3, "R4"), to_play=[1])
    table.say(2, 2)
    table.land("2:left:5")
    assert table.ruling("attack_phase").facts["order"] == [2, 1, 3]


@pytest.mark.article("death", "phase.one-action", "attack.hit")
def test_one_weapon_fires_or_one_token_comes_off() -> None:
    table = attacking(armed(1, "L6", "forward-laser", "flamer"), armed(2, "L8"), order=[1, 2])
    answers = [option.answer for option in table.options]
    assert answers == [{"fire": "forward-laser", "at": 2}, {"fire": "flamer", "at": 2}, None]
    table.say({"fire": "forward-laser", "at": 2}, 10)
    assert (points(table, 2), table.car(1).weapons) == (16, {"forward-laser": 1, "flamer": 0})
    assert table.open == ("attack", 2, "")


@pytest.mark.article("death", "phase.one-action")
def test_a_token_is_taken_off_one_weapon_and_a_loaded_one_does_not_fire() -> None:
    table = attacking(armed(1, "L6", weapons={"forward-laser": 2, "flamer": 1}), armed(2, "L8"), order=[1, 2])
    assert [option.answer for option in table.options] == [{"reload": "forward-laser"}, {"reload": "flamer"}, None]
    table.refuses({"fire": "flamer", "at": 2}, "is reloading; the tokens on it, 1, must be taken off first")
    table.refuses({"reload": "blobber"}, "no such weapon; it has forward-laser, flamer")
    table.say({"reload": "forward-laser"})
    assert table.car(1).weapons == {"forward-laser": 1, "flamer": 1}
    assert table.ruling("reload").facts == {"card": "forward-laser", "tokens": 1}
    assert (table.ruling("reload").counts, table.ruling("reload").before) == (
        {"tokens:forward-laser": -1}, {"tokens:forward-laser": 2}
    )  # fmt: skip
    assert table.open == ("attack", 2, "")


@pytest.mark.article("death", "phase.one-action")
def test_there_is_nothing_to_reload_on_a_ready_weapon() -> None:
    table = attacking(armed(1, "L6", "flamer"), armed(2, "L8"))
    table.refuses({"reload": "flamer"}, "no reload token on the flamer of car 1")
    table.refuses({"shoot": "flamer"}, "An attack is written")
    table.refuses("flamer", "An attack is written")


@pytest.mark.article("death", "phase.one-action", "attack.range")
def test_an_attack_is_an_object_that_names_a_weapon_of_the_car_and_a_car_by_its_number() -> None:
    table = attacking(armed(1, "L8"), armed(2, "L6", "flamer"), order=[2])
    for answer in (5, ["fire"], "fire", {"fire": "flamer", "at": 1, "space": "2:left:7"}):
        table.refuses(answer, "An attack is written")
    table.refuses({"fire": ["flamer"], "at": 1}, "Car 2 has no such weapon; it has flamer")
    table.refuses({"fire": "flamer", "at": True}, "A target is another car on the track, one of 1")
    alone = attacking(armed(1, "L6", weapons={"flamer": 0, "blobber": 1}))
    alone.refuses({"fire": "flamer", "at": 2}, "A target is another car on the track, one of none")


@pytest.mark.article("death", "utility.jammer", "weapon.frag-missiles")
def test_after_a_jammed_shot_there_is_no_reloading_and_no_bare_space() -> None:
    cars = armed(1, "L0", "frag-missiles"), armed(2, "M3", utility="jammer"), armed(3, "L8")
    table = attacking(*cars)
    table.say({"fire": "frag-missiles", "at": 2}, True, 11)
    assert table.fields["only"] == "frag-missiles"
    table.refuses({"reload": "frag-missiles"}, "The jammed frag-missiles has to be fired at another car")
    table.refuses({"fire": "frag-missiles", "space": "2:left:4"}, "Only frag missiles are fired at a space")


@pytest.mark.article("death", "attack.hit")
def test_tokens_follow_a_miss_too_unless_the_table_rules_otherwise() -> None:
    for switch, tokens in ((False, 1), (True, 0)):
        table = attacking(armed(1, "L6", "forward-laser"), armed(2, "L8"), options={"tokens_on_hits_only": switch})
        table.say({"fire": "forward-laser", "at": 2}, 11)
        assert (points(table, 2), table.car(1).weapons["forward-laser"]) == (18, tokens)


@pytest.mark.article("death", "phase.one-action")
def test_a_car_destroyed_before_its_place_does_nothing_and_a_spun_one_acts() -> None:
    cars = armed(1, "L6", "flamer"), armed(2, "L8", points=0), armed(3, "L10", status="spun", points=0)
    table = attacking(*cars, order=[1, 2, 3])
    table.say({"fire": "flamer", "at": 2}, 16)
    assert table.car(2).status == "out"
    assert table.open == ("attack", 3, "")


@pytest.mark.article("death", "phase.attack")
def test_the_referee_can_put_the_attackers_in_an_order_of_his_own() -> None:
    table = attacking(armed(1, "L6"), armed(2, "L8"), armed(3, "R4"), order=[1, 3, 2])
    table.talk.override({"order": [2, 1]})
    assert table.race.attackers == [2, 1]
    assert table.open == ("attack", 2, "")
    table.talk.override({"car": 3, "status": "out"})
    for order in ([2, 7], [2, 3], [2, 2], [2, True]):
        with pytest.raises(BadOverride, match="cars that can still attack, each once: 1, 2"):
            table.talk.override({"order": order})


@pytest.mark.article("death", "phase.movement", "wreckage.marker")
def test_an_order_of_the_moves_lists_no_attackers_and_leaves_the_wreckage() -> None:
    place = at("L20")
    table = driving(armed(1, "L6"), armed(2, "L8"), to_play=[1, 2], dangers=[place], piles={place: 2})
    table.talk.override({"order": [2, 1]})
    assert (table.race.called, table.race.attackers) == ([2, 1], [])
    assert (table.race.dangers, table.race.piles) == ([place], {place: 2})


@pytest.mark.article("death", "phase.attack")
def test_a_car_taken_out_in_its_action_leaves_the_next_to_act() -> None:
    table = attacking(armed(1, "L6", "flamer"), armed(2, "L8"), order=[1, 2])
    table.talk.override({"car": 1, "status": "out"})
    assert table.open == ("attack", 2, "")


@pytest.mark.article("death", "phase.one-action", "attack.range", "attack.front")
def test_the_question_shows_all_that_an_attack_needs() -> None:
    cars = (
        armed(1, "L6", "forward-laser", "rear-mg"),
        armed(2, "L12", defence="heavy-armour-rear"),
        armed(3, "L0", defence="bravado", utility="jammer"),
    )
    table = attacking(*cars, order=[1, 3])
    assert table.fields == {
        "attackers": [1, 3],
        "weapons": [
            {"card": "forward-laser", "tokens": 0, "reload": 1, "accuracy": 10, "damage": 2, "range": 10,
             "facing": "front"},
            {"card": "rear-mg", "tokens": 0, "reload": 0, "accuracy": 8, "damage": 1, "range": 6, "facing": "rear"},
        ],
        "targets": [
            {"car": 2, "range": 3, "side": "front", "armour": 2, "defence": "heavy-armour-rear"},
            {"car": 3, "range": 3, "side": "rear", "armour": 0, "defence": "bravado", "jammer": True},
        ],
    }  # fmt: skip
    shot = table.option({"fire": "forward-laser", "at": 2})
    assert shot.facts == {"range": 3, "hits_to": 10, "side": "front", "damage": 0, "tokens": 1, "sight": True}
    back = table.option({"fire": "rear-mg", "at": 3})
    assert back.facts == {
        "range": 3, "hits_to": 8, "side": "rear", "damage": 1, "tokens": 0, "sight": True, "bravado": 15,
    }  # fmt: skip


@pytest.mark.article("death", "phase.one-action", "attack.range", "attack.rear", "weapon.slip-mines")
def test_of_a_neighbour_and_a_bare_car_it_shows_no_more_than_there_is() -> None:
    cars = (
        armed(1, "L6", "rear-mg", "slip-mines", stock={"slip-mines": 3}),
        armed(2, "M5", defence="heavy-armour-front"),
        armed(3, "L12"),
    )
    table = attacking(*cars)
    assert table.fields["weapons"][1] == {
        "card": "slip-mines", "tokens": 0, "reload": 0, "accuracy": 0, "damage": 0, "range": 0, "facing": "",
        "stock": 3,
    }  # fmt: skip
    assert table.fields["targets"] == [
        {"car": 2, "range": 1, "side": "rear", "armour": 2, "defence": "heavy-armour-front"},
        {"car": 3, "range": 3, "side": "front", "armour": 0},
    ]
    back = table.option({"fire": "rear-mg", "at": 2})
    assert back.facts == {"range": 1, "hits_to": 8, "side": "rear", "damage": 0, "tokens": 0}


@pytest.mark.article("death", "phase.one-action", "utility.jammer")
def test_a_missile_says_that_a_jammer_waits_for_it() -> None:
    facts = {"range": 1, "hits_to": 10, "side": "front", "damage": 2, "tokens": 2}
    for busy, jammer in ((False, {"jammer": 10}), (True, {})):
        table = attacking(armed(1, "L6", "missile-turret"), armed(2, "L8", utility="jammer", busy=busy))
        assert table.option({"fire": "missile-turret", "at": 2}).facts == {**facts, **jammer}


@pytest.mark.article("death", "attack.sight")
def test_a_car_in_the_pits_only_reloads() -> None:
    car = armed(1, "box:1", status="box", stop="long", weapons={"forward-laser": 0, "flamer": 1})
    table = attacking(car, armed(2, "20:right:1"), track="monaco")
    assert [option.answer for option in table.options] == [{"reload": "flamer"}, None]
    table.refuses({"fire": "forward-laser", "at": 2}, "Car 1 is in the pits and cannot fire")
    assert table.fields["targets"] == []
    car = armed(1, "box:1", "slip-mines", status="box", stop="long")
    idle = attacking(car, armed(2, "20:right:1"), track="monaco", order=[1, 2])
    assert (idle.ruling("passes").car, idle.open) == (1, ("attack", 2, ""))


@pytest.mark.article("death", "phase.one-action", "attack.range")
def test_a_car_that_can_only_do_nothing_is_not_asked_and_that_is_told() -> None:
    bare = armed(2, "L8", "blobber", lap=2)  # nobody is ahead of it
    table = attacking(armed(1, "L0", "flamer"), bare, armed(3, "R20"), order=[1, 2, 3])
    assert table.open == ("attack", 3, "")
    assert [(one.car, one.facts) for one in table.rulings if one.kind == "passes"] == [
        (1, {"idle": True}), (2, {"idle": True})
    ]  # fmt: skip
    assert table.told("passes", "en") == "2 does nothing: no target, and no token to remove."
    assert table.told("passes", "fr") == "2 ne fait rien\u00a0: ni cible, ni jeton à ôter."
    table.say(None)
    assert table.told("passes", "en") == "3 does nothing."
    nobody = attacking(armed(1, "L0", "flamer"), bare, order=[1, 2])
    assert (nobody.race.attacking, nobody.open) == (False, ("gear", 2, ""))


@pytest.mark.article("death", "spin.zero", "phase.attack")
def test_the_stick_of_a_car_that_has_spun_in_first_stays_there() -> None:
    spun = armed(2, "L0", gear=1, status="spun", points=0)
    table = driving(armed(1, "4:left:2", gear=2), spun, armed(3, "R20", gear=2), to_play=[3])
    table.say(2, 2)
    table.land(sorted(table.spaces())[0])
    while table.open != ("gear", 1, ""):
        table.say(20 if table.ask == "test" else None)
    assert "turned" not in table.kinds()


@pytest.mark.article("death", "spin.zero", "basic.engine", "phase.attack")
def test_once_the_round_is_over_the_stick_of_a_spun_car_is_in_first() -> None:
    """So nobody tests the engine of a car that has stood on the road since the round before."""
    spun = armed(2, "L0", gear=5, status="spun", points=0)
    table = driving(armed(1, "4:left:2", gear=5), spun, armed(3, "R20", gear=2), to_play=[3])
    table.say(2, 2)
    table.land("2:right:14" if "2:right:14" in table.spaces() else sorted(table.spaces())[0])
    while table.open != ("gear", 1, ""):
        table.say(20 if table.ask == "test" else None)
    assert (table.car(2).gear, table.car(2).status) == (1, "spun")
    assert [ruling.car for ruling in table.rulings if ruling.kind == "turned"] == [2]
    assert table.told("turned", "en") == "2 has spun: gear lever set to 1st."
    assert table.told("turned", "fr") == "2 est en tête-à-queue\u00a0: levier en 1re."
    table.say(5, 20)
    table.say(table.options[0].answer)
    while table.ask in ("clutch", "slipstream"):
        table.say(None)
    assert [car for car, _ in table.tested("engine")] == [1]


@pytest.mark.article("death", "phase.attack", "weapon.remote-mines", "basic.finish")
def test_with_nobody_left_the_race_is_over_in_the_attack_phase_and_in_the_other() -> None:
    mines = [{"car": 2, "card": "remote-mines", "at": "4:left:4"}]
    table = attacking(armed(1, "L0"), armed(2, "R4"), order=[1, 2], mines=mines)
    for number in (2, 1):
        table.talk.override({"car": number, "status": "out"})
    assert (table.open, table.race.phase, table.race.mines[0].rolled) == (None, "over", False)
    moving = driving(armed(1, "L0"), armed(2, "R4"), to_play=[1, 2])
    for number in (1, 2):
        moving.talk.override({"car": number, "status": "out"})
    assert (moving.open, moving.race.phase, moving.race.attacking) == (None, "over", False)


@pytest.mark.article("death", "phase.attack", "phase.movement", "utility.jammer")
def test_a_new_round_knows_nothing_of_what_was_jammed_and_who_moved_before() -> None:
    cars = armed(1, "L6", "megaton-missiles"), armed(2, "L12", utility="jammer")
    table = attacking(*cars, order=[1, 2], moved=[1, 2])
    table.say({"fire": "megaton-missiles", "at": 2}, True, 11)
    assert table.car(2).busy
    table.say(None)
    assert (table.open, table.car(2).busy, table.race.moved) == (("gear", 2, ""), False, [])


@pytest.mark.article("death", "phase.attack")
@pytest.mark.parametrize(("moved", "order"), [([2], [2, 1, 3]), ([3, 2], [2, 3, 1]), ([2, 3], [3, 2, 1])])
def test_a_car_that_has_not_moved_counts_as_the_first_that_did(moved: list[int], order: list[int]) -> None:
    cars = armed(1, "L0"), armed(2, "R2"), armed(3, "R8")
    options = {"attacks_as_played": True}
    table = driving(*cars, to_play=[moved[-1]], moved=moved[:-1], options=options)
    table.say(1, 1)
    table.land(next(space for space in sorted(table.spaces()) if space.startswith("2:right")))
    table.until(lambda: "attack_phase" in table.kinds())
    assert table.ruling("attack_phase").facts["order"] == order


@pytest.mark.article("death", "phase.movement", "phase.attack")
def test_a_car_that_the_referee_lets_move_again_has_moved_last_and_acts_first() -> None:
    cars = armed(1, "L0", gear=1), armed(2, "R2", gear=1), armed(3, "R8", gear=1)
    table = driving(*cars, to_play=[1], moved=[1, 2, 3], options={"attacks_as_played": True})
    table.car(1).busy = True
    table.say(1, 1)
    table.land(next(iter(sorted(table.spaces()))))
    assert table.ruling("attack_phase").facts["order"] == [1, 3, 2]
    assert not table.car(1).busy


@pytest.mark.article("death", "weapon.remote-mines", "attack.hit", "phase.one-action")
def test_what_is_laid_takes_its_tokens_whatever_hits() -> None:
    table = attacking(armed(1, "L0", "remote-mines"), armed(2, "R8"), options={"tokens_on_hits_only": True})
    table.say({"fire": "remote-mines"})
    assert table.car(1).weapons == {"remote-mines": 4}
    assert table.kinds()[:2] == ["lays", "mine"]


@pytest.mark.article("death", "phase.attack", "phase.one-action")
def test_a_car_that_is_put_behind_others_acts_after_them_and_one_that_is_taken_from_the_order_not_at_all() -> None:
    cars = armed(1, "L6"), armed(2, "L8"), armed(3, "R4")
    table = attacking(*cars, order=[1, 2, 3])
    table.talk.override({"order": [2, 1, 3]})
    assert (table.open, table.say(None), table.open) == (("attack", 2, ""), table.rulings[-1:], ("attack", 1, ""))
    table.talk.override({"order": [3]})
    assert table.open == ("attack", 3, "")
    table.talk.override({"order": []})
    assert not table.race.attacking
