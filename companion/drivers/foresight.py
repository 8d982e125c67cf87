"""A driver's look ahead: how far the next corner is, and what it will take to get through it.

Everything is counted in spaces: a turn is worth TURN of them, a wear point what its pool has left. The board is boiled
down to a window: the next corner that wants stops begins `near` spaces ahead and ends after `far`.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from typing import Final, NamedTuple

from companion.rules.circuit.track import Track
from companion.rules.conversation.faces import GEAR_DICE

TURN: Final = 10.0
"""What one turn more is worth, in spaces."""
CRASH: Final = 200.0
"""What going out is worth."""
FAR: Final = 34
"""Corners further off than this are as good as this far."""

_DICE: Final = {
    gear: tuple((face, count / len(sides)) for face, count in sorted(Counter(sides).items()))
    for gear, sides in GEAR_DICE.items()
}


class Window(NamedTuple):
    """The next corner from a space: its index, the spaces to enter it, and the most that end inside it."""

    corner: int
    near: int
    far: int


class Outlook:
    """For every space of a track the next corner, and what is left of the corner it lies in."""

    def __init__(self, track: Track) -> None:
        self.track = track
        self._rest: dict[int, int] = {}
        self._ahead: dict[int, Window] = {}
        for space in sorted(range(len(track.spaces)), key=lambda x: -track.order[x]):
            self.ahead(space)
        corner = track.corner
        self.base = [corner[x] if corner[x] >= 0 else self.ahead(x).corner for x in range(len(track.spaces))]
        """The corner that each space lies in, or else the next."""

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
def outlook_of(track: Track) -> Outlook:
    """Return the outlook of a track, made once for all drivers on it."""
    return Outlook(track)


class Outfit(NamedTuple):
    """The means of a car, roughly, so that few are different.

    They are the brake points it may use (0, 1 or 3), how many spaces overshot it survives (0, 1, 3 or 5), and the
    spaces it slides.
    """

    brakes: int
    most: int
    slide: int


ROUGHLY: Final = (0, 1, 1, 3, 3, 5)
"""A number to 5 as one of 0, 1, 3 and 5."""
OVER: Final = {0: 0.0, 1: 8.0, 3: 4.0, 5: 3.0}
"""What a space overshot is worth, by how many of them the car survives."""
SKIPS: Final = 2
"""How many gears a car with brakes may skip."""


def window(near: int, far: int) -> tuple[int, int]:
    """Return a window no further off than is worth looking."""
    return (near, far) if near <= FAR else (FAR, FAR + far - near)


@lru_cache(maxsize=100_000)
def through(near: int, far: int, stops: int, gear: int, outfit: Outfit) -> float:
    """Return the expected cost of the stops of a corner from a window on, before the gear is chosen."""
    if stops == 0:
        return done(far, gear)
    gears = _GEARS[gear, SKIPS if outfit.brakes else 0]
    return TURN + min([roll(near, far, stops, chosen, outfit) + price for chosen, price in gears])


_DOWN: Final = (0.0, 2.5, 6.0)
_GEARS: Final = {
    (gear, skips): tuple(
        (chosen, _DOWN[max(0, gear - 1 - chosen)]) for chosen in range(max(1, gear - 1 - skips), min(6, gear + 1) + 1)
    )
    for gear in range(7)
    for skips in (0, SKIPS)
}
"""The gears that may follow on a gear, each with what skipping to it is worth."""


def done(far: int, gear: int) -> float:
    """Return the cost of the rest of a corner that wants no more stops, less the gear's worth beyond it."""
    return 0.5 * far - 2.5 * gear


@lru_cache(maxsize=200_000)
def roll(near: int, far: int, stops: int, gear: int, outfit: Outfit) -> float:
    """Return the expected cost of a gear from there, over all the sides of its die."""
    brakes, most, slide = outfit
    over = OVER[most]
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
            poorer = Outfit(ROUGHLY[brakes - beyond], most, slide)
            total += share * (2.5 * beyond + through(1, 0, stops - 1, gear, poorer))
        elif stops > 1 or beyond - brakes > most:
            total += share * CRASH
        elif beyond > most:
            braked = beyond - most
            total += share * (2.5 * braked + over * most - 2.5 * gear)
        else:
            total += share * (over * beyond - 2.5 * gear - beyond)
    return total
