"""Are the odds right? `python -m tests.drivers.calibration --races 100` drives whole races and compares what was said
on the way with what came: the Brier score of the chance to win, beside a guess by position alone (which knows how often
each position won at that moment of these very races), and of each tenth of chance how often it came true."""

from __future__ import annotations

import argparse
import sys
import time
from collections import defaultdict

from companion import circuits
from companion.drivers import odds as reckoned
from companion.drivers.odds import odds_of, standings
from companion.drivers.roster import driver_named, strong
from companion.rules.conversation.conversation import Conversation
from companion.rules.dice.formula_de import FormulaDe
from companion.rules.rulebooks import begin

SKY = ""
"""The weather of every race, drawn where nobody says."""
Seen = list[tuple[int, list[reckoned.Standing], int]]
"""What was seen in one race: the how manieth look it was, how the cars stood, and who won."""


def watched(seed: int, cars: int, laps: int, rulebook: str, track: str) -> Seen:
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
    parser.add_argument("--track", default="monaco")
    parser.add_argument("--scatter", type=float, nargs="*", default=[reckoned.SCATTER])
    said = parser.parse_args()
    began = time.process_time()
    seen: Seen = []
    for seed in range(said.races):
        seen += watched(seed, said.cars, said.laps, said.rulebook, said.track)
    print(f"{said.races} races, {len(seen)} moments, {time.process_time() - began:.0f} s of the processor")
    by_place: dict[tuple[int, int], list[int]] = defaultdict(list)
    for at, stood, winner in seen:
        for place, car in enumerate(stood):
            by_place[at, place].append(car.number == winner)
    guess = {key: sum(won) / len(won) for key, won in by_place.items()}
    base = [
        (guess[at, place] - (car.number == winner)) ** 2
        for at, stood, winner in seen
        for place, car in enumerate(stood)
    ]
    print(f"by position alone: Brier {sum(base) / len(base):.4f}")
    for scatter in said.scatter:
        reckoned.SCATTER = scatter
        bins: dict[int, list[tuple[float, bool]]] = defaultdict(list)
        for _, stood, winner in seen:
            for number, chances in odds_of(stood).items():
                bins[min(int(10 * chances[0]), 9)].append((chances[0], number == winner))
        told = [one for inside in bins.values() for one in inside]
        print(f"scatter {scatter}: Brier {sum((chance - won) ** 2 for chance, won in told) / len(told):.4f}")
        for tenth, inside in sorted(bins.items()):
            mean, came = (sum(column) / len(inside) for column in zip(*inside, strict=True))
            print(f"  {10 * tenth:3}-{10 * tenth + 10} %: {len(inside):6} cases, said {mean:6.1%}, came {came:6.1%}")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
