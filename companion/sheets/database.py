"""The one SQLite database: opened, checked, and what the disk says in one sentence."""

from __future__ import annotations

import contextlib
import errno
import shutil
import sqlite3
import tempfile
from pathlib import Path
from typing import Final

from companion.rules.conversation.errors import LogError, NotSaved
from companion.sheets.guards import APPLICATION_ID, INDEXES
from companion.version import DATABASE_FORM
from companion.whole_file import must_be_plain, to_owner

UNREADABLE: Final = (sqlite3.Error, sqlite3.Warning, UnicodeError, OverflowError)
"""Exceptions that Python raises for a damaged database; even SQLite's message may contain invalid characters."""
ROOMS: Final = ("/dev/shm", "/tmp")
"""Folders to read a database in if there is no room where it lies."""
_OF_THE_DISK: Final = (
    "SQLITE_IOERR", "SQLITE_CANTOPEN", "SQLITE_BUSY", "SQLITE_LOCKED", "SQLITE_PERM", "SQLITE_NOMEM",
    "SQLITE_PROTOCOL", "SQLITE_INTERRUPT",
)  # fmt: skip
"""Prefixes of SQLite's error names that say nothing against the database itself."""
_REASONS: Final = {
    "SQLITE_BUSY": "another program writes there", "SQLITE_LOCKED": "another program writes there",
    "SQLITE_CANTOPEN": "it cannot be opened", "SQLITE_PERM": "it cannot be opened", "SQLITE_NOMEM": "no memory is left",
    "SQLITE_FULL": "the disk is full", "SQLITE_READONLY": "read-only", "SQLITE_CORRUPT": "the races are damaged",
    "SQLITE_NOTADB": "the races are damaged",
}  # fmt: skip
"""Reasons why the disk refuses a write, by prefix of SQLite's error name; for any other error the disk fails."""


def database(path: Path, *, write: bool, check: bool = True) -> sqlite3.Connection:
    """Open the database, checked and, for writing, brought to this program's form.

    The check reads all of it: `check` False spares that where it is not due (`whole_check`). Raises LogError for a file
    that is not ours, of a newer form, or damaged; NotSaved if it cannot be written.
    """
    try:
        if write and not path.exists():
            path.touch(0o644)
            to_owner(path)  # SQLite gives its journal to whom the database belongs
        connection = connected(path, write=write)
    except (OSError, *UNREADABLE) as wrong:
        raise refused(wrong, path) from wrong
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
        found = [row[0] for row in connection.execute("PRAGMA quick_check(3)")] if check else ["ok"]
        if found != ["ok"]:
            raise damaged(path)
        if write and form < DATABASE_FORM:
            from companion.sheets.forms import brought_up  # takes its time, and is wanted once in a database's life

            brought_up(connection)
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")  # an empty database does not hang on its journal
        if write:
            for index in INDEXES:
                connection.execute(index)
    except UNREADABLE as wrong:
        connection.close()
        raise refused(wrong, path) from wrong
    except BaseException:
        connection.close()
        raise
    return connection


def connected(path: Path, *, write: bool) -> sqlite3.Connection:
    """Return a connection to a database as it is, unchecked.

    Raises sqlite3.Error, and LogError if it is no file at all.
    """
    try:
        must_be_plain(path)
    except FileNotFoundError:
        pass
    except OSError as wrong:
        why = wrong.strerror
        raise LogError("no_file", path=path, why=why) from None

    if write:
        return _connect(path, "?mode=rwc")
    connection = _connect(path, "?mode=ro")
    try:
        connection.execute("PRAGMA user_version")
    except sqlite3.OperationalError:  # on a read-only or full card, where no -shm file can be made
        connection.close()
        journal = path.with_name(path.name + "-wal")
        if not journal.exists() or not journal.stat().st_size:
            return _connect(path, "?mode=ro&immutable=1")
        for room in ROOMS:
            with contextlib.suppress(OSError, sqlite3.OperationalError):
                return _copied(path, journal, room)
        raise
    return connection


def _connect(path: Path, query: str) -> sqlite3.Connection:
    connection = sqlite3.connect(f"{path.absolute().as_uri()}{query}", uri=True, isolation_level=None)
    connection.text_factory = lambda text: text.decode("utf-8", "replace")
    return connection


def _copied(path: Path, journal: Path, room: str) -> sqlite3.Connection:
    """Read a database and the journal that a cut has left, elsewhere if the disk has no room for it.

    Nothing of the copy stays. Raises OSError, sqlite3.OperationalError.
    """
    with tempfile.TemporaryDirectory(prefix="companion-", dir=room) as place:
        for file in (path, journal):
            shutil.copyfile(file, Path(place) / file.name)
        connection = _connect(Path(place) / path.name, "?mode=ro")
        try:
            connection.execute("SELECT count(*) FROM sqlite_master")  # it has its files open from here on
        except BaseException:
            connection.close()
            raise
        return connection


def _form(db: sqlite3.Connection, path: Path) -> int:
    """Return the form of a database, 0 for an empty one; raise LogError if it is not ours or too new."""
    ours = db.execute("PRAGMA application_id").fetchone()[0]
    form: int = db.execute("PRAGMA user_version").fetchone()[0]
    if ours == 0 and form == 0 and not db.execute("SELECT 1 FROM sqlite_master").fetchone():
        return form
    if ours != APPLICATION_ID:
        raise LogError("foreign", path=path)
    if form > DATABASE_FORM:
        raise LogError("newer.file", path=path, form=form, known=DATABASE_FORM)
    return form


def damaged(path: Path) -> LogError:
    """Return the error for a damaged database, with its remedy."""
    return LogError("damaged.file", path=str(path))


def reason(wrong: Exception) -> str:
    """Say why the disk takes nothing, in words that are no library's."""
    if isinstance(wrong, OSError):
        return wrong.strerror or str(wrong)
    code = getattr(wrong, "sqlite_errorname", "")
    return next((why for start, why in _REASONS.items() if code.startswith(start)), "the disk fails")


def refused(wrong: Exception, path: Path) -> LogError:
    """Return the error for a refusal of the disk or SQLite, as one sentence.

    Either the disk takes nothing, or the database is damaged.
    """
    code = getattr(wrong, "sqlite_errorname", "")
    number = wrong.errno if isinstance(wrong, OSError) else None
    if code == "SQLITE_NOTADB":
        return LogError("damaged.no_database", path=path)
    if not isinstance(wrong, OSError) and not code.startswith(("SQLITE_FULL", "SQLITE_READONLY", *_OF_THE_DISK)):
        return damaged(path)
    full = code.startswith("SQLITE_IOERR") and not shutil.disk_usage(path.parent).free
    if full or code.startswith("SQLITE_FULL") or number in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
        return NotSaved("full", path=str(path))
    if code.startswith("SQLITE_READONLY") or number in (errno.EROFS, errno.EACCES, errno.EPERM):
        return NotSaved("read_only.file", path=str(path))
    return NotSaved("disk", path=str(path), wrong=reason(wrong))
