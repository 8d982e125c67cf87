"""A tournament: entrants, trials, seeded tables, rounds, a final, standings.

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
from companion.tournament.organised import PLATES, Organised, cars_of, otherwise, rolls_for_grid
from companion.tournament.record import Act, Plan, Signed, person, reason, same
from companion.tournament.results import Confirmed, Reference, Result, ResultCorrected
from companion.tournament.seed_changes import SeedChanges, seed_changes
from companion.tournament.seeding import (
    LEAST,
    Deal,
    Pair,
    SeatSwap,
    SwapPrice,
    Tables,
    check_sizes,
    deal,
    even_sizes,
    kept_apart,
    pairs,
    prices,
    swapped,
)
from companion.tournament.standings import SCALES, Score, StandingsLine, check_scale, table
from companion.tournament.times import AbsoluteTime, Counts, counting, ranked, told_apart
from companion.tournament.trials import SkyDrawn, Trials
from companion.tournament.weather import Drawn

From = Literal["trials", "standings", "number"]
"""Rankings that a round can be dealt from."""
_NO_OPTIONS: Final[dict[str, Json]] = {}
ANY_SIZE: Final[dict[str, Json]] = {"racers": 0, "team_racers": 0}
"""Settings for races and teams of any size."""


class TournamentBegun(Act, frozen=True, tag="tournament"):
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
    """A driver's trial in a session.

    `session` counts from 1; a second trial in it replaces the first, with a reason. `log` is the session's record, if
    there is one.
    """

    driver: int
    session: int
    time: AbsoluteTime
    log: Reference | None = None


class TrialTime(msgspec.Struct, frozen=True):
    """A driver's time in a session."""

    driver: int
    session: int
    time: AbsoluteTime


class TimesTaken(Act, frozen=True, tag="times"):
    """All times of a session of trials that has its own record.

    Times that are there already and equal are kept; others need a reason.
    """

    times: tuple[TrialTime, ...]
    log: Reference


class Seeded(Act, frozen=True, tag="seeded"):
    """The tables of a round, dealt and then swapped.

    Seeding a round again replaces its tables: with a reason once they are published, never once one has a result.
    """

    round: int
    tables: Tables
    deal: Deal = "turn"
    source: From = "trials"
    moves: tuple[SeatSwap, ...] = ()
    final: bool = False
    track: str = ""
    laps: int = 0


class Swapped(Act, frozen=True, tag="swapped"):
    """The organiser swaps two drivers, with a reason."""

    round: int
    one: int
    other: int


class Published(Act, frozen=True, tag="published"):
    """The tables of a round are fixed and published.

    It needs a reason where team-mates still sit together.
    """

    settles: ClassVar[bool] = True

    round: int


class Upheld(Act, frozen=True, tag="upheld"):
    """The published tables of a round are kept in spite of changes, with a reason."""

    round: int


class Steward(Act, frozen=True, tag="steward"):
    """Appoint the steward of a table, such as 1.3."""

    table: str
    name: str


class Reseated(Act, frozen=True, tag="reseated"):
    """Swap two drivers after publication: a correction, with a reason."""

    settles: ClassVar[bool] = True

    round: int
    one: int
    other: int


class Seated(Act, frozen=True, tag="seated"):
    """A late entrant joins a published table, such as 1.3, behind its grid.

    This is a correction, with a reason. Only an undo takes his seat from him again, so this act does not settle.
    """

    table: str
    driver: int


class Round(NamedTuple):
    """A round as it stands.

    `source` and `ranking` are what it was dealt from, `moves` the swaps with their reasons, `published` the act that
    published it, if any. `everybody` says that all who were present got a seat.
    """

    number: int
    tables: Tables
    deal: Deal
    source: From
    ranking: tuple[int, ...]
    moves: tuple[SeatSwap, ...]
    final: bool
    track: str
    laps: int
    everybody: bool = True
    published: Signed | None = None
    changed: frozenset[int] = frozenset()
    """Tables changed after publication."""
    basis: tuple[int, ...] = ()
    """Ranking of all who were present when the seats were last settled."""
    upheld: tuple[Signed, ...] = ()
    """Decisions to leave the tables as they were in spite of a change."""

    @property
    def keys(self) -> list[str]:
        """The keys of its tables."""
        return [table_key(self.number, at) for at in range(1, len(self.tables) + 1)]

    def rank(self, driver: int) -> int:
        """Return a driver's rank in what it was dealt from, 0 without one."""
        return self.ranking.index(driver) + 1 if driver in self.ranking else 0


class Seed(NamedTuple):
    """A driver in the ranking of the trials.

    `time` is his best one (None: no time), `sessions` those he drove, `ahead_by` what separates him from the next
    driver.
    """

    rank: int
    driver: int
    time: AbsoluteTime | None
    sessions: Mapping[int, AbsoluteTime]
    ahead_by: str


def table_key(number: int, at: int) -> str:
    """Return the key of a table, such as 1.3 for round 1, table 3."""
    return f"{number}.{at}"


class Tournament(Organised):
    """A tournament after its acts.

    >>> from companion.tournament.entrants import Entrant
    >>> cup = Tournament()
    >>> cup.take(Signed(1, "Ada", "", TournamentBegun(name="Cup")))
    >>> cup.take(Signed(2, "Ada", "", Entered(entrants=(Entrant(7, "Ben", ""),))))
    >>> cup.take(Signed(3, "Ada", "", Timed(driver=7, session=1, time=AbsoluteTime(throws=14, clock=7556))))
    >>> cup.best(7).total
    15
    """

    KIND = "tournament"
    ACTS = (
        TournamentBegun, Entered, Changed, Removed, Withdrawn, Here, Timed, TimesTaken, Drawn, Seeded, Swapped,
        Published, Reseated, Seated, Upheld, Steward, Result, Confirmed, ResultCorrected,
    )  # fmt: skip

    def __init__(self) -> None:
        super().__init__()
        self.begun = TournamentBegun(name="")
        self.times: dict[int, dict[int, AbsoluteTime]] = {}
        """Trials of each driver, by session."""
        self.times_from: dict[tuple[int, int], str] = {}
        """Log that each driver's time in a session was last taken from."""
        self._taken: dict[tuple[int, int], AbsoluteTime] = {}
        """Time of each driver and session as last taken from a log."""
        self.skies: dict[tuple[Literal["session", "round"], int], Drawn] = {}
        self.rounds: dict[int, Round] = {}
        self.stewards: dict[str, str] = {}
        """Steward of each table."""

    # -- what is done

    def check(self, act: Act) -> None:
        super().check(act)
        if isinstance(act, Drawn):
            sessions, coming = max(1, self.begun.sessions), len(self.rounds) + 1
            if not 0 <= act.session <= sessions:
                raise BadEntry("no_session", session=act.session, many=sessions)
            if not 0 <= act.round <= coming:
                raise BadEntry("next_round", next=coming, number=act.round)
        if isinstance(act, Seeded) and not act.tables:
            raise BadEntry("round_no_table")
        if isinstance(act, Published) and not act.why.strip() and (wrong := self.objection(act.round)) is not None:
            raise wrong

    def apply(self, signed: Signed) -> None:
        act = signed.act
        match act:
            case TournamentBegun():
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

    def _begin(self, act: TournamentBegun) -> None:
        """Begin the tournament; refuse a bad name, number of sessions (0 to 9) or points scale."""
        if not act.name.strip() or len(act.name) > 60:
            raise BadEntry("tournament_name")
        if not 0 <= act.sessions <= 9:
            raise BadEntry("sessions_most", many=act.sessions)
        check_scale(act.points)
        self.begun, self.name = act, act.name

    def _time(self, driver: int, session: int, time: AbsoluteTime, why: str) -> None:
        """Record a trial of a session.

        A trial without a time of day gets that of its first entry [1-0-1, 1-3-1, 1-3-2].
        """
        name = self.field[driver].name
        if driver in self.field.gone:
            raise BadEntry("withdrawn", name=name)
        if not 1 <= session <= self.begun.sessions:
            raise BadEntry("no_session", session=session, many=self.begun.sessions)
        time.check()
        sessions = self.times.setdefault(driver, {})
        if session in sessions and not why.strip():
            raise BadEntry("needs_reason.time", name=name, session=session)
        sessions[session] = time
        self.field.here.add(driver)

    def _draw(self, act: Drawn) -> None:
        """Record the weather, drawn once for all tables, of a session or a round [1-0-3, 2-0-1]."""
        weather.check(act)
        key: tuple[Literal["session", "round"], int] = ("session", act.session)
        if act.round:
            key = ("round", act.round)
        if key in self.skies and not act.why.strip():
            raise BadEntry("needs_reason.weather")
        self.skies[key] = act

    def _seed(self, act: Seeded) -> None:
        """Seed a round, with one seat for each driver."""
        if act.round != len(self.rounds) + 1 and act.round not in self.rounds:
            raise BadEntry("next_round", next=len(self.rounds) + 1, number=act.round)
        old = self.rounds.get(act.round)
        if old is not None and old.published is not None:
            if not act.why.strip():
                raise BadEntry("needs_reason.published", number=act.round)
            if raced := [key for key in old.keys if key in self.results]:
                raise BadEntry("table_has_result", table=raced[0])
        if act.round - 1 in self.rounds and (open_ := self.open_tables(act.round - 1)):
            raise BadEntry("round_open", number=act.round - 1, table=open_[0])
        drivers = [driver for seats in act.tables for driver in seats]
        check_sizes(len(drivers), [len(seats) for seats in act.tables])
        for driver in drivers:
            name = self.field[driver].name
            if drivers.count(driver) > 1:
                raise BadEntry("two_seats", name=name)
            if driver not in self.field.racing:
                raise BadEntry("entrant_absent", name=name)
        ranking = tuple(driver for driver in self.ranking(act.source) if driver in set(drivers))
        self.rounds[act.round] = Round(
            act.round, act.tables, act.deal, act.source, ranking, act.moves, act.final, act.track or self.begun.track,
            act.laps or self.begun.laps, set(self.field.racing) <= set(drivers), basis=self._basis(act.source),
        )  # fmt: skip

    def _swap(self, act: Swapped | Reseated) -> None:
        """Swap two drivers, with a reason.

        After publication this is a correction, possible while neither table has a result [1-3-3].
        """
        why, old = reason(act), self.round(act.round)
        published = old.published is not None
        if isinstance(act, Swapped) and published:
            raise BadEntry("needs_reason.published", number=act.round)
        if isinstance(act, Reseated) and not published:
            raise BadEntry("swap_unpublished", number=act.round)
        tables = swapped(old.tables, act.one, act.other)
        touched = {at for at, seats in enumerate(old.tables, 1) if {act.one, act.other} & set(seats)}
        for at in sorted(touched):
            if table_key(act.round, at) in self.results:
                raise BadEntry("table_has_result", table=table_key(act.round, at))
        rank = {driver: at for at, driver in enumerate(old.ranking)}
        move = SeatSwap(act.one, act.other, abs(rank[act.one] - rank[act.other]), why, organiser=True)
        changed = old.changed | touched if published else old.changed
        self.rounds[act.round] = old._replace(tables=tables, moves=(*old.moves, move), changed=changed)

    def _publish(self, signed: Signed, act: Published) -> None:
        """Publish a round, which fixes its seats.

        With team-mates at one table it needs a reason.
        """
        round_ = self.round(act.round)
        if round_.published is not None:
            raise BadEntry("round_published", number=act.round)
        if self.broken(act.round) and not act.why.strip():
            raise BadEntry("needs_reason.mates")
        self.rounds[act.round] = round_._replace(published=signed, basis=self._basis(round_.source))

    def _seat(self, act: Seated) -> None:
        """Give a late entrant a free seat at a table without a result.

        He ranks among the others as if he had been present when they were dealt [1-3-2, 1-3-3].
        """
        reason(act)
        seats, name, number = self.seated(act.table), self.field[act.driver].name, int(act.table.partition(".")[0])
        old = self.rounds[number]
        if act.table in self.results:
            raise BadEntry("table_has_result", table=act.table)
        for at, there in enumerate(old.tables, 1):
            if act.driver in there:
                raise BadEntry("sits_already", name=name, table=table_key(number, at))
        if act.driver not in self.field.racing:
            raise BadEntry("entrant_absent", name=name)
        if len(seats) == MOST:
            raise BadEntry("table_full", table=act.table, most=MOST)
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
        """Keep the tables of a round in spite of the changes so far."""
        reason(act)
        round_ = self.round(act.round)
        if round_.published is None:
            raise BadEntry("round_not_published", number=act.round)
        self.rounds[act.round] = round_._replace(basis=self._basis(round_.source), upheld=(*round_.upheld, signed))

    def _steward(self, act: Steward) -> None:
        """Appoint a table's steward, at most one table of a round each [2-0-2]."""
        self.seated(act.table)
        number = act.table.partition(".")[0]
        for key, name in self.stewards.items():
            if key != act.table and key.partition(".")[0] == number and same(name, act.name):
                raise BadEntry("steward_already", name=act.name, table=key)
        self.stewards[act.table] = person(act.name)

    # -- how it stands

    @property
    def has_started(self) -> bool:
        """Return True if anybody has driven a trial or has a seat."""
        return bool(self.times or self.rounds)

    def round(self, number: int) -> Round:
        """Return a seeded round.

        Raises BadEntry if it is not seeded.
        """
        try:
            return self.rounds[number]
        except KeyError:
            raise BadEntry("not_seeded", number=number) from None

    def seated(self, key: str) -> tuple[int, ...]:
        """Return the drivers of a table such as 1.3, from pole.

        Raises BadEntry if there is no such table, or it is not published.
        """
        number, _, at = key.partition(".")
        if number.isdecimal() and at.isdecimal() and int(number) in self.rounds:
            round_ = self.rounds[int(number)]
            if 1 <= int(at) <= len(round_.tables):
                if round_.published is None:
                    raise BadEntry("round_not_published", number=number)
                return round_.tables[int(at) - 1]
        tables = ", ".join(key for round_ in self.rounds.values() for key in round_.keys)
        if not tables:
            raise BadEntry("no_table_yet", key=key)
        raise BadEntry("no_table_key", key=key, tables=tables)

    def racing(self, key: str) -> list[int]:
        """Return the drivers of a table from pole, without those who have left since."""
        there = set(self.field.racing)
        return [driver for driver in self.seated(key) if driver in there]

    def grid_of(self, key: str, came: Sequence[int]) -> Sequence[int]:
        return self.seated(key)

    def rules_of(self, key: str) -> tuple[str, Mapping[str, Json]]:
        self.seated(key)
        return self.begun.rulebook, self.begun.options

    def withdrawn_from(self, key: str) -> list[int]:
        there = set(self.field.racing)
        return [driver for driver in self.seated(key) if driver not in there]

    def away(self, key: str) -> list[int]:
        """Return the drivers with a seat at a table who do not race.

        They have withdrawn or are absent. The table need not be published.
        """
        number, _, at = key.partition(".")
        seats, there = self.round(int(number)).tables[int(at) - 1], set(self.field.racing)
        return [driver for driver in seats if driver not in there]

    def open_tables(self, number: int) -> list[str]:
        """Return the tables of a round still without a result.

        A table that everybody has left is not among them.
        """
        standing, round_ = set(self.field.standing), self.round(number)
        keys = [key for key, seats in zip(round_.keys, round_.tables, strict=True) if standing.intersection(seats)]
        return [key for key in keys if key not in self.results]

    def colours(self) -> dict[int, int]:
        """Return the plate of each driver: his club's, or his own without a club."""
        clubs = list(self.field.teams())
        own = super().colours()
        return {
            number: clubs.index(one.team) % PLATES if one.team else own[number]
            for number, one in self.field.entrants.items()
        }

    def colours_at(self, drivers: Sequence[int]) -> dict[int, int]:
        """Return the plates at one table, where a club's second car gets a double outline."""
        coloured, found = self.colours(), dict[int, int]()
        for number in drivers:
            place = coloured[number]
            while place in found.values() and place < PLATES:
                place += PLATES // 2
            found[number] = place
        return {number: place % PLATES for number, place in found.items()}

    # -- the trials

    def best(self, driver: int) -> AbsoluteTime | None:
        """Return the time that ranks a driver, or None."""
        sessions = self.times.get(driver, {})
        return counting([sessions[session] for session in sorted(sessions)], self.begun.counts, self.begun.sessions)

    def session_skies(self) -> tuple[SkyDrawn, ...]:
        """Return the skies drawn for the sessions, as trials take them [1-0-3]."""
        drawn = sorted((number, one) for (what, number), one in self.skies.items() if what == "session")
        sessions = max(1, self.begun.sessions)
        return tuple(SkyDrawn(session=n, sky=one.sky, face=one.face) for n, one in drawn if n <= sessions)

    def fresh(self, trials: Trials) -> list[TrialTime]:
        """Return the times of these trials that are new or were corrected there.

        Times of withdrawn drivers, and those corrected in the tournament, are left out.
        """
        found = []
        for driver in self.field.standing:
            for session, time in sorted(trials.runs.get(driver, {}).items()):
                here = self.times.get(driver, {}).get(session)
                if here is None or (here != time and here == self._taken.get((driver, session))):
                    found.append(TrialTime(driver, session, time))
        return found

    def seeds(self) -> list[Seed]:
        """Return the general classification of the trials, without withdrawn drivers.

        Those without a time are last [1-3-2].
        """
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
        """Return all drivers in the order that a round is dealt from.

        Drivers level in the standings are ranked by their trials [1-3-2].
        """
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
        """The team-mates who should sit apart, by team [1-3-3]."""
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
        """Return the seeding that the rules propose for the next round.

        With `again` it is the last round instead, with `why` as the reason if that is published. `first` takes only so
        many of those present, 0 for all. Drivers are dealt to `sizes`, else to `tables` even tables, else to tables of
        at most ten, with team-mates apart. Raises BadEntry [1-3-2, 1-3-3].
        """
        number = max(self.rounds, default=0) + (0 if again and self.rounds else 1)
        racing = set(self.field.racing)
        order = [driver for driver in self.ranking(source) if driver in racing]
        if first:
            order = order[:first]
        if not order:
            raise BadEntry("nobody_here")
        sizes = tuple(sizes) or even_sizes(len(order), tables or -(-len(order) // 10))
        dealt = deal(order, sizes, way)
        seats, moves = kept_apart(dealt, order, self.apart, way)
        return Seeded(
            round=number, tables=seats, deal=way, source=source, moves=moves, final=final, track=track, laps=laps,
            why=why,
        )  # fmt: skip

    def seeding_again(self, way: Deal | None = None, why: str = "") -> Seeded:
        """Deal the last round again from the same source, to as many tables.

        `way` changes how it is dealt.
        """
        old = self.round(max(self.rounds, default=0))
        first = 0 if old.everybody and not old.final else len(old.ranking)
        return self.seeding(
            tables=len(old.tables), way=way or old.deal, source=old.source, first=first, final=old.final,
            track=old.track, laps=old.laps, again=True, why=why,
        )  # fmt: skip

    def _basis(self, source: From) -> tuple[int, ...]:
        """Return the ranking of all who are present."""
        here = set(self.field.racing)
        return tuple(driver for driver in self.ranking(source) if driver in here)

    def seed_changes(self, number: int) -> SeedChanges:
        """Return the changes since the seats of a round were settled.

        Once one of its tables has a result, only drivers who have left before they raced are reported.
        """
        round_ = self.round(number)
        seated = [driver for seats in round_.tables for driver in seats]
        found = seed_changes(
            round_.basis, self._basis(round_.source), seated, everybody=round_.everybody,
            published=round_.published is not None,
        )  # fmt: skip
        done = [seats for key, seats in zip(round_.keys, round_.tables, strict=True) if key in self.results]
        raced = {driver for seats in done for driver in seats}
        return SeedChanges(gone=tuple(one for one in found.gone if one not in raced)) if done else found

    def unconfirmed(self, number: int) -> list[str]:
        """Return the earlier results that a round was dealt from and that are not official."""
        if self.round(number).source != "standings":
            return []
        earlier = [key for key in self.results if int(key.partition(".")[0]) < number]
        return [key for key in earlier if not self.results[key].official]

    def objection(self, number: int) -> BadEntry | None:
        """Return the objection to publishing a round, apart from team-mates together, or None."""
        if (changes := self.seed_changes(number)).any:
            return changes.refusal(number, self._named)
        if keys := ", ".join(self.unconfirmed(number)):
            return BadEntry("seeds_unconfirmed", round=number, keys=keys)  # fmt: skip
        return None

    def outdated(self, number: int) -> BadEntry | None:
        """Return what has changed under the seats of a published round, or None; nothing once it is all raced."""
        changes = self.seed_changes(number)
        return changes.refusal(number, self._named) if changes.any and self.open_tables(number) else None

    def _named(self, driver: int) -> str:
        return f"{driver} {self.names[driver]}"

    def _must_hold(self, key: str, seated: Sequence[int], racing: Sequence[int]) -> None:
        """Refuse to start a table whose seats no longer hold, or with one driver left."""
        number = int(key.partition(".")[0])
        changes = self.seed_changes(number)
        if any(table in self.results for table in self.rounds[number].keys):
            changes = changes._replace(gone=tuple(driver for driver in changes.gone if driver in seated))
        if changes.any:
            raise changes.refusal(number, self._named)
        if len(racing) < LEAST:
            left = ", ".join(map(self._named, racing))
            raise BadEntry("few_left", table=key, left=left)  # fmt: skip

    def dealt_otherwise(self, act: ResultCorrected) -> Round | None:
        """Return the open round whose seats a correction would affect, or None."""
        last = self.rounds.get(max(self.rounds, default=0))
        if last is None or not self.open_tables(last.number):
            return None
        return last if self.after(act).seed_changes(last.number) != self.seed_changes(last.number) else None

    def broken(self, number: int) -> list[Pair]:
        """Return the pairs of team-mates who share a table in a round [1-3-3]."""
        return pairs(self.round(number).tables, self.apart)

    def late(self, number: int) -> list[int]:
        """Return those present who have no seat in a published round for everybody.

        Empty for a final or a round that seated only the first drivers.
        """
        round_ = self.round(number)
        if round_.final or not round_.everybody or round_.published is None:
            return []
        seated = {driver for seats in round_.tables for driver in seats}
        return [driver for driver in self.field.racing if driver not in seated]

    def left_out(self, number: int) -> list[int]:
        """Return those without a seat who are level with the last driver seated.

        They are level in the standings and in the trials, so only their numbers separated them and the organiser may
        choose. Empty once the round has a result [1-3-2, 1-3-3].
        """
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

    def prices(self, number: int, driver: int) -> list[SwapPrice]:
        """Return the price of swapping a driver with each driver of another table."""
        round_ = self.round(number)
        return prices(round_.tables, driver, round_.ranking, self.apart)

    # -- the races

    def sky_of_round(self, number: int) -> Drawn | None:
        """Return the weather drawn for a round, or None."""
        return self.skies.get(("round", number))

    def last_trials(self) -> Sky | None:
        """Return the sky of the last session that was drawn, or None."""
        drawn = self.session_skies()
        return drawn[-1].sky if drawn else None

    def plans(self) -> Mapping[str, Plan]:
        """Return the seats, the drivers and the weather of each published table.

        Drivers and surface are left out once they are history: after its result, and after those of all tables.
        """
        here, found = set(self.field.racing), dict[str, dict[str, Json]]()
        for number, round_ in self.rounds.items():
            if round_.published is None:
                continue
            drawn = self.sky_of_round(number)
            weather_: dict[str, Json] = {"sky": drawn.sky if drawn is not None else None}
            if drawn is not None and self.open_tables(number):
                weather_["surface"] = weather.of_race(drawn.sky, self.last_trials())
            for key, seats in zip(round_.keys, round_.tables, strict=True):
                found[key] = dict(weather_)
                if key not in self.results:
                    found[key] |= {"seats": list(seats), "here": [driver for driver in seats if driver in here]}
        return found

    def check_begun(self, key: str, before: Plan, setup: Mapping[str, Json]) -> None:
        """Check a table that has begun: it keeps its drivers, and a round has one weather [1-3-3, 2-0-1]."""
        now = self.plans().get(key)
        if now is None:
            raise BadEntry("round_started", race=key)
        changed = {name for name in before if name in now and now[name] != before[name]}
        if "sky" in changed and now["sky"] != setup.get("sky"):
            raise BadEntry("weather_started", race=key)
        if "surface" in changed and now["surface"] != setup.get("surface", now["surface"]):
            raise BadEntry("weather_started", race=key)
        if changed & {"seats", "here"} and (cars := cars_of(setup)):
            if [driver for driver in now["seats"] if driver in cars] != cars:
                raise BadEntry("seats_started", race=key)
            if joined := [driver for driver in now["here"] if driver not in cars]:
                raise BadEntry("seats_started.without", race=key, names=", ".join(map(self._named, joined)))

    def draws_weather(self) -> int | None:
        """Return the driver who draws the weather: the one with the best time, or None [2-0-1]."""
        seeds = self.seeds()
        return seeds[0].driver if seeds and seeds[0].time is not None else None

    def setup(self, key: str) -> dict[str, Json]:
        """Return all that a table's race begins from, as New race and the protocol take it.

        The grid is settled, the weather is the one drawn for all tables, and the limits on drivers and teams are
        lifted. Raises BadEntry if the seats no longer hold [1-0-1, 2-0-1, 2-0-3, 21-1-2].
        """
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

    def standings(self) -> list[StandingsLine]:
        """Return the drivers' standings over all rounds, ties by countback.

        Where the final decides, its drivers come first, in its order; the others are ranked among themselves.
        """
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
        """Return the drivers of the last final in order, table after table.

        Empty until it has been raced.
        """
        finals = [round_ for round_ in self.rounds.values() if round_.final]
        if not finals or self.open_tables(finals[-1].number):
            return []
        return [driver for key in finals[-1].keys if key in self.results for driver in self.results[key].order]

    def scores(self, driver: int) -> list[Score]:
        """Return a driver's score from each round.

        A final that decides by itself brings no points.
        """
        return [
            Score(key, line.place, line.scored(self.scale(key)))
            for key in self.results
            for line in self.results[key].lines
            if line.driver == driver
        ]

    def scale(self, key: str) -> Sequence[int]:
        alone = self.begun.final == "decides" and self.rounds[int(key.partition(".")[0])].final
        return () if alone else self.begun.points
