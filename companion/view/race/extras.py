"""What a car carries besides its wear points: by a small table for each rulebook, and by the fields that a rulebook
adds to its cars where the table says nothing of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from companion.rules.public import PublicCar, PublicDiceCar
from companion.view.shown import Extra, Tone
from companion.view.sight import Sight
from companion.wording.filling import MissingWords


class Carried(NamedTuple):
    """A field of a car as it is shown: its pictogram, and the figure of the rulebook that says how much it may be."""

    field: str
    icon: str = ""
    most: str = ""


EXTRAS: Final[Mapping[str, tuple[Carried, ...]]] = {
    "competition": (Carried("tyres", "tyres"), Carried("wings"), Carried("stand", "pit", "stand_points")),
    "formula-d": (Carried("tyres", "tyres"), Carried("wings"), Carried("stand", "pit"), Carried("street", "person")),
    "cup": (
        Carried("tyres", "tyres"),
        Carried("wings"),
        Carried("kers", "kers", "kers_most"),
        Carried("raced", "tyres"),
        Carried("wet_conditions", "rain"),
        Carried("pitting", "pit"),
        Carried("leaving", "pit"),
    ),
    "death": (Carried("wings"), Carried("weapons", "target"), Carried("defence", "shield"), Carried("utility", "bolt")),
}
"""What is shown of a car, by rulebook; of one that is not listed the tyres and whatever it adds to its cars."""
TYRES: Final[Mapping[str, Tone]] = {"soft": "bad", "hard": "plain", "rain": "info", "super_soft": "warn"}
"""The colour of a tyre's mark."""


def extras(sight: Sight, car: PublicCar) -> tuple[Extra, ...]:
    """What the car carries."""
    known = EXTRAS.get(sight.race.rulebook)
    if known is None:
        known = (Carried("tyres", "tyres"), *(Carried(field) for field in car.more))
    return tuple(extra for carried in known for extra in _extra(sight, car, carried))


def _extra(sight: Sight, car: PublicCar, carried: Carried) -> tuple[Extra, ...]:
    """A field as it is shown: a figure, a word for what is so (nothing for what is not), a name, or several things each
    with its figure."""
    own: dict[str, object] = {"tyres": car.tyres} if isinstance(car, PublicDiceCar) else {}
    if isinstance(car, PublicDiceCar) and "stand" in sight.book.car_values:
        own["stand"] = car.stand
    value, icon = {**own, **car.more}.get(carried.field), carried.icon
    if value is None:
        return _of_race(sight, car.number, carried)
    if isinstance(value, list):
        return (Extra(icon=icon, label=called(sight, carried.field), value=str(len(value))),)
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
    """What the race keeps for all cars: a marker while it is active, the row in which this one stands, or its card."""
    value = sight.race.more.get(carried.field)
    if isinstance(value, dict):
        card = value.get(str(number))
        return (Extra(icon=carried.icon, label=str(card)),) if card else ()
    if isinstance(value, list) and number in value:
        row = str(value.index(number) + 1)
        return (Extra(icon=carried.icon, label=called(sight, carried.field), value=row),)
    return (Extra(icon=carried.icon, label=called(sight, carried.field), filled=1, of=1),) if value is True else ()


def called(sight: Sight, name: str) -> str:
    """A thing by its name in the reader's language, or as the rulebook writes it."""
    if said := sight.maybe(f"extra.{name}"):
        return said
    card = sight.words.card(name)
    return card if card != name else name.replace("_", " ").replace("-", " ").capitalize()


def _tyres(sight: Sight, car: PublicDiceCar, compound: str) -> Extra:
    """The tyres that are on, and how many laps old they are."""
    try:
        label = sight.words.word("tyres", compound).capitalize()
    except MissingWords:
        label = compound.capitalize()
    age = sight.say("extra.age", laps=car.tyre_laps)
    return Extra(icon="tyres", label=label, value=age, tone=TYRES.get(compound, "plain"))
