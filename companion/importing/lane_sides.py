"""Which lane lies left of which, and where in each of them the lap begins."""

from __future__ import annotations

import math
from itertools import pairwise

from companion.importing.drawing import Drawing, Lane, listed, unit
from companion.rules.conversation.errors import BadTrack


def from_left(drawing: Drawing, lanes: list[Lane], ahead: dict[int, int]) -> list[Lane]:
    """Sorts lanes by the side to which their moves into other lanes go, else by where the nearest space
    lies."""
    home = {i: k for k, lane in enumerate(lanes) for i in lane}
    right = [[0.0] * len(lanes) for _ in lanes]

    def see(a: int, b: int, weight: float) -> None:
        side = _cross(unit(*drawing.vector(a, ahead[a])), unit(*drawing.vector(a, b)))
        if side:
            right[home[a]][home[b]] += math.copysign(weight, side)
            right[home[b]][home[a]] -= math.copysign(weight, side)

    for a in home:
        for b in drawing.moves[a]:
            if b in home and home[b] != home[a]:
                see(a, b, 1.0)
    for k, lane in enumerate(lanes):
        for m, other in enumerate(lanes):
            if k != m and not right[k][m]:
                for a in lane[::5]:
                    see(a, min(other, key=lambda b: drawing.gap(a, b)), 0.01)
    ranks = [sum(1 for m in range(len(lanes)) if right[k][m] < 0) for k in range(len(lanes))]
    order = sorted(range(len(lanes)), key=lambda k: ranks[k])
    return [lanes[k] for k in order]


def _cross(a: tuple[float, float], b: tuple[float, float]) -> float:
    """Positive where b points to the right of a in a picture whose y runs down."""
    return a[0] * b[1] - a[1] * b[0]


def from_line(drawing: Drawing, lanes: list[Lane], name: str) -> list[Lane]:
    """Turns each lane so that it begins with the first space past the finish line."""
    marked = [_line_of(drawing, lane) for lane in lanes]
    if not any(marked):
        marked = _line_by_grid(drawing, lanes, name)
    sure = [lane[found[0]] for lane, found in zip(lanes, marked, strict=True) if len(found) == 1]
    turned = []
    for lane, found in zip(lanes, marked, strict=True):
        at = min(found or range(len(lane)), key=lambda k: sum(drawing.gap(lane[k], i) for i in sure))
        if not found:
            drawing.notes.append(
                f"No space of the lane with nodes {listed(lane, 3)} is marked as first past the finish line: node "
                f"{lane[at]} was chosen, the nearest to the others; check it."
            )
        if len(found) > 1:
            drawing.notes.append(
                f"Nodes {listed([lane[k] for k in found])} of one lane are all first past the finish line: "
                f"{lane[at]} was taken, the nearest to the others; check it."
            )
        turned.append(lane[at:] + lane[:at])
    return turned


def _line_of(drawing: Drawing, lane: Lane) -> list[int]:
    """Where in a lane the finish line may be: marked spaces, the first of several in a row, else where the places
    along the lap begin anew."""
    marked = [k for k, i in enumerate(lane) if drawing.nodes[i].line]
    if marked:
        return [k for k in marked if not drawing.nodes[lane[k - 1]].line] or marked[:1]
    if drawing.nodes[lane[0]].lane is None:
        return []  # places along a corner, not along the lap
    known = [(k, along) for k, i in enumerate(lane) if (along := drawing.nodes[i].along) is not None]
    return [b[0] for a, b in pairwise([*known, known[0]] if known else []) if b[1] < a[1]]


def _line_by_grid(drawing: Drawing, lanes: list[Lane], name: str) -> list[list[int]]:
    """The line lies just ahead of pole."""
    slots = sorted((node.slot, i) for i, node in drawing.nodes.items() if node.slot is not None and not node.pit)
    if not slots or slots[0][0] < 0:
        raise BadTrack(f"{name}: no space is marked as first past the finish line; every lane needs one.")
    pole = slots[0][1]
    found = [[(lane.index(pole) + 1) % len(lane)] if pole in lane else [] for lane in lanes]
    drawing.notes.append(
        f"No space is marked as first past the finish line: it was taken to lie just ahead of node {pole}, where "
        "pole is; check it."
    )
    return found
