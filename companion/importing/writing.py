"""Our circuit text from a drawing, and the proof that the text says the same as the drawing."""

from __future__ import annotations

import json
import math
import re
from collections import Counter

from companion.importing.drawing import Drawing, listed
from companion.importing.lanes import Lane, find_lanes
from companion.importing.marks import Marks, Rows
from companion.importing.pits import PitLane, find_pit_lane
from companion.importing.sections import Part, cut
from companion.rules import track_check
from companion.rules.circuit_text import Reading, read
from companion.rules.errors import BadTrack
from companion.rules.track import LANE_NAMES, Track

BENDS = 20
"""Degrees from which a corner bends one way; below, it is a corner and its counterpart in one."""
FAR_POLE = 8
"""Pole is nearer to the line than this, in spaces."""
IN_A_CORNER = "lies in a corner; slots lie on the straight."
"""How the checker ends its complaint of a grid slot; a note of our own says what it means for the race."""
OTHER_MEANING = 0.2
"""Where more than this part of the spaces side by side differ, the file means something else by it."""


def circuit_text(drawing: Drawing, name: str) -> tuple[str, bool]:
    """The drawing as the text of a circuit file, and whether that is a circuit as it stands.

    What could not be carried over is added to the drawing's notes.

    `name` is the file's name. Raises BadTrack where there is no board to be made of it.
    """
    lanes = find_lanes(drawing, name)
    parts = cut(drawing, lanes, name)
    marks = Marks(drawing, parts)
    drawing.notes += marks.unsaid()
    pit = find_pit_lane(drawing, {i for lane in lanes for i in lane[: len(lane) // 2]})
    board = _Board(drawing, name, lanes, marks, pit)
    track, complaints = board.read()
    if loose := _unfit(complaints):
        board.loose = loose
        track, complaints = board.read()
    if track is None and pit is not None and pit.line:
        pit.line, line = 0, pit.line
        without, fewer = board.read()
        if without is None:
            pit.line = line
        else:
            track, complaints = without, fewer
    for s in sorted(board.loose):
        nodes = sorted(i for lane in parts[s].lanes for i in lane if i >= 0)
        drawing.notes.append(
            f"The marks of section {s}, nodes {listed(nodes)}, fit no lengths of spaces: the nearest stand (loose = "
            "true); compare who is beside whom there with the board."
        )
    if track is None:
        drawing.notes += [f"To be put right by hand before it can be played: {c}" for c in complaints]
        return board.text(), False
    if drawing.neighbours:
        board.add_neighbours(track)
    if board.loose and not board.beside and not board.apart:
        board.add_sideways(track)
    track = board.read()[0] or track
    _compare(drawing, board, track)
    told = [c for c in track_check.check(track, name) if not c.endswith(IN_A_CORNER)]
    drawing.notes += [f"The checker says of the result: {c}" for c in told]
    return board.text(), True


def _unfit(complaints: list[str]) -> set[int]:
    """The sections that the reader wants to be told of as loose."""
    found = [re.search(r", section (\d+) .*loose = true", complaint) for complaint in complaints]
    return {int(match[1]) for match in found if match}


class _Board:
    """The parts of a circuit file."""

    def __init__(self, drawing: Drawing, name: str, lanes: list[Lane], marks: Marks, pit: PitLane | None) -> None:
        self.drawing, self.name, self.lanes, self.marks, self.pit = drawing, name, lanes, marks, pit
        self.parts, self.rows = marks.parts, marks.rows
        self.lane_names = LANE_NAMES[len(lanes)]
        self.spot_names = {node: f"{s}:{self.lane_names[lane]}:{n}" for node, (s, lane, n) in marks.spots.items()}
        self.loose: set[int] = set()
        self.beside: list[list[str]] = []
        self.apart: list[list[str]] = []
        self.headings = self._headings()

    def read(self) -> Reading:
        """The track that the file makes, as it stands."""
        return read(self.text(), self.name, "imported")

    def text(self) -> str:
        """The whole file."""
        drawing = self.drawing
        title = self.name.rsplit(".", 1)[0].replace("_", " ").replace("-", " ").strip().title() or "Imported"
        low, high = drawing.weather or (8, 12)
        skies = {"rain": [1, low - 1], "changeable": [low, high], "sun": [high + 1, 20]}
        if low == 1 or high == 20:
            drawing.weather = None
            drawing.notes.append(
                f"The weather chart leaves {'rain' if low == 1 else 'sun'} no face of the black die: a default stands."
            )
            skies = {"rain": [1, 7], "changeable": [8, 12], "sun": [13, 20]}
        weather = "{ " + ", ".join(f"{sky} = {band}" for sky, band in skies.items()) + " }"
        told = "the weather chart is that file's" if drawing.weather else "the weather chart is a proposal"
        out = [
            f"# {title}, imported from {self.name}.",
            "#",
            "# Compare it with your board, section by section: spaces a lane, arrows, stops. If left and right are",
            "# exchanged, the drawing was a mirror image. Corners have numbers for names, and the country is to be",
            "# filled in.",
            *(f"# Note: {note}" for note in drawing.notes),
            "",
            f"name    = {_quoted(title)}",
            'country = "not told"',
            'known   = "space"',
            "laps    = { competition = 3, cup = 3, league = 2, death = 2 }",
            f"weather = {weather}",
            f"source  = {_quoted(f'Imported from {self.name}, drawn for a hobby program.')}",
            f"trust   = {_quoted(f'As far as that drawing goes; nobody compared it with a board; {told}.')}",
            f"line    = {json.dumps([self.spot_names[lane[0]] for lane in self.lanes])}",
        ]
        if grid := self._grid():
            out.append(f"grid    = {json.dumps(grid)}")
        for key, pairs in (("beside", self.beside), ("apart", self.apart)):
            if pairs:
                out += [f"{key:<7} = [", *(f"    {json.dumps(pair)}," for pair in pairs), "]"]
        out += self._pit_text()
        number = 0
        for s, (part, rows) in enumerate(zip(self.parts, self.rows, strict=True)):
            number += bool(part.stops)
            out += self._section_text(s, part, rows, number)
        return "\n".join(out) + "\n"

    def _section_text(self, s: int, part: Part, rows: Rows, number: int) -> list[str]:
        direction, bend = self.headings[s]
        out = ["", "[[section]]"]
        if part.stops:
            shortest, longest = self._paths(part)
            out += [
                f'corner  = "Corner {number}"',
                f"stops   = {part.stops}",
                f"shortest = {shortest}",
                f"longest = {longest}",
                f'inside  = "{self._inside(part, bend)}"',
                *(["loose   = true"] if s in self.loose else []),
            ]
        if not part.stops or self.parts[s - 1].stops:
            out.append(f"stagger = {rows.stagger}")
        width = max(7, *map(len, self.lane_names))
        out += [f"{lane:<{width}} = {_quoted(row)}" for lane, row in zip(self.lane_names, rows.lanes, strict=True)]
        out += [f"direction = {direction}", f"bend    = {bend}"]
        return out

    def _grid(self) -> list[str]:
        """Slots by number, else from the one nearest before the line."""
        at = self.marks.spots
        slots = {i: n.slot for i, n in self.drawing.nodes.items() if n.slot is not None and i in at}

        def from_line(i: int) -> tuple[int, int, int, int]:
            s, lane, number = at[i]
            return slots[i] or 0, -s, -2 * number - self.rows[s].stagger[lane], lane

        off = sorted(i for i, n in self.drawing.nodes.items() if n.slot is not None and i not in slots)
        free = [i for i in slots if not self.drawing.nodes[i].blocked]
        if off or len(free) < len(slots):
            bad = sorted({*off, *slots} - set(free))
            self._note(f"Grid slots on nodes {listed(bad)} are left out: no car can stand there.")
        if not free:
            self._note("There is no grid in the file: spaces before the finish line were proposed; check them.")
            return self._proposed_grid()
        grid = sorted(free, key=from_line)
        lane = self.lanes[at[grid[0]][1]]
        gap = len(lane) - lane.index(grid[0])
        if gap > FAR_POLE:
            self._note(
                f"Pole, on node {grid[0]}, lies {gap} spaces before the finish line at node {lane[0]}: check where "
                "the line is."
            )
        if cornered := [slot for slot, i in enumerate(grid, 1) if self.drawing.nodes[i].stops]:
            many, least = len(cornered) > 1, cornered[0] - 1
            self._note(
                f"Grid slot{'s' * many} {listed(cornered)} lie{'s' * (not many)} in a corner, whose stops a car that "
                f"starts there still has to make: move {'them' if many else 'it'} to the straight, which the checker "
                + (f"asks for, or start at most {least} cars." if least > 1 else "asks for.")
            )
        return [self.spot_names[i] for i in grid]

    def _proposed_grid(self) -> list[str]:
        """Left and right in turn, three spaces apart, on the straight before the line."""
        nodes = self.drawing.nodes
        sides = [[i for i in reversed(self.lanes[k]) if not nodes[i].stops and not nodes[i].blocked] for k in (0, -1)]
        slots = [side[3 * row] for row in range(5) for side in sides if 3 * row < len(side)]
        return [self.spot_names[i] for i in slots]

    def _note(self, note: str) -> None:
        if note not in self.drawing.notes:
            self.drawing.notes.append(note)

    def _pit_text(self) -> list[str]:
        if self.pit is None:
            return []
        entries = [[self.spot_names[i], n] for i, n in self.pit.entries]
        exits = [[n, self.spot_names[i]] for n, i in self.pit.exits]
        out = [
            "",
            "[pit]",
            f"entries = {json.dumps(entries)}",
            f"spaces  = {len(self.pit.nodes)}",
            f"boxes   = {self.pit.boxes}",
        ]
        if self.pit.line:
            out.append(f"line    = {self.pit.line}")
        return [*out, f"exits   = {json.dumps(exits)}"]

    def _paths(self, part: Part) -> tuple[int, int]:
        """Shortest and longest path through a corner, in spaces of it."""
        inside = {i for lane in part.lanes for i in lane if not self.drawing.nodes[i].blocked}
        moves = self.drawing.track_moves()
        back: dict[int, list[int]] = {}
        for i, targets in moves.items():
            for j in targets:
                back.setdefault(j, []).append(i)
        enters = [i for i in inside if any(j not in inside for j in back.get(i, []))]
        shortest, longest = 0, 0
        reached = set(enters)
        for steps in range(1, len(inside) + 1):
            if any(j not in inside for i in reached for j in moves[i]):
                shortest = shortest or steps
                longest = steps
            reached = {j for i in reached for j in moves[i] if j in inside}
            if not reached:
                break
        return max(shortest, 1), max(longest, 1)

    def _inside(self, part: Part, bend: int) -> str:
        """The side a corner turns to. One that ends much as it began turns first to where its first sideways
        moves lead, else to the side with fewer spaces."""
        left, right = self.lane_names[0], self.lane_names[-1]
        if abs(bend) >= BENDS:
            return left if bend < 0 else right
        lane_of = {i: k for k, lane in enumerate(self.lanes) for i in lane}
        moves = self.drawing.track_moves()
        first = [(i, j) for lane in part.lanes for i in lane[:3] for j in moves[i]]
        side = sum(lane_of[j] - lane_of[i] for i, j in first) or len(part.lanes[0]) - len(part.lanes[-1]) or bend
        return left if side < 0 else right

    def _headings(self) -> list[tuple[int, int]]:
        """For each section its direction at the beginning (degrees clockwise from the top) and how far it
        turns, along a lane in the middle."""
        row = [i for part in self.parts for i in part.lanes[len(part.lanes) // 2]]
        angles: list[float] = []
        for k in range(len(row)):
            x, y = self.drawing.vector(row[k - 1], row[k])
            angle = math.degrees(math.atan2(x, -y)) if x or y else (angles[-1] if angles else 0.0)
            if angles:
                angle = angles[-1] + (angle - angles[-1] + 180) % 360 - 180
            angles.append(angle)
        closing = angles[-1] + (angles[0] - angles[-1] + 180) % 360 - 180
        starts, at = [], 0
        for part in self.parts:
            starts.append(round(angles[at]))
            at += len(part.lanes[len(part.lanes) // 2])
        ends = [*starts[1:], round(closing)]
        return [(start % 360, max(-360, min(360, end - start))) for start, end in zip(starts, ends, strict=True)]

    def add_sideways(self, track: Track) -> None:
        """In loose corners says of spaces with a move from one to the other that they are side by side."""
        for (i, _), j in self.marks.kept.items():
            a, b = (track.ids[self.spot_names[node]] for node in (i, j))
            if track.spaces[a].section in self.loose and b not in track.beside[a]:
                self.beside.append([self.spot_names[i], self.spot_names[j]])

    def add_neighbours(self, track: Track) -> None:
        """Says which spaces are side by side where the file has it otherwise than our geometry."""
        node_of = {name: i for i, name in self.spot_names.items()}
        lane_of = {i: k for k, lane in enumerate(self.lanes) for i in lane}
        ours = {
            frozenset((node_of[track.spaces[a].name], node_of[track.spaces[b].name]))
            for a in range(len(track.spaces))
            for b in track.beside[a]
        }
        theirs = {
            frozenset((a, b))
            for a, others in self.drawing.neighbours.items()
            for b in others
            if a in lane_of and b in lane_of and abs(lane_of[a] - lane_of[b]) == 1
        }
        if not theirs:
            self._note("The file does not say which spaces are side by side: our geometry does.")
            return
        if len(ours ^ theirs) > OTHER_MEANING * len(ours):
            self._note(
                f"The file names {len(theirs)} pairs of spaces side by side where our geometry gives {len(ours)}, "
                f"and they differ in {len(ours ^ theirs)}: ours stand."
            )
            return
        for pairs, kept in ((theirs - ours, self.beside), (ours - theirs, self.apart)):
            kept += sorted(sorted((self.spot_names[i] for i in pair), key=lambda n: track.ids[n]) for pair in pairs)


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _compare(drawing: Drawing, board: _Board, track: Track) -> None:
    """Notes every difference between the drawing and the track that our text makes."""
    names = board.spot_names
    theirs = Counter(
        (names[i], names[j])
        for i, targets in drawing.track_moves().items()
        if not drawing.nodes[i].blocked
        for j in targets
    )
    ours = Counter(
        (track.spaces[a].name, track.spaces[b].name)
        for a in range(len(track.spaces))
        if track.spaces[a].section >= 0
        for b in track.moves[a]
    )
    node_of = {name: i for i, name in names.items()}
    kept = set(board.marks.kept.items())
    for a, b in sorted(theirs - ours, key=lambda move: track.ids[move[0]]):
        i, j = node_of[a], node_of[b]
        if ((i, board.marks.spots[j][1]), j) in kept or track.ahead[track.ids[a]] == track.ids[b]:
            drawing.notes.append(f"The move from node {i} to {j} ({a} to {b}) did not come over: check the board.")
    for a, b in sorted(ours - theirs, key=lambda move: track.ids[move[0]]):
        drawing.notes.append(
            f"The move from node {node_of[a]} straight ahead to {node_of[b]} ({a} to {b}) is not in the file, but "
            "our format always has it: check the board."
        )
    _compare_order(drawing, board, track)


def _compare_order(drawing: Drawing, board: _Board, track: Track) -> None:
    """Notes corners where the file runs cars in another order than our geometry."""
    for s, part in enumerate(board.parts):
        if not part.stops:
            continue
        turned = []
        for k in range(len(part.lanes) - 1):
            for a in part.lanes[k]:
                for b in part.lanes[k + 1]:
                    one, two = drawing.nodes[a].along, drawing.nodes[b].along
                    if one is None or two is None or drawing.nodes[a].blocked or drawing.nodes[b].blocked:
                        continue
                    ahead = track.place[track.ids[board.spot_names[a]]] - track.place[track.ids[board.spot_names[b]]]
                    if abs(2 * ahead) < track.length and (one - two) * ahead < 0:
                        turned.append((a, b))
        if turned:
            a, b = turned[0]
            drawing.notes.append(
                f"In section {s} the file has {len(turned)} pair{'s' * (len(turned) > 1)} of spaces the other way "
                f"round in the running order, nodes {a} and {b} for one: our geometry stands; `order` can say "
                "otherwise."
            )


def refuse_if_empty(drawing: Drawing, name: str) -> None:
    """Raises BadTrack where there is nothing to drive on."""
    if not any(drawing.track_moves().values()):
        raise BadTrack(f"{name}: no move leads from one space of a track to another.")
