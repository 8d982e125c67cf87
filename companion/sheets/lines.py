"""The entries of a log as lines of JSON, as they lie in a copy, in an export and on the way to race control."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Final

import msgspec

from companion import whole_file
from companion.rules.conversation.asking import Json
from companion.rules.conversation.errors import LogError
from companion.rules.conversation.typed import json_reader
from companion.sheets.chain import canonical, line
from companion.sheets.entry import Entry, EntryKind

MOST: Final = 64 << 20
"""Maximum size of a log file that is read, in bytes: some hundred times a long race."""

_Id = Annotated[str, msgspec.Meta(min_length=32, max_length=32)]
_Hash = Annotated[str, msgspec.Meta(min_length=64, max_length=64)]
"""SHA-256 in hex. The digits are checked on reading, since a pattern here would take as long as all the rest."""
_Whole = Annotated[int, msgspec.Meta(ge=0, le=2**63 - 1)]


class _Line(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An entry as it is written on a line: what its hash covers, and the hash."""

    actor: str
    at_mono_ns: _Whole
    at_wall: str
    body: Json
    boot_id: str
    kind: EntryKind | str
    log_id: _Id
    n: _Whole
    prev: _Hash
    rulings: Json
    seq: Annotated[int, msgspec.Meta(ge=1, lt=2**53)]
    state: str
    hash: _Hash


class _Export(msgspec.Struct, frozen=True):
    """A race as `companion races export --json` writes it, without its sheet."""

    log: list[_Line]


_read_line: Final = json_reader(_Line)
_read_lines: Final = json_reader(list[_Line])
_read_export: Final = json_reader(_Export)


def as_line(entry: Entry) -> str:
    """Return an entry on a line of its own: as it was hashed, and then its hash."""
    return f'{line(entry).decode()[:-1]},"hash":"{entry.hash.hex()}"}}\n'


def entry_of(said: bytes) -> Entry:
    """Return the entry of a line, its hash not checked; raise ValueError or RecursionError."""
    return _entry(_read_line(said))


def filed(path: Path) -> list[Entry]:
    """Return the entries in a file, not checked; raise LogError for a file that holds none.

    The file is one that `companion races export --json` writes, or lines in a copy of all races (.jsonl).
    """
    try:
        whole_file.must_be_plain(path)
        if path.stat().st_size > MOST:
            raise LogError("log_long", path=str(path), most=MOST >> 20)
        text = path.read_bytes()
        if path.suffix == ".jsonl":
            return [entry_of(said) for said in text.splitlines() if said]
        rows: Sequence[_Line] = _read_lines(text) if text.lstrip()[:1] == b"[" else _read_export(text).log
        return list(map(_entry, rows))
    except OSError as wrong:
        raise LogError("log_unread", path=str(path), why=wrong.strerror) from None
    except (ValueError, RecursionError):
        raise LogError("log_none", path=str(path)) from None


def _entry(said: _Line) -> Entry:
    _bytes(said.log_id)
    return Entry(
        said.log_id, said.seq, said.at_wall, said.at_mono_ns, said.boot_id, said.actor,
        said.kind, said.n, canonical(said.body).decode(), canonical(said.rulings).decode(), said.state,  # type: ignore[arg-type]
        _bytes(said.prev), _bytes(said.hash),
    )  # fmt: skip


def _bytes(said: str) -> bytes:
    """Return the bytes of hexadecimal figures as they are written here; raise ValueError for anything else."""
    made = bytes.fromhex(said)
    if made.hex() != said:
        raise ValueError(said)
    return made
