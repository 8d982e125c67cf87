"""The stops of a move as answers: each cost is counted once, the cheapest come first.

Every question where a car stops passes through here with all that its roll can reach. A wheel may have it compiled.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import itemgetter
from typing import Final, NamedTuple

from companion.rules.circuit.leg import Landing
from companion.rules.circuit.search import Board
from companion.rules.conversation.asking import Json, Option
from companion.rules.conversation.kinds import DiceCause, Pools
from companion.rules.dice.tests import WALL

SIDE: Final = 256
"""More than any of the small numbers here: spaces moved, braked or overshot, tests on a way."""
MANY: Final = 1 << 16
"""More than a landing costs, and than a circuit has spaces."""


class Price(NamedTuple):
    """What a landing costs: brakes and tyres, whether the car spins, why it goes out."""

    brakes: int
    tyres: int
    spin: bool = False
    out: DiceCause = ""


class Stage(NamedTuple):
    """What all stops of one question share: the board, the corner in which the turn began and the stops that count
    there; whether a turn that ends where it began by brakes makes a stop."""

    board: Board
    corner: int
    made: int
    still_counts: bool


class Till:
    """What one car pays with: the factor of its tyres, how many of their points it can lose, the brakes that it has,
    and the table of what blocking costs."""

    def __init__(self, factor: int, limit: int, brakes: int, blocking: Sequence[tuple[int, int]]) -> None:
        self.factor, self.limit, self.brakes, self.blocking = factor, limit, brakes, blocking

    def price(self, landing: Landing, entry: int = 0) -> Price:
        """What a landing costs. Overshooting: spaces times factor in tyres; two stops missing, or more than the tyres
        left, and the car is out [10-0-1, 10-1, 10-3]. Blocked: by the table [12-0-1, 12-1-1]. Brakes: one a space
        [11-0-3]. Tyres from both are added [ruling 40]."""
        tyres, brakes, blocked = 0, landing.brakes + entry, landing.blocked
        if landing.overs:
            tyres = landing.overshot * self.factor
            if landing.missing >= 2 or tyres > self.limit:
                return Price(brakes, tyres, out="overshoot")
        if blocked:
            if blocked > len(self.blocking):
                return Price(brakes, tyres, out="blocked")
            more = self.blocking[blocked - 1]
            brakes += more[0]
            tyres += more[1]
            if brakes > self.brakes or tyres > self.limit:
                return Price(brakes, tyres, out="blocked")
        return Price(brakes, tyres, spin=tyres > 0 and tyres == self.limit)


class Offers:
    """The stops of one question on their way to being options.

    `entry` says how many brakes more a stop costs, where any does; of which the car can spend `most` in all. `price`
    and `wear` are asked once for all stops that cost the same.
    """

    def __init__(
        self,
        stage: Stage,
        price: Callable[[Landing, int], Price],
        wear: Callable[[Price], Pools],
        entry: Callable[[Landing], int] | None,
        most: int,
    ) -> None:
        self.stage, self.price, self.wear, self.entry, self.most = stage, price, wear, entry, most
        self.pits = stage.board.pits
        self.costs: dict[int, tuple[int, Price, Pools]] = {}

    def listed(self, found: Sequence[Landing]) -> list[tuple[Option, Landing]]:
        """Landings as options, cheapest first, the best way to each stop before the other ways there; `over` tells
        ways apart that differ only in what they cross."""
        ways: dict[int, Landing] = {}
        also: dict[int, list[Landing]] = {}
        for landing in found:
            stop = (landing.space * SIDE + landing.brakes) * 2 + landing.soft
            if stop not in ways:
                ways[stop] = landing
            elif stop in also:
                also[stop].append(landing)
            else:
                also[stop] = [ways[stop], landing]
        first: list[tuple[int, Option, Landing]] = []
        others: list[tuple[int, Option, Landing]] = []
        for stop, landing in ways.items():
            if stop not in also:
                self._add(first, landing, False)
                continue
            rows: list[tuple[int, Option, Landing]] = []
            for way in _told_apart(also[stop]):
                self._add(rows, way, True)
            rows.sort(key=_rank)
            first += rows[:1]
            others += rows[1:]
        first.sort(key=_rank)
        others.sort(key=_rank)
        return [(option, landing) for _, option, landing in first + others]

    def _add(self, rows: list[tuple[int, Option, Landing]], landing: Landing, told: bool) -> None:
        """A landing as an option, unless the car cannot pay its brakes, after its rank: the dearest last; of equal cost
        the fewest tests, the furthest, the first space."""
        brakes, space = landing.brakes, landing.space
        extra = self.entry(landing) if self.entry is not None else 0
        if brakes + extra > self.most:
            return
        alike = ((brakes * SIDE + landing.blocked) * SIDE + extra) * 2 + landing.finished
        if landing.overs:
            alike += ((landing.overshot * 4 + landing.missing) * MANY) * MANY
            for over in landing.overs[1:]:  # how far beyond each may matter, not only how far in all
                alike = (alike * SIDE + over.spaces) * 4 + over.missing
        if space in self.pits:
            alike = -1 - alike
        cost = self.costs.get(alike)
        if cost is None:
            price = self.price(landing, extra)
            worst = 2 * MANY if price.out else MANY if price.spin else 0
            cost = self.costs[alike] = worst + price.brakes + price.tyres, price, self.wear(price)
        level, price, wear = cost
        rank = ((level * SIDE + len(landing.tests)) * SIDE + SIDE - 1 - landing.moved) * MANY + space
        rows.append((rank, _option(landing, self.stage, price, wear, told), landing))


_rank: Final = itemgetter(0)


def _option(landing: Landing, stage: Stage, price: Price, wear: Pools, told: bool) -> Option:
    """A landing as an answer with its cost; where there are several ways it says over which tests."""
    board, space, moved = stage.board, landing.space, landing.moved
    answer: dict[str, Json] = {"space": board.names[space], "brakes": landing.brakes, "soft": landing.soft}
    facts: dict[str, Json] = {"moved": moved}
    tests: list[str] = []
    if landing.tests:
        facts["tests"] = tests = [named_test(board.names, test) for test in landing.tests]
    if told:
        answer["over"] = tests
    if landing.overs:
        facts["overshot"] = landing.overshot
    elif not landing.finished and (index := board.track.corner[space]) >= 0:
        corner = board.track.corners[index]
        still = not moved and landing.brakes > 0
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
    if price.out:
        facts["out"] = price.out
    elif price.spin:
        facts["spin"] = True
    return Option(answer, wear, facts)


def named_test(names: Sequence[str], test: int) -> str:
    """A test of the way by name: the danger space, or the wall beside a space."""
    return names[test] if test >= 0 else WALL + names[~test]


def _told_apart(several: Sequence[Landing]) -> list[Landing]:
    """One landing for each set of tests."""
    apart: dict[tuple[int, ...], Landing] = {}
    for landing in several:
        apart.setdefault(landing.tests, landing)
    return list(apart.values())
