"""The gear stick: which gears a car may take, what changing down costs. Articles 6 and 13."""

from __future__ import annotations

from typing import Literal, NamedTuple, Protocol

from companion.rules.conversation.asking import Option, Procedure, ask
from companion.rules.conversation.kinds import Pool, Pools
from companion.rules.dice.chapter import Book, DiceChapter, F, R
from companion.rules.dice.pits import Pits
from companion.rules.dice.questions import Gear, GearDie
from companion.rules.dice.state import C
from companion.rules.dice.wear import Cost, Wear


class GearRefusal(NamedTuple):
    """The reason why a car may not take a gear.

    "up" and "down" are too far, by `most` gears; "points" wants more `points` of a `pool` than are `left`; "reach" does
    not reach the box, "out" is none for the way out of the lane, "limit" is above the highest there, "highest" above
    that of the race, `most`.
    """

    why: str
    article: str
    most: int = 0
    pool: Pool | Literal[""] = ""
    points: int = 0
    left: int = 0


class GearsBook(Book[C, R, F], Protocol[C, R, F]):
    """The book as gears see it."""

    @property
    def wear(self) -> Wear[C, R, F]: ...
    @property
    def pits(self) -> Pits[C, R, F]: ...


class Gears(DiceChapter[C, R, F]):
    """From one gear to the next."""

    book: GearsBook[C, R, F]

    def highest(self) -> int:
        """Return the highest gear of the race, the 6th unless the table has another [6-2-6]."""
        return self.figures.highest_gear

    def most_skipped(self) -> int:
        """Return how many gears may be skipped in changing down [13-2]."""
        return len(self.figures.gear_down)

    def gear_cost(self, now: int, gear: int) -> Pools:
        """Return the cost of changing down by more than one gear, by the gears skipped [13-1, 13-4].

        It takes gearbox, brakes and engine; more gears than may be skipped, by the referee's word, cost as many as may
        be.
        """
        rows = self.figures.gear_down[: max(now - gear - 1, 0)]
        if not rows:
            return {}
        gearbox, brakes, engine = rows[-1]
        cost: Pools = {"gearbox": gearbox, "brakes": brakes, "engine": engine}
        return {pool: points for pool, points in cost.items() if points}

    def price(self, car: C, gear: int) -> Pools:
        """Return what a car pays for a gear: the cost of changing down to it [13-1, 13-4]."""
        return self.gear_cost(car.gear, gear)

    def may_shift(self, car: C, gear: int) -> bool:
        """One gear up at most; down by skipping up to three, never four [6-1-1, 6-1-2, 13-2]."""
        return car.gear - 1 - self.most_skipped() <= gear <= car.gear + 1

    def can_pay(self, car: C, cost: Pools) -> bool:
        """Return True if the pools can pay a skip [5-1-3, 13-1, rulings 22, 23].

        Without gearbox points a car goes one gear down at a time; the last engine point may be spent, and ends the
        race.
        """
        return all(car.wear[pool] >= points for pool, points in self.book.wear.pooled(cost).items())

    def barred(self, car: C, gear: int) -> GearRefusal | None:
        """Return why a gear may not be taken, None for one that may [6-1-1, 13-1, 13-2, 19-1-8, 19-1-9].

        In the pit lane one may be barred that is not elsewhere.
        """
        if gear > self.highest():
            return GearRefusal("highest", self.article("6-2-6"), self.highest())
        if not self.may_shift(car, gear):
            if gear > car.gear:
                most = max(up for up in range(7) if self.may_shift(car, car.gear + up))
                return GearRefusal("up", self.article("6-1-1"), most)
            return GearRefusal("down", self.article("13-2"), 1 + self.most_skipped())
        for pool, points in self.book.wear.pooled(self.price(car, gear)).items():
            if not self.can_pay(car, {pool: points}):
                left = self.book.wear.points_left(car, pool)
                return GearRefusal("points", self.article("13-1"), pool=pool, points=points, left=left)
        if gear in self.gears(car):
            return None
        if car.stop == "left":
            return GearRefusal("out", self.article("19-1-9"))
        return GearRefusal("reach", self.article("19-1-8"))

    def gears(self, car: C) -> list[int]:
        """Return the gears that a car may take now [6-1-1, 13-1, 19-1-6, 19-1-8, 19-1-9].

        In the pit lane not all of them are open.
        """
        every = [gear for gear in range(1, self.highest() + 1) if self.may_shift(car, gear)]
        gears = [gear for gear in every if self.can_pay(car, self.price(car, gear))]
        return self.book.pits.lane_gears(car, gears) if car.status == "pit" else gears

    def gear_question(self, car: C) -> Gear | None:
        """Ask for a gear, each with its cost [6-3.1]."""
        if not car.alive:
            return None
        gears = self.gears(car)
        return Gear(
            car.number,
            self.article("6-1-1"),
            lambda: [(self.gear_option(car, gear), gear) for gear in gears],
            find=lambda answer: answer if type(answer) is int and answer in gears else None,
        )

    def shift_cost(self, car: C, gear: int) -> Cost:
        """Return the cost of taking a gear [13-1, 13-4, 16-0-3-1, 20-4-3].

        The last engine point of a gear-down ends the race on the spot.
        """
        points = self.price(car, gear)
        cost, strain = Cost(tuple(points.items())), points.get("engine", 0)
        if strain and self.book.wear.fatal(car, "engine", strain):
            return cost.plus(Cost(out="engine", article="16-0-3-1"))
        return cost

    def gear_option(self, car: C, gear: int) -> Option:
        """Return a gear as an answer with its cost."""
        cost = self.shift_cost(car, gear)
        return Option(gear, self.book.wear.option_cost(cost), cost.option_facts())

    def choose_gear(self, car: C) -> Procedure[None]:
        """Announcing the gear, setting the stick, crossing off the points of a gear-down [6-3.1, 6-3.2, 6-3.3]."""
        gear = yield from ask(self.gear_question, car)
        self.shift(car, gear)

    def shift(self, car: C, gear: int) -> None:
        """Set the stick and pay a gear-down; an engine point of it marks the space where the turn began.

        [13-3, 13-4]
        """
        cost = self.shift_cost(car, gear)
        before, car.gear = car.gear, gear
        self.move.gear = gear
        if cost.points:
            self.lose(car, "gear_down", "13-4", dict(cost.points), before=before, gear=gear, skipped=before - gear - 1)
        else:
            self.rule("gear", self.article_of_free_gear(car, before, gear), car, before=before, gear=gear)
        if any(part == "engine" and points for part, points in cost.points):
            self.strained(car)
        self.book.wear.befall(car, cost)

    def article_of_free_gear(self, car: C, before: int, gear: int) -> str:
        """Return the article by which a gear costs nothing: one for all, unless a rulebook has one for each way."""
        return "6-1-1"

    def strained(self, car: C) -> None:
        """Mark the space where the turn began for an engine point lost by changing down [13-3]."""
        self.book.wear.mark(self.move.begin, "13-3", car)

    def roll(self, car: C) -> Procedure[int]:
        """Roll the die of the gear announced [6-3.4]."""
        return (yield from ask(self.gear_die, car))

    def gear_die(self, car: C) -> GearDie | None:
        """Return the die of the gear announced [6-3.4, 6-2-6]."""
        return GearDie(car.number, car.gear, self.article("6-2-6")) if car.alive else None
