"""The league's order of play: on the track by position, also beside the pit entry."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.rules.conversation.overriding import override
from companion.rules.dice.order import Order
from companion.rules.league.figures import LeagueFigures
from companion.rules.league.state import LeagueCar, LeagueRace

if TYPE_CHECKING:
    from companion.rules.league.league import League


class LeagueOrder(Order[LeagueCar, LeagueRace, LeagueFigures]):
    """Who plays next."""

    book: League

    @override
    def before_the_limit(self, car: LeagueCar) -> bool:
        """Cars on the track play by their position, then the gear, then the inside, also where one may still turn into
        the lane [base.order, rulings 2, 14]."""
        return False
