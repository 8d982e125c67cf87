"""A damaged database: all of it that is sound goes into a new one, and the old one is kept as it was found.

Of each race that is its entries from the first to the last that follow one another by their hashes; what comes after a
missing or changed one cannot be trusted and stays in the old file.
"""

from __future__ import annotations

import contextlib
import filecmp
import hashlib
import os
import shutil
import sqlite3
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from companion.rules.conversation.errors import LogError
from companion.sheets.chain import GENESIS, canonical, chained, line
from companion.sheets.database import UNREADABLE, connected, database, refused
from companion.sheets.entry import REMARKS, Entry, Spoken
from companion.sheets.high_water import HighWater, forget, read_marks
from companion.sheets.history import History
from companion.sheets.log import Write, insert, now
from companion.sheets.place import DATABASE, Gate, WriteLock, database_exists
from companion.sheets.reading import RECORDS, about, entries, logs, reading, unharmed
from companion.sheets.sqlite_pages import RecoveredEntry, recover_entries
from companion.tournament.record import Noted
from companion.whole_file import must_be_plain, synced

_NEW: Final = ".salvaged.db"
"""Name of the new database until it is complete."""


class SalvagedRace(NamedTuple):
    """A race that was salvaged: its name, its id, how many entries it has now, and signs of how many more.

    With 0 entries not even its beginning is sound, and it is not in the new database.
    """

    name: str
    log_id: str
    entries: int
    lost: int


class SalvageResult(NamedTuple):
    """The salvaged races, and the folder of the old file; None if nothing was damaged or done."""

    races: tuple[SalvagedRace, ...]
    old: Path | None


def salvage(folder: Path, note: Callable[[int], str]) -> SalvageResult:
    """Move all that is sound in the database of `folder` into a new one in its place.

    `note` says on the sheet of a race of which entries are lost after which entry. Where nothing is sound the new one
    is empty.

    Raises LogError if there is no database, another program writes a race, or the disk takes nothing: all is as it was.
    """
    path = folder / DATABASE
    if not database_exists(folder) and not read_marks(folder):
        raise LogError("no_races", folder=folder)
    try:
        must_be_plain(path)
    except FileNotFoundError:
        pass  # what is left of it is a note, and its journal perhaps
    except OSError as wrong:
        why = wrong.strerror
        raise LogError("no_file", path=path, why=why) from None
    try:
        with _alone(folder):
            source = _put_away(folder) or path
            logs = longest(recover_entries(source))
            marks = read_marks(folder)
            if _sound(folder, {log.log_id: len(log.chain) for log in logs}, marks):
                return SalvageResult((), None)
            heads = _heads(source)
            for log_id, mark in marks.items():
                heads[log_id] = max(heads.get(log_id, 0), mark.seq)
            taken = _write_database(folder / _NEW, logs, heads, _states(source), note)
            there = {log.log_id for log in logs}
            gone = (
                SalvagedRace(mark.name, log_id, 0, mark.seq) for log_id, mark in marks.items() if log_id not in there
            )
            done = SalvageResult((*taken, *gone), _replace_database(folder, source))
            forget(folder)  # it is told
            return done
    except (OSError, *UNREADABLE) as wrong:
        raise refused(wrong, path) from wrong
    finally:
        with contextlib.suppress(OSError):
            for left in folder.glob(f"{_NEW}*"):
                left.unlink()


class Chain(NamedTuple):
    """The sound beginning of one race's log.

    `row` is that of its last entry that was played, `after` how many sound entries come after a gap.
    """

    log_id: str
    chain: list[Entry]
    row: int
    after: int


def longest(entries: Iterable[RecoveredEntry]) -> list[Chain]:
    """Return the longest line of entries of each race from its first on, the race last played last.

    There may be two lines where a transaction was given up and another one followed.
    """
    logs: dict[str, list[RecoveredEntry]] = defaultdict(list)
    for one in entries:
        logs[one.entry.log_id].append(one)
    chains = []
    for log_id, log in logs.items():
        log.sort(key=lambda one: (-one.entry.seq, one.row))
        best: dict[tuple[int, bytes], tuple[int, RecoveredEntry]] = {}
        """Longest chain of entries after an entry, by its number and hash: the length, and the first of the chain."""
        for one in log:
            entry = one.entry
            length = 1 + best.get((entry.seq + 1, entry.hash), (0, None))[0]
            if length > best.get((entry.seq, entry.prev), (0, None))[0]:
                best[entry.seq, entry.prev] = (length, one)
        chain: list[Entry] = []
        row, prev = 0, GENESIS
        while (follows := best.get((len(chain) + 1, prev))) is not None:
            chain.append(follows[1].entry)
            prev = follows[1].entry.hash
            if follows[1].entry.kind not in REMARKS:
                row = max(row, follows[1].row)
        chains.append(Chain(log_id, chain, row, sum(one.entry.seq > len(chain) for one in log)))
    return sorted(chains, key=lambda log: log.row)


# -- the steps


@contextlib.contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Inside, no other program writes a race; raises LogError if one does."""
    with contextlib.ExitStack() as stack:
        for lock in sorted(folder.glob("*.lock")):
            if lock.stem != Path(DATABASE).stem:
                stack.callback(WriteLock(folder, lock.stem, lock.stem[:8]).release)
        gate = Gate(folder)
        stack.callback(gate.close)
        stack.enter_context(gate.passed())
        yield


def _sound(folder: Path, there: Mapping[str, int], marks: Mapping[str, HighWater]) -> bool:
    """Return True if the database and its logs are sound, and all that was confirmed is there.

    SQLite must read all the entries that are `there` (it drops what follows a damaged frame of the journal).
    """
    try:
        with reading(folder) as db:
            if db.execute("PRAGMA integrity_check(1)").fetchone()[0] != "ok":
                return False
            read = {race.log_id: sum(1 for _ in chained(entries(db, race.log_id), race.head)) for race in logs(db)}
            unharmed(folder, db)
    except LogError as wrong:
        if wrong.code in ("foreign", "newer"):
            raise
        return False
    return (
        bool(read) and set(marks) <= set(read) and all(read.get(log_id, 0) >= count for log_id, count in there.items())
    )


def _heads(path: Path) -> dict[str, int]:
    """Return how many entries each race had, as far as the list of races tells."""
    try:
        with contextlib.closing(connected(path, write=False)) as db:
            return dict(db.execute("SELECT log_id, head FROM race"))
    except (LogError, *UNREADABLE):
        return {}


def _states(path: Path) -> dict[str, list[tuple[int, bytes]]]:
    """Return the states stored for resuming each race, as far as they can be read.

    With them a race goes on whose beginning a newer rulebook rules otherwise.
    """
    kept_states: dict[str, list[tuple[int, bytes]]] = defaultdict(list)
    with contextlib.suppress(LogError, *UNREADABLE), contextlib.closing(connected(path, write=False)) as db:
        for log_id, n, body in db.execute("SELECT log_id, n, body FROM snapshot"):
            if isinstance(n, int) and isinstance(body, bytes):
                kept_states[log_id].append((n, body))
    return kept_states


def _write_database(
    path: Path,
    logs: Iterable[Chain],
    heads: dict[str, int],
    states: Mapping[str, Sequence[tuple[int, bytes]]],
    note: Callable[[int], str],
) -> tuple[SalvagedRace, ...]:
    """Write the new database, whole and on the disk; return what it holds of each race."""
    for left in path.parent.glob(f"{path.name}*"):
        left.unlink()
    taken = []
    db = database(path, write=True)
    try:
        db.execute("BEGIN IMMEDIATE")
        for log in logs:
            lost = max(log.after, heads.get(log.log_id, 0) - len(log.chain))
            taken.append(_race(db.execute, log, lost, states.get(log.log_id, ()), note))
        db.execute("COMMIT")
        db.execute("PRAGMA journal_mode=DELETE")  # one file, to be put into its place in one step
    finally:
        db.close()
    synced(path)
    return tuple(taken)


def _race(
    execute: Callable[..., sqlite3.Cursor],
    log: Chain,
    lost: int,
    states: Sequence[tuple[int, bytes]],
    note: Callable[[int], str],
) -> SalvagedRace:
    if not log.chain:
        return SalvagedRace("", log.log_id, 0, lost)
    listed, stands = about(log.chain[0]), (0, False)
    vouched: Sequence[tuple[int, bytes]] = ()
    if log.chain[0].kind not in RECORDS:
        history = History.of(log.chain)
        stands, vouched = history.stands, history.vouched(states)
        said = _loss_note(log.chain[-1], len(history.items), Spoken(note(len(log.chain))))
    else:
        said = _loss_note(log.chain[-1], 0, Noted(text=note(len(log.chain))))
    kept_entries = [*log.chain, *([said] if lost else [])]
    for entry in kept_entries:
        row = (*listed, stands[0], int(stands[1])) if entry.seq == 1 else None
        last = entry is kept_entries[-1]
        insert(execute, Write(entry, None, vouched if last else (), stands if last else None, row))
    return SalvagedRace(listed.name, log.log_id, len(log.chain), lost)


def _loss_note(last: Entry, n: int, words: Spoken | Noted) -> Entry:
    """Return a note after the last sound entry, which says on the sheet that there were more."""
    entry = Entry(
        last.log_id, last.seq + 1, now(), time.monotonic_ns(), "", "program", "note", n,
        canonical(words).decode(), "[]", last.state, last.hash, b"",
    )  # fmt: skip
    return msgspec.structs.replace(entry, hash=hashlib.sha256(line(entry)).digest())


def _put_away(folder: Path) -> Path | None:
    """Return the old database in the folder where an interrupted salvage has put it, or None.

    That salvage was cut off after it had taken the journal away: the file that still lies under its own name has lost
    the journal's entries.
    """
    path, away = folder / DATABASE, folder / f"damaged-{_free(folder) - 1}" / DATABASE
    if not _there(path) or _there(_journal(path)) or not _there(away) or not _there(_journal(away)):
        return None
    return away if filecmp.cmp(path, away, shallow=False) else None


def _journal(path: Path) -> Path:
    return path.with_name(f"{path.name}-wal")


def _there(path: Path) -> bool:
    return path.exists() and path.stat().st_size > 0


def _free(folder: Path) -> int:
    """Return the number of the next folder for an old database."""
    number = 1
    while (folder / f"damaged-{number}").exists():
        number += 1
    return number


def _replace_database(folder: Path, source: Path) -> Path:
    """Move the new database into its place; return the folder into which the old one went, as it was found.

    At every moment of this the old one is whole, under its own name or in that folder.
    """
    path = folder / DATABASE
    old = source.parent if source != path else _kept_aside(folder)
    for journal in (_journal(path), path.with_name(f"{path.name}-shm")):
        journal.unlink(missing_ok=True)  # before: SQLite would read an old journal into the new database
    (folder / _NEW).replace(path)
    synced(folder)
    return old


def _kept_aside(folder: Path) -> Path:
    """Put the old database into a folder of its own as well, as it was found."""
    old, path = folder / f"damaged-{_free(folder)}", folder / DATABASE
    undone = folder / f".{old.name}"
    shutil.rmtree(undone, ignore_errors=True)
    undone.mkdir()
    for file in (path, _journal(path)):
        if _there(file):
            try:
                os.link(file, undone / file.name)
            except OSError:  # a file system without links
                shutil.copyfile(file, undone / file.name)
                synced(undone / file.name)
    synced(undone)
    undone.rename(old)
    synced(folder)
    return old
