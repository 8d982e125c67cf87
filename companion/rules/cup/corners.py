"""A corner of the cup that was left with a stop missing: whoever cannot pay spins."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.rules.conversation.overriding import override
from companion.rules.cup.figures import CupFigures
from companion.rules.cup.state import CupCar, CupRace
from companion.rules.dice.corners import Corners

if TYPE_CHECKING:
    from companion.rules.cup.cup import Cup


class CupCorners(Corners[CupCar, CupRace, CupFigures]):
    """The penalty of the tyres, and when it falls."""

    book: Cup

    def puts_out(self, missing: int) -> bool:
        """Whether so many stops missed in a corner put a car out: two do, unless the table says tyres alone
        [overshoot.limit, ruling 4]."""
        return missing >= 2 and not self.figures.missed_stops_spin

    @override
    def overshot(self, car: CupCar, missing: int, loss: int, limit: int) -> None:
        """Whoever cannot pay has given what was there and spins, again and again. Two stops missed and the car is out
        [overshoot.spin, overshoot.limit, rulings 4 to 7]."""
        if self.puts_out(missing):
            self.book.wear.eliminate(car, "overshoot", "ruling 4", removed=True)
        elif loss > limit:
            self.move.blocked = 0
            self.book.wear.spin(car, "overshoot.spin")
