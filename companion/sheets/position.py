"""How a race stands, as the log keeps it at the beginning of each round and at the end."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import msgspec

from companion.rules.conversation.asking import Json
from companion.rules.conversation.conversation import Rulebook
from companion.rules.dice.state import Car, Race

if TYPE_CHECKING:
    from companion.rules.circuit.track import Track
    from companion.rules.ninety.circuit import SectionTrack
    from companion.rules.ninety.state import SectionCar, SectionRace

Position = dict[str, Json]
"""How the race stood when a round began or the race ended: {"round", "order", "cars", "result"}."""


class Referee(Rulebook, Protocol):
    """What the desk needs of a rulebook beside the conversation."""

    @property
    def race(self) -> Race[Car] | SectionRace: ...
    @property
    def track(self) -> Track | SectionTrack: ...
    @property
    def name(self) -> str: ...
    @property
    def VERSION(self) -> str: ...  # noqa: N802
    def running_order(self) -> list[int]: ...
    def result(self) -> list[dict[str, Json]]: ...
    def spare(self) -> Referee: ...
    def state(self) -> dict[str, Json]: ...


def position(rulebook: Referee, *, whole: bool, over: bool) -> Position:
    """How the race stands; `whole` adds what the cars began with, `over` the result."""
    race = rulebook.race
    cars: dict[str, Json] = {}
    for car in race.cars:
        values: dict[str, Json] = {
            "at": car.at,
            "gear": car.gear,
            "lap": car.lap,
            "status": car.status,
            "tyres": car.tyres,
            "wear": dict(car.wear),
        }
        if own := _added(car, Car):
            values["more"] = own
        if whole:
            values |= {"built": dict(car.built), "driver": car.driver, "team": car.team, "stand": car.stand}
        cars[str(car.number)] = values
    stands: Position = {
        "round": rulebook.round,
        "order": rulebook.running_order(),
        "sky": race.sky,
        "surface": race.surface,
        "cars": cars,
    }
    if own := _added(race, Race):
        stands["more"] = own
    if over:
        stands["result"] = rulebook.result()
    return stands


def _added(thing: Race[Car] | SectionRace | Car | SectionCar, family: type[Race[Car]] | type[Car]) -> dict[str, Json]:
    """What a rulebook keeps of a car or a race beside what the family of rulebooks does, and beside what is said
    otherwise: a section by its name, as the place of a car."""
    said = {*family.__struct_fields__, *getattr(thing, "said_otherwise", ())}
    names = [name for name in thing.__struct_fields__ if name not in said]
    own: dict[str, Json] = msgspec.to_builtins({name: getattr(thing, name) for name in names})
    return own
