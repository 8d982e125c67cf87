"""Rules that both games of the box share: a rolled grid, cars that are all alike, and the order of level ones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, Generic

import msgspec

from companion.rules.circuit.leg import Landing
from companion.rules.conversation.asking import Json, JsonValue, Procedure
from companion.rules.conversation.errors import BadSetup
from companion.rules.conversation.kinds import Pool
from companion.rules.conversation.overriding import TypeVar, override
from companion.rules.dice.chapter import F, R
from companion.rules.dice.moving import Landings
from companion.rules.dice.order import Order
from companion.rules.dice.questions import BlackDie
from companion.rules.dice.setup import CarChoice, Position, Preparing, roll_off
from companion.rules.dice.state import C, Car, RaceState


class BoxRace(RaceState[C], Generic[C]):
    """A race by the box: `grid` are the cars from pole once that is rolled for, `faces` what each has rolled for it."""

    grid: list[int] = msgspec.field(default_factory=list)
    faces: dict[str, list[int]] = msgspec.field(default_factory=dict)


B = TypeVar("B", bound=BoxRace[Any], default=BoxRace[Car])
"""The race as a game of the box keeps it."""


class BoxPreparing(Preparing[C, B, F]):
    """From the setup to the grid: it is rolled for, and all cars are alike."""

    choice_of_car: ClassVar[CarChoice] = "none"

    @override
    def prepare(self) -> Procedure[None]:
        """Prepare the grid first, then the points and a box for every car, which nobody chooses.

        [2-0-3, 4-0-1, 5-0-1]
        """
        if not self.race.grid:
            yield from self.roll_for_grid()
        elif self.without_box() is not None:
            self.allot_boxes()
        elif (car := next((car for car in self.grid_order() if not car.wear), None)) is not None:
            yield from self.build(car)
        elif (car := self.without_tyres()) is not None:
            yield from self.choose_tyres(car)
        else:
            yield from self.line_up()

    @override
    def without_tyres(self) -> C | None:
        """Return None: nobody chooses his tyres, they are all alike [8]."""
        return None

    def grid_die(self, number: int, level: Mapping[str, Json]) -> BlackDie:
        """Return the black die for a place on the grid [2-0-3]."""
        return BlackDie(number, self.article("2-0-3"), "grid", level)

    def roll_for_grid(self) -> Procedure[None]:
        """Roll for the grid: the highest die has pole, then downwards; cars that are level roll again.

        [2-0-3]
        """
        race = self.race
        race.grid = yield from roll_off([car.number for car in race.cars], race.faces, self.grid_die)
        if race.grid:
            self.rule("grid_rolled", "2-0-3", None, order=list(race.grid))

    @override
    def build(self, car: C) -> Procedure[None]:
        """Nobody builds his car: all have the same points [5-0-1]."""
        car.wear, car.built = self.usual_build(), self.usual_build()
        self.rule("build", "5-0-1", car, built=dict(car.built))
        yield from ()

    @override
    def grid_order(self) -> list[C]:
        """Return the cars from pole; a position that does not name pole lists them in order [2-0-3]."""
        return [self.car(number) for number in self.race.grid] or self.race.cars

    @override
    def take_build(self, car: C, raw: Mapping[str, Json]) -> None:
        """Take the points of a car from the setup, which may be no others than all have [5-0-1]."""
        if car.wear != (usual := self.usual_build()):
            points = ", ".join(f"{pool} {count}" for pool, count in usual.items())
            raise BadSetup("same_points", car=car.number, points=points)
        car.built = usual

    @override
    def most_in(self, pool: Pool) -> int | None:
        """Return the most points that a pool of any car can hold: those of every car [5-0-1]."""
        return self.usual_build()[pool]

    @override
    def complete(self, car: C) -> None:
        """Give a car in a position all its points where it does not say [5-0-1]."""
        usual = self.usual_build()
        car.wear = {**usual, **car.wear}
        car.built = {pool: car.built.get(pool, max(points, car.wear[pool])) for pool, points in usual.items()}

    @override
    def check(self, setup: Mapping[str, Json]) -> None:
        """There is no weather, no choice of tyres, and no car that coasts or is a wreck [5-0-1]."""
        self.check_weather()
        for car in self.race.cars:
            if car.status in ("coasting", "wreck", "spun") and car.status not in self.book.statuses:
                raise BadSetup("status_by_rules", car=car.number, status=car.status)
            self.check_tyres(car)

    def check_tyres(self, car: C) -> None:
        """Refuse any kind of tyres: they are all alike, and have no name [8]."""
        if car.tyres not in ("", "hard"):
            raise BadSetup("same_tyres", car=car.number, tyres=car.tyres)
        car.tyres = ""

    def check_weather(self) -> None:
        """Set sun on a dry track; nothing is drawn [5-0-1]."""
        race = self.race
        if race.sky not in ("", "sun") or race.surface not in ("", "dry"):
            raise BadSetup("no_weather_sky")
        race.sky, race.drawn = "sun", ""


class BoxOrder(Order[C, R, F]):
    """The order of level cars."""

    @override
    def level_order(self, car: C) -> tuple[int, ...]:
        """Return the rank of a car among level ones: the higher gear plays first.

        In the same gear it is the one nearer the inside of the corner that it is in or comes to, and there the one that
        came first [order.gear, order.inside].
        """
        return (-car.gear, self.from_inside(car), car.arrived)


class BoxLandings(Landings[C, R, F]):
    """The stops of a move."""

    @override
    def forced_landing(self, answer: JsonValue) -> Landing:
        """Return a forced landing, without a soft space where there are no tyres to choose [8]."""
        landing = super().forced_landing(answer)
        kinds = bool(self.car(self.move.car).tyres)
        return landing if kinds else Landing(landing.space, landing.moved, landing.brakes)


class BoxPosition(Position[C, B, F]):
    """The conditions of a position."""

    @override
    def list_faults(self) -> Iterator[BadSetup]:
        """Yield the faults of the lists; a grid that is settled names every car once [2-0-3]."""
        yield from super().list_faults()
        grid = self.race.grid
        if grid and sorted(grid) != sorted(car.number for car in self.race.cars):
            yield BadSetup("grid_cars", cars=str(grid))
