"""The DRS zones of a circuit: those that its file gives, those that a table names, and a proposal where nobody does."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from companion.rules.circuit.track import Track, Zone

ZONES: Final = 2
"""Number of zones on every circuit [drs.zones]."""
STRETCH: Final = " – "
"""Separator between the two corners that name a stretch."""


def stretches(track: Track) -> list[Zone]:
    """Return each stretch between two corners as a zone might be laid there, the longest first [ruling 44].

    Of equal ones the first past the line comes first. A zone is named by the corners before and after it.
    """
    found: dict[int, set[int]] = {}
    for space in track.spaces:
        if space.section >= 0 and track.straight[space.id] >= 0:
            found.setdefault(track.straight[space.id], set()).add(space.id)
    each = [Zone(_name(track, spaces), frozenset(spaces), proposed=True) for _, spaces in sorted(found.items())]
    return sorted(each, key=lambda zone: -length(track, zone))


def length(track: Track, zone: Zone) -> int:
    """Return the spaces of a zone in the lane in which it has most."""
    return max((sum(track.spaces[x].lane == lane for x in zone.spaces) for lane in range(len(track.lanes))), default=0)


def sections(track: Track, zone: Zone) -> list[int]:
    """Return the sections that a zone is made of, in driving order."""
    count, lie = len(track.sections), sorted({track.spaces[space].section for space in zone.spaces})
    first = next((section for section in lie if (section - 1) % count not in lie), 0)
    return sorted(lie, key=lambda section: (section - first) % count)


def zones_of(track: Track, named: Sequence[Sequence[int]] = ()) -> tuple[Zone, ...]:
    """Return the zones that are raced with [drs.zones, ruling 44].

    They are those that the table has named by their sections, else those of the file, else the two longest stretches
    between corners, which are a proposal.
    """
    if not named:
        return track.zones or tuple(stretches(track)[:ZONES])
    known = {frozenset(sections(track, zone)): zone.name for zone in (*track.zones, *stretches(track))}
    return tuple(
        Zone(
            known.get(frozenset(wanted), ", ".join(map(str, wanted))),
            frozenset(space.id for space in track.spaces if space.section in wanted),
        )
        for wanted in named
    )


def _name(track: Track, spaces: set[int]) -> str:
    """Return a stretch by the corners that it leads from and to."""
    count, lie = len(track.sections), {track.spaces[x].section for x in spaces}
    before = next((c.name for s in lie if (c := track.sections[s - 1].corner) is not None), "")
    after = next((c.name for s in lie if (c := track.sections[(s + 1) % count].corner) is not None), "")
    return f"{before}{STRETCH}{after}"
