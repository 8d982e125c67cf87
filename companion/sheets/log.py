"""The log: one SQLite database, entries that are only ever added, each chained to the one before it by SHA-256.

`entry` is the truth; `snapshot` (states to resume from) and `race` (for listing) can be made again from it. A program
that writes a race holds it (place.Hold); everybody else reads.
"""

from __future__ import annotations

import contextlib
import datetime
import errno
import hashlib
import logging
import secrets
import shutil
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec

from companion.rules.conversation import Json, Ruling
from companion.rules.errors import LogError, NotSaved
from companion.sheets.history import Beginning, Entry
from companion.sheets.place import DATABASE, Gate, Hold

APPLICATION_ID: Final = int.from_bytes(b"RefC", "big")
"""Marks the file as ours (PRAGMA application_id)."""
FORMAT: Final = 1
"""The newest form of the database that this program knows (PRAGMA user_version)."""
GENESIS: Final = bytes(32)
"""The hash before the first entry."""

canonical: Final = msgspec.json.Encoder(order="sorted").encode
"""Canonical JSON: keys in order, no spaces, UTF-8."""


# -- opening


def database(path: Path, *, write: bool) -> sqlite3.Connection:
    """The database, checked and, for writing, brought to this program's form.

    Raises LogError for a file that is not ours, of a newer form, or damaged; NotSaved if it cannot be written.
    """
    try:
        connection = connected(path, write=write)
    except sqlite3.Error as wrong:
        raise _refused(wrong, path) from wrong
    try:
        form = _form(connection, path)
        if write:
            for pragma in ("journal_mode=WAL", "synchronous=FULL", "wal_autocheckpoint=200"):
                connection.execute(f"PRAGMA {pragma}")
        for pragma in (
            "foreign_keys=ON",
            "busy_timeout=5000",
            "trusted_schema=OFF",
            "recursive_triggers=ON",
            "journal_size_limit=1048576",
            "mmap_size=0",
        ):
            connection.execute(f"PRAGMA {pragma}")
        found = [row[0] for row in connection.execute("PRAGMA quick_check(3)").fetchall()]
        if found != ["ok"]:
            where = str(found[0]).strip().splitlines()[-1]
            raise LogError(f"{path} is damaged ({where}); go on from a copy of it.", "damaged", path=str(path))
        if write and form < FORMAT:
            from companion.sheets.forms import brought_up  # takes its time, and is wanted once in a database's life

            brought_up(connection)
    except sqlite3.Error as wrong:
        connection.close()
        raise _refused(wrong, path) from wrong
    except BaseException:
        connection.close()
        raise
    return connection


def connected(path: Path, *, write: bool) -> sqlite3.Connection:
    """A connection to a database as it is, unchecked; raises sqlite3.Error."""

    def connect(query: str) -> sqlite3.Connection:
        connection = sqlite3.connect(f"{path.absolute().as_uri()}{query}", uri=True, isolation_level=None)
        connection.text_factory = lambda text: text.decode("utf-8", "replace")
        return connection

    if write:
        return connect("?mode=rwc")
    connection = connect("?mode=ro")
    try:
        connection.execute("PRAGMA user_version")
    except sqlite3.OperationalError:
        connection.close()
        journal = path.with_name(path.name + "-wal")
        if journal.exists() and journal.stat().st_size:
            raise
        return connect("?mode=ro&immutable=1")  # on a read-only or full card, where no -shm file can be made
    return connection


def _form(db: sqlite3.Connection, path: Path) -> int:
    """The form of a database, 0 of an empty one; raises LogError if it is not ours or newer than this program."""
    ours = db.execute("PRAGMA application_id").fetchone()[0]
    form: int = db.execute("PRAGMA user_version").fetchone()[0]
    if ours == 0 and form == 0 and not db.execute("SELECT 1 FROM sqlite_master").fetchone():
        return form
    if ours != APPLICATION_ID:
        raise LogError(f"{path} is a database of some other program; name another folder with --data.", "foreign")
    if form > FORMAT:
        raise LogError(
            f"{path} was written by a newer companion (form {form}; this one knows up to {FORMAT}); update this one.",
            "newer",
            form=form,
            known=FORMAT,
        )
    return form


def _refused(wrong: Exception, path: Path) -> LogError:
    """What the disk or SQLite said, as one sentence."""
    code = getattr(wrong, "sqlite_errorname", "")
    number = wrong.errno if isinstance(wrong, OSError) else None
    if code in ("SQLITE_NOTADB", "SQLITE_CORRUPT") or isinstance(wrong, sqlite3.IntegrityError):
        return LogError(f"{path} is damaged or no database ({wrong}); go on from a copy of it.", "damaged")
    full = code.startswith("SQLITE_IOERR") and not shutil.disk_usage(path.parent).free
    if full or code.startswith("SQLITE_FULL") or number in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
        return NotSaved(f"The disk is full, so this is not saved in {path}.", "full", path=str(path))
    if code.startswith("SQLITE_READONLY") or number in (errno.EROFS, errno.EACCES, errno.EPERM):
        return NotSaved(f"{path} cannot be written (read-only), so this is not saved.", "read_only", path=str(path))
    return NotSaved(f"{path} could not be written ({wrong}), so this is not saved.", "disk", path=str(path))


# -- the chain


class _Hashed(msgspec.Struct):
    """What the hash of an entry covers: all of it but the hash, its keys in alphabetical order."""

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
    """An entry as canonical JSON, without its own hash: what is hashed."""
    return _encode(
        _Hashed(
            entry.actor, entry.at_mono_ns, entry.at_wall, msgspec.Raw(entry.body.encode()), entry.boot_id, entry.kind,
            entry.log_id, entry.n, entry.prev.hex(), msgspec.Raw(entry.rulings.encode()), entry.seq, entry.state,
        )
    )  # fmt: skip


def chained(entries: Iterable[Entry], head: int | None = None) -> Iterator[Entry]:
    """The entries, each checked against the one before it; raises LogError at the first that does not fit.

    `head` is the number that the last one has, where that is known.
    """
    seq, prev = 0, GENESIS
    for entry in entries:
        if entry.seq != seq + 1:
            raise LogError(
                f"Entry {seq + 1} of the log is missing: entry {entry.seq} comes after {seq}.", "gap", seq=seq + 1
            )
        try:
            fits = entry.prev == prev and hashlib.sha256(line(entry)).digest() == entry.hash
        except (TypeError, ValueError, AttributeError, msgspec.MsgspecError):
            fits = False
        if not fits:
            raise LogError(
                f"Entry {entry.seq} of the log is not as it was written; nothing from there on can be trusted.",
                "changed",
                seq=entry.seq,
            )
        seq, prev = entry.seq, entry.hash
        yield entry
    if not seq:
        raise LogError("The log has no entries.", "empty")
    if head is not None and seq < head:
        raise LogError(f"The log is cut off after entry {seq}; it had {head}.", "cut", seq=seq, head=head)


# -- reading


class Listed(NamedTuple):
    """A race as the list of races shows it. `short` is enough to name it by; `last` is when it was last written."""

    log_id: str
    short: str
    name: str
    begun: str
    last: str
    rulebook: str
    version: str
    track: str
    cars: int
    laps: int
    round: int
    over: bool
    head: int


@contextlib.contextmanager
def reading(folder: Path) -> Iterator[sqlite3.Connection]:
    """The database for reading; raises LogError if there is none."""
    path = folder / DATABASE
    if not path.exists():
        raise LogError(f"There are no races in {folder} yet; companion race begins one.", "no_races")
    db = database(path, write=False)
    try:
        yield db
    except sqlite3.Error as wrong:
        raise LogError(f"{path} cannot be read ({wrong}).", "damaged", path=str(path)) from wrong
    finally:
        db.close()


def races(db: sqlite3.Connection) -> list[Listed]:
    """Every race, the one last written first."""
    rows = db.execute(
        "SELECT log_id, name, begun, at_wall, rulebook, version, track, cars, laps, round, over, head FROM race JOIN "
        "(SELECT log_id AS id, at_wall, max(rowid) AS latest FROM entry GROUP BY log_id) ON id = log_id "
        "ORDER BY latest DESC"
    ).fetchall()
    ids = [row[0] for row in rows]
    length = 4
    while length < 32 and len({one[:length] for one in ids}) < len(ids):
        length += 1
    return [Listed._make((row[0], row[0][:length], *row[1:10], bool(row[10]), row[11])) for row in rows]


def find(db: sqlite3.Connection, word: str) -> Listed:
    """The race of that name or id (its beginning will do), or the "last" one; raises LogError if it is not clear."""
    listed = races(db)
    if word == "last" and listed:
        return listed[0]
    for matches in (
        [race for race in listed if race.log_id == word],
        [race for race in listed if race.name.casefold() == word.casefold()],
        [race for race in listed if len(word) >= 2 and race.log_id.startswith(word.casefold())],
    ):
        if len(matches) == 1:
            return matches[0]
        if matches:
            ids = ", ".join(race.short for race in matches[:6])
            raise LogError(f"{len(matches)} races are called {word}; name one by its id: {ids}.", "which", word=word)
    near = ", ".join(f"{race.short} ({race.name})" for race in listed[:3])
    raise LogError(
        f"There is no race {word}; " + (f"the last ones are {near}." if near else "there are no races yet."), "no_race"
    )


def entries(db: sqlite3.Connection, log_id: str) -> Iterator[Entry]:
    """The entries of one log in their order, as they are: not checked."""
    for row in db.execute("SELECT * FROM entry WHERE log_id = ? ORDER BY seq", [log_id]):
        yield Entry(*row)


def head(db: sqlite3.Connection, log_id: str) -> int | None:
    """The number of a log's last entry when a round last began or its writer last ended."""
    row = db.execute("SELECT head FROM race WHERE log_id = ?", [log_id]).fetchone()
    return None if row is None else int(row[0])


def snapshots(db: sqlite3.Connection, log_id: str) -> list[tuple[int, bytes]]:
    """The states kept for resuming: how many answers came before, and the state at the beginning of that step."""
    return db.execute("SELECT n, body FROM snapshot WHERE log_id = ? ORDER BY n", [log_id]).fetchall()


# -- writing


class Write(NamedTuple):
    """What one entry brings to the database."""

    entry: Entry
    forget: int | None
    snapshots: Sequence[tuple[int, bytes]]
    stands: tuple[int, bool] | None
    race: tuple[Any, ...] | None

    @property
    def plain(self) -> bool:
        """Whether it is an entry and nothing else, as most are."""
        return self.forget is None and self.stands is None and self.race is None and not self.snapshots


def _boot_id() -> str:
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
    except OSError:
        return ""


class Log:
    """The writer of one race's log. It belongs to the thread that made it."""

    def __init__(self, folder: Path, log_id: str, name: str) -> None:
        self.folder, self.log_id, self.name = folder, log_id, name
        self.path = folder / DATABASE
        self.in_memory = False
        """Whether the table has chosen to go on without the disk."""
        self._waiting: list[Write] = []
        self._db: sqlite3.Connection | None = None
        self._hold: Hold | None = None
        self._gate: Gate | None = None
        self._seq, self._hash = 0, GENESIS
        self._boot = _boot_id()

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
        """A new race, with its first entry written. Raises NotSaved if the disk refuses, unless `in_memory`."""
        log = cls(folder, secrets.token_hex(16), beginning.name)
        log.in_memory = in_memory
        setup = beginning.setup
        cars, laps = setup.get("cars"), setup.get("laps")
        race = (
            log.log_id, beginning.name, at, beginning.rulebook, beginning.version, beginning.track_key,
            len(cars) if isinstance(cars, list) else 0, laps if isinstance(laps, int) else 0, stands[0], int(stands[1]),
        )  # fmt: skip
        try:
            log.append("setup", by, 0, beginning, opening, state, at, race=race)
        except BaseException:
            log.close()
            raise
        return log

    @classmethod
    def resume(cls, folder: Path, word: str, *, in_memory: bool = False) -> Log:
        """The log of a race that goes on. Raises LogError if there is no such race, another program writes it or it is
        damaged; NotSaved if it cannot be written, unless `in_memory`."""
        with reading(folder) as db:
            race = find(db, word)
        log = cls(folder, race.log_id, race.name)
        log.in_memory = in_memory
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
            found = list(chained(entries(db, self.log_id), head(db, self.log_id)))
            kept = snapshots(db, self.log_id)
        except sqlite3.Error as wrong:
            raise LogError(f"{self.path} cannot be read ({wrong}).", "damaged", path=str(self.path)) from wrong
        self._seq, self._hash = found[-1].seq, found[-1].hash
        return found, kept

    @property
    def waiting(self) -> tuple[Write, ...]:
        """What waits for room on the disk, in its order."""
        return tuple(self._waiting)

    @property
    def unsaved(self) -> int:
        """How many entries wait for room on the disk."""
        return len(self._waiting)

    def append(
        self,
        kind: str,
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
            self.log_id, self._seq + 1, at, time.monotonic_ns(), self._boot, actor, kind, n,
            canonical(body).decode(), canonical(rulings).decode(), state, self._hash, b"",
        )  # fmt: skip
        entry = msgspec.structs.replace(entry, hash=hashlib.sha256(line(entry)).digest())
        write = Write(entry, forget, keep, stands, race)
        if self.in_memory:
            self._waiting.append(write)
            with contextlib.suppress(LogError):  # whatever the disk says: the entry stands, and waits
                self.save()
        else:
            self._commit([write])
        self._seq, self._hash = entry.seq, entry.hash
        return entry.seq

    def save(self) -> None:
        """Writes what waits; raises NotSaved if there is still no room."""
        if self._waiting:
            self._commit(self._waiting)
            self._waiting.clear()

    def close(self) -> None:
        """Ends writing and gives the race free; what still waits for the disk is tried once more."""
        try:
            with contextlib.suppress(LogError):
                self.save()
            if self._db is not None and self._gate is not None:
                with contextlib.suppress(OSError, sqlite3.Error), self._gate.passed():
                    with contextlib.suppress(sqlite3.Error):
                        if self._seq and not self._waiting:
                            self._seal(self._db)
                    self._db.close()
        finally:
            if self._waiting:
                lost = len(self._waiting)
                logging.getLogger(__name__).error("no disk took the last %d entries of %s", lost, self.name)
            self._db = None
            if self._gate is not None:
                self._gate.close()
                self._gate = None
            if self._hold is not None:
                self._hold.release()
                self._hold = None

    # -- the machinery

    def _open(self) -> sqlite3.Connection:
        if self._db is None:
            try:
                self.folder.mkdir(parents=True, exist_ok=True)
                if self._hold is None:
                    self._hold = Hold(self.folder, self.log_id, self.name)
                if self._gate is None:
                    self._gate = Gate(self.folder)
                with self._gate.passed():
                    self._db = database(self.path, write=True)
            except OSError as wrong:
                raise _refused(wrong, self.path) from wrong
        return self._db

    def _commit(self, writes: Sequence[Write]) -> None:
        db = self._open()
        gate = self._gate
        assert gate is not None
        try:
            gate.enter()
        except OSError as wrong:
            raise _refused(wrong, self.path) from wrong
        execute = db.execute
        try:
            if len(writes) == 1 and writes[0].plain:
                put(execute, writes[0])  # one statement is a transaction of its own
            else:
                execute("BEGIN IMMEDIATE")
                for write in writes:
                    put(execute, write)
                execute("COMMIT")
        except BaseException as wrong:
            with contextlib.suppress(sqlite3.Error):
                if db.in_transaction:
                    execute("ROLLBACK")
            if isinstance(wrong, sqlite3.Error):
                raise _refused(wrong, self.path) from wrong
            raise
        finally:
            gate.leave()

    def _seal(self, db: sqlite3.Connection) -> None:
        """Notes where the log ends, as every round does, so that a missing end is seen."""
        execute = db.execute
        execute("BEGIN IMMEDIATE")
        execute("UPDATE race SET head = ? WHERE log_id = ? AND head < ?", (self._seq, self.log_id, self._seq))
        execute("COMMIT")


_INSERT: Final = f"INSERT INTO entry VALUES ({','.join('?' * len(Entry.__struct_fields__))})"


def put(execute: Callable[[str, Sequence[Any]], sqlite3.Cursor], write: Write) -> None:
    """Writes one entry and what goes with it."""
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
    """The wall clock, UTC, to the millisecond: data, never order."""
    return datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="milliseconds")  # noqa: UP017
