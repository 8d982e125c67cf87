"""What is settled before a cup race: the grid by the die, the cars of a team, and which compounds will have been
raced on at its end."""

from __future__ import annotations

from collections.abc import Mapping

from companion.rules.circuit.zones import ZONES, length, sections, stretches
from companion.rules.conversation.asking import Json, Option, Proc, ask
from companion.rules.conversation.errors import BadAnswer, BadOverride, BadSetup
from companion.rules.conversation.forms import Choice, Form, whole
from companion.rules.conversation.kinds import Pool, Pools
from companion.rules.cup.state import CupCar
from companion.rules.cup.weather import Showers
from companion.rules.dice.grid import roll_off
from companion.rules.dice.pits import COMPOUNDS
from companion.rules.dice.questions import BlackDie
from companion.rules.dice.state import POOLS

HEATS = 3
"""The phases of qualifying in phases [quali.phases]."""


class Paddock(Showers):
    """DRS zones, qualifying, construction, compounds."""

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
        return track.known == "space" and asked and len(race.zones) < ZONES and self.zone_question() is not None

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

    def form_up(self) -> None:
        """The race begins; DRS zones that the board does not have are told [drs.zones, ruling 44]."""
        super().form_up()
        proposed = any(zone.proposed for zone in self.zones)
        if proposed or self.race.zones:
            names = [zone.name for zone in self.zones]
            self.rule("zones", "drs.zones" if not proposed else "ruling 44", None, zones=names, proposed=proposed)

    # -- qualifying

    def without_box(self) -> CupCar | None:
        """Nobody has a box of his own: the pit grid takes every car [ruling 26]."""
        return None

    def grid_order(self) -> list[CupCar]:
        """The cars from pole: as they have qualified, else as the setup lists them [quali.die, ruling 36]."""
        return [self.car(number) for number in self.race.grid] or self.race.cars

    def quali_die(self, number: int) -> BlackDie:
        """The black die of qualifying [quali.die, quali.phases]."""
        article = "quali.phases" if self.figures.grid_in_phases else "quali.die"
        return BlackDie(number, article, "grid", {"heat": self.race.heat})

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
        next third the places before it, and the last phase decides the front [quali.phases, ruling 32]."""
        race = self.race
        third = len(race.cars) // HEATS
        last = not self.figures.grid_in_phases or race.heat == HEATS or not third
        stay = 0 if last else len(order) - third
        race.settled = [*order[stay:], *race.settled]
        race.faces = {}
        if last:
            race.grid, race.settled = race.settled, []
            self.rule("grid_rolled", "quali.die", None, order=list(race.grid))
        else:
            self.rule("grid_rolled", "quali.phases", None, order=list(order[stay:]), heat=race.heat)
            race.heat += 1

    # -- construction

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

    def build(self, car: CupCar) -> Proc[None]:
        """A car is built of the base column and its share of the team's points [wear.pools, wear.construction]."""
        points, _ = yield from ask(self.build_question, car)
        car.wear, car.built = dict(points), dict(points)
        self.rule(
            "build", "wear.construction", car, built=dict(points), left=self.budget(car) - self.build_cost(points)
        )

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

        def read(answer: Json) -> tuple[Pools, int]:
            return self.read_car(car, answer), 0

        return Form("setup", car.number, "wear.construction", fields, read, offered)

    def read_car(self, car: CupCar, answer: Json) -> Pools:
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

    def take_build(self, car: CupCar, raw: Mapping[str, Json]) -> None:
        """A car that the setup brings built; raises BadSetup if its team could not build it [wear.construction]."""
        try:
            points = self.read_car(car, car.wear)
        except BadAnswer as wrong:
            raise BadSetup(f"Car {car.number}: {wrong}") from None
        car.wear, car.built = dict(points), dict(points)

    def complete(self, car: CupCar) -> None:
        """In a position a car was built with at least its base column, so that a stop gives it all of that back
        [wear.pools, pit.entry, pit.full]."""
        said = dict(car.built)
        super().complete(car)
        base = self.usual_build()
        car.built = {pool: said.get(pool, max(points, base[pool])) for pool, points in car.wear.items()}

    # -- compounds

    def displace(self, car: CupCar, spaces: int, *, soft: bool = True, least: int = 0) -> Proc[None]:
        """Whoever drives has raced on its tyres, the starting set included [tyres.two-compounds, ruling 18]."""
        if car.tyres and car.tyres not in car.raced:
            car.raced.append(car.tyres)
        yield from super().displace(car, spaces, soft=soft, least=least)

    def lacks_compound(self, car: CupCar) -> bool:
        """Whether a car still owes the race a second compound: not in wet weather conditions, not where there are no
        pits, not if the race director lets it go [tyres.two-compounds, weather.wet-conditions, rulings 18, 19]."""
        waived = self.race.wet_conditions or car.waived or not self.track.box_count
        return not waived and len(set(car.raced)) < 2

    def lap_done(self, car: CupCar) -> None:
        """Whoever has passed the pits with one compound only is reminded of the second
        [tyres.two-compounds, ruling 19]."""
        super().lap_done(car)
        if not car.in_pits and car.lap <= self.race.laps and self.lacks_compound(car):
            self.rule("reminder", "tyres.two-compounds", car, moment="entry")

    def claim(self, car: CupCar, compounds: Json) -> None:
        """A car has raced on its own tyres and on those that it changed at stops, one set a lap at most; raises
        BadSetup for a compound that it cannot have raced on [tyres.two-compounds]."""
        known = [one for one in compounds if one in COMPOUNDS] if isinstance(compounds, list) else []
        if len(set(known)) < len(known) or len(known) > max(1, car.lap):
            raise BadSetup(
                f"Car {car.number} is in lap {car.lap} and cannot have raced on {', '.join(known)}; "
                "a compound is changed at the end of a lap."
            )
        if known and car.tyres not in known and car.status not in ("box", "pit"):
            raise BadSetup(
                f"Car {car.number} is on {car.tyres} tyres and has raced on them; it says {', '.join(known)}."
            )

    def _set_plain(self, car: CupCar, name: str, value: Json) -> None:
        """KERS points up to the most that a car may have; compounds that it has raced on, and no others; the director
        may let the second one go [kers.points, tyres.two-compounds, ruling 19]."""
        if name == "kers":
            if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= self.figures.kers_most:
                raise BadOverride(
                    f"A car has 0 to {self.figures.kers_most} KERS points; car {car.number} cannot have {value}."
                )
            car.kers = value
        elif name == "raced":
            raced = ", ".join(car.raced) or "nothing yet"
            if not isinstance(value, list) or not set(map(str, value)) <= set(car.raced) or car.tyres not in value:
                said = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
                raise BadOverride(f"Car {car.number} has raced on {raced}; {said} cannot be claimed for it.")
            car.raced = [one for one in car.raced if one in value]
        elif name == "waived":
            if not isinstance(value, bool):
                raise BadOverride('"waived" is true or false.')
            car.waived = value
        else:
            super()._set_plain(car, name, value)
