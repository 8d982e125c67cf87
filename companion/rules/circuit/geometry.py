"""Geometry of the lap, in half spaces: how long spaces are, which are side by side, which are level.

On a straight every space is two half spaces long. In a corner a sideways move says that the space it leads to begins
halfway along the one it leaves; with that, the lengths are as near to two half spaces as they can be (least squares,
corner by corner). A straight begins on whole half spaces, so that the lap has a whole length.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from companion.rules.circuit.track import Track

SPACE = 2.0
"""Length of a space on a straight, in half spaces."""
SHORTEST = 0.7
"""Minimum length of a space, in half spaces."""
TOUCH = 1e-4
"""Overlap, in half spaces, below which stretches do not lie side by side."""


class Sideways(NamedTuple):
    """A sideways move inside a corner, or out of it when `to_number` is one more than the lane has spaces."""

    lane: int
    number: int
    to_lane: int
    to_number: int


@dataclass(frozen=True, slots=True)
class CornerFit:
    """The fitted spaces of a corner, in half spaces.

    `lengths` are those of its spaces, lane by lane; `end` is where the section after it begins, and `misfit` by how
    much the sideways moves could not be met (0 if they could).
    """

    lengths: tuple[tuple[float, ...], ...]
    end: int
    misfit: float


def fit_corner(
    counts: Sequence[int], entry: Sequence[int], stagger: Sequence[int], sideways: Sequence[Sideways]
) -> CornerFit:
    """Lay out a corner.

    `counts` are the spaces of each lane, `entry` the half space where each lane begins, `stagger` how many
    half spaces each lane of the section that follows begins beyond the section's own beginning.
    """
    first = [0]
    for count in counts:
        first.append(first[-1] + count)
    equations: list[tuple[dict[int, float], float]] = []
    for lane in range(1, len(counts)):
        row = dict.fromkeys(range(first[lane], first[lane + 1]), 1.0)
        row.update(dict.fromkeys(range(first[0], first[1]), -1.0))
        equations.append((row, float(stagger[lane] - stagger[0] - entry[lane] + entry[0])))
    for move in sideways:
        row = dict.fromkeys(range(first[move.to_lane], first[move.to_lane] + move.to_number - 1), 1.0)
        here = first[move.lane] + move.number - 1
        row.update(dict.fromkeys(range(first[move.lane], here), -1.0))
        row[here] = -0.5
        equations.append((row, float(entry[move.lane] - entry[move.to_lane])))
    loose = _nearest(first[-1], equations)
    end = math.floor(entry[0] + sum(loose[: counts[0]]) - stagger[0] + 0.5)
    # Every space of a lane has a half space of its own, so that one car behind another is never level with it.
    end = max([end, *(entry[lane] + counts[lane] - stagger[lane] for lane in range(len(counts)))])
    equations.append((dict.fromkeys(range(counts[0]), 1.0), float(end + stagger[0] - entry[0])))
    lengths = _nearest(first[-1], equations)
    misfit = max(abs(sum(c * lengths[v] for v, c in row.items()) - want) for row, want in equations)
    lanes = tuple(tuple(lengths[first[lane] : first[lane + 1]]) for lane in range(len(counts)))
    return CornerFit(lanes, end, misfit)


def _nearest(count: int, equations: Sequence[tuple[dict[int, float], float]]) -> list[float]:
    """Return lengths that meet the equations and are as near to SPACE as can be, none under SHORTEST.

    Equations that cannot be met are met as nearly as possible.
    """
    held: set[int] = set()
    while True:
        lengths = [SHORTEST if v in held else SPACE for v in range(count)]
        rows = [{v: c for v, c in row.items() if v not in held} for row, _ in equations]
        gaps = [want - sum(c * lengths[v] for v, c in row.items()) for row, want in equations]
        for row, pull in zip(rows, _solve(rows, gaps), strict=True):
            for v, c in row.items():
                lengths[v] += c * pull
        short = [v for v in range(count) if v not in held and lengths[v] < SHORTEST - 1e-9]
        if not short:
            return lengths
        held.add(min(short, key=lambda v: (lengths[v], v)))


def _solve(rows: Sequence[dict[int, float]], gaps: Sequence[float]) -> list[float]:
    """Return the multipliers of the least-norm step: rows times their transpose, by elimination.

    The trace added to the diagonal lets equations repeat or contradict one another.
    """
    size = len(rows)
    matrix = [[0.0] * size for _ in range(size)]
    for i in range(size):
        for j in range(i, size):
            small, large = (rows[i], rows[j]) if len(rows[i]) < len(rows[j]) else (rows[j], rows[i])
            matrix[i][j] = matrix[j][i] = sum([c * large[v] for v, c in small.items() if v in large])
        matrix[i][i] += 1e-9
    x = list(gaps)
    for i in range(size):
        top, pivot = matrix[i], matrix[i][i]
        for j in range(i + 1, size):
            row = matrix[j]
            factor = row[i] / pivot
            if factor:
                row[i:] = [a - factor * b for a, b in zip(row[i:], top[i:], strict=True)]
                x[j] -= factor * x[i]
    for i in reversed(range(size)):
        row = matrix[i]
        x[i] = (x[i] - sum(row[j] * x[j] for j in range(i + 1, size))) / row[i]
    return x


def half_spaces(entry: int, lengths: Sequence[float]) -> list[int]:
    """Return the half space in which the front end of each space of a corner's lane lies, from `entry` on.

    Each space has one of its own, the last ends where the lane does.
    """
    fronts: list[int] = []
    front = float(entry)
    for length in lengths:
        front += length
        own = math.ceil(front - TOUCH) - 1
        fronts.append(max(own, fronts[-1] + 1) if fronts else max(own, entry))
    limit = round(entry + sum(lengths)) - 1
    for i in reversed(range(len(fronts))):
        fronts[i] = min(fronts[i], limit)
        limit = fronts[i] - 1
    return fronts


def side_by_side(
    lanes: Sequence[Sequence[int]], stretch: Mapping[int, tuple[float, float]], length: int
) -> set[tuple[int, int]]:
    """Return the pairs of spaces of neighbouring lanes whose stretches overlap.

    `lanes` are the spaces of each lane all round the lap in driving order, `stretch` the rear and front end of each,
    `length` the lap.
    """
    pairs: set[tuple[int, int]] = set()
    for left, right in pairwise(lanes):
        others = [(stretch[b][0] + lap, stretch[b][1] + lap, b) for lap in (-length, 0, length) for b in right]
        start = 0
        for a in left:
            rear, front = stretch[a]
            while start < len(others) and others[start][1] <= rear + TOUCH:
                start += 1
            i = start
            while i < len(others) and others[i][0] < front - TOUCH:
                pairs.add((a, others[i][2]))
                i += 1
    return pairs


def corner_paths(track: Track, corner: int) -> tuple[int, int]:
    """Return the shortest and the longest path through a corner by the printed moves, in its spaces.

    (0, 0) if no path leads through it. `corner` is an index into `track.corners`.
    """
    inside = [s for lane in track.sections[track.corners[corner].section].lanes for s in lane]
    shortest: dict[int, int] = {}
    longest: dict[int, int] = {}

    def walk(space: int) -> None:
        for to in track.moves[space]:
            if track.corner[to] == corner and to not in longest:
                walk(to)
        on = [to for to in track.moves[space] if track.corner[to] == corner and to in longest]
        leaves = any(track.corner[to] != corner for to in track.moves[space])
        if on or leaves:
            shortest[space] = 1 if leaves else 1 + min(shortest[to] for to in on)
            longest[space] = 1 + max((longest[to] for to in on), default=0)

    for space in inside:
        if space not in longest:
            walk(space)
    enters = [s for s in inside if s in longest and any(track.corner[b] != corner for b in track.back[s])]
    if not enters:
        return 0, 0
    return min(shortest[s] for s in enters), max(longest[s] for s in enters)


def shortest_lap(
    moves: Sequence[Sequence[int]], place: Sequence[int], order: Sequence[int], length: int, on_track: int
) -> int:
    """Return the fewest spaces from a space past the line back to itself; 0 if no way leads round.

    It searches the first `on_track` spaces.
    """
    ranked = sorted(range(on_track), key=order.__getitem__)
    best = 0
    starts = {to for s in range(on_track) for to in moves[s] if to < on_track and _crosses(place, length, s, to)}
    for start in sorted(starts):
        steps = {start: 0}
        for s in ranked:
            if s not in steps:
                continue
            for to in moves[s]:
                if to >= on_track:
                    continue
                if _crosses(place, length, s, to):
                    if to == start and (not best or steps[s] + 1 < best):
                        best = steps[s] + 1
                elif steps.get(to, steps[s] + 2) > steps[s] + 1:
                    steps[to] = steps[s] + 1
    return best


def _crosses(place: Sequence[int], length: int, here: int, to: int) -> bool:
    """Return True if a move from here to there crosses the line."""
    return 2 * place[here] >= length > 2 * place[to]
