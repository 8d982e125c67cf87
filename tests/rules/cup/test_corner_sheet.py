"""A cup race where the board is known corner by corner: KERS before what was seen, the pits at once."""

from __future__ import annotations

from typing import Any

import pytest

from companion import circuits
from companion.rules.public import public
from tests.rules.cup.boards import race
from tests.table import WEAR, Table


def sheet(*more: dict[str, Any], **car: Any) -> Table:
    one = {"car": 1, "gear": 3, "at": "after:8", "lap": 1, **car}
    return race(one, *more, track="spa")


@pytest.mark.article("cup", "kers.spend")
def test_points_are_spent_before_the_table_says_what_it_saw() -> None:
    table = sheet(at="after:1", kers=2)
    table.say(3, 6)
    assert table.open == ("kers", 1, "kers_1")
    table.say(True)
    assert table.open == ("kers", 1, "kers_2")
    table.say(None)
    assert table.open == ("saw", 1, "spaces_7")
    assert table.car(1).kers == 1  # type: ignore[attr-defined]
    table.say({"in": "after corner 1"})
    assert table.told("move", "en") == "1 rolls 6, has 1 more by KERS, and drives 7 spaces: after corner 1."
    assert table.told("move", "fr") == "1 fait 6, 1 de plus par KERS, et avance de 7 cases\u00a0: après le virage 1."


@pytest.mark.article("cup", "kers.spend", "pit.entry")
@pytest.mark.parametrize(("points", "open_pits"), [(0, True), (1, False), (2, False)])
def test_no_point_that_was_spent_brings_a_car_into_the_pits(points: int, open_pits: bool) -> None:
    table = sheet(at="after:8", kers=2)
    table.say(3, 6, *[True] * points)
    if points < 2:
        table.say(None)
    assert (table.open, "box" in table.fields["in"]) == (("saw", 1, f"spaces_{6 + points}"), open_pits)


@pytest.mark.article("cup", "kers.spend")
def test_whoever_has_spent_a_point_has_neither_braked_nor_been_blocked() -> None:
    kept = sheet(at="after:1", kers=1)
    kept.say(3, 6, None)
    assert (kept.fields["brakes"], kept.fields["blocked"]) == ([0, 3], [0, 6])
    spent = sheet(at="after:1", kers=1)
    spent.say(3, 6, True)
    spent.refuses({"in": "after corner 1", "blocked": 1}, "blocked is a count from 0 to 0")
    spent.refuses({"in": "after corner 1", "brakes": 1}, "brakes is a count from 0 to 0")
    spent.say({"in": "after corner 1"})
    assert spent.car(1).wear["brakes"] == 3
    wet = race({"car": 1, "gear": 3, "at": "after:1", "kers": 1}, track="spa", surface="wet", sky="rain")
    wet.say(3, 6, True)
    assert (wet.fields["slide"], wet.fields["brakes"], wet.fields["blocked"]) == (3, [0, 3], [0, 0])


@pytest.mark.article("cup", "kers.spend", "drs.move")
def test_a_point_before_it_leaves_drs_its_brakes() -> None:
    table = sheet({"car": 2, "at": "after:1", "gear": 4}, at="after:1", gear=4, kers=1)
    table.say(4, 8, True, {"in": "after corner 1", "ahead": 2}, True)
    assert (table.open, table.fields["brakes"], table.fields["blocked"]) == (("saw", 1, "spaces_3"), [0, 2], [0, 3])
    table.say({"in": "after corner 1"})
    assert [ruling.facts.get("kers") for ruling in table.rulings if ruling.kind == "move"] == [1, None]


@pytest.mark.article("cup", "kers.spend", "drs.move", "drs.chain")
def test_after_drs_a_point_goes_on_with_the_way_of_drs() -> None:
    """The point is asked for before the table says where that way has ended; it is a space more, and none of it can be
    braked away or blocked."""
    table = sheet({"car": 2, "at": "after:1", "gear": 4}, at="after:1", gear=4, kers=2)
    table.say(4, 8, None, {"in": "after corner 1", "ahead": 2}, True)
    assert table.open == ("kers", 1, "kers_1")
    table.say(True, None)
    assert (table.open, table.fields["spaces"]) == (("saw", 1, "spaces_4"), 4)
    assert (table.fields["brakes"], table.fields["blocked"]) == ([0, 0], [0, 0])
    table.say({"in": "after corner 1"})
    assert (table.ruling("slipstream").facts["spaces"], table.ruling("move").facts["moved"]) == (3, 4)
    assert (table.car(1).kers, table.race.move is None or table.ask == "gear") == (1, True)  # type: ignore[attr-defined]
    kept = sheet({"car": 2, "at": "after:1", "gear": 4}, at="after:1", gear=4, kers=2)
    kept.say(4, 8, None, {"in": "after corner 1", "ahead": 2}, True, None)
    assert (kept.open, kept.fields["brakes"], kept.fields["blocked"]) == (("saw", 1, "spaces_3"), [0, 2], [0, 3])


@pytest.mark.article("cup", "kers.spend")
def test_a_forced_point_is_one_space() -> None:
    table = sheet(at="after:1", kers=1)
    table.say(3, 6)
    table.talk.answer({"space": "1:left:1"}, forced=True)
    assert table.open == ("saw", 1, "spaces_7")


@pytest.mark.article("cup", "pit.entry", "pit.phase", "pit.rows", "pit.close-up", "kers.points")
def test_into_the_pits_is_onto_the_grid() -> None:
    table = sheet({"car": 2, "at": "after:1", "gear": 2}, {"car": 3, "at": "after:1", "gear": 2})
    table.say(3, 6)
    places = table.fields["in"]
    assert "box" in places
    assert "pit" not in places
    table.say({"in": "box"})
    assert (table.car(1).at, table.car(1).status, table.race.pitting) == ("box:10", "box", [1])
    assert table.ask == "tyres"


@pytest.mark.article("cup", "pit.lane-next", "pit.exit", "pit.entry")
def test_off_the_grid_into_the_lane_or_onto_the_track() -> None:
    table = race(
        {"car": 1, "at": "box:10", "status": "box", "stop": "long", "leaves": 1, "box": 10}, track="spa", leaving=[1]
    )
    table.say(4, 8)
    assert table.fields["in"][:2] == ["pit", "after corner 8"]
    table.say({"in": "after corner 8", "line": True})
    assert (table.car(1).at, table.car(1).status, table.car(1).lap) == ("after:0", "racing", 2)


@pytest.mark.article("cup", "race.laps", "kers.points", "finish.order", "finish.turn-one")
def test_past_the_line_of_the_last_lap_turn_one_is_still_to_come() -> None:
    table = sheet({"car": 2, "at": "after:5", "gear": 2}, lap=3, waived=True)
    table.say(3, 6)
    table.say({"in": "after corner 8", "line": True})
    assert (table.race.flagged, table.car(1).status, table.car(1).kers) == ([1], "racing", 2)  # type: ignore[attr-defined]
    home = sheet({"car": 2, "at": "after:5", "gear": 2}, at="corner:1", stops=1, lap=4, waived=True)
    home.race.flagged.append(1)
    home.say(3, 6)
    home.say({"in": "after corner 1"})
    assert home.car(1).status == "finished"


@pytest.mark.article("cup", "drs.zones", "drs.move", "drs.conditions")
def test_the_table_sees_the_zones_of_a_sheet_on_its_own_board() -> None:
    ahead = {"car": 2, "at": "after:1", "gear": 4}
    table = sheet(ahead, at="after:1", gear=4)
    table.say(4, 8)
    table.say({"in": "after corner 1", "ahead": 2})
    assert (table.open, [option.answer for option in table.options]) == (("slipstream", 1, "tow_1"), [None, True])
    table.say(True)
    assert table.open == ("saw", 1, "spaces_3")
    for other in (
        race({"car": 1, "gear": 4, "at": "after:1"}, ahead, track="spa", wet_conditions=True),
        race({"car": 1, "gear": 4, "at": "after:1"}, {**ahead, "gear": 5}, track="spa"),
    ):
        other.say(4, 8)
        other.say({"in": "after corner 1", "ahead": 2})
        assert other.ask != "slipstream"


@pytest.mark.article("cup", "drs.zones", "pit.entry")
def test_nor_does_drs_lead_into_the_pits_of_a_sheet() -> None:
    table = sheet({"car": 2, "at": "after:8", "gear": 4}, gear=4)
    table.say(4, 8)
    table.say({"in": "after corner 8", "ahead": 2})
    table.say(True)
    assert table.open == ("saw", 1, "spaces_3")
    assert not [place for place in table.fields["in"] if place in ("pit", "box")]


@pytest.mark.article("cup", "pit.entry", "pit.lane-next")
def test_in_the_lane_of_a_sheet_a_car_is_beside_the_place_where_it_stands() -> None:
    put = sheet({"car": 2, "at": "after:1", "gear": 2}, at="after:7")
    put.talk.override({"car": 1, "at": "pit:3"})
    put.say(2, 4)
    put.say({"in": "pit"})
    assert (put.car(1).at, put.car(1).status) == ("pit:3", "pit")  # the referee's word named the place
    lies = sheet({"car": 2, "at": "after:1", "gear": 2}, at="pit:3")  # a position names no place on the grid
    lies.say(2, 4)
    assert lies.fields["in"][:2] == ["pit", "after corner 8"]
    lies.say({"in": "pit"})
    assert (lies.car(1).at, lies.car(1).status) == ("pit:3", "pit")
    grid = {"car": 1, "at": "box:10", "status": "box", "stop": "long", "leaves": 1, "box": 10}
    off = race(grid, track="spa", leaving=[1])
    off.say(4, 8)
    off.say({"in": "pit"})
    assert (off.car(1).at, off.car(1).status) == ("pit:10", "pit")


@pytest.mark.article("cup", "overshoot.limit", "corner.stops")
@pytest.mark.parametrize(
    ("at", "switch", "told"),
    [("after:2", False, (2, True)), ("after:2", True, (2, False)), ("after:1", False, (1, False))],
)
def test_whether_two_stops_missed_put_a_car_out_is_told_as_the_table_has_it(
    at: str, switch: bool, told: tuple[int, bool]
) -> None:
    table = race({"car": 1, "gear": 4, "at": at}, track="spa", options={"missed_stops_spin": switch})
    table.say(4, 8)
    past = table.fields["past"]
    assert (past["missing"], past["out"]) == told
    table.say({**past["answer"], "overshot": 3})
    assert (table.car(1).status == "out") is told[1]


@pytest.mark.article("cup", "overshoot.spin", "overshoot.limit")
def test_a_car_is_told_where_it_spins_and_not_where_its_die_would_have_brought_it() -> None:
    # Corner 1 of Spa asks for one stop, 2 for one, 3 for two: two tyres pay for two spaces beyond a corner.
    def rolled(**more: Any) -> Table:
        table = sheet(at="corner:1", gear=4, wear={**WEAR, "tyres": 2}, **more)
        table.say(4, 12)
        return table

    table = rolled()
    table.refuses({"in": "after corner 1", "overshot": 4}, "reach 2 beyond the corner, and it spins on the next space")
    table.refuses({"in": "after corner 3", "overshot": 12}, "say where that is, not 12 beyond")
    table.say({"in": "after corner 1", "overshot": 3})
    assert (table.car(1).at, table.car(1).status, table.car(1).wear["tyres"]) == ("after:1", "racing", 0)
    assert table.ruling("spin").article == "overshoot.spin"
    # Beyond two corners at once a space counts twice.
    table = rolled()
    table.say({"in": "after corner 2", "overshot": 4})
    assert table.ruling("spin").article == "overshoot.spin"
    # Tyres that cost nothing reach everywhere.
    free = {"options": {"factor_hard_dry": [0, 0, 0]}}
    table = race({"car": 1, "gear": 4, "at": "corner:1", "wear": {**WEAR, "tyres": 2}}, track="spa", **free)
    table.say(4, 12, {"in": "after corner 1", "overshot": 8})
    assert "spin" not in table.kinds()


@pytest.mark.article("cup", "overshoot.limit")
def test_a_corner_with_two_stops_missing_puts_a_car_out_wherever_it_would_have_come() -> None:
    table = sheet(at="after:2", gear=4, wear={**WEAR, "tyres": 2})
    table.say(4, 12, {"in": "after corner 3", "overshot": 5})
    assert table.ruling("out").facts["cause"] == "overshoot"


@pytest.mark.article("cup", "overshoot.limit", "drs.move")
def test_drs_passes_no_corner_of_a_sheet_without_a_brake() -> None:
    ahead = {"car": 2, "at": "after:1", "gear": 4}
    table = sheet(ahead, at="after:1", gear=4, wear={**WEAR, "brakes": 0})
    table.say(4, 8, {"in": "after corner 1", "ahead": 2}, True)
    assert (table.open, table.fields["past"]) == (("saw", 1, "spaces_3"), None)


@pytest.mark.article("cup", "pit.suspended", "pit.exit")
def test_nobody_brakes_in_the_pits_of_a_sheet_but_beyond_them() -> None:
    grid = {"car": 1, "at": "box:10", "status": "box", "stop": "long", "leaves": 1, "box": 10}
    table = race(grid, {"car": 2, "at": "after:3", "gear": 2}, track="spa", leaving=[1])
    table.say(4, 8)
    table.refuses({"in": "pit", "brakes": 3}, "In the pit lane nobody brakes; only spaces beyond it")
    table.say({"in": "corner 1", "brakes": 3})
    assert (table.car(1).at, table.car(1).wear["brakes"]) == ("corner:1", 0)


@pytest.mark.article("cup", "pit.optional", "pit.entry")
def test_a_sheet_without_boxes_has_no_pits_to_enter() -> None:
    without = circuits.find("spa").read_text("utf-8").replace("boxes   = 10", "boxes   = 0")
    table = race({"car": 1, "gear": 3, "at": "after:8", "lap": 1}, track=without)
    table.say(3, 6)
    assert not [place for place in table.fields["in"] if place in ("pit", "box")]


@pytest.mark.article("cup", "drs.zones")
def test_drs_on_a_sheet_says_that_the_table_looks_for_the_zone() -> None:
    table = sheet({"car": 2, "at": "after:1", "gear": 4}, at="after:1", gear=4)
    table.say(4, 8)
    table.say({"in": "after corner 1", "ahead": 2})
    assert table.fields == {"sheet": True}
    assert [option.facts for option in table.options] == [{"sheet": True}] * 2


@pytest.mark.article("cup", "pit.phase", "pit.close-up", "order.position")
def test_while_a_car_tests_on_its_way_onto_the_grid_it_is_the_one_that_plays() -> None:
    cars = {"car": 1, "gear": 3, "at": "after:8"}, {"car": 2, "at": "after:1", "gear": 2}
    table = race(*cars, to_play=(1, 2), track="spa")
    table.say(3, 6)
    table.say({"in": "box", "dangers": 1})
    assert (table.ask, table.car(1).status, table.race.pitting) == ("test", "box", [])
    assert public(table.rulebook).to_play == (1, 2)
    table.talk.override({"car": 2, "gear": 3})
    assert (table.ask, public(table.rulebook).to_play, table.race.leaving) == ("test", (1, 2), [])
    table.say(6)
    assert (table.ask, table.race.pitting, table.race.leaving) == ("tyres", [1], [])
