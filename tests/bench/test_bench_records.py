"""How long the records of a landing question take: `pytest tests/bench/test_bench_records.py -s`.

Random races of the dice books, each landing question on their way. What a picture waits for is the best way to each
space (`view/race/landings.py`); the other ways there are looked at afterwards, a little at a time.
"""

from __future__ import annotations

from collections.abc import Sequence
from time import process_time

import pytest

from companion.rules.conversation.asking import Option
from companion.rules.conversation.consequence import Lookahead
from companion.view.race.landings import told_apart
from tests.rules.foretold import Foretold
from tests.rules.told_exactly import foretold

RACES = 20
ANSWERS = 130
WORST = 0.15
"""Seconds that a picture may wait for its records."""


def timed(race: Foretold, part: Sequence[Option]) -> float:
    """Seconds for the records of these answers, made by one who has looked at none yet."""
    ahead, begin = Lookahead(race.talk, race.book.spare()), process_time()
    for option in part:
        ahead.of(option.answer)
    return process_time() - begin


@pytest.mark.parametrize("rulebook", ["competition", "cup", "league", "death"])
def test_records_of_a_landing_question(rulebook: str) -> None:
    waited, whole = [], []
    for seed in range(RACES):
        race = foretold(rulebook, seed)
        race.skip(20)
        for _ in range(ANSWERS):
            question = race.talk.question
            if question is None:
                break
            if question.ask == "landing":
                options = list(question.options())
                first, _ = told_apart(options)
                waits = timed(race, first)
                if waits > WORST / 2:  # the machine may have had other things to do
                    waits = min(waits, timed(race, first), timed(race, first))
                waited.append((waits, seed, race.talk.n))
                whole.append((timed(race, options), seed, race.talk.n))
            race.give()
    for name, times in (("a picture waits", waited), ("all", whole)):
        times.sort()
        median, (most, *where) = times[len(times) // 2][0], times[-1]
        print(f"\n{rulebook}, {name}: median {median * 1e3:.1f} ms, worst {most * 1e3:.0f} ms at {where}", end="")
    assert waited[-1][0] < WORST
