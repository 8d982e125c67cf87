"""What a race card shows, as people can type it: "S3 45 TT" is a speeding card of 3, check factor 45, two tyres.

The letter is the type: S speeding, D driving, G gear, E event. Symbols follow the factor: T a tyre, R repairable and B
permanent damage, C a check, + one made easier by 20 and - one made harder by 20, N a new card. An event of the weather
or of a flag shows nothing that is written here. Of a card that nobody has in a hand its check factor alone is enough
where nothing else counts: "45".
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
        """How many of these symbols it shows."""
        return sum(self.symbols.count(symbol) for symbol in symbols)


def card_named(written: Json) -> str:
    """The code of a card as it is kept; raises BadAnswer for what no card shows."""
    found = _CODE.fullmatch(written) if isinstance(written, str) and len(written) <= 40 else None
    if found is None or found[3] is None:
        raise BadAnswer('A card is written by type, value, check factor and symbols, such as "S3 45 TT".')
    letter, value, factor = found[1].upper(), int(found[2]), int(found[3])
    if not VALUES[0] <= value <= VALUES[1]:
        raise BadAnswer(f"A card moves {VALUES[0]} to {VALUES[1]}; {value} is on none.")
    _factor(factor)
    shown = Counter(found[4].upper().replace(" ", ""))
    symbols = "".join(symbol * shown[symbol] for symbol in SYMBOLS)
    if len(symbols) > 8:
        raise BadAnswer("A card shows at most 8 symbols.")
    return RaceCard(TYPES[letter], value, factor, symbols).code


def _factor(factor: int) -> str:
    if not FACTORS[0] <= factor <= FACTORS[1]:
        raise BadAnswer(f"A check factor is {FACTORS[0]} to {FACTORS[1]}; {factor} is on no card.")
    return str(factor)


def check_named(written: Json) -> str:
    """The code of a card of which only the factor counts: that alone, or all of it; raises BadAnswer."""
    alone = isinstance(written, (int, str)) and re.fullmatch(r"\d{1,4}", str(written))
    return _factor(int(written)) if alone else card_named(written)


@lru_cache(maxsize=4096)
def card(code: str) -> RaceCard:
    """The card of a code that `card_named` gave, or `check_named`: then nothing but its factor is known."""
    if code.isdecimal():
        return RaceCard("", 0, int(code), "")
    head, factor, *symbols = code.split()
    return RaceCard(TYPES[head[0]], int(head[1:]), int(factor), "".join(symbols))


def cards_named(written: Json) -> list[str]:
    """One card or several: a list of codes, or one text with commas between them. Raises BadAnswer."""
    if isinstance(written, str):
        written = [part for part in written.split(",") if part.strip()]
    if not isinstance(written, list):
        raise BadAnswer('Cards are a list, such as ["S3 45 TT"], or ["D1 20 C", "G3 71"].')
    return [card_named(one) for one in written]


def go_together(codes: Sequence[str]) -> bool:
    """Whether cards may be played for movement: one, or two if one of them is a 1 or both are 2 [play.cards]."""
    values = sorted(card(code).value for code in codes)
    return len(values) == 1 or (len(values) == 2 and (values[0] == 1 or values == [2, 2]))
