"""A result while it is typed from paper or put right, line by line."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import msgspec

from companion.tournament.results import RETIRED, Line, classified


class Draft:
    """The lines of a result, each named by its index: the finishers from the first place on, behind them who is out.

    `was` are the lines that it began from; of those who are `away` nobody knows whether they were in it. With
    `places_retired` who is out has a place too, behind the finishers unless it is moved [race.unfinished, ruling 19].

    >>> draft = Draft((Line(7, 1), Line(9, 2), Line(4)))
    >>> draft.out(0)
    1
    >>> [(line.driver, line.place) for line in draft.lines]
    [(9, 1), (7, None), (4, None)]
    """

    def __init__(self, was: Sequence[Line], away: Collection[int] = (), *, places_retired: bool = False) -> None:
        self.was, self.away, self.places_retired = tuple(was), away, places_retired
        self._lines = list(was)
        if places_retired:
            unknown = [line for line in was if line.driver in away and line.place is None and not line.cause]
            self._lines = [*classified([line for line in was if line not in unknown]), *unknown]

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

    def is_out(self, at: int) -> bool:
        """Whether the driver of a line retired, or has no place."""
        line = self._lines[at]
        return line.place is None or bool(line.cause)

    def move(self, at: int, to: int) -> int:
        """Give a placed driver another place; return his new index."""
        self._lines.insert(to, self._lines.pop(at))
        return to

    def out(self, at: int) -> int:
        """Retire a finisher: he stands in front of the others who are out. Return his new index."""
        line = self._lines.pop(at)
        line = msgspec.structs.replace(line, **({"cause": RETIRED} if self.places_retired else {"place": None}))
        return self._behind_finishers(line)

    def home(self, at: int) -> int:
        """Make who is out the last finisher, without a cause. Return his new index."""
        line = self._lines.pop(at)
        return self._behind_finishers(msgspec.structs.replace(line, place=1, cause="", article="", round=0))

    def _behind_finishers(self, line: Line) -> int:
        to = next((at for at in range(len(self._lines)) if self.is_out(at)), len(self._lines))
        self._lines.insert(to, line)
        return to

    def because(self, at: int, cause: str) -> int:
        """Set the cause by which a driver is out; the article is known of the one in the log. Return his index, which
        is another one if he had finished, or if nobody knew whether he was in the race."""
        line = self._lines[at]
        if cause and not self.is_out(at):
            at = self.out(at)
        elif cause and self.places_retired and line.place is None:
            del self._lines[at]
            at = self.placed
            self._lines.insert(at, msgspec.structs.replace(line, place=1))
        line = self._lines[at]
        article = next((one.article for one in self.was if (one.driver, one.cause) == (line.driver, cause)), "")
        self._lines[at] = msgspec.structs.replace(line, cause=cause, article=article)
        return at

    def give(self, at: int, points: int, scale: Sequence[int]) -> None:
        """Points by hand; those of the place are none by hand."""
        line = msgspec.structs.replace(self.lines[at], points=None)
        if points != line.scored(scale):
            line = msgspec.structs.replace(line, points=points)
        self._lines[at] = line
