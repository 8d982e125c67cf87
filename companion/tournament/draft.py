"""A result while it is typed from paper or put right, line by line."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import msgspec

from companion.tournament.results import Line


class Draft:
    """The lines of a result, each named by where it stands: who is placed from the first place on, behind them who is
    out. `was` are the lines that it began from; of those who are `away` nobody knows whether they were in it.

    >>> draft = Draft((Line(7, 1), Line(9, 2), Line(4)))
    >>> draft.out(0)
    1
    >>> [(line.driver, line.place) for line in draft.lines]
    [(9, 1), (7, None), (4, None)]
    """

    def __init__(self, was: Sequence[Line], away: Collection[int] = ()) -> None:
        self.was, self.away = tuple(was), away
        self._lines = list(was)

    @property
    def lines(self) -> tuple[Line, ...]:
        """The result as it stands."""
        return tuple(
            line if line.place is None else msgspec.structs.replace(line, place=place)
            for place, line in enumerate(self._lines, 1)
        )

    @property
    def raced(self) -> tuple[Line, ...]:
        """The same as it is entered: who is away was in it if he has a place in it, or a cause [2-0-3]."""
        return tuple(line for line in self.lines if line.place or line.cause or line.driver not in self.away)

    @property
    def placed(self) -> int:
        """How many are placed."""
        return sum(line.place is not None for line in self._lines)

    @property
    def changed(self) -> bool:
        """Whether it is another result than the one it began from."""
        return self.lines != self.was

    def move(self, at: int, to: int) -> int:
        """Another place for who is placed; where he stands then."""
        self._lines.insert(to, self._lines.pop(at))
        return to

    def out(self, at: int) -> int:
        """Who is placed is out, and stands in front of the others who are; where he stands then."""
        line = self._lines.pop(at)
        to = self.placed
        self._lines.insert(to, msgspec.structs.replace(line, place=None))
        return to

    def home(self, at: int) -> int:
        """Who is out is placed last after all, and nothing is the cause any more; where he stands then."""
        line = self._lines.pop(at)
        to = self.placed
        self._lines.insert(to, msgspec.structs.replace(line, place=1, cause="", article="", round=0))
        return to

    def because(self, at: int, cause: str) -> None:
        """Another cause; the article is known of the one in the log."""
        line = self._lines[at]
        article = next((one.article for one in self.was if (one.driver, one.cause) == (line.driver, cause)), "")
        self._lines[at] = msgspec.structs.replace(line, cause=cause, article=article)

    def give(self, at: int, points: int, scale: Sequence[int]) -> None:
        """Points by hand; those of the place are none by hand."""
        line = msgspec.structs.replace(self.lines[at], points=None)
        if points != line.scored(scale):
            line = msgspec.structs.replace(line, points=points)
        self._lines[at] = line
