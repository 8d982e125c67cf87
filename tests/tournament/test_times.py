"""Absolute times: the printed examples, ties, sessions and clocks."""

from __future__ import annotations

import pytest

from companion.rules.conversation.errors import BadEntry
from companion.tournament.times import AbsoluteTime, clock_of, clock_text, counting, ranked, told_apart

EXAMPLES = [
    (18, "1'15\"56", 2, 2, 1, 33),
    (16, "1'59\"56", 2, 1, 1, 29),
    (17, "2'00\"00", 0, 2, 1, 29),
    (18, "4'22\"", 2, 1, 0, 24),
    (18, "4'23\"", 2, 1, 0, 24),
    (17, "7'00", 3, 1, 0, 27),
    (19, "8'16\"", 0, 1, 0, 27),
]
"""Throws, clock, spaces overshot, what one costs, misplacements; and what they come to, as printed."""


@pytest.mark.article("competition", "1-1-10", "1-1-11", "1-1-12", "1-1-13")
@pytest.mark.parametrize(("throws", "clock", "overshot", "factor", "misplaced", "total"), EXAMPLES)
def test_printed_examples(throws: int, clock: str, overshot: int, factor: int, misplaced: int, total: int) -> None:
    time = AbsoluteTime(throws, clock_of(clock), overshot, factor, misplaced)
    time.check()
    assert time.total == total


@pytest.mark.article("competition", "1-3-2", "1-1-14")
def test_who_is_before_whom() -> None:
    times = {
        1: AbsoluteTime(18, clock_of("4:23"), overshot=2),
        2: AbsoluteTime(17, clock_of("7:00"), overshot=3),
        3: AbsoluteTime(19, clock_of("8:16")),
        4: AbsoluteTime(9, clock_of("1:00"), last=True),
        5: AbsoluteTime(19, clock_of("8:16"), at="2026-06-13T09:10:00"),
        6: AbsoluteTime(19, clock_of("8:16"), at="2026-06-13T09:05:00"),
    }
    assert ranked(times) == [1, 2, 3, 6, 5, 4]
    assert [told_apart(times[a], times[b]) for a, b in ((1, 2), (2, 3), (6, 5), (5, 4))] == [
        "throws", "clock", "first", "last",
    ]  # fmt: skip


@pytest.mark.article("competition", "1-0-1")
def test_which_session_counts() -> None:
    one, two = AbsoluteTime(20, 5990, at="1"), AbsoluteTime(18, 5990, misplaced=1, at="2")
    assert counting([], "best") is None
    assert counting([one, two], "best") == one
    assert counting([one, two], "last") == two
    added = counting([one, two], "sum")
    assert added is not None
    assert (added.total, added.clock, added.last, added.at) == (48, 11980, False, "2")
    assert (added.throws, added.overshot, added.misplaced) == (38, 0, 1)


@pytest.mark.article("competition", "1-0-1", "1-1-14", "1-3-2")
def test_a_sum_of_fewer_sessions_is_behind_every_one_of_more() -> None:
    """Nobody gains by a session that he has not driven; who was last in one has driven it."""
    many = {
        1: [AbsoluteTime(15, 5000, at="1")],
        2: [AbsoluteTime(16, 5000, at="2"), AbsoluteTime(16, 5000, at="3")],
        3: [AbsoluteTime(17, 5000, at="4"), AbsoluteTime(0, 0, last=True, at="5")],
        4: [AbsoluteTime(14, 5000, at="6")],
    }
    times = {driver: time for driver, runs in many.items() if (time := counting(runs, "sum", 2)) is not None}
    assert ranked(times) == [2, 3, 4, 1]
    assert [told_apart(times[a], times[b]) for a, b in ((2, 3), (3, 4), (4, 1))] == ["last", "sessions", "throws"]
    best = {driver: time for driver, runs in many.items() if (time := counting(runs, "best", 2)) is not None}
    assert ranked(best) == [4, 1, 2, 3]


@pytest.mark.parametrize("said", ["1:61.00", "1'61", "soon", "1:5:6", "61", ""])
def test_a_clock_that_is_none(said: str) -> None:
    with pytest.raises(BadEntry):
        clock_of(said)


@pytest.mark.parametrize("said", ["1:15.56", "1'15\"56", "1’15”56", "1:15,56"])
def test_clocks_as_people_write_them(said: str) -> None:
    assert clock_of(said) == 7556
    assert clock_text(7556) == "1:15.56"


@pytest.mark.parametrize(
    "time",
    [
        AbsoluteTime(0, 100), AbsoluteTime(-1, 100), AbsoluteTime(10, -1), AbsoluteTime(10, 400000),
        AbsoluteTime(10, 100, factor=0), AbsoluteTime(10, 100, misplaced=-1), AbsoluteTime(10, 100, overshot=1000),
    ],
)  # fmt: skip
def test_a_trial_that_cannot_be(time: AbsoluteTime) -> None:
    with pytest.raises(BadEntry):
        time.check()


@pytest.mark.article("competition", "1-1-12")
def test_a_space_overshot_costs_one_to_nine_throws() -> None:
    AbsoluteTime(5, 100, overshot=1, factor=9).check()
    for factor in (0, 10):
        with pytest.raises(BadEntry, match="costs 1 to 9 throws"):
            AbsoluteTime(5, 100, overshot=1, factor=factor).check()
