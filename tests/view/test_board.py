"""The board: what the die can reach, the letters of the landings, the way driven."""

from __future__ import annotations

import itertools
import re

import pytest

from companion import circuits
from companion.desk.ahead import Ahead
from companion.drivers.sensible import HeuristicDriver
from companion.rules.conversation.faces import FACES
from companion.view.race.board import board as board_of
from companion.view.race.board import driven_path, stop_ahead, way
from companion.view.race.prompt import prompt
from companion.view.race.race import race
from companion.view.sight import Sight
from companion.wording import Words
from tests.view.test_order import on_track
from tests.view.watched import a_desk


def test_before_the_roll_every_space_in_reach_has_its_distance_and_its_price() -> None:
    desk = on_track({"car": 1, "at": "2:left:5"})
    desk.answer(4)
    board = race(Sight(desk, Words("en"), ahead=Ahead(desk))).board
    reached: dict[str, set[str]] = {}
    for face in range(7, 13):
        talk = desk.conversation.fork(desk.rulebook.clone(), desk.n)
        talk.answer(face)
        assert talk.asked is not None
        for option in talk.asked.options or []:
            if not option.answer["brakes"]:
                state = "bad" if option.facts.keys() & {"out", "spin"} else "cost" if option.wear else "free"
                reached.setdefault(option.answer["space"], set()).add(state)
    marks = {mark.space: mark for mark in board.spaces}
    assert board.close == "roll"
    assert set(marks) == set(reached)
    assert all(mark.state in reached[space] for space, mark in marks.items())
    assert all(mark.text.isdigit() for mark in marks.values())
    assert not race(Sight(desk, Words("en"), ahead=Ahead(desk), prices="never")).board.spaces


def test_before_the_gear_the_spaces_straight_on_have_their_distances() -> None:
    desk = on_track({"car": 1, "at": "2:left:5"}, {"car": 2, "at": "2:left:8"})
    track = desk.rulebook.track  # type: ignore[attr-defined]
    marks = race(Sight(desk, Words("en"))).board.spaces
    assert {mark.state for mark in marks} == {"ahead"}
    assert "2:left:8" not in {mark.space for mark in marks}
    at, distance = track.ids["2:left:5"], 0
    distances = {}
    while track.ahead[at] >= 0 and distance < 20:
        at, distance = track.ahead[at], distance + 1
        distances[track.spaces[at].name] = str(distance)
    assert all(distances[mark.space] == mark.text for mark in marks)
    assert 8 <= len(marks) < 20


def test_before_the_gear_it_is_told_how_far_straight_on_the_next_stop_lies_as_the_rules_have_it() -> None:
    """Every face of every gear is rolled: where it leads straight on there is a stop if, and only if, it was told."""
    track = circuits.load("monaco")
    told = set()
    for at, stops, gear in (("9:left:1", 1, 3), ("12:middle:2", 0, 4), ("1:left:5", 1, 3), ("2:left:5", 0, 4)):
        desk = on_track({"car": 1, "at": at, "gear": gear, "stops": stops})
        said = stop_ahead(Sight(desk, Words("en")))
        told.add(said)
        figures = [int(figure) for figure in re.findall(r"\d+", said.partition(":")[0])]
        within = range(0 if "less" in said else figures[0], figures[-1] + 1) if figures else range(0)
        desk.answer(gear)
        for face in FACES[gear]:
            talk = desk.conversation.fork(desk.rulebook.clone(), desk.n)
            talk.answer(face)
            there = track.ids[at]
            for _ in range(face):
                there = track.ahead[there]
            straight = {"space": track.spaces[there].name, "brakes": 0}
            ruled = next(one for one in talk.asked.options or () if straight.items() <= one.answer.items())  # type: ignore[union-attr]
            stopped = [ruling.kind for ruling in talk.answer(ruled.answer) if ruling.kind == "stop"]
            assert bool(stopped) is (face in within), (at, said, face)
        assert stop_ahead(Sight(desk, Words("en"), prices="never")) == ""
    assert any("stop 2/3" in said for said in told)
    assert any(" to " in said for said in told)


def test_before_the_gear_the_distances_go_as_far_as_the_highest_free_gear() -> None:
    desk, driver = a_desk(many=3), HeuristicDriver(circuits.load("monaco"), 2)
    furthest = set()
    for _ in range(120):
        asked = desk.asked
        assert asked is not None
        if asked.ask == "gear":
            free = [option.answer for option in asked.options or [] if not option.wear]
            reach = min(max(FACES[gear][-1] for gear in free), 20) if free else 0
            sight = Sight(desk, Words("en"), ahead=Ahead(desk))
            counted = [int(mark.text) for mark in race(sight).board.spaces if mark.state == "ahead"]
            taken = {car.at for car in sight.race.cars}
            space = sight.track.ids[sight.cars[asked.car].at]
            for _ in range(reach):
                space = sight.track.ahead[space]
            assert max(counted) >= reach or sight.track.name_of(space) in taken
            furthest.add(reach)
        desk.answer(driver.answer(asked, desk.rulebook.race))
    assert {8, 12, 20} <= furthest


def test_the_landings_have_letters_and_the_chosen_one_its_way() -> None:
    desk = on_track({"car": 1, "at": "2:left:5"})
    desk.answer(3)
    desk.answer(6)
    shown = race(Sight(desk, Words("en"), ahead=Ahead(desk)))
    assert shown.board.close == "landing"
    chosen = [mark for mark in shown.board.spaces if mark.state == "chosen"]
    assert [mark.text for mark in chosen] == ["A"]
    assert all(mark.prices for mark in shown.board.spaces if mark.text)
    assert shown.board.path[0] == shown.board.around == "2:left:5"
    assert shown.board.path[-1] == chosen[0].space == shown.prompt.keys[0].space
    assert len(shown.board.path) == 7
    other = next(key for key in shown.prompt.keys if key.space not in ("", chosen[0].space))
    board = race(Sight(desk, Words("en"), ahead=Ahead(desk), selected=other.answer)).board
    assert [mark.text for mark in board.spaces if mark.state == "chosen"] == [other.label]
    assert board.path[-1] == other.space


def test_a_way_keeps_to_printed_moves_and_changes_lanes_as_seldom_as_it_can() -> None:
    desk = on_track({"car": 1, "at": "2:left:2"}, {"car": 2, "at": "2:left:5"})
    sight = Sight(desk, Words("en"))
    track = sight.track
    straight = way(sight, "2:left:6", "2:left:10", 4)
    assert straight == tuple(f"2:left:{number}" for number in range(6, 11))
    around = way(sight, "2:left:2", "2:left:8", 6)
    assert "2:left:5" not in around
    for here, there in itertools.pairwise(around):
        assert track.ids[there] in track.moves[track.ids[here]]
    assert way(sight, "2:left:2", "2:left:8", 1) == ()
    assert way(sight, "nowhere", "2:left:8", 6) == ()


@pytest.mark.parametrize(("asks", "stops", "told"), [(3, 1, "1 of 3 stops made"), (1, 1, "1 of 1 stop made")])
def test_the_corner_a_car_stands_in_says_how_many_stops_are_made(asks: int, stops: int, told: str) -> None:
    """As many as it asks for, at most: whoever stands there for longer has made no more of them."""
    desk = on_track({"car": 1, "at": "2:left:5"})
    track = desk.rulebook.track  # type: ignore[attr-defined]
    corner = next(corner for corner in track.corners if corner.stops == asks)
    inside = track.spaces[track.sections[corner.section].lanes[0][0]].name
    desk.override({"car": 1, "at": inside, "stops": stops}, by="Eva", why="it stands there")
    notes = race(Sight(desk, Words("en"))).board.corners
    assert len(notes) == len(track.corners)
    made = {note.corner: note.made for note in notes if note.made}
    assert made == {track.corners.index(corner): told}


def test_the_way_that_was_driven_is_left_out_where_it_would_cross_out_the_distances() -> None:
    desk, driver = a_desk(many=3), HeuristicDriver(circuits.load("monaco"), 2)
    drawn = set()
    for _ in range(200):
        assert desk.asked is not None
        if desk.asked.ask == "gear" and desk.asked.round > 1:
            told = desk.history.items[-1].rulings
            sight = Sight(desk, Words(), told=told)
            shown = board_of(sight, prompt(sight))
            straight_on = {mark.space for mark in shown.spaces if mark.state == "ahead"}
            assert straight_on.isdisjoint(shown.path)
            drawn.add((bool(driven_path(sight)), bool(shown.path)))
        desk.answer(driver.answer(desk.asked, desk.rulebook.race))
    assert (True, False) in drawn
