"""Read a stored race, and change it afterwards: delete it, restore it, rename it, note something on it.

Each is one more entry of its log; nothing that stands there is changed.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from companion.rules.conversation.errors import BadAnswer, LogError, NothingToDo
from companion.rules.conversation.text import check_text
from companion.sheets.chain import chained
from companion.sheets.entrants import fitted
from companion.sheets.entry import Entry, Spoken, check_words
from companion.sheets.high_water import read_mark, there, whole
from companion.sheets.history import History
from companion.sheets.log import Log, now
from companion.sheets.reading import RACE, called, entries, is_name_taken, log_ids, races, reading, sought

NAME_LETTERS = 60
"""Maximum length of a race's name, in letters."""


def read_log(folder: Path, race: str) -> list[Entry]:
    """Return the log of a race, its chain checked. Raises LogError."""
    with reading(folder) as db:
        found = sought(folder, db, race)
        mark = read_mark(folder, found.log_id)  # before the log: the race may be going on
        log = list(chained(entries(db, found.log_id), found.head))
    whole(found.name, log, mark)
    return log


def delete(folder: Path, race: str, *, by: str = "table") -> str:
    """Take a race from the list; return its name.

    Raises LogError if there is no such race or another program writes it, NotSaved, and NothingToDo if it is deleted
    already.
    """
    return _append(folder, race, "delete", "deleted", by)


def restore(folder: Path, race: str, *, by: str = "table") -> str:
    """Give a deleted race back to the list; return its name.

    A name, an id or "last" is looked for among those that are deleted. Raises as `delete` does.
    """
    with reading(folder) as db:
        last = race == "last"
        found = next(iter(races(db, deleted=True, most=1)), None) if last else called(db, race, (RACE,), deleted=True)
    race = found.log_id if found is not None else race
    return _append(folder, race, "restore", "restored", by)


def rename(folder: Path, race: str, name: str, *, by: str = "table") -> tuple[str, str]:
    """Give a race another name; return the one that it had, and the new one as it is stored.

    Raises as `delete` and `race_name` do.
    """
    with reading(folder) as db:
        found = sought(folder, db, race)
    name = race_name(folder, name, found.log_id)
    if name == found.name:
        return name, name
    return _append(folder, found.log_id, "rename", name, by), name


def race_name(folder: Path | None, name: str, log_id: str = "") -> str:
    """Return the new name of a race as it is stored; without an id it is a race that begins.

    Raises BadAnswer for one of no letters, of more than NAME_LETTERS or with control characters, and for one that
    would mean another race: "last", how an id in the folder begins, or a race's name. A race may begin under the name
    of another one: their ids tell them apart.
    """
    check_text(name, BadAnswer)
    name = fitted(name, NAME_LETTERS + 1)
    if not 0 < len(name) <= NAME_LETTERS:
        raise BadAnswer("race_name", most=NAME_LETTERS)
    taken = name.casefold() == "last"
    if folder is not None and there(folder):
        with reading(folder) as db:
            taken = taken or any(one.startswith(name.casefold()) for one in log_ids(db))
            if log_id and not taken and is_name_taken(db, name, log_id):
                raise BadAnswer("race_name_taken.other", name=name)
    if taken:
        raise BadAnswer("race_name_taken", name=name)
    return name


def annotate(folder: Path, race: str, note: str, *, by: str = "table") -> str:
    """Add a note to a race; return its name.

    Raises as `delete` does, and BadAnswer for an empty note.
    """
    if not note.strip():
        raise BadAnswer("words")
    return _append(folder, race, "note", note.strip(), by)


def _append(folder: Path, race: str, kind: Literal["delete", "restore", "rename", "note"], text: str, by: str) -> str:
    try:
        log = Log.resume(folder, race)
    except LogError as wrong:
        if wrong.kind == "held.race":
            raise LogError("held.change", **wrong.facts) from None
        raise
    try:
        entries, _ = log.read()
        history, last = History.of(entries), entries[-1]
        if (kind == "restore") is not (last.kind == "delete"):  # any entry after it would give the race back
            if kind == "restore":
                raise NothingToDo("race_not_deleted", race=history.name)
            if kind == "delete":
                raise NothingToDo("race_deleted", race=history.name)
            raise NothingToDo("gone.deleted", race=history.name, id=log.log_id[:8])
        said = Spoken(text)
        check_words(by, said)
        log.append(kind, by, len(history.items), said, (), last.state, now())
    finally:
        log.close()
    return history.name
