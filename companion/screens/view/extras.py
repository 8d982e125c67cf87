"""What a car carries besides its wear points: by a small table for each rulebook, and by the fields that a rulebook
adds to its cars where the table says nothing of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from companion.rules.race import Car
from companion.screens.view.shown import Extra, Tone
from companion.screens.view.sight import Sight
from companion.wording import MissingWords


class Carried(NamedTuple):
    """A field of a car as it is shown: its pictogram, and the figure of the rulebook that says how much it may be."""

    field: str
    icon: str = ""
    most: str = ""


EXTRAS: Final[Mapping[str, tuple[Carried, ...]]] = {
    "competition": (Carried("tyres", "tyres"), Carried("stand", "pit", "stand_points")),
}
"""What is shown of a car, by rulebook."""
USUAL: Final = (Carried("tyres", "tyres"),)
TYRES: Final[Mapping[str, Tone]] = {"soft": "bad", "hard": "plain", "rain": "info"}
"""The colour of a tyre's mark."""


def extras(sight: Sight, car: Any) -> tuple[Extra, ...]:
    """What the car carries."""
    known = EXTRAS.get(sight.rulebook.name, USUAL)
    named = {carried.field for carried in known}
    more = [
        Carried(field)
        for field in car.__struct_fields__
        if field not in Car.__struct_fields__ and field not in named and _counts(getattr(car, field))
    ]
    shown = (_extra(sight, car, carried) for carried in (*known, *more))
    return tuple(extra for extra in shown if extra is not None)


def _counts(value: Any) -> bool:
    return isinstance(value, str | int)


def _extra(sight: Sight, car: Any, carried: Carried) -> Extra | None:
    value = getattr(car, carried.field, None)
    if carried.field == "tyres":
        return _tyres(sight, car, str(value)) if value else None
    if value is None or value == "":
        return None
    label = sight.maybe(f"extra.{carried.field}") or carried.field.replace("_", " ").capitalize()
    if isinstance(value, bool):
        return Extra(icon=carried.icon, label=label, filled=int(value), of=1)
    if isinstance(value, str):
        return Extra(icon=carried.icon, label=label, value=value)
    most = int(getattr(sight.rulebook.figures, carried.most, 0)) if carried.most else 0
    return Extra(icon=carried.icon, label=label, value=str(value), filled=min(value, most), of=most)


def _tyres(sight: Sight, car: Any, compound: str) -> Extra:
    """The tyres that are on, and how many laps old they are."""
    try:
        label = sight.words.word("tyres", compound).capitalize()
    except MissingWords:
        label = compound.capitalize()
    age = sight.say("extra.age", laps=car.tyre_laps)
    return Extra(icon="tyres", label=label, value=age, tone=TYRES.get(compound, "plain"))
