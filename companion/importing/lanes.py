"""Which drawn spaces make a lane: the move straight ahead of each, until every lane closes."""

from __future__ import annotations

from collections import Counter

from companion.importing.drawing import Drawing, Lane, listed, unit
from companion.importing.lane_holes import Link, bridge_holes, fill_links, find_links
from companion.importing.lane_sides import from_left, from_line
from companion.importing.matching import Costs, cheapest_pairs
from companion.rules.conversation.errors import BadTrack

ALONE = 0.5
"""Cost of a space without one ahead of it: dearer than a bend in its lane, cheaper than two lanes that
cross."""
SIDEWAYS = 0.5
"""Extra cost of the outer two of three moves that spread out and meet again: the middle one goes straight ahead."""


def find_lanes(drawing: Drawing, name: str) -> list[Lane]:
    """The lanes from the driver's left, each in driving order from its first space past the finish line.

    Blocked spaces are added to the drawing (with negative numbers) where a lane has a hole or a link. Raises BadTrack
    where the moves make no closed lanes, or fewer than two or more than four.
    """
    headings = _headings(drawing)
    links = find_links(drawing)
    costs = _costs(drawing, headings, links)
    ahead = _told(drawing, costs) or cheapest_pairs(costs, ALONE)
    for a, link, b in links:
        ahead |= {a: link, link: b}
    bridge_holes(drawing, ahead, headings, name)
    lanes = _cycles(ahead)
    if links:
        fill_links(drawing, ahead, lanes, links)
        lanes = _cycles(ahead)
    longest = max(map(len, lanes))
    for lane in lanes:
        if 2 * len(lane) < longest:
            raise BadTrack(
                f"{name}: nodes {listed(lane)} make a ring of their own; every lane runs all round the board."
            )
    if not 2 <= len(lanes) <= 4:
        raise BadTrack(
            f"{name}: the moves make {len(lanes)} closed lane{'s' * (len(lanes) != 1)}; a board has 2 to 4 (one of "
            f"these begins with nodes {listed(lanes[0], 4)})."
        )
    lanes = from_left(drawing, lanes, ahead)
    return from_line(drawing, lanes, name)


def _told(drawing: Drawing, costs: Costs) -> dict[int, int] | None:
    """Who follows whom, where the file says it without contradicting itself; where it says nothing of a few, their
    moves do."""
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
        drawing.notes.append(
            f"Spaces {listed(sorted(twice))} are each named as the one behind two others; the lanes are traced by "
            "the moves instead."
        )
        return None
    told = dict(pairs)
    followed = set(told.values())
    rest = {i: {j: cost for j, cost in row.items() if j not in followed} for i, row in costs.items() if i not in told}
    return told | cheapest_pairs(rest, ALONE)


def _headings(drawing: Drawing) -> dict[int, tuple[float, float]]:
    """The direction of driving at each space: the mean of the moves into it and out of it."""
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
    """How little each move looks like the one straight ahead: one minus the cosine of its angle to the road, and more
    where of three moves from or to a space one is plainly the middle one. Links are left out: they are known."""
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
