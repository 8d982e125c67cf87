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
        """KERS is within its bounds, whoever is flagged has crossed the line after the last lap, and the pit grid's
        columns hold cars in boxes, each in one of them [kers.points, finish.order, pit.rows]."""
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
        for car in race.cars:
            if car.number in race.flagged and car.alive and not self.book.finish.past_flag(car):
                yield (
                    f"Car {car.number} is in lap {car.lap} of {race.laps}; "
                    '"flagged" lists those who have crossed the line after the last one.'
                )
        for number in (*race.pitting, *race.leaving):
            car = self.car(number)
            leaves = race.move is not None and race.move.car == number  # it is in line until its turn is over
            if not (leaves or (car.at or "").startswith("box:")) or {*race.pitting} & {*race.leaving}:
                yield f"Car {number} is on the pit grid in one column only, and its place is a box."

    @override
    def follow(self, before: CupRace) -> None:
        """Whoever is put over the line of the last lap is flagged, and who is put back before it is so no more
        [finish.order, ruling 34]."""
        super().follow(before)
        self.book.finish.follow_flag()
