"""The road as a circuit file draws it: rows of marks become spaces, printed moves and places along the lap."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from companion.rules.circuit_table import CircuitTable, is_whole
from companion.rules.geometry import Sideways, fit_corner, half_spaces
from companion.rules.track import LANE_NAMES, Corner, Section, Space

LOOSE_FIT = 0.02
"""How far, in half spaces, the marks of a corner may be from fitting together."""
LONGEST_CORNER = 60
"""The most spaces a lane can have in a corner; the longest printed ones have 23."""

_CORNER_KEYS = {"corner", "stops", "shortest", "longest", "inside", "loose"}
_MARK = re.compile(r"(?P<repeat>\d{1,4})?(?P<mark>[\^<>*x])")
_LEADS = re.compile(r"(?:<(?P<left>\d{1,4}|next)?)?(?:>(?P<right>\d{1,4}|next)?)?")
_ZIP = 0
_NEXT = -1


@dataclass(slots=True)
class Mark:
    """One space as written: whether it is blocked, and where its sideways moves lead: None, the zip, the next
    section, or a number. A space from a bare number has only the moves that there are."""

    blocked: bool = False
    left: int | None = None
    right: int | None = None
    bare: bool = False


@dataclass(slots=True)
class Row:
    """A section as written."""

    index: int
    where: str
    corner: Corner | None
    lanes: list[list[Mark]]
    stagger: list[int] | None
    direction: int | None
    bend: int
    loose: bool = False
    """Whether the marks of a corner are printed so that no lengths meet them all, and the nearest have to do."""
    entry: list[int] = field(default_factory=list)
    """Half space where each lane begins."""


class Road(CircuitTable):
    """The road of a circuit known to the space. Its steps fill these in, one after another; a step that cannot go
    on leaves complaints."""

    lanes: tuple[str, ...]
    rows: list[Row]
    ids: dict[str, int]
    spaces: list[Space]
    ahead: list[int]
    moves: list[list[int]]
    sideways: list[list[Sideways]]
    length: int
    stretch: dict[int, tuple[float, float]]

    # What is written

    def read_sections(self) -> None:
        tables = self.tables("section")
        self.rows = []
        self.lanes = ()
        if len(tables) < 2:
            self.complain("", "a circuit has at least a straight and a corner, each written as [[section]].")
            return
        every = {name for names in LANE_NAMES.values() for name in names}
        used = {name for table in tables for name in table if name in every}
        for names in LANE_NAMES.values():
            if used <= set(names) and len(used) == len(names):
                self.lanes = names
        if not self.lanes:
            self.complain(
                "",
                f"the lanes are {', '.join(sorted(used)) or 'missing'}; a board has left, right, or left, middle,"
                " right, or left, inner-left, inner-right, right.",
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
                    self.complain(where, 'inside has to say which side the bend turns to, "left" or "right".')
                    inside = self.lanes[0]
                lane = self.lanes.index(str(inside))
                spec = Corner(number, name, stops, shortest, longest, lane, index)
            marks = [self._marks(table, lane, f"{where}, lane {lane}") for lane in self.lanes]
            for lane_name, along in zip(self.lanes, marks, strict=True):
                if spec and len(along) > LONGEST_CORNER:
                    self.complain(
                        f"{where}, lane {lane_name}",
                        f"{len(along)} spaces are too many for a corner; {LONGEST_CORNER} is the most.",
                    )
            stagger = self._stagger(table, where) if staggered else None
            direction = self.whole(table, "direction", where, 0, 359) if "direction" in table else None
            bend = self.whole(table, "bend", where, -360, 360) if "bend" in table else 0
            loose = table.get("loose", False)
            if not isinstance(loose, bool):
                self.complain(where, "loose has to be true or false; true lets the nearest lengths stand.")
            self.rows.append(Row(index, where, spec, marks, stagger, direction, bend, loose is True))
        if not number:
            self.complain("", "there is no corner; a section with corner = and its name is one.")

    def _stagger(self, table: Mapping[str, object], where: str) -> list[int]:
        value = table.get("stagger")
        if isinstance(value, list) and len(value) == len(self.lanes) and all(is_whole(v) for v in value):
            return [v - min(value) for v in value]
        example = list(range(len(self.lanes)))
        self.complain(where, f"stagger has to say how many half spaces each lane lies ahead, such as {example}.")
        return example

    def _marks(self, table: Mapping[str, object], lane: str, where: str) -> list[Mark]:
        value = table.get(lane)
        if value is None:
            self.complain(where, "the lane is missing; every section has every lane.")
            return []
        if is_whole(value):
            value = str(value)
        if not isinstance(value, str):
            self.complain(where, 'a lane is a row of marks in quotation marks, such as "3> ^", or a number of spaces.')
            return []
        leftmost, rightmost = lane == self.lanes[0], lane == self.lanes[-1]
        marks: list[Mark] = []
        for word in value.split():
            here = f"{where}, space {len(marks) + 1}"
            if word.isdecimal() and len(word) < 5:
                if not 1 <= int(word) <= 200:
                    self.complain(here, f"{word} is no number of spaces; a row has from 1 to 200.")
                    continue
                left, right = None if leftmost else _ZIP, None if rightmost else _ZIP
                marks += [Mark(left=left, right=right, bare=True) for _ in range(int(word))]
                continue
            repeat, new = 1, Mark()
            if plain := _MARK.fullmatch(word):
                repeat = int(plain["repeat"] or 1)
                new.blocked = plain["mark"] == "x"
                new.left = _ZIP if plain["mark"] in "<*" else None
                new.right = _ZIP if plain["mark"] in ">*" else None
            elif leads := _LEADS.fullmatch(word):
                new.left = _target(leads["left"]) if "<" in word else None
                new.right = _target(leads["right"]) if ">" in word else None
            else:
                self.complain(
                    here,
                    f"{word} is no mark; a mark is ^ < > * or x, with a number before it (3>) or a number or"
                    " next after it (>5, <next), or a bare number of spaces.",
                )
                continue
            if not 1 <= repeat <= 200:
                self.complain(here, f"{word} repeats its mark {repeat} times; 1 to 200 would be right.")
                continue
            if leftmost and new.left is not None:
                self.complain(here, f"{word} leads left of the leftmost lane; ^ or > would be right.")
                continue
            if rightmost and new.right is not None:
                self.complain(here, f"{word} leads right of the rightmost lane; ^ or < would be right.")
                continue
            marks += [Mark(new.blocked, new.left, new.right) for _ in range(repeat)]
        if not marks:
            self.complain(where, "the lane has no space; every lane of a section has at least one.")
        return marks

    # Spaces and moves

    def name_spaces(self) -> None:
        self.spaces = []
        for row in self.rows:
            for lane, marks in enumerate(row.lanes):
                for number in range(1, len(marks) + 1):
                    name = f"{row.index}:{self.lanes[lane]}:{number}"
                    self.spaces.append(Space(len(self.spaces), name, row.index, lane, number))
        self.ids = {space.name: space.id for space in self.spaces}

    def space_at(self, section: int, lane: int, number: int) -> int:
        """The id of a space that is there; the number after a lane's last is the first of the next
        section."""
        if number > len(self.rows[section].lanes[lane]):
            section, number = (section + 1) % len(self.rows), 1
        return self.ids[f"{section}:{self.lanes[lane]}:{number}"]

    def mark_of(self, space: int) -> Mark:
        at = self.spaces[space]
        return self.rows[at.section].lanes[at.lane][at.number - 1]

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
        row: Row,
        space: Space,
        mark: Mark,
        leads: int | None,
        side: int,
        zips: dict[tuple[int, int, int], int],
    ) -> int:
        """The space that a sideways mark leads to, -1 if there is none."""
        if leads is None:
            return -1
        where = f"{row.where}, lane {self.lanes[space.lane]}, space {space.number}"
        lane = space.lane + side
        count = len(row.lanes[lane])
        sign, name = "<>"[side > 0], self.lanes[lane]
        zipped = (row.index, space.lane, side)
        if leads == _NEXT:
            number = count + 1
        elif leads != _ZIP:
            number = leads
        elif row.corner:
            number = zips.get(zipped, 1)
        else:
            stagger = row.stagger or []
            ahead = stagger[space.lane] - stagger[lane]
            if abs(ahead) != 1:
                self.complain(
                    where,
                    f"{sign} needs to know where it leads, as lane {name} is not staggered by half a space;"
                    f" {sign}{space.number} would say it.",
                )
                return -1
            number = space.number + (ahead > 0)
        zips[zipped] = number + 1
        if number > count + 1 or (number > count and leads > 0):
            self.complain(
                where,
                f"{sign} leads to space {number} of lane {name}, which has {count};"
                f" a number up to {count}, or next, would be right.",
            )
            return -1
        to = self.space_at(row.index, lane, number)
        if self.mark_of(to).blocked:
            if not mark.bare:
                self.complain(where, f"{sign} leads to {self.spaces[to].name}, which is blocked; ^ would be right.")
            return -1
        if row.corner:
            self.sideways[row.index].append(Sideways(space.lane, space.number, lane, number))
        return to

    # Place along the lap

    def lay_out(self) -> dict[int, int]:
        """The half space of every front end, counted from where section 0 begins; sets the stretches and the lap."""
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
                if fit.misfit <= LOOSE_FIT and row.loose:
                    self.complain(row.where, "the sideways marks fit together; leave loose out.")
                elif fit.misfit > LOOSE_FIT and row.loose:
                    lengths = [
                        [length * (end - entry) / sum(lane) for length in lane]
                        for lane, entry, end in zip(lengths, row.entry, ends, strict=True)
                    ]
                elif fit.misfit > LOOSE_FIT:
                    self.complain(
                        row.where,
                        "the sideways marks do not fit together, so no lengths of spaces agree with them; compare them"
                        " with the board (if it is printed so, loose = true lets the nearest lengths stand).",
                    )
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

    def _close(self, row: Row, following: Row, ends: list[int], begins: list[int] | None) -> None:
        """The lanes of a section end where those of the next begin."""
        if begins is None:
            following.entry = ends
            return
        starts = [end - begin for end, begin in zip(ends, begins, strict=True)]
        for lane, start in enumerate(starts):
            if start != starts[0]:
                much, way = abs(start - starts[0]), "beyond" if start > starts[0] else "short of"
                self.complain(
                    f"{row.where}, lane {self.lanes[lane]}, space {len(row.lanes[lane])}",
                    f"beside lane {self.lanes[0]} the lane ends {much} half spaces {way} where {following.where}"
                    " begins; its spaces or a stagger have to be counted again.",
                )
        if following.index:
            following.entry = [starts[0] + begin for begin in begins]
        else:
            self.length = starts[0]

    def space_before(self, space: Space) -> int:
        if space.number > 1:
            return space.id - 1
        section = (space.section - 1) % len(self.rows)
        return self.space_at(section, space.lane, len(self.rows[section].lanes[space.lane]))

    def space_after(self, space: int) -> int:
        at = self.spaces[space]
        return self.space_at(at.section, at.lane, at.number + 1)

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


def _target(written: str | None) -> int:
    if written is None:
        return _ZIP
    return _NEXT if written == "next" else int(written)
