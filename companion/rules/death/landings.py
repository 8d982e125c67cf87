"""Where a move of the death race may stop, and what it costs: a point a space."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from companion.rules.circuit.leg import Landing, Leg
from companion.rules.conversation.asking import JsonValue, Option
from companion.rules.conversation.overriding import override
from companion.rules.death.figures import DeathFigures
from companion.rules.death.state import DeathCar, DeathRace
from companion.rules.death.tyre_tricks import GRIP, SWERVE, Weave
from companion.rules.dice.landings import Landings
from companion.rules.dice.offers import Price

if TYPE_CHECKING:
    from companion.rules.death.death import Death


class DeathLandings(Landings[DeathCar, DeathRace, DeathFigures]):
    """Every stop that a car can reach, with its price."""

    book: Death

    @override
    def leg(self, car: DeathCar, spaces: int, *, soft: bool = True, least: int = 0) -> Leg:
        """A leg tells the ways apart by what they drive over; on the ramp no car is in the way, but for those in the
        pits, and nothing that lies under one [basic.drive, utility.pneumatic-ramp]."""
        ids = self.track.ids
        waiting = frozenset(ids[space] for space in self.book.wreckage.road_hazards(car))
        leg = super().leg(car, spaces, soft=soft, least=least)._replace(dangers=waiting)
        if not self.book.move.ramp:
            return leg
        pits = frozenset(x for x in leg.taken if self.track.spaces[x].section < 0)
        return leg._replace(taken=pits, dangers=waiting - leg.taken)

    @override
    def landings(self, car: DeathCar, leg: Leg) -> list[Landing]:
        """Every legal stop, and those that grip or swerve tyres reach, each for the fewest tokens; for more only where
        that spares it something on the way [utility.grip-tyres, utility.swerve-tyres, basic.drive]."""
        found = super().landings(car, leg)
        tokens = car.stock[car.utility] if car.utility in (GRIP, SWERVE) else 0
        if not tokens or car.in_pits:
            return found

        def woven() -> list[Landing]:
            ways: dict[tuple[int, int], list[tuple[int, set[int]]]] = {}
            for landing in found:
                if not landing.blocked:
                    ways.setdefault((landing.space, landing.brakes), []).append((0, set(landing.tests)))
            best: list[Landing] = []
            for way in sorted(self.book.tyre_tricks.woven(leg, car.utility, tokens), key=lambda way: way.tokens):
                others, over = ways.setdefault((way.space, way.brakes), []), set(way.tests)
                if not any(tests == over or (tests < over and spent < way.tokens) for spent, tests in others):
                    others.append((way.tokens, over))
                    best.append(way)
            return best

        return found + self.board.remembered((leg, car.utility, tokens), woven)

    @override
    def choices(self, car: DeathCar, found: Sequence[Landing], entry_brake: int = 0) -> list[tuple[Option, Landing]]:
        """A landing says what comes of the car's cards there
        [utility.pneumatic-ramp, utility.grip-tyres, utility.swerve-tyres]."""
        choices = super().choices(car, found, entry_brake)
        return [(self.with_cards(option, landing), landing) for option, landing in choices]

    def with_cards(self, option: Option, landing: Landing) -> Option:
        """Which car a landing comes down on, and what tokens it takes
        [utility.pneumatic-ramp, utility.grip-tyres, utility.swerve-tyres]."""
        if isinstance(landing, Weave):
            option.facts.update(card=landing.card, tokens=landing.tokens)
        if not self.book.move.ramp or landing.finished:
            return option
        car = self.car(self.book.move.car)
        other = self.book.bodywork.under(car, landing.space)
        return option if other is None else self.book.gadgets.onto(car, other, option)

    @override
    def prices(self, car: DeathCar) -> Callable[[Landing, int], Price]:
        """A point a space braked, overshot or not driven; whoever pays his last one spins, but not over the line of the
        last lap or in the pits, and at 0 one space overshot destroys; two stops missed and the car is out
        [basic.blocked, basic.overshoot, rulings 14 to 17]."""
        left = self.book.wear.points(car)

        def price(landing: Landing, entry: int) -> Price:
            overshot, brakes, spins = landing.overshot, landing.brakes + landing.blocked, False
            if landing.missing >= 2:
                return Price(landing.brakes, overshot, out="overshoot")
            if landing.overs and left == 0:
                return Price(landing.brakes, overshot, out="destroyed")
            if 0 < brakes + overshot >= left:
                if self.figures.out_at_zero:
                    return Price(brakes, overshot, out="destroyed")
                spins = not landing.finished and self.track.spaces[landing.space].section >= 0
            return Price(brakes, overshot, spin=spins)

        return price

    @override
    def forced_landing(self, answer: JsonValue) -> Landing:
        """A forced landing has no soft space: there are no tyres to choose [ruling 39]."""
        landing = super().forced_landing(answer)
        return Landing(landing.space, landing.moved, landing.brakes)
