"""The referee puts a car into the lane of a corner sheet, where pits are called by the box."""

from __future__ import annotations

import pytest

from companion.circuits import load
from companion.rules.conversation.conversation import Conversation
from companion.rules.conversation.errors import BadAnswer
from companion.rules.rulebooks import begin
from tests.table import WEAR


@pytest.mark.article("league", "pit.lane")
@pytest.mark.parametrize(("box", "then"), [(0, 2), (3, 3)])
def test_a_car_without_a_box_takes_that_one_and_another_keeps_its_own(box: int, then: int) -> None:
    """Before the boxes are allotted."""
    cars = [{"car": 1, "box": box}, {"car": 2}]
    race = begin({"rulebook": "league", "track": "spa", "sky": "sun", "grid": [2, 1], "cars": cars}, load("spa"))
    Conversation(race).override({"car": 1, "at": "pit:2"})
    assert (race.race.cars[0].box, race.race.cars[0].status) == (then, "pit")


@pytest.mark.article("league", "pit.quick")
def test_the_way_out_of_a_quick_stop_is_a_space_at_least_there_too() -> None:
    car = {"car": 1, "at": "box:1", "box": 1, "status": "box", "stop": "quick", "lap": 1, "wear": WEAR}
    cars = [car, {"car": 2, "at": "corner:3", "gear": 3}]
    race = begin({"rulebook": "league", "track": "spa", "sky": "sun", "to_play": [1], "cars": cars}, load("spa"))
    talk = Conversation(race)
    talk.answer(4)
    assert talk.question is not None
    assert talk.question.fields["brakes"] == [0, 1]  # type: ignore[index]
    with pytest.raises(BadAnswer, match="brakes is a count from 0 to 1 here; 2 is not"):
        talk.answer({"in": "after corner 8", "line": True, "brakes": 2})
    talk.answer({"in": "after corner 8", "line": True, "brakes": 1})
    assert (race.race.cars[0].at, race.race.cars[0].status) == ("after:0", "racing")
