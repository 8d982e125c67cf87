"""The errors of the rules as one small tree. Every message is one sentence for the people at the table."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Final, Self

LONGEST: Final = 300
"""Maximum length of a message, in characters."""


def short(sentence: str) -> str:
    """Return a sentence that says back what it was given: on one line, and cut in its middle if that was very long."""
    sentence = " ".join(sentence.splitlines())
    return sentence if len(sentence) <= LONGEST else f"{sentence[:160]} ... {sentence[-130:]}"


def speak(english: Callable[[CompanionError], str]) -> None:
    """Tell the rules, which know no locale, how to word an error in English; `companion` does so when imported."""
    global _english
    _english = english


_english: Callable[[CompanionError], str] | None = None


class CompanionError(Exception):
    """Something to tell people: what is wrong and what to do, in one sentence.

    `kind` names the sentence in the table [error] of each locale, and `facts` fill it in; the fact `where` is the place
    in a file that stands before it. What a program meets as a code is the kind up to a dot, so that "held.seat" and
    "held.race" are one. A kind with a space in it is a sentence itself, for a rulebook from outside that has no locale.
    """

    def __init__(self, kind: str, /, **facts: object) -> None:
        super().__init__(kind)
        self.kind, self.facts = kind, facts

    def __str__(self) -> str:
        return _english(self) if _english is not None else self.kind

    @property
    def code(self) -> str:
        """The stable code for programs: the kind up to a dot."""
        return self.kind.partition(".")[0]

    def at(self, place: str) -> Self:
        """Return the same error, with a place such as a file before what it says of where it is."""
        where = f"{place}, {self.facts['where']}" if self.facts.get("where") else place
        return type(self)(self.kind, **{**self.facts, "where": where})

    @classmethod
    def of(cls, wrong: CompanionError) -> Self:
        """Return the same fault as an error of this class."""
        return wrong if isinstance(wrong, cls) else cls(wrong.kind, **wrong.facts)


def error_text(wrong: CompanionError) -> str:
    """Return an error as text that another program can say in its reader's language, see `error_of`."""
    return json.dumps([wrong.kind, wrong.facts], default=_plain)


def _plain(fact: object) -> str:
    return error_text(fact) if isinstance(fact, CompanionError) else str(fact)


def error_of(text: str) -> CompanionError:
    """Return the error that was `written`; any other text is the sentence of one."""
    try:
        kind, facts = json.loads(text)
        return CompanionError(str(kind), **facts)
    except (ValueError, TypeError):
        return CompanionError(text)


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
    """An undo, redo or correction with nothing to undo, repeat or correct."""


class LogError(CompanionError):
    """A race's log that is damaged, held by another program, too new, or cannot be written."""


class NotSaved(LogError):
    """The disk took nothing: not accepted. The table says once whether to stop here or to go on in memory."""

    choices = ("stop", "memory")


class RulebookError(CompanionError):
    """The rulebook itself failed; the race stands where it was before the answer."""
