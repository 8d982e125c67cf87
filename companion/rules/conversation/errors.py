"""The errors of the rules as one small tree. Every message is one sentence for the people at the table."""

from __future__ import annotations

from typing import Final

LONGEST: Final = 300
"""The longest message, in characters."""


def short(sentence: str) -> str:
    """Return a sentence that says back what it was given: on one line, and cut in its middle if that was very long."""
    sentence = " ".join(sentence.splitlines())
    return sentence if len(sentence) <= LONGEST else f"{sentence[:160]} ... {sentence[-130:]}"


class CompanionError(Exception):
    """Anything the program has to tell people: one sentence, what is wrong and what would be right.

    `kind` and `facts` let the edge say the same sentence in the reader's language; without a kind it stays as it is.
    """

    def __init__(self, sentence: str, kind: str = "", **facts: object) -> None:
        super().__init__(short(sentence))
        self.kind, self.facts = kind, facts


class BadAnswer(CompanionError):
    """An answer that the open question does not allow; the question stays open."""


class BadSetup(CompanionError):
    """A setup or position from which no race can begin."""


class BadTrack(CompanionError):
    """A circuit that cannot be read or ruled on; the message names file, section, lane and space."""


class BadOverride(CompanionError):
    """A referee's word that makes no sense, such as a car on a space that does not exist."""


class BadEntry(CompanionError):
    """An entry that cannot stand in the record of a tournament, a season or a session of trials."""


class NothingToDo(CompanionError):
    """An undo, redo or correction where there is nothing to undo, repeat or correct."""


class LogError(CompanionError):
    """A race's log that is damaged, held by another program, too new, or cannot be written."""


class NotSaved(LogError):
    """The disk took nothing: not accepted. The table says once whether to stop here or to go on in memory."""

    choices = ("stop", "memory")

    @classmethod
    def of(cls, wrong: LogError) -> NotSaved:
        """Return the error for something that kept the log from being written, whatever it is: the race can go on."""
        return wrong if isinstance(wrong, cls) else cls(str(wrong), wrong.kind, **wrong.facts)


class RulebookError(CompanionError):
    """The rulebook itself failed; the race stands where it was before the answer."""
