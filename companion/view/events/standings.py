"""Standings by race, with tie-breaks and teams."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from msgspec.structs import replace

from companion import circuits
from companion.rules.conversation.asking import Json
from companion.tournament.results import ResultLine
from companion.tournament.season import Season
from companion.tournament.standings import Score, StandingsLine
from companion.tournament.tournament import Tournament
from companion.view.listing import Cell, CellMark, CellValue, Column, Listing, make_column, make_listing
from companion.view.shown import Plate, ViewModel
from companion.wording import Words

EitherKind = Tournament | Season


class StandingsShown(ViewModel, frozen=True, kw_only=True):
    """Drivers' and teams' standings; `warning` names the unofficial results.

    `run` is the number of races or rounds with a result, `marks` are those of the cells.
    """

    subtitle: str
    drivers: Listing
    teams: Listing
    run: int
    marks: frozenset[CellMark]
    article: str = ""
    warning: str = ""


def plates(record: EitherKind) -> dict[int, Plate]:
    """Return each entrant's plate: by club in a club tournament, otherwise individual."""
    return {number: Plate(number=number, place=place) for number, place in record.colours().items()}


def at_table(record: Tournament, drivers: Sequence[int]) -> dict[int, Plate]:
    """Return the plates at one table; a club's second car has a second outline."""
    return {number: Plate(number=number, place=place) for number, place in record.colours_at(drivers).items()}


def circuit_name(track: str) -> str:
    """Return a circuit's name, or its key if the circuit is missing."""
    board = circuits.at_hand(track)
    return board.name if board is not None else Path(track).stem.capitalize()


def score_text(score: Score) -> str:
    """Return the points of a race, bracketed if dropped."""
    return f"({score.points})" if score.dropped else str(score.points)


def cause_text(cause: str, words: Words) -> str:
    """Return a cause in words; a cause typed by hand is returned unchanged."""
    return words.word("cause", cause) if cause in words.table["cause"] else cause


def driver_name(record: EitherKind, number: int, race: str = "") -> str:
    """Return an entrant's name; in a race, that of a substitute who drove, with an S."""
    name = record.field[number].name
    if not isinstance(record, Season) or not race.isdecimal():
        return name
    driver = record.driver(int(race), number)
    return name if driver == name else f"{driver} (S)"


def driver_cells(record: EitherKind, number: int, plate: Plate, race: str = "") -> list[CellValue]:
    """Return number, name (in a race, of who drove) and team."""
    car = Cell(text=str(number), value=number, cars=((plate, ""),))
    return [car, driver_name(record, number, race), record.field[number].team]


def result_cause(line: ResultLine, words: Words) -> str:
    """Return the cause of a retirement with its article, "" for who finished."""
    from companion.view.citing import listed  # with all articles: not for standings as text

    said = cause_text(line.cause, words) if line.cause else ""
    return f"{said} ({listed(line.article, words)})" if said and line.article else said


class _Maker:
    """The standings of a record in one language."""

    def __init__(self, record: EitherKind, words: Words) -> None:
        self.record, self.words = record, words
        self.season = record if isinstance(record, Season) else None
        self.plates = plates(record)
        self.races = self._races()
        self.run = sum(bool(column.of) for column, _ in self.races)
        """Number of races or rounds with a result."""

    def say(self, key: str, **facts: Json) -> str:
        return self.words.screen(f"season.{key}", **facts)

    def _races(self) -> list[tuple[Column, tuple[str, ...]]]:
        """Return a column for each race or round, with the keys of its results."""
        record = self.record
        if isinstance(record, Season):
            from companion.view.sight import codes

            short = codes({race.number: circuit_name(race.stage.track).split()[0] for race in record.calendar()})
            return [
                (self._race(race.number, short[race.number], str(race.number) if race.state == "run" else ""),
                 (str(race.number),))
                for race in record.calendar()
            ]  # fmt: skip
        found = []
        for number, round_ in record.rounds.items():
            done = next((key for key in round_.keys if key in record.results), "")
            code = self.say("final") if round_.final else self.say("round", round=number)
            found.append((self._race(number, code, done), tuple(round_.keys)))
        return found

    def _race(self, number: int, code: str, result: str) -> Column:
        return Column(key=f"r{number}", title=str(number), kind="score", short=code, of=result)

    def drivers(self) -> Listing:
        """Return the drivers' standings: before the first race nobody is ahead of anybody, by number."""
        rows: list[list[CellValue]] = []
        lines = self.record.standings()
        for at, line in enumerate(lines):
            number = int(line.who)
            named = driver_cells(self.record, number, self.plates[number])
            scores = [self._score(line, keys) for _, keys in self.races]
            rows.append([line.place, *named, *scores, self._sum(at, line, lines)])
        return self._listing("standings", ("number", "driver", "team"), rows, note=self.say("countback"))

    def teams(self) -> Listing:
        """Return the teams' standings, a team's cell with its drivers' shares."""
        rows: list[list[CellValue]] = []
        sums, field = {int(one.who): one.points for one in self.record.standings()}, self.record.field.teams()
        for line in self.record.team_standings():
            cars = tuple((self.plates[number], str(sums[number])) for number in field[str(line.who)])
            scores = [self._score(line, keys) for _, keys in self.races]
            rows.append([line.place, Cell(text=str(line.who), cars=cars), *scores, line.points])
        return self._listing("teams", ("team",), rows)

    def _listing(self, kind: str, who: Sequence[str], rows: Sequence[list[CellValue]], note: str = "") -> Listing:
        points = replace(make_column("points", self.words), short=self.say("sum"), note=note)
        columns: list[str | Column] = ["place", *who, *(column for column, _ in self.races), points]
        return make_listing(kind, self.words, columns, rows, name=self.record.name)

    def _score(self, line: StandingsLine, keys: Sequence[str]) -> Cell:
        """Return the points of a race or round: a dash for who is not in it, a dot before it is run."""
        scores = [score for score in line.scores if score.race in keys]
        if not scores:
            absent = self._is_absent(line.who, keys)
            return Cell(text="–", marks=("absent",)) if absent else Cell(text="·", marks=("to_come",))
        found = {mark: True for score in scores for mark in self._marks(line, score)}
        return Cell(text="+".join(map(self._points, scores)), marks=tuple(found))

    def _is_absent(self, who: int | str, keys: Sequence[str]) -> bool:
        """Return True if who has no score in a race or round will not have one any more."""
        record, left = self.record, [key for key in keys if key not in self.record.results]
        if isinstance(record, Season):
            return not left or record.race(int(keys[0])).state == "abandoned"
        drivers = {who} if isinstance(who, int) else {*record.field.teams()[who]}
        return len(left) < len(keys) and not any(drivers & {*record.seated(key)} for key in left)

    def _points(self, score: Score) -> str:
        out = score.place is None and not score.points and not score.dropped
        return self.words.word("listing", "out") if out else score_text(score)

    def _marks(self, line: StandingsLine, score: Score) -> list[CellMark]:
        found: list[CellMark] = ["win"] if score.place == 1 else []
        found += ["dropped"] if score.dropped else []
        if isinstance(line.who, int):
            result = next(one for one in self.record.results[score.race].lines if one.driver == line.who)
            found += ["out"] if result.cause or score.place is None else []
            driven = self.season is not None and (int(score.race), line.who) in self.season.substitutes
            found += ["substitute"] if driven else []
        return found

    def _sum(self, at: int, line: StandingsLine, lines: Sequence[StandingsLine]) -> Cell:
        """Return the points, with what breaks a tie with the line above or below."""
        if not self.run:
            return Cell(text=str(line.points), value=line.points)
        before = lines[at - 1] if at and lines[at - 1].points == line.points else None
        after = lines[at + 1] if at + 1 < len(lines) and lines[at + 1].points == line.points else None
        marks: list[CellMark] = ["tied_above"] if before is not None else []
        marks += ["tied_below"] if after is not None else []
        note = ""
        if after is not None and (line.decides or before is None):
            note = self._countback(line, after, line.decides)
            marks.append("ahead")
        elif before is not None:
            note = self._countback(line, before, before.decides)
        return Cell(text=str(line.points), value=line.points, marks=tuple(marks), note=note)

    def _countback(self, line: StandingsLine, other: StandingsLine, place: int) -> str:
        if not place:
            return self.say("equal" if line.place == other.place else "by_final")
        return self.say("taken", place=place, mine=line.taken[place - 1], theirs=other.taken[place - 1])

    def warning(self) -> str:
        """Return a warning about unofficial results, corrected ones first."""
        results = self.record.results
        corrected = [key for key in results if results[key].overtaken is not None]
        waiting = [key for key in results if not results[key].official and key not in corrected]
        if not corrected and not waiting:
            return ""
        return self.say("unofficial", corrected=", ".join(corrected), waiting=", ".join(waiting))


def driver_standings(record: EitherKind, words: Words) -> Listing:
    """Return the drivers' standings as a listing."""
    return _Maker(record, words).drivers()


def team_standings(record: EitherKind, words: Words) -> Listing:
    """Return the teams' standings as a listing."""
    return _Maker(record, words).teams()


def standings(record: EitherKind, words: Words) -> StandingsShown:
    """Return the standings of a tournament or a season."""
    from companion.view.citing import listed

    maker, season = _Maker(record, words), record if isinstance(record, Season) else None
    after = maker.say("after", name=record.name, run=maker.run, of=len(maker.races), tournament=season is None)
    if season is not None and season.begun.carried:
        after = f"{after}, {maker.say('carries', repair=season.begun.repair)}"
    drivers = maker.drivers()
    return StandingsShown(
        subtitle=after,
        drivers=drivers,
        teams=maker.teams(),
        run=maker.run,
        marks=frozenset(mark for row in drivers.rows for cell in row for mark in cell.marks),
        article=listed("season.countback" if season is not None else "21-1-2", maker.words),
        warning=maker.warning(),
    )
