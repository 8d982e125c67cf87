"""Read the log beside the program that writes it: its races and their entries."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Callable, Collection, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from companion.rules.conversation.asking import Json
from companion.rules.conversation.errors import LogError
from companion.rules.conversation.text import folded
from companion.rules.conversation.typed import json_reader
from companion.sheets import whole_check
from companion.sheets.chain import canonical, chained, fits
from companion.sheets.database import UNREADABLE, damaged, database
from companion.sheets.entry import REMARKS, Beginning, Entry, Overridden, Spoken
from companion.sheets.high_water import read_marks, there, whole
from companion.sheets.place import DATABASE
from companion.sheets.wall_clock import moment

RACE: Final = "setup"
"""Kind of entry that the log of a race begins with."""
RECORDS: Final = ("tournament", "season", "trials", "control")
"""Kinds of entries that records (`companion.sheets.records`) begin with."""


class StoredRace(NamedTuple):
    """A race as the list of races shows it.

    `short` is enough to name it by; `last` is when it was last played; `kind` is the kind of its first entry;
    `drivers` are all the names that its cars have had; a `deleted` one is not in the list until it is restored.
    """

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
    deleted: bool = False
    drivers: tuple[str, ...] = ()

    def matches(self, words: str, track: str = "", driver: str = "") -> bool:
        """Return True if the race has every one of these words somewhere, and the track and the driver are its own.

        Capitals and accents make no difference, and a part of a name will do.
        """
        of_all = " ".join(map(_plain, (self.name, self.log_id, self.rulebook, self.track, *self.drivers)))
        return (
            all(word in of_all for word in _plain(words).split())
            and _plain(track) in _plain(self.track)
            and any(_plain(driver) in _plain(one) for one in self.drivers or ("",))
        )


def _plain(text: str) -> str:
    """Return a text to compare by: small letters without accents, blanks for hyphens."""
    return folded(text).replace("-", " ").strip()


@contextlib.contextmanager
def reading(folder: Path, *, whole: bool = False) -> Iterator[sqlite3.Connection]:
    """Open the database for reading.

    All of it is checked first if its last writer did not end well, or if the `whole` is wanted. Raises LogError
    if it does not exist, in other words if it has gone.
    """
    path = folder / DATABASE
    none = LogError("no_races", folder=folder)
    if not there(folder):
        raise none
    check = whole or whole_check.is_due(path)
    db = database(path, write=False, check=check)
    if check:
        whole_check.passed(path)
    try:
        if not db.execute("PRAGMA user_version").fetchone()[0]:
            raise none  # the power went as it was being made
        yield db
    except UNREADABLE as wrong:
        raise damaged(path) from wrong
    finally:
        db.close()


class RaceFacts(NamedTuple):
    """The facts of a race in the list of races, from its first entry."""

    log_id: str
    name: str
    begun: str
    rulebook: str
    version: str
    track: str
    cars: int
    laps: int


def about(first: Entry) -> RaceFacts:
    """Return the facts of a race from its first entry, or the name of a record; raise LogError if it has none."""
    if first.kind in RECORDS:
        return RaceFacts(first.log_id, _named(first), first.at_wall, "", "", "", 0, 0)
    beginning = first.read()
    if not isinstance(beginning, Beginning):
        raise LogError("no_beginning")
    cars, laps = beginning.setup.get("cars"), beginning.setup.get("laps")
    return RaceFacts(
        first.log_id, beginning.name, first.at_wall, beginning.rulebook, beginning.version, beginning.track_key,
        len(cars) if isinstance(cars, list) else 0, laps if isinstance(laps, int) else 0,
    )  # fmt: skip


def _drivers(first: Entry) -> tuple[str, ...]:
    """Return the names on the cars of a race, from its first entry; none for a record."""
    beginning = first.read() if first.kind == RACE else None
    cars = beginning.setup.get("cars") if isinstance(beginning, Beginning) else None
    return tuple(str(car["driver"]) for car in cars or () if isinstance(car, dict) and car.get("driver"))


def _drivers_renamed(word: Entry) -> tuple[str, ...]:
    """Return the names that an override gives to drivers."""
    body = word.read()
    change = body.change if isinstance(body, Overridden) else {}
    cars = change.get("cars")
    named = (one["driver"] for one in (change, *(cars if isinstance(cars, list) else ())) if "driver" in one)
    return tuple(map(str, named))


def _laps(first: Entry) -> int:
    """Return the laps of a race from its first entry, also where its setup does not say them; 0 for a record."""
    from companion.sheets.replay import laps_of

    beginning = first.read() if first.kind == RACE else None
    return laps_of(beginning) if isinstance(beginning, Beginning) else 0


def _named(first: Entry) -> str:
    """Return the name of a record from its first entry."""
    try:
        said = _read_named(first.body)
    except msgspec.MsgspecError:
        said = None
    if said is None or said.act != first.kind:
        raise LogError("no_beginning")
    return said.name


class _Named(msgspec.Struct):
    act: str
    name: str


_read_named: Final = json_reader(_Named)
_KINDS: Final = (str,) * 6 + (int,) * 5
"""Types of the columns of the list of races; a row with others is damaged."""


def races(
    db: sqlite3.Connection,
    *,
    deleted: bool = False,
    most: int | None = None,
    matching: Callable[[StoredRace], bool] = lambda _: True,
) -> list[StoredRace]:
    """Return the races of the list, the last played first, or those that were deleted, the last deleted first.

    There are no more than `most`.
    """
    gone = deleted_ids(db)
    found = logs(db, (RACE,), lambda log_id: log_id not in gone)
    if deleted:
        found = filter(lambda race: race.kind == RACE, filter(None, (listed(db, log_id) for log_id in gone)))
    return list(islice(filter(matching, found), most))


def last_setup(folder: Path) -> Mapping[str, Json]:
    """Return the setup of the race last played in a folder; empty if none can be read."""
    with contextlib.suppress(LogError), reading(folder) as db:
        for race in races(db, most=1):
            beginning = next(entries(db, race.log_id)).read()
            if isinstance(beginning, Beginning):
                return beginning.setup
    return {}


def count_races(db: sqlite3.Connection, *, deleted: bool = False) -> int:
    """Return how many races are in the list, or were deleted."""
    gone = len(deleted_ids(db).keys() - _records(db).keys())
    return gone if deleted else int(db.execute(_COUNT, (RACE,)).fetchone()[0]) - gone


def race_ids(db: sqlite3.Connection) -> list[str]:
    """Return the ids of the races of the list, the last played first."""
    others = deleted_ids(db).keys() | _records(db).keys()
    return [log_id for log_id in log_ids(db) if log_id not in others]


def logs(
    db: sqlite3.Connection, kinds: Collection[str] = (RACE, *RECORDS), wanted: Callable[[str], bool] = bool
) -> Iterator[StoredRace]:
    """Yield the races and records of these kinds, the last played first.

    By their ids they are those that are `wanted`; each is read only when it is asked for.
    """
    of_record = _records(db)
    for log_id in _ordered(db) if RACE in kinds else of_record:
        if of_record.get(log_id, RACE) in kinds and wanted(log_id) and (log := listed(db, log_id)) is not None:
            yield log


def log_ids(db: sqlite3.Connection) -> list[str]:
    """Return the ids of all races and records, the last played first."""
    return [log_id for log_id, _ in db.execute(_ORDERED) if isinstance(log_id, str)]


_PLAYED: Final = f"kind NOT IN {tuple(sorted(REMARKS))}"
"""SQL condition for entries that make a race the last one played: a note or a new name does not."""
_LATEST: Final = f"(SELECT rowid FROM entry WHERE log_id = id AND {_PLAYED} ORDER BY seq DESC LIMIT 1) AS latest"
_ORDERED: Final = f"""
WITH RECURSIVE log(id) AS (
  SELECT min(log_id) FROM entry
  UNION ALL SELECT (SELECT min(log_id) FROM entry WHERE log_id > id) FROM log WHERE id IS NOT NULL
)
SELECT id, {_LATEST} FROM log WHERE id IS NOT NULL ORDER BY latest DESC
"""
"""SQL for every log, the last played first: from id to id in the index, past all the entries between."""
_RECORDS: Final = f"""
SELECT id, kind, {_LATEST} FROM (SELECT log_id AS id, kind FROM entry WHERE seq = 1 AND kind IN {RECORDS})
ORDER BY latest DESC
"""
_FIRSTS: Final = "SELECT * FROM entry WHERE seq = 1 AND instr(body, ?) ORDER BY rowid"
_COUNT: Final = "SELECT count(*) FROM entry WHERE seq = 1 AND kind = ?"
_DELETED: Final = "SELECT log_id, seq FROM entry WHERE kind = 'delete' ORDER BY +rowid DESC"
"""SQL for deleted races. The plus makes SQLite use their index instead of the whole table in the order of its rows."""
_RENAMED: Final = "SELECT log_id FROM entry WHERE kind = 'rename'"
_RENAMES: Final = "SELECT * FROM entry WHERE kind = 'rename' AND log_id = ? ORDER BY seq DESC LIMIT 1"
_DRIVERS_RENAMED: Final = """
SELECT * FROM entry WHERE kind = 'override' AND log_id = ? AND instr(body, '"driver"') ORDER BY seq
"""
_LAST: Final = "SELECT seq, kind FROM entry WHERE log_id = ? ORDER BY seq DESC LIMIT 1"
_LAST_PLAYED: Final = f"SELECT at_wall FROM entry WHERE log_id = ? AND {_PLAYED} ORDER BY seq DESC LIMIT 1"


def _records(db: sqlite3.Connection) -> dict[str, str]:
    """Return the kind of each record by its id, the last used first."""
    return {log_id: kind for log_id, kind, _ in db.execute(_RECORDS) if isinstance(log_id, str)}


def _ordered(db: sqlite3.Connection) -> Iterator[str]:
    """Yield the id of each log, the last played first; that one is found without the others."""
    newest = db.execute(f"SELECT log_id FROM entry WHERE {_PLAYED} ORDER BY rowid DESC LIMIT 1").fetchone()
    if newest is not None and isinstance(newest[0], str):
        yield newest[0]
        yield from (log_id for log_id in log_ids(db) if log_id != newest[0])
    else:
        yield from log_ids(db)


def deleted_ids(db: sqlite3.Connection) -> dict[str, None]:
    """Return the ids of the logs whose last entry deletes them, the last deleted first."""
    found = db.execute(_DELETED).fetchall()
    return {log_id: None for log_id, seq in found if (seq,) == db.execute(_LAST, (log_id,)).fetchone()[:1]}


def listed(db: sqlite3.Connection, log_id: str) -> StoredRace | None:
    """Return the log of that id, or None.

    Its facts are those of its first entry if that is as it was written, and else those of the list of races.
    """
    last = db.execute(_LAST, (log_id,)).fetchone()
    if last is None:
        return None
    played = db.execute(_LAST_PLAYED, (log_id,)).fetchone()
    at = played[0] if played is not None and isinstance(played[0], str) else ""
    row = db.execute("SELECT * FROM race WHERE log_id = ?", (log_id,)).fetchone()
    if row is None or tuple(map(type, row)) != _KINDS:
        row = (log_id, log_id[:8], at, "", "", "", 0, 0, 0, 0, 0)
    of, kind, drivers = RaceFacts(*row[:8]), RACE, tuple[str, ...]()
    first = next(entries(db, log_id))
    if first.seq == 1:
        kind = first.kind if first.kind in RECORDS else RACE
        if fits(first):
            with contextlib.suppress(LogError):
                of, drivers = about(first)._replace(laps=_laps(first)), _drivers(first)
    for word in db.execute(_DRIVERS_RENAMED, (log_id,)):
        with contextlib.suppress(LogError, TypeError):
            drivers += _drivers_renamed(Entry(*word))
    for renamed in db.execute(_RENAMES, (log_id,)):
        with contextlib.suppress(LogError):
            body = Entry(*renamed).read()
            of = of._replace(name=body.text) if isinstance(body, Spoken) else of
    return StoredRace(
        log_id, _short(db, log_id), of.name, of.begun, at, of.rulebook, of.version, of.track, of.cars, of.laps,
        row[8], bool(row[9]), row[10], kind, last[1] == "delete", drivers,
    )  # fmt: skip


def _short(db: sqlite3.Connection, log_id: str) -> str:
    """Return as much of an id as tells it from all others."""
    beside = "SELECT max(log_id) FROM entry WHERE log_id < ?", "SELECT min(log_id) FROM entry WHERE log_id > ?"
    others = [str(db.execute(one, (log_id,)).fetchone()[0]) for one in beside]
    lengths = range(4, len(log_id) + 1)
    return next((log_id[:at] for at in lengths if not any(one.startswith(log_id[:at]) for one in others)), log_id)


def find(db: sqlite3.Connection, word: str) -> StoredRace:
    """Return the race of that name or id (its beginning will do), or the "last" one of the list.

    Raises LogError if it is not clear. A deleted race is found as well, if no other has that name.
    """
    if (one := called(db, word, (RACE,))) is not None:
        return one
    near = ", ".join(f"{race.short} ({race.name})" for race in races(db, most=3))
    if near and not word.strip():
        raise LogError("no_race.name", near=near)
    raise LogError("no_race", word=word, near=near)


def called(db: sqlite3.Connection, word: str, kinds: Collection[str], *, deleted: bool = False) -> StoredRace | None:
    """Return the log of one of these kinds with that name or id (its beginning will do), or the "last" of the list.

    None if no race matches. A deleted one counts if no other has that name; with `deleted` it comes before the others.
    Raises LogError if it is not clear which.
    """
    if word == "last":
        return next((log for log in logs(db, kinds) if not log.deleted), None)
    found = _called(db, word, kinds)
    for listed in ([log for log in found if log.deleted is deleted], found):
        for matches in (
            [log for log in listed if log.log_id == word],
            [log for log in listed if log.name.casefold() == word.casefold()],
            [log for log in listed if len(word) >= 2 and log.log_id.startswith(word.casefold())],
        ):
            if len(matches) == 1:
                return matches[0]
            if matches:
                ids = ", ".join(f"{log.short} ({moment(log.begun)})" for log in matches[:6])
                raise LogError("which", count=len(matches), word=word, ids=ids)
    return None


def is_name_taken(db: sqlite3.Connection, name: str, log_id: str) -> bool:
    """Return True if another race of the list than `log_id` has this name."""
    return any(
        log.name.casefold() == name.casefold() and log.log_id != log_id and not log.deleted
        for log in _called(db, name, (RACE,))
    )


def _called(db: sqlite3.Connection, word: str, kinds: Collection[str]) -> list[StoredRace]:
    """Return the logs of these kinds that a word may name.

    It looks among their ids, the names in the list of races, and if that knows none in their first entries.
    """
    folded = word.casefold()
    named = {log_id for log_id, name in db.execute("SELECT log_id, name FROM race") if str(name).casefold() == folded}
    named |= {log_id for (log_id,) in db.execute(_RENAMED)}
    found = list(logs(db, kinds, lambda log_id: log_id in named or log_id.startswith(folded)))
    if not found and word:
        named = {first.log_id for first in firsts_with(db, canonical(word).decode())}
        found = list(logs(db, kinds, named.__contains__))
    return found


def entries(db: sqlite3.Connection, log_id: str, first: int = 1) -> Iterator[Entry]:
    """Yield the entries of one log in their order, from the `first` on, as they are: not checked."""
    for row in db.execute("SELECT * FROM entry WHERE log_id = ? AND seq >= ? ORDER BY seq", (log_id, first)):
        yield Entry(*row)


def firsts_with(db: sqlite3.Connection, text: str) -> list[Entry]:
    """Return the first entries that have a text in them, of the log begun first first; they are not checked."""
    return [Entry(*row) for row in db.execute(_FIRSTS, (text,))]


def head(db: sqlite3.Connection, log_id: str) -> int | None:
    """Return the number of a log's last entry when a round last began or its writer last ended."""
    row = db.execute("SELECT head FROM race WHERE log_id = ?", [log_id]).fetchone()
    return row[0] if row is not None and isinstance(row[0], int) else None


def snapshots(db: sqlite3.Connection, log_id: str) -> list[tuple[int, bytes]]:
    """Return the states stored for resuming, each with the number of answers before it."""
    return db.execute("SELECT n, body FROM snapshot WHERE log_id = ? ORDER BY n", [log_id]).fetchall()


def unharmed(folder: Path, db: sqlite3.Connection) -> None:
    """Raise LogError if a race in the database lacks something that was confirmed.

    Ask this before anything is written: SQLite drops what follows the damage in a journal, and a salvage finds it
    there.
    """
    for wrong in harmed(folder, db).values():
        raise wrong


def harmed(folder: Path, db: sqlite3.Connection) -> dict[str, LogError]:
    """Return what is wrong with the races that have not all that was confirmed of them, by their ids."""
    marks, found = read_marks(folder), dict[str, LogError]()  # before the database: a race may be going on
    there = log_ids(db) if marks else []
    for log_id, mark in marks.items():
        if log_id in there:
            try:
                whole(mark.name, list(chained(entries(db, log_id), head(db, log_id))), mark)
            except LogError as wrong:
                found[log_id] = wrong
    return found


def sought(
    folder: Path, db: sqlite3.Connection, word: str, among: Callable[[sqlite3.Connection, str], StoredRace] = find
) -> StoredRace:
    """Return the race of that name or id, or the last one, or the record that `among` finds.

    Raises LogError if it never was, or is gone.
    """
    before = read_marks(folder)  # a race may be begun while this looks
    kept = log_ids(db) if before else []
    for log_id, mark in before.items():
        if log_id in kept:
            continue
        if word in ("last", log_id) or word.casefold() == mark.name.casefold():
            raise LogError("race_gone", race=mark.name, last=mark.seq, path=folder / DATABASE)
    return among(db, word)
