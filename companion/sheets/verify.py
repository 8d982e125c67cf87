"""Check a log: of a race the chain always, and every ruling by refereeing it again.

Of a record it checks the chain, and that every act makes sense after those before it.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec
from msgspec.structs import replace

from companion.rules.conversation.asking import Json, Ruling
from companion.rules.conversation.conversation import Conversation
from companion.rules.conversation.errors import CompanionError, LogError
from companion.rules.position import position
from companion.sheets.chain import chained
from companion.sheets.database import UNREADABLE, damaged
from companion.sheets.entry import Entry, EntryKind
from companion.sheets.high_water import read_mark, whole
from companion.sheets.history import History
from companion.sheets.place import DATABASE
from companion.sheets.reading import RACE, RECORDS, StoredRace, about, called, entries, find, reading, snapshots, sought
from companion.sheets.records import act_of, kind_of
from companion.sheets.replay import Make

if TYPE_CHECKING:
    from companion.rules.rulebooks import Book

_LISTED_FIELDS: Final = (
    "the id", "the name", "the beginning", "the rulebook", "the version", "the circuit", "the number of cars",
    "the number of laps", "the round", "the end",
)  # fmt: skip
"""Columns of the list of races, in their order."""


class Problem(msgspec.Struct, frozen=True):
    """A problem, and the entry that has it (0: none in particular)."""

    seq: int
    what: CompanionError


class VerifyResult(msgspec.Struct):
    """The result of a check.

    `otherwise` is the first entry that this version of the rulebook rules otherwise, if it is another version than
    refereed the race; that is no problem of the log. `record` is the kind of a record, empty for a race.
    """

    name: str
    log_id: str
    entries: int = 0
    chained: int = 0
    replayed: int = 0
    record: str = ""
    was: str = ""
    now: str = ""
    otherwise: Problem | None = None
    problems: list[Problem] = []

    @property
    def sound(self) -> bool:
        """True if there is no problem."""
        return not self.problems


def verify(folder: Path, race: str, make: Make) -> VerifyResult:
    """Check a race, or a record if no race has that name or id.

    Raises LogError only if there is neither, or no readable database.
    """
    with reading(folder) as db:
        listed = sought(folder, db, race, _either)
        noted = read_mark(folder, listed.log_id)  # before the log: a race may be going on
        found = VerifyResult(listed.name, listed.log_id)
        told = str(db.execute("PRAGMA integrity_check(1)").fetchone()[0])  # the tables beside their indexes too
        if told != "ok":
            found.problems.append(Problem(0, damaged(folder / DATABASE)))
        log: list[Entry] = []
        try:
            log.extend(entries(db, listed.log_id))
        except (*UNREADABLE, TypeError):
            found.problems.append(Problem(
                len(log) + 1,
                LogError("log_ends", seq=len(log)),
            ))  # fmt: skip
        kept = snapshots(db, listed.log_id)
        shown = db.execute("SELECT * FROM race WHERE log_id = ?", [listed.log_id]).fetchone()
    found.entries = len(log)
    good: list[Entry] = []
    try:
        for entry in chained(log, listed.head):
            good.append(entry)  # what came before the break is wanted
    except LogError as wrong:
        found.problems.append(Problem(len(good) + 1, wrong))
    found.chained = len(good)
    try:
        whole(listed.name, good, noted if len(good) == len(log) else None)
    except LogError as wrong:
        found.problems.append(Problem(len(good) + 1, wrong))
    if good and len(good) == len(log) and not any(problem.seq > len(good) for problem in found.problems):
        # of a log that is cut off the list says only what the log lacks
        found.problems += [Problem(0, wrong) for wrong in list_problems(good, shown)]
    if listed.kind == RACE:
        _replay(found, good, kept, make)
    else:
        found.record = listed.kind
        _follow_record(found, good, listed)
    return found


def _either(db: sqlite3.Connection, word: str) -> StoredRace:
    """Return the race of that name or id, or else the record."""
    try:
        return find(db, word)
    except LogError as wrong:
        if wrong.code != "no_race" or (record := called(db, word, RECORDS)) is None:
            raise
        return record


def _follow_record(found: VerifyResult, log: Sequence[Entry], listed: StoredRace) -> None:
    """Repeat every act of a record."""
    kind = kind_of(listed)
    record = kind()
    for entry in log:
        try:
            record.take(act_of(entry, kind))
        except CompanionError as wrong:
            found.problems.append(Problem(entry.seq, LogError("differs", seq=entry.seq, wrong=wrong)))
            return
        found.replayed += 1


def list_problems(log: Sequence[Entry], shown: tuple[Json, ...] | None) -> list[LogError]:
    """Compare the line of a race in the list of races with its log; return what differs."""
    if shown is None:
        return [LogError("list_lost_race")]
    try:
        history = History.of(log) if log[0].kind == RACE else History()  # a record has no rounds
        ours = (*about(log[0]), history.stands[0], int(history.stands[1]))
    except LogError:  # which is told of the entry that makes no sense
        return []
    found = [
        LogError("list_differs", kept=kept, what=what, right=right)
        for what, right, kept in zip(_LISTED_FIELDS, ours, shown[:-1], strict=True)
        if right != kept
    ]
    head = shown[-1]
    if not isinstance(head, int) or head < max(
        (item.seq for item in history.items if item.position is not None), default=1
    ):
        found.append(LogError("list_behind", head=head))
    return found


def _replay(found: VerifyResult, log: Sequence[Entry], kept: Sequence[tuple[int, bytes]], make: Make) -> None:
    history = History()
    rulebook: Book | None = None
    talk: Conversation | None = None
    for entry in log:
        try:
            history.take(entry)
            if talk is None or rulebook is None:
                beginning = history.beginning
                if beginning is None:
                    raise LogError("no_beginning")
                found.was = beginning.version
                rulebook = make(beginning.setup, beginning.track)
                found.now = rulebook.VERSION
                talk = Conversation(rulebook)
                _same("differs.opening", talk.opening, list(history.opening))
                stood = position(rulebook, whole=True, over=False)
                _same_position(stood, beginning.position)
            else:
                _follow(talk, rulebook, history, entry.kind)
            _same("differs.state", talk.digest, entry.state)
        except CompanionError as wrong:
            if found.now and (was := history.other_version(found.now)):
                found.otherwise = Problem(
                    entry.seq, LogError("rules_otherwise", now=found.now, was=was, seq=entry.seq, wrong=wrong)
                )
            else:
                found.problems.append(Problem(entry.seq, LogError("differs", seq=entry.seq, wrong=wrong)))
            return
        found.replayed += 1
    if talk is not None and not found.problems:
        marks = set(talk.checkpoints)
        vouched = set(history.vouched(kept))
        for n, body in kept:
            if n in history.states and (n, body) not in vouched:
                found.problems.append(Problem(0, LogError("state_damaged", n=n)))
            elif n <= talk.n and (n, body) not in marks:
                found.problems.append(Problem(0, LogError("state_differs", n=n)))


def _follow(talk: Conversation, rulebook: Book, history: History, kind: EntryKind) -> None:
    """Bring the conversation to where the history is now, and compare what is ruled on the way."""
    items, same_version = history.items, not history.other_version(rulebook.VERSION)
    ours = talk.events
    same = 0
    if kind in ("answer", "override"):
        same = len(ours)
    else:
        while same < min(len(ours), len(items)) and ours[same] is items[same].event:
            same += 1
    if same < len(ours):
        talk.rewind(same)
    for item in items[same:]:
        before, ended = rulebook.round, talk.question is None
        rulings = talk.apply(item.event)
        talk.events[-1] = item.event
        if _compared(rulings, articles=same_version) != _compared(item.rulings, articles=same_version):
            raise LogError("differs.rulings")
        over = talk.question is None
        told = over or ended or rulebook.round != before
        stood = position(rulebook, whole=before == 0, over=over) if told else None
        _same_position(stood, item.position)


def _compared(rulings: Sequence[Ruling], *, articles: bool) -> list[Ruling]:
    """Return rulings without their `articles`, of which another version may cite others for the same.

    What else a sum is priced by was not told before 0.2.
    """
    return [
        replace(
            ruling,
            article=ruling.article if articles else "",
            facts={name: fact for name, fact in ruling.facts.items() if name != "priced_by"},
        )
        for ruling in rulings
    ]


def _same_position(ours: Json, theirs: Json) -> None:
    """Compare two positions of a race, as far as its log has a word of them."""
    _same("differs.position", _as_then(ours, theirs), _still(theirs, ours))


def _as_then(ours: Json, theirs: Json) -> Json:
    """Return a position without what only this version of the rulebook counts, where that is empty.

    So a position may come to tell more, and every log that was written before is as sound as it was.
    """
    if not isinstance(ours, dict) or not isinstance(theirs, dict):
        return ours
    return {name: _as_then(value, theirs.get(name)) for name, value in ours.items() if name in theirs or value}


def _still(theirs: Json, ours: Json) -> Json:
    """Return a position of a log without what a rulebook kept of its own (`more`) and this version does not.

    This version says that elsewhere.
    """
    if not isinstance(theirs, dict) or not isinstance(ours, dict):
        return theirs
    found = {name: _still(value, ours.get(name)) for name, value in theirs.items()}
    if isinstance(more := found.get("more"), dict):
        found["more"] = {name: value for name, value in more.items() if name in ours.get("more", {})}
    return found


def _same(kind: str, ours: object, theirs: object) -> None:
    """Raise LogError of that kind where the rulebook comes to something else than the log."""
    if msgspec.to_builtins(ours) != msgspec.to_builtins(theirs):
        raise LogError(kind)
