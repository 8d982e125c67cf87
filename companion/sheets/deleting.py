"""A race is taken from the list and given back to it: both are entries of its log, which stays as it is."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from companion.rules.conversation.errors import NothingToDo
from companion.sheets.entry import Spoken
from companion.sheets.history import History
from companion.sheets.log import Log, now
from companion.sheets.reading import races, reading


def delete(folder: Path, race: str, *, by: str = "table") -> str:
    """Take a race from the list; return its name.

    Raises LogError if there is no such race or another program writes it, NotSaved, and NothingToDo if it is deleted
    already.
    """
    return _append(folder, race, "delete", by)


def restore(folder: Path, race: str, *, by: str = "table") -> str:
    """Give a deleted race back to the list; return its name.

    "last" is the last one of those that are deleted. Raises as `delete` does.
    """
    if race == "last":
        with reading(folder) as db:
            race = next((one.log_id for one in races(db, deleted=True, most=1)), race)
    return _append(folder, race, "restore", by)


def _append(folder: Path, race: str, kind: Literal["delete", "restore"], by: str) -> str:
    log = Log.resume(folder, race)
    try:
        entries, _ = log.read()
        last = entries[-1]
        if last.kind == kind == "delete":
            raise NothingToDo(f"The race {log.name} is deleted already.", "race_deleted", race=log.name)
        if last.kind != "delete" and kind == "restore":
            raise NothingToDo(f"The race {log.name} is not deleted.", "race_not_deleted", race=log.name)
        log.append(kind, by, len(History.of(entries).items), Spoken(f"{kind}d"), (), last.state, now())
    finally:
        log.close()
    return log.name
