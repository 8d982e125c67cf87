"""A lap alone as a decision problem: where each roll can stop from every space, and what that costs.

It is asked of the rules core once. A place is a space with the stops made in its corner. Cars, dangers and the pits are
left out; the gears are the same everywhere. Whatever is allowed or costs something, the rulebook's chapters say.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from operator import le
from typing import TYPE_CHECKING, Final, NamedTuple

import msgspec
from msgspec.structs import replace

from companion.rules.circuit.leg import Landing
from companion.rules.circuit.track import Track
from companion.rules.conversation.asking import Json
from companion.rules.conversation.faces import GEAR_DICE
from companion.rules.conversation.kinds import Compound, Pool, Pools, Surface
from companion.rules.dice.state import Car
from companion.rules.dice.variants import in_force
from companion.rules.dice.wear import Charges, Cost
from companion.rules.rulebooks import begin, laps_on

if TYPE_CHECKING:
    from companion.rules.rulebooks import Dice

FORM: Final = 8
"""Version of this calculation; a new one invalidates everything stored."""
RICH: Final = 60
"""Number of points of a pool beyond the cost of any move."""
MOST: Final[dict[Pool, int]] = {"tyres": 7, "brakes": 5, "points": 18}
"""Maximum points of a pool that are distinguished: a car with more is no better off."""
MOVE_POOLS: Final[tuple[Pool, ...]] = ("tyres", "brakes")
"""Pools that pay for a move."""
UNNAMED: Final[Sequence[Compound]] = ("",)
"""Tyres of a game in which they are all alike."""
FURTHEST: Final = max(max(sides) for sides in GEAR_DICE.values())

Costs = tuple[int, ...]
"""Points of each of the pools that a move is paid with."""


class EqualStops(NamedTuple):
    """Stops that cost the same: an index into the course's costs, and the places.

    -1 is the line at the end of the race, and places beyond the line of any other lap have the number of places added.
    A stop is among several where it can be had for tyres or for brakes.
    """

    cost: int
    stops: tuple[int, ...]


Rows = list[list[tuple[EqualStops, ...]]]
"""Ways to go on, by place and roll."""


class PurseStep(NamedTuple):
    """The effect of a move or a gear of some cost on a purse.

    `purse` is the one left (-1: the car is out), `spins` whether the car spins, and `price` what else it costs, in
    turns.
    """

    purse: int
    spins: bool
    price: float


class Scene(NamedTuple):
    """The conditions that a course is worked out for."""

    rulebook: str
    surface: Surface
    tyres: Compound

    @classmethod
    def of(cls, rulebook: str, wet: bool, tyres: Compound | None) -> Scene:
        """Return the scene whose table is read, whatever the tyres of the car.

        On a wet track rain tyres out of the dry slide as far as the others do, on a dry one rain tyres pay as much as
        soft ones.
        """
        tyres = tyres or "hard"
        if tyres != "hard" and (tyres == "rain") != wet:
            tyres = "hard" if wet else "soft"
        return cls(rulebook, "wet" if wet else "dry", tyres)


def shod(book: Dice) -> bool:
    """Return True if the cars of a race, with its options, have tyres of several compounds."""
    return "tyres" in book.car_values


def fitting(book: Dice, *, wet: bool) -> Sequence[Compound]:
    """Return the compounds of a race that belong on a surface; UNNAMED if all are of one kind."""
    kinds = book.pits.compounds() if shod(book) else UNNAMED
    return ("rain",) if wet and "rain" in kinds else tuple(one for one in kinds if one != "rain")


class Course:
    """One lap of a circuit by a rulebook, on one surface with one compound."""

    def __init__(self, track: Track, scene: Scene, options: Mapping[str, Json] | None = None) -> None:
        """Prepare a course; raise BadSetup if the rulebook is not driven there.

        `options` are its changed figures.
        """
        self.scene = scene
        car = {"car": 1, "gear": 4, "lap": 1, "status": "racing", "at": track.spaces[track.grid[0]].name}
        setup = {
            "rulebook": scene.rulebook, "track": track.key, "laps": 2, "surface": scene.surface,
            "options": dict(options or {}),
            "cars": [{**car, "tyres": scene.tyres}], "to_play": [1],
            "sky": "rain" if scene.surface == "wet" else "sun",
        }  # fmt: skip
        self.book: Dice = begin({name: value for name, value in setup.items() if value}, track)
        self.track = self.book.track
        self.car = self.book.race.cars[0]
        if "tyres" in self.car.wear:  # more than any car may be built with, so that no way is barred for want of them
            self.car.wear["tyres"] = self.car.built["tyres"] = RICH
        self.pools: tuple[Pool, ...] = (
            MOVE_POOLS if MOVE_POOLS[0] in self.book.race.pools else tuple(self.book.race.pools)
        )
        self.laps: int = laps_on(scene.rulebook, track)
        """Laps of a race where nobody says."""
        self.places: list[tuple[int, int]] = []
        self.index: dict[tuple[int, int], int] = {}
        for space in self.track.spaces:
            corner = self.track.corner[space.id] if space.section >= 0 else -1
            for made in (
                range((self.track.corners[corner].stops if corner >= 0 else 0) + 1) if space.section >= 0 else ()
            ):
                self.index[space.id, made] = len(self.places)
                self.places.append((space.id, made))
        self.car.lap = self.book.race.laps
        self.home = frozenset() if self.book.finish.last_lap(self.car) else frozenset(self._beyond_turn_one())
        """Spaces where a car past the flag is home, if the flag alone does not bring it home."""
        self.costs: list[Costs] = []
        self.samples: list[Landing] = []
        self.rows: Rows = []
        self.last: Rows = []
        self.soft_space = self.book.tyres.soft_space(self._on_a_new_set())
        """True if a new set gives an extra space on the lap before it ages; `new` and `new_last` are the rows with
        it."""
        self.new: Rows = []
        self.new_last: Rows = []
        self.numbers: dict[Costs, int] = {}
        self._prices: dict[tuple[Charges, int, int], Costs | None] = {}
        """Costs of each charge, by the laps on the car's set and the lap; stops with equal charges cost the same."""
        self._alike: dict[tuple[int, ...], tuple[int, ...]] = {}

    @property
    def digest(self) -> str:
        """The identity of this course: a hash of the circuit as the rules see it, the rulebook, its figures."""
        track, book = self.track, self.book
        board = (track.moves, track.corner, track.straight, track.place, sorted(track.line), sorted(track.blocked))
        corners = [corner.stops for corner in track.corners]
        said = (
            FORM,
            MOST,
            self.scene,
            book.VERSION,
            in_force(book.figures),
            board,
            corners,
            track.wall,
            track.grid,
            track.length,
        )
        return hashlib.sha256(msgspec.msgpack.encode(said)).hexdigest()[:32]

    def _beyond_turn_one(self) -> Iterator[int]:
        for place, (space, _) in enumerate(self.places):
            self.car.at = self.track.spaces[space].name
            if self.book.corners.corners_passed(self.car.at):
                yield place

    def work_out(self, progress: Callable[[float], None] = lambda share: None) -> None:
        """Ask the core for every stop of every roll from every place, on a set that has aged and on a new one."""
        count = len(self.places)
        sets = 1 + self.soft_space
        for new in range(sets):
            self.car.tyre_laps = 0 if new else self.book.tyres.soft_laps()
            self.car.lap = 1
            rows: Rows = []
            for number in range(count):
                rows.append(self._rolls(number))
                if number % 40 == 0:
                    progress((number / count + new) / sets)
            self.car.lap = self.book.race.laps
            last = rows if self.home else [self._rolls(at) if self._over(rows[at]) else rows[at] for at in range(count)]
            if new:
                self.new, self.new_last = rows, last
            else:
                self.rows, self.last = rows, last
        progress(1.0)

    def ways(self, place: int, spaces: int, *, last: bool) -> tuple[EqualStops, ...]:
        """Return all that a roll of this many spaces can do from a place on a new set of tyres.

        On the `last` lap the line is the end.
        """
        self._on_a_new_set()
        self.car.lap = self.book.race.laps if last else 1
        return self._row(*self.places[place], spaces, {})

    def _on_a_new_set(self) -> Car:
        car: Car = self.car
        car.tyre_laps, self.book.race.move = 0, self.book.turn.new_move(car)
        return car

    def _rolls(self, place: int) -> list[tuple[EqualStops, ...]]:
        """All that each roll can do from a place."""
        space, made = self.places[place]
        ends: dict[int, int] = {}
        return [self._row(space, made, spaces, ends) for spaces in range(1, FURTHEST + 1)]

    def _over(self, rolls: list[tuple[EqualStops, ...]]) -> bool:
        """Return True if any roll leads over the line."""
        return any(way.stops[-1] >= len(self.places) for ways in rolls for way in ways)

    def _row(self, space: int, made: int, spaces: int, ends: dict[int, int]) -> tuple[EqualStops, ...]:
        """Return all that a roll of this many spaces can do from a place.

        `ends` remembers the places where moves from there end, by space, and by ~space those after overshooting.
        """
        book, car, landings = self.book, self.car, self.book.landings
        car.at, car.stops, car.gear = self.track.spaces[space].name, made, 4
        book.race.move = book.turn.new_move(car)
        cost_of, charges_of, prices = landings.costs(car), landings.charges, self._prices
        here, aged, lap = self.index[space, made], car.tyre_laps, car.lap
        cheap: dict[int, list[Costs]] = {}
        for landing in landings.landings(car, replace(landings.leg(car, spaces), until=-1)):
            if landing.blocked or landing.tests:
                continue
            end = ~landing.space if landing.overs else landing.space
            stop = -1 if landing.finished else ends.get(end, here)
            if stop == here:
                stop = ends[end] = self._stop(space, made, landing)
            if stop == here:
                continue
            charges = charges_of(car, landing)
            key = charges, aged, lap
            if key not in prices:
                prices[key] = self._points(cost_of(charges))
            if (costs := prices[key]) is None:
                continue
            others = cheap.get(stop)
            if others is None:
                cheap[stop] = [costs]
            elif any(all(map(le, other, costs)) for other in others):
                continue
            else:
                others[:] = [other for other in others if not all(map(le, costs, other))] + [costs]
            if costs not in self.numbers:
                self.numbers[costs] = len(self.costs)
                self.costs.append(costs)
                self.samples.append(landing)
        ways: dict[int, list[int]] = {}
        for stop, several in cheap.items():
            for costs in several:
                ways.setdefault(self.numbers[costs], []).append(stop)
        return tuple([EqualStops(cost, self._once(tuple(sorted(stops)))) for cost, stops in sorted(ways.items())])

    def _points(self, price: Cost) -> Costs | None:
        """Return what a price takes of each pool, None if it puts the car out."""
        if price.out:
            return None
        wear = self.book.landings.option_cost(self.car, price)
        return tuple([-wear.get(pool, 0) for pool in self.pools])

    def _once(self, stops: tuple[int, ...]) -> tuple[int, ...]:
        """Return the first equal tuple of stops, to share it: most rows have theirs in common with others."""
        return self._alike.setdefault(stops, stops)

    def _stop(self, begin: int, made: int, landing: Landing) -> int:
        """Return the number of the place where a move from another ends, with the stop that it makes there."""
        track, space = self.track, landing.space
        place = self.index[space, self._stops_made(begin, made, landing)]
        return place + len(self.places) * (track.past_line(space) and not track.past_line(begin))

    def _stops_made(self, begin: int, made: int, landing: Landing) -> int:
        """Return the stops that count where a move ends: none after overshooting another corner."""
        corner = self.track.corner[landing.space]
        if corner < 0 or landing.overs:
            return 0
        return min((made if self.track.corner[begin] == corner else 0) + 1, self.track.corners[corner].stops)

    # -- purses: what a car has left of the pools that a move is paid with

    def purses(self) -> list[Costs]:
        """Return every purse that is distinguished."""
        found: list[Costs] = [()]
        for pool in self.pools:
            found = [(*purse, left) for purse in found for left in range(MOST[pool] + 1)]
        return found

    def steps(self, purses: Sequence[Costs]) -> Iterator[list[PurseStep | None]]:
        """Yield the effect of each of the course's costs on each purse, as the core prices it; None if unpayable."""
        numbers = {purse: number for number, purse in enumerate(purses)}
        for costs, landing in zip(self.costs, self.samples, strict=True):
            made: list[PurseStep | None] = []
            for purse in purses:
                left = {**self.car.wear, **dict(zip(self.pools, purse, strict=True))}
                full, self.car.wear = self.car.wear, left
                price = self.book.landings.cost(self.car, landing)
                payable = landing.brakes <= self.book.landings.most_brakes(self.car)
                self.car.wear = full
                rest = tuple([max(have - cost, 0) for have, cost in zip(purse, costs, strict=True)])
                number = -1 if price.out else numbers[rest]
                made.append(PurseStep(number, price.spin, 0.0) if payable else None)
            yield made

    def gears(self) -> dict[tuple[int, int], Pools]:
        """Every change of gear that the rules allow, with the points that it costs; from 0, standing, only into 1st."""
        found: dict[tuple[int, int], Pools] = {}
        for now in range(7):
            self.car.gear = now
            for gear in range(1, self.book.gears.highest() + 1 if now else 2):
                if self.book.gears.may_shift(self.car, gear):
                    found[now, gear] = dict(self.book.wear.pooled(self.book.gears.gear_cost(now, gear)))
        return found

    def shifts(self, purses: Sequence[Costs], price: float) -> dict[tuple[int, int], list[PurseStep | None]]:
        """Return the effect of each change of gear on each purse; every point of another pool costs a price.

        None for one that the purse cannot pay, or that puts the car out.
        """
        numbers = {purse: number for number, purse in enumerate(purses)}
        found: dict[tuple[int, int], list[PurseStep | None]] = {}
        for shift, cost in self.gears().items():
            others = price * sum(points for pool, points in cost.items() if pool not in self.pools)
            made: list[PurseStep | None] = []
            for purse in purses:
                rest = tuple([have - cost.get(pool, 0) for pool, have in zip(self.pools, purse, strict=True)])
                stays = min(rest) >= 0 and self._stays(*shift, purse)
                made.append(PurseStep(numbers[rest], False, others) if stays else None)
            found[shift] = made
        return found

    def _stays(self, now: int, gear: int, purse: Costs) -> bool:
        """Return True if a car with a purse is still in the race once it has changed gear."""
        full, before = self.car.wear, self.car.gear
        self.car.wear, self.car.gear = {**full, **dict(zip(self.pools, purse, strict=True))}, now
        cost = self.book.gears.shift_cost(self.car, gear)
        self.car.wear, self.car.gear = full, before
        return not cost.out
