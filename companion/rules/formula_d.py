"""Formula D, the complete game of the box: two laps, one car for all, six pools of points.

From top to bottom: the figures, the race, then the chapters in which the box differs from the championship, in the
order of a turn, and the rulebook with the articles by which it cites what the family rules:

- gears, landings and pits: one stop at the end of a lap, nothing paid in the lane - blocking and wear: a car that
cannot pay is out, and a car that is out is off at once and leaves debris - starts: out of a spin without another die

The options of the box, each a switch of its own, stand at the end.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from string import ascii_uppercase
from typing import Annotated, ClassVar, Final, cast

import msgspec

from companion.rules.circuit.leg import Landing, Leg, Over
from companion.rules.conversation.asking import Json, JsonValue, Option, Procedure, QuestionWithdrawn, ask
from companion.rules.conversation.errors import BadAnswer, BadSetup
from companion.rules.conversation.faces import Face
from companion.rules.conversation.figures import Score, figure, table
from companion.rules.conversation.forms import Choice
from companion.rules.conversation.kinds import POOLS, Compound, DiceCause, Pool, Pools, Sky, by_name
from companion.rules.conversation.overriding import override
from companion.rules.dice.box import BoxLandings, BoxOrder, BoxPosition, BoxPreparing, BoxRace
from companion.rules.dice.collisions import Blocking
from companion.rules.dice.corners import Corners
from companion.rules.dice.figures import Factors, Figures, Points
from companion.rules.dice.formula_de import FormulaDe
from companion.rules.dice.gears import Gears
from companion.rules.dice.order import Finish, teams_of
from companion.rules.dice.pits import REPAIRS, Pits
from companion.rules.dice.questions import Gear
from companion.rules.dice.setup import CarChoice, Preparing
from companion.rules.dice.state import Car, Move
from companion.rules.dice.turn import FIRST, Starts, Turn
from companion.rules.dice.tyres import Tyres
from companion.rules.dice.variants import VARIANTS, Variant
from companion.rules.dice.wear import Cost, ForetoldTest, Purse, Wear
from companion.rules.dice.weather import Weather, climbed


class FormulaDFigures(Figures, frozen=True):
    """The figures of the box, its options too."""

    without: ClassVar = frozenset(
        {
            "stand_points", "pool_minimum", "aggravated_dry", "aggravated_wet", "flag_next_crossing",
            "restart_stall_aggravated", "pits_are_a_way_round", "soft_space_not_over_line", "no_slipstream_into_pits",
        }
    )  # fmt: skip

    car_points: Annotated[int, figure("option.construction", 6, 60)] = 20
    stand_points: int = 0
    most_tyres: Annotated[int, figure("option.construction", 1, 40)] = 14
    most_others: Annotated[int, figure("option.construction", 1, 20)] = 7
    wear_setup: Annotated[tuple[Points, Points, Points, Points, Points, Points], table("wear.pools")] = (
        6, 3, 3, 3, 3, 2,
    )  # fmt: skip
    leave_gear: Annotated[int, figure("pits.slow", 1, 6)] = 4
    points: Annotated[tuple[Score, ...], table("ruling 18", proposed=True)] = (10, 8, 6, 5, 4, 3, 2, 1, 0, 0)
    collision_wet: Annotated[int, figure("option.rain", 0, 20)] = 2
    engine_wet: Annotated[int, figure("option.rain", 0, 20)] = 3
    handling_wet: Annotated[int, figure("option.rain", 0, 20)] = 5
    technical_points: Annotated[int, figure("option.stop-technical", 0, 10)] = 2
    slide_hard: Annotated[int, figure("option.tyres-hard", 0, 9)] = 3
    slide_soft: Annotated[int, figure("option.tyres-soft", 0, 9)] = 3
    slide_rain: Annotated[int, figure("option.tyres-rain", 0, 9)] = 1
    soft_laps: Annotated[int, figure("option.tyres-soft", 0, 3)] = 1
    soft_slide_laps: Annotated[int, figure("ruling 23", 0, 9, proposed=True)] = 2
    factor_hard_dry: Annotated[Factors, table("option.tyres-hard")] = (1, 1, 1)
    factor_hard_wet: Annotated[Factors, table("option.tyres-hard")] = (1, 1, 1)
    factor_soft_dry: Annotated[Factors, table("option.tyres-soft")] = (2, 2, 3)
    factor_soft_wet: Annotated[Factors, table("option.tyres-soft")] = (2, 2, 3)
    factor_rain_dry: Annotated[Factors, table("option.tyres-rain")] = (2, 2, 3)
    factor_rain_wet: Annotated[Factors, table("option.tyres-rain")] = (1, 1, 1)
    no_stop_standing_still: Annotated[bool, table("ruling 1", proposed=True)] = False
    no_slipstream_into_pits: Annotated[bool, table("pits.enter")] = True

    def check(self) -> None:
        super().check()
        if self.car_points > (room := self.most_tyres + (len(POOLS) - 1) * self.most_others):
            raise BadSetup("points_room", points=self.car_points, room=room)


class FormulaDMove(Move):
    """A move of the box.

    `strained` when changing down has cost an engine point, `restarted` when it began with a spin.
    """

    strained: bool = False
    restarted: bool = False


class FormulaDRace(BoxRace[Car]):
    """A race by the rules of the box; `street` is the driver on the card of each car, by its number."""

    move: FormulaDMove | None = None
    street: dict[str, str] = msgspec.field(default_factory=dict)


def most_built(figures: FormulaDFigures, pool: Pool) -> int:
    """Return the most points of a part that a driver may build [option.construction]."""
    return figures.most_tyres if pool == "tyres" else figures.most_others


class FormulaDPreparing(BoxPreparing[Car, FormulaDRace, FormulaDFigures]):
    """From the setup to the grid."""

    @override
    def usual_build(self) -> Pools:
        """Every car has the same points [wear.pools]."""
        return dict(zip(self.race.pools, self.figures.wear_setup, strict=True))

    @override
    def most_in(self, pool: Pool) -> int:
        """Return the most points of a part of any car of the box: built, of a card, or alike for all.

        The talent of a street driver is the referee's word, so that his card is no limit [wear.pools,
        option.construction, option.street].
        """
        return max(self.usual_build()[pool], most_built(self.figures, pool))

    @override
    def enter(self) -> None:
        """Refuse cards of street drivers in a race without them [option.street]."""
        if self.race.street and self.choice_of_car != "card":
            raise BadSetup("street_off")


class FormulaDStarts(Starts[Car, FormulaDRace, FormulaDFigures]):
    """From standing still to 1st gear."""

    book: FormulaD

    @override
    def restart(self, car: Car) -> Procedure[None]:
        """After a spin in 1st, without a black die before it [overshoot.spin, ruling 7]."""
        self.turn_round(car)
        car.status, car.turned = "racing", False
        car.gear = self.move.gear = FIRST
        self.book.move.restarted = True
        self.rule("restart", "overshoot.spin", car, gear=car.gear)
        yield from self.book.turn.drive(car)


class FormulaDGears(Gears[Car, FormulaDRace, FormulaDFigures]):
    """The cost of a gear."""

    book: FormulaD

    @override
    def price(self, car: Car, gear: int) -> Pools:
        """Nothing is paid in the pit lane for changing down [pits.exempt]."""
        return {} if car.in_pits else super().price(car, gear)

    @override
    def article_of_free_gear(self, car: Car, before: int, gear: int) -> str:
        """Cite that one gear down is free, that in the pit lane every gear is, or that a table has it so.

        [gears.down, gears.price, pits.exempt]
        """
        if gear < before - 1:
            return "pits.exempt" if car.in_pits else "13-4"
        return "6-1-2" if gear < before else super().article_of_free_gear(car, before, gear)

    @override
    def strained(self, car: Car) -> None:
        """Note that changing down has cost an engine point: it leaves debris where the move ends.

        [debris.laid, ruling 10]
        """
        self.book.move.strained = True


class FormulaDTurn(Turn[Car, FormulaDRace, FormulaDFigures]):
    """One car's turn."""

    book: FormulaD

    @override
    def new_move(self, car: Car) -> FormulaDMove:
        """Return the turn of a car as it begins [order.position]."""
        ahead = self.book.sheet.stood_ahead(car)
        return FormulaDMove(car=car.number, begin=car.at or "", lap=car.lap, made=car.stops, stood_ahead=ahead)

    @override
    def settle(self, car: Car) -> Procedure[None]:
        """Charge the move, and lay debris at its end if changing down has strained the engine.

        [debris.laid, ruling 10]
        """
        yield from super().settle(car)
        if self.book.move.strained and car.alive and not self.move.finished:
            self.book.wear.mark(car.at, "debris.laid", car)


class FormulaDLandings(BoxLandings[Car, FormulaDRace, FormulaDFigures]):
    """The stops of a move."""

    brakes_in_lane: ClassVar[bool] = False
    """Nobody brakes in the pit lane [pits.exempt]."""

    @override
    def most_brakes(self, car: Car) -> int:
        """Nobody brakes in the lane on the way to his box [pits.exempt]."""
        return 0 if car.in_pits and car.stop != "left" else super().most_brakes(car)

    @override
    def landings(self, car: Car, leg: Leg) -> list[Landing]:
        """Return the stops of a leg: into the pit lane only with a die that reaches the box.

        On the way out only spaces beyond the lane can be braked away [pits.enter, pits.queue, pits.exempt, ruling 13].
        """
        found = self.unbraked_in_pits(car, super().landings(car, leg))
        return found if car.in_pits else [one for one in found if self.reaches_box(leg, one)]

    def reaches_box(self, leg: Leg, landing: Landing) -> bool:
        """Return True if a stop is on the track or in the box, or the die would have reached the box.

        There a car waits behind another [pits.enter, pits.queue, ruling 13].
        """
        pit = self.track.pit
        if pit is None or landing.space not in pit.spaces:
            return True
        front = self.board.front[leg.until]
        to_box = pit.spaces.index(front) - pit.spaces.index(landing.space) + 1
        return landing.moved + to_box <= leg.spaces - landing.brakes


class FormulaDBlocking(Blocking[Car, FormulaDRace, FormulaDFigures]):
    """The cost of being blocked."""

    @override
    def blocked_cost(self, car: Car, spaces: int, purse: Purse, *, owed: int = 0) -> Cost:
        """Return the cost of being blocked: without the brakes or the tyres of the row the car is out.

        It does not spin for a tyre point that is not there [brakes.blocked, brakes.unpaid, ruling 6].
        """
        row = self.row(spaces)
        if row is not None and row[1] > purse.points_left("tyres"):
            return Cost((("brakes", row[0]), ("tyres", row[1])), out="blocked", article="12-1-1")
        return super().blocked_cost(car, spaces, purse, owed=owed)

    @override
    def fronts(self, car: Car) -> list[Car]:
        """Nobody is hit [ruling 5]."""
        return []

    @override
    def beside_wreck(self, car: Car, front: Car | None) -> list[Car]:
        """Nobody tests beside a car that is off the board [ruling 5]."""
        return []

    @override
    def blocked_out(self, car: Car) -> Procedure[None]:
        """Take a car that is out by blocking off the board; it touches nobody [brakes.unpaid, ruling 5]."""
        self.book.wear.eliminate(car, "blocked", "12-1-1", removed=True)
        yield from ()


class FormulaDCorners(Corners[Car, FormulaDRace, FormulaDFigures]):
    """The cost of a corner."""

    book: FormulaD

    @override
    def overshoot_cost(
        self, car: Car, overs: Sequence[Over], purse: Purse, *, braked: int = 0, blocked: int = 0
    ) -> Cost:
        """Return the cost of overshooting: without tyres a car is out, but for a space in the turn that leaves a spin.

        [overshoot.again, overshoot.unpaid]
        """
        cost = super().overshoot_cost(car, overs, purse, braked=braked, blocked=blocked)
        move = self.race.move
        if (
            cost.out
            or purse.points_left("tyres")
            or not self.tyres_lost(car, overs)
            or (move is not None and move.restarted)
        ):
            return cost
        return Cost(cost.points, out="overshoot", article="10-3")

    @override
    def overshoot(self, car: Car) -> None:
        """Charge overshooting; a car put out on its way home is out before the line, and its debris lies there.

        [overshoot.missed, overshoot.unpaid, debris.laid, ruling 9]
        """
        super().overshoot(car)
        if not car.alive and self.move.finished:
            self.book.finish.short_of_line(car)
            self.move.finished = False
        if not car.alive:
            self.book.wear.mark(car.at, "debris.laid", car)


class FormulaDWear(Wear[Car, FormulaDRace, FormulaDFigures]):
    """The end of a car without points."""

    @override
    def body_gone(self, car: Car) -> None:
        """Put out a car without a body point, and take it off at once [collision.out, ruling 9]."""
        self.eliminate(car, "body", "14-2", removed=True)

    @override
    def eliminate(self, car: Car, cause: DiceCause, article: str, *, removed: bool, **facts: Json) -> None:
        """Take a car that is out off the board at once, and lay debris where it stood.

        By the referee's word none is laid, and after an overshoot not before it is known on which side of the line
        [debris.laid, ruling 9].
        """
        if not car.alive:
            return
        super().eliminate(car, cause, article, removed=True, **facts)
        if article != self.book.word and cause != "overshoot":
            self.mark(car.at, "debris.laid", car)

    @override
    def mark(self, space: str | None, article: str, car: Car) -> None:
        """No debris lies in the pits [pits.exempt, debris.laid]."""
        if not (space or "").startswith(("pit:", "box:")):
            super().mark(space, article, car)


class FormulaDPits(Pits[Car, FormulaDRace, FormulaDFigures]):
    """Into the lane, to the box, out again."""

    @override
    def lane_gears(self, car: Car, gears: list[int]) -> list[int]:
        """In the lane gears are as free as on the track [pits.enter, pits.exempt]."""
        return gears

    @override
    def pit_stop(self, car: Car) -> Procedure[None]:
        """Make a stop: all tyre points come back; then the black die says when the car leaves.

        [pits.tyres, pits.quick, pits.slow]
        """
        won, car.wear["tyres"] = car.built["tyres"] - car.wear["tyres"], car.built["tyres"]
        self.rule("box", "pits.tyres", car, {"tyres": won} if won else {}, box=car.box)
        yield from self.leave(car)

    def leave(self, car: Car) -> Procedure[None]:
        """Once it has its tyres, the black die says when the car leaves [pits.quick, pits.slow]."""
        yield from self.quick_stop(car)

    @override
    def foretell_stop(self, there: Car) -> list[ForetoldTest] | None:
        """Return the black die that says when the car leaves."""
        die = self.quick_die(there)
        return [ForetoldTest("quick_stop", there.number, 0, tuple(die.bands))]

    @override
    def leave_gear_question(self, car: Car) -> Gear:
        """Out of the box in 4th or less [pits.slow, ruling 16]."""
        choices = [(Option(gear), gear) for gear in range(1, self.highest_gear() + 1)]
        return Gear(car.number, "pits.slow", choices, what="leave")


class FormulaD(FormulaDe[Car, FormulaDRace, FormulaDFigures]):
    """The rulebook of the box."""

    order: BoxOrder[Car, FormulaDRace, FormulaDFigures]
    gears: FormulaDGears
    landings: FormulaDLandings
    corners: FormulaDCorners
    blocking: FormulaDBlocking
    wear: FormulaDWear
    pits: FormulaDPits
    preparing: FormulaDPreparing
    position: BoxPosition[Car, FormulaDRace, FormulaDFigures]
    turn: FormulaDTurn
    starts: FormulaDStarts

    name = "formula-d"
    VERSION: ClassVar[str] = "formula-d 3"
    laps = 2
    walled = False
    rolls_for_grid = True
    race_type = FormulaDRace
    figures_type = FormulaDFigures
    word = "ruling 1"
    reminders: ClassVar[Mapping[str, Sequence[str]]] = {"street": ("ruling 26",)}
    car_values: tuple[str, ...] = ("wear", "gear", "at", "lap", "stops", "status")
    race_values: tuple[str, ...] = ("order", "dangers")

    @property
    def move(self) -> FormulaDMove:
        """The turn being played."""
        move = self.race.move
        assert move is not None, "no turn is being played"
        return move

    # -- its articles for what the family rules

    cites: ClassVar = {
        "0-0-1": "finish.winner",
        "0-0-2": "order.position",
        "0-0-3": "order.position",
        "1": "option.trial",
        "1-1-14": "option.trial-out",
        "1-2-1-1": "gears.six",
        "1-2-1-4": "gears.up",
        "1-3-2": "option.trial-tie",
        "2": "setup.grid",
        "3": "option.weather",
        "3-2-5": "option.weather-change",
        "3-2-6": "option.weather-change",
        "4": "pits.enter",
        "5": "wear.pools",
        "5-0-2": "option.construction",
        "5-1-2": "brakes.voluntary",
        "5-1-3": "gears.empty",
        "5-1-4": "overshoot.spin",
        "6-1-1": "gears.up",
        "6-1-2": "gears.down",
        "6-2-1": "drive.around",
        "6-2-2": "order.position",
        "6-2-3": "order.gear",
        "6-2-4": "pits.order",
        "6-2-6": "gears.six",
        "6-3": "order.position",
        "6-3.1": "gears.announce",
        "6-3.2": "gears.announce",
        "6-3.3": "gears.price",
        "6-3.4": "gears.six",
        "6-3.5": "drive.around",
        "6-3.8": "slipstream.three",
        "6-3.9": "brakes.voluntary",
        "6-3.10": "debris.test",
        "6-3.11": "brakes.blocked",
        "6-3.14": "collision.test",
        "6-3.15": "engine.test",
        "7-0-1": "drive.around",
        "7-1": "corner.stops",
        "7-1-4": "drive.corner-arrows",
        "7-2": "drive.shortest",
        "7-2-2": "corner.stops",
        "8": "wear.pools",
        "8-0-1": "option.tyres",
        "8-1": "option.tyres-hard",
        "8-2": "option.tyres-soft",
        "8-3": "option.tyres-rain",
        "9-0-1": "start.normal",
        "9-1": "start.stall",
        "9-2": "start.great",
        "9-3": "start.normal",
        "10-0-1": "overshoot.price",
        "10-1": "overshoot.missed",
        "10-2": "overshoot.lane",
        "10-2-2": "overshoot.blocked",
        "10-3": "overshoot.unpaid",
        "10-4": "overshoot.spin",
        "10-4-2": "overshoot.again",
        "11": "brakes.voluntary",
        "12-0": "brakes.blocked",
        "12-1": "brakes.unpaid",
        "12-1-3": "brakes.blocked",
        "12-1-4": "overshoot.spin",
        "13-1": "gears.down",
        "13-2": "gears.down",
        "13-3": "debris.laid",
        "13-4": "gears.price",
        "14": "collision.test",
        "14-2": "collision.out",
        "16-0-1": "engine.test",
        "16-0-2": "engine.test",
        "16-0-3": "engine.out",
        "17-0-1": "debris.laid",
        "17-0-2": "debris.test",
        "17-0-3": "debris.out",
        "17-1": "drive.shortest",
        "17-2": "debris.test",
        "17-3": "finish.winner",
        "18-0-1": "slipstream.gears",
        "18-0-2": "slipstream.behind",
        "18-0-3": "slipstream.three",
        "18-0-4": "slipstream.three",
        "18-1-1": "slipstream.gears",
        "18-1-2": "slipstream.whole",
        "18-1-3": "slipstream.chain",
        "18-1-4": "slipstream.corner",
        "18-1-5": "slipstream.corner",
        "18-1-6": "slipstream.no-brakes",
        "18-2-1": "slipstream.no-brakes",
        "18-2-2": "overshoot.price",
        "18-2-3": "slipstream.corner",
        "18-3-3": "slipstream.three",
        "19-1-1": "pits.enter",
        "19-1-3": "pits.exempt",
        "19-1-4": "pits.exempt",
        "19-1-5": "pits.queue",
        "19-1-7": "pits.when",
        "19-2": "pits.enter",
        "19-2-3": "pits.tyres",
        "19-2-6": "option.stop-tyres",
        "19-3": "pits.quick",
        "19-3-4": "pits.slow",
        "19-4": "pits.slow",
        "19-4-1": "option.stop-technical",
        "19-5": "pits.order",
        "19-5-3": "pits.exempt",
        "20-1": "overshoot.unpaid",
        "20-2": "brakes.unpaid",
        "20-3": "collision.out",
        "20-4": "engine.out",
        "20-5": "debris.out",
        "21": "finish.winner",
        "ruling 104": "ruling 19",
        "ruling 105": "ruling 20",
    }


# -- the options of the box


class ThreeLaps(Preparing[Car, FormulaDRace, FormulaDFigures]):
    """A longer race."""

    @override
    def check(self, setup: Mapping[str, Json]) -> None:
        """Check that a race which begins has three laps, and so two chances to stop [option.three-laps]."""
        super().check(setup)
        if self.race.phase == "setup" and self.race.laps != THREE:
            raise BadSetup("three_laps", switch="three_laps", usual=THREE, laps=self.race.laps)


THREE = 3
VARIANTS.add(Variant("three-laps", (ThreeLaps,), family="option", only_in="formula-d", laps=THREE))


class TrialGrid(Preparing[Car, FormulaDRace, FormulaDFigures]):
    """A grid that a timed lap each has brought."""

    @override
    def enter(self) -> None:
        """Line the cars up as they are listed: in the order of their trials [option.trial, ruling 27]."""
        super().enter()
        race = self.race
        race.grid = race.grid or [car.number for car in race.cars]


TRIAL = VARIANTS.add(Variant("trial", (TrialGrid,), family="option", only_in="formula-d"))


class OwnCars(Preparing[Car, FormulaDRace, FormulaDFigures]):
    """Every driver builds his car."""

    choice_of_car: ClassVar[CarChoice] = "build"

    @override
    def build(self, car: Car) -> Procedure[None]:
        """Let a driver spread the points of his car as he likes, pole first [option.construction]."""
        yield from Preparing.build(self, car)

    @override
    def usual_build(self) -> Pools:
        """Return the car of the box, adapted to the points and the limits of this table.

        [option.construction]
        """
        points = {
            pool: min(share, self.most_built(pool))
            for pool, share in zip(self.race.pools, self.figures.wear_setup, strict=True)
        }
        while (left := self.figures.car_points - sum(points.values())) > 0:
            points[max(points, key=lambda pool: self.most_built(pool) - points[pool])] += 1
        for _ in range(-left):
            points[max(points, key=points.__getitem__)] -= 1
        return points

    @override
    def take_build(self, car: Car, raw: Mapping[str, Json]) -> None:
        """Take a car that the setup brings built, within the same limits [option.construction]."""
        Preparing.take_build(self, car, raw)

    @override
    def build_limit(self, car: Car) -> int:
        """No car has more points than all are given [option.construction]."""
        return self.figures.car_points

    @override
    def offered_builds(self) -> list[Option]:
        """Return the cars that are offered, which keep the limits too [option.construction]."""
        return [option for option in super().offered_builds() if not self.too_many(option.answer)]

    @override
    def read_build(self, answer: JsonValue) -> tuple[Pools, int]:
        """Refuse a part with more points than its limit [option.construction]."""
        points, stand = super().read_build(answer)
        if pool := self.too_many(points):
            raise BadAnswer("pool_most", pool=pool, most=self.most_built(pool), points=points[pool])
        return points, stand

    @override
    def most_built(self, pool: Pool) -> int:
        """Return the most points of a part that a driver may build [option.construction]."""
        return most_built(self.figures, pool)

    @override
    def most_in(self, pool: Pool) -> int:
        """Hold the referee's word and a position to the same limits [option.construction]."""
        return most_built(self.figures, pool)

    def too_many(self, points: Pools) -> Pool | None:
        """Return the first part that has more points than it may have."""
        return next((pool for pool in self.race.pools if points[pool] > self.most_built(pool)), None)


VARIANTS.add(
    Variant(
        "construction",
        (OwnCars,),
        family="option",
        only_in="formula-d",
        counts=("car_points", "most_tyres", "most_others"),
    )
)


class StreetCars(Preparing[Car, FormulaDRace, FormulaDFigures]):
    """Every driver takes one of the ten street drivers, and his car."""

    choice_of_car: ClassVar[CarChoice] = "card"

    @override
    def enter(self) -> None:
        """Check the cards that a setup gives: each of the box, none for two cars [option.street]."""
        super().enter()
        cars, cards = self.race.cars, self.race.street
        if len(cars) > len(STREET):
            raise BadSetup("street_cars", drivers=len(STREET), cars=len(cars))
        for number, card in cards.items():
            if number not in {str(car.number) for car in cars}:
                raise BadSetup("street_no_car", number=number)
            if card not in STREET:
                raise BadSetup("no_street_driver", name=card, names=", ".join(STREET))
            if list(cards.values()).count(card) > 1:
                raise BadSetup("street_twice", name=card)

    @override
    def build(self, car: Car) -> Procedure[None]:
        """Take a card, pole first, and the car on it [option.street, ruling 26].

        The special talent is on the card alone: the table is reminded of it, and the referee's word enters it.
        """
        cards = self.race.street
        if str(car.number) not in cards:
            cards[str(car.number)] = yield from ask(self.card_question, car)
        car.wear, car.built = self.points_of(car), self.points_of(car)
        self.rule("build", "option.street", car, built=dict(car.built), street=cards[str(car.number)])
        self.book.remind("street")

    def card_question(self, car: Car) -> Choice[str]:
        """Ask which of the cards that are left a driver takes [option.street]."""
        taken = self.race.street.values()
        left = [(name, dict(zip(POOLS, points, strict=True))) for name, points in STREET.items() if name not in taken]
        choices = [(Option(name, facts={"built": by_name(points)}), name) for name, points in left]
        return Choice("card", car.number, "option.street", choices, what="street")

    def points_of(self, car: Car) -> Pools:
        """Return the points of the car on a card, those of the box for a car without one [option.street]."""
        card = self.race.street.get(str(car.number))
        return dict(zip(POOLS, STREET[card], strict=True)) if card else self.usual_build()

    @override
    def take_build(self, car: Car, raw: Mapping[str, Json]) -> None:
        """Refuse a car that a setup brings built with other points than its card has [option.street]."""
        points = self.points_of(car)
        if str(car.number) not in self.race.street or car.wear != points:
            said = ", ".join(f"{pool} {count}" for pool, count in points.items())
            raise BadSetup("street_points", car=car.number, points=said)
        car.built = points

    @override
    def complete(self, car: Car) -> None:
        """In a position a car has all the points of its card where nothing else is said [option.street]."""
        points = self.points_of(car)
        car.wear = {**points, **car.wear}
        car.built = {pool: car.built.get(pool, max(count, car.wear[pool])) for pool, count in points.items()}


STREET: Final[Mapping[str, tuple[int, ...]]] = {
    "Li Tsu Sin": (7, 3, 2, 2, 3, 3),
    "Jack Owens": (9, 2, 2, 2, 3, 2),
    "Stanley Washington": (7, 2, 3, 2, 3, 3),
    "Dimitri Tzarof": (5, 4, 3, 3, 3, 4),
    "Julien Marcellin": (8, 4, 2, 2, 3, 2),
    "Jenny Slivers": (4, 6, 2, 3, 3, 2),
    "Montoya Cadena": (5, 5, 3, 2, 3, 2),
    "Temana Matahi": (6, 3, 3, 3, 3, 3),
    "Diane Montfort": (6, 4, 2, 3, 3, 3),
    "Derek Manson": (6, 3, 2, 4, 3, 3),
}
"""The street drivers of the box by name, with the points of their cars in the order of the pools."""
VARIANTS.add(Variant("street", (StreetCars,), family="option", only_in="formula-d", excludes=("construction",)))


class TechnicalStand(Preparing[Car, FormulaDRace, FormulaDFigures]):
    """Points for repairs beside each car."""

    def stop_limit(self) -> int:
        """Return the most points that a stop brings back [option.stop-technical, ruling 24]."""
        return self.figures.technical_points

    @override
    def stand_limit(self, car: Car) -> int:
        """Return as many points for the whole race as for a stop [option.stop-technical]."""
        return self.stop_limit()

    @override
    def usual_stand(self, car: Car) -> int:
        """All of them are there unless a position says otherwise [option.stop-technical]."""
        return self.stand_limit(car)

    @override
    def build_limit(self, car: Car) -> int | None:
        """They come on top of those of an own car [option.construction, option.stop-technical]."""
        most = super().build_limit(car)
        return None if most is None else most + self.stand_limit(car)

    @override
    def build(self, car: Car) -> Procedure[None]:
        """Build the car with the points for repairs ready at the stand [option.stop-technical]."""
        yield from super().build(car)
        car.stand = self.stand_limit(car)

    @override
    def take_build(self, car: Car, raw: Mapping[str, Json]) -> None:
        """So they do for a car that the setup brings built [option.stop-technical]."""
        super().take_build(car, raw)
        car.stand = self.stand_limit(car)


class TechnicalStop(FormulaDPits):
    """A longer stop, with repairs."""

    book: FormulaD

    @override
    def repairs_left(self, car: Car) -> int:
        """Return what is left, up to the most of a stop [option.stop-technical, ruling 24]."""
        return min(super().repairs_left(car), cast("TechnicalStand", self.book.preparing).stop_limit())

    def repairs(self, car: Car) -> bool:
        """Return True if a stop could bring a lost point back [option.stop-technical]."""
        return bool(self.repairs_left(car)) and any(self.repairable(car, pool) for pool in REPAIRS)

    @override
    def leave(self, car: Car) -> Procedure[None]:
        """Offer, instead of the black die, up to two points back in one or two pools.

        The driver then leaves in his next turn [option.stop-technical].
        """
        kind = "quick"
        if self.repairs(car):
            kind = yield from ask(self.of_the_stop, car, lambda: self.stop_question(car))
        yield from self.long_stop(car) if kind == "long" else super().leave(car)

    @override
    def foretell_stop(self, there: Car) -> list[ForetoldTest] | None:
        """Return None if there is a point to bring back, for the driver chooses first.

        [option.stop-technical]
        """
        return None if self.repairs(there) else super().foretell_stop(there)


VARIANTS.add(
    Variant(
        "stop-technical",
        (TechnicalStand, TechnicalStop),
        family="option",
        only_in="formula-d",
        car_values=("stand",),
        counts=("technical_points",),
    )
)


def paired(teams: Sequence[str]) -> list[str]:
    """Return the team of each car as listed: those without one pair up, under letters [option.teams, ruling 24]."""
    free = (letter for letter in ascii_uppercase if letter not in teams for _ in range(PAIR))
    return [team or next(free) for team in teams]


class TeamEntry(Preparing[Car, FormulaDRace, FormulaDFigures]):
    """Teams of two, with a stand for both."""

    @override
    def enter(self) -> None:
        """Put two cars in a team; those of no team pair up as they are listed [option.teams, ruling 24]."""
        super().enter()
        cars = self.race.cars
        named = [car.team for car in cars if car.team]
        for team in named:
            if named.count(team) > PAIR:
                raise BadSetup("team_cars", size=PAIR, team=team, count=named.count(team))
        for car, team in zip(cars, paired([car.team for car in cars]), strict=True):
            car.team = team

    @override
    def build(self, car: Car) -> Procedure[None]:
        """Build the car of a team with what its mate's stand has left [option.teams, ruling 24]."""
        yield from super().build(car)
        if mate := next((mate for mate in self.team(car) if mate is not car and mate.wear), None):
            car.stand = mate.stand

    @override
    def form_up(self) -> None:
        """Say on the grid who races alone, where a team has one car [ruling 24]."""
        super().form_up()
        for car in self.grid_order():
            if len(self.team(car)) < PAIR:
                self.rule("reminder", "ruling 24", car, moment="alone")

    def team(self, car: Car) -> list[Car]:
        """Return the cars of a car's team, itself among them."""
        return [one for one in self.race.cars if one.team == car.team]

    @override
    def stand_limit(self, car: Car) -> int:
        """Return the points of both cars, which lie at one stand [option.teams, ruling 24]."""
        return super().stand_limit(car) * len(self.team(car))

    def share_stand(self, car: Car) -> None:
        """Give the other car of a team the stand of a car that has changed, and say so [option.teams, ruling 24]."""
        for mate in self.team(car):
            if change := car.stand - mate.stand:
                mate.stand = car.stand
                self.rule("stand", "option.teams", mate, counts={"stand": change}, stand=mate.stand, other=car.number)


class TeamStop(FormulaDPits):
    """A stand that two cars share."""

    book: FormulaD

    @override
    def repair(self, car: Car, repairs: Pools) -> None:
        """Take what one car has repaired from the stand of both [option.teams]."""
        super().repair(car, repairs)
        cast("TeamEntry", self.book.preparing).share_stand(car)


class TeamPosition(BoxPosition[Car, FormulaDRace, FormulaDFigures]):
    """The conditions of a position of a race of teams."""

    @override
    def points_faults(self, car: Car) -> Iterator[BadSetup]:
        """Yield the fault of a stand that two cars of a team do not share [option.teams]."""
        yield from super().points_faults(car)
        for mate in self.race.cars:
            if mate.team == car.team and mate.built and mate.stand < car.stand:
                yield (
                    BadSetup(
                        "shared_stand",
                        car=car.number,
                        other=mate.number,
                        team=car.team,
                        points=car.stand,
                        left=mate.stand,
                    )
                )

    @override
    def follow(self, before: FormulaDRace) -> None:
        """Set a stand that the referee's word has set for one car for its team [option.teams]."""
        changed = [new for old, new in zip(before.cars, self.race.cars, strict=True) if old.stand != new.stand]
        for car in changed:
            if not any(mate.team == car.team for mate in changed if mate is not car):
                cast("TeamEntry", self.book.preparing).share_stand(car)
        super().follow(before)


class TeamFinish(Finish[Car, FormulaDRace, FormulaDFigures]):
    """Points for teams."""

    @override
    def result(self) -> list[dict[str, Json]]:
        """Return the classification, with the points and the place of each car's team [option.teams, ruling 25].

        The points of two cars are those of their team, and most points win; of level teams the one whose car is placed
        best stands ahead.
        """
        rows = super().result()
        table: dict[str, tuple[int, list[int]]] = {}
        for row in rows:
            team = row["team"] = self.car(row["car"]).team
            points, places = table.get(team, (0, []))
            table[team] = points + row["points"], [*places, row["place"] or len(rows)]
        ranks = sorted((-points, places) for points, places in table.values())
        for row in rows:
            points, places = table[row["team"]]
            row |= {"team_points": points, "team_place": ranks.index((-points, places)) + 1}
        return rows

    @override
    def close(self) -> Procedure[None]:
        """Close the race, and settle the places of the teams [option.teams]."""
        yield from super().close()
        for one in teams_of(self.result()):
            cars = list(one.cars)
            self.rule("team", "option.teams", None, team=one.team, place=one.place, points=one.points, cars=cars)


PAIR = 2
"""The cars of a team."""
VARIANTS.add(Variant("teams", (TeamEntry, TeamStop, TeamPosition, TeamFinish), family="option", only_in="formula-d"))


class WeatherFirst(Preparing[Car, FormulaDRace, FormulaDFigures]):
    """The weather of the race, once the grid is known."""

    def check_weather(self) -> None:
        """Accept any weather: the sky is drawn, unless the setup says it [option.weather]."""

    @override
    def prepare(self) -> Procedure[None]:
        """Pole draws the weather on the circuit's chart; sun and rain stay for all of the race [option.weather]."""
        race = self.race
        if race.grid and not (race.sky and race.surface):
            pole = self.grid_order()[0]
            with suppress(QuestionWithdrawn):  # the referee has said what it is
                weather = self.book.weather
                yield from weather.surface_from_practice(pole) if race.sky else weather.draw_weather(pole)
        else:
            yield from super().prepare()


class LadderWeather(Weather[Car, FormulaDRace, FormulaDFigures]):
    """A changeable sky climbs and descends a ladder of four rungs."""

    @override
    def surface_from_practice(self, pole: Car) -> Procedure[None]:
        """Begin a changeable sky over a dry track [option.weather-change]."""
        self.race.surface = "dry"
        self.rule("surface", "option.weather-change", None, surface="dry")
        yield from ()

    @override
    def evolve(self, car: Car, face: Face, sky: Sky) -> None:
        """Move along the ladder: sun climbs a rung, rain goes one down; sun and rain, at its ends, are final.

        On a wet track collisions fail on 1 or 2, engines to 3 and handling to 5 [option.weather-change, option.rain,
        ruling 21].
        """
        race = self.race
        before = race.surface
        race.sky, race.surface = climbed(race.sky, wet=self.wet, drawn=sky)
        race.drawn, race.fixed = sky, race.sky != "changeable"
        fixed = race.fixed
        self.rule("weather", "option.weather-change", car, face=face, sky=race.sky, surface=race.surface, fixed=fixed)
        if race.surface != before:
            self.rule("surface", "option.rain", None, surface=race.surface)


class PlainTyres(Tyres[Car, FormulaDRace, FormulaDFigures]):
    """Tyres that are all alike, in the rain as well."""

    @override
    def slide(self, car: Car) -> int:
        """Return the spaces that a car slides: only where there are kinds of tyres to choose from.

        [option.rain]
        """
        return super().slide(car) if car.tyres else 0


WEATHER = VARIANTS.add(
    Variant(
        "weather",
        (WeatherFirst, LadderWeather, PlainTyres),
        family="option",
        only_in="formula-d",
        race_values=("sky", "surface"),
        counts=("collision_wet", "engine_wet", "handling_wet"),
    )
)


class ChosenTyres(Preparing[Car, FormulaDRace, FormulaDFigures]):
    """Every driver chooses the tyres with which he starts."""

    @override
    def without_tyres(self) -> Car | None:
        """Return the next driver to choose, pole first, once the weather is known [option.tyres]."""
        return next((car for car in self.grid_order() if not car.tyres), None)

    def check_tyres(self, car: Car) -> None:
        """Accept the kind of tyres that a setup names [option.tyres]."""


class KindsOfTyres(Tyres[Car, FormulaDRace, FormulaDFigures]):
    """The effects and costs of kinds of tyres."""

    @override
    def slides_anyway(self) -> bool:
        """Return True: a space in a corner is enough [option.tyres-hard, option.tyres-soft, option.tyres-rain].

        The one on which the move begins is one too [ruling 22].
        """
        return True

    @override
    def slide(self, car: Car) -> int:
        """Return how far a car slides on a wet track [option.tyres-hard, option.tyres-soft, option.tyres-rain].

        Three spaces, on rain tyres one; soft tyres slide on their first two laps [ruling 23].
        """
        worn = car.tyres in ("soft", "super_soft") and car.tyre_laps >= self.figures.soft_slide_laps
        return 0 if worn else super().slide(car)

    @override
    def soft_space(self, car: Car) -> bool:
        """Return False in a turn that leaves the box, or the lane behind it; else by the age of the set and the track.

        [option.stop-soft, option.tyres-soft]
        """
        left = self.move.begin.startswith(("pit:", "box:")) and not (car.in_pits and not car.stop)
        return not left and super().soft_space(car)


class TyreStop(FormulaDPits):
    """A stop for tyres of any kind."""

    @override
    def compounds(self) -> tuple[Compound, ...]:
        """Return the kinds, without rain tyres where there is no weather [option.tyres, option.weather]."""
        kinds = super().compounds()
        wet = getattr(self.figures, WEATHER.switch)
        return kinds if wet else tuple(kind for kind in kinds if kind != "rain")

    @override
    def pit_stop(self, car: Car) -> Procedure[None]:
        """Fit a new set, which may be of another kind [option.stop-tyres]."""
        self.rule("box", "pits.enter", car, box=car.box)
        self.fit(car, (yield from ask(self.of_the_stop, car, lambda: self.tyres_question(car, car.tyres))))
        yield from self.leave(car)

    @override
    def foretell_stop(self, there: Car) -> None:
        """Return None: the driver chooses his tyres first [option.stop-tyres]."""


VARIANTS.add(
    Variant(
        "tyres",
        (ChosenTyres, KindsOfTyres, TyreStop),
        family="option",
        only_in="formula-d",
        car_values=("tyres", "tyre_laps"),
        counts=(
            "slide_hard",
            "slide_soft",
            "slide_rain",
            "soft_laps",
            "soft_slide_laps",
            "factor_soft_dry",
            "factor_soft_wet",
            "factor_rain_dry",
            "factor_rain_wet",
        ),
    )
)
