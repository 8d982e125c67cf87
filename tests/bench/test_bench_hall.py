"""How fast race control takes in what tables send, beside bare SQLite taking in the same batches in the same run:
`pytest tests/bench/test_bench_hall.py -s`. Bare is: the lines read, and put into the same table with the same pragmas,
one transaction a batch; nothing is compared, hashed or noted. And the same through a real nats-server, from the first
batch that is published to the last one in the ledger."""

from __future__ import annotations

import asyncio
import multiprocessing
import sqlite3
import time
from multiprocessing.synchronize import Event
from pathlib import Path

import msgspec
import nats

from companion.hall import wire
from companion.hall.broker import Broker
from companion.hall.intake import Intake
from companion.hall.ledger import Ledger
from companion.sheets.database import database
from companion.sheets.entry import Entry
from companion.sheets.place import DATABASE
from tests.bench.smoke import SMOKE, size
from tests.hall.logs import lines, made
from tests.hall.network import free_port, needs_nats, until

encode = msgspec.json.encode
FORK = multiprocessing.get_context("fork")
TABLES, ENTRIES, BATCH = size((8, 1001, 20), (2, 41, 20))
RUNS = size(3, 1)


def logs() -> list[list[Entry]]:
    """The logs of all tables. Their answers are shorter than a race's, which have 0.7 kB: it is the work that is
    measured, not the disk."""
    found = [made(ENTRIES, seed) for seed in range(TABLES)]
    assert SMOKE or 400 < sum(map(len, map(lines, found))) / (TABLES * ENTRIES) < 700, "other entries than these"
    assert len({log[0].log_id for log in found}) == TABLES
    return found


def bare(folder: Path, batches: list[bytes]) -> float:
    folder.mkdir()
    db = database(folder / DATABASE, write=True)
    for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
        db.execute(f"DROP TRIGGER {name}")
    return timed(lambda batch: put(db, batch), batches)


def put(db: sqlite3.Connection, batch: bytes) -> None:
    rows = [msgspec.json.decode(line) for line in batch.splitlines()]
    db.execute("BEGIN IMMEDIATE")
    for row in rows:
        body, rulings = encode(row["body"]).decode(), encode(row["rulings"]).decode()
        prev, hash_ = bytes.fromhex(row["prev"]), bytes.fromhex(row["hash"])
        db.execute(
            "INSERT INTO entry VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?)",
            (row["log_id"], row["seq"], row["at_wall"], row["at_mono_ns"], row["boot_id"], row["actor"], row["kind"],
             row["n"], body, rulings, row["state"], prev, hash_),
        )  # fmt: skip
    db.execute("COMMIT")


def timed(take: object, batches: list[bytes]) -> float:
    """Entries a second."""
    began = time.perf_counter()
    for batch in batches:
        take(batch)  # type: ignore[operator]
    return sum(batch.count(b"\n") for batch in batches) / (time.perf_counter() - began)


def test_ingest_keeps_up_with_half_of_bare_sqlite(tmp_path: Path) -> None:
    raced = logs()
    batches = [lines(log[at : at + BATCH]) for at in range(0, ENTRIES, BATCH) for log in raced]
    shares = []
    for run in range(RUNS):
        there = bare(tmp_path / f"bare {run}", batches)
        with Ledger(tmp_path / f"hall {run}") as ledger:
            ours = timed(ledger.ingest, batches)
            again = timed(ledger.ingest, batches)
            assert {head.seq for head in ledger.heads().values()} == {ENTRIES}
        shares.append(ours / there)
        print(f"\nbare {there:,.0f}/s, ingest {ours:,.0f}/s ({ours / there:.0%}), the same once more {again:,.0f}/s")
    assert SMOKE or max(shares) > 0.5


@needs_nats
def test_the_consumer_keeps_up_with_half_of_bare_sqlite(tmp_path: Path) -> None:
    raced = logs()
    batches = [
        (table, lines(log[at : at + BATCH])) for at in range(0, ENTRIES, BATCH) for table, log in enumerate(raced)
    ]
    shares = []
    for run in range(RUNS):
        there = bare(tmp_path / f"bare {run}", [batch for _, batch in batches])
        broker = Broker(tmp_path / f"nats {run}", "127.0.0.1", free_port())
        broker.begin()
        tables = FORK.Process(target=published, args=(broker.address, batches, go := FORK.Event()), daemon=True)
        tables.start()
        came: list[int] = []
        intake = Intake(tmp_path / f"control {run}", [broker.address], new=lambda _, answer: came.append(answer.new))  # noqa: B023
        intake.begin()
        until(lambda: intake.connected)  # noqa: B023
        began = time.perf_counter()
        go.set()
        while sum(came) < TABLES * ENTRIES:
            time.sleep(0.002)
        ours = TABLES * ENTRIES / (time.perf_counter() - began)
        tables.join()
        shares.append(ours / there)
        print(f"\nbare {there:,.0f}/s, through NATS {ours:,.0f}/s ({ours / there:.0%})")
        intake.end()
        broker.end()
    assert SMOKE or max(shares) > 0.5


def published(address: str, batches: list[tuple[int, bytes]], go: Event) -> None:
    """All tables in one process, as theirs are others than race control's."""

    async def publish() -> None:
        client = await nats.connect(address)
        go.wait()
        for table, batch in batches:
            await client.publish(wire.log_of(f"t{table}"), batch)
        await client.close()

    asyncio.run(publish())
