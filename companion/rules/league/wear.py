"""The league's wear: exactly the last tyre point spins a car, and whoever is out is off at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.rules.conversation.asking import Json
from companion.rules.conversation.kinds import DiceCause
from companion.rules.conversation.overriding import override
from companion.rules.dice.wear import Wear
from companion.rules.league.figures import LeagueFigures
from companion.rules.league.state import LeagueCar, LeagueRace

if TYPE_CHECKING:
    from companion.rules.league.league import League


class LeagueWear(Wear[LeagueCar, LeagueRace, LeagueFigures]):
    """What becomes of a car that has none left."""

    book: League

    @override
    def tyre_limit(self, car: LeagueCar) -> int:
        """A car can lose the tyre points it has: exactly the last one spins it, one more puts it out, and without any
        so does the next [tyres.spin, ruling 3]."""
        return self.left(car, "tyres")

    @override
    def eliminate(self, car: LeagueCar, cause: DiceCause, article: str, *, removed: bool, **facts: Json) -> None:
        """A car that is out is taken off the board at once, whatever put it out [base.eliminated, ruling 6]."""
        super().eliminate(car, cause, article, removed=True, **facts)
