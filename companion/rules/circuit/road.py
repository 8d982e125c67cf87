"""The spaces of a circuit known to the space: their names, and the printed moves that lead from one to the next."""

from companion.rules.circuit.geometry import Sideways
from companion.rules.circuit.track import Section, Space
from companion.rules.circuit.written_sections import NEXT, ZIP, Mark, Row, WrittenSections


class Road(WrittenSections):
    """The road of a circuit known to the space. Its steps fill these in, one after another; a step that cannot go
    on leaves complaints."""

    ids: dict[str, int]
    spaces: list[Space]
    ahead: list[int]
    moves: list[list[int]]
    sideways: list[list[Sideways]]

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
