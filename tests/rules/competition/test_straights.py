"""Straights: the shortest way, what justifies spaces, zigzag, and every printed example of it.

The spaces of the examples are written as on their grid: the lane and the half space where the space begins.
"""

from __future__ import annotations

from typing import Any

import pytest

from tests.rules.competition.boards import TOW, at
from tests.table import WEAR, Table


def alone(place: str, gear: int, others: str = "", dangers: str = "", track: str = TOW, **car: Any) -> Table:
    """Car 1 on a space of the long straight in a gear, with others and danger spaces around it."""
    cars = [{"car": 1, "at": at(place), "gear": gear, **car}]
    cars += [{"car": 2 + i, "at": at(code), "gear": 1} for i, code in enumerate(others.split())]
    return Table(cars, track=track, to_play=[1], dangers=[at(code) for code in dangers.split()])


def ways(table: Table, space: str) -> list[set[str]]:
    """What the ways to a space without brakes test, way by way."""
    return [
        set(option.facts.get("tests", []))
        for option in table.options
        if (option.answer["space"], option.answer["brakes"], option.answer["soft"]) == (space, 0, 0)
        and "blocked" not in option.facts
    ]


GEAR = {6: 3, 7: 3, 8: 3, 9: 4, 10: 4, 11: 4, 12: 4}
"""A gear whose die shows so many spaces."""


@pytest.mark.article("competition", "7-0-1", "7-2-3", "7-2-4")
@pytest.mark.parametrize(
    ("mover", "roll", "target", "expected"),
    [
        ("L0", 7, "L12", [set()]),  # by L4 and M11
        ("L0", 8, "L12", []),  # by R4 and M11
        ("R0", 9, "R18", [set()]),  # in its lane
        ("R0", 10, "R18", []),
        ("R0", 6, "M11", [set()]),  # by R4
        ("R0", 7, "M11", []),  # by L4
        ("L0", 9, "M15", [set()]),  # around the danger; over it nine would be one too many
        ("L0", 10, "M15", []),
        ("L0", 8, "M15", [{"M13"}]),
        ("M-1", 9, "M15", [set(), {"M13"}]),  # around it by R4 and R12, and over it no sooner
        ("M-1", 10, "M15", []),
    ],
)
def test_example_7_3_2(mover: str, roll: int, target: str, expected: list[set[str]]) -> None:
    drivers = ["L0", "M-1", "R0"]
    drivers.remove(mover)
    table = alone(mover, GEAR[roll], " ".join([*drivers, "L8", "M5", "L16", "M17"]), "M13")
    table.say(GEAR[roll], roll)
    assert ways(table, at(target)) == [{at(code) for code in way} for way in expected]


@pytest.mark.article("competition", "7-2-6", "7-2-3")
def test_example_7_3_3() -> None:
    """Out of Casino 2 onto R0 of a straight that begins with L2, M1 and R0, a car on L4."""

    def out_of_the_corner(*others: str) -> Table:
        cars = [{"car": 1, "at": "5:right:2", "gear": 2, "stops": 1}]
        return Table([*cars, *({"car": 2 + i, "at": x, "gear": 1} for i, x in enumerate(others))], to_play=[1])

    table = out_of_the_corner("6:left:2")
    table.say(2, 3)
    assert "6:left:1" in table.spaces(), "R0, M1, L2: two lanes over, as the straight begins"
    table = out_of_the_corner()
    table.say(3, 4)
    assert "6:left:2" in table.spaces(), "and on"
    table = out_of_the_corner("6:left:2")
    table.say(3, 5)
    assert "6:left:3" in table.spaces(), "R0, M1, M3, M5, L6"
    table = out_of_the_corner("6:left:2")
    table.say(3, 6)
    assert "6:left:3" not in table.spaces(), "R0, M1, L2, M3, M5, L6 is longer for nothing"


@pytest.mark.article("competition", "7-2-3", "7-2-4", "17-1")
@pytest.mark.parametrize(("roll", "over"), [(6, "L6"), (7, "M7"), (8, "R6")])
def test_example_7_3_5(roll: int, over: str) -> None:
    table = alone("L0", 3, dangers="L6 M7 R6")
    table.say(3, roll)
    assert ways(table, at("L12")) == [{at(over)}]


@pytest.mark.article("competition", "7-2-3", "17-1")
def test_example_7_3_6() -> None:
    dangers = "L6 M7 R6 L10 M11 R12"
    table = alone("L0", 4, dangers=dangers)
    table.say(4, 12)
    assert ways(table, at("R18")) == [{at("R6"), at("L10")}]
    table = alone("L0", 4, dangers=dangers)
    table.say(4, 11)
    eleven = ways(table, at("R18"))
    assert {at("R6"), at("M11")} in eleven
    assert {at("M7"), at("L10")} in eleven


@pytest.mark.article("competition", "7-2-4", "7-2-5")
def test_three_lanes_and_no_way_back() -> None:
    """From the middle lane: one lane over and then straight on, never out and back."""
    table = alone("M-1", 3)
    table.say(3, 4)
    assert table.spaces() == {at("M7"), at("L6"), at("R6")}
    table = alone("L0", 3)
    table.say(3, 4)
    assert table.spaces() == {at("L8"), at("M7"), at("R6")}, "two lanes over, one way"


@pytest.mark.article("competition", "7-2-4")
def test_four_lanes_and_three_changes_one_way() -> None:
    """Ruling 19: no limit but the shortest way. The lanes of Copper Basin's back straight begin at 0, 1, 2 and 3."""
    table = Table([{"car": 1, "at": "4:left:2", "gear": 2}], track="copper-basin", to_play=[1])
    table.say(2, 3)
    assert table.spaces() == {"4:left:5", "4:inner-left:4", "4:inner-right:3", "4:right:2"}


@pytest.mark.article("competition", "7-2-1")
def test_the_straight_goes_on_across_the_line() -> None:
    """Ruling 20: out before the line and back after it is a zigzag too."""
    table = Table([{"car": 1, "at": "20:middle:15", "gear": 3}], to_play=[1])
    table.say(3, 4)  # middle 16, 17, then 0:middle:1 and 2
    assert table.spaces() == {"0:middle:2", "0:left:1", "0:right:1"}


@pytest.mark.article("competition", "7-2-2")
def test_a_straight_asks_for_no_stop() -> None:
    table = Table([{"car": 1, "at": "1:right:3", "gear": 3, "stops": 1}], to_play=[1])
    table.say(3, 8)
    table.land("2:right:8")
    assert table.car(1).stops == 0, "those of the corner are behind it"
    assert "stop" not in table.kinds()


@pytest.mark.article("competition", "7-2-6")
def test_a_zigzag_across_the_end_of_a_corner() -> None:
    """Left by an arrow of the corner, right again on the straight: each by its own code. On the straight alone not."""
    for roll in (2, 3):
        table = Table([{"car": 1, "at": "3:middle:7", "gear": 2, "stops": 1}], to_play=[1])
        table.say(2, roll)  # 3:middle:8, 4:middle:1; or 3:left:5, 4:left:1, 4:middle:1
        assert "4:middle:1" in table.spaces()
    table = alone("M-1", 2)
    table.say(2, 3)
    assert at("M1") not in table.spaces()
    assert at("M3") not in table.spaces()


@pytest.mark.article("competition", "7-0-1", "7-2-4")
def test_a_car_is_gone_round_and_never_jumped() -> None:
    table = alone("M-1", 3, "M3")
    table.say(3, 4)
    assert table.spaces() == {at("L6"), at("R6"), at("M5")}, "M1, L2, L4, M5: a space more, for the car"
    table = alone("M-1", 3)
    table.say(3, 4)
    assert at("M5") not in table.spaces()


@pytest.mark.article("competition", "7-2-3", "17-1")
def test_a_danger_is_avoided_or_crossed_as_the_driver_likes() -> None:
    """Ruling 17: both ways to one space are offered, told apart by what they cross."""
    table = alone("L0", 3, dangers="L4 M5")
    table.say(3, 5)  # M9: over L4 or over M5
    found = [option.answer["over"] for option in table.options if option.answer["space"] == at("M9")]
    assert sorted(way for way in found if len(way) < 2) == [[at("L4")], [at("M5")]]
    table.say({"space": at("M9"), "brakes": 0, "soft": 0, "over": [at("M5")]})
    assert table.open == ("test", 1, "handling")
    table.say(20)
    assert table.ruling("handling").facts["at"] == at("M5")


@pytest.mark.article("competition", "7-2-3", "17-1")
def test_a_landing_that_is_held_after_another_roll_keeps_the_tests_of_its_way() -> None:
    """As long as it names one way; else, or where it was the answer to something else, it is a space and no more."""
    table = alone("L0", 3, dangers="L4 M5")
    table.say(3, 4)
    question = table.talk.question
    assert question is not None
    said = {"space": at("M9"), "brakes": 0, "soft": 0}
    ids = table.rulebook.track.ids
    for over in ("L4", "M5"):
        held = question.reread({**said, "over": [at(over)]}, "spaces_5")
        assert held.tests == (ids[at(over)],)
    for answer, what in ((said, "spaces_5"), ({**said, "over": ["none"]}, "spaces_5"), (said, "kers_1")):
        assert question.reread(answer, what).tests == ()


@pytest.mark.article("competition", "7-2-3", "10-0-1", "11-0-3", "12-0-1")
@pytest.mark.parametrize(
    ("place", "face", "others", "more"),
    [
        ("M8", 12, "M14 R10", {"wear": {**WEAR, "tyres": 4}}),
        ("L10", 11, "L16 M19 R20", {"wear": {**WEAR, "tyres": 3, "brakes": 2}}),
        ("M2", 9, "L8 M9", {"tyres": "soft"}),
        ("R12", 12, "", {"wear": {**WEAR, "tyres": 2}, "tyres": "soft"}),
        ("L12", 9, "L20 M21 R20 L18 M19 R18", {}),
    ],
)
def test_the_cheapest_stop_is_offered_first(place: str, face: int, others: str, more: dict[str, Any]) -> None:
    """Those that put the car out last, then those that spin it; of one price the fewest tests, the furthest, the first
    space. The best way to each stop comes before all other ways."""
    cars = [{"car": 1, "at": at(place), "gear": 4, **more}]
    cars += [{"car": n, "at": at(code), "gear": 1} for n, code in enumerate(others.split(), 2)]
    dangers = [at("L14"), at("M11"), at("R14"), at("M17"), at("R18")]
    table = Table(cars, TOW, to_play=[1], dangers=[one for one in dangers if one not in [car["at"] for car in cars]])
    table.say(4, face)
    first: dict[tuple[Any, ...], tuple[int, ...]] = {}
    rest: list[tuple[int, ...]] = []
    for option in table.options:
        facts, ids = option.facts, table.rulebook.track.ids
        stop = (option.answer["space"], option.answer["brakes"], option.answer["soft"])
        level = 2 if "out" in facts else int("spin" in facts)
        dear = -sum(option.wear.values())
        rank = (level, dear, len(facts.get("tests", [])), -facts["moved"], ids[stop[0]])
        if stop in first:
            rest.append(rank)
            assert first[stop] <= rank
        else:
            assert not rest
            first[stop] = rank
    assert list(first.values()) == sorted(first.values())
    assert rest == sorted(rest)
