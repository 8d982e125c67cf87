"""A stop of the cup: a full one, with repairs, or a quick one, by a die that may gain a round or lose one."""

from __future__ import annotations

from companion.rules.conversation.asking import Json, Option, Proc, ask
from companion.rules.conversation.errors import BadAnswer
from companion.rules.conversation.faces import divided
from companion.rules.conversation.forms import Choice, Form
from companion.rules.conversation.kinds import Pool, Pools
from companion.rules.cup.pit_grid import PitGrid
from companion.rules.cup.state import CupCar
from companion.rules.dice.pits import REPAIRS
from companion.rules.dice.questions import TestDie
from companion.rules.dice.state import POOLS

HELD_UP = ("full", "botched", "")
"""The stops that quick ones which went well are placed before [pit.quick-order]."""


class CupStops(PitGrid):
    """What a car gets in the pits, and how long it stays."""

    def pit_stop(self, car: CupCar) -> Proc[None]:
        """In the pits the lap is complete, all tyre points are back at once, and the car stands in Car Pitting; then
        its driver declares the tyres and the kind of stop [pit.entry, pit.declare, kers.points, rulings 20, 25]."""
        car.stop = "long"
        won = car.built["tyres"] - car.wear["tyres"]
        car.wear["tyres"] = car.built["tyres"]
        self.race.pitting.append(car.number)
        self.line_up()
        self.rule("box", "pit.entry", car, {"tyres": won} if won else {}, box=car.box)
        if not self.move.crossed:
            self.lap_done(car)
        compound = yield from ask(self.tyres_question, car, car.tyres)
        self.fit(car, compound)
        car.leaves = self.race.round + 1
        if (yield from ask(self.stop_question, car)) == "quick":
            yield from self.quick_stop(car)
        else:
            yield from self.full_stop(car)

    def stop_question(self, car: CupCar) -> Choice[str]:
        """A full stop with repairs, or a quick one by the die [pit.declare, pit.full, pit.quick]."""
        figures = self.figures
        choices = [
            (Option("full", facts={"stand": figures.repair_points}), "full"),
            (Option("quick", facts={"botched_to": figures.botched_to, "minimal_to": figures.minimal_to}), "quick"),
        ]
        return Choice("stop", car.number, "pit.declare", choices, wanted="A stop is one of")

    # -- a full stop

    def full_stop(self, car: CupCar) -> Proc[None]:
        """Repairs by the pit column; the points that are not used are noted for the way out [pit.full]."""
        car.service = "full"
        repairs: Pools = {}
        if self.figures.repair_points and any(self.repairable(car, pool) for pool in REPAIRS):
            repairs = yield from ask(self.repair_question, car)
        for pool, points in repairs.items():
            car.wear[pool] += points
        car.bonus = self.figures.repair_points - self.repair_cost(repairs)
        self.rule("repair", "pit.full", car, dict(repairs), stand=car.bonus)

    def repair_price(self, pool: Pool) -> int:
        """What a point of a pool costs in the pits: the engine two, the others one [pit.full, pit.engine-cost]."""
        return self.figures.pit[POOLS.index(pool)]

    def repair_cost(self, repairs: Pools) -> int:
        """What repairs cost by the pit column [pit.full, pit.engine-cost]."""
        return sum(points * self.repair_price(pool) for pool, points in repairs.items())

    def repair_question(self, car: CupCar) -> Form[Pools]:
        """Which points to take back: lost ones, for three repair points [pit.full, pit.engine-cost, ruling 30]."""
        most = self.figures.repair_points
        found: list[Pools] = [{}]
        for pool in REPAIRS:
            for points in range(1, min(self.repairable(car, pool), most) + 1):
                found += [{**repairs, pool: points} for repairs in list(found) if pool not in repairs]
        offered = [Option(repairs, dict(repairs)) for repairs in found if self.repair_cost(repairs) <= most]
        offered.sort(key=lambda option: -self.repair_cost(option.answer))
        fields: dict[str, Json] = {
            pool: [0, min(self.repairable(car, pool), most // self.repair_price(pool))] for pool in REPAIRS
        }
        fields |= {"stand": most, "cost": {pool: self.repair_price(pool) for pool in REPAIRS}}
        return Form("repair", car.number, "pit.full", fields, lambda answer: self.read_repairs(car, answer), offered)

    def check_repairs(self, car: CupCar, repairs: Pools) -> None:
        """Raises BadAnswer for repairs that cost more than the stop's points by the pit column
        [pit.full, pit.engine-cost]."""
        most, cost = self.figures.repair_points, self.repair_cost(repairs)
        if cost > most:
            raise BadAnswer(f"A full stop has {most} repair points; by the pit column these cost {cost}.")

    # -- a quick stop

    def quick_die(self, car: CupCar) -> TestDie:
        """The die of a quick stop [pit.quick]."""
        figures = self.figures
        facts = {"botched_to": figures.botched_to, "minimal_to": figures.minimal_to}
        return TestDie(car.number, "pit.quick", "quick_stop", divided(*facts.values()), facts)

    def quick_stop(self, car: CupCar) -> Proc[None]:
        """Botched, and the car stays a phase longer than after a full stop; a minimal advantage, and it is in Pit Lane
        Exit at once; a full one, and it is at the head of it and leaves in this very phase
        [pit.quick, rulings 27, 29]."""
        face = yield from ask(self.quick_die, car)
        race, figures = self.race, self.figures
        if face <= figures.botched_to:
            car.service, car.leaves = "botched", race.round + 2
        elif face <= figures.minimal_to:
            car.service = "minimal"
        else:
            car.service, car.leaves = "advantage", race.round
        self.rule("quick_stop", "pit.quick", car, face=face, service=car.service)
        if car.service != "botched" and car.number in race.pitting:
            race.pitting.remove(car.number)
            race.leaving.insert(self.row_in_exit(car), car.number)
            self.rule("pit_grid", "pit.quick-order", car, column="exit", row=race.leaving.index(car.number) + 1)
            self.line_up()

    def row_in_exit(self, car: CupCar) -> int:
        """Where a quick stop that went well comes into Pit Lane Exit: ahead of cars from full and botched stops, behind
        those that had as much of an advantage before [pit.quick-order]."""
        behind = HELD_UP if car.service == "minimal" else (*HELD_UP, "minimal")
        leaving = self.race.leaving
        return next((row for row, number in enumerate(leaving) if self.car(number).service in behind), len(leaving))
