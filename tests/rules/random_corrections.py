"""Random races in which an earlier die was misread and is corrected, both ways: the race is then one that may be, and
goes on to the flag.

    python -m tests.rules.random_corrections                300 races in all rulebooks, each corrected both ways
    python -m tests.rules.random_corrections --races 40 --rulebook cup --first 100
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import Any, get_args

from companion.circuits import board
from companion.desk import Correction, RaceDesk
from companion.drivers.cards import HeuristicCardDriver
from companion.drivers.chance import RandomDriver
from companion.drivers.sensible import HeuristicDriver
from companion.rules.conversation.asking import Asked, Json, Ruling
from companion.rules.conversation.errors import BadAnswer
from companion.rules.conversation.kinds import Pool
from companion.rules.rulebooks import RULEBOOKS, begin
from companion.sheets.acts import Item

LONGEST = 4000
"""Answers after which a race cannot be going on any more."""
DICE = ("roll", "test", "start", "drawn")
"""The questions that a die, or a card turned over, answers."""
WAYS = ("replay", "board")
ROADS = {
    "beginner": ("monaco", "kestrel-moor", "spa"),
    "formula-d": ("monaco", "kestrel-moor", "spa"),
    "competition": ("monaco", "kestrel-moor", "indianapolis-oval", "spa"),
    "cup": ("porto-sereno", "monaco", "monza"),
    "league": ("monaco", "copper-basin", "spa"),
    "death": ("porto-sereno", "monaco"),
    "ninety": ("quarry-hill", "saltmarsh"),
}
WEIGHTY = ("out", "spin", "hit", "flat_out", "damage", "stall", "great_start", "finish", "handling", "quick_stop")
FRAGILE: dict[str, Json] = {"engine_dry": 9, "engine_wet": 9, "collision_dry": 6, "handling_dry": 10}
"""Two races of three are of brittle cars that fail their tests often, so that a corrected die has consequences."""
DRY: dict[str, Json] = {name: value for name, value in FRAGILE.items() if name.endswith("_dry")}
BRITTLE: dict[str, Json] = {
    "beginner": {"car_points": 4, "collision_dry": 8, "engine_dry": 9},
    "formula-d": {**DRY, "wear_setup": [5, 3, 3, 1, 1, 1]},
    "competition": FRAGILE,
    "cup": {**FRAGILE, "base": [4, 2, 2, 0, 0, 0]},
    "league": {**FRAGILE, "wear_setup": [5, 3, 3, 1, 1, 1]},
    "death": {"car_points": 4, "collision_dry": 8, "engine_dry": 9},
    "ninety": {"charts": [[5, 6, 1], [4, 5, 2], [6, 7, 1], [3, 5, 1], [6, 6, 2], [4, 6, 1]]},
}


class Corrected:
    """One race with one die corrected in one way; the same seed is the same race and the same die."""

    def __init__(self, seed: int, keep: str, rulebook: str = "") -> None:
        self.random = Random(seed)
        self.keep = keep
        self.rulebook = rulebook or list(RULEBOOKS)[seed % len(RULEBOOKS)]
        self.track: Any = board(self.random.choice(ROADS[self.rulebook]))
        setup: dict[str, Any] = {"rulebook": self.rulebook, "track": self.track.key}
        setup["cars"] = [{"car": number} for number in range(1, self.random.randint(3, 6))]
        if self.rulebook == "ninety":
            setup["laps"] = self.random.randint(6, 12)
            self.drivers: list[Any] = [HeuristicCardDriver(self.track, seed)]
        else:
            setup["laps"] = self.random.randint(1, 2)
            weather = "sky" in RULEBOOKS[self.rulebook].race_values
            setup |= {"sky": "changeable", "practice": "sun"} if weather else {}
            self.drivers = [HeuristicDriver(self.track, seed), RandomDriver(self.track, seed)]
        if self.random.random() < 0.67:
            setup["options"] = BRITTLE[self.rulebook]
            for car in setup["cars"] if self.rulebook == "competition" else ():
                car["wear"] = {"tyres": 7, "brakes": 5, "gearbox": 5, "body": 1, "engine": 1, "handling": 1}
        self.desk = RaceDesk(begin(setup, self.track), setup=setup)
        self.told: Correction | None = None
        self.asked_beside = self.weather = 0

    def play(self) -> None:
        """Plays on to some moment after the first round, corrects a die, and plays to the flag."""
        desk = self.desk
        while desk.asked is not None and desk.rulebook.round < 2:
            self.answer()
        for _ in range(self.random.randint(0, 150)):
            if desk.asked is None:
                break
            self.answer()
        self.told = self.correct()
        self.check()
        while desk.asked is not None:
            self.answer()
            assert desk.n < LONGEST, "the race does not end"
            if desk.n % 7 == 0:
                self.check()
        self.check()
        race: Any = desk.rulebook.race
        assert race.phase == "over"
        assert not any(car.alive for car in race.cars)

    def answer(self) -> None:
        """The open question is answered, mostly with sense, and flat out where it can be."""
        asked = self.desk.asked
        assert asked is not None
        self.desk.answer(self.say(asked))

    def say(self, asked: Asked) -> Json:
        """An answer to a question."""
        if asked.options and asked.options[0].facts.get("stands") and self.random.random() < 0.5:
            return asked.options[0].answer
        if asked.ask == "roll" and asked.faces and self.random.random() < 0.3:
            return asked.faces[-1]
        driver = self.drivers[self.random.random() < 0.15] if len(self.drivers) > 1 else self.drivers[0]
        return driver.answer(asked, self.desk.rulebook.race)

    def check(self) -> None:
        """The check of a position finds nothing."""
        rulebook: Any = self.desk.rulebook
        faults = list(rulebook.faults())
        assert not faults, faults

    # -- the correction

    def correct(self) -> Correction | None:
        """Some die of the last rounds was another face; None if each that was tried is refused in a sentence."""
        desk = self.desk
        dice = [done for done in desk.answers() if done.ask in DICE and done.kind == "answer"]
        self.random.shuffle(dice)
        if self.random.random() < 0.7:
            dice.sort(key=lambda done: not self.weighty(done.n))
        for done in dice[:12]:
            other = self.another(done.n, done.answer)
            if other is None:
                continue
            try:
                return self._corrected(done.n, other)
            except BadAnswer as refused:
                if "replay" not in str(refused):
                    raise
        return None

    def weighty(self, n: int) -> bool:
        """Whether much hung on a die: it broke something, or would have as another face."""
        item = self.desk.history.items[n]
        key = item.event.key
        assert key is not None
        return key[3] in ("gear_5", "gear_6", "engine") or any(ruling.kind in WEIGHTY for ruling in item.rulings)

    def another(self, n: int, was: Json) -> Json:
        """Another face of that die; the ones that break and spare things come up more often than others."""
        desk: Any = self.desk
        asked = desk.conversation.fork(desk.rulebook.clone(), n).asked
        if asked is None:
            return None
        if asked.faces is None:
            return self.drivers[0].answer(asked, desk.rulebook.race)
        faces = [face for face in asked.faces if face != was]
        ends = [face for face in (asked.faces[0], asked.faces[-1]) if face != was]
        return self.random.choice(ends if ends and self.random.random() < 0.7 else faces)

    def _corrected(self, n: int, answer: Json) -> Correction:
        desk, then = self.desk, []
        if self.keep == "replay":
            before = list(desk.history.items)
            told = desk.correct(n, answer)
            self.as_ruled(told, before)
            return told
        told = desk.try_correction(n, answer, keep="board")
        while told.asks is not None:
            said = self.say(told.asks)
            try:
                told = desk.try_correction(n, answer, keep="board", then=[*then, said])
            except BadAnswer:
                if told.asks.ask != "saw":  # what nobody saw is made up, and may be refused
                    raise
                continue
            then.append(said)
        self.asked_beside = len(then)
        return desk.correct(n, answer, keep="board", then=then)

    def as_ruled(self, told: Correction, before: Sequence[Item]) -> None:
        """What the preview says of points and of the weather die is what the rulings say, those that were and those
        that are."""
        items, places = self.desk.history.items, range(told.n, told.n + told.kept + 1)
        old, new = ([one for at in places for one in kept[at].rulings] for kept in (before, items))
        was, now = _points(old), _points(new)
        ruled = {
            key: (was[key][1] if key in was else now[key][0], now[key][1] if key in now else was[key][0])
            for key in {**was, **now}
        }
        said = {(one.car, one.what): (one.was, one.now) for one in told.changes if one.what in POOLS}
        assert said == {key: values for key, values in ruled.items() if key[1] in POOLS and values[0] != values[1]}
        owed = _owed(new)
        owed.subtract(_owed(old))
        fixed = any(one.what == "fixed" for one in told.changes)  # nothing is due then any more
        for one in told.changes:
            assert one.what != "due" or fixed or (owed[one.car] > 0 if one.now else owed[one.car] < 0), one
            self.weather += one.what == "due"


POOLS = frozenset(get_args(Pool))


def _points(rulings: Sequence[Ruling]) -> dict[tuple[int | None, str], tuple[int, int]]:
    """What each pool of each car held before the first ruling on it, and after the last."""
    found: dict[tuple[int | None, str], tuple[int, int]] = {}
    for ruling in rulings:
        for name, left in ruling.left.items():
            key = ruling.car, name
            found[key] = found[key][0] if key in found else ruling.before[name], left
    return found


def _owed(rulings: Sequence[Ruling]) -> Counter[int | None]:
    """How often the weather die fell due for each car, less what was drawn of it."""
    found = Counter(one.car for one in rulings if one.kind == "weather_due")
    found.subtract(one.car for one in rulings if one.kind == "weather")
    return found


def main() -> int:
    parse = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parse.add_argument("--races", type=int, default=300)
    parse.add_argument("--first", type=int, default=0)
    parse.add_argument("--rulebook", default="", choices=["", *RULEBOOKS])
    said = parse.parse_args()
    tally: Counter[str] = Counter()
    failed = 0
    for seed in range(said.first, said.first + said.races):
        for keep in WAYS:
            race = Corrected(seed, keep, said.rulebook)
            try:
                race.play()
            except Exception as failure:
                failed += 1
                print(f"{race.rulebook} {race.track.key} seed {seed} {keep}: {type(failure).__name__}: {failure}")
                continue
            tally[f"{keep}: played"] += 1
            told = race.told
            if told is None:
                tally[f"{keep}: no die could be corrected"] += 1
                continue
            for what in ("change", "left", "fell"):
                tally[f"{keep}: with {what}"] += bool(getattr(told, what))
            tally[f"{keep}: asked beside"] += bool(race.asked_beside)
            tally[f"{keep}: weather die comes or goes"] += bool(race.weather)
            for car in (told.change or {}).get("cars", []):
                if "status" in car:
                    tally[f"{keep}: status {car['status']}"] += 1
    for what, count in sorted(tally.items()):
        if count:
            print(f"{count:6} {what}")
    print(f"{failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
