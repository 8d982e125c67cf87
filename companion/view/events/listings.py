"""The listings of a tournament or a season, by their kinds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple

from companion import circuits
from companion.rules.conversation.errors import BadEntry, CompanionError
from companion.rules.conversation.kinds import Surface, in_order
from companion.rules.conversation.setup import MOST
from companion.sheets.records import kept_record
from companion.sheets.wall_clock import moment
from companion.tournament.record import Undone
from companion.tournament.results import Filed, ResultCorrected
from companion.tournament.season import Season
from companion.tournament.standings import StandingsLine
from companion.tournament.statistics import CircuitRecord
from companion.tournament.times import clock_text
from companion.tournament.tournament import Round, Tournament
from companion.tournament.trial import COMPOUNDS
from companion.view.events.acts import act_reason, subject
from companion.view.events.standings import circuit_name, driver_cells, driver_standings, plates, team_standings
from companion.view.listing import Cell, CellValue, Column, Listing, make_column, make_listing
from companion.view.shown import Plate
from companion.wording import LANGUAGES, Words

_NAMED: Final = ("number", "driver", "team")
_WRITTEN: Final[Mapping[str, tuple[str, ...]]] = {
    "table": ("finish", "cause", "round"), "trials": ("throws", "overshot", "misplaced", "clock", "time"),
}  # fmt: skip
"""Columns that are filled in by hand, on the sheet of a table or race and on that of trials."""
Sheet = Literal["table", "trials"]
Row = list[CellValue]


class Listings:
    """The tables of a record in one language.

    >>> from companion.tournament.record import Signed
    >>> from companion.tournament.tournament import TournamentBegun
    >>> cup = Tournament()
    >>> cup.take(Signed(1, "Ada", "", TournamentBegun(name="Cup")))
    >>> Listings(cup, Words("en")).make("standings").heading
    'Cup · Drivers'
    """

    def __init__(self, record: Tournament | Season, words: Words) -> None:
        self.record, self.words = record, words

    def make(self, kind: str, of: str = "") -> Listing:
        """Return a table by its kind, with `of` set."""
        return self._make(kind, of)._replace(of=of)

    def _make(self, kind: str, of: str) -> Listing:
        """Return a table by its kind.

        Kinds: entries, trials, tables, table, classification, standings, teams, calendar, driver, log; some need `of`,
        a table, race or driver. Raises BadEntry if this record has no such table.
        """
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
        raise BadEntry("no_list", kind=kind, of=of)

    # -- who takes part

    def entries(self) -> Listing:
        """Return the entry list, with those who have withdrawn."""
        from companion.view.events.entrants import entry_listing

        gone = self.record.field.gone.items()
        notes = tuple(self.words.say("org_gone", driver=self.name(number), why=why) for number, why in gone)
        return entry_listing(self.record, self.words)._replace(notes=notes)

    def trials(self, record: Tournament) -> Listing:
        """Return the combined classification of the trials."""
        from companion.view.events.entrants import time_cell

        sessions = [
            Column(key=f"s{session}", title=f"{self._word('session')} {session}", kind="figure")
            for session in range(1, record.begun.sessions + 1)
        ]
        rows: list[Row] = []
        for seed in record.seeds():
            runs = [seed.sessions.get(at) for at in range(1, record.begun.sessions + 1)]
            told = [time_cell(run, self.words) for run in runs]
            times = [Cell(text=one.text, value=one.value) for one in told]  # only the time that counts has its clock
            ahead = self._word(f"by_{seed.ahead_by}") if seed.ahead_by else ""
            best = time_cell(seed.time, self.words)
            rows.append([seed.rank, *self._driver(seed.driver), *times, best, best.note, ahead])
        columns: list[str | Column] = ["rank", "number", "driver", "team", *sessions, "time", "clock", "ahead"]
        skies = [
            self.words.say("org_sky", session=number, sky=drawn.sky, face=drawn.face)
            for (what, number), drawn in record.skies.items()
            if what == "session"
        ]
        return self._listing("trials", "", columns, rows, skies)

    # -- tables

    def tables(self, record: Tournament, number: int) -> Listing:
        """Return a round's tables seat by seat, with the moves and their reasons."""
        round_ = record.round(number)
        rows: list[Row] = []
        for key, seats in zip(round_.keys, round_.tables, strict=True):
            for place, driver in enumerate(seats, 1):
                rows.append([key, place, *self._driver(driver), round_.rank(driver) or ""])
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
            for driver in record.away(key) if key not in record.results else ():
                why = record.field.gone.get(driver, "")
                notes.append(self.words.say("org_away", driver=self.name(driver), table=key, why=why))
        notes += self._published(round_)
        columns = ["table", "grid", "number", "driver", "team", "rank"]
        return self._listing(
            "tables", self.words.say("org_round", round=number, final=round_.final), columns, rows, notes
        )

    def table(self, record: Tournament, key: str) -> Listing:
        """Return the sheet of one table: grid, steward, weather, and room for the result."""
        drivers, number = record.racing(key), int(key.partition(".")[0])
        round_ = record.rounds[number]
        rows: list[Row] = [[place, *self._driver(driver), "", "", ""] for place, driver in enumerate(drivers, 1)]
        notes = [self._circuit(record.begun.rulebook, round_.track, round_.laps)]
        if (drawn := record.sky_of_round(number)) is not None:
            notes.append(self.words.say("org_weather", sky=drawn.sky, face=drawn.face))
        if key in record.stewards:
            notes.append(self.words.say("org_steward", name=record.stewards[key]))
        notes += self._published(round_)
        under = self.words.say("org_table", table=key)
        return self._listing("table", under, sheet_columns("table", self.words), rows, notes)

    def _circuit(self, rulebook: str, track: str, laps: int) -> str:
        """Return the circuit, and the distance if it is not the usual one."""
        from companion.view.pages.sheet import by_turns

        return self.words.say("org_circuit", track=circuit_name(track), laps=laps, turns=by_turns(rulebook))

    def race_sheet(self, record: Season, number: int) -> Listing:
        """Return the sheet of a season's race: the grid as settled, and room for the result."""
        stage, filed = record.race(number).stage, record.results.filed.get(str(number))
        settled = record.grid(number) is not None
        order = record.grid(number) or (filed.order if filed is not None else record.drivers(number))
        rows: list[Row] = [
            [place if settled else "", *self._driver(driver, str(number)), "", "", ""]
            for place, driver in enumerate(order, 1)
        ]
        notes = [self._circuit(record.rulebook(number), stage.track, stage.laps)]
        notes += [] if settled or filed is not None else [self.words.say("org_no_grid")]
        under = self.words.say("org_race", race=number, track=circuit_name(stage.track))
        return self._listing("table", under, sheet_columns("table", self.words), rows, notes)

    def trial_sheet(self, record: Tournament, session: int) -> Listing:
        """Return the sheet of a trials session, to be filled in at the table."""
        rows: list[Row] = [[*self._driver(number), "", "", "", "", ""] for number in record.field.standing]
        notes = [self.words.say("org_sum")]
        drawn = record.skies.get(("session", session))
        if drawn is not None:
            notes.append(self.words.say("org_sky", session=session, sky=drawn.sky, face=drawn.face))
        notes += best_laps(
            record.begun.track, "wet" if drawn is not None and drawn.sky == "rain" else "dry", self.words
        )
        under = f"{self._word('session')} {session}"
        return self._listing("trialsheet", under, sheet_columns("trials", self.words), rows, notes)

    def blank(self, many: int) -> Listing:
        """Return an unassigned table's sheet to print in advance, with `many` rows."""
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
            wrong = self.record.outdated(round_.number)
        for then in round_.upheld:
            by = self.words.signer(then.by)
            found.append(self.words.say("org_upheld", by=by, at=moment(then.at), why=then.act.why))
        return found if wrong is None else [*found, self.words.error(wrong)]

    # -- results

    def classification(self, key: str) -> Listing:
        """Return the current result of a table or race, with its corrections."""
        from companion.view.events.table_result import classification_listing

        notes = tuple(self._filed(self.record.results[key]))
        return classification_listing(self.record, self.words, key)._replace(notes=notes)

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
            if isinstance(then.act, ResultCorrected):
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

    # -- standings

    def standings(self) -> Listing:
        """Return the drivers' standings, with the points of every round or race."""
        return self._noted(driver_standings(self.record, self.words), self.record.standings())

    def teams(self) -> Listing:
        """Return the teams' standings."""
        return self._noted(team_standings(self.record, self.words), self.record.team_standings())

    def _noted(self, listing: Listing, lines: Sequence[StandingsLine]) -> Listing:
        """Return standings with notes on ties, unofficial results, and wear."""
        notes = [
            self.words.say("org_decides", one=self.who(line.who), other=self.who(after.who), place=line.decides)
            for line, after in pairwise(lines)
            if line.decides
        ]
        notes += self._unsettled(self.record.results)
        notes += self._carried()
        if not self.record.results.filed:
            notes.append(self.words.say("org_no_points"))
        return listing._replace(notes=tuple(notes))

    def _unsettled(self, keys: Iterable[str]) -> list[str]:
        """Return notes on unofficial results, and on those that replaced an official one."""
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

    # -- a season

    def calendar(self, record: Season) -> Listing:
        """Return the races of a season, run and to come."""
        from companion.view.events.calendar import calendar_listing

        return calendar_listing(record, self.words)._replace(notes=tuple(self._carried()))

    def driver(self, number: int) -> Listing:
        """Return a driver's races and totals."""
        from companion.view.events.driver import driver_listing, driver_statistics

        listing, found = driver_listing(self.record, self.words, number), driver_statistics(self.record, number)
        counting = sum(score.points for score in self.record.scores(number) if not score.dropped)
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
        return listing._replace(notes=tuple(notes))

    def log(self) -> Listing:
        """Return the log: what was done, by whom, when and why."""
        undone = {one.act.of for one in self.record.log if isinstance(one.act, Undone)}
        rows: list[Row] = []
        for one in self.record.log:
            act, who = one.act, self.words.signer(one.by)
            what, about = self.words.word("act", act.__struct_config__.tag), subject(self.record, act, self.words)
            taken = self._word("taken_back") if one.seq in undone else ""
            rows.append([str(one.seq), moment(one.at), who, what, about, act_reason(act), taken])
        return self._listing("log", "", ["entry", "at", "who", "act", "about", "why", "state"], rows)

    # -- the machinery

    def name(self, number: int) -> str:
        """Return a driver's number and name: "14 Vidal"."""
        return f"{number} {self.record.names.get(number, '')}".strip()

    def who(self, who: int | str) -> str:
        """Return the name of a driver or a team."""
        return self.name(who) if isinstance(who, int) else who

    @cached_property
    def _plates(self) -> dict[int, Plate]:
        return plates(self.record)

    def _driver(self, number: int, race: str = "") -> Row:
        """Return number, name and team; in a race, the substitute's name if one drove."""
        return driver_cells(self.record, number, self._plates[number], race)

    def _word(self, key: str) -> str:
        return self.words.word("listing", key)

    def _listing(
        self,
        kind: str,
        under: str,
        columns: Iterable[str | Column],
        rows: Iterable[Sequence[CellValue]],
        notes: Iterable[str] = (),
    ) -> Listing:
        return make_listing(kind, self.words, columns, rows, notes, name=self.record.name, under=under)


def best_laps(name: str, surface: Surface, words: Words) -> list[str]:
    """Return the throws of the best possible lap by compound, where computed."""
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


def sheet_columns(sheet: Sheet, words: Words, *, named: bool = True) -> list[Column]:
    """Return the columns of a sheet that is filled in by hand, also with its drivers if they are not `named`."""
    written = (*(() if named else _NAMED), *_WRITTEN[sheet])
    keys = (*(("grid",) if sheet == "table" else ()), *_NAMED, *_WRITTEN[sheet])
    return [make_column(key, words, to_write=key in written) for key in keys]


def blank(sheet: Sheet, many: int, words: Words) -> Listing:
    """Return an unnamed sheet for a table or for trials, with `many` rows.

    Raises BadEntry if no sheet has that many rows.
    """
    if not 2 <= many <= MOST:
        raise BadEntry("sheet_rows", most=MOST, many=many)
    columns = sheet_columns(sheet, words, named=False)
    rows = [[place if column.key == "grid" else "" for column in columns] for place in range(1, many + 1)]
    if sheet == "table":
        return make_listing("blank", words, columns, rows, [words.say("org_blank")])
    title = words.word("listing", "title_trialsheet")
    return make_listing("blanktrials", words, columns, rows, [words.say("org_sum")], title=title)


def circuit_listing(found: Sequence[CircuitRecord], words: Words) -> Listing:
    """Return the records of the circuits."""
    columns = ("track", "races", "winner", "wins", "from_pole", "shortest", "where", "best", "clock", "driver")
    rows: list[Row] = []
    for one in found:
        won = (one.winner, one.wins or "", one.from_pole)
        shortest = (f"{one.shortest // 60} min", one.shortest_called) if one.shortest else ("", "")
        lap = one.best
        best = (lap.time.total, clock_text(lap.time.clock), lap.driver) if lap is not None else ("", "", "")
        rows.append([circuit_name(one.track), one.races, *won, *shortest, *best])
    return make_listing("circuits", words, columns, rows)


# -- stored listings


def kept_listing(folder: Path, word: str, of_kind: str, kind: str, of: str, words: Words) -> tuple[Listing, str]:
    """Return a table of a stored record, and when that record was last changed.

    `word` and `of_kind` select the record; the listing carries its state. Kind "circuits" reads every record and has no
    time. Raises CompanionError.
    """
    if kind == "circuits":
        from companion.desk.organising import all_circuits

        return circuit_listing(all_circuits(folder), words), ""
    kept = kept_record(folder, word, of_kind)
    record: Any = kept.record
    listing = Listings(record, words).make(kind, of)
    listing = listing._replace(log_id=kept.listed.log_id, entries=kept.entries, digest=kept.digest)
    return listing, record.log[-1].at


def offered(record: Tournament | Season, words: Words) -> list[tuple[str, str, str]]:
    """Return the tables available for download: kind, `of` and title."""
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
    made = ((kind, of, maker.make(kind, of)) for kind, of in found)
    return [(kind, of, " · ".join(filter(None, (one.title, one.under)))) for kind, of, one in made]


# -- a sheet that can be checked

_CODE: Final = "companion-sheet"


class Checked(NamedTuple):
    """The result of checking a printed sheet.

    `true`: it matches the record after `entries` entries. `now` is the number of entries today, `right` the table as it
    was then, `outdated` True if the table has changed since, `newer` the present one (None if there is no such table
    any more).
    """

    true: bool
    entries: int
    now: int
    right: Listing
    outdated: bool = False
    newer: Listing | None = None


def sheet_code(listing: Listing, lang: str) -> str:
    """Return the code to print on a sheet.

    It holds the table, the record, the number of entries, the log's digest and a digest of the rows. "" for a table
    without a record.
    """
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
    """Return a digest of a table's heading and rows."""
    import hashlib
    import json

    heads = [column.title for column in listing.columns]
    rows = [["·" if text == "–" else text for text in row] for row in listing.texts]  # as version 0.1 printed it
    said = json.dumps([listing.name, listing.title, listing.under, heads, rows], ensure_ascii=False)
    return hashlib.sha256(said.encode()).hexdigest()[:16]


def check_sheet(folder: Path, code: str) -> Checked:
    """Check a sheet's code against the record.

    Raises BadEntry if it is not a sheet's code, or the record is not stored here.
    """
    parts = code.strip().split(":")
    if len(parts) != 8 or parts[0] != _CODE or parts[3] not in LANGUAGES or not parts[5].isdecimal():
        raise BadEntry("sheet_code")
    _, kind, of, lang, log_id, entries, digest, rows = parts
    kept = kept_record(folder, log_id, after=int(entries))
    record = kept.record
    if not isinstance(record, Tournament | Season):
        raise BadEntry("sheet_code")
    right = Listings(record, Words(lang)).make(kind, of)
    true = kept.digest[:16] == digest and rows_digest(right) == rows
    newest = kept_record(folder, log_id).record
    assert isinstance(newest, Tournament | Season)
    try:
        newer = Listings(newest, Words(lang)).make(kind, of)
    except BadEntry:
        return Checked(true, int(entries), kept.entries, right, outdated=True)
    outdated = (newer.texts, newer.notes) != (right.texts, right.notes)
    return Checked(true, int(entries), kept.entries, right, outdated, newer)
