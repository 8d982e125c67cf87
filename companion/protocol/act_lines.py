"""Acts as JSON lines, one object in and one out: the base of tournaments, seasons and trials."""

from __future__ import annotations

from abc import ABC, abstractmethod

import msgspec

from companion.protocol.fields import Line
from companion.rules.conversation.asking import Json
from companion.rules.conversation.errors import BadEntry, CompanionError
from companion.strict_json import read
from companion.tournament.record import Signed
from companion.wording import Words


class ActLines(ABC):
    """A log of acts in JSON lines.

    `say(line)` returns the reply; `open` becomes False on quit. After an error nothing has changed.
    """

    def __init__(self, words: Words, by: str) -> None:
        self.words, self.by, self.open = words, by, True

    def say(self, line: bytes) -> list[Line]:
        """Return the reply to a line; empty for a blank line. Errors are a reply too."""
        if not line.strip():
            return []
        try:
            said = read(line)
            if not isinstance(said, dict):
                raise BadEntry("act_line_object")
            return [self.answer(said)]
        except CompanionError as wrong:
            return [{"error": self.words.error(wrong)}]

    @abstractmethod
    def answer(self, said: dict[str, Json]) -> Line:
        """Return the reply to an object. Raises CompanionError."""

    def quit(self, entries: int) -> Line:
        """Close the conversation; return its last line, with the number of entries."""
        self.open = False
        return {"end": entries}


def act_line(done: Signed) -> Line:
    """Return an act as stored in the log."""
    return {"entry": done.seq, "by": done.by, "at": done.at, **msgspec.to_builtins(done.act)}


def text_of(said: dict[str, Json], name: str) -> str:
    """Return a text field of a line, "" if missing. Raises BadEntry for other types."""
    value = said.get(name, "")
    if not isinstance(value, str):
        raise BadEntry("text_wanted", name=name)
    return value
