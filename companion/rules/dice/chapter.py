"""A chapter of a rulebook of dice, and what it asks of its book.

At the head of a chapter's file a kind of `Book` says which others it asks. Those below it are named whole, as its file
imports theirs; of those above it only the methods that it asks. So no two files import each other.
"""

from __future__ import annotations

import typing
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Generic, Protocol

from companion.rules.circuit.search import Board
from companion.rules.circuit.track import Track
from companion.rules.conversation.asking import Json
from companion.rules.conversation.kinds import Kind, Pool, Pools
from companion.rules.conversation.overriding import TypeVar
from companion.rules.conversation.rulebook import Chapter
from companion.rules.dice.figures import Figures
from companion.rules.dice.state import C, Car, Move, RaceState

R = TypeVar("R", bound=RaceState[Any], default=RaceState[Car])
"""The race as a rulebook keeps it."""
F = TypeVar("F", bound=Figures, default=Figures)
"""The figures that a rulebook counts with."""

C_contra = typing.TypeVar("C_contra", bound=Car, contravariant=True)
"""The cars of a race, for a chapter that is only handed them."""


class Losing(Protocol[C_contra]):
    """The points of cars."""

    def lose(self, car: C_contra, kind: Kind, article: str, points: Mapping[Pool, int], **facts: Json) -> None: ...


class Stretches(Protocol):
    """The parts of the lap on a corner sheet."""

    def stretch(self, at: str | None) -> int: ...


class Book(Protocol[C, R, F]):
    """The book as every chapter sees it."""

    race: R
    track: Track
    board: Board
    figures: F

    @property
    def places(self) -> Mapping[int, int]: ...
    @property
    def pool_of(self) -> Mapping[Pool, Pool]: ...
    @property
    def car_ranges(self) -> Mapping[str, tuple[int, int]]: ...
    @property
    def reminders(self) -> Mapping[str, Sequence[str]]: ...
    @property
    def word(self) -> str: ...
    @property
    def wear(self) -> Losing[C]: ...
    @property
    def sheet(self) -> Stretches: ...
    def car(self, number: int) -> C: ...
    def article(self, number: str) -> str: ...
    def rule(
        self,
        kind: Kind,
        article: str,
        car: C | None = None,
        wear: Pools | None = None,
        *,
        counts: Mapping[str, int] | None = None,
        **facts: Json,
    ) -> None: ...
    def remind(self, moment: str) -> None: ...


class DiceChapter(Chapter, Generic[C, R, F]):
    """It sees the race, the circuit, the figures and the other chapters by name, such as `self.book.order.leader()`.

    A rulebook that has a chapter otherwise puts its own kind of it in its place, and marks with `override` what it
    rewrites.
    """

    book: Book[C, R, F]

    def __init__(self, book: Book[C, R, F]) -> None:
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
