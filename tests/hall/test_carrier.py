"""Logs on their way to race control over a real nats-server, and race control's words on theirs to the tables."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import shutil
import signal
import socket
import sqlite3
import subprocess
from collections.abc import Iterator
from pathlib import Path

import nats
import pytest

from companion.desk.record_desk import RecordDesk
from companion.hall.broker import Broker, NoBroker, program
from companion.hall.carrier import Carrier
from companion.hall.intake import Intake
from companion.hall.ledger import Ledger
from companion.hall.membership import WORDS, Membership
from companion.hall.outbox import Outbox
from companion.hall.wire import Call
from companion.rules.conversation.errors import LogError
from companion.sheets.entry import Entry
from companion.sheets.log import now
from companion.sheets.reading import entries, reading
from companion.tournament.control import Control, DayOpened, Message
from tests.french import told_in_french
from tests.hall.logs import made, more, written
from tests.hall.network import Network, free_port, needs_nats, until

pytestmark = needs_nats


def logged(folder: Path, log_id: str) -> list[Entry]:
    """What there is of a log in a folder."""
    with contextlib.suppress(LogError), reading(folder) as db:
        return list(entries(db, log_id))
    return []


class Hall:
    """A broker, race control, and a network to the tables."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.control = folder, folder / "control"
        self.broker = Broker(folder / "nats", "127.0.0.1", free_port())
        self.broker.begin()
        self.network = Network(self.broker.port)
        self.intake = Intake(self.control, [self.broker.address])
        self.intake.begin()
        self.carriers: list[Carrier] = []

    def table(self, name: str, log: list[Entry] | None = None, **more: object) -> Carrier:
        if log is not None:
            written(self.folder / name, log)
        place = Membership(hall="hall", table=name, id=name, servers=[self.network.address], **more)  # type: ignore[arg-type]
        self.carriers.append(carrier := Carrier(self.folder / name, place))
        carrier.begin()
        return carrier

    def has(self, log: list[Entry]) -> bool:
        """Whether race control has all of a log."""
        return logged(self.control / "hall", log[0].log_id) == log

    def anew(self) -> None:
        """Race control is started again."""
        self.intake.end()
        self.intake = Intake(self.control, [self.broker.address])
        self.intake.begin()

    def close(self) -> None:
        for carrier in self.carriers:
            carrier.end()
        self.intake.end()
        self.network.close()
        self.broker.end()


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[Hall]:
    one = Hall(tmp_path)
    until(lambda: one.intake.connected)
    yield one
    one.close()


def settled(carrier: Carrier) -> bool:
    return carrier.stand == ("connected", 0, "")


def test_what_a_table_writes_is_at_race_control(hall: Hall) -> None:
    log = made(60)
    table = hall.table("one", log[:40])
    assert table.stand[:2] == ("alone", 0), "before anybody was heard"
    until(lambda: settled(table) and hall.has(log[:40]))
    written(hall.folder / "one", log[40:])
    until(lambda: hall.has(log) and settled(table))
    until(lambda: hall.intake.heard["one"].beat.behind == 0)
    assert abs(hall.intake.heard["one"].skew) < 5


def test_logs_from_before_it_joined_stay_at_home(hall: Hall) -> None:
    old, new = made(10, seed=1), made(10, seed=2)
    written(hall.folder / "one", old)
    table = hall.table("one", since=10)
    written(hall.folder / "one", new)
    until(lambda: hall.has(new) and settled(table))
    assert not hall.has(old)
    written(hall.folder / "one", more(old, 1)[10:])
    until(lambda: hall.has(more(old, 1)))


@pytest.mark.parametrize("size", [1_000_000, 3_900_000])
def test_a_beginning_with_a_long_circuit_comes_in_one_piece(hall: Hall, size: int) -> None:
    log = made(3, track="x" * size)
    table = hall.table("one", log)
    until(lambda: settled(table) and hall.has(log))


def test_a_broker_that_is_killed_is_started_again_and_nothing_is_lost(hall: Hall) -> None:
    log = made(200)
    table = hall.table("one", log[:50])
    until(lambda: settled(table))
    for part in (range(50, 125), range(125, 200)):
        killed = hall.broker.pid
        os.kill(killed, signal.SIGKILL)
        for at in part:
            written(hall.folder / "one", log[at : at + 1])
        until(lambda: hall.broker.pid != killed)  # noqa: B023
    until(lambda: hall.has(log) and settled(table))


def test_what_is_written_as_the_line_breaks_is_behind(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    """It was looked for, and nobody could be told of it any more: the next look finds nothing new."""
    log = made(60)
    table = hall.table("one", log[:40])
    until(lambda: settled(table) and hall.has(log[:40]))

    def breaks(outbox: Outbox, now: float) -> bytes | None:
        hall.network.cut = True
        raise LogError("The line breaks.")

    monkeypatch.setattr(Outbox, "batch", breaks)
    written(hall.folder / "one", log[40:])
    until(lambda: table.stand.behind == 20)


def test_a_race_control_from_an_old_copy_asks_for_more(hall: Hall) -> None:
    log = made(90)
    table = hall.table("one", log[:30])
    until(lambda: settled(table))
    hall.intake.end()
    shutil.copytree(hall.control, hall.folder / "copy")
    hall.anew()
    written(hall.folder / "one", log[30:])
    until(lambda: hall.has(log) and settled(table))
    hall.intake.end()
    shutil.rmtree(hall.control)
    (hall.folder / "copy").rename(hall.control)
    assert not hall.has(log)
    hall.anew()
    until(lambda: hall.has(log))


def test_a_network_that_loses_doubles_and_holds_back(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    """15 in 100 lost either way, as many doubled, more held back; then cut in two, and whole again."""
    monkeypatch.setattr("companion.hall.outbox.BATCH", 6000)
    monkeypatch.setattr("companion.hall.outbox.AGAIN", 0.1)
    monkeypatch.setattr("companion.hall.wire.BEAT", 0.2)
    net, logs = hall.network, {f"t{n}": made(120, seed=n) for n in range(1, 4)}
    net.lost, net.doubled, net.held = 15, 15, 30
    tables = {name: hall.table(name, log[:20]) for name, log in logs.items()}
    for at in range(20, 100, 4):
        for name, log in logs.items():
            written(hall.folder / name, log[at : at + 4])
        if at == 60:
            net.part()
    until(lambda: all(table.stand.behind for table in tables.values()))  # it goes on all the same
    net.cut = False
    for name, log in logs.items():
        written(hall.folder / name, log[100:])
        until(lambda: hall.has(log))  # noqa: B023
    until(lambda: all(map(settled, tables.values())))
    assert net.passed > 100
    with Ledger(hall.control / "hall") as ledger:
        assert ledger.alarms() == []


def test_while_the_broker_s_disk_is_full_tables_are_behind_and_nothing_is_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The broker drops what it cannot keep, and says so in its own log alone: the tables send it again."""
    monkeypatch.setattr("companion.hall.outbox.AGAIN", 0.2)
    monkeypatch.setattr("companion.hall.broker.ROOM", 8192)
    (store := tmp_path / "nats/store").mkdir(parents=True)
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", store], capture_output=True, check=False
    )
    if mounted.returncode:
        pytest.skip("Only root can mount a small disk.")
    try:
        with contextlib.closing(Hall(tmp_path)) as hall:
            until(lambda: hall.intake.connected)
            log = made(60)
            table = hall.table("one", log[:20])
            until(lambda: settled(table))
            assert not hall.broker.full
            with contextlib.suppress(OSError), (store / "filler").open("wb", buffering=0) as filler:
                while True:
                    filler.write(b"x" * 4096)
            written(hall.folder / "one", log[20:40])
            until(lambda: "no space left" in (tmp_path / "nats/nats.log").read_text())
            assert table.stand[:2] == ("behind", 20)
            assert hall.broker.full, "which the page says"
            assert hall.has(log[:20])
            (store / "filler").unlink()
            written(hall.folder / "one", log[40:])
            until(lambda: hall.has(log) and settled(table))
    finally:
        subprocess.run(["umount", "--lazy", store], check=True)


def test_race_control_s_words_are_at_the_table(hall: Hall) -> None:
    table = hall.table("one", made(3))
    with RecordDesk.begin(hall.control, Control, DayOpened(name="Saturday"), by="Ada") as desk:
        desk.act(Message(text="Lunch"), by="Ada")
        words = hall.folder / "one" / WORDS
        until(lambda: len(logged(words, desk.log_id)) == 2)
        desk.act(Message(text="Dinner"), by="Ada")
        until(lambda: len(logged(words, desk.log_id)) == 3)
        assert "Dinner" in logged(words, desk.log_id)[-1].body
    until(lambda: settled(table))


def test_a_table_calls_and_hears_who_comes(hall: Hall) -> None:
    table = hall.table("one", made(3))
    table.call(Call("a" * 32, 3, 2, now()))
    until(lambda: "one" in hall.intake.heard and hall.intake.heard["one"].beat.call)
    hall.intake.comes("one", "Jo")
    until(lambda: table.coming == "Jo")
    table.call(None)
    until(lambda: hall.intake.heard["one"].beat.call is None)
    assert table.coming == ""


def test_what_is_no_message_hurts_nobody(hall: Hall) -> None:
    """Whoever has a table's key may say anything in its name."""
    import asyncio

    import nats

    log = made(5)

    async def shout() -> None:
        client = await nats.connect(hall.broker.address)
        for data in (
            b"",
            b"\xff",
            b"{}" * 9,
            b'{"at":3}',
            b'{"at":"x","asks":["y"],"heard":-1,"day":"z"}',
            b"[" * 9999,
        ):
            for subject in ("hall.one.log", "hall.one.beat", "hall.one.told", "hall.all"):
                await client.publish(subject, data)
        await client.flush()
        await client.close()

    table = hall.table("one", log[:3])
    until(lambda: settled(table))
    asyncio.run(shout())
    with socket.create_connection(("127.0.0.1", hall.broker.port), 10) as line:  # ten MB in one message
        line.sendall(b"CONNECT {}\r\nPUB hall.one.log 10000000\r\n")
        assert b"Maximum Payload" in b"".join(iter(lambda: line.recv(4096), b"")), "and the line is closed"
    written(hall.folder / "one", log[3:])
    until(lambda: hall.has(log))


def test_without_nats_one_sentence_says_how_to_get_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program.cache_clear()
    monkeypatch.setattr("companion.hall.broker.shutil.which", lambda *_, **__: None)
    with pytest.raises(NoBroker, match="apt-get install nats-server") as wrong:
        Broker(tmp_path).begin()
    program.cache_clear()
    told_in_french(wrong.value)


def test_a_broker_that_cannot_start_says_why(hall: Hall, tmp_path: Path) -> None:
    with pytest.raises(NoBroker, match="cannot be had") as wrong:
        Broker(tmp_path / "second", "127.0.0.1", hall.broker.port).begin()
    told_in_french(wrong.value)


def test_a_table_s_own_damaged_database_is_told_and_not_sent(hall: Hall) -> None:
    table = hall.table("one", made(300))
    until(lambda: settled(table))
    table.end()
    with sqlite3.connect(hall.folder / "one" / "races.db") as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    path = hall.folder / "one" / "races.db"
    path.write_bytes(path.read_bytes()[:50] + b"x" * 9000)
    again = hall.table("one")
    until(lambda: "damaged" in again.why or "database" in again.why)


BEAT = {"at": "2026-01-01T12:00:00.000+00:00", "lag": 0.5, "call": None}
NO_BEATS: list[bytes] = [
    b"", b"\xff", b"[]", b'{"at":"\xff"}', b'{"at":' + b"[" * 100_000,
    *(
        json.dumps({**BEAT, name: value}).encode()
        for name in ("lag", "behind", "heard", "lacks", "asks", "at", "call", "day", "leaves")
        for value in (1e308, -1e308, -1, 10**30, [None], {"a": 1}, "\u202e", "x" * 70_000)
        if not (isinstance(value, str) and name in ("at", "day"))
    ),
]  # fmt: skip
"""What no table says of itself."""


def test_a_beat_that_is_none_is_not_heard(hall: Hall) -> None:
    async def said() -> None:
        client = await nats.connect(f"nats://127.0.0.1:{hall.broker.port}")
        for at, beat in enumerate(NO_BEATS):
            await client.publish(f"hall.none{at}.beat", beat)
        await client.publish("hall.wild.beat", json.dumps({**BEAT, "at": "9999-99", "day": "x", "heard": 3}).encode())
        await client.publish("hall.sound.beat", json.dumps(BEAT).encode())
        await client.drain()

    until(lambda: hall.intake.connected)
    asyncio.run(said())
    until(lambda: "sound" in hall.intake.heard)
    assert hall.intake.heard.keys() == {"wild", "sound"}
    assert hall.intake.connected
