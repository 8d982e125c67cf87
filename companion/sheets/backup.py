"""A copy of all that is kept, on another disk, while races go on: whole and checked, or not there at all.

A copy is a folder such as `companion-2026-11-21-193311`. In it lie every database, each race of them once more as lines
of JSON, the settings, and the program's own log. `companion --data` opens it like any data folder.
"""

from __future__ import annotations

import contextlib
import datetime
import fcntl
import os
import re
import shutil
import sqlite3
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from companion.rules.errors import LogError
from companion.sheets.chain import chained
from companion.sheets.database import connected, database
from companion.sheets.export import as_line
from companion.sheets.log import Write, put
from companion.sheets.place import DATABASE, kept
from companion.sheets.reading import entries, races, reading
from companion.whole_file import synced

KEEP: Final = 10
"""How many copies stay on a disk."""
LINES: Final = "races"
"""The folder in a copy where every race lies as lines of JSON, under its id."""
BESIDE: Final = ("*.toml", "companion.log*")
"""What is copied beside the databases."""
NAME: Final = re.compile(r"companion-\d{4}-\d\d-\d\d-\d{6}")
_UNDONE: Final = ".companion-backup-"
"""How the folder of a copy is called that is not yet whole."""


class Copy(NamedTuple):
    """A copy that was made: where, how many races and entries it holds, its bytes, and what is wrong with it."""

    path: Path
    races: int
    entries: int
    size: int
    problems: tuple[str, ...]


def backup(folder: Path, into: Path, *, keep: int = KEEP, unsaved: Sequence[Write] = ()) -> Copy:
    """Copies all that is kept in `folder` to a new folder in `into`, and `unsaved` entries with it that no disk took.

    `into` itself is made if need be. Of the copies in it the newest `keep` stay; if something is wrong with the new
    one, all of them. Raises LogError if there is nothing to copy, or it cannot be written whole.
    """
    found = _databases(folder)
    if not found and not unsaved:
        raise LogError(f"There are no races in {folder} yet; companion race begins one.", "no_races")
    if not into.parent.is_dir():
        raise LogError(f"There is no folder {into.parent}; plug in its disk, or make it first.", "copy_nowhere")
    try:
        into.mkdir(exist_ok=True)
        with _alone(into):
            _enough_room(folder, found, into)
            undone, path = into / f"{_UNDONE}{os.getpid()}", _free_name(into)
            try:
                copy = _written(folder, found, undone, unsaved)
                undone.rename(path)
                synced(into)
            except BaseException:
                shutil.rmtree(undone, ignore_errors=True)
                raise
            if not copy.problems:
                _drop(into, keep, path)
    except (OSError, sqlite3.Error) as wrong:
        why = wrong.strerror if isinstance(wrong, OSError) and wrong.strerror else str(wrong)
        raise LogError(
            f"The copy in {into} could not be written ({why}); nothing of it stays there.", "backup"
        ) from wrong
    return copy._replace(path=path)


def _databases(folder: Path) -> list[Path]:
    """Every database of a folder; what lies in the place of the races' is asked to be one whatever it is."""
    races = [folder / DATABASE] if kept(folder) else []
    return sorted({*races, *(path for path in folder.glob("*.db") if path.name != DATABASE and path.is_file())})


@contextlib.contextmanager
def _alone(into: Path) -> Iterator[None]:
    """Inside, no other program copies to this folder; what such a one left undone is cleared away."""
    held = os.open(into, os.O_RDONLY | os.O_CLOEXEC)
    try:
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise LogError(f"Another copy is being written to {into}; wait for its end.", "copy_busy") from None
        for left in into.glob(f"{_UNDONE}*"):
            shutil.rmtree(left, ignore_errors=True)
        yield
    finally:
        os.close(held)


def _free_name(into: Path) -> Path:
    """What the copy will be called: by the second, so a second one waits for the next."""
    while (path := into / datetime.datetime.now().strftime("companion-%Y-%m-%d-%H%M%S")).exists():
        time.sleep(0.1)
    return path


def _enough_room(folder: Path, databases: Sequence[Path], into: Path) -> None:
    beside = [path for pattern in BESIDE for path in folder.glob(pattern)]
    journals = [path.with_name(f"{path.name}-wal") for path in databases]
    sizes = [path.stat().st_size for path in (*databases, *journals, *beside) if path.exists()]
    need, free = 2 * sum(sizes) + (1 << 20), shutil.disk_usage(into).free  # everything twice: as tables, and as lines
    if free < need:
        raise LogError(
            f"The copy needs {_mb(need)} MB, and {into} has room for {_mb(free)} MB; take something away there.",
            "copy_room",
        )


def _mb(count: int) -> str:
    return f"{count / 1e6:.1f}"


def _written(folder: Path, databases: Sequence[Path], into: Path, unsaved: Sequence[Write]) -> Copy:
    into.mkdir()
    problems: list[str] = []
    for path in databases:
        with (
            contextlib.closing(connected(path, write=False)) as source,
            contextlib.closing(sqlite3.connect(into / path.name, isolation_level=None)) as target,
        ):
            source.backup(target)
            target.execute("PRAGMA journal_mode=DELETE")  # one file, on any file system
            told = str(target.execute("PRAGMA integrity_check(1)").fetchone()[0])
        if told != "ok":
            problems.append(f"{path} is damaged ({told}); go on from a copy of it.")
    for pattern in BESIDE:
        for path in filter(Path.is_file, folder.glob(pattern)):
            shutil.copyfile(path, into / path.name)
    if unsaved:
        _save(into / DATABASE, unsaved)
    counted = lines = 0
    if kept(into) and not problems:
        counted, lines, problems = _lines(into)
    files = [path for path in into.rglob("*") if path.is_file()]
    folders = {path.parent for path in files} | {into}
    for path in (*files, *folders):
        synced(path)
    return Copy(into, counted, lines, sum(path.stat().st_size for path in files), tuple(problems))


def _save(path: Path, unsaved: Sequence[Write]) -> None:
    """Writes entries into the copy that the database had not taken, but for those that it has taken since."""
    db = database(path, write=True)
    try:
        db.execute("BEGIN IMMEDIATE")
        log_id = unsaved[0].entry.log_id
        last = db.execute("SELECT coalesce(max(seq), 0) FROM entry WHERE log_id = ?", [log_id]).fetchone()[0]
        for write in (write for write in unsaved if write.entry.seq > last):
            put(db.execute, write)
        db.execute("COMMIT")
        db.execute("PRAGMA journal_mode=DELETE")
    finally:
        db.close()


def _lines(copy: Path) -> tuple[int, int, list[str]]:
    """Writes every race of the copy as lines, its chain checked: how many races and entries, and what is wrong."""
    (copy / LINES).mkdir(exist_ok=True)
    counted, problems = 0, []
    with reading(copy) as db:
        listed = races(db)
        for race in listed:
            with (copy / LINES / f"{race.log_id}.jsonl").open("w", encoding="utf-8") as out:
                try:
                    for entry in chained(entries(db, race.log_id), race.head):
                        out.write(as_line(entry))
                        counted += 1
                except LogError as wrong:
                    problems.append(f"{race.name}: {wrong}")
    return len(listed), counted, problems


def copies(into: Path) -> list[Path]:
    """The copies in a folder, the oldest first."""
    return sorted(path for path in into.iterdir() if NAME.fullmatch(path.name) and path.is_dir())


def _drop(into: Path, keep: int, made: Path) -> None:
    """Drops the oldest copies; never the one just made, whatever year the clock of a Pi says it is."""
    others = [path for path in copies(into) if path != made]
    for old in others[: max(len(others) - keep + 1, 0)]:
        shutil.rmtree(old, ignore_errors=True)
