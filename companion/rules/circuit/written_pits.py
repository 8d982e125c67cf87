"""The pit lane of a circuit file: its spaces, boxes and doors, and where on the track it is too late to enter it."""

from collections.abc import Mapping
from itertools import pairwise

from companion.rules.circuit.road import Road
from companion.rules.circuit.table import is_whole
from companion.rules.circuit.track import Pit, Space

_PIT_KEYS = {"entries", "spaces", "boxes", "line", "exits"}


class WrittenPits(Road):
    """The pit lane beside a road."""

    def pit_lane(self) -> Pit | None:
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
            lane, track = pair[lane_at], self.space_named(pair[1 - lane_at], where)
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

    def past_limit(self, pit: Pit, back: list[list[int]], on_track: int) -> tuple[frozenset[int], int]:
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
