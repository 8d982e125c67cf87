"""Race control's own words of a day: a record with one writer, which the tables read and show.

Every word says for which table it is, "" for all. A result that is confirmed is named by the last entry of its log, so
that whoever has that log sees whether it is the one that was meant; it takes two people, as it does in a tournament.
"""

from __future__ import annotations

from typing import ClassVar

import msgspec

from companion.rules.conversation.asking import Json
from companion.rules.conversation.errors import BadEntry
from companion.tournament import trials
from companion.tournament.record import Act, Record, Signed, reason, same


class Opened(Act, frozen=True, tag="control"):
    """Race control begins its day."""

    name: str


class Word(Act, frozen=True, kw_only=True):
    """Something that race control says to a table, "" for all."""

    table: str = ""


class Started(Word, frozen=True, tag="go"):
    """A table may begin a race: the table or race of a tournament or season, such as 1.3. `setup` is all that it begins
    from, as New race takes it, and `name` what it is called; empty where race control has no such event."""

    race: str
    name: str = ""
    setup: dict[str, Json] = msgspec.field(default_factory=dict)

    @property
    def belongs(self) -> tuple[str, str]:
        """The record that it is a race of, "" for none, and its table or race there."""
        event = self.setup.get("event")
        return (str(event.get("log", "")) if isinstance(event, dict) else "", self.race)


class Trialled(Word, frozen=True, tag="trial"):
    """A table has trials to hold: of which drivers, and the skies that are drawn by now, the same for every table. Said
    to it again, there are more drivers or skies."""

    opened: trials.Opened
    skies: tuple[trials.SkyDrawn, ...] = ()


class Penalty(Word, frozen=True, tag="penalty"):
    """What the race director imposes on a car, with the reason; the table enters it as the referee's word."""

    log_id: str
    car: int
    text: str


class Message(Word, frozen=True, tag="message"):
    """A few words."""

    text: str


class FeedAllowed(Word, frozen=True, tag="feed"):
    """A table may offer the live feed of a race that counts for a tournament or season, or no longer."""

    allowed: bool


class Ruled(Word, frozen=True, kw_only=True, tag="ruled"):
    """What the race director rules on a call: the table enters it under that name. `about` is the entry whose ruling is
    upheld, 0 for none; `change` is what is set otherwise, as an override has it."""

    log_id: str
    text: str
    about: int = 0
    change: dict[str, Json] = msgspec.field(default_factory=dict)


class Result(Word, frozen=True, tag="result"):
    """The log of a race, which ends with entry `seq` of that hash, is its result, says one of the two who confirm."""

    settles: ClassVar[bool] = True

    log_id: str
    seq: int
    hash: str


class Control(Record):
    """Race control's day.

    >>> from companion.tournament.record import Signed
    >>> day = Control.of([Signed(1, "Ada", "", Opened(name="Saturday")), Signed(2, "Ada", "", Message(text="Lunch"))])
    >>> [said.act.text for said in day.words("4")]
    ['Lunch']
    """

    KIND = "control"
    ACTS = (Opened, Started, Trialled, Penalty, Message, FeedAllowed, Ruled, Result)

    def apply(self, signed: Signed) -> None:
        act = signed.act
        match act:
            case Opened():
                if not act.name.strip():
                    raise BadEntry("Race control's day needs a name.")
                self.name = act.name
            case Started() if not act.table or not act.race:
                raise BadEntry("A start is for one table, and names its race.")
            case Started() if (last := self.starts().get(act.belongs)) is not None and last.act == act:
                raise BadEntry(f"Table {act.table} has the start of {act.race} already.")
            case Trialled() if not act.table or not act.opened.drivers:
                raise BadEntry("Trials are for one table, and have drivers.")
            case Penalty():
                reason(act)
                if not act.table or not act.text.strip():
                    raise BadEntry("A penalty is for one table, and says what it is.")
            case Ruled() if not act.table or not act.text.strip():
                raise BadEntry("A ruling is for one table, and says what it is.")
            case Message() if not act.text.strip():
                raise BadEntry("A message needs words.")
            case Result():
                by = self.signatures(act)
                if any(same(name, signed.by) for name in by):
                    raise BadEntry(f"{signed.by} has confirmed this result; a second person does the same.")
                if len(by) > 1:
                    raise BadEntry("This result is official already.")

    def words(self, table: str) -> list[Signed]:
        """What is said to a table, in its order; what was taken back is not in it."""
        return [said for said in self.signed if isinstance(said.act, Word) and said.act.table in ("", table)]

    def starts(self) -> dict[tuple[str, str], Signed]:
        """The last start of each race, by what that belongs to: said to another table again, it is that one's."""
        return {said.act.belongs: said for said in self.signed if isinstance(said.act, Started)}

    def start(self, table: str) -> Signed | None:
        """The last start that a table has, None if it has none."""
        mine = [said for said in self.starts().values() if isinstance(said.act, Word) and said.act.table == table]
        return max(mine, key=lambda said: said.seq, default=None)

    def trials(self) -> dict[str, Trialled]:
        """The trials that each table has, as they were last said to it."""
        return {said.act.table: said.act for said in self.signed if isinstance(said.act, Trialled)}

    def allows_feed(self, table: str) -> bool:
        """Return True if a table may offer the live feed of a race that counts; the last word on it is valid."""
        said = (one.act for one in reversed(self.words(table)) if isinstance(one.act, FeedAllowed))
        return next((act.allowed for act in said), False)

    def result(self, log_id: str) -> Result | None:
        """What was last confirmed of a log, by whomever."""
        acts = (said.act for said in reversed(self.signed))
        return next((act for act in acts if isinstance(act, Result) and act.log_id == log_id), None)

    def signatures(self, result: Result) -> list[str]:
        """Who has confirmed that this log, with that end, is the result; official are two."""
        meant = (result.log_id, result.seq, result.hash)
        return [
            said.by
            for said in self.signed
            if isinstance(said.act, Result) and (said.act.log_id, said.act.seq, said.act.hash) == meant
        ]
