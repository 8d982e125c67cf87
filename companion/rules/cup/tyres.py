"""The cup's tyres: two compounds in a race, and a soft space only while there are points."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from companion.rules.conversation.errors import BadSetup
from companion.rules.conversation.kinds import Compound
from companion.rules.conversation.overriding import override
from companion.rules.cup.figures import CupFigures
from companion.rules.cup.state import CupCar, CupRace
from companion.rules.dice.tyres import Tyres

if TYPE_CHECKING:
    from companion.rules.cup.cup import Cup


class CupTyres(Tyres[CupCar, CupRace, CupFigures]):
    """What a set gives, and which ones a car has raced on."""

    book: Cup

    @override
    def soft_space(self, car: CupCar) -> bool:
        """Soft tyres without wear points give no space any more, and none on the way out of the pits
        [tyres.empty, tyres.dry, pit.exit, ruling 28]."""
        return not self.book.pits.from_pits() and self.book.wear.left(car, "tyres") > 0 and super().soft_space(car)

    @override
    def lacks_compound(self, car: CupCar) -> bool:
        """Whether a car still owes the race a second compound, which it does not where there are no pits, nor in a race
        of one lap, in which they are never open [tyres.two-compounds, pit.optional, rulings 18, 19, 25]."""
        return bool(self.track.box_count) and self.race.laps > 1 and self.race.owes_compound(car)

    def lap_done(self, car: CupCar) -> None:
        """Whoever has passed the pits with one compound only is reminded of the second
        [tyres.two-compounds, ruling 19]."""
        if not car.in_pits and car.lap <= self.race.laps and self.lacks_compound(car):
            self.rule("reminder", "tyres.two-compounds", car, moment="entry")

    def noted_otherwise(self, car: CupCar, before: Compound) -> None:
        """The set that a car has raced on is another compound than was noted: it has raced on that one, and on the one
        noted only where it can have had as many sets; on the grid a word is about the new set, as soon as its stop has
        brought one [tyres.two-compounds, pit.declare, ruling 18]."""
        if not car.raced or car.tyres == before or (car.status == "box" and not self.book.pits.tyres_due(car)):
            return
        sets = max(1, car.lap + car.fresh - car.tyre_laps)
        raced = [*(one for one in car.raced if one != car.tyres), car.tyres]
        if len(raced) > sets:
            raced = [one for one in raced if one != before]
        car.raced = raced[-sets:]

    def claim(self, car: CupCar, known: Sequence[str]) -> None:
        """A car has raced on its own tyres and on those that it changed at stops, one set a lap at most, and on its way
        out of the pits on the set of the lap that it has before it; raises BadSetup for a compound that it cannot have
        raced on [tyres.two-compounds, ruling 18]."""
        if len(set(known)) < len(known) or len(known) > max(1, car.lap + car.fresh):
            raise BadSetup(
                f"Car {car.number} is in lap {car.lap} and cannot have raced on {', '.join(known)}; "
                "a compound is changed at the end of a lap."
            )
        if known and car.tyres not in known and not car.in_pits:
            raise BadSetup(
                f"Car {car.number} is on {car.tyres} tyres and has raced on them; it says {', '.join(known)}."
            )
