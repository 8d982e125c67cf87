"""A tournament: entrants, trials of several sessions, tables seeded from them, rounds and a final, standings.

The acts are the whole of it. How it stands is worked out from them by the chapters beside this file: `entrants`,
`times`, `seeding`, `weather`, `results`, `standings`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar, Final, Literal, NamedTuple

import msgspec

from companion.rules.circuit.track import Sky
from companion.rules.conversation.asking import Json
from companion.rules.conversation.errors import BadEntry
from companion.rules.conversation.setup import MOST
from companion.tournament import weather
from companion.tournament.entrants import Changed, Entered, Here, Removed, Withdrawn
from companion.tournament.organised import PLATES, Organised, otherwise, rolls_for_grid
from companion.tournament.record import Act, Signed, person, reason, same
from companion.tournament.results import Confirmed, Corrected, Reference, Result
from companion.tournament.seed_changes import SeedChanges, seed_changes
from companion.tournament.seeding import (
    LEAST,
    Deal,
    Move,
    Pair,
    Price,
    Tables,
    check_sizes,
    deal,
    even_sizes,
    kept_apart,
    pairs,
    prices,
    swapped,
)
from companion.tournament.standings import SCALES, Score, Standing, check_scale, table
from companion.tournament.times import AbsoluteTime, Counts, counting, ranked, told_apart
from companion.tournament.trials import SkyDrawn, Trials
from companion.tournament.weather import Drawn

From = Literal["trials", "standings", "number"]
"""What the ranking is that a round is dealt from."""
_NO_OPTIONS: Final[dict[str, Json]] = {}
ANY_SIZE: Final[dict[str, Json]] = {"racers": 0, "team_racers": 0}
"""How many make a race and a team: as many as there are."""


class Begun(Act, frozen=True, tag="tournament"):
    """A tournament begins.

    `sessions` is how many sessions of trials there are, `counts` which of them; `points` the scale; `final` whether
    the final alone decides who is in front ("decides"), or its points are added like any round's ("adds").
    """

    name: str
    rulebook: str = "competition"
    track: str = "monaco"
    laps: int = 0
    options: dict[str, Json] = _NO_OPTIONS
    sessions: int = 1
    counts: Counts = "best"
    points: tuple[int, ...] = SCALES["first-six"]
    final: Literal["decides", "adds"] = "decides"
    date: str = ""
    version: int = 1


class Timed(Act, frozen=True, tag="timed"):
    """A driver's trial in a session, which counts from 1; a second one in a session replaces the first, with a reason.
    `log` is the session's record, where there is one."""

    driver: int
    session: int
    time: AbsoluteTime
    log: Reference | None = None


class Trial(msgspec.Struct, frozen=True):
    """A driver's time in a session."""

    driver: int
    session: int
    time: AbsoluteTime


class TimesTaken(Act, frozen=True, tag="times"):
    """All times of a session of trials that was kept as a record; those that are there already, and are the same, stay
    as they are, others need a reason."""

    times: tuple[Trial, ...]
    log: Reference


class Seeded(Act, frozen=True, tag="seeded"):
    """The tables of a round, dealt and moved as told; seeded again they are dealt anew. That needs a reason once they
    are published, and cannot be once one of them has a result."""

    round: int
    tables: Tables
    deal: Deal = "turn"
    source: From = "trials"
    moves: tuple[Move, ...] = ()
    final: bool = False
    track: str = ""
    laps: int = 0


class Swapped(Act, frozen=True, tag="swapped"):
    """The organiser lets two drivers change seats, with a reason."""

    round: int
    one: int
    other: int


class Published(Act, frozen=True, tag="published"):
    """The tables of a round are fixed and told; with a reason where team-mates still sit together."""

    settles: ClassVar[bool] = True

    round: int


class Upheld(Act, frozen=True, tag="upheld"):
    """The tables of a round stay as they were published whatever has changed since; with a reason."""

    round: int


class Steward(Act, frozen=True, tag="steward"):
    """Who is the steward of a table, such as 1.3."""

    table: str
    name: str


class Reseated(Act, frozen=True, tag="reseated"):
    """Two drivers change seats after the tables were published: a correction, with a reason."""

    settles: ClassVar[bool] = True

    round: int
    one: int
    other: int


class Seated(Act, frozen=True, tag="seated"):
    """An entrant who came after the tables were published sits down at one of them, such as 1.3, behind its grid: a
    correction, with a reason. As no other act takes his seat from him, the undo does as long as it is the last one."""

    table: str
    driver: int


class Round(NamedTuple):
    """A round as it stands: its tables, what they were dealt from, what was moved and why, whether it is published;
    `everybody` who was here then has a seat, or others were left out."""

    number: int
    tables: Tables
    deal: Deal
    source: From
    ranking: tuple[int, ...]
    moves: tuple[Move, ...]
    final: bool
    track: str
    laps: int
    everybody: bool = True
    published: Signed | None = None
    changed: frozenset[int] = frozenset()
    """The tables that were changed after publication."""
    basis: tuple[int, ...] = ()
    """The ranking of all who were here when the seats were last settled."""
    upheld: tuple[Signed, ...] = ()
    """Each time that the tables stayed as they were though something had changed."""

    @property
    def keys(self) -> list[str]:
        """What its tables are called."""
        return [table_key(self.number, at) for at in range(1, len(self.tables) + 1)]


class Seed(NamedTuple):
    """A driver in the ranking of the trials: the rank, his best time (None: without one), the sessions he drove, and by
    what he is ahead of the next one."""

    rank: int
    driver: int
    time: AbsoluteTime | None
    sessions: Mapping[int, AbsoluteTime]
    ahead_by: str


def table_key(number: int, at: int) -> str:
    """What a table of a round is called in results and standings, such as 1.3: round 1, table 3."""
    return f"{number}.{at}"


class Tournament(Organised):
    """A tournament after its acts.

    >>> from companion.tournament.entrants import Entrant
    >>> cup = Tournament()
    >>> cup.take(Signed(1, "Ada", "", Begun(name="Cup")))
    >>> cup.take(Signed(2, "Ada", "", Entered(entrants=(Entrant(7, "Ben", ""),))))
    >>> cup.take(Signed(3, "Ada", "", Timed(driver=7, session=1, time=AbsoluteTime(throws=14, clock=7556))))
    >>> cup.best(7).total
    15
    """

    KIND = "tournament"
    ACTS = (
        Begun, Entered, Changed, Removed, Withdrawn, Here, Timed, TimesTaken, Drawn, Seeded, Swapped, Published,
        Reseated, Seated, Upheld, Steward, Result, Confirmed, Corrected,
    )  # fmt: skip

    def __init__(self) -> None:
        super().__init__()
        self.begun = Begun(name="")
        self.times: dict[int, dict[int, AbsoluteTime]] = {}
        """Of each driver the trials by session."""
        self.times_from: dict[tuple[int, int], str] = {}
        """Of each driver and session the log that the time was last taken from."""
        self._taken: dict[tuple[int, int], AbsoluteTime] = {}
        """Of each driver and session the time as it was last taken from a log."""
        self.skies: dict[tuple[Literal["session", "round"], int], Drawn] = {}
        self.rounds: dict[int, Round] = {}
        self.stewards: dict[str, str] = {}
        """The steward of each table."""

    # -- what is done

    def check(self, act: Act) -> None:
        super().check(act)
        if isinstance(act, Drawn):
            sessions, coming = max(1, self.begun.sessions), len(self.rounds) + 1
            if not 0 <= act.session <= sessions:
                raise BadEntry(f"There is no session {act.session}; this tournament has {sessions}.")
            if not 0 <= act.round <= coming:
                raise BadEntry(f"The next round is {coming}; {act.round} is not.")
        if isinstance(act, Seeded) and not act.tables:
            raise BadEntry("A round without a table seats nobody; it has one at least.")
        if isinstance(act, Published) and not act.why.strip() and (wrong := self.objection(act.round)) is not None:
            raise wrong

    def apply(self, signed: Signed) -> None:
        act = signed.act
        match act:
            case Begun():
                self._begin(act)
            case Here():
                self.field.come(act.numbers, here=act.here)
            case Timed():
                before = self.times.get(act.driver, {}).get(act.session)
                done = act.time.at or (before.at if before is not None else signed.at)
                self._time(act.driver, act.session, msgspec.structs.replace(act.time, at=done), act.why)
            case TimesTaken():
                for trial in act.times:
                    self.times_from[trial.driver, trial.session] = act.log.log_id
                    self._taken[trial.driver, trial.session] = trial.time
                    if self.times.get(trial.driver, {}).get(trial.session) != trial.time:
                        self._time(trial.driver, trial.session, trial.time, act.why)
            case Drawn():
                self._draw(act)
            case Seeded():
                self._seed(act)
            case Swapped() | Reseated():
                self._swap(act)
            case Published():
                self._publish(signed, act)
            case Seated():
                self._seat(act)
            case Upheld():
                self._uphold(signed, act)
            case Steward():
                self._steward(act)
            case _:
                super().apply(signed)

    def _begin(self, act: Begun) -> None:
        """A name, one to nine sessions of trials or none, and a points scale."""
        if not act.name.strip() or len(act.name) > 60:
            raise BadEntry("A tournament needs a name, of at most 60 letters.")
        if not 0 <= act.sessions <= 9:
            raise BadEntry(f"A tournament has 0 to 9 sessions of trials; {act.sessions} is not.")
        check_scale(act.points)
        self.begun, self.name = act, act.name

    def _time(self, driver: int, session: int, time: AbsoluteTime, why: str) -> None:
        """A trial of a session; one without an hour was done when it was first entered [1-0-1, 1-3-1, 1-3-2]."""
        name = self.field[driver].name
        if driver in self.field.gone:
            raise BadEntry(f"{name} has withdrawn.")
        if not 1 <= session <= self.begun.sessions:
            raise BadEntry(f"There is no session {session}; this tournament has {self.begun.sessions}.")
        time.check()
        sessions = self.times.setdefault(driver, {})
        if session in sessions and not why.strip():
            raise BadEntry(
                f"{name} has a time in session {session} already; another one needs a reason.", "needs_reason"
            )
        sessions[session] = time
        self.field.here.add(driver)

    def _draw(self, act: Drawn) -> None:
        """One draw for all tables: of a session of trials, or of a round [1-0-3, 2-0-1]."""
        weather.check(act)
        key: tuple[Literal["session", "round"], int] = ("session", act.session)
        if act.round:
            key = ("round", act.round)
        if key in self.skies and not act.why.strip():
            raise BadEntry("This weather is drawn already; another draw needs a reason.", "needs_reason")
        self.skies[key] = act

    def _seed(self, act: Seeded) -> None:
        """The tables of a round hold everybody once, and nobody else."""
        if act.round != len(self.rounds) + 1 and act.round not in self.rounds:
            raise BadEntry(f"The next round is {len(self.rounds) + 1}; {act.round} is not.")
        old = self.rounds.get(act.round)
        if old is not None and old.published is not None:
            if not act.why.strip():
                raise BadEntry(
                    f"Round {act.round} is published; a change is a correction, with a reason.", "needs_reason"
                )
            if raced := [key for key in old.keys if key in self.results]:
                raise BadEntry(f"Table {raced[0]} has its result; its drivers stay.")
        if act.round - 1 in self.rounds and (open_ := self.open_tables(act.round - 1)):
            raise BadEntry(f"Round {act.round - 1} still lacks the result of {open_[0]}; enter it first.", "round_open")
        drivers = [driver for seats in act.tables for driver in seats]
        check_sizes(len(drivers), [len(seats) for seats in act.tables])
        for driver in drivers:
            name = self.field[driver].name
            if drivers.count(driver) > 1:
                raise BadEntry(f"{name} sits at two tables; a driver has one seat.")
            if driver not in self.field.racing:
                raise BadEntry(f"{name} is not here, or has withdrawn.")
        ranking = tuple(driver for driver in self.ranking(act.source) if driver in set(drivers))
        self.rounds[act.round] = Round(
            act.round, act.tables, act.deal, act.source, ranking, act.moves, act.final, act.track or self.begun.track,
            act.laps or self.begun.laps, set(self.field.racing) <= set(drivers), basis=self._basis(act.source),
        )  # fmt: skip

    def _swap(self, act: Swapped | Reseated) -> None:
        """Organisers may move drivers, with a reason; after publication that is a correction, as long as neither table
        has a result [1-3-3]."""
        why, old = reason(act), self.round(act.round)
        published = old.published is not None
        if isinstance(act, Swapped) and published:
            raise BadEntry(f"Round {act.round} is published; a change is a correction, with a reason.", "needs_reason")
        if isinstance(act, Reseated) and not published:
            raise BadEntry(f"Round {act.round} is not published yet; swap the two.")
        tables = swapped(old.tables, act.one, act.other)
        touched = {at for at, seats in enumerate(old.tables, 1) if {act.one, act.other} & set(seats)}
        for at in sorted(touched):
            if table_key(act.round, at) in self.results:
                raise BadEntry(f"Table {table_key(act.round, at)} has its result; its drivers stay.")
        rank = {driver: at for at, driver in enumerate(old.ranking)}
        move = Move(act.one, act.other, abs(rank[act.one] - rank[act.other]), why, organiser=True)
        changed = old.changed | touched if published else old.changed
        self.rounds[act.round] = old._replace(tables=tables, moves=(*old.moves, move), changed=changed)

    def _publish(self, signed: Signed, act: Published) -> None:
        """Publishing fixes the seats; with a broken constraint it needs a reason."""
        round_ = self.round(act.round)
        if round_.published is not None:
            raise BadEntry(f"Round {act.round} is published already.")
        if self.broken(act.round) and not act.why.strip():
            raise BadEntry("Team-mates still sit together; to publish all the same needs a reason.", "needs_reason")
        self.rounds[act.round] = round_._replace(published=signed, basis=self._basis(round_.source))

    def _seat(self, act: Seated) -> None:
        """Who comes late gets a seat that nobody has, as long as the table has no result; among the others he ranks as
        if he had been there [1-3-2, 1-3-3]."""
        reason(act)
        seats, name, number = self.seated(act.table), self.field[act.driver].name, int(act.table.partition(".")[0])
        old = self.rounds[number]
        if act.table in self.results:
            raise BadEntry(f"Table {act.table} has its result; its drivers stay.")
        for at, there in enumerate(old.tables, 1):
            if act.driver in there:
                raise BadEntry(f"{name} sits at table {table_key(number, at)} already.")
        if act.driver not in self.field.racing:
            raise BadEntry(f"{name} is not here, or has withdrawn.")
        if len(seats) == MOST:
            raise BadEntry(f"Table {act.table} has {MOST} drivers, and a race has no more cars.")
        at = int(act.table.partition(".")[2])
        ranked = self.ranking(old.source)
        ahead = len(set(old.ranking).intersection(ranked[: ranked.index(act.driver)]))
        self.rounds[number] = old._replace(
            tables=(*old.tables[: at - 1], (*seats, act.driver), *old.tables[at:]),
            ranking=(*old.ranking[:ahead], act.driver, *old.ranking[ahead:]),
            changed=old.changed | {at},
            basis=self._basis(old.source),
        )

    def _uphold(self, signed: Signed, act: Upheld) -> None:
        """The tables stay as they are: what has changed until now speaks no more against them."""
        reason(act)
        round_ = self.round(act.round)
        if round_.published is None:
            raise BadEntry(f"Round {act.round} is not published yet; its tables may still change.")
        self.rounds[act.round] = round_._replace(basis=self._basis(round_.source), upheld=(*round_.upheld, signed))

    def _steward(self, act: Steward) -> None:
        """Each table has a steward, who stands between its drivers and the organiser; nobody has two tables of a round
        [2-0-2]."""
        self.seated(act.table)
        number = act.table.partition(".")[0]
        for key, name in self.stewards.items():
            if key != act.table and key.partition(".")[0] == number and same(name, act.name):
                raise BadEntry(f"{act.name} is the steward of {key} already.")
        self.stewards[act.table] = person(act.name)

    # -- how it stands

    @property
    def driven(self) -> bool:
        """Whether anybody has driven a trial or sits at a table."""
        return bool(self.times or self.rounds)

    def round(self, number: int) -> Round:
        """A round that is seeded; raises BadEntry if it is not."""
        try:
            return self.rounds[number]
        except KeyError:
            raise BadEntry(f"Round {number} is not seeded yet.") from None

    def seated(self, key: str) -> tuple[int, ...]:
        """The drivers of a table such as 1.3, from pole; raises BadEntry if there is none, or it is not published."""
        number, _, at = key.partition(".")
        if number.isdecimal() and at.isdecimal() and int(number) in self.rounds:
            round_ = self.rounds[int(number)]
            if 1 <= int(at) <= len(round_.tables):
                if round_.published is None:
                    raise BadEntry(f"Round {number} is not published yet; its tables may still change.")
                return round_.tables[int(at) - 1]
        tables = ", ".join(key for round_ in self.rounds.values() for key in round_.keys)
        if not tables:
            raise BadEntry(f"There is no table {key}; there is none yet.")
        raise BadEntry(f"There is no table {key}; there is {tables}.")

    def racing(self, key: str) -> list[int]:
        """The drivers of a table from pole, without those who have gone since it was published."""
        there = set(self.field.racing)
        return [driver for driver in self.seated(key) if driver in there]

    def grid_of(self, key: str, came: Sequence[int]) -> Sequence[int]:
        return self.seated(key)

    def rules_of(self, key: str) -> tuple[str, Mapping[str, Json]]:
        self.seated(key)
        return self.begun.rulebook, self.begun.options

    def left(self, key: str) -> list[int]:
        there = set(self.field.racing)
        return [driver for driver in self.seated(key) if driver not in there]

    def away(self, key: str) -> list[int]:
        """Who has a seat at a table, published or not, and does not race: he has withdrawn, or is not here."""
        number, _, at = key.partition(".")
        seats, there = self.round(int(number)).tables[int(at) - 1], set(self.field.racing)
        return [driver for driver in seats if driver not in there]

    def open_tables(self, number: int) -> list[str]:
        """The tables of a round whose result is not there yet; none comes from one that everybody has left."""
        standing, round_ = set(self.field.standing), self.round(number)
        keys = [key for key, seats in zip(round_.keys, round_.tables, strict=True) if standing.intersection(seats)]
        return [key for key in keys if key not in self.results]

    def colours(self) -> dict[int, int]:
        """The plates of clubs; who is in none has his own."""
        clubs = list(self.field.teams())
        own = super().colours()
        return {
            number: clubs.index(one.team) % PLATES if one.team else own[number]
            for number, one in self.field.entrants.items()
        }

    def colours_at(self, drivers: Sequence[int]) -> dict[int, int]:
        """The plates of those who sit at one table: a second car of a club has a second line around it."""
        coloured, found = self.colours(), dict[int, int]()
        for number in drivers:
            place = coloured[number]
            while place in found.values() and place < PLATES:
                place += PLATES // 2
            found[number] = place
        return {number: place % PLATES for number, place in found.items()}

    # -- the trials

    def best(self, driver: int) -> AbsoluteTime | None:
        """The time by which a driver is ranked, None without one."""
        sessions = self.times.get(driver, {})
        return counting([sessions[session] for session in sorted(sessions)], self.begun.counts, self.begun.sessions)

    def session_skies(self) -> tuple[SkyDrawn, ...]:
        """The skies of the sessions that are drawn, as trials take them [1-0-3]."""
        drawn = sorted((number, one) for (what, number), one in self.skies.items() if what == "session")
        sessions = max(1, self.begun.sessions)
        return tuple(SkyDrawn(session=n, sky=one.sky, face=one.face) for n, one in drawn if n <= sessions)

    def fresh(self, trials: Trials) -> list[Trial]:
        """The times of these trials that are not here yet, or have been put right there since they were taken; not of
        who has withdrawn, and none that somebody has put right here."""
        found = []
        for driver in self.field.standing:
            for session, time in sorted(trials.runs.get(driver, {}).items()):
                here = self.times.get(driver, {}).get(session)
                if here is None or (here != time and here == self._taken.get((driver, session))):
                    found.append(Trial(driver, session, time))
        return found

    def seeds(self) -> list[Seed]:
        """The general classification of the trials: everybody who has not withdrawn, who has no time behind [1-3-2]."""
        times = {driver: time for driver in self.field.standing if (time := self.best(driver)) is not None}
        order = ranked(times)
        found = []
        for rank, driver in enumerate(order, 1):
            after = order[rank : rank + 1]
            ahead = told_apart(times[driver], times[after[0]]) if after else ""
            found.append(Seed(rank, driver, times[driver], self.times[driver], ahead))
        without = [driver for driver in self.field.standing if driver not in times]
        return found + [Seed(rank, driver, None, {}, "") for rank, driver in enumerate(without, len(found) + 1)]

    # -- the tables

    def ranking(self, source: From) -> list[int]:
        """Everybody by what a round is dealt from; those who share a place in the standings go by their trials
        [1-3-2]."""
        if source == "number":
            return self.field.standing
        timed = [seed.driver for seed in self.seeds()]
        if source == "trials":
            return timed
        by_trial = {driver: rank for rank, driver in enumerate(timed)}
        lines = sorted(self.standings(), key=lambda line: (line.place, by_trial.get(int(line.who), len(timed))))
        return [int(line.who) for line in lines]

    @property
    def apart(self) -> dict[str, list[int]]:
        """Who is to sit apart: the team-mates [1-3-3]."""
        return {team: drivers for team, drivers in self.field.teams().items() if len(drivers) > 1}

    def seeding(
        self,
        *,
        tables: int = 0,
        sizes: Sequence[int] = (),
        way: Deal = "turn",
        source: From = "trials",
        first: int = 0,
        final: bool = False,
        track: str = "",
        laps: int = 0,
        again: bool = False,
        why: str = "",
    ) -> Seeded:
        """The seeding that the rules propose for the next round (or for the last one `again`): the first so many of the
        ranking who are here, 0 for all, dealt to tables of those sizes, team-mates apart [1-3-2, 1-3-3]. `why` is the
        reason where the last one is published."""
        number = max(self.rounds, default=0) + (0 if again and self.rounds else 1)
        racing = set(self.field.racing)
        order = [driver for driver in self.ranking(source) if driver in racing]
        if first:
            order = order[:first]
        if not order:
            raise BadEntry("Nobody is here yet; mark who has come.")
        sizes = tuple(sizes) or even_sizes(len(order), tables or -(-len(order) // 10))
        dealt = deal(order, sizes, way)
        seats, moves = kept_apart(dealt, order, self.apart, way)
        return Seeded(
            round=number, tables=seats, deal=way, source=source, moves=moves, final=final, track=track, laps=laps,
            why=why,
        )  # fmt: skip

    def seeding_again(self, way: Deal | None = None, why: str = "") -> Seeded:
        """The last round dealt anew from what it was dealt from, to as many tables, perhaps in another way."""
        old = self.round(max(self.rounds, default=0))
        first = 0 if old.everybody and not old.final else len(old.ranking)
        return self.seeding(
            tables=len(old.tables), way=way or old.deal, source=old.source, first=first, final=old.final,
            track=old.track, laps=old.laps, again=True, why=why,
        )  # fmt: skip

    def _basis(self, source: From) -> tuple[int, ...]:
        """The ranking of all who are here."""
        here = set(self.field.racing)
        return tuple(driver for driver in self.ranking(source) if driver in here)

    def seed_changes(self, number: int) -> SeedChanges:
        """What has changed since the seats of a round were settled. Once one of its tables has a result the ranking has
        nothing more to say, and who has gone is gone."""
        round_ = self.round(number)
        seated = [driver for seats in round_.tables for driver in seats]
        found = seed_changes(
            round_.basis, self._basis(round_.source), seated, everybody=round_.everybody,
            published=round_.published is not None,
        )  # fmt: skip
        raced = any(key in self.results for key in round_.keys)
        return SeedChanges(gone=found.gone) if raced else found

    def unconfirmed(self, number: int) -> list[str]:
        """The results of earlier rounds from which a round was dealt and that are not official."""
        if self.round(number).source != "standings":
            return []
        earlier = [key for key in self.results if int(key.partition(".")[0]) < number]
        return [key for key in earlier if not self.results[key].official]

    def objection(self, number: int) -> BadEntry | None:
        """What speaks against publishing the tables of a round, besides team-mates who sit together."""
        if (changes := self.seed_changes(number)).any:
            return changes.refusal(number, self._named)
        if keys := ", ".join(self.unconfirmed(number)):
            return BadEntry(
                f"Round {number} was dealt from results that are not official: {keys}. Have them confirmed, or say why "
                "it is published.", "seeds_unconfirmed", round=number, keys=keys,
            )  # fmt: skip
        return None

    def _named(self, driver: int) -> str:
        return f"{driver} {self.names[driver]}"

    def _must_hold(self, key: str, seated: Sequence[int], racing: Sequence[int]) -> None:
        """Refuses to start a table whose seats are no longer true, or that has one driver left."""
        number = int(key.partition(".")[0])
        changes = self.seed_changes(number)
        if any(table in self.results for table in self.rounds[number].keys):
            changes = changes._replace(gone=tuple(driver for driver in changes.gone if driver in seated))
        if changes.any:
            raise changes.refusal(number, self._named)
        if len(racing) < LEAST:
            left = ", ".join(map(self._named, racing))
            raise BadEntry(
                f"Table {key} has too few drivers left for a race; move drivers there, or type the result from paper.",
                "few_left", table=key, left=left,
            )  # fmt: skip

    def dealt_otherwise(self, act: Corrected) -> Round | None:
        """The round that is not over, if a correction would change what its seats hang on; None if it would not."""
        last = self.rounds.get(max(self.rounds, default=0))
        if last is None or not self.open_tables(last.number):
            return None
        return last if self.after(act).seed_changes(last.number) != self.seed_changes(last.number) else None

    def broken(self, number: int) -> list[Pair]:
        """The team-mates who sit together in a round [1-3-3]."""
        return pairs(self.round(number).tables, self.apart)

    def late(self, number: int) -> list[int]:
        """Who is here and has no seat in a round that is published and seated everybody; of a final, and where only the
        first were seated, others are left out."""
        round_ = self.round(number)
        if round_.final or not round_.everybody or round_.published is None:
            return []
        seated = {driver for seats in round_.tables for driver in seats}
        return [driver for driver in self.field.racing if driver not in seated]

    def left_out(self, number: int) -> list[int]:
        """Who is level with the last one whom the standings gave a seat in a round that is not raced yet, by trials
        too, and has none himself: nothing but their numbers told them apart, and the organiser may [1-3-2, 1-3-3]."""
        round_, places = self.round(number), {line.who: line.place for line in self.standings()}
        if not round_.ranking:
            return []  # of no table, which earlier programs took
        if round_.source != "standings" or any(key.partition(".")[0] == str(number) for key in self.results):
            return []

        def level(driver: int) -> tuple[int, object]:
            time = self.best(driver)
            return places[driver], time.rank if time is not None else None

        last = level(round_.ranking[-1])
        return [driver for driver in self.field.racing if driver not in round_.ranking and level(driver) == last]

    def prices(self, number: int, driver: int) -> list[Price]:
        """What a swap of a driver with each driver of another table costs."""
        round_ = self.round(number)
        return prices(round_.tables, driver, round_.ranking, self.apart)

    # -- the races

    def sky_of_round(self, number: int) -> Drawn | None:
        """The weather drawn for a round, None if it is not yet."""
        return self.skies.get(("round", number))

    def last_trials(self) -> Sky | None:
        """The sky of the last session of trials that was drawn."""
        drawn = self.session_skies()
        return drawn[-1].sky if drawn else None

    def draws_weather(self) -> int | None:
        """Who draws the weather of the race: the driver with the best absolute time [2-0-1]."""
        seeds = self.seeds()
        return seeds[0].driver if seeds and seeds[0].time is not None else None

    def setup(self, key: str) -> dict[str, Json]:
        """All that a table's race begins from, as New race and the protocol take it: circuit, laps, grid in order, the
        weather that was drawn for all tables, the points; a table and its clubs are as large as they were dealt, and
        its grid is settled, not as in a league's season. `event` says where the result belongs [1-0-1, 2-0-1, 2-0-3,
        21-1-2]."""
        drivers, number = self.racing(key), int(key.partition(".")[0])
        self._must_hold(key, self.seated(key), drivers)
        round_ = self.rounds[number]
        said: dict[str, Json] = {
            "rulebook": self.begun.rulebook,
            "track": round_.track,
            "cars": [
                {"car": number, "driver": self.field[number].name, "team": self.field[number].team}
                for number in drivers
            ],
            "plates": list(self.colours_at(drivers).values()),
        }
        if rolls_for_grid(self.begun.rulebook):
            said["grid"] = drivers
        if round_.laps:
            said["laps"] = round_.laps
        own = otherwise(self.begun.rulebook, {"points": list(self.begun.points), **ANY_SIZE})
        if options := {**own, **self.begun.options}:
            said["options"] = options
        if (drawn := self.sky_of_round(number)) is not None:
            said["sky"] = drawn.sky
            said["surface"] = weather.of_race(drawn.sky, self.last_trials())
        return said

    def standings(self) -> list[Standing]:
        """The drivers' table: points of all rounds, ties by countback; where the final decides, those who were in it
        are in front in its order, and the others told apart among themselves."""
        lines = super().standings()
        front = self.finalists() if self.begun.final == "decides" else []
        if not front:
            return lines
        found = {int(line.who): line for line in lines}
        rest = table({int(line.who): line.scores for line in lines if line.who not in front})
        return [
            *(found[driver]._replace(place=place, decides=0) for place, driver in enumerate(front, 1)),
            *(line._replace(place=len(front) + line.place) for line in rest),
        ]

    def finalists(self) -> list[int]:
        """Who was in the last final, in its order, table after table; nobody before it is raced."""
        finals = [round_ for round_ in self.rounds.values() if round_.final]
        if not finals or self.open_tables(finals[-1].number):
            return []
        return [driver for key in finals[-1].keys if key in self.results for driver in self.results[key].order]

    def scores(self, driver: int) -> list[Score]:
        """What a driver has from each round; a final that decides by itself brings no points."""
        return [
            Score(key, line.place, line.scored(self.scale(key)))
            for key in self.results
            for line in self.results[key].lines
            if line.driver == driver
        ]

    def scale(self, key: str) -> Sequence[int]:
        alone = self.begun.final == "decides" and self.rounds[int(key.partition(".")[0])].final
        return () if alone else self.begun.points
