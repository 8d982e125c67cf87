"""The table's uploader: send the desk's logs to race control, in a thread of its own.

The desk knows nothing of it. What it wrote is found by looking at the files of the database, and read by a connection
of this thread; a race goes on just as well while all of this stands still. What race control says comes into a ledger
of its words beside the races.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

import msgspec
from nats.aio.client import Client
from nats.aio.msg import Msg

from companion.hall import wire
from companion.hall.ledger import Ledger
from companion.hall.membership import WORDS, Membership
from companion.hall.nats_client import AGAIN, OTHER, NatsClient
from companion.hall.outbox import ALONE, Outbox, Stand
from companion.hall.wire import Beat, Call
from companion.rules.conversation.errors import CompanionError, LogError
from companion.sheets.entry import Entry
from companion.sheets.lines import entry_of
from companion.sheets.log import now
from companion.sheets.place import stamp
from companion.sheets.reading import reading

LOOK: Final = 0.03
"""Interval between looks at the database's files, in seconds."""
ANYWAY: Final = 1.0
"""Interval between looks at the database itself, whatever its files look like, in seconds."""


class Carrier(NatsClient):
    """The uploader of one table's folder.

    `hear` is called in its thread with race control's new words.
    """

    def __init__(
        self, folder: Path, place: Membership, hear: Callable[[Sequence[Entry]], object] = lambda _: None
    ) -> None:
        super().__init__(place.servers, place.seed, place.table, place.pin)
        self.folder, self.place = folder, place
        self.coming = ""
        """Name of the person who has seen the table's call and is coming; empty if none."""
        self._hear = hear
        self._call: Call | None = None
        self._words: Ledger | None = None
        self._outboxes: dict[str, Outbox] = {}
        self._due: set[str] = set()
        """Logs that may have something to send."""
        self._asks: set[str] = set()
        self._row, self._stamp, self._looked = place.since, stamp(folder), 0.0
        self._run_of = self._day = ""
        self._said, self._heard, self._beaten = 0, float("-inf"), float("-inf")
        self._behind, self._since, self._lag = 0, 0.0, 0.0
        self._leaves = False
        self._lacks, self._race, self._fetched = 0, list[Entry](), threading.Event()

    # -- for whoever shows it, from any thread

    @property
    def stand(self) -> Stand:
        """The table's standing with race control."""
        if time.monotonic() > self._heard + ALONE:
            return Stand("alone", self._behind, self.why if self.why == OTHER else self._refused())
        return Stand("behind" if self._behind else "connected", self._behind, self._refused())

    def _refused(self) -> str:
        """Return what race control says is wrong with a log, in one sentence, "" for nothing."""
        return next((one.why for one in list(self._outboxes.values()) if one.why), "")

    @property
    def called(self) -> bool:
        """True while the referee is called."""
        return self._call is not None

    def call(self, call: Call | None) -> None:
        """Call the referee, or withdraw the call with None."""
        self._call, self.coming, self._beaten = call, "", float("-inf")
        self.stir()

    def fetch(self, patience: float = 30.0) -> list[Entry]:
        """Fetch the unfinished race last sent in this table's name, as race control has it.

        `patience` is in seconds. Raises LogError if none arrives in time.
        """
        self._lacks = 1
        self.begin()
        whole = self._fetched.wait(patience)
        self.end()
        if not whole or not self._race:
            raise LogError("no_successor.unheard")
        return self._race

    def leave(self) -> None:
        """Announce that the table leaves the hall, and send nothing else.

        The table has left even if nobody hears it.
        """
        self._leaves = True
        self.begin()
        self._thread.join(2 * AGAIN)
        self.end()

    # -- in its thread

    async def work(self, client: Client) -> None:
        if self._leaves:
            await client.publish(wire.beat_of(self.place.id), wire.written(Beat(now(), leaves=True)))
            await client.flush()
            self._ending = True
            return
        await client.subscribe(wire.told_to(self.place.id), cb=self._told)
        await client.subscribe(wire.TO_ALL, cb=self._here)
        self._asks.update(self._outboxes)
        self._beaten = float("-inf")
        while self.goes_on(client):
            at = time.monotonic()
            looked = self._look(at)
            for log_id in sorted(self._due):
                if (batch := self._outboxes[log_id].batch(at)) is not None:
                    await client.publish(wire.log_of(self.place.id), batch)
                elif not self._outboxes[log_id].waits(at):
                    self._due.discard(log_id)
                    looked = True
            if looked:
                self._count(at)
            if at >= self._beaten + wire.BEAT:
                self._beaten = at
                await client.publish(wire.beat_of(self.place.id), wire.written(self._beat()))
            await self.rest(LOOK)

    def between(self) -> None:
        with contextlib.suppress(CompanionError):
            at = time.monotonic()
            self._look(at)
            self._count(at)  # also what was found as the line broke

    def ended(self) -> None:
        if self._words is not None:
            self._words.close()

    def _look(self, at: float) -> bool:
        """Find the logs written to since the last look; return True if there are any."""
        found = stamp(self.folder)
        if found == self._stamp and at < self._looked + ANYWAY and self._looked:
            return False
        self._stamp, self._looked = found, at
        try:
            with reading(self.folder) as db:
                last = db.execute("SELECT max(rowid) FROM entry").fetchone()[0] or 0
                if last < self._row:
                    self._row = 0  # the table was put back from a copy
                rows = db.execute("SELECT DISTINCT log_id FROM entry WHERE rowid > ?", [self._row]).fetchall()
        except LogError as wrong:
            if wrong.code != "no_races":
                raise
            return False
        self._row = last
        for (log_id,) in rows:
            if log_id not in self._outboxes:
                self._outboxes[log_id] = Outbox(self.folder, log_id)
                self._asks.add(log_id)
                self._beaten = float("-inf")
            self._due.add(log_id)
        return bool(rows)

    def _count(self, at: float) -> None:
        behind = sum(self._outboxes[log_id].stand(at).behind for log_id in sorted(self._due))
        if behind and not self._behind:
            self._since = at
        elif self._behind and not behind:
            self._lag = at - self._since
        self._behind = behind

    def _beat(self) -> Beat:
        lag = time.monotonic() - self._since if self._behind else self._lag
        heard = self._control().head(self._day).seq if self._day else 0
        return Beat(
            now(), sorted(self._asks)[: wire.ASKED], self._behind, lag, self._day, heard, self._call, lacks=self._lacks
        )

    def _control(self) -> Ledger:
        if self._words is None:
            self._words = Ledger(self.folder / WORDS)
        return self._words

    # -- what is heard

    async def _here(self, message: Msg) -> None:
        self._heard = time.monotonic()
        with contextlib.suppress(msgspec.MsgspecError):
            here = wire.read_here(message.data)
            if here.run != self._run_of:  # another one: perhaps from an old copy
                self._run_of = here.run
                self._asks.update(self._outboxes)
                self._beaten = float("-inf")
            if (here.day, here.said) != (self._day, self._said):
                self._day, self._said = here.day, here.said
                self._beaten = float("-inf")
            if self._beaten == float("-inf"):
                self.stir()

    async def _told(self, message: Msg) -> None:
        at = self._heard = time.monotonic()
        with contextlib.suppress(ValueError):  # what is none
            told = wire.read_told(message.data)
            for log_id, head in told.heads.items():
                if log_id in self._asks:
                    self._asks.discard(log_id)
                    self._outboxes[log_id].announced(head, at)
                    self._due.add(log_id)
            if told.answer is not None and (outbox := self._outboxes.get(told.answer.log_id)) is not None:
                outbox.answered(told.answer, at)
                self._due.add(outbox.log_id)
            if told.race is not None and self._lacks:
                self._more(told.race)
            if told.words:
                self._take(told.words)
            if self._call is not None and told.coming:
                self.coming = told.coming
            self.stir()

    def _more(self, race: str) -> None:
        """Take more of the race that the table lacks, dropping duplicate entries."""
        read = [entry_of(line) for line in race.encode().splitlines()]
        if read and read[0].seq == self._lacks:
            self._race += read
            self._lacks, self._beaten = read[-1].seq + 1, float("-inf")
        elif not read:
            self._lacks = 0
            self._fetched.set()

    def _take(self, words: str) -> None:
        control = self._control()
        answer = control.answer(words.encode(), "control")
        if answer.new:
            self._hear(control.entries(answer.log_id)[-answer.new :])
        if answer.wants <= self._said:
            self._beaten = float("-inf")
