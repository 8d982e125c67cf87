"""Trials, the timed practice: one lap against the clock, counted in throws (articles 1-0 to 1-2).

A `Trial` is what was tapped while one driver's clock ran; what it comes to is an `AbsoluteTime`.
"""

from __future__ import annotations

from collections.abc import Mapping
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
"""What is counted: a throw, an overshot space, a misplaced car, a throw that does not count because its turn is played
again, and the four calls."""

COMPOUNDS: Final[tuple[Tyres, ...]] = ("soft", "hard", "rain")
CALLS: Final[Mapping[Call, str]] = {"stick": "1-2-1-1", "car": "1-2-1-2", "hand": "1-2-1-3", "gear": "1-2-1-4"}
"""What stewards may call out while the clock runs, with the article of each."""
REPLAYED: Final[frozenset[Call]] = frozenset(("stick", "car"))
"""Calls after which a die that was thrown is thrown again."""

REMINDERS: Final[Mapping[str, tuple[str, ...]]] = {
    "session": ("1-0-2", "1-0-4"),
    "trial": ("1-1-1", "1-1-2", "1-1-3", "1-1-6", "1-1-7", "1-1-7-1"),
    "after": ("1-1-9",),
    "disobeyed": ("1-2-3",),
}
"""What people must see to, by when they are told: as a session begins, before each lap, after it, and when a call is
ignored."""

Fault = Literal["misplaced", "over", "stops", "throws", "gear", "die", "line"]
"""What following the board can find: a misplaced car, overshot spaces, two stops missed, throws that were not counted
or counted once too often, a forbidden gear, a face that the die of the gear does not have, and a car that is not over
the line although its clock was stopped."""


class Throw(msgspec.Struct, frozen=True, omit_defaults=True):
    """One throw as it was seen on the board: the gear of the stick, the face of the die (0: nobody saw it), and the
    space on which the car was put."""

    gear: int
    face: int
    at: str


class Finding(msgspec.Struct, frozen=True, omit_defaults=True):
    """What following the board has found: in which throw of the lap (0: in the lap as a whole), by which article, how
    many spaces or throws more than were counted, and the spaces that the car had moved, if they are known."""

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
    """Whose articles are cited."""
    REMINDED: ClassVar[Mapping[str, tuple[str, ...]]] = REMINDERS
    CALLED: ClassVar[Mapping[Call, str]] = CALLS
    """What stewards may call out."""
    MISPLACED: ClassVar[bool] = True
    """Whether a misplaced car costs throws."""

    # -- before the clock starts

    def must_be_ready(self) -> None:
        """The driver says which tyres he uses before the clock starts; raises BadEntry until then [1-1-4]."""
        if not self.tyres:
            raise BadEntry("Choose the tyres of this trial before the clock starts.")

    @property
    def surface(self) -> Surface:
        """Wet only in rain, at every table alike: one roll of the black die before the session has drawn the sky
        [1-0-3]."""
        return "wet" if self.sky == "rain" else "dry"

    @classmethod
    def article(cls, number: str) -> str:
        """Return the article of the competition as the rulebook of the trial names it."""
        from companion.rules.rulebooks import RULEBOOKS  # only here: it reads every rulebook's module

        return RULEBOOKS[cls.RULEBOOK].article(number)

    @classmethod
    def ends_it(cls, stops: int, made: int) -> bool:
        """Return True if a corner of so many stops, left with so many made, ends the trial [1-1-14]."""
        return stops - made >= 2

    @property
    def reminders(self) -> tuple[str, ...]:
        """What is said before the lap; if it rains, first how far rain tyres slide [1-1-5]."""
        return (*(("1-1-5",) if self.surface == "wet" else ()), *self.REMINDED["trial"])

    # -- while the clock runs

    @property
    def over(self) -> bool:
        """A trial lasts until its clock is stopped, or two stops are missed [1-1-8, 1-1-14]."""
        return self.clock is not None or self.missed

    def tapped(self, tap: Tap) -> Trial:
        """One thing more is counted: a throw (a turn that is played again counts once), an overshot space, a call, or a
        misplaced car, of which nobody speaks before the lap is over, so that it may still be added then. Raises
        BadEntry for anything else after the lap [1-1-10, 1-1-11, 1-2-1-1, 1-2-1-2, 1-2-2]."""
        if self.over and (tap != "misplaced" or self.missed):
            raise BadEntry("This trial is over; nothing more is counted but a misplaced car.")
        if tap == "replayed" and not self.throws:
            raise BadEntry("No throw has been counted that could be taken back.")
        if tap == "throw" or tap == "replayed":
            return msgspec.structs.replace(self, throws=self.throws + (1 if tap == "throw" else -1))
        if tap == "over":
            return msgspec.structs.replace(self, overshot=self.overshot + 1)
        if tap == "misplaced":
            return msgspec.structs.replace(self, misplaced=self.misplaced + 1)
        return msgspec.structs.replace(self, calls=(*self.calls, tap))

    def stopped(self, clock: int) -> Trial:
        """Over the line the driver stops the clock himself. Raises BadEntry where there is no lap to stop
        [1-1-8]."""
        if self.over:
            raise BadEntry("This trial is over; its clock stands.")
        if not self.counted:
            raise BadEntry("Nobody comes round without a throw; count them before the clock stops.")
        stopped = msgspec.structs.replace(self, clock=clock)
        stopped.time().check()
        return stopped

    def ended(self, clock: int = 0) -> Trial:
        """No stop where two are due, none or one where three are, ends the trial, and the driver is last of this
        session [1-1-14]."""
        if self.over:
            raise BadEntry("This trial is over; its clock stands.")
        return msgspec.structs.replace(self, missed=True, clock=clock)

    def seen(self, throw: Throw) -> Trial:
        """One more throw is seen on the board; of what is wrong with it nobody speaks before the lap is over, and what
        was seen late may still be told then [1-2-2]."""
        if self.missed or self.judged or self.settled:
            raise BadEntry("This trial is over; nothing more is counted but a misplaced car.")
        if not 1 <= throw.gear <= 6 or not 0 <= throw.face <= 30:
            raise BadEntry(
                f"A throw has a gear of 1 to 6 and a face of 1 to 30; {throw.gear} and {throw.face} are not."
            )
        return msgspec.structs.replace(self, followed=(*self.followed, throw))

    @property
    def counted(self) -> int:
        """The throws of the lap: those that were counted, or where nobody counted them those seen on the board
        [1-1-10]."""
        return self.throws or len(self.followed)

    @property
    def unfinished(self) -> bool:
        """Whether the commissioner accepted that the car was not over the line: such a lap has no time [1-1-8]."""
        return any(finding.what == "line" and accepted for finding, accepted in self.judged) and not self.settled

    def called(self, call: Call) -> int:
        """How often stewards called it out; the turn or the gesture is done again, which costs nothing but time
        [1-1-7-2, 1-2-1-1, 1-2-1-2, 1-2-1-3, 1-2-1-4]."""
        return self.calls.count(call)

    # -- after it

    def ruled(self, throws: int, overshot: int, misplaced: int) -> Trial:
        """What the head steward finds in a dispute, once the onlookers have spoken [1-1-9]."""
        if not self.disputed:
            raise BadEntry("Nobody disputes this trial; a dispute comes first.")
        ruled = msgspec.structs.replace(self, throws=throws, overshot=overshot, misplaced=misplaced,
                                        disputed=False, settled=True)  # fmt: skip
        ruled.time().check()
        return ruled

    def decided(self, finding: Finding, accepted: bool) -> Trial:
        """What was found on the board counts once the commissioner accepts it: ten throws for a misplaced car, spaces
        overshot at their price, throws that were not counted, or the last place; a gear or a die that nobody called out
        costs nothing, and a lap that ends before the line has no time
        [1-1-8, 1-1-9, 1-1-10, 1-1-11, 1-1-12, 1-1-14, 1-2-1-1, 1-2-1-4]."""
        if not self.over:
            raise BadEntry("The clock of this trial still runs; it is stopped first.")
        if any((one.what, one.throw) == (finding.what, finding.throw) for one, _ in self.judged):
            raise BadEntry("That finding has its answer already; take it back first.")
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
        """The absolute time as it stands on the clock, which may still run; `at` is when it was done [1-3-1]."""
        return AbsoluteTime(
            throws=self.counted,
            clock=clock if self.clock is None else self.clock,
            overshot=self.overshot,
            factor=self.factor,
            misplaced=self.misplaced,
            last=self.missed,
            at=at,
        )


class BoxTrial(Trial, frozen=True, kw_only=True):
    """A driver's lap by the box of Formula D: no stewards, and without kinds of tyres none to choose."""

    RULEBOOK: ClassVar[str] = "formula-d"
    REMINDED: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "session": ("option.weather",), "trial": ("option.trial",), "after": (), "disobeyed": (),
    }  # fmt: skip
    CALLED: ClassVar[Mapping[Call, str]] = {}
    MISPLACED: ClassVar[bool] = False

    @override
    def must_be_ready(self) -> None:
        """Start with any tyres, or where all are alike with none; they may be changed afterwards [option.trial]."""

    @override
    def tapped(self, tap: Tap) -> Trial:
        """Count a throw or a space beyond a corner, one throw each; nothing else counts [option.trial, ruling 27]."""
        if tap not in ("throw", "over", "replayed"):
            raise BadEntry("By the box only throws and spaces beyond a corner count in a trial.")
        return super().tapped(tap)

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
    """Throws for each overshot space, as many as it would cost points on a new set of these tyres [1-1-12]."""
    each: tuple[int, ...] = getattr(figures or Figures(), f"factor_{tyres}_{'wet' if surface == 'wet' else 'dry'}")
    return each[0]
