"""Every difference between a drawing and the track that our text of it makes."""

from __future__ import annotations

from collections import Counter

from companion.importing.drawing import Drawing
from companion.importing.file_text import FileText
from companion.rules.circuit.track import Track


def compare(drawing: Drawing, board: FileText, track: Track) -> None:
    """Notes every difference between the drawing and the track that our text makes."""
    names = board.spot_names
    theirs = Counter(
        (names[i], names[j])
        for i, targets in drawing.track_moves().items()
        if not drawing.nodes[i].blocked
        for j in targets
    )
    ours = Counter(
        (track.spaces[a].name, track.spaces[b].name)
        for a in range(len(track.spaces))
        if track.spaces[a].section >= 0
        for b in track.moves[a]
    )
    node_of = {name: i for i, name in names.items()}
    kept = set(board.marks.kept.items())
    for a, b in sorted(theirs - ours, key=lambda move: track.ids[move[0]]):
        i, j = node_of[a], node_of[b]
        if ((i, board.marks.spots[j][1]), j) in kept or track.ahead[track.ids[a]] == track.ids[b]:
            drawing.notes.append(f"The move from node {i} to {j} ({a} to {b}) did not come over: check the board.")
    for a, b in sorted(ours - theirs, key=lambda move: track.ids[move[0]]):
        drawing.notes.append(
            f"The move from node {node_of[a]} straight ahead to {node_of[b]} ({a} to {b}) is not in the file, but "
            "our format always has it: check the board."
        )
    _compare_order(drawing, board, track)


def _compare_order(drawing: Drawing, board: FileText, track: Track) -> None:
    """Notes corners where the file runs cars in another order than our geometry."""
    for s, part in enumerate(board.parts):
        if not part.stops:
            continue
        turned = []
        for k in range(len(part.lanes) - 1):
            for a in part.lanes[k]:
                for b in part.lanes[k + 1]:
                    one, two = drawing.nodes[a].along, drawing.nodes[b].along
                    if one is None or two is None or drawing.nodes[a].blocked or drawing.nodes[b].blocked:
                        continue
                    ahead = track.place[track.ids[board.spot_names[a]]] - track.place[track.ids[board.spot_names[b]]]
                    if abs(2 * ahead) < track.length and (one - two) * ahead < 0:
                        turned.append((a, b))
        if turned:
            a, b = turned[0]
            drawing.notes.append(
                f"In section {s} the file has {len(turned)} pair{'s' * (len(turned) > 1)} of spaces the other way "
                f"round in the running order, nodes {a} and {b} for one: our geometry stands; `order` can say "
                "otherwise."
            )
