"""The asphalt, spaces, lines and kerbs of a circuit, drawn once.

They never change during a race. A line keeps its width in dp at any zoom, dashes keep their length, and edges are
smooth without multisampling, which small graphics chips handle badly. So panning and zooming change one matrix and one
number, and nothing is rebuilt.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Iterable, Sequence
from itertools import pairwise

from kivy.graphics import Color, InstructionGroup, Mesh, RenderContext

from companion.drawing.circuit import CircuitDrawing
from companion.drawing.closing import Point
from companion.drawing.road import WIDTH
from companion.screens.kit.theme import theme

Format = list[tuple[bytes, int, str]]

_VERTEX = """
$HEADER$
attribute vec2 vAcross;
attribute vec4 vStroke;
uniform float zoom;
uniform float dense;
varying vec3 where_to;
varying float dash;

void main(void) {
    float half_width = vStroke.y * dense * 0.5;
    float reach = half_width + 1.0;
    vec2 at = vPosition + vAcross * (vStroke.x * reach / zoom);
    gl_Position = projection_mat * modelview_mat * vec4(at, 0.0, 1.0);
    where_to = vec3(vStroke.x * reach, vStroke.z * zoom, half_width);
    dash = vStroke.w * dense;
    frag_color = color;
}
"""

_FRAGMENT = """
$HEADER$
varying vec3 where_to;
varying float dash;

void main(void) {
    float cover = clamp(where_to.z - abs(where_to.x) + 0.5, 0.0, 1.0);
    if (dash != 0.0) {
        float size = abs(dash);
        float along = where_to.y;
        if (dash < 0.0 && where_to.x > 0.0) along += size;
        float in_dash = abs(mod(along, 2.0 * size) - size * 0.5);
        in_dash = min(in_dash, 2.0 * size - in_dash);
        cover *= clamp(size * 0.5 - in_dash + 0.5, 0.0, 1.0);
    }
    gl_FragColor = vec4(frag_color.rgb, frag_color.a * cover);
}
"""

_FORMAT = [(b"vPosition", 2, "float"), (b"vAcross", 2, "float"), (b"vStroke", 4, "float")]
MOST = 60000
"""Maximum number of points that one mesh can index."""


def strokes_context() -> RenderContext:
    """Return a context to draw `strokes` in; `set_zoom` sets its scale."""
    context = RenderContext(
        vs=_VERTEX,
        fs=_FRAGMENT,
        use_parent_projection=True,
        use_parent_modelview=True,
        use_parent_frag_modelview=True,
    )
    set_zoom(context, 1.0)
    return context


def set_zoom(context: RenderContext, pixels: float) -> None:
    """Set the length of a space, in pixels."""
    context["zoom"] = float(pixels)
    context["dense"] = float(theme.scale)


def strokes(lines: Iterable[Sequence[Point]], width: float, dash: float = 0.0) -> list[Mesh]:
    """Return meshes for lines of a width in dp.

    A dash is as long as the gap after it; a negative one makes a row of checkers.
    """
    vertices: list[float] = []
    indices: list[int] = []
    for line in lines:
        first = len(vertices) // 8
        points = _without_repeats(line)
        if len(points) < 2:
            continue
        normals = _normals(points, closed=points[0] == points[-1])
        along = 0.0
        for k, ((x, y), (nx, ny)) in enumerate(zip(points, normals, strict=True)):
            if k:
                along += math.dist(points[k - 1], (x, y))
            vertices += (x, y, nx, ny, -1.0, width, along, dash, x, y, nx, ny, 1.0, width, along, dash)
            if k:
                a = first + 2 * k
                indices += (a - 2, a - 1, a, a - 1, a, a + 1)
    return _meshes(vertices, indices, 8, _FORMAT)


def fills(strips: Iterable[tuple[Sequence[Point], Sequence[Point]]]) -> list[Mesh]:
    """Return meshes for areas, each between a left and a right side.

    Both sides have the same number of points.
    """
    vertices: list[float] = []
    indices: list[int] = []
    for left, right in strips:
        first = len(vertices) // 4
        for k, ((x, y), (x2, y2)) in enumerate(zip(left, right, strict=True)):
            vertices += (x, y, 0.0, 0.0, x2, y2, 0.0, 0.0)
            if k:
                a = first + 2 * k
                indices += (a - 2, a - 1, a, a - 1, a, a + 1)
    return _meshes(vertices, indices, 4)


def _meshes(vertices: list[float], indices: list[int], size: int, form: Format | None = None) -> list[Mesh]:
    """Return the triangles as meshes, split at the limit of points in one mesh.

    A piece of a line or area has six indices and is never split.
    """
    if not indices:
        return []
    if len(vertices) // size <= MOST:
        return [Mesh(vertices=vertices, indices=indices, mode="triangles", **({"fmt": form} if form else {}))]
    half = len(indices) // 12 * 6
    meshes: list[Mesh] = []
    for part in (indices[:half], indices[half:]):
        low, high = min(part), max(part)
        meshes += _meshes(vertices[low * size : (high + 1) * size], [k - low for k in part], size, form)
    return meshes


def _without_repeats(line: Sequence[Point]) -> list[Point]:
    points = [line[0]]
    for point in line[1:]:
        if abs(point[0] - points[-1][0]) + abs(point[1] - points[-1][1]) > 1e-6:
            points.append(point)
    return points


def _normals(points: Sequence[Point], closed: bool) -> list[Point]:
    """Return the vector across the line at each point.

    It is longer at a bend, so that the line keeps its width.
    """
    ways: list[Point] = []
    for (x1, y1), (x2, y2) in pairwise(points):
        far = math.hypot(x2 - x1, y2 - y1)
        ways.append(((y1 - y2) / far, (x2 - x1) / far))
    normals: list[Point] = []
    for k in range(len(points)):
        before = ways[k - 1] if k else (ways[-1] if closed else ways[0])
        after = ways[k] if k < len(ways) else (ways[0] if closed else ways[-1])
        x, y = before[0] + after[0], before[1] + after[1]
        square = x * x + y * y
        if square < 0.2:
            normals.append(after)
        else:
            normals.append((2 * x / square, 2 * y / square))
    return normals


KERB, DASH = 7.0, 10.0
"""Width of a kerb and length of its dashes, in dp."""
RIBBON = 15.0
"""Width of the road in the overview, in dp."""

_APRON = "apron"


class Painted:
    """Areas with lines over them, in units of the board."""

    def __init__(self) -> None:
        self.group = InstructionGroup()
        self._areas = InstructionGroup()
        self._lines: RenderContext | None = None
        """Context for lines; created only when needed, since it takes a moment and many boards have none."""
        self.group.add(self._areas)
        self._near = 1.0
        self._colours: list[tuple[Color, str, float]] = []

    def near(self, pixels: float) -> None:
        """Set the length of a space, in pixels."""
        self._near = pixels
        if self._lines is not None:
            set_zoom(self._lines, pixels)

    def recolour(self) -> None:
        """Apply the colours of the current theme."""
        for colour, token, alpha in self._colours:
            colour.rgba = _rgba(token, alpha)

    def fill(self, token: str, meshes: list[Mesh], alpha: float = 1.0) -> None:
        """Add areas in a colour."""
        self._add(self._areas, token, meshes, alpha)

    def line(self, token: str, meshes: list[Mesh], alpha: float = 1.0) -> None:
        """Add lines in a colour, above all areas."""
        if not meshes:
            return
        if self._lines is None:
            self._lines = strokes_context()
            set_zoom(self._lines, self._near)
            self.group.add(self._lines)
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


def board(drawing: CircuitDrawing) -> Painted:
    """Return the board for a close-up."""
    painted = Painted()
    areas, lines = _board_meshes(drawing)
    for token, meshes in areas:
        painted.fill(token, meshes)
    for token, meshes, alpha in lines:
        painted.line(token, meshes, alpha)
    return painted


@functools.lru_cache(maxsize=2)
def _board_meshes(
    drawing: CircuitDrawing,
) -> tuple[list[tuple[str, list[Mesh]]], list[tuple[str, list[Mesh], float]]]:
    """Return the areas of a board with their colours, and its lines with colour and alpha.

    They are kept, because every screen that shows the board has a map of its own.
    """
    lines = drawing.lines
    by_kind: dict[str, list[tuple[Sequence[Point], Sequence[Point]]]] = {}
    for cell in drawing.cells:
        by_kind.setdefault(cell.kind, []).append((cell.left_side, cell.right_side))
    roads = by_kind.get("straight", []) + by_kind.get("pit", []) + by_kind.get("box", [])
    return [
        (_APRON, fills([(drawing.apron[0], drawing.apron[1])])),
        (_APRON, fills(drawing.pit_ground)),
        ("asphalt", fills(drawing.pit_road)),
        ("asphalt", fills(roads)),
        ("corner", fills(by_kind.get("corner", []))),
        ("ground", fills(by_kind.get("blocked", []))),
    ], [
        ("cell", strokes(lines.ends, 1), 1.0),
        ("lane", strokes(lines.lanes, 1.2), 1.0),
        ("lane", strokes(drawing.pit_edges, 1.2), 1.0),
        ("edge", strokes(lines.edges, 2), 1.0),
        ("rim", strokes(lines.wall, 6), 1.0),
        ("hi", strokes(lines.slots, 1.6), 0.55),
        ("kerb2", strokes(lines.kerbs, KERB), 1.0),
        ("kerb", strokes(lines.kerbs, KERB, DASH), 1.0),
        ("#F3F6F9", strokes(lines.finish, 8), 1.0),
        ("#0B0E11", strokes(lines.finish, 8, -4), 1.0),
        ("flag", strokes(lines.entries, 2.6), 1.0),
        ("bad", strokes(lines.exits, 2.6), 1.0),
    ]


def ribbon(drawing: CircuitDrawing) -> Painted:
    """Return the whole circuit as a ribbon, with a bar for the line."""
    painted = Painted()
    middle = drawing.middle
    painted.line("lane", strokes([middle], RIBBON + 3))
    painted.line("asphalt", strokes([middle], RIBBON))
    painted.line("hi", strokes([drawing.start_bar], RIBBON + 9))
    return painted


def inset(left: Sequence[Point], right: Sequence[Point], by: float) -> tuple[list[Point], list[Point]]:
    """Return the sides of a space, moved inwards by `by` spaces on every side."""
    share = by / WIDTH
    ends = [_toward(a, b, share) for a, b in zip(left, right, strict=True)]
    others = [_toward(b, a, share) for a, b in zip(left, right, strict=True)]
    return _shorter(ends, by), _shorter(others, by)


def _toward(a: Point, b: Point, share: float) -> Point:
    return a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share


def _shorter(side: list[Point], by: float) -> list[Point]:
    steps = [math.dist(a, b) for a, b in pairwise(side)]
    length, first, last = sum(steps), steps[0], steps[-1]
    if not first or not last or length < 2 * by:
        return side
    return [
        _toward(side[0], side[1], min(0.45, by / first)),
        *side[1:-1],
        _toward(side[-1], side[-2], min(0.45, by / last)),
    ]
