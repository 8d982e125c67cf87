"""Extras that a car carries besides wear points.

A table lists it by rulebook; for a rulebook without a row, the fields that it adds to its cars.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from companion.rules.public import OF_VARIANTS, PublicCar, PublicDiceCar
from companion.view.shown import Extra, Tone
from companion.view.sight import Sight
from companion.wording import capital
from companion.wording.filling import MissingWords


class Carried(NamedTuple):
    """A field of a car: its pictogram, and the figure of the rulebook with its maximum."""

    field: str
    icon: str = ""
    most: str = ""


EXTRAS: Final[Mapping[str, tuple[Carried, ...]]] = {
    "competition": (Carried("tyres", "tyres"), Carried("stand", "pit", "stand_points")),
    "formula-d": (Carried("tyres", "tyres"), Carried("stand", "pit"), Carried("street", "person")),
    "cup": (
        Carried("tyres", "tyres"),
        Carried("kers", "kers", "kers_most"),
        Carried("raced", "tyres"),
        Carried("wet_conditions", "rain"),
        Carried("pitting", "pit"),
        Carried("leaving", "pit"),
    ),
    "death": (Carried("weapons", "target"), Carried("defence", "shield"), Carried("utility", "bolt")),
}
"""Extras of a car by rulebook, before those of variants; a rulebook not listed shows the tyres and everything it adds
to its cars."""
TYRES: Final[Mapping[str, Tone]] = {"soft": "bad", "hard": "plain", "rain": "info", "super_soft": "warn"}
"""Colour of a tyre's mark."""


def extras(sight: Sight, car: PublicCar) -> tuple[Extra, ...]:
    """Return what the car carries."""
    known = EXTRAS.get(sight.race.rulebook)
    if known is None:
        known = (Carried("tyres", "tyres"), *(Carried(field) for field in car.more if field not in OF_VARIANTS))
    own = [extra for carried in (*known, Carried("wings")) for extra in _extra(sight, car, carried)]
    return (*own, *_boosters(sight, car))


def _boosters(sight: Sight, car: PublicCar) -> tuple[Extra, ...]:
    """Return the boosters a car has bought, with those left."""
    bought, uses = car.more.get("bought", 0), car.more.get("uses", ())
    left = bought - sum(use.startswith("boosters:") for use in uses)
    label = capital(sight.words.word("allowance", "boosters"))
    return (Extra(label=label, filled=left, of=bought),) if bought else ()


def _extra(sight: Sight, car: PublicCar, carried: Carried) -> tuple[Extra, ...]:
    """Return a field for display: a figure, a flag if set, a name, or several things with figures."""
    own: dict[str, object] = {"tyres": car.tyres} if isinstance(car, PublicDiceCar) else {}
    if isinstance(car, PublicDiceCar) and "stand" in sight.book.car_values and car.built:
        own["stand"] = car.stand
    value, icon = {**own, **car.more}.get(carried.field), carried.icon
    if value is None:
        return _of_race(sight, car.number, carried)
    if isinstance(value, list):
        return (Extra(icon=icon, label=called(sight, carried.field), value=str(len(value))),) if value else ()
    if carried.field == "tyres":
        return (_tyres(sight, car, str(value)),) if value and isinstance(car, PublicDiceCar) else ()
    if isinstance(value, dict):
        return tuple(Extra(icon=icon, label=called(sight, name), value=str(count)) for name, count in value.items())
    if isinstance(value, bool):
        return (Extra(icon=icon, label=called(sight, carried.field), filled=1, of=1),) if value else ()
    if isinstance(value, str):
        return (Extra(icon=icon, label=called(sight, value)),) if value else ()
    if not isinstance(value, int):
        return ()
    most = int(getattr(sight.book.figures, carried.most, 0)) if carried.most else 0
    shown = Extra(icon=icon, label=called(sight, carried.field), value=str(value), filled=min(value, most), of=most)
    return (shown,)


def _of_race(sight: Sight, number: int, carried: Carried) -> tuple[Extra, ...]:
    """Return a field that the race holds for all cars: a marker, this car's row, or its card."""
    value = sight.race.more.get(carried.field)
    if isinstance(value, dict):
        card = value.get(str(number))
        return (Extra(icon=carried.icon, label=str(card)),) if card else ()
    if isinstance(value, list) and number in value:
        row = str(value.index(number) + 1)
        return (Extra(icon=carried.icon, label=called(sight, carried.field), value=row),)
    return (Extra(icon=carried.icon, label=called(sight, carried.field), filled=1, of=1),) if value is True else ()


def called(sight: Sight, name: str) -> str:
    """Return a thing's name in the reader's language, or as the rulebook writes it."""
    if said := sight.maybe(f"extra.{name}"):
        return said
    card = sight.words.card(name)
    return card if card != name else name.replace("_", " ").replace("-", " ").capitalize()


def _tyres(sight: Sight, car: PublicDiceCar, compound: str) -> Extra:
    """Return the tyres with their age in laps."""
    try:
        label = sight.words.word("tyres", compound).capitalize()
    except MissingWords:
        label = compound.capitalize()
    age = sight.say("extra.age", laps=car.tyre_laps)
    return Extra(icon="tyres", label=label, value=age, tone=TYRES.get(compound, "plain"))
