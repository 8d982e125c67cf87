"""What there is to read of a tournament or a season, as tables of plain text: for the terminal, for paper, for HTML,
CSV and JSON alike."""

from __future__ import annotations

import html
import json
from collections.abc import Iterable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple

from companion import circuits
from companion.rules.conversation.asking import Json
from companion.rules.conversation.errors import BadEntry, CompanionError
from companion.rules.conversation.kinds import Surface, in_order
from companion.rules.conversation.setup import MOST
from companion.sheets.records import kept_record
from companion.sheets.wall_clock import moment
from companion.tournament.entrants import Entered
from companion.tournament.record import Act, Noted, Undone
from companion.tournament.results import Corrected, Filed, Line
from companion.tournament.season import Season
from companion.tournament.standings import Standing
from companion.tournament.statistics import CircuitRecord, statistics
from companion.tournament.times import AbsoluteTime, clock_text
from companion.tournament.tournament import Round, Seated, TimesTaken, Tournament
from companion.tournament.trial import COMPOUNDS
from companion.tournament.weather import Drawn
from companion.view.commissioner.standings import cause_text, circuit_name, score_text
from companion.wording import LANGUAGES, Words

RIGHT: Final = frozenset(
    ("rank", "place", "number", "points", "time", "grid", "round", "laps", "wins", "races", "throws", "clock", "seat",
     "from_pole")
)  # fmt: skip
"""Columns of figures."""
_SHEET: Final[tuple[str, ...]] = ("grid", "number", "driver", "team", "finish", "cause", "round")
"""The columns of a sheet of a table or race."""
_TRIALS: Final[tuple[str, ...]] = ("number", "driver", "team", "throws", "overshot", "misplaced", "clock", "time")
"""The columns of a sheet of trials."""


class Listing(NamedTuple):
    """A table: what it is (`kind`), `of` which table or driver, its columns by their keys with their heads, its rows,
    and what is said below it. `log_id`, `entries` and `digest` say which state of which record it shows: the hash of
    its last entry."""

    kind: str
    name: str
    title: str
    under: str
    columns: tuple[str, ...]
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...] = ()
    log_id: str = ""
    entries: int = 0
    digest: str = ""
    of: str = ""

    @property
    def heading(self) -> str:
        """What it is of what, in one line."""
        return " · ".join(filter(None, (self.name, self.title, self.under)))


class Listings:
    """Makes the tables of a record in a language.

    >>> from companion.tournament.record import Signed
    >>> from companion.tournament.tournament import Begun
    >>> cup = Tournament()
    >>> cup.take(Signed(1, "Ada", "", Begun(name="Cup")))
    >>> Listings(cup, Words("en")).made("standings").heading
    'Cup · Drivers'
    """

    def __init__(self, record: Tournament | Season, words: Words) -> None:
        self.record, self.words = record, words

    def made(self, kind: str, of: str = "") -> Listing:
        """A table by what it is, which is kept with it."""
        return self._made(kind, of)._replace(of=of)

    def _made(self, kind: str, of: str) -> Listing:
        """A table by what it is: entries, trials, tables, table, classification, standings, teams, calendar, driver,
        log; some are `of` a table, a race or a driver. Raises BadEntry for one that this record does not have."""
        makes = {
            "entries": self.entries, "standings": self.standings, "teams": self.teams, "log": self.log,
        }  # fmt: skip
        if kind in makes:
            return makes[kind]()
        if kind == "classification":
            return self.classification(of)
        if kind == "driver" and of.isdecimal():
            return self.driver(int(of))
        if isinstance(self.record, Tournament):
            if kind == "trials":
                return self.trials(self.record)
            if kind == "tables":
                return self.tables(self.record, int(of) if of.isdecimal() else max(self.record.rounds, default=0))
            if kind == "table":
                return self.table(self.record, of)
            if kind == "trialsheet" and of.isdecimal():
                return self.trial_sheet(self.record, int(of))
        elif kind == "calendar":
            return self.calendar(self.record)
        elif kind == "table" and of.isdecimal():
            return self.race_sheet(self.record, int(of))
        if kind == "blank" and of.isdecimal():
            return self.blank(int(of))
        raise BadEntry(f"There is no list {kind} {of} here.")

    # -- who takes part

    def entries(self) -> Listing:
        """The entry list."""
        record = self.record
        columns: list[str] = ["number", "driver", "team"]
        tournament = record if isinstance(record, Tournament) else None
        columns += ["here", "time"] if tournament is not None else ["home"]
        rows = []
        for number in sorted(record.field.entrants):
            entrant = record.field[number]
            row = [str(number), entrant.name, entrant.team]
            if tournament is not None:
                time = tournament.best(number)
                row += [self._word("yes" if number in record.field.here else "no"), self._time(time)]
            else:
                row.append(", ".join(map(circuit_name, entrant.home)))
            rows.append(row)
        gone = [
            self.words.say("org_gone", driver=self.name(number), why=why) for number, why in record.field.gone.items()
        ]
        return self._listing("entries", "", columns, rows, gone)

    def trials(self, record: Tournament) -> Listing:
        """The general classification of the trials."""
        sessions = [f"s{session}" for session in range(1, record.begun.sessions + 1)]
        rows = []
        for seed in record.seeds():
            times = [self._time(seed.sessions.get(at)) for at in range(1, record.begun.sessions + 1)]
            ahead = self._word(f"by_{seed.ahead_by}") if seed.ahead_by else ""
            clock = clock_text(seed.time.clock) if seed.time is not None else ""
            rows.append([str(seed.rank), *self._driver(seed.driver), *times, self._time(seed.time), clock, ahead])
        columns = ["rank", "number", "driver", "team", *sessions, "time", "clock", "ahead"]
        skies = [
            self.words.say("org_sky", session=number, sky=drawn.sky, face=drawn.face)
            for (what, number), drawn in record.skies.items()
            if what == "session"
        ]
        return self._listing("trials", "", columns, rows, skies)

    # -- tables

    def tables(self, record: Tournament, number: int) -> Listing:
        """The tables of a round, seat by seat, with what was moved and why."""
        round_ = record.round(number)
        rows = []
        for key, seats in zip(round_.keys, round_.tables, strict=True):
            for place, driver in enumerate(seats, 1):
                rank = round_.ranking.index(driver) + 1 if driver in round_.ranking else 0
                rows.append([key, str(place), *self._driver(driver), str(rank or "")])
        notes = [
            self.words.say(
                "org_move", one=self.name(move.one), other=self.name(move.other), why=move.why, ranks=move.ranks,
                organiser=move.organiser,
            )
            for move in round_.moves
        ]  # fmt: skip
        notes += [
            self.words.say("org_pair", table=at, one=self.name(one), other=self.name(other), of=of)
            for at, one, other, of in record.broken(number)
        ]  # fmt: skip
        if level := record.left_out(number):
            others = ", ".join(map(self.name, level))
            notes.append(self.words.say("org_left_out", last=self.name(round_.ranking[-1]), others=others))
        for key in round_.keys:
            for driver in record.away(key):
                why = record.field.gone.get(driver, "")
                notes.append(self.words.say("org_away", driver=self.name(driver), table=key, why=why))
        notes += self._published(round_)
        columns = ["table", "grid", "number", "driver", "team", "rank"]
        return self._listing(
            "tables", self.words.say("org_round", round=number, final=round_.final), columns, rows, notes
        )

    def table(self, record: Tournament, key: str) -> Listing:
        """The sheet of one table: its grid, its steward, the weather, with room for the result."""
        drivers, number = record.racing(key), int(key.partition(".")[0])
        round_ = record.rounds[number]
        rows = [[str(place), *self._driver(driver), "", "", ""] for place, driver in enumerate(drivers, 1)]
        notes = [self._circuit(record.begun.rulebook, round_.track, round_.laps)]
        if (drawn := record.sky_of_round(number)) is not None:
            notes.append(self.words.say("org_weather", sky=drawn.sky, face=drawn.face))
        if key in record.stewards:
            notes.append(self.words.say("org_steward", name=record.stewards[key]))
        notes += self._published(round_)
        return self._listing("table", self.words.say("org_table", table=key), _SHEET, rows, notes)

    def _circuit(self, rulebook: str, track: str, laps: int) -> str:
        """Where a race is, and how far it goes if that is not as usual."""
        from companion.view.pages.sheet import by_turns

        return self.words.say("org_circuit", track=circuit_name(track), laps=laps, turns=by_turns(rulebook))

    def race_sheet(self, record: Season, number: int) -> Listing:
        """The sheet of a season's race: its grid, as far as it is settled, with room for the result."""
        stage, filed = record.race(number).stage, record.results.filed.get(str(number))
        settled = record.grid(number) is not None
        order = record.grid(number) or (filed.order if filed is not None else record.drivers(number))
        rows = [
            [str(place) if settled else "", *self._driver(driver, str(number)), "", "", ""]
            for place, driver in enumerate(order, 1)
        ]
        notes = [self._circuit(record.rulebook(number), stage.track, stage.laps)]
        notes += [] if settled or filed is not None else [self.words.say("org_no_grid")]
        under = self.words.say("org_race", race=number, track=circuit_name(stage.track))
        return self._listing("table", under, _SHEET, rows, notes)

    def trial_sheet(self, record: Tournament, session: int) -> Listing:
        """The sheet of a session of trials, to be filled in at the table."""
        rows = [[*self._driver(number), "", "", "", "", ""] for number in record.field.standing]
        columns = _TRIALS
        notes = [self.words.say("org_sum")]
        drawn = record.skies.get(("session", session))
        if drawn is not None:
            notes.append(self.words.say("org_sky", session=session, sky=drawn.sky, face=drawn.face))
        notes += best_laps(
            record.begun.track, "wet" if drawn is not None and drawn.sky == "rain" else "dry", self.words
        )
        return self._listing("trialsheet", f"{self._word('session')} {session}", columns, rows, notes)

    def blank(self, many: int) -> Listing:
        """The sheet of a table without a name, to print in advance; what was written is typed in afterwards."""
        return blank("table", many, self.words)._replace(name=self.record.name)

    def _published(self, round_: Round) -> list[str]:
        assert isinstance(self.record, Tournament)
        found = []
        if (said := round_.published) is None:
            found.append(self.words.say("org_not_published"))
            wrong = self.record.objection(round_.number)
        else:
            by = self.words.signer(said.by)
            found.append(self.words.say("org_published", by=by, at=moment(said.at), why=said.act.why))
            changes = self.record.seed_changes(round_.number)
            wrong = changes.refusal(round_.number, self.name) if changes.any else None
        for then in round_.upheld:
            by = self.words.signer(then.by)
            found.append(self.words.say("org_upheld", by=by, at=moment(then.at), why=then.act.why))
        return found if wrong is None else [*found, self.words.error(wrong)]

    # -- results

    def classification(self, key: str) -> Listing:
        """The result of a table or race as it stands, and what was changed in it."""
        filed = self.record.results[key]
        points = self._points(key)
        rows = []
        for line in filed.lines:
            place = str(line.place) if line.place is not None else self._word("out")
            grid, round_ = str(line.grid or ""), str(line.round or "")
            driver = self._driver(line.driver, key) if line.driver else ["", line.bot, ""]
            rows.append([place, *driver, grid, self._cause(line), round_, points.get(line.driver, "")])
        columns = ["place", "number", "driver", "team", "grid", "cause", "round", "points"]
        if isinstance(self.record, Tournament):
            of = self.words.say("org_table", table=key)
        else:
            of = self.words.say("org_race", race=key, track=self._track(key))
        return self._listing("classification", of, columns, rows, self._filed(filed))

    def _filed(self, filed: Filed) -> list[str]:
        first = filed.versions[0].signed
        by = self.words.signer
        said = [self.words.say("org_entered", by=by(first.by), at=moment(first.at), paper=filed.log is None)]
        if filed.log is not None:
            log = filed.log
            said.append(
                self.words.say("org_log", race=log.name, entries=log.entries, digest=log.digest[:16], table=log.table)
            )
        later = sorted([*filed.confirmations, *(version.signed for version in filed.versions[1:])])
        for then in later:
            who, at = by(then.by), moment(then.at)
            if isinstance(then.act, Corrected):
                said.append(self.words.say("org_corrected", by=who, at=at, why=then.act.why))
            elif then is filed.confirmed:
                said.append(self.words.say("org_official", by=who, at=at))
            else:
                said.append(self.words.say("org_was_official", by=who, at=at))
        if not filed.official:
            said.append(self.words.say("org_not_official"))
        for line in filed.lines:
            if by_hand := filed.by_hand(line.driver):
                driver = self.name(line.driver)
                said.append(self.words.say("org_by_hand", driver=driver, points=line.points or 0, by=by(by_hand)))
        return said

    def _cause(self, line: Line) -> str:
        if not line.cause:
            return ""
        said = cause_text(line.cause, self.words)
        return f"{said} ({line.article})" if line.article else said

    def _points(self, key: str) -> dict[int, str]:
        """The points that a table or race brought."""
        return {
            number: str(score.points)
            for number in self.record.field.entrants
            for score in self.record.scores(number)
            if score.race == key
        }

    # -- standings

    def standings(self) -> Listing:
        """The drivers' table, with the points of every round or race."""
        return self._table("standings", self.record.standings(), ("number", "driver", "team"))

    def teams(self) -> Listing:
        """The teams' table."""
        return self._table("teams", self.record.team_standings(), ("team",))

    def _table(self, kind: str, lines: Sequence[Standing], who: tuple[str, ...]) -> Listing:
        keys = self._columns()
        rows = []
        for line in lines:
            cells = [self._cell(line, key) for key in keys]
            named = self._driver(line.who) if isinstance(line.who, int) else [line.who]
            rows.append([str(line.place), *named, *cells, str(line.points)])
        notes = [
            self.words.say("org_decides", one=self.who(line.who), other=self.who(after.who), place=line.decides)
            for line, after in pairwise(lines)
            if line.decides
        ]
        notes += self._unsettled(self.record.results)
        notes += self._carried()
        if not self.record.results.filed:
            notes.append(self.words.say("org_no_points"))
        return self._listing(kind, "", ["place", *who, *(f"r{key}" for key in keys), "points"], rows, notes)

    def _unsettled(self, keys: Iterable[str]) -> list[str]:
        """Which of these results are not official, and which have replaced one that was."""
        results, found = self.record.results, []
        if unofficial := [key for key in keys if not results[key].official]:
            found.append(self.words.say("org_unofficial", keys=", ".join(unofficial)))
        for key in keys:
            for then in results[key].replacements[-1:]:
                by = self.words.signer(then.by)
                found.append(self.words.say("org_replaced", race=key, by=by, at=moment(then.at), why=then.act.why))
        return found

    def _carried(self) -> list[str]:
        """Return how a season carries wear from race to race, if it does."""
        if isinstance(self.record, Tournament) or not self.record.begun.carried:
            return []
        return [self.words.say("org_carried", repair=self.record.begun.repair)]

    def _columns(self) -> list[str]:
        """The rounds of a tournament, the races of a season."""
        return [str(key) for key in (self.record.rounds if isinstance(self.record, Tournament) else self.record.stages)]

    def _cell(self, line: Standing, key: str) -> str:
        """Points in a round or race, in brackets where they are dropped; a dot where there are none to come."""
        scores = [score for score in line.scores if score.race.partition(".")[0] == key]
        said = [
            self._word("out") if score.place is None and not score.points and not score.dropped else score_text(score)
            for score in scores
        ]
        return "+".join(said) if said else "·"

    # -- a season

    def calendar(self, record: Season) -> Listing:
        """The races of a season, run and to come."""
        from companion.view.setup.new_race import rulebook_name

        rows = []
        for race in record.calendar():
            key = str(race.number)
            state = self._word(f"race_{race.state}") + (f" ({race.why})" if race.why else "")
            winner = self._winner(record, key)
            home = ", ".join(record.names[number] for number in record.at_home(race.number))
            book = rulebook_name(record.rulebook(race.number), self.words)
            date = race.stage.date + (f" ({self._word('postponed')})" if race.postponed else "")
            rows.append([key, circuit_name(race.stage.track), book, date, home, state, winner])
        return self._listing(
            "calendar", "", ["race", "track", "rulebook", "date", "home", "state", "winner"], rows, self._carried()
        )

    def _winner(self, record: Season, key: str) -> str:
        if key not in record.results:
            return ""
        first = record.results[key].first
        return (first.bot or record.driver(int(key), first.driver)) if first.place is not None else ""

    def driver(self, number: int) -> Listing:
        """A driver's tournament or season, race by race, and in figures."""
        record = self.record
        record.field[number]
        found = statistics(number, record.results.filed, record.scale)
        scores = {score.race: score for score in record.scores(number)}
        counting = sum(score.points for score in scores.values() if not score.dropped)
        rows = []
        for race in found.races:
            place = str(race.place) if race.place is not None else self._word("out")
            line = next(line for line in record.results[race.race].lines if line.driver == number)
            track = self._track(race.race)
            points = score_text(scores[race.race])
            rows.append([race.race, track, str(race.grid or ""), place, points, self._cause(line)])
        notes = [
            self.words.say(
                "org_figures", races=len(found.races), wins=found.wins, podiums=found.podiums, points=counting,
                out=len(found.retirements),
            )
        ]  # fmt: skip
        if found.analysed:
            wear = ", ".join(
                f"{self.words.word('pool', pool)} {points}" for pool, points in in_order(found.wear).items()
            )
            tyres = ", ".join(f"{self.words.word('tyres', kind)} {many}" for kind, many in found.tyres.items())
            minutes = found.seconds // 60
            notes.append(self.words.say("org_spent", wear=wear, tyres=tyres, minutes=minutes, races=found.analysed))
        notes += self._unsettled([race.race for race in found.races])
        columns = ["race", "track", "grid", "place", "points", "cause"]
        return self._listing("driver", self.name(number), columns, rows, notes)

    def log(self) -> Listing:
        """What was done, by whom, when and why."""
        undone = {one.act.of for one in self.record.log if isinstance(one.act, Undone)}
        rows = []
        for one in self.record.log:
            act = one.act
            tag = str(act.__struct_config__.tag)
            said = act.text if isinstance(act, Noted) else act.why
            taken = self._word("taken_back") if one.seq in undone else ""
            who, what = self.words.signer(one.by), self.words.word("act", tag)
            rows.append([str(one.seq), moment(one.at), who, what, self.about(act), said, taken])
        return self._listing("log", "", ["entry", "at", "who", "act", "about", "why", "state"], rows)

    def about(self, act: Act) -> str:
        """What an act is about: a table or race, drivers, or how many of them."""
        if isinstance(act, Seated):
            return f"{act.table} · {self.name(act.driver)}"
        for field in ("race", "table", "round"):
            if said := getattr(act, field, ""):
                return str(said)
        if isinstance(act, Undone):
            return str(act.of)
        if isinstance(act, Drawn):
            return f"{self._word('session')} {act.session}"
        for field in ("number", "driver"):
            if isinstance(number := getattr(act, field, None), int):
                return self.name(number)
        if isinstance(act, Entered) and len(act.entrants) == 1:
            return self.name(act.entrants[0].number)
        if isinstance(act, TimesTaken) and len(act.times) == 1:
            return self.name(act.times[0].driver)
        for field in ("entrants", "numbers", "times"):
            if many := getattr(act, field, ()):
                return str(len(many))
        return ""

    # -- the machinery

    def name(self, number: int) -> str:
        """A driver as he is called here: "14 Vidal"."""
        return f"{number} {self.record.names.get(number, '')}".strip()

    def who(self, who: int | str) -> str:
        """A driver or a team as it is called."""
        return self.name(who) if isinstance(who, int) else who

    def _driver(self, number: int, race: str = "") -> list[str]:
        """Number, name and team; the substitute's name in a race that he drove."""
        entrant = self.record.field[number]
        name = entrant.name
        if isinstance(self.record, Season) and race.isdecimal():
            substitute = self.record.driver(int(race), number)
            name = name if substitute == name else f"{substitute} (S)"
        return [str(number), name, entrant.team]

    def _track(self, key: str) -> str:
        if isinstance(self.record, Season):
            return circuit_name(self.record.stages[int(key)].track)
        return circuit_name(self.record.rounds[int(key.partition(".")[0])].track)

    def _time(self, time: AbsoluteTime | None) -> str:
        if time is None:
            return ""
        return self._word("last") if time.last else str(time.total)

    def _word(self, key: str) -> str:
        return self.words.word("listing", key)

    def _listing(
        self, kind: str, under: str, columns: Sequence[str], rows: Iterable[Sequence[str]], notes: Sequence[str] = ()
    ) -> Listing:
        heads = tuple(self._head(column) for column in columns)
        title = self.words.word("listing", f"title_{kind}")
        return Listing(
            kind, self.record.name, title, under, tuple(columns), heads, tuple(map(tuple, rows)), tuple(notes)
        )

    def _head(self, column: str) -> str:
        """What stands over a column; that of a round, race or session is its number."""
        if column[0] in "rs" and column[1:].isdecimal():
            return column[1:] if column[0] == "r" else f"{self._word('session')} {column[1:]}"
        return self._word(column)


def best_laps(name: str, surface: Surface, words: Words) -> list[str]:
    """The throws of the laps that dice allow at best on a circuit, by compound, as far as they were worked out."""
    from companion.drivers.lap import lap_at_hand

    try:
        track = circuits.load(name)
        laps = {one: lap_at_hand(track, one, surface) for one in COMPOUNDS} if track.known == "space" else {}
    except CompanionError:
        return []
    return [
        words.say(
            "drivers_lap",
            table=words.say("drivers_table", track=track.name, surface=surface, tyres=one),
            throws=words.decimal(lap.throws),
        )
        for one, lap in laps.items()
        if lap is not None
    ]


def blank(what: Literal["table", "trials"], many: int, words: Words) -> Listing:
    """A sheet of a table or of trials without names, of so many rows, to print in advance. Raises BadEntry for rows
    that no sheet has."""
    if not 2 <= many <= MOST:
        raise BadEntry(f"A sheet has 2 to {MOST} rows; {many} is not.")
    columns, kind, title, note = _SHEET, "blank", "title_blank", words.say("org_blank")
    if what == "trials":
        columns, kind, title, note = _TRIALS, "blanktrials", "title_trialsheet", words.say("org_sum")
    rows = tuple(
        tuple(str(place) if column == "grid" else "" for column in columns) for place in range(1, many + 1)
    )  # fmt: skip
    return Listing(kind, "", words.word("listing", title), "", columns, heads(columns, words), rows, (note,))


def heads(columns: Iterable[str], words: Words) -> tuple[str, ...]:
    """What stands over columns."""
    return tuple(words.word("listing", column) for column in columns)


def circuit_listing(found: Sequence[CircuitRecord], words: Words) -> Listing:
    """The records of the circuits."""
    columns = ("track", "races", "winner", "wins", "from_pole", "shortest", "where", "best", "clock", "driver")
    rows = []
    for one in found:
        won = (one.winner, str(one.wins or ""), str(one.from_pole))
        shortest = (f"{one.shortest // 60} min", one.shortest_called) if one.shortest else ("", "")
        lap = one.best
        best = (str(lap.time.total), clock_text(lap.time.clock), lap.driver) if lap is not None else ("", "", "")
        rows.append((circuit_name(one.track), str(one.races), *won, *shortest, *best))
    title = words.word("listing", "title_circuits")
    return Listing("circuits", "", title, "", columns, heads(columns, words), tuple(rows))


# -- the forms in which a table goes out


def kept_listing(folder: Path, word: str, of_kind: str, kind: str, of: str, words: Words) -> tuple[Listing, str]:
    """A table of a record that is kept (`word`, `of_kind`), with the state that it shows, and when that was; or the
    circuits, from every record. Raises CompanionError."""
    if kind == "circuits":
        from companion.desk.organising import all_circuits

        return circuit_listing(all_circuits(folder), words), ""
    kept = kept_record(folder, word, of_kind)
    record: Any = kept.record
    listing = Listings(record, words).made(kind, of)
    listing = listing._replace(log_id=kept.listed.log_id, entries=kept.entries, digest=kept.digest)
    return listing, record.log[-1].at


def offered(record: Tournament | Season, words: Words) -> list[tuple[str, str, str]]:
    """The tables that there are to take along now: what each is, of which table, race or session, and how it is
    called."""
    found: list[tuple[str, str]] = [("standings", ""), ("teams", ""), ("entries", "")]
    if isinstance(record, Tournament):
        found += [("trials", "")] if record.times else []
        found += [("tables", str(number)) for number in record.rounds]
        published = [one for one in record.rounds.values() if one.published is not None]
        found += [("table", key) for one in published for key in one.keys if key not in record.results]
        found += [("trialsheet", str(session)) for session in range(1, record.begun.sessions + 1)]
    else:
        found += [("calendar", "")]
        found += [("table", str(race.number)) for race in record.calendar() if race.state == "to_come"]
    found += [("classification", key) for key in record.results]
    found += [("driver", str(number)) for number in record.field.standing]
    found += [("blank", "8"), ("log", "")]
    maker = Listings(record, words)
    made = ((kind, of, maker.made(kind, of)) for kind, of in found)
    return [(kind, of, " · ".join(filter(None, (one.title, one.under)))) for kind, of, one in made]


def as_text(listing: Listing) -> list[str]:
    """A table in lines of fixed width."""
    wide = [
        max(len(head), *(len(row[at]) for row in listing.rows), 0) if listing.rows else len(head)
        for at, head in enumerate(listing.heads)
    ]

    def line(cells: Sequence[str]) -> str:
        said = [
            cell.rjust(wide[at])
            if listing.columns[at] in RIGHT or listing.columns[at][1:].isdecimal()
            else cell.ljust(wide[at])
            for at, cell in enumerate(cells)
        ]
        return "  ".join(said).rstrip()

    return [listing.heading, line(listing.heads), *map(line, listing.rows), *listing.notes]


def as_csv(listing: Listing) -> str:
    """A table as CSV, its columns by their keys."""
    import csv
    import io

    from companion.sheets.export import plain

    out = io.StringIO()
    rows = csv.writer(out, lineterminator="\n")
    rows.writerow(listing.columns)
    rows.writerows([plain(cell) for cell in row] for row in listing.rows)
    return out.getvalue()


def as_data(listing: Listing) -> dict[str, Json]:
    """A table as plain data, with the record that it shows and its digest."""
    rows = [
        {column: _typed(column, cell) for column, cell in zip(listing.columns, row, strict=True)}
        for row in listing.rows
    ]  # fmt: skip
    return {
        "kind": listing.kind, "name": listing.name, "of": listing.under, "log": listing.log_id,
        "entries": listing.entries, "digest": listing.digest, "rows": rows, "notes": list(listing.notes),
    }  # fmt: skip


def as_json(listing: Listing) -> str:
    """A table as JSON."""
    return json.dumps(as_data(listing), ensure_ascii=False, indent=1) + "\n"


def _typed(column: str, cell: str) -> str | int:
    """A figure as a number."""
    return int(cell) if column in RIGHT and cell.isdecimal() else cell


def as_html(listing: Listing, lang: str) -> str:
    """A table as a page of its own, which needs nothing else."""
    said = html.escape
    heads = "".join(f"<th>{said(head)}</th>" for head in listing.heads)
    rows = "\n".join(
        "<tr>" + "".join(
            f'<td class="n">{said(cell)}</td>' if column in RIGHT else f"<td>{said(cell)}</td>"
            for column, cell in zip(listing.columns, row, strict=True)
        ) + "</tr>"
        for row in listing.rows
    )  # fmt: skip
    notes = "\n".join(f"<p>{said(note)}</p>" for note in listing.notes)
    title = listing.heading
    digest = f"<footer>{said(listing.log_id[:8])} {said(listing.digest)}</footer>" if listing.digest else ""
    return f"""<!DOCTYPE html>
<html lang="{lang}"><meta charset="utf-8"><title>{said(title)}</title>
<style>body{{font-family:sans-serif;margin:2em}}table{{border-collapse:collapse}}td.n{{text-align:right}}
th,td{{padding:.2em .8em;text-align:left;border-bottom:1px solid #ccc}}footer{{color:#666;margin-top:2em}}</style>
<h1>{said(title)}</h1>
<table><thead><tr>{heads}</tr></thead>
<tbody>
{rows}
</tbody></table>
{notes}
{digest}
</html>
"""


# -- a sheet that can be checked

_CODE: Final = "companion-sheet"


class Checked(NamedTuple):
    """What a sheet turned out to be: whether it shows what the record said after `entries` entries, how many there are
    by now, the table as it was right then, whether the record says something else by now, and what (None: there is no
    such table any more)."""

    true: bool
    entries: int
    now: int
    right: Listing
    outdated: bool = False
    newer: Listing | None = None


def sheet_code(listing: Listing, lang: str) -> str:
    """What stands in the code of a printed sheet: which table of which record after how many entries, the digest of
    the log there, and one of what the sheet says. Empty for a table of no record."""
    if not listing.digest:
        return ""
    parts = (
        listing.kind,
        listing.of,
        lang,
        listing.log_id,
        str(listing.entries),
        listing.digest[:16],
        rows_digest(listing),
    )
    return ":".join((_CODE, *parts))


def rows_digest(listing: Listing) -> str:
    """The digest of what a table says, its heading and rows."""
    import hashlib

    said = json.dumps([listing.name, listing.title, listing.under, listing.heads, listing.rows], ensure_ascii=False)
    return hashlib.sha256(said.encode()).hexdigest()[:16]


def check_sheet(folder: Path, code: str) -> Checked:
    """Holds the code of a sheet against the record. Raises BadEntry for what is no such code, or of a record that is
    not here."""
    parts = code.strip().split(":")
    if len(parts) != 8 or parts[0] != _CODE or parts[3] not in LANGUAGES or not parts[5].isdecimal():
        raise BadEntry("This is not the code of a sheet; it begins with companion-sheet.")
    _, kind, of, lang, log_id, entries, digest, rows = parts
    kept = kept_record(folder, log_id, after=int(entries))
    record = kept.record
    if not isinstance(record, Tournament | Season):
        raise BadEntry("This is not the code of a sheet; it begins with companion-sheet.")
    right = Listings(record, Words(lang)).made(kind, of)
    true = kept.digest[:16] == digest and rows_digest(right) == rows
    newest = kept_record(folder, log_id).record
    assert isinstance(newest, Tournament | Season)
    try:
        newer = Listings(newest, Words(lang)).made(kind, of)
    except BadEntry:
        return Checked(true, int(entries), kept.entries, right, outdated=True)
    outdated = (newer.rows, newer.notes) != (right.rows, right.notes)
    return Checked(true, int(entries), kept.entries, right, outdated, newer)
