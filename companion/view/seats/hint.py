"""Hints as a sentence, and as the card beside the question."""

from __future__ import annotations

from typing import Final

from companion.drivers.hint import Hint, WeighedAnswer
from companion.rules.circuit.track import Track
from companion.rules.conversation.asking import Asked, Json
from companion.view.shown import AnswerKey, Prompt
from companion.view.shown_race import HintShown, Tried
from companion.view.sight import Sight
from companion.wording import Words
from companion.wording.filling import Names

NEARLY: Final = 0.05
"""Loss that counts as none, in turns."""


def hint_sentence(words: Words, asked: Asked, hint: Hint, names: Names | None = None) -> str:
    """Return a champion's answer with the reason and figures.

    Without champions, the answer of a plain driver.
    """
    answer = words.option(asked.ask, hint.answer, names)
    if hint.turns is None:
        return words.say("hint_unweighed", answer=answer, plain=hint.plain)
    return words.say(
        "hint",
        answer=answer,
        turns=words.decimal(max(hint.turns, 0.0)),
        gain=words.decimal(hint.gain),
        other=words.option(asked.ask, hint.other, names),
    )


def hint_shown(sight: Sight, hint: Hint, asks: Prompt) -> HintShown | None:
    """Return the hint's card; None if its answer has no key."""
    key = _key(asks, hint.answer)
    if key is None:
        return None
    most = max((one.turns - hint.best[0].turns for one in hint.best), default=0.0)
    return HintShown(
        title=sight.say("hint.title", car=sight.asked.car if sight.asked is not None else None),
        left=sight.say("hint.left", left=sight.hints.get(sight.asked.car or 0, 0) if sight.asked is not None else 0),
        best=sight.say("hint.best", best=_called(sight, asks, key)),
        why=_why(sight, hint, asks, key),
        rows=tuple(_tried(sight, asks, one, hint.best[0], most) for one in hint.best),
        act=key,
    )


def _key(asks: Prompt, answer: Json) -> AnswerKey | None:
    return next((key for key in asks.keys if key.answer == answer and not key.why), None)


def _called(sight: Sight, asks: Prompt, key: AnswerKey) -> str:
    """Return an answer as its key's label; a gear in words."""
    return sight.words.option("gear", key.answer) if asks.ask == "gear" else key.label


def _why(sight: Sight, hint: Hint, asks: Prompt, key: AnswerKey) -> str:
    """Return the reason for a hint, with figures."""
    if hint.turns is None:
        return sight.say("hint.habit", plain=hint.plain)
    other = _key(asks, hint.other)
    facts: dict[str, Json] = {
        "turns": sight.words.decimal(max(hint.turns, 0.0)),
        "gain": sight.words.decimal(hint.gain) if hint.gain >= NEARLY else "",
        "other": _called(sight, asks, other) if other is not None else "",
        "brings": key.note,
    }
    if hint.rolls is None:
        return sight.say("hint.space", **facts)
    rolls = hint.rolls._asdict() | {"cost": sight.words.decimal(hint.rolls.cost)}
    corner = ""
    if (number := hint.rolls.corner) and isinstance(sight.track, Track):
        corner = sight.words.corner(sight.track.corners[number - 1].name)
    return sight.say("hint.gear", **(facts | rolls | {"corner": corner}))


def _tried(sight: Sight, asks: Prompt, one: WeighedAnswer, best: WeighedAnswer, most: float) -> Tried:
    key, lost = _key(asks, one.answer), one.turns - best.turns
    return Tried(
        label=_called(sight, asks, key) if key is not None else "–",
        lost=sight.say("hint.lost", turns=sight.words.decimal(lost)) if lost >= NEARLY else sight.say("hint.no_loss"),
        part=lost / most if most >= NEARLY else 0.0,
        wins=sight.words.chance(one.wins),
    )
