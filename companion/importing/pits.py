"""The pit lane of a drawing: its spaces in a row, boxes, entries and exits."""

from __future__ import annotations

from dataclasses import dataclass

from companion.importing.drawing import Drawing, listed

USUAL_BOXES = 10


@dataclass
class PitLane:
    """Lane spaces in driving order; the rest counts them from 1."""

    nodes: list[int]
    boxes: list[int]
    entries: list[tuple[int, int]]
    """From a track node to a lane space."""
    exits: list[tuple[int, int]]
    """From a lane space to a track node."""
    line: int = 0
    """The first lane space past the finish line, 0 if the lane does not pass it."""


def find_pit_lane(drawing: Drawing, past_line: set[int]) -> PitLane | None:
    """The pit lane, None where there is none or it cannot be driven (then a note says why).

    `past_line` are the spaces of the first half of the lap.
    """
    pits = {i for i, node in drawing.nodes.items() if node.pit}
    if not pits:
        return None
    plain = {i for i in pits if not drawing.nodes[i].box}
    row = _longest(drawing, plain)
    if set(row) != plain or not row or not _driven(drawing, row):
        row = _longest(drawing, pits)
    number = {i: n for n, i in enumerate(row, 1)}
    left_out = sorted(i for i in pits if i not in number and not drawing.nodes[i].box)
    if left_out:
        drawing.notes.append(f"The pit lane is a single row: nodes {listed(left_out)} beside it are left out.")
    entries = [
        (i, number[j]) for i in drawing.track() if not drawing.nodes[i].blocked for j in drawing.moves[i] if j in number
    ]
    exits = [(number[i], j) for i in row for j in drawing.moves[i] if j not in pits and not drawing.nodes[j].blocked]
    for i in drawing.track():
        for j in drawing.moves[i]:
            if j in pits and j not in number:
                drawing.notes.append(f"The move from node {i} into the pits at {j}, off the lane, is left out.")
    for i in row:
        for j in drawing.moves[i]:
            if j in number and number[j] != number[i] + 1:
                drawing.notes.append(f"The move from pit node {i} to {j}, which do not follow each other, is left out.")
    first = min((n for _, n in entries), default=0)
    last = max((n for n, _ in exits), default=0)
    if not first or not last or first >= last:
        drawing.notes.append(
            f"The pit lane of nodes {listed(row)} is left out: it needs a way in from the track and a way out "
            "further on."
        )
        return None
    if first > 1 or last < len(row):
        spare = row[: first - 1] + row[last:]
        drawing.notes.append(f"Pit nodes {listed(spare)} before the way in or behind the way out are left out.")
        row = row[first - 1 : last]
        entries = [(i, n - first + 1) for i, n in entries]
        exits = [(n - first + 1, j) for n, j in exits]
    lane = PitLane(row, _boxes(drawing, row, pits), entries, exits)
    lane.line = _line(drawing, row, past_line)
    return lane


def _driven(drawing: Drawing, row: list[int]) -> bool:
    """Whether the track leads into this row and the row back to the track."""
    return any(row[0] in drawing.moves[i] for i in drawing.track()) and any(
        not drawing.nodes[j].pit for j in drawing.moves[row[-1]]
    )


def _longest(drawing: Drawing, allowed: set[int]) -> list[int]:
    """The longest row of pit spaces, each followed by one that a move leads to."""
    best: dict[int, list[int]] = {}

    def tail(i: int, seen: frozenset[int]) -> list[int]:
        if i not in best:
            tails = [tail(j, seen | {i}) for j in drawing.moves[i] if j in allowed and j not in seen]
            best[i] = [i, *max(tails, key=len, default=[])]
        return best[i]

    # From the far end first, so that no call goes deeper than a few spaces.
    return max((tail(i, frozenset({i})) for i in sorted(allowed, reverse=True)), key=len, default=[])


def _boxes(drawing: Drawing, row: list[int], pits: set[int]) -> list[int]:
    """The lane space in front of each box, a lane space of its own for each."""
    number = {i: n for n, i in enumerate(row, 1)}
    fronts: list[int] = [number[i] for i in row if drawing.nodes[i].box]
    for box in sorted(i for i in pits if drawing.nodes[i].box and i not in number):
        leading = [number[i] for i in row if box in drawing.moves[i]]
        nearest = min(row, key=lambda i: drawing.gap(i, box))
        front = leading[0] if leading else number[nearest]
        if front in fronts:
            free = [n for n in number.values() if n not in fronts]
            if not free:
                drawing.notes.append(f"Box {box} is left out: no lane space is free for it.")
                continue
            other = min(free, key=lambda n: (abs(n - front), n))
            drawing.notes.append(
                f"Box {box} shares lane space {front} with another box: it stands at lane space {other} here, since "
                "each box has its own."
            )
            front = other
        back = [j for j in drawing.moves[box] if j in number and number[j] != front]
        if back:
            drawing.notes.append(
                f"Box {box} leads to pit node{'s' * (len(back) > 1)} {listed(back)} in the file; here every box "
                f"leads to the lane space in front of it, node {row[front - 1]}."
            )
        fronts.append(front)
    if not fronts:
        middle = max(0, (len(row) - USUAL_BOXES) // 2)
        fronts = list(range(middle + 1, min(middle + USUAL_BOXES, len(row)) + 1))
        drawing.notes.append(
            f"No pit space is marked as a box: boxes were put at lane spaces {fronts[0]} to {fronts[-1]}; check them."
        )
    return sorted(fronts)


def _line(drawing: Drawing, row: list[int], past_line: set[int]) -> int:
    """The first lane space whose nearest space of the track is past the line, if those before it are not."""
    track = [i for i in drawing.track() if not drawing.nodes[i].blocked]
    past = [min(track, key=lambda i: drawing.gap(i, p)) in past_line for p in row]
    if past[0] or not past[-1]:
        return 0
    return past.index(True) + 1
