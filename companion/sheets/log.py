"""The log: one SQLite database, entries that are only ever added, each chained to the one before it by SHA-256.

`entry` is the truth; `snapshot` (states to resume from) and `race` (for listing) can be made again from it. A program
that writes a race holds it (place.Hold); everybody else reads.
"""

from __future__ import annotations

import contextlib
import datetime
import hashlib
import logging
import secrets
import sqlite3
import time
from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import Final, NamedTuple, cast

import msgspec

from companion.rules.conversation.asking import Json, Ruling
from companion.rules.conversation.errors import LogError, NotSaved
from companion.sheets import whole_check
from companion.sheets.chain import GENESIS, canonical, chained, line
from companion.sheets.database import UNREADABLE, damaged, refused
from companion.sheets.dice_statistics import keep
from companion.sheets.entry import ActKind, Beginning, Entry, EntryKind
from companion.sheets.guards import guard
from companion.sheets.high_water import HighWaterMark, must_not_be_emptied, read_marks
from companion.sheets.place import DATABASE, DatabaseFiles, Gate, WriteLock, database_exists
from companion.sheets.reading import RACE, StoredRace, about, entries, find, head, reading, snapshots, sought, unharmed
from companion.sheets.storage import is_known, must_be_told


class Write(NamedTuple):
    """The rows that one entry brings to the database."""

    entry: Entry
    forget: int | None
    snapshots: Sequence[tuple[int, bytes]]
    stands: tuple[int, bool] | None
    race: tuple[Json, ...] | None

    @property
    def plain(self) -> bool:
        """True if it is an entry and nothing else, as most are."""
        return self.forget is None and self.stands is None and self.race is None and not self.snapshots


def boot_id() -> str:
    """Return the id of this run of the machine; "" where it does not say."""
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
    except OSError:
        return ""


class Log:
    """The writer of one race's log. It belongs to the thread that made it."""

    def __init__(self, folder: Path, log_id: str, name: str) -> None:
        self.folder, self.log_id, self.name = folder, log_id, name
        self.path = folder / DATABASE
        self.kind: str = RACE
        """Kind of its first entry, which tells a race from a record."""
        self.in_memory = False
        """True if the table chose to go on without the disk."""
        self._waiting: list[Write] = []
        self._db: sqlite3.Connection | None = None
        self._hold: WriteLock | None = None
        self._gate: Gate | None = None
        self._guarded = False
        self._lying: DatabaseFiles | None = None
        self._writer: whole_check.DatabaseWriter | None = None
        self._mark: HighWaterMark | None = None
        self._seq, self._hash = 0, GENESIS
        self._entries: list[Entry] = []
        """All entries of the race, in case its file disappears."""
        self._stands: tuple[int, bool] = 0, False
        self._boot = boot_id()

    @classmethod
    def begin(
        cls,
        folder: Path,
        beginning: Beginning,
        *,
        by: str,
        opening: Sequence[Ruling],
        state: str,
        at: str,
        stands: tuple[int, bool],
        in_memory: bool = False,
    ) -> Log:
        """Begin a new race, with its first entry written; raise NotSaved if the disk refuses, unless `in_memory`."""
        setup = beginning.setup
        cars, laps = setup.get("cars"), setup.get("laps")
        of = (
            beginning.rulebook, beginning.version, beginning.track_key, len(cars) if isinstance(cars, list) else 0,
            laps if isinstance(laps, int) else 0, stands[0], int(stands[1]),
        )  # fmt: skip
        cls._tell(folder, in_memory)
        log = cls._new(folder, beginning.name, in_memory=in_memory)
        log._first(RACE, by, beginning, opening, state, at, of)
        return log

    @classmethod
    def begin_record(
        cls, folder: Path, kind: ActKind, name: str, beginning: msgspec.Struct, *, by: str, at: str
    ) -> Log:
        """Begin a new record of a tournament, a season or a session of trials, with its first entry written.

        Raises NotSaved if the disk refuses.
        """
        log = cls._new(folder, name)
        log.kind = kind
        log._first(kind, by, beginning, (), "", at, ("", "", "", 0, 0, 0, 0))
        return log

    @classmethod
    def _new(cls, folder: Path, name: str, *, in_memory: bool = False) -> Log:
        must_not_be_emptied(folder)
        if database_exists(folder) and read_marks(folder):
            with reading(folder) as db:
                unharmed(folder, db)
        log = cls(folder, secrets.token_hex(16), name)
        log.in_memory = in_memory
        return log

    @staticmethod
    def _tell(folder: Path, in_memory: bool) -> None:
        """Raise NotSaved on an appliance that keeps races in memory, until somebody has said once to go on so."""
        wrong = must_be_told(folder)
        if wrong is not None and not in_memory:
            raise wrong
        if wrong is not None:
            is_known(folder)

    def _first(
        self,
        kind: EntryKind | ActKind,
        by: str,
        beginning: msgspec.Struct,
        opening: Sequence[Ruling],
        state: str,
        at: str,
        of: tuple[Json, ...],
    ) -> None:
        """Write the first entry, and its line in the list of races; close the log if that is refused."""
        try:
            self.append(kind, by, 0, beginning, opening, state, at, race=(self.log_id, self.name, at, *of))
        except BaseException:
            self.close()
            raise

    @classmethod
    def resume(
        cls,
        folder: Path,
        word: str,
        *,
        in_memory: bool = False,
        among: Callable[[sqlite3.Connection, str], StoredRace] = find,
    ) -> Log:
        """Return the log of a race that goes on, or of the record that `among` finds.

        Raises LogError if there is no such one, another program writes it or it is damaged; NotSaved if it cannot be
        written, unless `in_memory`.
        """
        with reading(folder) as db:
            race = sought(folder, db, word, among)
            unharmed(folder, db)
        log = cls(folder, race.log_id, race.name)
        log.kind = race.kind
        log.in_memory = in_memory
        if log.kind == RACE:
            cls._tell(folder, in_memory)
        try:
            try:
                log._open()
            except NotSaved:
                if not in_memory:
                    raise
        except BaseException:
            log.close()
            raise
        return log

    def read(self) -> tuple[list[Entry], list[tuple[int, bytes]]]:
        """Every entry, the chain checked, and the snapshots; raises LogError."""
        if self._db is not None:
            return self._read(self._db)
        with reading(self.folder) as db:
            return self._read(db)

    def _read(self, db: sqlite3.Connection) -> tuple[list[Entry], list[tuple[int, bytes]]]:
        try:
            log = list(chained(entries(db, self.log_id), head(db, self.log_id)))
            states = snapshots(db, self.log_id)
            stands = db.execute("SELECT round, over FROM race WHERE log_id = ?", [self.log_id]).fetchone()
        except UNREADABLE as wrong:
            raise damaged(self.path) from wrong
        self._seq, self._hash, self._entries = log[-1].seq, log[-1].hash, list(log)
        self._stands = (stands[0], bool(stands[1])) if stands is not None else (0, False)
        return log, states

    def throw_away(self, states: Collection[int]) -> None:
        """Drop useless states stored for resuming, by how many answers came before.

        If they cannot be dropped, they stay and do no harm.
        """
        if self._db is not None and self._gate is not None and states:
            with contextlib.suppress(OSError, *UNREADABLE), self._gate.passed():
                many = [(self.log_id, n) for n in states]
                self._db.executemany("DELETE FROM snapshot WHERE log_id = ? AND n = ?", many)

    @property
    def waiting(self) -> tuple[Write, ...]:
        """The writes that wait for room on the disk, in order."""
        return tuple(self._waiting)

    @property
    def unsaved(self) -> int:
        """The number of entries that wait for room on the disk."""
        return len(self._waiting)

    @property
    def entries(self) -> Sequence[Entry]:
        """Every entry so far, those that wait for the disk too."""
        return self._entries

    def append(
        self,
        kind: EntryKind | ActKind,
        actor: str,
        n: int,
        body: msgspec.Struct,
        rulings: Sequence[Ruling],
        state: str,
        at: str,
        *,
        forget: int | None = None,
        keep: Sequence[tuple[int, bytes]] = (),
        stands: tuple[int, bool] | None = None,
        race: tuple[Json, ...] | None = None,
    ) -> int:
        """One more entry, on the disk when this returns (or waiting for it, `in_memory`); returns its number.

        `forget` drops the snapshots after that place, `keep` adds some, `stands` is the round and whether the race is
        over. Raises NotSaved; nothing has been written then.
        """
        entry = Entry(
            self.log_id, self._seq + 1, at, time.monotonic_ns(), self._boot, actor, cast("EntryKind", kind), n,
            canonical(body).decode(), canonical(rulings).decode(), state, self._hash, b"",
        )  # fmt: skip
        entry = msgspec.structs.replace(entry, hash=hashlib.sha256(line(entry)).digest())
        write = Write(entry, forget, keep, stands, race)
        if self.in_memory:
            self._waiting.append(write)
            with contextlib.suppress(LogError):  # whatever the disk says: the entry stands, and waits
                self.save()
        else:
            self.commit([write])
        self._seq, self._hash = entry.seq, entry.hash
        self._entries.append(entry)
        if race is not None:
            self._stands = race[8], bool(race[9])
        elif stands is not None:
            self._stands = stands
        return entry.seq

    def save(self) -> None:
        """Write what waits; raise NotSaved if there is still no room."""
        if self._waiting:
            if self._lying is not None and not self._lying.still():
                self._take_out()
            self.commit(self._waiting)
            self._waiting.clear()

    def close(self) -> None:
        """End writing and release the race, after one more try to write what still waits."""
        try:
            with contextlib.suppress(LogError):
                self.save()
            if self._waiting:
                count = len(self._waiting)
                logging.getLogger(__name__).error("no disk took the last %d entries of %s", count, self.name)
        finally:
            self._let_go()

    # -- the machinery

    def _let_go(self) -> None:
        """Close what is open, which releases the race."""
        still, clean = self._lying is not None and self._lying.still(), False
        try:
            if self._db is not None and self._gate is not None:
                with contextlib.suppress(OSError, *UNREADABLE), self._gate.passed():
                    with contextlib.suppress(*UNREADABLE):
                        if self._seq and not self._waiting:
                            self._seal(self._db)
                    self._db.close()
                    if self._lying is not None:
                        self._lying.part()
                    clean = still
        finally:
            self._db, self._lying, self._guarded = None, None, False
            if self._mark is not None:
                journal = self.path.with_name(f"{self.path.name}-wal")
                self._mark.close(keep=journal.exists() or not still or not self._seq)
                self._mark = None
            if self._gate is not None:
                self._gate.close()
                self._gate = None
            if self._writer is not None:
                self._writer.close(clean=clean)
                self._writer = None
            if self._hold is not None:
                self._hold.release()
                self._hold = None

    def _take_out(self) -> None:
        """Queue all of the race for the database that will lie here next, before the writes that wait already.

        The database that it was written to does not lie there any longer.
        """
        whole = [Write(entry, None, (), None, None) for entry in self._entries[: self._waiting[0].entry.seq - 1]]
        if whole:
            whole[0] = whole[0]._replace(race=(*about(self._entries[0]), *map(int, self._stands)))
            whole[-1] = whole[-1]._replace(stands=self._stands)
        self._waiting[:0] = whole
        self._let_go()

    def _open(self) -> sqlite3.Connection:
        if self._db is None:
            try:
                self.folder.mkdir(parents=True, exist_ok=True)
                if self._hold is None:
                    self._hold = WriteLock(self.folder, self.log_id, self.name, race=self.kind == RACE)
                if self._gate is None:
                    self._gate = Gate(self.folder)
                with self._gate.passed():
                    db, self._writer = whole_check.open_to_write(self.path)
                self._db, self._lying = db, DatabaseFiles(self.path)
                with contextlib.suppress(OSError):  # the race can do without
                    self._mark = HighWaterMark(self.folder, self.log_id, self.name)
            except OSError as wrong:
                raise refused(wrong, self.path) from wrong
            whole_check.check_in_background(self.path)
        return self._db

    def commit(self, writes: Sequence[Write]) -> None:
        """Write entries to the disk in one transaction.

        Raises NotSaved.
        """
        if self._lying is not None and not self._lying.still():
            raise NotSaved("gone.replaced", path=str(self.path))
        db = self._open()
        gate = self._gate
        assert gate is not None
        try:
            gate.enter()
        except OSError as wrong:
            raise refused(wrong, self.path) from wrong
        execute = db.execute
        try:
            if not self._guarded:
                guard(db)
                self._guarded = True
            if len(writes) == 1 and writes[0].plain:
                insert(execute, writes[0])  # one statement is a transaction of its own
            else:
                execute("BEGIN IMMEDIATE")
                for write in self._lacking(execute, writes):
                    insert(execute, write)
                execute("COMMIT")
        except BaseException as wrong:
            with contextlib.suppress(sqlite3.Error):
                if db.in_transaction:
                    execute("ROLLBACK")
            if isinstance(wrong, UNREADABLE):
                raise NotSaved.of(refused(wrong, self.path)) from wrong
            raise
        finally:
            gate.leave()
        if self._mark is not None:
            self._mark.set(writes[-1].entry.seq, writes[-1].entry.hash)

    def _lacking(self, execute: Execute, writes: Sequence[Write]) -> Sequence[Write]:
        """Return the writes not yet in the database: a copy that took its place holds the beginning of the race."""
        at = "SELECT seq, hash FROM entry WHERE log_id = ? AND seq <= ? ORDER BY seq DESC LIMIT 1"
        last = execute(at, (self.log_id, writes[-1].entry.seq)).fetchone()
        if last is None:
            return writes
        if any(write.entry.seq == last[0] and write.entry.hash != last[1] for write in writes):
            raise sqlite3.IntegrityError("it holds another race of that name")
        return [write for write in writes if write.entry.seq > last[0]]

    def _seal(self, db: sqlite3.Connection) -> None:
        """Note where the log ends, as every round does, so that a missing end is seen.

        For a race that is over it also stores the faces of its dice.
        """
        execute = db.execute
        execute("BEGIN IMMEDIATE")
        execute("UPDATE race SET head = ? WHERE log_id = ? AND head < ?", (self._seq, self.log_id, self._seq))
        if self.kind == RACE and self._stands[1]:
            with contextlib.suppress(LogError):  # a log that makes no sense is told where it is read
                keep(db, self._entries)
        execute("COMMIT")


_INSERT: Final = f"INSERT INTO entry VALUES ({','.join('?' * len(Entry.__struct_fields__))})"


Execute = Callable[[str, Sequence[object]], sqlite3.Cursor]


def insert(execute: Execute, write: Write) -> None:
    """Write one entry and what goes with it."""
    entry = write.entry
    execute(_INSERT, msgspec.structs.astuple(entry))
    if write.race is not None:
        execute("INSERT INTO race VALUES (?,?,?,?,?,?,?,?,?,?,1)", write.race)
    if write.forget is not None:
        execute("DELETE FROM snapshot WHERE log_id = ? AND n > ?", (entry.log_id, write.forget))
    for n, body in write.snapshots:
        execute("INSERT OR REPLACE INTO snapshot VALUES (?,?,?)", (entry.log_id, n, body))
    if write.stands is not None:
        execute(
            "UPDATE race SET head = ?, round = ?, over = ? WHERE log_id = ?", (entry.seq, *write.stands, entry.log_id)
        )


def now() -> str:
    """Return the wall clock, UTC, to the millisecond: data, never order."""
    return datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="milliseconds")  # noqa: UP017
