"""Sections, queues, who plays next, and what it costs to pass."""

from __future__ import annotations

from typing import Any

import pytest

from tests.rules.ninety.stage import RING, Stage, bot, car, driving


def drive(stage: Stage, cards: str, *answers: object) -> Stage:
    """Drives on with cards, and gives the answers that follow."""
    stage.say("go", cards, *answers)
    return stage


@pytest.mark.article("ninety", "move.points", "turn.lap")
def test_a_point_is_a_section_and_laps_come_from_movement() -> None:
    stage = drive(driving(car(1, 9, lap=2)), "G3 10")
    assert stage.where(1) == (3, 2)
    assert stage.ruled("move", 1)[0].facts == {"moved": 3, "points": 3, "at": "section:2", "lap": 3}
    assert stage.race.round == 6


@pytest.mark.article("ninety", "overtake.straight", "move.points")
def test_on_a_straight_each_car_passed_costs_a_point() -> None:
    stage = drive(driving(car(2, 1), car(3, 1), car(1, 1), to_play=[1]), "G4 10")
    assert stage.where(1) == (1, 3)
    assert [one.facts["other"] for one in stage.ruled("overtakes", 1)] == [3, 2]
    short = drive(driving(car(2, 1), car(3, 1), car(1, 1), to_play=[1]), "G1 10")
    assert short.queue(1) == [2, 1, 3]


@pytest.mark.article("ninety", "overtake.straight")
def test_points_left_on_a_straight_pass_there_car_by_car() -> None:
    stage = drive(driving(car(2, 2), car(3, 2), car(1, 1), to_play=[1]), "G2 10")
    assert stage.queue(2) == [2, 1, 3]


@pytest.mark.article("ninety", "overtake.braking", "track.sections")
def test_in_a_braking_section_the_driver_stops_last_in_line() -> None:
    stage = drive(driving(car(2, 6), car(1, 5), to_play=[1]), "G4 10")
    assert stage.queue(6) == [2, 1]
    assert stage.ruled("held_up", 1)[0].facts["points"] == 3
    assert stage.ruled("held_up", 1)[0].article == "overtake.braking"
    empty = drive(driving(car(2, 8), car(1, 5), to_play=[1]), "G2 10")
    assert empty.where(1) == (1, 7)


@pytest.mark.article("ninety", "overtake.corner", "track.sections")
def test_in_a_corner_the_driver_stops_last_in_line() -> None:
    stage = drive(driving(car(2, 7), car(1, 6), to_play=[1]), "G4 10")
    assert stage.queue(7) == [2, 1]
    assert stage.ruled("held_up", 1)[0].article == "overtake.corner"


@pytest.mark.article("ninety", "overtake.lapping")
@pytest.mark.parametrize(("section", "left"), [(1, 3), (6, 3), (7, 2)])
def test_lapping_costs_one_on_straights_and_in_braking_sections_two_in_corners(section: int, left: int) -> None:
    stage = driving(car(2, section, lap=1, lapped=True), car(1, section, lap=2), to_play=[1])
    drive(stage, "G4 10")
    assert stage.where(1)[1] == section + left
    passed = stage.ruled("overtakes", 1)[0]
    assert passed.facts["price"] == 4 - left
    assert passed.article == ("overtake.straight" if section == 1 else "overtake.lapping")


@pytest.mark.article("ninety", "overtake.unlapping")
def test_unlapping_costs_the_same_and_a_contest_remains_possible() -> None:
    stage = drive(driving(car(2, 7, lap=3), car(1, 7, lap=2), to_play=[1]), "G2 10")
    assert stage.queue(7) == [1, 2]
    assert stage.ruled("overtakes", 1)[0].article == "overtake.unlapping"
    assert stage.open == ("contest", 2)
    short = drive(driving(car(2, 7, lap=3), car(1, 7, lap=2), to_play=[1]), "G1 10")
    assert short.queue(7) == [2, 1]


@pytest.mark.article("ninety", "overtake.leader-check", "symbols.check", "move.points")
def test_the_leader_checks_the_first_time_he_laps_a_car() -> None:
    stage = driving(car(2, 1, lap=1), car(1, 1, lap=2, check="D2 50"), to_play=[1])
    drive(stage, "G4 10")
    assert stage.open == ("check", 1)
    stage.say("S1 51")
    assert stage.ruled("check", 1)[0].article == "overtake.leader-check"
    assert stage.queue(1) == [2, 1]
    assert stage.car(1).wear["damage"] == 3
    assert not stage.car(2).lapped
    stage.say("go", "G4 10", "S1 51")  # again next turn, against the card that it left
    assert stage.car(2).lapped
    assert stage.where(1) == (2, 4)


@pytest.mark.article("ninety", "overtake.leader-check", "end.late-braking", "move.points")
def test_a_leader_stopped_by_his_check_does_not_try_it_again_by_late_braking() -> None:
    stage = driving(car(2, 3, lap=1), car(1, 2, lap=2, check="D2 50"), car(4, 9, lap=0), to_play=[1])
    drive(stage, "G3 10", "S1 99")
    assert stage.open == ("line", 1)  # his turn ends behind the car
    assert stage.queue(3) == [2, 1]
    passed = driving(car(4, 3), car(2, 3, lap=1), car(1, 2, lap=2, check="D2 50"), to_play=[1])
    drive(passed, "G2 10", "S1 10")
    assert passed.queue(3) == [4, 1, 2]
    assert passed.open == ("late", 1)  # and there he tries it on the next


@pytest.mark.article("ninety", "overtake.leader-check")
def test_only_the_leader_and_only_once_and_never_a_bot() -> None:
    second = driving(car(3, 9, lap=4), car(2, 1, lap=1), car(1, 1, lap=2), to_play=[1])
    assert drive(second, "G2 10").where(1) == (2, 2)
    again = driving(car(2, 1, lap=1, lapped=True), car(1, 1, lap=2), to_play=[1])
    assert drive(again, "G2 10").where(1) == (2, 2)
    robot = driving(car(2, 1, lap=1), bot(3, 1, lap=2), to_play=[3])
    assert robot.ruled("move", 3)[0].facts["moved"] == 1
    assert not robot.car(2).lapped


@pytest.mark.article("ninety", "overtake.leader-check")
@pytest.mark.parametrize(("team", "checks"), [("Ibex", False), ("Lynx", True), ("", True)])
def test_the_leader_laps_a_car_of_his_own_team_unchecked(team: str, checks: bool) -> None:
    stage = driving(car(2, 1, lap=1, team="Ibex"), car(1, 1, lap=2, team=team), to_play=[1])
    drive(stage, "G2 10")
    assert (stage.open == ("check", 1)) == checks
    assert stage.where(1) == ((2, 1) if checks else (2, 2))


@pytest.mark.article("ninety", "overtake.first-last")
@pytest.mark.parametrize("turn", [1, 20])
def test_on_the_first_and_last_turn_every_section_is_a_straight(turn: int) -> None:
    stage = driving(car(2, 7), car(1, 7), to_play=[1], turn=turn)
    assert driving(car(2, 7), car(1, 7), turn=turn).open == ("declare", 2)  # no contest
    drive(stage, "G2 10")
    assert stage.where(1) == (1, 8)
    assert stage.ruled("overtakes", 1)[0].article == "overtake.first-last"
    sign = drive(driving(car(1, 1), car(2, 9), to_play=[1], turn=turn), "G2 10")
    assert sign.open == ("line", 1)  # no late braking, but trajectories


@pytest.mark.article("ninety", "overtake.no-move")
def test_a_car_that_does_not_move_is_passed_for_one_point_anywhere() -> None:
    for section in (6, 7):
        stage = driving(car(2, section, still=True), car(1, section), to_play=[1])
        assert drive(stage, "G2 10").where(1) == (1, section + 1)


@pytest.mark.article("ninety", "overtake.off-track")
def test_a_car_off_the_track_is_not_there() -> None:
    stage = drive(driving(car(2, 7, status="off"), car(3, 1), car(1, 7), to_play=[1]), "G2 10")
    assert stage.where(1) == (1, 9)
    assert not stage.ruled("overtakes", 1)


@pytest.mark.article("ninety", "overtake.banging", "strategy.banging-wheels")
def test_banging_wheels_passes_by_the_rules_of_lapping() -> None:
    for section, left in ((6, 3), (7, 2)):
        stage = driving(car(2, section), car(1, section, strategy="banging"), to_play=[1])
        drive(stage, "G4 10")
        assert stage.where(1) == (1, section + left)


@pytest.mark.article("ninety", "strategy.banging-wheels")
def test_banging_wheels_has_one_free_overtake_in_the_first_turn() -> None:
    stage = driving(car(2, 1), car(3, 1), car(4, 1), car(1, 1, strategy="banging"), to_play=[1], turn=1)
    drive(stage, "G3 10")
    assert [one.facts["price"] for one in stage.ruled("overtakes", 1)] == [0, 1, 1]
    last = drive(driving(car(2, 1), car(1, 1, strategy="banging"), to_play=[1], turn=20), "G1 10")
    assert [one.facts["price"] for one in last.ruled("overtakes", 1)] == [1]
    later = drive(driving(car(2, 1), car(1, 1, strategy="banging"), to_play=[1], turn=2), "G1 10")
    assert [one.facts["price"] for one in later.ruled("overtakes", 1)] == [1]


@pytest.mark.article("ninety", "turn.order", "turn.activate")
def test_the_leader_plays_first_and_then_whoever_is_next_on_the_track() -> None:
    stage = driving(car(1, 3, lap=2), car(2, 9, lap=2), car(3, 9, lap=1), car(4, 5, lap=2), to_play=[1, 2, 3, 4])
    assert stage.rulebook.to_play() == [2, 3, 4, 1]
    drive(stage, "G1 10")
    assert stage.open == ("declare", 3)


@pytest.mark.article("ninety", "turn.order")
def test_a_car_that_was_just_lapped_comes_next() -> None:
    stage = driving(car(1, 1, lap=3), car(2, 2, lap=2, lapped=True), car(3, 10, lap=2), to_play=[1, 2, 3])
    drive(stage, "G3 10", False, None)
    assert stage.where(1) == (3, 3)
    assert stage.open == ("declare", 2)


@pytest.mark.article("ninety", "track.late-braking", "end.late-braking")
@pytest.mark.parametrize(("card", "passed"), [("G1 50", True), ("G1 51", False)])
def test_late_braking_takes_the_last_place_of_the_next_section_or_off_the_track(card: str, passed: bool) -> None:
    stage = driving(car(3, 4), car(2, 3), car(1, 1), to_play=[1])
    drive(stage, "G4 10", True)
    assert stage.open == ("drawn", 1)
    stage.say(card)
    if passed:
        assert stage.queue(4) == [3, 1]
        assert stage.car(1).status == "racing"
    else:
        assert (stage.car(1).status, stage.where(1)) == ("off", (1, 3))
        assert stage.queue(3) == [2]


@pytest.mark.article("ninety", "end.no-damage")
def test_late_braking_that_fails_costs_no_damage() -> None:
    stage = drive(driving(car(2, 9), car(1, 1), to_play=[1]), "G2 10", True, "G1 100")
    assert stage.car(1).status == "off"
    assert stage.car(1).wear["damage"] == 4


@pytest.mark.article("ninety", "overtake.lapping-late")
def test_late_braking_also_laps() -> None:
    stage = driving(car(2, 3, lap=1), bot(3, 3, lap=2), car(1, 2, lap=2), to_play=[1])
    drive(stage, "G1 10", True, "G1 1")
    assert (stage.open, stage.queue(3)) == (("check", 1), [2, 1, 3])
    assert not stage.car(2).lapped
    stage.say("D1 50")
    assert stage.where(1) == (2, 4)
    assert stage.queue(3) == [2, 3]
    assert (stage.car(2).lapped, stage.car(3).lapped, stage.car(1).check) == (True, False, "D1 50")
    assert [(one.facts["other"], one.facts["price"]) for one in stage.ruled("overtakes", 1)] == [(2, 0)]
    again = driving(bot(3, 3, lap=2), car(2, 3, lap=1, lapped=True), car(1, 2, lap=2), to_play=[1])
    there = [(one.number, one.arrived) for one in again.rulebook.order.queue(2)]
    drive(again, "G1 10", True, "G1 1")
    assert [(one.number, one.arrived) for one in again.rulebook.order.queue(2)] == there
    assert again.where(1) == (2, 4)
    assert not again.ruled("check", 1)


@pytest.mark.article("ninety", "overtake.leader-check", "move.points", "turn.phases", "end.late-braking")
def test_a_leader_whose_check_retires_him_neither_moves_nor_brakes_late() -> None:
    stage = driving(car(2, 3, lap=1), car(1, 2, lap=2, wear={"damage": 0}), to_play=[1])
    drive(stage, "G2 10", "S1 99")
    assert (stage.car(1).status, stage.open) == ("out", ("declare", 2))
    assert not stage.ruled("move", 1)


@pytest.mark.article("ninety", "overtake.lapping-late", "overtake.leader-check")
def test_a_leader_s_check_that_fails_in_late_braking_leaves_him_behind_that_car_with_one_damage() -> None:
    stage = driving(car(2, 3, lap=1), bot(3, 3, lap=2), car(1, 2, lap=2), to_play=[1])
    drive(stage, "G1 10", True, "G1 1", "D1 51")
    assert stage.queue(3) == [2, 1, 3]
    assert (stage.car(1).wear["damage"], stage.car(1).status, stage.car(2).lapped) == (3, "racing", False)
    assert stage.open == ("line", 1)


@pytest.mark.article("ninety", "overtake.corner", "contest.start", "move.points")
@pytest.mark.parametrize("kind", ["player", "bot"])
def test_one_who_has_played_is_passed_at_the_lapping_price_by_who_begins_in_the_corner_behind_him(kind: str) -> None:
    """There is nobody to contest the corner with: the other has had his turn."""
    if kind == "player":
        stage = drive(driving(car(2, 7), car(1, 7), to_play=[1]), "G3 10")
    else:
        stage = driving(car(2, 7), bot(1, 7, kind="fast"), car(5, 1), to_play=[1, 5])
    assert stage.where(1) == (1, 8)
    passed = stage.ruled("overtakes", 1)[0]
    assert (passed.article, passed.facts["price"]) == ("ruling 41", 2)
    poor = drive(driving(car(2, 7), car(1, 7), to_play=[1]), "G1 10")
    assert poor.queue(7) == [2, 1]
    into = drive(driving(car(2, 7), car(1, 6), to_play=[1]), "G4 10")
    assert into.queue(7) == [2, 1]  # he came into it behind a car: last in line
    braking = drive(driving(car(2, 6), car(1, 6), to_play=[1]), "G4 10")
    assert braking.queue(6) == [2, 1]


@pytest.mark.article("ninety", "contest.start", "contest.choose")
def test_having_stayed_out_of_the_contest_he_pays_the_same_price() -> None:
    stage = driving(car(9, 7), car(1, 7), car(2, 7), to_play=[1, 2])
    stage.say(False, False)
    stage.say("go", "G3 10")
    assert stage.ruled("overtakes", 1)[0].facts == {"other": 9, "price": 2, "at": "section:7"}
    assert stage.where(1) == (1, 8)


@pytest.mark.article("ninety", "end.late-braking", "strategy.hazard", "move.points")
def test_hazard_s_point_after_late_braking_passes_nobody_in_the_corner_that_it_came_into() -> None:
    stage = driving(car(2, 4), car(1, 2, strategy="hazard"), to_play=[1])
    drive(stage, "G1 10", True, "G1 1")
    assert stage.queue(4) == [2, 1]
    assert stage.ruled("held_up", 1)[0].article == "overtake.corner"


@pytest.mark.article("ninety", "strategy.hazard", "end.late-braking")
def test_hazard_drives_a_point_on_after_late_braking() -> None:
    stage = driving(car(2, 9), car(1, 2, strategy="hazard"), to_play=[1])
    drive(stage, "G1 10", True, "G1 1")
    assert stage.where(1) == (1, 5)
    assert stage.ruled("bonus", 1)[0].facts == {"what": "hazard", "points": 1}
    told = [one.article for one in stage.rulings if one.kind in ("late", "move", "bonus")]
    assert told == ["move.points", "end.late-braking", "end.late-braking", "strategy.hazard", "move.points"]


@pytest.mark.article("ninety", "end.trajectory", "track.trajectories")
def test_a_point_of_the_ideal_line_brings_its_bonus_once_with_a_card_of_its_colour() -> None:
    for cards, points in (("S2 10", 4), ("G2 10", 2)):
        stage = driving(car(1, 1, strategy="lucky"), bot(9, 9))
        stage.say("go", "G2 10", False)
        assert stage.answers == [None, 1, 2]
        stage.refuses(3, "This question allows")
        stage.say(2)
        assert stage.car(1).line == 1
        stage.say("go", cards)
        assert stage.ruled("move", 1)[-1].facts["points"] == points
        assert stage.car(1).line == -1


@pytest.mark.article("ninety", "end.trajectory")
def test_a_point_holds_one_car_and_a_stop_loses_it() -> None:
    stage = driving(car(2, 3, point=2), car(1, 1), to_play=[1])
    drive(stage, "G2 10", False)
    assert stage.answers == [None, 1]
    stopped = driving(car(1, 3, point=2), car(2, 9))
    stopped.say("skip", "lucky")
    stopped.say("stop", "lucky")
    assert stopped.car(1).line == -1


@pytest.mark.article("ninety", "strategy.balance")
@pytest.mark.parametrize(
    ("point", "cards", "points", "narrow"),
    [
        (1, "G2 10", 3, 3), (1, "E2 10", 3, 3), (1, "S2 10", 2, 2),
        (1, "S1 10, G2 10", 4, 4), (2, "G2 10", 4, 2), (2, "D2 10", 4, 2), (2, "E2 10", 4, 2), (2, "S2 10", 4, 4),
    ],
)  # fmt: skip
def test_balance_takes_any_card_but_speeding_for_a_point_of_any_colour(
    point: int, cards: str, points: int, narrow: int
) -> None:
    for options, expected in (({}, points), ({"balance_not_red": True}, narrow)):
        stage = driving(car(2, 9), car(1, 3, point=point, strategy="balance"), to_play=[1], options=options)
        drive(stage, cards)
        assert stage.ruled("move", 1)[0].facts["points"] == expected
    plain = driving(car(2, 9), car(1, 3, point=1, strategy="lucky"), to_play=[1])
    drive(plain, "G2 10")
    assert plain.ruled("move", 1)[0].facts["points"] == 2


# -- signs of published boards

EXTREME = (
    RING.replace("late = 50", 'late = "own -10"')
    .replace('"driving 1", "speeding 2"', '"gear 3 blind 60", "driving 2 own +10"')
    .replace('trajectories = ["gear 1"]', 'trajectories = ["gear 1", "speeding 5 blind 70"]')
)


def extreme(point: int = 1, **more: Any) -> Stage:
    """Car 1 begins its turn on a point of section 3."""
    return driving(car(2, 9), car(1, 3, point=point, strategy="lucky", **more), to_play=[1], track=EXTREME)


@pytest.mark.article("ninety", "end.trajectory", "track.trajectories", "symbols.check", "turn.phases")
@pytest.mark.parametrize(("card", "points", "damage"), [("D1 60", 5, 4), ("D1 61", 2, 3)])
def test_an_extreme_trajectory_is_checked_before_the_draw_and_counts_if_that_passes(
    card: str, points: int, damage: int
) -> None:
    stage = extreme()
    assert (stage.open, stage.answers) == (("declare", 1), [False, True, "stop", "skip"])
    stage.say(True)
    assert stage.open == ("drawn", 1)
    assert not stage.ruled("draws", 1)
    stage.say(card)
    assert stage.ruled("extreme", 1)[0].facts == {"card": card, "target": 60, "passed": points == 5}
    assert stage.car(1).line == (0 if points == 5 else -1)
    stage.say("G2 10")
    assert stage.ruled("move", 1)[0].facts["points"] == points
    assert (stage.car(1).wear["damage"], stage.car(1).check) == (damage, "D2 50")


@pytest.mark.article("ninety", "end.trajectory")
def test_an_extreme_trajectory_passed_wants_its_colour_and_one_not_tried_is_lost() -> None:
    stage = extreme()
    stage.say("go", True, "D1 1", "S2 10")
    assert stage.ruled("move", 1)[0].facts["points"] == 2
    dealt = driving(car(2, 9), car(1, 3, point=1), to_play=[1], track=EXTREME, deck=3)
    assert dealt.answers == [False, True, "stop", "skip"]
    dealt.say(False)
    assert (dealt.open, dealt.car(1).line) == (("play", 1), -1)
    meek = extreme()
    meek.say("go", False)
    assert meek.car(1).line == -1
    meek.say("G2 10")
    assert meek.ruled("move", 1)[0].facts["points"] == 2
    assert meek.car(1).wear["damage"] == 4
    skips = extreme()
    skips.say("skip", "lucky")
    assert not skips.ruled("extreme", 1)


@pytest.mark.article("ninety", "end.trajectory", "symbols.check", "track.late-braking")
@pytest.mark.parametrize(("card", "passes"), [("D1 60", True), ("D1 61", False)])
def test_plus_ten_is_on_top_of_the_driver_s_own_check_card_which_the_card_turned_over_replaces(
    card: str, passes: bool
) -> None:
    stage = extreme(point=2)
    stage.say("go", True, card)
    assert stage.ruled("extreme", 1)[0].facts == {"card": card, "target": 60, "passed": passes}
    assert stage.car(1).check == card
    stage.say("D2 10")
    assert stage.ruled("move", 1)[0].facts["points"] == (4 if passes else 2)


@pytest.mark.article("ninety", "end.late-braking", "track.late-braking")
@pytest.mark.parametrize(("card", "status"), [("G1 40", "racing"), ("G1 41", "off")])
def test_late_braking_by_a_sign_of_minus_ten_is_against_the_driver_s_own_card(card: str, status: str) -> None:
    stage = driving(car(2, 9), car(1, 2), to_play=[1], track=EXTREME)
    stage.say("go", "G1 10")
    assert stage.talk.question is not None
    assert stage.talk.question.fields == {"late": 40}
    stage.say(True, card)
    assert (stage.car(1).status, stage.car(1).check) == (status, card)


@pytest.mark.article("ninety", "chart.breakdown", "end.trajectory", "turn.phases")
def test_an_extreme_trajectory_failed_without_room_for_damage_retires_the_car_before_it_draws() -> None:
    stage = extreme(wear={"damage": 0})
    stage.say("go", True, "D1 99")
    assert (stage.car(1).status, stage.car(1).cause) == ("out", "breakdown")
    assert not stage.ruled("draws", 1)


@pytest.mark.article("ninety", "bots.late-trajectory")
def test_a_bot_takes_no_extreme_point() -> None:
    stage = driving(car(2, 9), bot(1, 3), car(5, 1), to_play=[1, 5], track=EXTREME)
    assert stage.where(1) == (1, 5)
    assert stage.car(1).line == 0  # the plain one, though the other has 5
    none = driving(car(2, 9), bot(1, 1), car(5, 1), to_play=[1, 5], track=EXTREME)
    assert (none.where(1), none.car(1).line) == ((1, 3), -1)


@pytest.mark.article("ninety", "end.trajectory", "track.trajectories")
def test_whoever_ends_on_an_extreme_point_is_told_what_it_will_want() -> None:
    stage = driving(car(2, 9), car(1, 1), to_play=[1], track=EXTREME)
    stage.say("go", "G2 10", False)
    assert stage.talk.question is not None
    facts = [option.facts for option in stage.talk.question.options()]
    assert facts[1:] == [{"colour": "gear", "bonus": 3, "target": 60}, {"colour": "driving", "bonus": 2, "target": 60}]


@pytest.mark.article("ninety", "overtake.leader-check", "symbols.check-sources", "move.points")
@pytest.mark.parametrize("deck", [0, 7])
def test_the_leader_may_use_a_card_that_he_has_just_played(deck: int) -> None:
    here = {"hand": ["G2 10", "G1 40"], "wear": {"cards": 6}}
    stage = driving(car(2, 1, lap=1), car(1, 1, lap=2, **here), to_play=[1], deck=deck)
    stage.say("go", ["G2 10"] if deck == 0 else "G2 10")
    assert stage.open == ("check", 1)
    assert "G2 10" in stage.answers
    stage.say("G2 10")
    assert (stage.where(1), stage.car(1).check, stage.car(2).lapped) == ((2, 2), "G2 10", True)
    assert stage.car(1).wear["cards"] == 6  # one drawn, one played
    if deck:
        assert "G2 10" not in stage.race.discards
        assert "D2 50" in stage.race.discards


@pytest.mark.article("ninety", "overtake.leader-check", "symbols.check-sources")
def test_a_card_just_played_serves_the_leader_once() -> None:
    stage = driving(car(2, 1), car(3, 1), car(1, 1, lap=2), to_play=[1])
    drive(stage, "G4 10")
    assert stage.answers == ["blind", "G4 10"]
    stage.say("G4 10")
    assert (stage.open, stage.answers) == (("check", 1), ["blind"])


@pytest.mark.article("ninety", "overtake.leader-check", "symbols.check-sources", "cards.race")
def test_a_card_just_played_that_a_new_shuffle_has_taken_serves_the_leader_no_more() -> None:
    hand = {"hand": ["E1 20 N", "G1 40"], "wear": {"cards": 2}}
    stage = driving(bot(2, 1), car(1, 1, lap=2, **hand), to_play=[1], deck=7, pile=["G2 10"], shuffles=1)
    stage.say("go", ["E1 20 N", "G2 10"])  # the new card is one of these two
    assert stage.open == ("check", 1)
    (back,) = set(stage.car(1).hand) - {"G1 40"}
    stage.say(back)
    assert (stage.car(1).hand, stage.car(1).check, stage.car(1).wear["cards"]) == (["G1 40"], back, 1)
