"""The league's blocking: who is blocked and out hits the racer ahead, and nobody else."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.rules.conversation.asking import Proc
from companion.rules.conversation.overriding import override
from companion.rules.dice.blocking import Blocking
from companion.rules.league.figures import LeagueFigures
from companion.rules.league.state import LeagueCar, LeagueRace

if TYPE_CHECKING:
    from companion.rules.league.league import League


class LeagueBlocking(Blocking[LeagueCar, LeagueRace, LeagueFigures]):
    """Whom it hits."""

    book: League

    @override
    def just_in_front(self, car: LeagueCar) -> Proc[LeagueCar | None]:
        """Only the racer straight ahead is hit by one who is blocked and out: a body point and a marker
        [brakes.out, ruling 7]."""
        return self.car_in_front(car)
        yield

    @override
    def tests_beside_wreck(self, car: LeagueCar, front: LeagueCar | None) -> Proc[None]:
        """Nobody else tests beside a car that is out by blocking."""
        return
        yield
