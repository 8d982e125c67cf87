"""What every page of a race sheet has: drivers, plates, rounds, and the rounds in which a car was running."""

from __future__ import annotations

from collections.abc import Mapping

from companion.rules.ninety.ninety import Ninety
from companion.rules.rulebooks import RULEBOOKS
from companion.sheets.sheet import CarSheet, Place, RaceSheet
from companion.view.shown import Plate
from companion.wording import Words


def names_of(sheet: RaceSheet) -> dict[int, str]:
    """The drivers by car."""
    return {car.car: car.driver for car in sheet.cars}


def plate_of(car: int, plates: Mapping[int, int]) -> Plate:
    """A car's number plate."""
    return Plate(number=car, place=plates.get(car, 0))


def round_of(round_: int, words: Words) -> str:
    """A round in a letter and a number."""
    return words.screen("sheet.round_short", round=round_)


def by_turns(rulebook: str) -> bool:
    """Whether a race goes over so many turns, and not laps."""
    return rulebook in RULEBOOKS and issubclass(RULEBOOKS[rulebook], Ninety)


def running(car: CarSheet) -> list[Place]:
    """Where a car stood, round by round, as long as it was in the race."""
    return [place for place in car.places if place.status != "out"]
