"""Continue the race of a dead machine at another one, as far as race control has it.

The new log names the old one, which stays as it is; if the dead machine wakes, it goes on writing there.
"""

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
"""Setup field that names the log that a race continues: its id, and the number and hash of its last known entry."""


def left_over(ledger: Ledger, table: str, first: int) -> str:
    """Return part of the last unfinished race sent in a table's name, as lines of one message.

    It begins at entry `first`; "" if there is no more.
    """
    log_id, made, size = ledger.unfinished(table), [], 0
    for entry in ledger.entries(log_id, first) if log_id else ():
        made.append(line := as_line(entry))
        if (size := size + len(line)) > BATCH:
            break
    return "".join(made)


def succeed(folder: Path, log: Sequence[Entry]) -> RaceDesk:
    """Begin the race of a log again and give every answer recorded there.

    Raises LogError for a log that was changed, of a finished race, or that this program would rule differently;
    NotSaved, CompanionError.
    """
    history = History.of(from_elsewhere(log))
    begun = history.beginning
    if begun is None or history.stands[1]:
        raise LogError("no_successor.over")
    resume_conversation(
        history, (), rulebook_of
    )  # what this program rules otherwise is told before anything is written
    old = {"log": history.log_id, "seq": history.seq, "hash": log[-1].hash.hex()}
    setup = {**begun.setup, SUCCEEDS: old}
    desk = RaceDesk.begin(
        rulebook_of(setup, begun.track), setup=setup, track=begun.track, folder=folder, name=history.name
    )
    for item in history.items:
        if item.event.change is not None:
            desk.override(item.event.change, by=item.by, why=item.why, exact=True)
        else:
            desk.answer(item.event.answer, by=item.by, force=item.event.forced, why=item.why)
    return desk


def old_of(setup: Mapping[str, Json]) -> str:
    """Return the id of the log that a race continues, "" if it began here."""
    old = setup.get(SUCCEEDS)
    return str(old.get("log", "")) if isinstance(old, dict) else ""
