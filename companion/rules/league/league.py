"""The online league: two laps, one car for all, ten racers over a season.

What it has otherwise than the family, and where that stands:

- before the race: the last race's classification upside down, one wear-point setup, two tyre points more at home: here
- the weather: a ladder from sun to rain, climbed at once: here
- tyres: exactly the last point spins a car, any later loss puts it out: here
- who is blocked and out hits the racer ahead; whoever is out is off at once: here
- the body test: all who are adjacent roll, the one behind too, and nobody else: here
- the end: places for all, those who never saw the line included; a race cut short: here
- the pits: a lane without end, the gear cut, stops that take their own turns: wide_lane
- how many racers and teams a season has: season; its figures and its state: state
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Final

from companion.rules.conversation.asking import Json, Proc
from companion.rules.conversation.errors import BadOverride, BadSetup
from companion.rules.conversation.faces import Face
from companion.rules.conversation.kinds import DiceCause, Pools
from companion.rules.dice.grid import roll_off
from companion.rules.dice.questions import BlackDie
from companion.rules.dice.state import Race, Sky, Surface
from companion.rules.league.pits import WideLane
from companion.rules.league.season import check_size
from companion.rules.league.state import LeagueCar, LeagueFigures, LeagueRace

LADDER: Final[tuple[tuple[Sky, Surface], ...]] = (
    ("sun", "dry"),
    ("changeable", "dry"),
    ("changeable", "wet"),
    ("rain", "wet"),
)
"""The weather from fair to foul; its two ends are for good [ruling 22]."""


class League(WideLane):
    """The league's rulebook."""

    name = "league"
    VERSION: ClassVar[str] = "league 2"
    laps = 2
    walled = False
    race: LeagueRace
    race_type = LeagueRace
    figures_type = LeagueFigures
    word = "ruling 1"
    race_values: ClassVar = ("sky", "surface", "order", "dangers", "cut_short")
    car_values: ClassVar = ("wear", "gear", "at", "lap", "stops", "tyres", "tyre_laps", "status")

    # -- before the race

    def check(self, setup: Mapping[str, Json]) -> None:
        """Ten racers at most, teams of two; the grid and the last classification name cars once
        [season.drivers, season.teams, start.grid]."""
        race = self.race
        check_size((car.team for car in race.cars), self.figures)
        if len(set(race.last)) < len(race.last) or not all(1 <= number <= 99 for number in race.last):
            raise BadSetup(f'"last" lists the cars of the race before, winner first, each once; {race.last} does not.')
        if race.grid and sorted(race.grid) != sorted(car.number for car in race.cars):
            raise BadSetup(f'"grid" lists every car of the race once, from pole; {race.grid} does not.')
        if race.cut_short and race.phase == "setup":
            raise BadSetup("A race can be cut short once it is being run, not in its setup.")
        for car in race.cars:
            if car.status in ("coasting", "wreck"):
                raise BadSetup(f"Car {car.number} is {car.status}; in the league such a car is out.")

    def prepare(self) -> Proc[None]:
        """The grid comes first, then all that goes by it [start.grid]."""
        if self.race.grid:
            yield from super().prepare()
        else:
            yield from self.settle_grid()

    def settle_grid(self) -> Proc[None]:
        """The last race's classification upside down; whoever was not in it, in the first race everybody, stands behind
        by the black die, highest first, level ones rolling again [start.grid, ruling 20]."""
        race = self.race
        ahead = [number for number in reversed(race.last) if number in self._places]
        behind = [car.number for car in race.cars if car.number not in ahead]
        rolled = yield from roll_off(behind, race.faces, self.grid_die)
        if len(rolled) == len(behind):
            race.grid = ahead + rolled
            self.rule("grid_rolled", "start.grid", None, order=list(race.grid))

    def grid_die(self, number: int) -> BlackDie:
        """The black die for a place on the grid [start.grid, ruling 20]."""
        return BlackDie(number, "start.grid", "grid")

    def grid_order(self) -> list[LeagueCar]:
        """The cars from pole [start.grid]."""
        return [self.car(number) for number in self.race.grid]

    def share(self, car: LeagueCar) -> Pools:
        """The points of a car: the same for all, and at home two bonus points of tyres, which belong to the most it can
        have [setup.wear, tyres.home, ruling 16]."""
        points = dict(zip(self.race.pools, self.figures.wear_setup, strict=True))
        points["tyres"] += self.figures.home_tyres if car.home else 0
        return points

    def build(self, car: LeagueCar) -> Proc[None]:
        """Nobody builds his car: it has its share [setup.wear]."""
        car.wear, car.built = self.share(car), self.share(car)
        self.rule("build", "tyres.home" if car.home else "setup.wear", car, built=dict(car.built), home=car.home)
        return
        yield

    def take_build(self, car: LeagueCar, raw: Mapping[str, Json]) -> None:
        """A setup may write the points of a car down, but no others than its share [setup.wear]."""
        share = self.share(car)
        if car.wear != share:
            points = ", ".join(f"{pool} {count}" for pool, count in share.items())
            raise BadSetup(f"Car {car.number}: in the league every car has the same points, this one {points}.")
        car.built = share

    def complete(self, car: LeagueCar) -> None:
        """In a position, too, a car was built with its share [setup.wear]."""
        car.built = car.built or self.share(car)
        super().complete(car)

    def usual_build(self) -> Pools:
        """The points of a car that is not at home [setup.wear]."""
        return dict(zip(self.race.pools, self.figures.wear_setup, strict=True))

    # -- the weather

    def surface_from_practice(self, pole: LeagueCar) -> Proc[None]:
        """There is no practice: under a changeable sky the race starts dry [weather.table, ruling 22]."""
        self.race.surface = "dry"
        self.rule("surface", "weather.table", None, surface="dry")
        return
        yield

    def weather_is_due(self, car: LeagueCar) -> Proc[None]:
        """Under a changeable sky a 20 in 5th or a 30 in 6th draws again at once, before the car moves
        [weather.table, ruling 22]."""
        yield from super().weather_is_due(car)
        yield from self.draw_again()

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

    def _set_sky(self, race: Race[LeagueCar]) -> None:
        """Sun and rain are the ends of the ladder by the referee's word too [ruling 22]."""
        race.drawn, race.fixed = race.sky, race.sky != "changeable"

    # -- tyres, brakes, gears

    def tyre_limit(self, car: LeagueCar) -> int:
        """A car can lose the tyre points it has: exactly the last one spins it, one more puts it out, and without any
        so does the next [tyres.spin, ruling 3]."""
        return self.left(car, "tyres")

    def overshoot(self, car: LeagueCar) -> None:
        """A point a space beyond the corner, more on tyres that wear; a car put out by it leaves a marker
        [tyres.overshoot, tyres.missed-stops, base.eliminated, ruling 6]."""
        super().overshoot(car)
        if not car.alive:
            self.mark(car.at, "base.eliminated", car)

    def restart(self, car: LeagueCar) -> Proc[None]:
        """After a spin in 1st, without a die before it [tyres.spin, ruling 4]."""
        self.turn_round(car)
        car.status, car.turned = "racing", False
        self.move.gear = car.gear
        self.rule("restart", "tyres.spin", car, gear=car.gear)
        yield from self.drive(car)

    def just_in_front(self, car: LeagueCar) -> Proc[LeagueCar | None]:
        """Only the racer straight ahead is hit by one who is blocked and out: a body point and a marker
        [brakes.out, ruling 7]."""
        return self.car_in_front(car)
        yield

    def tests_beside_wreck(self, car: LeagueCar, front: LeagueCar | None) -> Proc[None]:
        """Nobody else tests beside a car that is out by blocking."""
        return
        yield

    def eliminate(self, car: LeagueCar, cause: DiceCause, article: str, *, removed: bool, **facts: Json) -> None:
        """A car that is out is taken off the board at once, whatever put it out [base.eliminated, ruling 6]."""
        super().eliminate(car, cause, article, removed=True, **facts)

    # -- damage

    def neighbours(self, car: LeagueCar) -> list[LeagueCar]:
        """All who are adjacent to the one who has ended his turn: beside him, straight ahead, and straight behind; by
        the official procedure not the one behind. On a corner sheet the table names that one with those beside
        [body.test, ruling 5]."""
        near = super().neighbours(car)
        if self.figures.official_body_test or self.track.known == "corner":
            return near
        behind = self.track.behind[self.track.ids[car.at or ""]]
        if behind < 0:
            return near
        name = self.track.spaces[behind].name
        return self.in_running_order([*near, *(other for other in self.others(car) if other.at == name)])

    def mover_tests(self) -> bool:
        """Only those roll whom a racer has come up to; by the official procedure so does he [body.test, ruling 5]."""
        return self.figures.official_body_test

    # -- the end of the race

    def classification(self) -> list[LeagueCar]:
        """Those home in the order of crossing the line, then all others by how far they came, of level ones who came
        there first; so too where the race was cut short [race.two-laps, race.unfinished, rulings 18, 19]."""
        rest = [car for car in self.race.cars if car.status != "finished"]
        rest.sort(key=lambda car: (car.at is None, -self.driven(car) if car.at else 0, car.arrived))
        return [*map(self.car, self.race.home), *rest]

    def step(self) -> Proc[None] | None:
        """A race that is cut short is over where the cars stand [race.unfinished, ruling 19]."""
        if self.race.cut_short and self.race.phase == "race":
            return self.close()
        return super().step()

    def override(self, change: Mapping[str, Json]) -> bool:
        """Whoever cuts the race short ends the turn that is being played [race.unfinished, ruling 19]."""
        return super().override(change) or bool(self.race.cut_short)

    def _set_race(self, race: Race[LeagueCar], name: str, value: Json) -> None:
        """The referee may cut the race short [race.unfinished, ruling 19]."""
        if name != "cut_short":
            super()._set_race(race, name, value)
        elif value != "now" or race.phase != "race":
            raise BadOverride('A race that is being run is cut short by "cut_short": "now", and by nothing else.')
        else:
            self.race.cut_short = "now"

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
