"""Moves as printed marks: the rows of a section, its stagger, and the moves that no mark can say."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import groupby

from companion.importing.drawing import Drawing
from companion.importing.sections import BoardPart
from companion.rules.conversation.errors import BadTrack

Spot = tuple[int, int, int]
"""Section, lane, and number from 1."""


@dataclass
class SectionRows:
    """A section as it is written."""

    lanes: list[str]
    stagger: list[int]


class Marks:
    """The marks of a board: a number after a mark wherever it does not lead where it would without one."""

    def __init__(self, drawing: Drawing, parts: list[BoardPart]) -> None:
        self.drawing, self.parts = drawing, parts
        self.spots: dict[int, Spot] = {
            node: (s, lane, n)
            for s, part in enumerate(parts)
            for lane, nodes in enumerate(part.lanes)
            for n, node in enumerate(nodes, 1)
        }
        self.moves = drawing.track_moves()
        self.kept: dict[tuple[int, int], int] = {}
        """Space that a node's mark leads to, by the node and the lane."""
        self.rows = [self._rows(s) for s in range(len(parts))]

    def unsaid(self) -> list[BadTrack]:
        """Return a note for each move that the marks do not say."""
        notes = []
        for i in sorted(self.spots, key=lambda i: self.spots[i]):
            if self.drawing.nodes[i].blocked:
                continue
            s, lane, number = self.spots[i]
            last = number == len(self.parts[s].lanes[lane])
            ahead = ((s + 1) % len(self.parts), lane, 1) if last else (s, lane, number + 1)
            for j in self.moves[i]:
                to_lane = self.spots[j][1]
                kept = self.kept.get((i, to_lane))
                move = f"The move from node {i} to {j}"
                if self.spots[j] == ahead or kept == j:
                    continue
                if to_lane == lane:
                    notes.append(BadTrack("import.mark_skips", move=move))
                elif abs(to_lane - lane) > 1:
                    notes.append(BadTrack("import.mark_crosses", move=move))
                elif not self._number(s, j):
                    notes.append(BadTrack("import.mark_back", move=move))
                else:
                    notes.append(BadTrack("import.mark_left_out", move=move, kept=kept))
        return notes

    def _number(self, s: int, node: int) -> int:
        """Return the number that a mark in section s gives a space; 0 where it cannot lead.

        The first space of the next section counts as one past the last.
        """
        section, lane, number = self.spots[node]
        if section == s:
            return number
        if section == (s + 1) % len(self.parts) and number == 1:
            return len(self.parts[s].lanes[lane]) + 1
        return 0

    def _rows(self, s: int) -> SectionRows:
        part, stagger = self.parts[s], self._stagger(s)
        rows = []
        for lane, nodes in enumerate(part.lanes):
            words = []
            zips = {-1: 1, 1: 1}
            for number, i in enumerate(nodes, 1):
                if self.drawing.nodes[i].blocked:
                    words.append("x")
                    continue
                written = {}
                for side in (-1, 1):
                    ahead = stagger[lane] - stagger[lane + side] if 0 <= lane + side < len(part.lanes) else 0
                    on_straight = number + (ahead > 0) if abs(ahead) == 1 else 0
                    usual = zips[side] if part.stops else on_straight
                    if target := self._target(s, i, lane + side, usual):
                        zips[side] = target + 1
                        past = target > len(part.lanes[lane + side])
                        told = "" if target == usual else "next" if past else str(target)
                        written[side] = "<>"[side > 0] + told
                both = "*" if written == {-1: "<", 1: ">"} else "".join(written.values())
                words.append(both or "^")
            rows.append(" ".join(words) if part.stops else _shortened(words))
        return SectionRows(rows, stagger)

    def _target(self, s: int, i: int, lane: int, usual: int) -> int:
        """Return the number of the space that a move leads to in a lane, 0 if none does.

        Of several it is the usual one, else the nearest.
        """
        found = {n: j for j in self.moves[i] if self.spots[j][1] == lane and (n := self._number(s, j))}
        if not found:
            return 0
        target = usual if usual in found else min(found)
        self.kept[i, lane] = found[target]
        return target

    def _stagger(self, s: int) -> list[int]:
        """Return how many half spaces each lane lies ahead.

        Most sideways moves of a straight and the first ones of a corner say it, else the picture.
        """
        lanes = self.parts[s].lanes
        stagger = [0]
        for lane in range(len(lanes) - 1):
            votes: Counter[int] = Counter()
            first: tuple[int, int] | None = None
            for a, b in ((lane, lane + 1), (lane + 1, lane)):
                for number, i in enumerate(lanes[a], 1):
                    for j in self.moves[i]:
                        if self.spots[j][1] == b and (target := self._number(s, j)):
                            lies_ahead = 2 * (target - number) - 1
                            votes[lies_ahead if a == lane else -lies_ahead] += 1
                            if first is None or number + target < first[0]:
                                first = number + target, lies_ahead if a == lane else -lies_ahead
            if first is None:
                best = self._lane_lead(s, lane)
            elif self.parts[s].stops:
                best = first[1]
            else:
                best = max(votes, key=lambda v: (votes[v], -abs(v), v))
            stagger.append(stagger[-1] - best)
        return [v - min(stagger) for v in stagger]

    def _lane_lead(self, s: int, lane: int) -> int:
        """Return how many half spaces a lane begins ahead of the one to its right.

        The number is measured in the picture, and odd.
        """
        left, right = self.parts[s].lanes[lane], self.parts[s].lanes[lane + 1]
        after = self.parts[(s + 1) % len(self.parts)]
        road = self.drawing.vector(left[0], (left + after.lanes[lane])[1])
        across = self.drawing.vector(right[0], left[0])
        size = road[0] ** 2 + road[1] ** 2
        if not size:
            return 1
        halves = 2 * (road[0] * across[0] + road[1] * across[1]) / size
        return 2 * round((halves - 1) / 2) + 1


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
