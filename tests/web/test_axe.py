"""The pages as people use them: axe-core finds nothing serious for those who do not see or point as others do, in both
languages; and a hand of cards is for its owner's eyes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from companion import circuits
from companion.drivers.cards import SensibleWithCards
from companion.drivers.sensible import Sensible
from companion.web.running import Alone
from tests.web.axe import LEFT_OUT, source, violations
from tests.web.browser import CHROMIUM, DRIVER, MISSING, Browsers
from tests.web.pages import opened
from tests.web.test_pages import SETUPS

pytestmark = pytest.mark.skipif(CHROMIUM is None or DRIVER is None, reason=MISSING)


KINDS = ("drive#", "drive#waiting", "drive", "wall", "", "standings")
EVENT = {"log": "of no record", "race": "1"}


def go_on(table: Alone, driver: Any, ask: str) -> None:
    """Until car 7 is asked that."""
    while True:
        asked = table.see(lambda desk: desk.asked).result()
        if asked is None or (asked.ask == ask and asked.car == 7 and asked.n > 10):
            return
        answer = table.see(lambda desk: driver.answer(desk.asked, desk.rulebook.race)).result()
        table.act(lambda desk, answer=answer: desk.answer(answer) and None).result()  # type: ignore[misc]


@pytest.mark.parametrize(("name", "asks"), [("competition", ("landing",)), ("ninety", ("show",))])
def test_axe_finds_nothing_serious_on_any_page(tmp_path: Path, name: str, asks: tuple[str, ...]) -> None:
    if not source():
        pytest.skip(LEFT_OUT)
    key, more = SETUPS[name]
    track = circuits.board(key)
    driver = SensibleWithCards(track, 3) if name == "ninety" else Sensible(track, 3)  # type: ignore[arg-type]
    cars = [{"car": number, "driver": driver} for number, driver in ((7, "Ada"), (9, "Ben"))]
    browsers, found = Browsers(), {}
    try:
        page = browsers.page()
        setup = {"rulebook": name, "track": key, "cars": cars, "event": EVENT, **more}
        with opened(tmp_path, setup, key) as (pages, table):
            pages.clock(24, 60, False)
            for ask in asks:
                go_on(table, driver, ask)
                for lang in ("en", "fr"):
                    for kind in KINDS if name == "competition" else ("drive#",):
                        path, _, whose = kind.partition("#")
                        token = pages.drive(9 if whose else 7).partition("#")[2] if "#" in kind else ""
                        page.open("about:blank")
                        page.open(f"{pages.address}{path}?lang={lang}#{token}")
                        page.wait(lambda token=token: not token or page.state() in ("asked", "waiting"))
                        if wrong := violations(page):
                            found[ask, lang, kind] = wrong
                        page.run("try { localStorage.clear() } catch { }")
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
            go_on(table, SensibleWithCards(circuits.board(key), 3), "show")  # type: ignore[arg-type]
            page.open(pages.drive(7))
            page.wait(lambda: page.state() == "asked")
            assert page.run(shown) == "visible"
            page.tap("[data-cover]")
            assert page.run(shown) == "hidden"
            page.tap("[data-card]")
            assert page.run(picked) == 0  # what is not seen is not played
            page.tap("[data-cover]")
            assert page.run(shown) == "visible"
            for place in (1, 2, 3):
                page.tap(f"[data-card]:nth-child({place})")
            assert page.run(picked) == 2
            assert page.text("#told") == "One card or two"
            page.wait(lambda: "Play face down" in page.text("#ask"))
            assert "+" in page.text("#ask .sum")
            page.tap("[data-accept]")
            page.wait(lambda: page.state() != "asked" or "Show" not in page.text("#ask"))
            by = table.see(lambda desk: desk.history.items[-1].by).result()
            assert by == "car 7"
    finally:
        browsers.close()
