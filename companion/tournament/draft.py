"""A result being typed from paper or corrected, line by line."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import msgspec

from companion.tournament.results import RETIRED, ResultLine, classified


class ResultDraft:
    """The lines of a result by index: the finishers in order, then the retired drivers.

    `was` are the lines that it began from; of those who are `away` nobody knows whether they were in it. With
    `places_retired` who is out has a place too, behind the finishers unless it is moved [race.unfinished, ruling 19].

    >>> draft = ResultDraft((ResultLine(7, 1), ResultLine(9, 2), ResultLine(4)))
    >>> draft.out(0)
    1
    >>> [(line.driver, line.place) for line in draft.lines]
    [(9, 1), (7, None), (4, None)]
    """

    def __init__(self, was: Sequence[ResultLine], away: Collection[int] = (), *, places_retired: bool = False) -> None:
        self.was, self.away, self.places_retired = tuple(was), away, places_retired
        self._lines = list(was)
        if places_retired:
            unknown = [line for line in was if line.driver in away and line.place is None and not line.cause]
            self._lines = [*classified([line for line in was if line not in unknown]), *unknown]

    @property
    def lines(self) -> tuple[ResultLine, ...]:
        """The result as it stands."""
        return tuple(
            line if line.place is None else msgspec.structs.replace(line, place=place)
            for place, line in enumerate(self._lines, 1)
        )

    @property
    def raced(self) -> tuple[ResultLine, ...]:
        """The lines to enter: absent drivers only if they have a place or a cause [2-0-3]."""
        return tuple(line for line in self.lines if line.place or line.cause or line.driver not in self.away)

    @property
    def placed_count(self) -> int:
        """Number of drivers with a place."""
        return sum(line.place is not None for line in self._lines)

    @property
    def changed(self) -> bool:
        """Return True if the result differs from the one it began from."""
        return self.lines != self.was

    def is_out(self, at: int) -> bool:
        """Return True if the driver of a line retired or has no place."""
        line = self._lines[at]
        return line.place is None or bool(line.cause)

    def move(self, at: int, to: int) -> int:
        """Give a placed driver another place; return his new index."""
        self._lines.insert(to, self._lines.pop(at))
        return to

    def out(self, at: int) -> int:
        """Retire a finisher ahead of the other retired drivers; return his new index."""
        line = self._lines.pop(at)
        line = msgspec.structs.replace(line, **({"cause": RETIRED} if self.places_retired else {"place": None}))
        return self._behind_finishers(line)

    def home(self, at: int) -> int:
        """Make a retired driver the last finisher, without a cause; return his new index."""
        line = self._lines.pop(at)
        return self._behind_finishers(msgspec.structs.replace(line, place=1, cause="", article="", round=0))

    def _behind_finishers(self, line: ResultLine) -> int:
        to = next((at for at in range(len(self._lines)) if self.is_out(at)), len(self._lines))
        self._lines.insert(to, line)
        return to

    def because(self, at: int, cause: str) -> int:
        """Set the cause of a retirement and return the driver's index.

        The index changes if he had finished, or if it was unknown whether he raced. The article is kept only for the
        cause that the log has.
        """
        line = self._lines[at]
        if cause and not self.is_out(at):
            at = self.out(at)
        elif cause and self.places_retired and line.place is None:
            del self._lines[at]
            at = self.placed_count
            self._lines.insert(at, msgspec.structs.replace(line, place=1))
        line = self._lines[at]
        article = next((one.article for one in self.was if (one.driver, one.cause) == (line.driver, cause)), "")
        self._lines[at] = msgspec.structs.replace(line, cause=cause, article=article)
        return at

    def give(self, at: int, points: int, scale: Sequence[int]) -> None:
        """Set a driver's points by hand, or clear them if they are those of his place."""
        line = msgspec.structs.replace(self.lines[at], points=None)
        if points != line.scored(scale):
            line = msgspec.structs.replace(line, points=points)
        self._lines[at] = line
