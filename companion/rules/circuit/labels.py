"""By how many spaces, and through which tests, a space can be reached.

The distances by which a space can be reached are the bits of one number, its `labels`: bit 7 for seven spaces. Ways
that take different tests (danger spaces entered, outside lane entered) must be told apart, so each set of tests has a
field of 64 bits of its own in that number; field 0 is for ways that take none.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from companion.rules.circuit.leg import Leg
from companion.rules.circuit.straights import Straights

FIELD: Final = 64
ONE_FIELD: Final = (1 << FIELD) - 1

NOWHERE: Final[frozenset[int]] = frozenset()


class Labels:
    """The labels of one leg: the tests that wait on its way, and the field of each set of them."""

    def __init__(self, board: Straights, leg: Leg) -> None:
        track = board.track
        self.board, self.leg, self.track = board, leg, track
        self.reach = leg.spaces + max(leg.slide, leg.soft)
        self.bit: dict[int, int] = {}
        self.event: list[int] = []
        self.sets, self.field, self.every = [0], {0: 0}, 1
        self.tests: list[tuple[int, ...]] = [()]  # those of each set, in driving order
        # where the race ends, if this move can end it
        self.home = track.line if leg.finish and not track.past_line(leg.start) else NOWHERE
        if leg.dangers or track.wall >= 0:
            self._number_tests()

    def _number_tests(self) -> None:
        """A bit for every test in reach, in driving order: danger spaces, and where there is an outside wall its lane's
        spaces; where both wait, the danger of a space comes before the wall beside it."""
        leg, track, lane, home = self.leg, self.track, self.board.lane, self.home
        place, length = track.place, track.length
        start, far = place[leg.start], 3 * self.reach + 6

        def in_reach(spaces: Iterable[int]) -> list[int]:
            """Not beyond the line at the end of the race: the car is home before it can be tested there [17-3]."""
            return [x for x in spaces if ((place[x] - start) % length <= far or x in lane) and x not in home]

        self.event = in_reach(leg.dangers) + [~x for x in in_reach(self.board.wall)]
        if len(self.event) > 1:
            order, first, count = track.order, track.order[leg.start], len(track.spaces)
            self.event.sort(key=lambda test: ((order[test if test >= 0 else ~test] - first) % count, test < 0))
        self.bit = {test: 1 << i for i, test in enumerate(self.event)}

    def cross(self, labels: int, test: int) -> int:
        """The labels of the same ways once they have taken a test too."""
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
        """Flows from x onto y, taking the tests that wait there."""
        if self.bit:
            labels = self.cross(labels, self.step_tests(x, y))
        reached[y] = reached.get(y, 0) | labels

    def step_tests(self, x: int, y: int) -> int:
        """The tests that wait on y for a car that comes from x."""
        test, track = self.bit.get(y, 0), self.track
        if track.wall >= 0 and track.spaces[y].lane == track.wall and track.spaces[x].lane != track.wall:
            test |= self.bit.get(~y, 0)
        return test

    def within(self, labels: int, limit: int) -> int:
        """Only the distances up to a limit."""
        return labels & ((2 << limit) - 1) * self.every
