"""The parts that every setup has, whichever its rulebook: the race and its cars, their numbers, and the options."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Final, TypeVar

import msgspec

from companion.rules.conversation.asking import Json
from companion.rules.conversation.errors import BadSetup
from companion.rules.conversation.figures import FigureTable, read_figures
from companion.rules.conversation.typed import converted, misfits

R = TypeVar("R", bound=msgspec.Struct)
F = TypeVar("F", bound=FigureTable)

MOST: Final = 20
"""Maximum number of cars in a race."""
NUMBERS: Final = (1, 999)
"""Lowest and highest number of a car."""
_SETUP_FIELDS: Final = (
    "rulebook",
    "track",
    "cars",
    "options",
    "to_play",
    "lang",
    "plates",
    "event",
    "programs",
    "program_rolls",
    "hints",
    "succeeds",
)
"""Fields of a setup besides those of its race; `event` is the tournament or season that its result belongs to,
`programs` gives by car number the driver of the program that drives it, `program_rolls` lets the program roll for them
too, `hints` are the cars whose drivers may ask for one, and `succeeds` is the log that the race goes on from at another
table."""


def read_race(setup: Mapping[str, Json], race_type: type[R], laps: int, inside: Collection[str]) -> R:
    """Return the race of a setup, over `laps` laps where the setup does not say.

    `inside` are the fields of a race that no setup may have. Raises BadSetup with one sentence.
    """
    keys = [name for name in race_type.__struct_fields__ if name not in inside]
    known = {*keys, *_SETUP_FIELDS}
    if unknown := sorted(set(setup) - known):
        raise BadSetup("setup_key", unknown=", ".join(unknown), known=", ".join(sorted(known)))
    if not isinstance(setup.get("cars"), list) or not setup["cars"]:
        raise BadSetup("setup_cars", example='[{"car": 1, "driver": "Ada"}]')
    if not isinstance(setup.get("programs", {}), dict):
        raise BadSetup("setup_programs", example='{"7": "club"}')
    values: dict[str, Json] = {"laps": laps, **{key: setup[key] for key in (*keys, "cars") if key in setup}}
    try:
        return converted(values, race_type)
    except msgspec.ValidationError:
        raise next(misfits(race_type, values, "The race")) from None


def read_options(setup: Mapping[str, Json], figures_type: type[F]) -> F:
    """Return the figures and switches with what the setup changes; raises BadSetup with one sentence."""
    options = setup.get("options", {})
    if not isinstance(options, dict):
        raise BadSetup("setup_options")
    return read_figures(options, figures_type)


def check_numbers(numbers: Sequence[int]) -> None:
    """Raise BadSetup unless the cars have NUMBERS, each its own, and are not too many."""
    low, high = NUMBERS
    for number in numbers:
        if not low <= number <= high:
            raise BadSetup("car_number_range", low=low, high=high, car=number)
        if numbers.count(number) > 1:
            raise BadSetup("car_number_twice", car=number)
    if len(numbers) > MOST:
        raise BadSetup("cars_most", most=MOST, count=len(numbers))
