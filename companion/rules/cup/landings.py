"""What a move of the cup may be, and what it costs: two lanes on a straight, and a spin where the tyres end."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, ClassVar, Final

from companion.rules.circuit.leg import Landing, Leg, Over
from companion.rules.conversation.asking import Option
from companion.rules.conversation.overriding import override
from companion.rules.cup.figures import CupFigures
from companion.rules.cup.state import CupCar, CupRace
from companion.rules.dice.landings import Landings
from companion.rules.dice.offers import Price

if TYPE_CHECKING:
    from companion.rules.cup.cup import Cup


LANES: Final = 2
"""How many lanes may be changed on a straight [straight.two-lanes]."""


class CupLandings(Landings[CupCar, CupRace, CupFigures]):
    """Every stop with its price."""

    book: Cup

    brakes_in_lane: ClassVar[bool] = False
    """Braking rests in the pit lane and nowhere else [pit.suspended, brake.any-time, ruling 28]."""

    @override
    def leg(self, car: CupCar, spaces: int, *, soft: bool = True, least: int = 0) -> Leg:
        """On a straight two lanes at most, one way; out and back only to pass a car, never for a danger, which is
        driven around by changing lane. Whoever reaches the pit entry is in the pits
        [straight.two-lanes, straight.zigzag-pass, straight.zigzag-no, handling.avoid, pit.entry, ruling 3]."""
        leg = super().leg(car, spaces, soft=soft, least=least)
        return leg._replace(lanes=LANES, detours=False, at_once=True)

    @override
    def prices(self, car: CupCar) -> Callable[[Landing, int], Price]:
        """A tyre point a space overshot, times the factor; who cannot pay spins, and has missed no stop beyond that.
        Blocked by the table, and seven or more is out unless the table says tyres. The brake of DRS into a corner comes
        on top [overshoot.loss, overshoot.limit, blocked.table, blocked.no-brakes, drs.move, rulings 4 to 9]."""
        factor, left = self.book.tyres.factor(car), self.book.wear.left(car, "tyres")
        puts_out = self.book.corners.puts_out

        def price(landing: Landing, entry: int) -> Price:
            tyres, brakes = landing.overshot * factor, landing.brakes + entry
            if puts_out(landing.missing) and puts_out(self.spun_short(car, landing).missing):
                return Price(brakes, tyres, out="overshoot")
            if tyres > left:
                return Price(brakes, left, spin=True)
            if landing.blocked:
                row = self.book.blocking.blocking_row(landing.blocked)
                if row is None:
                    return Price(brakes, tyres, out="blocked")
                brakes = min(brakes + row[0], self.book.wear.left(car, "brakes"))
                tyres += row[1]
            return Price(brakes, min(tyres, left), spin=tyres > left)

        return price

    @override
    def choices(self, car: CupCar, found: Sequence[Landing], entry_brake: int = 0) -> list[tuple[Option, Landing]]:
        """Where the tyres do not reach an option also tells the spin [overshoot.spin]."""
        choices = super().choices(car, found, entry_brake)
        for option, landing in choices:
            if landing.overs and option.facts.get("spin"):
                self.tell_spin(car, option, landing)
        return choices

    def tell_spin(self, car: CupCar, option: Option, landing: Landing) -> None:
        """The space on which a car spins whose tyres do not reach; past the flag a spin on overshooting turn one is
        the end of the race, but not one for being blocked beyond it [overshoot.spin, finish.turn-one, rulings 5, 9,
        34]."""
        track = self.track
        landing = self.spun_short(car, landing)
        option.facts["spins_at"] = track.spaces[landing.space].name
        crosses = not track.past_line(track.ids[car.at or ""]) and track.past_line(landing.space)
        flagged = car.lap + crosses > self.race.laps
        turn_one = self.book.finish.turn_one
        unpaid = landing.overshot * self.book.tyres.factor(car) > self.book.wear.left(car, "tyres")
        if flagged and unpaid and any(over.corner == turn_one for over in landing.overs):
            option.facts["out"] = "turn_one"

    def beyond(self, landing: Landing) -> Iterator[tuple[int, int]]:
        """The spaces overshot, from the first on: how many come after each, and how many have been overshot by then, as
        they are paid for."""
        for after in range(max(over.spaces for over in landing.overs) - 1, -1, -1):
            yield after, sum(max(0, over.spaces - after) for over in landing.overs)

    def spun_short(self, car: CupCar, landing: Landing) -> Landing:
        """A landing that overshoots beyond what the tyres pay, cut at the first space that they cannot pay in full:
        there the car spins, and the rest of its move falls away [overshoot.spin, overshoot.limit, rulings 5, 6]."""
        left, factor = self.book.wear.left(car, "tyres"), self.book.tyres.factor(car)
        after = next((after for after, driven in self.beyond(landing) if driven * factor > left), 0)
        if not after:
            return landing
        track, space, cut = self.track, landing.space, set()
        for _ in range(after):
            cut.add(space)
            space = track.behind[space]
        tests = tuple(test for test in landing.tests if test not in cut)
        overs = tuple(Over(one.corner, one.spaces - after, one.missing) for one in landing.overs if one.spaces > after)
        return Landing(space, landing.moved - after, landing.brakes, 0, landing.slid, tests, overs)

    @override
    def landings(self, car: CupCar, leg: Leg) -> list[Landing]:
        """Out of the pits only spaces beyond the lane can be braked away
        [pit.suspended, brake.any-time, ruling 28]."""
        return self.unbraked_in_pits(car, super().landings(car, leg))
