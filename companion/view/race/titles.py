"""The question in words: its title and the unit after it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from companion.rules.conversation.asking import Asked, Json
from companion.view.shown import AnswerKey
from companion.view.sight import Sight
from companion.wording import capital
from companion.wording.filling import MissingWords

ROOM: Final[Mapping[str, int]] = {"en": 22, "fr": 24}
"""Maximum length of a title by language, in characters."""


def facts_of(sight: Sight, asked: Asked) -> dict[str, Json]:
    """Return the facts that may fill a title or unit."""
    facts: dict[str, Json] = {**(asked.fields or {}), "what": asked.what, "round": asked.round, "car": asked.car}
    matter, _, number = asked.what.rpartition("_")
    if matter and number.isdigit():
        facts["number"] = int(number)
    if asked.faces:
        facts["low"], facts["high"] = min(asked.faces), max(asked.faces)
    car = sight.cars.get(asked.car or 0)
    if car is not None:
        facts["now"] = car.gear
    return facts


def title(sight: Sight, asked: Asked) -> str:
    """Return the title of a question, in the imperative.

    A question without a title uses the rules' sentence, shortened.
    """
    said = sight.maybe(f"ask.{asked.ask}", **facts_of(sight, asked))
    if said:
        return said
    try:
        said = sight.words.question(asked, sight.names)
        said = said.removeprefix(sight.words.number(asked.car, sight.names)).lstrip(" ,:\u00a0")
        said = capital(said)
    except MissingWords:
        said = asked.ask.replace("_", " ").capitalize()
    return cut(said, ROOM[sight.words.lang])


def cut(text: str, room: int) -> str:
    """Shorten a text to `room` characters with an ellipsis."""
    return text if len(text) <= room else text[: room - 1].rstrip(" ,:;\u00a0") + "…"


def unit(sight: Sight, asked: Asked, keys: Sequence[AnswerKey] = ()) -> str:
    """Return what follows the title: a die's range, spaces to drive, or the present gear.

    For a test, whether its losing faces lose, or only lose more than the others.
    """
    facts = facts_of(sight, asked)
    facts["all"] = bool(keys) and all(any(one.tone in ("warn", "bad") for one in key.prices) for key in keys)
    if said := sight.maybe(f"unit.{asked.ask}", **facts):
        return said
    return f"{facts['low']}–{facts['high']}" if asked.faces else ""
