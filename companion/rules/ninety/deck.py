"""A deck of race cards for a table that has none at hand: proposed, and the same for the same number."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from companion.rules.ninety.cards import CHECKS, COLOURS, FACTORS, RaceCard

_ROUND_OF_TYPES: Final = ("speeding", "driving", "gear", "speeding", "driving", "gear", "event")
"""Of seven cards of a value, these types."""


def new_deck(counts: Sequence[int]) -> list[str]:
    """So many cards of 1, 2, 3 and 4, in a fixed order. Check factors are spread evenly over 1 to 100; a speeding card
    costs one tyre less than its value, a driving card carries a check of each kind in turn, a gear card of 3 or 4 one
    damage, and every sixth of these for good; an event draws a card."""
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
