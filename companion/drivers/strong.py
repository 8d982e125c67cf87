"""Drivers that know how far away the flag is: they read the table of turns that a car alone still needs.

What the table leaves out is added in turns: parts whose last point ends the race, dangers and cars to touch, cars in
the way, the pits. A learner misjudges much of it, a club driver some, a champion nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import exp, factorial
from random import Random
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

import msgspec

from companion.drivers.fighting import MOST, Rival, aim
from companion.drivers.prepared import table_of
from companion.drivers.sensible import HeuristicDriver
from companion.drivers.table import Table
from companion.drivers.turn_graph import FURTHEST, UNNAMED, Scene, fitting
from companion.drivers.weights import DICE, FEARED, LAST, SPIN, STUCK, out_of
from companion.rules.circuit.track import Track
from companion.rules.conversation.asking import Asked, Json, Option
from companion.rules.conversation.kinds import Compound, Pool, Pools
from companion.rules.conversation.setup import read_options
from companion.rules.death.cards import CARDS
from companion.rules.death.death import Death
from companion.rules.dice.formula_de import FormulaDe
from companion.rules.dice.state import VITAL, Car, RaceState
from companion.rules.rulebooks import RULEBOOKS, named

if TYPE_CHECKING:
    from companion.rules.rulebooks import Dice

Strength = Literal["learner", "club", "champion"]
WEIGHED: Final = frozenset({"gear", "landing", "slipstream", "kers", "clutch"})
"""Questions that a table weighs."""
ALLOWANCE_WORTH: Final[Mapping[str, float]] = {"top": 0.3, "super_top": 1.0, "boosters": 0.3}
"""Worth of an unused allowance of a variant, in turns, with the whole lap or race still to come."""
ERRORS: Final[Mapping[Strength, float]] = {"learner": 1.6, "club": 0.5, "champion": 0.0}
"""Standard deviation of the error with which each one judges an answer, in turns."""
TESTS_PER_TURN: Final[Mapping[Pool, float]] = {"body": 0.16, "engine": 0.053, "handling": 0.016}
"""Tests of a part per turn, among five other cars (counted in 2,300 turns on Monaco)."""
GEARBOX_WORTH: Final = (9.0, 2.0, 0.7, 0.4, 0.3)
"""Worth of a point of the gearbox, by the points left."""
FACES: Final = 20
"""Number of faces of the black die, which tests are rolled with."""
WORTH: Final = 3.0
"""Number of turns by which a gear may be worse than the best and still be considered."""
STOPS: Final = {"cup": -0.2, "death": 0.3}
"""Cost of a stop besides its way, in turns, where it is low: in the cup a car goes from the entry into its box at once,
and the points that it does not use are spaces."""
WAITING_STOP: Final = 0.7
"""Cost of a stop besides its way, in turns, with a wait in the box, which half of the quick ones have."""
KERS: Final = 0.3
"""Worth of the last point of KERS, in turns, with a lap to go until there are new ones."""
BOUGHT: Final = 2
"""Boosters that a champion buys: of 60 races of Formula D on Monaco he wins 40 against those who buy none, with 4 of
them 32."""
TWISTY: Final = 12.0
"""Spaces of a lap to a stop up to which high wings are the better ones: against normal ones they win 37 of 60 races of
Formula D on Monaco, which has 11 to a stop, and 14 of 40 on the oval of Copper Basin."""
SPACES: Final = 9.0
"""Spaces a turn, on the shortest lap and in the pits."""
ENTRY_LOSS: Final = 0.5
"""Average share of a turn lost where the pit entry ends it."""
CAR: Final[Pools] = {"gearbox": 3, "body": 3, "engine": 4, "handling": 2}
"""A champion's build; tyres and brakes share the rest, including the points of the stand."""
CAR_IN_THE_WET: Final[Pools] = {"gearbox": 2, "body": 4, "engine": 3, "handling": 2}
"""There a touch costs twice as often, an engine lasts longer, and what is left is 0.3 turns."""
AGES: Final = 2
"""Laps after which a set of tyres is as old as it gets."""
FLAT_OUT_SHARE: Final = 0.1
"""Share of the rolls in 5th or 6th gear that drive engines to their limit."""
HALVING_TURNS: Final = 4.0
"""Number of turns behind at which a target is worth half as much."""
SLIP_MINE_COST: Final = 1.7
"""Assumed cost of driving over a slip mine, in turns: the rest of the move, and two gears."""
SLIP_MINE_HITS: Final = 0.2
"""Probability that a slip mine catches a car coming from behind; all see it (16 of 78 in 60 races on Monaco)."""
RISKED: Final = 0.3
"""The share of what it is worth to be out that is feared of others' touch, dangers and engines: who drives to win goes
round less, and of 100 races in rain wins 84 for 68 at the whole of it."""


class Plan(NamedTuple):
    """A plan of a car for the rest of the race.

    It drives with `after` crossings of the line to come, after the next one, as if the flag fell at the last of them,
    and needs `more` turns from there.
    """

    after: int
    more: float


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
        self._kind = RULEBOOKS.nearest(rulebook, ("cup", "death"))
        self.random, self.error = Random(seed), ERRORS[strength]
        self.sensible = HeuristicDriver(track, seed)
        self.known = track.known == "space"
        self._tables: dict[tuple[Scene, int], Table] = {}
        self.book: Dice | None = None
        self._before_pits = self.before_pits() if self.known else frozenset()
        self._exit = track.pit.exits[-1][1] if self.known and track.pit and track.pit.exits else -1
        self._entries = [space for space, _ in track.pit.entries] if self.known and track.pit else []
        self._stints: dict[tuple[str, int, int, tuple[int, ...], Compound], float] = {}

    def answer(self, asked: Asked, race: RaceState[Car]) -> Json:
        """Return the answer that promises the flag soonest."""
        options = asked.options or []
        turns = self.weigh(asked, race) if len(options) > 1 else None
        if turns is None:
            return self.besides(asked, race)
        if self.error:
            turns = [one + self.random.gauss(0.0, self.error) if one < LAST else one for one in turns]
        return options[turns.index(min(turns))].answer

    def weigh(self, asked: Asked, race: RaceState[Car]) -> list[float] | None:
        """Return the turns still to come with each answer to a question, its risks counted in.

        None where no table knows.
        """
        if not self.known or asked.ask not in WEIGHED or not asked.options:
            return None
        car = _car_asked(asked, race)
        if car.in_pits or car.at is None:
            return None
        if asked.ask == "gear":
            return self.gears_turns(asked.options, race, car)
        if asked.ask == "slipstream":
            turns = self.slipstream_turns(asked.options, race, car)
        else:
            turns = self.landing_turns(asked.options, race, car)
        if asked.ask == "kers":
            kept = self.kers_value(asked, race, car)
            turns = [one + kept * (option.answer is not None) for one, option in zip(turns, asked.options, strict=True)]
        return turns

    def besides(self, asked: Asked, race: RaceState[Car]) -> Json:
        """Answer a question that no table weighs: cars and tyres as a champion, the rest sensibly."""
        options = asked.options or []
        if asked.ask == "setup" and self.known and "points" in (asked.fields or {}) and "brakes" in race.pools:
            return self.build(asked, race)
        if asked.ask == "tyres" and self.known:
            wanted = self.tyres(race, _car_asked(asked, race))
            if any(option.answer == wanted for option in options):
                return wanted
        if asked.ask == "attack" and self.known and self.strength != "learner":
            car = _car_asked(asked, race)
            rivals = self.rivals(race, car)
            return aim(asked, rivals, self.mines(race, car, rivals))
        if asked.ask == "use" and self.known and self.strength != "learner":
            used = self.uses(asked, race, _car_asked(asked, race))
            if used is not None:
                return used
        if asked.ask in ("allowance", "wings") and self.known and self.strength != "learner":
            return self.allowed(asked, race, _car_asked(asked, race))
        if asked.ask == "stop" and self.strength != "learner":
            slow = next(option for option in options if option.answer != "quick")
            return self.stop(slow, _car_asked(asked, race))
        return self.sensible.answer(asked, race)

    # -- what the table says

    def table(self, race: RaceState[Car], car: Car, tyres: Compound = "") -> Table:
        """Return the table for a car on its tyres, or on others, on this surface."""
        scene = Scene.of(self.rulebook, race.surface == "wet", tyres or car.tyres)
        key = scene, race.laps
        found = self._tables.get(key)
        if found is None:
            found = self._tables[key] = table_of(self.track, scene, race.laps, self.options)
        return found

    def turns(self, race: RaceState[Car], car: Car) -> float:
        """Return the turns that a car still needs from where it stands between two turns, as if it were alone.

        0 for one that is home.
        """
        if car.status == "finished":
            return 0.0
        if not car.alive or car.at is None:
            return out_of(self.track, race.laps - car.lap)
        table, space = self.table(race, car), self.track.ids[car.at]
        if self.track.spaces[space].section < 0:
            way = self.lane_turns(space) + (0.0 if car.stop else self.stop_turns())
            return way + self.stint(race, self.lap_after_pits(car, space), car.wear, car.tyres)
        gear, place = car.gear if car.status == "racing" else 0, self.place(table, space, car.stops)
        purse, new = table.purse(car.wear), _new(car)
        plans = self.plans(race, car, car.lap, space)
        return min(table.before(plan.after, purse, gear, place, new) + plan.more for plan in plans)

    def place(self, table: Table, space: int, made: int) -> int:
        """Return the number of a place."""
        found = table.place.get((space, made))
        return table.place[space, 0] if found is None else found

    def stops_if_ending(self, race: RaceState[Car], space: int) -> int:
        """Return the stops that count in a corner if the turn ends where the car stands now."""
        corner = self.track.corner[space]
        return min(self.sensible.stops_if_ending(race, space), self.track.corners[corner].stops) if corner >= 0 else 0

    # -- gears

    def gears_turns(self, options: list[Option], race: RaceState[Car], car: Car) -> list[float]:
        """Return the turns with each gear, by the table.

        Where cars are in the way, the gears worth a thought are weighed by what each roll could do between them.
        """
        turns = [self.gear_turns(option, race, car) for option in options]
        must_stop = self.must_stop(race, car) and self.pits_in_reach(car)
        shod = car.tyres or "hard"
        other = Scene.of(self.rulebook, race.surface == "wet", shod).tyres != shod
        more_in = self.thinking(race).moving.more_in
        trimmed = any(more_in(car, option.answer) for option in options)
        near = 1 if must_stop or other or trimmed else self.in_the_way(race, car)
        if self.strength == "learner" or not near:
            return turns
        least, table, stops = min(turns), self.table(race, car), {}
        for number, option in enumerate(options):
            gear = option.answer
            if (turns[number] > least + WORTH and not must_stop) or near > DICE[gear][-1][0] + 2:
                continue
            alone, among = self.rolling(race, car, table, gear, {}), 0.0
            for face, share in DICE[gear]:
                spaces = face + 1 + more_in(car, gear)
                if (gear, spaces) not in stops:
                    stops[gear, spaces] = self.reach(race, car, spaces, gear)
                among += share * min(self.landing_turns(stops[gear, spaces], race, car, gear))
            turns[number] += among - alone
        return turns

    def in_the_way(self, race: RaceState[Car], car: Car) -> int:
        """Return about how many spaces away the next car is that a roll could meet; 0 for none."""
        track = self.track
        here, place, length = track.place[track.ids[car.at or ""]], track.place, track.length
        ahead = [
            (place[track.ids[other.at]] - here) % length
            for other in race.cars
            if other is not car and other.at is not None and other.standing and not other.in_pits
        ]
        near = min((gap for gap in ahead if gap <= 2 * FURTHEST), default=-1)
        return max(1, near // 2) if near >= 0 else 0

    def pits_in_reach(self, car: Car) -> bool:
        """Return True if a roll could lead to the pit entry, or past it."""
        place, here = self.track.place, self.track.ids[car.at or ""]
        return any((place[entry] - place[here]) % self.track.length <= 2 * FURTHEST for entry in self._entries)

    def reach(self, race: RaceState[Car], car: Car, spaces: int, gear: int = 0) -> list[Option]:
        """Return every stop of a roll, with the others where they stand now.

        They are those in the gear that the car is in, or in another, in which the pits may be shut or cost a brake.
        """
        landings, now = self.thinking(race).landings, car.gear
        car.gear = gear or now
        try:
            return [option for option, _ in landings.choices(car, landings.landings(car, landings.leg(car, spaces)))]
        finally:
            car.gear = now

    def thinking(self, race: RaceState[Car]) -> Dice:
        """Return the rulebook, to be asked what else could happen in a race; it asks no question of the race."""
        if self.book is None:
            kind = named(self.rulebook)
            assert issubclass(kind, FormulaDe)
            options = dict(self.options or {})
            self.book = kind(race, self.track, read_options({"options": options}, kind.figure_table(options)))
        self.book.race = race
        return self.book

    def gear_turns(self, option: Option, race: RaceState[Car], car: Car) -> float:
        """Return the turns with a gear: those to come after it, and the worth of its cost."""
        table = self.table(race, car)
        if "out" in option.facts:
            return out_of(self.track, race.laps - car.lap)
        price = 0.0
        if option.wear:
            price = self.price(
                race, car, table, {pool: points for pool, points in option.wear.items() if pool not in table.pools}
            )
        gear = option.answer
        if gear >= 5:
            others = sum(other.gear >= 5 and other.status == "racing" for other in race.cars if other is not car)
            tests = FLAT_OUT_SHARE * (1 + 0.5 * others)  # a roll of theirs tests this engine too, if they stay so fast
            price += tests * self.loses(race, "engine") * self.point(race, car, "engine", table)
        return price + self.rolling(race, car, table, gear, option.wear)

    def rolling(self, race: RaceState[Car], car: Car, table: Table, gear: int, wear: Mapping[Pool, int]) -> float:
        """Return the turns after the one that a car begins in a gear which costs so much, by the best plan."""
        space = self.track.ids[car.at or ""]
        place, found = self.place(table, space, car.stops), []
        purse = table.purse({pool: points + wear.get(pool, 0) for pool, points in car.wear.items()})
        for plan in self.plans(race, car, car.lap, space):
            found.append(table.rolling(plan.after, purse, gear, place, _new(car)) + plan.more)
        return min(found)

    def kers_value(self, asked: Asked, race: RaceState[Car], car: Car) -> float:
        """Return the worth of a point of KERS, in turns.

        It grows the fewer there are and the further the line is that brings new ones; past the flag it is 0.
        """
        if car.lap > race.laps or not asked.fields:
            return 0.0
        track, here = self.track, self.track.place[self.track.ids[car.at or ""]]
        ahead = min((track.place[space] - here) % track.length for space in track.line)
        return float(KERS / asked.fields["kers"] * ahead / track.length)

    def allowed(self, asked: Asked, race: RaceState[Car], car: Car) -> Json:
        """Return the spaces that a variant allows a car, those that bring the flag nearest.

        What is kept for later is worth ALLOWANCE_WORTH, by the share of its time that is still to come; a point that a
        test may cost counts as often as the test is lost. Before the race BOUGHT boosters are bought, and wings are
        set high on a circuit of many stops.
        """
        options, track = asked.options or [], self.track
        moves = [option for option in options if "spaces" in option.facts]
        if asked.ask == "wings" and asked.what == "set":
            stops = sum(corner.stops for corner in self.track.corners)
            return "high" if self.track.shortest_lap <= TWISTY * stops else "normal"
        if asked.what == "buy":
            return max((option.answer or 0 for option in options if (option.answer or 0) <= BOUGHT), default=0) or None
        if car.at is None or car.in_pits or not moves:
            return None
        place, table = track.place[track.ids[car.at]], self.table(race, car)
        lap = min((track.place[space] - place) % track.length for space in track.line) / track.length
        to_come = lap * (car.lap <= race.laps)
        if asked.what == "super_top":
            to_come = (to_come + max(race.laps - car.lap, 0)) / race.laps
        found = []
        for option in options:
            facts = option.facts
            if option.answer is None and asked.what == "super_top":
                found.append(self.rolling(race, car, table, car.gear, {}))
                continue
            spaces = facts["spaces"] if option in moves else moves[0].facts["spaces"] - moves[0].answer
            turns = min(self.landing_turns(self.reach(race, car, spaces), race, car))
            if option.answer is not None:
                turns += ALLOWANCE_WORTH.get(asked.what, 0.0) * to_come
            if "loses_to" in facts:
                turns += facts["loses_to"] / FACES * self.point(race, car, "engine", table)
            found.append(turns)
        return options[found.index(min(found))].answer

    def price(self, race: RaceState[Car], car: Car, table: Table, wear: Mapping[Pool, int]) -> float:
        """Return the worth of points that the table does not count, in turns; each by how many are left then.

        A point of the gearbox is worth less the nearer the flag is.
        """
        total = 0.0
        for pool, points in wear.items():
            for spent in range(-points):
                if pool in TESTS_PER_TURN:
                    total += self.point(race, car, pool, table)
                else:
                    total += _of(GEARBOX_WORTH, car.wear[pool] - spent) * self.to_come(race, car, table)
        return total

    def to_come(self, race: RaceState[Car], car: Car, table: Table) -> float:
        """Return the share of a race that is still to come for a car, by its turns."""
        place = self.place(table, self.track.ids[car.at or ""], car.stops)
        turns = table.before(race.laps - car.lap, table.purse(car.wear), car.gear, place)
        return min(1.0, turns / (race.laps * self.track.shortest_lap / SPACES))

    def loses(self, race: RaceState[Car], part: Pool) -> float:
        """Return the chance that a test of a part costs a point."""
        tests = self.thinking(race).tests
        to = {"body": tests.collision_to, "engine": tests.engine_to, "handling": tests.handling_to}[part]()
        return to / FACES

    # -- landings

    def landing_turns(self, options: list[Option], race: RaceState[Car], car: Car, gear: int = 0) -> list[float]:
        """Return the turns that each stop leaves, with the worth of its risks.

        They are those in the gear that the car is in, or in another.
        """
        gear = gear or car.gear
        track, table = self.track, self.table(race, car)
        ids, here, after = track.ids, track.ids[car.at or ""], race.laps - car.lap
        taken = {ids[other.at] for other in race.cars if other.at is not None and other is not car}
        body = self.point(race, car, "body", table)
        danger = self.loses(race, "handling") * self.point(race, car, "handling", table)
        lying = self.lying(race, car, danger)
        out, stop_due = out_of(self.track, after), here in self._before_pits and self.must_stop(race, car)
        plans: dict[tuple[bool, bool], list[Plan]] = {}
        purses: dict[tuple[tuple[Pool, int], ...], int] = {}
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
            turns = sum([lying.get(name, danger) for name in facts.get("tests", ())])
            crosses = track.past_line(space) and not track.past_line(here)
            stops = track.corner[space] >= 0 and "overshot" not in facts  # who drops the clutch stops there too
            made = self.stops_if_ending(race, space) if answer is None else facts.get("stops", int(stops))
            place = table.place.get((space, made))
            if place is None:
                if track.spaces[space].section < 0:
                    found.append(turns + self.pit_turns(race, car, space, option.wear.get("brakes", 0)))
                    continue
                place = self.place(table, space, 0)
            if stop_due and space not in self._before_pits:
                turns += LAST
            spins = "spin" in facts
            new = _new(car) and (car.fresh or not crosses)
            key = crosses, space in self._before_pits
            if key not in plans:
                plans[key] = self.plans(race, car, car.lap + crosses, space)
            if spent not in purses:
                left = {pool: points + option.wear.get(pool, 0) for pool, points in car.wear.items()}
                purses[spent] = table.purse(left)
            best = LAST * LAST
            for plan in plans[key]:
                ahead = table.before(plan.after, purses[spent], 0 if spins else gear, place, new)
                best = min(best, ahead + plan.more)
            turns += best
            if spins:
                turns += SPIN
            near = self.sensible.view(space, 0).contact & taken
            if near:
                turns += body * self.touched(race, car, space)
            if track.ahead[space] in near and answer is not None and not answer["brakes"] and not spins:
                turns = min(turns, self.towed_turns(race, car, option, crosses, gear, table))
            found.append(turns)
        return found

    def touched(self, race: RaceState[Car], car: Car, space: int) -> float:
        """Return how many points the tests of a car cost on average that ends its move beside others on a space."""
        there = msgspec.structs.replace(car, at=self.track.spaces[space].name)
        tests = self.thinking(race).collisions.at(there)
        return sum(test.to / FACES for test in tests if test.car == car.number)

    def lying(self, race: RaceState[Car], car: Car, wreckage: float) -> Mapping[str, float]:
        """Return the cost, in turns, of driving over the hazards besides wreckage, by the space."""
        found: dict[str, float] = {}
        book = self.thinking(race)
        if not isinstance(book, Death):
            return found
        for mine in book.race.mines:
            struck = SLIP_MINE_COST
            if mine.card == "remote-mines":
                hits = book.wreckage.mine_to(book.car(car.number)) / FACES
                struck = hits * self.losses(race, car)[CARDS[mine.card].damage - 1]
            found[mine.at] = found.get(mine.at, wreckage * (mine.at in race.dangers)) + struck
        return found

    def slipstream_turns(self, options: list[Option], race: RaceState[Car], car: Car) -> list[float]:
        """Return the turns with each end of a slipstream, from which another one follows only as the second."""
        move = race.move
        assert move is not None
        move.slipstreams += 1
        try:
            return self.landing_turns(options, race, car)
        finally:
            move.slipstreams -= 1

    def towed_turns(
        self, race: RaceState[Car], car: Car, option: Option, crosses: bool, gear: int, table: Table
    ) -> float:
        """Return the turns left by the slipstream that a stop would bring; many without one."""
        if "overshot" in option.facts or "blocked" in option.facts:
            return STUCK
        book, move = self.thinking(race), race.move
        assert move is not None
        was, slipstreams = (car.at, car.gear, car.lap, car.wear), move.slipstreams
        try:
            car.at, car.gear, car.lap = option.answer["space"], gear, car.lap + crosses
            car.wear = {pool: points + option.wear.get(pool, 0) for pool, points in car.wear.items()}
            question = book.slipstream.slipstream_question(car, False)
            if question is None:
                return STUCK
            ends = [one for one in question.options() if one.answer is not None]
            move.slipstreams += 1
            return min(self.landing_turns(ends, race, car, gear))
        finally:
            (car.at, car.gear, car.lap, car.wear), move.slipstreams = was, slipstreams

    def point(self, race: RaceState[Car], car: Car, part: Pool, table: Table) -> float:
        """Return the worth of a point of a part, in turns.

        Where its last one ends the race, that is the fear of being out, as often as exactly the others will be lost
        before the flag; for a pool that the table counts, it is the table's.
        """
        after, place = race.laps - car.lap, table.place.get((self.track.ids[car.at or ""], car.stops))
        if place is None:
            return 1.0
        purse = table.purse(car.wear)
        turns = table.before(after, purse, car.gear, place)
        if part in car.wear:
            left, lost = car.wear[part], TESTS_PER_TURN[part] * self.loses(race, part) * turns
            others = max(left - self.thinking(race).wear.fatal(car, part, left), 0)
            return RISKED * out_of(self.track, after) * exp(-lost) * lost**others / factorial(others)
        return max(self.losses(race, car)[0], 0.1)

    def must_stop(self, race: RaceState[Car], car: Car) -> bool:
        """Return True if a car still owes a second compound, with one lap to go or none."""
        return self.thinking(race).tyres.lacks_compound(car) and car.lap >= race.laps - 1

    def before_pits(self) -> frozenset[int]:
        """Return the spaces from which a way leads to the pit entry before it leads over the line."""
        track = self.track
        found, row = set[int](), [space for space, _ in (track.pit.entries if track.pit else ())]
        while row:
            space = row.pop()
            if space not in found:
                found.add(space)
                row += [] if space in track.line else track.back[space]
        return frozenset(found)

    def plans(self, race: RaceState[Car], car: Car, lap: int, space: int, *, future: bool = False) -> list[Plan]:
        """Return the plans of a car that stands on a space in a lap: to the flag, or to the next stop.

        A stop that takes little may be driven to as if the flag fell there, for the car gets back what it spends on the
        way. A car imagined in the `future` owes no compound.
        """
        found, first = [Plan(race.laps - lap, 0.0)], 0 if lap and space in self._before_pits else 1
        if self._kind not in STOPS or not self._entries or self._exit < 0 or not 0 < lap + first < race.laps:
            return found
        stops = Plan(first, self.until_stop(race, car, lap + first))
        due = lap + first == race.laps - 1 and not future and self.thinking(race).tyres.lacks_compound(car)
        return [stops] if due else [*found, stops]

    def until_stop(self, race: RaceState[Car], car: Car, lap: int) -> float:
        """Return the turns from a stop at the end of a lap to the flag.

        Those that the way from the pit entry to the line would have taken are not counted.
        """
        table, after = self.table(race, car), self.stopped(race, car, lap, 0)
        line = min(table.before(0, table.purse(car.built), 4, self.place(table, space, 0)) for space in self._entries)
        return ENTRY_LOSS + self.lane_turns(self._entries[0]) + after - line

    def stopped(self, race: RaceState[Car], car: Car, lap: int, brakes: int) -> float:
        """Return the turns that a stop takes and those after it, with this many brakes before it.

        All tyres come back, in the cup two points more, in a race of one pool everything.
        """
        wear = dict(car.built)
        if "brakes" in wear:
            wear["brakes"] = min(wear["brakes"], brakes + (2 if self._kind == "cup" else 0))
        return self.stop_turns() + self.stint(race, lap + 1, wear)

    def stint(self, race: RaceState[Car], lap: int, wear: Pools, tyres: Compound = "") -> float:
        """Return the turns from the pit exit in a lap, with points left, on the given tyres or the best."""
        lap = min(lap, race.laps)
        key = race.surface, race.laps, lap, tuple(wear.values()), tyres
        if key not in self._stints:
            found = []
            kinds = fitting(self.thinking(race), wet=race.surface == "wet")
            for one in (tyres,) if tyres else self.lasting(race, kinds, wear, race.laps - lap + 1):
                car = Car(0, wear=wear, built=wear, tyres=one, lap=lap)
                table = self.table(race, car)
                for plan in self.plans(race, car, lap, self._exit, future=True):
                    place = table.place[self._exit, 0]
                    found.append(table.before(plan.after, table.purse(wear), 3, place, new=True) + plan.more)
            self._stints[key] = min(found)
        return self._stints[key]

    def lane_turns(self, space: int) -> float:
        """Return the turns from a space of the pits to their exit."""
        track = self.track
        return (track.place[self._exit] - track.place[space]) % track.length / 2 / SPACES

    def stop_turns(self) -> float:
        """Return the turns that a stop takes beside its way."""
        return STOPS.get(self._kind, WAITING_STOP)

    def lap_after_pits(self, car: Car, space: int) -> int:
        """Return the lap in which a car is that has left the pits from a space."""
        return car.lap + (self.track.past_line(self._exit) and not self.track.past_line(space))

    def pit_turns(self, race: RaceState[Car], car: Car, space: int, braked: int) -> float:
        """Return the turns with a pit stop, and with the way on from the exit on the restored car.

        `braked` is what the way in takes of its brakes, which no stop for tyres brings back.
        """
        if self.must_stop(race, car):
            return -2 * LAST
        if car.lap >= race.laps or self._exit < 0:
            return 3 * LAST
        lap, brakes = self.lap_after_pits(car, space) - 1, car.wear.get("brakes", 0) + braked
        return self.lane_turns(space) + self.stopped(race, car, lap, brakes)

    def stop(self, slow: Option, car: Car) -> Json:
        """Return a full stop where a quick one gains as often as it loses; points left over become spaces.

        Where a slow stop takes a turn more, it is worth it only for a part whose next loss is the end.
        """
        if slow.answer == "full":
            return slow.answer
        due = any(car.wear[part] <= 1 < car.built.get(part, 0) for part in VITAL if part in car.wear)
        return slow.answer if slow.facts.get("stand") and due else "quick"

    # -- arms

    def rivals(self, race: RaceState[Car], car: Car) -> Mapping[int, Rival]:
        """Return the other cars as targets, with the worth of a point of theirs to this car.

        Those that are as near to the flag as it is, or nearer, are in its way; the further behind they are, the less
        they matter.
        """
        mine = self.turns(race, car)
        return {
            other.number: Rival(
                self.losses(race, other), 0.5 ** max(0.0, (self.turns(race, other) - mine) / HALVING_TURNS)
            )
            for other in race.cars
            if other.standing and not other.in_pits and other is not car
        }

    def uses(self, asked: Asked, race: RaceState[Car], car: Car) -> bool | None:
        """Return True if a car uses a card whose worth can be reckoned, None for any other and for a refit.

        Nitros and mag plates are used where they bring the flag nearer, a mine where a car comes behind.
        """
        if "refit" in (asked.fields or {}):
            return None
        if asked.what == "nitros" and race.move is not None:
            rolled = race.move.face
            without, faster = (
                min(self.landing_turns(self.reach(race, car, spaces), race, car))
                for spaces in (rolled, rolled + car.gear)
            )
            return faster < without
        if asked.what == "mag-plates" and asked.fields:
            here, stays = car.at, self.turns(race, car)
            car.at = asked.fields["at"]
            try:
                return self.turns(race, car) < stays
            finally:
                car.at = here
        if asked.what == "limpet-mines":
            return bool(self.behind(race, car))
        return None

    def behind(self, race: RaceState[Car], car: Car) -> list[int]:
        """Return the cars that come behind one, by number."""
        order = self.thinking(race).order
        return [other.number for other in race.cars if other.alive and order.race_order(other) > order.race_order(car)]

    def mines(self, race: RaceState[Car], car: Car, rivals: Mapping[int, Rival]) -> Mapping[str, float]:
        """Return the cost to others of each mine that is laid now, less its cost to the car that lays it.

        A remote one strikes the car straight ahead, and without one it lies in its own way; a slip mine waits for those
        that come behind, or else for its owner.
        """
        book, remote, struck = self.thinking(race), CARDS["remote-mines"], -1.0
        assert isinstance(book, Death)
        ahead = book.slipstream.car_ahead(book.car(car.number))
        if ahead is not None and ahead.number in rivals:
            struck = book.wreckage.mine_to(ahead) / FACES * rivals[ahead.number].loss(remote.damage)
        matters = max((rivals[number].weight for number in self.behind(race, car) if number in rivals), default=-1.0)
        return {remote.key: struck, "slip-mines": SLIP_MINE_HITS * SLIP_MINE_COST * matters}

    def losses(self, race: RaceState[Car], car: Car) -> tuple[float, ...]:
        """Return the worth of 1, 2, 3, ... points of its one pool to a car on the road, in turns.

        The last point spins it, one more and it is out.
        """
        table, space = self.table(race, car), self.track.ids[car.at or ""]
        pool, place = table.pools[0], self.place(table, space, car.stops)
        left = car.wear[pool]
        if left == 0:
            return (FEARED,) * MOST
        plans = self.plans(race, car, car.lap, space)
        turns = [
            min(table.before(plan.after, purse, car.gear if lost < left else 0, place) + plan.more for plan in plans)
            for lost in range(min(MOST, left) + 1)
            for purse in [table.purse({pool: left - lost})]
        ]
        found = [more - turns[0] + SPIN * (left == lost) for lost, more in enumerate(turns)][1:]
        return (*found, *found[-1:] * (MOST - len(found)))

    # -- before the race

    def lasting(self, race: RaceState[Car], kinds: Sequence[Compound], wear: Pools, laps: int) -> Sequence[Compound]:
        """Return those of some compounds that hold for that many laps, or all if none does.

        One of which a car cannot pay a space beyond a corner once its set is old holds for AGES laps.
        """
        factors_of, wet = self.thinking(race).tyres.factors_of, race.surface == "wet"
        if laps <= AGES or kinds == UNNAMED:
            return kinds
        return [one for one in kinds if factors_of(one, wet=wet)[AGES] <= wear["tyres"]] or kinds

    def tyres(self, race: RaceState[Car], car: Car) -> Compound:
        """Return rain tyres for a wet track, and under a sky that may bring rain; else the compound first home.

        On a dry track rain tyres lose little beside hard ones, and others lose two turns a lap on a wet one. The table
        says which compound is home first; so too before a race that asks for a stop, where others can be had in time.
        """
        lacks = self.thinking(race).tyres.lacks_compound(car)
        last = car.at is not None and self.lap_after_pits(car, self.track.ids[car.at]) >= race.laps
        owes = car.tyres if lacks and last else ""
        waits = lacks or not self.thinking(race).weather.may_turn_wet()
        book = self.thinking(race)
        if owes != "rain" and "rain" in fitting(book, wet=race.surface == "wet" or not waits):
            return "rain"
        kinds = self.lasting(race, fitting(book, wet=False), car.wear, race.laps - car.lap)
        return min((one for one in kinds if one != owes), key=lambda tyres: self.home(race, car, tyres, car.wear))

    def home(self, race: RaceState[Car], car: Car, tyres: Compound, wear: Pools) -> float:
        """Return the turns from pole, or out of the pits, on a new set of tyres with this many points."""
        if car.at is not None:
            return self.stint(race, self.lap_after_pits(car, self.track.ids[car.at]), wear, tyres)
        shod, pole = Car(0, wear=wear, built=wear, tyres=tyres), self.track.grid[0]
        table, place = self.table(race, shod), (pole, 0)
        return min(
            table.before(plan.after, table.purse(wear), 0, table.place[place], new=True) + plan.more
            for plan in self.plans(race, shod, 0, pole, future=True)
        )

    def build(self, asked: Asked, race: RaceState[Car]) -> Json:
        """Return a car with all its points on it, those of the stand too: a stop is hardly ever worth its turns.

        Tyres and brakes share theirs so that the car is home first by the table on the tyres that it will be given.
        """
        fields = asked.fields or {}
        points, kept = fields["points"]
        least, most = fields["tyres"]
        car = _car_asked(asked, race)
        built = CAR_IN_THE_WET if race.surface == "wet" else CAR
        rest = points + kept - sum(built.values())
        shares: list[Pools] = [
            {**built, "tyres": rest - brakes, "brakes": brakes}
            for brakes in range(max(least, rest - most), min(rest - least, fields["brakes"][1]) + 1)
        ]
        if not shares or any(not fields[pool][0] <= count <= fields[pool][1] for pool, count in built.items()):
            return (asked.options or [])[0].answer
        fits = fitting(self.thinking(race), wet=not (race.surface == "dry" and race.fixed))
        best = min(shares, key=lambda wear: min(self.home(race, car, tyres, wear) for tyres in fits))
        return {**best, "stand": 0}


def _car_asked(asked: Asked, race: RaceState[Car]) -> Car:
    """Return the car that a question is for."""
    return next(car for car in race.cars if car.number == asked.car)


def _new(car: Car) -> bool:
    """Return True if a car is on its first lap on its tyres."""
    return not car.tyre_laps


def _of(worth: tuple[float, ...], left: int) -> float:
    return worth[min(max(left, 0), len(worth) - 1)]
