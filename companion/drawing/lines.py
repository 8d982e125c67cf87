"""The lines of the board: between spaces and lanes, across a corner's ends, kerbs, grid slots, zones and a wall."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from companion.drawing.closing import Point
from companion.drawing.road import WIDTH, pit_side
from companion.drawing.spaces import Cell, Spaces

KERB_STRAIGHT = 5.0
"""Length of an outer kerb along the straight before and after a corner, in half spaces."""
KERB_FROM = 12.0
"""Bend, in degrees, from which it has kerbs."""


@dataclass(frozen=True, slots=True)
class BoardLines:
    """The lines of the board, each a row of points."""

    ends: tuple[tuple[Point, ...], ...]
    lanes: tuple[tuple[Point, ...], ...]
    edges: tuple[tuple[Point, ...], ...]
    entries: tuple[tuple[Point, ...], ...]
    exits: tuple[tuple[Point, ...], ...]
    kerbs: tuple[tuple[Point, ...], ...]
    finish: tuple[tuple[Point, ...], ...]
    slots: tuple[tuple[Point, ...], ...]
    wall: tuple[tuple[Point, ...], ...]


def lines_of(board: Spaces) -> BoardLines:
    """Return the lines of a circuit."""
    track = board.track
    edges = [(*side, side[0]) for side in (board.round(side * board.half)[:-1] for side in (-1, 1))]
    lanes = [board.round((a + b) / 2) for a, b in zip(board.offsets, board.offsets[1:], strict=False)]
    ends = [(cell.left_side[0], cell.right_side[0]) for cell in board.cells if cell.kind != "box"]
    for cell in board.cells[len(track.stretch) :]:
        if cell.kind == "box" or cell.space == (track.pit.spaces[-1] if track.pit else -1):
            ends.append((cell.left_side[-1], cell.right_side[-1]))
        if cell.kind == "box":
            ends.append((cell.left_side[0], cell.right_side[0]))
    corners = [section for section in track.sections if section.corner]
    return BoardLines(
        ends=tuple(ends),
        lanes=tuple(lanes),
        edges=tuple(edges),
        entries=tuple(_across(board, [track.stretch[lane[0]][0] for lane in s.lanes]) for s in corners),
        exits=tuple(_across(board, [track.stretch[lane[-1]][1] for lane in s.lanes]) for s in corners),
        kerbs=tuple(kerb for kerb in _kerbs(board) if len(kerb) > 1),
        finish=tuple(
            (cell.left_side[0], cell.right_side[0]) for cell in map(board.cells.__getitem__, sorted(track.line))
        ),
        slots=tuple(_slot(board, board.cells[space]) for space in track.grid),
        wall=() if track.wall < 0 else (board.round((board.half + 0.16) * (-1 if track.wall == 0 else 1)),),
    )


def _across(board: Spaces, places: Sequence[float]) -> tuple[Point, ...]:
    """Return a line over all lanes that is at its own place in each."""
    points: list[Point] = []
    for lane, (place, right) in enumerate(zip(places, board.offsets, strict=True)):
        if lane and abs(places[lane - 1] - place) > 0.05:
            points += _strip_between(board, places[lane - 1], place, right - WIDTH / 2)[1:-1]
        if not lane or abs(places[lane - 1] - place) > 0.05:
            points.append(board.line.at(place).beside(right - WIDTH / 2))
        points.append(board.line.at(place).beside(right + WIDTH / 2))
    return tuple(points)


def _strip_between(board: Spaces, begin: float, end: float, right: float) -> tuple[Point, ...]:
    strip = board.strip(min(begin, end), max(begin, end), right)
    return strip if begin <= end else strip[::-1]


def _kerbs(board: Spaces) -> list[tuple[Point, ...]]:
    kerbs: list[tuple[Point, ...]] = []
    for begin, end, turn in board.line.bends(math.radians(KERB_FROM)):
        size, inner = end - begin, (-1 if turn > 0 else 1)
        kerbs.append(_kerb(board, begin + size * 0.18, end + min(1.0, size * 0.1), inner))
        kerbs.append(_kerb(board, begin - KERB_STRAIGHT, begin + size * 0.12, -inner))
        kerbs.append(_kerb(board, end - size * 0.3, end + KERB_STRAIGHT * 0.8, -inner))
    return kerbs


def _kerb(board: Spaces, begin: float, end: float, side: int) -> tuple[Point, ...]:
    """Return a kerb along one edge of the road, shorter where pits or a wall are."""
    track = board.track
    if track.wall >= 0 and side == (-1 if track.wall == 0 else 1):
        return ()
    if track.pit is not None and side == pit_side(track):
        pit = board.pit_to - board.pit_from + 6
        into, out = (begin - board.pit_from + 3) % board.lap, (end - board.pit_from + 3) % board.lap
        if into < pit:
            begin += pit - into
        if out < pit:
            end -= out
        if end - begin < 1:
            return ()
    return board.strip(begin, end, side * (board.half + 0.02))


def _slot(board: Spaces, cell: Cell) -> tuple[Point, ...]:
    """Return a bracket around the front of a grid slot."""
    out = WIDTH / 2 - 0.09
    front, back = board.line.at(cell.front - 0.16), board.line.at(cell.front - 0.66)
    return tuple(
        pose.beside(cell.right + right) for pose, right in ((back, -out), (front, -out), (front, out), (back, out))
    )


def beside_section(board: Spaces, section: int) -> tuple[Point, ...]:
    """Return the left edge of the road along a section.

    A DRS zone across the line is drawn section by section.
    """
    stretches = [board.track.stretch[s] for s in board.track.sections[section].lanes[0]]
    return board.strip(min(r for r, _ in stretches), max(f for _, f in stretches), -board.half + 0.07)
