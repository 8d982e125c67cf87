"""The order of the cup: the order of the road, with the phase of the pits after the track."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.rules.conversation.asking import Proc
from companion.rules.conversation.overriding import override
from companion.rules.cup.figures import CupFigures
from companion.rules.cup.state import CupCar, CupRace
from companion.rules.dice.order import Order

if TYPE_CHECKING:
    from companion.rules.cup.cup import Cup


class CupOrder(Order[CupCar, CupRace, CupFigures]):
    """First the track, then the lane, then Pit Lane Exit."""

    book: Cup

    @override
    def standing(self, car: CupCar) -> int:
        """The order is that of the road, in the pits as well [order.position, ruling 1]."""
        return self.driven(car)

    @override
    def waiting(self) -> list[CupCar]:
        """On the grid only those wait for a turn that stood in Pit Lane Exit when the round began, or have come there
        by a full advantage [pit.phase, ruling 27]."""
        race = self.race
        now = race.round + (race.sweep is None)
        held = {*race.pitting, *(number for number in race.leaving if self.car(number).leaves > now)}
        return [car for car in super().waiting() if car.number not in held]

    @override
    def turn_order(self, car: CupCar) -> tuple[int, tuple[int, ...]]:
        """First all cars on the track, then those in the lane, the one nearest to the track first, then Pit Lane Exit
        from its top, and who is just driving onto the grid [pit.phase, pit.lane-next, order.position, ruling 27]."""
        if car.status == "box":
            leaving = self.race.leaving
            return 2, (leaving.index(car.number) if car.number in leaving else len(leaving),)
        return int(car.status == "pit"), (-self.standing(car), *self.level_order(car))

    @override
    def told_to_lead(self, first: CupCar) -> CupCar:
        """Whoever is first in the race leads a round, in the pits too, where another on the track begins it; past the
        flag that is who has crossed the line first [order.position, pit.phase, finish.order]."""
        running = map(self.car, self.running_order())
        return next((car for car in running if car.alive), first)

    @override
    def next_to_play(self) -> CupCar | None:
        """A round begins with the first car that may play in it, even if the leader is in the pits [pit.phase]."""
        if self.race.sweep is not None:
            return super().next_to_play()
        return min(self.waiting(), key=self.turn_order, default=None)

    @override
    def has_played(self, car: CupCar, before: int, rank: tuple[int, ...]) -> None:
        """A full advantage lets a car leave in the very round in which it came [pit.quick, ruling 27]."""
        super().has_played(car, before, rank)
        race = self.race
        if car.status == "box" and car.stop != "left" and car.number in race.leaving and car.leaves <= race.round:
            race.played.remove(car.number)

    @override
    def end_of_round(self) -> Proc[None]:
        """The end of the pit phase; a round in which nobody could play has one too [pit.phase]."""
        leader = self.leader()
        if self.race.sweep is None and leader is not None:
            self.begin_round(leader)
        self.book.pits.columns_move()
        yield from super().end_of_round()

    @override
    def level_order(self, car: CupCar) -> tuple[int, ...]:
        """Among level cars the higher gear plays first, then the one nearer the inside of its corner, whoever got there
        first; a stalled car after the others [order.level-gear, order.level-inside, ruling 2]."""
        return (car.status == "stalled", -car.gear, self.from_inside(car))

    @override
    def running_order(self) -> list[int]:
        """Those past the flag as they crossed it, then the others [finish.order]."""
        race = self.race
        flagged = [number for number in race.flagged if number not in race.gone]
        return [*flagged, *(number for number in super().running_order() if number not in flagged)]
