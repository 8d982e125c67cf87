"""A circuit known to the space: its road with what stands on it becomes a track."""

import heapq
from types import MappingProxyType

from companion.rules.circuit.geometry import shortest_lap
from companion.rules.circuit.table import COMMON_KEYS, TEXTS, is_whole
from companion.rules.circuit.track import Pit, Track, Zone
from companion.rules.circuit.written_pits import WrittenPits

_KEYS = {*COMMON_KEYS, "line", "grid", "beside", "apart", "order", "level", "pit", "section", "drs"}


class BoardFile(WrittenPits):
    """The file of a circuit known to the space."""

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
            self.only(table, {"name", "sections", "proposed"}, where)
            name = self.text(table, "name", where)
            proposed = table.get("proposed", False)
            if not isinstance(proposed, bool):
                self.complain(where, "proposed is true for a zone that is not on the board as printed, else false.")
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
                "the marks from here or just before lead round in a circle; one of them has to lead further on.",
            )
        return tuple(rank)
