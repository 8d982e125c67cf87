"""A move of the death race: nitros, the way with all that lies on it, what follows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.rules.circuit.leg import Landing
from companion.rules.conversation.asking import Proc, ask
from companion.rules.conversation.overriding import override
from companion.rules.death.figures import DeathFigures
from companion.rules.death.state import DeathCar, DeathRace
from companion.rules.dice.moving import Moving

if TYPE_CHECKING:
    from companion.rules.death.death import Death


class DeathMoving(Moving[DeathCar, DeathRace, DeathFigures]):
    """From where a car stood to where it stops, or is stopped."""

    book: Death

    @override
    def take(self, car: DeathCar, landing: Landing, entry: int = 0) -> None:
        """Puts the car down and pays its brakes; what lay on the way has been met [ruling 2]."""
        super().take(car, landing, entry)
        self.move.tests = []

    @override
    def displace(self, car: DeathCar, spaces: int, *, soft: bool = True, least: int = 0) -> Proc[None]:
        """Nitros, then the way, then what may follow it [ruling 1]."""
        spaces += yield from self.book.gadgets.nitros(car)
        landing = yield from ask(self.book.landings.landing_question, car, spaces, soft=soft, least=least)
        yield from self.drive_on(car, landing)
        yield from self.book.slipstream.further(car, soft)

    def drive_on(self, car: DeathCar, landing: Landing) -> Proc[None]:
        """The way space by space; then whoever was beside the car may follow it [utility.mag-plates, ruling 2]."""
        start = car.at
        yield from self.book.wreckage.drive_over(car, landing)
        yield from self.book.bodywork.mag_plates(car, start)

    @override
    def brake(self, car: DeathCar, brakes: int) -> None:
        """A point a space braked away [basic.blocked, basic.pool]."""
        if brakes:
            self.lose(car, "brake", "basic.blocked", {"brakes": brakes}, spaces=brakes)
