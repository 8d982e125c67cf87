"""Race cards as people can type them: "S3 45 TT" is a speeding card of 3, check factor 45, two tyres.

The letter is the type: S speeding, D driving, G gear, E event. Symbols follow the factor: T a tyre, R repairable and B
permanent damage, C a check, + one made easier by 20 and - one made harder by 20, N a new card. An event of the weather
or of a flag shows nothing that is written here. For a card that is in no hand its check factor alone is enough where
nothing else counts: "45".

`new_deck` makes a deck for a table that has none at hand: proposed, and the same for the same number.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from companion.rules.conversation.asking import Json
from companion.rules.conversation.errors import BadAnswer

TYPES: Final = {"S": "speeding", "D": "driving", "G": "gear", "E": "event"}
"""The movement types by their letter."""
COLOURS: Final = tuple(TYPES.values())
SYMBOLS: Final = "TRBC+-N"
"""Every symbol, in the order in which a card is written."""
CHECKS: Final = {"C": 0, "+": 20, "-": -20}
"""The check symbols, with what they add to the factor to be met [symbols.check-mod]."""
VALUES: Final = (1, 4)
FACTORS: Final = (1, 100)
FORM: Final = '"S3 45 TT": type S, D, G or E, value, check factor, symbols T R B C + - N'

_CODE: Final = re.compile(r"\s*([SDGEsdge])\s*(\d+)(?:[\s/]+(\d+))?\s*([TRBCNtrbcn+\-\s]*)\s*")


class RaceCard(NamedTuple):
    """A card: its type, movement value (1 to 4), check factor (1 to 100) and symbols, as one row of letters."""

    type: str
    value: int
    factor: int
    symbols: str

    @property
    def code(self) -> str:
        """The card as it is written."""
        letter = next(letter for letter, name in TYPES.items() if name == self.type)
        return f"{letter}{self.value} {self.factor} {self.symbols}".rstrip()

    def count(self, symbols: str) -> int:
        """Return the number of these symbols on the card."""
        return sum(self.symbols.count(symbol) for symbol in symbols)


def card_named(written: Json) -> str:
    """Return the stored code of a card as somebody wrote it; raise BadAnswer if there is no such card."""
    found = _CODE.fullmatch(written) if isinstance(written, str) and len(written) <= 40 else None
    if found is None or found[3] is None:
        raise BadAnswer("card_form")
    letter, value, factor = found[1].upper(), int(found[2]), int(found[3])
    if not VALUES[0] <= value <= VALUES[1]:
        raise BadAnswer("card_moves", low=VALUES[0], high=VALUES[1], value=value)
    _factor(factor)
    shown = Counter(found[4].upper().replace(" ", ""))
    symbols = "".join(symbol * shown[symbol] for symbol in SYMBOLS)
    if len(symbols) > 8:
        raise BadAnswer("card_symbols")
    return RaceCard(TYPES[letter], value, factor, symbols).code


def _factor(factor: int) -> str:
    if not FACTORS[0] <= factor <= FACTORS[1]:
        raise BadAnswer("check_factor", low=FACTORS[0], high=FACTORS[1], factor=factor)
    return str(factor)


def check_named(written: Json) -> str:
    """Return the code of a card of which only the factor counts, written alone or with the rest.

    Raises BadAnswer.
    """
    alone = isinstance(written, (int, str)) and re.fullmatch(r"\d{1,4}", str(written))
    return _factor(int(written)) if alone else card_named(written)


@lru_cache(maxsize=4096)
def card(code: str) -> RaceCard:
    """Return the card of a code from `card_named`, or from `check_named`: then only its factor is known."""
    if code.isdecimal():
        return RaceCard("", 0, int(code), "")
    head, factor, *symbols = code.split()
    return RaceCard(TYPES[head[0]], int(head[1:]), int(factor), "".join(symbols))


def cards_named(written: Json) -> list[str]:
    """One card or several: a list of codes, or one text with commas between them. Raises BadAnswer."""
    if isinstance(written, str):
        written = [part for part in written.split(",") if part.strip()]
    if not isinstance(written, list):
        raise BadAnswer("cards_list")
    return [card_named(one) for one in written]


def go_together(codes: Sequence[str]) -> bool:
    """Return True if cards may be played for movement together [play.cards].

    That is one card, or two if one of them is a 1 or both are 2.
    """
    values = sorted(card(code).value for code in codes)
    return len(values) == 1 or (len(values) == 2 and (values[0] == 1 or values == [2, 2]))


_ROUND_OF_TYPES: Final = ("speeding", "driving", "gear", "speeding", "driving", "gear", "event")
"""Types of seven cards of a value in a row, repeated for the rest."""


@lru_cache(maxsize=64)
def cards_of(counts: tuple[int, ...]) -> Counter[str]:
    """Return how often such a deck has each card."""
    return Counter(new_deck(counts))


def new_deck(counts: Sequence[int]) -> list[str]:
    """Return a deck of this many cards of 1, 2, 3 and 4, in a fixed order.

    Check factors are spread evenly over 1 to 100; a speeding card costs one tyre less than its value, a driving card
    carries a check of each kind in turn, a gear card of 3 or 4 one damage, and every sixth of these a permanent one; an
    event draws a card.
    """
    total, codes = sum(counts), []
    # it has no divisor in common with the size of the deck, so that values and factors go together anyhow
    step = 37 if total % 37 else 41
    seen = dict.fromkeys((*COLOURS, "damage"), 0)
    place = 0
    for value, count in enumerate(counts, 1):
        for number in range(count):
            kind = _ROUND_OF_TYPES[number % len(_ROUND_OF_TYPES)]
            symbols = ""
            if kind == "speeding":
                symbols = "T" * (value - 1)
            elif kind == "driving":
                symbols = tuple(CHECKS)[seen[kind] % len(CHECKS)]
            elif kind == "event":
                symbols = "N"
            elif value > 2:
                seen["damage"] += 1
                symbols = "B" if seen["damage"] % 6 == 0 else "R"
            seen[kind] += 1
            spread = place * step % total * FACTORS[1] // total + FACTORS[0]
            codes.append(RaceCard(kind, value, spread, symbols).code)
            place += 1
    return codes
