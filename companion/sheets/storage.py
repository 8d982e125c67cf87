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
from companion.sheets.place import is_appliance
from companion.whole_file import to_owner

Fault = Literal[
    "damaged", "read_only", "full", "refused", "low", "volatile", "memory", "unjournaled", "writeback", "network"
]
"""Faults of the storage: the database is damaged; writing fails because the disk is read-only, full or refuses; there
is little room; what is written is lost with the power, on an appliance (volatile) or elsewhere (memory), may be damaged
by a power cut, or is stored elsewhere."""

GRAVE: Final[frozenset[Fault]] = frozenset(("damaged", "read_only", "full", "refused", "low", "volatile"))
"""Faults to mend before a race; the others are for information."""

LITTLE: Final = 50_000_000
"""Free space under which a disk counts as low, in bytes: a race takes some hundred thousand, but the system writes
too."""

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
    """The state of the disk: its file system if known, bytes of room, and its faults, the gravest first.

    `why` is what is wrong with the database, if it is damaged.
    """

    mount: Mount | None
    free: int
    faults: tuple[Fault, ...]
    why: CompanionError | None = None


def look(folder: Path, *, whole: bool = False) -> Storage:
    """Look at the disk of a data folder: write a file to it, delete that again, and read its database.

    The `whole` of the database is read if that is wanted or was not done for a day. A folder that goes away meanwhile
    refuses everything.
    """
    there = next(place for place in (folder, *folder.parents) if place.exists())
    try:
        free = shutil.disk_usage(there).free
    except OSError:  # a stick that was just pulled out
        return Storage(None, 0, ("refused",))
    why = _damage(folder, whole)
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
    doubts: tuple[Fault, ...] = ("volatile",) if is_volatile(folder) else _doubts(mount) if mount is not None else ()
    return Storage(mount, free, (*faults, *doubts), why)


def _damage(folder: Path, whole: bool) -> CompanionError | None:
    """Return what is wrong with the database, if it is not the disk that keeps it from being read."""
    from companion.sheets import whole_check
    from companion.sheets.high_water import there
    from companion.sheets.place import DATABASE
    from companion.sheets.reading import reading

    try:
        if not there(folder):
            return None
        with reading(folder, whole=whole or whole_check.is_old(folder / DATABASE)):
            return None
    except CompanionError as wrong:
        return None if isinstance(wrong, NotSaved) or wrong.code == "no_races" else wrong


def _try_writing(folder: Path) -> None:
    """Write a file to a folder and delete it again; raise OSError."""
    trial = folder / f".trial-{os.getpid()}"
    try:
        with trial.open("wb") as file:
            file.write(bytes(4096))
            file.flush()
            os.fsync(file.fileno())
    finally:
        with contextlib.suppress(OSError):
            trial.unlink(missing_ok=True)


# -- an appliance that keeps nothing


KNOWN: Final = "in-memory-known"
"""File next to the races that records that a person has seen the warning. It is lost with the power, too."""


def is_volatile(folder: Path) -> bool:
    """Return True if this is an appliance's own folder of races and lies in memory, as on a system made read-only."""
    mount = mount_of(folder) if is_appliance(folder) else None
    return mount is not None and mount.kind in _MEMORY


def must_be_told(folder: Path) -> NotSaved | None:
    """Return what keeps a race from being begun or resumed there until somebody says that he knows."""
    if not is_volatile(folder) or (folder / KNOWN).exists():
        return None
    return NotSaved("volatile", path=str(folder))


def is_known(folder: Path) -> None:
    """Note that somebody knows, so that nobody is asked again before the next start of the machine."""
    with contextlib.suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
        (folder / KNOWN).touch()
        to_owner(folder / KNOWN)


# -- how it is mounted


def mount_of(folder: Path, table: Path = _TABLE) -> Mount | None:
    """Return the file system that a folder lies on, or None where the system does not tell."""
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
    """Return what keeps the changes of an overlay, if that is memory; else the overlay itself.

    A card that was made read-only has them in memory.
    """
    upper = next((option[9:] for option in overlay.options if option.startswith("upperdir=")), "")
    for mount in map(_mount, lines):
        if mount is not None and mount.kind in _MEMORY and upper and Path(upper).is_relative_to(mount.point):
            return overlay._replace(kind=mount.kind)
    return overlay


def _mount(line: str) -> Mount | None:
    """Return the mount of a line of mountinfo(5), or None."""
    before, _, after = line.partition(" - ")
    fields, more = before.split(), after.split()
    if len(fields) < 6 or len(more) < 2:
        return None
    options = (*fields[5].split(","), *(more[2].split(",") if len(more) > 2 else ()))
    return Mount(_plain(fields[4]), more[0], _plain(more[1]), tuple(dict.fromkeys(options)))


def _plain(name: str) -> str:
    r"""Return a name with its spaces, which the table writes as \\040."""
    return re.sub(r"\\([0-7]{3})", lambda octal: chr(int(octal[1], 8)), name)


def _doubts(mount: Mount) -> tuple[Fault, ...]:
    """Return the faults of a file system on which pulling the plug endangers what is written."""
    if mount.kind in _MEMORY:
        return ("memory",)
    if mount.kind in _NETWORK:
        return ("network",)
    if mount.kind in _UNJOURNALED:
        return ("unjournaled",)
    unsafe = {"data=writeback", "nobarrier", "barrier=0"}
    return ("writeback",) if unsafe & set(mount.options) else ()
