"""The pit lane of a drawing: its spaces in a row, boxes, entries and exits."""

from __future__ import annotations

from dataclasses import dataclass

from companion.importing.drawing import Drawing, listed

USUAL_BOXES = 10


@dataclass
class PitSpaces:
    """Lane spaces in driving order; the rest counts them from 1."""

    nodes: list[int]
    boxes: list[int]
    entries: list[tuple[int, int]]
    """Pairs of a track node and the lane space it leads to."""
    exits: list[tuple[int, int]]
    """Pairs of a lane space and the track node it leads to."""
    line: int = 0
    """First lane space past the finish line; 0 if the lane does not pass it."""


def find_pit_lane(drawing: Drawing, past_line: set[int]) -> PitSpaces | None:
    """Return the pit lane; None, with a note, if none can be driven.

    `past_line` are the spaces of the first half of the lap.
    """
    pits = {i for i, node in drawing.nodes.items() if node.pit}
    if not pits:
        return None
    plain = {i for i in pits if not drawing.nodes[i].box}
    row = _longest(drawing, plain)
    if set(row) != plain or not row or not _is_connected(drawing, row):
        row = _longest(drawing, pits)
    number = {i: n for n, i in enumerate(row, 1)}
    left_out = sorted(i for i in pits if i not in number and not drawing.nodes[i].box)
    if left_out:
        drawing.note("import.pit_beside", nodes=listed(left_out))
    entries = [
        (i, number[j]) for i in drawing.track() if not drawing.nodes[i].blocked for j in drawing.moves[i] if j in number
    ]
    exits = [(number[i], j) for i in row for j in drawing.moves[i] if j not in pits and not drawing.nodes[j].blocked]
    for i in drawing.track():
        for j in drawing.moves[i]:
            if j in pits and j not in number:
                drawing.note("import.pit_off_lane", a=i, b=j)
    for i in row:
        for j in drawing.moves[i]:
            if j in number and number[j] != number[i] + 1:
                drawing.note("import.pit_jump", a=i, b=j)
    first = min((n for _, n in entries), default=0)
    last = max((n for n, _ in exits), default=0)
    if not first or not last or first >= last:
        drawing.note("import.pit_no_way", nodes=listed(row))
        return None
    if first > 1 or last < len(row):
        spare = row[: first - 1] + row[last:]
        drawing.note("import.pit_spare", nodes=listed(spare))
        row = row[first - 1 : last]
        entries = [(i, n - first + 1) for i, n in entries]
        exits = [(n - first + 1, j) for n, j in exits]
    lane = PitSpaces(row, _boxes(drawing, row, pits), entries, exits)
    lane.line = _line(drawing, row, past_line)
    return lane


def _is_connected(drawing: Drawing, row: list[int]) -> bool:
    """Return True if the track leads into the row and the row back to the track."""
    return any(row[0] in drawing.moves[i] for i in drawing.track()) and any(
        not drawing.nodes[j].pit for j in drawing.moves[row[-1]]
    )


def _longest(drawing: Drawing, allowed: set[int]) -> list[int]:
    """Return the longest row of pit spaces, each followed by one that a move leads to."""
    best: dict[int, list[int]] = {}

    def tail(i: int, seen: frozenset[int]) -> list[int]:
        if i not in best:
            tails = [tail(j, seen | {i}) for j in drawing.moves[i] if j in allowed and j not in seen]
            best[i] = [i, *max(tails, key=len, default=[])]
        return best[i]

    # From the far end first, so that no call goes deeper than a few spaces.
    return max((tail(i, frozenset({i})) for i in sorted(allowed, reverse=True)), key=len, default=[])


def _boxes(drawing: Drawing, row: list[int], pits: set[int]) -> list[int]:
    """Return the lane space in front of each box, a lane space of its own for each."""
    number = {i: n for n, i in enumerate(row, 1)}
    fronts: list[int] = [number[i] for i in row if drawing.nodes[i].box]
    for box in sorted(i for i in pits if drawing.nodes[i].box and i not in number):
        leading = [number[i] for i in row if box in drawing.moves[i]]
        nearest = min(row, key=lambda i: drawing.gap(i, box))
        front = leading[0] if leading else number[nearest]
        if front in fronts:
            free = [n for n in number.values() if n not in fronts]
            if not free:
                drawing.note("import.box_left_out", box=box)
                continue
            other = min(free, key=lambda n: (abs(n - front), n))
            drawing.note("import.box_shared", box=box, front=front, other=other)
            front = other
        back = [j for j in drawing.moves[box] if j in number and number[j] != front]
        if back:
            drawing.note("import.box_ways", box=box, n=len(back), nodes=listed(back), front=row[front - 1])
        fronts.append(front)
    if not fronts:
        middle = max(0, (len(row) - USUAL_BOXES) // 2)
        fronts = list(range(middle + 1, min(middle + USUAL_BOXES, len(row)) + 1))
        drawing.note("import.no_boxes", first=fronts[0], last=fronts[-1])
    return sorted(fronts)


def _line(drawing: Drawing, row: list[int], past_line: set[int]) -> int:
    """Return the first lane space whose nearest space of the track is past the line.

    Those before it must not be.
    """
    track = [i for i in drawing.track() if not drawing.nodes[i].blocked]
    past = [min(track, key=lambda i: drawing.gap(i, p)) in past_line for p in row]
    if past[0] or not past[-1]:
        return 0
    return past.index(True) + 1
