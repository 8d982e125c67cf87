"""The referee's word while a turn is open, and the order that a position says: whose turn it is by then."""

from __future__ import annotations

from typing import Any

import pytest

from companion.rules.conversation.errors import BadOverride
from tests.table import WEAR, Table

BEHIND = ("10:middle:10", "10:middle:11", "10:left:10", "10:right:11")
"""A car, one straight ahead of it and one on either side, which leave it no way."""


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


@pytest.mark.article("competition", "6-2-2")
def test_an_order_that_begins_behind_the_leader_outlives_a_word_about_something_else() -> None:
    """The round is counted from car 2, so that car 3 plays next and the leader last."""
    race = line(to_play=[2, 3, 1])
    assert race.race.called == []
    race.talk.override({"sky": "rain"})
    race.talk.override({"car": 1, "wear": {"tyres": 2}})
    assert played(race) == [2, 3, 1]


@pytest.mark.article("competition", "0-0-2", "6-2-2")
def test_in_mid_round_the_loop_goes_on_whoever_is_put_in_front() -> None:
    """Ruling 7: car 1 has stayed on its brakes, so that the round is counted from the leader's place all the same."""
    race = line({"car": 1, "gear": 2})
    race.say(2, 2)
    race.land("10:left:9", brakes=2)
    race.until("gear")
    race.talk.override({"car": 2, "at": "10:left:13"})
    assert played(race) == [3, 2]


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


@pytest.mark.article("competition", "6-2-5")
@pytest.mark.parametrize(("at", "then", "lost"), [("left:7", "left:9", []), ("left:2", "left:6", [2])])
@pytest.mark.parametrize("gear", [False, True])
def test_whom_a_leader_passes_is_counted_from_where_the_referee_has_put_him(
    at: str, then: str, lost: list[int], gear: bool
) -> None:
    """Beyond car 2, a lap down, which he did not pass in his turn, and behind it again."""
    begin = "left:3" if at == "left:7" else "left:7"
    race = line(
        {"car": 1, "at": f"10:{begin}", "lap": 2, "gear": 2},
        {"car": 2, "at": "10:right:6", "lap": 1, "gear": 2},
        {"car": 3, "at": "10:left:1", "lap": 2, "gear": 2},
        to_play=[],
    )
    if gear:
        race.say(2)
    race.talk.override({"car": 1, "at": f"10:{at}"})
    race.say(*([] if gear else [2]), 2 if at == "left:7" else 4)
    race.land(f"10:{then}")
    race.until("gear")
    assert [ruling.car for ruling in race.rulings if ruling.kind == "lost_turn"] == lost


@pytest.mark.article("competition", "6-2-5")
@pytest.mark.parametrize(("to", "lost"), [("after:2", [4]), ("after:3", [])])
def test_on_a_corner_sheet_too(to: str, lost: list[int]) -> None:
    """Behind car 4 in its stretch, or beyond it; it got there first."""
    cars = [{"car": 4, "at": "after:2", "gear": 3}, {"car": 1, "at": "after:1", "gear": 3, "lap": 2}]
    race = Table(cars, "spa", to_play=[1, 4])
    race.talk.override({"car": 1, "at": to})
    race.say(3, 4, {"in": f"corner {int(to[-1]) + 1}"})
    assert [ruling.car for ruling in race.rulings if ruling.kind == "lost_turn"] == lost


@pytest.mark.article("competition", "0-0-3", "14-2")
def test_a_car_that_is_made_a_wreck_in_its_turn_goes_in_the_next_round() -> None:
    race = line()
    race.talk.override({"car": 1, "status": "wreck"})
    assert (race.open, race.car(1).status, race.race.played) == (("gear", 2, ""), "wreck", [1])
    assert played(race) == [2, 3]
    assert race.car(1).status == "out"


@pytest.mark.article("competition", "0-0-3", "10-4-6")
def test_a_turn_in_which_a_car_has_driven_is_not_begun_again() -> None:
    """It restarts with a 20, and comes up behind car 2; set spun again, it makes its tests and that is all."""
    spun = {"car": 1, "at": "10:left:1", "status": "spun", "turned": True, "gear": 1}
    race = line(spun, {"car": 3, "at": "12:left:1"}, to_play=[1, 2, 3])
    race.say(20)
    race.land("10:left:4", brakes=1)
    assert race.open == ("test", 2, "collision")
    race.talk.override({"car": 1, "status": "spun"})
    race.until("gear")
    assert (race.open, race.car(1).status) == (("gear", 2, ""), "spun")


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


# -- what the word takes away


def flat_out(**first: Any) -> Table:
    """Cars 1 and 2 in 5th, car 1 behind and about to roll; the sky is changeable."""
    cars = [{"car": 1, "at": "10:left:5", "gear": 5, **first}, {"car": 2, "at": "10:right:1", "gear": 5}]
    return Table(cars, to_play=[1, 2], sky="changeable")


@pytest.mark.article("competition", "0-0-3", "16-0-3")
def test_an_engine_that_is_broken_by_word_during_a_move_is_coasted_out_in_the_next() -> None:
    table = flat_out()
    table.say(5, 15)
    before = table.options
    assert len(before) > 1
    table.talk.override({"car": 1, "wear": {"engine": 0}})
    assert table.car(1).status == "coasting"
    assert table.options == before, "it need not go as far as it can"
    table.say(before[-1].answer)
    table.until(lambda: table.open == ("gear", 1, "coast") or table.open == ("gear", 2, ""))
    table.talk.override({"order": [1]})
    assert table.open == ("gear", 1, "coast")


@pytest.mark.article("competition", "16-0-1")
def test_whoever_is_put_out_by_word_leaves_no_engine_tests_without_a_20() -> None:
    table = flat_out()
    table.say(5, 19)
    table.talk.override({"car": 1, "status": "out"})
    assert table.open == ("gear", 2, "")


@pytest.mark.article("competition", "0-0-3")
def test_who_plays_last_by_word_and_is_out_in_its_turn_has_played_once() -> None:
    table = flat_out()
    table.say(5)
    table.talk.override({"order": [2]})
    table.talk.override({"car": 1, "status": "out"})
    assert (table.open, table.race.played) == (("gear", 2, ""), [1])


@pytest.mark.article("competition", "16-0-1", "3-2-5")
@pytest.mark.parametrize("change", [{"status": "out"}, {"wear": {"body": 0}}])
@pytest.mark.parametrize("at", ["landing", "engine"])
def test_the_roller_of_a_20_put_out_by_word_leaves_the_others_their_engine_tests(
    change: dict[str, Any], at: str
) -> None:
    table = flat_out()
    table.say(5, 20)
    if at == "engine":
        table.say(table.options[0].answer)
        assert table.open == ("test", 1, "engine")
    table.talk.override({"car": 1, **change})
    assert table.open == ("test", 2, "engine")
    table.say(1)
    assert table.car(2).wear["engine"] == WEAR["engine"] - 1
    assert table.open == ("gear", 2, "")
    assert (table.race.due, table.race.played) == ([1], [1])


@pytest.mark.article("competition", "16-0-1")
def test_an_engine_that_was_tested_is_not_tested_again() -> None:
    """The roller is put out while the third engine is tested."""
    cars = [{"car": 1, "at": "10:left:5"}, {"car": 2, "at": "10:right:2"}, {"car": 3, "at": "10:left:1"}]
    table = Table([{**car, "gear": 5} for car in cars], to_play=[1, 2, 3], sky="changeable")
    table.say(5, 20)
    table.say(table.options[0].answer)
    tested = [table.open]
    table.say(20)
    tested.append(table.open)
    table.say(20)
    tested.append(table.open)
    assert tested == [("test", 1, "engine"), ("test", 2, "engine"), ("test", 3, "engine")]
    table.talk.override({"car": 1, "status": "out"})
    assert table.open == ("test", 3, "engine")
    table.say(20)
    assert table.ask == "gear"


@pytest.mark.article("competition", "16-0-1", "16-0-2")
@pytest.mark.parametrize("change", [{"wear": {"engine": 0}}, {"gear": 4}])
def test_an_engine_that_is_none_to_test_any_more_is_not_tested(change: dict[str, Any]) -> None:
    table = flat_out()
    table.say(5, 20)
    table.say(table.options[0].answer)
    assert table.open == ("test", 1, "engine")
    table.talk.override({"car": 1, **change})
    assert table.open == ("test", 2, "engine")
    assert not table.race.dangers


@pytest.mark.article("competition", "14-1")
@pytest.mark.parametrize(("change", "tests"), [({"at": "12:left:3"}, False), ({"gear": 1}, True)])
def test_a_car_that_does_not_touch_the_mover_any_more_makes_no_test(change: dict[str, Any], tests: bool) -> None:
    table = Table([{"car": 1, "at": "10:left:1", "gear": 2}, {"car": 2, "at": "10:left:4", "gear": 2}], to_play=[1, 2])
    table.say(2, 2)
    table.land("10:left:3")
    assert table.open == ("test", 2, "collision")
    table.talk.override({"car": 2, **change})
    assert (table.open == ("test", 2, "collision")) is tests
    assert tests or table.open == ("gear", 2, "")


@pytest.mark.article("competition", "14-1", "19-5-3")
@pytest.mark.parametrize(("change", "tests"), [({"at": "pit:2"}, False), ({"at": "after:4"}, True)])
def test_on_a_corner_sheet_a_car_that_is_in_the_pits_makes_none(change: dict[str, Any], tests: bool) -> None:
    """Where a car stands within a stretch, or beyond it, the table has seen; in the pits nobody is touched."""
    table = Table(
        [{"car": 1, "at": "after:1", "gear": 2}, {"car": 2, "at": "after:1", "gear": 2}], "monza", to_play=[1]
    )
    table.say(2, 2, {"in": "after corner 1", "ahead": 2})
    assert table.open == ("test", 2, "collision")
    table.talk.override({"car": 2, **change})
    assert (table.open == ("test", 2, "collision")) is tests


@pytest.mark.article("competition", "19-2-1", "19-2-5")
@pytest.mark.parametrize("answers", [(), ("soft",), ("soft", "quick"), ("soft", "long")])
@pytest.mark.parametrize(("at", "status"), [("pit:2", "pit"), ("0:left:2", "racing")])
def test_a_car_that_is_not_in_its_box_after_all_is_served_no_further(
    answers: tuple[str, ...], at: str, status: str
) -> None:
    car = {"car": 1, "at": "pit:1", "gear": 3, "box": 3, "stand": 2, "wear": {**WEAR, "brakes": 1}, "built": WEAR}
    table = Table([car, {"car": 2, "at": "8:left:1", "gear": 2}], to_play=[1, 2])
    table.say(3, 8)
    table.say(table.options[0].answer)
    assert (table.open, table.car(1).at) == (("tyres", 1, ""), "box:3")
    table.say(*answers)
    table.talk.override({"car": 1, "at": at, "lap": 2 if status == "racing" else 1})
    assert (table.car(1).status, table.car(1).stop, table.open) == (status, "", ("gear", 2, ""))
    assert table.car(1).wear["brakes"] == 1


# -- the sky before the start


@pytest.mark.article("competition", "2-0-1", "3-0-4", "3-1-1", "3-2-2", "3-2-3", "3-2-4")
@pytest.mark.parametrize("drawn", [(), (1,), (20,), (10,)])
@pytest.mark.parametrize(
    ("change", "surface", "fixed", "asked"),
    [
        ({"sky": "sun"}, "dry", True, "box"),
        ({"sky": "rain"}, "wet", True, "box"),
        ({"sky": "changeable"}, "", False, "practice"),
        ({"sky": "changeable", "surface": "wet"}, "wet", False, "box"),
    ],
)
def test_the_sky_that_the_referee_says_before_the_start_is_the_race_s(
    drawn: tuple[int, ...], change: dict[str, Any], surface: str, fixed: bool, asked: str
) -> None:
    """Whatever had been drawn; nothing is drawn for it, and it does not count as drawn."""
    table = Table([{"car": 1}, {"car": 2}])
    table.say(*drawn)
    table.talk.override(change)
    race = table.race
    assert (race.sky, race.surface, race.fixed, race.drawn) == (change["sky"], surface, fixed, "")
    assert table.ask == asked


@pytest.mark.article("competition", "2-0-1", "3-0-4")
def test_the_weather_is_drawn_though_it_is_known_what_the_track_is() -> None:
    table = Table([{"car": 1}, {"car": 2}], surface="wet")
    assert table.open == ("test", 1, "weather")
    table.talk.override({"surface": "dry"})
    assert table.open == ("test", 1, "weather")
    table.say(10)
    assert (table.race.sky, table.race.surface, table.ask) == ("changeable", "dry", "box")


@pytest.mark.article("competition", "3-2-4", "3-2-5")
@pytest.mark.parametrize(("due", "draws"), [([1], 1), ([2], 1), ([], 0)])
def test_a_draw_that_is_not_due_any_more_is_not_made(due: list[int], draws: int) -> None:
    """At the end of the round, while its die is open."""
    table = line(to_play=[3], due=[1, 1], sky="changeable", surface="dry")
    while table.open != ("test", 1, "weather"):
        table.say({"gear": 2, "roll": 2}.get(table.ask or "", table.options[0].answer if table.options else 20))
    table.talk.override({"due": due})
    table.say(*[10] * draws)
    assert (table.ask, table.race.due) == ("gear", [])


# -- what a car that is out leaves to others


@pytest.mark.article("competition", "12-1-5", "20-2-2")
@pytest.mark.parametrize(
    ("word", "there"),
    [
        ({"surface": "dry"}, [3, 4]),
        ({"car": 3, "wear": {"tyres": 2}}, [3, 4]),
        ({"car": 1, "gear": 2}, [3, 4]),
        ({"car": 1, "status": "out"}, [3, 4]),
        ({"car": 3, "at": "12:left:3"}, [4]),
    ],
)
def test_whoever_stands_beside_a_car_out_by_blocking_tests_whatever_is_set_meanwhile(
    word: dict[str, Any], there: list[int]
) -> None:
    """Car 1 is out behind car 2; cars 3 and 4 beside it test aggravated, by their places from the leader back, but not
    one that does not stand beside it after all."""
    cars = [{"car": number, "at": place, "gear": 3} for number, place in enumerate(BEHIND, 1)]
    race = Table(cars, to_play=[1])
    race.say(4, 12)
    race.land(BEHIND[0])
    assert race.ruling("out", 1).facts["cause"] == "blocked"
    tests = []
    while race.ask == "test":
        race.talk.override(word)
        tests.append((race.open, race.fields["loses_to"]))
        race.say(20)
    assert sorted(tests) == [(("test", number, "collision"), 2) for number in there]
