"""The record of a tournament, a season or a session of trials: what people did, one act after the other.

A record is a log like a race's (`companion.sheets.records` keeps it): acts are only ever added, an undo is an act too,
and how things stand is always worked out from the acts in force, never kept. A kind of record is a class that takes its
acts one by one; each act is a struct of the kind's own tagged union, with the reason why where one is due. What `apply`
refuses no log can hold; what was not always refused stands in `check`, which is asked of a new act only.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from typing import ClassVar, Final, NamedTuple, Self

import msgspec

from companion.rules.conversation.errors import BadEntry, NothingToDo
from companion.rules.conversation.text import unturned


class Act(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True, tag_field="act"):
    """One thing that somebody did. Each kind of act has its own tag, which is the kind of its entry in the log."""

    settles: ClassVar[bool] = False
    """Whether no undo goes back over it: what was published or made official is corrected, with a reason."""

    why: str = ""


class Undone(Act, frozen=True, tag="undo"):
    """Takes back the last act in force, which is the one of entry `of`."""

    of: int


class Noted(Act, frozen=True, tag="note"):
    """A remark: it changes nothing."""

    text: str


class Signed(NamedTuple):
    """An act with its entry in the log: the number, who did it, and when (UTC)."""

    seq: int
    by: str
    at: str
    act: Act


class Record:
    """How a record stands after its acts. A kind of record says which acts there are (`KIND`, `ACTS`), begins with the
    first of them and takes the others, refusing with BadEntry what cannot be."""

    KIND: ClassVar[str]
    """The tag of the act that it begins with."""
    ACTS: ClassVar[tuple[type[Act], ...]]
    """Every act of this kind of record, the beginning first; undo and note come with every record."""

    def __init__(self) -> None:
        self.signed: list[Signed] = []
        """The acts in force, the beginning first."""
        self.log: list[Signed] = []
        """Every act, those taken back too."""
        self.name = ""

    @classmethod
    def of(cls, acts: Iterable[Signed]) -> Self:
        """The record that a log tells. Raises BadEntry if an act makes no sense after those before it."""
        record = cls()
        for signed in acts:
            record.take(signed)
        return record

    def take(self, signed: Signed) -> None:
        """One more act; raises BadEntry, and is of no use then until it is made again from its log."""
        act = signed.act
        if isinstance(act, Undone):
            last = self.undoable()
            if last.seq != act.of:
                raise BadEntry(f"Entry {act.of} is not the last one in force; entry {last.seq} is.")
            self._again([one for one in self.signed if one.seq != last.seq], [*self.log, signed])
            return
        if bool(self.signed) is (act.__struct_config__.tag == self.KIND):
            raise BadEntry("A record begins once, with its beginning.")
        if not isinstance(act, Noted):
            self.apply(signed)
        self.signed.append(signed)
        self.log.append(signed)

    def completed(self, act: Act) -> Act:
        """Return the act as the log is to keep it, with what the rules add to what a person said."""
        return act

    def check(self, act: Act) -> None:
        """Raises BadEntry for what an act may not say when it is done. A log that is read again keeps what it took."""

    def apply(self, signed: Signed) -> None:
        """What an act does to the record; raises BadEntry if it cannot be."""
        raise NotImplementedError

    def after(self, act: Act) -> Self:
        """How the record would stand after one more act, which is not done; raises BadEntry if it cannot be."""
        return self.of([*self.log, Signed(len(self.log) + 1, "", "", act)])

    def undoable(self) -> Signed:
        """The act that an undo takes back; raises NothingToDo if there is none, or none that may be."""
        if len(self.signed) < 2:
            raise NothingToDo("There is nothing to take back.")
        last = self.signed[-1]
        if last.act.settles:
            raise NothingToDo(
                f"Entry {last.seq} was published or made official; it is corrected, with a reason, not taken back."
            )
        return last

    def _again(self, acts: Sequence[Signed], log: list[Signed]) -> None:
        """Begins anew with those acts."""
        fresh = type(self)()
        for signed in acts:
            fresh.take(signed)
        self.__dict__.update(fresh.__dict__)
        self.log = log


def one_line(name: str) -> str:
    """A name as it is kept: on one line, single blanks, each accent with its letter."""
    return unicodedata.normalize("NFC", " ".join(unturned(name).split()))


def person(by: str) -> str:
    """Who acts, as the log keeps it; raises BadEntry for nobody."""
    name = one_line(by)
    if not name or len(name) > 60:
        raise BadEntry("An entry needs the name of who makes it, of at most 60 letters.")
    return name


def same(one: str, other: str) -> bool:
    """Whether two names are one person's."""
    return " ".join(one.split()).casefold() == " ".join(other.split()).casefold()


def reason(act: Act) -> str:
    """Why, where a reason is due; raises BadEntry without one."""
    if not act.why.strip():
        raise BadEntry("This needs a reason; say why.", "needs_reason")
    return act.why


BESIDE: Final[tuple[type[Act], ...]] = (Undone, Noted)
"""The acts that every record has beside its own."""


def acts_of(kind: type[Record]) -> dict[str, type[Act]]:
    """The acts of a kind of record by their tags."""
    return {str(act.__struct_config__.tag): act for act in (*kind.ACTS, *BESIDE)}
