"""Questions with several fields, and cards typed in from the table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, Literal

from companion.rules.conversation.asking import Asked, Json
from companion.rules.conversation.kinds import Ask
from companion.rules.ninety.cards import SYMBOLS
from companion.view.race.hand import is_card
from companion.view.shown import AnswerKey, Field, Prompt, ViewModel
from companion.view.sight import Sight
from companion.wording import capital
from companion.wording.filling import MissingWords

CARS: Final[Mapping[str, Literal["choice", "many"]]] = {"beside": "many", "ahead": "choice", "order": "many"}
"""Fields that name cars: one ("choice"), or several in order ("many")."""
NOT_FIELDS: Final = frozenset({"points"})
"""Facts of a question that are not fields of its form."""


def is_form(asked: Asked) -> bool:
    """Return True if an answer consists of fields, as all offered answers do."""
    if typed_range(asked) != (0, 0):
        return False
    fields = {name for name, value in (asked.fields or {}).items() if isinstance(value, list)}
    offered = [option.answer for option in asked.options or []]
    return bool(fields) and all(isinstance(answer, dict) and fields >= answer.keys() for answer in offered)


def fields_of(sight: Sight, asked: Asked) -> tuple[Field, ...]:
    """Return every field that can be set.

    Two figures make a stepper, other lists a choice; a single value is not a field.
    """
    fields = []
    said = asked.fields or {}
    prices = said.get("cost") or {}
    for name, value in said.items():
        if name in NOT_FIELDS or not isinstance(value, list) or not value:
            continue
        if name in CARS:
            keys = tuple(AnswerKey(answer=number, label=sight.codes.get(number, str(number))) for number in value)
            fields.append(_field(sight, asked.ask, name, CARS[name], [] if CARS[name] == "many" else None, keys))
        elif is_range(value):
            low, high = value
            if high > low:
                start = _offered(asked, name, low)
                fields.append(
                    Field(
                        name=name, label=label(sight, asked.ask, name), icon=_icon(sight, name), value=start,
                        low=low, high=high, price=prices.get(name, 1),
                        note=sight.maybe(f"field_note.{asked.ask}.{name}"),
                    )
                )  # fmt: skip
        else:
            keys = tuple(AnswerKey(answer=one, label=_value_text(sight, asked.ask, name, one)) for one in value)
            fields.append(_field(sight, asked.ask, name, "choice", _offered(asked, name, value[0]), keys))
    return tuple(fields)


def most(asked: Asked) -> int:
    """Return the maximum sum of the fields: the single figure among them; or 0."""
    single = [
        value for value in (asked.fields or {}).values() if isinstance(value, int) and not isinstance(value, bool)
    ]
    return single[0] if len(single) == 1 else 0


def _field(
    sight: Sight, ask: Ask, name: str, kind: Literal["choice", "many"], value: Json, keys: tuple[AnswerKey, ...]
) -> Field:
    return Field(
        name=name, label=label(sight, ask, name), icon=_icon(sight, name), kind=kind, value=value, keys=keys,
        note=sight.maybe(f"field_note.{ask}.{name}"),
    )  # fmt: skip


def is_range(value: list[Json]) -> bool:
    """Return True if a field is a pair of figures, minimum and maximum."""
    return len(value) == 2 and all(isinstance(one, int) and not isinstance(one, bool) for one in value)


def _offered(asked: Asked, name: str, least: Json) -> Json:
    """Return a field's initial value: the first offered answer's, otherwise the minimum."""
    answer = asked.options[0].answer if asked.options else None
    return answer.get(name, least) if isinstance(answer, dict) else least


def label(sight: Sight, ask: Ask, name: str) -> str:
    """Return a field's label: the question's, otherwise that of a pool or an override value."""
    if said := sight.maybe(f"field.{ask}.{name}"):
        return said
    for table in ("pool_short", "value"):
        try:
            return sight.words.word(table, name).capitalize()
        except MissingWords:
            pass
    return name.replace("_", " ").capitalize()


def _icon(sight: Sight, name: str) -> str:
    return name if name in sight.race.pools else ""


def _value_text(sight: Sight, ask: Ask, name: str, value: Json) -> str:
    """Return one of a field's values in words."""
    if isinstance(value, bool):
        return sight.words.word("plain", value).capitalize()
    try:
        said = sight.words.option(ask, {name: value}, sight.names)
    except (MissingWords, TypeError, AttributeError, ValueError):
        said = str(value)
    return capital(said)


# -- what is typed of a card that lies on the table, and the answer that it makes with those picked again

DIGITS: Final = 3
"""Maximum number of digits of a check factor."""


class TypedCard(ViewModel, frozen=True, kw_only=True):
    """A card as typed so far: type letter, value (0: none), check factor digits and symbols."""

    kind: str = ""
    value: int = 0
    factor: str = ""
    symbols: str = ""

    @property
    def is_started(self) -> bool:
        """Return True if anything has been typed."""
        return self != TypedCard()

    @property
    def code(self) -> str:
        """The card's code, "" while incomplete; the rules decide whether such a card exists."""
        if not (self.kind and self.value and self.factor):
            return ""
        symbols = "".join(sorted(self.symbols, key=SYMBOLS.index))
        return f"{self.kind}{self.value} {self.factor} {symbols}".rstrip()


def typed_range(asked: Asked) -> tuple[int, int]:
    """Return the minimum and maximum number of cards to type in, (0, 0) if none can be."""
    fields = asked.fields or {}
    least, most = fields["cards"] if {"card", "cards"} <= fields.keys() else (0, 0)
    return least, most


def cards_of(answer: Json) -> list[str]:
    """Return the cards of an answer; empty if it is something else."""
    listed = answer if isinstance(answer, list) else [answer]
    return [one for one in listed if is_card(one)]


def offered_cards(prompt: Prompt) -> tuple[str, ...]:
    """Return the cards offered."""
    return tuple(str(key.answer) for key in prompt.parts or prompt.keys if is_card(key.answer))


def others(prompt: Prompt) -> tuple[AnswerKey, ...]:
    """Return the answers that are a word instead of a card."""
    return tuple(key for key in prompt.keys if isinstance(key.answer, str) and not is_card(key.answer))


def answer_of(prompt: Prompt, codes: Sequence[str]) -> Json:
    """Return the answer for some cards: a code if one is wanted, otherwise a list."""
    return codes[0] if prompt.typed == (1, 1) else list(codes)
