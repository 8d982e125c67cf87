"""Overshooting, spins, and being blocked."""

from __future__ import annotations

from typing import Any

import pytest

from tests.rules.competition.boards import in_a_row
from tests.rules.cup.boards import race
from tests.table import WEAR, Table


def leaves_bend(tyres: int, *more: dict[str, Any], at: str = "3:left:2", stops: int = 1, **setup: Any) -> Table:
    """Car 1, in Bend with a stop to make, rolls 7: six spaces beyond it in the left lane."""
    car = {"car": 1, "gear": 4, "at": at, "stops": stops, "wear": {**WEAR, "tyres": tyres}, **setup.pop("car", {})}
    table = race(car, *more, {"car": 9, "at": "0:right:1", "lap": 2}, **setup)
    table.say(4, 7)
    return table


@pytest.mark.article("cup", "overshoot.loss", "wear.penalty", "overshoot.limit")
def test_a_tyre_point_a_space_and_none_left_is_no_spin() -> None:
    table = leaves_bend(6)
    assert (option := table.option(space="4:left:6", brakes=0)).wear == {"tyres": -6}
    assert "spin" not in option.facts
    table.land("4:left:6")
    assert (table.car(1).wear["tyres"], table.car(1).status, table.car(1).at) == (0, "racing", "4:left:6")


@pytest.mark.article("cup", "overshoot.spin", "overshoot.limit", "overshoot.loss")
def test_the_first_space_that_cannot_be_paid_spins_the_car() -> None:
    table = leaves_bend(4)
    option = table.option(space="4:left:6", brakes=0)
    assert (option.wear, option.facts["spin"], option.facts["spins_at"]) == ({"tyres": -4}, True, "4:left:5")
    table.land("4:left:6")
    car = table.car(1)
    assert (car.at, car.status, car.wear["tyres"]) == ("4:left:5", "spun", 0)


@pytest.mark.article("cup", "overshoot.spin")
def test_factor_two_takes_the_last_point_and_spins_there() -> None:
    table = leaves_bend(3, car={"tyres": "soft"})
    table.land("4:left:6")
    assert (table.car(1).at, table.car(1).wear["tyres"]) == ("4:left:2", 0)


@pytest.mark.article("cup", "overshoot.spin", "overshoot.limit", "handling.test")
def test_what_lies_beyond_the_spin_falls_away_with_the_rest_of_the_move() -> None:
    dangers = ["4:left:1", "4:left:4", "4:left:5", "4:left:6"]
    table = leaves_bend(4, dangers=dangers)
    table.land("4:left:6")
    assert (table.ruling("move").facts["moved"], "soft" in table.kinds()) == (6, False)
    assert len(table.tested("handling")) == 3
    assert table.ruling("overshoot").facts["spaces"] == 5


@pytest.mark.article("cup", "overshoot.spin", "overshoot.limit", "overshoot.blocked")
@pytest.mark.parametrize(("tyres", "ends"), [(3, ("4:left:4", "spun", 3)), (4, ("4:left:4", "racing", 1))])
def test_a_car_that_spins_before_it_is_stuck_pays_no_brakes(tyres: int, ends: tuple[str, str, int]) -> None:
    table = leaves_bend(tyres, {"car": 2, "at": "4:left:5"})
    assert table.option(space="4:left:4", brakes=0).wear.get("brakes", 0) == ends[2] - WEAR["brakes"]
    table.land("4:left:4")
    table.until("gear")
    car = table.car(1)
    assert (car.at, car.status, car.wear["brakes"]) == ends


@pytest.mark.article("cup", "overshoot.spin", "overshoot.limit")
@pytest.mark.parametrize(
    ("tyres", "at", "spaces", "corners"),
    [(15, "3:left:2", 16, [1]), (16, "3:left:3", 17, [1]), (17, "4:left:1", 19, [1, 2]), (18, "4:left:1", 19, [1, 2])],
)
def test_a_second_corner_is_overshot_only_if_the_car_gets_out_of_it(
    tyres: int, at: str, spaces: int, corners: list[int]
) -> None:
    """Beyond it each space costs for both."""
    car = {"car": 1, "gear": 6, "at": "1:left:2", "wear": {**WEAR, "tyres": tyres}}
    table = race(car, {"car": 9, "at": "0:right:1", "lap": 2}, options={"missed_stops_spin": True})
    table.say(5, 20)
    table.land("4:left:2")
    told = table.ruling("overshoot").facts
    assert (table.car(1).at, told["spaces"], told["corners"]) == (at, spaces, corners)


@pytest.mark.article("cup", "overshoot.spin", "tyres.empty")
def test_it_drives_off_in_first_without_a_die_and_spins_again_but_is_never_out() -> None:
    table = leaves_bend(0, at="3:left:3")
    table.land("4:left:7")
    assert (table.car(1).at, table.car(1).status) == ("4:left:1", "spun")
    again = race(
        {"car": 1, "gear": 4, "at": "3:left:3", "stops": 1, "status": "spun", "wear": {**WEAR, "tyres": 0}},
        {"car": 9, "at": "0:right:1", "lap": 2},
    )
    assert again.open == ("roll", 1, "gear_1")
    assert ("turned" in again.kinds(), again.car(1).turned) == (True, False)
    assert (again.car(1).gear, again.race.move.gear, again.car(1).status) == (1, 1, "racing")
    again.say(2)
    again.land("4:left:2")
    assert (again.car(1).status, again.car(1).at) == ("spun", "4:left:1")


@pytest.mark.article("cup", "overshoot.lane")
def test_the_lane_is_kept_and_a_stop_reached_so_does_not_count() -> None:
    table = leaves_bend(6)
    assert {space.split(":")[1] for space in table.spaces()} == {"left"}
    car = {"car": 1, "gear": 6, "at": "1:left:2", "wear": {**WEAR, "tyres": 20}}
    far = race(car, {"car": 2, "at": "0:right:1"})
    far.say(5, 16)
    far.land("3:left:1")
    assert (far.car(1).stops, far.ruling("overshoot").facts["spaces"]) == (0, 15)


@pytest.mark.article("cup", "overshoot.loss", "overshoot.limit", "overshoot.spin")
def test_two_stops_missed_is_out_unless_the_table_asks_the_tyres() -> None:
    table = leaves_bend(9, stops=0)
    assert table.option(space="4:left:6", brakes=0).facts["out"] == "overshoot"
    table.land("4:left:6")
    assert table.car(1).cause == "overshoot"
    worn = leaves_bend(2, stops=0)
    assert "spins_at" not in worn.option(space="4:left:6", brakes=0).facts
    worn.land("4:left:6")
    assert (worn.car(1).cause, worn.race.dangers) == ("overshoot", ["4:left:6"])
    switched = leaves_bend(9, stops=0, options={"missed_stops_spin": True})
    assert "out" not in switched.option(space="4:left:6", brakes=0).facts
    switched.land("4:left:6")
    assert (switched.car(1).status, switched.car(1).wear["tyres"]) == ("racing", 3)


@pytest.mark.article("cup", "overshoot.spin", "overshoot.limit")
@pytest.mark.parametrize(
    ("tyres", "told", "ends"),
    [
        (6, {"spin": True, "spins_at": "15:middle:5"}, ("spun", "15:middle:5")),
        (11, {"spin": True, "spins_at": "15:middle:10"}, ("spun", "15:middle:10")),  # its last space
        (12, {"out": "overshoot"}, ("out", "17:middle:5")),
        (26, {"out": "overshoot"}, ("out", "17:middle:5")),
    ],
)
def test_a_corner_that_the_car_spins_in_has_not_put_it_out(
    tyres: int, told: dict[str, Any], ends: tuple[str, str]
) -> None:
    """Tabac asks for one stop, the swimming pool behind it for two."""
    car = {"car": 1, "gear": 5, "at": "13:right:7", "wear": {**WEAR, "tyres": tyres}}
    table = race(car, {"car": 2, "at": "1:left:1", "gear": 2, "lap": 2}, track="monaco")
    table.say(5, 20)
    assert table.option(space="17:middle:5", brakes=0).facts == {"moved": 20, "overshot": 28, **told}
    table.land("17:middle:5")
    table.until("gear")
    assert ((table.car(1).status, table.car(1).at), table.car(1).wear["tyres"]) == (ends, 0)
    assert table.race.dangers == (["17:middle:5"] if ends[0] == "out" else [])


@pytest.mark.article("cup", "overshoot.spin", "overshoot.limit")
@pytest.mark.parametrize(("stops", "at", "tyres"), [((1, 2, 1), "0:left:1", 3), ((1, 1, 2), "2:middle:1", 5)])
def test_ways_that_overshoot_as_much_in_all_are_told_apart(stops: tuple[int, int, int], at: str, tyres: int) -> None:
    """In one lane the tyres end before the corner of two stops is left, in another behind it."""

    def rolls() -> Table:
        car = {"car": 1, "gear": 5, "at": at, "wear": {**WEAR, "tyres": tyres}}
        table = race(car, {"car": 2, "at": "4:right:20", "gear": 2, "lap": 2}, track=in_a_row(*stops))
        table.say(5, 20)
        return table

    found = [option for option in rolls().options if "overshot" in option.facts]
    assert len({option.facts.get("out") for option in found}) == 2
    for option in found:
        table = rolls()
        table.say(option.answer)
        assert ("out" in option.facts) == (table.car(1).status == "out"), option


@pytest.mark.article("cup", "overshoot.blocked", "blocked.table")
def test_a_car_in_the_way_is_not_driven_around() -> None:
    """Stuck behind it two spaces short: two brakes, besides the four spaces overshot."""
    table = leaves_bend(6, {"car": 2, "at": "4:left:5"})
    option = table.option(space="4:left:4", brakes=0)
    assert (option.wear, option.facts["blocked"]) == ({"brakes": -2, "tyres": -4}, 2)
    table.land("4:left:4")
    table.until("gear")
    assert (table.car(1).wear["brakes"], table.car(1).wear["tyres"]) == (1, 2)


def queue(face: int, gear: int = 3, wear: dict[str, int] | None = None, **setup: Any) -> Table:
    """Car 1 has a space free in Bend, whose left lane leads nowhere else, and a car after it."""
    car = {"car": 1, "gear": gear, "at": "3:left:1", "stops": 2, "wear": {**WEAR, **(wear or {})}}
    table = race(car, {"car": 2, "at": "3:left:3"}, **setup)
    table.say(gear, face)
    return table


@pytest.mark.article("cup", "blocked.table")
@pytest.mark.parametrize(
    ("face", "lost"),
    [
        (4, {"brakes": -3}),
        (5, {"brakes": -3, "tyres": -1}),
        (6, {"brakes": -3, "tyres": -2}),
        (7, {"brakes": -3, "tyres": -3}),
    ],
)
def test_spaces_not_driven_cost_by_the_table(face: int, lost: dict[str, int]) -> None:
    table = queue(face)
    assert table.option(space="3:left:2", brakes=0).wear == lost
    table.land("3:left:2")
    told = table.ruling("blocked")
    assert told.wear == lost
    assert told.facts == {"spaces": face - 1, "brakes": 3, "tyres": -lost.get("tyres", 0)}


@pytest.mark.article("cup", "blocked.table", "wear.penalty")
@pytest.mark.parametrize(("tyres", "status", "short"), [(1, "spun", 1), (2, "racing", None)])
def test_what_is_due_and_missing_is_told_and_the_last_tyre_point_is_no_spin(
    tyres: int, status: str, short: int | None
) -> None:
    table = queue(6, wear={"brakes": 5, "tyres": tyres})
    table.land("3:left:2")
    assert (table.car(1).status, table.ruling("blocked").facts.get("short")) == (status, short)


@pytest.mark.article("cup", "blocked.table", "blocked.no-brakes", "overshoot.blocked")
def test_whoever_drives_all_spaces_pays_for_none() -> None:
    table = leaves_bend(6)
    table.land("4:left:6")
    assert "blocked" not in table.kinds()


@pytest.mark.article("cup", "blocked.table", "overshoot.blocked")
def test_stuck_for_seven_spaces_beyond_a_corner_it_is_out_and_spins_nowhere() -> None:
    car = {"car": 1, "gear": 4, "at": "3:left:2", "stops": 1}
    table = race(car, {"car": 2, "at": "4:left:2"})
    table.say(4, 9)
    assert table.option(space="4:left:1", brakes=0).facts == {"moved": 2, "overshot": 1, "blocked": 7, "out": "blocked"}


@pytest.mark.article("cup", "blocked.no-brakes")
def test_brakes_that_are_missing_count_as_paid() -> None:
    table = queue(6, wear={"brakes": 1})
    assert table.option(space="3:left:2", brakes=0).wear == {"brakes": -1, "tyres": -2}
    table.land("3:left:2")
    assert (table.car(1).status, table.car(1).wear["brakes"], table.car(1).wear["tyres"]) == ("racing", 0, 4)


@pytest.mark.article("cup", "blocked.table", "overshoot.spin", "blocked.no-brakes")
def test_tyres_that_are_missing_spin_the_blocked_car() -> None:
    table = queue(6, wear={"tyres": 1})
    assert table.option(space="3:left:2", brakes=0).facts["spin"]
    table.land("3:left:2")
    assert (table.car(1).status, table.car(1).at, table.car(1).wear["tyres"]) == ("spun", "3:left:2", 0)


@pytest.mark.article("cup", "blocked.table", "handling.marker")
def test_seven_spaces_is_out_unless_the_tyres_go_on_paying() -> None:
    table = queue(8)
    assert table.option(space="3:left:2", brakes=0).facts["out"] == "blocked"
    table.land("3:left:2")
    assert (table.car(1).cause, table.race.dangers) == ("blocked", ["3:left:2"])
    assert table.ruling("blocked").article == "ruling 8"
    paying = queue(8, options={"long_blocks_cost_tyres": True})
    assert paying.option(space="3:left:2", brakes=0).wear == {"brakes": -3, "tyres": -4}
    ours = {"long_blocks_cost_tyres": True, "blocking": [[1, 0], [1, 0], [1, 0], [1, 0], [1, 0], [2, 1]]}
    assert queue(8, options=ours).option(space="3:left:2", brakes=0).wear == {"brakes": -2, "tyres": -2}
    none = {"long_blocks_cost_tyres": True, "blocking": []}
    assert queue(4, options=none).option(space="3:left:2", brakes=0).wear == {"tyres": -3}
    assert queue(4, options={"blocking": []}).option(space="3:left:2", brakes=0).facts["out"] == "blocked"
