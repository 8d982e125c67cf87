"""Cards are counted one by one, and a correction that leaves the board where it is carries over what was typed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from companion.desk import RaceDesk
from companion.drivers.cards import HeuristicCardDriver
from companion.rules.conversation.errors import BadAnswer, BadOverride
from companion.rules.ninety.cards import new_deck
from companion.rules.ninety.state import SectionCar
from companion.rules.rulebooks import begin
from tests.rules.ninety.stage import TRACK, Stage, car, driving


def kept(desk: RaceDesk, ask: str, answer: Any, place: int = -1, who: int = 1) -> dict[str, Any]:
    """Corrects an answer of a car, the board left as it is; what that leaves to the board."""
    n = [done.n for done in desk.answers() if (done.ask, done.car) == (ask, who)][place]
    told = desk.correct(n, answer, keep="board", by="Ada", why="typed wrongly")
    return {key: value for entry in told.left for key, value in entry.items()}


def a_desk(*cars: dict[str, Any], turn: int = 5, **setup: Any) -> RaceDesk:
    """A turn in the middle of a race, at a desk."""
    numbers = [one["car"] for one in cars]
    said = {"rulebook": "ninety", "track": "ring", "cars": list(cars), "round": turn, "to_play": numbers, **setup}
    return RaceDesk(begin(said, TRACK), setup=said)


def say(desk: RaceDesk, *answers: Any) -> Callable[[int], SectionCar]:
    """Gives answers in turn; what comes back finds a car by its number."""
    for answer in answers:
        desk.answer(answer)
    return lambda number: desk.rulebook.car(number)  # type: ignore[attr-defined]


def seen(desk: RaceDesk) -> Counter[str]:
    """Every card of the program's deck that is not being played just now."""
    race: Any = desk.rulebook.race
    there = Counter([*race.pile, *race.discards])
    for one in race.cars:
        there.update([*one.hand, *([one.check] if one.check else [])])
    return there


# -- cards by card, not by face


@pytest.mark.article("ninety", "contest.frozen", "cards.race")
def test_two_cards_alike_are_two_once_they_are_frozen() -> None:
    stage = driving(car(1, 4), car(2, 4, hand=["G2 40"]))
    stage.say(True, False, ["G2 40", "G2 40"])
    two = stage.car(2)
    assert (two.hand, two.frozen) == (["G2 40", "G2 40"], ["G2 40", "G2 40"])
    stage.say("skip", "lucky", "skip", "lucky")
    assert stage.race.round == 6
    assert (two := stage.car(2)).frozen == []
    assert stage.rulebook.hand.known_cards(two) == ["G2 40", "G2 40"]


@pytest.mark.article("ninety", "contest.frozen")
def test_of_two_cards_alike_the_one_that_was_not_shown_is_free() -> None:
    stage = driving(car(1, 4), car(2, 4, hand=["G2 40", "G2 40"]))
    stage.say(True, False, "G2 40")
    assert stage.open == ("declare", 2)
    stage.say("go")
    stage.refuses(["G2 40", "G2 40"], "frozen")
    stage.say("G2 40")
    assert (stage.car(2).hand, stage.car(2).frozen) == (["G2 40"], ["G2 40"])


def test_a_position_that_names_frozen_cards_alone_has_them_in_the_hand() -> None:
    for deck, frozen in ((0, ["S1 5", "S1 5"]), (7, ["S1 5", "S1 6"])):
        stage = driving(car(1, 4, frozen=frozen), car(2, 1), deck=deck)
        assert [code for code in stage.car(1).hand if code in frozen] == frozen
        assert stage.rulebook.hand.loose(stage.car(1)) == 4


# -- a correction that leaves the board


def test_a_strategy_and_a_check_card_typed_wrongly_are_set_right() -> None:
    desk = a_desk(car(1, 8), car(2, 5))
    cars = say(desk, "go", "D1 20 C", "G1 30", "skip", "lucky")
    left = kept(desk, "check", "G2 33")
    assert (cars(1).check, left) == ("G2 33", {})
    kept(desk, "strategy", "hazard", who=2)
    assert cars(2).strategy == "hazard"


def test_a_strategy_chosen_since_stands() -> None:
    desk = a_desk(car(1, 8), car(2, 5))
    cars = say(desk, "skip", "lucky", "skip", "lucky", "skip", "balance")
    kept(desk, "strategy", "hazard", place=0)
    assert cars(1).strategy == "balance"


@pytest.mark.article("ninety", "pit.stop")
@pytest.mark.parametrize(
    ("played", "right", "change"),
    [
        ("S1 30 T", "S1 30 TT", {}),
        ("S1 30 TT", "S1 30 T", {}),
        ("D1 30", "D1 30 R", {}),
        ("D1 30", "D1 30 B", {"permanent": 1, "wear": {"damage": 3}}),  # no stop mends that
        ("D1 30 B", "D1 30", {"permanent": 0, "wear": {"damage": 4}}),
        (["G1 30", "G1 31"], "G2 30", {}),
        ("G2 30", ["G1 30", "G1 31"], {}),
    ],
)
def test_what_a_stop_has_filled_up_is_not_what_was_paid_before(played: Any, right: Any, change: dict[str, Any]) -> None:
    desk = a_desk(car(1, 8), car(2, 5))
    say(desk, played, *([0] if played == "S1 30 TT" else []), "skip", "lucky", "stop", "lucky")
    told = desk.try_correction(0, right, keep="board")
    while told.asks is not None:
        told = desk.try_correction(0, right, keep="board", then=[0])
    assert told.change == ({"cars": [{"car": 1, **change}]} if change else None)


@pytest.mark.article("ninety", "contest.frozen")
def test_a_card_of_a_contest_typed_wrongly_is_the_one_that_is_frozen_and_the_line_stays() -> None:
    desk = a_desk(car(1, 4), car(2, 4))
    cars = say(desk, True, True, "G1 40", "G4 41")
    assert desk.rulebook.running_order() == [1, 2]
    left = kept(desk, "show", "G4 40", who=2)
    assert (cars(2).hand, cars(2).frozen) == (["G4 40"], ["G4 40"])
    assert desk.rulebook.running_order() == [1, 2]
    assert left["queue"] == [2, 1]
    say(desk, "skip", "lucky", "skip", "lucky")
    kept(desk, "show", "G3 40", who=2)  # in the turn after nothing is frozen
    assert (cars(2).hand, cars(2).frozen) == (["G3 40"], [])


def test_what_a_stop_has_made_good_since_is_not_made_better_than_the_chart() -> None:
    desk = a_desk(car(1, 8), car(2, 2))
    cars = say(desk, "go", "G3 9 RTT", [], "skip", "lucky", "stop", "lucky", "G1 3", "skip", "lucky")
    assert cars(1).wear == {"tyres": 12, "cards": 6, "damage": 4}
    kept(desk, "play", "G3 9")
    assert cars(1).wear == {"tyres": 12, "cards": 6, "damage": 4}


def test_where_a_car_would_have_come_stays_as_it_is_and_is_told() -> None:
    desk = a_desk(car(1, 8), car(2, 2))
    cars = say(desk, "go", "G2 9")
    left = kept(desk, "play", "G1 9")
    assert (cars(1).at, left) == ("section:10", {"car": 1, "at": "section:9"})
    assert cars(1).wear["cards"] == 6


@pytest.mark.parametrize("seed", range(4))
def test_of_the_programs_deck_no_card_is_lost_or_doubled_by_it(seed: int) -> None:
    """Every answer of some turns that can be another is corrected, one after the other."""
    setup = {"rulebook": "ninety", "track": "ring", "deck": 5 + seed, "laps": 8, "cars": [{"car": 1}, {"car": 2}]}
    desk = RaceDesk(begin(setup, TRACK), setup=setup)
    driver = HeuristicCardDriver(TRACK, seed)
    offered: list[list[Any]] = []
    for _ in range(40):
        assert desk.asked is not None
        offered.append([option.answer for option in desk.asked.options or []])
        desk.answer(driver.answer(desk.asked, desk.rulebook.race))  # type: ignore[arg-type]
    every, corrected = Counter(new_deck((52, 56, 48, 28))), 0
    for n, answers in enumerate(offered):
        before = seen(desk)
        given = desk.answers()[n].answer
        for other in answers:
            if other == given:
                continue
            try:
                desk.correct(n, other, keep="board", by="Ada", why="typed wrongly")
            except BadAnswer:
                continue
            corrected += 1
            assert seen(desk) == before, n
            assert not seen(desk) - every
            break
    assert corrected > 3


@pytest.mark.article("ninety", "overtake.leader-check", "strategy.banging-wheels")
def test_what_an_overtake_would_have_left_stays_and_is_told() -> None:
    """A leader's check that passes after all, and the free overtake of turn one."""
    desk = a_desk(car(2, 1), car(1, 1, lap=2))
    cars = say(desk, "go", "G4 10", "S1 51", "skip", "lucky")
    n = next(done.n for done in desk.answers() if done.ask == "check")
    told = desk.correct(n, "S1 49", keep="board", by="Ada", why="typed wrongly")
    assert told.left == [{"car": 2, "lapped": True}, {"car": 1, "at": "section:4"}]
    assert cars(2).lapped is False
    banging = a_desk(car(2, 7), car(1, 6, strategy="banging"), turn=1)
    say(banging, "skip", "lucky", "go", "G1 9")
    assert kept(banging, "play", "G2 9") == {"car": 1, "at": "section:8", "freed": True}


# -- the referee's word on a hand


def test_the_referee_says_what_is_in_a_hand() -> None:
    stage = driving(car(1, 8), car(2, 2))
    stage.talk.override({"car": 1, "hand": "s3 45 tt, D1 20", "frozen": ["D1 20"]})
    assert (stage.car(1).hand, stage.car(1).frozen) == (["S3 45 TT", "D1 20"], ["D1 20"])
    stage.talk.override({"car": 1, "wear": {"cards": 3}})
    assert stage.car(1).hand == ["S3 45 TT", "D1 20"]
    stage.talk.override({"car": 1, "wear": {"cards": 1}})
    assert stage.car(1).hand == ["D1 20"]
    stage.talk.override({"car": 1, "hand": []})
    assert (stage.car(1).frozen, stage.car(1).wear["cards"]) == ([], 1)
    dealt = driving(car(1, 8), car(2, 2), deck=9)
    first = dealt.car(1).hand[0]
    dealt.talk.override({"car": 1, "hand": [first]})
    assert dealt.car(1).wear["cards"] == 1
    assert len(dealt.race.discards) == 5


@pytest.mark.parametrize(
    ("change", "deck", "said"),
    [
        ({"hand": ["S5 1"]}, 0, "A card moves 1 to 4; 5 is on none"),
        ({"hand": 3}, 0, "Cards are a list"),
        ({"hand": [f"S1 {n}" for n in range(1, 8)]}, 0, "has 6 cards in its hand; more are named"),
        ({"frozen": ["S1 1"]}, 0, "Car 1 has no S1 1 in its hand"),
        ({"wear": {"cards": 2}}, 4, "With a deck of the program the cards of a hand are what was drawn"),
    ],
)
def test_a_hand_that_cannot_be_is_refused(change: dict[str, Any], deck: int, said: str) -> None:
    stage = driving(car(1, 8), car(2, 2), deck=deck)
    before = stage.talk.digest
    with pytest.raises(BadOverride, match=said):
        stage.talk.override({"car": 1, **change})
    assert stage.talk.digest == before


@pytest.mark.parametrize("change", [{"hand": ["S1 1"]}, {"permanent": 1}])
def test_a_chart_is_dealt_before_what_is_on_it_can_be_said(change: dict[str, Any]) -> None:
    stage = Stage([{"car": 1}], options={"bots_few": 0})
    with pytest.raises(BadOverride, match="Car 1 has no chart yet"):
        stage.talk.override({"car": 1, **change})


@pytest.mark.article("ninety", "contest.frozen")
def test_before_the_race_no_card_is_frozen() -> None:
    stage = Stage([{"car": 1}], deck=7, options={"bots_few": 0})
    with pytest.raises(BadOverride, match="before the race there is none"):
        stage.talk.override({"car": 1, "frozen": stage.car(1).hand})


@pytest.mark.article("ninety", "quali.cards")
@pytest.mark.parametrize(("deck", "change"), [(0, {"wear": {"cards": 0}}), (7, {"hand": []})])
def test_until_qualifying_a_hand_is_not_emptied(deck: int, change: dict[str, Any]) -> None:
    stage = Stage([{"car": 1}, {"car": 2}], deck=deck)
    while stage.open != ("qualify", 1):
        stage.say(stage.answers[0])
    with pytest.raises(BadOverride, match="a hand holds at least one"):
        stage.talk.override({"car": 1, **change})


def test_a_point_of_a_trajectory_that_goes_by_a_correction_is_told_by_its_number() -> None:
    desk = a_desk(car(1, 2), car(2, 1))
    say(desk, "go", "G1 9", False, 2)
    n = next(done.n for done in desk.answers() if done.ask == "line")
    told = desk.try_correction(n, None)
    assert [(one.what, one.was, one.now) for one in told.changes if one.car == 1] == [("point", 2, None)]
    assert kept(desk, "line", 1)["point"] == 1
