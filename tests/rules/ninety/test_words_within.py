"""The referee's word within a step: where what is being played still stands it goes on, else it is begun anew."""

from __future__ import annotations

from typing import Any

import pytest

from tests.rules.ninety.stage import RING, Stage, bot, car, driving

HARMLESS = {"car": 2, "fuel": 29}


def word(stage: Stage, **change: Any) -> Stage:
    """The referee sets values."""
    stage.rulings += stage.talk.override(change)
    return stage


@pytest.mark.article("ninety", "turn.phases")
@pytest.mark.parametrize(
    ("change", "opened"),
    [
        (HARMLESS, ("play", 1)),
        ({"car": 1, "at": "section:9"}, ("play", 1)),
        ({"car": 1, "status": "out"}, ("declare", 2)),
        ({"car": 1, "status": "off"}, ("declare", 1)),
    ],
)
def test_a_turn_goes_on_as_long_as_its_car_is_where_a_turn_is_driven(change: Any, opened: Any) -> None:
    stage = word(driving_of(), **change)
    assert stage.open == opened
    assert stage.car(1).wear["cards"] == 7


def driving_of() -> Stage:
    stage = driving(car(1, 8), car(2, 5))
    stage.say("go")
    return stage


@pytest.mark.article("ninety", "turn.phases")
@pytest.mark.parametrize(("change", "opened"), [(HARMLESS, "late"), ({"car": 1, "status": "off"}, "declare")])
def test_the_end_of_a_turn_is_for_a_car_on_the_track(change: Any, opened: str) -> None:
    stage = driving(car(1, 1), car(2, 9), to_play=[1])
    stage.say("go", "G2 10")
    assert stage.open == ("late", 1)
    assert word(stage, **change).open is not None
    assert stage.open[0] == opened
    if opened == "declare":
        assert not stage.ruled("late")


@pytest.mark.article("ninety", "end.trajectory")
@pytest.mark.parametrize(
    ("at", "answers", "chosen", "colour"),
    [(5, [None, 1], 1, "gear"), (3, [None, 1, 2], 2, "speeding"), (3, [None, 1, 2], 1, "driving"), (6, None, None, "")],
)
@pytest.mark.parametrize("cards", ["G2 10", "G4 10"])
def test_a_point_is_chosen_in_the_section_in_which_the_car_stands(
    cards: str, at: int, answers: Any, chosen: int | None, colour: str
) -> None:
    stage = driving(car(1, 1), car(2, 9), to_play=[1])
    stage.say("go", cards, *([False] if cards == "G2 10" else []))
    assert stage.open == ("line", 1)
    word(stage, car=1, at=f"section:{at}")
    assert stage.open == (("line", 1) if answers else ("declare", 2))
    if answers:
        assert stage.answers == answers
        stage.say(chosen)
    assert [one.facts["colour"] for one in stage.ruled("line", 1)] == ([colour] if colour else [])
    assert (stage.where(1), stage.car(1).point) == ((1, at), chosen)


@pytest.mark.article("ninety", "end.trajectory")
def test_where_every_point_is_taken_none_is_asked_for() -> None:
    stage = driving(car(1, 3), car(2, 5, point=1), to_play=[1])
    stage.say("go", "G2 10")
    assert stage.where(1) == (1, 5)
    assert stage.open == ("declare", 2)


@pytest.mark.article("ninety", "end.late-braking", "track.late-braking")
def test_late_braking_is_by_the_sign_of_the_section_in_which_the_car_stands() -> None:
    stage = driving(car(1, 1), car(2, 9), to_play=[1])
    stage.say("go", "G2 10")
    assert stage.open == ("late", 1)
    word(stage, car=1, at="section:5")  # no sign there, but a point of the line
    assert stage.open == ("line", 1)
    stage.say(None)
    assert stage.where(1) == (1, 5)
    assert not stage.ruled("late")


@pytest.mark.article("ninety", "end.trajectory", "overtake.off-track")
def test_who_was_off_the_track_by_word_has_left_his_point_to_others() -> None:
    stage = driving(car(1, 3, point=1), car(2, 2), to_play=[2])
    word(stage, car=1, status="off")
    stage.say("go", "G1 10", False, 1)
    word(stage, car=1, status="racing")
    assert (stage.car(1).point, stage.car(2).point) == (None, 1)


@pytest.mark.article("ninety", "turn.phases", "overtake.off-track")
def test_who_is_put_back_on_the_track_begins_his_turn_there() -> None:
    stage = driving(car(1, 8, status="off"), car(2, 1))
    assert stage.answers == ["back"]
    word(stage, car=1, status="racing")
    stage.say("go")
    word(stage, **HARMLESS)
    assert stage.open == ("play", 1)


@pytest.mark.article("ninety", "turn.phases", "overtake.off-track")
def test_a_bot_off_the_track_spends_its_turn_on_coming_back() -> None:
    stage = driving(car(1, 1, lap=3), bot(2, 8, status="off"), to_play=[2])
    assert stage.where(2) == (1, 9)
    assert stage.ruled("back", 2)
    assert not stage.ruled("move", 2)
    assert stage.race.round == 6


@pytest.mark.article("ninety", "pit.still-plays", "bots.pit")
def test_a_bot_that_has_stopped_drives_when_its_new_section_comes_up_whatever_its_stops_are_set_to() -> None:
    stage = driving(bot(1, 9, fuel=5), car(2, 8), to_play=[1, 2])
    assert (stage.open, stage.where(1)) == (("declare", 2), (1, 6))
    word(stage, car=1, stops=0)
    stage.say("skip", "lucky")
    assert len(stage.ruled("stop", 1)) == 1
    assert stage.ruled("move", 1)[0].facts["moved"] == 2


@pytest.mark.article("ninety", "pit.still-plays", "overtake.off-track")
def test_who_goes_off_after_his_stop_comes_back_when_his_section_comes_up() -> None:
    stage = driving(car(1, 9), car(2, 8))
    stage.say("stop", "lucky")
    assert stage.open == ("declare", 2)
    word(stage, car=1, status="off")
    stage.say("skip", "lucky")
    assert stage.ruled("back", 1)
    assert stage.where(1) == (1, 7)
    assert stage.race.round == 6


@pytest.mark.article("ninety", "pit.cards", "pit.stop")
@pytest.mark.parametrize(("hand", "left"), [([], 0), (["G1 1", "G1 2"], 0), ([f"G1 {n}" for n in range(1, 10)], 3)])
def test_a_hand_is_discarded_down_to_the_chart_from_what_it_is_set_to(hand: list[str], left: int) -> None:
    held, pile, other = ([f"G{value} {n}" for n in range(1, 10)] for value in (4, 1, 2))
    stage = driving(car(1, 8, hand=held[:8], wear={"cards": 8}), car(2, 5), deck=4, pile=[*pile, *other])
    stage.say("stop")
    assert stage.open == ("discard", 1)
    word(stage, car=1, hand=hand)
    for _ in range(left):
        stage.say(stage.answers[0])
    assert stage.open == ("strategy", 1)
    assert stage.car(1).wear["cards"] == min(6, len(hand))


# -- a contest


@pytest.mark.article("ninety", "contest.choose")
def test_a_hand_emptied_in_a_contest_takes_no_part_in_it() -> None:
    stage = driving(car(1, 4), car(2, 4), car(3, 4))
    stage.say(True, True, False)
    assert stage.open == ("show", 3)
    word(stage, car=2, wear={"cards": 0})
    assert stage.open == ("contest", 3)
    stage.say(True)
    assert stage.open == ("contest", 1)  # car 2 is not asked any more
    stage.say(False, "G1 1")
    assert stage.ruled("contested")[0].facts["order"] == [3, 1, 2]


@pytest.mark.article("ninety", "contest.choose", "contest.frozen")
def test_a_hand_emptied_before_its_driver_has_chosen_takes_no_part() -> None:
    stage = driving(car(1, 4), car(2, 4), car(3, 4))
    assert stage.open == ("contest", 3)
    word(stage, car=3, wear={"cards": 0})
    assert (stage.open, stage.answers) == (("contest", 2), [True, False])
    stage.say(True)
    word(stage, car=1, hand=["G1 1"], frozen=["G1 1"], wear={"cards": 1})
    assert stage.open == ("show", 2)
    stage.say("G1 9")
    assert stage.ruled("contested")[0].facts["order"] == [2, 1, 3]


@pytest.mark.article("ninety", "contest.choose")
@pytest.mark.parametrize("hand", [{}, {"wear": {"cards": 2}}])
def test_a_contest_goes_on_though_bots_have_no_hand_and_a_hand_has_been_shown_whole(hand: dict[str, Any]) -> None:
    stage = driving(car(1, 4), bot(3, 4), car(2, 4, **hand))
    stage.say(True, True)
    assert stage.open == ("show", 2)
    assert word(stage, **HARMLESS).open == ("show", 2)
    stage.say("G1 1, G1 2")
    assert stage.open == ("drawn", 3)
    assert stage.talk.question is not None
    assert stage.talk.question.what == "contest_1"
    assert word(stage, **HARMLESS).open == ("drawn", 3)
    stage.say("G1 1")
    assert stage.talk.question.what == "contest_2"
    stage.say("G1 1")
    assert word(stage, **HARMLESS).open == ("show", 1)
    stage.say("G1 9")
    assert len(stage.ruled("fights")) == 3


@pytest.mark.article("ninety", "contest.choose", "contest.order")
@pytest.mark.parametrize("change", [{"car": 1, "status": "out"}, {"car": 3, "at": "section:9"}])
def test_a_contest_begins_anew_once_another_has_come_or_gone(change: dict[str, Any]) -> None:
    stage = driving(car(1, 4), car(2, 4), car(3, 4), car(4, 4))
    stage.say(True, True)
    assert stage.open == ("contest", 2)
    word(stage, **change)
    stage.say(*([] if change["car"] == 1 else ["skip", "lucky"]))
    assert stage.open == ("contest", 4)
    assert len(stage.ruled("contest")) == 2


@pytest.mark.article("ninety", "contest.frozen", "contest.choose")
def test_cards_shown_in_a_contest_that_is_begun_anew_are_free_again_but_for_those_of_another_corner() -> None:
    stage = driving(car(1, 4), car(2, 4), car(3, 4, hand=["G4 40", "G3 41"], wear={"cards": 2}))
    stage.say(True, True, True, ["G4 40", "G3 41"])
    word(stage, **HARMLESS)
    assert (stage.open, stage.car(3).frozen) == (("show", 2), ["G4 40", "G3 41"])
    word(stage, car=1, status="out")
    assert (stage.open, stage.car(3).frozen) == (("contest", 3), [])
    stage.say(True, True, "G4 40")
    assert stage.car(3).frozen == ["G4 40"]
    once = driving(car(1, 4), car(2, 4), car(3, 4, hand=["G4 40", "G4 40", "G3 41"], frozen=["G4 40"]))
    once.say(True, True, True, ["G4 40", "G3 41"])
    assert once.car(3).frozen == ["G4 40", "G4 40", "G3 41"]
    word(once, car=1, status="out")
    assert once.car(3).frozen == ["G4 40"]
    once.say(True, True, "G4 40", "G1 1")
    word(once, car=2, status="off")
    assert once.car(3).frozen == ["G4 40", "G4 40"]  # that contest is over


@pytest.mark.article("ninety", "contest.frozen")
def test_a_card_taken_by_word_is_not_frozen_by_a_contest_that_is_begun_anew() -> None:
    stage = driving(car(1, 4), car(2, 4), car(3, 4, hand=["G4 40", "G3 41"], frozen=["G3 41"]))
    stage.say(True, True, True, "G4 40")
    word(stage, car=3, hand=["G4 40"])
    word(stage, car=1, status="out")
    assert (stage.car(3).hand, stage.car(3).frozen) == (["G4 40"], [])


@pytest.mark.article("ninety", "contest.choose", "turn.order")
def test_a_contest_waits_for_who_is_put_ahead_until_a_driver_has_answered() -> None:
    stage = driving(car(1, 4), car(2, 4), bot(4, 4), car(3, 1))  # the bot, the last in line, says nothing
    word(stage, **HARMLESS)
    assert (stage.open, len(stage.ruled("contest"))) == (("contest", 2), 1)
    word(stage, car=3, at="section:9")
    assert stage.open == ("declare", 3)
    begun = driving(car(1, 4), car(2, 4), bot(4, 4), car(3, 1))
    begun.say(True)
    word(begun, car=3, at="section:9")
    assert (begun.open, len(begun.ruled("contest"))) == (("contest", 1), 1)


@pytest.mark.article("ninety", "contest.order")
def test_where_nobody_takes_part_no_order_is_told() -> None:
    stage = driving(car(1, 4), car(2, 4))
    stage.say(False, False)
    assert stage.queue(4) == [1, 2]
    assert not stage.ruled("contested")


@pytest.mark.article("ninety", "contest.bonus")
@pytest.mark.parametrize(
    ("change", "totals"),
    [
        ({"car": 3, "at": "section:9"}, {1: 2, 2: 3}),
        ({"car": 3, "status": "off"}, {1: 2, 2: 3}),
        ({"queue": [1, 3, 2]}, {1: 2, 2: 3}),
        (HARMLESS, {1: 4, 2: 3}),
    ],
)
def test_who_heads_the_line_by_the_time_he_shows_has_no_bonus(change: Any, totals: Any) -> None:
    stage = driving(car(3, 4), car(1, 4), car(2, 4), to_play=[1, 2])
    stage.say(True, True)
    word(stage, **change)
    stage.say("G1 9", "G2 9")
    assert {one.car: one.facts["total"] for one in stage.ruled("fights")} == totals


# -- on the way


@pytest.mark.article("ninety", "overtake.no-move", "turn.skip")
@pytest.mark.parametrize("change", [{"car": 2, "lap": 3}, HARMLESS])
def test_the_marker_comes_off_who_has_declared_and_not_who_was_only_asked(change: Any) -> None:
    stage = driving(car(1, 7, lap=2, still=True), car(2, 6, lap=2), car(3, 2))
    assert (stage.open, stage.car(1).still) == (("declare", 1), True)
    word(stage, **change)
    assert stage.open == ("declare", 2 if "lap" in change else 1)
    if "lap" in change:
        stage.say("go", "G2 10", "D1 1")  # a point to the corner, and one past the marker, with the leader's check
        assert stage.ruled("overtakes", 2)[0].article == "overtake.no-move"
    else:
        stage.say("go", "G1 10")
        assert not stage.car(1).still


@pytest.mark.article("ninety", "overtake.lapping-late", "overtake.leader-check")
@pytest.mark.parametrize(("change", "passed"), [({"car": 2, "at": "section:9"}, [4]), (HARMLESS, [2, 4])])
def test_who_is_put_elsewhere_while_the_leader_is_checked_for_him_in_late_braking(change: Any, passed: Any) -> None:
    stage = driving(car(4, 3), car(2, 3), bot(3, 3, lap=2), car(1, 2, lap=2), to_play=[1])
    stage.say("go", "G1 10", True, "G1 1")
    assert stage.open == ("check", 1)
    word(stage, **change)
    stage.say("D1 1", "D1 1")
    assert [one.facts["other"] for one in stage.ruled("overtakes", 1)] == passed
    assert stage.where(1) == (2, 4)


@pytest.mark.article("ninety", "end.late-braking", "overtake.lapping-late")
def test_who_has_been_passed_late_and_is_put_elsewhere_since_is_last_there() -> None:
    stage = driving(car(4, 3), car(2, 3), car(1, 2, lap=2), car(5, 9), car(6, 9), to_play=[1])
    stage.say("go", "G1 10", True, "G1 1", "D1 1")
    assert stage.open == ("check", 1)  # car 2 has been passed, car 4 not yet
    word(stage, car=2, at="section:9")
    stage.say("D1 1")
    assert (stage.queue(9), stage.queue(3), stage.where(1)) == ([5, 6, 2], [4], (2, 4))


@pytest.mark.article("ninety", "overtake.corner", "move.points")
def test_who_is_put_ahead_in_a_corner_and_has_still_to_play_is_not_passed() -> None:
    stage = driving(car(1, 7), car(2, 7))
    stage.say(False, False, "go")
    word(stage, queue=[2, 1])
    stage.say("G4 10")
    assert stage.ruled("held_up", 1)[0].article == "overtake.corner"
    assert stage.queue(7) == [2, 1]


@pytest.mark.article("ninety", "overtake.leader-check", "move.points")
def test_who_is_put_elsewhere_while_the_leader_is_checked_for_him_is_not_passed() -> None:
    stage = driving(car(2, 1), car(1, 1, lap=2), to_play=[1])
    stage.say("go", "G3 10")
    assert stage.open == ("check", 1)
    word(stage, car=2, at="section:9")
    stage.say("D1 1")
    assert not stage.ruled("overtakes", 1)
    assert stage.ruled("move", 1)[0].facts["moved"] == 3


@pytest.mark.article("ninety", "end.late-braking", "track.late-braking")
@pytest.mark.parametrize(
    ("at", "opened", "target"), [(5, ("line", 1), None), (6, ("declare", 2), None), (9, ("drawn", 1), 80)]
)
def test_who_is_put_elsewhere_as_he_brakes_late_brakes_by_the_sign_there(at: int, opened: Any, target: Any) -> None:
    ring = RING.replace('# 9\nkind = "straight"', '# 9\nkind = "braking"\nlate = 80')
    stage = driving(car(1, 1), car(2, 10), to_play=[1], track=ring)
    stage.say("go", "G2 10", True)
    assert stage.open == ("drawn", 1)
    word(stage, car=1, at=f"section:{at}")
    assert stage.open == opened
    if target is not None:
        stage.say(70)
    assert [(one.facts["late"], one.facts["passed"]) for one in stage.ruled("late")] == [(target, True)] * bool(target)
    assert stage.where(1) == (1, 10 if target else at)


@pytest.mark.article("ninety", "end.trajectory", "track.trajectories")
def test_who_is_put_elsewhere_as_he_tries_an_extreme_point_tries_it_no_more() -> None:
    ring = RING.replace("driving 1", "driving 1 blind 40")
    stage = driving(car(1, 3, point=1), car(2, 9), to_play=[1], track=ring)
    stage.say(True)
    assert stage.open == ("drawn", 1)
    word(stage, car=1, at="section:8")
    assert stage.open == ("play", 1)
    assert not [one for one in stage.rulings if one.kind in ("extreme", "damage")]


@pytest.mark.article("ninety", "end.trajectory")
def test_who_does_not_try_an_extreme_point_turns_no_card_over() -> None:
    ring = RING.replace("driving 1", "driving 1 blind 40")
    stage = driving(car(1, 3, point=1), car(2, 9), to_play=[1], track=ring, deck=5)
    pile = list(stage.race.pile)
    stage.say(False)
    assert stage.car(1).hand[-1:] == pile[-1:]
    assert stage.race.pile == pile[:-1]


@pytest.mark.article("ninety", "symbols.check")
def test_a_card_turned_over_is_checked_against_the_check_card_as_it_is_set_meanwhile() -> None:
    stage = driving(car(1, 8), car(2, 3))
    stage.say("go", "D1 20 C", "blind")
    assert stage.open == ("drawn", 1)
    word(stage, car=1, check="90")
    stage.say(70)
    assert [(one.facts["target"], one.facts["passed"]) for one in stage.ruled("check")] == [(90, True)]


@pytest.mark.article("ninety", "symbols.pay", "strategy.save-tyres")
@pytest.mark.parametrize(
    ("now", "then", "cards", "offered"),
    [("hazard", "save_tyres", "S4 9 TTT", [0, 1]), ("save_tyres", "hazard", "S4 9 TTT", [0, 1, 2]),
     ("hazard", "save_tyres", "S3 9 TT", None)],
)  # fmt: skip
def test_tyres_are_paid_by_the_strategy_that_is_set_meanwhile(now: str, then: str, cards: str, offered: Any) -> None:
    stage = driving(car(1, 8, strategy=now), car(2, 3))
    stage.say("go", cards)
    assert stage.open == ("pay", 1)
    word(stage, car=1, strategy=then)
    if offered is not None:
        assert (stage.open, stage.answers) == (("pay", 1), offered)
        stage.say(0)
    due = offered[-1] + 1 if offered else 1
    assert [(one.facts["due"], one.wear) for one in stage.ruled("paid")] == [(due, {"tyres": -due})]


@pytest.mark.article("ninety", "symbols.pay")
@pytest.mark.parametrize(("tyres", "status"), [(12, "racing"), (2, "out")])
def test_whose_hand_is_emptied_while_he_pays_pays_in_chips(tyres: int, status: str) -> None:
    stage = driving(car(1, 8, wear={"tyres": tyres}), car(2, 3))
    stage.say("go", "S4 9 TTT")
    assert stage.open == ("pay", 1)
    word(stage, car=1, wear={"cards": 0})
    assert stage.open == ("declare", 2)
    assert (stage.car(1).status, stage.car(1).wear["tyres"]) == (status, tyres - 3 if status == "racing" else tyres)


@pytest.mark.article("ninety", "overtake.leader-check", "overtake.corner", "overtake.lapping")
@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"car": 2, "lap": 2}, ("held_up", "overtake.corner")),
        ({"cars": [{"car": 2, "at": "section:2"}, {"car": 1, "at": "section:2"}]}, ("overtakes", "overtake.straight")),
        (HARMLESS, ("overtakes", "overtake.lapping")),
    ],
)
def test_a_pass_costs_what_it_does_once_the_leader_is_checked_for_it(change: Any, told: Any) -> None:
    stage = driving(car(2, 7), car(1, 7, lap=2))
    stage.say(False, False, "go", "G4 10")
    assert stage.open == ("check", 1)
    word(stage, **change)
    stage.say("D1 1")
    assert [(one.kind, one.article) for one in stage.rulings if one.kind in ("held_up", "overtakes")] == [told]


@pytest.mark.article("ninety", "overtake.lapping-late")
@pytest.mark.parametrize(("lap", "lapped"), [(2, []), (1, [2])])
def test_who_is_lapped_by_late_braking_is_so_by_his_lap_as_it_is_set_meanwhile(lap: int, lapped: list[int]) -> None:
    stage = driving(car(2, 3), car(1, 2, lap=2), to_play=[1])
    stage.say("go", "G1 10", True, "G1 1")
    assert stage.open == ("check", 1)
    word(stage, car=2, lap=lap)
    stage.say("D1 1")
    assert [one.facts["other"] for one in stage.ruled("overtakes", 1)] == lapped
    assert stage.where(1) == (2, 4)


@pytest.mark.article("ninety", "symbols.pay")
def test_who_has_his_last_tyre_taken_while_he_pays_retires() -> None:
    stage = driving(car(1, 8), car(2, 1))
    stage.say("go", "S2 10 TT")
    assert stage.open == ("pay", 1)
    word(stage, car=1, wear={"tyres": 0})
    assert (stage.car(1).status, stage.car(1).cause) == ("out", "unpaid")
