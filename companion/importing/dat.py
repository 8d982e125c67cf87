"""Boards in the `.dat` text format.

It has nodes, moves, corner places and grid, sections parted by one empty line.
"""

from __future__ import annotations

import math
import re

from companion.importing.drawing import Drawing, Node, listed
from companion.rules.conversation.errors import BadTrack

STRAIGHT, BLOCKED, FINISH, PIT = 1, 4, 5, 7
STOPS = {2: 2, 3: 1, 6: 3}
"""Stops of a corner space by its type number."""

PARTS = ("nodes", "moves", "places", "grid slots")


def read_dat(data: bytes, name: str) -> Drawing:
    """Read the board in a `.dat` file; `name` is for complaints.

    Raises BadTrack with the line where the file stops making sense.
    """
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("latin-1")
    lines = [line.strip() for line in text.replace("\r\n", "\n").replace("\r", "\n").split("\n")]
    if not lines[0] or re.fullmatch(r"[\d\s.+-]+", lines[0]):
        raise BadTrack("board.dat_head", where=f"{name}, line 1")
    rows: list[list[tuple[int, list[str]]]] = [[]]
    for number, line in enumerate(lines[1:], 2):
        if line:
            rows[-1].append((number, line.split()))
        elif number < len(lines):
            rows.append([])
    while rows and not rows[-1]:
        rows.pop()
    if len(rows) > len(PARTS):
        at = rows[len(PARTS)][0][0] if rows[len(PARTS)] else len(lines)
        raise BadTrack("board.dat_tail", where=f"{name}, line {at}")
    if len(rows) < 2 or not rows[0] or not rows[1]:
        raise BadTrack("board.dat_cut", where=name)
    rows += [[] for _ in range(len(PARTS) - len(rows))]

    drawing = Drawing({}, {})
    for number, words in rows[0]:
        node = _node(name, number, words)
        if node.id in drawing.nodes:
            raise BadTrack("board.node_twice", node=node.id, where=f"{name}, line {number}")
        drawing.nodes[node.id] = node
        drawing.moves[node.id] = []

    for number, words in rows[1]:
        a, b = (_node_index(drawing, name, number, words, i) for i in (0, 1))
        if len(words) != 2:
            raise BadTrack("board.move_line", words=f"{' '.join(words)!r}", where=f"{name}, line {number}")
        if a == b:
            drawing.note("import.move_to_itself", a=a)
            continue
        if b in drawing.moves and a in drawing.moves[b]:
            drawing.moves[b].remove(a)
            drawing.note("import.moves_both_ways", a=b, b=a, c=a, d=b, e=a, f=b)
        if b not in drawing.moves[a]:
            drawing.moves[a].append(b)

    for number, words in rows[2]:
        node = drawing.nodes[_node_index(drawing, name, number, words, 0)]
        value = _number(name, number, words, 1)
        if node.pit:
            node.box = True
        else:
            node.along = value

    for number, words in rows[3]:
        node = drawing.nodes[_node_index(drawing, name, number, words, 0)]
        _number(name, number, words, 1)
        node.slot = -1

    _drop_loose(drawing)
    return drawing


def _node(name: str, number: int, words: list[str]) -> Node:
    if len(words) not in (4, 5) or (len(words) == 5 and words[4].upper() != "F"):
        raise BadTrack("board.node_line", words=f"{' '.join(words)!r}", where=f"{name}, line {number}")
    i = _whole(name, number, words, 0)
    kind = _whole(name, number, words, 3)
    if kind not in (STRAIGHT, BLOCKED, FINISH, PIT, *STOPS):
        raise BadTrack("board.node_type", node=i, type=kind, where=f"{name}, line {number}")
    return Node(
        i,
        _number(name, number, words, 1),
        _number(name, number, words, 2),
        stops=STOPS.get(kind, 0),
        pit=kind == PIT,
        blocked=kind == BLOCKED,
        line=kind == FINISH or len(words) == 5,
    )


def _whole(name: str, number: int, words: list[str], i: int) -> int:
    if i >= len(words) or not re.fullmatch(r"-?\d{1,9}", words[i]):
        raise BadTrack("board.whole_wanted", place=i + 1, words=f"{' '.join(words)!r}", where=f"{name}, line {number}")
    return int(words[i])


def _number(name: str, number: int, words: list[str], i: int) -> float:
    try:
        value = float(words[i])
    except (IndexError, ValueError):
        value = math.nan
    if not math.isfinite(value):
        raise BadTrack("board.number_wanted", place=i + 1, words=f"{' '.join(words)!r}", where=f"{name}, line {number}")
    return value


def _node_index(drawing: Drawing, name: str, number: int, words: list[str], i: int) -> int:
    node = _whole(name, number, words, i)
    if node not in drawing.nodes:
        raise BadTrack("board.no_node", node=node, where=f"{name}, line {number}")
    return node


def _drop_loose(drawing: Drawing) -> None:
    """Drop spaces that nothing leads to or from: drawing aids, not part of the board."""
    reached = {j for targets in drawing.moves.values() for j in targets}
    loose = [
        i
        for i, node in drawing.nodes.items()
        if not drawing.moves[i] and i not in reached and not node.blocked and not node.line
    ]
    for i in loose:
        del drawing.nodes[i], drawing.moves[i]
    if loose:
        drawing.note("import.loose_nodes", nodes=listed(loose))
