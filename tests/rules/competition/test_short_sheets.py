"""Corner sheets of one, two and three corners: where a move can end, who coasts home, what one stretch holds."""

from __future__ import annotations

from typing import Any

import pytest

from tests.table import WEAR, Table


def sheet(corners: int, boxes: int = 4) -> str:
    """A circuit known by its corners alone, each of one stop."""
    head = f"""
name = "Short"
country = "Testland"
known = "corner"
laps = {{ competition = 3 }}
weather = {{ rain = [1, 7], changeable = [8, 12], sun = [13, 20] }}
source = "made for a test"
trust = "none"
boxes = {boxes}
"""
    one = '\n[[corner]]\nname = "{n}"\nstops = 1\nshortest = 2\nlongest = 6\n'
    return head + "".join(one.format(n=n + 1) for n in range(corners))


def alone(corners: int, at: str, *others: dict[str, Any], boxes: int = 4, **car: Any) -> Table:
    """Car 1 about to roll in 3rd, unless it coasts."""
    one = {"car": 1, "at": at, "gear": 3, "round_set": True, **car}
    return Table([one, *({"gear": 3, **other} for other in others)], sheet(corners, boxes), to_play=[1])


@pytest.mark.article("competition", "19-1-1", "19-2-5", "7-1-1")
@pytest.mark.parametrize(
    ("corners", "at", "places"),
    [
        (1, "after:0", ["after corner 1", "corner 1"]),
        (1, "corner:1", ["corner 1", "after corner 1"]),
        (2, "after:0", ["after corner 2", "corner 1", "after corner 1"]),
        (2, "corner:1", ["corner 1", "after corner 1", "corner 2", "after corner 2"]),
        (3, "after:0", ["after corner 3", "corner 1", "after corner 1", "corner 2", "after corner 2"]),
        (
            4,
            "after:0",
            ["after corner 4"] + [f"{where} {n}" for n in (1, 2, 3) for where in ("corner", "after corner")],
        ),
        (
            5,
            "after:0",
            ["after corner 5"] + [f"{where} {n}" for n in (1, 2, 3) for where in ("corner", "after corner")],
        ),
    ],
)
def test_a_move_ends_at_most_three_corners_ahead_and_not_once_around(corners: int, at: str, places: list[str]) -> None:
    """The pits are too far from all of these places, or a stop is missing before them."""
    table = alone(corners, at, box=1)
    table.say(3, 7)
    assert list(dict.fromkeys(table.fields["in"])) == places


@pytest.mark.article("competition", "19-1-1", "19-2-5", "19-1-7", "19-2-4")
@pytest.mark.parametrize(
    ("at", "boxes", "car", "near"),
    [
        ("after:2", 4, {}, True),
        ("corner:2", 4, {"stops": 1}, True),
        ("corner:2", 4, {}, False),
        ("corner:1", 4, {"stops": 1}, False),
        ("after:0", 4, {}, False),
        ("after:2", 0, {}, False),
        ("after:2", 4, {"lap": 3}, False),
        ("after:2", 4, {"round_set": False}, False),
    ],
)
def test_the_pits_are_near_once_the_last_stop_is_made(at: str, boxes: int, car: dict[str, Any], near: bool) -> None:
    table = alone(2, at, boxes=boxes, **car)
    table.say(3, 7)
    assert ("pit" in table.fields["in"]) == near


@pytest.mark.article("competition", "16-0-6", "16-0-7", "16-0-3")
@pytest.mark.parametrize(
    ("corners", "at", "lap", "home"),
    [
        (1, "after:1", 3, False),  # there is no corner before the last
        (1, "corner:1", 3, False),
        (2, "after:0", 3, False),
        (2, "corner:1", 3, False),
        (2, "after:1", 3, True),
        (2, "corner:2", 3, True),
        (2, "after:2", 2, False),
        (3, "after:1", 3, False),
        (3, "after:2", 3, True),
    ],
)
def test_who_coasts_home_on_a_short_lap(corners: int, at: str, lap: int, home: bool) -> None:
    broken = {"status": "coasting", "coast": 4, "gear": 5, "lap": lap, "wear": {**WEAR, "engine": 0}}
    table = alone(corners, at, {"car": 2, "at": "after:0"}, **broken)
    table.say(4, 7)
    table.say({"in": table.fields["in"][0]})
    assert (table.car(1).status == "coasting", table.car(1).coast) == (home, 3 if home else 0)


@pytest.mark.article("competition", "16-0-3", "16-0-6")
def test_whoever_coasts_home_goes_on_doing_so() -> None:
    """A position in which a car is next in 3rd: what brought it there is decided, wherever it stands."""
    table = alone(3, "after:1", status="coasting", coast=3, wear={**WEAR, "engine": 0, "gearbox": 0})
    assert [option.answer for option in table.options] == [3]  # no gearbox point to skip a gear with
    table.say(3, 6, {"in": "after corner 1"})
    assert (table.car(1).status, table.car(1).coast) == ("coasting", 2)
    assert table.open == ("gear", 1, "coast")
    assert [option.answer for option in table.options] == [2]
    rich = alone(3, "after:1", status="coasting", coast=2, wear={**WEAR, "engine": 0})
    assert [option.answer for option in rich.options] == [2, 1]


@pytest.mark.article("competition", "16-0-3", "16-0-6")
def test_a_gear_by_the_referees_word_costs_a_coasting_car_nothing_at_first() -> None:
    wear = {**WEAR, "engine": 0}
    table = alone(3, "after:1", status="coasting", coast=4, gear=5, wear=wear)
    table.talk.answer(1, forced=True)
    assert (table.car(1).gear, table.car(1).wear) == (1, wear)
    table.say(1)
    assert table.race.move.face == 1


@pytest.mark.article("competition", "8-1-2", "8-0-1")
def test_brakes_that_fall_after_the_slide_do_not_undo_it() -> None:
    """Three spaces to the corner, three of sliding, three braked of those and one before."""
    table = Table(
        [{"car": 1, "at": "after:1", "gear": 2, "wear": {**WEAR, "brakes": 5}}],
        sheet(3),
        to_play=[1],
        sky="rain",
        surface="wet",
    )
    table.say(2, 4, {"in": "corner 2", "brakes": 4})
    assert table.ruling("slide").facts == {"spaces": 3}
    assert table.ruling("move").facts["moved"] == 3


@pytest.mark.article("competition", "6-3.5", "18-0-2", "18-0-3", "18-2-1")
def test_slipstreams_are_counted_and_none_is_taken_in_the_pits() -> None:
    cars = [{"car": number, "at": "after:1", "gear": 4, "box": number, "round_set": True} for number in (1, 2, 3)]
    table = Table(cars, sheet(1), to_play=[1])
    table.say(4, 7, {"in": "after corner 1", "ahead": 2})
    assert table.open == ("slipstream", 1, "tow_1")
    table.say(True, {"in": "after corner 1", "ahead": 3})
    assert (table.open, table.race.move.slipstreams) == (("slipstream", 1, "tow_2"), 1)
    table.say(None)
    assert table.ask == "test"
    lane = Table(cars, sheet(1), to_play=[1])
    lane.say(4, 7, {"in": "pit", "ahead": 2})
    assert (lane.car(1).status, lane.ask) == ("pit", "gear")


@pytest.mark.article("competition", "6-2-5")
def test_a_leader_who_stays_in_his_stretch_passes_nobody_in_another() -> None:
    """Car 2 is a lap behind, a stretch further on and came there later."""
    cars = [
        {"car": 1, "at": "after:1", "lap": 2, "gear": 2, "arrived": 1},
        {"car": 2, "at": "after:2", "lap": 1, "gear": 2, "arrived": 5},
    ]
    table = Table(cars, sheet(3), to_play=[1, 2])
    table.say(2, 3, {"in": "after corner 1"})
    assert "lost_turn" not in table.kinds()
    assert table.open == ("gear", 2, "")


@pytest.mark.article("competition", "21-1-2", "6-3", "6-3.10")
def test_out_on_the_way_over_the_line_a_car_has_come_as_far_as_the_line() -> None:
    """The last handling point goes on the very move that would have brought it home."""
    cars = [
        {"car": 1, "at": "corner:1", "lap": 3, "stops": 1, "wear": {**WEAR, "handling": 1}},
        {"car": 2, "at": "corner:1", "lap": 3},
        {"car": 3, "at": "after:0", "lap": 3},
    ]
    table = Table([{"gear": 3, **car} for car in cars], sheet(1), to_play=[1])
    table.say(3, 7, {"in": "after corner 1", "line": True, "dangers": 1}, 1)
    assert (table.car(1).status, table.car(1).cause, table.car(1).at) == ("out", "handling", "after:1")
    for car in (3, 2):
        table.talk.override({"car": car, "status": "out"})
    assert [row["car"] for row in table.rulebook.result()] == [1, 2, 3]


@pytest.mark.article("competition", "21-1-2", "0-0-1", "6-3.11")
def test_a_car_that_is_out_ages_no_set_and_makes_no_stop() -> None:
    over = Table([{"car": 1, "at": "corner:1", "gear": 3, "wear": {**WEAR, "tyres": 1}}], sheet(1), to_play=[1])
    over.say(3, 7, {"in": "after corner 1", "line": True, "overshot": 4, "blocked": 1})
    assert (over.car(1).status, over.ruling("out").article) == ("out", "10-3")
    assert not {"lap", "blocked"} & set(over.kinds())
    hit = Table([{"car": 1, "at": "after:0", "gear": 3, "wear": {**WEAR, "handling": 1}}], sheet(1), to_play=[1])
    hit.say(3, 7, {"in": "corner 1", "dangers": 1}, 1)
    assert hit.car(1).status == "out"
    assert "stop" not in hit.kinds()


@pytest.mark.article("competition", "7-1-1", "6-2-1")
@pytest.mark.parametrize(
    ("gear", "face", "seen", "stops"),
    [
        (1, 1, {"brakes": 1}, 0),  # it stands still on a brake
        (2, 2, {"blocked": 2}, 1),  # it stands still because nobody let it go
        (1, 2, {"brakes": 1}, 1),
    ],
)
def test_where_the_table_rules_so_standing_still_on_brakes_makes_no_stop(
    gear: int, face: int, seen: dict[str, int], stops: int
) -> None:
    table = Table(
        [{"car": 1, "at": "corner:1", "gear": gear}], sheet(2), to_play=[1], options={"no_stop_standing_still": True}
    )
    table.say(gear, face, {"in": "corner 1", **seen})
    assert table.car(1).stops == stops
