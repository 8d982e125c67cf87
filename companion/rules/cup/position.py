"""How a race of the cup may stand."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from companion.rules.conversation.overriding import override
from companion.rules.cup.figures import CupFigures
from companion.rules.cup.state import CupCar, CupRace
from companion.rules.dice.position import Position

if TYPE_CHECKING:
    from companion.rules.cup.cup import Cup


class CupPosition(Position[CupCar, CupRace, CupFigures]):
    """What must hold of KERS and the pit grid."""

    book: Cup

    @override
    def list_faults(self) -> Iterator[str]:
        """KERS is within its bounds, and the pit grid's columns hold cars in boxes, each in one of them
        [kers.points, pit.rows]."""
        yield from super().list_faults()
        race, most = self.race, self.figures.kers_most
        numbers = [car.number for car in race.cars]
        for name in ("pitting", "leaving", "flagged", "grid", "settled"):
            listed = getattr(race, name)
            if not set(listed) <= set(numbers) or len(set(listed)) < len(listed):
                yield f'"{name}" lists cars of the race by number, each once; {listed} does not.'
        if race.grid and len(race.grid) < len(numbers):
            yield f'"grid" lists every car of the race from pole; {race.grid} does not.'
        for car in race.cars:
            if car.kers > most:
                yield f"A car has 0 to {most} KERS points; car {car.number} cannot have {car.kers}."
        for number in (*race.pitting, *race.leaving):
            car = self.car(number)
            leaves = race.move is not None and race.move.car == number  # it is in line until its turn is over
            if not (leaves or (car.at or "").startswith("box:")) or {*race.pitting} & {*race.leaving}:
                yield f"Car {number} is on the pit grid in one column only, and its place is a box."
