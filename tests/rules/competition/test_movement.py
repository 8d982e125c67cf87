"""The one pass over the board against the slow search: the same stops, on every circuit known to the space."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.circuits import load
from companion.rules.circuit.leg import Leg
from companion.rules.circuit.track import Track
from companion.rules.circuit.ways import Board
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
