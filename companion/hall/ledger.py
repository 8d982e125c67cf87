"""Race control's copy of every table's log, and the one way into it.

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

from companion.rules.conversation.errors import CompanionError, LogError, NotSaved
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

FOLDER: Final = "hall"
"""Where in a data folder race control's ledger lies, apart from the races that are written there."""
LARGEST: Final = 4 << 20
"""The longest batch, in bytes. The first entry of a race holds its whole circuit, of at most 1 MB."""
_TABLES: Final = (
    "CREATE TABLE IF NOT EXISTS hall_log (log_id TEXT PRIMARY KEY, sender TEXT NOT NULL) STRICT",
    "CREATE TABLE IF NOT EXISTS hall_aside (log_id TEXT NOT NULL, seq INTEGER NOT NULL, hash BLOB NOT NULL, "
    "sender TEXT NOT NULL, at TEXT NOT NULL, line TEXT NOT NULL, PRIMARY KEY (log_id, seq, hash)) STRICT",
    "CREATE TABLE IF NOT EXISTS hall_refused (sender TEXT NOT NULL, log_id TEXT NOT NULL, kind TEXT NOT NULL, "
    "sentence TEXT NOT NULL, at TEXT NOT NULL, count INTEGER NOT NULL, PRIMARY KEY (sender, log_id, kind)) STRICT",
    "CREATE TABLE IF NOT EXISTS hall_rejected (log_id TEXT NOT NULL, hash TEXT NOT NULL, by TEXT NOT NULL, "
    "at TEXT NOT NULL, PRIMARY KEY (log_id, hash)) STRICT",
)
"""Beside the logs: whose each is, what came in of second histories, what was refused, and which results race control
has decided not to take."""
MANY: Final = 2**31
"""Nothing that is counted in a race comes to as much."""
_Count = Annotated[int, msgspec.Meta(ge=0, le=MANY)]
_OF_THE_BATCH: Final = (sqlite3.IntegrityError, sqlite3.DataError, sqlite3.InterfaceError, sqlite3.ProgrammingError)
"""What SQLite raises over what it is given, whatever the disk."""
_MOVING: Final = frozenset({"undo", "redo", "correct"})
"""Entries after which a race may stand where it stood before."""


class Refused(CompanionError):
    """A batch of which nothing was taken."""


class Answer(msgspec.Struct, frozen=True, omit_defaults=True):
    """What became of a batch, which ended with entry `last` (0: it could not be read): how far the ledger has the log
    now, from which number on it `wants` to be told, how many entries were `new`, how many came into a second history.
    `kind` is "gap", "second" or that of a refusal where not all is well, and `why` says it in one sentence."""

    log_id: str
    last: int
    head: Head
    wants: int
    new: int = 0
    aside: int = 0
    kind: str = ""
    why: str = ""


class Alarm(NamedTuple):
    """A second history, or what was refused: when it last came, from which table, of which log ("": of none that is
    known), what it is in one sentence, and how many there are (of entries, or of batches)."""

    at: str
    sender: str
    log_id: str
    kind: str
    why: str
    times: int


class Known(NamedTuple):
    """A log that the ledger has: which table sent it ("": it came in a file), what it is called, how far it goes, when
    that was written by the table's clock, and whether there is a second history."""

    sender: str
    log_id: str
    name: str
    head: Head
    at: str
    second: bool


_NONE: Final = Head(0, GENESIS.hex())


class Ledger:
    """The ledger of one hall. It belongs to the thread that made it; other programs may bring in files beside it."""

    def __init__(self, folder: Path) -> None:
        """Raises LogError for a database that is damaged or none; NotSaved if it cannot be written."""
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
        """Takes in a batch of lines from a table, "" for a file that race control itself brings in. Raises Refused:
        nothing is changed then; NotSaved if the disk takes nothing."""
        return self.take(_read(batch), sender)

    def take(self, batch: Sequence[Entry], sender: str = "") -> Answer:
        """Takes in entries; raises Refused, NotSaved."""
        with self._written(), self._by_itself():
            self._sound(batch)
            return self._taken(batch, sender)

    def answer(self, batch: bytes, sender: str) -> Answer:
        """What a table is told of its batch, whatever is wrong with it; what was refused is noted."""
        return self.answers([(batch, sender)])[0]

    def answers(self, batches: Sequence[tuple[bytes, str]]) -> list[Answer]:
        """What tables are told of their batches, each with its sender, which the disk takes all at once: a batch is
        taken or refused by itself, whatever comes of the others."""
        try:
            with self._written():
                return [self._answered(*batch) for batch in batches]
        except NotSaved as wrong:
            return [self._refusal(_readable(batch), wrong) for batch, _ in batches]

    # -- what is there

    def head(self, log_id: str) -> Head:
        """How far the ledger has a log; 0 if it has none of it."""
        found = self._db.execute("SELECT seq, hash FROM entry WHERE log_id = ? ORDER BY seq DESC LIMIT 1", [log_id])
        row = found.fetchone()
        return _NONE if row is None else Head(row[0], row[1].hex())

    def heads(self) -> dict[str, Head]:
        """How far it has each: what is announced to the tables."""
        rows = self._db.execute("SELECT log_id, max(seq), hash FROM entry GROUP BY log_id")
        return {log_id: Head(seq, hash_.hex()) for log_id, seq, hash_ in rows}

    def entries(self, log_id: str, first: int = 1) -> list[Entry]:
        """A log from a number on, as far as it is here."""
        return list(entries(self._db, log_id, first))

    def sender(self, log_id: str) -> str:
        """Whose a log is; "" for one that came in a file, and for none."""
        row = self._db.execute("SELECT sender FROM hall_log WHERE log_id = ?", [log_id]).fetchone()
        return "" if row is None else str(row[0])

    def logs(self) -> list[Known]:
        """Every log, the one that came first first."""
        rows = self._db.execute(
            "SELECT sender, log_id, name, (SELECT max(seq) FROM entry WHERE entry.log_id = race.log_id), "
            "EXISTS (SELECT 1 FROM hall_aside WHERE hall_aside.log_id = race.log_id) "
            "FROM race JOIN hall_log USING (log_id) ORDER BY race.rowid"
        ).fetchall()
        last = "SELECT hash, at_wall FROM entry WHERE log_id = ? AND seq = ?"
        found = []
        for sender, log_id, name, seq, second in rows:
            hash_, at = self._db.execute(last, (log_id, seq)).fetchone()
            found.append(Known(sender, log_id, name, Head(seq, hash_.hex()), at, bool(second)))
        return found

    def unfinished(self, table: str) -> str:
        """The last race of a table that is not over, "" if there is none."""
        own = logs(self._db, (RACE,), lambda log_id: self.sender(log_id) == table)
        return next((race.log_id for race in own if not race.over and not race.deleted), "")

    def find(self, word: str) -> Known:
        """The log whose id begins so; raises LogError if there is none, or more than one."""
        found = [log for log in self.logs() if log.log_id.startswith(word.casefold())]
        if len(found) != 1:
            raise LogError(f"{len(found)} of the logs here begin with {word}; companion hall tables lists them.")
        return found[0]

    def second(self, log_id: str) -> list[Entry]:
        """What is kept of other histories of a log, by number, in the order in which it came."""
        rows = self._db.execute("SELECT line FROM hall_aside WHERE log_id = ? ORDER BY seq, rowid", [log_id])
        return [entry_of(line.encode()) for (line,) in rows]

    def alarms(self) -> list[Alarm]:
        """Every second history, and whatever was refused, the last one first."""
        rows = self._db.execute(
            "SELECT max(at), sender, log_id, min(seq), count(*) FROM hall_aside GROUP BY log_id, sender"
        )
        found = [Alarm(at, by, log, "second", _second(log, seq), count) for at, by, log, seq, count in rows]
        refusals = self._db.execute("SELECT at, sender, log_id, kind, sentence, count FROM hall_refused")
        return sorted([*found, *map(Alarm._make, refusals)], reverse=True)

    def reject(self, log_id: str, end: str, by: str) -> None:
        """Note that race control does not take the result of a log that ends with this hash. Raises NotSaved."""
        with self._written():
            self._db.execute("INSERT OR IGNORE INTO hall_rejected VALUES (?,?,?,?)", (log_id, end, by, now()))

    def rejected(self, log_id: str, end: str) -> bool:
        """Return True if race control has decided not to take the result of a log that ends with this hash."""
        found = self._db.execute("SELECT 1 FROM hall_rejected WHERE (log_id, hash) = (?, ?)", (log_id, end))
        return found.fetchone() is not None

    def object(self, log_id: str, wrong: CompanionError) -> None:
        """Raise an alarm about a log that is here and of no use, by the table that sent it. Raises NotSaved."""
        with self._written():
            self._note(self.sender(log_id), log_id, wrong)

    def close(self) -> None:
        """Away with it."""
        self._db.close()
        self._writer.close(clean=True)
        self._gate.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, wrong: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    # -- the machinery

    def _sound(self, batch: Sequence[Entry]) -> None:
        """Raises Refused for what is wrong with a batch in itself, whatever the ledger has."""
        before: Entry | None = None
        for at, entry in enumerate(batch, 1):
            if before is not None and entry.log_id != before.log_id:
                raise Refused(f"A batch is of one log; its entry {at} is of another.", "mixed", at=at)
            if before is not None and entry.seq != before.seq + 1:
                raise Refused(
                    f"Entry {entry.seq} comes after entry {before.seq} in the batch; entries are sent in their order, "
                    "each once.",
                    "order",
                    seq=entry.seq,
                    before=before.seq,
                )
            if not fits(entry) or (before.hash if before is not None else entry.prev) != entry.prev:
                raise Refused(
                    f"Entry {entry.seq} is not as it was written; nothing of the batch was taken.",
                    "changed",
                    seq=entry.seq,
                )
            if entry.kind not in self._kinds:
                raise _newer(entry.seq)
            if entry.kind in BODIES and not _readable_entry(entry):
                raise _unread(at)
            before = entry
        if before is None:
            raise Refused("The batch holds no entry.", "empty")
        if batch[0].seq == 1:
            try:
                about(batch[0])
                known = batch[0].prev == GENESIS and batch[0].kind in (RACE, *RECORDS)
            except CompanionError:
                known = False
            if not known:
                raise _newer(1)

    def _taken(self, batch: Sequence[Entry], sender: str) -> Answer:
        log_id, first, last = batch[0].log_id, batch[0].seq, batch[-1].seq
        execute = self._db.execute
        owner = execute("SELECT sender FROM hall_log WHERE log_id = ?", [log_id]).fetchone()
        if owner is not None and sender and owner[0] not in ("", sender):
            raise Refused(
                f"Log {log_id[:8]} is {owner[0]}'s; {sender} cannot send to it.",
                "not_yours",
                log=log_id[:8],
                owner=owner[0],
                sender=sender,
            )
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
            lacks = f"Entries {head.seq + 1} to {first - 1} are missing; send them again."
            return Answer(log_id, last, head, head.seq + 1, kind="gap", why=lacks)
        if owner is None or (sender and not owner[0]):
            execute("INSERT OR REPLACE INTO hall_log VALUES (?, ?)", (log_id, sender))
        self._add(new)
        head = Head(new[-1].seq, new[-1].hash.hex()) if new else head
        return Answer(log_id, last, head, head.seq + 1, new=len(new))

    def _add(self, new: Sequence[Entry]) -> None:
        """Adds entries that follow what is there, and says in the list of races how the race stands now."""
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
        """The round that is under way after new entries, and whether the race is over; None if that is as it was."""
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
        """Keeps entries of a second history; the ledger's own stays as it is."""
        at, log_id = now(), batch[0].log_id
        rows = [(log_id, entry.seq, entry.hash, sender, at, as_line(entry)) for entry in batch]
        self._db.executemany("INSERT OR IGNORE INTO hall_aside VALUES (?,?,?,?,?,?)", rows)
        why = _second(log_id, batch[0].seq)
        return Answer(log_id, batch[-1].seq, head, batch[-1].seq + 1, aside=len(batch), kind="second", why=why)

    def _answered(self, batch: bytes, sender: str) -> Answer:
        """Inside a transaction, to which nothing is written before it is known that the batch is taken."""
        read: list[Entry] = []
        try:
            read = _read(batch)
            with self._by_itself():
                self._sound(read)
                return self._taken(read, sender)
        except Refused as wrong:
            answer = self._refusal(read, wrong)
            self._note(sender, answer.log_id if answer.head.seq else "", wrong)
            return answer

    def _refusal(self, read: Sequence[Entry], wrong: CompanionError) -> Answer:
        """That nothing of a batch was taken, as far as it could be read, and how far the ledger has the log."""
        log_id, last = (read[0].log_id, read[-1].seq) if read else ("", 0)
        head = self.head(log_id)
        return Answer(log_id, last, head, head.seq + 1, kind=wrong.kind or "not_saved", why=str(wrong))

    @contextlib.contextmanager
    def _by_itself(self) -> Iterator[None]:
        """One batch inside a transaction. Whatever goes wrong with it is a refusal, and the other batches stay; but
        what the disk says is said of them all."""
        self._db.execute("SAVEPOINT batch")
        try:
            yield
        except Exception as wrong:
            if isinstance(wrong, OSError | sqlite3.Error) and not isinstance(wrong, _OF_THE_BATCH):
                raise
            self._db.execute("ROLLBACK TO batch")
            self._db.execute("RELEASE batch")
            if isinstance(wrong, Refused):
                raise
            logging.getLogger(__name__).debug("a batch", exc_info=wrong)
            raise Refused(
                "The batch makes no sense to this program; if the table's is newer, update this one.", "fault"
            ) from None
        self._db.execute("RELEASE batch")

    def _note(self, sender: str, log_id: str, wrong: CompanionError) -> None:
        self._db.execute(
            "INSERT INTO hall_refused VALUES (?,?,?,?,?,1) ON CONFLICT DO UPDATE SET "
            "sentence = excluded.sentence, at = excluded.at, count = count + 1",
            (sender, log_id, wrong.kind, str(wrong), now()),
        )

    @contextlib.contextmanager
    def _written(self) -> Iterator[None]:
        """A transaction. Raises NotSaved, LogError as the disk says; nothing is changed then."""
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
    """The entries of a batch; raises Refused."""
    if len(batch) > LARGEST:
        size, most = f"{len(batch) / 1e6:.1f}", f"{LARGEST / 1e6:.1f}"
        raise Refused(f"A batch has at most {most} MB; this one has {size}.", "large", most=most, size=size)
    read: list[Entry] = []
    for said in batch.split(b"\n"):
        if said:
            try:
                read.append(entry_of(said))
            except (ValueError, RecursionError):
                raise _unread(len(read) + 1) from None
    return read


def _readable(batch: bytes) -> list[Entry]:
    """The same of a batch that may be none."""
    try:
        return _read(batch)
    except Refused:
        return []


def _unread(at: int) -> Refused:
    return Refused(
        f"Entry {at} of the batch is none that this program can read; if the table's is newer, update this one.",
        "unread",
        at=at,
    )


class _Car(msgspec.Struct):
    """What of a car in a setup is shown of every race."""

    car: int
    driver: str | None = None


class _Setup(msgspec.Struct):
    """What of a setup is."""

    cars: list[_Car] = []
    laps: _Count | None = None
    programs: dict[str, str] = {}


class _Figures(msgspec.Struct):
    """What of the figures is."""

    laps: _Count | None = None


class _Row(msgspec.Struct):
    """What of a line of a result is."""

    car: int
    place: _Count | None = None
    points: _Count = 0
    laps: _Count = 0


class _CarStands(msgspec.Struct):
    """What of a car in a position is."""

    lap: Annotated[int, msgspec.Meta(ge=-MANY, le=MANY)] = 0


class _Stands(msgspec.Struct):
    """What of a position is."""

    round: _Count = 0
    order: list[int] = []
    cars: dict[str, _CarStands] = {}
    result: list[_Row] | None = None


def _readable_entry(entry: Entry) -> bool:
    """Return True for an entry of a race that says what its kind says, in a form that every list of races can show."""
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


def _newer(seq: int) -> Refused:
    return Refused(
        f"Entry {seq} is of a kind that this program does not know; the table's is newer: update this one.",
        "newer",
        seq=seq,
    )


def _second(log_id: str, seq: int) -> str:
    return f"Log {log_id[:8]} has a second history from entry {seq} on; it is kept aside, to be looked at."
