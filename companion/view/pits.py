"""The pits: the boxes beside their lane and who is where; or, where a rulebook has such, columns of cars in rows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from companion.view.shown_phases import PitBox, PitCar, PitColumn, PitLane
from companion.view.sight import Sight
from companion.wording import capital

COLUMNS: Final = ("leaving", "pitting")
"""The columns of a race, the one nearest the track first."""
ASKS: Final = frozenset({"tyres", "stop", "repair"})


def pits(sight: Sight) -> tuple[PitColumn, ...]:
    """The columns while something about the pits is asked; nothing elsewhere, and where there are none."""
    if not _asked_of(sight) or not hasattr(sight.race, COLUMNS[0]):
        return ()
    return tuple(
        PitColumn(
            name=sight.say(f"extra.{name}"),
            cars=tuple(_car(sight, number) for number in getattr(sight.race, name)),
        )
        for name in COLUMNS
        if getattr(sight.race, name) or sight.race.phase == "race"
    )


def lane(sight: Sight) -> PitLane | None:
    """The boxes and their lane while something is asked of a car in its box; None elsewhere, and where the pits are
    columns."""
    asked = sight.asked
    if asked is None or asked.car is None or not _asked_of(sight) or hasattr(sight.race, COLUMNS[0]):
        return None
    places = {number: (getattr(car, "at", "") or "").partition(":") for number, car in sight.cars.items()}
    if places[asked.car][0] != "box":
        return None
    track = sight.rulebook.track
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
    """Whether something about the pits is asked."""
    asked = sight.asked
    return asked is not None and (asked.ask in ASKS or asked.what in ("quick_stop", "leave"))


def _box(sight: Sight, number: int, places: Mapping[int, tuple[str, str, str]]) -> PitBox:
    there = next((car for car, (where, _, at) in places.items() if (where, at) == ("box", str(number))), None)
    owners = (car for car, one in sight.cars.items() if one.box == number and car != there and one.standing)
    return PitBox(
        number=number,
        owners=tuple(sight.plate(car) for car in owners),
        car=_car(sight, there) if there is not None else None,
    )


def _car(sight: Sight, number: int) -> PitCar:
    car = sight.cars[number]
    asked = sight.asked
    service = getattr(car, "service", car.stop)
    if not service and asked is not None and (asked.car, asked.what) == (number, "quick_stop"):
        service = "quick"
    said = sight.maybe(f"pits.{service}") if service else ""
    return PitCar(
        plate=sight.plate(number),
        code=sight.codes[number],
        service=capital(said),
        now=asked is not None and asked.car == number,
    )
