"""The chain: each entry carries the SHA-256 of the one before it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from typing import Final

import msgspec

from companion.rules.conversation.errors import LogError
from companion.sheets.entry import Entry

GENESIS: Final = bytes(32)
"""Hash before the first entry."""

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
            raise LogError("gap", next=seq + 1, seq=entry.seq, last=seq)
        if entry.prev != prev or not fits(entry):
            raise LogError("changed.log", seq=entry.seq)
        seq, prev = entry.seq, entry.hash
        yield entry
    if not seq:
        raise LogError("empty.log")
    if head is not None and seq < head:
        raise LogError("cut", seq=seq, head=head)


def from_elsewhere(log: Iterable[Entry]) -> list[Entry]:
    """Return a log that came in a file or from another machine, checked; raises LogError. No salvage helps there."""
    try:
        return list(chained(log))
    except LogError:
        raise LogError("not_whole") from None
