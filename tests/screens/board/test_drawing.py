"""The board as geometry: spaces that do not lie on one another, in order, next to where their moves lead."""

import math
from itertools import pairwise

import pytest

from companion import circuits
from companion.drawing.circuit import CircuitDrawing, drawing_of
from companion.drawing.lines import beside_section
from companion.drawing.road import WIDTH, CentreLine
from companion.drawing.spaces import Cell, inside
from companion.rules.circuit.file import load_track
from companion.rules.circuit.track import Track
from companion.rules.circuit.zones import sections

SPACED = ("copper-basin", "kestrel-moor", "monaco", "porto-sereno")


def shapeless() -> Track:
    """Kestrel Moor without its directions and bends."""
    lines = circuits.find("kestrel-moor").read_text(encoding="utf-8").splitlines()
    text = "\n".join(line for line in lines if not line.startswith(("direction", "bend")))
    return load_track(text, "shapeless.toml", "shapeless")


def bent_into_itself() -> Track:
    """Kestrel Moor as a figure that would cross itself if it were drawn as it says."""
    text = circuits.find("kestrel-moor").read_text(encoding="utf-8")
    text = text.replace("bend     = -66", "bend     = -126").replace("bend     = 177", "bend     = 237")
    return load_track(text, "bent.toml", "bent")


@pytest.fixture(scope="module", params=[*SPACED, "shapeless", "bent"])
def drawing(request: pytest.FixtureRequest) -> CircuitDrawing:
    if request.param == "shapeless":
        return drawing_of(shapeless())
    if request.param == "bent":
        return drawing_of(bent_into_itself())
    return drawing_of(circuits.load(request.param))


def area(cell: Cell) -> float:
    points = cell.outline
    pairs = zip(points, (*points[1:], points[0]), strict=True)
    return abs(sum(x1 * y2 - x2 * y1 for (x1, y1), (x2, y2) in pairs)) / 2


def within(cell: Cell, ahead: float, across: float) -> tuple[float, float]:
    """A point of a space by its share of the length and of the width."""
    k = ahead * (len(cell.left_side) - 1)
    i, part = min(int(k), len(cell.left_side) - 2), k - min(int(k), len(cell.left_side) - 2)
    left, right = (
        (side[i][0] + (side[i + 1][0] - side[i][0]) * part, side[i][1] + (side[i + 1][1] - side[i][1]) * part)
        for side in (cell.left_side, cell.right_side)
    )
    return left[0] + (right[0] - left[0]) * across, left[1] + (right[1] - left[1]) * across


@pytest.mark.parametrize("key", SPACED)
def test_zones_are_drawn_along_their_own_sections_across_the_line_too(key: str) -> None:
    made, track = drawing_of(circuits.load(key)), circuits.load(key)
    lines = [beside_section(made, section) for zone in track.zones for section in sections(track, zone)]
    drawn = sum(math.dist(a, b) for line in lines for a, b in pairwise(line))
    spaces = sum(track.spaces[space].lane == 0 for zone in track.zones for space in zone.spaces)
    assert 0.6 * spaces < drawn < 1.6 * spaces


def test_the_lap_closes(drawing: CircuitDrawing) -> None:
    line = drawing.line
    begin, end = line.at(line.begin), line.at(line.begin - 1e-9)
    assert math.dist((begin.x, begin.y), (end.x, end.y)) < 1e-6
    assert math.isclose(abs(end.angle - begin.angle), 2 * math.pi, abs_tol=1e-6)


def test_no_space_lies_on_another(drawing: CircuitDrawing) -> None:
    for cell in drawing.cells:
        for ahead in (0.1, 0.5, 0.9):
            for across in (0.12, 0.5, 0.88):
                x, y = within(cell, ahead, across)
                others = [
                    other.space
                    for other in drawing.cells
                    if other is not cell
                    and math.dist((other.middle.x, other.middle.y), (x, y)) < 6
                    and inside(other.outline, x, y)
                ]
                assert not others, f"{drawing.track.name_of(cell.space)} lies on {drawing.track.name_of(others[0])}"


def test_every_space_is_wide_and_long_enough_to_be_seen(drawing: CircuitDrawing) -> None:
    for cell in drawing.cells:
        name = drawing.track.name_of(cell.space)
        assert area(cell) > 0.12, name
        for (x1, y1), (x2, y2) in zip(cell.left_side, cell.right_side, strict=True):
            assert math.isclose(math.hypot(x2 - x1, y2 - y1), WIDTH, rel_tol=1e-6), name
        assert inside(cell.outline, cell.middle.x, cell.middle.y), name
        for sides in (cell.left_side, cell.right_side):
            for a, b in pairwise(sides):
                forward = math.cos(cell.middle.angle) * (b[0] - a[0]) + math.sin(cell.middle.angle) * (b[1] - a[1])
                assert forward > -0.05, f"{name} is folded"


def test_every_move_leads_to_a_space_beside_or_ahead(drawing: CircuitDrawing) -> None:
    track = drawing.track
    for space in range(len(track.stretch)):
        here = drawing.cells[space]
        for to in track.moves[space]:
            there = drawing.cells[to]
            gap = min(math.dist(a, b) for a in here.outline for b in there.outline)
            assert gap < WIDTH, f"{track.name_of(space)} to {track.name_of(to)}"
            gone = (there.along - here.along + drawing.lap / 2) % drawing.lap - drawing.lap / 2
            assert gone > -0.5, f"{track.name_of(space)} to {track.name_of(to)} goes back"


def test_spaces_side_by_side_share_a_line(drawing: CircuitDrawing) -> None:
    track = drawing.track
    odd = []
    for space, others in enumerate(track.beside):
        here = drawing.cells[space]
        for other in others:
            there = drawing.cells[other]
            if other > space:
                gone = (there.along - here.along + drawing.lap / 2) % drawing.lap - drawing.lap / 2
                if abs(gone) > (here.front - here.rear + there.front - there.rear) / 2:
                    odd.append((track.name_of(space), track.name_of(other)))
    assert odd == ([("11:middle:2", "11:right:4")] if track.key == "monaco" else []), "but for what the board prints"


def test_a_point_of_a_space_is_found(drawing: CircuitDrawing) -> None:
    for cell in drawing.cells[::7]:
        assert drawing.at(cell.middle.x, cell.middle.y) == cell.space
    left, bottom, right, top = drawing.box
    assert drawing.at(left - 3, bottom - 3) is None
    assert right - left > 10
    assert top - bottom > 10


def test_the_pit_lane_lies_beside_the_road_in_its_order(drawing: CircuitDrawing) -> None:
    pit = drawing.track.pit
    assert pit is not None
    alongs = [(drawing.cells[s].along - drawing.pit_from) % drawing.lap for s in pit.spaces]
    assert alongs == sorted(alongs)
    for box, front in zip(pit.boxes, pit.fronts, strict=True):
        assert math.isclose(drawing.cells[box].along, drawing.cells[front].along)
    for space in (*pit.spaces, *pit.boxes):
        assert abs(drawing.cells[space].right) > drawing.half


def test_entry_and_exit_lines_run_over_all_lanes(drawing: CircuitDrawing) -> None:
    track = drawing.track
    for corner, entry, exit_ in zip(track.corners, drawing.lines.entries, drawing.lines.exits, strict=True):
        lanes = track.sections[corner.section].lanes
        for line, cells, end in ((entry, [lane[0] for lane in lanes], 0), (exit_, [lane[-1] for lane in lanes], -1)):
            for space in cells:
                cell = drawing.cells[space]
                for point in (cell.left_side[end], cell.right_side[end]):
                    assert min(math.dist(point, p) for p in line) < 0.06


def test_a_way_drives_forward_along_the_lanes() -> None:
    drawing = drawing_of(circuits.load("monaco"))
    track = drawing.track
    way = [track.ids["8:left:3"]]
    while len(way) < 15:
        way.append(track.moves[way[-1]][-1])
    poses = drawing.way(way)
    for a, b in pairwise(poses):
        assert 0 < math.dist((a.x, a.y), (b.x, b.y)) < 1.2
        assert math.cos(a.angle) * (b.x - a.x) + math.sin(a.angle) * (b.y - a.y) > 0
    assert math.dist((poses[-1].x, poses[-1].y), drawing.cells[way[-1]].middle.beside(0.0)) < 1e-6


def test_a_circuit_without_a_shape_is_an_oval() -> None:
    drawing = drawing_of(shapeless())
    assert not drawing.line.drawn
    left, bottom, right, top = drawing.box
    assert 1.3 < (right - left) / (top - bottom) < 3


def test_a_chicane_is_two_bends() -> None:
    line = CentreLine(circuits.load("monaco"))
    track = circuits.load("monaco")
    loews = track.sections[9]
    begin = track.stretch[loews.lanes[1][0]][0]
    end = track.stretch[loews.lanes[1][-1]][1]
    turns = [turn for a, b, turn in line.bends(math.radians(20)) if begin - 3 < a < end]
    assert len(turns) == 2
    assert turns[0] > 1.0, "Loews turns to the left first"
    assert turns[1] < -1.0


def test_pieces_of_road_keep_apart() -> None:
    drawing = drawing_of(circuits.load("monaco"))
    places = [drawing.line.at(u) for u in range(int(drawing.lap))]
    for i, a in enumerate(places):
        for k in range(i + 14, len(places)):
            if (i - k) % len(places) > 14:
                assert math.dist((a.x, a.y), (places[k].x, places[k].y)) > 2 * drawing.half - 0.05, (i, k)
