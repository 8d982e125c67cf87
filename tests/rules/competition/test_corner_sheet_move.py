"""Moves on a corner sheet: what the table saw has the same price, tests and articles as on a board that is known.

Monza: corners of 2, 1, 1, 1, 2 and 1 stops.
"""

from __future__ import annotations

from typing import Any

import pytest

from tests.table import WEAR, Table

SHEET = "monza"


def moving(at: str, spaces: int = 7, *others: dict[str, Any], gear: int = 3, **car: Any) -> Table:
    """Car 1 has rolled so many spaces in that gear; the table is asked what it saw."""
    setup = {key: car.pop(key) for key in ("sky", "surface", "laps", "options", "track") if key in car}
    cars = [{"car": 1, "at": at, "gear": gear, "box": 1, **car}, *({"gear": 3, **other} for other in others)]
    table = Table(cars, to_play=[1], **{"track": SHEET, **setup})
    table.say(gear, spaces)
    assert table.open == ("saw", 1, f"spaces_{spaces}")
    return table


@pytest.mark.article("competition", "6-2-1", "7-1-1", "19-1-1")
def test_the_places_ahead_and_the_offers() -> None:
    table = moving("corner:1", stops=2)
    assert table.fields["in"] == [
        "corner 1", "after corner 1", "corner 2", "after corner 2", "corner 3", "after corner 3", "corner 4",
        "after corner 4",
    ]  # fmt: skip
    # Offered is what needs no figure: as far as the next corner that wants a stop.
    assert [option.answer for option in table.options] == [
        {"in": "corner 1"}, {"in": "after corner 1"}, {"in": "corner 2"}
    ]  # fmt: skip
    table.say({"in": "after corner 1"})
    assert table.car(1).at == "after:1"
    assert table.car(1).wear == WEAR


@pytest.mark.article("competition", "8-1-2", "8-2-1", "11-0-1", "12-0-1", "15-0-2", "17-0-2", "17-3", "18-1-4")
def test_how_much_the_table_may_have_counted() -> None:
    """Overshot are three corners at most, beyond each fewer spaces than beyond the one before; on the way out of the
    pits into the flag nothing is tested; a slipstream brings a space at least, and no second slide."""
    oval, pits = "indianapolis-oval", {"status": "pit", "stop": "left"}
    rain: dict[str, Any] = {"surface": "wet", "sky": "rain"}
    usual = {"line": [False, True], "brakes": [0, 3], "soft": [0, 0], "dangers": [0, 20], "to_box": [0, 0], "slide": 0,
             "entry": 0, "last_lap": False}  # fmt: skip
    walls, none = {"walls": [0, 9]}, {"walls": [0, 0]}
    soft = moving("after:0", 9, gear=4, tyres="soft")
    wet = moving("after:0", 9, gear=4, track=oval, **rain)
    out = moving("pit:1", 9, gear=4, track=oval, lap=2, **pits)
    flag = {"car": 2, "status": "finished"}
    home = moving("pit:1", 9, flag, gear=4, track=oval, lap=2, options={"flag_next_crossing": True}, **pits)
    tow = moving("corner:1", 7, {"car": 2, "at": "corner:1", "gear": 4}, gear=4, **rain)
    tow.say({"in": "corner 1", "ahead": 2}, True)
    for table, said in (
        (soft, {**usual, **none, "soft": [0, 1], "overshot": [0, 24], "blocked": [0, 9], "spaces": 9}),
        (wet, {**usual, **walls, "overshot": [0, 30], "blocked": [0, 12], "spaces": 9, "slide": 3}),
        (out, {**usual, **walls, "overshot": [0, 21], "blocked": [0, 9], "spaces": 9}),
        (home, {**usual, **none, "overshot": [0, 0], "blocked": [0, 9], "spaces": 9, "dangers": [0, 0],
                "last_lap": True}),
        (tow, {**usual, **none, "brakes": [0, 2], "overshot": [0, 6], "blocked": [0, 3], "spaces": 3, "entry": 1}),
    ):  # fmt: skip
        others = ("in", "past", "beside", "ahead", "order")
        assert {name: field for name, field in table.fields.items() if name not in others} == said


@pytest.mark.article("competition", "7-1-1", "10-0-1", "11-0-1", "12-0-1", "14-1")
@pytest.mark.parametrize(
    ("seen", "match"),
    [
        ({"in": "after corner 3"}, "Corner 2 still wants a stop"),  # corner 3 does too
        ({"in": "after corner 2", "overshot": 6, "brakes": 2}, "With 5 to drive a car cannot be 6 beyond the corner"),
        ({"in": "after corner 2", "overshot": 6, "blocked": 2}, "With 5 to drive a car cannot be 6 beyond the corner"),
        ({"in": "after corner 1", "order": [2, 1]}, "Car 2 is not on the board"),
        ({"in": "after corner 1", "beside": [2]}, "Car 2 is not on the board"),
        ({"in": "after corner 1", "ahead": 2}, "Car 2 is not on the board"),
        ({"in": "after corner 1", "ahead": True}, "A whole number is wanted"),
        ({"in": "after corner 1", "order": 3}, "are lists of car numbers"),
    ],
)
def test_what_cannot_have_been_seen_is_refused(seen: dict[str, Any], match: str) -> None:
    gone = {"car": 2, "at": "after:1", "status": "out"}
    moving("after:1", 7, gone, {"car": 3, "at": "after:2"}).refuses(seen, match)


@pytest.mark.article("competition", "11-0-1", "21-1-5")
def test_who_stood_still_has_not_crossed_the_line() -> None:
    table = moving("after:6", 2, gear=2)
    table.refuses({"in": "after corner 6", "line": True, "brakes": 2}, "braked 2 and was blocked by 0 did not get")
    table.say({"in": "after corner 6", "brakes": 2})
    assert (table.car(1).at, table.car(1).lap, table.car(1).wear["brakes"]) == ("after:6", 1, 1)


@pytest.mark.article("competition", "8-2-1", "18-3-1")
def test_a_soft_space_is_taken_once_a_turn_on_a_sheet_too() -> None:
    table = moving("after:0", 9, {"car": 2, "at": "corner:1", "gear": 4}, gear=4, tyres="soft")
    assert table.fields["soft"] == [0, 1]
    table.say({"in": "corner 1", "soft": 1, "ahead": 2}, True)
    assert table.fields["soft"] == [0, 0]


@pytest.mark.article("competition", "11-0-1", "19-1-3")
@pytest.mark.parametrize("at", ["after:6", "pit:1"])
def test_into_the_lane_and_in_it_a_car_brakes(at: str) -> None:
    table = moving(at, round_set=True)
    assert {"in": "pit"} in [option.answer for option in table.options]
    assert {"in": "pit", "line": True} not in [option.answer for option in table.options]
    table.say({"in": "pit", "brakes": 1})
    assert (table.car(1).at, table.car(1).wear["brakes"]) == ("pit:1", 2)


@pytest.mark.article("competition", "7-1-1")
def test_stops_are_counted() -> None:
    table = moving("after:6", lap=0)
    table.say({"in": "corner 1", "line": True})
    assert (table.car(1).stops, table.car(1).lap) == (1, 1)
    assert table.ruling("stop").article == "7-1-1"
    table.say(3, 7, {"in": "corner 1"})
    assert table.car(1).stops == 2
    table.say(3, 7, {"in": "corner 1"})
    assert table.car(1).stops == 2


@pytest.mark.article("competition", "6-2-1", "7-1-1", "7-1-2", "7-1-3")
@pytest.mark.parametrize(
    ("at", "stops", "place", "told"),
    [
        ("after:0", 0, "after corner 6", {"past_line": True}),
        ("after:1", 0, "after corner 1", {}),  # a straight asks for none
        ("after:0", 0, "corner 1", {"stops": 1, "of": 2}),
        ("corner:1", 0, "corner 1", {"stops": 1, "of": 2}),
        ("corner:1", 1, "corner 1", {"stops": 2, "of": 2}),
        ("corner:1", 2, "corner 1", {}),  # a third is nothing more
        ("corner:1", 2, "corner 2", {"stops": 1, "of": 1}),  # those of the corner before do not count there
        ("corner:1", 2, "after corner 1", {}),
        ("after:4", 0, "after corner 4", {}),
        ("after:4", 0, "corner 5", {"stops": 1, "of": 2}),
        ("corner:6", 0, "corner 6", {"stops": 1, "of": 1}),
    ],
)
def test_each_place_tells_which_stop_of_how_many_it_would_be(
    at: str, stops: int, place: str, told: dict[str, int]
) -> None:
    assert moving(at, stops=stops).option(answer={"in": place}).facts == told


@pytest.mark.article("competition", "7-1-1", "10-0-1", "10-1")
@pytest.mark.parametrize(
    ("at", "stops", "line", "corner", "missing", "out"),
    [
        ("after:0", 0, False, 1, 2, True),
        ("corner:1", 0, False, 1, 2, True),
        ("corner:1", 1, False, 1, 1, False),
        ("corner:1", 2, False, 2, 1, False),
        ("after:1", 0, False, 2, 1, False),
        ("corner:5", 1, False, 5, 1, False),
        ("corner:6", 0, False, 6, 1, False),
        ("corner:6", 1, True, 1, 2, True),  # the next one lies over the line
        ("after:6", 0, True, 1, 2, True),
    ],
)
def test_what_it_is_to_drive_past_the_first_corner_that_wants_a_stop(
    at: str, stops: int, line: bool, corner: int, missing: int, out: bool
) -> None:
    answer = {"in": f"after corner {corner}", **({"line": True} if line else {})}
    most = 7 if at.startswith("corner") and corner == int(at[-1]) else 6
    told = {"answer": answer, "corner": corner, "missing": missing, "out": out, "most": most}
    assert moving(at, stops=stops).fields["past"] == told


@pytest.mark.article("competition", "10-0-1")
def test_an_overshoot_costs_tyres() -> None:
    table = moving("corner:1", stops=1)
    table.refuses({"in": "after corner 1"}, "still wants a stop; say how many spaces beyond")
    table.refuses({"in": "after corner 1", "overshot": 8}, "With 7 to drive a car cannot be 8 beyond the corner")
    table.say({"in": "after corner 1", "overshot": 2})
    ruling = table.ruling("overshoot")
    assert (ruling.article, ruling.wear) == ("10-0-1", {"tyres": -2})
    assert ruling.facts["corners"] == [1]
    assert table.car(1).stops == 0


@pytest.mark.article("competition", "8-2-1", "10-0-1")
def test_an_overshoot_on_soft_tyres_in_their_third_lap() -> None:
    table = moving("corner:2", tyres="soft", tyre_laps=2, stops=0)
    table.say({"in": "after corner 2", "overshot": 1})
    assert table.ruling("overshoot").wear == {"tyres": -3}


@pytest.mark.article("competition", "10-1")
def test_two_stops_missing_put_a_car_out() -> None:
    table = moving("after:6", 12, gear=4)
    table.say({"in": "after corner 1", "line": True, "overshot": 1})
    assert table.ruling("out").article == "10-1"
    assert table.car(1).status == "out"


@pytest.mark.article("competition", "10-2", "10-2-3")
def test_overshooting_two_corners_adds_the_spaces() -> None:
    # Three beyond corner 2, of which one beyond corner 3 as well: the table counts from the end of each.
    table = moving("corner:2", 8)
    table.say({"in": "after corner 3", "overshot": 4})
    ruling = table.ruling("overshoot")
    assert ruling.wear == {"tyres": -4}
    assert ruling.facts["corners"] == [2, 3]
    # Into the second corner only: no stop is made there [10-2-3].
    table = moving("corner:2", 8)
    table.say({"in": "corner 3", "overshot": 2})
    assert table.ruling("overshoot").facts["corners"] == [2]
    assert table.car(1).stops == 0
    assert "stop" not in table.kinds()


@pytest.mark.article("competition", "7-1-1", "10-0-1", "10-2")
@pytest.mark.parametrize(
    ("at", "roll", "there", "least", "most"),
    [
        ("corner:2", 7, "after corner 2", 1, 7),  # out of the corner at once
        ("after:1", 7, "after corner 2", 1, 6),  # a space in it first
        ("corner:1", 7, "after corner 2", 1, 6),  # both stops made
        ("corner:2", 8, "after corner 3", 2 + 1, 8 + 7),
        ("corner:2", 8, "corner 4", 2 + 1, 8 + 7),
        ("after:1", 8, "after corner 3", 2 + 1, 7 + 6),
        ("after:1", 9, "after corner 4", 3 + 2 + 1, 8 + 7 + 6),
        ("corner:2", 2, "after corner 3", 2 + 1, 2 + 1),  # nothing else is left
    ],
)
def test_how_far_beyond_its_corners_a_car_can_be(at: str, roll: int, there: str, least: int, most: int) -> None:
    """Beyond each corner fewer spaces than beyond the one before, since each corner has one at least in every lane."""

    def table() -> Table:
        return moving(at, roll, gear=2 if roll < 4 else 4, stops=2 if at == "corner:1" else 0)

    for cannot in (least - 1, most + 1):
        match = "still wants a stop" if not cannot else f"With {roll} to drive a car cannot be {cannot} beyond"
        table().refuses({"in": there, "overshot": cannot}, match)
    for can in (least, most):
        table().say({"in": there, "overshot": can})
    asked = table()
    assert most <= asked.fields["overshot"][1]


@pytest.mark.article("competition", "6-2-1", "7-1-1", "11-0-1")
def test_no_place_is_offered_or_taken_that_is_too_far_for_the_move() -> None:
    table = moving("after:1", 2, gear=2)
    assert table.fields["in"] == ["after corner 1", "corner 2", "after corner 2", "corner 3"]
    table.refuses({"in": "after corner 3", "overshot": 3}, "can stop in one of after corner 1, corner 2")
    table = moving("after:1", 3, gear=2)
    table.refuses(
        {"in": "after corner 3", "overshot": 3, "brakes": 1},
        "With 2 to drive a car does not come as far as after corner 3, which takes 3 spaces at least",
    )
    table.say({"in": "after corner 3", "overshot": 3})
    out = moving("pit:1", 2, gear=2, status="pit", stop="left")
    assert out.fields["in"] == ["pit", "after corner 6", "corner 1", "after corner 1", "corner 2"]


@pytest.mark.article("competition", "10-3", "10-4-1")
def test_tyres_gone_spin_the_car_and_more_put_it_out() -> None:
    table = moving("corner:2", 8)
    table.say({"in": "after corner 2", "overshot": 6})
    assert table.ruling("spin").article == "10-4-1"
    table = moving("corner:2", 8)
    table.say({"in": "after corner 2", "overshot": 7})
    assert table.ruling("out").article == "10-3"


@pytest.mark.article("competition", "11-0-1", "11-0-3")
def test_brakes() -> None:
    table = moving("after:1", 8)
    table.refuses({"in": "corner 2", "brakes": 4}, "brakes is a count from 0 to 3")
    table.say({"in": "corner 2", "brakes": 2})
    assert table.ruling("brake").wear == {"brakes": -2}
    assert table.ruling("move").facts["moved"] == 6


@pytest.mark.article("competition", "11-0-1", "7-1-1")
def test_standing_still_on_brakes() -> None:
    table = moving("corner:2", 2, gear=2)
    table.refuses({"in": "after corner 2", "overshot": 1, "brakes": 2}, "did not get there")
    table.say({"in": "corner 2", "brakes": 2})
    assert table.ruling("move").facts["moved"] == 0
    assert table.car(1).stops == 1


@pytest.mark.article("competition", "12-0-1")
def test_blocked() -> None:
    table = moving("after:1", 8, {"car": 2, "at": "after:1"})
    table.say({"in": "after corner 1", "blocked": 4, "ahead": 2})
    ruling = table.ruling("blocked")
    assert (ruling.article, ruling.wear) == ("12-0-1", {"brakes": -3, "tyres": -1})
    assert table.open == ("test", 2, "collision")  # it stands behind it


@pytest.mark.article("competition", "12-1-1", "14-1")
def test_out_by_blocking_hits_the_car_in_front() -> None:
    table = moving("after:1", 8, {"car": 2, "at": "after:1"}, {"car": 3, "at": "after:1"})
    table.say({"in": "after corner 1", "blocked": 7, "ahead": 2, "beside": [3]})
    assert table.ruling("out").article == "12-1-1"
    assert table.car(2).wear["body"] == 2
    assert table.open == ("test", 3, "collision")  # aggravated, against the wreck
    table.say(2)
    assert table.car(3).wear["body"] == 2
    assert [ruling.facts["at"] for ruling in table.rulings if ruling.kind == "danger"] == ["after:1"] * 3


@pytest.mark.article("competition", "17-0-3")
def test_dangers_are_tested_one_by_one() -> None:
    table = moving("after:1", 8)
    table.say({"in": "corner 2", "dangers": 2})
    assert table.open == ("test", 1, "handling")
    table.say(5)
    table.say(4)
    assert table.car(1).wear["handling"] == WEAR["handling"] - 1
    table = moving("after:1", 8, wear={**WEAR, "handling": 1})
    table.say({"in": "corner 2", "dangers": 1}, 1)
    assert table.ruling("out").article == "17-0-3"


@pytest.mark.article("competition", "13-1")
def test_collisions_beside_and_ahead() -> None:
    table = moving(
        "after:1", 8, {"car": 2, "at": "corner:2"}, {"car": 3, "at": "corner:2"}, {"car": 4, "at": "corner:3"}
    )
    table.say({"in": "corner 2", "ahead": 2, "beside": [3]})
    asked = []
    while table.ask == "test":
        asked.append(table.talk.question.car)  # type: ignore[union-attr]
        table.say(20)
    assert asked == [2, 3, 1, 1]


@pytest.mark.article("competition", "14-3")
def test_a_collision_with_a_spun_car_is_aggravated() -> None:
    table = moving("after:1", 8, {"car": 2, "at": "corner:2", "status": "spun"})
    table.say({"in": "corner 2", "beside": [2]}, 2)
    assert table.ruling("hit").article == "14-3"


@pytest.mark.article("competition", "15-1")
def test_the_outside_wall() -> None:
    table = moving("after:1", 8, {"car": 2, "at": "after:1"}, track="indianapolis-oval")
    table.say({"in": "after corner 1", "walls": 1, "beside": [2]})
    # Where it stops the wall comes after the cars [15-1].
    assert table.open == ("test", 2, "collision")
    table.say(20, 20)
    assert table.open == ("test", 1, "wall")
    table.say(1)
    assert table.car(1).wear["body"] == 2
    moving("after:1", 8).refuses({"in": "corner 2", "walls": 1}, "walls is a count from 0 to 0")


# -- wet


def slid(table: Table) -> tuple[str, int] | None:
    found = [ruling for ruling in table.rulings if ruling.kind == "slide"]
    return (found[0].article, found[0].facts["spaces"]) if found else None


@pytest.mark.article("competition", "8-0-1", "8-1-2", "8-2-2", "8-3-2")
@pytest.mark.parametrize(
    ("tyres", "expected"), [("hard", ("8-1-2", 3)), ("soft", ("8-2-2", 3)), ("rain", ("8-3-2", 1))]
)
def test_a_slide_where_a_stop_is_owed(tyres: str, expected: tuple[str, int]) -> None:
    table = moving("after:1", 7, sky="rain", surface="wet", tyres=tyres)
    table.say({"in": "corner 2"})
    assert slid(table) == expected
    facts = table.ruling("move").facts
    assert (facts["rolled"], facts["slid"], facts["moved"]) == (7, expected[1], 7 + expected[1])


@pytest.mark.article("competition", "8-0-1", "8-1-2")
def test_no_slide_on_the_straight_or_with_the_stops_made() -> None:
    wet = {"sky": "rain", "surface": "wet"}
    for at, stops, there in (
        ("after:1", 0, "after corner 1"),
        ("corner:2", 1, "corner 2"),
        ("corner:2", 1, "after corner 2"),
    ):
        table = moving(at, 7, stops=stops, **wet)
        table.say({"in": there})
        assert slid(table) is None, there
    table = moving("corner:1", 7, stops=1, **wet)
    table.say({"in": "corner 1"})
    assert slid(table) == ("8-1-2", 3)
    table = moving("corner:2", 7, **wet)
    table.say({"in": "after corner 2", "overshot": 2})
    assert slid(table) == ("8-1-2", 3)
    table = moving("corner:2", 2, gear=2, **wet)
    table.say({"in": "corner 2", "brakes": 2})
    assert slid(table) is None  # it has not moved


@pytest.mark.article("competition", "11-0-1", "8-1-2")
@pytest.mark.parametrize(("brakes", "moved"), [(1, 4), (2, 0), (3, 2), (4, 1)])
def test_who_brakes_more_than_the_die_has_shown_brakes_on_the_slide(brakes: int, moved: int) -> None:
    table = moving("corner:1", 2, gear=2, sky="rain", surface="wet", wear={**WEAR, "brakes": 6})
    table.say({"in": "corner 1", "brakes": brakes})
    assert table.ruling("move").facts["moved"] == moved
    assert slid(table) == (("8-1-2", 3) if moved else None)
    table = moving("corner:1", 2, gear=2, sky="rain", surface="wet", wear={**WEAR, "brakes": 6})
    table.refuses({"in": "corner 1", "brakes": 5}, "did not get there")


# -- soft tyres


@pytest.mark.article("competition", "8-2-1")
def test_the_soft_space() -> None:
    table = moving("after:1", 7, tyres="soft")
    table.say({"in": "after corner 1", "soft": 1})
    assert table.ruling("soft").article == "8-2-1"
    assert table.ruling("move").facts["moved"] == 8
    for no in (
        {"tyres": "soft", "tyre_laps": 1},
        {"tyres": "hard"},
        {"tyres": "soft", "sky": "rain", "surface": "wet"},
    ):
        moving("after:1", 7, **no).refuses({"in": "after corner 1", "soft": 1}, "soft is a count from 0 to 0")


# -- slipstream


def towing(at: str = "after:1", **car: Any) -> Table:
    """Car 1 in 4th has stopped behind car 2 in 4th, both on the straight before corner 2."""
    table = moving(at, 8, {"car": 2, "at": at, "gear": 4}, gear=4, **car)
    table.say({"in": "after corner 1", "ahead": 2})
    return table


@pytest.mark.article("competition", "18-0-2", "18-0-3")
def test_a_slipstream_is_offered_and_seen() -> None:
    table = towing()
    assert table.open == ("slipstream", 1, "tow_1")
    table.say(True)
    assert table.open == ("saw", 1, "spaces_3")
    table.say({"in": "after corner 1", "order": [1, 2]})
    assert table.ruling("slipstream").article == "18-0-3"
    assert table.car(1).wear == WEAR


@pytest.mark.article("competition", "18-0-2")
def test_a_slipstream_is_not_compulsory() -> None:
    table = towing()
    table.say(None)
    assert table.open == ("test", 2, "collision")


@pytest.mark.article("competition", "18-1-4", "18-2-3")
def test_a_slipstream_into_a_corner_costs_a_brake() -> None:
    table = towing()
    table.say(True)
    table.refuses({"in": "corner 2", "brakes": 3}, "brakes is a count from 0 to 2")
    table.say({"in": "corner 2"})
    ruling = table.ruling("slipstream")
    assert (ruling.article, ruling.wear) == ("18-1-4", {"brakes": -1})
    assert table.car(1).stops == 1
    table = towing(wear={**WEAR, "brakes": 2})
    table.say(True)
    table.refuses({"in": "corner 2", "brakes": 2}, "costs a brake besides")
    table = towing(wear={**WEAR, "brakes": 0})
    table.say(True)
    assert table.fields["in"] == ["after corner 1"]


@pytest.mark.article("competition", "18-0-2")
def test_no_slipstream_after_brakes_or_behind_a_faster_car() -> None:
    for more, gear in (({"brakes": 1}, 4), ({"blocked": 1}, 4), ({}, 5), ({}, 3)):
        table = moving("after:1", 8, {"car": 2, "at": "after:1", "gear": gear}, gear=4)
        table.say({"in": "after corner 1", "ahead": 2, **more})
        assert table.ask == "test"


# -- what cannot be


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        ({}, "begins with a place"),
        (None, "begins with a place"),
        ({"in": "corner 6"}, "can stop in one of"),
        ({"in": ["corner 2"]}, "can stop in one of"),
        ({"in": "corner 2", "speed": 3}, "speed is not among them"),
        ({"in": "corner 2", "line": True}, "does not cross it"),
        ({"in": "corner 2", "line": 1}, "crossed it in this move, yes or no"),
        ({"in": "corner 2", "overshot": 1}, "nothing overshot"),
        ({"in": "corner 2", "brakes": 1.0}, "whole number"),
        ({"in": "corner 2", "beside": 2}, "lists of car numbers"),
        ({"in": "corner 2", "beside": [9]}, "not on the board"),
        ({"in": "corner 2", "beside": [2.0]}, "whole number"),
        ({"in": "corner 2", "beside": [2, 2]}, "names a car twice"),
        ({"in": "corner 2", "beside": [1]}, "beside or behind itself"),
        ({"in": "corner 2", "ahead": 1}, "beside or behind itself"),
        ({"in": "corner 2", "ahead": 2, "beside": [2]}, "not both"),
        ({"in": "corner 2", "order": [1, 1]}, "names a car twice"),
        ({"in": "corner 2", "brakes": 3, "blocked": 6}, "did not get there"),
        ({"in": "corner 2", "blocked": 9}, "blocked is a count from 0 to 8"),
        ({"in": "corner 2", "dangers": -1}, "dangers is a count from 0"),
    ],
)
def test_contradictions_are_refused(answer: Any, sentence: str) -> None:
    moving("after:1", 8, {"car": 2, "at": "corner:2"}).refuses(answer, sentence)


@pytest.mark.article("competition", "8-1-2", "11-0-1", "12-0-1")
def test_only_a_move_that_slides_has_the_spaces_of_its_slide_to_lose() -> None:
    """In the wet, with the slide of hard tyres: a straight has none, and who braked the die away stays where it was."""
    table = moving("after:1", 2, gear=2, surface="wet", sky="rain")
    assert (table.fields["slide"], table.fields["blocked"]) == (3, [0, 5])
    table.refuses({"in": "after corner 1", "blocked": 3}, "Of 2 to drive a car that braked 0 and was blocked by 3 did")
    table.refuses({"in": "after corner 1", "brakes": 3}, "Of 2 to drive a car that braked 3 and was blocked by 0 did")
    table.say({"in": "corner 2", "blocked": 3})
    assert table.ruling("move").facts["moved"] == 2


@pytest.mark.article("competition", "14-1", "18-0-4", "12-1-1")
@pytest.mark.parametrize(("seen", "at", "near"), [
    ("after corner 1", "corner:1", True), ("after corner 1", "after:1", True), ("after corner 1", "corner:2", True),
    ("after corner 1", "after:0", False), ("after corner 1", "after:2", False), ("after corner 1", "corner:5", False),
    ("corner 2", "corner:3", True), ("corner 2", "corner:1", True), ("corner 2", "after:3", False),
    ("after corner 6", "after:0", True), ("after corner 6", "corner:1", True), ("after corner 6", "after:1", False),
])  # fmt: skip
def test_only_a_car_with_no_corner_between_is_beside_or_ahead(seen: str, at: str, near: bool) -> None:
    """In a lane without a space of the straight between two corners the one follows on the other."""
    begin = "after:6" if seen == "after corner 6" else "after:1"
    for named in ({"ahead": 2}, {"beside": [2]}):
        table = moving(begin, 8, {"car": 2, "at": at})
        if near:
            assert 2 in table.fields["ahead"]
            table.say({"in": seen, **named})
        else:
            table.refuses({"in": seen, **named}, "in the pits or too far")


@pytest.mark.article("competition", "7-1-1")
def test_after_ten_turns_in_one_place_and_ten_more_the_table_is_reminded() -> None:
    table = Table([{"car": 1, "at": "after:2", "gear": 1}], "monza", to_play=[1])

    def plays(turns: int, place: str = "after corner 2") -> None:
        for _ in range(turns):
            table.say(1, 1, {"in": place})

    def reminded() -> list[int]:
        facts = [ruling.facts for ruling in table.rulings if ruling.kind == "reminder"]
        return [one["rounds"] for one in facts if one.get("moment") == "still"]

    plays(9)
    assert reminded() == []
    plays(11)
    assert reminded() == [10, 20]
    plays(1, "corner 3")
    plays(9, "corner 3")
    assert reminded() == [10, 20]
    plays(1, "corner 3")
    assert reminded() == [10, 20, 10]
