"""The end: crossing the line, clearing turn one, who is disqualified."""

from __future__ import annotations

from typing import Any

import pytest

from companion.rules.conversation.errors import BadSetup
from tests.rules.competition.boards import LINE_IN, OVER_THE_LINE, TOW, board, corner, straight
from tests.rules.cup.boards import race
from tests.table import WEAR, Table

SHORT = board("Short", OVER_THE_LINE, corner("First"), straight(24, 23, 22), corner("Bend"), straight(6, 5, 5)).replace(
    "competition = 3", "cup = 3"
)
"""A last corner so near the line that turn one is in reach from it."""
HOME = {"car": 1, "gear": 3, "at": "4:middle:22", "lap": 1, "raced": ["hard"], "waived": True}
OTHER = {"car": 2, "at": "4:right:1", "gear": 2, "waived": True, "raced": ["hard"]}


@pytest.mark.article("cup", "finish.turn-one")
@pytest.mark.parametrize(
    ("line", "track", "first"),
    [
        ('"0:left:1", "0:middle:1", "0:right:1"', TOW, 0),
        ('"2:left:3", "2:middle:2", "2:right:2"', TOW, 1),  # on the straight before the second corner
        ('"1:left:2", "1:middle:3", "1:right:4"', LINE_IN, 0),  # in the first
    ],
)
def test_turn_one_is_the_first_corner_that_is_left_after_the_line(line: str, track: str, first: int) -> None:
    table = Table([{"car": 1}], track.replace('"0:left:1", "0:middle:1", "0:right:1"', line), rulebook="cup")
    assert table.rulebook.finish.turn_one == first
    sheet = Table([{"car": 1}], "monza", rulebook="cup")
    assert sheet.rulebook.finish.turn_one == 0


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
    assert table.race.move.won == 0  # no test of its way can take the lap back


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


@pytest.mark.article("cup", "finish.turn-one", "blocked.table", "overshoot.spin")
@pytest.mark.parametrize(
    ("tyres", "compound", "kinds", "out"),
    [
        (1, "hard", ["overshoot", "spin", "out"], "turn_one"),  # the second space that it overshoots is not paid
        (2, "hard", ["overshoot", "blocked", "spin", "finish"], None),
        (3, "hard", ["overshoot", "blocked", "finish"], None),
        (3, "soft", ["overshoot", "spin", "out"], "turn_one"),
        (4, "soft", ["overshoot", "blocked", "spin", "finish"], None),
    ],
)
def test_whoever_has_paid_for_turn_one_and_spins_for_being_blocked_is_home(
    tyres: int, compound: str, kinds: list[str], out: str | None
) -> None:
    worn = {"wear": {**WEAR, "tyres": tyres}, "tyres": compound, "raced": [compound]}
    car = {**HOME, "gear": 4, "at": "1:left:2", "lap": 2, **worn}
    table = race(car, {**OTHER, "at": "2:left:3", "lap": 2}, laps=1, flagged=[1, 2])
    table.say(4, 7)
    option = table.option(space="2:left:2", brakes=0)
    assert option.facts.get("out") == out
    table.say(option.answer)
    table.until("gear")
    assert [kind for kind in table.kinds(1) if kind in ("overshoot", "blocked", "spin", "out", "finish")] == kinds


@pytest.mark.article("cup", "finish.turn-one", "overshoot.spin")
@pytest.mark.parametrize(
    ("tyres", "ends", "at", "out"),
    [(2, "spun", "4:left:3", None), (16, "spun", "1:left:3", None), (17, "out", "2:left:1", "turn_one")],
)
def test_a_spin_before_turn_one_is_left_is_not_the_end(tyres: int, ends: str, at: str, out: str | None) -> None:
    """The way goes on over the line and through turn one, the car does not."""
    car = {**HOME, "at": "3:left:3", "gear": 6, "wear": {**WEAR, "tyres": tyres}}
    table = race(car, {**OTHER, "at": "2:right:12"}, track=SHORT, laps=1, to_play=(1, 2))
    table.say(5, 20)
    option = table.option(space="2:left:3", brakes=0)
    assert (option.facts["spins_at"], option.facts.get("out")) == (at, out)
    table.say(option.answer)
    table.until("gear")
    assert (table.car(1).status, table.car(1).at) == (ends, at)


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


@pytest.mark.article("cup", "finish.order", "finish.turn-one", "race.laps")
def test_whoever_the_referee_puts_back_before_the_line_is_not_past_the_flag() -> None:
    cars = {**HOME, "at": "0:left:2", "lap": 2}, {**OTHER, "at": "0:right:2", "lap": 2}
    table = race(*cars, laps=1, flagged=[1, 2])
    table.talk.override({"car": 1, "at": "4:left:10", "lap": 1})
    assert table.race.flagged == [2]
    table.say(2, 3)
    table.land("4:left:13")
    assert (table.car(1).status, table.race.home, table.race.flagged) == ("racing", [], [2])


@pytest.mark.article("cup", "finish.order", "finish.turn-one", "race.laps")
def test_whoever_the_referee_puts_over_the_line_is_past_the_flag() -> None:
    cars = {**HOME, "lap": 3, "gear": 2}, {**OTHER, "at": "1:right:3", "lap": 4}
    table = race(*cars, flagged=[2])
    ruled = table.talk.override({"car": 1, "at": "1:left:3", "lap": 4, "stops": 1})
    assert [(one.kind, one.car, one.facts) for one in ruled[1:]] == [("flag", 1, {"place": 2})]
    table.say(3, 4)
    table.say(table.options[0].answer)
    table.until(lambda: table.ask == "gear")
    assert (table.race.flagged, table.race.home) == ([2, 1], [1])


@pytest.mark.article("cup", "finish.order", "kers.points", "race.laps")
@pytest.mark.parametrize(
    ("kers", "spends", "told"),
    [
        (0, False, {"points": -2, "back": 2, "left": 0}),
        (0, True, {"points": -1, "back": 1, "left": 0}),
        (1, False, {"points": -1, "back": 1, "left": 1}),
        (2, False, None),
    ],
)
def test_whoever_is_taken_off_before_the_line_has_not_crossed_it(
    kers: int, spends: bool, told: dict[str, int] | None
) -> None:
    car = {**HOME, "at": "4:middle:20", "lap": 3, "kers": kers, "wear": {**WEAR, "handling": 0}}
    table = race(car, {**OTHER, "lap": 3}, dangers=["4:middle:22"])
    table.say(3, 7)
    table.say(next(option.answer for option in table.options if option.facts.get("tests")))
    assert (table.race.flagged, table.ask) == ([1], "kers")
    table.say(table.options[1].answer if spends else None)
    if spends:
        table.say(None)
    ruled = table.say(1)
    one: Any = table.car(1)
    assert (one.status, one.at, one.lap, table.race.flagged, one.kers) == ("out", "4:middle:22", 3, [], kers)
    back = [(one.facts, dict(one.counts)) for one in ruled if one.kind == "kers"]
    assert back == ([(told, {"kers": told["points"]})] if told else [])
    table.talk.override({"car": 1, "status": "racing", "wear": {"handling": 1}})
    assert (table.race.gone, table.race.flagged) == ([], [])


@pytest.mark.article("cup", "finish.order", "race.laps")
def test_whoever_the_referee_moves_back_over_the_line_has_not_crossed_it() -> None:
    table = race({**HOME, "at": "0:left:2", "lap": 2}, OTHER, laps=1, flagged=[1])
    table.say(2, 4)
    table.talk.answer({"space": "4:left:23", "brakes": 0, "soft": 0}, forced=True)
    assert (table.car(1).lap, table.race.flagged) == (1, [])


@pytest.mark.article("cup", "finish.order", "kers.points", "handling.test")
def test_whoever_is_taken_off_beyond_the_line_has_crossed_it() -> None:
    car = {**HOME, "at": "4:middle:22", "lap": 3, "wear": {**WEAR, "handling": 0}}
    table = race(car, {**OTHER, "lap": 3}, dangers=["0:middle:2"])
    table.say(3, 4)
    table.say(next(option.answer for option in table.options if option.facts.get("tests")))
    table.say(None, 1)
    one: Any = table.car(1)
    assert (one.status, one.at, one.lap, one.kers, table.race.flagged) == ("out", "0:middle:2", 4, 2, [1])


@pytest.mark.article("cup", "finish.order")
def test_a_position_need_not_say_who_has_crossed_the_line_but_not_who_has_not() -> None:
    cars = {**HOME, "at": "0:left:2", "lap": 2}, {**OTHER, "at": "1:right:7", "stops": 1, "lap": 2}
    home = {**OTHER, "car": 3, "at": "4:right:3", "status": "finished", "lap": 2}
    gone = {**OTHER, "car": 4, "at": "4:right:3", "status": "out", "lap": 2}
    table = race(*cars, home, gone, laps=1, to_play=[2])
    assert table.race.flagged == [3, 2, 1]
    table.say(3, 4)
    table.say(table.options[0].answer)
    assert table.race.home == [3, 2]
    race(cars[0], {**gone, "lap": 1}, laps=1, flagged=[4])  # which says nothing any more
    with pytest.raises(BadSetup, match="Car 2 is in lap 1 of 1"):
        race(cars[0], {**OTHER, "lap": 1}, laps=1, flagged=[2])


@pytest.mark.article("cup", "finish.order", "finish.turn-one")
def test_a_race_that_is_over_goes_on_for_whom_the_referee_puts_back() -> None:
    table = race({**HOME, "at": "1:left:3", "lap": 2, "stops": 1}, laps=1, flagged=[1])
    table.say(3, 4)
    table.land("2:left:4")
    assert (table.race.phase, table.race.home) == ("over", [1])
    table.talk.override({"car": 1, "status": "racing", "at": "4:left:10", "lap": 1})
    assert (table.race.phase, table.race.home, table.race.flagged, table.ask) == ("race", [], [], "gear")


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
            {**HOME, "at": "1:left:3", "lap": 3, "stops": 1, "waived": False, **car}, OTHER, laps=2, flagged=[1]
        )
        table.say(3, 4)
        told.append(table.option(space="2:left:4", brakes=0).facts.get("out"))
        table.land("2:left:4")
        return table

    told: list[str | None] = []
    table = ends()
    assert (table.car(1).cause, table.race.home, table.ruling("out").article) == ("compounds", [], "ruling 19")
    assert (table.race.dangers, table.open) == ([], ("gear", 2, ""))  # no marker, no weather check
    assert ends(raced=["soft", "hard"]).race.home == [1]
    assert told == ["compounds", None]


@pytest.mark.article("cup", "finish.turn-one", "handling.marker", "weather.check")
@pytest.mark.parametrize("cause", ["referee", "body"])
def test_whoever_is_home_and_loses_his_place_by_word_leaves_nothing_behind(cause: str) -> None:
    table = race({**HOME, "at": "1:left:3", "lap": 2, "stops": 1}, OTHER, laps=1, flagged=[1])
    table.say(3, 4)
    table.land("2:left:4")
    table.talk.override({"car": 1, "status": "out", "cause": cause})
    assert (table.car(1).status, table.car(1).cause, table.race.home, table.race.gone) == ("out", cause, [], [1])
    assert (table.race.dangers, table.race.due, table.open) == ([], [], ("gear", 2, ""))
    table.talk.override({"car": 2, "status": "out"})  # who races yet does
    assert (table.race.dangers, table.race.gone) == (["4:right:1"], [1, 2])


@pytest.mark.article("cup", "finish.order", "race.laps")
def test_whoever_is_in_the_last_lap_still_plays_after_the_winner() -> None:
    table = race({**HOME, "at": "1:left:3", "lap": 2, "stops": 1}, OTHER, laps=1, flagged=[1])
    table.say(3, 4)
    table.land("2:left:4")
    assert table.open == ("gear", 2, "")
