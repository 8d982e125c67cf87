"""Collisions of armoured cars."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from companion.rules.conversation.asking import Moot, Proc, ask
from companion.rules.conversation.faces import divided
from companion.rules.conversation.overriding import override
from companion.rules.death.figures import DeathFigures
from companion.rules.death.state import DeathCar, DeathRace
from companion.rules.dice.collisions import Collisions
from companion.rules.dice.questions import TestDie

if TYPE_CHECKING:
    from companion.rules.death.death import Death


class DeathCollisions(Collisions[DeathCar, DeathRace, DeathFigures]):
    """How likely they are, and what they cost."""

    book: Death

    def collides_to(self, car: DeathCar, other: DeathCar) -> int:
        """A collision costs a point on 1 to 4; armour leaves fewer faces, then each thing on the other car that makes
        it worse doubles them, to 20 at most [basic.collision, defence.light-armour, defence.heavy-armour,
        defence.heavy-armour-front, defence.heavy-armour-rear, ruling 42]."""
        to, armour = self.figures.collision_dry, car.armour
        ahead, behind = self.is_behind(car, other), self.is_behind(other, car)
        left = [armour.collision, armour.ahead if ahead else 0, armour.behind if behind else 0]
        to = min([to, *(faces for faces in left if faces)])
        doublers = self.doublers(car, other, ahead=ahead, behind=behind)
        if self.figures.doublers_count_once:
            doublers = min(doublers, 1)
        return min(to << doublers, 20)

    def is_behind(self, car: DeathCar, other: DeathCar) -> bool:
        """Whether a car stands straight behind another [basic.collision]."""
        ids = self.track.ids
        return self.track.ahead[ids[car.at or ""]] == ids[other.at or ""]

    def doublers(self, car: DeathCar, other: DeathCar, *, ahead: bool, behind: bool) -> int:
        """How often the other car doubles the faces: an electrified body for whoever ends his move beside it, a jet
        wash for whoever ends it straight behind, wheel spikes for every car that is not straight before or behind them
        [utility.electrified-body, utility.jet-wash, utility.wheel-spikes]."""
        moves = self.race.move is not None and self.race.move.car == car.number
        found = {
            "electrified-body": moves,
            "jet-wash": moves and ahead,
            "wheel-spikes": not ahead and not behind,
        }
        return int(found.get(other.utility, False))

    @override
    def body_test(
        self, car: DeathCar, aggravated: bool, other: DeathCar, *, meets: Callable[[], bool] | None = None
    ) -> Proc[bool]:
        """One car's collision roll with another, if the two still touch, or as `meets` says; whether it is out
        [basic.collision, ruling 27]."""
        try:
            face = yield from ask(self.crash_die, car, other, meets)
        except Moot:
            return False
        to = self.collides_to(car, other)
        if face > to:
            self.rule("collision", "basic.collision", car, face=face, to=to, other=other.number)
            return False
        armour = car.armour
        stopped = armour.front if self.is_behind(car, other) else armour.rear if self.is_behind(other, car) else 0
        points = max(0, 1 - stopped) if self.figures.armour_everywhere else 1
        if points:
            self.book.wear.hurt(car, points, "basic.collision", face=face, to=to, why="collision", other=other.number)
        else:
            self.rule("collision", "basic.collision", car, face=face, to=to, other=other.number, armour=stopped)
        return not car.alive

    def crash_die(self, car: DeathCar, other: DeathCar, meets: Callable[[], bool] | None) -> TestDie | None:
        """The die of a collision [basic.collision]."""
        if not car.alive or not (meets() if meets is not None else self.touch(car, other)):
            return None
        to = self.collides_to(car, other)
        return TestDie(car.number, "basic.collision", "collision", divided(to), {"loses_to": to, "other": other.number})
