"""What may follow a move, to the space: slipstream, ram, clutch, ramp, and what keeps them away."""

from __future__ import annotations

from typing import Any

import pytest

from tests.rules.competition.boards import in_a_row
from tests.rules.death.arenas import armed, driving, points
from tests.table import Table

PITS: dict[str, Any] = {"status": "pit", "box": 1}


def moved(car: dict[str, Any], gear: int, face: int, end: str, *others: dict[str, Any], **setup: Any) -> Table:
    """Car 1 after its landing."""
    table = driving(armed(1, **{"gear": gear, **car}), *others, **setup)
    table.say(gear, face)
    table.land(end)
    return table


# -- the clutch


@pytest.mark.article("death", "clutch.drop", "basic.corner")
@pytest.mark.parametrize(
    ("begin", "stops", "gear", "face", "end", "row", "asked"),
    [
        ("0:left:3", 0, 1, 1, "0:left:4", (2, 1, 2), True),  # from a straight, the first corner of the lap too
        ("0:left:4", 0, 3, 7, "1:left:7", (1, 1, 1), True),  # its one stop is this one
        ("0:left:4", 0, 3, 7, "1:left:7", (2, 1, 1), False),  # of two it has made one
        ("1:left:6", 0, 1, 1, "1:left:7", (2, 1, 1), False),
        ("1:left:6", 1, 1, 1, "1:left:7", (2, 1, 1), True),
        ("1:left:5", 1, 3, 5, "2:left:3", (1, 2, 1), False),  # the stop of the corner before does not count here
        ("0:left:4", 0, 4, 10, "2:left:3", (1, 1, 1), False),  # the first corner has been overshot
        ("3:left:6", 0, 1, 1, "3:left:7", (1, 1, 1), False),  # onto a straight there is no clutch
    ],
)
def test_a_clutch_is_dropped_into_a_corner_out_of_none_that_wants_a_stop(
    begin: str, stops: int, gear: int, face: int, end: str, row: tuple[int, int, int], asked: bool
) -> None:
    table = moved({"place": begin, "stops": stops}, gear, face, end, track=in_a_row(*row))
    assert (table.ask == "clutch") == asked


@pytest.mark.article("death", "clutch.drop", "defence.nanobot-repair-systems")
def test_the_clutch_is_told_and_its_corner_may_heal() -> None:
    table = moved({"place": "L18", "points": 10, "defence": "nanobot-repair-systems"}, 2, 2, "2:left:14")
    table.land("3:left:1")
    assert table.ruling("used").facts == {"card": "drop-clutch", "at": "3:left:1", "left": 0}
    assert table.ruling("move").facts == {"begin": "2:left:14", "at": "3:left:1", "moved": 1}
    assert table.open == ("test", 1, "heal")


@pytest.mark.article("death", "clutch.drop", "weapon.slip-mines")
def test_what_has_ended_a_move_leaves_no_clutch() -> None:
    mine = {"car": 2, "card": "slip-mines", "at": "2:left:14"}
    table = moved({"place": "L18"}, 2, 2, "2:left:14", armed(2, "R0"), mines=[mine])
    assert (table.car(1).at, table.ask) == ("2:left:14", "attack")


@pytest.mark.article("death", "clutch.drop", "basic.finish")
def test_no_clutch_is_dropped_beyond_the_line_of_the_last_lap() -> None:
    """A corner begins at the space behind the line."""
    row = in_a_row(1, 1, 1).replace("left    = 4\nmiddle  = 5\nright   = 5", "left    = 1\nmiddle  = 2\nright   = 2")
    for lap, asked in ((1, True), (3, False)):
        table = moved({"place": "4:left:24", "lap": lap}, 1, 1, "0:left:1", armed(2, "4:right:1", lap=1), track=row)
        assert (table.ask == "clutch") == asked


# -- slipstream and ram


@pytest.mark.article("death", "slipstream.any-gear", "utility.ram-spike", "clutch.drop", "basic.finish")
@pytest.mark.parametrize("utility", ["", "ram-spike"])
def test_nothing_follows_the_line_of_the_last_lap(utility: str) -> None:
    car = {"place": "4:left:23", "lap": 3, "utility": utility}
    table = moved(car, 2, 2, "0:left:1", armed(2, "0:left:2", lap=2))
    assert (table.car(1).status, table.ask) == ("finished", "attack")


@pytest.mark.article("death", "slipstream.any-gear", "utility.ram-spike")
@pytest.mark.parametrize("utility", ["", "ram-spike"])
def test_there_is_no_slipstream_and_no_ram_in_the_pit_lane(utility: str) -> None:
    others = armed(2, "pit:4", status="pit", box=7), armed(3, "2:left:1")
    table = moved({"place": "pit:1", "utility": utility, **PITS}, 2, 2, "pit:3", *others, track="monaco")
    assert table.ask == "attack"


@pytest.mark.article("death", "utility.ram-spike", "weapon.slip-mines")
def test_a_car_that_a_mine_has_stopped_rams_nobody() -> None:
    mine = {"car": 2, "card": "slip-mines", "at": "2:left:5"}
    table = moved({"place": "L0", "utility": "ram-spike"}, 2, 2, "2:left:5", armed(2, "L6"), mines=[mine])
    assert table.tested("collision") == [(2, 4), (1, 4)]


@pytest.mark.article("death", "utility.ram-spike")
def test_a_ram_is_told() -> None:
    table = moved({"place": "L0", "utility": "ram-spike"}, 2, 2, "2:left:5", armed(2, "L6"))
    table.say(True)
    assert table.ruling("used").facts == {"card": "ram-spike", "other": 2, "left": 0}


@pytest.mark.article("death", "slipstream.any-gear", "basic.overshoot", "basic.blocked")
def test_no_slipstream_after_a_corner_that_was_overshot_nor_for_a_car_that_is_blocked() -> None:
    over = moved({"place": "L22"}, 3, 5, "4:left:2", armed(2, "4:left:3"))
    assert "overshoot" in over.kinds()
    assert over.ask == "test"
    wall = [armed(2, "L6"), armed(3, "M5"), armed(4, "R6"), armed(5, "R4"), armed(6, "M3"), armed(7, "L4")]
    held = moved({"place": "L0"}, 3, 6, "2:right:3", *wall)
    assert "blocked" in held.kinds()
    assert held.ask == "test"


# -- gears


@pytest.mark.article("death", "basic.gears", "spin.zero")
def test_a_gear_that_leaves_points_says_nothing_of_a_spin() -> None:
    table = driving(armed(1, "L0", gear=6))
    assert all(option.facts == {} for option in table.options)


@pytest.mark.article("death", "utility.turn-table", "spin.zero")
def test_a_restart_is_told() -> None:
    table = driving(armed(1, "L0", status="spun", points=0, utility="turn-table"))
    table.say(2)
    assert table.ruling("restart").facts == {"gear": 2}
    assert table.race.move.gear == 2


# -- in the pit lane


@pytest.mark.article("death", "utility.nitros", "utility.pneumatic-ramp")
@pytest.mark.parametrize("utility", ["nitros", "pneumatic-ramp"])
def test_neither_nitros_nor_ramp_in_the_pit_lane(utility: str) -> None:
    others = armed(2, "pit:3", status="pit", box=7), armed(3, "2:left:1")
    table = driving(armed(1, "pit:1", utility=utility, **PITS), *others, track="monaco")
    table.say(2, 2)
    assert table.ask == "landing"
    free = driving(armed(1, "pit:1", utility=utility, **PITS), track="monaco")
    free.say(2, 2)
    assert free.spaces() == {"pit:3"}


# -- the ramp


@pytest.mark.article("death", "utility.pneumatic-ramp", "slipstream.any-gear")
@pytest.mark.parametrize(("place", "asked"), [("L8", "use"), ("L10", "use"), ("L12", "roll")])
def test_a_ramp_is_raised_where_the_best_roll_of_the_gear_comes_to_another_car(place: str, asked: str) -> None:
    """2nd gear goes four spaces at most, and straight behind a car the slipstream goes on."""
    table = driving(armed(1, "L0", gear=2, utility="pneumatic-ramp"), armed(2, place))
    table.say(2)
    assert table.ask == asked


@pytest.mark.article("death", "utility.pneumatic-ramp", "slipstream.any-gear")
def test_in_its_slipstream_a_ramp_goes_through_the_car_that_draws_it() -> None:
    """Without the ramp nobody is drawn: three cars fill the way."""
    cars = armed(2, "L10"), armed(3, "M9"), armed(4, "M11")
    for raised in (True, False):
        table = driving(armed(1, "L0", gear=2, utility="pneumatic-ramp"), *cars)
        table.say(2, raised, 4)
        table.land("2:left:7")
        assert (table.ask == "slipstream") == raised
        assert not raised or "2:left:10" in table.spaces()


@pytest.mark.article("death", "utility.pneumatic-ramp")
def test_on_a_ramp_a_car_goes_through_those_beyond_the_line_but_not_into_the_pits() -> None:
    table = driving(armed(1, "4:left:23", gear=2, utility="pneumatic-ramp"), armed(2, "0:left:1", lap=2))
    table.say(2, True, 3)
    assert "0:left:2" in table.spaces()
    ramp = armed(1, "20:right:1", gear=2, utility="pneumatic-ramp", box=1, round_set=True)
    others = armed(3, "20:right:4"), armed(2, "pit:2", status="pit", box=7)
    free, held = (driving(ramp, *others[:n], track="monaco") for n in (1, 2))
    for lane in (free, held):
        lane.say(2, True, 3)
    assert free.spaces() - held.spaces() == {"pit:2", "pit:3"}


@pytest.mark.article("death", "utility.pneumatic-ramp", "basic.finish")
def test_a_ramp_comes_down_on_nobody_who_stands_on_the_line_at_the_end() -> None:
    car = armed(1, "4:left:23", gear=2, lap=3, utility="pneumatic-ramp")
    table = driving(car, armed(2, "0:left:1", lap=2))
    table.say(2, True, 2)
    option = table.option(space="0:left:1", brakes=0)
    assert (option.wear, option.facts) == ({}, {"moved": 2, "finish": True})
    table.say(option.answer)
    assert (table.car(1).status, points(table, 1), table.ask) == ("finished", 18, "attack")


@pytest.mark.article("death", "utility.pneumatic-ramp", "basic.blocked")
def test_a_landing_with_nobody_under_it_costs_what_it_cost() -> None:
    wall = [armed(2, "L6"), armed(3, "M5"), armed(4, "R6"), armed(5, "R4"), armed(6, "M3"), armed(7, "L4")]
    table = driving(armed(1, "L0", gear=3), *wall)
    table.say(3, 6)
    option = next(option for option in table.options if option.facts.get("blocked"))
    table.say(option.answer)
    assert points(table, 1) == 18 - option.facts["blocked"]


@pytest.mark.article("death", "utility.pneumatic-ramp", "basic.blocked", "spin.zero")
@pytest.mark.parametrize(
    ("left", "damage", "brakes", "cost", "more"),
    [
        (18, 2, 1, -3, {}),
        (3, 2, 1, -3, {"spin": True}),
        (1, 1, 0, -1, {"spin": True}),
        (0, 0, 0, 0, {}),  # a table for whom it costs nothing
        (1, 0, 0, 0, {}),
    ],
)
def test_what_coming_down_costs_is_added_to_what_is_braked(
    left: int, damage: int, brakes: int, cost: int, more: dict[str, Any]
) -> None:
    car = armed(1, "L0", gear=2, utility="pneumatic-ramp", points=left)
    table = driving(car, armed(2, "L4"), options={"ramp_damage": damage})
    table.say(2, True, 2 + brakes)
    option = table.option(space="2:left:5", brakes=brakes)
    assert (option.wear.get("points", 0), option.facts) == (cost, {"moved": 2, "onto": 2, **more})
