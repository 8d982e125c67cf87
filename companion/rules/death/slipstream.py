"""What a driver does behind another car: a ram or slipstreams, then the clutch."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.rules.circuit.leg import Landing
from companion.rules.conversation.asking import Proc
from companion.rules.conversation.overriding import override
from companion.rules.death.figures import DeathFigures
from companion.rules.death.state import DeathCar, DeathRace
from companion.rules.dice.slipstream import Slipstream

if TYPE_CHECKING:
    from companion.rules.death.death import Death


class DeathSlipstream(Slipstream[DeathCar, DeathRace, DeathFigures]):
    """Who is offered one."""

    book: Death

    @override
    def further(self, car: DeathCar, soft: bool) -> Proc[None]:
        """Behind another car a ram or slipstreams, then the clutch; nothing after what ended the move
        [utility.ram-spike, slipstream.any-gear, ruling 1]."""
        while not self.book.move.stopped:
            if (yield from self.book.gadgets.ram(car)) or not (yield from self.slipstream(car, soft)):
                break
        yield from self.book.gadgets.drop_clutch(car)

    @override
    def towed(self, car: DeathCar, tow: Landing) -> Proc[None]:
        """The way of a slipstream is driven like any other, and costs nothing [slipstream.any-gear, ruling 3]."""
        yield from self.book.moving.drive_on(car, tow)

    @override
    def tows(self, car: DeathCar, ahead: DeathCar | None) -> bool:
        """Behind a moving car, whatever the gears, if the move was neither braked nor blocked nor overshot; never
        behind a Jet Wash, never behind a car that has spun [slipstream.any-gear, utility.jet-wash, rulings 3, 4, 8]."""
        move = self.move
        if ahead is None or car.status != "racing" or move.finished:
            return False
        if move.braked or move.blocked or move.overs:
            return False
        return ahead.status == "racing" and ahead.utility != "jet-wash"
