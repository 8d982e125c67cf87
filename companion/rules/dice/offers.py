"""The stops of a move as answers: each cost is counted once, the cheapest come first.

Every question where a car stops passes through here with all that its roll can reach. A wheel may have it compiled.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import itemgetter
from typing import Final, NamedTuple

from companion.rules.circuit.leg import Landing
from companion.rules.circuit.ways import Board
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
    there; whether a turn that ends where it began by brakes makes a stop, and whether it can still be one."""

    board: Board
    corner: int
    made: int
    still_counts: bool
    still: bool


def offered(
    found: Sequence[Landing],
    stage: Stage,
    entry: Callable[[Landing], int] | None,
    most: int,
    price: Callable[[Landing, int], Price],
    wear: Callable[[Price], Pools],
) -> list[tuple[Option, Landing]]:
    """Landings as options, cheapest first, the best way to each stop before the other ways there; `over` tells ways
    apart that differ only in what they cross.

    `entry` says how many brakes more one costs, where any does; of which it can spend `most` in all. `price` and `wear`
    are asked once for all landings that cost the same.
    """
    board = stage.board
    ways: dict[int, list[Landing]] = {}
    for landing in found:
        stop = (landing.space * SIDE + landing.brakes) * 2 + landing.soft
        several = ways.get(stop)
        if several is None:
            ways[stop] = [landing]
        else:
            several.append(landing)
    costs: dict[int, tuple[int, Price, Pools]] = {}
    first: list[tuple[int, Option, Landing]] = []
    others: list[tuple[int, Option, Landing]] = []
    for several in ways.values():
        told = len(several) > 1
        rows: list[tuple[int, Option, Landing]] = []
        for landing in _told_apart(several) if told else several:
            brakes, overs, space = landing.brakes, landing.overs, landing.space
            extra = entry(landing) if entry is not None else 0
            if extra and brakes + extra > most:
                continue
            alike = (brakes * SIDE + landing.blocked) * SIDE + extra
            if overs:
                alike = (alike * SIDE + landing.overshot) * 4 + landing.missing
            else:
                alike *= SIDE * 4
            alike = alike * 4 + (2 if landing.finished else 0) + (1 if space in board.pits else 0)
            cost = costs.get(alike)
            if cost is None:
                paid = price(landing, extra)
                worst = 2 * MANY if paid.out else MANY if paid.spin else 0
                cost = costs[alike] = worst + paid.brakes + paid.tyres, paid, wear(paid)
            level, paid, lost = cost
            # the dearest last; of equal cost the fewest tests, the furthest, the first space
            rank = ((level * SIDE + len(landing.tests)) * SIDE + SIDE - 1 - landing.moved) * MANY + space
            rows.append((rank, _option(landing, stage, paid, lost, told), landing))
        if len(rows) > 1:
            rows.sort(key=itemgetter(0))
            others += rows[1:]
        first += rows[:1]
    first.sort(key=itemgetter(0))
    others.sort(key=itemgetter(0))
    return [(option, landing) for _, option, landing in first + others]


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
        still = stage.still and not moved and landing.brakes > 0
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
