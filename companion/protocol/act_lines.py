"""Acts by lines: one JSON object in, one out. What tournaments, seasons and trials have in common."""

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
    """A log of acts by lines. `say(line)` gives the line that answers it; `open` is False once it was told to quit.
    What is wrong is an error line, and nothing has changed then."""

    def __init__(self, words: Words, by: str) -> None:
        self.words, self.by, self.open = words, by, True

    def say(self, line: bytes) -> list[Line]:
        """The answer to a line; none to an empty one."""
        if not line.strip():
            return []
        try:
            said = read(line)
            if not isinstance(said, dict):
                raise BadEntry("A line is an object, such as an act or a list that is wanted.")
            return [self.answer(said)]
        except CompanionError as wrong:
            return [{"error": self.words.error(wrong)}]

    @abstractmethod
    def answer(self, said: dict[str, Json]) -> Line:
        """The answer to an object. Raises CompanionError."""

    def quit(self, entries: int) -> Line:
        """The last line of a log of so many entries."""
        self.open = False
        return {"end": entries}


def told(done: Signed) -> Line:
    """An act as the log has kept it."""
    return {"entry": done.seq, "by": done.by, "at": done.at, **msgspec.to_builtins(done.act)}


def text_of(said: dict[str, Json], name: str) -> str:
    """A text of a line, empty if it is not there; raises BadEntry for anything else."""
    value = said.get(name, "")
    if not isinstance(value, str):
        raise BadEntry(f"{name} is a text in quotes.")
    return value
