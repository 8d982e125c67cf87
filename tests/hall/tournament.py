"""The commissioner's tournament through the hall: `python -m tests.hall.tournament [--touches N] [--pictures FOLDER]`.

Forty drivers from a list, two sessions of trials, five tables, a final of eight. Race control is `companion hall` with
pages in a real browser: its codes, its starts and its confirmations are given there. Each table is a touchscreen in a
process of its own, joined by its code, which begins what it was given and answers by fingers. In the middle race
control and one table are killed. At the end every table's log is at race control entry by entry, and every result is
the one that the table's own log comes to.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

from companion.desk.begun import begun_in
from companion.desk.organising import kept_log, result_of
from companion.hall.ledger import Ledger
from companion.sheets.place import LEDGER
from companion.sheets.reading import entries, reading
from companion.sheets.records import kept_record
from companion.tournament.tournament import Tournament
from tests.hall.network import free_port, until
from tests.hall.test_serve import said, serving
from tests.tournament.commanding import Commander
from tests.web.browser import Browsers, Page
from tests.web.touched import Touchscreen, touchscreen

CLUBS = 10
TYPE = """
    const form = document.querySelector(arguments[0]);
    form.querySelector("input").value = arguments[1];
    form.querySelector("button").click();
"""
"""Types a word into a form, and taps its key."""


class Day:
    """A tournament of so many drivers at so many tables, from the entries to the last confirmation. After `touches`
    answers by fingers in each race its drivers go on by themselves."""

    def __init__(
        self, folder: Path, *, drivers: int, tables: int, final: int, touches: int, pictures: Path | None
    ) -> None:
        self.folder, self.control = folder, folder / "control"
        self.drivers, self.count, self.final, self.touches = drivers, tables, final, touches
        self.pictures = pictures
        self.run = Commander(self.control, "tournament")
        self.nats, self.port = free_port(), free_port()
        self.tables: dict[str, Touchscreen] = {}
        self.ends = contextlib.ExitStack()
        self.told = {"touched": 0, "answered": 0, "races": 0}
        self._counting = threading.Lock()

    @property
    def record(self) -> Tournament:
        record = kept_record(self.control, "last", "tournament").record
        assert isinstance(record, Tournament)
        return record

    # -- the day

    def go(self) -> dict[str, Any]:
        """All of it; what was found."""
        began = time.monotonic()
        self.enter()
        with self.ends:
            self.open()
            self.seat(["seed", "--tables", str(self.count)])
            self.race(1, self.count, kill=True)
            if self.final:
                self.seat(["seed", "--tables", "1", "--from", "standings", "--first", str(self.final), "--final"])
                self.race(2, 1)
            self.picture("after")
            wall = self.wall.wait(lambda: self.wall.text("#standings"))
            first = self.record.standings()[0].who
            assert f"Driver {first}\n" in wall or f"Driver {first}" in wall, wall
            assert not self.page.text("#starts")
        self.compare()
        return {**self.told, "standings": [line.who for line in self.record.standings()][:8],
                "seconds": round(time.monotonic() - began)}  # fmt: skip

    def enter(self) -> None:
        """Entrants from a list, and their trials."""
        self.run("new", "Rhône Masters", "--sessions", "2", "--laps", "1", "--points", "formula-de")
        listed = self.folder / "entrants.csv"
        rows = [f"{n};Driver {n};Club {n % CLUBS}" for n in range(1, self.drivers + 1)]
        listed.write_text("number;name;team\n" + "\n".join(rows), "utf-8")
        self.run("import", str(listed))
        self.run("checkin", "all")
        for session in (1, 2):
            self.run("weather", "5", "--session", str(session))
            for n in range(1, self.drivers + 1):
                throws, clock = 14 + (n * 7 + session * 11) % 9, (n * 37 + session * 101) % 40
                self.run("time", str(n), str(throws), f"1:{clock:02}", "--session", str(session))

    def open(self) -> None:
        """Race control, its pages, and the tables by the codes that its page gives."""
        self.hall, code = self.ends.enter_context(serving(self.control, self.nats, self.port))
        browsers = Browsers()
        self.ends.callback(browsers.close)
        self.page, self.wall = browsers.page(1280, 720, "en"), browsers.page(1920, 1080, "fr")
        self.page.open(f"http://127.0.0.1:{self.port}/control?lang=en#{code}")
        self.wall.open(f"http://127.0.0.1:{self.port}/?lang=fr")
        self.second = said(self.control, "official", "Ben").strip().rpartition("#")[2]
        for at in range(1, self.count + 1):
            self.page.run(TYPE, "form[data-post='/code']", f"Table {at}")
            given = self.page.wait(lambda: (told := self.page.text("#told")) != "Written." and told)
            place = self.folder / f"table {at}"
            said(place, "join", given.split()[-1], "--at", "127.0.0.1", "--port", str(self.port))
            self.page.run("document.getElementById('told').textContent = ''")
            self.tables[str(at)] = self.ends.enter_context(touchscreen(place, free_port()))
        self.page.wait(
            lambda: self.page.run("return document.querySelectorAll('#tables tbody tr').length") == self.count
        )

    def seat(self, seeding: list[str]) -> None:
        """The tables of a round, and their weather."""
        number = len(self.record.rounds) + 1
        self.run(*seeding)
        self.run("publish", *(["--why", "one table"] if len(self.record.broken(number)) else []))
        self.run("weather", "5", "--round", str(number))

    def race(self, number: int, tables: int, *, kill: bool = False) -> None:
        """A round: started on race control's page, raced at the tables, confirmed by two."""
        self.page.wait(lambda: f"{number}.{tables}" in self.page.text("#starts"))
        self.picture(f"round {number}")
        self.page.tap("#starts header button" if tables > 1 else "#starts form button")
        begin = threading.Barrier(tables + 1)
        racing = [
            threading.Thread(target=self.at_table, args=(str(at), begin, kill and at == 1))
            for at in range(1, tables + 1)
        ]
        for one in racing:
            one.start()
        begin.wait(300)
        self.picture(f"round {number} racing")
        if kill:
            self.again()
        for one in racing:
            one.join()
        keys = [f"{number}.{at}" for at in range(1, tables + 1)]
        until(lambda: all(key in self.record.results for key in keys), 300)
        for _ in keys:
            self.page.wait(lambda: self.page.run("return !!document.querySelector('#confirm .keys button')"))
            title = self.page.text("#confirm h2")
            self.page.tap("#confirm .keys button")
            self.page.wait(lambda: self.page.run("return !!document.querySelector('#confirm form')"))
            self.picture(f"round {number} to confirm")
            self.page.run(TYPE, "#confirm form", self.second)
            self.page.wait(lambda title=title: self.page.text("#confirm h2") != title)
        until(lambda: all(self.record.results[key].official for key in keys), 120)
        assert {self.record.results[key].confirmed.by for key in keys} == {"Ben"}  # type: ignore[union-attr]

    def at_table(self, name: str, begin: threading.Barrier, kill: bool) -> None:
        """A race at a touchscreen: begun by its great key at home, answered by fingers."""
        table, touched, answered = self.tables[name], 0, 0
        end = time.monotonic() + 120
        while not table.do("given"):
            assert time.monotonic() < end, f"table {name} has heard nothing"
            time.sleep(0.1)
        table.do("resume")
        begin.wait(300)
        while touched < self.touches and (asked := table.do("asked")) is not None:
            answered += 1
            touched += table.do("answer", answer=asked["answer"])
            if kill and touched == min(self.touches, 12) // 2:
                kill, before = False, table.do("told")
                table.kill()
                self.tables[name] = table = self.ends.enter_context(
                    touchscreen(self.folder / f"table {name}", free_port())
                )
                table.do("resume")
                assert table.do("told") == before
        table.do("rest")
        table.do("home")
        with self._counting:
            self.told["touched"] += touched
            self.told["answered"] += len(kept_log(self.folder / f"table {name}", "last"))
            self.told["races"] += 1

    def again(self) -> None:
        """Race control is killed, and started again; its pages find it by themselves."""
        self.hall.kill()
        self.hall.wait(10)
        self.hall, code = self.ends.enter_context(serving(self.control, self.nats, self.port))
        self.page.open(f"http://127.0.0.1:{self.port}/control?lang=en#{code}")
        self.page.wait(lambda: self.page.run("return document.body.classList.contains('signed')"))

    # -- what came of it

    def compare(self) -> None:
        """Every log entry by entry, and every result with what the table's own log comes to."""
        results = self.record.results
        found = set()
        with Ledger(self.control / LEDGER) as ledger:
            for place in sorted(self.folder.glob("table *")):
                for _, key, log_id in begun_in(place):
                    with reading(place) as db:
                        assert ledger.entries(log_id) == list(entries(db, log_id)), key
                    lines, reference = result_of(kept_log(place, log_id))
                    filed = results[key]
                    assert filed.log is not None
                    assert (filed.lines, filed.log.digest, filed.log.table) == (
                        lines, reference.digest, place.name.removeprefix("table "),
                    )  # fmt: skip
                    found.add(key)
            assert ledger.alarms() == []
        assert found == set(results), "a table has not raced"

    def picture(self, name: str) -> None:
        if self.pictures is not None:
            self.pictures.mkdir(parents=True, exist_ok=True)
            for what, page in (("control", self.page), ("wall", self.wall)):
                assert isinstance(page, Page)
                page.picture(self.pictures / f"{name} {what}.png")


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--drivers", type=int, default=40)
    asked.add_argument("--tables", type=int, default=5)
    asked.add_argument("--final", type=int, default=8)
    asked.add_argument("--touches", type=int, default=100_000, help="Answers by fingers in a race; then drivers go on.")
    asked.add_argument("--pictures", type=Path, help="Where pictures of race control's pages go.")
    given = asked.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        print(json.dumps(Day(Path(folder), **vars(given)).go(), ensure_ascii=False))


if __name__ == "__main__":
    main()
