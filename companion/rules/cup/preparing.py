"""What is settled before a cup race: the grid by the die, the cars of a team, and which compounds will have been
raced on at its end."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from companion.rules.circuit.zones import ZONES, length, sections, stretches
from companion.rules.conversation.asking import Json, JsonValue, Option, Proc, ask
from companion.rules.conversation.errors import BadAnswer, BadSetup
from companion.rules.conversation.forms import Choice, Form, whole
from companion.rules.conversation.kinds import POOLS, Pool, Pools, by_name
from companion.rules.conversation.overriding import override
from companion.rules.cup.figures import CupFigures
from companion.rules.cup.state import CupCar, CupRace
from companion.rules.dice.grid import roll_off
from companion.rules.dice.preparing import Preparing
from companion.rules.dice.questions import BlackDie

if TYPE_CHECKING:
    from companion.rules.cup.cup import Cup


HEATS = 3
"""The phases of qualifying in phases [quali.phases]."""


class CupPreparing(Preparing[CupCar, CupRace, CupFigures]):
    """DRS zones, qualifying, construction, compounds."""

    book: Cup

    @override
    def prepare(self) -> Proc[None]:
        """DRS zones where the table names them, then the grid, the weather, the cars and their tyres
        [drs.zones, quali.die, quali.phases, weather.initial, prep.sheet]."""
        figures = self.figures
        if self.names_zones():
            yield from self.name_zone()
        elif (figures.grid_by_die or figures.grid_in_phases) and not self.race.grid:
            yield from self.qualify()
        else:
            yield from super().prepare()

    # -- DRS zones

    def names_zones(self) -> bool:
        """Whether the table still has to name a zone: where the circuit's file has not two, or the switch says so
        [drs.zones, ruling 44]."""
        race, track = self.race, self.track
        asked = self.figures.table_names_zones or bool(race.zones) or len(track.zones) < ZONES
        return asked and len(race.zones) < ZONES and self.zone_question() is not None

    def zone_question(self) -> Choice[list[int]] | None:
        """Which stretch between corners is the next zone; those of the file first, then the longest
        [drs.zones, ruling 44]."""
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
        return Choice("zone", None, "drs.zones", choices, what=what, wanted="A DRS zone can begin on section")

    def name_zone(self) -> Proc[None]:
        """The table names a DRS zone by the stretch that it lies on [drs.zones, ruling 44]."""
        zone = yield from ask(self.zone_question)
        self.race.zones.append(zone)

    @override
    def form_up(self) -> None:
        """The race begins; DRS zones that the board does not have are told [drs.zones, ruling 44]."""
        super().form_up()
        proposed = any(zone.proposed for zone in self.book.slipstream.zones)
        if proposed or self.race.zones:
            names = [zone.name for zone in self.book.slipstream.zones]
            self.rule("zones", "drs.zones" if not proposed else "ruling 44", None, zones=names, proposed=proposed)

    # -- qualifying

    @override
    def without_box(self) -> CupCar | None:
        """Nobody has a box of his own: the pit grid takes every car [ruling 26]."""
        return None

    @override
    def grid_order(self) -> list[CupCar]:
        """The cars from pole: as they have qualified, else as the setup lists them [quali.die, ruling 36]."""
        return [self.car(number) for number in self.race.grid] or self.race.cars

    def way_to_qualify(self) -> str:
        """The article by which the cars qualify: the die alone, or in phases [quali.die, quali.phases]."""
        return "quali.phases" if self.figures.grid_in_phases else "quali.die"

    def quali_die(self, number: int) -> BlackDie:
        """The black die of qualifying [quali.die, quali.phases]."""
        return BlackDie(number, self.way_to_qualify(), "grid", {"heat": self.race.heat})

    def qualify(self) -> Proc[None]:
        """Each car rolls once, and those that are level roll again among themselves; the highest has pole
        [quali.die, quali.ties]."""
        race = self.race
        cars = [car.number for car in race.cars if car.number not in race.settled]
        order = yield from roll_off(cars, race.faces, self.quali_die)
        if order:
            self.end_heat(order)

    def end_heat(self, order: list[int]) -> None:
        """By the die one phase settles it all. In phases the lowest third of the field takes the back of the grid, the
        next third the places before it, and the last phase decides the front
        [quali.die, quali.phases, ruling 32]."""
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
        """The base column [wear.pools]."""
        return dict(zip(POOLS, self.figures.base, strict=True))

    def build_cost(self, points: Mapping[Pool, int]) -> int:
        """What a car's points beyond the base cost by the cost column [wear.construction]."""
        base, cost = self.figures.base, self.figures.cost
        return sum((points[pool] - base[i]) * cost[i] for i, pool in enumerate(POOLS))

    def budget(self, car: CupCar) -> int:
        """What a team still has for this car: four points for two cars, split at will; a car alone has two
        [wear.construction, ruling 31]."""
        mates = [one for one in self.race.cars if one is car or (car.team and one.team == car.team)]
        spent = sum(self.build_cost(mate.built) for mate in mates if mate is not car and mate.built)
        return self.figures.team_points * len(mates) // 2 - spent

    @override
    def build(self, car: CupCar) -> Proc[None]:
        """A car is built of the base column and its share of the team's points [wear.pools, wear.construction]."""
        points, _ = yield from ask(self.build_question, car)
        car.wear, car.built = dict(points), dict(points)
        self.rule(
            "build", "wear.construction", car, built=dict(points), left=self.budget(car) - self.build_cost(points)
        )

    @override
    def build_question(self, car: CupCar) -> Form[tuple[Pools, int]]:
        """How many points of the team the car takes, and in which pools [wear.construction, ruling 31]."""
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
        """Checks a car: no part below its base, no more points than the team has left; raises BadAnswer
        [wear.pools, wear.construction]."""
        if not isinstance(answer, dict) or set(answer) != set(POOLS):
            raise BadAnswer(f"A car is written by pool, with {', '.join(POOLS)} and nothing else.")
        points = {pool: whole(answer[pool]) for pool in POOLS}
        for pool, least in self.usual_build().items():
            if points[pool] < least:
                raise BadAnswer(
                    f"Every car has at least its base column; {pool} begins at {least}, not at {points[pool]}."
                )
        cost, left = self.build_cost(points), self.budget(car)
        if cost > left:
            raise BadAnswer(
                f"The team of car {car.number} has {left} of its {self.team_points(car)} points left; "
                f"this car would take {cost}."
            )
        return points

    def team_points(self, car: CupCar) -> int:
        """All points of a car's team [wear.construction, ruling 31]."""
        mates = sum(one is car or bool(car.team and one.team == car.team) for one in self.race.cars)
        return self.figures.team_points * mates // 2

    @override
    def take_build(self, car: CupCar, raw: Mapping[str, Json]) -> None:
        """A car that the setup brings built; raises BadSetup if its team could not build it [wear.construction]."""
        try:
            points = self.read_car(car, by_name(car.wear))
        except BadAnswer as wrong:
            raise BadSetup(f"Car {car.number}: {wrong}") from None
        car.wear, car.built = dict(points), dict(points)

    @override
    def complete(self, car: CupCar) -> None:
        """In a position a car was built with at least its base column, so that a stop gives it all of that back
        [wear.pools, pit.entry, pit.full]."""
        said = dict(car.built)
        super().complete(car)
        base = self.usual_build()
        car.built = {pool: said.get(pool, max(points, base[pool])) for pool, points in car.wear.items()}

    # -- a setup

    @override
    def check(self, setup: Mapping[str, Json]) -> None:
        """Quick stops have bands that follow one another; KERS, compounds, DRS zones and the pit grid are as they can
        be; who is home or past the flag is so whether or not it is said
        [pit.quick, kers.points, tyres.two-compounds, drs.zones, pit.rows, finish.order]."""
        race, figures = self.race, self.figures
        if figures.minimal_to < figures.botched_to:
            raise BadSetup(
                f"A quick stop is botched up to {figures.botched_to} and gains little up to {figures.minimal_to}; "
                "the second band ends after the first."
            )
        for car in race.cars:
            if car.status in ("coasting", "wreck"):
                raise BadSetup(f"Car {car.number} is {car.status}; in the cup such a car is out.")
            self.book.tyres.claim(car, list(car.raced))
        self.check_zones()
        home = (car.number for car in race.cars if car.status == "finished")
        past = (car.number for car in self.book.finish.unflagged())
        race.flagged = list(dict.fromkeys([*race.flagged, *race.home, *home, *past]))
        parked = [car.number for car in race.cars if car.standing and (car.at or "").startswith("box:")]
        race.leaving += [number for number in parked if number not in (*race.leaving, *race.pitting)]

    def check_zones(self) -> None:
        """Zones that a setup names are sections of the circuit, each in one zone at most [drs.zones]."""
        zones, count = self.race.zones, len(self.track.sections)
        listed = [section for zone in zones for section in zone]
        if not all(zones) or len(zones) > ZONES or len(set(listed)) < len(listed):
            raise BadSetup(
                f'"zones" lists at most {ZONES} DRS zones by their sections, each section once, such as [[4], [9, 0]]; '
                f"{zones} does not."
            )
        if wrong := [section for section in listed if not 0 <= section < count]:
            raise BadSetup(f"{self.track.name} has {count} sections, from 0; {wrong[0]} is none for a DRS zone.")
