"""Race control's messages of a day: a record with one writer, read by the tables.

Every word names its table, "" for all. A confirmed result is identified by the last entry of its log, so a holder of
that log can tell whether it is the one that was meant. Two people confirm it, as in a tournament.
"""

from __future__ import annotations

from typing import ClassVar

import msgspec

from companion.rules.conversation.asking import Json
from companion.rules.conversation.errors import BadEntry
from companion.tournament import trials
from companion.tournament.record import Act, Record, Signed, reason, same


class DayOpened(Act, frozen=True, tag="control"):
    """Race control begins its day."""

    name: str


class ControlAct(Act, frozen=True, kw_only=True):
    """A message from race control to a table, "" for all."""

    table: str = ""


class Started(ControlAct, frozen=True, tag="go"):
    """Clearance for a table to begin a race.

    `race` is the table or race of a tournament or season, such as 1.3. `setup` is all that the race begins from, as New
    race takes it, and `name` its name; both are empty where race control has no such event.
    """

    race: str
    name: str = ""
    setup: dict[str, Json] = msgspec.field(default_factory=dict)

    @property
    def belongs(self) -> tuple[str, str]:
        """The record of the race, "" for none, and its key there."""
        event = self.setup.get("event")
        return (str(event.get("log", "")) if isinstance(event, dict) else "", self.race)


class Trialled(ControlAct, frozen=True, tag="trial"):
    """Trials for a table to run.

    `opened` names the drivers; `skies` are the skies drawn so far, the same at every table. A later one for the same
    table adds drivers or skies.
    """

    opened: trials.TrialsOpened
    skies: tuple[trials.SkyDrawn, ...] = ()


class Penalty(ControlAct, frozen=True, tag="penalty"):
    """A penalty imposed on a car by the race director, with the reason.

    The table enters it as the referee's ruling.
    """

    log_id: str
    car: int
    text: str


class Message(ControlAct, frozen=True, tag="message"):
    """A text message."""

    text: str


class FeedAllowed(ControlAct, frozen=True, tag="feed"):
    """Permission to offer the live feed of a race that counts for an event, or its withdrawal."""

    allowed: bool


class CallRuled(ControlAct, frozen=True, kw_only=True, tag="ruled"):
    """The race director's ruling on a call, which the table enters under his name.

    `about` is the entry whose ruling is upheld, 0 for none; `change` holds the values to set, as an override has them.
    """

    log_id: str
    text: str
    about: int = 0
    change: dict[str, Json] = msgspec.field(default_factory=dict)


class LogConfirmed(ControlAct, frozen=True, tag="result"):
    """A confirmation that a race's log, ending with entry `seq` of that hash, is its result.

    Two people must confirm it.
    """

    settles: ClassVar[bool] = True

    log_id: str
    seq: int
    hash: str


class Control(Record):
    """Race control's day.

    >>> from companion.tournament.record import Signed
    >>> acts = DayOpened(name="Saturday"), Message(text="Lunch")
    >>> day = Control.of([Signed(n, "Ada", "", act) for n, act in enumerate(acts, 1)])
    >>> [said.act.text for said in day.words("4")]
    ['Lunch']
    """

    KIND = "control"
    ACTS = (DayOpened, Started, Trialled, Penalty, Message, FeedAllowed, CallRuled, LogConfirmed)

    def apply(self, signed: Signed) -> None:
        act = signed.act
        match act:
            case DayOpened():
                if not act.name.strip():
                    raise BadEntry("day_name")
                self.name = act.name
            case Started() if not act.table or not act.race:
                raise BadEntry("act_start")
            case Started() if (last := self.starts().get(act.belongs)) is not None and last.act == act:
                raise BadEntry("start_given", table=act.table, race=act.race)
            case Trialled() if not act.table or not act.opened.drivers:
                raise BadEntry("act_trials")
            case Penalty():
                reason(act)
                if not act.table or not act.text.strip():
                    raise BadEntry("act_penalty")
            case CallRuled() if not act.table or not act.text.strip():
                raise BadEntry("act_ruling")
            case Message() if not act.text.strip():
                raise BadEntry("act_message")
            case LogConfirmed():
                by = self.signatures(act)
                if any(same(name, signed.by) for name in by):
                    raise BadEntry("confirmed_by_same", name=signed.by)
                if len(by) > 1:
                    raise BadEntry("result_official")

    def words(self, table: str) -> list[Signed]:
        """Return the words for a table in order, without those undone."""
        return [said for said in self.signed if isinstance(said.act, ControlAct) and said.act.table in ("", table)]

    def starts(self) -> dict[tuple[str, str], Signed]:
        """Return the last start of each race, by the record and key of the race.

        A race given to a second table is that table's.
        """
        return {said.act.belongs: said for said in self.signed if isinstance(said.act, Started)}

    def start(self, table: str) -> Signed | None:
        """Return the last start given to a table, or None."""
        mine = [said for said in self.starts().values() if isinstance(said.act, ControlAct) and said.act.table == table]
        return max(mine, key=lambda said: said.seq, default=None)

    def trials(self) -> dict[str, Trialled]:
        """Return the latest trials given to each table, by its name."""
        return {said.act.table: said.act for said in self.signed if isinstance(said.act, Trialled)}

    def allows_feed(self, table: str) -> bool:
        """Return True if a table may offer the live feed of a race that counts.

        The last word on it holds.
        """
        said = (one.act for one in reversed(self.words(table)) if isinstance(one.act, FeedAllowed))
        return next((act.allowed for act in said), False)

    def result(self, log_id: str) -> LogConfirmed | None:
        """Return the last confirmation of a log, by either person, or None."""
        acts = (said.act for said in reversed(self.signed))
        return next((act for act in acts if isinstance(act, LogConfirmed) and act.log_id == log_id), None)

    def signatures(self, result: LogConfirmed) -> list[str]:
        """Return the names of those who confirmed exactly this result.

        Exactly means the same log with the same last entry; two signatures make it official.
        """
        meant = (result.log_id, result.seq, result.hash)
        return [
            said.by
            for said in self.signed
            if isinstance(said.act, LogConfirmed) and (said.act.log_id, said.act.seq, said.act.hash) == meant
        ]
