"""Positions as the log keeps them, hands and all, at the beginning of each round and at the end.

`public` has the part that a seat at the table may know.
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
    """Return the position of the race; `whole` adds what the cars began with, `over` the result."""
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
        own = _added(car, Car)
        if wings := getattr(car, "wings", ""):
            own["wings"] = wings
        if own:
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
    """Return what a rulebook keeps of a car or a race beside what its family of rulebooks does.

    Left out is what is said otherwise: a section by its name, as the place of a car.
    """
    said = {*family.__struct_fields__, *getattr(thing, "said_otherwise", ())}
    names = [name for name in thing.__struct_fields__ if name not in said]
    own: dict[str, Json] = msgspec.to_builtins({name: getattr(thing, name) for name in names})
    return own
