"""What is typed of a card that lies on the table, and the answer that it makes with those picked again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from companion.rules.conversation.asking import Asked, Json
from companion.rules.ninety.cards import SYMBOLS
from companion.view.hand import is_card
from companion.view.shown import Key, Prompt, Shown

DIGITS: Final = 3
"""The most digits of a check factor."""


class Typed(Shown, frozen=True, kw_only=True):
    """A card as far as it has been typed: the letter of its type, its value (0: none yet), its check factor as digits,
    and its symbols."""

    kind: str = ""
    value: int = 0
    factor: str = ""
    symbols: str = ""

    @property
    def begun(self) -> bool:
        """Whether anything has been typed."""
        return self != Typed()

    @property
    def code(self) -> str:
        """The card as it is written, empty while something is missing. Whether there is such a card the rules say."""
        if not (self.kind and self.value and self.factor):
            return ""
        symbols = "".join(sorted(self.symbols, key=SYMBOLS.index))
        return f"{self.kind}{self.value} {self.factor} {symbols}".rstrip()


def typed_range(asked: Asked) -> tuple[int, int]:
    """How many cards are shown, at least and at most, where others than those offered may be entered; else (0, 0)."""
    fields = asked.fields or {}
    least, most = fields["cards"] if {"card", "cards"} <= fields.keys() else (0, 0)
    return least, most


def cards_of(answer: Json) -> list[str]:
    """The cards of an answer; none if it is something else."""
    listed = answer if isinstance(answer, list) else [answer]
    return [one for one in listed if is_card(one)]


def known(prompt: Prompt) -> tuple[str, ...]:
    """The cards that are offered."""
    return tuple(str(key.answer) for key in prompt.parts or prompt.keys if is_card(key.answer))


def others(prompt: Prompt) -> tuple[Key, ...]:
    """The answers that are a word instead of a card."""
    return tuple(key for key in prompt.keys if isinstance(key.answer, str) and not is_card(key.answer))


def answer_of(prompt: Prompt, codes: Sequence[str]) -> Json:
    """The answer that cards are: where one is wanted its code, otherwise a list."""
    return codes[0] if prompt.typed == (1, 1) else list(codes)
