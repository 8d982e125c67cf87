"""One pool of points that pays for everything: the beginner's game of the box, and the death race on top of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from companion.rules.circuit.leg import Over
from companion.rules.conversation.asking import Option, Procedure
from companion.rules.conversation.kinds import Pool, Pools
from companion.rules.conversation.overriding import override
from companion.rules.dice.chapter import F, R
from companion.rules.dice.collisions import Blocking
from companion.rules.dice.corners import Corners
from companion.rules.dice.gears import Gears
from companion.rules.dice.pits import Pits
from companion.rules.dice.questions import Gear
from companion.rules.dice.state import C
from companion.rules.dice.wear import Cost, ForetoldTest, Purse

POOL: Final[Pool] = "points"
"""The one pool of wear points [5-0-1]."""


class OnePoolGears(Gears[C, R, F]):
    """The cost of gears with one pool."""

    @override
    def gear_cost(self, now: int, gear: int) -> Pools:
        """All that a gear-down costs comes off the one pool; it strains no engine [13-1, 13-4, 5-0-1]."""
        cost = sum(super().gear_cost(now, gear).values())
        return {"gearbox": cost} if cost else {}


class OnePoolCorners(Corners[C, R, F]):
    """A point a space beyond a corner."""

    @override
    def price_of_space(self, car: C) -> int:
        """Return a point a space beyond the corner [10-0-1]."""
        return 1

    @override
    def articles_of_price(self, car: C) -> list[str]:
        """Return none: there are no tyres that make it dearer."""
        return []

    @override
    def overshoot_cost(self, car: C, overs: Sequence[Over], purse: Purse, *, braked: int = 0, blocked: int = 0) -> Cost:
        """Two or more stops missed, and the car is out [10-0-1, 10-1]."""
        points: tuple[tuple[Pool, int], ...] = (("tyres", self.tyres_lost(car, overs)),)
        if any(self.puts_out(over.missing) for over in overs):
            return Cost(points, out="overshoot", article="10-1")
        return Cost(points)

    @override
    def pay_overshoot(self, car: C, overs: Sequence[Over], cost: Cost) -> None:
        """Charge a point a space, without a sum to show [10-0-1]."""
        self.lose(
            car,
            "overshoot",
            "10-0-1",
            dict(cost.points),
            spaces=sum(over.spaces for over in overs),
            corners=[self.track.corners[over.corner].number for over in overs],
            missing=max(over.missing for over in overs),
            **self.priced(car),
        )


class OnePoolBlocking(Blocking[C, R, F]):
    """A point a space that could not be driven."""

    @override
    def blocked_cost(self, car: C, spaces: int, purse: Purse, *, owed: int = 0) -> Cost:
        """Return a point a space that could not be driven [12-0-1]."""
        return Cost((("brakes", spaces),))

    @override
    def blocked(self, car: C) -> Procedure[None]:
        """Charge a blocked car; if it cannot pay for all spaces it has no point left [12-0-1].

        What follows from that is seen once the move is settled.
        """
        if spaces := self.move.blocked:
            cost = self.blocked_cost(car, spaces, self.book.wear.purse(car))
            self.lose(car, "blocked", "12-0-1", dict(cost.points), spaces=spaces)
        yield from ()


class OnePoolPits(Pits[C, R, F]):
    """In the lane gears are as free as on the track, and the box is left in 4th or less."""

    @override
    def foretell_stop(self, there: C) -> list[ForetoldTest]:
        """Return no test: a stop gives points back without a die."""
        return []

    @override
    def lane_gears(self, car: C, gears: list[int]) -> list[int]:
        """In the lane gears are as free as on the track [19-1-6]."""
        return gears

    @override
    def leave_gear_question(self, car: C) -> Gear:
        """Out of the box on the next turn in 4th or less [19-4-2]."""
        choices = [(Option(gear), gear) for gear in range(1, self.highest_gear() + 1)]
        return Gear(car.number, self.article("19-4-2"), choices, what="leave")
