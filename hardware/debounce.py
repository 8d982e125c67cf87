"""Debounce: turn the edges of bouncing contacts into presses.

The module is pure: it takes edges and times, and returns presses. A contact is down, or up, once it has been so for
`SETTLES` milliseconds; anything shorter is noise. Edges may arrive late: nothing is reported while a contact's level
differs from its last edge.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Literal, NamedTuple

SETTLES: Final = 30
"""Milliseconds for which a contact must rest."""
LATE: Final = 2000
"""Milliseconds after which an edge that has not come is taken for lost."""
HELD: Final = 600
"""Milliseconds after which a press is a hold."""
GUARD: Final = 250
"""Milliseconds after a new question in which nothing is answered: a double tap must not answer the next one."""

Name = Literal["up", "down", "confirm", "undo", "next", "clock"]

MEANS: Final[dict[Name, tuple[str, str]]] = {
    "up": ("up", "last"),
    "down": ("down", "first"),
    "confirm": ("confirm", "override"),
    "undo": ("undo", "history"),
    "next": ("next", "pause"),
    "clock": ("pause", ""),
}
"""Meaning of a press of each button, and of a hold ("": none)."""

UNGUARDED: Final = frozenset({"up", "down", "first", "last", "history", "pause"})
"""Meanings that answer nothing, and are accepted at any time."""


class Press(NamedTuple):
    """A press of a button, with its meaning and the time at which it went down."""

    name: Name
    means: str
    at: int


class Contact:
    """The contact of one button.

    A press is reported on release, a hold as soon as it is long enough. Buttons without a hold report a press at once.
    """

    def __init__(self, name: Name) -> None:
        self.name = name
        self.down = False
        """True if it is down, once it has settled."""
        self._raw = False
        self._since = 0
        self._pressed: int | None = None

    def edge(self, down: bool, at: int) -> list[Press]:
        """Take an edge, and return the presses that had settled before it."""
        found = self.settle(at)
        if down != self._raw:
            self._raw, self._since = down, at
        return found

    def settle(self, now: int) -> list[Press]:
        """Return the presses that have settled by now."""
        means, held = MEANS[self.name]
        found = []
        if self._pressed is not None and (now if self._raw else self._since) >= self._pressed + HELD:
            found.append(Press(self.name, held, self._pressed))
            self._pressed = None
        if self._raw != self.down and now - self._since >= SETTLES:
            self.down = self._raw
            if self.down:
                self._pressed = self._since
                if not held:
                    found.append(Press(self.name, means, self._since))
                    self._pressed = None
                elif self._since + HELD <= now:
                    found += self.settle(now)
            elif self._pressed is not None:
                found.append(Press(self.name, means, self._pressed))
                self._pressed = None
        return found

    def overtaken(self, now: int, is_down: Callable[[Name], bool]) -> bool:
        """Return True if an edge on its way may still change a press that is due."""
        due = self.due
        return due is not None and due <= now < due + LATE and is_down(self.name) != self._raw

    @property
    def due(self) -> int | None:
        """The time of the next possible press, or None if only an edge can bring one."""
        if self._raw != self.down:
            return self._since + SETTLES
        if self._pressed is not None:
            return self._pressed + HELD
        return None


class Presses:
    """All buttons, with a guard against answering the next question by a double tap."""

    def __init__(self) -> None:
        self.contacts: dict[Name, Contact] = {name: Contact(name) for name in MEANS}
        self._question: int | None = None

    def edge(self, name: Name, down: bool, at: int) -> list[Press]:
        """Take an edge of a contact, and return the presses that it settles."""
        return self._guarded(self.contacts[name].edge(down, at))

    def settle(self, now: int, is_down: Callable[[Name], bool] | None = None) -> list[Press]:
        """Return the presses that have settled by now, in the order of pressing.

        `is_down` reads the level of a contact, to wait for edges that are late.
        """
        settled = (one for one in self.contacts.values() if is_down is None or not one.overtaken(now, is_down))
        found = [press for contact in settled for press in contact.settle(now)]
        return self._guarded(sorted(found, key=lambda press: press.at))

    def question(self, now: int) -> None:
        """Start the guard of a new question."""
        self._question = now

    @property
    def due(self) -> int | None:
        """The time of the next possible press, or None."""
        return min((due for contact in self.contacts.values() if (due := contact.due) is not None), default=None)

    def _guarded(self, found: list[Press]) -> list[Press]:
        """Drop answers that were pressed before anybody could read the question."""
        since = self._question
        return [press for press in found if press.means in UNGUARDED or since is None or press.at >= since + GUARD]
