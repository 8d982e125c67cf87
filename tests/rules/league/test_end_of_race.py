"""Who is classified where, when a race has run out or is cut short."""

from __future__ import annotations

from typing import Any

import pytest

from companion.rules.conversation.errors import BadOverride, BadSetup
from tests.rules.competition.boards import TOW
from tests.rules.league.tables import grid, position, worn
from tests.table import Table


def places(table: Table) -> list[tuple[int, int, int]]:
    """Place, car and points."""
    return [(row["place"], row["car"], row["points"]) for row in table.rulebook.result()]


@pytest.mark.article("league", "race.two-laps")
def test_a_race_has_two_laps_and_the_first_over_the_line_wins() -> None:
    """Car 2 stops further beyond the line, but crosses it after car 1."""
    assert grid({}, laps=2).race.laps == Table([{"car": 1}], "monaco", rulebook="league", laps=2).race.laps == 2
    cars: list[dict[str, Any]] = [
        {"at": "20:left:15", "gear": 2, "lap": 2},
        {"at": "20:right:15", "gear": 3, "lap": 2},
    ]
    table = position(*cars, to_play=[1, 2])
    table.say(2, 4)
    table.say(next(option.answer for option in table.options if option.facts.get("finish")))
    table.say(4, 12)
    table.say(next(option.answer for option in table.options if option.facts.get("finish")))
    assert table.race.phase == "over"
    assert table.race.home == [1, 2]
    assert table.ruling("finish").article == "race.two-laps"


def unfinished(**setup: Any) -> Table:
    """Car 1 is about to win; 2 and 3 stand level, 3 came there first; 4 is out behind them, 5 is out ahead of them."""
    cars: list[dict[str, Any]] = [
        {"at": "20:left:15", "gear": 2, "lap": 2, "arrived": 9},
        {"at": "10:left:4", "gear": 2, "lap": 2, "arrived": 8},
        {"at": "10:right:5", "gear": 2, "lap": 2, "arrived": 7},
        {"at": "8:left:1", "lap": 2, "arrived": 5, "status": "out", "cause": "body"},
        {"at": "12:left:2", "lap": 2, "arrived": 3, "status": "out", "cause": "engine"},
    ]
    return position(*cars, gone=[5, 4], **setup)


@pytest.mark.article("league", "race.unfinished", "season.points")
def test_who_does_not_reach_the_line_is_placed_by_how_far_he_came() -> None:
    """Car 5 went out first, but furthest on; points go by place, line or no line [ruling 18]."""
    table = unfinished()
    table.talk.override({"cars": [{"car": 2, "status": "out"}, {"car": 3, "status": "out"}]})
    table.say(2, 4)
    table.say(next(option.answer for option in table.options if option.facts.get("finish")))
    assert table.race.phase == "over"
    assert places(table) == [(1, 1, 10), (2, 5, 8), (3, 3, 6), (4, 2, 5), (5, 4, 4)]
    assert table.ruling("result").facts == {"order": [1, 5, 3, 2, 4]}


@pytest.mark.article("league", "race.unfinished")
def test_a_race_cut_short_is_classified_as_the_cars_stand() -> None:
    """Car 1 leads; nobody is home, and the turn that was being played falls away [ruling 19]."""
    table = unfinished()
    table.say(2)
    assert table.ask == "roll"
    table.rulings += table.talk.override({"cut_short": "now"})
    assert table.talk.question is None
    assert table.race.phase == "over"
    assert table.race.move is None
    assert [car for _, car, _ in places(table)] == [1, 5, 3, 2, 4]
    assert table.ruling("override").article == "ruling 1"
    assert table.rulebook.result()[0]["status"] == "racing"
    table.talk.rewind(0)
    assert table.open == ("gear", 1, "")


@pytest.mark.article("league", "race.unfinished")
def test_only_a_race_that_is_run_can_be_cut_short() -> None:
    table = unfinished()
    before = table.talk.digest
    for word in (True, "", "later"):
        with pytest.raises(BadOverride, match="nothing else ends it"):
            table.talk.override({"cut_short": word})
    assert table.talk.digest == before
    table.talk.override({"cut_short": "now"})
    with pytest.raises(BadOverride, match="while it is being run"):
        table.talk.override({"cut_short": "now"})
    with pytest.raises(BadSetup, match="not in its setup"):
        grid({}, cut_short="now")
    early = grid({}, {}, grid=[])
    with pytest.raises(BadOverride, match="while it is being run"):
        early.talk.override({"cut_short": "now"})


@pytest.mark.article("league", "season.points")
def test_the_points_are_the_table_s_own_if_it_says_so() -> None:
    table = unfinished(options={"points": [25, 18, 15]})
    table.talk.override({"cut_short": "now"})
    assert [points for _, _, points in places(table)] == [25, 18, 15, 0, 0]


@pytest.mark.article("league", "base.eliminated", "season.drivers", "start.grid", "setup.wear")
@pytest.mark.parametrize(
    ("setup", "match"),
    [
        ({"last": [1, 1]}, "winner first, each once"),
        ({"last": ["Ada"]}, "whole number"),
        ({"grid": [1]}, "every car of the race once"),
        ({"options": {"wear_setup": [6, 3, 3, 3, 3, 0]}}, "from 1 to 20"),
        ({"options": {"wear_setup": [6, 3]}}, "wear_setup"),
        ({"options": {"engine_dry": 21}}, "0 to 20"),
        ({"options": {"points": "many"}}, "points"),
        ({"options": {"points": [10, -3]}}, "entry 2 of points wants a whole number from 0 to 999"),
        ({"last": [1, 0]}, "winner first, each once"),
        ({"options": {"aggravated_dry": 2}}, "no figure or switch called aggravated_dry"),
        ({"cars": [{"car": 1, "home": "monza"}]}, "home"),
    ],
)
def test_a_setup_that_makes_no_sense_is_refused_in_a_sentence(setup: dict[str, Any], match: str) -> None:
    cars = setup.pop("cars", [{"car": 1}, {"car": 2}])
    with pytest.raises(BadSetup, match=match) as refusal:
        Table(cars, "monaco", rulebook="league", **setup)
    assert str(refusal.value).endswith(".")


@pytest.mark.article("league", "base.eliminated")
@pytest.mark.parametrize("status", ["coasting", "wreck"])
def test_no_car_waits_on_the_board_that_is_out(status: str) -> None:
    car = {"at": "2:left:1", "status": status, "gear": 4, **worn(engine=0)}
    with pytest.raises(BadSetup, match="in the league such a car is out"):
        position(car)


@pytest.mark.article("league", "race.unfinished")
@pytest.mark.parametrize(("track", "begin", "other"), [
    (TOW, "3:left:3", "4:right:20"), ("monaco", "18:middle:1", "20:right:17"), ("monaco", "18:middle:1", "20:left:16"),
    ("spa", "corner:8", "after:7"), ("spa", "corner:8", "after:8"),
])  # fmt: skip
def test_who_goes_out_in_the_move_that_crosses_the_line_has_come_as_far_as_the_line(
    track: str, begin: str, other: str
) -> None:
    """Further than whoever stands on the last space before it and was there first [ruling 18]."""
    table = position({"at": begin, "gear": 5, "lap": 2}, {"at": other, "lap": 2, "gear": 2}, track=track)
    table.say(6, 30)
    table.say({"in": "after corner 8", "line": True, "overshot": 25} if table.ask == "saw" else table.options[0].answer)
    assert (table.car(1).status, table.car(1).lap, table.race.home) == ("out", 2, [])
    table.talk.override({"cut_short": "now"})
    assert [(row["car"], row["laps"]) for row in table.rulebook.result()] == [(1, 1), (2, 1)]


@pytest.mark.article("league", "base.eliminated")
def test_the_marker_of_a_car_that_went_out_over_the_line_lies_before_it() -> None:
    table = position({"at": "18:middle:1", "gear": 5, "lap": 2}, {"at": "20:right:17", "lap": 2, "gear": 2})
    table.say(6, 30)
    table.land("20:middle:17")
    assert (table.car(1).status, table.car(1).at, table.race.dangers) == ("out", "20:middle:16", ["20:middle:16"])


@pytest.mark.article("league", "race.unfinished")
@pytest.mark.parametrize("word", [{"status": "racing", "at": "2:left:1", "lap": 2}, {"at": "2:left:1"}])
def test_the_referee_may_say_that_such_a_car_did_not_come_so_far(word: dict[str, Any]) -> None:
    table = position({"at": "18:middle:1", "gear": 5, "lap": 2}, {"at": "20:right:17", "lap": 2, "gear": 2})
    table.say(6, 30)
    table.land("20:middle:17")
    table.talk.override({"car": 1, **word})
    table.talk.override({"cut_short": "now"})
    assert [car for _, car, _ in places(table)] == [2, 1]
