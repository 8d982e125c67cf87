"""An order that is the same on every machine for the same number: for decks that the program keeps."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, TypeVar

T = TypeVar("T")

DECK: Final = 10**9
"""The highest number of a deck of the program."""

_MASK: Final = (1 << 64) - 1


def shuffled(things: Sequence[T], seed: int, time: int) -> list[T]:
    """Return things in an order that depends only on `seed` and the number of this shuffle."""
    mixed, chance = list(things), _numbers((seed * 1_000_003 + time) & _MASK)
    for last in range(len(mixed) - 1, 0, -1):
        other = next(chance) % (last + 1)
        mixed[last], mixed[other] = mixed[other], mixed[last]
    return mixed


def _numbers(state: int) -> Iterator[int]:
    """SplitMix64: numbers of 64 bits, the same on every machine."""
    while True:
        state = (state + 0x9E3779B97F4A7C15) & _MASK
        mixed = (state ^ (state >> 30)) * 0xBF58476D1CE4E5B9 & _MASK
        mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EB & _MASK
        yield mixed ^ (mixed >> 31)
