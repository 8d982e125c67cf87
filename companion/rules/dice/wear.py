"""Wear: costs of answers, points of parts, and cars without any.

Articles 5, 10-4, 14-2, 16-0-3, 17-0-1 and 20. A chapter computes a `Cost` from values and never touches the race for
it. The question shows it, the settlement crosses it off. A variant overrides the method that gives the number or the
judgement, never the settlement.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import msgspec

from companion.rules.circuit.leg import Over
from companion.rules.conversation.asking import Json
from companion.rules.conversation.faces import Band
from companion.rules.conversation.kinds import DiceCause, Kind, Pool, Pools
from companion.rules.conversation.overriding import override
from companion.rules.dice.chapter import DiceChapter, F, R
from companion.rules.dice.state import C


class Cost(msgspec.Struct, frozen=True, gc=False):
    """The points that are due, by part of the car, and what becomes of a car that pays them.

    A part may be named more than once; its points add up. `spin` and `out` say what follows, by `article`; `ends_move`
    that nothing else of the move is paid.
    """

    points: tuple[tuple[Pool, int], ...] = ()
    spin: bool = False
    out: DiceCause = ""
    article: str = ""
    ends_move: bool = False

    def plus(self, more: Cost) -> Cost:
        """Return this cost and then another; what follows from the later one wins.

        >>> Cost((("brakes", 1),)).plus(Cost((("tyres", 2),), spin=True, article="10-4-1"))
        Cost(points=(('brakes', 1), ('tyres', 2)), spin=True, out='', article='10-4-1', ends_move=False)
        """
        if more is FREE:
            return self
        return Cost(
            self.points + more.points,
            self.spin or more.spin,
            more.out or self.out,
            more.article or self.article,
            self.ends_move or more.ends_move,
        )

    def option_facts(self) -> dict[str, Json]:
        """Return what becomes of the car as the facts of an option."""
        if self.out:
            return {"out": self.out}
        return {"spin": True} if self.spin else {}

    @property
    def total(self) -> int:
        """All points due, whatever the part."""
        points = 0
        for _, count in self.points:
            points += count
        return points


FREE = Cost()
"""Empty cost: nothing is due, and nothing follows."""


class Purse:
    """The points that a car can still pay, by the pools that pay for its parts."""

    __slots__ = ("pool_of", "wear")

    def __init__(self, wear: Pools, pool_of: Mapping[Pool, Pool]) -> None:
        self.wear, self.pool_of = wear, pool_of

    def points_left(self, part: Pool) -> int:
        """Return the points that a part can still pay with."""
        return self.wear[self.pool_of.get(part, part)]

    def after(self, cost: Cost) -> Purse:
        """Return what is left once a cost has been paid as far as it can be.

        >>> Purse({"tyres": 4, "brakes": 1}, {}).after(Cost((("brakes", 2),))).left("brakes")
        0
        """
        if not cost.points:
            return self
        wear = dict(self.wear)
        for part, count in cost.points:
            pool = self.pool_of.get(part, part)
            wear[pool] = max(0, wear[pool] - count)
        return Purse(wear, self.pool_of)


class Charges(msgspec.Struct, frozen=True, gc=False):
    """All that the cost of a stop depends on: stops with equal charges cost the same.

    `entry` are the brakes that a slipstream into a corner costs; `finished` a car that has crossed the line for the
    last time, `in_pits` a stop in the pit lane or a box.
    """

    brakes: int = 0
    entry: int = 0
    overs: tuple[Over, ...] = ()
    blocked: int = 0
    finished: bool = False
    in_pits: bool = False


class ForetoldTest(NamedTuple):
    """A die that a stop brings if all those before it go well.

    `kind` is that of the ruling in which it ends: handling, wall, collision, engine, weather, ... The black die is read
    in `bands`. Faces from 1 to `to` fail and bring `cost` on `car`; `to` is 0 where no face does, as with the weather.
    `other` is the car that it touches, `at` the space that it enters.
    """

    kind: str
    car: int
    to: int
    bands: tuple[Band, ...]
    cost: Cost = FREE
    other: int | None = None
    at: str = ""


class Wear(DiceChapter[C, R, F]):
    """Points, danger markers, and the end of a car's race."""

    # -- points

    def points_left(self, car: C, part: Pool) -> int:
        """Return the points that a part of the car can still pay with."""
        return car.wear[self.book.pool_of.get(part, part)]

    def pooled(self, points: Mapping[Pool, int]) -> Mapping[Pool, int]:
        """Return points of the parts of a car as points of the pools that pay them."""
        if not self.book.pool_of:
            return points
        pooled: Pools = {}
        for part, count in points.items():
            pool = self.book.pool_of.get(part, part)
            pooled[pool] = pooled.get(pool, 0) + count
        return pooled

    def option_cost(self, cost: Cost) -> Pools:
        """Return a cost as an option shows it: points by pool, negative, without zeros."""
        shown: Pools = {}
        for part, count in cost.points:
            if count:
                pool = self.book.pool_of.get(part, part)
                shown[pool] = shown.get(pool, 0) - count
        return shown

    def purse(self, car: C) -> Purse:
        """Return what a car can still pay with, as a value that does not change with it."""
        return Purse(dict(car.wear), self.book.pool_of)

    def works(self, car: C, part: Pool) -> bool:
        """Return True if a part of the car still holds: it does while a point of it is left [5-1-1]."""
        return self.points_left(car, part) > 0

    def fatal(self, car: C, part: Pool, points: int = 1) -> bool:
        """Return True if this many points lost from a part end the car's race: the last one does [5-1-1]."""
        return self.points_left(car, part) <= points

    @override
    def lose(self, car: C, kind: Kind, article: str, points: Mapping[Pool, int], **facts: Json) -> None:
        """Cross points off one of the six pools and note why; never below zero [0-0-4, 5-0-1]."""
        wear = {}
        for pool, count in self.pooled(points).items():
            lost = min(count, car.wear[pool])
            if lost:
                car.wear[pool] -= lost
                wear[pool] = -lost
        self.rule(kind, article, car, wear, **facts)

    def tyre_limit(self, purse: Purse) -> int:
        """Return the tyre points that a car can lose at once and stay in the race [10-3].

        They are those it has, and one where it has none left.
        """
        return max(purse.points_left("tyres"), 1)

    # -- damage

    def mark(self, space: str | None, article: str, car: C) -> None:
        """Put a danger marker on a space, once.

        Where the spaces are not known each marker is ruled, and the stretch noted.
        """
        dangers = self.race.dangers
        if space is not None and space not in dangers:
            dangers.append(space)
            dangers.sort()
            self.rule("danger", article, car, at=space)
        elif self.track.known == "corner" and space is not None:
            self.rule("danger", article, car, at=space)

    def unmark(self, space: str) -> None:
        """Take one danger marker off a space."""
        self.race.dangers.remove(space)

    def damage(self, car: C, pool: Pool, article: str, **facts: object) -> None:
        """Take a point of body or engine, and leave a danger marker where it was lost [17-0-1, 5-1-1].

        The last one ends the car's race.
        """
        fatal = self.fatal(car, pool)
        self.lose(car, "hit", article, {pool: 1}, pool=pool, at=car.at, **facts)
        self.mark(car.at, "17-0-1", car)
        if fatal and car.alive:
            if pool == "engine":
                self.engine_gone(car)
            else:
                self.body_gone(car)

    def damage_cost(self, car: C, pool: Pool) -> Cost:
        """Return what a point of body or engine costs a car: the last one ends its race."""
        ends = self.fatal(car, pool) and self.ends_race(car, pool)
        return Cost(((pool, 1),), out="engine" if pool == "engine" else "body") if ends else Cost(((pool, 1),))

    def ends_race(self, car: C, pool: Pool) -> bool:
        """Return True if a car whose body or engine is gone is out by that; in some rulebooks it is not."""
        return True

    def body_gone(self, car: C) -> None:
        """Destroy a car without a body point: it waits where it stands until its next turn.

        [14-2, 20-3-1, 20-3-2]
        """
        self.eliminate(car, "body", "14-2", removed=False)

    def engine_gone(self, car: C) -> None:
        """Break the engine of a car without an engine point: the car is off at once."""
        self.eliminate(car, "engine", "16-0-3-1", removed=True)

    # -- a spin, the end of a car's race

    def befall(self, car: C, cost: Cost) -> None:
        """Spin a car, or take it off at once, as a cost that it has paid says."""
        if cost.out:
            self.eliminate(car, cost.out, cost.article, removed=True)
        elif cost.spin:
            self.spin(car, cost.article)

    def spin(self, car: C, article: str) -> None:
        """Spin a car without a tyre point where it stands [5-1-4, 10-4-1, 10-4-2, 12-1-4].

        It stays in its gear until the end of the round.
        """
        if self.move.finished:
            return
        car.turned = False
        if car.coast:
            self.eliminate(car, "engine", "16-0-3-1", removed=True)
            return
        car.status = "spun"
        self.rule("spin", article, car, at=car.at)

    def eliminate(self, car: C, cause: DiceCause, article: str, *, removed: bool, **facts: Json) -> None:
        """Put a car out: taken off at once, or left standing as a wreck until its next turn."""
        if not car.alive:
            return
        car.status = "out" if removed else "wreck"
        car.cause, car.coast, car.stop, car.stops = cause, 0, "", 0
        self.race.gone.append(car.number)
        self.rule("out", article, car, cause=cause, removed=removed, at=car.at, **facts)

    def clear(self, car: C) -> None:
        """Take a wreck off the board when its next turn comes up [14-2, 12-1-2, 16-0-3, ruling 14]."""
        car.status = "out"
        self.rule("removed", _CLEARED.get(car.cause, "14-2"), car, at=car.at)


_CLEARED: dict[DiceCause, str] = {"blocked": "12-1-2", "engine": "16-0-3", "body": "14-2"}
