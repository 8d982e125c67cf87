"""The online league: two laps, one car for all, ten racers over a season.

Its head lists the chapters that it has otherwise than the family, each in the file of the same name:

- preparing: the last race's classification upside down, one wear-point setup, two tyre points more at home
- weather: a ladder from sun to rain, climbed at once
- wear and corners: exactly the last tyre point spins a car, any later loss puts it out; whoever is out is off at once
- blocking: who is blocked and out hits the racer ahead
- collisions: all who are adjacent roll, the one behind too, and nobody else
- finish: places for all, those who never saw the line included; a race cut short ends here
- pits, gears and landings: a lane without end, the gear cut, nothing paid in it, stops that take their own turns
- a season's points, ties and teams: season; figures and state: in the files of these names
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from companion.rules.conversation.asking import Json, Proc
from companion.rules.dice.formula_de import FormulaDe
from companion.rules.league.blocking import LeagueBlocking
from companion.rules.league.collisions import LeagueCollisions
from companion.rules.league.corners import LeagueCorners
from companion.rules.league.figures import LeagueFigures
from companion.rules.league.finish import LeagueFinish
from companion.rules.league.gears import LeagueGears
from companion.rules.league.landings import LeagueLandings
from companion.rules.league.pits import LeaguePits
from companion.rules.league.preparing import LeaguePreparing
from companion.rules.league.referee import LeagueReferee
from companion.rules.league.slipstream import LeagueSlipstream
from companion.rules.league.starts import LeagueStarts
from companion.rules.league.state import LeagueCar, LeagueRace
from companion.rules.league.wear import LeagueWear
from companion.rules.league.weather import LeagueWeather


class League(FormulaDe[LeagueCar, LeagueRace, LeagueFigures]):
    """The league's rulebook."""

    gears: LeagueGears
    landings: LeagueLandings
    slipstream: LeagueSlipstream
    corners: LeagueCorners
    blocking: LeagueBlocking
    wear: LeagueWear
    collisions: LeagueCollisions
    pits: LeaguePits
    weather: LeagueWeather
    preparing: LeaguePreparing
    referee: LeagueReferee
    starts: LeagueStarts
    finish: LeagueFinish

    name = "league"
    VERSION: ClassVar[str] = "league 6"
    laps = 2
    walled = False
    race_type = LeagueRace
    figures_type = LeagueFigures
    word = "ruling 1"
    race_values: ClassVar = ("sky", "surface", "order", "dangers", "cut_short")
    car_values: ClassVar = ("wear", "gear", "at", "lap", "stops", "tyres", "tyre_laps", "status")

    def step(self) -> Proc[None] | None:
        """A race that is cut short is over where the cars stand [race.unfinished, ruling 19]."""
        if self.race.cut_short and self.race.phase == "race":
            return self.finish.close()
        return super().step()

    def override(self, change: Mapping[str, Json]) -> bool:
        """Whoever cuts the race short ends the turn that is being played [race.unfinished, ruling 19]."""
        return super().override(change) or bool(self.race.cut_short)

    # -- its articles for what the family rules

    cites: ClassVar = {
        "0-0-1": "race.two-laps",
        "0-0-2": "base.order",
        "0-0-3": "base.order",
        "2": "start.grid",
        "3": "weather.table",
        "3-1": "weather.rain",
        "4": "pit.lane",
        "5": "setup.wear",
        "5-1": "base.eliminated",
        "6": "base.drive",
        "6-1": "gears.free",
        "6-2-2": "base.order",
        "6-2-3": "base.order",
        "6-2-4": "base.order",
        "6-2-6": "base.gears",
        "6-3.1": "base.gears",
        "7": "base.straight",
        "7-0-1": "base.drive",
        "7-1": "base.corner",
        "7-2-2": "base.corner",
        "7-2-3": "base.straight",
        "8": "tyres.choice",
        "8-1-2": "weather.rain",
        "8-2-2": "weather.rain",
        "8-3-2": "weather.rain",
        "9": "start.roll",
        "10": "tyres.overshoot",
        "10-1": "tyres.missed-stops",
        "10-2": "base.overshoot-lane",
        "10-3": "tyres.spin",
        "10-4": "tyres.spin",
        "11": "brakes.use",
        "12": "brakes.obstacle",
        "12-1": "brakes.out",
        "12-1-4": "tyres.spin",
        "13": "gears.skip",
        "13-3": "ruling 6",
        "14": "body.test",
        "14-2": "body.out",
        "16": "engine.range",
        "16-0-1": "engine.trigger",
        "17": "handling.test",
        "17-0-1": "ruling 6",
        "18": "slipstream.three",
        "19": "pit.lane",
        "19-1-1": "pit.entry",
        "19-1-7": "pit.entry",
        "19-2-1": "tyres.pit",
        "19-2-3": "tyres.pit",
        "19-2-6": "tyres.pit",
        "19-2-7": "tyres.choice",
        "19-3": "pit.quick",
        "19-3-4": "pit.missed",
        "19-4": "pit.technical",
        "19-5": "base.order",
        "20": "base.eliminated",
        "21": "race.two-laps",
        "21-1-2": "season.points",
    }
