"""The board as a leg meets it: which spaces a roll can reach, by ways that cross what, at which price in brakes.

One pass over the part of the board ahead finds every stop. A leg meets at most four stretches: a corner already
negotiated, a straight, a corner in which stops are owed, and the lane that must be kept beyond it.

The distances by which a space can be reached are the bits of one number, its `labels`: bit 7 for seven spaces. Ways
that take different tests (danger spaces entered, outside lane entered) must be told apart, so each set of tests has a
field of 64 bits of its own in that number; field 0 is for ways that take none.

Articles 7, 10-2, 11, 12-0-1, 17-3, 18 and 19-1-5; the rulings on moving.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from functools import lru_cache, reduce
from operator import or_
from typing import Final, NamedTuple

from msgspec.structs import replace

from companion.rules.circuit.leg import FAR, Landing, Leg, Over
from companion.rules.circuit.track import Track

FIELD: Final = 64
ONE_FIELD: Final = (1 << FIELD) - 1

NOWHERE: Final[frozenset[int]] = frozenset()

MAX_LEGS: Final = 256
"""Maximum number of legs remembered: all that one question searches, with swerve tyres and what lies on the way."""

Spot = tuple[int, int, int, tuple[Over, ...]]
"""A space that the leg reaches: its id, its labels, the whole distance owed there, overshoot so far."""


class Straight(NamedTuple):
    """A straight from one space on: the spaces first reached after 0, 1, 2, ... spaces, and how soon each is."""

    layers: list[list[int]]
    way: dict[int, int]


class Board:
    """A track, with what can be worked out once for all legs on it, searched for the stops of a leg."""

    def __init__(self, track: Track) -> None:
        self.track = track
        self.entry: dict[int, int] = dict(track.pit.entries) if track.pit else {}
        self.exits: dict[int, list[int]] = {}
        for lane, out in track.pit.exits if track.pit else ():
            self.exits.setdefault(lane, []).append(out)
        self.lane = frozenset(track.pit.spaces) if track.pit else frozenset()
        self.front = dict(zip(track.pit.boxes, track.pit.fronts, strict=True)) if track.pit else {}
        self.pits = self.lane.union(self.front)
        past = track.past_line
        self.line = track.line.union(y for x in self.lane if not past(x) for y in track.moves[x] if past(y))
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
        self._free: dict[int, Straight] = {}
        self._runs: dict[int, tuple[int, ...]] = {}
        self._found: dict[Hashable, Sequence[Landing]] = {}

    def landings(self, leg: Leg) -> list[Landing]:
        """Every stop that the leg can make; blocked ones only where no way drives the whole distance so braked."""
        return self.remembered(leg, lambda: Search(self, leg).landings())

    def remembered(self, asked: Hashable, find: Callable[[], Sequence[Landing]]) -> list[Landing]:
        """Search a leg; the last results are remembered, so a question that is asked again costs nothing."""
        found = self._found.get(asked)
        if found is None:
            if len(self._found) >= MAX_LEGS:
                self._found.clear()
            found = self._found[asked] = find()
        return list(found)

    def _regions(self, of: tuple[int, ...], row: list[int]) -> dict[int, tuple[int, ...]]:
        """Return the spaces of each straight (or corner) in driving order [7-2-1, ruling 20].

        A straight is all that lies between two corners, also across the line.
        """
        track = self.track
        regions: dict[int, list[int]] = {}
        for space in row:
            if of[space] >= 0:
                regions.setdefault(of[space], []).append(space)
        for spaces in regions.values():
            if any(not track.past_line(x) and track.past_line(y) for x in spaces for y in track.moves[x]):
                spaces.sort(key=track.past_line)
        return {index: tuple(spaces) for index, spaces in regions.items()}

    def strip(self, entry: int, limit: int, taken: frozenset[int], home: frozenset[int]) -> Straight:
        """Return the shortest ways along a straight round its cars [7-0-1, 7-2-3, 7-2-4, 7-2-5, ruling 19].

        They never lead over a car, and only as far as the spaces of `home`: zigzags fall out of it.
        """
        free = self._free.get(entry)
        if free is None:
            free = self._free[entry] = self._layered(entry, FAR, frozenset(), frozenset())
        if home or any(free.way.get(x, FAR) <= limit for x in taken):
            return self._layered(entry, limit, taken, home)
        return free

    def _layered(self, entry: int, limit: int, taken: frozenset[int], home: frozenset[int]) -> Straight:
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
        return Straight(layers, way)

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
        """Yield the legal ways along a straight where tests wait [7-2-3, 7-2-4, 17-1, rulings 16, 17].

        Each is a space with its tests on the way -> spaces driven; the ways end on the spaces of `home`.

        A way is legal if no other is shorter that takes only tests which this one takes too, so that sparing a test
        justifies spaces as passing a car does; without `detours` if none is shorter.
        """
        track, within = self.track, self.within
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
            from_inside = track.spaces[x].lane != track.wall
            for y in within[x]:
                if y in taken:
                    continue
                test = bit.get(y, 0)
                if from_inside:
                    test |= bit.get(~y, 0)
                there = ways.setdefault(y, {})
                for tests, way in onward:
                    over = tests | test
                    if way < there.get(over, FAR):
                        there[over] = way

    def run(self, x: int) -> tuple[int, ...]:
        """Return the spaces straight on in the lane from x, x the first."""
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
    least = min(ways.values())
    return {
        tests: way
        for tests, way in ways.items()
        if way == least or not any(other < way and taken | tests == tests for taken, other in ways.items())
    }


def _shortest(ways: dict[int, int]) -> dict[int, int]:
    """Only the ways than which none is shorter."""
    least = min(ways.values())
    return {tests: way for tests, way in ways.items() if way == least}


@lru_cache(maxsize=64)
def board_of(track: Track) -> Board:
    """Return the board of a track, the same one for every race on it."""
    return Board(track)


class Search:
    """The one pass over the board for one leg: its labels, and the stops found so far."""

    def __init__(self, board: Board, leg: Leg) -> None:
        track = board.track
        # where the race ends, if this move can end it: whoever stands there is not in the way
        self.home = board.line if leg.finish and not track.past_line(leg.start) else NOWHERE
        if self.home:
            leg = replace(leg, taken=leg.taken - self.home)
        self.board, self.leg, self.track = board, leg, track
        self.reach = leg.spaces + max(leg.slide, leg.soft)
        self.spaces = leg.spaces  # what every way drives, a slide that none can do without among them
        if leg.slides_anyway and track.corner[leg.start] >= 0:
            self.spaces += leg.slide
        self.bit: dict[int, int] = {}
        self.event: list[int] = []
        self.sets, self.field, self.every = [0], {0: 0}, 1
        self.tests: list[tuple[int, ...]] = [()]  # those of each set, in driving order
        if leg.dangers or track.wall >= 0:
            self._number_tests()
        self.minimum = max(leg.least, 1)
        self.die = self.spaces + leg.soft
        self.in_lane = leg.start in board.lane or leg.start in board.front
        self.lane_counts = self.in_lane or leg.pits_count  # else the pits are no way round for a car on the track
        self.spots: list[Spot] = []
        self.strips: list[tuple[Straight, int]] = []
        self.found: list[Landing] = []
        self.full = 0

    def landings(self) -> list[Landing]:
        leg = self.leg
        self._drive()
        if leg.brakes >= leg.spaces and not leg.least:
            self.found.append(Landing(leg.start, 0, leg.spaces))
        for brakes in range(min(leg.brakes + 1, leg.spaces)):
            if not self.full >> brakes & 1:
                self.blocked(brakes)
        return self.found

    def goes_on(self, here: int, moved: int, to: int) -> bool:
        """Return True if a way that has come to `here` stays legal onto `to` [7-2-3 to 7-2-5, ruling 16].

        `to` is the next space, `moved` the spaces driven so far: on a straight no other way may be shorter. A way that
        exists only by the referee's word goes on as it likes.
        """
        leg, straight = self.leg, self.track.straight
        if straight[here] < 0 or straight[to] != straight[here]:
            return True
        inflow = {leg.start: 1}
        if (corner := self.track.corner[leg.start]) >= 0:
            inflow = self._corner(corner, inflow, self.die, self.spaces)
        legal = False
        for entry, base in inflow.items():
            if straight[entry] != straight[here]:
                continue
            taken = leg.taken | self._too_far_across(entry)
            found = self.board.tested_ways(entry, self.die, taken, self.bit, NOWHERE, detours=leg.detours)
            ways = {x: ways for x, ways in found if x in (here, to)}
            for tests, way in ways.get(here, {}).items():
                if way <= moved and base >> (moved - way) & self.every:
                    legal = True
                    if ways.get(to, {}).get(tests | self.step_tests(here, to)) == way + 1:
                        return True
        return not legal

    def _drive(self) -> None:
        """Search stretch by stretch, each by its own code: no zigzag leads across the end of a corner.

        [7-2-6]
        """
        leg, track = self.leg, self.track
        start = leg.start
        if self.in_lane:
            inflow = self._out_of_lane(start)
        elif (corner := track.corner[start]) < 0:
            inflow = {start: 1}
        elif leg.made < track.corners[corner].stops:
            self._owing(corner, {start: 1}, leg.made)
            return
        else:
            inflow = self._corner(corner, {start: 1}, self.die, self.spaces)
        on_straight = {x: labels for x, labels in inflow.items() if track.straight[x] >= 0}
        into_corner = {x: labels for x, labels in inflow.items() if track.straight[x] < 0}
        if on_straight:
            for x, labels in self._straight(on_straight).items():
                into_corner[x] = into_corner.get(x, 0) | labels
        if into_corner:
            self._owing(track.corner[next(iter(into_corner))], into_corner, 0)

    def _straight(self, inflow: dict[int, int]) -> dict[int, int]:
        """Along a straight by the legal ways from each space on which it was entered; returns what flows out of it."""
        leg, track, board = self.leg, self.track, self.board
        index = track.straight[next(iter(inflow))]
        straight = track.straight
        taken = frozenset(x for x in leg.taken if straight[x] == index)
        ends = board.ends[index]
        home = frozenset(x for x in self.home if straight[x] == index)
        out: dict[int, int] = {}
        if any(straight[x if x >= 0 else ~x] == index for x in self.bit):
            reached: dict[int, int] = {}
            for entry, base in inflow.items():
                crossed = {0: base}
                closed = taken | self._too_far_across(entry)
                for x, ways in board.tested_ways(entry, self.die, closed, self.bit, home, detours=leg.detours):
                    labels = 0
                    for tests, way in ways.items():
                        if tests not in crossed:
                            crossed[tests] = self.cross(base, tests)
                        labels |= crossed[tests] << way
                    if labels := self.within(labels, self.die):
                        reached[x] = reached.get(x, 0) | labels
            for x, labels in reached.items():
                if x not in home:
                    self.stop(x, labels, self.spaces)
        else:
            reached = self._plain_straight(inflow, taken, home)
        for x in home:
            if x in reached:
                self.finish(x, reached.pop(x), (), self.spaces)
        for x, y in ends:
            if x in reached and y not in leg.taken:
                labels = self.within(reached[x] << 1, self.die)
                if labels:
                    self.enter(out, y, x, labels)
        if leg.until >= 0:
            lane: dict[int, int] = {}
            front = board.front[leg.until]
            for x, y in board.entry.items():
                if x in reached and (leg.at_once or (y not in leg.taken and y <= front)):
                    self.enter(lane, y, y, self.within(reached[x] << 1, self.die))
            if leg.at_once:
                self.collapse(leg.until, reduce(or_, lane.values(), 0))
            else:
                self._lane(lane)
        return out

    def _too_far_across(self, entry: int) -> frozenset[int]:
        """Return the spaces of a straight that lie more lanes away from its entry than the leg may change."""
        track, most = self.track, self.leg.lanes
        if most >= len(track.lanes) - 1:
            return NOWHERE
        lane = track.spaces[entry].lane
        strip = self.board.strips[track.straight[entry]]
        return frozenset(x for x in strip if abs(track.spaces[x].lane - lane) > most)

    def _plain_straight(self, inflow: dict[int, int], taken: frozenset[int], home: frozenset[int]) -> dict[int, int]:
        """Search a straight without tests: return the labels of the spaces that lead on.

        It also counts the stops within reach of the brakes.
        """
        board, most = self.board, self.leg.brakes
        spaces = self.spaces
        wanted = self.stop_bits(spaces) * self.every
        stops: dict[int, int] = {}
        leads_on = board.leads_on[self.track.straight[next(iter(inflow))]] | home
        reached: dict[int, int] = {}
        for entry, base in inflow.items():
            strip = board.strip(entry, self.die, taken | self._too_far_across(entry), home)
            self.strips.append((strip, base))
            last = len(strip.layers) - 1
            near = max(0, spaces - most - base.bit_length() + 1)
            for way in range(near, min(last, self.die) + 1):
                labels = base << way & wanted
                if labels:
                    for x in strip.layers[way]:
                        stops[x] = stops.get(x, 0) | labels
            for x in leads_on:
                if (there := strip.way.get(x, FAR)) <= self.die:
                    reached[x] = reached.get(x, 0) | self.within(base << there, self.die)
        for x, labels in stops.items():
            if x not in home:
                self.count(x, labels, spaces, ())
        return reached

    def _corner(self, corner: int, inflow: dict[int, int], limit: int, total: int) -> dict[int, int]:
        """Through a corner by its arrows [7-1-4]; returns what flows out of it."""
        leg, track = self.leg, self.track
        moves, corners, taken = track.moves, track.corner, leg.taken
        out: dict[int, int] = {}
        reached = dict(inflow)
        wanted, within = self.stop_bits(total), (2 << limit) - 1
        for x in self.board.bends[corner]:
            labels = reached.pop(x, 0)
            if not labels:
                continue
            if x in self.home:
                self.finish(x, labels, (), limit)
                continue
            self.spots.append((x, labels, total, ()))
            if stops := labels & wanted * self.every:
                self.count(x, stops, total, ())
            onward = labels << 1 & within * self.every
            if onward:
                for y in moves[x]:
                    if y not in taken:
                        flow = reached if corners[y] == corner else out
                        if self.bit:
                            self.enter(flow, y, x, onward)
                        else:
                            flow[y] = flow.get(y, 0) | onward
            if not reached:
                break
        return out

    def _owing(self, corner: int, inflow: dict[int, int], made: int) -> None:
        """Search into (or on in) a corner where stops are owed [7-1-1, rulings 25, 27].

        The slide adds its spaces, and leaving the corner is overshooting.
        """
        leg = self.leg
        if leg.slide:
            inflow = {x: self.within(labels, self.spaces) for x, labels in inflow.items()}
        total = leg.spaces + leg.slide
        missing = self.track.corners[corner].stops - made
        for x, labels in self._corner(corner, inflow, self.reach, total).items():
            self._overshoot(x, labels, corner, missing, total)

    def _overshoot(self, first: int, labels: int, corner: int, missing: int, total: int) -> None:
        """Search beyond a corner left too early [10-2, 10-2-1, 10-2-2, rulings 36 to 38].

        The way leads straight on in the lane, through whatever comes, and ends behind a car that stands in it.
        """
        leg, track = self.leg, self.track
        overs: tuple[Over, ...] = (Over(corner, 0, missing),)
        before = -1
        for x in self.board.run(first):
            if before >= 0:
                if x in leg.taken:
                    return
                labels = self.within(labels << 1, self.reach)
                if self.bit:
                    labels = self.cross(labels, self.bit.get(x, 0))
                if (left := track.corner[before]) >= 0 and left != track.corner[x]:
                    overs += (Over(left, 0, track.corners[left].stops),)
            if not labels:
                return
            if x in self.home:
                self.finish(x, labels, overs, total)
                return
            overs = tuple([Over(over.corner, over.spaces + 1, over.missing) for over in overs])
            self.stop(x, labels, total, overs)
            before = x

    # -- the pit lane

    def _out_of_lane(self, start: int) -> dict[int, int]:
        """Search from a lane space or a box onward [19-1-1, 19-1-2].

        The way leads to one's own box if the stop is still due, else out onto the track where an arrow leads.
        """
        front = self.board.front.get(start)
        if front is None:
            return self._lane({start: 1})
        if front in self.leg.taken:
            self.collapse(start, 1)
            return {}
        lane: dict[int, int] = {}
        self.enter(lane, front, front, 2)
        return self._lane(lane)

    def _lane(self, reached: dict[int, int]) -> dict[int, int]:
        """Search the single lane of the pits; return what flows out onto the track [19-1-5, 19-2-5, 21-1-5].

        A car does not leave the lane before its own box, passes nobody, drives at the end of the race to the line, and
        loses the spaces that it cannot drive.
        """
        leg, board = self.leg, self.board
        front = board.front.get(leg.until, -1)
        out: dict[int, int] = {}
        for x in self.track.pit.spaces if self.track.pit else ():
            labels = reached.pop(x, 0)
            if not labels:
                continue
            if x in self.home:
                self.finish(x, labels, (), self.spaces)
                continue
            onward = self.within(labels << 1, self.die)
            here = x == front
            doors = board.exits.get(x, ()) if x > front else ()
            ways = [leg.until] if here else [*doors, self.track.ahead[x]]
            ways = [y for y in ways if y >= 0 and y not in leg.taken]
            if not ways:
                self.collapse(x, labels)
                continue
            self.stop(x, labels, self.spaces)
            if here:
                self.collapse(leg.until, onward)
                continue
            for y in ways:
                self.enter(reached if y in board.lane else out, y, x, onward)
        return out

    # -- labels: the tests that wait on the way, and the field of each set of them

    def _number_tests(self) -> None:
        """Give a bit to every test in reach, in driving order.

        Tests are danger spaces, and along an outside wall its lane's spaces; where both wait, the danger of a
        space comes before the wall beside it.
        """
        leg, track, lane, home = self.leg, self.track, self.board.lane, self.home
        place, length = track.place, track.length
        start, far = place[leg.start], 3 * self.reach + 6

        def in_reach(spaces: Iterable[int]) -> list[int]:
            """Not beyond the line at the end of the race: the car is home before it can be tested there [17-3]."""
            return [x for x in spaces if ((place[x] - start) % length <= far or x in lane) and x not in home]

        self.event = in_reach(leg.dangers) + [~x for x in in_reach(self.board.wall)]
        order, first, count = track.order, track.order[leg.start], len(track.spaces)
        self.event.sort(key=lambda test: ((order[test if test >= 0 else ~test] - first) % count, test < 0))
        self.bit = {test: 1 << i for i, test in enumerate(self.event)}

    def cross(self, labels: int, test: int) -> int:
        """Return the labels of the same ways once they have taken a test too."""
        if not test:
            return labels
        crossed = field = 0
        while labels:
            if bits := labels & ONE_FIELD:
                tests = self.sets[field] | test
                to = self.field.get(tests)
                if to is None:
                    to = self.field[tests] = len(self.sets)
                    self.sets.append(tests)
                    self.tests.append(tuple([event for i, event in enumerate(self.event) if tests >> i & 1]))
                    self.every |= 1 << FIELD * to
                crossed |= bits << FIELD * to
            labels >>= FIELD
            field += 1
        return crossed

    def enter(self, reached: dict[int, int], y: int, x: int, labels: int) -> None:
        """Flow from x onto y, taking the tests that wait there."""
        if self.bit:
            labels = self.cross(labels, self.step_tests(x, y))
        reached[y] = reached.get(y, 0) | labels

    def step_tests(self, x: int, y: int) -> int:
        """Return the tests that wait on y for a car that comes from x."""
        test, track = self.bit.get(y, 0), self.track
        if track.spaces[x].lane != track.wall:
            test |= self.bit.get(~y, 0)
        return test

    def within(self, labels: int, limit: int) -> int:
        """Only the distances up to a limit."""
        return labels & ((2 << limit) - 1) * self.every

    # -- stops: what the brakes and soft tyres leave of the distances

    def stop(self, space: int, labels: int, total: int, overs: tuple[Over, ...] = ()) -> None:
        """Note a space that is reached, and the stops there."""
        self.spots.append((space, labels, total, overs))
        if stops := labels & self.stop_bits(total) * self.every:
            self.count(space, stops, total, overs)

    def stop_bits(self, total: int) -> int:
        """Return the distances at which a leg of `total` spaces may stop, as bits.

        Brakes make them less, soft tyres one more.
        """
        leg = self.leg
        braked = ((2 << leg.brakes) - 1 << total) >> leg.brakes
        return braked | (1 << leg.soft) - 1 << leg.spaces + 1

    def count(self, space: int, stops: int, total: int, overs: tuple[Over, ...]) -> None:
        """Add the stops on a space, one for each label [11-0-1, 11-0-2, ruling 15].

        A stop is the whole distance less brakes, whatever it overshoots, or one more on soft tyres.
        """
        leg, found, slid = self.leg, self.found, total - self.leg.spaces
        counts = self.lane_counts or space not in self.board.lane
        while stops:
            nearest = stops & -stops
            stops ^= nearest
            field, moved = divmod(nearest.bit_length() - 1, FIELD)
            brakes = total - moved
            if 0 <= brakes <= leg.brakes and moved >= self.minimum:
                self.full |= counts << brakes
                found.append(Landing(space, moved, brakes, 0, slid, self.tests[field], overs))
            soft = moved - leg.spaces
            if 0 < soft <= leg.soft and self._may_soften(space, moved, self.sets[field]):
                found.append(Landing(space, moved, 0, soft, 0, self.tests[field], overs))

    def _may_soften(self, space: int, moved: int, tests: int) -> bool:
        """Return True if the car may take the soft space [8-2-3, 19-3-6, rulings 31, 32].

        It may only while it stands before the line that ends its lap, or in the lane before its box; the soft space may
        itself cross the line.
        """
        track, leg = self.track, self.leg
        if not leg.ages or track.past_line(leg.start) or not track.past_line(space):
            return True
        if space in self.board.lane:
            return leg.until >= 0
        return not leg.soft_ends and any(
            labels >> FIELD * field + moved - 1 & 1
            for before, labels, _, _ in self._reached()
            if not track.past_line(before) and space in track.moves[before]
            for field, taken in enumerate(self.sets)
            if taken | self.step_tests(before, space) == tests
        )

    def blocked(self, brakes: int) -> None:
        """Add the furthest stops where no way drives the whole distance [12-0-1, 12-0-3, 12-1-3, rulings 21, 47, 48].

        The whole distance is what that many voluntary brakes leave.
        """
        leg = self.leg
        best = -1
        furthest: dict[tuple[int, int, int], tuple[Over, ...]] = {}
        for space, labels, total, overs in self._reached():
            if space in self.board.lane:
                continue
            field = 0
            while labels:
                moved = (labels & ONE_FIELD).bit_length() - 1
                if moved >= 0 and moved >= best:
                    if moved > best:
                        best = moved
                        furthest.clear()
                    furthest[space, field, total] = overs
                labels >>= FIELD
                field += 1
        for (space, field, total), overs in furthest.items():
            rest = total - brakes - best
            slid = total - leg.spaces
            self.found.append(Landing(space, best, brakes, 0, slid, self.tests[field], overs, rest))

    def _reached(self) -> Iterator[Spot]:
        """Every space that the leg reaches, with all its distances."""
        yield from self.spots
        for strip, base in self.strips:
            for way, layer in enumerate(strip.layers[: self.die + 1]):
                labels = self.within(base << way, self.die)
                if labels:
                    for x in layer:
                        if x not in self.home:
                            yield x, labels, self.spaces, ()

    def finish(self, x: int, labels: int, overs: tuple[Over, ...], total: int) -> None:
        """Add the stops across the line for the last time [17-3, 21-1-5, rulings 31, 99].

        What lies beyond does not matter; where a table has it so the soft space alone leads nobody there.
        """
        leg, field = self.leg, 0
        while labels:
            if bits := labels & ONE_FIELD:
                moved = (bits & -bits).bit_length() - 1
                self.full |= (1 << max(0, total - moved + 1)) - 1
                soft = max(0, moved - leg.spaces - leg.slide)
                if not (soft and leg.soft_ends and leg.ages):
                    self.found.append(Landing(x, moved, 0, soft, 0, self.tests[field], overs, finished=True))
            labels >>= FIELD
            field += 1

    def collapse(self, x: int, labels: int) -> None:
        """End the way in the lane: whatever is left of the distance is lost at no cost [19-1-5, 19-2-2]."""
        leg = self.leg
        field = 0
        while labels:
            if bits := labels & ONE_FIELD:
                nearest = (bits & -bits).bit_length() - 1
                slid = self.spaces - leg.spaces if nearest > leg.spaces else 0
                self.found.append(Landing(x, nearest, 0, max(0, nearest - self.spaces), slid, self.tests[field]))
                if self.lane_counts:
                    self.full |= (1 << max(0, self.spaces - nearest + 1)) - 1
            labels >>= FIELD
            field += 1
