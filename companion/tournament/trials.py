"""The record of a day's trials at one table: drivers, tyres and times.

The clock that runs is not in the record; when it was started is, by a clock that nobody can put back, so that a program
that was killed finds the trial running still.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import ClassVar, Final, Literal

import msgspec

from companion.rules.circuit.track import Sky
from companion.rules.conversation.errors import BadEntry
from companion.tournament.record import Act, Record, Signed, reason
from companion.tournament.times import AbsoluteTime, Counts, counting, ranked
from companion.tournament.trial import COMPOUNDS, Finding, Tap, Throw, Trial, Tyres, kind_of
from companion.tournament.weather import check_face

SESSIONS: Final = 9
"""Maximum number of sessions in a day."""


class TrialDriver(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """A driver in trials: car number, name, club and plate (0 to 19)."""

    number: int
    name: str = ""
    team: str = ""
    colour: int = 0


class TrialsOpened(Act, frozen=True, tag="trials"):
    """The start of trials on a circuit, with the drivers in calling order.

    `event` is the log of the tournament that takes their times, "" for none.
    """

    name: str
    track: str
    drivers: tuple[TrialDriver, ...]
    sessions: int = 1
    counts: Counts = "best"
    event: str = ""
    rulebook: str = "competition"
    """Rulebook of the trials."""
    variants: tuple[str, ...] = ()
    """Switches of the race that are on."""


class SkyDrawn(Act, frozen=True, tag="sky"):
    """The sky of a session and its black die's face (0: sent by race control)."""

    session: int
    sky: Sky
    face: int = 0


class ClockStarted(Act, frozen=True, tag="start"):
    """A driver starts the clock.

    `mono` is the machine's monotonic clock in nanoseconds, `boot` the run of the machine it belongs to.
    """

    driver: int
    tyres: Tyres | Literal[""]
    mono: int
    boot: str = ""


class Tapped(Act, frozen=True, tag="tap"):
    """A count or a call was tapped."""

    tap: Tap


class Followed(Act, frozen=True, tag="followed"):
    """A throw seen on the board.

    `gear` is that of the stick, `face` that of the die (0: nobody saw it), `at` the space on which the car was put.
    `counts`: it is a throw of its own, not one that was tapped before.
    """

    gear: int
    at: str
    face: int = 0
    counts: bool = False


class Stopped(Act, frozen=True, tag="stop"):
    """The driver stops the clock, in hundredths of a second."""

    clock: int


class StopsMissed(Act, frozen=True, tag="missed_stops"):
    """A corner was left with two stops missed."""

    clock: int = 0


class Disputed(Act, frozen=True, tag="dispute"):
    """Somebody disputes the trial."""


class TrialRuled(Act, frozen=True, tag="rule"):
    """The head steward's ruling: the counts as they were, or others with a reason."""

    throws: int
    overshot: int
    misplaced: int


class Judged(Act, frozen=True, tag="judge"):
    """The commissioner accepts or rejects a finding."""

    finding: Finding
    accepted: bool


class Again(Act, frozen=True, tag="again"):
    """The trial under way does not count and is driven again, with a reason."""


class TrialEntered(Act, frozen=True, tag="enter"):
    """The trial is entered as it stands, disputed or not."""


class TrialTyped(Act, frozen=True, tag="typed"):
    """A driver's trial from paper, or a correction of an entered one, with a reason."""

    driver: int
    session: int
    time: AbsoluteTime


class Trials(Record):
    """The trials of a day at one table."""

    KIND: ClassVar = "trials"
    ACTS: ClassVar = (
        TrialsOpened, SkyDrawn, ClockStarted, Tapped, Followed, Stopped, StopsMissed, Disputed, TrialRuled, Judged,
        Again, TrialEntered, TrialTyped,
    )  # fmt: skip

    def __init__(self) -> None:
        super().__init__()
        self.track = self.event = ""
        self.drivers: dict[int, TrialDriver] = {}
        self.sessions, self.counts = 1, "best"
        self.kind: type[Trial] = Trial
        """Class of the trials, which counts a lap by the rulebook."""
        self.compounds: Sequence[Tyres] = COMPOUNDS
        """Kinds of tyres to choose from; empty if all are alike."""
        self.race: tuple[str, tuple[str, ...]] = ("competition", ())
        """Rulebook of the race that the grid is for, and its switches that are on."""
        self.draws_sky = True
        """True if the sky of each session is drawn; by the box without weather it is always sunny."""
        self.skies: dict[int, Sky] = {}
        self.runs: dict[int, dict[int, AbsoluteTime]] = {}
        """Trials that were entered, by driver and session."""
        self.disputes: set[tuple[int, int]] = set()
        """Driver and session of each trial that was entered and is still disputed."""
        self.trial: Trial | None = None
        """Trial under way, or over and not yet entered."""
        self.begun: ClockStarted | None = None
        self.done = ""
        """Time when the trial under way was over."""

    # -- what may be done

    def check(self, act: Act) -> None:
        """Check the face of the black die, what a ruling changes, and what a typed time counts [1-0-3, 1-1-9]."""
        match act:
            case SkyDrawn():
                check_face(act.face)
            case TrialRuled() if self.trial is not None:
                self.trial.check_ruling(act.throws, act.overshot, act.misplaced)
            case TrialTyped() if act.time.misplaced and not self.kind.MISPLACED:
                raise BadEntry("trial_box")

    def apply(self, signed: Signed) -> None:
        act = signed.act
        match act:
            case TrialsOpened():
                self._start_sessions(act)
            case SkyDrawn():
                self._draw(act)
            case ClockStarted():
                self._begin(act)
            case Tapped():
                self.trial = self._now().count_tap(act.tap)
            case Followed():
                self.trial = self._now().add_throw(Throw(act.gear, act.face, act.at), counts=act.counts)
            case Judged():
                self.trial = self._now().decided(act.finding, act.accepted)
            case Stopped():
                self.trial, self.done = self._now().stopped(act.clock), signed.at
            case StopsMissed():
                self.trial, self.done = self._now().ended(act.clock), signed.at
            case Disputed():
                self.trial = msgspec.structs.replace(self._finished(), disputed=True)
            case TrialRuled():
                trial = self._finished()
                if (act.throws, act.overshot, act.misplaced) != trial.counts:
                    reason(act)
                self.trial = trial.ruled(act.throws, act.overshot, act.misplaced)
            case Again():
                reason(act)
                self._now()
                self.trial, self.begun = None, None
            case TrialEntered():
                self._enter()
            case TrialTyped():
                self._type(act, signed.at)

    def _start_sessions(self, act: TrialsOpened) -> None:
        """Open the trials with the organiser's number of sessions and rule of counting [1-0-1]."""
        if not 1 <= act.sessions <= SESSIONS:
            raise BadEntry("sessions_range", most=SESSIONS, sessions=act.sessions)
        numbers = [driver.number for driver in act.drivers]
        twice = [number for number in numbers if numbers.count(number) > 1]
        if twice:
            raise BadEntry("number_twice", number=twice[0])
        self.name, self.track, self.event = act.name, act.track, act.event
        self.sessions, self.counts = act.sessions, act.counts
        self.kind, self.race = kind_of(act.rulebook), (act.rulebook, act.variants)
        if not self.kind.CALLED:  # by the box: kinds of tyres and weather are options
            kinds = COMPOUNDS if "tyres" in act.variants else ()
            self.compounds = [one for one in kinds if one != "rain" or "weather" in act.variants]
            self.draws_sky = "weather" in act.variants
            self.skies = {} if self.draws_sky else dict.fromkeys(range(1, act.sessions + 1), "sun")
        self.drivers = {driver.number: driver for driver in act.drivers}
        self.runs = {number: {} for number in numbers}

    def _draw(self, act: SkyDrawn) -> None:
        """Record the sky of a session, once and before its first trial, for every table [1-0-3]."""
        if act.session in self.skies:
            raise BadEntry("trial_sky_drawn", session=act.session)
        self.skies[act.session] = act.sky

    def _begin(self, act: ClockStarted) -> None:
        if self.trial is not None:
            raise BadEntry("trial_not_entered", driver=self.trial.driver)
        if act.driver not in self.drivers:
            raise BadEntry("no_trial_driver", driver=act.driver)
        session = self.session_of(act.driver)
        if session > self.sessions:
            raise BadEntry("trial_driver_done", driver=act.driver)
        if session not in self.skies:
            raise BadEntry("sky_after_trial", session=session)
        if act.tyres and self.compounds and act.tyres not in self.compounds:
            raise BadEntry("trial_tyres", kinds=", ".join(self.compounds), tyres=act.tyres)
        trial = self.kind(driver=act.driver, session=session, tyres=act.tyres, sky=self.skies[session])
        trial.must_be_ready()
        self.trial, self.begun = trial, act

    def _now(self) -> Trial:
        if self.trial is None:
            raise BadEntry("no_trial_started")
        return self.trial

    def _finished(self) -> Trial:
        trial = self._now()
        if not trial.over:
            raise BadEntry("clock_runs")
        return trial

    def _enter(self) -> None:
        """Put the absolute time onto the driver's sheet and the table's [1-1-8, 1-3-1]."""
        trial = self._finished()
        if trial.unfinished:
            raise BadEntry("not_over_line")
        self.runs[trial.driver][trial.session] = trial.time(at=self.done)
        if trial.disputed:
            self.disputes.add((trial.driver, trial.session))
        self.trial, self.begun, self.done = None, None, ""

    def _type(self, act: TrialTyped, at: str) -> None:
        if act.driver not in self.drivers:
            raise BadEntry("no_trial_driver", driver=act.driver)
        if not 1 <= act.session <= self.sessions:
            raise BadEntry("sessions_range", most=self.sessions, sessions=act.session)
        trial = self.trial
        if trial is not None and (trial.driver, trial.session) == (act.driver, act.session):
            raise BadEntry("trial_not_entered", driver=act.driver)
        before = self.runs[act.driver].get(act.session)
        if before is not None:
            reason(act)
        act.time.check()
        done = act.time.at or (before.at if before is not None else at)
        self.runs[act.driver][act.session] = msgspec.structs.replace(act.time, at=done)
        self.disputes.discard((act.driver, act.session))

    # -- how it stands

    def session_of(self, driver: int) -> int:
        """Return the session that a driver drives next."""
        return next(at for at in range(1, self.sessions + 2) if at not in self.runs[driver])

    @property
    def session(self) -> int:
        """The current session: the first that somebody has not driven."""
        return min([*map(self.session_of, self.drivers), self.sessions])

    def waiting(self) -> list[int]:
        """Return those who have not driven the current session, in calling order."""
        return [number for number in self.drivers if self.session_of(number) == self.session]

    @property
    def over(self) -> bool:
        """Return True if everybody has driven every session."""
        return bool(self.drivers) and all(self.session_of(number) > self.sessions for number in self.drivers)

    def ranking_time(self, driver: int, more: AbsoluteTime | None = None) -> AbsoluteTime | None:
        """Return the time that ranks a driver, or None.

        `more` adds one session on trial.
        """
        runs = [self.runs[driver][at] for at in sorted(self.runs[driver])]
        runs = [*runs, more] if more is not None else runs
        return counting(runs, self.counts, self.sessions)  # type: ignore[arg-type]

    def times(self, more: Mapping[int, AbsoluteTime] | None = None) -> dict[int, AbsoluteTime]:
        """Return the times of all drivers who have one, by number."""
        found = {number: self.ranking_time(number, (more or {}).get(number)) for number in self.drivers}
        return {number: time for number, time in found.items() if time is not None}

    def ranking(self, more: Mapping[int, AbsoluteTime] | None = None) -> list[int]:
        """Return the drivers from the best absolute time to the worst [1-3-2]."""
        return ranked(self.times(more))

    def grid(self) -> list[int]:
        """Return the grid of a race by absolute time, drivers without one last [1-0-1, 1-3-2]."""
        timed = self.ranking()
        return [*timed, *(number for number in self.drivers if number not in timed)]

    def prior_acts(self, numbers: Iterable[int], skies: Iterable[SkyDrawn] = ()) -> tuple[SkyDrawn | TrialTyped, ...]:
        """Return the skies and times with which further trials of these drivers begin.

        The skies drawn here come before those in `skies`.
        """
        own = [SkyDrawn(session=session, sky=sky) for session, sky in self.skies.items()]
        more = [sky for sky in skies if sky.session not in self.skies]
        times = [
            TrialTyped(driver=number, session=session, time=time)
            for number in numbers
            for session, time in self.runs.get(number, {}).items()
        ]
        return (*own, *more, *times)

    def entrants(self) -> list[TrialDriver]:
        """Return the drivers in the order of the grid."""
        return [self.drivers[number] for number in self.grid()]
