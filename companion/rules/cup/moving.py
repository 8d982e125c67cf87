"""A move of the cup: from the pit grid with its bonus, cut short by a spin, over the line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.rules.circuit.leg import Landing
from companion.rules.conversation.asking import Json, Proc
from companion.rules.conversation.overriding import override
from companion.rules.cup.figures import CupFigures
from companion.rules.cup.state import CupCar, CupRace
from companion.rules.dice.moving import Moving

if TYPE_CHECKING:
    from companion.rules.cup.cup import Cup


class CupMoving(Moving[CupCar, CupRace, CupFigures]):
    """From where a car stood to where it stops, or spins."""

    book: Cup

    @override
    def terms(self, car: CupCar, slid: int, soft: int, braked: int, blocked: int) -> dict[str, Json]:
        """On a corner sheet with the KERS points that were spent before the table says what it saw [kers.spend]."""
        kers = self.book.move.kers if self.rolled else 0
        return super().terms(car, slid, soft, braked, blocked) | ({"kers": kers} if kers else {})

    @override
    def take(self, car: CupCar, landing: Landing, entry: int = 0) -> None:
        """A move that overshoots too far ends where the car spins; a car that crosses the line has done a lap
        [overshoot.spin, race.laps, ruling 5]."""
        lap = car.lap
        if landing.overs and not self.book.landings.price(car, landing).out:
            landing = self.book.landings.spun_short(car, landing)
        super().take(car, landing, entry)
        self.book.finish.over_the_line(car, lap)

    @override
    def place_at(self, car: CupCar, space: str) -> None:
        """Whoever is taken off before the line has not done the lap: neither its KERS nor the flag is his
        [race.laps, kers.points, finish.order]."""
        lap = car.lap
        super().place_at(car, space)
        if car.lap < lap:
            self.book.kers.lap_lost(car)
            self.book.finish.follow_flag()

    @override
    def displace(self, car: CupCar, spaces: int, *, soft: bool = True, least: int = 0) -> Proc[None]:
        """Off the grid into and along the lane, and onto the track: the die and the bonus; behind another car it waits
        at no cost. Whoever drives has raced on its tyres, the starting set included
        [pit.exit, pit.suspended, tyres.two-compounds, rulings 18, 28]."""
        if car.tyres and car.tyres not in car.raced:
            car.raced.append(car.tyres)
        yield from super().displace(car, spaces + self.book.pits.bonus(car), soft=soft, least=least)
