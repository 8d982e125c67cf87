"""A chapter of the race of sections."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.rules.conversation.chapter import Chapter
from companion.rules.ninety.circuit import Section
from companion.rules.ninety.state import SectionCar, SectionRace

if TYPE_CHECKING:
    from companion.rules.ninety.ninety import Ninety


class SectionChapter(Chapter):
    """It sees the race, the track, the figures and the other chapters by name, such as `self.book.order.leader`."""

    book: Ninety

    def __init__(self, book: Ninety) -> None:
        self.book, self.track, self.figures = book, book.track, book.figures
        self.car, self.rule = book.car, book.rule

    @property
    def race(self) -> SectionRace:
        """The race as it stands."""
        return self.book.race

    def section(self, car: SectionCar) -> Section:
        """The section that a car stands in."""
        return self.book.section(car)
