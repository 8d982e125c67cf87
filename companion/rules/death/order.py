"""The rounds of the death race: a movement phase, then the attacks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.rules.conversation.asking import Proc
from companion.rules.conversation.overriding import override
from companion.rules.death.figures import DeathFigures
from companion.rules.death.state import DeathCar, DeathRace
from companion.rules.dice.order import Order
from companion.rules.dice.starts import FIRST

if TYPE_CHECKING:
    from companion.rules.death.death import Death


class DeathOrder(Order[DeathCar, DeathRace, DeathFigures]):
    """When a round begins and ends, and who has moved."""

    book: Death

    @override
    def begin_round(self, leader: DeathCar) -> None:
        """A round begins with the movement phase, which is the basic game's round [phase.movement]."""
        for car in self.race.cars:
            car.busy = False
        super().begin_round(leader)

    @override
    def has_played(self, car: DeathCar, before: int, rank: tuple[int, ...]) -> None:
        """Notes in which order the cars have moved; one that the referee lets move again moved last
        [phase.movement, ruling 21]."""
        super().has_played(car, before, rank)
        self.race.moved = [number for number in self.race.moved if number != car.number] + [car.number]

    @override
    def end_of_round(self) -> Proc[None]:
        """When every car has acted the round is over, and the stick of a spun car is in 1st
        [phase.attack, spin.zero]."""
        race = self.race
        for car in race.cars:
            if car.status == "spun" and car.gear > FIRST:
                car.gear = FIRST
                self.rule("turned", "spin.zero", car)
        race.attacking, race.sweep = False, None
        for listed in (race.played, race.called, race.moved):
            listed.clear()
        return
        yield
