"""The wall of an oval: article 15, on the back straight of Copper Basin, whose wall runs along the right lane."""

from __future__ import annotations

from typing import Any

import pytest

from companion.circuits import find, load
from tests.table import WEAR, Table

LANES = {1: ("right", 3), 2: ("inner-right", 2), 3: ("inner-left", 1), 4: ("left", 0)}


def at(lane: int, half: int) -> str:
    """A space of the straight by its lane, counted from the wall, and the half space where it begins."""
    name, begin = LANES[lane]
    return f"4:{name}:{(half - begin) // 2 + 1}"


def alone(place: str, gear: int = 2, track: str = "copper-basin", **setup: Any) -> Table:
    return Table([{"car": 1, "gear": gear, "at": place}], track=track, to_play=[1], **setup)


def enter(table: Table, entry: str, end: str) -> None:
    """Stops on `end`, having entered the lane along the wall on `entry`."""
    (found,) = [
        option.answer
        for option in table.options
        if (option.answer["space"], option.answer["brakes"]) == (end, 0) and option.facts["tests"] == [f"wall:{entry}"]
    ]
    table.say(found)


@pytest.mark.article("competition", "15-0-1", "15-0-2", "15-0-3")
@pytest.mark.parametrize(("surface", "to"), [("dry", 1), ("wet", 2)])
def test_entering_the_lane_is_tested_and_the_move_goes_on(surface: str, to: int) -> None:
    table = alone(at(2, 12), 3, sky="changeable", surface=surface)
    table.say(3, 4)
    enter(table, at(1, 13), at(1, 19))
    assert table.open == ("test", 1, "wall")
    assert table.talk.question is not None
    assert table.talk.question.fields == {"loses_to": to}
    table.say(to)
    car = table.car(1)
    assert car.wear == {**WEAR, "body": 2}
    assert car.at == at(1, 19), "the move goes on to its end"
    assert table.race.dangers == [at(1, 13)], "the marker lies where the wall was hit"
    assert table.ruling("hit").article == "15-0-2"


@pytest.mark.article("competition", "15-0-2")
def test_the_wall_spared() -> None:
    table = alone(at(2, 12), 3)
    table.say(3, 4)
    enter(table, at(1, 13), at(1, 19))
    table.say(2)
    assert table.car(1).wear == WEAR
    assert table.race.dangers == []
    assert table.ruling("wall").facts["to"] == 1


@pytest.mark.article("competition", "15-0-4")
def test_staying_in_the_lane_is_not_tested_coming_back_is() -> None:
    table = alone(at(1, 13))
    table.say(2, 2)
    assert table.option(space=at(1, 17), brakes=0).facts == {"moved": 2}
    table.land(at(1, 17))
    assert "wall" not in table.kinds()
    table.say(2, 2)
    table.land(at(2, 20))  # ahead, then one lane in
    assert "wall" not in table.kinds()
    table.say(2, 2)
    enter(table, at(1, 21), at(1, 23))
    assert table.open == ("test", 1, "wall")


@pytest.mark.article("competition", "15-0-4", "7-2-3")
def test_out_and_back_in_one_move_is_tested_again() -> None:
    """Around a car that stands in the lane along the wall."""
    cars = [{"car": 1, "gear": 2, "at": at(1, 13)}, {"car": 2, "gear": 2, "at": at(1, 15)}]
    table = Table(cars, "copper-basin", to_play=[1])
    table.say(2, 3)
    assert table.option(space=at(1, 17), brakes=0).facts == {"moved": 3, "tests": [f"wall:{at(1, 17)}"]}


@pytest.mark.article("competition", "15-1", "15-0-2")
@pytest.mark.parametrize("entry", [13, 15])
def test_where_the_move_ends_the_wall_comes_after_the_cars(entry: int) -> None:
    """Two spaces to right behind another car: the lane is entered with the first of them, or only with the last."""
    cars = [{"car": 1, "gear": 2, "at": at(2, 12)}, {"car": 2, "gear": 2, "at": at(1, 17)}]
    table = Table(cars, "copper-basin", to_play=[1])
    table.say(2, 2)
    enter(table, at(1, entry), at(1, 15))
    asked = []
    while table.ask == "test":
        assert table.talk.question is not None
        asked.append((table.talk.question.car, table.talk.question.what))
        table.say(20)
    cars_first = [(2, "collision"), (1, "collision")]
    assert asked == ([*cars_first, (1, "wall")] if entry == 15 else [(1, "wall"), *cars_first])


@pytest.mark.article("competition", "15-1", "15-0-2")
@pytest.mark.parametrize("line", [False, True])
def test_on_a_corner_sheet_the_table_says_how_often_the_lane_was_entered(line: bool) -> None:
    """The last entry counts as the one it stopped on; over the line as well."""
    last = len(load("indianapolis-oval").corners)
    cars = [{"car": 1, "gear": 3, "at": f"after:{last}"}, {"car": 2, "gear": 2, "at": "after:0", "lap": 2}]
    table = Table(cars, "indianapolis-oval", to_play=[1])
    table.say(3, 4, {"in": f"after corner {last}", "line": line, "walls": 2, "beside": [2]})
    asked = []
    while table.ask == "test":
        assert table.talk.question is not None
        asked.append((table.talk.question.car, table.talk.question.what))
        table.say(20)
    assert asked == [(1, "wall"), (2, "collision"), (1, "collision"), (1, "wall")]


@pytest.mark.article("competition", "15-0-2", "15-1", "21-1-1")
@pytest.mark.parametrize(("face", "end"), [(2, "finished"), (1, "out")])
def test_on_a_corner_sheet_who_comes_home_has_tested_every_entry_first(face: int, end: str) -> None:
    """The last one too, for he stops nowhere: a body that goes at the wall does not see the flag."""
    last = len(load("indianapolis-oval").corners)
    cars = [
        {"car": 1, "gear": 3, "at": f"after:{last}", "lap": 3, "wear": {**WEAR, "body": 1}},
        {"car": 2, "gear": 2, "at": "after:0"},
    ]
    table = Table(cars, "indianapolis-oval", to_play=[1])
    table.say(3, 4, {"in": f"after corner {last}", "line": True, "walls": 2}, 20)
    assert table.open == ("test", 1, "wall")
    table.say(face)
    assert table.car(1).status == end
    assert table.race.home == ([1] if end == "finished" else [])


def test_a_body_gone_at_the_wall_ends_the_move_there() -> None:
    """The wreck stays on the space where it entered, marked; nothing of the rest of its move counts [ruling 62]."""
    cars = [
        {"car": 1, "gear": 3, "at": at(2, 12), "wear": {**WEAR, "body": 1}},
        {"car": 2, "gear": 2, "at": at(1, 21)},
        {"car": 3, "gear": 2, "at": at(2, 4)},
    ]
    table = Table(cars, "copper-basin", to_play=[1, 3])
    table.say(3, 4)
    enter(table, at(1, 13), at(1, 19))
    table.say(1)
    car = table.car(1)
    assert (car.status, car.cause, car.at) == ("wreck", "body", at(1, 13))
    assert table.race.dangers == [at(1, 13)]
    assert "collision" not in table.kinds()


def test_the_lane_is_entered_from_the_pits_as_well() -> None:
    """Ruling 61; on a board whose pit lane leads out to the lane along the wall."""
    text = find("copper-basin").read_text(encoding="utf-8")
    text = text.replace('[[22, "0:left:3"], [22, "0:left:4"]]', '[[22, "0:right:4"]]')
    cars = [{"car": 1, "gear": 4, "at": "pit:20", "box": 1, "stop": "left"}]
    table = Table(cars, track=text, to_play=[1])
    table.say(2, 3)
    assert table.option(space="0:right:4", brakes=0).facts["tests"] == ["wall:0:right:4"]


@pytest.mark.article("competition", "15-0-1")
def test_only_where_there_is_a_wall() -> None:
    text = find("copper-basin").read_text(encoding="utf-8").replace('wall = "right"', "")
    table = alone(at(2, 12), 3, text)
    table.say(3, 4)
    assert "tests" not in table.option(space=at(1, 19), brakes=0).facts


@pytest.mark.article("competition", "7-2-3", "15-0-2", "17-1")
def test_a_wall_test_or_a_danger_or_a_way_around_both() -> None:
    """Example 7-3-7: 7 along the wall, 7 over the danger, 8 around both, all allowed."""
    cars = [{"car": 1, "gear": 3, "at": at(2, 4)}, {"car": 2, "gear": 2, "at": at(2, 12)}]
    target, danger = at(2, 16), at(3, 11)

    def ways(face: int) -> set[tuple[str, ...]]:
        table = Table(cars, "copper-basin", to_play=[1], dangers=[danger])
        table.say(3, face)
        return {
            tuple(option.facts.get("tests", ()))
            for option in table.options
            if option.answer["space"] == target and option.answer["brakes"] == 0
        }

    assert ways(8) == {()}
    assert ways(7) == {(danger,), *((f"wall:{at(1, half)}",) for half in (5, 7, 9, 11))}
