"""The stops of a move as answers: each cost is counted once, the cheapest come first.

Every question where a car stops passes through here with all that its roll can reach. A wheel may have it compiled.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import itemgetter
from typing import Final

from companion.rules.circuit.leg import Landing, Over
from companion.rules.circuit.search import Board
from companion.rules.conversation.asking import Json, Option
from companion.rules.conversation.kinds import Pools
from companion.rules.dice.wear import Charges, Cost

WALL: Final = "wall:"
"""Prefix of the name of a space of the outside lane: the test is against the wall."""
SIDE: Final = 256
"""More than any of the small numbers here: spaces moved, braked or overshot, tests on a way."""
MANY: Final = 1 << 16
"""More than a landing costs, and than a circuit has spaces."""


class LandingContext:
    """The context that all stops of one question share.

    It has the board, the corner in which the turn began and the stops that count there; whether a turn that ends where
    it began by brakes makes a stop.
    """

    def __init__(self, board: Board, corner: int, made: int, still_counts: bool) -> None:
        self.board, self.corner, self.made, self.still_counts = board, corner, made, still_counts


class StopPrice:
    """The cost of all stops with equal charges, with the rank that it gives them among the options."""

    def __init__(self, cost: Cost, wear: Pools) -> None:
        worst = 2 * MANY if cost.out else MANY if cost.spin else 0
        self.rank = (worst + cost.total) * SIDE * SIDE * MANY
        self.wear, self.told = wear, cost.option_facts()


class Offers:
    """Turns the stops of one question into options.

    `cost` and `wear` are asked once for all stops with equal charges. `driven` gives a stop as far as it is certain to
    be driven. `entry` gives the brakes that a stop costs besides those braked on its way, where any does; of both
    together the car can spend `most`.
    """

    def __init__(
        self,
        stage: LandingContext,
        cost: Callable[[Charges], Cost],
        wear: Callable[[Cost], Pools],
        most: int,
        driven: Callable[[Landing], Landing],
        entry: Callable[[Landing], int] | None,
    ) -> None:
        self.stage, self.cost, self.wear, self.most, self.driven, self.entry = stage, cost, wear, most, driven, entry
        self.pits, self.names, self.corner = stage.board.pits, stage.board.names, stage.board.track.corner
        self.prices: dict[tuple[int, int, tuple[Over, ...], int, bool, bool], StopPrice] = {}
        self.named: dict[tuple[int, ...], list[str]] = {}

    def listed(self, found: Sequence[Landing]) -> list[tuple[Option, Landing]]:
        """Return landings as options, cheapest first, the best way to each stop before the other ways there.

        `over` tells ways apart that differ only in what they cross.
        """
        ways: dict[int, int] = {}
        apart: dict[tuple[int, tuple[int, ...]], Landing] = {}
        for landing in found:
            stop = (landing.space * SIDE + landing.brakes) * SIDE + landing.soft
            ways[stop] = ways.get(stop, 0) + 1
            apart.setdefault((stop, landing.tests), landing)
        rows: list[tuple[int, int, Landing, StopPrice]] = []
        for (stop, _), landing in apart.items():
            price = self.price(landing)
            if price is not None:  # of equal cost the fewest tests, the furthest, the first space
                nearer = len(landing.tests) * SIDE + SIDE - 1 - landing.moved
                rows.append((price.rank + nearer * MANY + landing.space, stop, landing, price))
        rows.sort(key=itemgetter(0))
        best: dict[int, tuple[Option, Landing]] = {}
        others: list[tuple[Option, Landing]] = []
        for _, stop, landing, price in rows:
            offer = self.option(landing, price, told=ways[stop] > 1), landing
            if stop in best:
                others.append(offer)
            else:
                best[stop] = offer
        return [*best.values(), *others]

    def price(self, landing: Landing) -> StopPrice | None:
        """Return what a landing costs; None for one whose brakes the car cannot pay."""
        extra = self.entry(landing) if self.entry is not None else 0
        if landing.brakes + extra > self.most:
            return None
        driven = self.driven(landing)
        in_pits = driven.space in self.pits
        charged = (driven.brakes, extra, driven.overs, driven.blocked, driven.finished, in_pits)
        price = self.prices.get(charged)
        if price is None:
            cost = self.cost(Charges(*charged))
            price = self.prices[charged] = StopPrice(cost, self.wear(cost))
        return price

    def option(self, landing: Landing, price: StopPrice, *, told: bool) -> Option:
        """Return a landing as an answer with its price; where there are several ways it says over which tests."""
        space, moved, brakes = landing.space, landing.moved, landing.brakes
        answer: dict[str, Json] = {"space": self.names[space], "brakes": brakes, "soft": landing.soft}
        facts: dict[str, Json] = {"moved": moved}
        tests = self.tests(landing.tests)
        if tests:
            facts["tests"] = tests
        if told:
            answer["over"] = tests
        if landing.overs:
            facts["overshot"] = landing.overshot
        elif not landing.finished and (index := self.corner[space]) >= 0:
            stage, corner = self.stage, self.stage.board.track.corners[index]
            still = not moved and brakes > 0
            made = (stage.made if index == stage.corner else 0) + (stage.still_counts if still else 1)
            facts["corner"] = corner.number
            facts["stops"] = min(made, corner.stops)
            facts["of"] = corner.stops
        if landing.slid:
            facts["slid"] = landing.slid
        if landing.blocked:
            facts["blocked"] = landing.blocked
        if landing.finished:
            facts["finish"] = True
        if price.told:
            facts |= price.told
        return Option(answer, price.wear, facts)

    def tests(self, tests: tuple[int, ...]) -> list[str]:
        """Return the tests of a way by name, the same list for all ways over the same."""
        named = self.named.get(tests)
        if named is None:
            named = self.named[tests] = [named_test(self.names, test) for test in tests]
        return named


def named_test(names: Sequence[str], test: int) -> str:
    """Return the name of a test of the way: the danger space, or the wall beside a space."""
    return names[test] if test >= 0 else WALL + names[~test]
