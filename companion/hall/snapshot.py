"""The state that race control's pages show: tables, calls, refusals and results."""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Container, Mapping, Sequence
from types import MappingProxyType
from typing import Final, Literal, NamedTuple

from companion.hall.floor import DisputedRuling, Floor, RaceSeen
from companion.hall.intake import Intake, LastBeat
from companion.hall.ledger import Alarm
from companion.hall.members import Members, natural
from companion.hall.outbox import ALONE
from companion.hall.receiving import Claim
from companion.hall.starting import Waiting
from companion.hall.wire import Call
from companion.rules.conversation.errors import CompanionError
from companion.tournament.control import Control, LogConfirmed
from companion.tournament.standings import points_of
from companion.view.events.standings import StandingsShown

State = Literal["call", "away", "confirmed", "finished", "racing", "trials", "free"]
"""State of a table; of several the first counts, except that a confirmed result stays when its table has gone."""
SLOW: Final = 10.0
"""Lag, in seconds, from which a table is late."""
SKEWED: Final = 2.0
"""Deviation, in seconds, from which a clock is wrong."""
MAX_ALARMS: Final = 8
"""Maximum number of alarms shown."""


Scales = Mapping[tuple[str, str], Sequence[int]]
"""Points of the places in races of a tournament or season, by what they belong to."""


class TableSeen(NamedTuple):
    """The state of a table.

    `heard` is when it was last heard, as wall-clock time (0: never), `lag` its delay and `skew` the lead of its clock
    in seconds (nan: unknown). `signed` are those who confirmed its result.
    """

    id: str
    name: str
    state: State
    heard: float
    lag: float
    skew: float
    race: RaceSeen | None
    call: Call | None = None
    disputed: tuple[DisputedRuling, ...] = ()
    signed: tuple[str, ...] = ()
    coming: str = ""


class HallSnapshot(NamedTuple):
    """The state of the whole hall.

    `broker` says that race control is connected to its broker, `full` that the broker's disk is full; `claims` are
    results that need a decision, `trouble` is an error of race control itself;
    `feed` that all tables may offer the live feed.
    """

    hall: str
    tables: tuple[TableSeen, ...]
    alarms: tuple[Alarm, ...]
    broker: bool
    said: tuple[tuple[str, str], ...]
    standings: Mapping[str, StandingsShown]
    starts: tuple[Waiting, ...] = ()
    full: bool = False
    claims: tuple[Claim, ...] = ()
    trouble: CompanionError | None = None
    feed: bool = False


def take_snapshot(
    members: Members,
    intake: Intake,
    floor: Floor,
    control: Control | None,
    said: tuple[tuple[str, str], ...] = (),
    standings: Mapping[str, StandingsShown] = MappingProxyType({}),
    starts: Sequence[Waiting] = (),
    scales: Scales = MappingProxyType({}),
    trials: Container[str] = (),
    overtaken: Container[tuple[str, str]] = (),
) -> HallSnapshot:
    """Return the state of the hall; may be called from any thread.

    `said` are race control's last messages, `standings` those of the tournament by language, `starts` the races that
    may begin, `scales` the points scales of races, `trials` the tables that run trials, `overtaken` the races corrected
    after they were official and not confirmed again.
    """
    heard, now, wall = dict(intake.heard), time.monotonic(), time.time()
    tables = tuple(
        _table(table, member.name, heard.get(table), now, wall, _scored(floor.races.get(member.name), scales), control,
               intake.coming, member.name in trials, overtaken)
        for table, member in sorted(members.all().items(), key=lambda one: natural(one[1].name))
    )  # fmt: skip
    return HallSnapshot(
        members.hall, tables, tuple(floor.alarms[:MAX_ALARMS]), intake.connected, said, standings, tuple(starts),
        trouble=None if intake.connected else intake.trouble,
    )  # fmt: skip


def _table(
    table: str, name: str, heard: LastBeat | None, now: float, wall: float, race: RaceSeen | None,
    control: Control | None, coming: Mapping[str, str], trials: bool, overtaken: Container[tuple[str, str]],
) -> TableSeen:  # fmt: skip
    signed = _signed(control, race)
    away = heard is None or now > heard.at + ALONE
    call = heard.beat.call if heard is not None and not away else None
    disputed = race.disputed if race is not None else ()
    state: State
    if len(signed) > 1 and (race is None or race.belongs not in overtaken):
        state = "confirmed"
    elif call is not None or disputed:
        state = "call"
    elif race is not None and race.over:
        state = "finished"
    elif heard is not None and away:
        state = "away"
    else:
        state = "racing" if race is not None else "trials" if trials else "free"
    lag = 0.0 if heard is None else float(int(now - heard.at)) if away else round(heard.beat.lag, 1)
    return TableSeen(
        table, name, state, 0 if heard is None else round(wall - (now - heard.at)), lag,
        math.nan if heard is None else heard.skew, race, call, disputed, signed, coming.get(table, ""),
    )  # fmt: skip


def _scored(race: RaceSeen | None, scales: Scales) -> RaceSeen | None:
    """Return a race with the points of its tournament or season instead of its rulebook's."""
    scale = scales.get(race.belongs) if race is not None and race.belongs is not None else None
    if race is None or scale is None:
        return race
    return race._replace(
        result=tuple(line._replace(points=points_of(line.place or None, scale)) for line in race.result)
    )


def _signed(control: Control | None, race: RaceSeen | None) -> tuple[str, ...]:
    """Return those who confirmed the result as it stands here."""
    if control is None or race is None or not race.over:
        return ()
    return tuple(control.signatures(LogConfirmed(log_id=race.log_id, seq=race.seq, hash=race.hash)))


def count_states(tables: Sequence[TableSeen]) -> Mapping[State, int]:
    """Return the number of tables in each state."""
    return Counter(table.state for table in tables)
