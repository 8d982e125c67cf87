"""What wear costs in the cup: a pool at 0 is harmless until it must pay and cannot; only then its penalty falls."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from companion.rules.circuit.leg import Landing, Leg, Over
from companion.rules.conversation.asking import Json, Option, Proc
from companion.rules.conversation.kinds import DiceCause, DiceKind, Pool, Pools
from companion.rules.cup.state import CupCar, CupFigures, CupMove, CupRace
from companion.rules.dice.formula_de import FormulaDe
from companion.rules.dice.landings import Price

LANES: Final = 2
"""How many lanes may be changed on a straight [straight.two-lanes]."""

DISQUALIFIED: Final = ("turn_one", "compounds")
"""Why a car past the flag has no place all the same [finish.turn-one, tyres.two-compounds]."""


class Penalties(FormulaDe[CupCar]):
    """Pools, their penalties, and what a move may be."""

    race: CupRace
    figures: CupFigures

    @property
    def move(self) -> CupMove:
        """The turn being played."""
        move = self.race.move
        assert move is not None, "no turn is being played"
        return move

    # -- pools

    def works(self, car: CupCar, part: Pool) -> bool:
        """A part whose points are gone still holds: 0 is harmless until a point is due [wear.penalty, ruling 11]."""
        return True

    def fatal(self, car: CupCar, part: Pool, points: int = 1) -> bool:
        """Only a point of body, engine or handling that is due and missing ends a race
        [wear.penalty, collision.out, engine.range, handling.test]."""
        return self.left(car, part) < points

    def lose(self, car: CupCar, kind: DiceKind, article: str, points: Mapping[Pool, int], **facts: Json) -> None:
        """Crosses points off, and says how many of those due were not there [wear.penalty]."""
        short = sum(max(0, count - self.left(car, part)) for part, count in points.items())
        if short:
            facts["short"] = short
        super().lose(car, kind, article, points, **facts)

    def can_pay(self, car: CupCar, cost: Pools) -> bool:
        """A skip that gearbox or brakes cannot pay is not open to the car: without gearbox points it goes down one gear
        at a time, without brakes it does not brake in any form. An engine point that is missing may be staked, and ends
        the race [geardown.penalty, brake.penalty, ruling 10]."""
        return all(self.left(car, part) >= points for part, points in cost.items() if part != "engine")

    # -- what a move may be

    def leg(self, car: CupCar, spaces: int, *, soft: bool = True, least: int = 0) -> Leg:
        """On a straight two lanes at most, one way; out and back only to pass a car, never for a danger, which is
        driven around by changing lane. Whoever reaches the pit entry is in the pits
        [straight.two-lanes, straight.zigzag-pass, straight.zigzag-no, handling.avoid, pit.entry, ruling 3]."""
        leg = super().leg(car, spaces, soft=soft, least=least)
        return leg._replace(lanes=LANES, detours=False, at_once=True)

    def soft_space(self, car: CupCar) -> bool:
        """Soft tyres without wear points give no space any more, and none on the way out of the pits
        [tyres.empty, tyres.dry, pit.exit, ruling 28]."""
        return not self.from_pits() and self.left(car, "tyres") > 0 and super().soft_space(car)

    def from_pits(self) -> bool:
        """Whether this move began in the pits [pit.exit]."""
        return self.move.begin.startswith(("pit:", "box:"))

    # -- prices

    def price(self, car: CupCar, landing: Landing, entry: int = 0) -> Price:
        """A tyre point a space overshot, times the factor; who cannot pay spins. Blocked by the table, and seven or
        more is out unless the table says tyres. The brake of DRS into a corner comes on top [overshoot.loss,
        overshoot.limit, blocked.table, blocked.no-brakes, drs.move, rulings 4 to 9]."""
        tyres = landing.overshot * self.factor(car)
        brakes, left = landing.brakes + entry, self.left(car, "tyres")
        if landing.missing >= 2 and not self.figures.missed_stops_spin:
            return Price(brakes, tyres, False, "overshoot")
        if tyres > left:
            return Price(brakes, left, True, "")
        if landing.blocked:
            row = self.blocking_row(landing.blocked)
            if row is None:
                return Price(brakes, tyres, False, "blocked")
            brakes = min(brakes + row[0], self.left(car, "brakes"))
            tyres += row[1]
        return Price(brakes, min(tyres, left), tyres > left, "")

    def option(self, landing: Landing, price: Price, wear: Pools, *, several: bool) -> Option:
        """A landing as an answer; where the tyres do not reach, also the space on which the car spins [ruling 5]."""
        option = super().option(landing, price, wear, several=several)
        if price.spin and landing.overs:
            option.facts["spins_at"] = self.track.spaces[self.spun_short(self.car(self.move.car), landing).space].name
        return option

    def blocking_row(self, spaces: int) -> tuple[int, int] | None:
        """Brakes and tyres lost by so many spaces not driven; beyond the table none, and the car is out, unless the
        tyres go on paying, one more a space [blocked.table, ruling 8]."""
        table = self.figures.blocking
        if spaces <= len(table):
            return table[spaces - 1]
        if not self.figures.long_blocks_cost_tyres:
            return None
        return table[-1][0], table[-1][1] + spaces - len(table)

    # -- overshooting

    def beyond(self, landing: Landing) -> Iterator[tuple[int, int]]:
        """The spaces overshot, from the first on: how many come after each, and how many have been overshot by then, as
        they are paid for."""
        for after in range(max(over.spaces for over in landing.overs) - 1, -1, -1):
            yield after, sum(max(0, over.spaces - after) for over in landing.overs)

    def spun_short(self, car: CupCar, landing: Landing) -> Landing:
        """A landing that overshoots beyond what the tyres pay, cut at the first space that they cannot pay in full:
        there the car spins, and the rest of its move falls away [overshoot.spin, overshoot.limit, rulings 5, 6]."""
        left, factor = self.left(car, "tyres"), self.factor(car)
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

    def take(self, car: CupCar, landing: Landing, entry: int = 0) -> None:
        """A move that overshoots too far ends where the car spins [overshoot.spin, ruling 5]."""
        if landing.overs and not self.price(car, landing).out:
            landing = self.spun_short(car, landing)
        super().take(car, landing, entry)

    def tyre_limit(self, car: CupCar) -> int:
        """A car pays with the tyre points that it has [overshoot.limit]."""
        return self.left(car, "tyres")

    def overshot(self, car: CupCar, missing: int, loss: int, limit: int) -> None:
        """Whoever cannot pay has given what was there and spins, again and again. Two stops missed and the car is out,
        unless the table says tyres alone [overshoot.spin, overshoot.limit, rulings 4 to 7]."""
        if missing >= 2 and not self.figures.missed_stops_spin:
            self.eliminate(car, "overshoot", "ruling 4", removed=True)
        elif loss > limit:
            self.move.blocked = 0
            self.spin(car, "overshoot.spin")

    # -- blocked

    def blocked(self, car: CupCar) -> Proc[None]:
        """Spaces not driven cost brakes and tyres besides all else; the brakes that are missing count as paid, the
        tyres that are missing spin the car where it stands; seven spaces or more and it is out [blocked.table,
        blocked.no-brakes, overshoot.blocked, rulings 8, 9]."""
        spaces = self.move.blocked
        if not spaces:
            return
        row = self.blocking_row(spaces)
        if row is None:
            self.rule("blocked", "ruling 8", car, spaces=spaces)
            self.eliminate(car, "blocked", "ruling 8", removed=True)
            return
        brakes, tyres = min(row[0], self.left(car, "brakes")), row[1]
        short = tyres > self.left(car, "tyres")
        self.lose(
            car,
            "blocked",
            "blocked.table",
            {"brakes": brakes, "tyres": tyres},
            spaces=spaces,
            brakes=row[0],
            tyres=tyres,
        )
        if short:
            self.spin(car, "ruling 9")
        return
        yield

    # -- dangers, eliminations

    def strained(self, car: CupCar) -> None:
        """An engine point lost by changing down marks the space where the move ends
        [handling.marker, geardown.table]."""
        self.move.strained = True

    def settle(self, car: CupCar) -> Proc[None]:
        """What the move costs; where it has ended lies the marker of an engine that changing down has strained
        [handling.marker]."""
        yield from super().settle(car)
        if self.move.strained and car.alive:
            self.mark(car.at, "handling.marker", car)

    def body_gone(self, car: CupCar) -> None:
        """A body point that is due and missing eliminates [collision.out]."""
        self.eliminate(car, "body", "collision.out", removed=True)

    def engine_gone(self, car: CupCar) -> None:
        """An engine point that is due and missing eliminates [engine.range]."""
        self.eliminate(car, "engine", "engine.range", removed=True)

    def eliminate(self, car: CupCar, cause: DiceCause, article: str, *, removed: bool, **facts: Json) -> None:
        """Whoever is out is off the board, and where its move ended lies a marker, whatever the reason; a weather check
        falls due. To be disqualified after the flag is no elimination: the car has driven its race and only its place
        is taken away, so nothing lies on the track and no weather turns
        [handling.marker, weather.check, finish.turn-one, rulings 12, 16, 37]."""
        if not car.alive:
            return
        super().eliminate(car, cause, article, removed=True, **facts)
        if self.race.phase == "race" and cause not in DISQUALIFIED:
            self.mark(car.at, "handling.marker", car)
            self.race.due.append(car.number)

    def mark(self, space: str | None, article: str, car: CupCar) -> None:
        """There are no dangerous spaces in the pits [pit.suspended, handling.marker]."""
        if not (space or "").startswith(("pit:", "box:")):
            super().mark(space, article, car)

    # -- a spin

    def play(self, car: CupCar) -> Proc[None]:
        """A car that has spun turns round and drives off in 1st; it rolls no die for it [overshoot.spin, ruling 7]."""
        if car.status == "spun":
            self.turn_round(car)
            car.status, car.turned = "racing", False
            car.gear = self.move.gear = 1
            self.rule("restart", "overshoot.spin", car, gear=1)
            yield from self.drive(car)
        else:
            yield from super().play(car)
