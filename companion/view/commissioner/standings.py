"""Standings as a table of races: points in the cells, what decides between equal sums, and the teams."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from companion import circuits
from companion.rules.conversation.asking import Json
from companion.tournament.season import Season
from companion.tournament.standings import Score, Standing
from companion.tournament.tournament import Tournament
from companion.view.shown import Plate, Shown
from companion.wording import Words

EitherKind = Tournament | Season


class Cell(Shown, frozen=True, kw_only=True):
    """What a driver has from a race: points, whether he won, was out, whether the points are dropped, and whether
    somebody else drove his car; a race to come is a dot."""

    text: str
    win: bool = False
    out: bool = False
    dropped: bool = False
    substitute: bool = False
    to_come: bool = False


class Head(Shown, frozen=True, kw_only=True):
    """A column: the code of its race, and the key of its result ("" while there is none)."""

    code: str
    race: str = ""


class Place(Shown, frozen=True, kw_only=True):
    """A line of the drivers' table. `level` says that the sum is that of the line before, the line after, or both;
    `decides` by what it is ahead or behind, `ahead` which of the two."""

    place: str
    plate: Plate
    name: str
    cells: tuple[Cell, ...]
    sum: str
    decides: str = ""
    ahead: bool = False
    before: bool = False
    after: bool = False


class TeamPlace(Shown, frozen=True, kw_only=True):
    """A line of the teams' table, with what each of its drivers brings."""

    place: str
    name: str
    sum: str
    parts: tuple[tuple[Plate, str], ...]


class StandingsShown(Shown, frozen=True, kw_only=True):
    """Drivers and teams after so many races. `warning` names the results that are not official."""

    subtitle: str
    heads: tuple[Head, ...]
    rows: tuple[Place, ...]
    teams: tuple[TeamPlace, ...]
    run: int
    drops: bool = False
    substitutes: bool = False
    article: str = ""
    warning: str = ""


def plates(record: EitherKind) -> dict[int, Plate]:
    """The plate of each entrant: in a tournament of clubs the club's colour and shape, else one of his own."""
    return {number: Plate(number=number, place=place) for number, place in record.colours().items()}


def at_table(record: Tournament, drivers: Sequence[int]) -> dict[int, Plate]:
    """The plates of those who sit at one table: a second car of a club has a second line around it."""
    return {number: Plate(number=number, place=place) for number, place in record.colours_at(drivers).items()}


def circuit_name(track: str) -> str:
    """A circuit's own name; its key where it is gone."""
    board = circuits.at_hand(track)
    return board.name if board is not None else Path(track).stem.capitalize()


def score_text(score: Score) -> str:
    """The points of a race, in brackets where they are dropped."""
    return f"({score.points})" if score.dropped else str(score.points)


def cause_text(cause: str, words: Words) -> str:
    """A cause in words; one that somebody typed as he typed it."""
    return words.word("cause", cause) if cause in words.table["cause"] else cause


class _Look:
    def __init__(self, record: EitherKind, words: Words) -> None:
        self.record, self.words = record, words
        self.plates = plates(record)

    def say(self, key: str, **facts: Json) -> str:
        return self.words.screen(f"season.{key}", **facts)

    def columns(self) -> list[tuple[Head, tuple[str, ...]]]:
        """Each race or round with the keys of the results that belong to it."""
        record = self.record
        if isinstance(record, Season):
            from companion.view.sight import codes

            short = codes({race.number: circuit_name(race.stage.track).split()[0] for race in record.calendar()})
            return [
                (Head(code=short[race.number], race=str(race.number) if race.state == "run" else ""),
                 (str(race.number),))
                for race in record.calendar()
            ]  # fmt: skip
        found = []
        for number, round_ in record.rounds.items():
            done = next((key for key in round_.keys if key in record.results), "")
            code = self.say("final") if round_.final else self.say("round", round=number)
            found.append((Head(code=code, race=done), tuple(round_.keys)))
        return found

    def standings(self) -> StandingsShown:
        record, columns = self.record, self.columns()
        lines = record.standings()
        # before the first race nobody is ahead of anybody: by number
        rows = tuple(self.row(at, line, lines, columns) for at, line in enumerate(lines))
        run = sum(bool(head.race) for head, _ in columns)
        season = record if isinstance(record, Season) else None
        after = self.say("after", name=record.name, run=run, of=len(columns), tournament=season is None)
        if season is not None and season.begun.carried:
            after = f"{after}, {self.say('carries', repair=season.begun.repair)}"
        return StandingsShown(
            subtitle=after,
            heads=tuple(head for head, _ in columns),
            rows=rows,
            teams=tuple(self.team(line) for line in record.team_standings()),
            run=run,
            drops=any(cell.dropped for row in rows for cell in row.cells),
            substitutes=any(cell.substitute for row in rows for cell in row.cells),
            article="season.countback" if season is not None else "21-1-2",
            warning=self.warning(),
        )

    def warning(self) -> str:
        """Which results nobody has confirmed: those that were official before they were corrected, and the others."""
        results = self.record.results
        corrected = [key for key in results if results[key].overtaken is not None]
        waiting = [key for key in results if not results[key].official and key not in corrected]
        if not corrected and not waiting:
            return ""
        return self.say("unofficial", corrected=", ".join(corrected), waiting=", ".join(waiting))

    def row(self, at: int, line: Standing, lines: list[Standing], columns: list[tuple[Head, tuple[str, ...]]]) -> Place:
        number = int(line.who)
        before = lines[at - 1] if at and lines[at - 1].points == line.points else None
        after = lines[at + 1] if at + 1 < len(lines) and lines[at + 1].points == line.points else None
        run = any(head.race for head, _ in columns)
        said, ahead = self.decided(line, before, after) if run else ("", False)
        entrant = self.record.field.entrants[number]
        return Place(
            place=str(line.place),
            plate=self.plates[number],
            name=entrant.name,
            cells=tuple(self.cell(number, line, keys) for _, keys in columns),
            sum=str(line.points),
            decides=said,
            ahead=ahead,
            before=before is not None and run,
            after=after is not None and run,
        )

    def decided(self, line: Standing, before: Standing | None, after: Standing | None) -> tuple[str, bool]:
        """By what a line is told apart from its neighbour of as many points, and whether it is ahead of that one."""
        if after is not None and (line.decides or before is None):
            return self.counts(line, after, line.decides), True
        if before is not None:
            return self.counts(line, before, before.decides), False
        return "", False

    def counts(self, line: Standing, other: Standing, place: int) -> str:
        if not place:
            return self.say("equal" if line.place == other.place else "by_final")
        return self.say("taken", place=place, mine=line.taken[place - 1], theirs=other.taken[place - 1])

    def cell(self, number: int, line: Standing, keys: tuple[str, ...]) -> Cell:
        record = self.record
        score = next((score for score in line.scores if score.race in keys), None)
        season = record if isinstance(record, Season) else None
        if score is None:
            off = season is not None and season.race(int(keys[0])).state == "abandoned"
            raced = off or any(key in record.results for key in keys)
            return Cell(text="–" if raced else "·", to_come=not raced)
        result = next(one for one in record.results[score.race].lines if one.driver == number)
        return Cell(
            text=score_text(score), win=score.place == 1, out=bool(result.cause) or score.place is None,
            dropped=score.dropped, substitute=season is not None and (int(score.race), number) in season.substitutes,
        )  # fmt: skip

    def team(self, line: Standing) -> TeamPlace:
        name = str(line.who)
        sums = {int(one.who): one.points for one in self.record.standings()}
        numbers = self.record.field.teams()[name]
        return TeamPlace(
            place=str(line.place),
            name=name,
            sum=str(line.points),
            parts=tuple((self.plates[number], str(sums[number])) for number in numbers),
        )


def standings(record: EitherKind, words: Words) -> StandingsShown:
    """The standings of a tournament or a season."""
    return _Look(record, words).standings()
