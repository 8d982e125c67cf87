"""A turn step by step: articles 0-0-3, 6-1, 6-2 and 6-3."""

from __future__ import annotations

from typing import Any

import pytest

from companion.rules.conversation.errors import NothingToDo
from companion.rules.conversation.faces import FACES
from tests.rules.competition.boards import board, corner, straight
from tests.table import WEAR, Table


def asked(table: Table, *answers: Any) -> list[str]:
    """Gives the answers in turn; what was asked, with the car where it is not car 1 and the kind of test."""
    found = []
    for answer in answers:
        assert table.open is not None
        ask, car, what = table.open
        found.append(ask + (f" {what}" if ask == "test" else "") + (f" of {car}" if car != 1 else ""))
        if isinstance(answer, tuple):
            space, *rest = answer
            table.land(space, **dict(zip(("brakes", "soft"), rest, strict=False)))
        else:
            table.say(answer)
    return found


def ruled(table: Table, since: int = 0) -> list[str]:
    return [r.kind for r in table.rulings[since:] if r.kind not in ("reminder", "round")]


def dry_turn() -> Table:
    """Flat out in the dry on soft tyres: 20 in 5th, soft space, slipstream over a danger, beside a car in 5th."""
    return Table(
        [
            {"car": 1, "at": "10:left:1", "gear": 5, "tyres": "soft"},
            {"car": 2, "at": "10:left:23", "gear": 4},
            {"car": 3, "at": "10:right:26", "gear": 5},
        ],
        to_play=[1, 2],
        dangers=["10:middle:24"],
        sky="sun",
    )


@pytest.mark.article(
    "competition",
    "0-0-3", "6-2-1", "6-3", "6-3.1", "6-3.2", "6-3.4", "6-3.5", "6-3.7", "6-3.8", "6-3.10", "6-3.14", "6-3.15",
)  # fmt: skip
def test_a_turn_in_the_dry() -> None:
    """From left 1 the 20 and the soft space lead to left 22, behind car 2; the slipstream over the danger on middle 24
    to middle 25, beside car 3 (right 26) only. Cars 3 (at 184) and 1 (at 183) are in 5th, car 2 is in 4th."""
    table = dry_turn()
    assert asked(table, 5, 20, ("10:left:22", 0, 1), ("10:middle:25",), 20, 20, 20, 20, 20) == [
        "gear",
        "roll",
        "landing",
        "slipstream",
        "test handling",
        "test collision of 3",
        "test collision",
        "test engine of 3",
        "test engine",
    ]
    assert ruled(table) == [
        "gear",
        "flat_out",
        "move",
        "soft",
        "slipstream",
        "move",
        "handling",
        "collision",
        "collision",
        "engine",
        "engine",
    ]
    assert table.open == ("gear", 2, "")
    car = table.car(1)
    assert (car.at, car.gear, car.wear) == ("10:middle:25", 5, WEAR)


@pytest.mark.article("competition", "6-3.7", "6-3.8")
def test_the_soft_space_can_also_be_kept_for_after_the_slipstream_but_not_taken_twice() -> None:
    """One space short of car 2 without the soft space; then the slipstream with it: four spaces in all."""
    table = Table(
        [
            {"car": 1, "at": "10:left:1", "gear": 5, "tyres": "soft"},
            {"car": 2, "at": "10:left:22", "gear": 4},
        ],
        to_play=[1, 2],
    )
    table.say(5, 20)
    table.land("10:left:21")
    assert table.open == ("slipstream", 1, "tow_1")
    assert "10:middle:24" in table.spaces()
    assert "10:middle:25" in table.spaces(soft=1)
    table = dry_turn()
    table.say(5, 20)
    table.land("10:left:22", soft=1)
    assert table.spaces(soft=1) == set()


@pytest.mark.article(
    "competition",
    "0-0-3", "6-2-1", "6-3", "6-3.1", "6-3.2", "6-3.3", "6-3.4", "6-3.5", "6-3.6", "6-3.8", "6-3.10",
)  # fmt: skip
def test_a_turn_in_the_wet() -> None:
    """6th to 4th; 7 from left 22 lead into the Chicane (left 1), a space of slide to left 2, behind car 2; the
    slipstream goes by the arrows over middle 4 and the danger on middle 5 to middle 6, without another slide."""
    table = Table(
        [
            {"car": 1, "at": "10:left:22", "gear": 6, "tyres": "rain"},
            {"car": 2, "at": "11:left:3", "gear": 4},
        ],
        to_play=[1, 2],
        dangers=["11:middle:5"],
        sky="rain",
    )
    assert asked(table, 4, 7, ("11:left:2",), ("11:middle:6",), 20) == [
        "gear",
        "roll",
        "landing",
        "slipstream",
        "test handling",
    ]
    assert ruled(table)[:7] == ["gear_down", "move", "slide", "slipstream", "move", "handling", "stop"]
    first, towed = (one.facts for one in table.rulings if one.kind == "move")
    assert first == {"begin": "10:left:22", "at": "11:left:2", "moved": 8, "rolled": 7, "slid": 1}
    assert "rolled" not in towed, "the die has brought the first of them only"
    car = table.car(1)
    assert (car.at, car.stops, car.wear) == ("11:middle:6", 1, {**WEAR, "gearbox": 2})
    assert table.ruling("stop").facts == {"corner": 6, "stops": 1, "of": 1}


@pytest.mark.article("competition", "0-0-3", "6-3", "6-3.4", "6-3.5", "6-3.9", "6-3.10", "6-3.11", "6-3.14")
def test_a_turn_that_is_blocked() -> None:
    """Cars on left, middle and right 6 close the straight: 9 in 4th, 4 free, 2 brakes at will, so blocked by 3. The
    stop on left 5 lies on a danger; car 2 is ahead of it, car 3 beside it, car 4 is not."""
    table = Table(
        [
            {"car": 1, "at": "10:left:1", "gear": 4, "wear": {**WEAR, "brakes": 6}},
            {"car": 2, "at": "10:left:6", "gear": 1},
            {"car": 3, "at": "10:middle:6", "gear": 1},
            {"car": 4, "at": "10:right:6", "gear": 1},
        ],
        to_play=[1, 4],
        dangers=["10:left:5"],
    )
    assert asked(table, 4, 9, ("10:left:5", 2), 20, 20, 20, 20, 20) == [
        "gear",
        "roll",
        "landing",
        "test handling",
        "test collision of 2",
        "test collision of 3",
        "test collision",
        "test collision",
    ]
    assert ruled(table) == ["gear", "move", "brake", "handling", "blocked", *4 * ["collision"]]
    assert table.car(1).wear == {**WEAR, "brakes": 1}


PITS = board(
    "Pits",
    straight(9, 9, 8, (1, 0, 1)),
    corner("First"),
    straight(14, 13, 13),
    pit="""
[pit]
entries = [["2:left:1", 1]]
spaces  = 8
boxes   = [3, 7]
exits   = [[8, "0:left:3"]]
""",
)
"""The second box lies right before the exit of the lane."""


@pytest.mark.article("competition", "0-0-3", "6-3", "6-3.12", "6-3.13", "6-3.14", "6-3.8", "8-2-3", "19-3-6")
def test_a_turn_with_a_quick_stop() -> None:
    """From lane space 5 to the box before space 7; out by 5 (half of 10): 7, 8, left 3, 4 and 5, behind car 2 in 4th.
    There may be a slipstream, but never the soft space."""
    table = Table(
        [
            {"car": 1, "at": "pit:5", "gear": 3, "box": 2},
            {"car": 2, "at": "0:left:6", "gear": 4, "box": 1},
        ],
        track=PITS,
        to_play=[1, 2],
    )
    assert asked(table, 3, 5, ("box:2",), "soft", "quick", 10, ("0:left:5",)) == [
        "gear",
        "roll",
        "landing",
        "tyres",
        "stop",
        "test quick_stop",
        "landing",
    ]
    assert table.open == ("slipstream", 1, "tow_1")
    assert table.spaces(soft=1) == set()
    assert asked(table, None, 20, 20) == ["slipstream", "test collision of 2", "test collision"]
    assert ruled(table) == ["gear", "move", "box", "tyres", "quick_stop", "move", "lap", *2 * ["collision"]]


@pytest.mark.article("competition", "6-3", "6-3.12", "6-3.13")
def test_a_turn_with_a_long_stop() -> None:
    table = Table(
        [
            {"car": 1, "at": "pit:4", "gear": 3, "box": 2, "wear": {**WEAR, "brakes": 1}, "built": WEAR, "stand": 2},
            {"car": 2, "at": "0:left:6", "gear": 4, "box": 1},
        ],
        track=PITS,
        to_play=[1, 2],
    )
    assert asked(table, 3, 5, ("box:2",), "hard", "long", {"brakes": 2}) == [
        "gear",
        "roll",
        "landing",
        "tyres",
        "stop",
        "repair",
    ]
    assert ruled(table) == ["gear", "move", "box", "tyres", "stops", "repair"]
    assert table.open == ("gear", 2, "")


@pytest.mark.article("competition", "6-3.15", "6-3.14")
def test_engines_are_tested_after_the_cars_whatever_becomes_of_the_mover() -> None:
    """Car 1 is out by body in its collision test; the engine tests that its 20 calls for are made all the same."""
    table = dry_turn()
    table.car(1).wear["body"] = 1
    table.say(5, 20)
    table.land("10:left:22", soft=1)
    table.land("10:middle:25")
    table.say(20, 20, 1)
    assert table.car(1).status == "wreck"
    assert table.open == ("test", 3, "engine")


@pytest.mark.article("competition", "6-2-6", "6-3.4", "6-2-1")
@pytest.mark.parametrize(
    ("gear", "low", "high"), [(1, 1, 2), (2, 2, 4), (3, 4, 8), (4, 7, 12), (5, 11, 20), (6, 21, 30)]
)
def test_the_die_is_that_of_the_gear(gear: int, low: int, high: int) -> None:
    table = Table([{"car": 1, "at": "10:left:1", "gear": gear}], to_play=[1])
    table.say(gear)
    question = table.talk.question
    assert question is not None
    assert table.open == ("roll", 1, f"gear_{gear}")
    assert list(question.faces or ()) == list(range(low, high + 1)) == list(FACES[gear])
    for face in (low - 1, high + 1, True, float(low), str(low), None, [low]):
        table.refuses(face)
    table.say(high)
    assert table.ask == "landing"
    assert all(option.facts["moved"] == high - option.answer["brakes"] for option in table.options)


@pytest.mark.article("competition", "6-3.1", "6-3.2", "6-3.3", "6-1-1", "6-1-2")
def test_the_stick_is_set_and_paid_before_the_die_is_rolled() -> None:
    table = Table([{"car": 1, "at": "10:left:1", "gear": 6}], to_play=[1])
    assert table.open == ("gear", 1, "")
    assert [option.answer for option in table.options] == [2, 3, 4, 5, 6]
    for nonsense in (1, 0, 7, True, "4", None, 4.0):
        table.refuses(nonsense, "This question allows 2, 3, 4, 5, 6")
    table.say(3)
    assert table.ask == "roll"
    assert table.car(1).gear == 3
    assert table.car(1).wear == {**WEAR, "gearbox": 2, "brakes": 2}


@pytest.mark.article("competition", "6-3-3")
def test_points_of_a_gear_down_that_did_not_happen_come_back() -> None:
    """The stick shows 4th, not 2nd: the announcement is taken back and with it what it cost."""
    table = Table([{"car": 1, "at": "10:left:1", "gear": 6}], to_play=[1])
    table.say(2)
    assert table.car(1).wear == {**WEAR, "gearbox": 2, "brakes": 2, "engine": 2}
    assert table.race.dangers == ["10:left:1"]
    table.talk.rewind(table.talk.n - 1)
    assert table.car(1).wear == WEAR
    assert table.race.dangers == []
    table.say(4)
    assert table.car(1).wear == {**WEAR, "gearbox": 2}
    digest, given = table.talk.digest, table.talk.n
    for nowhere in (-1, given + 1):
        with pytest.raises(NothingToDo, match=f"no answer with the number {nowhere}; given so far: {given}"):
            table.talk.rewind(nowhere)
    table.talk.rewind(given)  # nothing has been answered since
    assert (table.talk.digest, table.talk.n) == (digest, given)


@pytest.mark.article("competition", "6-2-1", "6-3.5", "6-3.6", "6-3.7", "6-3.8", "6-3.9")
def test_a_turn_on_a_corner_sheet_is_what_the_table_saw() -> None:
    """The same steps, but the table counts: soft space and brake, and a slipstream behind the car seen ahead."""
    table = Table(
        [{"car": 1, "at": "after:1", "gear": 4, "tyres": "soft"}, {"car": 2, "at": "after:1", "gear": 4}],
        track="spa",
        to_play=[1, 2],
    )
    table.say(4, 12)
    assert table.open == ("saw", 1, "spaces_12")
    table.say({"in": "after corner 1", "soft": 1, "ahead": 2})
    assert table.open == ("slipstream", 1, "tow_1")
    table.say(True)
    assert table.open == ("saw", 1, "spaces_3")
    table.say({"in": "corner 2", "brakes": 1})
    assert [kind for kind in ruled(table) if kind != "stop"] == [
        "gear", "move", "soft", "slipstream", "move", "brake", "slipstream"
    ]  # fmt: skip
    assert table.car(1).stops == 1
    table = Table([{"car": 1, "at": "after:1", "gear": 4, "tyres": "rain"}], track="spa", to_play=[1], sky="rain")
    table.say(4, 7)
    table.say({"in": "corner 2"})
    assert ruled(table)[:3] == ["gear", "move", "slide"]
