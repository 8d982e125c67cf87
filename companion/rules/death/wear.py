"""The one pool of points, and the gears: what a hit takes, and the spin at 0."""

from __future__ import annotations

from collections.abc import Iterator

from companion.rules.conversation.asking import Json
from companion.rules.conversation.kinds import Pool
from companion.rules.death.state import POOL, DeathCar, DeathFigures, DeathMove, DeathRace
from companion.rules.dice.formula_de import FormulaDe


class OnePool(FormulaDe[DeathCar]):
    """What a car has, what it loses, and what becomes of it then."""

    race: DeathRace
    figures: DeathFigures

    @property
    def move(self) -> DeathMove:
        """The turn being played."""
        move = self.race.move
        assert move is not None, "no turn is being played"
        return move

    # -- points

    def points(self, car: DeathCar) -> int:
        """The points that a car has left [basic.pool]."""
        return car.wear[POOL]

    def works(self, car: DeathCar, part: Pool) -> bool:
        """No part breaks on its own: a car drives on as long as it is not destroyed [spin.zero, ruling 15]."""
        return True

    def fatal(self, car: DeathCar, part: Pool, points: int = 1) -> bool:
        """One more point destroys a car that has none left [spin.zero]."""
        return self.points(car) <= points if self.figures.out_at_zero else self.points(car) == 0

    def hurt(
        self, car: DeathCar, points: int, article: str, *, marker: bool = True, at: str | None = None, **facts: Json
    ) -> None:
        """One hit, whatever its points: wreckage lies where it struck; at 0 or fewer the car spins, and only the next
        hit destroys it [wreckage.marker, spin.zero, rulings 9, 10, 14]."""
        if points < 1:
            return
        left, at = self.points(car), at or car.at
        self.lose(car, "hit", article, {POOL: points}, lost=points, at=at, **facts)
        if marker:
            self.mark(at, "wreckage.marker", car)
        if left == 0 or (self.figures.out_at_zero and points >= left):
            self.destroy(car)
        elif points >= left:
            self.spin(car, "spin.zero")

    def damage(self, car: DeathCar, pool: Pool, article: str, **facts: Json) -> None:
        """What breaks by a test is damage like any other [ruling 9]."""
        self.hurt(car, 1, article, **facts)

    # -- none left

    def destroy(self, car: DeathCar) -> None:
        """A point that a car does not have destroys it, and it is taken off at once [spin.zero]."""
        self.eliminate(car, "destroyed", "spin.zero", removed=True)

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

    def parts_changed(self, car: DeathCar, old: DeathCar) -> None:
        """A car whose last point is crossed off by the referee's word spins as one that has paid it
        [spin.zero, ruling 14]."""
        if old.wear.get(POOL):
            self.empty(car)

    def wear_faults(self, car: DeathCar) -> Iterator[str]:
        """A car may race without a point, unless the table wants it out at 0 [spin.zero, ruling 14]."""
        if self.figures.out_at_zero and car.alive and car.wear and not self.points(car):
            yield f"Car {car.number} has no point left and is out at 0; give it one, or status out."

    def at_zero(self, *, in_pits: bool = False) -> dict[str, Json]:
        """What an answer says that takes the last point: a spin on the track, or the end if the table wants it so
        [spin.zero, ruling 14]."""
        if self.figures.out_at_zero:
            return {"out": "destroyed"}
        return {} if in_pits else {"spin": True}

    # -- gears

    def lose_gears(self, car: DeathCar, article: str, *, least: int = 0) -> None:
        """Two gears down at once, at no cost, to `least` at the lowest; at 0 the car spins with the points it has
        [weapon.haywire-charge, weapon.haywire-missiles, weapon.slip-mines, ruling 31]."""
        before = car.gear
        car.gear = min(before, max(least, before - self.figures.lost_gears))
        self.rule("gears_lost", article, car, before=before, gear=car.gear)
        if car.gear < 1 > least:
            self.spin(car, article)
