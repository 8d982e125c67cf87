"""The cup: three laps with pools whose penalties fall late, KERS and DRS, a pit grid, and turn one after the flag.

What it has otherwise than the family, and where that stands:

- the end: nobody is home at the line, but when turn one is left, with two compounds raced on: here
- collisions: all who are involved roll, and nobody loses a point without a roll: here
- wear: a pool at 0 is harmless until it must pay and cannot; two lanes on a straight: penalties
- DRS in two zones instead of the slipstream, and KERS: boosts
- the pits: a grid of two columns, and its phase after the track: pit_grid; full and quick stops: cup_stops
- the weather: a check at every critical event, by the sky at the start, and the wet marker: showers
- before the race: qualifying by the die, four points a team, compounds: paddock
- its figures and its state: scorecard
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import ClassVar

from companion.rules.circuit.leg import Landing
from companion.rules.circuit.zones import ZONES
from companion.rules.conversation.asking import Json, Option, Proc
from companion.rules.conversation.errors import BadSetup
from companion.rules.conversation.kinds import Pools
from companion.rules.cup.preparing import Paddock
from companion.rules.cup.state import CupCar, CupFigures, CupMove, CupRace
from companion.rules.dice.landings import Price


class Cup(Paddock):
    """The rulebook of the three-lap cup."""

    name = "cup"
    VERSION: ClassVar[str] = "cup 2"
    laps = 3
    walled = False
    race_type = CupRace
    figures_type = CupFigures
    reminders: ClassVar = {"setup": ("prep.sheet",)}
    word = "ruling 39"
    car_values: ClassVar = (
        "wear", "gear", "at", "lap", "stops", "tyres", "tyre_laps", "status", "kers", "raced", "waived",
    )  # fmt: skip
    car_ranges: ClassVar = {**Paddock.car_ranges, "kers": (0, 9), "leaves": (0, 100_000), "bonus": (0, 99)}
    race_values: ClassVar = ("sky", "surface", "order", "dangers", "wet_conditions")

    def new_move(self, car: CupCar) -> CupMove:
        """The turn of a car as it begins [order.position]."""
        return CupMove(
            car=car.number, begin=car.at or "", lap=car.lap, made=car.stops, stood_ahead=self.stood_ahead(car)
        )

    def level_order(self, car: CupCar) -> tuple[int, ...]:
        """Among level cars the higher gear plays first, then the one nearer the inside of its corner, whoever got there
        first; a stalled car after the others [order.level-gear, order.level-inside, ruling 2]."""
        return (car.status == "stalled", -car.gear, self.from_inside(car))

    # -- a setup

    def check(self, setup: Mapping[str, Json]) -> None:
        """Quick stops have bands that follow one another; KERS, compounds, DRS zones and the pit grid are as they can
        be [pit.quick, kers.points, tyres.two-compounds, drs.zones, pit.rows]."""
        race, figures = self.race, self.figures
        if figures.minimal_to < figures.botched_to:
            raise BadSetup(
                f"A quick stop is botched up to {figures.botched_to} and gains little up to {figures.minimal_to}; "
                "the second band ends after the first."
            )
        for car in race.cars:
            if car.status in ("coasting", "wreck"):
                raise BadSetup(f"Car {car.number} is {car.status}; in the cup such a car is out.")
            self.claim(car, list(car.raced))
        self.check_zones()
        parked = [car.number for car in race.cars if car.standing and (car.at or "").startswith("box:")]
        race.leaving += [number for number in parked if number not in (*race.leaving, *race.pitting)]

    def list_faults(self) -> Iterator[str]:
        """KERS is within its bounds, and the pit grid's columns hold cars in boxes, each in one of them
        [kers.points, pit.rows]."""
        yield from super().list_faults()
        race, most = self.race, self.figures.kers_most
        numbers = [car.number for car in race.cars]
        for name in ("pitting", "leaving", "flagged", "grid", "settled"):
            listed = getattr(race, name)
            if not set(listed) <= set(numbers) or len(set(listed)) < len(listed):
                yield f'"{name}" lists cars of the race by number, each once; {listed} does not.'
        if race.grid and len(race.grid) < len(numbers):
            yield f'"grid" lists every car of the race from pole; {race.grid} does not.'
        for car in race.cars:
            if car.kers > most:
                yield f"A car has 0 to {most} KERS points; car {car.number} cannot have {car.kers}."
        for number in (*race.pitting, *race.leaving):
            car = self.car(number)
            leaves = race.move is not None and race.move.car == number  # it is in line until its turn is over
            if not (leaves or (car.at or "").startswith("box:")) or {*race.pitting} & {*race.leaving}:
                yield f"Car {number} is on the pit grid in one column only, and its place is a box."

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

    # -- collisions

    def body_test(self, car: CupCar, aggravated: bool, other: CupCar) -> Proc[bool]:
        """All who are involved roll; the threatened first, then the mover once for each that is still in the race; a
        car that is out is rolled for no more, and nobody loses a point without a roll [collision.risk,
        collision.order, collision.range, rulings 13, 14]."""
        if not other.alive:
            return False
        return (yield from super().body_test(car, False, other))

    # -- the end

    def last_lap(self, car: CupCar) -> bool:
        """The line ends nobody's race: turn one does [ruling 34]."""
        return False

    def take(self, car: CupCar, landing: Landing, entry: int = 0) -> None:
        """A car that crosses the line has done a lap [race.laps]."""
        lap = car.lap
        super().take(car, landing, entry)
        self.over_the_line(car, lap)

    def see(self, car: CupCar, seen: dict[str, Json], spaces: int) -> None:
        """A car that the table saw crossing the line has done a lap [race.laps]."""
        lap = car.lap
        super().see(car, seen, spaces)
        self.over_the_line(car, lap)

    def over_the_line(self, car: CupCar, lap: int) -> None:
        """A completed lap brings KERS; after the last one the order of crossing is the order of the finish, for those
        who clear turn one [kers.points, finish.order, rulings 20, 34, 35]."""
        race = self.race
        if car.lap <= lap:
            return
        if not car.fresh:
            self.lap_done(car)
        if car.lap > race.laps and car.number not in race.flagged:
            race.flagged.append(car.number)
            self.rule("flag", "finish.order", car, place=len(race.flagged))

    @cached_property
    def turn_one(self) -> int:
        """The index of the first corner after the line [finish.turn-one]."""
        if self.track.known == "corner":
            return 0
        track = self.track
        return min(range(len(track.corners)), key=lambda i: track.place[self.board.bends[i][-1]])

    def cleared(self, car: CupCar) -> bool:
        """Whether a car past the flag has left turn one behind it; it may spin in the next one [finish.turn-one]."""
        if car.number not in self.race.flagged or not car.alive or car.at is None:
            return False
        return self.corners_passed(car) > 0

    def option(self, landing: Landing, price: Price, wear: Pools, *, several: bool) -> Option:
        """A landing as an answer; past the flag a spin on overshooting turn one is the end of the race
        [finish.turn-one]."""
        option = super().option(landing, price, wear, several=several)
        car, track = self.car(self.move.car), self.track
        crosses = not track.past_line(track.ids[car.at or ""]) and track.past_line(landing.space)
        flagged = car.lap + crosses > self.race.laps
        if flagged and option.facts.get("spin") and any(over.corner == self.turn_one for over in landing.overs):
            option.facts["out"] = "turn_one"
        return option

    def end_of_turn(self, car: CupCar) -> Proc[None]:
        """Past the flag a car races on until it has left turn one, with all its points; whoever spins on overshooting
        it is disqualified [finish.turn-one, finish.order, rulings 34, 35]."""
        overshot = any(over[0] == self.turn_one for over in self.move.overs)
        if car.number in self.race.flagged and car.status == "spun" and overshot:
            self.eliminate(car, "turn_one", "finish.turn-one", removed=True)
        elif self.cleared(car):
            self.finish(car)
        yield from super().end_of_turn(car)

    def finish(self, car: CupCar) -> None:
        """Home, in the order in which the line was crossed; without a second compound disqualified
        [finish.order, tyres.two-compounds, rulings 19, 34]."""
        race = self.race
        if self.lacks_compound(car):
            self.eliminate(car, "compounds", "ruling 19", removed=True)
            return
        car.status, car.stops = "finished", 0
        race.home = [number for number in race.flagged if self.car(number).status == "finished"]
        before = race.flagged[: race.flagged.index(car.number)]
        place = 1 + sum(number not in race.gone for number in before)
        self.rule("finish", "finish.turn-one", car, place=place)

    def order(self) -> list[int]:
        """Those past the flag as they crossed it, then the others [finish.order]."""
        race = self.race
        flagged = [number for number in race.flagged if number not in race.gone]
        return [*flagged, *(number for number in super().order() if number not in flagged)]

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
    }
