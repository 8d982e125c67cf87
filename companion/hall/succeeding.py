"""A table whose machine is dead and left no stick: its race goes on at another one, as far as race control has it, in a
new log that says whose successor it is. The old one stays as it is; if the dead machine wakes, it writes on there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from companion.desk import RaceDesk
from companion.hall.ledger import Ledger
from companion.hall.outbox import BATCH
from companion.rules.conversation.asking import Json
from companion.rules.conversation.errors import LogError
from companion.sheets.chain import from_elsewhere
from companion.sheets.entry import Entry
from companion.sheets.history import History
from companion.sheets.lines import as_line
from companion.sheets.replay import resume_conversation, rulebook_of

SUCCEEDS: Final = "succeeds"
"""What of a setup names the log that a race goes on from, by its id, and the last entry that was known of it."""


def left_over(ledger: Ledger, table: str, first: int) -> str:
    """The last race that was sent in a table's name and is not over, from a number on, as lines of one message; "" for
    no more of it."""
    log_id, made, size = ledger.unfinished(table), [], 0
    for entry in ledger.entries(log_id, first) if log_id else ():
        made.append(line := as_line(entry))
        if (size := size + len(line)) > BATCH:
            break
    return "".join(made)


def succeed(folder: Path, log: Sequence[Entry]) -> RaceDesk:
    """Begins the race of a log again, and gives every answer that stands there. Raises LogError for a log that was
    changed, of a race that is over, or that this program would rule otherwise; NotSaved, CompanionError."""
    history = History.of(from_elsewhere(log))
    begun = history.beginning
    if begun is None or history.stands[1]:
        raise LogError("There is no race here that could go on: it is over, or none.", "no_successor")
    resume_conversation(
        history, (), rulebook_of
    )  # what this program rules otherwise is told before anything is written
    old = {"log": history.log_id, "seq": history.seq, "hash": log[-1].hash.hex()}
    setup = {**begun.setup, SUCCEEDS: old}
    desk = RaceDesk.begin(
        rulebook_of(setup, begun.track), setup=setup, track=begun.track, folder=folder, name=begun.name
    )
    for item in history.items:
        if item.event.change is not None:
            desk.override(item.event.change, by=item.by, why=item.why)
        else:
            desk.answer(item.event.answer, by=item.by, force=item.event.forced, why=item.why)
    return desk


def old_of(setup: Mapping[str, Json]) -> str:
    """The id of the log that a race goes on from, "" for one that began here."""
    old = setup.get(SUCCEEDS)
    return str(old.get("log", "")) if isinstance(old, dict) else ""
