"""The outlook of a stop: what it costs and the dice that it brings, told by the chapters before it is chosen.

It is the record of an answer (`rules/conversation/consequence.py`) without the ways of the dice together: each die is
told as if those before it went well. Nothing is answered, rolled or moved for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from typing import Final

from companion.rules.circuit.leg import Landing
from companion.rules.conversation.asking import Json, Ruling
from companion.rules.conversation.consequence import Consequence, Due, Part, Test
from companion.rules.conversation.kinds import Ask, Cause
from companion.rules.dice.chapter import DiceChapter, F, R
from companion.rules.dice.state import C
from companion.rules.dice.turn import TurnBook
from companion.rules.dice.wear import ForetoldTest

STOPS: Final[frozenset[Ask]] = frozenset({"landing", "slipstream", "kers"})
"""The questions of where a car stops in its turn."""
FACES: Final = 20
SURE: Final = Fraction(1)
NEVER: Final = Fraction(0)


class Outlook(DiceChapter[C, R, F]):
    """The first effects of an answer to the question of where to stop."""

    book: TurnBook[C, R, F]

    def of(self, car: C, ask: Ask, answer: Json, landing: Landing | None) -> Consequence:
        """Return the record of a stop, or of staying where the car has come to, with each die by itself."""
        book = self.book
        stop = self.stay(car) if landing is None else landing
        towed = ask == "slipstream" and landing is not None and book.slipstream.enters_corner(car, landing)
        entry = book.slipstream.entry_brakes() if towed else 0
        driven = book.landings.actual_landing(car, stop)
        cost = book.landings.cost(car, stop, entry=entry)
        there = book.turn.landed(car, driven, cost)
        found = book.turn.foretell(car, stop, entry=entry)
        return Consequence(
            answer=answer,
            car=car.number,
            wear={pool: points for pool, points in book.landings.option_cost(car, cost).items() if points},
            overshot=driven.overshot,
            missing=driven.missing,
            tests=[self.recorded_test(test, there) for test in found],
            rulings=[Due(one, SURE) for one in self.befalls(car, ask, landing, driven)],
            beyond=SURE if landing is not None and self.leads_on(car, there, driven) else NEVER,
        )

    def stay(self, car: C) -> Landing:
        """Return the stop of a car that declines to go on from where it has come to: what it owes is still due."""
        move, here = self.move, self.track.ids[car.at or ""]
        return Landing(here, 0, blocked=move.blocked, overs=tuple(move.overs), finished=move.finished)

    def leads_on(self, car: C, there: C, landing: Landing) -> bool:
        """Return True if a stop may open something that only being there tells: the pits, or a slipstream.

        For the slipstream there may be no space.
        """
        if there.in_pits and not car.in_pits:
            return True
        if landing.brakes or landing.blocked or landing.overs or landing.finished:
            return False
        slipstream = self.book.slipstream
        return slipstream.can_slipstream(there, slipstream.car_ahead(there))

    def befalls(self, car: C, ask: Ask, landing: Landing | None, driven: Landing) -> Sequence[Ruling]:
        """Return what a stop brings its car for sure that is no point of wear, besides what its cost says."""
        return ()

    def recorded_test(self, test: ForetoldTest, there: C) -> Test:
        """Return a die as a record has it: what its failing faces take, as far as its car has it.

        What lies on the way is met before the stop is paid for.
        """
        book, cost = self.book, test.cost
        had = there.wear if test.car == there.number and not test.at else self.car(test.car).wear
        lost = {pool: -min(points, had[pool]) for pool, points in book.wear.pooled(dict(cost.points)).items()}
        wear = {test.car: {pool: points for pool, points in lost.items() if points}} if any(lost.values()) else {}
        out: dict[int, Cause] = {test.car: cost.out} if cost.out else {}
        spun = [test.car] if cost.spin and not cost.out else []
        parts = [
            Part(first, last, _share(first, last), wear, out, spun)
            if last <= test.to
            else Part(first, last, _share(first, last))
            for first, last in test.bands
        ]
        return Test(test.kind, "test", "", SURE, parts, test.car, test.other, test.at)


@cache
def _share(first: int, last: int) -> Fraction:
    """Return the chance that the black die shows one of some faces."""
    return Fraction(last - first + 1, FACES)
