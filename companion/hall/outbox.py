"""A table's side: what of a log race control lacks, and whether anybody hears it.

The log is read where the desk has written it, by a connection of its own: the desk knows nothing of this, and a race
waits for nothing. Whoever carries the batches asks for the next one whenever it likes, and says what came back.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final, Literal, NamedTuple

from companion.hall.ledger import Answer
from companion.sheets.backup import Head
from companion.sheets.lines import as_line
from companion.sheets.reading import entries, reading

BATCH: Final = 256 << 10
"""How long a batch is at most, in bytes, unless its first entry is longer."""
ALONE: Final = 10.0
"""After how many seconds without a word from race control a table is alone."""
AGAIN: Final = 2.0
"""After how many seconds without an answer a batch is sent again."""


class Stand(NamedTuple):
    """How a table stands with race control, how many entries that lacks, and in one sentence what it says is wrong."""

    line: Literal["connected", "behind", "alone"]
    behind: int
    why: str = ""


class Outbox:
    """What is to be sent of one log. It belongs to the thread that carries the batches."""

    def __init__(self, folder: Path, log_id: str) -> None:
        self.folder, self.log_id = folder, log_id
        self._wants = 0
        """From which number on race control wants to be told; 0 until it was heard."""
        self._second = False
        """Whether race control has another history of this log, or more of it than there is here."""
        self._heard = self._sent = float("-inf")
        self.why = ""
        """What race control says is wrong with it, in one sentence."""

    def announced(self, head: Head, now: float) -> None:
        """Race control says how far it has this log (0: nothing), `now` by a clock that only goes on. Sending goes on
        from there, also if that is less than before: then race control was put back from a copy."""
        self._heard = now
        if self._second:
            return
        with reading(self.folder) as db:
            own = next(entries(db, self.log_id, head.seq), None)
        self._second = head.seq > 0 and (own is None or own.seq != head.seq or own.hash.hex() != head.hash)
        self._wants = 1 if self._second else head.seq + 1  # of a second history all of it is told, once

    def answered(self, answer: Answer, now: float) -> None:
        """Race control says what became of a batch."""
        self._heard, self.why = now, "" if answer.kind == "gap" else answer.why
        if answer.kind not in ("", "gap", "second"):
            return  # refused: the same is sent again, but not at once
        self._sent = float("-inf")
        self._second = self._second or answer.kind == "second"
        if self._second:  # whatever of it is there already, it is told to its end
            self._wants = 1 if answer.kind == "gap" else answer.last + 1
        else:
            self._wants = answer.wants

    def waits(self, now: float) -> bool:
        """Whether race control, or its answer, is waited for."""
        return not self._wants or now < self._sent + AGAIN

    def batch(self, now: float) -> bytes | None:
        """What is to be sent next; None if nothing is, or an answer is still waited for. Raises LogError if the table's
        own log cannot be read."""
        if self.waits(now):
            return None
        made: list[bytes] = []
        size = 0
        with reading(self.folder) as db:
            for entry in entries(db, self.log_id, self._wants):
                line = as_line(entry).encode()
                size += len(line)
                if made and size > BATCH:
                    break
                made.append(line)
        if not made:
            return None
        self._sent = now
        return b"".join(made)

    def stand(self, now: float) -> Stand:
        """Return the table's standing with race control."""
        with reading(self.folder) as db:
            last = db.execute("SELECT max(seq) FROM entry WHERE log_id = ?", [self.log_id]).fetchone()[0] or 0
        behind = max(last + 1 - max(self._wants, 1), 0)
        if now > self._heard + ALONE:
            return Stand("alone", behind, self.why)
        return Stand("behind" if behind else "connected", behind, self.why)
