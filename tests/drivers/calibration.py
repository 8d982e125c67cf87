"""Are the odds right? `python -m tests.drivers.calibration --races 100` drives whole races and compares what was said
on the way with what came: the Brier score of the chance to win, beside a guess by position alone (which knows how often
each position won at that moment of these very races), and of each tenth of chance how often it came true.

Beside it stands how each driver drives, which is what the odds know of drivers: the rounds that he takes for one that
the table promises a champion, and how often he goes out in a turn.

With `--keep FILE` what was seen is kept, race by race, and the next run adds the races that are not there yet: two
thousand of them are driven in slices. The circuits, one after the other, are those of `--track`.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter, defaultdict
from pathlib import Path
from statistics import mean

import msgspec

from companion import circuits
from companion.drivers import DRIVERS
from companion.drivers import odds as reckoned
from companion.drivers.odds import odds_of, standings
from companion.drivers.registry import driver_named, strong
from companion.rules.conversation.conversation import Conversation
from companion.rules.dice.formula_de import FormulaDe
from companion.rules.rulebooks import begin

SKY = ""
"""The weather of every race, drawn where nobody says."""
Moment = tuple[int, list[reckoned.CarProspects]]
"""The round, and how the cars stood if champions drove them all."""


class Race(msgspec.Struct):
    """What was seen in one race: who drove, who won, in which round each car came home or went out."""

    seed: int
    track: str
    drivers: dict[int, str]
    winner: int
    ended: dict[int, int]
    out: list[int]
    moments: list[Moment]


def watched(seed: int, cars: int, laps: int, rulebook: str, track: str) -> Race:
    """A race by drivers of every kind, looked at before every third round."""
    setup = {
        "rulebook": rulebook,
        "track": track,
        "laps": laps,
        **({"sky": SKY} if SKY else {}),
        "cars": [{"car": n} for n in range(1, cars + 1)],
    }
    book = begin(setup, circuits.load(track))
    assert isinstance(book, FormulaDe)
    reader = strong("champion", book)
    names = {n: DRIVERS[(n + seed) % len(DRIVERS)] for n in range(1, cars + 1)}
    drivers = {n: driver_named(name, book, 100 * seed + n) for n, name in names.items()}
    talk = Conversation(book)
    ended: dict[int, int] = {}
    stood: list[Moment] = []
    looked = 0
    while (asked := talk.asked) is not None:
        if book.race.phase == "race" and book.race.round >= looked + 3 and book.race.move is not None:
            looked = book.race.round
            stood.append((looked, standings(book, reader)))
        talk.answer(drivers[asked.car or 1].answer(asked, book.race))
        for car in book.race.cars:
            if not car.alive:
                ended.setdefault(car.number, book.race.round)
    out = [car.number for car in book.race.cars if car.status != "finished"]
    return Race(seed, track, names, book.result()[0]["car"], ended, out, stood)


def styles(races: list[Race]) -> dict[str, reckoned.Style]:
    """How each driver drove."""
    promised, took, outs, turns = (Counter[str]() for _ in range(4))
    for race in races:
        for number, name in race.drivers.items():
            outs[name] += number in race.out
            turns[name] += race.ended[number]
        for at, stood in race.moments:
            for car in stood:
                if car.racing and car.number not in race.out:
                    promised[race.drivers[car.number]] += car.rounds
                    took[race.drivers[car.number]] += race.ended[car.number] - at + 1
    return {name: reckoned.Style(took[name] / promised[name], outs[name] / turns[name]) for name in DRIVERS}


def main() -> None:
    """Drives, and prints what it found."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--races", type=int, default=40)
    parser.add_argument("--cars", type=int, default=6)
    parser.add_argument("--laps", type=int, default=2)
    parser.add_argument("--rulebook", default="competition")
    parser.add_argument("--track", nargs="*", default=["monaco"])
    parser.add_argument("--keep", type=Path, default=Path("/dev/null"))
    parser.add_argument("--scatter", type=float, nargs="*", default=[reckoned.SCATTER])
    said = parser.parse_args()
    began = time.process_time()
    said.keep.touch()
    lines = said.keep.read_bytes().splitlines()
    seen = {race.seed: race for race in (msgspec.json.decode(line, type=Race) for line in lines)}
    with said.keep.open("ab") as file:
        for seed in range(said.races):
            if seed not in seen:
                track = said.track[seed % len(said.track)]
                seen[seed] = watched(seed, said.cars, said.laps, said.rulebook, track)
                file.write(msgspec.json.encode(seen[seed]) + b"\n")
                file.flush()
    races = [seen[seed] for seed in range(said.races)]
    moments = sum(len(race.moments) for race in races)
    print(f"{len(races)} races, {moments} moments, {time.process_time() - began:.0f} s of the processor")
    by_place: dict[tuple[str, int, int], list[bool]] = defaultdict(list)
    for race in races:
        for at, stood in race.moments:
            for place, car in enumerate(stood):
                by_place[race.track, at, place].append(car.number == race.winner)
    base = mean((share - one) ** 2 for won in by_place.values() for share in [mean(won)] for one in won)
    print(f"by position alone: Brier {base:.4f}")
    for name, style in styles(races).items():
        print(f"{name}: {style.pace:.3f} rounds for one of a champion, out {style.risk:.4f} a turn")
    for scatter in said.scatter:
        reckoned.SCATTER = scatter
        bins: dict[int, list[tuple[float, bool]]] = defaultdict(list)
        for race in races:
            for _, stood in race.moments:
                for number, chances in odds_of([car.with_driver(race.drivers[car.number]) for car in stood]).items():
                    bins[min(int(10 * chances[0]), 9)].append((chances[0], number == race.winner))
        brier = mean((chance - won) ** 2 for inside in bins.values() for chance, won in inside)
        print(f"scatter {scatter}: Brier {brier:.4f}, {1 - brier / base:.0%} better than position alone")
        for tenth, inside in sorted(bins.items()):
            said_, came = (mean(column) for column in zip(*inside, strict=True))
            print(f"  {10 * tenth:3}-{10 * tenth + 10} %: {len(inside):6} cases, said {said_:6.1%}, came {came:6.1%}")


if __name__ == "__main__":
    main()
