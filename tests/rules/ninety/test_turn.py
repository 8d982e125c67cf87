"""A driver's turn: declarations, drawing, playing, paying and checking; stops and skipped turns."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

import pytest

from companion.rules.conversation.errors import BadAnswer, BadOverride, BadSetup
from companion.rules.ninety.cards import new_deck
from companion.rules.rulebooks import begin
from companion.wording import Words
from tests.rules.ninety.stage import TRACK, bot, car, driving


def go(stage, *answers):  # type: ignore[no-untyped-def]
    """Drives on and gives the answers that follow."""
    return stage.say("go", *answers)


@pytest.mark.article("ninety", "turn.phases", "draw.card")
def test_a_turn_declares_draws_plays_and_moves_in_this_order() -> None:
    stage = driving(car(1, 8))
    assert stage.open == ("declare", 1)
    assert stage.answers == ["stop", "skip"]
    stage.refuses("S3 10, G2 20", "do not go together")
    assert [ruling.kind for ruling in stage.say("G2 10")] == ["draws", "plays", "move", "round"]
    assert stage.where(1) == (1, 10)
    assert stage.car(1).wear["cards"] == 6
    assert stage.car(1).hand == []  # what is in a hand on the table nobody knows


@pytest.mark.article("ninety", "turn.phases", "draw.card", "play.cards")
def test_whoever_only_says_that_he_goes_is_asked_for_his_cards_as_ever() -> None:
    """So do logs that are older than the cards at the beginning of a turn."""
    stage = driving(car(1, 8, hand=["D1 20", "G1 30"]))
    assert stage.answers == [["D1 20"], ["G1 30"], ["D1 20", "G1 30"], "stop", "skip"]
    assert [ruling.kind for ruling in stage.say("go")] == ["draws"]
    assert (stage.open, stage.car(1).wear["cards"]) == (("play", 1), 7)
    assert [ruling.kind for ruling in stage.say("G2 10")] == ["plays", "move", "round"]


@pytest.mark.article("ninety", "turn.phases", "draw.card", "play.cards", "symbols.pay", "contest.frozen")
def test_the_card_that_is_drawn_may_be_played_and_pays() -> None:
    """A hand of one frozen card plays the one drawn; two of a hand of one; of two a tyre may be paid with the third."""
    frozen = driving(car(1, 8, wear={"cards": 1}, hand=["G4 1"], frozen=["G4 1"]))
    frozen.refuses("G2 10, G1 5", "1 cards that it can use")
    frozen.say("G2 10")
    assert frozen.car(1).wear["cards"] == 1
    driving(car(1, 8, wear={"cards": 1})).say("G2 10, G1 5")
    (paid,) = [one for one in driving(car(1, 8, wear={"cards": 1, "tyres": 1}, hand=["S3 9 TT"])).offered if one.wear]
    assert "out" not in paid.facts


@pytest.mark.article("ninety", "turn.phases", "draw.card")
def test_a_card_of_the_programs_deck_is_drawn_only_by_who_goes() -> None:
    stage = driving(car(1, 8), deck=3)
    assert stage.answers == ["go", "stop", "skip"]
    held, pile = list(stage.car(1).hand), list(stage.race.pile)
    stage.refuses(held[:1], "This question allows")
    assert (stage.car(1).hand, stage.race.pile) == (held, pile)
    stage.say("go")
    assert stage.car(1).hand == [*held, pile[-1]]


@pytest.mark.article("ninety", "strategy.lucky", "draw.card")
def test_lucky_draws_two_and_keeps_one() -> None:
    stage = driving(car(1, 8, strategy="lucky"), deck=3)
    before = list(stage.car(1).hand)
    stage.say("go")
    assert stage.open == ("keep", 1)
    one, two = stage.answers
    stage.refuses("S4 1", "Of the cards drawn one is kept")
    stage.say(two)
    assert stage.car(1).hand == [*before, two]
    assert stage.race.discards == [one]
    table = driving(car(1, 8, strategy="lucky"))
    table.say("go")
    assert (table.open, table.car(1).wear["cards"]) == (("play", 1), 7)


@pytest.mark.article("ninety", "play.cards")
def test_cards_that_do_not_go_together_are_refused() -> None:
    stage = driving(car(1, 8))
    stage.say("go")
    stage.refuses("S3 10 T, G2 20", "do not go together")
    stage.refuses(["S3 10", "S1 101"], "A check factor is 1 to 100; 101 is on no card")
    stage.refuses("S5 10", "A card moves 1 to 4; 5 is on none")
    stage.refuses(7, "Cards are a list")
    stage.refuses([], "One card is played")
    stage.say(["S3 10", "G1 20"])
    assert stage.where(1) == (2, 2)


@pytest.mark.article("ninety", "play.cards", "symbols.pay", "chart.breakdown")
def test_cards_that_put_their_car_out_say_so_before_they_are_played() -> None:
    """Tyres that cannot be paid, and damage that the chart has no room for; a check may still be passed."""
    hand = ["G3 10 R", "G4 10 RB", "S2 10 T", "D2 10 C", "G1 10 R"]
    stage = driving(car(1, 8, hand=hand, wear={"tyres": 0, "damage": 1}))
    stage.say("go")
    question = stage.talk.question
    assert question is not None
    out = {tuple(one.answer): one.facts.get("out") for one in question.options()}
    assert {cards: why for cards, why in out.items() if len(cards) == 1} == {
        ("G3 10 R",): None,
        ("G4 10 RB",): "breakdown",
        ("S2 10 T",): "unpaid",
        ("D2 10 C",): None,
        ("G1 10 R",): None,
    }
    assert out["G1 10 R", "G3 10 R"] == "breakdown"
    stage.say("G4 10 RB")
    assert (stage.car(1).status, stage.car(1).cause) == ("out", "breakdown")


@pytest.mark.article("ninety", "symbols.pay", "play.cards")
@pytest.mark.parametrize(
    ("hand", "cards", "tyres", "out"),
    [
        (["S4 9 TTT"], 1, 1, "unpaid"),  # with the card drawn it holds one more, and two are due
        (["S4 9 TTT"], 2, 1, None),
        (["S4 9 TTT"], 1, 2, None),
        (["S1 8 T", "S3 9 TT"], 2, 1, "unpaid"),
        (["S1 8 T", "S3 9 TT"], 3, 1, None),
    ],
)
def test_a_card_that_is_played_pays_none_of_its_own_tyres(
    hand: list[str], cards: int, tyres: int, out: str | None
) -> None:
    stage = driving(car(1, 8, hand=hand, wear={"cards": cards, "tyres": tyres}), car(2, 3))
    assert next(one for one in stage.offered if one.answer == hand).facts.get("out") == out
    stage.say("go")
    assert next(one for one in stage.offered if one.answer == hand).facts.get("out") == out
    stage.say(hand)
    assert stage.car(1).cause == (out or "")


@pytest.mark.article("ninety", "symbols.pay", "tokens.tyres")
def test_tyres_are_paid_with_chips_or_with_cards_but_the_first() -> None:
    stage = driving(car(1, 8))
    go(stage, "S4 10 TTT")
    assert stage.open == ("pay", 1)
    stage.refuses(["G1 1", "G1 2", "G1 3"], "0 to 2 cards can replace tyres; 3 cannot")
    stage.say(["G1 1", "G1 2"])
    assert (stage.car(1).wear["tyres"], stage.car(1).wear["cards"]) == (11, 4)
    assert [one.wear for one in stage.ruled("paid", 1)] == [{"tyres": -1, "cards": -2}]


@pytest.mark.article("ninety", "symbols.pay", "turn.phases")
def test_who_has_no_chip_for_the_first_tyre_retires_without_moving() -> None:
    stage = driving(car(1, 8, wear={"tyres": 0}), car(2, 1))
    go(stage, "S2 10 T")
    assert (stage.car(1).status, stage.car(1).cause, stage.where(1)) == ("out", "unpaid", (1, 8))
    assert stage.ruled("out", 1)[0].article == "symbols.pay"
    assert not stage.ruled("move", 1)


@pytest.mark.article("ninety", "symbols.pay")
def test_cards_stand_in_for_chips_that_are_missing() -> None:
    stage = driving(car(1, 8, wear={"tyres": 1}))
    go(stage, "S4 10 TTT")
    stage.refuses([], "2 to 2 cards can replace tyres")
    stage.say(["G1 1", "G1 2"])
    assert stage.car(1).alive
    assert stage.car(1).wear["tyres"] == 0


@pytest.mark.article("ninety", "strategy.save-tyres")
@pytest.mark.parametrize(("cards", "paid"), [("S2 10 T", 0), ("S3 10 TT", 1), ("S2 10 T, S2 11 T", 1), ("G2 9", 0)])
def test_save_tyres_takes_one_off_the_total(cards: str, paid: int) -> None:
    stage = driving(car(1, 8, strategy="save_tyres"))
    go(stage, cards)
    assert stage.car(1).wear["tyres"] == 12 - paid


@pytest.mark.article("ninety", "tokens.damage", "pit.stop")
def test_permanent_damage_stays_at_a_stop_and_repairable_comes_off() -> None:
    stage = driving(car(1, 8), bot(2, 1), turn=5)
    go(stage, "G3 10 RB")
    assert (stage.car(1).wear["damage"], stage.car(1).permanent) == (2, 1)
    assert [ruling.facts["permanent"] for ruling in stage.ruled("damage", 1)] == [False, True]
    assert [ruling.wear for ruling in stage.ruled("damage", 1)] == [{"damage": -1}] * 2
    stage.say("stop", "lucky")
    assert (stage.car(1).wear["damage"], stage.car(1).permanent) == (3, 1)


@pytest.mark.article("ninety", "chart.breakdown")
def test_a_damage_that_no_longer_fits_retires_the_car() -> None:
    stage = driving(car(1, 8, wear={"damage": 1}), car(2, 1))
    go(stage, "G2 10 RRB")
    assert (stage.car(1).wear["damage"], stage.car(1).cause) == (0, "breakdown")
    assert stage.race.gone == [1]
    full = driving(car(1, 8, wear={"damage": 1}), car(2, 1))
    go(full, "G2 10 R")
    assert full.car(1).alive


@pytest.mark.article("ninety", "symbols.check", "symbols.check-sources")
@pytest.mark.parametrize(("card", "passed"), [("D2 50", True), ("D2 49", True), ("D2 51", False)])
def test_a_check_passes_with_an_equal_or_lower_factor_and_the_card_stays(card: str, passed: bool) -> None:
    stage = driving(car(1, 8, check="D2 50"))
    go(stage, "D1 90 C")
    assert stage.open == ("check", 1)
    assert stage.answers[:2] == ["blind", "D1 90 C"]
    stage.say(card)
    assert stage.ruled("check")[0].facts == {"card": card, "target": 50, "passed": passed}
    assert stage.car(1).check == card
    assert stage.car(1).wear == {"tyres": 12, "cards": 5, "damage": 4 if passed else 3}


@pytest.mark.article("ninety", "symbols.check-sources", "cards.race")
def test_a_blind_check_and_one_with_a_card_just_played() -> None:
    stage = driving(car(1, 8, check="D2 50"))
    go(stage, "D1 90 C", "blind")
    assert stage.open == ("drawn", 1)
    stage.say("E1 20")
    assert (stage.car(1).check, stage.car(1).wear["cards"]) == ("E1 20", 6)
    played = driving(car(1, 8, check="D2 50"))
    go(played, "D1 30 C", "D1 30 C")
    assert (played.car(1).check, played.car(1).wear["cards"]) == ("D1 30 C", 6)


@pytest.mark.article("ninety", "symbols.check-sources")
@pytest.mark.parametrize("deck", [0, 7])
def test_a_check_offers_what_is_in_the_hand_and_says_what_passes(deck: int) -> None:
    hand = ["D1 90 C", "G1 50", "G1 51"]
    stage = driving(car(1, 8, check="D2 50", hand=hand, wear={"cards": 3}), bot(2, 1), deck=deck, pile=["G1 49"])
    go(stage, "D1 90 C")
    question = stage.talk.question
    assert question is not None
    passes = {one.answer: one.facts.get("passes") for one in question.options()}
    drawn = {"G1 49": True} if deck else {}
    assert passes == {"blind": None, "D1 90 C": False, "G1 50": True, "G1 51": False, **drawn}
    assert question.fields is not None
    assert ("card" in question.fields) == (not deck)
    if deck:
        stage.refuses("G1 9", "has no G1 9 in its hand")


@pytest.mark.article("ninety", "symbols.check-mod")
@pytest.mark.parametrize(("symbol", "target"), [("+", 70), ("-", 30), ("C", 50)])
def test_p20_makes_a_check_easier_and_m20_harder(symbol: str, target: int) -> None:
    stage = driving(car(1, 8, check="D2 50"))
    go(stage, f"D1 90 {symbol}")
    assert stage.talk.question is not None
    assert stage.talk.question.fields is not None
    assert stage.talk.question.fields["target"] == target
    stage.say(f"D2 {target + 1}")
    assert stage.ruled("check")[0].facts["passed"] is False


@pytest.mark.article("ninety", "symbols.check")
def test_each_check_is_against_the_card_that_the_one_before_left() -> None:
    stage = driving(car(1, 8, check="D2 50"))
    go(stage, "D1 90 C+", "D2 40", "D2 61")
    assert [one.facts["target"] for one in stage.ruled("check")] == [50, 60]
    assert [one.facts["passed"] for one in stage.ruled("check")] == [True, False]


@pytest.mark.article("ninety", "symbols.order", "symbols.draw")
def test_who_is_out_by_the_damage_that_he_pays_neither_checks_nor_draws() -> None:
    stage = driving(car(1, 8, wear={"damage": 0}), car(2, 1))
    go(stage, "D2 10 NCR")
    assert stage.open == ("declare", 2)
    assert [one.facts["count"] for one in stage.ruled("draws", 1)] == [1]
    assert stage.car(1).wear["cards"] == 6


@pytest.mark.article("ninety", "symbols.order", "symbols.draw", "turn.phases")
def test_symbols_pay_then_check_then_draw() -> None:
    stage = driving(car(1, 8, check="D2 50"))
    said = go(stage, "D1 90 NNCTR")
    assert [ruling.kind for ruling in said] == ["plays", "paid", "damage"]
    assert stage.open == ("check", 1)
    assert [ruling.kind for ruling in stage.say("D2 1")][:2] == ["check", "draws"]
    assert stage.car(1).wear["cards"] == 7


@pytest.mark.article("ninety", "symbols.ignored")
def test_an_event_of_weather_or_flags_does_nothing() -> None:
    stage = driving(car(1, 8))
    assert [ruling.kind for ruling in go(stage, "E2 10")] == ["plays", "move", "round"]
    stage.refuses("stop rain", "A card is written by type")


@pytest.mark.article("ninety", "strategy.hazard", "move.points")
@pytest.mark.parametrize(("strategy", "sections"), [("hazard", 5), ("balance", 2)])
def test_hazard_brings_a_point_for_each_damage_and_check(strategy: str, sections: int) -> None:
    stage = driving(car(1, 1, strategy=strategy))
    go(stage, "D2 90 C+R", "D2 1", "D2 1")
    stage_moved = stage.ruled("move", 1)[-1].facts["points"]
    assert stage_moved == sections
    told = [{"what": "hazard", "points": 3}] if strategy == "hazard" else []
    assert [one.facts for one in stage.ruled("bonus", 1)] == told
    plain = driving(car(1, 1, strategy=strategy))
    go(plain, "G2 10")
    assert not plain.ruled("bonus")


@pytest.mark.article("ninety", "strategy.chase", "move.points")
@pytest.mark.parametrize(("other", "points"), [((5, 1), 3), ((6, 1), 3), ((7, 1), 2), ((5, 0), 2), ((5, 2), 3)])
def test_chase_brings_a_point_close_behind_an_unlapped_car_if_the_table_wants_it(
    other: tuple[int, int], points: int
) -> None:
    stage = driving(bot(2, *other, lapped=True), car(1, 5, strategy="chase"), to_play=[1], options={"chase": True})
    go(stage, "G2 10")
    assert stage.ruled("move", 1)[0].facts["points"] == points


@pytest.mark.article("ninety", "strategy.chase", "move.points")
def test_a_point_of_chase_is_told_and_is_for_who_has_chosen_it() -> None:
    for strategy, told in (("chase", [{"what": "chase", "points": 1}]), ("lucky", [])):
        stage = driving(bot(2, 6), car(1, 5, strategy=strategy), to_play=[1], options={"chase": True})
        go(stage, "G2 10")
        assert [one.facts for one in stage.ruled("bonus", 1)] == told


@pytest.mark.article("ninety", "turn.skip", "overtake.no-move")
def test_a_skipped_turn_changes_the_strategy_and_leaves_the_marker() -> None:
    stage = driving(car(1, 4), car(2, 4))
    stage.say(False, False)  # nobody contests the corner
    stage.say("skip", "hazard")
    assert (stage.car(1).strategy, stage.car(1).still, stage.where(1)) == ("hazard", True, (1, 4))
    assert stage.ruled("skip", 1)
    assert stage.car(1).wear["cards"] == 6
    go(stage, "G2 10")  # a point to pass the car that does not move, in a corner
    assert stage.ruled("overtakes", 2)[0].article == "overtake.no-move"
    assert stage.where(2) == (1, 5)
    assert stage.open == ("line", 2)
    stage.say(None)
    assert stage.open == ("declare", 2)
    stage.say("skip", "lucky")
    assert stage.open == ("declare", 1)
    stage.say("go")
    assert not stage.car(1).still


@pytest.mark.article("ninety", "pit.stop")
@pytest.mark.parametrize(
    ("permanent", "said"),
    [(0, ("1 is serviced.", "1 est remise en état.")),
     (1, ("1 is serviced; 1 permanent damage stays.", "1 est remise en état ; dégâts définitifs : 1."))],
)  # fmt: skip
def test_a_stop_for_which_nothing_is_missing_says_no_empty_sum(permanent: int, said: tuple[str, str]) -> None:
    stage = driving(car(1, 8, permanent=permanent), car(2, 5))
    stage.say("stop", "lucky")
    told = (Words(lang, "ninety").ruling(stage.ruled("refill")[0]) for lang in ("en", "fr"))
    assert tuple(one.replace("\N{NO-BREAK SPACE}", " ") for one in told) == said


@pytest.mark.article("ninety", "pit.stop", "pit.still-plays", "pit.once")
def test_a_stop_fills_the_chart_goes_back_and_still_has_its_turn() -> None:
    stage = driving(
        car(1, 8, wear={"tyres": 2, "cards": 3, "damage": 1}, strategy="hazard", point=None), car(2, 6), car(3, 5)
    )
    stage.say("stop", "banging")
    assert stage.car(1).wear == {"tyres": 12, "cards": 6, "damage": 4}
    assert (stage.car(1).strategy, stage.car(1).stops, stage.where(1)) == ("banging", 1, (1, 5))
    assert stage.queue(5) == [3, 1]
    assert stage.open == ("declare", 2)
    go(stage, "G1 10")
    assert stage.open == ("declare", 3)
    go(stage, "G1 10")
    stage_open = stage.open
    assert stage_open == ("play", 1)  # it has declared already: on with drawing and playing
    stage.say("G2 10", *([None] if stage.open == ("line", 1) else []))
    assert stage.race.round == 6
    assert "stop" in stage.answers  # another one is allowed


@pytest.mark.article("ninety", "pit.cards")
def test_a_hand_above_the_chart_is_discarded_down() -> None:
    stage = driving(car(1, 8, wear={"cards": 9}))
    stage.say("stop", "lucky")
    assert stage.car(1).wear["cards"] == 6 + 1  # and one drawn for the turn
    dealt = driving(car(1, 8, wear={"cards": 8}, frozen=[]), deck=4)
    first = dealt.car(1).hand[0]
    dealt.say("stop")
    assert dealt.open == ("discard", 1)
    dealt.say(first)
    assert dealt.open == ("discard", 1)
    dealt.say(dealt.answers[0])
    assert dealt.open == ("strategy", 1)
    assert len(dealt.car(1).hand) == dealt.car(1).wear["cards"] == 6


@pytest.mark.article("ninety", "pit.cards", "contest.frozen")
def test_frozen_cards_stay_in_the_hand_at_a_stop() -> None:
    frozen = ["S4 1", "S4 2"]
    stage = driving(
        car(1, 8, built={"tyres": 9, "cards": 1, "damage": 4}, wear={"cards": 2}, hand=frozen, frozen=frozen)
    )
    stage.say("stop", "lucky")
    assert stage.car(1).frozen == frozen
    assert stage.car(1).wear["cards"] == 3
    stage.refuses("S4 1", "S4 1 is frozen until the next turn")


@pytest.mark.article("ninety", "pit.deadline", "fuel.deadlines")
def test_on_the_marked_turn_only_the_stop_can_be_declared() -> None:
    stage = driving(car(1, 8, fuel=7), turn=5)
    go(stage, "G1 10")
    assert stage.ruled("fuel", 1)[0].facts == {"fuel": 7, "now": False}
    go(stage, "G1 10")
    assert stage.ruled("fuel", 1)[1].facts == {"fuel": 7, "now": True}
    assert stage.answers == ["stop"]
    stage.refuses("go", "This question allows")
    stage.refuses("G1 10", "This question allows")
    made = driving(car(1, 8, fuel=7, stops=1), turn=7)
    assert made.answers == ["stop", "skip"]


@pytest.mark.article("ninety", "pit.cards", "pit.deadline", "end.late-braking", "overtake.off-track")
def test_off_the_track_there_is_no_stop_and_the_turn_is_spent_on_coming_back() -> None:
    stage = driving(car(2, 9), car(1, 8, status="off", fuel=5), to_play=[1], turn=5)
    assert (stage.open, stage.answers) == (("declare", 1), ["back"])
    stage.refuses("stop", "Car 1 is off the track and cannot stop there; it comes back this turn")
    stage.refuses("go", "This question allows")
    stage.say("back")
    assert stage.race.round == 6  # it has come back, last in line, and the next turn has begun
    assert stage.queue(9) == [2, 1]
    assert stage.ruled("back", 1)
    assert stage.car(1).wear["cards"] == 6
    assert stage.open == ("declare", 2)
    stage.say("skip", "lucky")
    assert (stage.open, stage.answers) == (("declare", 1), ["stop"])


@pytest.mark.article("ninety", "play.cards", "contest.frozen", "turn.phases")
def test_a_hand_of_frozen_cards_plays_nothing() -> None:
    stage = driving(car(1, 8, wear={"cards": 2}, hand=["G4 1", "G4 2"], frozen=["G4 1", "G4 2"]), car(2, 1))
    stage.say("go")
    stage.rulings += stage.talk.override({"car": 1, "wear": {"cards": 2}})
    stage.rulings += stage.talk.override({"car": 2, "fuel": 29})
    assert stage.open == ("declare", 2)
    assert stage.where(1) == (1, 8)
    assert stage.ruled("no_card", 1)
    assert not stage.ruled("move", 1)


@pytest.mark.article("ninety", "turn.phases", "end.trajectory", "end.late-braking")
def test_a_turn_ends_with_late_braking_and_then_a_point_of_the_line() -> None:
    stage = driving(car(1, 1), bot(2, 9), to_play=[1])
    stage.say("go", "G2 10")
    assert stage.open == ("late", 1)
    stage.say(False)
    assert stage.open == ("line", 1)
    stage.say(None)
    assert stage.car(1).line == -1
    assert not stage.ruled("line", 1)


@pytest.mark.article("ninety", "turn.skip", "end.trajectory")
def test_a_point_of_the_line_is_lost_by_a_skipped_turn_and_by_points_that_do_not_move() -> None:
    skipped = driving(car(1, 3, point=2), bot(2, 9), to_play=[1])
    skipped.say("skip", "lucky")
    assert skipped.car(1).line == -1
    held = driving(car(3, 3), car(1, 3, point=2), bot(2, 9), to_play=[1])
    held.say("go", "G1 10", False)
    assert (held.answers, held.car(1).line) == ([None, 1, 2], -1)


@pytest.mark.article("ninety", "play.cards", "symbols.pay")
@pytest.mark.parametrize("deck", [0, 7])
def test_cards_are_offered_alone_and_by_two_that_go_together_with_their_tyres(deck: int) -> None:
    hand = ["S3 30 TT", "G3 40", "G1 7"]
    stage = driving(car(1, 8, hand=hand, wear={"cards": 3}), bot(2, 1), to_play=[1], deck=deck, pile=["E4 1"])
    stage.say("go")
    question = stage.talk.question
    assert question is not None
    offered = {tuple(one.answer): one.wear for one in question.options() if "E4 1" not in one.answer}
    two = {"tyres": -2}
    plain = {("S3 30 TT",): two, ("G3 40",): {}, ("G1 7",): {}, ("G1 7", "G3 40"): {}, ("G1 7", "S3 30 TT"): two}
    assert offered == plain
    assert question.fields is not None
    assert (question.fields["cards"], "card" in question.fields) == ([1, 2], not deck)


@pytest.mark.article("ninety", "symbols.pay")
def test_cards_that_can_replace_tyres_are_offered_with_what_they_save() -> None:
    hand = ["S4 10 TTT", "G1 1", "G1 2", "G1 3"]
    stage = driving(car(1, 8, hand=hand, wear={"cards": 4}), bot(2, 1), to_play=[1], deck=7, pile=["G1 4"])
    go(stage, "S4 10 TTT")
    question = stage.talk.question
    assert question is not None
    offered = {tuple(one.answer): one.wear for one in question.options()}
    assert offered.pop(()) == {"tyres": -3}
    singles = {codes: wear for codes, wear in offered.items() if len(codes) == 1}
    assert singles == {(code,): {"tyres": -2, "cards": -1} for code in ("G1 1", "G1 2", "G1 3", "G1 4")}
    assert {codes for codes in offered if len(codes) == 2} >= {("G1 1", "G1 2"), ("G1 1", "G1 3"), ("G1 2", "G1 3")}
    assert all(wear == {"tyres": -1, "cards": -2} for codes, wear in offered.items() if len(codes) == 2)
    assert max(map(len, offered)) == 2
    assert question.fields == {"due": 3, "chips": 12, "cards": [0, 2]}


@pytest.mark.article("ninety", "symbols.pay")
def test_of_cards_of_the_table_it_is_enough_how_many_replace_tyres() -> None:
    """Any card pays one tyre, and which are gone only their player knows: none but the frozen ones is offered then."""
    hand = ["G1 1", "G1 2", "G1 9"]
    stage = driving(car(1, 8, hand=hand, frozen=["G1 9"]), bot(2, 1))
    go(stage, "S4 10 TTT")
    question = stage.talk.question
    assert question is not None
    assert question.fields == {"due": 3, "chips": 12}
    assert [(one.answer, one.wear) for one in question.options()] == [
        (0, {"tyres": -3}),
        (1, {"tyres": -2, "cards": -1}),
        (2, {"tyres": -1, "cards": -2}),
    ]
    for wrong, why in [(-1, "2 cards can replace tyres; -1 cannot"), (3, "3 cannot"), (True, "Cards are a list")]:
        stage.refuses(wrong, why)
    stage.say(2)
    assert (stage.car(1).wear["tyres"], stage.car(1).wear["cards"]) == (11, 4)
    assert stage.car(1).hand == ["G1 9"]
    assert [one.wear for one in stage.ruled("paid", 1)] == [{"tyres": -1, "cards": -2}]


@pytest.mark.article("ninety", "symbols.pay", "tokens.tyres")
@pytest.mark.parametrize(
    ("tyres", "cards", "due", "pays"),
    [
        (0, 0, 0, True), (0, 9, 1, False), (0, 9, 2, False), (1, 0, 1, True), (1, 0, 2, False), (1, 1, 2, True),
        (1, 1, 3, False), (1, 9, 3, True), (2, 1, 3, True), (2, 0, 3, False), (3, 0, 3, True),
    ],
)  # fmt: skip
def test_the_first_tyre_is_a_chip_and_each_other_a_chip_or_a_card(tyres: int, cards: int, due: int, pays: bool) -> None:
    stage = driving(car(1, 8, wear={"tyres": tyres, "cards": cards}))
    assert stage.rulebook.chart.can_pay(stage.car(1), due) is pays


@pytest.mark.article("ninety", "symbols.pay")
@pytest.mark.parametrize(("cards", "asked"), [("S2 10 T", False), ("S2 10 TT", True)])
def test_who_pays_more_than_one_tyre_is_asked_for_cards(cards: str, asked: bool) -> None:
    stage = driving(car(1, 8), car(2, 1))
    go(stage, cards)
    assert (stage.open == ("pay", 1)) is asked


@pytest.mark.article("ninety", "strategy.save-tyres")
@pytest.mark.parametrize(("strategy", "due"), [("save_tyres", 1), ("lucky", 2)])
def test_only_save_tyres_saves_one(strategy: str, due: int) -> None:
    stage = driving(car(1, 8, strategy=strategy))
    assert stage.rulebook.chart.tyres_due(stage.car(1), ["S3 10 TT"]) == due


@pytest.mark.article("ninety", "turn.skip", "pit.deadline")
@pytest.mark.parametrize(("fuel", "stops", "left"), [(8, 0, 3), (5, 0, 0), (3, 0, 0), (8, 1, None)])
def test_the_turns_left_until_the_stop_are_told(fuel: int, stops: int, left: int | None) -> None:
    question = driving(car(1, 8, fuel=fuel, stops=stops), turn=5).talk.question
    assert question is not None
    assert question.fields is not None
    assert {name: question.fields[name] for name in ("fuel", "left")} == {"fuel": fuel, "left": left}


@pytest.mark.article("ninety", "symbols.pay", "tokens.tyres")
def test_cards_of_the_program_s_deck_that_pay_tyres_are_named_and_are_in_the_hand() -> None:
    hand = ["S4 9 TTT", "G1 8", "G2 7"]
    stage = driving(car(1, 8, hand=hand, wear={"tyres": 5, "cards": 3}), car(2, 5), deck=4)
    stage.say("go", ["S4 9 TTT"])
    assert stage.open == ("pay", 1)
    stage.refuses(1, "Cards are a list")
    stage.refuses(["G3 6"], "Car 1 has no G3 6 in its hand")
    stage.say(["G1 8", "G2 7"])
    assert (stage.car(1).wear["tyres"], len(stage.car(1).hand)) == (4, 1)


@pytest.mark.article("ninety", "pit.deadline", "pit.cards", "fuel.deadlines")
@pytest.mark.parametrize(
    ("turn", "fuel", "status", "now"),
    [
        (6, 6, "racing", [True]), (6, 7, "racing", [False]), (6, 8, "racing", []),
        (6, 5, "racing", [True]), (6, 5, "off", [False]), (6, 6, "off", [False]), (6, 7, "off", [False]),
        (20, 20, "racing", [True]), (20, 21, "racing", []), (20, 20, "off", []),
    ],
)  # fmt: skip
def test_the_reminder_is_of_the_turn_in_which_the_stop_is_made(turn: int, fuel: int, status: str, now: Any) -> None:
    stage = driving(car(1, 8), car(2, 5, fuel=fuel, status=status), to_play=[1], turn=turn - 1)
    stage.say("skip", "lucky")
    assert stage.race.round == turn
    assert [one.facts["now"] for one in stage.ruled("fuel", 2)] == now


@pytest.mark.article("ninety", "pit.deadline", "fuel.deadlines")
def test_who_is_out_is_not_reminded_of_his_fuel() -> None:
    stage = driving(car(1, 8), car(2, 8, status="out", cause="unpaid", fuel=6), to_play=[1])
    stage.say("skip", "lucky")
    assert stage.race.round == 6
    assert not stage.ruled("fuel")


@pytest.mark.article("ninety", "pit.stop", "pit.cards")
@pytest.mark.parametrize(("cards", "seen"), [(5, 2), (6, 2), (7, 0), (8, 0)])
def test_a_stop_makes_the_hand_as_large_as_the_chart_says(cards: int, seen: int) -> None:
    """On the table nobody knows which cards went: of a hand that was cut none counts as seen."""
    stage = driving(car(1, 8, hand=["G1 1", "G1 2"], wear={"cards": cards}), bot(2, 7), to_play=[1])
    stage.say("stop")
    assert stage.open == ("strategy", 1)
    assert (stage.car(1).wear["cards"], len(stage.car(1).hand)) == (6, seen)


@pytest.mark.article("ninety", "contest.frozen")
@pytest.mark.parametrize(
    ("deck", "codes", "said"),
    [
        (0, ["G1 1", "G1 2"], None),
        (0, ["G4 4"], "G4 4 is frozen until the next turn"),
        (0, ["G4 4", "G4 4"], "has no G4 4 in its hand"),
        (0, ["D1 9", "D1 8", "D1 7"], "has 2 cards that it can use; 3 are too many"),
        (7, ["G1 1", "G1 1"], "has no G1 1 in its hand"),
        (7, ["D1 9"], "has no D1 9 in its hand"),
        (7, ["G4 4"], "G4 4 is frozen"),
    ],
)
def test_what_comes_from_a_hand(deck: int, codes: list[str], said: str | None) -> None:
    hand = ["G1 1", "G1 2", "G4 4"]
    stage = driving(car(1, 8, hand=hand, frozen=["G4 4"], wear={"cards": 3}), bot(2, 7), deck=deck)
    one, rulebook = stage.car(1), stage.rulebook
    if said is None:
        assert rulebook.hand.from_hand(one, codes) == codes
    else:
        with pytest.raises(BadAnswer, match=said):
            rulebook.hand.from_hand(one, codes)
    one.frozen *= 4
    assert rulebook.hand.loose(one) == 0


@pytest.mark.article("ninety", "symbols.check", "symbols.check-sources")
def test_of_a_card_of_the_table_that_is_checked_with_the_factor_is_enough() -> None:
    """It is the new check card; a blind one likewise. From the program's deck the card itself is wanted."""
    stage = driving(car(1, 8, check="D2 50"))
    stage.say("D1 90 CC")
    for wrong in (0, 101, "101"):
        stage.refuses(wrong, "A check factor is 1 to 100")
    stage.refuses(True, "A card is written by type")
    stage.say(30)
    assert (stage.car(1).check, stage.ruled("check", 1)[0].facts["passed"]) == ("30", True)
    assert stage.car(1).wear["cards"] == 5
    stage.say("blind", "31")
    assert (stage.car(1).check, stage.ruled("check", 1)[1].facts) == (
        "31", {"card": "31", "target": 30, "passed": False}
    )  # fmt: skip
    last = driving(car(1, 8, wear={"cards": 0}))
    last.say("D1 90 C")
    last.refuses(30, "has 0 cards that it can use")
    dealt = driving(car(1, 8, hand=["D1 90 C"], wear={"cards": 1}), deck=3)
    dealt.say("go", ["D1 90 C"])
    dealt.refuses(30, "A card is written by type")


@pytest.mark.article("ninety", "symbols.check", "symbols.check-sources")
@pytest.mark.parametrize(
    ("hand", "cards", "checked", "left"),
    [
        (["G4 40"], 1, 40, []),
        (["G4 40", "S3 9"], 4, 40, ["S3 9"]),
        (["G4 40", "G4 40"], 4, 40, ["G4 40"]),
        (["G4 40", "S3 40"], 4, 40, ["G4 40", "S3 40"]),  # which of the two nobody knows
        (["G4 40", "S3 40"], 2, 40, []),
        (["G4 40", "S3 9"], 4, 41, ["G4 40", "S3 9"]),
        (["G4 40", "S3 9"], 2, 41, []),  # all of the hand were known, and it was none of them
        (["G4 40"], 1, "D2 33", []),
        (["G4 40"], 2, "D2 33", ["G4 40"]),
    ],
)
def test_no_more_cards_are_known_than_a_hand_has(hand: list[str], cards: int, checked: Any, left: list[str]) -> None:
    stage = driving(car(1, 8, hand=hand, wear={"cards": cards}), car(2, 3))
    stage.say("D1 20 C", checked)
    assert (stage.car(1).hand, stage.car(1).wear["cards"]) == (left, cards - 1)
    begin(stage.rulebook.state(), TRACK)


@pytest.mark.article("ninety", "symbols.check-sources", "contest.frozen")
def test_a_factor_said_alone_is_that_of_no_frozen_card() -> None:
    stage = driving(car(1, 8, hand=["G4 40", "S3 9"], frozen=["G4 40"], wear={"cards": 3}), car(2, 3))
    stage.say("D1 20 C", 40)
    assert (stage.car(1).hand, stage.car(1).frozen) == (["G4 40", "S3 9"], ["G4 40"])
    full = driving(car(1, 8, hand=["G4 40", "S3 9"], frozen=["G4 40"], wear={"cards": 2}), car(2, 3))
    full.say("D1 20 C", 40)
    assert (full.car(1).hand, full.car(1).frozen) == (["G4 40"], ["G4 40"])


@pytest.mark.article("ninety", "symbols.check", "symbols.check-sources")
def test_the_factor_alone_of_a_card_just_played_is_that_card_and_none_of_the_hand() -> None:
    stage = driving(car(1, 8), car(2, 3))
    stage.say("D1 20 C", 20)
    one = stage.car(1)
    assert (one.check, one.wear["cards"]) == ("D1 20 C", 6)  # one drawn, one played
    both = driving(car(1, 8, hand=["G4 20"], wear={"cards": 4}), car(2, 3))
    both.say("D1 20 C")
    both.refuses(20, "D1 20 C and G4 20 have check factor 20; write the whole card")
    both.say("G4 20")
    assert (both.car(1).check, both.car(1).wear["cards"]) == ("G4 20", 3)


@pytest.mark.article("ninety", "strategy.chase")
def test_nobody_chases_where_the_table_does_not_play_it() -> None:
    said = "nobody plays chase in this race; a strategy is one of save_tyres"
    with pytest.raises(BadSetup, match=said):
        driving(car(1, 5, strategy="chase"), car(2, 3))
    stage = driving(car(1, 5), car(2, 3))
    with pytest.raises(BadOverride, match=said):
        stage.talk.override({"car": 1, "strategy": "chase"})


@pytest.mark.article("ninety", "cards.race")
def test_a_card_of_the_programs_deck_is_in_one_place() -> None:
    stage = driving(car(1, 5), car(2, 3), deck=7)
    mine, other = stage.car(1).hand, stage.car(2).hand
    for hand, said in (
        ([*mine, mine[0]], f"The deck has no {re.escape(mine[0])} left"),
        ([*mine, other[0]], r"The deck has no .* left"),
        ([*mine, "S4 100 TTTTT"], "or in no deck at all"),
    ):
        with pytest.raises(BadOverride, match=said):
            stage.talk.override({"car": 1, "hand": hand})
    there = Counter(stage.race.pile)
    stage.talk.override({"car": 1, "hand": [*mine, stage.race.pile[0]]})
    assert sum((there - Counter(stage.race.pile)).values()) == 1
    state = stage.rulebook.state()
    state["cars"][0]["hand"].append(other[0])
    state["cars"][0]["wear"]["cards"] += 1
    with pytest.raises(BadSetup, match=r"The deck of this race has .*; it cannot be in 2 places"):
        begin(state, TRACK)


@pytest.mark.article("ninety", "cards.race")
def test_of_a_hand_that_a_position_says_nothing_is_dealt_again() -> None:
    first = driving(car(1, 5), car(2, 3), deck=7)
    hand = first.car(2).hand
    again = driving(car(1, 5, hand=list(hand), wear={"cards": len(hand)}), car(2, 3), deck=7)
    cards = Counter([*again.race.pile, *again.car(1).hand, *again.car(2).hand])
    assert cards == Counter(new_deck(again.rulebook.figures.deck_values))
