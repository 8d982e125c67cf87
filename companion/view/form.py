"""A question with several fields: steppers and choices, from what the rules say of each field."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal

from companion.rules.conversation.asking import Asked, Json
from companion.rules.conversation.kinds import Ask
from companion.view.card_form import typed_range
from companion.view.shown import Field, Key
from companion.view.sight import Sight
from companion.wording import capital
from companion.wording.filling import MissingWords

CARS: Final[Mapping[str, Literal["choice", "many"]]] = {"beside": "many", "ahead": "choice", "order": "many"}
"""Fields that name cars: one, or several in the order in which they are named."""
NO_FIELD: Final = frozenset({"points"})
"""What the rules say besides the fields."""


def is_form(asked: Asked) -> bool:
    """Whether an answer is made of fields: whatever answers are offered are so made themselves."""
    if typed_range(asked) != (0, 0):
        return False
    fields = {name for name, value in (asked.fields or {}).items() if isinstance(value, list)}
    offered = [option.answer for option in asked.options or []]
    return bool(fields) and all(isinstance(answer, dict) and fields >= answer.keys() for answer in offered)


def fields_of(sight: Sight, asked: Asked) -> tuple[Field, ...]:
    """Every field that can be set: two figures are a stepper, other lists a choice, a single value is no field."""
    fields = []
    said = asked.fields or {}
    prices = said.get("cost") or {}
    for name, value in said.items():
        if name in NO_FIELD or not isinstance(value, list) or not value:
            continue
        if name in CARS:
            keys = tuple(Key(answer=number, label=sight.codes.get(number, str(number))) for number in value)
            fields.append(_field(sight, asked.ask, name, CARS[name], [] if CARS[name] == "many" else None, keys))
        elif _range(value):
            low, high = value
            if high > low:
                start = _offered(asked, name, low)
                fields.append(
                    Field(
                        name=name, label=label(sight, name), icon=_icon(sight, name), value=start, low=low, high=high,
                        price=prices.get(name, 1), note=sight.maybe(f"field_note.{asked.ask}.{name}"),
                    )
                )  # fmt: skip
        else:
            keys = tuple(Key(answer=one, label=_said(sight, asked.ask, name, one)) for one in value)
            fields.append(_field(sight, asked.ask, name, "choice", _offered(asked, name, value[0]), keys))
    return tuple(fields)


def most(asked: Asked) -> int:
    """What the fields may come to in all: the one figure among them that is no range; 0 if there is none."""
    single = [
        value for value in (asked.fields or {}).values() if isinstance(value, int) and not isinstance(value, bool)
    ]
    return single[0] if len(single) == 1 else 0


def _field(
    sight: Sight, ask: Ask, name: str, kind: Literal["choice", "many"], value: Json, keys: tuple[Key, ...]
) -> Field:
    return Field(
        name=name, label=label(sight, name), icon=_icon(sight, name), kind=kind, value=value, keys=keys,
        note=sight.maybe(f"field_note.{ask}.{name}"),
    )  # fmt: skip


def _range(value: list[Json]) -> bool:
    return len(value) == 2 and all(isinstance(one, int) and not isinstance(one, bool) for one in value)


def _offered(asked: Asked, name: str, least: Json) -> Json:
    """What a field starts from: the first good answer that was offered, else its least."""
    answer = asked.options[0].answer if asked.options else None
    return answer.get(name, least) if isinstance(answer, dict) else least


def label(sight: Sight, name: str) -> str:
    """A field's name: a text of the screens, a pool, or a value that the referee can set."""
    if said := sight.maybe(f"field.{name}"):
        return said
    for table in ("pool_short", "value"):
        try:
            return sight.words.word(table, name).capitalize()
        except MissingWords:
            pass
    return name.replace("_", " ").capitalize()


def _icon(sight: Sight, name: str) -> str:
    return name if name in sight.race.pools else ""


def _said(sight: Sight, ask: Ask, name: str, value: Json) -> str:
    """One of a field's values in words."""
    if isinstance(value, bool):
        return sight.words.word("plain", value).capitalize()
    try:
        said = sight.words.option(ask, {name: value}, sight.names)
    except (MissingWords, TypeError, AttributeError, ValueError):
        said = str(value)
    return capital(said)
