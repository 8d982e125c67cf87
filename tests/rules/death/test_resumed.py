"""A race that is written down between two steps goes on from there, in either phase."""

from __future__ import annotations

import msgspec
import pytest

from companion.circuits import load
from companion.drivers.sensible import Sensible
from companion.rules.conversation import Conversation, Event
from companion.rules.correction import Instead, leave_board
from companion.rules.rulebooks import begin
from tests.rules.death.arenas import armed, attacking, points


@pytest.mark.article("death", "phase.attack", "phase.movement")
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_position_between_two_steps_is_the_race_itself(seed: int) -> None:
    track = load("porto-sereno")
    cars = [{"car": number, "driver": f"D{number}"} for number in range(1, 6)]
    talk = Conversation(begin({"rulebook": "death", "track": track.key, "laps": 1, "cars": cars}, track))
    driver = Sensible(track, seed)
    resumed = {True: 0, False: 0}
    while (asked := talk.asked) is not None:
        race = talk.rulebook.race  # type: ignore[attr-defined]
        if (
            talk.n % 5 == 0
            and talk.last_mark[0] == talk.n
            and race.phase == "race"
            and asked.ask in ("attack", "gear")
            and not race.due
        ):
            stood = talk.rulebook.spare()  # type: ignore[attr-defined]
            stood.load(talk.last_mark[1])
            again = Conversation(begin(stood.state(), track))
            assert again.asked is not None
            assert (again.key, again.asked.options, again.asked.fields) == (talk.key, asked.options, asked.fields)
            resumed[race.attacking] += 1
        talk.answer(driver.answer(asked, race))
    assert min(resumed.values()) > 3


@pytest.mark.article("death", "phase.one-action", "attack.hit")
def test_an_action_can_be_taken_back_to_any_of_its_answers() -> None:
    table = attacking(armed(1, "L0", "forward-laser"), armed(2, "L8", defence="bravado"), order=[1, 2])
    table.say({"fire": "forward-laser", "at": 2}, True, 15, 10)
    assert points(table, 2) == 16
    table.talk.back(3)
    assert table.open == ("test", 1, "attack")
    assert (points(table, 2), table.car(1).weapons) == (18, {"forward-laser": 0})
    table.say(11)
    assert (points(table, 2), table.car(1).weapons) == (18, {"forward-laser": 1})


@pytest.mark.article("death", "phase.one-action")
def test_a_referee_may_move_a_car_in_the_middle_of_a_shot() -> None:
    table = attacking(armed(1, "L6", "flamer"), armed(2, "L8"), order=[1, 2])
    table.say({"fire": "flamer", "at": 2})
    table.talk.override({"car": 2, "status": "out"})
    assert (table.open, table.car(1).weapons) == (("gear", 1, ""), {"flamer": 0})


@pytest.mark.article("death", "phase.one-action")
def test_a_correction_that_leaves_the_board_carries_tokens_and_mines_over() -> None:
    table = attacking(armed(1, "L6", weapons={"flamer": 1, "slip-mines": 1}), armed(2, "L0"), order=[1, 2])
    table.say({"reload": "flamer"}, None)
    talk, spare = table.talk, table.rulebook.spare
    read = msgspec.msgpack.Decoder(table.rulebook.race_type).decode
    instead = Instead(Event(key=talk.events[0].key, answer={"reload": "slip-mines"}))
    stood = leave_board(talk, spare, read, 0, instead, {})
    assert stood.change == {"cars": [{"car": 1, "weapons": {"flamer": 1, "slip-mines": 0}}]}
    table.talk.override(stood.change)
    assert table.car(1).weapons == {"flamer": 1, "slip-mines": 0}
