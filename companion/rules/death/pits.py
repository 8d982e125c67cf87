"""A stop of the death race: all points, tokens and slip mines back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.rules.conversation.asking import Option, Proc
from companion.rules.conversation.overriding import override
from companion.rules.death.figures import DeathFigures
from companion.rules.death.state import POOL, DeathCar, DeathRace
from companion.rules.dice.pits import Pits
from companion.rules.dice.questions import Gear

if TYPE_CHECKING:
    from companion.rules.death.death import Death


class DeathPits(Pits[DeathCar, DeathRace, DeathFigures]):
    """What a car gets in its box."""

    book: Death

    @override
    def pit_stop(self, car: DeathCar) -> Proc[None]:
        """A stop gives every point back up to the car's maximum, all tokens of the cards on it and its slip mines;
        reload tokens and limpet mines stay as they are. A card that was torn off may be fitted again for four points.
        Where the referee has put the car elsewhere meanwhile there is no more of it [pit.refill, weapon.chain-blades,
        weapon.slip-mines, weapon.wrecker-ball, utility.grip-tyres, utility.swerve-tyres, utility.mag-plates,
        ruling 20]."""
        car.stop, car.round_set = "long", False
        full, stock = car.built[POOL], dict(car.stock)
        for key in list(car.stripped):
            worth = full > self.figures.refit_points
            if worth and (yield from self.book.bodywork.uses(car, key, lambda: car.status == "box", refit=True)):
                full -= self.figures.refit_points
                car.stripped.remove(key)
                self.book.preparing.fit_card(car, key)
                self.rule("refit", "weapon.chain-blades", car, card=key)
        if car.status != "box":
            return
        won, car.wear[POOL] = full - car.wear[POOL], full
        for card in car.cards:
            if card.stock and card.key != "limpet-mines":
                car.stock[card.key] = card.stock
        counts = {f"stock:{key}": more for key, left in car.stock.items() if (more := left - stock.get(key, 0))}
        self.rule("box", "pit.refill", car, {POOL: won} if won else {}, counts=counts, box=car.box)

    @override
    def lane_gears(self, car: DeathCar, gears: list[int]) -> list[int]:
        """In the lane gears are as free as on the track; out of the box it is 4th or less [pit.refill, ruling 20]."""
        return gears

    @override
    def leave_gear_question(self, car: DeathCar) -> Gear:
        """Out of the box on the next turn in 4th or less [pit.refill, ruling 20]."""
        choices = [(Option(gear), gear) for gear in range(1, self.figures.leave_gear + 1)]
        return Gear(car.number, "pit.refill", choices, what="leave", wanted="The box is left in")
