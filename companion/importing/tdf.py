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
        """The next numbers by their struct letters."""
        size = struct.calcsize(">" + form)
        if self.at + size > len(self.data):
            raise BadTrack(f"{self.name}: the file is cut off in {self.what} (byte {len(self.data)}).")
        values = struct.unpack_from(">" + form, self.data, self.at)
        self.at += size
        return values

    def whole(self) -> int:
        """The next 32-bit whole number."""
        return int(self.take("i")[0])

    def number(self) -> float:
        """The next double, which must be a real number."""
        value = self.take("d")[0]
        if not math.isfinite(value):
            raise BadTrack(f"{self.name}: {self.what} has a position that is no number.")
        return value

    def string(self) -> bytes:
        """The next string, its length in front."""
        length = self.whole()
        if length < 0:
            raise BadTrack(f"{self.name}: {self.what} has a text of {length} letters.")
        self.take(f"{length}x")
        return self.data[self.at - length : self.at]

    def row(self, most: int) -> list[int]:
        """A counted row of whole numbers."""
        count = self.whole()
        if not 0 <= count <= most:
            raise BadTrack(f"{self.name}: {self.what} names {count} other spaces; 0 to {most} make sense.")
        return [int(v) for v in self.take(f"{count}i")]


def read_tdf(data: bytes, name: str) -> Drawing:
    """The board in a `.tdf` file; `name` is for complaints.

    Raises BadTrack with the space where the file stops making sense.
    """
    reader = Reader(data, name)
    if reader.string() != MAGIC[4:]:
        raise BadTrack(f"{name}: a .tdf board begins with TE01.")
    reader.take("f")
    low, high = reader.whole(), reader.whole()
    reader.take("d")
    reader.whole()
    count = reader.whole()
    reader.string()
    if not 1 <= count <= MOST_SPACES:
        raise BadTrack(f"{name}: the header counts {count} spaces; 1 to {MOST_SPACES} make sense.")

    drawing = Drawing({}, {})
    for i in range(count):
        reader.what = f"space {i} of {count}"
        _space(reader, drawing, i, count)
    if reader.at == len(data):
        raise BadTrack(f"{name}: the file is cut off after its last space, where a hash belongs.")

    if 1 <= low <= high <= 20:
        drawing.weather = (low, high)
    else:
        drawing.notes.append(f"The weather bounds {low} and {high} are not in order within 1 to 20: a default stands.")
    _drop_loose(drawing)
    return drawing


def _space(reader: Reader, drawing: Drawing, i: int, count: int) -> None:
    if (lead := reader.whole()) != 1:
        raise BadTrack(f"{reader.name}: {reader.what} begins with {lead} where 1 belongs.")
    reader.take("d8fd")
    targets = reader.row(count)
    along, behind, kind = reader.whole(), reader.whole(), reader.whole()
    x, y = reader.number(), reader.number()
    corner, stops, slot, lane = (reader.whole() for _ in range(4))
    neighbours = reader.row(count)
    reader.take("5i")
    if not 0 <= kind <= BOXES[-1]:
        raise BadTrack(f"{reader.name}: {reader.what} is of kind {kind}; kinds are 0 to {BOXES[-1]}.")
    if kind == CORNER and not 1 <= stops <= 3:
        raise BadTrack(f"{reader.name}: {reader.what} lies in a corner of {stops} stops; 1, 2 or 3 are possible.")
    for j in targets:
        if not 0 <= j < count:
            raise BadTrack(f"{reader.name}: {reader.what} leads to space {j}; spaces are 0 to {count - 1}.")
    if strangers := sorted(j for j in neighbours if not 0 <= j < count):
        drawing.note(
            f"Node {i} names as its neighbours nodes that there are not: {listed(strangers)}; they are left out."
        )
    if i in targets:
        drawing.note(f"The move from node {i} to itself is left out.")
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
    """Spaces that nothing leads to or from are blocked if they stand in a lane, else drawing aids and no
    part of the board; boxes may stand so."""
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
        drawing.notes.append(f"Left out, since no move leads to or from them: spaces {listed(loose)}.")
