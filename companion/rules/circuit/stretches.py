"""Distances on a circuit that is known to the corner, as far as they are certain on any board.

Places are written as on a corner sheet: "corner:3", "after:3", "pit:4", "box:4"; `at` is None on the grid.
"""

from __future__ import annotations

from functools import cache

from companion.rules.circuit.track import Track


def stretch(track: Track, at: str | None) -> int:
    """Return the part of the lap that a place lies in.

    0 is from the line to the first corner, then corners and straights in turn; the pits lie beside the last straight.
    """
    return _stretch(at or "after:0", len(track.corners))


def corners_behind(track: Track, at: str | None, place: str) -> int:
    """Return how many corners lie behind a place, counted from the line behind a car that stands `at` another."""
    there = stretch(track, place)
    return there // 2 + (len(track.corners) if there < stretch(track, at) else 0)


def fewest_spaces(track: Track, at: str | None, place: str) -> int:
    """Return the fewest spaces in which a car can come from a place to another, whatever the board.

    They are one there, and one in each corner that the move drives through; a straight may have none in a lane.
    """
    if place == at:
        return 0
    return 1 + max(0, corners_behind(track, at, place) - (stretch(track, at) + 1) // 2)


def overshot_range(
    track: Track, at: str | None, place: str, count: int, moved: int, *, last_lap: bool, home: bool = False
) -> tuple[int, int]:
    """Return the fewest and the most spaces that a move can be beyond the `count` corners it overshot, added up.

    It is `moved` spaces long. Beyond each corner are fewer than beyond the one before, since a corner has a space at
    least in every lane; and on its way out of the first the car drives through each corner that it was not in. For a
    car that is `home` they count up to the line, which may be where the last corner ends.
    """
    if not count:
        return 0, 0
    last = corners_behind(track, at, place)
    if last_lap:
        last = min(last, len(track.corners))
    most = moved - (last - count + 1 - (stretch(track, at) + 1) // 2)
    between = count * (count - 1) // 2
    return between + (0 if home else count), max(0, count * most - between)


@cache
def _stretch(at: str, corners: int) -> int:
    where, _, number = at.partition(":")
    if where in ("pit", "box"):
        return 2 * corners
    return 2 * int(number) - (where == "corner")
