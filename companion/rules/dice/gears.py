"""The gear stick: which gears a car may take, what changing down costs. Articles 6 and 13."""

from __future__ import annotations

from typing import Literal, NamedTuple

from companion.rules.conversation.asking import Json, Option, Proc, ask
from companion.rules.conversation.kinds import Pool, Pools
from companion.rules.dice.chapter import DiceChapter, F, R
from companion.rules.dice.questions import Gear, GearDie
from companion.rules.dice.state import C


class Barred(NamedTuple):
    """Why a car may not take a gear: "up" and "down" are too far, by `most` gears; "points" wants so many `points` of a
    `pool` in which fewer are `left`; "reach" does not reach the box, "out" is none for the way out of the lane, "limit"
    is above the highest there, `most`."""

    why: str
    article: str
    most: int = 0
    pool: Pool | Literal[""] = ""
    points: int = 0
    left: int = 0


class Gears(DiceChapter[C, R, F]):
    """From one gear to the next."""

    def gear_cost(self, now: int, gear: int) -> Pools:
        """Changing down by more than one gear costs gearbox, brakes and engine by the gears skipped; more of them than
        may be, by the referee's word, cost as many as may be [13-1, 13-4]."""
        rows = self.figures.gear_down[: max(now - gear - 1, 0)]
        if not rows:
            return {}
        gearbox, brakes, engine = rows[-1]
        cost: Pools = {"gearbox": gearbox, "brakes": brakes, "engine": engine}
        return {pool: points for pool, points in cost.items() if points}

    def price(self, car: C, gear: int) -> Pools:
        """What a car pays for a gear: what changing down to it costs [13-1, 13-4]."""
        return self.gear_cost(car.gear, gear)

    def may_shift(self, car: C, gear: int) -> bool:
        """One gear up at most; down by skipping up to three, never four [6-1-1, 6-1-2, 13-2]."""
        return car.gear - 1 - len(self.figures.gear_down) <= gear <= car.gear + 1

    def can_pay(self, car: C, cost: Pools) -> bool:
        """A skip that a pool cannot pay is not allowed: without gearbox points one gear down at a time; the last
        engine point may be spent, and ends the race [5-1-3, 13-1, rulings 22, 23]."""
        return all(car.wear[pool] >= points for pool, points in self.book.wear.pooled(cost).items())

    def barred(self, car: C, gear: int) -> Barred | None:
        """Why a gear may not be taken, None for one that may; in the pit lane one may be barred that is not elsewhere
        [6-1-1, 13-1, 13-2, 19-1-8, 19-1-9]."""
        if not self.may_shift(car, gear):
            if gear > car.gear:
                most = max(up for up in range(7) if self.may_shift(car, car.gear + up))
                return Barred("up", self.article("6-1-1"), most)
            return Barred("down", self.article("13-2"), 1 + len(self.figures.gear_down))
        for pool, points in self.book.wear.pooled(self.price(car, gear)).items():
            if not self.can_pay(car, {pool: points}):
                left = self.book.wear.left(car, pool)
                return Barred("points", self.article("13-1"), pool=pool, points=points, left=left)
        if gear in self.gears(car):
            return None
        return Barred("out", self.article("19-1-9")) if car.stop == "left" else Barred("reach", self.article("19-1-8"))

    def gears(self, car: C) -> list[int]:
        """The gears that a car may take now; in the pit lane not all of them
        [6-1-1, 13-1, 19-1-6, 19-1-8, 19-1-9]."""
        gears = [gear for gear in range(1, 7) if self.may_shift(car, gear) and self.can_pay(car, self.price(car, gear))]
        return self.book.pits.lane_gears(car, gears) if car.status == "pit" else gears

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
        cost = self.price(car, gear)
        facts: dict[str, Json] = {}
        if cost.get("engine") and self.book.wear.fatal(car, "engine", cost["engine"]):
            facts["out"] = "engine"
        return Option(gear, self.book.wear.cost(cost), facts)

    def choose_gear(self, car: C) -> Proc[None]:
        """Announcing the gear, setting the stick, crossing off the points of a gear-down [6-3.1, 6-3.2, 6-3.3]."""
        gear = yield from ask(self.gear_question, car)
        self.shift(car, gear)

    def shift(self, car: C, gear: int) -> None:
        """The stick is set and a gear-down is paid; an engine point of it marks the space where the turn began, and
        the last one ends the race on the spot [13-3, 13-4, 16-0-3-1, 20-4-3]."""
        cost = self.price(car, gear)
        before, car.gear = car.gear, gear
        self.move.gear = gear
        fatal = "engine" in cost and self.book.wear.fatal(car, "engine", cost["engine"])
        if cost:
            self.lose(car, "gear_down", "13-4", cost, before=before, gear=gear, skipped=before - gear - 1)
        else:
            self.rule("gear", "6-1-1", car, before=before, gear=gear)
        if cost.get("engine"):
            self.strained(car)
            if fatal:
                self.book.wear.eliminate(car, "engine", "16-0-3-1", removed=True)

    def strained(self, car: C) -> None:
        """An engine point lost by changing down marks the space where the turn began [13-3]."""
        self.book.wear.mark(self.move.begin, "13-3", car)

    def gear_die(self, car: C) -> GearDie | None:
        """The die of the gear announced [6-3.4, 6-2-6]."""
        return GearDie(car.number, car.gear, self.article("6-2-6")) if car.alive else None
