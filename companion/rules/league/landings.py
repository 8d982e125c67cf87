"""The league's landings: nobody brakes in the pit lane."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from companion.rules.circuit.leg import Landing, Leg
from companion.rules.conversation.overriding import override
from companion.rules.dice.landings import Landings
from companion.rules.league.figures import LeagueFigures
from companion.rules.league.state import LeagueCar, LeagueRace

if TYPE_CHECKING:
    from companion.rules.league.league import League


class LeagueLandings(Landings[LeagueCar, LeagueRace, LeagueFigures]):
    """Where a car in the lane stops."""

    book: League

    brakes_in_lane: ClassVar[bool] = False
    """As in the official game [pit.lane, rulings 1, 13]."""

    @override
    def most_brakes(self, car: LeagueCar) -> int:
        """As in the official game nobody brakes in the lane: not on the way to his place [pit.lane, rulings 1, 13]."""
        return 0 if car.in_pits and car.stop != "left" else super().most_brakes(car)

    @override
    def landings(self, car: LeagueCar, leg: Leg) -> list[Landing]:
        """On the way out only spaces beyond the lane can be braked away [pit.lane, rulings 1, 13]."""
        return self.unbraked_in_pits(car, super().landings(car, leg))
