"""Many tables, each a process of its own with a real desk that a driver answers, in a hall with a bad network:
`python -m tests.hall.load --tables 100 --minutes 10`; how fast the pages are is told by `--bad 0 --first`.

For a quarter of the time there are tables only; then half of them are in a hall, the others beside it in the same
minutes, on the same machine; then all. What the hall costs a table is told from these, and no answer may take 1.2 times
as long, at the median, the 95th and the 99th of 100. A proxy loses, doubles and holds back what goes to and from
nats-server, and cuts the network once. At the end every table drives its race to the flag; every log is compared with
race control's, entry by entry, and the standings with those that the tables' own files come to.
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
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from multiprocessing.connection import Connection
from pathlib import Path
from typing import NamedTuple

from companion.desk.beginning import begin_race
from companion.desk.organising import result_of
from companion.drivers.sensible import HeuristicDriver
from companion.hall.broker import FOLDER
from companion.hall.carrier import Carrier
from companion.hall.keys import new_seed, public
from companion.hall.ledger import Ledger
from companion.hall.members import Members
from companion.hall.membership import Membership, keep
from companion.rules.conversation.errors import CompanionError
from companion.sheets.entry import Entry
from companion.sheets.place import LEDGER
from companion.sheets.reading import entries, reading
from companion.tournament.standings import points_of
from tests.hall.network import Network, free_port

ROW = re.compile(r'data-table="(\w+)".*?<b>(\d+)</b>')
BOUND = 1.2
"""How much longer an answer may take than without a hall."""
SCALE = (10, 6, 4)
"""The points of the places, of which the standings are made."""


class Report(NamedTuple):
    """The report of a table: of each answer when it was given, how many seconds it took and whether the table was in
    the hall; its entries there with when each was on the disk; how many it still had to send."""

    answers: list[tuple[float, float, bool]]
    written: dict[str, dict[int, float]]
    behind: int


def table(folder: Path, number: int, rate: float, seconds: float, line: Connection) -> None:
    """One table's process: races one after the other, `rate` answers a second, the last one to the flag at once."""
    answers: list[tuple[float, float, bool]] = []
    written: dict[str, dict[int, float]] = {}
    carrier: Carrier | None = None
    desk, driver = None, None
    cars = [{"car": car, "driver": f"Driver {3 * number + car}"} for car in (1, 2, 3)]
    ends, due = False, time.monotonic() + number / max(rate, 0.01) % 1
    while not ends or (desk is not None and desk.asked is not None):
        if not ends and line.poll(max(0.0, due - time.monotonic())):
            said = line.recv()
            if isinstance(said, Membership):
                carrier = Carrier(folder, said)
                carrier.begin()
            ends = said == "end"
            continue
        if desk is None or desk.asked is None:
            race = len(written) + 1
            setup = {"track": "monaco", "laps": 1, "cars": cars}
            desk = begin_race(setup, "monaco", folder, name=f"Table {number}, race {race}")
            driver = HeuristicDriver(desk.rulebook.track, number * 100 + race)  # type: ignore[arg-type]
            written[desk.history.log_id] = {}
        assert desk.asked is not None
        assert driver is not None
        answer = driver.answer(desk.asked, desk.rulebook.race)
        began = time.monotonic()
        desk.answer(answer, n=desk.asked.n)
        done = time.monotonic()
        if not ends:
            answers.append((began, done - began, carrier is not None))
            if carrier is not None:
                written[desk.history.log_id][desk.seq] = done
        due = max(due + 1 / rate, done)
    time.sleep(3)  # the carrier finds the last entry, however busy the machine is
    until = time.monotonic() + max(seconds, 400)
    while carrier is not None and carrier.stand.behind and time.monotonic() < until:
        time.sleep(0.1)
    line.send(Report(answers, written, carrier.stand.behind if carrier is not None else -1))
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


class Crowd:
    """So many pages of the wall that are read and thrown away, in a process of their own: theirs are other machines."""

    def __init__(self, port: int, count: int) -> None:
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


def joined(folder: Path, members: Members, name: str, broker: int) -> Membership:
    """A table that has joined, and reaches the broker through the bad network."""
    seed = new_seed()
    table, _ = members.join(members.code(name), public(seed))
    server = f"nats://127.0.0.1:{broker}"
    place = Membership(hall=members.hall, table=name, id=table, servers=[server], seed=seed)
    keep(folder, place)
    return place


def share(values: list[float], part: float) -> float:
    """Return the value below which so large a part of the values lies."""
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
    given.add_argument(
        "--hall", type=Path, help="where race control's data lie, on another disk than the tables' (default: beside)"
    )
    given.add_argument(
        "--first",
        action="store_true",
        help="race control has the processors before the tables, as on a machine of its own",
    )
    told = given.parse_args()
    quarter = told.minutes * 15
    context = multiprocessing.get_context("fork")
    with tempfile.TemporaryDirectory() as temporary, tempfile.TemporaryDirectory(dir=told.hall) as apart:
        folder, control, lines = Path(temporary), Path(apart), []
        for number in range(told.tables):
            (folder / f"t{number}").mkdir()
            mine, theirs = context.Pipe()
            context.Process(
                target=table, args=(folder / f"t{number}", number, told.rate, 2 * quarter, theirs), daemon=True
            ).start()
            theirs.close()  # a table that dies is heard to
            lines.append(mine)
        time.sleep(quarter)
        nats, port = free_port(), free_port()
        command = [sys.executable, "-m", "companion.commands.main", "--data", str(control), "hall", "serve",
                   "--on", "127.0.0.1", "--nats", str(nats), "--port", str(port)]  # fmt: skip
        hall = subprocess.Popen(
            ["nice", "-n", "-15", *command] if told.first else command, stdout=subprocess.PIPE, text=True
        )
        assert hall.stdout is not None
        assert any("#" in said for said in hall.stdout)
        members = Members(control / FOLDER)
        network = Network(nats)
        network.lost = network.doubled = network.held = told.bad
        ids = {}

        def join(numbers: range) -> float:
            """Let so many tables join; return when each has reached the broker."""
            for number in numbers:
                place = joined(folder / f"t{number}", members, f"Table {number}", network.port)
                ids[place.id] = number
                lines[number].send(place)
            return time.monotonic() + 5

        watched = Watched(port)
        watched.start()
        context.Process(target=Crowd(port, told.pages).run, daemon=True).start()
        half = join(range(0, told.tables, 2))
        time.sleep(5 + quarter)
        apart_until = time.monotonic()
        every = join(range(1, told.tables, 2))
        time.sleep(quarter)
        if told.bad:
            network.part()
            time.sleep(min(30.0, quarter / 4))
            network.cut = False
        time.sleep(quarter)
        memory = [resident(hall.pid), resident(int((control / FOLDER / "nats.pid").read_text()))]
        for line in lines:
            line.send("end")
        reports: list[Report] = [line.recv() for line in lines]
        time.sleep(1)
        began = time.monotonic()
        hall.terminate()
        hall.wait(20)
        print(f"race control and its broker: {memory[0]:.0f} and {memory[1]:.0f} MB; ended in "
              f"{time.monotonic() - began:.1f} s; {network.passed} messages through the network")  # fmt: skip
        fast = waited(reports, half, apart_until, every)
        seen(reports, ids, watched, every)
        same = compared(reports, folder, control)
        sys.exit(not (fast and same))


def resident(pid: int) -> float:
    """How many MB a process has."""
    found = re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{pid}/status").read_text())
    assert found
    return int(found[1]) / 1024


def waited(reports: list[Report], half: float, apart_until: float, every: float) -> bool:
    """Tells how long answers took; whether those of the tables in the hall are within the bound of those beside it."""
    answers = [one for report in reports for one in report.answers]
    told = {
        "before there was a hall": [took for at, took, inside in answers if at < half - 5 and not inside],
        "beside the hall": [took for at, took, inside in answers if half < at < apart_until and not inside],
        "in it, the same minutes": [took for at, took, inside in answers if half < at < apart_until and inside],
        "in it, all tables": [took for at, took, inside in answers if at > every and inside],
    }
    marks = (0.5, 0.95, 0.99, 1.0)
    figures = {name: [share(values, part) * 1000 for part in marks] for name, values in told.items()}
    print("an answer in ms: median, 95th, 99th, longest")
    for name, values in told.items():
        print(f"  {name:24}" + "".join(f"{one:9.2f}" for one in figures[name]) + f"  ({len(values)})")
    beside, inside = figures["beside the hall"], figures["in it, the same minutes"]
    ratios = [one / other for one, other in zip(inside, beside, strict=True)]
    print("  in it against beside it " + "".join(f"{one:9.2f}" for one in ratios) + f"  (bound {BOUND})")
    return max(ratios[:3]) <= BOUND


def seen(reports: list[Report], ids: dict[str, int], watched: Watched, since: float) -> None:
    """Tells how long an entry was on its way to the page."""
    late = []
    for one, shown in watched.seen.items():
        when = dict(shown)
        for log in reports[ids[one]].written.values():
            late += [when[seq] - at for seq, at in log.items() if at > since and seq in when]
    print("from the disk to the page: " + ", ".join(
        f"{name} {share(late, part) * 1000:.0f} ms" for name, part in (("median", 0.5), ("99th", 0.99))
    ) + f" ({len(late)})")  # fmt: skip


def compared(reports: list[Report], folder: Path, control: Path) -> bool:
    """Compares the logs entry by entry, and the standings; whether all of it is the same."""
    missing = count = logs = 0
    own, halls = Counter[int](), Counter[int]()
    with Ledger(control / LEDGER) as ledger:
        for number, report in enumerate(reports):
            with reading(folder / f"t{number}") as db:
                for log_id in report.written:
                    log = list(entries(db, log_id))
                    logs, count = logs + 1, count + len(log)
                    missing += log != ledger.entries(log_id)
                    scored(own, log, 3 * number)
                    scored(halls, ledger.entries(log_id), 3 * number)
        alarms = ledger.alarms()
    behind = sum(one.behind for one in reports)
    print(f"{len(reports)} tables, {logs} races, {count} entries: {missing} logs differ at race control, "
          f"{len(alarms)} alarms, {behind} still to send")  # fmt: skip
    first = ", ".join(f"{who} {points}" for who, points in sorted(own.items(), key=lambda one: (-one[1], one[0]))[:5])
    print(f"standings of {len(own)} drivers {'are the same' if own == halls else 'DIFFER'}: {first}, ...")
    return not missing and not alarms and not behind and own == halls


def scored(standings: Counter[int], log: list[Entry], before: int) -> None:
    """The points that the result of a race brings; so many drivers sit at the tables before."""
    with contextlib.suppress(CompanionError):  # one that did not come to race control, or not whole
        for line in result_of(log)[0]:
            standings[before + line.driver] += points_of(line.place, SCALE)


if __name__ == "__main__":
    with contextlib.suppress(KeyboardInterrupt):
        main()
