"""A displacement, and where it can stop."""

from __future__ import annotations

from typing import Final

import msgspec

FAR: Final = 60
"""Distance beyond any leg, in spaces, and below the number of bits of a field of labels."""


class Leg(msgspec.Struct, frozen=True, gc=False):
    """One displacement: the die's, a slipstream's, a start's. Spaces are track ids.

    `slide` is added if the way touches a corner in which a stop is owed, with `slides_anyway` also if it starts in one
    where all are made; `soft` is how many spaces more soft tyres may bring; `brakes` how many may be braked away;
    `made` the stops made in the corner it starts in; `ages` that the line ends it; `until` the box in which a car in
    (or entering) the pit lane must stop, -1 if it may not enter; `least` the fewest spaces it must drive. `pits_count`
    makes the pit lane a way round for a car that is blocked; `soft_ends` that the soft space may not itself cross the
    line. `lanes` is how many lanes a straight may be crossed by, `detours` whether sparing a test justifies more
    spaces, and `at_once` whether a car is at `until` as soon as it is in the lane.
    """

    start: int
    spaces: int
    slide: int = 0
    soft: int = 0
    brakes: int = 0
    made: int = 0
    taken: frozenset[int] = frozenset()
    dangers: frozenset[int] = frozenset()
    finish: bool = False
    ages: bool = True
    until: int = -1
    least: int = 0
    pits_count: bool = False
    soft_ends: bool = False
    lanes: int = FAR
    detours: bool = True
    at_once: bool = False
    slides_anyway: bool = False


class Over(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A corner left too early: its index, the spaces driven beyond its end, and how many stops are missing."""

    corner: int
    spaces: int
    missing: int


class Landing(msgspec.Struct, frozen=True, gc=False):
    """A stop of a leg, with the tests on the way in driving order: a danger by its id, the wall by ~id.

    `blocked` is how many spaces could not be driven; `finished` a car that has crossed the line for the last time.
    """

    space: int
    moved: int
    brakes: int = 0
    soft: int = 0
    slid: int = 0
    tests: tuple[int, ...] = ()
    overs: tuple[Over, ...] = ()
    blocked: int = 0
    finished: bool = False

    @property
    def overshot(self) -> int:
        """Spaces beyond corners left too early, added up."""
        spaces = 0
        for over in self.overs:  # asked of every second landing: half as long as sum
            spaces += over.spaces
        return spaces

    @property
    def missing(self) -> int:
        """The most stops missing in any corner that was left too early."""
        return max([over.missing for over in self.overs]) if self.overs else 0
