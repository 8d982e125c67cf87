"""Whole races at the touchscreen with a real browser for each car: `python -m tests.web.whole [--rulebook NAME]`.

Fingers and phones answer in turn and at the same moment, one car has two phones, one phone sleeps, the app is killed in
the middle: every question is answered once, by whoever was first, and every page comes back by itself.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import random
import socket
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

from companion.desk import RaceDesk
from tests.web.browser import Browsers, Page
from tests.web.test_pages import SETUPS
from tests.web.touched import Touchscreen, touchscreen

TAP = """
    const wanted = arguments[0], same = (given) => {
        const sorted = (v) => v && typeof v === "object" && !Array.isArray(v)
            ? Object.fromEntries(Object.keys(v).sort().map((k) => [k, sorted(v[k])])) : v;
        return JSON.stringify(sorted(JSON.parse(given))) === JSON.stringify(sorted(wanted));
    };
    if (document.getElementById("page").dataset.n !== arguments[1]) return "";
    if (document.querySelector(".covered #ask .secret")) document.querySelector("#ask [data-cover]").click();
    const cards = [...document.querySelectorAll("#ask [data-card]")];
    if (cards.length && Array.isArray(wanted) && wanted.length) {
        for (const card of cards) if (card.classList.contains("on")) card.click();
        for (const code of wanted) cards.find((c) => c.dataset.card === code && !c.classList.contains("on")).click();
        return "paid";
    }
    const keys = [...document.querySelectorAll("#ask button")];
    const free = keys.find((key) => key.dataset.answer !== undefined && same(key.dataset.answer));
    const paid = keys.find((key) => key.dataset.look !== undefined && same(key.dataset.look));
    if (free || paid) (free || paid).click();
    return free ? "free" : paid ? "paid" : "";
"""
"""Taps the key of an answer, or its cards; what kind of key it was."""
SLEEP = 6
"""How many answers a phone sleeps through."""


class Race:
    """A race at a touchscreen, and its phones: two for the first car, one for each other."""

    def __init__(self, folder: Path, name: str, cars: int) -> None:
        self.folder, self.name = folder, name
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port: int = free.getsockname()[1]
        self.key, more = SETUPS[name]
        drivers = [{"car": number, "driver": driver} for number, driver in ((7, "Ada"), (9, "Ben"), (31, "Chloé"))]
        laps = {} if name == "ninety" else {"laps": 1}
        self.setup = {"rulebook": name, "track": self.key, "cars": drivers[:cars], **laps, **more}
        self.at_table: Counter[str] = Counter()
        self.both = 0
        self.dice = random.Random(7)
        self.pages: dict[int, list[Page]] = {}

    def open(self, table: Touchscreen, browsers: Browsers) -> None:
        """The race begun and opened to phones by touch, and each phone at its page."""
        table.do("begin", setup=self.setup, track=self.key)
        addresses = table.do("phones")
        for at, car in enumerate(self.setup["cars"]):
            langs = ("en", "fr") if not at else ("fr",)
            self.pages[car["car"]] = [browsers.page(lang=lang) for lang in langs]
            for page in self.pages[car["car"]]:
                page.open(addresses[str(car["car"])])
                page.wait(lambda page=page: page.state() in ("asked", "waiting", "table"))
        watcher = browsers.page()
        watcher.open(addresses[""])
        self.pages[0] = [watcher]

    # -- ways to answer

    def phone(self, page: Page, asked: dict[str, Any]) -> bool:
        """By taps on a phone; whether it has a key for that."""
        self._listens(page, asked)
        kind = page.run(TAP, asked["answer"], str(asked["n"]))
        if kind == "paid":
            page.wait(lambda: page.run("return !!document.querySelector('[data-accept]:not(:disabled)')"))
            page.tap("[data-accept]")
        return bool(kind)

    @staticmethod
    def _listens(page: Page, asked: dict[str, Any]) -> None:
        """Waits until a page has ears for a question, which it has not while that is new."""
        page.wait(lambda: page.run("return document.getElementById('page').dataset.n") == str(asked["n"]))
        page.wait(lambda: page.state() == "asked")
        time.sleep(0.28)

    def at_once(self, table: Touchscreen, page: Page, asked: dict[str, Any]) -> bool:
        """A finger and a phone, in the same moment; whether one of them was heard, which a busy machine may miss."""
        self._listens(page, asked)
        late = self.dice.choice((0.0, 0.0, 0.01, 0.03))
        table.tell("finger", answer=asked["answer"], late=late)
        time.sleep(0.3)  # as long as the screen has no ears
        tapped = page.run(TAP, asked["answer"], str(asked["n"]))
        touched = table.heard()
        if tapped == "free" and touched:
            self.both += 1
        end = time.monotonic() + (5 if tapped == "free" or touched else 0)
        while (then := table.do("asked")) is not None and then["n"] == asked["n"]:
            if time.monotonic() >= end:
                return False
        return True

    def gone_on(self, table: Touchscreen, asked: dict[str, Any]) -> dict[str, Any] | None:
        """The next question; the one before was answered once."""
        end = time.monotonic() + 60
        while (then := table.do("asked")) is not None and then["n"] == asked["n"]:
            assert time.monotonic() < end, (asked, [page.text() for page in self.pages.get(asked["car"], [])])
            time.sleep(0.02)
        assert set(table.do("told")[asked["n"] + 1 :]) <= {"program"}, asked
        return then

    # -- the race

    def play(self, most: int) -> dict[str, Any]:
        """So many answers of it, at most; what was found."""
        began, kill, sleeper = time.monotonic(), 0, self.setup["cars"][-1]["car"]
        with contextlib.ExitStack() as ends:
            table = ends.enter_context(touchscreen(self.folder, self.port))
            browsers = Browsers()
            ends.callback(browsers.close)
            self.open(table, browsers)
            asked, count = table.do("asked"), 0
            middle = min(most, 60) // 2
            while asked is not None and count < most:
                count += 1
                if count >= middle and not kill:
                    kill, before = count, table.do("told")
                    table.kill()
                    for page in (self.pages[sleeper][0], self.pages[0][0]):  # five seconds, and what is busy here
                        page.wait(lambda page=page: page.run("return !!document.querySelector('.lost')"), 7)
                    table = ends.enter_context(touchscreen(self.folder, self.port))
                    table.do("resume")
                    assert table.do("told") == before
                    for page in (page for pages in self.pages.values() for page in pages):
                        page.wait(lambda page=page: page.run("return !document.querySelector('.lost')"))
                    asked = table.do("asked")
                if count in (middle - SLEEP - 2, middle - 2):
                    state = "frozen" if count < middle - 2 else "active"
                    self.pages[sleeper][0].devtools("Page.setWebLifecycleState", state=state)
                asleep = asked["car"] == sleeper and middle - SLEEP - 2 <= count < middle - 2
                self._one(table, asked, count, finger=asleep or count % 7 == 3)
                asked = self.gone_on(table, asked)
            told = table.do("told")
            table.kill()
        with RaceDesk.resume(self.folder, "last") as desk:  # what was told is what the log has
            assert [item.by for item in desk.history.items] == told
            over = desk.over
        return {"rulebook": self.name, "over": over, "answers": count, "by": dict(Counter(told)),
                "both at once": self.both, "killed at": kill, "phones have no key for": dict(self.at_table),
                "seconds": round(time.monotonic() - began)}  # fmt: skip

    def _one(self, table: Touchscreen, asked: dict[str, Any], count: int, *, finger: bool) -> None:
        """One answer, by a finger, a phone or both."""
        phones = self.pages.get(asked["car"] or -1, [])
        if phones and not finger:
            page = phones[count % len(phones)]
            if count % 5 == 0 and self.at_once(table, page, asked):
                return
            if self.phone(page, asked):
                return
            self.at_table[asked["ask"]] += 1
        table.do("answer", answer=asked["answer"])


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--rulebook", choices=list(SETUPS), action="append")
    asked.add_argument("--answers", type=int, default=3000)
    asked.add_argument("--cars", type=int, choices=(2, 3), default=3)
    given = asked.parse_args()
    for name in given.rulebook or SETUPS:
        with tempfile.TemporaryDirectory() as folder:
            print(json.dumps(Race(Path(folder), name, given.cars).play(given.answers)), flush=True)


if __name__ == "__main__":
    main()
