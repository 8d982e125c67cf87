"""Boards in the `.tdf` binary format: a header and one record a space, all numbers big-endian."""

from __future__ import annotations

import math
import struct

from companion.importing.drawing import Drawing, Node, listed
from companion.rules.conversation.errors import BadTrack

MAGIC = b"\x00\x00\x00\x04TE01"
CORNER, PIT, BOXES = 1, 2, range(3, 8)
MOST_SPACES = 5000


class Reader:
    """Takes numbers off the front of the file; what is missing is a BadTrack that says where."""

    def __init__(self, data: bytes, name: str) -> None:
        self.data, self.name, self.at, self.what = data, name, 0, "the header"

    def take(self, form: str) -> tuple[float, ...]:
        """Return the next numbers by their struct letters."""
        size = struct.calcsize(">" + form)
        if self.at + size > len(self.data):
            raise BadTrack("board.tdf_cut", what=self.what, byte=len(self.data), where=self.name)
        values = struct.unpack_from(">" + form, self.data, self.at)
        self.at += size
        return values

    def whole(self) -> int:
        """Return the next 32-bit whole number."""
        return int(self.take("i")[0])

    def number(self) -> float:
        """Return the next double, which must be a real number."""
        value = self.take("d")[0]
        if not math.isfinite(value):
            raise BadTrack("board.tdf_position", what=self.what, where=self.name)
        return value

    def string(self) -> bytes:
        """Return the next string, its length in front."""
        length = self.whole()
        if length < 0:
            raise BadTrack("board.tdf_text", what=self.what, n=length, where=self.name)
        self.take(f"{length}x")
        return self.data[self.at - length : self.at]

    def row(self, most: int) -> list[int]:
        """Return a counted row of whole numbers."""
        count = self.whole()
        if not 0 <= count <= most:
            raise BadTrack("board.tdf_neighbours", what=self.what, n=count, most=most, where=self.name)
        return [int(v) for v in self.take(f"{count}i")]


def read_tdf(data: bytes, name: str) -> Drawing:
    """Read the board in a `.tdf` file; `name` is for complaints.

    Raises BadTrack with the space where the file stops making sense.
    """
    reader = Reader(data, name)
    if reader.string() != MAGIC[4:]:
        raise BadTrack("board.tdf_head", where=name)
    reader.take("f")
    low, high = reader.whole(), reader.whole()
    reader.take("d")
    reader.whole()
    count = reader.whole()
    reader.string()
    if not 1 <= count <= MOST_SPACES:
        raise BadTrack("board.tdf_spaces", n=count, most=MOST_SPACES, where=name)

    drawing = Drawing({}, {})
    for i in range(count):
        reader.what = f"space {i} of {count}"
        _space(reader, drawing, i, count)
    if reader.at == len(data):
        raise BadTrack("board.tdf_no_hash", where=name)

    if 1 <= low <= high <= 20:
        drawing.weather = (low, high)
    else:
        drawing.note("import.weather_bounds", low=low, high=high)
    _drop_loose(drawing)
    return drawing


def _space(reader: Reader, drawing: Drawing, i: int, count: int) -> None:
    if (lead := reader.whole()) != 1:
        raise BadTrack("board.tdf_lead", what=reader.what, lead=lead, where=reader.name)
    reader.take("d8fd")
    targets = reader.row(count)
    along, behind, kind = reader.whole(), reader.whole(), reader.whole()
    x, y = reader.number(), reader.number()
    corner, stops, slot, lane = (reader.whole() for _ in range(4))
    neighbours = reader.row(count)
    reader.take("5i")
    if not 0 <= kind <= BOXES[-1]:
        raise BadTrack("board.tdf_kind", what=reader.what, kind=kind, most=BOXES[-1], where=reader.name)
    if kind == CORNER and not 1 <= stops <= 3:
        raise BadTrack("board.tdf_stops", what=reader.what, stops=stops, where=reader.name)
    for j in targets:
        if not 0 <= j < count:
            raise BadTrack("board.tdf_space", what=reader.what, to=j, last=count - 1, where=reader.name)
    if strangers := sorted(j for j in neighbours if not 0 <= j < count):
        drawing.note("import.strange_neighbours", node=i, nodes=listed(strangers))
    if i in targets:
        drawing.note("import.move_to_itself", a=i)
    in_corner = kind == CORNER
    drawing.nodes[i] = Node(
        i,
        x,
        y,
        stops=stops if in_corner else 0,
        corner=corner if in_corner else None,
        pit=kind >= PIT,
        box=kind in BOXES,
        along=float(along),
        behind=behind if 0 <= behind < count else None,
        lane=lane,
        slot=slot if slot >= 0 else None,
    )
    drawing.moves[i] = [j for j in dict.fromkeys(targets) if j != i]
    drawing.neighbours[i] = set(neighbours) - {i, *strangers}


def _drop_loose(drawing: Drawing) -> None:
    """Drop spaces that nothing leads to or from.

    Those in a lane are blocked, others are drawing aids and no part of the board; boxes may stand so.
    """
    reached = {j for targets in drawing.moves.values() for j in targets}
    loose = [i for i, node in drawing.nodes.items() if not drawing.moves[i] and i not in reached and not node.box]
    in_lanes = {node.behind for node in drawing.nodes.values()}
    closed = [i for i in loose if not drawing.nodes[i].pit and i in in_lanes]
    for i in closed:
        drawing.nodes[i].blocked = True
        loose.remove(i)
    for i in loose:
        del drawing.nodes[i], drawing.moves[i]
    if loose:
        drawing.note("import.loose_spaces", nodes=listed(loose))
