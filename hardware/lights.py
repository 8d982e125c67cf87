"""The lamps and the buzzer during a race: lights and tones over time.

The module is pure: it takes times, and returns the state of every lamp.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

Colour = tuple[bool, bool, bool]
"""Red, green, blue."""

DARK: Final[Colour] = (False, False, False)
WHITE: Final[Colour] = (True, True, True)
RED: Final[Colour] = (True, False, False)
GREEN: Final[Colour] = (False, True, False)
BLUE: Final[Colour] = (False, False, True)
AMBER: Final[Colour] = (True, True, False)

FIVE: Final = 5
"""Number of start lights."""
OUT: Final = (False,) * FIVE


class EventEffect(NamedTuple):
    """The effect of an event on lamps and buzzer.

    `flashes` are colours of the status lamp with their milliseconds, `stays` is its colour afterwards (None: as
    before), `tones` are hertz with their milliseconds (0 hertz is a rest). With `chase` a light runs along the start
    lights.
    """

    flashes: tuple[tuple[Colour, int], ...] = ()
    stays: Colour | None = None
    tones: tuple[tuple[int, int], ...] = ()
    chase: bool = False


EVENTS: Final[Mapping[str, EventEffect]] = {
    "idle": EventEffect(stays=DARK),
    "waiting": EventEffect(stays=WHITE),
    "accepted": EventEffect(((GREEN, 150),), tones=((2000, 15),)),
    "cost": EventEffect(((AMBER, 1500),), stays=AMBER, tones=((1000, 40), (0, 40), (1000, 40))),
    "out": EventEffect(((RED, 150), (DARK, 100)) * 3, tones=((400, 300),)),
    "refused": EventEffect(((AMBER, 150),), tones=((300, 120),)),
    "tick": EventEffect(((RED, 500), (DARK, 500)), tones=((1000, 40),)),
    "over": EventEffect(((RED, 500), (DARK, 500)) * 3, tones=((600, 600),)),
    "weather": EventEffect(((BLUE, 1000),), tones=((784, 60), (988, 60), (1175, 60))),
    "leader": EventEffect(((WHITE, 80), (DARK, 80)) * 5, tones=((1047, 80), (0, 80), (1047, 80)), chase=True),
}
"""Effects by the names that the race uses for its events."""

EACH: Final = 1000
"""Milliseconds from one start light to the next."""
SOON: Final = 80
"""Milliseconds from one start light to the next when a light runs along them."""
BEHIND: Final = 3000
"""Milliseconds of flashes that may wait; anything older is dropped."""


class Lit(NamedTuple):
    """The state of all lamps and the buzzer: status lamp, hertz (0: silent), start, wet."""

    status: Colour = DARK
    tone: int = 0
    start: tuple[bool, ...] = OUT
    wet: bool = False


class TimedValues:
    """A sequence of timed values.

    If `at` is called late, steps are skipped; with `whole`, each still gets its full time.
    """

    def __init__(self, *, whole: bool = False) -> None:
        self._whole = whole
        self._steps: deque[tuple[object, int]] = deque()
        self._until = 0

    def add(self, steps: tuple[tuple[object, int], ...], now: int) -> None:
        """Append steps; if too much is pending, the oldest are dropped."""
        if not self._steps:
            self._until = now + steps[0][1] if steps else 0
        self._steps.extend(steps)
        while sum(ms for _, ms in self._steps) > BEHIND and len(self._steps) > len(steps):
            self._steps.popleft()
            self._until = now + self._steps[0][1]

    def clear(self) -> None:
        self._steps.clear()

    def at(self, now: int) -> object | None:
        """Return the current step, or None when all are over."""
        while self._steps and now >= self._until:
            self._steps.popleft()
            if self._steps:
                self._until = (now if self._whole else self._until) + self._steps[0][1]
        return self._steps[0][0] if self._steps else None

    @property
    def due(self) -> int | None:
        """The time at which the current step ends, or None."""
        return self._until if self._steps else None


class Lights:
    """All lamps and the buzzer over time.

    `chance(below)` draws how long the start lights are held.
    """

    def __init__(self, chance: Callable[[int], int]) -> None:
        self._chance = chance
        self._status, self._tones, self._five = TimedValues(), TimedValues(), TimedValues(whole=True)
        self._stays: Colour = DARK
        self._starting = False
        self.wet = False

    def happen(self, event: str, now: int, *, heard: bool = True) -> None:
        """Show an event; the buzzer sounds only if `heard`."""
        shown = EVENTS[event]
        self._status.add(shown.flashes, now)
        if shown.stays is not None:
            self._stays = shown.stays
        if heard:
            self._tones.add(shown.tones, now)
        if shown.chase and not self._starting:
            self._five.clear()
            self._five.add(tuple((_only(place), SOON) for place in range(FIVE)), now)

    def begin(self, now: int) -> None:
        """Run the start: light after light, held for 1 to 3 seconds, then all out."""
        row: list[tuple[object, int]] = [(_first(count), EACH) for count in range(1, FIVE)]
        row.append((_first(FIVE), EACH + self._chance(2001)))
        self._five.clear()
        self._five.add(tuple(row), now)
        self._starting = True

    def away(self) -> None:
        """End the start sequence, because it is over or was undone."""
        if self._starting:
            self._five.clear()
            self._starting = False

    def at(self, now: int) -> Lit:
        """Return the state of the lamps and the buzzer at a time."""
        status, tone, five = self._status.at(now), self._tones.at(now), self._five.at(now)
        if five is None:
            self._starting = False
        return Lit(
            self._stays if status is None else status,  # type: ignore[arg-type]
            0 if tone is None else tone,  # type: ignore[arg-type]
            OUT if five is None else five,  # type: ignore[arg-type]
            self.wet,
        )

    @property
    def due(self) -> int | None:
        """The time of the next change, or None."""
        return min((due for strip in (self._status, self._tones, self._five) if (due := strip.due)), default=None)


def _first(count: int) -> tuple[bool, ...]:
    return tuple(place < count for place in range(FIVE))


def _only(place: int) -> tuple[bool, ...]:
    return tuple(place == at for at in range(FIVE))
