"""The one pass over the board against the slow search: the same stops, on every circuit known to the space."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.circuits import load
from companion.rules.circuit.file import load_track
from companion.rules.circuit.leg import Leg
from companion.rules.circuit.search import Board, Search
from companion.rules.circuit.track import Track
from tests.rules.competition.boards import LINE_IN, RUN_IN, TOW, TWIN, with_pits
from tests.rules.competition.reference_ways import Reference, Stop

CIRCUITS = ("monaco", "kestrel-moor", "porto-sereno", "copper-basin")


def fast_stops(board: Board, leg: Leg) -> set[Stop]:
    """The stops of the fast search; across the line the nearest of each price."""
    found = set()
    home: dict[tuple[object, ...], Stop] = {}
    for landing in board.landings(leg):
        stop = Stop(
            landing.space,
            landing.moved,
            landing.brakes,
            landing.soft,
            frozenset(landing.tests),
            landing.overshot,
            landing.missing,
            landing.blocked,
            landing.finished,
        )
        if landing.finished:
            key = (stop.space, stop.tests, stop.overshot, stop.missing)
            if key not in home or stop.moved < home[key].moved:
                home[key] = stop
        else:
            found.add(stop)
    return found | set(home.values())


def near(track: Track, start: int, far: int) -> list[int]:
    """The spaces of the track within so many steps ahead of a space."""
    found, edge = {start}, {start}
    for _ in range(far):
        edge = {y for x in edge for y in track.moves[x]} - found
        found |= edge
    return sorted(found - {start})


@st.composite
def legs(draw: st.DrawFn, track: Track) -> Leg:
    road = [space.id for space in track.spaces if space.section >= 0 and space.id not in track.blocked]
    start = draw(st.sampled_from(road))
    # along a wall every zigzag is a way of its own for the slow search, so it gets small dice there
    spaces = draw(st.sampled_from((1, 2, 3, 4, 5, 6, 7, 8, 9) + ((11, 14, 20, 30) if track.wall < 0 else ())))
    ahead = near(track, start, spaces + 4)
    close = near(track, start, 5)
    taken = set(draw(st.lists(st.sampled_from(ahead), max_size=5)))
    if draw(st.booleans()):
        taken |= set(draw(st.lists(st.sampled_from(close), max_size=4)))
    dangers = draw(st.lists(st.sampled_from(ahead), max_size=5))
    slide = draw(st.sampled_from((0, 0, 1, 3)))
    corner = track.corner[start]
    return Leg(
        start=start,
        spaces=spaces,
        slide=slide,
        soft=not slide and draw(st.booleans()),
        brakes=draw(st.integers(0, 4)),
        made=draw(st.integers(0, track.corners[corner].stops)) if corner >= 0 else 0,
        taken=frozenset(taken),
        dangers=frozenset(dangers),
        finish=draw(st.booleans()),
        ages=draw(st.booleans()),
        least=draw(st.integers(0, 1)),
        soft_ends=draw(st.booleans()),
    )


BOARDS = [Board(load(key)) for key in CIRCUITS]


@settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.data())
def test_every_stop_and_no_other(data: st.DataObject) -> None:
    board = data.draw(st.sampled_from(BOARDS))
    leg = data.draw(legs(board.track))
    assert fast_stops(board, leg) == Reference(board.track, leg).stops()


DRAWN = {
    name: load_track(text, name, name)
    for name, text in (
        ("runin", RUN_IN),
        ("linein", LINE_IN),
        ("twin", TWIN),
        ("tow", with_pits(TOW)),
        ("forked", with_pits(TOW, entries='[["4:right:15", 1], ["4:right:17", 3]]', exits='[[12, "0:left:1"]]')),
        ("early", with_pits(TOW, exits='[[5, "0:right:2"], [12, "0:right:7"]]')),
        ("walled", TOW.replace("\nline ", '\nwall    = "left"\nline ')),
    )
}
"""Boards for what no circuit has: a corner just before the line, the line in a corner, a wall along the first lane."""

TELLING: list[tuple[str, str, int, dict[str, Any]]] = [
    (
        "porto-sereno",
        "2:middle:4",
        9,
        {
            "soft": True,
            "brakes": 2,
            "taken": "2:middle:7 3:middle:1 3:right:1 4:left:1",
            "dangers": "2:right:5 2:right:7 3:left:4 3:left:6 5:middle:2",
            "ages": False,
            "least": 1,
        },
    ),
    (
        "monaco",
        "13:middle:4",
        4,
        {
            "brakes": 3,
            "made": 1,
            "taken": "13:left:3 14:left:2 14:middle:2 14:right:1 15:left:1 15:middle:2 15:right:5",
            "least": 1,
            "soft_ends": True,
        },
    ),
    (
        "copper-basin",
        "8:inner-right:21",
        4,
        {
            "slide": 1,
            "brakes": 1,
            "taken": "0:inner-left:1 0:inner-right:5 0:right:2 8:inner-right:22 8:inner-right:23",
            "dangers": "0:inner-right:6 0:right:5 0:right:6 8:inner-left:22 8:inner-right:22",
            "finish": True,
            "least": 1,
            "soft_ends": True,
        },
    ),
    ("copper-basin", "8:inner-left:23", 1, {"soft": True, "dangers": "0:right:3"}),
    (
        "kestrel-moor",
        "3:middle:6",
        4,
        {
            "slide": 3,
            "brakes": 2,
            "taken": "4:left:4 4:middle:4 4:right:4",
            "dangers": "4:middle:2",
            "finish": True,
            "ages": False,
            "least": 1,
            "soft_ends": True,
        },
    ),
    (
        "monaco",
        "2:right:4",
        30,
        {"soft": True, "brakes": 3, "taken": "2:middle:5 2:middle:6 2:right:6", "finish": True, "ages": False},
    ),
    (
        "porto-sereno",
        "6:left:19",
        5,
        {"slide": 1, "brakes": 4, "taken": "7:left:1 7:left:4 7:left:5", "dangers": "7:left:2", "soft_ends": True},
    ),
    (
        "copper-basin",
        "4:inner-right:18",
        5,
        {"soft": True, "taken": "4:inner-right:20 4:inner-right:25", "finish": True, "ages": False, "least": 1},
    ),
    ("porto-sereno", "9:right:2", 3, {"brakes": 4, "made": 1, "finish": True, "ages": False, "soft_ends": True}),
    (
        "porto-sereno",
        "19:right:19",
        3,
        {"soft": True, "dangers": "0:left:1", "finish": True, "ages": False, "least": 1, "soft_ends": True},
    ),
    (
        "kestrel-moor",
        "1:right:1",
        2,
        {"slide": 1, "brakes": 2, "made": 1, "taken": "1:right:3 2:middle:1 2:middle:2 2:right:2", "soft_ends": True},
    ),
    (
        "kestrel-moor",
        "14:right:23",
        2,
        {
            "soft": True,
            "brakes": 3,
            "taken": "0:left:5 0:middle:3 0:middle:6",
            "dangers": "0:middle:1 0:middle:6",
            "finish": True,
            "least": 1,
        },
    ),
    (
        "monaco",
        "20:left:15",
        1,
        {"soft": True, "brakes": 4, "taken": "0:left:2 20:left:17 20:right:18", "ages": False, "soft_ends": True},
    ),
    (
        "copper-basin",
        "8:inner-right:22",
        7,
        {"slide": 1, "brakes": 3, "taken": "0:inner-left:8 0:right:3", "dangers": "0:left:7", "finish": True},
    ),
    ("copper-basin", "5:right:11", 3, {"soft": True, "brakes": 1, "made": 1, "dangers": "6:left:4", "soft_ends": True}),
    (
        "kestrel-moor",
        "8:left:4",
        5,
        {"soft": True, "brakes": 3, "taken": "8:left:7 8:left:9 8:right:5", "finish": True},
    ),
    ("monaco", "18:right:1", 30, {"soft": True, "taken": "18:middle:3"}),
    (
        "copper-basin",
        "4:inner-right:4",
        1,
        {"soft": True, "brakes": 1, "taken": "4:right:5", "least": 1, "soft_ends": True},
    ),
    (
        "porto-sereno",
        "3:left:3",
        1,
        {"made": 1, "dangers": "3:left:4 3:left:5", "finish": True, "ages": False, "soft_ends": True},
    ),
    (
        "copper-basin",
        "8:inner-left:18",
        3,
        {
            "brakes": 2,
            "taken": "8:inner-left:19 8:inner-left:22 8:inner-right:23 8:right:18 8:right:22",
            "dangers": "0:inner-left:1 0:inner-left:2 8:left:20 8:inner-left:20 8:inner-right:19",
            "least": 1,
            "soft_ends": True,
        },
    ),
    ("porto-sereno", "19:middle:20", 1, {"soft": True, "brakes": 2, "dangers": "19:left:21"}),
    ("linein", "3:middle:5", 10, {"slide": 3, "made": 1, "finish": True, "soft_ends": True}),
    ("runin", "2:left:11", 10, {"slide": 1, "brakes": 4, "finish": True, "soft_ends": True}),
    ("linein", "3:middle:2", 12, {"slide": 3, "brakes": 2, "ages": False, "soft_ends": True}),
    (
        "runin",
        "2:left:12",
        12,
        {"soft": True, "brakes": 2, "taken": "2:left:1 3:left:2", "least": 1, "soft_ends": True},
    ),
    (
        "linein",
        "3:left:3",
        4,
        {
            "soft": True,
            "brakes": 1,
            "taken": "4:left:3",
            "dangers": "0:right:2 1:right:1 4:left:1 4:left:2 4:right:3",
            "soft_ends": True,
        },
    ),
    ("walled", "2:middle:3", 6, {"brakes": 2, "dangers": "2:middle:5 2:left:6", "taken": "2:middle:6"}),
]
"""Legs that were looked for: each tells some slip of the search from what it should say, all of them together every
slip that any leg of a roll can tell outside the pits. A circuit, where the leg begins, its spaces, and what else there
is to it; spaces by their names."""


@pytest.mark.article("competition", "7-0-1", "7-1-1", "7-1-4", "7-2-1", "7-2-3", "7-2-4", "7-2-5", "7-2-6")
@pytest.mark.article("competition", "8-2-3", "10-2", "10-2-1", "10-2-2", "11-0-1", "11-0-2")
@pytest.mark.article("competition", "12-0-1", "12-0-3", "12-1-3", "17-1", "17-3", "21-1-5")
def test_every_stop_of_the_legs_that_tell_most() -> None:
    for circuit, start, spaces, rest in TELLING:
        track = DRAWN[circuit] if circuit in DRAWN else load(circuit)
        names = {name: frozenset(track.ids[x] for x in rest.get(name, "").split()) for name in ("taken", "dangers")}
        leg = Leg(start=track.ids[start], spaces=spaces, **{**rest, **names})
        board = Board(track)  # what one has learned from a leg is not to help another
        assert fast_stops(board, leg) == Reference(track, leg).stops(), (circuit, start, spaces)
        for found in board.landings(leg):  # what was rolled and slid is driven, braked or blocked
            driven = found.moved + found.brakes + found.blocked - found.soft
            assert found.slid == 0 if found.finished else driven == spaces + found.slid, (circuit, start, spaces)


IN_THE_LANE: list[tuple[str, str, int, dict[str, Any], set[tuple[str, int, int, int]], str]] = [
    # box 2 is beside pit:5; eight spaces on somebody stands, and the ninth is lost
    ("monaco", "box:2", 9, {"soft": True, "brakes": 1, "taken": "pit:13"}, {("pit:12", 8, 0, 0)}, ""),
    # the box is the tenth space, and the way there is tested like any other
    ("monaco", "pit:3", 11, {"dangers": "pit:4 pit:5", "until": "box:9"}, {("box:9", 10, 0, 0)}, "pit:4 pit:5"),
    # past a way out that is taken; a fresh soft set may add a space beyond the line
    (
        "tow",
        "pit:9",
        3,
        {"soft": True, "ages": False, "taken": "0:right:5"},
        {("pit:12", 3, 0, 0), ("0:right:7", 4, 0, 1)},
        "",
    ),
    # nobody leaves a box past a car that stands before it
    ("tow", "box:2", 6, {"brakes": 3, "taken": "pit:5 pit:11"}, {("box:2", 0, 0, 0)}, ""),
    # brakes count in the lane, and the soft space does not beyond the line
    ("tow", "box:1", 2, {"soft": True, "brakes": 1}, {("pit:4", 1, 1, 0), ("pit:5", 2, 0, 0)}, ""),
    # whoever is before his box is in it with the next space, whatever he rolled
    ("tow", "pit:4", 4, {"brakes": 1, "until": "box:1"}, {("box:1", 1, 0, 0)}, ""),
    # home is home: the lane leads nowhere else
    (
        "tow",
        "4:left:20",
        12,
        {"brakes": 2, "taken": "pit:6", "finish": True, "until": "box:2"},
        {("0:left:1", 5, 0, 0), ("0:middle:1", 5, 0, 0), ("0:right:1", 6, 0, 0)},
        "",
    ),
    # home in the lane or on the way out of it, without the tests and the brakes of what lies beyond
    ("monaco", "box:10", 9, {"brakes": 3, "dangers": "0:right:1 0:right:2", "finish": True}, {("pit:18", 6, 0, 0)}, ""),
    (
        "early",
        "pit:3",
        6,
        {"brakes": 3, "dangers": "0:right:2 0:right:4", "finish": True},
        {("pit:6", 3, 0, 0), ("0:right:2", 3, 0, 0)},
        "",
    ),
    # into the lane as far as the space before a box that is taken, without the soft space
    (
        "tow",
        "4:left:19",
        6,
        {"soft": True, "ages": False, "taken": "box:1", "until": "box:1", "pits_count": True},
        {
            ("0:left:1", 6, 0, 0),
            ("0:middle:1", 6, 0, 0),
            ("4:right:23", 6, 0, 0),
            ("0:left:2", 7, 0, 1),
            ("0:middle:2", 7, 0, 1),
            ("0:right:1", 7, 0, 1),
            ("pit:4", 6, 0, 0),
        },
        "",
    ),
    # before the lane as well as on it what cannot be driven is lost there, and braked on the track
    (
        "monaco",
        "20:right:1",
        11,
        {"brakes": 2, "taken": "pit:6", "until": "box:10"},
        {("pit:5", 5, 0, 0)}
        | {(f"20:left:{10 - b}", 11 - b, b, 0) for b in range(3)}
        | {(f"20:middle:{11 - b}", 11 - b, b, 0) for b in range(3)}
        | {(f"20:right:{12 - b}", 11 - b, b, 0) for b in range(3)},
        "",
    ),
    # what one way into the lane cannot drive on it is lost, another further on leads past who stands there
    (
        "forked",
        "4:right:14",
        5,
        {"taken": "pit:2", "until": "box:1"},
        {
            ("pit:1", 2, 0, 0),
            ("pit:4", 5, 0, 0),
            ("4:right:19", 5, 0, 0),
            ("4:middle:19", 5, 0, 0),
            ("4:left:19", 5, 0, 0),
        },
        "",
    ),
    # out onto the very first space of the board
    ("forked", "pit:12", 2, {}, {("0:left:2", 2, 0, 0), ("0:middle:2", 2, 0, 0)}, ""),
]
"""Legs in and about the lane with their stops: space, spaces driven, brakes, soft space; and what the way tests."""


@pytest.mark.article(
    "competition", "7-2-6", "19-1-1", "19-1-2", "19-1-3", "19-1-5", "19-2-2", "19-3-6", "8-2-3", "11-0-1"
)
@pytest.mark.parametrize(("circuit", "start", "spaces", "rest", "stops", "tests"), IN_THE_LANE)
def test_every_stop_in_and_about_the_lane(
    circuit: str, start: str, spaces: int, rest: dict[str, Any], stops: set[tuple[str, int, int, int]], tests: str
) -> None:
    """TOW's lane leaves 4:right:19, has boxes beside its 4th and 5th space and leads out of its 10th and 12th; the
    forked one is entered by its 1st and 3rd space and leads out of its last, the early one also out of its last space
    before the line."""
    track = DRAWN[circuit] if circuit in DRAWN else load(circuit)
    names = {name: frozenset(track.ids[x] for x in rest.get(name, "").split()) for name in ("taken", "dangers")}
    until = {"until": track.ids[rest["until"]]} if "until" in rest else {}
    leg = Leg(start=track.ids[start], spaces=spaces, **{**rest, **names, **until})
    found = Board(track).landings(leg)
    assert {(track.spaces[x.space].name, x.moved, x.brakes, x.soft) for x in found} == stops
    assert {x.tests for x in found} == {tuple(track.ids[name] for name in tests.split())}
    assert not any(x.blocked or x.slid for x in found)
    assert {x.finished for x in found} == {rest.get("finish", False)}


ONE_MORE: list[tuple[str, str, int, dict[str, Any], str, int, str, bool]] = [
    (
        "monaco",
        "1:left:3",
        7,
        {"made": 1, "dangers": "1:left:6 1:middle:4 2:left:4"},
        "2:left:1",
        6,
        "2:middle:2",
        False,
    ),
    (
        "copper-basin",
        "8:right:15",
        4,
        {"taken": "8:right:16", "dangers": "8:inner-right:20"},
        "8:inner-right:18",
        3,
        "8:right:18",
        True,
    ),
    ("porto-sereno", "9:left:3", 7, {"made": 1}, "10:left:1", 6, "10:left:2", True),
    ("copper-basin", "4:right:24", 2, {}, "4:inner-left:26", 1, "4:inner-left:27", True),
    ("copper-basin", "8:left:12", 6, {"made": 3}, "8:right:14", 5, "8:inner-right:15", False),
    ("porto-sereno", "17:right:2", 7, {}, "17:middle:8", 6, "18:middle:1", True),
    ("twin", "1:left:1", 9, {"made": 1}, "3:left:2", 8, "3:left:3", True),
    ("monaco", "10:left:1", 3, {}, "10:left:9", -1, "10:left:10", True),
]
"""Legs, how far they have come, and whether they are still one legal way a space further; the last two have come by
the referee's word alone."""


@pytest.mark.article("competition", "7-2-3", "7-2-4", "7-2-5")
@pytest.mark.parametrize(("circuit", "start", "spaces", "rest", "here", "moved", "to", "legal"), ONE_MORE)
def test_a_way_that_goes_on_is_still_one_way(
    circuit: str, start: str, spaces: int, rest: dict[str, Any], here: str, moved: int, to: str, legal: bool
) -> None:
    track = DRAWN[circuit] if circuit in DRAWN else load(circuit)
    names = {name: frozenset(track.ids[x] for x in rest.get(name, "").split()) for name in ("taken", "dangers")}
    leg = Leg(start=track.ids[start], spaces=spaces, **{**rest, **names})
    assert Search(Board(track), leg).goes_on(track.ids[here], moved, track.ids[to]) == legal
    slow = Reference(track, leg)
    ways = [way for way in slow.ways if (way.space, way.moved) == (track.ids[here], moved)]
    further = [one for way in ways for one in slow.onward(way) if one.space == track.ids[to]]
    on_straight = track.straight[track.ids[here]] == track.straight[track.ids[to]] >= 0
    assert legal == (not on_straight or not ways or any(slow.legal(one) for one in further))
