"""A race on a corner sheet: laps, pits, order, coasting and the finish. Monza: corners of 2, 1, 1, 1, 2 and 1 stops."""

from __future__ import annotations

from typing import Any

import pytest

from companion.circuits import load
from companion.drivers.sensible import HeuristicDriver
from companion.rules.conversation.conversation import Conversation
from companion.rules.rulebooks import begin
from tests.table import WEAR, Table

Cars = list[dict[str, Any]]


def sheet(*cars: dict[str, Any], to_play: list[int] | None = None, **setup: Any) -> Table:
    full = [{"gear": 3, "box": car["car"], **car} for car in cars]
    return Table(full, to_play=to_play or [full[0]["car"]], **{"track": "monza", **setup})


# -- the line


@pytest.mark.article("competition", "8-0-2", "21-1-5")
def test_the_line_counts_the_lap_and_ages_the_tyres() -> None:
    table = sheet({"car": 1, "at": "after:6", "tyre_laps": 1})
    table.say(3, 7, {"in": "after corner 6", "line": True})
    car = table.car(1)
    assert (car.at, car.lap, car.tyre_laps) == ("after:0", 3, 2)
    assert table.ruling("lap").facts == {"lap": 3, "tyre_laps": 2}
    # Past the line the same straight leads to corner 1, and the line does not come again.
    table.say(3, 7)
    assert table.fields["in"][:2] == ["after corner 6", "corner 1"]
    table.refuses({"in": "corner 1", "line": True}, "does not cross it")
    table.say({"in": "corner 1"})
    assert table.car(1).lap == 3


@pytest.mark.article("competition", "21-1-5")
def test_a_move_into_the_first_corner_crosses_the_line() -> None:
    table = sheet({"car": 1, "at": "after:6"})
    table.say(3, 7)
    table.refuses({"in": "corner 1"}, "crosses the line")
    table.say({"in": "corner 1", "line": True})
    assert table.car(1).lap == 2


# -- the finish


@pytest.mark.article("competition", "21-1-1", "17-3")
def test_the_finish_and_what_lies_beyond_it() -> None:
    table = sheet({"car": 1, "at": "corner:6", "lap": 3}, {"car": 2, "at": "after:0", "lap": 3})
    table.say(3, 7)
    table.refuses({"in": "after corner 6", "line": True, "blocked": 2}, "not blocked any more")
    # An overshoot ends at the line: here there was no space between the corner and the line.
    table.say({"in": "after corner 6", "line": True, "beside": [2]})
    assert table.ruling("finish").article == "21-1-1"
    assert table.car(1).status == "finished"
    assert table.race.home == [1]
    assert table.ask != "test"


@pytest.mark.article("competition", "21-1-1", "17-3")
def test_beyond_two_corners_at_the_finish_is_at_least_the_last_corner() -> None:
    def table() -> Table:
        home = sheet({"car": 1, "at": "corner:5", "lap": 3, "stops": 1, "wear": {**WEAR, "tyres": 6}})
        home.say(3, 8)
        return home

    home = {"in": "after corner 6", "line": True}
    table().refuses({**home, "overshot": 16}, "cannot be 16 beyond 2 corners, added up; it is 1 to 15")
    table().say({**home, "overshot": 1})


@pytest.mark.article("competition", "21-1-2", "10-3")
def test_an_overshoot_to_the_finish_still_costs_tyres() -> None:
    table = sheet({"car": 1, "at": "corner:6", "lap": 3})
    table.say(3, 8, {"in": "after corner 6", "line": True, "overshot": 7})
    assert table.car(1).status == "out"
    assert table.race.home == []


@pytest.mark.article("competition", "17-3", "21-1-5")
def test_corners_beyond_the_finish_ask_for_nothing() -> None:
    """Ruling 99: a roll that would lead through a corner of two stops; what is missing before the line counts."""
    table = sheet({"car": 1, "at": "after:6", "lap": 3})
    table.say(3, 7)
    assert table.fields["past"] is None
    assert [option.answer for option in table.options] == [
        {"in": "after corner 6"},
        {"in": "after corner 6", "line": True},
    ]
    table.refuses({"in": "after corner 1", "line": True, "overshot": 3}, "nothing overshot")
    table.say({"in": "after corner 1", "line": True})
    assert (table.car(1).status, table.car(1).wear) == ("finished", WEAR)
    table = sheet({"car": 1, "at": "corner:6", "lap": 3})
    table.say(3, 8, {"in": "after corner 1", "line": True, "overshot": 2})
    assert table.ruling("overshoot").facts["corners"] == [6]
    assert table.car(1).status == "finished"


@pytest.mark.article("competition", "17-3", "18-1-4")
@pytest.mark.parametrize(("lap", "brake"), [(2, 1), (3, 0)])
def test_a_slipstream_over_the_finish_costs_no_brake_for_the_corner_beyond(lap: int, brake: int) -> None:
    table = sheet({"car": 1, "at": "after:6", "lap": lap, "gear": 4}, {"car": 2, "at": "after:6", "gear": 4})
    table.say(4, 7, {"in": "after corner 6", "ahead": 2}, True, {"in": "corner 1", "line": True})
    assert table.car(1).wear["brakes"] == WEAR["brakes"] - brake


@pytest.mark.article("competition", "17-3", "21-1-3")
def test_out_of_the_pits_at_the_flag_a_car_is_home_before_all_that_follows() -> None:
    """With the switch of ruling 100 whoever leaves the pits then is home: no stop, no danger, no car beyond counts."""
    table = sheet(
        {"car": 1, "at": "box:1", "box": 1, "status": "box", "stop": "missed", "lap": 2},
        {"car": 2, "at": "after:1", "lap": 2},
        {"car": 9, "at": None, "status": "finished", "lap": 4},
        to_play=[1, 2],
        options={"flag_next_crossing": True},
    )
    table.say(4, 9)
    assert [option.answer for option in table.options] == [{"in": "pit"}, {"in": "after corner 6"}]
    table.refuses({"in": "corner 1", "dangers": 1}, "dangers is a count from 0 to 0")
    table.refuses({"in": "corner 1", "walls": 1}, "walls is a count from 0 to 0")
    table.refuses({"in": "corner 1", "blocked": 1}, "not blocked any more")
    table.refuses({"in": "after corner 1", "overshot": 2}, "nothing overshot")
    table.say({"in": "after corner 1", "ahead": 2})
    assert (table.car(1).status, table.car(1).lap, table.race.home) == ("finished", 3, [9, 1])
    assert table.open == ("gear", 2, "")


def test_before_the_line_the_race_goes_on() -> None:
    table = sheet({"car": 1, "at": "after:6", "lap": 3})
    table.say(3, 7, {"in": "after corner 6"})
    assert table.car(1).status == "racing"


# -- the pits


@pytest.mark.article("competition", "19-1-1", "19-2-5")
def test_into_the_pits_and_out_again() -> None:
    table = sheet({"car": 1, "at": "after:6", "wear": {**WEAR, "tyres": 1}, "built": WEAR, "tyre_laps": 1})
    table.say(3, 7)
    assert table.fields["in"][-2:] == ["pit", "box"]
    table.say({"in": "pit"})
    assert (table.car(1).at, table.car(1).status) == ("pit:1", "pit")
    assert table.ruling("reminder", 1).article == "19-1-8"
    table.say(2, 4)
    assert table.fields["in"] == ["pit", "box"]  # his own box and nowhere else
    table.refuses({"in": "box", "blocked": 1}, "nobody is blocked")
    table.say({"in": "box"})
    assert table.open == ("tyres", 1, "")
    table.say("soft", "quick", 10)
    assert table.open == ("saw", 1, "spaces_5")
    table.refuses({"in": "pit", "soft": 1}, "soft is a count from 0 to 0")
    table.refuses({"in": "pit", "brakes": 5}, "brakes is a count from 0 to")
    table.say({"in": "pit"})
    car = table.car(1)
    assert (car.at, car.stop, car.wear["tyres"], car.lap) == ("pit:1", "left", 6, 2)
    assert 1 not in [option.answer for option in table.options]
    table.say(3, 7, {"in": "corner 1"})
    # The lap that ends in the pits is counted on leaving them; it does not age the new set.
    assert (car.number, table.car(1).lap, table.car(1).tyre_laps, table.car(1).status) == (1, 3, 0, "racing")
    assert table.car(1).stops == 1


@pytest.mark.article("competition", "19-1-8")
@pytest.mark.parametrize(
    ("gear", "to_box", "gears"),
    [
        (3, 0, [1, 2, 3, 4]),  # nobody counted: the table sees to it
        (3, 2, [1, 2, 3, 4]),
        (3, 4, [2, 3, 4]),
        (3, 9, [4]),
        (3, 13, [4]),  # no gear that he may take can reach it: the highest
        (2, 13, [3]),
    ],
)
def test_in_the_pit_lane_a_gear_that_can_reach_the_box(gear: int, to_box: int, gears: list[int]) -> None:
    table = sheet({"car": 1, "at": "after:6", "gear": 3, "wear": WEAR, "built": WEAR, "tyre_laps": 1})
    table.say(gear, 7 if gear == 3 else 4)
    assert table.fields["to_box"] == [0, 60]
    table.refuses({"in": "pit", "to_box": 61}, "to_box is a count from 0 to 60")
    table.refuses({"in": "box", "to_box": 5}, "counted from the pit lane; the car stopped in box")
    table.say({"in": "pit", "to_box": to_box} if to_box else {"in": "pit"})
    told = [ruling.article for ruling in table.rulings if ruling.kind == "reminder"]
    assert ("19-1-8" in told) == (not to_box)
    assert sorted(option.answer for option in table.options) == gears
    table.say(gears[-1], 7 if gears[-1] == 4 else 4 if gears[-1] == 3 else 3, {"in": "box"})
    assert table.car(1).to_box == 0


def test_on_the_way_out_of_the_pits_nothing_is_counted_to_the_box() -> None:
    table = sheet({"car": 1, "at": "after:6"})
    table.say(3, 7, {"in": "box"}, "hard", "quick", 9)
    assert table.fields["to_box"] == [0, 0]
    table.say({"in": "pit"})
    assert not [ruling for ruling in table.rulings if ruling.article == "19-1-8"]


@pytest.mark.article("competition", "19-3-4")
def test_straight_out_of_the_box() -> None:
    table = sheet({"car": 1, "at": "after:6"})
    table.say(3, 7, {"in": "box"}, "hard", "quick", 9)
    table.say({"in": "after corner 6"})
    assert (table.car(1).at, table.car(1).lap, table.car(1).gear) == ("after:0", 2, 4)


@pytest.mark.article("competition", "19-4-2")
def test_a_long_stop_waits_a_turn() -> None:
    table = sheet({"car": 1, "at": "after:6", "stand": 2, "wear": {**WEAR, "brakes": 1}, "built": WEAR})
    table.say(3, 7, {"in": "box"}, "hard", "long", {"brakes": 2})
    assert table.car(1).wear["brakes"] == 3
    assert table.open == ("gear", 1, "leave")
    table.say(4, 9, {"in": "after corner 6"})
    assert table.car(1).at == "after:0"


@pytest.mark.article("competition", "19-2-5", "19-1-1")
@pytest.mark.parametrize(("at", "more"), [("after:5", {}), ("corner:6", {"stops": 0}), ("after:6", {"lap": 3})])
def test_where_the_pits_are_closed(at: str, more: dict[str, Any]) -> None:
    table = sheet({"car": 1, "at": at, **more})
    table.say(3, 7)
    assert "pit" not in table.fields["in"]


@pytest.mark.article("competition", "19-1-1", "19-2-5")
def test_the_pits_open_from_the_last_corner_once_its_stops_are_made() -> None:
    table = sheet({"car": 1, "at": "corner:6", "stops": 1})
    table.say(3, 7)
    assert table.fields["in"][-2:] == ["pit", "box"]


@pytest.mark.article("competition", "19-1-1")
def test_a_box_that_is_taken_is_waited_for() -> None:
    waiting = {"car": 2, "at": "box:1", "box": 1, "gear": 0}
    table = sheet({"car": 1, "at": "pit:1"}, waiting)
    table.say(3, 7)
    assert table.fields["in"] == ["pit"]


@pytest.mark.article("competition", "19-2-5")
def test_a_slipstream_into_the_pits_may_be_barred() -> None:
    for barred in (False, True):
        table = sheet(
            {"car": 1, "at": "after:6", "gear": 4},
            {"car": 2, "at": "after:6", "gear": 4},
            options={"no_slipstream_into_pits": barred},
        )
        table.say(4, 8, {"in": "after corner 6", "ahead": 2}, True)
        assert ("pit" in table.fields["in"]) != barred


# -- order and lapping


def running(table: Table) -> list[int]:
    return table.rulebook.running_order()


@pytest.mark.article("competition", "6-2-2")
def test_who_comes_into_a_stretch_runs_last_unless_the_table_says_otherwise() -> None:
    cars: Cars = [{"car": 1, "at": "corner:2"}, {"car": 2, "at": "corner:2"}, {"car": 3, "at": "after:1"}]
    table = sheet(*cars, to_play=[3])
    table.say(3, 7, {"in": "corner 2"})
    assert running(table) == [1, 2, 3]
    table = sheet(*cars, to_play=[3])
    table.say(3, 7, {"in": "corner 2", "order": [1, 3, 2]})
    assert running(table) == [1, 3, 2]
    assert table.race.round == 2
    assert table.open == ("gear", 1, "")


@pytest.mark.article("competition", "6-2-2")
def test_an_order_moves_nobody_out_of_his_stretch() -> None:
    table = sheet({"car": 1, "at": "corner:3"}, {"car": 2, "at": "corner:2"}, {"car": 3, "at": "after:1"}, to_play=[3])
    table.say(3, 7, {"in": "corner 2", "order": [3, 2, 1]})
    assert running(table) == [1, 3, 2]


@pytest.mark.article("competition", "6-2-5")
def test_the_leader_takes_the_turn_of_a_car_that_he_laps() -> None:
    # On the road: 2 (a lap behind), then 1, the leader, who drives from behind it to before it.
    cars: Cars = [{"car": 2, "at": "corner:2", "lap": 1}, {"car": 1, "at": "after:1", "lap": 2}]
    table = sheet(*cars, to_play=[1, 2])
    assert table.open == ("gear", 1, "")
    table.say(3, 8, {"in": "corner 2", "order": [1, 2]})
    assert table.ruling("lost_turn").car == 2
    table = sheet(*cars, to_play=[1, 2])
    table.say(3, 8, {"in": "corner 2", "order": [2, 1]})
    assert table.open == ("gear", 2, "")
    table = sheet(*cars, to_play=[1, 2])
    table.say(3, 8, {"in": "corner 2", "order": [2, 1]})
    table.say(3, 4, {"in": "after corner 2", "overshot": 1})
    assert "plays_again" not in table.kinds()


@pytest.mark.article("competition", "6-2-5")
def test_a_lapped_car_that_passes_the_leader_plays_again() -> None:
    # On the road: 1, the leader, then 2 a lap behind in the same straight, which passes it back.
    cars: Cars = [{"car": 1, "at": "after:1", "lap": 2}, {"car": 2, "at": "after:1", "lap": 1}]
    table = sheet(*cars, to_play=[1, 2])
    table.say(2, 2, {"in": "after corner 1"})
    table.say(3, 7, {"in": "after corner 1", "order": [2, 1]})
    assert table.ruling("plays_again").car == 2
    assert table.open == ("gear", 2, "")


@pytest.mark.article("competition", "6-2-5")
def test_within_a_stretch_only_who_was_ahead_is_passed() -> None:
    cars: Cars = [{"car": 1, "at": "after:1", "lap": 2}, {"car": 2, "at": "after:1", "lap": 1}]
    table = sheet(*cars, to_play=[1, 2])
    table.say(3, 7, {"in": "corner 2"})
    assert "lost_turn" not in table.kinds()
    assert table.open == ("gear", 2, "")


@pytest.mark.article("competition", "6-2-2", "6-2-5")
def test_who_stands_just_ahead_of_the_leader_plays_last_whatever_is_told_of_the_order() -> None:
    # On the road 4, a lap behind, then the leader 1, then 2, a lap behind, and 3, all on one straight.
    cars: Cars = [{"car": number, "at": "after:1", "lap": lap} for number, lap in ((4, 1), (1, 2), (2, 1), (3, 2))]
    table = sheet(*cars, to_play=[1, 2, 3, 4])
    table.say(2, 2, {"in": "after corner 1", "order": [4, 1, 2, 3]})
    table.say(3, 7, {"in": "after corner 1", "order": [2, 4, 1, 3]})
    assert table.ruling("plays_again").car == 2
    assert table.rulebook.to_play() == [3, 2, 4]
    table.say(2, 2, {"in": "after corner 1", "order": [2, 4, 1, 3]})
    assert table.rulebook.to_play() == [2, 4]


@pytest.mark.article("competition", "19-5-1", "19-5-2.1", "19-5-2.2")
@pytest.mark.parametrize("past_the_limit", [True, False])
def test_whether_a_car_is_past_the_pit_limit_the_table_says_with_the_order(past_the_limit: bool) -> None:
    # 2 is in the pit lane; 1 came onto the straight beside it later, and has driven on.
    cars: Cars = [{"car": 2, "at": "pit:2", "status": "pit", "gear": 3, "box": 2}, {"car": 1, "at": "after:6"}]
    table = sheet(*cars, {"car": 3, "at": "corner:6"}, to_play=[1, 3])
    table.say(3, 7)
    assert table.fields["order"] == [2, 1, 3]
    assert table.fields["beside"] == table.fields["ahead"] == [3]  # in the pits nobody is touched
    table.say({"in": "after corner 6", **({"order": [1, 2]} if past_the_limit else {})})
    assert table.rulebook.order.running_order() == ([1, 2, 3] if past_the_limit else [2, 1, 3])


# -- engines and coasting


@pytest.mark.article("competition", "16-0-3")
def test_an_engine_gone_before_the_last_but_one_corner_is_behind_coasts_once() -> None:
    table = sheet({"car": 1, "at": "after:4", "lap": 3, "status": "coasting", "gear": 5})
    table.say(4, 9)
    assert "pit" not in table.fields["in"]
    table.say({"in": "corner 5"})
    assert table.car(1).status == "wreck"
    assert table.race.dangers == ["corner:5"]


@pytest.mark.article("competition", "16-0-3", "16-0-8")
def test_an_engine_gone_after_it_coasts_to_the_line() -> None:
    table = sheet({"car": 1, "at": "after:5", "lap": 3, "status": "coasting", "gear": 5})
    table.say(4, 9, {"in": "corner 6"})
    assert table.open == ("gear", 1, "coast")
    table.say(3, 8, {"in": "after corner 6", "line": True})
    assert table.car(1).status == "finished"


# -- markers, the referee's word, the state


@pytest.mark.article("competition", "13-4")
def test_every_marker_is_said_where_the_spaces_are_not_known() -> None:
    table = sheet({"car": 1, "at": "after:1", "wear": {**WEAR, "body": 6}}, {"car": 2, "at": "after:1"})
    table.say(3, 7, {"in": "after corner 1", "beside": [2]}, 1, 1)
    assert [ruling.facts["at"] for ruling in table.rulings if ruling.kind == "danger"] == ["after:1", "after:1"]
    assert table.race.dangers == ["after:1"]


def test_the_referee_moves_a_car() -> None:
    table = sheet({"car": 1, "at": "corner:1", "stops": 2}, {"car": 2, "at": "corner:2"})
    table.talk.override({"car": 1, "at": "corner:2"})
    assert (table.car(1).at, table.car(1).stops) == ("corner:2", 0)


def test_a_state_goes_on_exactly() -> None:
    table = sheet(
        {"car": 1, "at": "after:6"}, {"car": 2, "at": "corner:3", "stops": 1}, to_play=[1, 2], dangers=["corner:3"]
    )
    table.say(3, 7, {"in": "pit"})
    state = table.rulebook.state()
    assert begin(state, load("monza")).save() == table.talk.last_checkpoint[1]


def test_a_whole_race() -> None:
    track = load("monza")
    cars = [{"car": number} for number in range(1, 9)]
    rulebook = begin({"track": "monza", "sky": "changeable", "laps": 3, "cars": cars}, track)
    talk, driver = Conversation(rulebook), HeuristicDriver(track, 5)
    kinds = set()
    while (asked := talk.asked) is not None:
        kinds |= {ruling.kind for ruling in talk.answer(driver.answer(asked, rulebook.race))}
    rows = rulebook.result()
    assert len(rows) == 8
    assert rows[0]["status"] == "finished"
    assert {"move", "stop", "overshoot", "collision", "lap", "finish", "result", "slipstream"} <= kinds


@pytest.mark.article("competition", "17-3", "15-1", "21-1-2")
def test_the_way_to_the_finish_is_tested_too() -> None:
    table = sheet({"car": 1, "at": "after:4", "lap": 3}, track="indianapolis-oval")
    table.say(3, 7, {"in": "after corner 4", "line": True, "walls": 1, "dangers": 1})
    assert table.open == ("test", 1, "handling")
    table.say(20)
    assert table.open == ("test", 1, "wall")
    table.say(20)
    assert table.car(1).status == "finished"
    # Out before the line: not home.
    table = sheet({"car": 1, "at": "after:4", "lap": 3, "wear": {**WEAR, "handling": 1}}, track="indianapolis-oval")
    table.say(3, 7, {"in": "after corner 4", "line": True, "dangers": 1}, 1)
    assert (table.car(1).status, table.car(1).lap, table.race.home) == ("out", 3, [])
