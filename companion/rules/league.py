"""The online league: two laps, one car for all, ten racers over a season.

The race and its figures come first, then the book with the chapters that it has otherwise than the family, then these
in the order of a race: preparing, the weather, a turn from the gear to the pits and collisions, the end. The points of
a season, its ties and teams are in the room `tournament`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, ClassVar

import msgspec
from msgspec import Meta

from companion.rules.circuit.leg import Landing, Leg
from companion.rules.conversation.asking import Json, Procedure
from companion.rules.conversation.errors import BadSetup
from companion.rules.conversation.faces import Face
from companion.rules.conversation.figures import Score, figure, table
from companion.rules.conversation.kinds import DiceCause, Pools, Sky
from companion.rules.conversation.overriding import override
from companion.rules.conversation.setup import NUMBERS
from companion.rules.dice.collisions import Blocking, Collisions
from companion.rules.dice.corners import Corners
from companion.rules.dice.figures import Factors, Figures
from companion.rules.dice.formula_de import FormulaDe
from companion.rules.dice.gears import GearRefusal, Gears
from companion.rules.dice.moving import Landings
from companion.rules.dice.order import Finish
from companion.rules.dice.pits import Pits
from companion.rules.dice.questions import BlackDie
from companion.rules.dice.referee import Referee
from companion.rules.dice.setup import CarChoice, Position, Preparing, roll_off
from companion.rules.dice.slipstream import Slipstream
from companion.rules.dice.state import Car, RaceState
from companion.rules.dice.turn import FIRST, Starts
from companion.rules.dice.wear import Purse, Wear
from companion.rules.dice.weather import Weather, climbed


class LeagueCar(Car):
    """A car of the league; `home` says that its racer drives on his home track."""

    home: bool = False


class LeagueRace(RaceState[LeagueCar]):
    """A race of the league.

    `last` is the classification of the race before, winner first, by number; empty before the first one. `grid` are the
    cars from pole once that is settled, `faces` what each has rolled for it.
    """

    last: list[int] = msgspec.field(default_factory=list)
    grid: list[int] = msgspec.field(default_factory=list)
    faces: dict[str, list[int]] = msgspec.field(default_factory=dict)


Points = Annotated[int, Meta(ge=1, le=20)]


class LeagueFigures(Figures, frozen=True):
    """The figures and switches of the league."""

    without: ClassVar = frozenset(
        {
            "car_points", "stand_points", "pool_minimum", "aggravated_dry", "aggravated_wet", "flag_next_crossing",
            "restart_stall_aggravated", "pits_are_a_way_round", "soft_space_not_over_line", "no_slipstream_into_pits",
        }
    )  # fmt: skip

    wear_setup: Annotated[
        tuple[Points, Points, Points, Points, Points, Points], table("setup.wear", proposed=True)
    ] = (6, 3, 3, 3, 3, 2)  # fmt: skip
    home_tyres: Annotated[int, figure("tyres.home", 0, 9)] = 2
    collision_wet: Annotated[int, figure("weather.rain", 0, 20, proposed=True)] = 2
    engine_dry: Annotated[int, figure("engine.range", 0, 20)] = 1
    engine_wet: Annotated[int, figure("weather.rain", 0, 20, proposed=True, also=["weather.table"])] = 1
    handling_wet: Annotated[int, figure("weather.rain", 0, 20, proposed=True)] = 5
    corner_brake: Annotated[int, figure("ruling 10", 0, 3, proposed=True)] = 1
    leave_gear: Annotated[int, figure("pit.lane", 2, 6)] = 4
    pit_lap: Annotated[int, figure("pit.entry", 1, 98)] = 1
    technical_points: Annotated[int, figure("pit.technical", 0, 9)] = 2
    slide_hard: Annotated[int, figure("weather.rain", 0, 9, proposed=True)] = 3
    slide_soft: Annotated[int, figure("weather.rain", 0, 9, proposed=True)] = 3
    slide_rain: Annotated[int, figure("weather.rain", 0, 9, proposed=True)] = 1
    factor_hard_dry: Annotated[Factors, table("tyres.choice", proposed=True)] = (1, 1, 1)
    factor_hard_wet: Annotated[Factors, table("tyres.choice", proposed=True)] = (1, 1, 1)
    factor_soft_dry: Annotated[Factors, table("tyres.choice", proposed=True)] = (2, 2, 3)
    factor_soft_wet: Annotated[Factors, table("tyres.choice", proposed=True)] = (2, 2, 3)
    factor_rain_dry: Annotated[Factors, table("tyres.choice", proposed=True)] = (2, 2, 3)
    factor_rain_wet: Annotated[Factors, table("tyres.choice", proposed=True)] = (1, 1, 1)
    soft_laps: Annotated[int, figure("tyres.choice", 0, 3, proposed=True)] = 1
    points: Annotated[tuple[Score, ...], table("season.points", proposed=True)] = (10, 8, 6, 5, 4, 3, 2, 1, 0, 0)
    racers: Annotated[int, figure("season.drivers", 2, 20)] = 10
    team_racers: Annotated[int, figure("season.teams", 1, 10)] = 2
    season_races: Annotated[int, figure("season.races", 1, 99)] = 8
    no_stop_standing_still: Annotated[bool, table("ruling 1", proposed=True)] = False
    official_body_test: Annotated[bool, table("ruling 5", proposed=True)] = False
    official_slipstream: Annotated[bool, table("ruling 10", proposed=True)] = False


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
    position: LeaguePosition
    referee: LeagueReferee
    starts: LeagueStarts
    finish: LeagueFinish

    name = "league"
    VERSION: ClassVar[str] = "league 8"
    laps = 2
    walled = False
    rolls_for_grid = True
    race_type = LeagueRace
    figures_type = LeagueFigures
    word = "ruling 1"
    race_values: tuple[str, ...] = ("sky", "surface", "order", "dangers")
    car_values: tuple[str, ...] = ("wear", "gear", "at", "lap", "stops", "tyres", "tyre_laps", "status")

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
        "ruling 104": "ruling 19",
        "ruling 105": "ruling 24",
    }

    @override
    def save(self) -> bytes:
        """Return the state as bytes, how the race was ended last of all: logs hold the digest of it in that order."""
        saved = super().save()
        if not self.race.cut_short:
            return saved
        ended = b"".join(map(msgspec.msgpack.encode, ("cut_short", self.race.cut_short)))
        return saved.replace(ended, b"", 1) + ended


class LeaguePreparing(Preparing[LeagueCar, LeagueRace, LeagueFigures]):
    """Preparation of a league race: the last classification upside down, one wear-point setup.

    A car at home has two tyre points more.
    """

    choice_of_car: ClassVar[CarChoice] = "none"

    @override
    def check(self, setup: Mapping[str, Json]) -> None:
        """Check a setup: ten racers at most, teams of two, each car once in the grid and the last classification.

        [season.drivers, season.teams, start.grid]
        """
        race = self.race
        check_size((car.team for car in race.cars), self.figures)
        low, high = NUMBERS
        if len(set(race.last)) < len(race.last) or not all(low <= number <= high for number in race.last):
            raise BadSetup("last_cars", last=str(race.last))
        if race.grid and sorted(race.grid) != sorted(car.number for car in race.cars):
            raise BadSetup("grid_cars", cars=str(race.grid))
        for car in race.cars:
            if car.status in ("coasting", "wreck"):
                raise BadSetup("status_in_league", car=car.number, status=car.status)

    @override
    def prepare(self) -> Procedure[None]:
        """Prepare the grid first, then all that goes by it [start.grid]."""
        if self.race.grid:
            yield from super().prepare()
        else:
            yield from self.settle_grid()

    def settle_grid(self) -> Procedure[None]:
        """Form the grid: the last race's classification upside down [start.grid, ruling 20].

        A car that was not in it, in the first race every car, stands behind by the black die, highest first, level ones
        rolling again.
        """
        race = self.race
        ahead = [number for number in reversed(race.last) if number in self.book.places]
        behind = [car.number for car in race.cars if car.number not in ahead]
        rolled = yield from roll_off(behind, race.faces, self.grid_die)
        if len(rolled) == len(behind):
            race.grid = ahead + rolled
            self.rule("grid_rolled", "start.grid", None, order=list(race.grid))

    def grid_die(self, number: int, level: Mapping[str, Json]) -> BlackDie:
        """Return the black die for a place on the grid [start.grid, ruling 20]."""
        return BlackDie(number, "start.grid", "grid", level)

    @override
    def grid_order(self) -> list[LeagueCar]:
        """Return the cars from pole; a position that does not name pole lists them in order [start.grid]."""
        return [self.car(number) for number in self.race.grid] or self.race.cars

    def share(self, car: LeagueCar) -> Pools:
        """Return the points of a car: the same for all, and at home two more of tyres.

        The bonus points belong to the most that it can have [setup.wear, tyres.home, ruling 16].
        """
        points = dict(zip(self.race.pools, self.figures.wear_setup, strict=True))
        points["tyres"] += self.figures.home_tyres if car.home else 0
        return points

    @override
    def build(self, car: LeagueCar) -> Procedure[None]:
        """Nobody builds his car: it has its share [setup.wear]."""
        car.wear, car.built = self.share(car), self.share(car)
        self.rule("build", "tyres.home" if car.home else "setup.wear", car, built=dict(car.built), home=car.home)
        yield from ()

    @override
    def take_build(self, car: LeagueCar, raw: Mapping[str, Json]) -> None:
        """Take the points of a car from the setup, which may be no others than its share [setup.wear]."""
        share = self.share(car)
        if car.wear != share:
            points = ", ".join(f"{pool} {count}" for pool, count in share.items())
            raise BadSetup("league_points", car=car.number, points=points)
        car.built = share

    @override
    def complete(self, car: LeagueCar) -> None:
        """In a position, too, a car was built with its share [setup.wear]."""
        car.built = {**self.share(car), **car.built}
        super().complete(car)

    @override
    def usual_build(self) -> Pools:
        """Return the points of a car that is not at home [setup.wear]."""
        return dict(zip(self.race.pools, self.figures.wear_setup, strict=True))


def check_size(teams: Iterable[str], figures: LeagueFigures) -> None:
    """Refuse more racers than the league has, and more in a team than make one; raises BadSetup."""
    named = list(teams)
    if len(named) > figures.racers:
        raise BadSetup("league_racers", racers=figures.racers, count=len(named))
    for team in named:
        if team and named.count(team) > figures.team_racers:
            raise BadSetup("league_team", size=figures.team_racers, team=team, count=named.count(team))


class LeagueWeather(Weather[LeagueCar, LeagueRace, LeagueFigures]):
    """The league's weather: a ladder from sun to rain, climbed at once."""

    @override
    def surface_from_practice(self, pole: LeagueCar) -> Procedure[None]:
        """There is no practice: under a changeable sky the race starts dry [weather.table, ruling 22]."""
        self.race.surface = "dry"
        self.rule("surface", "weather.table", None, surface="dry")
        yield from ()

    @override
    def weather_is_due(self, car: LeagueCar) -> Procedure[None]:
        """Draw again at once for a 20 in 5th or a 30 in 6th under a changeable sky, before the car moves.

        [weather.table, ruling 22]
        """
        yield from super().weather_is_due(car)
        yield from self.draw_again()

    @override
    def evolve(self, car: LeagueCar, face: Face, sky: Sky) -> None:
        """Move along the ladder: sun climbs a rung, rain goes one down, changeable stays.

        Sun and rain at its ends are final [weather.table, ruling 22].
        """
        race = self.race
        before = race.surface
        race.sky, race.surface = climbed(race.sky, wet=self.wet, drawn=sky)
        race.drawn, race.fixed = sky, race.sky != "changeable"
        self.rule("weather", "weather.table", car, face=face, sky=race.sky, surface=race.surface, fixed=race.fixed)
        if race.surface != before:
            self.rule("surface", "weather.rain", None, surface=race.surface)


class LeagueStarts(Starts[LeagueCar, LeagueRace, LeagueFigures]):
    """Driving off in the league: after a spin without a die."""

    @override
    def restart(self, car: LeagueCar) -> Procedure[None]:
        """After a spin in 1st, without a die before it [tyres.spin, ruling 4]."""
        self.turn_round(car)
        car.status, car.turned = "racing", False
        car.gear = self.move.gear = FIRST
        self.rule("restart", "tyres.spin", car, gear=car.gear)
        yield from self.book.turn.drive(car)


class LeagueGears(Gears[LeagueCar, LeagueRace, LeagueFigures]):
    """The league's gears: in the pit lane none costs anything, and none above the limit is taken."""

    @override
    def price(self, car: LeagueCar, gear: int) -> Pools:
        """As in the official game nothing is paid in the lane for changing down [pit.lane, rulings 1, 13]."""
        return {} if car.in_pits else super().price(car, gear)

    @override
    def barred(self, car: LeagueCar, gear: int) -> GearRefusal | None:
        """In the lane a gear that could be reached is barred above the limit alone [pit.lane, ruling 13]."""
        found = super().barred(car, gear)
        if found is None or found.why not in ("reach", "out"):
            return found
        return GearRefusal("limit", "pit.lane", self.book.pits.highest_gear())


class LeagueLandings(Landings[LeagueCar, LeagueRace, LeagueFigures]):
    """The league's landings: nobody brakes in the pit lane."""

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


class LeagueSlipstream(Slipstream[LeagueCar, LeagueRace, LeagueFigures]):
    """The league's slipstream: on the track, behind any racer."""

    @override
    def can_slipstream(self, car: LeagueCar, ahead: LeagueCar | None) -> bool:
        """Return True on the track directly behind another racer, which nobody is in the wide lane.

        [slipstream.three, rulings 10, 13]
        """
        return not car.in_pits and super().can_slipstream(car, ahead)

    @override
    def gears_allow_slipstream(self, car: LeagueCar, ahead: LeagueCar) -> bool:
        """Return True in 4th or higher; by the official table the gear of the one ahead counts too.

        [slipstream.three, ruling 10]
        """
        if self.figures.official_slipstream:
            return super().gears_allow_slipstream(car, ahead)
        return car.gear >= self.figures.slipstream_gear

    @override
    def gives_slipstream(self, ahead: LeagueCar) -> bool:
        """Return True for any racer on the track; by the official table not for one who has spun or stalled.

        [slipstream.three, ruling 10]
        """
        return super().gives_slipstream(ahead) if self.figures.official_slipstream else True


class LeagueWear(Wear[LeagueCar, LeagueRace, LeagueFigures]):
    """The league's wear: the last tyre point spins a car, and a car that is out leaves the board."""

    @override
    def tyre_limit(self, purse: Purse) -> int:
        """Return the tyre points that a car has, all of which it can lose [tyres.spin, ruling 3].

        Exactly the last one spins it, one more puts it out, and without any so does the next.
        """
        return purse.points_left("tyres")

    @override
    def eliminate(self, car: LeagueCar, cause: DiceCause, article: str, *, removed: bool, **facts: Json) -> None:
        """Take a car that is out off the board at once, whatever put it out [base.eliminated, ruling 6]."""
        super().eliminate(car, cause, article, removed=True, **facts)


class LeagueCorners(Corners[LeagueCar, LeagueRace, LeagueFigures]):
    """The league's corners: a car put out by one leaves a marker."""

    book: League

    @override
    def overshoot(self, car: LeagueCar) -> None:
        """Charge a point a space beyond the corner, more on tyres that wear; a car put out by it leaves a marker.

        The marker is before the line if the car was on its way home [tyres.overshoot, tyres.missed-stops,
        base.eliminated, ruling 6].
        """
        super().overshoot(car)
        if not car.alive:
            if self.move.finished:
                self.book.finish.short_of_line(car)
                self.move.finished = False
            self.book.wear.mark(car.at, "base.eliminated", car)


class LeagueBlocking(Blocking[LeagueCar, LeagueRace, LeagueFigures]):
    """The league's blocking: who is blocked and out hits the racer ahead, and nobody else."""

    @override
    def fronts(self, car: LeagueCar) -> list[LeagueCar]:
        """Return the racer straight ahead, whom alone one who is blocked and out hits.

        The hit costs a body point and leaves a marker [brakes.out, ruling 7].
        """
        ahead = self.car_in_front(car)
        return [] if ahead is None else [ahead]

    @override
    def beside_wreck(self, car: LeagueCar, front: LeagueCar | None) -> list[LeagueCar]:
        """Nobody else tests beside a car that is out by blocking."""
        return []


class LeaguePits(Pits[LeagueCar, LeagueRace, LeagueFigures]):
    """The league's pits: a lane for any number of cars, and stops that take their own turns."""

    book: League

    @override
    def may_enter(self, car: LeagueCar) -> bool:
        """Return True at the end of the first lap, when alone the pits are open [pit.entry, ruling 11]."""
        return car.lap == self.figures.pit_lap and super().may_enter(car)

    @override
    def holds_many(self, space: str | None) -> bool:
        """Return True for the pit lane and its boxes, which are as wide as it takes [pit.lane, ruling 13]."""
        return (space or "").startswith(("pit:", "box:"))

    @override
    def into_pits(self, car: LeagueCar, place: str) -> None:
        """Entering the lane cuts the gear to 4th, free of charge [pit.lane, ruling 13]."""
        entering, limit = not car.in_pits, self.highest_gear()
        super().into_pits(car, place)
        if entering and car.gear > limit:
            before, car.gear = car.gear, limit
            self.rule("gear_cut", "pit.lane", car, before=before, gear=limit)

    @override
    def lane_gears(self, car: LeagueCar, gears: list[int]) -> list[int]:
        """In the lane any gear up to the limit [pit.lane, ruling 13]."""
        return [gear for gear in gears if gear <= self.highest_gear()] or gears[:1]

    @override
    def quick_stop(self, car: LeagueCar) -> Procedure[None]:
        """All tyres are back; the die is rolled in the next turn [pit.quick, ruling 12]."""
        car.stop = "quick"
        self.rule("stops", "pit.quick", car, stop="quick")
        yield from ()

    @override
    def repairs_left(self, car: LeagueCar) -> int:
        """Return the other points, of any kind, that a technical stop gives back: two.

        [pit.technical, ruling 15]
        """
        return self.figures.technical_points

    @override
    def repair(self, car: LeagueCar, repairs: Pools) -> None:
        """Restore lost points, never more than the car began with [pit.technical, ruling 15]."""
        for pool, points in repairs.items():
            car.wear[pool] += points
        self.rule("repair", "pit.technical", car, dict(repairs))

    @override
    def turn_in_box(self, car: LeagueCar) -> Procedure[None]:
        """Play a turn in the box: after a quick stop the die says whether the car leaves.

        On 1 to 10 it is out in 4th by half of it, without a soft space; on 11 to 20, in the next turn. After a
        technical stop it stays for this turn; else it drives out [pit.quick, pit.missed, pit.technical, ruling 12].
        """
        if car.stop == "quick":
            spaces = yield from self.roll_quick_stop(car)
            if spaces:
                yield from self.leave_box(car)
                yield from self.book.moving.displace(car, spaces, soft=False, least=1)
                yield from self.book.turn.after_move(car)
        elif car.stop == "long":
            car.stop = "missed"
            self.rule("waits", "pit.technical", car)
        else:
            yield from super().turn_in_box(car)

    @override
    def leave_box(self, car: LeagueCar) -> Procedure[None]:
        """Leave the box in 4th [pit.quick, pit.missed, pit.technical]."""
        car.gear = self.move.gear = self.highest_gear()
        self.rule("gear", "pit.lane", car, before=0, gear=car.gear)
        car.stop = "left"
        yield from ()


class LeagueCollisions(Collisions[LeagueCar, LeagueRace, LeagueFigures]):
    """The league's body test: all who are adjacent roll, the one behind too, and nobody else."""

    @override
    def neighbours(self, car: LeagueCar) -> list[LeagueCar]:
        """Return the cars adjacent to one that has ended its turn: beside it, straight ahead, and straight behind.

        By the official procedure the one behind is left out. On a corner sheet the table names that one with those
        beside [body.test, ruling 5].
        """
        near = super().neighbours(car)
        if self.figures.official_body_test or self.track.known == "corner":
            return near
        behind = self.track.behind[self.track.ids[car.at or ""]]
        if behind < 0:
            return near
        name = self.track.spaces[behind].name
        return self.book.order.in_running_order([*near, *(other for other in self.others(car) if other.at == name)])

    @override
    def mover_tests(self) -> bool:
        """Only those roll whom a racer has come up to; by the official procedure so does he [body.test, ruling 5]."""
        return self.figures.official_body_test


class LeagueFinish(Finish[LeagueCar, LeagueRace, LeagueFigures]):
    """The league's end: places for all, those who never saw the line included."""

    @classmethod
    @override
    def places_retired(cls) -> bool:
        """Return True: a car that does not reach the line has a place too [race.unfinished]."""
        return True

    @override
    def classification(self) -> list[LeagueCar]:
        """Return the cars home in the order of crossing the line, then all others by how far they came.

        Of level ones the one that came there first is ahead; so too where the race was ended [race.two-laps,
        race.unfinished, rulings 18, 19].
        """
        rest = [car for car in self.race.cars if car.status != "finished"]
        rest.sort(key=lambda car: (car.at is None, -self.reached(car) if car.at else 0, car.arrived))
        return [*map(self.car, self.race.home), *rest]


class LeaguePosition(Position[LeagueCar, LeagueRace, LeagueFigures]):
    """The conditions of a position of the league."""

    book: League

    @override
    def built_faults(self, car: LeagueCar) -> Iterator[BadSetup]:
        """Every car has the same points, and at home the bonus of tyres [setup.wear, tyres.home, ruling 16]."""
        share = self.book.preparing.share(car)
        if car.built != share:
            points = ", ".join(f"{pool} {count}" for pool, count in share.items())
            yield BadSetup("league_built", car=car.number, points=points)


class LeagueReferee(Referee[LeagueCar, LeagueRace, LeagueFigures]):
    """The values that the referee of the league may set."""

    @override
    def set_sky(self, race: LeagueRace) -> None:
        """Sun and rain are the ends of the ladder by the referee's word too [ruling 22]."""
        race.drawn, race.fixed = race.sky, race.sky != "changeable"
