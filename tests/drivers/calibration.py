"""Are the odds right? `python -m tests.drivers.calibration --races 100` drives whole races and compares what was said
on the way with what came: the Brier score of the chance to win, beside a guess by position alone (which knows how often
each position won at that moment of these very races), and of each tenth of chance how often it came true.

With `--keep FILE` what was seen is kept, race by race, and the next run adds the races that are not there yet: two
thousand of them are driven in slices. The circuits, one after the other, are those of `--track`.
"""

from __future__ import annotations

import argparse
import time
from collections import defaultdict
from pathlib import Path
from statistics import mean

import msgspec

from companion import circuits
from companion.drivers import odds as reckoned
from companion.drivers.odds import odds_of, standings
from companion.drivers.roster import driver_named, strong
from companion.rules.conversation.conversation import Conversation
from companion.rules.dice.formula_de import FormulaDe
from companion.rules.rulebooks import begin

SKY = ""
"""The weather of every race, drawn where nobody says."""
Moment = tuple[int, list[reckoned.Standing], int]
"""The how manieth look it was, how the cars stood, and who won."""


class Race(msgspec.Struct):
    """What was seen in one race."""

    seed: int
    track: str
    moments: list[Moment]


def watched(seed: int, cars: int, laps: int, rulebook: str, track: str) -> list[Moment]:
    """A race by champions, club drivers and learners, looked at before every third round."""
    names = ("champion", "club", "learner")
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
    drivers = {n: driver_named(names[(n + seed) % 3], book, 100 * seed + n) for n in range(1, cars + 1)}
    talk = Conversation(book)
    stood: list[list[reckoned.Standing]] = []
    looked = 0
    while (asked := talk.asked) is not None:
        if book.race.phase == "race" and book.race.round >= looked + 3 and book.race.move is not None:
            looked = book.race.round
            stood.append(standings(book, reader))
        talk.answer(drivers[asked.car or 1].answer(asked, book.race))
    winner = book.result()[0]["car"]
    return [(at, one, winner) for at, one in enumerate(stood)]


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
                seen[seed] = Race(seed, track, watched(seed, said.cars, said.laps, said.rulebook, track))
                file.write(msgspec.json.encode(seen[seed]) + b"\n")
    races = [seen[seed] for seed in range(said.races)]
    moments = sum(len(race.moments) for race in races)
    print(f"{len(races)} races, {moments} moments, {time.process_time() - began:.0f} s of the processor")
    by_place: dict[tuple[str, int, int], list[bool]] = defaultdict(list)
    for race in races:
        for at, stood, winner in race.moments:
            for place, car in enumerate(stood):
                by_place[race.track, at, place].append(car.number == winner)
    base = mean((share - one) ** 2 for won in by_place.values() for share in [mean(won)] for one in won)
    print(f"by position alone: Brier {base:.4f}")
    for scatter in said.scatter:
        reckoned.SCATTER = scatter
        bins: dict[int, list[tuple[float, bool]]] = defaultdict(list)
        for race in races:
            for _, stood, winner in race.moments:
                for number, chances in odds_of(stood).items():
                    bins[min(int(10 * chances[0]), 9)].append((chances[0], number == winner))
        brier = mean((chance - won) ** 2 for inside in bins.values() for chance, won in inside)
        print(f"scatter {scatter}: Brier {brier:.4f}, {1 - brier / base:.0%} better than position alone")
        for tenth, inside in sorted(bins.items()):
            said_, came = (mean(column) for column in zip(*inside, strict=True))
            print(f"  {10 * tenth:3}-{10 * tenth + 10} %: {len(inside):6} cases, said {said_:6.1%}, came {came:6.1%}")


if __name__ == "__main__":
    main()
