"""Statistics of the dice in all stored races, die by die.

A race that is over keeps its rolls in the database as well, so that nobody reads hundreds of logs to judge a die. They
say by the hash of its last entry which log they were taken from, and are taken again whenever that is another one.
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from companion.rules.conversation.errors import LogError
from companion.rules.conversation.faces import die_of
from companion.rules.conversation.typed import json_reader
from companion.sheets import whole_check
from companion.sheets.acts import drawn_by_program
from companion.sheets.database import UNREADABLE, database
from companion.sheets.entry import Entry
from companion.sheets.history import History
from companion.sheets.place import DATABASE, Gate
from companion.sheets.reading import entries, race_ids, reading

_TABLE: Final = (
    "CREATE TABLE IF NOT EXISTS dice (log_id TEXT PRIMARY KEY, hash BLOB NOT NULL, rolls TEXT NOT NULL) STRICT"
)
_KEEP: Final = "INSERT OR REPLACE INTO dice VALUES (?, ?, ?)"
_LAST: Final = "SELECT hash FROM entry WHERE log_id = ? ORDER BY seq DESC LIMIT 1"
_OVER: Final = "SELECT log_id FROM race WHERE over = 1"


class DieFaces(NamedTuple):
    """Every face that was rolled, by die, and how many rolls were left out because of bands."""

    faces: dict[str, list[int]]
    banded: int


class Rolls(msgspec.Struct, frozen=True):
    """The rolls of one race by who gave them; "" has all that were rolled at the table."""

    by: dict[str, DieFaces]


_read: Final = json_reader(Rolls)


def rolled(folder: Path, by: str = "") -> DieFaces:
    """Return the faces that the dice showed in the races of a folder.

    They are only those that `by` gave, such as "roller", else all that were rolled at the table, not those that the
    program drew. Faces set by the referee's word are no rolls. Raises LogError.
    """
    faces: dict[str, list[int]] = {}
    banded = 0
    with reading(folder) as db:
        rolls, taken = _rolls(db)
    for race in rolls:
        found = race.by.get(by, DieFaces({}, 0))
        banded += found.banded
        for die, shown in found.faces.items():
            faces.setdefault(die, []).extend(shown)
    if taken and whole_check.is_written_here(folder / DATABASE):
        with contextlib.suppress(OSError, LogError, *UNREADABLE):
            _keep_all(folder, taken)
    return DieFaces(faces, banded)


def keep(db: sqlite3.Connection, log: Iterable[Entry]) -> None:
    """Keep the rolls of a race that is over, in a transaction of the caller's. Raise LogError, sqlite3.Error."""
    last = (log := list(log))[-1]
    db.execute(_TABLE)
    db.execute(_KEEP, (last.log_id, last.hash, _encode(rolls_of(History.of(log)))))


def rolls_of(history: History) -> Rolls:
    """Return the rolls of a race.

    A kind of test of which one roll was told as a band is left out whole: where 2 to 20 is a band, only the ones would
    be counted, and no die would be fair.
    """
    rolls = []
    for item in history.items:
        key, face = item.event.key, item.event.answer
        if key is None or item.event.forced or isinstance(face, str):  # the sky of a practice that was told is no roll
            continue
        ask, _, _, what = key
        if die := die_of(ask, what):
            rolls.append((item.by, die, (ask, what), face))
    found = {}
    for by in ("", *dict.fromkeys(by for by, *_ in rolls)):
        mine = [roll for roll in rolls if (roll[0] == by if by else not drawn_by_program(roll[0]))]
        banded = {test for _, _, test, face in mine if isinstance(face, list)}
        faces: dict[str, list[int]] = {}
        for _, die, test, face in mine:
            if test not in banded and isinstance(face, int):
                faces.setdefault(die, []).append(face)
        found[by] = DieFaces(faces, len(mine) - sum(map(len, faces.values())))
    return Rolls(found)


def _rolls(db: sqlite3.Connection) -> tuple[list[Rolls], list[tuple[str, bytes, str]]]:
    """Return the rolls of every race of the list, and new rows for those that are over.

    The new rows were read from their logs just now.
    """
    found, taken = [], []
    kept = _stored_rolls(db)
    over = {log_id for (log_id,) in db.execute(_OVER)}
    for log_id in race_ids(db):
        (hash_,) = db.execute(_LAST, (log_id,)).fetchone()
        was, rolls = kept.get(log_id, (b"", ""))
        if was == hash_:
            with contextlib.suppress(msgspec.MsgspecError):
                found.append(_read(rolls))
                continue
        found.append(rolls_of(History.of(entries(db, log_id))))
        if log_id in over:
            taken.append((log_id, hash_, _encode(found[-1])))
    return found, taken


def _stored_rolls(db: sqlite3.Connection) -> Mapping[str, tuple[bytes, str]]:
    """Return the rolls that are kept, with the hash of the last entry of their log, by its id."""
    try:
        return {log_id: (hash_, rolls) for log_id, hash_, rolls in db.execute("SELECT * FROM dice")}
    except sqlite3.OperationalError:  # no race has ended here yet, or an older program wrote them all
        return {}


def _keep_all(folder: Path, taken: Iterable[tuple[str, bytes, str]]) -> None:
    path = folder / DATABASE
    with (
        contextlib.closing(Gate(folder)) as gate,
        whole_check.DatabaseWriter(path),
        gate.passed(),
        contextlib.closing(database(path, write=True, check=False)) as db,
    ):
        db.execute("BEGIN IMMEDIATE")
        db.execute(_TABLE)
        db.executemany(_KEEP, taken)
        db.execute("COMMIT")


def _encode(rolls: Rolls) -> str:
    return str(msgspec.json.encode(rolls), "utf-8")
