"""Which spaces a roll can reach, by ways that cross what, at which price in brakes.

One pass over the part of the board ahead finds every stop. A leg meets at most four stretches: a corner already
negotiated, a straight, a corner in which stops are owed, and the lane that must be kept beyond it. Articles 7, 10-2 and
18; the rulings on moving.
"""

from __future__ import annotations

from functools import reduce
from operator import or_

from companion.rules.circuit.labels import NOWHERE
from companion.rules.circuit.leg import FAR, Landing, Over
from companion.rules.circuit.stopping import Stopping


class Search(Stopping):
    """The one pass over the board for one leg."""

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
        """Whether the way of this leg that has come to `here` in so many spaces is still one legal way if it goes on to
        the next space `to`: on a straight none is shorter. A way that only the referee's word has made goes on as it
        likes [7-2-3 to 7-2-5, ruling 16]."""
        leg, straight = self.leg, self.track.straight
        if straight[here] < 0 or straight[to] != straight[here]:
            return True
        inflow = {leg.start: 1}
        if (corner := self.track.corner[leg.start]) >= 0:
            inflow = self._corner(corner, inflow, self.die, leg.spaces)
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
        """Stretch by stretch, each by its own code: across the end of a corner a zigzag is none [7-2-6]."""
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
            inflow = self._corner(corner, {start: 1}, self.die, leg.spaces)
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
        if self.bit and any(straight[x if x >= 0 else ~x] == index for x in self.bit):
            reached: dict[int, int] = {}
            for entry, base in inflow.items():
                crossed = {0: base}
                closed = taken | self._too_far_across(entry)
                for x, ways in board.tested_ways(entry, self.die, closed, self.bit, home, detours=leg.detours):
                    for tests, way in ways.items():
                        if tests not in crossed:
                            crossed[tests] = self.cross(base, tests)
                        labels = self.within(crossed[tests] << way, self.die)
                        if labels:
                            reached[x] = reached.get(x, 0) | labels
            for x, labels in reached.items():
                if x not in home:
                    self.stop(x, labels, leg.spaces)
        else:
            reached = self._plain_straight(inflow, taken, home)
        for x in home:
            if x in reached:
                self.finish(x, reached.pop(x), (), leg.spaces)
        for x, y in ends:
            if x in reached and y not in leg.taken:
                labels = self.within(reached[x] << 1, self.die)
                if labels:
                    self.enter(out, y, x, labels)
        if leg.until >= 0:
            lane: dict[int, int] = {}
            for x, y in board.entry.items():
                if x in reached and (leg.at_once or y not in leg.taken):
                    self.enter(lane, y, y, self.within(reached[x] << 1, self.die))
            if leg.at_once:
                self.collapse(leg.until, reduce(or_, lane.values(), 0))
            else:
                self._lane(lane)
        return out

    def _too_far_across(self, entry: int) -> frozenset[int]:
        """The spaces of a straight that lie more lanes away from where it was entered than the leg may change."""
        track, most = self.track, self.leg.lanes
        if most >= len(track.lanes) - 1:
            return NOWHERE
        lane = track.spaces[entry].lane
        strip = self.board.strips[track.straight[entry]]
        return frozenset(x for x in strip if abs(track.spaces[x].lane - lane) > most)

    def _plain_straight(self, inflow: dict[int, int], taken: frozenset[int], home: frozenset[int]) -> dict[int, int]:
        """A straight without tests: the stops within reach of the brakes, and the labels of the spaces that lead on."""
        leg, board, most = self.leg, self.board, self.leg.brakes
        spaces = leg.spaces
        wanted = self.wanted(spaces) * self.every
        stops: dict[int, int] = {}
        leads_on = board.leads_on[self.track.straight[next(iter(inflow))]] | home
        reached: dict[int, int] = {}
        for entry, base in inflow.items():
            strip = board.strip(entry, self.die, taken | self._too_far_across(entry), home)
            self.strips.append((strip, base))
            last = len(strip.layers) - 1
            near = 0 if self.every > 1 else max(0, spaces - most - base.bit_length() + 1)
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
        wanted, within = self.wanted(total), (2 << limit) - 1
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
        """Into (or on in) a corner where stops are owed: the slide adds its spaces, and leaving it is overshooting
        [7-1-1, rulings 25, 27]."""
        leg = self.leg
        if leg.slide:
            inflow = {x: self.within(labels, leg.spaces) for x, labels in inflow.items()}
        total = leg.spaces + leg.slide
        missing = self.track.corners[corner].stops - made
        for x, labels in self._corner(corner, inflow, self.reach, total).items():
            self._overshoot(x, labels, corner, missing, total)

    def _overshoot(self, first: int, labels: int, corner: int, missing: int, total: int) -> None:
        """Beyond a corner left too early: straight on in the lane, through whatever comes, and stuck behind whoever
        stands in it [10-2, 10-2-1, 10-2-2, rulings 36 to 38]."""
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
            overs = tuple([Over(index, spaces + 1, stops) for index, spaces, stops in overs])
            self.stop(x, labels, total, overs)
            before = x

    # -- the pit lane

    def _out_of_lane(self, start: int) -> dict[int, int]:
        """From a lane space or a box onward: to one's own box if the stop is still due, else out onto the track where
        an arrow leads [19-1-1, 19-1-2]."""
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
        """Along the single lane of the pits: nobody is passed, and what cannot be driven is lost [19-1-5]; returns what
        flows out onto the track."""
        leg, board = self.leg, self.board
        out: dict[int, int] = {}
        for x in self.track.pit.spaces if self.track.pit else ():
            labels = reached.pop(x, 0)
            if not labels:
                continue
            onward = self.within(labels << 1, self.die)
            here = leg.until >= 0 and board.front[leg.until] == x
            ways = [leg.until] if here else [*board.exits.get(x, ()), self.track.ahead[x]]
            ways = [y for y in ways if y >= 0 and y not in leg.taken]
            if not ways:
                self.collapse(x, labels)
                continue
            self.stop(x, labels, leg.spaces)
            if here:
                self.collapse(leg.until, onward)
                continue
            for y in ways:
                self.enter(reached if y in board.lane else out, y, x, onward)
        return out
