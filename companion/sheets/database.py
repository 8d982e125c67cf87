"""The one SQLite database: opened, checked, and what the disk says in one sentence."""

from __future__ import annotations

import errno
import shutil
import sqlite3
from pathlib import Path
from typing import Final

from companion.rules.conversation.errors import LogError, NotSaved
from companion.sheets.guards import APPLICATION_ID
from companion.whole_file import must_be_plain, to_owner

FORMAT: Final = 1
"""The newest form of the database that this program knows (PRAGMA user_version)."""
UNREADABLE: Final = (sqlite3.Error, sqlite3.Warning, UnicodeError, OverflowError)
"""What Python raises over a database that is damaged: even SQLite's complaint may hold letters that are none."""
_OF_THE_DISK: Final = (
    "SQLITE_IOERR", "SQLITE_CANTOPEN", "SQLITE_BUSY", "SQLITE_LOCKED", "SQLITE_PERM", "SQLITE_NOMEM",
    "SQLITE_PROTOCOL", "SQLITE_INTERRUPT",
)  # fmt: skip
"""How the names of SQLite's errors begin that say nothing against the database itself."""


def database(path: Path, *, write: bool, check: bool = True) -> sqlite3.Connection:
    """The database, checked and, for writing, brought to this program's form.

    The check reads all of it: `check` False spares that where somebody waits and the whole is checked elsewhere.
    Raises LogError for a file that is not ours, of a newer form, or damaged; NotSaved if it cannot be written.
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
            raise damaged(path, str(found[0]).strip().splitlines()[-1])
        if write and form < FORMAT:
            from companion.sheets.forms import brought_up  # takes its time, and is wanted once in a database's life

            brought_up(connection)
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")  # an empty database does not hang on its journal
    except UNREADABLE as wrong:
        connection.close()
        raise refused(wrong, path) from wrong
    except BaseException:
        connection.close()
        raise
    return connection


def connected(path: Path, *, write: bool) -> sqlite3.Connection:
    """A connection to a database as it is, unchecked; raises sqlite3.Error, and LogError if it is no file at all."""
    try:
        must_be_plain(path)
    except FileNotFoundError:
        pass
    except OSError as wrong:
        why = wrong.strerror
        raise LogError(f"{path} is no database ({why}); move it away, or name another folder.", "no_file") from None

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


def damaged(path: Path, why: object) -> LogError:
    """That a database is damaged, and what can be done."""
    return LogError(f"{path} is damaged ({why}); go on from a copy of it.", "damaged", path=str(path))


def refused(wrong: Exception, path: Path) -> LogError:
    """What the disk or SQLite said, as one sentence: the disk takes nothing, or else the database is damaged."""
    code = getattr(wrong, "sqlite_errorname", "")
    number = wrong.errno if isinstance(wrong, OSError) else None
    if code == "SQLITE_NOTADB":
        return LogError(f"{path} is damaged or no database ({wrong}); go on from a copy of it.", "damaged")
    if not isinstance(wrong, OSError) and not code.startswith(("SQLITE_FULL", "SQLITE_READONLY", *_OF_THE_DISK)):
        return damaged(path, wrong)
    full = code.startswith("SQLITE_IOERR") and not shutil.disk_usage(path.parent).free
    if full or code.startswith("SQLITE_FULL") or number in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
        return NotSaved(f"The disk is full, so this is not saved in {path}.", "full", path=str(path))
    if code.startswith("SQLITE_READONLY") or number in (errno.EROFS, errno.EACCES, errno.EPERM):
        return NotSaved(f"{path} cannot be written (read-only), so this is not saved.", "read_only", path=str(path))
    return NotSaved(f"{path} could not be written ({wrong}), so this is not saved.", "disk", path=str(path))
