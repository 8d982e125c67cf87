"""Trials by lines: one JSON object in, one out. `companion trial lines`."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from threading import Event
from typing import TYPE_CHECKING

import msgspec

from companion.desk.trial_desk import TrialDesk
from companion.protocol.act_lines import ActLines, text_of, told
from companion.protocol.fields import Line
from companion.rules.conversation.asking import Json
from companion.rules.conversation.errors import BadEntry
from companion.rules.conversation.overriding import override
from companion.sheets.records import read_act
from companion.tournament.record import Act, Signed
from companion.tournament.times import AbsoluteTime
from companion.tournament.trials import Begun, Followed, Judged, SkyDrawn, Stopped, StopsMissed, Trials
from companion.tournament.weather import sky_of
from companion.view.commissioner.trials import Compared, compare, study
from companion.wording import Words

if TYPE_CHECKING:
    from companion.drivers.background_job import BackgroundJob
    from companion.rules.conversation.kinds import Surface
    from companion.tournament.trial import Tyres

CLOCKED = {"sky": {"session": 0}, "start": {"mono": 0}, "stop": {"clock": -1}, "missed_stops": {}}
"""What acts have that a line leaves to the desk: the session that is driven, and the machine's clock."""


class TrialLines(ActLines):
    """Trials by lines. A start or a stop counts from when its line `arrived`, on the machine's clock."""

    def __init__(self, desk: TrialDesk, words: Words) -> None:
        super().__init__(words, desk.by)
        self.desk = desk
        self.arrived: int | None = None
        """None counts from now."""
        self._studies: dict[tuple[Tyres, Surface], BackgroundJob] = {}
        """The best laps that are worked out, each in a process of its own."""
        self._news = Event()

    def stamped(self, lines: Iterable[tuple[int, bytes]]) -> Iterator[bytes]:
        """Yield lines that come with the moment of their arrival."""
        for self.arrived, line in lines:
            yield line

    def close(self) -> None:
        """End the work that is still going on."""
        for work in self._studies.values():
            work.end()

    @override
    def answer(self, said: dict[str, Json]) -> Line:
        self.desk.by = text_of(said, "by") or self.by
        if "act" in said:
            given = {name: value for name, value in said.items() if name != "by"}
            left = CLOCKED.get(given["act"], {}) if isinstance(given["act"], str) else {}
            return told(self._act(read_act(Trials, json.dumps({**left, **given}))))
        if "weather" in said:
            return told(self._weather(said["weather"]))
        if said.get("list") == "times":
            return {"rows": self._rows()}
        if said.get("list") == "findings":
            return {"rows": [msgspec.to_builtins(one) for one in self.desk.findings]}
        for word, accepted in (("accept", True), ("reject", False)):
            if type(n := said.get(word)) is int:
                return told(self.desk.judge(n, accepted))
        if said.get("limit") is True:
            return {"limit": self._limit()}
        if said.get("state") is True:
            return self._state()
        if said.get("undo") is True:
            return {"undone": self.desk.undo().seq}
        if said.get("quit") is True:
            return self.quit(len(self.desk.record.log))
        raise BadEntry("A line is an act, or asks for weather, list, accept, reject, limit, state, undo or quit.")

    def _act(self, act: Act) -> Signed:
        """Does an act, by this machine's clock."""
        if isinstance(act, Begun):
            return self.desk.start(act.driver, act.tyres, self.arrived)
        if isinstance(act, Stopped):
            return self.desk.stop(self.arrived, clock=None if act.clock == -1 else act.clock)
        if isinstance(act, Followed):
            return self.desk.follow(act.gear, act.face, act.at)
        if isinstance(act, Judged):
            return self.desk.judge((*self.desk.findings, act.finding).index(act.finding) + 1, act.accepted)
        if isinstance(act, StopsMissed):
            return self.desk.missed(self.arrived)
        if isinstance(act, SkyDrawn) and not act.session:
            act = msgspec.structs.replace(act, session=self.desk.record.session)
        return self.desk.act(act)

    def _weather(self, face: Json) -> Signed:
        """The sky of the session by a face of the black die, as the circuit's chart has it."""
        if type(face) is not int:
            raise BadEntry(f"The black die shows 1 to 20; {face} is not on it.")
        return self.desk.sky(sky_of(self.desk.board, face), face)

    def _limit(self) -> Line:
        """Tell the best lap of the trial under way, and how far the driver's is from it. One that nobody knows yet is
        worked out aside: while the clock runs how much of it is done is told, after the lap it is waited for."""
        trial = self.desk.record.trial
        if trial is None or not trial.tyres:
            raise BadEntry("No trial is under way; the best lap that dice allow is told beside one.")
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
            raise BadEntry(f"The best lap of {track.name} could not be worked out; ask again.")
        told = found.behind if trial.over else {}
        return {"throws": round(found.throws, 2), **{name: round(value, 2) for name, value in told.items()}}

    def _study(self, tyres: Tyres, surface: Surface) -> BackgroundJob:
        """The work on a best lap, begun unless it is under way."""
        from companion.drivers.background_job import BackgroundJob

        work = self._studies.get((tyres, surface))
        if work is None or work.failed:
            work = self._studies[tyres, surface] = BackgroundJob(study(self.desk, tyres, surface), self._news.set)
        return work

    def _state(self) -> Line:
        """How the trials stand: who drives, with what was counted and the clock, or who waits."""
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
        """The classification by absolute time, and behind it all who have none."""
        record = self.desk.record
        rows: list[Line] = []
        for place, driver in enumerate(record.grid(), 1):
            time, runs = record.counted(driver), record.runs[driver]
            rows.append({
                "place": place if time is not None else None, "driver": driver, "name": record.drivers[driver].name,
                "time": _time(time), "sessions": {str(at): _time(runs[at]) for at in sorted(runs)},
            })  # fmt: skip
        return rows


def _time(time: AbsoluteTime | None) -> Line | None:
    """A time with what it comes to; None if there is none."""
    return None if time is None else {**msgspec.to_builtins(time), "total": None if time.last else time.total}
