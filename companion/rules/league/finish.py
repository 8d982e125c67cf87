"""The league's end: places for all, those who never saw the line included."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.rules.conversation.overriding import override
from companion.rules.dice.finish import Finish
from companion.rules.league.figures import LeagueFigures
from companion.rules.league.state import LeagueCar, LeagueRace

if TYPE_CHECKING:
    from companion.rules.league.league import League


class LeagueFinish(Finish[LeagueCar, LeagueRace, LeagueFigures]):
    """Who has come how far."""

    book: League

    @override
    def classification(self) -> list[LeagueCar]:
        """Those home in the order of crossing the line, then all others by how far they came, of level ones who came
        there first; so too where the race was cut short [race.two-laps, race.unfinished, rulings 18, 19]."""
        rest = [car for car in self.race.cars if car.status != "finished"]
        rest.sort(key=lambda car: (car.at is None, -self.reached(car) if car.at else 0, car.arrived))
        return [*map(self.car, self.race.home), *rest]
