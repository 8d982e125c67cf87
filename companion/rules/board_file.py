"""A circuit known to the space: its road with what stands on it becomes a track."""

import heapq
from collections.abc import Mapping
from itertools import pairwise
from types import MappingProxyType

from companion.rules.circuit_table import COMMON_KEYS, TEXTS, is_whole
from companion.rules.geometry import shortest_lap, side_by_side
from companion.rules.road import Road
from companion.rules.track import Pit, Space, Track, Zone

_KEYS = {*COMMON_KEYS, "line", "grid", "beside", "apart", "order", "level", "pit", "section", "drs"}
_PIT_KEYS = {"entries", "spaces", "boxes", "line", "exits"}


class BoardFile(Road):
    """The file of a circuit known to the space."""

    place: list[int]

    def track(self) -> Track | None:
        if self.table.get("known") not in (None, "space"):
            self.complain("", 'known has to be "space" or "corner".')
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
        line = self._line(cells)
        if self.complaints:
            return None
        self._exceptions_of_order()
        beside = self._beside()
        on_track = len(self.spaces)
        grid = self._grid()
        wall = self._wall()
        zones = self._zones()
        pit = self._pit()
        past_limit: frozenset[int] = frozenset()
        back = self._backwards()
        if pit is not None:
            past_limit, limit = self._past_limit(pit, back, on_track)
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

    def _line(self, cells: dict[int, int]) -> list[int]:
        """The first space past the line in each lane; sets every place."""
        line = self._refs("line", "line")
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

    def _exceptions_of_order(self) -> None:
        for name, gain in (("order", 1), ("level", 0)):
            for a, b in self._pairs(name):
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

    def _beside(self) -> list[set[int]]:
        usable = [
            [s.id for s in self.spaces if s.lane == lane and not self.mark_of(s.id).blocked]
            for lane in range(len(self.lanes))
        ]
        pairs = side_by_side(usable, self.stretch, self.length)
        for name, wanted in (("beside", True), ("apart", False)):
            for a, b in self._pairs(name):
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

    # What stands on the board

    def _ref(self, value: object, where: str) -> int | None:
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

    def _refs(self, name: str, each: str) -> list[int]:
        value = self.table.get(name)
        if not isinstance(value, list) or not value:
            self.complain("", f'{name} is missing; it has to be a list of spaces, such as {name} = ["0:left:1"].')
            return []
        found = [self._ref(v, f"{each} {i}") for i, v in enumerate(value, 1)]
        return [s for s in found if s is not None]

    def _pairs(self, name: str) -> list[tuple[int, int]]:
        value = self.table.get(name, [])
        pairs: list[tuple[int, int]] = []
        if not isinstance(value, list):
            self.complain("", f'{name} has to be a list of pairs of spaces, such as [["0:left:1", "0:right:1"]].')
            return pairs
        for i, pair in enumerate(value, 1):
            if not isinstance(pair, list) or len(pair) != 2:
                self.complain(f"{name} {i}", 'a pair of spaces is written ["0:left:1", "0:right:1"].')
                continue
            a, b = (self._ref(v, f"{name} {i}") for v in pair)
            if a is not None and b is not None:
                pairs.append((a, b))
        return pairs

    def _grid(self) -> tuple[int, ...]:
        grid = self._refs("grid", "grid slot")
        for i, space in enumerate(grid):
            where, name = f"grid slot {i + 1}", self.spaces[space].name
            if space in grid[:i]:
                self.complain(
                    where,
                    f"{name} is grid slot {grid.index(space) + 1} already; each slot has its own space.",
                )
            elif self.mark_of(space).blocked:
                self.complain(where, f"{name} is blocked; a slot is a space that a car can stand on.")
        return tuple(grid)

    def _wall(self) -> int:
        wall = self.table.get("wall")
        if wall is None:
            return -1
        if wall not in (self.lanes[0], self.lanes[-1]):
            self.complain("", f'wall has to say which lane runs along it, "{self.lanes[0]}" or "{self.lanes[-1]}".')
            return -1
        return self.lanes.index(str(wall))

    def _zones(self) -> tuple[Zone, ...]:
        zones: list[Zone] = []
        for i, table in enumerate(self.tables("drs"), 1):
            where = f"DRS zone {i}"
            self.only(table, {"name", "sections"}, where)
            name = self.text(table, "name", where)
            sections = table.get("sections")
            if not isinstance(sections, list) or not sections or not all(is_whole(v) for v in sections):
                self.complain(where, "sections has to list the sections that are the zone, such as [4].")
                continue
            for index in sections:
                if not 0 <= index < len(self.rows):
                    self.complain(where, f"there is no section {index}; they run from 0 to {len(self.rows) - 1}.")
            inside = frozenset(s.id for s in self.spaces if s.section in sections)
            for other in zones:
                if other.spaces & inside:
                    self.complain(where, f"it shares spaces with {other.name}; a section is in one zone at most.")
            zones.append(Zone(name, inside))
        return tuple(zones)

    def _pit(self) -> Pit | None:
        """The pit lane, its spaces and boxes appended to the others; the limit is filled in later."""
        table = self.table.get("pit")
        if table is None:
            return None
        if not isinstance(table, dict):
            self.complain("", "pit has to be written as [pit] with entries, spaces, boxes and exits.")
            return None
        self.only(table, _PIT_KEYS, "pit lane")
        count = self.whole(table, "spaces", "pit lane", 1, 99)
        line = self.whole(table, "line", "pit lane", 1, count) if "line" in table else 0
        entries = [(track, lane) for lane, track in self._doors(table, "entries", count, 1)]
        exits = self._doors(table, "exits", count, 0)
        fronts: list[int] = []
        boxes = table.get("boxes")
        if not isinstance(boxes, list) or not boxes:
            self.complain("pit lane", "boxes has to list the lane space in front of each box, such as [4, 5, 6].")
            boxes = []
        for i, front in enumerate(boxes, 1):
            if not is_whole(front) or not 1 <= front <= count:
                self.complain(f"box {i}", f"it stands at lane space {front!r}; the pit lane has spaces 1 to {count}.")
            elif front in fronts:
                self.complain(f"box {i}", f"box {fronts.index(front) + 1} stands at lane space {front} already.")
            else:
                fronts.append(front)
        if entries and min(lane for _, lane in entries) != 1:
            self.complain("pit lane, space 1", "no entry leads to the first space of the lane.")
        if exits and max(lane for lane, _ in exits) != count:
            self.complain(f"pit lane, space {count}", "no exit leads from the last space of the lane.")
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
        """Entries or exits as (number of the lane space, space of the track); `lane_at` is where in the
        written pair the lane space stands."""
        written = '["0:right:1", 1]' if lane_at else '[18, "0:right:1"]'
        value = table.get(name)
        if not isinstance(value, list) or not value:
            self.complain("pit lane", f"{name} is missing; it has to be a list such as [{written}].")
            return []
        doors: list[tuple[int, int]] = []
        for i, pair in enumerate(value, 1):
            where = f"pit lane, {'entry' if lane_at else 'exit'} {i}"
            if not isinstance(pair, list) or len(pair) != 2 or not is_whole(pair[lane_at]):
                self.complain(where, f"it has to be written {written}.")
                continue
            lane, track = pair[lane_at], self._ref(pair[1 - lane_at], where)
            if not 1 <= lane <= count:
                self.complain(where, f"there is no lane space {lane}; the pit lane has spaces 1 to {count}.")
            elif track is not None and (lane, track) in doors:
                self.complain(where, "it is there twice.")
            elif track is not None:
                doors.append((lane, track))
        return doors

    def _pit_places(
        self, count: int, line: int, entries: list[tuple[int, int]], exits: list[tuple[int, int]]
    ) -> list[int]:
        """Places of the lane spaces: half a space past the entry, half a space before the exit, evenly
        between; the lane spaces before the line and those past it stay on their side of it."""
        first = [track for track, lane in entries if lane == 1]
        last = [track for lane, track in exits if lane == count]
        base = (self.place[first[0]] - self.length // 4) % self.length
        start = max((self.place[s] - base) % self.length for s in first) + 1
        end = min((self.place[s] - base) % self.length for s in last) - 1
        if end - start < count - 1:
            self.complain(
                "pit lane",
                f"{count} spaces do not fit between its entry and its exit; entries have to lie before exits in"
                " driving order, with as much road beside the lane.",
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
                "it cannot be the first past the line, as the line is elsewhere beside the lane.",
            )
        return [(base + along) % self.length for along in places]

    def _backwards(self) -> list[list[int]]:
        back: list[list[int]] = [[] for _ in self.spaces]
        for space, moves in enumerate(self.moves):
            for to in moves:
                back[to].append(space)
        return back

    def _past_limit(self, pit: Pit, back: list[list[int]], on_track: int) -> tuple[frozenset[int], int]:
        """The spaces from which no printed move leads into the lane any more, as far as its exit, and the
        smallest place among them. In each lane that is what lies past the last space that still leads
        there."""
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
                "the marks from here or just before lead round in a circle; one of them has to lead further on.",
            )
        return tuple(rank)
