"""A driver's look ahead: how far the next corner is, and what it will take to get through it.

Everything is counted in spaces: a turn is worth TURN_COST of them, a wear point what its pool has left. The board is
boiled down to a window: the next corner that wants stops begins `near` spaces ahead and ends after `far`.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from typing import Final, NamedTuple

from companion.rules.circuit.track import Track
from companion.rules.conversation.faces import GEAR_DICE

TURN_COST: Final = 10.0
"""Cost of one more turn, in spaces."""
OUT_COST: Final = 200.0
"""Cost of going out, in spaces."""
FAR: Final = 34
"""Distance of a corner, in spaces, beyond which it counts as this far."""

_DICE: Final = {
    gear: tuple((face, count / len(sides)) for face, count in sorted(Counter(sides).items()))
    for gear, sides in GEAR_DICE.items()
}


class Window(NamedTuple):
    """The next corner from a space: its index, the spaces to enter it, and the most that end inside it."""

    corner: int
    near: int
    far: int


class CornersAhead:
    """For every space of a track the next corner, and what is left of the corner it lies in."""

    def __init__(self, track: Track) -> None:
        self.track = track
        self._rest: dict[int, int] = {}
        self._ahead: dict[int, Window] = {}
        for space in sorted(range(len(track.spaces)), key=lambda x: -track.order[x]):
            self.ahead(space)
        corner = track.corner
        self.base = [corner[x] if corner[x] >= 0 else self.ahead(x).corner for x in range(len(track.spaces))]
        """Corner that each space lies in, or else the next."""

    def rest(self, space: int) -> int:
        """Return the most spaces that a car in a corner can drive and still be in it."""
        if space not in self._rest:
            corner = self.track.corner
            inside = [y for y in self.track.moves[space] if corner[y] == corner[space]]
            self._rest[space] = max((1 + self.rest(y) for y in inside), default=0)
        return self._rest[space]

    def ahead(self, space: int) -> Window:
        """Return the next corner, not counting the one that the space lies in."""
        if space not in self._ahead:
            corner = self.track.corner
            self._ahead[space] = Window(-1, FAR, FAR + 9)  # met again only where a way goes round in a ring
            best: Window | None = None
            for y in self.track.moves[space]:
                if corner[y] >= 0 and corner[y] != corner[space]:
                    found = Window(corner[y], 1, 1 + self.rest(y))
                else:
                    onward = self.ahead(y)
                    found = Window(onward.corner, onward.near + 1, onward.far + 1)
                if best is None or (found.near, -found.far) < (best.near, -best.far):
                    best = found
            self._ahead[space] = best or Window(-1, FAR, FAR + 9)
        return self._ahead[space]


@lru_cache(maxsize=8)
def outlook_of(track: Track) -> CornersAhead:
    """Return the outlook of a track, made once for all drivers on it."""
    return CornersAhead(track)


class Outfit(NamedTuple):
    """The means of a car, roughly, so that few are different.

    They are the brake points it may use (0, 1 or 3), how many spaces overshot it survives (0, 1, 3 or 5), the spaces it
    slides, and the highest gear of the race.
    """

    brakes: int
    most: int
    slide: int
    highest: int = 6


ROUGHLY: Final = (0, 1, 1, 3, 3, 5)
"""Numbers 0 to 5, each rounded to 0, 1, 3 or 5."""
OVERSHOT_COST: Final = {0: 0.0, 1: 8.0, 3: 4.0, 5: 3.0}
"""Cost of a space overshot, in spaces, by the number of them that the car survives."""
MAX_SKIPPED_GEARS: Final = 2
"""Maximum number of gears that a car with brakes may skip."""


def window(near: int, far: int) -> tuple[int, int]:
    """Return a window no further off than is worth looking."""
    return (near, far) if near <= FAR else (FAR, FAR + far - near)


@lru_cache(maxsize=100_000)
def through(near: int, far: int, stops: int, gear: int, outfit: Outfit) -> float:
    """Return the expected cost of the stops of a corner from a window on, before the gear is chosen."""
    if stops == 0:
        return done(far, gear)
    gears = _GEARS[gear, MAX_SKIPPED_GEARS if outfit.brakes else 0, outfit.highest]
    return TURN_COST + min([roll(near, far, stops, chosen, outfit) + price for chosen, price in gears])


_DOWN: Final = (0.0, 2.5, 6.0)
_GEARS: Final = {
    (gear, skips, highest): tuple(
        (chosen, _DOWN[min(max(0, gear - 1 - chosen), MAX_SKIPPED_GEARS)])
        for chosen in range(min(highest, max(1, gear - 1 - skips)), min(highest, gear + 1) + 1)
    )
    for highest in range(1, 7)
    for gear in range(7)
    for skips in (0, MAX_SKIPPED_GEARS)
}
"""Gears that may follow a gear, each with the cost of skipping down to it, in spaces."""


def done(far: int, gear: int) -> float:
    """Return the cost of the rest of a corner that wants no more stops, less the gear's worth beyond it."""
    return 0.5 * far - 2.5 * gear


@lru_cache(maxsize=200_000)
def roll(near: int, far: int, stops: int, gear: int, outfit: Outfit) -> float:
    """Return the expected cost of a gear from there, over all the sides of its die."""
    brakes, most, slide, _ = outfit
    over = OVERSHOT_COST[most]
    total = 0.0
    for face, share in _DICE[gear]:
        if face < near:
            total += share * through(near - face, far - face, stops, gear, outfit)
            continue
        spaces = face + slide
        beyond = spaces - far
        if beyond <= 0:
            left = far - spaces
            total += share * (through(1, left, stops - 1, gear, outfit) if stops > 1 else done(left, gear))
        elif beyond <= brakes:
            poorer = outfit._replace(brakes=ROUGHLY[brakes - beyond])
            total += share * (2.5 * beyond + through(1, 0, stops - 1, gear, poorer))
        elif stops > 1 or beyond - brakes > most:
            total += share * OUT_COST
        elif beyond > most:
            braked = beyond - most
            total += share * (2.5 * braked + over * most - 2.5 * gear)
        else:
            total += share * (over * beyond - 2.5 * gear - beyond)
    return total
