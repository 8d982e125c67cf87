"""Where a move may go: lanes, straights, corners, dangers."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from companion.circuits import load
from companion.rules.circuit.leg import Leg
from companion.rules.rulebooks import begin
from tests.rules.cup.boards import CUP, drives, race
from tests.table import WEAR

WIDE = CUP.replace("Cup", "Wide")


@pytest.mark.article("cup", "drive.lanes", "race.laps")
def test_around_other_cars_never_through_them_never_back() -> None:
    """A car straight ahead, at the end of the straight, is passed by the next lane."""
    table = race({"car": 1, "gear": 2, "at": "2:middle:1"}, {"car": 2, "at": "2:middle:2"})
    table.say(2, 2)
    assert table.spaces() == {"2:left:3", "2:right:2"}
    assert not any(option.facts.get("tests") for option in table.options)


@pytest.mark.article("cup", "corner.stops", "corner.exit")
def test_a_corner_is_left_on_the_move_after_its_last_stop() -> None:
    table = drives(2, 2, "3:left:2", {"car": 1, "gear": 2, "at": "2:left:14"}, {"car": 2, "at": "0:left:1"})
    assert (table.car(1).stops, table.ruling("stop").facts) == (1, {"corner": 2, "stops": 1, "of": 2})
    owing = race({"car": 1, "gear": 4, "at": "3:left:2", "stops": 1})
    owing.say(4, 7)
    assert owing.option(space="4:left:6", brakes=0).facts["overshot"] == 6
    made = race({"car": 1, "gear": 4, "at": "3:left:2", "stops": 2})
    made.say(4, 7)
    assert "overshot" not in made.option(space="4:left:6", brakes=0).facts


@pytest.mark.article("cup", "corner.paths")
def test_a_corner_knows_its_longest_and_its_shortest_path() -> None:
    table = race({"car": 1, "gear": 1, "at": "3:right:1"})
    bend = table.rulebook.track.corners[1]
    assert (bend.shortest, bend.longest, bend.stops) == (3, 7, 2)
    table.say(1, 1)
    assert table.spaces() == {"3:right:2", "3:middle:1"}


@pytest.mark.article("cup", "straight.two-lanes")
def test_two_lanes_at_most_on_four() -> None:
    """From the leftmost of four lanes the third is as far as a move goes, whatever the dice."""
    track = load("copper-basin")
    straight = next(section for section in track.sections if section.corner is None and len(section.lanes[0]) > 12)
    start = track.spaces[straight.lanes[0][0]].name
    setup = {
        "rulebook": "cup",
        "track": track.key,
        "cars": [{"car": 1, "at": start, "gear": 4, "lap": 1}],
        "to_play": [1],
    }
    rulebook = begin(setup, track)
    rulebook.race.move = rulebook.turn.new_move(rulebook.car(1))
    leg = rulebook.landings.leg(rulebook.car(1), 8)
    lanes = {track.spaces[landing.space].lane for landing in rulebook.board.landings(leg)}
    assert lanes == {0, 1, 2}
    assert 3 in {track.spaces[one.space].lane for one in rulebook.board.landings(replace(leg, lanes=Leg(0, 0).lanes))}


@pytest.mark.article("cup", "straight.two-lanes")
def test_the_limit_of_lanes_holds_where_dangers_wait_too() -> None:
    track = load("copper-basin")
    straight = next(section for section in track.sections if section.corner is None and len(section.lanes[0]) > 12)
    start, danger = (track.spaces[straight.lanes[0][i]].name for i in (0, 4))
    cars = [{"car": 1, "at": start, "gear": 4, "lap": 1}]
    setup = {"rulebook": "cup", "track": track.key, "cars": cars, "to_play": [1], "dangers": [danger]}
    rulebook = begin(setup, track)
    rulebook.race.move = rulebook.turn.new_move(rulebook.car(1))
    landings = rulebook.board.landings(rulebook.landings.leg(rulebook.car(1), 8))
    assert {track.spaces[landing.space].lane for landing in landings} == {0, 1, 2}


@pytest.mark.article("cup", "straight.zigzag-pass", "straight.zigzag-no")
def test_out_and_back_only_past_a_car_by_the_fewest_spaces() -> None:
    free = race({"car": 1, "gear": 3, "at": "2:middle:1"})
    free.say(3, 5)
    assert "2:middle:5" not in free.spaces()  # five spaces with a lane out and back would end there
    table = race({"car": 1, "gear": 3, "at": "2:middle:1"}, {"car": 2, "at": "2:middle:3"})
    table.say(3, 5)
    assert "2:middle:5" in table.spaces()
    assert "2:middle:6" not in table.spaces()


@pytest.mark.article("cup", "handling.avoid", "straight.zigzag-no")
def test_a_danger_is_driven_around_by_changing_lane_not_out_and_back() -> None:
    table = race({"car": 1, "gear": 3, "at": "2:middle:1"}, dangers=["2:middle:3"])
    table.say(3, 5)
    free = {option.answer["space"] for option in table.options if "tests" not in option.facts}
    over = {option.answer["space"] for option in table.options if "tests" in option.facts}
    assert "2:left:6" in free
    assert "2:middle:6" in over
    assert "2:middle:5" not in table.spaces()


@pytest.mark.article("cup", "brake.any-time")
def test_a_brake_point_a_space() -> None:
    table = race({"car": 1, "gear": 3, "at": "2:middle:1"})
    table.say(3, 6)
    assert {option.answer["brakes"] for option in table.options} == {0, 1, 2, 3}
    table.land("2:middle:5", brakes=2)
    assert table.car(1).wear["brakes"] == WEAR["brakes"] - 2


@pytest.mark.article("cup", "brake.penalty")
def test_no_brakes_no_braking() -> None:
    table = race({"car": 1, "gear": 3, "at": "2:middle:1", "wear": {**WEAR, "brakes": 0}})
    table.say(3, 6)
    assert {option.answer["brakes"] for option in table.options} == {0}
