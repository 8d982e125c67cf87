"""Copy all races to another disk, while races go on: a copy is whole and checked, or not there at all.

A copy is a folder such as `companion-2026-11-21-193311`. In it lie every database, each race of them once more as lines
of JSON, the settings, the program's own log, who is in the hall or which one it is in, and how far each race goes.
`companion --data` opens it like any data folder, and `companion --data COPY hall serve` the hall.

The races in a copy tell which is older, never a clock: a Raspberry Pi without one wakes up in any year. No
copy is deleted that holds an entry which no other copy holds.
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
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from companion import whole_file
from companion.rules.conversation.errors import LogError
from companion.rules.conversation.typed import json_reader
from companion.sheets.chain import chained
from companion.sheets.database import UNREADABLE, connected, damaged, database, reason, refused
from companion.sheets.high_water import there
from companion.sheets.lines import as_line
from companion.sheets.log import Write, insert
from companion.sheets.place import DATABASE, database_exists
from companion.sheets.reading import entries, logs, reading
from companion.sheets.salvage import longest
from companion.sheets.sqlite_pages import recover
from companion.whole_file import synced

KEEP: Final = 10
"""Number of copies kept on a disk."""
LINES: Final = "races"
"""Folder in a copy that holds every race as lines of JSON, under its id."""
BESIDE: Final = ("*.toml", "companion.log*", "hall.json", "nats/members.json", "nats/hall.pem", "hall/hall.json")
"""Files copied with the databases: a hall's list of members, and a table's hall with its key."""
LEDGER: Final = "hall/races.db"
"""Race control's copies of the tables' logs: copied as they are, since the tables send again what is missing there."""
NAME: Final = re.compile(r"companion-\d{4}-\d\d-\d\d-\d{6}")
HEADS: Final = "heads.json"
"""File in a copy with the length of each race in it."""
_PARTIAL_PREFIX: Final = ".companion-backup-"
"""Prefix of the folder of a copy in progress."""


class Head(msgspec.Struct, frozen=True):
    """The last entry of a race: its number, and its hash in hexadecimal."""

    seq: int
    hash: str


_heads_in: Final = json_reader(dict[str, Head])
_encode: Final = msgspec.json.Encoder().encode


class Copy(NamedTuple):
    """A copy that was made: where, how many races and entries it holds, its bytes, and what is wrong with it."""

    path: Path
    races: int
    entries: int
    size: int
    problems: tuple[LogError, ...]


def backup(folder: Path, into: Path, *, keep: int = KEEP, unsaved: Sequence[Write] = ()) -> Copy:
    """Copy the races and settings of `folder` to a new folder in `into`, with the `unsaved` entries.

    `into` itself is made if need be. Of the copies in it `keep` stay, and all that hold what no other does; if
    something is wrong with the new one, all of them. Where room is short, copies whose races are in a newer one as well
    go first, and only if that makes room enough and the races are well: then nothing but the disk itself can keep the
    new one from being made. The newest stays whatever happens.

    Raises LogError if there is nothing to copy, or it cannot be written whole: it says whether anything of it stays.
    """
    databases, left = _databases(folder), ""
    if not databases and not unsaved and not there(folder):
        raise LogError("no_races", folder=folder)
    if not into.parent.is_dir():
        raise LogError("copy_nowhere", into=into.parent)
    try:
        into.mkdir(exist_ok=True)
        with _alone(into):
            _make_room(folder, databases, into)
            undone, path = into / f"{_PARTIAL_PREFIX}{os.getpid()}", _free_name(into)
            undone.mkdir()
            try:
                copy = _write_copy(folder, databases, undone, unsaved)
                undone.rename(path)
                synced(into)
            except BaseException:
                left = undone.name if not _cleared(undone) else ""
                raise
            if not copy.problems:
                _drop(into, folder, keep, path)
    except (OSError, *UNREADABLE) as wrong:
        if isinstance(wrong, UNREADABLE) and (told := refused(wrong, folder / DATABASE)).code == "damaged":
            raise told from wrong
        why = reason(wrong)
        if left:
            raise LogError("backup_left", into=into, why=why, left=left) from wrong
        raise LogError("backup", into=into, why=why) from wrong
    return copy._replace(path=path)


def _cleared(undone: Path) -> bool:
    """Delete the unfinished copy; return False if it may still be there.

    That is so if a stick was pulled out: the files come back with it.
    """
    try:
        shutil.rmtree(undone)
        synced(undone.parent)
    except OSError:
        return False
    return True


def _databases(folder: Path) -> list[Path]:
    """Every database of a folder; what lies in the place of the races' is asked to be one whatever it is."""
    races = [folder / DATABASE] if database_exists(folder) else []
    ledger = [folder / LEDGER] if (folder / LEDGER).is_file() else []
    return (
        sorted({*races, *(path for path in folder.glob("*.db") if path.name != DATABASE and path.is_file())}) + ledger
    )


@contextlib.contextmanager
def _alone(into: Path) -> Iterator[None]:
    """Inside, no other program copies to this folder; what such a one left undone is cleared away."""
    held = os.open(into, os.O_RDONLY | os.O_CLOEXEC)
    try:
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise LogError("copy_busy", into=into) from None
        for left in into.glob(f"{_PARTIAL_PREFIX}*"):
            shutil.rmtree(left, ignore_errors=True)
        yield
    finally:
        os.close(held)


def _free_name(into: Path) -> Path:
    """Return a free name for the copy: by the second, so a second one waits for the next."""
    while (path := into / datetime.datetime.now().strftime("companion-%Y-%m-%d-%H%M%S")).exists():
        time.sleep(0.1)
    return path


def _make_room(folder: Path, databases: Sequence[Path], into: Path) -> None:
    """Delete copies that a newer one makes needless, no more than it takes.

    Raises LogError, all of them still there, if that does not make room enough or the races are damaged: a good copy is
    not given for a bad one.
    """
    beside = [path for pattern in BESIDE for path in folder.glob(pattern)]
    journals = [path.with_name(f"{path.name}-wal") for path in databases]
    need = 2 * sum(_sizes(*databases, *journals, *beside)) + (1 << 20)  # everything twice: as tables, and as lines
    free = shutil.disk_usage(into).free
    if free >= need:
        return
    going = [(path, sum(_sizes(*path.rglob("*")))) for path in _needless(into, folder)]
    if free + sum(size for _, size in going) >= need and _well(folder):
        for path, _ in going:
            if shutil.disk_usage(into).free < need:
                _let_go(path)
        free = shutil.disk_usage(into).free
    if free < need:
        raise LogError("copy_room", need=_mb(need), into=into, free=_mb(free))


def _sizes(*paths: Path) -> Iterator[int]:
    return (path.stat().st_size for path in paths if path.is_file())


def _well(folder: Path) -> bool:
    """Return True if all races can be read to their ends."""
    try:
        with reading(folder, whole=True) as db:
            return all(sum(1 for _ in chained(entries(db, race.log_id), race.head)) for race in logs(db))
    except LogError:
        return False


def _mb(count: int) -> str:
    return f"{count / 1e6:.1f}"


def _write_copy(folder: Path, databases: Sequence[Path], into: Path, unsaved: Sequence[Write]) -> Copy:
    problems: list[LogError] = []
    for path in databases:
        (copied := into / path.relative_to(folder)).parent.mkdir(exist_ok=True)
        with (
            contextlib.closing(connected(path, write=False)) as source,
            contextlib.closing(sqlite3.connect(copied, isolation_level=None)) as target,
        ):
            source.backup(target)
            target.execute("PRAGMA journal_mode=DELETE")  # one file, on any file system
            told = str(target.execute("PRAGMA integrity_check(1)").fetchone()[0])
        if told != "ok":
            problems.append(damaged(path))
    for pattern in BESIDE:
        for path in filter(Path.is_file, folder.glob(pattern)):
            whole_file.write(into / path.relative_to(folder), path.read_bytes(), mode=path.stat().st_mode & 0o777)
    if unsaved:
        _save(into / DATABASE, unsaved)
    ends: dict[str, Head] = {}
    if database_exists(into) and not problems:
        ends, problems = _lines(into)
    (into / HEADS).write_bytes(_encode(ends if not problems else _sound_heads(into)))
    files = [path for path in into.rglob("*") if path.is_file()]
    folders = {path.parent for path in files} | {into}
    for path in (*files, *folders):
        synced(path)
    many = sum(end.seq for end in ends.values())
    return Copy(into, len(ends), many, sum(_sizes(*files)), tuple(problems))


def _save(path: Path, unsaved: Sequence[Write]) -> None:
    """Write the unsaved entries into the copy, except those that the database has taken since."""
    db = database(path, write=True)
    try:
        db.execute("BEGIN IMMEDIATE")
        log_id = unsaved[0].entry.log_id
        last = db.execute("SELECT coalesce(max(seq), 0) FROM entry WHERE log_id = ?", [log_id]).fetchone()[0]
        for write in (write for write in unsaved if write.entry.seq > last):
            insert(db.execute, write)
        db.execute("COMMIT")
        db.execute("PRAGMA journal_mode=DELETE")
    finally:
        db.close()


def _lines(copy: Path) -> tuple[dict[str, Head], list[LogError]]:
    """Write every race of the copy as lines, its chain checked; return how far each goes, and the problems."""
    (copy / LINES).mkdir(exist_ok=True)
    ends: dict[str, Head] = {}
    problems: list[LogError] = []
    with reading(copy) as db:
        for race in logs(db):
            ends[race.log_id] = Head(0, "")
            with (copy / LINES / f"{race.log_id}.jsonl").open("w", encoding="utf-8") as out:
                try:
                    for entry in chained(entries(db, race.log_id), race.head):
                        out.write(as_line(entry))
                        ends[race.log_id] = Head(entry.seq, entry.hash.hex())
                except LogError as wrong:
                    problems.append(LogError("log_of", name=race.name, wrong=wrong))
    return ends, problems


# -- which copy is older, and which is needed


def copies(into: Path) -> list[Path]:
    """Return the copies in a folder, the oldest first: the fewer entries, the older; of as many, by the clock."""
    there = [path for path in into.iterdir() if NAME.fullmatch(path.name) and path.is_dir()]
    return sorted(there, key=lambda path: (_entries(path), path.name))


def _entries(copy: Path) -> int:
    return sum(head.seq for head in heads(copy).values())


def heads(copy: Path) -> dict[str, Head]:
    """Return how far each race in a copy goes, as noted there; a note that is missing or damaged is written again."""
    with contextlib.suppress(ValueError):
        if (noted := whole_file.json(copy / HEADS, _heads_in)) is not None:
            return noted
    read = _heads_of(copy)
    with contextlib.suppress(OSError):
        whole_file.write(copy / HEADS, _encode(read))
    return read


def _heads_of(folder: Path) -> dict[str, Head]:
    """Return how far each race of a folder goes; for a damaged one up to its last sound entry."""
    try:
        with reading(folder) as db:
            last = "SELECT log_id, max(seq), hash FROM entry GROUP BY log_id"
            return {log_id: Head(seq, bytes(of).hex()) for log_id, seq, of in db.execute(last)}
    except (LogError, *UNREADABLE, TypeError, ValueError):
        return _sound_heads(folder)


def _sound_heads(folder: Path) -> dict[str, Head]:
    try:
        logs = longest(recover(folder / DATABASE).entries)
    except OSError:
        return {}
    return {log.log_id: Head(len(log.chain), log.chain[-1].hash.hex()) for log in logs if log.chain}


def _hold(folder: Path, mine: Mapping[str, Head], theirs: Mapping[str, Head]) -> bool:
    """Return True if the races of a folder, up to `mine`, hold every race up to `theirs`."""
    behind = {log_id: head for log_id, head in theirs.items() if mine.get(log_id) != head}
    if any(log_id not in mine or mine[log_id].seq <= head.seq for log_id, head in behind.items()):
        return False
    if not behind:
        return True
    try:
        with reading(folder) as db:
            at = "SELECT hash FROM entry WHERE log_id = ? AND seq = ?"
            return all(
                db.execute(at, (log_id, head.seq)).fetchone() == (bytes.fromhex(head.hash),)
                for log_id, head in behind.items()
            )
    except (LogError, ValueError):
        return False


def _needless(into: Path, folder: Path, made: Path | None = None) -> list[Path]:
    """Return the copies of which a newer one there holds everything, in the order in which they may go.

    First come those that are the same as a newer one, then those of other races than `folder` has, then the oldest. The
    one just `made` is none of them.
    """
    ordered = copies(into)
    if made is not None:  # last of those that are the same, whatever the clock named them
        ordered = sorted(ordered, key=lambda path: (_entries(path), path == made))
    ends = {path: heads(path) for path in ordered}
    here = _heads_of(folder)
    going = []
    for place, path in enumerate(ordered):
        newer = ordered[place + 1 :]
        if path != made and any(_hold(each, ends[each], ends[path]) for each in reversed(newer)):
            same = any(ends[each] == ends[path] for each in newer)
            going.append((not same, _hold(folder, here, ends[path]), place, path))
    return [path for *_, path in sorted(going)]


def _drop(into: Path, folder: Path, keep: int, made: Path) -> None:
    """Drop needless copies until `keep` are left, the one just made among them."""
    needless = _needless(into, folder, made)
    for old in needless[: max(len(needless) + 1 - keep, 0)]:
        _let_go(old)


def _let_go(copy: Path) -> None:
    """Delete a copy; whatever cuts that off, none is left that looks whole."""
    gone = copy.with_name(f"{_PARTIAL_PREFIX}{copy.name}")
    with contextlib.suppress(OSError):
        copy.rename(gone)
        shutil.rmtree(gone, ignore_errors=True)
