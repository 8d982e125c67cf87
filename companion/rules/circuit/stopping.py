"""Where a leg can stop: on what it has reached, by the distances that its brakes and soft tyres leave.

Articles 11, 12-0-1, 17-3 and 19-1-5; the rulings on moving.
"""

from __future__ import annotations

from collections.abc import Iterator

from companion.rules.circuit.labels import FIELD, ONE_FIELD, Labels
from companion.rules.circuit.leg import Landing, Leg, Over
from companion.rules.circuit.straights import Straights, Strip

Spot = tuple[int, int, int, tuple[Over, ...]]
"""A space that the leg reaches: its id, its labels, the whole distance owed there, overshoot so far."""


class Stopping(Labels):
    """From distances to stops: the landings found so far, and all that was reached."""

    def __init__(self, board: Straights, leg: Leg) -> None:
        super().__init__(board, leg)
        self.minimum = max(leg.least, 1)
        self.die = leg.spaces + leg.soft
        self.in_lane = leg.start in board.lane or leg.start in board.front
        self.lane_counts = self.in_lane or leg.pits_count  # else the pits are no way round for a car on the track
        self.spots: list[Spot] = []
        self.strips: list[tuple[Strip, int]] = []
        self.found: list[Landing] = []
        self.full = 0

    def stop(self, space: int, labels: int, total: int, overs: tuple[Over, ...] = ()) -> None:
        """Notes a space that is reached, and the stops there."""
        self.spots.append((space, labels, total, overs))
        if stops := labels & self.wanted(total) * self.every:
            self.count(space, stops, total, overs)

    def wanted(self, total: int) -> int:
        """The distances at which a leg of `total` spaces may stop: less what is braked, or one more on soft tyres."""
        leg = self.leg
        braked = ((2 << leg.brakes) - 1 << total) >> leg.brakes
        return braked | int(leg.soft) << leg.spaces + 1

    def count(self, space: int, stops: int, total: int, overs: tuple[Over, ...]) -> None:
        """Adds the stops on a space, one for each label: the whole distance less brakes, whatever it overshoots, or one
        more on soft tyres [11-0-1, 11-0-2, ruling 15]."""
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
            if leg.soft and moved == leg.spaces + 1 and self._may_soften(space, self.sets[field]):
                found.append(Landing(space, moved, 0, 1, 0, self.tests[field], overs))

    def _may_soften(self, space: int, tests: int) -> bool:
        """The soft space is taken only while the car stands before the line that ends its lap, or in the lane before
        its box; it may itself cross the line [8-2-3, 19-3-6, rulings 31, 32]."""
        track, leg = self.track, self.leg
        if not leg.ages or track.past_line(leg.start) or not track.past_line(space):
            return True
        if space in self.board.lane:
            return leg.until >= 0
        return not leg.soft_ends and any(
            labels >> FIELD * field + leg.spaces & 1
            for before, labels, _, _ in self._reached()
            if not track.past_line(before) and space in track.moves[before]
            for field, taken in enumerate(self.sets)
            if taken | self.step_tests(before, space) == tests
        )

    def blocked(self, brakes: int) -> None:
        """As far as possible where no way drives the whole distance that so many voluntary brakes leave
        [12-0-1, 12-0-3, 12-1-3, rulings 21, 47, 48]."""
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
                            yield x, labels, self.leg.spaces, ()

    def finish(self, x: int, labels: int, overs: tuple[Over, ...], total: int) -> None:
        """Across the line for the last time: what lies beyond does not matter [17-3, 21-1-5, ruling 99]."""
        field = 0
        while labels:
            if bits := labels & ONE_FIELD:
                moved = (bits & -bits).bit_length() - 1
                self.full |= (1 << max(0, total - moved + 1)) - 1
                soft = int(moved > self.leg.spaces + self.leg.slide)
                self.found.append(Landing(x, moved, 0, soft, 0, self.tests[field], overs, finished=True))
            labels >>= FIELD
            field += 1

    def collapse(self, x: int, labels: int) -> None:
        """The end of the way in the lane: whatever is left of the distance is lost at no cost [19-1-5, 19-2-2]."""
        leg = self.leg
        field = 0
        while labels:
            if bits := labels & ONE_FIELD:
                nearest = (bits & -bits).bit_length() - 1
                self.found.append(Landing(x, nearest, 0, int(nearest > leg.spaces), 0, self.tests[field]))
                if self.lane_counts:
                    self.full |= (1 << max(0, leg.spaces - nearest + 1)) - 1
            labels >>= FIELD
            field += 1
