"""Corners: their limits, the arrows, stops and what makes one."""

from __future__ import annotations

from typing import Any

import pytest

from tests.rules.competition.boards import CHICANE
from tests.table import Table


def one(at: str, gear: int, track: str = "monaco", **rest: Any) -> Table:
    setup = {name: rest.pop(name) for name in ("sky", "surface", "options") if name in rest}
    return Table([{"car": 1, "at": at, "gear": gear, **rest}], track=track, to_play=[1], **setup)


@pytest.mark.article("competition", "7-1-4")
def test_the_arrows_decide_in_a_corner() -> None:
    """Sainte-Dévote, left `> > > ^ > > >`, middle `> > ^ > >`, right `^ ^ ^`: only to the inside, by the arrows."""
    table = one("1:left:3", 2, stops=1)
    table.say(2, 2)
    # left 4 has no arrow to the side; left 3 leads to middle 3, which has none either
    assert table.spaces() == {"1:left:5", "1:middle:4"}
    table = one("1:right:1", 2, stops=1)
    table.say(2, 2)
    assert table.spaces() == {"1:right:3"}


@pytest.mark.article("competition", "7-1-4", "7-2-6")
def test_examples_7_3_4_and_7_3_8_a_detour_between_two_corners() -> None:
    """Between Casino 1 and Casino 2 lie L0 and L2, M1 and M3, R2 and R4. From M1 the way out to L2 and back to M3 is
    no way; out to L2 and back by an arrow of the next corner is one."""
    table = one("4:middle:1", 2)
    table.say(2, 3)
    # on by M3; by R2 and R4; by L2 into the corner, where its first arrow leads to the first space of the middle
    assert table.spaces() == {"5:middle:2", "5:right:1", "5:left:2", "5:middle:1"}
    table = Table([{"car": 1, "at": "4:middle:1", "gear": 2}, {"car": 2, "at": "5:left:1", "gear": 1}], to_play=[1])
    table.say(2, 3)
    assert table.spaces() == {"5:middle:2", "5:right:1"}
    table = Table([{"car": 1, "at": "4:middle:1", "gear": 2}, {"car": 2, "at": "5:left:1", "gear": 1}], to_play=[1])
    table.say(2, 2)
    assert table.spaces() == {"5:middle:1", "4:right:2"}


@pytest.mark.article("competition", "10-1", "11-0-2")
def test_example_7_3_9_eight_in_third_before_seven_spaces() -> None:
    """Two stops, and seven spaces by the longest way: middle 1, right 1, middle 2, right 2 and 3, then middle 4 and 5
    or right 4 and 5. A car keeps the other from moving over first."""
    cars = [{"car": 1, "at": "2:middle:10", "gear": 3}, {"car": 2, "at": "2:right:10", "gear": 1}]
    table = Table(cars, track=CHICANE, to_play=[1])
    table.say(3, 8)
    assert {option.facts["out"] for option in table.options if option.answer["brakes"] == 0} == {"overshoot"}
    saved = [option for option in table.options if "out" not in option.facts and option.answer["brakes"] == 1]
    assert {option.answer["space"] for option in saved} == {"3:middle:5", "3:right:5"}
    table.land("3:middle:5", brakes=1)
    assert table.car(1).alive
    table.until(lambda: table.ask == "gear")
    assert table.car(1).stops == 1


@pytest.mark.article("competition", "7-1-1", "7-1-2", "7-1-3")
def test_where_a_corner_begins_and_ends() -> None:
    """Each lane has its own line: left 1 to 7, middle 1 to 5, right 1 to 3."""
    for lane, before, length in (("left", 4, 7), ("middle", 5, 5), ("right", 5, 3)):
        for space, stops in (
            (f"0:{lane}:{before}", 0),
            (f"1:{lane}:1", 1),
            (f"1:{lane}:{length}", 1),
            (f"2:{lane}:1", 0),
        ):
            table = one(space, 1, wear={"brakes": 3}, stops=0)
            table.say(1, 1)
            table.land(space, brakes=1)
            assert table.car(1).stops == stops, space


@pytest.mark.article("competition", "7-1-1")
def test_a_corner_negotiated_is_left_as_one_likes() -> None:
    table = one("1:right:2", 3, stops=1)
    table.say(3, 4)
    assert table.option(space="2:right:3", brakes=0).wear == {}
    table.land("2:right:3")
    assert "overshoot" not in table.kinds()
    assert table.car(1).stops == 0
    table = one("1:right:2", 3, stops=0)
    table.say(3, 4)
    assert table.option(space="2:right:3", brakes=0).wear == {"tyres": -3}


@pytest.mark.article("competition", "7-1-1")
def test_stops_are_counted_one_a_turn_and_no_more_than_wanted() -> None:
    """Loews, three stops: each turn that ends inside counts one; the ruling names it, a fourth is nothing more."""
    table = one("9:left:1", 1, stops=1)
    for expected in (2, 3, 3):
        table.say(1, 1)
        assert {option.facts["stops"] for option in table.options} == {expected}, "told before"
        table.land(min(table.spaces()))
        assert table.car(1).stops == expected
    assert [ruling.facts["stops"] for ruling in table.rulings if ruling.kind == "stop"] == [2, 3]


@pytest.mark.article("competition", "7-1-1", "6-2-1")
@pytest.mark.parametrize(
    ("switch", "end", "brakes", "stops"),
    [(False, "1:left:2", 3, 1), (True, "1:left:2", 3, 0), (True, "1:left:3", 2, 1), (True, "1:left:5", 0, 1)],
)
def test_standing_still_on_brakes_makes_a_stop(switch: bool, end: str, brakes: int, stops: int) -> None:
    """Ruling 29 and its switch, which is for those alone that have braked all of their way."""
    table = one("1:left:2", 2, options={"no_stop_standing_still": switch})
    table.say(2, 3)
    assert table.option(space=end, brakes=brakes).facts["stops"] == stops
    table.land(end, brakes=brakes)
    assert table.car(1).stops == stops
    assert table.kinds(1).count("stop") == stops


@pytest.mark.article("competition", "7-1-1")
def test_stops_made_in_one_corner_do_not_count_in_the_next() -> None:
    """From Casino 1, served, into Casino 2."""
    table = one("4:middle:1", 2, stops=1)
    table.say(2, 3)
    assert table.option(space="5:middle:2", brakes=0).facts["stops"] == 1
    table = one("13:left:3", 2, stops=1)  # and one whose next corner asks for two
    table.say(2, 4)
    assert table.option(space="15:left:1", brakes=0).facts["stops"] == 1
    table.land("15:left:1")
    assert table.car(1).stops == 1


@pytest.mark.article("competition", "7-1-1", "12-0-1")
@pytest.mark.parametrize("switch", [False, True])
def test_a_car_that_is_blocked_where_it_stands_makes_a_stop(switch: bool) -> None:
    """Ruling 29's switch is for those alone that brake: by one point too, where that is all their way."""
    cars = [{"car": 1, "at": "1:right:1", "gear": 1}, {"car": 2, "at": "1:right:2", "gear": 1}]
    table = Table(cars, to_play=[1], options={"no_stop_standing_still": switch})
    table.say(1, 1)
    assert table.option(space="1:right:1", brakes=1).facts["stops"] == (not switch)
    assert table.option(space="1:right:1", brakes=0).facts["stops"] == 1
    table.land("1:right:1")
    assert table.car(1).stops == 1


@pytest.mark.article("competition", "7-1-1")
def test_a_turn_that_is_not_played_makes_no_stop() -> None:
    """Ruling 29: a stall inside a corner is no stop."""
    table = one("1:left:2", 4, status="spun", turned=True)
    table.say(1)
    assert table.ruling("stall").car == 1
    assert table.car(1).stops == 0


@pytest.mark.article("competition", "7-1-1", "9-2-1")
def test_a_great_start_into_a_corner_makes_a_stop() -> None:
    """Ruling 30."""
    table = one("0:left:3", 0, status="grid", lap=0)
    table.say(20)
    table.land("1:left:3")
    assert table.car(1).stops == 1


@pytest.mark.article("competition", "7-1-1", "12-1-4")
def test_a_spin_by_blocking_inside_a_corner_makes_a_stop() -> None:
    """Ruling 30: four spaces blocked cost the last tyre point."""
    cars = [
        {"car": 1, "at": "0:right:5", "gear": 3, "wear": {"tyres": 1, "brakes": 3}},
        {"car": 2, "at": "1:right:3", "gear": 1, "stops": 1},
    ]
    table = Table(cars, to_play=[1])
    table.say(3, 6)  # two spaces free
    table.land("1:right:2")
    assert table.car(1).status == "spun"
    assert table.car(1).stops == 1
