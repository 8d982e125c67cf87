"""The actions of a race and their authors: those in force, the steps that undo takes back, and the remarks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import msgspec

from companion.rules.conversation.asking import Json, Ruling
from companion.rules.conversation.conversation import Input
from companion.rules.position import Position
from companion.sheets.entry import EntryKind, Handover, Spoken

AUTOMATIC: Final = frozenset({"program", "driver", "roller"})
"""Answerers that are not people; a detail may follow after a colon, as in "driver:steady"."""

HINT: Final = "hint:"
"""Author of the entry that records a hint, followed by the car's number, so that hints can be counted."""


def person(by: str) -> bool:
    """Return True if an answer was given by a person, not by the program, a driver or the die-roller."""
    return by.split(":", 1)[0] not in AUTOMATIC


def drawn_by_program(by: str) -> bool:
    """Return True if the program drew the answer for a die: no die was rolled then."""
    return by.split(":", 1)[0] in AUTOMATIC - {"roller"}


def car_values_set(event: Input) -> Iterator[dict[str, Json]]:
    """Yield the values that the referee set on cars."""
    change = event.change or {}
    for values in [*change.get("cars", []), change]:
        if "car" in values:
            yield values


class Item(msgspec.Struct):
    """One thing in force, with who gave it, when (UTC) and in which entry, and what was ruled on it.

    `position` is there if a round began with it; `corrects` is the answer on whose account a value was set; `state` is
    the digest of the state after it, where the log has that.
    """

    event: Input
    by: str
    seq: int
    at: str = ""
    why: str = ""
    rulings: Sequence[Ruling] = ()
    position: Position | None = None
    corrects: int | None = None
    state: str = ""


class UndoStep(msgspec.Struct):
    """One thing that undo takes back and redo gives again: from `n` on, `was` gave way to `now`.

    `corrected` is the answer that a correction was about and `old` what it was, `instead` what it was corrected to,
    `fell` the answers that fell away by it, `left` what the board did not follow.
    """

    kind: EntryKind
    seq: int
    n: int
    by: str
    at: str
    why: str
    was: Sequence[Item]
    now: Sequence[Item]
    corrected: int | None = None
    old: Item | None = None
    instead: Input | None = None
    keep: str = ""
    fell: Sequence[Item] = ()
    left: Sequence[Json] = ()
    would: Sequence[Ruling] = ()
    then: Sequence[Json] = ()


class Statement(msgspec.Struct, frozen=True):
    """A remark on a race.

    It is a note; a dispute of the ruling that entry `about` holds, or the word that it is upheld; a seat that goes to
    another driver.
    """

    seq: int
    n: int
    kind: EntryKind
    by: str
    at: str
    text: str
    about: int | None = None
    handover: Handover | None = None

    @classmethod
    def of(cls, seq: int, n: int, kind: EntryKind, by: str, at: str, body: Spoken | Handover) -> Statement:
        """Return the remark that an entry of that number holds."""
        if isinstance(body, Handover):
            return cls(seq, n, kind, by, at, body.why, handover=body)
        return cls(seq, n, kind, by, at, body.text, body.about)
