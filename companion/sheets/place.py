"""The folder of the races, and the locks of their writers."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import stat
import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, Final

import click

from companion import whole_file
from companion.rules.conversation.errors import CompanionError, LogError
from companion.whole_file import to_owner

SETTLED: Final = 0.25
"""Seconds after which every reader sees what was written to the journal."""
DATABASE: Final = "races.db"
LEDGER: Final = "hall"
"""Subfolder of a data folder for race control's ledger, apart from the races that are written there."""
MOUNTS: Final = ("/media", "/run/media", "/mnt")
"""Folders where sticks are mounted, directly or one level below."""
STICK: Final = Path("/media/companion")
"""Mount point of the stick for automatic copies on an appliance."""
EXPORTS: Final = "exports"
"""Folder for exports, next to the races."""
COPIES: Final = "companion"
"""Folder on a stick for copies of all races."""


def data_folder(given: Path | str | None = None) -> Path:
    """Return the folder of the races: `given`, else $STATE_DIRECTORY, else the user's data folder.

    Of several in $STATE_DIRECTORY it is the first. Raises CompanionError if none of these can be named.
    """
    try:
        if given is not None:
            return Path(given).expanduser()
        if state := os.environ.get("STATE_DIRECTORY", "").split(":")[0]:
            return Path(state)
        import platformdirs

        return Path(platformdirs.user_data_dir("companion", appauthor=False))
    except RuntimeError:  # no $HOME, and the system knows no such user
        raise CompanionError("no_home") from None


def is_appliance(folder: Path) -> bool:
    """Return True if systemd has given the program this folder, as it does on an appliance."""
    state = os.environ.get("STATE_DIRECTORY", "").split(":")[0]
    return bool(state) and Path(state) == folder


def database_exists(folder: Path) -> bool:
    """Return True if there is a database of races in a folder.

    An empty file, as a cut of the power can leave one, is none.
    """
    path = folder / DATABASE
    try:
        found = path.stat()
    except OSError:
        return False
    journal = path.with_name(f"{path.name}-wal")
    return found.st_size > 0 or not stat.S_ISREG(found.st_mode) or (journal.exists() and journal.stat().st_size > 0)


def sticks(mounts: Iterable[str] = MOUNTS) -> list[Path]:
    """Return the mount points of the USB sticks that are there."""
    found: set[Path] = set()
    for mount in map(Path, mounts):
        for pattern in ("*", "*/*"):
            with contextlib.suppress(OSError):
                for place in mount.glob(pattern):
                    with contextlib.suppress(OSError):  # one that was pulled out hides no other
                        if place.is_mount():
                            found.add(place)
    return sorted(found)


class DatabaseFiles:
    """The files of a database as they lay in their folder when it was opened, to see whether they still do.

    What is written to a file that was deleted, or that another took the place of, is gone with the program.
    """

    def __init__(self, database: Path) -> None:
        """Note how the files lie; raise OSError."""
        self._path, self._journal = database, database.with_name(f"{database.name}-wal")
        self._file, self._its = os.stat(database), _stat(self._journal)

    def still(self) -> bool:
        """Return True if they still lie there, and nobody has cut the database short."""
        file = _stat(self._path)
        if file is None or not os.path.samestat(file, self._file) or file.st_size < self._file.st_size:
            return False
        self._file = file
        return self._its is None or self._journal_lies()

    def part(self) -> None:
        """Delete the journal if it lies beside another database now, or beside none.

        SQLite would take it for that one's, and damage it.
        """
        file = _stat(self._path)
        if (file is None or not os.path.samestat(file, self._file)) and self._journal_lies():
            with contextlib.suppress(OSError):
                self._journal.unlink()

    def _journal_lies(self) -> bool:
        there = _stat(self._journal)
        return there is not None and self._its is not None and os.path.samestat(there, self._its)


def stamp(folder: Path) -> tuple[int, ...]:
    """Return a value that changes whenever the database in a folder is written to, without opening it.

    See `whole_file.stamp`. A reader may not see what was written a moment ago before the disk has it: so long the value
    changes each time.
    """
    path = folder / DATABASE
    journal = path.with_name(f"{DATABASE}-wal")
    found, written = whole_file.stamp(path, journal), _stat(journal)
    if written is not None and 0 <= time.time() - written.st_mtime < SETTLED:
        return (*found, time.monotonic_ns())
    return found


def _stat(path: Path) -> os.stat_result | None:
    try:
        return os.stat(path)
    except OSError:
        return None


class WriteLock:
    """The right to write one race or record, held by one program at a time.

    It ends with the process, however that ends.
    """

    def __init__(self, folder: Path, log_id: str, name: str, *, race: bool = True) -> None:
        """Take the right; raise LogError, naming the holder, if another program writes this race (or record).

        Raises OSError as the disk says.
        """
        self.path = folder / f"{log_id}.lock"
        while True:
            self._file: IO[str] = open(self.path, "a+", encoding="utf-8")  # noqa: SIM115
            try:
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                self._file.seek(0)
                holder = _who(self._file.read())
                self._file.close()
                if not race:
                    raise LogError("held.record", record=name, **holder) from None
                raise LogError("held.race", race=name, log=log_id[:8], **holder) from None
            to_owner(self.path)
            with contextlib.suppress(FileNotFoundError):
                if os.path.samestat(os.fstat(self._file.fileno()), os.stat(self.path)):
                    break
            self._file.close()  # it was released, and its file removed, between our opening and locking it
        command = click.get_current_context(silent=True)  # none in a thread, nor in a program of somebody else's
        word = [word for word in sys.argv[1:2] if not word.startswith("-")]
        own = Path(sys.argv[0])
        name = own.parent.name if own.name == "__main__.py" else own.name  # of python -m companion
        program = command.command_path if command else " ".join([name, *word]).strip() or "python"
        since = time.strftime("%H:%M", time.localtime())
        note = json.dumps({"program": program, "pid": os.getpid(), "since": since})
        with contextlib.suppress(OSError):  # on a full disk the race is held all the same, without saying by whom
            os.ftruncate(self._file.fileno(), 0)
            os.write(self._file.fileno(), note.encode())

    @staticmethod
    def holder(folder: Path, log_id: str) -> dict[str, str] | None:
        """Return the program, process and time of another writer of a race: {} if it left no note, None without one."""
        try:
            with open(folder / f"{log_id}.lock", encoding="utf-8") as file:
                try:
                    fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
                except BlockingIOError:
                    return _who(file.read())
        except OSError:
            pass  # no program writes it: the last one removed the file
        return None

    def release(self) -> None:
        """Release the race."""
        if not self._file.closed:
            with contextlib.suppress(OSError):
                if os.path.samestat(os.fstat(self._file.fileno()), os.stat(self.path)):  # it may be another's by now
                    self.path.unlink()
            self._file.close()


def _who(note: str) -> dict[str, str]:
    """Return the program, its process and since when it writes; nothing where the note does not say."""
    try:
        told = json.loads(note)
        return {key: str(told[key]) for key in ("program", "pid", "since")}
    except (ValueError, KeyError, TypeError):
        return {}


class Gate:
    """Lets one program at a time write to the database, whichever race it writes.

    SQLite orders its writers by itself; but before 3.51.3 a checkpoint of one connection beside a commit of another
    could, very rarely, damage the file (sqlite.org/wal.html, the WAL-reset bug), and Debian's is older than that.
    """

    WAIT: Final = 5.0
    """Time limit for another program's transaction, in seconds."""
    LOOK: Final = 0.002
    """Interval between two attempts while waiting, in seconds."""
    LONG: Final = 0.02
    """Seconds of holding the lock after which others are likely to wait."""

    def __init__(self, folder: Path) -> None:
        path = folder / "races.lock"
        self._entered = self._again = 0.0
        """Time when it was last entered, and until when another program may go first."""
        self._fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        to_owner(path)

    @contextlib.contextmanager
    def passed(self) -> Iterator[None]:
        """Inside, nobody else writes. Raises TimeoutError if another program does not come out."""
        self.enter()
        try:
            yield
        finally:
            self.leave()

    def enter(self) -> None:
        """Wait for its turn; raise TimeoutError.

        A program that was inside for long a moment ago lets others go first: on a slow disk one that looks only now and
        then would never come in.
        """
        if (rest := self._again - time.monotonic()) > 0:
            time.sleep(rest)
        end = time.monotonic() + self.WAIT
        while not self._try_take():
            if time.monotonic() >= end:
                raise TimeoutError(f"another program has been writing to the database for {self.WAIT:.0f} s")
            time.sleep(self.LOOK)
        self._entered = time.monotonic()

    def _try_take(self) -> bool:
        try:
            fcntl.flock(self._fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def leave(self) -> None:
        """Release the lock."""
        fcntl.flock(self._fd, fcntl.LOCK_UN)
        now = time.monotonic()
        self._again = now + (3 * self.LOOK if now - self._entered > self.LONG else 0.0)

    def close(self) -> None:
        """Close the file of the lock."""
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1
