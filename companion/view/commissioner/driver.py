"""A driver over a season: figures, race by race, wear, retirements."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from companion.analysis.findings import Driven
from companion.rules.conversation.asking import Json
from companion.rules.conversation.kinds import POOLS
from companion.tournament.season import Season
from companion.tournament.statistics import statistics
from companion.view.commissioner.standings import EitherKind, cause_text, circuit_name, plates, score_text
from companion.view.pages.analysis import signed_turns
from companion.view.shown import Plate, Shown, Tone
from companion.wording import Words, capital


class Figure(Shown, frozen=True, kw_only=True):
    """A large figure and what it counts."""

    value: str
    word: str
    tone: Tone = "plain"


class Turns(Shown, frozen=True, kw_only=True):
    """Turns won or lost, in words and as a part of the most that there are."""

    said: str
    share: float


class DrivenRow(Shown, frozen=True, kw_only=True):
    """A race of a driver; his luck and his driving, in turns against the mean of the dice and against the best choice,
    where it was analysed; `turns` is whether any of his races was."""

    race: str
    name: str
    grid: str
    place: str
    out: bool
    points: str
    turns: bool = False
    luck: Turns | None = None
    driving: Turns | None = None


class Spent(Shown, frozen=True, kw_only=True):
    """What was worn off of a pool in all races with a log."""

    pool: str
    name: str
    spent: int
    most: int
    """Of the pools, the one most was worn off: how long the bars are."""


class Gone(Shown, frozen=True, kw_only=True):
    """A retirement."""

    title: str
    cause: str
    article: str


class DriverShown(Shown, frozen=True, kw_only=True):
    """All that the screen of a driver shows."""

    plate: Plate
    name: str
    about: str
    figures: tuple[Figure, ...]
    rows: tuple[DrivenRow, ...]
    note: str
    turns: bool
    """Whether any race was analysed, so that there are columns for luck and driving."""
    wear_title: str
    wear: tuple[Spent, ...]
    gone: tuple[Gone, ...]
    strip: tuple[Plate, ...]


def driver(
    record: EitherKind, words: Words, number: int, weighed: Mapping[str, Driven] = MappingProxyType({})
) -> DriverShown:
    """A driver of a tournament or a season; `weighed` is what the analysis has found of him, by race. Raises BadEntry
    if nobody has that number, any more."""

    def say(key: str, **facts: Json) -> str:
        return words.screen(f"season.{key}", **facts)

    season, entrant = isinstance(record, Season), record.field[number]
    filed = {key: record.results[key] for key in (sorted(record.results, key=int) if season else record.results)}
    found = statistics(number, filed, record.scale)
    lines = record.standings()
    line = next(line for line in lines if line.who == number)
    scores = {score.race: score for score in line.scores}
    coloured = plates(record)
    if isinstance(record, Season):
        called = {str(at): circuit_name(stage.track) for at, stage in record.stages.items()}
        run, of = len(found.races), len(record.stages)
    else:
        called = {key: say("table", table=key) for key in filed}
        run, of = len(found.races), len(record.rounds)
    podiums = sum((race.place or 99) <= 3 for race in found.races)
    figures: tuple[Figure, ...] = (
        Figure(value=str(found.wins), word=say("wins", count=found.wins)),
        Figure(value=str(podiums), word=say("podiums", count=podiums)),
        Figure(value=str(line.points), word=say("points", count=line.points)),
        Figure(value=str(len(found.retirements)), word=say("out"), tone="bad" if found.retirements else "plain"),
    )
    if weighed:
        luck, driving = sum(one.luck for one in weighed.values()), -sum(one.mistakes for one in weighed.values())
        figures += (
            Figure(value=signed_turns(words, luck), word=say("luck"), tone="ok" if luck > 0 else "warn"),
            Figure(value=signed_turns(words, driving), word=say("driving"), tone="warn"),
        )
    else:
        figures += (
            Figure(value=str(found.best or "–"), word=say("best")),
            Figure(value=_time(found.seconds), word=say("at_table")),
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
                race=race.race,
                name=called.get(race.race, race.race),
                grid=str(race.grid or "–"),
                place=say("out") if race.out else str(race.place or "–"),
                out=race.out,
                points=score_text(scores[race.race]),
                turns=bool(weighed),
                luck=turns(weighed[race.race].luck) if race.race in weighed else None,
                driving=turns(-weighed[race.race].mistakes) if race.race in weighed else None,
            )
            for race in found.races
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
                article=one.article,
            )
            for one in found.retirements
        ),
        strip=tuple(coloured[int(one.who)] for one in lines),
    )


def _time(seconds: int) -> str:
    return f"{seconds // 3600}:{seconds // 60 % 60:02}" if seconds else "–"
