"""Blocking: the table, voluntary brakes, the furthest space, elimination and the car ahead. Article 12.

Three cars on L8, M9 and R8 of TOW's long straight leave no way round; the furthest space before them is M7.
"""

from __future__ import annotations

from typing import Any

import pytest

from tests.rules.competition.boards import RIGHT_HANDER, TOW, at, board, corner, straight
from tests.table import WEAR, Table

WALL = "M9 L8 R8"


def behind(start: str, gear: int, others: str = WALL, wear: dict[str, int] | None = None, **rest: Any) -> Table:
    """Car 1 in a gear on a space, the others in 1st, car 2 on the first of theirs."""
    setup = {name: rest.pop(name) for name in ("surface", "sky", "options") if name in rest}
    cars = [{"car": 1, "at": at(start), "gear": gear, "wear": {**WEAR, **(wear or {})}, **rest}]
    cars += [{"car": 2 + i, "at": at(code), "gear": 1} for i, code in enumerate(others.split())]
    return Table(cars, track=TOW, to_play=[1], **setup)


def collisions_on(table: Table) -> None:
    table.until(lambda: table.ask not in ("test",))


TABLE = [(1, 1, 0), (2, 2, 0), (3, 3, 0), (4, 3, 1), (5, 3, 2), (6, 3, 3)]


@pytest.mark.article("competition", "12-0-1", "12-1-3", "0-0-4")
@pytest.mark.parametrize(("blocked", "brakes", "tyres"), TABLE)
def test_the_blocking_table(blocked: int, brakes: int, tyres: int) -> None:
    """Four free spaces from M-1; the rest by the table."""
    gear = 3 if blocked <= 4 else 4
    table = behind("M-1", gear)
    table.say(gear, 4 + blocked)
    assert table.spaces() == {at("M7")}
    option = table.option(space=at("M7"), brakes=0)
    assert option.facts == {"moved": 4, "blocked": blocked}
    assert option.wear == {pool: -n for pool, n in (("brakes", brakes), ("tyres", tyres)) if n}
    table.land(at("M7"))
    ruling = table.ruling("blocked")
    assert ruling.article == "12-0-1"
    assert ruling.facts == {"spaces": blocked, "brakes": brakes, "tyres": tyres}
    assert ruling.wear == option.wear, "and no pool of which nothing was lost"
    collisions_on(table)
    assert table.car(1).wear == {**WEAR, "brakes": 3 - brakes, "tyres": 6 - tyres}
    assert table.car(1).alive


@pytest.mark.article("competition", "12-0-1")
def test_nobody_is_blocked_while_a_way_goes_all_the_distance() -> None:
    """Ruling 21: with R8 free the car must go by it, and only brakes stop it short."""
    table = behind("M-1", 3, "M9 L8")
    table.say(3, 7)
    assert not any("blocked" in option.facts for option in table.options)
    assert table.spaces() == {at("R12"), at("M11")}  # R8 is the fifth space


@pytest.mark.article("competition", "12-0-1", "10-1")
def test_not_even_where_the_only_way_is_out() -> None:
    """Ruling 21: from the last space of Piscine's left lane, no stop made, the way beyond is free and the end."""
    table = Table([{"car": 1, "at": "15:left:9", "gear": 1}], to_play=[1])
    table.say(1, 1)
    (option,) = [option for option in table.options if not option.answer["brakes"]]
    assert option.facts["out"] == "overshoot"
    assert "blocked" not in option.facts


@pytest.mark.article("competition", "12-0-1", "12-1-3", "19-1-1", "19-1-5", "19-2-2", "11-0-1")
@pytest.mark.parametrize("switch", [False, True])
@pytest.mark.parametrize(("face", "end"), [(4, "pit:4"), (6, "box:1")])
def test_the_pits_are_no_way_round(face: int, end: str, switch: bool) -> None:
    """Ruling 21's switch: from 20:right:2 the lane is free, as far as box 1 beside its 4th space; the track is not."""
    cars = [
        {"car": 1, "at": "20:right:2", "gear": 3, "round_set": True, "box": 1},
        {"car": 2, "at": "20:right:3", "gear": 1},
        {"car": 3, "at": "20:middle:2", "gear": 1},
    ]
    table = Table(cars, to_play=[1], options={"pits_are_a_way_round": switch})
    table.say(3, face)
    assert end in table.spaces()
    blocked = {
        (option.answer["space"], option.facts["blocked"]) for option in table.options if "blocked" in option.facts
    }
    assert blocked == (set() if switch else {("20:right:2", face - brakes) for brakes in range(4)})


@pytest.mark.article("competition", "12-0-2")
@pytest.mark.parametrize("tyres", ["soft", "rain"])
def test_example_12_2_fourteen_rolled_and_nine_free(tyres: str) -> None:
    """Three brakes and two tyre points, whatever the tyres."""
    table = behind("M-3", 5, "M17 L16 R16", tyres=tyres, tyre_laps=2)
    table.say(5, 14)
    option = table.option(space=at("M15"), brakes=0)
    assert option.wear == {"brakes": -3, "tyres": -2}
    assert option.facts == {"moved": 9, "blocked": 5}
    table.land(at("M15"))
    assert table.ruling("blocked").wear == {"brakes": -3, "tyres": -2}


@pytest.mark.article("competition", "12-0-3")
def test_voluntary_brakes_come_before_the_table() -> None:
    """Ruling 47: seven blocked spaces are the end; one voluntary brake leaves six, four leave three."""
    table = behind("M-1", 4, wear={"brakes": 7})
    table.say(4, 11)
    assert table.option(space=at("M7"), brakes=0).facts["out"] == "blocked"
    costs = {
        option.answer["brakes"]: (-option.wear["brakes"], -option.wear.get("tyres", 0))
        for option in table.options
        if "out" not in option.facts
    }
    assert costs == {1: (4, 3), 2: (5, 2), 3: (6, 1), 4: (7, 0), 5: (7, 0), 6: (7, 0), 7: (7, 0)}
    table.land(at("M7"), brakes=3)
    collisions_on(table)
    assert table.car(1).wear == {**WEAR, "brakes": 1, "tyres": 5}


@pytest.mark.article("competition", "12-1-3")
def test_the_furthest_space_is_the_one_that_plays_first() -> None:
    """Ruling 48: four spaces lead to L6, M7 and R6; M7 is half a space further on."""
    table = behind("M-1", 3)
    table.say(3, 5)
    assert table.spaces() == {at("M7")}
    table = behind("M3", 3, "M5 M7 L8 R8")
    table.say(3, 4)
    assert table.spaces() == {at("L6"), at("R6")}, "level: as the driver likes"
    assert table.option(space=at("L6"), brakes=0).facts == {"moved": 2, "blocked": 2}


@pytest.mark.article("competition", "12-1-1", "12-1-2", "12-1-5", "20-2-1", "20-2-2")
@pytest.mark.parametrize(
    ("gear", "roll", "wear"),
    [
        (4, 11, {}),  # seven spaces, whatever there is to pay with
        (3, 7, {"brakes": 2}),  # three spaces, two brakes
        (4, 9, {"tyres": 1}),  # five spaces, two tyre points
    ],
)
def test_out_by_blocking(gear: int, roll: int, wear: dict[str, int]) -> None:
    table = behind("M-1", gear, wear=wear)
    table.say(gear, roll)
    assert table.option(space=at("M7"), brakes=0).facts["out"] == "blocked"
    table.land(at("M7"))
    out = table.ruling("out", 1)
    assert (out.article, out.facts["removed"]) == ("12-1-1", False)
    assert table.car(1).status == "wreck"
    front = table.car(2)
    assert front.wear == {**WEAR, "body": 2}, "a body point without a roll"
    assert table.ruling("hit", 2).article == "12-1-1"
    assert sorted(table.race.dangers) == sorted([at("M7"), at("M9")]), "two markers"
    # the others in contact, on L8 and R8, test aggravated; the wreck does not roll, nor the one that was hit
    rolled = []
    while table.ask == "test":
        assert table.talk.question is not None
        assert table.talk.question.fields == {"loses_to": 2}
        assert table.open is not None
        rolled.append(table.open[1])
        table.say(20)
    assert sorted(number for number in rolled if number) == [3, 4]


@pytest.mark.article("competition", "12-1-2")
def test_the_wreck_stays_until_its_next_turn() -> None:
    table = behind("M-1", 4, "M9 L8 R8")
    table.race.played.remove(4)
    table.say(4, 11)
    table.land(at("M7"))
    collisions_on(table)
    assert table.car(1).status == "wreck"
    assert table.car(1).at == at("M7")
    while table.car(1).status == "wreck":
        table.say(table.options[0].answer if table.options else 20 if table.ask == "test" else 1)
    assert table.ruling("removed", 1).article == "12-1-2"


@pytest.mark.article("competition", "12-1-1", "14-2")
def test_the_hit_may_be_the_last_body_point_of_the_car_in_front() -> None:
    """Ruling 50: it is out as by collision."""
    table = behind("M-1", 4)
    table.car(2).wear["body"] = 1
    table.say(4, 11)
    table.land(at("M7"))
    assert (table.car(2).status, table.car(2).cause) == ("wreck", "body")


@pytest.mark.article("competition", "12-1-1")
def test_a_wreck_in_front_loses_nothing_more() -> None:
    table = behind("M-1", 4)
    wreck = table.car(2)
    wreck.status, wreck.cause = "wreck", "body"
    table.say(4, 11)
    table.land(at("M7"))
    assert "hit" not in table.kinds(2)
    assert table.race.dangers == [at("M7")]


FORK = board(
    "Fork",
    straight("> > ^ >", "3* x ^", "< < ^ < ^", (1, 0, 1)),  # nobody gets past the third space of the middle
    corner("First", RIGHT_HANDER),
    straight(24, 24, 25, (2, 1, 0)),
)


@pytest.mark.article("competition", "12-1-1")
def test_which_car_is_just_in_front_where_nothing_leads_ahead() -> None:
    """Ruling 49: the way ahead is no space at all; of the two cars on the ways that are, the driver names one."""
    cars = [
        {"car": 1, "at": "0:middle:3", "gear": 4},
        {"car": 2, "at": "0:left:3", "gear": 1},
        {"car": 3, "at": "0:right:3", "gear": 1},
    ]
    table = Table(cars, track=FORK, to_play=[1])
    table.say(4, 7)
    table.land("0:middle:3")
    assert table.open == ("front", 1, "")
    assert [option.answer for option in table.options] == [2, 3]
    table.say(3)
    assert table.car(3).wear["body"] == 2
    assert table.car(2).wear["body"] == 3


@pytest.mark.article("competition", "12-1-4", "10-4-1")
@pytest.mark.parametrize(("tyres", "status"), [(3, "racing"), (2, "spun")])
def test_the_last_tyre_point_spins_here_too(tyres: int, status: str) -> None:
    table = behind("M-1", 4, wear={"tyres": tyres})
    table.say(4, 9)  # five blocked: two tyre points
    assert table.option(space=at("M7"), brakes=0).facts.get("spin") == (True if status == "spun" else None)
    table.land(at("M7"))
    assert table.car(1).status == status
    if status == "spun":
        assert table.ruling("spin").article == "12-1-4"
        assert table.talk.question is not None
        assert table.talk.question.fields == {"loses_to": 2}
    collisions_on(table)


@pytest.mark.article("competition", "12-1-4")
def test_blocked_without_a_tyre_point_for_brakes_alone_is_no_spin() -> None:
    table = behind("M-1", 3, wear={"tyres": 0})
    table.say(3, 6)
    table.land(at("M7"))
    assert table.car(1).status == "racing"


@pytest.mark.article("competition", "14-1", "12-0-1")
def test_a_blocked_car_that_goes_on_tests_like_any_other() -> None:
    """Ruling 52: with the car it stands behind and those beside it, the ordinary range."""
    table = behind("M-1", 3)
    table.say(3, 5)
    table.land(at("M7"))
    rolled = []
    while table.ask == "test":
        assert table.talk.question is not None
        assert table.talk.question.fields == {"loses_to": 1}
        assert table.open is not None
        rolled.append(table.open[1])
        table.say(20)
    assert rolled == [2, 3, 4, 1, 1, 1], "those in front in running order, M9 before L8 and R8, then the mover for each"


@pytest.mark.article("competition", "12-0-1")
def test_a_table_of_ones_own() -> None:
    """The table is a figure: here it ends at two spaces."""
    table = behind("M-1", 3, options={"blocking": [[0, 1], [0, 2]]})
    table.say(3, 6)
    assert table.option(space=at("M7"), brakes=0).wear == {"tyres": -2}
    table = behind("M-1", 3, options={"blocking": [[0, 1], [0, 2]]})
    table.say(3, 7)
    assert table.option(space=at("M7"), brakes=0).facts["out"] == "blocked"


@pytest.mark.article("competition", "12-0-1", "12-1-4", "10-3")
def test_blocked_without_a_tyre_point_the_one_that_is_missing_spins() -> None:
    """Four spaces cost a tyre point: without one the car can lose that at once, as by overshooting."""
    table = behind("M-1", 3, wear={"tyres": 0})
    table.say(3, 8)
    table.land(at("M7"))
    assert (table.car(1).status, table.ruling("spin").article) == ("spun", "12-1-4")


@pytest.mark.article("competition", "12-1-4", "10-4-1")
def test_the_last_tyre_point_overshot_spins_once_where_the_car_is_blocked_too() -> None:
    """Two spaces over with two tyre points, then two blocked, which cost brakes alone."""
    cars = [
        {"car": 1, "at": "1:right:3", "gear": 3, "wear": {**WEAR, "tyres": 2}},
        {"car": 2, "at": "2:right:3", "gear": 1},
    ]
    table = Table(cars, to_play=[1])
    table.say(3, 4)
    table.land("2:right:2")
    assert [ruling.article for ruling in table.rulings if ruling.kind == "spin"] == ["12-1-4"]
    assert table.car(1).wear == {**WEAR, "tyres": 0, "brakes": 1}


@pytest.mark.article("competition", "12-0-1", "12-1-1", "10-0-1")
def test_what_overshooting_has_taken_blocking_cannot() -> None:
    """One space over on soft tyres takes the two that are left; four blocked want another."""
    cars = [
        {"car": 1, "at": "1:right:3", "gear": 3, "tyres": "soft", "wear": {**WEAR, "tyres": 2}},
        {"car": 2, "at": "2:right:2", "gear": 1},
    ]
    table = Table(cars, to_play=[1])
    table.say(3, 5)
    assert table.option(space="2:right:1", brakes=0).facts["out"] == "blocked"
    table.land("2:right:1")
    assert (table.car(1).status, table.car(1).cause) == ("wreck", "blocked")


@pytest.mark.article("competition", "12-0-1", "12-1-1", "12-1-5")
@pytest.mark.parametrize(
    ("seen", "hit"),
    [({}, []), ({"beside": [3]}, [3]), ({"ahead": 2, "beside": [3]}, [2]), ({"beside": [2, 3]}, None)],
)
def test_on_a_corner_sheet_the_car_in_front_is_the_one_that_was_seen(
    seen: dict[str, Any], hit: list[int] | None
) -> None:
    """Blocked by seven: whoever was seen straight ahead loses the body point, else one that was beside."""
    cars = [{"car": number, "at": "after:1", "gear": 3} for number in (1, 2, 3)]
    table = Table(cars, track="monza", to_play=[1])
    table.say(3, 8, {"in": "after corner 1", "blocked": 7, **seen})
    assert (table.ruling("blocked").article, table.ruling("blocked").facts) == ("12-1-1", {"spaces": 7})
    if hit is None:
        assert table.open == ("front", 1, "")
        table.say(3)
        hit = [3]
    assert [ruling.car for ruling in table.rulings if ruling.kind == "hit"] == hit
    assert table.ruling("out").facts["removed"] is False
