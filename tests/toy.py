"""A small dice race for tests of the desk: quick, and with a rule of every kind that the desk has to do with.

Each turn a car chooses a gear, rolls, and chooses to stop there or one short at the cost of a brake; who lands on a
multiple of seven rolls the black die and loses an engine point below five, and is out with the last one.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

import msgspec

from companion.rules.conversation.asking import Asked, Json, Option, Procedure, Question, Ruling, ask
from companion.rules.conversation.errors import BadAnswer, BadOverride
from companion.rules.conversation.kinds import POOLS
from companion.rules.dice.state import Car, RaceState

LENGTH = 40
SETUP = {"track": "toy", "laps": 1, "cars": [{"car": 1, "driver": "Ada"}, {"car": 2, "driver": "Ben"}, {"car": 3}]}


class Pick(Question[int]):
    """One of a few whole numbers, each with what it costs in brakes."""

    def __init__(self, kind: str, car: int, article: str, costs: dict[int, int], what: str = "") -> None:
        super().__init__(car, article, what)
        self.kind, self.costs = kind, costs

    @property
    def ask(self) -> str:  # type: ignore[override]
        return self.kind

    def options(self) -> list[Option]:
        return [Option(value, {"brakes": -cost} if cost else {}) for value, cost in self.costs.items()]

    def read(self, answer: Json) -> int:
        if isinstance(answer, bool) or answer not in self.costs:
            raise BadAnswer(f"{answer} is not among {list(self.costs)}.")
        return int(answer)

    def force(self, answer: Json) -> int:
        if isinstance(answer, bool) or not isinstance(answer, int):
            raise BadAnswer(f"{answer} is no number.")
        return answer


class Die(Question[int]):
    """A die with that many faces."""

    def __init__(self, car: int, high: int, kind: str = "roll", what: str = "") -> None:
        super().__init__(car, "6-2", what)
        self.kind, self.faces = kind, range(1, high + 1)

    @property
    def ask(self) -> str:  # type: ignore[override]
        return self.kind

    def read(self, answer: Json) -> int:
        if isinstance(answer, bool) or not isinstance(answer, int) or answer not in self.faces:
            raise BadAnswer(f"The die shows 1 to {len(self.faces)}; {answer} is not on it.")
        return answer


class Toy:
    name = "toy"
    VERSION = "toy 1"
    harm = 4
    """The highest losing face of the black die."""

    def __init__(self, race: RaceState) -> None:
        self.race = race
        self.ruled: list[Ruling] = []
        self.fail_on: Any = None
        if race.phase == "setup":
            self.ruled.append(Ruling("reminder", "0-1"))
            race.phase, race.round = "race", 1

    @property
    def round(self) -> int:
        return self.race.round

    def hide_unknown(self, hidden: bool) -> None:
        """Nothing is hidden here."""

    def clone(self) -> Toy:
        other = type(self)(self.race)
        other.load(self.save())
        other.ruled.clear()
        return other

    def save(self) -> bytes:
        return msgspec.msgpack.encode(self.race)

    def load(self, saved: bytes) -> None:
        self.race = msgspec.msgpack.decode(saved, type=RaceState)

    def running_order(self) -> list[int]:
        return [car.number for car in sorted(self.race.cars, key=lambda car: -car.lap)]

    def result(self) -> list[dict[str, Json]]:
        return [{"place": place, "car": number} for place, number in enumerate(self.running_order(), 1)]

    def car(self, number: int) -> Car:
        for car in self.race.cars:
            if car.number == number:
                return car
        raise BadOverride(f"There is no car {number}.")

    def step(self) -> Procedure[None] | None:
        race = self.race
        alive = [car for car in race.cars if car.status == "grid"]
        if not alive or any(car.lap >= LENGTH for car in race.cars):
            return None
        waiting = [car for car in alive if self.waits(car)]
        return self.turn(waiting[0].number) if waiting else self.next_round()

    def waits(self, car: Car) -> bool:
        return car.status == "grid" and car.number not in self.race.played

    def next_round(self) -> Procedure[None]:
        self.race.round += 1
        self.race.played = []
        self.ruled.append(Ruling("round", "6-1", facts={"round": self.race.round}))
        return
        yield

    def gears(self, number: int) -> Question[int] | None:
        car = self.car(number)
        return Pick("gear", number, "6-1", dict.fromkeys(range(max(1, car.gear - 1), min(4, car.gear + 1) + 1), 0))

    def landings(self, number: int, face: int) -> Question[int]:
        costs = {face: 0}
        if self.car(number).wear["brakes"] and face > 1:
            costs[face - 1] = 1
        return Pick("landing", number, "7-1", costs, f"spaces_{face}")

    def turn(self, number: int) -> Procedure[None]:
        gear = yield from ask(self.gears, number)
        self.car(number).gear = gear
        face = yield from ask(lambda: Die(number, gear * 3, what=f"gear_{gear}"))
        if face == self.fail_on:
            raise ZeroDivisionError("the toy fails")
        spaces = yield from ask(self.landings, number, face)
        car = self.car(number)
        car.lap += spaces
        lost = max(0, min(face - spaces, car.wear["brakes"]))
        car.wear["brakes"] -= lost
        self.ruled.append(Ruling("move", "7-1", number, {"brakes": -lost} if lost else {}, {"spaces": spaces}))
        if car.lap % 7 == 0:
            test = yield from ask(lambda: Die(number, 20, "test", "engine"))
            if test <= self.harm:
                car = self.car(number)
                car.wear["engine"] = max(0, car.wear["engine"] - 1)
                self.ruled.append(Ruling("engine", "16-1", number, {"engine": -1}, {"face": test}))
                if not car.wear["engine"]:
                    car.status = "out"
                    self.ruled.append(Ruling("out", "5-1", number, {}, {"cause": "engine"}))
        self.race.played.append(number)

    def with_laps(self, change: Mapping[str, Json]) -> dict[str, Json]:
        """No lap goes with anything here."""
        return dict(change)

    def check_effect(self, change: Mapping[str, Json]) -> None:
        """Every value counts here."""

    def override(self, change: Mapping[str, Json]) -> bool:
        values = [*change.get("cars", []), *([change] if "car" in change else [])]
        if not values and "surface" not in change:
            raise BadOverride("Nothing that can be set.")
        for one in values:
            self.car(one["car"])
            if set(one) - {"car", "wear", "status", "cause"} or set(one.get("wear", {})) - set(POOLS):
                raise BadOverride("The toy sets wear and status.")
        playing = next((car for car in self.race.cars if self.waits(car)), None)
        for one in values:
            car = self.car(one["car"])
            car.wear.update(one.get("wear", {}))
            car.status = one.get("status", car.status)
        if "surface" in change:
            self.race.surface = change["surface"]
        self.ruled.append(Ruling("override", "ruling 4", facts={"change": dict(change)}))
        return playing is not None and not self.waits(playing)

    def abandon(self) -> None:
        pass


class OtherToy(Toy):
    """Another version: the black die harms more often."""

    VERSION = "toy 2"
    harm = 8


def toy(setup: Mapping[str, Any] = SETUP, _track: str = "", kind: type[Toy] = Toy) -> Toy:
    wear = {"tyres": 6, "brakes": 3, "gearbox": 3, "body": 3, "engine": 3, "handling": 2}
    cars = [
        Car(number=car["car"], driver=car.get("driver", ""), wear=dict(wear), built=dict(wear), gear=1)
        for car in setup["cars"]
    ]
    return kind(RaceState(laps=setup["laps"], cars=cars))


def pick(asked: Asked, rng: Random) -> Json:
    """A legal answer."""
    if asked.faces is not None:
        return rng.choice(asked.faces)
    assert asked.options
    return rng.choice(asked.options).answer
