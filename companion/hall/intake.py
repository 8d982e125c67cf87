"""Race control's receiver of the tables' logs.

It takes batches from the stream into the ledger, answers each table, and sends race control's own words. The ledger
belongs to its thread.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import time
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Final, NamedTuple

import msgspec
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.errors import Error as NatsError
from nats.js import JetStreamContext
from nats.js.api import AckPolicy, ConsumerConfig, DeliverPolicy, RetentionPolicy, StorageType, StreamConfig
from nats.js.errors import NotFoundError

from companion.hall import wire
from companion.hall.ledger import Answer, Ledger
from companion.hall.nats_client import NatsClient
from companion.hall.outbox import BATCH
from companion.hall.takeover import left_over
from companion.hall.wire import Announcement, Beat, ToldTable
from companion.rules.conversation.errors import CompanionError
from companion.sheets.lines import as_line
from companion.sheets.log import now
from companion.sheets.place import LEDGER, stamp
from companion.sheets.reading import entries, reading
from companion.sheets.records import records
from companion.tournament.control import Control
from companion.tournament.record import RACE_CONTROL

DURABLE: Final = "ledger"
MAX_UNACKNOWLEDGED: Final = 256
"""Maximum number of batches that race control holds without having acknowledged them."""
MAX_GROUP: Final = 64
"""Maximum number of batches written to the ledger in one transaction."""
MAX_STREAM_BYTES: Final = 1 << 30
"""Maximum size of the stream, in bytes of batches. Beyond it the oldest go: their tables send them again."""
NEWS_SECONDS: Final = 0.25
"""Interval between looks for news from race control itself, in seconds."""


class LastBeat(NamedTuple):
    """The last beat of a table.

    `at` is when it arrived, by the monotonic clock; `skew` is how far the table's clock was ahead then, in seconds
    (nan: it sent no time).
    """

    beat: Beat
    at: float
    skew: float


class Intake(NatsClient):
    """The receiver of one data folder.

    `names` maps a table's id to its name, None if it is not in the hall. In its thread it calls `new` with the ledger
    and every answer that changed something, `left` with a table that leaves, and `begun` with the ledger once it is
    open.
    """

    def __init__(
        self,
        folder: Path,
        servers: list[str],
        seed: str = "",
        *,
        names: Callable[[str], str | None] = lambda table: table,
        new: Callable[[Ledger, Answer], object] = lambda *_: None,
        left: Callable[[str], object] = lambda _: None,
        begun: Callable[[Ledger], object] = lambda _: None,
        replicas: int = 1,
        pin: str = "",
    ) -> None:
        super().__init__(servers, seed, RACE_CONTROL, pin)
        self.folder, self.heard = folder, dict[str, LastBeat]()
        self.connected = False
        self._names, self._new, self._left, self._begun, self._replicas = names, new, left, begun, replicas
        self._run_id = secrets.token_hex(8)
        self._ledger: Ledger | None = None
        self._day = ""
        self._said = 0
        self._stamp: tuple[int, ...] = (-1,)
        self.coming: dict[str, str] = {}
        """Name of the person coming to each table that has called, by table."""

    @property
    def ledger(self) -> Ledger:
        """The ledger, for this thread only."""
        assert self._ledger is not None
        return self._ledger

    def comes(self, table: str, who: str) -> None:
        """Record that somebody answers a table's call; may be called from any thread."""
        self.coming[table] = who
        self.stir()

    def opening(self) -> None:
        self._ledger = Ledger(self.folder / LEDGER)
        self._begun(self._ledger)

    async def work(self, client: Client) -> None:
        stream = client.jetstream()
        await self._prepare(stream)
        queue: asyncio.Queue[Msg] = asyncio.Queue()
        config = ConsumerConfig(
            ack_policy=AckPolicy.EXPLICIT, ack_wait=10, max_ack_pending=MAX_UNACKNOWLEDGED,
            deliver_policy=DeliverPolicy.ALL,
        )  # fmt: skip
        await stream.subscribe(
            wire.EVERY_LOG, durable=DURABLE, stream=wire.STREAM, config=config, manual_ack=True, cb=queue.put,
        )  # fmt: skip

        async def beaten(message: Msg) -> None:
            await self._beaten(client, message)

        await client.subscribe(wire.EVERY_BEAT, cb=beaten)
        self.connected = True
        beside = asyncio.create_task(self._announce(client))
        try:
            while self.goes_on(client) and not beside.done():
                with contextlib.suppress(TimeoutError):
                    group = [await asyncio.wait_for(queue.get(), 0.5)]
                    while not queue.empty() and len(group) < MAX_GROUP:
                        group.append(queue.get_nowait())
                    await self._take(client, group)
        finally:
            self.connected = False
            beside.cancel()

    def ended(self) -> None:
        if self._ledger is not None:
            self._ledger.close()

    async def _prepare(self, stream: JetStreamContext) -> None:
        """Open the stream and take it over from any other race control."""
        with contextlib.suppress(NotFoundError):
            await stream.delete_consumer(wire.STREAM, DURABLE)
        wanted = StreamConfig(
            name=wire.STREAM, subjects=[wire.EVERY_LOG], retention=RetentionPolicy.WORK_QUEUE, storage=StorageType.FILE,
            max_bytes=MAX_STREAM_BYTES, num_replicas=self._replicas, duplicate_window=0.1,
        )  # fmt: skip
        try:
            await stream.add_stream(wanted)
        except NatsError:
            await stream.update_stream(wanted)

    async def _take(self, client: Client, group: list[Msg]) -> None:
        """Store a group of batches and answer each.

        They leave the stream once the ledger has them.
        """
        batches = []
        for message in group:
            name = self._names(wire.whose(message.subject))
            if name is not None:
                batches.append((message.data, name))
        answers = iter(self.ledger.answers(batches))
        for message in group:
            if self._names(table := wire.whose(message.subject)) is not None:
                answer = next(answers)
                await client.publish(wire.told_to(table), wire.written(ToldTable(answer=answer)))
                if answer.new or answer.kind not in ("", "gap"):
                    self._new(self.ledger, answer)
            await message.ack()

    async def _beaten(self, client: Client, message: Msg) -> None:
        table = wire.whose(message.subject)
        if self._names(table) is None:
            return
        try:
            beat = wire.read_beat(message.data)
        except msgspec.MsgspecError:
            return
        if beat.leaves:
            self._left(table)
            return
        self.heard[table] = LastBeat(beat, time.monotonic(), _skew(beat.at))
        if beat.call is None:
            self.coming.pop(table, None)
        coming = self.coming.get(table, "")
        words = self._words(beat.heard + 1 if beat.day == self._day else 1)
        heads = {log_id: self.ledger.head(log_id) for log_id in beat.asks[: wire.ASKED]}
        race = left_over(self.ledger, self._names(table) or "", beat.lacks) if beat.lacks else None
        if heads or words or coming or race is not None:
            told = ToldTable(heads=heads, words=words, coming=coming, race=race)
            await client.publish(wire.told_to(table), wire.written(told))

    async def _announce(self, client: Client) -> None:
        """Announce race control regularly, and at once after a new word."""
        at = float("-inf")
        while True:
            if (found := stamp(self.folder)) != self._stamp:
                before = self._day, self._said
                self._stamp = found
                self._look()
                if (self._day, self._said) != before:
                    at = float("-inf")
            if time.monotonic() >= at + wire.BEAT / 2:
                at = time.monotonic()
                await client.publish(
                    wire.TO_ALL, wire.written(Announcement(self._run_id, now(), self._day, self._said))
                )
            await asyncio.sleep(NEWS_SECONDS)

    def _look(self) -> None:
        """Find race control's own log and its last entry."""
        with contextlib.suppress(CompanionError), reading(self.folder) as db:
            for day in records(db, Control.KIND)[:1]:
                last = db.execute("SELECT max(seq) FROM entry WHERE log_id = ?", [day.log_id]).fetchone()[0]
                self._day, self._said = day.log_id, last

    def _words(self, first: int) -> str:
        """Return race control's log from a number on, up to one message, "" if there is no more."""
        if not self._day or first > self._said:
            return ""
        lines: list[str] = []
        with contextlib.suppress(CompanionError), reading(self.folder) as db:
            for entry in entries(db, self._day, first):
                lines.append(as_line(entry))
                if sum(map(len, lines)) > BATCH:
                    break
        return "".join(lines)


def _skew(at: str) -> float:
    """Return how many seconds a table's clock is ahead."""
    try:
        return (datetime.fromisoformat(at) - datetime.fromisoformat(now())).total_seconds()
    except (ValueError, TypeError, OverflowError):
        return float("nan")
