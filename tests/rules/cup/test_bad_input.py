"""What makes no sense is refused in one sentence, and nothing has changed."""

from __future__ import annotations

from typing import Any

import pytest

from companion.rules.conversation.errors import BadOverride, BadSetup
from tests.rules.cup.boards import grid, race

CAR = {"car": 1, "gear": 3, "at": "2:left:1", "lap": 2}


@pytest.mark.parametrize(
    ("car", "said"),
    [
        ({"kers": 3}, "A car has 0 to 2 KERS points; car 1 cannot have 3."),
        ({"kers": -1}, "Car 1: kers is 0 to 9; -1 is not."),
        ({"bonus": -1}, "Car 1: bonus is 0 to 99; -1 is not."),
        ({"lap": 1, "raced": ["hard", "soft"]}, "Car 1 is in lap 1 and cannot have raced on hard, soft"),
        ({"raced": ["soft"]}, "Car 1 is on hard tyres and has raced on them; it says soft."),
        ({"raced": ["hard", "hard"]}, "cannot have raced on hard, hard"),
        ({"status": "coasting"}, "in the cup such a car is out"),
        ({"status": "wreck", "cause": "body"}, "in the cup such a car is out"),
        ({"wear": {"tyres": -1}}, "holds 0 to 60 points, not -1"),
    ],
)
@pytest.mark.article("cup", "kers.points", "tyres.two-compounds", "wear.pools")
def test_a_car_that_cannot_be(car: dict[str, Any], said: str) -> None:
    with pytest.raises(BadSetup, match=said):
        race({**CAR, **car})


@pytest.mark.parametrize(
    ("setup", "said"),
    [
        ({"options": {"botched_to": 15, "minimal_to": 5}}, "the second band ends after the first"),
        ({"options": {"base": [6, -3, 3, 3, 3, 2]}}, "wants a whole number from 0 to 9, not -3"),
        ({"options": {"cost": [1, 0, 1, 1, 1, 1]}}, "wants a whole number from 1 to 9, not 0"),
        ({"options": {"collision_dry": 21}}, "from 0 to 20, not 21"),
        ({"options": {"checks_wet": ["dry", "snow", "wet"]}}, "wants one of"),
        ({"options": {"aggravated_dry": 2}}, "no figure or switch called aggravated_dry"),
        ({"pitting": [7]}, "lists cars of the race by number"),
        ({"leaving": [1]}, "on the pit grid in one column only"),
        ({"leaving": [1, 1]}, "lists cars of the race by number, each once"),
        ({"grid": [1]}, "lists every car of the race from pole"),
    ],
)
@pytest.mark.article("cup", "pit.quick", "wear.pools", "pit.rows", "wear.construction")
def test_a_race_that_cannot_be(setup: dict[str, Any], said: str) -> None:
    with pytest.raises(BadSetup, match=said):
        race(CAR, {"car": 2, "at": "0:left:1"}, **setup)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"car": 1, "kers": 3}, "A car has 0 to 2 KERS points; car 1 cannot have 3."),
        ({"car": 1, "kers": -1}, "A car has 0 to 2 KERS points; car 1 cannot have -1."),
        ({"car": 1, "kers": True}, "KERS points"),
        ({"car": 1, "kers": "two"}, "A car has 0 to 2 KERS points; car 1 cannot have two."),
        ({"car": 1, "raced": ["hard", "rain"]}, "Car 1 has raced on hard, soft; hard, rain cannot be claimed for it."),
        ({"car": 1, "raced": ["soft"]}, "cannot be claimed"),
        ({"car": 1, "raced": "rain"}, "has raced on hard, soft; rain cannot be claimed"),
        ({"car": 1, "raced": 7}, "has raced on hard, soft; 7 cannot be claimed"),
        ({"car": 1, "waived": 1}, '"waived" is true or false.'),
        ({"car": 1, "stand": 1}, "stand cannot be set on a car"),
        ({"car": 1, "wear": {"tyres": -1}}, "A pool holds 0 to 60 points"),
    ],
)
@pytest.mark.article("cup", "kers.points", "tyres.two-compounds")
def test_a_word_that_makes_no_sense(change: dict[str, Any], said: str) -> None:
    table = race({**CAR, "raced": ["hard", "soft"]})
    before = table.talk.digest
    with pytest.raises(BadOverride, match=said):
        table.talk.override(change)
    assert table.talk.digest == before


@pytest.mark.article("cup", "kers.points", "tyres.two-compounds")
def test_a_word_that_does() -> None:
    table = race({**CAR, "raced": ["hard", "soft"]})
    table.talk.override({"car": 1, "kers": 2, "raced": ["hard"], "waived": True})
    car: Any = table.car(1)
    assert (car.kers, car.raced, car.waived) == (2, ["hard"], True)
    table.talk.override({"car": 1, "kers": 0, "raced": ["hard"], "stops": 0, "gear": 2})
    assert (car.kers, car.raced, car.gear) == (0, ["hard"], 2)
    other = race({**CAR, "raced": ["hard", "soft"]})
    other.talk.override({"car": 1, "tyres": "rain", "raced": ["rain", "soft"]})
    assert (other.car(1).tyres, other.car(1).raced) == ("rain", ["soft", "rain"])  # type: ignore[attr-defined]
    other.talk.override({"car": 1, "tyres": "hard"})
    assert (other.car(1).tyres, other.car(1).raced) == ("hard", ["soft", "hard"])  # type: ignore[attr-defined]
    with pytest.raises(BadOverride, match="Car 1 has raced on soft, hard; hard, rain, soft cannot be claimed"):
        other.talk.override({"car": 1, "tyres": "hard", "raced": ["hard", "rain", "soft"]})
    fresh = race(CAR)
    with pytest.raises(BadOverride, match="Car 1 has raced on nothing yet; hard, rain cannot be claimed for it"):
        fresh.talk.override({"car": 1, "raced": ["hard", "rain"]})


@pytest.mark.article("cup", "kers.points")
def test_the_table_may_allow_more_points() -> None:
    assert race({**CAR, "kers": 4}, options={"kers_most": 4}).car(1).kers == 4  # type: ignore[attr-defined]


@pytest.mark.article("cup", "pit.rows", "kers.points")
def test_a_place_on_the_grid_is_one_and_a_space_holds_one_car() -> None:
    parked = {"car": 2, "at": "box:4", "status": "box", "stop": "long", "leaves": 9}
    with pytest.raises(BadSetup, match="in one column only"):
        race(CAR, parked, leaving=[2], pitting=[2])
    with pytest.raises(BadSetup, match="a space holds one car"):
        race(CAR, {"car": 2, "at": CAR["at"]})


@pytest.mark.article("cup", "pit.rows", "pit.quick", "kers.points")
def test_races_that_are_just_possible() -> None:
    """All cars on the grid, a whole grid from pole, no minimal band; a car that is out stands in no column."""
    parked = {"car": 1, "at": "box:4", "status": "box", "stop": "long", "leaves": 1}
    assert race(parked, leaving=[1]).race.leaving == [1]
    assert race(CAR, {"car": 2, "at": "0:left:1"}, grid=[2, 1]).race.grid == [2, 1]
    assert race(CAR, options={"botched_to": 9, "minimal_to": 9}).ask == "gear"
    assert race(CAR, {"car": 2, "at": "box:4", "status": "out"}).race.leaving == []


@pytest.mark.article("cup", "pit.quick")
def test_a_quick_stop_s_die_has_no_0() -> None:
    near = {"car": 1, "gear": 3, "at": "4:left:10", "lap": 1}
    table = race(near)
    table.say(3, 8)
    table.land("box:4")
    table.say("soft", "quick")
    table.refuses(0, "The black die shows 1 to 20; 0 is not on it")


@pytest.mark.article("cup", "quali.die")
def test_a_position_goes_on_exactly_where_it_stands() -> None:
    """KERS, compounds, columns and marker travel in a position."""
    cars = [
        {**CAR, "kers": 1, "raced": ["hard", "soft"]},
        {"car": 2, "at": "box:4", "status": "box", "stop": "long", "leaves": 4, "service": "full", "bonus": 2},
        {"car": 3, "at": "box:3", "status": "box", "stop": "long", "leaves": 5, "service": "botched"},
    ]
    table = race(*cars, to_play=[1], leaving=[2], pitting=[3], wet_conditions=True, started="changeable")
    state = table.rulebook.state()
    assert state["wet_conditions"] is True
    again = grid(
        *state.pop("cars"), **{name: value for name, value in state.items() if name not in ("rulebook", "track")}
    )
    assert again.rulebook.state() == table.rulebook.state()


@pytest.mark.article("cup", "kers.points", "pit.rows")
def test_the_lists_of_all_races_are_checked_in_the_cup_too() -> None:
    with pytest.raises(BadSetup, match='"home" lists cars of the race by number, each once'):
        race(CAR, home=[9])


@pytest.mark.article("cup", "pit.rows", "kers.points")
def test_a_car_that_drives_off_the_grid_is_in_its_column_until_its_turn_is_over_and_no_other_is() -> None:
    """A position may be checked in the middle of that move."""
    cars = [{"car": n, "at": f"box:{5 - n}", "status": "box", "stop": "long", "leaves": 1} for n in (1, 2)]
    table = race(*cars, {"car": 9, "at": "0:left:4", "gear": 3}, leaving=[1, 2])
    table.say(4, 12)
    table.land("0:middle:5")
    assert (table.open, table.race.leaving) == (("test", 9, "collision"), [1, 2])
    assert not list(table.rulebook.faults())
    table.car(2).at = "2:left:1"
    assert any("Car 2 is on the pit grid in one column only" in str(fault) for fault in table.rulebook.faults())
