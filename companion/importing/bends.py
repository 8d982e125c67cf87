"""The bends of a drawing's sections: headings, the side of each turn, and paths."""

from __future__ import annotations

import math

from companion.importing.drawing import Drawing, Lane
from companion.importing.sections import BoardPart

BENDS = 20
"""Degrees from which a corner bends one way; below, it is a corner and its counterpart in one."""


def headings(drawing: Drawing, parts: list[BoardPart]) -> list[tuple[int, int]]:
    """Return the direction of each section at its beginning, and how far it turns.

    They are degrees clockwise from the top, along a lane in the middle.
    """
    row = [i for part in parts for i in part.lanes[len(part.lanes) // 2]]
    angles: list[float] = []
    for k in range(len(row)):
        x, y = drawing.vector(row[k - 1], row[k])
        angle = math.degrees(math.atan2(x, -y)) if x or y else (angles[-1] if angles else 0.0)
        if angles:
            angle = angles[-1] + (angle - angles[-1] + 180) % 360 - 180
        angles.append(angle)
    closing = angles[-1] + (angles[0] - angles[-1] + 180) % 360 - 180
    starts, at = [], 0
    for part in parts:
        starts.append(round(angles[at]))
        at += len(part.lanes[len(part.lanes) // 2])
    ends = [*starts[1:], round(closing)]
    return [(start % 360, max(-360, min(360, end - start))) for start, end in zip(starts, ends, strict=True)]


def inside_of(drawing: Drawing, lanes: list[Lane], part: BoardPart, bend: int) -> int:
    """Return the side a corner turns to, by its outermost lane: 0 left, -1 right.

    One that ends much as it began turns first to where its first sideways moves lead, else to the side with fewer
    spaces.
    """
    if abs(bend) >= BENDS:
        return 0 if bend < 0 else -1
    lane_of = {i: k for k, lane in enumerate(lanes) for i in lane}
    moves = drawing.track_moves()
    first = [(i, j) for lane in part.lanes for i in lane[:3] for j in moves[i]]
    side = sum(lane_of[j] - lane_of[i] for i, j in first) or len(part.lanes[0]) - len(part.lanes[-1]) or bend
    return 0 if side < 0 else -1


def paths_through(drawing: Drawing, part: BoardPart) -> tuple[int, int]:
    """Shortest and longest path through a corner, in spaces of it."""
    inside = {i for lane in part.lanes for i in lane if not drawing.nodes[i].blocked}
    moves = drawing.track_moves()
    back: dict[int, list[int]] = {}
    for i, targets in moves.items():
        for j in targets:
            back.setdefault(j, []).append(i)
    enters = [i for i in inside if any(j not in inside for j in back.get(i, []))]
    shortest, longest = 0, 0
    reached = set(enters)
    for steps in range(1, len(inside) + 1):
        if any(j not in inside for i in reached for j in moves[i]):
            shortest = shortest or steps
            longest = steps
        reached = {j for i in reached for j in moves[i] if j in inside}
        if not reached:
            break
    return max(shortest, 1), max(longest, 1)
