"""Checks of the disk with the races: its kind, its free space, and the database."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from companion.doctor.findings import CheckResult, State
from companion.sheets.place import DATABASE, database_exists
from companion.sheets.storage import GRAVE, Storage

LITTLE: Final = 200_000_000
"""Free space, in bytes, below which somebody should know."""


def check_disk(storage: Storage, folder: Path) -> CheckResult:
    """Tell the file system of the races, and what it would lose."""
    faults = [fault for fault in storage.faults if fault not in ("damaged", "low")]
    mount = storage.mount
    facts = {
        "kind": mount.kind if mount is not None else "?", "folder": str(folder),
        "source": mount.source if mount is not None else "?",
    }  # fmt: skip
    if faults:
        return CheckResult("disk", "bad" if faults[0] in GRAVE else "warn", faults[0], facts)
    return CheckResult("disk", "ok", "well", facts)


def check_room(storage: Storage) -> CheckResult:
    """Tell how much can still be written."""
    full = bool({"full", "low"} & set(storage.faults))
    state: State = "bad" if full else "warn" if storage.free < LITTLE else "ok"
    return CheckResult("room", state, "well" if state == "ok" else "little", {"free": storage.free})


def check_database(storage: Storage, folder: Path) -> CheckResult:
    """Tell whether the races are sound, and how much they take."""
    if storage.why is not None:
        return CheckResult("database", "bad", "damaged", error=storage.why)
    path = folder / DATABASE
    if not database_exists(folder):
        return CheckResult("database", "ok", "none", {"path": str(path)})
    return CheckResult("database", "ok", "well", {"path": str(path), "stored": path.stat().st_size})
