"""The grid by die, the cards dealt and picked, and what a setup may not say."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from companion.circuits import find
from companion.rules.conversation.errors import BadOverride, BadSetup
from companion.rules.conversation.shuffling import DECK, shuffled
from companion.rules.death.cards import CARDS, SLOTS, of_kind
from companion.rules.death.state import DeathCar
from companion.rules.rulebooks import begin
from tests.rules.competition.boards import TOW
from tests.rules.death.arenas import armed, attacking, driving, grid, rules
from tests.table import Table

TWO: tuple[dict[str, Any], ...] = ({"car": 1}, {"car": 2})


@pytest.mark.article("death", "upgrades.slots", "upgrades.limited")
def test_there_are_64_cards_in_their_printed_numbers() -> None:
    assert {kind: sum(card.copies for card in of_kind(kind)) for kind in SLOTS} == {
        "weapon": 27, "defence": 21, "utility": 16,
    }  # fmt: skip
    assert {card.copies for card in CARDS.values() if card.kind != "defence"} == {1}


@pytest.mark.article("death", "upgrades.slots")
def test_a_car_has_two_weapon_slots_a_defence_and_a_utility() -> None:
    assert DeathCar(1).slots == ["weapon", "weapon", "defence", "utility"]
    assert DeathCar(1, weapons={"turret-mg": 0}, second=["defence"]).slots == ["weapon", "utility"]
    assert DeathCar(1, weapons={"flamer": 0, "rear-mg": 0}, defence="bravado", utility="turbo").slots == []


@pytest.mark.article("death", "upgrades.random", "upgrades.slots", "weapons.start")
def test_weapons_defences_and_utilities_are_dealt_kind_by_kind() -> None:
    table = grid(*TWO)
    assert table.open == ("card", 1, "weapon")
    dealt = ["flamer", "forward-turbolaser", "rear-mg", "acid-jets", "bravado", "chaff-release", "turbo", "grip-tyres"]
    asked = []
    for key in dealt:
        asked.append(table.open)
        table.say(key)
    assert asked == [
        ("card", 1, "weapon"), ("card", 2, "weapon"), ("card", 1, "weapon"), ("card", 2, "weapon"),
        ("card", 1, "defence"), ("card", 2, "defence"), ("card", 1, "utility"), ("card", 2, "utility"),
    ]  # fmt: skip
    one, two = table.car(1), table.car(2)
    assert (one.weapons, one.defence, one.utility) == ({"flamer": 1, "rear-mg": 1}, "bravado", "turbo")
    assert (two.weapons, two.stock) == ({"forward-turbolaser": 2, "acid-jets": 1}, {"grip-tyres": 3})
    assert table.open == ("start", 1, "start")


@pytest.mark.article("death", "upgrades.random", "upgrades.powerful")
def test_a_powerful_card_makes_its_car_miss_the_next_kind() -> None:
    table = grid(*TWO)
    table.say("turret-mg", "flamer")
    assert (table.open, table.car(1).second) == (("card", 2, "weapon"), ["weapon"])
    table.say("wrecker-ball")
    assert table.car(2).second == ["defence"]
    assert table.open == ("card", 1, "defence")
    table.say("heavy-armour")
    assert table.car(1).second == ["weapon", "utility"]
    assert table.open == ("card", 2, "utility")
    table.say("nitros")
    assert table.ask == "start"


@pytest.mark.article("death", "upgrades.limited", "upgrades.random")
def test_a_card_cannot_be_dealt_more_often_than_it_was_printed() -> None:
    table = grid(*TWO)
    table.say("flamer")
    table.refuses("flamer", "Every card of flamer is on a car already; another card of that kind is dealt")
    table.refuses("bravado", "This question allows")
    assert table.option("rear-mg").facts == {"kind": "weapon", "left": 1}
    table.say("rear-mg", "forward-mg", "acid-jets", "chaff-release", "chaff-release")
    assert table.ask == "card"
    assert table.open == ("card", 1, "utility")


@pytest.mark.article("death", "upgrades.random", "upgrades.limited", "upgrades.powerful", "weapons.start")
@pytest.mark.parametrize("deck", [1, 2, 3, 4711])
def test_the_program_deals_from_the_printed_cards_if_the_table_wants_it(deck: int) -> None:
    cars = [{"car": number} for number in range(1, 11)]
    table, again = grid(*cars, deck=deck), grid(*cars, deck=deck)
    assert table.ask == "start"
    assert [car.cards for car in table.race.cars] == [car.cards for car in again.race.cars]
    held = Counter(card.key for car in table.race.cars for card in car.cards)
    assert all(count <= CARDS[key].copies for key, count in held.items())
    for car in table.race.cars:
        assert (car.slots, len(car.cards) + len(car.second)) == ([], 4)
        assert len(car.second) == sum(card.powerful for card in car.cards)
        assert all(tokens == CARDS[key].tokens for key, tokens in car.weapons.items())
    assert len([ruling for ruling in table.rulings if ruling.kind == "card"]) == sum(held.values())


@pytest.mark.article("death", "upgrades.random")
def test_another_deck_deals_other_cards_and_what_a_car_brings_is_not_in_it() -> None:
    hands = {tuple(sorted(grid(*TWO, deck=deck).car(1).weapons)) for deck in range(1, 9)}
    assert len(hands) > 4
    brought = {"car": 1, "weapons": {"flamer": 1}, "defence": "bravado"}
    for deck in range(1, 30):
        table = grid(brought, {"car": 2}, deck=deck)
        assert "flamer" in table.car(1).weapons
        assert "flamer" not in table.car(2).weapons


@pytest.mark.article("death", "upgrades.random", "upgrades.pick")
@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"deck": -1}, "0 for cards on the table; -1 is not"),
        ({"deck": DECK + 1}, "0 for cards on the table"),
        ({"deck": 3, "options": {"pick_cards": True}}, "leave out the deck, or the switch “pick_cards”"),
    ],
)
def test_a_deck_that_is_none_is_refused(more: dict[str, Any], said: str) -> None:
    with pytest.raises(BadSetup, match=said):
        rules({"cars": [{"car": 1}], **more})


@pytest.mark.article("death", "upgrades.random", "upgrades.pick")
def test_the_last_deck_deals_too_and_without_one_the_drivers_may_pick() -> None:
    assert rules({"cars": [{"car": 1}], "deck": DECK}).race.deck == DECK
    assert rules({"cars": [{"car": 1}], "options": {"pick_cards": True}}).race.deck == 0


@pytest.mark.article("death", "upgrades.pick", "upgrades.powerful")
def test_cards_are_picked_from_the_last_place_to_pole_over_and_over() -> None:
    table = grid(*TWO, options={"pick_cards": True})
    assert table.open == ("card", 2, "pick")
    assert {option.facts["kind"] for option in table.options} == {"weapon", "defence", "utility"}
    table.say("turret-mg")
    assert (table.open, [o.answer for o in table.options]) == (
        ("slot", 2, "turret-mg"),
        ["weapon", "defence", "utility"],
    )
    table.say("utility")
    assert (table.car(2).second, table.open) == (["utility"], ("card", 1, "pick"))
    table.say("turbo")
    assert table.open == ("card", 2, "pick")
    assert "nitros" not in [option.answer for option in table.options]
    table.say("heavy-armour")
    assert (table.car(2).slots, table.car(2).second, table.open) == ([], ["utility", "weapon"], ("card", 1, "pick"))
    table.say("bravado", "flamer", "rear-mg")
    assert table.ask == "start"


@pytest.mark.article("death", "upgrades.powerful", "upgrades.slots")
def test_a_powerful_card_needs_a_second_slot() -> None:
    cars = ({"car": 1, "weapons": {"flamer": 1, "rear-mg": 1}, "utility": "turbo"}, {"car": 2})
    table = grid(*cars, options={"pick_cards": True})
    table.say("acid-jets")
    assert table.open == ("card", 2, "pick")
    table.say("blobber", "bravado", "nitros")
    assert table.open == ("card", 1, "pick")
    assert "heavy-armour" not in [option.answer for option in table.options]


@pytest.mark.article("death", "weapons.start", "weapon.forward-turbolaser", "weapon.rear-turbolaser")
def test_weapons_start_with_a_token_turbolasers_with_two() -> None:
    for start, plain, turbo in ((1, 1, 2), (0, 0, 1)):
        table = grid({"car": 1}, options={"start_tokens": start})
        table.say("flamer", "rear-turbolaser")
        assert table.car(1).weapons == {"flamer": plain, "rear-turbolaser": turbo}


@pytest.mark.article("death", "basic.grid")
def test_the_black_die_settles_the_grid_level_ones_again() -> None:
    table = grid(*TWO, {"car": 3}, options={"grid_by_die": True})
    assert table.open == ("test", 1, "grid")
    table.say(5, 12, 12)
    assert table.open == ("test", 2, "grid")
    table.say(3, 19)
    assert table.race.grid == [3, 2, 1]
    assert table.open == ("card", 3, "weapon")
    assert table.ruling("grid_rolled").facts == {"order": [3, 2, 1]}


@pytest.mark.article("death", "basic.grid", "pit.refill")
def test_otherwise_the_setup_has_the_grid_and_boxes_go_down_it() -> None:
    table = grid(*TWO)
    assert [car.number for car in table.rulebook.preparing.grid_order()] == [1, 2]
    assert (table.car(1).box, table.car(2).box) == (1, 2)
    assert (table.car(1).wear, table.car(1).built) == ({"points": 18}, {"points": 18})


@pytest.mark.article("death", "basic.pool")
def test_a_car_may_bring_its_points_and_a_position_fills_in_what_it_leaves_out() -> None:
    assert grid({"car": 1, "wear": {"points": 18}}).car(1).built == {"points": 18}
    table = rules({"cars": [{"car": 1, "at": "2:left:1", "lap": 1, "status": "racing"}], "to_play": [1]})
    assert table.car(1).wear == {"points": 18}
    house = rules({"cars": [{"car": 1}], "options": {"car_points": 25}})
    assert house.preparing.usual_build() == {"points": 25}


@pytest.mark.article("death", "upgrades.slots", "upgrades.limited", "upgrades.powerful", "basic.pool")
@pytest.mark.parametrize(
    ("car", "match"),
    [
        ({"weapons": {"bazooka": 1}}, "Car 1: bazooka is no weapon; one is acid-jets"),
        ({"weapons": {"bravado": 1}}, "bravado is no weapon"),
        ({"defence": "turbo"}, "turbo is no defence"),
        ({"utility": "flamer"}, "flamer is no utility"),
        ({"weapons": {"flamer": 0, "rear-mg": 0, "acid-jets": 0}}, "Car 1 has 2 weapon slots; 3 cards are in them"),
        ({"weapons": {"turret-mg": 0, "flamer": 0}, "second": ["weapon"]}, "Car 1 has 2 weapon slots; 3 cards"),
        ({"weapons": {"turret-mg": 0}, "second": ["boot"]}, "takes one more slot, one of weapon, defence, utility"),
        ({"second": ["weapon"]}, "each Powerful card takes one more slot"),
        ({"weapons": {"flamer": -1}}, "a weapon has 0 to 99 reload tokens; flamer has -1"),
        ({"utility": "grip-tyres", "stock": {"grip-tyres": 4}}, "grip-tyres holds 3, not 4"),
        ({"stock": {"petrol": 1}}, "petrol holds 0, not 1"),
        ({"stripped": ["flamer"]}, "flamer is no card that can be torn off"),
        ({"wear": {"points": -3}}, "Car 1 starts with 18 points in one pool, called points"),
        ({"wear": {"tyres": 18}}, "Car 1 starts with 18 points in one pool"),
    ],
)
def test_cards_that_make_no_sense_are_refused(car: dict[str, Any], match: str) -> None:
    with pytest.raises(BadSetup, match=match):
        grid({"car": 1, **car})


@pytest.mark.article("death", "upgrades.slots", "upgrades.limited", "upgrades.powerful")
@pytest.mark.parametrize(
    ("car", "match"),
    [
        ({"weapons": {"b" * 41: 1}}, f"Car 1: {'b' * 40} is no weapon"),
        ({"stripped": ["petrol"]}, "Car 1: petrol is no card that can be torn off"),
        ({"stripped": ["heavy-armour"]}, "heavy-armour is no card that can be torn off"),
        ({"stripped": ["b" * 41]}, f"Car 1: {'b' * 40} is no card that can be torn off"),
        ({"weapons": {"flamer": 100}}, "a weapon has 0 to 99 reload tokens; flamer has 100"),
        ({"utility": "grip-tyres", "stock": {"grip-tyres": -1}}, "grip-tyres holds 3, not -1"),
        ({"stock": {"b" * 41: 1}}, f"Car 1: {'b' * 40} holds 0, not 1"),
        (
            {"weapons": {"flamer": 0, "rear-mg": 0}, "defence": "heavy-armour", "utility": "turbo"},
            "each Powerful card takes one more slot",
        ),
    ],
)
def test_cards_for_which_there_is_no_room_or_name_are_refused(car: dict[str, Any], match: str) -> None:
    with pytest.raises(BadSetup, match=match):
        grid({"car": 1, **car})


@pytest.mark.article("death", "upgrades.slots", "upgrades.powerful")
def test_a_powerful_card_whose_second_slot_is_not_said_takes_the_first_that_is_free() -> None:
    assert grid({"car": 1, "weapons": {"turret-mg": 0}}).car(1).second == ["weapon"]
    assert grid({"car": 1, "weapons": {"turret-mg": 0, "turret-laser": 0}}).car(1).second == ["defence", "utility"]
    assert grid({"car": 1, "weapons": {"turret-mg": 0}, "second": ["utility"]}).car(1).second == ["utility"]


@pytest.mark.article("death", "upgrades.slots")
def test_a_setup_brings_what_its_cards_can_hold_and_has_them_full_where_it_says_nothing() -> None:
    for tokens in (0, 99):
        assert grid({"car": 1, "weapons": {"flamer": tokens}}).car(1).weapons == {"flamer": tokens}
    for left in (0, 3):
        assert grid({"car": 1, "utility": "grip-tyres", "stock": {"grip-tyres": left}}).car(1).stock == {
            "grip-tyres": left
        }
    car = grid({"car": 1, "weapons": {"slip-mines": 0, "flamer": 0}, "utility": "swerve-tyres"}).car(1)
    assert car.stock == {"slip-mines": 5, "swerve-tyres": 2}
    assert grid({"car": 1, "stripped": ["bravado", "turbo"]}).car(1).stripped == ["bravado", "turbo"]


@pytest.mark.article("death", "basic.pool")
def test_the_sky_of_a_death_race_is_sun_and_its_track_dry() -> None:
    for setup in ({}, {"sky": "sun"}, {"surface": "dry"}):
        race = rules({"cars": [{"car": 1}], **setup}).race
        assert (race.sky, race.drawn) == ("sun", "")
    for setup in ({"sky": "rain"}, {"surface": "wet"}):
        with pytest.raises(BadSetup, match="no weather: its sky is sun and its track dry"):
            rules({"cars": [{"car": 1}], **setup})


@pytest.mark.article("death", "spin.zero")
@pytest.mark.parametrize("status", ["wreck", "coasting"])
def test_a_car_that_is_out_here_cannot_stand_on_the_board(status: str) -> None:
    with pytest.raises(BadSetup, match=f"Car 1 is {status}; in the death race such a car is out"):
        rules({"cars": [{"car": 1, "at": "2:left:1", "lap": 1, "status": status}], "to_play": [1]})


@pytest.mark.article("death", "upgrades.limited", "upgrades.slots", "upgrades.powerful", "upgrades.pick")
@pytest.mark.parametrize(("options", "deck", "most"), [({}, 0, 13), ({}, 5, 13), ({"pick_cards": True}, 0, 12)])
def test_more_cars_than_there_are_cards_for_are_refused(options: dict[str, bool], deck: int, most: int) -> None:
    """Two weapons a car of the 27, on a circuit of one's own with slots enough: the deal came to an end for want of
    cards. Picked, none of the three Powerful ones fits into a last slot. A race under way has what it has."""
    more = ", ".join(f'"20:{lane}:{number}"' for number in (2, 1) for lane in ("left", "right"))
    wide = find("monaco").read_text("utf-8").replace('"20:right:4",\n]', f'"20:right:4", {more},\n]')
    assert wide.count(more) == 1
    cars = [{"car": number} for number in range(1, most + 2)]
    table = Table(cars[:most], rulebook="death", track=wide, options=options, deck=deck)
    while table.ask in ("card", "slot"):
        plain = [one for one in table.options if not one.facts.get("powerful") and one.facts.get("kind") != "weapon"]
        table.say((plain or [one for one in table.options if not one.facts.get("powerful")] or table.options)[0].answer)
    assert table.ask == "start"
    assert all(not car.slots for car in table.race.cars)
    with pytest.raises(BadSetup, match=f"There are cards for {most} cars at most; this race has {most + 1}"):
        Table(cars, rulebook="death", track=wide, options=options, deck=deck)
    under_way = [armed(car["car"], f"10:left:{car['car']}") for car in cars]
    assert len(driving(*under_way, track="monaco", options=options, deck=deck).race.cars) == most + 1


@pytest.mark.article("death", "upgrades.limited")
def test_a_card_dealt_twice_is_refused() -> None:
    with pytest.raises(BadSetup, match="More cards of flamer have been dealt than there are; there is 1"):
        grid({"car": 1, "weapons": {"flamer": 1}}, {"car": 2, "weapons": {"flamer": 1}})
    with pytest.raises(BadSetup, match="More cards of chaff-release have been dealt than there are; there is 2"):
        grid(*({"car": n, "defence": "chaff-release"} for n in (1, 2, 3)))


@pytest.mark.parametrize(
    ("setup", "match"),
    [
        ({"track": "monza"}, "corner sheet"),
        ({"options": {"stall_to": 5, "great_from": 1}}, "."),
        ({"options": {"stall_to": 5, "great_from": 5}}, "cannot both stall up to 5 and be a great one from 5"),
        ({"options": {"car_points": -2}}, "car_points"),
        ({"options": {"stand_points": 2}}, "no figure or switch called stand_points"),
        ({"cars": [{"car": 1, "weapons": ["flamer"]}, {"car": 2}]}, "weapons wants an object"),
    ],
)
def test_setups_that_make_no_sense_are_refused(setup: dict[str, Any], match: str) -> None:
    with pytest.raises(BadSetup, match=match):
        rules({"cars": [{"car": 1}, {"car": 2}], **setup}, setup.pop("track", "monaco"))


PILE = ["2:left:1"]


def mine(at: str, owner: int = 1) -> dict[str, Any]:
    """A slip mine on the board."""
    return {"car": owner, "card": "slip-mines", "at": at}


@pytest.mark.article("death", "phase.attack", "basic.grid")
@pytest.mark.parametrize(
    ("setup", "match"),
    [
        ({"grid": [1, 3]}, '"grid" lists every car of the race once, from pole; .1, 3. does not'),
        ({"grid": [1, 1, 2]}, '"grid" lists every car'),
        ({"attackers": [9]}, '"attackers" lists cars still in the race, each once; .9. does not'),
        ({"attackers": [1, 1]}, '"attackers" lists cars'),
        ({"moved": [9]}, '"moved" lists cars of the race by number, each once; .9. does not'),
        ({"moved": [1, 1]}, '"moved" lists cars'),
        ({"to_play": [9]}, "to_play"),
    ],
)
def test_a_list_of_cars_that_makes_no_sense_is_refused(setup: dict[str, Any], match: str) -> None:
    with pytest.raises(BadSetup, match=match):
        rules({"cars": [{"car": 1}, {"car": 2}], **setup})


@pytest.mark.article("death", "basic.grid")
def test_a_setup_may_bring_the_grid() -> None:
    assert [car.number for car in rules({"cars": list(TWO), "grid": [2, 1]}).preparing.grid_order()] == [2, 1]


@pytest.mark.article("death", "wreckage.marker", "weapon.slip-mines", "weapon.remote-mines")
@pytest.mark.parametrize(
    ("setup", "match"),
    [
        (
            {"mines": [mine("pit:1")]},
            "A mine lies on a space of the track and belongs to a car of the race; pit:1 or 1",
        ),
        ({"mines": [mine("2:left:1", 7)]}, "belongs to a car of the race; 2:left:1 or 7 is none"),
        ({"piles": {"2:left:1": 1}}, '"piles" counts markers beyond the first on a space of "dangers"; 2:left:1 is'),
        ({"dangers": PILE, "piles": {"2:left:1": 0}}, '"piles" counts markers beyond the first'),
        ({"dangers": PILE, "piles": {"2:left:1": 100}}, '"piles" counts markers beyond the first'),
        ({"dangers": ["pit:2"]}, "Wreckage lies on the track, not in the pits"),
        ({"dangers": ["2:left:1", "pit:2"]}, "Wreckage lies on the track, not in the pits"),
        ({"dangers": ["nowhere"]}, "nowhere"),
    ],
)
def test_mines_and_wreckage_lie_on_the_track(setup: dict[str, Any], match: str) -> None:
    with pytest.raises(BadSetup, match=match):
        rules({"cars": [{"car": 1}, {"car": 2}], **setup})


@pytest.mark.article("death", "wreckage.marker", "weapon.slip-mines")
def test_mines_and_piles_may_lie_there_from_the_start_on_the_line_too() -> None:
    for count in (1, 99):
        setup = {"dangers": ["2:left:1", "0:left:1"], "piles": {"2:left:1": count}, "mines": [mine("0:left:1")]}
        race = rules({"cars": [{"car": 1}, {"car": 2}], **setup}).race
        assert (race.piles, len(race.mines)) == ({"2:left:1": count}, 1)


@pytest.mark.article("death", "upgrades.random", "upgrades.pick", "upgrades.limited", "upgrades.powerful")
def test_a_question_names_its_article_and_marks_powerful_cards() -> None:
    dealt, picked = grid(*TWO), grid(*TWO, options={"pick_cards": True})
    assert [table.talk.question.article for table in (dealt, picked) if table.talk.question] == [
        "upgrades.random", "upgrades.pick",
    ]  # fmt: skip
    assert dealt.option("turret-mg").facts == {"kind": "weapon", "left": 1, "powerful": True}
    dealt.say("flamer")
    assert "flamer" not in [option.answer for option in dealt.options]


@pytest.mark.article("death", "upgrades.pick", "upgrades.powerful")
def test_a_powerful_card_takes_the_one_of_two_kinds_that_its_driver_names() -> None:
    table = grid({"car": 1, "defence": "bravado"}, options={"pick_cards": True})
    table.say("turret-mg")
    assert [option.answer for option in table.options] == ["weapon", "utility"]


@pytest.mark.article("death", "upgrades.random", "upgrades.limited", "upgrades.powerful")
@pytest.mark.parametrize("deck", [1, 2, 3])
def test_cards_come_from_the_top_of_the_deck_and_a_powerful_one_is_passed_over_where_it_does_not_fit(deck: int) -> None:
    """Six cars lack a defence alone; the deck of defences is the second."""
    plain = [card.key for card in of_kind("weapon") if not card.powerful]
    utilities = [card.key for card in of_kind("utility")]
    cars = [{"weapons": dict.fromkeys(plain[2 * n : 2 * n + 2], 1), "utility": utilities[n]} for n in range(6)]
    printed = shuffled([card.key for card in of_kind("defence") for _ in range(card.copies)], deck, 1001)
    table = grid(*({"car": n, **car} for n, car in enumerate(cars, 1)), deck=deck)
    fitting = [key for key in printed if not CARDS[key].powerful]
    assert [car.defence for car in table.race.cars] == fitting[:6]


@pytest.mark.article("death", "basic.pool", "pit.refill")
def test_where_there_are_no_pits_nobody_has_a_box() -> None:
    assert grid({"car": 1}, track=TOW).car(1).box == 0


@pytest.mark.article("death", "basic.pool", "pit.refill")
def test_points_and_boxes_that_a_car_brings_are_its_own() -> None:
    table = grid({"car": 1, "wear": {"points": 18}, "box": 3}, {"car": 2})
    assert (table.car(1).wear, table.car(1).box, table.car(2).wear, table.car(2).box) == (
        {"points": 18}, 3, {"points": 18}, 1,
    )  # fmt: skip


@pytest.mark.article("death", "basic.pool")
@pytest.mark.parametrize(
    ("more", "most"), [({}, 18), ({"wear": {"points": 25}}, 25), ({"wear": {"points": 3}}, 18),
                       ({"wear": {"points": 3}, "built": {"points": 12}}, 12)],
)  # fmt: skip
def test_in_a_position_a_car_had_what_it_has_and_all_its_points_at_least(more: dict[str, Any], most: int) -> None:
    car = {"car": 1, "at": "2:left:1", "lap": 1, "status": "racing", **more}
    assert rules({"cars": [car], "to_play": [1]}).car(1).built == {"points": most}


@pytest.mark.article("death", "upgrades.limited")
def test_the_referee_sets_tokens_stocks_and_cards() -> None:
    table = attacking(armed(1, "L6", "flamer", "mag-gun", utility="grip-tyres"), armed(2, "L8", defence="bravado"))
    table.talk.override({"car": 1, "weapons": {"flamer": 99}, "stock": {"grip-tyres": 1}, "used": True})
    car = table.car(1)
    assert (car.weapons, car.stock, car.used) == ({"flamer": 99, "mag-gun": 0}, {"grip-tyres": 1}, True)
    table.talk.override({"car": 1, "defence": "light-armour", "utility": ""})
    assert (table.car(1).defence, table.car(1).utility) == ("light-armour", "")
    for change, match in (
        ({"weapons": {"rear-mg": 1}}, "has flamer, mag-gun; only these can be set"),
        ({"weapons": ["flamer"]}, "has flamer, mag-gun; only these can be set"),
        ({"weapons": {"flamer": 100}}, "holds 0 to 99"),
        ({"weapons": {"flamer": -1}}, "holds 0 to 99"),
        ({"weapons": {"flamer": True}}, "holds 0 to 99"),
        ({"weapons": {"flamer": 0, "mag-gun": 100}}, "holds 0 to 99"),
        ({"defence": "turbo"}, "turbo is no defence"),
        ({"defence": "nothing"}, "nothing is no defence"),
        ({"defence": ["bravado"]}, "is no defence"),
        ({"used": 1}, "true or false"),
        ({"tyres": "soft"}, "cannot be set"),
    ):  # fmt: skip
        with pytest.raises(BadOverride, match=match):
            table.talk.override({"car": 1, **change})
    with pytest.raises(BadOverride, match="cannot be set"):
        table.talk.override({"sky": "rain"})
    only = attacking(armed(1, "L6", utility="turbo"), armed(2, "L8"))
    with pytest.raises(BadOverride, match="Every card of turbo is on another car"):
        only.talk.override({"car": 2, "utility": "turbo"})


@pytest.mark.article("death", "upgrades.slots", "upgrades.limited", "utility.grip-tyres")
@pytest.mark.parametrize(("stock", "left"), [({}, 3), ({"stock": {"grip-tyres": 1}}, 1)])
@pytest.mark.parametrize(
    "holds", [{}, {"utility": "grip-tyres", "stock": {"grip-tyres": 2}}, {"stripped": ["grip-tyres"]}]
)
def test_the_referee_gives_a_card_with_as_much_on_it_as_he_says(
    holds: dict[str, Any], stock: dict[str, Any], left: int
) -> None:
    table = attacking(armed(1, "L6"), armed(2, "L8", **holds))
    table.talk.override({"car": 2, "utility": "grip-tyres", **stock})
    assert (table.car(2).utility, table.car(2).stock) == ("grip-tyres", {"grip-tyres": left})


@pytest.mark.article("death", "upgrades.slots")
@pytest.mark.parametrize("name", ["weapons", "stock"])
def test_nothing_can_be_set_on_cards_that_a_car_has_not(name: str) -> None:
    table = attacking(armed(1, "L6"), armed(2, "L8"), armed(3, "R8"))
    table.car(2).weapons.clear()
    with pytest.raises(BadOverride, match="Car 2 has no card of that kind; only what lies on its cards can be set"):
        table.talk.override({"car": 2, name: {"flamer": 1}})


@pytest.mark.article("death", "upgrades.limited", "weapon.chain-blades")
def test_the_referee_gives_a_card_back_to_the_car_that_it_was_torn_off() -> None:
    """It waits in the pits for that car, and is on no other."""
    table = attacking(armed(1, "L6"), armed(2, "L8", stripped=["bravado", "turbo"]))
    with pytest.raises(BadOverride, match="Every card of turbo is on another car"):
        table.talk.override({"car": 1, "utility": "turbo"})
    table.talk.override({"car": 2, "utility": "turbo"})
    assert (table.car(2).utility, table.car(2).stripped) == ("turbo", ["bravado"])


@pytest.mark.article("death", "upgrades.slots", "upgrades.powerful")
@pytest.mark.parametrize(
    ("holds", "change", "second"),
    [
        ({"defence": "heavy-armour", "second": ["utility"]}, {"defence": ""}, []),
        ({"defence": "heavy-armour", "second": ["utility"]}, {"defence": "bravado", "utility": "turbo"}, []),
        ({"defence": "bravado", "utility": "turbo"}, {"defence": "heavy-armour"}, ["weapon"]),
        ({"defence": "bravado", "utility": "turbo"}, {"utility": ""}, []),
    ],
)
def test_a_powerful_card_takes_its_second_slot_and_gives_it_back_by_the_referees_word(
    holds: dict[str, Any], change: dict[str, Any], second: list[str]
) -> None:
    table = attacking(armed(1, "L6"), armed(2, "L8", "flamer", **holds))
    table.talk.override({"car": 2, **change})
    assert table.car(2).second == second
    assert begin(table.rulebook.state(), table.rulebook.track).race.cars == table.race.cars


@pytest.mark.article("death", "upgrades.slots", "upgrades.powerful")
@pytest.mark.parametrize(
    ("weapons", "holds", "change", "match"),
    [
        ("flamer rear-mg", {"utility": "turbo"}, {"defence": "heavy-armour"}, "Powerful card takes one more slot"),
        (
            "flamer",
            {"defence": "heavy-armour", "second": ["utility"]},
            {"utility": "turbo"},
            "Car 2 has 1 utility slots",
        ),
        ("flamer", {"utility": "grip-tyres"}, {"stock": {"grip-tyres": 4}}, "grip-tyres holds 3, not 4"),
    ],
)
def test_the_referee_puts_no_more_on_a_car_than_there_is_room_for(
    weapons: str, holds: dict[str, Any], change: dict[str, Any], match: str
) -> None:
    table = attacking(armed(1, "L6"), armed(2, "L8", *weapons.split(), **holds))
    before = table.rulebook.save()
    with pytest.raises(BadOverride, match=match):
        table.talk.override({"car": 2, **change})
    assert table.rulebook.save() == before


@pytest.mark.article("death", "upgrades.slots", "upgrades.powerful")
def test_cards_that_he_does_not_set_bar_no_other_word_of_the_referee() -> None:
    """A race may be older than this check."""
    table = attacking(armed(1, "L6"), armed(2, "L8", utility="grip-tyres"))
    table.car(2).stock["grip-tyres"] = 9
    table.talk.override({"car": 2, "wear": {"points": 3}})
    assert table.car(2).wear == {"points": 3}


@pytest.mark.article("death", "pit.refill", "utility.grip-tyres")
def test_a_correction_gives_no_token_back_that_the_pits_have_given_since() -> None:
    full = DeathCar(number=1, utility="grip-tyres", stock={"grip-tyres": 3})
    used = DeathCar(number=1, utility="grip-tyres", stock={"grip-tyres": 1})
    more: dict[str, Any] = {"gear": 2, "stock": {"grip-tyres": 4}}
    assert (full.within(dict(more)), used.within(dict(more))) == ({"gear": 2}, {"gear": 2, "stock": {"grip-tyres": 3}})
    assert used.within({"stock": {"grip-tyres": 2}}) == {"stock": {"grip-tyres": 2}}


@pytest.mark.article("death", "basic.grid")
def test_the_grid_is_told_once_when_it_is_settled() -> None:
    table = grid(*TWO, options={"grid_by_die": True})
    table.say(5)
    assert "grid_rolled" not in table.kinds()
    table.say(12)
    assert table.kinds().count("grid_rolled") == 1


@pytest.mark.article("death", "basic.pool")
def test_a_car_is_told_with_its_points() -> None:
    table = grid({"car": 1}, options={"car_points": 25})
    assert table.ruling("build").facts == {"built": {"points": 25}, "stand": 0}


@pytest.mark.article("death", "phase.attack", "basic.grid")
@pytest.mark.parametrize(
    ("setup", "match"),
    [({"home": [9]}, '"home" lists cars'), ({"home": [2], "attackers": [2, 1]}, '"attackers" lists cars still in')],
)
def test_neither_a_strange_car_nor_one_that_is_home_acts_or_is_home(setup: dict[str, Any], match: str) -> None:
    cars = [
        {"car": 1, "at": "2:left:1", "lap": 1, "status": "racing"},
        {"car": 2, "at": None, "lap": 3, "status": "finished"},
    ]
    with pytest.raises(BadSetup, match=match):
        rules({"cars": cars, "laps": 2, "to_play": [], "attacking": True, **setup})


@pytest.mark.article("death", "spin.zero", "basic.pool")
def test_by_the_switch_no_car_races_without_a_point() -> None:
    def position(switch: bool, points: int, **more: Any) -> Any:
        car = {"car": 1, "at": "2:left:1", "lap": 1, "status": "racing", "wear": {"points": points}, **more}
        return rules({"cars": [car, {"car": 2, "at": "2:left:2", "lap": 1, "status": "racing"}], "to_play": [2],
                      "options": {"out_at_zero": switch}})  # fmt: skip

    for switch, points, more in ((False, 0, {}), (True, 1, {}), (True, 0, {"status": "out", "cause": "destroyed"})):
        assert position(switch, points, **more).car(1).wear == {"points": points}
    with pytest.raises(BadSetup, match="Car 1 has no point left and is out at 0; give it one, or status out"):
        position(True, 0)
    assert rules({"cars": list(TWO), "options": {"out_at_zero": True}}).car(1).wear == {}
