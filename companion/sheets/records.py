"""The records of tournaments, seasons, sessions of trials and race control, as logs in the database of races.

They have the same chain, the same guards, one writer at a time.

The kind of an entry is the tag of its act, its body the act as canonical JSON; its `n` is how many acts were in force
before it, its state and rulings are empty, because everything follows from the acts.
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar, Union, cast

import msgspec

from companion.rules.conversation.errors import BadEntry, CompanionError, LogError
from companion.rules.conversation.text import TURNING, check_text
from companion.rules.conversation.typed import json_reader
from companion.sheets.chain import chained
from companion.sheets.entry import senseless, unreadable
from companion.sheets.high_water import read_mark, whole
from companion.sheets.reading import RECORDS, StoredRace, called, entries, logs, reading, sought
from companion.tournament.record import BESIDE, Act, Record, Signed, acts_of

if TYPE_CHECKING:
    from companion.sheets.entry import Entry

R = TypeVar("R", bound=Record)


class StoredRecord(NamedTuple):
    """A record as it was read from the database.

    It has its place in the list, itself, the hash of its last entry in hexadecimal, and how many entries there are by
    now.
    """

    listed: StoredRace
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


def records(db: sqlite3.Connection, kind: str = "") -> list[StoredRace]:
    """Every record (of a kind), the last used first."""
    return list(logs(db, (kind,) if kind else RECORDS))


def among(kind: str = "") -> Callable[[sqlite3.Connection, str], StoredRace]:
    """Return a finder of records (of a kind) by name or id, or the "last" one."""

    def find(db: sqlite3.Connection, word: str) -> StoredRace:
        if (one := called(db, word, (kind,) if kind else RECORDS)) is not None:
            return one
        what = _WHAT.get(kind, "record")
        near = ", ".join(f"{one.short} ({one.name})" for one in records(db, kind)[:3])
        if near:
            raise LogError("no_record.word", what=what, word=word, near=near)
        raise none_yet(kind)

    return find


def none_yet(kind: str) -> LogError:
    """Return the error for a search of a record (of a kind) that finds nothing, with how one is begun."""
    return LogError(_NONE.get(kind, "no_record"))


@contextlib.contextmanager
def explain_missing(kind: str) -> Iterator[None]:
    """Say that there is no record (of a kind), without even a database."""
    try:
        yield
    except LogError as wrong:
        if wrong.code != "no_races":
            raise
        raise none_yet(kind) from None


_readers: Final[dict[type[Record], Callable[[str | bytes], Act]]] = {}
_WHAT: Final = {
    "tournament": "tournament",
    "season": "season",
    "trials": "session of trials",
    "control": "day of race control",
}
_NONE: Final = {
    "tournament": "no_record.tournament",
    "season": "no_record.season",
    "trials": "no_record.trials",
    "control": "no_record.control",
}


def act_of(entry: Entry, kind: type[Record]) -> Signed:
    """Return the act of an entry; raise LogError if it holds none of that kind of record."""
    try:
        act = _read(kind, entry.body_today)
    except msgspec.MsgspecError:
        raise unreadable(entry.seq) from None
    if act.__struct_config__.tag != entry.kind:
        raise unreadable(entry.seq)
    return Signed(entry.seq, entry.actor, entry.at_wall, act)


def read_act(kind: type[Record], said: str | bytes) -> Act:
    """Return an act of that kind of record from JSON, as the log stores it; raise BadEntry."""
    try:
        return _read(kind, said)
    except msgspec.MsgspecError as wrong:
        known = ", ".join(act for act in acts_of(kind) if act not in ("undo", kind.KIND))
        raise BadEntry("no_act", why=str(wrong), known=known) from None


def must_read(kind: type[Record], signed: Signed) -> None:
    """Raise BadEntry for an act that nobody could read again once it is written."""
    check_text([signed.by, msgspec.to_builtins(signed.act)], BadEntry)
    said = msgspec.json.encode(signed.act)
    if not TURNING.isdisjoint(said.decode()):
        raise BadEntry("turning")
    read_act(kind, said)


def _read(kind: type[Record], said: str | bytes) -> Act:
    if kind not in _readers:
        _readers[kind] = json_reader(cast("type[Act]", Union[(*kind.ACTS, *BESIDE)]))
    return _readers[kind](said)


def record_of(log: Iterable[Entry], kind: type[R]) -> R:
    """Return the record that a log tells; raise LogError if an entry makes no sense after those before it."""
    record = kind()
    for entry in log:
        try:
            record.take(act_of(entry, kind))
        except LogError:
            raise
        except CompanionError as wrong:
            raise senseless(entry.seq, wrong) from None
    return record


def kept_record(folder: Path, word: str, kind: str = "", *, after: int = 0) -> StoredRecord:
    """Return a record for reading, its chain checked, as it was `after` this many entries (0: all).

    Raises LogError for an unknown name or id.
    """
    with explain_missing(kind), reading(folder) as db:
        listed = sought(folder, db, word, among(kind))
        mark = read_mark(folder, listed.log_id)  # before the log: it may be going on
        log = list(chained(entries(db, listed.log_id), listed.head))
    whole(listed.name, log, mark)
    then = log[:after] if after else log
    return StoredRecord(listed, record_of(then, kind_of(listed)), then[-1].hash.hex(), len(log))


def last_record(folder: Path, kind: type[R]) -> R:
    """Return the record of a kind that was last used, for reading; raise LogError if none exists."""
    record = kept_record(folder, "last", kind.KIND).record
    assert isinstance(record, kind)
    return record


def kind_of(listed: StoredRace) -> type[Record]:
    """Return the class of a record; raise LogError for a kind that this program does not know."""
    try:
        return kinds()[listed.kind]
    except KeyError:
        raise LogError("record_kind", name=listed.name, of=listed.kind) from None
