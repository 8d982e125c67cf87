"""Gears that a turbo adds and that a hit takes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.rules.conversation.asking import Option
from companion.rules.conversation.kinds import Pools
from companion.rules.conversation.overriding import override
from companion.rules.death.figures import DeathFigures
from companion.rules.death.state import POOL, DeathCar, DeathRace
from companion.rules.dice.gears import Gears

if TYPE_CHECKING:
    from companion.rules.death.death import Death


class DeathGears(Gears[DeathCar, DeathRace, DeathFigures]):
    """What the stick costs."""

    book: Death

    def lose_gears(self, car: DeathCar, article: str, *, least: int = 0) -> None:
        """Two gears down at once, at no cost, to `least` at the lowest; at 0 the car spins with the points it has
        [weapon.haywire-charge, weapon.haywire-missiles, weapon.slip-mines, ruling 31]."""
        before = car.gear
        car.gear = min(before, max(least, before - self.figures.lost_gears))
        if car.gear < before:
            self.rule("gears_lost", article, car, before=before, gear=car.gear)
        if car.gear < 1 > least:
            self.book.wear.spin(car, article)

    @override
    def gear_cost(self, now: int, gear: int) -> Pools:
        """All that a gear-down costs comes off the one pool; it is a cost, and strains no engine
        [basic.gears, basic.pool, ruling 9]."""
        cost = sum(super().gear_cost(now, gear).values())
        return {"gearbox": cost} if cost else {}

    @override
    def gear_option(self, car: DeathCar, gear: int) -> Option:
        """A gear tells whether paying for it spins or destroys the car, and whether it takes the turbo [utility.turbo,
        spin.zero]."""
        option = super().gear_option(car, gear)
        if option.wear and -option.wear[POOL] >= self.book.wear.points(car):
            option.facts.update(self.book.wear.at_zero(in_pits=car.in_pits))
        if gear == car.gear + 2:
            option.facts["card"] = "turbo"
        return option

    @override
    def may_shift(self, car: DeathCar, gear: int) -> bool:
        """One gear up, two with a turbo once a lap [basic.gears, utility.turbo]."""
        return super().may_shift(car, gear) or (gear == car.gear + 2 and car.ready("turbo"))

    @override
    def shift(self, car: DeathCar, gear: int) -> None:
        """The second gear up is the turbo's; a gear-down that takes the last point spins the car where it stands
        [basic.gears, utility.turbo, ruling 1]."""
        if gear == car.gear + 2 and car.ready("turbo"):
            self.book.bodywork.spend(car, "turbo", gear=gear)
        left = self.book.wear.points(car)
        super().shift(car, gear)
        if self.book.wear.points(car) < left:
            self.book.wear.empty(car)
