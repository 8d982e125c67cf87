"""Before a race of the league: the last race's classification upside down, one wear-point setup, two tyre points more
at home."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from companion.rules.conversation.asking import Json, Proc
from companion.rules.conversation.errors import BadSetup
from companion.rules.conversation.kinds import Pools
from companion.rules.conversation.overriding import override
from companion.rules.dice.grid import roll_off
from companion.rules.dice.preparing import Preparing
from companion.rules.dice.questions import BlackDie
from companion.rules.league.figures import LeagueFigures
from companion.rules.league.state import LeagueCar, LeagueRace

if TYPE_CHECKING:
    from companion.rules.league.league import League


class LeaguePreparing(Preparing[LeagueCar, LeagueRace, LeagueFigures]):
    """From the setup to the grid."""

    book: League

    @override
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

    @override
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
        ahead = [number for number in reversed(race.last) if number in self.book.places]
        behind = [car.number for car in race.cars if car.number not in ahead]
        rolled = yield from roll_off(behind, race.faces, self.grid_die)
        if len(rolled) == len(behind):
            race.grid = ahead + rolled
            self.rule("grid_rolled", "start.grid", None, order=list(race.grid))

    def grid_die(self, number: int) -> BlackDie:
        """The black die for a place on the grid [start.grid, ruling 20]."""
        return BlackDie(number, "start.grid", "grid")

    @override
    def grid_order(self) -> list[LeagueCar]:
        """The cars from pole; a position that does not say who had it has them as it lists them [start.grid]."""
        return [self.car(number) for number in self.race.grid] or self.race.cars

    def share(self, car: LeagueCar) -> Pools:
        """The points of a car: the same for all, and at home two bonus points of tyres, which belong to the most it can
        have [setup.wear, tyres.home, ruling 16]."""
        points = dict(zip(self.race.pools, self.figures.wear_setup, strict=True))
        points["tyres"] += self.figures.home_tyres if car.home else 0
        return points

    @override
    def build(self, car: LeagueCar) -> Proc[None]:
        """Nobody builds his car: it has its share [setup.wear]."""
        car.wear, car.built = self.share(car), self.share(car)
        self.rule("build", "tyres.home" if car.home else "setup.wear", car, built=dict(car.built), home=car.home)
        return
        yield

    @override
    def take_build(self, car: LeagueCar, raw: Mapping[str, Json]) -> None:
        """A setup may write the points of a car down, but no others than its share [setup.wear]."""
        share = self.share(car)
        if car.wear != share:
            points = ", ".join(f"{pool} {count}" for pool, count in share.items())
            raise BadSetup(f"Car {car.number}: in the league every car has the same points, this one {points}.")
        car.built = share

    @override
    def complete(self, car: LeagueCar) -> None:
        """In a position, too, a car was built with its share [setup.wear]."""
        car.built = car.built or self.share(car)
        super().complete(car)

    @override
    def usual_build(self) -> Pools:
        """The points of a car that is not at home [setup.wear]."""
        return dict(zip(self.race.pools, self.figures.wear_setup, strict=True))


def check_size(teams: Iterable[str], figures: LeagueFigures) -> None:
    """Refuses more racers than the league has, and more in a team than make one; raises BadSetup."""
    named = list(teams)
    if len(named) > figures.racers:
        raise BadSetup(f"The league has {figures.racers} racers; {len(named)} are too many.")
    for team in named:
        if team and named.count(team) > figures.team_racers:
            raise BadSetup(f"A team of the league has {figures.team_racers} racers; {team} has {named.count(team)}.")
