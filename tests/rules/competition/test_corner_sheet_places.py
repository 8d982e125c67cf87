"""Where a move can end on a corner sheet, and who passes whom there. Monza: corners of 2, 1, 1, 1, 2 and 1 stops."""

from __future__ import annotations

from typing import Any

import pytest

from tests.table import WEAR, Table


def places(at: str, *others: dict[str, Any], gear: int = 3, face: int = 7, **car: Any) -> list[str]:
    """Where car 1 can stop with that die, as the table is asked."""
    setup = {key: car.pop(key) for key in ("sky", "laps", "options", "track") if key in car}
    cars = [{"car": 1, "at": at, "gear": gear, "box": 1, **car}, *({"gear": 3, "box": 2, **one} for one in others)]
    table = Table(cars, to_play=[1], **{"track": "monza", **setup})
    table.say(gear, face)
    listed: list[str] = table.fields["in"]
    return listed


AROUND = {  # after corner 1 is 1+
    "after:0": "6+ 1 1+ 2 2+ 3 3+",
    "corner:1": "1 1+ 2 2+ 3 3+ 4 4+",
    "after:1": "1+ 2 2+ 3 3+ 4 4+",
    "after:4": "4+ 5 5+ 6 6+ 1 1+",
    "corner:5": "5 5+ 6 6+ 1 1+ 2 2+",
    "corner:6": "6 6+ 1 1+ 2 2+ 3 3+",
    "after:6": "6+ 1 1+ 2 2+ 3 3+ pit box",
}


@pytest.mark.article("competition", "7-1-1", "19-1-1", "19-2-5")
@pytest.mark.parametrize(("at", "expected"), AROUND.items())
def test_here_and_three_corners_on_and_the_pits_behind_the_last(at: str, expected: str) -> None:
    written = {"pit": "pit", "box": "box"}
    for number in range(1, 7):
        written |= {f"corner {number}": f"{number}", f"after corner {number}": f"{number}+"}
    assert " ".join(written[place] for place in places(at, stops=0)) == expected


@pytest.mark.article("competition", "19-1-1", "19-2-5")
def test_the_pits_want_the_stops_of_the_last_corner_and_a_lap_to_go() -> None:
    assert places("corner:6", stops=1)[-2:] == ["pit", "box"]
    assert "pit" not in places("corner:6", stops=0)
    assert "pit" not in places("corner:5", stops=2)  # the last corner lies before it
    assert "pit" not in places("after:6", lap=3)


@pytest.mark.article("competition", "19-1-1")
def test_whoever_drives_in_has_his_lane_and_his_box_and_nothing_else() -> None:
    assert places("pit:1") == ["pit", "box"]
    in_it = {"car": 2, "at": "box:1", "box": 1, "gear": 0}
    assert places("pit:1", in_it) == ["pit"]
    assert places("after:6", in_it)[-1] == "pit"
    assert places("pit:1", {"car": 2, "at": "box:2"}) == ["pit", "box"]


@pytest.mark.article("competition", "19-1-1", "19-2-5")
def test_whoever_has_stopped_drives_out_behind_the_line() -> None:
    for at, stop in (("pit:1", "quick"), ("pit:1", "left")):
        assert places(at, stop=stop) == [
            "pit", "after corner 6", "corner 1", "after corner 1", "corner 2", "after corner 2", "corner 3",
            "after corner 3",
        ]  # fmt: skip


@pytest.mark.article("competition", "7-1-1", "19-1-1")
def test_no_move_ends_where_it_began_a_lap_later() -> None:
    """An oval of four corners: three corners on, and not once more around."""
    assert ", ".join(places("after:1", track="indianapolis-oval")) == (
        "after corner 1, corner 2, after corner 2, corner 3, after corner 3, corner 4, after corner 4"
    )


@pytest.mark.article("competition", "18-0-2", "19-2-5")
@pytest.mark.parametrize(("barred", "there"), [(False, True), (True, False)])
def test_a_slipstream_into_the_pits_is_barred_by_the_switch_alone(barred: bool, there: bool) -> None:
    one = {"car": 1, "at": "after:6", "gear": 4, "box": 1}
    other = {"car": 2, "at": "after:6", "gear": 4, "box": 2}
    table = Table([one, other], to_play=[1], track="monza", options={"no_slipstream_into_pits": barred})
    table.say(4, 8)
    assert "pit" in table.fields["in"]  # the die's own move
    table.say({"in": "after corner 6", "ahead": 2}, True)
    assert ("pit" in table.fields["in"]) is there


# -- who is passed


def lost(first: dict[str, Any], second: dict[str, Any], **seen: Any) -> bool:
    """Whether car 2, a lap behind, loses its turn when car 1, the leader, moves so; the first of one stretch runs ahead
    there."""
    laps = {1: 2, 2: 1}
    cars = [{"gear": 3, "box": one["car"], "lap": laps[one["car"]], **one} for one in (first, second)]
    table = Table(cars, to_play=[1, 2], track="monza")
    table.say(3, 8, seen)
    return "lost_turn" in table.kinds()


def leader(at: str, **more: Any) -> dict[str, Any]:
    return {"car": 1, "at": at, **more}


def lapped(at: str) -> dict[str, Any]:
    return {"car": 2, "at": at}


@pytest.mark.article("competition", "6-2-5")
def test_stretch_by_stretch_the_leader_takes_the_turn_of_whom_he_passes() -> None:
    made = {"stops": 2}
    assert lost(lapped("after:1"), leader("after:1"), **{"in": "corner 2"})  # it stood ahead in the same straight
    assert not lost(leader("after:1"), lapped("after:1"), **{"in": "corner 2"})  # it stood behind
    assert not lost(leader("after:1"), lapped("corner:2"), **{"in": "after corner 1"})
    assert lost(leader("corner:1", **made), lapped("after:1"), **{"in": "corner 2"})  # a whole stretch is behind
    assert not lost(leader("corner:1", **made), lapped("corner:2"), **{"in": "corner 2"})
    assert not lost(leader("corner:1", **made), lapped("corner:3"), **{"in": "corner 2"})
    assert lost(leader("after:6"), lapped("after:0"), **{"in": "corner 1", "line": True})


@pytest.mark.article("competition", "6-2-5")
@pytest.mark.parametrize(("order", "taken"), [([1, 2], True), ([2, 1], False)])
def test_within_the_stretch_reached_the_table_says_who_runs_ahead(order: list[int], taken: bool) -> None:
    assert lost(leader("after:1"), lapped("corner:2"), **{"in": "corner 2", "order": order}) is taken


# -- the slipstream and the slide that the table sees


@pytest.mark.article("competition", "18-0-2", "18-2-1")
def test_slipstreams_are_counted_and_each_is_asked_anew() -> None:
    cars = [
        {"car": 1, "at": "after:1", "gear": 4},
        {"car": 2, "at": "after:1", "gear": 4},
        {"car": 3, "at": "after:1", "gear": 4},
    ]
    table = Table(cars, to_play=[1], track="monza")
    table.say(4, 8, {"in": "after corner 1", "ahead": 2})
    assert table.open == ("slipstream", 1, "tow_1")
    assert [option.answer for option in table.options] == [None, True]
    table.say(True)
    assert table.open == ("saw", 1, "spaces_3")
    assert table.fields["brakes"] == [0, 2]  # a space at least must be driven
    table.say({"in": "after corner 1", "ahead": 3})
    assert table.open == ("slipstream", 1, "tow_2")
    table.say(None)
    assert table.ask == "test"
    assert table.kinds().count("slipstream") == 1
    assert table.car(1).wear == WEAR


@pytest.mark.article("competition", "7-1-1", "10-1")
@pytest.mark.parametrize(
    ("at", "stops", "corner", "missing"),
    [("after:0", 0, 1, 2), ("corner:1", 0, 1, 2), ("corner:1", 1, 1, 1), ("corner:1", 2, 2, 1), ("after:3", 0, 4, 1)],
)
def test_how_many_stops_are_missing_past_a_corner(at: str, stops: int, corner: int, missing: int) -> None:
    table = Table([{"car": 1, "at": at, "gear": 3, "stops": stops}], track="monza", to_play=[1])
    table.say(3, 8)
    past = table.fields["past"]
    assert (past["corner"], past["missing"], past["out"]) == (corner, missing, missing == 2)


@pytest.mark.article("competition", "7-1-1", "10-0-1")
def test_what_the_table_has_counted_beyond_two_corners_is_what_it_costs() -> None:
    table = Table([{"car": 1, "at": "corner:2", "gear": 4}], track="monza", to_play=[1])
    table.say(4, 9, {"in": "corner 4", "overshot": 5})
    assert (table.car(1).status, table.car(1).wear["tyres"]) == ("racing", 1)


@pytest.mark.article("competition", "7-1-1", "18-0-2")
def test_stops_made_before_are_none_of_the_corner_that_a_slipstream_leaves() -> None:
    cars = [{"car": 1, "at": "corner:1", "gear": 4, "stops": 2}, {"car": 2, "at": "corner:2", "gear": 4}]
    table = Table(cars, to_play=[1], track="monza")
    table.say(4, 8, {"in": "corner 2", "ahead": 2}, True)
    assert (table.fields["past"]["corner"], table.fields["past"]["missing"]) == (2, 1)


WET = {"sky": "rain", "surface": "wet"}


def slides(at: str, seen: dict[str, Any], *, gear: int = 3, face: int = 7, **car: Any) -> bool:
    """Whether such a move in the wet slid."""
    setup = {key: car.pop(key) for key in ("sky", "surface") if key in car} or WET
    table = Table([{"car": 1, "at": at, "gear": gear, **car}], to_play=[1], track="monza", **setup)
    table.say(gear, face, seen)
    return "slide" in table.kinds()


@pytest.mark.article("competition", "8-0-1", "8-1-2")
@pytest.mark.parametrize(
    ("at", "seen", "car", "slid"),
    [
        ("after:1", {"in": "corner 2"}, {}, True),  # a stop is owed
        ("after:1", {"in": "corner 2"}, {"sky": "sun", "surface": "dry"}, False),
        ("after:1", {"in": "after corner 1"}, {}, False),  # no corner
        ("after:0", {"in": "corner 1"}, {}, True),  # the first of all
        ("corner:1", {"in": "corner 1"}, {"stops": 1}, True),  # one of two is still owed
        ("corner:1", {"in": "corner 1"}, {"stops": 2}, False),
        ("corner:1", {"in": "after corner 1"}, {"stops": 2}, False),
        ("corner:1", {"in": "corner 2"}, {"stops": 2}, True),  # the next one's is owed, whatever was made before
        ("corner:2", {"in": "after corner 2", "overshot": 1}, {}, True),
        ("corner:2", {"in": "corner 3", "overshot": 1}, {}, True),
        ("corner:2", {"in": "corner 2", "brakes": 2}, {"gear": 2, "face": 2}, False),  # it has not moved
        ("corner:2", {"in": "corner 2", "brakes": 1}, {"gear": 2, "face": 2}, True),
    ],
)
def test_a_move_slides_in_the_wet_in_a_corner_where_a_stop_is_owed(
    at: str, seen: dict[str, Any], car: dict[str, Any], slid: bool
) -> None:
    assert slides(at, seen, **car) is slid


@pytest.mark.article("competition", "8-0-1", "8-1-2", "18-0-2")
def test_a_car_slides_once_a_turn() -> None:
    cars = [{"car": 1, "at": "after:1", "gear": 4}, {"car": 2, "at": "corner:2", "gear": 4}]
    table = Table(cars, to_play=[1], track="monza", **WET)
    table.say(4, 8, {"in": "corner 2", "ahead": 2})
    if table.ask == "slipstream":
        table.say(True, {"in": "corner 2"})
    assert table.kinds().count("slide") == 1
