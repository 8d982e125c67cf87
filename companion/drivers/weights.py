"""The constants of the reckoning in turns: the faces of the dice, and the worth of a spin and of being out."""

from __future__ import annotations

from collections import Counter
from math import inf
from typing import Final

from companion.rules.circuit.track import Track
from companion.rules.conversation.faces import GEAR_DICE

DICE: Final = tuple(
    tuple((face - 1, count / len(GEAR_DICE[gear])) for face, count in sorted(Counter(GEAR_DICE[gear]).items()))
    if gear
    else ()
    for gear in range(7)
)
"""Faces of each gear's die, less one, each with its chance."""
STUCK: Final = 1000.0
"""Cost of a roll that nothing can be done with, in turns."""
POINT: Final = 0.15
"""Worth of a point of a pool that is not tracked by itself, in turns."""
SPIN: Final = 1.0
"""Cost of a spin, in turns, besides its place and gear: a car that stands across the road is hit."""
CLEAR: Final = 0.05
"""Cost of a turn past the flag, in turns."""
Hits = tuple[tuple[int, float], ...]
"""Points that other cars take at a time, each with its chance per turn."""
HITS: Final[tuple[tuple[float, Hits], ...]] = (
    (10.0, ((1, 0.04), (2, 0.03), (3, 0.008))),
    (30.0, ((1, 0.05), (2, 0.045), (3, 0.02))),
    (inf, ((1, 0.12), (2, 0.07), (3, 0.035))),
)
"""Chances of hits in a race with arms, by the most turns still to come: the field is close at the start, and spreads. A
little below the counts from 60 races of six cars on Monaco: of the sets that were tried, champions win most with this
one. Damage that a car brings upon itself, from wreckage driven over and cars touched, is priced where it is chosen."""
FEARED: Final = 7.0
"""Cost of being shot out of a race with arms, in turns, beyond driving on with all points; at 4 or at 13 champions win
fewer of 100 races."""
LAST: Final = 25.0
"""Cost of being out, in turns, beyond driving the rest of the race."""


def out_of(track: Track, after: int) -> float:
    """Return the worth of being out, in turns, with this many crossings of the line to come after the next one."""
    return LAST + track.shortest_lap / 9 * (after + 1)
