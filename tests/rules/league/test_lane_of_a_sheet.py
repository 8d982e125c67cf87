"""The referee puts a car into the lane of a corner sheet, where pits are called by the box."""

from __future__ import annotations

import pytest

from companion.circuits import load
from companion.rules.conversation.conversation import Conversation
from companion.rules.rulebooks import begin


@pytest.mark.article("league", "pit.lane")
@pytest.mark.parametrize(("box", "then"), [(0, 2), (3, 3)])
def test_a_car_without_a_box_takes_that_one_and_another_keeps_its_own(box: int, then: int) -> None:
    cars = [{"car": 1, "at": "after:1", "gear": 3, "box": box}, {"car": 2, "at": "corner:3", "gear": 3}]
    race = begin({"rulebook": "league", "track": "spa", "sky": "sun", "to_play": [], "cars": cars}, load("spa"))
    Conversation(race).override({"car": 1, "at": "pit:2"})
    assert (race.race.cars[0].box, race.race.cars[0].status) == (then, "pit")
