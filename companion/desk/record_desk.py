"""The desk of a record: the only writer of a tournament, a season or a session of trials."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Generic, Self, TypeVar

from companion.desk.begun import begun_anywhere
from companion.desk.stages import on_stages
from companion.rules.conversation.errors import BadEntry, LogError
from companion.sheets.entry import ActKind
from companion.sheets.log import Log, now
from companion.sheets.records import among, explain_missing, must_read, record_of
from companion.sheets.storage import must_be_told
from companion.tournament.record import Act, Plan, Record, Signed, Undone, person

R = TypeVar("R", bound=Record)


class RecordDesk(Generic[R]):
    """One record and its log.

    An act is tried on the record, written in one transaction, and only then in force; if the rules or the disk refuse
    it, nothing has happened. It belongs to the thread that made it.
    """

    def __init__(self, record: R, log: Log) -> None:
        self.record, self.log = record, log

    @classmethod
    def begin(cls, folder: Path, kind: type[R], beginning: Act, *, by: str, memory: bool = False) -> Self:
        """Begin a record in `folder`.

        Raises BadEntry for a beginning that cannot be, BadTrack if it names a circuit that is not there; NotSaved if
        the disk refuses, or, without `memory`, if it is lost with the power and nobody has said that he knows.
        """
        _must_last(folder, memory)
        record, at, name = kind(), now(), person(by)
        beginning = on_stages(record, beginning)
        signed = Signed(1, name, at, beginning)
        must_read(kind, signed)
        record.check(beginning)
        record.take(signed)
        log = Log.begin_record(folder, ActKind(kind.KIND), record.name, beginning, by=name, at=at)
        return cls(record, log)

    @classmethod
    def resume(cls, folder: Path, kind: type[R], word: str = "last", *, memory: bool = False) -> Self:
        """Resume a record.

        Raises LogError if there is no such one, it is damaged, or another program has it; NotSaved, without `memory`,
        if it is lost with the power and nobody has said that he knows.
        """
        _must_last(folder, memory)
        with explain_missing(kind.KIND):
            log = Log.resume(folder, word, among=among(kind.KIND))
        try:
            entries, _ = log.read()
            return cls(record_of(entries, kind), log)
        except BaseException:
            log.close()
            raise

    @property
    def log_id(self) -> str:
        """The id of its log."""
        return self.log.log_id

    def act(self, act: Act, *, by: str) -> Signed:
        """Do one more act, which is on the disk when this returns.

        Raises BadEntry if it cannot be or contradicts a race that has begun, BadTrack if it names a circuit that is not
        there, NotSaved if the disk takes nothing; nothing is changed then.
        """
        act = self.record.completed(on_stages(self.record, act))
        signed = Signed(len(self.record.log) + 1, person(by), now(), act)
        must_read(type(self.record), signed)
        self.record.check(act)
        before, n, plans = list(self.record.log), len(self.record.signed), self.record.plans()
        try:
            self.record.take(signed)
            self._must_suit_begun(plans, self.record)
            kind = ActKind(str(act.__struct_config__.tag))
            seq = self.log.append(kind, signed.by, n, act, (), "", signed.at, stands=(0, False))
            if seq != signed.seq:
                raise LogError("entry_due", seq=seq, due=signed.seq)
        except BaseException:
            self.record = type(self.record).of(before)
            raise
        return signed

    def undo(self, *, by: str, why: str = "") -> Signed:
        """Undo the last act and return it; raise NothingToDo if there is none that may be undone."""
        last = self.record.undoable()
        self.act(Undone(of=last.seq, why=why), by=by)
        return last

    def take_back(self, count: int, last: int, *, by: str) -> None:
        """Undo `count` acts, one at least, all or none, if `last` is still the last entry in force.

        Otherwise do nothing: a key was tapped twice, or names what is no longer last. Raises as `undo` does.
        """
        if self.record.signed[-1].seq == last:
            before = type(self.record).of(self.record.signed[:-count])
            self._must_suit_begun(self.record.plans(), before)
            for _ in range(count):
                self.undo(by=by)

    def _must_suit_begun(self, before: Mapping[str, Plan], record: Record) -> None:
        """Refuse a record in which a race that has begun would have begun otherwise.

        `before` are the plans before the act or undo that led to it. Raises BadEntry.
        """
        now = record.plans()
        changed = {key for key, plan in before.items() if now.get(key) != plan}
        for race in begun_anywhere(self.log.folder, self.log_id) if changed else ():
            if race.key in changed:
                try:
                    record.check_begun(race.key, before[race.key], race.setup)
                except BadEntry as wrong:
                    raise race.contradicted(wrong) from None

    def close(self) -> None:
        """End writing, which frees the record for others."""
        self.log.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, wrong: BaseException | None, at: TracebackType | None) -> None:
        self.close()


def _must_last(folder: Path, memory: bool) -> None:
    if not memory and (wrong := must_be_told(folder)) is not None:
        raise wrong
