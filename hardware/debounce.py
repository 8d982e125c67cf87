"""From the edges of bouncing contacts to presses. Pure: edges and times go in, presses come out.

A contact counts as down, or as up, when it has been so for `SETTLES` milliseconds on end; whatever is shorter is noise.
Edges may come late: as long as a contact is not what was last heard of it, nothing is said of it.
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
"""What a press of each button means, and what holding it does ("": nothing)."""

MOVES: Final = frozenset({"up", "down", "first", "last", "history", "pause"})
"""What answers nothing, and is heard at any time."""


class Press(NamedTuple):
    """A button that was pressed: which one, what that means, and when it went down."""

    name: Name
    means: str
    at: int


class Contact:
    """One button. A press is known when it is let go, a hold as soon as it is one; where a hold means nothing a press
    is known at once."""

    def __init__(self, name: Name) -> None:
        self.name = name
        self.down = False
        """Whether it is down, once it has settled."""
        self._raw = False
        self._since = 0
        self._pressed: int | None = None

    def edge(self, down: bool, at: int) -> list[Press]:
        """The contact opened or closed; gives what was settled before."""
        found = self.settle(at)
        if down != self._raw:
            self._raw, self._since = down, at
        return found

    def settle(self, now: int) -> list[Press]:
        """What is settled by now."""
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
        """Whether something would be settled by now that an edge on its way may yet change."""
        due = self.due
        return due is not None and due <= now < due + LATE and is_down(self.name) != self._raw

    @property
    def due(self) -> int | None:
        """When `settle` may have something to say, None if only an edge can bring it."""
        if self._raw != self.down:
            return self._since + SETTLES
        if self._pressed is not None:
            return self._pressed + HELD
        return None


class Presses:
    """All buttons, and the guard that keeps the second of two taps from answering the next question."""

    def __init__(self) -> None:
        self.contacts: dict[Name, Contact] = {name: Contact(name) for name in MEANS}
        self._question: int | None = None

    def edge(self, name: Name, down: bool, at: int) -> list[Press]:
        """A contact opened or closed."""
        return self._guarded(self.contacts[name].edge(down, at))

    def settle(self, now: int, is_down: Callable[[Name], bool] | None = None) -> list[Press]:
        """What is settled by now, in the order in which the buttons went down; `is_down` looks at a contact itself."""
        settled = (one for one in self.contacts.values() if is_down is None or not one.overtaken(now, is_down))
        found = [press for contact in settled for press in contact.settle(now)]
        return self._guarded(sorted(found, key=lambda press: press.at))

    def question(self, now: int) -> None:
        """Another question is open."""
        self._question = now

    @property
    def due(self) -> int | None:
        """When `settle` may have something to say."""
        return min((due for contact in self.contacts.values() if (due := contact.due) is not None), default=None)

    def _guarded(self, found: list[Press]) -> list[Press]:
        """What was pressed before the question was read is not meant for it."""
        since = self._question
        return [press for press in found if press.means in MOVES or since is None or press.at >= since + GUARD]
