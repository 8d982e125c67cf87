"""The differences between two states of a race, value by value: a correction as people are shown it.

Two states, and not the rulings that led to them: a ruling says what a step brings, and where a car stands and in which
gear after many steps is in no single one. Of points and of the weather die that is due the rulings say the same, as
random corrections hold.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final, Protocol

import msgspec

from companion.rules.conversation.asking import Json


class Change(msgspec.Struct, frozen=True, omit_defaults=True):
    """One value of a car, or of the race, that differs between two states.

    `what` is a pool of wear, the name of a value, or "danger" for a marker that comes (`was` is None) or goes (`now` is
    None).
    """

    what: str
    was: Json
    now: Json
    car: int | None = None


class CarState(Protocol):
    """A car in a state of a race, as far as every rulebook has it; what else it has is looked for by name."""

    @property
    def number(self) -> int: ...
    @property
    def status(self) -> str: ...


class State(Protocol):
    """A state of a race, as far as every rulebook has it."""

    @property
    def cars(self) -> Sequence[CarState]: ...
    @property
    def dangers(self) -> Sequence[str]: ...
    @property
    def due(self) -> Sequence[int]: ...


_CAR: Final = (
    "status", "cause", "coast", "at", "gear", "lap", "stops", "tyres", "tyre_laps", "wings", "stand", "stop",
    "bought", "kers", "bonus", "raced",
    "permanent", "strategy", "check", "point", "defence", "utility", "service",
    "most", "used", "busy",
)  # fmt: skip
_COUNTED: Final = ("wear", "weapons", "stock", "allowances")
_RACE: Final = ("sky", "surface", "fixed", "started")


def changes(before: State, after: State, first: int | None = None) -> list[Change]:
    """Every change from one state of a race to another; those of car `first` come first."""
    cars = zip(before.cars, after.cars, strict=True)
    found = [change for old, new in cars for change in _of_car(old, new)]
    found.sort(key=lambda change: change.car != first)
    found += [
        Change(name, old, new)
        for name in _RACE
        if (old := getattr(before, name, None)) != (new := getattr(after, name, None))
    ]
    was, now = (Counter(getattr(state, "lying", state.dangers)) for state in (before, after))
    found += [Change("danger", space, None) for space in (was - now).elements()]
    found += [Change("danger", None, space) for space in (now - was).elements()]
    found += [Change("due", True, False, car) for car in before.due if car not in after.due]
    found += [Change("due", False, True, car) for car in after.due if car not in before.due]
    return found


def _of_car(old: CarState, new: CarState) -> Iterator[Change]:
    for name in _COUNTED:
        was, now = getattr(old, name, {}), getattr(new, name, {})
        for key in {**was, **now}:
            if was.get(key, 0) != now.get(key, 0):
                yield Change(key, was.get(key, 0), now.get(key, 0), new.number)
    for name in _CAR:
        was, now = getattr(old, name, None), getattr(new, name, None)
        said = name in ("cause", "coast") and old.status != new.status  # the status says it
        if was != now and not said:
            yield Change(name, was, now, new.number)
