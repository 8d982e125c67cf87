"""There are no tyres in the death race, only laps."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.rules.conversation.overriding import override
from companion.rules.death.figures import DeathFigures
from companion.rules.death.state import DeathCar, DeathRace
from companion.rules.dice.tyres import Tyres

if TYPE_CHECKING:
    from companion.rules.death.death import Death


class DeathTyres(Tyres[DeathCar, DeathRace, DeathFigures]):
    """What the line brings."""

    book: Death

    @override
    def age_tyres(self, car: DeathCar) -> None:
        """Over the line a new lap begins, and cards that work once a lap are fresh [basic.finish, ruling 19]."""
        if self.move.crossed:
            car.fresh = False
            self.book.bodywork.refresh(car)
            self.rule("lap", "basic.finish", car, lap=car.lap, tyre_laps=0)
        if self.come_round(car):
            car.round_set = True
