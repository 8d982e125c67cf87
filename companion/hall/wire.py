"""Messages between tables and race control over NATS, and their subjects.

Batches of a log are sent as they are.

A table has a key of its own, its `id` in the subjects; with it it may publish what is its own and hear what goes to it
and to all, nothing else. Nothing here is sent once and counted on: a beat comes again, an answer that was lost is asked
for, and a batch that nobody answers is sent again. So the broker's own window for doubles is not used: it would drop
the very batch that a race control from an old copy asks for again.
"""

from __future__ import annotations

from typing import Annotated, Final

import msgspec

from companion.hall.ledger import LARGEST, Answer
from companion.rules.conversation.typed import json_reader
from companion.sheets.backup import Head

PAYLOAD: Final = LARGEST + (64 << 10)
"""Maximum length of a message, in bytes: a batch, or one of race control's with what is said beside it."""
STREAM: Final = "TABLES"
"""Name of the stream in which batches wait for race control."""
EVERY_LOG, EVERY_BEAT, TO_ALL = "hall.*.log", "hall.*.beat", "hall.all"
BEAT: Final = 2.0
"""Interval at which a table reports its state, and race control its presence, in seconds."""

ASKED: Final = 64
"""Maximum number of logs for which a table asks at a time how far race control has them."""


def log_of(table: str) -> str:
    """Return the subject of a table's batches."""
    return f"hall.{table}.log"


def beat_of(table: str) -> str:
    """Return the subject of a table's beats."""
    return f"hall.{table}.beat"


def told_to(table: str) -> str:
    """Return the subject of race control's messages to one table."""
    return f"hall.{table}.told"


def whose(subject: str) -> str:
    """Return the table of a subject."""
    return subject.split(".")[1]


_Number = Annotated[int, msgspec.Meta(ge=0, le=2**53)]
_Seconds = Annotated[float, msgspec.Meta(ge=0, le=1e9)]


class Call(msgspec.Struct, frozen=True, omit_defaults=True):
    """A table's call for the referee.

    `seq` is the last entry of the log, `n` the question and `asks` its text by language; `about` is the entry of a
    disputed ruling (0: none), `text` the caller's remark.
    """

    log_id: str
    seq: _Number
    n: _Number
    at: str
    about: _Number = 0
    text: str = ""
    asks: dict[str, str] = {}


class Beat(msgspec.Struct, frozen=True, omit_defaults=True):
    """The state of a table, sent regularly.

    `at` is its clock; `asks` are the logs whose head it wants; `behind` counts its unsent entries, `lag` is the delay
    of the last ones in seconds; `day` and `heard` are race control's log and the last entry received of it; `leaves`
    says that it leaves the hall; `lacks` is the entry from which it wants a dead machine's race (0: none).
    """

    at: str
    asks: list[str] = []
    behind: _Number = 0
    lag: _Seconds = 0.0
    day: str = ""
    heard: _Number = 0
    call: Call | None = None
    leaves: bool = False
    lacks: _Number = 0


class Announcement(msgspec.Struct, frozen=True, omit_defaults=True):
    """Race control's announcement to all.

    `run` identifies the run of its program, since another run may have fewer entries; `said` is the length of its own
    log `day`.
    """

    run: str
    at: str
    day: str = ""
    said: _Number = 0


class ToldTable(msgspec.Struct, frozen=True, omit_defaults=True):
    """Race control's message to one table.

    `heads` are the logs it asked for, `answer` the outcome of a batch, `words` more of race control's log as lines,
    `coming` who answers its call, `race` more of the race it lacks ("": no more).
    """

    heads: dict[str, Head] = {}
    answer: Answer | None = None
    words: str = ""
    coming: str = ""
    race: str | None = None


read_beat: Final = json_reader(Beat)
read_here: Final = json_reader(Announcement)
read_told: Final = json_reader(ToldTable)
written: Final = msgspec.json.encode
