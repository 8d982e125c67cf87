"""The record of a tournament, a season or a session of trials: a log of acts.

A record is a log like a race's (`companion.sheets.records` keeps it): acts are only ever added, an undo is an act too,
and how things stand is always worked out from the acts in force, never kept. A kind of record is a class that takes its
acts one by one; each act is a struct of the kind's own tagged union, with the reason why where one is due. What `apply`
refuses no log can hold; what was not always refused stands in `check`, which is asked of a new act only.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from typing import ClassVar, Final, NamedTuple, Self

import msgspec

from companion.rules.conversation.asking import Json
from companion.rules.conversation.errors import BadEntry, NothingToDo
from companion.rules.conversation.text import unturned


class Act(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True, tag_field="act"):
    """One thing that a person did.

    The tag of each kind of act is also the kind of its log entry.
    """

    settles: ClassVar[bool] = False
    """True if undo stops before it: what was published or made official is corrected, with a reason."""

    why: str = ""


class Undone(Act, frozen=True, tag="undo"):
    """An undo of the last act in force, that of entry `of`."""

    of: int


class Noted(Act, frozen=True, tag="note"):
    """A remark, which changes nothing."""

    text: str


Plan = Mapping[str, Json]
"""What a race begins from, as a record has it: names and values of its kind of record."""


class Signed(NamedTuple):
    """An act with its entry in the log: the number, who did it, and when (UTC)."""

    seq: int
    by: str
    at: str
    act: Act


class Record:
    """The state of a record after its acts.

    A subclass lists its acts (`KIND`, `ACTS`) and applies them one by one; the first one begins the record. It refuses
    an impossible act with BadEntry.
    """

    KIND: ClassVar[str]
    """Tag of the act that the record begins with."""
    ACTS: ClassVar[tuple[type[Act], ...]]
    """All acts of this kind of record, the beginning first; every record has undo and note as well."""

    def __init__(self) -> None:
        self.signed: list[Signed] = []
        """Acts in force, the beginning first."""
        self.log: list[Signed] = []
        """All acts, including those taken back."""
        self.name = ""

    @classmethod
    def of(cls, acts: Iterable[Signed]) -> Self:
        """Build the record from the acts of a log.

        Raises BadEntry if an act makes no sense after those before it.
        """
        record = cls()
        for signed in acts:
            record.take(signed)
        return record

    def take(self, signed: Signed) -> None:
        """Apply one more act.

        After a BadEntry the record must be rebuilt from its log.
        """
        act = signed.act
        if isinstance(act, Undone):
            last = self.undoable()
            if last.seq != act.of:
                raise BadEntry("not_last_entry", of=act.of, last=last.seq)
            self._again([one for one in self.signed if one.seq != last.seq], [*self.log, signed])
            return
        if bool(self.signed) is (act.__struct_config__.tag == self.KIND):
            raise BadEntry("record_begun")
        if not isinstance(act, Noted):
            self.apply(signed)
        self.signed.append(signed)
        self.log.append(signed)

    def completed(self, act: Act) -> Act:
        """Return the act as the log is to keep it, with what the rules add to what a person said."""
        return act

    def check(self, act: Act) -> None:
        """Check a new act, beyond what `apply` refuses.

        Raises BadEntry. A log that is read again is not checked, so that older logs stay readable.
        """

    def plans(self) -> Mapping[str, Plan]:
        """Return what a race begins from, as far as acts can still change it, by table or race."""
        return {}

    def check_begun(self, key: str, before: Plan, setup: Mapping[str, Json]) -> None:
        """Check the plan of a race that has begun from a setup, after an act has changed it from `before`.

        Raises BadEntry if the race would have begun otherwise.
        """
        raise NotImplementedError

    def apply(self, signed: Signed) -> None:
        """Apply an act to the record.

        Raises BadEntry if the act is impossible.
        """
        raise NotImplementedError

    def after(self, act: Act) -> Self:
        """Return a copy of the record with one more act, leaving this one as it is.

        Raises BadEntry if the act is impossible.
        """
        return self.of([*self.log, Signed(len(self.log) + 1, "", "", act)])

    def undoable(self) -> Signed:
        """Return the act that an undo takes back.

        Raises NothingToDo before the first act, or if the last one is final.
        """
        if len(self.signed) < 2:
            raise NothingToDo("nothing_to_take_back")
        last = self.signed[-1]
        if last.act.settles:
            raise NothingToDo("published_entry", last=last.seq)
        return last

    def _again(self, acts: Sequence[Signed], log: list[Signed]) -> None:
        """Rebuild the record from those acts, and keep the full log."""
        fresh = type(self)()
        for signed in acts:
            fresh.take(signed)
        self.__dict__.update(fresh.__dict__)
        self.log = log


def one_line(name: str) -> str:
    """Normalise a name: one line, single spaces, composed accents (NFC)."""
    return unicodedata.normalize("NFC", " ".join(unturned(name).split()))


def person(by: str) -> str:
    """Normalise the name of the person who acts.

    Raises BadEntry if it is empty or too long.
    """
    name = one_line(by)
    if not name or len(name) > 60:
        raise BadEntry("signer_name")
    return name


RACE_CONTROL: Final = "race control"
"""Name of an organiser who signs without one: the same in every language, as nobody confirms his own result."""


def same(one: str, other: str) -> bool:
    """Return True if two names are the same person's."""
    return " ".join(one.split()).casefold() == " ".join(other.split()).casefold()


def reason(act: Act) -> str:
    """Return the reason of an act.

    Raises BadEntry without one.
    """
    if not act.why.strip():
        raise BadEntry("needs_reason")
    return act.why


BESIDE: Final[tuple[type[Act], ...]] = (Undone, Noted)
"""Acts that every record has besides its own."""


def acts_of(kind: type[Record]) -> dict[str, type[Act]]:
    """Return the acts of a kind of record by their tags."""
    return {str(act.__struct_config__.tag): act for act in (*kind.ACTS, *BESIDE)}
