"""What the referee of the league may set."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.rules.conversation.asking import Json
from companion.rules.conversation.errors import BadOverride
from companion.rules.conversation.overriding import override
from companion.rules.dice.referee import Referee
from companion.rules.league.figures import LeagueFigures
from companion.rules.league.state import LeagueCar, LeagueRace

if TYPE_CHECKING:
    from companion.rules.league.league import League


class LeagueReferee(Referee[LeagueCar, LeagueRace, LeagueFigures]):
    """The ends of the ladder, and a race cut short."""

    book: League

    @override
    def set_sky(self, race: LeagueRace) -> None:
        """Sun and rain are the ends of the ladder by the referee's word too [ruling 22]."""
        race.drawn, race.fixed = race.sky, race.sky != "changeable"

    @override
    def set_race(self, race: LeagueRace, name: str, value: Json) -> None:
        """The referee may cut the race short [race.unfinished, ruling 19]."""
        if name != "cut_short":
            super().set_race(race, name, value)
        elif value != "now" or race.phase != "race":
            raise BadOverride('A race that is being run is cut short by "cut_short": "now", and by nothing else.')
        else:
            self.race.cut_short = "now"
