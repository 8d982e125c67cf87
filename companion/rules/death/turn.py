"""A turn of the death race."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.rules.conversation.asking import Proc
from companion.rules.conversation.faces import FACES
from companion.rules.conversation.overriding import override
from companion.rules.death.figures import DeathFigures
from companion.rules.death.state import DeathCar, DeathMove, DeathRace
from companion.rules.dice.turn import Turn

if TYPE_CHECKING:
    from companion.rules.death.death import Death


class DeathTurn(Turn[DeathCar, DeathRace, DeathFigures]):
    """One car's turn, with its ramp and its limpet mines."""

    book: Death

    @override
    def end_of_turn(self, car: DeathCar) -> Proc[None]:
        """At the end of its move a car may leave a limpet mine, which is wreckage to whoever comes
        [weapon.limpet-mines, ruling 1]."""
        cards = self.book.bodywork
        if not cards.may_drop(car):
            return
        left = car.stock["limpet-mines"]
        if (yield from cards.uses(car, "limpet-mines", lambda: cards.may_drop(car), left=left)):
            car.stock["limpet-mines"] -= 1
            self.rule(
                "mine", "weapon.limpet-mines", car, counts={"stock:limpet-mines": -1}, action="dropped", at=car.at,
                owner=car.number, card="limpet-mines",
            )  # fmt: skip
            self.book.wear.mark(car.at, "weapon.limpet-mines", car)

    @override
    def drive(self, car: DeathCar) -> Proc[None]:
        """A car that has spun before its die does not drive any more; a ramp is declared before the die
        [basic.gears, spin.zero, utility.pneumatic-ramp, ruling 1]."""
        if car.status != "spun":
            yield from self.book.gadgets.raise_ramp(car, FACES[car.gear][-1])
            yield from super().drive(car)

    @override
    def new_move(self, car: DeathCar) -> DeathMove:
        """The turn of a car as it begins [phase.movement]."""
        return DeathMove(car=car.number, begin=car.at or "", lap=car.lap, made=car.stops)

    @override
    def settle(self, car: DeathCar) -> Proc[None]:
        """Overshooting, then blocking; what a move costs is one loss, and at its end the last point spins the car. One
        that has spun pays no more, but two stops missed before that put it out
        [basic.overshoot, basic.blocked, rulings 1, 14, 16]."""
        if car.status == "spun":
            self.book.corners.stops_missed(car)
            return
        yield from super().settle(car)
        if self.move.braked or self.move.blocked or self.move.overs:
            self.book.wear.empty(car)
