"""Trace the lanes of a drawing: from each space straight ahead, until every lane closes."""

from __future__ import annotations

import math
from collections import Counter
from itertools import pairwise
from statistics import median

from companion.importing.drawing import Drawing, Lane, Node, listed, unit
from companion.importing.matching import Costs, cheapest_pairs
from companion.rules.conversation.errors import BadTrack

ALONE = 0.5
"""Cost of a space without one ahead of it: dearer than a bend in its lane, cheaper than two lanes that
cross."""
SIDEWAYS = 0.5
"""Extra cost of the outer two of three moves that spread out and meet again: the middle one goes straight ahead."""


def find_lanes(drawing: Drawing, name: str) -> list[Lane]:
    """Return the lanes from the driver's left, each from its first space past the line.

    They are in driving order.

    Blocked spaces are added to the drawing (with negative numbers) where a lane has a hole or a link. Raises BadTrack
    where the moves make no closed lanes, or fewer than two or more than four.
    """
    headings = _headings(drawing)
    links = _find_links(drawing)
    costs = _costs(drawing, headings, links)
    ahead = _explicit_followers(drawing, costs) or cheapest_pairs(costs, ALONE)
    for a, link, b in links:
        ahead |= {a: link, link: b}
    _bridge_holes(drawing, ahead, headings, name)
    lanes = _cycles(ahead)
    if links:
        _fill_links(drawing, ahead, lanes, links)
        lanes = _cycles(ahead)
    longest = max(map(len, lanes))
    for lane in lanes:
        if 2 * len(lane) < longest:
            raise BadTrack("board.ring", nodes=listed(lane), where=name)
    if not 2 <= len(lanes) <= 4:
        raise BadTrack("board.lanes", where=name, n=len(lanes), nodes=listed(lanes[0], 4))
    lanes = _from_left(drawing, lanes, ahead)
    return _from_line(drawing, lanes, name)


def _explicit_followers(drawing: Drawing, costs: Costs) -> dict[int, int] | None:
    """Return who follows whom, where the file says it without contradicting itself.

    Where it says nothing of a few, their moves do.
    """
    pairs = [
        (node.behind, i)
        for i, node in drawing.nodes.items()
        if node.behind is not None
        and not node.pit
        and node.behind in drawing.nodes
        and not drawing.nodes[node.behind].pit
        and node.behind != i
    ]
    if not pairs:
        return None
    twice = [a for a, times in Counter(a for a, _ in pairs).items() if times > 1]
    if twice:
        drawing.note("import.behind_two", nodes=listed(sorted(twice)))
        return None
    told = dict(pairs)
    followed = set(told.values())
    rest = {i: {j: cost for j, cost in row.items() if j not in followed} for i, row in costs.items() if i not in told}
    return told | cheapest_pairs(rest, ALONE)


def _headings(drawing: Drawing) -> dict[int, tuple[float, float]]:
    """Return the direction of driving at each space: the mean of the moves into and out of it."""
    sums = {i: [0.0, 0.0] for i in drawing.track()}
    for i in sums:
        for j in drawing.moves.get(i, ()):
            if j in sums:
                x, y = unit(*drawing.vector(i, j))
                for k in (i, j):
                    sums[k][0] += x
                    sums[k][1] += y
    return {i: unit(x, y) for i, (x, y) in sums.items()}


def _costs(drawing: Drawing, headings: dict[int, tuple[float, float]], links: list[Link]) -> Costs:
    """Return how little each move looks like the one straight ahead.

    It is one minus the cosine of its angle to the road, and more where of three moves from or to a space one is plainly
    the middle one. Links are left out: they are known.
    """
    nodes = set(drawing.track())
    ends = {i for a, link, _ in links for i in (a, link)}
    begins = {i for _, link, b in links for i in (link, b)}
    moves = {i: [j for j in drawing.moves[i] if j in nodes and j not in begins] for i in nodes - ends}
    moves |= {i: [] for i in ends}
    back: dict[int, list[int]] = {i: [] for i in nodes}
    for i, targets in moves.items():
        for j in targets:
            back[j].append(i)
    costs: Costs = {}
    for i, targets in moves.items():
        costs[i] = {}
        for j in targets:
            step = unit(*drawing.vector(i, j))
            road = unit(headings[i][0] + headings[j][0], headings[i][1] + headings[j][1])
            costs[i][j] = 1.0 - step[0] * road[0] - step[1] * road[1]
    for i in nodes:
        ahead = [j for j in moves[i] if all(j in moves[k] for k in moves[i] if k != j)]
        if len(moves[i]) == 3 and len(ahead) == 1:
            for j in set(moves[i]) - set(ahead):
                costs[i][j] += SIDEWAYS
        behind = [j for j in back[i] if all(k in moves[j] for k in back[i] if k != j)]
        if len(back[i]) == 3 and len(behind) == 1:
            for j in set(back[i]) - set(behind):
                costs[j][i] += SIDEWAYS
    return costs


def _cycles(ahead: dict[int, int]) -> list[Lane]:
    lanes, seen = [], set[int]()
    for start in ahead:
        if start in seen:
            continue
        lane, at = [], start
        while at not in seen:
            seen.add(at)
            lane.append(at)
            at = ahead[at]
        lanes.append(lane)
    return lanes


# -- side by side: which lane lies left of which, and where in each the lap begins


def _from_left(drawing: Drawing, lanes: list[Lane], ahead: dict[int, int]) -> list[Lane]:
    """Sort lanes by the side to which their moves into other lanes go.

    Where there are none, the nearest space decides.
    """
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


def _from_line(drawing: Drawing, lanes: list[Lane], name: str) -> list[Lane]:
    """Turn each lane so that it begins with the first space past the finish line."""
    marked = [_line_of(drawing, lane) for lane in lanes]
    if not any(marked):
        marked = _line_by_grid(drawing, lanes, name)
    sure = [lane[found[0]] for lane, found in zip(lanes, marked, strict=True) if len(found) == 1]
    turned = []
    for lane, found in zip(lanes, marked, strict=True):
        at = min(found or range(len(lane)), key=lambda k: sum(drawing.gap(lane[k], i) for i in sure))
        if not found:
            drawing.note("import.lane_without_finish", nodes=listed(lane, 3), node=lane[at])
        if len(found) > 1:
            drawing.note("import.finish_twice", nodes=listed([lane[k] for k in found]), node=lane[at])
        turned.append(lane[at:] + lane[:at])
    return turned


def _line_of(drawing: Drawing, lane: Lane) -> list[int]:
    """Return the possible places of the finish line in a lane.

    They are at marked spaces, the first of several in a row, else where the places along the lap start over.
    """
    marked = [k for k, i in enumerate(lane) if drawing.nodes[i].line]
    if marked:
        return [k for k in marked if not drawing.nodes[lane[k - 1]].line] or marked[:1]
    if drawing.nodes[lane[0]].lane is None:
        return []  # places along a corner, not along the lap
    known = [(k, along) for k, i in enumerate(lane) if (along := drawing.nodes[i].along) is not None]
    return [b[0] for a, b in pairwise([*known, known[0]] if known else []) if b[1] < a[1]]


def _line_by_grid(drawing: Drawing, lanes: list[Lane], name: str) -> list[list[int]]:
    """Find the line just ahead of pole."""
    slots = sorted((node.slot, i) for i, node in drawing.nodes.items() if node.slot is not None and not node.pit)
    if not slots or slots[0][0] < 0:
        raise BadTrack("board.no_finish", where=name)
    pole = slots[0][1]
    found = [[(lane.index(pole) + 1) % len(lane)] if pole in lane else [] for lane in lanes]
    drawing.note("import.no_finish", node=pole)
    return found


# -- links, that leave out a whole stretch of the lap, and holes, that are bridged

FURTHEST = 12.0
"""Longest hole in a lane that is bridged, in usual spaces."""
HOLE = 1.6
"""Length of a hole, in usual spaces, from which it has room for spaces that nobody may enter."""

Link = tuple[int, int, int]
"""A blocked space that stands for the whole stretch of the lap that its lane leaves out, between the last space before
and the first space after."""


def _find_links(drawing: Drawing) -> list[Link]:
    """Return the blocked spaces, with one move in and one out, that a lane jumps over.

    The jump is further than any hole.
    """
    nodes = set(drawing.track())
    moves = [(i, j) for i in nodes for j in drawing.moves[i] if j in nodes]
    if not moves:
        return []
    furthest = FURTHEST * median(drawing.gap(a, b) for a, b in moves)
    links = []
    for i in sorted(i for i in nodes if drawing.nodes[i].blocked):
        before = [a for a, b in moves if b == i]
        after = [b for a, b in moves if a == i]
        if len(before) == len(after) == 1 and drawing.gap(before[0], i) + drawing.gap(i, after[0]) > furthest:
            links.append((before[0], i, after[0]))
    ends = Counter(i for link in links for i in link)
    return [link for link in links if all(ends[i] == 1 for i in link)]


def _fill_links(drawing: Drawing, ahead: dict[int, int], lanes: list[Lane], links: list[Link]) -> None:
    """Give each link as many blocked spaces as the lane beside it has there.

    They are of the same corners, between a space that a move joins to the one before the link and one joined to that
    after it.
    """
    home = {i: k for k, lane in enumerate(lanes) for i in lane}
    for a, link, b in links:
        joined = [_joined(drawing, i, home) for i in (a, b)]
        stretches = []
        for k, lane in enumerate(lanes):
            if k != home[a]:
                starts, ends = ([m for m, i in enumerate(lane) if i in spaces] for spaces in joined)
                stretches += [((end - start) % len(lane), k, start) for start in starts for end in ends if end != start]
        if not stretches:
            continue
        length, k, start = min(stretches)
        missing = [lanes[k][(start + m) % len(lanes[k])] for m in range(1, length)] or [link]
        before = a
        for n, model in enumerate(drawing.nodes[i] for i in missing):
            i = min(0, *drawing.nodes) - 1 if n else link
            drawing.nodes[i] = Node(i, model.x, model.y, stops=model.stops, corner=model.corner, blocked=True)
            drawing.moves[i] = []
            ahead[before] = before = i
        ahead[before] = b
        drawing.note("import.lane_gap", a=a, b=b, n=len(missing))


def _joined(drawing: Drawing, i: int, home: dict[int, int]) -> set[int]:
    """Return the spaces that a move leads to from i or from which one leads to i."""
    return {j for j in home if j in drawing.moves[i] or i in drawing.moves[j]}


def _bridge_holes(drawing: Drawing, ahead: dict[int, int], headings: dict[int, tuple[float, float]], name: str) -> None:
    """Join lane ends to lane beginnings, the shortest holes first, until every lane closes."""
    steps = [drawing.gap(a, b) for a, b in ahead.items()]
    if not steps or (usual := median(steps)) == 0:
        raise BadTrack("board.no_places", where=name)
    nodes = drawing.track()
    taken = set(ahead.values())
    ends = [i for i in nodes if i not in ahead]
    begins = [i for i in nodes if i not in taken]
    holes = []
    for a in ends:
        for b in begins:
            gap = drawing.gap(a, b)
            if a == b or gap > FURTHEST * usual:
                continue
            step = unit(*drawing.vector(a, b))
            roads = [headings[i] for i in (a, b) if headings[i] != (0.0, 0.0)]
            along = min((road[0] * step[0] + road[1] * step[1] for road in roads), default=1.0)
            if along > 0.4:
                holes.append((gap * (2.0 - along), a, b))
    first = {i: i for i in nodes}
    for a, b in ahead.items():
        first[b] = a
    size = len(nodes)
    for _, a, b in sorted(holes):
        if a in ahead or b in taken:
            continue
        length, at = 1, a
        while at != b and first[at] != at and length <= size:
            at, length = first[at], length + 1
        if at == b and 8 * length < size:
            continue
        first[b] = a
        taken.add(b)
        _join(drawing, ahead, a, b, usual)
    open_ends = [i for i in nodes if i not in ahead]
    if open_ends:
        words = ", ".join(f"node {drawing.where(i)}" for i in open_ends[:3])
        raise BadTrack("board.dead_ends", where=name, n=len(open_ends), nodes=words)


def _join(drawing: Drawing, ahead: dict[int, int], a: int, b: int, usual: float) -> None:
    room = round(drawing.gap(a, b) / usual) - 1 if drawing.gap(a, b) > HOLE * usual else 0
    before = a
    for k in range(room):
        i = min(0, *drawing.nodes) - 1
        share = (k + 1) / (room + 1)
        x, y = drawing.vector(a, b)
        start = drawing.nodes[a]
        drawing.nodes[i] = Node(i, start.x + share * x, start.y + share * y, blocked=True)
        drawing.moves[i] = []
        ahead[before] = i
        before = i
    ahead[before] = b
    if room and not drawing.nodes[a].blocked and not drawing.nodes[b].blocked:
        drawing.note("import.lane_hole", a=a, b=b, n=room)
