"""A circuit known to the space: its road with what stands on it becomes a track.

From top to bottom: the sections as they are written, each lane a row of marks; the spaces with their names, the printed
moves from one to the next, where each lies along the lap and which lie side by side; the pit lane; the track.
"""

from __future__ import annotations

import heapq
import re
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from types import MappingProxyType

from companion.rules.circuit.geometry import Sideways, fit_corner, half_spaces, shortest_lap, side_by_side
from companion.rules.circuit.table import COMMON_KEYS, TEXTS, CircuitTable, is_whole
from companion.rules.circuit.track import LANE_NAMES, Corner, Pit, Section, Space, Track, Zone

LONGEST_CORNER = 60
"""Maximum number of spaces of a lane in a corner; the longest printed ones have 23."""

_CORNER_KEYS = {"corner", "stops", "shortest", "longest", "inside", "loose"}
_MARK = re.compile(r"(?P<repeat>\d+)?(?P<mark>[\^<>*x])")
_LEADS = re.compile(r"(?:<(?P<left>\d+|next)?)?(?:>(?P<right>\d+|next)?)?")
ZIP, NEXT = 0, -1
"""Targets of a sideways mark without a number: as the zip goes on, or the next section."""


@dataclass(slots=True)
class WrittenSpace:
    """One space as written: whether it is blocked, and where its sideways moves lead.

    A move leads to None, the zip, the next section, or a number. A space from a bare number has only the moves that
    there are.
    """

    blocked: bool = False
    left: int | None = None
    right: int | None = None
    bare: bool = False


@dataclass(slots=True)
class WrittenSection:
    """A section as written."""

    index: int
    where: str
    corner: Corner | None
    lanes: list[list[WrittenSpace]]
    stagger: list[int] | None
    direction: int | None
    bend: int
    loose: bool = False
    """True if the corner's marks are printed so that no lengths meet them all, and the nearest have to do."""
    entry: list[int] = field(default_factory=list)
    """Half space in which each lane begins."""


class WrittenSections(CircuitTable):
    """The sections of a circuit known to the space."""

    lanes: tuple[str, ...]
    rows: list[WrittenSection]

    def read_sections(self) -> None:
        tables = self.tables("section")
        self.rows = []
        self.lanes = ()
        if len(tables) < 2:
            self.complain("", "circuit.too_few")
            return
        every = {name for names in LANE_NAMES.values() for name in names}
        used = {name for table in tables for name in table if name in every}
        for names in LANE_NAMES.values():
            if used <= set(names) and len(used) == len(names):
                self.lanes = names
        if not self.lanes:
            self.complain(
                "",
                "circuit.lanes",
                lanes=", ".join(sorted(used)) or "missing",
            )
            return
        number = 0
        for index, table in enumerate(tables):
            corner = table.get("corner")
            where = f"section {index}" + (f" ({corner})" if isinstance(corner, str) else "")
            before = tables[index - 1]
            known = {*self.lanes, "direction", "bend"}
            staggered = "corner" not in table or "corner" in before
            known |= _CORNER_KEYS if "corner" in table else set()
            known |= {"stagger"} if staggered else set()
            self.only(table, known, where)
            spec: Corner | None = None
            if "corner" in table:
                number += 1
                name = self.text(table, "corner", where)
                stops = self.whole(table, "stops", where, 1, 3)
                shortest, longest = self.printed_paths(table, where)
                inside = table.get("inside")
                if inside not in (self.lanes[0], self.lanes[-1]):
                    self.complain(where, "circuit.inside_form")
                    inside = self.lanes[0]
                lane = self.lanes.index(str(inside))
                spec = Corner(number, name, stops, shortest, longest, lane, index)
            marks = [self._marks(table, lane, f"{where}, lane {lane}") for lane in self.lanes]
            for lane_name, along in zip(self.lanes, marks, strict=True):
                if spec and len(along) > LONGEST_CORNER:
                    self.complain(
                        f"{where}, lane {lane_name}",
                        "circuit.corner_spaces",
                        n=len(along),
                        most=LONGEST_CORNER,
                    )
            stagger = self._stagger(table, where) if staggered else None
            direction = self.whole(table, "direction", where, 0, 359) if "direction" in table else None
            bend = self.whole(table, "bend", where, -360, 360) if "bend" in table else 0
            loose = table.get("loose", False)
            if not isinstance(loose, bool):
                self.complain(where, "circuit.loose")
            self.rows.append(WrittenSection(index, where, spec, marks, stagger, direction, bend, loose is True))
        if not number:
            self.complain("", "circuit.no_corner")

    def _stagger(self, table: Mapping[str, object], where: str) -> list[int]:
        value = table.get("stagger")
        if isinstance(value, list) and len(value) == len(self.lanes) and all(is_whole(v) for v in value):
            return [v - min(value) for v in value]
        example = list(range(len(self.lanes)))
        self.complain(where, "circuit.stagger", example=example)
        return example

    def _marks(self, table: Mapping[str, object], lane: str, where: str) -> list[WrittenSpace]:
        value = table.get(lane)
        if value is None:
            self.complain(where, "circuit.lane_missing")
            return []
        if is_whole(value):
            value = str(value)
        if not isinstance(value, str):
            self.complain(where, "circuit.lane_form")
            return []
        leftmost, rightmost = lane == self.lanes[0], lane == self.lanes[-1]
        marks: list[WrittenSpace] = []
        for word in value.split():
            here = f"{where}, space {len(marks) + 1}"
            if word.isdecimal():
                if not 1 <= _whole(word) <= 200:
                    self.complain(here, "circuit.no_count", word=word)
                    continue
                left, right = None if leftmost else ZIP, None if rightmost else ZIP
                marks += [WrittenSpace(left=left, right=right, bare=True) for _ in range(int(word))]
                continue
            repeat, new = 1, WrittenSpace()
            if plain := _MARK.fullmatch(word):
                repeat = _whole(plain["repeat"] or "1")
                new.blocked = plain["mark"] == "x"
                new.left = ZIP if plain["mark"] in "<*" else None
                new.right = ZIP if plain["mark"] in ">*" else None
            elif leads := _LEADS.fullmatch(word):
                new.left = _target(leads["left"]) if "<" in word else None
                new.right = _target(leads["right"]) if ">" in word else None
            else:
                self.complain(
                    here,
                    "circuit.no_mark",
                    word=word,
                )
                continue
            if not 1 <= repeat <= 200:
                self.complain(here, "circuit.mark_repeats", word=word, small=repeat < 1)
                continue
            if leftmost and new.left is not None:
                self.complain(here, "circuit.mark_left", word=word)
                continue
            if rightmost and new.right is not None:
                self.complain(here, "circuit.mark_right", word=word)
                continue
            marks += [WrittenSpace(new.blocked, new.left, new.right) for _ in range(repeat)]
        if not marks:
            self.complain(where, "circuit.lane_empty")
        return marks


def _target(written: str | None) -> int:
    if written is None:
        return ZIP
    return NEXT if written == "next" else _whole(written)


def _whole(written: str) -> int:
    """Return a whole number; a billion stands for all that are larger, as Python reads only so many digits."""
    return int(written) if len(written) < 10 else 10**9


MAX_MISFIT = 0.02
"""Misfit of a corner's marks, in half spaces, above which the corner has to be declared loose."""


class Road(WrittenSections):
    """The road of a circuit known to the space.

    Its steps fill these in, one after another; a step that cannot go on leaves complaints.
    """

    ids: dict[str, int]
    spaces: list[Space]
    ahead: list[int]
    moves: list[list[int]]
    sideways: list[list[Sideways]]
    length: int
    stretch: dict[int, tuple[float, float]]
    place: list[int]

    def name_spaces(self) -> None:
        self.spaces = []
        for row in self.rows:
            for lane, marks in enumerate(row.lanes):
                for number in range(1, len(marks) + 1):
                    name = f"{row.index}:{self.lanes[lane]}:{number}"
                    self.spaces.append(Space(len(self.spaces), name, row.index, lane, number))
        self.ids = {space.name: space.id for space in self.spaces}

    def space_at(self, section: int, lane: int, number: int) -> int:
        """Return the id of a space that is there; the number after a lane's last is the first of the next section."""
        if number > len(self.rows[section].lanes[lane]):
            section, number = (section + 1) % len(self.rows), 1
        return self.ids[f"{section}:{self.lanes[lane]}:{number}"]

    def mark_of(self, space: int) -> WrittenSpace:
        at = self.spaces[space]
        return self.rows[at.section].lanes[at.lane][at.number - 1]

    def space_before(self, space: Space) -> int:
        if space.number > 1:
            return space.id - 1
        section = (space.section - 1) % len(self.rows)
        return self.space_at(section, space.lane, len(self.rows[section].lanes[space.lane]))

    def space_after(self, space: int) -> int:
        at = self.spaces[space]
        return self.space_at(at.section, at.lane, at.number + 1)

    # Spaces that the file names

    def space_named(self, value: object, where: str) -> int | None:
        """Return the id of a space of the track that the file names."""
        if not isinstance(value, str):
            self.complain(where, "circuit.space_form", value=f"{value!r}")
            return None
        found = self.ids.get(value)
        if found is not None:
            return found
        parts = value.split(":")
        if len(parts) == 3 and parts[0].isdecimal() and int(parts[0]) < len(self.rows) and parts[1] in self.lanes:
            row, lane = self.rows[int(parts[0])], self.lanes.index(parts[1])
            self.complain(
                where,
                "circuit.no_space_in_lane",
                at=value,
                lane=parts[1],
                section=row.where,
                count=len(row.lanes[lane]),
            )
        else:
            self.complain(
                where,
                "circuit.no_space",
                at=value,
                last=len(self.rows) - 1,
                lanes=", ".join(self.lanes),
            )
        return None

    def spaces_named(self, name: str, each: str) -> list[int]:
        value = self.table.get(name)
        if not isinstance(value, list) or not value:
            self.complain("", "circuit.spaces_missing", name=name, example=name)
            return []
        found = [self.space_named(v, f"{each} {i}") for i, v in enumerate(value, 1)]
        return [s for s in found if s is not None]

    def pairs_named(self, name: str) -> list[tuple[int, int]]:
        value = self.table.get(name, [])
        pairs: list[tuple[int, int]] = []
        if not isinstance(value, list):
            self.complain("", "circuit.pairs_form", name=name)
            return pairs
        for i, pair in enumerate(value, 1):
            if not isinstance(pair, list) or len(pair) != 2:
                self.complain(f"{name} {i}", "circuit.pair_form")
                continue
            a, b = (self.space_named(v, f"{name} {i}") for v in pair)
            if a is not None and b is not None:
                pairs.append((a, b))
        return pairs

    # Moves

    def lead_moves(self) -> None:
        self.ahead = []
        self.moves = []
        self.sideways = [[] for _ in self.rows]
        zips: dict[tuple[int, int, int], int] = {}
        for space in self.spaces:
            row, mark = self.rows[space.section], self.mark_of(space.id)
            ahead = self.space_at(space.section, space.lane, space.number + 1)
            if mark.blocked or self.mark_of(ahead).blocked:
                ahead = -1
            left = self._side(row, space, mark, mark.left, -1, zips)
            right = self._side(row, space, mark, mark.right, 1, zips)
            self.ahead.append(ahead)
            self.moves.append([to for to in (left, ahead, right) if to >= 0])

    def _side(
        self,
        row: WrittenSection,
        space: Space,
        mark: WrittenSpace,
        leads: int | None,
        side: int,
        zips: dict[tuple[int, int, int], int],
    ) -> int:
        """Return the space that a sideways mark leads to, or -1 for none."""
        if leads is None:
            return -1
        where = f"{row.where}, lane {self.lanes[space.lane]}, space {space.number}"
        lane = space.lane + side
        count = len(row.lanes[lane])
        sign, name = "<>"[side > 0], self.lanes[lane]
        zipped = (row.index, space.lane, side)
        if leads == NEXT:
            number = count + 1
        elif leads != ZIP:
            number = leads
        elif row.corner:
            number = zips.get(zipped, 1)
        else:
            stagger = row.stagger or []
            ahead = stagger[space.lane] - stagger[lane]
            if abs(ahead) != 1:
                self.complain(
                    where,
                    "circuit.mark_unclear",
                    sign=sign,
                    lane=name,
                    mark=f"{sign}{space.number}",
                )
                return -1
            number = space.number + (ahead > 0)
        zips[zipped] = number + 1
        if number > count + 1 or (number > count and leads > 0):
            self.complain(
                where,
                "circuit.mark_leads_beyond",
                sign=sign,
                to=number,
                lane=name,
                count=count,
                most=count,
            )
            return -1
        to = self.space_at(row.index, lane, number)
        if self.mark_of(to).blocked:
            if not mark.bare:
                self.complain(where, "circuit.mark_blocked", sign=sign, to=self.spaces[to].name)
            return -1
        if row.corner:
            self.sideways[row.index].append(Sideways(space.lane, space.number, lane, number))
        return to

    # What the sections say of their spaces

    def made_sections(self) -> tuple[Section, ...]:
        made: list[Section] = []
        heading = 0
        for row in self.rows:
            heading = row.direction if row.direction is not None else heading
            lanes = tuple(
                tuple(self.space_at(row.index, lane, n) for n in range(1, len(marks) + 1))
                for lane, marks in enumerate(row.lanes)
            )
            stagger = tuple(entry - min(row.entry) for entry in row.entry)
            made.append(Section(row.index, row.corner, lanes, stagger, heading, row.bend))
            heading = (heading + row.bend) % 360
        return tuple(made)

    def corner_of(self) -> list[int]:
        corners = [row.corner.number - 1 if row.corner else -1 for row in self.rows]
        return [corners[s.section] for s in self.spaces if s.section >= 0]

    def straight_of(self) -> list[int]:
        numbers: list[int] = []
        count = 0
        for row in self.rows:
            if row.corner:
                numbers.append(-1)
            elif row.index and numbers[-1] >= 0:
                numbers.append(numbers[-1])
            else:
                numbers.append(count)
                count += 1
        if numbers[0] >= 0 and numbers[-1] > 0:
            joined = numbers[-1]
            numbers = [0 if n == joined else n for n in numbers]
        return [numbers[s.section] for s in self.spaces if s.section >= 0]

    # Along the lap: laid out from where section 0 begins, then counted from the line

    def lay_out(self) -> dict[int, int]:
        """Return the half space of every front end, counted from where section 0 begins.

        Sets the stretches and the lap.
        """
        self.stretch = {}
        self.length = 0
        cells: dict[int, int] = {}
        first = self.rows[0]
        if first.stagger is not None:
            first.entry = list(first.stagger)
        else:
            last = self.rows[-1]
            ends = [
                s + 2 * len(marks) for s, marks in zip(last.stagger or first.stagger or [], last.lanes, strict=True)
            ]
            first.entry = [end - min(ends) for end in ends]
        for row in self.rows:
            following = self.rows[(row.index + 1) % len(self.rows)]
            begins = following.stagger if following.index else first.entry
            if row.corner:
                # After a corner the next section always says its stagger; only section 0 may have got it above.
                fit = fit_corner([len(marks) for marks in row.lanes], row.entry, begins or [], self.sideways[row.index])
                lengths: Sequence[Sequence[float]] = fit.lengths
                ends = [fit.end + b for b in begins or []]
                if fit.misfit <= MAX_MISFIT and row.loose:
                    self.complain(row.where, "circuit.loose_needless")
                elif fit.misfit > MAX_MISFIT and row.loose:
                    lengths = [
                        [length * (end - entry) / sum(lane) for length in lane]
                        for lane, entry, end in zip(lengths, row.entry, ends, strict=True)
                    ]
                elif fit.misfit > MAX_MISFIT:
                    self._do_not_fit(row, begins or [])
            else:
                lengths = [[2.0] * len(marks) for marks in row.lanes]
                ends = [entry + 2 * len(marks) for entry, marks in zip(row.entry, row.lanes, strict=True)]
            for lane, along in enumerate(lengths):
                rear = float(row.entry[lane])
                for number, (length, cell) in enumerate(
                    zip(along, half_spaces(row.entry[lane], along), strict=True), 1
                ):
                    space = self.space_at(row.index, lane, number)
                    self.stretch[space] = (rear, rear + length)
                    cells[space] = cell
                    rear += length
            self._close(row, following, ends, begins)
        return cells

    def _do_not_fit(self, row: WrittenSection, begins: list[int]) -> None:
        """Complain of the marks of a corner that no lengths of spaces meet.

        The complaint says which lane of the straight before has a space too few or too many, else which mark is out of
        place.
        """
        moves = sorted(self.sideways[row.index], key=lambda move: move.number)
        before = self.rows[row.index - 1]

        def fits(entry: Sequence[int], sideways: Sequence[Sideways]) -> bool:
            return fit_corner([len(marks) for marks in row.lanes], entry, begins, sideways).misfit <= MAX_MISFIT

        def miscounted(much: int) -> list[str]:
            """Return the lanes of the straight before where one space more, or less, would let the marks fit."""
            return [
                name
                for lane, name in enumerate(self.lanes if before.corner is None else ())
                if fits([entry + much * (k == lane) for k, entry in enumerate(row.entry)], moves)
            ]

        alone = [at for at in _skipping(moves) if fits(row.entry, moves[:at] + moves[at + 1 :])]
        # The marks up to it fit, with it they do not: more marks never fit better.
        found = bisect_left(range(len(moves) + 1), True, key=lambda end: not fits(row.entry, moves[:end])) - 1
        first = alone[0] if alone else found
        few = miscounted(2)
        many = miscounted(-2) if not few and not alone else []
        if lanes := few or many:
            more = "more" if few else "less"
            self.complain(
                f"{row.where}, lane {lanes[0]}, space 1",
                "circuit.marks_fit_with",
                much=more,
                section=before.where,
                lanes=", ".join(lanes),
            )
            return
        where = row.where
        if 0 <= first < len(moves):
            where += f", lane {self.lanes[moves[first].lane]}, space {moves[first].number}"
        self.complain(
            where,
            "circuit.marks_unfit",
        )

    def _close(self, row: WrittenSection, following: WrittenSection, ends: list[int], begins: list[int] | None) -> None:
        """Make the lanes of a section end where those of the next begin."""
        if begins is None:
            following.entry = ends
            return
        starts = [end - begin for end, begin in zip(ends, begins, strict=True)]
        usual = max(starts, key=starts.count)
        beside = self.lanes[starts.index(usual)]
        for lane, start in enumerate(starts):
            if start != usual:
                much, way = abs(start - usual), "beyond" if start > usual else "short of"
                self.complain(
                    f"{row.where}, lane {self.lanes[lane]}, space {len(row.lanes[lane])}",
                    "circuit.lane_ends",
                    first=beside,
                    much=much,
                    way=way,
                    following=following.where,
                )
        if following.index:
            following.entry = [starts[0] + begin for begin in begins]
        else:
            self.length = starts[0]

    def read_line(self, cells: dict[int, int]) -> list[int]:
        """Return the first space past the line in each lane; set every place."""
        line = self.spaces_named("line", "line")
        lanes = [self.spaces[s].lane for s in line]
        if not self.complaints and lanes != list(range(len(self.lanes))):
            self.complain("line", "circuit.line_spaces", lanes=", ".join(self.lanes))
        if self.complaints:
            return []
        origin = min(
            (cells[s] for s in line),
            key=lambda cell: (cell - cells[line[0]] + self.length // 2) % self.length,
        )
        self.place = [(cells[s] - origin) % self.length for s in range(len(self.spaces))]
        for space in line:
            at = self.spaces[space]
            before = self.space_before(at)
            if 2 * self.place[before] < self.length:
                self.complain(
                    "line",
                    "circuit.first_past_line",
                    at=at.name,
                    before=self.spaces[before].name,
                )
        return line

    def read_exceptions(self) -> None:
        for name, gain in (("order", 1), ("level", 0)):
            for a, b in self.pairs_named(name):
                if gain and (self.place[a] - self.place[b] - 1) % self.length < self.length // 2:
                    self.complain(
                        name,
                        "circuit.order_needless",
                        one=self.spaces[a].name,
                        other=self.spaces[b].name,
                    )
                place = (self.place[b] + gain) % self.length
                after, before = self.space_after(a), self.space_before(self.spaces[a])
                if (
                    not 0 < (self.place[after] - place) % self.length < self.length // 2
                    or not 0 < (place - self.place[before]) % self.length < self.length // 2
                ):
                    self.complain(
                        name,
                        "circuit.order_level",
                        at=self.spaces[a].name,
                    )
                self.place[a] = place

    def neighbours(self) -> list[set[int]]:
        usable = [
            [s.id for s in self.spaces if s.lane == lane and not self.mark_of(s.id).blocked]
            for lane in range(len(self.lanes))
        ]
        pairs = side_by_side(usable, self.stretch, self.length)
        for name, wanted in (("beside", True), ("apart", False)):
            for a, b in self.pairs_named(name):
                if abs(self.spaces[a].lane - self.spaces[b].lane) != 1:
                    self.complain(
                        name,
                        "circuit.not_neighbours",
                        one=self.spaces[a].name,
                        other=self.spaces[b].name,
                    )
                    continue
                pair = (a, b) if self.spaces[a].lane < self.spaces[b].lane else (b, a)
                if (pair in pairs) == wanted:
                    self.complain(
                        name,
                        "circuit.pair_needless",
                        one=self.spaces[a].name,
                        other=self.spaces[b].name,
                        how=name,
                    )
                elif wanted:
                    pairs.add(pair)
                else:
                    pairs.discard(pair)
        beside: list[set[int]] = [set() for _ in self.spaces]
        for a, b in pairs:
            beside[a].add(b)
            beside[b].add(a)
        return beside


def _skipping(moves: Sequence[Sideways]) -> list[int]:
    """Return the marks of a corner, by index, that lead past the next space of the lane beside."""
    last: dict[tuple[int, int], int] = {}
    found = []
    for at, (lane, _, to_lane, to) in enumerate(moves):
        if to != last.get((lane, to_lane), 0) + 1:
            found.append(at)
        last[lane, to_lane] = to
    return found


_PIT_KEYS = {"entries", "spaces", "boxes", "line", "exits"}


class WrittenPits(Road):
    """The pit lane beside a road."""

    def pit_lane(self) -> Pit | None:
        """Return the pit lane, its spaces and boxes appended to the others; the limit is filled in later."""
        table = self.table.get("pit")
        if table is None:
            return None
        if not isinstance(table, dict):
            self.complain("", "circuit.pit_form")
            return None
        self.only(table, _PIT_KEYS, "pit lane")
        count = self.whole(table, "spaces", "pit lane", 1, 99)
        line = self.whole(table, "line", "pit lane", 1, count) if "line" in table else 0
        entries = [(track, lane) for lane, track in self._doors(table, "entries", count, 1)]
        exits = self._doors(table, "exits", count, 0)
        fronts: list[int] = []
        boxes = table.get("boxes")
        if not isinstance(boxes, list) or not boxes:
            self.complain("pit lane", "circuit.boxes_form")
            boxes = []
        for i, front in enumerate(boxes, 1):
            if not is_whole(front) or not 1 <= front <= count:
                self.complain(f"box {i}", "circuit.box_beyond", at=f"{front!r}", count=count)
            elif front in fronts:
                self.complain(f"box {i}", "circuit.box_taken", box=fronts.index(front) + 1, at=front)
            else:
                fronts.append(front)
        if entries and min(lane for _, lane in entries) != 1:
            self.complain("pit lane, space 1", "circuit.no_entry")
        if exits and max(lane for lane, _ in exits) != count:
            self.complain(f"pit lane, space {count}", "circuit.no_exit")
        if self.complaints:
            return None
        start = len(self.spaces)
        places = self._pit_places(count, line, entries, exits)
        for number in range(1, count + 1):
            self.spaces.append(Space(len(self.spaces), f"pit:{number}", -1, -1, number))
            following = start + number if number < count else -1
            self.ahead.append(following)
            out = [track for lane, track in exits if lane == number]
            self.moves.append(([following] if following >= 0 else []) + out)
        for number, front in enumerate(fronts, 1):
            self.spaces.append(Space(len(self.spaces), f"box:{number}", -1, -1, number))
            self.ahead.append(-1)
            self.moves.append([start + front - 1])
        self.place += places + [places[front - 1] for front in fronts]
        self.ids.update((space.name, space.id) for space in self.spaces[start:])
        return Pit(
            tuple(range(start, start + count)),
            tuple(range(start + count, start + count + len(fronts))),
            tuple(start + front - 1 for front in fronts),
            tuple((track, start + lane - 1) for track, lane in entries),
            tuple((start + lane - 1, track) for lane, track in exits),
            0,
        )

    def _doors(self, table: Mapping[str, object], name: str, count: int, lane_at: int) -> list[tuple[int, int]]:
        """Return entries or exits as (number of the lane space, space of the track).

        `lane_at` is where in the written pair the lane space stands.
        """
        written = '["0:right:1", 1]' if lane_at else '[18, "0:right:1"]'
        value = table.get(name)
        if not isinstance(value, list) or not value:
            self.complain("pit lane", "circuit.pit_list", name=name, example=written)
            return []
        doors: list[tuple[int, int]] = []
        for i, pair in enumerate(value, 1):
            where = f"pit lane, {'entry' if lane_at else 'exit'} {i}"
            if not isinstance(pair, list) or len(pair) != 2 or not is_whole(pair[lane_at]):
                self.complain(where, "circuit.link_form", example=written)
                continue
            lane, track = pair[lane_at], self.space_named(pair[1 - lane_at], where)
            if not 1 <= lane <= count:
                self.complain(where, "circuit.no_pit_space", at=lane, count=count)
            elif track is not None and (lane, track) in doors:
                self.complain(where, "circuit.twice")
            elif track is not None:
                doors.append((lane, track))
        return doors

    def _pit_places(
        self, count: int, line: int, entries: list[tuple[int, int]], exits: list[tuple[int, int]]
    ) -> list[int]:
        """Return the places of the lane spaces: half a space past the entry to half a space before the exit.

        They lie evenly between; the lane spaces before the line and those past it stay on their side of it.
        """
        first = [track for track, lane in entries if lane == 1]
        last = [track for lane, track in exits if lane == count]
        base = (self.place[first[0]] - self.length // 4) % self.length
        start = max((self.place[s] - base) % self.length for s in first) + 1
        end = min((self.place[s] - base) % self.length for s in last) - 1
        if end - start < count - 1:
            self.complain(
                "pit lane",
                "circuit.pit_room",
                count=count,
            )
            return [0] * count
        crossing = -base % self.length
        places: list[int] = []
        for number in range(1, count + 1):
            along = start + (end - start) * (number - 1) // max(count - 1, 1)
            if line:
                along = (
                    min(along, crossing - 1 - (line - 1 - number))
                    if number < line
                    else max(along, crossing + number - line)
                )
            places.append(along)
        if any(b <= a for a, b in pairwise(places)) or places[-1] > end or places[0] < start:
            self.complain(
                f"pit lane, space {line}",
                "circuit.line_elsewhere",
            )
        return [(base + along) % self.length for along in places]

    def past_limit(self, pit: Pit, back: list[list[int]], on_track: int) -> tuple[frozenset[int], int]:
        """Return the spaces past the pit entry, as far as its exit, and the smallest place among them.

        No printed move leads from them into the lane any more: in each lane they lie past the last space that still
        leads there.
        """
        doors = [track for track, _ in pit.entries]
        base = (self.place[doors[0]] - self.length // 4) % self.length
        along = [(self.place[s] - base) % self.length for s in range(on_track)]
        leading = set(doors)
        waiting = list(doors)
        while waiting:
            for before in back[waiting.pop()]:
                if before < on_track and before not in leading and along[before] <= max(along[s] for s in doors):
                    leading.add(before)
                    waiting.append(before)
        end = max(along[track] for _, track in pit.exits)
        past: set[int] = set()
        for lane in range(len(self.lanes)):
            mine = [s for s in range(on_track) if self.spaces[s].lane == lane and not self.mark_of(s).blocked]
            last = max((along[s] for s in mine if s in leading), default=min(along[s] for s in doors))
            past.update(s for s in mine if last < along[s] <= end)
        if not past:
            return frozenset(), 0
        return frozenset(past), self.place[min(past, key=lambda s: (along[s], s))]


_KEYS = {*COMMON_KEYS, "line", "grid", "beside", "apart", "order", "level", "pit", "section", "drs"}


class BoardFile(WrittenPits):
    """The file of a circuit known to the space."""

    def track(self) -> Track | None:
        if self.table.get("known") not in (None, "space"):
            self.complain("", "circuit.known")
        self.only(self.table, _KEYS, "")
        texts = [self.text(self.table, name, "") for name in TEXTS]
        laps, weather = self.laps(), self.weather()
        self.read_sections()
        if self.complaints:
            return None
        self.name_spaces()
        self.lead_moves()
        if self.complaints:
            return None
        cells = self.lay_out()
        if self.complaints:
            return None
        line = self.read_line(cells)
        if self.complaints:
            return None
        self.read_exceptions()
        beside = self.neighbours()
        on_track = len(self.spaces)
        grid = self._grid()
        wall = self._wall()
        zones = self._zones()
        pit = self.pit_lane()
        past_limit: frozenset[int] = frozenset()
        back = self._backwards()
        if pit is not None:
            past_limit, limit = self.past_limit(pit, back, on_track)
            pit = Pit(pit.spaces, pit.boxes, pit.fronts, pit.entries, pit.exits, limit)
        order = self._order(pit)
        if self.complaints:
            return None
        in_pits = len(self.spaces) - on_track
        behind = [-1] * len(self.spaces)
        for space, to in enumerate(self.ahead):
            if to >= 0:
                behind[to] = space
        name, country, _, source, trust = texts
        return Track(
            key=self.key,
            name=name,
            country=country,
            known="space",
            laps=laps,
            weather=weather,
            source=source,
            trust=trust,
            shortest_lap=shortest_lap(self.moves, self.place, order, self.length, on_track),
            box_count=len(pit.boxes) if pit else 0,
            lanes=self.lanes,
            sections=self.made_sections(),
            corners=tuple(row.corner for row in self.rows if row.corner),
            spaces=tuple(self.spaces),
            ids=MappingProxyType(self.ids),
            blocked=frozenset(s for s in range(on_track) if self.mark_of(s).blocked),
            ahead=tuple(self.ahead),
            moves=tuple(map(tuple, self.moves)),
            back=tuple(map(tuple, back)),
            behind=tuple(behind),
            beside=(*(tuple(sorted(b)) for b in beside), *[()] * in_pits),
            place=tuple(self.place),
            stretch=tuple(self.stretch[s] for s in range(on_track)),
            length=self.length,
            corner=(*self.corner_of(), *[-1] * in_pits),
            straight=(*self.straight_of(), *[-1] * in_pits),
            order=order,
            line=frozenset(line),
            past_limit=past_limit,
            grid=grid,
            pit=pit,
            zones=zones,
            wall=wall,
        )

    def _grid(self) -> tuple[int, ...]:
        grid = self.spaces_named("grid", "grid slot")
        for i, space in enumerate(grid):
            where, name = f"grid slot {i + 1}", self.spaces[space].name
            if space in grid[:i]:
                self.complain(
                    where,
                    "circuit.slot_taken",
                    at=name,
                    slot=grid.index(space) + 1,
                )
            elif self.mark_of(space).blocked:
                self.complain(where, "circuit.slot_blocked", at=name)
        return tuple(grid)

    def _wall(self) -> int:
        wall = self.table.get("wall")
        if wall is None:
            return -1
        if wall not in (self.lanes[0], self.lanes[-1]):
            self.complain("", "circuit.wall", left=self.lanes[0], right=self.lanes[-1])
            return -1
        return self.lanes.index(str(wall))

    def _zones(self) -> tuple[Zone, ...]:
        zones: list[Zone] = []
        for i, table in enumerate(self.tables("drs"), 1):
            where = f"DRS zone {i}"
            self.only(table, {"name", "sections", "proposed"}, where)
            name = self.text(table, "name", where)
            proposed = table.get("proposed", False)
            if not isinstance(proposed, bool):
                self.complain(where, "circuit.zone_proposed")
            sections = table.get("sections")
            if not isinstance(sections, list) or not sections or not all(is_whole(v) for v in sections):
                self.complain(where, "circuit.zone_sections")
                continue
            for index in sections:
                if not 0 <= index < len(self.rows):
                    self.complain(where, "circuit.no_section", index=index, last=len(self.rows) - 1)
            inside = frozenset(s.id for s in self.spaces if s.section in sections)
            for other in zones:
                if other.spaces & inside:
                    self.complain(where, "circuit.zone_shared", zone=other.name)
            zones.append(Zone(name, inside, proposed is True))
        return tuple(zones)

    def _backwards(self) -> list[list[int]]:
        back: list[list[int]] = [[] for _ in self.spaces]
        for space, moves in enumerate(self.moves):
            for to in moves:
                back[to].append(space)
        return back

    def _order(self, pit: Pit | None) -> tuple[int, ...]:
        """Rank every space so that no move but those over the line goes back."""
        steps: list[set[int]] = [set(moves) for moves in self.moves]
        for track, lane in pit.entries if pit else ():
            steps[track].add(lane)
        lap = self.length
        before = [0] * len(self.spaces)
        for space, to_all in enumerate(steps):
            to_all -= {to for to in to_all if 2 * self.place[space] >= lap > 2 * self.place[to]}
            for to in to_all:
                before[to] += 1
        ready = [(self.place[s], s) for s in range(len(self.spaces)) if not before[s]]
        heapq.heapify(ready)
        rank = [-1] * len(self.spaces)
        done = 0
        while ready:
            _, space = heapq.heappop(ready)
            rank[space] = done
            done += 1
            for to in steps[space]:
                before[to] -= 1
                if not before[to]:
                    heapq.heappush(ready, (self.place[to], to))
        if done < len(self.spaces):
            stuck = next(s for s in self.spaces if rank[s.id] < 0)
            self.complain(
                f"{self.rows[stuck.section].where}, lane {self.lanes[stuck.lane]}, space {stuck.number}"
                if stuck.section >= 0
                else f"pit lane, space {stuck.number}",
                "circuit.marks_circle",
            )
        return tuple(rank)
