"""The stop of the box: in with a die that reaches, all tyres back, out when the black die says.

Monaco's lane has 18 spaces; box n lies beside its space n + 3; it is entered from 20:right:1 and 20:right:2."""

from __future__ import annotations

from typing import Any

import pytest

from tests.rules.competition.test_pit_order import EXAMPLE
from tests.rules.formula_d.tables import position, worn
from tests.table import WEAR, Table

WORN = worn(tyres=1, brakes=1, gearbox=0)


def at_box(**setup: Any) -> Table:
    """Car 1 has reached box 1 in 5th."""
    table = position({"at": "20:right:1", "gear": 5, "box": 1, "round_set": True, **WORN}, **setup)
    table.say(5, 11)
    table.land("box:1")
    return table


@pytest.mark.article("formula-d", "pits.when")
@pytest.mark.parametrize(("lap", "laps", "opened"), [(1, 2, True), (2, 2, False), (1, 1, False), (2, 3, True)])
def test_the_pits_are_open_at_the_end_of_every_lap_but_the_last(lap: int, laps: int, opened: bool) -> None:
    table = position({"at": "20:right:1", "gear": 3, "box": 1, "lap": lap, "round_set": True}, laps=laps)
    table.say(3, 8)
    assert any(space.startswith(("pit", "box")) for space in table.spaces()) == opened


@pytest.mark.article("formula-d", "pits.enter")
@pytest.mark.parametrize(("gear", "face", "reaches"), [(2, 4, False), (3, 4, False), (3, 6, True), (5, 20, True)])
def test_any_speed_will_do_but_the_die_must_reach_the_box(gear: int, face: int, reaches: bool) -> None:
    """From the first entry pit:1 is a space away and the first box five; nobody stops in the lane before it."""
    table = position({"at": "20:right:1", "gear": gear, "box": 1, "round_set": True})
    table.say(gear, face)
    inside = {space for space in table.spaces() if space.startswith(("pit", "box"))}
    assert inside == ({"box:1"} if reaches else set())


@pytest.mark.article("formula-d", "pits.enter")
def test_a_die_that_reaches_the_box_is_not_braked_to_a_stop_in_the_lane() -> None:
    table = position({"at": "20:right:1", "gear": 3, "box": 1, "round_set": True})
    table.say(3, 6)
    ends = [(option.answer["space"], option.answer["brakes"]) for option in table.options]
    assert {end for end in ends if end[0].startswith(("pit", "box"))} == {("box:1", 0)}


@pytest.mark.article("formula-d", "pits.exempt", "brakes.voluntary")
@pytest.mark.parametrize(
    ("car", "most"),
    [
        ({"at": "after:2"}, 2),
        ({"at": "pit:1", "status": "pit"}, 0),
        ({"at": "pit:1", "status": "pit", "stop": "left"}, 2),
    ],
)
def test_on_a_corner_sheet_brakes_are_asked_for_but_in_the_lane_before_the_box(car: dict[str, Any], most: int) -> None:
    table = position({**car, "gear": 3, "box": 1, **worn(brakes=2)}, track="monza")
    table.say(3, 6)
    assert table.fields["brakes"] == [0, most]


@pytest.mark.article("formula-d", "pits.enter")
def test_slipstream_does_not_lead_into_the_pits() -> None:
    """Ruling 14."""
    table = position(
        {"at": "18:right:5", "gear": 4, "box": 1, "round_set": True}, {"at": "20:right:2", "gear": 4}, to_play=[1, 2]
    )
    table.say(4)
    table.talk.answer(5, forced=True)
    ends = sorted(table.spaces())
    assert ends
    assert not any(space.startswith(("pit", "box")) for space in ends)


@pytest.mark.article("formula-d", "pits.tyres")
def test_in_the_box_all_tyres_come_back_and_nothing_else() -> None:
    table = at_box()
    assert table.open == ("test", 1, "quick_stop")
    assert table.car(1).wear == {**WEAR, "brakes": 1, "gearbox": 0}
    assert table.ruling("box").wear == {"tyres": 5}
    assert table.ruling("box").article == "pits.tyres"


@pytest.mark.article("formula-d", "pits.quick")
@pytest.mark.parametrize(("face", "spaces"), [(1, 1), (2, 1), (7, 4), (10, 5)])
def test_one_to_ten_leaves_at_once_in_4th_by_half_of_it(face: int, spaces: int) -> None:
    table = at_box()
    table.say(face)
    assert table.ruling("quick_stop").article == "pits.quick"
    assert table.car(1).gear == 4
    (option,) = table.options
    assert (option.answer["space"], option.facts["moved"]) == (f"pit:{3 + spaces}", spaces)
    table.say(option.answer)
    assert (table.car(1).status, table.car(1).gear) == ("pit", 4)


@pytest.mark.article("formula-d", "pits.slow")
@pytest.mark.parametrize("face", [11, 20])
def test_eleven_to_twenty_leaves_in_the_next_turn_in_4th_or_less(face: int) -> None:
    table = at_box()
    table.say(face)
    assert table.ruling("quick_stop").article == "pits.slow"
    assert table.open == ("gear", 1, "leave")
    assert [option.answer for option in table.options] == [1, 2, 3, 4]  # ruling 16
    table.say(4)
    assert table.open == ("roll", 1, "gear_4")


@pytest.mark.article("formula-d", "pits.exempt", "gears.price")
def test_in_the_lane_no_gear_has_a_price_and_nobody_brakes() -> None:
    lane = {"at": "pit:6", "gear": 5, "box": 10, "status": "pit", **WORN}
    table = position(lane)
    assert {option.answer: option.wear for option in table.options} == {gear: {} for gear in range(1, 7)}
    table.say(2, 3)
    assert table.car(1).wear == WORN["wear"]
    assert {option.answer["brakes"] for option in table.options} == {0}
    out = position({"at": "pit:15", "gear": 4, "box": 1, "status": "pit", "stop": "left"})
    out.say(4, 8)
    assert {option.answer["brakes"] for option in out.options} == {0, 1, 2, 3}
    assert not any(option.answer["space"].startswith("pit") for option in out.options)


@pytest.mark.article("formula-d", "pits.exempt", "collision.test", "engine.test", "debris.laid")
def test_in_the_lane_there_is_no_collision_no_engine_test_and_no_debris() -> None:
    lane = {"at": "pit:6", "gear": 5, "box": 10, "status": "pit"}
    table = position({"at": "20:right:8", "gear": 5}, lane, {"at": "2:left:1", "gear": 5})
    table.say(5, 20)
    table.say(next(option.answer for option in table.options if "out" not in option.facts))
    assert 2 not in [number for number, _ in table.tested("engine")]
    queue = position({"at": "pit:4", "gear": 2, "box": 10, "status": "pit"}, {**lane, "at": "pit:7"})
    queue.say(2, 2)
    queue.land("pit:6")
    assert queue.ask != "test"
    entering = position({"at": "20:right:1", "gear": 6, "box": 1, "round_set": True})
    entering.say(2)  # an engine point
    entering.talk.answer(9, forced=True)
    entering.land("box:1")
    assert entering.race.dangers == []


@pytest.mark.article("formula-d", "pits.queue")
def test_in_the_lane_a_car_waits_behind_another_at_no_cost() -> None:
    """Entering it has to roll as many spaces as reach its box, even if another stands in its way [ruling 13]."""
    cars = [{"at": "20:right:1", "gear": 3, "box": 5, "round_set": True}, {"at": "pit:4", "box": 1, "status": "pit"}]
    short = position(*cars)
    short.say(3, 7)
    assert not any(space.startswith("pit") for space in short.spaces())
    table = position(*cars)
    table.say(4)
    table.talk.answer(9, forced=True)
    assert "pit:3" in table.spaces()
    assert table.option(space="pit:3", brakes=0).wear == {}
    table.land("pit:3")
    assert (table.car(1).status, table.car(1).wear) == ("pit", WEAR)


@pytest.mark.article("formula-d", "pits.order")
def test_cars_between_entry_and_exit_play_before_those_in_the_lane() -> None:
    """Cars A to H of the example around the pits, which is that of the championship's text."""
    names = "ABCDEFGH"
    cars = [{"car": ord(name) - 64, "round_set": True, **EXAMPLE[name]} for name in reversed(names)]
    table = position(*cars, laps=3, to_play=[ord(name) - 64 for name in names])
    assert "".join(chr(number + 64) for number in table.rulebook.running_order()) == names
