"""A mark outside the database of how far the log of a race was confirmed.

What is confirmed lies in the database's journal for a while. A journal that is damaged after a cut loses its end
without a word, and with it all that the database itself knows of that end. So the writer of a race notes beside the
database, after each entry, which one it was. That costs one write and no wait for the disk: the system has it when the
program dies. When the power goes, the note may be older than the log, or nothing, and then it tells nothing; it never
claims more than was confirmed.
"""

from __future__ import annotations

import contextlib
import json
import os
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from companion.rules.conversation.errors import LogError
from companion.sheets import whole_check
from companion.sheets.place import DATABASE, database_exists
from companion.whole_file import to_owner

if TYPE_CHECKING:
    from companion.sheets.entry import Entry

_ENDING: Final = ".mark"


class HighWater(NamedTuple):
    """The last entry of a race that was confirmed: its number and hash; and what the race is called."""

    seq: int
    hash: bytes
    name: str


class HighWaterMark:
    """The note of one race, held by the program that writes it."""

    def __init__(self, folder: Path, log_id: str, name: str) -> None:
        """Open the mark of a race; raise OSError."""
        self._name, self.path = name, folder / f"{log_id}{_ENDING}"
        self._fd = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        to_owner(self.path)

    def set(self, seq: int, hash_: bytes) -> None:
        """Note an entry that is on the disk.

        A note that cannot be written is skipped: it is only a second witness.
        """
        note = f'{{"seq":{seq:>10},"hash":"{hash_.hex()}","name":{json.dumps(self._name)}}}'.encode()
        with contextlib.suppress(OSError):
            os.pwrite(self._fd, b"%08x %s\n" % (zlib.crc32(note), note), 0)  # always as long as the one before

    def close(self, *, keep: bool) -> None:
        """Close the mark; delete its file too if it is empty, or unless `keep`."""
        if self._fd >= 0:
            with contextlib.suppress(OSError):
                if not keep or not os.fstat(self._fd).st_size:
                    self.path.unlink(missing_ok=True)
            os.close(self._fd)
            self._fd = -1


def read_mark(folder: Path, log_id: str) -> HighWater | None:
    """Return the mark of a race; None if it is missing or unreadable."""
    try:
        check, _, note = (folder / f"{log_id}{_ENDING}").read_bytes().partition(b" ")
        note = note.rstrip(b"\n")
        if int(check, 16) != zlib.crc32(note):
            return None
        said = json.loads(note)
        return HighWater(said["seq"], bytes.fromhex(said["hash"]), said["name"])
    except (OSError, ValueError, KeyError, TypeError):
        return None


def read_marks(folder: Path) -> dict[str, HighWater]:
    """Return the marks of all races of a folder, by their ids."""
    logs = [path.stem for path in folder.glob(f"*{_ENDING}")]
    return {log_id: mark for log_id in sorted(logs) if (mark := read_mark(folder, log_id)) is not None}


def forget(folder: Path) -> None:
    """Delete every mark, once the loss has been told."""
    for path in folder.glob(f"*{_ENDING}"):
        with contextlib.suppress(OSError):
            path.unlink()


def there(folder: Path) -> bool:
    """Return True if there is a database in a folder.

    Raises LogError if it is gone but its mark is left, or if it was emptied.
    """
    path = folder / DATABASE
    must_not_be_emptied(folder)
    if not path.exists() and (gone := read_marks(folder).values()):
        confirmed = ", ".join(f"{mark.name} {mark.seq}" for mark in gone)
        raise LogError("gone.confirmed", path=str(path), confirmed=confirmed)
    return database_exists(folder)


def must_not_be_emptied(folder: Path) -> None:
    """Raise LogError if the database of a folder is empty and held something before."""
    path = folder / DATABASE
    if not database_exists(folder) and whole_check.was_emptied(path):
        raise LogError("gone.emptied", path=str(path))


def whole(name: str, log: Sequence[Entry], mark: HighWater | None) -> None:
    """Raise LogError if confirmed entries, by the mark of the last one, are not in the log."""
    if mark is None or (mark.seq <= len(log) and log[mark.seq - 1].hash == mark.hash):
        return
    raise LogError("lost", race=name, last=mark.seq, seq=len(log))
