"""A driver that means to arrive: it looks at the next corner, the gears and what it has left."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from random import Random
from typing import Final, NamedTuple

from companion.drivers.assumed_board import look, pool
from companion.drivers.fighting import ASKS, fight
from companion.drivers.foresight import ROUGHLY, Outfit, outlook_of, roll, through, window
from companion.rules.circuit.track import Track
from companion.rules.conversation.asking import Asked, Json, Option
from companion.rules.conversation.faces import GEAR_DICE
from companion.rules.conversation.kinds import POOLS, Pool, Pools
from companion.rules.dice.state import VITAL, Car, RaceState

CORNER_WORTH: Final = 25.0
"""Worth of a corner already behind the car, in spaces."""
CARS: Final = ((8, 3, 2, 3, 3, 3), (9, 3, 2, 3, 2, 3), (7, 4, 2, 3, 3, 3), (7, 3, 2, 3, 3, 3))
"""Builds that this driver likes, in the order of the pools; the points left over go to the stand."""
DANGER_COST: Final = (0.0, 45.0, 8.0, 3.0, 2.0)
"""Worth of going round a danger space, in spaces, by the handling points left (the last one for 4 and more)."""
TREAD: Final[tuple[Pool, ...]] = ("tyres", "brakes")
SLIDES: Final = {"rain": 1}


class RoadAhead(NamedTuple):
    """The road ahead of a space.

    It is the window of the corner that wants stops, how many, which corner it is; and the spaces on which another car
    would be in contact.
    """

    near: int
    far: int
    stops: int
    goal: int
    contact: frozenset[int]


class HeuristicDriver:
    """A driver who means to finish well.

    He chooses gears by what the dice may bring before the next corner, landings by what they cost now and leave for
    later, and the pits when the tyres are nearly gone.
    """

    def __init__(self, track: Track, seed: int = 0, highest: int = 6) -> None:
        """`highest` is the highest gear of the race."""
        self.track, self.highest = track, highest
        self.random = Random(seed)
        self.outlook = outlook_of(track) if track.known == "space" else None
        self._views: dict[tuple[int, int], RoadAhead] = {}
        self._base = self.outlook.base if self.outlook is not None else []

    def answer(self, asked: Asked, race: RaceState[Car]) -> Json:
        """Return the answer that promises most."""
        ask = asked.ask
        if ask == "roll":
            return self.random.choice(GEAR_DICE[int(asked.what[-1])])
        if asked.faces is not None:
            return self.random.choice(asked.faces)
        if ask == "zone":
            return (asked.options or [])[0].answer
        car = next(car for car in race.cars if car.number == asked.car)
        options = asked.options or []
        if ask == "saw":
            assert asked.fields is not None
            return look(self.track, race, car, asked.fields, self.random, wild=False)
        if ask == "gear":
            return self.gear(options, race, car)
        if ask in ("landing", "slipstream", "kers"):
            return self.landing(options, race, car)
        if ask == "allowance":
            return options[0].answer
        if ask in ASKS:
            return fight(asked, car, self.random)
        if ask == "setup":
            return self.build(asked, race, car)
        if ask == "tyres":
            return self.tyres(options, race, car)
        if ask == "stop":
            return self.stop(options, car)
        if ask == "repair":
            return self.repair(options, car)
        return self.random.choice(options).answer

    def build(self, asked: Asked, race: RaceState[Car], car: Car) -> Json:
        """Return a car with more points where dangers and other cars wear it down; the rest is the stand's.

        A team's points are shared by its cars.
        """
        assert asked.fields is not None
        if "team" in asked.fields:
            return self.share(asked.fields, sum(one.team == car.team and not one.wear for one in race.cars))
        points, kept = asked.fields["points"]
        spread = dict(zip(POOLS, self.random.choice(CARS), strict=True))
        short = points + kept - sum(spread.values())
        stand = min(max(short, 0), kept)
        spread["tyres"] += short - stand
        if any(not low <= spread[name] <= high for name, (low, high) in ((one, asked.fields[one]) for one in POOLS)):
            return self.random.choice(asked.options or []).answer
        return {**spread, "stand": stand}

    def share(self, fields: Mapping[str, Json], cars: int) -> Pools:
        """Return the base of a team's car, and its share of the points: tyres and brakes first."""
        spread: Pools = {name: fields[name][0] for name in POOLS}
        left = fields["team"] // (cars if cars == 2 else 1)
        turns: tuple[Pool, ...] = ("tyres", "brakes", "tyres", "body")
        for name in turns * (left // 4 + 1):
            if fields["cost"][name] <= left:
                spread[name] += 1
                left -= fields["cost"][name]
        return spread

    # -- what a car can pay

    def outfit(self, car: Car, race: RaceState[Car], tyres: int = 0, brakes: int = 0) -> Outfit:
        """Return the outfit left after this many points of tyres and brakes gained or lost, as foresight counts it."""
        tyres += car.wear[pool(car, "tyres")]
        brakes += car.wear[pool(car, "brakes")]
        wet = race.surface == "wet"
        factor = 2 if car.tyres in ("soft", "super_soft") or (car.tyres == "rain" and not wet) else 1
        slide = SLIDES.get(car.tyres, 3) if wet else 0
        most = (tyres - 1) // factor
        return Outfit(ROUGHLY[min(max(brakes, 0), 3)], ROUGHLY[min(max(most, 0), 5)], slide, self.highest)

    def price(self, car: Car, wear: Mapping[Pool, int]) -> float:
        """Return the worth of wear: the fewer points a pool has left, the more."""
        total = 0.0
        for name, points in wear.items():
            left = max(car.wear[name] + points, 0)
            total += -points * (1.5 + 4.0 / (left + 1))
        return total

    # -- gears

    def gear(self, options: list[Option], race: RaceState[Car], car: Car) -> Json:
        """Return the gear whose die promises most before and in the next corner."""
        if self.outlook is None or len(options) == 1 or car.in_pits:
            return self.blind_gear(options, car)
        space = self.track.ids.get(car.at or "", -1)
        if space < 0:
            return options[0].answer
        near, far, stops, _, _ = self.view(space, car.stops)
        outfit = self.outfit(car, race)
        best, least = options[0].answer, 1e9
        for option in options:
            cost = roll(near, far, stops, option.answer, outfit)
            if option.wear:
                cost += self.price(car, option.wear)
            if "out" in option.facts:
                cost += 1000.0
            if cost < least:
                best, least = option.answer, cost
        return best

    def blind_gear(self, options: list[Option], car: Car) -> Json:
        """Return third or fourth, without paying: on a corner sheet, in the lane, or without a choice."""
        free = [option.answer for option in options if not option.wear] or [options[0].answer]
        wanted = 3 + (self.random.random() < 0.5) if not car.in_pits else 4
        return min(free, key=lambda gear: abs(gear - wanted))

    def view(self, space: int, made: int) -> RoadAhead:
        """Return the road ahead of a car that stands on a space, with this many stops made there."""
        found = self._views.get((space, made))
        if found is None:
            found = self._views[space, made] = self._look(space, made)
        return found

    def _look(self, space: int, made: int) -> RoadAhead:
        assert self.outlook is not None
        track = self.track
        contact = frozenset({track.ahead[space], *track.beside[space]})
        corner = track.corner[space]
        if corner >= 0 and (owed := track.corners[corner].stops - made) > 0:
            return RoadAhead(1, self.outlook.rest(space), owed, corner, contact)
        ahead = self.outlook.ahead(space)
        stops = track.corners[ahead.corner].stops if ahead.corner >= 0 else 1
        return RoadAhead(*window(ahead.near, ahead.far), stops, ahead.corner, contact)

    # -- landings

    def landing(self, options: list[Option], race: RaceState[Car], car: Car) -> Json:
        """Return the stop that costs least now and in the corner after it."""
        if self.outlook is None or len(options) == 1:
            return options[-1].answer if self.outlook is None else options[0].answer
        ids = self.track.ids
        here = ids[car.at or ""]
        taken = {ids[other.at] for other in race.cars if other.at is not None and other is not car}
        best, least = options[0].answer, 1e9
        outfit = free = self.outfit(car, race)
        paid: Pools = {}
        price = 0.0
        for option in options:
            if "out" in option.facts and least < 900.0:
                break  # they come cheapest first: nothing better follows
            if option.wear != paid:
                paid = option.wear
                tyres, brakes = (paid.get(pool(car, part), 0) for part in TREAD)
                outfit = self.outfit(car, race, tyres, brakes) if paid else free
                price = self.price(car, paid)
            cost = price + self.worth(option, race, car, here, taken, outfit)
            if cost < least:
                best, least = option.answer, cost
        return best

    def worth(
        self, option: Option, race: RaceState[Car], car: Car, here: int, taken: Collection[int], outfit: Outfit
    ) -> float:
        """Return the cost of a landing beside its wear, in spaces: less is better."""
        track, facts, answer = self.track, option.facts, option.answer
        if "out" in facts:
            return 1000.0
        if "finish" in facts:
            return -1000.0
        cost = 25.0 if "spin" in facts else 0.0
        if "tests" in facts:
            cost += len(facts["tests"]) * DANGER_COST[min(car.wear[pool(car, "handling")], 4)]
        space = here if answer is None else track.ids[answer["space"]]
        if track.spaces[space].section < 0:
            return cost + self.pitting(car, race, space)
        view = self.view(space, self.stops_if_ending(race, space) if answer is None else facts.get("stops", 0))
        if not view.contact.isdisjoint(taken):
            cost += 0.4 * DANGER_COST[min(car.wear[pool(car, "body")], 4)]
        cost += through(view.near, view.far, view.stops, car.gear, outfit)
        behind = (view.goal - self._base[here] + 2) % len(track.corners) - 2
        return cost - CORNER_WORTH * behind - 0.02 * ((track.place[space] - track.place[here]) % track.length)

    def stops_if_ending(self, race: RaceState[Car], space: int) -> int:
        """Return the stops that count in a corner if the turn ends where the car stands now."""
        move, corner = race.move, self.track.corner
        begin = self.track.ids.get(move.begin, -1) if move else -1
        return (move.made if move and begin >= 0 and corner[begin] == corner[space] else 0) + 1

    # -- pits

    def pitting(self, car: Car, race: RaceState[Car], space: int) -> float:
        """Return the cost of going into the pits: little with the tyres nearly gone, high without need."""
        box = self.track.spaces[space].name.startswith("box")
        if car.in_pits:
            return 0.0 if box else 5.0
        need = car.wear[pool(car, "tyres")] <= (3 if "tyres" in car.wear else 6) or self.wrong_tyres(car, race)
        if race.owes_compound(car) and car.lap >= race.laps - 1:
            return -300.0
        wish = 20.0 if need and car.lap < race.laps else -60.0
        return -wish - (5.0 if box else 0.0)

    def wrong_tyres(self, car: Car, race: RaceState[Car]) -> bool:
        """Return True if the weather has left the car on the wrong tyres for good."""
        return race.surface == "wet" and car.tyres != "rain" and race.fixed

    def tyres(self, options: list[Option], race: RaceState[Car], car: Car) -> Json:
        """Return rain tyres for a wet track; on a dry one soft or hard, as the driver likes them.

        A compound that the race still asks for comes before his taste.
        """
        wanted = "rain" if race.surface == "wet" else "soft" if self.random.random() < 0.35 else "hard"
        if car.tyres and race.owes_compound(car) and wanted == car.tyres:
            wanted = "soft" if wanted == "hard" else "hard"
        return wanted if any(option.answer == wanted for option in options) else options[0].answer

    def stop(self, options: list[Option], car: Car) -> Json:
        """Return a stop with repairs for a worn car if it brings any; else a quick one.

        A full stop, which takes no points of the stand, is taken half of the time even without wear.
        """
        slow = next(option for option in options if option.answer != "quick")
        if slow.answer == "full":
            return slow.answer if self.worn(car) or self.random.random() < 0.5 else "quick"
        return slow.answer if slow.facts.get("stand") and self.worn(car) else "quick"

    def worn(self, car: Car) -> bool:
        """Return True if a repair would be worth the wait."""
        return any(car.wear[pool] <= 1 < car.built.get(pool, 0) for pool in (*VITAL, "brakes"))

    def repair(self, options: list[Option], car: Car) -> Json:
        """Return the repair that gives most where least is left."""

        def gain(option: Option) -> float:
            return sum(points / (car.wear[pool] + 0.5) for pool, points in option.wear.items() if pool in POOLS)

        return max(options, key=gain).answer
