"""What anybody may read of the log beside the program that writes it: its races and their entries."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from companion.rules.conversation.errors import LogError
from companion.sheets.chain import chained, fits
from companion.sheets.database import UNREADABLE, damaged, database
from companion.sheets.entry import Beginning, Entry
from companion.sheets.mark import noted, there, whole
from companion.sheets.place import DATABASE

RACE: Final = "setup"
"""The kind of entry that the log of a race begins with."""
RECORDS: Final = ("tournament", "season", "trials", "control")
"""The kinds that records (`companion.sheets.records`) begin with."""


class Listed(NamedTuple):
    """A race as the list of races shows it. `short` is enough to name it by; `last` is when it was last written;
    `kind` is what its log begins with."""

    log_id: str
    short: str
    name: str
    begun: str
    last: str
    rulebook: str
    version: str
    track: str
    cars: int
    laps: int
    round: int
    over: bool
    head: int
    kind: str = RACE


@contextlib.contextmanager
def reading(folder: Path, *, check: bool = True) -> Iterator[sqlite3.Connection]:
    """The database for reading, all of it checked first unless `check` is False; raises LogError if there is none,
    and says so if it is gone."""
    path = folder / DATABASE
    none = LogError(f"There are no races in {folder} yet; companion race begins one.", "no_races")
    if not there(folder):
        raise none
    db = database(path, write=False, check=check)
    try:
        if not db.execute("PRAGMA user_version").fetchone()[0]:
            raise none  # the power went as it was being made
        yield db
    except UNREADABLE as wrong:
        raise damaged(path, wrong) from wrong
    finally:
        db.close()


class About(NamedTuple):
    """What the list of races keeps of one, as its first entry has it."""

    log_id: str
    name: str
    begun: str
    rulebook: str
    version: str
    track: str
    cars: int
    laps: int


def about(first: Entry) -> About:
    """What is said of a race by its first entry, and of a record its name; raises LogError if that says nothing."""
    if first.kind in RECORDS:
        return About(first.log_id, _named(first), first.at_wall, "", "", "", 0, 0)
    beginning = first.read()
    if not isinstance(beginning, Beginning):
        raise LogError("The log does not begin with a setup.")
    cars, laps = beginning.setup.get("cars"), beginning.setup.get("laps")
    return About(
        first.log_id, beginning.name, first.at_wall, beginning.rulebook, beginning.version, beginning.track_key,
        len(cars) if isinstance(cars, list) else 0, laps if isinstance(laps, int) else 0,
    )  # fmt: skip


def _named(first: Entry) -> str:
    """What a record is called, by its first entry."""
    try:
        said = msgspec.json.decode(first.body)
    except msgspec.MsgspecError:
        said = None
    if not isinstance(said, dict) or said.get("act") != first.kind or not isinstance(said.get("name"), str):
        raise LogError("The log does not begin with a setup.")
    return str(said["name"])


_KINDS: Final = (str,) * 6 + (int,) * 5
"""What the columns of the list of races hold, unless a row is damaged."""


def races(db: sqlite3.Connection) -> list[Listed]:
    """Every race, the one last written first."""
    return [log for log in kept_logs(db) if log.kind == RACE]


def kept_logs(db: sqlite3.Connection) -> list[Listed]:
    """Every race and record, the one last written first. What its first entry says of it is shown if that is as it was
    written, what the list keeps else."""
    kept_of = {row[0]: row for row in db.execute("SELECT * FROM race") if tuple(map(type, row)) == _KINDS}
    firsts = {row[0]: Entry(*row) for row in db.execute("SELECT * FROM entry WHERE seq = 1")}
    lasts = db.execute("SELECT log_id, at_wall, max(rowid) AS latest FROM entry GROUP BY log_id ORDER BY latest DESC")
    found = []
    for log_id, written, _ in lasts:
        if not isinstance(log_id, str):
            continue  # an entry whose damage is told by verify
        last = written if isinstance(written, str) else ""
        row, first = kept_of.get(log_id), firsts.get(log_id)
        of = About(*row[:8]) if row is not None else About(log_id, log_id[:8], last, "", "", "", 0, 0)
        if first is not None and fits(first):
            with contextlib.suppress(LogError):
                of = about(first)
        kind = first.kind if first is not None and first.kind in RECORDS else RACE
        found.append((of, last, *(row[8:] if row is not None else (0, 0, 0)), kind))
    ids = [of.log_id for of, *_ in found]
    length = 4
    while length < 32 and len({one[:length] for one in ids}) < len(ids):
        length += 1
    return [
        Listed(
            of.log_id, of.log_id[:length], of.name, of.begun, last, of.rulebook, of.version, of.track, of.cars,
            of.laps, round_, bool(over), end, kind,
        )
        for of, last, round_, over, end, kind in found
    ]  # fmt: skip


def find(db: sqlite3.Connection, word: str) -> Listed:
    """The race of that name or id (its beginning will do), or the "last" one; raises LogError if it is not clear."""
    listed = races(db)
    if (one := called(listed, word)) is not None:
        return one
    near = ", ".join(f"{race.short} ({race.name})" for race in listed[:3])
    raise LogError(
        f"There is no race {word}; " + (f"the last ones are {near}." if near else "there are no races yet."), "no_race"
    )


def called(listed: list[Listed], word: str) -> Listed | None:
    """The one of these with that name or id (its beginning will do), or the "last" one; None if there is none. Raises
    LogError if it is not clear which."""
    if word == "last" and listed:
        return listed[0]
    for matches in (
        [log for log in listed if log.log_id == word],
        [log for log in listed if log.name.casefold() == word.casefold()],
        [log for log in listed if len(word) >= 2 and log.log_id.startswith(word.casefold())],
    ):
        if len(matches) == 1:
            return matches[0]
        if matches:
            ids = ", ".join(log.short for log in matches[:6])
            raise LogError(f"{len(matches)} races are called {word}; name one by its id: {ids}.", "which", word=word)
    return None


def entries(db: sqlite3.Connection, log_id: str, first: int = 1) -> Iterator[Entry]:
    """The entries of one log in their order, from the `first` on, as they are: not checked."""
    for row in db.execute("SELECT * FROM entry WHERE log_id = ? AND seq >= ? ORDER BY seq", (log_id, first)):
        yield Entry(*row)


def head(db: sqlite3.Connection, log_id: str) -> int | None:
    """The number of a log's last entry when a round last began or its writer last ended."""
    row = db.execute("SELECT head FROM race WHERE log_id = ?", [log_id]).fetchone()
    return None if row is None else int(row[0])


def snapshots(db: sqlite3.Connection, log_id: str) -> list[tuple[int, bytes]]:
    """The states kept for resuming: how many answers came before, and the state at the beginning of that step."""
    return db.execute("SELECT n, body FROM snapshot WHERE log_id = ? ORDER BY n", [log_id]).fetchall()


def unharmed(folder: Path, db: sqlite3.Connection) -> None:
    """Raises LogError if a race in the database has not all that was confirmed of it. To be asked before anything is
    written: SQLite drops what follows the damage in a journal, and a salvage finds it there."""
    marks = noted(folder)  # before the database: a race may be going on
    listed = {race.log_id: race for race in kept_logs(db)} if marks else {}
    for log_id, mark in marks.items():
        if log_id in listed:
            whole(listed[log_id].name, list(chained(entries(db, log_id), listed[log_id].head)), mark)


def sought(
    folder: Path, db: sqlite3.Connection, word: str, among: Callable[[sqlite3.Connection, str], Listed] = find
) -> Listed:
    """The race of that name or id, or the last one; raises LogError if there is none, or none any longer. `among`
    finds it, or a record."""
    before = noted(folder)  # a race may be begun while this looks
    kept = {race.log_id for race in kept_logs(db)}
    for log_id, mark in before.items():
        if log_id in kept:
            continue
        if word in ("last", log_id) or word.casefold() == mark.name.casefold():
            raise LogError(
                f"The race {mark.name} was confirmed up to entry {mark.seq} and is no longer in {folder / DATABASE}; "
                "companion salvage brings back what is sound.",
                "race_gone",
                race=mark.name,
                last=mark.seq,
            )
    return among(db, word)
