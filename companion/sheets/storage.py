"""The disk that the races lie on: whether it takes what is written, has room, and keeps it when the plug is pulled."""

from __future__ import annotations

import contextlib
import errno
import os
import re
import shutil
from pathlib import Path
from typing import Final, Literal, NamedTuple

import msgspec

from companion.rules.conversation.errors import CompanionError, NotSaved

Fault = Literal["damaged", "read_only", "full", "refused", "low", "memory", "unjournaled", "writeback", "network"]
"""What may be wrong: the database is damaged; nothing can be written, because the disk is read-only, full or refuses;
there is little room; and what is written is gone with the power, may be damaged by its loss, or lies elsewhere."""

GRAVE: Final[frozenset[Fault]] = frozenset(("damaged", "read_only", "full", "refused", "low"))
"""What must be put right before a race; the others are to be known."""

LITTLE: Final = 50_000_000
"""Bytes of room under which there is little of it: a race takes some hundred thousand, but the machine writes too."""

_TABLE: Final = Path("/proc/self/mountinfo")
_MEMORY: Final = ("tmpfs", "ramfs", "devtmpfs")
_UNJOURNALED: Final = ("ext2", "vfat", "msdos", "exfat", "ntfs", "ntfs3", "fuseblk", "hfs")
_NETWORK: Final = ("nfs", "nfs4", "cifs", "smb3", "9p", "fuse.sshfs")


class Mount(NamedTuple):
    """A file system, where it is mounted, and how."""

    point: str
    kind: str
    source: str
    options: tuple[str, ...]


class Storage(msgspec.Struct, frozen=True):
    """How the disk was found: its file system if that is known, bytes of room, and what is wrong, the gravest first.
    `why` is what is wrong with the database, if it is damaged."""

    mount: Mount | None
    free: int
    faults: tuple[Fault, ...]
    why: CompanionError | None = None


def look(folder: Path) -> Storage:
    """Looks at the disk of a data folder: reads its database, and writes a file to it that is taken away again."""
    there = next(place for place in (folder, *folder.parents) if place.exists())
    free = shutil.disk_usage(there).free
    why = _damage(folder)
    faults: list[Fault] = ["damaged"] if why is not None else []
    try:
        _try_writing(there)
    except OSError as wrong:
        read_only = wrong.errno in (errno.EROFS, errno.EACCES, errno.EPERM)
        full = wrong.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
        faults.append("read_only" if read_only else "full" if full else "refused")
    if free < LITTLE and "full" not in faults:
        faults.append("low")
    mount = mount_of(there)
    return Storage(mount, free, (*faults, *(_doubts(mount) if mount is not None else ())), why)


def _damage(folder: Path) -> CompanionError | None:
    """What is wrong with the database, if it is not the disk that keeps it from being read."""
    from companion.sheets.mark import there
    from companion.sheets.reading import reading

    try:
        if not there(folder):
            return None
        with reading(folder):  # which checks it
            return None
    except CompanionError as wrong:
        return None if isinstance(wrong, NotSaved) or wrong.kind == "no_races" else wrong


def _try_writing(folder: Path) -> None:
    """Raises OSError."""
    trial = folder / f".trial-{os.getpid()}"
    try:
        with trial.open("wb") as file:
            file.write(bytes(4096))
            file.flush()
            os.fsync(file.fileno())
    finally:
        with contextlib.suppress(OSError):
            trial.unlink(missing_ok=True)


# -- how it is mounted


def mount_of(folder: Path, table: Path = _TABLE) -> Mount | None:
    """The file system that a folder lies on, None where the system does not tell."""
    try:
        lines = table.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return None
    place, found = folder.resolve(), None
    for mount in map(_mount, lines):
        if mount is None or not place.is_relative_to(mount.point):
            continue
        if found is None or len(mount.point) >= len(found.point):  # of two at one point the later covers the other
            found = mount
    if found is not None and found.kind == "overlay":
        return _beneath(found, lines)
    return found


def _beneath(overlay: Mount, lines: list[str]) -> Mount:
    """What keeps the changes of an overlay, if that is memory, as on a card that was made read-only; else itself."""
    upper = next((option[9:] for option in overlay.options if option.startswith("upperdir=")), "")
    for mount in map(_mount, lines):
        if mount is not None and mount.kind in _MEMORY and upper and Path(upper).is_relative_to(mount.point):
            return overlay._replace(kind=mount.kind)
    return overlay


def _mount(line: str) -> Mount | None:
    """A line of mountinfo(5)."""
    before, _, after = line.partition(" - ")
    fields, more = before.split(), after.split()
    if len(fields) < 6 or len(more) < 2:
        return None
    options = (*fields[5].split(","), *(more[2].split(",") if len(more) > 2 else ()))
    return Mount(_plain(fields[4]), more[0], _plain(more[1]), tuple(dict.fromkeys(options)))


def _plain(name: str) -> str:
    """A name with its spaces, which the table writes as \\040."""
    return re.sub(r"\\([0-7]{3})", lambda octal: chr(int(octal[1], 8)), name)


def _doubts(mount: Mount) -> tuple[Fault, ...]:
    """What the plug would do to what is written there."""
    if mount.kind in _MEMORY:
        return ("memory",)
    if mount.kind in _NETWORK:
        return ("network",)
    if mount.kind in _UNJOURNALED:
        return ("unjournaled",)
    unsafe = {"data=writeback", "nobarrier", "barrier=0"}
    return ("writeback",) if unsafe & set(mount.options) else ()
