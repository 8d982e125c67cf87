"""Statistics of drivers over their races, and of circuits over the races on them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from companion.tournament.results import Filed
from companion.tournament.times import AbsoluteTime


class Retired(NamedTuple):
    """A retirement: race, round, cause and article."""

    race: str
    round: int
    cause: str
    article: str


class DriverRace(NamedTuple):
    """One race of a driver.

    `race` is its key, `grid` his grid place (0: unknown), `place` his finishing place (None: not placed).
    """

    race: str
    grid: int
    place: int | None
    points: int
    out: bool


class Statistics(NamedTuple):
    """A driver over all his races.

    `wear` is what he wore off by pool and `tyres` how often he fitted each kind, in the `analysed` races that have a
    log; `seconds` is the time at the table in these.
    """

    driver: int
    races: tuple[DriverRace, ...]
    wins: int
    podiums: int
    points: int
    best: int | None
    retirements: tuple[Retired, ...]
    analysed: int
    wear: Mapping[str, int]
    tyres: Mapping[str, int]
    seconds: int


def statistics(driver: int, results: Mapping[str, Filed], scale: Callable[[str], Sequence[int]]) -> Statistics:
    """Compute a driver's statistics, race by race in the order of `results`.

    `scale` returns the points scale of a race.
    """
    races, retirements = [], []
    wear: Counter[str] = Counter()
    tyres: Counter[str] = Counter()
    analysed = seconds = 0
    for key, filed in results.items():
        for line in filed.lines:
            if line.driver != driver:
                continue
            points = line.scored(scale(key))
            races.append(DriverRace(key, line.grid, line.place, points, bool(line.cause) or line.place is None))
            if races[-1].out:
                retirements.append(Retired(key, line.round, line.cause, line.article))
            if filed.log is not None:
                analysed += 1
                seconds += filed.log.seconds
                wear.update(line.wear)
                tyres.update(line.tyres)
    places = [race.place for race in races if race.place is not None]
    return Statistics(
        driver, tuple(races), places.count(1), sum(place <= 3 for place in places), sum(race.points for race in races),
        min(places, default=None), tuple(retirements), analysed, dict(wear), dict(tyres), seconds,
    )  # fmt: skip


class HeldRace(NamedTuple):
    """A race held on a circuit.

    `called` is its name, `winner` None if nobody finished, `grid` the winner's grid place, `seconds` the time it took
    at the table (0: unknown).
    """

    track: str
    called: str
    winner: str | None
    grid: int
    seconds: int


class TrialLap(NamedTuple):
    """A trial on a circuit."""

    track: str
    driver: str
    time: AbsoluteTime
    called: str


class CircuitRecord(NamedTuple):
    """The records of a circuit.

    `winner` won most, `wins` times; `from_pole` counts wins from pole; `shortest` is the shortest race at the table in
    seconds (0: unknown), `best` the best trial (None: none was driven).
    """

    track: str
    races: int
    winner: str
    wins: int
    from_pole: int
    shortest: int
    shortest_called: str
    best: TrialLap | None = None


def circuit_records(held: Iterable[HeldRace], laps: Iterable[TrialLap] = ()) -> list[CircuitRecord]:
    """Return the records of every circuit, sorted by key.

    Of two with as many wins, or two equal trials, the earlier one is kept.
    """
    tracks: dict[str, list[HeldRace]] = {}
    driven: dict[str, list[TrialLap]] = {}
    for race in held:
        tracks.setdefault(race.track, []).append(race)
    for lap in laps:
        driven.setdefault(lap.track, []).append(lap)
        tracks.setdefault(lap.track, [])
    found = []
    for track, races in sorted(tracks.items()):
        winners = Counter(race.winner for race in races if race.winner)
        winner, wins = winners.most_common(1)[0] if winners else ("", 0)
        timed = [race for race in races if race.seconds]
        shortest = min(timed, key=lambda race: race.seconds) if timed else None
        found.append(
            CircuitRecord(
                track, len(races), winner, wins, sum(race.winner is not None and race.grid == 1 for race in races),
                shortest.seconds if shortest else 0, shortest.called if shortest else "",
                min(driven.get(track, []), key=lambda lap: lap.time.rank, default=None),
            )
        )  # fmt: skip
    return found
