"""Who drives better? `python -m tests.drivers.duel champion sensible --races 100` has two kinds of driver race each
other from alternating places of the grid, and tells wins, turns to the flag, retirements, and what a decision takes.

With the same name twice it tells how that driver drives among its like; with `--cars 1 --sky sun` alone, and beside it
the limit of pace at the wear that was spent; with `--track all` on every circuit known to the space. With `--basic`
they drive a race by `death` without a card: the basic game, in which a car has one pool of 18 points.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections import Counter

from companion import circuits
from companion.drivers import DRIVERS
from companion.drivers.prepared import scenes
from companion.drivers.registry import driver_named
from companion.drivers.turn_graph import Course
from companion.drivers.values import limit
from companion.rules.conversation.conversation import Conversation
from companion.rules.dice.formula_de import FormulaDe
from companion.rules.rulebooks import begin


class Tally:
    """What became of the cars of one kind of driver."""

    def __init__(self) -> None:
        self.wins = self.cars = 0
        self.turns: list[int] = []
        self.spent: list[int] = []
        self.causes: Counter[str] = Counter()
        self.decisions: list[float] = []


def race(names: tuple[str, str], seed: int, said: argparse.Namespace, tallies: dict[str, Tally]) -> int:
    """One race; the turns that were played in it."""
    who = {number: names[(number + seed) % 2] for number in range(1, said.cars + 1)}
    cars = [{"car": number, **({"team": f"T{number}"} if said.rulebook == "cup" else {})} for number in who]
    setup = {"rulebook": said.rulebook, "track": said.track, "laps": said.laps, "cars": cars}
    setup |= {"options": dict.fromkeys(said.on, True)} if said.on else {}
    track = circuits.load(said.track)
    if said.basic:  # a race that stands on the grid already has been dealt no cards
        grid = [{"car": number, "at": track.spaces[track.grid[number - 1]].name} for number in who]
        setup |= {"rulebook": "death", "cars": grid, "to_play": list(who)}
    book = begin({**setup, **({"sky": said.sky} if said.sky else {})}, track)
    assert isinstance(book, FormulaDe)
    drivers = {number: driver_named(name, book, 1000 * seed + number) for number, name in who.items()}
    talk, turns = Conversation(book), dict.fromkeys(who, 0)
    while (asked := talk.asked) is not None:
        number = asked.car or 1
        turns[number] += asked.ask in ("gear", "start")
        began = time.perf_counter()
        answer = drivers[number].answer(asked, book.race)
        if asked.ask in ("gear", "landing"):
            tallies[who[number]].decisions.append(time.perf_counter() - began)
        talk.answer(answer)
    tallies[who[book.result()[0]["car"]]].wins += 1
    for car in book.race.cars:
        tally = tallies[who[car.number]]
        tally.cars += 1
        if car.status == "finished":
            tally.turns.append(turns[car.number])
            tally.spent.append(sum(car.built[pool] - car.wear[pool] for pool in book.race.pools))
        else:
            tally.causes[car.cause] += 1
    return sum(turns.values())


def bound(said: argparse.Namespace, spent: float) -> float:
    """The fewest turns in which so many points can be spent on a dry track, on whichever tyres: for every price the
    pace at that price is a bound."""
    prices = (0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.7)
    bounds = []
    track = circuits.load(said.track)
    for scene in scenes(track, said.rulebook):
        if scene.surface == "dry":
            course = Course(track, scene)
            course.work_out()
            paces = [(price, limit(course, price, said.laps)) for price in prices]
            bounds.append(max(pace.turns + price * (sum(pace.spent.values()) - spent) for price, pace in paces))
    return min(bounds)


def main() -> None:
    """Drives, and prints what came of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs=2, choices=DRIVERS)
    parser.add_argument("--races", type=int, default=40)
    parser.add_argument("--cars", type=int, default=6)
    parser.add_argument("--laps", type=int, default=2)
    parser.add_argument("--rulebook", default="competition")
    parser.add_argument("--track", default="monaco")
    parser.add_argument("--sky", default="")
    parser.add_argument("--basic", action="store_true")
    parser.add_argument("--on", action="append", default=[], help="a variant or an option of the box")
    parser.add_argument("--seed", type=int, default=1, help="the first race's")
    said = parser.parse_args()
    known = [track.key for track in map(circuits.load, circuits.keys()) if track.known == "space"]
    for track in known if said.track == "all" else [said.track]:
        duel(argparse.Namespace(**{**vars(said), "track": track}))


def duel(said: argparse.Namespace) -> None:
    """The races on one circuit."""
    tallies = {name: Tally() for name in said.names}
    race(tuple(said.names), 0, said, {name: Tally() for name in said.names})  # the tables are worked out, or read
    began, turns = time.process_time(), 0
    for seed in range(said.seed, said.seed + said.races):
        turns += race(tuple(said.names), seed, said, tallies)
    took = time.process_time() - began
    game = "basic game" if said.basic else said.rulebook
    print(f"{game}, {said.track}, {said.laps} laps, {said.cars} cars, {said.races} races: {turns / took:,.0f} "
          f"car-turns and {60 * said.races / took:,.0f} races a minute")  # fmt: skip
    for name, tally in tallies.items():
        out = sum(tally.causes.values())
        print(
            f"  {name:9} wins {tally.wins}, {statistics.mean(tally.turns or [0]):.2f} turns to the flag, "
            f"{statistics.mean(tally.spent or [0]):.1f} points spent, {out} of {tally.cars} out {dict(tally.causes)}, "
            f"decision {1000 * statistics.median(tally.decisions):.3f} ms median"
        )
    if said.cars == 1:
        name, tally = next(iter(tallies.items()))
        least, mean = bound(said, statistics.mean(tally.spent)), statistics.mean(tally.turns)
        print(f"  the limit at these points: {least:.2f} turns; {name} {100 * (mean / least - 1):+.1f} %")


if __name__ == "__main__":
    main()
