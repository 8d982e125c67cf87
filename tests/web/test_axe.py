"""The pages as people use them: axe-core finds nothing serious for those who do not see or point as others do;
and a hand of cards is for its owner's eyes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from companion import circuits
from companion.drivers.cards import HeuristicCardDriver
from companion.drivers.sensible import HeuristicDriver
from companion.web.running import Alone, Phones
from tests.web.axe import LEFT_OUT, source, violations
from tests.web.browser import CHROMIUM, DRIVER, MISSING, Browsers
from tests.web.pages import opened
from tests.web.test_pages import SETUPS

pytestmark = pytest.mark.skipif(CHROMIUM is None or DRIVER is None, reason=MISSING)


KINDS = ("drive#", "drive#waiting", "drive", "wall", "", "standings", "tables")
TURNED = "window.dispatchEvent(new DeviceOrientationEvent('deviceorientation', { beta: arguments[0], gamma: 0 }))"
"""Lays the phone down: at 0 on its back, at 180 on its face."""
EVENT = {"log": "of no record", "race": "1"}


def go_on(table: Alone, driver: Any, ask: str) -> None:
    """Until car 7 is asked that."""
    while True:
        asked = table.see(lambda desk: desk.asked).result()
        if asked is None or (asked.ask == ask and asked.car == 7 and asked.n > 10):
            return
        answer = table.see(lambda desk: driver.answer(desk.asked, desk.rulebook.race)).result()
        table.act(lambda desk, answer=answer: desk.answer(answer) and None).result()  # type: ignore[misc]


@pytest.mark.parametrize("name", ["competition", "ninety"])
def test_axe_finds_nothing_serious_on_any_page(tmp_path: Path, name: str) -> None:
    if not source():
        pytest.skip(LEFT_OUT)
    key, more = SETUPS[name]
    track = circuits.board(key)
    driver = HeuristicCardDriver(track, 3) if name == "ninety" else HeuristicDriver(track, 3)  # type: ignore[arg-type]
    cars = [{"car": number, "driver": driver} for number, driver in ((7, "Ada"), (9, "Ben"))]
    browsers, found = Browsers(), {}

    def look(pages: Phones, kind: str, lang: str = "en") -> None:
        path, _, whose = kind.partition("#")
        token = pages.drive(9 if whose else 7).partition("#")[2] if "#" in kind else ""
        page.open("about:blank")
        page.open(f"{pages.address}{path}?lang={lang}#{token}")
        page.wait(lambda: not token or page.state() in ("asked", "waiting", "over"))
        if wrong := violations(page):
            found[kind, lang] = wrong
        page.run("try { localStorage.clear() } catch { }")

    try:
        page = browsers.page()
        setup = {"rulebook": name, "track": key, "cars": cars, "event": EVENT, **more}
        with opened(tmp_path, setup if name == "ninety" else {**setup, "laps": 1}, key) as (pages, table):
            pages.clock(24, 60, False)
            if name == "ninety":
                go_on(table, driver, "show")
                look(pages, "drive#")
            else:
                go_on(table, driver, "landing")
                for kind in KINDS:
                    look(pages, kind)
                look(pages, "drive#", "fr")
                go_on(table, driver, "")  # to the end
                for kind in ("", "drive#", "wall", "replay"):
                    look(pages, kind)
            page.run("document.querySelector('main').insertAdjacentHTML('beforeend', '<button></button>')")
            assert violations(page) != []  # it does look
    finally:
        browsers.close()
    assert found == {}


def test_a_hand_is_covered_and_two_of_its_cards_are_laid_face_down(tmp_path: Path) -> None:
    key, more = SETUPS["ninety"]
    cars = [{"car": 7, "driver": "Ada"}, {"car": 9, "driver": "Ben"}]
    browsers = Browsers()
    shown = "return getComputedStyle(document.querySelector('[data-card] b')).visibility"
    picked = "return document.querySelectorAll('[data-card].on').length"
    try:
        page = browsers.page()
        with opened(tmp_path, {"rulebook": "ninety", "track": key, "cars": cars, **more}, key) as (pages, table):
            go_on(table, HeuristicCardDriver(circuits.board(key), 3), "show")  # type: ignore[arg-type]
            page.open(pages.drive(7))
            page.wait(lambda: page.state() == "asked")
            assert page.run(shown) == "visible"
            page.tap("[data-cover]")
            assert page.run(shown) == "hidden"
            page.tap("[data-card]")
            assert page.run(picked) == 0  # what is not seen is not played
            page.tap("[data-cover]")
            assert page.run(shown) == "visible"
            for lies, seen in ((0, "visible"), (180, "hidden")):  # on its back, on its face
                page.run(TURNED, lies)
                page.wait(lambda seen=seen: page.run(shown) == seen)
            page.run(TURNED, 0)
            page.tap("[data-cover]")
            for place in (1, 2, 3):
                page.tap(f"[data-card]:nth-child({place})")
            assert page.run(picked) == 2
            assert page.said() == ["One card or two"]
            page.wait(lambda: "Play face down" in page.text("#ask"))
            assert "+" in page.text("#ask .sum")
            page.tap("[data-accept]")
            page.wait(lambda: page.state() != "asked" or "Show" not in page.text("#ask"))
            by = table.see(lambda desk: desk.history.items[-1].by).result()
            assert by == "car 7"
    finally:
        browsers.close()
