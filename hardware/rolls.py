"""What the dice showed in races that were kept, die by die."""

from __future__ import annotations

from pathlib import Path

from companion.rules.dice import die_of
from companion.sheets.history import History
from companion.sheets.log import entries, races, reading


def rolled(folder: Path, by: str = "") -> dict[str, list[int]]:
    """Every face that stands in the races of a folder, by die; only those that `by` gave, such as "roller". Faces set
    by the referee's word are no rolls. Raises LogError."""
    found: dict[str, list[int]] = {}
    with reading(folder) as db:
        for race in races(db):
            gather(History.of(entries(db, race.log_id)), found, by)
    return found


def gather(history: History, found: dict[str, list[int]], by: str = "") -> None:
    """Adds the faces of one race."""
    for item in history.items:
        key, face = item.event.key, item.event.answer
        if key is None or item.event.forced or (by and item.by != by):
            continue
        ask, _, _, what = key
        die = die_of(ask, what)
        if die and isinstance(face, int):
            found.setdefault(die, []).append(face)
