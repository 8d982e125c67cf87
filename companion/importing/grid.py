"""The starting grid of a drawing: its slots, or a proposal where it has none."""

from __future__ import annotations

from companion.importing.drawing import Drawing, Lane, listed
from companion.importing.marks import Marks

FAR_POLE = 8
"""Pole is nearer to the line than this, in spaces."""


def find_grid(drawing: Drawing, lanes: list[Lane], marks: Marks) -> list[int]:
    """The nodes of the slots, by number, else from the one nearest before the line."""
    at = marks.spots
    slots = {i: n.slot for i, n in drawing.nodes.items() if n.slot is not None and i in at}

    def from_line(i: int) -> tuple[int, int, int, int]:
        s, lane, number = at[i]
        return slots[i] or 0, -s, -2 * number - marks.rows[s].stagger[lane], lane

    off = sorted(i for i, n in drawing.nodes.items() if n.slot is not None and i not in slots)
    free = [i for i in slots if not drawing.nodes[i].blocked]
    if off or len(free) < len(slots):
        bad = sorted({*off, *slots} - set(free))
        drawing.note(f"Grid slots on nodes {listed(bad)} are left out: no car can stand there.")
    if not free:
        drawing.note("There is no grid in the file: spaces before the finish line were proposed; check them.")
        return _proposed(drawing, lanes)
    grid = sorted(free, key=from_line)
    lane = lanes[at[grid[0]][1]]
    gap = len(lane) - lane.index(grid[0])
    if gap > FAR_POLE:
        drawing.note(
            f"Pole, on node {grid[0]}, lies {gap} spaces before the finish line at node {lane[0]}: check where "
            "the line is."
        )
    if cornered := [slot for slot, i in enumerate(grid, 1) if drawing.nodes[i].stops]:
        many, least = len(cornered) > 1, cornered[0] - 1
        drawing.note(
            f"Grid slot{'s' * many} {listed(cornered)} lie{'s' * (not many)} in a corner, whose stops a car that "
            f"starts there still has to make: if your board has {'them' if many else 'it'} elsewhere, move "
            f"{'them' if many else 'it'} to the straight" + (f", or start at most {least} cars." if least > 1 else ".")
        )
    return grid


def _proposed(drawing: Drawing, lanes: list[Lane]) -> list[int]:
    """Left and right in turn, three spaces apart, on the straights in the half of the lap before the line."""
    nodes = drawing.nodes
    sides = [
        [i for i in reversed(lanes[k][len(lanes[k]) // 2 :]) if not nodes[i].stops and not nodes[i].blocked]
        for k in (0, -1)
    ]
    return [side[3 * row] for row in range(5) for side in sides if 3 * row < len(side)]
