"""A driver's season: figures, race by race, wear and retirements."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from companion.analysis.findings import CarAnalysis
from companion.rules.conversation.asking import Json
from companion.rules.conversation.kinds import POOLS
from companion.tournament.season import Season
from companion.tournament.statistics import Statistics, statistics
from companion.view.citing import listed
from companion.view.events.standings import EitherKind, cause_text, circuit_name, plates, result_cause, score_text
from companion.view.listing import Cell, CellValue, Listing, make_listing
from companion.view.pages.analysis import signed_turns
from companion.view.shown import Plate, Tone, ViewModel
from companion.wording import Words, capital


class KeyFigure(ViewModel, frozen=True, kw_only=True):
    """A large figure and what it counts."""

    value: str
    word: str
    tone: Tone = "plain"


class Turns(ViewModel, frozen=True, kw_only=True):
    """Turns won or lost, in words and as a share of the largest amount."""

    said: str
    share: float


class DrivenRow(ViewModel, frozen=True, kw_only=True):
    """A race of a driver.

    `luck` is in turns against the mean of the dice, `driving` in turns against the best choice; both are None unless
    the race was analysed. `turns` is True if any of the driver's races was.
    """

    race: str
    name: str
    grid: str
    place: str
    out: bool
    points: str
    turns: bool = False
    luck: Turns | None = None
    driving: Turns | None = None


class Spent(ViewModel, frozen=True, kw_only=True):
    """The wear of one pool over all races with a log."""

    pool: str
    name: str
    spent: int
    most: int
    """Wear of the pool that lost most, which is a full bar."""


class Gone(ViewModel, frozen=True, kw_only=True):
    """A retirement."""

    title: str
    cause: str
    article: str


class DriverShown(ViewModel, frozen=True, kw_only=True):
    """The driver screen."""

    plate: Plate
    name: str
    about: str
    figures: tuple[KeyFigure, ...]
    rows: tuple[DrivenRow, ...]
    note: str
    turns: bool
    """True if any race was analysed, so that there are columns for luck and driving."""
    wear_title: str
    wear: tuple[Spent, ...]
    gone: tuple[Gone, ...]
    strip: tuple[Plate, ...]


def driver_statistics(record: EitherKind, number: int) -> Statistics:
    """Return a driver's statistics, the races of a season in their order."""
    keys = sorted(record.results, key=int) if isinstance(record, Season) else [*record.results]
    return statistics(number, {key: record.results[key] for key in keys}, record.scale)


def driver_listing(record: EitherKind, words: Words, number: int) -> Listing:
    """Return a driver's races. Raises BadEntry if no entrant has that number."""
    name = f"{number} {record.field[number].name}"
    scores = {score.race: score for score in record.scores(number)}
    rows: list[list[CellValue]] = []
    for race in driver_statistics(record, number).races:
        line = next(line for line in record.results[race.race].lines if line.driver == number)
        score = scores[race.race]
        if isinstance(record, Season):
            track = called = circuit_name(record.stages[int(race.race)].track)
        else:
            track = circuit_name(record.rounds[int(race.race.partition(".")[0])].track)
            called = words.screen("season.table", table=race.race)
        rows.append([
            race.race,
            Cell(text=track, brief=called),
            Cell(text=str(race.grid or ""), value=race.grid or None, brief=str(race.grid or "–")),
            Cell(
                text=str(race.place) if race.place is not None else words.word("listing", "out"),
                value=race.place,
                brief=words.screen("season.out") if race.out else str(race.place or "–"),
                marks=("out",) if race.out else (),
            ),
            score_text(score) if score.dropped else score.points,
            result_cause(line, words),
        ])  # fmt: skip
    columns = ("race", "track", "grid", "place", "points", "cause")
    return make_listing("driver", words, columns, rows, name=record.name, under=name)


def driver(
    record: EitherKind, words: Words, number: int, weighed: Mapping[str, CarAnalysis] = MappingProxyType({})
) -> DriverShown:
    """Return a driver's tournament or season.

    `weighed` holds the driver's analyses by race. Raises BadEntry if no entrant has that number.
    """

    def say(key: str, **facts: Json) -> str:
        return words.screen(f"season.{key}", **facts)

    entrant = record.field[number]
    found = driver_statistics(record, number)
    lines = record.standings()
    line = next(line for line in lines if line.who == number)
    coloured = plates(record)
    if isinstance(record, Season):
        called = {str(at): circuit_name(stage.track) for at, stage in record.stages.items()}
        run, of = len(found.races), len(record.stages)
    else:
        called = {key: say("table", table=key) for key in record.results}
        run, of = len(found.races), len(record.rounds)
    podiums = sum((race.place or 99) <= 3 for race in found.races)
    figures: tuple[KeyFigure, ...] = (
        KeyFigure(value=str(found.wins), word=say("wins", count=found.wins)),
        KeyFigure(value=str(podiums), word=say("podiums", count=podiums)),
        KeyFigure(value=str(line.points), word=say("points", count=line.points)),
        KeyFigure(value=str(len(found.retirements)), word=say("out"), tone="bad" if found.retirements else "plain"),
    )
    if weighed:
        luck, driving = sum(one.luck for one in weighed.values()), -sum(one.mistakes for one in weighed.values())
        figures += (
            KeyFigure(value=signed_turns(words, luck), word=say("luck"), tone="ok" if luck > 0 else "warn"),
            KeyFigure(value=signed_turns(words, driving), word=say("driving"), tone="warn"),
        )
    else:
        figures += (
            KeyFigure(value=str(found.best or "–"), word=say("best")),
            KeyFigure(value=_time(found.seconds), word=say("at_table")),
        )
    widest = max([1.0, *(abs(turns) for one in weighed.values() for turns in (one.luck, one.mistakes))])

    def turns(value: float) -> Turns:
        return Turns(said=signed_turns(words, value), share=value / widest)

    most = max(found.wear.values(), default=0)
    pools = [pool for pool in POOLS if pool in found.wear] or list(POOLS)
    return DriverShown(
        plate=coloured[number],
        name=entrant.name,
        about=say(
            "driver", team=entrant.team, place=line.place, points=line.points, run=run, of=of, any=bool(found.races)
        ),
        figures=figures,
        rows=tuple(
            DrivenRow(
                race=(race := row["race"].text),
                name=row["track"].brief,
                grid=row["grid"].brief,
                place=row["place"].brief,
                out="out" in row["place"].marks,
                points=row["points"].text,
                turns=bool(weighed),
                luck=turns(weighed[race].luck) if race in weighed else None,
                driving=turns(-weighed[race].mistakes) if race in weighed else None,
            )
            for row in driver_listing(record, words, number).by_key()
        ),
        note=say("weighed") if weighed else say("analysed", count=found.analysed, of=len(found.races)),
        turns=bool(weighed),
        wear_title=say("wear", count=found.analysed),
        wear=tuple(
            Spent(pool=pool, name=capital(words.word("pool", pool)), spent=found.wear.get(pool, 0), most=most)
            for pool in pools
        ),
        gone=tuple(
            Gone(
                title=say("gone", race=called.get(one.race, one.race), round=one.round),
                cause=capital(cause_text(one.cause, words)),
                article=listed(one.article, words),
            )
            for one in found.retirements
        ),
        strip=tuple(coloured[int(one.who)] for one in lines),
    )


def _time(seconds: int) -> str:
    return f"{seconds // 3600}:{seconds // 60 % 60:02}" if seconds else "–"
