"""Many tables, each a process of its own with a real desk that a driver answers, in a hall with a bad network:
`python -m tests.hall.load --tables 100 --minutes 10`.

First every table races alone, then in the hall: what the hall costs a table is told from the two. A proxy loses,
doubles and holds back what goes to and from nats-server, and cuts the network once. At the end every table's log is
compared with race control's, entry by entry.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import http.client
import json
import multiprocessing
import os
import re
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from multiprocessing.connection import Connection
from pathlib import Path
from typing import NamedTuple

from companion.desk.beginning import begin_race
from companion.drivers.sensible import Sensible
from companion.hall.broker import FOLDER
from companion.hall.carrier import Carrier
from companion.hall.joined import Joined, keep
from companion.hall.keys import new_seed, public
from companion.hall.ledger import Ledger
from companion.hall.members import Members
from companion.sheets.reading import entries, reading
from tests.hall.network import Network, free_port

CARS = [{"car": 7, "driver": "Ada"}, {"car": 14, "driver": "Bob"}, {"car": 22, "driver": "Cleo"}]
ROW = re.compile(r'data-table="(\w+)".*?<b>(\d+)</b>')


class Report(NamedTuple):
    """What a table has to tell: the seconds of its answers alone and in the hall, its entries with when each was on the
    disk, how many it still had to send."""

    alone: list[float]
    together: list[float]
    written: dict[str, dict[int, float]]
    behind: int


def table(folder: Path, number: int, rate: float, seconds: float, line: Connection) -> None:
    """One table's process: races one after the other, `rate` answers a second, alone for a third of the time."""
    times: tuple[list[float], list[float]] = ([], [])
    written: dict[str, dict[int, float]] = {}
    carrier: Carrier | None = None
    race = 0
    desk, driver = None, None
    end, due = float("inf"), time.monotonic() + number / max(rate, 0.01) % 1
    while time.monotonic() < end:
        if line.poll(max(0.0, due - time.monotonic())):
            said = line.recv()
            if isinstance(said, Joined):
                carrier = Carrier(folder, said)
                carrier.begin()
            elif said == "end":
                break
            continue
        if desk is None or desk.asked is None:
            race += 1
            setup = {"track": "monaco", "laps": 2, "cars": CARS}
            desk = begin_race(setup, "monaco", folder, name=f"Table {number}, race {race}")
            driver = Sensible(desk.rulebook.track, number * 100 + race)  # type: ignore[arg-type]
            written[desk.history.log_id] = {}
        assert desk.asked is not None
        assert driver is not None
        answer = driver.answer(desk.asked, desk.rulebook.race)
        began = time.monotonic()
        desk.answer(answer, n=desk.asked.n)
        done = time.monotonic()
        times[carrier is not None].append(done - began)
        if carrier is not None:
            written[desk.history.log_id][desk.seq] = done
        due = max(due + 1 / rate, done)
    time.sleep(3)  # the carrier finds the last entry, however busy the machine is
    until = time.monotonic() + seconds
    while carrier is not None and carrier.stand.behind and time.monotonic() < until:
        time.sleep(0.1)
    line.send(Report(*times, written, carrier.stand.behind if carrier is not None else -1))
    if carrier is not None:
        carrier.end()
    os._exit(0)


class Watched(threading.Thread):
    """A page of race control, and when it first showed each table's entries."""

    def __init__(self, port: int) -> None:
        super().__init__(daemon=True)
        self.port = port
        self.seen: dict[str, list[tuple[int, float]]] = {}

    def run(self) -> None:
        line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        line.request("GET", "/events?page=control&lang=en")
        reply = line.getresponse()
        while said := reply.readline():
            if said.startswith(b"data: "):
                at = time.monotonic()
                for one, seq in ROW.findall("".join(json.loads(said[6:])["parts"].values())):
                    known = self.seen.setdefault(one, [])
                    if not known or known[-1][0] != int(seq):
                        known.append((int(seq), at))


class Crowd(threading.Thread):
    """So many pages of the wall that are read and thrown away."""

    def __init__(self, port: int, count: int) -> None:
        super().__init__(daemon=True)
        self.port, self.count, self.read = port, count, 0

    def run(self) -> None:
        asyncio.run(self._all())

    async def _all(self) -> None:
        await asyncio.gather(*(self._one() for _ in range(self.count)), return_exceptions=True)

    async def _one(self) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port, limit=1 << 22)
        writer.write(f"GET /events?page=wall&lang=en HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\n\r\n".encode())
        while part := await reader.read(1 << 16):
            self.read += len(part)


def joined(folder: Path, members: Members, name: str, broker: int) -> Joined:
    """A table that has joined, and reaches the broker through the bad network."""
    seed = new_seed()
    table, _ = members.join(members.code(name), public(seed))
    server = f"nats://127.0.0.1:{broker}"
    place = Joined(hall=members.hall, table=name, id=table, servers=[server], seed=seed)
    keep(folder, place)
    return place


def share(values: list[float], part: float) -> float:
    """What so large a part of the values is below."""
    return sorted(values)[min(int(len(values) * part), len(values) - 1)] if values else float("nan")


def main() -> None:
    given = argparse.ArgumentParser(description=__doc__)
    given.add_argument("--tables", type=int, default=100)
    given.add_argument("--rate", type=float, default=0.2, help="answers a second at each table")
    given.add_argument("--minutes", type=float, default=10.0)
    given.add_argument("--pages", type=int, default=200, help="pages of the wall that are open")
    given.add_argument(
        "--bad", type=int, default=15, help="how many of 100 messages are lost, doubled, held back; 0: nor is it cut"
    )
    told = given.parse_args()
    seconds = told.minutes * 60
    context = multiprocessing.get_context("fork")
    with tempfile.TemporaryDirectory() as temporary:
        folder, lines = Path(temporary), []
        for number in range(told.tables):
            (folder / f"t{number}").mkdir()
            mine, theirs = context.Pipe()
            context.Process(
                target=table, args=(folder / f"t{number}", number, told.rate, seconds, theirs), daemon=True
            ).start()
            lines.append(mine)
        time.sleep(seconds / 3)
        nats, port = free_port(), free_port()
        command = [sys.executable, "-m", "companion.commands.main", "--data", str(folder / "control"), "hall", "serve",
                   "--on", "127.0.0.1", "--nats", str(nats), "--port", str(port)]  # fmt: skip
        hall = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert hall.stdout is not None
        assert any("#" in said for said in hall.stdout)
        members = Members(folder / "control" / FOLDER)
        network = Network(nats)
        network.lost = network.doubled = network.held = told.bad
        ids = {}
        for number, line in enumerate(lines):
            place = joined(folder / f"t{number}", members, f"Table {number}", network.port)
            ids[place.id] = number
            line.send(place)
        watched, crowd = Watched(port), Crowd(port, told.pages)
        watched.start()
        crowd.start()
        since = time.monotonic() + 5  # by then every table has reached the broker
        time.sleep(seconds / 3)
        if told.bad:
            network.part()
            time.sleep(min(30.0, seconds / 12))
            network.cut = False
        time.sleep(seconds / 3)
        status = Path(f"/proc/{hall.pid}/status").read_text()
        for line in lines:
            line.send("end")
        reports: list[Report] = [line.recv() for line in lines]
        time.sleep(1)
        hall.terminate()
        hall.wait(20)
        tell(reports, ids, watched, status, folder, network, since)


def tell(
    reports: list[Report],
    ids: dict[str, int],
    watched: Watched,
    status: str,
    folder: Path,
    network: Network,
    since: float,
) -> None:
    """Compares the logs, and tells the figures."""
    missing = count = logs = 0
    with Ledger(folder / "control" / "hall") as ledger:
        for number, report in enumerate(reports):
            with reading(folder / f"t{number}", check=False) as db:
                for log_id in report.written:
                    own = list(entries(db, log_id))
                    logs, count = logs + 1, count + len(own)
                    missing += own != ledger.entries(log_id)
        alarms = ledger.alarms()
    late = []
    for one, seen in watched.seen.items():
        when = dict(seen)
        for log in reports[ids[one]].written.values():
            late += [when[seq] - at for seq, at in log.items() if at > since and seq in when]
    alone, together = ([second for one in reports for second in one[place]] for place in (0, 1))
    memory = re.search(r"VmRSS:\s+(\d+)", status)
    assert memory
    print(f"{len(reports)} tables, {logs} logs, {count} entries; {network.passed} messages through the bad network")
    behind = sum(one.behind for one in reports)
    print(f"logs that differ at race control: {missing}; alarms: {len(alarms)}; still to send: {behind}")
    for name, values in (("alone", alone), ("in the hall", together)):
        middle = statistics.median(values) if values else float("nan")
        print(
            f"an answer {name}: median {middle * 1000:.2f} ms, 95th {share(values, 0.95) * 1000:.2f} ms ({len(values)})"
        )
    middle, last = share(late, 0.5) * 1000, share(late, 0.99) * 1000
    print(f"from the disk to the page: median {middle:.0f} ms, 99th {last:.0f} ms ({len(late)})")
    print(f"memory of race control: {int(memory[1]) / 1024:.0f} MB")
    sys.exit(bool(missing or alarms))


if __name__ == "__main__":
    with contextlib.suppress(KeyboardInterrupt):
        main()
