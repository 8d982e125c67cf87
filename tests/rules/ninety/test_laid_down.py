"""What has been used is laid down: with a deck of the program each card is in one place."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from companion.rules.ninety.cards import new_deck
from tests.rules.ninety.stage import RING, Stage, bot, car, driving
from tests.rules.ninety.test_overtaking import EXTREME

HAND = ["G2 10", "D1 90 C", "S3 30 TT", "G1 40", "E1 20 N"]
PILE = ["G4 61", "G4 62", "G4 63", "G4 64"]
"""The last of these is on top."""


def dealt(
    *others: dict[str, Any], section: int = 8, to_play: tuple[int, ...] = (1,), track: str = RING, **more: Any
) -> Stage:
    """The turn of car 1, with a hand and a pile that are known; the others play only if they are named."""
    first = car(1, section, hand=HAND, wear={"cards": len(HAND)}, check="D2 50", strategy="banging", **more)
    return driving(first, *others, to_play=list(to_play), deck=7, pile=PILE, track=track)


@pytest.mark.parametrize(
    ("answers", "discards", "check"),
    [
        pytest.param(["G2 10"], ["G2 10"], "D2 50", marks=pytest.mark.article("ninety", "symbols.order")),
        pytest.param(
            ["S3 30 TT", ["G1 40"]], ["G1 40", "S3 30 TT"], "D2 50", marks=pytest.mark.article("ninety", "symbols.pay")
        ),
        pytest.param(
            ["D1 90 C", "G1 40"], ["D2 50", "D1 90 C"], "G1 40", marks=pytest.mark.article("ninety", "symbols.check")
        ),
        pytest.param(
            ["D1 90 C", "D1 90 C"], ["D2 50"], "D1 90 C", marks=pytest.mark.article("ninety", "symbols.check-sources")
        ),
        pytest.param(
            ["D1 90 C", "blind"], ["D2 50", "D1 90 C"], "G4 63",
            marks=pytest.mark.article("ninety", "symbols.check-sources", "cards.race"),
        ),
        pytest.param(["E1 20 N"], ["E1 20 N"], "D2 50", marks=pytest.mark.article("ninety", "symbols.draw")),
    ],
)  # fmt: skip
def test_cards_of_a_turn(answers: list[Any], discards: list[str], check: str) -> None:
    stage = dealt(bot(2, 1))
    there = Counter([*HAND, *PILE])
    stage.say("go", *answers)
    one = stage.car(1)
    assert (stage.race.discards, one.check) == (discards, check)
    assert Counter([*stage.race.pile, *discards, *one.hand, one.check]) == there + Counter(["D2 50"])
    assert len(one.hand) == one.wear["cards"]


@pytest.mark.article("ninety", "end.late-braking", "end.no-damage", "end.trajectory")
def test_a_card_turned_over_for_late_braking() -> None:
    stage = dealt(bot(2, 9), section=1)
    stage.say("go", "G2 10", True)  # 64 is drawn for the turn, 63 is turned over
    assert stage.race.discards == ["G2 10", "G4 63"]
    assert (stage.car(1).status, stage.car(1).line) == ("off", -1)
    assert (stage.race.round, stage.open) == (6, ("declare", 1))  # no point of the line


@pytest.mark.article("ninety", "end.late-braking", "end.trajectory")
@pytest.mark.parametrize(("point", "discards", "check"), [(1, ["G4 64"], "D2 50"), (2, ["D2 50"], "G4 64")])
def test_a_card_turned_over_for_an_extreme_trajectory(point: int, discards: list[str], check: str) -> None:
    stage = dealt(bot(2, 9), section=3, point=point, track=EXTREME)
    stage.say("go", True)
    assert (stage.race.discards, stage.car(1).check) == (discards, check)


@pytest.mark.article("ninety", "bots.contests", "contest.choose")
def test_two_cards_turned_over_for_a_bot_in_a_contest() -> None:
    stage = dealt(bot(2, 4), section=4, to_play=(1, 2))
    stage.say(True)
    assert stage.ruled("fights", 2)[0].facts["cards"] == 8
    assert stage.race.discards == ["G4 64", "G4 63"]
    stage.say("G1 40")
    assert stage.car(1).frozen == ["G1 40"]


@pytest.mark.article("ninety", "pit.cards")
def test_cards_discarded_at_a_stop() -> None:
    stage = dealt(bot(2, 1), built={"tyres": 12, "cards": 3, "damage": 4})
    stage.say("stop", "G1 40", "G2 10")
    assert stage.open == ("strategy", 1)
    assert stage.race.discards == ["G1 40", "G2 10"]
    assert stage.car(1).hand == [code for code in HAND if code not in ("G1 40", "G2 10")]


@pytest.mark.article("ninety", "practice.setup", "chart.car", "practice.substitute", "quali.cards")
def test_hands_and_cards_before_the_race() -> None:
    """Every card of the deck is in one place after each answer; in deck 46 two are level and turn over a card each."""
    every = Counter(new_deck((52, 56, 48, 28)))
    charts = set()
    for deck in (1, 2, 3, 4, 46):
        stage = Stage([{"car": 1}, {"car": 2}], deck=deck)
        charts.add(str(stage.car(1).built))
        assert [one.facts for one in stage.ruled("chart", 1)] == [stage.car(1).built]
        assert stage.car(1).built != stage.car(2).built
        taken = deck != 46
        for answer in (taken, False, None, None):
            stage.say(stage.answers[0] if answer is None else answer)
            race = stage.race
            held = [code for one in race.cars for code in [*one.hand, *([one.check] if one.check else [])]]
            assert Counter([*race.pile, *race.discards, *held]) == every
        assert [stage.car(number).substitute for number in (1, 2)] == ["taken" if taken else "kept", "kept"]
    assert len(stage.race.discards) == 6 + 2
    assert len(charts) > 2


@pytest.mark.article("ninety", "cards.race", "symbols.order", "strategy.lucky")
@pytest.mark.parametrize(
    ("strategy", "answers", "laid"),
    [
        ("banging", ["go"], []),
        ("banging", ["go", "S3 30 TT"], ["S3 30 TT"]),
        ("banging", ["go", ["D1 90 C", "G1 40"]], ["D1 90 C", "G1 40"]),
        ("lucky", ["go"], ["G4 64", "G4 63"]),
        ("lucky", ["go", "G4 63"], ["G4 64"]),
        ("lucky", ["go", "G4 63", "S3 30 TT"], ["G4 64", "S3 30 TT"]),
        ("banging", ["go", "G2 10"], ["G2 10"]),
    ],
)
def test_cards_of_a_turn_that_is_given_up(strategy: str, answers: list[Any], laid: list[str]) -> None:
    stage = dealt(bot(2, 1), section=2)
    stage.talk.override({"car": 1, "strategy": strategy})
    stage.say(*answers)
    stage.talk.override({"car": 1, "status": "off"})
    assert stage.open == ("declare", 1)
    assert stage.race.discards == laid
    assert Counter([*stage.race.pile, *laid, *stage.car(1).hand]) == Counter([*HAND, *PILE])


# -- what nobody has seen yet


def odds(stage: Stage) -> list[tuple[Any, ...]]:
    """What the card that is turned over next may show."""
    question = stage.talk.question
    assert question is not None
    assert question.ask == "drawn"
    return [tuple(one) for one in question.odds()]


def unseen(stage: Stage, *answers: Any) -> list[tuple[Any, ...]]:
    """The same of a deck of the program, whose next card is kept from those who ask what may come."""
    stage.rulebook.hide_unknown(True)
    stage.say(*answers)
    return odds(stage)


@pytest.mark.article("ninety", "cards.race")
def test_of_the_cards_of_the_table_a_deck_says_how_many_there_are() -> None:
    """So many of each value as a deck has, and every factor from 1 to 100 as often."""
    contest = driving(car(1, 4), bot(2, 4))
    contest.say(True)
    deck = [("E1 50", 52, 1, 1), ("E2 50", 56, 2, 2), ("E3 50", 48, 3, 3), ("E4 50", 28, 4, 4)]
    assert odds(contest) == deck
    contest.say(2, "G4 9")  # its value is enough
    assert contest.ruled("fights", 2)[0].facts["cards"] == 6
    check = driving(car(1, 8, check="D2 30"), bot(2, 9))
    check.say("go", "D1 90 C", "blind")
    assert odds(check) == [("E1 30", 30, 1, 30), ("E1 100", 70, 31, 100)]


@pytest.mark.article("ninety", "cards.race")
def test_of_a_deck_of_the_program_what_is_left_in_the_pile() -> None:
    """What has been laid down is not among it before the pile runs low, at 12 cards; a pile too low to be sure of has
    a new deck beneath it."""
    ones, twos, rest = [
        [f"G{value} {49 + value - n}" for n in range(count)] for value, count in ((1, 5), (2, 4), (3, 3))
    ]
    pile, laid = [*ones, *twos, *rest], ["G4 90", "G4 91"]

    def known(pile: list[str], laid: list[str], section: int = 4) -> Stage:
        first = car(1, section, hand=HAND, wear={"cards": len(HAND)}, check="D2 50", strategy="banging")
        figures = {"deck_values": [10, 0, 0, 6]}
        return driving(first, bot(2, 4), deck=7, pile=pile, discards=laid, options=figures)

    def values(pile: list[str], laid: list[str]) -> list[int]:
        return [weight for _, weight, *_ in unseen(known(pile, laid), True)]

    assert values([*pile, "G3 1"], laid) == [5, 4, 4]
    assert values(pile, laid) == [5, 4, 3, 2]
    assert values(pile, laid[:1]) == [5, 4, 3, 1]
    assert values(pile, []) == [5 + 10, 4, 3, 6]
    assert values(pile[:1], laid) == [1 + 10, 2 + 6]
    late = known([*pile, "G3 100", "G1 1"], laid, section=1)  # the 1 is drawn for the turn
    assert unseen(late, "go", "G2 10", True) == [("E1 50", 9, 1, 50), ("E1 100", 4, 51, 100)]


@pytest.mark.article("ninety", "quali.cards")
def test_what_divides_nobody_has_no_odds() -> None:
    """Neither the card that a bot shows in qualifying nor those of who are level: every card there is another."""
    chart = {"tyres": 12, "cards": 6, "damage": 4}
    stage = Stage([{"car": number, "built": chart} for number in (1, 2)], options={"bots_few": 1})
    stage.say(False, False, "S3 45", "S3 45")
    for _ in range(2):
        assert odds(stage) == []
        assert not stage.talk.question.fields["by"]  # type: ignore[union-attr, index]
        stage.refuses("45", "A card is written by type")
        stage.say("D1 1")
    assert [stage.open, odds(stage)] == [("drawn", 1), []]
