"""A set of tyres: its factor, its slide, its age. Article 8."""

from __future__ import annotations

from typing import ClassVar, Final, Protocol

from companion.rules.conversation.kinds import Compound
from companion.rules.dice.chapter import Book, DiceChapter, F, R
from companion.rules.dice.pits import Pits
from companion.rules.dice.state import C

KINDS: Final = {"hard": "8-1", "soft": "8-2", "rain": "8-3"}
"""Article on a kind of tyres; its parts are on a dry track and on a wet one."""


class TyresBook(Book[C, R, F], Protocol[C, R, F]):
    """The book as tyres see it."""

    @property
    def pits(self) -> Pits[C, R, F]: ...


class Tyres(DiceChapter[C, R, F]):
    """The effects of a set of tyres, by compound, surface and laps driven."""

    book: TyresBook[C, R, F]
    bonus_article: ClassVar[str] = "8-2-1"
    """The article on tyres that bring spaces, and are not soft."""

    def factor(self, car: C) -> int:
        """Return how many tyre points a space overshot costs: by compound, surface and age of the set.

        What went before does not count [8-1, 8-1-1, 8-1-2, 8-2, 8-2-1, 8-2-2, 8-3, 8-3-1, 8-3-2, ruling 34].
        """
        return self.factors_of(car.tyres or "hard", wet=self.wet)[min(car.tyre_laps, 2)]

    def factors_of(self, compound: Compound, *, wet: bool) -> tuple[int, int, int]:
        """Return the price of a space overshot with a set that is new, a lap old, and older.

        [8-1-1, 8-1-2, 8-2-1, 8-2-2, 8-3-1, 8-3-2]
        """
        factors: tuple[int, int, int] = getattr(self.figures, f"factor_{compound}_{'wet' if wet else 'dry'}")
        return factors

    def articles_of_factor(self, car: C) -> list[str]:
        """Return the article by which a space overshot costs more than a tyre point; none for the plain price.

        [8-1-1, 8-1-2, 8-2-1, 8-2-2, 8-3-1, 8-3-2]
        """
        return [f"{KINDS[car.tyres or 'hard']}-{1 + self.wet}"] if self.factor(car) != 1 else []

    def slide(self, car: C) -> int:
        """Return the spaces that a car slides on a wet track in corners where it owes a stop.

        They are three, or one on rain tyres [8-1-2, 8-2-2, 8-3-2].
        """
        return self.slide_of(car.tyres or "hard", wet=self.wet)

    def slide_of(self, compound: Compound, *, wet: bool) -> int:
        """Return how many spaces a compound slides on in such corners [8-1-2, 8-2-2, 8-3-2]."""
        spaces: int = getattr(self.figures, f"slide_{compound}") if wet else 0
        return spaces

    def slides_anyway(self) -> bool:
        """Return True if a car also slides where it owes no stop; not in every rulebook [7-1-1, ruling 27]."""
        return False

    def lacks_compound(self, car: C) -> bool:
        """Return True if a car still owes the race another compound; only in some rulebooks."""
        return False

    def soft_space(self, car: C) -> bool:
        """Return True if soft tyres may add a space: once a turn on a dry track during the first lap of the set.

        They may until the car has crossed the line or reached its box [8-2-1, 8-2-3, 19-3-6, 6-3.7, rulings 31, 32].
        """
        move = self.move
        if self.wet or move.soft or not self.bonus_of(car.tyres):
            return False
        return self.gives_space(car, crossed=move.crossed)

    def bonus_of(self, compound: Compound) -> int:
        """Return the spaces that a compound may add to a move [8-2-1]."""
        return int(compound == "soft")

    def soft_spaces(self, car: C) -> int:
        """Return the most spaces that soft tyres may add now [8-2-1, 6-3.7]."""
        return self.bonus_of(car.tyres) if self.soft_space(car) else 0

    def gain(self, car: C, spaces: int) -> None:
        """Note that a set has brought spaces: how many, and of which kind it is, if not a soft one [8-2-1]."""
        self.move.soft = True
        if car.tyres == "soft":
            self.rule("soft", "8-2-1", car)
        else:
            self.rule("soft", self.bonus_article, car, spaces=spaces, tyres=car.tyres)

    def soft_laps(self) -> int:
        """Return the laps for which a soft set brings a space [8-2-1]."""
        return self.figures.soft_laps

    def gives_space(self, car: C, *, crossed: bool) -> bool:
        """Return True if the laps of a soft set still bring a space.

        The lap that ends counts if the move has `crossed` the line; for a car in the pit lane the line ends none before
        it is in its box [8-2-1, 8-2-3, 19-3-6, rulings 32, 33].
        """
        laps = car.tyre_laps
        if car.status == "pit" and not car.stop:
            laps -= self.book.pits.beyond_line(car.at)
        elif crossed and not car.fresh:
            laps += 1
        return laps < self.soft_laps()

    def age_tyres(self, car: C) -> None:
        """Age a set by a lap at each crossing of the line [8-0-2, 8-2-1, 8-2-3, ruling 33].

        The first crossing on the way out of its box or off the grid does not count.
        """
        if self.move.crossed:
            if car.fresh:
                car.fresh = False
            else:
                car.tyre_laps += 1
            self.rule("lap", "0-0-1", car, lap=car.lap, tyre_laps=car.tyre_laps if car.tyres else 0)
        if self.come_round(car):
            car.round_set = True

    def come_round(self, car: C) -> bool:
        """Return True if a car is in the second half of the lap, on its way to the pit entry.

        [19-2-4, ruling 35]
        """
        if car.at is None or car.in_pits:
            return False
        if self.track.known == "corner":
            return self.book.sheet.stretch(car.at) > len(self.track.corners)
        return not self.track.past_line(self.track.ids[car.at])
