"""The beginner's game of Formula D: one lap, and one pool of points that pays for everything.

From top to bottom: the figures, the race, the chapters in which the game says something else than the championship
does, and the rulebook with the articles by which it cites what the family rules. Its pool is the death race's as well,
in `dice/one_pool`; the grid, the cars and the order are those of both games of the box, in `dice/box`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, ClassVar

from companion.rules.conversation.asking import Json, Procedure
from companion.rules.conversation.errors import BadSetup
from companion.rules.conversation.figures import Score, WearPoints, figure, table
from companion.rules.conversation.kinds import POOLS, DiceCause, Pool, Pools
from companion.rules.conversation.overriding import override
from companion.rules.dice.box import BoxLandings, BoxOrder, BoxPosition, BoxPreparing, BoxRace
from companion.rules.dice.figures import Figures
from companion.rules.dice.formula_de import FormulaDe
from companion.rules.dice.one_pool import POOL, OnePoolBlocking, OnePoolCorners, OnePoolGears, OnePoolPits
from companion.rules.dice.slipstream import Slipstream
from companion.rules.dice.state import Car
from companion.rules.dice.tests import Tests
from companion.rules.dice.turn import Turn
from companion.rules.dice.wear import Charges, Cost, Purse, Wear


class BeginnerFigures(Figures, frozen=True):
    """The figures of the game, which has no weather, no kinds of tyres, no slipstream and no debris."""

    without: ClassVar = frozenset(
        {
            "stand_points", "pool_minimum", "collision_wet", "aggravated_dry", "aggravated_wet", "engine_wet",
            "handling_dry", "handling_wet", "slipstream_spaces", "slipstream_gear", "corner_brake", "quick_to",
            "blocking", "slide_hard", "slide_soft", "slide_rain", "factor_hard_dry", "factor_hard_wet",
            "factor_soft_dry", "factor_soft_wet", "factor_rain_dry", "factor_rain_wet", "soft_laps",
            "flag_next_crossing", "restart_stall_aggravated", "pits_are_a_way_round", "soft_space_not_over_line",
            "no_slipstream_into_pits",
        }
    )  # fmt: skip

    car_points: Annotated[int, figure("beginner.pool", 1, 60)] = 18
    collision_dry: Annotated[int, figure("beginner.collision", 0, 20)] = 4
    engine_dry: Annotated[int, figure("beginner.engine", 0, 20)] = 4
    great_from: Annotated[int, figure("beginner.start", 2, 21)] = 17
    gear_down: Annotated[tuple[tuple[WearPoints, WearPoints, WearPoints], ...], table("beginner.gears")] = (
        (1, 0, 0),
        (2, 0, 0),
        (3, 0, 0),
    )
    leave_gear: Annotated[int, figure("beginner.pits", 1, 6)] = 4
    points: Annotated[tuple[Score, ...], table("ruling 8", proposed=True)] = (10, 8, 6, 5, 4, 3, 2, 1, 0, 0)
    no_stop_standing_still: Annotated[bool, table("ruling 1", proposed=True)] = False


class BeginnerRace(BoxRace[Car]):
    """A race of the beginner's game."""

    pools: ClassVar[tuple[Pool, ...]] = (POOL,)


class BeginnerPreparing(BoxPreparing[Car, BeginnerRace, BeginnerFigures]):
    """From the setup to the grid."""

    @override
    def usual_build(self) -> Pools:
        """One pool of 18 points [beginner.pool]."""
        return {POOL: self.figures.car_points}


class BeginnerPosition(BoxPosition[Car, BeginnerRace, BeginnerFigures]):
    """The conditions of a position."""

    @override
    def wear_faults(self, car: Car) -> Iterator[BadSetup]:
        """Nobody races without a point [beginner.pool]."""
        if car.alive and not car.wear[POOL]:
            yield BadSetup("no_point_left", car=car.number)

    @override
    def place_faults(self) -> Iterator[BadSetup]:
        """No debris lies on the track [beginner.plain]."""
        yield from super().place_faults()
        if self.race.dangers:
            yield BadSetup("no_debris", space=self.race.dangers[0])


class BeginnerGears(OnePoolGears[Car, BeginnerRace, BeginnerFigures]):
    """The cost of a gear."""

    book: Beginner

    @override
    def shift_cost(self, car: Car, gear: int) -> Cost:
        """Return the cost of a gear; one that takes the last point puts the car out before its die.

        [beginner.gears, beginner.pool, rulings 2, 4]
        """
        return self.book.wear.with_last_point(super().shift_cost(car, gear), self.book.wear.purse(car))


class BeginnerLandings(BoxLandings[Car, BeginnerRace, BeginnerFigures]):
    """The cost of a stop on the track."""

    book: Beginner

    @override
    def landing_cost(self, car: Car, purse: Purse, charges: Charges) -> Cost:
        """Return the cost of a move, all paid at its end, where the last point puts the car out.

        [beginner.pool, beginner.brakes, beginner.overshoot, ruling 2]
        """
        return self.book.wear.with_last_point(super().landing_cost(car, purse, charges), purse)


class BeginnerSlipstream(Slipstream[Car, BeginnerRace, BeginnerFigures]):
    """No slipstream."""

    @override
    def can_slipstream(self, car: Car, ahead: Car | None) -> bool:
        """Nobody is drawn along [beginner.plain]."""
        return False


class BeginnerTests(Tests[Car, BeginnerRace, BeginnerFigures]):
    """No debris is there to test."""

    @override
    def tests_debris(self, car: Car) -> bool:
        """There is no debris [beginner.plain]."""
        return False


class BeginnerWear(Wear[Car, BeginnerRace, BeginnerFigures]):
    """The one pool, and the end at 0."""

    def with_last_point(self, cost: Cost, purse: Purse) -> Cost:
        """Return a cost with what it brings: the last point puts a car out [beginner.pool, ruling 2]."""
        if cost.out or not 0 < cost.total >= purse.points_left(POOL):
            return cost
        return cost.plus(Cost(out="destroyed", article="beginner.pool"))

    def empty(self, car: Car) -> None:
        """Put out a car without points [beginner.pool]."""
        if not car.wear[POOL]:
            self.eliminate(car, "destroyed", "beginner.pool", removed=True)

    @override
    def damage_cost(self, car: Car, pool: Pool) -> Cost:
        """Return the cost of damage: a point of the one pool, of which the last puts a car out."""
        return self.with_last_point(Cost(((pool, 1),)), self.purse(car))

    @override
    def body_gone(self, car: Car) -> None:
        """Put out a car that lost its last point in a collision [beginner.pool, beginner.collision]."""
        self.empty(car)

    @override
    def engine_gone(self, car: Car) -> None:
        """Put out a car that lost its last point by an engine [beginner.pool, beginner.engine]."""
        self.empty(car)

    @override
    def eliminate(self, car: Car, cause: DiceCause, article: str, *, removed: bool, **facts: Json) -> None:
        """Take a car that is out off the board at once [beginner.pool, ruling 3]."""
        super().eliminate(car, cause, article, removed=True, **facts)

    @override
    def mark(self, space: str | None, article: str, car: Car) -> None:
        """Nothing is left on the track [beginner.plain]."""


class BeginnerTurn(Turn[Car, BeginnerRace, BeginnerFigures]):
    """One car's turn."""

    book: Beginner

    @override
    def settle(self, car: Car) -> Procedure[None]:
        """Settle overshooting, then blocking; then put out a car that has no point left.

        [beginner.pool, ruling 2]
        """
        yield from super().settle(car)
        if self.move.braked or self.move.blocked or self.move.overs or car.in_pits:
            self.book.wear.empty(car)


class BeginnerPits(OnePoolPits[Car, BeginnerRace, BeginnerFigures]):
    """Stops in the box."""

    @override
    def pit_stop(self, car: Car) -> Procedure[None]:
        """Make a stop that gives every point back; the car leaves on its next turn [beginner.pits]."""
        won, car.wear[POOL] = car.built[POOL] - car.wear[POOL], car.built[POOL]
        car.stop, car.round_set = "long", False
        self.rule("box", "beginner.pits", car, {POOL: won} if won else {}, box=car.box)
        yield from ()


class Beginner(FormulaDe[Car, BeginnerRace, BeginnerFigures]):
    """The rulebook of the beginner's game."""

    order: BoxOrder[Car, BeginnerRace, BeginnerFigures]
    gears: BeginnerGears
    landings: BeginnerLandings
    slipstream: BeginnerSlipstream
    corners: OnePoolCorners[Car, BeginnerRace, BeginnerFigures]
    blocking: OnePoolBlocking[Car, BeginnerRace, BeginnerFigures]
    wear: BeginnerWear
    tests: BeginnerTests
    pits: BeginnerPits
    preparing: BeginnerPreparing
    position: BeginnerPosition
    turn: BeginnerTurn

    name = "beginner"
    VERSION: ClassVar[str] = "beginner 2"
    laps = 1
    walled = False
    rolls_for_grid = True
    race_type = BeginnerRace
    figures_type = BeginnerFigures
    word = "ruling 1"
    pool_of: ClassVar = dict.fromkeys(POOLS, POOL)
    statuses: ClassVar = ("grid", "racing", "stalled", "out")
    car_values: tuple[str, ...] = ("wear", "gear", "at", "lap", "stops", "status")
    race_values: tuple[str, ...] = ("order",)

    # -- its articles for what the family rules

    cites: ClassVar = {
        "0-0-1": "beginner.laps",
        "0-0-2": "order.position",
        "0-0-3": "order.position",
        "2": "setup.grid",
        "2-0-3": "setup.grid",
        "3": "beginner.plain",
        "4": "beginner.pits",
        "5": "beginner.pool",
        "5-1-2": "beginner.brakes",
        "6": "drive.around",
        "6-1": "beginner.gears",
        "6-2-2": "order.position",
        "6-2-3": "order.gear",
        "6-2-4": "beginner.pits",
        "6-2-6": "gears.six",
        "6-3": "order.position",
        "6-3.1": "gears.announce",
        "6-3.2": "gears.announce",
        "6-3.3": "beginner.gears",
        "6-3.4": "gears.six",
        "6-3.9": "beginner.brakes",
        "6-3.11": "beginner.brakes",
        "6-3.14": "beginner.collision",
        "6-3.15": "beginner.engine",
        "7": "drive.around",
        "7-1": "corner.stops",
        "7-1-4": "drive.corner-arrows",
        "7-2": "drive.shortest",
        "7-2-2": "corner.stops",
        "8": "beginner.plain",
        "9": "beginner.start",
        "10": "beginner.overshoot",
        "11": "beginner.brakes",
        "12": "beginner.brakes",
        "13": "beginner.gears",
        "14": "beginner.collision",
        "16": "beginner.engine",
        "17": "beginner.plain",
        "18": "beginner.plain",
        "19": "beginner.pits",
        "20": "beginner.pool",
        "20-1": "beginner.overshoot",
        "21": "finish.winner",
        "ruling 104": "ruling 10",
        "ruling 105": "ruling 11",
    }
