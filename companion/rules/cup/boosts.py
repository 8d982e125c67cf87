"""What a car of the cup gains beside its die: the flap behind another car in a zone (DRS), and the energy of a lap
(KERS)."""

from __future__ import annotations

from contextlib import suppress

from companion.rules.circuit.leg import Landing, Over
from companion.rules.circuit.search import Search
from companion.rules.circuit.track import Zone
from companion.rules.circuit.zones import zones_of
from companion.rules.conversation.asking import Json, Moot, Option, Proc, ask
from companion.rules.conversation.forms import Choice
from companion.rules.cup.state import CupCar
from companion.rules.cup.wear import Penalties


class Boosts(Penalties):
    """DRS and KERS, one after the other as the driver likes, until the tests begin."""

    # -- DRS

    @property
    def zones(self) -> tuple[Zone, ...]:
        """The DRS zones of this race [drs.zones, ruling 44]."""
        named = tuple(map(tuple, self.race.zones))
        if self._zones is None or self._zones[0] != named:
            self._zones = named, zones_of(self.track, named)
        return self._zones[1]

    _zones: tuple[tuple[tuple[int, ...], ...], tuple[Zone, ...]] | None = None

    def zone_of(self, at: str | None) -> Zone | None:
        """The DRS zone that a space lies in [drs.zones]."""
        space = self.track.ids[at or ""]
        return next((zone for zone in self.zones if space in zone.spaces), None)

    def tows(self, car: CupCar, ahead: CupCar | None) -> bool:
        """DRS is open to a car straight behind another, both inside the same zone, in 4th or more and not slower than
        it; not on the way out of the pits, not after braking, and not in wet weather conditions unless the table
        says so. The zones of a corner sheet are on the table's own board, and whoever is not in one leaves DRS
        [drs.zones, drs.conditions, drs.chain, rulings 23, 24, 28, 44]."""
        if ahead is None or self.from_pits() or not super().tows(car, ahead):
            return False
        if self.race.wet_conditions and not self.figures.drs_in_wet_conditions:
            return False
        if self.track.known == "corner":
            return True
        zone = self.zone_of(car.at)
        return zone is not None and zone is self.zone_of(ahead.at)

    def tow_question(self, car: CupCar, **facts: Json) -> Choice[bool] | None:
        """On a corner sheet the table says with its answer whether both cars are in a zone of its board
        [drs.zones, ruling 44]."""
        return super().tow_question(car, sheet=True)

    def draws(self, ahead: CupCar) -> bool:
        """The car ahead must be driving [drs.conditions]."""
        return ahead.status == "racing"

    # -- KERS

    def further(self, car: CupCar, soft: bool) -> Proc[None]:
        """After the die's spaces, DRS and KERS as often as they offer themselves, in whatever order
        [drs.chain, kers.spend, rulings 21, 22]."""
        while (yield from self.slipstream(car, soft)) or (yield from self.kers(car)):
            pass

    def displace_unseen(self, car: CupCar, spaces: int, *, soft: bool = True, least: int = 0) -> Proc[None]:
        """On a corner sheet KERS points are spent before the table says what it saw [kers.spend]."""
        points = 0
        with suppress(Moot):
            while (yield from ask(self.kers_question, car)) is not None:
                points += 1
                self.spend(car)
        yield from super().displace_unseen(car, spaces + points, soft=soft, least=least)

    def may_spend(self, car: CupCar) -> bool:
        """KERS is spent in one's own turn on the track after the die; not after braking, being blocked or a spin, and
        not on the way out of the pits [kers.spend, rulings 21, 28]."""
        move = self.move
        spun = sum(over[1] for over in move.overs) * self.factor(car) > self.left(car, "tyres")
        stopped = move.braked or move.blocked or spun or self.from_pits()
        return car.kers > 0 and car.status == "racing" and not stopped

    def kers(self, car: CupCar) -> Proc[bool]:
        """One KERS point spent for one space more; whether it was [kers.spend]."""
        try:
            landing = yield from ask(self.kers_question, car)
        except Moot:
            return False
        if landing is None:
            return False
        self.spend(car)
        self.take(car, landing)
        return True

    def spend(self, car: CupCar) -> None:
        """A KERS point is crossed off [kers.spend]."""
        car.kers -= 1
        self.move.kers += 1
        self.rule("kers", "kers.spend", car, points=-1, left=car.kers)

    def kers_question(self, car: CupCar) -> Choice[Landing | None] | None:
        """Whether to spend a KERS point and on which space; on a corner sheet only whether [kers.spend, ruling 21]."""
        if not self.may_spend(car):
            return None
        choices: list[tuple[Option, Landing | None]] = [(Option(None, facts={"kers": car.kers}), None)]
        if self.track.known == "corner":
            choices.append((Option(True), Landing(0, 1)))
        else:
            choices += self.choices(car, self.kers_landings(car))
        if len(choices) == 1:
            return None
        question = Choice(
            "kers",
            car.number,
            "kers.spend",
            choices,
            what=f"kers_{self.move.kers + 1}",
            wanted="The KERS point may be kept (null) or spent on",
            broad=self.any_landing,
        )
        question.fields = {"kers": car.kers}
        return question

    def any_landing(self, answer: Json) -> Landing:
        """A KERS space by the referee's word; on a corner sheet there is none to name."""
        return Landing(0, 1) if self.track.known == "corner" else self._any_landing(answer)

    def kers_landings(self, car: CupCar) -> list[Landing]:
        """The spaces that the point may be spent on, by all rules; nobody is blocked or brakes by it. It is one space
        more on the same way, the die's or that of DRS, which stays one legal way as a whole. Once out of a corner that
        it has overshot the car keeps its lane, and each space is overshot too
        [kers.spend, straight.two-lanes, straight.zigzag-pass, overshoot.lane, ruling 21]."""
        if not self.move.overs:
            found = self.landings(car, self.leg(car, 1, soft=False, least=1))
            return [one for one in found if not one.blocked and self.same_way(car, one)]
        track = self.track
        here = track.ids[car.at or ""]
        ahead = track.ahead[here]
        if ahead < 0 or any(other.at == track.spaces[ahead].name for other in self.others(car)):
            return []
        overs = [Over(corner, spaces + 1, missing) for corner, spaces, missing in self.move.overs]
        if (left := track.corner[here]) >= 0 and track.corner[ahead] != left:
            overs.append(Over(left, 1, track.corners[left].stops))
        tests = (ahead,) if track.spaces[ahead].name in self.race.dangers else ()
        return [Landing(ahead, 1, tests=tests, overs=tuple(overs))]

    def same_way(self, car: CupCar, landing: Landing) -> bool:
        """Whether the way that the car has come goes on as one legal way to the next space
        [straight.two-lanes, straight.zigzag-pass, ruling 21]."""
        move, track = self.move, self.track
        begin, moved = track.ids[move.towed_from or move.begin], move.moved - move.towed_after
        leg = self.leg(car, moved + 1, soft=False)._replace(start=begin)
        return Search(self.board, leg).goes_on(track.ids[car.at or ""], moved, landing.space)

    def towed(self, car: CupCar, tow: Landing) -> Proc[None]:
        """With each DRS a new way begins [drs.move, ruling 21]."""
        self.move.towed_from, self.move.towed_after = car.at or "", self.move.moved
        yield from super().towed(car, tow)

    def lap_done(self, car: CupCar) -> None:
        """A lap completed gives two KERS points, and nobody ever has more than two [kers.points, ruling 20]."""
        won = min(self.figures.kers_lap, self.figures.kers_most - car.kers)
        if won > 0:
            car.kers += won
            self.rule("kers", "kers.points", car, points=won, left=car.kers)
