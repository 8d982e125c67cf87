"""How long what a landing question says takes: `pytest tests/bench/test_bench_records.py -s`.

Random races of the dice books, each landing question on their way. A picture waits for the outlook of every stop, which
the chapters tell (`rules/dice/outlook.py`); the record of the stop that is selected is made a little at a time, and
that of all of them is what programs ask for.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import mean
from time import process_time

import pytest

from companion.rules.conversation.asking import Option
from companion.rules.conversation.consequence import Lookahead
from tests.bench.smoke import SMOKE, size
from tests.rules.foretold import Foretold
from tests.rules.told_exactly import foretold

RACES = size(20, 1)
ANSWERS = size(130, 40)
WORST = 0.02
"""Seconds that a picture may wait for its outlooks."""


def told(race: Foretold, options: Sequence[Option]) -> float:
    """Seconds for the outlooks of these answers."""
    begin = process_time()
    for option in options:
        race.book.foretell(race.talk.question, option.answer)
    return process_time() - begin


def timed(race: Foretold, options: Sequence[Option]) -> float:
    """Seconds for the records of these answers, made by one who has looked at none yet."""
    ahead, begin = Lookahead(race.talk, race.book.clone()), process_time()
    for option in options:
        ahead.of(option.answer)
    return process_time() - begin


@pytest.mark.parametrize("rulebook", ["competition", "cup", "league", "death"])
def test_records_of_a_landing_question(rulebook: str) -> None:
    waited, one, whole, many = [], [], [], []
    for seed in range(RACES):
        race = foretold(rulebook, seed)
        race.skip(20)
        for _ in range(ANSWERS):
            question = race.talk.question
            if question is None:
                break
            if question.ask == "landing":
                options = list(question.options())
                many.append(len(options))
                waits = min(told(race, options) for _ in range(3))  # the machine may have had other things to do
                waited.append((waits, seed, race.talk.n))
                one.append((max(timed(race, [option]) for option in options), seed, race.talk.n))
                whole.append((timed(race, options), seed, race.talk.n))
            race.give()
    print(f"\n{rulebook}: {len(many)} questions of {mean(many):.1f} options", end="")
    assert SMOKE or len(many) > 5 * RACES, "too few questions"
    assert SMOKE or 4 < mean(many) < 40, "not the landings of cars in play"
    for name, times in (("a picture waits", waited), ("the slowest record", one), ("all records", whole)):
        times.sort()
        median, (most, *where) = times[len(times) // 2][0], times[-1]
        print(f"\n{rulebook}, {name}: median {median * 1e3:.1f} ms, worst {most * 1e3:.0f} ms at {where}", end="")
    assert SMOKE or waited[-1][0] < WORST
