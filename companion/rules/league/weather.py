"""The league's weather: a ladder from sun to rain, climbed at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.rules.conversation.asking import Proc
from companion.rules.conversation.faces import Face
from companion.rules.conversation.kinds import Sky, Surface
from companion.rules.conversation.overriding import override
from companion.rules.dice.weather import Weather
from companion.rules.league.figures import LeagueFigures
from companion.rules.league.state import LeagueCar, LeagueRace

if TYPE_CHECKING:
    from companion.rules.league.league import League


LADDER: Final[tuple[tuple[Sky, Surface], ...]] = (
    ("sun", "dry"),
    ("changeable", "dry"),
    ("changeable", "wet"),
    ("rain", "wet"),
)
"""The weather from fair to foul; its two ends are for good [ruling 22]."""


class LeagueWeather(Weather[LeagueCar, LeagueRace, LeagueFigures]):
    """What a draw makes of the track."""

    book: League

    @override
    def surface_from_practice(self, pole: LeagueCar) -> Proc[None]:
        """There is no practice: under a changeable sky the race starts dry [weather.table, ruling 22]."""
        self.race.surface = "dry"
        self.rule("surface", "weather.table", None, surface="dry")
        return
        yield

    @override
    def weather_is_due(self, car: LeagueCar) -> Proc[None]:
        """Under a changeable sky a 20 in 5th or a 30 in 6th draws again at once, before the car moves
        [weather.table, ruling 22]."""
        yield from super().weather_is_due(car)
        yield from self.draw_again()

    @override
    def evolve(self, car: LeagueCar, face: Face, sky: Sky) -> None:
        """Sun climbs a rung of the ladder, rain goes one down, changeable stays; sun and rain at its ends are for good
        [weather.table, ruling 22]."""
        race = self.race
        before, last = race.surface, len(LADDER) - 1
        rung = {"sun": 0, "rain": last}.get(race.sky, 1 + int(self.wet)) + {"sun": -1, "rain": 1}.get(sky, 0)
        race.sky, race.surface = LADDER[min(max(rung, 0), last)]
        race.drawn, race.fixed = sky, race.sky != "changeable"
        self.rule("weather", "weather.table", car, face=face, sky=race.sky, surface=race.surface, fixed=race.fixed)
        if race.surface != before:
            self.rule("surface", "weather.rain", None, surface=race.surface)
