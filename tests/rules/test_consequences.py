"""What an answer may bring is told before it is given, in every rulebook.

`pytest tests/rules/test_consequences.py --told-races 500` plays as many races of each rulebook with a record for every
answer, from the one that `--told-from` names; stderr tells how far it is.
`python -m tests.rules.told_exactly` computes the chances of 200 positions of each a second time, face by face.
"""

from __future__ import annotations

import sys
from collections import Counter
from fractions import Fraction
from itertools import count
from typing import Any

import pytest

from companion.circuits import board, load
from companion.rules.circuit.search import Board
from companion.rules.conversation.consequence import Lookahead
from companion.rules.death.hazards import GRIP, SWERVE
from companion.rules.ninety.cards import card
from companion.rules.rulebooks import RULEBOOKS
from tests.rules.competition.boards import at
from tests.rules.death.arenas import armed, driving
from tests.rules.foretold import Foretold
from tests.rules.told_exactly import exactly, foretold, uncertain
from tests.table import WEAR, Table

ANSWERS = 60
"""Answers with records in a race."""


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_what_followed_stood_in_the_record(rulebook: str, told_races: range) -> None:
    tally: Counter[str] = Counter()
    for seed in told_races:
        print(f"{rulebook} {seed}", end="\r", file=sys.__stderr__)
        race = foretold(rulebook, seed)
        race.skip(race.random.randrange(120))
        try:
            race.play(ANSWERS)
        except BaseException as failure:
            failure.add_note(f"{rulebook}, race {seed}, at answer {race.talk.n}")
            raise
        tally += race.tally
    print(f"\n{rulebook}: " + ", ".join(f"{kind} {count}" for kind, count in sorted(tally.items())))


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_likelihoods_are_those_of_every_face_alone(rulebook: str) -> None:
    """Bands, and what is merged of them, come to what all faces come to one by one."""
    _, race, record = next(uncertain(rulebook))
    assert exactly(race, record) == ""


def test_a_search_that_is_remembered_finds_what_it_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """In each dice book the records of a landing question, in the death race of one that tyres open up, are the same
    where every search is made anew."""
    for rulebook, opened in [("competition", ""), ("cup", ""), ("league", ""), ("death", GRIP), ("death", SWERVE)]:
        race = next(race for seed in count() if (race := landing(rulebook, seed, opened)) is not None)
        options = list(race.talk.question.options())
        taken = [option.answer for option in race.random.sample(options, min(6, len(options)))]
        for answer in taken:
            Lookahead(race.talk, race.book.clone()).of(answer)
        known = Lookahead(race.talk, race.book.clone())
        remembered = [known.of(answer) for answer in taken]
        with monkeypatch.context() as patched:
            patched.setattr(Board, "remembered", lambda board, asked, find: find())
            plain = Lookahead(race.talk, race.book.clone())
            assert plain.answers() == [option.answer for option in options]
            assert [plain.of(answer) for answer in taken] == remembered, (rulebook, opened)


def landing(rulebook: str, seed: int, opened: str) -> Any:
    """A random race that stands at the choice of a space, one of which only a card opens up, if it is named."""
    race = foretold(rulebook, seed)
    race.skip(20)
    for _ in range(120):
        question = race.talk.question
        if question is None:
            return None
        if question.ask == "landing" and (not opened or any(o.facts.get("card") == opened for o in question.options())):
            return race
        race.give()
    return None


def test_a_mine_that_takes_the_last_points_is_told_with_its_hit() -> None:
    """The car is put on the space of the mine before it is hit there."""
    mines = [{"car": 2, "card": "remote-mines", "at": at("L2")}]
    table = driving(armed(1, "L0", points=3), armed(2, "R20"), mines=mines)
    table.say(3, 4)
    over = next(option.answer for option in table.options if option.facts.get("tests") == [at("L2")])
    record = Lookahead(table.talk, table.rulebook.clone()).of(over)
    test = next(test for test in record.tests if test.kind == "mine")
    part = test.parts[0]
    assert (part.wear, part.spun, part.harms) == ({1: {"points": -3}}, [1], True)


# -- a landing behind another car, told


def behind(body: int = 3, **setup: Any) -> tuple[Table, Any]:
    """Car 1 rolls on a straight so that one landing without brakes lies straight behind car 2; that landing."""
    track: Any = load("monaco")
    at = next(x for x in range(len(track.spaces)) if track.corner[x] < 0 and len(track.spaces[x].name) > 3
              and all(track.corner[y] < 0 for y in _run(track, x, 8)))  # fmt: skip
    run = _run(track, at, 8)
    wear = {**WEAR, "body": body}
    cars = [
        {"car": 1, "at": track.spaces[run[0]].name, "gear": 2},
        {"car": 2, "at": track.spaces[run[6]].name, "gear": 2, "wear": wear},
    ]
    table = Table(cars, to_play=[1, 2], sky="sun", **setup)
    table.say(3, 5)
    return table, table.option(space=track.spaces[run[5]].name, brakes=0).answer


def _run(track: Any, x: int, length: int) -> list[int]:
    """The spaces of a lane from one on."""
    run = [x]
    while len(run) < length and track.ahead[run[-1]] >= 0:
        run.append(track.ahead[run[-1]])
    return run


def test_a_free_landing_behind_a_car_is_a_test_for_two() -> None:
    """It costs nothing, and both cars roll: 1 in 20 each."""
    table, answer = behind()
    assert table.option(answer).wear == {}
    record = Lookahead(table.talk, table.rulebook.clone()).of(answer)
    assert record.wear == {}
    assert [(test.kind, test.car, test.other, test.chance) for test in record.tests] == [
        ("collision", 2, 1, Fraction(1)),
        ("collision", 1, 2, Fraction(1)),
    ]
    lost, safe = record.tests[0].parts
    assert (lost.first, lost.last, lost.chance, lost.wear, lost.out) == (1, 1, Fraction(1, 20), {2: {"body": -1}}, {})
    assert (safe.first, safe.last, safe.harms) == (2, 20, False)
    assert record.calm == Fraction(361, 400)
    assert record.unhurt == Fraction(19, 20)
    assert record.expected == {1: {"body": Fraction(-1, 20)}, 2: {"body": Fraction(-1, 20)}}


def test_whom_a_landing_may_put_out_is_told() -> None:
    """The other has its last body point: on a 1 it is out, and the mover pays without a roll."""
    table, answer = behind(body=1)
    record = Lookahead(table.talk, table.rulebook.clone()).of(answer)
    assert record.tests[0].parts[0].out == {2: "body"}
    assert [(one.chance, one.wear, one.out) for one in record.outcomes] == [
        (Fraction(361, 400), {}, {}),
        (Fraction(1, 20), {1: {"body": -1}, 2: {"body": -1}}, {2: "body"}),
        (Fraction(19, 400), {1: {"body": -1}}, {}),
    ]
    assert record.expected[1]["body"] == -Fraction(39, 400)


def test_a_test_is_told_behind_the_slipstream_that_may_be_left() -> None:
    """In 4th the landing opens a slipstream; if it is left the cars test."""
    table, _ = behind()
    table.talk.override({"cars": [{"car": 2, "gear": 4}, {"car": 1, "gear": 4}]})
    _, answer = behind()
    record = Lookahead(table.talk, table.rulebook.clone()).of(answer)
    assert record.offers == ["slipstream"]
    assert [(test.kind, test.unless) for test in record.tests] == [("collision", ["slipstream"])] * 2


def test_a_gear_tells_what_its_die_may_bring() -> None:
    """Each face as often as it is printed, and the cheapest landing where somebody looks for it."""
    table, _ = behind()
    table.talk.rewind(0)
    record = Lookahead(table.talk, table.rulebook.clone()).of(2, look=True)
    (die,) = record.tests
    assert [(part.first, part.chance) for part in die.parts] == [
        (2, Fraction(1, 6)), (3, Fraction(1, 3)), (4, Fraction(1, 2)),
    ]  # fmt: skip
    assert {(end.ask, end.what): end.chance for end in record.ends} == {
        ("landing", "spaces_2"): Fraction(1, 6), ("landing", "spaces_3"): Fraction(1, 3),
        ("landing", "spaces_4"): Fraction(1, 2),
    }  # fmt: skip
    assert all(end.first is not None and end.first.wear == {} for end in record.ends)


def test_looking_gives_no_card_away() -> None:
    """With a deck of the program the next card is no more certain than the cards that are left make it."""
    track: Any = board("quarry-hill")
    for seed in range(40):
        race = Foretold("ninety", "quarry-hill", seed, {
            "rulebook": "ninety", "track": track.key, "deck": 7 + seed, "laps": 8, "cars": [{"car": 1}, {"car": 2}],
        })  # fmt: skip
        while race.talk.question is not None and race.talk.question.ask not in ("check", "late"):
            race.give()
        if race.talk.question is None:
            continue
        blind: Any = "blind" if race.talk.question.ask == "check" else True
        record = Lookahead(race.talk, race.book.clone()).of(blind)
        if len(test := record.tests[0].parts) > 1:
            pile = race.book.race.pile
            met = sum(card(code).factor <= test[0].last for code in pile)
            assert test[0].chance == Fraction(met, len(pile))
            return
    raise AssertionError("no check was made")
