"""Wear: what the parts of a car hold, what is crossed off them, and what becomes of a car that has none left. Articles
5, 10-4, 14-2, 16-0-3, 17-0-1 and 20."""

from __future__ import annotations

from collections.abc import Mapping

from companion.rules.conversation.asking import Json
from companion.rules.conversation.kinds import DiceCause, Kind, Pool, Pools
from companion.rules.conversation.overriding import override
from companion.rules.dice.chapter import DiceChapter, F, R
from companion.rules.dice.state import C


class Wear(DiceChapter[C, R, F]):
    """Points, danger markers, and the end of a car's race."""

    # -- points

    def left(self, car: C, part: Pool) -> int:
        """The points that a part of the car can still pay with."""
        return car.wear[self.book.pool_of.get(part, part)]

    def pooled(self, points: Mapping[Pool, int]) -> Mapping[Pool, int]:
        """Points of the parts of a car as the pools that pay them."""
        if not self.book.pool_of:
            return points
        pooled: Pools = {}
        for part, count in points.items():
            pool = self.book.pool_of.get(part, part)
            pooled[pool] = pooled.get(pool, 0) + count
        return pooled

    def cost(self, points: Mapping[Pool, int]) -> Pools:
        """What an answer costs, as its option tells it: points by pool, negative, without zeros."""
        return {pool: -count for pool, count in self.pooled(points).items() if count}

    def works(self, car: C, part: Pool) -> bool:
        """Whether a part of the car still holds: it does while a point of it is left [5-1-1]."""
        return self.left(car, part) > 0

    def fatal(self, car: C, part: Pool, points: int = 1) -> bool:
        """Whether so many points lost from a part end the car's race: the last one does [5-1-1]."""
        return self.left(car, part) <= points

    @override
    def lose(self, car: C, kind: Kind, article: str, points: Mapping[Pool, int], **facts: Json) -> None:
        """Crosses points off one of the six pools and notes why; never below zero [0-0-4, 5-0-1]."""
        wear = {}
        for pool, count in self.pooled(points).items():
            lost = min(count, car.wear[pool])
            if lost:
                car.wear[pool] -= lost
                wear[pool] = -lost
        self.rule(kind, article, car, wear, **facts)

    def tyre_limit(self, car: C) -> int:
        """The tyre points that a car can lose at once and stay in the race: those it has, and one where it has none
        left [10-3]."""
        return max(self.left(car, "tyres"), 1)

    # -- damage

    def mark(self, space: str | None, article: str, car: C) -> None:
        """A danger marker on a space, once; where the spaces are not known each one is said, and the stretch noted."""
        dangers = self.race.dangers
        if space is not None and space not in dangers:
            dangers.append(space)
            dangers.sort()
            self.rule("danger", article, car, at=space)
        elif self.track.known == "corner" and space is not None:
            self.rule("danger", article, car, at=space)

    def damage(self, car: C, pool: Pool, article: str, **facts: object) -> None:
        """A point of body or engine leaves a danger marker where it was lost; the last one ends the car's race
        [17-0-1, 5-1-1]."""
        fatal = self.fatal(car, pool)
        self.lose(car, "hit", article, {pool: 1}, pool=pool, at=car.at, **facts)
        self.mark(car.at, "17-0-1", car)
        if fatal and car.alive:
            if pool == "engine":
                self.engine_gone(car)
            else:
                self.body_gone(car)

    def body_gone(self, car: C) -> None:
        """The last body point destroys the car: it waits where it stands until its next turn
        [14-2, 20-3-1, 20-3-2]."""
        self.eliminate(car, "body", "14-2", removed=False)

    def engine_gone(self, car: C) -> None:
        """The last engine point breaks the engine: the car is off at once."""
        self.eliminate(car, "engine", "16-0-3-1", removed=True)

    # -- a spin, the end of a car's race

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

    def eliminate(self, car: C, cause: DiceCause, article: str, *, removed: bool, **facts: Json) -> None:
        """Puts a car out: taken off at once, or left standing as a wreck until its next turn."""
        if not car.alive:
            return
        car.status = "out" if removed else "wreck"
        car.cause, car.coast, car.stop, car.stops = cause, 0, "", 0
        self.race.gone.append(car.number)
        self.rule("out", article, car, cause=cause, removed=removed, at=car.at, **facts)

    def clear(self, car: C) -> None:
        """A wreck is taken off the board when its next turn comes up [14-2, 12-1-2, 16-0-3, ruling 14]."""
        car.status = "out"
        self.rule("removed", _CLEARED.get(car.cause, "14-2"), car, at=car.at)


_CLEARED: dict[DiceCause, str] = {"blocked": "12-1-2", "engine": "16-0-3", "body": "14-2"}
