"""Timed trials in JSON lines, one object in and one out, for `companion trial lines`."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from threading import Event
from typing import TYPE_CHECKING

import msgspec

from companion.desk.trial_desk import TrialDesk
from companion.protocol.act_lines import ActLines, act_line, text_of
from companion.protocol.fields import Line
from companion.rules.conversation.asking import Json
from companion.rules.conversation.errors import BadEntry
from companion.rules.conversation.overriding import override
from companion.sheets.records import read_act
from companion.tournament.record import Act, Signed
from companion.tournament.times import AbsoluteTime
from companion.tournament.trials import ClockStarted, Followed, Judged, SkyDrawn, Stopped, StopsMissed, Trials
from companion.tournament.weather import sky_of
from companion.view.events.trials import Compared, compare, study
from companion.wording import Words

if TYPE_CHECKING:
    from companion.drivers.background_job import BackgroundJob
    from companion.rules.conversation.kinds import Surface
    from companion.tournament.trial import Tyres

CLOCKED = {"sky": {"session": 0}, "start": {"mono": 0}, "stop": {"clock": -1}, "missed_stops": {}}
"""Fields that a line leaves to the desk: the current session, and the machine's clock."""


class TrialLines(ActLines):
    """Timed trials in JSON lines.

    Start and stop count from when their line `arrived`, on the machine's clock.
    """

    def __init__(self, desk: TrialDesk, words: Words) -> None:
        super().__init__(words, desk.by)
        self.desk = desk
        self.arrived: int | None = None
        """Arrival of the current line, in ns of the monotonic clock; None for now."""
        self._studies: dict[tuple[Tyres, Surface], BackgroundJob] = {}
        """Background computations of the best laps, by tyres and surface."""
        self._news = Event()

    def stamped(self, lines: Iterable[tuple[int, bytes]]) -> Iterator[bytes]:
        """Yield the lines of an iterator of (arrival, line), remembering the arrival of each."""
        for self.arrived, line in lines:
            yield line

    def close(self) -> None:
        """Stop the background computations."""
        for work in self._studies.values():
            work.end()

    @override
    def answer(self, said: dict[str, Json]) -> Line:
        self.desk.by = text_of(said, "by") or self.by
        if "act" in said:
            given = {name: value for name, value in said.items() if name != "by"}
            left = CLOCKED.get(given["act"], {}) if isinstance(given["act"], str) else {}
            return act_line(self._act(read_act(Trials, json.dumps({**left, **given}))))
        if "weather" in said:
            return act_line(self._weather(said["weather"]))
        if said.get("list") == "times":
            return {"rows": self._rows()}
        if said.get("list") == "findings":
            return {"rows": [msgspec.to_builtins(one) for one in self.desk.findings]}
        for word, accepted in (("accept", True), ("reject", False)):
            if type(n := said.get(word)) is int:
                return act_line(self.desk.judge(n, accepted))
        if said.get("limit") is True:
            return {"limit": self._limit()}
        if said.get("state") is True:
            return self._state()
        if said.get("undo") is True:
            return {"undone": self.desk.undo().seq}
        if said.get("quit") is True:
            return self.quit(len(self.desk.record.log))
        raise BadEntry("trial_line")

    def _act(self, act: Act) -> Signed:
        """Record an act, timed by this machine's clock."""
        if isinstance(act, ClockStarted):
            return self.desk.start(act.driver, act.tyres, self.arrived)
        if isinstance(act, Stopped):
            return self.desk.stop(self.arrived, clock=None if act.clock == -1 else act.clock)
        if isinstance(act, Followed):
            return self.desk.follow(act.gear, act.face, act.at, new=act.counts)
        if isinstance(act, Judged):
            return self.desk.judge((*self.desk.findings, act.finding).index(act.finding) + 1, act.accepted)
        if isinstance(act, StopsMissed):
            return self.desk.missed(self.arrived)
        if isinstance(act, SkyDrawn) and not act.session:
            act = msgspec.structs.replace(act, session=self.desk.record.session)
        return self.desk.act(act)

    def _weather(self, face: Json) -> Signed:
        """Record the sky of the session from a face of the black die, by the circuit's chart.

        Raises BadEntry.
        """
        if type(face) is not int:
            raise BadEntry("black", face=face)
        return self.desk.sky(sky_of(self.desk.board, face), face)

    def _limit(self) -> Line:
        """Return the throws of the best lap, and after the lap the driver's difference.

        A best lap not yet known is computed in the background: during the lap the reply is the share done, 0 to 1;
        after it the reply waits. Raises BadEntry without a trial or a best lap.
        """
        trial = self.desk.record.trial
        if trial is None or not trial.tyres:
            raise BadEntry("no_trial_under_way")
        track, time = self.desk.followed_on, trial.time(self.desk.elapsed())
        found = compare(self.desk, trial, time)
        if not isinstance(found, Compared):
            work = self._study(trial.tyres, trial.surface)
            if not trial.over:
                return {"share": round(work.share, 2)}
            while not work.over:
                self._news.wait()
                self._news.clear()
            found = compare(self.desk, trial, time)
        if not isinstance(found, Compared):
            raise BadEntry("no_best_lap", track=track.name)
        told = found.behind if trial.over else {}
        return {"throws": round(found.throws, 2), **{name: round(value, 2) for name, value in told.items()}}

    def _study(self, tyres: Tyres, surface: Surface) -> BackgroundJob:
        """Return the computation of a best lap; starts it unless it is under way."""
        from companion.drivers.background_job import BackgroundJob

        work = self._studies.get((tyres, surface))
        if work is None or work.failed:
            work = self._studies[tyres, surface] = BackgroundJob(study(self.desk, tyres, surface), self._news.set)
        return work

    def _state(self) -> Line:
        """Return the state of the trials: the trial with its counts and clock, and who is waiting."""
        record, trial = self.desk.record, self.desk.record.trial
        now: Line = {
            "session": record.session, "sky": record.skies.get(record.session), "waiting": record.waiting(),
            "over": record.over, "trial": None,
        }  # fmt: skip
        if trial is not None:
            counted = msgspec.to_builtins(trial)
            clock = self.desk.elapsed()
            now["trial"] = {**counted, "clock": clock, "running": not trial.over, "lost": self.desk.lost,
                            "total": trial.time(clock).total}  # fmt: skip
        return now

    def _rows(self) -> list[Line]:
        """Return the classification by absolute time; drivers without a time come last."""
        record = self.desk.record
        rows: list[Line] = []
        for place, driver in enumerate(record.grid(), 1):
            time, runs = record.ranking_time(driver), record.runs[driver]
            rows.append({
                "place": place if time is not None else None, "driver": driver, "name": record.drivers[driver].name,
                "time": _time(time), "sessions": {str(at): _time(runs[at]) for at in sorted(runs)},
            })  # fmt: skip
        return rows


def _time(time: AbsoluteTime | None) -> Line | None:
    """Return a time with its total; None without one."""
    return None if time is None else {**msgspec.to_builtins(time), "total": None if time.last else time.total}
