"""The league's corners: a car put out by one leaves a marker."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.rules.conversation.overriding import override
from companion.rules.dice.corners import Corners
from companion.rules.league.figures import LeagueFigures
from companion.rules.league.state import LeagueCar, LeagueRace

if TYPE_CHECKING:
    from companion.rules.league.league import League


class LeagueCorners(Corners[LeagueCar, LeagueRace, LeagueFigures]):
    """What a corner costs."""

    book: League

    @override
    def overshoot(self, car: LeagueCar) -> None:
        """A point a space beyond the corner, more on tyres that wear; a car put out by it leaves a marker, before the
        line if it was on its way home [tyres.overshoot, tyres.missed-stops, base.eliminated, ruling 6]."""
        super().overshoot(car)
        if not car.alive:
            if self.move.finished:
                self.book.finish.short_of_line(car)
                self.move.finished = False
            self.book.wear.mark(car.at, "base.eliminated", car)
