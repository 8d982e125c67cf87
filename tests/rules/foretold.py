"""Random races whose answers are told beforehand: what followed stood in the record, and what was certain followed."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from itertools import takewhile
from random import Random
from typing import Any

import msgspec

from companion.circuits import board
from companion.drivers.cards import HeuristicCardDriver, RandomCardDriver
from companion.drivers.chance import RandomDriver
from companion.drivers.sensible import HeuristicDriver
from companion.rules.conversation.asking import Ruling
from companion.rules.conversation.consequence import CHANCE, OFFERS, Consequence, Lookahead
from companion.rules.conversation.conversation import Conversation
from companion.rules.conversation.errors import BadAnswer
from companion.rules.rulebooks import begin

TOLD = frozenset({"other", "cause", "why", "pool"})
"""Beside kind, article, car and wear, the facts by which a ruling is known in a message."""

SILENT = ("contest_1", "contest_2", "grid")
"""Cards of which only the sum is told, and dice of which the order is told that they all make."""


def alike(ruling: Ruling) -> bytes:
    """A ruling without what was rolled."""
    facts = {name: fact for name, fact in ruling.facts.items() if name not in CHANCE}
    return msgspec.json.encode(msgspec.structs.replace(ruling, facts=facts, left={}), order="deterministic")


class Chain:
    """An answer that was given, its record, and what has followed from it so far."""

    def __init__(self, record: Consequence, n: int) -> None:
        self.record, self.n = record, n
        self.followed: Counter[bytes] = Counter()
        self.declined: list[str] = []
        self.told: Counter[bytes] = Counter()
        for due in record.rulings:
            self.told[alike(due.ruling)] += 1

    def add(self, rulings: list[Ruling]) -> None:
        """Everything that follows stood in the record."""
        for ruling in rulings:
            self.followed[alike(ruling)] += 1
            assert self.record.beyond or self.followed[alike(ruling)] <= self.told[alike(ruling)], (
                f"{ruling} followed {self.record.answer} and was not told"
            )

    def over(self) -> None:
        """Everything certain has followed; `declined` offers are all that have been."""
        sure: Counter[bytes] = Counter()
        for due in self.record.rulings:
            if self.record.certain(due) and list(due.unless) == self.declined[: len(due.unless)]:
                sure[alike(due.ruling)] += 1
        for code, times in sure.items():
            assert self.followed[code] >= times, f"{code!r} was certain on {self.record.answer} and did not follow"


class Ledger:
    """What rulings say that every car has of each pool, and of whatever else is counted: each says what it was before
    and what is left, and nothing is lost or won in a step without one."""

    def __init__(self) -> None:
        self.left: dict[tuple[int, str], int] = {}

    def enter(self, rulings: list[Ruling]) -> None:
        """Rulings follow on each other; a car on which the referee has set a value begins anew."""
        for ruling in rulings:
            assert set(ruling.left) == {*ruling.wear, *ruling.counts}, ruling
            change = ruling.facts.get("change", {})
            named = {one.get("car") for one in (change, *change.get("cars", ()))}
            self.left = {key: points for key, points in self.left.items() if key[0] not in named}
            for pool, points in ruling.before.items():
                assert points == self.left.get((ruling.car or 0, pool), points), ruling
                self.left[ruling.car or 0, pool] = ruling.left[pool]

    def check(self, race: Any) -> None:
        """Every car has what the rulings say."""
        for car in race.cars:
            beside = counted(car) if race.phase == "race" else {}  # before, cars are being built
            for pool, points in {**car.wear, **beside}.items():
                held = self.left.setdefault((car.number, pool), points)
                assert points == held, f"{pool} of car {car.number}: {points} and not {held}, and no ruling says so"


class Foretold:
    """One random race; `play` plays some of it with a record for every answer."""

    def __init__(self, rulebook: str, circuit: str, seed: int, setup: dict[str, Any]) -> None:
        track: Any = board(circuit)
        self.random = Random(f"{rulebook} {circuit} {seed}")
        self.book: Any = begin(setup, track)
        self.talk = Conversation(self.book)
        kinds: Any = (
            (RandomCardDriver, HeuristicCardDriver) if rulebook == "ninety" else (RandomDriver, HeuristicDriver)
        )
        self.drivers: tuple[Any, ...] = tuple(kind(track, seed) for kind in kinds)
        self.chains: list[Chain] = []
        self.tally: Counter[str] = Counter()
        self.records = 0
        self.ledger = Ledger()
        self.hold(self.talk.opening)

    def answer(self) -> Any:
        """What somebody answers to the open question: by chance or by sense, and often close behind another car."""
        asked = self.talk.asked
        assert asked is not None
        return self.drivers[self.random.random() < 0.6].answer(asked, self.book.race)

    def skip(self, answers: int) -> None:
        """Plays on without records."""
        for _ in range(answers):
            self.give()
        while self.book.name == "ninety" and self.book.race.phase == "setup":
            self.give()

    def give(self) -> None:
        """One answer without a record; with cards on the table one made up may be one too many."""
        if self.talk.question is None:
            return
        with suppress(BadAnswer):
            self.hold(self.talk.answer(self.answer()))

    def hold(self, rulings: list[Ruling]) -> None:
        """The ledger holds. A move is what its terms come to, or is cut short, or lengthened by what a card or the pits
        give."""
        self.ledger.enter(rulings)
        for ruling in rulings:
            if "rolled" in ruling.facts:
                self.tally["moves"] += 1
                self.tally["moves as summed"] += summed(ruling) == ruling.facts["moved"]
        if self.talk.last_checkpoint[0] == self.talk.n:
            self.ledger.check(self.book.race)

    def play(self, answers: int) -> None:
        """Plays so many answers, each with its record."""
        for _ in range(answers):
            question = self.talk.question
            if question is None:
                return
            answer = self.answer()
            before = self.talk.digest
            spare = self.book.clone()
            try:
                record = Lookahead(self.talk, spare).of(answer)
            except BadAnswer:
                continue  # a card made up may happen to be frozen, or one too many
            assert self.talk.digest == before, "looking ahead has changed the race"
            check_sums(record)
            self.records += 1
            for test in record.tests:
                self.tally[test.kind] += 1
            self.step(answer, record)

    def step(self, answer: Any, record: Consequence) -> None:
        """Gives an answer, and looks at what follows beside every record that still reaches so far."""
        talk = self.talk
        question = talk.question
        assert question is not None
        going = []
        for chain in self.chains:
            if question.odds():
                going.append(chain)
            elif question.ask in OFFERS and answer == OFFERS[question.ask]:
                chain.declined.append(offer(question))
                going.append(chain)
            else:
                chain.over()
        self.chains = [*going, Chain(record, talk.n)]
        rulings = talk.answer(answer)
        self.hold(rulings)
        then = talk.question
        silent = question.what in SILENT or question.ask == "roll" or (then is not None and then.ask in OFFERS)
        if question.odds() and not silent:
            assert any(not CHANCE.isdisjoint(ruling.facts) for ruling in rulings), f"no ruling tells {answer}"
        if question.ask not in ("show", "contest", "drawn"):
            # the cards of bots in a contest that begins with the next step come from the deck before anybody is asked
            rulings = list(takewhile(lambda ruling: ruling.kind != "fights", rulings))
        for chain in self.chains:
            chain.add(rulings)
        for chain in [chain for chain in self.chains if talk.question is None or talk.last_checkpoint[0] > chain.n]:
            chain.over()
            self.chains.remove(chain)


def counted(car: Any) -> dict[str, int]:
    """What of a car is counted beside its pools."""
    found = {name: getattr(car, name) for name in ("kers", "stand") if hasattr(car, name)}
    found |= {f"tokens:{key}": count for key, count in getattr(car, "weapons", {}).items()}
    return found | {f"stock:{key}": count for key, count in getattr(car, "stock", {}).items()}


def summed(move: Ruling) -> int:
    """What the terms of a move come to."""
    terms = {"rolled": 1, "slid": 1, "soft": 1, "braked": -1, "blocked": -1}
    return max(0, sum(sign * move.facts.get(name, 0) for name, sign in terms.items()))


def offer(question: Any) -> str:
    """An offer as records call it."""
    return str(question.what.rstrip("0123456789_")) if question.ask == "use" else str(question.ask)


def check_sums(record: Consequence) -> None:
    """What a record tells of likelihoods adds up."""
    whole = 1 - record.beyond
    assert record.outcomes
    assert sum(outcome.chance for outcome in record.outcomes) == whole
    assert record.calm <= record.unhurt <= whole
    assert all(0 < due.chance <= whole for due in record.rulings)
    for test in record.tests:
        assert 0 < test.chance <= 1
        assert record.beyond or sum(part.chance for part in test.parts) == 1, test
        ends = {kind for part in test.parts for kind in part.kinds}
        assert test.kind in ends or test.kind in ("roll", "fights"), f"{test.kind} ends in {ends}"
    for car, pools in record.expected.items():
        for pool, points in pools.items():
            mean = sum(one.chance * one.wear.get(car, {}).get(pool, 0) for one in record.outcomes)
            assert points == mean


def comes_to(rulings: list[Ruling]) -> bytes:
    """Points by car and pool, who is out and why, who spins."""
    wear: dict[tuple[int, str], int] = {}
    for ruling in rulings:
        for pool, points in ruling.wear.items():
            wear[ruling.car or 0, pool] = wear.get((ruling.car or 0, pool), 0) + points
    out = {ruling.car or 0: ruling.facts.get("cause", "") for ruling in rulings if ruling.kind == "out"}
    spun = sorted(ruling.car or 0 for ruling in rulings if ruling.kind == "spin")
    return msgspec.json.encode([sorted([*key, points] for key, points in wear.items()), sorted(out.items()), spun])


def outcome_of(outcome: Any) -> bytes:
    """The same of an outcome that was told."""
    wear = sorted([car, pool, points] for car, pools in outcome.wear.items() for pool, points in pools.items())
    return msgspec.json.encode([wear, sorted(outcome.out.items()), sorted(outcome.spun)])
