"""The two boards of example 18-5, move by move."""

from __future__ import annotations

from typing import Any

import pytest

from tests.rules.competition.boards import TOW, at
from tests.table import WEAR, Table


def example(car: dict[str, Any], others: str, shift: int = 0, **setup: Any) -> Table:
    """Car 1 as given, and cars 2, 3, ... in 4th on these spaces."""
    cars = [{"car": 1, **car, "at": at(car["at"], shift)}]
    cars += [{"car": 2 + i, "at": at(code, shift), "gear": 4} for i, code in enumerate(others.split())]
    return Table(cars, track=TOW, to_play=[1], **setup)


FIRST = "L8 M9 R14 M19 M25 R24"


@pytest.mark.article("competition", "18-0-2", "18-0-3", "18-1-3", "18-1-4", "18-2-3", "18-3-1")
def test_three_slipstreams_the_soft_space_and_the_brake_at_the_corner() -> None:
    table = example({"at": "L0", "gear": 4, "tyres": "soft"}, FIRST, dangers=[at("M15")])
    table.say(4, 7)
    table.land(at("R12"))
    assert table.open == ("slipstream", 1, "tow_1")
    assert table.option(space=at("L16"), soft=0, over=[]).facts == {"moved": 3}
    table.land(at("M17"), soft=1)  # L16, then the soft space
    assert table.ruling("soft").article == "8-2-1"
    assert table.open == ("slipstream", 1, "tow_2")
    into = table.option(space=at("R22"), brakes=0)
    assert into.wear == {"brakes": -1}
    assert into.facts == {"moved": 3, "corner": 2, "stops": 1, "of": 1}
    table.land(at("R22"))
    assert table.car(1).wear["brakes"] == 2
    assert table.open == ("slipstream", 1, "tow_3")
    inside = table.option(space="3:left:2", brakes=0)  # M23, L24, L26
    assert inside.wear == {}
    table.land("3:left:2")
    assert table.car(1).wear == {**WEAR, "brakes": 2}
    assert [ruling.facts["spaces"] for ruling in table.rulings if ruling.kind == "slipstream" and not ruling.wear] == [
        4,
        3,
        3,
    ]


@pytest.mark.article("competition", "18-1-4", "18-1-5", "8-3-2")
def test_in_the_wet_the_slide_goes_before_the_slipstream() -> None:
    """14 in 5th: R22 around the danger, then a space of slide; the slipstream from there does not slide again."""
    table = example({"at": "L0", "gear": 5, "tyres": "rain"}, FIRST, dangers=[at("M15")], sky="rain", surface="wet")
    table.say(5, 14)
    around = table.option(space=at("M23"), brakes=0, over=[])
    assert around.facts == {"moved": 15, "slid": 1, "corner": 2, "stops": 1, "of": 1}
    assert at("R22") not in table.spaces(), "the slide is not left out"
    table.land(at("M23"))
    assert table.open == ("slipstream", 1, "tow_1")
    assert {(option.answer["space"], option.facts["moved"]) for option in table.options if option.answer} == {
        ("3:left:3", 3),  # L24, L26, L28: by the arrows, the middle being taken
        ("3:left:2", 2),
        ("3:left:1", 1),
    }
    assert table.option(space="3:left:3").wear == {}, "begun inside the corner: no brake, and no second slide"


@pytest.mark.article("competition", "18-1-4", "8-3-2")
def test_in_the_wet_a_slipstream_into_the_corner_slides_once() -> None:
    """11 in 5th: M17; the slipstream reaches R22 for a brake and slides to M23; the second one does not slide."""
    table = example({"at": "L0", "gear": 5, "tyres": "rain"}, FIRST, dangers=[at("M15")], sky="rain", surface="wet")
    table.say(5, 11)
    table.land(at("M17"))
    into = table.option(space=at("M23"), brakes=0)
    assert into.wear == {"brakes": -1}
    assert into.facts == {"moved": 4, "slid": 1, "corner": 2, "stops": 1, "of": 1}
    table.land(at("M23"))
    assert table.open == ("slipstream", 1, "tow_2")
    assert table.option(space="3:left:3").facts["moved"] == 3
    table.land("3:left:3")
    assert [ruling.facts["spaces"] for ruling in table.rulings if ruling.kind == "slide"] == [1]
    assert table.car(1).wear == {**WEAR, "brakes": 2}


# -- the second board: the corner begins at M7, which is M23 above

SECOND = 16


@pytest.mark.article("competition", "18-1-2", "18-1-6")
def test_a_slipstream_cut_short_by_a_brake_is_the_last() -> None:
    table = example({"at": "M-17", "gear": 4}, "L2 M-1", SECOND)
    table.say(4, 7)
    table.land(at("M-3", SECOND))
    short = table.option(space=at("L0", SECOND), brakes=1)
    assert short.wear == {"brakes": -1}
    table.land(at("L0", SECOND), brakes=1)
    assert table.ask != "slipstream", "right behind the car on L2, but it braked"


@pytest.mark.article("competition", "18-1-4", "18-3-1", "18-3-2")
def test_the_soft_space_after_a_slipstream_into_the_corner_owes_the_brake() -> None:
    table = example({"at": "L-14", "gear": 4, "tyres": "soft"}, "L2 M-1", SECOND)
    table.say(4, 7)
    table.land(at("L0", SECOND))
    assert table.option(space=at("M5", SECOND), soft=0).wear == {}
    assert table.option(space=at("M7", SECOND), soft=1).wear == {"brakes": -1}
    table.land(at("M7", SECOND), soft=1)
    assert table.car(1).wear["brakes"] == 2


@pytest.mark.article("competition", "18-2-2", "18-3-2")
def test_the_soft_space_alone_owes_no_brake() -> None:
    table = example({"at": "M-9", "gear": 4, "tyres": "soft"}, "L2", SECOND)
    table.say(4, 7)
    assert table.option(space=at("M7", SECOND), soft=1).wear == {}
    table.land(at("M7", SECOND), soft=1)
    assert table.car(1).wear == WEAR


@pytest.mark.article("competition", "18-2-2")
def test_a_slipstream_out_of_the_corner_into_a_car() -> None:
    """One space inside, one beyond, then a car: the third space is paid by the table, and there is no more tow."""
    cars = [
        {"car": 1, "at": at("R12"), "gear": 4},
        {"car": 2, "at": "3:middle:5", "gear": 4},
        {"car": 3, "at": "4:left:2", "gear": 4},
    ]
    table = Table(cars, track=TOW, to_play=[1])
    table.say(4, 9)  # M13, M15 to M23, and on in the middle lane
    table.land("3:middle:4")
    tow = table.option(space="4:left:1", brakes=0)
    assert tow.wear == {"brakes": -1, "tyres": -1}
    assert tow.facts == {"moved": 2, "overshot": 1, "blocked": 1}
    table.land("4:left:1")
    assert table.ask != "slipstream"
    assert table.car(1).wear == {**WEAR, "brakes": 2, "tyres": 5}
