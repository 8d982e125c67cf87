"""The table's side: the entries of a log that race control lacks, and their delivery.

The log is read where the desk has written it, by a connection of its own: the desk knows nothing of this, and a race
waits for nothing. The carrier of the batches asks for the next one whenever it likes, and says what came back.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final, Literal, NamedTuple

from companion.hall.ledger import Answer
from companion.sheets.backup import Head
from companion.sheets.lines import as_line
from companion.sheets.reading import entries, reading

BATCH: Final = 256 << 10
"""Maximum length of a batch, in bytes, unless its first entry is longer."""
ALONE: Final = 10.0
"""Time without a word from race control after which a table is alone, in seconds."""
AGAIN: Final = 2.0
"""Time without an answer after which a batch is sent again, in seconds."""


class Stand(NamedTuple):
    """A table's standing with race control.

    `behind` is the number of entries still to be sent, `why` what race control says is wrong, as a sentence.
    """

    line: Literal["connected", "behind", "alone"]
    behind: int
    why: str = ""


class Outbox:
    """The entries of one log still to be sent.

    It belongs to the thread that carries the batches.
    """

    def __init__(self, folder: Path, log_id: str) -> None:
        self.folder, self.log_id = folder, log_id
        self._wants = 0
        """Number of the first entry that race control wants; 0 until it has been heard."""
        self._second = False
        """True if race control has another history of this log, or more of it than there is here."""
        self._heard = self._sent = float("-inf")
        self.why = ""
        """Fault that race control reports, in one sentence; empty if none."""

    def announced(self, head: Head, now: float) -> None:
        """Take race control's announcement of how far it has this log (0: nothing).

        `now` is monotonic. Sending resumes from there, even if that is less than before, since race control may have
        been restored from a copy.
        """
        self._heard = now
        if self._second:
            return
        with reading(self.folder) as db:
            own = next(entries(db, self.log_id, head.seq), None)
        self._second = head.seq > 0 and (own is None or own.seq != head.seq or own.hash.hex() != head.hash)
        self._wants = 1 if self._second else head.seq + 1  # of a second history all of it is told, once

    def answered(self, answer: Answer, now: float) -> None:
        """Process race control's answer to a batch."""
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
        """Return True while waiting for race control or its answer."""
        return not self._wants or now < self._sent + AGAIN

    def batch(self, now: float) -> bytes | None:
        """Return the next batch to send.

        None if there is nothing to send, or an answer is pending. Raises LogError if the table's own log cannot be
        read.
        """
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
