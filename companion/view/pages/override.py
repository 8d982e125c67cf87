"""Overrides by the referee: what may be set, why, and disputed rulings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final, Literal

import msgspec

from companion.rules.conversation.asking import Asked, Json
from companion.rules.conversation.errors import CompanionError
from companion.rules.death.cards import of_kind
from companion.rules.public import endings_of_race, settable_on_car, settable_on_race, turn_changes
from companion.view.seats.programs import seats
from companion.view.setup.places import places
from companion.view.shown import AnswerKey, Field, Plate, Tone, ViewModel, furthest
from companion.view.sight import Sight
from companion.wording import Words, capital
from companion.wording.filling import Names

if TYPE_CHECKING:
    from companion.rules.rulebooks import Book

REASONS: Final = ("misread", "cocked", "agreed", "other")
"""Reasons for an override by the table; `other` asks for words."""
PLACES: Final[Mapping[str, Literal["place", "places"]]] = {"at": "place", "dangers": "places"}
"""Values that are places on the circuit, with their kinds."""
MOST: Final = 20
"""Maximum number of a card's tokens on a stepper."""
KEPT: Final = 8
"""Maximum length of the value that an override replaces, in characters, on the narrow key that keeps it."""
DISPUTES: Final = ("uphold", "change", "later")


class Why(ViewModel, frozen=True, kw_only=True):
    """A request for a reason before an override, or for a decision on a dispute.

    `instead` is what is replaced or disputed; the keys are the reasons or decisions. `signed` asks for the referee's
    name.
    """

    plate: Plate | None
    ask: str
    instead: str
    keys: tuple[AnswerKey, ...]
    cancel: str
    keep: str
    tone: Tone = "warn"
    signed: bool = True


class Values(ViewModel, frozen=True, kw_only=True):
    """The values that an override may set on a car or the race, as fields.

    A car that `runs` may retire; `seat` asks who takes over, where that is allowed.
    """

    title: str
    plate: Plate | None
    fields: tuple[Field, ...]
    runs: bool = False
    seat: Why | None = None


def why(sight: Sight, asked: Asked, answer: Json, instead: Json = None) -> Why:
    """Ask the reason for overriding an answer: "Set the roll to 9: why?".

    `instead` is the answer it replaces, or None.
    """
    words, names = sight.words, sight.names
    said = words.option(asked.ask, answer, names)
    before = words.option(asked.ask, instead, names) if instead is not None else ""
    ask = sight.say("override.ask", ask=asked.ask, answer=said)
    return _why(sight.plate(asked.car) if asked.car is not None else None, ask, before, words)


def why_change(sight: Sight, change: Mapping[str, Json]) -> Why:
    """Ask the reason for overriding values, with what they bring: the lap of a car put over the line."""
    change = sight.book.with_laps(change)
    car = change.get("car")
    plate = sight.plate(car) if isinstance(car, int) else None
    values = {name: value for name, value in change.items() if name != "car"} if plate is not None else dict(change)
    said = capital(sight.say("override.set", change=sight.words.change(values, sight.names)))
    ask = _why(plate, said, "", sight.words)
    told = turns_changed(sight.book, change, sight.words, sight.names)
    return msgspec.structs.replace(ask, instead=told) if told else ask


def turns_changed(book: Book, change: Mapping[str, Json], words: Words, names: Names) -> str:
    """Return who loses or gains a turn by an order of play that the referee sets; "" if nobody does."""
    try:
        skipped, again = turn_changes(book, change)
    except CompanionError:  # told when it is set
        return ""
    return words.say("turns_changed", names, skipped=skipped, again=again) if skipped or again else ""


def _why(plate: Plate | None, ask: str, instead: str, words: Words) -> Why:
    keys = tuple(
        AnswerKey(answer=name, label=words.screen(f"override.{name}.label"), note=words.screen(f"override.{name}.note"))
        for name in REASONS
    )
    return Why(
        plate=plate,
        ask=ask,
        instead=words.screen("override.of", answer=instead) if instead else words.screen("override.word"),
        keys=keys,
        cancel=words.screen("keys.cancel"),
        keep=words.screen("override.keep", answer=instead) if 0 < len(instead) <= KEPT else "",
    )


class _Trial:
    """Check of an override against the rules, on a scratch copy of the race."""

    def __init__(self, sight: Sight) -> None:
        self._spare, self._state = sight.book.clone(), sight.book.save()

    def accepts(self, change: dict[str, Json]) -> bool:
        try:
            self._spare.override(change)
        except CompanionError:
            return False
        self._spare.load(self._state)
        return True


def car_values(sight: Sight, number: int) -> Values:
    """Return what may be set on a car; steppers stop where the rules refuse."""
    car, trial = sight.cars[number], _Trial(sight)

    def stepper(name: str, label: str, value: int, low: int, high: int, icon: str = "") -> Field:
        whole, _, part = name.partition(".")

        def accepts(tried: int) -> bool:
            return trial.accepts({"car": number, whole: {part: tried} if part else tried})

        low, high = furthest(value, min(low, value), accepts), furthest(value, max(high, value), accepts)
        return Field(name=name, label=label, icon=icon, value=value, low=low, high=high)

    fields: list[Field] = []
    for one in settable_on_car(sight.book, number):
        name, value = one.name, one.value
        if name == "wear":
            fields += [
                stepper(f"wear.{pool}", sight.words.word("pool", pool).capitalize(), left, 0,
                        car.built.get(pool, left), icon=pool)
                for pool, left in car.wear.items()
            ]  # fmt: skip
        elif isinstance(value, dict):
            fields += [stepper(f"{name}.{card}", sight.words.card(card), left, 0, MOST) for card, left in value.items()]
        elif one.range is not None:
            low, high = one.range
            fields.append(stepper(name, _label(sight, name), value, max(low, 0), high))
        else:
            fields.append(_field(sight, name, value, trial, number))
    if not getattr(car, "bot", ""):
        fields.append(Field(name="driver", label=_label(sight, "driver"), kind="text", value=car.driver))
    return Values(
        title=sight.words.number(number, {number: car.driver}),
        plate=sight.plate(number),
        fields=tuple(fields),
        runs=car.alive and sight.race.phase == "race",
        seat=_seat(sight, number),
    )


def _seat(sight: Sight, number: int) -> Why | None:
    """Ask who drives from here on; None if nobody else may.

    The last key is who rolls for the program.
    """
    there = seats(sight)
    row = next((row for row in there.rows if row.plate.number == number), None) if there is not None else None
    if there is None or row is None:
        return None
    return Why(
        plate=row.plate,
        ask=there.title,
        instead=row.ways[row.chosen].label,
        keys=(*(way for way in row.ways if way != row.ways[row.chosen]), there.dice),
        cancel=sight.say("keys.cancel"),
        keep="",
        tone="info",
        signed=False,
    )


def is_rename(change: Mapping[str, Json]) -> bool:
    """Return True for an override that only renames a driver; it needs no reason."""
    return set(change) == {"car", "driver"}


def retiring(number: int) -> dict[str, Json]:
    """Return the override that retires a driver."""
    return {"car": number, "status": "out"}


def race_values(sight: Sight) -> Values:
    """Return what may be set on the race: weather, surface, order, danger spaces."""
    words, fields, trial = sight.words, list[Field](), _Trial(sight)
    for one in settable_on_race(sight.book):
        name = one.name
        if name in ("order", "queue"):
            numbers = sight.race.order if name == "order" else sight.race.queue
            keys = tuple(AnswerKey(answer=number, label=words.number(number, sight.names)) for number in numbers)
            fields.append(Field(name=name, label=_label(sight, name), kind="many", value=one.value, keys=keys))
        else:
            fields.append(_field(sight, name, one.value, trial))
    return Values(title=words.screen("override.race", sky=sight.race.sky), plate=None, fields=tuple(fields))


def ending_values(sight: Sight) -> Values:
    """Return how the race may be ended, or stopped by a red flag."""
    trial = _Trial(sight)
    fields = tuple(_field(sight, one.name, one.value, trial) for one in endings_of_race(sight.book))
    return Values(title=sight.say("override.ending"), plate=None, fields=fields)


def _label(sight: Sight, name: str) -> str:
    return capital(sight.words.word("value", name))


def _field(sight: Sight, name: str, value: Json, trial: _Trial, car: int | None = None) -> Field:
    """Return a value as a field: a place, a choice the rules accept, or text."""
    words, label = sight.words, _label(sight, name)
    if name in PLACES:
        keys = tuple(AnswerKey(answer=place, label=words.place(place)) for place in places(sight.track))
        return Field(name=name, label=label, kind=PLACES[name], value=value, keys=keys)
    table = words.words_of(name) if name in words.table else None
    said: dict[Json, str]
    if isinstance(value, bool):
        said = {one: words.word("plain", one) for one in (True, False)}
    elif cards := of_kind(name):
        said = {"": words.word("plain", None)} | {card.key: words.card(card.key) for card in cards}
    elif table is not None and isinstance(value, str):
        said = {key: text for key, text in table.items() if key}
    else:
        return Field(name=name, label=label, kind="text", value=value)
    whose: dict[str, Json] = {} if car is None else {"car": car}
    keys = tuple(
        AnswerKey(answer=one, label=capital(text))
        for one, text in said.items()
        if one == value or trial.accepts({**whose, name: one})
    )
    return Field(name=name, label=label, kind="choice", value=value, keys=keys)


def changed(before: Values, values: Mapping[str, Json], number: int | None) -> dict[str, Json]:
    """Return the override for the changed fields; empty if none changed."""
    change: dict[str, Json] = {}
    was = {field.name: field.value for field in before.fields}
    for name, value in values.items():
        if value == was.get(name):
            continue
        whole, _, one = name.partition(".")
        if one:
            change.setdefault(whole, {})[one] = value
        else:
            change[name] = value
    if change and number is not None:
        change["car"] = number
    return change


def dispute(article: str, text: str, words: Words) -> Why:
    """Ask about a disputed ruling: uphold, change, or decide later."""
    keys = tuple(
        AnswerKey(answer=name, label=words.screen(f"dispute.{name}.label"), note=words.screen(f"dispute.{name}.note"))
        for name in DISPUTES
    )
    return Why(
        plate=None,
        ask=words.screen("dispute.ask"),
        instead=" · ".join(filter(None, (article, text))),
        keys=keys,
        cancel=words.screen("keys.cancel"),
        keep="",
        tone="info",
        signed=False,
    )
