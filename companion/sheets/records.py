"""The records of tournaments, seasons, sessions of trials and race control, kept in the database of races as logs like
theirs: the same chain, the same guards, one writer at a time.

The kind of an entry is the tag of its act, its body the act as canonical JSON; its `n` is how many acts were in force
before it, its state and rulings are empty, because everything follows from the acts.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar, Union, cast

import msgspec

from companion.rules.conversation.errors import BadEntry, CompanionError, LogError
from companion.rules.conversation.typed import json_reader
from companion.sheets.chain import chained
from companion.sheets.mark import marked, whole
from companion.sheets.reading import RACE, Listed, called, entries, kept_logs, reading, sought
from companion.tournament.record import BESIDE, Act, Record, Signed, acts_of

if TYPE_CHECKING:
    from companion.sheets.entry import Entry

R = TypeVar("R", bound=Record)


class Kept(NamedTuple):
    """A record as it was read from the database: its place in the list, itself, the hash of its last entry in
    hexadecimal, and how many entries there are by now."""

    listed: Listed
    record: Record
    digest: str
    entries: int


def kinds() -> Mapping[str, type[Record]]:
    """Every kind of record by the tag that it begins with; the list is closed."""
    from companion.tournament.control import Control  # only when a record is opened
    from companion.tournament.season import Season
    from companion.tournament.tournament import Tournament
    from companion.tournament.trials import Trials

    return {kind.KIND: kind for kind in (Trials, Tournament, Season, Control)}


def records(db: sqlite3.Connection, kind: str = "") -> list[Listed]:
    """Every record (of a kind), the one last written first."""
    return [log for log in kept_logs(db) if log.kind != RACE and kind in ("", log.kind)]


def among(kind: str = "") -> Callable[[sqlite3.Connection, str], Listed]:
    """What finds a record (of a kind) by its name or id, or the "last" one; raises LogError if it is not clear."""

    def find(db: sqlite3.Connection, word: str) -> Listed:
        listed = records(db, kind)
        if (one := called(listed, word)) is not None:
            return one
        what = _WHAT.get(kind, "record")
        near = ", ".join(f"{one.short} ({one.name})" for one in listed[:3])
        if near:
            raise LogError(f"There is no {what} {word}; the last ones are {near}.", "no_record")
        raise LogError(f"There is no {what} {word}; there is none yet.", "no_record")

    return find


_readers: Final[dict[type[Record], Callable[[str | bytes], Act]]] = {}
_WHAT: Final = {
    "tournament": "tournament",
    "season": "season",
    "trials": "session of trials",
    "control": "day of race control",
}


def act_of(entry: Entry, kind: type[Record]) -> Signed:
    """The act of an entry; raises LogError if it holds none of that kind of record."""
    try:
        act = _read(kind, entry.body)
    except msgspec.MsgspecError as wrong:
        raise LogError(f"Entry {entry.seq} of the log cannot be read: {wrong}.") from None
    if act.__struct_config__.tag != entry.kind:
        raise LogError(f"Entry {entry.seq} of the log is a {entry.kind}; there is no such kind.")
    return Signed(entry.seq, entry.actor, entry.at_wall, act)


def read_act(kind: type[Record], said: str | bytes) -> Act:
    """An act of that kind of record from JSON, as the log keeps it; raises BadEntry."""
    try:
        return _read(kind, said)
    except msgspec.MsgspecError as wrong:
        known = ", ".join(act for act in acts_of(kind) if act not in ("undo", kind.KIND))
        raise BadEntry(f"This is no act ({wrong}); the acts are {known}.") from None


def must_read(kind: type[Record], signed: Signed) -> None:
    """Raises BadEntry for an act that nobody could read again once it is written."""
    try:
        signed.by.encode()
        said = msgspec.json.encode(signed.act)
    except UnicodeEncodeError:
        raise BadEntry("The line holds half a character (a lone surrogate).") from None
    read_act(kind, said)


def _read(kind: type[Record], said: str | bytes) -> Act:
    if kind not in _readers:
        _readers[kind] = json_reader(cast("type[Act]", Union[(*kind.ACTS, *BESIDE)]))
    return _readers[kind](said)


def record_of(log: Iterable[Entry], kind: type[R]) -> R:
    """The record that a log tells; raises LogError if an entry makes no sense after those before it."""
    record = kind()
    for entry in log:
        try:
            record.take(act_of(entry, kind))
        except LogError:
            raise
        except CompanionError as wrong:
            raise LogError(f"Entry {entry.seq} of the log makes no sense after those before it: {wrong}") from None
    return record


def kept_record(folder: Path, word: str, kind: str = "", *, after: int = 0) -> Kept:
    """A record for reading, its chain checked, as it was `after` so many entries (0: all); raises LogError if there is
    none of that name or id."""
    with reading(folder) as db:
        listed = sought(folder, db, word, among(kind))
        mark = marked(folder, listed.log_id)  # before the log: it may be going on
        log = list(chained(entries(db, listed.log_id), listed.head))
    whole(listed.name, log, mark)
    then = log[:after] if after else log
    return Kept(listed, record_of(then, kind_of(listed)), then[-1].hash.hex(), len(log))


def last_record(folder: Path, kind: type[R]) -> R:
    """The record of a kind that was last written, for reading; raises LogError if there is none."""
    record = kept_record(folder, "last", kind.KIND).record
    assert isinstance(record, kind)
    return record


def kind_of(listed: Listed) -> type[Record]:
    """The class of a record; raises LogError for a kind that this program does not know."""
    try:
        return kinds()[listed.kind]
    except KeyError:
        raise LogError(f"{listed.name} is a {listed.kind}; this program knows no such record.") from None
