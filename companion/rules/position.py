"""Positions as the log keeps them, hands and all, at the beginning of each round and at the end.

`public` has the part that a seat at the table may know.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import msgspec

from companion.rules.conversation.asking import Json
from companion.rules.dice.state import Car, RaceState

if TYPE_CHECKING:
    from companion.rules.rulebooks import Book

Position = dict[str, Json]
"""State of the race when a round began or the race ended: {"round", "order", "cars", "result"}."""


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
    if own := _added(race, RaceState):
        stands["more"] = own
    if over:
        stands["result"] = book.result()
    return stands


def _added(thing: msgspec.Struct, family: type[msgspec.Struct]) -> dict[str, Json]:
    """Return what a rulebook keeps of a car or a race beside what its family of rulebooks does."""
    own: dict[str, Json] = msgspec.to_builtins(
        {name: getattr(thing, name) for name in _added_names(type(thing), family)}
    )
    return own


@cache
def _added_names(kind: type[msgspec.Struct], family: type[msgspec.Struct]) -> tuple[str, ...]:
    """Return the names of those values; a section, shown as the place of a car, is not among them."""
    said = {*family.__struct_fields__, *getattr(kind, "said_otherwise", ())}
    return tuple(name for name in kind.__struct_fields__ if name not in said)
