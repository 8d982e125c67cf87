"""The starting grid of a drawing: its slots, or a proposal where it has none."""

from __future__ import annotations

from companion.importing.drawing import Drawing, Lane, listed
from companion.importing.marks import Marks

FAR_POLE = 8
"""Distance from the finish line within which pole must lie, in spaces."""


def find_grid(drawing: Drawing, lanes: list[Lane], marks: Marks) -> list[int]:
    """Return the nodes of the slots by number, else from the one nearest before the line."""
    at = marks.spots
    slots = {i: n.slot for i, n in drawing.nodes.items() if n.slot is not None and i in at}

    def from_line(i: int) -> tuple[int, int, int, int]:
        s, lane, number = at[i]
        return slots[i] or 0, -s, -2 * number - marks.rows[s].stagger[lane], lane

    off = sorted(i for i, n in drawing.nodes.items() if n.slot is not None and i not in slots)
    free = [i for i in slots if not drawing.nodes[i].blocked]
    if off or len(free) < len(slots):
        bad = sorted({*off, *slots} - set(free))
        drawing.note("import.slots_left_out", nodes=listed(bad))
    if not free:
        drawing.note("import.no_grid")
        return _proposed(drawing, lanes)
    grid = sorted(free, key=from_line)
    lane = lanes[at[grid[0]][1]]
    gap = len(lane) - lane.index(grid[0])
    if gap > FAR_POLE:
        drawing.note("import.pole_far", node=grid[0], gap=gap, line=lane[0])
    if cornered := [slot for slot, i in enumerate(grid, 1) if drawing.nodes[i].stops]:
        least = cornered[0] - 1  # the cars that still stand before them
        drawing.note("import.grid_in_corner", n=len(cornered), slots=listed(cornered), least=least if least > 1 else 0)
    return grid


def _proposed(drawing: Drawing, lanes: list[Lane]) -> list[int]:
    """Left and right in turn, three spaces apart, on the straights in the half of the lap before the line."""
    nodes = drawing.nodes
    sides = [
        [i for i in reversed(lanes[k][len(lanes[k]) // 2 :]) if not nodes[i].stops and not nodes[i].blocked]
        for k in (0, -1)
    ]
    return [side[3 * row] for row in range(5) for side in sides if 3 * row < len(side)]
