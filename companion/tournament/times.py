"""Absolute times of trials, in throws, and their order (articles 1-1-10 to 1-3-2)."""

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
"""Maximum throws, overshot spaces or misplaced cars of a trial."""
LONGEST: Final = 60 * 60 * 100
"""Maximum clock of a trial, in hundredths of a second: an hour."""
_CLOCK: Final = re.compile(r"(\d{1,2})\s*[:'’′]\s*(\d{1,2})(?:\s*(?:\.|,|\"|”|″|'')\s*(\d{1,2})?)?")

Counts = Literal["best", "last", "sum"]
"""Rule for which of a driver's sessions count: his best, his last, or their sum."""
Apart = Literal["sessions", "last", "throws", "clock", "first", "equal"]
"""Criteria that separate two times."""


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
        """Whole minutes on the clock, each of which counts as a throw [1-1-13]."""
        return self.clock // 6000

    @property
    def total(self) -> int:
        """The absolute time, in throws.

        Throws, overshot spaces by their factor, ten for each misplacement, and whole minutes [1-1-10, 1-1-11, 1-1-12,
        1-1-13].
        """
        return self.throws + self.overshot * self.factor + self.misplaced * MISPLACED + self.minutes

    @property
    def rank(self) -> tuple[int, bool, int, int, str]:
        """The sort key of a time, the better one first.

        Sessions missing from a sum, then two missed stops (last), then the absolute time, the clock, and the time of
        day [1-1-14, 1-3-2].
        """
        return (0, True, 0, 0, self.at) if self.last else (0, False, self.total, self.clock, self.at)

    def check(self) -> None:
        """Check the counts and the clock.

        Raises BadEntry if no trial can have them.
        """
        for count, what in (
            (self.throws, "throws"), (self.overshot, "spaces"), (self.misplaced, "misplacements"),
        ):  # fmt: skip
            if not 0 <= count <= MOST:
                raise BadEntry("trial_count", most=MOST, what=what, count=count)
        if not 1 <= self.factor <= 9:
            raise BadEntry("over_factor", factor=self.factor)
        if not 0 <= self.clock <= LONGEST:
            raise BadEntry("trial_hour")
        if not self.last and not self.throws:
            raise BadEntry("trial_no_throw")


class Sum(AbsoluteTime, frozen=True):
    """A driver's sessions added up, count by count.

    `added` is the sum of their absolute times, because whole minutes and the factor of overshot spaces belong to each
    session. `lacks` is the number of sessions that he has not driven.
    """

    added: int = 0
    lacks: int = 0

    @property
    @override
    def total(self) -> int:
        return self.added

    @property
    @override
    def rank(self) -> tuple[int, bool, int, int, str]:
        """The sort key: a sum of fewer sessions is behind every sum of more [1-0-1, 1-3-2]."""
        return (self.lacks, *super().rank[1:])


def clock_of(said: str) -> int:
    """Parse a clock such as 1'15"56, 1:15.56 or 1:15 into hundredths of a second.

    Raises BadEntry.
    """
    found = _CLOCK.fullmatch(said.strip())
    if found is None:
        raise BadEntry("clock_form", said=said)
    minutes, seconds, rest = int(found[1]), int(found[2]), found[3] or ""
    if seconds > 59:
        raise BadEntry("clock_seconds", said=said, seconds=seconds)
    return minutes * 6000 + seconds * 100 + int(rest.ljust(2, "0"))


def clock_text(clock: int) -> str:
    """Format hundredths of a second as a stopwatch does: 1:15.56."""
    return f"{clock // 6000}:{clock // 100 % 60:02}.{clock % 100:02}"


def counting(trials: Sequence[AbsoluteTime], counts: Counts = "best", sessions: int = 0) -> AbsoluteTime | None:
    """Return the time that ranks a driver after his sessions, None without one [1-0-1].

    With "sum", the absolute times and the clocks of all sessions make one time, which is last if one of them is and
    dates from the latest one. Sessions that he lacks out of `sessions` are counted in it.
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
    """Rank drivers by absolute time, the best first; full ties go by number [1-3-2]."""
    return sorted(times, key=lambda number: (*times[number].rank, number))


def told_apart(better: AbsoluteTime, worse: AbsoluteTime) -> Apart:
    """Return what puts one trial ahead of another.

    "sessions": the other lacks some; "last": missed stops; "throws"; "clock"; "first": it was driven earlier; "equal"
    [1-3-2].
    """
    words: tuple[Apart, ...] = ("sessions", "last", "throws", "clock", "first")
    for word, one, other in zip(words, better.rank, worse.rank, strict=True):
        if one != other:
            return word
    return "equal"
