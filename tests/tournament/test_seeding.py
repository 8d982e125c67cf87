"""Tables dealt from a ranking, team-mates apart, prices of swaps."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.rules.conversation.errors import BadEntry
from companion.tournament.seeding import DEEP, Deal, check_sizes, deal, even_sizes, kept_apart, pairs, prices, swapped

TEN = list(range(1, 11))


@pytest.mark.article("competition", "1-3-2")
def test_the_three_ways_to_deal() -> None:
    assert deal(TEN, (4, 3, 3), "turn") == ((1, 4, 7, 10), (2, 5, 8), (3, 6, 9))
    assert deal(TEN, (4, 3, 3), "snake") == ((1, 6, 7, 10), (2, 5, 8), (3, 4, 9))
    assert deal(TEN, (4, 3, 3), "level") == ((1, 2, 3, 4), (5, 6, 7), (8, 9, 10))


def test_sizes_are_as_even_as_can_be_or_as_said() -> None:
    assert even_sizes(40, 5) == (8, 8, 8, 8, 8)
    assert even_sizes(11, 3) == (4, 4, 3)
    for drivers, sizes in ((3, (2, 1)), (42, (21, 21)), (10, (4, 4)), (2, ())):
        with pytest.raises(BadEntry):
            check_sizes(drivers, sizes)
    with pytest.raises(BadEntry, match=r"Table 1 would have 1 of 3 drivers"):
        even_sizes(3, 3)
    with pytest.raises(BadEntry, match=r"Table 1 would have 1 of 3 drivers"):
        even_sizes(3, 10**18)
    with pytest.raises(BadEntry, match=r"Table 1 would have 0 of 0 drivers"):
        even_sizes(0, 10**18)


@pytest.mark.article("competition", "1-3-3")
def test_team_mates_are_moved_apart_between_equal_seats() -> None:
    """Ranks 1 and 4 are both Nord and would sit at table 1; seat 2 of another table is equal: 4 changes with 5."""
    apart = {"Nord": [1, 4]}
    tables, moves = kept_apart(deal(TEN, (4, 3, 3)), TEN, apart)
    assert tables == ((1, 5, 7, 10), (2, 4, 8), (3, 6, 9))
    assert [(move.one, move.other, move.ranks, move.why, move.organiser) for move in moves] == [
        (4, 5, 1, "Nord", False)
    ]
    assert pairs(tables, apart) == []


@pytest.mark.article("competition", "1-3-3")
@pytest.mark.parametrize("way", ["turn", "snake"])
@pytest.mark.parametrize(("drivers", "teams", "tables"), [(40, 10, 5), (20, 5, 4), (30, 9, 4)])
def test_team_mates_are_moved_apart_where_no_single_swap_parts_them(
    drivers: int, teams: int, tables: int, way: Deal
) -> None:
    """Teams of four, or three and four: one in three such fields has a pair that takes two swaps."""
    for seed in range(20):
        ranking = Random(seed).sample(range(1, drivers + 1), drivers)
        apart = {str(team): [one for one in ranking if one % teams == team] for team in range(teams)}
        found, _ = kept_apart(deal(ranking, even_sizes(drivers, tables), way), ranking, apart, way)
        assert not pairs(found, apart), ranking


@pytest.mark.article("competition", "1-3-3")
def test_what_equal_seats_cannot_solve_is_told_and_left() -> None:
    """Three of a team at two tables: one pair stays. Dealt by level nothing moves."""
    apart = {"Nord": [1, 3, 5]}
    tables, _ = kept_apart(deal(TEN, (5, 5)), TEN, apart)
    assert len(pairs(tables, apart)) == 1
    level, moves = kept_apart(deal(TEN, (5, 5), "level"), TEN, apart, "level")
    assert (level, moves) == (deal(TEN, (5, 5), "level"), ())
    assert [(pair.table, pair.one, pair.other, pair.of) for pair in pairs(level, apart)] == [
        (1, 1, 3, "Nord"), (1, 1, 5, "Nord"), (1, 3, 5, "Nord"),
    ]  # fmt: skip


def test_what_a_swap_costs() -> None:
    apart = {"Nord": [1, 4], "Sud": [2, 7]}
    tables = deal(TEN, (4, 3, 3))
    found = {price.other: (price.ranks, price.parted, price.made) for price in prices(tables, 4, TEN, apart)}
    assert found[5] == (1, 1, 0)  # parts 1 and 4
    assert found[2] == (2, 1, 1)  # parts them, and brings 2 to 7
    assert prices(tables, 4, TEN, apart)[0].other in (3, 5)
    with pytest.raises(BadEntry, match="sits at none"):
        swapped(tables, 4, 99)
    with pytest.raises(BadEntry, match="two drivers"):
        swapped(tables, 4, 4)


@given(st.data())
def test_everybody_has_one_seat_and_moves_never_make_pairs(data: st.DataObject) -> None:
    drivers = data.draw(st.integers(4, 40))
    sizes = even_sizes(drivers, data.draw(st.integers(-(-drivers // 20), drivers // 2)))
    ranking = data.draw(st.permutations(range(1, drivers + 1)))
    teams = data.draw(st.integers(1, drivers))
    apart = {str(team): [d for d in ranking if d % teams == team] for team in range(teams)}
    way = data.draw(st.sampled_from(["turn", "snake", "level"]))
    before = deal(ranking, sizes, way)
    after, moves = kept_apart(before, ranking, apart, way)
    for tables in (before, after):
        assert sorted(driver for table in tables for driver in table) == sorted(ranking)
        assert tuple(map(len, tables)) == sizes
    assert len(pairs(after, apart)) <= len(pairs(before, apart)) - -(-len(moves) // DEEP)
    for move in moves:
        before = swapped(before, move.one, move.other)
    assert before == after
