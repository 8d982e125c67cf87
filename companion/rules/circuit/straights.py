"""What lies between the corners: the straights of a track, and the legal ways along them. Article 7-2; the rulings on
moving."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from companion.rules.circuit.leg import FAR
from companion.rules.circuit.track import Track


class Strip(NamedTuple):
    """A straight from one space on: the spaces first reached after 0, 1, 2, ... spaces, and how soon each is."""

    layers: list[list[int]]
    way: dict[int, int]


class Straights:
    """A track, with what can be worked out once for all legs on it."""

    def __init__(self, track: Track) -> None:
        self.track = track
        self.entry: dict[int, int] = dict(track.pit.entries) if track.pit else {}
        self.exits: dict[int, list[int]] = {}
        for lane, out in track.pit.exits if track.pit else ():
            self.exits.setdefault(lane, []).append(out)
        self.lane = frozenset(track.pit.spaces) if track.pit else frozenset()
        self.front = dict(zip(track.pit.boxes, track.pit.fronts, strict=True)) if track.pit else {}
        self.pits = self.lane.union(self.front)
        self.names = [space.name for space in track.spaces]
        straight = track.straight
        self.within = [tuple(y for y in track.moves[x] if straight[y] == straight[x]) for x in range(len(straight))]
        row = sorted(range(len(straight)), key=lambda x: track.order[x])
        self.strips = self._regions(track.straight, row)
        self.bends = self._regions(track.corner, row)
        self.ends = {
            index: [(x, y) for x in spaces for y in track.moves[x] if straight[y] != index]
            for index, spaces in self.strips.items()
        }
        self.leads_on = {
            index: frozenset(x for x, _ in ends) | {x for x in self.entry if straight[x] == index}
            for index, ends in self.ends.items()
        }
        self.wall = [space.id for space in track.spaces if space.lane == track.wall] if track.wall >= 0 else []
        self._free: dict[int, Strip] = {}
        self._runs: dict[int, tuple[int, ...]] = {}

    def _regions(self, of: tuple[int, ...], row: list[int]) -> dict[int, tuple[int, ...]]:
        """The spaces of each straight (or corner) in driving order: a straight is all that lies between two corners,
        also across the line [7-2-1, ruling 20]."""
        track = self.track
        regions: dict[int, list[int]] = {}
        for space in row:
            if of[space] >= 0:
                regions.setdefault(of[space], []).append(space)
        for spaces in regions.values():
            if any(not track.past_line(x) and track.past_line(y) for x in spaces for y in track.moves[x]):
                spaces.sort(key=track.past_line)
        return {index: tuple(spaces) for index, spaces in regions.items()}

    def strip(self, entry: int, limit: int, taken: frozenset[int], home: frozenset[int]) -> Strip:
        """The shortest ways along a straight round the cars on it, never over them, as far as the spaces of `home`:
        zigzags fall out of it [7-0-1, 7-2-3, 7-2-4, 7-2-5, ruling 19]."""
        free = self._free.get(entry)
        if free is None:
            free = self._free[entry] = self._layered(entry, FAR, frozenset(), frozenset())
        if home or any(free.way.get(x, FAR) <= limit for x in taken):
            return self._layered(entry, limit, taken, home)
        return free

    def _layered(self, entry: int, limit: int, taken: frozenset[int], home: frozenset[int]) -> Strip:
        within = self.within
        way, layer, layers = {entry: 0}, [entry], [[entry]]
        for steps in range(1, limit + 1):
            after = []
            for x in layer:
                if x in home:
                    continue
                for y in within[x]:
                    if y not in way and y not in taken:
                        way[y] = steps
                        after.append(y)
            if not after:
                break
            layers.append(after)
            layer = after
        return Strip(layers, way)

    def tested_ways(
        self,
        entry: int,
        limit: int,
        taken: frozenset[int],
        bit: dict[int, int],
        home: frozenset[int],
        *,
        detours: bool = True,
    ) -> Iterator[tuple[int, dict[int, int]]]:
        """The legal ways along a straight where tests wait: for each space, tests on the way -> spaces driven; they end
        on the spaces of `home`.

        A way is legal if no other is shorter that takes only tests which this one takes too, so that sparing a test
        justifies spaces as passing a car does [7-2-3, 7-2-4, 17-1, rulings 16, 17]; without `detours` if none is
        shorter.
        """
        track, within = self.track, self.within
        wall = track.wall
        strip = self.strips[track.straight[entry]]
        ways: dict[int, dict[int, int]] = {entry: {0: 0}}
        for x in strip[strip.index(entry) :]:
            here = ways.pop(x, None)
            if here is None:
                if not ways:
                    return
                continue
            if len(here) > 1:
                here = _unbeaten(here) if detours else _shortest(here)
            yield x, here
            if x in home:
                continue
            onward = [(tests, way + 1) for tests, way in here.items() if way < limit]
            if not onward:
                continue
            from_inside = wall >= 0 and track.spaces[x].lane != wall
            for y in within[x]:
                if y in taken:
                    continue
                test = bit.get(y, 0)
                if from_inside and track.spaces[y].lane == wall:
                    test |= bit.get(~y, 0)
                there = ways.get(y)
                if there is None:
                    there = ways[y] = {}
                for tests, way in onward:
                    if way < there.get(tests | test, FAR):
                        there[tests | test] = way

    def run(self, x: int) -> tuple[int, ...]:
        """The spaces straight on in the lane from x, x the first."""
        run = self._runs.get(x)
        if run is None:
            spaces: list[int] = []
            at = x
            while at >= 0 and len(spaces) < FAR:
                spaces.append(at)
                at = self.track.ahead[at]
            run = self._runs[x] = tuple(spaces)
        return run


def _unbeaten(ways: dict[int, int]) -> dict[int, int]:
    """Without the ways that are longer than one which takes no test that they do not take."""
    return {
        tests: way
        for tests, way in ways.items()
        if not any(other < way and taken | tests == tests for taken, other in ways.items())
    }


def _shortest(ways: dict[int, int]) -> dict[int, int]:
    """Only the ways than which none is shorter."""
    least = min(ways.values())
    return {tests: way for tests, way in ways.items() if way == least}
