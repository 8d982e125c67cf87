"""Before the race: charts, the substitute car, bots, qualifying, fuel and strategies."""

from __future__ import annotations

from typing import Any

import pytest

from companion.rules.conversation.errors import BadSetup
from companion.rules.conversation.shuffling import shuffled
from companion.rules.ninety.cards import RaceCard, card, card_named, go_together, new_deck
from companion.rules.rulebooks import begin
from tests.rules.ninety.stage import TRACK, Stage, bot, car, driving

CHART = {"tyres": 12, "cards": 6, "damage": 4}


def players(count: int, **setup: Any) -> Stage:
    """A race before its start, with charts dealt and every hand kept."""
    stage = Stage([{"car": number, "built": CHART} for number in range(1, count + 1)], **setup)
    for _ in range(count):
        stage.say(False)
    return stage


@pytest.mark.article("ninety", "chart.car", "practice.setup")
def test_a_chart_says_tyres_cards_and_damage_and_the_hand_is_drawn() -> None:
    stage = Stage([{"car": 1}, {"car": 2}])
    assert stage.open == ("chart", 1)
    stage.say({"tyres": 11, "cards": 7, "damage": 5})
    assert stage.car(1).wear == stage.car(1).built == {"tyres": 11, "cards": 7, "damage": 5}
    stage.say(CHART)
    assert stage.open == ("substitute", 1)


@pytest.mark.article("ninety", "chart.car")
def test_a_chart_is_dealt_once() -> None:
    stage = Stage([{"car": 1}, {"car": 2}])
    assert stage.talk.question is not None
    assert stage.talk.question.fields == {"tyres": [0, 40], "cards": [1, 20], "damage": [1, 20]}
    first = stage.answers[0]
    stage.say(first)
    assert first not in stage.answers


@pytest.mark.article("ninety", "chart.car")
@pytest.mark.parametrize("chart", [(0, 1, 1), (40, 20, 20)])
def test_a_chart_may_say_this(chart: tuple[int, int, int]) -> None:
    stage = Stage([{"car": 1}, {"car": 2}])
    stage.say(dict(zip(CHART, chart, strict=True)))
    assert tuple(stage.car(1).built.values()) == chart


@pytest.mark.article("ninety", "chart.car")
@pytest.mark.parametrize(
    ("chart", "said"),
    [
        ({"tyres": 12, "cards": 6}, "A chart says tyres, cards and damage"),
        (["tyres", "cards", "damage"], "A chart says tyres, cards and damage"),
        ({**CHART, "tyres": -1}, "-1"),
        ({**CHART, "tyres": 41}, "A chart has 0 to 40 tyres; 41 is not on any"),
        ({**CHART, "cards": 0}, "A chart has 1 to 20 cards; 0 is not on any"),
        ({**CHART, "cards": 21}, "A chart has 1 to 20 cards; 21 is not on any"),
        ({**CHART, "damage": 0}, "A chart has 1 to 20 damage; 0 is not on any"),
        ({**CHART, "damage": 21}, "A chart has 1 to 20 damage; 21 is not on any"),
    ],
)
def test_a_chart_may_not_say_that(chart: Any, said: str) -> None:
    Stage([{"car": 1}, {"car": 2}]).refuses(chart, said)


@pytest.mark.article("ninety", "chart.car", "practice.setup")
def test_with_a_deck_of_the_program_a_chart_is_the_same_for_its_number() -> None:
    charts = {}
    for deck in (5, 6, 7, 8):
        stage = Stage([{"car": 1}, {"car": 2}], deck=deck)
        charts[deck] = [tuple(stage.car(number).built.values()) for number in (1, 2)]
    assert charts == {
        5: [(12, 5, 5), (12, 6, 4)], 6: [(11, 6, 5), (13, 5, 4)],
        7: [(12, 5, 5), (11, 7, 4)], 8: [(13, 6, 3), (11, 7, 4)],
    }  # fmt: skip


@pytest.mark.article("ninety", "chart.car", "practice.setup")
@pytest.mark.parametrize("deck", [0, *range(5, 15)])
def test_of_charts_that_are_alike_each_is_dealt(deck: int) -> None:
    charts = [[12, 6, 4], [12, 6, 4], [11, 5, 3]]
    stage = Stage([{"car": number} for number in (1, 2, 3)], deck=deck, options={"charts": charts})
    for left in (2, 2, 1) if not deck else ():
        assert len(stage.answers) == left
        stage.say(stage.answers[0])
    assert sorted([one.built["tyres"], one.built["cards"], one.built["damage"]] for one in stage.race.cars[:3]) == [
        [11, 5, 3], [12, 6, 4], [12, 6, 4],
    ]  # fmt: skip


@pytest.mark.article("ninety", "quali.cards", "cards.race")
def test_a_check_card_set_before_qualifying_comes_from_the_deck_and_goes_back_to_it() -> None:
    stage = Stage([{"car": 1, "built": CHART}], deck=5, options={"bots_few": 0})
    stage.say(False)
    top = stage.race.pile[-1]
    stage.talk.override({"car": 1, "check": top})
    assert (stage.race.discards, stage.car(1).check) == ([], top)
    begin(stage.rulebook.state(), TRACK)
    stage.say(stage.answers[0])
    assert stage.race.discards == [top]


@pytest.mark.article("ninety", "practice.substitute")
def test_the_substitute_car_brings_a_new_hand_once() -> None:
    stage = Stage([{"car": 1, "built": CHART}], deck=5, options={"bots_few": 0})
    before = list(stage.car(1).hand)
    stage.say(True)
    assert len(stage.car(1).hand) == 6
    assert stage.car(1).hand != before
    assert stage.ruled("substitute", 1)
    assert stage.open == ("qualify", 1)


@pytest.mark.article("ninety", "bots.number")
@pytest.mark.parametrize(("count", "each"), [(1, 3), (2, 3), (3, 3), (4, 2), (6, 2)])
def test_the_number_of_bots_follows_the_players(count: int, each: int) -> None:
    race = Stage([{"car": number} for number in range(1, count + 1)]).race
    for kind in ("slow", "fast"):
        assert sum(one.bot == kind for one in race.cars) == each


@pytest.mark.article("ninety", "cards.race")
def test_a_card_has_type_value_factor_and_symbols() -> None:
    assert card_named("  s3 45 tCt") == "S3 45 TTC"
    assert card("S3 45 TTC") == RaceCard("speeding", 3, 45, "TTC")
    assert card("E1 100").symbols == ""
    assert [card(f"{letter}2 7").type for letter in "SDGE"] == ["speeding", "driving", "gear", "event"]


def test_the_deck_of_the_program_is_as_proposed_and_the_same_for_its_number() -> None:
    deck = new_deck((52, 56, 48, 28))
    assert len(deck) == 184
    assert [sum(card(code).value == value for code in deck) for value in (1, 2, 3, 4)] == [52, 56, 48, 28]
    assert all(card(code).count("T") == card(code).value - 1 for code in deck if card(code).type == "speeding")
    assert all(card(code).count("C+-") == 1 for code in deck if card(code).type == "driving")
    assert sorted(card_named(code) for code in deck) == sorted(deck)
    low = sum(card(code).factor <= 50 for code in deck)
    assert 90 <= low <= 94
    assert shuffled(deck, 3, 0) == shuffled(deck, 3, 0) != shuffled(deck, 4, 0)
    assert shuffled(deck, 3, 1) != shuffled(deck, 3, 0)
    assert sorted(shuffled(deck, 3, 1)) == sorted(deck)


@pytest.mark.article("ninety", "cards.race")
@pytest.mark.parametrize("counts", [(10, 10, 10, 7), (37, 37, 37, 37), (40, 40, 40, 28), (100, 100, 100, 70)])
def test_the_factors_of_a_deck_are_spread_whatever_its_size(counts: tuple[int, int, int, int]) -> None:
    """In one of 37, 74 or 148 cards too, where every factor was once 1, or one of four."""
    factors = [card(code).factor for code in new_deck(counts)]
    assert len(set(factors)) == min(len(factors), 100)
    assert abs(sum(factor <= 50 for factor in factors) - len(factors) / 2) <= 1


@pytest.mark.article("ninety", "quali.cards")
def test_the_highest_value_is_on_pole_and_then_the_lower_factor() -> None:
    stage = players(2)
    stage.say("S3 45", "G3 44")  # the players, then three slow and three fast bots
    stage.say("D1 1", "D1 2", "D1 3", "E4 90", "D1 5", "D1 6")
    assert stage.race.grid == [6, 2, 1, 7, 8, 3, 4, 5]  # the fast bot with its 5 first, the others of them with 2
    assert stage.ruled("qualifies", 6)[0].facts["value"] == 5
    assert (stage.car(1).check, stage.car(1).wear["cards"]) == ("S3 45", 6)


@pytest.mark.article("ninety", "quali.cards")
def test_who_is_level_in_value_and_factor_turns_a_card_over() -> None:
    stage = players(3, options={"bots_few": 0})
    stage.say("S3 45", "G3 45", "G3 46")
    asked = []
    for card_shown in ("G1 70", "G1 70", "G1 60", "G4 59"):
        assert stage.talk.question is not None
        asked.append((stage.open, stage.talk.question.what))
        stage.say(card_shown)
    drawn = [(("drawn", 1), "level_1"), (("drawn", 2), "level_1"), (("drawn", 1), "level_2"), (("drawn", 2), "level_2")]
    assert asked == drawn
    assert stage.race.grid == [2, 1, 3]


@pytest.mark.article("ninety", "quali.cards")
def test_who_stays_level_with_a_deck_too_small_to_part_him_is_placed_by_lot() -> None:
    """Of one card; whoever is not level has his place by his card."""
    grids = set()
    for deck in range(1, 9):
        stage = players(3, deck=deck, options={"bots_few": 0, "deck_values": [0, 0, 1, 0]})
        while stage.race.phase == "setup":
            stage.say(stage.answers[0])
        assert sorted(stage.race.grid) == [1, 2, 3]
        grids.add(tuple(stage.race.grid))
        # as many as are in the hands and check areas come from decks that are new; one of them is turned over 60 times
        assert len(stage.race.pile) + len(stage.race.discards) == 1
    assert len(grids) > 2
    parted = players(1, deck=7, options={"bots_few": 1, "deck_values": [1, 0, 0, 0]})
    while parted.race.phase == "setup":
        parted.say(parted.answers[0])
    assert parted.race.grid[0] == 3  # the fast bot


@pytest.mark.article("ninety", "quali.cards")
def test_who_is_level_at_the_table_turns_cards_over_until_he_is_not() -> None:
    stage = players(2, options={"bots_few": 0})
    stage.say("S3 45", "G3 45", *["G1 70"] * 80, "G1 60", "G1 59")
    assert stage.race.grid == [2, 1]


@pytest.mark.article("ninety", "fuel.deadlines")
def test_the_fuel_follows_the_grid() -> None:
    stage = players(4, options={"bots_many": 0})
    stage.say("S4 1", "S3 1", "S2 1", "S1 1")
    assert [stage.car(number).fuel for number in (1, 2, 3, 4)] == [8, 10, 12, 14]
    pair = players(2, options={"bots_few": 0})
    pair.say("S4 1", "S3 1")
    assert [pair.car(number).fuel for number in (1, 2)] == [8, 14]


@pytest.mark.article("ninety", "strategy.choose", "quali.cards")
def test_strategies_are_chosen_in_qualifying_order_and_chase_only_if_the_table_wants_it() -> None:
    stage = players(2, options={"bots_few": 0})
    stage.say("S1 1", "S4 1")
    assert stage.open == ("strategy", 2)
    assert stage.answers == ["save_tyres", "hazard", "balance", "lucky", "banging"]
    stage.refuses("chase", "This question allows")
    stage.say("lucky")
    assert stage.open == ("strategy", 1)
    stage.say("hazard")
    assert (stage.race.phase, stage.race.round) == ("race", 1)
    assert stage.queue(1) == [2, 1]
    assert "chase" in players_with_chase().answers


def players_with_chase() -> Stage:
    stage = players(1, options={"bots_few": 0, "chase": True})
    stage.say("S1 1")
    return stage


@pytest.mark.article("ninety", "play.cards")
@pytest.mark.parametrize(
    ("codes", "fits"),
    [(["S4 1"], True), (["S1 1", "G4 2"], True), (["S2 1", "G2 2"], True), (["S2 1", "G3 2"], False),
     (["S3 1", "G3 2"], False), (["S1 1", "S1 2", "S1 3"], False)],
)  # fmt: skip
def test_two_cards_go_together_if_one_is_a_1_or_both_are_2(codes: list[str], fits: bool) -> None:
    assert go_together(codes) is fits


@pytest.mark.parametrize(
    ("setup", "said"),
    [
        ({"cars": [{"car": 1, "wear": {"tyres": 3}}]}, "already racing"),
        ({"cars": [{"car": 1, "at": "section:5"}]}, "already racing"),
        ({"cars": [{"car": 1, "permanent": 1}]}, "already racing"),
        ({"cars": [{"car": 1, "freed": True}]}, "already racing"),
        ({"cars": [{"car": 1, "hand": ["S3 45"]}], "deck": 7}, "has cards or wear, but no chart"),
        ({"cars": [{"car": 1}, {"car": 1}]}, "Two cars have the number 1"),
        ({"cars": [{"car": n} for n in range(1, 98)]}, "A race has at most 20 cars; this one has 97"),
        ({"cars": [{"car": n} for n in range(1, 19)]}, "A race has at most 20 cars; this one has 22"),
        ({"cars": [{"car": 1, "bot": "slow"}]}, "needs a driver who is no bot"),
        ({"cars": [{"car": 1}], "laps": 99}, "A race has 2 to 60 turns; 99 is not"),
        ({"cars": [{"car": 1}], "weather": "sun"}, "A setup has no weather"),
        ({"cars": [{"car": 1}], "deck": -1}, "A deck's number is 0"),
        ({"cars": [{"car": 1}], "options": {"engine_dry": 4}}, "no figure or switch called engine_dry"),
        ({"cars": [{"car": 1, "built": {"tyres": 1}}]}, "Car 1: A chart says tyres"),
        ({"cars": [{"car": 1, "at": "section:11"}], "to_play": [1]}, "Ring has no section section:11; its sections"),
        ({"cars": [{"car": 1, "at": "section:0"}], "to_play": [1]}, "no section section:0; its sections are section:1"),
        ({"cars": [{"car": 1, "section": 1}], "to_play": [1]}, 'Car 1: there is no "section" here; .* arrived, at'),
        ({"cars": [{"line": 1}], "to_play": [1]}, 'cars, entry 1: there is no "line" here; .* place, point, shown'),
        ({"cars": [{"at": "section:0"}], "to_play": [1]}, "cars, entry 1: Ring has no section section:0"),
        ({"cars": [{"car": 1, "at": 3}], "to_play": [1]}, "Ring has no section 3"),
        ({"cars": [{"car": 1}], "contested": [[1, "section:11"]], "to_play": [1]}, '"contested": Ring has no section'),
        ({"cars": [{"car": 1}], "options": {"deck_values": [0, 0, 0, 0]}}, "“deck_values” has 0 of each"),
        ({"cars": [{"car": 1}], "options": {"charts": []}}, "There is one car chart at least; “charts” has none"),
        ({"cars": [{"car": 1}], "to_play": [2]}, '"to_play" lists the cars on the track'),
        ({"cars": [{"car": 1, "hand": ["X1 2"]}], "to_play": [1]}, "Car 1: A card is written by type"),
        ({"cars": [{"car": 1, "wear": {"engine": 2}}], "to_play": [1]}, "no pool called engine"),
        ({"cars": [{"car": 1, "point": 5}], "to_play": [1]}, "no trajectory point 5"),
        ({"cars": [{"car": 1, "permanent": 9}], "to_play": [1]}, "holds 4 damage, no more"),
        ({"cars": [{"car": 1}, {"car": 2}], "grid": [2, 1]}, '"grid" is said of a race that is under way'),
        ({"cars": [{"car": 1}], "round": 3}, '"round" is said of a race that is under way'),
        ({"cars": [{"car": 1}], "to_play": [1], "grid": [9]}, '"grid" lists cars of the race; it has no car 9'),
        ({"cars": [{"car": 1}], "to_play": [1], "gone": [7]}, '"gone" lists cars of the race; it has no car 7'),
        ({"cars": [{"car": 1}], "to_play": [1], "gone": [1]}, '"gone" lists each car that is out once; 1 is not'),
        ({"cars": [{"car": 1}], "to_play": [1], "contested": [[1]]}, '"contested" lists cars, each with a section'),
        ({"cars": [{"car": 1}], "to_play": [1], "contested": [[1, 10]]}, '"contested": Ring has no section 10'),
        ({"cars": [{"car": 1}], "to_play": [1], "contested": [[2, "section:4"]]}, '"contested" lists cars, each'),
        ({"cars": [{"car": 1, "arrived": 2}, {"car": 2, "arrived": 2}], "to_play": [1]}, '"arrived" is the moment'),
        ({"cars": [{"car": 1, "arrived": -1}], "to_play": [1]}, '"arrived" is the moment'),
        ({"cars": [{"car": 1}], "to_play": [1], "pile": ["joker"]}, '"pile" lists cards, such as'),
    ],
)  # fmt: skip
def test_a_bad_setup_is_one_sentence(setup: dict[str, Any], said: str) -> None:
    with pytest.raises(BadSetup, match=said) as refused:
        Stage(**setup)
    assert str(refused.value).endswith(".")


def test_who_has_no_moment_of_his_own_stands_behind_those_who_have() -> None:
    """And the fuel that a position leaves out goes by the place on the grid, not by the list."""
    stage = driving(car(1, 5), car(2, 5, arrived=3), {**car(3, 5), "arrived": 1, "fuel": 0, "place": 2})
    assert stage.queue(5) == [3, 2, 1]
    assert stage.car(3).fuel == 10


def test_a_position_goes_on_from_its_state() -> None:
    stage = driving({"car": 1, "at": "section:4"}, {"car": 2, "at": "section:4"}, deck=9)
    state = stage.rulebook.state()
    assert state["to_play"] == [1, 2]
    again = Stage(**{key: value for key, value in state.items() if key not in ("rulebook", "track")})
    assert again.rulebook.save() == stage.rulebook.save()


def test_a_position_names_sections_as_everybody_does() -> None:
    stage = driving({"car": 1, "at": "section:4"}, {"car": 2, "at": "section:4"}, {"car": 3, "at": "section:9"})
    stage.say("go", "G1 10")
    state = stage.rulebook.state()
    assert [one["at"] for one in state["cars"]] == ["section:4", "section:4", "section:10"]
    assert "section" not in state["cars"][0]
    stage.say(False, False)
    named = [[1, "section:4"], [2, "section:4"]]
    state = stage.rulebook.state()
    assert (sorted(state["contested"]), state["round"]) == (named, 5)
    again = Stage(**{key: value for key, value in state.items() if key not in ("rulebook", "track")})
    assert again.rulebook.save() == stage.rulebook.save()


@pytest.mark.article("ninety", "cards.race")
def test_a_deck_that_is_used_up_is_shuffled_from_what_was_laid_down() -> None:
    stage = driving(car(1, 8), deck=9, options={"deck_values": [4, 3, 1, 1]})
    rulebook = stage.rulebook
    assert len(stage.car(1).hand) == 6
    drawn = [rulebook.hand.next_card() for _ in range(3)]
    assert sorted([*drawn, *stage.car(1).hand]) == sorted(new_deck((4, 3, 1, 1)))
    rulebook.hand.lay_down(drawn)
    assert sorted(rulebook.hand.next_card() for _ in range(3)) == sorted(drawn)
    assert stage.race.shuffles == 2


@pytest.mark.article("ninety", "cards.race")
def test_the_first_cards_come_from_the_deck_shuffled_once() -> None:
    stage = driving(car(1, 8), deck=9)
    assert stage.car(1).hand == shuffled(new_deck((52, 56, 48, 28)), 9, 0)[: -6 - 1 : -1]
    assert stage.race.shuffles == 1


@pytest.mark.article("ninety", "cards.race")
def test_where_every_card_is_in_a_hand_another_deck_is_shuffled() -> None:
    stage = driving(car(1, 8), deck=9, options={"deck_values": [2, 0, 0, 0]})
    assert sorted(stage.car(1).hand) == sorted(new_deck((2, 0, 0, 0)) * 3)


@pytest.mark.article("ninety", "chart.car", "bots.values")
@pytest.mark.parametrize("more", [{"wear": {"cards": 0}}, {"built": CHART}])
def test_a_bot_of_a_position_has_no_chart_that_could_be_wrong(more: dict[str, Any]) -> None:
    """Whatever is counted for it."""
    table = driving(car(1, 3), bot(5, 4, **more))
    assert table.open is not None


@pytest.mark.parametrize("deck", [0, 5])
def test_a_race_that_is_being_prepared_goes_on_whatever_its_position_leaves_out(deck: int) -> None:
    """At each question on the way to the strategies, without any one thing that it says of a car: the chart is full and
    the hand is there."""
    stage = Stage([{"car": 1}, {"car": 2}], deck=deck, options={"bots_few": 0})
    while stage.open is not None and stage.open[0] != "strategy":
        state = stage.rulebook.state()
        for missing in state["cars"][0].keys() - {"car", "built"}:
            first = {name: value for name, value in state["cars"][0].items() if name != missing}
            again = Stage([first, state["cars"][1]], deck=deck, options=state["options"], phase="setup")
            while again.open is not None and again.open[0] != "strategy":
                again.say(again.answers[0] if again.answers else "S3 45" if again.open[1] == 1 else "S3 46")
            one = again.car(1)
            assert one.wear.keys() == CHART.keys(), missing
            assert len(one.hand) == (one.wear["cards"] if deck else 0), missing
            assert one.check == one.shown, missing
        stage.say(stage.answers[0] if stage.answers else "S3 45" if stage.open[1] == 1 else "S3 46")


@pytest.mark.article("ninety", "fuel.deadlines", "quali.cards")
def test_with_a_grid_that_a_position_says_come_its_places_and_their_fuel() -> None:
    shown = {"built": CHART, "substitute": "kept", "shown": "S3 45", "strategy": "lucky"}
    cars = [{"car": 1, **shown}, {"car": 2, **shown, "fuel": 9}, {"car": 3, **shown}, {"car": 4, **shown}]
    stage = Stage(cars, phase="setup", grid=[3, 1, 2, 4], options={"bots_few": 0})
    assert stage.open == ("declare", 3)
    assert [(stage.car(n).place, stage.car(n).fuel) for n in (3, 1, 2, 4)] == [(1, 8), (2, 10), (3, 9), (4, 14)]
    for wrong in ([3, 1, 2], [3, 1, 2, 2], [3, 1, 2, 4, 4]):
        with pytest.raises(BadSetup, match='"grid" lists every car once'):
            Stage(cars, phase="setup", grid=wrong)


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"wear": {"engine": 2}}, "no pool called engine"),
        ({"wear": {"tyres": -1}}, "tyres holds 0 to 60 points, not -1"),
        ({"permanent": 9}, "holds 4 damage, no more"),
        ({"built": {}, "hand": ["S3 45"]}, "Car 1 has cards or wear, but no chart"),
    ],
)
def test_a_chart_of_a_race_that_is_being_prepared_is_one_that_there_may_be(more: dict[str, Any], said: str) -> None:
    with pytest.raises(BadSetup, match=said):
        Stage([{"car": 1, "built": CHART, **more}], phase="setup")
    with pytest.raises(BadSetup, match='"pile" lists cards'):
        Stage([{"car": 1}], phase="setup", deck=3, pile=["joker"])
