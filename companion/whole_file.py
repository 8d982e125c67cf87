"""A file written whole or not at all: whenever the plug or the stick is pulled, the old one lies there or the new one.

A file of a person's that makes no sense is put aside, never written over.
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
"""The most bytes of a file that people may edit."""


def must_be_plain(path: Path) -> None:
    """Raises OSError if something else lies in the place of a file: a pipe would be waited for, a device has no end."""
    kind = os.stat(path).st_mode
    if stat.S_ISDIR(kind):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if not stat.S_ISREG(kind):
        raise OSError(errno.EINVAL, "a pipe or a device lies there, no file", str(path))


def text(path: Path) -> str:
    """Return the text of a file that people may edit, without the mark that some editors put before it. Raise OSError,
    and ValueError if it is no text or far too long."""
    must_be_plain(path)
    if path.stat().st_size > MOST:
        raise ValueError(f"it is longer than {MOST} bytes")
    try:
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise ValueError("no UTF-8") from None


def json(path: Path, read: Callable[[bytes], T]) -> T | None:
    """Return what one of the program's own small files says, None if there is none.

    Raises ValueError with the reason for one that is damaged or cannot be read: the caller says what is lost by that,
    and what to do.
    """
    try:
        must_be_plain(path)
        return read(path.read_bytes())
    except FileNotFoundError:
        return None
    except OSError as wrong:
        raise ValueError(wrong.strerror) from None


def toml(written: str, kind: type[T]) -> T:
    """What a text in TOML says, as what it is to be. Raises ValueError, also for what is nested too deeply to read."""
    import tomllib

    try:
        return converted(tomllib.loads(written), kind)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def write(path: Path, made: bytes, mode: int = 0o666) -> None:
    """Writes a file, its folder too if there is none; afterwards the disk keeps it. `mode` is who may read it, as far
    as the system's own mask leaves it. Raises OSError."""
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
    """Writes a file that a person has named, whole or not at all; into a pipe or a device as it comes. Raises
    CompanionError in one sentence, and what lay there before is as it was."""
    try:
        path = path.resolve()  # what a link leads to is written, not the link
        if not path.parent.is_dir():
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))
        if path.exists() and not path.is_file():
            path.write_bytes(made)
        else:
            write(path, made, path.stat().st_mode & 0o777 if path.exists() else 0o666)
    except OSError as wrong:
        raise CompanionError(f"{path} could not be written ({wrong.strerror or wrong}).", "not_written") from wrong


def synced(path: Path) -> None:
    """Has the disk keep a file, or the names in a folder; raises OSError."""
    held = os.open(path, os.O_RDONLY)
    try:
        os.fsync(held)
    except OSError as wrong:
        if wrong.errno != errno.EINVAL:  # some file systems know nothing of folders' names being kept
            raise
    finally:
        os.close(held)


def stamp(*paths: Path) -> tuple[int, ...]:
    """Another one whenever one of these files was written, as far as that can be seen without opening them: two writes
    within one tick of the system's clock can look like one."""
    found: list[int] = []
    for path in paths:
        with contextlib.suppress(OSError):
            one = os.stat(path)
            found += (one.st_ino, one.st_size, one.st_mtime_ns)
    return tuple(found)


def to_owner(path: Path) -> None:
    """Root gives a file to whom its folder belongs, who could not open it else; never what a link leads to."""
    if os.geteuid() == 0:
        with contextlib.suppress(OSError):
            owner = path.parent.stat()
            os.chown(path, owner.st_uid, owner.st_gid, follow_symlinks=False)


def put_aside(path: Path) -> Path:
    """Puts a file that makes no sense where no other lies, `drivers.broken.toml` for `drivers.toml`, then
    `drivers.broken-2.toml`; returns where. Raises OSError."""
    names = (f"{path.stem}.broken{more}{path.suffix}" for more in chain([""], map("-{}".format, count(2))))
    lies = path.with_name(next(name for name in names if not os.path.lexists(path.with_name(name))))
    path.replace(lies)
    return lies
