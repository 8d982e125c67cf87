"""A board as hobby programs draw it: numbered spaces at a place in a picture, and the moves between them."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field

from companion.rules.conversation.errors import BadTrack, error_text

Lane = list[int]
"""Spaces of a lane in driving order."""


@dataclass
class Node:
    """One drawn space. What a format does not tell stays None."""

    id: int
    x: float
    y: float
    stops: int = 0
    """Stops of its corner, 0 on a straight."""
    corner: int | None = None
    """Number of its corner, where the format numbers them."""
    pit: bool = False
    box: bool = False
    blocked: bool = False
    line: bool = False
    """First space past the finish line in its lane."""
    along: float | None = None
    """Distance along its corner or the lap, in any unit that grows in the direction of driving."""
    behind: int | None = None
    """Id of the space behind it in its own lane."""
    lane: int | None = None
    slot: int | None = None
    """Grid slot, 0 for pole; -1 where the format does not number the slots."""


@dataclass
class Drawing:
    """All that a file says of a board, before it is cut into lanes and sections."""

    nodes: dict[int, Node]
    moves: dict[int, list[int]]
    """Spaces to which a car may go from each space, pit lane included."""
    neighbours: dict[int, set[int]] = field(default_factory=dict)
    """Spaces side by side, where the format tells."""
    weather: tuple[int, int] | None = None
    """First and last number of changeable weather."""
    notes: list[BadTrack] = field(default_factory=list)
    """Problems: parts that could not be carried over, or have to be compared with the board."""

    def note(self, kind: str, **facts: object) -> None:
        """Add a note, once."""
        note = BadTrack(kind, **facts)
        if error_text(note) not in map(error_text, self.notes):
            self.notes.append(note)

    def note_all(self, kind: str, complaints: Iterable[BadTrack]) -> None:
        """Add a note of that kind for each complaint."""
        self.notes += [BadTrack(kind, complaint=complaint) for complaint in complaints]

    def track(self) -> list[int]:
        """Return the spaces of the track proper, without the pit lane."""
        return [i for i, node in self.nodes.items() if not node.pit]

    def track_moves(self) -> dict[int, list[int]]:
        """Return the moves that stay on the track and do not enter a blocked space."""
        return {
            i: [j for j in self.moves.get(i, []) if not self.nodes[j].pit and not self.nodes[j].blocked]
            for i in self.track()
        }

    def vector(self, a: int, b: int) -> tuple[float, float]:
        """From one space to another in the picture."""
        return self.nodes[b].x - self.nodes[a].x, self.nodes[b].y - self.nodes[a].y

    def gap(self, a: int, b: int) -> float:
        """Distance between two spaces in the picture."""
        return math.hypot(*self.vector(a, b))

    def where(self, i: int) -> str:
        """Return a space as people find it in the file and in the picture."""
        node = self.nodes[i]
        return f"{i} (at {node.x:g}, {node.y:g})"


def unit(x: float, y: float) -> tuple[float, float]:
    """Return a direction in the picture with length 1, or (0, 0) for a zero vector."""
    length = math.hypot(x, y)
    return (x / length, y / length) if length else (0.0, 0.0)


def listed(ids: list[int], most: int = 8) -> str:
    """Return numbers for a sentence: "3, 4 and 7", the rest counted."""
    shown = [str(i) for i in ids[:most]]
    if len(ids) > most:
        shown.append(f"{len(ids) - most} more")
    return shown[0] if len(shown) == 1 else ", ".join(shown[:-1]) + " and " + shown[-1]
