"""A whole race in real browsers, a page for each car, every answer a tap: `python -m tests.web.whole`."""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from pathlib import Path
from typing import Any

from companion import circuits
from companion.drivers.cards import SensibleWithCards
from companion.drivers.sensible import Sensible
from tests.web.browser import Browsers, Page
from tests.web.pages import opened
from tests.web.test_pages import SETUPS

TAP = """
    const wanted = arguments[0], same = (given) => {
        const sorted = (v) => v && typeof v === "object" && !Array.isArray(v)
            ? Object.fromEntries(Object.keys(v).sort().map((k) => [k, sorted(v[k])])) : v;
        return JSON.stringify(sorted(JSON.parse(given))) === JSON.stringify(sorted(wanted));
    };
    const keys = [...document.querySelectorAll("#ask button")];
    const free = keys.find((key) => key.dataset.answer !== undefined && same(key.dataset.answer));
    const paid = keys.find((key) => key.dataset.look !== undefined && same(key.dataset.look));
    if (free || paid) (free || paid).click();
    return free ? "free" : paid ? "paid" : "";
"""
"""Taps the key of an answer; what kind of key it was."""


def tapped(page: Page, n: int, answer: Any) -> bool:
    """Whether an answer could be given by taps on a page."""
    page.wait(
        lambda: page.state() == "asked" and page.run("return document.getElementById('page').dataset.n") == str(n)
    )
    time.sleep(0.28)  # a page has no ears while its question is new
    kind = page.run(TAP, answer)
    if kind == "paid":
        page.wait(lambda: page.run("return !!document.querySelector('[data-accept]')"))
        page.tap("[data-accept]")
    return bool(kind)


def play(folder: Path, name: str, most: int) -> dict[str, Any]:
    """A race of a rulebook by taps, up to so many answers; what no page has a key for is answered at the table."""
    key, more = SETUPS[name]
    cars = [{"car": 7, "driver": "Ada"}, {"car": 9, "driver": "Ben"}]
    laps = {} if name == "ninety" else {"laps": 1}
    track = circuits.board(key)
    driver: Any = SensibleWithCards(track, 3) if name == "ninety" else Sensible(track, 3)  # type: ignore[arg-type]
    browsers, taps, table_answers, began = Browsers(), 0, [], time.monotonic()
    try:
        with opened(folder, {"rulebook": name, "track": key, "cars": cars, **laps, **more}, key) as (pages, table):
            phones = {number: browsers.page(lang=lang) for number, lang in ((7, "en"), (9, "fr"))}
            for number, page in phones.items():
                page.open(pages.drive(number))
            for _ in range(most):
                asked = table.see(lambda desk: desk.asked).result()
                if asked is None:
                    break
                answer = table.see(lambda desk: driver.answer(desk.asked, desk.rulebook.race)).result()
                if asked.car in phones and tapped(phones[asked.car], asked.n, answer):
                    end = time.monotonic() + 20
                    while table.see(lambda desk: desk.n).result() == asked.n:
                        assert time.monotonic() < end, (asked, answer, phones[asked.car].text())
                        time.sleep(0.02)
                    taps += 1
                else:
                    table.act(lambda desk, answer=answer: desk.answer(answer) and None).result()  # type: ignore[misc]
                    table_answers.append(asked.ask)
            over = table.see(lambda desk: desk.over).result()
    finally:
        browsers.close()
    at_table = {ask: table_answers.count(ask) for ask in table_answers}
    return {"rulebook": name, "over": over, "by taps": taps, "at the table": at_table,
            "seconds": round(time.monotonic() - began)}  # fmt: skip


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--rulebook", choices=list(SETUPS), default="competition")
    asked.add_argument("--answers", type=int, default=3000)
    given = asked.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        print(json.dumps(play(Path(folder), given.rulebook, given.answers)))


if __name__ == "__main__":
    main()
