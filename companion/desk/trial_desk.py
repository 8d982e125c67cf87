"""The desk of trials at one table: the record, and the clock that runs.

The clock is the machine's own, which nobody can put back and which goes on while this program is dead: as long as the
machine itself stays up, a trial that was under way when the program was killed goes on with the right time. If the
machine was off, that time is lost, and nothing here makes one up.
"""

from __future__ import annotations

import time
from pathlib import Path
from types import TracebackType
from typing import Final, Literal, Self

from companion import circuits
from companion.desk.record_desk import RecordDesk
from companion.rules.circuit.track import Sky, Track
from companion.rules.conversation.errors import BadEntry
from companion.rules.ninety.circuit import SectionTrack
from companion.sheets.log import boot_id
from companion.tournament import following
from companion.tournament.record import Act, Signed
from companion.tournament.times import AbsoluteTime
from companion.tournament.trial import Finding, Tap, Throw, Tyres
from companion.tournament.trials import (
    Again,
    ClockStarted,
    Disputed,
    Followed,
    Judged,
    SkyDrawn,
    Stopped,
    StopsMissed,
    Tapped,
    TrialEntered,
    TrialRuled,
    Trials,
    TrialsOpened,
    TrialTyped,
)  # fmt: skip

HUNDREDTH: Final = 10_000_000
"""A hundredth of a second, in nanoseconds."""


class TrialDesk:
    """The trials of a day as they are run.

    Whatever is done is on the disk when a method returns; it raises BadEntry for what cannot be, and NotSaved if the
    disk takes nothing. `by` is the author, unless somebody else is named.
    """

    def __init__(self, desk: RecordDesk[Trials], by: str = "table") -> None:
        self.desk, self.by = desk, by
        self._boot = boot_id() or f"{time.time_ns()}"  # elsewhere than on Linux a clock lives as long as the program

    @classmethod
    def begin(cls, folder: Path, opened: TrialsOpened, *, by: str = "table") -> Self:
        """Begin trials in a data folder."""
        return cls(RecordDesk.begin(folder, Trials, opened, by=by), by)

    @classmethod
    def resume(cls, folder: Path, word: str = "last", *, by: str = "table") -> Self:
        """Resume trials."""
        return cls(RecordDesk.resume(folder, Trials, word), by)

    @property
    def record(self) -> Trials:
        """The record of the trials."""
        return self.desk.record

    @property
    def began(self) -> int | None:
        """The start of the clock of the trial under way, in nanoseconds of the machine's clock.

        None if none runs, or if the machine was off since.
        """
        begun, trial = self.record.begun, self.record.trial
        running = begun is not None and trial is not None and not trial.over
        return begun.mono if running and begun is not None and begun.boot == self._boot else None

    @property
    def lost(self) -> bool:
        """True if a clock ran when the machine went off, so that nobody knows its time."""
        trial = self.record.trial
        return trial is not None and not trial.over and self.began is None

    def elapsed(self, at: int | None = None) -> int:
        """Return the hundredths of a second on the clock: on the one that stands, or on the one that runs.

        The latter is read `at` a time (now, if none is given); 0 without a clock.
        """
        trial, began = self.record.trial, self.began
        if trial is not None and trial.clock is not None:
            return trial.clock
        return 0 if began is None else max(0, ((mono() if at is None else at) - began) // HUNDREDTH)

    # -- the board

    @property
    def board(self) -> Track | SectionTrack:
        """The circuit of the trials; raises CompanionError if it is gone."""
        return circuits.board(self.record.track)

    @property
    def followed_on(self) -> Track:
        """The circuit, as far as a car can be followed on it; raises BadEntry where its spaces are not known."""
        board = self.board
        if not isinstance(board, Track) or board.known != "space":
            raise BadEntry("not_by_space", track=board.name)
        return board

    @property
    def findings(self) -> tuple[Finding, ...]:
        """The findings of following the board in the lap that is over, as far as they have no answer yet."""
        trial = self.record.trial
        return following.open_findings(self.followed_on, trial) if trial is not None and trial.followed else ()

    def follow(self, gear: int, face: int, at: str, *, new: bool = False) -> Signed:
        """Enter a throw seen on the board; what is wrong with it comes up after the lap.

        `face` is 0 if nobody saw it. While the clock runs it counts as a throw of its own if it is `new`, or if every
        tapped throw has its space; otherwise it is the space of a tapped one.
        """
        trial, track, counts = self.record.trial, self.followed_on, False
        if trial is not None:
            counts = not trial.over and (new or trial.throw_count <= trial.seen_to)
            following.stands(track, trial.add_throw(Throw(gear, face, at), counts=counts))
        return self.act(Followed(gear=gear, face=face, at=at, counts=counts))

    def judge(self, n: int, accepted: bool) -> Signed:
        """Accept or reject the nth of the findings, counted from 1, for the commissioner."""
        findings = self.findings
        if not 1 <= n <= len(findings):
            raise BadEntry("no_finding", n=n, count=len(findings))
        return self.act(Judged(finding=findings[n - 1], accepted=accepted))

    # -- what people do

    def sky(self, sky: Sky, face: int = 0) -> Signed:
        """Enter the sky of the session that comes next."""
        return self.act(SkyDrawn(session=self.record.session, sky=sky, face=face))

    def start(self, driver: int, tyres: Tyres | Literal[""], at: int | None = None) -> Signed:
        """Start the clock of a driver."""
        return self.act(ClockStarted(driver=driver, tyres=tyres, mono=mono() if at is None else at, boot=self._boot))

    def tap(self, tap: Tap) -> Signed:
        """Something is counted, or called."""
        return self.act(Tapped(tap=tap))

    def stop(self, at: int | None = None, clock: int | None = None) -> Signed:
        """Stop the clock, `at` a time of the machine's; or enter what another stopwatch shows as `clock`."""
        if clock is None and self.lost:
            raise BadEntry("clock_lost")
        return self.act(Stopped(clock=self.elapsed(at) if clock is None else clock))

    def missed(self, at: int | None = None) -> Signed:
        """Two stops were missed; the trial ends as it stands, `at` a time of the machine's."""
        return self.act(StopsMissed(clock=self.elapsed(at)))

    def dispute(self, why: str = "") -> Signed:
        """Somebody disputes the trial."""
        return self.act(Disputed(why=why))

    def rule(self, throws: int, overshot: int, misplaced: int, why: str = "") -> Signed:
        """Enter the decision of the head steward."""
        return self.act(TrialRuled(throws=throws, overshot=overshot, misplaced=misplaced, why=why))

    def again(self, why: str) -> Signed:
        """Discount the trial, which is driven again."""
        return self.act(Again(why=why))

    def enter(self) -> Signed:
        """Enter the trial as it stands."""
        return self.act(TrialEntered())

    def typed(self, driver: int, session: int, time: AbsoluteTime, why: str = "") -> Signed:
        """Enter a trial from paper, or a correction."""
        return self.act(TrialTyped(driver=driver, session=session, time=time, why=why))

    def undo(self) -> Signed:
        """Undo the last act; a clock that was stopped runs on as if it had not been."""
        return self.desk.undo(by=self.by)

    def take_back(self, count: int, last: int) -> None:
        """Take back `count` acts if `last` is still the last entry in force."""
        self.desk.take_back(count, last, by=self.by)

    def act(self, act: Act) -> Signed:
        """Any act, as it is; a lap that was followed is entered once every finding has its answer [1-2-2]."""
        trial = self.record.trial
        if (
            isinstance(act, TrialEntered)
            and trial is not None
            and trial.followed
            and not trial.settled
            and self.findings
        ):
            raise BadEntry("findings_open", count=len(self.findings))
        return self.desk.act(act, by=self.by)

    def close(self) -> None:
        """End writing; a clock that runs goes on."""
        self.desk.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, wrong: BaseException | None, at: TracebackType | None) -> None:
        self.close()


def mono() -> int:
    """Return the machine's own clock, in nanoseconds."""
    return time.monotonic_ns()
