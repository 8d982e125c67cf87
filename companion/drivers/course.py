"""A lap alone as a decision problem: where each roll can stop from every space, and what that costs, asked of the rules
core once.

A place is a space with the stops made in its corner. Cars, dangers and the pits are left out; the gears are the same
everywhere. Whatever is allowed or costs something, the rulebook's chapters say.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

import msgspec

from companion.rules.circuit.leg import Landing
from companion.rules.circuit.track import Track
from companion.rules.conversation.asking import Json
from companion.rules.conversation.faces import GEAR_DICE
from companion.rules.conversation.kinds import Compound, Pool, Pools, Surface
from companion.rules.rulebooks import begin

if TYPE_CHECKING:
    from companion.rules.rulebooks import Dice

FORM: Final = 3
"""The number of this way to work a lap out; another makes all that was kept worth nothing."""
RICH: Final = 60
"""More points of a pool than a move costs."""
MOST: Final[dict[Pool, int]] = {"tyres": 9, "brakes": 3, "points": 18}
"""The most points of a pool that are told apart: with more a car is as well off as with so many."""
TREAD: Final[tuple[Pool, ...]] = ("tyres", "brakes")
"""What a move is paid with."""
FURTHEST: Final = max(max(sides) for sides in GEAR_DICE.values())

Costs = tuple[int, ...]
"""Points of each of the pools that a move is paid with."""


class Way(NamedTuple):
    """Stops that cost the same: which of the course's costs that is, and the places; -1 is the line at the end of the
    race, and those beyond the line of any other lap have the number of places added."""

    cost: int
    stops: tuple[int, ...]


class Step(NamedTuple):
    """What a move or a gear of some cost makes of a purse: which purse is left (-1: the car is out), whether the car
    spins, and what else it costs, in turns."""

    purse: int
    spins: bool
    price: float


class Scene(NamedTuple):
    """What a course is worked out for."""

    rulebook: str
    surface: Surface
    tyres: Compound

    @classmethod
    def of(cls, rulebook: str, wet: bool, tyres: Compound | None) -> Scene:
        """The one that a table is read for, however a car is shod: on a wet track rain tyres out of the dry slide as
        far as the others do, on a dry one rain tyres pay as much as soft ones."""
        tyres = tyres or "hard"
        if tyres != "hard" and (tyres == "rain") != wet:
            tyres = "hard" if wet else "soft"
        return cls(rulebook, "wet" if wet else "dry", tyres)


class Course:
    """One lap of a circuit by a rulebook, on one surface with one compound that has lost its first bite."""

    def __init__(self, track: Track, scene: Scene, options: Mapping[str, Json] | None = None) -> None:
        """Ready to be worked out; raises BadSetup if the rulebook is not driven there. `options` are its changed
        figures."""
        self.scene = scene
        wear = {"wear": {"tyres": RICH}} if scene.rulebook != "death" else {}
        car = {"car": 1, "gear": 4, "lap": 1, "status": "racing", "at": track.spaces[track.grid[0]].name}
        setup = {
            "rulebook": scene.rulebook, "track": track.key, "laps": 2, "surface": scene.surface,
            "options": dict(options or {}),
            "cars": [{**car, "tyres": scene.tyres, **wear}], "to_play": [1],
            "sky": "rain" if scene.surface == "wet" else "sun",
        }  # fmt: skip
        self.book: Dice = begin({name: value for name, value in setup.items() if value}, track)
        self.track = self.book.track
        self.car = self.book.race.cars[0]
        self.car.tyre_laps = self.book.figures.soft_laps
        self.pools: tuple[Pool, ...] = TREAD if TREAD[0] in self.book.race.pools else tuple(self.book.race.pools)
        self.laps: int = track.laps.get(scene.rulebook, self.book.laps)
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
        """Where a car is home that is past the flag, if the flag alone does not bring it home."""
        self.costs: list[Costs] = []
        self.samples: list[Landing] = []
        self.rows: list[list[tuple[Way, ...]]] = []
        self.last: list[list[tuple[Way, ...]]] = []
        self._numbers: dict[Costs, int] = {}
        self._alike: dict[tuple[int, ...], tuple[int, ...]] = {}

    @property
    def digest(self) -> str:
        """What tells this course from any other: the circuit as the rules see it, the rulebook, its figures."""
        track, book = self.track, self.book
        board = (track.moves, track.corner, track.straight, track.place, sorted(track.line), sorted(track.blocked))
        corners = [corner.stops for corner in track.corners]
        said = (
            FORM,
            MOST,
            self.scene,
            book.VERSION,
            book.figures,
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
            if self.book.corners.corners_passed(self.car):
                yield place

    def work_out(self, progress: Callable[[float], None] = lambda share: None) -> None:
        """Asks the core for every stop of every roll from every place."""
        count = len(self.places)
        for last in (False, True):
            if last and self.home:
                self.last = self.rows
                break
            self.car.lap = self.book.race.laps if last else 1
            rows = self.last if last else self.rows
            for number, (space, made) in enumerate(self.places):
                if last and not self._reaches_line(number):
                    rows.append(self.rows[number])
                else:
                    rows.append([self._row(space, made, spaces) for spaces in range(1, FURTHEST + 1)])
                if number % 40 == 0:
                    progress((number + count * last) / (2 * count))
        progress(1.0)

    def _reaches_line(self, place: int) -> bool:
        """Whether any roll leads over the line from a place."""
        count = len(self.places)
        return any(way.stops[-1] >= count for ways in self.rows[place] for way in ways)

    def _row(self, space: int, made: int, spaces: int) -> tuple[Way, ...]:
        """All that a roll of so many spaces can do from a place."""
        book, car, landings = self.book, self.car, self.book.landings
        car.at, car.stops, car.gear = self.track.spaces[space].name, made, 4
        book.race.move = book.turn.new_move(car)
        found = landings.landings(car, landings.leg(car, spaces)._replace(until=-1))
        cheapest: dict[int, Costs] = {}
        for option, landing in landings.choices(car, found):
            if "out" in option.facts or landing.blocked or landing.tests:
                continue
            stop = self._stop(space, landing, option.facts.get("stops", 0))
            if stop == self.index[space, made]:
                continue
            costs = tuple([-option.wear.get(pool, 0) for pool in self.pools])
            if stop not in cheapest or sum(costs) < sum(cheapest[stop]):
                cheapest[stop] = costs
                if costs not in self._numbers:
                    self._numbers[costs] = len(self.costs)
                    self.costs.append(costs)
                    self.samples.append(landing)
        ways: dict[int, list[int]] = {}
        for stop, costs in cheapest.items():
            ways.setdefault(self._numbers[costs], []).append(stop)
        return tuple([Way(cost, self._once(tuple(sorted(stops)))) for cost, stops in sorted(ways.items())])

    def _once(self, stops: tuple[int, ...]) -> tuple[int, ...]:
        """The same stops as they were noted first: most rows share theirs with others."""
        return self._alike.setdefault(stops, stops)

    def _stop(self, begin: int, landing: Landing, stops: int) -> int:
        if landing.finished:
            return -1
        place = self.index[landing.space, stops]
        crosses = self.track.past_line(landing.space) and not self.track.past_line(begin)
        return place + len(self.places) * crosses

    # -- purses: what a car has left of the pools that a move is paid with

    def purses(self) -> list[Costs]:
        """Every purse that is told apart."""
        found: list[Costs] = [()]
        for pool in self.pools:
            found = [(*purse, left) for purse in found for left in range(MOST[pool] + 1)]
        return found

    def steps(self, purses: Sequence[Costs]) -> Iterator[list[Step | None]]:
        """What each of the course's costs makes of each purse, as the core prices it; None where it cannot be paid."""
        numbers = {purse: number for number, purse in enumerate(purses)}
        for costs, landing in zip(self.costs, self.samples, strict=True):
            made: list[Step | None] = []
            for purse in purses:
                left = {**self.car.wear, **dict(zip(self.pools, purse, strict=True))}
                full, self.car.wear = self.car.wear, left
                price = self.book.landings.price(self.car, landing)
                payable = landing.brakes <= self.book.landings.most_brakes(self.car)
                self.car.wear = full
                rest = tuple([max(have - cost, 0) for have, cost in zip(purse, costs, strict=True)])
                number = -1 if price.out else numbers[rest]
                made.append(Step(number, price.spin, 0.0) if payable else None)
            yield made

    def gears(self) -> dict[tuple[int, int], Pools]:
        """Every change of gear that the rules allow, with the points that it costs; from 0, standing, only into 1st."""
        found: dict[tuple[int, int], Pools] = {}
        for now in range(7):
            self.car.gear = now
            for gear in range(1, 7 if now else 2):
                if self.book.gears.may_shift(self.car, gear):
                    found[now, gear] = dict(self.book.wear.pooled(self.book.gears.gear_cost(now, gear)))
        return found

    def shifts(self, purses: Sequence[Costs], price: float) -> dict[tuple[int, int], list[Step | None]]:
        """What each change of gear makes of each purse; every point of another pool costs a price."""
        numbers = {purse: number for number, purse in enumerate(purses)}
        found: dict[tuple[int, int], list[Step | None]] = {}
        for shift, cost in self.gears().items():
            others = price * sum(points for pool, points in cost.items() if pool not in self.pools)
            made: list[Step | None] = []
            for purse in purses:
                rest = tuple([have - cost.get(pool, 0) for pool, have in zip(self.pools, purse, strict=True)])
                made.append(Step(numbers[rest], False, others) if min(rest) >= 0 else None)
            found[shift] = made
        return found
