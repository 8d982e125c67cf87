"""How fast whole races are refereed: `pytest tests/bench/test_bench_race.py -s`.

Car-turns a second of whole races on Monaco, ten cars, three laps, sensible driver, desk in memory; beside them the same
answers given again to the desk without a driver. By the processor's clock, best of five; the first time the driver has
nothing in mind yet.
"""

from __future__ import annotations

import time
from typing import Any

from companion.circuits import load
from companion.desk import RaceDesk
from companion.drivers.sensible import HeuristicDriver
from companion.rules.rulebooks import begin
from tests.bench.smoke import SMOKE, size

SETUP: dict[str, Any] = {"track": "monaco", "laps": 3, "cars": [{"car": number} for number in range(1, 11)]}
RACES = size(4, 1)


def test_car_turns_a_second() -> None:
    track = load("monaco")
    best = 0.0
    for _ in range(size(5, 1)):
        turns, began = 0, time.process_time()
        played: list[list[object]] = []
        for seed in range(RACES):
            desk, driver = RaceDesk(begin(SETUP, track), setup=SETUP), HeuristicDriver(track, seed)
            given: list[object] = []
            while (asked := desk.asked) is not None:
                answer = driver.answer(asked, desk.rulebook.race)
                turns += asked.ask in ("gear", "start")
                desk.answer(answer)
                given.append(answer)
            played.append(given)
        took = time.process_time() - began
        began = time.process_time()
        for given in played:
            desk = RaceDesk(begin(SETUP, track), setup=SETUP)
            for answer in given:
                desk.answer(answer)
        again = time.process_time() - began
        best = max(best, turns / took)
        assert 25 * len(SETUP["cars"]) < turns / RACES < 75 * len(SETUP["cars"]), "not whole races of three laps"
        assert 2.5 < sum(map(len, played)) / turns < 6, "a turn is a gear, a roll and a landing, or more"
        print(
            f"\n{turns / took:,.0f} car-turns a second ({turns} turns, {sum(map(len, played)) / took:,.0f} answers a "
            f"second); the same answers without the driver {turns / again:,.0f} car-turns a second"
        )
    assert SMOKE or best >= 3000
