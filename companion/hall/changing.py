"""Corrections that race control makes to a race at a table.

The values come from the ledger's copy of the log; a form of them becomes an override.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import msgspec

from companion.desk import RaceDesk
from companion.rules.conversation.asking import Json
from companion.rules.conversation.errors import BadOverride
from companion.sheets.entry import Entry
from companion.sheets.history import History
from companion.view.pages.override import Values, car_values, changed, ending_values, race_values
from companion.view.shown import Field
from companion.view.sight import Sight
from companion.wording import Words


def sight_of(entries: Iterable[Entry], lang: str) -> Sight:
    """Replay a race to the end of its log.

    Raises LogError, CompanionError.
    """
    desk = RaceDesk.from_log(History.of(entries))
    return Sight(desk, Words(lang, desk.public().rulebook))


def values_of(sight: Sight, car: int | None) -> Values:
    """Return the values that may be set on a car, or on the race for None.

    Raises BadOverride for an unknown car.
    """
    if car is None:
        values, ending = race_values(sight), ending_values(sight)
        return msgspec.structs.replace(values, fields=(*values.fields, *ending.fields))
    if car not in sight.cars:
        raise BadOverride("no_car", car=car, numbers=", ".join(map(str, sight.cars)))
    return car_values(sight, car)


def change_of(sight: Sight, car: int | None, said: Mapping[str, str], by: str, why: str) -> dict[str, Json]:
    """Return the override for the fields of a form, after trying it.

    Raises BadOverride, CompanionError.
    """
    values = values_of(sight, car)
    meant = {field.name: _parse_value(field, said[field.name]) for field in values.fields if field.name in said}
    change = sight.book.with_laps(changed(values, meant, car))
    if not change:
        raise BadOverride("nothing_to_set")
    sight.desk.override(change, by=by, why=why)
    return change


def _parse_value(field: Field, text: str) -> Json:
    """Parse the value of a field, leaving nonsense for the rules to refuse."""
    if field.kind == "stepper":
        return int(text) if text.lstrip("-").isdecimal() else text
    parts = [part for part in text.replace(",", " ").split() if part]
    known = {str(key.answer): key.answer for key in field.keys}
    if field.kind in ("many", "places"):
        return [known.get(part, part) for part in parts]
    if field.kind == "text":
        return parts if isinstance(field.value, list) else text.strip() or None
    return known.get(text, text)
