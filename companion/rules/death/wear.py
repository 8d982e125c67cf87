"""The one pool of points: what a hit takes, the spin at 0, and the wreckage that damage leaves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.rules.conversation.asking import Json
from companion.rules.conversation.kinds import Pool
from companion.rules.conversation.overriding import override
from companion.rules.death.figures import DeathFigures
from companion.rules.death.state import POOL, DeathCar, DeathRace
from companion.rules.dice.wear import Wear

if TYPE_CHECKING:
    from companion.rules.death.death import Death


class DeathWear(Wear[DeathCar, DeathRace, DeathFigures]):
    """What a car has, what it loses, and what becomes of it then."""

    book: Death

    # -- points

    def points(self, car: DeathCar) -> int:
        """The points that a car has left [basic.pool]."""
        return car.wear[POOL]

    @override
    def works(self, car: DeathCar, part: Pool) -> bool:
        """No part breaks on its own: a car drives on as long as it is not destroyed [spin.zero, ruling 15]."""
        return True

    @override
    def fatal(self, car: DeathCar, part: Pool, points: int = 1) -> bool:
        """One more point destroys a car that has none left [spin.zero]."""
        return self.points(car) <= points if self.figures.out_at_zero else self.points(car) == 0

    # -- damage

    def hurt(
        self, car: DeathCar, points: int, article: str, *, marker: bool = True, at: str | None = None, **facts: Json
    ) -> None:
        """One hit, whatever its points: wreckage lies where it struck; at 0 or fewer the car spins, and only the next
        hit destroys it. One that comes to stand elsewhere spins there [wreckage.marker, spin.zero, rulings 9, 10,
        14]."""
        if points < 1:
            return
        left, at = self.points(car), at or car.at
        self.lose(car, "hit", article, {POOL: points}, lost=points, at=at, **facts)
        if marker:
            self.mark(at, "wreckage.marker", car)
        if left == 0 or (self.figures.out_at_zero and points >= left):
            self.destroy(car)
        elif points >= left and at == car.at:
            self.spin(car, "spin.zero")

    @override
    def damage(self, car: DeathCar, pool: Pool, article: str, **facts: Json) -> None:
        """What breaks by a test is damage like any other [ruling 9]."""
        self.hurt(car, 1, article, **facts)

    # -- none left

    def destroy(self, car: DeathCar) -> None:
        """A point that a car does not have destroys it, and it is taken off at once [spin.zero]."""
        self.eliminate(car, "destroyed", "spin.zero", removed=True)

    @override
    def spin(self, car: DeathCar, article: str) -> None:
        """A car with 0 points left is turned round where it stands; the pits, the line and a spin that it is in already
        know no other [spin.zero, ruling 14]."""
        ends = self.race.move is not None and self.race.move.car == car.number and self.race.move.finished
        if ends or car.in_pits or car.status == "spun":
            return
        car.status, car.turned = "spun", False
        self.rule("spin", article, car, at=car.at)

    def empty(self, car: DeathCar) -> None:
        """A car that has paid its last point spins as one that was hit does [spin.zero, ruling 14]."""
        if car.alive and self.points(car) == 0:
            if self.figures.out_at_zero:
                self.destroy(car)
            else:
                self.spin(car, "spin.zero")

    def at_zero(self, *, in_pits: bool = False) -> dict[str, Json]:
        """What an answer says that takes the last point: a spin on the track, or the end if the table wants it so
        [spin.zero, ruling 14]."""
        if self.figures.out_at_zero:
            return {"out": "destroyed"}
        return {} if in_pits else {"spin": True}

    @override
    def mark(self, space: str | None, article: str, car: DeathCar) -> None:
        """A wreckage marker on a space of the track; several may lie there [wreckage.marker, ruling 11]."""
        if space is None or space.startswith(("pit:", "box:")):
            return
        race = self.race
        if space in race.dangers:
            race.piles[space] = race.piles.get(space, 0) + 1
        else:
            race.dangers.append(space)
            race.dangers.sort()
        self.rule("danger", article, car, at=space)

    def unmark(self, space: str) -> None:
        """One marker is taken off a space [wreckage.roll, ruling 11]."""
        race = self.race
        if race.piles.get(space):
            race.piles[space] -= 1
            if not race.piles[space]:
                del race.piles[space]
        elif space in race.dangers:
            race.dangers.remove(space)
