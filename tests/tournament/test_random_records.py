"""Random tournaments and seasons, worked out a second time as plainly as can be.

`pytest tests/tournament/test_random_records.py --records 1000` plays a thousand of each.
"""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from random import Random

import pytest

from companion.rules.conversation.errors import BadEntry
from companion.tournament.entrants import Entered, Entrant, Here, Withdrawn
from companion.tournament.record import Noted, Record, Signed, Undone
from companion.tournament.results import Confirmed, Result, ResultCorrected, ResultLine
from companion.tournament.season import Abandoned, Missed, Season, SeasonBegun, Stage
from companion.tournament.times import AbsoluteTime
from companion.tournament.tournament import Published, Timed, Tournament, TournamentBegun
from tests.tournament.acting import act, on_paper

Results = dict[str, list[tuple[int, int | None, int | None]]]
"""Of each race the drivers in their order, each with his place, and the points that he was given by hand."""


@pytest.fixture(scope="module")
def records(request: pytest.FixtureRequest) -> int:
    """How many tournaments and seasons are played."""
    number: int = request.config.getoption("--records")
    return number


def scale(rng: Random) -> tuple[int, ...]:
    return tuple(sorted((rng.randrange(12) for _ in range(rng.randrange(1, 9))), reverse=True))


def lines(rng: Random, drivers: list[int]) -> list[tuple[int, int | None, int | None]]:
    """A result at random: some are out, some have points by hand."""
    order = rng.sample(drivers, len(drivers))
    home = rng.randrange(len(order) + 1)
    return [
        (driver, at + 1 if at < home else None, rng.randrange(15) if rng.random() < 0.05 else None)
        for at, driver in enumerate(order)
    ]


def enter(record: Record, rng: Random, race: str, drivers: list[int], results: Results) -> None:
    """A result, now and then confirmed, corrected, or entered, taken back and entered again."""
    for turn in range(rng.choice((1, 1, 1, 2))):
        said = lines(rng, drivers)
        typed = tuple(ResultLine(d, place, "" if place else "engine", points=points) for d, place, points in said)
        if turn == 0:
            act(record, Result(race=race, lines=typed))
            if rng.random() < 0.2:
                act(record, Undone(of=len(record.log)))
                act(record, Result(race=race, lines=typed))
            if rng.random() < 0.5:
                act(record, Confirmed(race=race), "Bob")
        elif said != results[race]:
            act(record, ResultCorrected(race=race, lines=typed, why="misread"), "Cleo")
        else:
            continue
        results[race] = said


def plain_table(
    sides: dict[int, list[int]] | dict[str, list[int]], results: Results, points: tuple[int, ...], best: int = 0,
    free: frozenset[str] = frozenset(),
) -> list[tuple[int, int | str, int]]:  # fmt: skip
    """Place, who, points: each driver's points race by race, the worst dropped; ties by how often each place was taken.
    The races in `free` bring no points."""
    found = []
    for who, drivers in sides.items():
        total, places = 0, []
        for driver in drivers:
            won = []
            for race, result in results.items():
                for one, place, by_hand in result:
                    if one == driver:
                        places.append(place)
                        usual = points[place - 1] if place and place <= len(points) and race not in free else 0
                        won.append(usual if by_hand is None else by_hand)
            total += sum(sorted(won, reverse=True)[: best or None])
        found.append((-total, [-places.count(place) for place in range(1, 100)], who))
    keys = sorted(line[:2] for line in found)
    order = sorted(found, key=lambda line: line[:2])
    return [(keys.index(line[:2]) + 1, line[2], -line[0]) for line in order]


def shown(standings: list) -> list[tuple[int, int | str, int]]:  # type: ignore[type-arg]
    return [(line.place, line.who, line.points) for line in standings]


def teams(record: Tournament | Season) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for number, entrant in sorted(record.field.entrants.items()):
        if entrant.team:
            found.setdefault(entrant.team, []).append(number)
    return found


@pytest.mark.article("league", "season.points", "season.countback", "season.teams", "season.drivers", "season.races")
def test_random_seasons(records: int) -> None:
    for seed in range(records):
        rng = Random(seed)
        many, races = rng.randrange(2, 11), rng.randrange(1, 9)
        points, best = scale(rng), rng.choice((0, rng.randrange(1, races + 1)))
        calendar = tuple(Stage("monaco") for _ in range(races))
        record = act(Season(), SeasonBegun(name="S", calendar=calendar, points=points, best=best))
        pairs = [f"T{at // 2}" for at in range(many)]
        act(record, Entered(entrants=tuple(Entrant(n + 1, f"D{n}", pairs[n]) for n in range(many))))
        results: Results = {}
        for race in rng.sample(range(1, races + 1), rng.randrange(races + 1)):
            if rng.random() < 0.1:
                act(record, Abandoned(race=race, why="rain"))
                continue
            if rng.random() < 0.3:
                act(record, Missed(race=race, number=rng.randrange(1, many + 1)))
            if record.rule(race) == "reverse" and (grid := record.grid(race)) is not None:
                last = [driver for driver, _, _ in list(results.values())[-1]]
                assert grid == [driver for driver in reversed(last) if driver in record.drivers(race)], seed
            if record.drivers(race):
                enter(record, rng, str(race), record.drivers(race), results)
        results = {race: results[race] for race in sorted(results, key=int)}
        numbers = {number: [number] for number in record.field.entrants}
        assert shown(record.standings()) == plain_table(numbers, results, points, best), seed
        assert shown(record.team_standings()) == plain_table(teams(record), results, points, best), seed
        assert shown(Season.of(record.log).standings()) == shown(record.standings()), seed


@pytest.mark.article("competition", "1-3-2", "1-3-3", "1-0-1")
def test_random_tournaments(records: int) -> None:
    for seed in range(records):
        rng = Random(seed)
        record, many = Tournament(), rng.randrange(4, 41)
        points, final = scale(rng), rng.choice(("decides", "adds"))
        counts = rng.choice(("best", "last", "sum"))
        act(record, TournamentBegun(name="T", sessions=2, counts=counts, points=points, final=final))  # type: ignore[arg-type]
        clubs = rng.randrange(1, 12)
        act(record, Entered(entrants=tuple(Entrant(n, f"D{n}", f"C{n % clubs}") for n in range(1, many + 1))))
        act(record, Here(numbers=tuple(range(1, many + 1))))
        driven: dict[int, list[tuple[int, int, int]]] = {}
        for at, (driver, session) in enumerate((d, s) for s in (1, 2) for d in range(1, many + 1)):
            if rng.random() < 0.9:
                throws, clock, over, wrong = rng.randrange(14, 20), rng.randrange(5500, 6500, 100), *[
                    rng.randrange(3) * (rng.random() < 0.3) for _ in range(2)
                ]  # fmt: skip
                time = AbsoluteTime(throws, clock, over, 2, wrong, at=f"{at:04}")
                act(record, Timed(driver=driver, session=session, time=time))
                came = throws + 2 * over + 10 * wrong + (1 if clock >= 6000 else 0)
                driven.setdefault(driver, []).append((came, clock, at))
        if rng.random() < 0.3:
            act(record, Withdrawn(number=rng.randrange(1, many + 1), why="ill"))
        here = [n for n in range(1, many + 1) if n not in record.field.gone]
        by_hand: dict[int, tuple[int, ...]] = {
            n: min(runs) if counts == "best" else runs[-1] if counts == "last"
            else (2 - len(runs), sum(run[0] for run in runs), sum(run[1] for run in runs), runs[-1][2])
            for n, runs in driven.items()
        }  # fmt: skip
        ranking = sorted(here, key=lambda n: (n not in by_hand, by_hand.get(n, ()), n))
        assert [one.driver for one in record.seeds()] == ranking, seed

        tables = rng.randrange(-(-len(here) // 20), len(here) // 2 + 1)
        way = rng.choice(("turn", "snake", "level"))
        act(record, record.seeding(tables=tables, way=way))  # type: ignore[arg-type]
        seats = record.rounds[1].tables
        check_tables(seats, ranking, tables, way, clubs, seed)
        act(record, Published(round=1, why="so be it"))
        results: Results = {}
        for at, drivers in enumerate(seats, 1):
            enter(record, rng, f"1.{at}", list(drivers), results)
        numbers = {number: [number] for number in record.field.entrants}
        assert shown(record.standings()) == plain_table(numbers, results, points), seed
        assert shown(record.team_standings()) == plain_table(teams(record), results, points), seed

        level = sorted(record.standings(), key=lambda line: (line.place, [*ranking, line.who].index(line.who)))
        before = [line.who for line in level if line.who in here]
        first = min(rng.randrange(2, 11), len(before))
        act(record, record.seeding(tables=1, source="standings", first=first, final=True))
        assert list(record.rounds[2].tables[0]) == before[:first], seed
        act(record, Published(round=2, why="the final"))
        enter(record, rng, "2.1", list(record.rounds[2].tables[0]), results)
        if final == "adds":
            assert shown(record.standings()) == plain_table(numbers, results, points), seed
        else:
            ended = [driver for driver, _, _ in results["2.1"]]
            behind = plain_table(numbers, results, points, free=frozenset({"2.1"}))
            rest = [line for line in behind if line[1] not in ended]
            assert [line.who for line in record.standings()] == [*ended, *(line[1] for line in rest)], seed
        with pytest.raises(BadEntry):
            act(Tournament.of(record.log), Result(race="2.1", lines=on_paper(before[:first])))


def check_tables(
    seats: tuple[tuple[int, ...], ...], ranking: list[int], tables: int, way: str, clubs: int, seed: int
) -> None:
    """Sizes as even as can be; every seat row holds the ranks of its turn; no swap of equal seats would part a pair
    without making another."""
    sizes = [len(table) for table in seats]
    assert sorted(sizes, reverse=True) == sizes, seed
    assert sizes[0] - sizes[-1] <= 1, seed
    assert Counter(driver for table in seats for driver in table) == Counter(ranking), seed
    if way == "level":
        assert [driver for table in seats for driver in table] == ranking, seed
        return
    left = list(ranking)
    for row in range(sizes[0]):
        there = [table[row] for table in seats if len(table) > row]
        assert set(there) == set(left[: len(there)]), seed
        left = left[len(there) :]

    def broken(of: list[list[int]]) -> int:
        return sum(a % clubs == b % clubs for table in of for a, b in combinations(table, 2))

    now = broken([list(table) for table in seats])
    for one, other in combinations(range(tables), 2):
        for row in range(min(len(seats[one]), len(seats[other]))):
            turned = [list(table) for table in seats]
            turned[one][row], turned[other][row] = turned[other][row], turned[one][row]
            assert broken(turned) >= now, seed


def test_a_record_told_again_is_the_same() -> None:
    """Acts, notes and undos in any order: the log tells the same again."""
    rng = Random(5)
    record = act(Tournament(), TournamentBegun(name="T"))
    for number in range(1, 60):
        if rng.random() < 0.3 and len(record.signed) > 1:
            act(record, Undone(of=record.signed[-1].seq))
        elif rng.random() < 0.2:
            act(record, Noted(text="x"))
        else:
            act(record, Entered(entrants=(Entrant(number, f"D{number}"),)))
    again = Tournament.of([Signed(*one) for one in record.log])
    assert (again.field.entrants, again.log) == (record.field.entrants, record.log)
