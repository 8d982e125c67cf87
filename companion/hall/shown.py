"""What race control's pages show at one moment: every table's state, calls, what was refused, results to confirm."""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Container, Mapping, Sequence
from types import MappingProxyType
from typing import Final, Literal, NamedTuple

from companion.hall.floor import Disputed, Floor, RaceSeen
from companion.hall.intake import Heard, Intake
from companion.hall.ledger import Alarm
from companion.hall.members import Members, natural
from companion.hall.outbox import ALONE
from companion.hall.receiving import Claim
from companion.hall.starting import Waiting
from companion.hall.wire import Call
from companion.rules.conversation.errors import CompanionError
from companion.tournament.control import Control, Result
from companion.tournament.standings import points_of
from companion.view.commissioner.standings import StandingsShown

State = Literal["call", "away", "confirmed", "finished", "racing", "trials", "free"]
"""How a table is; of several the first one counts, but that a confirmed result stays so when its table has gone."""
SLOW: Final = 10.0
"""A table is late from so many seconds on."""
SKEWED: Final = 2.0
"""A clock is wrong from so many seconds on."""
REFUSED: Final = 8
"""How many alarms are shown."""


Scales = Mapping[tuple[str, str], Sequence[int]]
"""The points of the places in races of a tournament or season, by what they belong to."""


class TableSeen(NamedTuple):
    """A table: when it was last heard of (by the wall's clock, 0 for never), how late it is, how far ahead its clock
    is (nan: it has none), its call and its disputed rulings, and who has confirmed its result."""

    id: str
    name: str
    state: State
    heard: float
    lag: float
    skew: float
    race: RaceSeen | None
    call: Call | None = None
    disputed: tuple[Disputed, ...] = ()
    signed: tuple[str, ...] = ()
    coming: str = ""


class Shown(NamedTuple):
    """Everything, at one moment; `broker` is whether race control reaches its own, `full` whether its disk has no
    room, `claims` the results on which somebody decides, `trouble` what race control itself stumbles over."""

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


def seen(
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
) -> Shown:
    """How the hall is now; `said` are race control's last messages and `standings` the tournament's, by language;
    `starts` are the races that may begin, `scales` the points of the places in each, `trials` the names of the tables
    that hold them, `overtaken` the races whose official result was corrected and not confirmed again. From any
    thread."""
    heard, now, wall = dict(intake.heard), time.monotonic(), time.time()
    tables = tuple(
        _table(table, member.name, heard.get(table), now, wall, _scored(floor.races.get(member.name), scales), control,
               intake.coming, member.name in trials, overtaken)
        for table, member in sorted(members.all().items(), key=lambda one: natural(one[1].name))
    )  # fmt: skip
    return Shown(
        members.hall, tables, tuple(floor.alarms[:REFUSED]), intake.connected, said, standings, tuple(starts),
        trouble=None if intake.connected else intake.trouble,
    )  # fmt: skip


def _table(
    table: str, name: str, heard: Heard | None, now: float, wall: float, race: RaceSeen | None,
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
    """A race with the points that its tournament or season gives: its own are those of its rulebook."""
    scale = scales.get(race.belongs) if race is not None and race.belongs is not None else None
    if race is None or scale is None:
        return race
    return race._replace(
        result=tuple(line._replace(points=points_of(line.place or None, scale)) for line in race.result)
    )


def _signed(control: Control | None, race: RaceSeen | None) -> tuple[str, ...]:
    """Who has confirmed a result as it stands here."""
    if control is None or race is None or not race.over:
        return ()
    return tuple(control.signatures(Result(log_id=race.log_id, seq=race.seq, hash=race.hash)))


def counted(tables: Sequence[TableSeen]) -> Mapping[State, int]:
    """How many tables are in each state."""
    return Counter(table.state for table in tables)
