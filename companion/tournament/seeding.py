"""Tables seeded from a ranking: dealt in turn, as a snake, or by level; team-mates apart where an equal seat allows it
(articles 1-3-2, 1-3-3)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Final, Literal, NamedTuple

import msgspec

from companion.rules.conversation.errors import BadEntry
from companion.rules.conversation.setup import MOST

Deal = Literal["turn", "snake", "level"]
"""How drivers are dealt by rank: the first to table 1, the second to table 2, and so on; the same there and back; or
the fastest all to table 1."""
LEAST: Final = 2
"""The fewest drivers of a table."""
DEEP: Final = 4
"""How many swaps one after the other are tried to part a pair that a single one cannot."""
WIDE: Final = 40
"""After how many of the best beginnings the next of them is tried."""

Tables = tuple[tuple[int, ...], ...]
"""The drivers of each table, from pole."""


class Move(msgspec.Struct, frozen=True, omit_defaults=True):
    """Two drivers who changed seats, how many ranks lie between them, and why; `organiser` says that it was the
    organiser's wish and not the rule's."""

    one: int
    other: int
    ranks: int
    why: str = "team"
    organiser: bool = False


class Pair(NamedTuple):
    """Two who are to be apart and sit at one table, which counts from 1; `of` is their team, or the organiser's word
    for them."""

    table: int
    one: int
    other: int
    of: str


class Price(NamedTuple):
    """What a swap would cost: how many ranks lie between the two, how many pairs it would part, and how many new ones
    it would make."""

    one: int
    other: int
    ranks: int
    parted: int
    made: int


def even_sizes(drivers: int, tables: int) -> tuple[int, ...]:
    """The sizes of so many tables, as even as can be, the larger ones first; raises BadEntry for too many or few."""
    if tables < 1:
        raise BadEntry(f"There is no seeding to {tables} tables; one at least is wanted.")
    sizes = tuple(drivers // tables + (table < drivers % tables) for table in range(min(tables, drivers + 1)))
    check_sizes(drivers, sizes)
    return sizes


def check_sizes(drivers: int, sizes: Sequence[int]) -> None:
    """Raises BadEntry for a table of one, one that is too large, or tables that do not hold everybody."""
    for table, size in enumerate(sizes, 1):
        if size < LEAST:
            raise BadEntry(f"Table {table} would have {size} of {drivers} drivers; a table has {LEAST} at least.")
        if size > MOST:
            raise BadEntry(f"Table {table} would have {size} drivers; a race has at most {MOST} cars.")
    if sum(sizes) != drivers:
        raise BadEntry(f"The tables have {sum(sizes)} seats for {drivers} drivers; every driver needs one.")


def deal(ranking: Sequence[int], sizes: Sequence[int], way: Deal = "turn") -> Tables:
    """The ranking dealt to tables of those sizes, everybody in grid order at his table [1-3-2]."""
    check_sizes(len(ranking), sizes)
    tables: list[list[int]] = [[] for _ in sizes]
    turn = _turns(sizes, way)
    for driver in ranking:
        tables[next(turn)].append(driver)
    return tuple(map(tuple, tables))


def _turns(sizes: Sequence[int], way: Deal) -> Iterator[int]:
    """The tables in the order in which they get a driver; a full one is passed over."""
    if way == "level":
        for table, size in enumerate(sizes):
            yield from [table] * size
        return
    for row in range(max(sizes)):
        there = [table for table, size in enumerate(sizes) if size > row]
        yield from reversed(there) if way == "snake" and row % 2 else there


def pairs(tables: Tables, apart: Mapping[str, Iterable[int]]) -> list[Pair]:
    """Who sits together and is to be apart, table by table [1-3-3]."""
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
    """The tables after two drivers have changed seats; raises BadEntry if one of them has none."""
    seats = {driver for table in tables for driver in table}
    for driver in (one, other):
        if driver not in seats:
            raise BadEntry(f"Number {driver} sits at none of these tables.")
    if one == other:
        raise BadEntry("A swap takes two drivers.")
    turned = {one: other, other: one}
    return tuple(tuple(turned.get(driver, driver) for driver in table) for table in tables)


def kept_apart(
    tables: Tables, ranking: Sequence[int], apart: Mapping[str, Iterable[int]], way: Deal = "turn"
) -> tuple[Tables, tuple[Move, ...]]:
    """The tables with as few pairs of team-mates as swaps between equal seats are found to bring about, and these
    swaps. Equal are the seats of the same grid place: in turn and as a snake they were dealt one after the other. Dealt
    by level no seats are equal, and nothing is moved; what is still broken is the organiser's to solve [1-3-3]."""
    teams = {of: tuple(members) for of, members in apart.items()}
    rank = {driver: at for at, driver in enumerate(ranking)}
    moves: list[Move] = []
    while way != "level" and (found := _fewer(tables, rank, teams)):
        for move in found:
            tables = swapped(tables, move.one, move.other)
        moves += found
    return tables, tuple(moves)


def _fewer(tables: Tables, rank: Mapping[int, int], apart: Mapping[str, tuple[int, ...]]) -> tuple[Move, ...]:
    """The swap that leaves the fewest pairs, over the fewest ranks; where no single one parts any, the swaps one after
    the other that do; none if none are found."""
    mates = {driver: {*members} - {driver} for members in apart.values() for driver in members}
    many = len(pairs(tables, apart))
    tried: list[tuple[Tables, tuple[Move, ...]]] = [(tables, ())]
    for _ in range(DEEP):
        found: list[tuple[tuple[int, ...], int, Tables, tuple[Move, ...]]] = []
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
                        move = Move(driver, partner, abs(rank[driver] - rank[partner]), pair.of)
                        cost = (left, ranks + move.ranks, -rank[driver], rank[partner])
                        found.append((cost, len(found), seats, (*before, move)))
        best = sorted(found)[:WIDE]
        if best and best[0][0][0] < many:
            return best[0][3]
        tried = [(swapped(seats, made[-1].one, made[-1].other), made) for _, _, seats, made in best]
    return ()


def _more(mates: Mapping[int, set[int]], driver: int, here: Iterable[int], there: Iterable[int]) -> int:
    """In how many more pairs a driver is at another table."""
    his = mates.get(driver, set())
    return len(his.intersection(there)) - len(his.intersection(here))


def prices(tables: Tables, driver: int, ranking: Sequence[int], apart: Mapping[str, Iterable[int]]) -> list[Price]:
    """What a swap of a driver with each driver of the other tables would cost, the cheapest first: fewest pairs left,
    then fewest ranks."""
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
            found.append(Price(driver, other, abs(rank[driver] - rank[other]), parted, made))
    return sorted(found, key=lambda price: (price.made - price.parted, price.ranks, rank[price.other]))
