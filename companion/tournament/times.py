"""Absolute times: what a trial comes to, in throws, and which of two is the better one (articles 1-1-10 to 1-3-2)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final, Literal

import msgspec

from companion.rules.conversation.errors import BadEntry
from companion.rules.conversation.overriding import override

MISPLACED: Final = 10
"""Throws that a misplaced car costs [1-1-11]."""
MOST: Final = 999
"""The most throws, overshot spaces or misplaced cars of a trial."""
LONGEST: Final = 60 * 60 * 100
"""The longest clock of a trial, in hundredths of a second: an hour."""
_CLOCK: Final = re.compile(r"(\d{1,2})\s*[:'’′]\s*(\d{1,2})(?:\s*(?:\.|,|\"|”|″|'')\s*(\d{1,2})?)?")

Counts = Literal["best", "last", "sum"]
"""Which of a driver's sessions count: his best, his last, or all of them added up."""
Apart = Literal["sessions", "last", "throws", "clock", "first", "equal"]
"""What tells two times apart."""


class AbsoluteTime(msgspec.Struct, frozen=True, omit_defaults=True):
    """One trial of one driver.

    `throws` are the throws of gear dice, `clock` is in hundredths of a second, `overshot` the spaces beyond corners and
    `factor` what one of them costs with the tyres of the session, `misplaced` how often the car was put wrong. `last`:
    two stops of a corner were missed, which ended the trial. `at` is when it was done (UTC, as in the log).

    >>> AbsoluteTime(throws=14, clock=clock_of("1:15.56"), overshot=2).total
    17
    """

    throws: int
    clock: int
    overshot: int = 0
    factor: int = 1
    misplaced: int = 0
    last: bool = False
    at: str = ""

    @property
    def minutes(self) -> int:
        """Whole minutes on the clock; each is a throw [1-1-13]."""
        return self.clock // 6000

    @property
    def total(self) -> int:
        """The absolute time: throws, spaces overshot by their factor, ten for each misplacement, whole minutes
        [1-1-10, 1-1-11, 1-1-12, 1-1-13]."""
        return self.throws + self.overshot * self.factor + self.misplaced * MISPLACED + self.minutes

    @property
    def rank(self) -> tuple[int, bool, int, int, str]:
        """What two trials are compared by: sessions that are lacking in a sum, then who missed two stops is last, then
        the absolute time, then the clock, then who did it first [1-1-14, 1-3-2]."""
        return (0, True, 0, 0, self.at) if self.last else (0, False, self.total, self.clock, self.at)

    def check(self) -> None:
        """Raises BadEntry with one sentence if there is no such trial."""
        for count, what in (
            (self.throws, "throws"), (self.overshot, "spaces"), (self.misplaced, "misplacements"),
        ):  # fmt: skip
            if not 0 <= count <= MOST:
                raise BadEntry(f"A trial has 0 to {MOST} {what}; {count} is not.")
        if not 1 <= self.factor <= 9:
            raise BadEntry(f"A space overshot costs 1 to 9 throws; {self.factor} is not.")
        if not 0 <= self.clock <= LONGEST:
            raise BadEntry("The clock of a trial stops within an hour.")
        if not self.last and not self.throws:
            raise BadEntry("A trial without a throw has no time; one that was ended by two missed stops is last.")


class Sum(AbsoluteTime, frozen=True):
    """The sessions of a driver added up, count by count; `added` are their absolute times together, for whole minutes
    and the price of an overshot space are those of each session. `lacks` is how many of them he has not driven."""

    added: int = 0
    lacks: int = 0

    @property
    @override
    def total(self) -> int:
        return self.added

    @property
    @override
    def rank(self) -> tuple[int, bool, int, int, str]:
        """A sum of fewer sessions is behind every one of more: each driver has them all to drive [1-0-1, 1-3-2]."""
        return (self.lacks, *super().rank[1:])


def clock_of(said: str) -> int:
    """A clock as people write it, 1'15"56, 1:15.56 or 1:15, in hundredths of a second; raises BadEntry."""
    found = _CLOCK.fullmatch(said.strip())
    if found is None:
        raise BadEntry(f"{said} is no clock; minutes and seconds are wanted, such as 1:15.56.")
    minutes, seconds, rest = int(found[1]), int(found[2]), found[3] or ""
    if seconds > 59:
        raise BadEntry(f"{said} has {seconds} seconds; a minute has 60, so that they go to 59.")
    return minutes * 6000 + seconds * 100 + int(rest.ljust(2, "0"))


def clock_text(clock: int) -> str:
    """Hundredths of a second as a stopwatch shows them: 1:15.56."""
    return f"{clock // 6000}:{clock // 100 % 60:02}.{clock % 100:02}"


def counting(trials: Sequence[AbsoluteTime], counts: Counts = "best", sessions: int = 0) -> AbsoluteTime | None:
    """The time by which a driver is ranked after his sessions, in their order; None without one [1-0-1].

    Added up, the absolute times and the clocks of all sessions make one time, last if one of them is; it was done when
    the last of them was. Of so many `sessions` as there are to drive those that are lacking are told.
    """
    if not trials:
        return None
    if counts == "best":
        return min(trials, key=lambda trial: trial.rank)
    if counts == "last":
        return trials[-1]
    return Sum(
        throws=sum(trial.throws for trial in trials),
        clock=sum(trial.clock for trial in trials),
        overshot=sum(trial.overshot for trial in trials),
        misplaced=sum(trial.misplaced for trial in trials),
        added=sum(trial.total for trial in trials),
        last=any(trial.last for trial in trials),
        at=max(trial.at for trial in trials),
        lacks=max(0, sessions - len(trials)),
    )


def ranked(times: Mapping[int, AbsoluteTime]) -> list[int]:
    """Drivers (by number) from the best absolute time to the worst; a full tie goes by number [1-3-2]."""
    return sorted(times, key=lambda number: (*times[number].rank, number))


def told_apart(better: AbsoluteTime, worse: AbsoluteTime) -> Apart:
    """By what one trial is ahead of another: sessions that the other lacks, missed stops, throws, the clock, or who did
    it first [1-3-2]."""
    words: tuple[Apart, ...] = ("sessions", "last", "throws", "clock", "first")
    for word, one, other in zip(words, better.rank, worse.rank, strict=True):
        if one != other:
            return word
    return "equal"
