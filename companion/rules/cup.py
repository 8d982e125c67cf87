"""The cup: three laps with pools whose penalties fall late, KERS and DRS, a pit grid, and turn one after the flag.

Its great idea: a pool at 0 is harmless until it must pay and cannot, and only then the penalty falls. `CupWear` has the
idea itself; what it brings stands in each chapter beside the rule that it changes: what may be staked, where a move is
cut short, who spins, how a spin ends.

The race and its figures come first, then the book with the chapters that it has otherwise than the family, then these
in the order of a race: preparing, the weather, the order, a turn from the gear to the pits, the end.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from typing import Annotated, ClassVar, Final, Literal

import msgspec
from msgspec import Meta
from msgspec.structs import replace

from companion.rules.circuit.leg import FAR, Landing, Leg, Over
from companion.rules.circuit.search import Search
from companion.rules.circuit.track import Zone
from companion.rules.circuit.zones import ZONES, length, sections, stretches, zones_of
from companion.rules.conversation.asking import Json, JsonValue, Option, Procedure, QuestionWithdrawn, Ruling, ask
from companion.rules.conversation.errors import BadAnswer, BadOverride, BadSetup
from companion.rules.conversation.faces import Face, divided
from companion.rules.conversation.figures import Score, WearPoints, figure, table
from companion.rules.conversation.forms import Choice, Form, whole
from companion.rules.conversation.kinds import POOLS, Ask, Compound, DiceCause, Kind, Pool, Pools, Sky, by_name
from companion.rules.conversation.overriding import override
from companion.rules.dice.chapter import DiceChapter
from companion.rules.dice.collisions import Blocking, Collisions
from companion.rules.dice.corners import Corners
from companion.rules.dice.figures import Factors, Figures
from companion.rules.dice.formula_de import FormulaDe
from companion.rules.dice.gears import Gears
from companion.rules.dice.moving import Landings, Moving
from companion.rules.dice.order import Finish, Order
from companion.rules.dice.outlook import Outlook
from companion.rules.dice.pits import REPAIRS, Pits
from companion.rules.dice.questions import BlackDie, Gear, TestDie
from companion.rules.dice.referee import Referee
from companion.rules.dice.setup import Position, Preparing, roll_off
from companion.rules.dice.sheet import Sheet
from companion.rules.dice.slipstream import Slipstream
from companion.rules.dice.state import Car, Move, RaceState
from companion.rules.dice.turn import Turn
from companion.rules.dice.tyres import Tyres
from companion.rules.dice.wear import FREE, Cost, ForetoldTest, Purse, Wear
from companion.rules.dice.weather import Weather

Service = Literal["", "full", "botched", "minimal", "advantage"]
"""Course of a pit stop: a full stop, or what the die made of a quick one."""


class CupCar(Car):
    """A car with its KERS, and what it has raced on.

    `kers` are the points in hand, `raced` the compounds that it has driven on in the race. `service` is the stop
    that it makes, `leaves` the round in whose pit phase it may leave the grid and `bonus` the repair points that it
    did not use. `waived` says that the race director does not ask a second compound of it.
    """

    held: ClassVar = ("kers", "bonus")
    stays: ClassVar = ("at", "gear", "lap", "stops", "status", "stop", "service")

    kers: int = 0
    raced: list[Compound] = msgspec.field(default_factory=list)
    service: Service = ""
    leaves: int = 0
    bonus: int = 0
    waived: bool = False

    @override
    def within(self, values: dict[str, Json]) -> dict[str, Json]:
        """Return the part of a correction that still matters: the car may have stopped since.

        Points for the way out matter as long as the car stands on the pit grid; the compounds that it has raced on go
        with the tyres that it is on, unless it is on new ones in the pits.
        """
        if self.status != "box":
            values.pop("bonus", None)
        if not self.in_pits and values.get("tyres", self.tyres) not in values.get("raced", [self.tyres]):
            values.pop("raced", None)
        return super().within(values)

    @override
    def besides(self, was: Car, would: Car) -> dict[str, Json]:
        """Return the compounds raced on, where a set is another compound than was said.

        The car has raced on the new one and not on the old; once the set is off the car, only where the new one has
        been raced on in any case [tyres.two-compounds, rulings 18, 39].
        """
        values = super().besides(was, would)
        said, before = was.tyres, was.raced if isinstance(was, CupCar) else []
        if said == would.tyres or said in before or said not in self.raced:
            return values
        raced = list(dict.fromkeys(would.tyres if one == said else one for one in self.raced))
        follows = self.tyres == said or would.tyres in self.raced
        return {**values, "raced": raced} if follows else values


class CupMove(Move):
    """A move of the cup.

    `strained` says that changing down has cost an engine point; `kers` are the points spent in it, `won` those that a
    completed lap has brought, noted where a test of its way may yet take the lap back. `towed_from` is the space on
    which the last DRS began, after `towed_after` spaces; before any the way is the die's.
    """

    strained: bool = False
    kers: int = 0
    won: int = 0
    towed_from: str = ""
    towed_after: int = 0


class CupRace(RaceState[CupCar]):
    """A cup race.

    `started` is the sky at the start, `wet_conditions` whether the marker is on its active side. `pitting` and
    `leaving` are the two columns of the pit grid, each from its top. `flagged` are the cars that have crossed the
    line at the end, in that order, whether or not they have cleared turn one. `grid` are the cars from pole once
    they have qualified, `faces` what they rolled in this phase, `settled` those that earlier phases put at the back.
    `zones` are the DRS zones that the table has named, each by its sections; empty where those of the circuit hold.
    """

    markers: ClassVar = ("wet_conditions",)
    weathers: ClassVar = (*RaceState.weathers, "started")
    stays: ClassVar = ("zones",)
    out_is_due: ClassVar = True

    started: Sky = ""
    wet_conditions: bool = False
    pitting: list[int] = msgspec.field(default_factory=list)
    leaving: list[int] = msgspec.field(default_factory=list)
    flagged: list[int] = msgspec.field(default_factory=list)
    grid: list[int] = msgspec.field(default_factory=list)
    faces: dict[str, list[int]] = msgspec.field(default_factory=dict)
    zones: list[list[int]] = msgspec.field(default_factory=list)
    settled: list[int] = msgspec.field(default_factory=list)
    heat: int = 1
    move: CupMove | None = None

    @override
    def owes_compound(self, car: CupCar) -> bool:
        """Return True if a car has raced on one compound only, and is not let off.

        Wet weather conditions or the race director let it off [tyres.two-compounds, weather.wet-conditions, rulings 18,
        19].
        """
        return not self.wet_conditions and not car.waived and len(set(car.raced)) < 2


Outcome = Literal["dry", "wet", "clouds", "stays"]
"""Outcome of a weather check: the sun dries the track, rain wets it, clouds leave it as it is for now, or nothing."""
OUTCOME_INDEX: Final = {"sun": 0, "changeable": 1, "rain": 2}
"""Index of a drawn sky's outcome in a table of weather checks."""
Column = tuple[WearPoints, WearPoints, WearPoints, WearPoints, WearPoints, WearPoints]
"""Column of the scorecard: a figure for each pool."""
Price = Annotated[int, Meta(ge=1, le=9)]
Prices = tuple[Price, Price, Price, Price, Price, Price]
"""Column of prices: nothing is free."""


class CupFigures(Figures, frozen=True):
    """The figures and switches of the cup."""

    without: ClassVar = frozenset(
        {
            "car_points", "stand_points", "pool_minimum", "aggravated_dry", "aggravated_wet", "quick_to",
            "flag_next_crossing", "restart_stall_aggravated", "no_slipstream_into_pits",
        }
    )  # fmt: skip

    collision_dry: Annotated[int, figure("collision.range", 0, 20)] = 1
    collision_wet: Annotated[int, figure("collision.range", 0, 20)] = 2
    handling_wet: Annotated[int, figure("handling.test", 0, 20)] = 6
    corner_brake: Annotated[int, figure("ruling 24", 0, 3, proposed=True)] = 1
    leave_gear: Annotated[int, figure("pit.exit", 1, 6, proposed=True)] = 4
    slide_hard: Annotated[int, figure("tyres.wet", 0, 9, proposed=True)] = 3
    slide_soft: Annotated[int, figure("tyres.wet", 0, 9, proposed=True)] = 3
    slide_rain: Annotated[int, figure("tyres.wet", 0, 9, proposed=True)] = 1
    factor_hard_dry: Annotated[Factors, table("tyres.dry", proposed=True, also=["tyres.empty"])] = (1, 1, 1)
    factor_hard_wet: Annotated[Factors, table("tyres.wet", proposed=True)] = (1, 1, 1)
    factor_soft_dry: Annotated[Factors, table("tyres.dry", proposed=True)] = (2, 2, 3)
    factor_soft_wet: Annotated[Factors, table("tyres.wet", proposed=True)] = (2, 2, 3)
    factor_rain_dry: Annotated[Factors, table("tyres.dry", proposed=True)] = (2, 2, 3)
    factor_rain_wet: Annotated[Factors, table("tyres.wet", proposed=True)] = (1, 1, 1)
    points: Annotated[tuple[Score, ...], table("finish.order", proposed=True)] = (10, 8, 6, 5, 4, 3, 2, 1)

    base: Annotated[Column, table("wear.pools", proposed=True)] = (6, 3, 3, 3, 3, 2)
    cost: Annotated[Prices, table("wear.construction", proposed=True)] = (1, 1, 1, 1, 1, 1)
    pit: Annotated[Prices, table("pit.full", proposed=True)] = (1, 1, 1, 1, 2, 1)
    team_points: Annotated[int, figure("wear.construction", 0, 40)] = 4
    repair_points: Annotated[int, figure("pit.full", 0, 20)] = 3
    bonus_spaces: Annotated[int, figure("pit.exit", 0, 6, proposed=True)] = 1
    botched_to: Annotated[int, figure("pit.quick", 0, 20, proposed=True, also=["pit.phase"])] = 5
    minimal_to: Annotated[int, figure("pit.quick", 0, 20, proposed=True)] = 15
    kers_lap: Annotated[int, figure("kers.points", 0, 9)] = 2
    kers_most: Annotated[int, figure("kers.points", 0, 9)] = 2
    checks_dry: Annotated[
        tuple[Outcome, Outcome, Outcome],
        table("weather.by-start", proposed=True, also=["weather.initial", "weather.wet-conditions"]),
    ] = (
        "dry",
        "stays",
        "clouds",
    )
    checks_changeable: Annotated[tuple[Outcome, Outcome, Outcome], table("weather.by-start", proposed=True)] = (
        "dry",
        "stays",
        "wet",
    )
    checks_wet: Annotated[tuple[Outcome, Outcome, Outcome], table("weather.by-start", proposed=True)] = (
        "clouds",
        "stays",
        "wet",
    )
    grid_by_die: Annotated[bool, table("ruling 36", proposed=True)] = False
    grid_in_phases: Annotated[bool, table("ruling 32", proposed=True, also=["quali.phases"])] = False
    missed_stops_spin: Annotated[bool, table("ruling 4", proposed=True)] = False
    long_blocks_cost_tyres: Annotated[bool, table("ruling 8", proposed=True)] = False
    table_names_zones: Annotated[bool, table("ruling 44", proposed=True)] = False
    drs_in_wet_conditions: Annotated[bool, table("ruling 24", proposed=True)] = False
    pits_are_a_way_round: Annotated[bool, table("ruling 40", proposed=True)] = False
    no_stop_standing_still: Annotated[bool, table("ruling 41", proposed=True)] = False
    soft_space_not_over_line: Annotated[bool, table("ruling 42", proposed=True)] = False

    def check(self) -> None:
        super().check()
        if self.minimal_to < self.botched_to:
            raise BadSetup("quick_stop_bands", a=self.botched_to, b=self.minimal_to)


class Cup(FormulaDe[CupCar, CupRace, CupFigures]):
    """The rulebook of the three-lap cup."""

    order: CupOrder
    gears: CupGears
    tyres: CupTyres
    landings: CupLandings
    moving: CupMoving
    slipstream: CupSlipstream
    corners: CupCorners
    blocking: CupBlocking
    wear: CupWear
    collisions: CupCollisions
    pits: CupPits
    weather: CupWeather
    sheet: CupSheet
    preparing: CupPreparing
    position: CupPosition
    referee: CupReferee
    turn: CupTurn
    outlook: CupOutlook
    finish: CupFinish
    kers: Kers

    name = "cup"
    VERSION: ClassVar[str] = "cup 8"
    laps = 3
    walled = False
    race_type = CupRace
    figures_type = CupFigures
    reminders: ClassVar = {"setup": ("prep.sheet",)}
    word = "ruling 39"
    car_values: tuple[str, ...] = (
        "wear", "gear", "at", "lap", "stops", "tyres", "tyre_laps", "status", "kers", "raced", "waived",
    )  # fmt: skip
    car_details: ClassVar = (*FormulaDe.car_details, "bonus")
    race_details: ClassVar = (*FormulaDe.race_details, "started")
    car_ranges: ClassVar = {**FormulaDe.car_ranges, "kers": (0, 9), "leaves": (0, 100_000), "bonus": (0, 99)}
    race_values: tuple[str, ...] = ("sky", "surface", "order", "dangers", "wet_conditions")

    @property
    def move(self) -> CupMove:
        """The turn being played."""
        move = self.race.move
        assert move is not None, "no turn is being played"
        return move

    def _set_values(self, change: dict[str, Json]) -> None:
        """Set values on the referee's word, and close the gaps in the columns of the grid.

        [pit.close-up, ruling 38]
        """
        super()._set_values(change)
        self.pits.tidy()

    # -- its articles for what the family rules

    cites: ClassVar = {
        "0-0-1": "race.laps",
        "0-0-2": "order.position",
        "2": "start.first-gear",
        "3": "weather.check",
        "5": "wear.pools",
        "6": "gears.announce",
        "6-1": "gears.up-one",
        "6-1-2": "gears.skip-down",
        "6-2": "order.position",
        "6-2-1": "drive.lanes",
        "6-2-3": "order.level-gear",
        "6-2-6": "gears.announce",
        "7": "drive.lanes",
        "7-1": "corner.stops",
        "7-1-2": "corner.paths",
        "7-1-4": "corner.exit",
        "7-2": "straight.two-lanes",
        "7-2-2": "corner.stops",
        "7-2-5": "straight.zigzag-pass",
        "8-0-1": "tyres.two-compounds",
        "8-1": "tyres.dry",
        "8-1-2": "tyres.wet",
        "8-2": "tyres.dry",
        "8-2-2": "tyres.wet",
        "8-3": "tyres.dry",
        "8-3-2": "tyres.wet",
        "9": "start.roll",
        "9-3": "start.first-gear",
        "10": "overshoot.loss",
        "10-2": "overshoot.lane",
        "10-4": "overshoot.spin",
        "11": "brake.any-time",
        "12": "blocked.table",
        "13": "geardown.table",
        "13-2": "geardown.no-four",
        "14": "collision.risk",
        "14-4": "collision.order",
        "16": "engine.trigger",
        "16-0-2": "engine.range",
        "16-0-3-1": "ruling 10",
        "17": "handling.test",
        "17-0-1": "handling.marker",
        "18": "drs.move",
        "18-0-1": "drs.conditions",
        "18-1-4": "ruling 24",
        "19": "pit.suspended",
        "19-2-3": "pit.entry",
        "19-2-6": "pit.declare",
        "21": "finish.order",
        "ruling 104": "ruling 46",
        "ruling 105": "ruling 47",
    }


HEATS = 3
"""Number of phases of qualifying in phases [quali.phases]."""


class CupPreparing(Preparing[CupCar, CupRace, CupFigures]):
    """Preparation of a cup race: the grid by the die, the cars of a team, and the compounds to be raced on."""

    book: Cup

    @override
    def prepare(self) -> Procedure[None]:
        """Prepare DRS zones where the table names them, then the grid, the weather, the cars and their tyres.

        [drs.zones, quali.die, quali.phases, weather.initial, prep.sheet]
        """
        figures = self.figures
        if self.names_zones():
            yield from self.name_zone()
        elif (figures.grid_by_die or figures.grid_in_phases) and not self.race.grid:
            yield from self.qualify()
        else:
            yield from super().prepare()

    # -- DRS zones

    def names_zones(self) -> bool:
        """Return True if the table still has to name a zone [drs.zones, ruling 44].

        It does where the circuit's file has fewer than two, or by the switch.
        """
        race, track = self.race, self.track
        asked = self.figures.table_names_zones or bool(race.zones) or len(track.zones) < ZONES
        return asked and len(race.zones) < ZONES and self.zone_question() is not None

    def zone_question(self) -> Choice[list[int]] | None:
        """Ask which stretch between corners is the next zone [drs.zones, ruling 44].

        Those of the file come first, then the longest.
        """
        track = self.track
        printed = frozenset(space for zone in track.zones for space in zone.spaces)
        named = {section for zone in self.race.zones for section in zone}
        choices: list[tuple[Option, list[int]]] = []
        for zone in (*track.zones, *(one for one in stretches(track) if not one.spaces & printed)):
            lie = sections(track, zone)
            if not named.intersection(lie):
                choices.append((Option(lie[0], facts={"name": zone.name, "spaces": length(track, zone)}), lie))
        if not choices:
            return None
        what = f"zone_{len(self.race.zones) + 1}"
        return Choice("zone", None, "drs.zones", choices, what=what)

    def name_zone(self) -> Procedure[None]:
        """Ask the table to name a DRS zone by the stretch that it lies on [drs.zones, ruling 44]."""
        zone = yield from ask(self.zone_question)
        self.race.zones.append(zone)

    @override
    def form_up(self) -> None:
        """Begin the race, and show the DRS zones that the board does not have [drs.zones, ruling 44]."""
        super().form_up()
        proposed = any(zone.proposed for zone in self.book.slipstream.zones)
        if proposed or self.race.zones:
            names = [zone.name for zone in self.book.slipstream.zones]
            self.rule("zones", "drs.zones" if not proposed else "ruling 44", None, zones=names, proposed=proposed)

    @override
    def form_up_again(self, cars: Sequence[CupCar]) -> None:
        """End a stop that was being made; the car drives on the set that it brought [ruling 47]."""
        super().form_up_again(cars)
        for car in cars:
            car.service, car.leaves, car.bonus = "", 0, 0
            if car.raced and car.tyres not in car.raced:
                car.raced.append(car.tyres)

    # -- qualifying

    @override
    def without_box(self) -> CupCar | None:
        """Nobody has a box of his own: the pit grid takes every car [ruling 26]."""
        return None

    @override
    def grid_order(self) -> list[CupCar]:
        """Return the cars from pole: as they have qualified, else as the setup lists them.

        [quali.die, ruling 36]
        """
        return [self.car(number) for number in self.race.grid] or self.race.cars

    def way_to_qualify(self) -> str:
        """Return the article by which the cars qualify: the die alone, or in phases.

        [quali.die, quali.phases]
        """
        return "quali.phases" if self.figures.grid_in_phases else "quali.die"

    def quali_die(self, number: int, level: Mapping[str, Json]) -> BlackDie:
        """Return the black die of qualifying [quali.die, quali.phases]."""
        return BlackDie(number, self.way_to_qualify(), "grid", {"heat": self.race.heat, **level})

    def qualify(self) -> Procedure[None]:
        """Roll once for each car, and again for those that are level; the highest has pole.

        [quali.die, quali.ties]
        """
        race = self.race
        cars = [car.number for car in race.cars if car.number not in race.settled]
        order = yield from roll_off(cars, race.faces, self.quali_die)
        if order:
            self.end_heat(order)

    def end_heat(self, order: list[int]) -> None:
        """End a phase of qualifying; by the die one phase settles it all.

        In phases the lowest third of the field takes the back of the grid, the next third the places before it, and the
        last phase decides the front [quali.die, quali.phases, ruling 32].
        """
        race = self.race
        third = len(race.cars) // HEATS
        last = not self.figures.grid_in_phases or race.heat == HEATS or not third
        stay = 0 if last else len(order) - third
        race.settled = [*order[stay:], *race.settled]
        race.faces = {}
        if last:
            race.grid, race.settled = race.settled, []
            self.rule("grid_rolled", self.way_to_qualify(), None, order=list(race.grid))
        else:
            self.rule("grid_rolled", self.way_to_qualify(), None, order=list(order[stay:]), heat=race.heat)
            race.heat += 1

    # -- construction

    @override
    def usual_build(self) -> Pools:
        """Return the points of the base column [wear.pools]."""
        return dict(zip(POOLS, self.figures.base, strict=True))

    def build_cost(self, points: Mapping[Pool, int]) -> int:
        """Return the cost of a car's points beyond the base by the cost column [wear.construction]."""
        base, cost = self.figures.base, self.figures.cost
        return sum((points[pool] - base[i]) * cost[i] for i, pool in enumerate(POOLS))

    def budget(self, car: CupCar) -> int:
        """Return the points that a team still has for this car [wear.construction, ruling 31].

        A team has four for two cars, split at will; a car alone has two.
        """
        mates = [one for one in self.race.cars if one.number == car.number or (car.team and one.team == car.team)]
        spent = sum(self.build_cost(mate.built) for mate in mates if mate.number != car.number and mate.built)
        return self.figures.team_points * len(mates) // 2 - spent

    @override
    def build(self, car: CupCar) -> Procedure[None]:
        """Build a car of the base column and its share of the team's points.

        [wear.pools, wear.construction]
        """
        points, _ = yield from ask(self.build_question, car)
        car.wear, car.built = dict(points), dict(points)
        self.rule(
            "build", "wear.construction", car, built=dict(points), left=self.budget(car) - self.build_cost(points)
        )

    @override
    def build_question(self, car: CupCar) -> Form[tuple[Pools, int]]:
        """Ask how many points of the team the car takes, and in which pools.

        [wear.construction, ruling 31]
        """
        left, figures = self.budget(car), self.figures
        base = self.usual_build()
        offered: list[Option] = []
        for share in (0, left // 2, left):
            for part in ("tyres", "brakes", "body"):
                extra = share // figures.cost[POOLS.index(part)]
                answer = {**base, part: base[part] + extra}
                if all(option.answer != answer for option in offered):
                    offered.append(Option(answer))
        fields: dict[str, Json] = {
            pool: [base[pool], base[pool] + left // price] for pool, price in zip(POOLS, figures.cost, strict=True)
        }
        fields |= {"team": left, "cost": dict(zip(POOLS, figures.cost, strict=True))}

        def read(answer: JsonValue) -> tuple[Pools, int]:
            return self.read_car(car, answer), 0

        return Form("setup", car.number, "wear.construction", fields, read, offered)

    def read_car(self, car: CupCar, answer: JsonValue) -> Pools:
        """Check a car: no part below its base, no more points than the team has left; raise BadAnswer.

        [wear.pools, wear.construction]
        """
        if not isinstance(answer, dict) or set(answer) != set(POOLS):
            raise BadAnswer("build_pools", pools=", ".join(POOLS))
        points = {pool: whole(answer[pool]) for pool in POOLS}
        for pool, least in self.usual_build().items():
            if points[pool] < least:
                raise BadAnswer("base_column", pool=pool, least=least, points=points[pool])
        cost, left = self.build_cost(points), self.budget(car)
        if cost > left:
            raise BadAnswer("team_points_left", car=car.number, left=left, all=self.team_points(car), cost=cost)
        return points

    def team_points(self, car: CupCar) -> int:
        """All points of a car's team [wear.construction, ruling 31]."""
        mates = sum(one is car or bool(car.team and one.team == car.team) for one in self.race.cars)
        return self.figures.team_points * mates // 2

    @override
    def take_build(self, car: CupCar, raw: Mapping[str, Json]) -> None:
        """Take a car that the setup brings built; raise BadSetup if its team could not build it.

        [wear.construction]
        """
        try:
            points = self.read_car(car, by_name(car.wear))
        except BadAnswer as wrong:
            raise BadSetup("car_fault", car=car.number, wrong=wrong) from None
        car.wear, car.built = dict(points), dict(points)

    @override
    def complete(self, car: CupCar) -> None:
        """Complete a car of a position as one built with at least its base column.

        A stop then gives it all of that back [wear.pools, pit.entry, pit.full].
        """
        said = dict(car.built)
        super().complete(car)
        base = self.usual_build()
        car.built = {pool: said.get(pool, max(points, base[pool])) for pool, points in car.wear.items()}

    # -- a setup

    @override
    def check(self, setup: Mapping[str, Json]) -> None:
        """Check KERS, compounds, DRS zones and the pit grid of a setup, and flag cars past the flag.

        Cars at home or past the flag are flagged even if the setup does not say so [kers.points, tyres.two-compounds,
        drs.zones, pit.rows, finish.order].
        """
        race = self.race
        for car in race.cars:
            if car.status in ("coasting", "wreck"):
                raise BadSetup("status_in_cup", car=car.number, status=car.status)
            self.book.tyres.claim(car, list(car.raced))
        self.check_zones()
        home = (car.number for car in race.cars if car.status == "finished")
        past = (car.number for car in self.book.finish.unflagged())
        race.flagged = list(dict.fromkeys([*race.flagged, *race.home, *home, *past]))
        parked = [car.number for car in race.cars if car.standing and (car.at or "").startswith("box:")]
        race.leaving += [number for number in parked if number not in (*race.leaving, *race.pitting)]

    def check_zones(self) -> None:
        """Refuse zones of a setup that are no sections of the circuit, or share one [drs.zones]."""
        zones, count = self.race.zones, len(self.track.sections)
        listed = [section for zone in zones for section in zone]
        if not all(zones) or len(zones) > ZONES or len(set(listed)) < len(listed):
            raise BadSetup("drs_zones", most=ZONES, zones=zones)
        if wrong := [section for section in listed if not 0 <= section < count]:
            raise BadSetup("drs_zone_section", track=self.track.name, count=count, section=wrong[0])


class CupWeather(Weather[CupCar, CupRace, CupFigures]):
    """The cup's weather: what it started as decides what a check brings, and the marker of wet weather conditions."""

    book: Cup

    @override
    def weather_die(self, car: CupCar) -> TestDie | None:
        """Return the black die read on the circuit's chart [weather.initial, weather.check]."""
        if (die := super().weather_die(car)) is not None:
            die.article = "weather.check" if self.race.phase == "race" else "weather.initial"
        return die

    @override
    def draw_weather(self, pole: CupCar) -> Procedure[None]:
        """Roll the black die for the weather before the tyres are chosen [weather.initial].

        The race starts dry, wet, or changeable over a dry track.
        """
        face = yield from ask(self.weather_die, pole)
        self.race.sky = self.track.weather.sky(face)
        self.given_sky()
        self.rule(
            "weather", "weather.initial", pole, face=face, sky=self.race.sky, surface=self.race.surface, fixed=False
        )
        if self.race.wet_conditions:
            self.rule("wet_conditions", "weather.wet-conditions", None, way="start")

    @override
    def given_sky(self) -> None:
        """Wet the track for a sky at the start that rains; the marker is then active.

        [weather.initial, weather.wet-conditions]
        """
        race = self.race
        race.started = race.started or race.sky
        race.surface = race.surface or ("wet" if race.sky == "rain" else "dry")
        race.wet_conditions = race.wet_conditions or race.started == "rain"

    @override
    def sky_by_word(self) -> None:
        """Take the weather that the race director says before the start as the one at the start.

        [weather.initial, weather.wet-conditions, weather.by-start]
        """
        race = self.race
        race.wet_conditions, race.started = race.wet_conditions and race.started != "rain", ""
        before = race.wet_conditions
        super().sky_by_word()
        if race.wet_conditions and not before:
            self.rule("wet_conditions", "weather.wet-conditions", None, way="start")

    @override
    def weather_is_due(self, car: CupCar) -> Procedure[None]:
        """Note a check for a 20 in 5th, a 30 in 6th, or an elimination [weather.check, ruling 15]."""
        self.falls_due(car)
        yield from ()

    @override
    def may_change(self) -> bool:
        """Return True once there is a sky: a check may bring another, whatever it is [weather.check]."""
        return bool(self.race.sky)

    def checks(self) -> tuple[Outcome, Outcome, Outcome]:
        """Return the outcomes of the checks of this race, by the weather at its start [weather.by-start]."""
        figures = self.figures
        checks = {"sun": figures.checks_dry, "changeable": figures.checks_changeable, "rain": figures.checks_wet}
        return checks[self.race.started or "sun"]

    @override
    def may_turn_wet(self) -> bool:
        """Only where a check can bring rain, at once or after the clouds that it brings first [weather.by-start]."""
        checks = self.checks()
        return super().may_turn_wet() and ("wet" in checks or checks[OUTCOME_INDEX["rain"]] == "clouds")

    @override
    def foretell(self, there: CupCar, landing: Landing, cost: Cost) -> list[ForetoldTest]:
        """Return the checks that are due when the turn ends, while any car still races.

        There is one more for a car that the move itself puts out.
        """
        race, finish = self.race, self.book.finish
        due = [*race.due, *([there.number] if cost.out and there.number not in race.home else [])]
        races_on = there.alive and not finish.is_over(there, landing, cost)
        if not (races_on or any(car.alive for car in race.cars if car.number != there.number)):
            return []
        bands, _ = self._chart()
        return [ForetoldTest("weather", number, 0, tuple(bands)) for number in due]

    @override
    def draw_again(self) -> Procedure[None]:
        """One check for each event, as long as anybody races [weather.check, rulings 15, 16]."""
        if not any(car.alive for car in self.race.cars):
            self.race.due.clear()
        yield from super().draw_again()

    @override
    def evolve(self, car: CupCar, face: Face, sky: Sky) -> None:
        """Change the weather by a check, whose outcome depends on the weather at the start.

        Clouds over a wet track dry it at the next result that is not rain; where rain brings clouds over a dry one
        first, the next rain wets it [weather.by-start, ruling 45].
        """
        race, checks = self.race, self.checks()
        outcome = checks[OUTCOME_INDEX[sky]]
        before, clouded = race.surface, race.sky == "changeable" and "clouds" in checks
        if clouded and before == "wet" and outcome != "wet" and sky != "rain":
            race.sky, race.surface = sky, "dry"
        elif outcome == "wet" or (outcome == "clouds" and sky == "rain" and (clouded or before == "wet")):
            race.sky, race.surface = "rain", "wet"
        elif outcome == "dry":
            race.sky, race.surface = "sun", "dry"
        elif outcome == "clouds":
            race.sky = "changeable"
        self.rule("weather", "weather.by-start", car, face=face, sky=race.sky, surface=race.surface, fixed=False)
        if race.surface != before:
            self.rule("surface", "weather.by-start", None, surface=race.surface)
        if race.surface == "wet" and before == "dry":
            self.activate("check")

    def activate(self, way: str) -> None:
        """Turn the marker to its active side, where it stays [weather.wet-conditions, ruling 17].

        That happens when the race starts wet, when a check makes the track wet, or by the race director's word.
        """
        if not self.race.wet_conditions:
            self.race.wet_conditions = True
            self.rule("wet_conditions", "weather.wet-conditions", None, way=way)


class CupOrder(Order[CupCar, CupRace, CupFigures]):
    """The order of the cup: the order of the road, with the phase of the pits after the track."""

    book: Cup

    @override
    def standing(self, car: CupCar) -> int:
        """Return how far a car has come on the road, in the pits as well [order.position, ruling 1]."""
        return self.progress(car)

    @override
    def waiting(self) -> list[CupCar]:
        """Return the cars still to play; on the grid only those that may leave it in this round.

        They stood in Pit Lane Exit when the round began, or have come there by a full advantage [pit.phase, ruling 27].
        """
        race = self.race
        now = race.round + (race.sweep is None)
        held = {*race.pitting, *(number for number in race.leaving if self.car(number).leaves > now)}
        return [car for car in super().waiting() if car.number not in held]

    @override
    def turn_order(self, car: CupCar) -> tuple[int, tuple[int, ...]]:
        """Return the rank of a car: those on the track, then those in the lane, then Pit Lane Exit.

        In the lane the one nearest to the track is first; a car that is just driving onto the grid comes last
        [pit.phase, pit.lane-next, order.position, ruling 27].
        """
        if car.status == "box":
            leaving = self.race.leaving
            return 2, (leaving.index(car.number) if car.number in leaving else len(leaving),)
        return int(car.status == "pit"), (-self.standing(car), *self.level_order(car))

    @override
    def told_to_lead(self, first: CupCar) -> CupCar:
        """Return the car that leads a round: the first in the race, in the pits too.

        Another car on the track may begin the round. Past the flag the leader is the car that crossed the line first
        [order.position, pit.phase, finish.order].
        """
        running = map(self.car, self.running_order())
        return next((car for car in running if car.alive), first)

    @override
    def next_to_play(self) -> CupCar | None:
        """Return the next car to play; the leader may be in the pits when a round begins.

        [pit.phase]
        """
        if self.race.sweep is not None:
            return super().next_to_play()
        return min(self.waiting(), key=self.turn_order, default=None)

    @override
    def has_played(self, car: CupCar, before: int, rank: tuple[int, ...]) -> None:
        """Note that a car has played; a full advantage lets it leave in the round in which it came.

        [pit.quick, ruling 27]
        """
        super().has_played(car, before, rank)
        race = self.race
        if car.status == "box" and car.stop != "left" and car.number in race.leaving and car.leaves <= race.round:
            race.played.remove(car.number)

    @override
    def end_of_round(self) -> Procedure[None]:
        """End the pit phase, also of a round in which nobody could play [pit.phase]."""
        leader = self.leader()
        if self.race.sweep is None and leader is not None:
            self.begin_round(leader)
        self.book.pits.columns_move()
        yield from super().end_of_round()

    @override
    def level_order(self, car: CupCar) -> tuple[int, ...]:
        """Return the rank of a car among level ones: the higher gear, then the inside of the corner.

        A stalled car comes after the others, and the moment of arrival does not matter [order.level-gear,
        order.level-inside, ruling 2].
        """
        return (car.status == "stalled", -car.gear, self.from_inside(car))

    @override
    def running_order(self) -> list[int]:
        """Those past the flag as they crossed it, then the others [finish.order]."""
        race = self.race
        flagged = [number for number in race.flagged if number not in race.gone]
        return [*flagged, *(number for number in super().running_order() if number not in flagged)]


class CupTurn(Turn[CupCar, CupRace, CupFigures]):
    """A turn of the cup: out of a spin without a die, and what is due when it ends."""

    book: Cup

    @override
    def settle(self, car: CupCar) -> Procedure[None]:
        """Charge the move, and mark its end if changing down has strained the engine [handling.marker]."""
        yield from super().settle(car)
        if self.book.move.strained and car.alive:
            self.book.wear.mark(car.at, "handling.marker", car)

    @override
    def drives_engines(self, car: CupCar, face: int) -> None:
        """Test the engines, but not in the pits; the weather is checked all the same.

        [pit.suspended, engine.trigger, weather.check]
        """
        if not self.book.pits.from_pits():
            super().drives_engines(car, face)

    @override
    def play(self, car: CupCar) -> Procedure[None]:
        """Play a turn; a car that has spun turns round and drives off in 1st, without a die for it.

        [overshoot.spin, ruling 7]
        """
        if car.status == "spun":
            self.book.starts.turn_round(car)
            car.status, car.turned = "racing", False
            car.gear = self.move.gear = 1
            self.rule("restart", "overshoot.spin", car, gear=1)
            yield from self.drive(car)
        else:
            yield from super().play(car)

    @override
    def new_move(self, car: CupCar) -> CupMove:
        """Return the turn of a car as it begins [order.position]."""
        ahead = self.book.sheet.stood_ahead(car)
        return CupMove(car=car.number, begin=car.at or "", lap=car.lap, made=car.stops, stood_ahead=ahead)

    @override
    def end_of_turn(self, car: CupCar) -> Procedure[None]:
        """End a turn: past the flag a car races on until it has left turn one, with all its points.

        A car that has left the grid leaves no gap, and the checks that are due come after the tests of the turn
        [finish.turn-one, finish.order, pit.close-up, weather.check, rulings 15, 34, 35].
        """
        finish, move = self.book.finish, self.move
        if car.alive and car.at is not None:
            ends = finish.turn_ends(
                car,
                car.at,
                flagged=car.number in self.race.flagged,
                spun=car.status == "spun",
                overs=move.overs,
                blocked=move.blocked,
            )
            self.book.wear.befall(car, ends)
        if finish.cleared(car):
            finish.finish(car)
        before = self.book.pits.rows()
        self.book.pits.tidy()
        self.book.pits.close_up(before)
        yield from self.book.weather.draw_again()


class CupGears(Gears[CupCar, CupRace, CupFigures]):
    """The cup's gears: a pool that is missing bars what it would have to pay, but for the engine."""

    book: Cup

    @override
    def article_of_free_gear(self, car: CupCar, before: int, gear: int) -> str:
        """Cite what is said of changing down for a gear down [gears.up-one, gears.skip-down]."""
        return "6-1-2" if gear < before else super().article_of_free_gear(car, before, gear)

    @override
    def can_pay(self, car: CupCar, cost: Pools) -> bool:
        """Return True unless gearbox or brakes cannot pay a skip, which is then not open to the car.

        Without gearbox points it goes down one gear at a time, without brakes it does not brake in any form. An engine
        point that is missing may be staked, and ends the race [geardown.penalty, brake.penalty, ruling 10].
        """
        return all(self.book.wear.points_left(car, part) >= points for part, points in cost.items() if part != "engine")

    @override
    def strained(self, car: CupCar) -> None:
        """Note that changing down has cost an engine point: the end of the move is marked.

        [handling.marker, geardown.table]
        """
        self.book.move.strained = True

    @override
    def choose_gear(self, car: CupCar) -> Procedure[None]:
        """In the lane the gear is free as on the way out of the grid [pit.suspended, pit.lane-next, ruling 28]."""
        if car.status == "pit":
            yield from self.book.pits.leave_box(car)
        else:
            yield from super().choose_gear(car)


class Kers(DiceChapter[CupCar, CupRace, CupFigures]):
    """The energy of a lap (KERS): two points for each, a space for each point."""

    book: Cup

    def may_spend(self, car: CupCar) -> bool:
        """Return True if a car may spend KERS: in its own turn on the track after the die.

        It may not after braking, being blocked or a spin, when a corner has put it out, or on the way out of the pits
        [kers.spend, overshoot.limit, rulings 4, 21, 28].
        """
        move = self.move
        if car.kers < 1 or car.status != "racing" or move.braked or move.blocked or self.book.pits.from_pits():
            return False
        if not move.overs:
            return True
        cost = self.book.corners.overshoot_cost(car, move.overs, self.book.wear.purse(car))
        return not (cost.spin or cost.out)

    def kers(self, car: CupCar) -> Procedure[bool]:
        """One KERS point spent for one space more; whether it was [kers.spend]."""
        try:
            landing = yield from ask(self.kers_question, car)
        except QuestionWithdrawn:
            return False
        if landing is None:
            return False
        self.spend(car)
        self.book.moving.take(car, landing)
        return True

    def spend(self, car: CupCar) -> None:
        """Cross off a KERS point [kers.spend]."""
        car.kers -= 1
        self.book.move.kers += 1
        self.rule("kers", "kers.spend", car, counts={"kers": -1}, points=-1, left=car.kers)

    def kers_question(self, car: CupCar) -> Choice[Landing | None] | None:
        """Ask whether to spend a KERS point and on which space; on a corner sheet only whether.

        [kers.spend, ruling 21]
        """
        if not self.may_spend(car):
            return None
        choices: list[tuple[Option, Landing | None]] = [(Option(None, facts={"kers": car.kers}), None)]
        if self.track.known == "corner":
            choices.append((Option(True), Landing(0, 1)))
        else:
            choices += self.book.landings.choices(car, self.kers_landings(car))
        if len(choices) == 1:
            return None
        question = Choice(
            "kers",
            car.number,
            "kers.spend",
            choices,
            what=f"kers_{self.book.move.kers + 1}",
            broad=self.any_landing,
        )
        question.fields = {"kers": car.kers}
        return question

    def any_landing(self, answer: JsonValue) -> Landing:
        """Return a KERS space by the referee's word; a corner sheet has none to name."""
        return Landing(0, 1) if self.track.known == "corner" else self.book.landings.forced_landing(answer)

    def kers_landings(self, car: CupCar) -> list[Landing]:
        """Return the spaces on which the point may be spent, by all rules.

        It blocks nobody, and what it slides on may be braked but not the space itself. It is one space more on the same
        way, the die's or that of DRS, which stays one legal way as a whole. Once out of a corner that it has overshot
        the car keeps its lane, and each space is overshot too [kers.spend, straight.two-lanes, straight.zigzag-pass,
        overshoot.lane, ruling 21].
        """
        if not self.move.overs:
            found = self.book.landings.landings(car, self.book.landings.leg(car, 1, soft=False, least=1))
            return [one for one in found if not one.blocked and self.same_way(car, one)]
        track = self.track
        here = track.ids[car.at or ""]
        ahead = track.ahead[here]
        if ahead < 0 or any(other.at == track.spaces[ahead].name for other in self.others(car)):
            return []
        overs = [replace(over, spaces=over.spaces + 1) for over in self.move.overs]
        if (left := track.corner[here]) >= 0 and track.corner[ahead] != left:
            overs.append(Over(left, 1, track.corners[left].stops))
        tests = (ahead,) if track.spaces[ahead].name in self.book.tests.danger_spaces(car) else ()
        return [Landing(ahead, 1, tests=tests, overs=tuple(overs))]

    def same_way(self, car: CupCar, landing: Landing) -> bool:
        """Return True if the car's way so far goes on as one legal way to the next space.

        [straight.two-lanes, straight.zigzag-pass, ruling 21]
        """
        move, track = self.book.move, self.track
        begin, moved = track.ids[move.towed_from or move.begin], move.moved - move.towed_after
        leg = replace(self.book.landings.leg(car, moved + 1, soft=False), start=begin)
        return Search(self.board, leg).goes_on(track.ids[car.at or ""], moved, landing.space)

    def most_points(self) -> int:
        """Return the most KERS points that a car may have [kers.points]."""
        return self.figures.kers_most

    def lap_done(self, car: CupCar) -> None:
        """Give two KERS points for a completed lap; a car never has more than two.

        [kers.points, ruling 20]
        """
        won = min(self.figures.kers_lap, self.most_points() - car.kers)
        if won > 0:
            car.kers += won
            self.rule("kers", "kers.points", car, counts={"kers": won}, points=won, left=car.kers)

    def lap_lost(self, car: CupCar) -> None:
        """Take back the points of a lap that was not completed after all [kers.points]."""
        lost = min(self.book.move.won, car.kers)
        if lost:
            car.kers -= lost
            self.rule("kers", "kers.points", car, counts={"kers": -lost}, points=-lost, back=lost, left=car.kers)


class CupMoving(Moving[CupCar, CupRace, CupFigures]):
    """A move of the cup: from the pit grid with its bonus, cut short by a spin, over the line."""

    book: Cup

    @override
    def terms(self, car: CupCar, slid: int, soft: int, braked: int, blocked: int) -> dict[str, Json]:
        """On a corner sheet with the KERS points that were spent before the table says what it saw [kers.spend]."""
        kers = self.book.move.kers if self.rolled else 0
        return super().terms(car, slid, soft, braked, blocked) | ({"kers": kers} if kers else {})

    @override
    def take(self, car: CupCar, landing: Landing, entry: int = 0) -> None:
        """Put a car on its landing; if it overshoots too far it spins on the way.

        [overshoot.spin, race.laps, ruling 5]
        """
        lap = car.lap
        super().take(car, self.book.landings.actual_landing(car, landing), entry)
        self.book.finish.over_the_line(car, lap)

    @override
    def place_at(self, car: CupCar, space: str) -> None:
        """Put a car on a space; before the line it has not done the lap, and loses its KERS and its flag.

        [race.laps, kers.points, finish.order]
        """
        lap = car.lap
        super().place_at(car, space)
        if car.lap < lap:
            self.book.kers.lap_lost(car)
            self.book.finish.follow_flag()

    @override
    def displace(self, car: CupCar, spaces: int, *, soft: bool = True, least: int = 0) -> Procedure[None]:
        """Move a car by its die and the bonus, off the grid into and along the lane, and onto the track.

        Behind another car it waits at no cost. Driving, it has raced on its tyres, the starting set included [pit.exit,
        pit.suspended, tyres.two-compounds, rulings 18, 28].
        """
        if car.tyres and car.tyres not in car.raced:
            car.raced.append(car.tyres)
        yield from super().displace(car, spaces + self.book.pits.bonus(car), soft=soft, least=least)


LANES: Final = 2
"""Maximum number of lane changes on a straight [straight.two-lanes]."""


class CupLandings(Landings[CupCar, CupRace, CupFigures]):
    """The moves of the cup and their costs: two lanes on a straight, and a spin where the tyres end."""

    book: Cup

    brakes_in_lane: ClassVar[bool] = False
    """False: braking rests in the pit lane and nowhere else [pit.suspended, brake.any-time, ruling 28]."""

    @override
    def leg(self, car: CupCar, spaces: int, *, soft: bool = True, least: int = 0) -> Leg:
        """Return a leg that changes on a straight between two lanes at most, one way.

        It goes out and back only to pass a car, never for a danger, which is driven around by changing lane. A car that
        reaches the pit entry is in the pits [straight.two-lanes, straight.zigzag-pass, straight.zigzag-no,
        handling.avoid, pit.entry, ruling 3].
        """
        leg = super().leg(car, spaces, soft=soft, least=least)
        return replace(leg, lanes=LANES, detours=False, at_once=True)

    @override
    def actual_landing(self, car: CupCar, landing: Landing) -> Landing:
        """Return a landing as it will be driven: beyond what the tyres pay it ends where the car spins.

        It does not if a stop missed by then puts the car out [overshoot.spin, overshoot.limit, rulings 4 to 6].
        """
        if not landing.overs:
            return landing
        short = self.spun_short(car, landing)
        return landing if self.book.corners.puts_out(short.missing) else short

    @override
    def option_cost(self, car: CupCar, cost: Cost) -> Pools:
        """Return what will be paid: points that are due and missing bring a penalty instead.

        [wear.penalty]
        """
        shown = super().option_cost(car, cost)
        if cost.out:
            return shown
        return {pool: points for pool, due in shown.items() if (points := max(due, -car.wear[pool]))}

    @override
    def choices(self, car: CupCar, found: Sequence[Landing], entry_brake: int = 0) -> list[tuple[Option, Landing]]:
        """Return the landings with their spins, and past the flag with the result of ending there.

        [overshoot.spin, finish.turn-one, tyres.two-compounds]
        """
        choices = super().choices(car, found, entry_brake)
        for option, landing in choices:
            driven = self.actual_landing(car, landing)
            if landing.overs and option.facts.get("spin"):
                option.facts["spins_at"] = self.track.spaces[driven.space].name
            if car.lap >= self.race.laps and "out" not in option.facts:
                option.facts.update(self.ends(car, driven, spun="spin" in option.facts).option_facts())
        return choices

    def ends(self, car: CupCar, landing: Landing, *, spun: bool) -> Cost:
        """Return the end of a car past the flag whose turn ends with a landing [finish.turn-one]."""
        track, corners = self.track, self.book.corners
        unpaid = landing.overs and corners.overshoot_cost(car, landing.overs, self.book.wear.purse(car)).ends_move
        crosses = not track.past_line(track.ids[car.at or ""]) and track.past_line(landing.space)
        return self.book.finish.turn_ends(
            car,
            track.spaces[landing.space].name,
            flagged=car.lap + crosses > self.race.laps,
            spun=spun,
            overs=landing.overs,
            blocked=0 if unpaid else landing.blocked,
        )

    def spun_short(self, car: CupCar, landing: Landing) -> Landing:
        """Return a landing cut at the first space that the tyres cannot pay in full.

        There the car spins, and the rest of its move is lost [overshoot.spin, overshoot.limit, rulings 5, 6].
        """
        left, after = self.book.wear.points_left(car, "tyres"), max(over.spaces for over in landing.overs)
        overs: tuple[Over, ...] = ()
        while after and (not overs or self.book.corners.tyres_lost(car, overs) <= left):
            after -= 1
            overs = tuple(replace(one, spaces=one.spaces - after) for one in landing.overs if one.spaces > after)
        if not after:
            return landing
        track, space, cut = self.track, landing.space, set()
        for _ in range(after):
            cut.add(space)
            space = track.behind[space]
        tests = tuple(test for test in landing.tests if test not in cut)
        return Landing(space, landing.moved - after, landing.brakes, 0, landing.slid, tests, overs)

    @override
    def landings(self, car: CupCar, leg: Leg) -> list[Landing]:
        """Return the stops of a leg; out of the pits only spaces beyond the lane can be braked away.

        [pit.suspended, brake.any-time, ruling 28]
        """
        return self.unbraked_in_pits(car, super().landings(car, leg))


class CupSlipstream(Slipstream[CupCar, CupRace, CupFigures]):
    """The flap behind another car in a zone (DRS), which the cup has instead of the slipstream."""

    book: Cup

    @property
    def zones(self) -> tuple[Zone, ...]:
        """The DRS zones of this race [drs.zones, ruling 44]."""
        named = tuple(map(tuple, self.race.zones))
        if named not in self._zones:
            self._zones[named] = zones_of(self.track, named)
        return self._zones[named]

    @cached_property
    def _zones(self) -> dict[tuple[tuple[int, ...], ...], tuple[Zone, ...]]:
        """The zones of the circuit by the stretches that were named, as far as they have been asked for."""
        return {}

    def zone_of(self, at: str | None) -> Zone | None:
        """Return the DRS zone that a space lies in, or None [drs.zones]."""
        space = self.track.ids[at or ""]
        return next((zone for zone in self.zones if space in zone.spaces), None)

    @override
    def can_slipstream(self, car: CupCar, ahead: CupCar | None) -> bool:
        """Return True if DRS is open: straight behind a car in the same zone, in 4th or more, not slower.

        It is not on the way out of the pits, after braking, or in wet weather conditions unless the table says so. The
        zones of a corner sheet are on the table's own board, and a driver who is not in one leaves DRS [drs.zones,
        drs.conditions, drs.chain, rulings 23, 24, 28, 44].
        """
        if ahead is None or self.book.pits.from_pits() or not super().can_slipstream(car, ahead):
            return False
        if self.race.wet_conditions and not self.figures.drs_in_wet_conditions:
            return False
        if self.track.known == "corner":
            return True
        zone = self.zone_of(car.at)
        return zone is not None and zone is self.zone_of(ahead.at)

    @override
    def gives_slipstream(self, ahead: CupCar) -> bool:
        """Return True if the car ahead is driving [drs.conditions]."""
        return ahead.status == "racing"

    @override
    def slipstreams(self, car: CupCar, soft: bool) -> Procedure[None]:
        """Offer DRS and KERS after the die's spaces, as often as they are open, in any order.

        [drs.chain, kers.spend, rulings 21, 22]
        """
        while (yield from self.slipstream(car, soft)) or (yield from self.book.kers.kers(car)):
            pass

    @override
    def towed(self, car: CupCar, tow: Landing) -> Procedure[None]:
        """With each DRS a new way begins [drs.move, ruling 21]."""
        self.book.move.towed_from, self.book.move.towed_after = car.at or "", self.book.move.moved
        yield from super().towed(car, tow)


class CupOutlook(Outlook[CupCar, CupRace, CupFigures]):
    """The outlook of a stop in the cup."""

    book: Cup

    @override
    def befalls(self, car: CupCar, ask: Ask, landing: Landing | None, driven: Landing) -> Sequence[Ruling]:
        """Return the point that a space of KERS takes [kers.spend]."""
        spends = ask == "kers" and landing is not None
        return [Ruling("kers", "kers.spend", car.number, {}, {"points": -1})] if spends else []


class CupTyres(Tyres[CupCar, CupRace, CupFigures]):
    """The cup's tyres: two compounds in a race, and a soft space only while there are points."""

    book: Cup

    @override
    def soft_space(self, car: CupCar) -> bool:
        """Return True if soft tyres give a space: not without wear points, and not on the way out of the pits.

        [tyres.empty, tyres.dry, pit.exit, ruling 28]
        """
        return (
            not self.book.pits.from_pits() and self.book.wear.points_left(car, "tyres") > 0 and super().soft_space(car)
        )

    @override
    def lacks_compound(self, car: CupCar) -> bool:
        """Return True if a car still owes the race a second compound.

        It does not where there are no pits, nor in a race of one lap, in which they are never open
        [tyres.two-compounds, pit.optional, rulings 18, 19, 25].
        """
        return bool(self.track.box_count) and self.race.laps > 1 and self.race.owes_compound(car)

    def lap_done(self, car: CupCar) -> None:
        """Remind a driver who has passed the pits on one compound of the second, if they open once more.

        [tyres.two-compounds, pit.optional, rulings 19, 25]
        """
        if not car.in_pits and car.lap < self.race.laps and self.lacks_compound(car):
            self.rule("reminder", "tyres.two-compounds", car, moment="entry")

    def noted_otherwise(self, car: CupCar, before: Compound) -> None:
        """Correct the compounds raced on, when the set on a car is another than was noted.

        It has raced on the new one, and on the one noted only where it can have had as many sets; on the grid a word is
        about the new set, as soon as its stop has brought one [tyres.two-compounds, pit.declare, ruling 18].
        """
        if not car.raced or car.tyres == before or (car.status == "box" and not self.book.pits.tyres_due(car)):
            return
        sets = max(1, self.sets_had(car) - car.tyre_laps)
        raced = [*(one for one in car.raced if one != car.tyres), car.tyres]
        if len(raced) > sets:
            raced = [one for one in raced if one != before]
        car.raced = raced[-sets:]

    def sets_had(self, car: CupCar) -> int:
        """Return how many sets a car can have had: one a lap, and after a red flag a lap is driven twice."""
        return car.lap + car.fresh + bool(self.race.red_flags)

    def claim(self, car: CupCar, known: Sequence[str]) -> None:
        """Check the compounds that a car says it has raced on; raise BadSetup for an impossible one.

        It has raced on its own tyres and on those that it changed at stops, one set a lap at most, and on its way out
        of the pits on the set of the lap that it has before it [tyres.two-compounds, ruling 18].
        """
        if len(set(known)) < len(known) or len(known) > max(1, self.sets_had(car)):
            raise BadSetup("compound_raced_early", car=car.number, lap=car.lap, raced=", ".join(known))
        if known and car.tyres not in known and not car.in_pits:
            raise BadSetup("compound_raced", car=car.number, tyres=car.tyres, raced=", ".join(known))


DISQUALIFIED: Final = ("turn_one", "compounds")
"""Causes for which a car past the flag has no place all the same [finish.turn-one, tyres.two-compounds]."""


class CupWear(Wear[CupCar, CupRace, CupFigures]):
    """The wear of the cup: a pool at 0 is harmless until it must pay and cannot; only then its penalty falls."""

    book: Cup

    @override
    def works(self, car: CupCar, part: Pool) -> bool:
        """Return True: a part whose points are gone is harmless until a point is due.

        [wear.penalty, ruling 11]
        """
        return True

    @override
    def fatal(self, car: CupCar, part: Pool, points: int = 1) -> bool:
        """Return True if a point is due and missing, which alone ends a race.

        [wear.penalty, collision.out, engine.range, handling.test]
        """
        return self.points_left(car, part) < points

    @override
    def lose(self, car: CupCar, kind: Kind, article: str, points: Mapping[Pool, int], **facts: Json) -> None:
        """Cross points off, and say how many of those due were not there [wear.penalty]."""
        short = sum(max(0, count - self.points_left(car, part)) for part, count in points.items())
        if short:
            facts["short"] = short
        super().lose(car, kind, article, points, **facts)

    @override
    def tyre_limit(self, purse: Purse) -> int:
        """Return the tyre points that a car has, all of which it can pay [overshoot.limit]."""
        return purse.points_left("tyres")

    @override
    def body_gone(self, car: CupCar) -> None:
        """Eliminate a car whose body point is due and missing [collision.out]."""
        self.eliminate(car, "body", "collision.out", removed=True)

    @override
    def engine_gone(self, car: CupCar) -> None:
        """Eliminate a car whose engine point is due and missing [engine.range]."""
        self.eliminate(car, "engine", "engine.range", removed=True)

    @override
    def eliminate(self, car: CupCar, cause: DiceCause, article: str, *, removed: bool, **facts: Json) -> None:
        """Take a car off the board, mark where its move ended, and make a weather check due.

        To be disqualified after the flag is no elimination, nor is anything that happens to a car that is home: it has
        driven its race and only loses its place, so nothing lies on the track and no weather turns [handling.marker,
        weather.check, finish.turn-one, rulings 12, 16, 37].
        """
        if not car.alive:
            return
        super().eliminate(car, cause, article, removed=True, **facts)
        disqualified = cause in DISQUALIFIED or car.number in self.race.home
        if self.race.phase == "race" and not disqualified:
            self.mark(car.at, "handling.marker", car)
            self.book.weather.falls_due(car)

    @override
    def mark(self, space: str | None, article: str, car: CupCar) -> None:
        """There are no dangerous spaces in the pits [pit.suspended, handling.marker]."""
        if not (space or "").startswith(("pit:", "box:")):
            super().mark(space, article, car)


class CupCorners(Corners[CupCar, CupRace, CupFigures]):
    """Corners of the cup left with a stop missing: a car that cannot pay spins."""

    @override
    def puts_out(self, missing: int) -> bool:
        """Return True if this many stops missed in a corner put a car out [overshoot.limit, ruling 4].

        Two do, unless the table says tyres alone.
        """
        return super().puts_out(missing) and not self.figures.missed_stops_spin

    @override
    def overshoot_cost(
        self, car: CupCar, overs: Sequence[Over], purse: Purse, *, braked: int = 0, blocked: int = 0
    ) -> Cost:
        """Return the cost of overshooting: a car that cannot pay gives what it has and spins, again and again.

        Its move is then over. Two stops missed and the car is out [overshoot.loss, overshoot.spin, overshoot.limit,
        rulings 4 to 7].
        """
        lost = self.tyres_lost(car, overs)
        points: tuple[tuple[Pool, int], ...] = (("tyres", lost),)
        if self.puts_out(max([over.missing for over in overs])):
            return Cost(points, out="overshoot", article="ruling 4")
        if lost > purse.points_left("tyres"):
            return Cost(points, spin=True, article="overshoot.spin", ends_move=True)
        return Cost(points)

    def reach(self, car: CupCar) -> int:
        """Return how many spaces beyond a corner the tyres pay for in full [overshoot.loss, overshoot.limit]."""
        left = self.book.wear.points_left(car, "tyres")
        lost = (self.tyres_lost(car, [Over(0, spaces + 1, 1)]) for spaces in range(FAR))
        return next((spaces for spaces, tyres in enumerate(lost) if tyres > left), FAR)


class CupBlocking(Blocking[CupCar, CupRace, CupFigures]):
    """The cost of being blocked in the cup."""

    @override
    def row(self, spaces: int) -> tuple[int, int] | None:
        """Beyond the table a car is out, unless the tyres go on paying, one more a space [blocked.table, ruling 8]."""
        table = self.figures.blocking
        if spaces <= len(table) or not self.figures.long_blocks_cost_tyres:
            return super().row(spaces)
        brakes, tyres = table[-1] if table else (0, 0)
        return brakes, tyres + spaces - len(table)

    @override
    def blocked_cost(self, car: CupCar, spaces: int, purse: Purse, *, owed: int = 0) -> Cost:
        """Return the cost of being blocked: missing brakes count as paid, missing tyres spin the car.

        Beyond the table the car is out [blocked.table, blocked.no-brakes, overshoot.blocked, rulings 8, 9].
        """
        row = self.row(spaces)
        if row is None:
            return Cost(out="blocked", article="ruling 8")
        brakes, tyres = row
        points: tuple[tuple[Pool, int], ...] = (("brakes", min(brakes, purse.points_left("brakes"))), ("tyres", tyres))
        return Cost(points, spin=tyres > purse.points_left("tyres"), article="ruling 9")

    @override
    def fronts(self, car: CupCar) -> list[CupCar]:
        """Nobody is hit [ruling 8]."""
        return []

    @override
    def beside_wreck(self, car: CupCar, front: CupCar | None) -> list[CupCar]:
        """Nobody tests beside a car that is off at once [ruling 8]."""
        return []

    @override
    def blocked_out(self, car: CupCar) -> Procedure[None]:
        """Out by blocking is off at once, and nobody is hit [blocked.table, ruling 8]."""
        self.book.wear.eliminate(car, "blocked", "ruling 8", removed=True)
        yield from ()


class CupCollisions(Collisions[CupCar, CupRace, CupFigures]):
    """The cup's collisions: all who are involved roll."""

    @override
    def is_rolled_for(self, other: CupCar) -> bool:
        """Return True for a car that is still in the race: nobody loses a point without a roll.

        All who are involved roll; the threatened first, then the mover once for each that is still in the race
        [collision.risk, collision.order, collision.range, rulings 13, 14].
        """
        return other.alive


HELD_UP = ("full", "botched", "")
"""Services ranked after successful quick stops [pit.quick-order]."""


class CupPits(Pits[CupCar, CupRace, CupFigures]):
    """Into the pits, through the grid, and out again."""

    book: Cup

    # -- what a move may be

    def from_pits(self) -> bool:
        """Return True if this move began in the pits [pit.exit]."""
        return self.move.begin.startswith(("pit:", "box:"))

    # -- entering

    @override
    def may_enter(self, car: CupCar) -> bool:
        """Return True if a car may stop: at the end of any lap but the last, by the die and the soft space.

        The spaces that DRS or KERS add to a move that has been made bring nobody in [pit.optional, pit.entry, ruling
        25].
        """
        boosted = self.book.move.moved > 0 or self.book.move.kers > 0
        return bool(self.track.box_count) and 0 < car.lap < self.race.laps and car.status == "racing" and not boosted

    @override
    def box_due(self, car: CupCar) -> int:
        """Return the place on the grid of a car that reaches the entry line, or -1 [pit.entry, ruling 25]."""
        pit = self.track.pit
        return -1 if pit is None or not self.may_enter(car) else pit.boxes[self.next_place() - 1]

    def next_place(self) -> int:
        """Return the place behind the last car on the grid; places are counted towards the track, as boxes are."""
        return max(1, self.track.box_count - len(self.race.leaving) - len(self.race.pitting))

    @override
    def holds_many(self, space: str | None) -> bool:
        """Return True for the grid: its last place takes every car that finds no other [pit.rows]."""
        return (space or "").startswith("box:")

    # -- the grid

    def rows(self) -> dict[int, tuple[str, int]]:
        """Return the place of each car on the grid: its column, and its row from the top [pit.rows]."""
        columns = {"exit": self.race.leaving, "pitting": self.race.pitting}
        return {number: (name, row) for name, column in columns.items() for row, number in enumerate(column, 1)}

    def close_up(self, before: Mapping[int, tuple[str, int]]) -> None:
        """Note which cars move up in their columns, or back for a quick stop that comes in ahead of them.

        [pit.close-up, pit.quick-order]
        """
        for number, (column, row) in self.rows().items():
            if number in before and before[number][0] == column and before[number][1] != row:
                self.rule("close_up", "pit.close-up", self.car(number), column=column, row=row)

    def line_up(self) -> None:
        """Line the cars up in each column from its top without gaps, Pit Lane Exit nearer the track.

        [pit.rows, pit.close-up, ruling 26]
        """
        for row, number in enumerate([*self.race.leaving, *self.race.pitting]):
            car = self.car(number)
            car.box = max(1, self.track.box_count - row)
            before, car.at = car.at, f"box:{car.box}"
            self.pushed_over_line(car, before)

    def pushed_over_line(self, car: CupCar, before: str | None) -> None:
        """Count the lap of a car that moves up over the line on the grid, or is pushed back behind it.

        The line may run between the places of the grid [race.laps, pit.close-up].
        """
        ids = self.track.ids
        if before is None or before not in ids:
            return
        past, past_now = self.track.past_line(ids[before]), self.beyond_line(car.at)
        if past and not past_now:
            car.lap, car.fresh = max(0, car.lap - 1), True
        elif past_now and not past:
            car.lap += 1
            self.crossed_line(car)

    def crossed_line(self, car: CupCar) -> None:
        """Note that a car has crossed the line: without a stop its set has aged, and the lap brings KERS.

        A set that was fitted before the line is as new as it was [kers.points, race.laps].
        """
        if car.fresh:
            car.fresh = False
        else:
            car.tyre_laps += 1
            self.book.finish.lap_done(car)
        self.rule("lap", "0-0-1", car, lap=car.lap, tyre_laps=car.tyre_laps)

    def tidy(self) -> None:
        """Close the gaps of cars no longer on the grid; a car that the referee put there stands in Pit Lane Exit.

        A car that is just driving onto the grid and has no stop yet does not [pit.close-up, ruling 38].
        """
        race = self.race
        there = [car.number for car in race.cars if car.status == "box"]
        race.leaving = [number for number in race.leaving if number in there]
        race.pitting = [number for number in race.pitting if number in there]
        for number in there:
            car = self.car(number)
            if car.stop and number not in (*race.leaving, *race.pitting):
                race.leaving.append(number)
                car.leaves = race.round + 1
        for car in race.cars:
            if not car.in_pits:
                car.box, car.leaves, car.bonus, car.service = 0, 0, 0, ""
        self.line_up()

    def columns_move(self) -> None:
        """Move cars whose stop is done from Car Pitting to Pit Lane Exit at the end of the pit phase.

        They move in order of arrival [pit.phase, pit.close-up, ruling 27].
        """
        race, before = self.race, self.rows()
        for number in list(race.pitting):
            if self.car(number).leaves <= race.round + 1:
                race.pitting.remove(number)
                race.leaving.append(number)
                self.rule("pit_grid", "pit.phase", self.car(number), column="exit", row=len(race.leaving))
        self.close_up(before)
        self.line_up()

    # -- leaving

    @override
    def leave_gear_question(self, car: CupCar) -> Gear:
        """Ask for the gear in which a car leaves the pits, 1st to 4th at will; changing down has no rules there.

        [pit.exit, pit.suspended, ruling 28]
        """
        choices = [(Option(gear), gear) for gear in range(1, self.highest_gear() + 1)]
        question = Gear(car.number, "pit.exit", choices, what="leave")
        question.fields = {"bonus": self.bonus(car)}
        return question

    @override
    def bonus(self, car: CupCar) -> int:
        """Return the spaces that unused repair points add to the first move out of the grid.

        [pit.exit, ruling 28]
        """
        return car.bonus * self.figures.bonus_spaces if car.status == "box" else 0

    @override
    def pit_stop(self, car: CupCar) -> Procedure[None]:
        """Make a stop: the lap is complete, all tyre points come back at once, and the car stands in Car Pitting.

        Then its driver declares the tyres and the kind of stop [pit.entry, pit.declare, kers.points, rulings 20, 25].
        """
        car.stop = "long"
        won = car.built["tyres"] - car.wear["tyres"]
        car.wear["tyres"] = car.built["tyres"]
        self.race.pitting.append(car.number)
        self.line_up()
        self.rule("box", "pit.entry", car, {"tyres": won} if won else {}, box=car.box)
        if not self.move.crossed:
            self.book.finish.lap_done(car)
        compound = yield from ask(self.of_the_stop, car, lambda: self.tyres_question(car, car.tyres))
        self.fit(car, compound)
        car.leaves = self.race.round + 1
        if (yield from ask(self.of_the_stop, car, lambda: self.stop_question(car))) == "quick":
            yield from self.quick_stop(car)
        else:
            yield from self.full_stop(car)

    def tyres_due(self, car: CupCar) -> bool:
        """Return True if a car has just come onto the grid and its driver has still to declare the tyres.

        [pit.entry, pit.declare]
        """
        move = self.race.move
        return move is not None and move.car == car.number and not self.from_pits() and not car.leaves

    @override
    def stop_question(self, car: CupCar) -> Choice[str]:
        """Ask for a full stop with repairs, or a quick one by the die [pit.declare, pit.full, pit.quick]."""
        figures = self.figures
        choices = [
            (Option("full", facts={"stand": figures.repair_points}), "full"),
            (Option("quick", facts={"botched_to": figures.botched_to, "minimal_to": figures.minimal_to}), "quick"),
        ]
        return Choice("stop", car.number, "pit.declare", choices)

    # -- a full stop

    def full_stop(self, car: CupCar) -> Procedure[None]:
        """Repair by the pit column; keep unused points for the way out [pit.full]."""
        car.service = "full"
        repairs: Pools = {}
        if self.figures.repair_points and any(self.repairable(car, pool) for pool in REPAIRS):
            repairs = yield from ask(self.of_the_stop, car, lambda: self.repair_question(car))
        for pool, points in repairs.items():
            car.wear[pool] += points
        car.bonus = self.figures.repair_points - self.repair_cost(repairs)
        self.rule("repair", "pit.full", car, dict(repairs), stand=car.bonus)

    def repair_price(self, pool: Pool) -> int:
        """Return the price of a point in the pits: two for the engine, one for the others.

        [pit.full, pit.engine-cost]
        """
        return self.figures.pit[POOLS.index(pool)]

    def repair_cost(self, repairs: Pools) -> int:
        """Return the cost of repairs by the pit column [pit.full, pit.engine-cost]."""
        return sum(points * self.repair_price(pool) for pool, points in repairs.items())

    @override
    def repair_question(self, car: CupCar) -> Form[Pools]:
        """Ask which lost points to take back for three repair points.

        [pit.full, pit.engine-cost, ruling 30]
        """
        most = self.figures.repair_points
        found: list[Pools] = [{}]
        for pool in REPAIRS:
            for points in range(1, min(self.repairable(car, pool), most) + 1):
                found += [{**repairs, pool: points} for repairs in list(found) if pool not in repairs]
        offered = [Option(repairs, dict(repairs)) for repairs in found if self.repair_cost(repairs) <= most]
        offered.sort(key=lambda option: -self.repair_cost(option.answer))
        fields: dict[str, Json] = {
            pool: [0, min(self.repairable(car, pool), most // self.repair_price(pool))] for pool in REPAIRS
        }
        fields |= {"stand": most, "cost": {pool: self.repair_price(pool) for pool in REPAIRS}}
        return Form("repair", car.number, "pit.full", fields, lambda answer: self.read_repairs(car, answer), offered)

    @override
    def check_repairs(self, car: CupCar, repairs: Pools) -> None:
        """Raise BadAnswer for repairs that cost more than the stop's points by the pit column.

        [pit.full, pit.engine-cost]
        """
        most, cost = self.figures.repair_points, self.repair_cost(repairs)
        if cost > most:
            raise BadAnswer("repair_column_cost", most=most, cost=cost)

    # -- a quick stop

    @override
    def quick_die(self, car: CupCar) -> TestDie:
        """Return the die of a quick stop [pit.quick]."""
        figures = self.figures
        facts = {"botched_to": figures.botched_to, "minimal_to": figures.minimal_to}
        return TestDie(car.number, "pit.quick", "quick_stop", divided(*facts.values()), facts)

    @override
    def roll_quick_stop(self, car: CupCar) -> Procedure[int]:
        """Roll for a quick stop: botched, a minimal advantage, or a full one [pit.quick, rulings 27, 29].

        After a botched one the car stays a phase longer than after a full stop; with a minimal advantage it is in Pit
        Lane Exit at once; with a full one it is at the head of it and leaves in this very phase, but not by spaces of
        this die.
        """
        face = yield from ask(self.of_the_stop, car, lambda: self.quick_die(car))
        race, figures = self.race, self.figures
        if face <= figures.botched_to:
            car.service, car.leaves = "botched", race.round + 2
        elif face <= figures.minimal_to:
            car.service = "minimal"
        else:
            car.service, car.leaves = "advantage", race.round
        self.rule("quick_stop", "pit.quick", car, face=face, service=car.service)
        if car.service != "botched":
            before = self.rows()
            race.pitting.remove(car.number)
            race.leaving.insert(self.row_in_exit(car), car.number)
            self.rule("pit_grid", "pit.quick-order", car, column="exit", row=race.leaving.index(car.number) + 1)
            self.close_up(before)
        return 0

    def row_in_exit(self, car: CupCar) -> int:
        """Return the row of a quick stop in Pit Lane Exit: ahead of cars from full and botched stops.

        It is behind those that had as much of an advantage before [pit.quick-order].
        """
        behind = HELD_UP if car.service == "minimal" else (*HELD_UP, "minimal")
        leaving = self.race.leaving
        return next((row for row, number in enumerate(leaving) if self.car(number).service in behind), len(leaving))


class CupFinish(Finish[CupCar, CupRace, CupFigures]):
    """The cup's end: nobody is home at the line, but when turn one is left, with two compounds raced on."""

    book: Cup

    @override
    def last_lap(self, car: CupCar) -> bool:
        """Return False: the line ends nobody's race, turn one does [ruling 34]."""
        return False

    @override
    def is_home(self, car: CupCar) -> bool:
        """Return True for a car past the flag, whether it has left turn one or not.

        The order of crossing the line is that of the places; a car that does not leave turn one has come further than
        all that have not seen the flag [finish.order, rulings 34, 48].
        """
        return not car.lost and self.past_flag(car)

    def over_the_line(self, car: CupCar, lap: int) -> None:
        """Give a completed lap its KERS, and flag a car past the last line.

        The order of crossing is the order of the finish, for those that clear turn one [kers.points, finish.order,
        rulings 20, 34, 35].
        """
        if car.lap > lap and not car.fresh:
            had = car.kers
            self.lap_done(car)
            if self.move.tests:  # one of them may yet take the lap back
                self.book.move.won = car.kers - had
        elif car.lap > lap and car.lap == self.race.laps - 1:  # the pits are open once, at the end of this lap
            self.book.tyres.lap_done(car)
        self.follow_flag()

    def past_flag(self, car: CupCar) -> bool:
        """Return True if a car has crossed the line after the last lap [finish.order]."""
        return car.status == "finished" or car.lap > self.race.laps

    def follow_flag(self) -> None:
        """Flag the cars past the line after the last lap, in the order of crossing it.

        It does not matter how they came there; a car that is before the line again is not flagged any more
        [finish.order, ruling 34].
        """
        race = self.race
        race.flagged = [number for number in race.flagged if self.past_flag(self.car(number))]
        for car in self.unflagged():
            race.flagged.append(car.number)
            self.rule("flag", "finish.order", car, place=len(race.flagged))

    def unflagged(self) -> list[CupCar]:
        """Return the cars that race past the flag though nobody has noted it, in running order.

        [finish.order]
        """
        race = self.race
        found = [car for car in race.cars if car.alive and self.past_flag(car) and car.number not in race.flagged]
        return self.book.order.in_running_order(found)

    def lap_done(self, car: CupCar) -> None:
        """Give a completed lap its KERS, and remind a driver who owes the race a second compound.

        [kers.points, tyres.two-compounds]
        """
        self.book.kers.lap_done(car)
        self.book.tyres.lap_done(car)

    @cached_property
    def turn_one(self) -> int:
        """The index of the first corner after the line [finish.turn-one]."""
        if self.track.known == "corner":
            return 0
        track = self.track
        return min(range(len(track.corners)), key=lambda i: track.place[self.board.bends[i][-1]])

    def cleared(self, car: CupCar) -> bool:
        """Return True if a car past the flag has left turn one behind it; it may spin in the next one.

        [finish.turn-one]
        """
        if car.number not in self.race.flagged or not car.alive:
            return False
        return self.book.corners.corners_passed(car.at or "") > 0

    def is_over(self, there: CupCar, landing: Landing, cost: Cost) -> bool:
        """Return True if the race of a car is over once its turn has ended where it stands."""
        flagged, at = self.past_flag(there), there.at or ""
        blocked = 0 if cost.ends_move else landing.blocked
        spun = there.status == "spun"
        ends = self.turn_ends(there, at, flagged=flagged, spun=spun, overs=landing.overs, blocked=blocked)
        return bool(ends.out) or (flagged and self.book.corners.corners_passed(at) > 0)

    def turn_ends(
        self, car: CupCar, at: str, *, flagged: bool, spun: bool = False, overs: Sequence[Over] = (), blocked: int = 0
    ) -> Cost:
        """Return the end of a car past the flag whose turn ends at a place, or no cost.

        A spin on overshooting turn one is the end, but not a spin for being blocked after paying for that; so is to
        have left it on one compound [finish.turn-one, tyres.two-compounds, rulings 9, 19, 34].
        """
        if not flagged:
            return FREE
        if spun and not blocked and any(over.corner == self.turn_one for over in overs):
            return Cost(out="turn_one", article="finish.turn-one")
        if self.book.corners.corners_passed(at) > 0 and self.book.tyres.lacks_compound(car):
            return Cost(out="compounds", article="ruling 19")
        return FREE

    @override
    def finish(self, car: CupCar) -> None:
        """Home, in the order in which the line was crossed [finish.order, ruling 34]."""
        race = self.race
        car.status, car.stops = "finished", 0
        race.home = [number for number in race.flagged if self.car(number).status == "finished"]
        before = race.flagged[: race.flagged.index(car.number)]
        place = 1 + sum(number not in race.gone for number in before)
        self.rule("finish", "finish.turn-one", car, place=place)


class CupSheet(Sheet[CupCar, CupRace, CupFigures]):
    """The cup on a corner sheet."""

    book: Cup

    @override
    def tow_question(self, car: CupCar, **facts: Json) -> Choice[bool] | None:
        """Ask about DRS; on a corner sheet the answer says whether both cars are in a zone.

        [drs.zones, ruling 44]
        """
        return super().tow_question(car, sheet=True)

    @override
    def read_move(
        self, car: CupCar, spaces: int, *, soft: bool, least: int, tow: bool = False
    ) -> Procedure[tuple[dict[str, Json], int]]:
        """Ask for KERS points, and then for what the table saw, on the way of the die and on that of DRS.

        [kers.spend, ruling 21]
        """
        points = 0
        with suppress(QuestionWithdrawn):
            while (yield from ask(self.book.kers.kers_question, car)) is not None:
                points += 1
                self.book.kers.spend(car)
        return (yield from super().read_move(car, spaces + points, soft=soft, least=0 if points else least, tow=tow))

    @override
    def ends(self, car: CupCar, place: str, *, line: bool) -> Cost:
        """Put out a car past the flag that has left turn one on one compound.

        [finish.turn-one, tyres.two-compounds]
        """
        at = "after:0" if line and self.stretch(place) == 2 * len(self.track.corners) else place
        return self.book.finish.turn_ends(car, at, flagged=car.lap + line > self.race.laps)

    @override
    def past(self, car: CupCar, missed: dict[str, list[Over]], furthest: int) -> dict[str, Json] | None:
        """Return the facts of overshooting; two stops missed put a car out on a corner sheet too.

        It is tyres alone if the table says so [overshoot.limit, ruling 4].
        """
        past = super().past(car, missed, furthest)
        if past is not None:
            past["reach"] = self.book.corners.reach(car)
        return past

    @override
    def read_saw(
        self, car: CupCar, answer: JsonValue, places: list[str], fields: dict[str, Json], *, tow: bool
    ) -> dict[str, Json]:
        """Read what the table saw: a move that overshoots too far counts up to the space where the car spins.

        That is the first that its tyres cannot pay, counted beyond each corner [overshoot.spin, overshoot.limit,
        rulings 5, 6].
        """
        seen = super().read_saw(car, answer, places, fields, tow=tow)
        overs, over, reach = seen["overs"], seen["overshot"], self.book.corners.reach(car)
        spins = overs and self.book.tyres.factor(car) and not self.book.corners.puts_out(overs[0].missing)
        if spins and over > reach + len(overs):
            raise BadAnswer("tyres_reach", car=car.number, reach=reach, over=over)
        return seen

    @override
    def may_fall_short(self, spaces: int, slide: int, *, tow: bool) -> tuple[int, int]:
        """Return how far short a move may fall: after KERS only what it slides on may be braked.

        The car had neither braked nor been blocked before, and each point has gained a space [kers.spend, ruling 21].
        """
        spent = spaces > self.book.slipstream.spaces() if tow else self.book.move.kers > 0
        return (slide, 0) if spent else super().may_fall_short(spaces, slide, tow=tow)

    @override
    def places_ahead(self, car: CupCar, *, tow: bool = False) -> list[str]:
        """Return the places ahead: a car that drives into the pits is on the grid at once.

        One in the lane is beside the place where it stands [pit.entry, pit.lane-next].
        """
        places = super().places_ahead(car, tow=tow)
        if car.in_pits:
            return [f"pit:{(car.at or '').partition(':')[2]}", *places[1:]]
        enters = any(place.startswith("pit:") for place in places)
        track = [place for place in places if not place.startswith(("pit:", "box:"))]
        return [*track, f"box:{self.book.pits.next_place()}"] if enters else track

    @override
    def see(self, car: CupCar, seen: dict[str, Json], spaces: int) -> None:
        """Take the move that the table saw; a car that crossed the line has done a lap [race.laps]."""
        lap = car.lap
        super().see(car, seen, spaces)
        self.book.finish.over_the_line(car, lap)


class CupPosition(Position[CupCar, CupRace, CupFigures]):
    """The conditions of a position of the cup."""

    book: Cup

    @override
    def list_faults(self) -> Iterator[BadSetup]:
        """Yield the faults of KERS, of the flagged cars and of the pit grid's columns.

        KERS is within its bounds, a flagged car has crossed the line after the last lap, and the columns hold cars in
        boxes, each in one of them [kers.points, finish.order, pit.rows].
        """
        yield from super().list_faults()
        race, most = self.race, self.book.kers.most_points()
        numbers = [car.number for car in race.cars]
        for name in ("pitting", "leaving", "flagged", "grid", "settled"):
            listed = getattr(race, name)
            if not set(listed) <= set(numbers) or len(set(listed)) < len(listed):
                yield BadSetup("cars_listed", name=name, listed=str(listed))
        if race.grid and len(race.grid) < len(numbers):
            yield BadSetup("grid_from_pole", listed=str(race.grid))
        for car in race.cars:
            if car.kers > most:
                yield BadSetup("kers_range", most=most, car=car.number, value=car.kers)
        for car in race.cars:
            if car.number in race.flagged and car.alive and not self.book.finish.past_flag(car):
                yield BadSetup("flagged", car=car.number, lap=car.lap, laps=race.laps)
        for number in (*race.pitting, *race.leaving):
            car = self.car(number)
            leaves = race.move is not None and race.move.car == number  # it is in line until its turn is over
            if not (leaves or (car.at or "").startswith("box:")) or {*race.pitting} & {*race.leaving}:
                yield BadSetup("pit_grid_column", car=number)

    @override
    def most_laps(self, car: CupCar) -> int:
        """Past the flag a car races on until it has left turn one [finish.turn-one, ruling 34]."""
        return self.race.laps + 1

    @override
    def built_faults(self, car: CupCar) -> Iterator[BadSetup]:
        """Yield the faults of a car's build: at least the base column, and its team paid for the rest.

        [wear.pools, wear.construction, ruling 31]
        """
        preparing = self.book.preparing
        for pool, least in preparing.usual_build().items():
            if car.built[pool] < least:
                yield BadSetup("built_least", car=car.number, least=least, pool=pool, built=car.built[pool])
        if preparing.build_cost(car.built) > preparing.budget(car):
            yield BadSetup("team_points", car=car.number, points=preparing.team_points(car))

    @override
    def follow(self, before: CupRace) -> None:
        """Flag a car put over the line of the last lap, and unflag one put back before it.

        [finish.order, ruling 34]
        """
        super().follow(before)
        self.book.finish.follow_flag()


class CupReferee(Referee[CupCar, CupRace, CupFigures]):
    """The values that the race director of the cup may set."""

    book: Cup

    @override
    def set_race(self, race: CupRace, name: str, value: Json) -> None:
        """Set a value of the race; wet conditions may be declared but not ended.

        The weather at the start is one of the skies [weather.wet-conditions, weather.by-start, ruling 17].
        """
        if name == "started" and value in OUTCOME_INDEX:
            race.started = value
        elif name == "started":
            raise BadOverride("sky_kind", known=", ".join(OUTCOME_INDEX), value=value)
        elif name != "wet_conditions":
            super().set_race(race, name, value)
        elif value is not True:
            raise BadOverride("wet_conditions")
        else:
            self.book.weather.activate("director")

    @override
    def set_sky(self, race: CupRace) -> None:
        """No sky is final here [ruling 15]."""

    @override
    def set_car(self, car: CupCar, values: Mapping[str, Json]) -> None:
        """Set values of a car; corrected tyres may be set with the compounds raced on.

        Where those do not follow, in the pits, the car has raced on the corrected ones, and not on the others
        [tyres.two-compounds, ruling 39].
        """
        raced = {name: value for name, value in values.items() if name == "raced"}
        before = car.tyres
        super().set_car(car, {name: value for name, value in values.items() if name not in raced})
        if raced and car.tyres not in car.raced:
            car.raced = list(dict.fromkeys(car.tyres if one == before else one for one in car.raced))
        super().set_car(car, raced)

    @override
    def set_plain(self, car: CupCar, name: str, value: Json) -> None:
        """Set KERS points, compounds raced on, tyres, or a waived compound.

        KERS goes up to the most that a car may have. The compounds are some of those that it has raced on, with that of
        its set, unless that was fitted in the pits; the director may let the second one go [kers.points,
        tyres.two-compounds, rulings 18, 19].
        """
        if name == "kers":
            most = self.book.kers.most_points()
            if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= most:
                raise BadOverride("kers_range", most=most, car=car.number, value=value)
            car.kers = value
        elif name == "raced":
            raced = ", ".join(car.raced) or "nothing yet"
            its_own = set() if car.in_pits else {car.tyres}
            if not value or not isinstance(value, list) or not its_own <= set(map(str, value)) <= set(car.raced):
                said = ", ".join(map(str, value)) or "nothing" if isinstance(value, list) else str(value)
                raise BadOverride("compound_claimed", car=car.number, raced=raced, said=said)
            car.raced = [one for one in car.raced if one in value]
        elif name == "tyres":
            before = car.tyres
            super().set_plain(car, name, value)
            self.book.tyres.noted_otherwise(car, before)
        elif name == "waived":
            if not isinstance(value, bool):
                raise BadOverride("waived")
            car.waived = value
        else:
            super().set_plain(car, name, value)
