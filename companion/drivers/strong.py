"""Drivers that know how far away the flag is: they read the table of turns that a car alone still needs.

What the table leaves out is added in turns: parts whose last point ends the race, dangers and cars to touch, cars in
the way, the pits. A learner misjudges much of it, a club driver some, a champion nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import exp, factorial
from random import Random
from typing import TYPE_CHECKING, Final, Literal

from companion.drivers.course import FURTHEST, Scene
from companion.drivers.prepared import Table, table_of
from companion.drivers.sensible import Sensible
from companion.drivers.worth import DICE, LAST, SPIN, STUCK, out_of
from companion.rules.circuit.track import Track
from companion.rules.conversation.asking import Asked, Json, Option
from companion.rules.conversation.kinds import Compound, Pool, Pools
from companion.rules.conversation.setup import read_options
from companion.rules.dice.formula_de import FormulaDe
from companion.rules.dice.state import VITAL, Car, Race
from companion.rules.rulebooks import named

if TYPE_CHECKING:
    from companion.rules.rulebooks import Dice

Strength = Literal["learner", "club", "champion"]
WEIGHED: Final = frozenset({"gear", "landing", "slipstream", "kers", "clutch"})
"""The questions that a table weighs."""
ERRORS: Final[Mapping[Strength, float]] = {"learner": 1.6, "club": 0.5, "champion": 0.0}
"""By how many turns each misjudges an answer, as the standard deviation."""
TESTS: Final[Mapping[Pool, float]] = {"body": 0.16, "engine": 0.053, "handling": 0.016}
"""How often a part is tested in a turn among five others (counted in 2,300 turns on Monaco)."""
GEARBOX: Final = (9.0, 2.0, 0.7, 0.4, 0.3)
"""What a point of the gearbox is worth, by the points left."""
FACES: Final = 20
"""Of the black die, that tests are rolled with."""
WORTH: Final = 3.0
"""A gear that promises so many turns less than the best is not thought of."""
MISSED: Final = 4.0
"""What it is worth to have missed the pits with another chance to come."""
SPARE: Final = 3
"""How many points of a single pool are kept for each lap, for what others do to the car."""
BARE: Final = 0.8
"""What each of these is worth, in turns."""
STOP: Final = 2.5
"""What a pit stop takes beside the way, in turns."""
CAR: Final[Pools] = {"gearbox": 3, "body": 3, "engine": 4, "handling": 2}
"""How a champion builds; what is left, the points of the stand with it, tyres and brakes share."""
CAR_IN_THE_WET: Final[Pools] = {"gearbox": 2, "body": 4, "engine": 3, "handling": 2}
"""There a touch costs twice as often, an engine lasts longer, and what is left is 0.3 turns."""
DRY: Final[tuple[Compound, ...]] = ("hard", "soft")
FLAT_OUT: Final = 0.1
"""How often a roll in 5th or 6th is one that drives engines to their limit."""
RISKED: Final = 0.3
"""The share of what it is worth to be out that is feared of others' touch, dangers and engines: who drives to win goes
round less, and of 100 races in rain wins 84 for 68 at the whole of it."""


class Strong:
    """Answers by the turns still to come; what no table knows as a sensible driver does."""

    def __init__(
        self,
        track: Track,
        seed: int = 0,
        *,
        rulebook: str = "competition",
        strength: Strength = "champion",
        options: Mapping[str, Json] | None = None,
    ) -> None:
        """`options` are the race's changed figures."""
        self.track, self.rulebook, self.strength, self.options = track, rulebook, strength, options
        self.random, self.error = Random(seed), ERRORS[strength]
        self.sensible = Sensible(track, seed)
        self.known = track.known == "space"
        self._tables: dict[tuple[Scene, int], Table] = {}
        self.book: Dice | None = None
        self._before_pits = self.before_pits() if self.known else frozenset()
        self._exit = track.pit.exits[-1][1] if self.known and track.pit and track.pit.exits else -1

    def answer(self, asked: Asked, race: Race[Car]) -> Json:
        """The answer that promises the flag soonest."""
        options = asked.options or []
        turns = self.weigh(asked, race) if len(options) > 1 else None
        if turns is None:
            return self.besides(asked, race)
        if self.error:
            turns = [one + self.random.gauss(0.0, self.error) if one < LAST else one for one in turns]
        return options[turns.index(min(turns))].answer

    def weigh(self, asked: Asked, race: Race[Car]) -> list[float] | None:
        """The turns still to come with each answer to a question, what its risks are worth counted in; None where no
        table knows."""
        if not self.known or asked.ask not in WEIGHED or not asked.options:
            return None
        car = next(car for car in race.cars if car.number == asked.car)
        if car.in_pits or car.at is None:
            return None
        if asked.ask == "gear":
            return self.gears_turns(asked.options, race, car)
        return self.landing_turns(asked.options, race, car)

    def besides(self, asked: Asked, race: Race[Car]) -> Json:
        """What is not weighed: a car and its tyres as a champion has them, the rest as a sensible driver answers."""
        options = asked.options or []
        if asked.ask == "setup" and self.known and "points" in (asked.fields or {}) and "brakes" in race.pools:
            return self.build(asked, race)
        if asked.ask == "tyres" and self.known:
            wanted = self.tyres(race, next(car for car in race.cars if car.number == asked.car))
            if any(option.answer == wanted for option in options):
                return wanted
        if asked.ask == "stop" and self.strength != "learner":
            slow = next(option for option in options if option.answer != "quick")
            return self.stop(slow, next(car for car in race.cars if car.number == asked.car))
        return self.sensible.answer(asked, race)

    # -- what the table says

    def table(self, race: Race[Car], car: Car, tyres: Compound = "") -> Table:
        """The table for a car as it is shod on this surface, or on other tyres."""
        scene = Scene.of(self.rulebook, race.surface == "wet", tyres or car.tyres)
        key = scene, race.laps
        found = self._tables.get(key)
        if found is None:
            found = self._tables[key] = table_of(self.track, scene, race.laps, self.options)
        return found

    def turns(self, race: Race[Car], car: Car) -> float:
        """The turns that a car still needs from where it stands between two turns, as if it were alone; 0 for one that
        is home."""
        after = race.laps - car.lap
        if car.status == "finished":
            return 0.0
        if not car.alive or car.at is None:
            return out_of(self.track, after)
        table, space = self.table(race, car), self.track.ids[car.at]
        if self.track.spaces[space].section < 0:
            after -= self.track.past_line(self._exit) and not self.track.past_line(space)
            return STOP / 2 + table.before(
                max(after, -table.first), table.purse(car.wear), 3, table.place[self._exit, 0]
            )
        gear = car.gear if car.status == "racing" else 0
        return table.before(after, table.purse(car.wear), gear, self.place(table, space, car.stops), _new(car))

    def place(self, table: Table, space: int, made: int) -> int:
        """The number of a place."""
        found = table.place.get((space, made))
        return table.place[space, 0] if found is None else found

    def made(self, race: Race[Car], space: int) -> int:
        """The stops that count in a corner if the turn ends where the car stands now."""
        corner = self.track.corner[space]
        return min(self.sensible.made(race, space), self.track.corners[corner].stops) if corner >= 0 else 0

    # -- gears

    def gears_turns(self, options: list[Option], race: Race[Car], car: Car) -> list[float]:
        """The turns with each gear: by the table, and where cars are in the way of those worth thinking of, by what
        each roll could do between them."""
        turns = [self.gear_turns(option, race, car) for option in options]
        must_stop = self.must_stop(race, car)
        shod = car.tyres or "hard"
        other = Scene.of(self.rulebook, race.surface == "wet", shod).tyres != shod
        near = 1 if must_stop or other else self.in_the_way(race, car)
        if self.strength == "learner" or not near:
            return turns
        least, table, stops = min(turns), self.table(race, car), {}
        purse, _ = self.purse(table, car, {}, self.spare(race, car, table))
        for number, option in enumerate(options):
            gear = option.answer
            if (turns[number] > least + WORTH and not must_stop) or near > DICE[gear][-1][0] + 2:
                continue
            space = self.track.ids[car.at or ""]
            place = self.place(table, space, car.stops)
            alone = table.rolling(race.laps - car.lap, purse, gear, place, _new(car))
            among = 0.0
            for face, share in DICE[gear]:
                if face not in stops:
                    stops[face] = self.reach(race, car, face + 1)
                among += share * min(self.landing_turns(stops[face], race, car, gear))
            turns[number] += among - alone
        return turns

    def in_the_way(self, race: Race[Car], car: Car) -> int:
        """How many spaces away, about, the next car on the road is that a roll could meet; 0 for none."""
        track = self.track
        here, place, length = track.place[track.ids[car.at or ""]], track.place, track.length
        ahead = [
            (place[track.ids[other.at]] - here) % length
            for other in race.cars
            if other is not car and other.at is not None and other.standing and not other.in_pits
        ]
        near = min((gap for gap in ahead if gap <= 2 * FURTHEST), default=-1)
        return max(1, near // 2) if near >= 0 else 0

    def reach(self, race: Race[Car], car: Car, spaces: int) -> list[Option]:
        """Every stop of a roll, with the others where they stand now."""
        book = self.thinking(race)
        found = book.landings.landings(car, book.landings.leg(car, spaces))
        return [option for option, _ in book.landings.choices(car, found)]

    def thinking(self, race: Race[Car]) -> Dice:
        """The rulebook, to be asked what else could happen in a race; no question of the race is put by it."""
        if self.book is None:
            kind = named(self.rulebook)
            assert issubclass(kind, FormulaDe)
            self.book = kind(race, self.track, read_options({"options": dict(self.options or {})}, kind.figures_type))
        self.book.race = race
        return self.book

    def gear_turns(self, option: Option, race: Race[Car], car: Car) -> float:
        """The turns with a gear: those to come after it, and what its cost is worth."""
        table = self.table(race, car)
        if "out" in option.facts:
            return out_of(self.track, race.laps - car.lap)
        purse, price = self.purse(table, car, option.wear, self.spare(race, car, table))
        if option.wear:
            price += self.price(
                race, car, table, {pool: points for pool, points in option.wear.items() if pool not in table.pools}
            )
        gear = option.answer
        if gear >= 5:
            others = sum(other.gear >= 5 and other.status == "racing" for other in race.cars if other is not car)
            tests = FLAT_OUT * (1 + 0.5 * others)  # a roll of theirs tests this engine too, if they stay so fast
            price += tests * self.loses(race, "engine") * self.point(race, car, "engine", table)
        space = self.track.ids[car.at or ""]
        place = self.place(table, space, car.stops)
        return price + table.rolling(race.laps - car.lap, purse, gear, place, _new(car))

    def spare(self, race: Race[Car], car: Car, table: Table) -> int:
        """How many points of its one pool a car keeps for what others do to it."""
        if len(table.pools) > 1 or not any(other.alive for other in race.cars if other is not car):
            return 0
        return min(max(car.wear[table.pools[0]] - 1, 0), SPARE * max(race.laps - car.lap + 1, 1))

    def purse(self, table: Table, car: Car, wear: Mapping[Pool, int], spare: int) -> tuple[int, float]:
        """The purse that a cost leaves, without what is kept, and what it is worth to go below that, in turns."""
        left: Pools = {pool: points + wear.get(pool, 0) for pool, points in car.wear.items()}
        if not spare:
            return table.purse(left), 0.0
        pool = table.pools[0]
        below = max(0, spare - left[pool])
        left[pool] = max(left[pool] - spare, 0)
        return table.purse(left), below * BARE

    def price(self, race: Race[Car], car: Car, table: Table, wear: Mapping[Pool, int]) -> float:
        """What points are worth that the table does not count, in turns; each one as many as are left then."""
        total = 0.0
        for pool, points in wear.items():
            for spent in range(-points):
                total += self.point(race, car, pool, table) if pool in TESTS else _of(GEARBOX, car.wear[pool] - spent)
        return total

    def loses(self, race: Race[Car], part: Pool) -> float:
        """How likely a test of a part costs a point."""
        tests = self.thinking(race).tests
        to = {"body": tests.collision_to, "engine": tests.engine_to, "handling": tests.handling_to}[part]()
        return to / FACES

    # -- landings

    def landing_turns(self, options: list[Option], race: Race[Car], car: Car, gear: int = 0) -> list[float]:
        """The turns that each stop leaves, with what its risks are worth; in the gear that the car is in, or in
        another."""
        gear = gear or car.gear
        track, table = self.track, self.table(race, car)
        ids, here, after = track.ids, track.ids[car.at or ""], race.laps - car.lap
        taken = {ids[other.at] for other in race.cars if other.at is not None and other is not car}
        rolls = self.thinking(race).collisions.mover_tests()
        touch = self.loses(race, "body") * self.point(race, car, "body", table) if rolls else 0.0
        danger = self.loses(race, "handling") * self.point(race, car, "handling", table)
        out, stop_due = out_of(self.track, after), here in self._before_pits and self.must_stop(race, car)
        spare = self.spare(race, car, table)
        purses: dict[tuple[tuple[Pool, int], ...], int] = {}
        prices: dict[tuple[tuple[Pool, int], ...], float] = {}
        found = []
        for option in options:
            facts, answer = option.facts, option.answer
            if "out" in facts:
                found.append(out)
                continue
            space = here if answer is None else ids[answer["space"]]
            if "finish" in facts:
                found.append(-1.0)
                continue
            spent = tuple(option.wear.items())
            if spent not in purses:
                purses[spent], prices[spent] = self.purse(table, car, option.wear, spare)
            turns = prices[spent] + danger * len(facts.get("tests", ()))
            crosses = track.past_line(space) and not track.past_line(here)
            stops = track.corner[space] >= 0 and "overshot" not in facts  # who drops the clutch stops there too
            made = self.made(race, space) if answer is None else facts.get("stops", int(stops))
            place = table.place.get((space, made))
            if place is None:
                if track.spaces[space].section < 0:
                    turns += self.pit_turns(race, car, table)
                    found.append(turns)
                    continue
                place = self.place(table, space, 0)
            if stop_due and space not in self._before_pits:
                turns += LAST if car.lap >= race.laps else MISSED
            spins = "spin" in facts
            new = _new(car) and (car.fresh or not crosses)
            turns += table.before(after - crosses, purses[spent], 0 if spins else gear, place, new)
            if spins:
                turns += SPIN
            near = self.sensible.view(space, 0).contact & taken
            turns += touch * len(near)
            if track.ahead[space] in near and answer is not None and not answer["brakes"] and not spins:
                turns = min(turns, self.towed_turns(race, car, option, crosses, gear, table))
            found.append(turns)
        return found

    def towed_turns(self, race: Race[Car], car: Car, option: Option, crosses: bool, gear: int, table: Table) -> float:
        """The turns that a slipstream leaves which a stop behind another car would bring; many where there is none."""
        if "overshot" in option.facts or "blocked" in option.facts:
            return STUCK
        book = self.thinking(race)
        was = car.at, car.gear, car.lap, car.wear
        try:
            car.at, car.gear, car.lap = option.answer["space"], gear, car.lap + crosses
            car.wear = {pool: points + option.wear.get(pool, 0) for pool, points in car.wear.items()}
            question = book.slipstream.slipstream_question(car, False)
            if question is None:
                return STUCK
            ends = [one for one in question.options() if one.answer is not None]
            return min(self.landing_turns(ends, race, car, gear))
        finally:
            car.at, car.gear, car.lap, car.wear = was

    def point(self, race: Race[Car], car: Car, part: Pool, table: Table) -> float:
        """What a point of a part is worth, in turns: where its last one ends the race, what is feared of being out, as
        often as exactly the others will be lost before the flag; of a pool that the table counts, what the table
        says."""
        after, place = race.laps - car.lap, table.place.get((self.track.ids[car.at or ""], car.stops))
        if place is None:
            return 1.0
        purse = table.purse(car.wear)
        turns = table.before(after, purse, car.gear, place)
        if part in car.wear:
            left, lost = car.wear[part], TESTS[part] * self.loses(race, part) * turns
            others = max(left - self.thinking(race).wear.fatal(car, part, left), 0)
            return RISKED * out_of(self.track, after) * exp(-lost) * lost**others / factorial(others)
        less: Pools = {pool: points - 1 for pool, points in car.wear.items()}
        return max(table.before(after, table.purse(less), car.gear, place) - turns, 0.1)

    def must_stop(self, race: Race[Car], car: Car) -> bool:
        """Whether a car still owes a second compound, with one lap to go or none."""
        return self.sensible.lacks_compound(car, race) and car.lap >= race.laps - 1

    def before_pits(self) -> frozenset[int]:
        """The spaces from which a way leads to the pit entry before it leads over the line."""
        track = self.track
        found, row = set[int](), [space for space, _ in (track.pit.entries if track.pit else ())]
        while row:
            space = row.pop()
            if space not in found:
                found.add(space)
                row += [] if space in track.line else track.back[space]
        return frozenset(found)

    def pit_turns(self, race: Race[Car], car: Car, table: Table) -> float:
        """The turns with a pit stop: what it takes, and the way on from the exit with a car as it was built."""
        if self.must_stop(race, car):
            return -2 * LAST
        after = race.laps - car.lap - 1
        if after < 0 or self._exit < 0:
            return 3 * LAST
        wear = {pool: max(points, car.built.get(pool, 0)) for pool, points in car.wear.items()}
        return STOP + table.before(after, table.purse(wear), 3, table.place[self._exit, 0])

    def stop(self, slow: Option, car: Car) -> Json:
        """Where a quick stop gains as often as it loses, a full one, whose points left over are spaces on the way out;
        where a slow one takes a turn more, only for a part whose next loss is the end."""
        if slow.answer == "full":
            return slow.answer
        due = any(car.wear[part] <= 1 < car.built.get(part, 0) for part in VITAL if part in car.wear)
        return slow.answer if slow.facts.get("stand") and due else "quick"

    # -- before the race

    def tyres(self, race: Race[Car], car: Car) -> Compound:
        """Rain tyres for a wet track, and under a sky that may bring rain: on a dry track they lose little beside
        hard ones, and others lose two turns a lap on a wet one. Else whichever the table has home first; so too before
        a race that asks for a stop, where others can be had in time."""
        lacks = self.sensible.lacks_compound(car, race)
        owes, stops_anyway = car.tyres if lacks else "", lacks and not car.tyres
        if owes != "rain" and (race.surface == "wet" or not (race.fixed or stops_anyway)):
            return "rain"
        return min((one for one in DRY if one != owes), key=lambda tyres: self.home(race, car, tyres, car.wear))

    def home(self, race: Race[Car], car: Car, tyres: Compound, wear: Pools) -> float:
        """The turns from pole, or out of the pits, on a new set of tyres with so many points."""
        table, after, new = self.table(race, car, tyres), race.laps - car.lap, tyres == "soft"
        if car.at is None:
            return table.before(after, table.purse(wear), 0, table.place[self.track.grid[0], 0], new)
        after -= self.track.past_line(self._exit) and not self.track.past_line(self.track.ids[car.at])
        return table.before(max(after, 0), table.purse(wear), 3, table.place[self._exit, 0], new)

    def build(self, asked: Asked, race: Race[Car]) -> Json:
        """A car with all its points on it; those of the stand too, for a stop is hardly ever worth its turns. Tyres and
        brakes share theirs as the table has the car home first on the tyres that it will be given."""
        fields = asked.fields or {}
        points, kept = fields["points"]
        least = fields["tyres"][0]
        car = next(car for car in race.cars if car.number == asked.car)
        built = CAR_IN_THE_WET if race.surface == "wet" else CAR
        rest = points + kept - sum(built.values())
        if rest < 2 * least:
            return (asked.options or [])[0].answer
        shares: list[Pools] = [
            {**built, "tyres": rest - brakes, "brakes": brakes} for brakes in range(least, rest - least + 1)
        ]
        fits = DRY if race.surface == "dry" and race.fixed else ("rain",)
        best = min(shares, key=lambda wear: min(self.home(race, car, tyres, wear) for tyres in fits))
        return {**best, "stand": 0}


def _new(car: Car) -> bool:
    """Whether a car is on its first lap on soft tyres."""
    return car.tyres == "soft" and not car.tyre_laps


def _of(worth: tuple[float, ...], left: int) -> float:
    return worth[min(max(left, 0), len(worth) - 1)]
