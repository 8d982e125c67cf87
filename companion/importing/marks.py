"""Moves as printed marks: the rows of a section, its stagger, and the moves that no mark can say."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import groupby

from companion.importing.drawing import Drawing
from companion.importing.sections import Part

Spot = tuple[int, int, int]
"""Section, lane, and number from 1."""


@dataclass
class Rows:
    """A section as it is written."""

    lanes: list[str]
    stagger: list[int]


def spots(parts: list[Part]) -> dict[int, Spot]:
    """Where each drawn space comes to lie."""
    return {
        node: (s, lane, n)
        for s, part in enumerate(parts)
        for lane, nodes in enumerate(part.lanes)
        for n, node in enumerate(nodes, 1)
    }


def write_rows(drawing: Drawing, parts: list[Part]) -> list[Rows]:
    """The marks of every section, a number after a mark wherever it does not lead where it would without
    one."""
    at = spots(parts)
    moves = drawing.track_moves()
    return [_rows(drawing, parts, s, at, moves) for s in range(len(parts))]


def _number(parts: list[Part], s: int, spot: Spot) -> int:
    """A space as a mark in section s counts it: within s, or the first of the next section as one past the
    last; 0 where a mark cannot lead."""
    section, lane, number = spot
    if section == s:
        return number
    if section == (s + 1) % len(parts) and number == 1:
        return len(parts[s].lanes[lane]) + 1
    return 0


def _rows(
    drawing: Drawing, parts: list[Part], s: int, at: dict[int, Spot], moves: dict[int, list[int]]
) -> Rows:
    part = parts[s]
    stagger = _stagger(drawing, parts, s, at, moves)
    zips: dict[tuple[int, int], int] = {}
    rows = []
    for lane, nodes in enumerate(part.lanes):
        words = []
        for number, i in enumerate(nodes, 1):
            if drawing.nodes[i].blocked:
                words.append("x")
                continue
            sides = {side: _sideways(drawing, parts, s, at, i, lane + side, moves) for side in (-1, 1)}
            written = {}
            for side, target in sides.items():
                if not target:
                    continue
                count = len(part.lanes[lane + side])
                ahead = stagger[lane] - stagger[lane + side]
                if part.stops:
                    usual = zips.get((lane, side), 1)
                else:
                    usual = number + (ahead > 0) if abs(ahead) == 1 else 0
                zips[lane, side] = target + 1
                told = "" if target == usual else "next" if target > count else str(target)
                written[side] = "<>"[side > 0] + told
            if len(written) == 2:
                words.append("*" if written == {-1: "<", 1: ">"} else written[-1] + written[1])
            else:
                words.append(next(iter(written.values()), "^"))
        rows.append(_shortened(words) if not part.stops else " ".join(words))
    return Rows(rows, stagger)


def _sideways(
    drawing: Drawing,
    parts: list[Part],
    s: int,
    at: dict[int, Spot],
    i: int,
    lane: int,
    moves: dict[int, list[int]],
) -> int:
    """The number of the space that a move leads to in a lane, 0 if none does; of several the nearest, which
    is where the others are noted."""
    found = [(n, j) for j in moves[i] if at[j][1] == lane and (n := _number(parts, s, at[j]))]
    return min(found)[0] if found else 0


def _shortened(words: list[str]) -> str:
    """Repeated marks as a number before one mark, where it has no number after it."""
    out = []
    for word, same in groupby(words):
        count = len(list(same))
        if count > 1 and len(word) == 1:
            out.append(f"{count}{word}")
        else:
            out += [word] * count
    return " ".join(out)


def _stagger(
    drawing: Drawing, parts: list[Part], s: int, at: dict[int, Spot], moves: dict[int, list[int]]
) -> list[int]:
    """How many half spaces each lane lies ahead, as most sideways moves have it, else as the picture has
    it."""
    lanes = parts[s].lanes
    stagger = [0]
    for lane in range(len(lanes) - 1):
        votes: Counter[int] = Counter()
        for a, b in ((lane, lane + 1), (lane + 1, lane)):
            for number, i in enumerate(lanes[a], 1):
                for j in moves[i]:
                    if at[j][1] == b and (target := _number(parts, s, at[j])):
                        lies_ahead = 2 * (target - number) - 1
                        votes[lies_ahead if a == lane else -lies_ahead] += 1
        best = max(votes, key=lambda v: (votes[v], -abs(v), v)) if votes else _drawn(drawing, parts, s, lane)
        stagger.append(stagger[-1] - best)
    return [v - min(stagger) for v in stagger]


def _drawn(drawing: Drawing, parts: list[Part], s: int, lane: int) -> int:
    """How many half spaces a lane begins ahead of the one to its right in the picture: an odd number."""
    left, right = parts[s].lanes[lane], parts[s].lanes[lane + 1]
    after = parts[(s + 1) % len(parts)]
    a, b = left[0], right[0]
    onward = (left + after.lanes[lane])[1]
    road, across = drawing.vector(a, onward), drawing.vector(b, a)
    size = road[0] ** 2 + road[1] ** 2
    if not size:
        return 1
    halves = 2 * (road[0] * across[0] + road[1] * across[1]) / size
    return 2 * round((halves - 1) / 2) + 1
