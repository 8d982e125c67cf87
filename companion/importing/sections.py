"""Cutting traced lanes into straights and corners."""

from __future__ import annotations

import cmath
import math
from dataclasses import dataclass

from companion.importing.drawing import Drawing, Lane, listed
from companion.rules.conversation.errors import BadTrack

FEW = 2
"""Number of spaces of a wrong kind that count as a slip of whoever drew the board."""
NEAR = 0.06
"""Share of a lap within which the stretches of one corner lie of each other, lane by lane."""


@dataclass
class BoardPart:
    """A straight (0 stops) or a corner, with its spaces lane by lane."""

    stops: int
    lanes: list[list[int]]


@dataclass
class Run:
    """Spaces that follow one another in one lane of a corner."""

    lane: int
    first: int
    """Index in its lane."""
    nodes: list[int]


def cut(drawing: Drawing, lanes: list[Lane], name: str) -> list[BoardPart]:
    """Return the sections in driving order, from the first that begins past the finish line.

    Each lane begins with its first space past the line. Raises BadTrack where the lanes do not pass the same
    corners in the same order.
    """
    _kinds_of_blocked(drawing, lanes)
    _doubt_numbers(drawing, lanes)
    for _ in range(4):
        groups = _grouped(drawing, lanes, name)
        if not _mend(drawing, lanes, groups):
            break
    _join_lonely(drawing, lanes, groups)
    _forget_slips(drawing, groups, len(lanes))
    for group in groups:
        missing = sorted(set(range(len(lanes))) - {run.lane for run in group})
        if missing:
            nodes = sorted(i for run in group for i in run.nodes)
            raise BadTrack("board.corner_lanes", nodes=listed(nodes), n=len(missing), count=len(lanes), where=name)
    groups.sort(key=lambda group: _middle(lanes, group))
    return _in_order(drawing, lanes, groups, name)


def _kinds_of_blocked(drawing: Drawing, lanes: list[Lane]) -> None:
    """Give a blocked space the corner that the spaces before and behind it share."""
    for lane in lanes:
        for k, i in enumerate(lane):
            node = drawing.nodes[i]
            if not node.blocked or node.stops:
                continue
            before, after = drawing.nodes[lane[k - 1]], drawing.nodes[_next_free(drawing, lane, k)]
            if before.stops == after.stops and before.corner == after.corner:
                node.stops, node.corner = before.stops, before.corner


def _doubt_numbers(drawing: Drawing, lanes: list[Lane]) -> None:
    """Forget the numbers of corners where one number stands for corners far apart in a lane."""
    for k, lane in enumerate(lanes):
        ends: dict[int, Run] = {}
        for run in _runs(drawing, lane, k):
            number = drawing.nodes[run.nodes[0]].corner
            if number is None:
                continue
            before = ends.setdefault(number, run)
            apart = (run.first - before.first - len(before.nodes)) % len(lane)
            back = (before.first - run.first - len(run.nodes)) % len(lane)
            if before is not run and min(apart, back) > FEW:
                drawing.note("import.corner_number", number=number, a=before.nodes[0], b=run.nodes[0])
                for node in drawing.nodes.values():
                    node.corner = None
                return
            ends[number] = run


def _next_free(drawing: Drawing, lane: Lane, k: int) -> int:
    for step in range(1, len(lane)):
        i = lane[(k + step) % len(lane)]
        if not drawing.nodes[i].blocked:
            return i
    return lane[k]


def _runs(drawing: Drawing, lane: Lane, k: int) -> list[Run]:
    """Return the stretches of corner spaces in a lane.

    Straights, another number of stops or another corner part them.
    """

    def breaks(a: int, b: int) -> bool:
        one, two = drawing.nodes[a], drawing.nodes[b]
        if (one.stops, one.corner) != (two.stops, two.corner):
            return True
        begins_anew = one.along is not None and two.along is not None and two.along < one.along
        return bool(one.stops) and one.corner is None and begins_anew

    cuts = [m for m in range(len(lane)) if breaks(lane[m - 1], lane[m])] or [0]
    runs = []
    for first, end in zip(cuts, [*cuts[1:], cuts[0] + len(lane)], strict=True):
        nodes = [lane[m % len(lane)] for m in range(first, end)]
        if drawing.nodes[nodes[0]].stops:
            runs.append(Run(k, first, nodes))
    return runs


def _grouped(drawing: Drawing, lanes: list[Lane], name: str) -> list[list[Run]]:
    """Return the runs of different lanes that are one corner.

    Its number tells it, else moves that lead from one to the other.
    """
    runs = [run for k, lane in enumerate(lanes) for run in _runs(drawing, lane, k)]
    home = {i: n for n, run in enumerate(runs) for i in run.nodes}
    root = list(range(len(runs)))

    def find(n: int) -> int:
        while root[n] != n:
            n = root[n]
        return n

    by_number: dict[int, int] = {}
    for a, n in home.items():
        corner = drawing.nodes[a].corner
        if corner is not None:
            root[find(n)] = find(by_number.setdefault(corner, n))
            continue
        for b in drawing.moves[a]:
            m = home.get(b)
            if m is None or runs[m].lane == runs[n].lane or drawing.nodes[b].stops != drawing.nodes[a].stops:
                continue
            here, there = drawing.nodes[a].along, drawing.nodes[b].along
            if here is None or there is None or there >= here:
                root[find(n)] = find(m)
    groups: dict[int, list[Run]] = {}
    for n, run in enumerate(runs):
        groups.setdefault(find(n), []).append(run)
    return list(groups.values())


def _mend(drawing: Drawing, lanes: list[Lane], groups: list[list[Run]]) -> bool:
    """Give the few spaces that part a corner in one lane its kind; return True if there were any."""
    mended = False
    for group in groups:
        spaces = {i for run in group for i in run.nodes}
        for a in group:
            lane, end = lanes[a.lane], a.first + len(a.nodes)
            for b in (run for other in groups for run in other if run.lane == a.lane and run is not a):
                between = (b.first - end) % len(lane)
                slips = [lane[(end + m) % len(lane)] for m in range(between)] if between <= FEW else []
                if b in group:
                    split = between <= FEW
                else:
                    # What leads sideways into the corner behind it has not left that corner.
                    model = drawing.nodes[b.nodes[0]].stops == drawing.nodes[a.nodes[0]].stops
                    split = model and any(spaces & set(drawing.moves[i]) for i in slips)
                if split:
                    mended = True
                    _take_in(drawing, a.nodes[-1], slips, b.nodes[0])
    return mended


def _take_in(drawing: Drawing, corner: int, slips: list[int], after: int) -> None:
    """Make slips, or else the space after them, part of the corner of another space."""
    model = drawing.nodes[corner]
    for i in slips or [after]:
        node = drawing.nodes[i]
        node.stops, node.corner, node.along = model.stops, model.corner, None
    if slips:
        drawing.note("import.slips_in_corner", n=len(slips), nodes=listed(slips), stops=model.stops)


def _middle(lanes: list[Lane], group: list[Run]) -> float:
    """Return the position of a corner along the lap, 0 to 1, as the mean over its lanes."""
    total = sum(cmath.exp(2j * math.pi * (run.first + len(run.nodes) / 2) / len(lanes[run.lane])) for run in group)
    return cmath.phase(total) / (2 * math.pi) % 1.0


def _join_lonely(drawing: Drawing, lanes: list[Lane], groups: list[list[Run]]) -> None:
    """Join corners whose lanes no move joins: stretches of as many stops at the same place along the lap."""
    pairs = []
    for m, a in enumerate(groups):
        for n, b in enumerate(groups[:m]):
            if drawing.nodes[a[0].nodes[0]].stops == drawing.nodes[b[0].nodes[0]].stops:
                apart = abs(_middle(lanes, a) - _middle(lanes, b))
                pairs.append((min(apart, 1 - apart), m, n))
    into = {n: n for n in range(len(groups))}
    for apart, m, n in sorted(pairs):
        one, two = into[m], into[n]
        if apart > NEAR or one == two or {r.lane for r in groups[one]} & {r.lane for r in groups[two]}:
            continue
        groups[two] += groups[one]
        groups[one] = []
        into = {k: two if v == one else v for k, v in into.items()}
    groups[:] = [group for group in groups if group]


def _forget_slips(drawing: Drawing, groups: list[list[Run]], width: int) -> None:
    """Single spaces drawn as a corner in one lane of a straight."""
    for group in groups[:]:
        nodes = [i for run in group for i in run.nodes]
        if len({run.lane for run in group}) < width and len(nodes) <= FEW:
            for i in nodes:
                drawing.nodes[i].stops, drawing.nodes[i].corner = 0, None
            groups.remove(group)
            drawing.note("import.corner_of_one_lane", n=len(nodes), nodes=listed(nodes))


def _in_order(drawing: Drawing, lanes: list[Lane], groups: list[list[Run]], name: str) -> list[BoardPart]:
    if not groups:
        return [BoardPart(0, [list(lane) for lane in lanes])]
    parts: list[BoardPart] = []
    for n, group in enumerate(groups):
        runs = {run.lane: run for run in group}
        following = {run.lane: run for run in groups[(n + 1) % len(groups)]}
        if len(runs) < len(group):
            raise BadTrack(
                "board.corner_twice", nodes=listed(sorted(i for run in group for i in run.nodes)), where=name
            )
        straight = BoardPart(0, [])
        for k, lane in enumerate(lanes):
            end = runs[k].first + len(runs[k].nodes)
            length = (following[k].first - end) % len(lane)
            straight.lanes.append([lane[(end + m) % len(lane)] for m in range(length)])
        parts.append(BoardPart(drawing.nodes[group[0].nodes[0]].stops, [runs[k].nodes for k in range(len(lanes))]))
        if any(straight.lanes):
            parts.append(straight)
    for k, lane in enumerate(lanes):
        if sum(len(part.lanes[k]) for part in parts) != len(lane):
            raise BadTrack("board.corner_order", nodes=listed(lane, 4), where=name)
    for part in parts:
        if not all(part.lanes):
            nodes = sorted(i for lane in part.lanes for i in lane)
            raise BadTrack(
                "board.straight_lanes", nodes=listed(nodes), n=part.lanes.count([]), count=len(lanes), where=name
            )
    return _from_first_past_line(parts, lanes)


def _from_first_past_line(parts: list[BoardPart], lanes: list[Lane]) -> list[BoardPart]:
    """Turn the sections so that the first begins past the line in every lane.

    The last is the one that the line cuts.
    """
    begins = set()
    for k, lane in enumerate(lanes):
        n = next(n for n, part in enumerate(parts) if lane[0] in part.lanes[k])
        begins.add((n + (lane[0] != parts[n].lanes[k][0])) % len(parts))
    # The line may cut one lane before and another behind a border: the later section counts.
    start = next(n for n in begins if all((n - m) % len(parts) <= len(parts) // 2 for m in begins))
    return parts[start:] + parts[:start]
