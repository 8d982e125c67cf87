"""The places of a circuit, and steps between them by part of the name.

The parts are section, lane and number.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import TYPE_CHECKING

from companion.rules.ninety.circuit import SectionTrack

if TYPE_CHECKING:
    from companion.rules.public import Board

Parts = tuple[str, ...]


def places(track: Board) -> list[str]:
    """Return every place where a car can stand, in driving order, the pits last.

    These are spaces, stretches of a corner sheet, or sections.
    """
    if isinstance(track, SectionTrack):
        return [f"section:{number}" for number in range(1, len(track.sections) + 1)]
    if track.known == "space":
        return [space.name for space in track.spaces if space.id not in track.blocked]
    corners = [f"{where}:{number}" for number in range(len(track.corners) + 1) for where in ("corner", "after")]
    pits = [f"{where}:{number}" for where in ("pit", "box") for number in range(1, track.box_count + 1)]
    return [place for place in [*corners, *pits] if track.has_place(place)]


def beside(names: Sequence[str], now: str | None, part: int, by: int) -> str | None:
    """Return the place one step away, or None at the end.

    `part` of the name moves to the next (`by` 1) or previous (-1) value; earlier parts stay, and later ones too if such
    a place exists. Without a present place, return the first.
    """
    if now is None:
        return names[0] if names else None
    here = parts(now)
    found = [name for name in map(parts, names) if name[:part] == here[:part] and len(name) > part]
    heads = list(dict.fromkeys(name[part] for name in found))
    at = (heads.index(here[part]) if here[part] in heads else -1) + by
    if not 0 <= at < len(heads):
        return None
    there = [name for name in found if name[part] == heads[at]]

    def alike(name: Parts) -> list[bool]:
        return [one == other for one, other in zip(name[part + 1 :], here[part + 1 :], strict=False)]

    nearest: Parts = max(there, key=alike)
    return ":".join(nearest)


@functools.lru_cache(maxsize=1024)
def parts(name: str) -> Parts:
    """Split a place's name into its parts."""
    return tuple(name.split(":"))
