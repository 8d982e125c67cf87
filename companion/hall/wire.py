"""What a table and race control say to each other over NATS, and where. Batches of a log go as they are.

A table has a key of its own, its `id` in the subjects; with it it may publish what is its own and hear what is said to
it and to all, nothing else. Nothing here is sent once and counted on: a beat comes again, an answer that was lost is
asked for, and a batch that nobody answers is sent again. So the broker's own window for doubles is not used: it would
drop the very batch that a race control from an old copy asks for again.
"""

from __future__ import annotations

from typing import Annotated, Final

import msgspec

from companion.hall.ledger import LARGEST, Answer
from companion.rules.conversation.typed import json_reader
from companion.sheets.backup import Head

PAYLOAD: Final = LARGEST + (64 << 10)
"""The longest message, in bytes: a batch, or one of race control's with what is said beside it."""
STREAM: Final = "TABLES"
"""The stream in which batches wait for race control."""
EVERY_LOG, EVERY_BEAT, TO_ALL = "hall.*.log", "hall.*.beat", "hall.all"
BEAT: Final = 2.0
"""After how many seconds a table says again how it is, and race control that it is there."""

ASKED: Final = 64
"""Of how many logs a table asks at a time how far race control has them."""


def log_of(table: str) -> str:
    """Where a table publishes batches."""
    return f"hall.{table}.log"


def beat_of(table: str) -> str:
    """Where it says how it is."""
    return f"hall.{table}.beat"


def told_to(table: str) -> str:
    """Where it hears what race control tells it alone."""
    return f"hall.{table}.told"


def whose(subject: str) -> str:
    """The table that publishes there."""
    return subject.split(".")[1]


_Number = Annotated[int, msgspec.Meta(ge=0, le=2**53)]
_Seconds = Annotated[float, msgspec.Meta(ge=0, le=1e9)]


class Call(msgspec.Struct, frozen=True, omit_defaults=True):
    """A table calls the referee: at which question of which log, by its last entry, and what that `asks`, by language;
    `about` is a ruling's entry that is disputed, 0 if none is, and `text` a word to it."""

    log_id: str
    seq: _Number
    n: _Number
    at: str
    about: _Number = 0
    text: str = ""
    asks: dict[str, str] = {}


class Beat(msgspec.Struct, frozen=True, omit_defaults=True):
    """How a table is: its clock, the logs of which it asks how far race control has them, how many entries are not
    there yet and after how many seconds the last ones were; how far it has race control's own log (which, and the last
    number); its call; whether it leaves the hall; from which entry on it wants a dead machine's race, 0 for none."""

    at: str
    asks: list[str] = []
    behind: _Number = 0
    lag: _Seconds = 0.0
    day: str = ""
    heard: _Number = 0
    call: Call | None = None
    leaves: bool = False
    lacks: _Number = 0


class Here(msgspec.Struct, frozen=True, omit_defaults=True):
    """Race control is there, to all: which `run` of its program (another one may have less than the last), how far its
    own log goes, and its name."""

    run: str
    at: str
    day: str = ""
    said: _Number = 0


class ToldTable(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a table alone is told: how far race control has the logs that it asked for, what became of a batch, more of
    race control's own log as lines, the call that race control has seen (by the time of it) and who comes, and more of
    the race that it `lacks` ("": there is no more)."""

    heads: dict[str, Head] = {}
    answer: Answer | None = None
    words: str = ""
    coming: str = ""
    race: str | None = None


read_beat: Final = json_reader(Beat)
read_here: Final = json_reader(Here)
read_told: Final = json_reader(ToldTable)
written: Final = msgspec.json.encode
