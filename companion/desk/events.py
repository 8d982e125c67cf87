"""Events of a desk as data: an answer, a correction, an entry that was written."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec

from companion.rules.conversation.asking import Asked, Json, Ruling
from companion.rules.conversation.changes import Change
from companion.rules.conversation.kinds import Ask
from companion.sheets.acts import Item, UndoStep
from companion.sheets.entry import Body, EntryKind


class Done(msgspec.Struct, frozen=True, omit_defaults=True):
    """One thing that was done, as data: what an undo takes back, or what fell away by a correction.

    `kind` is "answer", "override" or "correct"; `takes` counts the answers that go with it.
    """

    n: int
    seq: int
    kind: EntryKind
    by: str
    ask: Ask | Literal[""] = ""
    car: int | None = None
    round: int = 0
    what: str = ""
    answer: Json = None
    change: dict[str, Json] | None = None
    takes: int = 0

    @classmethod
    def of(cls, n: int, item: Item, kind: EntryKind | None = None, takes: int = 0) -> Done:
        """Return the answer that stands, or stood, at place `n`."""
        event = item.event
        if event.key is None:
            return cls(n, item.seq, kind or "override", item.by, change=event.change, takes=takes)
        ask, car, round_, what = event.key
        return cls(n, item.seq, kind or "answer", item.by, ask, car, round_, what, event.answer, takes=takes)

    @classmethod
    def acted(cls, action: UndoStep, takes: int = 0) -> Done:
        """Return the answer of an action that can be undone or redone."""
        if action.instead is not None and action.corrected is not None:
            item = Item(action.instead, action.by, action.seq)
            return cls.of(action.corrected, item, "correct", takes)
        return cls.of(action.n, action.now[0], action.kind, takes)


class Correction(msgspec.Struct, frozen=True):
    """The effect of a correction, tried or made.

    By replay: `kept` later answers stand, `dropped` are lost (`fell`), and then `asks` is asked. With the board as it
    stands: `change` is set, `fell` are the answers of that step that no longer follow, `left` what would have been
    otherwise on the board and stays, and `asks` what would have been asked beside. `changes` are the values that it
    changes: by replay as the race stands after the answers that it keeps. `rulings` are the rulings on the answer then,
    or those that would have been made.
    """

    n: int
    keep: str
    kept: int
    dropped: int
    asks: Asked | None
    fell: list[Done]
    change: dict[str, Json] | None = None
    left: list[Json] = []
    changes: list[Change] = []
    rulings: Sequence[Ruling] = ()


class EntryWritten(msgspec.Struct, frozen=True):
    """An entry as listeners get it once it is written, `at` a moment (UTC, "" without a log)."""

    kind: EntryKind
    seq: int
    n: int
    by: str
    at: str
    body: Body
    rulings: Sequence[Ruling]
