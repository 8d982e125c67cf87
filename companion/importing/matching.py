"""Pairing each space with at most one space ahead of it, at the least cost."""

from __future__ import annotations

from heapq import heappop, heappush
from itertools import count

Costs = dict[int, dict[int, float]]


def cheapest_pairs(costs: Costs, alone: float) -> dict[int, int]:
    """From each key to at most one of its values' keys, none taken twice.

    The sum of the costs is the least there is, a key left without a partner counting as `alone`. Costs are at
    least 0. (Shortest augmenting paths with potentials: one search a key, each a short walk on a board.)
    """
    pair: dict[int, int] = {}
    taken: dict[int, int] = {}
    height: dict[int, float] = {}
    """Potential of each target (how dear it has become), so that no search meets a negative cost."""
    floor: dict[int, float] = {}
    ticket = count()
    for start in costs:
        far: dict[int, float] = {}
        came: dict[int, int] = {}
        done: set[int] = set()
        floor[start] = min([c - height.get(j, 0.0) for j, c in costs[start].items()] + [alone])
        queue: list[tuple[float, int, int, int]] = []
        best, last = alone - floor[start], start
        goal: int | None = None
        now, here = 0.0, start
        while True:
            for j, cost in costs[here].items():
                length = now + cost - floor[here] - height.get(j, 0.0)
                if j not in done and length < far.get(j, float("inf")) - 1e-12:
                    far[j] = length
                    came[j] = here
                    heappush(queue, (length, next(ticket), j, here))
            while queue and (queue[0][2] in done or queue[0][0] > far[queue[0][2]] + 1e-12):
                heappop(queue)
            if not queue or queue[0][0] >= best:
                break
            now, _, j, _ = heappop(queue)
            done.add(j)
            if j not in taken:
                best, goal = now, j
                break
            here = taken[j]
            if now + alone - floor[here] < best:
                best, last, goal = now + alone - floor[here], here, None
        for j in done:
            if far[j] < best:
                height[j] = height.get(j, 0.0) + far[j] - best
                if j in taken:
                    floor[taken[j]] += best - far[j]
        floor[start] += best
        if goal is None and last != start:
            goal = pair.pop(last)
            # `last` stays alone; its former partner is handed down the path that led to it.
        while goal is not None:
            here = came[goal]
            given = pair.get(here)
            pair[here] = goal
            taken[goal] = here
            if here == start:
                break
            goal = given
    return pair
