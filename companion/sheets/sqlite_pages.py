"""Read the entries that a database's file still holds, page by page, without SQLite and without its schema.

SQLite reads nothing of a table behind a page that is damaged. But each entry carries its own hash, so whatever looks
like one can be tried, wherever it lies: on a page of the file, on one that nothing leads to any more, in its journal
(the WAL) behind a frame that SQLite takes for the end. The form of the file: sqlite.org/fileformat.html.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeGuard

from companion.sheets.chain import fits
from companion.sheets.entry import Entry

SIZES: Final = (4096, 1024, 2048, 8192, 16384, 32768, 65536, 512)
"""Possible page sizes, in bytes; SQLite's usual one first."""

_FRAME: Final = 24
"""Length of the header of each page in the journal, in bytes: page number, and file length if a transaction ends with
it."""
_JOURNAL: Final = 32
"""Length of the header of the journal, in bytes."""
_FILE: Final = 100
"""Length of the header of the first page, in bytes."""
_OTHER: Final = (0x00, 0x02, 0x0A)
"""First bytes of pages without rows: overflow pages, and those of an index."""
_MAX_BAD_POINTERS: Final = 4
"""Invalid pointers in a row that end the list of a page's rows."""
_COLUMNS: Final = len(Entry.__struct_fields__)
_LISTED: Final = 11
"""Number of columns of a row in the list of races; its id comes first, its name second, its last entry last."""
_LOG_ID: Final = re.compile("[0-9a-f]{32}")
_INTEGER_BYTES: Final = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8}
"""Length of an integer in bytes, by its type code."""


def is_log_id(value: object) -> TypeGuard[str]:
    """Return True for an id as the log of a race has one."""
    return isinstance(value, str) and _LOG_ID.fullmatch(value) is not None


class RecoveredEntry(NamedTuple):
    """An entry as it was written, and the number of its row, which grows."""

    row: int
    entry: Entry


class ListedRow(NamedTuple):
    """A row of the list of races: the id and the name of a race, and the number of its last entry."""

    log_id: str
    name: str
    head: int


class Recovered(NamedTuple):
    """The sound entries of a database and its journal, each once, and the rows of its list of races."""

    entries: list[RecoveredEntry]
    listed: list[ListedRow]


def recover(path: Path) -> Recovered:
    """Return all that can be read of a database and its journal, of whichever race. Raises OSError."""
    file = path.read_bytes() if path.exists() else b""
    beside = path.with_name(f"{path.name}-wal")
    journal = beside.read_bytes() if beside.exists() else b""
    told = int.from_bytes(file[16:18], "big") or 0
    told = 65536 if told == 1 else told
    names_only = Recovered([], [])
    for size in dict.fromkeys(size for size in (told, *SIZES) if size in SIZES):
        sound: dict[bytes, RecoveredEntry] = {}
        listed: list[ListedRow] = []
        for pages, number in _states(file, journal, size):
            for one in _rows(pages, number, size):
                if isinstance(one, ListedRow):
                    listed.append(one)
                elif one.entry.hash not in sound and fits(one.entry):
                    sound[one.entry.hash] = one
        if sound:
            return Recovered(list(sound.values()), listed)
        names_only = names_only if names_only.listed else Recovered([], listed)
    return names_only


def _states(file: bytes, journal: bytes, size: int) -> Iterator[tuple[Mapping[int, bytes], int]]:
    """Yield each page to read, by its number, among the pages as they stood then.

    First come the pages of the file, then those that each transaction in the journal wrote.
    """
    pages = {place // size + 1: file[place : place + size] for place in range(0, len(file), size)}
    for number in list(pages):
        yield pages, number
    written: list[int] = []
    for place in range(_JOURNAL, len(journal) - _FRAME - size + 1, _FRAME + size):
        number, ends = struct.unpack_from(">II", journal, place)
        pages[number] = journal[place + _FRAME : place + _FRAME + size]
        written.append(number)
        if ends:
            for each in written:
                yield pages, each
            written = []
    for each in written:
        yield pages, each


def _rows(pages: Mapping[int, bytes], number: int, size: int) -> Iterator[RecoveredEntry | ListedRow]:
    """Yield the rows of a page that look like an entry or like a race in the list."""
    page = pages[number]
    head = _FILE if number == 1 else 0
    if len(page) < size or page[head] in _OTHER:
        return
    nowhere = 0
    for place in range(head + 8, size - 1, 2):
        at = int.from_bytes(page[place : place + 2], "big")
        if not place < at < size:
            nowhere += 1
            if nowhere == _MAX_BAD_POINTERS:
                return
            continue
        nowhere = 0
        try:
            row = _row(pages, page, at, size)
        except (IndexError, ValueError, struct.error):
            continue
        if row is not None:
            yield row


def _row(pages: Mapping[int, bytes], page: bytes, at: int, size: int) -> RecoveredEntry | ListedRow | None:
    """Return the entry or the race in the list that begins there; None if it is something else.

    Raises IndexError, ValueError where it is nothing.
    """
    length, at = _number(page, at)
    row, at = _number(page, at)
    if not _LISTED < length < 1 << 26:
        return None
    here = length
    if length > size - 35:
        least = (size - 12) * 32 // 255 - 23
        here = least + (length - least) % (size - 4)
        here = here if here <= size - 35 else least
    record = page[at : at + here]
    codes, content = _codes(record)
    if len(codes) == _LISTED and here == length:
        return _listed_row(*_values(record, codes, content))
    if len(codes) != _COLUMNS or codes[-1] != 12 + 2 * 32:  # the last is a hash
        return None
    if here < length:
        record = _whole(pages, record, int.from_bytes(page[at + here : at + here + 4], "big"), length, size)
    return RecoveredEntry(row, Entry(*_values(record, codes, content)))


def _listed_row(log_id: object, name: object, *rest: object) -> ListedRow | None:
    if is_log_id(log_id) and isinstance(name, str) and isinstance(head := rest[-1], int):
        return ListedRow(log_id, name, head)
    return None


def _codes(record: bytes) -> tuple[list[int], int]:
    """Return the codes of a row's columns, at most one more than an entry has, and where their content begins."""
    content, at = _number(record, 0)
    codes: list[int] = []
    while at < content and len(codes) <= _COLUMNS:
        code, at = _number(record, at)
        codes.append(code)
    return codes, content


def _whole(pages: Mapping[int, bytes], record: bytes, number: int, length: int, size: int) -> bytes:
    """Return a row that runs over to other pages."""
    parts, have = [record], len(record)
    while have < length:
        page = pages.get(number, b"")
        if len(page) < size:
            raise ValueError("it runs over to a page that is not there")
        part = page[4 : 4 + length - have]
        parts.append(part)
        have += len(part)
        number = int.from_bytes(page[:4], "big")
    return b"".join(parts)


def _values(record: bytes, codes: list[int], at: int) -> Iterator[Any]:
    for code in codes:
        if code in (8, 9):
            yield code - 8
            continue
        many = (code - 12) // 2 if code >= 12 else _INTEGER_BYTES.get(code, 0)
        part = record[at : at + many]
        at += many
        if code < 12:
            yield int.from_bytes(part, "big", signed=True) if code in _INTEGER_BYTES else None
        else:
            yield part.decode() if code % 2 else part


def _number(of: bytes, at: int) -> tuple[int, int]:
    """Return a number as SQLite writes it, in one to nine bytes, and where the next thing begins."""
    value = 0
    for place in range(at, at + 8):
        byte = of[place]
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            return value, place + 1
    return value << 8 | of[at + 8], at + 9
