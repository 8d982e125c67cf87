"""Corner contests, bots, and the end of the race."""

from __future__ import annotations

from typing import Any

import pytest

from companion.rules.conversation.errors import BadOverride
from tests.rules.ninety.stage import Stage, bot, car, driving


@pytest.mark.article("ninety", "contest.start", "turn.activate")
def test_a_contest_begins_where_more_than_one_driver_is_in_a_corner_that_comes_up() -> None:
    assert driving(car(1, 4), car(2, 4)).open == ("contest", 2)
    assert driving(car(1, 4), car(2, 3)).open == ("declare", 1)
    assert driving(car(1, 6), car(2, 6)).open == ("declare", 1)
    assert driving(car(1, 4), car(2, 4), to_play=[2]).open == ("declare", 2)
    assert driving(bot(1, 4), bot(2, 4), car(3, 1)).open == ("declare", 3)


@pytest.mark.article("ninety", "contest.start", "bots.contests", "overtake.lapping")
def test_beside_lapped_bots_alone_there_is_no_contest() -> None:
    stage = driving(bot(2, 4), bot(3, 4), car(1, 4, lap=2))
    assert stage.open == ("declare", 1)
    stage.say("go", "G3 10", "D1 1")
    assert stage.ruled("overtakes", 1)[0].facts["price"] == 2
    assert not stage.ruled("contest")
    two = driving(bot(3, 4), car(2, 4), car(1, 4, lap=2))
    assert two.open == ("contest", 1)  # a lapped driver may fight


@pytest.mark.article("ninety", "contest.choose")
def test_from_last_to_first_all_say_whether_they_take_part_and_then_the_cards_are_shown() -> None:
    stage = driving(car(1, 4), car(2, 4), car(3, 4))
    assert stage.open == ("contest", 3)
    stage.say(True)
    assert stage.open == ("contest", 2)
    stage.say(False)
    assert stage.open == ("contest", 1)
    stage.say(True)
    assert stage.open == ("show", 3)
    stage.refuses("G1 1, G1 2, G1 3", "One card or two are shown here, not 3")
    stage.say("G4 1, S3 1")  # any two
    assert stage.open == ("show", 1)


@pytest.mark.article("ninety", "contest.choose", "contest.order", "bots.contests")
def test_what_a_contest_can_bring_is_told_before_the_others_choose() -> None:
    """The places that a driver may come to, and damage where he is level; who stays out knows his place."""

    def told(stage: Stage) -> list[dict[str, Any]]:
        return [option.facts for option in stage.talk.question.options()]

    stage = driving(car(1, 4), car(2, 4), car(3, 4))
    assert told(stage) == [{"worst": 3, "of": 3, "level": 1}, {"place": 3, "of": 3}]
    stage.say(True)
    assert told(stage) == [{"worst": 3, "of": 3, "level": 1}, {"place": 3, "of": 3}]
    stage.say(False)
    assert told(stage) == [{"worst": 2, "of": 3, "level": 1}, {"place": 2, "of": 3}]
    alone = driving(car(1, 4), car(2, 4))
    alone.say(False)
    assert told(alone) == [{"worst": 1, "of": 2}, {"place": 1, "of": 2}]
    assert told(driving(bot(3, 4), car(1, 4)))[0]["worst"] == 2
    assert told(driving(bot(3, 4), car(2, 4), car(1, 4, lap=2)))[0]["worst"] == 2  # a lapped bot never fights
    for cards, worst in ((0, 2), (1, 3)):  # nor who has no card
        spent = {"tyres": 3, "cards": cards, "damage": 3}
        assert told(driving(car(3, 4, wear=spent), car(2, 4), car(1, 4)))[0]["worst"] == worst


@pytest.mark.article("ninety", "contest.bonus")
def test_the_bonus_counts_for_all_but_the_head_of_the_line() -> None:
    stage = driving(car(1, 4), car(2, 4))
    stage.say(True, True, "G2 1", "G3 1")
    assert stage.ruled("fights", 2)[0].facts == {"cards": 2, "bonus": 2, "banging": 0, "total": 4}
    assert stage.ruled("fights", 1)[0].facts == {"cards": 3, "bonus": 0, "banging": 0, "total": 3}
    assert stage.queue(4) == [2, 1]
    out = driving(car(3, 4), car(1, 4), car(2, 4))
    out.say(True, True, False, "G2 1", "G3 1")
    assert [one.facts["bonus"] for one in out.ruled("fights")] == [2, 2]  # the head of the line stays out


@pytest.mark.article("ninety", "contest.bonus", "contest.choose")
def test_who_is_asked_is_told_the_bonus_that_he_would_have() -> None:
    stage = driving(car(1, 4), car(2, 4))
    for number, bonus in ((2, 2), (1, 0)):
        assert stage.talk.asked is not None
        assert (stage.open, stage.talk.asked.fields) == (("contest", number), {"bonus": bonus})
        stage.say(False)


@pytest.mark.article("ninety", "strategy.banging-wheels", "contest.bonus")
def test_banging_wheels_adds_three_also_for_the_head_of_the_line() -> None:
    stage = driving(car(1, 4, strategy="banging"), car(2, 4))
    stage.say(True, True, "G2 1", "G2 1")
    assert stage.ruled("fights", 1)[0].facts["total"] == 5
    assert stage.queue(4) == [1, 2]


@pytest.mark.article("ninety", "contest.order")
def test_who_stays_out_goes_to_the_back_and_equal_totals_cost_a_damage_each() -> None:
    stage = driving(car(1, 4), car(2, 4), car(3, 4))
    stage.say(True, True, False, "G3 1", "G3 2")
    assert stage.queue(4) == [2, 3, 1]  # the order before is kept between the two
    assert [stage.car(number).wear["damage"] for number in (1, 2, 3)] == [4, 3, 3]
    other = driving(car(1, 4), car(2, 4))
    other.say(True, True, "G1 1", "G2 1")
    assert other.queue(4) == [2, 1]
    assert [other.car(number).wear["damage"] for number in (1, 2)] == [4, 4]


@pytest.mark.article("ninety", "contest.order")
def test_those_who_have_played_keep_their_place_and_are_passed_at_the_price_of_lapping() -> None:
    stage = driving(car(9, 4), car(1, 4), car(2, 4), to_play=[1, 2])
    stage.say(True, True, "G2 1", "G1 1")
    assert stage.queue(4) == [9, 2, 1]
    assert stage.open == ("declare", 2)
    stage.say("go", "S3 5")
    assert stage.where(2) == (1, 5)
    assert stage.ruled("overtakes", 2)[0].facts["price"] == 2


@pytest.mark.article("ninety", "contest.frozen")
def test_cards_of_a_contest_are_frozen_until_the_next_turn() -> None:
    stage = driving(car(1, 4), car(2, 4, check="D2 50"))
    stage.say(True, False, "G4 40, G1 41")
    assert stage.open == ("declare", 2)
    stage.say("go")
    stage.refuses("G4 40", "G4 40 is frozen until the next turn")
    stage.refuses("G4 40, G1 7", "frozen")
    stage.say("S4 1 TTTC")
    assert stage.open == ("pay", 2)
    stage.refuses(["G4 40"], "frozen")
    stage.say([])
    assert stage.open == ("check", 2)
    stage.refuses("G1 41", "frozen")
    stage.say("D1 1")
    assert stage.car(2).frozen == ["G4 40", "G1 41"]
    stage.say("skip", "lucky")
    assert stage.race.round == 6
    assert stage.car(2).frozen == []
    stage.say("go", "G4 40")
    assert stage.ruled("plays", 2)[-1].facts["cards"] == ["G4 40"]


@pytest.mark.article("ninety", "contest.choose", "contest.frozen")
@pytest.mark.parametrize(
    ("hand", "cards", "shown", "left"),
    [
        (["G4 40"], 1, ["G3 7"], ["G3 7"]),
        (["G4 40"], 2, ["G3 7"], ["G4 40", "G3 7"]),
        (["G4 40", "S1 9"], 2, ["S1 9", "G3 7"], ["S1 9", "G3 7"]),
    ],
)
def test_who_shows_another_card_than_those_known_to_be_his_had_not_all_of_them(
    hand: list[str], cards: int, shown: list[str], left: list[str]
) -> None:
    stage = driving(car(1, 4, hand=hand, wear={"cards": cards}), car(2, 4))
    stage.say(False, True, shown)
    assert (stage.car(1).hand, stage.car(1).frozen) == (left, shown)
    stage.say(*["skip", "lucky"] * 2, False, True)
    for answer in stage.answers:
        stage.talk.question.read(answer)


@pytest.mark.article("ninety", "contest.frozen", "pit.still-plays")
def test_a_corner_is_contested_once_a_turn() -> None:
    stage = driving(car(1, 7), car(2, 4), car(3, 4))
    stage.say("stop", "lucky")  # from corner 7 back to corner 4
    assert stage.open == ("contest", 1)
    stage.say(False, False, False)
    assert stage.queue(4) == [2, 3, 1]
    assert stage.open == ("declare", 2)
    stage.say("skip", "lucky")
    assert stage.open == ("declare", 3)


@pytest.mark.article("ninety", "contest.frozen")
def test_each_driver_contests_a_corner_once_a_turn_and_those_who_come_later_too() -> None:
    here = [car(2, 4, lap=3), car(3, 4), car(4, 4)]
    stage = driving(car(1, 8, lap=3), *here, to_play=[2, 3, 4], contested=[[1, "section:4"], [2, "section:4"]])
    assert stage.open == ("contest", 4)
    stage.say(True, True, "G3 1", "G2 1")
    assert [one.facts["bonus"] for one in stage.ruled("fights")] == [2, 2]  # car 2 heads the line and is no part of it
    assert stage.queue(4) == [2, 4, 3]
    assert stage.open == ("declare", 2)
    alone = driving(car(1, 8, lap=3), *here[:2], to_play=[2, 3], contested=[[1, "section:4"], [2, "section:4"]])
    assert alone.open == ("declare", 2)


@pytest.mark.article("ninety", "cards.race")
def test_a_card_entered_once_may_be_picked_again() -> None:
    stage = driving(car(1, 4), car(2, 4))
    stage.say(False, True, "G4 40")
    stage.say("skip", "lucky", "skip", "lucky")
    stage.say(False, False)
    assert stage.open == ("declare", 1)
    stage.say("go")
    assert stage.answers == [["G4 40"]]


@pytest.mark.article("ninety", "bots.values")
@pytest.mark.parametrize(("kind", "sections"), [("slow", 2), ("fast", 3)])
def test_slow_bots_move_by_two_and_fast_ones_by_three(kind: str, sections: int) -> None:
    stage = driving(car(1, 1, lap=3), bot(2, 8, kind=kind), to_play=[2])
    assert stage.ruled("move", 2)[0].facts["moved"] == sections


@pytest.mark.article("ninety", "bots.overtake")
def test_bots_pass_one_another_for_nothing_and_players_by_the_rules() -> None:
    free = driving(car(1, 1, lap=3), bot(3, 7), bot(2, 7), to_play=[2])
    assert free.ruled("overtakes", 2)[0].facts["price"] == 0
    assert free.ruled("move", 2)[0].facts["moved"] == 2
    player = driving(car(1, 6), bot(2, 6), to_play=[2])
    assert player.ruled("held_up", 2)[0].article == "overtake.braking"
    for lap in (1, 2):
        lapped = driving(car(1, 8, lap=3), bot(2, 8, lap=lap), to_play=[2])
        assert lapped.ruled("held_up", 2)[0].article == "ruling 37"


@pytest.mark.article("ninety", "bots.late-trajectory")
def test_a_bot_never_brakes_late_and_has_the_bonus_of_the_best_point() -> None:
    stage = driving(car(1, 9, lap=3), bot(2, 1), to_play=[2])
    assert stage.ruled("line", 2)[0].facts == {"colour": "speeding", "bonus": 2}
    assert stage.open == ("declare", 1)
    stage.say("skip", "lucky")
    assert stage.ruled("move", 2)[1].facts["points"] == 4


@pytest.mark.article("ninety", "bots.contests", "contest.start")
def test_a_bot_takes_part_with_two_cards_from_the_deck_unless_it_is_lapped() -> None:
    stage = driving(car(1, 4), bot(2, 4))
    stage.say(False)
    assert stage.open == ("drawn", 2)
    stage.say("G1 1", "G2 1")
    assert stage.ruled("fights", 2)[0].facts["total"] == 5
    assert stage.ruled("contested")[0].facts["order"] == [2, 1]
    lapped = driving(car(1, 4, lap=3), bot(2, 4, lap=2), car(3, 4, lap=3))
    lapped.say(False, False)
    assert lapped.open == ("declare", 1)


@pytest.mark.article("ninety", "bots.pit", "pit.once")
def test_when_a_marker_comes_up_the_first_bot_of_that_speed_stops() -> None:
    stage = driving(
        car(1, 5, lap=9), bot(2, 9, fuel=12), bot(3, 5, fuel=5), bot(4, 8, kind="fast", fuel=9), to_play=[2, 3, 4]
    )
    assert [one.car for one in stage.ruled("stop")] == [2]
    assert stage.ruled("pitted", 2)[0].facts["at"] == "section:6"
    assert stage.ruled("move", 2)  # and still has its turn
    assert stage.car(3).stops == 0


@pytest.mark.article("ninety", "end.turns", "track.map")
def test_after_the_last_turn_the_positions_are_the_result() -> None:
    stage = driving(car(1, 5), car(2, 6), car(3, 6, status="out", cause="unpaid"), to_play=[2], turn=20)
    stage.say("skip", "lucky")
    assert stage.race.phase == "over"
    rows = stage.rulebook.result()
    assert [(row["place"], row["car"], row["status"]) for row in rows] == [
        (1, 2, "finished"), (2, 1, "finished"), (None, 3, "out"),
    ]  # fmt: skip
    assert rows[2] == {"place": None, "car": 3, "laps": 1, "status": "out", "points": 0, "cause": "unpaid"}
    assert stage.rulebook.running_order() == [2, 1, 3]
    early = driving(car(1, 5), car(2, 6), to_play=[2], turn=19)
    early.say("skip", "lucky")
    assert (early.race.phase, early.race.round) == ("race", 20)


@pytest.mark.article("ninety", "end.turns", "overtake.off-track")
def test_who_is_off_the_track_at_the_end_is_last_of_his_section_in_the_result_too() -> None:
    stage = driving(car(1, 5), car(3, 5), car(2, 4), car(4, 5, lap=0), to_play=[2], turn=20)
    for number in (3, 1):
        stage.talk.override({"car": number, "status": "off"})
    there = stage.car(4).arrived
    stage.say("G1 9", None)
    assert stage.car(4).arrived == there
    finished = [one.car for one in stage.ruled("finish")]
    assert finished == [2, 3, 1, 4]
    assert [row["car"] for row in stage.rulebook.result()] == finished
    assert not list(stage.rulebook.faults())


@pytest.mark.article("ninety", "end.points")
def test_the_first_six_have_points() -> None:
    cars = [car(number, 10 - number) for number in range(1, 9)]
    stage = driving(*cars, car(9, 1, status="out", cause="breakdown"), to_play=[8], turn=20)
    stage.say("skip", "lucky")
    assert [row["points"] for row in stage.rulebook.result()] == [10, 6, 4, 3, 2, 1, 0, 0, 0]


@pytest.mark.article("ninety", "end.turns", "end.trajectory")
def test_the_end_leaves_nobody_on_a_point_and_nobody_with_less_than_no_lap() -> None:
    stage = driving(car(1, 3, point=2), car(2, 3, lap=-1), to_play=[2], turn=20)
    stage.say("skip", "lucky")
    assert [stage.car(number).line for number in (1, 2)] == [-1, -1]
    assert [row["laps"] for row in stage.rulebook.result()] == [1, 0]


@pytest.mark.article("ninety", "end.turns")
def test_a_race_is_over_with_its_last_car() -> None:
    stage = driving(car(1, 8, wear={"tyres": 0}), turn=5)
    stage.say("go", "S2 10 T")
    assert stage.race.phase == "over"


@pytest.mark.article("ninety", "end.turns")
def test_the_order_is_that_of_the_setup_then_that_on_the_track_and_the_first_out_is_last() -> None:
    assert Stage([{"car": 7}, {"car": 2}], options={"bots_few": 0}).rulebook.running_order() == [7, 2]
    out = [car(number, 1, status="out", cause="unpaid") for number in (3, 4)]
    stage = driving(car(1, 5), *out, car(2, 6), car(5, 6), to_play=[2], gone=[4, 3])
    assert stage.rulebook.running_order() == [2, 5, 1, 3, 4]


# -- where the cars stand


@pytest.mark.article("ninety", "end.turns", "overtake.off-track", "turn.order")
def test_a_car_off_the_track_comes_behind_those_of_its_section() -> None:
    stage = driving(car(1, 9, status="off"), car(2, 9), car(3, 5), to_play=[1, 2, 3])
    assert [one.number for one in stage.rulebook.order.running()] == [2, 1, 3]
    assert stage.rulebook.to_play() == [2, 1, 3]


@pytest.mark.article("ninety", "turn.order")
@pytest.mark.parametrize(
    ("first", "second", "order"),
    [
        ({}, {"lap": 3}, [2, 3, 1]),  # ahead of the leader in his section: the last of all
        ({"status": "off"}, {"lap": 3}, [2, 1, 3]),
        ({"lap": 3}, {}, [1, 2, 3]),
        ({}, {"lap": 3, "status": "off"}, [2, 3, 1]),
    ],
)
def test_the_order_of_activation_goes_once_round_the_track_from_the_leader(
    first: dict[str, Any], second: dict[str, Any], order: list[int]
) -> None:
    stage = driving(car(1, 1, **{"lap": 2, **first}), car(2, 1, **{"lap": 2, **second}), car(3, 9, lap=1))
    assert stage.rulebook.to_play() == order


@pytest.mark.article("ninety", "turn.order", "turn.activate", "contest.start")
def test_a_leader_off_the_track_comes_up_before_the_contest_of_those_in_his_corner() -> None:
    stage = driving(car(1, 4, lap=3, status="off"), car(2, 4), car(3, 4))
    assert stage.open == ("declare", 1)
    stage.say("back")
    assert stage.open == ("contest", 3)


@pytest.mark.article("ninety", "overtake.lapping", "overtake.unlapping")
@pytest.mark.parametrize(("lap", "apart"), [(1, -2), (2, -1), (3, 0), (4, 1), (5, 2)])
def test_how_many_laps_another_is_ahead(lap: int, apart: int) -> None:
    stage = driving(car(1, 5, lap=3), car(2, 5, lap=lap))
    assert stage.rulebook.order.apart(stage.car(1), stage.car(2)) == apart


@pytest.mark.article("ninety", "move.points", "turn.lap")
def test_who_drives_on_leaves_his_point_of_the_line() -> None:
    stage = driving(car(2, 9, lap=3), car(1, 3, point=1), to_play=[1])
    stage.rulebook.order.advance(stage.car(1))
    assert (stage.where(1), stage.car(1).line) == ((1, 4), -1)


# -- contests, the rest


@pytest.mark.article("ninety", "contest.frozen", "contest.start")
def test_who_has_contested_another_corner_this_turn_contests_this_one() -> None:
    stage = driving(car(1, 4), car(2, 4), contested=[[1, "section:7"], [2, "section:7"]])
    assert stage.open == ("contest", 2)


@pytest.mark.article("ninety", "contest.choose")
@pytest.mark.parametrize("deck", [0, 7])
def test_one_card_or_two_are_shown(deck: int) -> None:
    hand = ["G1 1", "G2 2", "G3 3"]
    stage = driving(car(1, 4, hand=hand, wear={"cards": 3}), bot(2, 4), deck=deck)
    stage.say(True)
    while stage.open != ("show", 1):
        stage.say("G1 50")
    question = stage.talk.question
    assert question is not None
    assert question.fields is not None
    assert (question.fields["cards"], "card" in question.fields) == ([1, 2], not deck)
    for wrong in ([], hand):
        stage.refuses(wrong, f"One card or two are shown here, not {len(wrong)}|Cards are a list")
    assert stage.rulebook.hand.cards_shown(stage.car(1), ["G3 3"]) == ["G3 3"]
    stage.say(["G1 1", "G3 3"])
    assert stage.ruled("fights", 1)[0].facts["cards"] == 4


@pytest.mark.article("ninety", "contest.order", "tokens.damage")
def test_a_bot_that_is_level_has_no_damage() -> None:
    stage = driving(car(1, 4), bot(2, 4), car(3, 1))
    stage.say(True)
    answers = {"drawn": "G1 1", "show": ["G2 1", "G2 2"]}
    while stage.open is not None and stage.open[0] in answers:
        stage.say(answers[stage.open[0]])
    assert [one.facts["total"] for one in stage.ruled("fights")] == [4, 4]
    assert [one.car for one in stage.ruled("damage")] == [1]


# -- bots, the rest


@pytest.mark.article("ninety", "bots.pit")
def test_a_marker_stops_the_first_that_has_not_stopped_and_is_still_in_the_race() -> None:
    second = driving(car(1, 5, lap=9), bot(2, 9, fuel=3, stops=1), bot(3, 5, fuel=5), to_play=[2, 3])
    assert [one.car for one in second.ruled("stop")] == [3]
    out = bot(3, 5, fuel=5)
    out["status"], out["cause"] = "out", "referee"
    nobody = driving(car(1, 5, lap=9), bot(2, 9, fuel=3, stops=1), out, to_play=[2])
    assert not nobody.ruled("stop")
    assert nobody.ruled("move", 2)


@pytest.mark.article("ninety", "bots.pit", "turn.order")
def test_a_bot_that_is_first_only_because_it_has_played_leaves_the_stop_to_the_next() -> None:
    """A lap behind the leader, who stands between them, the second of the class comes up before the first."""
    bots = bot(2, 5, kind="fast", fuel=5), bot(3, 6, kind="fast")
    stage = driving(car(1, 5, lap=3), *bots, to_play=[2, 3])
    assert [one.car for one in stage.ruled("stop")] == [3]
    last = driving(bot(1, 9, lap=3, stops=1), bot(2, 8, kind="fast", fuel=20), bot(3, 10, kind="fast"),
        car(4, 1), to_play=[2, 3], turn=20)  # fmt: skip
    assert [one.car for one in last.ruled("stop")] == [3]


@pytest.mark.article("ninety", "bots.pit", "turn.order")
def test_two_markers_stop_the_first_two_whichever_of_them_comes_up_first() -> None:
    """Of three bots the second stands just behind a leader who has lapped them, and so comes up before the first."""
    markers = bot(2, 4, lap=2, fuel=5), bot(3, 9, lap=2, fuel=5)
    stage = driving(car(1, 5, lap=3), *markers, bot(4, 7, lap=1), to_play=[2, 3, 4])
    assert [one.car for one in stage.ruled("stop")] == [2, 3]
    last = driving(car(1, 5, lap=3), *markers, to_play=[2, 3], turn=20)
    assert [one.car for one in last.ruled("stop")] == [2, 3]
    mixed = driving(car(1, 5, lap=3), bot(5, 10, lap=2, kind="fast"), *markers, to_play=[5, 2, 3])
    assert [one.car for one in mixed.ruled("stop")] == [2, 3]
    done = driving(car(1, 5, lap=3), bot(2, 9, fuel=5, stops=2), bot(3, 8), bot(4, 7), to_play=[3, 4])
    assert not done.ruled("stop")
    third = driving(car(1, 5, lap=3), bot(4, 4, lap=1), *(bot(n, at, lap=2, fuel=5) for n, at in ((2, 3), (3, 2))),
        to_play=[4, 2, 3])  # fmt: skip
    assert [one.car for one in third.ruled("stop")] == [2, 3]


@pytest.mark.article("ninety", "bots.pit", "overtake.off-track")
def test_a_bot_off_the_track_leaves_the_stop_to_the_next() -> None:
    stage = driving(car(1, 5, lap=3), bot(2, 7, lap=2, fuel=5, status="off"), bot(3, 9), to_play=[2, 3])
    assert [one.car for one in stage.ruled("stop")] == [3]


# -- what a chart has room for


@pytest.mark.article("ninety", "chart.car", "chart.breakdown", "contest.frozen")
@pytest.mark.parametrize(
    ("deck", "values", "said"),
    [
        (0, {}, []),
        (7, {}, []),
        (0, {"permanent": 1, "wear": {"tyres": 0, "cards": 3, "damage": 3}}, []),
        (0, {"permanent": 1}, ["The chart of car 1 holds 4 damage, no more."]),
        (0, {"permanent": -1}, ["The chart of car 1 holds 4 damage, no more."]),
        (0, {"wear": {"tyres": 0, "cards": 3, "damage": 5}}, ["The chart of car 1 holds 4 damage, no more."]),
        (0, {"hand": ["G1 1"] * 4}, ["Car 1 has 3 cards in its hand; more are named."]),
        (0, {"hand": ["G1 1"] * 2}, []),
        (7, {"hand": ["G1 1", "G1 2"]}, ["With a deck of the program the cards of a hand are what was drawn."]),
        (0, {"frozen": ["G1 1"]}, []),
        (0, {"frozen": ["G4 1", "G4 2", "G4 3"]}, ["Car 1 has no G4 1 in its hand."]),
    ],
)
def test_the_faults_of_a_chart(deck: int, values: dict[str, Any], said: list[str]) -> None:
    stage = driving(car(1, 8, hand=["G1 1", "G1 2", "G1 3"], wear={"cards": 3}), bot(2, 7), deck=deck)
    for name, value in values.items():
        setattr(stage.car(1), name, value)
    assert list(map(str, stage.rulebook.faults())) == said


class TestTheRefereesWord:
    """What can be set, and what makes no sense."""

    def stage(self) -> Stage:
        return driving(car(1, 4), bot(2, 5), car(3, 6), car(4, 6), to_play=[1, 3])

    def test_values_are_set(self) -> None:
        stage = self.stage()
        stage.talk.override({"car": 1, "wear": {"tyres": 3}, "strategy": "lucky", "fuel": 9, "check": "d2 33"})
        one = stage.car(1)
        assert (one.wear["tyres"], one.strategy, one.fuel, one.check) == (3, "lucky", 9, "D2 33")
        stage.talk.override({"queue": [4, 3]})
        assert stage.queue(6) == [4, 3]
        stage.talk.override({"car": 1, "at": "section:6"})
        assert stage.queue(6) == [4, 3, 1]
        stage.talk.override({"car": 3, "status": "out"})
        assert stage.race.gone == [3]
        stage.talk.override({"car": 3, "status": "racing"})
        assert (stage.race.gone, stage.queue(6)) == ([], [4, 1, 3])

    def test_a_car_taken_out_in_its_turn_plays_no_more(self) -> None:
        stage = self.stage()
        assert stage.open == ("declare", 3)
        stage.say("go")
        stage.talk.override({"car": 3, "status": "out"})
        assert stage.open == ("declare", 1)

    @pytest.mark.parametrize(
        ("change", "said"),
        [
            ({}, "sets something"),
            ({"car": 1, "at": "section:11"}, "On Ring there is no section 11"),
            ({"car": 1, "strategy": "win"}, "A strategy is one of"),
            ({"car": 2, "wear": {"tyres": 1}}, "Car 2 is a bot"),
            ({"car": 1, "wear": {"engine": 1}}, "no pool called engine"),
            ({"car": 1, "wear": {"damage": 5}}, "holds 4 damage, no more"),
            ({"car": 1, "check": "D2 101"}, "A check factor is 1 to 100"),
            ({"car": 1, "status": "spun"}, "racing, off or out"),
            ({"car": 1, "lap": 1000}, "laps: a whole number from"),
            ({"car": 7, "lap": 1}, "There is no car 7"),
            ({"queue": [3]}, "names each car of one section once"),
            ({"car": 1, "gear": 3}, "gear cannot be set"),
            ({"car": 1}, "sets something"),
        ],
    )
    def test_what_makes_no_sense_is_refused(self, change: dict, said: str) -> None:
        stage = self.stage()
        before = stage.talk.digest
        with pytest.raises(BadOverride, match=said):
            stage.talk.override(change)
        assert stage.talk.digest == before
