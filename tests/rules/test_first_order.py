"""The dice that a stop brings are told by the chapters as the exact tree of consequences has them.

`python -m tests.rules.test_first_order 40` compares every option of a stop in forty random races of each rulebook, and
says how long one takes by the chapters and by the tree.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from time import process_time
from typing import Any, NamedTuple

import pytest

from companion.rules.conversation.asking import Option
from companion.rules.conversation.consequence import OFFERS, Consequence, Lookahead, Test
from companion.rules.dice.formula_de import FormulaDe
from companion.rules.dice.wear import ForetoldTest
from companion.rules.rulebooks import RULEBOOKS
from companion.view.race import risk
from tests.rules.told_exactly import foretold

DICE = [name for name, kind in RULEBOOKS.items() if issubclass(kind, FormulaDe)]
GIVES = ("weather", "heal", "quick_stop")
"""Dice that take nothing from a car."""


class Compared(NamedTuple):
    """What came of some comparing: how many stops, what differed, and the seconds of both ways."""

    stops: int
    dice: Counter[str]
    wrong: list[str]
    chapters: float
    tree: float


def stops(rulebook: str, races: range) -> Iterator[tuple[Any, Any, Any]]:
    """The options of some questions of where to stop in random races, with their landings."""
    for seed in races:
        race = foretold(rulebook, seed)
        while (question := race.talk.question) is not None:
            known = question.ask in ("landing", "slipstream") and race.book.track.known == "space"
            if known and race.random.random() < 0.25:
                choices: Any = question
                yield from ((race, option, landing) for option, landing in choices.choices if landing is not None)
            race.give()


def by_tree(race: Any, answer: Any, tests: list[Test]) -> list[tuple[Test, dict[str, int]]]:
    """The dice of the way on which all goes well, which is the tree's first, and what the car of each then has."""
    trial = race.talk.fork(race.book.clone(), race.talk.n)
    trial.answer(answer)
    had = []
    while (question := trial.question) is not None and trial.last_checkpoint[0] <= race.talk.n:
        if odds := question.odds():
            had.append(dict(trial.rulebook.car(question.car).wear))
            trial.answer(odds[-1].answer)
        elif question.ask in OFFERS:
            trial.answer(OFFERS[question.ask])
        else:
            break
    return list(zip(tests, had, strict=False))


def fault(book: Any, ours: ForetoldTest, its: Test, had: dict[str, int], due: str) -> str:
    """How a die that was told differs from the tree's; empty if it does not. Nobody loses more than he has, and to be
    out for what is `due` for the stop itself, as its option says, is not of the die."""
    bands, cost = sorted({(part.first, part.last) for part in its.parts}), ours.cost
    same = (ours.kind, ours.car, ours.other, ours.at) == (its.kind, its.car, its.other, its.at)
    if not same or list(ours.bands) != bands:
        return f"told {ours}, and it is {its}"
    if ours.kind in GIVES or not ours.to:
        return ""
    lost = {pool: -min(points, had[pool]) for pool, points in book.wear.pooled(dict(cost.points)).items()}
    told = {pool: points for pool, points in lost.items() if points}, cost.out, cost.spin and not cost.out
    ruled = []
    for part in its.parts:
        if part.last == ours.to:
            out = part.out.get(ours.car, "")
            own = "" if out == due and not cost.out else out
            ruled.append((part.wear.get(ours.car, {}), own, ours.car in part.spun))
    return "" if told in ruled else f"told {told} of {ours}, and it is {ruled}"


def compare(rulebook: str, races: range) -> Compared:
    count, dice, wrong, chapters, tree = 0, Counter[str](), list[str](), 0.0, 0.0
    for race, option, landing in stops(rulebook, races):
        book, question, before = race.book, race.talk.question, race.talk.digest
        ahead, began = Lookahead(race.talk, book.clone()), process_time()
        car = book.car(question.car)
        tow = question.ask == "slipstream" and book.slipstream.enters_corner(car, landing)
        ours = book.turn.foretell(car, landing, entry=book.slipstream.entry_brakes() if tow else 0)
        between = process_time()
        record = ahead.of(option.answer)
        chapters, tree = chapters + between - began, tree + process_time() - between
        theirs = by_tree(race, option.answer, record.tests)
        assert race.talk.digest == before, "to tell what comes has changed the race"
        count, dice = count + 1, dice + Counter(test.kind for test, _ in theirs)
        where = f"{rulebook}, answer {race.talk.n}, {option.answer}: "
        if len(ours) != len(theirs):
            wrong.append(f"{where}told {ours}, and it is {[test for test, _ in theirs]}")
        due = option.facts.get("out", "")
        faults = (
            fault(book, mine, its, had, due if mine.car == car.number else "")
            for mine, (its, had) in zip(ours, theirs, strict=False)
        )
        wrong += [where + said for said in faults if said]
    return Compared(count, dice, wrong, chapters, tree)


@pytest.mark.parametrize("rulebook", DICE)
def test_the_dice_of_every_stop_are_those_of_the_tree(rulebook: str) -> None:
    found = compare(rulebook, range(4))
    assert found.stops > 100
    assert found.wrong == []


@pytest.mark.parametrize("rulebook", DICE)
def test_the_outlook_of_an_answer_says_what_its_record_says(rulebook: str) -> None:
    """Whether dice follow, what befalls a car that its option does not say, and where something may open that only
    being there tells. Staying where the car is, and KERS, are told too."""
    seen = 0
    for seed in range(3):
        race = foretold(rulebook, seed)
        while (question := race.talk.question) is not None:
            if race.random.random() < (0.5 if question.ask == "kers" else 0.1):
                ahead = Lookahead(race.talk, race.book.clone())
                for option in question.options():
                    told = race.book.foretell(question, option.answer)
                    if told is not None:
                        seen += 1
                        agrees(option, told, ahead.of(option.answer))
            race.give()
    assert seen > 40


def agrees(option: Option, told: Consequence, record: Consequence) -> None:
    grave = bool(option.facts.get("out") or option.facts.get("spin"))
    assert grave or risk.befalls(told) == risk.befalls(record), option
    assert grave or bool(risk.tests(told)) == bool(risk.tests(record)), option
    assert risk.kers(told) == risk.kers(record), option
    assert told.beyond or not {"slipstream"} & set(record.offers), option
    assert told.beyond or not {"tyres", "stop", "repair"} & {end.ask for end in record.ends} or record.car != told.car


if __name__ == "__main__":
    for name in sys.argv[2:] or DICE:
        done = compare(name, range(int(sys.argv[1])))
        each = 1000 / max(1, done.stops)
        print(
            f"{name}: {done.stops} stops, {len(done.wrong)} differ; "
            f"{done.chapters * each:.3f} ms a stop by the chapters, {done.tree * each:.2f} by the tree"
        )
        print("   ", ", ".join(f"{kind} {count}" for kind, count in sorted(done.dice.items())))
        for line in done.wrong[:5]:
            print("   ", line)
