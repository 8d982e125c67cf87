"""Where a lane has no drawn space: links, that leave out a whole stretch of the lap, and holes, that are bridged."""

from __future__ import annotations

from collections import Counter
from statistics import median

from companion.importing.drawing import Drawing, Lane, Node, unit
from companion.rules.conversation.errors import BadTrack

FURTHEST = 12.0
"""Longest hole in a lane that is bridged, in usual spaces."""
HOLE = 1.6
"""From here on a hole has room for spaces that nobody may enter."""

Link = tuple[int, int, int]
"""A blocked space that stands for the whole stretch of the lap that its lane leaves out, between the last space before
and the first space after."""


def find_links(drawing: Drawing) -> list[Link]:
    """The blocked spaces, with one move in and one out, that a lane jumps over further than any hole."""
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


def fill_links(drawing: Drawing, ahead: dict[int, int], lanes: list[Lane], links: list[Link]) -> None:
    """Gives each link as many blocked spaces, of the same corners, as the lane beside it has there: between a space
    that a move joins to the one before the link and one joined to that after it."""
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
        drawing.notes.append(
            f"The lane with nodes {a} and {b} leaves out a part of the lap between them: it is filled with "
            f"{len(missing)} blocked space{'s' * (len(missing) > 1)}, which nobody may enter."
        )


def _joined(drawing: Drawing, i: int, home: dict[int, int]) -> set[int]:
    """The spaces that a move leads to from i or from which one leads to i."""
    return {j for j in home if j in drawing.moves[i] or i in drawing.moves[j]}


def bridge_holes(drawing: Drawing, ahead: dict[int, int], headings: dict[int, tuple[float, float]], name: str) -> None:
    """Joins lane ends to lane beginnings, the shortest holes first, so that every lane closes."""
    steps = [drawing.gap(a, b) for a, b in ahead.items()]
    if not steps or (usual := median(steps)) == 0:
        raise BadTrack(f"{name}: the spaces have no places in the picture; lanes cannot be told apart without them.")
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
        raise BadTrack(
            f"{name}: {len(open_ends)} lane{'s end' if len(open_ends) > 1 else ' ends'} and nothing follows, at "
            f"{words}; every lane of a board closes (is the file whole?)."
        )


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
        drawing.notes.append(
            f"The lane has a hole between nodes {a} and {b}: it is filled with {room} blocked "
            f"space{'s' * (room > 1)}, which nobody may enter."
        )
