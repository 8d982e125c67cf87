"""Driving off in the death race: out of a spin without a die, and the ramp of a great start."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.rules.conversation.asking import Option, Proc, ask
from companion.rules.conversation.faces import Face
from companion.rules.conversation.overriding import override
from companion.rules.death.figures import DeathFigures
from companion.rules.death.state import DeathCar, DeathRace
from companion.rules.dice.questions import Gear
from companion.rules.dice.starts import Starts

if TYPE_CHECKING:
    from companion.rules.death.death import Death


class DeathStarts(Starts[DeathCar, DeathRace, DeathFigures]):
    """From standing still to 1st gear."""

    book: Death

    def restart_gear_question(self, car: DeathCar) -> Gear:
        """Out of a spin in 1st, with a turn table in 2nd at will [utility.turn-table, spin.zero]."""
        choices = [(Option(gear), gear) for gear in (1, 2)]
        return Gear(car.number, "utility.turn-table", choices, what="restart", wanted="It drives off in")

    @override
    def restart(self, car: DeathCar) -> Proc[None]:
        """After a spin the car drives off in 1st, without another die [spin.zero, ruling 15]."""
        gear = 1
        if car.utility == "turn-table":
            gear = yield from ask(self.restart_gear_question, car)
        car.status, car.turned, car.gear = "racing", False, gear
        self.move.gear = gear
        self.rule("restart", "spin.zero", car, gear=gear)
        yield from self.book.turn.drive(car)

    @override
    def great_start(self, car: DeathCar, face: Face, article: str) -> Proc[None]:
        """A great start has no die of its own, and a ramp is raised for it at once [basic.start,
        utility.pneumatic-ramp]."""
        yield from self.book.gadgets.raise_ramp(car, self.figures.great_spaces)
        yield from super().great_start(car, face, article)
