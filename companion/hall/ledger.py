"""Race control's copy of every table's log, and the only way to write to it.

An entry is known by its log, its number and its hash. A batch is entries of one log that follow one another; it comes
in by one transaction, or not at all:

- a number that the ledger has: the hashes are compared. The same: it came before, and nothing is done. Another: the log
  has a second history, of a cloned card perhaps. That is kept aside, an alarm is given, and nothing is written over;
- the number after the last: it is added;
- a number further on: the ledger says from which on it wants to be told.

How far the ledger has a log is the table's cursor. So a ledger that was put back from last night's copy asks for what
it lacks, and that is all.
"""

from __future__ import annotations

import contextlib
import logging
import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import Annotated, Final, NamedTuple, Self

import msgspec

from companion.rules.conversation.errors import CompanionError, LogError, NotSaved, error_text
from companion.rules.conversation.typed import converted
from companion.sheets import whole_check
from companion.sheets.backup import Head
from companion.sheets.chain import GENESIS, fits
from companion.sheets.database import UNREADABLE, refused
from companion.sheets.entry import BODIES, REMARKS, Answered, Beginning, Corrected, Entry, Overridden
from companion.sheets.guards import guard
from companion.sheets.history import History
from companion.sheets.lines import as_line, entry_of
from companion.sheets.log import Write, insert, now
from companion.sheets.place import DATABASE, Gate
from companion.sheets.reading import RACE, RECORDS, about, entries, logs
from companion.sheets.records import kinds
from companion.tournament.record import acts_of

LARGEST: Final = 4 << 20
"""Maximum length of a batch, in bytes. The first entry of a race holds its whole circuit, of at most 1 MB."""
_TABLES: Final = (
    "CREATE TABLE IF NOT EXISTS hall_log (log_id TEXT PRIMARY KEY, sender TEXT NOT NULL) STRICT",
    "CREATE TABLE IF NOT EXISTS hall_aside (log_id TEXT NOT NULL, seq INTEGER NOT NULL, hash BLOB NOT NULL, "
    "sender TEXT NOT NULL, at TEXT NOT NULL, line TEXT NOT NULL, PRIMARY KEY (log_id, seq, hash)) STRICT",
    "CREATE TABLE IF NOT EXISTS hall_refused (sender TEXT NOT NULL, log_id TEXT NOT NULL, kind TEXT NOT NULL, "
    "sentence TEXT NOT NULL, at TEXT NOT NULL, count INTEGER NOT NULL, PRIMARY KEY (sender, log_id, kind)) STRICT",
    "CREATE TABLE IF NOT EXISTS hall_rejected (log_id TEXT NOT NULL, hash TEXT NOT NULL, by TEXT NOT NULL, "
    "at TEXT NOT NULL, PRIMARY KEY (log_id, hash)) STRICT",
)
"""Tables besides the logs: the owner of each log, entries of second histories, refusals, and the results that race
control has decided not to take."""
MANY: Final = 2**31
"""Upper bound of anything counted in a race."""
_Count = Annotated[int, msgspec.Meta(ge=0, le=MANY)]
_BATCH_ERRORS: Final = (sqlite3.IntegrityError, sqlite3.DataError, sqlite3.InterfaceError, sqlite3.ProgrammingError)
"""SQLite errors that the data cause, whatever the disk."""
_MOVING: Final = frozenset({"undo", "redo", "correct"})
"""Entries after which a race may stand where it stood before."""


class BatchRefused(CompanionError):
    """Raised for a batch that was refused as a whole."""


class Answer(msgspec.Struct, frozen=True, omit_defaults=True):
    """The outcome of a batch whose last entry is `last` (0: unreadable).

    `head` is how far the ledger has the log, `wants` the entry to send next, `new` the number of entries added, `aside`
    the number put into a second history. `kind` is "gap", "second" or that of a refusal, "" if all is well; `why` is
    the error as `written`.
    """

    log_id: str
    last: int
    head: Head
    wants: int
    new: int = 0
    aside: int = 0
    kind: str = ""
    why: str = ""


class Alarm(NamedTuple):
    """A second history or a refusal.

    `at` is when it last occurred, `log_id` "" if the log is unknown, `why` the error as `written`,
    `times` the number of entries or batches.
    """

    at: str
    sender: str
    log_id: str
    kind: str
    why: str
    times: int


class LedgerLog(NamedTuple):
    """A log in the ledger.

    `sender` is its table ("": imported from a file), `at` the table's time of the last entry; `second` says that a
    second history exists.
    """

    sender: str
    log_id: str
    name: str
    head: Head
    at: str
    second: bool


_NONE: Final = Head(0, GENESIS.hex())


class Ledger:
    """The ledger of one hall.

    It belongs to the thread that made it; other programs may import files at the same time.
    """

    def __init__(self, folder: Path) -> None:
        """Open the ledger.

        Raises LogError for a damaged database, NotSaved if it cannot be written.
        """
        self.path = folder / DATABASE
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._gate = Gate(folder)
            with self._gate.passed():
                self._db, self._writer = whole_check.open_to_write(self.path)
                guard(self._db)
                for table in _TABLES:
                    self._db.execute(table)
        except (OSError, *UNREADABLE) as wrong:
            raise refused(wrong, self.path) from wrong
        self._kinds = frozenset(BODIES) | {tag for kind in kinds().values() for tag in acts_of(kind)}

    def ingest(self, batch: bytes, sender: str = "") -> Answer:
        """Store a batch of lines from a table, "" for a file imported by race control.

        Raises BatchRefused, which leaves the ledger unchanged; NotSaved if the disk refuses it.
        """
        return self.take(_read(batch), sender)

    def take(self, batch: Sequence[Entry], sender: str = "") -> Answer:
        """Store entries.

        Raises BatchRefused, NotSaved.
        """
        with self._transaction(), self._by_itself():
            self._sound(batch)
            return self._store(batch, sender)

    def answer(self, batch: bytes, sender: str) -> Answer:
        """Store a batch and return the answer for its table; a refusal is recorded."""
        return self.answers([(batch, sender)])[0]

    def answers(self, batches: Sequence[tuple[bytes, str]]) -> list[Answer]:
        """Store batches with their senders in one transaction and return the answers.

        Each batch is stored or refused independently of the others.
        """
        try:
            with self._transaction():
                return [self._answered(*batch) for batch in batches]
        except NotSaved as wrong:
            return [self._refusal(_readable(batch), wrong) for batch, _ in batches]

    # -- what is there

    def head(self, log_id: str) -> Head:
        """Return how far the ledger has a log, 0 if it has none of it."""
        found = self._db.execute("SELECT seq, hash FROM entry WHERE log_id = ? ORDER BY seq DESC LIMIT 1", [log_id])
        row = found.fetchone()
        return _NONE if row is None else Head(row[0], row[1].hex())

    def heads(self) -> dict[str, Head]:
        """Return how far the ledger has each log, as announced to the tables."""
        rows = self._db.execute("SELECT log_id, max(seq), hash FROM entry GROUP BY log_id")
        return {log_id: Head(seq, hash_.hex()) for log_id, seq, hash_ in rows}

    def entries(self, log_id: str, first: int = 1) -> list[Entry]:
        """Return the entries of a log from a number on."""
        return list(entries(self._db, log_id, first))

    def sender(self, log_id: str) -> str:
        """Return the table that sent a log, "" for an import or an unknown log."""
        row = self._db.execute("SELECT sender FROM hall_log WHERE log_id = ?", [log_id]).fetchone()
        return "" if row is None else str(row[0])

    def logs(self) -> list[LedgerLog]:
        """Return every log in order of arrival."""
        rows = self._db.execute(
            "SELECT sender, log_id, name, (SELECT max(seq) FROM entry WHERE entry.log_id = race.log_id), "
            "EXISTS (SELECT 1 FROM hall_aside WHERE hall_aside.log_id = race.log_id) "
            "FROM race JOIN hall_log USING (log_id) ORDER BY race.rowid"
        ).fetchall()
        last = "SELECT hash, at_wall FROM entry WHERE log_id = ? AND seq = ?"
        found = []
        for sender, log_id, name, seq, second in rows:
            hash_, at = self._db.execute(last, (log_id, seq)).fetchone()
            found.append(LedgerLog(sender, log_id, name, Head(seq, hash_.hex()), at, bool(second)))
        return found

    def unfinished(self, table: str) -> str:
        """Return the log of a table's last unfinished race, or ""."""
        own = logs(self._db, (RACE,), lambda log_id: self.sender(log_id) == table)
        return next((race.log_id for race in own if not race.over and not race.deleted), "")

    def find(self, word: str) -> LedgerLog:
        """Return the log whose id begins with a word.

        Raises LogError unless there is exactly one.
        """
        found = [log for log in self.logs() if log.log_id.startswith(word.casefold())]
        if len(found) != 1:
            raise LogError("several_logs", count=len(found), word=word)
        return found[0]

    def second(self, log_id: str) -> list[Entry]:
        """Return the entries of a log's other histories, by number and then by arrival."""
        rows = self._db.execute("SELECT line FROM hall_aside WHERE log_id = ? ORDER BY seq, rowid", [log_id])
        return [entry_of(line.encode()) for (line,) in rows]

    def alarms(self) -> list[Alarm]:
        """Return every second history and refusal, the latest first."""
        rows = self._db.execute(
            "SELECT max(at), sender, log_id, min(seq), count(*) FROM hall_aside GROUP BY log_id, sender"
        )
        found = [Alarm(at, by, log, "second", error_text(_second(log, seq)), count) for at, by, log, seq, count in rows]
        refusals = self._db.execute("SELECT at, sender, log_id, kind, sentence, count FROM hall_refused")
        return sorted([*found, *map(Alarm._make, refusals)], reverse=True)

    def reject(self, log_id: str, end: str, by: str) -> None:
        """Record that race control rejects the result of a log that ends with this hash.

        Raises NotSaved.
        """
        with self._transaction():
            self._db.execute("INSERT OR IGNORE INTO hall_rejected VALUES (?,?,?,?)", (log_id, end, by, now()))

    def rejected(self, log_id: str, end: str) -> bool:
        """Return True if race control rejected the result of a log that ends with this hash."""
        found = self._db.execute("SELECT 1 FROM hall_rejected WHERE (log_id, hash) = (?, ?)", (log_id, end))
        return found.fetchone() is not None

    def object(self, log_id: str, wrong: CompanionError) -> None:
        """Raise an alarm about a stored log that is of no use, by the table that sent it.

        Raises NotSaved.
        """
        with self._transaction():
            self._note(self.sender(log_id), log_id, wrong)

    def close(self) -> None:
        """Close the database."""
        self._db.close()
        self._writer.close(clean=True)
        self._gate.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, wrong: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    # -- the machinery

    def _sound(self, batch: Sequence[Entry]) -> None:
        """Check a batch by itself, whatever the ledger has.

        Raises BatchRefused.
        """
        before: Entry | None = None
        for at, entry in enumerate(batch, 1):
            if before is not None and entry.log_id != before.log_id:
                raise BatchRefused("mixed", at=at)
            if before is not None and entry.seq != before.seq + 1:
                raise BatchRefused("order", seq=entry.seq, before=before.seq)
            if not fits(entry) or (before.hash if before is not None else entry.prev) != entry.prev:
                raise BatchRefused("changed.batch", seq=entry.seq)
            if entry.kind not in self._kinds:
                raise _newer(entry.seq)
            if entry.kind in BODIES and not _readable_entry(entry):
                raise _unread(at)
            before = entry
        if before is None:
            raise BatchRefused("empty.batch")
        if batch[0].seq == 1:
            try:
                about(batch[0])
                known = batch[0].prev == GENESIS and batch[0].kind in (RACE, *RECORDS)
            except CompanionError:
                known = False
            if not known:
                raise _newer(1)

    def _store(self, batch: Sequence[Entry], sender: str) -> Answer:
        log_id, first, last = batch[0].log_id, batch[0].seq, batch[-1].seq
        execute = self._db.execute
        owner = execute("SELECT sender FROM hall_log WHERE log_id = ?", [log_id]).fetchone()
        if owner is not None and sender and owner[0] not in ("", sender):
            raise BatchRefused("not_yours.log", log=log_id[:8], owner=owner[0], sender=sender)
        head = self.head(log_id)
        there = "SELECT seq, hash FROM entry WHERE log_id = ? AND seq BETWEEN ? AND ?"
        kept = dict(execute(there, (log_id, first, last))) if first <= head.seq else {}
        forks = [entry for entry in batch if kept.get(entry.seq, entry.hash) != entry.hash]
        new = [entry for entry in batch if entry.seq > head.seq]
        if forks or (new and new[0].seq == head.seq + 1 and new[0].prev.hex() != head.hash):
            return self._aside(batch[batch.index(forks[0] if forks else new[0]) :], sender, head)
        if new and new[0].seq > head.seq + 1:
            aside = "SELECT 1 FROM hall_aside WHERE (log_id, seq, hash) = (?, ?, ?)"
            if execute(aside, (log_id, first - 1, batch[0].prev)).fetchone():
                return self._aside(batch, sender, head)
            lacks = error_text(LogError("entries_missing", first=head.seq + 1, last=first - 1))
            return Answer(log_id, last, head, head.seq + 1, kind="gap", why=lacks)
        if owner is None or (sender and not owner[0]):
            execute("INSERT OR REPLACE INTO hall_log VALUES (?, ?)", (log_id, sender))
        self._add(new)
        head = Head(new[-1].seq, new[-1].hash.hex()) if new else head
        return Answer(log_id, last, head, head.seq + 1, new=len(new))

    def _add(self, new: Sequence[Entry]) -> None:
        """Append entries that follow the log, and update the race's row."""
        if not new:
            return
        if new[0].seq == 1:
            insert(self._db.execute, Write(new[0], None, (), None, (*about(new[0]), 0, 0)))
        rest = [msgspec.structs.astuple(entry) for entry in new if entry.seq > 1]
        self._db.executemany(f"INSERT INTO entry VALUES ({','.join('?' * len(Entry.__struct_fields__))})", rest)
        last, log_id = new[-1].seq, new[-1].log_id
        self._db.execute("UPDATE race SET head = ? WHERE log_id = ?", (last, log_id))
        with contextlib.suppress(LogError):  # what makes no sense is told where the log is read
            if (stands := self._stands(new)) is not None:
                self._db.execute("UPDATE race SET round = ?, over = ? WHERE log_id = ?", (*stands, log_id))

    def _stands(self, new: Sequence[Entry]) -> tuple[int, bool] | None:
        """Return the round and whether the race is over, after new entries.

        None if neither can have changed.
        """
        if any(entry.kind in _MOVING for entry in new):
            return History.of(entries(self._db, new[0].log_id)).stands
        for entry in reversed(new):
            if entry.kind not in REMARKS and '"position":' in entry.body:
                body = entry.read()
                stood = body.position if isinstance(body, Answered | Overridden | Corrected | Beginning) else None
                if stood is not None:
                    return int(stood.get("round", 0)), "result" in stood
        return None

    def _aside(self, batch: Sequence[Entry], sender: str, head: Head) -> Answer:
        """Store entries of a second history; the ledger's own log stays as it is."""
        at, log_id = now(), batch[0].log_id
        rows = [(log_id, entry.seq, entry.hash, sender, at, as_line(entry)) for entry in batch]
        self._db.executemany("INSERT OR IGNORE INTO hall_aside VALUES (?,?,?,?,?,?)", rows)
        why = error_text(_second(log_id, batch[0].seq))
        return Answer(log_id, batch[-1].seq, head, batch[-1].seq + 1, aside=len(batch), kind="second", why=why)

    def _answered(self, batch: bytes, sender: str) -> Answer:
        """Take a batch inside a transaction and return the answer, recording a refusal."""
        read: list[Entry] = []
        try:
            read = _read(batch)
            with self._by_itself():
                self._sound(read)
                return self._store(read, sender)
        except BatchRefused as wrong:
            answer = self._refusal(read, wrong)
            self._note(sender, answer.log_id if answer.head.seq else "", wrong)
            return answer

    def _refusal(self, read: Sequence[Entry], wrong: CompanionError) -> Answer:
        """Return the answer that a batch was refused, as far as it could be read."""
        log_id, last = (read[0].log_id, read[-1].seq) if read else ("", 0)
        head = self.head(log_id)
        return Answer(log_id, last, head, head.seq + 1, kind=wrong.code, why=error_text(wrong))

    @contextlib.contextmanager
    def _by_itself(self) -> Iterator[None]:
        """Run one batch inside a transaction, so that its failure leaves the others.

        Any fault is raised as BatchRefused, except the disk's, which concern all batches.
        """
        self._db.execute("SAVEPOINT batch")
        try:
            yield
        except Exception as wrong:
            if isinstance(wrong, OSError | sqlite3.Error) and not isinstance(wrong, _BATCH_ERRORS):
                raise
            self._db.execute("ROLLBACK TO batch")
            self._db.execute("RELEASE batch")
            if isinstance(wrong, BatchRefused):
                raise
            logging.getLogger(__name__).debug("a batch", exc_info=wrong)
            raise BatchRefused("fault") from None
        self._db.execute("RELEASE batch")

    def _note(self, sender: str, log_id: str, wrong: CompanionError) -> None:
        self._db.execute(
            "INSERT INTO hall_refused VALUES (?,?,?,?,?,1) ON CONFLICT DO UPDATE SET "
            "sentence = excluded.sentence, at = excluded.at, count = count + 1",
            (sender, log_id, wrong.code, error_text(wrong), now()),
        )

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[None]:
        """Open a transaction, rolled back on any error.

        Raises NotSaved or LogError if the disk fails.
        """
        try:
            with self._gate.passed():
                self._db.execute("BEGIN IMMEDIATE")
                try:
                    yield
                    self._db.execute("COMMIT")
                except BaseException:
                    with contextlib.suppress(sqlite3.Error):
                        self._db.execute("ROLLBACK")
                    raise
        except (OSError, *UNREADABLE) as wrong:
            raise refused(wrong, self.path) from wrong


def _read(batch: bytes) -> list[Entry]:
    """Return the entries of a batch.

    Raises BatchRefused.
    """
    if len(batch) > LARGEST:
        size, most = f"{len(batch) / 1e6:.1f}", f"{LARGEST / 1e6:.1f}"
        raise BatchRefused("large", most=most, size=size)
    read: list[Entry] = []
    for said in batch.split(b"\n"):
        if said:
            try:
                read.append(entry_of(said))
            except (ValueError, RecursionError):
                raise _unread(len(read) + 1) from None
    return read


def _readable(batch: bytes) -> list[Entry]:
    """Return the entries of a batch, none if it is unreadable."""
    try:
        return _read(batch)
    except BatchRefused:
        return []


def _unread(at: int) -> BatchRefused:
    return BatchRefused("unread", at=at)


class _Car(msgspec.Struct):
    """The checked part of a car in a setup."""

    car: int
    driver: str | None = None


class _Setup(msgspec.Struct):
    """The checked part of a setup."""

    cars: list[_Car] = []
    laps: _Count | None = None
    programs: dict[str, str] = {}


class _Figures(msgspec.Struct):
    """The checked part of the figures."""

    laps: _Count | None = None


class _Row(msgspec.Struct):
    """The checked part of a row of a result."""

    car: int
    place: _Count | None = None
    points: _Count = 0
    laps: _Count = 0


class _CarStands(msgspec.Struct):
    """The checked part of a car in a position."""

    lap: Annotated[int, msgspec.Meta(ge=-MANY, le=MANY)] = 0


class _Stands(msgspec.Struct):
    """The checked part of a position."""

    round: _Count = 0
    order: list[int] = []
    cars: dict[str, _CarStands] = {}
    result: list[_Row] | None = None


def _readable_entry(entry: Entry) -> bool:
    """Return True for a well-formed entry of a race that every list of races can show."""
    try:
        body = entry.read()
        entry.ruled()
        if isinstance(body, Beginning):
            converted(body.setup, _Setup)
            converted(body.figures, _Figures)
        stood = [body.position] if isinstance(body, Beginning | Answered | Overridden | Corrected) else []
        if isinstance(body, Corrected):
            stood += [position for _, _, position in body.outcomes]
        for position in stood:
            if position is not None:
                converted(position, _Stands)
    except (LogError, msgspec.MsgspecError):
        return False
    return True


def _newer(seq: int) -> BatchRefused:
    return BatchRefused("newer.entry", seq=seq)


def _second(log_id: str, seq: int) -> LogError:
    return LogError("second_history", log=log_id[:8], seq=seq)
