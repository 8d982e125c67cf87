"""Change a stored race afterwards: delete it, restore it, rename it, note something on it.

Each is one more entry of its log; nothing that stands there is changed.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from companion.rules.conversation.errors import BadAnswer, NothingToDo
from companion.sheets.entrants import fitted
from companion.sheets.entry import Spoken
from companion.sheets.history import History
from companion.sheets.log import Log, now
from companion.sheets.reading import log_ids, races, reading

NAME_LETTERS = 60
"""The most letters of a race's name."""


def delete(folder: Path, race: str, *, by: str = "table") -> str:
    """Take a race from the list; return its name.

    Raises LogError if there is no such race or another program writes it, NotSaved, and NothingToDo if it is deleted
    already.
    """
    return _append(folder, race, "delete", "deleted", by)


def restore(folder: Path, race: str, *, by: str = "table") -> str:
    """Give a deleted race back to the list; return its name.

    "last" is the last one of those that are deleted. Raises as `delete` does.
    """
    if race == "last":
        with reading(folder) as db:
            race = next((one.log_id for one in races(db, deleted=True, most=1)), race)
    return _append(folder, race, "restore", "restored", by)


def rename(folder: Path, race: str, name: str, *, by: str = "table") -> tuple[str, str]:
    """Give a race another name; return the one that it had, and the new one as it is stored.

    Raises as `delete` does, and BadAnswer for a name of no letters or of more than NAME_LETTERS, and for one that would
    mean another race: "last", or how an id begins.
    """
    name = fitted(name, NAME_LETTERS + 1)
    if not 0 < len(name) <= NAME_LETTERS:
        raise BadAnswer(f"The name of a race has 1 to {NAME_LETTERS} letters.", "race_name", most=NAME_LETTERS)
    with reading(folder) as db:
        taken = name.casefold() == "last" or any(one.startswith(name.casefold()) for one in log_ids(db))
    if taken:
        raise BadAnswer(f"{name} is no name of a race; take another.", "race_name_taken", name=name)
    return _append(folder, race, "rename", name, by), name


def annotate(folder: Path, race: str, note: str, *, by: str = "table") -> str:
    """Add a note to a race; return its name.

    Raises as `delete` does, and BadAnswer for an empty note.
    """
    if not note.strip():
        raise BadAnswer("A note or dispute needs words.", "words")
    return _append(folder, race, "note", note.strip(), by)


def _append(folder: Path, race: str, kind: Literal["delete", "restore", "rename", "note"], text: str, by: str) -> str:
    log = Log.resume(folder, race)
    try:
        entries, _ = log.read()
        history, last = History.of(entries), entries[-1]
        if (kind == "restore") is not (last.kind == "delete"):  # any entry after it would give the race back
            if kind == "restore":
                raise NothingToDo(f"The race {history.name} is not deleted.", "race_not_deleted", race=history.name)
            if kind == "delete":
                raise NothingToDo(f"The race {history.name} is deleted already.", "race_deleted", race=history.name)
            raise NothingToDo(
                f"The race {history.name} is deleted; companion sheet restore brings it back.",
                "gone",
                race=history.name,
            )
        log.append(kind, by, len(history.items), Spoken(text), (), last.state, now())
    finally:
        log.close()
    return history.name
