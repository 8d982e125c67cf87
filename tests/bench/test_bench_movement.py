"""How fast the board is searched: `pytest tests/bench/test_bench_movement.py -s`.

Landings of a roll on Monaco with their costs, every braking option (three brakes), gears equally often and faces by
die, five cars within 25 spaces; without danger spaces and with six in reach. Compared, in the same run, with the plain
way: for each braking option a walk over the board, space by space.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable

import pytest

from companion.circuits import load
from companion.rules.dice import GEAR_DICE
from companion.rules.movement import Leg
from companion.rules.race import Move
from companion.rules.track import Track
from tests.table import Table

ROLLS = 18
TABLES = 60


def tables(dangers: int) -> list[Table]:
    track = load("monaco")
    rng = random.Random(90)
    row = sorted((space.id for space in track.spaces if space.section >= 0), key=lambda x: track.order[x])
    made = []
    for _ in range(TABLES):
        first = rng.randrange(len(row))
        near = [row[(first + k) % len(row)] for k in range(1, 75)]
        picked = [track.spaces[x].name for x in rng.sample(near, 5 + dangers)]
        cars = [{"car": 1, "at": track.spaces[row[first]].name, "gear": 4}]
        cars += [{"car": n, "at": name, "gear": 4} for n, name in enumerate(picked[:5], 2)]
        table = Table(cars, to_play=[1], dangers=picked[5:])
        table.race.move = Move(car=1, begin=table.car(1).at or "", lap=1)
        made.append(table)
    return made


def rolls() -> list[int]:
    rng = random.Random(90)
    return [rng.choice(GEAR_DICE[gear]) for gear in range(1, 7) for _ in range(ROLLS // 6)]


def walk(track: Track, leg: Leg, distance: int) -> set[int]:
    """The plain way to the stops of one braking option: every way of exactly that length, space by space."""
    shortest: dict[int, dict[int, int]] = {}

    def short(entry: int, space: int) -> int:
        if entry not in shortest:
            seen, layer, steps = {entry: 0}, {entry}, 0
            while layer and steps < distance:
                steps += 1
                layer = {
                    y
                    for x in layer
                    for y in track.moves[x]
                    if y not in leg.taken and y not in seen and track.straight[y] == track.straight[entry]
                }
                seen.update(dict.fromkeys(layer, steps))
            shortest[entry] = seen
        return shortest[entry].get(space, 99)

    begin = track.corner[leg.start]
    done = begin >= 0 and leg.made >= track.corners[begin].stops
    layer = {(leg.start, leg.start if begin < 0 else -1, 0, "done" if done or begin < 0 else "owed")}
    for _ in range(distance):
        after = set()
        for space, entry, steps, mode in layer:
            if mode == "over":
                if (ahead := track.ahead[space]) >= 0 and ahead not in leg.taken:
                    after.add((ahead, -1, 0, mode))
                continue
            if entry >= 0 and short(entry, space) != steps:
                continue
            for y in track.moves[space]:
                if y in leg.taken:
                    continue
                if track.corner[y] >= 0 and track.corner[y] != track.corner[space]:
                    after.add((y, -1, 0, "over" if mode == "owed" else "owed"))
                elif track.corner[y] >= 0:
                    after.add((y, -1, 0, mode))
                elif mode == "owed":
                    after.add((y, -1, 0, "over"))
                elif entry >= 0:
                    after.add((y, entry, steps + 1, mode))
                else:
                    after.add((y, y, 0, mode))
        layer = after
    return {space for space, entry, steps, _ in layer if entry < 0 or short(entry, space) == steps}


def timed(work: Callable[[], int]) -> tuple[int, float]:
    best, count = 9e9, 0
    for _ in range(3):
        begin = time.perf_counter()
        count = work()
        best = min(best, time.perf_counter() - begin)
    return count, best


@pytest.mark.parametrize(("dangers", "wanted"), [(0, 30_000), (6, 10_000)])
def test_landings_a_second(dangers: int, wanted: int) -> None:
    made, faces = tables(dangers), rolls()

    def priced() -> int:
        count = 0
        for table in made:
            for face in faces:
                question = table.rulebook.landing_question(table.car(1), face)
                assert question is not None
                count += len(question.options())
        return count

    count, seconds = timed(priced)
    rate = count / seconds
    print(f"\n{dangers} dangers: {rate:,.0f} landings/s with costs ({len(made) * len(faces) / seconds:,.0f} rolls/s)")
    assert rate >= wanted


def test_one_pass_against_a_walk_for_each_braking_option() -> None:
    made, faces = tables(0), rolls()
    track = load("monaco")
    legs = [table.rulebook.leg(table.car(1), face)._replace(until=-1) for table in made for face in faces]

    def one_pass() -> int:
        return sum(len(made[0].rulebook.board.landings(leg)) for leg in legs)

    def walks() -> int:
        return sum(
            len(walk(track, leg, leg.spaces - brakes)) for leg in legs for brakes in range(min(3, leg.spaces - 1) + 1)
        )

    for leg in legs:
        found = {(x.space, x.brakes) for x in made[0].rulebook.board.landings(leg) if not x.blocked and x.moved}
        plain = {
            (space, brakes)
            for brakes in range(min(3, leg.spaces - 1) + 1)
            for space in walk(track, leg, leg.spaces - brakes)
        }
        assert found == plain
    _, fast = timed(one_pass)
    _, slow = timed(walks)
    print(
        f"\none pass {fast / len(legs) * 1e6:,.0f} us a roll, a walk for each braking option {slow / len(legs) * 1e6:,.0f} us"
    )
    print(f"ratio {slow / fast:.1f}")
    assert slow / fast >= 4
