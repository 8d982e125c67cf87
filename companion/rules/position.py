"""How a race stands, as the log keeps it at the beginning of each round and at the end: the race itself, hands and all.

What somebody at the table may know of it is `public`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from companion.rules.conversation.asking import Json
from companion.rules.dice.state import Car, Race

if TYPE_CHECKING:
    from companion.rules.rulebooks import Book

Position = dict[str, Json]
"""How the race stood when a round began or the race ended: {"round", "order", "cars", "result"}."""


def position(book: Book, *, whole: bool, over: bool) -> Position:
    """How the race stands; `whole` adds what the cars began with, `over` the result."""
    race = book.race
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
        "round": book.round,
        "order": book.running_order(),
        "sky": race.sky,
        "surface": race.surface,
        "cars": cars,
    }
    if own := _added(race, Race):
        stands["more"] = own
    if over:
        stands["result"] = book.result()
    return stands


def _added(thing: msgspec.Struct, family: type[msgspec.Struct]) -> dict[str, Json]:
    """What a rulebook keeps of a car or a race beside what the family of rulebooks does, and beside what is said
    otherwise: a section by its name, as the place of a car."""
    said = {*family.__struct_fields__, *getattr(thing, "said_otherwise", ())}
    names = [name for name in thing.__struct_fields__ if name not in said]
    own: dict[str, Json] = msgspec.to_builtins({name: getattr(thing, name) for name in names})
    return own
