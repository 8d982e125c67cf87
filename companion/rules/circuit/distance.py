"""How many spaces lie between two places of a circuit, worked out once for each space that it is asked of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Final

from companion.rules.circuit.track import Track

NEVER: Final = 1000
"""The distance to a space that cannot be reached."""


@lru_cache(maxsize=2000)
def distances(track: Track, *starts: int) -> Mapping[int, int]:
    """The fewest spaces by printed moves to every space that can be reached from one, or from the nearest of several,
    whoever stands there."""
    way, layer = dict.fromkeys(starts, 0), [*starts]
    for steps in range(1, NEVER):
        onward = []
        for x in layer:
            for y in track.moves[x]:
                if y not in way:
                    way[y] = steps
                    onward.append(y)
        if not onward:
            break
        layer = onward
    return way


@lru_cache(maxsize=200)
def without_wall(track: Track) -> Track:
    """The same circuit, its outside lane a lane like the others."""
    return track if track.wall < 0 else replace(track, wall=-1)
