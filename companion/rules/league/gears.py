"""The league's gears: in the pit lane none costs anything, and none above the limit is taken."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.rules.conversation.kinds import Pools
from companion.rules.conversation.overriding import override
from companion.rules.dice.gears import Barred, Gears
from companion.rules.league.figures import LeagueFigures
from companion.rules.league.state import LeagueCar, LeagueRace

if TYPE_CHECKING:
    from companion.rules.league.league import League


class LeagueGears(Gears[LeagueCar, LeagueRace, LeagueFigures]):
    """What a gear costs, and which are barred."""

    book: League

    @override
    def price(self, car: LeagueCar, gear: int) -> Pools:
        """As in the official game nothing is paid in the lane for changing down [pit.lane, rulings 1, 13]."""
        return {} if car.in_pits else super().price(car, gear)

    @override
    def barred(self, car: LeagueCar, gear: int) -> Barred | None:
        """In the lane a gear that could be reached is barred above the limit alone [pit.lane, ruling 13]."""
        found = super().barred(car, gear)
        if found is None or found.why not in ("reach", "out"):
            return found
        return Barred("limit", "pit.lane", self.figures.leave_gear)
