"""Atomic file writes: after a power cut the file is either the old or the new one.

A user's unreadable file is moved aside, never overwritten.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from collections.abc import Callable
from itertools import chain, count
from pathlib import Path
from typing import Final, TypeVar

from companion.rules.conversation.errors import CompanionError
from companion.rules.conversation.typed import converted

T = TypeVar("T")

MOST: Final = 1 << 20
"""Maximum size of a file that people may edit, in bytes."""


def must_be_plain(path: Path) -> None:
    """Raise OSError unless a path is a regular file.

    Reading a pipe would block, and a device has no end.
    """
    kind = os.stat(path).st_mode
    if stat.S_ISDIR(kind):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if not stat.S_ISREG(kind):
        raise OSError(errno.EINVAL, "a pipe or a device lies there, no file", str(path))


def text(path: Path) -> str:
    """Return the text of a file that people may edit, without a byte order mark.

    Raises OSError, and ValueError if it is not UTF-8 or is longer than `MOST` bytes.
    """
    must_be_plain(path)
    if path.stat().st_size > MOST:
        raise ValueError(f"it is longer than {MOST} bytes")
    try:
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise ValueError("no UTF-8") from None


def json(path: Path, read: Callable[[bytes], T]) -> T | None:
    """Read one of the program's own small files; None if it does not exist.

    Raises ValueError with the reason if the file is damaged or unreadable. The caller says what that loses, and what to
    do.
    """
    try:
        must_be_plain(path)
        return read(path.read_bytes())
    except FileNotFoundError:
        return None
    except OSError as wrong:
        raise ValueError(wrong.strerror) from None


def toml(written: str, kind: type[T]) -> T:
    """Parse a TOML text into a type.

    Raises ValueError, also if it is nested too deeply.
    """
    import tomllib

    try:
        return converted(tomllib.loads(written), kind)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def write(path: Path, made: bytes, mode: int = 0o666) -> None:
    """Write a file atomically and durably, creating its folder if needed.

    `mode` is subject to the umask. Raises OSError.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.new")
    try:
        with open(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, mode), "wb") as file:
            file.write(made)
            file.flush()
            os.fsync(file.fileno())
        to_owner(beside)
        beside.replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            beside.unlink()
        raise
    synced(path.parent)


def write_out(path: Path, made: bytes) -> None:
    """Write a file that the user named, atomically; a pipe or device directly.

    Raises CompanionError, and leaves the previous file unchanged.
    """
    try:
        path = path.resolve()  # what a link leads to is written, not the link
        if not path.parent.is_dir():
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))
        if path.exists() and not path.is_file():
            path.write_bytes(made)
        else:
            write(path, made, path.stat().st_mode & 0o777 if path.exists() else 0o666)
    except OSError as wrong:
        raise CompanionError("not_written", path=path, why=wrong.strerror or wrong) from wrong


def synced(path: Path) -> None:
    """Sync a file, or the names in a folder, to disk; raises OSError."""
    held = os.open(path, os.O_RDONLY)
    try:
        os.fsync(held)
    except OSError as wrong:
        if wrong.errno != errno.EINVAL:  # some file systems know nothing of folders' names being kept
            raise
    finally:
        os.close(held)


def stamp(*paths: Path) -> tuple[int, ...]:
    """Return a value that changes whenever one of the files is written.

    The files are not opened, so two writes within one tick of the clock may look like one.
    """
    found: list[int] = []
    for path in paths:
        with contextlib.suppress(OSError):
            one = os.stat(path)
            found += (one.st_ino, one.st_size, one.st_mtime_ns)
    return tuple(found)


def to_owner(path: Path) -> None:
    """Give a file to the owner of its folder if running as root; never follows a link.

    The owner could not open it otherwise.
    """
    if os.geteuid() == 0:
        with contextlib.suppress(OSError):
            owner = path.parent.stat()
            os.chown(path, owner.st_uid, owner.st_gid, follow_symlinks=False)


def put_aside(path: Path) -> Path:
    """Move an unreadable file to a free name, and return that.

    `drivers.toml` becomes `drivers.broken.toml`, then `drivers.broken-2.toml`. Raises OSError.
    """
    names = (f"{path.stem}.broken{more}{path.suffix}" for more in chain([""], map("-{}".format, count(2))))
    lies = path.with_name(next(name for name in names if not os.path.lexists(path.with_name(name))))
    path.replace(lies)
    return lies
