"""The columns in which cars stand in the pits, where a rulebook has such: who is in which row, and after which stop."""

from __future__ import annotations

from typing import Final

from companion.screens.view.shown import PitCar, PitColumn
from companion.screens.view.sight import Sight

COLUMNS: Final = ("leaving", "pitting")
"""The columns of a race, the one nearest the track first."""
ASKS: Final = frozenset({"tyres", "stop", "repair"})


def pits(sight: Sight) -> tuple[PitColumn, ...]:
    """The columns while something about the pits is asked; nothing elsewhere, and where there are none."""
    asked = sight.asked
    if asked is None or not hasattr(sight.race, COLUMNS[0]):
        return ()
    if asked.ask not in ASKS and asked.what not in ("quick_stop", "leave"):
        return ()
    return tuple(
        PitColumn(
            name=sight.say(f"extra.{name}"),
            cars=tuple(_car(sight, number) for number in getattr(sight.race, name)),
        )
        for name in COLUMNS
        if getattr(sight.race, name) or sight.race.phase == "race"
    )


def _car(sight: Sight, number: int) -> PitCar:
    service = getattr(sight.cars[number], "service", "")
    asked = sight.asked
    return PitCar(
        plate=sight.plate(number),
        code=sight.codes[number],
        service=sight.maybe(f"pits.{service}") if service else "",
        now=asked is not None and asked.car == number,
    )
