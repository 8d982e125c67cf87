"""Logs of tables for the hall's tests: quickly made ones, chained as a desk chains them."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path
from random import Random

import msgspec

from companion.sheets.chain import GENESIS, canonical, line
from companion.sheets.database import database
from companion.sheets.entry import Answered, Beginning, Entry
from companion.sheets.lines import as_line
from companion.sheets.log import Write, insert
from companion.sheets.place import DATABASE
from companion.sheets.reading import about


def hashed(entry: Entry) -> Entry:
    return msgspec.structs.replace(entry, hash=hashlib.sha256(line(entry)).digest())


def more(log: Sequence[Entry], count: int, by: str = "table") -> list[Entry]:
    """A log gone on by so many answers."""
    found = list(log)
    for _ in range(count):
        seq = len(found) + 1
        body = canonical(Answered(("gear", seq % 6, seq // 6, ""), seq % 5)).decode()
        ruling = '[{"article":"6-3","car":1,"kind":"gear"}]'
        last = found[-1]
        found.append(hashed(Entry(
            last.log_id, seq, "1970-01-01T00:00:01.000+00:00", seq, "b", by, "answer", seq - 2, body, ruling, "s" * 16,
            last.hash, b"",
        )))  # fmt: skip
    return found


def made(count: int, seed: int = 1, name: str = "Table 4", track: str = "x" * 400) -> list[Entry]:
    """A log of so many entries."""
    beginning = Beginning({"cars": [{"car": 1}, {"car": 2}]}, "competition", "1", "monza", track, name)
    log_id, body = Random(seed).randbytes(16).hex(), canonical(beginning).decode()
    first = Entry(
        log_id, 1, "1970-01-01T00:00:00.000+00:00", 1, "b", "table", "setup", 0, body, "[]", "s", GENESIS, b""
    )
    return more([hashed(first)], count - 1)


def lines(log: Sequence[Entry]) -> bytes:
    return "".join(map(as_line, log)).encode()


def written(folder: Path, log: Sequence[Entry]) -> None:
    """Puts entries into a table's own database, as its desk would."""
    folder.mkdir(exist_ok=True)
    db = database(folder / DATABASE, write=True, check=False)
    db.execute("BEGIN")
    for entry in log:
        insert(db.execute, Write(entry, None, (), None, (*about(entry), 0, 0) if entry.seq == 1 else None))
    db.execute("COMMIT")
    db.close()
