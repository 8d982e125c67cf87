"""The session: a desk as its listeners get it, typed, versioned and made for a seat.

The touchscreen's phones, bots, cameras and web sites listen in the same way. Each says from which seat; what lies
hidden in a hand goes to that hand and to the referee. Whatever happens is an event with the number of its entry in the
log; a listener that was away names the last one that it has, and gets the rest.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping, Sequence
from typing import Final, Literal, TypeAlias

import msgspec

from companion.desk.ahead import Ahead
from companion.desk.events import EntryWritten
from companion.desk.race_desk import RaceDesk
from companion.rules.conversation.asking import Asked, Json, JsonValue, Ruling
from companion.rules.conversation.consequence import Consequence
from companion.rules.conversation.errors import BadAnswer, CompanionError, NothingToDo
from companion.rules.conversation.kinds import Ask
from companion.rules.public import FROM_HAND, OF_CONTESTS, UNSHOWN, Public, change_seen, hides, seen_by_others
from companion.rules.rulebooks import RULEBOOKS
from companion.sheets.entry import (
    REMARKS,
    Answered,
    AnyBody,
    Beginning,
    Body,
    Corrected,
    Entry,
    EntryKind,
    Handover,
    Moved,
    Overridden,
    Spoken,
)
from companion.version import PROTOCOL
from companion.version import VERSION as PROGRAM

VERSION: Final = PROTOCOL
"""Protocol version."""

CAPABILITIES: Final = ("subscribe", "note", "dispute", "uphold", "export", "list", "rules", "board", "consequences")
"""Features that a program may rely on besides the race itself."""

MOVED: Final = ("undo", "redo", "correct")
"""Kinds of entries after which a question number may be used again."""

Seat: TypeAlias = int | Literal["referee", "spectator"]
"""Recipient of events: a driver, by car number; the referee, who sees everything; a spectator, who sees no hand."""


class Hello(msgspec.Struct, frozen=True):
    """The greeting: the version of the protocol, the program's, its rulebooks, languages, and capabilities."""

    protocol: int
    program: str
    rulebooks: list[str]
    languages: list[str]
    capabilities: list[str]


class Event(msgspec.Struct, frozen=True, omit_defaults=True):
    """An event of the race: `seq` is its entry in the log, `n` the question that was open.

    The other values go with its kind: of an answer its question (ask, car, round, what), the `answer` itself (`hidden`
    where this seat may not see it), `forced` and `why` by the referee's word; of an override the `change` (`hidden`
    where it sets cards in another's hand, which are left out); of undo and redo the `entries` undone or redone; of a
    correction the answer's number `corrects`, what it is now, what it `keeps` (replay or board) and how many later
    answers it `kept`; of a note, a dispute or an uphold the `text`, and `about` which entry it is; of a handover the
    `car` and the `program` that drives it from here on, "" for a person, and `why`.
    """

    seq: int
    kind: EntryKind
    n: int
    by: str
    at: str
    ask: Ask | Literal[""] = ""
    car: int | None = None
    round: int = 0
    what: str = ""
    answer: Json = None
    hidden: bool = False
    forced: bool = False
    why: str = ""
    change: dict[str, Json] | None = None
    entries: Sequence[int] = ()
    corrects: int | None = None
    keeps: str = ""
    kept: int = 0
    text: str = ""
    about: int | None = None
    program: str = ""
    rulings: Sequence[Ruling] = ()


class Saved(msgspec.Struct, frozen=True):
    """The number of entries that are in memory only, and whether the table chose to go on so."""

    unsaved: int
    in_memory: bool


class Standing(msgspec.Struct, frozen=True):
    """The state of the race for a seat after entry `seq`.

    It has which race, what is known of it, the open question (None once it is over), whether all is on the disk;
    `result` once it is over.
    """

    race: str
    seq: int
    known: Public
    asked: Asked | None
    saved: Saved
    consequences: Sequence[Consequence] = ()
    result: Sequence[Json] = ()


def hello() -> Hello:
    """Return the greeting of this program."""
    from companion.wording import LANGUAGES

    return Hello(VERSION, PROGRAM, list(RULEBOOKS), list(LANGUAGES), list(CAPABILITIES))


def code_of(wrong: BaseException) -> str:
    """Return the stable code of a refusal: its kind up to a dot. Its sentence is translated, this is not."""
    if isinstance(wrong, CompanionError):
        return wrong.code
    name = type(wrong).__name__
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name).strip("_")


CODES: Final = {
    "stale": "the answer is for a question that is not open, or no longer",
    "asked_anew": "something was taken back or corrected since the question was seen",
    "held": "something was taken back; a person answers first",
    "not_yours": "the question is another car's",
    "read_only": "a spectator answers nothing",
    "at_table": "the table answers for this car now",
    "not_in_force": "that entry is no ruling in force",
    "few": "there are fewer answers to take back or give again",
    "unsigned": "the referee's word needs a name and a reason",
    "choice": "the question does not allow the answer (others are more exact: face, whole, out_of_reach, ...)",
    "setup_key": "a setup has no such key (others name what else no race can begin with: no_track, laps_range, ...)",
    "full": "the disk took nothing; see choices (disk, read_only and gone are kin)",
}
"""Error codes that a program is most likely to meet; others are names of the same kind, one for each fault."""


class Session:
    """One race for its listeners. It lives in the desk's thread, as the desk does.

    >>> from companion import circuits
    >>> from companion.rules.rulebooks import begin
    >>> cars = [{"car": 1, "at": "1:left:1", "gear": 3}, {"car": 2, "at": "1:right:1", "gear": 2}]
    >>> book = begin({"track": "monaco", "cars": cars, "to_play": [1, 2]}, circuits.load("monaco"))
    >>> session = Session(RaceDesk(book))
    >>> asked = session.standing(1).asked
    >>> session.answer(1, asked.n, 4)
    >>> [(event.seq, event.ask, event.answer) for event in session.events(2)]
    [(2, 'gear', 4)]
    """

    def __init__(self, desk: RaceDesk, log: Sequence[Entry] | None = None) -> None:
        """Listen to a desk; `log` is that of its race where the desk keeps none itself."""
        self.desk = desk
        self.drivers_answer = True
        """True if drivers answer for themselves; the table always may."""
        self._given_back = -1
        self.disputed = -1
        """Number of the question whose answer a driver disputes, for the table to decide; -1 if none."""
        self._ahead = Ahead(desk)
        self._listeners: list[Callable[[Event], None]] = []
        self._events = self._stored_events(log)
        self._moved = max((event.seq for event in self._events if event.kind in MOVED), default=0)
        """Number of the last entry after which a question number may be used again."""
        self._order = desk.rulebook.running_order()
        self._orders: dict[int, tuple[Sequence[int], Sequence[int]]] = {}
        desk.listen(self._hear)

    # -- what is told

    @property
    def race(self) -> str:
        """The id of the race's log, "" in memory only."""
        return self.desk.history.log_id

    def listen(self, listener: Callable[[Event], None]) -> None:
        """Call `listener` with every event from now on, whole; `seen` makes it fit for a seat."""
        self._listeners.append(listener)

    def close(self) -> None:
        """Stop listening to the desk, and drop all listeners."""
        self.desk.deaf(self._hear)
        self._listeners.clear()

    def events(self, seat: Seat = "referee", after: int = 0) -> list[Event]:
        """Return the events after entry `after`, for a seat."""
        first = self._events[0].seq if self._events else 0
        return [self.event_for(event, seat) for event in self._events[max(0, after + 1 - first) :]]

    def orders(self, seq: int) -> tuple[Sequence[int], Sequence[int]] | None:
        """Return the running order before and after an entry that changed it.

        None if it did not, or nobody listened then.
        """
        return self._orders.get(seq)

    def standing_events(self) -> list[Event]:
        """Return the events whose rulings are in force."""
        standing = set(self.desk.history.standing)
        return [event for event in self._events if event.seq in standing]

    def event_for(self, event: Event, seat: Seat) -> Event:
        """Return an event as a seat may know it."""
        if seat == "referee" or not hides(self.desk.rulebook):
            return event
        if event.ask in UNSHOWN:
            event = msgspec.structs.replace(event, rulings=_without_totals(event.rulings, seat))
            if event.car != seat:
                event = msgspec.structs.replace(event, answer=None, hidden=True)
        rulings = [ruling for ruling in event.rulings if ruling.kind != "card" or ruling.car == seat]
        if event.change is not None:
            change = change_seen(event.change, seat if isinstance(seat, int) else None)
            event = msgspec.structs.replace(event, change=change, hidden=change != event.change)
            rulings = [_setting(ruling, change) for ruling in rulings if change or ruling.kind != "override"]
        return msgspec.structs.replace(event, rulings=rulings)

    def question_for(self, seat: Seat = "referee") -> Asked | None:
        """Return the open question; what it offers from a hand is for that hand."""
        asked = self.desk.asked
        if asked is None or seat in ("referee", asked.car) or not hides(self.desk.rulebook):
            return asked
        return msgspec.structs.replace(asked, options=None, fields=None) if asked.ask in FROM_HAND else asked

    def standing(self, seat: Seat = "referee", *, consequences: bool = False) -> Standing:
        """Return the state of the race for a seat; with `consequences` also what each answer may bring."""
        desk = self.desk
        asked = self.question_for(seat)
        own = asked is not None and asked.options is not None and seat in ("referee", asked.car)
        return Standing(
            race=self.race,
            seq=desk.seq,
            known=self.public_for(seat),
            asked=asked,
            saved=Saved(desk.unsaved, desk.in_memory),
            consequences=self._ahead.records() if consequences and own else (),
            result=desk.rulebook.result() if desk.over else (),
        )

    def public_for(self, seat: Seat) -> Public:
        """Return the race as a seat may know it."""
        desk, car = self.desk, seat if isinstance(seat, int) else None
        face = desk.public(car)
        if seat == "referee" or not hides(desk.rulebook):
            return face
        return seen_by_others(face, car, self._laid(face, car))

    def _laid(self, face: Public, car: int | None) -> list[str]:
        """Return the cards that others have shown in the contest that goes on."""
        asked = self.desk.asked
        if asked is None or not (asked.ask in OF_CONTESTS or asked.what.startswith("contest")):
            return []
        since = self.desk.conversation.last_checkpoint[0]
        events = (item.event for item in self.desk.history.items[since:])
        shown = [event for event in events if event.key is not None and event.key[0] == "show" and event.key[1] != car]
        return [str(code) for event in shown if isinstance(event.answer, list) for code in event.answer]

    # -- what is done from a seat

    def cars_of(self, seat: Seat) -> tuple[int, ...]:
        """Return the cars that are driven from a seat: its own first, then others of the same driver's name.

        A car that the program drives is driven from its own seat only; no cars for the referee and spectators.
        """
        cars = {car.number: car.driver.casefold() for car in self.desk.rulebook.race.cars}
        if not isinstance(seat, int) or seat not in cars:
            return ()
        same = [number for number, name in cars.items() if name and name == cars[seat] and number != seat]
        return (seat, *(number for number in same if number not in self.desk.history.programs))

    def answering_seat(self, seat: Seat) -> Seat:
        """Return the seat of the car that is asked if its driver sits in this one too; else the seat itself."""
        asked = self.desk.asked
        return asked.car if asked is not None and asked.car in self.cars_of(seat) and asked.car is not None else seat

    def answer(self, seat: Seat, n: int, answer: JsonValue, *, seen: int | None = None) -> None:
        """Answer question `n` from a seat.

        Raises BadAnswer, by code: stale, not_yours, read_only, at_table and whatever the question does not allow.
        """
        self.permit(seat, n)
        self.must_be_open(n, seen)
        self.desk.answer(answer, n=n, by=_name(self.answering_seat(seat)))

    def permit(self, seat: Seat, n: int) -> None:
        """Raise BadAnswer if a seat may not answer question `n`."""
        if seat == "spectator":
            raise BadAnswer("read_only.spectator")
        asked = self.desk.asked
        if seat == "referee" or asked is None or asked.n != n:
            return  # the desk says itself that it is no longer open
        if asked.car not in self.cars_of(seat):
            raise BadAnswer("not_yours.question", n=n, car=seat)
        if asked.car in self.desk.history.programs:
            raise BadAnswer("at_table.program", car=seat)
        if not self.drivers_answer or self._given_back == n:
            raise BadAnswer("at_table.table")

    def may_answer(self, seat: Seat) -> bool:
        """Return True if the open question is answered from that seat."""
        with contextlib.suppress(BadAnswer):
            asked = self.desk.asked
            if asked is not None:
                self.permit(seat, asked.n)
                return True
        return False

    def give_back(self, seat: Seat, n: int, *, seen: int | None = None) -> None:
        """Let the table answer question `n`. Raises BadAnswer if it is not this seat's, or no longer open."""
        self.permit(seat, n)
        self.must_be_open(n, seen)
        self._given_back = n

    def dispute(self, seat: Seat, n: int, why: str, *, seen: int | None = None) -> None:
        """Note that the driver disputes what an answer to question `n` would bring: the table answers it.

        Raises BadAnswer if it is not this seat's, or no longer open.
        """
        self.permit(seat, n)
        self.must_be_open(n, seen)
        self.desk.note(why, by=_name(self.answering_seat(seat)))
        self._given_back = self.disputed = n

    def doubt(self, seat: Seat, seq: int, why: str) -> None:
        """Note that a ruling on the seat's own car is disputed.

        Raises BadAnswer for another's, NothingToDo for none that is in force.
        """
        event = next((event for event in self.standing_events() if event.seq == seq), None)
        cars = {one.car for one in event.rulings} if event is not None else set()
        own = next((car for car in self.cars_of(seat) if car in cars), None)
        if event is None or (seat != "referee" and own is None):
            raise BadAnswer("not_yours.dispute")
        self.desk.dispute(seq, by=_name(own or seat), why=why)

    def may_undo(self, seat: Seat) -> bool:
        """Return True if the last answer was given from that seat, and no other has come since."""
        label = self.desk.undo_label()
        return seat == "referee" or (label is not None and label.by in map(_name, self.cars_of(seat)))

    def undo(self, seat: Seat, n: int, *, seen: int | None = None) -> None:
        """Undo the seat's own last answer, while question `n` is open that followed it.

        Raises BadAnswer, NothingToDo.
        """
        self.must_be_open(n, seen)
        if not self.may_undo(seat):
            raise NothingToDo("not_yours.undo")
        label = self.desk.undo_label()
        self.desk.undo(1, by=label.by if label is not None and isinstance(seat, int) else _name(seat))

    def must_be_open(self, n: int, seen: int | None = None) -> None:
        """Raise BadAnswer if question `n` is no longer open, or was asked afresh after entry `seen`.

        `seen` is the last entry that the answering side knows: since something was undone, another question may have
        that number.
        """
        if n != self.desk.n:
            raise BadAnswer("stale", n=n, open=self.desk.n)
        if seen is not None and seen < self._moved:
            raise BadAnswer("asked_anew")

    # -- how it is kept

    def _stored_events(self, log: Sequence[Entry] | None) -> list[Event]:
        """Return the events that have happened already, from the log."""
        entries = log or (self.desk.log.entries if self.desk.log is not None else ())
        return [event_of(one.seq, one.kind, one.n, one.actor, one.at_wall, one.read(), one.ruled()) for one in entries]

    def _hear(self, told: EntryWritten) -> None:
        if told.kind not in REMARKS:
            self._given_back = self.disputed = -1  # another question may have the same number after an undo
        if told.kind in MOVED:
            self._moved = told.seq
        event = event_of(told.seq, told.kind, told.n, told.by, told.at, told.body, told.rulings)
        self._events.append(event)
        before, self._order = self._order, self.desk.rulebook.running_order()
        if before != self._order:
            self._orders[told.seq] = before, self._order
        for listener in list(self._listeners):
            listener(event)


def event_of(
    seq: int, kind: EntryKind, n: int, by: str, at: str, body: AnyBody | Body, rulings: Sequence[Ruling]
) -> Event:
    """Return an entry of the log as an event."""
    bare = Event(seq, kind, n, by, at, rulings=tuple(rulings))
    match body:
        case Answered(key=(ask, car, round_, what)):
            return msgspec.structs.replace(
                bare, ask=ask, car=car, round=round_, what=what, answer=body.answer, forced=body.forced, why=body.why
            )
        case Overridden():
            return msgspec.structs.replace(bare, change=body.change, why=body.why)
        case Moved():
            return msgspec.structs.replace(bare, entries=tuple(body.seqs))
        case Corrected(key=(ask, car, round_, what)):
            ruled = (
                [ruling for _, found, _ in body.outcomes for ruling in found] if body.keep == "replay" else bare.rulings
            )
            return msgspec.structs.replace(
                bare, n=body.n, ask=ask, car=car, round=round_, what=what, answer=body.answer, forced=body.forced,
                why=body.why, corrects=body.n, keeps=body.keep, kept=body.kept, rulings=tuple(ruled),
            )  # fmt: skip
        case Spoken():
            return msgspec.structs.replace(bare, text=body.text, about=body.about)
        case Handover():
            return msgspec.structs.replace(bare, car=body.car, program=body.program, why=body.why)
        case Beginning():
            return bare
    return bare


def _without_totals(rulings: Sequence[Ruling], seat: Seat) -> list[Ruling]:
    """Return the rulings on cards that lie face down without the totals of other cars, bots as well.

    The driver who is asked next has not chosen his cards yet.
    """
    return [ruling for ruling in rulings if ruling.kind not in ("fights", "qualifies") or ruling.car == seat]


def _setting(ruling: Ruling, change: Mapping[str, Json]) -> Ruling:
    """Return a ruling; one on the referee's word is reduced to that change."""
    return msgspec.structs.replace(ruling, facts={"change": change}) if ruling.kind == "override" else ruling


def _name(seat: Seat) -> str:
    """Return the author of an answer from a seat, as the log has it."""
    return f"car {seat}" if isinstance(seat, int) else "table"
