"""Changes since the tables of a round were dealt that affect its seats."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from difflib import SequenceMatcher
from typing import Final, NamedTuple

from companion.rules.conversation.errors import BadEntry

MOST_NAMES: Final = 4
"""Maximum number of drivers that a sentence names for each change."""


class SeedChanges(NamedTuple):
    """Drivers of a dealt round affected by changes, by number.

    `gone` have left their seats, `lost` have lost theirs to others, `due` should have one and have none, `ranks` now
    rank differently among the others.
    """

    gone: tuple[int, ...] = ()
    lost: tuple[int, ...] = ()
    due: tuple[int, ...] = ()
    ranks: tuple[int, ...] = ()

    @property
    def any(self) -> bool:
        """Return True if anything has changed."""
        return any(self)

    def refusal(self, round_: int, name: Callable[[int], str]) -> BadEntry:
        """Return the refusal that lists the changes and offers both ways on."""
        named = {kind: _listed(drivers, name) for kind, drivers in self._asdict().items()}
        return BadEntry("seeds_changed", round=round_, **named)


def _listed(drivers: Sequence[int], name: Callable[[int], str]) -> str:
    more = " …" if len(drivers) > MOST_NAMES else ""
    return ", ".join(map(name, drivers[:MOST_NAMES])) + more


def seed_changes(
    then: Sequence[int], now: Sequence[int], seated: Sequence[int], *, everybody: bool, published: bool
) -> SeedChanges:
    """Compare two rankings of those present, as far as seats depend on them [1-3-2].

    Where `everybody` had a seat, a driver who arrives before publication is due one; afterwards he joins a table.
    Where only the first drivers were seated, a change of the ranking may give a seat to another one.

    >>> seed_changes([1, 2, 3, 4], [1, 3, 4], [1, 2], everybody=False, published=True)
    SeedChanges(gone=(2,), lost=(), due=(3,), ranks=())
    >>> seed_changes([1, 2, 3, 4], [4, 1, 2, 3], [1, 2, 3, 4], everybody=True, published=True).ranks
    (4,)
    """
    seats, here, were = set(seated), set(now), set(then)
    gone = tuple(driver for driver in then if driver in seats and driver not in here)
    lost: tuple[int, ...] = ()
    due: tuple[int, ...] = ()
    if everybody:
        due = () if published else tuple(driver for driver in now if driver not in seats and driver not in were)
    elif seats == set(then[: len(seats)]):
        first = now[: len(seats)]
        lost = tuple(driver for driver in then if driver in seats and driver in here and driver not in first)
        due = tuple(driver for driver in first if driver not in seats)
    stayed = [driver for driver in then if driver in seats and driver in here and driver not in lost]
    order = [driver for driver in now if driver in stayed]
    alike = SequenceMatcher(None, stayed, order, autojunk=False).get_matching_blocks()
    kept = {driver for block in alike for driver in order[block.b : block.b + block.size]}
    ranks = tuple(driver for driver in order if driver not in kept)
    return SeedChanges(gone, lost, due, ranks)
