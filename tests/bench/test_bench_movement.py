"""How fast the board is searched: `pytest tests/bench/test_bench_movement.py -s`.

Landings of a roll on Monaco with their costs, every braking option (three brakes), gears equally often and faces by
die, five cars within 25 spaces; without danger spaces and with six in reach. Compared, in the same run, with one search
for each braking option: the same search, and a plain one that walks space by space.
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable

import pytest
from msgspec.structs import replace

from companion.circuits import load
from companion.rules.circuit.leg import Landing
from companion.rules.conversation.faces import GEAR_DICE
from companion.rules.conversation.forms import Choice
from companion.rules.dice.state import Move
from tests.bench.smoke import SMOKE, size
from tests.rules.competition.reference_ways import Reference
from tests.table import Table

ROLLS = 18
TABLES = size(60, 3)


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
        assert table.car(1).status == "racing"
        assert len(table.race.cars) == 6
        made.append(table)
    return made


def rolls() -> list[tuple[int, int]]:
    """Gears, each with a face of its die."""
    rng = random.Random(90)
    return [(gear, rng.choice(GEAR_DICE[gear])) for gear in range(1, 7) for _ in range(ROLLS // 6)]


def asked(table: Table, gear: int, face: int) -> Choice[Landing]:
    """Where the car stops that has rolled a face in a gear, as it is asked in play."""
    table.race.move.gear = table.car(1).gear = gear
    question = table.rulebook.landings.landing_question(table.car(1), face)
    assert isinstance(question, Choice)
    return question


def timed(work: Callable[[], int]) -> tuple[int, float]:
    best, count = 9e9, 0
    for _ in range(size(3, 1)):
        begin = time.process_time()
        count = work()
        best = min(best, time.process_time() - begin)
    return count, best


@pytest.mark.parametrize(("dangers", "wanted", "least", "most"), [(0, 30_000, 8, 12), (6, 10_000, 16, 28)])
def test_landings_a_second(dangers: int, wanted: int, least: int, most: int) -> None:
    """Options a second, of as many options a roll as there are in play: a danger space on the way doubles them."""
    made, faces = tables(dangers), rolls()

    def priced() -> int:
        count = 0
        for table in made:
            for gear, face in faces:
                count += len(asked(table, gear, face).options())
        return count

    count, seconds = timed(priced)
    rate, many = count / seconds, count / (len(made) * len(faces))
    print(
        f"\n{dangers} dangers: {rate:,.0f} landings/s with costs ({len(made) * len(faces) / seconds:,.0f} rolls/s, "
        f"{many:.2f} options a roll)"
    )
    assert SMOKE or least <= many <= most, "not the landings of cars in play"
    assert SMOKE or rate >= wanted


def test_one_pass_against_one_search_for_each_braking_option() -> None:
    """At least four times as fast as a plain search for each braking option. The very same search, made once for each,
    is compared too: it can never take more times as long than there are options, and low faces have fewer than four.
    """
    made, faces = tables(0), rolls()
    track, board = load("monaco"), made[0].rulebook.board
    legs = [replace(table.rulebook.landings.leg(table.car(1), face), until=-1) for table in made for _, face in faces]
    options = [
        [replace(leg, spaces=leg.spaces - brakes, brakes=0) for brakes in range(min(leg.brakes, leg.spaces - 1) + 1)]
        for leg in legs
    ]

    def one_pass() -> int:
        return sum(len(board.landings(leg)) for leg in legs)

    def once_an_option() -> int:
        return sum(len(board.landings(leg)) for each in options for leg in each)

    def plain_once_an_option() -> int:
        return sum(len(Reference(track, leg).stops()) for each in options for leg in each)

    for leg, each in zip(legs, options, strict=True):
        found = {(x.space, x.brakes) for x in board.landings(leg) if x.moved and not x.blocked}
        plain = {
            (stop.space, leg.spaces - option.spaces)
            for option in each
            for stop in Reference(track, option).stops()
            if not stop.blocked
        }
        assert found == plain
    found_in_all, fast = timed(one_pass)
    assert SMOKE or found_in_all > 8 * len(legs), "not the landings of cars in play"
    assert max(map(len, options)) == 4, "three brakes"
    _, same = timed(once_an_option)
    _, slow = timed(plain_once_an_option)
    print(f"\none pass {fast / len(legs) * 1e6:,.0f} us a roll")
    many = statistics.mean(map(len, options))
    print(f"the same search once for each of {many:.1f} braking options: {same / fast:.1f} times as long")
    print(f"a plain search, space by space, once for each braking option: {slow / fast:.1f} times as long")
    assert SMOKE or slow / fast >= 4
    assert SMOKE or same / fast >= many / 2
