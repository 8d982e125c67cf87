"""How a death race may stand."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from companion.rules.conversation.overriding import override
from companion.rules.death.figures import DeathFigures
from companion.rules.death.state import DeathCar, DeathRace
from companion.rules.dice.position import Position

if TYPE_CHECKING:
    from companion.rules.death.death import Death


class DeathPosition(Position[DeathCar, DeathRace, DeathFigures]):
    """What must hold of points, mines, wreckage and lists."""

    book: Death

    @override
    def parts_changed(self, car: DeathCar, old: DeathCar) -> None:
        """A car whose last point is crossed off by the referee's word spins as one that has paid it
        [spin.zero, ruling 14]."""
        self.book.wear.empty(car)

    @override
    def wear_faults(self, car: DeathCar) -> Iterator[str]:
        """A car may race without a point, unless the table wants it out at 0 [spin.zero, ruling 14]."""
        if self.figures.out_at_zero and car.alive and not self.book.wear.points(car):
            yield f"Car {car.number} has no point left and is out at 0; give it one, or status out."

    @override
    def list_faults(self) -> Iterator[str]:
        """Those who act and have moved are cars of the race [phase.attack, basic.grid]."""
        yield from super().list_faults()
        race = self.race
        running = [car.number for car in race.cars if car.alive or car.number in race.gone]
        if not set(race.attackers) <= set(running) or len(set(race.attackers)) < len(race.attackers):
            yield f'"attackers" lists cars still in the race, each once; {race.attackers} does not.'
        if not set(race.moved) <= set(self.book.places) or len(set(race.moved)) < len(race.moved):
            yield f'"moved" lists cars of the race by number, each once; {race.moved} does not.'
        if race.grid and sorted(race.grid) != sorted(car.number for car in race.cars):
            yield f'"grid" lists every car of the race once, from pole; {race.grid} does not.'

    @override
    def place_faults(self) -> Iterator[str]:
        """Mines and wreckage lie on the track [wreckage.marker, weapon.slip-mines, weapon.remote-mines, ruling 11]."""
        yield from super().place_faults()
        race = self.race
        on_track = {space.name for space in self.track.spaces if space.section >= 0}
        for mine in race.mines:
            if mine.at not in on_track or mine.owner not in self.book.places:
                yield (
                    f"A mine lies on a space of the track and belongs to a car of the race; {mine.at} or "
                    f"{mine.owner} is none."
                )
        for space, count in race.piles.items():
            if space not in race.dangers or not 1 <= count <= 99:
                yield f'"piles" counts markers beyond the first on a space of "dangers"; {space} is none.'
        if any(space not in on_track for space in race.dangers):
            yield "Wreckage lies on the track, not in the pits."
