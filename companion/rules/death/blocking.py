"""The death race's blocking: a point a space that could not be driven."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.rules.conversation.asking import Proc
from companion.rules.conversation.overriding import override
from companion.rules.death.figures import DeathFigures
from companion.rules.death.state import DeathCar, DeathRace
from companion.rules.dice.blocking import Blocking

if TYPE_CHECKING:
    from companion.rules.death.death import Death


class DeathBlocking(Blocking[DeathCar, DeathRace, DeathFigures]):
    """What it costs to be blocked."""

    book: Death

    @override
    def blocked(self, car: DeathCar) -> Proc[None]:
        """A point a space that could not be driven; who cannot pay them all has none left and spins
        [basic.blocked, ruling 17]."""
        if self.move.blocked:
            self.lose(car, "blocked", "basic.blocked", {"brakes": self.move.blocked}, spaces=self.move.blocked)
        return
        yield
