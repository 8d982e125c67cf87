"""The pages as people use them who do not see or point as others do: axe-core finds nothing serious, in both
languages."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion import circuits
from companion.drivers.cards import SensibleWithCards
from companion.drivers.sensible import Sensible
from tests.web.axe import LEFT_OUT, source, violations
from tests.web.browser import CHROMIUM, DRIVER, MISSING, Browsers
from tests.web.pages import opened
from tests.web.test_pages import SETUPS

pytestmark = pytest.mark.skipif(CHROMIUM is None or DRIVER is None, reason=MISSING)


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
        with opened(tmp_path, {"rulebook": name, "track": key, "cars": cars, **more}, key) as (pages, table):
            pages.clock(24, 60, False)
            for ask in asks:

                def there() -> bool:
                    asked = table.see(lambda desk: desk.asked).result()
                    return asked is None or (asked.ask == ask and asked.car == 7 and asked.n > 30)  # noqa: B023

                while not there():
                    answer = table.see(lambda desk: driver.answer(desk.asked, desk.rulebook.race)).result()
                    table.act(lambda desk, answer=answer: desk.answer(answer) and None).result()  # type: ignore[misc]
                for lang in ("en", "fr"):
                    for kind in (
                        ("drive#", "drive#waiting", "drive", "wall", "") if name == "competition" else ("drive#",)
                    ):
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
