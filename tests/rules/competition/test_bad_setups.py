"""Setups from which no race can begin: one sentence each, never a crash."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.circuits import load
from companion.rules.conversation.conversation import Conversation
from companion.rules.conversation.errors import BadAnswer, BadSetup
from companion.rules.rulebooks import begin
from tests.french import told_in_french
from tests.table import WEAR, Table

MONACO = load("monaco")
SPA = load("spa")


def refused(setup: Any, match: str, track: Any = MONACO) -> str:
    with pytest.raises(BadSetup, match=match) as caught:
        begin(setup, track)
    text = str(caught.value)
    assert text.endswith(".")
    assert "\n" not in text
    assert "Error" not in text
    told_in_french(caught.value)
    return text


def cars(*cars: dict[str, Any], **setup: Any) -> dict[str, Any]:
    return {"cars": [{"car": number, **car} for number, car in enumerate(cars, 1)], **setup}


@pytest.mark.article("competition", "5-0-2", "5-2", "5-3")
@pytest.mark.parametrize(
    ("car", "match"),
    [
        ({"wear": {**WEAR, "tyres": 9}}, "Car 1: A car has 20 points, or up to 22.*has 23"),
        (
            {"wear": {**WEAR, "tyres": 7}, "stand": 2},
            "Car 1: With 21 points on the car its repair points are 1; 2 would",
        ),
        ({"wear": {**WEAR, "tyres": 8}, "stand": 1}, "With 22 points on the car its repair points are 0"),
        ({"wear": dict(WEAR), "stand": 0}, "With 20 points on the car its repair points are 2"),
        ({"wear": {**WEAR, "body": 0, "tyres": 9}}, "Every part needs 1 or more; body has 0"),
        ({"wear": {**WEAR, "body": 0, "brakes": 0, "tyres": 12}}, "Every part needs 1 or more; brakes has 0"),
        ({"wear": {**WEAR, "wings": 2}}, "unknown: wings"),
        ({"wear": {"tyres": 20}}, "missing: brakes"),
        ({"wear": {**WEAR, "tyres": 9}, "built": {**WEAR, "tyres": 9}}, "has 23"),
        ({"wear": {**WEAR, "tyres": 5}, "built": dict(WEAR)}, "starts with what it was built with"),
        ({"wear": {**WEAR, "tyres": "6"}}, '^Car 1: wear tyres wants a whole number, not "6".$'),
        ({"wear": {**WEAR, "tyres": True}}, "Car 1: wear tyres wants a whole number, not true"),
        ({"wear": 20}, "Car 1: wear wants an object, not 20"),
    ],
)
def test_points_that_do_not_add_up(car: dict[str, Any], match: str) -> None:
    refused(cars(car), match)


@pytest.mark.article("competition", "21-1-5")
@pytest.mark.parametrize(
    ("setup", "match"),
    [
        ([], "A setup is an object"),
        (None, "A setup is an object"),
        ("monaco", "A setup is an object"),
        ({}, "A race needs cars"),
        ({"cars": []}, "A race needs cars"),
        ({"cars": {"1": {}}}, "A race needs cars"),
        ({"cars": [5]}, "^The race: entry 1 of cars wants an object, not 5.$"),
        ({"cars": [{}]}, "^cars, entry 1: car wants a whole number, not nothing.$"),
        ({"cars": [{"car": "1"}]}, '^cars, entry 1: car wants a whole number, not "1".$'),
        ({"cars": [{"car": True}]}, "cars, entry 1: car wants a whole number, not true"),
        ({"cars": [{"car": 1, "colour": "red"}]}, '^Car 1: there is no "colour" here; there may be arrived, at,'),
        ({"cars": [{"car": 0}]}, "number is 1 to 999; 0"),
        ({"cars": [{"car": 1000}]}, "number is 1 to 999; 1000"),
        ({"cars": [{"car": 1}, {"car": 1}]}, "Two cars have the number 1"),
        ({"cars": [{"car": n} for n in range(1, 12)]}, "10 grid slots; 11 cars"),
        (cars({}, rulebook="checkers"), "no rulebook called checkers"),
        (cars({}, rulebook=["competition"]), "no rulebook called"),
        (cars({}, laps=0), "1 to 99 laps; 0"),
        (cars({}, laps=100), "1 to 99 laps"),
        (cars({}, laps=True), "The race: laps wants a whole number, not true"),
        (cars({}, laps="3"), 'laps wants a whole number, not "3"'),
        (cars({}, wheels=4), "A setup has no wheels"),
        (cars({}, move={"car": 1, "begin": "5:left:1"}), "A setup has no move"),
        (cars({}, played=[1]), "A setup has no played"),
        (cars({}, sky="snow"), 'sky wants one of "changeable", "rain", "sun", not "snow"'),
        (cars({}, surface="icy"), 'surface wants one of "dry", "wet", not "icy"'),
        (cars({}, practice="fog"), 'practice wants one of .* not "fog"'),
        (cars({}, options=[]), '"options" is an object'),
        (cars({}, options={"nitro": True}), "no figure or switch called nitro"),
        (cars({}, options={"stall_to": 25}), "^The options: stall_to wants a whole number from 0 to 19, not 25.$"),
        (cars({}, options={"blocking": [[1, 2, 3]]}), "entry 1 of blocking wants a list of 2, not"),
        (cars({}, options={"stall_to": 19, "great_from": 5}), "must not meet"),
        (cars({}, options={"points": "ten"}), 'points wants a list, not "ten"'),
        (cars({"tyres": "slick"}), 'Car 1: tyres wants one of .*"soft".* not "slick"'),
        (cars({"box": 11}), "boxes 1 to 10, not 11"),
        (cars({"box": -1}), "boxes 1 to 10, not -1"),
        (cars({"box": 4}, {"box": 4}), "Two cars have box 4"),
        (cars({"lap": 2}), "already racing"),
        (cars({"gear": 3}), "already racing"),
        (cars({"status": "racing"}), "already racing"),
        (cars({"at": "99:left:1"}), "no space 99:left:1"),
        (cars({"at": "5:left:1"}, {"at": "5:left:1"}), "Cars 1 and 2 stand on 5:left:1; a space holds one car"),
        (cars({}, dangers=["5:left:99"]), "no space 5:left:99 for a danger marker"),
        (cars({}, dangers="5:left:1"), 'dangers wants a list, not "5:left:1"'),
        (cars({}, dangers=[5]), "entry 1 of dangers wants a text, not 5"),
        (cars({}, fixed=1), "fixed wants true or false, not 1"),
        (cars({}, sweep="x"), 'sweep wants a whole number or null, not "x"'),
        (cars({}, laps={"x": list(range(30))}), r'laps wants a whole number, not \{"x": \[0, .*…'),
        (cars({}, due=[9]), '"due" lists cars of the race'),
        (cars({}, home=[9]), '"home" lists cars'),
        (cars({}, gone=[1, 1]), '"gone" lists cars'),
        (cars({}, round=-1), "round is 0 to"),
    ],
)
def test_nonsense_before_a_race(setup: Any, match: str) -> None:
    refused(setup, match)


RACING = {"at": "10:left:1", "status": "racing", "lap": 1, "gear": 3}


@pytest.mark.article("competition", "5-1-1", "16-0-3", "16-0-6", "21-1-1")
@pytest.mark.parametrize(
    ("car", "match"),
    [
        ({"at": None}, "racing but stands nowhere"),
        ({"at": "10:right:29"}, "no space 10:right:29"),
        ({"gear": 7}, "gear is 0 to 6; 7"),
        ({"lap": -1}, "lap is 0 to 100; -1"),
        ({"stops": 4}, "stops is 0 to 3; 4"),
        ({"stand": 11}, "stand is 0 to 10; 11"),
        ({"tyre_laps": -1}, "tyre_laps is"),
        ({"arrived": -1}, "arrived is"),
        ({"coast": 5}, "coast is"),
        ({"coast": 4}, "only a coasting car has a gear to coast in"),
        ({"wear": {"wings": 3}}, "no pool called wings"),
        ({"wear": {"tyres": 61}}, "tyres holds 0 to 60 points, not 61"),
        ({"wear": {"tyres": -1}}, "tyres holds 0 to 60 points, not -1"),
        ({"status": "flying"}, 'Car 1: status wants one of .* not "flying"'),
        ({"status": "pit"}, "is pit but stands on 10:left:1"),
        ({"status": "box"}, "is box but stands on 10:left:1"),
        ({"status": "spun", "at": "pit:4"}, "is spun but stands on pit:4"),
        ({"status": "pit", "at": "box:4"}, "is pit but stands on box:4"),
        ({"status": "grid", "at": "box:4", "lap": 0, "gear": 0}, "is grid but stands on box:4"),
        ({"cause": "boredom"}, 'cause wants one of .* not "boredom"'),
        ({"stop": "tea"}, 'stop wants one of "left", "long", "missed", "quick", not "tea"'),
    ],
)
def test_nonsense_in_the_middle_of_a_race(car: dict[str, Any], match: str) -> None:
    refused(cars({**RACING, **car}, to_play=[1]), match)


BROKEN = {"engine": 0}


@pytest.mark.article("competition", "5-1-1", "7-1-1", "16-0-3", "16-0-6", "21-1-1")
@pytest.mark.parametrize(
    ("car", "lists", "wrong"),
    [
        ({}, {}, ""),
        ({"status": "coasting", "coast": 4, "wear": BROKEN}, {}, ""),
        ({"status": "coasting", "coast": 1, "wear": BROKEN}, {}, ""),
        ({"status": "coasting", "coast": 4, "wear": BROKEN, "at": "pit:4", "box": 1}, {}, ""),
        ({"status": "coasting", "coast": -1, "wear": BROKEN}, {}, "only a coasting car has a gear to coast in"),
        ({"status": "coasting", "coast": 4, "wear": {"engine": 1}}, {}, "coasting with an engine that holds"),
        ({"status": "spun", "coast": -1, "wear": BROKEN}, {}, ""),  # it is off when it is put straight
        ({"coast": -1, "wear": BROKEN}, {}, "only a coasting car has a gear to coast in"),
        ({"wear": BROKEN}, {}, "no engine point left and is out with the last"),
        ({"wear": {"body": 0}}, {}, "no body point left and is out with the last"),
        ({"wear": {"handling": 0}}, {}, "no handling point left and is out with the last"),
        ({"status": "coasting", "coast": 4, "wear": {"engine": 0, "body": 0}}, {}, "no body point left"),
        ({"wear": {"tyres": 0, "brakes": 0, "gearbox": 0}}, {}, ""),
        ({"status": "pit", "at": "pit:4", "box": 1}, {}, ""),
        ({"status": "box", "at": "box:4", "box": 4}, {}, ""),
        ({"status": "out", "cause": "body"}, {"gone": [1]}, ""),
        ({"status": "out", "cause": "body", "at": "pit:4"}, {"gone": [1]}, ""),
        ({"status": "out", "cause": "body", "wear": {"body": 0}}, {"gone": [1]}, ""),
        ({"status": "wreck", "cause": "body"}, {"gone": [1]}, ""),
        ({"status": "wreck", "cause": "body"}, {"gone": [1], "home": [1]}, "cannot be home or out as well"),
        ({"status": "finished", "lap": 4}, {"home": [1]}, ""),
        ({"status": "finished", "lap": 4}, {"home": [1], "gone": [1]}, "cannot be home or out as well"),
        ({"at": "1:left:2", "stops": 1}, {}, ""),
        ({"at": "1:left:2", "stops": 2}, {}, "corner 1 asks for 1 stops; 2 cannot count in it"),
        ({"at": "9:left:1", "stops": 3}, {}, ""),
        ({"stops": 1}, {}, "is in no corner, where no stop counts; its stops are 0"),
        ({"status": "wreck", "cause": "body", "at": "1:left:2", "stops": 3}, {"gone": [1]}, ""),
        ({"status": "out", "cause": "body", "at": None}, {"gone": [1]}, ""),
    ],
)
def test_what_a_car_does_fits_where_it_stands_and_what_it_has_left(
    car: dict[str, Any], lists: dict[str, Any], wrong: str
) -> None:
    """Another car races on, so that there is a race."""
    position = cars({**RACING, **car}, {**RACING, "at": "10:left:9"}, to_play=[2], **lists)
    if wrong:
        refused(position, wrong)
    else:
        assert list(begin(position, MONACO).faults()) == []


@pytest.mark.parametrize(
    "to_play", [None, 1, "1", {"1": 1}, [2], [1, 1], [True], [[1]], [None], [3], [{}]], ids=lambda value: str(value)
)
def test_who_still_plays_must_be_cars_on_the_board(to_play: Any) -> None:
    position = cars(RACING, {**RACING, "at": "10:left:5"}, {**RACING, "status": "out", "at": None}, to_play=to_play)
    if to_play == [2]:
        begin(position, MONACO)
        to_play = position["to_play"] = [4]
    refused(position, '"to_play" lists the cars on the board')


@pytest.mark.article("competition", "21-1-1")
@pytest.mark.parametrize(
    ("setup", "match"),
    [
        ({"home": [1]}, "cannot be home or out as well"),
        ({"gone": [1]}, "cannot be home or out as well"),
        ({"sweep": -1}, '"sweep" is a place along the lap'),
        ({"sweep": 10**12}, '"sweep" is a place along the lap'),
        ({"turn": -5}, "turn is 0 to"),
    ],
)
def test_a_race_that_contradicts_its_cars(setup: dict[str, Any], match: str) -> None:
    refused(cars(RACING, to_play=[1], **setup), match)


@pytest.mark.parametrize("at", ["10:left:1", "corner:0", "corner:9", "after:9", "corner:²", "corner:", "pit:11", "x:1"])
def test_a_place_on_a_corner_sheet(at: str) -> None:
    assert len(SPA.corners) == 8
    refused(cars({**RACING, "at": at}, to_play=[1]), f"no space {at}; on a corner sheet", SPA)


def test_a_grid_of_more_cars_than_slots_in_a_position() -> None:
    eleven = [{"status": "grid"} for _ in range(11)]
    refused(cars(*eleven, to_play=[]), "10 grid slots; car 11 has none")


NONSENSE: list[Any] = [None, True, -1, 0, 1, 2, 3, 7, 99, 2.5, "", "1", [], [1], [2, 3], [[]], {}]
NONSENSE += ["racing", "spun", "stalled", "wreck", "pit", "grid", "soft", "rain", "left", "5:left:1", "pit:7", "box:2"]


@given(st.integers(0, 2**32))
def test_a_position_with_any_value_replaced_is_refused_or_can_be_played(seed: int) -> None:
    """Either BadSetup, or a race whose next questions can be answered; never anything else."""
    rng = random.Random(seed)
    table = Table(
        [
            {"car": 1, "at": "10:left:1", "gear": 5, "status": "coasting"},
            {"car": 2, "at": "pit:4", "gear": 3, "status": "pit"},
            {"car": 3, "at": "11:left:2", "gear": 2, "stops": 1, "tyres": "soft"},
            {"car": 4, "at": "box:4", "status": "box", "stop": "long"},
            {"car": 5, "at": None, "status": "out", "cause": "body"},
        ],
        to_play=[1, 3],
        sky="changeable",
        dangers=["10:left:8"],
        due=[3],
        gone=[5],
    )
    setup = json.loads(json.dumps(table.rulebook.state()))
    for _ in range(rng.randint(1, 3)):
        thing: Any = setup if rng.random() < 0.4 else rng.choice(setup["cars"])
        if isinstance(thing, dict):
            name = rng.choice([*thing, "sweep", "called"] if thing is setup else [*thing, "stand", "turned", "stop"])
            alike = [value for value in NONSENSE if type(value) is type(thing.get(name))]
            thing[name] = rng.choice(alike or NONSENSE)
        if not isinstance(setup.get("cars"), list) or not setup["cars"]:
            break
    try:
        talk = Conversation(begin(setup, MONACO))
    except BadSetup:
        return
    for _ in range(12):
        question = talk.question
        if question is None:
            return
        listed = question.options()
        try:
            talk.answer(rng.choice(list(listed)).answer if listed else rng.choice(list(question.faces or ())))
        except BadAnswer:
            raise AssertionError(f"{question.ask} refused its own option") from None
