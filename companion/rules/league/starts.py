"""Driving off in the league: after a spin without a die."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.rules.conversation.asking import Proc
from companion.rules.conversation.overriding import override
from companion.rules.dice.starts import FIRST, Starts
from companion.rules.league.figures import LeagueFigures
from companion.rules.league.state import LeagueCar, LeagueRace

if TYPE_CHECKING:
    from companion.rules.league.league import League


class LeagueStarts(Starts[LeagueCar, LeagueRace, LeagueFigures]):
    """From standing still to 1st gear."""

    book: League

    @override
    def restart(self, car: LeagueCar) -> Proc[None]:
        """After a spin in 1st, without a die before it [tyres.spin, ruling 4]."""
        self.turn_round(car)
        car.status, car.turned = "racing", False
        car.gear = self.move.gear = FIRST
        self.rule("restart", "tyres.spin", car, gear=car.gear)
        yield from self.book.turn.drive(car)
