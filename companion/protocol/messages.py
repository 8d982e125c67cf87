"""Typed messages shared by the line protocol and the live feed, and their schema."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, get_type_hints

import msgspec

from companion.desk.session import VERSION, Event, Hello, Seat, Session
from companion.rules.conversation.asking import Asked, Json, Ruling
from companion.rules.conversation.kinds import Ask, Pools, kind_of_test
from companion.rules.public import Public
from companion.sheets.reading import StoredRace
from companion.sheets.sheet import RaceSheet
from companion.wording import Words
from companion.wording.filling import Names


class OptionMessage(msgspec.Struct, frozen=True, omit_defaults=True):
    """A legal answer as it must be written, with its cost by pool and its other facts."""

    answer: Json
    wear: Pools
    facts: dict[str, Json] = {}


class QuestionMessage(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The open question number `n`, in words.

    `ask` is its kind, `car` the car that is asked; `what` distinguishes questions of one kind; `kind` is the ruling in
    which a test ends. The answers are `options`, or `faces` of a die, with `bands` of faces of the same effect, or
    `fields`; a hand that is hidden from the seat has none of them.
    """

    n: int
    ask: Ask
    car: int | None = None
    text: str
    article: str
    round: int
    what: str = ""
    kind: str = ""
    faces: list[int] | None = None
    bands: list[list[int]] | None = None
    fields: dict[str, Json] | None = None
    options: list[OptionMessage] | None = None


class RulingMessage(Ruling, frozen=True, kw_only=True, omit_defaults=True):
    """A ruling: its kind, its facts, and its sentence.

    `wear` are points gained or lost by pool, `counts` other counters, `left` the values of both after it.
    """

    text: str


class EventMessage(Event, frozen=True, omit_defaults=True):
    """An event of the race, with its rulings in words.

    `seq` is its entry in the log, `n` the question that was open. Other fields depend on its kind: an answer has its
    question (ask, car, round, what) and the answer, an override the change, undo and redo the entries, a correction the
    answer that it corrects.
    """

    rulings: Sequence[RulingMessage] = ()


class RaceMessage(msgspec.Struct, frozen=True, kw_only=True):
    """The whole race after entry `seq` of its log, as public knowledge.

    `known` has the running order, the cars with their wear, and the weather; `question` is None once the race is over;
    `rulings` are those of the last entry in force that had any; `wins` is each car's chance to win, by number, if the
    table shows the odds; `result` is the classification once the race is over.
    """

    protocol: int = VERSION
    race: str
    name: str
    track: str
    seq: int
    known: Public
    question: QuestionMessage | None
    rulings: Sequence[RulingMessage]
    wins: Mapping[int, float]
    result: Sequence[Mapping[str, Json]]


StoredRaceMessage: Final = msgspec.defstruct(
    "StoredRaceMessage",
    list(get_type_hints(StoredRace).items()),
    frozen=True,
    namespace={"__doc__": StoredRace.__doc__},
)
"""A stored race, with the fields of the list of races."""


class TableMessage(msgspec.Struct, frozen=True, kw_only=True):
    """A table of a hall: its name, its state, and its latest race with the progress of that."""

    table: str
    state: str
    race: str = ""
    name: str = ""
    track: str = ""
    seq: int = 0
    lap: int = 0
    laps: int = 0
    over: bool = False


class ListingMessage(msgspec.Struct, frozen=True, kw_only=True):
    """A table of a tournament or season, such as its standings: each row by its columns.

    `log`, the number of its `entries` and their `digest` identify the state of the record.
    """

    kind: str
    name: str
    of: str
    log: str
    entries: int
    digest: str
    rows: list[dict[str, str | int]]
    notes: list[str]


DOCUMENTED: Final[Mapping[str, type[msgspec.Struct]]] = {
    "hello": Hello, "race": RaceMessage, "event": EventMessage, "question": QuestionMessage, "ruling": RulingMessage,
    "races": StoredRaceMessage, "sheet": RaceSheet, "standings": ListingMessage, "tables": TableMessage,
}  # fmt: skip
"""Messages by their name in a line or a message of the feed; for lists, the type of a row."""


def schema() -> dict[str, Json]:
    """Return the JSON Schema of all messages, by name."""
    found, parts = msgspec.json.schema_components(DOCUMENTED.values(), ref_template="#/$defs/{name}")
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema", "title": "companion", "version": VERSION,
        "type": "object", "properties": dict(zip(DOCUMENTED, found, strict=True)), "$defs": parts,
    }  # fmt: skip


def ruling_message(ruling: Ruling, words: Words, names: Names) -> RulingMessage:
    """Return a ruling with its sentence."""
    return RulingMessage(**_fields(ruling), text=words.ruling(ruling, names))


def event_message(event: Event, words: Words, names: Names) -> EventMessage:
    """Return an event with its rulings in words."""
    rulings = [ruling_message(one, words, names) for one in event.rulings]
    return EventMessage(**{**_fields(event), "rulings": rulings})


def question_message(asked: Asked, words: Words, names: Names) -> QuestionMessage:
    """Return a question in words."""
    given = {**_fields(asked), "options": None}
    if asked.options is not None:
        given["options"] = [OptionMessage(one.answer, one.wear, one.facts) for one in asked.options]
    return QuestionMessage(**given, text=words.question(asked, names), kind=kind_of_test(asked.ask, asked.what))


def race_message(session: Session, seat: Seat, words: Words, wins: Mapping[int, float]) -> RaceMessage:
    """Return a race as a seat may know it."""
    desk = session.desk
    told = (session.event_for(event, seat) for event in reversed(session.standing_events()))
    last = next((event.rulings for event in told if event.rulings), ())
    asked, names = session.question_for(seat), desk.names
    return RaceMessage(
        race=session.race,
        name=desk.history.name,
        track=desk.rulebook.track.name,
        seq=desk.seq,
        known=session.public_for(seat),
        question=question_message(asked, words, names) if asked is not None else None,
        rulings=[ruling_message(one, words, names) for one in last],
        wins=wins,
        result=desk.rulebook.result() if desk.over else (),
    )


def _fields(thing: msgspec.Struct) -> dict[str, Json]:
    return {name: getattr(thing, name) for name in thing.__struct_fields__}
