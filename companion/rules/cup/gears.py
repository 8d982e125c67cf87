"""The cup's gears: a pool that is missing bars what it would have to pay, but for the engine."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.rules.conversation.asking import Proc
from companion.rules.conversation.kinds import Pools
from companion.rules.conversation.overriding import override
from companion.rules.cup.figures import CupFigures
from companion.rules.cup.state import CupCar, CupRace
from companion.rules.dice.gears import Gears

if TYPE_CHECKING:
    from companion.rules.cup.cup import Cup


class CupGears(Gears[CupCar, CupRace, CupFigures]):
    """What a skip may cost."""

    book: Cup

    @override
    def can_pay(self, car: CupCar, cost: Pools) -> bool:
        """A skip that gearbox or brakes cannot pay is not open to the car: without gearbox points it goes down one gear
        at a time, without brakes it does not brake in any form. An engine point that is missing may be staked, and ends
        the race [geardown.penalty, brake.penalty, ruling 10]."""
        return all(self.book.wear.left(car, part) >= points for part, points in cost.items() if part != "engine")

    @override
    def strained(self, car: CupCar) -> None:
        """An engine point lost by changing down marks the space where the move ends
        [handling.marker, geardown.table]."""
        self.book.move.strained = True

    @override
    def choose_gear(self, car: CupCar) -> Proc[None]:
        """In the lane the gear is free as on the way out of the grid [pit.suspended, pit.lane-next, ruling 28]."""
        if car.status == "pit":
            yield from self.book.pits.leave_box(car)
        else:
            yield from super().choose_gear(car)
