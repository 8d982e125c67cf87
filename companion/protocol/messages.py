"""Typed messages shared by the line protocol and the live feed, and their schema."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Annotated, Final, get_type_hints

import msgspec

from companion.desk.session import VERSION, Event, Hello, Saved, Seat, Session
from companion.rules.conversation.asking import Asked, Json, Ruling
from companion.rules.conversation.changes import Change
from companion.rules.conversation.consequence import Consequence
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


ConsequenceMessage: Final = msgspec.defstruct(
    "ConsequenceMessage",
    [
        (name, kind) if name == "answer" else (name, kind | msgspec.UnsetType, msgspec.UNSET)
        for name, kind in get_type_hints(Consequence).items()
    ],
    frozen=True,
    namespace={"__doc__": Consequence.__doc__},
)
"""The record of an answer, with its fields; JSON has no likelihood that a schema could give as a default."""


class QuestionMessage(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The open question number `n`, in words.

    `ask` is its kind, `car` the car that is asked; `what` distinguishes questions of one kind; `kind` is the ruling in
    which a test ends. The answers are `options`, or `faces` of a die, with `bands` of faces of the same effect, or
    `fields`; a hand that is hidden from the seat has none of them. The referee's lines also have `suggested`, an answer
    that a correction took away and that may be given again, and if the subscriber wants them the `consequences` of each
    answer.
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
    suggested: Json = None
    consequences: list[ConsequenceMessage] = []  # type: ignore[valid-type]


class RulingMessage(Ruling, frozen=True, kw_only=True, omit_defaults=True):
    """A ruling: its kind, its facts, and its sentence.

    `wear` are points gained or lost by pool, `counts` other counters, `left` the values of both after it.
    """

    text: str


class EventMessage(Event, frozen=True, omit_defaults=True):
    """An event of the race, with its rulings in words.

    `seq` is its entry in the log, `n` the question that was open. Other fields depend on its kind: an answer has its
    question (ask, car, round, what) and the answer, an override the change, undo and redo the entries, a correction the
    answer that it corrects. The live feed sends no remarks of the table, such as a note: the kinds note, dispute,
    uphold, handover, delete, restore and rename come from the referee only, so that in the feed `seq` has gaps.
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

    A race to come, or one that was missed, is null. `log`, the number of its `entries` and their `digest` identify the
    state of the record.
    """

    kind: str
    name: str
    of: str
    log: str
    entries: int
    digest: str
    rows: list[dict[str, str | int | None]]
    notes: list[str]


class StandingMessage(msgspec.Struct, frozen=True, kw_only=True):
    """The state of the race for a new subscriber after entry `seq`, as its seat may know it."""

    race: str
    seq: int
    known: Public
    saved: Saved


class ChangeMessage(Change, frozen=True, kw_only=True, omit_defaults=True):
    """A value that a correction changes, in words."""

    text: str


class CorrectionMessage(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The effect of a correction, tried or made.

    So many later answers are `kept`, so many `dropped`, and `asks` is asked then. `changes` are the values that differ;
    with the board kept as it is, `change` is what is set and `left` what stays though it would have been otherwise.
    """

    kept: int
    dropped: int
    asks: QuestionMessage | None
    changes: Sequence[ChangeMessage] = ()
    change: dict[str, Json] | None = None
    left: Sequence[Json] = ()


class HandoverMessage(msgspec.Struct, frozen=True):
    """A car's seat that the program took by its `driver`, or "" a person; `roll`: the program rolls for its drivers."""

    car: int
    driver: str
    roll: bool
    text: str


class HintMessage(msgspec.Struct, frozen=True, omit_defaults=True):
    """A champion's answer in words; where he compares, the `turns` to the flag, the `other` answer and the `gain`."""

    answer: Json
    text: str
    turns: float | None = None
    other: Json = None
    gain: float | None = None


class PushMessage(msgspec.Struct, frozen=True):
    """A car of the program to be moved on the board, in words; `waits`: the program waits until that is done."""

    car: int
    text: str
    waits: bool


class ExportMessage(msgspec.Struct, frozen=True, omit_defaults=True):
    """The race in a form: as `text`, a PDF in `base64`."""

    form: str
    text: str = ""
    base64: str = ""


class ArticleMessage(msgspec.Struct, frozen=True):
    """An article of a rulebook."""

    id: str
    title: str
    text: str


def _described(kind: object, words: str) -> object:
    return Annotated[kind, msgspec.Meta(description=words)]


LINES: Final[Mapping[str, object]] = {
    "hello": Hello, "event": EventMessage, "ruling": RulingMessage, "question": QuestionMessage | None,
    "result": _described(list[dict[str, Json]], "The classification once the race is over, a row for each car."),
    "error": _described(str, "One sentence; nothing has changed."),
    "code": _described(str, "The code of the error."),
    "choices": _described(list[str], "What may be done about a disk that takes nothing."),
    "standing": StandingMessage, "correction": CorrectionMessage, "hand_over": HandoverMessage, "hint": HintMessage,
    "push": PushMessage, "consequences": list[ConsequenceMessage],  # type: ignore[valid-type]
    "odds": _described(dict[int, list[float]], "By car its chance of each place."),
    "order": _described(list[int], "The running order, the leader first."),
    "state": _described(dict[str, Json], "A position with all that it takes to go on exactly."),
    "whole": _described(bool, "False for a state in the middle of a turn."),
    "sheet": RaceSheet, "export": ExportMessage, "rules": list[ArticleMessage],
    "list": _described(list[dict[str, Json]], "Races, circuits or rulebooks, as they were asked for."),
    "board": _described(dict[str, Json], "A circuit: its corners, sections or spaces."),
    "id": _described(int | str, "The id of the line that is answered."),
    "unsaved": _described(int, "The number of entries that are not on the disk."),
}  # fmt: skip
"""The keys of the referee's lines, each with the type of its value."""

DOCUMENTED: Final[Mapping[str, object]] = {
    **LINES, "race": RaceMessage, "races": list[StoredRaceMessage], "standings": ListingMessage,  # type: ignore[valid-type]
    "tables": list[TableMessage],
}  # fmt: skip
"""Those, and the answers of the live feed by the last part of their address."""


def schema() -> dict[str, Json]:
    """Return the JSON Schema of all lines and answers, by name."""
    found, parts = msgspec.json.schema_components(
        DOCUMENTED.values(), schema_hook=_schema_of, ref_template="#/$defs/{name}"
    )
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema", "title": "companion", "version": VERSION,
        "description": "A line of the referee is an object of these keys. An answer or message of the live feed is the "
        "value of one: of event and race, or of race, races, sheet, standings and tables by its address.",
        "type": "object", "properties": dict(zip(DOCUMENTED, found, strict=True)), "$defs": parts,
    }  # fmt: skip


def _schema_of(kind: type) -> dict[str, Json]:
    """Return the schema of a type that JSON does not have: a likelihood, as a pair such as [1, 20]."""
    if kind is Fraction:
        pair = [{"type": "integer"}, {"type": "integer"}]
        return {"type": "array", "prefixItems": pair, "items": False, "minItems": 2}
    raise NotImplementedError


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
