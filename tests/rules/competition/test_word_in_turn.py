"""The referee's word while a turn is open, and the order that a position says: whose turn it is by then."""

from __future__ import annotations

from typing import Any

import pytest

from companion.rules.conversation.errors import BadOverride
from tests.table import WEAR, Table


def line(*cars: dict[str, Any], **setup: Any) -> Table:
    """Cars 1, 2 and 3 on the long straight, in this order, with what is said of each."""
    usual = [{"car": number, "at": f"10:left:{13 - 4 * number}", "gear": 3} for number in (1, 2, 3)]
    said = {car["car"]: car for car in cars}
    return Table([{**car, **said.get(car["car"], {})} for car in usual], **{"to_play": [1, 2, 3], **setup})


def played(race: Table) -> list[int]:
    """Who is asked for a gear until the round is over; everybody drives one space in 1st."""
    order: list[int] = []
    here = race.race.round
    while race.open is not None and race.race.round == here:
        if race.ask == "gear":
            order.append(race.open[1] or 0)
        race.say({"gear": 2, "roll": 2}.get(race.ask or "", race.options[0].answer if race.options else 20))
    return order


# -- what a position says of the order


@pytest.mark.article("competition", "6-2-2")
@pytest.mark.parametrize(
    ("called", "to_play", "kept"),
    [
        ([], [1, 2, 3], []),
        ([1], [1, 2, 3], [1]),  # who leads by the rules and by the referee's word does so by both
        ([2], [1, 2, 3], []),
        ([2], [1, 3], []),
        ([], [3, 1, 2], [3]),
        ([3], [3, 1, 2], [3]),
        ([2], [3, 1, 2], [3]),
        ([], [3, 2, 1], [3, 2]),
        ([], [2], []),
    ],
)
def test_as_many_are_called_as_it_takes(called: list[int], to_play: list[int], kept: list[int]) -> None:
    """In a round that goes by the place of car 1."""
    race = line(to_play=to_play, called=called, sweep=line().race.sweep)
    assert race.race.called == kept
    assert played(race) == to_play


@pytest.mark.article("competition", "6-2-2")
def test_an_order_that_was_said_outlives_a_place_that_is_set() -> None:
    """Car 2 is put in front of car 1 before anybody has played: the position said that it plays after it."""
    race = line(to_play=[3, 1, 2], sweep=line().race.sweep)
    race.talk.override({"car": 2, "at": "10:left:13"})
    assert played(race) == [3, 1, 2]
    alike = line()
    alike.talk.override({"car": 2, "at": "10:left:13"})
    assert played(alike) == [2, 1, 3]  # where none was said the round goes by whoever leads now


# -- the turn that is open


@pytest.mark.article("competition", "0-0-2", "6-2-2")
def test_a_leader_across_the_line_leads_whatever_is_set() -> None:
    race = line(
        {"car": 1, "at": "0:left:2", "lap": 2},
        {"car": 2, "at": "20:left:15"},
        {"car": 3, "at": "20:left:9"},
    )
    race.talk.override({"car": 1, "wear": {"tyres": 2}})
    assert race.open == ("gear", 1, "")
    assert played(race) == [1, 2, 3]


@pytest.mark.article("competition", "6-2-2")
def test_an_order_that_names_nobody_leaves_the_turn_that_is_open() -> None:
    race = line()
    race.talk.override({"order": []})
    assert race.open == ("gear", 1, "")
    assert (race.race.move.car, race.race.played) == (1, [1, 2, 3])
    assert played(race) == [1]


@pytest.mark.article("competition", "0-0-2", "6-2-2")
def test_a_turn_in_which_the_gear_is_set_is_played_to_its_end() -> None:
    """Also where another leads by then; and one that is asked for its gear still leads if it is set further on."""
    race = line()
    race.talk.override({"car": 1, "at": "10:left:10"})
    assert race.open == ("gear", 1, "")
    race.say(3)
    race.talk.override({"car": 2, "at": "10:left:13"})
    assert race.open == ("roll", 1, "gear_3")


@pytest.mark.article("competition", "3-2-5", "6-2-2")
def test_at_the_end_of_a_round_nobody_s_turn_is_open() -> None:
    race = Table([{"car": 1, "at": "10:left:1", "gear": 2}], to_play=[1], sky="changeable", due=[1])
    race.say(2, 2)
    race.land("10:left:3")
    assert race.open == ("test", 1, "weather")
    race.talk.override({"car": 1, "at": "10:left:9"})
    assert race.open == ("test", 1, "weather")


# -- how a race may stand


@pytest.mark.article("competition", "7-1-1", "6-2-1", "21-1-1")
def test_stops_are_held_against_the_corner_but_those_of_the_turn_that_is_open() -> None:
    """Monza's first corner asks for two stops, the second for one: until its turn is over a car has those it came
    with."""
    cars = [
        {"car": 1, "at": "corner:1", "gear": 3, "stops": 2},
        {"car": 2, "at": "corner:2", "gear": 3, "stops": 1},
    ]
    race = Table(cars, "monza", to_play=[1, 2])
    race.say(3, 7, {"in": "corner 2", "dangers": 1})
    assert race.open == ("test", 1, "handling")
    assert (race.car(1).stops, list(race.rulebook.faults())) == (2, [])
    with pytest.raises(BadOverride, match="Car 2: corner 2 asks for 1 stops; 2 cannot count in it"):
        race.talk.override({"car": 2, "stops": 2})


@pytest.mark.article("competition", "16-0-3", "5-1-1")
def test_a_car_is_set_coasting_in_the_gear_that_is_said() -> None:
    """In 3rd its engine would have taken it off; an engine that holds does not coast."""
    race = line()
    race.talk.override({"car": 2, "status": "coasting", "coast": 2, "wear": {"engine": 0}})
    assert (race.car(2).status, race.car(2).coast, race.race.gone) == ("coasting", 2, [])
    with pytest.raises(BadOverride, match="Car 3 is coasting with an engine that holds"):
        race.talk.override({"car": 3, "status": "coasting", "wear": {"engine": 2}})
    assert (race.car(3).status, race.car(3).wear) == ("racing", WEAR)


@pytest.mark.article("competition", "3-2-5", "10-4-1", "6-2-2")
def test_an_order_holds_for_its_round_alone() -> None:
    """Car 2, which was to play last, goes out before its turn: nobody is waited for in the next round."""
    race = line()
    race.talk.override({"order": [3, 1, 2]})
    assert (race.open, race.race.called) == (("gear", 3, ""), [3, 1, 2])
    race.talk.override({"car": 2, "status": "out"})
    assert played(race) == [3, 1]
    assert (race.race.round, race.race.called) == (2, [])


@pytest.mark.article("competition", "21-1-2", "21-1-3")
def test_who_never_left_the_grid_has_driven_no_lap() -> None:
    cars = [{"car": number, "box": number, "wear": dict(WEAR), "tyres": "hard"} for number in (1, 2)]
    race = Table(cars, sky="sun")
    race.talk.override({"car": 2, "status": "out"})
    assert [(row["car"], row["laps"]) for row in race.rulebook.result()] == [(1, 0), (2, 0)]
