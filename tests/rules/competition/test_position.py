"""Positions as text: `state` gives a setup from which the race goes on exactly."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

from companion.circuits import load
from companion.rules.circuit.track import Track
from companion.rules.conversation.asking import Question, Ruling
from companion.rules.conversation.conversation import Conversation
from companion.rules.conversation.faces import GEAR_DICE
from companion.rules.dice.formula_de import FormulaDe
from companion.rules.dice.questions import GearDie
from companion.rules.rulebooks import begin
from tests.table import WEAR, Table


def chosen(question: Question[Any], random: Random) -> Any:
    """A legal answer; one that puts the car out only if there is no other."""
    if isinstance(question, GearDie):
        return random.choice(GEAR_DICE[question.gear])
    if question.faces is not None:
        return random.choice(question.faces)
    options = list(question.options())
    safe = [option for option in options if "out" not in option.facts]
    return random.choice(safe or options).answer


def play(talk: Conversation, answers: list[Any]) -> list[Ruling]:
    noted: list[Ruling] = []
    for answer in answers:
        noted += talk.answer(answer)
    return noted


def begun(talk: Conversation, track: Track) -> FormulaDe:
    """A rulebook begun from the text of the position at the first question of the present step."""
    assert isinstance(talk.rulebook, FormulaDe)
    return begin(json.loads(json.dumps(talk.rulebook.state())), track)


@pytest.mark.parametrize(("name", "seed"), [("monaco", 1), ("monaco", 2), ("kestrel-moor", 3), ("spa", 4)])
def test_a_race_goes_on_exactly_from_any_position(name: str, seed: int) -> None:
    """A random race of 8 cars; between turns it is begun anew from its text, and the same answers up to the end of
    the race (from every 25th position, else of the next two turns) give the same rulings and the same state."""
    track, random = load(name), Random(seed)
    cars = [{"car": number} for number in range(1, 9)]
    talk = Conversation(begin({"cars": cars, "sky": "changeable", "practice": "rain", "laps": 2}, track))
    answers: list[Any] = []
    noted: list[list[Ruling]] = []
    starts: list[tuple[int, FormulaDe]] = []
    while talk.question is not None:
        if talk.last_checkpoint[0] == talk.n:
            starts.append((talk.n, begun(talk, track)))
        answers.append(chosen(talk.question, random))
        noted.append(talk.answer(answers[-1]))
        assert len(answers) < 6000
    ends = [at for at, _ in starts] + [len(answers)]
    assert len(starts) > 100
    for i, (at, rulebook) in enumerate(starts):
        again = Conversation(rulebook)
        end = len(answers) if i % 25 == 0 else ends[min(i + 2, len(starts))]
        for answer, rulings in zip(answers[at:end], noted[at:end], strict=True):
            assert again.answer(answer) == rulings, (at, answer)
        if end == len(answers):
            assert again.question is None
            assert rulebook.state() == talk.rulebook.state()  # type: ignore[attr-defined]
            assert rulebook.result() == talk.rulebook.result()  # type: ignore[attr-defined]


@pytest.mark.article("competition", "3-2-5")
def test_a_position_at_the_end_of_a_round_goes_on_with_the_draw() -> None:
    """Every car has played and two draws are due: nobody plays again before them."""
    table = Table([{"car": 1, "at": "10:left:1", "gear": 2}], to_play=[1], sky="changeable", due=[1, 1])
    table.say(2, 2)
    table.land("10:left:3")
    assert table.open == ("test", 1, "weather")
    state = table.rulebook.state()
    assert (state["to_play"], state["due"]) == ([], [1, 1])
    again = Conversation(begin(state, table.rulebook.track))
    assert again.question is not None
    assert (again.question.ask, again.question.what) == ("test", "weather")


@pytest.mark.article("competition", "8-0-1")
def test_what_a_position_leaves_out_has_its_value_at_the_start_of_a_race() -> None:
    rulebook = begin({"cars": [{"car": 1, "at": "10:left:1", "gear": 3, "lap": 1}], "to_play": [1]}, load("monaco"))
    car = rulebook.car(1)
    assert (car.wear, car.built, car.tyres, car.tyre_laps, car.status) == (WEAR, WEAR, "hard", 0, "racing")
    assert (rulebook.race.sky, rulebook.race.surface, rulebook.race.fixed) == ("sun", "dry", True)
    assert (rulebook.race.laps, rulebook.race.round, rulebook.race.phase) == (3, 1, "race")


def test_figures_that_were_changed_go_along() -> None:
    table = Table([{"car": 1, "at": "10:left:1", "gear": 3}], to_play=[1], options={"stall_to": 3, "points": [9, 1]})
    state = json.loads(json.dumps(table.rulebook.state()))
    assert state["options"] == {"stall_to": 3, "points": [9, 1]}
    assert begin(state, table.rulebook.track).figures == table.rulebook.figures
    assert "options" not in Table([{"car": 1, "at": "10:left:1", "gear": 3}], to_play=[1]).rulebook.state()


def test_a_pool_left_out_of_a_position_is_as_at_the_start() -> None:
    car = {"car": 1, "at": "10:left:1", "gear": 3, "lap": 1, "status": "racing", "wear": {"tyres": 2, "body": 1}}
    built = {"tyres": 8, "brakes": 1, "gearbox": 3, "body": 3, "engine": 3, "handling": 2}
    setup: dict[str, Any] = {"track": "monaco", "cars": [car, {**car, "car": 2, "at": "10:left:5", "built": built}]}
    one, two = begin({**setup, "to_play": [1, 2]}, load("monaco")).race.cars
    assert one.wear == {"tyres": 2, "brakes": 3, "gearbox": 3, "body": 1, "engine": 3, "handling": 2}
    assert two.wear == {**built, "tyres": 2, "body": 1}


@pytest.mark.article("competition", "4-0-1", "4-0-2", "19-2-5")
@pytest.mark.parametrize(
    ("track", "places", "boxes"),
    [
        ("monaco", ["10:left:1", "box:1", "box:4", "10:left:5"], [2, 1, 4, 3]),
        ("monaco", ["pit:4", "10:left:1", "10:left:3", "10:left:5"], [1, 2, 3, 4]),
        ("spa", ["corner:1", "pit:2", "box:1", "after:3"], [3, 2, 1, 4]),
    ],
)
def test_a_car_of_a_position_that_names_no_box_has_the_one_where_it_stands_or_the_next_free(
    track: str, places: list[str], boxes: list[int]
) -> None:
    """On a corner sheet the lane is called by the box too."""
    table = Table([{"car": n, "at": at, "gear": 3} for n, at in enumerate(places, 1)], track, to_play=[1])
    assert [car.box for car in table.race.cars] == boxes


@pytest.mark.article("competition", "4-0-1", "4-0-2", "19-2-5")
def test_a_box_that_a_position_names_is_that_cars_wherever_it_stands() -> None:
    cars = [{"car": 1, "at": "10:left:1"}, {"car": 2, "at": "box:4", "box": 3}, {"car": 3, "at": "10:left:5"}]
    assert [car.box for car in Table(cars, to_play=[1]).race.cars] == [1, 3, 2]


@pytest.mark.article("competition", "4-0-2")
def test_in_a_position_too_cars_of_a_team_share_a_box_where_there_are_too_few() -> None:
    cars = [{"car": n, "at": "after:1", "gear": 3, "team": team} for n, team in enumerate("ABCDEFGHIJJ", 1)]
    table = Table(cars, "spa", to_play=[1])
    assert [car.box for car in table.race.cars] == [*range(1, 11), 10]


@pytest.mark.article("competition", "19-1-9", "19-2-5")
@pytest.mark.parametrize("said", [{"status": "racing"}, {"status": "pit"}])
@pytest.mark.parametrize(("at", "gears"), [("pit:5", [1, 2, 3]), ("pit:6", [2, 3])])
def test_a_car_of_a_position_in_the_lane_beyond_its_box_has_had_its_stop(
    said: dict[str, str], at: str, gears: list[int]
) -> None:
    table = Table([{"car": 1, "at": at, "gear": 2, "box": 2, **said}], to_play=[1])
    assert [option.answer for option in table.options] == gears
