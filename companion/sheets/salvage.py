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
from companion.sheets import whole_check
from companion.sheets.chain import GENESIS, canonical, chained, line
from companion.sheets.database import UNREADABLE, connected, database, refused
from companion.sheets.entry import REMARKS, Entry, Spoken
from companion.sheets.high_water import HighWater, forget, read_marks
from companion.sheets.history import History
from companion.sheets.log import Write, insert, now
from companion.sheets.place import DATABASE, Gate, WriteLock, database_exists
from companion.sheets.reading import RECORDS, about, entries, logs, reading, unharmed
from companion.sheets.sqlite_pages import ListedRow, RecoveredEntry, is_log_id, recover
from companion.sheets.verify import list_problems
from companion.tournament.record import Noted
from companion.whole_file import must_be_plain, synced

_NEW: Final = ".salvaged.db"
"""Name of the new database until it is complete."""


class SalvagedRace(NamedTuple):
    """A race that was salvaged: its name, its id, how many entries it has now, and signs of how many more.

    With 0 entries not even its beginning is sound, and it is not in the new database. `relisted` says that the list of
    races had its line otherwise than its log, or not at all.
    """

    name: str
    log_id: str
    entries: int
    lost: int
    relisted: bool = False


class SalvageResult(NamedTuple):
    """The salvaged races, and the folder of the old file; None if nothing was damaged or done.

    `list_read` is False where the list of races could not be read: there may have been other races then, and more
    entries of these.
    """

    races: tuple[SalvagedRace, ...]
    old: Path | None
    list_read: bool = True

    @property
    def saved(self) -> tuple[SalvagedRace, ...]:
        """The races that are in the new database."""
        return tuple(race for race in self.races if race.entries)


def salvage(folder: Path, note: Callable[[int], str]) -> SalvageResult:
    """Move all that is sound in the database of `folder` into a new one in its place.

    `note` says on the sheet of a race of which entries are lost after which entry. Where nothing is sound the new one
    is empty.

    Raises LogError if there is no database, another program writes a race, or the disk takes nothing: all is as it was.
    """
    path = folder / DATABASE
    if not database_exists(folder) and not read_marks(folder) and not whole_check.was_emptied(path):
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
            found = recover(source)
            logs = longest(found.entries)
            marks = read_marks(folder)
            wrongly_listed = _wrongly_listed(folder, {log.log_id: len(log.chain) for log in logs}, marks)
            if wrongly_listed is not None and not wrongly_listed:
                return SalvageResult((), None)
            listing, list_read = _listing(source, found.listed)
            for log_id, mark in marks.items():
                listing[log_id] = Listed(mark.name, max(listing[log_id].head if log_id in listing else 0, mark.seq))
            taken = _write_database(folder / _NEW, logs, listing, _states(source), note)
            taken = tuple(race._replace(relisted=race.log_id in (wrongly_listed or ())) for race in taken)
            there = {log.log_id for log in logs}
            gone = (SalvagedRace(of.name, log_id, 0, of.head) for log_id, of in listing.items() if log_id not in there)
            done = SalvageResult((*taken, *gone), _replace_database(folder, source), list_read)
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


class Listed(NamedTuple):
    """What the list of races or the mark of its writer says of a race: its name, and how many entries it had."""

    name: str
    head: int


def _wrongly_listed(folder: Path, there: Mapping[str, int], marks: Mapping[str, HighWater]) -> set[str] | None:
    """Return the races whose line in the list is not what their logs come to; None if more than the list is damaged.

    SQLite must read all the entries that are `there` (it drops what follows a damaged frame of the journal), and all
    that was confirmed.
    """
    wrong: set[str] = set()
    read: dict[str, int] = {}
    try:
        with reading(folder) as db:
            if db.execute("PRAGMA integrity_check(1)").fetchone()[0] != "ok":
                return None
            for race in logs(db):
                log = list(chained(entries(db, race.log_id), race.head))
                read[race.log_id] = len(log)
                if list_problems(log, db.execute("SELECT * FROM race WHERE log_id = ?", [race.log_id]).fetchone()):
                    wrong.add(race.log_id)
            if any(log_id not in read for log_id in _rows_of(db)):
                return None
            unharmed(folder, db)
    except LogError as fault:
        if fault.code in ("foreign", "newer"):
            raise
        return None
    whole = bool(read) and set(marks) <= set(read) and all(read.get(one, 0) >= count for one, count in there.items())
    return wrong if whole else None


def _rows_of(db: sqlite3.Connection) -> dict[str, Listed]:
    """Return the list of races; a line with what no race can have is none."""
    rows = db.execute("SELECT log_id, name, head FROM race")
    return {
        log_id: Listed(str(name), head) for log_id, name, head in rows if is_log_id(log_id) and isinstance(head, int)
    }


def _listing(path: Path, recovered: Iterable[ListedRow]) -> tuple[dict[str, Listed], bool]:
    """Return what the list of races told, as far as it can be read, and whether SQLite reads all of it."""
    listing: dict[str, Listed] = {}
    for row in recovered:
        if row.log_id not in listing or listing[row.log_id].head <= row.head:
            listing[row.log_id] = Listed(row.name, row.head)
    try:
        with contextlib.closing(connected(path, write=False)) as db:
            return listing | _rows_of(db), True
    except (LogError, *UNREADABLE):
        return listing, False


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
    listing: Mapping[str, Listed],
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
            listed = listing.get(log.log_id, Listed("", 0))
            if log.chain:
                lost = max(log.after, listed.head - len(log.chain))
                taken.append(_race(db.execute, log, lost, states.get(log.log_id, ()), note))
            else:
                taken.append(SalvagedRace(listed.name, log.log_id, 0, max(log.after, listed.head)))
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
        if file.exists():
            try:
                os.link(file, undone / file.name)
            except OSError:  # a file system without links
                shutil.copyfile(file, undone / file.name)
                synced(undone / file.name)
    synced(undone)
    undone.rename(old)
    synced(folder)
    return old
