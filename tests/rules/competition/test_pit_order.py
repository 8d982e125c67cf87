"""The order of play around the pits: article 19-5 and its example with nine cars."""

from __future__ import annotations

from typing import Any

import pytest

from tests.rules.competition.boards import TOW
from tests.table import Table

EXAMPLE: dict[str, dict[str, Any]] = {
    "A": {"at": "20:right:12", "gear": 4},  # on the track, beside the lane
    "B": {"at": "20:middle:6", "gear": 3},
    "C": {"at": "20:left:1", "gear": 2},  # past the limit, and further back than all of the lane
    "D": {"at": "pit:12", "gear": 4},  # in the lane, level with A
    "E": {"at": "box:7", "gear": 0, "box": 7},
    "F": {"at": "pit:8", "gear": 2},
    "G": {"at": "pit:6", "gear": 2},  # in the lane, level with H in its box
    "H": {"at": "box:3", "gear": 0, "box": 3},
    "I": {"at": "20:right:2", "gear": 5},  # level with C, in a higher gear, but it may still enter
}


def table(*names: str, **changes: dict[str, Any]) -> Table:
    """Cars of the example, in the reverse order, so that none is first by being named first."""
    cars = [
        {"car": ord(name) - 64, "tyre_laps": 1, **EXAMPLE[name], **changes.get(name, {})} for name in reversed(names)
    ]
    return Table(cars, to_play=[ord(name) - 64 for name in names])


def order(of: Table) -> str:
    return "".join(chr(number + 64) for number in of.rulebook.running_order())


@pytest.mark.article(
    "competition",
    "6-2-4", "19-5-1", "19-5-2", "19-5-2.1", "19-5-2.2", "19-5-2.3", "19-5-4", "19-5-5",
)  # fmt: skip
def test_the_example_of_nine_cars() -> None:
    nine = table(*"ABCDEFGHI")
    assert order(nine) == "ABCDEFGHI"
    asked: list[int] = []
    while len(asked) < 9:
        question = nine.talk.question
        assert question is not None
        if question.ask in ("gear",) and question.car not in asked:
            asked.append(question.car or 0)
        if question.ask == "roll":
            nine.say(min(question.faces or ()))
        elif question.faces is not None:
            nine.say(20)
        else:
            nine.say(question.options()[0].answer)
    assert "".join(chr(number + 64) for number in asked) == "ABCDEFGHI"


@pytest.mark.article("competition", "19-5-2.1", "19-5-4")
def test_the_first_by_this_order_leads_the_round() -> None:
    two = table("C", "D")  # D is further along than C, and plays after it
    assert two.open == ("gear", 3, "")


@pytest.mark.article("competition", "19-5-2.2", "19-5-2")
def test_the_lane_before_the_box_when_level() -> None:
    assert order(table("G", "H")) == "GH"
    assert order(table("G", "H", H={"gear": 5})) == "GH"
    assert order(table("G", "H", G={"at": "pit:5"})) == "HG"
    assert order(table("E", "F")) == "EF"
    assert order(table("E", "H", "D", D={"at": "pit:5"}, H={"at": "box:2"})) == "EDH"


@pytest.mark.article("competition", "19-5-2.3", "19-5-5", "19-5-1")
def test_whoever_can_still_enter_plays_last() -> None:
    assert order(table("C", "I")) == "CI"
    # The limit is stepped: 20:right:2, 20:middle:1 and 19:left:6 are the last spaces before it.
    for at in ("20:right:2", "20:middle:1", "19:left:6"):
        assert order(table("G", "I", G={"at": "pit:1"}, I={"at": at})) == "GI"
    for at in ("20:right:3", "20:middle:2", "20:left:1"):
        assert order(table("G", "I", G={"at": "pit:1"}, I={"at": at})) == "IG"


@pytest.mark.article("competition", "6-2-4", "19-5-1", "19-5-2.3", "19-5-5")
def test_before_the_limit_they_play_as_they_stand_whatever_the_gear() -> None:
    """On Copper Basin the limit has two steps: 8:left:3 is not past it though half a space beyond its first space;
    8:inner-left:2 begins with that, 8:left:2 half a space behind."""
    places = ("pit:1", "8:left:3", "8:inner-left:2", "8:left:2")
    cars = [{"car": n, "at": at, "gear": n, "box": n, "tyre_laps": 1} for n, at in enumerate(places, 1)]
    assert Table([*reversed(cars)], track="copper-basin", to_play=[1]).rulebook.running_order() == [1, 2, 3, 4]


@pytest.mark.article("competition", "6-2-4", "19-5-2.3")
def test_the_limit_that_lies_a_lap_behind_changes_nothing() -> None:
    """Car 1 has crossed the line for the first time, car 2 not yet; the limit lies behind both."""
    cars = [{"car": 2, "at": "20:left:13", "gear": 2, "lap": 0}, {"car": 1, "at": "3:left:1", "gear": 2, "lap": 1}]
    assert Table(cars, to_play=[2]).rulebook.running_order() == [1, 2]


@pytest.mark.article("competition", "6-2-4", "6-2-2")
@pytest.mark.parametrize(
    ("track", "ahead", "behind"), [(TOW, "2:left:5", "2:left:4"), ("monza", "after:2", "corner:2")]
)
def test_where_no_pits_are_known_the_plain_order_holds(track: str, ahead: str, behind: str) -> None:
    cars = [{"car": 2, "at": behind, "gear": 2}, {"car": 1, "at": ahead, "gear": 2}]
    assert Table(cars, track=track, to_play=[1]).rulebook.running_order() == [1, 2]


@pytest.mark.article("competition", "19-1-7", "19-5-2.3")
@pytest.mark.parametrize("lap", [0, 3])
def test_where_the_lane_is_closed_the_plain_order_holds(lap: int) -> None:
    # Level: C in 2nd, I in 5th. The lane is closed to both, so the higher gear plays first.
    closed: dict[str, Any] = {"lap": lap, "tyre_laps": 0}
    assert order(table("C", "I", C=closed, I=closed)) == "IC"
    # In its last lap it is ahead of whoever is in the lane from before.
    assert not lap or order(table("G", "I", G={"at": "pit:1", "lap": lap - 1}, I=closed)) == "IG"


@pytest.mark.article("competition", "19-5-3")
def test_cars_a_and_d_do_not_test_their_bodies() -> None:
    two = table("A", "D", A={"at": "20:right:8"})
    two.say(4, 7)
    two.land("20:right:15")  # beside pit:9 and level with it
    assert "collision" not in two.kinds()
    assert two.open == ("gear", 4, "")
