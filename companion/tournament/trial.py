"""Trials, the timed practice: one lap against the clock, counted in throws (articles 1-0 to 1-2).

A `Trial` is what was tapped while one driver's clock ran; what it comes to is an `AbsoluteTime`.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import accumulate
from typing import ClassVar, Final, Literal

import msgspec

from companion.rules.circuit.track import Sky
from companion.rules.conversation.errors import BadEntry
from companion.rules.conversation.kinds import Surface
from companion.rules.conversation.overriding import override
from companion.rules.dice.figures import Figures
from companion.tournament.times import AbsoluteTime

Tyres = Literal["soft", "hard", "rain"]
Call = Literal["stick", "car", "hand", "gear"]
Tap = Literal["throw", "over", "misplaced", "replayed", "stick", "car", "hand", "gear"]
"""Taps that count: a throw, an overshot space, a misplaced car, a throw that does not count because its turn is played
again, and the four calls."""

COMPOUNDS: Final[tuple[Tyres, ...]] = ("soft", "hard", "rain")
CALLS: Final[Mapping[Call, str]] = {"stick": "1-2-1-1", "car": "1-2-1-2", "hand": "1-2-1-3", "gear": "1-2-1-4"}
"""Calls that stewards may make while the clock runs, with the article of each."""
REPLAYED: Final[frozenset[Call]] = frozenset(("stick", "car"))
"""Calls after which the die is thrown again."""

REMINDERS: Final[Mapping[str, tuple[str, ...]]] = {
    "session": ("1-0-2", "1-0-4"),
    "trial": ("1-1-1", "1-1-2", "1-1-3", "1-1-6", "1-1-7", "1-1-7-1"),
    "after": ("1-1-9",),
    "disobeyed": ("1-2-3",),
}
"""Articles to remind people of, by moment: when a session begins, before each lap, after it, and when a call is
ignored."""

Fault = Literal["misplaced", "over", "stops", "throws", "gear", "die", "line"]
"""Findings of following the board: a misplaced car, overshot spaces, two stops missed, throws not counted or counted
once too often, a forbidden gear, a face that the die of the gear does not have, and a car that is not over the line
although its clock was stopped."""


class Throw(msgspec.Struct, frozen=True, omit_defaults=True):
    """One throw as seen on the board.

    `gear` is that of the stick, `face` that of the die (0: nobody saw it), `at` the space on which the car was put,
    `unseen` how many throws nobody saw on the board between the one before and this one.
    """

    gear: int
    face: int
    at: str
    unseen: int = 0


class Finding(msgspec.Struct, frozen=True, omit_defaults=True):
    """A fault found by following the board.

    `throw` is the throw of the lap (0: the lap as a whole), `more` the spaces or throws beyond those counted, `moved`
    the spaces that the car moved, if known.
    """

    what: Fault
    throw: int
    article: str
    more: int = 0
    moved: int = 0


class Trial(msgspec.Struct, frozen=True, kw_only=True):
    """One driver's lap in one session.

    `tyres` are "" until the driver has said which. `throws`, `overshot` spaces and `misplaced` cars are counted,
    `calls` kept in their order. `clock` is in hundredths of a second, None until it is stopped. `missed` says that two
    stops of a corner were missed, which ended it, `disputed` that somebody disputes it, `settled` that the head steward
    has ruled. `followed` are the throws that were seen on the board, if anybody follows it; `judged` what was found
    there, and whether the commissioner has accepted it.
    """

    driver: int
    session: int = 1
    tyres: Tyres | Literal[""] = ""
    sky: Sky = "sun"
    throws: int = 0
    overshot: int = 0
    misplaced: int = 0
    calls: tuple[Call, ...] = ()
    clock: int | None = None
    missed: bool = False
    disputed: bool = False
    settled: bool = False
    followed: tuple[Throw, ...] = ()
    judged: tuple[tuple[Finding, bool], ...] = ()

    RULEBOOK: ClassVar[str] = "competition"
    """Rulebook whose articles are cited."""
    REMINDED: ClassVar[Mapping[str, tuple[str, ...]]] = REMINDERS
    CALLED: ClassVar[Mapping[Call, str]] = CALLS
    """Calls that stewards may make."""
    MISPLACED: ClassVar[bool] = True
    """True if a misplaced car costs throws."""

    # -- before the clock starts

    def must_be_ready(self) -> None:
        """Raise BadEntry until the driver has chosen his tyres, before the clock starts [1-1-4]."""
        if not self.tyres:
            raise BadEntry("tyres_before_clock")

    @property
    def surface(self) -> Surface:
        """The surface: wet in rain, else dry, the same at every table [1-0-3]."""
        return "wet" if self.sky == "rain" else "dry"

    @classmethod
    def article(cls, number: str) -> str:
        """Return the article of the competition as the rulebook of the trial names it."""
        from companion.rules.rulebooks import RULEBOOKS  # only here: it reads every rulebook's module

        return RULEBOOKS[cls.RULEBOOK].article(number)

    @classmethod
    def ends_it(cls, stops: int, made: int) -> bool:
        """Return True if leaving a corner of `stops` with `made` of them ends the trial [1-1-14]."""
        return stops - made >= 2

    @property
    def reminders(self) -> tuple[str, ...]:
        """The articles to read out before the lap; in rain first that on rain tyres [1-1-5]."""
        return (*(("1-1-5",) if self.surface == "wet" else ()), *self.REMINDED["trial"])

    # -- while the clock runs

    @property
    def over(self) -> bool:
        """Return True if the clock was stopped or two stops were missed [1-1-8, 1-1-14]."""
        return self.clock is not None or self.missed

    def count_tap(self, tap: Tap) -> Trial:
        """Return the trial with one more tap counted.

        A turn that is played again counts as one throw, and the space of the throw taken back is forgotten. A misplaced
        car may still be added after the lap, since nobody mentions it before; anything else then raises BadEntry
        [1-1-10, 1-1-11, 1-2-1-1, 1-2-1-2, 1-2-2].
        """
        if self.over and (tap != "misplaced" or self.missed):
            raise BadEntry("trial_over_car")
        if tap == "replayed" and not self.throws:
            raise BadEntry("no_throw")
        if tap == "throw":
            return msgspec.structs.replace(self, throws=self.throws + 1)
        if tap == "replayed":
            followed = self.followed[:-1] if self.seen_to >= self.throws else self.followed
            return msgspec.structs.replace(self, throws=self.throws - 1, followed=followed)
        if tap == "over":
            return msgspec.structs.replace(self, overshot=self.overshot + 1)
        if tap == "misplaced":
            return msgspec.structs.replace(self, misplaced=self.misplaced + 1)
        return msgspec.structs.replace(self, calls=(*self.calls, tap))

    def stopped(self, clock: int) -> Trial:
        """Return the trial with its clock stopped by the driver, in hundredths of a second.

        Raises BadEntry if no lap is running [1-1-8].
        """
        if self.over:
            raise BadEntry("trial_over")
        if not self.throw_count:
            raise BadEntry("no_throw_home")
        stopped = msgspec.structs.replace(self, clock=clock)
        stopped.time().check()
        return stopped

    def ended(self, clock: int = 0) -> Trial:
        """Return the trial ended by missed stops, which ranks it last [1-1-14]."""
        if self.over:
            raise BadEntry("trial_over")
        return msgspec.structs.replace(self, missed=True, clock=clock)

    def add_throw(self, throw: Throw, *, counts: bool = False) -> Trial:
        """Return the trial with one more throw seen on the board.

        If it `counts`, it is a throw of its own; else it says where a throw that was tapped went. Faults are not
        mentioned before the lap is over; throws may still be added then [1-1-10, 1-2-2].
        """
        if self.missed or self.judged or self.settled:
            raise BadEntry("trial_over_car")
        if not 1 <= throw.gear <= 6 or not 0 <= throw.face <= 30:
            raise BadEntry("throw_range", gear=throw.gear, face=throw.face)
        if counts:
            throw = msgspec.structs.replace(throw, unseen=max(0, self.throw_count - self.seen_to))
            return msgspec.structs.replace(self, throws=self.throw_count + 1, followed=(*self.followed, throw))
        return msgspec.structs.replace(self, followed=(*self.followed, throw))

    @property
    def seen_to(self) -> int:
        """The number of the last throw seen on the board, 0 without one."""
        return sum(1 + throw.unseen for throw in self.followed)

    @property
    def seen(self) -> dict[int, Throw]:
        """The throws seen on the board, by their number in the lap."""
        numbers = accumulate(1 + throw.unseen for throw in self.followed)
        return dict(zip(numbers, self.followed, strict=True))

    @property
    def throw_count(self) -> int:
        """The throws of the lap: those counted, else those seen on the board [1-1-10]."""
        return self.throws or len(self.followed)

    @property
    def unfinished(self) -> bool:
        """Return True if the commissioner accepted that the car was not over the line.

        Such a lap has no time [1-1-8].
        """
        return any(finding.what == "line" and accepted for finding, accepted in self.judged) and not self.settled

    def called(self, call: Call) -> int:
        """Return how often stewards made a call.

        The turn or gesture is repeated, which costs only time [1-1-7-2, 1-2-1-1, 1-2-1-2, 1-2-1-3, 1-2-1-4].
        """
        return self.calls.count(call)

    # -- after it

    def check_ruling(self, throws: int, overshot: int, misplaced: int) -> None:
        """Check a ruling of the head steward.

        Raises BadEntry for other counts of a trial that missed stops have made last, which no count changes, and for
        misplaced cars where they cost nothing [1-1-9, 1-1-14, option.trial, option.trial-out].
        """
        if misplaced and not self.MISPLACED:
            raise BadEntry("trial_box")
        if self.missed and (throws, overshot, misplaced) != self.counts:
            raise BadEntry("ruled_last", driver=self.driver)

    @property
    def counts(self) -> tuple[int, int, int]:
        """The throws, overshot spaces and misplaced cars that were counted, on which a dispute is ruled [1-1-9]."""
        return self.throw_count, self.overshot, self.misplaced

    def ruled(self, throws: int, overshot: int, misplaced: int) -> Trial:
        """Return the trial with the counts ruled by the head steward in a dispute [1-1-9]."""
        if not self.disputed:
            raise BadEntry("not_disputed")
        ruled = msgspec.structs.replace(self, throws=throws, overshot=overshot, misplaced=misplaced,
                                        disputed=False, settled=True)  # fmt: skip
        ruled.time().check()
        return ruled

    def decided(self, finding: Finding, accepted: bool) -> Trial:
        """Return the trial with the commissioner's answer to a finding.

        Accepted, a misplaced car costs ten throws, overshot spaces their price, uncounted throws one each, and missed
        stops the last place. A gear or die that nobody called out costs nothing, and a lap that ends before the line
        has no time [1-1-8, 1-1-9, 1-1-10, 1-1-11, 1-1-12, 1-1-14, 1-2-1-1, 1-2-1-4].
        """
        if not self.over:
            raise BadEntry("clock_runs")
        if any((one.what, one.throw) == (finding.what, finding.throw) for one, _ in self.judged):
            raise BadEntry("finding_answered")
        trial = msgspec.structs.replace(self, judged=(*self.judged, (finding, accepted)))
        if accepted:
            more = finding.more
            counts = {"misplaced": ("misplaced", 1), "over": ("overshot", more), "throws": ("throws", more)}
            if finding.what == "stops":
                trial = msgspec.structs.replace(trial, missed=True)
            elif finding.what in counts:
                name, count = counts[finding.what]
                trial = msgspec.structs.replace(trial, **{name: getattr(trial, name) + count})
            trial.time().check()
        return trial

    # -- what it comes to

    @property
    def factor(self) -> int:
        """Throws for each overshot space."""
        return factor(self.tyres, self.surface) if self.tyres else 1

    def time(self, clock: int = 0, at: str = "") -> AbsoluteTime:
        """Return the absolute time so far.

        `clock` is used while the clock is running; `at` is when the trial was driven [1-3-1].
        """
        return AbsoluteTime(
            throws=self.throw_count,
            clock=clock if self.clock is None else self.clock,
            overshot=self.overshot,
            factor=self.factor,
            misplaced=self.misplaced,
            last=self.missed,
            at=at,
        )


class BoxTrial(Trial, frozen=True, kw_only=True):
    """A driver's lap by the box of Formula D: no stewards, and tyres only as an option."""

    RULEBOOK: ClassVar[str] = "formula-d"
    REMINDED: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "session": ("option.weather",), "trial": ("option.trial",), "after": (), "disobeyed": (),
    }  # fmt: skip
    CALLED: ClassVar[Mapping[Call, str]] = {}
    MISPLACED: ClassVar[bool] = False

    @override
    def must_be_ready(self) -> None:
        """Allow any tyres, or none where all are alike; they may change afterwards [option.trial]."""

    @override
    def count_tap(self, tap: Tap) -> Trial:
        """Count a throw or an overshot space, one throw each [option.trial, ruling 27].

        Raises BadEntry for anything else.
        """
        if tap not in ("throw", "over", "replayed"):
            raise BadEntry("trial_box")
        return super().count_tap(tap)

    @override
    @classmethod
    def ends_it(cls, stops: int, made: int) -> bool:
        """Return True for a corner of two or three stops that was left without one [option.trial-out]."""
        return stops >= 2 and made == 0


def kind_of(rulebook: str) -> type[Trial]:
    """Return the trials of a rulebook: those of the box by Formula D, else those of the competition."""
    from companion.rules.rulebooks import RULEBOOKS  # the same

    return BoxTrial if RULEBOOKS.nearest(rulebook, ("formula-d", "competition")) == "formula-d" else Trial


def factor(tyres: Tyres, surface: Surface, figures: Figures | None = None) -> int:
    """Return the throws for each overshot space: the points it costs on new tyres [1-1-12]."""
    each: tuple[int, ...] = getattr(figures or Figures(), f"factor_{tyres}_{'wet' if surface == 'wet' else 'dry'}")
    return each[0]
