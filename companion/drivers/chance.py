"""A driver that answers anything legal, without preference: the first test of every rule."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from companion.drivers.assumed_board import look
from companion.rules.circuit.track import Track
from companion.rules.conversation.asking import Asked, Json
from companion.rules.conversation.faces import GEAR_DICE
from companion.rules.dice.state import Car, RaceState


class RandomDriver:
    """Answers at random among the legal answers: dice as they fall, cars built and moves seen anyhow."""

    def __init__(self, track: Track, seed: int = 0) -> None:
        self.track = track
        self.random = Random(seed)

    def answer(self, asked: Asked, race: RaceState[Car]) -> Json:
        """Return a legal answer at random, each as likely as any other."""
        if asked.ask == "roll":
            return self.random.choice(GEAR_DICE[int(asked.what.rpartition("_")[2])])
        if asked.faces is not None:
            return self.random.choice(asked.faces)
        if asked.ask == "setup" and "points" in (asked.fields or {}):
            return self.build(asked, race.pools)
        if asked.ask == "saw":
            return self.saw(asked, race)
        assert asked.options, f"nothing to choose from: {asked}"
        return self.random.choice(asked.options).answer

    def build(self, asked: Asked, pools: Sequence[str]) -> dict[str, Json]:
        """Return a car with its points spread at random."""
        assert asked.fields is not None
        least: int = asked.fields[pools[0]][0]
        points, kept = asked.fields["points"]
        stand = self.random.randint(0, kept)
        spread = dict.fromkeys(pools, least)
        for _ in range(points + kept - stand - least * len(pools)):
            spread[self.random.choice([pool for pool in pools if spread[pool] < asked.fields[pool][1]])] += 1
        return {**spread, "stand": stand}

    def saw(self, asked: Asked, race: RaceState[Car]) -> dict[str, Json]:
        """Return a made-up move, as a table would have seen it."""
        assert asked.fields is not None
        car = next(car for car in race.cars if car.number == asked.car)
        return look(self.track, race, car, asked.fields, self.random, wild=True)
