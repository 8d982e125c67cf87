"""The pits: boxes along a lane, or a grid of columns in rulebooks that have one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from companion.rules.public import PublicDice, PublicDiceCar, PublicPits
from companion.view.shown_race import PitBox, PitCar, PitColumn, PitLane
from companion.view.sight import Sight
from companion.wording import capital

ASKS: Final = frozenset({"tyres", "stop", "repair"})


def pits(sight: Sight) -> tuple[PitColumn, ...]:
    """Return the columns of the pit grid while the pits are in question; otherwise ()."""
    grid = _grid(sight)
    if not _asked_of(sight) or grid is None:
        return ()
    columns = (("leaving", grid.leaving), ("pitting", grid.pitting))  # the one nearest the track first
    return tuple(
        PitColumn(name=sight.say(f"extra.{name}"), cars=tuple(_car(sight, number) for number in cars))
        for name, cars in columns
        if cars or sight.race.phase == "race"
    )


def _grid(sight: Sight) -> PublicPits | None:
    """Return the pit grid, where the rulebook has one."""
    return sight.race.pits if isinstance(sight.race, PublicDice) else None


def lane(sight: Sight) -> PitLane | None:
    """Return the pit lane with its boxes while a car in its box is asked.

    None otherwise, and where the pits are a grid.
    """
    asked = sight.asked
    if asked is None or asked.car is None or not _asked_of(sight) or _grid(sight) is not None:
        return None
    places = {number: (car.at or "").partition(":") for number, car in sight.cars.items()}
    if places[asked.car][0] != "box":
        return None
    track = sight.road
    spaces = len(track.pit.spaces) if track.pit is not None else 0
    return PitLane(
        boxes=tuple(_box(sight, number, places) for number in range(1, track.box_count + 1)),
        cars=tuple(
            ((int(at) - 0.5) / (spaces or track.box_count), sight.plate(number))
            for number, (where, _, at) in places.items()
            if where == "pit"
        ),
        spaces=spaces,
    )


def _asked_of(sight: Sight) -> bool:
    """Return True if the question is about the pits."""
    asked = sight.asked
    return asked is not None and (asked.ask in ASKS or asked.what in ("quick_stop", "leave"))


def _box(sight: Sight, number: int, places: Mapping[int, tuple[str, str, str]]) -> PitBox:
    there = next((car for car, (where, _, at) in places.items() if (where, at) == ("box", str(number))), None)
    owners = (
        car
        for car, one in sight.cars.items()
        if isinstance(one, PublicDiceCar) and one.box == number and car != there and one.standing
    )
    return PitBox(
        number=number,
        owners=tuple(sight.plate(car) for car in owners),
        car=_car(sight, there) if there is not None else None,
    )


def _car(sight: Sight, number: int) -> PitCar:
    car = sight.cars[number]
    asked = sight.asked
    assert isinstance(car, PublicDiceCar)
    service = car.cup.service if car.cup is not None else car.stop
    if not service and asked is not None and (asked.car, asked.what) == (number, "quick_stop"):
        service = "quick"
    said = sight.maybe(f"pits.{service}") if service else ""
    return PitCar(
        plate=sight.plate(number),
        code=sight.codes[number],
        service=capital(said),
        now=asked is not None and asked.car == number,
    )
