"""The league's slipstream: on the track, behind any racer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.rules.conversation.overriding import override
from companion.rules.dice.slipstream import Slipstream
from companion.rules.league.figures import LeagueFigures
from companion.rules.league.state import LeagueCar, LeagueRace

if TYPE_CHECKING:
    from companion.rules.league.league import League


class LeagueSlipstream(Slipstream[LeagueCar, LeagueRace, LeagueFigures]):
    """Who is offered one."""

    book: League

    @override
    def tows(self, car: LeagueCar, ahead: LeagueCar | None) -> bool:
        """On the track directly behind another racer; in the wide lane nobody is directly behind another
        [slipstream.three, rulings 10, 13]."""
        return not car.in_pits and super().tows(car, ahead)

    @override
    def gears_tow(self, car: LeagueCar, ahead: LeagueCar) -> bool:
        """To be in 4th or higher is all that is asked; by the official table the gear of the one ahead counts too
        [slipstream.three, ruling 10]."""
        if self.figures.official_slipstream:
            return super().gears_tow(car, ahead)
        return car.gear >= self.figures.slipstream_gear

    @override
    def draws(self, ahead: LeagueCar) -> bool:
        """Any racer on the track will do; by the official table not one who has spun or stalled
        [slipstream.three, ruling 10]."""
        return super().draws(ahead) if self.figures.official_slipstream else True
