"""A turn of the cup: out of a spin without a die, and what is due when it ends."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.rules.conversation.asking import Proc
from companion.rules.conversation.overriding import override
from companion.rules.cup.figures import CupFigures
from companion.rules.cup.state import CupCar, CupMove, CupRace
from companion.rules.dice.turn import Turn

if TYPE_CHECKING:
    from companion.rules.cup.cup import Cup


class CupTurn(Turn[CupCar, CupRace, CupFigures]):
    """One car's turn."""

    book: Cup

    @override
    def settle(self, car: CupCar) -> Proc[None]:
        """What the move costs; where it has ended lies the marker of an engine that changing down has strained
        [handling.marker]."""
        yield from super().settle(car)
        if self.book.move.strained and car.alive:
            self.book.wear.mark(car.at, "handling.marker", car)

    @override
    def drives_engines(self, car: CupCar, face: int) -> None:
        """No engine is at its limit in the pits; the weather is checked all the same
        [pit.suspended, engine.trigger, weather.check]."""
        if not self.book.pits.from_pits():
            super().drives_engines(car, face)

    @override
    def play(self, car: CupCar) -> Proc[None]:
        """A car that has spun turns round and drives off in 1st; it rolls no die for it [overshoot.spin, ruling 7]."""
        if car.status == "spun":
            self.book.starts.turn_round(car)
            car.status, car.turned = "racing", False
            car.gear = self.move.gear = 1
            self.rule("restart", "overshoot.spin", car, gear=1)
            yield from self.drive(car)
        else:
            yield from super().play(car)

    @override
    def new_move(self, car: CupCar) -> CupMove:
        """The turn of a car as it begins [order.position]."""
        ahead = self.book.sheet.stood_ahead(car)
        return CupMove(car=car.number, begin=car.at or "", lap=car.lap, made=car.stops, stood_ahead=ahead)

    @override
    def end_of_turn(self, car: CupCar) -> Proc[None]:
        """Past the flag a car races on until it has left turn one, with all its points; whoever spins on overshooting
        it is disqualified, not who has paid for that and spins for being blocked. A car that has left the grid leaves
        no gap, and the checks that are due come after the tests of the turn [finish.turn-one, finish.order,
        pit.close-up, weather.check, rulings 9, 15, 34, 35]."""
        overs = self.move.overs if not self.move.blocked else []
        overshot = any(over[0] == self.book.finish.turn_one for over in overs)
        if car.number in self.race.flagged and car.status == "spun" and overshot:
            self.book.wear.eliminate(car, "turn_one", "finish.turn-one", removed=True)
        elif self.book.finish.cleared(car):
            self.book.finish.finish(car)
        before = self.book.pits.rows()
        self.book.pits.tidy()
        self.book.pits.close_up(before)
        yield from self.book.weather.draw_again()
