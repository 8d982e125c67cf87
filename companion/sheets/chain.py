"""The chain: each entry carries the SHA-256 of the one before it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from typing import Final

import msgspec

from companion.rules.conversation.errors import LogError
from companion.sheets.entry import Entry

GENESIS: Final = bytes(32)
"""The hash before the first entry."""

canonical: Final = msgspec.json.Encoder(order="sorted").encode
"""Canonical JSON: keys in order, no spaces, UTF-8."""


class _Hashed(msgspec.Struct):
    """The part of an entry that its hash covers: all but the hash, its keys in alphabetical order."""

    actor: str
    at_mono_ns: int
    at_wall: str
    body: msgspec.Raw
    boot_id: str
    kind: str
    log_id: str
    n: int
    prev: str
    rulings: msgspec.Raw
    seq: int
    state: str


_encode: Final = msgspec.json.Encoder().encode


def line(entry: Entry) -> bytes:
    """Return an entry as canonical JSON, without its own hash: the bytes that are hashed."""
    return _encode(
        _Hashed(
            entry.actor, entry.at_mono_ns, entry.at_wall, msgspec.Raw(entry.body.encode()), entry.boot_id, entry.kind,
            entry.log_id, entry.n, entry.prev.hex(), msgspec.Raw(entry.rulings.encode()), entry.seq, entry.state,
        )
    )  # fmt: skip


def fits(entry: Entry) -> bool:
    """Return True if an entry is as it was written, by its own hash."""
    try:
        return hashlib.sha256(line(entry)).digest() == entry.hash
    except (TypeError, ValueError, AttributeError, msgspec.MsgspecError):
        return False


def chained(entries: Iterable[Entry], head: int | None = None) -> Iterator[Entry]:
    """Yield the entries, each checked against the one before; raise LogError where one does not fit.

    `head` is the number that the last one has, where that is known.
    """
    seq, prev = 0, GENESIS
    for entry in entries:
        if entry.seq != seq + 1:
            raise LogError(
                f"Entry {seq + 1} of the log is missing, entry {entry.seq} comes after {seq}; companion salvage brings "
                "back what is sound.",
                "gap",
                seq=seq + 1,
            )
        if entry.prev != prev or not fits(entry):
            raise LogError(
                f"Entry {entry.seq} of the log is not as it was written, and nothing from there on can be trusted; "
                "companion salvage brings back what is sound.",
                "changed",
                seq=entry.seq,
            )
        seq, prev = entry.seq, entry.hash
        yield entry
    if not seq:
        raise LogError("The log has no entries; companion salvage brings back what is sound.", "empty")
    if head is not None and seq < head:
        raise LogError(
            f"The log is cut off after entry {seq} of {head}; companion salvage brings back what is sound.",
            "cut",
            seq=seq,
            head=head,
        )


def from_elsewhere(log: Iterable[Entry]) -> list[Entry]:
    """Return a log that came in a file or from another machine, checked; raises LogError. No salvage helps there."""
    try:
        return list(chained(log))
    except LogError:
        raise LogError(
            "The log is not as it was written, or not all of it is here; have it sent or exported again.", "not_whole"
        ) from None
