"""A set of tyres: its factor, its slide, its age. Article 8."""

from __future__ import annotations

from companion.rules.conversation.kinds import Compound
from companion.rules.dice.chapter import DiceChapter, F, R
from companion.rules.dice.state import C


class Tyres(DiceChapter[C, R, F]):
    """What a set does for a car, by compound, surface and laps driven."""

    def factor(self, car: C) -> int:
        """How many tyre points a space overshot costs: by compound, surface and age of the set, not by what went
        before [8-1, 8-1-1, 8-1-2, 8-2, 8-2-1, 8-2-2, 8-3, 8-3-1, 8-3-2, ruling 34]."""
        return self.factors_of(car.tyres or "hard", wet=self.wet)[min(car.tyre_laps, 2)]

    def factors_of(self, compound: Compound, *, wet: bool) -> tuple[int, int, int]:
        """What a space overshot costs with a set that is new, a lap old, and older
        [8-1-1, 8-1-2, 8-2-1, 8-2-2, 8-3-1, 8-3-2]."""
        factors: tuple[int, int, int] = getattr(self.figures, f"factor_{compound}_{'wet' if wet else 'dry'}")
        return factors

    def slide(self, car: C) -> int:
        """On a wet track a car slides on in corners where it owes a stop: three spaces, one on rain tyres
        [8-1-2, 8-2-2, 8-3-2]."""
        return self.slide_of(car.tyres or "hard", wet=self.wet)

    def slide_of(self, compound: Compound, *, wet: bool) -> int:
        """How many spaces a compound slides on in such corners [8-1-2, 8-2-2, 8-3-2]."""
        spaces: int = getattr(self.figures, f"slide_{compound}") if wet else 0
        return spaces

    def lacks_compound(self, car: C) -> bool:
        """Whether a car still owes the race another compound; not in every rulebook."""
        return False

    def soft_space(self, car: C) -> bool:
        """Soft tyres may add a space once a turn on a dry track during the first lap of the set, until the car has
        crossed the line or reached its box [8-2-1, 8-2-3, 19-3-6, 6-3.7, rulings 31, 32]."""
        move = self.move
        return not self.wet and car.tyres == "soft" and not move.soft and self.gives_space(car, crossed=move.crossed)

    def gives_space(self, car: C, *, crossed: bool) -> bool:
        """Whether the laps of a soft set, with the one that ends if the move has `crossed` the line, still bring a
        space; for a car in the pit lane the line ends none before it is in its box
        [8-2-1, 8-2-3, 19-3-6, rulings 32, 33]."""
        laps = car.tyre_laps
        if car.status == "pit" and not car.stop:
            laps -= self.book.pits.beyond_line(car)
        elif crossed and not car.fresh:
            laps += 1
        return laps < self.figures.soft_laps

    def age_tyres(self, car: C) -> None:
        """A set ages by a lap at each crossing of the line, but not at the first one on the way out of its box or off
        the grid [8-0-2, 8-2-1, 8-2-3, ruling 33]."""
        if self.move.crossed:
            if car.fresh:
                car.fresh = False
            else:
                car.tyre_laps += 1
            self.rule("lap", "0-0-1", car, lap=car.lap, tyre_laps=car.tyre_laps)
        if self.come_round(car):
            car.round_set = True

    def come_round(self, car: C) -> bool:
        """Whether a car is in the second half of the lap, on its way to the pit entry [19-2-4, ruling 35]."""
        if car.at is None or car.in_pits:
            return False
        if self.track.known == "corner":
            return self.book.sheet.stretch(car.at) > len(self.track.corners)
        return not self.track.past_line(self.track.ids[car.at])
