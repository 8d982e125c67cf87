"""A slow search for every stop of a move, written straight from the articles: the fast one is held against it.

It walks space by space, keeping every way apart by what tells it apart (where it entered the straight it is on, which
tests it took there, what it overshot), and judges a straight only once its last space there is known.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from companion.rules.circuit.leg import Leg
from companion.rules.circuit.track import Track

Tests = frozenset[int]
"""Tests taken: a danger space by its id, the wall beside a space by ~id."""


class Stop(NamedTuple):
    """One stop of a move, in the words of the fast search."""

    space: int
    moved: int
    brakes: int
    soft: int
    tests: Tests
    overshot: int = 0
    missing: int = 0
    blocked: int = 0
    finished: bool = False


class Way(NamedTuple):
    """A way so far. `entry` and `since` are the first space on the present straight and the distance there, `here` the
    tests taken on it, `touched` the distance at which a corner with a stop owed was first met (-1: none), `overs`
    spaces driven beyond corners left too early with the stops missing there."""

    space: int
    moved: int
    entry: int
    since: int
    here: Tests
    tests: Tests
    touched: int = -1
    overs: tuple[tuple[int, int], ...] = ()
    home: bool = False
    late: bool = False


class Reference:
    """Every stop of one leg that stays out of the pits."""

    def __init__(self, track: Track, leg: Leg) -> None:
        assert leg.until < 0, "the pits are not looked at here"
        self.track, self.leg = track, leg
        self.known: dict[tuple[int, Tests], dict[int, int]] = {}
        self.ways = self.all_ways()

    # -- steps

    def crosses(self, x: int, y: int) -> bool:
        return not self.track.past_line(x) and self.track.past_line(y)

    def stands(self, x: int, y: int) -> bool:
        """Whether a car stands in the way of a step; at the flag none does."""
        return y in self.leg.taken and not (self.leg.finish and self.crosses(x, y))

    def tests_of(self, x: int, y: int) -> Tests:
        """What a step from x to y must test; at the flag nothing."""
        track, leg = self.track, self.leg
        if leg.finish and self.crosses(x, y):
            return frozenset()
        found = {y} & leg.dangers
        if track.wall >= 0 and track.spaces[y].lane == track.wall != track.spaces[x].lane:
            found |= {~y}
        return frozenset(found)

    def owed(self, corner: int) -> int:
        made = self.leg.made if corner == self.track.corner[self.leg.start] else 0
        return max(0, self.track.corners[corner].stops - made)

    def shortest(self, entry: int, tests: Tests) -> dict[int, int]:
        """The fewest spaces from `entry` to each space of its straight, past all cars and all tests but these."""
        if (entry, tests) in self.known:
            return self.known[entry, tests]
        track, leg = self.track, self.leg
        far = {entry: 0}
        edge = [entry]
        while edge:
            after = []
            for x in edge:
                for y in track.moves[x]:
                    if track.straight[y] != track.straight[entry] or self.stands(x, y) or y in far:
                        continue
                    if self.tests_of(x, y) <= tests:
                        far[y] = far[x] + 1
                        if not leg.finish or not self.crosses(x, y):
                            after.append(y)
            edge = after
        self.known[entry, tests] = far
        return far

    def legal(self, way: Way) -> bool:
        """On a straight: no shorter way that takes only tests which this one takes [ruling 16]."""
        if way.overs or self.track.straight[way.space] < 0:
            return True
        return way.moved - way.since == self.shortest(way.entry, way.here)[way.space]

    def onward(self, way: Way) -> Iterator[Way]:
        track = self.track
        x = way.space
        corner, straight = track.corner[x], track.straight[x]
        if way.home:
            return
        for y in (track.ahead[x],) if way.overs else track.moves[x]:
            if y < 0 or self.stands(x, y):
                continue
            leaves = straight >= 0 and track.straight[y] != straight
            if leaves and not self.legal(way):
                continue
            home = self.leg.finish and self.crosses(x, y)
            overs = way.overs
            if corner >= 0 and track.corner[y] != corner and self.owed(corner):
                overs += ((0, self.owed(corner)),)
            if not home:
                overs = tuple((spaces + 1, missing) for spaces, missing in overs)
            tests = self.tests_of(x, y)
            same = straight >= 0 and not leaves
            touched = way.touched
            if touched < 0 and track.corner[y] >= 0 and self.owed(track.corner[y]):
                touched = way.moved + 1
            yield Way(
                y,
                way.moved + 1,
                way.entry if same else y,
                way.since if same else way.moved + 1,
                way.here | tests if same else frozenset(),
                way.tests | tests,
                touched,
                overs,
                home,
                way.late or (not home and self.crosses(way.space, y)),
            )

    def all_ways(self) -> list[Way]:
        leg = self.leg
        corner = self.track.corner[leg.start]
        touched = 0 if corner >= 0 and self.owed(corner) else -1
        edge = {Way(leg.start, 0, leg.start, 0, frozenset(), frozenset(), touched)}
        found = list(edge)
        for _ in range(leg.spaces + max(leg.slide, int(leg.soft))):
            edge = {after for way in edge for after in self.onward(way)}
            found += edge
        return [way for way in found if self.legal(way)]

    # -- stops

    def owes(self, way: Way, brakes: int) -> Iterator[int]:
        """How far such a way must go with that many brakes, however they fall before and after the slide."""
        leg = self.leg
        for early in range(brakes + 1):
            die = leg.spaces - early
            slides = leg.slide and die > 0 and 0 <= way.touched <= die
            late = brakes - early
            if slides and late <= leg.slide:
                yield die + leg.slide - late
            elif not slides and not late:
                yield die

    def stops(self) -> set[Stop]:
        leg = self.leg
        found = self.finishes()
        for brakes in range(leg.brakes + 1):
            full = [way for way in self.ways if not way.home and way.moved in self.owes(way, brakes)]
            full = [way for way in full if way.moved >= leg.least and (way.moved or brakes == leg.spaces)]
            found |= {self.stop(way, brakes, 0) for way in full}
            through = any(way.home and way.moved <= max(self.owes(way, brakes), default=-1) for way in self.ways)
            if not full and not through and brakes < leg.spaces:
                found |= self.stuck(brakes)
        if leg.soft:
            found |= {self.stop(way, 0, 1) for way in self.ways if self.soft(way)}
        return found

    def stop(self, way: Way, brakes: int, soft: int, blocked: int = 0) -> Stop:
        overshot = sum(spaces for spaces, _ in way.overs)
        missing = max((missing for _, missing in way.overs), default=0)
        return Stop(way.space, way.moved, brakes, soft, way.tests, overshot, missing, blocked, way.home)

    def soft(self, way: Way) -> bool:
        """One space more, and the car stood before the line when it was added [rulings 31, 32]."""
        leg = self.leg
        if way.moved != leg.spaces + 1 or way.home:
            return False
        if not leg.ages or not way.late:
            return True
        if leg.soft_ends:
            return False
        return any(
            not self.track.past_line(before.space) and way in set(self.onward(before))
            for before in self.ways
            if before.moved == leg.spaces
        )

    def stuck(self, brakes: int) -> set[Stop]:
        """As far as the ways go, for a distance that none of them goes."""
        short = []
        for way in self.ways:
            owed = max(self.owes(way, brakes), default=-1)
            if not way.home and way.moved < owed:
                short.append((way, owed))
        most = max((way.moved for way, _ in short), default=0)
        return {self.stop(way, brakes, 0, owed - most) for way, owed in short if way.moved == most}

    def finishes(self) -> set[Stop]:
        """Across the line, by the fewest spaces for each price; not by a soft space that ends at the line
        [ruling 32]."""
        leg = self.leg
        softly = leg.spaces + 1 if leg.soft and not (leg.soft_ends and leg.ages) else -1
        best: dict[tuple[object, ...], Stop] = {}
        for way in self.ways:
            most = max(self.owes(way, 0), default=-1)
            soft = int(way.moved > most)
            if way.home and (way.moved <= most or way.moved == softly):
                stop = self.stop(way, 0, soft)
                key = (stop.space, stop.tests, stop.overshot, stop.missing)
                if key not in best or stop.moved < best[key].moved:
                    best[key] = stop
        return set(best.values())
