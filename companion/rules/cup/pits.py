"""The cup's pits: a grid of two columns beside the lane, in which cars stand in order, and what a stop gives.

Whoever enters stands in Car Pitting, moves to Pit Lane Exit, and drives from there into the lane and onto the track;
`leaves` is the round in whose pit phase a car may go. A stop is a full one, with repairs, or a quick one, by a die that
may gain a round or lose one.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from companion.rules.conversation.asking import Json, Option, Proc, ask
from companion.rules.conversation.errors import BadAnswer
from companion.rules.conversation.faces import divided
from companion.rules.conversation.forms import Choice, Form
from companion.rules.conversation.kinds import POOLS, Pool, Pools
from companion.rules.conversation.overriding import override
from companion.rules.cup.figures import CupFigures
from companion.rules.cup.state import CupCar, CupRace
from companion.rules.dice.pits import REPAIRS, Pits
from companion.rules.dice.questions import Gear, TestDie

if TYPE_CHECKING:
    from companion.rules.cup.cup import Cup


HELD_UP = ("full", "botched", "")
"""The stops that quick ones which went well are placed before [pit.quick-order]."""


class CupPits(Pits[CupCar, CupRace, CupFigures]):
    """Into the pits, through the grid, and out again."""

    book: Cup

    # -- what a move may be

    def from_pits(self) -> bool:
        """Whether this move began in the pits [pit.exit]."""
        return self.move.begin.startswith(("pit:", "box:"))

    # -- entering

    @override
    def may_enter(self, car: CupCar) -> bool:
        """A stop may be made at the end of any lap but the last, by the die and the soft space: what DRS or KERS add to
        a move that has been made brings nobody in [pit.optional, pit.entry, ruling 25]."""
        boosted = self.book.move.moved > 0 or self.book.move.kers > 0
        return bool(self.track.box_count) and 0 < car.lap < self.race.laps and car.status == "racing" and not boosted

    @override
    def box_due(self, car: CupCar) -> int:
        """The place on the grid that a car which reaches the entry line comes to [pit.entry, ruling 25]."""
        pit = self.track.pit
        return -1 if pit is None or not self.may_enter(car) else pit.boxes[self.next_place() - 1]

    def next_place(self) -> int:
        """The place behind the last car on the grid; places are counted towards the track, as boxes are."""
        return max(1, self.track.box_count - len(self.race.leaving) - len(self.race.pitting))

    @override
    def holds_many(self, space: str | None) -> bool:
        """The last place of the grid takes whoever finds no other [pit.rows]."""
        return (space or "").startswith("box:")

    # -- the grid

    def rows(self) -> dict[int, tuple[str, int]]:
        """Where each car on the grid stands: its column, and its row from the top [pit.rows]."""
        columns = {"exit": self.race.leaving, "pitting": self.race.pitting}
        return {number: (name, row) for name, column in columns.items() for row, number in enumerate(column, 1)}

    def close_up(self, before: Mapping[int, tuple[str, int]]) -> None:
        """Cars left on the grid move up in their columns, and make room for a quick stop that comes in ahead of them
        [pit.close-up, pit.quick-order]."""
        for number, (column, row) in self.rows().items():
            if number in before and before[number][0] == column and before[number][1] != row:
                self.rule("close_up", "pit.close-up", self.car(number), column=column, row=row)

    def line_up(self) -> None:
        """The cars stand in each column from its top without gaps, Pit Lane Exit nearer the track
        [pit.rows, pit.close-up, ruling 26]."""
        for row, number in enumerate([*self.race.leaving, *self.race.pitting]):
            car = self.car(number)
            car.box = max(1, self.track.box_count - row)
            before, car.at = car.at, f"box:{car.box}"
            self.pushed_over_line(car, before)

    def pushed_over_line(self, car: CupCar, before: str | None) -> None:
        """Where the line runs between the places of the grid, a car that moves up over it has crossed it, and one that
        others push back behind it has it before it again [race.laps, pit.close-up]."""
        ids = self.track.ids
        if before is None or before not in ids:
            return
        past, past_now = self.track.past_line(ids[before]), self.beyond_line(car)
        if past and not past_now:
            car.lap, car.fresh = max(0, car.lap - 1), True
        elif past_now and not past:
            car.lap += 1
            self.crossed_line(car)

    def crossed_line(self, car: CupCar) -> None:
        """A set that was fitted before the line is as new as it was; without a stop it has aged, and the lap brings
        KERS [kers.points, race.laps]."""
        if car.fresh:
            car.fresh = False
        else:
            car.tyre_laps += 1
            self.book.finish.lap_done(car)
        self.rule("lap", "0-0-1", car, lap=car.lap, tyre_laps=car.tyre_laps)

    def tidy(self) -> None:
        """Whoever is no longer on the grid leaves no gap in it; whom the referee has put there stands in Pit Lane Exit,
        not who is just driving onto it and has no stop yet [pit.close-up, ruling 38]."""
        race = self.race
        there = [car.number for car in race.cars if car.status == "box"]
        race.leaving = [number for number in race.leaving if number in there]
        race.pitting = [number for number in race.pitting if number in there]
        for number in there:
            car = self.car(number)
            if car.stop and number not in (*race.leaving, *race.pitting):
                race.leaving.append(number)
                car.leaves = race.round + 1
        for car in race.cars:
            if not car.in_pits:
                car.box, car.leaves, car.bonus, car.service = 0, 0, 0, ""
        self.line_up()

    def columns_move(self) -> None:
        """At the end of the pit phase cars whose stop is done move on from Car Pitting to Pit Lane Exit, in order of
        arrival [pit.phase, pit.close-up, ruling 27]."""
        race, before = self.race, self.rows()
        for number in list(race.pitting):
            if self.car(number).leaves <= race.round + 1:
                race.pitting.remove(number)
                race.leaving.append(number)
                self.rule("pit_grid", "pit.phase", self.car(number), column="exit", row=len(race.leaving))
        self.close_up(before)
        self.line_up()

    # -- leaving

    @override
    def leave_gear_question(self, car: CupCar) -> Gear:
        """The pits are left in 1st to 4th at will; the rules of changing down rest there
        [pit.exit, pit.suspended, ruling 28]."""
        choices = [(Option(gear), gear) for gear in range(1, self.figures.leave_gear + 1)]
        question = Gear(car.number, "pit.exit", choices, what="leave", wanted="The pits are left in")
        question.fields = {"bonus": self.bonus(car)}
        return question

    @override
    def bonus(self, car: CupCar) -> int:
        """The spaces that unused repair points add to the first move out of the grid [pit.exit, ruling 28]."""
        return car.bonus * self.figures.bonus_spaces if car.status == "box" else 0

    @override
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
            self.book.finish.lap_done(car)
        compound = yield from ask(self.of_the_stop, car, lambda: self.tyres_question(car, car.tyres))
        self.fit(car, compound)
        car.leaves = self.race.round + 1
        if (yield from ask(self.of_the_stop, car, lambda: self.stop_question(car))) == "quick":
            yield from self.quick_stop(car)
        else:
            yield from self.full_stop(car)

    def tyres_due(self, car: CupCar) -> bool:
        """Whether a car has just come onto the grid and its driver has still to declare the tyres
        [pit.entry, pit.declare]."""
        move = self.race.move
        return move is not None and move.car == car.number and not self.from_pits() and not car.leaves

    @override
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
            repairs = yield from ask(self.of_the_stop, car, lambda: self.repair_question(car))
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

    @override
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

    @override
    def check_repairs(self, car: CupCar, repairs: Pools) -> None:
        """Raises BadAnswer for repairs that cost more than the stop's points by the pit column
        [pit.full, pit.engine-cost]."""
        most, cost = self.figures.repair_points, self.repair_cost(repairs)
        if cost > most:
            raise BadAnswer(f"A full stop has {most} repair points; by the pit column these cost {cost}.")

    # -- a quick stop

    @override
    def quick_die(self, car: CupCar) -> TestDie:
        """The die of a quick stop [pit.quick]."""
        figures = self.figures
        facts = {"botched_to": figures.botched_to, "minimal_to": figures.minimal_to}
        return TestDie(car.number, "pit.quick", "quick_stop", divided(*facts.values()), facts)

    @override
    def quick_stop(self, car: CupCar) -> Proc[None]:
        """Botched, and the car stays a phase longer than after a full stop; a minimal advantage, and it is in Pit Lane
        Exit at once; a full one, and it is at the head of it and leaves in this very phase
        [pit.quick, rulings 27, 29]."""
        face = yield from ask(self.of_the_stop, car, lambda: self.quick_die(car))
        race, figures = self.race, self.figures
        if face <= figures.botched_to:
            car.service, car.leaves = "botched", race.round + 2
        elif face <= figures.minimal_to:
            car.service = "minimal"
        else:
            car.service, car.leaves = "advantage", race.round
        self.rule("quick_stop", "pit.quick", car, face=face, service=car.service)
        if car.service != "botched":
            before = self.rows()
            race.pitting.remove(car.number)
            race.leaving.insert(self.row_in_exit(car), car.number)
            self.rule("pit_grid", "pit.quick-order", car, column="exit", row=race.leaving.index(car.number) + 1)
            self.close_up(before)

    def row_in_exit(self, car: CupCar) -> int:
        """Where a quick stop that went well comes into Pit Lane Exit: ahead of cars from full and botched stops, behind
        those that had as much of an advantage before [pit.quick-order]."""
        behind = HELD_UP if car.service == "minimal" else (*HELD_UP, "minimal")
        leaving = self.race.leaving
        return next((row for row, number in enumerate(leaving) if self.car(number).service in behind), len(leaving))
