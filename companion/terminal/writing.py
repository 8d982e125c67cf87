"""What people say at the terminal is written: signed where it has to be, and in memory where the card is full."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from companion.desk import RaceDesk
from companion.rules.conversation.errors import BadOverride, NotSaved
from companion.terminal.answers import plain
from companion.terminal.screen import Screen
from companion.wording import Words
from companion.wording.filling import Names

T = TypeVar("T")


class Writing:
    """Writes what the people at the terminal say. `person` is who answers."""

    def __init__(self, desk: RaceDesk, screen: Screen, person: str = "table") -> None:
        self.desk, self.screen, self.person = desk, screen, person
        self.words: Words = screen.words
        self.referee = ""
        self._scene: tuple[int | None, int] | None = None
        """Whose turn in which round was shown last; None if it is to be shown anew."""

    @property
    def names(self) -> Names:
        return self.desk.names

    def _kept(self, write: Callable[[], T]) -> T:
        """Writes; on a full card asks once whether to stop or to go on in memory."""
        try:
            return write()
        except NotSaved as wrong:
            self.screen.complaint(self.words.error(wrong))
            said = plain(self.screen.ask(f"  {self.words.say('stop_or_memory')} > ") or "")
            if not said or said not in self.words.say("memory_words").split():
                raise
            self.desk.go_on_in_memory()
            return write()

    def _signed(self) -> tuple[str, str]:
        """Who says so, and why; the name is remembered."""
        words = self.words
        if not self.referee:
            self.referee = self.screen.ask(f"  {words.say('who')} > ") or ""
        why = self.screen.ask(f"  {words.say('why')} > ") or ""
        if not self.referee or not why:
            self.referee = self.referee if why else ""
            raise BadOverride(words.say("unsigned"), "unsigned")
        return self.referee, why
