"""What race control sets otherwise in a race at a table: the values as the rules have them, from the ledger's own copy
of the log, and the override that a form of them means."""

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
    """A race driven again up to where its log goes. Raises LogError, CompanionError."""
    desk = RaceDesk.from_log(History.of(entries))
    return Sight(desk, Words(lang, desk.public().rulebook))


def values_of(sight: Sight, car: int | None) -> Values:
    """What may be set on a car, or on the race. Raises BadOverride for a car that is not there."""
    if car is None:
        values, ending = race_values(sight), ending_values(sight)
        return msgspec.structs.replace(values, fields=(*values.fields, *ending.fields))
    if car not in sight.cars:
        raise BadOverride(f"There is no car {car}; the race has {', '.join(map(str, sight.cars))}.")
    return car_values(sight, car)


def change_of(sight: Sight, car: int | None, said: Mapping[str, str], by: str, why: str) -> dict[str, Json]:
    """The override that the fields of a form mean, tried. Raises BadOverride, CompanionError."""
    values = values_of(sight, car)
    meant = {field.name: _meant(field, said[field.name]) for field in values.fields if field.name in said}
    change = changed(values, meant, car)
    if not change:
        raise BadOverride("Nothing would be set otherwise; change a value first.")
    sight.desk.override(change, by=by, why=why)
    return change


def _meant(field: Field, text: str) -> Json:
    """A field's value as it was written; what makes no sense is left for the rules to refuse."""
    if field.kind == "stepper":
        return int(text) if text.lstrip("-").isdecimal() else text
    parts = [part for part in text.replace(",", " ").split() if part]
    known = {str(key.answer): key.answer for key in field.keys}
    if field.kind in ("many", "places"):
        return [known.get(part, part) for part in parts]
    if field.kind == "text":
        return parts if isinstance(field.value, list) else text.strip() or None
    return known.get(text, text)
