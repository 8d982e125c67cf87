"""Our circuit text from a drawing, and the proof that the text says the same as the drawing."""

from __future__ import annotations

import re
from collections import Counter

from companion.importing.drawing import Drawing, listed
from companion.importing.file_text import FileText
from companion.importing.lanes import find_lanes
from companion.importing.marks import Marks
from companion.importing.pits import find_pit_lane
from companion.importing.sections import cut
from companion.rules.circuit import check as track_check
from companion.rules.circuit.track import Track
from companion.rules.circuit.zones import sections, zones_of
from companion.rules.conversation.errors import BadTrack


def circuit_text(drawing: Drawing, name: str) -> tuple[str, bool]:
    """Return the drawing as the text of a circuit file, and True if that can be played.

    What could not be converted is added to the drawing's notes. `name` is the file's name. Raises BadTrack if no board
    can be made of the drawing.
    """
    lanes = find_lanes(drawing, name)
    parts = cut(drawing, lanes, name)
    marks = Marks(drawing, parts)
    drawing.notes += marks.unsaid()
    pit = find_pit_lane(drawing, {i for lane in lanes for i in lane[: len(lane) // 2]})
    board = FileText(drawing, name, lanes, marks, pit)
    track, complaints = board.read()
    if loose := _unfit(complaints):
        board.loose = loose
        track, complaints = board.read()
    if track is None and pit is not None and pit.line:
        pit.line, line = 0, pit.line
        without, fewer = board.read()
        if without is None:
            pit.line = line
        else:
            track, complaints = without, fewer
    for s in sorted(board.loose):
        nodes = sorted(i for lane in parts[s].lanes for i in lane if i >= 0)
        drawing.note("import.marks_loose", section=s, nodes=listed(nodes))
    if track is None:
        drawing.note_all("import.by_hand", complaints)
        return board.text(), False
    if drawing.neighbours:
        board.add_neighbours(track)
    if board.loose and not board.beside and not board.apart:
        board.add_sideways(track)
    board.zones = [(zone.name, sections(track, zone)) for zone in zones_of(track)]
    track = board.read()[0] or track
    _compare(drawing, board, track)
    barred, doubtful = track_check.judge(track, name)
    drawing.note_all("import.by_hand", barred)
    # of a grid slot in a corner a note of our own says what it means for the race
    drawing.note_all("import.compare", (one for one in doubtful if one.kind != "circuit.slot_in_corner"))
    return board.text(), not barred


def _unfit(complaints: list[BadTrack]) -> set[int]:
    """Return the sections whose sideways marks fit no lengths of spaces, and that may be loose."""
    wheres = [
        str(one.facts["where"]) for one in complaints if one.kind in ("circuit.marks_unfit", "circuit.marks_fit_with")
    ]
    return {int(found[1]) for where in wheres if (found := re.search(r", section (\d+)", where))}


def refuse_if_empty(drawing: Drawing, name: str) -> None:
    """Raise BadTrack if a drawing has no move to drive."""
    if not any(drawing.track_moves().values()):
        raise BadTrack("board.no_move", where=name)


# -- the proof: every difference between the drawing and the track that the text makes


def _compare(drawing: Drawing, board: FileText, track: Track) -> None:
    """Note every difference between the drawing and the track that our text makes."""
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
            drawing.note("import.move_lost", a=i, b=j, from_=a, to=b)
    for a, b in sorted(ours - theirs, key=lambda move: track.ids[move[0]]):
        drawing.note("import.no_straight_move", a=node_of[a], b=node_of[b], from_=a, to=b)
    _compare_order(drawing, board, track)


def _compare_order(drawing: Drawing, board: FileText, track: Track) -> None:
    """Note corners where the file runs cars in another order than our geometry."""
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
            drawing.note("import.order_differs", section=s, n=len(turned), a=a, b=b)
