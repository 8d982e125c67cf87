"""Which spaces a roll can reach, by ways that cross what, at which price in brakes.

One pass over the part of the board ahead finds every stop: the distances by which a space can be reached are kept as
the bits of one number, a number for each set of tests (danger spaces entered, outside lane entered) on the way. A leg
meets at most four stretches: a corner already negotiated, a straight, a corner in which stops are owed, and the lane
that must be kept beyond it. Articles 7, 10-2, 12-0-1 and 18; the rulings on moving.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from companion.rules.track import Track

Labels = dict[int, int]
"""Tests on the way (a bit each) -> the distances by which the space is reached so (a bit each)."""


class Leg(NamedTuple):
    """One displacement: the die's, a slipstream's, a start's. Spaces are track ids.

    `slide` is added if the way touches a corner in which a stop is owed; `soft` says that the soft tyres' extra space
    may be taken; `brakes` is how many spaces may be braked away; `made` the stops made in the corner it starts in;
    `until` the box in which a car in (or entering) the pit lane must stop, -1 if it may not enter; `least` the
    fewest spaces it must drive. `pits_count` makes the pit lane a way round for a car that is blocked;
    `soft_ends` that the soft space may not itself cross the line.
    """

    start: int
    spaces: int
    slide: int = 0
    soft: bool = False
    brakes: int = 0
    made: int = 0
    taken: frozenset[int] = frozenset()
    dangers: frozenset[int] = frozenset()
    finish: bool = False
    ages: bool = True
    until: int = -1
    least: int = 0
    pits_count: bool = False
    soft_ends: bool = False


class Over(NamedTuple):
    """A corner left too early: its index, the spaces driven beyond its end, and how many stops are missing."""

    corner: int
    spaces: int
    missing: int


class Landing(NamedTuple):
    """Where a leg can stop and what lies on the way: tests in driving order, a danger by its id, the wall by ~id.

    `blocked` is how many spaces could not be driven; `finished` a car that has crossed the line for the last time.
    """

    space: int
    moved: int
    brakes: int = 0
    soft: int = 0
    slid: int = 0
    tests: tuple[int, ...] = ()
    overs: tuple[Over, ...] = ()
    blocked: int = 0
    finished: bool = False

    @property
    def overshot(self) -> int:
        """Spaces beyond corners left too early, added up."""
        return sum(over.spaces for over in self.overs)

    @property
    def missing(self) -> int:
        """The most stops missing in any corner that was left too early."""
        return max((over.missing for over in self.overs), default=0)


class Spot(NamedTuple):
    """A space that the leg reaches: its distances by tests, the whole distance owed there, overshoot so far."""

    space: int
    labels: Labels
    total: int
    overs: tuple[Over, ...] = ()


class Board:
    """A track, with what can be worked out once for all legs on it."""

    def __init__(self, track: Track) -> None:
        self.track = track
        count = len(track.spaces)
        self._row = sorted(range(count), key=lambda x: track.order[x])
        self._free: dict[int, tuple[tuple[int, int], ...]] = {}
        self._entry: dict[int, int] = dict(track.pit.entries) if track.pit else {}
        self._exits: dict[int, list[int]] = {}
        if track.pit:
            for lane, out in track.pit.exits:
                self._exits.setdefault(lane, []).append(out)
        self._lane = frozenset(track.pit.spaces) if track.pit else frozenset()
        self._front = dict(zip(track.pit.boxes, track.pit.fronts, strict=True)) if track.pit else {}
        self._strips = self._regions(track.straight)
        self._bends = self._regions(track.corner)

    def _regions(self, of: tuple[int, ...]) -> dict[int, tuple[int, ...]]:
        """The spaces of each straight (or corner) in driving order, also where it runs across the line."""
        regions: dict[int, list[int]] = {}
        for space in self._row:
            if of[space] >= 0:
                regions.setdefault(of[space], []).append(space)
        track = self.track
        for spaces in regions.values():
            begins = [track.past_line(x) for x in spaces]
            if (
                True in begins
                and False in begins
                and any(not track.past_line(x) and track.past_line(y) for x in spaces for y in track.moves[x])
            ):
                spaces.sort(key=track.past_line)
        return {index: tuple(spaces) for index, spaces in regions.items()}

    # -- straights

    def free_way(self, entry: int) -> tuple[tuple[int, int], ...]:
        """The shortest distance from a space to every later one of its straight with nothing in the way."""
        found = self._free.get(entry)
        if found is None:
            ways = ((x, labels[0]) for x, labels in self._shortest(entry, 1 << 30, frozenset(), {}, frozenset()))
            found = tuple(sorted(ways, key=lambda way: way[1]))
            self._free[entry] = found
        return found

    def _shortest(
        self, entry: int, limit: int, taken: frozenset[int], bit: dict[int, int], home: frozenset[int]
    ) -> Iterator[tuple[int, Labels]]:
        """The legal ways along a straight from `entry`: for each space, tests on the way -> spaces driven. They end
        on the spaces of `home`.

        A way is legal if no other is shorter that takes only tests which this one takes too [7-2-3, ruling 16]: so
        zigzags fall out, and passing a car or sparing a test justifies spaces [7-2-4].
        """
        track = self.track
        straight, moves, wall = track.straight, track.moves, track.wall
        strip = self._strips[straight[entry]]
        ways: dict[int, Labels] = {entry: {0: 0}}
        for x in strip[strip.index(entry) :]:
            here = ways.pop(x, None)
            if here is None:
                continue
            if len(here) > 1:
                here = _unbeaten(here)
            yield x, here
            if x in home:
                continue
            lane = track.spaces[x].lane
            for y in moves[x]:
                if y in taken or straight[y] != straight[x]:
                    continue
                test = bit.get(y, 0)
                if wall >= 0 and lane != wall and track.spaces[y].lane == wall:
                    test |= bit.get(~y, 0)
                there = ways.setdefault(y, {})
                for tests, way in here.items():
                    if way < limit:
                        tests |= test
                        if way + 1 < there.get(tests, 1 << 30):
                            there[tests] = way + 1

    # -- the search

    def landings(self, leg: Leg) -> list[Landing]:
        """Every stop that the leg can make, the shortest brake first; blocked ones only where no full way exists."""
        return Search(self, leg).landings()


def _unbeaten(ways: Labels) -> Labels:
    """Without the ways that are longer than one which takes no test that they do not take."""
    return {
        tests: way
        for tests, way in ways.items()
        if not any(other < way and taken | tests == tests for taken, other in ways.items())
    }


def _join(into: Labels, labels: Labels) -> None:
    for tests, bits in labels.items():
        into[tests] = into.get(tests, 0) | bits


class Search:
    """The one pass over the board for one leg."""

    def __init__(self, board: Board, leg: Leg) -> None:
        self.board, self.leg, self.track = board, leg, board.track
        self.reach = leg.spaces + max(leg.slide, int(leg.soft))
        self.bit: dict[int, int] = {}
        self.event: list[int] = []
        self.spots: list[Spot] = []
        self.ends: list[Landing] = []
        self.through = 0  # a bit for each distance that a way over the line or into the box makes possible
        # where the race ends, if this move can end it
        self.home = self.track.line if leg.finish and not self.track.past_line(leg.start) else frozenset[int]()
        self.in_lane = leg.start in board._lane or leg.start in board._front
        self.lane_counts = self.in_lane or leg.pits_count  # else the pits are no way round for a car on the track
        self._number_tests()

    def _number_tests(self) -> None:
        """A bit for every test in reach: danger spaces, and where there is an outside wall its lane's spaces."""
        leg, track = self.leg, self.track
        near = sorted(leg.dangers)
        if track.wall >= 0:
            near += [~x for x in range(len(track.spaces)) if track.spaces[x].lane == track.wall]
        if near and (leg.dangers or track.wall >= 0):
            count, start = track.length, track.place[leg.start]
            far = 3 * self.reach + 6
            for test in near:
                space = test if test >= 0 else ~test
                if space in self.home:
                    continue  # the car is home before it can be tested there [17-3]
                if (track.place[space] - start) % count <= far or space in self.board._lane:
                    self.bit[test] = 1 << len(self.event)
                    self.event.append(test)

    def landings(self) -> list[Landing]:
        leg = self.leg
        self._drive()
        found: list[Landing] = list(self.ends)
        full = self.through
        for spot in self.spots:
            full |= self._stops(spot, found)
        if leg.brakes >= leg.spaces and not leg.least:
            found.append(Landing(leg.start, 0, leg.spaces))
        for brakes in range(leg.brakes + 1):
            if not full >> brakes & 1 and brakes < leg.spaces:
                found += self._blocked(brakes)
        return found

    # -- driving

    def _drive(self) -> None:
        leg, track = self.leg, self.track
        inflow: dict[int, Labels] = {leg.start: {0: 1}}
        start = leg.start
        if self.in_lane:
            inflow = self._along_lane(start, {0: 1})
        elif (corner := track.corner[start]) >= 0:
            if leg.made < track.corners[corner].stops:
                self._owing(corner, inflow, leg.made)
                return
            inflow = self._corner(corner, inflow, leg.spaces + int(leg.soft), self._spot)
        while inflow:
            strips = {track.straight[x] for x in inflow}
            if strips == {-1} or -1 in strips:
                bends = {x: labels for x, labels in inflow.items() if track.straight[x] < 0}
                for corner in sorted({track.corner[x] for x in bends}):
                    self._owing(corner, {x: ls for x, ls in bends.items() if track.corner[x] == corner}, 0)
                inflow = {x: labels for x, labels in inflow.items() if track.straight[x] >= 0}
            else:
                inflow = self._straight(inflow)

    def _spot(self, x: int, labels: Labels) -> None:
        self.spots.append(Spot(x, labels, self.leg.spaces))

    def _straight(self, inflow: dict[int, Labels]) -> dict[int, Labels]:
        """Along a straight by the legal ways from each space on which it was entered; returns what flows out of it."""
        leg, track, board = self.leg, self.track, self.board
        moves, straight = track.moves, track.straight
        limit = leg.spaces + int(leg.soft)
        cut = (2 << limit) - 1
        index = straight[next(iter(inflow))]
        blocks = frozenset(x for x in leg.taken if straight[x] == index)
        clear = not blocks and track.wall < 0 and not any(straight[x] == index for x in (*self.bit, *self.home))
        reached: dict[int, Labels] = {}
        for entry, base in inflow.items():
            if clear:
                for x, way in board.free_way(entry):
                    if way > limit:
                        break
                    there = reached.setdefault(x, {})
                    for tests, bits in base.items():
                        bits = bits << way & cut
                        if bits:
                            there[tests] = there.get(tests, 0) | bits
            else:
                for x, ways in board._shortest(entry, limit, blocks, self.bit, self.home):
                    there = reached.setdefault(x, {})
                    for crossed, way in ways.items():
                        for tests, bits in base.items():
                            bits = bits << way & cut
                            if bits:
                                tests |= crossed
                                there[tests] = there.get(tests, 0) | bits
        out: dict[int, Labels] = {}
        for x, labels in reached.items():
            if not labels:
                continue
            if x in self.home:
                self._finish(x, labels, (), leg.spaces)
                continue
            self._spot(x, labels)
            onward = None
            for y in moves[x]:
                if straight[y] != index and y not in leg.taken:
                    onward = onward or {tests: bits << 1 & cut for tests, bits in labels.items()}
                    self._enter(out, y, x, onward)
            if leg.until >= 0 and x in board._entry:
                self._into_lane(board._entry[x], {tests: bits << 1 & cut for tests, bits in labels.items()})
        return out

    def _enter(self, out: dict[int, Labels], y: int, x: int, labels: Labels) -> None:
        """Flows from x onto y, taking the tests that wait there."""
        test = self._step_tests(x, y)
        there = out.setdefault(y, {})
        for tests, bits in labels.items():
            if bits:
                there[tests | test] = there.get(tests | test, 0) | bits

    def _step_tests(self, x: int, y: int) -> int:
        """The tests that wait on y for a car that comes from x."""
        test, track = self.bit.get(y, 0), self.track
        if track.wall >= 0 and track.spaces[y].lane == track.wall and track.spaces[x].lane != track.wall:
            test |= self.bit.get(~y, 0)
        return test

    def _corner(
        self,
        corner: int,
        inflow: dict[int, Labels],
        limit: int,
        spot: Callable[[int, Labels], None],
    ) -> dict[int, Labels]:
        """Through a corner by its arrows [7-1-4]; returns what flows out of it."""
        leg, track = self.leg, self.track
        moves, corners = track.moves, track.corner
        cut = (2 << limit) - 1
        out: dict[int, Labels] = {}
        reached = dict(inflow)
        for x in self.board._bends[corner]:
            labels = reached.pop(x, None)
            if not labels:
                continue
            if x in self.home:
                self._finish(x, labels, (), limit)
                continue
            spot(x, labels)
            onward = {tests: bits << 1 & cut for tests, bits in labels.items()}
            if not any(onward.values()):
                continue
            for y in moves[x]:
                if y not in leg.taken:
                    self._enter(reached if corners[y] == corner else out, y, x, onward)
        return out

    def _owing(self, corner: int, inflow: dict[int, Labels], made: int) -> None:
        """Into (or on in) a corner where stops are owed: the slide adds its spaces, and leaving it is overshooting."""
        leg, track = self.leg, self.track
        early = (2 << leg.spaces) - 1 if leg.slide else -1
        inflow = {x: {tests: bits & early for tests, bits in labels.items()} for x, labels in inflow.items()}
        total = leg.spaces + leg.slide

        def spot(x: int, labels: Labels) -> None:
            self.spots.append(Spot(x, labels, total))

        out = self._corner(corner, inflow, self.reach, spot)
        missing = track.corners[corner].stops - made
        for x, labels in out.items():
            self._overshoot(x, labels, corner, missing, total)

    def _overshoot(self, x: int, labels: Labels, corner: int, missing: int, total: int) -> None:
        """Beyond a corner left too early: straight on in the lane, through whatever comes [10-2-1, 10-2-3]."""
        leg, track = self.leg, self.track
        cut = (2 << self.reach) - 1
        overs: tuple[Over, ...] = (Over(corner, 0, missing),)
        at = -1
        while any(labels.values()):
            if at >= 0 and track.corner[at] != track.corner[x] and track.corner[at] >= 0:
                overs += (Over(track.corner[at], 0, track.corners[track.corner[at]].stops),)
            if x in self.home:
                self._finish(x, labels, overs, total)
                return
            overs = tuple(Over(over.corner, over.spaces + 1, over.missing) for over in overs)
            self.spots.append(Spot(x, labels, total, overs))
            at, x = x, track.ahead[x]
            if x < 0 or x in leg.taken:
                return
            test = self.bit.get(x, 0)
            labels = {tests | test: bits << 1 & cut for tests, bits in labels.items()}

    # -- the line, the pit lane

    def _finish(self, x: int, labels: Labels, overs: tuple[Over, ...], total: int) -> None:
        """Across the line for the last time: what lies beyond does not matter [17-3, 21-1-5, ruling 99]."""
        leg = self.leg
        early = (2 << (leg.spaces + leg.slide)) - 1
        nearest = min((bits & -bits).bit_length() - 1 for bits in labels.values() if bits)
        self.through |= (1 << max(0, total - nearest + 1)) - 1
        for tests, bits in labels.items():
            if bits & early:
                soft, first = 0, bits & early
            else:
                soft, first = 1, bits
            if first:
                moved = (first & -first).bit_length() - 1
                self.ends.append(Landing(x, moved, 0, soft, 0, self._tests(tests), overs, finished=True))

    def _into_lane(self, x: int, labels: Labels) -> None:
        if x not in self.leg.taken and any(labels.values()):
            lane: dict[int, Labels] = {}
            self._enter(lane, x, x, labels)
            self._lane(x, lane[x])

    def _along_lane(self, start: int, labels: Labels) -> dict[int, Labels]:
        """From a lane space or a box onward: to one's own box if the stop is still due, else out onto the track."""
        front = self.board._front.get(start)
        if front is None:
            return self._lane(start, labels)
        if front in self.leg.taken:
            self._collapse(start, labels)
            return {}
        step: dict[int, Labels] = {}
        self._enter(step, front, front, {tests: bits << 1 for tests, bits in labels.items()})
        return self._lane(front, step[front])

    def _lane(self, x: int, labels: Labels) -> dict[int, Labels]:
        """Along the single lane of the pits: nobody is passed, and what cannot be driven is lost [19-1-5]."""
        leg, board, track = self.leg, self.board, self.track
        cut = (2 << leg.spaces + int(leg.soft)) - 1
        out: dict[int, Labels] = {}
        while any(labels.values()):
            onward = {tests: bits << 1 & cut for tests, bits in labels.items()}
            if leg.until >= 0 and board._front[leg.until] == x:
                self._spot(x, labels)
                if leg.until in leg.taken:
                    self._collapse(x, labels)
                else:
                    self._collapse(leg.until, onward)
                return out
            exits = [y for y in board._exits.get(x, ()) if y not in leg.taken]
            for y in exits:
                self._enter(out, y, x, onward)
            after = track.ahead[x]
            if after < 0 or after in leg.taken:
                if exits:
                    self._spot(x, labels)
                else:
                    self._collapse(x, labels)
                return out
            self._spot(x, labels)
            step: dict[int, Labels] = {}
            self._enter(step, after, x, onward)
            x, labels = after, step.get(after, {})
        return out

    def _collapse(self, x: int, labels: Labels) -> None:
        """The end of the way in the lane: whatever is left of the distance is lost at no cost [19-1-5, 19-2-2]."""
        leg = self.leg
        for tests, bits in labels.items():
            if not bits:
                continue
            nearest = (bits & -bits).bit_length() - 1
            soft = int(nearest > leg.spaces)
            self.ends.append(Landing(x, nearest, 0, soft, 0, self._tests(tests)))
            if self.lane_counts:
                self.through |= (1 << max(0, leg.spaces - nearest + 1)) - 1
            for brakes in range(1, leg.brakes + 1):
                moved = leg.spaces - brakes
                if max(leg.least, 1) <= moved < nearest and bits >> moved & 1:
                    self.ends.append(Landing(x, moved, brakes, 0, 0, self._tests(tests)))

    # -- from distances to stops

    def _tests(self, tests: int) -> tuple[int, ...]:
        """The tests of a way in driving order: the danger of a space, then the wall beside it."""
        if not tests:
            return ()
        track, start = self.track, self.track.order[self.leg.start]
        count = len(track.spaces)
        found = [event for i, event in enumerate(self.event) if tests >> i & 1]
        return tuple(sorted(found, key=lambda t: ((track.order[t if t >= 0 else ~t] - start) % count, t < 0)))

    def _stops(self, spot: Spot, found: list[Landing]) -> int:
        """Adds the stops on a space that drive the whole distance less brakes; returns those brakes as bits."""
        leg = self.leg
        space, labels, total, overs = spot
        most, full = leg.brakes, 0
        counts = self.lane_counts or space not in self.board._lane
        for tests, bits in labels.items():
            window = bits >> (total - most) if total >= most else bits << (most - total)
            window &= (2 << most) - 1
            while window:
                top = window.bit_length() - 1
                window ^= 1 << top
                brakes = most - top
                moved = total - brakes
                if moved < max(leg.least, 1):
                    continue
                if counts:
                    full |= 1 << brakes
                slid = total - leg.spaces
                found.append(Landing(space, moved, brakes, 0, slid, self._tests(tests), overs))
            if leg.soft and bits >> (leg.spaces + 1) & 1 and self._may_soften(spot, tests):
                found.append(Landing(space, leg.spaces + 1, 0, 1, 0, self._tests(tests), overs))
        return full

    def _may_soften(self, spot: Spot, tests: int) -> bool:
        """The soft space is taken only while the car stands before the line that ends its lap, or in the lane before
        its box; it may itself cross the line [8-2-3, 19-3-6, rulings 31, 32]."""
        track, leg, space = self.track, self.leg, spot.space
        if not leg.ages or track.past_line(leg.start) or not track.past_line(space):
            return True
        if space in self.board._lane:
            return leg.until >= 0
        return not leg.soft_ends and any(
            before.labels.get(taken, 0) >> leg.spaces & 1
            for before in self.spots
            if not track.past_line(before.space) and space in track.moves[before.space]
            for taken in before.labels
            if taken | self._step_tests(before.space, space) == tests
        )

    def _blocked(self, brakes: int) -> Iterable[Landing]:
        """As far as possible where no way drives the whole distance [12-0-1, 12-1-3, ruling 48]."""
        best = -1
        found: list[Landing] = []
        for spot in self.spots:
            if spot.space in self.board._lane and not self.in_lane:
                continue
            below = (1 << max(0, spot.total - brakes)) - 1
            for tests, bits in spot.labels.items():
                moved = (bits & below).bit_length() - 1
                if moved < 0:
                    continue
                if moved > best:
                    best, found = moved, []
                if moved == best:
                    found.append(
                        Landing(
                            spot.space,
                            moved,
                            brakes,
                            0,
                            spot.total - self.leg.spaces,
                            self._tests(tests),
                            spot.overs,
                            spot.total - brakes - moved,
                        )
                    )
        return found
