"""A hint as a sentence, for whoever shows one."""

from __future__ import annotations

from companion.drivers.hint import Hint
from companion.rules.conversation.asking import Asked
from companion.wording import Words
from companion.wording.filling import Names


def hint_sentence(words: Words, asked: Asked, hint: Hint, names: Names | None = None) -> str:
    """What a champion would answer and why, with its figures."""
    answer = words.option(asked.ask, hint.answer, names)
    if hint.turns is None:
        return words.say("hint_unweighed", answer=answer)
    return words.say(
        "hint",
        answer=answer,
        turns=words.decimal(max(hint.turns, 0.0)),
        gain=words.decimal(hint.gain),
        other=words.option(asked.ask, hint.other, names),
    )
