"""The check of the whole database: after an end that was not clean, and once a day.

Reading all of it takes seconds once there are hundreds of races, so nobody waits for that where the files lie as the
last writer left them. A small file beside the database says how they lay then. A writer holds a lock on it: what the
files look like meanwhile says nothing, and the writer's own opening has seen to the check.
"""

from __future__ import annotations

import contextlib
import fcntl
import logging
import os
import sqlite3
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import msgspec

from companion.rules.conversation.errors import LogError, NotSaved
from companion.rules.conversation.typed import json_reader
from companion.sheets.database import database
from companion.whole_file import stamp, to_owner

DAY: Final = 24 * 60 * 60.0
"""Seconds after which the whole database is read again in the background."""


class CheckNote(msgspec.Struct, frozen=True):
    """The note of a check: how the files lay at the last clean end or check, and what was found.

    `at` is when (in seconds of the wall clock) all of it was last read, `sound` whether it was sound.
    """

    files: tuple[int, ...]
    at: float
    sound: bool = True


_read: Final = json_reader(CheckNote)
_NEVER: Final = CheckNote((), 0.0)


def is_due(path: Path) -> bool:
    """Return True if a database has to be read as a whole before anything in it is believed."""
    noted, files = _read_note(path), _files(path)
    if not noted.sound or not files:
        return True
    return noted.files != files and not _is_written(path)


def is_written_here(path: Path) -> bool:
    """Return True if a program of this kind has written the database where it lies: it is no copy."""
    return _beside(path).exists()


def was_emptied(path: Path) -> bool:
    """Return True if the file of a database is there and empty, but held something when its writer last ended."""
    try:
        empty = path.is_file() and not path.stat().st_size
    except OSError:
        return False
    return empty and bool(_read_note(path).files)


def is_old(path: Path) -> bool:
    """Return True if the last check is more than a day ago, or ahead of a clock that was put right."""
    return abs(time.time() - _read_note(path).at) > DAY


def passed(path: Path) -> None:
    """Note that all of it was read and is sound; a folder in which nobody has written stays as it is."""
    with contextlib.suppress(OSError):
        held = os.open(_beside(path), os.O_WRONLY | os.O_CLOEXEC)
        try:
            _write(held, CheckNote(_files(path), time.time()))
        finally:
            os.close(held)


def check_in_background(path: Path) -> None:
    """Read the whole database in a thread of its own if the last check is more than a day ago.

    The next opening raises what is wrong.
    """
    if is_old(path):
        threading.Thread(target=_check, args=(path,), name="whole check", daemon=True).start()


def _check(path: Path) -> None:
    try:
        database(path, write=False, check=True).close()
    except NotSaved:  # the disk takes or gives nothing just now
        return
    except LogError as wrong:
        logging.getLogger(__name__).error("%s", wrong)
        with contextlib.suppress(OSError), DatabaseWriter(path) as writer:
            writer.note(CheckNote((), time.time(), False))
        return
    passed(path)


class DatabaseWriter:
    """Somebody who writes the database, for as long as this is open."""

    def __init__(self, path: Path) -> None:
        """Wait while somebody looks whether anybody writes; raise OSError."""
        self._path = path
        self._held = os.open(_beside(path), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        to_owner(_beside(path))
        fcntl.flock(self._held, fcntl.LOCK_SH)

    def note(self, noted: CheckNote) -> None:
        """Note something else; a note that cannot be made only costs a check."""
        with contextlib.suppress(OSError):
            _write(self._held, noted)

    def close(self, *, clean: bool) -> None:
        """Stop; after a `clean` end the files may be believed as they lie."""
        if self._held >= 0:
            if clean:
                self.note(msgspec.structs.replace(_read_note(self._path), files=_files(self._path)))
            os.close(self._held)
            self._held = -1

    def __enter__(self) -> DatabaseWriter:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self.close(clean=kind is None)


def open_to_write(path: Path) -> tuple[sqlite3.Connection, DatabaseWriter]:
    """Open a database for writing, checked if that is due; the caller closes the `DatabaseWriter`.

    Raises as `database` does, and OSError.
    """
    due, writer = is_due(path), DatabaseWriter(path)
    try:
        db = database(path, write=True, check=due)
    except BaseException:
        writer.close(clean=False)
        raise
    if due:
        passed(path)
    return db, writer


def _beside(path: Path) -> Path:
    return path.with_suffix(".checked")


def _read_note(path: Path) -> CheckNote:
    try:
        return _read(_beside(path).read_bytes())
    except (OSError, msgspec.MsgspecError):
        return _NEVER


def _write(held: int, noted: CheckNote) -> None:
    made = msgspec.json.encode(noted)
    os.ftruncate(held, 0)
    os.pwrite(held, made, 0)


def _files(path: Path) -> tuple[int, ...]:
    """Return the stamp of the database and its journal; an empty journal is none."""
    journal = path.with_name(f"{path.name}-wal")
    there: Sequence[Path] = [path, journal] if journal.exists() and journal.stat().st_size else [path]
    return stamp(*there)


def _is_written(path: Path) -> bool:
    """Return True if somebody writes it just now."""
    try:
        held = os.open(_beside(path), os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(held)
    return False
