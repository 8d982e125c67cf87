"""Corners left too early: what it costs, and the three rules of the way beyond."""

from __future__ import annotations

from typing import Any

import pytest

from tests.rules.competition.boards import TWIN
from tests.table import WEAR, Table


def leaving(
    at: str, gear: int, others: tuple[str, ...] = (), tyres: int = 12, track: str = "monaco", **car: Any
) -> Table:
    """Car 1 on a space with so many tyre points, other cars on theirs in 1st."""
    first = {"car": 1, "at": at, "gear": gear, "wear": {**WEAR, "tyres": tyres}, **car}
    return Table([first, *({"car": 2 + i, "at": x, "gear": 1} for i, x in enumerate(others))], track=track, to_play=[1])


@pytest.mark.article("competition", "10-0-1")
def test_each_space_beyond_the_corner_costs_a_tyre_point() -> None:
    table = leaving("1:right:3", 3)
    table.say(3, 5)
    option = table.option(space="2:right:5", brakes=0)
    assert option.wear == {"tyres": -5}
    assert option.facts == {"moved": 5, "overshot": 5}
    table.land("2:right:5")
    ruling = table.ruling("overshoot")
    assert (ruling.article, ruling.wear) == ("10-0-1", {"tyres": -5})
    assert ruling.facts == {"spaces": 5, "factor": 1, "loss": 5, "corners": [1], "missing": 1}
    assert table.car(1).wear["tyres"] == 7
    assert table.car(1).status == "racing"


@pytest.mark.article("competition", "10-1")
@pytest.mark.parametrize(
    ("at", "stops", "out"),
    [
        ("15:left:9", 0, True),  # Piscine, two stops
        ("15:left:9", 1, False),
        ("9:right:12", 0, True),  # Loews, three
        ("9:right:12", 1, True),
        ("9:right:12", 2, False),
    ],
)
def test_two_stops_missing_put_a_car_out(at: str, stops: int, out: bool) -> None:
    table = leaving(at, 1, stops=stops)
    table.say(1, 1)
    (option,) = [option for option in table.options if not option.answer["brakes"]]
    assert option.facts.get("out") == ("overshoot" if out else None)
    table.say(option.answer)
    car = table.car(1)
    assert car.alive != out
    if out:
        assert table.ruling("out").article == "10-1"
        assert table.ruling("out").facts["removed"] is True
        assert table.race.dangers == []
    else:
        assert car.wear["tyres"] == 11


@pytest.mark.article("competition", "10-3", "20-1")
@pytest.mark.parametrize(("tyres", "status"), [(6, "racing"), (5, "spun"), (4, "out")])
def test_more_than_the_tyres_left_is_the_end(tyres: int, status: str) -> None:
    table = leaving("1:right:3", 3, tyres=tyres)
    table.say(3, 5)
    facts = table.option(space="2:right:5", brakes=0).facts
    assert (facts.get("out"), facts.get("spin")) == {
        "racing": (None, None),
        "spun": (None, True),
        "out": ("overshoot", None),
    }[status]
    table.land("2:right:5")
    assert ("out" in table.kinds(1)) == (status == "out")
    assert ("spin" in table.kinds(1)) == (status == "spun")
    if status == "out":
        assert table.car(1).status == "out", "off at once"
        assert table.ruling("out").article == "10-3"
        assert table.race.dangers == [], "and no marker"


@pytest.mark.article("competition", "10-3", "10-4-1")
@pytest.mark.parametrize(("tyres", "spins"), [(2, None), (1, True)])
def test_a_last_tyre_point_makes_it_spin_and_that_is_told(tyres: int, spins: bool | None) -> None:
    table = leaving("1:right:3", 1, tyres=tyres)
    table.say(1, 1)
    (option,) = [option for option in table.options if not option.answer["brakes"]]
    assert option.facts.get("spin") is spins
    table.say(option.answer)
    assert ("spin" in table.kinds(1)) == bool(spins)


@pytest.mark.article("competition", "10-3")
def test_soft_tyres_go_by_twos() -> None:
    table = Table(
        [{"car": 1, "at": "1:right:3", "gear": 3, "tyres": "soft", "wear": {**WEAR, "tyres": 9}}], to_play=[1]
    )
    table.say(3, 5)
    assert table.option(space="2:right:5", brakes=0, soft=0).facts["out"] == "overshoot"  # ten points
    assert table.option(space="2:right:4", brakes=1).wear == {"brakes": -1, "tyres": -8}


@pytest.mark.article("competition", "10-2", "10-2-1")
def test_the_lane_is_kept_beyond_the_corner() -> None:
    table = leaving("1:right:3", 3)
    table.say(3, 4)
    assert table.spaces() == {"2:right:4"}
    table = leaving("1:right:3", 3, stops=1)
    table.say(3, 4)
    assert {"2:right:4", "2:middle:3", "2:left:2"} <= table.spaces(), "with its stop made it may pull out"


@pytest.mark.article("competition", "10-2", "10-2-2", "12-0-1")
def test_a_car_in_the_lane_blocks() -> None:
    table = leaving("1:right:3", 3, ("2:right:3",))
    table.say(3, 4)
    option = table.option(space="2:right:2", brakes=0)
    assert option.wear == {"tyres": -2, "brakes": -2}
    assert option.facts == {"moved": 2, "overshot": 2, "blocked": 2}
    assert table.spaces() == {"2:right:2"}
    table.land("2:right:2")
    table.until(lambda: table.ask == "gear")
    assert table.car(1).wear == {**WEAR, "tyres": 10, "brakes": 1}
    kinds = table.kinds(1)
    assert kinds.index("overshoot") < kinds.index("blocked"), "ruling 40: overshoot is paid first"


@pytest.mark.article("competition", "10-2-3", "10-0-1")
def test_into_the_next_corner_and_no_stop_there() -> None:
    """Ruling 36: the two spaces of Casino 2 count like the two of the straight before it."""
    table = leaving("3:right:10", 3)
    table.say(3, 4)
    assert table.option(space="5:right:2", brakes=0).wear == {"tyres": -4}
    table.land("5:right:2")
    assert table.car(1).stops == 0
    assert "stop" not in table.kinds()
    table.say(2, 2)  # the stop is still owed: 6:right:2 is two beyond
    assert table.option(space="6:right:2", brakes=0).wear == {"tyres": -2}


@pytest.mark.article("competition", "10-2-3")
def test_the_stops_of_the_corner_left_do_not_count_in_the_next() -> None:
    """Out of Piscine with one stop of its two, over the four spaces of straight, onto the first of Rascasse."""
    table = leaving("15:left:9", 3, stops=1)
    table.say(3, 5)
    table.land("17:left:1")
    assert table.car(1).stops == 0


@pytest.mark.article("competition", "10-0-1", "10-1")
def test_two_corners_in_one_move() -> None:
    """Ruling 37: both are overshot, and the spaces are added; two stops missed in the second put the car out."""
    table = leaving("3:right:10", 3)
    table.say(3, 5)
    option = table.option(space="6:right:1", brakes=0)
    assert option.facts["overshot"] == 6  # five beyond Casino 1, one beyond Casino 2
    assert option.wear == {"tyres": -6}
    table.land("6:right:1")
    assert table.ruling("overshoot").facts["corners"] == [2, 3]
    table = leaving("13:left:3", 5, tyres=20)
    table.say(5, 12)  # three of straight, the nine of Piscine
    assert table.option(space="15:left:9", brakes=0).facts == {"moved": 12, "overshot": 12}
    table = leaving("13:left:3", 5, tyres=20)
    table.say(5, 13)
    assert table.option(space="16:left:1", brakes=0).facts["out"] == "overshoot"


@pytest.mark.article("competition", "10-2-1")
def test_from_corner_to_corner_the_lane_is_kept_at_once() -> None:
    """Ruling 38."""
    table = leaving("1:right:3", 2, track=TWIN)
    table.say(2, 3)
    assert table.spaces() == {"2:right:3"}
    table = leaving("1:right:3", 2, track=TWIN, stops=1)
    table.say(2, 3)
    assert table.spaces() == {"2:right:3", "2:middle:2", "2:left:1"}


@pytest.mark.article("competition", "10-2-1")
@pytest.mark.parametrize("stops", [0, 1])
def test_not_into_the_pits_while_overshooting(stops: int) -> None:
    """Ruling 39: entering the lane would be a change of lane."""
    table = leaving("19:right:2", 2, stops=stops, round_set=True)
    table.say(2, 3)
    assert any(space.startswith("pit:") for space in table.spaces()) == bool(stops)


@pytest.mark.article("competition", "10-3", "12-1-1")
@pytest.mark.parametrize(("tyres", "cause"), [(3, "spun"), (2, "blocked"), (1, "overshoot")])
def test_overshoot_and_blocking_in_one_turn(tyres: int, cause: str) -> None:
    """Ruling 40: two spaces over, then blocked by four: two tyres and one more. What the overshoot alone can not pay
    is out by overshoot, what only both can not pay is out by blocking."""
    table = leaving("1:right:3", 3, ("2:right:3",), tyres=tyres)
    table.say(3, 6)
    facts = table.option(space="2:right:2", brakes=0).facts
    assert facts.get("out", "spun" if facts.get("spin") else None) == cause
    table.land("2:right:2")
    car = table.car(1)
    if cause == "spun":
        assert table.ruling("spin").article == "12-1-4"
        assert car.wear["tyres"] == 0
        assert car.alive
    else:
        assert car.cause == cause
        assert table.ruling("out", 1).facts["removed"] == (cause == "overshoot")


@pytest.mark.article("competition", "10-1", "10-0-1")
def test_of_two_corners_the_one_that_missed_more_counts() -> None:
    """Monza's fourth corner asks for one stop and the fifth for two: none was made in either."""
    table = Table([{"car": 1, "at": "corner:4", "gear": 4}], "monza", to_play=[1])
    table.say(4, 12, {"in": "after corner 5", "overshot": 4})
    assert (table.ruling("overshoot").facts["corners"], table.ruling("overshoot").facts["missing"]) == ([4, 5], 2)
    assert (table.car(1).status, table.ruling("out").article) == ("out", "10-1")


@pytest.mark.article("competition", "10-3", "10-4-1")
def test_where_a_space_costs_nothing_nobody_spins_by_it() -> None:
    """A table's own figure."""
    table = leaving("1:right:3", 3, tyres=0, track="monaco")
    free = Table(
        [{"car": 1, "at": "1:right:3", "gear": 3, "wear": {**WEAR, "tyres": 0}}],
        to_play=[1],
        options={"factor_hard_dry": [0, 1, 1]},
    )
    for race, status in ((table, "out"), (free, "racing")):
        race.say(3, 4)
        race.land("2:right:4")
        assert race.car(1).status == status


@pytest.mark.article("competition", "10-4-1", "21-1-5", "5-1-4")
def test_whoever_is_home_does_not_spin() -> None:
    """On the last lap, out of Monza's last corner without its stop and over the line."""
    table = Table(
        [{"car": 1, "at": "corner:6", "gear": 3, "lap": 3, "wear": {**WEAR, "tyres": 2}}], "monza", to_play=[1]
    )
    table.say(3, 7, {"in": "after corner 6", "line": True, "overshot": 2})
    assert (table.car(1).status, table.car(1).wear["tyres"]) == ("finished", 0)
    assert "spin" not in table.kinds()


@pytest.mark.article("competition", "10-4-1", "5-1-4", "12-1-4")
def test_a_coasting_car_that_would_spin_is_off() -> None:
    """Every way costs its last tyre point: nothing is left to put straight."""
    table = leaving("1:right:3", 4, wear={"tyres": 7, "engine": 0, "brakes": 0}, status="coasting", coast=4)
    table.say(4, 7)
    table.say(table.options[0].answer)
    assert (table.car(1).status, table.car(1).cause) == ("out", "engine")
    assert (table.ruling("out").article, table.ruling("out").facts["removed"]) == ("16-0-3-1", True)
    assert "spin" not in table.kinds()


@pytest.mark.article("competition", "10-4-1", "10-4-2")
def test_whoever_spins_again_is_not_straight_any_more() -> None:
    table = leaving("1:right:3", 3, tyres=4, turned=True)
    table.say(3, 4)
    table.land("2:right:4")
    assert (table.car(1).status, table.ruling("spin").article) == ("spun", "10-4-1")
    assert table.ruling("turned").article == "10-4-1"  # at the end of this very round
