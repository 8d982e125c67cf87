"""`python -m tests.rules.told_exactly`: the records of 200 positions of each rulebook against every face, one by one.

What a record tells of likelihoods is computed a second time, another way: the rules are sent every face of every die
singly, not by bands, and every card singly, until the table has a choice. That is exact, and so stronger than any
number of samples: chances and averages must be the same fractions.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from fractions import Fraction
from itertools import islice
from time import process_time
from typing import Any

import click

from companion.circuits import board
from companion.rules.conversation.asking import Ruling
from companion.rules.conversation.consequence import OFFERS, Consequence, Lookahead
from companion.rules.conversation.faces import GEAR_DICE
from companion.rules.ninety.cards import FACTORS
from companion.rules.rulebooks import RULEBOOKS
from tests.rules.foretold import SILENT, Foretold, alike, comes_to, outcome_of
from tests.rules.ninety.test_random_races import Watched as WatchedSections
from tests.rules.random_races import Watched

CIRCUITS = {
    "beginner": ("monaco", "copper-basin", "monza"),
    "formula-d": ("monaco", "copper-basin", "monza"),
    "competition": ("monaco", "copper-basin", "indianapolis-oval", "monza"),
    "cup": ("monaco", "porto-sereno", "indianapolis-oval", "monza"),
    "league": ("monaco", "copper-basin", "monza"),
    "death": ("monaco", "copper-basin", "porto-sereno"),
    "ninety": ("quarry-hill", "saltmarsh"),
}
"""Where the races are driven: boards known to the space, an oval, corner sheets, sections."""
LISTED = 20
"""Of how many answers of a position one is taken."""


def foretold(rulebook: str, seed: int) -> Foretold:
    circuit = CIRCUITS[rulebook][seed % len(CIRCUITS[rulebook])]
    track: Any = board(circuit)
    cards = rulebook == "ninety"
    watched = WatchedSections(track, seed, set()) if cards else Watched(track, seed, set(), rulebook)
    return Foretold(rulebook, circuit, seed, watched.setup)


def uncertain(rulebook: str) -> Iterator[tuple[int, Foretold, Consequence]]:
    """Positions of random races, each with the record of an answer that may come to several things; a race is played on
    until there is one."""
    for seed in range(sys.maxsize):
        race = foretold(rulebook, seed)
        race.skip(race.random.randrange(20, 140))
        while race.talk.question is not None:
            ahead = Lookahead(race.talk, race.book.clone())
            records = [record for record in map(ahead.of, ahead.answers()[:LISTED]) if len(record.outcomes) > 1]
            if records:
                yield seed, race, race.random.choice(records)
                break
            race.give()


def singly(question: Any) -> list[tuple[Any, Fraction]]:
    """Every face of a die, as often as it is on it; of cards every factor, or value, as often as it may be turned."""
    if question.faces is not None:
        faces = GEAR_DICE[question.gear] if question.ask == "roll" else question.faces
        return [(face, Fraction(1, len(faces))) for face in faces]
    if getattr(question, "meets", None) is not None:
        factors = range(FACTORS[0], FACTORS[1] + 1)
        counts = question.hand.unseen([(factor, factor) for factor in factors], factors=True)
        cards = [(f"E1 {factor}", count) for factor, count in zip(factors, counts, strict=True) if count]
    else:
        cards = [(one.answer, one.weight) for one in question.odds()]
    whole = sum(count for _, count in cards)
    return [(code, Fraction(count, whole)) for code, count in cards]


class Faces:
    """All that an answer leads to, face by face. Where the race, the question and all that was ruled are the same, it
    goes on from there once; but not amid cards of which only the sum is ruled."""

    def __init__(self, race: Foretold, answer: Any) -> None:
        self.n, self.book = race.talk.n, race.book.clone()
        self.trial = race.talk.fork(self.book, self.n)
        self.ends: dict[bytes, Fraction] = {}
        self.open: dict[Any, tuple[Fraction, list[Any], list[Ruling]]] = {}
        self.back([])
        self.give(Fraction(1), [], [], answer)
        while self.open:
            chance, answers, rulings = self.open.pop(next(iter(self.open)))
            self.back(answers)
            for face, share in singly(self.trial.question):
                self.back(answers)
                self.give(chance * share, answers, rulings, face)

    def back(self, answers: list[Any]) -> None:
        """To where these answers lead."""
        self.book.hide_unknown(False)
        self.trial.rewind(self.n)
        self.book.hide_unknown(True)
        for answer in answers:
            self.trial.answer(answer)

    def give(self, chance: Fraction, answers: list[Any], rulings: list[Ruling], answer: Any) -> None:
        """One answer, and on to the next die, or to where it ends."""
        answers, rulings = [*answers, answer], rulings + self.trial.answer(answer)
        while (question := self.trial.question) is not None and self.trial.last_checkpoint[0] <= self.n:
            if question.odds():
                secret = answers if question.what in SILENT else []
                here = self.trial.digest, repr(self.trial.asked), repr(secret), *map(alike, rulings)
                before = self.open[here][0] if here in self.open else 0
                self.open[here] = chance + before, answers, rulings
                return
            if question.ask not in OFFERS:
                break
            left = OFFERS[question.ask]
            answers, rulings = [*answers, left], rulings + self.trial.answer(left)
        end = comes_to(rulings)
        self.ends[end] = self.ends.get(end, Fraction(0)) + chance


def exactly(race: Foretold, record: Consequence) -> str:
    """What of a record is not so; empty if all is. Of ways that were not followed to their ends nothing is told."""
    faces = Faces(race, record.answer).ends
    told = {outcome_of(outcome): outcome.chance for outcome in record.outcomes}
    if record.beyond:
        less = all(chance <= faces.get(key, 0) for key, chance in told.items())
        return "" if less and sum(told.values()) + record.beyond == 1 else f"{told} is more than {faces}"
    return "" if told == faces else f"told {told}, and by faces {faces}"


@click.command()
@click.option("--positions", default=200, show_default=True)
@click.argument("rulebooks", nargs=-1)
def main(positions: int, rulebooks: tuple[str, ...]) -> None:
    """Compares, and says what is not as it was told."""
    wrong = 0
    for rulebook in rulebooks or tuple(RULEBOOKS):
        began, outcomes, beyond = process_time(), 0, 0
        for seed, race, record in islice(uncertain(rulebook), positions):
            outcomes, beyond = outcomes + len(record.outcomes), beyond + bool(record.beyond)
            if said := exactly(race, record):
                wrong += 1
                click.echo(f"{rulebook}, race {seed}, answer {record.answer} at {race.talk.n}: {said}")
        took = process_time() - began
        click.echo(f"{rulebook}: {positions} positions, {outcomes} outcomes, {beyond} not to their ends, {took:.0f} s")
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
