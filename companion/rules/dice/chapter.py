"""A chapter of a rulebook of dice."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Generic

from companion.rules.conversation.asking import Json
from companion.rules.conversation.kinds import Kind, Pool
from companion.rules.conversation.overriding import TypeVar
from companion.rules.conversation.rulebook import Chapter
from companion.rules.dice.figures import Figures
from companion.rules.dice.state import C, Car, Move, Race

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.rules.dice.formula_de import FormulaDe

R = TypeVar("R", bound=Race[Any], default=Race[Car])
"""The race as a rulebook keeps it."""
F = TypeVar("F", bound=Figures, default=Figures)
"""The figures that a rulebook counts with."""


class DiceChapter(Chapter, Generic[C, R, F]):
    """It sees the race, the circuit, the figures and the other chapters by name, such as `self.book.order.leader()`.

    A rulebook that has a chapter otherwise puts its own kind of it in its place, and marks with `override` what it
    rewrites.
    """

    book: FormulaDe[C, R, F]

    def __init__(self, book: FormulaDe[C, R, F]) -> None:
        self.book, self.track, self.board, self.figures = book, book.track, book.board, book.figures
        self.car, self.article, self.rule = book.car, book.article, book.rule

    @property
    def race(self) -> R:
        """The race as it stands."""
        return self.book.race

    @property
    def move(self) -> Move:
        """The turn being played."""
        move = self.book.race.move
        assert move is not None, "no turn is being played"
        return move

    @property
    def wet(self) -> bool:
        """True if the track is wet."""
        return self.book.race.surface == "wet"

    def others(self, car: C) -> Iterator[C]:
        """Every other car that stands on the board."""
        return (
            other
            for other in self.book.race.cars
            if other.number != car.number and other.standing and other.at is not None
        )

    def lose(self, car: C, kind: Kind, article: str, points: Mapping[Pool, int], **facts: Json) -> None:
        """Cross points off the pools of a car and note why."""
        self.book.wear.lose(car, kind, article, points, **facts)
