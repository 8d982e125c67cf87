"""The trials of a day at one table, as a record: who drove when, on which tyres, and what it came to.

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
"""The most sessions of a day."""


class TrialDriver(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """Who drives: car number, name, club, and the plate of the car (0 to 19)."""

    number: int
    name: str = ""
    team: str = ""
    colour: int = 0


class Opened(Act, frozen=True, tag="trials"):
    """The trials of these drivers on a circuit, in the order in which they are called. `event` is the log of the
    tournament that is to have their times, "" for none."""

    name: str
    track: str
    drivers: tuple[TrialDriver, ...]
    sessions: int = 1
    counts: Counts = "best"
    event: str = ""
    rulebook: str = "competition"
    """Whose trials they are."""
    variants: tuple[str, ...] = ()
    """The switches of what the race has on."""


class SkyDrawn(Act, frozen=True, tag="sky"):
    """The sky of a session, and the black die's face that brought it (0: told by race control)."""

    session: int
    sky: Sky
    face: int = 0


class Begun(Act, frozen=True, tag="start"):
    """A driver starts the clock: `mono` nanoseconds on the machine's own clock, of the machine's run `boot`."""

    driver: int
    tyres: Tyres | Literal[""]
    mono: int
    boot: str = ""


class Tapped(Act, frozen=True, tag="tap"):
    """Something was counted or called."""

    tap: Tap


class Followed(Act, frozen=True, tag="followed"):
    """A throw was seen on the board: the gear of the stick, the face of its die (0: nobody saw it), and the space on
    which the car was put."""

    gear: int
    at: str
    face: int = 0


class Stopped(Act, frozen=True, tag="stop"):
    """The driver stops the clock: hundredths of a second."""

    clock: int


class StopsMissed(Act, frozen=True, tag="missed_stops"):
    """Two stops of a corner were missed."""

    clock: int = 0


class Disputed(Act, frozen=True, tag="dispute"):
    """Somebody disputes the trial."""


class Ruled(Act, frozen=True, tag="rule"):
    """What the head steward finds: as it was, or other counts, with a reason."""

    throws: int
    overshot: int
    misplaced: int


class Judged(Act, frozen=True, tag="judge"):
    """The commissioner accepts or rejects what following the board has found."""

    finding: Finding
    accepted: bool


class Again(Act, frozen=True, tag="again"):
    """The trial under way does not count and is driven again, with a reason."""


class Entered(Act, frozen=True, tag="enter"):
    """The trial goes into the list as it stands, disputed or not."""


class Typed(Act, frozen=True, tag="typed"):
    """The trial of a driver from paper, or a correction of one that was entered, with a reason."""

    driver: int
    session: int
    time: AbsoluteTime


class Trials(Record):
    """The trials of a day at one table. Raises BadEntry for what cannot be."""

    KIND: ClassVar = "trials"
    ACTS: ClassVar = (
        Opened, SkyDrawn, Begun, Tapped, Followed, Stopped, StopsMissed, Disputed, Ruled, Judged, Again, Entered, Typed,
    )  # fmt: skip

    def __init__(self) -> None:
        super().__init__()
        self.track = self.event = ""
        self.drivers: dict[int, TrialDriver] = {}
        self.sessions, self.counts = 1, "best"
        self.kind: type[Trial] = Trial
        """By which rulebook a lap is counted."""
        self.compounds: Sequence[Tyres] = COMPOUNDS
        """The kinds of tyres to choose from; none where all are alike."""
        self.race: tuple[str, tuple[str, ...]] = ("competition", ())
        """The rulebook of the race that the grid is for, and the switches that it has on."""
        self.skies: dict[int, Sky] = {}
        self.runs: dict[int, dict[int, AbsoluteTime]] = {}
        """The trials that were entered, by driver and session."""
        self.disputes: set[tuple[int, int]] = set()
        """Trials that were entered and are still disputed, by driver and session."""
        self.trial: Trial | None = None
        """The trial under way, or over and not yet entered."""
        self.begun: Begun | None = None
        self.done = ""
        """When the trial under way was over."""

    # -- what may be done

    def check(self, act: Act) -> None:
        """The sky of a session comes by a face that the black die has [1-0-3]."""
        if isinstance(act, SkyDrawn):
            check_face(act.face)

    def apply(self, signed: Signed) -> None:
        act = signed.act
        match act:
            case Opened():
                self._opened(act)
            case SkyDrawn():
                self._draw(act)
            case Begun():
                self._begin(act)
            case Tapped():
                self.trial = self._now().tapped(act.tap)
            case Followed():
                self.trial = self._now().seen(Throw(act.gear, act.face, act.at))
            case Judged():
                self.trial = self._now().decided(act.finding, act.accepted)
            case Stopped():
                self.trial, self.done = self._now().stopped(act.clock), signed.at
            case StopsMissed():
                self.trial, self.done = self._now().ended(act.clock), signed.at
            case Disputed():
                self.trial = msgspec.structs.replace(self._finished(), disputed=True)
            case Ruled():
                trial = self._finished()
                if (act.throws, act.overshot, act.misplaced) != (trial.throws, trial.overshot, trial.misplaced):
                    reason(act)
                self.trial = trial.ruled(act.throws, act.overshot, act.misplaced)
            case Again():
                reason(act)
                self._now()
                self.trial, self.begun = None, None
            case Entered():
                self._enter()
            case Typed():
                self._type(act, signed.at)

    def _opened(self, act: Opened) -> None:
        """As many sessions as the organiser lays down, and which of them counts [1-0-1]."""
        if not 1 <= act.sessions <= SESSIONS:
            raise BadEntry(f"Trials have 1 to {SESSIONS} sessions; {act.sessions} is not.")
        numbers = [driver.number for driver in act.drivers]
        twice = [number for number in numbers if numbers.count(number) > 1]
        if twice:
            raise BadEntry(f"Number {twice[0]} is there twice; each driver has one of their own.")
        self.name, self.track, self.event = act.name, act.track, act.event
        self.sessions, self.counts = act.sessions, act.counts
        self.kind, self.race = kind_of(act.rulebook), (act.rulebook, act.variants)
        if not self.kind.CALLED:  # by the box: kinds of tyres and weather are options
            kinds = COMPOUNDS if "tyres" in act.variants else ()
            self.compounds = [one for one in kinds if one != "rain" or "weather" in act.variants]
            self.skies = {} if "weather" in act.variants else dict.fromkeys(range(1, act.sessions + 1), "sun")
        self.drivers = {driver.number: driver for driver in act.drivers}
        self.runs = {number: {} for number in numbers}

    def _draw(self, act: SkyDrawn) -> None:
        """The sky of a session is drawn once, before the first of its trials, for every table [1-0-3]."""
        if act.session in self.skies:
            raise BadEntry(f"The sky of session {act.session} is drawn; it is the same for every driver.")
        self.skies[act.session] = act.sky

    def _begin(self, act: Begun) -> None:
        if self.trial is not None:
            raise BadEntry(f"The trial of {self.trial.driver} is not entered yet; that comes first.")
        if act.driver not in self.drivers:
            raise BadEntry(f"There is no driver {act.driver} in these trials.")
        session = self.session_of(act.driver)
        if session > self.sessions:
            raise BadEntry(f"Driver {act.driver} has driven every session.")
        if session not in self.skies:
            raise BadEntry(f"The sky of session {session} comes before its first trial.")
        if act.tyres and self.compounds and act.tyres not in self.compounds:
            raise BadEntry(f"There are {', '.join(self.compounds)} tyres in these trials, not {act.tyres}.")
        trial = self.kind(driver=act.driver, session=session, tyres=act.tyres, sky=self.skies[session])
        trial.must_be_ready()
        self.trial, self.begun = trial, act

    def _now(self) -> Trial:
        if self.trial is None:
            raise BadEntry("No trial is under way; start one.")
        return self.trial

    def _finished(self) -> Trial:
        trial = self._now()
        if not trial.over:
            raise BadEntry("The clock of this trial still runs; it is stopped first.")
        return trial

    def _enter(self) -> None:
        """Put the absolute time onto the driver's sheet and the table's [1-1-8, 1-3-1]."""
        trial = self._finished()
        if trial.unfinished:
            raise BadEntry("The car was not over the line; undo back to the running clock, or drive again.")
        self.runs[trial.driver][trial.session] = trial.time(at=self.done)
        if trial.disputed:
            self.disputes.add((trial.driver, trial.session))
        self.trial, self.begun, self.done = None, None, ""

    def _type(self, act: Typed, at: str) -> None:
        if act.driver not in self.drivers:
            raise BadEntry(f"There is no driver {act.driver} in these trials.")
        if not 1 <= act.session <= self.sessions:
            raise BadEntry(f"Trials have 1 to {self.sessions} sessions; {act.session} is not.")
        trial = self.trial
        if trial is not None and (trial.driver, trial.session) == (act.driver, act.session):
            raise BadEntry(f"The trial of {act.driver} is not entered yet; that comes first.")
        before = self.runs[act.driver].get(act.session)
        if before is not None:
            reason(act)
        act.time.check()
        done = act.time.at or (before.at if before is not None else at)
        self.runs[act.driver][act.session] = msgspec.structs.replace(act.time, at=done)
        self.disputes.discard((act.driver, act.session))

    # -- how it stands

    def session_of(self, driver: int) -> int:
        """The session that a driver drives next."""
        return next(at for at in range(1, self.sessions + 2) if at not in self.runs[driver])

    @property
    def session(self) -> int:
        """The session that is driven now: the first that somebody has not driven yet."""
        return min([*map(self.session_of, self.drivers), self.sessions])

    def waiting(self) -> list[int]:
        """Who drives next, in the order of the list, and after whom: all who have not driven this session."""
        return [number for number in self.drivers if self.session_of(number) == self.session]

    @property
    def over(self) -> bool:
        """Whether everybody has driven every session."""
        return bool(self.drivers) and all(self.session_of(number) > self.sessions for number in self.drivers)

    def counted(self, driver: int, more: AbsoluteTime | None = None) -> AbsoluteTime | None:
        """The time by which a driver is placed, None without one; as it would be with one session `more`."""
        runs = [self.runs[driver][at] for at in sorted(self.runs[driver])]
        runs = [*runs, more] if more is not None else runs
        return counting(runs, self.counts, self.sessions)  # type: ignore[arg-type]

    def times(self, more: Mapping[int, AbsoluteTime] | None = None) -> dict[int, AbsoluteTime]:
        """The times of all who have one."""
        found = {number: self.counted(number, (more or {}).get(number)) for number in self.drivers}
        return {number: time for number, time in found.items() if time is not None}

    def ranking(self, more: Mapping[int, AbsoluteTime] | None = None) -> list[int]:
        """Drivers from the best absolute time to the worst [1-3-2]."""
        return ranked(self.times(more))

    def grid(self) -> list[int]:
        """The grid of a race: by absolute time, and behind them all who have none, in the order of the list
        [1-0-1, 1-3-2]."""
        timed = self.ranking()
        return [*timed, *(number for number in self.drivers if number not in timed)]

    def told(self, numbers: Iterable[int], skies: Iterable[SkyDrawn] = ()) -> tuple[SkyDrawn | Typed, ...]:
        """What other trials of these drivers have from the first: the skies that were drawn here, or else were drawn
        by now, and the times."""
        own = [SkyDrawn(session=session, sky=sky) for session, sky in self.skies.items()]
        more = [sky for sky in skies if sky.session not in self.skies]
        times = [
            Typed(driver=number, session=session, time=time)
            for number in numbers
            for session, time in self.runs.get(number, {}).items()
        ]
        return (*own, *more, *times)

    def entrants(self) -> list[TrialDriver]:
        """The drivers in the order of that grid."""
        return [self.drivers[number] for number in self.grid()]
