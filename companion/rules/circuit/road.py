"""The spaces of a circuit known to the space: their names, the printed moves that lead from one to the next, where each
lies along the lap, and which lie side by side: by the geometry, else by the file."""

from bisect import bisect_left
from collections.abc import Sequence

from companion.rules.circuit.geometry import Sideways, fit_corner, half_spaces, side_by_side
from companion.rules.circuit.track import Section, Space
from companion.rules.circuit.written_sections import NEXT, ZIP, Mark, Row, WrittenSections

LOOSE_FIT = 0.02
"""How far, in half spaces, the marks of a corner may be from fitting together."""


class Road(WrittenSections):
    """The road of a circuit known to the space. Its steps fill these in, one after another; a step that cannot go
    on leaves complaints."""

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
        """The id of a space that is there; the number after a lane's last is the first of the next
        section."""
        if number > len(self.rows[section].lanes[lane]):
            section, number = (section + 1) % len(self.rows), 1
        return self.ids[f"{section}:{self.lanes[lane]}:{number}"]

    def mark_of(self, space: int) -> Mark:
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
        """The id of a space of the track that the file names."""
        if not isinstance(value, str):
            self.complain(where, f"{value!r} is no space; a space is written section:lane:number, like 0:left:1.")
            return None
        found = self.ids.get(value)
        if found is not None:
            return found
        parts = value.split(":")
        if len(parts) == 3 and parts[0].isdecimal() and int(parts[0]) < len(self.rows) and parts[1] in self.lanes:
            row, lane = self.rows[int(parts[0])], self.lanes.index(parts[1])
            self.complain(
                where,
                f"there is no space {value}; lane {parts[1]} of {row.where} has spaces 1 to {len(row.lanes[lane])}.",
            )
        else:
            self.complain(
                where,
                f"there is no space {value}; a space is section:lane:number, with sections 0 to"
                f" {len(self.rows) - 1} and lanes {', '.join(self.lanes)}.",
            )
        return None

    def spaces_named(self, name: str, each: str) -> list[int]:
        value = self.table.get(name)
        if not isinstance(value, list) or not value:
            self.complain("", f'{name} is missing; it has to be a list of spaces, such as {name} = ["0:left:1"].')
            return []
        found = [self.space_named(v, f"{each} {i}") for i, v in enumerate(value, 1)]
        return [s for s in found if s is not None]

    def pairs_named(self, name: str) -> list[tuple[int, int]]:
        value = self.table.get(name, [])
        pairs: list[tuple[int, int]] = []
        if not isinstance(value, list):
            self.complain("", f'{name} has to be a list of pairs of spaces, such as [["0:left:1", "0:right:1"]].')
            return pairs
        for i, pair in enumerate(value, 1):
            if not isinstance(pair, list) or len(pair) != 2:
                self.complain(f"{name} {i}", 'a pair of spaces is written ["0:left:1", "0:right:1"].')
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
                f" a number up to {count}, or next, would be right, or more spaces in that lane.",
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

    def _do_not_fit(self, row: Row, begins: list[int]) -> None:
        """Marks of a corner that no lengths of spaces meet: which lane of the straight before has a space too few or
        too many, else which mark is out of place."""
        moves = sorted(self.sideways[row.index], key=lambda move: move.number)
        before = self.rows[row.index - 1]

        def fits(entry: Sequence[int], sideways: Sequence[Sideways]) -> bool:
            return fit_corner([len(marks) for marks in row.lanes], entry, begins, sideways).misfit <= LOOSE_FIT

        def miscounted(much: int) -> list[str]:
            """The lanes of the straight before of which one would let the marks fit with a space more, or less."""
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
                f"the sideways marks do not fit together, and would with one space {more} in a lane of {before.where}"
                f" ({', '.join(lanes)}); count it again (if it is printed so, loose = true lets the nearest lengths"
                " stand).",
            )
            return
        where = row.where
        if 0 <= first < len(moves):
            where += f", lane {self.lanes[moves[first].lane]}, space {moves[first].number}"
        self.complain(
            where,
            "the sideways marks do not fit together, so no lengths of spaces agree with them; compare this one and its"
            " neighbours with the board, and count the lanes (if it is printed so, loose = true lets the nearest"
            " lengths stand).",
        )

    def _close(self, row: Row, following: Row, ends: list[int], begins: list[int] | None) -> None:
        """The lanes of a section end where those of the next begin."""
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
                    f"beside lane {beside} the lane ends {much} half spaces {way} where {following.where}"
                    " begins; its spaces or a stagger have to be counted again.",
                )
        if following.index:
            following.entry = [starts[0] + begin for begin in begins]
        else:
            self.length = starts[0]

    def read_line(self, cells: dict[int, int]) -> list[int]:
        """The first space past the line in each lane; sets every place."""
        line = self.spaces_named("line", "line")
        lanes = [self.spaces[s].lane for s in line]
        if not self.complaints and lanes != list(range(len(self.lanes))):
            self.complain("line", f"line has to name one space in each lane, in the order {', '.join(self.lanes)}.")
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
                    f"{at.name} is not the first space past the line, as {self.spaces[before].name} before it is"
                    " already level with the others; name one space beside another in each lane.",
                )
        return line

    def read_exceptions(self) -> None:
        for name, gain in (("order", 1), ("level", 0)):
            for a, b in self.pairs_named(name):
                if gain and (self.place[a] - self.place[b] - 1) % self.length < self.length // 2:
                    self.complain(
                        name,
                        f"{self.spaces[a].name} lies ahead of {self.spaces[b].name} anyway; leave this out.",
                    )
                place = (self.place[b] + gain) % self.length
                after, before = self.space_after(a), self.space_before(self.spaces[a])
                if (
                    not 0 < (self.place[after] - place) % self.length < self.length // 2
                    or not 0 < (place - self.place[before]) % self.length < self.length // 2
                ):
                    self.complain(
                        name,
                        f"{self.spaces[a].name} cannot be there, as it would be level with the space before or"
                        " after it in its lane.",
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
                        f"{self.spaces[a].name} and {self.spaces[b].name} are not in neighbouring lanes.",
                    )
                    continue
                pair = (a, b) if self.spaces[a].lane < self.spaces[b].lane else (b, a)
                if (pair in pairs) == wanted:
                    self.complain(
                        name,
                        f"{self.spaces[a].name} and {self.spaces[b].name} are {name} anyway; leave this out.",
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
    """Which of the marks of a corner, in the order of their spaces, lead past the next space of the lane beside."""
    last: dict[tuple[int, int], int] = {}
    found = []
    for at, (lane, _, to_lane, to) in enumerate(moves):
        if to != last.get((lane, to_lane), 0) + 1:
            found.append(at)
        last[lane, to_lane] = to
    return found
