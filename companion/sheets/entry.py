"""An entry of the log: the kinds that there are, and what the body of each holds."""

from __future__ import annotations

from typing import Final, Literal, NewType, cast

import msgspec

from companion.rules.conversation.asking import Json, Key, Ruling
from companion.rules.conversation.errors import BadAnswer, LogError
from companion.rules.conversation.text import check_text
from companion.rules.conversation.typed import json_reader
from companion.rules.position import Position

EntryKind = Literal[
    "setup", "answer", "override", "undo", "redo", "correct", "note", "dispute", "uphold", "handover", "delete",
    "restore", "rename",
]  # fmt: skip
"""Kinds of entries. An entry that was read may claim another kind; `Entry.read` raises for it."""
ActKind = NewType("ActKind", str)
"""Kind of an entry in a record: the tag of its act. `records` reads it, since it knows the acts."""


class Beginning(msgspec.Struct, frozen=True, omit_defaults=True):
    """The first entry: all that the race began from.

    `track` is the whole text of the circuit, `figures` every figure that the rulebook went by, `program` the version
    that refereed.
    """

    setup: dict[str, Json]
    rulebook: str
    version: str
    track_key: str
    track: str
    name: str = ""
    figures: dict[str, Json] = {}
    position: Position | None = None
    program: str = ""


class Body(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """The content of a later entry.

    `states` are those that were stored with it to resume from: how many answers came before, and the SHA-256 of the
    state. So the chain vouches for them. `version` is that of the rulebook from here on, where it was another one
    before.
    """

    states: list[tuple[int, str]] = []
    version: str = ""


class Answered(Body, frozen=True, omit_defaults=True):
    """An answer, with the key of its question."""

    key: Key
    answer: Json
    forced: bool = False
    why: str = ""
    position: Position | None = None


class Overridden(Body, frozen=True, omit_defaults=True):
    """Values set by the referee's word."""

    change: dict[str, Json]
    why: str
    position: Position | None = None


class Moved(Body, frozen=True):
    """An undo or a redo: which entries it takes back or gives again, in that order."""

    seqs: list[int]
    count: int


class Corrected(Body, frozen=True, omit_defaults=True):
    """A correction of answer `n`.

    keep = "replay": the next `kept` answers stand (those `skipped` fall out among them), with `outcomes` of those that
    are ruled otherwise now: [n, rulings, position].

    keep = "board": all answers stand, and `change` is set; `then` are the answers to the questions that the corrected
    step asked for the first time, `would` is what would have been ruled, `fell` the answers of that step that no longer
    follow, `left` what the board keeps.
    """

    n: int
    key: Key
    answer: Json
    keep: str
    forced: bool = False
    why: str = ""
    kept: int = 0
    skipped: list[int] = []
    outcomes: list[tuple[int, list[Ruling], Position | None]] = []
    then: list[Json] = []
    change: dict[str, Json] | None = None
    would: list[Ruling] = []
    fell: list[int] = []
    left: list[Json] = []
    position: Position | None = None


class Spoken(Body, frozen=True, omit_defaults=True):
    """A note, a dispute, or the end of one; a race deleted from the list, restored to it, or given another name."""

    text: str
    about: int | None = None


class Handover(Body, frozen=True, omit_defaults=True):
    """A car's seat that goes to a driver of the program, by name, or with "" to a person.

    `rolls` says that the program rolls for its drivers from here on.
    """

    car: int
    program: str
    rolls: bool = False
    why: str = ""


AnyBody = Beginning | Answered | Overridden | Moved | Corrected | Spoken | Handover
"""Bodies of entries."""

BODIES: Final[dict[EntryKind, type[msgspec.Struct]]] = {
    "setup": Beginning,
    "answer": Answered,
    "override": Overridden,
    "undo": Moved,
    "redo": Moved,
    "correct": Corrected,
    "note": Spoken,
    "dispute": Spoken,
    "uphold": Spoken,
    "handover": Handover,
    "delete": Spoken,
    "restore": Spoken,
    "rename": Spoken,
}
"""Every kind of entry; the list is closed."""

REMARKS: Final[frozenset[EntryKind]] = frozenset({
    "note", "dispute", "uphold", "handover", "delete", "restore", "rename",
})  # fmt: skip
"""Entries that leave the race unchanged."""

_RENAMED: Final = ('"retired_cars_placed":', '"distance":')
"""JSON key of a switch as version 0.1.0 wrote it, and as it is today."""
_read_body: Final = {kind: json_reader(body) for kind, body in BODIES.items()}
_read_rulings: Final = json_reader(list[Ruling])


class Entry(msgspec.Struct, frozen=True):
    """One row of the log. `body` and `rulings` are canonical JSON text, `state` the digest of the state after it."""

    log_id: str
    seq: int
    at_wall: str
    at_mono_ns: int
    boot_id: str
    actor: str
    kind: EntryKind
    n: int
    body: str
    rulings: str
    state: str
    prev: bytes
    hash: bytes

    @property
    def body_today(self) -> str:
        """The body with the names that switches have today.

        It is canonical JSON, so that only a key ends in a plain quote and a colon.
        """
        return self.body.replace(*_RENAMED)

    def read(self) -> AnyBody:
        """Return the body, typed; raise LogError for an unknown kind of entry, or a body not of its kind."""
        try:
            return cast("AnyBody", _read_body[self.kind](self.body_today))
        except (KeyError, msgspec.MsgspecError):
            raise unreadable(self.seq) from None

    def ruled(self) -> list[Ruling]:
        """Return the rulings; raise LogError if they cannot be read."""
        try:
            return _read_rulings(self.rulings)
        except msgspec.MsgspecError:
            raise unreadable(self.seq) from None


def senseless(seq: int, wrong: Exception) -> LogError:
    """Say that an entry does not follow from those before it, and what can be done."""
    return LogError("senseless", seq=seq, wrong=wrong)


def unreadable(seq: int) -> LogError:
    """Return the error for an entry that this program cannot read, with its remedy."""
    return LogError("unreadable", seq=seq)


def check_words(by: str, body: Body) -> None:
    """Raise BadAnswer for words of people that cannot be in an entry: who it is by, a note, a reason, an override.

    What a log holds from before is not looked at, so that its race goes on.
    """
    said = [getattr(body, name, "") for name in ("text", "why", "program")]
    check_text([by, *said, body.change if isinstance(body, Overridden) else {}], BadAnswer)
