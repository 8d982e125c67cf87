"""The end: crossing the line, clearing turn one, who is disqualified."""

from __future__ import annotations

from typing import Any

import pytest

from tests.rules.cup.boards import race
from tests.table import WEAR, Table

HOME = {"car": 1, "gear": 3, "at": "4:middle:22", "lap": 1, "raced": ["hard"], "waived": True}
OTHER = {"car": 2, "at": "4:right:1", "gear": 2, "waived": True, "raced": ["hard"]}


def crosses(*others: dict[str, Any], **car: Any) -> Table:
    """Car 1 crosses the line of its last lap."""
    setup = car.pop("setup", {})
    table = race({**HOME, **car}, *(others or (OTHER,)), laps=1, **setup)
    table.say(3, 4)
    table.land("0:middle:3")
    return table


@pytest.mark.article("cup", "finish.order", "finish.turn-one", "race.laps", "kers.points")
def test_the_line_ends_nobodys_race_and_brings_kers_for_the_last_lap_too() -> None:
    table = crosses()
    assert (table.race.flagged, table.race.home, table.car(1).status) == ([1], [], "racing")
    assert (table.ruling("flag").facts, table.ask) == ({"place": 1}, "kers")


@pytest.mark.article("cup", "finish.turn-one", "finish.order")
def test_home_once_turn_one_is_left() -> None:
    table = race({**HOME, "at": "1:left:3", "lap": 2, "stops": 1}, OTHER, laps=1, flagged=[1])
    table.say(3, 4)
    table.land("2:left:4")
    assert (table.car(1).status, table.car(1).stops, table.race.home) == ("finished", 0, [1])
    assert table.ruling("finish").facts == {"place": 1}


@pytest.mark.article("cup", "finish.turn-one")
def test_in_turn_one_or_before_it_nobody_is_home() -> None:
    for at, face, space in (("0:left:1", 4, "0:left:5"), ("0:left:6", 4, "1:left:2")):
        table = race({**HOME, "at": at, "lap": 2}, OTHER, laps=1, flagged=[1])
        table.say(3, face)
        table.land(space)
        assert table.car(1).status == "racing"


@pytest.mark.article("cup", "finish.turn-one")
def test_points_may_be_spent_there_and_a_spin_disqualifies() -> None:
    def overshoots(tyres: int) -> Table:
        car = {**HOME, "at": "1:left:2", "lap": 2, "stops": 0, "wear": {**WEAR, "tyres": tyres}}
        table = race(car, OTHER, laps=1, flagged=[1])
        table.say(3, 4)
        table.land("2:left:3")
        return table

    first = race({**HOME, "at": "1:left:2", "lap": 1, "wear": {**WEAR, "tyres": 2}}, OTHER, laps=2)
    for table, out in (
        (first, None),
        (race({**HOME, "at": "0:left:6", "lap": 2, "wear": {**WEAR, "tyres": 0}}, OTHER, laps=1), "turn_one"),
    ):
        table.say(3, 8)
        spins = [option for option in table.options if option.facts.get("spin") and not option.answer["brakes"]]
        assert {option.facts.get("out") for option in spins} == {out}
    assert overshoots(3).car(1).status == "finished"
    table = overshoots(2)
    assert (table.car(1).status, table.car(1).cause, table.race.home) == ("out", "turn_one", [])
    assert table.race.dangers == []
    assert table.open == ("gear", 2, "")  # no weather check either


@pytest.mark.article("cup", "finish.turn-one")
@pytest.mark.parametrize(
    ("at", "lap", "laps", "gear", "face", "tyres", "told"),
    [
        ("4:left:22", 1, 1, 5, 18, 0, {(True, "turn_one")}),  # over the line and through turn one
        ("4:left:22", 1, 2, 5, 18, 0, {(True, None)}),
        ("0:left:6", 1, 1, 3, 8, 0, {(True, None)}),
        ("1:left:2", 2, 1, 3, 4, 9, {(None, None)}),
        ("2:left:14", 2, 1, 4, 9, 0, {(True, None)}),  # out of the next one
        ("1:left:2", 2, 1, 5, 19, 5, {(True, "turn_one")}),  # out of both
    ],
)
def test_a_spin_that_ends_the_race_is_offered_as_that(
    at: str, lap: int, laps: int, gear: int, face: int, tyres: int, told: set[tuple[bool | None, str | None]]
) -> None:
    car = {**HOME, "at": at, "lap": lap, "gear": gear, "wear": {**WEAR, "tyres": tyres}}
    table = race(car, {**OTHER, "at": "0:right:1"}, laps=laps, options={"missed_stops_spin": True})
    table.say(gear, face)
    over = [option.facts for option in table.options if "overshot" in option.facts and not option.answer["brakes"]]
    assert {(facts.get("spin"), facts.get("out")) for facts in over} == told


@pytest.mark.article("cup", "finish.turn-one")
def test_a_spin_out_of_turn_one_disqualifies_past_the_flag_only_beyond_another_corner_too() -> None:
    car = {**HOME, "at": "1:left:2", "lap": 2, "gear": 5, "wear": {**WEAR, "tyres": 17}}
    table = race(car, OTHER, laps=1, flagged=[1], options={"missed_stops_spin": True})
    table.say(5, 20)
    table.land("4:left:2")
    table.until("gear")
    assert table.car(1).cause == "turn_one"
    before = race({**HOME, "at": "1:left:2", "wear": {**WEAR, "tyres": 0}}, OTHER, laps=1)
    before.say(3, 4)
    before.land("2:left:3")
    assert (before.car(1).status, before.open) == ("spun", ("gear", 2, ""))


@pytest.mark.article("cup", "finish.turn-one", "finish.order")
def test_whoever_is_out_beyond_turn_one_does_not_finish() -> None:
    car = {**HOME, "at": "1:left:3", "lap": 2, "stops": 1, "wear": {**WEAR, "body": 0}}
    table = race(car, {**OTHER, "at": "2:middle:3", "lap": 2}, laps=1, flagged=[1, 2])
    table.say(3, 4)
    table.land("2:left:4")
    table.say(20, 1)
    table.until("gear")
    assert (table.car(1).status, table.race.home, table.rulebook.running_order()) == ("out", [], [2, 1])


@pytest.mark.article("cup", "finish.order", "race.laps")
def test_whoever_the_referee_puts_back_before_the_line_is_flagged_once() -> None:
    table = crosses(setup={"flagged": [1]})
    assert (table.race.flagged, table.kinds().count("flag")) == ([1], 0)


@pytest.mark.article("cup", "finish.turn-one")
def test_a_spin_elsewhere_disqualifies_nobody() -> None:
    car = {**HOME, "at": "3:left:3", "lap": 1, "gear": 5, "stops": 1, "wear": {**WEAR, "tyres": 1}}
    table = race(car, OTHER, laps=1)
    table.say(4, 7)
    table.land("4:left:7")
    assert (table.car(1).status, table.race.flagged) == ("spun", [])


@pytest.mark.article("cup", "finish.turn-one")
def test_whoever_spins_beyond_turn_one_has_cleared_it() -> None:
    car = {**HOME, "at": "2:left:14", "lap": 2, "gear": 4, "wear": {**WEAR, "tyres": 0}}
    table = race(car, OTHER, laps=1, flagged=[1], options={"missed_stops_spin": True})
    table.say(4, 7)
    table.land("4:left:4")
    assert (table.kinds(1)[-2:], table.car(1).status) == (["spin", "finish"], "finished")


@pytest.mark.article("cup", "finish.order")
def test_the_order_is_that_of_crossing_the_line_whoever_clears_turn_one_first() -> None:
    cars = [
        {**HOME, "at": "1:left:2", "lap": 2, "stops": 1},
        {**OTHER, "at": "1:right:7", "lap": 2, "stops": 1, "gear": 3},
        {"car": 3, "at": "4:left:1", "gear": 2, "raced": ["hard"], "waived": True},
    ]
    table = race(*cars, laps=1, flagged=[1, 2], to_play=[2, 1])
    assert table.rulebook.running_order() == [1, 2, 3]
    table.say(3, 4)
    table.say(table.options[0].answer)
    assert table.race.home == [2]
    assert table.ruling("finish").facts == {"place": 2}
    assert table.rulebook.running_order() == [1, 2, 3]
    table.say(3, 4)
    table.say(table.options[0].answer)
    assert table.race.home == [1, 2]
    assert [row["car"] for row in table.rulebook.result()][:2] == [1, 2]
    assert [row["points"] for row in table.rulebook.result()][:2] == [10, 8]


@pytest.mark.article("cup", "tyres.two-compounds", "finish.order")
def test_with_one_compound_only_a_car_is_disqualified() -> None:
    def ends(**car: Any) -> Table:
        table = race(
            {**HOME, "at": "1:left:3", "lap": 2, "stops": 1, "waived": False, **car}, OTHER, laps=1, flagged=[1]
        )
        table.say(3, 4)
        table.land("2:left:4")
        return table

    table = ends()
    assert (table.car(1).cause, table.race.home, table.ruling("out").article) == ("compounds", [], "ruling 19")
    assert (table.race.dangers, table.open) == ([], ("gear", 2, ""))  # no marker, no weather check
    assert ends(raced=["soft", "hard"]).race.home == [1]


@pytest.mark.article("cup", "finish.order", "race.laps")
def test_whoever_is_in_the_last_lap_still_plays_after_the_winner() -> None:
    table = race({**HOME, "at": "1:left:3", "lap": 2, "stops": 1}, OTHER, laps=1, flagged=[1])
    table.say(3, 4)
    table.land("2:left:4")
    assert table.open == ("gear", 2, "")
