"""What never changes while a race is on: asphalt, spaces, lines, kerbs, drawn once for a circuit."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from kivy.graphics import Color, InstructionGroup, Mesh

from companion.screens.board.closing import Point
from companion.screens.board.drawing import Drawing
from companion.screens.board.road import WIDTH
from companion.screens.board.strokes import fills, set_zoom, strokes, strokes_context
from companion.screens.widgets.theme import theme

KERB, DASH = 7.0, 10.0
"""Width of a kerb and length of its dashes, in dp."""
RIBBON = 15.0
"""Width of the road in the overview, in dp."""

_APRON = "apron"


class Painted:
    """Areas, and lines over them, in units of the board."""

    def __init__(self) -> None:
        self.group = InstructionGroup()
        self._areas, self._lines = InstructionGroup(), strokes_context()
        self.group.add(self._areas)
        self.group.add(self._lines)
        self._colours: list[tuple[Color, str, float]] = []

    def near(self, pixels: float) -> None:
        """How near the board is looked at, in pixels a space."""
        set_zoom(self._lines, pixels)

    def recolour(self) -> None:
        """Takes the colours of the theme anew."""
        for colour, token, alpha in self._colours:
            colour.rgba = _rgba(token, alpha)

    def fill(self, token: str, meshes: list[Mesh], alpha: float = 1.0) -> None:
        """Areas in a colour."""
        self._add(self._areas, token, meshes, alpha)

    def line(self, token: str, meshes: list[Mesh], alpha: float = 1.0) -> None:
        """Lines in a colour; they lie over all areas."""
        self._add(self._lines, token, meshes, alpha)

    def _add(self, group: InstructionGroup, token: str, meshes: list[Mesh], alpha: float) -> None:
        colour = Color(*_rgba(token, alpha))
        self._colours.append((colour, token, alpha))
        group.add(colour)
        for mesh in meshes:
            group.add(mesh)


def _rgba(token: str, alpha: float) -> tuple[float, float, float, float]:
    if token == _APRON:
        ground, edge = theme.rgba("ground"), theme.rgba("asphalt")
        return (*((2 * a + b) / 3 for a, b in zip(ground[:3], edge[:3], strict=True)), alpha)  # type: ignore[return-value]
    return theme.rgba(token, alpha)


def board(drawing: Drawing) -> Painted:
    """The board for a close-up."""
    painted = Painted()
    lines = drawing.lines
    by_kind: dict[str, list[tuple[Sequence[Point], Sequence[Point]]]] = {}
    for cell in drawing.cells:
        by_kind.setdefault(cell.kind, []).append((cell.left_side, cell.right_side))
    painted.fill(_APRON, fills([(drawing.apron[0], drawing.apron[1])]))
    painted.fill(_APRON, fills(drawing.pit_ground))
    painted.fill("asphalt", fills(drawing.pit_road))
    painted.fill("asphalt", fills(by_kind.get("straight", []) + by_kind.get("pit", []) + by_kind.get("box", [])))
    painted.fill("corner", fills(by_kind.get("corner", [])))
    painted.fill("ground", fills(by_kind.get("blocked", [])))
    painted.line("cell", strokes(lines.ends, 1))
    painted.line("lane", strokes(lines.lanes, 1.2))
    painted.line("lane", strokes(drawing.pit_edges, 1.2))
    painted.line("edge", strokes(lines.edges, 2))
    painted.line("rim", strokes(lines.wall, 6))
    painted.line("hi", strokes(lines.slots, 1.6), 0.55)
    painted.line("kerb2", strokes(lines.kerbs, KERB))
    painted.line("kerb", strokes(lines.kerbs, KERB, DASH))
    painted.line("#F3F6F9", strokes(lines.finish, 8))
    painted.line("#0B0E11", strokes(lines.finish, 8, -4))
    painted.line("flag", strokes(lines.entries, 2.6))
    painted.line("bad", strokes(lines.exits, 2.6))
    return painted


def ribbon(drawing: Drawing) -> Painted:
    """The whole circuit as a ribbon, with a bar for the line."""
    painted = Painted()
    middle = drawing.middle
    painted.line("lane", strokes([middle], RIBBON + 3))
    painted.line("asphalt", strokes([middle], RIBBON))
    painted.line("hi", strokes([drawing.start_bar], RIBBON + 9))
    return painted


def inset(left: Sequence[Point], right: Sequence[Point], by: float) -> tuple[list[Point], list[Point]]:
    """The sides of a space, moved inwards by so much at every side (in spaces)."""
    share = by / WIDTH
    ends = [_toward(a, b, share) for a, b in zip(left, right, strict=True)]
    others = [_toward(b, a, share) for a, b in zip(left, right, strict=True)]
    return _shorter(ends, by), _shorter(others, by)


def _toward(a: Point, b: Point, share: float) -> Point:
    return a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share


def _shorter(side: list[Point], by: float) -> list[Point]:
    length = sum(((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2) ** 0.5 for a, b in pairwise(side))
    first = ((side[0][0] - side[1][0]) ** 2 + (side[0][1] - side[1][1]) ** 2) ** 0.5
    last = ((side[-1][0] - side[-2][0]) ** 2 + (side[-1][1] - side[-2][1]) ** 2) ** 0.5
    if not first or not last or length < 2 * by:
        return side
    return [
        _toward(side[0], side[1], min(0.45, by / first)),
        *side[1:-1],
        _toward(side[-1], side[-2], min(0.45, by / last)),
    ]
