"""Gears, moves and what they cost: overshooting, spins, brakes, blocking, gear-down, slipstream. Articles 6 to 8, 10 to
13 and 18."""

from __future__ import annotations

from collections.abc import Sequence
from operator import itemgetter
from typing import Any, Final, NamedTuple

from companion.rules.conversation import Json, Moot, Option, Proc, ask
from companion.rules.damage import WALL, Damage
from companion.rules.errors import BadAnswer
from companion.rules.movement import Landing, Leg
from companion.rules.questions import Choice, Gear, GearDie, whole
from companion.rules.race import C, Cause

SLIDES: Final = {"hard": "8-1-2", "soft": "8-2-2", "rain": "8-3-2"}
"""The article by which a car slides, by its tyres."""


class Price(NamedTuple):
    """What a landing costs: brakes and tyres, whether the car spins, why it goes out."""

    brakes: int
    tyres: int
    spin: bool
    out: Cause


class Driving(Damage[C]):
    """One car's move, from the gear stick to where it stops."""

    # -- gears

    def gear_cost(self, now: int, gear: int) -> dict[str, int]:
        """Changing down by more than one gear costs gearbox, brakes and engine by the gears skipped [13-1, 13-4]."""
        skipped = now - gear - 1
        if skipped < 1:
            return {}
        gearbox, brakes, engine = self.figures.gear_down[skipped - 1]
        cost = {"gearbox": gearbox, "brakes": brakes, "engine": engine}
        return {pool: points for pool, points in cost.items() if points}

    def may_shift(self, car: C, gear: int) -> bool:
        """One gear up at most; down by skipping up to three, never four [6-1-1, 6-1-2, 13-2]."""
        return car.gear - 1 - len(self.figures.gear_down) <= gear <= car.gear + 1

    def can_pay(self, car: C, cost: dict[str, int]) -> bool:
        """A skip that a pool cannot pay is not allowed: without gearbox points one gear down at a time; the last
        engine point may be spent, and ends the race [5-1-3, 13-1, rulings 22, 23]."""
        return all(car.wear[pool] >= points for pool, points in self.pooled(cost).items())

    def gears(self, car: C) -> list[int]:
        """The gears that a car may take now [6-1-1, 13-1]."""
        return [
            gear
            for gear in range(1, 7)
            if self.may_shift(car, gear) and self.can_pay(car, self.gear_cost(car.gear, gear))
        ]

    def gear_question(self, car: C) -> Gear | None:
        """Which gear, each with its cost [6-3.1]."""
        if not car.alive:
            return None
        gears = self.gears(car)
        return Gear(
            car.number,
            self.article("6-1-1"),
            lambda: [(self.gear_option(car, gear), gear) for gear in gears],
            wanted="The gears allowed now are",
            find=lambda answer: answer if type(answer) is int and answer in gears else None,
        )

    def gear_option(self, car: C, gear: int) -> Option:
        """A gear as an answer with its cost."""
        cost = self.gear_cost(car.gear, gear)
        facts: dict[str, Json] = {}
        if cost.get("engine") and self.fatal(car, "engine", cost["engine"]):
            facts["out"] = "engine"
        return Option(gear, self.cost(cost), facts)

    def choose_gear(self, car: C) -> Proc[None]:
        """Announcing the gear, setting the stick, crossing off the points of a gear-down [6-3.1, 6-3.2, 6-3.3]."""
        gear = yield from ask(self.gear_question, car)
        self.shift(car, gear)

    def shift(self, car: C, gear: int) -> None:
        """The stick is set and a gear-down is paid; an engine point of it marks the space where the turn began, and
        the last one ends the race on the spot [13-3, 13-4, 16-0-3-1, 20-4-3]."""
        cost = self.gear_cost(car.gear, gear) if gear < car.gear else {}
        before, car.gear = car.gear, gear
        self.move.gear = gear
        fatal = "engine" in cost and self.fatal(car, "engine", cost["engine"])
        if cost:
            self.lose(car, "gear_down", "13-4", cost, before=before, gear=gear, skipped=before - gear - 1)
        else:
            self.rule("gear", "6-1-1", car, before=before, gear=gear)
        if cost.get("engine"):
            self.strained(car)
            if fatal:
                self.eliminate(car, "engine", "16-0-3-1", removed=True)

    def strained(self, car: C) -> None:
        """An engine point lost by changing down marks the space where the turn began [13-3]."""
        self.mark(self.move.begin, "13-3", car)

    def gear_die(self, car: C) -> GearDie | None:
        """The die of the gear announced [6-3.4, 6-2-6]."""
        return GearDie(car.number, car.gear, self.article("6-2-6")) if car.alive else None

    # -- tyres

    def factor(self, car: C) -> int:
        """How many tyre points a space overshot costs: by compound, surface and age of the set, not by what went
        before [8-1, 8-1-1, 8-1-2, 8-2, 8-2-1, 8-2-2, 8-3, 8-3-1, 8-3-2, ruling 34]."""
        compound = car.tyres or "hard"
        factors: tuple[int, int, int] = getattr(self.figures, f"factor_{compound}_{'wet' if self.wet else 'dry'}")
        return factors[min(max(car.tyre_laps, 0), 2)]

    def slide(self, car: C) -> int:
        """On a wet track a car slides on in corners where it owes a stop: three spaces, one on rain tyres
        [8-1-2, 8-2-2, 8-3-2]."""
        if not self.wet:
            return 0
        spaces: int = getattr(self.figures, f"slide_{car.tyres or 'hard'}")
        return spaces

    def soft_space(self, car: C) -> bool:
        """Soft tyres may add a space once a turn on a dry track during the first lap of the set, until the car has
        crossed the line or reached its box [8-2-1, 8-2-3, 19-3-6, 6-3.7, rulings 31, 32]."""
        move = self.move
        if self.wet or car.tyres != "soft" or move.soft or car.tyre_laps >= self.figures.soft_laps:
            return False
        return not move.crossed or car.fresh or (car.status == "pit" and not car.stop)

    # -- the leg

    def leg(self, car: C, spaces: int, *, soft: bool = True, least: int = 0) -> Leg:
        """A displacement as the board must search it, with the brakes that are left and no more; danger spaces may be
        driven around, and on the last lap it ends on the line [5-1-2, 11-0-4, 17-1, 17-3]."""
        track, move = self.track, self.move
        ids = track.ids
        start = ids[car.at or ""]
        corner = track.corner[start]
        made = move.made if corner >= 0 and corner == track.corner[ids[move.begin]] else 0
        return Leg(
            start=start,
            spaces=spaces,
            slide=0 if move.slid else self.slide(car),
            soft=soft and self.soft_space(car),
            brakes=self.most_brakes(car),
            made=made,
            taken=frozenset(ids[other.at or ""] for other in self.others(car) if not self.holds_many(other.at)),
            dangers=frozenset(ids[space] for space in self.race.dangers if space in ids),
            finish=self.last_lap(car),
            ages=not car.fresh,
            until=self.box_due(car),
            least=least,
            pits_count=self.figures.pits_are_a_way_round,
            soft_ends=self.figures.soft_space_not_over_line,
        )

    def most_brakes(self, car: C) -> int:
        """How many spaces a car can brake away: one for each brake point, and none without [11-0-4, 5-1-2]."""
        return self.left(car, "brakes")

    def box_due(self, car: C) -> int:
        """The id of the box in which a car must stop if it is in (or enters) the lane; -1 if it may not or need not."""
        raise NotImplementedError

    # -- prices

    def price(self, car: C, landing: Landing, entry: int = 0) -> Price:
        """What a landing costs. Overshooting: spaces times factor in tyres; two stops missing, or more than the tyres
        left, and the car is out [10-0-1, 10-1, 10-3]. Blocked: by the table [12-0-1, 12-1-1]. Brakes: one a space
        [11-0-3]. Tyres from both are added [ruling 40]."""
        tyres, limit = 0, self.tyre_limit(car)
        brakes = landing.brakes + entry
        if landing.overs:
            tyres = landing.overshot * self.factor(car)
            if landing.missing >= 2 or tyres > limit:
                return Price(brakes, tyres, False, "overshoot")
        if landing.blocked:
            table = self.figures.blocking
            if landing.blocked > len(table):
                return Price(brakes, tyres, False, "blocked")
            more = table[landing.blocked - 1]
            brakes += more[0]
            tyres += more[1]
            if brakes > self.left(car, "brakes") or tyres > limit:
                return Price(brakes, tyres, False, "blocked")
        return Price(brakes, tyres, bool(tyres) and tyres == limit, "")

    def tyre_limit(self, car: C) -> int:
        """The tyre points that a car can lose at once and stay in the race: those it has, and one where it has none
        left [10-3]."""
        return max(self.left(car, "tyres"), 1)

    # -- landings

    def landings(self, car: C, leg: Leg) -> list[Landing]:
        """Every legal stop of a leg; of blocked ones only the furthest, then the one that would play first next time
        [12-1-3, ruling 48]."""
        found = self.board.landings(leg)
        if not any(landing.blocked for landing in found):
            return found
        best: dict[int, int] = {}
        for landing in found:
            if landing.blocked:
                best[landing.brakes] = max(best.get(landing.brakes, -1), self._ahead_of(leg.start, landing.space))
        return [
            landing
            for landing in found
            if not landing.blocked or self._ahead_of(leg.start, landing.space) == best[landing.brakes]
        ]

    def _ahead_of(self, start: int, space: int) -> int:
        track = self.track
        return (track.place[space] - track.place[start]) % track.length

    def option(self, landing: Landing, price: Price, wear: dict[str, int], *, several: bool) -> Option:
        """A landing as an answer with its cost; where there are several ways it says over which tests."""
        track, space = self.track, landing.space
        answer: dict[str, Json] = {"space": track.spaces[space].name, "brakes": landing.brakes, "soft": landing.soft}
        facts: dict[str, Json] = {"moved": landing.moved}
        tests = [self.test_name(test) for test in landing.tests] if landing.tests else []
        if tests:
            facts["tests"] = tests
        if several:
            answer["over"] = tests
        if landing.overs:
            facts["overshot"] = landing.overshot
        elif (index := track.corner[space]) >= 0 and not landing.finished:
            corner = track.corners[index]
            facts["corner"] = corner.number
            facts["stops"] = self._stops_at(landing, index)
            facts["of"] = corner.stops
        if landing.slid:
            facts["slid"] = landing.slid
        if landing.blocked:
            facts["blocked"] = landing.blocked
        if landing.finished:
            facts["finish"] = True
        if price.out:
            facts["out"] = price.out
        elif price.spin:
            facts["spin"] = True
        return Option(answer, wear, facts)

    def _stops_at(self, landing: Landing, corner: int) -> int:
        track, move = self.track, self.move
        made = move.made if move.made and track.corner[track.ids[move.begin]] == corner else 0
        still = not landing.moved and not move.moved and landing.brakes > 0
        return min(made + int(self.counts_standing(still)), track.corners[corner].stops)

    def test_name(self, test: int) -> str:
        """A test of the way by name: the danger space, or the wall beside a space."""
        return self.track.spaces[test].name if test >= 0 else WALL + self.track.spaces[~test].name

    def choices(self, car: C, found: Sequence[Landing], entry_brake: int = 0) -> list[tuple[Option, Landing]]:
        """Landings as options, cheapest first, the best way to each stop before the other ways there; `over` tells ways
        apart that differ only in what they cross."""
        ways: dict[tuple[int, int, int], list[Landing]] = {}
        for landing in found:
            ways.setdefault((landing.space, landing.brakes, landing.soft), []).append(landing)
        prices: dict[tuple[object, ...], tuple[Price, dict[str, int], tuple[bool, bool, int]]] = {}
        first: list[tuple[tuple[Any, ...], Option, Landing]] = []
        other_ways: list[tuple[tuple[Any, ...], Option, Landing]] = []
        for several in ways.values():
            rows = []
            for landing in several if len(several) == 1 else _told_apart(several):
                entry = entry_brake if entry_brake and self.enters_corner(car, landing) else 0
                if entry and landing.brakes + entry > self.left(car, "brakes"):
                    continue
                alike = landing.brakes, landing.overs, landing.blocked, entry
                if alike not in prices:
                    price = self.price(car, landing, entry)
                    wear = self.cost({"brakes": price.brakes, "tyres": price.tyres})
                    prices[alike] = price, wear, (bool(price.out), price.spin, price.brakes + price.tyres)
                price, wear, cost = prices[alike]
                rank = cost, len(landing.tests), -landing.moved, landing.space
                rows.append((rank, self.option(landing, price, wear, several=len(several) > 1), landing))
            if len(rows) > 1:
                rows.sort(key=itemgetter(0))
                other_ways += rows[1:]
            first += rows[:1]
        first.sort(key=itemgetter(0))
        other_ways.sort(key=itemgetter(0))
        return [(option, landing) for _, option, landing in first + other_ways]

    def landing_question(self, car: C, spaces: int, *, soft: bool = True, least: int = 0) -> Choice[Landing] | None:
        """Where the car stops: every reachable stop with its cost [6-3.5, 6-3.6, 6-3.7, 6-3.9]."""
        if not car.alive or car.at is None:
            return None
        leg = self.leg(car, spaces, soft=soft, least=least)
        found = self.landings(car, leg)
        if car.coast:
            found = self.furthest(car, leg, found)
        return Choice(
            "landing",
            car.number,
            self.article("7-2-3"),
            lambda: self.choices(car, found),
            what=f"spaces_{spaces}",
            wanted="From there the car can stop at",
            broad=self._any_landing,
            find=lambda answer: self._only(answer, found),
        )

    def _only(self, answer: Json, found: Sequence[Landing]) -> Landing | None:
        """The landing that an answer names, if there is one of its space, brakes and soft space, or several and it says
        over which tests."""
        if not isinstance(answer, dict) or answer.keys() | {"over"} != {"space", "brakes", "soft", "over"}:
            return None
        name, brakes, soft = answer["space"], answer["brakes"], answer["soft"]
        if type(name) is not str or type(brakes) is not int or type(soft) is not int:
            return None
        space = self.track.ids.get(name)
        named = [one for one in found if one.space == space and one.brakes == brakes and one.soft == soft]
        if "over" in answer and len(named) > 1:
            return next((one for one in named if [self.test_name(test) for test in one.tests] == answer["over"]), None)
        return named[0] if len(named) == 1 and "over" not in answer else None

    def furthest(self, car: C, leg: Leg, found: list[Landing]) -> list[Landing]:
        """A coasting car goes as far as it can without going out or spinning if that is possible, soft space and slide
        included, and brakes only against blocking or going out [16-0-3, 16-0-8, 20-4-2, rulings 68, 69]."""

        def rank(landing: Landing) -> tuple[int, ...]:
            price = self.price(car, landing)
            worst = 2 if price.out else int(price.spin)
            ahead = self._ahead_of(leg.start, landing.space)
            return (
                worst,
                -int(landing.finished),
                landing.blocked if worst == 2 else 0,
                -landing.moved,
                -ahead,
            )

        best = min(map(rank, found))
        return [landing for landing in found if rank(landing) == best]

    def _any_landing(self, answer: Json) -> Landing:
        """A landing by the referee's word: any space that exists and is free, at the brakes named."""
        name = answer.get("space") if isinstance(answer, dict) else None
        if not isinstance(name, str) or name not in self.track.ids:
            raise BadAnswer(
                'A landing names a space of the circuit, such as {"space": "5:left:3", "brakes": 0, "soft": 0}.'
            )
        car, space = self.car(self.move.car), self.track.ids[name]
        if not self.holds_many(name) and any(other.at == name for other in self.others(car)):
            raise BadAnswer(f"Another car stands on {name}; a space holds one car.")
        brakes, soft = whole(answer.get("brakes", 0)), whole(answer.get("soft", 0))
        most = self.left(car, "brakes")
        if not 0 <= brakes <= most or not 0 <= soft <= 1:
            raise BadAnswer(f"Car {car.number} can spend 0 to {most} brakes and 0 or 1 soft space there.")
        return Landing(space, self._about(car, space), brakes, soft)

    def _about(self, car: C, space: int) -> int:
        """About how many spaces a space lies ahead of a car, where no legal way counts them; less than 0 behind it."""
        ahead = self._ahead_of(self.track.ids[car.at or ""], space)
        return (ahead + 1) // 2 if 2 * ahead <= self.track.length else (ahead - self.track.length) // 2

    # -- moving

    def take(self, car: C, landing: Landing, entry: int = 0) -> None:
        """Puts the car where it stops and notes what its way has brought; the line may have been crossed [21-1-5].
        By the referee's word a car may also go back, over the line too."""
        track, move = self.track, self.move
        start = track.ids[car.at or ""]
        name = track.spaces[landing.space].name
        moved = max(landing.moved, 0)
        move.moved += moved
        move.tests += [self.test_name(test) for test in landing.tests]
        move.overs = [list(over) for over in landing.overs]
        move.blocked = landing.blocked
        move.braked += landing.brakes
        if landing.space != start:
            self.race.turn += 1
            car.arrived = self.race.turn
        back: dict[str, Json] = {"back": -landing.moved} if landing.moved < 0 else {}
        self.rule("move", "6-2-1", car, begin=car.at, at=name, moved=moved, **back)
        if landing.slid and landing.moved:
            move.slid = True
            self.rule("slide", SLIDES[car.tyres or "hard"], car, spaces=landing.slid)
        if landing.soft:
            move.soft = True
            self.rule("soft", "8-2-1", car)
        self.brake(car, landing.brakes)
        if entry:
            self.lose(car, "slipstream", "18-1-4", {"brakes": entry}, brakes=entry)
        past, past_now = track.past_line(start), track.past_line(landing.space)
        crosses = landing.finished or (not back and past_now and not past)
        if back and past and not past_now:
            car.lap = max(0, car.lap - 1)
        car.at = name
        if name.startswith(("pit:", "box:")):
            self.into_pits(car, name)
        elif car.in_pits:
            self.leave_lane(car)
        if crosses:
            move.crossed, move.finished = True, landing.finished or self.last_lap(car)
            car.lap += 1

    def into_pits(self, car: C, place: str) -> None:
        """In the pit lane, or in the box; a coasting car goes on coasting."""
        if place.startswith("box"):
            car.status = "box"
        elif car.status != "coasting":
            car.status = "pit"

    def leave_lane(self, car: C) -> None:
        """Back on the track: the stop is over."""
        car.status, car.stop = "racing", ""

    def brake(self, car: C, brakes: int) -> None:
        """Each brake point shortens the move by one space, at any moment of it [11-0-1, 11-0-3, 6-3.9]."""
        if brakes:
            self.lose(car, "brake", "11-0-3", {"brakes": brakes}, spaces=brakes)

    def displace(self, car: C, spaces: int, *, soft: bool = True, least: int = 0) -> Proc[None]:
        """The move of a turn: where it stops, then as many slipstreams as offer themselves [6-3.5 to 6-3.9, 18-1-3]."""
        if self.track.known == "corner":
            yield from self.displace_unseen(car, spaces, soft=soft, least=least)
            return
        landing = yield from ask(self.landing_question, car, spaces, soft=soft, least=least)
        self.take(car, landing)
        yield from self.further(car, soft)

    def further(self, car: C, soft: bool) -> Proc[None]:
        """What may follow a move before its tests: as many slipstreams as offer themselves [18-1-3]."""
        while (yield from self.slipstream(car, soft)):
            pass

    def slipstream(self, car: C, soft: bool) -> Proc[bool]:
        """One slipstream; whether it was offered and taken [18-0-3, 18-0-4]."""
        try:
            tow = yield from ask(self.slipstream_question, car, soft)
        except Moot:
            return False
        if tow is None:
            return False
        self.move.slipstreams += 1
        self.rule("slipstream", "18-0-3", car, spaces=tow.moved)
        yield from self.towed(car, tow)
        return True

    def towed(self, car: C, tow: Landing) -> Proc[None]:
        """The way of a slipstream; into a corner it costs a brake [18-1-4, 18-2-3]."""
        self.take(car, tow, self.figures.corner_brake if self.enters_corner(car, tow) else 0)
        return
        yield

    def displace_unseen(self, car: C, spaces: int, *, soft: bool = True, least: int = 0) -> Proc[None]:
        """The move of a turn on a corner sheet, as the table saw it."""
        raise NotImplementedError
        yield

    # -- slipstream

    def tows(self, car: C, ahead: C | None) -> bool:
        """A slipstream is offered behind a car that is not in a higher gear, both in 4th or more, to one that did not
        brake and was not blocked or out of line [18-0-1, 18-0-2, 18-1-1, 18-1-6, 18-2-2, rulings 73, 74]."""
        move = self.move
        if ahead is None or not car.alive or car.coast or car.status not in ("racing", "pit") or move.finished:
            return False
        if move.braked or move.blocked or move.overs:
            return False
        least = self.figures.slipstream_gear
        return least <= ahead.gear <= car.gear and self.draws(ahead)

    def draws(self, ahead: C) -> bool:
        """There is no slipstream behind a spun car, a coasting one or a wreck; behind one whose engine has just broken
        there is [10-4-4, 16-0-5, 18-1-7, 18-1-8, ruling 73]."""
        if ahead.status == "coasting":
            return ahead.coast == 4
        return ahead.status in ("racing", "pit")

    def car_ahead(self, car: C) -> C | None:
        """The car straight ahead in the lane, if there is one [18-0-2, ruling 2]."""
        ahead = self.track.ahead[self.track.ids[car.at or ""]]
        if ahead < 0:
            return None
        name = self.track.spaces[ahead].name
        return next((other for other in self.others(car) if other.at == name), None)

    def enters_corner(self, car: C, landing: Landing) -> bool:
        """A slipstream begun on a straight that ends in or beyond a corner costs a brake; begun in a corner it does
        not [18-1-4, 18-2-3, 18-3-2, ruling 76]."""
        track = self.track
        start = track.ids[car.at or ""]
        if track.corner[start] >= 0 or (landing.finished and not landing.overs):
            return False
        return bool(landing.overs) or track.corner[landing.space] >= 0

    def slipstream_question(self, car: C, soft: bool) -> Choice[Landing | None] | None:
        """Whether to take the slipstream and where it ends; all its spaces, or fewer by brakes; never compulsory
        [18-0-3, 18-0-4, 18-1-2, 18-1-5, 18-2-1, 18-3-1, 18-3-3, 19-1-3, rulings 75 to 80]. From the pit lane only
        where none of them is lost: where it leads out [ruling 79]."""
        if car.at is None or not self.tows(car, self.car_ahead(car)):
            return None
        spaces = self.figures.slipstream_spaces
        leg = self.leg(car, spaces, soft=soft, least=1)
        if self.figures.no_slipstream_into_pits:
            leg = leg._replace(until=-1)
        found = [landing for landing in self.landings(car, leg) if landing.moved]
        if car.in_pits:
            found = [landing for landing in found if landing.moved + landing.brakes + landing.blocked >= spaces]
        choices: list[tuple[Option, Landing | None]] = [(Option(None), None)]
        choices += self.choices(car, found, self.figures.corner_brake)
        if len(choices) == 1:
            return None
        return Choice(
            "slipstream",
            car.number,
            self.article("18-0-2"),
            choices,
            what=f"tow_{self.move.slipstreams + 1}",
            wanted="The slipstream may be left (null) or end at",
            broad=lambda answer: None if answer is None else self._any_landing(answer),
        )

    # -- what the move has cost

    def settle(self, car: C) -> Proc[None]:
        """Once the way's tests are done: overshooting is paid, then blocking [6-3.11, ruling 40]."""
        self.overshoot(car)
        if car.alive:
            yield from self.blocked(car)

    def overshoot(self, car: C) -> None:
        """A corner left with a stop missing costs tyres for each space beyond it, by their factor
        [10-0-1, rulings 36, 37]."""
        overs = self.move.overs
        if not overs:
            return
        spaces = sum(over[1] for over in overs)
        factor = self.factor(car)
        loss = spaces * factor
        corners = [self.track.corners[over[0]].number for over in overs]
        missing = max(over[2] for over in overs)
        limit = self.tyre_limit(car)
        self.lose(
            car,
            "overshoot",
            "10-0-1",
            {"tyres": loss},
            spaces=spaces,
            factor=factor,
            loss=loss,
            corners=corners,
            missing=missing,
        )
        self.overshot(car, missing, loss, limit)

    def overshot(self, car: C, missing: int, loss: int, limit: int) -> None:
        """Two stops missing, or more lost than the tyres could pay, and the car is taken off at once without a marker;
        exactly the last point spins it [10-1, 10-3, 10-4-1, 20-1]."""
        if missing >= 2:
            self.eliminate(car, "overshoot", "10-1", removed=True)
        elif loss > limit:
            self.eliminate(car, "overshoot", "10-3", removed=True)
        elif loss and not self.works(car, "tyres") and not self.move.blocked:
            self.spin(car, "10-4-1")

    def spin(self, car: C, article: str) -> None:
        """The last tyre point spins the car where it stands; it stays in its gear until the end of the round
        [5-1-4, 10-4-1, 10-4-2, 12-1-4]."""
        if self.move.finished:
            return
        car.turned = False
        if car.coast:
            self.eliminate(car, "engine", "16-0-3-1", removed=True)
            return
        car.status = "spun"
        self.rule("spin", article, car, at=car.at)

    def blocked(self, car: C) -> Proc[None]:
        """Spaces that could not be driven cost brakes and tyres by the table, whatever the tyres; who cannot pay, or
        is blocked by seven or more, is out [12-0-1, 12-0-2, 12-1-1, 12-1-4, 20-2-1]."""
        spaces = self.move.blocked
        if not spaces:
            return
        table = self.figures.blocking
        owed = sum(over[1] for over in self.move.overs) * self.factor(car)
        if spaces > len(table):
            self.rule("blocked", "12-1-1", car, spaces=spaces)
            yield from self.blocked_out(car)
            return
        brakes, tyres = table[spaces - 1]
        limit = self.left(car, "tyres") if owed else self.tyre_limit(car)
        short = brakes > self.left(car, "brakes") or tyres > limit
        self.lose(
            car,
            "blocked",
            "12-0-1",
            {"brakes": brakes, "tyres": tyres},
            spaces=spaces,
            brakes=brakes,
            tyres=tyres,
        )
        if short:
            yield from self.blocked_out(car)
        elif not self.works(car, "tyres") and (tyres or owed):
            self.spin(car, "12-1-4")

    def blocked_out(self, car: C) -> Proc[None]:
        """Out by blocking: the car just in front loses a body point without a roll, both spaces are marked, and the
        others in contact test aggravated [12-1-1, 12-1-2, 12-1-5, 20-2-1, 20-2-2, rulings 49 to 51]."""
        front = yield from self.just_in_front(car)
        self.eliminate(car, "blocked", "12-1-1", removed=False, at_space=car.at)
        self.mark(car.at, "12-1-2", car)
        if front is not None and self.works(front, "body") and front.alive:
            self.damage(front, "body", "12-1-1", why="blocked", other=car.number)
        yield from self.tests_beside_wreck(car, front)

    def tests_beside_wreck(self, car: C, front: C | None) -> Proc[None]:
        """The others in contact with a car that is out by blocking test aggravated [12-1-5, 20-2-2, ruling 51]."""
        for other in self.neighbours(car):
            if other is not front and self.rolls(other):
                yield from self.body_test(other, True, car)

    def just_in_front(self, car: C) -> Proc[C | None]:
        """The car straight ahead in the lane; where the arrows lead elsewhere, the one on the space the way needed,
        the driver choosing among several [12-1-1, ruling 49]."""
        ahead = self.car_in_front(car)
        if ahead is not None:
            return ahead
        found = self.in_the_way(car)
        if not found:
            return None
        if len(found) == 1:
            return found[0]
        number = yield from ask(self.front_question, car, [other.number for other in found])
        return self.car(number)

    def car_in_front(self, car: C) -> C | None:
        """The car straight ahead, on the board or as the table saw it."""
        if self.track.known == "corner":
            return self.car(self.move.ahead) if self.move.ahead else None
        return self.car_ahead(car)

    def in_the_way(self, car: C) -> list[C]:
        """The cars on the spaces to which a printed move leads from where the car stands."""
        if self.track.known == "corner":
            return [self.car(number) for number in self.move.beside]
        names = {self.track.spaces[x].name for x in self.track.moves[self.track.ids[car.at or ""]]}
        return [other for other in self.others(car) if other.at in names]

    def front_question(self, car: C, numbers: list[int]) -> Choice[int]:
        """Which car stands just in front of the blocked one [12-1-1, ruling 49]."""
        return Choice("front", car.number, self.article("12-1-1"), [(Option(number), number) for number in numbers])

    # -- the end of the move

    def count_stops(self, car: C) -> None:
        """Where the whole turn ends inside a corner it makes a stop, but not in one reached by overshooting another;
        standing still on brakes makes one too, unless the table rules otherwise. A straight asks for none
        [6-2-1, 7-1-1, 7-2-2, 10-2-3, 19-3-8, rulings 28 to 30]."""
        corner, begin = self.corner_of(car.at), self.corner_of(self.move.begin)
        if corner < 0 or self.move.overs:
            car.stops = 0
        else:
            stops = self.track.corners[corner].stops
            made = self.move.made if corner == begin else 0
            if not self.counts_standing(self.move.braked > 0 and not self.move.moved):
                return
            car.stops = min(made + 1, stops)
            if made < stops:
                self.rule("stop", "7-1-1", car, corner=self.track.corners[corner].number, stops=car.stops, of=stops)

    def _set_place(self, car: C, place: Json) -> None:
        """Moved by the referee's word into another corner, or out of one, a car has made no stop there."""
        before = self.corner_of(car.at)
        super()._set_place(car, place)
        if self.corner_of(car.at) != before:
            car.stops = 0

    def counts_standing(self, still: bool) -> bool:
        """Whether a turn makes a stop although the car stood still on brakes in it, if it did [ruling 29]."""
        return not (still and self.figures.no_stop_standing_still)

    def corner_of(self, at: str | None) -> int:
        """The index of the corner that a place lies in, between its two lines in that lane, -1 for none
        [7-1-2, 7-1-3]."""
        if at is None:
            return -1
        if self.track.known == "corner":
            where, _, number = at.partition(":")
            return int(number) - 1 if where == "corner" else -1
        return self.track.corner[self.track.ids[at]]

    def age_tyres(self, car: C) -> None:
        """A set ages by a lap at each crossing of the line, but not at the first one on the way out of its box or off
        the grid [8-0-2, 8-2-1, 8-2-3, ruling 33]."""
        if self.move.crossed:
            if car.fresh:
                car.fresh = False
            else:
                car.tyre_laps += 1
            self.rule("lap", "0-0-1", car, lap=car.lap, tyre_laps=car.tyre_laps)
        if self.come_round(car):
            car.round_set = True

    def come_round(self, car: C) -> bool:
        """Whether a car is in the second half of the lap, on its way to the pit entry [19-2-4, ruling 35]."""
        if car.at is None or car.in_pits:
            return False
        if self.track.known == "corner":
            return self.stretch(car.at) > len(self.track.corners)
        return not self.track.past_line(self.track.ids[car.at])


def _told_apart(several: Sequence[Landing]) -> list[Landing]:
    """One landing for each set of tests."""
    apart: dict[tuple[int, ...], Landing] = {}
    for landing in several:
        apart.setdefault(landing.tests, landing)
    return list(apart.values())
