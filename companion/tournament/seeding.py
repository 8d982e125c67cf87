"""Seed tables from a ranking, with team-mates apart where equal seats allow it.

Drivers are dealt in turn, as a snake, or by level (articles 1-3-2, 1-3-3).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Final, Literal, NamedTuple

import msgspec

from companion.rules.conversation.errors import BadEntry
from companion.rules.conversation.setup import MOST

Deal = Literal["turn", "snake", "level"]
"""Ways of dealing drivers by rank: the first to table 1, the second to table 2, and so on; the same there and back; or
the fastest all to table 1."""
LEAST: Final = 2
"""Minimum number of drivers at a table."""
DEEP: Final = 4
"""Maximum length of a sequence of swaps that is tried to part a pair that a single one cannot."""
BEAM_WIDTH: Final = 40
"""Number of the best sequences that are tried with another swap."""

Tables = tuple[tuple[int, ...], ...]
"""Drivers of each table, from pole."""


class SeatSwap(msgspec.Struct, frozen=True, omit_defaults=True):
    """A swap of seats between two drivers.

    `ranks` is the distance between them in the ranking, `why` the reason; `organiser` marks a swap made by the
    organiser, not by the rule.
    """

    one: int
    other: int
    ranks: int
    why: str = "team"
    organiser: bool = False


class Pair(NamedTuple):
    """Two drivers at one table who should sit apart.

    `table` counts from 1; `of` is their team, or the organiser's name for the pair.
    """

    table: int
    one: int
    other: int
    of: str


class SwapPrice(NamedTuple):
    """The price of a swap.

    `ranks` is the distance between the two in the ranking, `parted` the pairs it separates, `made` the new ones it
    creates.
    """

    one: int
    other: int
    ranks: int
    parted: int
    made: int


def even_sizes(drivers: int, tables: int) -> tuple[int, ...]:
    """Return the sizes of `tables` tables, as even as possible, the larger ones first.

    Raises BadEntry for too many or too few tables.
    """
    if tables < 1:
        raise BadEntry("seeding_tables", tables=tables)
    sizes = tuple(drivers // tables + (table < drivers % tables) for table in range(min(tables, drivers + 1)))
    check_sizes(drivers, sizes)
    return sizes


def check_sizes(drivers: int, sizes: Sequence[int]) -> None:
    """Check the sizes of tables.

    Raises BadEntry for a table that is too small or too large, or if the seats do not match the drivers.
    """
    for table, size in enumerate(sizes, 1):
        if size < LEAST:
            raise BadEntry("table_few", table=table, size=size, drivers=drivers, least=LEAST)
        if size > MOST:
            raise BadEntry("table_many", table=table, size=size, most=MOST)
    if sum(sizes) != drivers:
        raise BadEntry("seeding_seats", seats=sum(sizes), drivers=drivers)


def deal(ranking: Sequence[int], sizes: Sequence[int], way: Deal = "turn") -> Tables:
    """Deal a ranking to tables of those sizes, each in grid order [1-3-2]."""
    check_sizes(len(ranking), sizes)
    tables: list[list[int]] = [[] for _ in sizes]
    turn = _turns(sizes, way)
    for driver in ranking:
        tables[next(turn)].append(driver)
    return tuple(map(tuple, tables))


def _turns(sizes: Sequence[int], way: Deal) -> Iterator[int]:
    """Yield the table that gets each next driver, skipping full ones."""
    if way == "level":
        for table, size in enumerate(sizes):
            yield from [table] * size
        return
    for row in range(max(sizes)):
        there = [table for table, size in enumerate(sizes) if size > row]
        yield from reversed(there) if way == "snake" and row % 2 else there


def pairs(tables: Tables, apart: Mapping[str, Iterable[int]]) -> list[Pair]:
    """Return the pairs that should sit apart and share a table, table by table [1-3-3]."""
    member_of: dict[int, list[str]] = {}
    for of, members in apart.items():
        for driver in dict.fromkeys(members):
            member_of.setdefault(driver, []).append(of)
    found = []
    for at, table in enumerate(tables, 1):
        there: dict[str, list[int]] = {of: [] for of in apart}
        for driver in table:
            for of in member_of.get(driver, ()):
                there[of].append(driver)
        found += [Pair(at, *two, of) for of, drivers in there.items() for two in combinations(drivers, 2)]
    return found


def swapped(tables: Tables, one: int, other: int) -> Tables:
    """Return the tables after two drivers have swapped seats.

    Raises BadEntry if one of them has none.
    """
    seats = {driver for table in tables for driver in table}
    for driver in (one, other):
        if driver not in seats:
            raise BadEntry("not_at_tables", driver=driver)
    if one == other:
        raise BadEntry("swap_two")
    turned = {one: other, other: one}
    return tuple(tuple(turned.get(driver, driver) for driver in table) for table in tables)


def kept_apart(
    tables: Tables, ranking: Sequence[int], apart: Mapping[str, Iterable[int]], way: Deal = "turn"
) -> tuple[Tables, tuple[SeatSwap, ...]]:
    """Separate team-mates by swapping equal seats; return the tables and the swaps.

    Seats of the same grid place are equal: they were dealt one after the other. Tables dealt by level have no equal
    seats and stay as they are. Pairs that remain are the organiser's to solve [1-3-3].
    """
    teams = {of: tuple(members) for of, members in apart.items()}
    rank = {driver: at for at, driver in enumerate(ranking)}
    moves: list[SeatSwap] = []
    while way != "level" and (found := _fewer(tables, rank, teams)):
        for move in found:
            tables = swapped(tables, move.one, move.other)
        moves += found
    return tables, tuple(moves)


def _fewer(tables: Tables, rank: Mapping[int, int], apart: Mapping[str, tuple[int, ...]]) -> tuple[SeatSwap, ...]:
    """Return the shortest sequence of swaps that leaves fewer pairs.

    A single swap that leaves the fewest pairs over the fewest ranks is preferred. Empty if none is found.
    """
    mates = {driver: {*members} - {driver} for members in apart.values() for driver in members}
    many = len(pairs(tables, apart))
    tried: list[tuple[Tables, tuple[SeatSwap, ...]]] = [(tables, ())]
    for _ in range(DEEP):
        found: list[tuple[tuple[int, ...], int, Tables, tuple[SeatSwap, ...]]] = []
        for seats, before in tried:
            broken = pairs(seats, apart)
            ranks = sum(move.ranks for move in before)
            for pair in broken:
                here = seats[pair.table - 1]
                for driver in (pair.other, pair.one):
                    for there in seats:
                        place = here.index(driver)
                        if len(there) <= place or there is here or there[place] in mates[driver]:
                            continue
                        partner = there[place]
                        left = len(broken) + _more(mates, driver, here, there) + _more(mates, partner, there, here)
                        move = SeatSwap(driver, partner, abs(rank[driver] - rank[partner]), pair.of)
                        cost = (left, ranks + move.ranks, -rank[driver], rank[partner])
                        found.append((cost, len(found), seats, (*before, move)))
        best = sorted(found)[:BEAM_WIDTH]
        if best and best[0][0][0] < many:
            return best[0][3]
        tried = [(swapped(seats, made[-1].one, made[-1].other), made) for _, _, seats, made in best]
    return ()


def _more(mates: Mapping[int, set[int]], driver: int, here: Iterable[int], there: Iterable[int]) -> int:
    """Return how many pairs a driver gains by moving to another table."""
    his = mates.get(driver, set())
    return len(his.intersection(there)) - len(his.intersection(here))


def prices(tables: Tables, driver: int, ranking: Sequence[int], apart: Mapping[str, Iterable[int]]) -> list[SwapPrice]:
    """Return the price of swapping a driver with each driver of the other tables.

    The cheapest comes first: fewest pairs left, then fewest ranks.
    """
    apart = {of: tuple(members) for of, members in apart.items()}
    rank = {one: at for at, one in enumerate(ranking)}
    before = set(pairs(tables, apart))
    found = []
    for table in tables:
        if driver in table:
            continue
        for other in table:
            now = {(pair.one, pair.other) for pair in pairs(swapped(tables, driver, other), apart)}
            was = {(pair.one, pair.other) for pair in before}
            same = {frozenset(pair) for pair in was}, {frozenset(pair) for pair in now}
            parted, made = len(same[0] - same[1]), len(same[1] - same[0])
            found.append(SwapPrice(driver, other, abs(rank[driver] - rank[other]), parted, made))
    return sorted(found, key=lambda price: (price.made - price.parted, price.ranks, rank[price.other]))
