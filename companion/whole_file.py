"""A file written whole or not at all: whenever the plug or the stick is pulled, the old one lies there or the new one.

A file of a person's that makes no sense is put aside, never written over.
"""

from __future__ import annotations

import contextlib
import errno
import os
from pathlib import Path


def write(path: Path, made: bytes) -> None:
    """Writes a file, its folder too if there is none; afterwards the disk keeps it. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.new")
    try:
        with beside.open("wb") as file:
            file.write(made)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            beside.unlink()
        raise
    synced(path.parent)


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


def aside(path: Path) -> Path:
    """Where a file goes that makes no sense: `drivers.broken.toml` for `drivers.toml`."""
    return path.with_name(f"{path.stem}.broken{path.suffix}")


def put_aside(path: Path) -> None:
    """Puts a file there; raises OSError."""
    path.replace(aside(path))
