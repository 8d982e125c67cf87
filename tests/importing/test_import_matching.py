"""The cheapest pairs are the cheapest, by trying them all."""

import random
from functools import cache

from companion.importing.matching import cheapest_pairs


def least(costs: dict[int, dict[int, float]], alone: float) -> float:
    keys = sorted(costs)

    @cache
    def rest(at: int, taken: frozenset[int]) -> float:
        if at == len(keys):
            return 0.0
        best = alone + rest(at + 1, taken)
        for to, cost in costs[keys[at]].items():
            if to not in taken:
                best = min(best, cost + rest(at + 1, taken | {to}))
        return best

    return rest(0, frozenset())


def test_pairs_cost_the_least_there_is() -> None:
    rng = random.Random(1)
    for _ in range(600):
        targets = range(100, 100 + rng.randint(1, 7))
        costs = {
            key: {
                to: rng.choice((0.0, 0.1, 0.36, 1.0, rng.random()))
                for to in rng.sample(targets, rng.randint(0, min(3, len(targets))))
            }
            for key in range(rng.randint(1, 7))
        }
        alone = rng.choice((0.05, 0.4, 1.0))
        pairs = cheapest_pairs(costs, alone)
        assert len(set(pairs.values())) == len(pairs)
        paid = sum(costs[a][b] for a, b in pairs.items()) + alone * (len(costs) - len(pairs))
        assert abs(paid - least(costs, alone)) < 1e-9
